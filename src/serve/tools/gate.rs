//! `gate`: accepts or rejects a claim ledger. No command runs for a client.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::call::Call;
use super::context::Context;
use super::document_args::InlineFile;
use super::failure::Failure;
use super::tool::{Annotations, Tool, line, output_schema, schema, typed};
use crate::cli::args::Gate;
use cited_core::error::Error;
use cited_gate::report::{Report, Verdict};

pub const TOOL: Tool = Tool {
    name: "gate",
    title: "Gate an artifact",
    description: "Recomputes every number of a claim ledger from the data and looks up every quotation in the sources, then accepts or \
                  rejects the artifact and says why. Give the ledger itself or its path, and data and sources as texts or paths.",
    annotations: Annotations { read_only: true, open_world: false },
    input: schema::<Input>,
    output: output_schema::<Output>,
    run: |context, arguments, call| typed((context, arguments, call), run, text),
};

/// What is judged, and by what.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The claim ledger itself; `cited schema ledger` has its shape.
    ledger: Option<Value>,
    /// Or its file, inside a folder that the service opened.
    ledger_path: Option<String>,
    /// Metrics that you declare, by name: each a query of SQL that gives one number. They win over those of the ledger.
    #[serde(default)]
    metrics: BTreeMap<String, String>,
    /// Data as texts: CSV, TSV, JSON or NDJSON. The stem of a name names its table.
    #[serde(default)]
    data: Vec<InlineFile>,
    /// Data files, inside a folder that the service opened.
    #[serde(default)]
    data_paths: Vec<String>,
    /// Sources that are quoted, as texts. `sourceId` names them by name or stem.
    #[serde(default)]
    sources: Vec<InlineFile>,
    /// Source files, inside a folder that the service opened.
    #[serde(default)]
    source_paths: Vec<String>,
    /// Refuse metrics that only the ledger declares.
    #[serde(default)]
    trusted_metrics_only: bool,
}

/// What the gate says.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// Whether the artifact is accepted.
    accepted: bool,
    /// The whole report; `cited schema gate` has its shape.
    report: Report,
}

fn run(context: &Context, input: &Input, call: &Call) -> Result<Output, Failure> {
    call.expect(1);
    if input.ledger.is_some() == input.ledger_path.is_some() {
        return Err(Failure::arguments("give one of `ledger` and `ledger_path`"));
    }
    // Texts become files of a folder of their own, which goes when the call is over.
    let folder = tempfile::tempdir().map_err(|error| Failure::from(Error::write("a temporary folder", error)))?;
    let put = |sub: &str, file: &InlineFile| -> Result<PathBuf, Failure> {
        context.fits(&file.name, &file.content)?;
        // A name that is more than the name of a file leads out of the folder.
        let is_plain = Path::new(&file.name).file_name().is_some_and(|name| name == file.name.as_str());
        if !is_plain || file.name.starts_with('.') {
            return Err(Failure::arguments(format!(
                "`{}` is no name of a file; give one such as `runs.csv`",
                file.name
            )));
        }
        let sub = folder.path().join(sub);
        let path = sub.join(&file.name);
        let written = std::fs::create_dir_all(&sub).and_then(|()| std::fs::write(&path, &file.content));
        written.map_err(|error| Failure::from(Error::write(&path, error)))?;
        Ok(path)
    };
    Context::limit_length("data", input.data.len(), context.limits.sources)?;
    Context::limit_length("sources", input.sources.len(), context.limits.sources)?;
    let inside = |path: &String| context.roots.file(path);
    let mut data = input.data.iter().map(|file| put("data", file)).collect::<Result<Vec<_>, _>>()?;
    data.extend(input.data_paths.iter().map(inside).collect::<Result<Vec<_>, _>>()?);
    let mut sources = input.sources.iter().map(|file| put("sources", file)).collect::<Result<Vec<_>, _>>()?;
    sources.extend(input.source_paths.iter().map(inside).collect::<Result<Vec<_>, _>>()?);
    let content = input.ledger.as_ref().map(Value::to_string);
    let own = content.map(|content| put("ledger", &InlineFile { name: "ledger.json".to_owned(), content }));
    let ledger = own.or_else(|| input.ledger_path.as_ref().map(inside)).transpose()?;
    let metrics = (!input.metrics.is_empty()).then(|| serde_json::json!(input.metrics).to_string());
    let metrics = metrics.map(|content| put("metrics", &InlineFile { name: "metrics.json".to_owned(), content }));
    let metrics = metrics.transpose()?.into_iter().collect();
    let trusted_metrics_only = input.trusted_metrics_only;
    let args = Gate { ledger, metrics, data, sources, trusted_metrics_only, ..Gate::default() };
    let report = (context.services.gate)(&args)?;
    call.step("done");
    Ok(Output { accepted: report.verdict == Verdict::Accepted, report })
}

fn text(output: &Output) -> String {
    let mut text = if output.accepted { "ACCEPTED\n".to_owned() } else { "REJECTED\n".to_owned() };
    for finding in &output.report.findings {
        text.push_str(&format!("- {}: {}\n", finding.code, line(&finding.message)));
    }
    text
}
