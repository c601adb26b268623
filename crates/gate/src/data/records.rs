//! JSON and NDJSON: a list of objects, or an object a line.

use std::collections::HashMap;
use std::io::BufRead;

use rusqlite::types::{Value, ValueRef};

use super::loader::Loader;
use super::table::{Fault, read_line};
use crate::json::{self, Node};
use cited_text::lines::LineIndex;

/// A JSON file is read whole: larger than this it should be NDJSON.
const LARGEST_LIST: usize = 256 << 20;

/// Columns by name, in order of appearance.
#[derive(Default)]
struct Columns {
    names: Vec<String>,
    places: HashMap<String, usize>,
}

/// Reads a list of objects.
pub(super) fn read_list(reader: &mut dyn BufRead, loader: &mut Loader<'_>) -> Result<(), Fault> {
    let mut bytes = Vec::new();
    let mut limited = std::io::Read::take(reader, LARGEST_LIST as u64 + 1);
    std::io::Read::read_to_end(&mut limited, &mut bytes)?;
    if bytes.len() > LARGEST_LIST {
        return Fault::whole(format!("larger than {} MiB; write it as NDJSON, an object a line", LARGEST_LIST >> 20));
    }
    let text = std::str::from_utf8(&bytes).or_else(|error| {
        let before = memchr::memchr_iter(b'\n', &bytes[..error.valid_up_to()]).count();
        Fault::line(before as u64 + 1, "not UTF-8")
    })?;
    let lines = LineIndex::new(text);
    let line_of = |at: usize| lines.line(at) as u64;
    let fault = |fault: json::Fault| Fault(Some(line_of(fault.at)), fault.message);
    let list = Node::read(text).map_err(fault)?;
    if list.kind() != "a list" {
        return Fault::line(1, "not a list of objects");
    }
    let mut columns = Columns::default();
    let mut records = list.items().map_err(fault)?.into_iter();
    records.try_for_each(|record| columns.record(record, line_of(record.at), loader))
}

/// Reads an object a line; empty lines are passed over.
pub(super) fn read_lines(reader: &mut dyn BufRead, loader: &mut Loader<'_>) -> Result<(), Fault> {
    let mut bytes = Vec::new();
    let mut number = 0;
    let mut columns = Columns::default();
    while read_line(reader, &mut bytes, number + 1)? {
        number += 1;
        let Ok(text) = std::str::from_utf8(&bytes) else { return Fault::line(number, "not UTF-8") };
        if text.trim_matches(['\u{feff}', ' ', '\t', '\r', '\n']).is_empty() {
            continue;
        }
        let node = Node::read(text).or_else(|fault| Fault::line(number, fault.message))?;
        columns.record(node, number, loader)?;
    }
    Ok(())
}

impl Columns {
    fn record(&mut self, node: Node<'_>, line: u64, loader: &mut Loader<'_>) -> Result<(), Fault> {
        let members = node.members().or_else(|wrong| Fault::line(line, wrong.message))?;
        let known = self.names.len();
        let mut fields = vec![Value::Null; known];
        for (name, value) in members {
            let field = match value.kind() {
                "null" => Value::Null,
                "true or false" => Value::Integer(i64::from(value.written == "true")),
                // More digits than a number of 64 bits has: kept as they are, and never summed.
                "a number" => super::number(value.written).unwrap_or_else(|| Value::Text(value.written.to_owned())),
                "a text" => Value::Text(value.value().or_else(|wrong| Fault::line(line, wrong.message))?),
                kind => return Fault::line(line, format!("`{name}` is {kind}; a value must be a number or a text")),
            };
            let next = self.names.len();
            let place = *self.places.entry(name.to_lowercase()).or_insert(next);
            if place == next {
                if name.trim().is_empty() || name.contains('\0') {
                    return Fault::line(line, "a value without a name");
                }
                self.names.push(name);
                fields.push(Value::Null);
            } else if self.names[place] != name {
                let message = format!("`{}` and `{}` differ in letter case only", self.names[place], name);
                return Fault::line(line, message);
            }
            fields[place] = field;
        }
        if self.names.len() > known {
            loader.columns(&self.names)?;
        }
        loader.record(line, &fields.iter().map(ValueRef::from).collect::<Vec<_>>())
    }
}
