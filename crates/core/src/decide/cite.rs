//! Citations of the text that stays: where each stands, what it cites, and the edit that writes it.

use std::collections::HashSet;

use super::edit::{Cause, Edit};
use super::form::CitationForm;
use super::plan::{Care, Numbering, Plan};
use super::policy::Action;
use super::rewrite::Writer;
use super::signs::{ends_in_address, hard_break, is_closing, is_stop, separate, spaced};
use crate::citation::nearby::parts_members;
use crate::citation::{Marker, MarkerForm, MarkerId, Placement};
use crate::claim::{Claim, ClaimId, ClaimPosition, OMISSION};
use crate::markdown::{BlockId, BlockKind, InlineKind, Link, LinkStyle};
use crate::source::SourceId;
use cited_text::sentence::notes_length;
use cited_text::{Span, Spans, lines};

/// A place for a citation.
#[derive(Debug)]
pub(super) struct Slot {
    /// The bytes that the citation takes; empty to insert.
    span: Span,
    pub(super) sources: Vec<SourceId>,
    /// Whether it is a marker, which is rewritten as a whole; else the citation stands behind the words there.
    is_marker: bool,
    /// The leaf it stands in.
    block: BlockId,
    claim: Option<ClaimId>,
    /// None where a claim had none.
    marker: Option<MarkerId>,
    /// Whether what it cited is written elsewhere in its claim.
    moved: bool,
}

impl Slot {
    /// The place of a marker. Behind a note in the line, and not in it, for the words of one.
    fn from_marker(plan: &Plan<'_>, id: MarkerId, claim: Option<ClaimId>, sources: Vec<SourceId>) -> Slot {
        let &Marker { standalone: is_marker, span, block, .. } = plan.citations.marker(id);
        let note = plan.document.notes.within(span).next().filter(|_| !is_marker);
        Slot { span: note.unwrap_or(span), sources, is_marker, block, claim, marker: Some(id), moved: false }
    }

    /// Whether it stands after words that stay: a link or address in the sentence.
    fn is_behind_link(&self) -> bool {
        self.marker.is_some() && !self.is_marker
    }
}

impl Writer<'_> {
    /// Every place for a citation that is not deleted, in document order.
    pub(super) fn slots(&self, form: CitationForm) -> Vec<Slot> {
        let plan = self.plan;
        let mut slots = Vec::new();
        for (i, claim) in plan.claims.iter().enumerate() {
            if self.stays(claim) {
                self.claim_slots(ClaimId(i as u32), claim, &mut slots);
            }
        }
        for (i, marker) in plan.citations.markers.iter().enumerate() {
            if self.owners[i].is_none() && !self.is_deleted(marker.span) {
                slots.push(Slot::from_marker(plan, MarkerId(i as u32), None, plan.resolved[i].clone()));
            }
        }
        slots.sort_by_key(|slot| (slot.span.start, slot.span.end));
        // Words that link to a source have no number behind them where they say enough: a number elsewhere lists it, or the draft has no list
        // that would lose it.
        if form != CitationForm::Kept {
            let lists = plan.citations.lists.iter().zip(plan.listed);
            let seen = lists.filter(|(list, _)| !list.is_unseen()).flat_map(|(_, sources)| sources);
            let listed: HashSet<SourceId> = seen.map(|source| plan.registry.resolve(*source)).collect();
            let others = slots.iter().filter(|slot| !slot.is_behind_link());
            let numbered: HashSet<SourceId> = others.flat_map(|slot| slot.sources.clone()).collect();
            for slot in slots.iter_mut().filter(|slot| slot.is_behind_link()) {
                slot.sources.retain(|source| listed.contains(source) && !numbered.contains(source));
            }
        }
        let mut slots = self.join_slots(slots, form);
        if form == CitationForm::Kept {
            // Words that link to a source which is cited somewhere count as its first appearance.
            let cited: HashSet<SourceId> = slots.iter().flat_map(|slot| slot.sources.iter().copied()).collect();
            for slot in slots.iter_mut().filter(|slot| slot.is_behind_link()) {
                let linked = slot.marker.iter().flat_map(|marker| &plan.resolved[marker.0 as usize]);
                slot.sources = linked.copied().filter(|source| cited.contains(source)).collect();
            }
        }
        slots
    }

    /// Whether a claim, or a marker of it, is not deleted.
    fn stays(&self, claim: &Claim) -> bool {
        let mut markers = claim.markers.iter().map(|marker| self.plan.citations.marker(*marker).span);
        !self.is_deleted(claim.span) || markers.any(|marker| !self.is_deleted(marker))
    }

    /// Markers of several forms side by side become one: written in one form they would be read as one.
    fn join_slots(&self, slots: Vec<Slot>, form: CitationForm) -> Vec<Slot> {
        let mut joined: Vec<Slot> = Vec::with_capacity(slots.len());
        let is_number =
            |slot: &Slot| slot.marker.is_none_or(|marker| form.writes_numbers(self.plan.citations.marker(marker).form));
        let follows = |slot: &Slot, before: &Slot, end: usize| {
            let is_behind = slot.is_marker && slot.block == before.block && slot.span.start >= end;
            is_behind && self.would_join(end, slot.span.start)
        };
        // The first citation of the run that is read, which takes in the others, and where the last of them ends.
        let mut run: Option<(usize, usize)> = None;
        for mut slot in slots {
            let (is_read, end) = (is_number(&slot), slot.span.end);
            // A number behind words that a citation follows would be read as one with it: the citation takes it in. So are all sources of
            // one note in the line.
            if let Some(last) = joined.last_mut()
                && !last.is_marker
                && is_read
                && is_number(last)
                && !(slot.sources.is_empty() || last.sources.is_empty())
                && (follows(&slot, last, last.span.end) || (slot.is_marker, slot.span) == (last.is_marker, last.span))
            {
                slot.sources.append(&mut last.sources);
            }
            let head = run.filter(|(head, end)| is_read && follows(&slot, &joined[*head], *end));
            let opens = is_read && slot.is_marker;
            run = opens.then_some((head.map_or(joined.len(), |(head, _)| head), end));
            if let Some((head, before)) = head {
                let is_last = head + 1 == joined.len();
                let first = &mut joined[head];
                first.sources.append(&mut slot.sources);
                let between = Span::new(before, slot.span.start);
                if is_last
                    && !between.slice(self.text()).contains('\n')
                    && self.kept_between(between.start, between.end).len() == between.len()
                {
                    first.span.end = end;
                    first.claim = first.claim.or(slot.claim);
                    continue;
                }
            }
            joined.push(slot);
        }
        joined
    }

    /// The text between two places without what goes.
    fn kept_between(&self, from: usize, to: usize) -> String {
        let (mut kept, mut at) = (String::new(), from);
        for edit in self.deletions.range(from..to).map(|(_, edit)| edit) {
            kept += self.text().get(at..edit.span.start).unwrap_or_default();
            kept += &edit.replacement;
            at = edit.span.end.max(at);
        }
        kept + self.text().get(at..to).unwrap_or_default()
    }

    /// Whether citations at these ends would be read as one run.
    fn would_join(&self, from: usize, to: usize) -> bool {
        let kept = self.kept_between(from, to);
        let mut signs = kept.trim_matches(|c: char| c.is_whitespace() || c == '>').chars();
        let joins = signs.next().is_none_or(|sign| sign == '·' || parts_members(sign)) && signs.next().is_none();
        // What is written in place of what goes ends its lines as the draft does.
        joins && kept.replace("\r\n", "\n").matches(['\n', '\r']).count() < 2
    }

    fn claim_slots(&self, id: ClaimId, claim: &Claim, slots: &mut Vec<Slot>) {
        let decision = &self.decisions[id.0 as usize];
        // A claim may have thousands of markers.
        let cited: HashSet<SourceId> = decision.sources.iter().copied().collect();
        let mut said: HashSet<SourceId> = HashSet::new();
        let first = slots.len();
        for marker_id in &claim.markers {
            let marker = self.plan.citations.marker(*marker_id);
            if self.is_deleted(marker.span) {
                continue;
            }
            let resolved = &self.plan.resolved[marker_id.0 as usize];
            let sources: Vec<SourceId> = resolved.iter().copied().filter(|source| cited.contains(source)).collect();
            said.extend(&sources);
            slots.push(Slot::from_marker(self.plan, *marker_id, Some(id), sources));
        }
        let mut left = decision.sources.clone();
        left.retain(|source| !said.contains(source));
        let glued = self.manner.care_in(claim.block) > Care::Closed;
        if glued {
            self.glue(claim, &mut slots[first..], &mut left);
        }
        // What a cell of nothing but citations says of a claim elsewhere is said there, once the claim has no citation of
        // its own left: without one it may be no claim.
        let mut own = slots[first..].iter().filter(|slot| slot.is_marker && slot.block == claim.block).peekable();
        let lost_own = own.peek().is_some() && own.all(|slot| slot.sources.is_empty());
        let elsewhere = |slot: &Slot| slot.block != claim.block && self.manner.care_in(slot.block) == Care::Held;
        for slot in slots[first..].iter_mut().filter(|slot| slot.is_marker && slot.block != claim.block) {
            if lost_own || elsewhere(slot) {
                slot.moved = !slot.sources.is_empty();
                left.append(&mut slot.sources);
            }
        }
        if !left.is_empty() {
            let emptied = |slot: &Slot| slot.sources.is_empty() && (glued || elsewhere(slot) || slot.moved);
            let takes = |slot: &&mut Slot| slot.is_marker && !emptied(slot);
            match slots[first..].iter_mut().rev().find(takes) {
                Some(slot) => slot.sources.extend(left),
                // By the habit of the document.
                None => {
                    let span = Span::at(self.place_before(claim, self.end_of_words(claim), true));
                    let (block, claim, sources) = (claim.block, Some(id), left);
                    slots.push(Slot { span, sources, is_marker: false, block, claim, marker: None, moved: false });
                }
            }
        }
    }

    /// Marks claims as unverified, and takes the marks of an earlier run from those that are confirmed.
    pub(super) fn write_marks(&mut self) {
        let (text, mut marks) = (self.text(), Vec::new());
        for (i, claim) in self.plan.claims.iter().enumerate().filter(|(_, claim)| self.stays(claim)) {
            let (decision, start) = (&self.decisions[i], claim.span.start);
            // What an earlier run marked carries the mark.
            if decision.action == Action::Mark && !claim.text.contains(super::UNVERIFIED) {
                let end = self.end_of_words(claim);
                let words = &text[start..end];
                // Behind what only looks like a citation it would be read with that, as a sentence of its own.
                let stop = words.char_indices().rev().find(|(_, c)| is_stop(*c)).map(|(at, c)| at + c.len_utf8());
                let stop = stop.filter(|stop| notes_length(&words[*stop..]) == words.len() - stop);
                let end = stop.map_or(end, |stop| start + stop);
                // Behind its stop the mark would be read with the next sentence, wherever the document has its citations.
                let at = self.place_before(claim, end, false);
                marks.push((i, Span::at(at), format!(" {}", super::UNVERIFIED)));
            }
            let confirmed = decision.carried && !decision.sources.is_empty() && decision.action != Action::Mark;
            let old = claim.span.slice(text).match_indices(super::UNVERIFIED).filter(|_| confirmed);
            marks.extend(old.map(|(at, mark)| {
                let before = text[..start + at].trim_end_matches(' ').len();
                (i, Span::new(before, start + at + mark.len()), String::new())
            }));
        }
        marks.retain(|(_, span, _)| span.is_empty() || !self.is_deleted(*span));
        self.edits.extend(marks.into_iter().map(|(i, span, replacement)| {
            let claim_id = Some(ClaimId(i as u32));
            Edit { span, replacement, because: Cause::ClaimMarked, claim_id }
        }));
    }

    /// Whether words stand between two places, beside citations.
    fn has_words(&self, from: usize, to: usize) -> bool {
        let markers = self.plan.citations.markers_in(Span::new(from, to.max(from))).iter();
        let ends = markers.filter(|marker| marker.standalone).map(|marker| marker.span).chain([Span::at(to)]);
        let mut at = from;
        ends.into_iter().any(|end| {
            let gap = self.text().get(at..end.start);
            at = end.end.max(at);
            gap.is_some_and(|gap| gap.contains(char::is_alphanumeric))
        })
    }

    /// Takes what the markers at the ends of a claim cite out of them, to be written inside of it.
    fn glue(&self, claim: &Claim, slots: &mut [Slot], left: &mut Vec<SourceId>) {
        let is_own = |slot: &&mut Slot| slot.is_marker && slot.block == claim.block && claim.span.contains(slot.span);
        for slot in slots.iter_mut().filter(is_own).filter(|_| !claim.is_figure()) {
            let (before, behind) =
                (self.has_words(claim.span.start, slot.span.start), self.has_words(slot.span.end, claim.span.end));
            let stops = || self.text()[slot.span.end..claim.span.end].contains(is_stop);
            if before != behind && !(before && stops()) {
                slot.moved = !slot.sources.is_empty();
                left.append(&mut slot.sources);
            }
        }
    }

    /// Where the words of a claim end, and the citations behind them begin.
    fn end_of_words(&self, claim: &Claim) -> usize {
        let text = self.text();
        let mut end = claim.span.end;
        for marker in self.plan.citations.markers_in(claim.span).iter().rev().filter(|marker| marker.standalone) {
            if text.get(marker.span.end..end).is_none_or(|rest| rest.contains(char::is_alphanumeric)) {
                break;
            }
            let before = text[..marker.span.start].trim_end().len();
            // A stop behind the marker is the claim's.
            if before <= claim.span.start || text[marker.span.end..end].contains(is_stop) {
                break;
            }
            end = before;
        }
        end
    }

    /// The place before what closes a claim that ends at `end`; after a stop where that is the habit of the document.
    fn place_before(&self, claim: &Claim, end: usize, by_habit: bool) -> usize {
        let text = self.text();
        let is_sentence = matches!(claim.position, ClaimPosition::Sentence | ClaimPosition::Item);
        let is_closed = self.manner.care_in(claim.block) == Care::Closed;
        if by_habit && is_closed && is_sentence && self.plan.citations.placement == Placement::AfterStop {
            return end;
        }
        let words = &text[claim.span.start..end];
        // Back over what closes the sentence: stops, quotes, brackets, formatting.
        let closing = words.char_indices().rev().take_while(|(_, c)| is_stop(*c) || is_closing(*c));
        let stop = closing.filter(|(_, c)| is_stop(*c) && (is_sentence || !by_habit)).last();
        claim.span.start + words[..stop.map_or(words.len(), |(at, _)| at)].trim_end().len()
    }

    pub(super) fn write_slots(&mut self, slots: &[Slot], numbering: &Numbering, form: CitationForm) {
        for slot in slots {
            let marker = slot.marker.map(|id| self.plan.citations.marker(id));
            let citation = form.write(self.plan, marker, &slot.sources, numbering);
            let text = self.plan.document.written();
            let (span, replacement, because) = match (slot.is_marker, marker) {
                (true, _) if citation.is_empty() => {
                    let (hole, filler) = self.marker_hole(slot);
                    // Without what goes with something else on either side of it.
                    let before =
                        self.deletions.range(..slot.span.start).next_back().map_or(0, |(_, gone)| gone.span.end);
                    let behind = self.deletions.range(slot.span.end..).next().map_or(text.len(), |(start, _)| *start);
                    let hole = Span::new(hole.start.max(before.min(slot.span.start)), hole.end.min(behind));
                    (hole, filler.to_owned(), Cause::Renumbered)
                }
                (true, _) => {
                    let changes = marker.is_some_and(|marker| {
                        marker.form != MarkerForm::Bracket || marker.span != slot.span || form != CitationForm::Numeric
                    });
                    // In bold it stays so while nothing about it changes.
                    let written = slot.span.slice(text);
                    if written.trim_start_matches(['*', '_']).trim_end_matches(['*', '_']) == citation {
                        continue;
                    }
                    let mut citation = separate(text, slot.span, citation, changes);
                    if marker.is_some_and(|marker| marker.form == MarkerForm::Plain)
                        && text[..slot.span.start].ends_with(|c| is_stop(c) || is_closing(c))
                    {
                        citation = spaced(text, slot.span.start, &citation);
                    }
                    (slot.span, citation + hard_break(slot.span.slice(text)), Cause::Renumbered)
                }
                (false, Some(_)) if form == CitationForm::Kept => continue,
                (false, _) if citation.is_empty() => continue,
                (false, _) => {
                    let at = slot.span.end;
                    // Before a parenthesis it would be a link.
                    let leads_on = if text[at..].starts_with('(') { "\\" } else { "" };
                    (Span::at(at), spaced(text, at, &citation) + leads_on, Cause::Cited)
                }
            };
            if span.slice(text) == replacement || self.is_deleted(span) && !span.is_empty() {
                continue;
            }
            self.edits.push(Edit { span, replacement, because, claim_id: slot.claim });
        }
    }

    /// The bytes that go with a marker of which nothing is left, and what takes the place: an emptied cell gets a dash.
    fn marker_hole(&self, slot: &Slot) -> (Span, &'static str) {
        let (document, text, marker) = (self.plan.document, self.text(), slot.span);
        let (kind, content) = (&document.block(slot.block).kind, document.content_span(slot.block));
        if *kind == BlockKind::TableCell && marker.contains(content) {
            return (marker, "—");
        }
        let (before, rest) = (marker.before(text), marker.after(text).trim_start_matches([' ', '\t']));
        let claim = slot.claim.map(|claim| self.plan.claims[claim.0 as usize].span);
        // Between two words of one sentence nothing may look like its end.
        let inside = claim.is_some_and(|claim| {
            let says = |from: usize, to: usize| text[from..to].contains(char::is_alphanumeric);
            claim.contains(marker) && says(claim.start, marker.start) && says(marker.end, claim.end)
        });
        let ends_sentence = before.trim_end_matches(is_closing).ends_with(is_stop);
        let held = !slot.moved && self.manner.care_in(slot.block) == Care::Held;
        // Behind a stop the sign would stand for a sentence, and part what follows in the claim.
        let goes_on = claim.is_some_and(|claim| marker.end < claim.end);
        if held && !(ends_sentence && goes_on) {
            return (marker, OMISSION);
        }
        let (line, start) = (lines::line_start(text, marker.start), before.trim_end_matches([' ', '\t']).len());
        let leads = |marks: &[char]| text[line..start].chars().all(|c| c.is_whitespace() || marks.contains(&c));
        let starts_leaf = text.get(content.start..marker.start).is_some_and(|lead| lead.trim().is_empty());
        let ends_line = rest.is_empty() || rest.starts_with(['\r', '\n']);
        if *kind == BlockKind::Paragraph && !starts_leaf && leads(&['>']) && ends_line {
            // Without its line, which would be an empty one and make two paragraphs of one.
            return (Span::new(line, lines::line_stop(text, marker.end)), "");
        }
        // White space behind the signs that open formatting would close it.
        let marks = before.trim_end_matches(['*', '_', '~']);
        let opens_formatting = marks.len() < before.len() && marks.ends_with([' ', '\t', '\n', '(']);
        // The space after the marks of a heading is part of them.
        if leads(&['>', '#', '*', '_', '~']) || starts_leaf || opens_formatting {
            return (Span::new(marker.start, text.len() - rest.len()), "");
        }
        // `done. [1]Next`: without a space the two sentences would become one.
        let next = marker.after(text).starts_with(|c: char| c.is_alphanumeric() && !cited_text::script::is_cjk(c));
        // An address would go on with what comes after it.
        let address = !held && ends_in_address(&before[..start]);
        // `word [1]Next` is two words, `word[1]next` one.
        let parts_words = inside && start < marker.start;
        let glues = next && (ends_sentence && !inside || address || parts_words);
        (Span::new(start, marker.end), if glues { " " } else { "" })
    }

    /// Reference links whose definition goes get the address inline.
    pub(super) fn inline_links(&mut self) {
        let document = self.plan.document;
        let lists: Spans = self.plan.citations.lists.iter().map(|list| list.span).collect();
        let listed = document.definitions.iter().filter(|definition| lists.contain(definition.span));
        let entries: HashSet<&str> = listed.map(|definition| definition.address.as_str()).collect();
        if entries.is_empty() {
            return;
        }
        let markers = &self.plan.citations.markers;
        let in_formula = |link: &Link| {
            document.inlines_in(link.block, link.span).iter().any(|inline| inline.kind == InlineKind::Math)
        };
        let written: Spans = self.edits.iter().map(|edit| edit.span).collect();
        for link in document.links() {
            let by_label = matches!(link.style, LinkStyle::Reference | LinkStyle::Collapsed | LinkStyle::Shortcut);
            let at = markers.partition_point(|marker| marker.span.end <= link.span.start);
            // Words that link to a source stay words that link to it, whether they count as a citation or not.
            let is_marker = markers.get(at).is_some_and(|marker| marker.standalone && marker.span.overlaps(link.span));
            if by_label
                && !is_marker
                && entries.contains(link.address.as_str())
                && !self.is_deleted(link.span)
                && !in_formula(link)
                && !lists.overlap(link.span)
            {
                let tail = Span::new(link.text.end + 1, link.span.end);
                let address = format!("({})", crate::citation::written::destination(&link.address));
                let edit = Edit::new(tail, address, Cause::LinkInlined);
                self.edits.extend((!written.overlap(tail)).then_some(edit));
            }
        }
    }
}
