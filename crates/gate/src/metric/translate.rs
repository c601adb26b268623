//! Short forms as SQL: columns looked up in the loaded tables, one scalar query an aggregate.

use super::expression::{Aggregate, Cell, Condition, Expression, Function, Name, Operator, Pair};
use super::term::{Term, Translated};
use super::{Fault, constant};
use crate::data::{Column, Kind, Table, quoted};

/// Translates a short form for these tables.
///
/// # Errors
/// When a table or column is not there, could be several, or holds no numbers.
pub fn translate(metric: &str, expression: &Expression, tables: &[Table]) -> Result<Translated, Fault> {
    let mut terms = Vec::new();
    let sql = scalar(metric, expression, tables, &mut terms)?;
    let whole = cited_text::Span::new(0, metric.len());
    if terms.is_empty() {
        return Err(Fault::new("reads no data: a number that is only written down is not recomputed", whole));
    }
    if constant::is_constant(expression, &terms) {
        return Err(Fault::new("gives the same whatever the data are: nothing is recomputed", whole));
    }
    Ok(Translated { sql: format!("SELECT {sql}"), terms })
}

fn scalar(metric: &str, of: &Expression, tables: &[Table], terms: &mut Vec<Term>) -> Result<String, Fault> {
    let mut inner = |expression| scalar(metric, expression, tables, terms);
    Ok(match of {
        Expression::Number(number) => number.clone(),
        Expression::Negated(of) => format!("(-{})", inner(of)?),
        Expression::Arithmetic(left, operator, right) => arithmetic(&inner(left)?, *operator, &inner(right)?),
        Expression::Pair(pair, new, old) => {
            let (new, old) = (inner(new)?, inner(old)?);
            match pair {
                Pair::Ratio => arithmetic(&new, Operator::Over, &old),
                Pair::Delta => arithmetic(&new, Operator::Minus, &old),
                Pair::PctChange => format!("(({} - 1) * 100)", arithmetic(&new, Operator::Over, &old)),
            }
        }
        Expression::Aggregate(aggregate) => {
            let term = term(metric, aggregate, tables)?;
            let sql = format!("({})", term.scalar);
            terms.push(term);
            sql
        }
    })
}

/// Division is of real numbers: five halves are 2.5 for whoever wrote the metric.
fn arithmetic(left: &str, operator: Operator, right: &str) -> String {
    match operator {
        Operator::Over => format!("(CAST({left} AS REAL) / {right})"),
        _ => format!("({left} {} {right})", operator.sign()),
    }
}

fn text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn term(metric: &str, aggregate: &Aggregate, tables: &[Table]) -> Result<Term, Fault> {
    let table = find_table(aggregate, tables)?;
    let mut scope = Scope { table, columns: Vec::new(), equal: Vec::new(), ranged: Vec::new() };
    let cell =
        aggregate.cell.as_ref().map(|cell| scope.cell(cell, aggregate.function != Function::Count)).transpose()?;
    if aggregate.function != Function::Count && aggregate.cell.as_ref().is_some_and(constant::is_constant_cell) {
        let message = format!("`{}` reads no column: its value does not come from the data", aggregate.span.of(metric));
        return Err(Fault::new(message, aggregate.span));
    }
    let condition = aggregate.condition.as_ref().map(|condition| scope.condition(condition, true)).transpose()?;
    let condition = condition.unwrap_or_default();
    let distinct = if aggregate.distinct { "DISTINCT " } else { "" };
    let cell = cell.unwrap_or_else(|| "*".to_owned());
    let from = format!("FROM {}", quoted(&table.name));
    let filter = if condition.is_empty() { String::new() } else { format!(" WHERE {condition}") };
    let value = match aggregate.function {
        Function::Sum => format!("sum({distinct}{cell})"),
        Function::Count => format!("count({distinct}{cell})"),
        Function::Mean => format!("avg({distinct}{cell})"),
        Function::Min => format!("min({cell})"),
        Function::Max => format!("max({cell})"),
        Function::Median => {
            let there = if condition.is_empty() { String::new() } else { format!("({condition}) AND ") };
            let rows = format!("{from} WHERE {there}{cell} IS NOT NULL");
            let count = format!("(SELECT count({distinct}{cell}) {from}{filter})");
            format!(
                "(SELECT avg(v) FROM (SELECT {distinct}{cell} AS v {rows} ORDER BY v LIMIT 2 - {count} % 2 OFFSET ({count} - 1) / 2))"
            )
        }
    };
    let scalar = if aggregate.function == Function::Median {
        value[1..value.len() - 1].to_owned()
    } else {
        format!("SELECT {value} {from}{filter}")
    };
    let Scope { columns, equal, ranged, .. } = scope;
    Ok(Term {
        text: aggregate.span.of(metric).to_owned(),
        table: table.name.clone(),
        select: format!("SELECT {value}, count(*) {from}{filter}"),
        scalar,
        condition,
        columns,
        equal,
        ranged,
    })
}

/// The table of an aggregate: the one it names, or the only one that has its columns.
fn find_table<'t>(aggregate: &Aggregate, tables: &'t [Table]) -> Result<&'t Table, Fault> {
    let mut names: Vec<&Name> = Vec::new();
    let mut columns: Vec<&Name> = Vec::new();
    if let Some(cell) = &aggregate.cell {
        collect(cell, &mut names, &mut columns);
    }
    if let Some(condition) = &aggregate.condition {
        collect_condition(condition, &mut names, &mut columns);
    }
    names.extend(&aggregate.table);
    if let Some(name) = names.first() {
        if let Some(other) = names.iter().find(|other| !other.text.eq_ignore_ascii_case(&name.text)) {
            let message = format!("an aggregate is of one table, not of `{}` and `{}`", name.text, other.text);
            return Err(Fault::new(message, other.span));
        }
        return tables.iter().find(|table| table.name.eq_ignore_ascii_case(&name.text)).ok_or_else(|| {
            let known: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
            let known = if known.is_empty() {
                "no data was given".to_owned()
            } else {
                format!("there are {}", known.join(", "))
            };
            Fault::new(format!("no table `{}`; {known}", name.text), name.span)
        });
    }
    let fitting: Vec<&Table> =
        tables.iter().filter(|table| columns.iter().all(|column| table.column(&column.text).is_some())).collect();
    match (fitting.as_slice(), tables) {
        ([table], _) => Ok(table),
        ([], []) => Err(Fault::new("no data was given; name files with --data", aggregate.span)),
        ([], _) => {
            let unknown = columns.iter().find(|column| tables.iter().all(|table| table.column(&column.text).is_none()));
            Err(match (unknown, tables) {
                (Some(column), [table]) => {
                    Fault::new(format!("no column `{}` in {}; {}", column.text, table.name, has(table)), column.span)
                }
                (Some(column), _) => Fault::new(format!("no table has a column `{}`", column.text), column.span),
                (None, _) => Fault::new("no table has all of these columns", aggregate.span),
            })
        }
        (several, _) => {
            let names: Vec<&str> = several.iter().map(|table| table.name.as_str()).collect();
            let message = format!("could be of {}; name the table, as in `… from {}`", names.join(" or "), names[0]);
            Err(Fault::new(message, aggregate.span))
        }
    }
}

fn has(table: &Table) -> String {
    let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).take(12).collect();
    let more = if table.columns.len() > names.len() { ", …" } else { "" };
    format!("it has {}{more}", names.join(", "))
}

fn collect<'a>(cell: &'a Cell, tables: &mut Vec<&'a Name>, columns: &mut Vec<&'a Name>) {
    match cell {
        Cell::Column(table, column) => {
            tables.extend(table);
            columns.push(column);
        }
        Cell::Number(_) | Cell::Text(_) => {}
        Cell::Negated(inner) => collect(inner, tables, columns),
        Cell::Arithmetic(left, _, right) => {
            collect(left, tables, columns);
            collect(right, tables, columns);
        }
    }
}

fn collect_condition<'a>(condition: &'a Condition, tables: &mut Vec<&'a Name>, columns: &mut Vec<&'a Name>) {
    let mut cells = |cells: &[&'a Cell]| cells.iter().for_each(|cell| collect(cell, tables, columns));
    match condition {
        Condition::Compare(left, _, right) => cells(&[left, right]),
        Condition::In(left, _, list) => {
            cells(&[left]);
            list.iter().for_each(|cell| cells(&[cell]));
        }
        Condition::Between(left, _, low, high) => cells(&[left, low, high]),
        Condition::Like(left, ..) | Condition::Null(left, _) => cells(&[left]),
        Condition::Not(inner) => collect_condition(inner, tables, columns),
        Condition::Any(inner) | Condition::All(inner) => {
            inner.iter().for_each(|condition| collect_condition(condition, tables, columns));
        }
    }
}

/// The table of an aggregate and what is read of it.
struct Scope<'t> {
    table: &'t Table,
    columns: Vec<String>,
    equal: Vec<String>,
    ranged: Vec<String>,
}

impl Scope<'_> {
    fn column(&mut self, name: &Name) -> Result<&Column, Fault> {
        let table = self.table;
        let column = table.column(&name.text).ok_or_else(|| {
            Fault::new(format!("no column `{}` in {}; {}", name.text, table.name, has(table)), name.span)
        })?;
        if !self.columns.contains(&column.name) {
            self.columns.push(column.name.clone());
        }
        Ok(column)
    }

    /// A cell as SQL. With `numeric`, what is no number is a fault: SQL would count it as zero.
    fn cell(&mut self, cell: &Cell, numeric: bool) -> Result<String, Fault> {
        Ok(match cell {
            Cell::Column(_, name) => {
                let span = name.span;
                let column = self.column(name)?;
                if numeric && column.kind == Kind::Text {
                    return Err(Fault::new(column.why_text(), span));
                }
                quoted(&column.name)
            }
            Cell::Number(number) => number.clone(),
            Cell::Text(value) if numeric => {
                let nowhere = cited_text::Span::at(0);
                return Err(Fault::new(format!("'{value}' is text, not a number"), nowhere));
            }
            Cell::Text(value) => text(value),
            Cell::Negated(inner) => format!("(-{})", self.cell(inner, true)?),
            Cell::Arithmetic(left, operator, right) => {
                arithmetic(&self.cell(left, true)?, *operator, &self.cell(right, true)?)
            }
        })
    }

    /// Refuses to compare a column of text with a number, or to order one that is mostly numbers: the engine would compare
    /// their letters, *9* behind *1000*.
    fn comparable(&mut self, cell: &Cell, with: &Cell, ordered: bool) -> Result<(), Fault> {
        let Cell::Column(_, name) = cell else { return Ok(()) };
        let number = match with {
            Cell::Column(_, other) => self.column(other)?.kind != Kind::Text,
            Cell::Text(_) => false,
            Cell::Number(_) | Cell::Negated(_) | Cell::Arithmetic(..) => true,
        };
        let column = self.column(name)?;
        let silent = number || (column.mixed && ordered);
        if column.kind == Kind::Text && silent {
            return Err(Fault::new(column.why_text(), name.span));
        }
        Ok(())
    }

    /// A condition as SQL. `every` says that it holds for every row that counts, so that an index on its columns helps.
    fn condition(&mut self, condition: &Condition, every: bool) -> Result<String, Fault> {
        let not = |negated: bool| if negated { "NOT " } else { "" };
        Ok(match condition {
            Condition::Any(inner) => self.join(inner, " OR ", false)?,
            Condition::All(inner) => self.join(inner, " AND ", every)?,
            Condition::Not(inner) => format!("(NOT {})", self.condition(inner, false)?),
            Condition::Compare(left, operator, right) => {
                let ordered = !matches!(*operator, "=" | "<>");
                self.comparable(left, right, ordered)?;
                self.comparable(right, left, ordered)?;
                let sql = format!("{} {operator} {}", self.cell(left, false)?, self.cell(right, false)?);
                match (left, right) {
                    (Cell::Column(_, name), Cell::Number(_) | Cell::Text(_) | Cell::Negated(_))
                    | (Cell::Number(_) | Cell::Text(_) | Cell::Negated(_), Cell::Column(_, name))
                        if every && *operator != "<>" =>
                    {
                        self.helps(name, *operator == "=")?;
                    }
                    _ => {}
                }
                format!("({sql})")
            }
            Condition::In(left, negated, list) => {
                list.iter().try_for_each(|cell| self.comparable(left, cell, false))?;
                let cells = list.iter().map(|cell| self.cell(cell, false)).collect::<Result<Vec<_>, _>>()?;
                if let (Cell::Column(_, name), true, false) = (left, every, *negated) {
                    self.helps(name, true)?;
                }
                format!("({} {}IN ({}))", self.cell(left, false)?, not(*negated), cells.join(", "))
            }
            Condition::Between(left, negated, low, high) => {
                self.comparable(left, low, true)?;
                self.comparable(left, high, true)?;
                if let (Cell::Column(_, name), true, false) = (left, every, *negated) {
                    self.helps(name, false)?;
                }
                let (left, low, high) = (self.cell(left, false)?, self.cell(low, false)?, self.cell(high, false)?);
                format!("({left} {}BETWEEN {low} AND {high})", not(*negated))
            }
            Condition::Like(left, negated, pattern) => {
                format!("({} {}LIKE {})", self.cell(left, false)?, not(*negated), text(pattern))
            }
            Condition::Null(left, negated) => format!("({} IS {}NULL)", self.cell(left, false)?, not(*negated)),
        })
    }

    fn join(&mut self, inner: &[Condition], with: &str, every: bool) -> Result<String, Fault> {
        let parts = inner.iter().map(|condition| self.condition(condition, every)).collect::<Result<Vec<_>, _>>()?;
        Ok(format!("({})", parts.join(with)))
    }

    fn helps(&mut self, name: &Name, equal: bool) -> Result<(), Fault> {
        let column = self.column(name)?.name.clone();
        let list = if equal { &mut self.equal } else { &mut self.ranged };
        if !list.contains(&column) {
            list.push(column);
        }
        Ok(())
    }
}
