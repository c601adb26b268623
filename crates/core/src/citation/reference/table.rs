//! Words of the layouts of entries, and round the names of authors.

use regex::Regex;

use cited_text::lexicon::Classes;

/// The words of the layouts, by class; the file says what each is.
pub(super) static WORDS: Classes = Classes::new(include_str!("../data/names.tsv"));

/// Whether a word of a list of names says that there are more.
pub fn is_others(text: &str) -> bool {
    let bare = |text: &str| text.trim_matches(['.', ' ']).to_lowercase();
    let text = bare(text);
    WORDS.of("others").iter().any(|form| bare(form) == text)
}

/// Whether a word is part of a family name wherever it stands.
pub fn is_particle(word: &str) -> bool {
    WORDS.has("particle", word.to_lowercase().trim_end_matches('.'))
}

/// Whether a word stands behind a name and is none: *Jr.*, *III*.
pub fn is_suffix(word: &str) -> bool {
    WORDS.has("suffix", &word.trim_matches(['.', ',', ' ']).to_lowercase())
}

/// A pattern of which the digits are those of ASCII: others are in no number that is read here, and take most of the time that building
/// it takes.
///
/// # Panics
/// When the text is no pattern: it is to be a fixed one.
pub fn pattern(text: &str) -> Regex {
    Regex::new(&text.replace(r"\d", "[0-9]")).expect("the pattern is fixed")
}
