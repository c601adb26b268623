//! What the values of a column are.

use super::table::{Column, Fault, Field, Kind, MOST_COLUMNS, Sink};
use crate::scalar::Scalar;

/// Characters of a value that messages show.
const SHOWN: usize = 40;

/// The number that a text is, if it is one: digits, a point, an exponent. `007` is a code and `1,200` a text: what they
/// are worth is not ours to guess.
///
/// ```
/// use cited_gate::data::number;
/// use cited_gate::scalar::Scalar;
/// assert_eq!(number("-12"), Some(Scalar::Whole(-12)));
/// assert_eq!(number("1.5e3"), Some(Scalar::Real(1500.0)));
/// assert_eq!(number("007"), None);
/// assert_eq!(number("NaN"), None);
/// ```
pub fn number(text: &str) -> Option<Scalar> {
    let text = text.trim_matches(' ');
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text).as_bytes();
    match digits {
        [b'0', b'0'..=b'9', ..] | [] => return None,
        _ => {}
    }
    if digits.iter().all(u8::is_ascii_digit) {
        return text.parse().ok().map(Scalar::Whole);
    }
    let first = digits[0];
    let known = digits.iter().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'));
    if !known || !(first.is_ascii_digit() || first == b'.') {
        return None;
    }
    text.parse::<f64>().ok().filter(|value| value.is_finite()).map(Scalar::Real)
}

/// Whether a text looks like a number to a reader: `1,200`, `007` and `18%` do, dates and names do not.
fn looks_numeric(text: &str) -> bool {
    let text = text.trim().trim_start_matches(['-', '+', '−', '$', '€', '£', '¥', '(', '.', ' ']);
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | ' ' | '\u{a0}' | '%' | '\'' | '€' | ')'))
}

/// The columns of a file while its records go by.
#[derive(Debug, Default)]
pub(super) struct Inferred {
    names: Vec<String>,
    columns: Vec<Guess>,
    pub rows: u64,
}

#[derive(Debug, Default, Clone)]
struct Guess {
    kind: Option<Kind>,
    first_text: Option<(u64, String)>,
    /// Values that look like numbers, and others.
    numeric: u64,
    others: u64,
}

impl Guess {
    fn see(&mut self, kind: Kind) {
        self.numeric += u64::from(kind != Kind::Text);
        self.kind = Some(self.kind.map_or(kind, |before| before.max(kind)));
    }

    fn see_text(&mut self, line: u64, text: &str) {
        self.see(Kind::Text);
        let numeric = looks_numeric(text);
        self.numeric += u64::from(numeric);
        self.others += u64::from(!numeric);
        self.first_text.get_or_insert_with(|| (line, text.chars().take(SHOWN).collect()));
    }
}

impl Inferred {
    pub(super) fn finish(self) -> Result<Vec<Column>, Fault> {
        if self.names.is_empty() {
            return Err(Fault::Malformed(None, "is empty: there is no data in it".to_owned()));
        }
        Ok(self
            .names
            .into_iter()
            .zip(self.columns)
            .map(|(name, guess)| {
                let kind = guess.kind.unwrap_or(Kind::Text);
                let is_mixed = guess.numeric > 0 && guess.numeric >= guess.others;
                Column { name, kind, mixed: guess.first_text.filter(|_| is_mixed) }
            })
            .collect())
    }
}

impl Sink for Inferred {
    fn columns(&mut self, names: &[String]) -> Result<(), Fault> {
        if names.len() > MOST_COLUMNS {
            return Err(Fault::Malformed(None, format!("more than {MOST_COLUMNS} columns")));
        }
        self.names = names.to_vec();
        self.columns.resize(names.len(), Guess::default());
        Ok(())
    }

    fn record(&mut self, line: u64, fields: &[Field<'_>]) -> Result<(), Fault> {
        self.rows += 1;
        for (guess, field) in self.columns.iter_mut().zip(fields) {
            match *field {
                Field::Null => {}
                Field::Written(text) => match number(text) {
                    Some(number) => guess.see(Kind::from_scalar(number)),
                    None => guess.see_text(line, text),
                },
                Field::Number(number) => guess.see(Kind::from_scalar(number)),
                Field::Text(text) => guess.see_text(line, text),
                Field::Bytes(_) => guess.see_text(line, "bytes"),
            }
        }
        Ok(())
    }
}
