//! What goes with the claims that go: sentences that lean on them, items, rows, lists, tables, quotes, footnotes,
//! introductions and headings that nothing is left of. What was empty before stays.
//!
//! One pass from the last block to the first: when a block is looked at, everything in it and after it is settled.

use std::collections::HashMap;

use super::note::Note;
use super::policy::{Action, Decision, Shortfall};
use crate::citation::quoted::signs_a_quote;
use crate::claim::{Claim, ClaimPosition, footnote_around};
use crate::markdown::{BlockId, BlockKind, Document, InlineKind};
use cited_text::quantity::quantities;

/// Why a claim goes that leans on one that goes.
const DEPENDS: &str = "depends on a removed claim";

/// The document after the decisions: which blocks go.
#[derive(Debug)]
pub struct Holes {
    /// Whether a block goes as a whole.
    going: Vec<bool>,
    /// Whether a block goes, or one that it stands in: asked of every block, and blocks stand deep.
    gone: Vec<bool>,
}

impl Holes {
    fn new(document: &Document, going: Vec<bool>) -> Self {
        let mut gone: Vec<bool> = Vec::with_capacity(going.len());
        for ((_, block), goes) in document.blocks().zip(&going) {
            gone.push(*goes || block.parent.is_some_and(|parent| gone[parent.index()]));
        }
        Holes { going, gone }
    }

    /// The same, but that `blocks` stay, and what they stand in.
    pub(super) fn keep_blocks(self, document: &Document, blocks: &[BlockId]) -> Self {
        let mut going = self.going;
        let mut kept = vec![false; going.len()];
        for block in blocks {
            for own in std::iter::once(*block).chain(document.ancestors(*block)) {
                if std::mem::replace(&mut kept[own.index()], true) {
                    break;
                }
                going[own.index()] = false;
            }
        }
        Holes::new(document, going)
    }

    /// Whether the block goes, by itself or with one that it stands in.
    pub fn is_gone(&self, block: BlockId) -> bool {
        self.gone[block.index()]
    }

    /// Whether the block goes as a whole.
    pub fn goes(&self, block: BlockId) -> bool {
        self.going[block.index()]
    }
}

/// The claims of each leaf, as a range of positions. Claims are in document order, so a leaf's stand together.
pub(super) struct ByLeaf(Vec<std::ops::Range<usize>>);

impl ByLeaf {
    pub(super) fn new(claims: &[Claim]) -> Self {
        let blocks = claims.iter().map(|claim| claim.block.index() + 1).max().unwrap_or(0);
        let mut ranges = vec![0..0; blocks];
        for (i, claim) in claims.iter().enumerate() {
            let range = &mut ranges[claim.block.index()];
            *range = if range.start == range.end { i..i + 1 } else { range.start..i + 1 };
        }
        ByLeaf(ranges)
    }

    pub(super) fn claims_in(&self, leaf: BlockId) -> std::ops::Range<usize> {
        self.0.get(leaf.index()).cloned().unwrap_or(0..0)
    }
}

/// Extends `decisions` to what goes with the claims that go, and says which blocks go.
///
/// `fixed` are blocks that are not the document's own prose and stay: the source list, our own sections. They are no
/// content of the section that they stand in. `leaving` are blocks that go anyhow: source lists that move.
pub(super) fn mend(
    document: &Document,
    (claims, by_leaf): (&[Claim], &ByLeaf),
    decisions: &mut [Decision],
    fixed: &[BlockId],
    leaving: &[BlockId],
) -> Holes {
    let mut is_fixed = vec![false; document.blocks().len()];
    for block in fixed {
        is_fixed[block.index()] = true;
    }
    let mut going = vec![false; is_fixed.len()];
    for block in leaving {
        going[block.index()] = true;
    }
    let mut mender = Mender { document, claims, by_leaf, is_fixed, going };
    mender.drop_orphaned_footnotes(decisions);
    for (id, _) in document.blocks().rev() {
        if !mender.is_fixed[id.index()] {
            mender.settle(id, decisions);
        }
    }
    Holes::new(document, mender.going)
}

struct Mender<'a> {
    document: &'a Document,
    claims: &'a [Claim],
    by_leaf: &'a ByLeaf,
    is_fixed: Vec<bool>,
    going: Vec<bool>,
}

impl Mender<'_> {
    fn settle(&mut self, id: BlockId, decisions: &mut [Decision]) {
        let block = self.document.block(id);
        if block.kind == BlockKind::Quote {
            self.drop_attribution(id, decisions);
        }
        let goes = match &block.kind {
            BlockKind::Paragraph => {
                self.drop_leaning(id, decisions);
                self.drop_caption(id, decisions);
                self.is_emptied(id, decisions)
            }
            BlockKind::Heading(level) => self.heads_nothing(id, *level),
            BlockKind::TableCell => {
                self.drop_leaning(id, decisions);
                false
            }
            BlockKind::TableRow => self.row_goes(id, decisions),
            BlockKind::Table => {
                // A table whose body rows all go; one that never had any stays.
                let rows = || block.children.iter().filter(|c| self.document.block(**c).kind == BlockKind::TableRow);
                rows().next().is_some() && rows().all(|row| self.goes(*row))
            }
            BlockKind::Quote | BlockKind::List(_) | BlockKind::Item | BlockKind::FootnoteDefinition(_) => {
                !block.children.is_empty() && block.children.iter().all(|child| self.goes(*child))
            }
            _ => false,
        };
        if !goes && matches!(block.kind, BlockKind::List(_)) {
            self.tell_of_a_count(id, decisions);
        }
        if goes {
            self.going[id.index()] = true;
            if matches!(block.kind, BlockKind::List(_) | BlockKind::Table | BlockKind::Quote) {
                self.drop_introduction(id, decisions);
            }
        }
    }

    /// The sentence that introduces a list by the number of its items, *Three costs recur:*, is noted when fewer of them stay.
    fn tell_of_a_count(&self, list: BlockId, decisions: &mut [Decision]) {
        let items = &self.document.block(list).children;
        let left = items.iter().filter(|item| !self.goes(**item)).count();
        let (Some(last), _) = introductions(self.document, self.claims, self.by_leaf, list) else { return };
        let says_all =
            || quantities(&self.claims[last].text).iter().any(|said| (said.value - items.len() as f64).abs() < 0.5);
        if left < items.len() && !decisions[last].action.removes() && says_all() {
            let stay = if left == 1 { "stays" } else { "stay" };
            decisions[last].note_once(Note::Other(format!("introduces {} items, of which {left} {stay}", items.len())));
        }
    }

    /// What a footnote says goes with the last sentence that refers to it: nobody would see it any more.
    fn drop_orphaned_footnotes(&mut self, decisions: &mut [Decision]) {
        let mut referred: HashMap<&str, bool> = HashMap::new();
        for (leaf, _) in self.document.leaves() {
            self.drop_leaning(leaf, decisions);
            let own = footnote_around(self.document, leaf);
            for inline in self.document.inlines(leaf) {
                let InlineKind::FootnoteReference(label) = &inline.kind else { continue };
                // A note that refers to itself is not read for that.
                if own == Some(&**label) {
                    continue;
                }
                let goes = self
                    .by_leaf
                    .claims_in(leaf)
                    .any(|i| self.claims[i].span.contains(inline.span) && decisions[i].action == Action::Drop);
                *referred.entry(label).or_default() |= !goes;
            }
        }
        for (id, block) in self.document.blocks() {
            let BlockKind::FootnoteDefinition(label) = &block.kind else { continue };
            if self.is_fixed[id.index()] || referred.get(&**label) != Some(&false) {
                continue;
            }
            let first = self.claims.partition_point(|claim| claim.span.start < block.span.start);
            let inside = |i: &usize| self.claims[*i].span.start < block.span.end;
            for i in (first..self.claims.len()).take_while(inside) {
                decisions[i].drop_too(Shortfall::Depends, DEPENDS);
            }
            self.going[id.index()] = true;
        }
    }

    fn goes(&self, id: BlockId) -> bool {
        self.going[id.index()]
    }

    /// Sentences that lean on one that goes, go too, unless they have a live citation of their own. One that a source carries stays, too,
    /// where what both lean on stays: *It employs 12 people* behind *It received 40 ships*. A part of a sentence that leans on
    /// another (*…, which is more*) goes with it whatever it cites.
    fn drop_leaning(&self, leaf: BlockId, decisions: &mut [Decision]) {
        let mut after_removed = false;
        let mut whole_removed = false;
        let mut antecedent_removed = false;
        for i in self.by_leaf.claims_in(leaf) {
            let (claim, decision) = (&self.claims[i], &mut decisions[i]);
            if claim.position == ClaimPosition::Figure {
                continue;
            }
            let is_part = claim.continues && claim.dangling;
            if is_part && whole_removed {
                decision.drop_too(Shortfall::Depends, DEPENDS);
            }
            if after_removed && claim.dangling && !is_part && !decision.action.removes() {
                // One that is marked has lost a citation that is live, and says other than it.
                let cites = !decision.sources.is_empty()
                    || decision.carried && !antecedent_removed
                    || decision.action == Action::Mark && decision.shortfall != Some(Shortfall::Dead);
                if !cites && !claim.introduces && !decision.held {
                    decision.drop_too(Shortfall::Depends, DEPENDS);
                } else {
                    decision.note_once(Note::Leans);
                }
            }
            after_removed = decision.action.removes();
            if !claim.dangling {
                antecedent_removed = after_removed;
            }
            if !is_part {
                whole_removed = after_removed;
            }
        }
        self.drop_label(leaf, decisions);
    }

    /// A bold label goes with all that it stands before: `**Rotterdam.** The port retrained workers.`
    fn drop_label(&self, leaf: BlockId, decisions: &mut [Decision]) {
        let range = self.by_leaf.claims_in(leaf);
        if !is_label(self.document, self.claims, leaf, &range) {
            return;
        }
        let (first, mut others) = (range.start, range.start + 1..range.end);
        let stays = decisions[first].held || !decisions[first].sources.is_empty();
        if !stays && others.all(|i| decisions[i].action.removes()) {
            decisions[first] = Decision::drop(Shortfall::Depends, DEPENDS);
        }
    }

    /// A leaf whose claims all go, with at least one, and with no picture left.
    fn is_emptied(&self, leaf: BlockId, decisions: &[Decision]) -> bool {
        let claims = self.by_leaf.claims_in(leaf);
        if claims.is_empty() {
            return false;
        }
        let left = claims.clone().any(|i| decisions[i].action != super::Action::Drop);
        let claimed = |span| claims.clone().any(|i| self.claims[i].span.contains(span));
        let pictures = self.document.inlines(leaf).iter().filter(|inline| matches!(inline.kind, InlineKind::Image(_)));
        !left && pictures.into_iter().all(|picture| claimed(picture.span))
    }

    /// A row that lost a claim and has nothing left but its label.
    fn row_goes(&self, row: BlockId, decisions: &[Decision]) -> bool {
        let mut lost = false;
        for (column, &cell) in self.document.block(row).children.iter().enumerate() {
            let claims = self.by_leaf.claims_in(cell);
            let all_go = !claims.is_empty() && claims.clone().all(|i| decisions[i].action == super::Action::Drop);
            lost |= all_go;
            // A label that states something, or stands on a source of its own, is more than a label.
            let says_more = |i: usize| {
                let kept = !decisions[i].action.removes();
                kept && (self.claims[i].position == ClaimPosition::Cell || !decisions[i].sources.is_empty())
            };
            if column == 0 && claims.clone().any(says_more) {
                return false;
            }
            if column > 0 && !all_go && !claims.is_empty() {
                return false;
            }
        }
        lost
    }

    /// The sentence that introduces a list, table or quote that goes, and a table's caption, go with it.
    fn drop_introduction(&mut self, id: BlockId, decisions: &mut [Decision]) {
        let what = match self.document.block(id).kind {
            BlockKind::Table => "table",
            BlockKind::Quote => "quote",
            _ => "list",
        };
        let (sentence, captions) = introductions(self.document, self.claims, self.by_leaf, id);
        sentence.into_iter().for_each(|i| Self::drop_with(i, what, decisions));
        for caption in captions {
            self.by_leaf.claims_in(caption).for_each(|i| Self::drop_with(i, what, decisions));
            if self.is_emptied(caption, decisions) {
                self.going[caption.index()] = true;
            }
        }
    }

    /// Who was quoted goes with the quotation: *— the fire chief*, unless the line has a source of its own that holds.
    fn drop_attribution(&mut self, quote: BlockId, decisions: &mut [Decision]) {
        let Some((last, others)) = self.document.block(quote).children.split_last() else { return };
        let claims = self.by_leaf.claims_in(*last);
        let quoted_goes = !others.is_empty() && others.iter().all(|child| self.goes(*child));
        if !quoted_goes
            || self.goes(*last)
            || claims.clone().any(|i| !decisions[i].sources.is_empty() || decisions[i].held)
        {
            return;
        }
        if !signs_a_quote(self.document.slice(self.document.content_span(*last))) {
            return;
        }
        claims.for_each(|i| decisions[i].drop_too(Shortfall::Depends, "names who said what was removed"));
        self.going[last.index()] = true;
    }

    /// The caption below a picture goes with it.
    fn drop_caption(&mut self, picture: BlockId, decisions: &mut [Decision]) {
        let claims = self.by_leaf.claims_in(picture);
        let is_task =
            |i: usize| self.claims[i].position == ClaimPosition::Figure && decisions[i].action == Action::Todo;
        if claims.is_empty() || !claims.clone().all(is_task) {
            return;
        }
        let Some(below) = self.document.neighbours(picture).1.first() else { return };
        let caption = self.by_leaf.claims_in(*below);
        if !caption.clone().next().is_some_and(|first| self.claims[first].captions) {
            return;
        }
        caption.for_each(|i| decisions[i].drop_too(Shortfall::Introduces, "captions a figure that was removed"));
        if self.is_emptied(*below, decisions) {
            self.going[below.index()] = true;
        }
    }

    fn drop_with(i: usize, what: &str, decisions: &mut [Decision]) {
        if decisions[i].action.removes() {
            return;
        }
        if decisions[i].sources.is_empty() && !decisions[i].held {
            decisions[i].drop_too(Shortfall::Introduces, format!("introduces a {what} that was removed"));
        } else {
            decisions[i].note_once(Note::Other(format!("introduced a {what} that was removed")));
        }
    }

    /// A heading over a section that had content, lost some of it, and has none left. The title of the document, its
    /// first block, stays.
    fn heads_nothing(&mut self, id: BlockId, level: u8) -> bool {
        let (before, behind) = self.document.neighbours(id);
        let is_title = level == 1 && before.iter().all(|b| self.document.block(*b).kind == BlockKind::Metadata);
        if is_title {
            return false;
        }
        let kind = |block: BlockId| &self.document.block(block).kind;
        let section = || {
            let below = behind.iter().copied();
            let below = below.take_while(|block| !matches!(kind(*block), BlockKind::Heading(other) if *other <= level));
            below.filter(|block| !self.is_fixed[block.index()])
        };
        let mut content = section().filter(|block| *kind(*block) != BlockKind::Rule).peekable();
        if content.peek().is_none() || !content.all(|block| self.goes(block)) {
            return false;
        }
        // A rule at the end that stands before a heading of a higher level ends what is around the section, too.
        let next = behind.iter().find_map(|block| match kind(*block) {
            BlockKind::Heading(other) if *other <= level => Some(*other),
            _ => None,
        });
        let is_ruled = before.last().is_some_and(|before| *kind(*before) == BlockKind::Rule);
        let last = section().last().filter(|_| !is_ruled && next.is_some_and(|next| next < level));
        let is_own = |block: &BlockId| *kind(*block) == BlockKind::Rule && last != Some(*block);
        let rules: Vec<BlockId> = section().filter(is_own).collect();
        for rule in rules {
            self.going[rule.index()] = true;
        }
        true
    }
}

/// What says what a list, table or quote is: the sentence that introduces it, and the captions of a table.
pub(super) fn introductions(
    document: &Document,
    claims: &[Claim],
    by_leaf: &ByLeaf,
    id: BlockId,
) -> (Option<usize>, Vec<BlockId>) {
    let (above, below) = document.neighbours(id);
    let is_table = document.block(id).kind == BlockKind::Table;
    let is_caption =
        |leaf: &BlockId| is_table && by_leaf.claims_in(*leaf).next().is_some_and(|first| claims[first].captions);
    let mut above = above.iter().rev().copied();
    let before = above.next();
    // A caption may stand between.
    let over = before.filter(is_caption).and_then(|_| above.next()).or(before);
    let last = over.and_then(|leaf| by_leaf.claims_in(leaf).next_back());
    let captions = before.into_iter().chain(below.first().copied()).filter(is_caption);
    (last.filter(|last| claims[*last].introduces), captions.collect())
}

/// Whether the first of the claims of a leaf is a bold label before others: `**Rotterdam.** The port retrained workers.`
pub(super) fn is_label(document: &Document, claims: &[Claim], leaf: BlockId, of_leaf: &std::ops::Range<usize>) -> bool {
    // Above items of its own it heads them.
    let item = document.block(leaf).parent.map(|parent| document.block(parent));
    if of_leaf.len() < 2 || item.is_some_and(|item| item.kind == BlockKind::Item && item.children.len() > 1) {
        return false;
    }
    let written = document.slice(claims[of_leaf.start].span);
    let inner = written.strip_prefix("**").and_then(|inner| inner.strip_suffix("**"));
    inner.is_some_and(|inner| !inner.contains("**"))
}
