//! Findings as SARIF 2.1.0 (OASIS Static Analysis Results Interchange Format), as code scanning takes it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::json::pretty;
use super::{Of, Print, Printer};
use crate::check::{Item, State};
use crate::finding::{Code, Severity};
use crate::render::findings::{Checked, Stream, Text, Texts, shown};
use crate::text::escape;

/// The row of the table.
pub static PRINTER: Printer = Printer {
    name: Some("sarif"),
    endings: &[".sarif", ".sarif.json"],
    about: "SARIF 2.1.0 for code scanning",
    print: Print::Any(|outcome, _| {
        pretty(&log(&outcome.stream, matches!(outcome.of, Of::Check { with_baseline: true, .. })))
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

/// A log of one run.
#[derive(Debug, Serialize)]
pub struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    column_kind: &'static str,
    invocations: [Invocation; 1],
    artifacts: Vec<Artifact>,
    results: Vec<ResultOf>,
}

#[derive(Debug, Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    name: String,
    short_description: Message,
    full_description: Message,
    help: Help,
    default_configuration: Configuration,
}

#[derive(Debug, Serialize)]
struct Message {
    text: String,
}

#[derive(Debug, Serialize)]
struct Help {
    text: &'static str,
    markdown: &'static str,
}

#[derive(Debug, Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Debug, Serialize)]
struct Notification {
    level: &'static str,
    message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
}

#[derive(Debug, Serialize)]
struct Artifact {
    location: ArtifactLocation,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ArtifactLocation {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultOf {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline_state: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressions: Vec<Suppression>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
    byte_offset: usize,
    byte_length: usize,
    snippet: Message,
}

#[derive(Debug, Serialize)]
struct Suppression {
    kind: &'static str,
    justification: String,
}

/// The log of a run. `with_baseline` says whether findings were compared with earlier ones.
pub fn log(stream: &Stream<'_>, with_baseline: bool) -> Log {
    let mut codes: Vec<Code> = stream.items().map(|item| item.finding.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let mut results = Vec::new();
    for (index, document) in stream.documents.iter().enumerate().filter(|(_, document)| !document.items.is_empty()) {
        let texts = document.texts();
        results.extend(document.items.iter().map(|item| result(item, document, index, &texts, &codes, with_baseline)));
    }
    let notifications = stream.incomplete.iter().map(|incomplete| Notification {
        level: "error",
        message: Message { text: escape::plain(&incomplete.reason).into_owned() },
        locations: incomplete
            .file
            .iter()
            .map(|file| Location {
                physical_location: PhysicalLocation { artifact_location: artifact(file, None), region: None },
            })
            .collect(),
    });
    let version = env!("CARGO_PKG_VERSION");
    Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "cited",
                    version,
                    semantic_version: version,
                    rules: codes.iter().map(|code| rule(*code)).collect(),
                },
            },
            column_kind: "utf16CodeUnits",
            invocations: [Invocation {
                execution_successful: stream.incomplete.is_empty(),
                tool_execution_notifications: notifications.collect(),
            }],
            artifacts: stream
                .documents
                .iter()
                .map(|document| Artifact { location: artifact(&document.document.path, None) })
                .collect(),
            results,
        }],
    }
}

fn level(severity: Severity) -> &'static str {
    severity.as_str()
}

fn rule(code: Code) -> Rule {
    let meaning: Vec<&str> = code.meaning().lines().map(str::trim).collect();
    let meaning = meaning.join(" ");
    Rule {
        id: code.as_str(),
        name: pascal(code.as_str()),
        short_description: Message { text: meaning.clone() },
        full_description: Message { text: meaning },
        help: Help { text: code.page(), markdown: code.page() },
        default_configuration: Configuration { level: level(code.severity()) },
    }
}

/// `orphan-citation` as `OrphanCitation`, the spelling that SARIF wants of the names of rules.
pub(crate) fn pascal(code: &str) -> String {
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
) -> ResultOf {
    let finding = &item.finding;
    let path = texts.path_of(finding);
    let own = (path == document.document.path).then_some(index);
    let remedy = finding.remedy.as_ref().map(|remedy| format!(". Help: {remedy}")).unwrap_or_default();
    let suppressions = match &item.state {
        State::Suppressed(reason) => {
            vec![Suppression { kind: "inSource", justification: escape::plain(reason).into_owned() }]
        }
        State::New | State::Known => Vec::new(),
    };
    let baseline_state = with_baseline.then_some(if item.state == State::Known { "unchanged" } else { "new" });
    ResultOf {
        rule_id: finding.code.as_str(),
        rule_index: codes.binary_search(&finding.code).unwrap_or_default(),
        level: level(finding.severity),
        message: Message { text: escape::plain(&format!("{}{remedy}", finding.message)).into_owned() },
        locations: [Location {
            physical_location: PhysicalLocation {
                artifact_location: artifact(path, own),
                region: finding.span.zip(texts.of(finding)).map(|(span, text)| region(text, span)),
            },
        }],
        partial_fingerprints: BTreeMap::from([(FINGERPRINT, item.fingerprint.clone())]),
        baseline_state,
        suppressions,
    }
}

fn region(text: &Text<'_>, span: crate::text::Span) -> Region {
    let (start, end) = (text.position_utf16(span.start), text.position_utf16(span.end));
    let line: String = text.line_text(start.line, LONGEST_SNIPPET).chars().map(shown).collect();
    Region {
        start_line: start.line,
        start_column: start.column,
        end_line: end.line,
        end_column: end.column,
        byte_offset: span.start,
        byte_length: span.len(),
        snippet: Message { text: line },
    }
}

/// The address of a file: relative to the root of the sources, or absolute.
pub(crate) fn artifact(path: &str, index: Option<usize>) -> ArtifactLocation {
    let path = path.replace('\\', "/");
    let absolute = path.starts_with('/');
    let path = path.strip_prefix("./").unwrap_or(&path);
    let encoded = encoded(path);
    let (uri, uri_base_id) = if absolute { (format!("file://{encoded}"), None) } else { (encoded, Some(ROOT)) };
    ArtifactLocation { uri, uri_base_id, index }
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
    use crate::render::findings::Incomplete;
    use crate::render::findings::stream::tests::Sample;

    /// The schema of SARIF 2.1.0; `testdata/schemas/README.md` says where it is from.
    const SARIF: &str = include_str!("../../../testdata/schemas/sarif-2.1.0.json");

    #[track_caller]
    fn valid(stream: &Stream<'_>, with_baseline: bool) -> serde_json::Value {
        let value = serde_json::to_value(log(stream, with_baseline)).unwrap();
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
                finding: crate::finding::Finding::new(*code, "m"),
                state: State::New,
                fingerprint: format!("{code}-1"),
            })
            .collect();
        let document = crate::input::Input { path: "a.md".into(), text: "".into() };
        let documents = vec![Checked { document: &document, others: &[], items: &items }];
        let value = valid(&Stream { documents, ..Stream::default() }, false);
        assert_eq!(value["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap().len(), Code::ALL.len());
    }

    #[test]
    fn a_run_without_findings_passes_the_schema() {
        valid(&Stream::default(), false);
    }
}
