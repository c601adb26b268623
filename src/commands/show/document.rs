//! A document: its claims, markers and sources as cited sees them.

use std::path::Path;

use crate::cli::args::ShowFormat;
use crate::cli::settings::Settings;
use crate::commands::{input, output};
use cited_core::citation::{self, KnownLabels};
use cited_core::claim;
use cited_core::error::Result;
use cited_core::markdown::Document;
use cited_core::source::research::read_research;
use cited_report::findings::Texts;
use cited_report::printers::json::pretty as json;
use cited_report::{findings, view};

/// Prints it.
pub fn show(path: &Path, settings: &Settings, format: ShowFormat) -> Result<()> {
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
