//! The page's sentence with another word in one place: *the American flag* for *the French flag*.
//!
//! Where a claim has nearly all words of one sentence in their order, and another name or the opposite stands where the page has
//! its own, the page says something else. A sign, and no proof: two names may be those of one thing.

use super::case::Case;
use super::cues::{self, Class};
use super::neighbours::is_content;
use crate::quantity::{Agreement, compare};
use crate::text::Span;
use crate::text::script::is_cjk;
use crate::text::words::Word;

/// Sentences of more words are not compared: the cost is the product of both.
const MOST_WORDS: usize = 90;
/// A claim has so many words of the page's sentence in order, and this part of its own.
const FEWEST_SHARED: usize = 6;
const SHARED: f64 = 0.8;
/// The same in writing without spaces, where each word is two characters and one that differs takes up to three along.
const SHARED_UNSPACED: f64 = 0.65;
/// Passages with less of the claim by weight are not compared.
const RECALL: f64 = 0.6;
/// So many words may stand in the place, on either side.
const MOST_IN_PLACE: usize = 4;

/// Names that begin with so many letters alike may be one; shorter ones, which may be initials, with one.
const SHORT_NAME: usize = 3;

/// What the page has in a place where the claim has something else.
#[derive(Debug, Clone)]
pub(super) struct Replaced {
    /// The sentence of the page.
    pub sentence: usize,
    /// The claim's word; empty where it leaves a denial out.
    pub claimed: String,
    /// The page's word; empty where it has no such denial.
    pub found: String,
}

impl Replaced {
    /// What a writer is told of it.
    pub(super) fn reason(&self) -> String {
        let (claimed, found) = (&self.claimed, &self.found);
        match (claimed.is_empty(), found.is_empty()) {
            (true, _) => format!("the source has “{found}”, which the claim leaves out"),
            (_, true) => format!("the claim has “{claimed}”, which the source has not"),
            _ => format!("the source has “{found}” where the claim has “{claimed}”"),
        }
    }
}

/// The sentence that has another word than the claim in one place.
pub(super) fn said_with_another_word(case: &Case<'_, '_, '_>) -> Option<Replaced> {
    let near = case.windows.iter().take(3).filter(|window| window.recall >= RECALL);
    let mut sentences: Vec<usize> = near.flat_map(|window| window.first..=window.last).collect();
    sentences.sort_unstable();
    sentences.dedup();
    let enough = if case.claim.contains(is_cjk) { SHARED_UNSPACED } else { SHARED };
    let compared = sentences.into_iter().filter_map(|sentence| {
        let page = case.index.words_of(sentence, sentence);
        if (page.len() as f64) < enough * case.words.len() as f64 {
            return None;
        }
        let shared = in_order(case.words, page)?;
        let is_enough = shared.len() >= FEWEST_SHARED && shared.len() as f64 >= enough * case.words.len() as f64;
        is_enough.then_some((sentence, page, shared))
    });
    let (sentence, page, shared) = compared.max_by_key(|(_, _, shared)| shared.len())?;
    let gaps = gaps(&shared, case.words.len(), page.len());
    let (claim, text) = (case.claim, case.index.text());
    let denies_more = denials(case.words, claim) != denials(page, text);
    let (claimed, found) = gaps.into_iter().find_map(|(mine, theirs)| {
        let (mine, theirs) = (&case.words[mine], &page[theirs]);
        if mine.is_empty() || theirs.is_empty() {
            return denies_more.then(|| denied(mine, theirs)).flatten();
        }
        replaced(case, sentence, mine, theirs)
    })?;
    Some(Replaced { sentence, claimed: claimed.of(claim).to_owned(), found: found.of(text).to_owned() })
}

/// The sentence that has the claim's values, and denies by its first syllable a word that the claim does not, or the other way
/// round: *GAAP*, *non-GAAP*.
pub(super) fn said_with_another_prefix(case: &Case<'_, '_, '_>) -> Option<Replaced> {
    let text = case.index.text();
    // Hardly a claim or page has such a word.
    let has = |text: &str| memchr::memmem::find(text.as_bytes(), b"on-").is_some();
    if !has(case.claim) && !*case.once.prefixed.get_or_init(|| has(text)) {
        return None;
    }
    let measured: Vec<_> = case.quantities.iter().filter(|q| q.is_measured()).collect();
    let has_values = |sentence: &usize| {
        let there = case.index.quantities_of(*sentence, *sentence);
        measured.iter().all(|q| there.iter().any(|other| compare(q, other) == Agreement::Same))
    };
    let near = case.windows.iter().take(3).filter(|window| window.recall >= RECALL);
    let sentence = near.flat_map(|window| window.first..=window.last).find(has_values)?;
    let page = case.index.words_of(sentence, sentence);
    (0..case.words.len()).find_map(|at| {
        let own = &case.words[at];
        let denied = is_denied_by_its_prefix(case.claim, case.words, at);
        let mut places = (0..page.len()).filter(|place| page[*place].key == own.key).peekable();
        places.peek()?;
        let first = *places.peek()?;
        let otherwise = is_content(own) && places.all(|place| is_denied_by_its_prefix(text, page, place) != denied);
        let written = |text: &str, words: &[Word], at: usize, denied: bool| {
            let from = if denied { at - 1 } else { at };
            words[from].span.cover(words[at].span).of(text).to_owned()
        };
        otherwise.then(|| Replaced {
            sentence,
            claimed: written(case.claim, case.words, at, denied),
            found: written(text, page, first, !denied),
        })
    })
}

/// Whether a word stands behind *non-*.
fn is_denied_by_its_prefix(text: &str, words: &[Word], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| &words[before]) else { return false };
    before.span.of(text).eq_ignore_ascii_case("non") && text.get(before.span.end..words[at].span.start) == Some("-")
}

/// How often a sentence denies. *Neither … nor* is one denial.
fn denials(words: &[Word], text: &str) -> usize {
    words.iter().filter(|word| cues::has(word, Class::Negator) && word.span.of(text) != "nor").count()
}

/// The word that denies in a place where the other text has nothing.
fn denied(mine: &[Word], theirs: &[Word]) -> Option<(Span, Span)> {
    let negator = |words: &[Word]| words.iter().find(|word| cues::has(word, Class::Negator)).map(|word| word.span);
    // *May or may not* denies nothing.
    if mine.iter().chain(theirs).any(cues::joins) {
        return None;
    }
    negator(mine).map(|span| (span, Span::at(0))).or_else(|| negator(theirs).map(|span| (Span::at(0), span)))
}

/// The words that two texts share in order, by their places in both: a longest common subsequence.
fn in_order(mine: &[Word], theirs: &[Word]) -> Option<Vec<(usize, usize)>> {
    if mine.len() > MOST_WORDS || theirs.len() > MOST_WORDS {
        return None;
    }
    let width = theirs.len() + 1;
    let mut longest = vec![0_u8; (mine.len() + 1) * width];
    for i in (0..mine.len()).rev() {
        for j in (0..theirs.len()).rev() {
            longest[i * width + j] = if mine[i].key == theirs[j].key {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut shared = Vec::new();
    while i < mine.len() && j < theirs.len() {
        if mine[i].key == theirs[j].key {
            shared.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    Some(shared)
}

/// The places between shared words where one of the texts has words of its own.
fn gaps(
    shared: &[(usize, usize)],
    mine: usize,
    theirs: usize,
) -> Vec<(std::ops::Range<usize>, std::ops::Range<usize>)> {
    let mut found = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (at, there) in shared.iter().copied().chain([(mine, theirs)]) {
        let first = i == 0 && j == 0;
        let (a, b) = (i..at, j..there);
        // What the page has before and behind the claim is no part of it.
        let b = if first && b.len() > a.len() {
            b.end - a.len()..b.end
        } else if at == mine && b.len() > a.len() {
            b.start..b.start + a.len()
        } else {
            b
        };
        let inside = !first && at < mine;
        if (!a.is_empty() && !b.is_empty() || inside && a.len() != b.len()) && a.len().max(b.len()) <= MOST_IN_PLACE {
            found.push((a, b));
        }
        (i, j) = (at + 1, there + 1);
    }
    found
}

/// The words of a place that say something else: two names, two numbers, or opposites.
fn replaced(case: &Case<'_, '_, '_>, sentence: usize, mine: &[Word], theirs: &[Word]) -> Option<(Span, Span)> {
    let text = case.index.text();
    let page = case.index.words_of(sentence, sentence);
    let is_name = |word: &Word, text: &str| word.capital && is_content(word) && !starts(text, word);
    mine.iter().find_map(|own| {
        let against = |a: Class, b: Class, other: &Word| cues::has(own, a) && cues::has(other, b);
        let opposite = theirs.iter().find(|other| {
            cues::opposites_of(own).contains(&other.form)
                || against(Class::Up, Class::Down, other)
                || against(Class::Down, Class::Up, other)
        });
        if let Some(other) = opposite {
            return Some((own.span, other.span));
        }
        if own.number {
            let other = theirs.iter().find(|other| other.number)?;
            return another_value(case, sentence, own, other);
        }
        let other = theirs.iter().find(|other| is_name(other, text))?;
        let another = is_name(own, case.claim)
            && !page.iter().any(|word| word.key == own.key && word.capital)
            && !are_one_name(own.span.of(case.claim), other.span.of(text));
        another.then_some((own.span, other.span))
    })
}

/// The values that two numbers are written in, when they are of one kind and differ, and the sentence has the claim's nowhere.
fn another_value(case: &Case<'_, '_, '_>, sentence: usize, own: &Word, other: &Word) -> Option<(Span, Span)> {
    let there = case.index.quantities_of(sentence, sentence);
    let mine = case.quantities.iter().find(|quantity| quantity.span.contains(own.span))?;
    let theirs = there.iter().find(|quantity| quantity.span.contains(other.span))?;
    let differ = compare(mine, theirs) == Agreement::Different
        && !there.iter().any(|quantity| compare(mine, quantity) >= Agreement::Compatible);
    differ.then_some((mine.span, theirs.span))
}

/// Whether a word begins a sentence, where any word has a capital.
fn starts(text: &str, word: &Word) -> bool {
    let before = word.span.before(text).trim_end_matches([' ', '"', '“', '(', '*', '\u{a0}']);
    before.is_empty() || before.ends_with(['.', '!', '?', '\n', '•'])
}

/// Whether one of two names may be a short or another form of the other: *Dan*, *Daniel*; *US*, *United*.
fn are_one_name(a: &str, b: &str) -> bool {
    let (a, b) = (a.to_lowercase(), b.to_lowercase());
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let short = a.chars().count().min(b.chars().count()) <= SHORT_NAME;
    // *TV*, *MTV*.
    shared >= SHORT_NAME || shared >= 1 && short || a.contains(&b) || b.contains(&a)
}

#[cfg(test)]
mod tests {
    use crate::claim::ClaimKind;
    use crate::judge::{ClaimText, Settings, SourceText, Standing, judge};

    const PAGE: &str = "The convoy was long. The boat spotted the convoy near Vlissing and fired one torpedo at the tanker, before noticing \
                        that she was flying an American flag. The pressure falls as the altitude of the place increases further, so that \
                        water boils at lower temperatures in the mountains.";

    #[track_caller]
    fn check(claim: &str, expected: &str) {
        let verdict = judge(&ClaimText::new(claim, ClaimKind::Plain), &SourceText::new(PAGE, ""), &Settings::default());
        assert!(verdict.reason.contains(expected), "{claim:?}: {verdict:?}");
        let told = verdict.reason.contains("where the claim has");
        assert_eq!(
            (told, told && verdict.standing != Standing::Weak),
            (!expected.is_empty(), false),
            "{claim:?}: {verdict:?}"
        );
    }

    #[test]
    fn another_name_in_its_place_is_told() {
        check(
            "The boat spotted the convoy near Vlissing and fired one torpedo at the tanker, before noticing that she was flying a Norwegian flag.",
            "the source has “American” where the claim has “Norwegian”",
        );
        check(
            "The boat spotted the convoy near Hamburg and fired one torpedo at the tanker, before noticing that she was flying an American flag.",
            "the source has “Vlissing” where the claim has “Hamburg”",
        );
    }

    #[test]
    fn forms_of_one_name_and_other_words_are_not() {
        for claim in [
            "The boat spotted the convoy near Vlissing and fired one torpedo at the tanker, before noticing that she was flying an America flag.",
            "The boat spotted the convoy near Lissing and fired one torpedo at the tanker, before noticing that she was flying an American flag.",
            "The boat spotted the convoy near Vlissing and fired one torpedo at the tanker before it noticed that she was flying an American flag.",
        ] {
            check(claim, "");
        }
    }

    #[test]
    fn a_denial_in_its_place_is_told() {
        let page = "The protection order is only used in very serious situations by the court of Vlissing.";
        let claim = "The protection order is not only used in very serious situations by the court of Vlissing.";
        for (claim, page, expected) in [
            (claim, page, "the claim has “not”, which the source has not"),
            (page, claim, "the source has “not”, which the claim leaves out"),
        ] {
            let source = SourceText::new(page, "");
            let verdict = judge(&ClaimText::new(claim, ClaimKind::Plain), &source, &Settings::default());
            assert_eq!((verdict.standing, verdict.reason.as_str()), (Standing::Weak, expected), "{verdict:?}");
        }
    }

    #[test]
    fn an_opposite_in_its_place_is_told() {
        check(
            "The pressure falls as the altitude of the place decreases further, so that water boils at lower temperatures in the mountains.",
            "the source has “increases” where the claim has “decreases”",
        );
    }
}
