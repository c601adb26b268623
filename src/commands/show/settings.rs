//! The settings in force, and where each comes from.

use std::fmt::Write as _;

use crate::cli::args::ShowFormat;
use crate::cli::settings::Settings;
use crate::commands::output;
use cited_core::error::Result;
use cited_report::printers::json::pretty as json;

/// Prints them.
pub fn show(settings: &Settings, format: ShowFormat) -> Result<()> {
    match format {
        ShowFormat::Json => output::print(&json(&settings.in_force)?),
        ShowFormat::Text => output::print(&text(settings)),
    }
}

fn text(settings: &Settings) -> String {
    let mut out = String::new();
    let value = |values: &[String]| match values {
        [] => "(none)".to_owned(),
        values => values.join(", "),
    };
    let name = settings.in_force.iter().map(|setting| setting.name.len()).max().unwrap_or(0);
    for setting in &settings.in_force {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{:name$} = {}  # {}", setting.name, value(&setting.values), setting.origin);
    }
    out
}
