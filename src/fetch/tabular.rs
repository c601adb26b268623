//! Files of data as a person sees them in a viewer: rows under their heads, values behind their names.
//!
//! CSV is read by the `csv` crate, which forgives what is not as it should be. Here that is right: what the file itself says stands
//! below its tables, so nothing that a claim may quote is lost. The gate, which computes with such files, forgives nothing.

use std::collections::HashMap;
use std::fmt;

use csv::{ReaderBuilder, StringRecord};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// The kind of a file of values that a sign separates.
pub(super) const SEPARATED: &str = "text/csv";
/// The kind of a file of names and values.
pub(super) const NAMED: &str = "application/json";

/// A larger file, in bytes, is left as it is.
const LARGEST: usize = 8 << 20;
/// What stands deeper in others is left out of the tables.
const DEEPEST: usize = 12;
/// A longer value, in bytes, is a text and stands under its name.
const LONGEST_VALUE: usize = 200;
/// Signs that part the values of a line.
const SEPARATORS: [u8; 4] = *b",;\t|";

/// The tables and named values of a file of this kind, as lines: cells are parted by tabs, a name and its value by a colon. `None` where
/// the file has none.
pub(super) fn laid_out(text: &str, media_type: &str) -> Option<String> {
    if text.len() > LARGEST {
        return None;
    }
    match media_type {
        SEPARATED => separated(text),
        NAMED => named(text),
        _ => None,
    }
}

fn separated(text: &str) -> Option<String> {
    let read = SEPARATORS.into_iter().map(|separator| records(text, separator));
    let records = read.max_by_key(|records| agreement(records))?;
    if agreement(&records).0 == 0 {
        return None;
    }
    let mut out = String::new();
    let mut before = 0;
    for record in &records {
        // Lines of another length are another table, or say something of the one below.
        let is_head = record.len() != before;
        if is_head && before > 0 {
            out.push('\n');
        }
        before = record.len();
        let cell = |cell: &str| if is_head { in_words(cell) } else { one_line(cell) };
        out.push_str(&record.iter().map(cell).collect::<Vec<_>>().join("\t"));
        out.push('\n');
    }
    Some(out)
}

/// The lines of a file whose values this sign parts.
fn records(text: &str, separator: u8) -> Vec<StringRecord> {
    let mut reader = ReaderBuilder::new();
    let reader = reader.has_headers(false).flexible(true).delimiter(separator).from_reader(text.as_bytes());
    reader.into_records().filter_map(Result::ok).collect()
}

/// How many lines have the number of values that most have, and that number: none where a line is one value.
fn agreement(records: &[StringRecord]) -> (usize, usize) {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for record in records.iter().filter(|record| record.len() > 1) {
        *counts.entry(record.len()).or_default() += 1;
    }
    counts.into_iter().map(|(values, lines)| (lines, values)).max().unwrap_or_default()
}

/// What a JSON file holds, in its order: the first member of a record often names it.
#[derive(Debug)]
enum Value {
    /// What is no list and no record, as it is shown; nothing for null.
    Shown(String),
    List(Vec<Value>),
    Record(Vec<(String, Value)>),
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Shown(String::new()))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Shown(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Shown(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Shown(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Shown(value.to_string()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Shown(one_line(value)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut record = Vec::new();
        while let Some(member) = members.next_entry()? {
            record.push(member);
        }
        Ok(Value::Record(record))
    }
}

impl Value {
    fn shown(&self) -> Option<&str> {
        if let Value::Shown(text) = self { Some(text) } else { None }
    }
}

fn named(text: &str) -> Option<String> {
    let value = serde_json::from_str(text).ok().or_else(|| {
        // A value a line.
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        lines.map(|line| serde_json::from_str(line).ok()).collect::<Option<Vec<Value>>>().map(Value::List)
    })?;
    let mut out = String::new();
    write(&mut out, &value, &[]);
    (!out.is_empty()).then_some(out)
}

/// Writes a value that stands at `path`.
fn write(out: &mut String, value: &Value, path: &[&str]) {
    if path.len() > DEEPEST {
        return;
    }
    match value {
        Value::Record(members) => write_members(out, members, path),
        Value::List(items) => {
            begin(out, path);
            if let Some(rows) = rows(items) {
                rows.iter().for_each(|row| line(out, &row.join("\t")));
                return;
            }
            for item in items {
                match item.shown() {
                    Some(item) => line(out, &format!("- {item}")),
                    None => write(out, item, path),
                }
            }
        }
        Value::Shown(_) => {}
    }
}

fn write_members(out: &mut String, members: &[(String, Value)], path: &[&str]) {
    let short = |value: &Value| value.shown().filter(|text| text.len() <= LONGEST_VALUE).map(str::to_owned);
    let mut begun = false;
    for (name, value) in members {
        let Some(value) = short(value) else { continue };
        if !std::mem::replace(&mut begun, true) {
            begin(out, path);
        }
        line(out, &format!("{}: {value}", in_words(name)));
    }
    for (name, value) in members.iter().filter(|(_, value)| short(value).is_none()) {
        let path: Vec<&str> = path.iter().copied().chain([name.as_str()]).collect();
        match value.shown() {
            Some(text) => {
                begin(out, &path);
                line(out, text);
            }
            None => write(out, value, &path),
        }
    }
}

/// A list as the rows of a table: records with their names on top, or lists of values.
fn rows(items: &[Value]) -> Option<Vec<Vec<String>>> {
    let record = |item: &Value| if let Value::Record(members) = item { Some(fields(members, "", 0)) } else { None };
    if let Some(records) = items.iter().map(record).collect::<Option<Vec<_>>>() {
        let mut heads: Vec<String> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for (name, _) in records.iter().flatten() {
            places.entry(name.clone()).or_insert_with(|| {
                heads.push(name.clone());
                heads.len() - 1
            });
        }
        let row = |record: &Vec<(String, String)>| {
            let mut row = vec![String::new(); heads.len()];
            for (name, value) in record {
                row[places[name]].clone_from(value);
            }
            row
        };
        return (heads.len() > 1).then(|| std::iter::once(heads.clone()).chain(records.iter().map(row)).collect());
    }
    let row = |item: &Value| {
        let Value::List(values) = item else { return None };
        values.iter().map(|value| value.shown().map(str::to_owned)).collect::<Option<Vec<String>>>()
    };
    let rows: Vec<Vec<String>> = items.iter().map(row).collect::<Option<_>>()?;
    rows.first().is_some_and(|row| row.len() > 1).then_some(rows)
}

/// The values of a record with their names; those of a record in it have its name before theirs.
fn fields(members: &[(String, Value)], before: &str, depth: usize) -> Vec<(String, String)> {
    let members = members.iter().map(|(name, value)| (one_line(&format!("{before} {}", in_words(name))), value));
    members
        .flat_map(|(name, value)| match value {
            Value::Record(members) if depth < DEEPEST => fields(members, &name, depth + 1),
            Value::Record(_) => Vec::new(),
            Value::List(items) => {
                let items: Option<Vec<&str>> = items.iter().map(Value::shown).collect();
                items.map(|items| (name, items.join(", "))).into_iter().collect()
            }
            Value::Shown(text) => vec![(name, text.clone())],
        })
        .collect()
}

/// Begins what stands at `path`: under a heading with its names.
fn begin(out: &mut String, path: &[&str]) {
    if !out.is_empty() {
        out.push('\n');
    }
    if !path.is_empty() {
        let names: Vec<String> = path.iter().map(|name| in_words(name)).collect();
        line(out, &format!("# {}", names.join(" ")));
        out.push('\n');
    }
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name as words: `gdp_usd`, `gdpUsd` and `gdp.usd` are *gdp usd*.
fn in_words(name: &str) -> String {
    let mut words = String::new();
    let mut before = ' ';
    for c in name.chars() {
        if before.is_lowercase() && c.is_uppercase() {
            words.push(' ');
            words.extend(c.to_lowercase());
        } else if c == '_' || c == '.' && before.is_alphabetic() {
            words.push(' ');
        } else {
            words.push(c);
        }
        before = c;
    }
    one_line(&words)
}

#[cfg(test)]
mod tests {
    use super::{NAMED, SEPARATED, laid_out};

    #[track_caller]
    fn check(media_type: &str, file: &str, expected: Option<&str>) {
        assert_eq!(laid_out(file, media_type).as_deref(), expected, "{file}");
    }

    #[test]
    fn values_that_a_sign_separates_are_rows() {
        check(SEPARATED, "mine,output_2021\nKorsa,\"1,204\"\n", Some("mine\toutput 2021\nKorsa\t1,204\n"));
        check(SEPARATED, "Ort;Preis\nJena;1,5\nUlm;2,5\n", Some("Ort\tPreis\nJena\t1,5\nUlm\t2,5\n"));
        check(SEPARATED, "a\tb\n\"x\ny\"\t2\n", Some("a\tb\nx y\t2\n"));
        // What stands above the table is not its head.
        let above = "Source,Survey of mines\nmine,2020,2021\nKorsa,3,4\n";
        check(SEPARATED, above, Some("Source\tSurvey of mines\n\nmine\t2020\t2021\nKorsa\t3\t4\n"));
        check(SEPARATED, "only\none\ncolumn\n", None);
        check(SEPARATED, "", None);
        // A quotation mark that is never closed loses no word.
        check(SEPARATED, "a,b\n\"x,1\ny,2\n", Some("a\tb\n\nx,1 y,2\n"));
    }

    #[test]
    fn names_have_their_values_and_records_are_rows() {
        check(NAMED, "{\"name\": \"Korsa\", \"depth_m\": 412}", Some("name: Korsa\ndepth m: 412\n"));
        check(
            NAMED,
            "[{\"mine\": {\"name\": \"Korsa\"}, \"depthM\": 412, \"ores\": [\"tin\", \"zinc\"]}, {\"depthM\": null, \"open\": true}]",
            Some("mine name\tdepth m\tores\topen\nKorsa\t412\ttin, zinc\t\n\t\t\ttrue\n"),
        );
        check(NAMED, "{\"a\": 1, \"b\": 2}\n{\"a\": 3, \"b\": 4}\n", Some("a\tb\n1\t2\n3\t4\n"));
        check(NAMED, "[[\"name\", \"people\"], [\"Jena\", \"108306\"]]", Some("name\tpeople\nJena\t108306\n"));
        check(
            NAMED,
            "{\"page\": {\"total\": 3}, \"data\": [{\"year\": 2020, \"gdp\": 1.44}]}",
            Some("# page\n\ntotal: 3\n\n# data\n\nyear\tgdp\n2020\t1.44\n"),
        );
        check(NAMED, "[\"tin\", \"zinc\"]", Some("- tin\n- zinc\n"));
        let text = format!("{{\"body\": \"{}\"}}", "Tin is mined. ".repeat(20));
        check(NAMED, &text, Some(&format!("# body\n\n{}\n", "Tin is mined. ".repeat(20).trim())));
        check(NAMED, "\"a word\"", None);
        check(NAMED, "no JSON", None);
        check(NAMED, &format!("{}1{}", "[".repeat(200), "]".repeat(200)), None);
    }
}
