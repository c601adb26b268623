//! `cited show`: what cited sees of a document, a page, many addresses, or its own settings.

mod pages;
mod settings;

use std::path::Path;

use super::input::STANDARD;
use super::network::Web;
use crate::cli::args::{Show, TalkFlags, WorkFlags};
use crate::cli::exit::Exit;
use crate::cli::progress::Reporter;
use crate::cli::settings::{Flags, Settings};
use crate::error::{Error, Result};

/// Shows something.
///
/// # Errors
/// When it cannot be read, or the settings cannot be used.
pub fn run(args: Show) -> Result<Exit> {
    let Show { what, format, research, network, progress } = args;
    let folder = Path::new(&what).parent().filter(|folder| folder.is_dir()).unwrap_or(Path::new("")).to_path_buf();
    let work = WorkFlags { research, ..WorkFlags::default() };
    let talk = TalkFlags { progress, ..TalkFlags::default() };
    let settings = Settings::resolve(Flags { work, network, talk, folder, ..Flags::default() })?;
    let is_address = what.starts_with("http://") || what.starts_with("https://");
    if what == "settings" && !Path::new(&what).exists() {
        settings::show(&settings, format.unwrap_or_default())?;
    } else if is_address || what == STANDARD {
        let web = Web::open(&settings.network)?;
        let reporter = Reporter::new(settings.progress, is_address, false);
        let shown = if is_address {
            pages::one(&what, format.unwrap_or_default(), &web)
        } else {
            pages::many(format, &web, &reporter)
        };
        reporter.end();
        web.close()?;
        shown?;
    } else {
        return Err(Error::usage(format!("{what}: is neither an address nor a readable document")));
    }
    Ok(Exit::Done)
}
