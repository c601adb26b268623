//! In which column each cell of a table begins, where cells reach over several rows or columns.

/// More columns are data for programs.
const MOST_COLUMNS: usize = 200;
/// A cell that reaches over more columns does so to fill its row.
const WIDEST: usize = 24;

/// Where a row is in its table.
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
