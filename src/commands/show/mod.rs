//! `cited show`: what cited sees of a document, a page, many addresses, or its own settings.

mod document;
mod pages;
mod settings;

use cited_core::address::is_web;
use std::path::Path;

use super::input::STANDARD;
use crate::cli::args::{Show, ShowFormat, TalkFlags};
use crate::cli::exit::Exit;
use crate::cli::layers::Typed;
use crate::cli::settings::Settings;
use crate::setup::{SILENT, Setup};
use cited_core::error::{Error, Result};

/// Shows something.
///
/// # Errors
/// When it cannot be read, or the settings cannot be used.
pub fn run(args: Show, typed: &Typed) -> Result<Exit> {
    let Show { what, format, liveness, .. } = args;
    let first = what.first().map_or("", String::as_str);
    let folder = Path::new(first).parent().filter(|folder| folder.is_dir()).unwrap_or(Path::new(""));
    let settings = Settings::resolve(typed, folder)?;
    match what.as_slice() {
        [one] if one == "settings" && !liveness && !Path::new(one).exists() => {
            settings::show(&settings, format.unwrap_or_default())?;
        }
        [one] if is_web(one) && !liveness => {
            let setup = Setup::asking(&settings, &SILENT)?;
            let shown = pages::show_one(one, format.unwrap_or_default(), &setup);
            setup.web.network.finish()?;
            shown?;
        }
        addresses if first == STANDARD || addresses.iter().all(|what| is_web(what)) => {
            let addresses = if first == STANDARD { pages::on_standard_input()? } else { addresses.to_vec() };
            let setup = Setup::asking(&settings, &TalkFlags::default())?;
            let shown = pages::show_many(&addresses, liveness, format.unwrap_or(ShowFormat::Json), &setup);
            setup.reporter.end();
            setup.web.network.finish()?;
            shown?;
        }
        _ if liveness => {
            return Err(Error::usage("--liveness is for addresses: name some, or `-` for those on standard input"));
        }
        [path] => document::show(Path::new(path), &settings, format.unwrap_or_default())?,
        several => {
            return Err(Error::usage(format!(
                "{}: show takes one document, one or more http(s) addresses, `settings` or `-`",
                several.join(" ")
            )));
        }
    }
    Ok(Exit::Done)
}
