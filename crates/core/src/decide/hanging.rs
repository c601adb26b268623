//! What goes with what: for each claim the others that take it along when all of them go.
//!
//! [`super::holes`] asks the same of decisions that are made. This is for who shows what a decision would do before a run has made it.

use serde::{Deserialize, Serialize};

use super::holes::{ByLeaf, introductions, is_label};
use crate::citation::quoted::signs_a_quote;
use crate::claim::{Claim, ClaimId, ClaimPosition};
use crate::markdown::{BlockId, BlockKind, Document};

/// How a claim hangs on others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum HangKind {
    /// Its words lean on the sentence before it.
    Leans,
    /// It is a clause of the sentence before it.
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

/// For each claim what it hangs on, where it hangs on anything.
pub fn hanging(document: &Document, claims: &[Claim]) -> Vec<Option<(HangKind, Vec<ClaimId>)>> {
    let by_leaf = ByLeaf::new(claims);
    let mut hangs = vec![None; claims.len()];
    let ids = |range: &mut dyn Iterator<Item = usize>| -> Vec<ClaimId> { range.map(|i| ClaimId(i as u32)).collect() };
    let mut set = |i: usize, how: HangKind, on: Vec<ClaimId>| {
        if !on.is_empty() && hangs[i].is_none() {
            hangs[i] = Some((how, on));
        }
    };
    for (leaf, _) in document.leaves() {
        let range = by_leaf.claims_in(leaf);
        let (mut before, mut whole) = (None, None);
        for i in range.clone().filter(|i| claims[*i].position != ClaimPosition::Figure) {
            let claim = &claims[i];
            let is_part = claim.continues && claim.dangling;
            if is_part {
                set(i, HangKind::Continues, ids(&mut whole.into_iter()));
            } else if claim.dangling && !claim.introduces {
                set(i, HangKind::Leans, ids(&mut before.into_iter()));
            }
            before = Some(i);
            whole = if is_part { whole } else { before };
        }
        if is_label(document, claims, leaf, &range) {
            set(range.start, HangKind::Introduces, ids(&mut (range.start + 1..range.end)));
        }
    }
    let inside = |block: BlockId| {
        let span = document.block(block).span;
        let first = claims.partition_point(|claim| claim.span.start < span.start);
        first..first + claims[first..].partition_point(|claim| claim.span.start < span.end)
    };
    for (id, block) in document.blocks() {
        if !matches!(block.kind, BlockKind::List(_) | BlockKind::Table | BlockKind::Quote) {
            continue;
        }
        let (sentence, captions) = introductions(document, claims, &by_leaf, id);
        for i in captions.into_iter().flat_map(|leaf| by_leaf.claims_in(leaf)).chain(sentence) {
            set(i, HangKind::Introduces, ids(&mut inside(id)));
        }
        if block.kind == BlockKind::Quote
            && let Some((name, quoted)) = block.children.split_last()
            && signs_a_quote(document.slice(document.content_span(*name)))
        {
            let quoted = ids(&mut quoted.iter().flat_map(|child| inside(*child)));
            by_leaf.claims_in(*name).for_each(|i| set(i, HangKind::Introduces, quoted.clone()));
        }
    }
    hangs
}
