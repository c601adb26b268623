//! `cited gate`: accept or reject an artifact, and prove why.

mod corpus;
mod evidence;
mod world;

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use self::corpus::Corpus;
use self::world::{Workshop, checked, read_judged, refuse_own_output};
use super::{input, output};
use crate::cli::args::Gate;
use crate::cli::settings::Settings;
use crate::cli::values::is_text;
use crate::cli::{Exit, say};
use cited_core::error::{Error, Result};
use cited_core::finding::{Code, Finding, Severity};
use cited_core::input::Input;
use cited_gate::criteria::events::{self, Past};
use cited_gate::criteria::machine::State;
use cited_gate::criteria::run::{self, Options};
use cited_gate::criteria::{
    AgentEntry, Criteria, CriteriaReport, Criterion, Kind, OnFail, Status, read as criteria_file,
};
use cited_gate::manifest::{self, Manifest, ManifestReport, Standing};
use cited_gate::process::MARK;
use cited_gate::report::{Report, SCHEMA, Verdict};
use cited_gate::skeleton::skeleton;
use cited_report::findings::json::located;
use cited_report::findings::{Checked, Stream};
use cited_report::printers::json::pretty as json;
use cited_report::printers::{Outcome, Printer, TEXT};

/// Runs the gate.
///
/// # Errors
/// When it could not run: settings, data or sources that cannot be read. An artifact that falls short is no error.
pub fn run(args: &Gate, settings: &Settings) -> Result<Exit> {
    if std::env::var_os(MARK).is_some() && args.criteria.is_some() {
        let rule = "a gate never runs on its own output";
        return Err(Error::usage(format!("a criterion of a gate runs a gate with criteria; {rule}")));
    }
    if let Some(draft) = &args.init {
        let ledger = skeleton(&input::read_draft(draft)?.text);
        return output::print(&json(&ledger)?).map(|()| Exit::Done);
    }
    if let Some(Ok(artifact)) = args.artifact.as_deref().filter(|path| path.is_file()).map(input::read) {
        refuse_own_output(artifact)?;
    }
    let reports = vet_outputs(args, settings)?;
    let (report, stream) = judge(args, settings)?;
    print(args, &reports, &Outcome { stream, run: None, own: Some(&report) })?;
    Ok(if report.verdict == Verdict::Accepted { Exit::Done } else { Exit::FallsShort })
}

/// The report of a gate on a ledger, for those who ask another way than by a command line; nobody is asked.
///
/// # Errors
/// As [`run`].
#[cfg(feature = "tools")]
pub fn report(args: &Gate) -> Result<Report> {
    let offline = crate::cli::layers::Typed::default().with("offline", &true);
    judge(args, &Settings::resolve(&offline, Path::new(""))?).map(|(report, _)| report)
}

/// Runs everything that a gate is asked for.
fn judge(args: &Gate, settings: &Settings) -> Result<(Report, Stream)> {
    let criteria = read_criteria(args, settings)?;
    let manifest = args.manifest.as_deref().map(read_manifest).transpose()?;
    let list = everything(args, &criteria, manifest.as_ref().map(|(_, manifest)| manifest));
    let (reworked, events) = open_events(args)?;
    let mut workshop = Workshop {
        args,
        criteria: &criteria,
        settings,
        folder: std::env::current_dir().map_err(|error| Error::read(".", error))?,
        corpus: args.corpus.as_deref().map(Corpus::open).transpose()?,
        ledger: None,
        manifest,
        claims: BTreeMap::new(),
        events,
        failed: None,
    };
    workshop.note_plugins();
    let outcome = run::run(&list, &Options { allow_empty: args.allow_empty, reworked }, &mut workshop);
    if let Some(error) = workshop.failed {
        return Err(error);
    }
    let events = args.events.as_ref().map_or("the events".into(), |path| path.to_string_lossy());
    let outcome = outcome.map_err(|why| Error::input(format!("{events}: cannot be written: {why}")))?;
    Ok(make_report(outcome, workshop))
}

/// The criteria of a run: the ledger first, then the claims of the manifest, then those of the file.
fn everything(args: &Gate, criteria: &Criteria, manifest: Option<&Manifest>) -> Vec<Criterion> {
    let ledger = args.ledger.as_ref().map(|_| Criterion::new("ledger", Kind::Ledger, OnFail::Fail));
    // A claim that falls short does not keep the others from being looked at.
    let claim = |id: &str, index| Criterion::new(format!("manifest:{id}"), Kind::ManifestClaim(index), OnFail::Retry);
    // No claim has this place: it fails, whatever becomes of the others.
    let faults = manifest.filter(|manifest| !manifest.faults.is_empty()).map(|_| claim("", usize::MAX));
    let claims = manifest.into_iter().flat_map(|manifest| manifest.claims.iter().enumerate());
    let claims = claims.map(|(index, written)| claim(&written.id, index));
    ledger.into_iter().chain(faults).chain(claims).chain(criteria.criteria.iter().cloned()).collect()
}

fn read_criteria(args: &Gate, settings: &Settings) -> Result<Criteria> {
    let Some(path) = &args.criteria else { return Ok(Criteria::default()) };
    let input = refuse_own_output(input::read(path)?)?;
    let toml = path.extension().is_some_and(|ending| ending == "toml");
    let read = criteria_file::read(&input.text, toml);
    let mut criteria = read.map_err(|why| Error::input(format!("{}: {why}", input.path)))?;
    for note in &criteria.notes {
        say(format_args!("note: {}: {note}\n", input.path));
    }
    // The flag wins, then the criteria file; a settings file and the environment are for all files.
    if args.agent.is_some() || criteria.agent.is_none() {
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

/// The run that is reworked, and the file where events go.
fn open_events(args: &Gate) -> Result<(Option<Past>, Option<File>)> {
    let Some(path) = &args.events else { return Ok((None, None)) };
    if path == Path::new(input::STANDARD) {
        let unfit = || Error::usage("--rework needs the events in a file");
        return (!args.rework).then_some((None, None)).ok_or_else(unfit);
    }
    let past = if args.rework {
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
    let file = File::options().append(true).create(true).open(path);
    Ok((past, Some(file.map_err(|error| Error::write(path, error))?)))
}

/// The report of a run, with what printers need beside it.
fn make_report(outcome: CriteriaReport, workshop: Workshop<'_>) -> (Report, Stream) {
    let Workshop { args, ledger, manifest, mut claims, .. } = workshop;
    let verdict = match outcome.state {
        State::Completed => Verdict::Accepted,
        State::Disputed => Verdict::Disputed,
        _ => Verdict::Rejected,
    };
    let disputed = verdict == Verdict::Disputed;
    let schema = SCHEMA.to_owned();
    let mut report = Report { schema, verdict, ledger: None, manifest: None, criteria: None, findings: Vec::new() };
    let (mut findings, mut others): (Vec<Finding>, Vec<Input>) = (Vec::new(), Vec::new());
    let document = ledger.map(|(input, examined)| {
        report.ledger = Some(examined.report);
        findings.extend(examined.findings);
        input
    });
    if let Some((input, manifest)) = manifest {
        findings.extend(manifest.faults.into_iter().map(|fault| fault.in_file(&input.path)));
        for (&index, claim) in claims.iter_mut().filter(|(_, claim)| claim.verdict == Standing::Rework) {
            let code = if disputed { Code::Disputed } else { Code::EvidenceAbsent };
            claim.verdict = if disputed { Standing::Disputed } else { Standing::Rework };
            let message = format!("claim `{}`, {}: {}", claim.id, claim.evidence, claim.reasons.join("; "));
            let mut finding = Finding::new(code, message).in_file(&input.path);
            finding.span = manifest.claims.get(index).map(|written| written.span);
            findings.push(finding);
        }
        let corpus = args.corpus.as_ref().map_or_else(String::new, |path| path.display().to_string());
        let (path, claims) = (input.path.clone(), claims.into_values().collect());
        report.manifest = Some(ManifestReport { path, corpus, claims });
        others.push(input);
    }
    let file = args.criteria.as_ref().map(|path| path.display().to_string());
    let nothing = outcome.results.is_empty();
    if nothing && verdict != Verdict::Accepted {
        let message = "there is nothing to check: no criteria is not a pass";
        findings.push(Finding::new(Code::CriterionFailed, message).remedy("add criteria, or say --allow-empty"));
    }
    let mut tell = |code: Code, message: String| {
        let finding = Finding { file: file.clone(), ..Finding::new(code, message) };
        findings.push(finding);
    };
    for result in &outcome.results {
        let own = result.name == "ledger" || result.name.starts_with("manifest:");
        if result.status != Status::Passed && !own {
            let first = result.evidence.lines().next().unwrap_or_default();
            let message = format!("criterion `{}` {}: {first}", result.name, result.status.as_str());
            tell(Code::CriterionFailed, message);
        }
        for question in &result.questions {
            let (message, confidence) = (&question.message, question.confidence);
            tell(Code::JudgeQuestion, format!("criterion `{}`: {message} ({confidence}%)", result.name));
        }
    }
    if disputed && report.manifest.is_none() {
        let message = "three rounds of rework have failed";
        findings.push(Finding::new(Code::Disputed, message).remedy("somebody has to decide"));
    }
    // A ledger alone is its own report.
    let more = nothing || outcome.results.iter().any(|result| result.name != "ledger") || file.is_some();
    report.criteria = more.then_some(outcome);
    // Findings without a file are about what was asked for.
    let asked = file.map(|path| Input { path, text: "".into() });
    let document = document.or(asked).or_else(|| others.pop()).unwrap_or_default();
    let checked = Checked::new(document, &others, &findings);
    let texts = checked.texts();
    report.findings = findings.iter().map(|finding| located(finding, &texts)).collect();
    (report, Stream { documents: vec![checked], fail_on: Some(Severity::Error), ..Stream::default() })
}

/// The reports, which are written over nothing that is read.
fn vet_outputs(args: &Gate, settings: &Settings) -> Result<Vec<(&'static Printer, PathBuf)>> {
    let reports = output::reports(&args.report, false)?;
    let events = args.events.as_deref().filter(|path| *path != Path::new(input::STANDARD));
    let files = reports.iter().map(|(_, path)| path.as_path()).chain(events);
    let read = args.data.iter().chain(&args.sources).chain(&settings.metrics).chain(&args.citation_record);
    let checked = checked(args).into_iter().chain(read.map(PathBuf::as_path));
    output::vet(files, &checked.collect::<Vec<_>>())?;
    let both = args.events.is_some() && events.is_none() && !args.quiet;
    if both && args.format.is_some_and(|format| !is_text(format)) {
        return Err(Error::usage("--events - and --format would both be on standard output"));
    }
    Ok(reports)
}

fn print(args: &Gate, reports: &[(&Printer, PathBuf)], outcome: &Outcome<'_>) -> Result<()> {
    output::write_reports(reports, outcome)?;
    if args.quiet {
        return Ok(());
    }
    let printed = (args.format.unwrap_or(&TEXT).print)(outcome, true)?;
    output::print_beside(&printed, args.events.as_deref() == Some(Path::new(input::STANDARD)))
}
