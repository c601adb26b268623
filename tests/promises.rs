//! The promises hold for any Markdown and any state of the sources.
//!
//! Ordinary runs look at the same drafts each time. Others: `PROPTEST_CASES=2000 cargo test --test promises`. To see all that is
//! broken, and not the first: `SEARCH=garbage SECONDS=600 cargo test --test promises -- --ignored --nocapture`. What was found and
//! repaired is guarded by the named drafts of `support/found.rs`. One draft: `DRAFT=file SOURCES=LDB cargo test --test promises replay
//! -- --ignored --nocapture`.

#[path = "support/promises.rs"]
mod promises;

#[path = "support/drafts.rs"]
mod drafts;

#[path = "support/found.rs"]
mod found;

#[path = "support/judged.rs"]
mod judged;

#[path = "support/mutation.rs"]
mod mutation;

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use cited::citation::{self, KnownLabels};
use cited::claim;
use cited::decide::Action;
use cited::decide::policy::Treatment;
use cited::fetch::Outcome;
use cited::judge::Standing;
use cited::markdown::Document;
use cited::pipeline::{Input, Options, Style};
use drafts::{block, document, form, garbage, outcomes, research, source_list, written};
use promises::{REFUSED, Script, hold, options};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestError, TestRng, TestRunner};

/// A run to be held against the promises.
#[derive(Debug, Clone)]
struct Case {
    text: String,
    research: Vec<Input>,
    script: Script,
    settings: Settings,
}

/// What a user may ask for.
#[derive(Debug, Clone, Copy)]
struct Settings {
    treatment: Treatment,
    keep: bool,
    notes: bool,
}

impl Case {
    fn new(text: String, script: Script) -> Self {
        let settings = Settings { treatment: Treatment::Drop, keep: false, notes: false };
        Case { text, research: Vec::new(), script, settings }
    }

    fn options(&self) -> Options {
        let mut options = options();
        options.policy.on_dead = self.settings.treatment;
        options.policy.uncited = Some(self.settings.treatment);
        options.style = if self.settings.keep { Style::Keep } else { Style::Numeric };
        options.notes = self.settings.notes;
        options
    }

    fn hold(&self) -> Result<(), String> {
        hold(&self.text, &self.research, &self.script, &self.options())
    }

    /// What is written, or why nothing is.
    fn brief(&self) -> String {
        match promises::run(&self.text, &self.research, &self.script, &self.options()) {
            Ok(run) => run.brief.to_string(),
            Err(error) => error.to_string(),
        }
    }
}

fn documents() -> BoxedStrategy<Case> {
    (document(form()), outcomes(), research())
        .prop_map(|(text, script, research)| Case { research, ..Case::new(text, script) })
        .boxed()
}

fn single_blocks() -> BoxedStrategy<Case> {
    (block(), form(), source_list(), outcomes())
        .prop_map(|(block, form, list, script)| Case::new(format!("{}\n\n{list}\n", written(&block, form)), script))
        .boxed()
}

fn pieces() -> BoxedStrategy<Case> {
    (garbage(), source_list(), garbage(), outcomes())
        .prop_map(|(text, list, tail, script)| Case::new(format!("{text}\n\n{list}\n\n{tail}"), script))
        .boxed()
}

fn mixed_forms() -> BoxedStrategy<Case> {
    (document(Just(None)), outcomes()).prop_map(|(text, script)| Case::new(text, script)).boxed()
}

fn settings() -> BoxedStrategy<Case> {
    let treatments = select(&[Treatment::Mark, Treatment::Todo, Treatment::Keep, Treatment::Drop][..]);
    let settings = (treatments, any::<bool>(), any::<bool>()).prop_map(|(treatment, keep, notes)| Settings {
        treatment,
        keep,
        notes,
    });
    (document(form()), outcomes(), settings)
        .prop_map(|(text, script, settings)| Case { settings, ..Case::new(text, script) })
        .boxed()
}

/// A name and what makes its drafts.
type Search = (&'static str, fn() -> BoxedStrategy<Case>);

const SEARCHES: &[Search] = &[
    ("documents", documents),
    ("blocks", single_blocks),
    ("garbage", pieces),
    ("mixed", mixed_forms),
    ("settings", settings),
];

/// How many of a hundred texts made of pieces of markup may be refused.
const MOST_REFUSED: usize = 10;

/// Holds texts made of pieces of markup against the promises. The few that no manner of writing fits are refused: nothing is
/// written, and so nothing is broken (see docs/decisions.md).
#[track_caller]
fn check_mostly(search: fn() -> BoxedStrategy<Case>, cases: u32) {
    let (held, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    check_with(search, cases, |case| match case.hold() {
        Err(why) if why.starts_with(REFUSED) => {
            refused.fetch_add(1, Relaxed);
            Ok(())
        }
        other => {
            held.fetch_add(1, Relaxed);
            other
        }
    });
    let (held, refused) = (held.into_inner(), refused.into_inner());
    assert!(refused * 100 <= (held + refused) * MOST_REFUSED, "{refused} of {} were refused", held + refused);
}

#[track_caller]
fn check(search: fn() -> BoxedStrategy<Case>, cases: u32) {
    check_with(search, cases, Case::hold);
}

/// Holds `cases` generated drafts against the promises: always the same ones, or as many others as `PROPTEST_CASES` says.
#[track_caller]
fn check_with(search: fn() -> BoxedStrategy<Case>, cases: u32, hold: impl Fn(&Case) -> Result<(), String>) {
    searched(&search(), cases, hold);
}

/// The same for drafts of another kind.
#[track_caller]
fn searched<C: std::fmt::Debug + Clone>(
    search: &BoxedStrategy<C>,
    cases: u32,
    hold: impl Fn(&C) -> Result<(), String>,
) {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    let config = ProptestConfig {
        cases: asked.unwrap_or(cases),
        failure_persistence: None,
        max_shrink_iters: 5_000,
        ..ProptestConfig::default()
    };
    let mut runner = match asked {
        Some(_) => TestRunner::new(config),
        None => TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha)),
    };
    let held = runner.run(search, |case| hold(&case).map_err(TestCaseError::fail));
    match held {
        Err(TestError::Fail(why, case)) => panic!("{why}\n--- found with\n{case:?}"),
        held => held.expect("a search"),
    }
}

#[test]
fn the_promises_hold_for_documents() {
    check(documents, 100);
}

#[test]
fn the_promises_hold_for_single_blocks() {
    check(single_blocks, 200);
}

#[test]
fn the_promises_hold_for_garbage() {
    check_mostly(pieces, 200);
}

#[test]
fn the_promises_hold_for_documents_of_mixed_forms() {
    check(mixed_forms, 100);
}

#[test]
fn the_promises_hold_in_every_setting() {
    check(settings, 100);
}

/// A draft means the same whatever ends its lines, and its brief ends its lines as the draft does.
fn line_ends_mean_nothing(case: &Case) -> Result<(), String> {
    let brief = |eol: &str| {
        let text = case.text.replace("\r\n", "\n").replace('\n', eol);
        let run = promises::run(&text, &case.research, &case.script, &case.options());
        run.map_or_else(|_| "refused".to_owned(), |run| run.brief.to_string())
    };
    let expected = brief("\n");
    for eol in ["\r\n", "\r"] {
        let brief = brief(eol);
        if brief != expected.replace('\n', eol) {
            return Err(format!("with {eol:?}\n{brief}\n--- and with newlines\n{expected}"));
        }
    }
    Ok(())
}

/// Holds a draft whose claims are judged against the promises, with a section of notes or without.
fn judged_holds((text, read): &(String, judged::Read), notes: bool) -> Result<(), String> {
    let options = Options { support: true, notes, ..options() };
    match hold(text, &[], read, &options) {
        Err(why) if why.starts_with(REFUSED) => Ok(()),
        other => other,
    }
}

#[test]
fn the_promises_hold_for_what_is_judged() {
    searched(&judged::judged().boxed(), 300, |case| judged_holds(case, false));
    searched(&judged::judged().boxed(), 50, |case| judged_holds(case, true));
}

/// What is held above is no empty promise: the drafts have claims of each fate.
#[test]
fn drafts_that_are_judged_have_claims_of_each_fate() {
    let fates = ["verified", "contradicted", "absent", "dead", "unknown", "re-cited"];
    let counts = fates.map(|_| AtomicUsize::new(0));
    searched(&judged::judged().boxed(), 60, |(text, read)| {
        let options = Options { support: true, ..options() };
        let Ok(run) = promises::run(text, &[], read, &options) else { return Ok(()) };
        for verification in &run.record.verifications {
            let gone = verification.action.removes();
            let said = |what: Standing| verification.sources_reconciled.iter().any(|said| said.verdict == what);
            let fate = [
                verification.verified,
                gone && said(Standing::Contradicted),
                verification.action == Action::Mark && said(Standing::Unverifiable),
                gone && verification.notes.starts_with("dead source"),
                !gone && said(Standing::Unchecked),
                verification.action == Action::Recite,
            ];
            counts.iter().zip(fate).for_each(|(count, is)| _ = count.fetch_add(usize::from(is), Relaxed));
        }
        Ok(())
    });
    for (fate, count) in fates.iter().zip(counts) {
        assert!(count.into_inner() > 0, "no claim is {fate}");
    }
}

/// Where claims are judged: drafts that broke a promise once.
#[test]
fn what_was_found_where_claims_are_judged_stays_repaired() {
    use Outcome::{Dead, Live};
    let list = "\n\n## Sources\n\n1. Title 1 — https://s1.example/1\n2. Title 2 — https://s2.example/2\n";
    let page = |text: &str| (text.to_owned(), true);
    let found = [(
        "an instruction that is a statement beside fewer sentences",
        "- [ ] Heat v1.2.3. Heat heat.[[2]](https://s2.example/2)Heat heat. Heat heat [[3]](https://s3.example/3).",
        [Live, Live, Dead],
        ["", "The Alder plant made 4,317 tonnes of steel in 2019.\n\nThe weather was mild that year.\n", ""],
    )];
    for (name, text, outcomes, pages) in found {
        let read = judged::Read { script: Script(outcomes.to_vec()), pages: pages.map(page).to_vec() };
        assert_eq!(judged_holds(&(format!("{text}{list}"), read), false), Ok(()), "{name}");
    }
}

#[test]
fn documents_may_end_their_lines_in_any_way() {
    check_with(settings, 60, line_ends_mean_nothing);
}

#[test]
fn garbage_may_end_its_lines_in_any_way() {
    check_with(pieces, 60, line_ends_mean_nothing);
}

/// Goes on after each finding, and prints them all, each made small.
#[test]
#[ignore = "a search for findings, not a guard"]
fn search() {
    let named = std::env::var("SEARCH").unwrap_or_default();
    let seconds = std::env::var("SECONDS").ok().and_then(|seconds| seconds.parse().ok()).unwrap_or(60);
    for (name, search) in SEARCHES.iter().filter(|(name, _)| named.is_empty() || named == *name) {
        let (mut cases, mut findings, mut refused) = (0, 0, 0);
        let mut runner = TestRunner::new(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() });
        let strategy = search();
        let start = std::time::Instant::now();
        while start.elapsed().as_secs() < seconds {
            let tree = strategy.new_tree(&mut runner).expect("a case");
            cases += 1;
            let case = tree.current();
            let Err(why) = case.hold() else { continue };
            findings += 1;
            refused += usize::from(why.starts_with(REFUSED));
            let (case, why) = smaller(case, why);
            println!("=== {name} {findings} in {cases}: {why}\n--- found with\n{case:?}");
        }
        println!("=== {name}: {findings} findings in {cases} cases, {refused} of them refused");
    }
}

/// What a complaint says, without the numbers and words of its draft.
fn sort_of(why: &str) -> String {
    let line = why.lines().next().unwrap_or_default();
    let line = line.split_once("written: ").map_or(line, |(_, line)| line);
    line.split(": ").next().unwrap_or_default().chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// A smaller case with the same sort of complaint: without lines, then without words, as far as that goes.
fn smaller(mut case: Case, mut why: String) -> (Case, String) {
    let mut tries = 2_000;
    let mut take = |case: &mut Case, smaller: Case| {
        tries -= 1;
        match smaller.hold() {
            Err(found) if tries > 0 && sort_of(&found) == sort_of(&why) => {
                (*case, why) = (smaller, found);
                true
            }
            _ => false,
        }
    };
    let bare = Case { research: Vec::new(), ..case.clone() };
    take(&mut case, bare);
    let plain = Case { text: case.text.replace('\r', ""), ..case.clone() };
    take(&mut case, plain);
    for separator in ["\n", " "] {
        let mut length = case.text.split(separator).count().div_ceil(2);
        while length > 0 {
            let mut at = 0;
            while at < case.text.split(separator).count() {
                let parts: Vec<&str> = case.text.split(separator).collect();
                let kept = [&parts[..at], &parts[(at + length).min(parts.len())..]].concat().join(separator);
                let shorter = Case { text: kept, ..case.clone() };
                if shorter.text.len() == case.text.len() || !take(&mut case, shorter) {
                    at += length;
                }
            }
            length = if length == 1 { 0 } else { length.div_ceil(2) };
        }
    }
    (case, why)
}

/// The drafts of the cases, damaged at random. The long form, on reports of your own: `cargo run --release --package xtask -- mutate`.
#[test]
fn damaged_drafts_make_no_panic() {
    let mut paths: Vec<_> = std::fs::read_dir("tests/cases").expect("the cases").filter_map(Result::ok).collect();
    paths.sort_by_key(std::fs::DirEntry::path);
    let drafts = paths.iter().filter_map(|case| std::fs::read_to_string(case.path().join("draft.md")).ok());
    let drafts: Vec<String> = drafts.collect();
    for (seed, draft) in drafts.iter().enumerate() {
        let mut chance = mutation::Chance::new(seed as u64);
        let text = mutation::mutated(draft, &drafts[(seed * 7 + 1) % drafts.len()], &mut chance);
        let options = mutation::asked_for(&mut chance);
        if let Err((mutation::Fault::Panic, words)) = mutation::run(&text, &options) {
            panic!("{words}\n--- draft\n{text}");
        }
    }
}

/// One draft of a finding: `DRAFT=file SOURCES=LDB TREATMENT=mark STYLE=keep NOTES=1`, a letter for each source.
#[test]
#[ignore = "shows one draft, and guards nothing"]
fn replay() {
    let setting = |name: &str| std::env::var(name).unwrap_or_default();
    let text = std::fs::read_to_string(setting("DRAFT")).expect("DRAFT names a file");
    let sources = setting("SOURCES");
    let outcomes = sources.chars().map(|letter| match letter {
        'D' => Outcome::Dead,
        'B' => Outcome::Blocked,
        _ => Outcome::Live,
    });
    let treatment = match setting("TREATMENT").as_str() {
        "mark" => Treatment::Mark,
        "todo" => Treatment::Todo,
        "keep" => Treatment::Keep,
        _ => Treatment::Drop,
    };
    let settings = Settings { treatment, keep: setting("STYLE") == "keep", notes: !setting("NOTES").is_empty() };
    let case = Case { settings, ..Case::new(text, Script(outcomes.collect())) };
    let document = Document::read(case.text.as_str());
    for claim in claim::split(&document, &citation::read(&document, &KnownLabels::default())) {
        println!("claim {:?} {:?} {:?} {:?}", claim.text, claim.position, claim.kind, claim.markers);
    }
    match case.hold() {
        Ok(()) => println!("holds\n--- brief\n{}", case.brief()),
        Err(why) => {
            println!("{why}");
            let (case, why) = smaller(case, why);
            println!("=== smaller: {why}\n--- found with\n{case:?}");
        }
    }
}
