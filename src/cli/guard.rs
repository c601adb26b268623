//! From where on a claim counts for the clients of a service, and what a guard makes of a text that falls short.

use clap::{Args as Group, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::values;

/// What happens to a text that falls short.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema, ValueEnum,
)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Nothing: it does not fall short.
    Pass,
    /// It is shown with a warning.
    #[default]
    Flag,
    /// It is not shown.
    Block,
}

/// What counts unless a call says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Group)]
#[command(next_help_heading = "Grounding")]
pub struct GuardFlags {
    /// Lowest probability at which a claim is supported
    #[arg(long, value_name = "0..1", default_value_t = cited_judge::Settings::default().supported, value_parser = values::part, hide_short_help = true)]
    pub support_threshold: f64,
    /// Probability below which a claim is unverifiable [default: 0.3]
    #[arg(long, value_name = "0..1", value_parser = values::part, hide_short_help = true)]
    pub unverifiable_threshold: Option<f64>,
    /// Share of the claims of a text that may be unverifiable before `unverifiable-action` is taken
    #[arg(long, value_name = "0..1", default_value = "0.5", value_parser = values::part, hide_short_help = true)]
    pub max_unverifiable_ratio: f64,
    /// What to do with a text when one of its claims is contradicted
    #[arg(long, value_name = "ACTION", value_enum, default_value = "flag", hide_short_help = true)]
    pub contradiction_action: Action,
    /// What to do with a text when too many of its claims are unverifiable
    #[arg(long, value_name = "ACTION", value_enum, default_value = "flag", hide_short_help = true)]
    pub unverifiable_action: Action,
}

impl GuardFlags {
    /// Probability below which a claim is unverifiable: never above that from which on it is supported.
    pub fn weak(&self) -> f64 {
        self.unverifiable_threshold.unwrap_or(cited_judge::Settings::default().weak.min(self.support_threshold))
    }
}
