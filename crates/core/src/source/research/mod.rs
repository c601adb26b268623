//! Research files: what an agent noted while it looked, with the sources it looked at.
//!
//! Markdown with an evidence table, findings and a list; bibliographies (BibTeX, CSL-JSON); the citation objects of three
//! vendors; cited's own records and claim ledgers. What a file is, its ending and its content say. Reading never fails.

mod bibliography;
mod file;
mod json;
mod markdown;
mod words;

pub use bibliography::{
    BibtexEntry, Field, bibtex_entries, csl_fields, csl_of_yaml, field, plain as plain_tex, reference_of,
};
pub use file::{Rating, ResearchFile, ResearchNote};
pub use markdown::date_of;
pub use words::without_label;

use crate::finding::{Code, Finding};
use cited_text::quantity::is_measured;
use cited_text::words::words;

/// Endings of the files that are read where a folder of research is named: those that [`read_research`] tells apart.
pub const ENDINGS: [&str; 12] =
    ["md", "markdown", "txt", "qmd", "rmd", "yaml", "yml", "json", "jsonl", "ndjson", "bib", "bibtex"];

/// Reads a research file. `path` is used for its ending and to name the file.
///
/// ```
/// use cited_core::source::research::read_research;
/// let file = read_research("notes.md", "- Water is wet [1].\n\n## Sources\n\n1. Water — https://water.example/\n");
/// assert_eq!(file.notes[0].text, "Water is wet.");
/// assert_eq!(file.notes[0].entries, [0]);
/// ```
pub fn read_research(path: &str, text: &str) -> ResearchFile {
    let text_start = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    let mut file = match ending.as_str() {
        "bib" | "bibtex" => bibliography::read_bibtex(text),
        "json" | "jsonl" | "ndjson" => json::read(text),
        _ if text_start.starts_with(['{', '[']) && serde_json::from_str::<serde_json::Value>(text).is_ok() => {
            json::read(text)
        }
        "md" | "markdown" | "txt" | "qmd" | "rmd" => markdown::read(text),
        "yaml" | "yml" if let Some(items) = bibliography::csl_of_yaml(text) => json::read(&items),
        _ if bibliography::is_bibtex(text_start) => bibliography::read_bibtex(text),
        _ => markdown::read(text),
    };
    let is_read = |file: &ResearchFile| {
        let says = |note: &ResearchNote| !note.entries.is_empty() && words(&note.text).nth(1).is_some();
        file.broken.is_some() || file.notes.iter().any(says)
    };
    path.clone_into(&mut file.path);
    if !is_read(&file) && !bibliography::is_bibtex(text_start) && text.contains("://") && states_something(&file, text)
    {
        file.unread = true;
        let message = format!("no finding of {path} was read: how it names the source of each is not known");
        file.findings.push(Finding::new(Code::UnreadNotes, message));
    }
    file
}

/// Whether a line of a file, or a string in quotation marks, has a value and is neither an address nor a title.
fn states_something(file: &ResearchFile, text: &str) -> bool {
    const FEWEST_WORDS: usize = 4;
    let is_title = |piece: &str| {
        let mut titles = file.entries.iter().map(|entry| entry.title.as_str());
        titles.any(|title| 2 * title.len() > piece.len() && piece.contains(title))
    };
    let mut pieces = text.split(['\n', '"', '|']).filter(|piece| !piece.contains("://") && is_measured(piece));
    pieces.any(|piece| words(piece).nth(FEWEST_WORDS).is_some() && !is_title(piece))
}

/// The names among `names` that are research files of the draft `<slug>-draft.md`: `<slug>-research*.md`.
///
/// Nothing is looked up: the caller lists the folders (beside the draft, one folder up, the working folder).
///
/// ```
/// use cited_core::source::research::{candidates, slug_of};
/// let names = ["ants-research.md", "ants-research-web.md", "bees-research.md", "ants-draft.md"];
/// assert_eq!(slug_of("out/ants-draft.md"), Some("ants"));
/// assert_eq!(candidates("ants", names), ["ants-research-web.md", "ants-research.md"]);
/// ```
pub fn candidates<'a>(slug: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let prefix = format!("{slug}-research");
    let is_research =
        |name: &&str| name.strip_prefix(&prefix).is_some_and(|rest| rest.to_ascii_lowercase().ends_with(".md"));
    let mut found: Vec<&str> = names.into_iter().filter(is_research).collect();
    found.sort_unstable();
    found
}

/// The slug of a draft by its name: `ants` of `out/ants-draft.md`.
pub fn slug_of(draft: &str) -> Option<&str> {
    let name = draft.rsplit(['/', '\\']).next().unwrap_or(draft);
    name.strip_suffix("-draft.md").filter(|slug| !slug.is_empty())
}
