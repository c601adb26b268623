//! Turns decisions into edits of the document's body: what goes, what is mended, every citation with its number.
//!
//! The source list and the report sections are written by `cited-report`; this module says
//! where they stand.

mod sentences;

use std::collections::{BTreeMap, HashSet};

use super::cut;
use super::edit::{Cause, Edit};
use super::form::CitationForm;
use super::holes::{Holes, mend};
use super::plan::{Manner, Numbering, Plan, Style};
use super::policy::Decision;
use crate::citation::Entry;
use crate::citation::scan::OPENS;
use crate::markdown::{Block, BlockId, BlockKind, Document, InlineKind};
use crate::source::SourceId;
use cited_text::{Span, Spans, lines};

/// The edits of the body and what is left to write.
#[derive(Debug, Default)]
pub struct Rewrite {
    /// Edits of the body; source lists that move or go are deleted, the one that stays is untouched.
    pub edits: Vec<Edit>,
    /// The numbers of all sources that are still cited.
    pub numbering: Numbering,
    /// Where the kept text of the body ends when no list stays; all after it is deleted.
    pub body_end: usize,
    /// How the citations are written.
    pub form: CitationForm,
    /// Whether that list stays as it is written, but for the entries that go and the numbers that close up.
    pub spares_list: bool,
    /// The blocks that go, for the check of the result, and the list that stays.
    pub holes: Holes,
}

/// Writes `decisions` as edits. Decisions on claims that go with others are added to them.
pub fn rewrite(plan: &Plan<'_>, decisions: &mut [Decision], manner: &Manner) -> Rewrite {
    // For each marker the position of its claim.
    let mut owners = vec![None; plan.citations.markers.len()];
    for (i, claim) in plan.claims.iter().enumerate() {
        for marker in &claim.markers {
            owners[marker.0 as usize].get_or_insert(i);
        }
    }
    let holes = mend(plan, &owners, decisions, manner);
    // Whether a claim keeps a citation, or one stands in no claim.
    let mut unowned = plan.resolved.iter().zip(&owners).filter(|(_, owner)| owner.is_none());
    let is_anything_cited = decisions.iter().any(|decision| !decision.sources.is_empty())
        || unowned.any(|(sources, _)| !sources.is_empty());
    if holes.home.is_some() && !is_anything_cited {
        return rewrite(plan, decisions, &Manner { list_moves: true, ..manner.clone() });
    }
    let (deletions, edits) = (BTreeMap::new(), Vec::new());
    let mut writer = Writer { plan, decisions, manner, owners, deletions, edits };
    writer.delete_blocks(&holes);
    writer.delete_claims(&holes);
    writer.delete_openers();
    writer.delete_empty_formatting();
    writer.renumber_items(&holes);
    let form = CitationForm::choose(plan.citations, plan.style);
    let slots = writer.slots(form);
    let mut numbering = Numbering::of_appearance(slots.iter().flat_map(|slot| slot.sources.iter().copied()));
    if (form != CitationForm::Footnotes || plan.style == Style::InPlace)
        && let Some(kept) = plan.numbers_to_keep(&numbering, |span| writer.is_deleted(span))
    {
        numbering = kept;
    }
    writer.write_slots(&slots, &numbering, form);
    writer.write_marks();
    writer.inline_links();
    let spared = holes.home.filter(|_| plan.style == Style::InPlace && numbering.is_kept);
    let spared = spared.and_then(|home| writer.edit_entries(home, &numbering));
    let spares_list = spared.is_some();
    let changes = |edit: &Edit| plan.document.slice(edit.span) != edit.replacement;
    writer.edits.extend(spared.into_iter().flatten().filter(changes));
    let body_end = writer.body_end();
    let Writer { deletions, mut edits, .. } = writer;
    edits.extend(deletions.into_values());
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    Rewrite { edits, numbering, body_end, form, spares_list, holes }
}

pub(super) struct Writer<'a> {
    pub(super) plan: &'a Plan<'a>,
    pub(super) decisions: &'a [Decision],
    pub(super) manner: &'a Manner,
    /// The position of the claim of each marker.
    pub(super) owners: Vec<Option<usize>>,
    /// Deleted ranges by their start; disjoint.
    pub(super) deletions: BTreeMap<usize, Edit>,
    pub(super) edits: Vec<Edit>,
}

impl Writer<'_> {
    pub(super) fn text(&self) -> &str {
        self.plan.document.text()
    }

    fn delete(&mut self, edit: Edit) {
        if edit.span.is_empty() && edit.replacement.is_empty() {
            return;
        }
        // Of two ranges that want the same bytes the larger one stands.
        let Span { start, end } = edit.span;
        let before = self.deletions.range(..start).next_back();
        if before.is_some_and(|(_, other)| other.span.end > start) {
            return;
        }
        let inside: Vec<usize> = self.deletions.range(start..end).map(|(at, _)| *at).collect();
        if inside.iter().any(|at| self.deletions[at].span.end > end) {
            return;
        }
        inside.iter().for_each(|at| drop(self.deletions.remove(at)));
        self.deletions.insert(start, edit);
    }

    /// Whether the bytes at `span` go as a whole with something larger.
    pub(super) fn is_deleted(&self, span: Span) -> bool {
        self.deletions
            .range(..=span.start)
            .next_back()
            .is_some_and(|(_, edit)| edit.span.contains(span) && !edit.span.is_empty())
    }

    fn delete_blocks(&mut self, holes: &Holes) {
        let Plan { document, citations, .. } = self.plan;
        let is_outermost = |(id, block): &(BlockId, &Block)| {
            let is_part =
                block.kind == BlockKind::TableCell || block.parent.is_some_and(|parent| holes.is_gone(parent));
            holes.is_gone(*id) && !is_part
        };
        let blocks = document.blocks().filter(is_outermost);
        let blocks = blocks.map(|(id, _)| cut::of_block(document, id, |block| holes.is_gone(block)));
        let lists = citations.lists.iter().enumerate().filter(|(i, _)| Some(*i) != holes.home);
        let lists = lists.flat_map(|(_, list)| list.parts(document)).map(|part| cut::of_lines(document.text(), part));
        let ranges = blocks.chain(lists).collect();
        let list_parts: Spans = citations.lists.iter().map(|list| list.span).collect();
        for mut deletion in cut::settle(document, ranges) {
            if list_parts.overlap(deletion.span) {
                deletion.because = Cause::SourcesWritten;
            }
            self.delete(deletion);
        }
        // References to footnotes that go.
        let gone = document.blocks().filter(|(id, _)| holes.is_gone(*id));
        let gone = gone.filter_map(|(_, block)| match &block.kind {
            BlockKind::FootnoteDefinition(label) => Some(&**label),
            _ => None,
        });
        let gone: HashSet<&str> = gone.collect();
        let in_marker: Spans = citations.markers.iter().map(|marker| marker.span).collect();
        for inline in document.leaves().flat_map(|(id, _)| document.inlines(id)) {
            let InlineKind::FootnoteReference(label) = &inline.kind else { continue };
            if gone.contains(&**label) && !in_marker.contain(inline.span) && !self.is_deleted(inline.span) {
                self.delete(Edit::new(inline.span, "", Cause::HoleMended));
            }
        }
    }

    /// Takes out the signs of a product that open its sentences, with the space before one of which the sentence goes, too.
    fn delete_openers(&mut self) {
        let Plan { document, citations, .. } = self.plan;
        let text = document.text();
        for span in citations.unlisted.iter().filter(|span| document.slice(**span) == OPENS) {
            let rest = self.deletions.get(&span.end).map_or("", |gone| text[gone.span.end..].trim_start_matches(' '));
            let words = text[..span.start].trim_end_matches(' ').len();
            let before = self.deletions.range(..span.start).next_back().map_or(0, |(_, before)| before.span.end);
            let start = if rest.starts_with(['\n', '\r']) { before.clamp(words, span.start) } else { span.start };
            self.delete(Edit::new(Span::new(start, span.end), "", Cause::Renumbered));
        }
    }

    /// Takes out formatting that is left around nothing, `**One. Two.**`, with the space that would be left over.
    fn delete_empty_formatting(&mut self) {
        let gone = self.deletions.values().filter(|edit| edit.replacement.is_empty());
        let cuts: Vec<Span> = gone.map(|edit| edit.span).collect();
        for outer in emptied(self.plan.document, &cuts) {
            let (before, behind) = (outer.before(self.text()), outer.after(self.text()));
            let start = if behind.is_empty() || behind.starts_with(char::is_whitespace) {
                before.trim_end_matches([' ', '\t']).len()
            } else {
                outer.start
            };
            let claim_id = self.deletions.range(outer.start..outer.end).next().and_then(|(_, gone)| gone.claim_id);
            self.delete(Edit { claim_id, ..Edit::new(Span::new(start, outer.end), "", Cause::ClaimRemoved) });
        }
    }

    /// Ordered lists that lost items count on without a gap.
    fn renumber_items(&mut self, holes: &Holes) {
        let document = self.plan.document;
        for (list, block) in document.blocks() {
            let BlockKind::List(Some(first)) = block.kind else { continue };
            let lost = block.children.iter().any(|item| holes.is_gone(*item));
            let counts_up = block.children.iter().zip(first..).all(|(item, number)| {
                let behind = document.slice(document.block(*item).span).strip_prefix(&number.to_string());
                behind.is_some_and(|behind| !behind.starts_with(|c: char| c.is_ascii_digit()))
            });
            if !lost || holes.is_gone(list) || !counts_up {
                continue;
            }
            let stay = block.children.iter().zip(first..).filter(|(item, _)| !holes.is_gone(**item));
            for ((item, number), next) in stay.zip(first..).filter(|((_, number), next)| number != next) {
                let start = document.block(*item).span.start;
                let digits = Span::new(start, start + number.to_string().len());
                self.edits.push(Edit::new(digits, next.to_string(), Cause::HoleMended));
            }
        }
    }

    /// The edits that take the entries that nothing cites out of a numbered list and give the others their numbers; none where an entry is not
    /// written with its number in front.
    fn edit_entries(&self, list: usize, numbering: &Numbering) -> Option<Vec<Edit>> {
        let Plan { document, citations, listed, registry, .. } = *self.plan;
        let edit = |(entry, source): (&Entry, &SourceId)| {
            let (span, new) = match numbering.get(registry.resolve(*source)) {
                None => (cut::of_lines(document.text(), entry.span).span, String::new()),
                Some(number) => {
                    let old = entry.label.as_ref()?.number()?.to_string();
                    let before = document.slice(entry.span).get(..entry.words.checked_sub(entry.span.start)?)?;
                    // Of `1. [1] Title` both numbers would have to change.
                    let at = before.rfind(&old).filter(|at| !before[..*at].contains(char::is_alphanumeric))?;
                    let start = entry.span.start + at;
                    (Span::new(start, start + old.len()), number.to_string())
                }
            };
            Some(Edit::new(span, new, Cause::SourcesWritten))
        };
        citations.lists[list].entries.iter().zip(&listed[list]).map(edit).collect()
    }

    /// Where the text that stays ends.
    fn body_end(&self) -> usize {
        let mut end = lines::trim_end(self.text()).len();
        let goes = |edit: &Edit, end: usize| edit.span.end >= end && edit.replacement.trim().is_empty();
        while let Some((start, _)) = self.deletions.range(..end).next_back().filter(|(_, edit)| goes(edit, end)) {
            end = lines::trim_end(&self.text()[..*start]).len();
        }
        end
    }
}

/// The links, then the runs of emphasis, of which `cuts` leave no inside.
///
/// A claim that shares its emphasis with others is cut out of it (`**One. Two.**` becomes `**Two.**`). When all of them
/// go, the marks have to go as well, or `****` would be left.
pub(crate) fn emptied(document: &Document, cuts: &[Span]) -> Vec<Span> {
    let emphases: Vec<_> = document.emphases.iter().map(|emphasis| (emphasis.span, emphasis.inner)).collect();
    let links = document.links().iter().filter(|link| !link.image).map(|link| (link.span, link.text)).collect();
    let mut found = Vec::new();
    // A link may be all that is left of what is emphasised.
    for units in [links, emphases] {
        let gone: Spans = cuts.iter().chain(&found).copied().collect();
        let is_empty = |(outer, inner): &(Span, Span)| {
            let is_kept = |(at, c): (usize, char)| {
                let is_mark = c.is_whitespace() || matches!(c, '*' | '_' | '~');
                !is_mark && !gone.overlap(Span::new(inner.start + at, inner.start + at + c.len_utf8()))
            };
            gone.overlap(*inner) && !gone.contain(*outer) && !document.slice(*inner).char_indices().any(is_kept)
        };
        found.extend(units.into_iter().filter(is_empty).map(|(outer, _)| outer));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::emptied;
    use crate::markdown::Document;
    use cited_text::Span;

    #[track_caller]
    fn check(text: &str, cuts: &[&str], expected: &[&str]) {
        let document = Document::read(text);
        let find = |part: &&str| {
            let start = text.find(*part).unwrap();
            Span::new(start, start + part.len())
        };
        let cuts: Vec<_> = cuts.iter().map(find).collect();
        let found: Vec<_> = emptied(&document, &cuts).into_iter().map(|span| document.slice(span)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn only_formatting_around_nothing() {
        check("*One. Two.* Three.", &["One.", "Two."], &["*One. Two.*"]);
        check("*One. Two.* Three.", &["One."], &[]);
        check("**One. *Two.*** Three.", &["One.", "*Two.*"], &["**One. *Two.***"]);
        check("**One. *Two. Six.*** Three.", &["Two.", "Six."], &["*Two. Six.*"]);
        check("[One. Two.](u) Three.", &["One.", "Two."], &["[One. Two.](u)"]);
        check("*[One. Two.](u)* Three.", &["One.", "Two."], &["[One. Two.](u)", "*[One. Two.](u)*"]);
        check("a *b* c.", &["a *b* c."], &[]);
    }
}
