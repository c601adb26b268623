//! Drafts whose claims are judged: sources in any state, each with a page that says what a claim says, says it with another
//! value, says it of nothing, or was read in part.

use cited::fetch::{Fetcher, Fetching, Outcome, Page, Request};
use proptest::prelude::*;
use proptest::sample::select;

use crate::drafts::{block, form, source_list, written};
use crate::promises::{Facts, Script, Web, answer};

/// What the sources answer, and what stands on their pages: their text, and whether that is all of it.
#[derive(Debug, Clone)]
pub struct Read {
    pub script: Script,
    pub pages: Vec<(String, bool)>,
}

impl Web for Read {
    fn outcome_of(&self, address: &str) -> Outcome {
        self.script.outcome_of(address)
    }

    fn page_of(&self, address: &str) -> Option<(String, bool)> {
        let at = Script::number(address)?.checked_sub(1)?;
        self.pages.get(at).cloned()
    }
}

impl Fetcher for Read {
    fn fetch<'a>(&'a self, request: &'a Request<'a>) -> Fetching<'a> {
        let mut fetched = answer(request, |address| self.outcome_of(address));
        if fetched.outcome.is_readable() {
            let page = |(text, complete)| Page { complete, ..Page::of_text(text, "text/plain") };
            fetched.page = self.page_of(&fetched.address).map(page);
        }
        Box::pin(async move { fetched })
    }
}

/// A statement with one of its values: which, and which value.
fn fact() -> impl Strategy<Value = (usize, usize)> {
    (0..Facts::COUNT, 0..3usize)
}

fn page() -> impl Strategy<Value = (String, bool)> {
    let filler = select(
        &["", "The weather was mild that year.", "Read our other stories below.", "Nobody else has said so yet."][..],
    );
    (proptest::collection::vec(fact(), 0..6), filler, prop_oneof![6 => Just(true), 1 => Just(false)]).prop_map(
        |(facts, filler, whole)| {
            let lines: Vec<String> = facts.iter().map(|(fact, value)| Facts::written(*fact, *value)).collect();
            (format!("{}\n\n{filler}\n", lines.join("\n\n")), whole)
        },
    )
}

/// A claim with the sources it cites, their form still open.
fn claim() -> impl Strategy<Value = String> {
    let cited = prop_oneof![6 => proptest::collection::vec(1..6u8, 1..3), 1 => Just(Vec::new())];
    (fact(), cited).prop_map(|((fact, value), cited)| {
        let words = Facts::written(fact, value);
        let numbers: Vec<String> = cited.iter().map(ToString::to_string).collect();
        let stop = words.chars().next_back().unwrap_or('.');
        if cited.is_empty() {
            return words;
        }
        format!("{} ⟦{}⟧{stop}", words.trim_end_matches(stop), numbers.join(" "))
    })
}

fn part() -> impl Strategy<Value = String> {
    let claims = || proptest::collection::vec(claim(), 1..4);
    prop_oneof![
        4 => claims().prop_map(|claims| claims.join(" ")),
        2 => claims().prop_map(|claims| format!("- {}", claims.join("\n- "))),
        1 => claims().prop_map(|claims| format!("1. {}", claims.join("\n1. "))),
        1 => claims().prop_map(|claims| format!("> {}", claims.join("\n> "))),
        1 => claims().prop_map(|claims| format!("| What |\n|---|\n| {} |", claims.join(" |\n| "))),
        2 => block(),
    ]
}

/// A draft, and what its sources are and say.
pub fn judged() -> impl Strategy<Value = (String, Read)> {
    let outcome = prop_oneof![4 => Just(Outcome::Live), 2 => Just(Outcome::Dead), 3 => select(Outcome::ALL)];
    let read = (proptest::collection::vec(outcome, 6), proptest::collection::vec(page(), 6))
        .prop_map(|(outcomes, pages)| Read { script: Script(outcomes), pages });
    (proptest::collection::vec(part(), 1..5), form(), source_list(), read)
        .prop_map(|(parts, form, list, read)| (format!("{}\n\n{list}\n", written(&parts.join("\n\n"), form)), read))
}
