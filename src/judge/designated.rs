//! What tells one thing from others of its name: *Model A*, *iPhone X*, *World War II*, 模型B.
//!
//! Such a sign is short, and all that is different: what the page says of *Model A* it does not say of *Model B*. Numbers that only
//! name are those of [`labels`](super::labels); here a letter, a Roman figure or a code stands on one side at least. That a sentence
//! has the thing with other signs only is a sign that it speaks of another one, and no proof.

use super::case::Case;
use super::neighbours::{clause, is_content};
use super::page::SourceText;
use super::parts::part_round;
use super::spot::Spot;
use crate::quantity::{Measure, Quantity, quantities};
use crate::quotation::quotations;
use crate::text::Span;
use crate::text::script::is_cjk;
use crate::text::words::{Word, words};

/// Capitals alone are a sign up to so many, Roman figures and codes with a digit up to so many: *XP*; *VIII*, *B12*.
const LETTERS: usize = 2;
const CODE: usize = 4;

/// A thing, and what tells it from others of its name.
#[derive(Debug, Clone, Copy)]
struct Designation<'w> {
    thing: &'w Word,
    sign: &'w Word,
}

impl Designation<'_> {
    fn is_of(&self, other: &Designation<'_>) -> bool {
        self.thing.key == other.thing.key
    }
}

/// Whether a word is one that tells a thing from others of its name, by its writing.
pub(super) fn is_sign(text: &str, word: &Word) -> bool {
    let written = word.span.of(text);
    let length = written.chars().count();
    let roman = || written.chars().all(|c| matches!(c, 'I' | 'V' | 'X' | 'L' | 'C'));
    let letters = || written.chars().all(char::is_uppercase) && (length <= LETTERS || roman());
    let code = || {
        written.chars().any(|c| c.is_ascii_digit())
            && written.chars().any(char::is_uppercase)
            && written.chars().all(|c| c.is_ascii_digit() || c.is_uppercase())
    };
    !word.stop && length <= CODE && (word.number || letters() || code())
}

/// The things of a text with what tells each from others; a number only behind a name, and where it measures nothing.
fn designations<'w>(
    text: &'w str,
    words: &'w [Word],
    values: &'w [Quantity],
) -> impl Iterator<Item = Designation<'w>> + 'w {
    words.windows(2).filter_map(move |pair| {
        let [thing, sign] = pair else { return None };
        let gap = text.get(thing.span.end..sign.span.start)?;
        let joined = matches!(gap, " " | "\u{a0}" | "-") || gap.is_empty() && thing.span.of(text).ends_with(is_cjk);
        // They stand in order.
        let last = values.partition_point(|value| value.span.start <= sign.span.start).checked_sub(1);
        let value = || last.map(|at| &values[at]).filter(|value| value.span.contains(sign.span));
        let names = if sign.number {
            let bare = |value: &Quantity| value.measure == Measure::Count && value.span == sign.span;
            thing.capital && value().is_none_or(|value| value.is_label() || bare(value))
        } else {
            value().is_none_or(Quantity::is_label)
        };
        (joined && names && is_content(thing) && is_sign(text, sign) && !is_initial(text, thing, sign))
            .then_some(Designation { thing, sign })
    })
}

/// Whether a letter stands for a name: *George W. Bush*, *John F Kennedy*.
fn is_initial(text: &str, thing: &Word, sign: &Word) -> bool {
    let behind = text.get(sign.span.end..).unwrap_or_default();
    let named = |rest: &str| rest.trim_start_matches(' ').starts_with(char::is_uppercase);
    let dotted = behind.strip_prefix('.').is_some_and(named);
    thing.capital && (dotted || named(behind) && behind.starts_with(' '))
}

/// Whether some words have a thing of the claim, and only with other signs than the claim's.
fn have_another(case: &Case<'_, '_, '_>, text: &str, page: &[Word], values: &[Quantity]) -> bool {
    let mine: Vec<Designation> = designations(case.claim, case.words, case.quantities).collect();
    mine.iter().any(|own| {
        let claimed = |other: &Designation<'_>| mine.iter().any(|mine| mine.sign.form == other.sign.form);
        // *Hepatitis B and C*.
        let told_apart = |word: &Word| word.form == own.sign.form && (word.capital || word.number) && !word.stop;
        if page.iter().any(told_apart) {
            return false;
        }
        let mut theirs = designations(text, page, values).filter(|other| other.is_of(own)).peekable();
        theirs.peek().is_some() && theirs.all(|other| !(claimed(&other) || own.sign.number && other.sign.number))
    })
}

/// Whether the clause of the page's value, or the part of its sentence, has a thing of the claim with another sign only.
pub(super) fn is_of_another(spot: &Spot<'_, '_>) -> bool {
    let page = spot.words();
    let another = |stretch: Span| {
        let from = page.partition_point(|word| word.span.start < stretch.start);
        let to = page.partition_point(|word| word.span.end <= stretch.end);
        page.get(from..to).is_some_and(|page| have_another(spot.case, spot.text(), page, spot.values()))
    };
    another(part_round(spot)) || another(clause(spot.text(), spot.place.span))
}

/// Whether a claim names somebody, outside of its quotations, of whom the page only names others: *the report of board D* and a page of
/// *board E*. What such a page says is not what the claim says.
pub fn speaks_for_another(claim: &str, source: &SourceText<'_>) -> bool {
    let index = &source.index;
    if index.is_empty() {
        return false;
    }
    let mut own = claim.to_owned();
    for quotation in quotations(claim).iter().rev() {
        own.replace_range(quotation.inner.start..quotation.inner.end, "");
    }
    let words: Vec<Word> = words(&own).collect();
    let there = index.words_of(0, index.len().saturating_sub(1));
    let theirs: Vec<Designation> = designations(index.text(), there, index.quantities()).collect();
    designations(&own, &words, &quantities(&own)).any(|mine| {
        let mut of_it = theirs.iter().filter(|other| other.is_of(&mine)).peekable();
        of_it.peek().is_some() && of_it.all(|other| other.sign.form != mine.sign.form)
    })
}

#[cfg(test)]
mod tests {
    use super::speaks_for_another;
    use crate::claim::ClaimKind;
    use crate::judge::{ClaimText, Settings, SourceText, Standing, judge};

    /// Pages, claims, and whether the page supports or contradicts the claim; else it does neither.
    const TABLE: [(&str, &str, Option<bool>); 22] = [
        ("The iPhone 8 weighs 174 g. The iPhone X weighs 208 g.", "The iPhone X weighs 174 g.", Some(false)),
        ("The iPhone 8 weighs 174 g. The iPhone X weighs 208 g.", "The iPhone X weighs 208 g.", Some(true)),
        (
            "Model A scored 94% on the test. Model B scored 71% on the test.",
            "Model B scored 94% on the test.",
            Some(false),
        ),
        (
            "Model A scored 94% on the test. Model B scored 71% on the test.",
            "Model A scored 94% on the test.",
            Some(true),
        ),
        ("Das Modell A erreichte 94 %. Das Modell B erreichte 71 %.", "Das Modell B erreichte 94 %.", Some(false)),
        ("Le modèle A a obtenu 94 %. Le modèle B a obtenu 71 %.", "Le modèle B a obtenu 94 %.", Some(false)),
        ("模型A的准确率为94%。模型B的准确率为71%。", "模型B的准确率为94%。", Some(false)),
        ("B組は5.2kg減った。A組は1.1kg減った。", "A組は5.2kg減った。", Some(false)),
        ("Line S costs 2 euros. Line U costs 3 euros.", "Line U costs 2 euros.", Some(false)),
        ("The Tesla X seats 5 people. The Tesla Y seats 7 people.", "The Tesla Y seats 5 people.", Some(false)),
        (
            "World War II killed 70 million people. World War I killed 17 million people.",
            "World War I killed 70 million people.",
            Some(false),
        ),
        (
            "Vitamin D senkte Erkältungen um 8 %. Vitamin C senkte Erkältungen um 3 %.",
            "Vitamin C senkte Erkältungen um 8 %.",
            Some(false),
        ),
        // The other one alone says nothing of this one.
        ("Die Hepatitis B tötet 290.000 Menschen im Jahr.", "Die Hepatitis C tötet 290.000 Menschen im Jahr.", None),
        (
            "Windows 7 ran on 40% of machines in the offices of the town.",
            "Windows XP ran on 40% of machines in the offices of the town.",
            None,
        ),
        (
            "Phase II of the works at the harbour was paid for by the town of Vlissing.",
            "Phase III of the works at the harbour was paid for by the town of Vlissing.",
            None,
        ),
        (
            "In the trial at Vlissing group A lost 5.2 kg within a year.",
            "In the trial at Vlissing group B lost 5.2 kg within a year.",
            None,
        ),
        (
            "In the trial at Vlissing groups A and B lost 5.2 kg within a year.",
            "In the trial at Vlissing group B lost 5.2 kg within a year.",
            Some(true),
        ),
        (
            "Vaccines against hepatitis A and B are given to 40% of the children.",
            "Vaccines against hepatitis B are given to 40% of the children.",
            Some(true),
        ),
        ("The laptop has two USB-C ports, one USB-A port and a card reader.", "The laptop has two USB-A ports.", None),
        (
            "The laptop has two USB-C ports, one USB-A port and a card reader.",
            "The laptop has two USB-C ports.",
            Some(true),
        ),
        ("George W. Bush won 271 votes in the end.", "George Bush won 271 votes in the end.", Some(true)),
        (
            "The test of model A was hard. The model scored 94% on it in May.",
            "Model A scored 94% on the test in May.",
            Some(true),
        ),
    ];

    #[test]
    fn a_page_of_another_one_speaks_for_it() {
        let page = SourceText::new("This is the report of board E. It states: “the drug was safe for children”.", "");
        for (claim, expected) in [
            ("The report of board D says that “the drug was safe for children”.", true),
            ("The report of board E says that “the drug was safe for children”.", false),
            ("The report says that “the drug of board D was safe”.", false),
            ("The report of the group D says that “the drug was safe for children”.", false),
        ] {
            assert_eq!(speaks_for_another(claim, &page), expected, "{claim}");
        }
    }

    #[test]
    fn what_is_said_of_one_is_not_said_of_the_other() {
        for (page, claim, expected) in TABLE {
            let source = SourceText::new(page, "");
            let verdict = judge(&ClaimText::new(claim, ClaimKind::Quantitative), &source, &Settings::default());
            let said = match verdict.standing {
                Standing::Supported => Some(true),
                Standing::Contradicted => Some(false),
                _ => None,
            };
            assert_eq!(said, expected, "{claim:?} by {page:?}: {verdict:?}");
        }
    }
}
