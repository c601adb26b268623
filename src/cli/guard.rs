//! From where on a claim counts for the clients of a service, and what a guard makes of a text that falls short: flags and settings.

use clap::{Args as Group, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::layers::Layers;
use cited_core::error::{Error, Result};

/// The part of claims that may be unverifiable before a text falls short, unless the user says so.
const MOST_UNVERIFIABLE: f64 = 0.5;

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

/// What counts unless a call says otherwise, as typed.
#[derive(Debug, Clone, Copy, Default, Group)]
#[command(next_help_heading = "Grounding")]
pub struct GuardFlags {
    /// Probability from which on a claim is supported [default: 0.6]
    #[arg(long, value_name = "0..1", hide_short_help = true)]
    pub support_threshold: Option<f64>,
    /// Probability below which a claim is unverifiable [default: 0.3]
    #[arg(long, value_name = "0..1", hide_short_help = true)]
    pub unverifiable_threshold: Option<f64>,
    /// Part of the claims of a text that may be unverifiable before `unverifiable-action` is taken [default: 0.5]
    #[arg(long, value_name = "0..1", hide_short_help = true)]
    pub max_unverifiable_ratio: Option<f64>,
    /// What is done with a text of which a claim is contradicted [default: flag]
    #[arg(long, value_name = "ACTION", value_enum, hide_short_help = true)]
    pub contradiction_action: Option<Action>,
    /// What is done with a text of which too many claims are unverifiable [default: flag]
    #[arg(long, value_name = "ACTION", value_enum, hide_short_help = true)]
    pub unverifiable_action: Option<Action>,
}

/// What counts unless a call says otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GuardSettings {
    /// Probability from which on a claim is supported.
    pub supported: f64,
    /// Probability below which a claim is unverifiable.
    pub weak: f64,
    /// The part of the claims of a text that may be unverifiable.
    pub most_unverifiable: f64,
    /// What is done with a text of which a claim is contradicted.
    pub contradiction: Action,
    /// What is done with a text of which too many claims are unverifiable.
    pub unverifiable: Action,
}

impl GuardSettings {
    pub(super) fn take(layers: &mut Layers, flags: GuardFlags) -> Result<GuardSettings> {
        let standard = cited_judge::Settings::default();
        let mut part = |name, flag: Option<f64>, default: f64| -> Result<f64> {
            let given = layers.number(name, flag, |part| (0.0..=1.0).contains(part), "a number from 0 to 1")?;
            Ok(layers.or_default(given, default, f64::to_string))
        };
        let supported = part("support-threshold", flags.support_threshold, standard.supported)?;
        let weak = part("unverifiable-threshold", flags.unverifiable_threshold, standard.weak.min(supported))?;
        let most_unverifiable = part("max-unverifiable-ratio", flags.max_unverifiable_ratio, MOST_UNVERIFIABLE)?;
        if weak > supported {
            return Err(Error::settings(format!(
                "unverifiable-threshold = `{weak}`: is above support-threshold, {supported}; give one that is not"
            )));
        }
        let contradiction = layers.choice("contradiction-action", flags.contradiction_action, Action::Flag)?;
        let unverifiable = layers.choice("unverifiable-action", flags.unverifiable_action, Action::Flag)?;
        Ok(GuardSettings { supported, weak, most_unverifiable, contradiction, unverifiable })
    }
}
