//! What a second run would still change: a removal can make two remains one sentence, or leave a picture alone.
//!
//! Claims of the brief that are not claims of the draft, word for word, are decided as a second run would decide them, and
//! the draft's claims that they consist of take over that decision. So a second run finds nothing to do.

use std::collections::HashMap;

use super::ask::Answers;
use super::gather::{self, Gathered};
use super::{Input, Options, anchor, weigh};
use crate::decide::{Action, Decision, Edit};
use crate::text::Span;

/// The decisions that change, by claim of the draft. Only claims that stay without a citation of their own are changed.
pub(super) fn unsettled(
    gathered: &Gathered,
    decisions: &[Decision],
    asked: (&Answers, &HashMap<String, bool>),
    brief: &Input,
    research: &[Input],
    edits: &[Edit],
    options: &Options,
) -> Vec<(usize, Decision)> {
    let Ok(mut again) = gather::gather(brief, research, options.clauses) else { return Vec::new() };
    let anchors = anchor(&mut again);
    let (answers, links) = asked;
    let mut known = Answers::default();
    for (id, source) in again.registry.iter() {
        let mut addresses = source.address.iter().chain(&source.aliases);
        let before = addresses.find_map(|address| gathered.registry.by_address(address));
        if let Some(answer) = before.and_then(|before| answers.get(&gathered.registry.resolve(before))) {
            known.insert(id, answer.clone());
        }
    }
    // What sources say was weighed in the first round; here it only counts what stands alone now.
    let options = Options { support: false, ..options.clone() };
    let bearings = weigh::bearings(&again, &anchors);
    let weighed = weigh::weigh(&again, &bearings, &known, links, &options);
    let mut changed = Vec::new();
    let mut from = 0;
    let mut place = Places::new(edits);
    for (claim, decision) in again.claims.iter().zip(weighed.decisions) {
        let span = Span::new(place.in_draft(claim.span.start), place.in_draft(claim.span.end));
        while gathered.claims.get(from).is_some_and(|own| own.span.end <= span.start) {
            from += 1;
        }
        if matches!(decision.action, Action::Keep | Action::Cite | Action::Recite) {
            continue;
        }
        let own = gathered.claims[from..].iter().take_while(|own| own.span.start < span.end).count();
        for (i, held) in decisions.iter().enumerate().skip(from).take(own) {
            let stays = !held.action.removes() && held.action != Action::Mark;
            if stays && held.sources.is_empty() {
                changed.push((i, decision.clone()));
            }
        }
    }
    changed
}

/// Places of the brief in the draft, asked in order.
struct Places<'a> {
    edits: &'a [Edit],
    /// The end of the last edit passed, in the brief and in the draft.
    written: usize,
    kept: usize,
}

impl<'a> Places<'a> {
    fn new(edits: &'a [Edit]) -> Self {
        Places { edits, written: 0, kept: 0 }
    }

    /// The place in the draft of a place in the brief; inside what was written, the place of the edit.
    fn in_draft(&mut self, at: usize) -> usize {
        while let [edit, rest @ ..] = self.edits {
            let start = self.written + edit.span.start.saturating_sub(self.kept);
            if at < start {
                break;
            }
            let end = start + edit.replacement.len();
            if at < end {
                return edit.span.start;
            }
            self.edits = rest;
            self.written = end;
            self.kept = edit.span.end;
        }
        self.kept + at.saturating_sub(self.written)
    }
}
