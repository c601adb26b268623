//! A criteria file, read strictly.

use std::collections::HashSet;

use strum::VariantNames as _;

use super::file::{Criteria, Criterion, Kind, OnFail};
use super::{graph, plugin};
use crate::json::Node;
use cited_core::shape;

/// The longest time that is not a slip of the hand, in seconds.
const LONGEST: f64 = 86_400.0;

/// What is looked at in process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum Look {
    /// `file_exists:P`
    FileExists,
    /// `file_not_empty:P`
    FileNotEmpty,
    /// `regex:PATTERN:P`
    Regex,
    /// `json_valid:P`
    JsonValid,
    /// `exit_zero:CMD`
    ExitZero,
    /// `no_orphans:P`: every citation of a document has an entry, every entry a citation.
    NoOrphans,
    /// `sources_live:P`: every cited source of a document is there.
    SourcesLive,
    /// `supported:P`: every claim of a document that must have a source is supported by one.
    Supported,
}

/// What is looked at, and in what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assertion {
    /// What is looked at.
    pub look: Look,
    /// What a file must have in it; empty for others than `regex`.
    pub pattern: String,
    /// The file, or the command.
    pub of: String,
}

impl Assertion {
    /// Reads an assertion.
    ///
    /// # Errors
    /// When it is none.
    ///
    /// ```
    /// use cited_gate::criteria::Assertion;
    /// let read = Assertion::read("regex:^a:b$:out/x.md").unwrap();
    /// assert_eq!((read.pattern.as_str(), read.of.as_str()), ("^a:b$", "out/x.md"));
    /// ```
    pub fn read(check: &str) -> Result<Assertion, String> {
        let known = Look::VARIANTS.join(", ");
        let (name, rest) = check
            .split_once(':')
            .ok_or_else(|| format!("`{check}` is no assertion; they are {known}, each with `:` and what it is of"))?;
        if rest.trim().is_empty() {
            return Err(format!("`{name}` needs something after the colon"));
        }
        let look = name.parse().map_err(|_| format!("`{name}` is no assertion; they are {known}"))?;
        let (pattern, of) = if look == Look::Regex { rest.rsplit_once(':').unwrap_or_default() } else { ("", rest) };
        if look == Look::Regex && (pattern.is_empty() || of.is_empty()) {
            return Err("`regex` needs a pattern and a path, as in `regex:PATTERN:PATH`".to_owned());
        }
        regex::Regex::new(pattern).map_err(|error| format!("`{pattern}` is no pattern: {error}"))?;
        Ok(Assertion { look, pattern: pattern.to_owned(), of: of.to_owned() })
    }
}

/// Reads a criteria file; with `toml`, as TOML. JSON may also have the shape of a [`graph`].
///
/// # Errors
/// When it is not in the schema, names a criterion twice, or something in it cannot be.
pub fn read(text: &str, toml: bool) -> Result<Criteria, String> {
    let value: serde_json::Value = if toml {
        toml::from_str(text).map_err(|error| error.to_string())?
    } else {
        let value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        // Twice the same name is an error here and is none for serde's maps.
        Node::read(text).and_then(Node::vet_names).map_err(|fault| fault.to_string())?;
        value
    };
    let mut read = if !toml && graph::is_graph(&value) {
        graph::gather(&value)?
    } else if value.is_array() {
        graph::gather(&serde_json::json!({ graph::LISTS: value }))?
    } else {
        shape::read::<Criteria>(&value)?
    };
    let mut names = HashSet::new();
    for criterion in &mut read.criteria {
        let name = &criterion.name;
        let wrong = |why: String| format!("criterion `{name}`: {why}");
        if name.trim().is_empty() || name.chars().any(cited_text::escape::is_unsafe) {
            return Err("a criterion needs a name".to_owned());
        }
        if !names.insert(name) {
            return Err(wrong("two criteria have this name".to_owned()));
        }
        vet(criterion).map_err(wrong)?;
        let role = criterion.role();
        if criterion.on_fail == OnFail::Fix && !read.fixers.contains_key(role) {
            let why = format!("no fixer has the role `{role}`, so nothing mends it; add one to `fixers`");
            read.notes.push(wrong(why));
            criterion.max_retries = Some(0);
        }
    }
    Ok(read)
}

/// Makes sure that a criterion can be evaluated.
fn vet(criterion: &Criterion) -> Result<(), String> {
    let check = &criterion.check;
    if check.trim().is_empty() {
        return Err("`check` is empty".to_owned());
    }
    if !criterion.inputs.is_empty() && criterion.kind != Kind::Script {
        return Err("only a script takes `inputs`".to_owned());
    }
    if criterion.timeout.is_some_and(|seconds| !(seconds > 0.0 && seconds <= LONGEST)) {
        return Err("`timeout` must be more than 0 seconds and at most a day".to_owned());
    }
    match criterion.kind {
        Kind::Script if !plugin::is_name(check) => Err(format!("`{check}` is no name of a plugin")),
        Kind::Assertion => Assertion::read(check).map(drop),
        _ => Ok(()),
    }
}
