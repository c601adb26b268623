//! Notes in the line, `text^[Smith 2020, https://…]`, as Pandoc writes them: footnotes whose text stands at their place.

use memchr::memmem;

use super::parts::{Inline, InlineKind};
use cited_text::Span;

/// What a note begins with.
const OPEN: &str = "^[";

/// The notes in a leaf with these inlines, in order. A raised number `^[3]` or link `^[a](url)^` is none.
pub(super) fn find(text: &str, inlines: &[Inline]) -> Vec<Span> {
    let ([first, ..], Some(last)) = (inlines, inlines.last()) else { return Vec::new() };
    let own = Span::new(first.span.start, last.span.end);
    let starts = memmem::find_iter(own.slice(text).as_bytes(), OPEN).map(|at| own.start + at);
    let is_escaped = |start: &usize| text[..*start].ends_with('\\');
    starts.filter(|start| !is_escaped(start)).filter_map(|start| note_at(text, inlines, start)).collect()
}

/// The most bytes of a note.
const LONGEST: usize = 4096;

/// The note that begins at a byte, up to the bracket that closes it: those of code and links are none of its own.
fn note_at(text: &str, inlines: &[Inline], start: usize) -> Option<Span> {
    let from = inlines.partition_point(|inline| inline.span.end <= start);
    let near = inlines[from..].iter().take_while(|inline| inline.span.start < start + LONGEST);
    let mut depth = 0;
    for inline in near.filter(|inline| inline.kind == InlineKind::Text && inline.link.is_none()) {
        let part = Span::new(inline.span.start.max(start), inline.span.end);
        let signs = part.slice(text).char_indices().map(|(at, c)| (part.start + at, c));
        for (at, c) in signs.take_while(|(at, _)| *at < start + LONGEST) {
            match c {
                // The inline of what is escaped begins behind the backslash.
                _ if text[..at].ends_with('\\') => {}
                // The bracket of a link is in no inline.
                '[' if depth == 0 && at != start + 1 => return None,
                '[' => depth += 1,
                ']' if depth == 1 => {
                    let note = Span::new(start, at + 1);
                    let has_word = note.slice(text).split(|c: char| !c.is_alphabetic()).any(|word| word.len() > 1);
                    let is_raised = note.after(text).starts_with(['^', '(']) || note.before(text).ends_with('[');
                    return (has_word && !is_raised).then_some(note);
                }
                ']' => depth -= 1,
                _ if depth == 0 && at > start => return None,
                _ => {}
            }
        }
    }
    None
}
