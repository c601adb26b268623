//! Queries over columns that are text because of some cells and numbers otherwise: *9, 50, 1000, n/a*.
//!
//! The engine compares such values by their letters and counts what is no number as zero, both in silence. So a query may
//! name such a column where text is all that is needed, and nowhere else: compared with a text, counted, grouped by. And no
//! column of text is compared with a number.

use std::collections::BTreeSet;

use super::data::{Column, Kind, Table};

/// A word or sign of a query.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A name or key word in lower case.
    Word(String),
    /// A text, without its marks.
    Text(String),
    /// A number or sign.
    Sign(String),
}

impl Token {
    /// Whether it is one of these words or signs.
    pub(super) fn is(&self, words: &[&str]) -> bool {
        matches!(self, Token::Word(word) | Token::Sign(word) if words.contains(&word.as_str()))
    }
}

/// Functions that do with text what a reader expects.
const OF_TEXT: [&str; 3] = ["count", "typeof", "length"];
/// Signs that ask whether two texts are the same.
const EQUAL: [&str; 4] = ["=", "==", "<>", "!="];
/// Signs that compare.
const COMPARED: [&str; 8] = ["=", "==", "<>", "!=", "<", ">", "<=", ">="];
/// What may stand before a test of a text.
const BEFORE_TEST: [&str; 9] = ["where", "and", "or", "on", "(", "when", "not", "having", "case"];
/// What ends a test or a list.
const AFTER: [&str; 21] = [
    ")",
    "and",
    "or",
    "group",
    "order",
    "limit",
    "having",
    "then",
    ";",
    "union",
    "except",
    "intersect",
    "join",
    "left",
    "inner",
    "cross",
    "natural",
    "where",
    ",",
    "end",
    "else",
];

/// Refuses a query that does with a mixed column what needs numbers, or compares one of text with a number.
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
        if !same && (0..tokens.len()).filter(is_name).any(|at| meets_number(&tokens, at)) {
            return Err(column.why_text());
        }
    }
    let mixed = texts.into_iter().filter(|column| column.mixed);
    for column in mixed {
        let name = column.name.to_lowercase();
        let is_name = |at: &usize| {
            let table = tokens.get(at + 1).is_some_and(|next| next.is(&["."]));
            matches!(&tokens[*at], Token::Word(word) if *word == name) && !table
        };
        let places: Vec<usize> = (0..tokens.len()).filter(is_name).collect();
        // What no word names is read by `*`, and may go by any name from there.
        if places.is_empty() || !places.iter().all(|at| only_text(&tokens, *at, tables)) {
            return Err(column.why_text());
        }
    }
    Ok(())
}

/// Whether the column at `at` is compared with a number that is written down: *shop > 1*, *5 < shop*, *shop in (1, 2)*. The
/// engine compares their letters, and takes *unknown* for more than *5*.
fn meets_number(tokens: &[Token], at: usize) -> bool {
    let first = if at >= 2 && tokens[at - 1].is(&["."]) { at - 2 } else { at };
    let is = |index: usize, words: &[&str]| tokens.get(index).is_some_and(|token| token.is(words));
    let digits = |index: usize| matches!(tokens.get(index), Some(Token::Sign(sign)) if sign.starts_with(|c: char| c.is_ascii_digit()));
    let number = |index: usize| digits(index) || (is(index, &["-", "+"]) && digits(index + 1));
    if first >= 2 && is(first - 1, &COMPARED) && digits(first - 2) {
        return true;
    }
    let not = usize::from(is(at + 1, &["not"]));
    if is(at + 1, &COMPARED) || is(at + 1 + not, &["between"]) {
        return number(at + 2 + not);
    }
    let listed = is(at + 1 + not, &["in"]) && is(at + 2 + not, &["("]);
    listed && (at + 3 + not..tokens.len()).take_while(|index| !is(*index, &[")"])).any(digits)
}

/// Whether the column at `at` is used as text.
fn only_text(tokens: &[Token], at: usize, tables: &[Table]) -> bool {
    let qualified = at >= 2 && tokens[at - 1].is(&["."]);
    let first = if qualified { at - 2 } else { at };
    let get = |index: Option<usize>| index.and_then(|index| tokens.get(index));
    let before = |steps: usize| get(first.checked_sub(steps));
    let after = |steps: usize| get(at.checked_add(steps));
    let is = |token: Option<&Token>, words: &[&str]| token.is_some_and(|token| token.is(words));
    let ends = |token: Option<&Token>| token.is_none_or(|token| token.is(&AFTER));
    let opened = if is(before(1), &["distinct"]) { 2 } else { 1 };
    if is(before(opened), &["("]) && is(before(opened + 1), &OF_TEXT) && is(after(1), &[")"]) {
        return true;
    }
    if is(before(1), &["("]) && is(before(2), &["using"]) && is(after(1), &[")"]) {
        return true;
    }
    if groups(tokens, first) && ends(after(1)) {
        return true;
    }
    if is(before(1), &EQUAL) && is_text(tokens, first.checked_sub(2), tables) && ends(after(1)) {
        return true;
    }
    if !is(before(1), &BEFORE_TEST) {
        return false;
    }
    if is(after(1), &EQUAL) {
        let other = at + 2;
        let last = if is(get(Some(other + 1)), &["."]) { other + 2 } else { other };
        return is_text(tokens, Some(last), tables) && ends(get(Some(last + 1)));
    }
    if is(after(1), &["isnull", "notnull"]) {
        return true;
    }
    let not = usize::from(is(after(1), &["not"]) || is(after(1), &["is"]) && is(after(2), &["not"]));
    if is(after(1), &["is"]) {
        return is(after(2 + not), &["null"]) || matches!(after(2 + not), Some(Token::Text(_)));
    }
    if is(after(1 + not), &["like", "glob"]) {
        return true;
    }
    let listed = is(after(1 + not), &["in"]) && is(after(2 + not), &["("]);
    let list = tokens.iter().skip(at + 3 + not).take_while(|token| !token.is(&[")"]));
    listed && list.clone().all(|token| matches!(token, Token::Text(_)) || token.is(&[","])) && list.count() > 0
}

/// Whether a text or a column of text stands there.
fn is_text(tokens: &[Token], at: Option<usize>, tables: &[Table]) -> bool {
    match at.and_then(|at| tokens.get(at)) {
        Some(Token::Text(_)) => true,
        Some(Token::Word(word)) => {
            let mut columns = tables.iter().filter_map(|table| table.column(word)).peekable();
            columns.peek().is_some() && columns.all(|column| column.kind == Kind::Text)
        }
        _ => false,
    }
}

/// Whether the name at `at` stands in a list after *group by*.
fn groups(tokens: &[Token], at: usize) -> bool {
    let listed = tokens[..at]
        .iter()
        .rev()
        .take_while(|token| matches!(token, Token::Word(word) if word != "by") || token.is(&[",", "."]));
    let by = at.checked_sub(listed.count() + 1);
    by.is_some_and(|by| by > 0 && tokens[by].is(&["by"]) && tokens[by - 1].is(&["group"]))
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
            out.push((at, if c == '\'' { Token::Text(text) } else { Token::Word(text.to_lowercase()) }));
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
