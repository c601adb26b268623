//! The report as SARIF 2.1.0, for code scanning: a result at each place that stands on a broken source.
//!
//! Rules are states and not news, and a fingerprint holds source, document and sentence, so that an alert stays one alert from night
//! to night; what is new is told by `baselineState`.

use serde_json::{Value, json};

use super::words::{grade, remedy, told};
use crate::printers::json::pretty;
use crate::printers::sarif;
use cited_audit::report::{Entry, Place, Verdict};
use cited_audit::{AuditReport, State};
use cited_core::error::Result;
use cited_core::page::sha256_hex;
use cited_text::escape;

/// The page of the documentation that says what the states are.
const HELP: &str = "docs/audit.md says what each state means and what can be done.";
/// Under which name and version a fingerprint is compared.
const FINGERPRINT: &str = "cited-audit/v1";

/// The log.
///
/// # Errors
/// When it cannot be written as JSON: a fault of cited.
pub fn render(report: &AuditReport) -> Result<String> {
    let states: Vec<State> = State::ALL.iter().copied().filter(|state| state.is_broken()).collect();
    let broken = report.entries.iter().filter(|entry| entry.state.is_broken());
    let results = broken.flat_map(|entry| entry.places.iter().map(|place| result(entry, place, &states))).collect();
    let log = sarif::Run {
        tool: "cited audit",
        rules: states.iter().map(|state| sarif::rule(&id(*state), meaning(*state), HELP, grade(*state))).collect(),
        artifacts: None,
        results,
        notifications: report.blocked.iter().chain(&report.unread).map(|why| sarif::notification(why)).collect(),
        is_complete: report.verdict != Verdict::Blocked,
    };
    pretty(&log.log())
}

fn id(state: State) -> String {
    format!("{state}-source")
}

fn meaning(state: State) -> &'static str {
    match state {
        State::Rotten => "A cited source is proven gone, over days.",
        State::Retracted => "A cited work was retracted or withdrawn, or is doubted by its publisher.",
        State::Drifted => "A cited source is there, but what is cited from it is gone or changed.",
        _ => "A cited source has moved to another address for good.",
    }
}

fn result(entry: &Entry, place: &Place, states: &[State]) -> Value {
    let help = remedy(entry).map(|remedy| format!(". Help: {remedy}")).unwrap_or_default();
    let line = (place.line > 0).then(|| json!({"startLine": place.line}));
    let named = sha256_hex(format!("{}\n{}\n{}", entry.key, place.document, place.sentence).as_bytes());
    json!({
        "ruleId": id(entry.state),
        "ruleIndex": states.iter().position(|state| *state == entry.state).unwrap_or_default(),
        "level": grade(entry.state).as_str(),
        "message": {"text": escape::plain(&format!("{}{help}", told(entry)))},
        "locations": [sarif::location(sarif::artifact(&place.document, None), line)],
        "partialFingerprints": {FINGERPRINT: named},
        "baselineState": if entry.news.is_new() { "new" } else { "unchanged" },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::sample;

    /// The schema of SARIF 2.1.0; `testdata/schemas/README.md` says where it is from.
    const SARIF: &str = include_str!("../../../../testdata/schemas/sarif-2.1.0.json");

    #[test]
    fn a_night_as_sarif() {
        let text = render(&sample::report()).unwrap();
        sample::snapshot("sarif.json", &text.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
        // The pattern of a language tag has a bracket too many, which not every dialect of expressions forgives.
        let schema: Value = serde_json::from_str(&SARIF.replace("{2}]?$", "{2}$")).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        for report in [sample::report(), sample::quiet(), sample::blocked()] {
            let log: Value = serde_json::from_str(&render(&report).unwrap()).unwrap();
            let errors: Vec<String> =
                validator.iter_errors(&log).map(|error| format!("{}: {error}", error.instance_path())).collect();
            assert!(errors.is_empty(), "{errors:#?}");
        }
    }
}
