//! What a second run would make of a brief: it should edit nothing.
//!
//! A removal can make two remains one sentence, leave a picture alone, or let a citation be read as that of another
//! sentence. The brief is therefore decided and rewritten once more, from the reading of it that its check made and with
//! the answers of the first run, and compared claim by claim with what was meant.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::care::Leaves;
use super::write;
use crate::pipeline::ask::Asked;
use crate::pipeline::judge::{Assessment, assess};
use crate::pipeline::options::Options;
use crate::pipeline::read::{Read, Reading, read_again};
use cited_core::claim::{Claim, ClaimKind};
use cited_core::decide::edit::Places;
use cited_core::decide::review::Binder;
use cited_core::decide::{Action, Decision, Edit, Manner, Note, without_mark};
use cited_core::markdown::BlockId;
use cited_core::source::SourceId;
use cited_text::Span;
use cited_text::lines::LineIndex;

/// A brief as a second run sees it.
pub(super) struct SecondRun<'a> {
    read: Read,
    decisions: Vec<Decision>,
    /// What the second run would edit.
    edits: Vec<Edit>,
    /// The edits that made the brief.
    first: &'a [Edit],
}

/// Where the brief is not understood as it was meant.
#[derive(Default)]
pub(super) struct Unsettled {
    /// Leaves of the draft whose claims in the brief have other citations than those that were meant.
    pub(super) misread: Vec<BlockId>,
    /// Decisions that a second run would take, by claim of the draft: only on claims that stay without a citation.
    pub(super) decisions: Vec<(usize, Decision)>,
    /// Sources that a second run would cite for the address of theirs that a claim of the draft shows.
    pub(super) cited: Vec<(usize, SourceId)>,
    /// What a second run would note, by claim of the draft.
    pub(super) notes: Vec<(usize, Vec<Note>)>,
    /// Leaves of the draft that a second run would edit.
    pub(super) edited: Vec<BlockId>,
}

/// What a claim says and cites.
type Meaning = (String, Vec<SourceId>);

impl<'a> SecondRun<'a> {
    /// Decides and rewrites the brief. `None` when a second run would refuse it: there is nothing left to check.
    ///
    /// What sources say of a claim was judged in the first round, in `draft`. When `judged`, it is asked of them where they stand by a
    /// claim that they did not stand by: a sentence that is read as an instruction beside another may be a statement without it, and a
    /// citation behind one that goes may speak for the one before it. Of the decisions of reviewers those that were applied hold.
    pub(super) fn rerun(
        first: &Asked,
        edits: &'a [Edit],
        reading: Reading,
        (draft, judged): (&Assessment, bool),
    ) -> Option<SecondRun<'a>> {
        let options = &first.read.options;
        // A sentence that the draft has twice stands once in the brief when the first of the two goes.
        let mut binder = Binder::default();
        let claims = first.read.claims.iter().zip(&draft.decisions).zip(&draft.bindings);
        let stand = claims.filter(|((_, decision), _)| !decision.action.removes());
        let bound = stand.map(|((claim, _), of)| (of, binder.bind(&claim.text_in_context(), std::iter::empty())));
        let review = options.review.on_these(bound);
        // The judge was asked what no hard check decided; nothing new hangs on it.
        let options = Options { support: judged, judge: None, review: review.into(), ..options.clone() };
        let again = first.reuse_answers(read_again(&first.read, reading, &options)?);
        let judged_before = if judged { pairs_in(&first.read, draft) } else { HashSet::new() };
        let is_new = |claim: &Claim, source: SourceId| {
            let source = in_draft(&again.read, &first.read, source);
            source.is_some_and(|source| !judged_before.contains(&(source, without_mark(&claim.text))))
        };
        let mut assessment = assess(&again, Some(&is_new));
        let (_, would_edit) = write::make_edits(&again, &mut assessment, &Manner::default(), &[]);
        Some(SecondRun { decisions: assessment.decisions, read: again.read, edits: would_edit, first: edits })
    }

    /// Whether a second run would edit nothing.
    pub(super) fn is_settled(&self) -> bool {
        self.edits.is_empty()
    }

    /// What a second run would do, in words.
    pub(super) fn complaint(&self) -> String {
        let at = self.edits.first().map_or(0, |edit| edit.span.start);
        let line = LineIndex::new(self.read.document.text()).line(at);
        format!("a second run would edit the brief again, at line {line}")
    }

    /// Compares what is read in the brief with what was decided on the draft.
    pub(super) fn compare(&self, draft: &Read, assessment: &Assessment) -> Unsettled {
        let decisions = assessment.decisions.as_slice();
        let mut unsettled = Unsettled::default();
        let mut read: BTreeMap<BlockId, Vec<Meaning>> = BTreeMap::new();
        let mut from = 0;
        let mut places = Places::new(self.first);
        let leaves = Leaves::collect(&draft.document);
        for (claim, decision) in self.read.claims.iter().zip(&self.decisions) {
            let span = Span::new(places.in_draft(claim.span.start), places.in_draft(claim.span.end));
            while draft.claims.get(from).is_some_and(|own| own.span.end <= span.start) {
                from += 1;
            }
            let cited = claim.markers.iter().flat_map(|marker| &self.read.resolved[marker.0 as usize]);
            let cited = sorted(cited.filter_map(|source| in_draft(&self.read, draft, *source)));
            if claim.kind != ClaimKind::Todo
                && let Some(leaf) = leaves.back_from(span.start).next()
            {
                read.entry(leaf).or_default().push((without_mark(&claim.text).into_owned(), cited));
            }
            let own = draft.claims[from..].iter().take_while(|own| own.span.start < span.end).count();
            if matches!(decision.action, Action::Keep | Action::Cite | Action::Recite) {
                let notes: Vec<Note> = decision.notes.iter().chain(&decision.remarks).cloned().collect();
                if let Some(i) = (from..from + own).find(|i| !decisions[*i].action.removes()) {
                    let more = decision.sources.iter().filter_map(|source| in_draft(&self.read, draft, *source));
                    let words = draft.document.slice(draft.claims[i].span);
                    let is_new =
                        |source: &SourceId| !decisions[i].sources.contains(source) && shows(draft, *source, words);
                    unsettled.cited.extend(more.filter(is_new).map(|source| (i, source)));
                    if notes.iter().any(|note| !decisions[i].notes.contains(note)) {
                        unsettled.notes.push((i, notes));
                    }
                }
                continue;
            }
            for (i, held) in decisions.iter().enumerate().skip(from).take(own) {
                let stays = !held.action.removes() && held.action != Action::Mark;
                if stays && held.sources.is_empty() {
                    unsettled.decisions.push((i, decision.clone()));
                }
            }
        }
        let mut meant: HashMap<BlockId, Vec<Meaning>> = HashMap::new();
        for (claim, decision) in draft.claims.iter().zip(decisions) {
            if decision.action.removes() {
                continue;
            }
            let sources = sorted(decision.sources.iter().copied());
            meant.entry(claim.block).or_default().push((without_mark(&claim.text).into_owned(), sources));
        }
        let is_misread = |(leaf, read): &(&BlockId, &Vec<Meaning>)| meant.get(leaf).is_some_and(|meant| meant != *read);
        unsettled.misread.extend(read.iter().filter(is_misread).map(|(leaf, _)| *leaf));
        let mut places = Places::new(self.first);
        for edit in &self.edits {
            unsettled.edited.extend(leaves.back_from(places.in_draft(edit.span.start)).next());
        }
        unsettled.edited.extend(&unsettled.misread);
        unsettled.edited.dedup();
        unsettled
    }
}

/// The draft's number of a source of the brief.
fn in_draft(brief: &Read, draft: &Read, source: SourceId) -> Option<SourceId> {
    draft.registry.counterpart(brief.registry.get(source))
}

/// The words of each claim of the draft, as the brief has them, with each source that was asked about them.
fn pairs_in<'d>(draft: &'d Read, assessment: &'d Assessment) -> HashSet<(SourceId, Cow<'d, str>)> {
    let asked = assessment.verdicts.keys();
    asked.map(|(i, source)| (*source, without_mark(&draft.claims[*i].text))).collect()
}

/// Whether an address of a source stands in `words`.
fn shows(draft: &Read, source: SourceId, words: &str) -> bool {
    draft.registry.get(source).addresses().any(|address| words.contains(address))
}

fn sorted(sources: impl Iterator<Item = SourceId>) -> Vec<SourceId> {
    let mut sources: Vec<SourceId> = sources.collect();
    sources.sort_unstable();
    sources.dedup();
    sources
}
