//! JSON with places and without second chances: duplicate names are errors.
//!
//! What a model hands in is read with this, so that a finding can point at the byte it is about and nothing that was
//! written twice is lost. `serde_json` reads it; a value that it leaves as it is written says where it stands.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use cited_text::Span;

/// A value as it is written, and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node<'a> {
    /// Where it begins in the whole text.
    pub at: usize,
    /// What is written.
    pub written: &'a str,
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

impl<'a> Node<'a> {
    /// The value that a whole text is, behind a byte order mark.
    ///
    /// # Errors
    /// When the text is not JSON (RFC 8259).
    pub fn read(text: &'a str) -> Result<Self, Fault> {
        let at = if text.starts_with('\u{feff}') { 3 } else { 0 };
        let whole = Node { at, written: &text[at..] };
        Ok(whole.below(whole.value()?))
    }

    /// Its bytes.
    pub fn span(self) -> Span {
        Span::new(self.at, self.at + self.written.len())
    }

    /// What kind of value it is, for messages.
    pub fn kind(self) -> &'static str {
        match self.written.as_bytes() {
            [b'n', ..] => "null",
            [b't' | b'f', ..] => "true or false",
            [b'"', ..] => "a text",
            [b'[', ..] => "a list",
            [b'{', ..] => "an object",
            _ => "a number",
        }
    }

    /// Reads it as this type.
    ///
    /// # Errors
    /// When it is none.
    pub fn value<T: Deserialize<'a>>(self) -> Result<T, Fault> {
        serde_json::from_str(self.written).map_err(|error| self.fault(&error))
    }

    /// What `serde_json` has against it.
    fn fault(self, error: &serde_json::Error) -> Fault {
        let ends = memchr::memchr_iter(b'\n', self.written.as_bytes()).map(|end| end + 1);
        let line = std::iter::once(0).chain(ends).nth(error.line().saturating_sub(1)).unwrap_or(0);
        let within = (line + error.column().saturating_sub(1)).min(self.written.len());
        let message = error.to_string();
        let words = message.rsplit_once(" at line ").map_or(message.as_str(), |(words, _)| words);
        Fault { at: self.at + self.written.floor_char_boundary(within), message: words.to_owned() }
    }

    /// The values of a list.
    ///
    /// # Errors
    /// When it is none.
    pub fn items(self) -> Result<Vec<Node<'a>>, Fault> {
        self.vet_kind("a list")?;
        Ok(self.value::<Vec<&RawValue>>()?.into_iter().map(|item| self.below(item)).collect())
    }

    /// The members of an object, in the order in which they are written.
    ///
    /// # Errors
    /// When it is none, or names a member twice.
    pub fn members(self) -> Result<Vec<(String, Node<'a>)>, Fault> {
        self.vet_kind("an object")?;
        let read = serde_json::Deserializer::from_str(self.written).deserialize_map(Each);
        let members = read.map_err(|error| self.fault(&error))?;
        let mut seen = HashSet::new();
        if let Some((name, value)) = members.iter().find(|(name, _)| !seen.insert(name)) {
            return Err(Fault { at: self.below(value).at, message: format!("`{name}` is named twice") });
        }
        Ok(members.into_iter().map(|(name, value)| (name, self.below(value))).collect())
    }

    /// Makes sure that no object in it names a member twice, however deep it lies.
    ///
    /// # Errors
    /// With the name.
    pub fn vet_names(self) -> Result<(), Fault> {
        match self.written.as_bytes() {
            [b'{', ..] => self.members()?.into_iter().try_for_each(|(_, value)| value.vet_names()),
            [b'[', ..] => self.items()?.into_iter().try_for_each(Node::vet_names),
            _ => Ok(()),
        }
    }

    fn vet_kind(self, kind: &str) -> Result<(), Fault> {
        if self.kind() == kind {
            return Ok(());
        }
        Err(Fault { at: self.at, message: format!("{} where {kind} should be", self.kind()) })
    }

    /// A part of it that was left as it is written.
    fn below(self, part: &'a RawValue) -> Node<'a> {
        let within = part.get().as_ptr() as usize - self.written.as_ptr() as usize;
        Node { at: self.at + within, written: part.get() }
    }
}

/// The members of an object, as they come.
struct Each;

impl<'de> Visitor<'de> for Each {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, words: &mut fmt::Formatter<'_>) -> fmt::Result {
        words.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, at: usize, message: &str) {
        let fault = Node::read(text).and_then(Node::vet_names).expect_err("it is no JSON");
        assert_eq!((fault.at, fault.message.as_str()), (at, message), "{text}");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        check("", 0, "EOF while parsing a value");
        check("{\"a\": 1, \"a\": 2}", 14, "`a` is named twice");
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
        check("\u{feff}1 2", 5, "trailing characters");
        let text = "\n{\"a\": [1, {\"b\": \"\\ud800\"}]}";
        let a = Node::read(text).unwrap().members().unwrap()[0].1;
        let b = a.items().unwrap()[1].members().unwrap()[0].1;
        assert_eq!((a.kind(), b.span().slice(text)), ("a list", "\"\\ud800\""));
        let fault = b.value::<String>().unwrap_err();
        assert_eq!((fault.at, fault.message.as_str()), (24, "unexpected end of hex escape"));
    }

    proptest! {
        #[test]
        fn what_serde_writes_is_read_and_what_it_refuses_is_refused(text in "[\\[\\]{}\",:0-9a-z\\\\ .eE+-]{0,40}") {
            let ours = Node::read(&text).and_then(Node::vet_names);
            let theirs = serde_json::from_str::<serde_json::Value>(&text);
            // A name twice and numbers beyond f64 are where the two differ.
            let twice = ours.as_ref().is_err_and(|fault| fault.message.ends_with("named twice"));
            let beyond = theirs.as_ref().is_err_and(|error| error.to_string().contains("out of range"));
            prop_assert!(twice || beyond || ours.is_ok() == theirs.is_ok(), "{text}: {ours:?} {theirs:?}");
        }

        #[test]
        fn any_text_comes_back(text in "\\PC{0,20}") {
            let written = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(Node::read(&written).unwrap().value::<String>(), Ok(text));
        }
    }
}
