//! The provenance side-car: what was consulted, accepted and rejected, and the verdict. All of it computed from the
//! record.

use super::page::Page;
use super::record::{Record, SourceRecord};
use super::summary::{headline, is_done};
use cited_core::outcome::Outcome;

/// What the side-car says beyond the record.
#[derive(Debug, Clone, Default)]
pub struct Origin {
    /// The plan that the research followed, when there is one.
    pub plan: Option<Plan>,
    /// Whether the support of claims was judged.
    pub judged: bool,
    /// The day of the run.
    pub date: jiff::civil::Date,
}

/// A plan that lies beside a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Its file, as found.
    pub path: String,
    /// How many rounds of research it counts, when it does.
    pub rounds: Option<u32>,
}

/// The side-car of a run.
pub fn provenance(record: &Record, origin: &Origin) -> String {
    let asked = |source: &&SourceRecord| source.outcome != Outcome::Unasked || source.number.is_some();
    let consulted: Vec<&SourceRecord> = record.sources.iter().filter(asked).collect();
    // Nobody has accepted what could not be looked at; and a dead source that the policy keeps is a dead source.
    let accepted = consulted.iter().filter(|s| s.number.is_some() && s.outcome.is_readable()).count();
    let is_rejected = |s: &&SourceRecord| s.outcome.is_proven_dead() || s.number.is_none() && s.outcome.is_readable();
    let rejected: Vec<&SourceRecord> = consulted.iter().copied().filter(is_rejected).collect();
    let unknown: Vec<&SourceRecord> = consulted.iter().copied().filter(|s| s.outcome.is_unknown()).collect();

    let draft = &record.draft.path;
    let research = record.draft.research.join(", ");
    let files = if research.is_empty() { "none".to_owned() } else { research };
    let unjudged = "not judged; sources were checked for being there, not for what they say";
    let facts = [
        ("Date", Some(origin.date.to_string())),
        ("Rounds", Some(origin.plan.as_ref().and_then(|plan| plan.rounds).unwrap_or(1).to_string())),
        ("Sources consulted", Some(consulted.len().to_string())),
        ("Sources accepted", Some(accepted.to_string())),
        ("Sources rejected", Some(rejected.len().to_string())),
        ("Sources that could not be asked or read", Some(unknown.len().to_string())),
        ("Verification", Some(record.verdict.to_string())),
        ("Not written", record.not_written.clone()),
        ("Plan", origin.plan.as_ref().map(|plan| plan.path.clone())),
        ("Research files", Some(files)),
        ("Claims", Some(headline(record, false).counts.join(", "))),
        ("Support", (!origin.judged).then(|| unjudged.to_owned())),
    ];
    let facts = facts.into_iter().filter_map(|(name, value)| Some((name, value?)));

    let mut page = Page::default();
    let title = format!("Provenance of {draft}");
    page.section(1, &title, facts, |page, (name, value)| page.fact(name, &value));
    let heading = if is_done(record, false) { "Removed" } else { "Would be removed" };
    let gone = record.verifications.iter().filter(|claim| claim.action.removes());
    page.section(2, heading, gone, |page, claim| page.text(&format!("“{}” — {}", claim.claim_text, claim.notes)));
    let mut sources = |heading, sources: Vec<&SourceRecord>, reason: &dyn Fn(&SourceRecord) -> String| {
        page.section(2, heading, sources, |page, source| {
            if source.url.is_empty() {
                page.text(&source.title);
            } else {
                page.address(&source.url);
            }
            page.quiet_text(&format!(" — {}", reason(source)));
        });
    };
    sources("Rejected", rejected, &|source| match source.outcome {
        Outcome::Dead => format!("{}, no archive", source.reason),
        _ => "no claim of the brief stands on it".to_owned(),
    });
    sources("Could not be asked or read", unknown, &|source| {
        format!("{}: {}", source.outcome.in_words(&source.rule), source.reason)
    });
    let annotated = record.sources.iter().filter(|source| !source.entry_notes.is_empty());
    sources("Notes in the draft's list", annotated.collect(), &|source| {
        let quoted: Vec<String> = source.entry_notes.iter().map(|note| format!("“{note}”")).collect();
        quoted.join("; ")
    });
    page.write()
}
