//! `cited gate`: accept or reject an artifact, and prove why.

mod corpus;
mod evidence;
mod examined;
mod world;

use std::path::{Path, PathBuf};

use self::corpus::Corpus;
use self::examined::{Judged, checked, read_judged, refuse_own_output};
use self::world::{Events, Workshop};
use super::{input, output};
use crate::cli::exit::Exit;
use crate::cli::gate_args::Gate;
use crate::cli::say;
use crate::cli::settings::Settings;
use crate::cli::values::is_text;
use cited_core::check;
use cited_core::error::{Error, Result};
use cited_core::finding::{Code, Finding, Severity};
use cited_core::input::Input;
use cited_gate::criteria::events::{self, Past};
use cited_gate::criteria::machine::State;
use cited_gate::criteria::read::AgentEntry;
use cited_gate::criteria::run::{self, Options};
use cited_gate::criteria::{Check, Criteria, CriteriaReport, Criterion, OnFail, Status, read as criteria_file};
use cited_gate::manifest::{self, Manifest, ManifestReport, Standing};
use cited_gate::process::MARK;
use cited_gate::report::{Report, SCHEMA, Verdict};
use cited_gate::skeleton::skeleton;
use cited_report::findings::json::located;
use cited_report::findings::{Checked, Stream, Texts};
use cited_report::printers::json::pretty as json;
use cited_report::printers::{Manner, Outcome, Printer, WalkReport, text};

/// Runs the gate.
///
/// # Errors
/// When it could not run: settings, data or sources that cannot be read. An artifact that falls short is no error.
pub fn run(mut args: Gate, settings: &Settings) -> Result<Exit> {
    if std::env::var_os(MARK).is_some() && args.criteria.criteria.is_some() {
        return Err(Error::usage(
            "a criterion of a gate runs a gate with criteria; a gate never runs on its own output",
        ));
    }
    if let Some(draft) = &args.init {
        let ledger = skeleton(&input::read_draft(draft)?.text);
        return output::print(&json(&ledger)?).map(|()| Exit::Done);
    }
    args.evidence.metrics.clone_from(&settings.metrics);
    if let Some(Ok(artifact)) = args.criteria.artifact.as_deref().filter(|path| path.is_file()).map(input::read) {
        refuse_own_output(&artifact)?;
    }
    let reports = vet_outputs(&args)?;
    let told = judge(&args, settings)?;
    print(&args, &reports, &told)?;
    Ok(if told.report.verdict == Verdict::Accepted { Exit::Done } else { Exit::FallsShort })
}

/// Judges a ledger or a manifest and gives the report alone; nothing is printed or written.
///
/// # Errors
/// As a run of `cited gate`.
#[cfg(feature = "tools")]
pub fn report(mut args: Gate) -> Result<Report> {
    let offline = crate::cli::layers::Typed::default().with("offline", &true);
    let typed = args.evidence.metrics.iter().fold(offline, |typed, path| typed.with("metrics", &path.display()));
    let settings = Settings::resolve(&typed, Path::new(""))?;
    args.evidence.metrics.clone_from(&settings.metrics);
    judge(&args, &settings).map(|told| told.report)
}

/// Runs everything that a gate is asked for.
fn judge(args: &Gate, settings: &Settings) -> Result<GateRun> {
    let criteria = read_criteria(args, settings)?;
    let manifest = args.criteria.manifest.as_deref().map(read_manifest).transpose()?;
    let list = everything(args, &criteria, manifest.as_ref().map(|(_, manifest)| manifest));
    let (reworked, events) = open_events(args)?;
    let folder = std::env::current_dir().map_err(|error| Error::read(".", error))?;
    let mut workshop = Workshop {
        args,
        criteria: &criteria,
        settings,
        plugins: world::plugin_folders(args.criteria.criteria.as_deref(), &folder),
        folder,
        corpus: args.criteria.corpus.as_deref().map(Corpus::open).transpose()?,
        judged: Judged { manifest, ..Judged::default() },
        events,
        failed: None,
    };
    workshop.note_plugins();
    let options = Options { allow_empty: args.criteria.allow_empty, reworked };
    let outcome = run::run(&list, &options, &mut workshop);
    if let Some(error) = workshop.failed {
        return Err(error);
    }
    let events = args.criteria.events.as_ref().map_or("the events".into(), |path| path.to_string_lossy());
    let outcome = outcome.map_err(|why| Error::input(format!("{events}: cannot be written: {why}")))?;
    Ok(make_report(args, outcome, workshop.judged))
}

/// The criteria of a run: the ledger first, then the claims of the manifest, then those of the file.
fn everything(args: &Gate, criteria: &Criteria, manifest: Option<&Manifest>) -> Vec<Criterion> {
    let mut list = Vec::new();
    if args.ledger.is_some() {
        list.push(Criterion::new("ledger", Check::Ledger, OnFail::Fail));
    }
    if manifest.is_some_and(|manifest| !manifest.faults.is_empty()) {
        // No claim has this place: it fails, whatever becomes of the others.
        list.push(Criterion::new("manifest:", Check::ManifestClaim(usize::MAX), OnFail::Retry));
    }
    for (index, claim) in manifest.map_or(&[][..], |manifest| &manifest.claims).iter().enumerate() {
        // A claim that falls short does not keep the others from being looked at.
        list.push(Criterion::new(format!("manifest:{}", claim.id), Check::ManifestClaim(index), OnFail::Retry));
    }
    list.extend(criteria.list.iter().cloned());
    list
}

fn read_criteria(args: &Gate, settings: &Settings) -> Result<Criteria> {
    let Some(path) = &args.criteria.criteria else { return Ok(Criteria::default()) };
    let input = input::read(path)?;
    refuse_own_output(&input)?;
    let toml = path.extension().is_some_and(|ending| ending == "toml");
    let read = criteria_file::read(&input.text, toml);
    let mut criteria = read.map_err(|why| Error::input(format!("{}: {why}", input.path)))?;
    for note in &criteria.notes {
        say(format_args!("note: {}: {note}\n", input.path));
    }
    // The flag wins, then the criteria file; a settings file and the environment are for all files.
    if args.criteria.agent.is_some() || criteria.agent.is_none() {
        criteria.agent = settings.agent.as_deref().map(AgentEntry::from_name);
    }
    Ok(criteria)
}

fn read_manifest(path: &Path) -> Result<(Input, Manifest)> {
    let (input, fault) = read_judged(path, "the manifest")?;
    let manifest = match fault {
        Some(fault) => Manifest { faults: vec![fault], ..Manifest::default() },
        None => manifest::read(&input.text),
    };
    Ok((input, manifest))
}

/// How far the log of an earlier run has come whose failure was reworked, and where events go.
fn open_events(args: &Gate) -> Result<(Option<Past>, Option<Events>)> {
    let Some(path) = &args.criteria.events else { return Ok((None, None)) };
    let rework = args.criteria.rework;
    if path == Path::new(input::STANDARD) {
        return if rework {
            Err(Error::usage("--rework needs the events in a file"))
        } else {
            Ok((None, Some(Events::Standard)))
        };
    }
    let past = if rework {
        let log = input::read(path)?;
        let past = events::read(&log.text);
        Some(past.map_err(|why| Error::input(format!("{}: {why}, so there is nothing to rework", log.path)))?)
    } else if path.metadata().is_ok_and(|metadata| metadata.len() > 0) {
        // A log that is there is kept: it may be all that is left of a run.
        let advice = "go on with --rework, or name another file";
        return Err(Error::usage(format!("{}: is the log of an earlier run; {advice}", path.display())));
    } else {
        None
    };
    let file = std::fs::File::options().append(true).create(true).open(path);
    Ok((past, Some(Events::File(file.map_err(|error| Error::write(path, error))?))))
}

fn make_report(args: &Gate, outcome: CriteriaReport, judged: Judged) -> GateRun {
    let verdict = match outcome.state {
        State::Completed => Verdict::Accepted,
        State::Disputed => Verdict::Disputed,
        _ => Verdict::Rejected,
    };
    let disputed = verdict == Verdict::Disputed;
    let mut findings: Vec<Finding> = Vec::new();
    let mut others: Vec<Input> = Vec::new();
    let schema = SCHEMA.to_owned();
    let mut report = Report { schema, verdict, ledger: None, manifest: None, criteria: None, findings: Vec::new() };
    let mut document = Input { path: String::new(), text: "".into() };
    if let Some((input, examined)) = judged.ledger {
        report.ledger = Some(examined.report);
        findings.extend(examined.findings);
        document = input;
    }
    if let Some((input, manifest)) = judged.manifest {
        let mut claims = judged.claims;
        findings.extend(manifest.faults.into_iter().map(|fault| fault.in_file(&input.path)));
        for (&index, claim) in claims.iter_mut().filter(|(_, claim)| claim.verdict == Standing::Rework) {
            let code = if disputed { Code::Disputed } else { Code::EvidenceAbsent };
            claim.verdict = if disputed { Standing::Disputed } else { Standing::Rework };
            let message = format!("claim `{}`, {}: {}", claim.id, claim.evidence, claim.reasons.join("; "));
            let mut finding = Finding::new(code, message).in_file(&input.path);
            finding.span = manifest.claims.get(index).map(|written| written.span);
            findings.push(finding);
        }
        let corpus = args.criteria.corpus.as_ref().map_or_else(String::new, |path| path.display().to_string());
        report.manifest =
            Some(ManifestReport { path: input.path.clone(), corpus, claims: claims.into_values().collect() });
        others.push(input);
    }
    let file = args.criteria.criteria.as_ref().map(|path| path.display().to_string());
    let nothing = outcome.results.is_empty();
    if nothing && verdict != Verdict::Accepted {
        let message = "there is nothing to check: no criteria is not a pass";
        findings.push(Finding::new(Code::CriterionFailed, message).remedy("add criteria, or say --allow-empty"));
    }
    let place = |finding: Finding| match &file {
        Some(file) => finding.in_file(file),
        None => finding,
    };
    for result in &outcome.results {
        let own = result.name == "ledger" || result.name.starts_with("manifest:");
        if result.status != Status::Passed && !own {
            let first = result.evidence.lines().next().unwrap_or_default();
            let message = format!("criterion `{}` {}: {first}", result.name, result.status.as_str());
            findings.push(place(Finding::new(Code::CriterionFailed, message)));
        }
        for question in &result.questions {
            let message = format!("criterion `{}`: {} ({}%)", result.name, question.message, question.confidence);
            findings.push(place(Finding::new(Code::JudgeQuestion, message)));
        }
    }
    if disputed && report.manifest.is_none() {
        let message = "three rounds of rework have failed";
        findings.push(Finding::new(Code::Disputed, message).remedy("somebody has to decide"));
    }
    // A ledger alone is its own report.
    let more =
        nothing || outcome.results.iter().any(|result| result.name != "ledger") || args.criteria.criteria.is_some();
    report.criteria = more.then_some(outcome);
    if report.ledger.is_none() {
        // Findings without a file are about what was asked for.
        match file {
            Some(file) => document.path = file,
            None => document = others.pop().unwrap_or(document),
        }
    }
    let texts = Texts::new(&document, &others);
    report.findings = findings.iter().map(|finding| located(finding, &texts)).collect();
    let items = check::items(&findings, |finding| texts.find_text(finding).map(|text| text.content));
    GateRun { report, document, others, items }
}

/// A run that is over.
struct GateRun {
    report: Report,
    document: Input,
    others: Vec<Input>,
    items: Vec<check::Item>,
}

/// The reports that are asked for. What cannot be written, or is read, is told before anything runs.
fn vet_outputs(args: &Gate) -> Result<Vec<(&'static Printer, PathBuf)>> {
    let reports = output::reports(&args.report, false)?;
    let events = args.criteria.events.as_deref().filter(|path| *path != Path::new(input::STANDARD));
    let files: Vec<&Path> = reports.iter().map(|(_, path)| path.as_path()).chain(events).collect();
    let (checked, evidence) = (checked(args).into_iter(), &args.evidence);
    let read = evidence.data.iter().chain(&evidence.sources).chain(&evidence.metrics).chain(&evidence.record);
    output::vet(&files, &checked.chain(read.map(PathBuf::as_path)).map(Path::to_path_buf).collect::<Vec<_>>())?;
    let both = args.criteria.events.is_some() && events.is_none() && !args.quiet;
    if both && args.format.is_some_and(|format| !is_text(format)) {
        return Err(Error::usage("--events - and --format would both be on standard output"));
    }
    Ok(reports)
}

fn print(args: &Gate, reports: &[(&Printer, PathBuf)], told: &GateRun) -> Result<()> {
    let documents = vec![Checked { document: &told.document, others: &told.others, items: &told.items, asked: &[] }];
    let stream = Stream { documents, fail_on: Some(Severity::Error), ..Stream::default() };
    let outcome = Outcome { stream, of: WalkReport::Own(&told.report) };
    output::write_reports(reports, &outcome)?;
    if args.quiet {
        return Ok(());
    }
    let format = args.format.unwrap_or(&text::PRINTER);
    let printed = format.print(&outcome, Manner { notes: true, color: true })?;
    if args.criteria.events.as_deref() == Some(Path::new(input::STANDARD)) {
        say(format_args!("{printed}"));
        return Ok(());
    }
    output::print(&printed)
}
