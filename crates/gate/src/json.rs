//! JSON with places and without second chances: duplicate names, unknown escapes and numbers that are none are errors.
//!
//! What a model hands in is read with this, so that a finding can point at the byte it is about and nothing that was
//! written twice is lost. `serde_json` says whether a text is JSON, and keeps neither places nor the first of two values of one name: what it
//! takes is walked over once more for these, a list of records record by record.

use std::collections::HashSet;

use serde::de::IgnoredAny;

use cited_text::Span;

/// Arrays and objects inside each other, at most: deeper is no ledger, and would cost stack.
const DEEPEST: usize = 64;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Its bytes.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as written.
    Number(String),
    /// A text, escapes resolved.
    Text(String),
    /// An array.
    List(Vec<Node>),
    /// An object: names with their places, and values, in the order in which they are written.
    Object(Vec<(Name, Node)>),
}

/// The name of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// Its bytes, quotation marks included.
    pub span: Span,
    /// The name.
    pub text: String,
}

/// Why a text is not JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// The byte where it shows.
    pub at: usize,
    /// What is wrong, in words.
    pub message: String,
}

impl Fault {
    /// What `serde_json` has against what stands from `start` on.
    fn of(error: &serde_json::Error, text: &str, start: usize) -> Fault {
        let read = &text[start..];
        let ends = memchr::memchr_iter(b'\n', read.as_bytes()).map(|end| end + 1);
        let line = std::iter::once(0).chain(ends).nth(error.line().saturating_sub(1)).unwrap_or(0);
        let at = text.floor_char_boundary(start + (line + error.column().saturating_sub(1)).min(read.len()));
        let message = error.to_string();
        let words = message.rsplit_once(" at line ").map_or(message.as_str(), |(words, _)| words);
        Fault { at, message: words.to_owned() }
    }
}

impl Node {
    /// What kind of value it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Object(_) => "an object",
        }
    }
}

/// Reads a whole text as one value.
///
/// # Errors
/// When it is not JSON (RFC 8259), names a member twice, or is nested too deeply.
pub fn read(text: &str) -> Result<Node, Fault> {
    Reader::new(text)?.value(0)
}

/// Walks over a text that is JSON from left to right.
#[derive(Debug)]
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `text`, behind a byte order mark.
    ///
    /// # Errors
    /// When the text is not JSON.
    pub fn new(text: &'a str) -> Result<Self, Fault> {
        let at = if text.starts_with('\u{feff}') { 3 } else { 0 };
        match serde_json::from_str::<IgnoredAny>(&text[at..]) {
            Ok(_) => Ok(Reader { text, at }),
            Err(error) => Err(Fault::of(&error, text, at)),
        }
    }

    fn space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    /// Takes a byte behind white space, when it is there.
    pub fn take(&mut self, byte: u8) -> bool {
        self.space();
        let there = self.text.as_bytes().get(self.at) == Some(&byte);
        self.at += usize::from(there);
        there
    }

    /// The value that comes next, inside so many lists and objects.
    ///
    /// # Errors
    /// When it names a member twice, is nested too deeply, or has an escape that is no character.
    pub fn value(&mut self, depth: usize) -> Result<Node, Fault> {
        self.space();
        let start = self.at;
        if depth > DEEPEST {
            let message = format!("more than {DEEPEST} lists and objects inside each other");
            return Err(Fault { at: start, message });
        }
        let value = if self.take(b'{') {
            Value::Object(self.members(depth)?)
        } else if self.take(b'[') {
            let mut items = Vec::new();
            while !self.take(b']') {
                self.take(b',');
                items.push(self.value(depth + 1)?);
            }
            Value::List(items)
        } else if self.text[start..].starts_with('"') {
            Value::Text(self.string()?)
        } else {
            let rest = &self.text[start..];
            let end = rest.find([',', ']', '}', ' ', '\t', '\n', '\r']).unwrap_or(rest.len());
            self.at += end;
            match &rest[..end] {
                "null" => Value::Null,
                word @ ("true" | "false") => Value::Bool(word == "true"),
                number => Value::Number(number.to_owned()),
            }
        };
        Ok(Node { span: Span::new(start, self.at), value })
    }

    fn members(&mut self, depth: usize) -> Result<Vec<(Name, Node)>, Fault> {
        let mut members: Vec<(Name, Node)> = Vec::new();
        let mut seen = HashSet::new();
        while !self.take(b'}') {
            self.take(b',');
            self.space();
            let start = self.at;
            let name = Name { text: self.string()?, span: Span::new(start, self.at) };
            if !seen.insert(name.text.clone()) {
                return Err(Fault { at: start, message: format!("`{}` is named twice", name.text) });
            }
            self.take(b':');
            members.push((name, self.value(depth + 1)?));
        }
        Ok(members)
    }

    fn string(&mut self) -> Result<String, Fault> {
        let start = self.at;
        let mut escaped = false;
        let closes = |byte: u8| {
            let closes = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            closes
        };
        let end = self.text.bytes().skip(start + 1).position(closes);
        self.at = end.map_or(self.text.len(), |end| start + end + 2);
        let written = &self.text[start..self.at];
        serde_json::from_str(written).map_err(|error| Fault::of(&error, self.text, start))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, at: usize, message: &str) {
        let fault = read(text).expect_err("it is no JSON");
        assert_eq!((fault.at, fault.message.as_str()), (at, message), "{text}");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        check("", 0, "EOF while parsing a value");
        check("{\"a\": 1, \"a\": 2}", 9, "`a` is named twice");
        check("{\"a\": NaN}", 6, "expected value");
        check("{\"a\": 01}", 7, "invalid number");
        check("{\"a\": 1.}", 8, "invalid number");
        check("{\"a\": -Infinity}", 7, "invalid number");
        check("[1 2]", 3, "expected `,` or `]`");
        check("[1,]", 3, "expected value");
        check("[1,\n2,\n}", 7, "expected value");
        check("{\"a\" 1}", 5, "expected `:`");
        check("{a: 1}", 1, "key must be a string");
        check("\"a", 1, "EOF while parsing a string");
        check("\"\\x\"", 2, "invalid escape");
        check("\"\\ud800\"", 7, "unexpected end of hex escape");
        check("\u{feff}1 2", 5, "trailing characters");
        let deep = "[".repeat(100) + &"]".repeat(100);
        check(&deep, 65, "more than 64 lists and objects inside each other");
    }

    proptest! {
        #[test]
        fn what_serde_writes_is_read_and_what_it_refuses_is_refused(text in "[\\[\\]{}\",:0-9a-z\\\\ .eE+-]{0,40}") {
            let ours = read(&text);
            let theirs = serde_json::from_str::<serde_json::Value>(&text);
            // A name twice and numbers beyond f64 are where the two differ.
            let twice = ours.as_ref().is_err_and(|fault| fault.message.ends_with("named twice"));
            let beyond = theirs.as_ref().is_err_and(|error| error.to_string().contains("out of range"));
            prop_assert!(twice || beyond || ours.is_ok() == theirs.is_ok(), "{text}: {ours:?} {theirs:?}");
        }

        #[test]
        fn any_text_comes_back(text in "\\PC{0,20}") {
            let written = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(read(&written).unwrap().value, Value::Text(text));
        }
    }
}
