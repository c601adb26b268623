//! What goes with what: for each claim the others, or the blocks, that take it along when all of them go.
//!
//! [`super::holes`] pulls the ties of decisions that are made; the record has them for who shows what a decision would do before a run has
//! made it.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::note::Note;
use super::policy::Decision;
use crate::citation::quoted::signs_a_quote;
use crate::claim::{Claim, ClaimId, ClaimPosition};
use crate::finding::Code;
use crate::markdown::{BlockId, BlockKind, Document};
use cited_text::Span;

/// Why a claim goes that leans on one that goes.
pub(super) const DEPENDS: &str = "depends on a removed claim";

/// How a claim hangs on others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum HangKind {
    /// Its words lean on the sentence before it.
    Leans,
    /// It is a clause of the sentence before it, or the caption of a picture, and goes whatever it cites.
    Continues,
    /// It says what stands below or beside it: the introduction of a list, a caption, a label, the name of who is quoted.
    Introduces,
}

/// The claims that take one along when all of them go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Hang {
    /// How it hangs on them.
    pub how: HangKind,
    /// Those claims.
    pub on: Vec<ClaimId>,
    /// Whether it stands on a citation of its own: then it stays, unless it is a clause.
    pub is_cited: bool,
    /// Whether they took it along in this run.
    pub fell: bool,
}

/// What takes a claim along.
pub(super) enum On {
    Claims(Range<usize>),
    Blocks(Vec<BlockId>),
}

/// That a claim goes when all that it hangs on goes.
pub(super) struct Tie {
    pub(super) claim: usize,
    pub(super) how: HangKind,
    pub(super) on: On,
    /// The last sentence before it that leans on none.
    pub(super) antecedent: Option<usize>,
    /// Why it goes.
    pub(super) reason: Cow<'static, str>,
    /// What is noted of it when it stays.
    pub(super) note: Option<Note>,
}

impl Tie {
    fn new(claim: usize, how: HangKind, on: On, reason: impl Into<Cow<'static, str>>) -> Tie {
        Tie { claim, how, on, antecedent: None, reason: reason.into(), note: None }
    }
}

/// For each claim what it hangs on, where it hangs on anything.
pub fn hanging(document: &Document, claims: &[Claim], decisions: &[Decision]) -> Vec<Option<Hang>> {
    let mut hangs = vec![None; claims.len()];
    for tie in ties(document, claims) {
        let on: Vec<usize> = match &tie.on {
            On::Claims(range) => range.clone().collect(),
            On::Blocks(on) => on.iter().flat_map(|block| inside(claims, document.block(*block).span)).collect(),
        };
        // What introduces something leans on nothing before it, and nothing hangs on itself.
        let leans = tie.how != HangKind::Leans || !claims[tie.claim].introduces;
        if !on.is_empty() && leans && !on.contains(&tie.claim) && hangs[tie.claim].is_none() {
            let Decision { sources, shortfall, .. } = &decisions[tie.claim];
            let on = on.into_iter().map(|i| ClaimId(i as u32)).collect();
            let fell = *shortfall == Some(Code::DanglingOpener);
            hangs[tie.claim] = Some(Hang { how: tie.how, on, is_cited: !sources.is_empty(), fell });
        }
    }
    hangs
}

/// Everything that a claim hangs on: first sentences on sentences, in order, then on blocks.
pub(super) fn ties(document: &Document, claims: &[Claim]) -> Vec<Tie> {
    let mut ties = Vec::new();
    for (leaf, _) in document.leaves() {
        let range = claims_in(claims, leaf);
        let (mut before, mut whole, mut antecedent) = (None, None, None);
        let is_figure = |i: &usize| claims[*i].position == ClaimPosition::Figure;
        for i in range.clone().filter(|i| !is_figure(i)) {
            let claim = &claims[i];
            let is_part = claim.continues && claim.dangling;
            let (how, on) = if is_part { (HangKind::Continues, whole) } else { (HangKind::Leans, before) };
            if let Some(on) = on.filter(|_| claim.dangling) {
                let told = "leans on a sentence that does not stay".to_owned();
                let note = (!is_part).then_some(Note::Told(Some(Code::DanglingOpener), told));
                ties.push(Tie { antecedent, note, ..Tie::new(i, how, On::Claims(on..on + 1), DEPENDS) });
            }
            before = Some(i);
            antecedent = if claim.dangling { antecedent } else { before };
            whole = if is_part { whole } else { before };
        }
        if is_label(document, claims, leaf, &range) {
            let rest = On::Claims(range.start + 1..range.end);
            ties.push(Tie::new(range.start, HangKind::Introduces, rest, DEPENDS));
        }
        // The caption below a picture.
        if !range.is_empty()
            && range.clone().all(|i| is_figure(&i))
            && let Some(below) = document.neighbours(leaf).1.first().map(|below| claims_in(claims, *below))
            && claims.get(below.start).is_some_and(|first| first.captions)
        {
            ties.extend(below.map(|i| {
                let reason = "captions a figure that was removed";
                Tie::new(i, HangKind::Continues, On::Claims(range.clone()), reason)
            }));
        }
    }
    for (id, block) in document.blocks() {
        let what = match block.kind {
            BlockKind::Table => "table",
            BlockKind::Quote => "quote",
            BlockKind::List(_) => "list",
            BlockKind::FootnoteDefinition(_) => {
                let inside = inside(claims, block.span);
                ties.extend(inside.map(|i| Tie::new(i, HangKind::Continues, On::Blocks(vec![id]), DEPENDS)));
                continue;
            }
            _ => continue,
        };
        // The sentence that introduces it, and the captions of a table, of which one may stand between.
        let first = |leaf: &BlockId| claims_in(claims, *leaf).next();
        let is_caption = |leaf: &BlockId| what == "table" && first(leaf).is_some_and(|first| claims[first].captions);
        let (above, below) = document.neighbours(id);
        let mut above = above.iter().rev().copied();
        let before = above.next();
        let over = before.filter(is_caption).and_then(|_| above.next()).or(before);
        let sentence = over.and_then(|leaf| claims_in(claims, leaf).next_back());
        let captions = before.into_iter().chain(below.first().copied()).filter(is_caption);
        let captions = captions.flat_map(|leaf| claims_in(claims, leaf));
        ties.extend(captions.chain(sentence.filter(|last| claims[*last].introduces)).map(|i| {
            let reason = format!("introduces a {what} that was removed");
            let note = Some(Note::Other(format!("introduced a {what} that was removed")));
            Tie { note, ..Tie::new(i, HangKind::Introduces, On::Blocks(vec![id]), reason) }
        }));
        // Who was quoted: *— the fire chief*.
        if let Some((name, quoted)) = block.children.split_last()
            && block.kind == BlockKind::Quote
            && !quoted.is_empty()
            && signs_a_quote(document.slice(document.content_span(*name)))
        {
            ties.extend(claims_in(claims, *name).map(|i| {
                let quoted = On::Blocks(quoted.to_vec());
                Tie::new(i, HangKind::Introduces, quoted, "names who said what was removed")
            }));
        }
    }
    ties
}

/// The claims of a leaf, as positions: claims are in document order, so a leaf's stand together.
pub(super) fn claims_in(claims: &[Claim], leaf: BlockId) -> Range<usize> {
    claims.partition_point(|claim| claim.block < leaf)..claims.partition_point(|claim| claim.block <= leaf)
}

/// The claims in a part of the document.
fn inside(claims: &[Claim], span: Span) -> Range<usize> {
    let first = claims.partition_point(|claim| claim.span.start < span.start);
    first..first + claims[first..].partition_point(|claim| claim.span.start < span.end)
}

/// Whether the first of the claims of a leaf is a bold label before others: `**Rotterdam.** The port retrained workers.`
fn is_label(document: &Document, claims: &[Claim], leaf: BlockId, of_leaf: &Range<usize>) -> bool {
    // Above items of its own it heads them.
    let item = document.block(leaf).parent.map(|parent| document.block(parent));
    if of_leaf.len() < 2 || item.is_some_and(|item| item.kind == BlockKind::Item && item.children.len() > 1) {
        return false;
    }
    let written = document.slice(claims[of_leaf.start].span);
    let inner = written.strip_prefix("**").and_then(|inner| inner.strip_suffix("**"));
    inner.is_some_and(|inner| !inner.contains("**"))
}
