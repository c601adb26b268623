//! Findings as SARIF 2.1.0 (OASIS Static Analysis Results Interchange Format), as code scanning takes it.
//!
//! The types are those of `serde-sarif`, made from the schema. It leaves closed sets of words (levels, kinds) open as JSON values, so that
//! the tests check each log against the schema as well.

use std::collections::BTreeMap;

use serde_json::json;
use serde_sarif::sarif as of;

use super::json::pretty;
use super::{Of, Print, Printer};
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
/// Results of a run that GitHub takes ("SARIF support for code scanning", limits); of what is over it takes nothing.
const MOST_RESULTS: usize = 25_000;

/// What one run of a tool has to tell.
pub(crate) struct Told {
    /// What the tool calls itself.
    pub tool: &'static str,
    /// What it looked for and found.
    pub rules: Vec<of::ReportingDescriptor>,
    /// The files that it looked at, where results name them by number.
    pub artifacts: Option<Vec<of::Artifact>>,
    /// What it found.
    pub results: Vec<of::Result>,
    /// What kept it from looking at everything.
    pub notifications: Vec<of::Notification>,
    /// Whether it came to a verdict.
    pub is_complete: bool,
}

impl Told {
    /// The log of this one run.
    pub fn log(self) -> of::Sarif {
        let version = env!("CARGO_PKG_VERSION");
        let driver = of::ToolComponent::builder()
            .name(self.tool)
            .version(version)
            .semantic_version(version)
            .rules(self.rules)
            .build();
        let invocation = of::Invocation::builder()
            .execution_successful(self.is_complete)
            .tool_execution_notifications(self.notifications)
            .build();
        let mut run = of::Run::builder()
            .tool(of::Tool::builder().driver(driver).build())
            .column_kind("utf16CodeUnits")
            .invocations(vec![invocation])
            .results(self.results)
            .build();
        run.artifacts = self.artifacts;
        of::Sarif::builder().schema(SCHEMA).version("2.1.0").runs(vec![run]).build()
    }
}

/// The log of a run. `with_baseline` says whether findings were compared with earlier ones.
pub fn log(stream: &Stream<'_>, with_baseline: bool) -> of::Sarif {
    let mut codes: Vec<Code> = stream.items().map(|item| item.finding.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let mut results = Vec::new();
    for (index, document) in stream.documents.iter().enumerate().filter(|(_, document)| !document.items.is_empty()) {
        let texts = document.texts();
        results.extend(
            document
                .items
                .iter()
                .map(|item| (item.finding.severity, result(item, document, index, &texts, &codes, with_baseline))),
        );
    }
    let cut = results.len().saturating_sub(MOST_RESULTS);
    if cut > 0 {
        // The gravest are kept.
        results.sort_by_key(|(severity, _)| std::cmp::Reverse(*severity));
        results.truncate(MOST_RESULTS);
    }
    let cut = (cut > 0).then(|| {
        let words = format!("{cut} results are left out: a run may have {MOST_RESULTS}");
        of::Notification::builder().level("warning").message(words.as_str()).build()
    });
    let notifications = stream.incomplete.iter().map(|incomplete| {
        let mut told = notification(&incomplete.reason);
        told.locations = incomplete.file.iter().map(|file| vec![location(artifact(file, None), None)]).next();
        told
    });
    let artifact_of = |path: &str| of::Artifact::builder().location(artifact(path, None)).build();
    Told {
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
pub(crate) fn notification(why: &str) -> of::Notification {
    of::Notification::builder().level("error").message(escape::plain(why).as_ref()).build()
}

/// What a tool looks for: its id, what it means, where more is said, and how grave it is.
pub(crate) fn rule(id: &str, meaning: &str, help: &str, severity: Severity) -> of::ReportingDescriptor {
    let meaning = meaning.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let text = || of::MultiformatMessageString::from(&meaning);
    of::ReportingDescriptor::builder()
        .id(id)
        .name(pascal(id))
        .short_description(text())
        .full_description(text())
        .help(of::MultiformatMessageString::builder().text(help).markdown(help).build())
        .default_configuration(of::ReportingConfiguration::builder().level(severity.as_str()).build())
        .build()
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
) -> of::Result {
    let finding = &item.finding;
    let path = texts.path_of(finding);
    let own = (path == document.document.path).then_some(index);
    let remedy = finding.remedy.as_ref().map(|remedy| format!(". Help: {remedy}")).unwrap_or_default();
    let region = finding.span.zip(texts.of(finding)).map(|(span, text)| region(text, span));
    let mut result = of::Result::builder()
        .rule_id(finding.code.as_str())
        .rule_index(number(codes.binary_search(&finding.code).unwrap_or_default()))
        .level(level(finding.severity))
        .message(escape::plain(&format!("{}{remedy}", finding.message)).as_ref())
        .locations(vec![location(artifact(path, own), region)])
        .partial_fingerprints(BTreeMap::from([(FINGERPRINT.to_owned(), item.fingerprint.clone())]))
        .build();
    result.baseline_state = with_baseline.then(|| json!(if item.state == State::Known { "unchanged" } else { "new" }));
    if let State::Suppressed(reason) = &item.state {
        let reason = escape::plain(reason).into_owned();
        result.suppressions = Some(vec![of::Suppression::builder().kind("inSource").justification(reason).build()]);
    }
    result
}

/// How grave a result is.
pub(crate) fn level(severity: Severity) -> of::ResultLevel {
    match severity {
        Severity::Error => of::ResultLevel::Error,
        Severity::Warning => of::ResultLevel::Warning,
        Severity::Note => of::ResultLevel::Note,
    }
}

/// A place in a file; the file as a whole without a `region`.
pub(crate) fn location(file: of::ArtifactLocation, region: Option<of::Region>) -> of::Location {
    let mut place = of::PhysicalLocation::builder().artifact_location(file).build();
    place.region = region;
    of::Location::builder().physical_location(place).build()
}

fn region(text: &Text<'_>, span: cited_text::Span) -> of::Region {
    let (start, end) = (text.position_utf16(span.start), text.position_utf16(span.end));
    let line: String = text.line_text(start.line, LONGEST_SNIPPET).chars().map(shown).collect();
    of::Region::builder()
        .start_line(number(start.line))
        .start_column(number(start.column))
        .end_line(number(end.line))
        .end_column(number(end.column))
        .byte_offset(number(span.start))
        .byte_length(number(span.len()))
        .snippet(of::ArtifactContent::builder().text(line).build())
        .build()
}

/// A number as SARIF counts; no file is so long that it would not fit.
pub(crate) fn number(count: impl TryInto<i64>) -> i64 {
    count.try_into().unwrap_or(i64::MAX)
}

/// The address of a file: relative to the root of the sources, or absolute.
pub(crate) fn artifact(path: &str, index: Option<usize>) -> of::ArtifactLocation {
    let path = path.replace('\\', "/");
    let absolute = path.starts_with('/');
    let path = path.strip_prefix("./").unwrap_or(&path);
    let encoded = encoded(path);
    let mut file =
        of::ArtifactLocation::builder().uri(if absolute { format!("file://{encoded}") } else { encoded }).build();
    file.uri_base_id = (!absolute).then(|| ROOT.to_owned());
    file.index = index.map(number);
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
