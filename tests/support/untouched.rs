//! What no decision touches keeps its bytes: worked out from the draft, its claims and their actions, not from the edits.

use std::collections::HashMap;

use cited::citation::{Citations, Marker};
use cited::claim::{Claim, ClaimPosition};
use cited::decide::Action;
use cited::finding::Code;
use cited::markdown::{BlockId, BlockKind, Document, LinkStyle};
use cited::pipeline::Run;
use cited::text::{Span, Spans};

/// Leaves of which every claim stays as it is are in the brief, byte for byte and in their order; of those with citations every
/// letter and digit is, but for their citations.
pub fn hold(
    run: &Run,
    (document, citations): (&Document, &Citations),
    claims: &[Claim],
    (after, citations_after): (&Document, &Citations),
) -> Result<(), String> {
    let listed: Spans = listed(citations).collect();
    let mut claims_of: HashMap<BlockId, Vec<Action>> = HashMap::new();
    for (claim, verification) in claims.iter().zip(&run.record.verifications) {
        // What becomes of a cell or heading without a claim hangs on what is round it.
        let action = if claim.position == ClaimPosition::Heading { Action::Mark } else { verification.action };
        claims_of.entry(part(document, claim.block)).or_default().push(action);
    }
    // A link that takes its address from the source list gets it inline when the list goes.
    let by_label = |style| matches!(style, LinkStyle::Reference | LinkStyle::Collapsed | LinkStyle::Shortcut);
    let linked: Spans = document.links().iter().filter(|link| by_label(link.style)).map(|link| link.span).collect();
    // A citation that leads nowhere goes where it would mean another work in the new list.
    let orphans = citations.findings.iter().filter(|finding| finding.code == Code::OrphanCitation);
    let orphans: Spans = orphans.filter_map(|finding| finding.span).collect();
    let before = Leaves::collect(document, citations);
    let behind = Leaves::collect(after, citations_after);
    let mut found = behind.0.iter();
    for leaf in &before.0 {
        let content = document.content_span(leaf.block);
        let actions = claims_of.get(&part(document, leaf.block));
        let stays = actions.is_some_and(|actions| actions.iter().all(|action| *action == Action::Keep));
        // An address in the words may become a citation beside them, and the reference to a note goes with the note.
        let whole = leaf.markers.iter().all(|marker| marker.standalone)
            && !leaf.text.contains("[^")
            && (leaf.markers.is_empty() || !leaf.without_citations().contains("http"));
        if !stays || !whole || [&listed, &linked, &orphans].iter().any(|spans| spans.overlap(content)) {
            continue;
        }
        let same = |other: &&Leaf<'_>| {
            if leaf.markers.is_empty() {
                as_understood(other.text) == as_understood(leaf.text)
            } else {
                other.without_citations() == leaf.without_citations()
            }
        };
        if found.by_ref().find(same).is_none() {
            return Err(format!("not touched, and not as it was: {:?}", leaf.text));
        }
    }
    Ok(())
}

/// What goes as one: a leaf, or the row of a cell.
fn part(document: &Document, leaf: BlockId) -> BlockId {
    let block = document.block(leaf);
    block.parent.filter(|_| block.kind == BlockKind::TableCell).unwrap_or(leaf)
}

/// The bytes of source lists and of the sections that cited writes.
fn listed(citations: &Citations) -> impl Iterator<Item = Span> {
    let whole = citations.lists.iter().map(|list| list.heading.map_or(list.span, |heading| heading.cover(list.span)));
    whole.chain(citations.own_sections.iter().copied())
}

/// A leaf with its citations.
struct Leaf<'a> {
    block: BlockId,
    text: &'a str,
    start: usize,
    markers: Vec<&'a Marker>,
}

impl Leaf<'_> {
    /// Its letters and digits without its citations: signs between two of those go with them.
    fn without_citations(&self) -> String {
        let (mut kept, mut at) = (String::new(), 0);
        for marker in &self.markers {
            kept += &self.text[at..marker.span.start - self.start];
            at = marker.span.end - self.start;
        }
        kept += &self.text[at..];
        as_understood(&kept).chars().filter(|c| c.is_alphanumeric()).collect()
    }
}

/// The bytes of a leaf without what keeps a citation from being read where there was none, *\[1]* and *<!-- -->\[1]*, and
/// without the box of a task, which is a part of the leaf only where no blank line stands between items.
fn as_understood(text: &str) -> String {
    let boxed = ["[ ] ", "[x] ", "[X] "].iter().find_map(|sign| text.strip_prefix(sign));
    boxed.unwrap_or(text).replace("<!-- -->", "").replace('\\', "")
}

/// The leaves of a document, in order.
struct Leaves<'a>(Vec<Leaf<'a>>);

impl<'a> Leaves<'a> {
    fn collect(document: &'a Document, citations: &'a Citations) -> Self {
        let mut markers: HashMap<BlockId, Vec<&Marker>> = HashMap::new();
        for marker in &citations.markers {
            markers.entry(marker.block).or_default().push(marker);
        }
        let leaf = |block| {
            let markers = markers.remove(&block).unwrap_or_default();
            // The escape of a citation that a leaf begins with stands before its content.
            let content =
                markers.iter().fold(document.content_span(block), |content, marker| content.cover(marker.span));
            Leaf { block, text: document.slice(content), start: content.start, markers }
        };
        Leaves(document.leaves().map(|(block, _)| block).map(leaf).collect())
    }
}
