//! A leaf cut into pieces: its sentences and pictures with their bytes and their markers.
//!
//! A piece can be taken out of its leaf and leaves valid Markdown: emphasis, links and code are never cut. Where they
//! stand across a sentence end, the sentences on both sides are one piece.

use super::labels::is_caption_label;
use super::split::{Piece, Splitter};
use crate::citation::nearby::only_separates;
use crate::citation::{MarkerId, Placement};
use crate::markdown::rendered::is_line_break;
use crate::markdown::{BlockId, Document, Emphasis, Inline, InlineKind, Rendered};
use crate::pattern::Pattern;
use cited_text::sentence::{may_follow_a_stop, outside_brackets, sentences};
use cited_text::{Span, Spans};

/// What stands for a sentence that was left out; cited writes it where nothing else keeps the words around it apart.
pub(crate) const OMISSION: &str = "[…]";

/// How the task begins that cited writes in the place of a claim; it ends with `”.`.
pub(crate) const TASK: &str = "TODO: source for “";

/// What cited wrote in the place of sentences: omissions, behind the end of one, and tasks.
static WRITTEN: Pattern = Pattern::made(|| {
    let [omission, task] = [OMISSION, TASK].map(regex::escape);
    let end = r#"(?:^|[\n.!?…。！？”"’)）:：])[ \t]*"#;
    format!(r"(?s){end}((?:{omission}[ \t]*)+)|({task}(?:.*?”\.)?)")
});

/// Something that shows nothing and goes with a piece: a marker, a reference to a note.
#[derive(Debug, Clone, Copy)]
struct Attachment {
    span: Span,
    marker: Option<MarkerId>,
}

impl Splitter<'_> {
    /// The text of a leaf without markers, cut in its pieces, in order and disjoint, and the markers that none of them takes: the leaf
    /// holds nothing but markers, or lines of a source list stand between. `whole`: as one piece, whatever stops it has.
    pub(super) fn pieces(&self, leaf: BlockId, whole: bool) -> (Rendered, Vec<Piece>, Vec<MarkerId>) {
        let document = self.document;
        let content = document.content_span(leaf);
        let inlines = document.inlines(leaf);
        let markers = self.markers_of(leaf, content, inlines);
        let emphases = starting_in(&document.emphases, content);
        let listed: Vec<Span> = self.lists.within(content).collect();
        let hidden = self.hidden(leaf, &markers, &listed);
        let rendered = Rendered::render(document, leaf, &hidden);
        let (rest, end) = (rendered.text.trim_start().len(), rendered.text.trim_end().len());
        let mut shown = if whole {
            (rest > 0).then(|| Span::new(rendered.text.len() - rest, end)).into_iter().collect()
        } else {
            self.sentences(&listed, inlines, &hidden, &rendered)
        };
        // *Table 1. Costs by item* is one caption.
        if let [label, words, ..] = shown.as_mut_slice()
            && is_caption_label(label.slice(&rendered.text))
        {
            words.start = label.start;
            shown.remove(0);
        }
        let mut pieces: Vec<Piece> = shown
            .into_iter()
            .map(|shown| Piece { source: rendered.source(shown), shown, markers: Vec::new(), picture: None })
            .collect();
        let marked: Spans = markers.iter().map(|marker| marker.span).collect();
        add_pictures(&mut pieces, inlines, &marked, &rendered, whole);
        let loose = self.attach(&mut pieces, &markers, &listed, emphases);
        let units = units(document, content, inlines, emphases);
        merge_across(&mut pieces, &units);
        for unit in &units {
            let (from, to) = range(&pieces, unit.span);
            if let [only] = &mut pieces[from..to] {
                only.source = only.source.cover(unit.span);
            }
        }
        for i in 0..pieces.len() {
            // A backslash before the first shown byte belongs to it.
            let start = &mut pieces[i].source.start;
            let before = &document.text()[..*start];
            let backslashes = before.len() - before.trim_end_matches('\\').len();
            if backslashes % 2 == 1 && document.text()[*start..].starts_with(|c: char| c.is_ascii_punctuation()) {
                *start -= 1;
            }
            let start = *start;
            if let Some(before) = i.checked_sub(1).map(|before| &mut pieces[before].source) {
                before.end = before.end.min(start).max(before.start);
            }
        }
        (rendered, pieces, loose)
    }

    /// The markers of a leaf: those that are only citations, those whose words are part of the sentence; and notes, in the line or referred to.
    fn markers_of(&self, leaf: BlockId, content: Span, inlines: &[Inline]) -> Vec<Attachment> {
        let all = &self.citations.markers;
        let first = all.partition_point(|marker| marker.block < leaf);
        let own = (first..).zip(&all[first..]).take_while(|(_, marker)| marker.block == leaf);
        let own = own.map(|(at, marker)| Attachment { span: marker.span, marker: Some(MarkerId(at as u32)) });
        let mut found: Vec<Attachment> = own.collect();
        let marked: Spans = found.iter().map(|marker| marker.span).collect();
        let references = inlines.iter().filter(|inline| matches!(inline.kind, InlineKind::FootnoteReference(_)));
        let notes = references.map(|inline| inline.span).chain(self.document.notes.within(content));
        found.extend(notes.filter(|note| !marked.contain(*note)).map(|span| Attachment { span, marker: None }));
        found.sort_by_key(|attachment| attachment.span.start);
        found
    }

    /// The bytes of a leaf that are not shown: markers and citations that nothing explains, each with the space before it; lines of source lists.
    fn hidden(&self, leaf: BlockId, markers: &[Attachment], listed: &[Span]) -> Vec<Span> {
        let text = self.document.text();
        let unseen = markers.iter().filter(|found| found.marker.is_none_or(|id| self.citations.marker(id).standalone));
        let unseen: Vec<Span> = unseen.map(|found| found.span).collect();
        // What parts two citations goes with them.
        let runs = unseen.chunk_by(|a, b| text.get(a.end..b.start).is_some_and(only_separates));
        let runs = runs.map(|run| run[0].cover(run[run.len() - 1]));
        let (block, unlisted) = (self.document.block(leaf).span, &self.citations.unlisted);
        let unlisted = unlisted[unlisted.partition_point(|span| span.start < block.start)..].iter().copied();
        let unlisted = unlisted.take_while(|span| span.start < block.end);
        let hidden = runs.chain(unlisted).map(|span| {
            let before = span.before(text).trim_end_matches([' ', '\u{a0}', '\u{202f}', '\n', '\r']).len();
            // What opens a sentence, as `[cite_start]` does, leaves the space before it.
            let in_word = span.after(text).starts_with(char::is_alphanumeric);
            Span::new(if in_word { span.start } else { before }, span.end)
        });
        let mut hidden: Vec<Span> = hidden.chain(listed.iter().copied()).collect();
        hidden.sort_unstable();
        let mut end = 0;
        for span in &mut hidden {
            *span = Span::new(span.start.max(end), span.end.max(end));
            end = span.end;
        }
        hidden
    }

    /// The sentences of the shown text. A forced line end before a new start ends one too, and so do the sign of an
    /// omission and the lines of a source list.
    fn sentences(&self, listed: &[Span], inlines: &[Inline], hidden: &[Span], rendered: &Rendered) -> Vec<Span> {
        let text = rendered.text.as_str();
        let is_break = |inline: &&Inline| {
            let is_html = inline.kind == InlineKind::Html;
            inline.kind == InlineKind::HardBreak || is_html && is_line_break(self.document.slice(inline.span))
        };
        let mut cuts: Vec<Span> = inlines
            .iter()
            .filter(is_break)
            .map(|inline| Span::at(rendered.shown(inline.span.start)))
            .filter(|at| {
                let next = text[at.start..].trim_start().chars().next();
                next.is_some_and(|c| !c.is_lowercase()) && !text[..at.start].trim_end().ends_with([',', '，', '、'])
            })
            .collect();
        for found in WRITTEN.captures_iter(text) {
            cuts.extend(found.get(1).map(|omission| Span::from(omission.range())));
            // Whatever the neighbours of a task are, it is a sentence.
            if let Some(task) = found.get(2) {
                cuts.push(Span::at(task.start()));
                cuts.extend(task.as_str().ends_with('.').then(|| Span::at(task.end())));
            }
        }
        let at_citations = hidden.iter().filter_map(|marker| self.ends_at_a_citation(*marker));
        let at_citations = at_citations.map(|at| rendered.shown(at));
        // Behind an ordinary word a sentence would end there, too: so it does when the citation is gone.
        let at_citations: Vec<usize> = at_citations.filter(|at| may_follow_a_stop(&text[*at..])).collect();
        // No sentence ends inside a quotation or bracket.
        cuts.extend(outside_brackets(text, at_citations).map(Span::at));
        // *It was warm [@a]. @b counted 480 seats*: a key that is a part of its sentence may begin it.
        let keys = hidden.iter().filter(|marker| self.begins_a_sentence(**marker));
        cuts.extend(keys.map(|marker| Span::at(rendered.shown(marker.start))));
        cuts.extend(listed.iter().map(|line| Span::at(rendered.shown(line.start))));
        if cuts.is_empty() {
            return sentences(text);
        }
        cuts.sort_unstable();
        let mut found = Vec::new();
        let mut from = 0;
        for cut in cuts.into_iter().chain([Span::at(text.len())]) {
            if cut.start > from {
                let part = &text[from..cut.start];
                found.extend(sentences(part).into_iter().map(|span| Span::new(span.start + from, span.end + from)));
            }
            from = cut.end.max(from);
        }
        found
    }

    /// Where a sentence ends at a citation, whatever its last word is: nobody cites an abbreviation or an initial and goes on with a
    /// capital (`15 min [1]. Kettles`, `vitamin C [1]. Sailors`). Behind the stop (`min. [1] Kettles`) that is so where the document
    /// cites behind it, and of single letters anywhere.
    fn ends_at_a_citation(&self, marker: Span) -> Option<usize> {
        let text = self.document.text();
        let (before, behind) = (&text[..marker.start], &text[marker.end..]);
        let end = if behind.starts_with('.') {
            marker.end + 1
        } else {
            let mut last = before.strip_suffix('.')?.chars().rev();
            let letter = last.next().is_some_and(char::is_uppercase) && !last.next().is_some_and(char::is_alphanumeric);
            let word = before.trim_end_matches('.').ends_with(char::is_alphabetic);
            (letter || word && self.citations.placement == Placement::AfterStop).then_some(marker.end)?
        };
        // What closes behind the stop belongs to it.
        let rest = text[end..].trim_start_matches(['*', '_', '~', '”', '"', '’', '」']);
        let next = rest.strip_prefix(char::is_whitespace)?.trim_start();
        let label =
            next.strip_prefix('[').is_some_and(|inner| inner.starts_with(|c: char| c.is_ascii_digit() || c == '^'));
        // Behind a citation the stop is one, whatever follows; behind a word it may be that of an abbreviation.
        let begins = behind.starts_with('.') || !next.starts_with(char::is_lowercase);
        (begins && !label).then_some(text.len() - rest.len())
    }

    /// Whether a key of a bibliography without brackets stands right behind a stop.
    fn begins_a_sentence(&self, marker: Span) -> bool {
        let text = self.document.text();
        let before = text[..marker.start].trim_end_matches([' ', '\n', '*', '_', '”', '"', ')']);
        marker.slice(text).trim_start().starts_with('@') && before.ends_with(['.', '!', '?', ']'])
    }

    /// Gives each marker and note to a piece; hands back the markers that no piece takes.
    fn attach(
        &self,
        pieces: &mut [Piece],
        attachments: &[Attachment],
        listed: &[Span],
        emphases: &[Emphasis],
    ) -> Vec<MarkerId> {
        if pieces.is_empty() {
            return attachments.iter().filter_map(|attachment| attachment.marker).collect();
        }
        // Outer marks begin before inner ones, and may be longer.
        let mut openings: Vec<usize> = emphases.iter().map(|emphasis| emphasis.inner.start).collect();
        openings.sort_unstable();
        let leads = attachments.first().is_some_and(|first| first.span.end <= pieces[0].source.start);
        // The end of the last attachment and the piece it went to: one right behind it goes there too.
        let mut last: Option<(usize, usize)> = None;
        let mut loose = Vec::new();
        for attachment in attachments.iter().copied() {
            let at = pieces.partition_point(|piece| piece.source.end <= attachment.span.start);
            let inside = pieces.get(at).is_some_and(|piece| piece.source.start < attachment.span.end);
            let text = self.document.text();
            let follows = last.filter(|(end, piece)| {
                *piece + 1 >= at && text.get(*end..attachment.span.start).is_some_and(|gap| gap.trim().is_empty())
            });
            // `done.**[1] Next**`
            let opens =
                openings.binary_search(&attachment.span.start).is_ok() || self.begins_a_sentence(attachment.span);
            let choice = match follows {
                _ if inside || at == 0 => at,
                _ if at == pieces.len() => at - 1,
                _ if opens => at,
                Some((_, piece)) => piece,
                None => self.choose(pieces, at, attachment, leads),
            };
            let choice = choice.max(last.map_or(0, |(_, piece)| piece));
            let piece = &mut pieces[choice];
            // A line of a source list between them parts them.
            let reach = piece.source.cover(attachment.span);
            let inside = &listed[listed.partition_point(|line| line.start < reach.start)..];
            if inside.iter().take_while(|line| line.start < reach.end).any(|line| reach.contains(*line)) {
                loose.extend(attachment.marker);
                continue;
            }
            piece.source = reach;
            piece.markers.extend(attachment.marker);
            last = Some((attachment.span.end, choice));
        }
        loose
    }

    /// Whether an attachment between the pieces `at - 1` and `at` goes to the first or the second of them.
    fn choose(&self, pieces: &[Piece], at: usize, attachment: Attachment, leads: bool) -> usize {
        let before = at - 1;
        let text = self.document.text();
        let ends_line = |gap: &str| ["  \n", "\\\n", "<br"].iter().any(|end| gap.contains(end));
        let gap = &text[pieces[before].source.end..attachment.span.start];
        // Behind a forced line end it begins the next line.
        if ends_line(gap) {
            return at;
        }
        // `done.[1] Next`
        let glued =
            !gap.ends_with(char::is_whitespace) || ends_line(&text[attachment.span.end..pieces[at].source.start]);
        if glued || self.citations.placement == Placement::AfterStop || attachment.marker.is_none() {
            return before;
        }
        // A marker between two sentences where the habit is to cite before the stop: it starts the second one when the
        // block starts with a marker as well, or when the first sentence has its own citation already.
        if leads || !pieces[before].markers.is_empty() { at } else { before }
    }
}

/// Adds the pictures as pieces of their own, but for those inside a sentence.
fn add_pictures(pieces: &mut Vec<Piece>, inlines: &[Inline], marked: &Spans, rendered: &Rendered, whole: bool) {
    let sentences = pieces.len();
    for inline in inlines {
        let InlineKind::Image(id) = inline.kind else { continue };
        let (from, to) = range(&pieces[..sentences], inline.span);
        // A cell or heading with words is one piece, its pictures included.
        let alone = pieces.is_empty() || !whole;
        if from == to && alone && !marked.contain(inline.span) {
            let shown = Span::at(rendered.shown(inline.span.start));
            pieces.push(Piece { source: inline.span, shown, markers: Vec::new(), picture: Some(id) });
        }
    }
    if pieces.len() > sentences {
        pieces.sort_by_key(|piece| piece.source.start);
    }
}

/// What of a leaf is cut as a whole or not at all, with what of it may be cut without the rest, nothing of code and formulas: emphasis,
/// elements of HTML, links.
fn units(document: &Document, leaf: Span, inlines: &[Inline], emphases: &[Emphasis]) -> Vec<Emphasis> {
    let elements = starting_in(&document.elements, leaf).iter().filter(|element| leaf.contains(element.span));
    let marked = emphases.iter().chain(elements).copied();
    let links = document.links_in(leaf).iter().filter(|link| !link.image);
    let links = links.map(|link| Emphasis { span: link.span, inner: link.text });
    let set = inlines.iter().filter(|inline| matches!(inline.kind, InlineKind::Code | InlineKind::Math));
    let set = set.map(|inline| Emphasis { span: inline.span, inner: Span::at(inline.span.start) });
    let mut units: Vec<Emphasis> = marked.chain(links).chain(set).collect();
    units.sort_unstable_by_key(|unit| unit.span.start);
    units
}

fn starting_in(all: &[Emphasis], leaf: Span) -> &[Emphasis] {
    let from = all.partition_point(|one| one.span.start < leaf.start);
    &all[from..all.partition_point(|one| one.span.start < leaf.end).max(from)]
}

/// Where the pieces that share a byte with `span` begin and end.
fn range(pieces: &[Piece], span: Span) -> (usize, usize) {
    let from = pieces.partition_point(|piece| piece.source.end <= span.start);
    (from, pieces.partition_point(|piece| piece.source.start < span.end).max(from))
}

/// Joins the pieces on both sides of an end that lies inside a unit which one of them leaves. The units are in order of their starts.
fn merge_across(pieces: &mut Vec<Piece>, units: &[Emphasis]) {
    /// More rounds than any text written by people needs; after them the leaf is one piece.
    const ROUNDS: usize = 4;
    for round in 0..=ROUNDS {
        // Whether each is joined to the one before it; up to where that is known.
        let (mut joined, mut reach) = (vec![false; pieces.len()], 0);
        for Emphasis { span, inner } in units {
            let (from, to) = range(pieces, *span);
            if let [first, .., last] = &pieces[from..to]
                && !inner.contains(first.source.cover(last.source))
            {
                joined[reach.max(from + 1).min(to)..to].fill(true);
                reach = reach.max(to);
            }
        }
        if !joined.contains(&true) {
            return;
        }
        if round == ROUNDS {
            joined.fill(true);
        }
        let mut joined = joined.into_iter().skip(1);
        pieces.dedup_by(|piece, last| {
            let is_joined = joined.next() == Some(true);
            if is_joined {
                last.source = last.source.cover(piece.source);
                last.shown = if last.shown.is_empty() { piece.shown } else { last.shown.cover(piece.shown) };
                last.markers.append(&mut piece.markers);
                // A sentence with a picture in it is a sentence.
                last.picture = last.picture.filter(|_| last.shown.is_empty());
            }
            is_joined
        });
    }
}
