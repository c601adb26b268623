//! The check of the result: the brief is read again before anything is written.
//!
//! Promise 5 (cited = listed = 1..n in order of first appearance), no marker without a source, and the same blocks
//! outside the edits.

use std::collections::HashSet;

use super::edit::{Because, Edit};
use super::holes::Holes;
use crate::citation::{Citations, Label, Target};
use crate::markdown::{Block, BlockKind, Document};
use crate::text::{Span, Spans, lines::LineIndex};

/// Reads the brief again and compares it with what was meant. `Err` says what is wrong, and where.
pub fn check(
    before: (&Document, &Citations),
    holes: &Holes,
    after: (&Document, &Citations),
    links_count: bool,
) -> Result<(), String> {
    numbers(after.0, after.1, links_count)?;
    structure(before, holes, after)
}

/// Promise 5 on a finished document. `links_count` says that words that link to a source cite it without a number.
pub fn numbers(document: &Document, citations: &Citations, links_count: bool) -> Result<(), String> {
    let lines = LineIndex::new(document.text());
    let place = |span: Span| {
        let (line, column) = lines.line_column(document.text(), span.start);
        format!("line {line}, column {column} of the brief")
    };
    let listed: Vec<&Option<Label>> = citations.lists.iter().flat_map(|l| l.entries.iter().map(|e| &e.label)).collect();
    let mut next = 1;
    let mut seen = HashSet::new();
    for marker in citations.markers.iter().filter(|marker| marker.standalone || links_count) {
        for target in &marker.targets {
            let label = match target {
                Target::Entry(id) => &citations.lists[id.list as usize].entries[id.entry as usize].label,
                Target::Label(label) => {
                    return Err(format!("citation [{label}] has no entry, {}", place(marker.span)));
                }
                // Words that link to a page that is no source here are words.
                Target::Address(_) if !marker.standalone => continue,
                Target::Address(address) => return Err(format!("{address} is not listed, {}", place(marker.span))),
            };
            let Some(Label::Number(number)) = label else {
                return Err(format!("an entry without a number is cited, {}", place(marker.span)));
            };
            if seen.insert(*number) {
                if *number != next {
                    return Err(format!("[{number}] appears where [{next}] should, {}", place(marker.span)));
                }
                next += 1;
            }
        }
    }
    for (i, label) in listed.iter().enumerate() {
        if **label != Some(Label::Number(i as u32 + 1)) {
            return Err(format!("entry {} of the source list has another number", i + 1));
        }
    }
    if listed.len() != seen.len() {
        return Err(format!("{} sources are listed and {} are cited", listed.len(), seen.len()));
    }
    Ok(())
}

/// What keeps text that is no citation in the draft from being read as one in the brief, where the numbers have another
/// meaning: `[2]` in a draft that cites by footnotes. The edits are for the draft.
pub fn escapes(draft: &str, before: &Citations, edits: &[Edit], after: &Citations) -> Vec<Edit> {
    let mut found = Vec::new();
    let (mut kept, mut written) = (0, 0);
    let mut markers = after.markers.iter().filter(|marker| marker.standalone).peekable();
    let end = Edit::new(Span::at(draft.len()), "", Because::Escaped);
    for edit in edits.iter().chain([&end]) {
        let stop = written + edit.span.start.saturating_sub(kept);
        while let Some(marker) = markers.next_if(|marker| marker.span.start < stop) {
            if marker.span.start < written || marker.span.end > stop {
                continue;
            }
            let span = Span::new(marker.span.start - written + kept, marker.span.end - written + kept);
            let at = before.markers.partition_point(|marker| marker.span.end <= span.start);
            let known = before.markers.get(at).is_some_and(|marker| marker.span.start < span.end);
            if !known {
                found.extend(escape(draft, span));
            }
        }
        written = stop + edit.replacement.len();
        kept = edit.span.end;
    }
    found
}

/// Breaks the form of a citation without a trace for the reader of the page.
fn escape(draft: &str, marker: Span) -> Vec<Edit> {
    let written = marker.of(draft);
    let signs: Vec<usize> = written
        .char_indices()
        .filter(|(i, c)| matches!(c, '[' | '^') && !written[..*i].ends_with(['\\', '[']))
        .map(|(i, _)| i)
        .collect();
    let insert = |at: usize, words: &str| Edit::new(Span::at(marker.start + at), words, Because::Escaped);
    if !signs.is_empty() && !written.contains('<') {
        return signs.into_iter().map(|at| insert(at, "\\")).collect();
    }
    let inside = written.find('>').map(|at| at + 1).or_else(|| written.chars().next().map(char::len_utf8));
    inside.into_iter().map(|at| insert(at, super::cut::SEPARATOR)).collect()
}

/// The same blocks in the same order and depth, apart from those that went and those that cited writes.
fn structure(before: (&Document, &Citations), holes: &Holes, after: (&Document, &Citations)) -> Result<(), String> {
    let written_by_us = |citations: &Citations, document: &Document| -> Spans {
        let parts = citations.lists.iter().flat_map(|list| list.parts(document));
        citations.own_sections.iter().copied().chain(parts).collect()
    };
    let own = |written: &Spans, document: &Document, span: Span| {
        written.overlap(Span::new(span.start, span.start + document.slice(span).trim_end().len()))
    };
    let (document, citations) = before;
    let written = written_by_us(citations, document);
    let kept = document
        .blocks()
        .filter(|(id, block)| {
            !holes.goes(*id)
                && !document.ancestors(*id).any(|ancestor| holes.goes(ancestor))
                && !own(&written, document, block.span)
        })
        .map(|(_, block)| block);
    let (document, citations) = after;
    let written = written_by_us(citations, document);
    let found = document
        .blocks()
        .filter(|(_, block)| !own(&written, document, block.span) && !is_separator(document, block))
        .map(|(_, block)| block);
    let lines = LineIndex::new(document.text());
    let document_before = before.0;
    let mut kept = kept.filter(|block| !is_bare_leaf(&block.kind) && !is_separator(document_before, block));
    let mut found = found.filter(|block| !is_bare_leaf(&block.kind));
    loop {
        match (kept.next(), found.next()) {
            (None, None) => return Ok(()),
            (Some(a), Some(b)) if same_kind(&a.kind, &b.kind) => {}
            (a, b) => {
                let line = b.map_or(lines.line(document.text().len()), |block| lines.line(block.span.start));
                let name =
                    |block: Option<&Block>| block.map_or("the end".to_owned(), |block| format!("{:?}", block.kind));
                return Err(format!("line {line} of the brief is {} where {} was meant", name(b), name(a)));
            }
        }
    }
}

/// Paragraphs that the reader makes up for tight items come and go with their text.
fn is_bare_leaf(kind: &BlockKind) -> bool {
    matches!(kind, BlockKind::Paragraph)
}

/// What cited puts between blocks that would become one.
fn is_separator(document: &Document, block: &Block) -> bool {
    block.kind == BlockKind::Html && document.slice(block.span).trim() == super::cut::SEPARATOR
}

fn same_kind(a: &BlockKind, b: &BlockKind) -> bool {
    match (a, b) {
        // A list that lost its first items may start at another number.
        (BlockKind::List(a), BlockKind::List(b)) => a.is_some() == b.is_some(),
        (a, b) => a == b,
    }
}
