//! Records into a table, as they come, and what the values of its columns are.

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, Statement};

use super::table::{Fault, Kind, MOST_COLUMNS, Table, quoted};

/// Writes records into a table. They stand in one without types first: which type a column has is known when its last value is.
pub(super) struct Loader<'c> {
    to: &'c Connection,
    columns: Vec<(String, Guess)>,
    rows: u64,
    insert: Option<Statement<'c>>,
    /// Whether all values are written as text, whatever they are.
    written: bool,
}

impl<'c> Loader<'c> {
    pub(super) fn begin(to: &'c Connection, written: bool) -> Result<Self, Fault> {
        to.execute_batch("BEGIN")?;
        Ok(Loader { to, columns: Vec::new(), rows: 0, insert: None, written })
    }

    /// Makes the table of what was written. The types of its columns turn what is written in digits into numbers, and only that.
    pub(super) fn finish(self, name: String) -> Result<Table, Fault> {
        if self.columns.is_empty() {
            return Fault::whole("is empty: there is no data in it");
        }
        drop(self.insert);
        let mut table = Table { name, rows: self.rows, columns: Vec::new(), mixed: Vec::new(), longest: 0 };
        for (name, guess) in self.columns {
            let (kind, mixed, longest) = guess.end();
            table.longest += longest;
            table.mixed.extend(mixed.map(|(line, text)| (name.clone(), line, text)));
            table.columns.push((name, kind));
        }
        let columns = table.columns.iter().map(|(name, kind)| format!("{} {kind}", quoted(name)));
        let (name, columns) = (quoted(&table.name), columns.collect::<Vec<_>>().join(", "));
        self.to.execute_batch(&format!(
            "CREATE TABLE main.{name} ({columns}); INSERT INTO main.{name} SELECT * FROM temp.read; DROP TABLE temp.read; COMMIT"
        ))?;
        Ok(table)
    }

    /// The columns known so far; called again when more show up.
    pub(super) fn columns(&mut self, names: &[String]) -> Result<(), Fault> {
        if names.len() > MOST_COLUMNS {
            return Fault::whole(format!("more than {MOST_COLUMNS} columns"));
        }
        self.insert = None;
        for (new, name) in names.iter().enumerate().skip(self.columns.len()) {
            let first = "CREATE TABLE temp.read (c0)".to_owned();
            let change = if new == 0 { first } else { format!("ALTER TABLE temp.read ADD COLUMN c{new}") };
            self.to.execute_batch(&change)?;
            self.columns.push((name.clone(), Guess::default()));
        }
        let marks = vec!["?"; names.len()].join(", ");
        self.insert = Some(self.to.prepare(&format!("INSERT INTO temp.read VALUES ({marks})"))?);
        Ok(())
    }

    /// A record; columns behind its end are empty.
    pub(super) fn record(&mut self, line: u64, fields: &[ValueRef<'_>]) -> Result<(), Fault> {
        self.rows += 1;
        let Some(insert) = &mut self.insert else { return Ok(()) };
        for (index, (_, guess)) in self.columns.iter_mut().enumerate() {
            let field = fields.get(index).copied().unwrap_or(ValueRef::Null);
            guess.see(line, field, self.written);
            insert.raw_bind_parameter(index + 1, ToSqlOutput::Borrowed(field))?;
        }
        insert.raw_execute()?;
        Ok(())
    }
}

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
struct Guess {
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
    fn see(&mut self, line: u64, value: ValueRef<'_>, written: bool) {
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
    fn end(self) -> (Kind, Option<(u64, String)>, usize) {
        let is_mixed = self.numeric > 0 && self.numeric >= self.others;
        (self.kind.unwrap_or(Kind::Text), self.first_text.filter(|_| is_mixed), self.longest)
    }
}
