//! That somebody knows of a broken source, and until when that counts.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Somebody knows, and says until when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Acknowledgement {
    /// Who.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub who: String,
    /// Why.
    pub reason: String,
    /// The moment from which it counts no more.
    pub until: Timestamp,
}

impl Acknowledgement {
    /// The last day (UTC) on which it counts.
    pub fn last_day(&self) -> jiff::civil::Date {
        (self.until - jiff::SignedDuration::from_secs(1)).to_zoned(jiff::tz::TimeZone::UTC).date()
    }

    /// Whether it still counts.
    pub fn holds(&self, now: Timestamp) -> bool {
        now < self.until
    }
}
