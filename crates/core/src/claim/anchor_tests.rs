//! What claims are anchored to.

use super::tests::claims_of;
use super::{ClaimKind, anchor};
use crate::citation::Placement;
use crate::source::{ResearchNote, SourceId};

fn note(text: &str, file: &str, sources: &[usize]) -> ResearchNote {
    ResearchNote {
        text: text.to_owned(),
        sources: sources.iter().copied().map(SourceId).collect(),
        file: file.to_owned(),
        ..ResearchNote::default()
    }
}

/// The sources of each claim of `draft`; `?` where several fit.
fn anchors(draft: &str, notes: &[ResearchNote]) -> Vec<String> {
    let (_, _, claims) = claims_of(draft, Placement::BeforeStop);
    let claims: Vec<_> = claims.iter().collect();
    let (found, findings) = anchor(&claims, notes);
    found
        .into_iter()
        .zip(&claims)
        .map(|(anchor, claim)| match anchor {
            Some(anchor) if anchor.sources.is_empty() => "-".to_owned(),
            Some(anchor) => anchor.sources.iter().map(|source| source.0.to_string()).collect::<Vec<_>>().join(","),
            None if findings.iter().any(|finding| finding.span == Some(claim.span)) => "?".to_owned(),
            None => "-".to_owned(),
        })
        .collect()
}

#[track_caller]
fn check(draft: &str, notes: &[ResearchNote], expected: &[&str]) {
    assert_eq!(anchors(draft, notes), expected, "of {draft:?}");
}

/// That no note carries a claim is no proof that none says it.
#[test]
fn a_note_with_the_numbers_of_a_claim_may_say_it() {
    #[track_caller]
    fn check(claim: &str, notes: &[&str], expected: Option<usize>) {
        let (_, _, claims) = claims_of(&format!("{claim}\n"), Placement::BeforeStop);
        let notes: Vec<ResearchNote> = (0..).zip(notes).map(|(at, text)| note(text, "a.md", &[at])).collect();
        let (found, _) = anchor(&[&claims[0]], &notes);
        let near = found[0].as_ref().filter(|anchoring| anchoring.sources.is_empty());
        assert_eq!(near.map(|anchoring| anchoring.note), expected, "{claim}");
    }
    let notes =
        ["Strompreis: 178 Euro im Jahr 2025", "38 GWh fed into the grid", "40 member cities", "Google owns 14 cables."];
    check("In 2025 a megawatt-hour cost 178 euros.", &notes, Some(0));
    check("The array supplied 38 gigawatt-hours of power.", &notes, Some(1));
    check("Today 40 cities take part in the programme.", &notes, Some(2));
    check("In 2025 a megawatt-hour cost 187 euros.", &notes, None);
    check("Refuelling one of the trains takes 40 minutes.", &notes, None);
    check("Meta owns 14 cables.", &notes, None);
    check("Der Weg hat 18 Etappen.", &["the trail has 18 stages", "a map costs 12 euros"], Some(0));
    check("Der Weg hat 18 Etappen.", &["the trail has 18 stages", "18 volunteers"], None);
    check("Der Weg ist 402 Kilometer lang.", &["it is 250 miles long"], Some(0));
    check("Im Jahr gingen den Weg nach der Zählung 21.000 Menschen.", &["21,000 walkers a year"], Some(0));
    check("The new line was opened in 2025.", &[notes[0], "Fares rose in 2025"], None);
    check("The contract runs until the year 2034.", &["Vertrag bis 2034", "2,1 ct/kWh"], Some(0));
    check("The growers water 124 square kilometres.", &["1870 growers, 12,400 ha"], Some(0));
    check("A hectare takes 5,500 cubic metres now.", &["modernised; from 7900 to 5500 m3/ha"], Some(0));
    check("A parcel costs 1.90 euros, 85 cents less.", &["parcel 1.90 € / 2.75 €"], Some(0));
    check("The Longtail 7 and the Shorttail 9 weigh 3.9 kg.", &["mass of both 3.9 kg"], Some(0));
    check("\"I will miss the seals,\" he told the Gazette.", &["Doherty: \"I will miss the seals\""], Some(0));
    check("\"I will miss the boats,\" he told the Gazette.", &["Doherty: \"I will miss the seals\""], None);
    check("Ferries carried 77 buses in 2025.", &notes, None);
}

#[test]
fn a_key_claim_is_about_what_its_row_names() {
    let releases = ResearchNote {
        about: "ag releases ggreer the silver searcher".to_owned(),
        ..note("no release since 2018", "a.md", &[0])
    };
    let draft = "The Silver Searcher has had no release since 2018.\n";
    assert_eq!(anchors(draft, std::slice::from_ref(&releases)), ["0"]);
    assert_ne!(anchors("The Golden Goose has had no release since 2018.\n", &[releases]), ["0"]);
}

#[test]
fn the_note_with_the_name_of_the_claim_carries_it() {
    check(
        "Meta owns 14 cables.\n",
        &[note("Google owns 14 cables.", "a", &[0]), note("Meta owns 14 cables.", "b", &[1])],
        &["1"],
    );
    check("GWEC counts 14 farms.\n", &[note("The Global Wind Energy Council counts 14 farms.", "a", &[0])], &["0"]);
}

#[test]
fn colliding_numbers_are_told_apart_by_what_is_said() {
    let notes = [
        note("searches the Linux kernel tree in 0.06 s", "web", &[1]),
        note("no release since 2018", "web", &[2]),
        note("Ripgrep 14.0 searches the Linux kernel tree in 0.06 s.", "web", &[1]),
        note("The Silver Searcher has had no release since 2018.", "web", &[2]),
        note("GNU grep uses a Boyer-Moore variant and skips bytes.", "papers", &[0]),
        note("Ripgrep 14.0 searches the Linux kernel tree in 0.06 s.", "papers", &[1]),
    ];
    let draft = "GNU grep uses a Boyer-Moore variant and skips bytes. Ripgrep 14.0 searches the Linux kernel tree in 0.06 s. \
                 The Silver Searcher has had no release since 2018 [2].";
    check(draft, &notes, &["0", "1", "2"]);
}

#[test]
fn a_cell_is_anchored_by_the_name_of_its_row_and_its_value() {
    let notes = [
        note("Battery storage additions reached 69 GW in 2024; China added 36 GW, 52%", "r", &[0]),
        note("The US added 12.3 GW (18%).", "r", &[0]),
        note("Europe added 8 GW, 12% of the total.", "r", &[1]),
        note("Tell us: 40% of readers do.", "r", &[2]),
    ];
    let table = "| Region | Added (GW) | Share |\n|---|---|---|\n";
    let values = "| China | 36 | 52% |\n| US | 12.3 | 18% |\n| Europe | 8 | 12% |\n";
    check(&format!("{table}{values}"), &notes, &["0", "0", "0", "0", "1", "1"]);
    // Another row's value, another value, and a bare number under another head.
    check(&format!("{table}| China | 35 | 18% |\n| US | 9 | 40% |\n"), &notes, &["-", "-", "-", "-"]);
    check("| Region | Plants |\n|---|---|\n| China | 36 |\n", &notes, &["-"]);
}

#[test]
fn quantities_decide() {
    let notes = [
        note("Pew: 45% of adults use AI tools.", "r", &[0]),
        note("McKinsey: 12% of adults use AI tools daily.", "r", &[1]),
    ];
    check("Pew reports that 45% of adults use AI tools.", &notes, &["0"]);
    check("McKinsey reports that 12% of adults use AI tools daily.", &notes, &["1"]);
    check("Pew reports that 54% of adults use AI tools.", &notes, &["-"]);
    check("Churn fell to 3.1% in May.", &notes, &["-"]);
    check("The results were verified by the team.", &notes, &["-"]);
    let notes = [note("The corpus has 1,200,000 documents in 14 languages.", "r", &[0])];
    check("The corpus has 1.2 million documents.", &notes, &["0"]);
    check("该语料库包含120万份文件。", &[note("语料库包含1200000份文件", "r", &[3])], &["3"]);
}

#[test]
fn equal_candidates_with_different_sources_are_left_open() {
    let notes = [note("Tool Alpha is fast and free.", "a", &[0]), note("Tool Omega is fast and free.", "b", &[1])];
    check("The tool is fast and free [2].", &notes, &["?"]);
    check("Tool Omega is fast and free [2].", &notes, &["1"]);
    let reversed: Vec<_> = notes.iter().rev().cloned().collect();
    check("The tool is fast and free [2].", &reversed, &["?"]);
    check("Tool Omega is fast and free [2].", &reversed, &["1"]);
}

#[test]
fn the_same_statement_with_two_sources_is_agreement() {
    let notes = [note("Sodium cells shipped in 2023.", "a", &[0]), note("Sodium cells shipped in 2023.", "b", &[1])];
    check("Sodium cells shipped in 2023.", &notes, &["0,1"]);
    // With one merged source it is one.
    let notes = [note("Sodium cells shipped in 2023.", "a", &[0]), note("Sodium cells shipped in 2023.", "b", &[0])];
    check("Sodium cells shipped in 2023.", &notes, &["0"]);
    // A word in two cells is no statement.
    let table = "| Name | Risk |\n|---|---|\n| A | High |\n";
    check(table, &[note("High", "a", &[0]), note("High", "b", &[1])], &["-"]);
}

#[test]
fn a_paraphrase_is_anchored_when_no_other_source_comes_near() {
    let keeper = note(
        "After the storm the keeper of the lighthouse had its wooden staircase painted, the newspaper of the island wrote.",
        "r",
        &[0],
    );
    let grammar = note("GNU grep uses a Boyer-Moore variant and skips bytes.", "r", &[1]);
    let near = note("The keeper of the lighthouse left the island after the storm, neighbours wrote.", "r", &[2]);
    let paraphrase = "According to inspectors the lighthouse keeper quickly painted the damaged staircase following the autumn storm.";
    check(paraphrase, &[keeper.clone(), grammar.clone()], &["0"]);
    // A plain statement stays without a source, and wants more of one.
    let plain = "Inspectors praised how quickly the lighthouse keeper painted the damaged staircase following the autumn storm.";
    check(plain, &[keeper.clone(), grammar.clone()], &["-"]);
    check(
        "The lighthouse keeper painted its wooden staircase after the storm.",
        &[keeper.clone(), grammar.clone()],
        &["0"],
    );
    // Another source has nearly as much of it; what has none of its numbers; what only opines.
    check(paraphrase, &[keeper.clone(), grammar.clone(), near], &["-"]);
    check(&paraphrase.replace("autumn", "1953"), &[keeper.clone(), grammar.clone()], &["-"]);
    check(&paraphrase.replace("According to inspectors the", "Perhaps the"), &[keeper, grammar], &["-"]);
}

#[test]
fn a_note_that_is_hardly_better_than_that_of_another_source_leaves_it_open() {
    let notes = [
        note("The keeper of the lighthouse painted its wooden staircase in spring.", "a", &[0]),
        note("The keeper of the lighthouse painted its stone staircase in autumn.", "b", &[1]),
    ];
    check("The keeper of the lighthouse painted its staircase.", &notes, &["?"]);
    check("The keeper of the lighthouse painted its wooden staircase in spring.", &notes, &["0"]);
}

#[test]
fn notes_without_sources_carry_nothing() {
    check("Sodium cells shipped in 2023.", &[note("Sodium cells shipped in 2023.", "a", &[])], &["-"]);
    check("Sodium cells shipped in 2023.", &[], &["-"]);
}

#[test]
fn cells_are_matched_with_their_row_and_column() {
    let table = "| Tool | Time |\n|---|---|\n| ripgrep | 0.06 s |\n| ag | 0.40 s |\n";
    let notes = [note("ripgrep: time 0.06 s", "a", &[0]), note("The time of ag is 0.40 s", "a", &[1])];
    check(table, &notes, &["0", "1"]);
}

#[test]
fn order_of_notes_does_not_matter_and_scores_are_shares() {
    let notes: Vec<_> = (0..200usize)
        .map(|i| note(&format!("Company {i} sold {} units of product {}.", i * 7 + 1, i % 5), "r", &[i]))
        .collect();
    let sentences: Vec<_> = notes.iter().map(|note| note.text.as_str()).collect();
    let draft = sentences.join(" ");
    let expected: Vec<String> = (0..200).map(|i| i.to_string()).collect();
    assert_eq!(anchors(&draft, &notes), expected);
    let (_, _, claims) = claims_of(&draft, Placement::BeforeStop);
    assert!(claims.iter().all(|claim| claim.kind == ClaimKind::Quantitative));
    let reversed: Vec<_> = notes.iter().rev().cloned().collect();
    assert_eq!(anchors(&draft, &reversed), expected);
}

#[test]
fn a_claim_of_several_findings_cites_all_of_them() {
    let notes =
        [note("Harbour Oslo holds 42 ferries.", "a.md", &[0]), note("Harbour Bergen holds 58 ferries.", "b.md", &[1])];
    check("Oslo holds 42 ferries and Bergen holds 58 ferries.\n", &notes, &["0,1"]);
    check("Ferries number 42 in harbour Oslo and 58 in harbour Bergen.\n", &notes, &["0,1"]);
    // Of whose parts only one is known is anchored by that.
    check("Oslo holds 42 ferries, and Narvik lost 71 cranes.\n", &notes, &["0"]);
    check("Narvik lost 71 cranes, and Tromsø lost 88 buoys.\n", &notes, &["-"]);
    let (_, _, claims) = claims_of("Oslo holds 42 ferries, and Narvik lost 71 cranes.\n", Placement::BeforeStop);
    let (found, _) = anchor(&[&claims[0]], &notes);
    assert_eq!(
        found[0].as_ref().map(|anchoring| anchoring.lacking.as_slice()),
        Some(&["and Narvik lost 71 cranes".to_owned()][..])
    );
}

#[test]
fn a_note_that_says_little_is_found_by_all_of_it() {
    let notes = [note("Noise: 31 dB", "a", &[0]), note("Pack: 4,300 kWh", "a", &[1]), note("Doors: 31", "b", &[2])];
    check("Noise reaches 31 dB.\n\nThe pack stores 4,300 kWh.\n", &notes, &["0", "1"]);
    // A value alone is none of it, nor is a word.
    check("The fan reaches 31 dB.\n\nNoise reaches 48 dB.\n", &notes, &["-", "-"]);
}
