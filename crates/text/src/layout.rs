//! How a text is laid out: which parts of it are headings, paragraphs, items of lists, cells of tables.
//!
//! It is told by how tables, lists and headings are written: [`Layout::of_text`].

use super::{Span, lines};

/// What a block of a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// A heading of this level, 1 is the highest.
    Heading(u8),
    /// Running text.
    Paragraph,
    /// An item of a list.
    Item,
    /// A row of a table; its cells are in [`Layout::tables`].
    Row,
}

/// A block of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// Its bytes.
    pub span: Span,
    /// What it is.
    pub kind: BlockKind,
}

/// A cell of a table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cell {
    /// Its bytes; empty where nothing is written.
    pub span: Span,
    /// Whether it is the head of its row or column: *Sponsor* of *Sponsor: Orsolight*.
    pub is_head: bool,
}

/// The blocks and tables of a text, each in the order of the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// The blocks.
    pub blocks: Vec<Block>,
    /// The tables, each of rows of cells.
    pub tables: Vec<Vec<Vec<Cell>>>,
}

/// A longer line is no heading, in bytes.
const LONGEST_HEADING: usize = 90;
/// A longer name of a field is a clause, in bytes.
const LONGEST_NAME: usize = 40;
/// A table with more columns is data for programs.
const MOST_COLUMNS: usize = 200;

/// What stands between a name and its value: see [`field`].
const NAMED: char = ':';

impl Layout {
    /// How a plain text is laid out, by the writing of Markdown and of extracted pages: a table is lines with tabs or bars.
    ///
    /// ```
    /// use cited_text::layout::{BlockKind, Layout};
    /// let layout = Layout::of_text("# Ferries\n\nLine\tPassengers\nTornes\t8.7\n\n- new piers");
    /// let kinds: Vec<BlockKind> = layout.blocks.iter().map(|block| block.kind).collect();
    /// assert_eq!(kinds, [BlockKind::Heading(1), BlockKind::Row, BlockKind::Row, BlockKind::Item]);
    /// assert_eq!(layout.tables[0][1].len(), 2);
    /// ```
    pub fn of_text(text: &str) -> Layout {
        let mut layout = Layout::default();
        let (mut row, mut sign) = (0, None);
        // A tab before the first cell stands for an empty one.
        let bare = |line: Span| trimmed(text, line, |c| matches!(c, ' ' | '\r'));
        let mut lines = lines::spans(text).map(bare).peekable();
        let mut alone = true;
        // In which columns of the table figures stand.
        let mut figures: Vec<bool> = Vec::new();
        while let Some(line) = lines.next() {
            let written = line.slice(text);
            if written.is_empty() {
                alone = true;
                continue;
            }
            let next = lines.peek().map(|next| next.slice(text));
            let is_below_a_row = row > 0 && !alone;
            let parted = match (parted(written), sign) {
                (Some(sign), _) => Some(sign),
                // Names with their values, line by line, are rows: what holds of tables holds of them.
                _ if is_named(written) && (is_below_a_row && sign == Some(NAMED) || next.is_some_and(is_named)) => {
                    Some(NAMED)
                }
                // What stands alone among the rows of a table is said of those below it.
                (None, Some(before)) if is_below_a_row && is_group(written) => {
                    sign.filter(|_| next.is_some_and(|next| goes_on(&figures, next, before)))
                }
                _ => None,
            };
            if parted.is_none() || parted != sign || parted == Some(NAMED) && alone {
                row = 0;
                figures.clear();
            }
            sign = parted;
            let before = std::mem::replace(&mut alone, false);
            if let Some(sign) = parted {
                add_figures(&mut figures, written, sign);
                if !is_rule(written) {
                    layout.add_row(text, line, sign, row == 0);
                    row += 1;
                }
                continue;
            }
            layout.blocks.push(Block { span: line, kind: kind_of(written, before, next) });
        }
        layout
    }

    /// Adds a line as a row of the last table, or of one that it begins.
    fn add_row(&mut self, text: &str, line: Span, sign: char, begins: bool) {
        self.blocks.push(Block { span: line, kind: BlockKind::Row });
        let row: Vec<Cell> = if sign == NAMED {
            let cells = field(line.slice(text)).into_iter().flat_map(|(name, value)| [(name, true), (value, false)]);
            let placed = |part: Span| Span::new(line.start + part.start, line.start + part.end);
            cells.map(|(part, is_head)| Cell { span: placed(part), is_head }).collect()
        } else {
            let bare = if sign == '|' { trimmed(text, line, |c| c == ' ' || c == '|') } else { line };
            let mut start = bare.start;
            let cells = bare.slice(text).split(sign).take(MOST_COLUMNS).map(|written| {
                let span = trimmed(text, Span::new(start, start + written.len()), |c| c == ' ' || c == '*');
                start += written.len() + 1;
                Cell { span, is_head: false }
            });
            cells.collect()
        };
        match self.tables.last_mut().filter(|_| !begins) {
            Some(table) => table.push(row),
            None => self.tables.push(vec![row]),
        }
    }
}

/// A span without the characters at its ends for which `drop` holds.
fn trimmed(text: &str, span: Span, drop: impl Fn(char) -> bool + Copy) -> Span {
    let written = span.slice(text);
    let front = written.len() - written.trim_start_matches(drop).len();
    let kept = written.trim_matches(drop).len();
    Span::new(span.start + front, span.start + front + kept)
}

/// What stands between the cells of a line of a table.
fn parted(line: &str) -> Option<char> {
    if line.contains('\t') {
        return Some('\t');
    }
    (line.matches('|').count() > 1 || line.contains(" | ")).then_some('|')
}

/// Whether a line is a name with its value, and no row of a table.
fn is_named(line: &str) -> bool {
    parted(line).is_none() && line.starts_with(char::is_alphabetic) && field(line).is_some()
}

/// Whether a line may be the label of a group of rows.
fn is_group(line: &str) -> bool {
    line.len() <= LONGEST_NAME && !line.ends_with(['.', '!', '?', ':', ';', ',', '。', '！', '？', '：'])
}

/// Adds the columns of a row in which figures stand.
fn add_figures(figures: &mut Vec<bool>, row: &str, sign: char) {
    for (column, cell) in row.split(sign).take(MOST_COLUMNS).enumerate() {
        if figures.len() <= column {
            figures.push(false);
        }
        // *Output 2021 (t)* is a head.
        let digits = cell.chars().filter(char::is_ascii_digit).count();
        let letters = cell.chars().filter(|c| c.is_alphabetic()).count();
        figures[column] |= digits > 0 && digits >= letters;
    }
}

/// Whether a row goes on with a table: it has figures in most of the columns in which they stand, and so begins no other table.
fn goes_on(before: &[bool], next: &str, sign: char) -> bool {
    let mut after = Vec::new();
    add_figures(&mut after, next, sign);
    let had = before.iter().skip(1).filter(|figures| **figures).count();
    let both = before.iter().zip(&after).skip(1).filter(|(before, after)| **before && **after).count();
    // Above the first row with figures are heads only.
    let first = had == 0 && after.iter().any(|figures| *figures);
    parted(next) == Some(sign) && (both * 2 > had || first)
}

/// Whether a line only parts the head of a table from its rows: `|---|:--:|`.
fn is_rule(line: &str) -> bool {
    line.contains('-') && line.chars().all(|c| matches!(c, '-' | ':' | '|' | ' ' | '+'))
}

/// What a line that is no row is: `alone` when nothing stands right above it.
fn kind_of(line: &str, alone: bool, next: Option<&str>) -> BlockKind {
    let marks = line.len() - line.trim_start_matches('#').len();
    if (1..=6).contains(&marks) && line[marks..].starts_with(' ') {
        return BlockKind::Heading(marks as u8);
    }
    if ["- ", "* ", "• ", "– "].iter().any(|bullet| line.starts_with(bullet)) || is_numbered(line) {
        return BlockKind::Item;
    }
    let ends = line.ends_with(['.', '!', '?', ':', ';', ',', '。', '！', '？', '：', '”', '"']);
    let followed = next.is_some_and(|next| next.is_empty() || next.len() > line.len());
    if alone && followed && !ends && line.len() <= LONGEST_HEADING && field(line).is_none() {
        return BlockKind::Heading(3);
    }
    BlockKind::Paragraph
}

/// Whether a line begins with the number of an item: `3. `, `3) `.
fn is_numbered(line: &str) -> bool {
    let figures = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    (1..=2).contains(&figures) && (line[figures..].starts_with(". ") || line[figures..].starts_with(") "))
}

/// The name and the value of a line that is a field: *Sponsor: Orsolight*. Their places are in the line.
fn field(line: &str) -> Option<(Span, Span)> {
    let bare = line.trim_start_matches(['-', '*', '•', '–', ' ']);
    let from = line.len() - bare.len();
    let (at, sign) = bare.char_indices().find(|(_, c)| matches!(c, ':' | '：'))?;
    let (name, value) = (&bare[..at], &bare[at + sign.len_utf8()..]);
    let short = name.len() <= LONGEST_NAME && name.starts_with(char::is_alphabetic);
    // *Length (km): 12*
    let bracketed = name.contains('(') && !name.ends_with(')');
    let plain = !name.contains(['.', ',', '“', '"']) && !bracketed && !value.ends_with(['.', '!', '?', '。']);
    let parted = value.starts_with(char::is_whitespace) || sign == '：';
    if !short || !plain || !parted || value.trim().is_empty() {
        return None;
    }
    let name_end = from + name.trim_end().len();
    let value_end = from + bare.trim_end().len();
    let value_start = value_end - value.trim().len().min(value_end);
    Some((Span::new(from, name_end), Span::new(value_start, value_end)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{BlockKind, Cell, Layout, field};

    #[test]
    fn tables_are_read_as_they_are_written() {
        let text =
            "Ports\n\n| Port | 2022 | 2023 |\n|---|---|---|\n| **Averill** | 5.9 | 5.6 |\n\nThen more.\nA\tB\n\t2";
        let layout = Layout::of_text(text);
        let written = |row: &Vec<Cell>| row.iter().map(|cell| cell.span.slice(text)).collect::<Vec<_>>();
        let tables: Vec<Vec<Vec<&str>>> =
            layout.tables.iter().map(|table| table.iter().map(written).collect()).collect();
        let ports = vec![vec!["Port", "2022", "2023"], vec!["Averill", "5.9", "5.6"]];
        assert_eq!(tables, [ports, vec![vec!["A", "B"], vec!["", "2"]]]);
    }

    #[test]
    fn names_with_values_are_rows_when_they_follow_each_other() {
        let text = "Mill\n\nBuilt: 1874\nWheel (m): 4.2\n\nNote: it is closed.\nOwner: nobody";
        let layout = Layout::of_text(text);
        let written =
            |row: &Vec<Cell>| row.iter().map(|cell| (cell.is_head, cell.span.slice(text))).collect::<Vec<_>>();
        let rows: Vec<Vec<(bool, &str)>> = layout.tables.iter().flatten().map(written).collect();
        assert_eq!(rows, [[(true, "Built"), (false, "1874")], [(true, "Wheel (m)"), (false, "4.2")]]);
    }

    #[test]
    fn a_label_among_rows_is_one_of_them_and_a_caption_is_none() {
        let tables = |text: &str| Layout::of_text(text).tables.len();
        assert_eq!(tables("Feature\tKite\tMax\nPoles\t3\t5\nSize\nHeight\t120 cm\t185 cm"), 1);
        let years = "A\nPlace\tOutput 2021 (t)\tStaff\nTarn\t40\t3\nB\nPlace\tOutput 2022 (t)\tStaff\nBrenn\t41\t4";
        assert_eq!(tables(years), 2);
        assert_eq!(tables("Men\nName\tBorn\tTime\nA\t1990\t55:10\nWomen\nName\tBorn\tTime\nB\t1991\t56:10"), 2);
    }

    #[test]
    fn lines_are_headings_items_and_fields_by_their_writing() {
        for (text, expected) in [
            ("Overview\n\nThe port is large.", vec![BlockKind::Heading(3), BlockKind::Paragraph]),
            ("## Overview", vec![BlockKind::Heading(2)]),
            ("It has:\n- piers\n2. cranes", vec![BlockKind::Paragraph, BlockKind::Item, BlockKind::Item]),
            ("Opened: 1974", vec![BlockKind::Paragraph]),
        ] {
            let kinds: Vec<BlockKind> = Layout::of_text(text).blocks.iter().map(|block| block.kind).collect();
            assert_eq!(kinds, expected, "{text:?}");
        }
        assert!(field("He said this: it was over.").is_none());
        let (name, value) = field("* Opened: 12 May 1974").unwrap();
        assert_eq!(
            (name.slice("* Opened: 12 May 1974"), value.slice("* Opened: 12 May 1974")),
            ("Opened", "12 May 1974")
        );
    }

    proptest! {
        #[test]
        fn every_span_is_one_of_the_text(text in "[a-zé |\t\n:#.*-]{0,200}") {
            let layout = Layout::of_text(&text);
            let cells = layout.tables.iter().flatten().flatten().map(|cell| cell.span);
            for span in layout.blocks.iter().map(|block| block.span).chain(cells) {
                prop_assert!(span.get(&text).is_some());
            }
            for line in text.lines() {
                if let Some((name, value)) = field(line) {
                    prop_assert!(name.get(line).is_some() && value.get(line).is_some());
                }
            }
        }
    }
}
