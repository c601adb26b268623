//! What stands where a claim was: nothing, the sign of an omission, a task.

use std::ops::Range;

use super::Writer;
use crate::citation::brackets;
use crate::claim::{ClaimId, ClaimPosition, OMISSION, TASK};
use crate::decide::edit::{Cause, Edit};
use crate::decide::hanging::claims_in;
use crate::decide::holes::Holes;
use crate::decide::plan::{Care, Plan};
use crate::decide::policy::Action;
use crate::decide::signs::is_stop;
use crate::markdown::{BlockId, BlockKind, InlineKind};
use crate::pattern::Pattern;
use cited_text::Span;

impl Writer<'_> {
    /// Takes out single claims of blocks that stay.
    pub(super) fn delete_claims(&mut self, holes: &Holes) {
        let document = self.plan.document;
        for (id, block) in document.leaves() {
            let range = claims_in(self.plan.claims, id);
            let stays = range.clone().all(|i| !self.decisions[i].action.removes());
            if stays || holes.is_gone(id) {
                continue;
            }
            let all_go = range.clone().all(|i| self.decisions[i].action == Action::Drop);
            if block.kind == BlockKind::TableCell && all_go {
                let edit = Edit::new(document.content_span(id), "—", Cause::ClaimRemoved);
                self.delete(Edit { claim_id: Some(ClaimId(range.start as u32)), ..edit });
                continue;
            }
            let is_held = self.manner.care_in(id) == Care::Held;
            for i in range.clone() {
                let edit = match self.decisions[i].action {
                    Action::Drop if is_held => Edit::new(self.plan.claims[i].span, OMISSION, Cause::ClaimRemoved),
                    Action::Todo => self.task(i),
                    _ => continue,
                };
                self.delete(Edit { claim_id: Some(ClaimId(i as u32)), ..edit });
            }
            if !is_held {
                self.delete_sentences(id, range);
            }
        }
    }

    /// A task in the place of a claim.
    fn task(&self, i: usize) -> Edit {
        let claim = &self.plan.claims[i];
        let (words, because) = if claim.position == ClaimPosition::Figure {
            (format!("TODO: add a sourced figure for “{}”.", quoted(&claim.text)), Cause::FigureReplaced)
        } else {
            (format!("{}{}”.", TASK, quoted(claim.text.trim_end().trim_end_matches(is_stop))), Cause::ClaimMarked)
        };
        let mut words = cited_text::escape::inline(&words).into_owned();
        if claim.position == ClaimPosition::Cell {
            words = words.replace('|', "\\|");
        }
        Edit::new(claim.span, words, because)
    }

    fn delete_sentences(&mut self, leaf: BlockId, range: Range<usize>) {
        let (Plan { document, claims, .. }, decisions) = (*self.plan, self.decisions);
        let (text, content) = (document.text(), document.content_span(leaf));
        // Whether anything that stays stands before the claim in its leaf.
        let first_inline = document.inlines(leaf).first();
        let has_box = first_inline.is_some_and(|inline| inline.kind == InlineKind::TaskBox);
        let first = claims[range.start].span.start;
        let mut kept_before = !has_box && first_inline.is_some_and(|inline| inline.span.end < first);
        // A backslash before its first sign is no part of what the reader of Markdown gives for a leaf.
        let mut from = content.start.min(first);
        for i in range.clone() {
            let mut span = claims[i].span;
            if decisions[i].action != Action::Drop {
                (kept_before, from) = (true, span.end);
                continue;
            }
            let next_kept = (i + 1..range.end).find(|j| decisions[*j].action != Action::Drop);
            if i == range.start
                && next_kept.is_some()
                && let Some(label) = self.label_of_more(span)
            {
                (span.start, from, kept_before) = (span.end - text[label..span.end].trim_start().len(), label, true);
            }
            let previous_end = if i > range.start { claims[i - 1].span.end } else { from };
            let next_start = if i + 1 < range.end { claims[i + 1].span.start } else { content.end.max(span.end) };
            // The gaps between it and what stands beside it.
            let (previous_end, next_start) = (previous_end.min(span.start), next_start.max(span.end));
            let gap = GAP_BEFORE.find(&text[previous_end..span.start]);
            let before = gap.map_or(span.start, |gap| previous_end + gap.start()).max(from);
            let after = span.end + GAP_BEHIND.find(&text[span.end..next_start]).map_or(0, |gap| gap.end());
            let cut = if let Some(cut) = self.clause_cut(&range, i) {
                let end = if cut.end == span.end && !kept_before { after } else { cut.end };
                Span::new(cut.start.max(from), end)
            } else {
                let (gap, behind) = (&text[before..span.start], &text[span.end..after]);
                // A line that ends for good before it still parts what stays, and one that goes on after it begins with what stays.
                let is_hard = !behind.is_empty() && (gap.starts_with("  ") || gap.starts_with(['\\', '<']));
                let starts = next_kept.is_some() && ends_a_line(gap) && (is_hard || !ends_a_line(behind));
                // One of the two gaps goes. Where the next sentence is glued on, the one before has to part it now.
                let glued = next_start == span.end && next_kept.is_some();
                if !kept_before || starts || before == span.start && !glued {
                    Span::new(span.start.max(from), after)
                } else {
                    Span::new(if glued { span.start } else { before }, span.end)
                }
            };
            from = cut.end;
            let claim_id = Some(ClaimId(i as u32));
            self.delete(Edit { claim_id, ..Edit::new(cut, "", Cause::ClaimRemoved) });
        }
    }

    /// The end of the label in emphasis that a leaf begins with, *\*\*Prices:\*\**, where its first sentence goes and others stay: it is theirs, too.
    fn label_of_more(&self, first: Span) -> Option<usize> {
        let (document, emphases) = (self.plan.document, &self.plan.document.emphases);
        let at = emphases.partition_point(|emphasis| emphasis.span.start < first.start);
        let label = emphases.get(at).filter(|emphasis| emphasis.span.start == first.start)?.span;
        let behind = &self.text()[label.end..first.end.max(label.end)];
        let colon = behind.chars().next().filter(|c| matches!(c, ':' | '：')).map_or(0, char::len_utf8);
        let is_label = colon > 0 || document.slice(label).trim_end_matches(['*', '_']).ends_with([':', '：']);
        (is_label && behind.len() > colon).then_some(label.end + colon)
    }

    /// The bytes that go with a clause of a sentence of which another clause stays: what joins it goes too, the stop of
    /// the sentence stays.
    fn clause_cut(&self, leaf: &Range<usize>, i: usize) -> Option<Span> {
        let claims = self.plan.claims;
        let stays = |j: usize| self.decisions[j].action != Action::Drop;
        let kept_before = (leaf.start..i).rev().take_while(|j| claims[j + 1].continues).any(stays);
        let kept_after = (i + 1..leaf.end).take_while(|j| claims[*j].continues).any(stays);
        match (kept_before, kept_after) {
            (true, _) => {
                let marker = claims[i].markers.last().map(|marker| self.plan.citations.marker(*marker).span.end);
                Some(Span::new(claims[i - 1].span.end, marker.unwrap_or(claims[i].span.end)))
            }
            (false, true) => Some(Span::new(claims[i].span.start, claims[i + 1].span.start)),
            (false, false) => claims[i].continues.then(|| Span::new(claims[i - 1].span.end, claims[i].span.end)),
        }
    }
}

/// What parts two sentences: white space, forced line ends, and the marks of a quote at the start of its lines.
const GAP: &str = r"(?:[\r\n][ \t>]*>|\\[\r\n]|(?i:<br[ /]*>)|\s)*";
static GAP_BEFORE: Pattern = Pattern::made(|| format!("{GAP}$"));
static GAP_BEHIND: Pattern = Pattern::made(|| format!("^{GAP}"));

/// Whether a line ends in what stands between two sentences.
fn ends_a_line(gap: &str) -> bool {
    gap.contains(['\n', '<'])
}

/// The words of a claim as they may stand between quotation marks: a closing mark inside would end the sentence, and an address or a number
/// in brackets of another kind than ours would be read as a citation.
fn quoted(text: &str) -> String {
    // An address would take in the mark behind it, and count as a citation.
    let text = text.replace("https://", "").replace("http://", "").replace('^', "");
    let plain = |c: char| match c {
        '“' => '‘',
        '”' => '’',
        c if brackets::opens(c) => '[',
        c if brackets::closes(c) => ']',
        c => c,
    };
    text.chars().map(plain).collect()
}
