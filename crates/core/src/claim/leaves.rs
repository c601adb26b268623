//! The leaves of a document, cut and told apart: what each sentence, cell and picture of them says, taken by itself.
//!
//! This is most of the work of splitting, and no leaf needs another one for it: a large document is shared out among the
//! processors.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use super::detect::{Statement, statement, statement_in_cell};
use super::kind::ClaimKind;
use super::labels::is_source_line;
use super::pieces::{Cutter, Leaf};
use crate::citation::{Citations, MarkerId};
use crate::markdown::{BlockId, BlockKind, Document, LinkId, Rendered};
use crate::shares;
use cited_text::Span;
use cited_text::lexicon::table;

/// A sentence, a cell or a picture.
#[derive(Debug)]
pub(super) struct StatedPiece {
    /// Its bytes: formatting at its edges and its markers included, white space around it not.
    pub source: Span,
    /// Its words, white space folded; nothing for a picture.
    pub text: String,
    /// What sort of statement the words make.
    pub statement: Statement,
    /// Its markers, in order.
    pub markers: Vec<MarkerId>,
    /// The picture that it is.
    pub picture: Option<LinkId>,
}

/// A leaf with what it says.
#[derive(Debug, Default)]
pub(super) struct CutLeaf {
    /// Its sentences and pictures, in order; a cell or heading is one.
    pub pieces: Vec<StatedPiece>,
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
        self.pieces.iter().flat_map(|said| &said.markers).chain(&self.loose).copied().collect()
    }

    /// The words of a leaf that was cut as a whole.
    pub(super) fn text(&self) -> &str {
        self.pieces.iter().find(|said| said.picture.is_none()).map_or("", |said| said.text.as_str())
    }
}

/// Cuts `leaves`, which are in document order, and hands each on, in that order.
pub(super) fn cut_leaves(
    document: &Document,
    citations: &Citations,
    leaves: &[BlockId],
    take: impl FnMut(BlockId, CutLeaf),
) {
    cut_leaves_on(shares::threads_for(document.text().len()), document, citations, leaves, take);
}

/// The same on so many threads, this one included.
fn cut_leaves_on(
    threads: usize,
    document: &Document,
    citations: &Citations,
    leaves: &[BlockId],
    mut take: impl FnMut(BlockId, CutLeaf),
) {
    let cut_run = |run: Range<usize>| {
        let leaves = &leaves[run];
        let cutter = leaves.first().map(|first| Cutter::from(document, citations, *first));
        cutter.map_or_else(Vec::new, |mut cutter| {
            leaves.iter().map(|id| cut(document, citations, *id, &mut cutter)).collect()
        })
    };
    let runs = shares::each_run(leaves.len(), threads, cut_run);
    leaves.iter().zip(runs.into_iter().flatten()).for_each(|(id, leaf)| take(*id, leaf));
}

fn cut(document: &Document, citations: &Citations, id: BlockId, cutter: &mut Cutter<'_>) -> CutLeaf {
    let cell = match document.block(id).kind {
        BlockKind::Heading(_) | BlockKind::Html => {
            // Only a marker makes a claim of a heading.
            if citations.markers_in(document.content_span(id)).is_empty() {
                return CutLeaf::default();
            }
            let leaf = cutter.cut(id, true);
            return state_pieces(leaf, &cutter.rendered, |_, _| Statement { kind: ClaimKind::Heading, leans: false });
        }
        BlockKind::TableCell => true,
        _ => false,
    };
    let leaf = cutter.cut(id, cell);
    let pictured = leaf.pieces.iter().any(|piece| piece.picture.is_some());
    let leads_to_sources = is_source_line(&cutter.rendered.text);
    if cell {
        let says_something = says_something(&cutter.rendered.text, pictured);
        let in_cell = |text: &str, cited| Statement { kind: statement_in_cell(text, cited), leans: false };
        return CutLeaf { leads_to_sources, says_something, ..state_pieces(leaf, &cutter.rendered, in_cell) };
    }
    let in_prose = |text: &str, cited| statement(text, cited, cutter.languages);
    CutLeaf { leads_to_sources, ..state_pieces(leaf, &cutter.rendered, in_prose) }
}

/// Gives each piece of a leaf its words and what they state.
fn state_pieces(leaf: Leaf, rendered: &Rendered, state: impl Fn(&str, bool) -> Statement) -> CutLeaf {
    let Leaf { pieces, loose } = leaf;
    let said = pieces.into_iter().map(|piece| {
        let text = fold_spaces(piece.shown.slice(&rendered.text));
        let cited = !piece.markers.is_empty();
        let statement = match (piece.picture, rendered.words(piece.shown)) {
            (Some(_), _) => Statement { kind: ClaimKind::Plain, leans: false },
            (None, Cow::Borrowed(_)) => state(&text, cited),
            // A formula alone states nothing that a page could be asked for.
            (None, Cow::Owned(words)) if !words.contains(char::is_alphabetic) => {
                Statement { kind: ClaimKind::Transition, leans: false }
            }
            (None, Cow::Owned(words)) => state(&fold_spaces(&words), cited),
        };
        StatedPiece { source: piece.source, text, statement, markers: piece.markers, picture: piece.picture }
    });
    CutLeaf { pieces: said.collect(), loose, ..CutLeaf::default() }
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
pub(super) fn fold_spaces(text: &str) -> String {
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
    use super::{cut_leaves_on, fold_spaces};
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
            let mut cut = Vec::new();
            cut_leaves_on(threads, &document, &citations, &leaves, |id, leaf| cut.push(format!("{id:?} {leaf:?}")));
            cut
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
