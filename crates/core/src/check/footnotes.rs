//! References to footnotes that a document does not define: Markdown shows their brackets.

use crate::citation::Citations;
use crate::finding::{Code, Finding};
use crate::markdown::{BlockKind, Document, InlineKind};
use crate::pattern::Pattern;
use cited_text::{Span, Spans};

static REFERENCE: Pattern = Pattern::new(r"\[\^[\p{Alphabetic}\p{N}_.:-]+\]");

/// The references of `document` to footnotes that neither it nor a list of its citations defines.
///
/// In a document without a footnote, brackets with `^` may be a pattern (`[^a-z]`): there only what stands right behind a word
/// and is not repeated by a sign of patterns is a reference.
pub fn undefined(document: &Document, citations: &Citations) -> Vec<Finding> {
    let text = document.text();
    let has_footnotes = document.blocks().any(|(_, block)| matches!(block.kind, BlockKind::FootnoteDefinition(_)));
    let open = citations.findings.iter().filter(|finding| finding.code == Code::OrphanCitation);
    let open: Spans = open.filter_map(|finding| finding.span).collect();
    let markers = citations.markers.iter().filter(|marker| !marker.targets.is_empty());
    let cited: Spans = markers.map(|marker| marker.span).collect();
    let inlines = document.leaves().flat_map(|(id, _)| document.inlines(id));
    let words = inlines.filter(|inline| inline.kind == InlineKind::Text && inline.link.is_none());
    let words: Spans = words.map(|inline| inline.span).collect();
    let is_reference = |span: &Span| {
        let (before, rest) = (span.before(text), span.after(text));
        let behind_word = before.ends_with(|c: char| c.is_alphanumeric() || ".,;:!?\")”。".contains(c));
        let is_pattern = rest.starts_with(['+', '*', '?', '{', '(', ':']);
        let meant = if has_footnotes { !rest.starts_with(':') } else { behind_word && !is_pattern };
        // A label may be cut into several inlines: where it begins counts.
        let is_text = words.overlap(Span::new(span.start, span.start + 1)) && !before.ends_with('\\');
        meant && is_text && (!cited.overlap(*span) || open.overlap(*span))
    };
    let tell = |span: Span| {
        let message = format!("the footnote {} is not defined", span.slice(text));
        Finding::new(Code::UndefinedFootnote, message).at(span)
    };
    let found = REFERENCE.find_iter(text).map(|found| Span::new(found.start(), found.end()));
    found.filter(is_reference).map(tell).collect()
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
