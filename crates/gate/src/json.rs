//! JSON with places and without second chances: duplicate names, unknown escapes and numbers that are none are errors.
//!
//! What a model hands in is read with this, so that a finding can point at the byte it is about and nothing that was
//! written twice is lost. `serde_json` keeps neither places nor the first of two values of one name. `json-syntax` 0.12 keeps both; it reads
//! a text that is in memory as a whole, where a list of records has to be read record by record, and brings 22 crates.

use std::fmt;

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The byte where it shows.
    pub at: usize,
    /// What is wrong, in words.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
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
    let mut reader = Reader::new(text);
    let node = reader.value(0)?;
    reader.end()?;
    Ok(node)
}

/// Reads JSON from left to right.
#[derive(Debug)]
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `text`, behind a byte order mark.
    pub fn new(text: &'a str) -> Self {
        Reader { text, at: if text.starts_with('\u{feff}') { 3 } else { 0 } }
    }

    /// The byte that is read next.
    pub fn at(&self) -> usize {
        self.at
    }

    fn fault<T>(&self, message: impl Into<String>) -> Result<T, Fault> {
        Err(Fault { at: self.at, message: message.into() })
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Takes `byte` if it comes next, white space before it aside.
    pub fn take(&mut self, byte: u8) -> bool {
        self.space();
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    /// Makes sure that nothing is left.
    pub fn end(&mut self) -> Result<(), Fault> {
        self.space();
        if self.at == self.text.len() { Ok(()) } else { self.fault("something follows the end of the value") }
    }

    /// Reads the next value; `depth` is how many arrays and objects it stands in.
    pub fn value(&mut self, depth: usize) -> Result<Node, Fault> {
        if depth > DEEPEST {
            return self.fault(format!("more than {DEEPEST} lists and objects inside each other"));
        }
        self.space();
        let start = self.at;
        let value = match self.peek() {
            None => return self.fault("the text ends where a value should be"),
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Value::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(_) => self.word()?,
        };
        Ok(Node { span: Span::new(start, self.at), value })
    }

    fn word(&mut self) -> Result<Value, Fault> {
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let value = match &rest[..length] {
            "null" => Value::Null,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "" => return self.fault(format!("`{}` where a value should be", rest.chars().next().unwrap_or(' '))),
            word => {
                let word: String = word.chars().take(24).collect();
                return self.fault(format!("`{word}` is no JSON value"));
            }
        };
        self.at += length;
        Ok(value)
    }

    fn number(&mut self) -> Result<Value, Fault> {
        let rest = &self.text[self.at..];
        let length =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))).unwrap_or(rest.len());
        let written = &rest[..length];
        if !is_number(written) {
            let shown: String = written.chars().take(24).collect();
            return self.fault(format!("`{shown}` is no JSON number"));
        }
        self.at += length;
        Ok(Value::Number(written.to_owned()))
    }

    fn string(&mut self) -> Result<String, Fault> {
        let open = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let stop = rest.bytes().position(|b| b == b'"' || b == b'\\' || b < 0x20);
            let Some(stop) = stop else {
                self.at = open;
                return self.fault("a text that is never closed");
            };
            out.push_str(&rest[..stop]);
            self.at += stop;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                _ => return self.fault("a control character inside a text; write it as an escape"),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let letter = self.text.as_bytes().get(self.at + 1).copied();
        let c = match letter {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            _ => return self.fault("an escape that JSON does not have"),
        };
        self.at += 2;
        Ok(c)
    }

    fn unicode(&mut self) -> Result<char, Fault> {
        let unit = |at: usize| {
            let digits = self.text.get(at + 2..at + 6)?;
            let plain = digits.bytes().all(|b| b.is_ascii_hexdigit());
            (self.text[at..].starts_with("\\u") && plain).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
        };
        let (code, length) = match unit(self.at) {
            Some(high @ 0xd800..=0xdbff) => match unit(self.at + 6) {
                Some(low @ 0xdc00..=0xdfff) => (Some(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)), 12),
                _ => (None, 6),
            },
            code => (code, 6),
        };
        match code.and_then(char::from_u32) {
            Some(c) => {
                self.at += length;
                Ok(c)
            }
            None => self.fault("an escape that is no character"),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, Fault> {
        self.at += 1;
        let mut items = Vec::new();
        if self.take(b']') {
            return Ok(Value::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.take(b']') {
                return Ok(Value::List(items));
            }
            if !self.take(b',') {
                return self.fault("a list needs `,` or `]` here");
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, Fault> {
        self.at += 1;
        let mut members: Vec<(Name, Node)> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        if self.take(b'}') {
            return Ok(Value::Object(members));
        }
        loop {
            self.space();
            let start = self.at;
            if self.peek() != Some(b'"') {
                return self.fault("a name in quotation marks should be here");
            }
            let text = self.string()?;
            let name = Name { span: Span::new(start, self.at), text };
            if !seen.insert(name.text.clone()) {
                self.at = start;
                return self.fault(format!("`{}` is named twice", name.text));
            }
            if !self.take(b':') {
                return self.fault("`:` should follow the name");
            }
            members.push((name, self.value(depth + 1)?));
            if self.take(b'}') {
                return Ok(Value::Object(members));
            }
            if !self.take(b',') {
                return self.fault("an object needs `,` or `}` here");
            }
        }
    }
}

/// Whether `text` is a number as JSON writes them.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text.strip_prefix('-').unwrap_or(text);
    let whole = digits(rest);
    if whole == 0 || (whole > 1 && rest.starts_with('0')) {
        return false;
    }
    let mut rest = &rest[whole..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let length = digits(fraction);
        if length == 0 {
            return false;
        }
        rest = &fraction[length..];
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        return !exponent.is_empty() && digits(exponent) == exponent.len();
    }
    rest.is_empty()
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
        check("", 0, "the text ends where a value should be");
        check("{\"a\": 1, \"a\": 2}", 9, "`a` is named twice");
        check("{\"a\": NaN}", 6, "`NaN` is no JSON value");
        check("{\"a\": 01}", 6, "`01` is no JSON number");
        check("{\"a\": 1.}", 6, "`1.` is no JSON number");
        check("{\"a\": -Infinity}", 6, "`-Infinity` is no JSON number");
        check("[1 2]", 3, "a list needs `,` or `]` here");
        check("[1,]", 3, "`]` where a value should be");
        check("{\"a\" 1}", 5, "`:` should follow the name");
        check("{a: 1}", 1, "a name in quotation marks should be here");
        check("\"a", 0, "a text that is never closed");
        check("\"\\x\"", 1, "an escape that JSON does not have");
        check("\"\\ud800\"", 1, "an escape that is no character");
        check("1 2", 2, "something follows the end of the value");
        check(&"[".repeat(100), 65, "more than 64 lists and objects inside each other");
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
