//! `gate`: accepts or rejects a claim ledger. No command runs for a client.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::args::InlineFile;
use super::tool::{Answer, Call, Context, MOST_SOURCES};
use crate::cli::args::Gate;
use crate::commands;
use crate::serve::problem::{Problem, Result};
use cited_core::error::Error;
use cited_gate::human_report::sheet;
use cited_gate::report::{Report, Verdict};

/// Recomputes every number of a claim ledger from the data and looks up every quotation in the sources, then accepts or rejects the
/// artifact and says why. Give the ledger itself or its path, and data and sources as texts or paths.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Input {
    /// The claim ledger itself; `cited schema ledger` has its shape.
    ledger: Option<Value>,
    /// Or its file, inside a folder that the service opened.
    ledger_path: Option<String>,
    /// Metrics that you declare, by name: each a query of SQL that gives one number. They win over those of the ledger.
    metrics: BTreeMap<String, String>,
    /// Data as texts: CSV, TSV, JSON or NDJSON. The stem of a name names its table.
    data: Vec<InlineFile>,
    /// Data files, inside a folder that the service opened.
    data_paths: Vec<String>,
    /// Sources that are quoted, as texts. `sourceId` names them by name or stem.
    sources: Vec<InlineFile>,
    /// Source files, inside a folder that the service opened.
    source_paths: Vec<String>,
    /// Refuse metrics that only the ledger declares.
    trusted_metrics_only: bool,
}

/// What the gate says.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// Whether the artifact is accepted.
    accepted: bool,
    /// The whole report; `cited schema gate` has its shape.
    #[schemars(with = "serde_json::Map<String, Value>")]
    report: Report,
}

pub fn run(context: &Context, input: &Input, call: &Call) -> Result<Answer> {
    // Texts become files of a folder of their own, which goes when the call is over.
    let folder = tempfile::tempdir().map_err(|error| Problem::from(Error::write("a temporary folder", error)))?;
    let put = |sub: &str, name: &str, content: &str| -> Result<PathBuf> {
        Context::fits(name, content)?;
        // A name that is more than the name of a file leads out of the folder.
        let is_plain = Path::new(name).file_name().is_some_and(|file| file == name);
        if !is_plain || name.starts_with('.') {
            return Err(Problem::arguments(format!("`{name}` is no name of a file; give one such as `runs.csv`")));
        }
        let sub = folder.path().join(sub);
        let path = sub.join(name);
        let written = std::fs::create_dir_all(&sub).and_then(|()| std::fs::write(&path, content));
        written.map_err(|error| Problem::from(Error::write(&path, error)))?;
        Ok(path)
    };
    let files = |sub: &str, texts: &[InlineFile], paths: &[String]| -> Result<Vec<PathBuf>> {
        Context::limit_length(sub, texts.len(), MOST_SOURCES)?;
        let texts = texts.iter().map(|file| put(sub, &file.name, &file.content));
        texts.chain(paths.iter().map(|path| context.roots.file(path))).collect()
    };
    let ledger = match (&input.ledger, &input.ledger_path) {
        (Some(ledger), None) => put("ledger", "ledger.json", &ledger.to_string())?,
        (None, Some(path)) => context.roots.file(path)?,
        _ => return Err(Problem::arguments("give one of `ledger` and `ledger_path`")),
    };
    let metrics = (!input.metrics.is_empty()).then(|| serde_json::json!(input.metrics).to_string());
    let args = Gate {
        ledger: Some(ledger),
        metrics: metrics.iter().map(|metrics| put("metrics", "metrics.json", metrics)).collect::<Result<_>>()?,
        data: files("data", &input.data, &input.data_paths)?,
        sources: files("sources", &input.sources, &input.source_paths)?,
        trusted_metrics_only: input.trusted_metrics_only,
        ..Gate::default()
    };
    let report = commands::gate::report(&args)?;
    call.step("done");
    let accepted = report.verdict == Verdict::Accepted;
    Answer::new(&sheet(&report).text(), &Output { accepted, report })
}
