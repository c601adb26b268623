//! Comments that allow findings: `<!-- cited: allow CODE reason -->`.
//!
//! A comment that stands by itself allows the findings of the block after it; one in a line of text those of its lines;
//! `allow-file` those of the whole file. Several codes are joined by commas. A reason is required.

use crate::finding::{Code, Finding};
use crate::markdown::{BlockKind, Document, InlineKind};
use crate::pattern::Pattern;
use cited_text::{Span, lines};

static COMMENT: Pattern = Pattern::new(r"(?s)<!--\s*cited:(.*?)-->");

/// A comment that allows findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppression {
    /// The kinds of findings that it allows.
    pub codes: Vec<Code>,
    /// Why.
    pub reason: String,
    /// The bytes of the document that it speaks for; `None` for all of them.
    pub scope: Option<Span>,
}

impl Suppression {
    /// Whether it allows `finding`, when that is in the same document.
    pub fn allows(&self, finding: &Finding) -> bool {
        finding.file.is_none()
            && self.codes.contains(&finding.code)
            && match (self.scope, finding.span) {
                (None, _) => true,
                (Some(scope), Some(span)) => scope.overlaps(span) || scope.has(span.start),
                (Some(_), None) => false,
            }
    }
}

/// The suppressions of a document, and what is wrong with its comments.
pub fn read(document: &Document) -> (Vec<Suppression>, Vec<Finding>) {
    let (mut suppressions, mut findings) = (Vec::new(), Vec::new());
    let text = document.text();
    let html = document.blocks().flat_map(|(id, block)| {
        let own = (block.kind == BlockKind::Html).then_some((block.span, true));
        let inlines = document.inlines(id).iter().filter(|inline| inline.kind == InlineKind::Html);
        own.into_iter().chain(inlines.map(|inline| (inline.span, false)))
    });
    for (html, is_block) in html {
        for found in COMMENT.captures_iter(html.slice(text)) {
            let range = found.get_match().range();
            let comment = Span::new(html.start + range.start, html.start + range.end);
            let line = || Span::new(lines::line_start(text, comment.start), lines::line_stop(text, comment.end));
            let scope = if is_block { next_block(document, html.end) } else { line() };
            suppressions.extend(understand(&found[1], comment, scope, &mut findings));
        }
    }
    (suppressions, findings)
}

/// The block after a comment that ends at `end`: link definitions, which are no blocks to Markdown, or else the outermost
/// block that begins there.
fn next_block(document: &Document, end: usize) -> Span {
    let block = document.blocks().map(|(_, block)| block.span).find(|span| span.start >= end);
    let limit = block.map_or(document.text().len(), |span| span.start);
    let definitions = document.definitions.iter().map(|definition| definition.span);
    let definitions = definitions.filter(|span| span.start >= end && span.start < limit).reduce(Span::cover);
    definitions.or(block).unwrap_or(Span::at(end))
}

/// What a comment with these words allows; what is wrong with it goes to the findings, and then it allows nothing.
fn understand(told: &str, span: Span, scope: Span, findings: &mut Vec<Finding>) -> Option<Suppression> {
    let mut words = told.split_whitespace();
    let (verb, names) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let reason = words.collect::<Vec<_>>().join(" ");
    let codes: Vec<Code> = names.split(',').filter_map(Code::parse).collect();
    let wrong = if !matches!(verb, "allow" | "allow-file") {
        format!("`{verb}` is nothing that a comment can ask for")
    } else if let Some(name) = names.split(',').find(|name| Code::parse(name).is_none()) {
        format!("no finding has the code `{name}`")
    } else if !reason.contains(char::is_alphanumeric) {
        // Dashes alone are no reason.
        format!("`{names}` is allowed without a reason, so it is not allowed")
    } else {
        return Some(Suppression { codes, reason, scope: (verb == "allow").then_some(scope) });
    };
    findings.push(Finding::new(Code::UnknownSuppression, wrong).at(span));
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::structure::structure;
    use crate::citation::{self, KnownLabels};

    /// What remains of the findings of `text`, and how many were allowed.
    #[track_caller]
    fn check(text: &str, remaining: &[&str], allowed: usize) {
        let document = Document::read(text);
        let findings = structure(&citation::read(&document, &KnownLabels::default()));
        let (suppressions, wrong) = read(&document);
        let is_allowed = |finding: &&Finding| suppressions.iter().any(|suppression| suppression.allows(finding));
        let (of_comments, open): (Vec<&Finding>, Vec<&Finding>) = findings.iter().partition(is_allowed);
        let found: Vec<&str> = open.into_iter().chain(&wrong).map(|finding| finding.code.as_str()).collect();
        assert_eq!(found, remaining, "{text}");
        assert_eq!(of_comments.len(), allowed, "{text}");
    }

    const LIST: &str = "\n\n## Sources\n\n1. A — https://a.example/\n2. B — https://b.example/\n";

    #[test]
    fn a_comment_allows_the_block_after_it() {
        check(&format!("<!-- cited: allow orphan-citation a joke -->\n\nOne [1, 2]. Two [9].{LIST}"), &[], 1);
        check(&format!("<!-- cited: allow orphan-citation a joke -->\nOne [1, 2]. Two [9].{LIST}"), &[], 1);
        check(
            &format!("<!-- cited: allow orphan-citation a joke -->\n\nOne [1, 2].\n\nTwo [9].{LIST}"),
            &["orphan-citation"],
            0,
        );
        check(
            "One [1].\n\n## Sources\n\n<!-- cited: allow orphan-source,no-address kept for history -->\n\n1. A — https://a.example/\n2. B\n",
            &[],
            2,
        );
    }

    #[test]
    fn a_comment_in_a_line_allows_the_line() {
        check(&format!("One [1, 2].\nTwo [9]. <!-- cited: allow orphan-citation a joke -->{LIST}"), &[], 1);
        check(
            &format!("One [1, 2]. <!-- cited: allow orphan-citation a joke -->\nTwo [9].{LIST}"),
            &["orphan-citation"],
            0,
        );
    }

    #[test]
    fn a_comment_may_allow_the_whole_file() {
        check(&format!("Two [9]. One [1, 2].{LIST}\n<!-- cited: allow-file orphan-citation a joke -->\n"), &[], 1);
    }

    #[test]
    fn a_comment_needs_a_reason_and_a_known_code() {
        let with = |comment: &str| format!("<!-- cited: {comment} -->\n\nOne [1, 2]. Two [9].{LIST}");
        check(&with("allow orphan-citation"), &["orphan-citation", "unknown-suppression"], 0);
        check(&with("allow orphan-citation --"), &["orphan-citation", "unknown-suppression"], 0);
        check(&with("allow orphan-citatoin a joke"), &["orphan-citation", "unknown-suppression"], 0);
        check(&with("alow orphan-citation a joke"), &["orphan-citation", "unknown-suppression"], 0);
        check(&with("allow"), &["orphan-citation", "unknown-suppression"], 0);
        check(&with("allow orphan-citation,nonsense a joke"), &["orphan-citation", "unknown-suppression"], 0);
    }

    #[test]
    fn code_holds_no_comments() {
        check(
            &format!("```html\n<!-- cited: allow nonsense -->\n```\n\n`<!-- cited: x -->` One [1, 2].{LIST}"),
            &[],
            0,
        );
    }
}
