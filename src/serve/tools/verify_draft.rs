//! `verify_draft`: the main job, from a draft to its verified brief.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::args::{InlineFile, Listed, Part, head, read_document};
use super::context::{Context, MOST_SOURCES};
use super::tool::{Annotations, Call, Tool, line, output_schema, schema, typed};
use crate::pipeline::{self, Options, Run, Style};
use crate::serve::problem::{Problem, Result};
use cited_core::decide::{Action, Edit, Policy};
use cited_core::input::Input as Text;
use cited_core::shape;
use cited_report::Record;
use cited_report::findings::Texts;
use cited_report::findings::json::{Located, located};
use cited_report::record::{RunVerdict, SourceRecord, Stats, Verification};

pub const TOOL: Tool = Tool {
    name: "verify_draft",
    title: "Verify a draft",
    description: "The Verifier stage: reads a Markdown draft and its research notes, asks every source, judges every claim by the pages it \
                  cites, and gives the brief with `[N]` citations and one Sources list, every edit with its reason, and the verdict PASS, \
                  PASS WITH NOTES or BLOCKED. Claims go only where a page proves them wrong or gone; BLOCKED means that checking could not \
                  be completed. Nothing is written unless `output` names a file inside a folder that the service opened.",
    annotations: Annotations { read_only: false, open_world: true },
    input: schema::<Input>,
    output: output_schema::<Output>,
    run: |context, arguments, call| typed((context, arguments, call), run, text),
};

/// Characters of the brief that stand in the short text.
const BRIEF_SHOWN: usize = 20_000;

/// A draft and how it is checked.
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
    /// How the brief cites: `numeric` (`[1]`, `[2, 5]`) or `keep` (as the draft does).
    style: Option<Style>,
    /// Whether the brief gets a section of notes.
    notes: Option<bool>,
    /// Whether what the sources say is judged; without it only their being there counts.
    support: Option<bool>,
    /// Where the brief is written, with its record and its provenance beside it, inside a folder that the service opened.
    output: Option<String>,
    /// Whether files that are there are written over.
    overwrite: bool,
    /// Whether the whole record is given, too: it is long.
    record: bool,
    /// Which part of the lists is wanted, and how much of passages.
    part: Part,
}

/// What a run gives.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// The verdict.
    verdict: RunVerdict,
    /// The brief; with the edits it is what the draft becomes.
    brief: String,
    /// Why checking could not be completed, for BLOCKED.
    blocked: Option<String>,
    /// The claims for which the policy says to fail; then nothing is written.
    failures: Vec<String>,
    /// Why the brief should not be used without a look: it lost its whole source list, or half of its claims. Then nothing is written.
    withheld: Option<String>,
    /// Counts.
    stats: Stats,
    /// The claims as in the record, without what each check gave: those that went, were changed, noted or not verified, then the others.
    claims: Listed<Verification>,
    /// Every edit, in order of place.
    edits: Listed<Edit>,
    /// What was worth telling, in order of place.
    findings: Listed<Located>,
    /// The sources as in the record, cited ones first.
    sources: Listed<SourceRecord>,
    /// The files that were written.
    written: Vec<String>,
    /// The whole record, when it was asked for; `cited schema record` has its shape.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    record: Option<Record>,
}

fn run(context: &Context, input: &Input, call: &Call) -> Result<Output> {
    let given = (input.text.as_deref(), input.path.as_deref());
    let (draft, file) = read_document(context, "draft.md", given, "")?;
    if draft.text.trim().is_empty() {
        return Err(Problem::arguments("the draft is empty; give one with something in it"));
    }
    let research = research(context, input)?;
    let places = places(context, input, file.as_ref())?;
    let setup = context.asking()?;
    let standard = context.options(&setup);
    let options = Options {
        policy: policy(&input.policies, standard.policy)?,
        style: input.style.unwrap_or(standard.style),
        notes: input.notes.unwrap_or(standard.notes),
        support: input.support.unwrap_or(standard.support),
        artifact: file.as_ref().map_or_else(|| standard.artifact.clone(), |file| (context.services.artifacts)(file)),
        ..standard
    };
    // Judging, writing, checking, reporting.
    call.expect(4);
    let note = |progress: pipeline::Progress<'_>| call.note(progress);
    let run = call.wait(pipeline::verify(&draft, &research, &*setup.network, &options, &note))?;
    let run = run?;
    call.alive()?;
    let written = write(context, &run, places)?;
    Ok(output(&draft, &research, run, written, input))
}

/// The policy of a call; what it leaves open is as the service has it.
fn policy(given: &Map<String, Value>, standard: Policy) -> Result<Policy> {
    let mut whole = serde_json::to_value(standard).map_err(|error| Problem::defect(error.to_string()))?;
    if let Value::Object(fields) = &mut whole {
        fields.extend(given.clone());
    }
    shape::read(&whole).map_err(|why| Problem::arguments(format!("the arguments do not fit: `policies`: {why}")))
}

fn text(output: &Output) -> String {
    let Stats { claims, verified, removed, noted, anchored, cited, dead, .. } = output.stats;
    let mut lines = vec![format!(
        "{}: {claims} claims, {verified} verified, {removed} removed, {noted} noted, {anchored} given a source; {cited} sources cited, \
         {dead} dead",
        output.verdict
    )];
    let why = |what: &str, why: &Option<String>| why.as_ref().map(|why| format!("{what}: {}", line(why)));
    lines.extend(why("Blocked", &output.blocked));
    lines.extend(why("Held back", &output.withheld));
    lines.extend(output.failures.iter().map(|failure| format!("The policy says to fail: {}", line(failure))));
    let told = output.claims.entries.iter().filter(|claim| is_told(claim));
    let told = told.map(|claim| (claim.line, line(&claim.claim_text), line(&claim.notes)));
    lines.extend(told.map(|(at, claim, notes)| format!("- line {at}: {claim} ({notes})")));
    lines.extend(output.written.iter().map(|file| format!("Wrote {}", line(file))));
    if output.written.is_empty() {
        // Some agents see this text alone.
        let shown = head(&output.brief, BRIEF_SHOWN);
        let cut = if shown.len() < output.brief.len() { "\n… (cut; the structured result has it whole)" } else { "" };
        lines.push(format!("Nothing was written. The brief:\n\n{shown}{cut}"));
    }
    lines.join("\n") + "\n"
}

fn research(context: &Context, input: &Input) -> Result<Vec<Text>> {
    Context::limit_length("research", input.research.len() + input.research_paths.len(), MOST_SOURCES)?;
    let given = input.research.iter().map(|given| {
        Context::fits(&given.name, &given.content)?;
        Ok(Text { path: given.name.clone(), text: given.content.as_str().into() })
    });
    let files = input.research_paths.iter().map(|path| context.read_file(path).map(|(text, _)| text));
    given.chain(files).collect()
}

/// Where brief, record and provenance are written.
fn places(context: &Context, input: &Input, draft: Option<&PathBuf>) -> Result<Option<[PathBuf; 3]>> {
    let Some(output) = &input.output else { return Ok(None) };
    let stem = output.strip_suffix(".md").unwrap_or(output);
    let read: Vec<PathBuf> = input.research_paths.iter().filter_map(|path| context.roots.file(path).ok()).collect();
    let place = |name: &str| {
        let place = context.roots.resolve_writable(name)?;
        if draft.into_iter().chain(&read).any(|input| *input == place) {
            return Err(Problem::forbidden(format!("{name}: is an input of this call; name another place")));
        }
        if !input.overwrite && place.exists() {
            let advice = "name another place, or say `overwrite: true`";
            return Err(Problem::forbidden(format!("{name}: is there already; {advice}")));
        }
        Ok(place)
    };
    let (record, provenance) = (format!("{stem}.record.json"), format!("{stem}.provenance.md"));
    Ok(Some([place(output)?, place(&record)?, place(&provenance)?]))
}

/// Writes the results, unless there is a reason not to; gives the files.
fn write(context: &Context, run: &Run, places: Option<[PathBuf; 3]>) -> Result<Vec<String>> {
    let Some(places) = places else { return Ok(Vec::new()) };
    if !run.failures.is_empty() || run.withheld.is_some() || run.verdict == RunVerdict::Blocked {
        return Ok(Vec::new());
    }
    let json = serde_json::to_string_pretty(&run.record).map_err(|error| Problem::defect(error.to_string()))? + "\n";
    let side_car = run.provenance();
    let contents = [run.brief.as_bytes(), json.as_bytes(), side_car.as_bytes()];
    let files: Vec<(&Path, &[u8])> = places.iter().map(PathBuf::as_path).zip(contents).collect();
    (context.services.write)(&files)?;
    Ok(places.iter().map(|path| path.display().to_string()).collect())
}

fn output(draft: &Text, research: &[Text], run: Run, written: Vec<String>, input: &Input) -> Output {
    let (part, texts) = (input.part, Texts::new(draft, research));
    let Run { verdict, brief, record, blocked, failures, withheld, .. } = run;
    let Record { verifications, sources, edits, findings, stats, .. } = record.clone();
    let mut claims: Vec<Verification> = verifications.into_iter().map(|claim| in_short(claim, part)).collect();
    claims.sort_by_key(|claim| !is_told(claim));
    Output {
        verdict,
        brief: brief.to_string(),
        blocked,
        failures,
        withheld,
        stats,
        claims: part.take_from(claims),
        edits: part.take_from(edits),
        findings: part.take_from(findings.iter().map(|finding| located(finding, &texts)).collect()),
        sources: part.take_from(sources),
        written,
        record: input.record.then_some(record),
    }
}

/// Whether a claim is told before the others.
fn is_told(claim: &Verification) -> bool {
    !claim.notes.is_empty() || matches!(claim.action, Action::Drop | Action::Todo | Action::Mark)
}

/// A claim without what only a reviewer looks at: the record has it.
fn in_short(mut claim: Verification, part: Part) -> Verification {
    (claim.hangs, claim.binding) = (None, None);
    for source in &mut claim.sources_reconciled {
        (source.results, source.around, source.derivation) = (Vec::new(), Vec::new(), None);
        part.cut(&mut source.source_passage, source.offsets.as_mut());
    }
    claim
}
