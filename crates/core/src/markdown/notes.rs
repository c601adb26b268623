//! Notes in the line, `text^[Smith 2020, https://…]`, as Pandoc writes them: footnotes whose text stands at their place.

use memchr::memmem;

use super::document::Document;
use super::parts::{Inline, InlineKind};
use cited_text::Span;

/// What a note begins with.
const OPEN: &str = "^[";

/// The notes of a document, in order. A raised number `^[3]` or link `^[a](url)^` is none.
pub(super) fn find(document: &Document) -> impl Iterator<Item = Span> + '_ {
    let text = document.text();
    let starts: Vec<usize> = memmem::find_iter(text.as_bytes(), OPEN).collect();
    document.leaves().flat_map(move |(id, block)| {
        let from = starts.partition_point(|at| *at < block.span.start);
        let own = starts[from..].iter().copied().take_while(move |at| *at < block.span.end);
        own.filter_map(move |at| note_at(text, document.inlines(id), at)).collect::<Vec<_>>()
    })
}

/// The note that begins at a byte, up to the bracket that closes it: those of code and links are none of its own.
fn note_at(text: &str, inlines: &[Inline], start: usize) -> Option<Span> {
    let is_text = |inline: &&Inline| inline.kind == InlineKind::Text && inline.link.is_none();
    let mut depth = 0;
    for inline in inlines.iter().filter(is_text).filter(|inline| inline.span.end > start) {
        if depth == 0 && inline.span.start > start {
            return None;
        }
        for (at, c) in inline.span.slice(text).char_indices().map(|(at, c)| (inline.span.start + at, c)) {
            if at < start || text[..at].ends_with('\\') {
                continue;
            }
            match c {
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
