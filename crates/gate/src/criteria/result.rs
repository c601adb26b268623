//! What became of a criterion.

use serde::{Deserialize, Serialize};

/// What became of a criterion. Only `passed` passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[derive(Default, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Status {
    /// It was evaluated and holds.
    Passed,
    /// It was evaluated and does not hold.
    Failed,
    /// It was not evaluated.
    #[default]
    Skipped,
    /// It could not be evaluated.
    Error,
}

impl Status {
    /// The status as users see it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The result of one evaluation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CriterionResult {
    /// The criterion.
    pub name: String,
    /// What became of it.
    pub status: Status,
    /// What was seen, in words: output, reasons.
    pub evidence: String,
    /// The exit status of its program, when it has one that ended by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// Which attempt of the round it is, from 1; 0 when it was skipped.
    pub attempt: u32,
    /// What a judge found, with a confidence over 80.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Remark>,
    /// What a judge asks, with a confidence from 50 to 80.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Remark>,
}

impl CriterionResult {
    /// A result without program and judge.
    pub fn new(name: impl Into<String>, status: Status, evidence: impl Into<String>) -> Self {
        let (name, evidence) = (name.into(), evidence.into());
        CriterionResult { name, status, evidence, ..CriterionResult::default() }
    }
}

/// How a fixer ended. A fixer proves nothing: what it mended is evaluated again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FixResult {
    /// Its role.
    pub role: String,
    /// Whether its program exited with 0.
    pub finished: bool,
    /// What it wrote.
    pub evidence: String,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
}

/// Something that a judge noticed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Remark {
    /// What.
    pub message: String,
    /// How sure the judge is, in percent: a whole number from 0 to 100.
    #[schemars(range(min = 0, max = 100))]
    pub confidence: u8,
}
