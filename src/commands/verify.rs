//! `cited verify`: the main job, from files to files; with `--find` also sources for the claims that have none, by the search of the user's.
//!
//! What the search gives is only an address. Its page is asked for as any source is, through the same guard, and it is proposed when
//! it was read and supports the claim. Nothing is written but with `--find=write`, which lets a second run cite it as if research
//! notes had named it.

use std::collections::HashMap;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use owo_colors::OwoColorize as _;

use super::input;
use super::output::{self, Plan};
use crate::cli::args::{Find, VerifyFlags, is_text};
use crate::cli::settings::{Settings, Typed};
use crate::cli::{Exit, columns, say};
use crate::pipeline::{self, FOUND, Input, Options, Run};
use crate::setup::lent::{self, Lent};
use crate::setup::{Setup, block_on};
use cited_core::decide::Action;
use cited_core::error::{Error, Result};
use cited_core::finding::{self, Code, Depth, Finding, Severity};
use cited_core::outcome::Fetched;
use cited_core::verdict::Standing;
use cited_judge::SourceText;
use cited_judge::outside::Tally;
use cited_report::difference;
use cited_report::findings::{Checked, Incomplete, Stream, Texts};
use cited_report::printers::{Outcome, pretty as json};
use cited_report::record::{Record, RunVerdict, Verification};
use cited_report::summary;
use cited_report::wording::counted;
use cited_text::escape;

/// Addresses of the search that are read for one claim.
const HITS: usize = 5;
/// Claims that are searched for in one run.
const MOST_CLAIMS: usize = 100;
/// The search is given up when it fails so many times in a row.
const MOST_FAILURES: usize = 2;

/// The options that say what a run reads, decides and writes, each with its value: a run with decisions on its record needs them again.
fn decisive(draft: &str, given: impl Iterator<Item = String>) -> Vec<String> {
    const DECISIVE: &str = "-r -o --research --output --report --config --replay --offline --cache --archive --allow-net --connect-to --cacert \
        --uncited --strict --strict-evidence --notes --style --clauses --support --judge --works --now --force";
    let mut takes = false;
    let mut is_decisive = |argument: &String| {
        let name = argument.split('=').next().unwrap_or_default();
        let is_option = argument.starts_with('-') && argument.len() > 1;
        takes = if is_option {
            DECISIVE.split(' ').any(|known| known == name) || name.starts_with("--on-")
        } else {
            takes && argument != draft
        };
        takes
    };
    given.filter(|argument| is_decisive(argument)).collect()
}

/// Verifies a draft.
///
/// # Errors
/// When it could not be done; then nothing was written.
pub fn run(path: &Path, flags: &VerifyFlags, typed: &Typed) -> Result<Exit> {
    let (how, output) = (flags.find, flags);
    let settings = Settings::resolve(typed, path.parent().unwrap_or(Path::new("")))?;
    let unnamed = || Error::usage("--find needs a search: --search with a command or an address");
    let search = || Lent::open(lent::SEARCH, settings.search.as_deref().ok_or_else(unnamed)?, &settings);
    let search = how.map(|_| search()).transpose()?;
    let draft = input::read_draft(path)?;
    let decisions = settings.work.decisions.as_deref();
    let review = decisions.map(input::decisions).transpose()?;
    let mut plan = Plan::new(path, output, settings.record.as_deref())?;
    let research = input::research(path, &settings.research, &plan.left_before())?;
    let writes = !output.dry_run && !output.diff;
    if !writes {
        // The evidence and the reports are written all the same.
        plan = Plan { brief: None, record: None, provenance: None, backup: None, ..plan };
    }
    let research_paths: Vec<PathBuf> = research.iter().map(|input| PathBuf::from(&input.path)).collect();
    let read = std::iter::once(path).chain(research_paths.iter().map(PathBuf::as_path));
    let inputs = read.clone().skip(usize::from(output.in_place));
    let inputs: Vec<&Path> = inputs.chain(settings.network.replay.as_deref()).chain(decisions).collect();
    output::vet(plan.files(), &inputs)?;
    plan.spare(output.force)?;
    let kept: Vec<&Path> = plan.files().filter(|path| output::keeps(path)).collect();
    let setup = Setup::judging(&settings, &flags.talk)?;
    let never: Vec<PathBuf> = read.clone().chain(plan.files()).map(Path::to_path_buf).collect();
    let options = Options {
        artifact: input::artifacts(read, never),
        review: Arc::new(review.unwrap_or_default()),
        sources_may_be_found: search.is_some(),
        ..setup.options.clone()
    };
    let verify = |research: &[Input]| {
        block_on(async {
            let note = |step: pipeline::Progress<'_>| setup.reporter.note(step);
            pipeline::verify(&draft, research, &setup, &options, &note).await
        })
    };
    let mut run = verify(&research);
    // Whether the network can be had is told by the sources of the draft, and not by what a search gives.
    let down = setup.down();
    if let (Ok(run), Some(search)) = (&mut run, &search) {
        let found = find_sources(search, run, &setup, &options)?;
        if let Some(notes) = notes_of(&found.0).filter(|_| how == Some(Find::Write)) {
            *run = verify(&[&research[..], &[notes]].concat())?;
        }
        tell_found(found, run);
    }
    setup.reporter.bar.finish_and_clear();
    if let Ok(run) = &run {
        setup.keep_passages(&run.record);
    }
    // The evidence is kept whatever became of the run, but nothing that is there already goes for a run that is not complete.
    let complete = run.as_ref().is_ok_and(|run: &Run| run.record.verdict != RunVerdict::Blocked);
    if complete || !plan.evidence.as_deref().is_some_and(|path| kept.contains(&path)) {
        setup.network.finish()?;
    }
    let mut run = run?;
    let withheld = run.withheld.clone().filter(|_| !output.force);
    run.record.not_written = run.record.not_written.take().or(withheld);
    run.record.judge = options.judge.as_ref().map(|panel| panel.tally()).filter(|tally| tally.questions > 0);
    run.record.draft.options = decisive(&path.to_string_lossy(), std::env::args().skip(1));
    if down.is_some() {
        // What nobody could be asked about is one thing to tell and not one a source.
        run.record.findings.retain(|finding| finding.code.depth() == Depth::Structure);
    }
    if run.withheld.is_some() && !output.force {
        // What would go is why the run falls short.
        finding::agree_with_exit(&mut run.record.findings, true);
    }
    let (run, side_car) = (&run, run.provenance(&options, input::plan(path)));
    let held_back = run.record.not_written.as_deref();
    let nothing = || Record { not_written: Some("nothing was to be written".to_owned()), ..run.record.clone() };
    let shown = (!writes && held_back.is_none()).then(nothing);
    let record = shown.as_ref().unwrap_or(&run.record);
    let outcome = outcome_of(record, &draft, &research, (run.blocked.as_deref(), held_back));
    let outcome = &Outcome { provenance: &side_car, ..outcome };
    let (draft, research, kept, down) = (&draft, &*research, &*kept, down.as_deref());
    let (plan, settings) = (&plan, &settings);
    let done = FinishedRun { flags, draft, research, run, held_back, outcome, plan, settings, writes, kept, down };
    let files = done.write(&side_car)?;
    // Which files there are now is told also when standard output is full.
    let printed = done.print();
    if !flags.talk.quiet {
        done.tell(&files);
    }
    printed.map(|()| match run.record.verdict {
        _ if held_back.is_some() => Exit::FallsShort,
        RunVerdict::Blocked => Exit::Blocked,
        RunVerdict::PassWithNotes if settings.policy.strict => Exit::FallsShort,
        RunVerdict::Pass | RunVerdict::PassWithNotes => Exit::Done,
    })
}

/// What there is to print of a run: why it was blocked and why its brief was held back are told in every format.
pub fn outcome_of<'a>(
    record: &'a Record,
    draft: &Input,
    research: &[Input],
    (blocked, held_back): (Option<&str>, Option<&str>),
) -> Outcome<'a> {
    let held_back = held_back.map(|why| format!("the brief was not written: {why}"));
    let reasons = blocked.map(str::to_owned).into_iter().chain(held_back);
    let stream = Stream {
        documents: vec![Checked::new(draft.clone(), research, &record.findings)],
        incomplete: reasons.map(|reason| Incomplete { file: None, reason }).collect(),
        depth: Depth::Support,
        fail_on: Some(Severity::Error),
        ..Stream::default()
    };
    Outcome { stream, record: Some(record), ..Outcome::default() }
}

/// A run that came to its end.
struct FinishedRun<'a> {
    flags: &'a VerifyFlags,
    draft: &'a Input,
    research: &'a [Input],
    run: &'a Run,
    /// Why the brief is not written: the policy asks to fail, or the brief would be no service.
    held_back: Option<&'a str>,
    /// What there is to print.
    outcome: &'a Outcome<'a>,
    plan: &'a Plan,
    settings: &'a Settings,
    /// Whether the brief and its side files may be written.
    writes: bool,
    /// What was there before: a blocked run has written over none of it.
    kept: &'a [&'a Path],
    /// Why nobody can be asked, when nobody can.
    down: Option<&'a str>,
}

impl FinishedRun<'_> {
    /// Writes the results; gives the files that were written. A run without a brief leaves to look at the reports that were asked for and, where
    /// it was held back, its record; a brief that is there stays then, and the record goes on to say whose it is.
    fn write(&self, side_car: &str) -> Result<Vec<PathBuf>> {
        let Plan { brief, record, provenance, backup, .. } = self.plan;
        // A blocked run has nothing to say that is worth what an earlier run found out, and one without a network nothing at all.
        let blocked = self.run.record.verdict == RunVerdict::Blocked;
        let is_kept = |path: &Path| blocked && output::keeps(path);
        let brief_text = &self.run.brief;
        // The record of a run that was held back says whose the brief is that is there.
        let there = record.as_deref().filter(|_| self.held_back.is_some()).map(|record| {
            let hash = output::hash_of_brief(record).filter(|_| brief.as_deref().is_some_and(Path::exists));
            Record { brief_sha256: hash.unwrap_or_default(), ..self.run.record.clone() }
        });
        let json = json(there.as_ref().unwrap_or(&self.run.record))?;
        let mut files: Vec<(&Path, &[u8])> = Vec::new();
        if self.held_back.is_some() {
            let own = record.as_deref().filter(|path| !is_kept(path));
            files.extend(own.map(|path| (path, json.as_bytes())));
        } else if self.down.is_none() && !(blocked && self.plan.exists()) {
            self.plan.spare(self.flags.force)?;
            let unchanged = *brief_text == self.draft.text;
            if let Some(backup) = backup.as_deref().filter(|_| !unchanged) {
                // The draft must not have changed under our hands when it is about to be written over.
                if input::read(Path::new(&self.draft.path))?.text != self.draft.text {
                    let why = "changed while cited was working; nothing was written, run it again";
                    return Err(Error::input(format!("{}: {why}", self.draft.path)));
                }
                files.push((backup, self.draft.text.as_bytes()));
            }
            let brief = brief.as_deref().filter(|_| !(backup.is_some() && unchanged));
            files.extend(brief.map(|path| (path, brief_text.as_bytes())));
            files.extend(record.as_deref().map(|path| (path, json.as_bytes())));
            files.extend(provenance.as_deref().map(|path| (path, side_car.as_bytes())));
        }
        let reports = output::printed(&self.plan.reports, self.outcome)?;
        let reports = reports.iter().filter(|(path, _)| !is_kept(path));
        files.extend(reports.map(|(path, text)| (*path, text.as_bytes())));
        output::write_with(&files, backup.as_deref().map(|backup| (backup, Path::new(&self.draft.path))))?;
        Ok(files.iter().map(|(path, _)| path.to_path_buf()).collect())
    }

    /// Prints what belongs on standard output, and findings.
    fn print(&self) -> Result<()> {
        let (talk, diff, format) = (&self.flags.talk, self.flags.diff, self.settings.format);
        let shows_brief = self.writes && self.plan.brief.is_none();
        // Asked for in a format for programs, findings are a result; as text they are for whoever watches.
        if (talk.verbose && !talk.quiet && self.down.is_none()) || !is_text(format) {
            let findings = (format.print)(self.outcome, talk.verbose)?;
            output::print_beside(&findings, diff || shows_brief)?;
        }
        if diff && self.down.is_none() {
            let (draft, run) = (&self.draft, &self.run);
            // Words that go and words that come are told apart by colour alone.
            let colors = anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
            output::print(&if std::io::stdout().is_terminal() && colors {
                difference::by_words(&draft.text, &run.record.edits)
            } else {
                difference::unified((&draft.path, "the brief"), &draft.text, &run.brief)
            })?;
        } else if shows_brief && self.down.is_none() && self.held_back.is_none() {
            output::print_bytes(self.run.brief.as_bytes())?;
        }
        Ok(())
    }

    /// Says on standard error how the run ended.
    fn tell(&self, files: &[PathBuf]) {
        let written = files.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
        if let Some(why) = self.down {
            let written = if written.is_empty() { "nothing".to_owned() } else { format!("only {written}") };
            let blocked = RunVerdict::Blocked.to_string();
            say(format_args!("{}: {}; {written} was written\n", blocked.red().bold(), summary::shown(why)));
            return;
        }
        let texts = Texts::new(self.draft, self.research);
        say(format_args!(
            "{}",
            summary::of_run(&self.run.record, &texts, self.flags.talk.verbose, !self.writes, columns())
        ));
        let is_withheld = self.run.withheld.is_some() && self.run.withheld == self.run.record.not_written;
        let force = if is_withheld { "; --force writes it" } else { "" };
        let page = self.plan.reports.iter().find(|(_, path)| path.extension().is_some_and(|end| end == "html"));
        let render = |record: &PathBuf| format!("cited render {} -o report.html", record.display());
        let record = || self.plan.record.as_ref().filter(|record| files.contains(record)).map(render);
        let look = page.map(|(_, page)| page.display().to_string()).or_else(record);
        // Evidence is written by runs that write nothing else, too.
        let own = self.plan.files().filter(|_| self.writes && self.held_back.is_none());
        let mut own =
            own.chain(self.plan.evidence.as_deref()).filter(|_| self.run.record.verdict == RunVerdict::Blocked);
        let kept = own.find(|path| self.kept.contains(path)).map(Path::display);
        let record = &self.run.record;
        let lines = [
            self.run.blocked.as_ref().map(|why| format!("checking could not be completed: {}", summary::shown(why))),
            self.held_back.map(|why| format!("the brief was not written: {}{force}", summary::shown(why))),
            (!written.is_empty()).then(|| format!("  wrote     {written}")),
            look.map(|look| format!("  look      {look}      every claim beside its evidence")),
            kept.map(|kept| format!("nothing was written over {kept}: checking could not be completed")),
            record.judge.as_ref().map(|Tally { questions, failures, tokens }| {
                format!("judge: {questions} questions, {failures} without an answer, {tokens} tokens")
            }),
        ];
        lines.into_iter().flatten().for_each(|line| say(format_args!("{line}\n")));
    }
}

/// A source that a search has found for a claim: it was read, and its passage supports the claim.
struct Proposal {
    claim_id: String,
    claim_text: String,
    url: String,
    title: String,
    outcome: &'static str,
    passage: String,
}

/// Looks for sources of the claims of a run that stand on none; gives them in the order of the claims, with what is worth telling of the search itself.
///
/// # Errors
/// When the system gives no threads. A search that fails is told among the findings.
fn find_sources(search: &Lent, run: &Run, setup: &Setup, options: &Options) -> Result<(Vec<Proposal>, Vec<Finding>)> {
    let told = |message: String| Finding::new(Code::SearchFailed, message);
    if run.record.verdict == RunVerdict::Blocked {
        let message = "no source was looked for: checking could not be completed";
        return Ok((Vec::new(), vec![told(message.to_owned())]));
    }
    // A cell says nothing without its table, and is not searched for.
    let needs_source = |claim: &&Verification| {
        claim.kind.must_have_source() && claim.context.is_none() && claim.sources_reconciled.is_empty()
    };
    let wanted: Vec<&Verification> = run.record.verifications.iter().filter(needs_source).collect();
    let (mut proposals, mut pages): (_, HashMap<String, Fetched>) = (Vec::new(), HashMap::new());
    let (mut searched, mut in_a_row, mut failure) = (0, 0, None);
    for claim in wanted.iter().take(MOST_CLAIMS) {
        match search.find(&claim.claim_text, HITS) {
            Ok(hits) => {
                (searched, in_a_row) = (searched + 1, 0);
                for hit in hits {
                    if !pages.contains_key(&hit) {
                        pages.insert(hit.clone(), setup.fetch(&hit, vec![&claim.claim_text])?);
                    }
                    if let Some(proposal) = weigh(claim, hit.clone(), &pages[&hit], options) {
                        proposals.push(proposal);
                        break;
                    }
                }
            }
            Err(why) => (in_a_row, failure) = (in_a_row + 1, Some(format!("the search failed: {why}"))),
        }
        if in_a_row >= MOST_FAILURES {
            break;
        }
    }
    let left = counted(wanted.len() - searched, "claim");
    let limit = || (searched < wanted.len()).then(|| format!("a run searches for {MOST_CLAIMS}"));
    let failed = failure.or_else(limit).map(|why| told(format!("{left} left without a search: {why}")));
    // That pages which could not be looked at say nothing is not known.
    let unknown = pages.iter().filter(|(_, page)| page.outcome.is_unknown());
    let first = unknown.clone().map(|(url, page)| format!("{url} ({}: {})", page.in_words(), page.reason)).min();
    let unread = counted(unknown.count(), "page");
    let unread =
        first.map(|first| told(format!("{unread} that the search gave could not be looked at, such as {first}")));
    Ok((proposals, failed.into_iter().chain(unread).collect()))
}

/// Reads a page that the search has found; a proposal when it supports the claim.
fn weigh(claim: &Verification, url: String, fetched: &Fetched, options: &Options) -> Option<Proposal> {
    let page = fetched.page.as_ref().filter(|page| fetched.outcome.is_readable() && !page.text.is_empty())?;
    let verdict = pipeline::judge_prepared(&claim.claim_text, &SourceText::of_page(page), options);
    let passage = verdict.passage.filter(|_| verdict.standing == Standing::Supported)?;
    Some(Proposal {
        claim_id: claim.claim_id.clone(),
        claim_text: claim.claim_text.clone(),
        url,
        title: page.title.clone().unwrap_or_default(),
        outcome: fetched.outcome.as_str(),
        passage: passage.text,
    })
}

/// Research notes that name what was found on the web, as those of a researcher would; `None` when there is nothing to cite.
fn notes_of(proposals: &[Proposal]) -> Option<Input> {
    let (mut findings, mut sources) = (String::new(), String::new());
    for (number, proposal) in (1..).zip(proposals) {
        let (claim, title) = (escape::inline(&proposal.claim_text), escape::title(&proposal.title));
        let title = if title.is_empty() { String::new() } else { format!("{title} — ") };
        findings.push_str(&format!("- {claim} [{number}]\n"));
        sources.push_str(&format!("{number}. {title}<{}>\n", proposal.url));
    }
    let text = format!("### Findings\n\n{findings}\n### Sources\n\n{sources}");
    (!proposals.is_empty()).then(|| Input { path: FOUND.to_owned(), text: text.into() })
}

/// Says in the findings of a run what was found and is not cited.
fn tell_found((proposals, findings): (Vec<Proposal>, Vec<Finding>), run: &mut Run) {
    for Proposal { claim_id, url, outcome, passage, .. } in proposals {
        let claim = run.record.verifications.iter().find(|claim| claim.claim_id == claim_id);
        let Some(claim) = claim else { continue };
        let cites = claim.sources_reconciled.iter().any(|source| source.source_url == url);
        if claim.verified && cites && matches!(claim.action, Action::Cite | Action::Recite) {
            continue;
        }
        let message = format!("“{}” is confirmed by {url} (“{passage}”)", claim.claim_text);
        let finding = Finding::new(Code::SourceFound, message)
            .at(claim.span)
            .on_claim(claim_id, claim.action.word())
            .on_address(url, outcome, None);
        run.record.findings.push(finding);
    }
    run.record.findings.extend(findings);
}
