//! The guard over a whole document: a run that would take its source list or half of its claims away has most likely not understood it.
//!
//! Each removal has its reason. Together they say something else: that a list, or a form of citation, could not be connected with the
//! text, or that the research files are those of another draft. A person looks first; `--force` writes the brief.

use crate::pipeline::ask::Asked;
use crate::pipeline::judge::Judged;
use crate::pipeline::read::Lists;
use cited_core::claim::ClaimKind;
use cited_core::decide::{Action, Decision};
use cited_core::finding::Code;
use cited_report::Record;
use cited_report::record::{RunVerdict, Verification};
use cited_report::wording::counted;
use cited_text::Span;
use cited_text::lines::LineIndex;

/// Fewer claims have no half.
const FEWEST: usize = 3;

/// Of fewer that need a source half may go when each removal is proven: a single page that is gone may take most of a short note with it.
const FEWEST_PROVEN: usize = 7;

/// Why a brief should not be written unasked, in words; none when there is nothing to fear. Computed after the record, which has the
/// claims.
pub(super) fn withheld(judged: &Judged, record: &Record) -> Option<String> {
    let Judged { asked: Asked { read, .. }, decisions, rewrite, .. } = judged;
    let path = &read.draft.path;
    let says = |kind: ClaimKind| !matches!(kind, ClaimKind::Heading | ClaimKind::Todo | ClaimKind::Chatter);
    let stating = record.verifications.iter().zip(decisions).filter(|(claim, _)| says(claim.kind));
    let stating: Vec<&Decision> = stating.map(|(_, decision)| decision).collect();
    let going = |marked: bool| {
        let goes = move |action: Action| action.removes() || marked && action == Action::Mark;
        stating.iter().copied().filter(move |decision| goes(decision.action))
    };
    let (total, gone) = (stating.len(), going(false).count());
    let line = |at: Span| LineIndex::new(read.document.text()).line(at.start);
    match (&read.lists, read.first_list().map(|(place, entries)| (line(place), entries))) {
        (Lists::Unconnected { looks_cited: true, .. }, Some((line, entries))) => {
            let entries = counted(entries, "source");
            return Some(format!(
                "{path}:{line}:1: the draft lists {entries} and cites none of them in a form that cited knows; write citations as [1], [^1], \
                 ¹, [S1], (Author, 2024) or links, or name research files with -r FILE; `cited show {path}` tells what was recognised"
            ));
        }
        _ if record.verdict == RunVerdict::Blocked => return None,
        // A marked claim stays, and its citations go from the list as those of a removed one do.
        (Lists::Cited, Some((line, entries)))
            if rewrite.numbering.sources().is_empty() && going(true).any(|decision| decision.shortfall.is_some()) =>
        {
            return Some(format!(
                "{path}:{line}:1: the source list has {} and would have none",
                counted(entries, "entry")
            ));
        }
        _ => {}
    }
    // What cites a source stands on one, whatever its kind; what leans on a claim that goes is not counted beside it.
    let needs = |claim: &&Verification| claim.kind.must_have_source() || !claim.sources_reconciled.is_empty();
    let needing: Vec<bool> = record.verifications.iter().filter(needs).map(|claim| claim.action.removes()).collect();
    let (needing, lost) = (needing.len(), needing.iter().filter(|goes| **goes).count());
    let half = |all: usize, gone: usize, fewest: usize| all >= fewest && gone * 2 >= all;
    // Whether every removal rests on what pages are or say.
    let is_proven = !going(false).any(|decision| {
        matches!(decision.shortfall, Some(Code::OrphanCitation | Code::Unanchored | Code::FakeCertainty))
    });
    let is_lost = if is_proven {
        half(needing, lost, FEWEST_PROVEN)
    } else {
        half(total, gone, FEWEST) || half(needing, lost, FEWEST + usize::from(lost < needing))
    };
    is_lost.then(|| format!("{path}: {lost} of {needing} claims that need a source would go"))
}
