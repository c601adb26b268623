//! A document: its claims, markers and sources as cited sees them.

use std::path::Path;

use crate::citation::{self, KnownLabels};
use crate::claim;
use crate::cli::args::ShowFormat;
use crate::cli::settings::Settings;
use crate::commands::{input, output};
use crate::error::Result;
use crate::markdown::Document;
use crate::render::findings::Texts;
use crate::render::printers::json::pretty as json;
use crate::render::{findings, view};
use crate::source::research::read_research;

/// Prints it.
pub fn show(path: &Path, settings: &Settings, format: ShowFormat) -> Result<()> {
    let draft = input::read(path)?;
    let research = input::research(path, &settings.research, &[])?;
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
