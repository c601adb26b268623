//! A criteria file, read strictly; or criteria as a graph of work has them: an object with `project`, and lists called
//! `acceptanceCriteria` at any depth of it. Every list counts, wherever it stands: a criterion that is left out would be one that passes.

use std::collections::HashSet;

use regex::bytes::Regex;
use serde_json::Value;
use strum::VariantNames as _;

use super::file::{Criteria, Criterion, Kind, OnFail};
use super::plugin;
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
#[derive(Debug, Clone)]
pub struct Assertion {
    /// What is looked at.
    pub look: Look,
    /// What a file must have in it; empty for others than `regex`.
    pub pattern: Regex,
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
        let pattern = Regex::new(pattern).map_err(|error| format!("`{pattern}` is no pattern: {error}"))?;
        Ok(Assertion { look, pattern, of: of.to_owned() })
    }
}

/// Reads a criteria file; with `toml`, as TOML. JSON may also have the shape of a graph, see [`gather`].
///
/// # Errors
/// When it is not in the schema, names a criterion twice, or something in it cannot be.
pub fn read(text: &str, toml: bool) -> Result<Criteria, String> {
    let value: Value = if toml {
        toml::from_str(text).map_err(|error| error.to_string())?
    } else {
        let value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        // Twice the same name is an error here and is none for serde's maps.
        Node::read(text).and_then(Node::vet_names).map_err(|fault| fault.to_string())?;
        value
    };
    let mut read = if !toml && is_graph(&value) {
        gather(&value)?
    } else if value.is_array() {
        gather(&serde_json::json!({ LISTS: value }))?
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
        Kind::Script if !plugin::NAME.is_match(check) => Err(format!("`{check}` is no name of a plugin")),
        Kind::Assertion => Assertion::read(check).map(drop),
        _ => Ok(()),
    }
}

/// The lists of criteria.
const LISTS: &str = "acceptanceCriteria";
/// Members that say what a part of a graph is called, the first that is there.
const NAMES: [&str; 3] = ["id", "name", "title"];

/// Whether a criteria file has this shape.
fn is_graph(file: &Value) -> bool {
    let Value::Object(members) = file else { return false };
    !members.contains_key("criteria") && (members.contains_key("project") || members.contains_key(LISTS))
}

/// The criteria of a graph, in the order in which they stand there. A criterion of a part of it is called `PART: NAME`.
///
/// # Errors
/// In words, when there is no list, or something in one is no criterion.
///
/// ```
/// use cited_gate::criteria::read::gather;
/// let graph = serde_json::json!({"project": "seas", "nodes": [{"id": "draft", "acceptanceCriteria": [
///     {"name": "there", "type": "assertion", "check": "file_exists:draft.md"}]}]});
/// assert_eq!(gather(&graph).unwrap().criteria[0].name, "draft: there");
/// ```
pub fn gather(graph: &Value) -> Result<Criteria, String> {
    let own = ["fixers", "agent", "environment"].into_iter().filter_map(|name| Some((name, graph.get(name)?.clone())));
    let own = own.chain([("criteria", Value::Array(Vec::new()))]).map(|(name, value)| (name.to_owned(), value));
    let mut file: Criteria = shape::read(&Value::Object(own.collect()))?;
    let mut lists = 0;
    walk(graph, None, &mut file.criteria, &mut lists)?;
    if lists == 0 {
        return Err(format!("the graph has no list `{LISTS}`: nothing says what its work must pass"));
    }
    Ok(file)
}

/// Reads the lists in a value, which is of this part of the graph unless it is one that has a name of its own.
fn walk(value: &Value, part: Option<&str>, found: &mut Vec<Criterion>, lists: &mut usize) -> Result<(), String> {
    let named = |value: &'_ Value| NAMES.iter().find_map(|name| Some(value.get(*name)?.as_str()?.to_owned()));
    match value {
        Value::Array(all) => all.iter().try_for_each(|one| walk(one, named(one).as_deref().or(part), found, lists)),
        Value::Object(members) => members.iter().try_for_each(|(name, value)| match name.as_str() {
            LISTS => {
                *lists += 1;
                read_list(value, part, found)
            }
            // The criteria of the project itself need no other name.
            "project" => walk(value, part, found, lists),
            _ => walk(value, named(value).as_deref().or(part), found, lists),
        }),
        _ => Ok(()),
    }
}

fn read_list(list: &Value, part: Option<&str>, found: &mut Vec<Criterion>) -> Result<(), String> {
    let of = part.map(|part| format!(" of `{part}`")).unwrap_or_default();
    let Value::Array(list) = list else { return Err(format!("`{LISTS}`{of} must be a list")) };
    for (i, entry) in list.iter().enumerate() {
        let wrong = |why: String| format!("`{LISTS}[{i}]`{of}: {why}");
        let Value::Object(members) = entry else {
            return Err(wrong("a criterion is an object with `name`, `type` and `check`".to_owned()));
        };
        let mut members = members.clone();
        // What a graph says of each of its things, for people.
        members.remove("description");
        if let Some(id) = members.remove("id") {
            members.entry("name").or_insert(id);
        }
        let mut entry: Criterion = shape::read(&Value::Object(members)).map_err(wrong)?;
        if let Some(part) = part {
            entry.name = format!("{part}: {}", entry.name);
        }
        found.push(entry);
    }
    Ok(())
}

#[cfg(test)]
mod graph_tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(graph: &Value, expected: Result<&[&str], &str>) {
        assert!(is_graph(graph));
        let names = gather(graph).map(|file| file.criteria.into_iter().map(|entry| entry.name).collect::<Vec<_>>());
        match (names, expected) {
            (Ok(names), Ok(expected)) => assert_eq!(names, expected),
            (Err(why), Err(expected)) => assert!(why.contains(expected), "{why}"),
            (found, expected) => panic!("{found:?} and not {expected:?}"),
        }
    }

    #[test]
    fn every_list_of_a_graph_counts() {
        let criterion = |name: &str| json!({"name": name, "type": "command", "check": "true"});
        check(&json!({"project": "p", "acceptanceCriteria": [criterion("a"), criterion("b")]}), Ok(&["a", "b"]));
        check(&json!({"project": {"name": "p", "acceptanceCriteria": [criterion("a")]}}), Ok(&["a"]));
        check(
            &json!({"project": "p", "acceptanceCriteria": [criterion("a")], "tasks": [
                {"id": "t1", "acceptanceCriteria": [criterion("a")]},
                {"name": "t2", "parts": [{"acceptanceCriteria": [{"id": "c", "description": "for people", "type": "command", "check": "true"}]}]}]}),
            Ok(&["a", "t1: a", "t2: c"]),
        );
        check(&json!({"project": "p", "acceptanceCriteria": []}), Ok(&[]));
    }

    #[test]
    fn what_is_no_criterion_is_told_with_its_place() {
        check(&json!({"project": "p"}), Err("the graph has no list `acceptanceCriteria`"));
        check(&json!({"project": "p", "acceptanceCriteria": {}}), Err("`acceptanceCriteria` must be a list"));
        check(
            &json!({"project": "p", "nodes": [{"id": "n", "acceptanceCriteria": ["it works"]}]}),
            Err("`acceptanceCriteria[0]` of `n`: a criterion is an object with `name`, `type` and `check`"),
        );
        check(
            &json!({"acceptanceCriteria": [{"name": "a", "type": "wish", "check": "x"}]}),
            Err("`acceptanceCriteria[0]`: `type`: is \"wish\" and should be one of command, script, assertion, agent"),
        );
        check(
            &json!({"acceptanceCriteria": [{"name": "a", "type": "command", "check": "x", "onfail": "fix"}]}),
            Err("unknown field `onfail`"),
        );
    }

    #[test]
    fn a_criteria_file_is_no_graph() {
        assert!(!is_graph(&json!({"criteria": [], "project": "p"})));
        assert!(!is_graph(&json!([])));
    }
}
