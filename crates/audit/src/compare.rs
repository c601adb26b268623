//! Reference rot: whether a page still says what was cited from it.

use std::cell::LazyCell;

use serde::{Deserialize, Serialize};

use cited_core::claim::ClaimKind;
use cited_core::page::Page;
use cited_core::verdict::{CheckResult, Standing};
use cited_judge::{ClaimText, Settings, SourceText, judge};
use cited_text::fold::Folded;

/// A passage that a claim stands on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Pin {
    /// The claim's words.
    pub claim: String,
    /// The words of the page.
    pub passage: String,
}

/// What became of a pinned passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PinState {
    /// The page has it, or says the same in other words.
    Holds,
    /// The page has something else in its place: another number, the opposite.
    Changed,
    /// The page was read whole, and no more says it.
    Gone,
    /// It could not be told: the page was read in part.
    Unknown,
}

/// A pinned passage and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Compared {
    /// The claim's words.
    pub claim: String,
    /// The words of the page: those that were pinned, or those that say the same now.
    pub passage: String,
    /// What became of it.
    pub state: PinState,
    /// What the page says instead, when it says something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
}

impl Compared {
    fn new(claim: &str, passage: &str, state: PinState, found: Option<String>) -> Compared {
        Compared { claim: claim.to_owned(), passage: passage.to_owned(), state, found }
    }
}

/// Compares the passages that were pinned with a page, and pins those of claims that have none yet where the page supports them.
///
/// A passage that stands there word for word, apart from what [`Folded`] folds, holds. Otherwise the claim is judged by the page again:
/// a page that was only reworded still supports it.
pub fn compare(pins: &[Pin], claims: &[&str], page: &Page) -> Vec<Compared> {
    if page.text.is_empty() {
        return Vec::new();
    }
    let (folded, source) = (LazyCell::new(|| Folded::new(&page.text)), LazyCell::new(|| SourceText::of_page(page)));
    let verdict = |claim: &str| judge(&ClaimText::new(claim, ClaimKind::Plain), &source, &Settings::default());
    let pinned = pins.iter().map(|pin| {
        let passage = Folded::new(&pin.passage);
        if memchr::memmem::find(folded.as_str().as_bytes(), passage.as_str().as_bytes()).is_some() {
            return Compared::new(&pin.claim, &pin.passage, PinState::Holds, None);
        }
        let of_claim = verdict(&pin.claim);
        // What stands in the place of a passage is told best by the passage itself: the claim may have put it in other words.
        let decides = matches!(of_claim.standing, Standing::Supported | Standing::Contradicted);
        let of_passage = (!decides).then(|| verdict(&pin.passage));
        let against = of_passage.filter(|other| other.standing == Standing::Contradicted);
        let verdict = against.unwrap_or(of_claim);
        let found = verdict.passage.map(|passage| passage.text);
        let differs = || verdict.checks.iter().any(|check| matches!(check.result, CheckResult::Differs { .. }));
        let (state, passage, found) = match verdict.standing {
            Standing::Supported => (PinState::Holds, found.as_deref().unwrap_or(&pin.passage), None),
            Standing::Contradicted if differs() => (PinState::Changed, &*pin.passage, found.clone()),
            Standing::Contradicted => (PinState::Gone, &*pin.passage, found.clone()),
            Standing::Weak | Standing::Unverifiable if page.is_whole() => (PinState::Gone, &*pin.passage, None),
            Standing::Weak | Standing::Unverifiable | Standing::Unchecked => (PinState::Unknown, &*pin.passage, None),
        };
        Compared::new(&pin.claim, passage, state, found)
    });
    let new = claims.iter().filter(|claim| pins.iter().all(|pin| pin.claim != **claim)).filter_map(|claim| {
        let verdict = verdict(claim);
        let passage = verdict.passage.filter(|_| verdict.standing == Standing::Supported)?.text;
        Some(Compared::new(claim, &passage, PinState::Holds, None))
    });
    pinned.chain(new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLAIM: &str = "The model scores 49.2% on MMLU.";

    fn check(passage: &str, page: &str, complete: bool, expected: PinState) -> Compared {
        let pins = [Pin { claim: CLAIM.into(), passage: passage.into() }];
        let page = Page { complete, ..Page::of_text(page, "text/plain") };
        let mut compared = compare(&pins, &[CLAIM], &page);
        assert_eq!(compared.len(), 1, "{compared:?}");
        let compared = compared.remove(0);
        assert_eq!(compared.state, expected, "{}: {compared:?}", page.text);
        compared
    }

    #[test]
    fn a_passage_holds_changes_or_goes() {
        let pinned = "On MMLU, the model scores 49.2% overall.";
        check(pinned, "Results. On MMLU, the model scores 49.2% overall. More follows.", true, PinState::Holds);
        // Other quotation marks, spaces and dashes are the same words.
        check(pinned, "Results.\u{a0}On MMLU, the  model scores 49.2% overall.", true, PinState::Holds);
        check(pinned, "Results. The model scores 49.2% on MMLU in our tests.", true, PinState::Holds);
        let changed = check(pinned, "Results. On MMLU, the model scores 51.7% overall.", true, PinState::Changed);
        assert_eq!(changed.found.as_deref(), Some("On MMLU, the model scores 51.7% overall."));
        check(pinned, "Welcome to our new site. We sell garden furniture and lamps.", true, PinState::Gone);
        check(pinned, "Welcome to our new site. We sell garden furniture and lamps.", false, PinState::Unknown);
    }

    #[test]
    fn a_first_look_pins_what_supports_and_nothing_else() {
        let page =
            Page::of_text("Results. On MMLU, the model scores 49.2% overall. It was trained on text.", "text/plain");
        let compared = compare(&[], &[CLAIM, "The model weighs 70 tonnes."], &page);
        let pinned: Vec<(&str, PinState)> = compared.iter().map(|one| (one.claim.as_str(), one.state)).collect();
        assert_eq!(pinned, [(CLAIM, PinState::Holds)]);
        assert!(compare(&[], &[CLAIM], &Page::default()).is_empty());
    }
}
