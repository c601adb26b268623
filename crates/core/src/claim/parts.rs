//! The parts of a sentence that may be from different findings: *A is 42% and B is 58%*. Each is matched to notes for itself.

use super::joints::{between, cuts, has_finite_verb};
use super::{Claim, ClaimPosition};
use cited_text::Span;
use cited_text::quantity::quantities;
use cited_text::words::words;

/// A sentence of more parts is a list of numbers, and is matched whole.
const MOST: usize = 8;

/// The parts of a claim, in order; none for one that has a single part. Each ends before the words that lead to the next number; where
/// fewer than two things are measured, each is a clause with a verb or a number.
pub(super) fn parts(claim: &Claim) -> Vec<Span> {
    if !matches!(claim.position, ClaimPosition::Sentence | ClaimPosition::Item) {
        return Vec::new();
    }
    let text = claim.text.as_str();
    let found = quantities(text).into_iter().filter(|quantity| quantity.is_measured() && !quantity.is_temporal());
    let mut measured: Vec<Span> = found.map(|quantity| quantity.span).collect();
    measured.sort_unstable();
    let cuts = cuts(text);
    let mut ends = Vec::new();
    if measured.len() < 2 {
        let mut start = 0;
        for behind in between(text, &cuts).skip(1) {
            if states(&text[start..behind.start]) && states(behind.slice(text)) {
                ends.push(behind.start);
                start = behind.start;
            }
        }
    }
    ends.extend(measured.windows(2).filter_map(|pair| cut_between(text, pair[0].end, pair[1].start, &cuts)));
    if ends.is_empty() || ends.len() >= MOST { Vec::new() } else { between(text, &ends).collect() }
}

/// Whether a part of a sentence may be one that a note has: it has a verb or a number, if only a year.
fn states(part: &str) -> bool {
    has_finite_verb(part) || !quantities(part).is_empty()
}

/// Where what belongs to one number ends and what leads to the next begins: at the last cut that has a word of its own behind it, else at the
/// first, else before the last word when that is a small one (*from 5 in A to 7 in B*).
fn cut_between(text: &str, from: usize, to: usize, cuts: &[usize]) -> Option<usize> {
    let mut inside = cuts.iter().copied().filter(|cut| (from..=to).contains(cut));
    let first = inside.clone().next();
    let leads = |cut: &usize| words(&text[*cut..to]).any(|word| !word.stop);
    let last = inside.rfind(leads);
    last.or(first).or_else(|| {
        let gap = text.get(from..to)?;
        words(gap).last().filter(|word| word.stop).map(|word| from + word.span.start)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::citation::Citations;
    use crate::markdown::Document;

    #[track_caller]
    fn check(sentence: &str, expected: &[&str]) {
        let document = Document::read(format!("{sentence}\n"));
        let claims = crate::claim::split(&document, &Citations::default());
        let found: Vec<&str> = parts(&claims[0]).iter().map(|span| span.slice(&claims[0].text).trim()).collect();
        assert_eq!(found, expected, "of {sentence:?}");
    }

    #[test]
    fn what_leads_to_a_number_goes_with_it() {
        check("Oslo has 42% and Bergen has 58%.", &["Oslo has 42%", "and Bergen has 58%."]);
        check(
            "The first mill opened in 2016, and in 2023 the council paid 18,000 pounds.",
            &["The first mill opened in 2016,", "and in 2023 the council paid 18,000 pounds."],
        );
        check("Counts grew from 600 in Oslo to 900 in Bergen.", &["Counts grew from 600 in Oslo", "to 900 in Bergen."]);
        check(
            "Oslo has 12 mills, of which 5 work, while Bergen has 7.",
            &["Oslo has 12 mills,", "of which 5 work,", "while Bergen has 7."],
        );
        check("The mill has closed, and the bakery has moved.", &["The mill has closed,", "and the bakery has moved."]);
        check("Oslo has 12 mills and ships.", &[]);
    }
}
