//! What is never dropped for want of a citation, whatever the policy says: taken back before anything is mended.
//!
//! The kind of a statement says most of it (headings, questions, instructions, what the document says of itself need no source, see
//! [`ClaimKind`]). Here stands what only its place or the document around it tells. The claim stays, and a note says why.

use std::collections::{HashMap, HashSet};

use super::note::Note;
use super::policy::{Action, Decision};
use crate::claim::{Claim, ClaimKind, ClaimPosition, plans_of_its_authors, tells_of_its_authors};
use crate::finding::Code;
use crate::markdown::{BlockId, BlockKind, Document};
use cited_text::Spans;
use cited_text::quantity::{Quantity, quantities};
use cited_text::script::is_cjk;
use cited_text::words::{Word, words};

/// Takes back the removals for want of a citation that would take what needs none, or make the document lopsided.
pub fn protect(document: &Document, claims: &[Claim], decisions: &mut [Decision]) {
    // *Benzotriazole [1]:* says nothing, and what stands below it would stand below another.
    let is_lead = |claim: &Claim, decision: &Decision| {
        let is_gone = decision.shortfall == Some(Code::DeadSource) && decision.action.removes();
        is_gone && claim.introduces && claim.kind == ClaimKind::Plain && claim.text.ends_with([':', '：'])
    };
    let asks = |i: &usize| is_wanting(&decisions[*i]) || is_lead(&claims[*i], &decisions[*i]);
    let asking: Vec<usize> = (0..claims.len()).filter(asks).collect();
    if asking.is_empty() {
        return;
    }
    let plans = plans_of_its_authors(document);
    // What is introduced is looked at before what introduces it.
    for i in asking.into_iter().rev() {
        let (claim, wants) = (&claims[i], is_wanting(&decisions[i]));
        // Whether what follows has anything in it that stays, or that is no claim.
        let introduces = claim.introduces
            && document.neighbours(claim.block).1.first().is_some_and(|next| {
                let end = document.block(*next).span.end;
                let below = claims[i + 1..].iter().zip(&decisions[i + 1..]);
                let mut below = below.take_while(|(claim, _)| claim.span.start < end).peekable();
                below.peek().is_none() || below.any(|(_, decision)| !decision.action.removes())
            });
        let protection = if introduces || wants && claim.captions {
            "it introduces what stays"
        } else if !wants {
            continue;
        } else if is_title(document, claim) {
            "it names a work"
        } else if plans.contain(claim.span) || tells_of_its_authors(&claim.text) {
            "it is of the authors themselves"
        } else {
            continue;
        };
        stay(&mut decisions[i], protection);
    }
    let parallels = parallels(document, claims);
    // Claims that stay although nothing is cited for them: what they lack, the others lack, too.
    let open = claims.iter().zip(&*decisions).zip(&parallels).filter(|((claim, decision), _)| {
        let states = claim.kind.is_factual()
            || matches!(claim.kind, ClaimKind::Hedged | ClaimKind::Opinion | ClaimKind::Instruction);
        let is_cited = || [&claim.markers, &claim.inherited].iter().any(|markers| !markers.is_empty());
        let is_linked = || document.links_in(claim.span).iter().any(|link| !link.image);
        states && decision.action == Action::Keep && decision.sources.is_empty() && !is_cited() && !is_linked()
    });
    let open: HashSet<BlockId> = open.filter_map(|(_, group)| *group).collect();
    for (decision, group) in decisions.iter_mut().zip(&parallels) {
        if is_wanting(decision) && group.is_some_and(|group| open.contains(&group)) {
            stay(decision, "others beside it stay without one, too");
        }
    }
}

/// Whether a claim would leave the document because nothing is cited for it.
fn is_wanting(decision: &Decision) -> bool {
    decision.shortfall == Some(Code::Unanchored) && (decision.action.removes() || decision.action == Action::Fail)
}

/// Takes back the removals from blocks that hold some of these entries, of lists that stay as they are.
pub fn protect_entries(document: &Document, claims: &[Claim], entries: &Spans, decisions: &mut [Decision]) {
    for (claim, decision) in claims.iter().zip(decisions) {
        if decision.action.removes() && entries.overlap(document.content_span(claim.block)) {
            stay(decision, "it stands in one paragraph with a source of the list, which stays");
        }
    }
}

fn stay(decision: &mut Decision, why: &str) {
    decision.action = Action::Keep;
    decision.shortfall = None;
    let note = format!("{}; {}", std::mem::take(&mut decision.reason), why);
    decision.notes = vec![Note::Other(note)];
}

/// Whether a cell is the title of a work: all of it is set off as one, or its words are written as those of a title are, and nothing is
/// measured in it.
fn is_title(document: &Document, claim: &Claim) -> bool {
    /// Words in capitals that make a title; two may be a name with a number.
    const FEWEST: usize = 3;
    /// Shorter ones are written in small letters in titles: *of*, *and*, *with*.
    const LONG: usize = 5;
    if claim.position != ClaimPosition::Cell || claim.text.ends_with(['.', '。', '!', '！']) {
        return false;
    }
    let written = document.slice(claim.span).trim();
    let measures = quantities(&claim.text).iter().any(Quantity::has_unit);
    let is_set_off = |(open, close): (char, char)| {
        let inner = written.strip_prefix(open).and_then(|inner| inner.strip_suffix(close));
        let is_strong = written.starts_with("**") && written.ends_with("**");
        inner.is_some_and(|_| open != '*' || !measures && !is_strong)
    };
    if [('《', '》'), ('“', '”'), ('"', '"'), ('*', '*')].into_iter().any(is_set_off) {
        return claim.text.chars().any(char::is_alphabetic);
    }
    let is_long = |text: &str| text.chars().count() >= LONG && text.chars().all(char::is_alphabetic);
    let long: Vec<Word> = words(&claim.text).filter(|word| is_long(word.span.slice(&claim.text))).collect();
    let in_capitals = long.len() >= FEWEST && long.iter().all(|word| word.capital);
    in_capitals && !measures && !claim.text.chars().any(is_cjk)
}

/// For each claim what it stands beside others in: one list, lists that follow each other under headings or labels of one kind (pros and
/// cons), one table. Each is named by its first block.
fn parallels(document: &Document, claims: &[Claim]) -> Vec<Option<BlockId>> {
    let mut first_of: HashMap<BlockId, BlockId> = HashMap::new();
    for (list, _) in document.blocks() {
        if let Some(other) = parallel_before(document, list) {
            first_of.insert(list, first_of.get(&other).copied().unwrap_or(other));
        }
    }
    let group = |claim: &Claim| {
        let parent = document.block(document.block(claim.block).parent?);
        let is_part = match parent.kind {
            BlockKind::Item => true,
            BlockKind::TableRow => claim.position == ClaimPosition::Cell,
            _ => false,
        };
        let group = parent.parent.filter(|_| is_part)?;
        Some(first_of.get(&group).copied().unwrap_or(group))
    };
    claims.iter().map(group).collect()
}

/// The list before a list that it is parallel to: with only a label between them, or a heading of the same level as that of the other one.
fn parallel_before(document: &Document, list: BlockId) -> Option<BlockId> {
    let kind = |block: BlockId| &document.block(block).kind;
    let is_list = |block: &BlockId| matches!(kind(*block), BlockKind::List(_));
    let mut before = Some(list).filter(is_list).map(|list| document.neighbours(list).0.iter().rev().copied())?;
    let (label, other) = (before.next()?, before.next().filter(is_list)?);
    let is_parallel = match kind(label) {
        BlockKind::Paragraph => {
            document.slice(document.content_span(label)).trim_end_matches(['*', '_', ' ']).ends_with([':', '：'])
        }
        BlockKind::Heading(_) => before.next().is_some_and(|heading| kind(heading) == kind(label)),
        _ => false,
    };
    is_parallel.then_some(other)
}
