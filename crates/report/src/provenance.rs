//! The provenance side-car: what was consulted, accepted and rejected, and the verdict. All of it computed from the
//! record.

use pulldown_cmark::HeadingLevel;

use super::page::Page;
use super::record::{Proposal, Record, SourceRecord};
use super::wording::day;
use cited_core::outcome::{Kept, Outcome};
use cited_core::source::research::Rating;

/// What the side-car says beyond the record.
#[derive(Debug, Clone, Default)]
pub struct Origin {
    /// The draft, as given by the user.
    pub draft: String,
    /// The research files, as given or found.
    pub research: Vec<String>,
    /// The plan that the research followed, when there is one.
    pub plan: Option<Plan>,
    /// Whether the support of claims was judged.
    pub judged: bool,
    /// What was found for claims without a source, when it was looked for: see [`found`].
    pub found: String,
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
    let stats = &record.stats;
    let asked = |source: &&SourceRecord| source.outcome != Outcome::Unasked || source.number.is_some();
    let consulted: Vec<&SourceRecord> = record.sources.iter().filter(asked).collect();
    // Nobody has accepted what could not be looked at; and a dead source that the policy keeps is a dead source.
    let accepted = consulted.iter().filter(|s| s.number.is_some() && s.outcome.is_readable()).count();
    let is_rejected = |s: &&SourceRecord| s.outcome.is_proven_dead() || s.number.is_none() && s.outcome.is_readable();
    let rejected: Vec<&SourceRecord> = consulted.iter().copied().filter(is_rejected).collect();
    let unknown: Vec<&SourceRecord> = consulted.iter().copied().filter(|s| s.outcome.is_unknown()).collect();

    let mut page = Page::default();
    page.heading(HeadingLevel::H1, &format!("Provenance of {}", origin.draft));
    page.open_list();
    page.fact("Date", &origin.date.to_string());
    let rounds = origin.plan.as_ref().and_then(|plan| plan.rounds).unwrap_or(1);
    page.fact("Rounds", &rounds.to_string());
    page.fact("Sources consulted", &consulted.len().to_string());
    page.fact("Sources accepted", &accepted.to_string());
    page.fact("Sources rejected", &rejected.len().to_string());
    page.fact("Sources that could not be asked or read", &unknown.len().to_string());
    page.fact("Verification", &record.verdict.to_string());
    if let Some(why) = &record.not_written {
        page.fact("Not written", why);
    }
    if let Some(plan) = &origin.plan {
        page.fact("Plan", &plan.path);
    }
    let files = if origin.research.is_empty() { "none".to_owned() } else { origin.research.join(", ") };
    page.fact("Research files", &files);
    let claims = format!(
        "{} in the draft, {} verified, {} anchored to the research files, {} noted, {} {}",
        stats.claims,
        stats.verified,
        stats.anchored,
        stats.noted,
        stats.removed,
        if record.not_written.is_none() { "removed" } else { "would be removed" }
    );
    page.fact("Claims", &claims);
    if stats.conflicts > 0 {
        page.fact("Conflicts between sources", &stats.conflicts.to_string());
    }
    if !origin.judged {
        page.fact("Support", "not judged; sources were checked for being there, not for what they say");
    }
    page.close_list();
    sources(&mut page, "Rejected", &rejected, |source| match source.outcome {
        Outcome::Dead => format!("{}, no archive", source.reason),
        _ => "no claim of the brief stands on it".to_owned(),
    });
    sources(&mut page, "Could not be asked or read", &unknown, |source| {
        format!("{}: {}", source.outcome, source.reason)
    });
    let of_the_draft = |source: &&SourceRecord| source.origins.iter().any(|(file, _)| *file == origin.draft);
    let uncited = |source: &&SourceRecord| source.number.is_none() && source.outcome == Outcome::Unasked;
    let left_out: Vec<&SourceRecord> = record.sources.iter().filter(uncited).filter(of_the_draft).collect();
    sources(&mut page, "Listed in the draft, and left out", &left_out, |_| "cited nowhere".to_owned());
    let annotated: Vec<&SourceRecord> = record.sources.iter().filter(|s| !s.entry_notes.is_empty()).collect();
    sources(&mut page, "Notes in the draft's list", &annotated, |source| {
        let quoted: Vec<String> = source.entry_notes.iter().map(|note| format!("“{note}”")).collect();
        quoted.join("; ")
    });
    let cited = |source: &&SourceRecord| source.number.is_some();
    let retracted: Vec<&SourceRecord> =
        record.sources.iter().filter(cited).filter(|source| source.retracted.is_some()).collect();
    sources(&mut page, "Retracted, withdrawn or doubted", &retracted, |source| {
        source
            .retracted
            .as_ref()
            .map_or_else(String::new, |found| format!("{} by {}: “{}”", found.fate, found.who(), found.words))
    });
    let rated: Vec<&SourceRecord> =
        record.sources.iter().filter(cited).filter(|source| !source.ratings.is_empty()).collect();
    sources(&mut page, "Rated by the research notes", &rated, |source| {
        let each: Vec<String> = source.ratings.iter().map(Rating::to_string).collect();
        each.join("; ")
    });
    let kept: Vec<&SourceRecord> = record.sources.iter().filter(|source| source.kept.is_some()).collect();
    sources(&mut page, "Kept by an archive", &kept, |source| match &source.kept {
        Some(Kept::Had(copy)) => format!("there is a copy of {}", day(copy.taken)),
        Some(Kept::Taken(copy)) => format!("copied in this run, {}", day(copy.taken)),
        Some(Kept::Not { reason }) => format!("not copied, {reason}"),
        None => String::new(),
    });
    page.write() + &origin.found
}

/// The section on what a search has found for claims without a source; nothing when it found nothing.
pub fn found(proposals: &[Proposal]) -> String {
    if proposals.is_empty() {
        return String::new();
    }
    let mut page = Page::default();
    page.heading(HeadingLevel::H2, "Found by the search");
    page.open_list();
    for proposal in proposals {
        let fate = if proposal.written { "cited" } else { "offered, not cited" };
        page.item(&format!("“{}” — {} ({fate}): “{}”", proposal.claim_text, proposal.url, proposal.source_passage));
    }
    page.close_list();
    format!("\n{}", page.write())
}

/// A section of sources, each with a reason.
fn sources(page: &mut Page, heading: &str, sources: &[&SourceRecord], reason: impl Fn(&SourceRecord) -> String) {
    if sources.is_empty() {
        return;
    }
    page.heading(HeadingLevel::H2, heading);
    page.open_list();
    for source in sources {
        let name = if source.url.is_empty() { &source.title } else { &source.url };
        page.item(&format!("{name} — {}", reason(source)));
    }
    page.close_list();
}
