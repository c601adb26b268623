//! What goes with the claims that go: sentences that lean on them, items, rows, lists, tables, quotes, footnotes,
//! introductions and headings that nothing is left of. What was empty before stays.
//!
//! Ties are pulled, and blocks looked at from the last to the first, until nothing more goes.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::hanging::{HangKind, On, Tie, claims_in, ties};
use super::plan::{Care, Manner, Plan};
use super::policy::{Action, Decision};
use crate::citation::SourceList;
use crate::citation::quoted::signs_a_quote;
use crate::claim::{Claim, ClaimPosition, footnote_around};
use crate::finding::Code;
use crate::markdown::{BlockId, BlockKind, Document, Inline, InlineKind};
use cited_text::{Span, Spans};

/// The document after the decisions.
#[derive(Debug, Default)]
pub struct Holes {
    /// For each block whether it goes.
    gone: Vec<bool>,
    /// The list that stays where it is, as a position in `Citations::lists`: the last one, when only lists follow it.
    pub home: Option<usize>,
}

impl Holes {
    /// Whether the block goes, by itself or with one that it stands in.
    pub fn is_gone(&self, block: BlockId) -> bool {
        self.gone[block.index()]
    }
}

/// Extends `decisions` to what goes with the claims that go, and says which blocks go.
///
/// Blocks that are not the document's own prose stay, as the source list and our own sections do, or go anyhow, as source lists that move.
/// They are no content of the section that they stand in. With a sign in its place a block does not go.
pub(super) fn mend(plan: &Plan<'_>, owners: &[Option<usize>], decisions: &mut [Decision], manner: &Manner) -> Holes {
    let &Plan { document, claims, citations, .. } = plan;
    let held = document.leaves().map(|(leaf, _)| leaf).filter(|leaf| manner.care_in(*leaf) == Care::Held);
    let mut is_held = HashSet::new();
    for leaf in held {
        // What is around a block that is held is known.
        let _ = std::iter::once(leaf).chain(document.ancestors(leaf)).all(|block| is_held.insert(block));
    }
    let ties = ties(document, claims);
    let parts: Vec<Vec<Span>> = citations.lists.iter().map(|list| list.parts(document)).collect();
    let all: Spans = parts.iter().flatten().copied().collect();
    let stays = |last: &usize| stays_last(document, &citations.lists[*last], &parts[*last], &all);
    let home = citations.lists.len().checked_sub(1).filter(|last| !manner.list_moves && stays(last));
    let at_home = home.iter().flat_map(|home| &parts[*home]);
    let fixed: Spans = citations.own_sections.iter().chain(at_home).copied().collect();
    // What shows nothing right before a list, as the last cells of a row do, is no part of it.
    let is_in = |span: Span, of: &Spans| of.contain(span) && of.overlap(span);
    let blocks = document.blocks().map(|(id, _)| document.content_span(id));
    let blocks = blocks.map(|span| (is_in(span, &fixed), is_in(span, &all)));
    let (is_fixed, going) = blocks.map(|(stays, goes)| (stays, goes && !stays)).unzip();
    let mut mender = Mender { plan, owners, referring: referring(document, claims), is_fixed, going };
    loop {
        let mut goes_on = false;
        for tie in &ties {
            goes_on |= mender.pull(tie, decisions);
        }
        for (id, _) in document.blocks().rev() {
            let stays = is_held.contains(&id) || mender.is_fixed[id.index()];
            if !stays && !mender.going[id.index()] && mender.is_left_empty(id, decisions) {
                mender.going[id.index()] = true;
                goes_on = true;
            }
        }
        if !goes_on {
            break;
        }
    }
    let mut gone = mender.going;
    for (id, block) in document.blocks() {
        gone[id.index()] |= block.parent.is_some_and(|parent| gone[parent.index()]);
    }
    Holes { gone, home }
}

/// Whether a list of these parts stays where it is: nothing but lists, of which these are `all` parts, comes after its first entry, and its lines
/// are its own. Those of a quotation begin with its sign.
fn stays_last(document: &Document, list: &SourceList, parts: &[Span], all: &Spans) -> bool {
    let quoted = |id: &BlockId| document.ancestors(*id).any(|above| document.block(above).kind == BlockKind::Quote);
    // Whether all inlines of a leaf that show something lie in its parts: a heading line and entries in one paragraph.
    let shares = |leaf: BlockId| {
        document.inlines(leaf).iter().all(|inline| {
            let is_break = matches!(inline.kind, InlineKind::SoftBreak | InlineKind::HardBreak);
            let shown = document.slice(inline.span).trim();
            is_break || shown.is_empty() || parts.iter().any(|part| part.overlaps(inline.span))
        })
    };
    let below = document.blocks().filter(|(_, block)| block.children.is_empty() && block.span.end > list.span.start);
    !list.blocks.iter().any(quoted)
        && !list.span.is_empty()
        && below.into_iter().all(|(leaf, _)| all.contain(document.content_span(leaf)) || shares(leaf))
}

/// The claims that refer to each footnote; none for a reference that stands in no claim. A note that refers to itself is not read for that.
fn referring<'d>(document: &'d Document, claims: &[Claim]) -> HashMap<&'d str, Vec<Option<usize>>> {
    let mut referring: HashMap<&str, Vec<Option<usize>>> = HashMap::new();
    for (leaf, _) in document.leaves() {
        let own = footnote_around(document, leaf);
        for inline in document.inlines(leaf) {
            if let InlineKind::FootnoteReference(label) = &inline.kind
                && own != Some(&**label)
            {
                let by = claims_in(claims, leaf).find(|i| claims[*i].span.contains(inline.span));
                referring.entry(label).or_default().push(by);
            }
        }
    }
    referring
}

struct Mender<'a> {
    plan: &'a Plan<'a>,
    /// The position of the claim of each marker.
    owners: &'a [Option<usize>],
    referring: HashMap<&'a str, Vec<Option<usize>>>,
    is_fixed: Vec<bool>,
    going: Vec<bool>,
}

impl Mender<'_> {
    /// Drops a claim of which all that it hangs on goes, or notes that it stays; says whether it was dropped.
    ///
    /// What leans on a sentence stays with a live citation of its own. One that a source carries stays, too, where what both lean on stays:
    /// *It employs 12 people* behind *It received 40 ships*. A part of a sentence that leans on another (*…, which is more*) goes with it
    /// whatever it cites.
    fn pull(&self, tie: &Tie, decisions: &mut [Decision]) -> bool {
        let goes = |i: usize| decisions[i].action.removes();
        let is_pulled = match &tie.on {
            On::Claims(claims) => claims.clone().all(goes),
            On::Blocks(blocks) => blocks.iter().all(|block| self.going[block.index()]),
        };
        if !is_pulled || goes(tie.claim) {
            return false;
        }
        let antecedent_goes = tie.antecedent.is_some_and(goes);
        let decision = &mut decisions[tie.claim];
        // One that is marked has lost a citation that is live, and says other than it.
        let disputed = decision.action == Action::Mark && decision.shortfall != Some(Code::DeadSource);
        let cites = !decision.sources.is_empty();
        let stays = match tie.how {
            HangKind::Continues => false,
            HangKind::Introduces => cites,
            HangKind::Leans => {
                cites || disputed || decision.carried && !antecedent_goes || self.plan.claims[tie.claim].introduces
            }
        };
        if stays || decision.held {
            tie.note.iter().for_each(|note| decision.note_once(note.clone()));
            return false;
        }
        *decision = Decision::drop(Code::DanglingOpener, tie.reason.clone());
        true
    }

    /// Whether nothing is left of a block that stands.
    fn is_left_empty(&mut self, id: BlockId, decisions: &[Decision]) -> bool {
        let block = self.plan.document.block(id);
        let all_go = |blocks: &[BlockId]| !blocks.is_empty() && blocks.iter().all(|block| self.going[block.index()]);
        match &block.kind {
            BlockKind::Paragraph if claims_in(self.plan.claims, id).is_empty() => self.cites_nothing(id, decisions),
            // A leaf whose claims all go, with at least one, and with no picture left.
            BlockKind::Paragraph => {
                let claims = claims_in(self.plan.claims, id);
                let is_left = |inline: &Inline| {
                    let is_picture = matches!(inline.kind, InlineKind::Image(_));
                    is_picture && !claims.clone().any(|i| self.plan.claims[i].span.contains(inline.span))
                };
                all_drop(&claims, decisions) && !self.plan.document.inlines(id).iter().any(is_left)
            }
            BlockKind::Heading(level) => self.heads_nothing(id, *level),
            BlockKind::TableRow => self.row_goes(id, decisions),
            BlockKind::Table => {
                // A table whose body rows all go; one that never had any stays.
                let rows = block.children.iter().filter(|c| self.plan.document.block(**c).kind == BlockKind::TableRow);
                all_go(&rows.copied().collect::<Vec<_>>())
            }
            // What a footnote says goes with the last sentence that refers to it: nobody would see it any more.
            BlockKind::FootnoteDefinition(label) => {
                let goes = |by: &Option<usize>| by.is_some_and(|i| decisions[i].action == Action::Drop);
                all_go(&block.children) || self.referring.get(&**label).is_some_and(|by| by.iter().all(goes))
            }
            // Who was quoted is nothing that stays without the quotation.
            BlockKind::Quote => block.children.split_last().is_some_and(|(last, others)| {
                let signs = || signs_a_quote(self.plan.document.slice(self.plan.document.content_span(*last)));
                let says = || claims_in(self.plan.claims, *last).any(|i| !decisions[i].action.removes());
                all_go(&block.children) || all_go(others) && signs() && !says()
            }),
            BlockKind::List(_) | BlockKind::Item => all_go(&block.children),
            _ => false,
        }
    }

    /// Whether a leaf holds only citations of which none is left.
    fn cites_nothing(&self, leaf: BlockId, decisions: &[Decision]) -> bool {
        let Plan { citations, resolved, .. } = self.plan;
        let first = citations.markers.partition_point(|marker| marker.block < leaf);
        let own = citations.markers[first..].iter().take_while(|marker| marker.block == leaf).count();
        // Whether a source stays cited at a marker, by its claim's decision.
        let cites = |at: usize| {
            let kept = self.owners[at].map(|claim| &decisions[claim].sources);
            resolved[at].iter().any(|source| kept.is_none_or(|kept| kept.contains(source)))
        };
        own > 0 && !(first..first + own).any(cites)
    }

    /// A row that lost a claim and has nothing left but its label. One that states something, or stands on a source of its own, is more than
    /// a label.
    fn row_goes(&self, row: BlockId, decisions: &[Decision]) -> bool {
        let says_more = |i: usize| {
            let kept = !decisions[i].action.removes();
            kept && (self.plan.claims[i].position == ClaimPosition::Cell || !decisions[i].sources.is_empty())
        };
        let mut lost = false;
        for (column, &cell) in self.plan.document.block(row).children.iter().enumerate() {
            let mut claims = claims_in(self.plan.claims, cell);
            let all_go = all_drop(&claims, decisions);
            lost |= all_go;
            let stays = if column == 0 { claims.any(says_more) } else { !all_go && !claims.is_empty() };
            if stays {
                return false;
            }
        }
        lost
    }

    /// A heading over a section that had content, lost some of it, and has none left. The title of the document, its
    /// first block, stays.
    fn heads_nothing(&mut self, id: BlockId, level: u8) -> bool {
        let kind = |block: BlockId| &self.plan.document.block(block).kind;
        let (before, behind) = self.plan.document.neighbours(id);
        if level == 1 && before.iter().all(|block| *kind(*block) == BlockKind::Metadata) {
            return false;
        }
        let ends = |block: &BlockId| matches!(kind(*block), BlockKind::Heading(other) if *other <= level);
        let section = || behind.iter().take_while(|block| !ends(block)).filter(|block| !self.is_fixed[block.index()]);
        let is_rule = |block: &&BlockId| *kind(**block) == BlockKind::Rule;
        let mut content = section().filter(|block| !is_rule(block)).peekable();
        if content.peek().is_none() || !content.all(|block| self.going[block.index()]) {
            return false;
        }
        // A rule at the end that stands before a heading of a higher level ends what is around the section, too.
        let next = behind.iter().find(|block| ends(block)).map(|next| kind(*next));
        let is_ruled = before.last().is_some_and(|before| is_rule(&before));
        let is_last_of_more = !is_ruled && matches!(next, Some(BlockKind::Heading(next)) if *next < level);
        let last = section().last().filter(|_| is_last_of_more);
        let rules: Vec<BlockId> = section().filter(is_rule).filter(|rule| last != Some(*rule)).copied().collect();
        rules.into_iter().for_each(|rule| self.going[rule.index()] = true);
        true
    }
}

/// Whether there are claims, and all of them go without a trace.
fn all_drop(claims: &Range<usize>, decisions: &[Decision]) -> bool {
    !claims.is_empty() && decisions[claims.clone()].iter().all(|decision| decision.action == Action::Drop)
}
