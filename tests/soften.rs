//! Softer sentences that a judge proposes: when they are offered, written, and left alone by a second run.

use std::sync::Arc;

use cited::decide::Because;
use cited::fetch::{Fetcher, Fetching, Outcome, Page, Request};
use cited::finding::Code;
use cited::judge::outside::{OutsideJudge, Panel, Question};
use cited::pipeline::{Input, Options, Run, verify};

#[path = "support/scripted.rs"]
#[allow(dead_code, reason = "shared with other tests")]
mod scripted;

const CLAIM: &str = "The council closed the old harbour road to lorries";
const SOFTER: &str = "The council closed the old harbour road to heavy traffic.";
const PAGE: &str = "After years of debate the old harbour road is closed to heavy traffic, the council said on Monday.";

/// Pages by the first letter of their host: `a` and `b` have the page, `d` is dead, `w` behind a wall, `n` another page.
struct Web;

impl Fetcher for Web {
    fn fetch<'a>(&'a self, request: &'a Request) -> Fetching<'a> {
        let host = |address: &str| address.trim_start_matches("https://").chars().next();
        let mut fetched = scripted::answer(request, |address| match host(address) {
            Some('d') => Outcome::Dead,
            Some('w') => Outcome::Blocked,
            _ => Outcome::Live,
        });
        let text = match host(&fetched.address) {
            Some('n') => "The council has not closed the old harbour road to lorries.",
            _ => PAGE,
        };
        let page = Page { text: text.to_owned(), main_end: text.len(), complete: true, ..Page::default() };
        fetched.page = (fetched.outcome == Outcome::Live).then_some(page);
        Box::pin(std::future::ready(fetched))
    }
}

/// Finds what speaks of lorries weak and proposes a sentence for it; everything else is supported, unless it proposes
/// without end.
struct Judge {
    softened: &'static str,
    endless: bool,
}

impl OutsideJudge for Judge {
    fn ask(&self, question: &Question<'_>) -> Result<String, String> {
        let weak = question.claim.contains("lorries") || self.endless;
        let softened = if question.claim.contains("lorries") { self.softened } else { "The council closed a road." };
        let verdict = if weak { "weak" } else { "supported" };
        Ok(serde_json::json!({"verdict": verdict, "confidence": 0.8, "reason": "less", "softened": softened})
            .to_string())
    }
}

/// A run over a draft of which only the body is given.
fn run(body: &str, soften: bool, softened: &'static str, endless: bool) -> Run {
    let entry = |(i, host)| format!("{}. Page {host}: https://{host}.example/", i + 1);
    let list = ["a", "b", "d", "w", "n"].iter().enumerate().map(entry).collect::<Vec<_>>().join("\n");
    run_on(format!("{body}\n\n## Sources\n\n{list}\n"), soften, softened, endless)
}

fn run_on(text: String, soften: bool, softened: &'static str, endless: bool) -> Run {
    let panel = Some(Arc::new(Panel::new(Judge { softened, endless })));
    let options = Options { support: true, soften, judge: panel, notes: true, ..scripted::options() };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let draft = Input { path: "draft.md".into(), text: text.into() };
    runtime.block_on(verify(&draft, &[], &Web, &options, &|_| {})).unwrap()
}

/// The document without the sections that cited writes.
fn document(run: &Run) -> &str {
    run.brief.split("\n\n## ").next().unwrap()
}

/// What becomes of a draft with `--soften`; a second run must leave it alone.
#[track_caller]
fn check(body: &str, expected: &str) -> Run {
    let softened = run(body, true, SOFTER, false);
    assert_eq!(document(&softened), expected, "{body}");
    let again = run_on(softened.brief.to_string(), true, SOFTER, false);
    assert_eq!(again.brief, softened.brief, "a second run changed the brief of {body}");
    let shown = run(body, false, SOFTER, false);
    assert!(shown.edits().iter().all(|edit| edit.because != Because::Softened), "{body}");
    softened
}

#[test]
fn a_claim_that_says_too_much_says_less_and_nothing_else_changes() {
    for (body, expected) in [
        (format!("{CLAIM} [1]."), format!("{} [1].", &SOFTER[..SOFTER.len() - 1])),
        (format!("{CLAIM}. [1] Ça va — 好。"), format!("{SOFTER} [1] Ça va — 好。")),
        (format!("- {CLAIM} [1][2]\n- Other"), format!("- {} [1, 2]\n- Other", &SOFTER[..SOFTER.len() - 1])),
        // A source that is dead or says otherwise goes as it would without.
        (format!("{CLAIM} [1, 5]."), format!("{} [1].", &SOFTER[..SOFTER.len() - 1])),
        (format!("{CLAIM} [1, 3]."), format!("{} [1].", &SOFTER[..SOFTER.len() - 1])),
    ] {
        let run = check(&body, &expected);
        let record = run.record.verifications[0].softened.clone().unwrap();
        assert!(
            record.applied
                && record.before.starts_with(CLAIM)
                && SOFTER.starts_with(record.after.trim_end_matches('.'))
        );
        assert!(run.findings().iter().any(|finding| finding.code == Code::Overstated), "{body}");
        assert!(run.brief.contains("softened by the judge; before: “The council"), "{}", run.brief);
        let notes = &run.record.verifications[0].notes;
        assert!(notes.contains(&format!("softened by the judge; now: “{}”", record.after)), "{notes}");
    }
}

#[test]
fn what_has_no_place_for_it_stays_and_says_why() {
    for (body, why) in [
        (format!("{} [1].", CLAIM.replace("old", "*old*")), "formatting stands inside the sentence"),
        (format!("{} [1].", CLAIM.replace("road", "road [2]")), "a citation stands inside the sentence"),
        (format!("| A | B |\n|---|---|\n| it | {CLAIM} [1] |"), "a cell of a table is no sentence"),
    ] {
        let expected = document(&run(&body, false, "", false)).to_owned();
        let run = check(&body, &expected);
        let softened = run.record.verifications.iter().find_map(|claim| claim.softened.clone()).unwrap();
        assert_eq!((softened.applied, softened.why_not.as_deref()), (false, Some(why)), "{body}");
    }
}

#[test]
fn nothing_is_proposed_where_a_source_may_say_it_all_or_says_otherwise() {
    for body in [
        // Not asked; against it; dead: the claim goes.
        format!("{CLAIM} [5]."),
        format!("{CLAIM} [1, 4]."),
        format!("{CLAIM} [4]."),
        format!("{CLAIM} [3]."),
        format!("# {CLAIM} [1]"),
        // No word of it needs softening.
        "The council closed the old harbour road to heavy traffic [1].".to_owned(),
    ] {
        let expected = document(&run(&body, false, "", false)).to_owned();
        let run = check(&body, &expected);
        assert!(run.findings().iter().all(|finding| finding.code != Code::Overstated), "{body}");
        assert!(run.record.verifications.iter().all(|claim| claim.softened.is_none()), "{body}");
    }
}

#[test]
fn a_sentence_that_is_no_use_is_named_and_harms_nothing() {
    for (softened, endless, why) in [
        ("The council closed it to 7 lorries.", false, "it has a number that neither claim nor passage has"),
        ("The council closed the [road](https://x.example).", false, "it holds an address"),
        ("Ships left the harbour.", false, "it speaks of something else"),
        (SOFTER, true, "it would be softened once more by the same judge"),
    ] {
        let body = format!("{CLAIM} [1].");
        let (with, without) = (run(&body, true, softened, endless), run(&body, true, "", false));
        assert_eq!(document(&with), document(&without), "{softened}");
        let sources = |run: &Run| run.record.verifications[0].sources_reconciled.clone();
        assert_eq!(sources(&with), sources(&without));
        let told: Vec<&str> = with
            .findings()
            .iter()
            .filter(|finding| finding.code == Code::Overstated)
            .map(|finding| finding.message.as_str())
            .collect();
        assert_eq!(told, [format!("the judge's softer sentence was not used: {why}")], "{softened}");
    }
}

#[test]
fn what_is_shown_is_what_would_be_written() {
    let body = format!("One.\n\n> {} [1].\n", CLAIM.replace("harbour ", "harbour\n> "));
    let (shown, written) = (run(&body, false, SOFTER, false), run(&body, true, SOFTER, false));
    let finding = shown.findings().iter().find(|finding| finding.code == Code::Overstated).unwrap();
    let suggestion = finding.suggestion.as_deref().unwrap();
    let edit = written.edits().iter().find(|edit| edit.because == Because::Softened).unwrap();
    assert_eq!((suggestion.span, &suggestion.replacement), (edit.span, &edit.replacement));
    assert!(written.brief.starts_with("One.\n\n> The council closed the old harbour road to heavy traffic [1].\n"));
}
