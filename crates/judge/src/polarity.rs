//! Negation, direction and opposites: whether a passage that has the claim's words says the contrary.

use super::cues::{Class, classes_of, has, phrases_in, says};
use cited_text::language::{Spoken, languages_in};
use cited_text::lexicon::Languages;
use cited_text::words::{self, Word};

/// What a stretch of text asserts, beside its content words.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stance {
    /// How often it denies.
    pub negators: usize,
    /// Whether something goes up.
    pub up: bool,
    /// Whether something goes down.
    pub down: bool,
    /// Whether a word restricts what a number is about.
    pub qualifies: bool,
    /// How often it denies in more than one word none of which does so alone: *turned down*.
    pub denying_phrases: usize,
}

impl Stance {
    /// How often it denies what it says.
    pub fn denials(&self) -> usize {
        self.negators + self.denying_phrases
    }

    /// Whether it denies what another one says: who denies twice does not, but may deny two things.
    pub fn clashes(&self, other: &Stance) -> bool {
        let (mine, theirs) = (self.denials(), other.denials());
        mine % 2 != theirs % 2 || (mine == 0) != (theirs == 0)
    }
}

/// Reads the stance of a text that shows its language by itself.
pub fn stance(text: &str) -> Stance {
    stance_in(Spoken { text, languages: languages_in(text, Languages::ALL) })
}

/// Reads the stance of a stretch of text whose languages are known.
pub fn stance_in(part: Spoken<'_>) -> Stance {
    stance_of(part, words::words_in(part.text, part.languages))
}

/// The same for a text whose words were read already.
pub fn stance_of(part: Spoken<'_>, words: impl Iterator<Item = Word>) -> Stance {
    let text = part.text;
    let mut stance = Stance::default();
    for word in words {
        // *Neither paid nor asked* denies once, for both.
        let goes_on = stance.negators > 0 && has(&word, Class::Continuing);
        stance.negators += usize::from(denies(text, &word) && !goes_on);
        let classes = classes_of(&word);
        let is = |class: Class| classes & class as u64 != 0;
        stance.up |= is(Class::Up);
        stance.down |= is(Class::Down);
        stance.qualifies |= is(Class::Qualifier);
    }
    let mut kept: usize = 0;
    for (class, phrase, _) in phrases_in(text, part.languages) {
        match class {
            "cjk" => stance.negators += 1,
            "cjkup" => stance.up = true,
            "cjkdown" => stance.down = true,
            "cjkqualifier" => stance.qualifies = true,
            // *No longer* is counted by its first word.
            "phrase" if !words::words(phrase).any(|word| denies(phrase, &word)) => stance.denying_phrases += 1,
            "keep" => kept += 1,
            _ => {}
        }
    }
    stance.denying_phrases = stance.denying_phrases.saturating_sub(kept.saturating_sub(stance.negators));
    stance.negators = stance.negators.saturating_sub(kept);
    stance
}

/// Whether a word of a text denies.
pub fn denies(text: &str, word: &Word) -> bool {
    let before = word.span.before(text);
    // "don't", "isn’t", "can't".
    if word.span.len() == 1 && word.span.slice(text).eq_ignore_ascii_case("t") {
        return before.ends_with(['\'', '’']);
    }
    if !has(word, Class::Negator) {
        return false;
    }
    if !word.span.slice(text).eq_ignore_ascii_case("no") {
        return true;
    }
    // *No. 5* numbers something, and who *voted no* gave an answer.
    let behind = word.span.after(text);
    let numbers = behind.trim_start_matches(['.', ' ']).starts_with(|c: char| c.is_ascii_digit());
    let answers = behind.is_empty() || behind.starts_with(['.', ',', ';', '!', ')', '"', '”', '’']);
    !(numbers || answers)
}

/// Of a claim and a sentence with its words one denies and the other does not: an odd number of denials on one side, none at all on the other,
/// of a word that the other side says, in no contrast, where both languages are sure.
pub(super) fn denies_the_other(claim: Spoken<'_>, mine: &Stance, sentence: Spoken<'_>) -> Option<(String, String)> {
    let theirs = stance_in(sentence);
    let by_claim = mine.negators % 2 == 1 && theirs.denials() == 0;
    let by_page = theirs.negators % 2 == 1 && mine.denials() == 0;
    let denies_it =
        by_claim && says_what_is_denied(claim, sentence.text) || by_page && says_what_is_denied(sentence, claim.text);
    let aside = by_page && is_said_in_another_part(claim, sentence);
    let is_clear = |part: Spoken<'_>| part.languages.are_sure() && !says(part.text, "contrast");
    if !denies_it || aside || !is_clear(claim) || !is_clear(sentence) {
        return None;
    }
    let word = |part, denies: bool| denies.then(|| first_denial(part)).flatten().unwrap_or_default();
    Some((word(claim, by_claim), word(sentence, by_page)))
}

/// Whether the part of a sentence that denies lacks a word of the claim that another part has: *uncooked, it is not safe; when
/// cooked it is*.
fn is_said_in_another_part(claim: Spoken<'_>, sentence: Spoken<'_>) -> bool {
    let within = |text| Spoken { text, ..sentence };
    let parts = sentence.text.split([';', '；']).flat_map(|part| at_contrasts(within(part)));
    let Some(denying) = parts.into_iter().find(|part| stance_in(within(part)).negators % 2 == 1) else {
        return false;
    };
    let content = |word: &Word| !word.stop && !has(word, Class::Particle);
    let has_key = |text: &str, key: u64| words::words(text).any(|word| word.key == key);
    let mut own = words::words_in(claim.text, claim.languages).filter(content);
    own.any(|word| has_key(sentence.text, word.key) && !has_key(denying, word.key))
}

/// The parts of a sentence on both sides of a comma with a word of contrast behind it: *it did not help, but it was cheap*.
fn at_contrasts(spoken: Spoken<'_>) -> Vec<&str> {
    let part = spoken.text;
    let behind_a_comma = |at: usize| part[..at].trim_end().ends_with(',');
    let words = words::words_in(part, spoken.languages);
    let words = words.filter(|word| has(word, Class::SetOff) || has(word, Class::Adversative));
    let mut cuts: Vec<usize> = words.map(|word| word.span.start).filter(|at| behind_a_comma(*at)).collect();
    cuts.extend(["，但", "，而"].iter().flat_map(|contrast| part.match_indices(contrast)).map(|(at, _)| at));
    cuts.sort_unstable();
    let starts = [0].into_iter().chain(cuts.iter().copied());
    starts.zip(cuts.iter().copied().chain([part.len()])).map(|(from, to)| &part[from..to]).collect()
}

/// Whether `other` has the content word that `text` denies: the first after its word of denial.
fn says_what_is_denied(part: Spoken<'_>, other: &str) -> bool {
    let text = part.text;
    let mut rest = words::words_in(text, part.languages).skip_while(|word| !denies(text, word));
    let Some(denial) = rest.next() else { return true };
    // Writing without spaces has no words to compare.
    if !denial.span.slice(text).is_ascii() {
        return true;
    }
    let denied = rest.find(|word| !word.stop && !has(word, Class::Particle));
    denied.is_none_or(|denied| words::words(other).any(|word| word.key == denied.key))
}

/// The first word of a text that denies, or the first phrase.
pub(super) fn first_denial(part: Spoken<'_>) -> Option<String> {
    let mut words = words::words_in(part.text, part.languages);
    let word = words.find(|word| denies(part.text, word)).map(|word| word.span.slice(part.text).to_lowercase());
    let phrase = || phrases_in(part.text, part.languages).find(|(of, ..)| matches!(*of, "cjk" | "phrase"));
    word.or_else(|| phrase().map(|(_, phrase, _)| phrase.trim().to_owned()))
}
