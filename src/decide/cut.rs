//! Byte ranges that take whole lines out of a document without leaving piles of blank lines or gluing blocks together.

use crate::markdown::{BlockId, BlockKind, Document};
use crate::text::Span;
use crate::text::lines::{line_end, line_start, line_stop};

/// A range to delete and what has to stand in its place: nothing, or an empty line that keeps two blocks apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Deletion {
    pub(super) span: Span,
    pub(super) replacement: String,
}

/// Whether a line has nothing but white space and quote marks.
fn is_blank(line: &str) -> bool {
    line.bytes().all(|b| b.is_ascii_whitespace() || b == b'>')
}

/// The bytes to delete when `block` goes and what it stands in stays.
///
/// A block on lines of its own goes with them. A block that shares its first line with the bullet or label of what it
/// stands in leaves that; what follows moves up beside it, unless it is a list.
pub(super) fn of_block(document: &Document, block: BlockId) -> Span {
    let text = document.text();
    let span = document.block(block).span;
    let content_end = span.start + document.slice(span).trim_end_matches(is_filler).len();
    let start = line_start(text, span.start);
    let before = &text[start..span.start];
    let own_line = before.chars().all(|c| c.is_whitespace() || matches!(c, '>' | '|' | '\u{feff}'));
    if own_line {
        // The byte order mark is not part of any line.
        let start = if before.starts_with('\u{feff}') { start + '\u{feff}'.len_utf8() } else { start };
        return Span::new(start, line_stop(text, content_end));
    }
    match next_sibling(document, block) {
        Some(next) if matches!(document.block(next).kind, BlockKind::Paragraph) => {
            Span::new(span.start, document.block(next).span.start)
        }
        _ => {
            let rest = &text[content_end..];
            let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            Span::new(start + before.trim_end().len(), content_end + blank)
        }
    }
}

fn is_filler(c: char) -> bool {
    c.is_whitespace() || c == '>'
}

fn next_sibling(document: &Document, block: BlockId) -> Option<BlockId> {
    let siblings = match document.block(block).parent {
        Some(parent) => document.block(parent).children.as_slice(),
        None => document.roots(),
    };
    let at = siblings.binary_search(&block).ok()?;
    siblings.get(at + 1).copied()
}

/// Joins ranges of lines that only blank lines part, and settles the blank lines around each.
///
/// `ranges` may come in any order and overlap.
pub(super) fn settle(document: &Document, mut ranges: Vec<Span>) -> Vec<Deletion> {
    let text = document.text();
    ranges.sort_unstable();
    let mut joined: Vec<Span> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut() {
            Some(last)
                if range.start < last.end || (ends_line(text, last.end) && is_blank(&text[last.end..range.start])) =>
            {
                last.end = last.end.max(range.end);
            }
            _ => joined.push(range),
        }
    }
    joined.into_iter().map(|range| settle_one(text, range)).collect()
}

fn settle_one(text: &str, range: Span) -> Deletion {
    let keep = |span| Deletion { span, replacement: String::new() };
    let whole_lines = line_start(text, range.start) == range.start && ends_line(text, range.end);
    if !whole_lines {
        return keep(range);
    }
    let top = text.starts_with('\u{feff}').then_some('\u{feff}'.len_utf8()).unwrap_or_default();
    let before = line_before(text, range.start, top);
    let blank_before = before.is_none_or(|line| is_blank(line.of(text)));
    let after = line_after(text, range.end);
    let blank_after = after.is_none_or(|line| is_blank(line.of(text)));
    let (mut start, mut end) = (range.start, range.end);
    match (blank_before, blank_after) {
        (true, true) => {
            while let Some(line) = line_after(text, end).filter(|line| is_blank(line.of(text))) {
                end = line.end;
            }
            if end == text.len() {
                while let Some(line) = line_before(text, start, top).filter(|line| is_blank(line.of(text))) {
                    start = line.start;
                }
            }
            keep(Span::new(start, end))
        }
        (false, false) if !both_items(text, before, after) => {
            let prefix: String =
                before.map_or("", |line| line.of(text)).chars().take_while(|c| matches!(c, ' ' | '>')).collect();
            let prefix = prefix.trim_end().to_owned();
            Deletion { span: range, replacement: prefix + line_end(text) }
        }
        _ => keep(range),
    }
}

fn ends_line(text: &str, offset: usize) -> bool {
    offset == text.len() || (offset > 0 && text.as_bytes()[offset - 1] == b'\n')
}

fn line_before(text: &str, offset: usize, top: usize) -> Option<Span> {
    (offset > top).then(|| Span::new(line_start(text, offset - 1).max(top), offset))
}

fn line_after(text: &str, offset: usize) -> Option<Span> {
    (offset < text.len()).then(|| Span::new(offset, line_stop(text, offset)))
}

/// Whether the lines around a hole belong to one list or table, where a blank line would change what they are.
fn both_items(text: &str, before: Option<Span>, after: Option<Span>) -> bool {
    let (Some(before), Some(after)) = (before, after) else { return false };
    let after = after.of(text).trim_start_matches([' ', '\t', '>']);
    let before = before.of(text).trim_start_matches([' ', '\t', '>']);
    starts_item(after) || (before.contains('|') && after.contains('|'))
}

/// Whether a line starts a list item.
pub(super) fn starts_item(line: &str) -> bool {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = if (1..=9).contains(&digits) {
        line[digits..].strip_prefix(['.', ')'])
    } else {
        line.strip_prefix(['-', '*', '+'])
    };
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']))
}
