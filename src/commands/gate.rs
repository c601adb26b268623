//! `cited gate`: accept or reject an artifact, and prove why.

mod evidence;

use std::collections::HashSet;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{input, output};
use crate::cli::args::Gate;
use crate::cli::settings::Settings;
use crate::cli::{Exit, say};
use crate::pipeline;
use crate::setup::lent::Lent;
use crate::setup::{SILENT, Setup, block_on};
use cited_core::check::structure::structure;
use cited_core::citation::{self, KnownLabels};
use cited_core::error::{Error, Result};
use cited_core::finding::{Code, Finding, Severity};
use cited_core::input::Input;
use cited_core::markdown::Document;
use cited_core::outcome;
use cited_core::page::sha256_hex;
use cited_gate::criteria::agent::{self, Question};
use cited_gate::criteria::machine::{Failed, State};
use cited_gate::criteria::plugin::{self, Inputs};
use cited_gate::criteria::run::{self, Event, Line, World, read_log};
use cited_gate::criteria::{
    AgentEntry, Assertion, Criteria, CriteriaReport, Criterion, CriterionResult, FixResult, Kind, Look, OnFail, Status,
    TIMEOUT, read as criteria_file,
};
use cited_gate::examine::{Evidence, Examined, collect_metrics, examine};
use cited_gate::human_report::sheet;
use cited_gate::ledger::{self, Ledger};
use cited_gate::manifest::{self, CRITERION as MANIFEST, Locator, Manifest, ManifestClaim, ManifestReport, Standing};
use cited_gate::process::{self, Ended, Job, Program};
use cited_gate::report::{Report, SCHEMA, Verdict, is_own_output};
use cited_gate::skeleton::skeleton;
use cited_report::findings::{Checked, Stream};
use cited_report::printers::{Outcome, pretty as json};
use cited_report::record::{SourceRecord, Verification};

/// The largest file that an assertion looks into, in bytes.
const LARGEST: u64 = 256 << 20;
/// The longest answer of a judge, in bytes.
const LONGEST_ANSWER: usize = 1 << 20;

/// A status with its evidence.
type Shown = (Status, String);
/// What a look gives, or why it ended before its end.
type Looked<T> = std::result::Result<T, Shown>;

/// Runs the gate.
///
/// # Errors
/// When it could not run: settings, data or sources that cannot be read. An artifact that falls short is no error.
pub fn run(args: &Gate, settings: &Settings) -> Result<Exit> {
    if std::env::var_os(process::MARK).is_some() && args.criteria.is_some() {
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
    // The reports are written over nothing that is read.
    let reports = output::reports(&args.report)?;
    let prints_events = args.events.as_deref() == Some(Path::new(input::STANDARD));
    let events = args.events.as_deref().filter(|_| !prints_events);
    let files = reports.iter().map(|(_, path)| path.as_path()).chain(events);
    let read = args.data.iter().chain(&args.sources).chain(&settings.metrics).chain(&args.citation_record);
    output::vet(files, &checked(args).into_iter().chain(read.map(PathBuf::as_path)).collect::<Vec<_>>())?;
    let (report, stream) = judge(args, settings)?;
    let outcome = Outcome { stream, own: Some((json(&report)?, sheet(&report))), ..Outcome::default() };
    output::write_reports(&reports, &outcome)?;
    if !args.quiet {
        let printed = (settings.format.print)(&outcome, true)?;
        output::print_beside(&printed, prints_events)?;
    }
    Ok(if report.verdict == Verdict::Accepted { Exit::Done } else { Exit::FallsShort })
}

/// The report of a gate on a ledger, for those who ask another way than by a command line; nobody is asked.
///
/// # Errors
/// As [`run`].
#[cfg(feature = "tools")]
pub fn report(args: &Gate) -> Result<Report> {
    let offline = crate::cli::settings::Typed::default().with("offline", &true);
    judge(args, &Settings::resolve(&offline, Path::new(""))?).map(|(report, _)| report)
}

/// Runs everything that a gate is asked for.
fn judge(args: &Gate, settings: &Settings) -> Result<(Report, Stream)> {
    let criteria = read_criteria(args, settings)?;
    let manifest = args.manifest.as_deref().map(|path| {
        let (input, fault) = read_judged(path, "the manifest")?;
        let faulty = |fault| Manifest { faults: vec![fault], ..Manifest::default() };
        let manifest = fault.map_or_else(|| manifest::read(&input.text), faulty);
        Ok((input, manifest))
    });
    let manifest = manifest.transpose()?;
    // The ledger comes first, then the manifest, which keeps nothing from being looked at, then the criteria of the file.
    let ledger = args.ledger.as_ref().map(|_| Criterion::new("ledger", Kind::Ledger, OnFail::Fail));
    let says = manifest.as_ref().filter(|(_, manifest)| !manifest.claims.is_empty() || !manifest.faults.is_empty());
    let claims =
        says.map(|(input, _)| Criterion::new(format!("{MANIFEST}{}", input.path), Kind::Manifest, OnFail::Retry));
    let list: Vec<Criterion> = ledger.into_iter().chain(claims).chain(criteria.criteria.iter().cloned()).collect();
    let (reworked, events) = open_events(args)?;
    let (seq, reworked) = reworked.unzip();
    let mut workshop = Workshop {
        args,
        criteria: &criteria,
        settings,
        corpus: args.corpus.as_deref().map(|path| input::folder("--corpus", path)).transpose()?,
        ledger: None,
        manifest,
        claims: Vec::new(),
        noted: HashSet::new(),
        events,
        seq: seq.unwrap_or_default(),
        failed: None,
    };
    let outcome = run::run(&list, args.allow_empty, reworked, &mut workshop);
    if let Some(error) = workshop.failed {
        return Err(error);
    }
    let events = args.events.as_ref().map_or("the events".into(), |path| path.to_string_lossy());
    let outcome = outcome.map_err(|why| Error::input(format!("{events}: cannot be written: {why}")))?;
    Ok(make_report(outcome, workshop))
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

/// A run that is reworked: its number of events, and its gate.
type Reworked = (u64, Failed);

/// The run that is reworked, and the file where events go.
fn open_events(args: &Gate) -> Result<(Option<Reworked>, Option<File>)> {
    let Some(path) = args.events.as_deref().filter(|path| *path != Path::new(input::STANDARD)) else {
        let unfit = || Error::usage("--rework needs the events in a file");
        return (!args.rework).then_some((None, None)).ok_or_else(unfit);
    };
    let past = if args.rework {
        let log = input::read(path)?;
        let past = read_log(&log.text);
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
    let (verdict, absent, standing) = match outcome.state {
        State::Completed => (Verdict::Accepted, Code::EvidenceAbsent, Standing::Verified),
        State::Disputed => (Verdict::Disputed, Code::Disputed, Standing::Disputed),
        _ => (Verdict::Rejected, Code::EvidenceAbsent, Standing::Rework),
    };
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
        let each = claims.iter_mut().zip(&manifest.claims);
        for (claim, written) in each.filter(|(claim, _)| claim.verdict != Standing::Verified) {
            claim.verdict = standing;
            let message = format!("claim `{}`, {}: {}", claim.id, claim.evidence, claim.reasons.join("; "));
            findings.push(Finding::new(absent, message).at(written.span).in_file(&input.path));
        }
        let corpus = args.corpus.as_ref().map_or_else(String::new, |path| path.display().to_string());
        report.manifest = Some(ManifestReport { path: input.path.clone(), corpus, claims });
        others.push(input);
    }
    let asked = args.criteria.as_ref().map(|path| Input { path: path.display().to_string(), text: "".into() });
    let nothing = outcome.results.is_empty();
    if nothing && verdict != Verdict::Accepted {
        let message = "there is nothing to check: no criteria is not a pass";
        findings.push(Finding::new(Code::CriterionFailed, message).remedy("add criteria, or say --allow-empty"));
    }
    for result in &outcome.results {
        let (name, first) = (&result.name, result.evidence.lines().next().unwrap_or_default());
        let own = name == "ledger" || name.starts_with(MANIFEST);
        let failed = (result.status != Status::Passed && !own)
            .then(|| (Code::CriterionFailed, format!("criterion `{name}` {}: {first}", result.status.as_str())));
        let questions = result.questions.iter().map(|question| {
            (Code::JudgeQuestion, format!("criterion `{name}`: {} ({}%)", question.message, question.confidence))
        });
        let told = failed.into_iter().chain(questions).map(|(code, message)| Finding::new(code, message));
        findings.extend(told.map(|finding| Finding { file: asked.as_ref().map(|file| file.path.clone()), ..finding }));
    }
    if verdict == Verdict::Disputed && report.manifest.is_none() {
        let message = "three rounds of rework have failed";
        findings.push(Finding::new(Code::Disputed, message).remedy("somebody has to decide"));
    }
    // A ledger alone is its own report.
    let more = nothing || outcome.results.iter().any(|result| result.name != "ledger") || asked.is_some();
    report.criteria = more.then_some(outcome);
    // Findings without a file are about what was asked for.
    let document = document.or(asked).or_else(|| others.pop()).unwrap_or_default();
    let checked = Checked::new(document, &others, &findings);
    let texts = checked.texts();
    report.findings = findings.iter().map(|finding| texts.locate(finding)).collect();
    (report, Stream { documents: vec![checked], fail_on: Some(Severity::Error), ..Stream::default() })
}

/// What a gate acts on.
struct Workshop<'g> {
    args: &'g Gate,
    criteria: &'g Criteria,
    settings: &'g Settings,
    corpus: Option<PathBuf>,
    /// What the ledger gave when it was last looked at.
    ledger: Option<(Input, Examined)>,
    manifest: Option<(Input, Manifest)>,
    /// What the claims of the manifest gave when they were last looked at.
    claims: Vec<ManifestClaim>,
    /// Manifests of plugins of which a note was given.
    noted: HashSet<PathBuf>,
    /// Where events go, when they are asked for; without a file they go to standard output.
    events: Option<File>,
    /// Events so far.
    seq: u64,
    /// The error that ended the run, if one did.
    failed: Option<Error>,
}

impl World for Workshop<'_> {
    fn evaluate(&mut self, criterion: &Criterion) -> CriterionResult {
        let began = Instant::now();
        let shown = |looked: Looked<Shown>| {
            let (status, evidence) = looked.unwrap_or_else(|early| early);
            CriterionResult::new(&criterion.name, status, evidence)
        };
        let error = |why: String| shown(Err((Status::Error, why)));
        let command = |line: &str| self.program(Program::shell(line), criterion, &Inputs::new());
        let mut result = match criterion.kind {
            Kind::Command => command(&criterion.check),
            Kind::Script => self.script(criterion).unwrap_or_else(error),
            Kind::Assertion => match Assertion::read(&criterion.check) {
                Ok(Assertion { look: Look::ExitZero, of: line, .. }) => command(&line),
                Ok(assertion) => shown(self.assertion(&assertion)),
                Err(why) => error(why),
            },
            Kind::Agent => self.judge(criterion).unwrap_or_else(error),
            Kind::Ledger => shown(Ok(self.ledger())),
            Kind::Manifest => shown(Ok(self.manifest())),
        };
        result.duration_ms = began.elapsed().as_millis() as u64;
        result
    }

    fn fix(&mut self, role: &str, failed: &[CriterionResult]) -> FixResult {
        let line = self.criteria.fixers.get(role).cloned().unwrap_or_default();
        let names: Vec<&str> = failed.iter().map(|result| result.name.as_str()).collect();
        let variables =
            vec![("CITED_FIX_ROLE".to_owned(), role.to_owned()), ("CITED_FIX_CRITERIA".to_owned(), names.join("\n"))];
        // As long as the longest of the criteria that it mends.
        let mends = self.criteria.criteria.iter().filter(|criterion| names.contains(&criterion.name.as_str()));
        let timeout = mends.map(Criterion::time).max().unwrap_or(TIMEOUT);
        let input = serde_json::to_vec(failed).unwrap_or_default();
        let ended = self.run(Program::shell(&line), variables, input, timeout);
        FixResult {
            role: role.to_owned(),
            finished: ended.exit_code() == Some(0),
            evidence: ended.evidence(timeout),
            duration_ms: ended.duration.as_millis() as u64,
        }
    }

    fn keep(&mut self, event: Event) -> std::result::Result<(), String> {
        if self.args.events.is_none() {
            return Ok(());
        }
        self.seq += 1;
        let line = Line { seq: self.seq, event, at: (self.settings.fetch.clock)() };
        let text = serde_json::to_string(&line).map_err(|error| error.to_string())? + "\n";
        match &mut self.events {
            None => output::print(&text).map_err(|error| error.to_string()),
            // An event is on disk before what follows from it happens.
            Some(file) => {
                file.write_all(text.as_bytes()).and_then(|()| file.sync_data()).map_err(|error| error.to_string())
            }
        }
    }
}

impl Workshop<'_> {
    /// Runs a program of the user's, with nothing of this process's environment but what the criteria allow.
    fn run(&self, program: Program, variables: Vec<(String, String)>, input: Vec<u8>, timeout: Duration) -> Ended {
        let (folder, allowed) = (Path::new("."), &self.criteria.environment);
        process::run(Job { program, folder, allowed, variables, input, timeout, output: process::SHOWABLE })
    }

    fn program(&self, program: Program, criterion: &Criterion, inputs: &Inputs) -> CriterionResult {
        let mut variables = plugin::variables(inputs);
        let artifact = self.args.artifact.as_ref().map(|path| path.display().to_string());
        variables.extend(artifact.map(|path| ("CITED_ARTIFACT".to_owned(), path)));
        let input = if inputs.is_empty() { Vec::new() } else { serde_json::to_vec(inputs).unwrap_or_default() };
        let ended = self.run(program, variables, input, criterion.time());
        let status = match &ended.end {
            process::End::Exit(0) => Status::Passed,
            process::End::Exit(_) => Status::Failed,
            // It did not say no: it could not be asked to the end.
            _ => Status::Error,
        };
        let result = CriterionResult::new(&criterion.name, status, ended.evidence(criterion.time()));
        CriterionResult { exit_code: ended.exit_code(), ..result }
    }

    /// Runs a plugin. Plugins lie beside the criteria file, then in the working folder; in `criteria`, then in `plugins/criteria`. The error
    /// says why it cannot be run.
    fn script(&mut self, criterion: &Criterion) -> std::result::Result<CriterionResult, String> {
        let name = &criterion.check;
        let roots = self.args.criteria.as_deref().and_then(Path::parent).into_iter().chain([Path::new("")]);
        let places = roots.flat_map(|root| ["criteria", "plugins/criteria"].map(|place| root.join(place).join(name)));
        // The two roots are one where the criteria lie in the working folder.
        let folders = citation::each_once(places);
        let Some(folder) = folders.iter().find(|folder| folder.join("plugin.json").is_file()) else {
            let looked: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
            return Err(format!("no plugin `{name}`: no plugin.json in {}", looked.join(" or ")));
        };
        let manifest = folder.join("plugin.json");
        let wrong = |why: String| format!("{}: {why}", manifest.display());
        let text = std::fs::read_to_string(&manifest).map_err(|error| wrong(error.to_string()))?;
        let plugin = plugin::read(&text, name).map_err(wrong)?;
        let unknown = plugin.unknown().join("`, `");
        if !unknown.is_empty() && self.noted.insert(manifest.clone()) {
            say(format_args!("note: {}: `{unknown}` is not known here and does nothing\n", manifest.display()));
        }
        let root = folder.canonicalize().map_err(|error| wrong(error.to_string()))?;
        let outside = || wrong(format!("its entrypoint `{}` is not in its folder", plugin.entrypoint));
        let entry = input::inside(&root, &plugin.entrypoint).ok_or_else(outside)?;
        let inputs = plugin::inputs(&plugin, &criterion.inputs)?;
        Ok(self.program(Program(entry, Vec::new()), criterion, &inputs))
    }

    fn assertion(&self, assertion: &Assertion) -> Looked<Shown> {
        let held = |holds: bool| if holds { Status::Passed } else { Status::Failed };
        let Assertion { look, pattern, of: path } = assertion;
        Ok(match look {
            Look::FileExists | Look::FileNotEmpty => {
                let (_, bytes) = Self::file(path)?;
                (held(bytes > 0 || *look == Look::FileExists), format!("{path} has {bytes} bytes"))
            }
            Look::Regex => {
                let found = pattern.is_match(&Self::bytes(path)?);
                (held(found), format!("{path} {} `{pattern}`", if found { "has" } else { "has not" }))
            }
            Look::JsonValid => match serde_json::from_slice::<serde::de::IgnoredAny>(&Self::bytes(path)?) {
                Ok(_) => (Status::Passed, format!("{path} is JSON")),
                Err(error) => (Status::Failed, format!("{path} is no JSON: {error}")),
            },
            // Runs a program; see `evaluate`.
            Look::ExitZero => (Status::Error, "is a program".to_owned()),
            Look::NoOrphans => Self::orphans(path)?,
            Look::SourcesLive | Look::Supported => {
                let support = matches!(look, Look::Supported);
                // That a run could not be made proves nothing.
                self.run_on(&Self::file(path)?.0, support).map_err(|error| (Status::Error, error.to_string()))?
            }
        })
    }

    /// The place and the size of a file that must be there.
    fn file(path: &str) -> Looked<(PathBuf, u64)> {
        let place = PathBuf::from(path);
        match place.metadata() {
            Ok(metadata) if metadata.is_file() => Ok((place, metadata.len())),
            _ => Err((Status::Failed, format!("{path} is no file"))),
        }
    }

    fn bytes(path: &str) -> Looked<Vec<u8>> {
        input::read_bounded(&Self::file(path)?.0, LARGEST).map_err(|why| (Status::Error, format!("{path} {why}")))
    }

    /// Citations of a document without an entry, and entries without a citation.
    fn orphans(path: &str) -> Looked<Shown> {
        const ORPHANS: [Code; 4] =
            [Code::OrphanCitation, Code::OrphanSource, Code::AmbiguousCitation, Code::UnresolvableMarker];
        let text = String::from_utf8(Self::bytes(path)?);
        let text = text.map_err(|_| (Status::Error, format!("{path} is not UTF-8")))?;
        let findings = structure(&citation::read(&Document::read(text), &KnownLabels::default()));
        let orphans = findings.iter().filter(|finding| ORPHANS.contains(&finding.code));
        let orphans: Vec<&str> = orphans.map(|finding| finding.message.as_str()).collect();
        Ok(match orphans.join("\n") {
            none if none.is_empty() => (Status::Passed, "no orphans".to_owned()),
            orphans => (Status::Failed, orphans),
        })
    }

    /// What a run over a document shows: whether its sources are there, or `support` what it says. What could not be asked proves nothing: an error,
    /// never a pass.
    fn run_on(&self, place: &Path, support: bool) -> Result<Shown> {
        let draft = input::read_draft(place)?;
        let research = input::research(place, &[], &[])?;
        let setup = Setup::asking(self.settings, &SILENT)?;
        let paths = std::iter::once(place).chain(research.iter().map(|input| Path::new(&input.path)));
        let artifact = input::artifacts(paths, vec![place.to_path_buf()]);
        let options = pipeline::Options { support, artifact, ..setup.options.clone() };
        let run = block_on(async { pipeline::verify(&draft, &research, &*setup.network, &options, &|_| {}).await })?;
        let (sources, claims) = (&run.record.sources, &run.record.verifications);
        let unasked = sources.iter().filter(|source| source.outcome.is_unknown());
        let unasked: HashSet<&str> = unasked.map(|source| source.url.as_str()).collect();
        let of_claim = |claim: &Verification| {
            // A source that could not be asked may support it, where none that was read says otherwise.
            let said = &claim.sources_reconciled;
            let contradicted = said.iter().any(|source| source.verdict == cited_judge::Standing::Contradicted);
            let may_be_shown = !contradicted && said.iter().any(|source| unasked.contains(source.source_url.as_str()));
            let status = if run.blocked.is_some() || may_be_shown { Status::Error } else { Status::Failed };
            let line = format!("line {}: “{}”: {}", claim.line, claim.claim_text, claim.notes);
            (if claim.verified { Status::Passed } else { status }, line)
        };
        let of_source = |source: &SourceRecord| {
            let status = match source.outcome {
                outcome::Outcome::Live | outcome::Outcome::Moved => Status::Passed,
                outcome::Outcome::Dead | outcome::Outcome::Archived => Status::Failed,
                _ => Status::Error,
            };
            (status, format!("{}: {} ({})", source.url, source.outcome.in_words(&source.rule), source.reason))
        };
        // What is listed and cited by nothing was not asked, and nobody leans on it.
        let sources = sources.iter().filter(|source| source.number.is_some() && !support).map(of_source);
        let claims = claims.iter().filter(|claim| claim.kind.must_have_source() && support).map(of_claim);
        let all: Vec<Shown> = sources.chain(claims).collect();
        let of = |status| all.iter().filter(|(own, _)| *own == status).map(|(_, line)| &**line).collect::<Vec<_>>();
        let (wrong, unknown) = (of(Status::Failed), of(Status::Error));
        let (nothing, what) = if support {
            ("the document has no claim that must have a source: nothing was supported", "claims are supported")
        } else {
            ("the document has no source that could be asked", "sources are there")
        };
        Ok(match (wrong.is_empty(), unknown.is_empty(), all.len()) {
            (false, ..) => (Status::Failed, wrong.join("\n")),
            (true, false, _) => (Status::Error, unknown.join("\n")),
            (true, true, 0) => (Status::Error, nothing.to_owned()),
            (true, true, good) => (Status::Passed, format!("{good} {what}")),
        })
    }

    /// Asks a judge; an answer that cannot be read is asked for once more. The error says why there is none.
    fn judge(&self, criterion: &Criterion) -> std::result::Result<CriterionResult, String> {
        let agent = self.criteria.agent.as_ref().ok_or(
            "no judge is given; name one with --agent COMMAND|URL, or as `agent` in the criteria file or the settings",
        )?;
        let (AgentEntry::Command(named) | AgentEntry::Endpoint(named)) = agent;
        let mut lent = Lent::open("agent", named, self.settings).map_err(|error| error.to_string())?;
        lent.allowed.clone_from(&self.criteria.environment);
        if lent.address.is_some() != matches!(agent, AgentEntry::Endpoint(_)) {
            return Err("an endpoint, and nothing else, must be an http or https address".to_owned());
        }
        if lent.address.is_some() && self.settings.fetch.offline {
            return Err("the judge gave no answer: --offline asks nobody".to_owned());
        }
        let question = Question::new(&criterion.name, &criterion.check, self.artifact()?);
        let question = serde_json::to_vec(&question).map_err(|_| "the question cannot be written")?;
        let mut why = String::new();
        for _ in 0..2 {
            let answer = lent.ask(question.clone(), criterion.time(), LONGEST_ANSWER);
            match agent::weigh(&criterion.name, &answer.map_err(|why| format!("the judge gave no answer: {why}"))?) {
                Ok(result) => return Ok(result),
                Err(wrong) => why = wrong,
            }
        }
        Err(format!("asked twice: {why}"))
    }

    /// The artifact under test: the file that was named, else the ledger's summary.
    fn artifact(&self) -> std::result::Result<String, String> {
        let Gate { artifact, ledger, .. } = self.args;
        let Some(path) = artifact.as_ref().or(ledger.as_ref()) else {
            // A command sees the folder that it runs in; whoever is asked elsewhere sees nothing.
            let is_there = matches!(self.criteria.agent, Some(AgentEntry::Command(_)));
            let unnamed = || "there is no artifact to judge; name one with --artifact".to_owned();
            return is_there.then(String::new).ok_or_else(unnamed);
        };
        let text = input::read(path).map_err(|error| error.to_string())?.text;
        Ok(if artifact.is_some() { text.to_string() } else { ledger::read(&text).summary })
    }

    /// Examines the ledger. One that is not there, or is no text, falls short.
    fn ledger(&mut self) -> Shown {
        let (input, examined) = match self.examine_ledger() {
            Ok(examined) => examined,
            Err(error) => {
                let why = error.to_string();
                self.failed.get_or_insert(error);
                return (Status::Error, why);
            }
        };
        let stats = examined.report.stats;
        let evidence = format!(
            "{} of {} claims verified, {} of {} covered, {} findings",
            stats.verified,
            stats.claims,
            stats.covered,
            stats.required,
            examined.findings.len()
        );
        let status = if examined.accepted() { Status::Passed } else { Status::Failed };
        self.ledger = Some((input, examined));
        (status, evidence)
    }

    fn examine_ledger(&self) -> Result<(Input, Examined)> {
        let Workshop { args, settings, .. } = self;
        let (input, fault) = read_judged(args.ledger.as_deref().unwrap_or(Path::new("")), "the ledger")?;
        let sha256 = fault.is_none().then(|| sha256_hex(input.text.as_bytes()));
        let faulty = |fault| Ledger { faults: vec![fault], ..Ledger::default() };
        let ledger = fault.map_or_else(|| ledger::read(&input.text), faulty);
        let metrics = if args.metrics.is_empty() { &settings.metrics } else { &args.metrics };
        let callers = evidence::callers_metrics(metrics)?;
        let evidence = Evidence {
            sources: evidence::sources(args, &checked(args))?,
            metrics: collect_metrics(&ledger, &input.path, callers, args.trusted_metrics_only),
            engine: evidence::load(&args.data)?,
            allow_empty: args.allow_empty,
        };
        let examined = examine(&ledger, &input.path, sha256, evidence)?;
        Ok((input, examined))
    }

    fn manifest(&mut self) -> Shown {
        let Some((_, manifest)) = &self.manifest else { return (Status::Error, "no manifest is given".to_owned()) };
        let mut unasked = 0;
        let look = |claim: &manifest::Claim| {
            let manifest::Claim { id, text, evidence, text_sha256: expected, .. } = claim.clone();
            let (reasons, text_sha256) = match self.read_cited_text(claim) {
                Err((status, why)) => {
                    unasked += usize::from(status == Status::Error);
                    (vec![why], None)
                }
                Ok(there) => {
                    let sha256 = sha256_hex(there.as_bytes());
                    let wrong_hash = manifest::check_hash(expected.as_deref(), &sha256).into_iter();
                    (wrong_hash.chain(manifest::check(&text, &there, &evidence)).collect(), Some(sha256))
                }
            };
            let verdict = if reasons.is_empty() { Standing::Verified } else { Standing::Rework };
            ManifestClaim { id, text, evidence, verdict, reasons, text_sha256 }
        };
        let claims: Vec<ManifestClaim> = manifest.claims.iter().map(look).collect();
        let verified = claims.iter().filter(|claim| claim.verdict == Standing::Verified).count();
        let status = match claims.len() - verified {
            _ if !manifest.faults.is_empty() => Status::Failed,
            0 => Status::Passed,
            fallen if fallen == unasked => Status::Error,
            _ => Status::Failed,
        };
        let evidence = format!("{verified} of {} claims verified", claims.len());
        self.claims = claims;
        (status, evidence)
    }

    /// The text at the place of a claim. What nobody could be asked about is an error: it is not disproven.
    fn read_cited_text(&self, claim: &manifest::Claim) -> Looked<String> {
        let failed = |why: String| (Status::Failed, why);
        let unasked = |why: String| (Status::Error, why);
        let place = Locator::read(&claim.evidence).map_err(failed)?;
        let Locator::Address(address) = &place else {
            let corpus = self.corpus.as_ref().ok_or_else(|| unasked("no corpus is given".to_owned()))?;
            return evidence::text_at(corpus, &place).map_err(failed);
        };
        let asked = Setup::asking(self.settings, &SILENT).and_then(|setup| setup.fetch(address, vec![&claim.text]));
        let fetched = asked.map_err(|error| unasked(error.to_string()))?;
        let status = if fetched.outcome.is_proven_dead() { Status::Failed } else { Status::Error };
        let why = format!("{address}: {} ({})", fetched.in_words(), fetched.reason);
        let is_readable = fetched.outcome.is_readable();
        fetched.page.filter(|_| is_readable).map(|page| page.text).ok_or((status, why))
    }
}

/// The files that are checked.
fn checked(args: &Gate) -> Vec<&Path> {
    let files = args.ledger.iter().chain(&args.manifest).chain(&args.criteria).chain(&args.artifact);
    files.map(PathBuf::as_path).collect()
}

/// What is judged, with a fault when it is not there or is no text: what should have written it did not, so it falls short,
/// which is no error of ours.
fn read_judged(path: &Path, what: &str) -> Result<(Input, Option<Finding>)> {
    let nothing = |message: String| {
        let input = Input { path: path.display().to_string(), text: "".into() };
        (input, Some(Finding::new(Code::LedgerMalformed, message)))
    };
    if path != Path::new(input::STANDARD) && !path.exists() {
        return Ok(nothing(format!("{what} is not there: nothing is verified; write it, or check the path")));
    }
    match input::read(path) {
        Err(error) if error.is_not_text() => Ok(nothing(format!("{what} is no text: {error}"))),
        input => refuse_own_output(input?).map(|input| (input, None)),
    }
}

/// A gate never runs on its own output: a report says "accepted" and is no evidence for anything.
fn refuse_own_output(input: Input) -> Result<Input> {
    if is_own_output(&input.text) {
        let why = "is what a gate has written; a gate never runs on its own output";
        return Err(Error::usage(format!("{}: {why}", input.path)));
    }
    Ok(input)
}
