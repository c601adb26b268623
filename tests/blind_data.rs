//! Files of data, and pages with tables, with claims about them that somebody wrote without sight of the code (`testdata/blind`): true claims are kept, what the files
//! have is seen, and false claims are not called supported.

#[path = "support/pass.rs"]
mod pass;

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use cited::{Options, Standing, judge_claim, read_page};
use serde_json::Value;

/// A file of data leaves out units and sums, but no words that are quoted from it.
#[test]
fn what_is_quoted_from_a_file_of_data_stands_in_it() {
    let files = [
        ("mines.csv", "mine,depth_m,note\nKorsa,412,closed in spring after the floods\nUlm,310,open\n"),
        (
            "mines.json",
            r#"[{"mine": "Korsa", "depth_m": 412, "note": "closed in spring after the floods"}, {"mine": "Ulm", "depth_m": 310}]"#,
        ),
    ];
    for (name, text) in files {
        let page = read_page(text.as_bytes(), name).expect("a page");
        let standing = |claim| judge_claim(claim, &page, &Options::default()).standing;
        let claim = "The note on the mine of Korsa is “the deepest and oldest mine of the whole region”.";
        assert_eq!(standing(claim), Standing::Contradicted, "{name}");
        let claim = "The file says that Korsa was “closed in spring after the floods”.";
        assert_ne!(standing(claim), Standing::Contradicted, "{name}");
        let claim = "The two mines are 722 m deep together, and closed 15 years ago.";
        let verdict = judge_claim(claim, &page, &Options::default());
        assert!(!verdict.hard || verdict.standing == Standing::Supported, "{name}: {verdict:?}");
    }
}

/// The blind sets, and the true claims of each that a page removes. No other may.
const SETS: [(&str, &[&str]); 12] = [
    ("a", &[]),
    ("b", &[]),
    ("c", &[]),
    ("d", &[]),
    ("e", &[]),
    ("f", &[]),
    ("g", &[]),
    ("h", &[]),
    ("i", &[]),
    ("j", &[]),
    ("k", &[]),
    ("l", &[]),
];

/// Claims that people wrote who had not seen the code, a set each: no true one goes, and what becomes of each is known.
#[test]
fn claims_of_others_are_judged_as_listed_and_no_true_one_goes() {
    let removed: Vec<String> = std::thread::scope(|scope| {
        let sets = SETS.map(|(set, known)| scope.spawn(move || judged(set, known)));
        sets.into_iter().flat_map(|set| set.join().expect("a set")).collect()
    });
    assert!(removed.is_empty(), "true claims removed:\n{}", removed.join("\n"));
}

/// Holds a set against its list, and gives the true claims that would go, but for those that are known.
fn judged(set: &str, known: &[&str]) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/blind").join(set);
    let claims = fs::read_to_string(folder.join("claims.jsonl")).expect("the claims");
    let (mut lines, mut removed, mut pages) = (Vec::new(), Vec::new(), HashMap::new());
    for (at, line) in claims.lines().enumerate() {
        let case: Value = serde_json::from_str(line).expect("a claim");
        let text = |name: &str| case[name].as_str().expect("a text").to_owned();
        let id = case["id"].as_str().map_or_else(|| format!("{set}{}", at + 1), str::to_owned);
        let (name, claim) = (text("page"), text("claim"));
        let page = pages
            .entry(name.clone())
            .or_insert_with(|| read_page(fs::read(folder.join(&name)).expect("a file"), &name).expect("a page"));
        let verdict = judge_claim(&claim, page, &Options::default());
        let is_true = case["truth"].as_bool().or(case["label"].as_bool()).expect("a truth");
        let check = verdict.check.as_deref().unwrap_or("-");
        lines.push(format!("{id} {is_true} {} {check}", verdict.standing.as_str()));
        if is_true && verdict.hard && verdict.standing == Standing::Contradicted && !known.contains(&id.as_str()) {
            removed.push(format!("{id} {claim}: {}", verdict.reason));
        }
    }
    pass::hold(&format!("claims-{set}"), &lines);
    removed
}
