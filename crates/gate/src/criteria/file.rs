//! The shape of a criteria file, JSON or TOML.

use cited_core::address::is_web;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::plugin::Inputs;

/// A criteria file as written, JSON or TOML.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CriteriaFile {
    /// The criteria, in the order in which they are evaluated.
    pub criteria: Vec<CriterionEntry>,
    /// Commands that mend what fails, by role.
    #[serde(default)]
    pub fixers: BTreeMap<String, String>,
    /// The judge of criteria of type `agent`.
    #[serde(default)]
    pub agent: Option<AgentEntry>,
    /// Names of further variables that programs get of the environment.
    #[serde(default)]
    pub environment: Vec<String>,
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

/// A criterion as written.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CriterionEntry {
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
    #[serde(default)]
    pub fix_role: Option<String>,
    /// Attempts after the first.
    #[serde(default)]
    pub max_retries: Option<u32>,
    /// How long it may take, in seconds.
    #[serde(default)]
    pub timeout: Option<f64>,
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
