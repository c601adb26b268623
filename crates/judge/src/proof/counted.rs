//! How many rows of a table meet what a claim asks of them: *seven of the twelve ferries are Danish*, *all bridges were built after 1950*,
//! *the only park with a lake*.

use std::cmp::Ordering;

use super::account::{Account, MOST_MISSING, TABLED};
use super::condition::{Condition, Rows};
use super::grid::{Grid, Line};
use super::shown::Shown;
use crate::case::Case;
use crate::cues::{self, Class};
use cited_text::Span;
use cited_text::quantity::{Bound, Measure, Quantity};
use cited_text::words::Word;

/// Of fewer rows nobody says how many there are.
const FEWEST: usize = 3;
/// A share in words is right to so many points: *a third* of ten rows.
const POINTS: f64 = 0.5;
/// So many of the cells that decide are pinned.
const MOST_SHOWN: usize = 24;

/// What a table says of how many there are.
pub(super) struct Outcome {
    pub(super) shown: Shown,
    /// How the claim says it.
    pub(super) claimed: String,
    pub(super) as_claimed: bool,
    /// Whether the table accounts for all else that the claim says.
    pub(super) surely: bool,
}

/// What a table has of the count that a claim gives, where it accounts for the rest of the claim.
pub(super) fn show(grid: &Grid<'_>) -> Option<Outcome> {
    let case = grid.case;
    let rows = Rows { grid, at: grid.things() };
    if rows.at.len() < FEWEST || cues::says(case.claim.text, "exception") {
        return None;
    }
    let mut all: Vec<Outcome> = readings(case).into_iter().filter_map(|reading| reading.hold(&rows)).collect();
    let right = all.iter().position(|found| found.as_claimed);
    match (right, all.len()) {
        (Some(at), _) => Some(all.swap_remove(at)),
        (None, 1) => all.pop(),
        _ => None,
    }
}

/// How many of the rows a claim says it of.
#[derive(Debug, Clone, Copy)]
enum HowMany<'c> {
    All,
    None,
    Most,
    /// Of the row that it names and no other.
    Only,
    Count(&'c Quantity),
    /// Of this part of them.
    Part(&'c Quantity),
}

impl HowMany<'_> {
    /// Whether so many of so many rows are as many as the claim says; `None` where words leave it open.
    fn is_met(self, count: usize, of: usize) -> Option<bool> {
        let bounded = |q: &Quantity, own: f64, near: f64| match (q.bound, own.partial_cmp(&q.value)) {
            (Bound::Exact, _) => Some((own - q.value).abs() <= near),
            (Bound::AtLeast, Some(Ordering::Greater)) | (Bound::AtMost, Some(Ordering::Less)) => Some(true),
            (Bound::AtLeast, Some(Ordering::Less)) | (Bound::AtMost, Some(Ordering::Greater)) => Some(false),
            _ => None,
        };
        match self {
            HowMany::All => Some(count == of),
            HowMany::None => Some(count == 0),
            HowMany::Only => Some(count == 1),
            HowMany::Most => Some(2 * count > of),
            HowMany::Count(q) => bounded(q, count as f64, 0.0),
            HowMany::Part(q) => bounded(q, 100.0 * count as f64 / of as f64, POINTS),
        }
    }
}

/// A way to read a claim as one about how many rows there are.
pub(super) struct Reading<'c> {
    how_many: HowMany<'c>,
    /// Where the claim says so.
    span: Span,
}

/// The ways in which a claim may say how many there are: where it does, tables are worth reading for it.
pub(super) fn readings<'c>(case: &'c Case<'_>) -> Vec<Reading<'c>> {
    let word = |(at, word): (usize, &Word)| {
        let after_an_article =
            at.checked_sub(1).is_some_and(|before| cues::has(&case.claim.words[before], Class::Article));
        // *None at all*.
        let is_last = at + 1 == case.claim.words.len();
        let how_many = if cues::has(word, Class::All) && !is_last {
            HowMany::All
        } else if cues::has(word, Class::NoneOf) && case.claim.words[..at].iter().all(|word| word.stop) {
            HowMany::None
        } else if cues::has(word, Class::Most) && (!after_an_article || !cues::is_extreme(word)) {
            HowMany::Most
        } else {
            return None;
        };
        Some(Reading { how_many, span: word.span })
    };
    let mut words = case.claim.words.iter().enumerate().filter_map(word);
    if let Some(first) = words.next() {
        return if words.next().is_none() { vec![first] } else { Vec::new() };
    }
    let count = |q: &'c Quantity| {
        let of = || case.claim.words.iter().find(|word| word.span.start >= q.span.end).is_some_and(cues::is(Class::Of));
        let how_many = match q.measure {
            Measure::Count if is_count(q) => HowMany::Count(q),
            Measure::Percent if q.spelled || of() => HowMany::Part(q),
            _ => return None,
        };
        Some(Reading { how_many, span: q.span })
    };
    let counts: Vec<Reading<'c>> = case.claim.quantities.iter().filter_map(count).collect();
    let only = case.claim.words.iter().find(|word| cues::has(word, Class::Only));
    match only {
        Some(word) if counts.is_empty() => vec![Reading { how_many: HowMany::Only, span: word.span }],
        _ => counts,
    }
}

/// Whether a value may count rows.
fn is_count(q: &Quantity) -> bool {
    q.measure == Measure::Count && q.upper.is_none() && q.value.fract() == 0.0 && q.value >= 0.0
}

impl Reading<'_> {
    /// Holds the reading against some rows.
    fn hold(&self, rows: &Rows<'_, '_>) -> Option<Outcome> {
        let (grid, case) = (rows.grid, rows.grid.case);
        let (conditions, totals, granted) = self.read_conditions(rows)?;
        let row = self.named_row(rows, &granted)?;
        // *All closed bridges are in the north*: of some it is said, and the last thing is what is said of them.
        let of_some = !totals.is_empty() || matches!(self.how_many, HowMany::All | HowMany::Most | HowMany::Part(_));
        let restricting = if of_some { conditions.len().saturating_sub(1) } else { 0 };
        let (restrict, said) = conditions.split_at(restricting);
        let meets = |conditions: &[Condition], at: usize| conditions.iter().all(|one| one.met[at] == Some(true));
        let meant: Vec<usize> = (0..rows.at.len()).filter(|at| meets(restrict, *at)).collect();
        let matching: Vec<usize> = meant.iter().copied().filter(|at| meets(said, *at)).collect();
        let (count, of) = (matching.len(), meant.len());
        if of == 0 || totals.iter().any(|total| (total.value - of as f64).abs() > 0.5) {
            return None;
        }
        // *None exceeded 20,000*, of which the verb is not known, would be true of whatever nothing equals.
        if matches!(self.how_many, HowMany::None) && conditions.iter().any(|condition| condition.is_equality) {
            return None;
        }
        let is_among = |row: usize| matching.iter().any(|at| rows.at[*at] == row);
        let as_claimed = self.how_many.is_met(count, of)? && row.is_none_or(is_among);
        let parts = cells(rows, &conditions, &matching);
        let heads = conditions.iter().filter_map(|condition| condition.column);
        let heads = heads.flat_map(|column| grid.table.column_heads(column));
        let named = row.into_iter().flat_map(|row| grid.row_heads(row));
        let over: Vec<Span> = heads.chain(named).chain(grid.over.iter().copied()).collect();
        let account = Account::new(case, &parts, &over, false, &granted);
        let most = if conditions.is_empty() { 0 } else { MOST_MISSING };
        let accounted = account.is_of_the_whole(case, TABLED, most);
        // What stands there refutes; that there are no more may be for want of the rest of a table. *All districts have 12 ferries* may be said of
        // all together.
        // *Todos los barcos menos uno*.
        let names_one = case.claim.words.iter().any(|word| cues::has(word, Class::OneOf));
        let seen = match self.how_many {
            HowMany::All => !conditions.iter().any(|condition| condition.is_equality) && !names_one,
            HowMany::None => !names_one,
            HowMany::Only => count > 1 || row.is_some_and(|row| !is_among(row)),
            HowMany::Count(_) | HowMany::Most | HowMany::Part(_) => !totals.is_empty(),
        };
        let surely = seen && !conditions.is_empty() && account.missing(case) == 0;
        let asked: Vec<&str> = conditions.iter().map(|condition| condition.written.as_str()).collect();
        let colon = if asked.is_empty() { "" } else { ": " };
        let written = format!("{count} of {of} rows{colon}{}", asked.join(", "));
        let operands = parts.iter().take(MOST_SHOWN).copied().collect();
        let told = Shown { derived: true, written, operands, parts, over, in_a_table: true, ..Shown::default() };
        let claimed = self.span.slice(case.claim.text).trim().to_owned();
        accounted.then_some(Outcome { shown: told, claimed, as_claimed, surely })
    }

    /// What the claim asks of the rows beside how many there are, in its order; how many it says that there are in all; and what of the claim that
    /// accounts for. `None` where it asks nothing, denies, or says what the table does not tell.
    fn read_conditions<'c>(&self, rows: &Rows<'_, 'c>) -> Option<(Vec<Condition>, Vec<&'c Quantity>, Vec<Span>)> {
        let (grid, case) = (rows.grid, rows.grid.case);
        let mut conditions = rows.categories()?;
        let (mut granted, mut totals) = (vec![self.span], Vec::new());
        // *V2* is part of a name.
        let named = |q: &Quantity| q.is_label() || grid.rows.iter().any(|row| row.is_named_by(case, q));
        for q in case.claim.quantities.iter().filter(|q| !q.span.overlaps(self.span) && !named(q)) {
            if rows.is_placed(q) {
                granted.push(q.span);
            } else if let Some(condition) = rows.by_value(q) {
                conditions.push(condition);
            } else if is_count(q) && q.bound == Bound::Exact {
                totals.push(q);
            } else {
                return None;
            }
        }
        conditions.extend(rows.answers());
        conditions.extend((0..case.claim.words.len()).filter_map(|at| rows.none_of(at)));
        conditions.sort_by_key(|condition| condition.spans.iter().map(|span| span.start).min());
        granted.extend(totals.iter().map(|q| q.span));
        granted.extend(conditions.iter().flat_map(|condition| condition.spans.iter().copied()));
        granted.extend(case.claim.words.iter().filter(|word| cues::has(word, Class::Only)).map(|word| word.span));
        // *None at all*.
        granted.extend(case.claim.words.last().filter(|word| cues::has(word, Class::All)).map(|word| word.span));
        // *All but one*.
        let takes_back = [Class::SetOff, Class::Adversative, Class::Rest];
        if case.claim.words.iter().any(|word| takes_back.iter().any(|class| cues::has(word, *class))) {
            return None;
        }
        let denied =
            |word: &Word| cues::has(word, Class::Negator) && !granted.iter().any(|span| span.overlaps(word.span));
        // A cell that does not say is none of those that do, and may be one of all.
        let unknown = |condition: &Condition| condition.met.contains(&None);
        let of_each = matches!(self.how_many, HowMany::All | HowMany::None);
        // *Twelve ferries*, and no number alone.
        let counts = matches!(self.how_many, HowMany::Count(q) if q.counted.is_some());
        let asks = !conditions.is_empty() || counts;
        let tells = asks && !case.claim.words.iter().any(denied) && !(of_each && conditions.iter().any(unknown));
        tells.then_some((conditions, totals, granted))
    }

    /// The row that is said to be the only one; `None` where the claim names a row and does not say so.
    #[allow(clippy::option_option)]
    fn named_row(&self, rows: &Rows<'_, '_>, granted: &[Span]) -> Option<Option<usize>> {
        let own = |line: &&Line| {
            let spans = line.words.iter().filter_map(|at| rows.grid.case.claim.words.get(*at)).map(|word| word.span);
            let told = spans.into_iter().all(|span| granted.iter().any(|other| other.overlaps(span)));
            rows.at.contains(&line.at) && line.named >= 1.0 && !told
        };
        let mut named = rows.grid.rows.iter().filter(own);
        match (self.how_many, named.next(), named.next()) {
            (HowMany::Only, Some(row), None) => Some(Some(row.at)),
            (HowMany::Only, ..) | (_, Some(_), _) => None,
            (_, None, _) => Some(None),
        }
    }
}

/// The cells that decide: those of the rows that are counted, or of all where there are none.
fn cells(rows: &Rows<'_, '_>, conditions: &[Condition], matching: &[usize]) -> Vec<Span> {
    let matching = matching.iter().map(|at| rows.at[*at]).collect();
    let counted: Vec<usize> = Some(matching).filter(|all: &Vec<usize>| !all.is_empty()).unwrap_or(rows.at.clone());
    if conditions.is_empty() {
        return counted.iter().filter_map(|row| rows.grid.row_heads(*row).next()).collect();
    }
    let of = |condition: &Condition| {
        counted.iter().filter_map(move |row| rows.cell_in(*row, condition.column)).collect::<Vec<_>>()
    };
    conditions.iter().flat_map(of).collect()
}
