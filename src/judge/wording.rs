//! What the words of a claim and of a page have in common, as numbers for the combiner.

use std::collections::HashSet;

use crate::evidence::search::{Lookup, SourceIndex, Window};
use crate::judge::finding::Finding;
use crate::judge::polarity::{self, Alignment};
use crate::judge::quantities::Order;
use crate::judge::quotations;
use crate::judge::verdict::CheckResult;
use crate::text::words::{self, Word};

/// How many numbers describe a claim on a page.
pub const FEATURES: usize = 38;

/// The names of the features, in order; the training script reads them.
pub const NAMES: [&str; FEATURES] = [
    "recall_window",
    "recall_three_windows",
    "recall_page",
    "recall_sentence",
    "recall_names_window",
    "recall_names_page",
    "has_names",
    "ordered",
    "pairs",
    "heaviest_missing_window",
    "heaviest_missing_page",
    "missing_window",
    "missing_run",
    "terms",
    "quantities",
    "quantities_agree",
    "quantities_on_page",
    "quantities_absent",
    "quantities_differ",
    "quantities_unknown",
    "dates_missing",
    "quotations_found",
    "quotations_missing",
    "negation",
    "opposite",
    "direction",
    "claim_denies",
    "hedge_lost",
    "extremes_missing",
    "recall_worst_clause",
    "recall_worst_clause_page",
    "window_sentences",
    "order_reversed",
    "recall_second",
    "recall_soft",
    "missing_page",
    "numbers_in_words",
    "rare_page_missing",
];

/// Places in [`NAMES`] of the features that decide by themselves.
const RECALL_WINDOW: usize = 0;
const RECALL_NAMES_PAGE: usize = 5;
const RECALL_WORST_CLAUSE: usize = 29;

/// Whether one passage has nearly all of a claim, no clause of it left out, and the page all of its names.
///
/// Chosen on the A halves of wice and attrbench: claims that are not covered, and of which the combiner is no surer, were
/// wrongly called supported too often. `docs/accuracy.md` has the figures.
pub fn covers(features: &[f32; FEATURES]) -> bool {
    features[RECALL_WINDOW] >= 0.8 && features[RECALL_WORST_CLAUSE] >= 0.6 && features[RECALL_NAMES_PAGE] >= 0.99
}

/// Whether no clause of a claim is left out altogether by the best passage.
pub fn touches_every_clause(features: &[f32; FEATURES]) -> bool {
    features[RECALL_WORST_CLAUSE] >= 0.3
}

/// Everything that the checks found, as the features need it.
pub struct Seen<'s, 'i, 'a> {
    /// The claim's text.
    pub claim: &'s str,
    /// Its words, in order.
    pub words: &'s [Word],
    /// What the claim asserts beside its content words.
    pub stance: &'s polarity::Stance,
    /// The page.
    pub index: &'i SourceIndex<'a>,
    /// The claim's words on the page.
    pub lookup: &'s Lookup<'i, 'a>,
    /// The best windows, best first.
    pub windows: &'s [Window],
    /// Bits of terms that are known from the page's title and address.
    pub context: u128,
    /// The claim aligned with the best passage.
    pub alignment: &'s Alignment,
    /// What the page has of the quantities.
    pub quantities: &'s [Finding],
    /// What the page has of the quotations.
    pub quotations: &'s [quotations::Finding],
    /// What the page has of the order of a change.
    pub order: &'s Order,
    /// The polarity clash with the best passage, if there is one.
    pub clash: Option<polarity::ClashKind>,
}

/// Describes a claim on a page.
pub fn features(seen: &Seen<'_, '_, '_>) -> [f32; FEATURES] {
    let lookup = seen.lookup;
    let terms = lookup.terms();
    let best = seen.windows.first();
    let window_mask = best.map_or(0, |window| window.terms) | seen.context;
    let union = seen.windows.iter().take(3).fold(seen.context, |mask, window| mask | window.terms);
    let page = lookup.on_page() | seen.context;
    let sentence = seen
        .windows
        .iter()
        .flat_map(|window| window.first..=window.last)
        .map(|sentence| lookup.weigh(lookup.mask(sentence, sentence) | seen.context))
        .fold(0.0, f64::max);
    let names = terms.iter().enumerate().filter(|(_, term)| term.name).fold(0u128, |mask, (bit, _)| mask | 1 << bit);
    let names_in = |mask: u128| if names == 0 { 1.0 } else { lookup.weigh(mask & names) / lookup.weigh(names) };
    let lacks = |mask: u128| terms.iter().enumerate().filter(move |(bit, _)| mask & (1 << bit) == 0);
    let heaviest = |mask: u128| lacks(mask).map(|(_, term)| term.weight).fold(0.0, f64::max);
    let (mut run, mut longest) = (0, 0);
    for bit in 0..terms.len() {
        run = if window_mask & (1 << bit) == 0 { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let window_words = best.map_or(&[][..], |window| seen.index.words_of(window.first, window.last));
    let soft = soft_mask(seen, window_words) | window_mask;
    let clauses = clauses(seen.claim, &terms.iter().map(|term| term.span.start).collect::<Vec<_>>());
    let worst = |mask: u128| {
        clauses.iter().map(|clause| lookup.weigh(mask & clause) / lookup.weigh(*clause).max(1e-9)).fold(1.0, f64::min)
    };
    let count = |test: &dyn Fn(&Finding) -> bool| seen.quantities.iter().filter(|f| test(f)).count();
    let all = seen.quantities.len().max(1) as f64;
    let absent = |f: &Finding| matches!(f.result, CheckResult::Absent { .. });
    let claim_stance = seen.stance;
    let source_stance = seen
        .alignment
        .region
        .map_or_else(polarity::Stance::default, |region| polarity::stance_in(seen.index.spoken_at(region)));
    let extremes = claim_stance.superlatives + claim_stance.certain;
    let quoted = |found: bool| seen.quotations.iter().filter(|f| (f.result == CheckResult::Agrees) == found).count();
    let values: [f64; FEATURES] = [
        lookup.weigh(window_mask),
        lookup.weigh(union),
        lookup.weigh(page),
        sentence,
        names_in(window_mask),
        names_in(page),
        f64::from(u8::from(names != 0)),
        seen.alignment.ordered,
        pairs(seen.words, window_words),
        heaviest(window_mask) / 10.0,
        heaviest(page) / 10.0,
        lacks(window_mask).count().min(20) as f64,
        f64::from(longest.min(12)),
        (1.0 + terms.len() as f64).ln(),
        seen.quantities.len().min(8) as f64,
        if seen.quantities.is_empty() { -1.0 } else { count(&|f| f.result == CheckResult::Agrees) as f64 / all },
        if seen.quantities.is_empty() { -1.0 } else { count(&|f| f.on_page) as f64 / all },
        count(&|f| absent(f) && !f.quantity.is_temporal()) as f64,
        count(&|f| matches!(f.result, CheckResult::Differs { .. })) as f64,
        count(&|f| f.result == CheckResult::Unknown) as f64,
        count(&|f| absent(f) && f.quantity.is_temporal()) as f64,
        quoted(true) as f64,
        quoted(false) as f64,
        f64::from(u8::from(claim_stance.negators % 2 != source_stance.negators % 2)),
        f64::from(u8::from(seen.clash == Some(polarity::ClashKind::Opposite))),
        f64::from(u8::from(seen.clash == Some(polarity::ClashKind::Direction))),
        claim_stance.negators.min(3) as f64,
        f64::from(u8::from(source_stance.hedged && !claim_stance.hedged)),
        extremes.saturating_sub(source_stance.superlatives + source_stance.certain).min(4) as f64,
        worst(window_mask),
        worst(page),
        best.map_or(0, |window| window.last - window.first + 1) as f64,
        f64::from(u8::from(matches!(seen.order, Order::Reversed(..)))),
        seen.windows.get(1).map_or(0.0, |window| window.recall),
        lookup.weigh(soft),
        lacks(page).count().min(20) as f64,
        numbers_in_words(seen),
        lacks(page).filter(|(_, term)| term.weight >= f64::from(words::RARE)).count().min(10) as f64,
    ];
    values.map(|value| value as f32)
}

/// Terms that the window lacks and has a word with the same beginning for: *growth* and *growing*, *Norway* and
/// *Norwegian*.
fn soft_mask(seen: &Seen<'_, '_, '_>, window: &[Word]) -> u128 {
    const BEGINNING: usize = 4;
    // Lower-casing may give more characters than there were: such a beginning is none.
    let head = |text: &str, word: crate::text::Span| -> Option<[char; BEGINNING]> {
        let mut lower = word.of(text).chars().take(BEGINNING).flat_map(char::to_lowercase);
        let head = [lower.next()?, lower.next()?, lower.next()?, lower.next()?];
        lower.next().is_none().then_some(head)
    };
    let text = seen.index.text();
    let heads: Vec<_> = window.iter().filter(|word| !word.stop).filter_map(|word| head(text, word.span)).collect();
    let terms = seen.lookup.terms().iter().enumerate();
    terms
        .filter(|(_, term)| head(seen.claim, term.span).is_some_and(|head| heads.contains(&head)))
        .fold(0, |mask, (bit, _)| mask | 1 << bit)
}

/// The part of neighbouring content words of the claim that are neighbours in the window.
fn pairs(claim: &[Word], window: &[Word]) -> f64 {
    let content: Vec<u64> = claim.iter().filter(|word| !word.stop).map(|word| word.key).collect();
    let theirs: Vec<u64> = window.iter().filter(|word| !word.stop).map(|word| word.key).collect();
    let mut near: Vec<(u64, u64)> = theirs.windows(2).map(|pair| (pair[0], pair[1])).collect();
    near.extend(theirs.windows(3).map(|pair| (pair[0], pair[2])));
    near.sort_unstable();
    let all = content.len().saturating_sub(1);
    let found = content.windows(2).filter(|pair| near.binary_search(&(pair[0], pair[1])).is_ok()).count();
    if all == 0 { 0.0 } else { found as f64 / all as f64 }
}

/// The clauses of a claim as masks of its terms: a claim that is supported only in part has one that is not.
fn clauses(claim: &str, starts: &[usize]) -> Vec<u128> {
    const CUTS: [&str; 10] = [", ", "; ", ": ", " and ", " but ", " while ", " which ", " who ", " (", " — "];
    let mut ends: Vec<usize> =
        CUTS.iter().flat_map(|cut| claim.match_indices(cut).map(|(at, _)| at)).chain([claim.len()]).collect();
    ends.sort_unstable();
    let mut masks = Vec::new();
    let mut mask = 0u128;
    let mut bit = 0;
    for end in ends {
        while bit < starts.len() && starts[bit] < end {
            mask |= 1 << bit;
            bit += 1;
        }
        if mask.count_ones() >= 2 {
            masks.push(mask);
            mask = 0;
        }
    }
    if let (Some(last), true) = (masks.last_mut(), mask != 0) {
        *last |= mask;
    }
    masks
}

/// The part of the claim's figures that stand among the words of the best three windows, as they are written.
fn numbers_in_words(seen: &Seen<'_, '_, '_>) -> f64 {
    let mine: HashSet<u64> = seen.words.iter().filter(|word| word.number).map(|word| word.key).collect();
    if mine.is_empty() {
        return -1.0;
    }
    let mut theirs = HashSet::new();
    for window in seen.windows.iter().take(3) {
        let words = seen.index.words_of(window.first, window.last).iter();
        theirs.extend(words.filter(|word| word.number).map(|word| word.key));
    }
    mine.intersection(&theirs).count() as f64 / mine.len() as f64
}

#[cfg(test)]
mod tests {
    use super::{NAMES, RECALL_NAMES_PAGE, RECALL_WINDOW, RECALL_WORST_CLAUSE};

    #[test]
    fn named_places_are_those_of_their_names() {
        assert_eq!(NAMES[RECALL_WINDOW], "recall_window");
        assert_eq!(NAMES[RECALL_NAMES_PAGE], "recall_names_page");
        assert_eq!(NAMES[RECALL_WORST_CLAUSE], "recall_worst_clause");
    }
}
