//! How many rows of a table meet what a claim asks of them: *seven of the twelve ferries are Danish*, *all bridges were built after 1950*,
//! *the only park with a lake*.

use std::cmp::Ordering;

use super::account::{Account, is_alike};
use super::compared::{self, Compared, Outcome};
use super::grid::{Grid, Line};
use super::shown::Shown;
use super::steps::is_the_value;
use super::top::End;
use super::{MOST_MISSING, TABLED, stands_over};
use crate::judge::case::Case;
use crate::judge::cues::{self, Class};
use crate::judge::years;
use crate::quantity::{Bound, Measure, Quantity};
use crate::text::Span;
use crate::text::words::Word;

/// Of fewer rows nobody says how many there are.
const FEWEST: usize = 3;
/// A share in words is right to so many points: *a third* of ten rows.
const POINTS: f64 = 0.5;

/// Whether a claim speaks of how many there are, so that tables are worth reading for it.
pub(super) fn is_asked(case: &Case<'_, '_, '_>) -> bool {
    !readings(case).is_empty()
}

/// What a table has of the count that a claim gives, where it accounts for the rest of the claim.
pub(super) fn show(grid: &Grid<'_>, case: &Case<'_, '_, '_>, title: u128) -> Option<Outcome> {
    let rows = grid.things();
    if rows.len() < FEWEST || cues::exception(case.claim).is_some() {
        return None;
    }
    let mut all: Vec<Outcome> =
        readings(case).into_iter().filter_map(|reading| reading.hold(grid, case, &rows, title)).collect();
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
struct Reading<'c> {
    how_many: HowMany<'c>,
    /// Where the claim says so.
    span: Span,
}

/// The ways in which a claim may say how many there are.
fn readings<'c>(case: &'c Case<'_, '_, '_>) -> Vec<Reading<'c>> {
    let word = |(at, word): (usize, &Word)| {
        let after_an_article = at.checked_sub(1).is_some_and(|before| cues::is_article(&case.words[before]));
        // *At all* counts nothing.
        let counts = || case.words.get(at + 1).is_some_and(|next| !cues::sets_off(next));
        let how_many = if cues::has(word, Class::All) && counts() {
            HowMany::All
        } else if cues::has(word, Class::NoneOf) && case.words[..at].iter().all(|word| word.stop) {
            HowMany::None
        } else if cues::has(word, Class::Most) && (!after_an_article || !cues::is_extreme(word)) {
            HowMany::Most
        } else {
            return None;
        };
        Some(Reading { how_many, span: word.span })
    };
    let mut words = case.words.iter().enumerate().filter_map(word);
    if let Some(first) = words.next() {
        return if words.next().is_none() { vec![first] } else { Vec::new() };
    }
    let count = |q: &'c Quantity| {
        let of = || case.words.iter().find(|word| word.span.start >= q.span.end).is_some_and(cues::is_of);
        let how_many = match q.measure {
            Measure::Count if is_count(q) => HowMany::Count(q),
            Measure::Percent if q.spelled || of() => HowMany::Part(q),
            _ => return None,
        };
        Some(Reading { how_many, span: q.span })
    };
    let counts: Vec<Reading<'c>> = case.quantities.iter().filter_map(count).collect();
    let only = case.words.iter().find(|word| cues::has(word, Class::Only));
    match only {
        Some(word) if counts.is_empty() => vec![Reading { how_many: HowMany::Only, span: word.span }],
        _ => counts,
    }
}

/// Whether a value may count rows.
fn is_count(q: &Quantity) -> bool {
    q.measure == Measure::Count && q.upper.is_none() && q.value.fract() == 0.0 && q.value >= 0.0
}

/// What a claim asks of a row.
pub(super) struct Condition {
    /// The words and values of the claim that ask it.
    pub(super) spans: Vec<Span>,
    /// The column that has the answer; `None` for what stands over groups of rows.
    column: Option<usize>,
    /// Whether each of the rows meets it; `None` where its cell does not say.
    pub(super) met: Vec<Option<bool>>,
    /// How it is told.
    written: String,
}

/// What shows how many there are.
struct Told {
    told: Shown,
    account: Account,
}

impl Reading<'_> {
    /// Holds the reading against a table.
    fn hold(&self, grid: &Grid<'_>, case: &Case<'_, '_, '_>, rows: &[usize], title: u128) -> Option<Outcome> {
        let mut conditions = categories(grid, case, rows)?;
        let (mut granted, mut totals) = (vec![self.span], Vec::new());
        // *V2* is part of a name.
        let named = |q: &Quantity| {
            let mut words = grid.rows.iter().flat_map(Line::words).filter_map(|at| case.words.get(*at));
            q.is_label() || words.any(|word| word.span.overlaps(q.span))
        };
        for q in case.quantities.iter().filter(|q| !q.span.overlaps(self.span) && !named(q)) {
            if is_placed(grid, case, q) {
                granted.push(q.span);
            } else if let Some(condition) = condition(grid, case, rows, q) {
                conditions.push(condition);
            } else if is_count(q) && q.bound == Bound::Exact {
                totals.push(q);
            } else {
                return None;
            }
        }
        conditions.extend(moved(grid, case, rows));
        conditions.extend(answers(grid, case, rows));
        conditions.extend((0..case.words.len()).filter_map(|at| none_of(grid, case, rows, at)));
        conditions.sort_by_key(|condition| condition.spans.iter().map(|span| span.start).min());
        granted.extend(totals.iter().map(|q| q.span));
        granted.extend(case.words.last().filter(|word| cues::has(word, Class::All)).map(|word| word.span));
        granted.extend(conditions.iter().flat_map(|condition| condition.spans.iter().copied()));
        granted.extend(case.words.iter().filter(|word| cues::has(word, Class::Only)).map(|word| word.span));
        let denied =
            |word: &Word| cues::has(word, Class::Negator) && !granted.iter().any(|span| span.overlaps(word.span));
        // Nothing is asked of them: *all bridges*.
        let asks = !conditions.is_empty() || matches!(self.how_many, HowMany::Count(_));
        if !asks || case.words.iter().any(denied) {
            return None;
        }
        let row = self.named_row(grid, case, rows, &granted)?;
        // *All closed bridges are in the north*: of some it is said, and the last thing is what is said of them.
        let of_some = !totals.is_empty() || matches!(self.how_many, HowMany::All | HowMany::Most | HowMany::Part(_));
        let restricting = if of_some { conditions.len().saturating_sub(1) } else { 0 };
        let (restrict, said) = conditions.split_at(restricting);
        let unknown = |condition: &Condition| condition.met.contains(&None);
        // A cell that does not say is none of those that do.
        if matches!(self.how_many, HowMany::All | HowMany::None) && conditions.iter().any(unknown) {
            return None;
        }
        let meets = |conditions: &[Condition], at: usize| conditions.iter().all(|one| one.met[at] == Some(true));
        let meant: Vec<usize> = (0..rows.len()).filter(|at| meets(restrict, *at)).collect();
        let matching: Vec<usize> = meant.iter().copied().filter(|at| meets(said, *at)).collect();
        let (count, of) = (matching.len(), meant.len());
        if of == 0 || totals.iter().any(|total| (total.value - of as f64).abs() > 0.5) {
            return None;
        }
        let is_among = |row: usize| matching.iter().any(|at| rows[*at] == row);
        let as_claimed = self.how_many.is_met(count, of)? && row.is_none_or(is_among);
        let Told { told, account } = tell(grid, case, rows, &conditions, &matching, row, title, granted);
        let most = if conditions.is_empty() { 0 } else { MOST_MISSING };
        let accounted = account.covered(case) >= TABLED
            && account.missing(case) <= most
            && !account.misses_a_name(case)
            && !account.differs_in_reach(case);
        // What stands there refutes; that there are no more may be for want of the rest of a table.
        let seen = match self.how_many {
            HowMany::All => true,
            HowMany::None => true,
            HowMany::Only => count > 1 || row.is_some_and(|row| !is_among(row)),
            HowMany::Count(q) => !totals.is_empty() || q.bound == Bound::Exact && count as f64 > q.value,
            HowMany::Most | HowMany::Part(_) => !totals.is_empty(),
        };
        let surely = seen && !conditions.is_empty() && account.missing(case) == 0;
        let told = Shown { written: format!("{count} of {of} rows{}", told.written), ..told };
        let claimed = self.span.of(case.claim).trim().to_owned();
        accounted.then_some(Outcome { told, claimed, as_claimed, surely })
    }

    /// The row that is said to be the only one; `None` where the claim names a row and does not say so.
    #[allow(clippy::option_option)]
    fn named_row(
        &self,
        grid: &Grid<'_>,
        case: &Case<'_, '_, '_>,
        rows: &[usize],
        granted: &[Span],
    ) -> Option<Option<usize>> {
        let own = |line: &&Line| {
            let spans = line.words().iter().filter_map(|at| case.words.get(*at)).map(|word| word.span);
            let is_thing = rows.contains(&line.at);
            is_thing
                && line.named >= 1.0
                && !spans.into_iter().all(|span| granted.iter().any(|other| other.overlaps(span)))
        };
        let mut named = grid.rows.iter().filter(own);
        match (self.how_many, named.next(), named.next()) {
            (HowMany::Only, Some(row), None) => Some(Some(row.at)),
            (HowMany::Only, ..) | (_, Some(_), _) => None,
            (_, None, _) => Some(None),
        }
    }
}

/// What shows it, and what of the claim that accounts for.
#[allow(clippy::too_many_arguments)]
fn tell(
    grid: &Grid<'_>,
    case: &Case<'_, '_, '_>,
    rows: &[usize],
    conditions: &[Condition],
    matching: &[usize],
    row: Option<usize>,
    title: u128,
    granted: Vec<Span>,
) -> Told {
    let (operands, parts) = cells(grid, rows, conditions, matching);
    let heads = conditions.iter().filter_map(|condition| condition.column);
    let heads = heads.flat_map(|column| grid.table.column_heads(column));
    let named = row.into_iter().flat_map(|row| grid.row_heads(row));
    let over: Vec<Span> = heads.chain(named).chain(grid.over.iter().copied()).collect();
    let account = Account::new(case, &parts, &over, title, false).granting(case, granted);
    let asked: Vec<&str> = conditions.iter().map(|condition| condition.written.as_str()).collect();
    let written = if asked.is_empty() { String::new() } else { format!(": {}", asked.join(", ")) };
    let told = Shown { derived: true, written, operands, parts, over, in_a_table: true, ..Shown::default() };
    Told { told, account }
}

/// What a claim asks of the rows by words that stand in a column: *Danish*, *closed*; `None` where a cell says more than such words, so
/// that nobody knows whether it is meant.
pub(super) fn categories(grid: &Grid<'_>, case: &Case<'_, '_, '_>, rows: &[usize]) -> Option<Vec<Condition>> {
    let columns =
        (0..grid.table.columns).filter(|column| !grid.all_columns.contains(column) && !grid.names_rows(*column));
    let columns = columns.filter(|column| answers_in(grid, case, rows, *column).is_none());
    let mut conditions = Vec::new();
    for column in columns.map(Some).chain([None]) {
        let cell = |row: &usize| match column {
            Some(column) => grid.span(*row, column),
            None => grid.table.rows.get(*row).and_then(|row| row.group),
        };
        let cells: Vec<Span> = rows.iter().map(|row| cell(row).unwrap_or_default()).collect();
        let mut all: Vec<Category<'_>> = cells.iter().map(|cell| Category::new(grid, case, *cell)).collect();
        // What has the very words goes before what has others of their stems.
        if all.iter().any(|own| own.named == Some(Likeness::Same)) {
            all.iter_mut().filter(|own| own.named == Some(Likeness::Alike)).for_each(|own| own.named = None);
        }
        let meant: Vec<&Category<'_>> = all.iter().filter(|own| own.named.is_some()).collect();
        // *North* beside *North Harbour*.
        let outdone = |own: &Category<'_>| meant.iter().any(|other| own.is_within(other));
        let meant: Vec<&Category<'_>> = meant.iter().copied().filter(|own| !outdone(own)).collect();
        let Some(first) = meant.first() else { continue };
        let is_meant = |own: &Category<'_>| meant.iter().any(|other| other.keys == own.keys);
        let unclear = all.iter().any(|own| !is_meant(own) && meant.iter().any(|meant| meant.is_within(own)));
        let guessed = first.named == Some(Likeness::Alike) && meant.iter().any(|other| other.keys != first.keys);
        if unclear {
            return None;
        }
        // *Brücke*, beside kinds of bridges.
        if guessed {
            continue;
        }
        let met = all.iter().map(|own| (!own.written.is_empty()).then(|| is_meant(own))).collect();
        let mut written: Vec<&str> = meant.iter().map(|own| own.written).collect();
        written.sort_unstable();
        written.dedup();
        let head = column.and_then(|column| grid.table.column_heads(column).last());
        let head = head.map(|head| format!(" ({})", head.of(case.index.text()).trim())).unwrap_or_default();
        let written = format!("{}{head}", written.join(" or "));
        let spans = meant.iter().flat_map(|own| own.spans.iter().copied()).collect();
        conditions.push(Condition { spans, column, met, written });
    }
    Some(conditions)
}

/// How a claim names what a cell says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Likeness {
    /// By its words.
    Same,
    /// By words of their stems: *eléctricos*, of *eléctrica*.
    Alike,
}

/// What a cell says of its row in words.
struct Category<'t> {
    written: &'t str,
    keys: Vec<u64>,
    /// How the claim names it, if it does …
    named: Option<Likeness>,
    /// … by these of its words.
    spans: Vec<Span>,
}

impl<'t> Category<'t> {
    fn new(grid: &Grid<'t>, case: &Case<'_, 't, 't>, cell: Span) -> Self {
        let text = case.index.text();
        let written = cell.of(text).trim();
        let tells = |word: &&Word| !word.stop || cues::has(word, Class::Negator);
        let content: Vec<&Word> = grid.words(cell).filter(tells).collect();
        // *Crew C*.
        let all = if content.is_empty() { grid.words(cell).collect() } else { content };
        let same = |word: &Word| {
            let own = case.words.iter().filter(|own| own.key == word.key);
            own.into_iter().find(|own| !word.stop || tells(&word) || own.span.of(case.claim) == word.span.of(text))
        };
        let alike = |word: &Word| {
            let theirs = word.span.of(text).to_lowercase();
            case.words.iter().find(|own| !own.stop && is_alike(&own.span.of(case.claim).to_lowercase(), &theirs))
        };
        let named = |spans: &Vec<Span>| !all.is_empty() && spans.len() == all.len();
        let very: Vec<Span> = all.iter().filter_map(|word| same(word)).map(|own| own.span).collect();
        let near: Vec<Span> =
            all.iter().filter_map(|word| same(word).or_else(|| alike(word))).map(|own| own.span).collect();
        let whole = grid.place_in_claim(written);
        let (named, spans) = if let Some(whole) = whole.filter(|_| named(&very)) {
            (Some(Likeness::Same), vec![whole])
        } else if named(&very) {
            (Some(Likeness::Same), very)
        } else if named(&near) {
            (Some(Likeness::Alike), near)
        } else {
            (None, Vec::new())
        };
        Category { written, keys: all.iter().map(|word| word.key).collect(), named, spans }
    }

    /// Whether another one says this and more.
    fn is_within(&self, other: &Category<'_>) -> bool {
        self.keys.len() < other.keys.len() && self.keys.iter().all(|key| other.keys.contains(key))
    }
}

/// Whether a time, or a name with a number, stands over the columns that the claim names, or over the whole table.
fn is_placed(grid: &Grid<'_>, case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    let heads = grid.columns.iter().flat_map(|column| grid.table.column_heads(column.at));
    q.is_temporal() && heads.chain(grid.over.iter().copied()).any(|head| stands_over(case, q, head))
}

/// What a claim asks of the rows by a value: *more than 10,000 visitors*, *after 1950*.
fn condition(grid: &Grid<'_>, case: &Case<'_, '_, '_>, rows: &[usize], q: &Quantity) -> Option<Condition> {
    let (side, column) = match further(grid, case, rows, q) {
        Some((side, column)) => (Some(side), column),
        None => (side(case, q)?, column(grid, rows, q)?),
    };
    let mut met = Vec::new();
    for row in rows {
        met.push(match (grid.value(q, *row, column), side) {
            (None, _) => None,
            (Some(value), None) => Some(is_the_value(case, q, &value)),
            (Some(value), Some(side)) => match years::number(&value).partial_cmp(&years::number(q))? {
                // *More than* and *at least* are not told apart.
                Ordering::Equal => return None,
                order => Some(side == order),
            },
        });
    }
    let head = grid.table.column_heads(column).last().map_or("", |head| head.of(case.index.text()).trim());
    let sign = match side {
        None => "",
        Some(Ordering::Less) => "< ",
        Some(_) => "> ",
    };
    let written = format!("{sign}{} ({head})", q.span.of(case.claim).trim());
    Some(Condition { spans: vec![q.span], column: Some(column), met, written })
}

/// That a row has more in the one column of two years than in the other: *more in 2023 than in 2022*, *fell between 2022 and 2023*.
fn moved(grid: &Grid<'_>, case: &Case<'_, '_, '_>, rows: &[usize]) -> Option<Condition> {
    let (more, less, spans) = if let Some(comparative) = compared::comparative(case) {
        let (more, less) = comparative.columns(grid, case)?;
        (more, less, comparative.spans().to_vec())
    } else {
        let [a, b] = grid.columns.as_slice() else { return None };
        let (first, last) = if grid.year_over(a.at)? < grid.year_over(b.at)? { (a.at, b.at) } else { (b.at, a.at) };
        let naming = grid.naming();
        let says = |class| -> Vec<Span> {
            let words = case.words.iter().enumerate().filter(|(at, _)| !naming.contains(at)).map(|(_, word)| word);
            words.filter(|word| cues::has(word, class)).map(|word| word.span).collect()
        };
        match (says(Class::Up), says(Class::Down)) {
            (up, down) if !up.is_empty() && down.is_empty() => (last, first, up),
            (up, down) if up.is_empty() && !down.is_empty() => (first, last, down),
            _ => return None,
        }
    };
    let met = |row: &usize| {
        let (more, less) = (grid.scaled(*row, more)?, grid.scaled(*row, less)?);
        let order = more.value.partial_cmp(&less.value).filter(|order| *order != Ordering::Equal);
        order.filter(|_| more.measure == less.measure).map(|order| order == Ordering::Greater)
    };
    let head = |column| grid.table.column_heads(column).last().map_or("", |head| head.of(grid.text()).trim());
    let written = format!("{} > {}", head(more), head(less));
    Some(Condition { spans, column: Some(more), met: rows.iter().map(met).collect(), written })
}

/// What a claim asks of the rows by the head of a column of yes and no.
fn answers(grid: &Grid<'_>, case: &Case<'_, '_, '_>, rows: &[usize]) -> Vec<Condition> {
    let condition = |column: usize| {
        let met = answers_in(grid, case, rows, column)?;
        let head = grid.table.column_heads(column).last()?;
        let mut spans = Vec::new();
        for word in grid.words(head).filter(|word| !word.stop) {
            spans.push(case.words.iter().find(|own| own.key == word.key)?.span);
        }
        let written = format!("{}: yes", head.of(grid.text()).trim());
        (!spans.is_empty()).then_some(Condition { spans, column: Some(column), met, written })
    };
    (0..grid.table.columns).filter(|column| !grid.names_rows(*column)).filter_map(condition).collect()
}

/// What each row answers in a column of yes and no; `None` where that is no such column.
fn answers_in(grid: &Grid<'_>, case: &Case<'_, '_, '_>, rows: &[usize], column: usize) -> Option<Vec<Option<bool>>> {
    let languages = case.index.languages();
    let mut answers = Vec::new();
    for row in rows {
        let cell = grid.span(*row, column)?.of(grid.text()).trim();
        answers.push(if cell.is_empty() { None } else { Some(cues::answer(cell, languages)?) });
    }
    answers.contains(&Some(true)).then_some(answers)
}

/// That a row has nothing in a column that a word behind *no* names: *carries no cars*.
fn none_of(grid: &Grid<'_>, case: &Case<'_, '_, '_>, rows: &[usize], at: usize) -> Option<Condition> {
    let word = case.words.get(at).filter(|word| cues::has(word, Class::NoneOf))?;
    let named = |line: &&Line| line.words().contains(&(at + 1));
    let mut columns = grid.columns.iter().filter(named);
    let (line, None) = (columns.next()?, columns.next()) else { return None };
    let languages = case.index.languages();
    let met = |row: &usize| match grid.scaled(*row, line.at) {
        Some(value) => Some(value.value == 0.0),
        None => cues::answer(grid.span(*row, line.at)?.of(grid.text()), languages).map(|answer| !answer),
    };
    let head = grid.table.column_heads(line.at).last().map_or("", |head| head.of(grid.text()).trim());
    let spans = vec![word.span, case.words[at + 1].span];
    let met = rows.iter().map(met).collect();
    Some(Condition { spans, column: Some(line.at), met, written: format!("0 ({head})") })
}

/// On which side of a value those lie that are *longer than* it, and the column that says how long they are.
fn further(grid: &Grid<'_>, case: &Case<'_, '_, '_>, rows: &[usize], q: &Quantity) -> Option<(Ordering, usize)> {
    let before = case.words.iter().rev().find(|word| word.span.end <= q.span.start)?;
    let comparative = compared::comparative(case).filter(|comparative| comparative.is_right_before(before))?;
    let Compared { column, end, .. } = Compared::by(comparative.degree(), grid, *rows.first()?, &[])?;
    let more = matches!(end, End::Greatest | End::Latest);
    let of_kind = rows.iter().filter_map(|row| grid.value(q, *row, column)).all(|value| value.measure == q.measure);
    of_kind.then_some((if more { Ordering::Greater } else { Ordering::Less }, column))
}

/// On which side of a value those that are meant lie: `Some(None)` where they are the same; `None` where it does not say.
#[allow(clippy::option_option)]
fn side(case: &Case<'_, '_, '_>, q: &Quantity) -> Option<Option<Ordering>> {
    let before = case.words.iter().rev().find(|word| word.span.end <= q.span.start);
    let has = |class| before.is_some_and(|word| cues::has(word, class));
    match q.bound {
        _ if q.upper.is_some() => None,
        Bound::AtLeast => Some(Some(Ordering::Greater)),
        Bound::AtMost => Some(Some(Ordering::Less)),
        Bound::About => None,
        Bound::Exact if q.is_temporal() && has(Class::Before) => Some(Some(Ordering::Less)),
        Bound::Exact if q.is_temporal() && has(Class::After) => Some(Some(Ordering::Greater)),
        Bound::Exact if has(Class::Than) => None,
        Bound::Exact => Some(None),
    }
}

/// The column whose values a value of the claim is compared with: the one that it names, or the only one with such values.
fn column(grid: &Grid<'_>, rows: &[usize], q: &Quantity) -> Option<usize> {
    let of_kind = |column: &usize| {
        let mut values = rows.iter().filter_map(|row| grid.value(q, *row, *column)).peekable();
        values.peek().is_some()
            && values.all(|value| match (years::year_of(q), years::year_of(&value)) {
                (None, None) => value.measure == q.measure && value.upper.is_none(),
                (own, other) => own.is_some() == other.is_some(),
            })
    };
    let most = grid.columns.iter().map(|line| line.named).fold(0.0, f64::max);
    let named = grid.columns.iter().filter(|line| line.named >= most).map(|line| line.at).filter(of_kind);
    let named: Vec<usize> = named.collect();
    let all = || grid.all_columns.iter().copied().filter(of_kind).collect::<Vec<_>>();
    let alone = q.has_unit() || q.is_temporal();
    match if named.is_empty() && alone { all() } else { named }.as_slice() {
        [column] => Some(*column),
        _ => None,
    }
}

/// The cells that decide, those of the rows that are counted, or of all where there are none; with what is read beside them.
fn cells(grid: &Grid<'_>, rows: &[usize], conditions: &[Condition], matching: &[usize]) -> (Vec<Span>, Vec<Span>) {
    let all: Vec<usize> = (0..rows.len()).collect();
    let shown = if matching.is_empty() { &all } else { matching };
    let cell = |at: &usize, condition: &Condition| match condition.column {
        Some(column) => grid.span(rows[*at], column),
        None => grid.table.rows.get(rows[*at]).and_then(|row| row.group),
    };
    let mut operands: Vec<Span> =
        conditions.iter().flat_map(|condition| shown.iter().filter_map(|at| cell(at, condition))).collect();
    if operands.is_empty() {
        operands = shown.iter().filter_map(|at| grid.row_heads(rows[*at]).next()).collect();
    }
    (operands.clone(), operands)
}
