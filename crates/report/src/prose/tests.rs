use proptest::prelude::*;
use pulldown_cmark::{Event, HeadingLevel, Tag};
use serde_json::{Value, json};

use super::*;
use crate::record::ConflictingClaims;

fn claim(id: &str, text: &str, sources: &[(&str, &str, Option<&str>)]) -> Value {
    let sources: Vec<Value> = sources
        .iter()
        .map(|(url, passage, verdict)| {
            let mut source = json!({"stat": "", "source_url": url, "source_passage": passage, "publication_date": null, "context": ""});
            if let Some(verdict) = verdict {
                source["verdict"] = json!(verdict);
            }
            source
        })
        .collect();
    json!({"claim_id": id, "claim_text": text, "verified": !sources.is_empty(), "confidence": 0.9,
        "sources_reconciled": sources, "notes": if sources.is_empty() { "no credible source within window" } else { "" }})
}

fn mapping(claims: &[Value]) -> Mapping {
    let text = json!({"verifications": claims, "sources": [
        {"title": "Alpha [study]", "url": "https://a.example/"}, {"title": "", "url": "https://b.example/x"},
        {"title": "Gamma", "url": "https://c.example/", "aliases": ["https://c.example/old"]}]});
    read(&text.to_string()).unwrap()
}

#[track_caller]
fn check(claims: &[Value], expected: &str) {
    let mapping = mapping(claims);
    assert_eq!(faults(&mapping), [""; 0]);
    assert_eq!(write(&mapping).unwrap().text, expected);
}

const A: &str = "https://a.example/";
const B: &str = "https://b.example/x";

#[test]
fn facts_are_cited_in_order_of_appearance() {
    check(
        &[
            claim("c1", "Beta runs 640 stations.", &[(B, "640 stations", None)]),
            claim("c2", "Alpha has 3 (“three”).", &[(A, "three", Some("supported")), (B, "3", None)]),
            claim("c3", "Gamma is old", &[("https://c.example/old", "old", None)]),
        ],
        "Beta runs 640 stations [1]. Alpha has 3 (“three”) [1, 2]. Gamma is old [3].\n\n## Sources\n\n\
         1. https://b.example/x\n2. Alpha \\[study\\] — https://a.example/\n3. Gamma — https://c.example/\n",
    );
}

#[test]
fn a_low_confidence_is_said() {
    let sure = |confidence: f64| {
        let mut claim = claim("c1", "It is so.", &[(A, "so", None)]);
        claim["confidence"] = json!(confidence);
        claim
    };
    let with = |told: &str| format!("It is so {told}.\n\n## Sources\n\n1. Alpha \\[study\\] — https://a.example/\n");
    check(&[sure(0.6)], &with("[1]"));
    check(&[sure(0.5999)], &with("[1] (confidence 0.599)"));
    check(&[sure(0.58)], &with("[1] (confidence 0.58)"));
    let mut noted = sure(0.3);
    noted["notes"] = json!("one survey of 90 people.");
    check(&[noted], &with("[1] (confidence 0.3; one survey of 90 people)"));
    // What is less sure than that is a gap, whatever it is called.
    check(&[sure(0.29)], "“It is so” remains unverified across our sources.\n");
}

#[test]
fn gaps_are_said() {
    check(
        &[json!({"claim_id": "c1", "claim_text": "Adoption rates among independent musicians", "verified": false,
            "notes": "no credible source within window"})],
        "“Adoption rates among independent musicians” remains unverified across our sources (no credible source within window).\n",
    );
    check(
        &[claim("c1", "It is so.", &[(A, "so", None)]), claim("c2", "X is 5.", &[]), claim("c3", "Y is 6.", &[])],
        "It is so [1].\n\n“X is 5” and “Y is 6” remain unverified across our sources (no credible source within window).\n\n\
         ## Sources\n\n1. Alpha \\[study\\] — https://a.example/\n",
    );
    check(
        &[claim("c1", "X is 5.", &[])],
        "“X is 5” remains unverified across our sources (no credible source within window).\n",
    );
}

#[test]
fn conflicts_are_told_with_both_sides() {
    let sides = "Sources differ on “The rate is 94.2%”: according to Alpha \\[study\\], “a rate of 94.2%” [1]; according to b.example, “a rate of 49.2%” [2].\n\n\
                 ## Sources\n\n1. Alpha \\[study\\] — https://a.example/\n2. https://b.example/x\n";
    check(
        &[claim(
            "c1",
            "The rate is 94.2%.",
            &[(A, "a rate of 94.2%.", Some("supported")), (B, "a rate of 49.2%", Some("contradicted"))],
        )],
        sides,
    );
    let mut one = claim("c1", "The rate is 94.2%.", &[(A, "a rate of 94.2%.", None), (B, "a rate of 49.2%", None)]);
    one["sources_reconciled"][0]["stat"] = json!("94.2%");
    one["sources_reconciled"][1]["stat"] = json!("49.2%");
    check(&[one], sides);
}

#[test]
fn claims_that_the_record_says_conflict_are_told_together() {
    let mut mapping =
        mapping(&[claim("c1", "It rose 5%.", &[(A, "5%", None)]), claim("c2", "It rose 9%.", &[(B, "9%", None)])]);
    mapping.conflicts =
        vec![ConflictingClaims { claims: ["c2", "c1"].map(str::to_owned), difference: "5% and 9%".to_owned() }];
    let text = write(&mapping).unwrap().text;
    let expected = "Sources differ (5% and 9%): according to Alpha \\[study\\], “It rose 5%” [1]; according to b.example, “It rose 9%” [2].";
    assert!(text.starts_with(expected), "{text}");
    // A source that one of them has against it is told, too.
    mapping.verifications[0] = serde_json::from_value(claim(
        "c1",
        "It rose 5%.",
        &[(A, "5%", Some("supported")), (B, "it rose 7%", Some("contradicted"))],
    ))
    .unwrap();
    let text = write(&mapping).unwrap().text;
    assert!(
        text.contains(
            "“It rose 5%” [1]; according to b.example, “it rose 7%” [2]; according to b.example, “It rose 9%” [2]."
        ),
        "{text}"
    );
}

#[test]
fn dollars_of_several_claims_are_no_formula() {
    check(
        &[claim("c1", "A costs $5.", &[(A, "x", None)]), claim("c2", "B costs 5$.", &[(A, "x", None)])],
        "A costs $5 [1]. B costs 5\\$ [1].\n\n## Sources\n\n1. Alpha \\[study\\] — https://a.example/\n",
    );
}

#[test]
fn paragraphs_follow_the_draft() {
    let mut claims = [
        claim("c1", "一。", &[(A, "x", None)]),
        claim("c2", "二。", &[(A, "x", None)]),
        claim("c3", "1. three", &[(A, "x", None)]),
    ];
    for (claim, span) in claims.iter_mut().zip([[0, 6], [6, 12], [14, 22]]) {
        claim["span"] = json!(span);
    }
    check(&claims, "一[1]。二[1]。\n\n1\\. three [1].\n\n## Sources\n\n1. Alpha \\[study\\] — https://a.example/\n");
}

#[track_caller]
fn check_refused(change: impl Fn(&mut Value), expected: &str) {
    let mut value = json!({"schema": "cited/record/1", "verifications": [claim("c1", "It is so.", &[(A, "so", None)]), claim("c2", "X.", &[])],
        "sources": [{"url": A}]});
    change(&mut value);
    let faults = faults(&read(&value.to_string()).unwrap());
    assert_eq!(faults, [expected]);
}

#[test]
fn what_another_program_does_not_know_may_be_null() {
    let mut value = json!({"verifications": [claim("c1", "It is so.", &[(A, "so", None)])], "sources": [{"url": A, "title": null, "outcome": null}]});
    for name in ["notes", "kind", "action", "span", "line", "context"] {
        value["verifications"][0][name] = json!(null);
    }
    for name in ["stat", "context", "verdict", "checks", "offsets"] {
        value["verifications"][0]["sources_reconciled"][0][name] = json!(null);
    }
    assert!(faults(&read(&value.to_string()).unwrap()).is_empty());
}

#[test]
fn what_prose_does_not_tell_may_be_of_any_shape() {
    let mut value = json!({"verifications": [claim("c1", "It is so.", &[(A, "so", None)])], "sources": [{"url": A, "reason": "by its authors", "origins": "a.md", "hops": 3}]});
    value["verifications"][0]["line"] = json!("12");
    for (name, own) in
        [("checks", json!(["new-check"])), ("fetched_at", json!("2024-03-01")), ("rating", json!("high"))]
    {
        value["verifications"][0]["sources_reconciled"][0][name] = own;
    }
    let prose = |value: &Value| write(&read(&value.to_string()).unwrap()).unwrap().text;
    assert!(prose(&value).ends_with(&format!("1. {A}\n")), "{}", prose(&value));
    value["sources"][0] = json!({"url": A, "outcome": "dead"});
    assert!(prose(&value).ends_with(&format!("1. {A} (dead: no reason given, no archive)\n")), "{}", prose(&value));
}

#[test]
fn an_unsound_record_is_refused_for_its_own_reason() {
    let first = |value: &mut Value, name: &str, to: Value| value["verifications"][0][name] = to;
    let source =
        |value: &mut Value, name: &str, to: Value| value["verifications"][0]["sources_reconciled"][0][name] = to;
    check_refused(|v| v["schema"] = json!("cited/record/9"), "its schema is `cited/record/9`, which is not known here");
    check_refused(|v| first(v, "claim_id", json!(" ")), "claim 1: it has no claim_id");
    check_refused(|v| first(v, "claim_id", json!("c2")), "c2: another claim has the same claim_id");
    check_refused(|v| first(v, "claim_text", json!("")), "c1: it has no claim_text");
    check_refused(|v| first(v, "confidence", json!(null)), "c1: it is verified, and has no confidence");
    check_refused(|v| first(v, "confidence", json!(1.5)), "c1: its confidence is not between 0 and 1");
    check_refused(|v| first(v, "sources_reconciled", json!([])), "c1: it is verified, and no source supports it");
    check_refused(|v| first(v, "action", json!("drop")), "c1: it is verified, and it was removed");
    check_refused(|v| source(v, "source_passage", json!("")), "c1: source 1: it has no source_passage");
    check_refused(
        |v| source(v, "source_url", json!("")),
        "c1: source 1: it has no source_url, or one that is not of the web",
    );
    check_refused(
        |v| source(v, "source_url", json!("javascript:x")),
        "c1: source 1: it has no source_url, or one that is not of the web",
    );
    check_refused(
        |v| source(v, "source_url", json!("https://z.example/")),
        "c1: source 1: its source_url is none of the record's sources",
    );
    check_refused(|v| source(v, "verdict", json!("weak")), "c1: it is verified, and no source supports it");
    check_refused(|v| source(v, "offsets", json!([0, 9])), "c1: source 1: its offsets are not those of its passage");
}

#[test]
fn what_is_malformed_is_no_record() {
    for text in ["", "{", "[]", "{}", r#"{"verifications": {}}"#, r#"{"verifications": [{"claim_id": "c1"}]}"#] {
        assert!(read(text).is_err(), "{text}");
    }
    assert_eq!(faults(&read(r#"{"verifications": []}"#).unwrap()), ["it holds no claim"]);
}

#[test]
fn a_title_that_begins_like_a_label_is_a_title() {
    let mut mapping = mapping(&[claim("c0", "Heat rose", &[(A, "words", None)])]);
    mapping.sources[0].title = "[2[".to_owned();
    let prose = write(&mapping).map(|prose| prose.text);
    assert!(prose.as_ref().is_ok_and(|text| text.contains("1. \\[2 — ")), "{prose:?}");
}

#[test]
fn what_one_claim_opens_another_does_not_close() {
    let mapping = mapping(&[claim("c0", "~0 grew", &[]), claim("c1", "~[a fell", &[])]);
    let prose = write(&mapping).map(|prose| prose.text);
    let text = prose.unwrap_or_default();
    let mut events = pulldown_cmark::Parser::new_ext(&text, cited_core::markdown::parser_options());
    assert!(!text.is_empty() && !events.any(|event| matches!(event, Event::Start(Tag::Strikethrough))), "{text}");
}

proptest! {
    #[test]
    fn hostile_words_stay_words_and_numbers_stay_whole(
        texts in proptest::collection::vec("[ -~\\n“”。]{0,40}[a-z]", 1..5),
        title in "[ -~\\n]{0,30}",
        flags in proptest::collection::vec(any::<bool>(), 5),
    ) {
        let claims: Vec<Value> = texts.iter().enumerate().map(|(i, text)| {
            let url = if i % 2 == 0 { A } else { B };
            let sources: &[_] = if flags[i] { &[(url, "words", None)] } else { &[] };
            claim(&format!("c{i}"), text, sources)
        }).collect();
        let mut mapping = mapping(&claims);
        mapping.sources[0].title = title;
        let prose = write(&mapping);
        prop_assert!(prose.is_ok(), "{:?}", prose);
        let text = prose.unwrap().text;
        for event in pulldown_cmark::Parser::new_ext(&text, cited_core::markdown::parser_options()) {
            let plain = matches!(event, Event::Text(_) | Event::SoftBreak | Event::End(_)
                | Event::Start(Tag::Paragraph | Tag::List(Some(1)) | Tag::Item | Tag::Heading { level: HeadingLevel::H2, .. }));
            prop_assert!(plain, "{:?} in {:?}", event, text);
        }
    }
}

#[test]
fn what_is_no_mapping_is_told_in_plain_words() {
    let check = |text: &str, why: &str| assert_eq!(read(text).unwrap_err(), why, "{text}");
    check("[]", "is a list and should be an object");
    check("{}", "`verifications` is missing");
    check(r#"{"verifications": {}}"#, "`verifications`: is an object and should be a list");
    check(
        r#"{"verifications": [{"claim_id": "c1", "claim_text": "x", "verified": "yes"}]}"#,
        "`verifications/0/verified`: is a text and should be true or false",
    );
    // What is missing of a claim is told with all else that is wrong.
    let mapping = read(r#"{"verifications": [{"verified": true, "sources_reconciled": [{}]}]}"#).unwrap();
    let faults = faults(&mapping).join("\n");
    for what in
        ["has no claim_id", "has no claim_text", "has no confidence", "has no source_passage", "has no source_url"]
    {
        assert!(faults.contains(what), "{what}: {faults}");
    }
}
