//! Words that turn, restrict or place what is said: the classes of `data/polarity.tsv`, and what they say of a word.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};

use cited_text::lexicon::{self, Languages, Meanings};
use cited_text::words::{self, ByForm, Word};

/// The classes of `data/polarity.tsv`.
#[derive(Default)]
struct Table {
    /// The classes of each word, as bits, by its form.
    classes: ByForm<Meanings<u64>>,
    /// For each word the words that exclude it, by their forms.
    opposites: ByForm<Meanings<u64>>,
    /// The place that each word gives the greatest of all, by its form: *third*.
    ranks: ByForm<Meanings<u64>>,
    /// What a column is of whose greatest value (`true`) or least a superlative means, by its form: *deepest*, of *depth*.
    qualities: ByForm<Meanings<(&'static str, bool)>>,
    /// The same of the second word of a superlative: *caro*, of *precio*.
    adjectives: ByForm<Meanings<(&'static str, bool)>>,
    /// What a cell says of what its column is called after.
    answers: Vec<(&'static str, Languages, bool)>,
    /// What does so as the beginning of a word: *zweit*größte.
    rank_stems: Vec<(&'static str, Languages, u64)>,
    /// The class of each pattern of [`PHRASES`], its languages, and the pattern.
    phrase_classes: Vec<(&'static str, Languages, &'static str)>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table::default();
    for row in lexicon::rows(include_str!("data/polarity.tsv")) {
        let (class, languages) = (row.class, row.languages);
        for word in row.forms() {
            match class {
                "pair" | "turn" => {
                    let Some((a, b)) = word.split_once('/') else { continue };
                    table.opposites.entry(words::form(a)).or_default().add(languages, words::form(b));
                    table.opposites.entry(words::form(b)).or_default().add(languages, words::form(a));
                }
                "mostof" | "leastof" | "mostby" | "leastby" => {
                    let Some((word, head)) = word.split_once('/') else { continue };
                    let of = if class.ends_with("of") { &mut table.qualities } else { &mut table.adjectives };
                    // *Die tiefste*, *der tiefsten*.
                    let endings: &[&str] = if word.ends_with("ste") { &["", "n", "r", "s", "m"] } else { &[""] };
                    for ending in endings {
                        let form = words::form(&format!("{word}{ending}"));
                        of.entry(form).or_default().add(languages, (head, class.starts_with("most")));
                    }
                }
                "yes" | "no" => table.answers.push((word, languages, class == "yes")),
                "rank" | "rankstem" => {
                    let Some((word, place)) = word.split_once('/') else { continue };
                    let Ok(place) = place.parse() else { continue };
                    if class == "rank" {
                        table.classes.entry(words::form(word)).or_default().add(languages, Class::Rank as u64);
                        table.ranks.entry(words::form(word)).or_default().add(languages, place);
                    } else {
                        table.rank_stems.push((word, languages, place));
                    }
                }
                "keep" | "phrase" | "cjk" | "cjkup" | "cjkdown" | "cjkqualifier" | "foreseenphrase" | "contrast"
                | "moves" | "exception" | "sum" | "average" | "excepted" | "open" | "unreached" => {
                    table.phrase_classes.push((class, languages, word));
                }
                class => {
                    let class: StrDeserializer<'_, Error> = class.into_deserializer();
                    let bit =
                        Class::deserialize(class).expect("each class of words in the table is one of these") as u64;
                    table.classes.entry(words::form(word)).or_default().add(languages, bit);
                }
            }
        }
    }
    table
});

/// Finds phrases, and what stands for a word in scripts without spaces.
static PHRASES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let patterns = TABLE.phrase_classes.iter().map(|(_, _, pattern)| *pattern);
    AhoCorasick::builder().ascii_case_insensitive(true).build(patterns).expect("a few hundred phrases")
});

/// A class of words, by its name in the table.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u64)]
pub(super) enum Class {
    Negator = 1 << 0,
    Hedge = 1 << 1,
    Certain = 1 << 2,
    Up = 1 << 3,
    Down = 1 << 4,
    Superlative = 1 << 5,
    Qualifier = 1 << 6,
    Particle = 1 << 7,
    Agent = 1 << 8,
    Mutual = 1 << 9,
    Foreseen = 1 << 10,
    Joiner = 1 << 11,
    Per = 1 << 12,
    Than = 1 << 13,
    Ordinal = 1 << 14,
    SetOff = 1 << 15,
    Change = 1 << 16,
    Telling = 1 << 17,
    Limiting = 1 << 18,
    Again = 1 << 19,
    Serving = 1 << 20,
    Aside = 1 << 24,
    Bare = 1 << 27,
    Rest = 1 << 21,
    Of = 1 << 22,
    Adversative = 1 << 23,
    Pronoun = 1 << 25,
    Differing = 1 << 26,
    Preposition = 1 << 28,
    Article = 1 << 29,
    Opinion = 1 << 30,
    Goal = 1 << 31,
    Together = 1 << 32,
    Mean = 1 << 33,
    Gap = 1 << 34,
    Age = 1 << 35,
    Lack = 1 << 37,
    Share = 1 << 38,
    Ago = 1 << 39,
    Continuing = 1 << 40,
    All = 1 << 41,
    Part = 1 << 42,
    Most = 1 << 43,
    Nearly = 1 << 44,
    Possible = 1 << 45,
    Until = 1 << 46,
    Condition = 1 << 48,
    Rank = 1 << 50,
    OneOf = 1 << 51,
    Extreme = 1 << 52,
    Greatest = 1 << 53,
    Least = 1 << 54,
    Earliest = 1 << 55,
    Latest = 1 << 56,
    NoneOf = 1 << 57,
    Only = 1 << 58,
    Before = 1 << 59,
    After = 1 << 60,
    Loose = 1 << 62,
}

/// Whether a word says what was done with values, or how they compare.
pub(super) fn says_what_was_done(word: &Word) -> bool {
    use Class::{Age, Ago, Differing, Down, Gap, Mean, Per, Share, Than, Together, Up};
    let done = [Together, Mean, Per, Gap, Than, Share, Up, Down, Differing, Age, Ago];
    done.into_iter().any(|class| has(word, class))
}

/// The classes of a word in the languages of its text, as bits.
pub(super) fn classes_of(word: &Word) -> u64 {
    classes_in(word.form, word.spoken)
}

/// The classes of the word of this form in some languages, as bits.
fn classes_in(form: u64, languages: Languages) -> u64 {
    TABLE.classes.get(&form).map_or(0, |meanings| meanings.in_any(languages).fold(0, |all, bits| all | bits))
}

/// The place that a word gives the greatest of all: *the third tallest*.
pub(super) fn rank(word: &Word) -> Option<usize> {
    let mut places = TABLE.ranks.get(&word.form)?.in_any(word.spoken);
    places.next().and_then(|place| usize::try_from(place).ok())
}

/// What a column is of whose greatest value (`true`) or least the superlative of this form means: *deepest*, of *depth*.
pub(super) fn qualities(form: u64, languages: Languages) -> Vec<(&'static str, bool)> {
    TABLE.qualities.get(&form).map_or_else(Vec::new, |meanings| meanings.in_any(languages).collect())
}

/// The same for a superlative of two words of which this is the second: *más caro*.
pub(super) fn qualities_behind(word: &Word) -> Vec<(&'static str, bool)> {
    TABLE.adjectives.get(&word.form).map_or_else(Vec::new, |meanings| meanings.in_any(word.spoken).collect())
}

/// Whether a cell says that it is so, or that it is not: *yes*, ✗.
pub(super) fn answer(cell: &str, languages: Languages) -> Option<bool> {
    let cell = cell.trim().to_lowercase();
    let mut answers = TABLE.answers.iter().filter(|(own, theirs, _)| *own == cell && theirs.meet(languages));
    answers.next().map(|(.., answer)| *answer)
}

/// The classes of the word of this form that say which end of a column of values, or of years, is meant.
pub(super) fn ends_of(form: u64, languages: Languages) -> impl Iterator<Item = Class> {
    let classes = classes_in(form, languages);
    let ends = [Class::Greatest, Class::Least, Class::Earliest, Class::Latest];
    ends.into_iter().filter(move |class| classes & *class as u64 != 0)
}

/// The same as the beginning of a word, with the form of the rest: *zweitgrößte*.
pub(super) fn rank_within(text: &str, word: &Word) -> Option<(usize, u64)> {
    let written = word.span.slice(text).to_lowercase();
    let mut stems = TABLE.rank_stems.iter().filter(|(_, languages, _)| languages.meet(word.spoken));
    stems.find_map(|(stem, _, place)| {
        let form = words::form(written.strip_prefix(stem)?);
        let known = ends_of(form, word.spoken).next().is_some() || !qualities(form, word.spoken).is_empty();
        known.then_some((usize::try_from(*place).ok()?, form))
    })
}

/// Whether a word is of a class.
pub(super) fn has(word: &Word, class: Class) -> bool {
    classes_of(word) & class as u64 != 0
}

/// Whether words are of a class.
pub(super) fn is(class: Class) -> impl Fn(&Word) -> bool {
    move |word| has(word, class)
}

/// Whether a text has a phrase of a class of the table.
pub(super) fn says(text: &str, class: &str) -> bool {
    phrases(text).any(|(of, ..)| of == class)
}

/// The phrases of the table in a text, by class; for signs that only weaken, whose languages hardly share a phrase.
pub(super) fn phrases(text: &str) -> impl Iterator<Item = (&'static str, &'static str, usize)> + '_ {
    phrases_in(text, Languages::ALL)
}

/// The same in a text that is in one of these languages, with where each ends.
pub(super) fn phrases_in(
    text: &str,
    languages: Languages,
) -> impl Iterator<Item = (&'static str, &'static str, usize)> + '_ {
    let found = PHRASES.find_overlapping_iter(text);
    let found = found.filter_map(|found| Some((TABLE.phrase_classes.get(found.pattern().as_usize())?, found.end())));
    found.filter(move |((_, own, _), _)| own.meet(languages)).map(|((class, _, phrase), end)| (*class, *phrase, end))
}

/// The forms of a word's opposites in the languages of its text.
pub(super) fn opposites_of(word: &Word) -> Vec<u64> {
    TABLE.opposites.get(&word.form).map_or_else(Vec::new, |meanings| meanings.in_any(word.spoken).collect())
}

/// Whether a text begins with a change, in writing without spaces: 10円*増やす*, 15分*短縮*.
pub(super) fn moves_right_behind(text: &str) -> bool {
    let end = text.char_indices().nth(MOST_BEHIND).map_or(text.len(), |(at, _)| at);
    let near = &text[..end];
    !near.is_ascii() && phrases(near).any(|(class, ..)| class == "cjkup" || class == "cjkdown")
}

/// So many characters behind a value a change is looked for.
const MOST_BEHIND: usize = 4;

/// The words by which a text makes an exception: *all but*, *unless*.
pub(super) fn excepts(text: &str) -> Option<&'static str> {
    phrases(text).find(|(class, ..)| matches!(*class, "exception" | "excepted")).map(|(_, phrase, _)| phrase.trim())
}

/// Whether a word says that nothing goes further: *largest*.
pub(super) fn is_extreme(word: &Word) -> bool {
    has(word, Class::Superlative) && !word.stop && !has(word, Class::Ordinal)
}

/// Whether a word is a superlative or makes one.
pub(super) fn is_top(text: &str, word: &Word) -> bool {
    /// How English makes superlatives that the table has not: *warmest*; a word with that ending has more letters than *best* or *west*.
    const SUPERLATIVE: &str = "est";
    const SHORTEST: usize = 6;
    let form = word.span.slice(text);
    let made = form.len() >= SHORTEST && form.ends_with(SUPERLATIVE) && !word.capital;
    let is_end = || ends_of(word.form, word.spoken).next().is_some();
    made || has(word, Class::Extreme) || is_end() || is_extreme(word)
}

/// Whether a word says that something rose or fell.
pub(super) fn moves(word: &Word) -> bool {
    has(word, Class::Up) != has(word, Class::Down)
}

/// Whether a text speaks of a change in writing without spaces, or in more than one word.
pub(super) fn moves_in_a_phrase(text: &str) -> bool {
    phrases(text).any(|(class, ..)| matches!(class, "cjkup" | "cjkdown" | "moves"))
}
