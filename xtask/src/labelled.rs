//! Labelled claims: JSON Lines, one file a set, with `{"id", "claim", "source_text", "label"}` or `{"premise", "hypothesis",
//! "label"}` a line. The label is `supported`, `partial`, `unsupported` or `contradicted`.

use std::path::Path;

use clap::ValueEnum;
use serde_json::Value;

use crate::{Result, files};

/// A claim with its source, and what a careful reader says of them.
pub struct Row {
    pub id: String,
    pub claim: String,
    pub source: String,
    pub label: String,
}

/// Thresholds and weights are chosen on one half of each set, figures are reported on the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Half {
    A,
    B,
}

impl Row {
    pub fn is_supported(&self) -> bool {
        self.label == "supported"
    }

    /// `a` are the claims whose id has an even hash.
    pub fn half(&self) -> Half {
        if fnv(&self.id).is_multiple_of(2) { Half::A } else { Half::B }
    }
}

/// The sets of a folder by their names, those rows alone that are of the half, and no set without any.
pub fn sets(folder: &Path, half: Option<Half>) -> Result<Vec<(String, Vec<Row>)>> {
    let mut sets = Vec::new();
    for path in files::below(folder, "jsonl")? {
        let mut rows = rows(&path)?;
        rows.retain(|row| half.is_none_or(|half| row.half() == half));
        if !rows.is_empty() {
            sets.push((name(&path), rows));
        }
    }
    Ok(sets)
}

/// What a file of a set is called.
pub fn name(path: &Path) -> String {
    files::stem(path).trim_end_matches(".dev").to_owned()
}

/// The rows of a file that have a claim, a source and a label.
pub fn rows(path: &Path) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (number, line) in files::text(path)?.lines().enumerate() {
        let value: Value = serde_json::from_str(line)?;
        let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let claim = text("claim").or_else(|| text("hypothesis"));
        let source = text("source_text").or_else(|| text("premise"));
        if let (Some(claim), Some(source), Some(label)) = (claim, source, text("label")) {
            rows.push(Row { id: text("id").unwrap_or_else(|| number.to_string()), claim, source, label });
        }
    }
    Ok(rows)
}

/// A hash that does not change (FNV-1a).
pub fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
