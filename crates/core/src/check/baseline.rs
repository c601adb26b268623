//! The findings that a team starts with: known, and not held against anybody.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::{Item, State};

/// The version of the file's shape.
pub const SCHEMA: &str = "cited/baseline/1";

/// A baseline file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// `cited/baseline/1`.
    pub schema: String,
    /// What is known, in order of file and fingerprint.
    pub findings: Vec<Known>,
}

/// A finding that is known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The file, as seen from the folder of the baseline, with `/`.
    pub file: String,
    /// What names it in the file.
    pub fingerprint: String,
    /// The code of the finding. Text, so that a baseline outlives a code.
    pub code: String,
    /// What was found when the baseline was written, for readers.
    pub message: String,
}

impl Baseline {
    /// A baseline of these findings.
    pub fn new(mut findings: Vec<Known>) -> Self {
        findings.sort();
        Baseline { schema: SCHEMA.to_owned(), findings }
    }

    /// Reads a baseline.
    ///
    /// # Errors
    /// When `text` is none; says why.
    pub fn read(text: &str) -> Result<Baseline, String> {
        let baseline: Baseline = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if baseline.schema == SCHEMA {
            Ok(baseline)
        } else {
            Err(format!("its schema is `{}`, not `{SCHEMA}`", baseline.schema))
        }
    }

    /// Marks the items of `file` that are known.
    pub fn mark(&self, file: &str, items: &mut [Item]) {
        let own = self.findings.iter().filter(|known| known.file == file);
        let known: HashSet<&str> = own.map(|known| known.fingerprint.as_str()).collect();
        let is_known = |item: &&mut Item| item.state == State::New && known.contains(item.fingerprint.as_str());
        items.iter_mut().filter(is_known).for_each(|item| item.state = State::Known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Code, Finding};

    #[test]
    fn what_is_known_of_a_file_is_marked() {
        let known = |fingerprint: &str| Known {
            file: "a.md".into(),
            fingerprint: fingerprint.into(),
            code: "orphan-citation".into(),
            message: "m".into(),
        };
        let baseline = Baseline::new(vec![known("b"), known("a")]);
        let text = serde_json::to_string(&baseline).unwrap();
        let baseline = Baseline::read(&text).unwrap();
        let item = |fingerprint: &str| Item {
            finding: Finding::new(Code::OrphanCitation, "m"),
            state: State::New,
            fingerprint: fingerprint.into(),
        };
        let mut items = [item("a"), item("c")];
        baseline.mark("b.md", &mut items);
        assert_eq!(items[0].state, State::New);
        baseline.mark("a.md", &mut items);
        assert_eq!([&items[0].state, &items[1].state], [&State::Known, &State::New]);
    }

    #[test]
    fn what_is_no_baseline_is_refused() {
        assert!(Baseline::read("{}").is_err());
        assert!(
            Baseline::read(r#"{"schema": "cited/baseline/9", "findings": []}"#).unwrap_err().contains("baseline/9")
        );
    }
}
