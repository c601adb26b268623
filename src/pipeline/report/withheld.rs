//! The guard over a whole document: a run that would take its source list or half of its claims away has most likely not understood it.
//!
//! Each removal has its reason. Together they say something else: that a list, or a form of citation, could not be connected with the
//! text, or that the research files are those of another draft. A person looks first; `--force` writes the brief.

use crate::pipeline::decided::Decided;
use crate::pipeline::read::Lists;
use cited_core::claim::ClaimKind;
use cited_core::decide::policy::Shortfall;
use cited_core::decide::{Action, Decision};
use cited_report::Record;
use cited_report::record::{RunVerdict, Verification};
use cited_report::wording::counted;

/// Fewer claims have no half.
const FEWEST: usize = 3;

/// Of fewer that need a source half may go when each removal is proven: a single page that is gone may take most of a short note with it.
const FEWEST_PROVEN: usize = 7;

/// Why the claims of a document go, with how many.
#[derive(Debug, Clone, Copy, Default)]
struct Toll {
    dead: usize,
    unfound: usize,
    against: usize,
    unresolved: usize,
    unsourced: usize,
}

impl Toll {
    fn count<'d>(decisions: impl Iterator<Item = &'d Decision>) -> Toll {
        let mut toll = Toll::default();
        for shortfall in decisions.filter_map(|decision| decision.shortfall) {
            match shortfall {
                Shortfall::Dead => toll.dead += 1,
                Shortfall::NotFound => toll.unfound += 1,
                Shortfall::Contradicted(_) | Shortfall::Unsupported(_) | Shortfall::Unsure(_) => toll.against += 1,
                Shortfall::Unresolved => toll.unresolved += 1,
                Shortfall::Uncited | Shortfall::FakeCertainty => toll.unsourced += 1,
                // They go with others.
                Shortfall::Depends | Shortfall::Introduces | Shortfall::NoProvenance | Shortfall::Reviewed => {}
            }
        }
        toll
    }

    /// Whether every removal rests on what pages are or say.
    fn is_proven(self) -> bool {
        self.unresolved + self.unsourced == 0
    }

    fn is_any(self) -> bool {
        self.dead + self.unfound + self.against + self.unresolved + self.unsourced > 0
    }

    /// The causes in words, the most frequent one first.
    fn in_words(self, has_notes: bool) -> String {
        let files = if has_notes { "have no source in the research files" } else { "cite no source" };
        let mut causes = [
            (self.unresolved, "cite labels that no list explains"),
            (self.unsourced, files),
            (self.dead, "stand on sources that are gone"),
            (self.unfound, "stand on works that no index has"),
            (self.against, "are not what their sources say"),
        ];
        causes.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let told = causes.iter().filter(|(count, _)| *count > 0).map(|(count, why)| format!("{count} {why}"));
        told.collect::<Vec<_>>().join(", ")
    }
}

/// Why a brief should not be written unasked, in words; none when there is nothing to fear. Computed after the record, which has the
/// claims.
pub(super) fn withheld(decided: &Decided<'_>, record: &Record) -> Option<String> {
    let Decided { read, assessment, rewrite, .. } = *decided;
    let path = &read.draft.path;
    let says = |kind: ClaimKind| !matches!(kind, ClaimKind::Heading | ClaimKind::Todo | ClaimKind::Chatter);
    let stating = record.verifications.iter().zip(&assessment.decisions).filter(|(claim, _)| says(claim.kind));
    let total = stating.clone().count();
    let stating = stating.map(|(_, decision)| decision);
    // A marked claim stays, and its citations go from the list as those of a removed one do.
    let uncited =
        Toll::count(stating.clone().filter(|decision| decision.action.removes() || decision.action == Action::Mark));
    let gone = stating.filter(|decision| decision.action.removes());
    let (toll, gone) = (Toll::count(gone.clone()), gone.count());
    let has_notes = read.has_notes();
    let why = toll.in_words(has_notes);
    match (&read.lists, read.first_list()) {
        (Lists::Unconnected { looks_cited: true, .. }, Some((line, entries))) => {
            let entries = counted(entries, "source");
            return Some(format!(
                "{path}:{line}:1: the draft lists {entries} and cites none of them in a form that cited knows; write citations as [1], [^1], \
                 ¹, [S1], (Author, 2024) or links, or name research files with -r FILE; `cited show {path}` tells what was recognised"
            ));
        }
        _ if record.verdict == RunVerdict::Blocked => return None,
        (Lists::Cited, Some((line, entries))) if uncited.is_any() && rewrite.numbering.sources().is_empty() => {
            let entries = if entries == 1 { "1 entry" } else { &format!("{entries} entries") };
            let why = uncited.in_words(has_notes);
            return Some(format!(
                "{path}:{line}:1: the source list has {entries} and would have none: of {total} claims {why}"
            ));
        }
        _ => {}
    }
    // What cites a source stands on one, whatever its kind; what leans on a claim that goes is not counted beside it.
    let needs = |claim: &&Verification| claim.kind.must_have_source() || !claim.sources_reconciled.is_empty();
    let needing: Vec<bool> = record.verifications.iter().filter(needs).map(|claim| claim.action.removes()).collect();
    let (needing, lost) = (needing.len(), needing.iter().filter(|goes| **goes).count());
    let half = |all: usize, gone: usize, fewest: usize| all >= fewest && gone * 2 >= all;
    let is_lost = if toll.is_proven() {
        half(needing, lost, FEWEST_PROVEN)
    } else {
        half(total, gone, FEWEST) || half(needing, lost, FEWEST + usize::from(lost < needing))
    };
    is_lost.then(|| format!("{path}: {lost} of {needing} claims that need a source would go: {why}"))
}
