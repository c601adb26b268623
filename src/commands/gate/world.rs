//! What a gate acts on: programs, files, judges, the ledger and the manifest.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use regex::bytes::Regex;

use super::corpus::Corpus;
use super::examined::{Judged, examine_ledger};
use crate::cli::gate_args::Gate;
use crate::cli::say;
use crate::cli::settings::Settings;
use crate::cli::values::web_address;
use crate::commands::{artifact, input};
use crate::pipeline::{self, Options};
use crate::setup::lent_command::Access;
use crate::setup::{KEY_VARIABLE, SILENT, Setup, block_on};
use cited_core::check::structure::structure;
use cited_core::citation::{self, KnownLabels};
use cited_core::error::{Error, Result};
use cited_core::finding::Code;
use cited_core::markdown::Document;
use cited_core::outcome::Outcome;
use cited_core::page::sha256_hex;
use cited_gate::criteria::agent::{self, Question};
use cited_gate::criteria::events::Line;
use cited_gate::criteria::plugin::{self, Inputs, Plugin};
use cited_gate::criteria::read::{AgentEntry, TIMEOUT};
use cited_gate::criteria::run::World;
use cited_gate::criteria::{Assertion, Check, Criteria, Criterion, CriterionResult, FixResult, Status};
use cited_gate::manifest::{self, Locator, ManifestClaim, Standing};
use cited_gate::process::{self, Ended, Job, Program};
use cited_report::record::Verification;

/// The largest file that an assertion looks into, in bytes.
const LARGEST: u64 = 256 << 20;
/// The longest answer of a judge, in bytes.
const LONGEST_ANSWER: usize = 1 << 20;

/// What an assertion has shown.
type Shown = std::result::Result<(Status, String), (Status, String)>;

/// What a gate acts on.
pub struct Workshop<'g> {
    pub args: &'g Gate,
    pub criteria: &'g Criteria,
    pub settings: &'g Settings,
    /// Where plugins are looked for, in order.
    pub plugins: Vec<PathBuf>,
    pub folder: PathBuf,
    pub corpus: Option<Corpus>,
    /// What the ledger and the manifest gave when they were last looked at.
    pub judged: Judged,
    pub events: Option<Events>,
    /// The error that ended the run, if one did.
    pub failed: Option<Error>,
}

/// Where events go.
pub enum Events {
    Standard,
    File(std::fs::File),
}

impl World for Workshop<'_> {
    fn evaluate(&mut self, criterion: &Criterion) -> CriterionResult {
        let began = Instant::now();
        let error = |why: String| CriterionResult::new(&criterion.name, Status::Error, why);
        let mut result = match &criterion.check {
            Check::Command(line) | Check::Assertion(Assertion::ExitZero(line)) => {
                self.program(Program::Shell(line.clone()), criterion, &Inputs::new())
            }
            Check::Script(name, inputs) => match self.plugin(name, inputs) {
                Ok((path, inputs)) => self.program(Program::File(path), criterion, &inputs),
                Err(why) => error(why),
            },
            Check::Assertion(assertion) => {
                let (status, evidence) = self.assertion(assertion).unwrap_or_else(|shown| shown);
                CriterionResult::new(&criterion.name, status, evidence)
            }
            Check::Agent(check) => self.judge(criterion, check).unwrap_or_else(error),
            Check::Ledger => self.ledger(),
            Check::ManifestClaim(index) => self.manifest_claim(*index),
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
        let mends = self.criteria.list.iter().filter(|criterion| names.contains(&criterion.name.as_str()));
        let timeout = mends.map(|criterion| criterion.timeout).max().unwrap_or(TIMEOUT);
        let input = serde_json::to_vec(failed).unwrap_or_default();
        let ended = self.run(Program::Shell(line), variables, input, timeout);
        FixResult {
            role: role.to_owned(),
            finished: ended.exit_code() == Some(0),
            evidence: ended.evidence(timeout),
            duration_ms: ended.duration.as_millis() as u64,
        }
    }

    fn keep(&mut self, line: &Line) -> std::result::Result<(), String> {
        let Some(events) = &mut self.events else { return Ok(()) };
        let mut text = serde_json::to_string(line).map_err(|error| error.to_string())?;
        text.push('\n');
        match events {
            Events::Standard => crate::commands::output::print(&text).map_err(|error| error.to_string()),
            // An event is on disk before what follows from it happens.
            Events::File(file) => {
                file.write_all(text.as_bytes()).and_then(|()| file.sync_data()).map_err(|error| error.to_string())
            }
        }
    }

    fn now(&self) -> jiff::Timestamp {
        (self.settings.fetch.clock)()
    }
}

impl Workshop<'_> {
    fn run(&self, program: Program, variables: Vec<(String, String)>, input: Vec<u8>, timeout: Duration) -> Ended {
        let (folder, allowed) = (&self.folder, &self.criteria.environment);
        process::run(Job { program, folder, allowed, variables, input, timeout, output: process::SHOWABLE })
    }

    fn program(&self, program: Program, criterion: &Criterion, inputs: &Inputs) -> CriterionResult {
        let mut variables = plugin::variables(inputs);
        if let Some(path) = &self.args.criteria.artifact {
            variables.push(("CITED_ARTIFACT".to_owned(), path.display().to_string()));
        }
        let input = if inputs.is_empty() { Vec::new() } else { serde_json::to_vec(inputs).unwrap_or_default() };
        let ended = self.run(program, variables, input, criterion.timeout);
        let status = match &ended.end {
            process::End::Exit(0) => Status::Passed,
            process::End::Exit(_) => Status::Failed,
            // It did not say no: it could not be asked to the end.
            _ => Status::Error,
        };
        let mut result = CriterionResult::new(&criterion.name, status, ended.evidence(criterion.timeout));
        result.exit_code = ended.exit_code();
        result
    }

    /// The program of a plugin, and what it is given.
    fn plugin(&self, name: &str, given: &Inputs) -> std::result::Result<(PathBuf, Inputs), String> {
        let (_, entry, plugin) = self.plugin_files(name)?;
        Ok((entry, plugin::inputs(&plugin, given)?))
    }

    /// The manifest and the program of a plugin, and what the manifest says.
    pub(super) fn plugin_files(&self, name: &str) -> std::result::Result<(PathBuf, PathBuf, Plugin), String> {
        let folders: Vec<PathBuf> = self.plugins.iter().map(|folder| folder.join(name)).collect();
        let folder = folders.iter().find(|folder| folder.join("plugin.json").is_file());
        let Some(folder) = folder else {
            let looked: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
            return Err(format!("no plugin `{name}`: no plugin.json in {}", looked.join(" or ")));
        };
        let manifest = folder.join("plugin.json");
        let shown = manifest.display();
        let text = std::fs::read_to_string(&manifest).map_err(|error| format!("{shown}: {error}"))?;
        let plugin = plugin::read(&text, name).map_err(|why| format!("{shown}: {why}"))?;
        let root = folder.canonicalize().map_err(|error| format!("{shown}: {error}"))?;
        let entry = root.join(&plugin.entrypoint).canonicalize();
        let entry = entry.map_err(|_| format!("{shown}: its entrypoint `{}` is not there", plugin.entrypoint))?;
        if !entry.starts_with(&root) {
            return Err(format!("{shown}: its entrypoint `{}` leads out of its folder", plugin.entrypoint));
        }
        Ok((manifest, entry, plugin))
    }

    /// Tells of what manifests of plugins have and nothing here reads.
    pub fn note_plugins(&self) {
        let names = self.criteria.list.iter().filter_map(|criterion| match &criterion.check {
            Check::Script(name, _) => self.plugin_files(name).ok(),
            _ => None,
        });
        for (manifest, _, plugin) in names.filter(|(.., plugin)| !plugin.unknown().is_empty()) {
            let unknown = plugin.unknown().join("`, `");
            say(format_args!("note: {}: `{unknown}` is not known here and does nothing\n", manifest.display()));
        }
    }

    /// What an assertion shows; `Err` where there is nothing that it could be held against.
    fn assertion(&self, assertion: &Assertion) -> Shown {
        let held = |holds: bool| if holds { Status::Passed } else { Status::Failed };
        Ok(match assertion {
            Assertion::FileExists(path) => {
                self.file(path)?;
                (Status::Passed, format!("{path} is there"))
            }
            Assertion::FileNotEmpty(path) => {
                let (_, bytes) = self.file(path)?;
                (held(bytes > 0), format!("{path} has {bytes} bytes"))
            }
            Assertion::Regex(pattern, path) => {
                let regex = Regex::new(pattern).map_err(|error| (Status::Error, error.to_string()))?;
                let found = regex.is_match(&self.bytes(path)?);
                (held(found), format!("{path} {} `{pattern}`", if found { "has" } else { "has not" }))
            }
            Assertion::JsonValid(path) => match serde_json::from_slice::<serde::de::IgnoredAny>(&self.bytes(path)?) {
                Ok(_) => (Status::Passed, format!("{path} is JSON")),
                Err(error) => (Status::Failed, format!("{path} is no JSON: {error}")),
            },
            // Runs a program; see `evaluate`.
            Assertion::ExitZero(_) => (Status::Error, "is a program".to_owned()),
            Assertion::NoOrphans(path) => self.orphans(path)?,
            Assertion::SourcesLive(path) => self.run_on(&self.file(path)?.0, false).map_err(|error| failed(&error))?,
            Assertion::Supported(path) => self.run_on(&self.file(path)?.0, true).map_err(|error| failed(&error))?,
        })
    }

    /// A file and its length.
    fn file(&self, path: &str) -> std::result::Result<(PathBuf, u64), (Status, String)> {
        let place = self.folder.join(path);
        match place.metadata() {
            Ok(metadata) if metadata.is_file() => Ok((place, metadata.len())),
            _ => Err((Status::Failed, format!("{path} is no file"))),
        }
    }

    fn bytes(&self, path: &str) -> std::result::Result<Vec<u8>, (Status, String)> {
        let (place, length) = self.file(path)?;
        if length > LARGEST {
            return Err((Status::Error, format!("{path} is larger than {} MiB", LARGEST >> 20)));
        }
        std::fs::read(&place).map_err(|error| (Status::Error, format!("{path}: {error}")))
    }

    /// Citations of a document without an entry, and entries without a citation.
    fn orphans(&self, path: &str) -> Shown {
        const ORPHANS: [Code; 4] =
            [Code::OrphanCitation, Code::OrphanSource, Code::AmbiguousCitation, Code::UnresolvableMarker];
        let text = String::from_utf8(self.bytes(path)?);
        let text = text.map_err(|_| (Status::Error, format!("{path} is not UTF-8")))?;
        let citations = citation::read(&Document::read(text), &KnownLabels::default());
        let findings = structure(&citations);
        let orphans = findings.iter().filter(|finding| ORPHANS.contains(&finding.code));
        let orphans: Vec<&str> = orphans.map(|finding| finding.message.as_str()).collect();
        Ok(if orphans.is_empty() {
            (Status::Passed, "no orphans".to_owned())
        } else {
            (Status::Failed, orphans.join("\n"))
        })
    }

    /// What a run over a document shows: whether its sources are there, or `support` what it says. What could not be asked proves nothing: an error,
    /// never a pass.
    fn run_on(&self, place: &Path, support: bool) -> Result<(Status, String)> {
        let draft = input::read_draft(place)?;
        let research = input::research(place, &[], &[])?;
        let setup = Setup::asking(self.settings, &SILENT)?;
        let paths = std::iter::once(place).chain(research.iter().map(|input| Path::new(&input.path)));
        let artifact = artifact::lookup(paths, vec![place.to_path_buf()]);
        let options = Options { support, artifact, ..setup.options() };
        let run = block_on(async { pipeline::verify(&draft, &research, setup.fetcher(), &options, &|_| {}).await })?;
        let (mut good, mut wrong, mut unknown) = (0, Vec::new(), Vec::new());
        let (nothing, what) = if support {
            let unasked = run.record.sources.iter().filter(|source| source.outcome.is_unknown());
            let unasked: HashSet<&str> = unasked.map(|source| source.url.as_str()).collect();
            for claim in run.record.verifications.iter().filter(|claim| claim.kind.must_have_source()) {
                let line = format!("line {}: “{}”: {}", claim.line, claim.claim_text, claim.notes);
                if claim.verified {
                    good += 1;
                } else if run.blocked.is_some() || may_be_shown(claim, &unasked) {
                    unknown.push(line);
                } else {
                    wrong.push(line);
                }
            }
            ("the document has no claim that must have a source: nothing was supported", "claims are supported")
        } else {
            // What is listed and cited by nothing was not asked, and nobody leans on it.
            for source in run.record.sources.iter().filter(|source| source.number.is_some()) {
                let line = format!("{}: {} ({})", source.url, source.outcome.in_words(&source.rule), source.reason);
                match source.outcome {
                    Outcome::Live | Outcome::Moved => good += 1,
                    Outcome::Dead | Outcome::Archived => wrong.push(line),
                    _ => unknown.push(line),
                }
            }
            ("the document has no source that could be asked", "sources are there")
        };
        Ok(if !wrong.is_empty() {
            (Status::Failed, wrong.join("\n"))
        } else if !unknown.is_empty() {
            (Status::Error, unknown.join("\n"))
        } else if good == 0 {
            (Status::Error, nothing.to_owned())
        } else {
            (Status::Passed, format!("{good} {what}"))
        })
    }

    /// Asks a judge; an answer that cannot be read is asked for once more. The error says why there is none.
    fn judge(&self, criterion: &Criterion, check: &str) -> std::result::Result<CriterionResult, String> {
        let agent = self.criteria.agent.as_ref().ok_or(
            "no judge is given; name one with --agent COMMAND|URL, or as `agent` in the criteria file or the settings",
        )?;
        let question = Question::new(&criterion.name, check, self.artifact()?);
        let question = serde_json::to_vec(&question).map_err(|_| "the question cannot be written")?;
        let no_answer = |why: String| format!("the judge gave no answer: {why}");
        let mut why = String::new();
        for _ in 0..2 {
            let answer = match agent {
                AgentEntry::Command(line) => {
                    let program = Program::Shell(line.clone());
                    let ended = self.run(program, Vec::new(), question.clone(), criterion.timeout);
                    if ended.exit_code() != Some(0) {
                        return Err(no_answer(ended.evidence(criterion.timeout)));
                    }
                    ended.stdout
                }
                AgentEntry::Endpoint(address) => self.ask(address, &question, criterion.timeout).map_err(no_answer)?,
            };
            match agent::read(&String::from_utf8_lossy(&answer)) {
                Ok(answer) => return Ok(agent::weigh(&criterion.name, answer)),
                Err(wrong) => why = wrong,
            }
        }
        Err(format!("asked twice: {why}"))
    }

    fn ask(&self, address: &str, question: &[u8], timeout: Duration) -> std::result::Result<Vec<u8>, String> {
        if self.settings.fetch.offline {
            return Err("--offline asks nobody".to_owned());
        }
        let address = web_address(address).map_err(|why| format!("the endpoint {why}"))?;
        let access = Access::new(KEY_VARIABLE, self.settings.trusted().map_err(|error| error.to_string())?);
        let answer = access.send(&address, Some(question.to_vec()), timeout, LONGEST_ANSWER);
        answer.map(String::into_bytes).map_err(|why| why.to_string())
    }

    /// The artifact under test: the file that was named, else the ledger's summary.
    fn artifact(&self) -> std::result::Result<String, String> {
        if let Some(path) = &self.args.criteria.artifact {
            return input::read(path).map(|input| input.text.to_string()).map_err(|error| error.to_string());
        }
        let Some(path) = &self.args.ledger else {
            // A command sees the folder that it runs in; whoever is asked elsewhere sees nothing.
            let is_there = matches!(self.criteria.agent, Some(AgentEntry::Command(_)));
            return if is_there {
                Ok(String::new())
            } else {
                Err("there is no artifact to judge; name one with --artifact".to_owned())
            };
        };
        let text = input::read(path).map_err(|error| error.to_string())?.text;
        Ok(cited_gate::ledger::read(&text).summary)
    }

    fn ledger(&mut self) -> CriterionResult {
        let Some(path) = &self.args.ledger else {
            return CriterionResult::new("ledger", Status::Error, "there is none");
        };
        match examine_ledger(path, self.args) {
            Ok((input, examined)) => {
                let stats = examined.report.stats;
                let wrong = examined.findings.len();
                let evidence = format!(
                    "{} of {} claims verified, {} of {} covered, {wrong} findings",
                    stats.verified, stats.claims, stats.covered, stats.required
                );
                let status = if examined.accepted() { Status::Passed } else { Status::Failed };
                self.judged.ledger = Some((input, examined));
                CriterionResult::new("ledger", status, evidence)
            }
            Err(error) => {
                let result = CriterionResult::new("ledger", Status::Error, error.to_string());
                self.failed.get_or_insert(error);
                result
            }
        }
    }

    fn manifest_claim(&mut self, index: usize) -> CriterionResult {
        let Some(claim) = self.judged.manifest.as_ref().and_then(|(_, manifest)| manifest.claims.get(index)).cloned()
        else {
            return CriterionResult::new("manifest:", Status::Failed, "the manifest is not written as one");
        };
        let name = format!("manifest:{}", claim.id);
        let (reasons, text_sha256, asked) = match self.read_cited_text(&claim) {
            Err((asked, why)) => (vec![why], None, asked),
            Ok(text) => {
                let sha256 = sha256_hex(text.as_bytes());
                let wrong_hash = manifest::check_hash(claim.text_sha256.as_deref(), &sha256).into_iter();
                let reasons = wrong_hash.chain(manifest::check(&claim.text, &text, &claim.evidence)).collect();
                (reasons, Some(sha256), true)
            }
        };
        let (status, verdict, shown) = match (reasons.is_empty(), asked) {
            (true, _) => (Status::Passed, Standing::Verified, format!("shown by {}", claim.evidence)),
            (false, true) => (Status::Failed, Standing::Rework, reasons.join("; ")),
            (false, false) => (Status::Error, Standing::Rework, reasons.join("; ")),
        };
        let manifest::Claim { id, text, evidence, .. } = claim;
        self.judged.claims.insert(index, ManifestClaim { id, text, evidence, verdict, reasons, text_sha256 });
        CriterionResult::new(name, status, shown)
    }

    /// The text at the place of a claim. The error says whether somebody was asked: what nobody was asked is not disproven.
    fn read_cited_text(&self, claim: &manifest::Claim) -> std::result::Result<String, (bool, String)> {
        let place = claim.locator.as_ref().map_err(|why| (true, why.clone()))?;
        let Locator::Address(address) = place else {
            let corpus = self.corpus.as_ref().ok_or((false, "no corpus is given".to_owned()))?;
            return corpus.text(place).map_err(|why| (true, why));
        };
        let setup = Setup::asking(self.settings, &SILENT).map_err(|error| (false, error.to_string()))?;
        let fetched = setup.fetch(address, vec![&claim.text]).map_err(|error| (false, error.to_string()))?;
        let outcome = fetched.outcome;
        match fetched.page {
            Some(page) if outcome.is_readable() => Ok(page.text),
            _ => Err((outcome.is_proven_dead(), format!("{address}: {} ({})", fetched.in_words(), fetched.reason))),
        }
    }
}

/// That a run could not be made proves nothing.
fn failed(error: &Error) -> (Status, String) {
    (Status::Error, error.to_string())
}

/// Whether a claim that was not supported may be by a source that could not be asked: none that was read says otherwise.
fn may_be_shown(claim: &Verification, unasked: &HashSet<&str>) -> bool {
    let said = &claim.sources_reconciled;
    let contradicted = said.iter().any(|source| source.verdict == cited_judge::Standing::Contradicted);
    !contradicted && said.iter().any(|source| unasked.contains(source.source_url.as_str()))
}

/// Where plugins lie: beside the criteria file, then in the working folder; in `criteria`, then in `plugins/criteria`.
pub fn plugin_folders(criteria: Option<&Path>, folder: &Path) -> Vec<PathBuf> {
    let roots = criteria.and_then(Path::parent).into_iter().chain([folder]);
    roots.flat_map(|root| [root.join("criteria"), root.join("plugins/criteria")]).collect()
}
