//! Values in the cells of tables: the label of the row and the head of the column say what they are of.
//!
//! In the text of a page a row is a line, its cells parted by tabs or bars; the head of a table is its first line. A field with its
//! name (*Sponsor: Orsolight*) is a row of two cells. A cell whose row and
//! column the claim names has the claim's value; one whose row or column is another than the claim names has somebody else's.

use super::quantities::Case;
use crate::text::Span;
use crate::text::words::{Word, words};

/// So many lines above a row its table may begin.
const MOST_ROWS: usize = 80;
/// Longer lines are paragraphs.
const LONGEST_LINE: usize = 400;
/// A label or head is named by this part of its content words.
const NAMED: f64 = 0.5;

/// A value's cell and the table round it.
struct Cell<'t> {
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
}

/// Whether a value stands in a cell whose row and column the claim names.
pub(super) fn is_named(case: &Case<'_, '_, '_>, value: Span) -> bool {
    let Some(cell) = Cell::at(case.index.text(), value) else { return false };
    // *203 mm front and 180 mm rear* says itself what each is of.
    let inside = case.index.quantities().iter().filter(|q| cell.span.contains(q.span)).count();
    let label = named(case, cell.label, &[]);
    if inside > 1 || label < NAMED || cell.labels.iter().any(|other| named(case, other, &[]) > label) {
        return false;
    }
    match cell.head {
        // One value a row needs no head.
        None => cell.heads.is_empty(),
        Some(head) => {
            let own = named(case, head, &cell.heads);
            own > 0.0 && cell.heads.iter().all(|other| named(case, other, &[head]) <= own) || cell.heads.is_empty()
        }
    }
}

/// Whether a value stands in a row or column of something else than the claim names.
pub(super) fn is_of_another(case: &Case<'_, '_, '_>, value: Span) -> bool {
    let Some(cell) = Cell::at(case.index.text(), value) else { return false };
    let wholly = |other: &&str, but: &[&str]| named(case, other, but) >= 1.0;
    let row = named(case, cell.label, &[]) <= 0.0 && cell.labels.iter().any(|other| wholly(other, &[cell.label]));
    let column = cell.head.is_some_and(|head| {
        named(case, head, &cell.heads) <= 0.0 && cell.heads.iter().any(|other| wholly(other, &[head]))
    });
    row || column
}

/// The part of the content words of a label that the claim has, but for those of `others`; 0 where none are left.
fn named(case: &Case<'_, '_, '_>, label: &str, others: &[&str]) -> f64 {
    let shared = |word: &Word| others.iter().any(|other| words(other).any(|theirs| theirs.key == word.key));
    let telling: Vec<Word> = words(label).filter(|word| !word.stop && !shared(word)).collect();
    let there = telling.iter().filter(|word| case.words.iter().any(|own| own.key == word.key)).count();
    if telling.is_empty() { 0.0 } else { there as f64 / telling.len() as f64 }
}

impl<'t> Cell<'t> {
    fn at(text: &'t str, value: Span) -> Option<Self> {
        let start = text[..value.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[value.end..].find('\n').map_or(text.len(), |at| value.end + at);
        let line = &text[start..end];
        let row = cells(line)?;
        let within = |cell: &str| {
            let at = cell.as_ptr() as usize - text.as_ptr() as usize;
            at <= value.start && value.end <= at + cell.len()
        };
        let place = row.iter().position(|cell| within(cell))?;
        let above: Vec<Vec<&str>> =
            text[..start].trim_end_matches('\n').rsplit('\n').take(MOST_ROWS).map_while(table_line).collect();
        let below = text[end..].strip_prefix('\n').unwrap_or_default();
        let below: Vec<Vec<&str>> = below.split('\n').take(MOST_ROWS).map_while(table_line).collect();
        let heads = above.iter().rfind(|row| !row.is_empty()).filter(|head| is_head(head));
        let rows = above.iter().filter(|other| heads.is_none_or(|head| !std::ptr::eq(*other, head))).chain(&below);
        let labels = rows.filter_map(|row| row.first().copied()).filter(|label| !label.is_empty()).collect();
        // An empty corner may be gone.
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
        Some(Cell { span: Span::new(at, at + row[place].len()), label, labels, head, heads })
    }
}

/// The cells of a line of a table; the line between head and rows has none.
fn table_line(line: &str) -> Option<Vec<&str>> {
    let cells = cells(line)?;
    Some(if cells.iter().all(|cell| cell.chars().all(|c| matches!(c, '-' | ':' | ' '))) { Vec::new() } else { cells })
}

fn cells(line: &str) -> Option<Vec<&str>> {
    if line.len() > LONGEST_LINE {
        return None;
    }
    if !line.contains(['\t', '|']) {
        return field(line);
    }
    let parted = if line.contains('\t') { '\t' } else { '|' };
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
    fn a_field_is_of_what_its_name_says() {
        let page = "Study record\nStatus: Completed\nPhase: 2\nStudy completion: November 2022\nResults posted: 6 June 2023\nThe next study is of phase 3.";
        check_on(page, "Results were posted on 6 June 2023.", true);
        check_on(page, "Results were posted in November 2022.", false);
    }
}
