//! Where a sentence may go on with something else, and whether a part of it has a verb: words and signs, whatever the parts state.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::imperative;
use cited_text::Span;
use cited_text::language::languages_in;
use cited_text::lexicon::{Classes, Languages, table};
use cited_text::words::words;

const TABLE: &str = include_str!("data/clauses.tsv");

/// Words that join two clauses that can stand alone, with their languages.
pub(super) static CONJUNCTIONS: LazyLock<HashMap<&'static str, Languages>> =
    LazyLock::new(|| table::by_language(TABLE, "joins"));

/// The words of each class of the table.
pub(super) static WORDS: Classes = Classes::new(TABLE);

/// Common finite verbs, with their languages.
static FINITE: LazyLock<HashMap<&'static str, Languages>> = LazyLock::new(|| table::by_language(TABLE, "finite"));

/// Signs that part two clauses.
pub(super) const PARTINGS: &[char] = &[',', ';', '，', '；', '、', '–', '—'];

/// Where a sentence may go on with something else: behind signs between clauses (a comma inside of a number is none) and before words that
/// join clauses. In order.
pub(super) fn cuts(text: &str) -> Vec<usize> {
    let languages = languages_in(text, Languages::ALL);
    let joins = |word: &str| CONJUNCTIONS.get(word).is_some_and(|own| own.meet(languages));
    let signs = text.char_indices().filter(|(_, c)| PARTINGS.contains(c) || c.is_whitespace());
    let is_cut = |(at, sign): &(usize, char)| {
        let behind = &text[at + sign.len_utf8()..];
        match sign {
            ',' | '–' | '—' => behind.starts_with(char::is_whitespace),
            sign if sign.is_whitespace() => {
                joins(&behind.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase())
            }
            _ => true,
        }
    };
    signs.filter(is_cut).map(|(at, sign)| at + sign.len_utf8()).collect()
}

/// The parts of a text between these places.
pub(super) fn between(text: &str, cuts: &[usize]) -> impl Iterator<Item = Span> {
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    starts.zip(cuts.iter().copied().chain([text.len()])).map(|(start, end)| Span::new(start, end))
}

/// Whether a part of a sentence has a common finite verb.
pub(super) fn has_finite_verb(part: &str) -> bool {
    subject(part).is_some()
}

/// What stands before the first common finite verb of a part of a sentence.
pub(super) fn subject(part: &str) -> Option<&str> {
    let languages = languages_in(part, Languages::ALL);
    let verb = words(part).find(|word| is_finite_in(&word.span.slice(part).to_lowercase(), languages))?;
    Some(part[..verb.span.start].trim())
}

/// The same of a word in small letters, in one of these languages.
pub(super) fn is_finite_in(word: &str, languages: Languages) -> bool {
    let english = languages.meet(Languages::of_column("en"));
    FINITE.get(word).is_some_and(|verb| verb.meet(languages)) || english && imperative::is(word, &["finite"])
}

/// Whether a part of a sentence begins as one does that another part is needed for: *although it fell*, *which is more*.
pub(super) fn is_subordinate(part: &str) -> bool {
    begins_with(part, "condition") || begins_with(part, "subordinate")
}

/// Whether a part of a sentence begins with a word of a class, such as that of a condition: *if inflation reaches 5%*.
pub(super) fn begins_with(part: &str, class: &str) -> bool {
    let lower = part.trim_start().to_lowercase();
    let is_end = |rest: &str, word: &str| !word.is_ascii() || !rest.starts_with(char::is_alphanumeric);
    WORDS.of(class).iter().any(|word| lower.strip_prefix(word).is_some_and(|rest| is_end(rest, word)))
}
