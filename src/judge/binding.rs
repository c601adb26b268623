//! Whether a value of the page belongs to what the claim says of it: the right number of the wrong thing is no support.
//!
//! The words round the claim's value are looked for round each place where the page has the value, and round each place
//! where it has another one of the same kind. What is found is described by numbers; trees that were trained on claims with
//! one number changed say how probable it is that the claim's value stands for the same thing.
//! It is a sign and no proof: it can take the force of agreement away, and contradicts nothing.

use std::sync::LazyLock;

use crate::evidence::search::{MOST_TERMS, Window};
use crate::judge::agreement::compare_here;
use crate::judge::case::{Case, counted, may_agree, same_kind};
use crate::judge::combine::Trees;
pub use crate::judge::finding::FEATURES;
use crate::judge::finding::Finding;
use crate::judge::slots::Slot;
use crate::judge::spot::Spot;
use crate::judge::verdict::CheckResult;
use crate::judge::years;
use crate::judge::{absence, apart, derived};
use crate::quantity::{Agreement, Measure, Quantity, Role, compare};
use crate::text::Span;
use crate::text::words::Word;

/// Content words on each side of a value that say what it is of.
const LOCAL: usize = 5;
/// How far from the page's value they are looked for, in words of any kind.
const REACH: usize = 12;
/// The most places of the value, and of others, that are looked at.
const MOST_PLACES: usize = 60;
/// What stands so far from the beginning of a page, in bytes, is no title, author or date of it.
const HEAD: usize = 800;
/// Further than so many sentences from the best passage is just far.
const FAR: usize = 1000;
/// Another value speaks for the claim's thing only in a sentence with this part of what the best passage has.
const RIVAL_SHARE: f64 = 0.3;

static TREES: LazyLock<Trees> = LazyLock::new(|| Trees::read(include_str!("data/binding.tsv"), FEATURES));

/// Another value can only be meant where it has this part of the words near the claim's value near it …
const RIVAL_LOCAL: f64 = 0.2;
/// … and fits the claim no worse than the claim's own, but for so much.
const NEARLY: f64 = 0.2;

/// Whatever the trees say: a value whose sentence has at most this part of the words that the other's has …
const OUTSHONE: f64 = 0.5;
/// … which has this part of the claim's words at least …
const RIVAL_RECALL: f64 = 0.5;
/// … and so much more of the words near the value, belongs to something else. Of the A halves no unchanged number is such.
const RIVAL_LEAD: f64 = 0.2;

/// How well one place of the page fits the claim's value.
#[derive(Debug, Clone, Copy, Default)]
struct Fit {
    /// Part of the claim's words in the sentence.
    own: f64,
    /// The same with the sentences beside it.
    near: f64,
    /// Words right round the value that are the same.
    slot: f64,
    /// Part of the words near the claim's value that stand near the page's.
    local: f64,
    /// Content words right round the value that are the same.
    content: f64,
    /// Part of the claim's names in the sentence and those beside it.
    names: f64,
    /// Whether it counts the same thing.
    counts: f64,
    /// Whether the same content word stands right behind it: *the 1982 novel*.
    next: f64,
}

impl Fit {
    fn most(self, other: Fit) -> Fit {
        Fit {
            own: self.own.max(other.own),
            near: self.near.max(other.near),
            slot: self.slot.max(other.slot),
            local: self.local.max(other.local),
            content: self.content.max(other.content),
            names: self.names.max(other.names),
            counts: self.counts.max(other.counts),
            next: self.next.max(other.next),
        }
    }
}

/// Takes the force away from values that the page rather has for something else.
///
/// A finding that proves something against the claim stays.
pub(super) fn revise(case: &Case<'_, '_, '_>, findings: &mut [Finding]) {
    for found in findings {
        let open = matches!(found.result, CheckResult::Agrees | CheckResult::Unknown)
            && found.working.is_none()
            && !found.named;
        if !open || found.quantity.spelled || !case.complete || is_told_otherwise(case, &found.quantity) {
            continue;
        }
        let (values, rival, outshone) = describe(case, found);
        found.binding = Some(values);
        // Without another value that could be meant, a number in an odd place says nothing: it may be put in other words.
        let Some((sentence, other)) = rival.filter(|(_, other)| !absence::follows_from(case, &found.quantity, other))
        else {
            continue;
        };
        if found.result == CheckResult::Agrees && stands_beside_its_words(case, found) {
            continue;
        }
        if outshone || TREES.probability(&values) < TREES.threshold() {
            let claimed = found.quantity.span.of(case.claim).trim().to_owned();
            let theirs = other.span.of(case.index.text()).trim().to_owned();
            found.result = CheckResult::Differs { claimed, found: theirs };
            (found.sentence, found.hard) = (Some(sentence), false);
        }
    }
}

/// Whether a number need not stand on the page as it does in the claim, for it follows from others.
fn is_told_otherwise(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    has_of_its_decade(case, q)
        || derived::is_time_between(case, q)
        || absence::has_both_years(case, q)
        || absence::ends_a_name(case, q)
}

/// Whether a passage has a year of the decade that a number names: what is of 1978 is of *the 1970's*, and what is of 1919 of
/// *the 1900's*, which may be the century.
fn has_of_its_decade(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    let span = if q.value % 100.0 == 0.0 { 100.0 } else { 10.0 };
    let within = |year: i32| (q.value..q.value + span).contains(&f64::from(year));
    let has = |value: &Quantity| matches!(value.measure, Measure::Date(date) if date.year.is_some_and(within));
    let mut windows = case.windows.iter();
    absence::is_decade(case.claim, q)
        && windows.any(|window| case.index.quantities_of(window.first, window.last).iter().any(has))
}

/// Whether the value that agrees has the claim's words right beside it, which no other value of its sentence has.
fn stands_beside_its_words(case: &Case<'_, '_, '_>, found: &Finding) -> bool {
    let Some(sentence) = found.sentence else { return false };
    let mut places = case.index.quantities_of(sentence, sentence).iter();
    places.any(|place| {
        compare_here(case, &found.quantity, place) == Agreement::Same
            && apart::is_of_this(&Spot::new(case, &found.quantity, place, sentence))
    })
}

/// What stands round a value of the claim, to be looked for round values of the page.
struct Surroundings<'s, 'i> {
    case: &'s Case<'s, 'i, 'i>,
    q: &'s Quantity,
    local: Vec<u64>,
    slot: Slot,
    /// The bits of the claim's names.
    names: u128,
    /// What it counts.
    thing: Option<u64>,
    /// The word right behind it.
    next: Option<u64>,
}

fn flag(is: bool) -> f64 {
    f64::from(u8::from(is))
}

impl<'s, 'i> Surroundings<'s, 'i> {
    fn of(case: &'s Case<'s, 'i, 'i>, q: &'s Quantity) -> Self {
        let terms = case.lookup.terms().iter().take(MOST_TERMS).enumerate();
        let names = terms.filter(|(_, term)| term.name).fold(0u128, |mask, (bit, _)| mask | 1 << bit);
        Surroundings {
            case,
            q,
            local: local_words(case.words, q.span),
            slot: Slot::of(case.words, case.claim, q.span),
            names,
            thing: counted(case.claim, q),
            next: apart::thing_after(case.claim, q),
        }
    }

    /// How well a value of the page fits.
    fn fit(&self, sentence: usize, other: &Quantity) -> Fit {
        let case = self.case;
        let last = case.index.len().saturating_sub(1);
        let page = case.index.words_of(sentence, sentence);
        let beside = case.lookup.mask(sentence.saturating_sub(1), (sentence + 1).min(last));
        let named = |names| case.lookup.weigh(beside & names) / case.lookup.weigh(names);
        let (shared, content) = self.slot.shared(&Slot::of(page, case.index.text(), other.span));
        let same_next = self.next.is_some() && apart::thing_after(case.index.text(), other) == self.next;
        Fit {
            own: case.lookup.recall(sentence, sentence),
            near: case.lookup.weigh(beside),
            slot: shared as f64,
            local: shared_near(&self.local, page, other.span),
            content: content as f64,
            names: if self.names == 0 { 1.0 } else { named(self.names) },
            counts: flag(self.thing.is_some() && case.counted(other) == self.thing),
            next: flag(same_next),
        }
    }

    /// Where the page has the value.
    fn own(&self) -> Own {
        let (case, q) = (self.case, self.q);
        let best = case.windows.first();
        let mut own = Own { nearest: usize::MAX, ..Own::default() };
        for value in case.agreeing(q).filter(|value| may_agree(q, value)) {
            let agreement = compare_here(case, q, value);
            if agreement < Agreement::Compatible {
                continue;
            }
            own.compatible += 1;
            own.same += usize::from(agreement == Agreement::Same);
            own.head |= value.span.start < HEAD;
            own.dated |= matches!(value.measure, Measure::Date(date) if date.day.is_some());
            if own.compatible <= MOST_PLACES {
                let sentence = case.index.sentence_at(value.span.start);
                let away =
                    |window: &Window| window.first.saturating_sub(sentence).max(sentence.saturating_sub(window.last));
                own.nearest = own.nearest.min(best.map_or(usize::MAX, away));
                let theirs = self.fit(sentence, value);
                own.fit = own.fit.most(theirs);
                if agreement == Agreement::Same {
                    own.equal = own.equal.most(theirs);
                }
            }
        }
        own
    }

    /// Where it has another value of that kind.
    fn rivals(&self) -> Rivals<'i> {
        let (case, q) = (self.case, self.q);
        let mut rivals = Rivals::default();
        let different = |value: &&Quantity| same_kind(case, q, value) && compare(q, value) == Agreement::Different;
        for value in case.kin(q).filter(different) {
            let sentence = case.index.sentence_at(value.span.start);
            let taken = case.quantities.iter().any(|mine| mine != q && compare(mine, value) >= Agreement::Compatible);
            if taken || case.lookup.recall(sentence, sentence) < RIVAL_SHARE * case.best {
                continue;
            }
            rivals.count += 1;
            let theirs = self.fit(sentence, value);
            if rivals.best.is_none() || theirs.local + theirs.own > rivals.fit.local + rivals.fit.own {
                rivals.best = Some((sentence, value));
            }
            rivals.fit = rivals.fit.most(theirs);
            if rivals.count == MOST_PLACES {
                break;
            }
        }
        rivals
    }
}

/// The places of a value.
#[derive(Default)]
struct Own {
    fit: Fit,
    /// Where the page has just that value.
    equal: Fit,
    same: usize,
    compatible: usize,
    /// Whether one stands at the head of the page.
    head: bool,
    /// Whether one is a whole date.
    dated: bool,
    /// How many sentences the nearest is away from the best passage.
    nearest: usize,
}

/// The places of other values.
#[derive(Default)]
struct Rivals<'i> {
    fit: Fit,
    count: usize,
    best: Option<(usize, &'i Quantity)>,
}

/// The numbers, the other value of the page that fits the claim's place best, if it may be the one that is meant, and whether
/// it fits so much better that an agreement means nothing.
fn describe<'i>(case: &Case<'_, 'i, '_>, found: &Finding) -> ([f32; FEATURES], Option<(usize, &'i Quantity)>, bool) {
    let q = &found.quantity;
    let round = Surroundings::of(case, q);
    let (places, rivals) = (round.own(), round.rivals());
    let (own, equal, rival) = (places.fit, places.equal, rivals.fit);
    let written = written(case, q.span, &round.local);
    let values = [
        own.own,
        own.near,
        case.best,
        own.slot,
        own.local,
        rival.own,
        rival.slot,
        rival.local,
        flag(q.is_temporal()),
        (1.0 + places.same as f64).ln(),
        (1.0 + rivals.count as f64).ln(),
        (1.0 + places.compatible as f64).ln(),
        flag(!q.is_temporal() && q.value.abs() <= 20.0),
        flag(q.has_unit()),
        flag(found.result == CheckResult::Agrees),
        flag(q.role != Role::Alone || q.upper.is_some()),
        case.quantities.iter().filter(|mine| mine.is_measured()).count().min(8) as f64,
        round.local.len() as f64,
        equal.own,
        equal.local,
        written.0,
        written.1,
        own.content,
        own.names,
        own.counts,
        rival.content,
        rival.names,
        flag(round.thing.is_some()),
        flag(places.head),
        flag(places.dated),
        in_force(case, q),
        (1.0 + places.nearest.min(FAR) as f64).ln(),
        own.next,
        rival.next,
        flag(round.next.is_some()),
        (1.0 + case.index.quantities().len() as f64).ln(),
        figures_of(case.claim, q),
    ];
    let meant = rival.local >= RIVAL_LOCAL && rival.own + rival.local >= own.own + own.local - NEARLY;
    // What the page has for another year than the claim's outshines nothing.
    let of_the_year = rivals.best.is_some_and(|(sentence, _)| !years::speaks_of_another_year(case, sentence));
    let outshone = found.result == CheckResult::Agrees
        && of_the_year
        && rival.own >= RIVAL_RECALL
        && own.own <= OUTSHONE * rival.own
        && rival.local >= own.local + RIVAL_LEAD;
    (values.map(|value| value as f32), rivals.best.filter(|_| meant), outshone)
}

/// Whether the last date with a year before the end of the best passage is the claim's (1), another (-1), or there is none (0).
fn in_force(case: &Case<'_, '_, '_>, q: &Quantity) -> f64 {
    let (Some(year), Some(best)) = (years::year_of(q), case.windows.first()) else { return 0.0 };
    let all = case.index.quantities();
    let before = &all[..all.partition_point(|value| value.span.start < best.span.end)];
    let dates = before.iter().rev().filter(|value| years::year_of(value).is_some());
    let mut last = dates.take_while(|value| value.span.start >= best.span.start).peekable();
    let has = |value: &Quantity| years::year_of(value) == Some(year);
    if last.peek().is_some() {
        return if last.any(has) { 1.0 } else { -1.0 };
    }
    let earlier = before.iter().rev().find(|value| years::year_of(value).is_some());
    earlier.map_or(0.0, |value| if has(value) { 1.0 } else { -1.0 })
}

/// How many figures a number is written with, noughts at its end left out: what is written with many is on a page by chance seldom.
fn figures_of(claim: &str, q: &Quantity) -> f64 {
    let written = q.span.of(claim);
    let figures: Vec<u8> = written.bytes().filter(u8::is_ascii_digit).collect();
    let noughts = figures.iter().rev().take_while(|figure| **figure == b'0').count();
    (figures.len() - noughts).min(8) as f64
}

/// The best sentence of the passages that has the figures of a value as they are written, read as that value or not: the
/// part of the claim's words in it, and of the words near the value near one of the figures.
fn written(case: &Case<'_, '_, '_>, span: Span, local: &[u64]) -> (f64, f64) {
    let figures: Vec<u64> =
        case.words.iter().filter(|word| word.number && span.contains(word.span)).map(|word| word.key).collect();
    let mut best = (0.0f64, 0.0f64);
    if figures.is_empty() {
        return best;
    }
    for sentence in case.windows.iter().flat_map(|window| window.first..=window.last) {
        let page = case.index.words_of(sentence, sentence);
        if figures.iter().all(|figure| page.iter().any(|word| word.key == *figure)) {
            best.0 = best.0.max(case.lookup.recall(sentence, sentence));
            for word in page.iter().filter(|word| figures.contains(&word.key)) {
                best.1 = best.1.max(shared_near(local, page, word.span));
            }
        }
    }
    best
}

/// The keys of the content words near a value, from both sides.
fn local_words(all: &[Word], span: Span) -> Vec<u64> {
    let content = |word: &&Word| !word.stop && !word.number;
    let before = all.iter().rev().filter(|word| word.span.end <= span.start).filter(content).take(LOCAL);
    let after = all.iter().filter(|word| word.span.start >= span.end).filter(content).take(LOCAL);
    let mut keys: Vec<u64> = before.chain(after).map(|word| word.key).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The part of some words that stands near a value of the page.
fn shared_near(local: &[u64], page: &[Word], span: Span) -> f64 {
    let at = page.partition_point(|word| word.span.start < span.start);
    let near = &page[at.saturating_sub(REACH)..(at + REACH + 1).min(page.len())];
    let found = local.iter().filter(|key| near.iter().any(|word| word.key == **key)).count();
    found as f64 / local.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::{FEATURES, TREES};
    use crate::claim::ClaimKind;
    use crate::judge::examined::examine;
    use crate::judge::{ClaimText, Settings, SourceText, Standing, judge};

    const PAGE: &str = "The harbour of Port Alba handled 14 million tonnes of cargo in 1998. Its lighthouse was painted white. \
         The keeper, a quiet man from the islands, retired in 1987. In 2003 the council bought a second tug for the port.";

    fn check(claim: &str, supported: bool) {
        let (claim, page) = (ClaimText::new(claim, ClaimKind::Plain), SourceText::new(PAGE, ""));
        let verdict = judge(&claim, &page, &Settings::default());
        assert_eq!(verdict.standing == Standing::Supported, supported, "{}: {verdict:?}", claim.text);
        for values in examine(&claim, &page, f64::MAX).quantities.into_iter().filter_map(|one| one.binding) {
            let probability = TREES.probability(&values);
            assert!((0.0..=1.0).contains(&probability) && values.iter().all(|value| value.is_finite()), "{values:?}");
        }
    }

    #[test]
    fn a_number_of_something_else_is_no_support_and_one_in_its_place_is() {
        check("The harbour of Port Alba handled 14 million tonnes of cargo in 1998.", true);
        check("The harbour of Port Alba handled 14 million tonnes of cargo in 1987.", false);
        check("The harbour of Port Alba handled 14 million tonnes of cargo in 2003.", false);
    }

    #[test]
    fn more_of_the_claim_round_its_own_value_never_makes_it_less_probable() {
        // The features that the fit lets only help, and those that it lets only harm.
        let (helping, harming) =
            ([0, 1, 3, 4, 9, 14, 18, 19, 20, 21, 22, 23, 24, 28, 29, 30, 32], [5, 6, 7, 25, 26, 31, 33]);
        for start in [0.0f32, 0.3, 0.7, 1.0] {
            let mut values = [start; FEATURES];
            for (places, sign) in [(helping.as_slice(), 1.0), (harming.as_slice(), -1.0)] {
                for place in places {
                    let before = values[*place];
                    let mut last = 0.0;
                    for step in 0..20 {
                        values[*place] = sign * f32::from(u8::try_from(step).unwrap()) * 0.1;
                        let probability = TREES.probability(&values);
                        assert!(step == 0 || probability >= last - 1e-6, "{place}: {probability} after {last}");
                        last = probability;
                    }
                    values[*place] = before;
                }
            }
        }
    }
}
