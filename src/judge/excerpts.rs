//! What an outside judge is shown of a page: the units of evidence that have most of a claim, with what they hang on.

use crate::evidence::search::{SourceIndex, terms};
use crate::evidence::{ContextKind, Evidence, Passage, Row, UnitKind};
use crate::text::Span;

/// So many excerpts at most, …
const MOST: usize = 5;
/// … of so many bytes together …
const MOST_BYTES: usize = 4_000;
/// … and each of so many. A table up to this size is shown whole: its rows are read against each other.
const LONGEST: usize = 1_600;
/// A sentence is shown with those beside it, so many bytes to each side.
const BESIDE: usize = 300;

/// The parts of a page that speak to a claim, best first: each with its headings, and a row of a table with the heads of its columns.
/// `passage` is what a verdict rests on; it comes first.
pub(super) fn excerpts(
    claim: &str,
    passage: Option<&Passage>,
    index: &SourceIndex<'_>,
    evidence: &Evidence,
) -> Vec<String> {
    let windows = index.search(&terms(claim), MOST);
    let mut places: Vec<usize> = passage.into_iter().map(|passage| index.sentence_at(passage.offsets.start)).collect();
    places.extend(windows.iter().flat_map(|window| window.first..=window.last));
    // Of a claim in wholly other words the page's beginning says most.
    places.extend(0..index.len().min(MOST));
    let mut shown: Vec<Span> = Vec::new();
    let mut found = Vec::new();
    let mut bytes = 0;
    for place in places {
        let sentence = index.span_of(place, place);
        if found.len() >= MOST || shown.iter().any(|span| span.has(sentence.start)) {
            continue;
        }
        let (span, text) = excerpt(index, evidence, place, sentence);
        if bytes > 0 && bytes + text.len() > MOST_BYTES {
            continue;
        }
        bytes += text.len();
        shown.push(span);
        found.push(text);
    }
    found
}

/// A sentence or a row with what it hangs on, and how much of the page that is.
fn excerpt(index: &SourceIndex<'_>, evidence: &Evidence, place: usize, sentence: Span) -> (Span, String) {
    let page = index.text();
    let Some(unit) = evidence.unit_at(sentence.start) else { return (sentence, cut(sentence.of(page)).to_owned()) };
    let mut lines: Vec<String> = Vec::new();
    let headings: Vec<&str> = unit.hangs_on(ContextKind::Heading).map(|span| span.of(page).trim()).collect();
    if !headings.is_empty() {
        lines.push(headings.join(" > "));
    }
    if let UnitKind::Row { table, row } = unit.kind
        && let Some(table) = evidence.tables().get(table)
    {
        lines.extend(table.titles.iter().map(|title| title.of(page).trim().to_owned()));
        let whole = table.span.len() <= LONGEST;
        let rows = table.rows.iter().enumerate().filter(|(at, one)| whole || one.is_head || *at == row);
        lines.extend(rows.map(|(_, row)| row_of(page, row)));
        return (if whole { table.span } else { unit.span }, lines.join("\n"));
    }
    let hung = [ContextKind::Introduction, ContextKind::RowHead, ContextKind::Speaker, ContextKind::Date];
    lines.extend(hung.into_iter().flat_map(|kind| unit.hangs_on(kind)).map(|span| span.of(page).trim().to_owned()));
    let (mut first, mut last) = (place, place);
    let beside =
        |other: usize| evidence.unit_at(index.span_of(other, other).start).is_some_and(|one| one.kind == unit.kind);
    while first > 0 && sentence.start - index.span_of(first - 1, first - 1).start <= BESIDE && beside(first - 1) {
        first -= 1;
    }
    while last + 1 < index.len() && index.span_of(last + 1, last + 1).end - sentence.end <= BESIDE && beside(last + 1) {
        last += 1;
    }
    let span = index.span_of(first, last);
    lines.push(cut(span.of(page).trim()).to_owned());
    (span, lines.join("\n"))
}

/// A row as a line, its cells parted by bars; a cell that reaches over several columns stands once.
fn row_of(page: &str, row: &Row) -> String {
    let mut cells: Vec<Span> = row.cells.iter().map(|cell| cell.span).collect();
    cells.dedup();
    let cells: Vec<&str> = cells.into_iter().map(|span| span.of(page).trim()).collect();
    if cells.is_empty() { row.group.map_or("", |group| group.of(page).trim()).to_owned() } else { cells.join(" | ") }
}

fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST)]
}
