//! The leaves of a document, cut and told apart: what each sentence, cell and picture of them says, taken by itself.
//!
//! This is most of the work of splitting, and no leaf needs another one for it: a large document is shared out among the
//! processors.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::detect::{Statement, statement, statement_in_cell};
use super::labels::is_source_line;
use super::pieces::{Cutter, Leaf, Piece};
use super::{Claim, ClaimKind, ClaimPosition};
use crate::citation::{Citations, MarkerId};
use crate::markdown::{BlockId, BlockKind, Document, Link, Rendered};
use crate::shares;
use cited_text::lexicon::table;

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

/// Cuts `leaves`, which are in document order, on so many threads, this one included.
pub(super) fn cut_leaves(
    threads: usize,
    document: &Document,
    citations: &Citations,
    leaves: &[BlockId],
) -> Vec<CutLeaf> {
    let runs = shares::each_run(leaves.len(), threads, |run| {
        let mut cutter = Cutter::new(document, citations);
        leaves[run].iter().map(|id| cut(document, citations, *id, &mut cutter)).collect::<Vec<_>>()
    });
    runs.into_iter().flatten().collect()
}

fn cut(document: &Document, citations: &Citations, id: BlockId, cutter: &mut Cutter<'_>) -> CutLeaf {
    match document.block(id).kind {
        BlockKind::Heading(_) | BlockKind::Html => {
            // Only a marker makes a claim of a heading.
            if citations.markers_in(document.content_span(id)).is_empty() {
                return CutLeaf::default();
            }
            let leaf = cutter.cut(id, true);
            let heading = |_: &str, _| Statement { kind: ClaimKind::Heading, leans: false };
            state(document, id, leaf, &cutter.rendered, ClaimPosition::Heading, heading)
        }
        BlockKind::TableCell => {
            let leaf = cutter.cut(id, true);
            let in_cell = |text: &str, cited| Statement { kind: statement_in_cell(text, cited), leans: false };
            state(document, id, leaf, &cutter.rendered, ClaimPosition::Cell, in_cell)
        }
        _ => {
            let leaf = cutter.cut(id, false);
            let in_prose = |text: &str, cited| statement(text, cited, cutter.languages);
            state(document, id, leaf, &cutter.rendered, ClaimPosition::Sentence, in_prose)
        }
    }
}

/// Gives each piece of a leaf its words and what they state.
fn state(
    document: &Document,
    id: BlockId,
    Leaf { pieces, loose }: Leaf,
    rendered: &Rendered,
    position: ClaimPosition,
    state: impl Fn(&str, bool) -> Statement,
) -> CutLeaf {
    let claim = |piece: Piece| {
        if let Some(picture) = piece.picture {
            let text = name_of(document, document.link(picture));
            return Claim::new(id, piece.source, text, ClaimPosition::Figure, ClaimKind::Plain, piece.markers);
        }
        let text = fold_spaces(piece.shown.slice(&rendered.text));
        let cited = !piece.markers.is_empty();
        let Statement { kind, leans } = match rendered.words(piece.shown) {
            Cow::Borrowed(_) => state(&text, cited),
            // A formula alone states nothing that a page could be asked for.
            Cow::Owned(words) if !words.contains(char::is_alphabetic) => {
                Statement { kind: ClaimKind::Transition, leans: false }
            }
            Cow::Owned(words) => state(&fold_spaces(&words), cited),
        };
        Claim { dangling: leans, ..Claim::new(id, piece.source, text, position, kind, piece.markers) }
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

/// What stands for an empty cell.
static NOTHING: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| table::words(include_str!("data/labels.tsv"), "nothing").collect());

/// Whether a cell has more than a dash or a bare link.
fn says_something(text: &str, pictured: bool) -> bool {
    let text = text.trim();
    let words = text.chars().any(|c| c.is_alphanumeric() || matches!(c, '✓' | '✔' | '✗' | '✘' | '✅' | '❌' | '★'));
    pictured || (words && !NOTHING.iter().any(|nothing| text.eq_ignore_ascii_case(nothing)))
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
    use super::{cut_leaves, fold_spaces};
    use crate::citation::{self, KnownLabels};
    use crate::markdown::Document;

    #[test]
    fn leaves_are_the_same_on_any_number_of_threads() {
        let part = "# A *head* [1]\n\nOne **is [1] so. Two** is not [2]. ![a](b.png) Three[^n]!\n\n- item [1]\n  - [x] `code` [2]\n\n\
                    | a [1] | b |\n|---|---|\n| c | 5% [2] |\n\n> quoted [a link](https://a.example/) [2]\n\n[1]\n\n[^n]: A note [1].\n\n";
        let text = format!("{}## Sources\n\n1. https://a.example/\n2. https://b.example/\n", part.repeat(7));
        let document = Document::read(text);
        let citations = citation::read(&document, &KnownLabels::default());
        let leaves: Vec<_> = document.leaves().map(|(id, _)| id).collect();
        let on = |threads| {
            let cut = cut_leaves(threads, &document, &citations, &leaves);
            cut.iter().map(|leaf| format!("{leaf:?}")).collect::<Vec<_>>()
        };
        let one = on(1);
        assert_eq!(one.len(), leaves.len());
        for threads in [2, 3, 5, 8, 200] {
            assert_eq!(on(threads), one, "on {threads} threads");
        }
    }

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
