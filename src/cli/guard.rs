//! From where on a claim counts for the clients of a service.

use clap::Args as Group;

use super::values;

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
}

impl GuardFlags {
    /// Probability below which a claim is unverifiable: never above that from which on it is supported.
    pub fn weak(&self) -> f64 {
        self.unverifiable_threshold.unwrap_or(cited_judge::Settings::default().weak.min(self.support_threshold))
    }
}
