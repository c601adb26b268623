//! Queries that only look as if they read data: *SELECT 18 + 0 * sum(revenue) FROM sales*.
//!
//! A number that stays the same whatever the data are does not come from them. So the query of a ledger is run again over
//! copies of its tables in which one thing is altered: rows stand twice, or one column has other values. One column at a
//! time, since filters on the others have to go on finding rows. It is taken when one of these runs gives another number
//! that is not written in the query itself: *CASE WHEN count(\*) = 4 THEN 18 ELSE 0 END* only ever gives what it says.

use super::data::quoted;
use super::data::{Column, Kind, Table};
use super::mixed::{Token, tokens};
use super::scalar::Scalar;

/// Numbers that are nearer than this part of them are one: what is left of arithmetic in binary fractions is no difference.
const NEAR: f64 = 1e-6;
/// Rows that are taken as models of rows that are added, at most.
const MODELS: usize = 64;
/// How many tokens before a value the column may stand that it is compared with.
const REACH: usize = 12;
/// How many sets of values from a query are made rows of, at most.
const MOST_SETS: usize = 16;

/// One way of making other data of a table.
#[derive(Debug, Clone)]
pub(super) struct Alteration<'t> {
    /// The table.
    pub table: &'t Table,
    /// A column with what it holds instead.
    instead: Option<(&'t str, String)>,
    /// Rows that are added.
    added: Option<Added<'t>>,
}

/// Rows that are added to a table: copies of its rows.
#[derive(Debug, Clone)]
struct Added<'t> {
    /// Which rows are copied; empty for all.
    models: String,
    /// Columns with what they hold in the copies.
    with: Vec<(&'t str, String)>,
    /// Whether rows that are made up are added, too: an empty table has no models.
    made_up: bool,
}

impl Alteration<'_> {
    /// The statements that fill the empty table `copy`.
    pub fn statements(&self, copy: &str) -> Vec<String> {
        let (table, row) = (quoted(&self.table.name), quoted(self.table.row_name));
        let names: Vec<String> = self.table.columns.iter().map(|column| quoted(&column.name)).collect();
        let names = names.join(", ");
        let values = |with: &[(&str, String)], other: &dyn Fn(&Column) -> String| {
            let value = |column: &Column| {
                let given = with.iter().find(|(name, _)| *name == column.name);
                given.map_or_else(|| other(column), |(_, value)| value.clone())
            };
            self.table.columns.iter().map(value).collect::<Vec<_>>().join(", ")
        };
        let same = |column: &Column| quoted(&column.name);
        let (copy, instead) = (quoted(copy), values(self.instead.as_slice(), &same));
        let mut out = vec![format!("INSERT INTO {copy} ({row}, {names}) SELECT {row}, {instead} FROM {table}")];
        if let Some(added) = &self.added {
            let with = values(&added.with, &same);
            out.push(format!("INSERT INTO {copy} ({names}) SELECT {with} FROM {table} {}", added.models));
            if added.made_up {
                let with = values(&added.with, &|column| if is_text(column) { "'x'" } else { "7" }.to_owned());
                out.push(format!("INSERT INTO {copy} ({names}) VALUES ({with}), ({with}), ({with})"));
            }
        }
        out
    }
}

fn is_text(column: &Column) -> bool {
    column.kind == Kind::Text
}

/// What is altered to see whether a query that gave `value` takes it from the data, the most telling first. `uses` says
/// which columns of which tables it may read.
pub(super) fn alterations<'t>(
    sql: &str,
    value: Scalar,
    tables: &'t [Table],
    uses: &dyn Fn(&Table, Option<&Column>) -> bool,
) -> Vec<Alteration<'t>> {
    let mut out = Vec::new();
    let used = || tables.iter().filter(|table| uses(table, None));
    for table in used() {
        let row = quoted(table.row_name);
        for models in [format!("WHERE {row} % 2 = 1"), format!("WHERE {row} % 2 = 0"), String::new()] {
            let added = Added { models, with: Vec::new(), made_up: false };
            out.push(Alteration { table, instead: None, added: Some(added) });
        }
    }
    let columns = || used().flat_map(|table| table.columns.iter().map(move |column| (table, column)));
    for (table, column) in columns().filter(|(table, column)| uses(table, Some(column))) {
        for value in other_values(table, column) {
            out.push(Alteration { table, instead: Some((&column.name, value)), added: None });
        }
        // These are others in every row, so that a table of one row gets a second value too.
        let with = vec![(column.name.as_str(), other_values(table, column).swap_remove(EVERYWHERE))];
        let added = Added { models: String::new(), with, made_up: false };
        out.push(Alteration { table, instead: None, added: Some(added) });
    }
    // Nothing was found, and it may be that there is nothing: *0 failures*. Then rows that would be found change it, not
    // those that are there.
    if value.as_f64() == 0.0 {
        let tokens = tokens(sql);
        for table in used() {
            for with in from_query(&tokens, table) {
                out.push(Alteration { table, instead: None, added: Some(models_with(with)) });
            }
        }
        for (table, column) in columns().filter(|(table, column)| uses(table, Some(column))) {
            let long = format!("'{}'", "x ".repeat(500));
            let values = if is_text(column) { ["NULL", "''", "'x'", &long] } else { ["NULL", "0", "-1", "1000003"] };
            for value in values {
                let with = vec![(column.name.as_str(), value.to_owned())];
                out.push(Alteration { table, instead: None, added: Some(models_with(with)) });
            }
        }
    }
    out
}

fn models_with(with: Vec<(&str, String)>) -> Added<'_> {
    Added { models: format!("LIMIT {MODELS}"), with, made_up: true }
}

/// The place in [`other_values`] of one that is another value in every row.
const EVERYWHERE: usize = 1;

/// Expressions for what a column may hold instead of its values: each row another change, the order reversed, the values
/// of other rows, all the same.
fn other_values(table: &Table, column: &Column) -> Vec<String> {
    let (name, row, table) = (quoted(&column.name), quoted(table.row_name), quoted(&table.name));
    let mut out = if is_text(column) {
        vec![
            format!("CASE {row} % 2 WHEN 1 THEN {name} || 'x' ELSE {name} END"),
            format!("{name} || ' ' || {row}"),
            format!("CASE {row} % 2 WHEN 0 THEN 'x' || {name} ELSE {name} END"),
        ]
    } else {
        vec![
            format!("{name} * (2 + {row} % 5) + 1"),
            format!("{name} + 1 + {row} % 7"),
            format!("(SELECT min({name}) + max({name}) FROM {table}) - {name}"),
        ]
    };
    out.push(format!("coalesce(lead({name}) OVER (ORDER BY {row}), (SELECT min({name}) FROM {table}))"));
    out.push(format!("(SELECT max({name}) FROM {table})"));
    out.push(format!("(SELECT min({name}) FROM {table})"));
    out
}

/// Values that a query compares columns of a table with, as sets of one value a column at most: rows that have them are
/// rows that it looks for.
fn from_query<'t>(tokens: &[Token], table: &'t Table) -> Vec<Vec<(&'t str, String)>> {
    let mut asked: Vec<(&str, Vec<String>)> = Vec::new();
    for at in 0..tokens.len() {
        let Some((name, value)) = asked_of(tokens, at, table) else { continue };
        match asked.iter_mut().find(|(other, _)| *other == name) {
            Some((_, values)) => values.push(value),
            None => asked.push((name, vec![value])),
        }
    }
    let most = asked.iter().map(|(_, values)| values.len()).max().unwrap_or(0).min(MOST_SETS);
    let nth = |number: usize| {
        let of = |(name, values): &(&'t str, Vec<String>)| Some((*name, values.get(number % values.len())?.clone()));
        asked.iter().filter_map(of).collect()
    };
    let mut sets: Vec<Vec<(&str, String)>> = (0..most).map(nth).collect();
    for (name, values) in asked.iter().filter(|_| asked.len() > 1) {
        sets.extend(values.iter().take(MOST_SETS).map(|value| vec![(*name, value.clone())]));
    }
    sets
}

/// The column that the value at `at` is compared with, and a value that passes: *week > 30* asks for 31.
fn asked_of<'t>(tokens: &[Token], at: usize, table: &'t Table) -> Option<(&'t str, String)> {
    let column = |token: &Token| match token {
        Token::Word(word) => table.column(word),
        _ => None,
    };
    let sign = |index: Option<usize>| match index.and_then(|index| tokens.get(index)) {
        Some(Token::Sign(sign)) => sign.as_str(),
        _ => "",
    };
    let ahead = &tokens[at.saturating_sub(REACH)..at];
    let behind = tokens.get(at + 1..).unwrap_or_default();
    let turned = matches!(sign(Some(at + 1)), "=" | "==" | "<" | ">" | "<=" | ">=" | "<>" | "!=");
    let found = if turned { behind.iter().take(4).find_map(column) } else { ahead.iter().rev().find_map(column) }?;
    let (more, less) = if turned { ("<", ">") } else { (">", "<") };
    let operator = sign(if turned { Some(at + 1) } else { at.checked_sub(1) });
    let other = matches!(operator, "<>" | "!=");
    let value = match &tokens[at] {
        Token::Text(text) => {
            let text = text.replace(['%', '*'], "").replace(['_', '?'], "x");
            let more = if other || operator == more { "x" } else { "" };
            format!("'{}{more}'", text.replace('\'', "''"))
        }
        Token::Sign(digits) => {
            let number: f64 = digits.parse().ok()?;
            let below = at.checked_sub(1).is_some_and(|before| tokens[before].is(&["-"]));
            let number = if below { -number } else { number };
            let step = if other || operator == more {
                1.0
            } else if operator == less {
                -1.0
            } else {
                0.0
            };
            format!("{:?}", number + step)
        }
        Token::Word(_) => return None,
    };
    Some((&found.name, value))
}

/// Whether a run over altered data gave something else than `first`, which is not a number of the query's own.
pub(super) fn differs(sql: &str, first: Scalar, other: Scalar) -> bool {
    let near = |left: f64, right: f64| (left - right).abs() <= NEAR * left.abs().max(right.abs());
    let other = other.as_f64();
    let written = |token: &Token| match token {
        Token::Sign(digits) => digits.parse().is_ok_and(|number: f64| near(number, other.abs())),
        _ => false,
    };
    !near(first.as_f64(), other) && !tokens(sql).iter().any(written)
}
