//! The findings that a team starts with: known, and not held against anybody.

use std::collections::BTreeMap;

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
}

/// A baseline in use: takes note of what was found again.
#[derive(Debug, Default)]
pub struct Matcher<'a> {
    /// By file and fingerprint, whether it was found.
    known: BTreeMap<&'a str, BTreeMap<&'a str, (&'a Known, bool)>>,
}

impl<'a> Matcher<'a> {
    /// A matcher for `baseline`.
    pub fn new(baseline: &'a Baseline) -> Self {
        let mut matcher = Matcher::default();
        for known in &baseline.findings {
            matcher.known.entry(&known.file).or_default().insert(&known.fingerprint, (known, false));
        }
        matcher
    }

    /// Marks the items of `file` that are known.
    pub fn mark(&mut self, file: &str, items: &mut [Item]) {
        let Some(known) = self.known.get_mut(file) else { return };
        for item in items.iter_mut().filter(|item| item.state == State::New) {
            if let Some((_, found)) = known.get_mut(item.fingerprint.as_str()) {
                *found = true;
                item.state = State::Known;
            }
        }
    }

    /// What is known and was not found any more, of the findings that `looked_for` says were looked for.
    pub fn fixed(&self, looked_for: impl Fn(&Known) -> bool) -> Vec<Known> {
        let all = self.known.values().flat_map(BTreeMap::values);
        all.filter(|(known, found)| !found && looked_for(known)).map(|(known, _)| (*known).clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Code, Finding};

    #[test]
    fn what_is_known_is_marked_and_what_is_gone_is_told() {
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
        let mut matcher = Matcher::new(&baseline);
        matcher.mark("a.md", &mut items);
        assert_eq!([&items[0].state, &items[1].state], [&State::Known, &State::New]);
        assert_eq!(matcher.fixed(|_| true), [known("b")]);
        assert_eq!(matcher.fixed(|_| false), []);
    }

    #[test]
    fn what_is_no_baseline_is_refused() {
        assert!(Baseline::read("{}").is_err());
        assert!(
            Baseline::read(r#"{"schema": "cited/baseline/9", "findings": []}"#).unwrap_err().contains("baseline/9")
        );
    }
}
