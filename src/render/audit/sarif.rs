//! The report as SARIF 2.1.0, for code scanning: a result at each place that stands on a broken source.
//!
//! Rules are states and not news, and a fingerprint holds source, document and sentence, so that an alert stays one alert from night
//! to night; what is new is told by `baselineState`.

use serde_json::{Value, json};

use super::words::{grade, remedy, told};
use crate::audit::report::{Entry, Place, Verdict};
use crate::audit::{AuditReport, State};
use crate::error::Result;
use crate::fetch::page::sha256_hex;
use crate::render::printers::json::pretty;
use crate::render::printers::sarif::{artifact, pascal};
use crate::text::escape;

/// The page of the documentation that says what the states are.
const HELP: &str = "docs/audit.md says what each state means and what can be done.";
/// Under which name and version a fingerprint is compared.
const FINGERPRINT: &str = "cited-audit/v1";

/// The log.
///
/// # Errors
/// When it cannot be written as JSON: a fault of cited.
pub fn render(report: &AuditReport) -> Result<String> {
    let states: Vec<State> = State::ALL.into_iter().filter(|state| state.is_broken()).collect();
    let broken = report.entries.iter().filter(|entry| entry.state.is_broken());
    let results: Vec<Value> =
        broken.flat_map(|entry| entry.places.iter().map(|place| result(entry, place, &states))).collect();
    let notifications: Vec<Value> = report
        .blocked
        .iter()
        .chain(&report.unread)
        .map(|why| json!({"level": "error", "message": {"text": escape::plain(why)}}))
        .collect();
    let version = env!("CARGO_PKG_VERSION");
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "cited audit",
                "version": version,
                "semanticVersion": version,
                "rules": states.iter().map(|state| rule(*state)).collect::<Vec<_>>(),
            }},
            "columnKind": "utf16CodeUnits",
            "invocations": [{
                "executionSuccessful": report.verdict != Verdict::Blocked,
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
        }],
    });
    pretty(&log)
}

fn id(state: State) -> String {
    format!("{state}-source")
}

fn rule(state: State) -> Value {
    let meaning = match state {
        State::Rotten => "A cited source is proven gone, over days.",
        State::Drifted => "A cited source is there, but what is cited from it is gone or changed.",
        _ => "A cited source has moved to another address for good.",
    };
    json!({
        "id": id(state),
        "name": pascal(&id(state)),
        "shortDescription": {"text": meaning},
        "fullDescription": {"text": meaning},
        "help": {"text": HELP, "markdown": HELP},
        "defaultConfiguration": {"level": grade(state).as_str()},
    })
}

fn result(entry: &Entry, place: &Place, states: &[State]) -> Value {
    let help = remedy(entry).map(|remedy| format!(". Help: {remedy}")).unwrap_or_default();
    let mut physical = json!({"artifactLocation": artifact(&place.document, None)});
    if place.line > 0 {
        physical["region"] = json!({"startLine": place.line});
    }
    let named = sha256_hex(format!("{}\n{}\n{}", entry.key, place.document, place.sentence).as_bytes());
    json!({
        "ruleId": id(entry.state),
        "ruleIndex": states.iter().position(|state| *state == entry.state),
        "level": grade(entry.state).as_str(),
        "message": {"text": escape::plain(&format!("{}{help}", told(entry)))},
        "locations": [{"physicalLocation": physical}],
        "partialFingerprints": {FINGERPRINT: named},
        "baselineState": if entry.news.is_new() { "new" } else { "unchanged" },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::audit::sample;

    /// The schema of SARIF 2.1.0; `testdata/schemas/README.md` says where it is from.
    const SARIF: &str = include_str!("../../../testdata/schemas/sarif-2.1.0.json");

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
