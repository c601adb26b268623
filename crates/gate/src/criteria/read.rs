//! A criteria file, read strictly.

use std::collections::BTreeMap;
use std::time::Duration;

use strum::VariantNames as _;

pub use super::file::{AgentEntry, CriteriaFile, CriterionEntry, Kind, OnFail};
use super::graph;
use super::plugin::{self, Inputs};
use crate::json::Node;
use cited_core::shape;

/// How long a criterion may take when it does not say.
pub const TIMEOUT: Duration = Duration::from_secs(30);
/// The longest time that is not a slip of the hand, in seconds.
const LONGEST: f64 = 86_400.0;
/// The role of a fixer when a criterion does not say.
const ROLE: &str = "debugger";
/// Attempts after the first when a criterion does not say.
const RETRIES: u32 = 1;

/// Criteria, understood.
#[derive(Debug, Clone, Default)]
pub struct Criteria {
    /// The criteria.
    pub list: Vec<Criterion>,
    /// Commands that mend, by role.
    pub fixers: BTreeMap<String, String>,
    /// The judge.
    pub agent: Option<AgentEntry>,
    /// Names of variables that programs get.
    pub environment: Vec<String>,
    /// What is missing, in words: a criterion that needs it does not pass.
    pub notes: Vec<String>,
}

/// One criterion, understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Criterion {
    /// Its name.
    pub name: String,
    /// What is checked.
    pub check: Check,
    /// What happens when it does not pass.
    pub on_fail: OnFail,
    /// The role of its fixer.
    pub fix_role: String,
    /// Attempts in one round.
    pub attempts: u32,
    /// Rounds of rework that it is worth; `None` for as many as there are.
    pub rounds: Option<u32>,
    /// How long it may take.
    pub timeout: Duration,
}

/// What a criterion checks.
#[derive(Debug, Clone, PartialEq)]
pub enum Check {
    /// That a line of a shell exits with 0.
    Command(String),
    /// That a plugin with these inputs exits with 0.
    Script(String, Inputs),
    /// That something holds here.
    Assertion(Assertion),
    /// That a judge says so.
    Agent(String),
    /// That a ledger is accepted.
    Ledger,
    /// That a claim of a manifest stands: its place in the manifest.
    ManifestClaim(usize),
}

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

impl Criterion {
    /// A criterion that goes on when it fails, and is not mended: one claim of many.
    pub fn new(name: impl Into<String>, check: Check, on_fail: OnFail) -> Self {
        Criterion {
            name: name.into(),
            check,
            on_fail,
            fix_role: ROLE.to_owned(),
            attempts: 1,
            rounds: None,
            timeout: TIMEOUT,
        }
    }
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
    let file = if !toml && graph::is_graph(&value) {
        graph::gather(&value)?
    } else if value.is_array() {
        graph::gather(&serde_json::json!({ graph::LISTS: value }))?
    } else {
        shape::read::<CriteriaFile>(&value)?
    };
    let mut criteria =
        Criteria { fixers: file.fixers, agent: file.agent, environment: file.environment, ..Criteria::default() };
    for entry in file.criteria {
        let name = entry.name.clone();
        let wrong = |why: String| format!("criterion `{name}`: {why}");
        if name.trim().is_empty() || name.chars().any(cited_text::escape::is_unsafe) {
            return Err("a criterion needs a name".to_owned());
        }
        if criteria.list.iter().any(|other| other.name == name) {
            return Err(wrong("two criteria have this name".to_owned()));
        }
        let mut criterion = understand(entry).map_err(wrong)?;
        if criterion.on_fail == OnFail::Fix && !criteria.fixers.contains_key(&criterion.fix_role) {
            let role = &criterion.fix_role;
            criteria
                .notes
                .push(wrong(format!("no fixer has the role `{role}`, so nothing mends it; add one to `fixers`")));
            criterion.rounds = Some(0);
        }
        criteria.list.push(criterion);
    }
    Ok(criteria)
}

fn understand(entry: CriterionEntry) -> Result<Criterion, String> {
    if entry.check.trim().is_empty() {
        return Err("`check` is empty".to_owned());
    }
    if !entry.inputs.is_empty() && entry.kind != Kind::Script {
        return Err("only a script takes `inputs`".to_owned());
    }
    let seconds = entry.timeout.unwrap_or(TIMEOUT.as_secs_f64());
    if !(seconds > 0.0 && seconds <= LONGEST) {
        return Err("`timeout` must be more than 0 seconds and at most a day".to_owned());
    }
    let retries = entry.max_retries.unwrap_or(RETRIES);
    let check = match entry.kind {
        Kind::Command => Check::Command(entry.check),
        Kind::Script if plugin::is_name(&entry.check) => Check::Script(entry.check, entry.inputs),
        Kind::Script => return Err(format!("`{}` is no name of a plugin", entry.check)),
        Kind::Assertion => Check::Assertion(Assertion::read(&entry.check)?),
        Kind::Agent => Check::Agent(entry.check),
    };
    Ok(Criterion {
        name: entry.name,
        check,
        on_fail: entry.on_fail,
        fix_role: entry.fix_role.unwrap_or_else(|| ROLE.to_owned()),
        attempts: if entry.on_fail == OnFail::Retry { retries.saturating_add(1) } else { 1 },
        rounds: entry.max_retries,
        timeout: Duration::from_secs_f64(seconds),
    })
}
