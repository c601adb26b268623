//! What is read of a page of HTML, and the parts that it is read from.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use cited_text::lexicon::table;

/// What a page was found to hold.
#[derive(Debug, Clone, Default)]
pub struct Html {
    /// The names of places: `id`, and `name` of `<a>`.
    pub ids: Vec<String>,
    /// Main content.
    pub main: String,
    /// Words of the main content.
    pub main_words: usize,
    /// What stands around it.
    pub rest: String,
    /// The start of what the main content says of itself: without teasers of other pages, each of which is headed by a link.
    pub own: String,
    /// Words of all that is so said.
    pub own_words: usize,
    /// Text of `<title>`.
    pub title: Option<String>,
    /// Text of the first `<h1>`.
    pub heading: Option<String>,
    /// `<meta>`: names or properties in lower case, and contents, in order.
    pub metas: Vec<(String, String)>,
    /// `<time datetime>` values, in order.
    pub times: Vec<String>,
    /// JSON-LD blocks.
    pub json_ld: Vec<String>,
    /// `<link rel=canonical>`.
    pub canonical: Option<String>,
    /// `<html lang>`.
    pub language: Option<String>,
    /// `<meta http-equiv=refresh>`: seconds and target.
    pub refresh: Option<(u32, String)>,
    /// `<base href>`: what relative addresses of the page stand on.
    pub base: Option<String>,
    /// Whether there is a password field.
    pub has_password: bool,
    /// The markup of forms into which nothing is written, in lower case: where they lead, and what they call their parts.
    pub forms: String,
    /// Whether there are scripts in the page.
    pub has_script: bool,
    /// The start of what tags and scripts say, in lower case, `<meta>` and data for scripts left out, without what a reader sees: what bot walls leave there,
    /// an article about them has in its text (*the element `anubis_challenge` is set by the proxy*).
    pub markup: String,
    /// Text of `<noscript>`.
    pub noscript: String,
    /// Whether the rest of the page was left unread.
    pub cut: bool,
}

#[derive(Default)]
pub(super) struct Block {
    pub(super) text: String,
    /// Words of the text, counted once.
    pub(super) words: usize,
    pub(super) linked: usize,
    /// Bytes of links that lead to other pages, not to a place on this one.
    pub(super) away: usize,
    pub(super) furniture: bool,
    /// The innermost kept element around it.
    pub(super) place: Option<usize>,
    pub(super) content: bool,
    pub(super) heading: bool,
    /// How many columns it stands behind the block before it, where it begins a cell of the same row.
    pub(super) columns: usize,
    /// What it is in a list of definitions.
    pub(super) definition: Definition,
}

/// What a block is in a list of definitions.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Definition {
    #[default]
    None,
    /// What is defined, with so many things said of it.
    Term(usize),
    /// What is said of the term before it.
    Detail,
}

/// A longer block is running text and says no cell, nor what a term is, in words.
const SHORT: usize = 12;
/// A row of a table is no longer than this, in bytes.
const LONGEST_ROW: usize = 400;
/// More blocks are a list or a part of a page, and no cell.
const MOST_IN_A_CELL: usize = 2;

impl Block {
    /// Writes what a block says of a term behind it, where both are so short that they are a name and a value; whether they are.
    pub(super) fn take(&mut self, detail: &Block) -> bool {
        let Definition::Term(said) = self.definition else { return false };
        let short = |block: &Block| block.words <= SHORT && !block.text.contains('\n');
        let sentence = detail.text.ends_with(['.', '!', '?', '。', '！', '？']);
        if sentence || !short(detail) || said == 0 && !short(self) || self.furniture != detail.furniture {
            return false;
        }
        let between = match said {
            0 if self.text.ends_with([':', '：']) => " ",
            0 => ": ",
            _ => ", ",
        };
        self.add(between, detail);
        self.definition = Definition::Term(said + 1);
        true
    }

    /// Writes another block behind it.
    pub(super) fn add(&mut self, between: &str, other: &Block) {
        self.text.push_str(between);
        self.text.push_str(&other.text);
        self.words += other.words;
        self.linked += other.linked;
        self.away += other.away;
    }
}

/// Whether the blocks of a row are what its cells say, and not parts of a page that the row lays out.
pub(super) fn are_cells(blocks: &[Block]) -> bool {
    let Some(first) = blocks.first() else { return false };
    let parted = blocks.iter().any(|block| block.columns > 0 || block.text.contains('\t'));
    let more = blocks.len() > 1 || first.columns > 0 || first.text.contains('\n');
    let alike = |block: &Block| block.furniture == first.furniture && block.content == first.content && !block.heading;
    let short = |block: &Block| block.text.split('\t').all(|cell| cell.split_whitespace().count() <= SHORT);
    let length: usize = blocks.iter().map(|block| block.text.len() + 1).sum();
    parted
        && more
        && length <= LONGEST_ROW
        && blocks.iter().all(|block| alike(block) && short(block))
        && blocks
            .chunk_by(|_, next| next.columns == 0 && !next.text.contains('\t'))
            .all(|cell| cell.len() <= MOST_IN_A_CELL)
}

/// A kept element and what is around it. Those around it come before it.
#[derive(Clone, Copy)]
pub(super) struct KeptElement {
    pub(super) element: &'static Element,
    pub(super) around: Option<usize>,
    /// Whether it stands around the content.
    pub(super) furniture: bool,
    /// Whether the page marks it as its main part.
    pub(super) content: bool,
}

/// A start tag. Its buffers are used again for the next one.
#[derive(Default)]
pub(super) struct Tag {
    pub(super) name: Vec<u8>,
    /// Attributes that are looked at.
    pub(super) attributes: Vec<(&'static [u8], Vec<u8>)>,
}

impl Tag {
    pub(super) fn value(&self, name: &str) -> Option<&[u8]> {
        let mut attributes = self.attributes.iter();
        attributes.find(|(key, _)| *key == name.as_bytes()).map(|(_, value)| value.as_slice())
    }

    pub(super) fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        let value = match String::from_utf8_lossy(self.value(name)?) {
            Cow::Borrowed(value) => Cow::Borrowed(value.trim()),
            Cow::Owned(value) => Cow::Owned(value.trim().to_owned()),
        };
        (!value.is_empty()).then_some(value)
    }

    /// How many rows or columns an attribute says; 1 where it says none.
    pub(super) fn number(&self, name: &str) -> usize {
        self.text(name).and_then(|value| value.parse().ok()).filter(|number| *number > 0).unwrap_or(1)
    }

    pub(super) fn owned(&self, name: &str) -> Option<String> {
        self.text(name).map(Cow::into_owned)
    }
}

/// Whether an element says of itself that it is not seen.
pub(super) fn is_hidden(tag: &Tag) -> bool {
    if tag.value("hidden").is_some() {
        return true;
    }
    tag.text("style").is_some_and(|style| {
        let style: String = style.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
        style.contains("display:none") || style.contains("visibility:hidden")
    })
}

/// One element.
#[derive(Debug)]
pub struct Element {
    pub name: &'static [u8],
    /// Whether it starts and ends a block of text.
    pub block: bool,
    /// Whether what is inside depends on it, so that it is kept on the stack.
    pub kept: bool,
    /// Whether its text is never shown.
    pub silent: bool,
    /// Whether it stands around the content.
    pub furniture: bool,
}

/// Roles of a page's furniture (WAI-ARIA landmarks).
pub const FURNITURE_ROLES: [&str; 6] = ["navigation", "contentinfo", "banner", "search", "complementary", "dialog"];

/// Elements by their lower-case names; what has none means nothing here.
pub static ELEMENTS: LazyLock<HashMap<&[u8], Element>> = LazyLock::new(|| {
    let rows = table::rows(include_str!("data/elements.tsv"));
    let meaning = |name: &'static str, marks: &str| {
        let is = |mark: &str| marks.split(' ').any(|own| own == mark);
        let name = name.as_bytes();
        Element { name, block: is("block"), kept: is("kept"), silent: is("silent"), furniture: is("furniture") }
    };
    let elements = rows.flat_map(|row| row.forms().map(move |name| meaning(name, row.class)));
    elements.map(|element| (element.name, element)).collect()
});

/// Attributes that anything here looks at, by their lower-case names.
pub static ATTRIBUTES: LazyLock<HashSet<&'static [u8]>> =
    LazyLock::new(|| table::words(include_str!("data/attributes.tsv"), "").map(str::as_bytes).collect());

/// More columns are data for programs.
const MOST_COLUMNS: usize = 200;
/// A cell that reaches over more columns does so to fill its row.
const WIDEST: usize = 24;

/// Where a row is in its table: in which column each cell begins, where cells reach over several rows or columns.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// For each column, over how many of the rows to come a cell of an earlier row reaches.
    reaching: Vec<usize>,
    /// The first column that is free in this row.
    next: usize,
    /// The column of the last cell.
    at: usize,
    /// How many blocks there were when the row began; none where no row is open, or a table stands in it.
    pub(super) row: Option<usize>,
    /// How many columns the next block stands behind the one before it.
    pub(super) owed: usize,
}

impl Columns {
    /// Begins a row, behind so many blocks.
    pub(super) fn begin_row(&mut self, blocks: usize) {
        self.reaching.iter_mut().skip(self.next).for_each(|rows| *rows = rows.saturating_sub(1));
        (self.next, self.at, self.row, self.owed) = (0, 0, Some(blocks), 0);
    }

    /// Begins a cell that reaches over so many columns and rows: how many columns it is away from the cell before, or from the first.
    pub(super) fn begin_cell(&mut self, columns: usize, rows: usize) -> usize {
        while let Some(rows) = self.reaching.get_mut(self.next).filter(|rows| **rows > 0) {
            *rows -= 1;
            self.next += 1;
        }
        let column = self.next;
        if column >= MOST_COLUMNS {
            return 1;
        }
        self.next += columns.min(WIDEST);
        if rows > 1 {
            self.reaching.resize(self.reaching.len().max(self.next), 0);
            self.reaching[column..self.next].fill(rows - 1);
        }
        column - std::mem::replace(&mut self.at, column)
    }
}

#[cfg(test)]
mod tests {
    use super::Columns;

    #[test]
    fn a_cell_stands_behind_those_that_reach_into_its_row() {
        let mut columns = Columns::default();
        let mut row = |cells: &[(usize, usize)]| -> Vec<usize> {
            columns.begin_row(0);
            cells.iter().map(|(wide, high)| columns.begin_cell(*wide, *high)).collect()
        };
        assert_eq!(row(&[(1, 2), (2, 1), (2, 1), (1, 2)]), [0, 1, 2, 2]);
        assert_eq!(row(&[(1, 1), (1, 1), (1, 1), (1, 1)]), [1, 1, 1, 1]);
        assert_eq!(row(&[(1, 3), (1, 1)]), [0, 1]);
        assert_eq!(row(&[(1, 1)]), [1]);
        assert_eq!(row(&[(1, 1)]), [1]);
        assert_eq!(row(&[(1, 1)]), [0]);
    }

    #[test]
    fn hostile_numbers_cost_nothing() {
        let mut columns = Columns::default();
        columns.begin_row(0);
        for _ in 0..10_000 {
            assert!(columns.begin_cell(usize::MAX, usize::MAX) <= 200);
        }
    }
}
