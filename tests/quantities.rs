//! Pairs of quantities in many writings, and what they have to say to each other.

use cited::quantity::{Agreement, Quantity, compare, quantities};

const PAIRS: &str = include_str!("../testdata/quantities/pairs.tsv");

fn first(text: &str) -> Quantity {
    quantities(text).into_iter().find(|q| !q.is_label()).unwrap_or_else(|| panic!("no quantity in {text:?}"))
}

fn check(claim: &str, source: &str, expected: &str) -> Result<(), String> {
    let (claim_q, source_q) = (first(claim), first(source));
    let found = match compare(&claim_q, &source_q) {
        Agreement::Same => "same",
        Agreement::Compatible => "compatible",
        Agreement::Different => "different",
        Agreement::Unrelated => "unrelated",
    };
    if found == expected {
        return Ok(());
    }
    Err(format!("{claim:?} against {source:?} is {found}, not {expected}\n  {claim_q:?}\n  {source_q:?}"))
}

#[test]
fn pairs_stand_as_the_table_says() {
    let rows: Vec<Vec<&str>> =
        PAIRS.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect();
    assert!(rows.len() >= 200, "only {} pairs", rows.len());
    let wrong: Vec<String> = rows.iter().filter_map(|row| check(row[0], row[1], row[2]).err()).collect();
    assert!(wrong.is_empty(), "{} of {} pairs:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn what_measures_nothing_is_told_from_what_does() {
    for text in [
        "GPT-4",
        "COVID-19",
        "H.264",
        "Figure 3",
        "Section 5.2",
        "[12]",
        "1. First",
        "A1c",
        "5G",
        "No. 5",
        "3rd",
        "F-35",
    ] {
        assert!(quantities(text).iter().all(|q| !q.is_measured()), "{text}: {:?}", quantities(text));
    }
    for text in
        ["12 ms", "3.1%", "in 2019", "$5", "1,200 documents", "version 2.1", "twice", "14:30", "120万", "March 5"]
    {
        assert!(quantities(text).iter().any(Quantity::is_measured), "{text}: {:?}", quantities(text));
    }
}
