//! References to footnotes that a document does not define: Markdown shows their brackets.

use crate::citation::Citations;
use crate::finding::{Code, Finding};
use crate::markdown::{BlockKind, Document, InlineKind};
use cited_text::{Span, Spans};

/// What a reference begins with.
const OPEN: &str = "[^";

/// The references of `document` to footnotes that neither it nor a list of its citations defines.
///
/// In a document without a footnote, brackets with `^` may be a pattern (`[^a-z]`): there only what stands right behind a word
/// and is not repeated by a sign of patterns is a reference.
pub fn undefined(document: &Document, citations: &Citations) -> Vec<Finding> {
    let text = document.text();
    let has_footnotes = document.blocks().any(|(_, block)| matches!(block.kind, BlockKind::FootnoteDefinition(_)));
    let mut found = Vec::new();
    for (id, _) in document.leaves() {
        for inline in document.inlines(id) {
            if inline.kind != InlineKind::Text || inline.link.is_some() {
                continue;
            }
            // A label may be cut into several inlines: the text itself is read on from where one begins.
            let own = inline.span.slice(text);
            let starts = memchr::memmem::find_iter(own.as_bytes(), OPEN).map(|at| inline.span.start + at);
            found.extend(starts.filter_map(|start| reference(text, start, has_footnotes)));
        }
    }
    let open = citations.findings.iter().filter(|finding| finding.code == Code::OrphanCitation);
    let open: Spans = open.filter_map(|finding| finding.span).collect();
    let markers = citations.markers.iter().filter(|marker| !marker.targets.is_empty());
    let cited: Spans = markers.map(|marker| marker.span).collect();
    found.retain(|span| !cited.overlap(*span) || open.overlap(*span));
    let tell = |span: Span| {
        let message = format!("the footnote {} is not defined", span.slice(text));
        Finding::new(Code::UndefinedFootnote, message).at(span).remedy("define it, or take the reference away")
    };
    found.into_iter().map(tell).collect()
}

/// The reference that begins at `start`.
fn reference(text: &str, start: usize, has_footnotes: bool) -> Option<Span> {
    let label = &text[start + OPEN.len()..];
    let length = label.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':')))?;
    let rest = label[length..].strip_prefix(']').filter(|_| length > 0)?;
    let before = text[..start].chars().next_back();
    let behind_word = before.is_some_and(|c| {
        c.is_alphanumeric() || matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '"' | ')' | '”' | '。')
    });
    let is_pattern = rest.starts_with(['+', '*', '?', '{', '(', ':']);
    let meant = if has_footnotes { !rest.starts_with(':') } else { behind_word && !is_pattern };
    let span = Span::new(start, start + OPEN.len() + length + 1);
    (meant && before != Some('\\')).then_some(span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::citation::{self, KnownLabels};

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let document = Document::read(text);
        let citations = citation::read(&document, &KnownLabels::default());
        let findings = undefined(&document, &citations);
        let found: Vec<_> = findings.iter().filter_map(|finding| Some(document.slice(finding.span?))).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn references_without_a_definition_are_told() {
        check("A word[^1] and another[^note].\n\n[^1]: A remark.\n", &["[^note]"]);
        check("Nothing is defined[^1].\n", &["[^1]"]);
        check("After a space [^b].\n\nDefined[^a].\n\n[^a]: Yes.\n", &["[^b]"]);
        check("| Cell[^t] |\n|---|\n| x |\n", &["[^t]"]);
    }

    #[test]
    fn what_is_defined_or_no_reference_is_not() {
        check("A word[^1].\n\n[^1]: A remark.\n", &[]);
        check("The pattern [^a-z] and x[^a-z]+ and `w[^1]` and w\\[^1].\n", &[]);
        check("A link w[^1](https://a.example/).\n", &[]);
        check("Cited [^1].\n\n## Sources\n\n1. A — https://a.example/\n", &[]);
    }
}
