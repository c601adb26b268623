//! Byte ranges that take whole lines out of a document without leaving piles of blank lines or gluing blocks together.

use super::edit::{Cause, Edit};
use crate::markdown::{Block, BlockId, BlockKind, Document, SEPARATOR};
use cited_text::lines::{line_start, line_stop};
use cited_text::{Span, Spans};

/// A range goes, and what has to stand in its place: nothing, or an empty line that keeps two blocks apart.
pub(super) fn deletion(span: Span, instead: impl Into<String>) -> Edit {
    Edit::new(span, instead, Cause::HoleMended)
}

/// Whether a line has nothing but white space and, inside a quote, quote marks.
fn is_blank(line: &str, quoted: bool) -> bool {
    line.bytes().all(|b| b.is_ascii_whitespace() || quoted && b == b'>')
}

/// Whether the line that `offset` stands on begins with a quote mark.
fn is_quoted(text: &str, offset: usize) -> bool {
    text[line_start(text, offset)..].trim_start_matches([' ', '\t', '\u{feff}']).starts_with('>')
}

/// What to delete when `block` goes and what it stands in stays.
///
/// A block on lines of its own goes with them. A block that shares its first line with the bullet or label of what it
/// stands in leaves that; what follows moves up beside it, unless it is a list.
pub(super) fn of_block(document: &Document, block: BlockId, goes: impl Fn(BlockId) -> bool) -> Edit {
    let text = document.text();
    let span = document.block(block).span;
    let content_end = span.start + document.slice(span).trim_end_matches(is_filler).len();
    let start = line_start(text, span.start);
    let before = &text[start..span.start];
    let own_line = before.chars().all(|c| c.is_whitespace() || matches!(c, '>' | '|' | '\u{feff}'));
    if own_line {
        return of_lines(text, Span::new(span.start, content_end));
    }
    // The block that follows once those that go are gone.
    let next = document.neighbours(block).1.iter().find(|sibling| !goes(**sibling));
    match next.map(|next| document.block(*next)) {
        Some(next) if next.kind == BlockKind::Paragraph => deletion(Span::new(span.start, next.span.start), ""),
        // A bullet with nothing on its line and an empty line after it would be an empty item, without what follows.
        Some(next) if memchr::memchr_iter(b'\n', &text.as_bytes()[content_end..next.span.start]).count() > 1 => {
            deletion(Span::new(span.start, content_end), SEPARATOR)
        }
        _ => {
            let rest = &text[content_end..];
            let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            deletion(Span::new(start + before.trim_end().len(), content_end + blank), "")
        }
    }
}

/// What to delete when `span` goes: the whole lines that hold it, when nothing else stands on them; else `span` itself.
pub(super) fn of_lines(text: &str, span: Span) -> Edit {
    let start = line_start(text, span.start);
    let stop = line_stop(text, span.end.saturating_sub(1).max(span.start));
    let is_empty = |part: &str| part.chars().all(|c| c.is_whitespace() || matches!(c, '>' | '|' | '\u{feff}'));
    if is_empty(&text[start..span.start]) && is_empty(&text[span.end.min(stop)..stop]) {
        // The byte order mark is not part of any line.
        let mark = text[start..].chars().next().filter(|c| *c == '\u{feff}').map_or(0, char::len_utf8);
        return deletion(Span::new(start + mark, stop), "");
    }
    deletion(span, "")
}

fn is_filler(c: char) -> bool {
    c.is_whitespace() || c == '>'
}

/// Joins ranges of lines that only blank lines part, and settles the blank lines around each.
///
/// `deletions` may come in any order and overlap.
pub(super) fn settle(document: &Document, deletions: Vec<Edit>) -> Vec<Edit> {
    let text = document.text();
    let (ranges, replacing): (Vec<Edit>, Vec<Edit>) =
        deletions.into_iter().partition(|deletion| deletion.replacement.is_empty());
    let mut joined: Vec<Span> = ranges.into_iter().map(|deletion| deletion.span).collect();
    joined.sort_unstable();
    joined.dedup_by(|range, last| {
        let blank = |gap: &str| is_blank(gap, is_quoted(text, last.start));
        let joins = range.start < last.end || ends_line(text, last.end) && blank(&text[last.end..range.start]);
        last.end = if joins { last.end.max(range.end) } else { last.end };
        joins
    });
    let mut settled: Vec<Edit> = joined.iter().map(|range| settle_one(document, *range)).collect();
    let joined: Spans = joined.into_iter().collect();
    settled.extend(replacing.into_iter().filter(|deletion| !joined.overlap(deletion.span)));
    settled
}

/// Whether a list or footnote that ends before `span` and one that starts after it would be read as one: what is indented behind a footnote is
/// part of it, as behind an item.
fn would_join(document: &Document, span: Span) -> bool {
    let text = document.text();
    let is_list = |block: &Block| matches!(block.kind, BlockKind::List(_) | BlockKind::FootnoteDefinition(_));
    let start = span.end + text[span.end..].len() - text[span.end..].trim_start_matches(['\n', '\r']).len();
    let mut line = document.blocks_from(start).take_while(|(_, block)| block.span.start < line_stop(text, start));
    let Some((after, list)) = line.find(|(_, block)| is_list(block)) else { return false };
    let end = text[..span.start].trim_end_matches(is_filler).len();
    let (before, _) = document.neighbours(after);
    let last = before.partition_point(|sibling| document.block(*sibling).span.start < end).checked_sub(1);
    let Some(last) = last.map(|last| document.block(before[last])) else { return false };
    // What marks the items of a list: its bullet, or what stands after its numbers.
    let bullet = |list: &Block| document.slice(list.span).trim_start().chars().find(|c| !c.is_ascii_digit());
    let ends = last.span.start + document.slice(last.span).trim_end_matches(is_filler).len();
    is_list(last) && ends == end && bullet(last) == bullet(list)
}

fn settle_one(document: &Document, range: Span) -> Edit {
    let text = document.text();
    if line_start(text, range.start) != range.start || !ends_line(text, range.end) {
        return deletion(range, "");
    }
    let quoted = is_quoted(text, range.start);
    let top = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let before = line_before(text, range.start, top);
    let blank_before = before.is_none_or(|line| is_blank(line.slice(text), quoted));
    let after = line_after(text, range.end);
    let blank_after = after.is_none_or(|line| is_blank(line.slice(text), quoted));
    let opens_part = || {
        let first = document.blocks_from(range.end).next();
        let first = first.filter(|(_, block)| after.is_some_and(|line| block.span.start < line.end));
        first.is_some_and(|(_, block)| matches!(block.kind, BlockKind::List(_) | BlockKind::Item | BlockKind::TableRow))
    };
    let (mut start, mut end) = (range.start, range.end);
    match (blank_before, blank_after) {
        _ if would_join(document, range) => {
            while let Some(line) = line_after(text, end).filter(|line| is_blank(line.slice(text), quoted)) {
                end = line.end;
            }
            let next = line_after(text, end).map_or("", |line| line.slice(text));
            let prefix = &next[..next.len() - next.trim_start_matches([' ', '\t', '>']).len()];
            let eol = document.line_end();
            let blank = prefix.trim_end();
            deletion(Span::new(start, end), format!("{prefix}{SEPARATOR}{eol}{blank}{eol}"))
        }
        (true, true) => {
            let blank = |line: &Span| is_blank(line.slice(text), quoted) && (!quoted || is_quoted(text, line.start));
            while let Some(line) = line_after(text, end).filter(blank) {
                end = line.end;
            }
            let ends_quote = quoted && line_after(text, end).is_some_and(|line| !is_quoted(text, line.start));
            if end == text.len() || ends_quote {
                while let Some(line) = line_before(text, start, top).filter(|line| is_blank(line.slice(text), quoted)) {
                    start = line.start;
                }
            }
            deletion(Span::new(start, end), "")
        }
        // A blank line between items or rows would change what they are.
        (false, false) if !opens_part() => {
            let before = before.map_or("", |line| line.slice(text));
            // A quote mark on the empty line would make one quote of two.
            let marks = if quoted { before.len() - before.trim_start_matches([' ', '>']).len() } else { 0 };
            let prefix = &before[..marks];
            deletion(range, prefix.trim_end().to_owned() + document.line_end())
        }
        _ => deletion(range, ""),
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
