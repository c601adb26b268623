//! The promises hold for any Markdown and any state of the sources.
//!
//! Ordinary runs look at the same drafts each time. Others: `PROPTEST_CASES=2000 cargo test --test promises`. To see all that is
//! broken, and not the first: `SEARCH=garbage SECONDS=600 cargo test --test promises -- --ignored --nocapture`. What was found and
//! repaired is guarded by the named drafts at the end.

#[path = "support/promises.rs"]
mod promises;

#[path = "support/drafts.rs"]
mod drafts;

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use cited::decide::policy::Treatment;
use cited::fetch::Outcome;
use cited::pipeline::{Input, Style};
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
    fn of(text: String, script: Script) -> Self {
        let settings = Settings { treatment: Treatment::Drop, keep: false, notes: false };
        Case { text, research: Vec::new(), script, settings }
    }

    fn hold(&self) -> Result<(), String> {
        let mut options = options();
        options.policy.on_dead = self.settings.treatment;
        options.policy.uncited = self.settings.treatment;
        options.style = if self.settings.keep { Style::Keep } else { Style::Numeric };
        options.notes = self.settings.notes;
        hold(&self.text, &self.research, &self.script, &options)
    }
}

fn documents() -> BoxedStrategy<Case> {
    (document(form()), outcomes(), research())
        .prop_map(|(text, script, research)| Case { research, ..Case::of(text, script) })
        .boxed()
}

fn single_blocks() -> BoxedStrategy<Case> {
    (block(), form(), source_list(), outcomes())
        .prop_map(|(block, form, list, script)| Case::of(format!("{}\n\n{list}\n", written(&block, form)), script))
        .boxed()
}

fn pieces() -> BoxedStrategy<Case> {
    (garbage(), source_list(), garbage(), outcomes())
        .prop_map(|(text, list, tail, script)| Case::of(format!("{text}\n\n{list}\n\n{tail}"), script))
        .boxed()
}

fn mixed_forms() -> BoxedStrategy<Case> {
    (document(Just(None)), outcomes()).prop_map(|(text, script)| Case::of(text, script)).boxed()
}

fn settings() -> BoxedStrategy<Case> {
    let treatments = select(&[Treatment::Mark, Treatment::Todo, Treatment::Keep, Treatment::Drop][..]);
    let settings = (treatments, any::<bool>(), any::<bool>()).prop_map(|(treatment, keep, notes)| Settings {
        treatment,
        keep,
        notes,
    });
    (document(form()), outcomes(), settings)
        .prop_map(|(text, script, settings)| Case { settings, ..Case::of(text, script) })
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
    let held = runner.run(&search(), |case| hold(&case).map_err(TestCaseError::fail));
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
#[ignore = "a search: mixes all forms in one document, and still finds drafts that are refused, see docs/measurements.md"]
fn the_promises_hold_for_documents_of_mixed_forms() {
    check(mixed_forms, 100);
}

#[test]
#[ignore = "a search: still finds drafts that are refused, see docs/measurements.md"]
fn the_promises_hold_in_every_setting() {
    check(settings, 100);
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
            let mut tree = strategy.new_tree(&mut runner).expect("a case");
            cases += 1;
            let Err(mut why) = tree.current().hold() else { continue };
            findings += 1;
            refused += usize::from(why.starts_with(REFUSED));
            let mut smallest = tree.current();
            for _ in 0..2_000 {
                match tree.current().hold() {
                    Ok(()) if tree.complicate() => continue,
                    Ok(()) => break,
                    Err(found) => (why, smallest) = (found, tree.current()),
                }
                if !tree.simplify() {
                    break;
                }
            }
            println!("=== {name} {findings} in {cases}: {why}\n--- found with\n{smallest:?}");
        }
        println!("=== {name}: {findings} findings in {cases} cases, {refused} of them refused");
    }
}

/// Drafts that broke a promise once, named for the fault, with the sources that were dead.
#[test]
fn what_was_found_stays_repaired() {
    use Outcome::{Dead, Live};
    let list = "\n\n## Sources\n\n1. Title 1 — https://s1.example/1\n2. Title 2 — https://s2.example/2\n3. Title 3 — https://s3.example/3\n";
    let definitions =
        "\n\n## Sources\n\n[1]: https://s1.example/1 \"Title 1\"\n[2]: https://s2.example/2 \"Title 2\"\n";
    let cases: &[(&str, &str, &str, [Outcome; 3])] = &[
        ("an empty quote before the list", "> ", list, [Dead, Dead, Dead]),
        ("a link in a formula", "- Heat $x_{[1]}$.", definitions, [Dead, Dead, Dead]),
        ("neighbours of two forms", "- Heat heat [1]; <sup>1</sup> Heat heat.", list, [Live, Dead, Dead]),
        (
            "a doubled bracket around a defined label",
            "- Heat heat. [[1]](https://s1.example/1)",
            definitions,
            [Live, Dead, Dead],
        ),
        (
            "a row whose label has a source",
            "| H0 | H1 |\n| --- | --- |\n| Heat 42% [1] | Heat heat. [3] |\n| a | b |",
            list,
            [Live, Dead, Dead],
        ),
        ("a heading of nothing but markers", "Heat heat [2].\n\n# [1] A", list, [Dead, Live, Dead]),
        (
            "an item that opens with a marker and a number",
            "> 7. Heat heat. [1]\n> 8. [3] 1. most.",
            list,
            [Dead, Dead, Dead],
        ),
    ];
    let found_later: &[(&str, &str, &str, [Outcome; 3])] = &[
        ("a list in a fence that is never closed", "```", list, [Live, Live, Dead]),
        (
            "a fence that the list would be swallowed by",
            "Heat heat [1].\n\n",
            "## Sources\n\n1. T — https://s1.example/1\n2. U — https://s2.example/2\n\n```\ncode\n",
            [Live, Dead, Dead],
        ),
        (
            "a citation between two sentences in a document that changes its habit",
            "- [1] Heat rose. Heat most costs rose. [1] [2] Heat fell.",
            list,
            [Live, Live, Dead],
        ),
        (
            "a row without edges whose label loses its citation",
            "> H0 | H1\n> --- | ---\n> label | [2]\n> [1] | Heat rose 5%.",
            list,
            [Live, Live, Dead],
        ),
        ("a caret behind a caret", "- Heat heat. ^1^^2^ Heat heat.", list, [Live, Dead, Dead]),
        (
            "a row label that states something",
            "H0 | H1\n--- | ---\nMarket soft et al. [9] | [1] Heat heat",
            list,
            [Dead, Live, Live],
        ),
        (
            "a line of a list in a paragraph",
            "Heat heat [1].\n\n",
            "## Sources\n\n1. T — https://s1.example/1\n2. U — https://s2.example/2\n\n[3](https://s3.example/3) These costs rose:\nThese costs heat US$7bn:\n",
            [Live, Live, Live],
        ),
        (
            "sections with definitions of their own",
            "## One\n\nHeat [1].\n\n### Sources\n\n[1]: https://s1.example/1 \"A\"\n[2]: https://s2.example/2 \"B\"\n\n## Two\n\nMore [2].",
            definitions,
            [Live, Live, Live],
        ),
        (
            "a title that looks like a label",
            "Heat heat [1].\n\n",
            "## Sources\n\n1. T — https://s1.example/1\n2. [4] Et al. — https://s2.example/2\n\nMore [2].\n",
            [Live, Live, Live],
        ),
        (
            "an escape at the start of a leaf",
            "* \\[2\\] Heat fell 1. et al. according to.** Heat in Europe 5%\n",
            list,
            [Live, Live, Dead],
        ),
    ];
    for (name, text, list, outcomes) in cases.iter().chain(found_later) {
        let held = hold(&format!("{text}{list}"), &[], &Script(outcomes.to_vec()), &options());
        assert_eq!(held, Ok(()), "{name}");
    }
}

/// The same for drafts that only some settings broke, with the list of three sources below them.
#[test]
fn what_was_found_in_settings_stays_repaired() {
    use Outcome::{Blocked, Dead, Live};
    use Treatment::{Drop, Keep, Mark, Todo};
    let plain = |treatment| Settings { treatment, keep: false, notes: false };
    let noted = |treatment| Settings { treatment, keep: false, notes: true };
    let kept = |treatment| Settings { treatment, keep: true, notes: false };
    let cases: &[(&str, &str, [Outcome; 3], Settings)] = &[
        (
            "a citation without an entry goes, and one that stays is read as another's",
            "- Heat heat [4]. [1] Heat 42%.",
            [Live, Dead, Dead],
            plain(Drop),
        ),
        ("a line under a citation that makes a heading", "> [3] 1. heat.\n> ===", [Dead, Dead, Dead], plain(Drop)),
        ("a bullet behind a citation in a heading", "- [1] - dash - heat.\n  ---", [Dead, Dead, Dead], plain(Drop)),
        (
            "a citation that opens an item in an item",
            "- 1. [1] - heat.\n     - Heat heat.",
            [Dead, Dead, Dead],
            plain(Mark),
        ),
        ("nothing but a stop in an item of items", "- 1. 1. 【5】.", [Dead, Dead, Dead], plain(Drop)),
        (
            "a citation behind a bare address",
            "- Heat heat. Heat https://elsewhere.example/b.[[1]](https://s1.example/1) Heat heat.",
            [Live, Dead, Dead],
            plain(Drop),
        ),
        ("a parenthesis behind a citation", "- Heat heat. 【1】(aside) heat.", [Live, Dead, Dead], plain(Mark)),
        (
            "a table at the end of a quote before another quote",
            "> Heat heat.\n>\n> | H0 |\n> | --- |\n> | Heat heat. [1] |\n\n> Heat heat.",
            [Dead, Dead, Dead],
            plain(Drop),
        ),
        (
            "an address that is cited by its number too",
            "- Heat heat. ([2](https://s2.example/2))\n- Heat https://s2.example/2.([1](https://s1.example/1))",
            [Live, Live, Dead],
            plain(Drop),
        ),
        (
            "words that link, and two citations at the start of their sentence",
            "- Most heat [6]. [1][1] Heat [the survey](https://s1.example/1).",
            [Live, Dead, Dead],
            plain(Drop),
        ),
        ("a mark behind a Chinese stop", "- 売上は３倍になった。\n- Heat heat. [1]", [Live, Dead, Dead], plain(Mark)),
        (
            "a task before a sentence without a space",
            "> 热泵销量上升[3]。热泵销量上升[1]。",
            [Blocked, Dead, Dead],
            noted(Todo),
        ),
        (
            "a quotation mark in a task",
            "- Heat heat. [3]\n\n- Heat a*b.” [1] Heat 42% a*b.",
            [Dead, Dead, Live],
            plain(Todo),
        ),
        (
            "full-width brackets side by side",
            "- Heat [1]. Heat heat. ［7］［7］\n  - Heat heat.",
            [Live, Dead, Dead],
            plain(Mark),
        ),
        (
            "a marked claim whose citation has no entry",
            "- Heat 42%.[2]Heat et al. [1] This heat.",
            [Live, Dead, Dead],
            plain(Mark),
        ),
        (
            "citations beside each other that keep their form",
            "> | H0 |\n> | --- |\n> | Heat heat <sup>[1]</sup><sup>[1]</sup>. |",
            [Dead, Dead, Dead],
            kept(Keep),
        ),
        (
            "a number before a citation that keeps its form",
            "- Heat 2024 <sup>[1]</sup><sup>[2]</sup>.",
            [Dead, Live, Dead],
            kept(Mark),
        ),
        (
            "an address before the source it names is cited",
            "- Heat https://s2.example/2 [[1]](https://s1.example/1).\n- Heat heat. [[2]](https://s2.example/2) Heat heat.",
            [Live, Dead, Dead],
            kept(Keep),
        ),
        (
            "citations on both sides of a line that ends for good",
            "- Heat Fig. 3 [[2]](https://s2.example/2)  \n  [[1]](https://s1.example/1) Heat heat.\n  - Heat heat.",
            [Dead, Blocked, Dead],
            noted(Mark),
        ),
        (
            "a note that a second run adds to",
            "- According to heat… [4] Heat heat [2].",
            [Dead, Dead, Dead],
            noted(Keep),
        ),
    ];
    let list = "\n\n## Sources\n\n1. Title 1 — https://s1.example/1\n2. Title 2 — https://s2.example/2\n3. Title 3 — https://s3.example/3\n";
    for (name, text, outcomes, settings) in cases {
        let case = Case { settings: *settings, ..Case::of(format!("{text}{list}"), Script(outcomes.to_vec())) };
        assert_eq!(case.hold(), Ok(()), "{name}");
    }
    let prose_behind = "Heat heat [1]. Heat 42% [2].\n\n## Removed Unsupported Claims\n\n- “Old.” — dead source: https://s9.example/9 (HTTP 404, no archive)\n\n## Sources\n\n1. Title 1 — https://s1.example/1\n2. Title 2 — https://s2.example/2\n\nMore heat [1].\n";
    let case = Case::of(prose_behind.to_owned(), Script(vec![Live, Dead, Dead]));
    assert_eq!(case.hold(), Ok(()), "prose behind the list of an earlier run");
}
