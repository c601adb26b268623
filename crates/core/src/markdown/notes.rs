//! Notes in the line, `text^[Smith 2020, https://…]`, as Pandoc writes them: footnotes whose text stands at their place.

use super::math;
use super::parts::{Inline, InlineKind};
use crate::pattern::Pattern;
use cited_text::Span;

/// A note, with brackets in brackets; and escapes, which are passed over.
static NOTE: Pattern = Pattern::new(r"(?s)\\.|\^\[(?:[^\[\]\\]|\\.|\[(?:[^\[\]\\]|\\.)*\])*\]");

/// The most bytes of a note.
const LONGEST: usize = 4096;

/// The notes in a leaf with these inlines, in order: brackets of code and links are none of their own. A raised number `^[3]` or link
/// `^[a](url)^` is none.
pub(super) fn find(text: &str, inlines: &[Inline]) -> Vec<Span> {
    let is_own = |inline: &Inline| inline.kind == InlineKind::Text && inline.link.is_none();
    let (start, words) = math::only(text, inlines, [b'^', b'^'], is_own);
    let found = NOTE.find_iter(&words).map(|note| Span::new(start + note.start(), start + note.end()));
    let is_note = |note: &Span| {
        let own = note.slice(text);
        let is_raised = note.after(text).starts_with(['^', '(']) || note.before(text).ends_with('[');
        let has_word = || own.split(|c: char| !c.is_alphabetic()).any(|word| word.len() > 1);
        own.starts_with('^') && own.len() <= LONGEST && !is_raised && has_word()
    };
    found.filter(is_note).collect()
}
