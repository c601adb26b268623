//! `cited show`: what cited sees of a document, a page, many addresses, or its own settings.

mod pages;

use cited_core::address::is_web;
use std::fmt::Write as _;
use std::path::Path;

use super::input::STANDARD;
use super::{input, output};
use crate::cli::args::{Show, ShowFormat, TalkFlags};
use crate::cli::layers::Typed;
use crate::cli::settings::Settings;
use crate::setup::{SILENT, Setup};
use cited_core::citation::{self, KnownLabels};
use cited_core::claim;
use cited_core::error::{Error, Result};
use cited_core::markdown::Document;
use cited_core::source::research::read_research;
use cited_report::findings::Texts;
use cited_report::printers::json::pretty as json;
use cited_report::{findings, view};

/// Shows something.
///
/// # Errors
/// When it cannot be read, or the settings cannot be used.
pub fn run(args: Show, typed: &Typed) -> Result<()> {
    let Show { what, format, liveness, .. } = args;
    let first = what.first().map_or("", String::as_str);
    let folder = Path::new(first).parent().filter(|folder| folder.is_dir()).unwrap_or(Path::new(""));
    let settings = Settings::resolve(typed, folder)?;
    match what.as_slice() {
        [one] if one == "settings" && !liveness && !Path::new(one).exists() => {
            show_settings(&settings, format.unwrap_or_default())
        }
        [one] if is_web(one) && !liveness => {
            let setup = Setup::asking(&settings, &SILENT)?;
            let shown = pages::show_one(one, format.unwrap_or_default(), &setup);
            setup.finish().and(shown)
        }
        addresses if first == STANDARD || addresses.iter().all(|what| is_web(what)) => {
            let addresses = if first == STANDARD { pages::on_standard_input()? } else { addresses.to_vec() };
            let setup = Setup::asking(&settings, &TalkFlags::default())?;
            let shown = pages::show_many(&addresses, liveness, format.unwrap_or(ShowFormat::Json), &setup);
            setup.finish().and(shown)
        }
        _ if liveness => {
            Err(Error::usage("--liveness is for addresses: name some, or `-` for those on standard input"))
        }
        [path] => show_document(Path::new(path), &settings, format.unwrap_or_default()),
        several => Err(Error::usage(format!(
            "{}: show takes one document, one or more http(s) addresses, `settings` or `-`",
            several.join(" ")
        ))),
    }
}

/// A document: its claims, markers and sources as cited sees them.
fn show_document(path: &Path, settings: &Settings, format: ShowFormat) -> Result<()> {
    let draft = input::read(path)?;
    let research = input::research(path, &settings.work.research, &[])?;
    let document = Document::read(draft.text.clone());
    let mut known = KnownLabels::default();
    for file in &research {
        known.add_entries(&read_research(&file.path, &file.text).entries);
    }
    let citations = citation::read(&document, &known);
    let claims = claim::split(&document, &citations);
    let texts = Texts::new(&draft, &research);
    let view = view::view(texts.document(), &citations, &claims);
    match format {
        ShowFormat::Json => output::print(&json(&view)?),
        ShowFormat::Text => {
            output::print(&view::text(&view))?;
            output::print(&findings::text::render(&citations.findings, &texts, true))
        }
    }
}

/// The settings in force, and where each comes from.
fn show_settings(settings: &Settings, format: ShowFormat) -> Result<()> {
    if format == ShowFormat::Json {
        return output::print(&json(&settings.in_force)?);
    }
    let mut out = String::new();
    let width = settings.in_force.iter().map(|setting| setting.name.len()).max().unwrap_or(0);
    for setting in &settings.in_force {
        let value = if setting.values.is_empty() { "(none)".to_owned() } else { setting.values.join(", ") };
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{:width$} = {value}  # {}", setting.name, setting.origin);
    }
    output::print(&out)
}
