//! Findings as SARIF 2.1.0 (OASIS Static Analysis Results Interchange Format), as code scanning takes it.
//!
//! A log is put together as JSON; the tests check each against the schema. Crates of types made from the schema take longer to build than
//! all printers together and leave the closed sets of words open.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::findings::{Stream, Texts};
use cited_core::check::{Item, State};
use cited_core::finding::Code;
use cited_text::escape;

/// The schema that the output names.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// The folder that relative addresses start from, by GitHub's convention.
const ROOT: &str = "%SRCROOT%";
/// Under which name and version a fingerprint is compared.
const FINGERPRINT: &str = "cited/v1";
/// Results of a run that GitHub takes ("SARIF support for code scanning", limits); of what is over it takes nothing.
const MOST_RESULTS: usize = 25_000;

/// The log of a run.
pub(crate) fn log(stream: &Stream) -> Value {
    let codes: BTreeSet<Code> = stream.items().map(|item| item.finding.code).collect();
    let mut results = Vec::new();
    for document in stream.documents.iter().filter(|document| !document.items.is_empty()) {
        let texts = document.texts();
        let told = |item| result(item, &texts, stream.with_baseline);
        results.extend(document.items.iter().map(|item| (item.finding.severity, told(item))));
    }
    let cut = results.len().saturating_sub(MOST_RESULTS);
    if cut > 0 {
        // The gravest are kept.
        results.sort_by_key(|(severity, _)| std::cmp::Reverse(*severity));
        results.truncate(MOST_RESULTS);
    }
    let cut = (cut > 0).then(|| {
        let words = format!("{cut} results are left out: a run may have {MOST_RESULTS}");
        json!({"level": "warning", "message": {"text": words}})
    });
    let notifications = stream.incomplete.iter().map(|incomplete| {
        let file = incomplete.file.as_ref().map(|file| [location(file, &Value::Null)]);
        json!({"level": "error", "message": {"text": escape::plain(&incomplete.reason)}, "locations": file})
    });
    let version = env!("CARGO_PKG_VERSION");
    let rules: Vec<Value> = codes.into_iter().map(rule).collect();
    let notifications: Vec<Value> = notifications.chain(cut).collect();
    let run = json!({
        "tool": {"driver": {"name": "cited", "version": version, "semanticVersion": version, "rules": rules}},
        "columnKind": "utf16CodeUnits",
        "invocations": [{"executionSuccessful": stream.incomplete.is_empty(), "toolExecutionNotifications": notifications}],
        "results": results.into_iter().map(|(_, result)| result).collect::<Vec<_>>(),
    });
    let mut log = json!({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]});
    leave_out_unknown(&mut log);
    log
}

/// Takes out the members of objects that are null: what is not known is not said.
fn leave_out_unknown(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(leave_out_unknown);
        }
        Value::Array(items) => items.iter_mut().for_each(leave_out_unknown),
        _ => {}
    }
}

/// A code as what the tool looks for. Its name is spelt as SARIF wants it, and as the code's own name in the program is. The full description is
/// one that GitHub asks for.
fn rule(code: Code) -> Value {
    json!({
        "id": code.as_str(),
        "name": format!("{code:?}"),
        "shortDescription": {"text": code.meaning()},
        "fullDescription": {"text": code.meaning()},
        "help": {"text": code.page(), "markdown": code.page()},
        "defaultConfiguration": {"level": code.severity().as_str()},
    })
}

fn result(item: &Item, texts: &Texts<'_>, with_baseline: bool) -> Value {
    let finding = &item.finding;
    let remedy = finding.remedy.as_ref().map(|remedy| format!(". Help: {remedy}")).unwrap_or_default();
    let region = finding.span.zip(texts.find_text(finding)).map(|(span, text)| {
        let (start, end) = (text.position(span.start), text.position(span.end));
        json!({
            "startLine": start.line,
            "startColumn": start.column_utf16,
            "endLine": end.line,
            "endColumn": end.column_utf16,
        })
    });
    let state = if item.state == State::Known { "unchanged" } else { "new" };
    let suppressed = match &item.state {
        State::Suppressed(reason) => Some(json!([{"kind": "inSource", "justification": escape::plain(reason)}])),
        _ => None,
    };
    json!({
        "ruleId": finding.code.as_str(),
        "level": finding.severity.as_str(),
        "message": {"text": escape::plain(&format!("{}{remedy}", finding.message))},
        "locations": [location(texts.path_of(finding), &json!(region))],
        "partialFingerprints": {FINGERPRINT: item.fingerprint},
        "baselineState": with_baseline.then_some(state),
        "suppressions": suppressed,
    })
}

/// A place in a file; the file as a whole without a `region`. Its address is relative to the root of the sources, or absolute, and all but the
/// unreserved characters of RFC 3986 and `/` stand in it by their bytes.
fn location(path: &str, region: &Value) -> Value {
    let path = path.replace('\\', "/");
    let (absolute, path) = (path.starts_with('/'), path.strip_prefix("./").unwrap_or(&path));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/');
    let written = |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    let scheme = if absolute { "file://" } else { "" };
    let file = json!({
        "uri": format!("{scheme}{}", path.bytes().map(written).collect::<String>()),
        "uriBaseId": (!absolute).then_some(ROOT),
    });
    json!({"physicalLocation": {"artifactLocation": file, "region": region}})
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::findings::stream::tests::Sample;
    use crate::findings::{Checked, Incomplete};

    /// The schema of SARIF 2.1.0; `testdata/schemas/README.md` says where it is from.
    const SARIF: &str = include_str!("../../../../testdata/schemas/sarif-2.1.0.json");

    #[track_caller]
    pub(crate) fn valid(value: &Value) {
        // The pattern of a language tag has a bracket too many, which not every dialect of expressions forgives.
        let schema: serde_json::Value = serde_json::from_str(&SARIF.replace("{2}]?$", "{2}$")).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let errors: Vec<String> =
            validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }

    #[test]
    fn a_log_passes_the_schema_and_counts_columns_in_utf16() {
        let sample = Sample::new(&[
            ("docs/a b:c.md", "x\n😀é [9].\n", "[9]", "m", State::New),
            ("b.md", "x [9]", "[9]", "m\u{1b}[31m\n::error::", State::Known),
            ("/abs/c.md", "x [9]", "[9]", "m", State::Suppressed("a reason".into())),
        ]);
        let mut stream = sample.stream();
        stream.incomplete.push(Incomplete { file: None, reason: "the network is at fault".into() });
        stream.with_baseline = true;
        let value = log(&stream);
        valid(&value);
        let run = &value["runs"][0];
        let place = &run["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(
            place["artifactLocation"],
            serde_json::json!({"uri": "docs/a%20b%3Ac.md", "uriBaseId": "%SRCROOT%"})
        );
        let region = &place["region"];
        let numbers: Vec<u64> =
            ["startLine", "startColumn", "endLine", "endColumn"].map(|name| region[name].as_u64().unwrap()).to_vec();
        assert_eq!(numbers, [2, 5, 2, 8]);
        assert_eq!(run["results"][1]["baselineState"], "unchanged");
        assert_eq!(run["results"][1]["message"]["text"], "m[31m ::error::. Help: add the source");
        assert_eq!(run["results"][2]["suppressions"][0]["justification"], "a reason");
        assert_eq!(run["tool"]["driver"]["rules"][0]["name"], "OrphanCitation");
        assert!(run["tool"]["driver"]["rules"][0]["help"]["text"].as_str().unwrap().contains("Add the missing entry"));
        assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    }

    #[test]
    fn every_rule_passes_the_schema() {
        let items: Vec<Item> = Code::ALL
            .iter()
            .map(|code| Item {
                finding: cited_core::finding::Finding::new(*code, "m"),
                state: State::New,
                fingerprint: format!("{code}-1"),
            })
            .collect();
        let document = cited_core::input::Input { path: "a.md".into(), text: "".into() };
        let documents = vec![Checked { document, items, ..Checked::default() }];
        let value = log(&Stream { documents, ..Stream::default() });
        valid(&value);
        assert_eq!(value["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap().len(), Code::ALL.len());
    }

    #[test]
    fn a_run_without_findings_passes_the_schema() {
        valid(&log(&Stream::default()));
    }
}
