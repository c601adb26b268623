//! Tests of the policy: one row a situation of the table of decisions.

use super::*;
use crate::citation::MarkerId;
use crate::claim::{Claim, ClaimKind, ClaimPosition};
use crate::markdown::Document;
use cited_text::Span;

fn claim(kind: ClaimKind, place: ClaimPosition) -> Claim {
    let document = Document::read("x");
    let (block, _) = document.leaves().next().unwrap();
    Claim {
        block,
        span: Span::new(0, 1),
        text: "x".into(),
        context: None,
        position: place,
        kind,
        markers: vec![MarkerId(0)],
        inherited: Vec::new(),
        dangling: false,
        introduces: false,
        captions: false,
        continues: false,
    }
}

fn verdict(standing: Standing, hard: bool, result: CheckResult) -> Verdict {
    Verdict {
        standing,
        confidence: 0.5,
        hard,
        against: (hard && result != CheckResult::Agrees).then_some(CheckKind::Quantity),
        checks: vec![Check { kind: CheckKind::Quantity, result }],
        passage: None,
        reason: "number not in source: 5 (source has 6)".into(),
        derivation: None,
        check: None,
        cut_before: None,
    }
}

/// What a source is: a letter each, so that a table row stays readable.
/// `s` supports, `w` weak, `u` unjudged, `c` contradicts, `a` lacks the number, `n` denies it, `d` dead, `b` blocked, `t` timeout.
fn standpoints<'a>(letters: &str, verdicts: &'a [(char, Verdict)]) -> Vec<Standpoint<'a>> {
    let of = |letter: char| verdicts.iter().find(|(l, _)| *l == letter).map(|(_, verdict)| verdict);
    letters
        .chars()
        .enumerate()
        .map(|(i, letter)| Standpoint {
            unfound: false,
            word: match letter {
                'b' => "blocked",
                't' => "unreachable",
                _ => "",
            },
            source: SourceId(i),
            address: "https://e.example/",
            outcome: match letter {
                'd' => Outcome::Dead,
                'b' => Outcome::Blocked,
                't' => Outcome::Unreachable,
                _ => Outcome::Live,
            },
            why: if letter == 'd' { "HTTP 404" } else { "" },
            may_say_more: false,
            whole: letter != 'p',
            verdict: of(letter),
        })
        .collect()
}

fn verdicts() -> Vec<(char, Verdict)> {
    let differs = CheckResult::Differs { claimed: "5".into(), found: "6".into() };
    let absent = CheckResult::Absent { claimed: "5".into() };
    vec![
        ('s', verdict(Standing::Supported, true, CheckResult::Agrees)),
        ('w', verdict(Standing::Weak, false, CheckResult::Unknown)),
        ('c', verdict(Standing::Contradicted, true, differs)),
        ('a', verdict(Standing::Unverifiable, true, absent)),
        ('n', verdict(Standing::Contradicted, false, CheckResult::Unknown)),
    ]
}

/// Decides a quantitative sentence that cites `letters`; gives the action and the letters that stay cited.
fn decided(letters: &str, policy: Policy) -> (Action, String) {
    let verdicts = verdicts();
    let case = Case { cited: standpoints(letters, &verdicts), ..Case::default() };
    let decision = decide(&claim(ClaimKind::Quantitative, ClaimPosition::Sentence), case.clone(), policy);
    let letters: Vec<char> = letters.chars().collect();
    (decision.action, decision.sources.iter().map(|source| letters[source.0]).collect())
}

#[track_caller]
fn check(letters: &str, action: Action, stays: &str) {
    assert_eq!(decided(letters, Policy::default()), (action, stays.to_owned()), "for {letters:?}");
}

#[test]
fn one_good_source_carries_the_claim() {
    check("s", Action::Keep, "s");
    // A source with another number for the same stays beside it.
    check("sdc", Action::Keep, "sc");
    check("sbt", Action::Keep, "sbt");
    check("sw", Action::Keep, "sw");
}

#[test]
fn a_source_that_has_nothing_of_a_claim_is_told_beside_one_that_carries_it() {
    let verdicts = verdicts();
    let told = |letters: &str, whole: bool| {
        let mut cited = standpoints(letters, &verdicts);
        cited.iter_mut().for_each(|standpoint| standpoint.whole = whole);
        let case = Case { cited, ..Case::default() };
        decide(&claim(ClaimKind::Quantitative, ClaimPosition::Sentence), case, Policy::default()).remarks.len()
    };
    assert_eq!((told("sa", true), told("sa", false), told("sw", true), told("ss", true)), (1, 0, 0, 0));
}

#[test]
fn only_proof_removes() {
    check("d", Action::Drop, "");
    check("dd", Action::Drop, "");
    check("c", Action::Drop, "");
    // What is denied, or is nowhere, is marked: it goes only where the sources prove that they say something else.
    check("a", Action::Mark, "");
    check("n", Action::Mark, "");
    check("cad", Action::Mark, "");
    check("cn", Action::Mark, "");
    check("ccd", Action::Drop, "");
    check("b", Action::Keep, "b");
    check("t", Action::Keep, "t");
    check("u", Action::Keep, "u");
    check("w", Action::Keep, "w");
}

#[test]
fn a_source_that_could_not_be_asked_keeps_the_claim() {
    check("db", Action::Keep, "b");
    check("cb", Action::Keep, "b");
    check("ab", Action::Keep, "ab");
    check("du", Action::Keep, "u");
}

#[test]
fn a_quotation_that_is_cut_short_is_noted_and_stays() {
    let cut = |standing, hard| Verdict {
        cut_before: Some("unless".to_owned()),
        ..verdict(standing, hard, CheckResult::Agrees)
    };
    let verdicts = vec![('s', cut(Standing::Supported, true)), ('w', cut(Standing::Weak, false))];
    for letters in ["s", "w"] {
        let case = Case { cited: standpoints(letters, &verdicts), ..Case::default() };
        let decision = decide(&claim(ClaimKind::Attribution, ClaimPosition::Sentence), case, Policy::default());
        let note = "quotation cut short, the source goes on with “unless”: https://e.example/";
        assert_eq!(decision.action, Action::Keep, "{letters}");
        assert!(decision.notes.iter().any(|told| told.to_string() == note), "{letters}: {:?}", decision.notes);
    }
}

#[test]
fn the_user_may_want_it_otherwise() {
    let policy = Policy { on_dead: Treatment::Mark, on_contradicted: Treatment::Keep, ..Policy::default() };
    assert_eq!(decided("d", policy), (Action::Mark, String::new()));
    assert_eq!(decided("c", policy), (Action::Keep, "c".to_owned()));
    let policy = Policy { on_dead: Treatment::Fail, on_unverifiable: Treatment::Drop, ..Policy::default() };
    assert_eq!(decided("d", policy).0, Action::Fail);
    assert_eq!(decided("w", policy).0, Action::Drop);
    assert_eq!(decided("wb", policy).0, Action::Keep);
}

#[test]
fn reasons_read_as_in_the_brief() {
    let verdicts = verdicts();
    let reason = |letters: &str| {
        let case = Case { cited: standpoints(letters, &verdicts), ..Case::default() };
        decide(&claim(ClaimKind::Quantitative, ClaimPosition::Sentence), case.clone(), Policy::default()).reason
    };
    assert_eq!(reason("d"), "dead source: https://e.example/ (HTTP 404, no archive)");
    assert_eq!(reason("c"), "number not in source: 5 (source has 6): https://e.example/");
}

#[test]
fn without_citation_the_kind_decides() {
    let decided = |kind, strict| {
        let policy = Policy { strict, ..Policy::default() };
        let case = Case { has_notes: true, ..Case::default() };
        let decision = decide(&claim(kind, ClaimPosition::Sentence), case, policy);
        (decision.action, decision.reason)
    };
    let uncited = (Action::Drop, "no source in the research files".to_owned());
    assert_eq!(decided(ClaimKind::Quantitative, false), uncited);
    assert_eq!(decided(ClaimKind::Plain, false), (Action::Keep, String::new()));
    assert_eq!(decided(ClaimKind::Plain, true), uncited);
    assert_eq!(decided(ClaimKind::Hedged, true), (Action::Keep, String::new()));
}

#[test]
fn where_there_is_nothing_to_anchor_to_the_lack_of_a_citation_proves_nothing() {
    let decided = |uncited, kind| {
        let policy = Policy { uncited, ..Policy::default() };
        let decision = decide(&claim(kind, ClaimPosition::Sentence), Case::default(), policy);
        (decision.action, decision.reason)
    };
    let reason = "no source is cited".to_owned();
    assert_eq!(decided(None, ClaimKind::Quantitative), (Action::Keep, reason.clone()));
    assert_eq!(decided(None, ClaimKind::Plain), (Action::Keep, String::new()));
    assert_eq!(decided(Some(Treatment::Drop), ClaimKind::Quantitative), (Action::Drop, reason));
    let case = Case { unresolved: vec!["9".into()], ..Case::default() };
    let unresolved = decide(&claim(ClaimKind::Quantitative, ClaimPosition::Sentence), case, Policy::default());
    assert_eq!(unresolved.action, Action::Drop);
}

#[test]
fn what_a_note_may_say_stays() {
    for (unchosen, note) in [
        (Note::Other("several fit".to_owned()), "several fit"),
        (Note::near("14 ferries"), "no source is cited; the research note nearest to it: “14 ferries”"),
    ] {
        for unresolved in [Vec::new(), vec!["2".to_owned()]] {
            let case = Case { unresolved, has_notes: true, unchosen: Some(unchosen.clone()), ..Case::default() };
            let decision = decide(&claim(ClaimKind::Quantitative, ClaimPosition::Sentence), case, Policy::default());
            assert_eq!(decision.action, Action::Keep);
            assert!(decision.notes.iter().any(|told| told.to_string() == note), "{note}");
        }
    }
}

#[test]
fn of_several_sources_each_is_named_and_read_whole() {
    let mut verdicts = verdicts();
    verdicts.push(('p', verdicts[2].1.clone()));
    let by = |letters: &str, policy: Policy| {
        let case = Case { cited: standpoints(letters, &verdicts), ..Case::default() };
        let decision = decide(&claim(ClaimKind::Quantitative, ClaimPosition::Sentence), case, policy);
        (decision.action, decision.reason)
    };
    let decided = |letters: &str| by(letters, Policy::default());
    let against = "number not in source: 5 (source has 6): https://e.example/";
    let dead = "dead source: https://e.example/ (HTTP 404, no archive)";
    assert_eq!(decided("cd"), (Action::Drop, format!("{against}; {dead}")));
    assert_eq!(decided("da"), (Action::Mark, format!("{dead}; {against}")));
    // A text of which only a part was read.
    assert_eq!(decided("pd").0, Action::Keep);
    assert_eq!(by("pd", Policy { on_unverifiable: Treatment::Drop, ..Policy::default() }).0, Action::Keep);
    assert_eq!(decided("p"), (Action::Drop, against.to_owned()));
}

#[test]
fn a_clause_of_a_dead_source_takes_its_sentence_with_it() {
    let verdicts = verdicts();
    let dead = standpoints("d", &verdicts);
    let case = Case { cited: standpoints("sd", &verdicts), dead_clause: dead, ..Case::default() };
    let decision = decide(&claim(ClaimKind::Quantitative, ClaimPosition::Sentence), case, Policy::default());
    assert_eq!(decision.action, Action::Drop);
    assert_eq!(decision.reason, "dead source: https://e.example/ (HTTP 404, no archive)");
}

#[test]
fn what_a_source_near_a_sentence_lacks_takes_only_cells_away() {
    let verdicts = verdicts();
    let decided = |letters: &str, place| {
        let case = Case { inherited: standpoints(letters, &verdicts), ..Case::default() };
        decide(&claim(ClaimKind::Quantitative, place), case, Policy::default()).action
    };
    assert_eq!(decided("a", ClaimPosition::Sentence), Action::Keep);
    assert_eq!(decided("a", ClaimPosition::Cell), Action::Mark);
    assert_eq!(decided("c", ClaimPosition::Sentence), Action::Drop);
    assert_eq!(decided("d", ClaimPosition::Sentence), Action::Drop);
}

#[test]
fn a_pointer_to_a_dead_page_stays() {
    let gone = || standpoints("d", &[]);
    let of = |kind| {
        let case = Case { cited: gone(), ..Case::default() };
        decide(&claim(kind, ClaimPosition::Sentence), case, Policy::default())
    };
    assert_eq!(of(ClaimKind::Plain).action, Action::Drop);
    let pointer = of(ClaimKind::Instruction);
    assert_eq!(pointer.action, Action::Keep);
    assert!(pointer.notes.iter().any(|note| note.to_string().starts_with("dead source")), "{:?}", pointer.notes);
}

#[test]
fn what_carries_an_uncited_claim() {
    let with =
        |case: Case<'_>| decide(&claim(ClaimKind::Certainty, ClaimPosition::Sentence), case.clone(), Policy::default());
    let unread = Some("the file run.csv could not be read: larger than 8 MiB".to_owned());
    let unread = with(Case { artifact: unread, fake_certainty: Some("verified".into()), ..Case::default() });
    assert_eq!(unread.action, Action::Keep);
    let told: Vec<String> = unread.notes.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["the file run.csv could not be read: larger than 8 MiB"]);
    assert_eq!(with(Case { not_held: Some("a link is part of it"), ..Case::default() }).action, Action::Keep);
    assert_eq!(with(Case { marked: true, ..Case::default() }).action, Action::Keep);
    let fake = with(Case {
        fake_certainty: Some("verified".into()),
        not_held: Some("a link is part of it"),
        ..Case::default()
    });
    assert_eq!(fake.reason, "“verified” without a recorded check");
    let unresolved = with(Case { unresolved: vec!["9".into()], ..Case::default() });
    assert_eq!(unresolved.reason, "citation [9] has no source entry");
}

#[test]
fn anchors_and_better_sources_are_cited() {
    let verdicts = verdicts();
    let quantitative = claim(ClaimKind::Quantitative, ClaimPosition::Sentence);
    let case = Case { anchored: standpoints("u", &verdicts), ..Case::default() };
    assert_eq!(decide(&quantitative, case.clone(), Policy::default()).action, Action::Cite);
    let case = Case { unresolved: vec!["2".into()], ..case };
    assert_eq!(decide(&quantitative, case.clone(), Policy::default()).action, Action::Recite);
    let better = standpoints("s", &verdicts).remove(0);
    let case = Case { cited: standpoints("a", &verdicts), miscited: Some(better), ..Case::default() };
    assert_eq!(decide(&quantitative, case.clone(), Policy::default()).action, Action::Recite);
}

#[test]
fn a_heading_keeps_its_text() {
    let verdicts = verdicts();
    let case = Case { cited: standpoints("d", &verdicts), ..Case::default() };
    let decision = decide(&claim(ClaimKind::Heading, ClaimPosition::Heading), case.clone(), Policy::default());
    assert_eq!((decision.action, decision.sources.len()), (Action::Keep, 0));
}

#[test]
fn a_claim_falls_short_by_the_check_that_decided() {
    let verdicts: Vec<(char, Verdict)> = verdicts()
        .into_iter()
        .chain([('q', Verdict { against: Some(CheckKind::Quotation), ..verdicts()[2].1.clone() })])
        .collect();
    let shortfall = |letters: &str, policy| {
        let case = Case { cited: standpoints(letters, &verdicts), ..Case::default() };
        decide(&claim(ClaimKind::Quantitative, ClaimPosition::Sentence), case, policy).shortfall
    };
    let check = |letters, expected| assert_eq!(shortfall(letters, Policy::default()), Some(expected), "{letters}");
    check("d", Code::DeadSource);
    check("c", Code::NumberMismatch);
    check("q", Code::QuoteMismatch);
    check("aq", Code::NumberAbsent);
    check("n", Code::Contradicted);
    check("a", Code::NumberAbsent);
    assert_eq!(shortfall("w", Policy::default()), None);
    let stricter = Policy { on_unverifiable: Treatment::Mark, ..Policy::default() };
    assert_eq!(shortfall("w", stricter), Some(Code::WeakSupport));
}
