//! `verify_draft`: the main job, from a draft to its verified brief.

use std::path::{Path, PathBuf};

use anstream::adapter::strip_str;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::args::{InlineFile, read_document};
use super::tool::{Answer, Call, Context, MOST_SOURCES, line};
use crate::cli::args::VerifyFlags;
use crate::commands::input;
use crate::commands::output::{self, Plan};
use crate::pipeline::{self, Options, Run};
use crate::serve::problem::{Problem, Result};
use cited_core::decide::{Edit, Policy};
use cited_core::error::Error;
use cited_core::input::Input as Text;
use cited_core::shape;
use cited_report::findings::Texts;
use cited_report::printers::pretty;
use cited_report::record::{RunVerdict, Stats};
use cited_report::wording::head;
use cited_report::{Record, summary};

/// What a draft is called that is given as its text.
const DRAFT: &str = "draft.md";
/// Characters of the brief that stand in the short text.
const BRIEF_SHOWN: usize = 20_000;

/// The Verifier stage: reads a Markdown draft and its research notes, asks every source, judges every claim by the pages it cites, and
/// gives the brief with `[N]` citations and one Sources list, every edit with its reason, and the verdict PASS, PASS WITH NOTES or BLOCKED.
/// Claims go only where a page proves them wrong or gone; BLOCKED means that checking could not be completed. Nothing is written unless
/// `output` names a file inside a folder that the service opened.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Input {
    /// The draft itself, Markdown. Give one of `text` and `path`.
    text: Option<String>,
    /// In place of `text`: the draft's file, inside a folder that the service opened.
    path: Option<String>,
    /// Research notes as texts: Markdown, JSON or a bibliography.
    research: Vec<InlineFile>,
    /// Research files inside a folder that the service opened.
    research_paths: Vec<String>,
    /// What is done with claims that fall short. What is left out is as the service was started.
    #[schemars(with = "Policy")]
    policies: Map<String, Value>,
    /// Where the brief is written, with its record and its provenance beside it, inside a folder that the service opened. What
    /// cited did not write is not written over.
    output: Option<String>,
    /// Whether the whole record is given, too: it is long.
    record: bool,
}

/// What a run gives.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// The verdict.
    verdict: RunVerdict,
    /// What became of the claims, in words: those that went, could not be checked or are not confirmed.
    summary: String,
    /// The brief; with the edits it is what the draft becomes.
    brief: String,
    /// Why checking could not be completed, for BLOCKED.
    blocked: Option<String>,
    /// Why the brief should not be used without a look: a claim fell under a policy of fail, or the brief lost its whole source list, or half of its
    /// claims. Then nothing is written.
    not_written: Option<String>,
    /// Counts.
    stats: Stats,
    /// Every edit, in order of place.
    edits: Vec<Edit>,
    /// The files that were written.
    written: Vec<String>,
    /// The whole record, when it was asked for; `cited schema record` has its shape.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    record: Option<Record>,
}

pub fn run(context: &Context, input: &Input, call: &Call) -> Result<Answer> {
    let given = (input.text.as_deref(), input.path.as_deref());
    let (draft, file) = read_document(context, DRAFT, given, "")?;
    if draft.text.trim().is_empty() {
        return Err(Problem::arguments("the draft is empty; give one with something in it"));
    }
    Context::limit_length("research", input.research.len() + input.research_paths.len(), MOST_SOURCES)?;
    let given = input.research.iter().map(|given| {
        Context::fits(&given.name, &given.content)?;
        Ok(Text { path: given.name.clone(), text: given.content.as_str().into() })
    });
    let files = input.research_paths.iter().map(|path| context.read_file(path).map(|(text, _)| text));
    let research = given.chain(files).collect::<Result<Vec<Text>>>()?;
    // Brief, record and provenance are written beside one another, as those of any run.
    let plan_beside = |named: &String| -> Result<Plan> {
        let output = Some(context.roots.resolve_writable(named)?);
        let plan = Plan::new(Path::new(DRAFT), &VerifyFlags { output, ..VerifyFlags::default() }, None)?;
        let read = input.research_paths.iter().filter_map(|path| context.roots.file(path).ok());
        let read: Vec<PathBuf> = read.chain(file.clone()).collect();
        for place in plan.files() {
            context.roots.resolve_writable(&place.to_string_lossy())?;
        }
        output::vet(plan.files(), &read)?;
        plan.spare(false)?;
        Ok(plan)
    };
    let plan = input.output.as_ref().map(plan_beside).transpose()?;
    let setup = context.asking()?;
    let standard = context.options(&setup);
    // What the policy of a call leaves open is as the service has it.
    let mut policy = serde_json::to_value(standard.policy).map_err(Error::defect)?;
    policy.as_object_mut().into_iter().for_each(|fields| fields.extend(input.policies.clone()));
    let policy = shape::read(&policy);
    let artifacts = |draft: &PathBuf| input::artifacts([draft.as_path()].into_iter(), vec![draft.clone()]);
    let options = Options {
        policy: policy.map_err(|why| Problem::arguments(format!("the arguments do not fit: `policies`: {why}")))?,
        artifact: file.as_ref().map_or_else(|| standard.artifact.clone(), artifacts),
        ..standard
    };
    let note = |progress: pipeline::Progress<'_>| call.note(progress);
    let run = call.wait(pipeline::verify(&draft, &research, &*setup.network, &options, &note))?;
    let mut run = run?;
    call.alive()?;
    run.record.not_written = run.record.not_written.take().or(run.withheld.take());
    let mut written = Vec::new();
    let held_back = run.record.not_written.is_some() || run.record.verdict == RunVerdict::Blocked;
    if let Some(plan) = plan.filter(|_| !held_back) {
        // A person may have edited the brief of an earlier call meanwhile.
        plan.spare(false)?;
        let (json, side_car) = (pretty(&run.record)?, run.provenance(&options, None));
        let contents = [run.brief.as_bytes(), json.as_bytes(), side_car.as_bytes()];
        output::write(&plan.files().zip(contents).collect::<Vec<_>>())?;
        written.extend(plan.files().map(|path| path.display().to_string()));
    }
    let summary = summary::of_run(&run.record, &Texts::new(&draft, &research), true, false, None);
    let mut text = format!("{}\n{summary}", run.record.verdict);
    let not_written = run.record.not_written.clone();
    for (what, why) in [("Blocked", &run.blocked), ("The brief was not written", &not_written)] {
        text.extend(why.as_ref().map(|why| format!("{what}: {}\n", line(why))));
    }
    text.extend(written.iter().map(|file| format!("Wrote {}\n", line(file))));
    if written.is_empty() {
        // Some agents see this text alone.
        let shown = head(&run.brief, BRIEF_SHOWN);
        let cut = if shown.len() < run.brief.len() { "\n… (cut; the structured result has it whole)" } else { "" };
        text.push_str(&format!("Nothing was written. The brief:\n\n{shown}{cut}\n"));
    }
    let Run { brief, record, blocked, .. } = run;
    let verdict = record.verdict;
    let (summary, stats, edits) = (strip_str(&summary).to_string(), record.stats, record.edits.clone());
    let (brief, record) = (brief.to_string(), input.record.then_some(record));
    let output = Output { verdict, summary, brief, blocked, not_written, stats, edits, written, record };
    Answer::new(&text, &output)
}
