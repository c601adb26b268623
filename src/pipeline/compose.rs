//! Writes the brief from the decisions, reads it again, and writes it with more care until it is understood as meant.
//!
//! Two things are asked of a brief before it is given out: that its structure and numbers are those that were meant
//! ([`check`]), and, when something was removed, that a second run would edit nothing
//! ([`settle`]). Where the answer is no, the leaf in question is written with more [`Care`].

use std::collections::HashMap;
use std::sync::Arc;

use super::ask::Answers;
use super::gather::{Gathered, Lists, Reading, without_lists};
use super::{Input, Options, Progress, report, settle, weigh};
use crate::citation::MarkerForm;
use crate::decide::Plan;
use crate::decide::check::{self, Defect};
use crate::decide::edit::Places;
use crate::decide::{self, Action, Because, Care, CitationForm, Decision, Edit, Manner, Rewrite};
use crate::markdown::{BlockId, Document};
use crate::render;
use crate::shares;
use crate::text::Span;

/// How often a brief is written anew. Drafts that people write settle in one or two rounds.
const MOST_ROUNDS: usize = 32;

/// How often what is read as a citation or a list, and is none, is kept apart from what makes it look like one.
const MOST_ESCAPES: usize = 3;

/// Leaves before the place of a defect that may have caused it.
const NEAR: usize = 3;

/// How often one leaf takes over what a second run would decide. A paragraph that loses sentence after sentence settles
/// long before.
const MOST_DECISIONS: u8 = 4;

/// Everything that a brief is written from, but for the decisions.
pub(super) struct Composer<'a> {
    pub(super) gathered: &'a Gathered,
    pub(super) bearings: &'a [weigh::Bearing],
    pub(super) answers: &'a Answers,
    /// Whether the links of the prose are not proven dead.
    pub(super) living: &'a HashMap<String, bool>,
    pub(super) dead_links: &'a [super::links::DeadLink],
    pub(super) blocked: Option<&'a str>,
    pub(super) draft: &'a Input,
    pub(super) research: &'a [Input],
    pub(super) options: &'a Options,
    pub(super) progress: &'a (dyn Fn(Progress<'_>) + Sync),
}

/// A brief and how it was made.
pub(super) struct Composed {
    pub(super) rewrite: Rewrite,
    pub(super) edits: Vec<Edit>,
    pub(super) brief: Arc<str>,
}

impl Composer<'_> {
    /// The brief, as tidy as it can be. Decisions on claims that go with others are added to `weighed`.
    ///
    /// # Errors
    /// When no manner of writing gives a brief that passes its check and that a second run would not edit: what was wrong
    /// with the tidiest one.
    pub(super) fn settled(&self, weighed: &mut weigh::Weighed) -> Result<Composed, String> {
        let mut held = None;
        match self.settled_as(weighed, self.options.support, &mut held) {
            // A brief that says what its sources do not say where they stand by other claims now is better than none.
            Err(_) if self.options.support => {
                weighed.decisions = held.unwrap_or_else(|| std::mem::take(&mut weighed.decisions));
                self.settled_as(weighed, false, &mut None)
            }
            settled => settled,
        }
    }

    /// The same, with what a second run would judge anew or without. `held` gets the decisions as they were before any of them
    /// was changed for a second run.
    fn settled_as(
        &self,
        weighed: &mut weigh::Weighed,
        judged: bool,
        held: &mut Option<Vec<Decision>>,
    ) -> Result<Composed, String> {
        let mut manner = Manner::default();
        let mut first_defect: Option<String> = None;
        let mut unsettled: Option<String> = None;
        let mut decided: HashMap<BlockId, u8> = HashMap::new();
        for _ in 0..MOST_ROUNDS {
            let (composed, reading) = match self.compose(weighed, &manner) {
                Ok(written) => written,
                Err((defect, place)) => {
                    if self.unsoften(place.as_slice(), weighed) {
                        continue;
                    }
                    first_defect.get_or_insert(defect);
                    if !self.more_care_at(place, &mut manner) && !more_care(&mut manner) {
                        break;
                    }
                    continue;
                }
            };
            let Some(reading) = reading.filter(|reading| self.may_be_unsettled(&composed, reading)) else {
                return Ok(composed);
            };
            if weighed.decisions.iter().any(|decision| decision.action == Action::Fail) {
                // The run fails for a claim: nothing is written that a second run could edit.
                return Ok(composed);
            }
            let Some(again) = settle::Again::of(self, &composed, reading, judged.then_some(&*weighed)) else {
                return Ok(composed);
            };
            if again.is_settled() {
                return Ok(composed);
            }
            held.get_or_insert_with(|| weighed.decisions.clone());
            let found = again.compare(self.gathered, weighed);
            let places: Vec<usize> =
                found.edited.iter().map(|leaf| self.gathered.document.content_span(*leaf).start).collect();
            if self.unsoften(&places, weighed) {
                continue;
            }
            unsettled.get_or_insert_with(|| again.complaint());
            let mut changed = false;
            for leaf in found.misread {
                changed |= Self::raise(leaf, Care::Glued, &mut manner);
            }
            if !changed {
                for (i, decision) in found.decisions {
                    let times = decided.entry(self.gathered.claims[i].block).or_default();
                    if *times < MOST_DECISIONS {
                        *times += 1;
                        weighed.decisions[i] = decision;
                        changed = true;
                    }
                }
            }
            if !changed {
                for (i, source) in found.cited {
                    if !weighed.decisions[i].sources.contains(&source) {
                        weighed.decisions[i].sources.push(source);
                        changed = true;
                    }
                }
            }
            if !changed && self.options.notes {
                for (i, notes) in found.notes {
                    let held = weighed.decisions[i].notes.len();
                    notes.into_iter().for_each(|note| weighed.decisions[i].note_once(note));
                    changed |= weighed.decisions[i].notes.len() > held;
                }
            }
            for care in [Care::Marked, Care::Held] {
                if !changed {
                    for leaf in &found.edited {
                        changed |= Self::raise(*leaf, care, &mut manner);
                    }
                }
            }
            if !changed && !self.more_care_around(&places, &mut manner) && !more_care(&mut manner) {
                break;
            }
        }
        Err(first_defect.unwrap_or_else(|| unsettled.unwrap_or_default()))
    }

    /// Whether a second run could find anything to do. Brackets with other numbers and a new source list alone change no
    /// sentence.
    fn may_be_unsettled(&self, composed: &Composed, reading: &Reading) -> bool {
        let renumbers = |edit: &Edit| match edit.because {
            Because::SourcesWritten => !edit.replacement.is_empty() || edit.span.is_empty(),
            Because::Renumbered => edit.replacement.starts_with('['),
            _ => false,
        };
        let markers = &self.gathered.citations.markers;
        markers.len() != reading.citations.markers.len()
            || markers.iter().any(|marker| marker.form != MarkerForm::Bracket)
            || !composed.edits.iter().all(renumbers)
    }

    /// Writes the brief once. The reading of the result comes with it, when anything was edited; a defect with the place
    /// in the draft.
    fn compose(
        &self,
        weighed: &mut weigh::Weighed,
        manner: &Manner,
    ) -> Result<(Composed, Option<Reading>), (String, Option<usize>)> {
        let Composer { gathered, draft, .. } = *self;
        let (document, citations) = (&gathered.document, &gathered.citations);
        let mut escapes: Vec<Edit> = Vec::new();
        for attempt in 1..=MOST_ESCAPES {
            let plan = plan(gathered, self.options);
            let mended = decide::mended(&plan, &mut weighed.decisions, manner);
            let lines = |weighed: &weigh::Weighed| report::claim_lines(&gathered.claims, weighed, self.options.notes);
            let (mut rewrite, mut claim_lines) = shares::both(
                draft.text.len(),
                || decide::write(&plan, &weighed.decisions, manner, mended),
                || lines(weighed),
            );
            rewrite.edits.extend(escapes.iter().cloned());
            if !weighed.softenings.is_empty() {
                // Which words a claim gets is known only now.
                soften(&mut rewrite.edits, weighed);
                claim_lines = lines(weighed);
            }
            let outcomes = report::Outcomes {
                gathered,
                bearings: self.bearings,
                answers: self.answers,
                weighed,
                rewrite: &rewrite,
                dead_links: self.dead_links,
                blocked: self.blocked,
                judged: self.options.support,
                min_quality: self.options.policy.min_quality,
            };
            let sections = outcomes.sections(&outcomes.sources(), claim_lines);
            let edits = render::brief::finish(document, gathered.citations_to_write(), &mut rewrite, &sections);
            drop(sections);
            let brief: Arc<str> = decide::apply(&draft.text, &edits)
                .map_err(|overlap| (overlap.to_string(), Some(overlap.0.1.span.start)))?
                .into();
            if edits.is_empty() {
                return Ok((Composed { rewrite, edits, brief }, None));
            }
            (self.progress)(Progress::Checking);
            let again = Reading::of(&brief, &gathered.known);
            // A list that nothing cites is none to what writes the brief, and stays one to its readers.
            let home = match gathered.lists {
                Lists::Unconnected { .. } => citations.lists.as_slice(),
                Lists::Cited => rewrite.home.and_then(|home| citations.lists.get(home..=home)).unwrap_or_default(),
            };
            let home: Vec<Span> = home.iter().flat_map(|list| list.parts(document)).collect();
            let mut more = check::escapes(&draft.text, citations, &edits, (&again.document, &again.citations));
            more.extend(check::unlisted(&home, &edits, &again.document, &again.citations));
            more.retain(|edit| !escapes.contains(edit));
            if attempt < MOST_ESCAPES && !more.is_empty() {
                escapes.append(&mut more);
                continue;
            }
            let links_count = rewrite.form == CitationForm::Kept;
            let prose = matches!(gathered.lists, Lists::Unconnected { .. }).then(|| without_lists(&again.citations));
            let read = prose.as_ref().unwrap_or(&again.citations);
            let (before, after) = ((document, gathered.citations_to_write()), (&again.document, read));
            let cited = rewrite.numbering.sources().len();
            return match check::check(before, &rewrite.holes, after, links_count, cited) {
                Ok(()) => Ok((Composed { rewrite, edits, brief }, Some(again))),
                Err(Defect { message, at }) => Err((message, at.map(|at| Places::new(&edits).in_draft(at)))),
            };
        }
        Err(("a text is read as a citation".to_owned(), None))
    }

    /// Takes back the softer sentences in the leaves at these places: no other reading of them was meant. Says whether
    /// there were any.
    fn unsoften(&self, places: &[usize], weighed: &mut weigh::Weighed) -> bool {
        if weighed.softenings.is_empty() {
            return false;
        }
        let leaves = Leaves::of(&self.gathered.document);
        let leaves: Vec<BlockId> = places.iter().filter_map(|place| leaves.back_from(*place).next()).collect();
        weighed.unsoften("the brief would be read in another way", |i| leaves.contains(&self.gathered.claims[i].block))
    }

    /// Writes the last edited leaf at or before a place of the draft with more care, or where that is not enough those around it: what is
    /// difficult about one leaf is none of the others' business. Says whether there was one that could have more.
    fn more_care_at(&self, place: Option<usize>, manner: &mut Manner) -> bool {
        let Some(place) = place else { return false };
        let leaves = Leaves::of(&self.gathered.document);
        let near: Vec<BlockId> = leaves.back_from(place).filter(|leaf| self.is_edited(*leaf)).take(NEAR).collect();
        [Care::Marked, Care::Held].iter().any(|care| near.iter().any(|leaf| Self::raise(*leaf, *care, manner)))
            || self.more_care_around(&[place], manner)
    }

    /// Writes the edited leaves around these places with more care, from near to far. Says whether there was one that could have more.
    fn more_care_around(&self, places: &[usize], manner: &mut Manner) -> bool {
        /// Leaves on either side, step by step; beyond them nothing of a leaf is felt.
        const REACHES: [usize; 3] = [1, NEAR, 4 * NEAR];
        let leaves = Leaves::of(&self.gathered.document);
        let steps = REACHES.iter().flat_map(|reach| [(*reach, Care::Marked), (*reach, Care::Held)]);
        steps.into_iter().any(|(reach, care)| {
            let around = places.iter().flat_map(|place| {
                let before = leaves.back_from(*place).filter(|leaf| self.is_edited(*leaf)).take(reach + 1);
                let behind = leaves.behind(*place).filter(|leaf| self.is_edited(*leaf)).take(reach);
                before.chain(behind).collect::<Vec<_>>()
            });
            // All of a step, not only the first.
            around.filter(|leaf| Self::raise(*leaf, care, manner)).count() > 0
        })
    }

    /// Whether a leaf has claims or citations, which may be edited.
    fn is_edited(&self, leaf: BlockId) -> bool {
        let at = self.gathered.claims.partition_point(|claim| claim.block < leaf);
        self.gathered.claims.get(at).is_some_and(|claim| claim.block == leaf)
            || !self.gathered.citations.markers_in(self.gathered.document.content_span(leaf)).is_empty()
    }

    /// Gives a leaf more care; says whether it had less.
    fn raise(leaf: BlockId, care: Care, manner: &mut Manner) -> bool {
        let more = manner.of(leaf) < care;
        if more {
            manner.leaves.insert(leaf, care);
        }
        more
    }
}

/// Adds the edits that write softer sentences, where no other edit wants the same bytes.
fn soften(edits: &mut Vec<Edit>, weighed: &mut weigh::Weighed) {
    let mut more: Vec<(usize, Edit)> = Vec::new();
    for (i, softening) in weighed.softenings.iter().filter(|(_, softening)| softening.written) {
        if !weighed.decisions[*i].action.removes() {
            more.extend(softening.edit(*i).map(|edit| (*i, edit)));
        }
    }
    let inside = |softer: Span, other: Span| {
        softer.overlaps(other) || (other.is_empty() && softer.start < other.start && other.start < softer.end)
    };
    let taken: Vec<usize> = more
        .iter()
        .filter(|(_, softer)| edits.iter().any(|edit| inside(softer.span, edit.span)))
        .map(|(i, _)| *i)
        .collect();
    if weighed.unsoften("a citation or a mark is written inside the sentence", |i| taken.contains(&i)) {
        more.retain(|(i, _)| !taken.contains(i));
    }
    edits.extend(more.into_iter().map(|(_, edit)| edit));
}

/// What a rewriting of `gathered` needs to know.
pub(super) fn plan<'a>(gathered: &'a Gathered, options: &Options) -> Plan<'a> {
    Plan {
        document: &gathered.document,
        citations: gathered.citations_to_write(),
        claims: &gathered.claims,
        resolved: &gathered.resolved,
        style: options.style,
        registry: &gathered.registry,
    }
}

/// The next way to write the whole document; each changes less of what stands around the edits than the one before.
fn more_care(manner: &mut Manner) -> bool {
    match (manner.all, manner.list_moves) {
        (_, false) => manner.list_moves = true,
        (Care::Closed | Care::Glued, true) => (manner.all, manner.list_moves) = (Care::Marked, false),
        (Care::Marked, true) => (manner.all, manner.list_moves) = (Care::Held, false),
        (Care::Held, true) => return false,
    }
    true
}

/// The leaves of a document by place.
pub(super) struct Leaves(Vec<(usize, BlockId)>);

impl Leaves {
    pub(super) fn of(document: &Document) -> Self {
        Leaves(document.leaves().map(|(id, _)| (document.content_span(id).start, id)).collect())
    }

    /// The leaf at a place, or the last one before it, and those before that, backwards.
    pub(super) fn back_from(&self, place: usize) -> impl Iterator<Item = BlockId> + '_ {
        let end = self.0.partition_point(|(start, _)| *start <= place);
        self.0[..end].iter().rev().map(|(_, id)| *id)
    }

    /// The leaves that begin behind a place.
    fn behind(&self, place: usize) -> impl Iterator<Item = BlockId> + '_ {
        let start = self.0.partition_point(|(start, _)| *start <= place);
        self.0[start..].iter().map(|(_, id)| *id)
    }
}
