//! Fourth stage: the brief, written from the decisions, read again, and written with more care until it is understood as meant.
//!
//! Two things are asked of a brief before it is given out: that its structure and numbers are those that were meant
//! ([`write()`]), and, when something was removed, that a second run would edit nothing ([`settle`]). Where the answer is no, the leaf in
//! question is written with more care ([`Manner`]).

mod care;
mod settle;
mod write;

use std::collections::HashMap;
use std::sync::Arc;

use self::care::{hold, more_care, more_care_around};
use self::settle::{SecondRun, Unsettled};
use self::write::{Composed, Misread, write};
use super::ask::Asked;
use super::judge::{Assessment, Judged};
use super::options::Watch;
use super::read::{Read, Reading};
use cited_core::citation::MarkerForm;
use cited_core::decide::{Action, Cause, Edit, Manner, Rewrite};
use cited_core::error::{Error, Result};
use cited_core::markdown::BlockId;

/// How often a brief is written anew. Drafts that people write settle in one or two rounds.
const MOST_ROUNDS: usize = 32;

/// How often one leaf takes over what a second run would decide. A paragraph that loses sentence after sentence settles
/// long before.
const MOST_DECISIONS: u8 = 4;

/// What was judged, with the brief that was written of it.
pub(super) struct Written {
    /// With the decisions on claims that go with others.
    pub(super) judged: Judged,
    pub(super) rewrite: Rewrite,
    pub(super) edits: Vec<Edit>,
    pub(super) brief: Arc<str>,
}

/// Writes the brief, as tidy as it can be.
///
/// # Errors
/// When no manner of writing gives a brief that passes its check and that a second run would not edit: what was wrong
/// with the tidiest one.
pub(super) fn compose(judged: Judged, watch: Watch<'_>) -> Result<Written> {
    let Judged { asked, mut assessment } = judged;
    let (support, decisions) = (asked.read.options.support, assessment.decisions.clone());
    let composed = match settle_brief(&asked, &mut assessment, support, watch) {
        // A brief that says what its sources do not say where they stand by other claims now is better than none.
        Err(_) if support => {
            assessment.decisions = decisions;
            settle_brief(&asked, &mut assessment, false, watch)
        }
        settled => settled,
    };
    let Composed { rewrite, edits, brief } = composed.map_err(Error::defect)?;
    Ok(Written { judged: Judged { asked, assessment }, rewrite, edits, brief })
}

/// The same, with what a second run would judge anew or without.
fn settle_brief(
    asked: &Asked,
    assessment: &mut Assessment,
    judged: bool,
    watch: Watch<'_>,
) -> std::result::Result<Composed, String> {
    let read = &asked.read;
    let mut manner = Manner::default();
    let mut complaint: Option<String> = None;
    let mut adopted: HashMap<BlockId, u8> = HashMap::new();
    for _ in 0..MOST_ROUNDS {
        let (composed, reading) = match write(asked, assessment, &manner, watch) {
            Ok(written) => written,
            Err(Misread { message, at }) => {
                complaint.get_or_insert(message);
                if !more_care_around(read, at.as_slice(), &mut manner) && !more_care(&mut manner) {
                    break;
                }
                continue;
            }
        };
        let Some(reading) = reading.filter(|reading| may_be_unsettled(read, &composed, reading)) else {
            return Ok(composed);
        };
        if assessment.decisions.iter().any(|decision| decision.action == Action::Fail) {
            // The run fails for a claim: nothing is written that a second run could edit.
            return Ok(composed);
        }
        let Some(again) = SecondRun::rerun(asked, &composed.edits, reading, (assessment, judged)) else {
            return Ok(composed);
        };
        if again.is_settled() {
            return Ok(composed);
        }
        let found = again.compare(read, assessment);
        let places: Vec<usize> = found.edited.iter().map(|leaf| read.document.content_span(*leaf).start).collect();
        complaint.get_or_insert_with(|| again.complaint());
        let changed = adopt(read, found, assessment, &mut manner, &mut adopted);
        if !changed && !more_care_around(read, &places, &mut manner) && !more_care(&mut manner) {
            break;
        }
    }
    Err(complaint.unwrap_or_default())
}

/// Takes over what a second run would do: first that leaves are read as they were meant, then its decisions. Says whether there was anything. `adopted` counts how often a leaf took over a decision.
fn adopt(
    read: &Read,
    found: Unsettled,
    assessment: &mut Assessment,
    manner: &mut Manner,
    adopted: &mut HashMap<BlockId, u8>,
) -> bool {
    let mut changed = false;
    for leaf in found.misread {
        changed |= hold(leaf, manner);
    }
    if changed {
        return true;
    }
    for (i, decision) in found.decisions {
        let times = adopted.entry(read.claims[i].block).or_default();
        if *times < MOST_DECISIONS {
            *times += 1;
            assessment.decisions[i] = decision;
            changed = true;
        }
    }
    for (i, source) in found.cited {
        if !assessment.decisions[i].sources.contains(&source) {
            assessment.decisions[i].sources.push(source);
            changed = true;
        }
    }
    for (i, notes) in found.notes.into_iter().filter(|_| read.options.notes) {
        let held = assessment.decisions[i].notes.len();
        notes.into_iter().for_each(|note| assessment.decisions[i].note_once(note));
        changed |= assessment.decisions[i].notes.len() > held;
    }
    changed
}

/// Whether a second run could find anything to do. Brackets with other numbers and a new source list alone change no
/// sentence.
fn may_be_unsettled(read: &Read, composed: &Composed, again: &Reading) -> bool {
    let renumbers = |edit: &Edit| match edit.because {
        Cause::SourcesWritten => !edit.replacement.is_empty() || edit.span.is_empty(),
        Cause::Renumbered => edit.replacement.starts_with('['),
        _ => false,
    };
    let markers = &read.citations.markers;
    markers.len() != again.citations.markers.len()
        || markers.iter().any(|marker| marker.form != MarkerForm::Bracket)
        || !composed.edits.iter().all(renumbers)
}
