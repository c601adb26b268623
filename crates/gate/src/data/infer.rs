//! What the values of a column are.

use rusqlite::types::{Value, ValueRef};

use super::table::Kind;

/// Characters of a value that messages show.
const SHOWN: usize = 40;

/// The number that a text is, if it is one: digits, a point, an exponent. `007` is a code and `1,200` a text: what they
/// are worth is not ours to guess.
///
/// ```
/// use cited_gate::data::number;
/// use rusqlite::types::Value;
/// assert_eq!(number("-12"), Some(Value::Integer(-12)));
/// assert_eq!(number("1.5e3"), Some(Value::Real(1500.0)));
/// assert_eq!(number("007"), None);
/// assert_eq!(number("NaN"), None);
/// ```
pub fn number(text: &str) -> Option<Value> {
    let text = text.trim_matches(' ');
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text).as_bytes();
    match digits {
        [b'0', b'0'..=b'9', ..] | [] => return None,
        _ => {}
    }
    if digits.iter().all(u8::is_ascii_digit) {
        return text.parse().ok().map(Value::Integer);
    }
    let first = digits[0];
    let known = digits.iter().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'));
    if !known || !(first.is_ascii_digit() || first == b'.') {
        return None;
    }
    text.parse::<f64>().ok().filter(|value| value.is_finite()).map(Value::Real)
}

/// Whether a text looks like a number to a reader: `1,200`, `007` and `18%` do, dates and names do not.
fn looks_numeric(text: &str) -> bool {
    let text = text.trim().trim_start_matches(['-', '+', '−', '$', '€', '£', '¥', '(', '.', ' ']);
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | ' ' | '\u{a0}' | '%' | '\'' | '€' | ')'))
}

/// What is known of a column while its records go by.
#[derive(Debug, Default, Clone)]
pub(super) struct Guess {
    kind: Option<Kind>,
    first_text: Option<(u64, String)>,
    /// Values that look like numbers, and others.
    numeric: u64,
    others: u64,
    /// Bytes of the longest text.
    longest: usize,
}

impl Guess {
    /// Looks at a value. What a text means is for the column to say where all is `written` as text.
    pub(super) fn see(&mut self, line: u64, value: ValueRef<'_>, written: bool) {
        let (kind, text) = match value {
            ValueRef::Null => return,
            ValueRef::Integer(_) => (Kind::Integer, ""),
            ValueRef::Real(_) => (Kind::Real, ""),
            ValueRef::Blob(_) => (Kind::Text, "bytes"),
            ValueRef::Text(text) => {
                let text = std::str::from_utf8(text).unwrap_or_default();
                match number(text).filter(|_| written) {
                    Some(Value::Integer(_)) => (Kind::Integer, text),
                    Some(_) => (Kind::Real, text),
                    None => (Kind::Text, text),
                }
            }
        };
        self.kind = self.kind.max(Some(kind));
        self.longest = self.longest.max(value.as_bytes().map_or(0, <[u8]>::len));
        let is_numeric = kind < Kind::Text || looks_numeric(text);
        self.numeric += u64::from(is_numeric);
        self.others += u64::from(!is_numeric);
        if kind == Kind::Text {
            self.first_text.get_or_insert_with(|| (line, text.chars().take(SHOWN).collect()));
        }
    }

    /// What the column holds, the first text in it where most look like numbers, and the bytes of the longest one.
    pub(super) fn end(self) -> (Kind, Option<(u64, String)>, usize) {
        let is_mixed = self.numeric > 0 && self.numeric >= self.others;
        (self.kind.unwrap_or(Kind::Text), self.first_text.filter(|_| is_mixed), self.longest)
    }
}
