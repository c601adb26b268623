//! What a table shows of a value of a claim: it stands in the cell that the claim names, or follows from such cells by a step that the
//! claim names.

use super::grid::{Grid, GridCell, Line};
use super::shown::Shown;
use super::steps::{self, Steps, is_the_value};
use crate::cues::{self, Class};
use crate::derived::pairs;
use cited_text::Span;
use cited_text::quantity::{Agreement, Measure, Quantity, Step, compare, follow};
use cited_text::words::Word;

/// A value of so many figures in the row of the claim's thing is there by chance seldom.
const TELLING: usize = 3;

/// What may stand between two years that are compared, beside small words: *in 2023 lower than in 2022*.
const COMPARING: [Class; 3] = [Class::Up, Class::Down, Class::Than];

/// How the table has a value, if it does.
pub(super) fn show(grid: &Grid<'_>, q: &Quantity) -> Option<Shown> {
    let places = places(grid, q);
    let steps = Steps::read(grid.case, q, &grid.naming());
    let stands = places.iter().find(|place| {
        let turns = |value: &Quantity| steps.turns(value, grid.has_over(&[**place], Class::Down));
        let is_it = |value: Quantity| is_the_value(q, &value) && !turns(&value);
        grid.value(q, place.0, place.1).is_some_and(is_it)
    });
    if let Some(place) = stands {
        return shown(grid, q, Step::Same, &[*place]);
    }
    of_two(grid, &steps).or_else(|| of_many(grid, &steps)).or_else(|| of_the_whole(grid, &steps))
}

/// What stands in the one cell that the claim names wholly, or follows from the cells that it names wholly by the one step that it names,
/// where that is of the kind of its value and another one.
pub(super) fn differs(grid: &Grid<'_>, q: &Quantity) -> Option<Shown> {
    let named = |lines: &[Line]| !lines.is_empty() && lines.iter().all(|line| line.named >= 1.0);
    if q.is_temporal()
        || q.spelled
        || q.upper.is_some()
        || grid.is_named_by(q)
        || !named(&grid.rows)
        || !named(&grid.columns)
    {
        return None;
    }
    let places: Vec<GridCell> =
        grid.rows.iter().flat_map(|row| grid.columns.iter().map(move |column| (row.at, column.at))).collect();
    let values: Vec<Quantity> = places.iter().map_while(|(row, column)| grid.value(q, *row, *column)).collect();
    let mut steps = Steps::read(grid.case, q, &grid.naming());
    // What stands there as a mean nobody has to work out.
    if grid.has_over(&places, Class::Mean) {
        steps.named.retain(|step| !matches!(step, Step::Mean | Step::Quotient));
    }
    // A share or a multiple that stands in the cell need not be worked out.
    if values.iter().any(|value| value.measure == q.measure) {
        steps.named.retain(|step| !matches!(step, Step::Share | Step::Ratio));
    }
    match (places.as_slice(), steps.named.as_slice()) {
        ([place], []) => {
            let value = values.first()?;
            let other = value.upper.is_none()
                && value.measure == q.measure
                && compare(q, value) == Agreement::Different
                && !is_the_value(q, value);
            // Figures that are the claim's own but for a thousand may be told in thousands.
            let scaled = grid.is_bare(q, place.0, place.1) && steps::is_in_thousands(q, value);
            if other && !scaled { shown(grid, q, Step::Same, &places) } else { None }
        }
        // Words name a sum or a change; what a share is of, they leave open.
        ([_, _, ..], [step @ (Step::Sum | Step::Difference | Step::Change)])
            if values.len() == places.len() && (grid.rows.len() == 1 || grid.columns.len() == 1) =>
        {
            // In the order of the years over their columns, where they have any.
            let mut places = places.clone();
            places.sort_by_key(|(_, column)| grid.year_over(*column));
            let values: Vec<Quantity> =
                places.iter().filter_map(|(row, column)| grid.value(q, *row, *column)).collect();
            let scale = grid.scale(q, places.first()?);
            let found = steps.other_result(*step, &values.iter().collect::<Vec<_>>(), scale)?;
            let mut told = shown(grid, q, *step, &places)?;
            told.written = steps::write_step(*step, values.iter().collect(), grid.text(), &found);
            Some(told)
        }
        _ => None,
    }
}

/// Whether the row that the claim names went the way that it says, from the one of two years that it names to the other, as far as it says nothing
/// more of it.
pub(super) fn moves(grid: &Grid<'_>) -> Option<(Shown, bool)> {
    let (case, naming) = (grid.case, grid.naming());
    let says = |class| {
        let mut words = case.claim.words.iter().enumerate().filter(|(at, _)| !naming.contains(at));
        words.any(|(_, word)| cues::has(word, class))
    };
    let (up, down) = (says(Class::Up), says(Class::Down));
    let ([row], [a, b]) = (grid.rows.as_slice(), grid.columns.as_slice()) else { return None };
    if up == down || says(Class::Negator) || row.named < 1.0 || a.named < 1.0 || b.named < 1.0 {
        return None;
    }
    let (first, last) = (grid.year_over(a.at)?, grid.year_over(b.at)?);
    // *It fell in 2022 and grew again in 2023* is no fall from the one to the other.
    let told = |year: i32| case.claim.quantities.iter().find(|q| q.year() == Some(year)).map(|q| q.span);
    let joined = told(first).zip(told(last)).is_none_or(|(one, other)| {
        let apart = Span::new(one.end.min(other.end), one.start.max(other.start));
        let own =
            case.claim.words.iter().enumerate().filter(|(at, word)| apart.contains(word.span) && !naming.contains(at));
        // *Q4 2021 and Q4 2022*.
        let of_both = |at: usize, word: &Word| case.claim.words[..at].iter().any(|other| other.key == word.key);
        let compares = |word: &Word| word.stop || COMPARING.iter().any(|class| cues::has(word, *class));
        own.into_iter().all(|(at, word)| compares(word) || of_both(at, word))
    });
    let (early, late) = if first < last { (a, b) } else { (b, a) };
    let (before, after) = (grid.scaled(row.at, early.at)?, grid.scaled(row.at, late.at)?);
    let differ = before.measure == after.measure && (before.value - after.value).abs() > f64::EPSILON;
    let places = [(row.at, early.at), (row.at, late.at)];
    let written = [before.span, after.span].map(|span| span.slice(grid.text()).trim()).join(" → ");
    let is_one = first != last && differ && joined;
    is_one.then(|| (grid.show(written, places, &places), (after.value > before.value) == up))
}

/// The cells that a claim may mean: those of the rows and columns that it names. Where it names rows only, those of the one column that has values
/// in the unit of the claim's; and so for columns.
fn places(grid: &Grid<'_>, q: &Quantity) -> Vec<GridCell> {
    let case = grid.case;
    // Of several things and several values each value is of the thing that is named next to it.
    let several = case.claim.quantities.iter().filter(|q| !q.is_temporal() && !q.is_label()).count() > 1;
    let (rows, columns) = if several {
        (grid.nearest(&grid.rows, q), grid.nearest(&grid.columns, q))
    } else {
        (grid.rows.iter().collect(), grid.columns.iter().collect())
    };
    let cross = |row: &Line| columns.iter().map(|column| (row.at, column.at)).collect::<Vec<_>>();
    let of_kind = |place: &GridCell| {
        q.has_unit() && grid.value(q, place.0, place.1).is_some_and(|value| value.measure == q.measure)
    };
    let only = |all: Vec<GridCell>, named: bool| -> Vec<GridCell> {
        let alone = all.len() == 1;
        let kind: Vec<GridCell> = all.iter().filter(|place| of_kind(place)).copied().collect();
        let telling = q.span.slice(case.claim.text).bytes().filter(u8::is_ascii_digit).count() >= TELLING;
        let same = |place: &&GridCell| {
            grid.value(q, place.0, place.1).is_some_and(|value| compare(q, &value) == Agreement::Same)
        };
        match kind.as_slice() {
            _ if alone => all,
            [one] => vec![*one],
            _ if telling && named => all.iter().filter(same).copied().collect(),
            _ => Vec::new(),
        }
    };
    if !rows.is_empty() && !columns.is_empty() {
        rows.iter().flat_map(|row| cross(row)).collect()
    } else if columns.is_empty() {
        let row = |row: &Line| only(grid.all_columns.iter().map(|column| (row.at, *column)).collect(), true);
        rows.iter().flat_map(|line| row(line)).collect()
    } else {
        let column = |column: &Line| only(grid.all_rows.iter().map(|row| (*row, column.at)).collect(), false);
        columns.iter().flat_map(|line| column(line)).collect()
    }
}

/// A step from two cells of one row or column.
fn of_two(grid: &Grid<'_>, steps: &Steps<'_>) -> Option<Shown> {
    if steps.named.is_empty() {
        return None;
    }
    let lines = |named: &[Line], all: &[usize]| -> Vec<usize> {
        if named.is_empty() { all.to_vec() } else { named.iter().map(|line| line.at).collect() }
    };
    let pairs_of = |named: &[Line]| -> Vec<[usize; 2]> {
        let ats: Vec<usize> = named.iter().map(|line| line.at).collect();
        pairs(&ats).collect()
    };
    let (rows, mut columns) = (pairs_of(&grid.rows), pairs_of(&grid.columns));
    if columns.is_empty() {
        columns.extend(years_apart(grid));
    }
    let across = |other: &[usize], pairs: &[[usize; 2]], turned: bool| -> Vec<[GridCell; 2]> {
        let place = |line: usize, at: usize| if turned { (at, line) } else { (line, at) };
        other.iter().flat_map(|line| pairs.iter().map(move |pair| pair.map(|at| place(*line, at)))).collect()
    };
    let by_row = across(&lines(&grid.rows, &grid.all_rows), &columns, false);
    let by_column = across(&lines(&grid.columns, &grid.all_columns), &rows, true);
    let read: Vec<(Step, [GridCell; 2])> = by_row
        .into_iter()
        .chain(by_column)
        .flat_map(|places| steps.named.iter().map(move |step| (*step, places)))
        .filter_map(|(step, places)| Some((step, in_order(grid, steps, step, places)?)))
        .collect();
    // Where the claim names no row, only one of them may give it.
    let free = grid.rows.is_empty() || grid.columns.is_empty();
    match read.as_slice() {
        [(step, places)] => shown(grid, steps.q, *step, places),
        [(step, places), ..] if !free => shown(grid, steps.q, *step, places),
        _ => None,
    }
}

/// The two columns of years that a change of which the claim names one year, or none, is between: that year and the one before, or the
/// only two.
fn years_apart(grid: &Grid<'_>) -> Option<[usize; 2]> {
    let years: Vec<(usize, i32)> =
        grid.all_columns.iter().filter_map(|column| Some((*column, grid.year_over(*column)?))).collect();
    match (grid.columns.as_slice(), years.as_slice()) {
        ([], [(a, first), (b, second)]) => (first != second).then_some([*a, *b]),
        ([named], _) => {
            let year = grid.year_over(named.at)?;
            let (column, _) = crate::only::only(years.iter().filter(|(_, other)| *other == year - 1))?;
            Some([*column, named.at])
        }
        _ => None,
    }
}

/// The part that a cell has in the whole of its column: in the row that says so, or in the sum of all others.
fn of_the_whole(grid: &Grid<'_>, steps: &Steps<'_>) -> Option<Shown> {
    let [row] = grid.rows.as_slice() else { return None };
    if !steps.named.contains(&Step::Share) {
        return None;
    }
    let things = grid.things();
    let column = |column: usize| -> Option<Shown> {
        let value = grid.scaled(row.at, column).filter(|_| things.contains(&row.at))?;
        let others = grid.all_rows.iter().filter(|other| !things.contains(other));
        let mut wholes: Vec<(Quantity, Vec<GridCell>)> =
            others.filter_map(|total| Some((grid.scaled(*total, column)?, vec![(*total, column)]))).collect();
        let all: Vec<Quantity> = things.iter().filter_map(|row| grid.scaled(*row, column)).collect();
        if all.len() == things.len() && all.len() >= FEWEST {
            let sum = follow(Step::Sum, &all.iter().collect::<Vec<_>>())?;
            wholes.push((sum, things.iter().map(|row| (*row, column)).collect()));
        }
        let additive = !matches!(value.measure, Measure::Percent | Measure::Points | Measure::Multiple);
        let gives = |(whole, _): &&(Quantity, Vec<GridCell>)| additive && steps.gives(Step::Share, &[&value, whole]);
        let (whole, places) = wholes.iter().find(gives)?;
        let told = |at: &GridCell| grid.span(at.0, at.1).map_or("", |cell| cell.slice(grid.text()).trim());
        let whole = if let [total] = places.as_slice() { told(total).to_owned() } else { steps::figure(whole.raw) };
        let own = (row.at, column);
        let written = format!("{} of {whole} = {}", told(&own), steps.q.span.slice(grid.case.claim.text).trim());
        Some(grid.show(written, [own].into_iter().chain(places.iter().copied()), &[own]))
    };
    let named: Vec<usize> = grid.columns.iter().map(|column| column.at).collect();
    let columns = if named.is_empty() { &grid.all_columns } else { &named };
    let mut found = columns.iter().filter_map(|at| column(*at));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// A sum is added up of so many cells at least.
const FEWEST: usize = 3;

/// The two cells in the order in which a step from them gives the value, in the direction that the claim tells: the value of an earlier year
/// comes first.
fn in_order(grid: &Grid<'_>, steps: &Steps<'_>, step: Step, places: [GridCell; 2]) -> Option<[GridCell; 2]> {
    let [one, other] = places;
    [[one, other], [other, one]].into_iter().find(|places| {
        let [Some(from), Some(to)] = places.map(|(row, column)| grid.value(steps.q, row, column)) else { return false };
        if let (Step::Change | Step::Difference, [Some(first), Some(last)]) =
            (step, places.map(|(_, column)| grid.year_over(column)))
            && (first > last || first < last && steps.goes_against(&from, &to))
        {
            return false;
        }
        steps.gives(step, &[&from, &to])
    })
}

/// A sum or a mean of all cells that the claim names in a row or column, or of a whole column where it names no row.
fn of_many(grid: &Grid<'_>, steps: &Steps<'_>) -> Option<Shown> {
    let of_many: Vec<Step> =
        steps.named.iter().filter(|step| matches!(step, Step::Sum | Step::Mean)).copied().collect();
    if of_many.is_empty() {
        return None;
    }
    let rows: Vec<usize> = grid.rows.iter().map(|row| row.at).collect();
    let columns: Vec<usize> = grid.columns.iter().map(|column| column.at).collect();
    let down = |column: &usize| -> Vec<GridCell> {
        let rows = if rows.len() > 1 { &rows } else { &grid.all_rows };
        rows.iter().map(|row| (*row, *column)).collect()
    };
    let along = |row: &usize| -> Vec<GridCell> {
        let columns = if columns.len() > 1 { &columns } else { &grid.all_columns };
        columns.iter().map(|column| (*row, *column)).collect()
    };
    let sets = columns.iter().filter(|_| rows.len() != 1).map(down);
    let sets = sets.chain(rows.iter().filter(|_| columns.len() != 1).map(along));
    sets.filter(|set| set.len() > 1).find_map(|set| {
        let values: Vec<Quantity> = set.iter().filter_map(|(row, column)| grid.value(steps.q, *row, *column)).collect();
        let operands: Vec<&Quantity> = values.iter().collect();
        let gives = |step: &&Step| steps.gives(**step, &operands);
        let step = of_many.iter().filter(|_| values.len() == set.len()).find(gives)?;
        shown(grid, steps.q, *step, &set)
    })
}

fn shown(grid: &Grid<'_>, q: &Quantity, step: Step, places: &[GridCell]) -> Option<Shown> {
    let text = grid.text();
    let written = if step == Step::Same {
        let (row, column) = places.first()?;
        let cell = grid.span(*row, *column)?.slice(text).trim();
        let heads = grid.row_heads(*row).chain(grid.table.column_heads(*column));
        // *20.0* is no answer to *44,000 tonnes* without what says that it is in thousands.
        let heads = heads.chain(grid.title_with_a_scale(q, *row, *column));
        let heads: Vec<&str> = heads.map(|head| head.slice(text).trim()).collect();
        if heads.is_empty() { cell.to_owned() } else { format!("{cell} ({})", heads.join(", ")) }
    } else {
        let values: Vec<Quantity> = places.iter().filter_map(|(row, column)| grid.value(q, *row, *column)).collect();
        steps::write_step(step, values.iter().collect(), text, q.span.slice(grid.case.claim.text))
    };
    Some(Shown { derived: step != Step::Same, ..grid.show(written, places.iter().copied(), places) })
}
