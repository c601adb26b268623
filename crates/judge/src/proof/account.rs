//! What of a claim is accounted for by parts of a page: the words that stand there, and whether the parts say it as surely, of as many, as the claim.

use super::top;
use crate::align::is_of_one_stem;
use crate::case::Case;
use crate::cues;
use crate::cues::Class::{
    self, All, Certain, Condition, Foreseen, Hedge, Lack, Most, Nearly, Negator, OneOf, Part, Possible, Rest, Until,
};
use crate::evidence::search::Term;
use cited_text::Span;
use cited_text::quantity::{Agreement, Bound, Quantity, compare};
use cited_text::words::Word;

/// This part of a claim has to stand in the heads of the cells that have its values, and beside them.
pub(super) const TABLED: f64 = 0.5;
/// So many words of a claim may be missing: a table does not say *earned* or *measured*.
pub(super) const MOST_MISSING: u32 = 2;
/// Words of one stem share this part of the longer of them.
const STEM_PART: f64 = 0.55;
/// A part of a compound has so many letters.
const PART: usize = 5;

/// What changes how far or how surely something is said: a claim may have none of these that the page has not.
const LIMITS: [Class; 14] =
    [Negator, Certain, Lack, Nearly, Part, Most, All, Possible, Condition, Until, Rest, OneOf, Hedge, Foreseen];

/// The words of the page in a part of it.
pub(super) fn words_in<'a>(case: &Case<'a>, span: Span) -> impl Iterator<Item = &'a Word> + use<'a> {
    let last = span.end.saturating_sub(1).max(span.start);
    let (first, last) = (case.source.index.sentence_at(span.start), case.source.index.sentence_at(last));
    case.source.index.words_of(first, last).iter().filter(move |word| span.contains(word.span))
}

/// Whether two words, in lower case, are of one stem, or one is part of the other.
pub(super) fn is_alike(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    is_of_one_stem(a, b, STEM_PART)
        || short.chars().count() >= PART && (long.starts_with(short) || long.ends_with(short))
}

/// Whether a word stands right before a value.
fn is_right_before(text: &str, word: Span, value: Span) -> bool {
    word.end <= value.start && text.get(word.end..value.start).is_some_and(|between| between.trim().is_empty())
}

/// Whether a head has a value, or a time that a time of the claim lies in.
pub(super) fn stands_over(case: &Case<'_>, q: &Quantity, head: Span) -> bool {
    let agreements = case.source.index.quantities_in(head).iter().map(|other| compare(q, other));
    let enough = if q.is_temporal() { Agreement::Compatible } else { Agreement::Same };
    agreements.into_iter().any(|agreement| agreement >= enough)
}

/// What a claim and some parts of a page have in common.
#[derive(Debug)]
pub(super) struct Account<'g> {
    /// The terms of the claim that stand in these parts, or of which another form does, or that are granted.
    terms: u128,
    /// The classes of the words of these parts, of their heads and titles, as bits.
    classes: u64,
    /// What of the claim is shown in another way than by words.
    granted: &'g [Span],
}

impl<'g> Account<'g> {
    /// Holds a claim beside parts of a page, what stands over them, and the page's title. Where a step of arithmetic was taken
    /// (`worked_out`), the words that name it need not stand there, nor need the parts of the claim that are `granted`.
    pub(super) fn new(case: &Case<'_>, parts: &[Span], over: &[Span], worked_out: bool, granted: &'g [Span]) -> Self {
        let text = case.source.index.text();
        let all: Vec<&Word> = parts.iter().chain(over).flat_map(|span| words_in(case, *span)).collect();
        let classes = all.iter().fold(0, |classes, word| classes | cues::classes_of(word));
        let mut account = Account { terms: 0, classes, granted };
        let content = all.iter().filter(|word| !word.stop && !word.number);
        let written: Vec<String> = content.map(|word| word.span.slice(text).to_lowercase()).collect();
        for (bit, term) in case.lookup.terms.iter().enumerate() {
            let stands = case.source.context.contains(&term.key) || all.iter().any(|word| word.key == term.key);
            let is_granted = || granted.iter().any(|span| span.overlaps(term.span));
            let alike = || {
                let mine = term.span.slice(case.claim.text).to_lowercase();
                !mine.starts_with(char::is_numeric) && written.iter().any(|theirs| is_alike(&mine, theirs))
            };
            let done =
                || case.claim.words.iter().any(|word| word.span.overlaps(term.span) && cues::says_what_was_done(word));
            // *Roughly* before a value is said of the value.
            let is_hedged =
                |q: &Quantity| q.bound != Bound::Exact && is_right_before(case.claim.text, term.span, q.span);
            let hedges = || case.claim.quantities.iter().any(is_hedged);
            let accounted = stands || is_granted() || alike() || worked_out && done() || hedges();
            account.terms |= u128::from(accounted) << bit;
        }
        account
    }

    /// The terms of the claim that are not accounted for.
    fn missing_terms<'c>(&self, case: &'c Case<'_>) -> impl Iterator<Item = &'c Term> + use<'c> {
        let all = self.terms;
        let terms = case.lookup.terms.iter().enumerate();
        terms.filter(move |(bit, _)| all & (1 << bit) == 0).map(|(_, term)| term)
    }

    /// Whether a name or a number that is no value is not accounted for: in German all nouns have capitals, and all count.
    fn misses_a_name(&self, case: &Case<'_>) -> bool {
        self.missing_terms(case).any(|term| {
            let written = term.span.slice(case.claim.text);
            let inside = |c: char| c.is_ascii_digit() || c.is_uppercase();
            term.name || written.chars().skip(1).any(inside) || written.starts_with(|c: char| c.is_ascii_digit())
        })
    }

    /// How many terms of the claim are not accounted for, but small words.
    pub(super) fn missing(&self, case: &Case<'_>) -> u32 {
        let is_small = |term: &Term| case.claim.words.iter().any(|word| word.span == term.span && word.stop);
        self.missing_terms(case).filter(|term| !is_small(term)).count() as u32
    }

    /// Whether the parts account for this part of the claim, with so many terms missing at most, no name among them, and for no less and no
    /// more than it says.
    pub(super) fn is_of_the_whole(&self, case: &Case<'_>, part: f64, most_missing: u32) -> bool {
        let covered = if case.lookup.terms.is_empty() { 1.0 } else { case.lookup.weigh(self.terms) };
        covered >= part
            && self.missing(case) <= most_missing
            && !self.misses_a_name(case)
            && !self.differs_in_reach(case)
    }

    /// Whether the claim goes further than the parts.
    fn differs_in_reach(&self, case: &Case<'_>) -> bool {
        // *About* and *nearly* before a value are said of it.
        let in_a_value = |word: &Word| {
            let next = case.claim.words.iter().find(|next| next.span.start >= word.span.end);
            let of = |q: &Quantity, word: &Word| q.span.overlaps(word.span);
            case.claim.quantities.iter().any(|q| of(q, word) || next.is_some_and(|next| of(q, next)))
        };
        // *The most mills* are not most mills.
        let tops = top::tops(case);
        // *Took part*, *in all*, *a third of all farms*.
        let idle = |word: &Word| {
            let next = case.claim.words.iter().find(|next| next.span.start >= word.span.end);
            let before = case.claim.words.iter().rev().find(|before| before.span.end <= word.span.start);
            cues::has(word, Part) && !cues::has(word, Most) && !next.is_some_and(cues::is(Class::Of))
                || cues::has(word, All) && (next.is_none() || before.is_some_and(cues::is(Class::Of)))
        };
        let telling = |word: &&Word| {
            !in_a_value(word)
                && !idle(word)
                && !self.granted.iter().any(|span| span.overlaps(word.span))
                && !cues::has(word, Class::Article)
                && !tops.iter().any(|top| top.span.overlaps(word.span))
        };
        let mine = case.claim.words.iter().filter(telling);
        let mine = mine.fold(0, |all, word| all | cues::classes_of(word));
        let further = LIMITS.into_iter().any(|class| mine & !self.classes & class as u64 != 0);
        further
            || cues::says(case.claim.text, "foreseenphrase")
            || cues::says(case.claim.text, "open")
            || cues::says(case.claim.text, "exception")
    }
}
