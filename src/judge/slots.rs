//! Values in the same slot: *more than 49 Chinese translations* beside *more than 70 Chinese translations*.
//!
//! A sentence need not have nearly all of a claim to contradict its number: the words right round the number say what it
//! is of. Where they are the same and the number is another one, and the claim's own number stands nowhere near, the page
//! has another value for the same thing.

use crate::judge::case::{Case, same_kind};
use crate::judge::difference::differs;
use crate::judge::spot::Spot;
use crate::judge::{names, years};
use crate::quantity::{Agreement, Measure, Quantity, Role, compare};
use crate::text::Span;
use crate::text::words::Word;

/// The words on each side of a value that make its slot.
const REACH: usize = 3;
/// The other value's sentence has this part of the claim's words at least, and this part of what the best passage has.
const SLOT_RECALL: (f64, f64) = (0.4, 0.8);
/// The same where the claim's value is nowhere on a page that was read whole.
const SLOT_RECALL_ABSENT: (f64, f64) = (0.3, 0.6);
/// So many content words round the values have to be the same …
const SLOT_CONTENT: usize = 2;
/// … and, where the claim's value stands on the page too, so many words of any kind.
const SLOT_WORDS: usize = 3;
/// The claim's own value near this part of the words of the other's sentence forbids a contradiction.
const ELSEWHERE_SHARE: f64 = 0.55;

/// The value that the page has in the slot of the claim's, with its sentence, when it has exactly one.
///
/// `near` is the most of the claim's words that stand round the claim's own value on the page; none when it is nowhere.
pub(super) fn rival<'i>(case: &Case<'_, 'i, '_>, q: &Quantity, near: Option<f64>) -> Option<(usize, &'i Quantity)> {
    let named = q.measure == Measure::Count && names::name_before(case.claim, q.span).is_some();
    if matches!(q.measure, Measure::Time) || q.role != Role::Alone || q.upper.is_some() || named {
        return None;
    }
    let slot = Slot::of(case.words, case.claim, q.span);
    if slot.content() < SLOT_CONTENT {
        return None;
    }
    let text = case.index.text();
    let absent = near.is_none() && case.complete;
    let (recall, share) = if absent { SLOT_RECALL_ABSENT } else { SLOT_RECALL };
    let words_needed = if absent { 0 } else { SLOT_WORDS };
    let mut found: Option<(usize, &Quantity, usize)> = None;
    let mut tied = false;
    for window in case.windows.iter().take(3) {
        for sentence in window.first..=window.last {
            let there = case.lookup.recall(sentence, sentence);
            if there < recall.max(case.best * share) || near.unwrap_or(0.0) >= ELSEWHERE_SHARE * there {
                continue;
            }
            // What it was in another year is no other value of the claim's.
            if !q.is_temporal() && years::speaks_of_another_year(case, sentence) {
                continue;
            }
            let page = case.index.words_of(sentence, sentence);
            for other in case.index.quantities_of(sentence, sentence) {
                let taken =
                    case.quantities.iter().any(|mine| mine != q && compare(mine, other) >= Agreement::Compatible);
                if taken || !alike(case, q, other) || !differs(&Spot::new(case, q, other, sentence)) {
                    continue;
                }
                let (all, content) = slot.shared(&Slot::of(page, text, other.span));
                if all < words_needed || content < SLOT_CONTENT {
                    continue;
                }
                match &found {
                    Some((.., most)) if *most > all => {}
                    Some((before, value, most)) if *most == all => {
                        // The same value once more is no other value.
                        tied |= *before != sentence || compare(value, other) != Agreement::Same;
                    }
                    _ => (found, tied) = (Some((sentence, other, all)), false),
                }
            }
        }
    }
    found.filter(|_| !tied).map(|(sentence, other, _)| (sentence, other))
}

/// Whether two values are of one kind and written with the same exactness.
fn alike(case: &Case<'_, '_, '_>, q: &Quantity, other: &Quantity) -> bool {
    same_kind(case, q, other) && q.bound == other.bound && other.upper.is_none()
}

/// The words on both sides of a value, nearest first.
pub(super) struct Slot {
    left: Vec<Word>,
    right: Vec<Word>,
}

impl Slot {
    pub(super) fn of(all: &[Word], text: &str, span: Span) -> Slot {
        let ends = |gap: &str| gap.contains(['.', ';', '\n', '。']);
        let mut left = Vec::new();
        let mut edge = span.start;
        for word in all.iter().rev().filter(|word| word.span.end <= span.start).take(REACH) {
            if text.get(word.span.end..edge).is_none_or(ends) {
                break;
            }
            left.push(*word);
            edge = word.span.start;
        }
        let mut right = Vec::new();
        let mut edge = span.end;
        for word in all.iter().filter(|word| word.span.start >= span.end).take(REACH) {
            if text.get(edge..word.span.start).is_none_or(ends) {
                break;
            }
            right.push(*word);
            edge = word.span.end;
        }
        Slot { left, right }
    }

    fn content(&self) -> usize {
        self.left.iter().chain(&self.right).filter(|word| !word.stop && !word.number).count()
    }

    /// How many words are the same on the same side, from the value outwards up to the first difference, and how many
    /// content words when function words are passed over.
    pub(super) fn shared(&self, other: &Slot) -> (usize, usize) {
        let side = |a: &[Word], b: &[Word]| {
            let same = a.iter().zip(b).take_while(|(a, b)| a.key == b.key).count();
            let content = |words: &[Word]| words.iter().filter(|word| !word.stop).map(|w| w.key).collect::<Vec<_>>();
            let content = content(a).iter().zip(&content(b)).take_while(|(a, b)| a == b).count();
            (same.max(content), content)
        };
        let (left, right) = (side(&self.left, &other.left), side(&self.right, &other.right));
        (left.0 + right.0, left.1 + right.1)
    }
}
