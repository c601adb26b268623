//! Words: tokens of Latin, Cyrillic, Chinese and Japanese writing, reduced to comparable keys.
//!
//! A word becomes a 64-bit key of its stem, so that a page is indexed without an allocation per word. Scripts without
//! spaces give one key for each pair of neighbouring characters.

use std::sync::LazyLock;

use super::Span;
pub use super::ascii::{ByForm, form};
use super::ascii::{EMPTY_HASH, LONGEST_WORD, hash, hash_on};
use crate::lexicon::{self, Languages};

/// A word of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Word {
    /// Where it stands.
    pub span: Span,
    /// Key of its stem: equal for words that differ in case, number or tense only.
    pub key: u64,
    /// Key of the word itself in lower case: see [`form`].
    pub form: u64,
    /// Whether it is a function word.
    pub stop: bool,
    /// Whether it is made of digits only.
    pub number: bool,
    /// Whether it begins with a capital.
    pub capital: bool,
    /// The languages that it speaks for, as one of their frequent words.
    pub votes: Languages,
    /// The languages that its text may be in.
    pub spoken: Languages,
}

/// The word that a text ends with; empty where it ends with none.
///
/// ```
/// use cited_text::words::last_word;
/// assert_eq!((last_word("as of May"), last_word("as of May,")), ("May", ""));
/// ```
pub fn last_word(text: &str) -> &str {
    text.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default()
}

/// The words of `text`, in order.
///
/// ```
/// use cited_text::words::words;
/// let keys = |text| words(text).filter(|w| !w.stop).map(|w| w.key).collect::<Vec<_>>();
/// assert_eq!(keys("The studies were measuring latency"), keys("a study measured latencies"));
/// ```
pub fn words(text: &str) -> Words<'_> {
    words_in(text, Languages::ALL)
}

/// The words of a text that is in one of these languages: see [`super::language`].
pub fn words_in(text: &str, spoken: Languages) -> Words<'_> {
    let room = ([0; LONGEST_WORD], [EMPTY_HASH; LONGEST_WORD + 1]);
    Words { text, spoken, at: 0, before: None, table: &FUNCTION_WORDS, lower: room.0, hashes: room.1 }
}

/// The words of a text: see [`words`].
#[derive(Debug, Clone)]
pub struct Words<'a> {
    text: &'a str,
    spoken: Languages,
    at: usize,
    /// The word that was read last.
    before: Option<Word>,
    table: &'static ByForm<(bool, Languages)>,
    /// Room for the word that is read, in lower case …
    lower: [u8; LONGEST_WORD],
    /// … and for the hash of each of its beginnings: most stems are a beginning of their word.
    hashes: [u64; LONGEST_WORD + 1],
}

impl Iterator for Words<'_> {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        self.before = self.read();
        self.before
    }
}

impl Words<'_> {
    fn read(&mut self) -> Option<Word> {
        let bytes = self.text.as_bytes();
        loop {
            let start = self.at
                + bytes.get(self.at..)?.iter().position(|byte| !byte.is_ascii() || byte.is_ascii_alphanumeric())?;
            if bytes.get(start).is_some_and(u8::is_ascii) {
                return Some(self.ascii(start));
            }
            let c = self.text[start..].chars().next()?;
            self.at = start + c.len_utf8();
            if !c.is_alphanumeric() {
                continue;
            }
            if !is_unspaced(c) {
                return Some(self.other(start));
            }
            if let Some(word) = self.pair(start) {
                return Some(word);
            }
        }
    }

    /// The word that begins at `start` with a letter or digit of ASCII. Most words of most pages are of these alone.
    fn ascii(&mut self, start: usize) -> Word {
        let bytes = self.text.as_bytes();
        let (mut end, mut length, mut number) = (start, 0, true);
        while let Some(byte) = bytes.get(end).filter(|byte| byte.is_ascii_alphanumeric()) {
            if length < LONGEST_WORD {
                let lower = byte.to_ascii_lowercase();
                self.lower[length] = lower;
                self.hashes[length + 1] = hash_on(self.hashes[length], lower);
                number &= lower.is_ascii_digit();
                length += 1;
            }
            end += 1;
        }
        if bytes.get(end).is_some_and(|byte| !byte.is_ascii()) && self.text[end..].starts_with(is_inner) {
            return self.other(start);
        }
        self.at = end;
        let form = self.hashes[length];
        let key = match stem(&mut self.lower, length) {
            _ if number => form,
            (length, true) => hash_on(self.hashes[length - 1], self.lower[length - 1]),
            (length, false) => self.hashes[length],
        };
        let capital = bytes[start].is_ascii_uppercase();
        let (mut stop, votes) = self.table.get(&form).copied().unwrap_or((false, Languages::NONE));
        // *In May* is a month, *may* is none: what stands behind a word and a space begins no sentence.
        let follows = || matches!(bytes.get(..start), Some([.., before, b' ']) if before.is_ascii_alphanumeric());
        stop &= !(capital && length == 3 && &self.lower[..3] == b"may" && follows());
        stop &= !(stop && capital && length == 1 && self.names_more_closely(Span::new(start, end)));
        Word { span: Span::new(start, end), key, form, stop, number, capital, votes, spoken: self.spoken }
    }

    /// The word that begins at `start` and has other letters than those of ASCII.
    fn other(&mut self, start: usize) -> Word {
        let rest = &self.text[start..];
        let word = &rest[..rest.find(|c: char| !is_inner(c)).unwrap_or(rest.len())];
        self.at = start + word.len();
        let lower: String = word.chars().take(LONGEST_WORD).flat_map(char::to_lowercase).collect();
        let form = hash(lower.as_bytes());
        let capital = word.starts_with(char::is_uppercase);
        let (mut stop, votes) = self.table.get(&form).copied().unwrap_or((false, Languages::NONE));
        let single = capital && word.chars().nth(1).is_none();
        stop &= !(stop && single && self.names_more_closely(Span::new(start, self.at)));
        let (span, key) = (Span::new(start, self.at), stem_other(&lower));
        Word { span, key, form, stop, capital, votes, spoken: self.spoken, ..Word::default() }
    }

    /// Whether a capital that would be a function word tells what stands before it from others of its name: *vitamin A*, *Line U*, A組.
    /// In *Once Upon A Time* it is an article.
    fn names_more_closely(&self, letter: Span) -> bool {
        let (before, behind) = (&self.text[..letter.start], &self.text[letter.end..]);
        if before.ends_with(is_unspaced) || behind.starts_with(is_unspaced) {
            return true;
        }
        let joined = |word: &Word| matches!(&self.text[word.span.end..letter.start], " " | "-" | "\u{a0}");
        // *War* of *World War I* is a function word of German.
        let in_a_name = |word: &Word| {
            let head = word.span.before(self.text).strip_suffix(' ').unwrap_or_default();
            word.capital && head.rsplit(' ').next().is_some_and(|word| word.starts_with(char::is_uppercase))
        };
        let names = |word: &Word| (!word.stop || in_a_name(word)) && !word.number && joined(word);
        let Some(named) = self.before.filter(names) else { return false };
        // *The book I read*, *World War I*.
        let is_pronoun = letter.slice(self.text) == "I" && !named.capital;
        let next = behind.strip_prefix([' ', '\u{a0}']).unwrap_or_default();
        // *L'Oréal*, *Vitamin D's role*.
        let elided = behind
            .strip_prefix(['\'', '’'])
            .is_some_and(|rest| rest.strip_prefix('s').unwrap_or(rest).starts_with(char::is_alphanumeric));
        !is_pronoun && !elided && !next.starts_with(char::is_uppercase)
    }

    /// The character at `start`, of a script without spaces, with the one behind it; none for the last of several.
    fn pair(&mut self, start: usize) -> Option<Word> {
        let next = self.text[self.at..].chars().next().filter(|c| is_unspaced(*c));
        let alone = next.is_none() && !self.text[..start].ends_with(is_unspaced);
        let end = self.at + next.map_or(0, char::len_utf8);
        let form = hash(&self.text.as_bytes()[start..end]);
        let (span, votes, spoken) = (Span::new(start, end), Languages::NONE, self.spoken);
        let word = Word { span, key: form, form, stop: alone, votes, spoken, ..Word::default() };
        (alone || next.is_some()).then_some(word)
    }
}

/// Whether a character goes on a word of a script with spaces.
fn is_inner(c: char) -> bool {
    c.is_alphanumeric() && !is_unspaced(c)
}

/// Whether a character belongs to a script without spaces between words.
#[inline]
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}')
}

/// Takes English inflection off: plural, past tense, participle, adverb. Light on purpose: two words that share a key
/// by mistake cost more than two that do not.
///
/// Leaves the stem at the beginning of `word`; gives its length, and whether its last letter is another than the word's.
fn stem(word: &mut [u8; LONGEST_WORD], mut n: usize) -> (usize, bool) {
    let vowel = |b: &u8| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    // Up to here the word is as it was written.
    let mut kept = n;
    match &word[..n] {
        [.., b'i', b'e', b's'] if n > 4 => {
            n -= 2;
            word[n - 1] = b'y';
            kept = n - 1;
        }
        [.., b's', b's', b'e', b's'] | [.., b'x', b'e', b's'] | [.., b'c' | b's', b'h', b'e', b's'] if n > 4 => n -= 2,
        [.., before, b's'] if n > 3 && !matches!(before, b's' | b'u' | b'i') => n -= 1,
        _ => {}
    }
    let inflected = n;
    match &word[..n] {
        [.., b'i', b'e', b'd'] if n > 4 => {
            n -= 2;
            word[n - 1] = b'y';
            kept = n - 1;
        }
        [rest @ .., b'i', b'n', b'g'] if n > 4 && rest.iter().any(vowel) => n -= 3,
        [rest @ .., b'e', b'd'] if n > 4 && rest.iter().any(vowel) => n -= 2,
        [.., b'l', b'y'] if n > 5 => n -= 2,
        _ => {}
    }
    let y = kept < n;
    if n != inflected && !y && n > 3 && word[n - 1] == word[n - 2] && !vowel(&word[n - 1]) {
        n -= usize::from(!matches!(word[n - 1], b'l' | b's' | b'z'));
    }
    if n > 2 && word[n - 1] == b'e' {
        n -= 1;
    }
    // "organise" and "organize".
    if let [.., before, b'i', b's'] = &word[..n]
        && n > 5
        && !vowel(before)
    {
        word[n - 1] = b'z';
        kept = n - 1;
    }
    (n, kept < n)
}

/// Takes two letters off a long word: the endings of Russian, German, French and Spanish are mostly no longer.
fn stem_other(lower: &str) -> u64 {
    let length = lower.chars().count();
    let keep = if length > 6 {
        length - 2
    } else if length > 4 {
        length - 1
    } else {
        length
    };
    let end = lower.char_indices().nth(keep).map_or(lower.len(), |(i, _)| i);
    hash(&lower.as_bytes()[..end])
}

/// What shows the language of a text.
pub(super) const LANGUAGES: &str = include_str!("lexicon/data/languages.tsv");

/// The function words and the frequent words that show a language, by form: whether each is a function word, and the languages that it
/// speaks for.
static FUNCTION_WORDS: LazyLock<ByForm<(bool, Languages)>> = LazyLock::new(|| {
    let mut words = ByForm::default();
    for form in lexicon::table::words(include_str!("data/stopwords.tsv"), "stop").map(form) {
        words.entry(form).or_insert((true, Languages::NONE));
    }
    for row in lexicon::rows(LANGUAGES).filter(|row| row.class == "word") {
        for form in row.forms().map(form) {
            let (_, votes) = words.entry(form).or_insert((false, Languages::NONE));
            *votes = votes.and(row.languages);
        }
    }
    words
});

/// Rarity of words in general, by key: `ln(texts / texts with the word)`.
static FREQUENT: LazyLock<ByForm<f32>> = LazyLock::new(|| {
    let mut frequent = ByForm::default();
    for row in lexicon::rows(include_str!("data/frequency.tsv")) {
        let Ok(rarity) = row.class.parse::<f32>() else { continue };
        for word in row.forms().flat_map(words) {
            frequent.entry(word.key).or_insert(rarity);
        }
    }
    frequent
});

/// Rarity of a word that the table of frequent words does not have.
pub const RARE: f32 = 8.0;

/// How rare a word is in general English, from about 1 (in every third text) to [`RARE`].
pub fn rarity(key: u64) -> f32 {
    FREQUENT.get(&key).copied().unwrap_or(RARE)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{rarity, words};

    fn key(word: &str) -> u64 {
        words(word).next().unwrap().key
    }

    fn check(left: &str, right: &str, same: bool) {
        assert_eq!(key(left) == key(right), same, "{left} {right}");
    }

    #[test]
    fn inflections_share_a_key_and_other_words_do_not() {
        for (left, right) in [
            ("use", "using"),
            ("studies", "study"),
            ("stopped", "stop"),
            ("latencies", "latency"),
            ("boxes", "box"),
            ("organised", "organize"),
            ("населения", "население"),
        ] {
            check(left, right, true);
        }
        for (left, right) in [("rise", "risk"), ("bus", "bu"), ("need", "nee"), ("king", "k"), ("rose", "rising")] {
            check(left, right, false);
        }
    }

    #[test]
    fn a_letter_behind_a_thing_is_part_of_its_name() {
        let single = |text: &str| -> Vec<bool> {
            words(text).filter(|word| word.span.len() <= 2 && word.capital).map(|word| word.stop).collect()
        };
        for text in [
            "Model A scored",
            "the vitamin A",
            "Serie A",
            "World War I killed",
            "Line U",
            "Hepatitis D's",
            "Группа А",
            "A組",
        ] {
            assert_eq!(single(text), [false], "{text}");
        }
        for text in
            ["A model", "In A Minute", "Once Upon A Time", "Here I am", "the book I read", "Paris L'Oréal", "10 A"]
        {
            assert!(single(text).into_iter().all(|stop| stop), "{text}");
        }
    }

    #[test]
    fn scripts_without_spaces_give_pairs() {
        let text = "人口 grows";
        let found: Vec<&str> = words(text).map(|word| word.span.slice(text)).collect();
        assert_eq!(found, ["人口", "grows"]);
        assert_eq!(words("人口増加").count(), 3);
    }

    #[test]
    fn a_word_may_begin_in_ascii_and_go_on_in_other_letters() {
        let text = "A café of naïve GPT-4 in 2019年, É2";
        let found: Vec<&str> = words(text).map(|word| word.span.slice(text)).collect();
        assert_eq!(found, ["A", "café", "of", "naïve", "GPT", "4", "in", "2019", "年", "É2"]);
        let (number, capital): (Vec<bool>, Vec<bool>) = words(text).map(|word| (word.number, word.capital)).unzip();
        assert_eq!(number.iter().filter(|number| **number).count(), 2);
        assert_eq!(capital.iter().filter(|capital| **capital).count(), 3);
    }

    #[test]
    fn frequent_words_are_less_rare() {
        assert!(rarity(key("people")) < rarity(key("mitochondria")));
    }

    proptest! {
        #[test]
        fn words_are_in_order_and_on_character_boundaries(text in "\\PC{0,60}") {
            let mut last = 0;
            for word in words(&text) {
                prop_assert!(word.span.start >= last.min(word.span.start) && text.get(word.span.start..word.span.end).is_some());
                last = word.span.start;
            }
        }
    }
}
