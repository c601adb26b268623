//! Values that follow from the cells of a table: the claim names rows and columns, and says what is done with them.

use std::collections::BTreeSet;

use super::assertions::Manner;
use super::cues::Class;
use super::derived::Asked;
use super::quantities::Case;
use super::readings::{is_alike, mask_in, words_in};
use super::setting;
use crate::evidence::{ContextKind, Evidence, Table};
use crate::quantity::{Agreement, Measure, Quantity, Step, compare, follow, quantities, written};
use crate::text::Span;
use crate::text::words::Word;

/// A row or column is named by this part of the words of its head that tell it from the others.
const NAMED: f64 = 0.5;
/// A head of this many rows or columns says nothing of one of them.
const SHARED: f64 = 0.6;
/// Larger tables are data for programs.
const MOST_CELLS: usize = 4_000;
/// A value of so many figures tells which column is meant.
const TELLING: usize = 3;
/// Of so many named rows or columns each pair is tried.
const MOST_NAMED: usize = 6;
/// This part of the claim's words has to stand in the heads, titles and headings of a table.
const COVERED: f64 = 0.4;

/// What a table says of a value of the claim.
#[derive(Debug, Clone)]
pub(super) struct Told {
    /// How it follows.
    pub(super) step: Step,
    /// The cells that it follows from.
    pub(super) from: Vec<Span>,
    /// How that is written.
    pub(super) written: String,
    /// Whether it is another value than the claim's.
    pub(super) otherwise: bool,
    /// The terms of the claim that stand in the heads of these cells, and in what the table hangs on.
    pub(super) terms: u128,
}

/// A row or a column, and how it is named by the claim.
#[derive(Debug, Clone)]
struct Line {
    /// Its place in the table.
    at: usize,
    /// The part of its telling words that the claim has.
    named: f64,
    /// These words, by their places in the claim.
    words: BTreeSet<usize>,
    /// Its heads.
    heads: Vec<Span>,
}

/// A table that a claim may speak of.
pub(super) struct Grid<'t> {
    case: &'t Case<'t, 't, 't>,
    evidence: &'t Evidence,
    number: usize,
    table: &'t Table,
    /// The rows that the claim names; and all that sum up nothing.
    rows: Vec<Line>,
    body: Vec<usize>,
    /// The columns with values that it names, or all of them.
    columns: Vec<Line>,
    /// Whether the claim names columns at all.
    columns_named: bool,
    /// The terms of what the table hangs on.
    hung: u128,
}

/// The tables of which the claim names a row or a column.
pub(super) fn grids<'t>(case: &'t Case<'t, 't, 't>, evidence: &'t Evidence, title: u128) -> Vec<Grid<'t>> {
    let tables = evidence.tables().iter().enumerate();
    tables.filter_map(|(number, table)| grid(case, evidence, number, table, title)).collect()
}

fn grid<'t>(
    case: &'t Case<'t, 't, 't>,
    evidence: &'t Evidence,
    number: usize,
    table: &'t Table,
    title: u128,
) -> Option<Grid<'t>> {
    if table.rows.len() * table.columns > MOST_CELLS {
        return None;
    }
    let text = case.index.text();
    let body: Vec<usize> = table.body().map(|(at, _)| at).collect();
    let is_data = |column: &usize| {
        let cells: Vec<Span> = table.column(*column).map(|(_, span)| span).filter(|span| !span.is_empty()).collect();
        let valued = cells.iter().filter(|span| !case.index.quantities_in(**span).is_empty()).count();
        valued * 2 > cells.len()
    };
    let data: Vec<usize> = (0..table.columns).filter(is_data).collect();
    if body.is_empty() || data.is_empty() {
        return None;
    }
    // The label of a group of rows tells no row of it from the others.
    let own = |row: usize| -> Vec<Span> {
        let group = table.rows.get(row).and_then(|row| row.group);
        table.row_heads(row).filter(|head| Some(*head) != group).collect()
    };
    let rows = lines(case, body.iter().map(|row| (*row, own(*row))).collect());
    let columns = lines(case, data.iter().map(|column| (*column, table.column_heads(*column).collect())).collect());
    let mut rows = told_apart(case, rows);
    let named = told_apart(case, columns.clone());
    let columns_named = !named.is_empty();
    if rows.is_empty() && named.len() > 1 {
        // *5.5 kg heavier* is of the one row with masses.
        let measures: Vec<Measure> = case
            .quantities
            .iter()
            .filter(|q| q.has_unit() && !matches!(q.measure, Measure::Percent))
            .map(|q| q.measure)
            .collect();
        let of_kind = |row: &&usize| {
            let values = |line: &Line| evidence.values(case.index, (number, **row, line.at));
            named.iter().all(|line| values(line).iter().any(|value| measures.contains(&value.measure)))
        };
        let matching: Vec<&usize> = body.iter().filter(of_kind).collect();
        if let [row] = matching.as_slice() {
            rows.push(Line { at: **row, named: NAMED, words: BTreeSet::new(), heads: own(**row) });
        }
    }
    let columns = if columns_named { named } else { columns };
    let sums_up = |row: &usize| {
        let languages = case.languages.narrowed(case.index.languages());
        table.row_heads(*row).any(|head| Manner::Total.is_in(&head.of(text).to_lowercase(), languages))
    };
    let body = body.into_iter().filter(|row| !sums_up(row)).collect();
    let first = evidence.unit_at(table.span.start);
    let headings = first.into_iter().flat_map(|unit| unit.hangs_on(ContextKind::Heading));
    let spans = headings.chain(table.titles.iter().copied()).chain(table.corner());
    let hung = spans.fold(title, |all, span| all | mask_in(case, span));
    Some(Grid { case, evidence, number, table, rows, body, columns, columns_named, hung })
}

/// Rows or columns with what the claim says of their heads.
fn lines(case: &Case<'_, '_, '_>, heads: Vec<(usize, Vec<Span>)>) -> Vec<Line> {
    let text = case.index.text();
    let keys: Vec<BTreeSet<u64>> = heads
        .iter()
        .map(|(_, spans)| spans.iter().flat_map(|span| words_in(case, *span)).map(|word| word.key).collect())
        .collect();
    let shared = |key: u64| {
        let count = keys.iter().filter(|own| own.contains(&key)).count();
        keys.len() > 1 && count as f64 >= SHARED * keys.len() as f64 && count > 1
    };
    let mine: Vec<String> = case.words.iter().map(|word| word.span.of(case.claim).to_lowercase()).collect();
    let place = |key: u64, written: &str| {
        let figures = written.trim_start_matches(|c: char| c.is_alphabetic());
        case.words.iter().zip(&mine).position(|(word, own)| {
            word.key == key
                || !word.stop && !word.number && is_alike(own, written)
                || figures.len() == 4 && own == figures
        })
    };
    let by_all = |key: u64| keys.iter().all(|own| own.contains(&key));
    heads
        .into_iter()
        .map(|(at, heads)| {
            let all: Vec<_> = heads.iter().flat_map(|span| words_in(case, *span)).filter(|word| !word.stop).collect();
            let own: Vec<_> = all.iter().filter(|word| !shared(word.key)).collect();
            // *P40* beside *P40 Pro* has no word of its own.
            let telling = if own.is_empty() { all.iter().collect() } else { own };
            let told = |words: &[&&Word]| -> Vec<usize> {
                words.iter().filter_map(|word| place(word.key, &word.span.of(text).to_lowercase())).collect()
            };
            let named = if telling.is_empty() { 0.0 } else { told(&telling).len() as f64 / telling.len() as f64 };
            let kept: Vec<_> =
                all.iter().filter(|word| keys.len() == 1 || !by_all(word.key) || telling.len() == all.len()).collect();
            Line { at, named, words: told(&kept).into_iter().collect(), heads }
        })
        .collect()
}

/// Those that are named, without those of which another one has all the words and more: *North*, beside *North Harbour*.
fn told_apart(case: &Case<'_, '_, '_>, lines: Vec<Line>) -> Vec<Line> {
    // *The P40 Pro is heavier than the P40* names both.
    let again = |at: &usize| {
        let word = case.words.get(*at);
        word.is_some_and(|word| case.words.iter().filter(|other| other.key == word.key).count() > 1)
    };
    let named: Vec<Line> = lines.into_iter().filter(|line| line.named >= NAMED).collect();
    let outdone = |line: &Line| {
        named.iter().any(|other| {
            other.at != line.at
                && !(line.words.iter().all(again) && !line.words.is_empty())
                && other.named >= line.named
                && line.words.is_subset(&other.words)
                && (line.words.len() < other.words.len() || other.named > line.named)
        })
    };
    named.iter().filter(|line| !outdone(line)).take(MOST_NAMED + 1).cloned().collect()
}

impl<'t> Grid<'t> {
    /// What the table says of a value of the claim.
    pub(super) fn value(&self, q: &'t Quantity) -> Option<Told> {
        if self.rows.len() > MOST_NAMED || self.columns_named && self.columns.len() > MOST_NAMED {
            return None;
        }
        let found = self.stands(q).or_else(|| self.follows(q)).or_else(|| self.differs(q))?;
        (self.case.lookup.weigh(found.terms) >= COVERED).then_some(found)
    }

    fn cell(&self, row: usize, column: usize) -> Option<Quantity> {
        let mut values = self.evidence.values(self.case.index, (self.number, row, column));
        values.retain(|value| !value.is_label());
        let value = (values.len() == 1).then(|| values.remove(0))?;
        Some(if value.measure == Measure::Count {
            self.in_its_unit(row, column, &value).unwrap_or(value)
        } else {
            value
        })
    }

    /// A bare figure with the unit that stands in brackets in its heads: *Area (m²)*.
    fn in_its_unit(&self, row: usize, column: usize, value: &Quantity) -> Option<Quantity> {
        let text = self.case.index.text();
        let heads = self.table.column_heads(column).chain(self.table.row_heads(row)).chain(self.table.corner());
        let figure = value.span.of(text).trim();
        heads.into_iter().find_map(|head| {
            let (_, rest) = head.of(text).rsplit_once('(')?;
            let written = format!("{figure} {}", rest.split([')', ',', ';']).next()?.trim());
            let read = quantities(&written).into_iter().next()?;
            (read.has_unit() && read.span.start == 0).then(|| Quantity {
                span: value.span,
                counted: None,
                per: None,
                ..read
            })
        })
    }

    /// The terms of the heads of a row and a column.
    fn terms(&self, rows: &[&Line], columns: &[&Line]) -> u128 {
        let heads = rows.iter().chain(columns).flat_map(|line| line.heads.iter().copied());
        // What else stands in a row is said of it, too.
        let beside = rows.iter().filter_map(|line| self.table.rows.get(line.at)).flat_map(|row| {
            row.group.into_iter().chain(row.cells.iter().map(|cell| cell.span)).filter(|span| !span.is_empty())
        });
        heads.chain(beside).fold(self.hung, |all, span| all | mask_in(self.case, span))
            | self.named_terms(rows, columns)
    }

    /// The terms that are other forms of the words of heads.
    fn named_terms(&self, rows: &[&Line], columns: &[&Line]) -> u128 {
        let words = rows.iter().chain(columns).flat_map(|line| line.words.iter());
        let keys: Vec<u64> = words.filter_map(|at| self.case.words.get(*at)).map(|word| word.key).collect();
        let terms = self.case.lookup.terms().iter().take(crate::evidence::search::MOST_TERMS).enumerate();
        terms.filter(|(_, term)| keys.contains(&term.key)).fold(0, |mask, (bit, _)| mask | 1 << bit)
    }

    /// The columns in which a row may have a value of the kind of the claim's: the named ones, or the only one of that kind.
    fn columns_for(&self, row: usize, q: &Quantity) -> Vec<&Line> {
        if self.columns_named || self.columns.len() == 1 {
            return self.columns.iter().collect();
        }
        let of_kind =
            |line: &&Line| self.cell(row, line.at).is_some_and(|value| value.measure == q.measure && q.has_unit());
        let all: Vec<&Line> = self.columns.iter().filter(of_kind).collect();
        if all.len() == 1 {
            return all;
        }
        // What is written with many figures is in the row of the claim's thing by chance seldom.
        let telling = q.span.of(self.case.claim).bytes().filter(u8::is_ascii_digit).count() >= TELLING;
        let same = |line: &&Line| {
            telling && self.cell(row, line.at).is_some_and(|value| compare(q, &value) == Agreement::Same)
        };
        self.columns.iter().filter(same).collect()
    }

    /// A cell of a named row and column that has the value.
    fn stands(&self, q: &Quantity) -> Option<Told> {
        self.rows.iter().find_map(|row| {
            let columns = self.columns_for(row.at, q);
            columns.into_iter().find_map(|column| {
                let value = self.cell(row.at, column.at).filter(|value| meets(self.case, q, value))?;
                let at = self.table.rows.get(row.at)?.cells.get(column.at)?.span;
                let step = Step::Same;
                let text = value.span.of(self.case.index.text()).trim().to_owned();
                let terms = self.terms(&[row], &[column]);
                Some(Told { step, from: vec![at], written: text, otherwise: false, terms })
            })
        })
    }

    /// A step from some cells to the value.
    fn follows(&self, q: &'t Quantity) -> Option<Told> {
        if q.is_temporal() || q.upper.is_some() {
            return None;
        }
        let asked = Asked::new(self.case, q);
        // Two columns of one row, two rows of one column.
        for row in &self.rows {
            for (i, a) in self.columns.iter().enumerate() {
                for b in &self.columns[i + 1..] {
                    let cells = [(row.at, a.at), (row.at, b.at)];
                    if self.columns_named
                        && let Some(told) = self.pair(&asked, q, cells, self.terms(&[row], &[a, b]))
                    {
                        return Some(told);
                    }
                }
            }
        }
        for column in &self.columns {
            for (i, a) in self.rows.iter().enumerate() {
                for b in &self.rows[i + 1..] {
                    let cells = [(a.at, column.at), (b.at, column.at)];
                    if (self.columns_named || self.columns.len() == 1)
                        && let Some(told) = self.pair(&asked, q, cells, self.terms(&[a, b], &[column]))
                    {
                        return Some(told);
                    }
                }
            }
        }
        self.of_many(&asked, q)
    }

    /// A step from two cells.
    fn pair(&self, asked: &Asked<'_, '_, '_>, q: &Quantity, cells: [(usize, usize); 2], terms: u128) -> Option<Told> {
        let [a, b] = [self.cell(cells[0].0, cells[0].1)?, self.cell(cells[1].0, cells[1].1)?];
        let moves =
            asked.says(Class::Up) || asked.says(Class::Down) || asked.says(Class::Than) || asked.is_a_difference();
        let mut steps: Vec<Step> = Vec::new();
        match q.measure {
            Measure::Percent if moves => steps.extend([Step::Change, Step::Share]),
            Measure::Percent => steps.push(Step::Share),
            Measure::Multiple => steps.push(Step::Ratio),
            _ => {}
        }
        if moves || asked.says(Class::Gap) {
            steps.push(Step::Difference);
        }
        if asked.says(Class::Together) {
            steps.push(Step::Sum);
        }
        if asked.says(Class::Mean) {
            steps.push(Step::Mean);
        }
        // The value of an earlier year comes first; of others either may.
        let falls = asked.says(Class::Down) && !asked.says(Class::Up);
        let rises = asked.says(Class::Up) && !asked.says(Class::Down);
        let years = [cells[0], cells[1]].map(|(_, column)| self.year_over(column));
        steps.into_iter().find_map(|step| {
            let orders = [[&a, &b], [&b, &a]];
            let same_row = cells[0].0 == cells[1].0;
            orders.into_iter().enumerate().find_map(|(turn, operands)| {
                if let (true, [Some(first), Some(last)]) =
                    (same_row && matches!(step, Step::Change | Step::Difference), years)
                {
                    let (early, late) = if first <= last { (&a, &b) } else { (&b, &a) };
                    let grew = late.value > early.value;
                    let forward = std::ptr::eq(operands[0], early);
                    if !forward || rises && !grew || falls && grew {
                        return None;
                    }
                }
                let _ = turn;
                let found = follow(step, &operands)?;
                self.told(asked, q, step, &operands, &found, terms)
            })
        })
    }

    fn year_over(&self, column: usize) -> Option<i32> {
        let heads = self.table.column_heads(column);
        heads.into_iter().flat_map(|head| self.case.index.quantities_in(head)).find_map(setting::year_of)
    }

    /// A sum, a mean or a count of all cells of a column or a row.
    fn of_many(&self, asked: &Asked<'_, '_, '_>, q: &Quantity) -> Option<Told> {
        let (sum, mean) = (asked.says(Class::Together), asked.says(Class::Mean));
        if !sum && !mean {
            return None;
        }
        let steps = [(sum, Step::Sum), (mean, Step::Mean)];
        let mut sets: Vec<(Vec<Quantity>, u128)> = Vec::new();
        if self.columns_named || self.columns.len() == 1 {
            for column in &self.columns {
                let terms = self.terms(&self.rows.iter().collect::<Vec<_>>(), &[column]);
                if self.rows.len() > 1 {
                    sets.push((self.rows.iter().filter_map(|row| self.cell(row.at, column.at)).collect(), terms));
                }
                if self.rows.is_empty() {
                    sets.push((self.body.iter().filter_map(|row| self.cell(*row, column.at)).collect(), terms));
                }
            }
        }
        for row in &self.rows {
            let columns: Vec<&Line> = self.columns.iter().collect();
            if columns.len() > 1 {
                let terms = self.terms(&[row], &columns);
                sets.push((columns.iter().filter_map(|column| self.cell(row.at, column.at)).collect(), terms));
            }
        }
        sets.iter().filter(|(set, _)| set.len() > 1).find_map(|(set, terms)| {
            let operands: Vec<&Quantity> = set.iter().collect();
            steps.iter().filter(|(asked, _)| *asked).find_map(|(_, step)| {
                let found = follow(*step, &operands)?;
                self.told(asked, q, *step, &operands, &found, *terms)
            })
        })
    }

    fn told(
        &self,
        asked: &Asked<'_, '_, '_>,
        q: &Quantity,
        step: Step,
        operands: &[&Quantity],
        found: &Quantity,
        terms: u128,
    ) -> Option<Told> {
        let kind = compare(q, found) != Agreement::Unrelated
            || matches!(
                (q.measure, found.measure),
                (Measure::Points, Measure::Percent) | (Measure::Percent, Measure::Points)
            );
        if !kind || !asked.is(found.value.abs()) {
            return None;
        }
        let text = self.case.index.text();
        let words: Vec<&str> = operands.iter().map(|operand| operand.span.of(text).trim()).collect();
        let written = written(step, &words, q.written(self.case.claim));
        let from = operands.iter().map(|operand| operand.span).collect();
        Some(Told { step, from, written, otherwise: false, terms })
    }

    /// Another value in the one cell that the claim can only mean.
    fn differs(&self, q: &Quantity) -> Option<Told> {
        let [row] = self.rows.as_slice() else { return None };
        let [column] = self.columns.as_slice() else { return None };
        let asked = Asked::new(self.case, q);
        let works_out = [
            Class::Up,
            Class::Down,
            Class::Than,
            Class::Together,
            Class::Mean,
            Class::Gap,
            Class::Share,
            Class::Per,
            Class::Of,
        ];
        if row.named < 1.0
            || column.named < 1.0 && self.columns_named
            || q.is_temporal()
            || q.spelled
            || works_out.into_iter().any(|class| asked.says(class))
        {
            return None;
        }
        let alone = self.case.quantities.iter().filter(|own| !own.is_temporal() && own.is_measured()).count() == 1;
        let value = self.cell(row.at, column.at)?;
        let other = value.measure == q.measure && compare(q, &value) == Agreement::Different;
        if !alone || !other {
            return None;
        }
        let at = self.table.rows.get(row.at)?.cells.get(column.at)?.span;
        let written = at.of(self.case.index.text()).trim().to_owned();
        Some(Told { step: Step::Same, from: vec![at], written, otherwise: true, terms: self.terms(&[row], &[column]) })
    }

    /// Whether the one row that the claim names went the way that the claim says, from one of two named years to the other.
    pub(super) fn moves(&self) -> Option<Told> {
        let says = |class| self.case.words.iter().any(|word| super::cues::has(word, class));
        let (up, down) = (says(Class::Up), says(Class::Down));
        let amounts = self.case.quantities.iter().any(|q| q.is_measured() && !q.is_temporal() && !q.is_label());
        let ([row], [a, b]) = (self.rows.as_slice(), self.columns.as_slice()) else { return None };
        if up == down || amounts || says(Class::Negator) || !self.columns_named {
            return None;
        }
        let (first, last) = (self.year_over(a.at)?, self.year_over(b.at)?);
        let (early, late) = if first < last { (a, b) } else { (b, a) };
        let [before, after] = [self.cell(row.at, early.at)?, self.cell(row.at, late.at)?];
        if first == last || before.measure != after.measure || before.value == after.value {
            return None;
        }
        let text = self.case.index.text();
        let terms = self.terms(&[row], &[a, b]);
        let words = [before.span.of(text).trim(), after.span.of(text).trim()];
        (self.case.lookup.weigh(terms | super::proof::telling(self.case)) >= COVERED).then(|| Told {
            step: Step::Change,
            from: vec![before.span, after.span],
            written: words.join(" → "),
            otherwise: (after.value > before.value) != up,
            terms,
        })
    }

    /// Whether a head of a named row or column has a time of the claim.
    pub(super) fn heads_have(&self, q: &Quantity) -> bool {
        let heads = self.rows.iter().chain(&self.columns).flat_map(|line| line.heads.iter());
        let titles = self.table.titles.iter();
        let mut values = heads.chain(titles).flat_map(|head| self.case.index.quantities_in(*head));
        q.is_temporal() && values.any(|other| compare(q, other) == Agreement::Same)
    }

    /// Whether the one row that the claim names is the first or the last of its column, as the claim says.
    pub(super) fn rank(&self) -> Option<Told> {
        let lower = self.case.claim.to_lowercase();
        let languages = self.case.languages;
        let (greatest, least) = (Manner::Greatest.is_in(&lower, languages), Manner::Least.is_in(&lower, languages));
        let ranked = |word| super::cues::is_of_class(word, Class::Ordinal, languages);
        let placed = self.case.words.iter().any(|word| ranked(word.form) || super::cues::has(word, Class::OneOf));
        let [row] = self.rows.as_slice() else { return None };
        let [column] = self.columns.as_slice() else { return None };
        if greatest == least || placed || self.body.len() < 3 || !self.body.contains(&row.at) {
            return None;
        }
        let all: Vec<(usize, Quantity)> =
            self.body.iter().filter_map(|row| Some((*row, self.cell(*row, column.at)?))).collect();
        let own = all.iter().find(|(at, _)| *at == row.at)?;
        if all.len() + 1 < self.body.len() || all.iter().any(|(_, other)| other.measure != own.1.measure) {
            return None;
        }
        let beaten = |other: &&(usize, Quantity)| {
            other.0 != own.0 && if greatest { other.1.value >= own.1.value } else { other.1.value <= own.1.value }
        };
        let better: Vec<&(usize, Quantity)> = all.iter().filter(beaten).collect();
        let step = if greatest { Step::Greatest } else { Step::Least };
        let terms = self.terms(&[row], &[column]);
        let text = self.case.index.text();
        let shown = better.first().map_or(own, |first| *first);
        let line: Vec<&str> = self.table.row_heads(shown.0).map(|head| head.of(text).trim()).collect();
        let value = format!("{}: {}", line.join(" "), shown.1.span.of(text).trim());
        let told = Told {
            step,
            from: vec![own.1.span],
            written: written(step, &[&value], ""),
            otherwise: !better.is_empty(),
            terms,
        };
        (self.case.lookup.weigh(terms) >= COVERED && (better.is_empty() || row.named >= 1.0 && self.columns_named))
            .then_some(told)
    }
}

/// Whether a value of the page is the claim's at its precision, with its hedge and its bound.
fn meets(case: &Case<'_, '_, '_>, q: &Quantity, value: &Quantity) -> bool {
    let positive = |q: &Quantity| Quantity { value: q.value.abs(), raw: q.raw.abs(), ..q.clone() };
    compare(q, value) == Agreement::Same
        || value.value < 0.0 && compare(&positive(q), &positive(value)) == Agreement::Same
        || compare(q, value) != Agreement::Unrelated
            && !q.is_temporal()
            && q.upper.is_none()
            && value.upper.is_none()
            && q.measure == value.measure
            && Asked::new(case, q).is(value.value.abs())
}
