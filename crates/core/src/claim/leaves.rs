//! The leaves of a document, cut and told apart: what each sentence, cell and picture of them says, taken by itself.

use std::borrow::Cow;

use super::detect::{statement, statement_in_cell};
use super::labels::{is_source_line, says_nothing};
use super::pieces::{Cutter, Piece};
use super::{Claim, ClaimKind, ClaimPosition};
use crate::citation::MarkerId;
use crate::markdown::{BlockId, BlockKind, Document, Link, Rendered};

/// A leaf with what it says.
#[derive(Debug, Default)]
pub(super) struct CutLeaf {
    /// Its sentences and pictures as claims of their own, in order; a cell or heading is one.
    pub claims: Vec<Claim>,
    /// Markers that nothing takes: the leaf holds nothing but markers, or lines of a source list stand between.
    pub loose: Vec<MarkerId>,
    /// Whether its words, if it has any, only lead to its citations: *Sources:*
    pub leads_to_sources: bool,
    /// Whether a cell has more than a sign for nothing.
    pub says_something: bool,
}

impl CutLeaf {
    /// All its markers, in order.
    pub(super) fn markers(&self) -> Vec<MarkerId> {
        self.claims.iter().flat_map(|claim| &claim.markers).chain(&self.loose).copied().collect()
    }

    /// The words of a leaf that was cut as a whole.
    pub(super) fn text(&self) -> &str {
        self.claims.iter().find(|claim| !claim.is_figure()).map_or("", |claim| claim.text.as_str())
    }

    /// Whether it is nothing but what leads to its citations.
    pub(super) fn only_cites(&self) -> bool {
        self.leads_to_sources && !self.claims.iter().any(Claim::is_figure)
    }
}

/// Cuts a leaf.
pub(super) fn cut(cutter: &mut Cutter<'_>, id: BlockId) -> CutLeaf {
    let (document, citations) = (cutter.document, cutter.citations);
    let position = match document.block(id).kind {
        BlockKind::Heading(_) | BlockKind::Html => ClaimPosition::Heading,
        BlockKind::TableCell => ClaimPosition::Cell,
        _ => ClaimPosition::Sentence,
    };
    // Only a marker makes a claim of a heading.
    if position == ClaimPosition::Heading && citations.markers_in(document.content_span(id)).is_empty() {
        return CutLeaf::default();
    }
    let (pieces, loose) = cutter.cut(id, position != ClaimPosition::Sentence);
    let (rendered, languages) = (&cutter.rendered, cutter.languages);
    let state = |text: &str, cited: bool| match position {
        ClaimPosition::Heading => (ClaimKind::Heading, false),
        ClaimPosition::Cell => (statement_in_cell(text, cited), false),
        _ => statement(text, cited, languages),
    };
    let claim = |piece: Piece| {
        let claim = Claim { block: id, span: piece.source, position, markers: piece.markers, ..Claim::default() };
        if let Some(picture) = piece.picture {
            let text = name_of(document, document.link(picture));
            return Claim { text, position: ClaimPosition::Figure, ..claim };
        }
        let text = fold_spaces(piece.shown.slice(&rendered.text));
        let cited = !claim.markers.is_empty();
        let (kind, dangling) = match rendered.words(piece.shown) {
            Cow::Borrowed(_) => state(&text, cited),
            // A formula alone states nothing that a page could be asked for.
            Cow::Owned(words) if !words.contains(char::is_alphabetic) => (ClaimKind::Transition, false),
            Cow::Owned(words) => state(&fold_spaces(&words), cited),
        };
        Claim { text, kind, dangling, ..claim }
    };
    let claims: Vec<Claim> = pieces.into_iter().map(claim).collect();
    let says_something = says_something(&rendered.text, claims.iter().any(Claim::is_figure));
    CutLeaf { claims, loose, leads_to_sources: is_source_line(&rendered.text), says_something }
}

/// What a picture is called: its words, else the last part of its address.
fn name_of(document: &Document, picture: &Link) -> String {
    let alternative = Document::read(document.slice(picture.text));
    let shown = alternative.leaves().map(|(id, _)| Rendered::render(&alternative, id, &[]).text);
    let words = fold_spaces(&shown.collect::<Vec<_>>().join(" "));
    if !words.is_empty() {
        return words;
    }
    // A picture that is its own address has no name but how it is written.
    let is_inline = picture.address.starts_with("data:");
    let name = picture.address.rsplit('/').next().filter(|_| !is_inline);
    name.unwrap_or(document.slice(picture.span)).to_owned()
}

/// Whether a cell has more than a dash or a bare link.
fn says_something(text: &str, pictured: bool) -> bool {
    let text = text.trim();
    let words = text.chars().any(|c| c.is_alphanumeric() || matches!(c, '✓' | '✔' | '✗' | '✘' | '✅' | '❌' | '★'));
    pictured || (words && !says_nothing(text))
}

/// `text` with each run of white space as one space, none at the ends, and without the brackets that hidden markers left
/// empty.
fn fold_spaces(text: &str) -> String {
    let mut folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for empty in [" ()", " （）", "（）"] {
        if folded.contains(empty) {
            folded = folded.replace(empty, "");
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::fold_spaces;

    #[test]
    fn spaces_are_folded_and_empty_brackets_dropped() {
        for (text, expected) in [
            (" a  b ", "a b"),
            ("a\nb\tc", "a b c"),
            ("a\u{a0}b\u{3000}c\u{2009}d\u{2003}e", "a b c d e"),
            ("a () b", "a b"),
            ("增长（）。", "增长。"),
            ("增长（见）。", "增长（见）。"),
            ("f(x)", "f(x)"),
            ("", ""),
        ] {
            assert_eq!(fold_spaces(text), expected);
        }
    }
}
