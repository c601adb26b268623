//! Files of data as a person sees them in a viewer: rows under their heads, values behind their names.
//!
//! CSV is read by the `csv` crate, which forgives what is not as it should be. Here that is right: what the file itself says stands
//! below its tables, so nothing that a claim may quote is lost. The gate, which computes with such files, forgives nothing.

use std::collections::HashMap;
use std::fmt;

use csv::{ReaderBuilder, StringRecord};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use cited_core::page::{NAMED, SEPARATED};
use cited_text::quantity::quantities;

/// A larger file, in bytes, is left as it is.
const LARGEST: usize = 8 << 20;
/// What stands deeper in others is left out of the tables.
const DEEPEST: usize = 12;
/// A longer value, in bytes, is a text and stands under its name.
const LONGEST_VALUE: usize = 200;
/// So many lines tell which sign parts the values of a file.
const LINES_THAT_TELL: usize = 200;
/// Records with more names than this are no rows of a table.
const MOST_COLUMNS: usize = 200;
/// Records are rows if at least one in so many of the cells that they would have has a value.
const EMPTIEST: usize = 10;
/// A longer name of a column, in characters, is cut.
const LONGEST_NAME: usize = 80;
/// A longer part of a name, in characters, is a word and no unit.
const LONGEST_UNIT: usize = 4;
/// What is written of a file ends at so many times its length.
const LARGEST_GROWTH: usize = 4;
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
    let separator = separator(text)?;
    let mut out = String::new();
    let mut before = 0;
    let mut records = records(text, separator).peekable();
    while let Some(record) = records.next() {
        // A line without a word ends what stands above it.
        if record.iter().all(|cell| cell.trim().is_empty()) {
            before = usize::MAX;
            continue;
        }
        // Lines of another length are another table, or say something of the one below.
        let begins = record.len() != before;
        if begins && before > 0 {
            out.push('\n');
        }
        before = record.len();
        let is_head = begins && records.peek().is_some_and(|next| next.len() == before);
        let cell = |cell: &str| if is_head { in_words(cell) } else { one_line(cell) };
        out.push_str(&record.iter().map(cell).collect::<Vec<_>>().join("\t"));
        out.push('\n');
    }
    Some(out)
}

/// The sign that parts the values of a file: the one by which most of its first lines have as many values as each other. `None` where
/// each line is one value.
fn separator(text: &str) -> Option<u8> {
    let agreement = |separator| {
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for record in records(text, separator).take(LINES_THAT_TELL).filter(|record| record.len() > 1) {
            *counts.entry(record.len()).or_default() += 1;
        }
        counts.into_iter().map(|(values, lines)| (lines, values)).max()
    };
    let agreed = SEPARATORS.into_iter().filter_map(|separator| Some((agreement(separator)?, separator)));
    agreed.max_by_key(|(agreement, _)| *agreement).map(|(_, separator)| separator)
}

/// The lines of a file whose values this sign parts, one after the other.
fn records(text: &str, separator: u8) -> impl Iterator<Item = StringRecord> {
    let mut reader = ReaderBuilder::new();
    let reader = reader.has_headers(false).flexible(true).delimiter(separator).from_reader(text.as_bytes());
    reader.into_records().filter_map(Result::ok)
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
    let mut sheet =
        Sheet { out: String::new(), most: text.len().saturating_mul(LARGEST_GROWTH), names: Names::default() };
    sheet.write(&value, &[]);
    (!sheet.out.is_empty()).then_some(sheet.out)
}

/// What has been written of a file. It is full when it has `most` bytes: what a file repeats by its form, such as the name of a record
/// before each of its values, must not grow without end.
struct Sheet {
    out: String,
    most: usize,
    names: Names,
}

impl Sheet {
    /// Writes a value that stands at `path`.
    fn write(&mut self, value: &Value, path: &[&str]) {
        if path.len() > DEEPEST {
            return;
        }
        match value {
            Value::Record(members) => self.write_members(members, path),
            Value::List(items) => {
                self.begin(path);
                if let Some(table) = Table::of_records(items, &mut self.names) {
                    return table.write(self);
                }
                if let Some(rows) = rows_of_lists(items) {
                    return rows.iter().for_each(|row| self.line(&row.join("\t")));
                }
                for item in items {
                    match item.shown() {
                        Some(item) => self.line(&format!("- {item}")),
                        None => self.write(item, path),
                    }
                }
            }
            Value::Shown(_) => {}
        }
    }

    fn write_members(&mut self, members: &[(String, Value)], path: &[&str]) {
        let short = |value: &'_ Value| value.shown().is_some_and(|text| text.len() <= LONGEST_VALUE);
        let mut begun = false;
        for (name, value) in members.iter().filter(|(_, value)| short(value)) {
            if !std::mem::replace(&mut begun, true) {
                self.begin(path);
            }
            let name = self.names.in_words(name);
            self.line(&format!("{name}: {}", value.shown().unwrap_or_default()));
        }
        for (name, value) in members.iter().filter(|(_, value)| !short(value)) {
            let path: Vec<&str> = path.iter().copied().chain([name.as_str()]).collect();
            match value.shown() {
                Some(text) => {
                    self.begin(&path);
                    self.line(text);
                }
                None => self.write(value, &path),
            }
        }
    }

    /// Begins what stands at `path`: under a heading with its names.
    fn begin(&mut self, path: &[&str]) {
        if !self.out.is_empty() {
            self.line("");
        }
        if !path.is_empty() {
            let names: Vec<String> = path.iter().map(|name| self.names.in_words(name)).collect();
            self.line(&format!("# {}", names.join(" ")));
            self.line("");
        }
    }

    fn line(&mut self, text: &str) {
        if self.out.len() + text.len() < self.most {
            self.out.push_str(text);
            self.out.push('\n');
        }
    }
}

/// Records as the rows of a table, with the names of their values on top.
struct Table {
    heads: Vec<String>,
    /// Of each row its values, with the number of the head that each has.
    rows: Vec<Vec<(usize, String)>>,
}

impl Table {
    /// `None` for what is no list of records that have more than a name in common.
    fn of_records(items: &[Value], names: &mut Names) -> Option<Table> {
        let mut table = Table { heads: Vec::new(), rows: Vec::with_capacity(items.len()) };
        let mut places = HashMap::new();
        for item in items {
            let Value::Record(members) = item else { return None };
            let mut row = Vec::new();
            fields(members, ("", 0), names, &mut |name, value| {
                let place = *places.entry(name).or_insert_with_key(|name| {
                    table.heads.push(name.clone());
                    table.heads.len() - 1
                });
                row.push((place, value));
                table.heads.len() <= MOST_COLUMNS
            })?;
            table.rows.push(row);
        }
        let filled: usize = table.rows.iter().map(Vec::len).sum();
        let alike = filled * EMPTIEST >= table.heads.len() * table.rows.len();
        (table.heads.len() > 1 && alike).then_some(table)
    }

    fn write(&self, sheet: &mut Sheet) {
        sheet.line(&self.heads.join("\t"));
        for row in &self.rows {
            let mut cells = vec![""; self.heads.len()];
            row.iter().for_each(|(place, value)| cells[*place] = value);
            sheet.line(&cells.join("\t"));
        }
    }
}

/// Lists of values as rows; nothing for a list of other things.
fn rows_of_lists(items: &[Value]) -> Option<Vec<Vec<&str>>> {
    let mut rows = Vec::with_capacity(items.len());
    for item in items {
        let Value::List(values) = item else { return None };
        rows.push(values.iter().map(Value::shown).collect::<Option<Vec<&str>>>()?);
    }
    rows.first().is_some_and(|row| row.len() > 1).then_some(rows)
}

/// Gives the values of a record with their names; those of a record in it have its name before theirs. `None` when `give` wants no more.
fn fields(
    members: &[(String, Value)],
    (before, depth): (&str, usize),
    names: &mut Names,
    give: &mut impl FnMut(String, String) -> bool,
) -> Option<()> {
    for (name, value) in members {
        let name: String = one_line(&format!("{before} {}", names.in_words(name))).chars().take(LONGEST_NAME).collect();
        let wanted = match value {
            Value::Record(members) if depth < DEEPEST => {
                fields(members, (&name, depth + 1), names, give)?;
                true
            }
            Value::Record(_) => true,
            Value::List(items) => {
                let items: Option<Vec<&str>> = items.iter().map(Value::shown).collect();
                items.is_none_or(|items| give(name, items.join(", ")))
            }
            Value::Shown(text) => give(name, text.clone()),
        };
        if !wanted {
            return None;
        }
    }
    Some(())
}

/// Names as words. Each record of a list has the same ones.
#[derive(Default)]
struct Names(HashMap<String, String>);

impl Names {
    fn in_words(&mut self, name: &str) -> String {
        if let Some(words) = self.0.get(name) {
            return words.clone();
        }
        let words = in_words(name);
        self.0.insert(name.to_owned(), words.clone());
        words
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name as words, with the unit that it ends with in brackets: `depth_m`, `depthM` and `depth.m` are *depth (m)*, `flow_l_s` is *flow
/// (l/s)*.
fn in_words(name: &str) -> String {
    let parts = parts_of(name);
    let units = parts.iter().skip(1).rev().take(2).map_while(|part| unit_of(part));
    let units: Vec<String> = units.collect::<Vec<_>>().into_iter().rev().collect();
    let words = one_line(&parts[..parts.len() - units.len()].join(" "));
    if units.is_empty() { words } else { format!("{words} ({})", units.join("/")) }
}

/// The words of a name that a program gives: parted by `_` or points, or each with a capital. *GDP* stays one.
fn parts_of(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut parts = vec![String::new()];
    for (at, c) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        let next = letters.get(at + 1);
        let begins = c.is_uppercase()
            && (before.is_some_and(|before| before.is_lowercase() || before.is_numeric())
                || before.is_some_and(|before| before.is_uppercase()) && next.is_some_and(|next| next.is_lowercase()));
        if *c == '_' || *c == '.' && before.is_some_and(|before| before.is_alphabetic()) {
            parts.push(String::new());
        } else if begins && next.is_some_and(|next| next.is_lowercase()) {
            parts.push(c.to_lowercase().collect());
        } else if begins {
            parts.push(c.to_string());
        } else if let Some(part) = parts.last_mut() {
            part.push(*c);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The unit that a part of a name writes: a small letter where both are one, as `M` of `depthM`.
fn unit_of(part: &str) -> Option<String> {
    let is_unit = |unit: &String| {
        let value = format!("7 {unit}");
        matches!(quantities(&value).as_slice(), [q] if q.span.len() == value.len() && q.has_unit())
    };
    let short = part.chars().count() <= LONGEST_UNIT && !part.contains(' ');
    short.then(|| [part.to_lowercase(), part.to_owned()])?.into_iter().find(is_unit)
}

#[cfg(test)]
mod tests {
    use super::{NAMED, SEPARATED, in_words, laid_out};

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
        check(
            SEPARATED,
            "Mines of Korsa\n,,\nmine,2020,2021\nKorsa,3,4\n",
            Some("Mines of Korsa\n\nmine\t2020\t2021\nKorsa\t3\t4\n"),
        );
        check(SEPARATED, "only\none\ncolumn\n", None);
        check(SEPARATED, "", None);
        // A quotation mark that is never closed loses no word.
        check(SEPARATED, "a,b\n\"x,1\ny,2\n", Some("a\tb\n\nx,1 y,2\n"));
    }

    #[test]
    fn names_of_programs_are_words_with_their_units() {
        for (name, words) in [
            ("output_2021_t", "output 2021 (t)"),
            ("maxSpeedKn", "max speed (kn)"),
            ("lengthM", "length (m)"),
            ("sizeMB", "size (MB)"),
            ("yield_l_s", "yield (l/s)"),
            ("GDPGrowth", "GDP growth"),
            ("passengers2022", "passengers2022"),
            ("Besucher_2021", "Besucher 2021"),
            ("Length (km)", "Length (km)"),
            ("vs. last year", "vs last year"),
            ("region_id", "region id"),
            ("m", "m"),
        ] {
            assert_eq!(in_words(name), words, "{name}");
        }
    }

    #[test]
    fn names_have_their_values_and_records_are_rows() {
        check(NAMED, "{\"name\": \"Korsa\", \"depth_m\": 412}", Some("name: Korsa\ndepth (m): 412\n"));
        check(
            NAMED,
            "[{\"mine\": {\"name\": \"Korsa\"}, \"depthM\": 412, \"ores\": [\"tin\", \"zinc\"]}, {\"depthM\": null, \"open\": true}]",
            Some("mine name\tdepth (m)\tores\topen\nKorsa\t412\ttin, zinc\t\n\t\t\ttrue\n"),
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
        // Records that have nothing in common are no table.
        check(NAMED, "[{\"a\": 1}, {\"a\": 2}]", Some("a: 1\n\na: 2\n"));
        check(NAMED, "no JSON", None);
        check(NAMED, &format!("{}1{}", "[".repeat(200), "]".repeat(200)), None);
    }

    #[test]
    fn what_is_laid_out_does_not_grow_without_end() {
        // Each record has a name of its own: as a table that would be four million cells.
        let distinct: Vec<String> = (0..2000).map(|i| format!("{{\"name_{i}\": {i}}}")).collect();
        // Each record lies in a long name.
        let long = format!("{{\"{}\": [{}]}}", "n".repeat(5000), vec!["{\"a\": {\"b\": 1}}"; 500].join(","));
        let wide: Vec<String> = (0..1000).map(|i| format!("\"c{i}\": {i}")).collect();
        let wide = format!("[{{{}}}, {{\"c0\": 7}}]", wide.join(","));
        for file in [format!("[{}]", distinct.join(",")), long, wide] {
            let laid_out = laid_out(&file, NAMED).unwrap();
            assert!(laid_out.len() <= 4 * file.len(), "{} of {}", laid_out.len(), file.len());
        }
    }
}
