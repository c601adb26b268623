//! The shapes of what a gate is given, for `cited schema`. They are read by [`ledger`](super::ledger) and
//! [`manifest`](super::manifest), which know places and say more than a schema can.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A claim ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ledger {
    /// The artifact under test.
    pub summary: String,
    /// What it claims.
    pub claims: Vec<Claim>,
    /// Metrics by name.
    #[serde(default)]
    pub metrics: BTreeMap<String, String>,
}

/// A claim of a ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Claim {
    /// That a metric has a value.
    Number {
        /// Its name.
        #[schemars(length(min = 1))]
        id: String,
        /// The words of the summary that it speaks for.
        #[schemars(length(min = 1))]
        statement: String,
        /// The name of the metric.
        #[schemars(length(min = 1))]
        metric: String,
        /// What it is claimed to be.
        value: f64,
        /// How far the recomputed value may be from it, as a part of that; 0.005 when left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tolerance: Option<f64>,
    },
    /// That a source has words.
    Citation {
        /// Its name.
        #[schemars(length(min = 1))]
        id: String,
        /// The words of the summary that it speaks for.
        #[schemars(length(min = 1))]
        statement: String,
        /// The words of the source.
        #[schemars(length(min = 1))]
        quote: String,
        /// The name of the source.
        #[schemars(length(min = 1))]
        source_id: String,
    },
}

/// A claim manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The claims.
    pub claims: Vec<ManifestClaim>,
}

/// A claim of a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ManifestClaim {
    /// Its name.
    #[schemars(length(min = 1))]
    pub id: String,
    /// What it claims.
    #[schemars(length(min = 1))]
    pub text: String,
    /// The place that shows it: `file:line`, `file:first-last`, `commit:HEX`, `file#heading` or an address.
    #[schemars(length(min = 1))]
    pub evidence: String,
    /// SHA-256 of the text at the place, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_sha256: Option<String>,
}
