//! Findings as SARIF 2.1.0 (OASIS Static Analysis Results Interchange Format), as code scanning takes it.
//!
//! A log is put together as JSON; the tests check each against the schema. Crates of types made from the schema take longer to build than
//! all printers together and leave the closed sets of words open.

use serde_json::{Value, json};

use super::json::pretty;
use super::{Of, OwnReport, Print, Printer};
use crate::findings::{Checked, Stream, Text, Texts, shown};
use cited_core::check::{Item, State};
use cited_core::finding::{Code, Severity};
use cited_text::escape;

/// The row of the table.
pub static PRINTER: Printer = Printer {
    name: Some("sarif"),
    endings: &[".sarif", ".sarif.json"],
    about: "SARIF 2.1.0 for code scanning",
    print: Print::Any(|outcome, _| {
        let own = outcome.own().and_then(OwnReport::sarif);
        own.unwrap_or_else(|| {
            pretty(&log(&outcome.stream, matches!(outcome.of, Of::Check { with_baseline: true, .. })))
        })
    }),
};

/// The schema that the output names.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// The folder that relative addresses start from, by GitHub's convention.
const ROOT: &str = "%SRCROOT%";
/// Under which name and version a fingerprint is compared.
const FINGERPRINT: &str = "cited/v1";
/// Bytes of a line that are shown as a snippet.
const LONGEST_SNIPPET: usize = 400;
/// Results of a run that GitHub takes ("SARIF support for code scanning", limits); of what is over it takes nothing.
const MOST_RESULTS: usize = 25_000;

/// One run of a tool.
pub(crate) struct Run {
    /// What the tool calls itself.
    pub tool: &'static str,
    /// What it looked for ([`rule`]).
    pub rules: Vec<Value>,
    /// The files that it looked at, where results name them by number.
    pub artifacts: Option<Vec<Value>>,
    /// What it found.
    pub results: Vec<Value>,
    /// What kept it from looking at everything ([`notification`]).
    pub notifications: Vec<Value>,
    /// Whether it came to a verdict.
    pub is_complete: bool,
}

impl Run {
    /// The log of this one run.
    pub fn log(self) -> Value {
        let version = env!("CARGO_PKG_VERSION");
        let driver = json!({"name": self.tool, "version": version, "semanticVersion": version, "rules": self.rules});
        let mut run = json!({
            "tool": {"driver": driver},
            "columnKind": "utf16CodeUnits",
            "invocations": [{"executionSuccessful": self.is_complete, "toolExecutionNotifications": self.notifications}],
            "results": self.results,
        });
        set(&mut run, "artifacts", self.artifacts);
        json!({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})
    }
}

/// Sets a member of an object; what is not known is left out.
fn set(object: &mut Value, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        object[name] = value.into();
    }
}

/// The log of a run. `with_baseline` says whether findings were compared with earlier ones.
fn log(stream: &Stream<'_>, with_baseline: bool) -> Value {
    let mut codes: Vec<Code> = stream.items().map(|item| item.finding.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let mut results = Vec::new();
    for (index, document) in stream.documents.iter().enumerate().filter(|(_, document)| !document.items.is_empty()) {
        let texts = document.texts();
        let told = |item| result(item, document, index, &texts, &codes, with_baseline);
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
        let mut notification = notification(&incomplete.reason);
        let file = incomplete.file.iter().map(|file| vec![location(artifact(file, None), None)]).next();
        set(&mut notification, "locations", file);
        notification
    });
    let artifact_of = |path: &str| json!({"location": artifact(path, None)});
    Run {
        tool: "cited",
        rules: codes.iter().map(|code| rule(code.as_str(), code.meaning(), code.page(), code.severity())).collect(),
        artifacts: Some(stream.documents.iter().map(|document| artifact_of(&document.document.path)).collect()),
        results: results.into_iter().map(|(_, result)| result).collect(),
        notifications: notifications.chain(cut).collect(),
        is_complete: stream.incomplete.is_empty(),
    }
    .log()
}

/// What kept a run from looking at everything.
pub(crate) fn notification(why: &str) -> Value {
    json!({"level": "error", "message": {"text": escape::plain(why)}})
}

/// What a tool looks for: its id, what it means, where more is said, and how grave it is.
pub(crate) fn rule(id: &str, meaning: &str, help: &str, severity: Severity) -> Value {
    let meaning = meaning.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    json!({
        "id": id,
        "name": pascal(id),
        "shortDescription": {"text": meaning},
        "fullDescription": {"text": meaning},
        "help": {"text": help, "markdown": help},
        "defaultConfiguration": {"level": severity.as_str()},
    })
}

/// `orphan-citation` as `OrphanCitation`, the spelling that SARIF wants of the names of rules.
fn pascal(code: &str) -> String {
    let capital = |word: &str| {
        let mut chars = word.chars();
        chars.next().map(|first| first.to_ascii_uppercase().to_string() + chars.as_str()).unwrap_or_default()
    };
    code.split('-').map(capital).collect()
}

fn result(
    item: &Item,
    document: &Checked<'_>,
    index: usize,
    texts: &Texts<'_>,
    codes: &[Code],
    with_baseline: bool,
) -> Value {
    let finding = &item.finding;
    let path = texts.path_of(finding);
    let own = (path == document.document.path).then_some(index);
    let remedy = finding.remedy.as_ref().map(|remedy| format!(". Help: {remedy}")).unwrap_or_default();
    let region = finding.span.zip(texts.of(finding)).map(|(span, text)| region(text, span));
    let mut result = json!({
        "ruleId": finding.code.as_str(),
        "ruleIndex": codes.binary_search(&finding.code).unwrap_or_default(),
        "level": finding.severity.as_str(),
        "message": {"text": escape::plain(&format!("{}{remedy}", finding.message))},
        "locations": [location(artifact(path, own), region)],
        "partialFingerprints": {FINGERPRINT: item.fingerprint},
    });
    let state = if item.state == State::Known { "unchanged" } else { "new" };
    set(&mut result, "baselineState", with_baseline.then_some(state));
    if let State::Suppressed(reason) = &item.state {
        result["suppressions"] = json!([{"kind": "inSource", "justification": escape::plain(reason)}]);
    }
    result
}

/// A place in a file; the file as a whole without a `region`.
pub(crate) fn location(file: Value, region: Option<Value>) -> Value {
    let mut place = json!({});
    set(&mut place, "artifactLocation", Some(file));
    set(&mut place, "region", region);
    json!({"physicalLocation": place})
}

fn region(text: &Text<'_>, span: cited_text::Span) -> Value {
    let (start, end) = (text.position_utf16(span.start), text.position_utf16(span.end));
    let line: String = text.line_text(start.line, LONGEST_SNIPPET).chars().map(shown).collect();
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
        "byteOffset": span.start,
        "byteLength": span.len(),
        "snippet": {"text": line},
    })
}

/// The address of a file: relative to the root of the sources, or absolute.
pub(crate) fn artifact(path: &str, index: Option<usize>) -> Value {
    let path = path.replace('\\', "/");
    let absolute = path.starts_with('/');
    let path = path.strip_prefix("./").unwrap_or(&path);
    let encoded = encoded(path);
    let mut file = json!({"uri": if absolute { format!("file://{encoded}") } else { encoded }});
    set(&mut file, "uriBaseId", (!absolute).then_some(ROOT));
    set(&mut file, "index", index);
    file
}

/// A path as part of an address (RFC 3986): all but unreserved characters and `/` by their bytes.
fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/') {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::Incomplete;
    use crate::findings::stream::tests::Sample;

    /// The schema of SARIF 2.1.0; `testdata/schemas/README.md` says where it is from.
    const SARIF: &str = include_str!("../../../../testdata/schemas/sarif-2.1.0.json");

    #[track_caller]
    fn valid(stream: &Stream<'_>, with_baseline: bool) -> serde_json::Value {
        let value = log(stream, with_baseline);
        // The pattern of a language tag has a bracket too many, which not every dialect of expressions forgives.
        let schema: serde_json::Value = serde_json::from_str(&SARIF.replace("{2}]?$", "{2}$")).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let errors: Vec<String> =
            validator.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:#?}");
        value
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
        let value = valid(&stream, true);
        let run = &value["runs"][0];
        let place = &run["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(
            place["artifactLocation"],
            serde_json::json!({"uri": "docs/a%20b%3Ac.md", "uriBaseId": "%SRCROOT%", "index": 0})
        );
        let region = &place["region"];
        let numbers: Vec<u64> = ["startLine", "startColumn", "endLine", "endColumn", "byteOffset", "byteLength"]
            .map(|name| region[name].as_u64().unwrap())
            .to_vec();
        assert_eq!(numbers, [2, 5, 2, 8, 9, 3]);
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
        let documents = vec![Checked { document: &document, others: &[], items: &items, asked: &[] }];
        let value = valid(&Stream { documents, ..Stream::default() }, false);
        assert_eq!(value["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap().len(), Code::ALL.len());
    }

    #[test]
    fn a_run_without_findings_passes_the_schema() {
        valid(&Stream::default(), false);
    }
}
