//! JSON and NDJSON: a list of objects, or an object a line.

use std::collections::HashMap;
use std::io::BufRead;

use super::table::{Fault, Field, Sink, read_line};
use crate::json::{self, Node, Reader, Value};
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
pub(super) fn read_list(reader: &mut dyn BufRead, sink: &mut dyn Sink) -> Result<(), Fault> {
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
    let mut json = Reader::new(text).map_err(fault)?;
    if !json.take(b'[') {
        return Fault::line(1, "not a list of objects");
    }
    let mut columns = Columns::default();
    // Lines are counted on from the last record: counting from the start each time would be quadratic.
    let (mut counted, mut line) = (0, 1);
    while !json.take(b']') {
        json.take(b',');
        let node = json.value(1).map_err(fault)?;
        line += memchr::memchr_iter(b'\n', &bytes[counted..node.span.start]).count() as u64;
        counted = node.span.start;
        columns.record(&node, line, sink)?;
    }
    Ok(())
}

/// Reads an object a line; empty lines are passed over.
pub(super) fn read_lines(reader: &mut dyn BufRead, sink: &mut dyn Sink) -> Result<(), Fault> {
    let mut bytes = Vec::new();
    let mut number = 0;
    let mut columns = Columns::default();
    while read_line(reader, &mut bytes, number + 1)? {
        number += 1;
        let Ok(text) = std::str::from_utf8(&bytes) else { return Fault::line(number, "not UTF-8") };
        if text.trim_matches(['\u{feff}', ' ', '\t', '\r', '\n']).is_empty() {
            continue;
        }
        let node = json::read(text).map_err(|fault| Fault::Malformed(Some(number), fault.message))?;
        columns.record(&node, number, sink)?;
    }
    Ok(())
}

impl Columns {
    fn record(&mut self, node: &Node, line: u64, sink: &mut dyn Sink) -> Result<(), Fault> {
        let Value::Object(members) = &node.value else {
            return Fault::line(line, format!("{} where an object should be", node.kind()));
        };
        let known = self.names.len();
        let mut fields = vec![Field::Null; known];
        for (name, value) in members {
            let field = match &value.value {
                Value::Null => Field::Null,
                Value::Bool(truth) => Field::Number(Scalar::Whole(i64::from(*truth))),
                // More digits than a number of 64 bits has: kept as they are, and never summed.
                Value::Number(written) => super::number(written).map_or(Field::Text(written), Field::Number),
                Value::Text(text) => Field::Text(text),
                Value::List(_) | Value::Object(_) => {
                    return Fault::line(
                        line,
                        format!("`{}` is {}; a value must be a number or a text", name.text, value.kind()),
                    );
                }
            };
            let next = self.names.len();
            let place = *self.places.entry(name.text.to_lowercase()).or_insert(next);
            if place == next {
                if name.text.trim().is_empty() || name.text.contains('\0') {
                    return Fault::line(line, "a value without a name");
                }
                self.names.push(name.text.clone());
                fields.push(Field::Null);
            } else if self.names[place] != name.text {
                let message = format!("`{}` and `{}` differ in letter case only", self.names[place], name.text);
                return Fault::line(line, message);
            }
            fields[place] = field;
        }
        if self.names.len() > known {
            sink.columns(&self.names)?;
        }
        sink.record(line, &fields)
    }
}
