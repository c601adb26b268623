//! An entry for the notebook of a piece of research: what a run found out, in a few lines that the next one reads first.

use std::fmt::Write as _;

use super::record::{Record, RunVerdict, Verification};
use crate::fetch::Outcome;
use crate::text::escape;

/// Claims and sources that are named one by one.
const MOST_NAMED: usize = 10;
/// Characters of a claim that are shown.
const SHOWN: usize = 160;

/// What a run says beside its record.
#[derive(Debug, Clone, Copy)]
pub struct Occasion<'o> {
    /// The draft, as given.
    pub draft: &'o str,
    /// The brief, when it was written.
    pub brief: Option<&'o str>,
    /// The day.
    pub date: jiff::civil::Date,
    /// Why checking could not be completed.
    pub blocked: Option<&'o str>,
}

/// A notebook with an entry more.
pub fn added(notebook: &str, record: &Record, occasion: Occasion<'_>) -> String {
    let mut text = notebook.to_owned();
    if text.is_empty() {
        text.push_str("# Changelog\n");
    }
    let end = if notebook.contains("\r\n") { "\r\n" } else { "\n" };
    if !text.ends_with('\n') {
        text.push_str(end);
    }
    let entry = format!("\n{}", entry(record, occasion));
    text.push_str(&if end == "\n" { entry } else { entry.replace('\n', end) });
    text
}

fn entry(record: &Record, occasion: Occasion<'_>) -> String {
    let Occasion { draft, brief, date, blocked } = occasion;
    let stats = &record.stats;
    let mut out = format!("## {date} — verified {}\n\n", line(draft));
    let _ = writeln!(
        out,
        "- {}: {} claims, {} verified, {} noted, {} removed; {} sources cited, {} dead, {} not readable",
        record.verdict,
        stats.claims,
        stats.verified,
        stats.noted,
        stats.removed,
        stats.cited,
        stats.dead,
        stats.unknown
    );
    match (brief, record.verdict) {
        (Some(brief), _) => {
            let _ = writeln!(out, "- Brief: {}", line(brief));
        }
        (None, RunVerdict::Blocked) => {
            let _ = writeln!(out, "- Blocked: {}", line(blocked.unwrap_or("checking could not be completed")));
        }
        (None, _) => out.push_str("- No brief was written\n"),
    }
    let removed: Vec<&Verification> = record.verifications.iter().filter(|claim| claim.action.removes()).collect();
    for claim in removed.iter().take(MOST_NAMED) {
        let _ = writeln!(out, "- Removed: “{}” — {}", line(&claim.claim_text), line(&claim.notes));
    }
    if removed.len() > MOST_NAMED {
        let _ = writeln!(out, "- Removed: {} more, named in the record", removed.len() - MOST_NAMED);
    }
    let dead = record.sources.iter().filter(|source| source.outcome == Outcome::Dead);
    for source in dead.take(MOST_NAMED) {
        let _ = writeln!(out, "- Dead: {} ({})", line(&source.url), line(&source.reason));
    }
    out
}

/// A text of somebody else's on one line, as text.
fn line(text: &str) -> String {
    let plain = escape::plain(text);
    let cut: String = plain.chars().take(SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let more = if cut.chars().count() < plain.chars().count() { "…" } else { "" };
    format!("{}{more}", escape::inline(&cut))
}
