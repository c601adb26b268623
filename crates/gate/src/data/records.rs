//! JSON and NDJSON: a list of objects, or an object a line.

use std::collections::HashMap;
use std::io::BufRead;

use super::loader::Loader;
use super::table::{Fault, Field, read_line};
use crate::json::{self, Node};
use crate::scalar::Scalar;

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
        let message = format!("larger than {} MiB; write it as NDJSON, an object a line", LARGEST_LIST >> 20);
        return Err(Fault::Malformed(None, message));
    }
    let line_of =
        |at: usize, bytes: &[u8]| memchr::memchr_iter(b'\n', &bytes[..at.min(bytes.len())]).count() as u64 + 1;
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) => text,
        Err(error) => return Fault::line(line_of(error.valid_up_to(), &bytes), "not UTF-8"),
    };
    let fault = |fault: json::Fault| Fault::Malformed(Some(line_of(fault.at, &bytes)), fault.message);
    let list = Node::read(text).map_err(fault)?;
    if list.kind() != "a list" {
        return Fault::line(1, "not a list of objects");
    }
    let mut columns = Columns::default();
    // Lines are counted on from the last record: counting from the start each time would be quadratic.
    let (mut counted, mut line) = (0, 1);
    for record in list.items().map_err(fault)? {
        line += memchr::memchr_iter(b'\n', &bytes[counted..record.at]).count() as u64;
        counted = record.at;
        columns.record(record, line, loader)?;
    }
    Ok(())
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
        let node = Node::read(text).map_err(|fault| Fault::Malformed(Some(number), fault.message))?;
        columns.record(node, number, loader)?;
    }
    Ok(())
}

impl Columns {
    fn record(&mut self, node: Node<'_>, line: u64, loader: &mut Loader<'_>) -> Result<(), Fault> {
        let fault = |fault: json::Fault| Fault::Malformed(Some(line), fault.message);
        let members = node.members().map_err(fault)?;
        let known = self.names.len();
        let mut fields = vec![Field::Null; known];
        let is_text = |(_, value): &(String, Node<'_>)| value.kind() == "a text";
        let texts = members.iter().map(|member| if is_text(member) { member.1.value() } else { Ok(String::new()) });
        let texts: Vec<String> = texts.collect::<Result<_, _>>().map_err(fault)?;
        for ((name, value), text) in members.iter().zip(&texts) {
            let field = match value.kind() {
                "null" => Field::Null,
                "true or false" => Field::Number(Scalar::Whole(i64::from(value.written == "true"))),
                // More digits than a number of 64 bits has: kept as they are, and never summed.
                "a number" => super::number(value.written).map_or(Field::Text(value.written), Field::Number),
                "a text" => Field::Text(text),
                kind => return Fault::line(line, format!("`{name}` is {kind}; a value must be a number or a text")),
            };
            let next = self.names.len();
            let place = *self.places.entry(name.to_lowercase()).or_insert(next);
            if place == next {
                if name.trim().is_empty() || name.contains('\0') {
                    return Fault::line(line, "a value without a name");
                }
                self.names.push(name.clone());
                fields.push(Field::Null);
            } else if self.names[place] != *name {
                let message = format!("`{}` and `{}` differ in letter case only", self.names[place], name);
                return Fault::line(line, message);
            }
            fields[place] = field;
        }
        if self.names.len() > known {
            loader.columns(&self.names)?;
        }
        loader.record(line, &fields)
    }
}
