//! What a marker points at, in the numbering of its own list.

use serde::{Deserialize, Serialize};

/// A label as written, folded so that equal labels are equal values.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum Label {
    /// `[3]`, `【３】`, `[^3]` of a numeric list.
    Number(u32),
    /// A footnote name, a Pandoc key, a product's own reference such as `turn0search1`.
    Name(Box<str>),
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Label::Number(number) => write!(f, "{number}"),
            Label::Name(name) => f.write_str(name),
        }
    }
}
