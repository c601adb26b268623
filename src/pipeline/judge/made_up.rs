//! The text of a page without the parts whose data were made up by its own words.

use cited_text::Span;

/// A text with blanks in the place of these parts: what stands around them keeps its place.
pub(super) fn blanked(text: &str, parts: &[Span]) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut done = 0;
    for part in parts {
        kept.push_str(&text[done..part.start]);
        kept.extend(part.slice(text).bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        done = part.end;
    }
    kept.push_str(&text[done..]);
    kept
}
