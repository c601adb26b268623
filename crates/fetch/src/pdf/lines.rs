//! The lines of a page of a PDF from where its characters stand, and the tables among them: what stands in columns is parted by tabs.

use pdf_extract::{MediaBox, OutputDev, OutputError, Transform};

/// A wider gap on a line parts two columns, in sizes of the font; between words it is a third of that.
const COLUMN_GAP: f64 = 1.0;
/// So many spaces in a row part two columns of a text of one width.
const SPACES: usize = 3;
/// A longer piece of a line is running text and no cell, in bytes.
const LONGEST_CELL: usize = 60;

/// More columns are letters that stand apart.
const MOST_COLUMNS: usize = 60;

/// What stands on a line without a wide gap.
#[derive(Debug, Default)]
struct Piece {
    from: f64,
    to: f64,
    text: String,
}

impl Piece {
    /// Whether it is a value: more figures than letters.
    fn is_figure(&self) -> bool {
        let figures = self.text.chars().filter(char::is_ascii_digit).count();
        figures > 0 && figures >= self.text.chars().filter(|c| c.is_alphabetic()).count()
    }

    /// How far it reaches into a column.
    fn overlap(&self, (from, to): (f64, f64)) -> f64 {
        self.to.min(to) - self.from.max(from)
    }
}

/// Reads the characters of a page. Where lines and words end is told as [`pdf_extract::PlainTextOutput`] tells it.
#[derive(Debug, Default)]
pub(super) struct Lines {
    written: Vec<Vec<Piece>>,
    begins_word: bool,
    spaces: usize,
    last: Option<(f64, f64)>,
}

impl Lines {
    /// The text of the page.
    pub(super) fn text(mut self) -> String {
        for line in &mut self.written {
            line.retain(|piece| !piece.text.trim().is_empty());
        }
        let mut text = String::new();
        let mut rest = self.written.as_slice();
        while let Some(first) = rest.first() {
            // Rows of one table have several short pieces each; lines without any may stand between. The first line alone where it is no row.
            let is_row =
                |line: &Vec<Piece>| line.len() > 1 && line.iter().all(|piece| piece.text.len() <= LONGEST_CELL);
            let most = if is_row(first) { rest.len() } else { 1 };
            let length = rest.iter().take(most).take_while(|line| line.is_empty() || is_row(line)).count();
            let last = rest[..length].iter().rposition(|line| !line.is_empty());
            let (rows, after) = rest.split_at(last.map_or(1, |last| last + 1));
            match columns_of(rows) {
                Some(columns) => {
                    rows.iter().filter(|row| !row.is_empty()).for_each(|row| write_row(row, &columns, &mut text));
                }
                None => rows.iter().for_each(|line| {
                    let pieces: Vec<&str> = line.iter().map(|piece| piece.text.as_str()).collect();
                    text.push_str(&pieces.join(" "));
                    text.push('\n');
                }),
            }
            rest = after;
        }
        text
    }
}

/// From where to where each column of some rows reaches, when they are a table.
fn columns_of(rows: &[Vec<Piece>]) -> Option<Vec<(f64, f64)>> {
    let written = || rows.iter().filter(|row| !row.is_empty());
    let most = rows.iter().map(Vec::len).max().filter(|_| written().count() > 1)?;
    // Heads may reach over several columns: those of the fullest rows are the columns.
    let mut cells: Vec<&Piece> = rows.iter().filter(|row| row.len() == most).flatten().collect();
    cells.sort_by(|a, b| a.from.total_cmp(&b.from));
    let mut columns: Vec<(f64, f64)> = Vec::new();
    for cell in cells {
        match columns.last_mut() {
            Some(column) if cell.from < column.1 => column.1 = column.1.max(cell.to),
            _ => columns.push((cell.from, cell.to)),
        }
    }
    if columns.len() > MOST_COLUMNS {
        return None;
    }
    // Two columns of prose side by side are no table.
    let valued = columns.iter().skip(1).any(|column| {
        let cells = || rows.iter().flatten().filter(|cell| cell.overlap(*column) > 0.0);
        cells().filter(|cell| cell.is_figure()).count() * 2 >= cells().count().max(1)
    });
    (columns.len() > 1 && valued).then_some(columns)
}

/// Writes a row, each piece behind as many tabs as columns stand before it.
fn write_row(row: &[Piece], columns: &[(f64, f64)], text: &mut String) {
    let mut at = 0;
    let mut written = false;
    for piece in row {
        let column = columns.iter().enumerate().max_by(|a, b| piece.overlap(*a.1).total_cmp(&piece.overlap(*b.1)));
        let column = column.map_or(at, |(column, _)| column.max(at));
        match column - at {
            0 if written => text.push(' '),
            tabs => text.extend(std::iter::repeat_n('\t', tabs)),
        }
        text.push_str(piece.text.trim());
        (at, written) = (column, true);
    }
    text.push('\n');
}

impl OutputDev for Lines {
    fn begin_page(&mut self, _: u32, _: &MediaBox, _: Option<(f64, f64, f64, f64)>) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn output_character(
        &mut self,
        at: &Transform,
        width: f64,
        _: f64,
        font: f64,
        char: &str,
    ) -> Result<(), OutputError> {
        // The side of a square as large as a character.
        let size = (font * (at.m11 + at.m21) * font * (at.m12 + at.m22)).abs().sqrt();
        let (x, y) = (at.m31, at.m32);
        let (end, last_y) = self.last.unwrap_or((f64::MAX, y));
        let away = (y - last_y).abs();
        let mut parted = false;
        if self.begins_word {
            if away > size * 1.5 {
                self.written.push(Vec::new());
            }
            if x < end && away > size * 0.5 || self.written.is_empty() {
                self.written.push(Vec::new());
            }
            let gap = x - end;
            parted = gap > size * COLUMN_GAP;
            if gap > size * 0.1 && !parted {
                self.push(" ", end, x);
            }
        }
        if char == " " {
            self.spaces += 1;
        } else {
            parted |= std::mem::take(&mut self.spaces) >= SPACES;
        }
        let to = x + width * size;
        if parted && let Some(line) = self.written.last_mut() {
            line.push(Piece { from: x, ..Piece::default() });
        }
        self.push(char, x, to);
        (self.begins_word, self.last) = (false, Some((to, y)));
        Ok(())
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        self.begins_word = true;
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        Ok(())
    }
}

impl Lines {
    fn push(&mut self, text: &str, from: f64, to: f64) {
        let Some(line) = self.written.last_mut() else { return };
        match line.last_mut() {
            Some(piece) => {
                piece.text.push_str(text);
                if text != " " {
                    piece.to = to;
                }
            }
            None => line.push(Piece { from, to, text: text.to_owned() }),
        }
    }
}
