//! The provenance side-car: what was consulted, accepted and rejected, and the verdict. All of it computed from the
//! record.

use std::fmt::Write as _;

use super::record::{Record, SourceRecord};
use crate::fetch::Outcome;
use crate::text::escape;

/// What the side-car says beyond the record.
#[derive(Debug, Clone, Default)]
pub struct Origin {
    /// The draft, as given by the user.
    pub draft: String,
    /// The research files, as given or found.
    pub research: Vec<String>,
    /// The plan that the research followed, when there is one.
    pub plan: Option<String>,
    /// Whether the support of claims was judged.
    pub judged: bool,
}

/// The side-car of a run that took place on `date`.
pub fn provenance(record: &Record, origin: &Origin, date: jiff::civil::Date) -> String {
    let stats = &record.stats;
    let asked = |source: &&SourceRecord| source.outcome != Outcome::Unasked || source.number.is_some();
    let consulted: Vec<&SourceRecord> = record.sources.iter().filter(asked).collect();
    let accepted = consulted.iter().filter(|source| source.number.is_some()).count();
    let rejected: Vec<&&SourceRecord> = consulted
        .iter()
        .filter(|source| source.number.is_none() && (source.outcome.is_proven_dead() || source.outcome.is_readable()))
        .collect();
    let unknown: Vec<&&SourceRecord> = consulted.iter().filter(|source| source.outcome.is_unknown()).collect();

    let mut out = format!("# Provenance of {}\n\n", escape::inline(&origin.draft));
    let _ = writeln!(out, "- **Date:** {date}");
    let _ = writeln!(out, "- **Rounds:** 1");
    let _ = writeln!(out, "- **Sources consulted:** {}", consulted.len());
    let _ = writeln!(out, "- **Sources accepted:** {accepted}");
    let _ = writeln!(out, "- **Sources rejected:** {}", rejected.len());
    let _ = writeln!(out, "- **Sources that could not be asked or read:** {}", unknown.len());
    let _ = writeln!(out, "- **Verification:** {}", record.verdict);
    if let Some(plan) = &origin.plan {
        let _ = writeln!(out, "- **Plan:** {}", escape::inline(plan));
    }
    let files = if origin.research.is_empty() {
        "none".to_owned()
    } else {
        origin.research.iter().map(|file| escape::inline(file)).collect::<Vec<_>>().join(", ")
    };
    let _ = writeln!(out, "- **Research files:** {files}");
    let _ = writeln!(
        out,
        "- **Claims:** {} in the draft, {} verified, {} anchored to the research files, {} noted, {} removed",
        stats.claims, stats.verified, stats.anchored, stats.noted, stats.removed
    );
    if stats.conflicts > 0 {
        let _ = writeln!(out, "- **Conflicts between sources:** {}", stats.conflicts);
    }
    if !origin.judged {
        let _ = writeln!(out, "- **Support:** not judged; sources were checked for being there, not for what they say");
    }
    list(&mut out, "Rejected", &rejected, |source| match source.outcome {
        Outcome::Dead => format!("{}, no archive", source.reason),
        _ => "no claim of the brief stands on it".to_owned(),
    });
    list(&mut out, "Could not be asked or read", &unknown, |source| format!("{}: {}", source.outcome, source.reason));
    out
}

fn list(out: &mut String, heading: &str, sources: &[&&SourceRecord], reason: impl Fn(&SourceRecord) -> String) {
    if sources.is_empty() {
        return;
    }
    let _ = write!(out, "\n## {heading}\n\n");
    for source in sources {
        let name = if source.url.is_empty() { &source.title } else { &source.url };
        let _ = writeln!(out, "- {} — {}", escape::title(name), escape::inline(&reason(source)));
    }
}
