//! Queries over columns that are text because of some cells and numbers otherwise: *9, 50, 1000, n/a*.
//!
//! The engine compares such values by their letters and counts what is no number as zero, both in silence. So no query reads such a
//! column, and no column of text is added up or compared with a number.

use std::collections::BTreeSet;

use super::data::{Column, Kind, Table};

/// A word or sign of a query.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A name or key word in lower case.
    Word(String),
    /// A text.
    Text,
    /// A number or sign.
    Sign(String),
}

impl Token {
    /// Whether it is one of these words or signs.
    pub(super) fn is(&self, words: &[&str]) -> bool {
        matches!(self, Token::Word(word) | Token::Sign(word) if words.contains(&word.as_str()))
    }
}

/// Signs that compare.
const COMPARED: [&str; 8] = ["=", "==", "<>", "!=", "<", ">", "<=", ">="];
/// Functions of numbers.
const OF_NUMBERS: [&str; 4] = ["sum", "avg", "total", "median"];

/// Refuses a query that reads a mixed column, or does with one of text what needs numbers.
///
/// # Errors
/// With the row and the value that makes the column text.
pub(super) fn vet(sql: &str, reads: &BTreeSet<(String, String)>, tables: &[Table]) -> Result<(), String> {
    let of_table = |name: &str| tables.iter().find(|table| table.name.eq_ignore_ascii_case(name));
    let read = reads.iter().filter_map(|(table, column)| of_table(table)?.column(column));
    let (texts, numbers): (Vec<&Column>, Vec<&Column>) = read.partition(|column| column.kind == Kind::Text);
    if texts.is_empty() {
        return Ok(());
    }
    let tokens = tokens(sql);
    for column in &texts {
        // Where a column of another table goes by the same name, nobody knows which is meant.
        let same = numbers.iter().any(|other| other.name.eq_ignore_ascii_case(&column.name));
        let name = column.name.to_lowercase();
        let is_name = |at: &usize| matches!(&tokens[*at], Token::Word(word) if *word == name);
        if column.mixed || !same && (0..tokens.len()).filter(is_name).any(|at| meets_number(&tokens, at)) {
            return Err(column.why_text());
        }
    }
    Ok(())
}

/// Whether the column at `at` is added up, or compared with a number that is written down: *sum(shop)*, *5 < shop*, *shop in (1, 2)*. The
/// engine compares their letters, and takes *unknown* for more than *5*.
fn meets_number(tokens: &[Token], at: usize) -> bool {
    let first = if at >= 2 && tokens[at - 1].is(&["."]) { at - 2 } else { at };
    let is = |index: usize, words: &[&str]| tokens.get(index).is_some_and(|token| token.is(words));
    let digits = |index: usize| matches!(tokens.get(index), Some(Token::Sign(sign)) if sign.starts_with(|c: char| c.is_ascii_digit()));
    let number = |index: usize| digits(index) || (is(index, &["-", "+"]) && digits(index + 1));
    if first >= 2
        && (is(first - 1, &COMPARED) && digits(first - 2)
            || is(first - 1, &["("]) && is(first - 2, &OF_NUMBERS) && is(at + 1, &[")"]))
    {
        return true;
    }
    let not = usize::from(is(at + 1, &["not"]));
    if is(at + 1, &COMPARED) || is(at + 1 + not, &["between"]) {
        return number(at + 2 + not);
    }
    let listed = is(at + 1 + not, &["in"]) && is(at + 2 + not, &["("]);
    listed && (at + 3 + not..tokens.len()).take_while(|index| !is(*index, &[")"])).any(digits)
}

/// A query whose divisions are of real numbers: SQLite divides whole numbers to whole numbers, and *10800 / 10000* would be 1.
pub(super) fn with_real_division(sql: &str) -> String {
    let mut out = sql.to_owned();
    for (at, _) in placed(sql).iter().rev().filter(|(_, token)| token.is(&["/"])) {
        out.insert_str(*at, "* 1.0 ");
    }
    out
}

/// The words and signs of a query, comments left out.
pub(super) fn tokens(sql: &str) -> Vec<Token> {
    placed(sql).into_iter().map(|(_, token)| token).collect()
}

/// The same, each with the byte that it begins at.
fn placed(sql: &str) -> Vec<(usize, Token)> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(c) = sql[at..].chars().next() {
        let rest = &sql[at..];
        let until = |mark: &str, from: usize| rest[from..].find(mark).map_or(rest.len(), |end| from + end + mark.len());
        let closing = match c {
            '[' => Some(']'),
            '"' | '`' | '\'' => Some(c),
            _ => None,
        };
        let length = if rest.starts_with("--") {
            until("\n", 2)
        } else if rest.starts_with("/*") {
            until("*/", 2)
        } else if let Some(closing) = closing {
            let (text, length) = quoted(rest, closing);
            out.push((at, if c == '\'' { Token::Text } else { Token::Word(text.to_lowercase()) }));
            length
        } else if c.is_alphabetic() || c == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').unwrap_or(rest.len());
            out.push((at, Token::Word(rest[..length].to_lowercase())));
            length
        } else if c.is_ascii_digit() {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '.').unwrap_or(rest.len());
            out.push((at, Token::Sign(rest[..length].to_owned())));
            length
        } else if matches!(c, '=' | '<' | '>' | '!' | '|') {
            let length = rest.find(|c: char| !matches!(c, '=' | '<' | '>' | '!' | '|')).unwrap_or(rest.len());
            out.push((at, Token::Sign(rest[..length].to_owned())));
            length
        } else {
            if !c.is_whitespace() {
                out.push((at, Token::Sign(c.to_string())));
            }
            c.len_utf8()
        };
        at += length;
    }
    out
}

/// What stands between two marks, a doubled one standing for itself, and its length with them.
fn quoted(rest: &str, closing: char) -> (String, usize) {
    let mut out = String::new();
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((i, c)) = chars.next() {
        if c != closing {
            out.push(c);
        } else if closing != ']' && chars.next_if(|(_, next)| *next == closing).is_some() {
            out.push(closing);
        } else {
            return (out, i + 1);
        }
    }
    (out, rest.len())
}
