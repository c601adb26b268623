//! Values in the cells of tables: the label of the row and the head of the column say what they are of.
//!
//! In the text of a page a row is a line, its cells parted by tabs or bars; the head of a table is its first line. A field with its
//! name (*Sponsor: Orsolight*) is a row of two cells. A cell whose row and
//! column the claim names has the claim's value; one whose row or column is another than the claim names has somebody else's.

use super::case::Case;
use crate::text::Span;
use crate::text::words::{Word, words};

/// So many lines above a row its table may begin.
const MOST_ROWS: usize = 80;
/// Longer lines are paragraphs.
const LONGEST_LINE: usize = 400;
/// So many other columns a table of a few years has.
const FEW_COLUMNS: usize = 2;
/// A label or head is named by this part of its content words.
const NAMED: f64 = 0.5;

/// A value's cell and the table round it.
pub(super) struct Cell<'t> {
    /// Its bytes.
    span: Span,
    /// The label of its row; empty where the value stands in the first cell.
    label: &'t str,
    /// The labels of the other rows.
    labels: Vec<&'t str>,
    /// The head of its column, when the table has heads.
    head: Option<&'t str>,
    /// The heads of the other columns.
    heads: Vec<&'t str>,
    /// The head above the labels: *Item (thousand crowns)*.
    corner: &'t str,
    /// The line above the table.
    title: &'t str,
}

/// The row of a table that a value stands in: where its line begins, and its label.
pub(super) fn row_at(text: &str, value: Span) -> Option<(usize, &str)> {
    let row = line_of(text, value)?;
    let line = row.of(text);
    parted(line)?;
    Some((row.start, *cells(line)?.first()?))
}

/// A line with more bytes than this on a side of a value is no row of a table: many values may stand in it, and each asks for its row.
const LONGEST_ROW: usize = 4_000;

/// The line that a value stands in, when it is no longer than a row of a table is.
fn line_of(text: &str, value: Span) -> Option<Span> {
    let from = text.floor_char_boundary(value.start.saturating_sub(LONGEST_ROW));
    let to = text.ceil_char_boundary((value.end + LONGEST_ROW).min(text.len()));
    let start = text[from..value.start].rfind('\n').map(|at| from + at + 1).or((from == 0).then_some(0))?;
    let end = text[value.end..to].find('\n').map(|at| value.end + at).or((to == text.len()).then_some(to))?;
    Some(Span::new(start, end))
}

/// Whether the claim names the row of this label.
pub(super) fn names_row(case: &Case<'_, '_, '_>, label: &str) -> bool {
    named(case, label, &[]) >= NAMED
}

/// Whether a value stands in a cell whose row and column the claim names.
pub(super) fn is_named(case: &Case<'_, '_, '_>, value: Span) -> bool {
    named_at(case, value).is_some()
}

/// The cell of a value, when the claim names its row and column.
pub(super) fn named_at<'t>(case: &Case<'_, 't, '_>, value: Span) -> Option<Cell<'t>> {
    let cell = Cell::at(case.index.text(), value)?;
    let label = named(case, cell.label, &[]);
    if label < NAMED || cell.labels.iter().any(|other| named(case, other, &[]) > label) {
        return None;
    }
    // *203 mm front and 180 mm rear* says itself what each is of.
    if case.index.quantities_in(cell.span).len() > 1 {
        return None;
    }
    let column = match cell.head {
        // One value a row needs no head.
        None => cell.heads.is_empty(),
        Some(head) => {
            // In what tells it from each other column: *Passengers 2024 (million)* has its year from one and its first word from another.
            let told = |other: &&str| {
                let own = named(case, head, &[other]);
                own > 0.0 && own >= named(case, other, &[head])
            };
            // A claim that names no column speaks of any, when they are few: *18, 13, 20, 31* are the quarters of a game.
            let none = || cell.heads.iter().chain([&head]).all(|head| named(case, head, &[]) <= 0.0);
            cell.heads.iter().all(told) || label >= 1.0 && cell.heads.len() <= FEW_COLUMNS && none()
        }
    };
    column.then_some(cell)
}

impl Cell<'_> {
    /// What is written above the cell and before it, each with a line end: it says in which unit the value is, and of which year.
    pub(super) fn said_of_it(&self) -> String {
        [self.head.unwrap_or_default(), self.label, self.corner, self.title].map(|said| [said, "\n"].concat()).concat()
    }
}

/// Whether a value stands in a row or column of something else than the claim names.
pub(super) fn is_of_another(case: &Case<'_, '_, '_>, value: Span) -> bool {
    let Some(cell) = Cell::at(case.index.text(), value) else { return false };
    let wholly = |other: &&str, but: &[&str]| named(case, other, but) >= 1.0;
    // In what tells the two rows apart: *Hill line* and *Ring line* share a word.
    let row = cell.labels.iter().any(|other| named(case, cell.label, &[other]) <= 0.0 && wholly(other, &[cell.label]));
    let column = cell.head.is_some_and(|head| {
        named(case, head, &cell.heads) <= 0.0 && cell.heads.iter().any(|other| wholly(other, &[head]))
    });
    row || column
}

/// The part of the content words of a label that the claim has, but for those of `others`; 0 where none are left.
fn named(case: &Case<'_, '_, '_>, label: &str, others: &[&str]) -> f64 {
    let shared = |word: &Word| others.iter().any(|other| words(other).any(|theirs| theirs.key == word.key));
    let telling: Vec<Word> = words(label).filter(|word| !word.stop && !shared(word)).collect();
    // *FY2025* is named by *fiscal 2025*.
    let year = |word: &Word| {
        let written = word.span.of(label);
        let figures = written.trim_start_matches(|c: char| c.is_alphabetic());
        figures.len() == 4
            && figures.len() < written.len()
            && case.words.iter().any(|own| own.span.of(case.claim) == figures)
    };
    let is_there = |word: &&Word| case.words.iter().any(|own| own.key == word.key) || year(word);
    let there = telling.iter().filter(is_there).count();
    if telling.is_empty() { 0.0 } else { there as f64 / telling.len() as f64 }
}

impl<'t> Cell<'t> {
    fn at(text: &'t str, value: Span) -> Option<Self> {
        let Span { start, end } = line_of(text, value)?;
        let line = &text[start..end];
        let row = cells(line)?;
        let parted = parted(line);
        let table_line = |line| table_line(line).filter(|_| parted == self::parted(line));
        let within = |cell: &str| {
            let at = cell.as_ptr() as usize - text.as_ptr() as usize;
            at <= value.start && value.end <= at + cell.len()
        };
        let place = row.iter().position(|cell| within(cell))?;
        let above: Vec<Vec<&str>> =
            text[..start].trim_end_matches('\n').rsplit('\n').take(MOST_ROWS).map_while(table_line).collect();
        let below = text[end..].strip_prefix('\n').unwrap_or_default();
        let below: Vec<Vec<&str>> = below.split('\n').take(MOST_ROWS).map_while(table_line).collect();
        let title =
            text[..start].trim_end_matches('\n').rsplit('\n').skip(above.len()).find(|line| !line.trim().is_empty());
        let title = title.filter(|line| line.len() <= LONGEST_LINE).unwrap_or_default();
        let heads = above.iter().rfind(|row| !row.is_empty()).filter(|head| is_head(head));
        let rows = above.iter().filter(|other| heads.is_none_or(|head| !std::ptr::eq(*other, head))).chain(&below);
        let labels = rows.filter_map(|row| row.first().copied()).filter(|label| !label.is_empty()).collect();
        // An empty corner may be gone.
        let corner = heads.filter(|head| head.len() >= row.len()).map_or("", |head| head[0]);
        let missing = heads.map_or(0, |head| row.len().saturating_sub(head.len()));
        let head = heads.and_then(|head| head.get(place.checked_sub(missing)?).copied());
        let from = usize::from(missing == 0);
        let others = heads.into_iter().flat_map(|head| head.iter().enumerate().skip(from));
        let heads: Vec<&str> =
            others.filter(|(at, _)| Some(*at) != place.checked_sub(missing)).map(|(_, head)| *head).collect();
        if heads.len() + 1 < row.len().saturating_sub(1) && head.is_some() || missing > 1 {
            return None;
        }
        let label = if place == 0 { "" } else { row[0] };
        // Without heads the other cells of the row stand for them: several values, and nothing that tells them apart.
        let heads = if head.is_none() && row.len() > 2 {
            row[1..].iter().copied().filter(|cell| *cell != row[place]).collect()
        } else {
            heads
        };
        let at = row[place].as_ptr() as usize - text.as_ptr() as usize;
        Some(Cell { span: Span::new(at, at + row[place].len()), label, labels, head, heads, corner, title })
    }
}

/// The cells of a line of a table; the line between head and rows has none.
fn table_line(line: &str) -> Option<Vec<&str>> {
    let cells = cells(line)?;
    Some(if cells.iter().all(|cell| cell.chars().all(|c| matches!(c, '-' | ':' | ' '))) { Vec::new() } else { cells })
}

/// What stands between the cells of a line.
fn parted(line: &str) -> Option<char> {
    ['\t', '|'].into_iter().find(|sign| line.contains(*sign))
}

fn cells(line: &str) -> Option<Vec<&str>> {
    if line.len() > LONGEST_LINE {
        return None;
    }
    let Some(parted) = parted(line) else { return field(line) };
    let bare = line.trim_matches(|c| c == ' ' || c == '|' && parted == '|');
    let cells: Vec<&str> = bare.split(parted).map(str::trim).collect();
    (cells.len() > 1).then_some(cells)
}

/// A line that is a field with its name: *Results posted: 6 June 2023*.
fn field(line: &str) -> Option<Vec<&str>> {
    /// Longer ones are sentences with a colon.
    const LONGEST_NAME: usize = 40;
    let bare = line.trim().trim_start_matches(['-', '*', '•', ' ']);
    let (name, value) = bare.split_once(':').or_else(|| bare.split_once('：'))?;
    let short =
        name.len() <= LONGEST_NAME && name.starts_with(char::is_alphabetic) && !name.contains(['.', ',', '“', '"']);
    let parted = value.starts_with(char::is_whitespace) || !value.is_ascii();
    (short && parted && !value.contains(';') && !value.trim().is_empty() && !bare.ends_with(['.', '!', '?']))
        .then(|| vec![name.trim(), value.trim()])
}

/// Whether a line says what its columns are: words, or years.
fn is_head(row: &[&str]) -> bool {
    let bare = |cell: &&str| {
        let figures = cell.chars().filter(char::is_ascii_digit).count();
        let letters = cell.chars().filter(|c| c.is_alphabetic()).count();
        let year = letters == 0 && cell.len() == 4 && cell.starts_with(['1', '2']);
        figures > letters && !year
    };
    row.len() > 1 && !row[1..].iter().any(bare)
}

#[cfg(test)]
mod tests {
    use crate::claim::ClaimKind;
    use crate::judge::verdict::{CheckKind, CheckResult};
    use crate::judge::{ClaimText, Settings, SourceText, judge};

    const PRICES: &str = "Plans and limits\nLimit\tNest\tFlock\tSky\nRequests a minute\t60\t300\t1,200\nUsers\t5\t25\t400\nAll prices are in euros.";

    /// Whether the number of a claim is found for the same thing.
    #[track_caller]
    fn check(claim: &str, found: bool) {
        check_on(PRICES, claim, found);
    }

    #[track_caller]
    fn check_on(page: &str, claim: &str, found: bool) {
        let verdict = judge(&ClaimText::new(claim, ClaimKind::Plain), &SourceText::new(page, ""), &Settings::default());
        let agrees =
            verdict.checks.iter().any(|check| check.kind == CheckKind::Quantity && check.result == CheckResult::Agrees);
        assert_eq!(agrees, found, "{claim}: {verdict:?}");
    }

    #[test]
    fn row_and_column_say_what_a_value_is_of() {
        check("Flock allows 300 requests a minute.", true);
        check("Nest allows 60 requests a minute.", true);
        check("Sky allows 400 users.", true);
        check("Flock allows 60 requests a minute.", false);
        check("Nest allows 25 users.", false);
        check("Sky allows 400 requests a minute.", false);
    }

    #[test]
    fn what_stands_over_a_table_says_what_its_figures_are() {
        let budget = "The fund grew to $177.2 million.\n\nSpending (million dollars)\n\nDepartment\tFY2023 actual\tFY2024 adopted\tFY2025 adopted\nPolice\t48.9\t50.3\t51.7\nLibraries\t8.1\t8.4\t8.9\n\nThe ice rink was rejected.";
        check_on(budget, "Libraries get $8.9 million in fiscal 2025.", true);
        check_on(budget, "Libraries get $8.4 million in fiscal 2025.", false);
        check_on(budget, "The police got $8.9 million in fiscal 2025.", false);
        check_on(budget, "Spending on libraries rises from $8.4 million to $8.9 million in fiscal 2025.", true);
        let lines = "Line\tPassengers 2023 (million)\tPassengers 2024 (million)\tOn time 2024\nTornes\t7.6\t8.7\t82.0%\nSkaar\t9.8\t9.1\t71.4%";
        check_on(lines, "Tornes had 8.7 million passengers in 2024.", true);
        check_on(lines, "Tornes had 7.6 million passengers in 2024.", false);
        let rates = "Prices, per cent\n\nDivision\tJuly\tAugust\nFood\t1.8\t1.5\nTransport\t1.2\t-0.8\n\nMore follows.";
        check_on(rates, "Transport prices fell by 0.8% in August.", true);
        check_on(rates, "Transport prices rose by 0.8% in August.", false);
        check_on(rates, "Transport prices fell by 1.2% in July.", false);
    }

    #[test]
    fn a_value_of_a_row_that_shares_a_word_with_the_one_meant_is_of_another() {
        let lines = "Line\tStations\tLength (km)\nHarbour line\t14\t11.2\nHill line\t9\t6.8\nRing line\t21\t17.5";
        check_on(lines, "The Hill line has 9 stations.", true);
        check_on(lines, "The Hill line has 14 stations.", false);
    }

    #[test]
    fn a_field_is_of_what_its_name_says() {
        let page = "Study record\nStatus: Completed\nPhase: 2\nStudy completion: November 2022\nResults posted: 6 June 2023\nThe next study is of phase 3.";
        check_on(page, "Results were posted on 6 June 2023.", true);
        check_on(page, "Results were posted in November 2022.", false);
    }
}
