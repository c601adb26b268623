//! How probable it is that a unit of the page says what the claim says: few numbers about the best unit, read by trees that
//! `training/score.py` fits.

use std::sync::LazyLock;

use super::assertions::Manner;
use super::combine::Trees;
use super::cues;
use super::polarity;
use super::proof::{Proof, State};
use super::quantities::Case;
use super::readings::{Reading, is_alike, mask_in, words_in};
use crate::evidence::search::MOST_TERMS;
use crate::quantity;
use crate::text::Span;
use crate::text::language::Spoken;
use crate::text::words::Word;

/// How many numbers describe a claim beside the units of a page.
pub const FEATURES: usize = 30;

/// The place of the number of names that stand elsewhere on the page only.
pub(super) const NAMES_ELSEWHERE: usize = 7;
/// The places of the part of the claim that stands in a unit and beside it, and of how many terms it has.
const NEAR: usize = 3;
const TERMS: usize = 29;
/// A segment of a sentence that has this part of what the best one has says the claim, too.
const SEGMENT: f64 = 0.6;

static TREES: LazyLock<Trees> = LazyLock::new(|| Trees::read(include_str!("data/score.tsv"), FEATURES));

/// The calibrated probability.
pub(super) fn probability(features: &[f32; FEATURES]) -> f64 {
    TREES.probability(features)
}

/// The pairs of manners of which a sentence that says the same has both or none.
const MANNERS: [Manner; 9] = [
    Manner::Possible,
    Manner::Obliged,
    Manner::Future,
    Manner::Cause,
    Manner::Link,
    Manner::All,
    Manner::Most,
    Manner::Some,
    Manner::Only,
];

/// In how many ways the claim says it otherwise than a reading: what only the claim has, and what only the reading has, as bits.
pub(super) fn manners(case: &Case<'_, '_, '_>, reading: &Reading) -> (u32, u32) {
    let mine = without_months(case.claim).to_lowercase();
    let theirs = without_months(&segments(case, reading)).to_lowercase();
    let languages = case.index.languages_of(reading.first, reading.last);
    MANNERS.iter().enumerate().fold((0, 0), |(claim, page), (bit, manner)| {
        let (own, other) = (manner.is_in(&mine, case.languages), manner.is_in(&theirs, languages));
        (claim | u32::from(own && !other) << bit, page | u32::from(other && !own) << bit)
    })
}

/// The segments of a unit that have most of the claim.
fn segments(case: &Case<'_, '_, '_>, reading: &Reading) -> String {
    let text = case.index.text();
    let mut parts: Vec<Span> = Vec::new();
    let mut start = reading.span.start;
    let written = reading.span.of(text);
    for (at, sign) in written.char_indices().filter(|(_, c)| matches!(c, ';' | '；' | ',' | '，' | ':' | '：')) {
        let end = reading.span.start + at;
        // Not the comma of 87,000.
        if sign != ',' || written[at + 1..].starts_with(char::is_whitespace) {
            parts.push(Span::new(start, end));
            start = end + sign.len_utf8();
        }
    }
    parts.push(Span::new(start, reading.span.end));
    let weights: Vec<f64> = parts.iter().map(|part| case.lookup.weigh(mask_in(case, *part))).collect();
    let most = weights.iter().copied().fold(0.0, f64::max);
    let kept = parts.iter().zip(&weights).filter(|(_, weight)| **weight >= SEGMENT * most);
    kept.map(|(part, _)| part.of(text)).collect::<Vec<_>>().join(" ; ")
}

/// A text without words that are the name of a month when they begin with a capital: *May*.
fn without_months(text: &str) -> String {
    let month = |word: &str| quantity::month(&word.to_lowercase()).is_some();
    let parts = text.split_inclusive(|c: char| !c.is_alphabetic()).enumerate();
    let kept = parts.filter(|(at, part)| {
        let word = part.trim_end_matches(|c: char| !c.is_alphabetic());
        *at == 0 || !word.starts_with(char::is_uppercase) || !month(word)
    });
    kept.map(|(_, part)| part).collect()
}

/// What a writer is told of a unit that says it in another manner than the claim: what was found to speak against support.
pub(super) fn said_otherwise((claim, page): (u32, u32)) -> Option<&'static str> {
    let bit = |manner: Manner| 1u32 << MANNERS.iter().position(|own| *own == manner).unwrap_or(31);
    [
        (page, Manner::Possible, "the source only calls it possible"),
        (page, Manner::Obliged, "the source says that it ought to be so"),
        (claim, Manner::All, "the source does not say it of all of them"),
        (claim, Manner::Only, "the source does not say it of them alone"),
        (claim, Manner::Cause, "the source does not say that one is the cause of the other"),
    ]
    .into_iter()
    .find(|(side, manner, _)| side & bit(*manner) != 0)
    .map(|(_, _, told)| told)
}

/// What else was found, as the score needs it.
pub(super) struct Beside {
    /// The words' own probability.
    pub(super) words: f64,
    /// The part of the claim's words in the same order.
    pub(super) ordered: f64,
    /// Whether denials do not match, and whether opposites or directions do not.
    pub(super) denial: f64,
    pub(super) opposite: f64,
    /// The worst covered clause.
    pub(super) clause: f64,
    /// Neighbouring words that are neighbours there.
    pub(super) pairs: f64,
    /// Quotations that were found.
    pub(super) quoted: f64,
    /// Values that the passage has otherwise.
    pub(super) differing: f64,
    /// How probable it is that its values are of the claim's thing.
    pub(super) binding: f64,
}

/// Describes a claim beside the readings of a page, best first.
pub(super) fn features(
    case: &Case<'_, '_, '_>,
    readings: &[Reading],
    proof: &Proof,
    beside: &Beside,
) -> [f32; FEATURES] {
    let weigh = |mask| case.lookup.weigh(mask);
    let Some(best) = readings.first() else { return [0.0; FEATURES] };
    let covered = best.all() | proof.terms;
    let near = covered | best.beside;
    let page = case.lookup.on_page();
    let terms = || case.lookup.terms().iter().take(MOST_TERMS).enumerate();
    let lacks = |on_page: bool, names: bool| {
        let gone = terms().filter(|(bit, term)| {
            near & (1 << bit) == 0 && (page & (1 << bit) != 0) == on_page && (!names || term.name)
        });
        gone.map(|(_, term)| term.weight).collect::<Vec<f64>>()
    };
    let heaviest = |weights: Vec<f64>| weights.into_iter().fold(0.0, f64::max) / 10.0;
    let (claim_only, page_only) = manners(case, best);
    let values: [f64; FEATURES] = [
        weigh(best.own),
        weigh(best.own | best.hung),
        weigh(covered),
        weigh(near),
        weigh(page),
        heaviest(lacks(true, false)),
        heaviest(lacks(false, false)),
        lacks(true, true).len().min(4) as f64,
        lacks(false, true).len().min(4) as f64,
        precision(case, best),
        readings.get(1).map_or(1.0, |second| weigh(best.all()) - weigh(second.all())),
        case.quantities.iter().filter(|q| q.is_measured()).count().min(6) as f64,
        if proof.states.is_empty() { -1.0 } else { proof.share(State::Stands) },
        proof.share(State::Follows),
        beside.differing,
        beside.ordered,
        beside.pairs,
        beside.words,
        beside.denial,
        beside.opposite,
        f64::from(claim_only.count_ones()),
        f64::from(page_only.count_ones()),
        beside.clause,
        beside.quoted + f64::from(u8::from(best.row)) * 2.0,
        proof.states.iter().filter(|state| **state == State::Open).count().min(4) as f64,
        beside.binding,
        turns(case, best),
        contraries(case, best),
        denials(case, best),
        (1.0 + case.lookup.terms().len() as f64).ln(),
    ];
    values.map(|value| value as f32)
}

/// A claim of more terms …
const LONG: f32 = 8.0;
/// … is only partly said by a unit that has less of it.
const MOSTLY: f32 = 0.7;

/// Whether a unit may say all of a claim, and not a part of it only.
pub(super) fn says_all(described: &[f32; FEATURES]) -> bool {
    described[NEAR] >= MOSTLY || described[TERMS] <= LONG.ln_1p()
}

/// Whether a unit says that something goes the other way than the claim says.
fn turns(case: &Case<'_, '_, '_>, reading: &Reading) -> f64 {
    let mine = polarity::stance_of(Spoken { text: case.claim, languages: case.languages }, case.words.iter().copied());
    let theirs = polarity::stance_in(case.index.spoken(reading.first, reading.last));
    let turned =
        mine.up && !mine.down && theirs.down && !theirs.up || mine.down && !mine.up && theirs.up && !theirs.down;
    let untold = (mine.up || mine.down) && !theirs.up && !theirs.down;
    if turned {
        1.0
    } else if untold {
        0.5
    } else {
        0.0
    }
}

/// The place of whether a unit says that something goes the other way.
pub(super) const TURNS: usize = 26;

/// Whether a unit has two names of the claim the other way round, though neither says by whom something was done.
pub(super) fn exchanges_names(case: &Case<'_, '_, '_>, reading: &Reading) -> bool {
    let theirs: Vec<&Word> = words_in(case, reading.span).collect();
    let names: Vec<&Word> = case.words.iter().filter(|word| word.capital && !word.stop && !word.number).collect();
    if case.words.iter().any(cues::names_agent) != theirs.iter().any(|word| cues::names_agent(word)) {
        return false;
    }
    let place = |key: u64| {
        let mut found = theirs.iter().enumerate().filter(|(_, word)| word.key == key && word.capital).map(|(at, _)| at);
        found.next().filter(|_| found.next().is_none())
    };
    let places: Vec<usize> = names.iter().filter_map(|name| place(name.key)).collect();
    // Words of one name stand side by side.
    places.first().zip(places.last()).is_some_and(|(first, last)| *first > last + 1)
}

/// How many words of a unit exclude one of the claim's that it does not have.
fn contraries(case: &Case<'_, '_, '_>, reading: &Reading) -> f64 {
    let theirs: Vec<_> = words_in(case, reading.span).collect();
    let has = |form: u64| theirs.iter().any(|word| word.form == form);
    let contrary =
        |own: &&Word| !theirs.iter().any(|word| word.key == own.key) && cues::opposites_of(own).into_iter().any(has);
    case.words.iter().filter(contrary).count().min(3) as f64
}

/// By how much a unit denies more or less often than the claim.
fn denials(case: &Case<'_, '_, '_>, reading: &Reading) -> f64 {
    let mine = polarity::stance_of(Spoken { text: case.claim, languages: case.languages }, case.words.iter().copied());
    let theirs = polarity::stance_in(case.index.spoken(reading.first, reading.last));
    (theirs.negators as f64 - mine.negators as f64).clamp(-2.0, 2.0)
}

/// The part of the content words of a unit that the claim has.
fn precision(case: &Case<'_, '_, '_>, reading: &Reading) -> f64 {
    let text = case.index.text();
    let mine: Vec<String> =
        case.words.iter().filter(|word| !word.stop).map(|word| word.span.of(case.claim).to_lowercase()).collect();
    let content: Vec<_> = words_in(case, reading.span).filter(|word| !word.stop && !word.number).collect();
    let shared = |word: &&&Word| {
        case.words.iter().any(|own| own.key == word.key) || {
            let written = word.span.of(text).to_lowercase();
            mine.iter().any(|own| is_alike(own, &written))
        }
    };
    content.iter().filter(shared).count() as f64 / content.len().max(1) as f64
}
