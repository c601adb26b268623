//! CSV and TSV by RFC 4180, strictly: every record has the fields of the header, every quotation mark is closed.
//!
//! The crate `csv` 1.4 is lenient and cannot be told otherwise: an unclosed quotation mark swallows the rest of the file as one field, and a
//! sum comes out smaller; `"x"y` is read as `xy`. Here both are errors with their line.

use std::collections::HashSet;
use std::io::BufRead;
use std::ops::Range;

use rusqlite::types::ValueRef;

use super::loader::Loader;
use super::table::{Fault, append_line, read_line};

/// Reads all records of a file with a header.
pub(super) fn read(reader: &mut dyn BufRead, separator: u8, loader: &mut Loader<'_>) -> Result<(), Fault> {
    let mut record = Record { line: Vec::new(), fields: Vec::new(), unquoted: Vec::new() };
    let mut number = 1;
    let mut blank = None;
    let mut separator = separator;
    let mut names: Option<usize> = None;
    while read_line(reader, &mut record.line, number)? {
        let first = number;
        if names.is_none() {
            if record.line.starts_with("\u{feff}".as_bytes()) {
                record.line.drain(..3);
            }
            // Spreadsheets of countries with a decimal comma separate by semicolons.
            if separator == b',' && !record.line.contains(&b',') && record.line.contains(&b';') {
                separator = b';';
            }
        }
        number += record.split(reader, separator, number)?;
        if record.is_blank() {
            blank.get_or_insert(first);
            continue;
        }
        if let Some(blank) = blank {
            return Fault::line(blank, "an empty line inside the data");
        }
        let text = std::str::from_utf8(&record.unquoted).or_else(|error| {
            let before = memchr::memchr_iter(b'\n', &record.unquoted[..error.valid_up_to()]).count() as u64;
            let advice = "convert it first, for example with `iconv -f windows-1252 -t utf-8`";
            Fault::line(first + before, format!("not UTF-8; {advice}"))
        })?;
        let fields = record.fields.iter().map(|range| text.get(range.clone()).unwrap_or_default());
        match names {
            None => {
                let header = header(fields, first)?;
                names = Some(header.len());
                loader.columns(&header)?;
            }
            Some(columns) if columns != record.fields.len() => {
                let found = record.fields.len();
                let s = if found == 1 { "" } else { "s" };
                return Fault::line(first, format!("{found} field{s} where the header has {columns}"));
            }
            Some(_) => {
                // An empty field is no value, quoted or not: exporters quote either all fields or none.
                let all: Vec<ValueRef<'_>> =
                    fields.map(|text| Some(text).filter(|text| !text.is_empty()).into()).collect();
                loader.record(first, &all)?;
            }
        }
    }
    Ok(())
}

fn header<'a>(fields: impl Iterator<Item = &'a str>, line: u64) -> Result<Vec<String>, Fault> {
    let mut names: Vec<String> = Vec::new();
    let mut known: HashSet<String> = HashSet::new();
    for field in fields {
        let name = field.trim();
        if name.is_empty() {
            return Fault::line(line, format!("column {} has no name", names.len() + 1));
        }
        if name.contains('\0') {
            return Fault::line(line, format!("the name of column {} has a null character", names.len() + 1));
        }
        if !known.insert(name.to_ascii_lowercase()) {
            return Fault::line(line, format!("two columns are named `{name}`"));
        }
        names.push(name.to_owned());
    }
    Ok(names)
}

/// One record, its fields laid out in `unquoted`.
struct Record {
    line: Vec<u8>,
    fields: Vec<Range<usize>>,
    unquoted: Vec<u8>,
}

impl Record {
    fn is_blank(&self) -> bool {
        self.fields.len() == 1 && self.fields[0].is_empty() && !self.line.contains(&b'"')
    }

    /// Parts the line into fields, reading on when a quoted field goes over its end. Gives how many lines were read.
    fn split(&mut self, reader: &mut dyn BufRead, separator: u8, number: u64) -> Result<u64, Fault> {
        self.fields.clear();
        self.unquoted.clear();
        let (mut lines, mut at) = (1, 0);
        loop {
            let (start, opened) = (self.unquoted.len(), number + lines - 1);
            let quoted = self.line.get(at) == Some(&b'"');
            at += usize::from(quoted);
            let mut is_open = quoted;
            while is_open {
                let rest = &self.line[at..];
                let closed = memchr::memchr(b'"', rest);
                self.unquoted.extend_from_slice(&rest[..closed.unwrap_or(rest.len())]);
                at += closed.map_or(rest.len(), |length| length + 1);
                if closed.is_none() {
                    if !append_line(reader, &mut self.line, opened).unwrap_or(false) {
                        return Fault::line(opened, "a quotation mark that is never closed");
                    }
                    lines += 1;
                } else if self.line.get(at) == Some(&b'"') {
                    self.unquoted.push(b'"');
                    at += 1;
                } else {
                    is_open = false;
                }
            }
            let end = without_end(&self.line).len();
            let rest = &self.line[at.min(end)..end];
            let length = memchr::memchr(separator, rest).unwrap_or(rest.len());
            if quoted && length > 0 {
                return Fault::line(number + lines - 1, "text after the closing quotation mark of a field");
            }
            self.unquoted.extend_from_slice(&rest[..length]);
            self.fields.push(start..self.unquoted.len());
            if length == rest.len() {
                return Ok(lines);
            }
            at += length + 1;
        }
    }
}

fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}
