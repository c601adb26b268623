//! `cited show`: what cited sees.

use std::fmt::Write as _;

use super::output;
use crate::cli::args::{Format, Show};
use crate::cli::exit::Exit;
use crate::cli::settings::{Flags, Settings};
use crate::error::Result;

/// Shows a document, a page or the settings.
///
/// # Errors
/// When it cannot be read.
pub fn run(args: Show) -> Result<Exit> {
    let flags = Flags { network: args.network, ..Flags::default() };
    let settings = Settings::resolve(flags)?;
    output::print(&show_settings(&settings, args.format)?)?;
    Ok(Exit::Done)
}

fn show_settings(settings: &Settings, format: Format) -> Result<String> {
    if format == Format::Json {
        return super::json(&settings.in_force);
    }
    let mut out = String::new();
    let value = |values: &[String]| match values {
        [] => "(none)".to_owned(),
        values => values.join(", "),
    };
    let name = settings.in_force.iter().map(|setting| setting.name.len()).max().unwrap_or(0);
    let width = settings.in_force.iter().map(|setting| value(&setting.values).len()).max().unwrap_or(0);
    for setting in &settings.in_force {
        let _ = writeln!(out, "{:name$} = {:width$}  # {}", setting.name, value(&setting.values), setting.origin);
    }
    Ok(out)
}
