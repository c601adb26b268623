//! The shape of a criteria file, JSON or TOML.

use cited_core::address::is_web;
use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::plugin::Inputs;

/// A criteria file as written, JSON or TOML.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CriteriaFile")]
pub struct Criteria {
    /// The criteria, in the order in which they are evaluated.
    pub criteria: Vec<Criterion>,
    /// Commands that mend what fails, by role.
    #[serde(default)]
    pub fixers: BTreeMap<String, String>,
    /// The judge of criteria of type `agent`.
    pub agent: Option<AgentEntry>,
    /// Names of further variables that programs get of the environment.
    #[serde(default)]
    pub environment: Vec<String>,
    /// What is missing, in words: a criterion that needs it does not pass.
    #[serde(skip)]
    pub notes: Vec<String>,
}

/// A judge as written: a command, or an endpoint that takes the question as JSON and answers with JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum AgentEntry {
    /// A line of a POSIX shell, the question on its standard input.
    Command(String),
    /// An http or https address, the question as the body of a POST.
    Endpoint(String),
}

impl AgentEntry {
    /// The judge that a flag or a setting names: an address when it begins like one, else a command.
    pub fn from_name(name: &str) -> Self {
        if is_web(name) { AgentEntry::Endpoint(name.to_owned()) } else { AgentEntry::Command(name.to_owned()) }
    }
}

/// How long a criterion may take when it does not say.
pub const TIMEOUT: Duration = Duration::from_secs(30);
/// The role of a fixer when a criterion does not say.
const ROLE: &str = "debugger";
/// Attempts after the first when a criterion does not say.
const RETRIES: u32 = 1;

/// A criterion as written.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CriterionEntry")]
pub struct Criterion {
    /// Its name.
    pub name: String,
    /// `command`, `script`, `assertion` or `agent`.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// The command, the name of the plugin, the assertion, the question.
    pub check: String,
    /// What a plugin is given.
    #[serde(default)]
    pub inputs: Inputs,
    /// What happens when it does not pass.
    #[serde(default)]
    pub on_fail: OnFail,
    /// The role of the fixer.
    pub fix_role: Option<String>,
    /// Attempts after the first, and rounds of rework that it is worth.
    pub max_retries: Option<u32>,
    /// How long it may take, in seconds.
    pub timeout: Option<f64>,
}

impl Criterion {
    /// A criterion of the gate's own, which is tried once.
    pub fn new(name: impl Into<String>, kind: Kind, on_fail: OnFail) -> Self {
        let (name, check, inputs) = (name.into(), String::new(), Inputs::new());
        Criterion { name, kind, check, inputs, on_fail, fix_role: None, max_retries: Some(0), timeout: None }
    }

    /// The role of its fixer.
    pub fn role(&self) -> &str {
        self.fix_role.as_deref().unwrap_or(ROLE)
    }

    /// How often it is evaluated in one round, at most.
    pub fn attempts(&self) -> u32 {
        if self.on_fail == OnFail::Retry { self.max_retries.unwrap_or(RETRIES).saturating_add(1) } else { 1 }
    }

    /// How long it may take.
    pub fn time(&self) -> Duration {
        self.timeout.map_or(TIMEOUT, Duration::from_secs_f64)
    }
}

/// The types of criteria.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A line of a shell.
    Command,
    /// A plugin.
    Script,
    /// Something that is looked at here.
    Assertion,
    /// A judge.
    Agent,
    /// The gate's own: that a ledger is accepted.
    #[serde(skip)]
    Ledger,
    /// The gate's own: that every claim of a manifest stands.
    #[serde(skip)]
    Manifest,
}

/// What happens when a criterion does not pass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnFail {
    /// Evaluation stops at once.
    #[default]
    Fail,
    /// It is tried again, up to `maxRetries + 1` attempts.
    Retry,
    /// A fixer runs, and everything is evaluated again.
    Fix,
}
