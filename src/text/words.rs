//! Words: tokens of Latin, Cyrillic, Chinese and Japanese writing, reduced to comparable keys.
//!
//! A word becomes a 64-bit key of its stem, so that a page is indexed without an allocation per word. Scripts without
//! spaces give one key for each pair of neighbouring characters.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

use super::Span;

/// A word longer than this is cut for its key, in bytes: no language has it, hostile text does.
const LONGEST_WORD: usize = 64;

/// A word of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
}

/// The words of `text`, in order.
///
/// ```
/// use cited::text::words::words;
/// let keys = |text| words(text).filter(|w| !w.stop).map(|w| w.key).collect::<Vec<_>>();
/// assert_eq!(keys("The studies were measuring latency"), keys("a study measured latencies"));
/// ```
pub fn words(text: &str) -> impl Iterator<Item = Word> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(at..)?;
            let (skip, c) = rest.char_indices().find(|(_, c)| c.is_alphanumeric())?;
            let start = at + skip;
            if is_unspaced(c) {
                let first = start + c.len_utf8();
                at = first;
                let next = text[first..].chars().next().filter(|c| is_unspaced(*c));
                let alone = next.is_none() && !text[..start].ends_with(is_unspaced);
                let end = first + next.map_or(0, char::len_utf8);
                if next.is_none() && !alone {
                    continue;
                }
                return Some(Word {
                    span: Span::new(start, end),
                    key: hash(&text.as_bytes()[start..end]),
                    form: hash(&text.as_bytes()[start..end]),
                    stop: alone,
                    number: false,
                    capital: false,
                });
            }
            let rest = &text[start..];
            let inner = |c: char| c.is_alphanumeric() && !is_unspaced(c);
            let end = rest.find(|c: char| !inner(c)).map_or(text.len(), |i| start + i);
            at = end;
            return Some(read(text, Span::new(start, end)));
        }
    })
}

/// Whether a character belongs to a script without spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}')
}

fn read(text: &str, span: Span) -> Word {
    let word = span.of(text);
    let capital = word.starts_with(char::is_uppercase);
    if word.is_ascii() {
        let mut lower = [0u8; LONGEST_WORD];
        let length = word.len().min(LONGEST_WORD);
        for (to, from) in lower.iter_mut().zip(word.bytes()) {
            *to = from.to_ascii_lowercase();
        }
        let lower = &lower[..length];
        let form = hash(lower);
        let stop = STOP_WORDS.contains(&form);
        let number = lower.iter().all(u8::is_ascii_digit);
        return Word { span, key: if number { form } else { stem_ascii(lower) }, form, stop, number, capital };
    }
    let lower: String = word.chars().take(LONGEST_WORD).flat_map(char::to_lowercase).collect();
    let form = hash(lower.as_bytes());
    let stop = STOP_WORDS.contains(&form);
    Word { span, key: stem_other(&lower), form, stop, number: false, capital }
}

/// FNV-1a over the bytes.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The key of a word that is in lower case, as it is: to look it up in a table by its hash.
pub fn form(lower: &str) -> u64 {
    let cut = lower.as_bytes();
    hash(if lower.is_ascii() { &cut[..cut.len().min(LONGEST_WORD)] } else { cut })
}

/// A map by keys of words that we wrote: their hashes are used as they are.
pub(crate) type ByForm<T> = HashMap<u64, T, BuildHasherDefault<Ready>>;

/// The key of the stem of a word that is in lower case.
pub fn key(lower: &str) -> u64 {
    if lower.is_ascii() { stem_ascii(lower.as_bytes()) } else { stem_other(lower) }
}

/// Takes English inflection off: plural, past tense, participle, adverb. Light on purpose: two words that share a key
/// by mistake cost more than two that do not.
fn stem_ascii(word: &[u8]) -> u64 {
    let mut stem = [0u8; LONGEST_WORD];
    let mut n = word.len().min(LONGEST_WORD);
    stem[..n].copy_from_slice(&word[..n]);
    let vowel = |b: u8| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    let ends = |stem: &[u8; LONGEST_WORD], n: usize, tail: &[u8]| stem[..n].ends_with(tail);
    if n > 4 && ends(&stem, n, b"ies") {
        n -= 2;
        stem[n - 1] = b'y';
    } else if n > 4
        && (ends(&stem, n, b"sses") || ends(&stem, n, b"xes") || ends(&stem, n, b"ches") || ends(&stem, n, b"shes"))
    {
        n -= 2;
    } else if n > 3 && ends(&stem, n, b"s") && !matches!(stem[n - 2], b's' | b'u' | b'i') {
        n -= 1;
    }
    if n > 4 && ends(&stem, n, b"ied") {
        n -= 2;
        stem[n - 1] = b'y';
    } else {
        let before = n;
        if n > 4 && ends(&stem, n, b"ing") && stem[..n - 3].iter().any(|b| vowel(*b)) {
            n -= 3;
        } else if n > 4 && ends(&stem, n, b"ed") && stem[..n - 2].iter().any(|b| vowel(*b))
            || n > 5 && ends(&stem, n, b"ly")
        {
            n -= 2;
        }
        let doubled = n != before && n > 3 && stem[n - 1] == stem[n - 2];
        if doubled && !vowel(stem[n - 1]) && !matches!(stem[n - 1], b'l' | b's' | b'z') {
            n -= 1;
        }
    }
    if n > 2 && stem[n - 1] == b'e' {
        n -= 1;
    }
    // "organise" and "organize".
    if n > 5 && ends(&stem, n, b"is") && !vowel(stem[n - 3]) {
        stem[n - 1] = b'z';
    }
    hash(&stem[..n])
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

/// Hashes of the function words. Every word of a page is looked up here, so the look-up has to be cheap; the set is ours
/// and small, so no text can make it slow.
static STOP_WORDS: LazyLock<HashSet<u64, BuildHasherDefault<Ready>>> = LazyLock::new(|| {
    let rows = include_str!("data/stopwords.tsv").lines().filter(|line| !line.starts_with('#'));
    let words = rows.filter_map(|line| line.split_once('\t')).flat_map(|(_, words)| words.split('|'));
    words.map(|word| hash(word.as_bytes())).collect()
});

/// A hasher for numbers that are hashes already.
#[derive(Debug, Default)]
pub(crate) struct Ready(u64);

impl Hasher for Ready {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash(bytes);
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

/// Function words of each language that no other language of the table has.
static LANGUAGES: LazyLock<ByForm<Option<&'static str>>> = LazyLock::new(|| {
    let mut languages: ByForm<Option<&'static str>> = ByForm::default();
    let rows = include_str!("data/stopwords.tsv").lines().filter(|line| !line.starts_with('#'));
    for (language, forms) in rows.filter_map(|line| line.split_once('\t')) {
        for form in forms.split('|') {
            languages
                .entry(self::form(form))
                .and_modify(|seen| *seen = seen.filter(|seen| *seen == language))
                .or_insert(Some(language));
        }
    }
    languages
});

/// How much of a text is read to tell its language, in bytes.
const LANGUAGE_SAMPLE: usize = 16 * 1024;
/// One language is told from another by this many function words at least.
const FEWEST_VOTES: usize = 3;

/// The language of a text (`en`, `de`, `fr`, `es`, `ru`, `zh`, `ja`), when its function words or its script tell.
pub fn language(text: &str) -> Option<&'static str> {
    language_of(text, words(text))
}

/// The same for a text whose words were read already.
pub fn language_of(text: &str, words: impl Iterator<Item = Word>) -> Option<&'static str> {
    let mut end = text.len().min(LANGUAGE_SAMPLE);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let (mut kana, mut han, mut letters) = (0usize, 0usize, 0usize);
    let mut votes: BTreeMap<&'static str, usize> = BTreeMap::new();
    for c in text[..end].chars() {
        match c {
            '\u{3040}'..='\u{30FF}' => kana += 1,
            '\u{3400}'..='\u{9FFF}' => han += 1,
            c if c.is_alphabetic() => letters += 1,
            _ => {}
        }
    }
    if (kana + han) * 3 > letters && kana + han > 4 {
        return Some(if kana * 10 > han { "ja" } else { "zh" });
    }
    for word in words.take_while(|word| word.span.end <= end).filter(|word| word.stop) {
        if let Some(Some(language)) = LANGUAGES.get(&word.form) {
            *votes.entry(language).or_default() += 1;
        }
    }
    let (language, most) = votes.iter().max_by_key(|(language, votes)| (**votes, std::cmp::Reverse(**language)))?;
    let rest: usize = votes.iter().filter(|(other, _)| *other != language).map(|(_, votes)| votes).sum();
    (*most >= FEWEST_VOTES && *most > rest * 2).then_some(*language)
}

/// Rarity of words in general, by key: `ln(texts / texts with the word)`.
static FREQUENT: LazyLock<ByForm<f32>> = LazyLock::new(|| {
    let mut frequent = ByForm::default();
    for line in include_str!("data/frequency.tsv").lines().filter(|line| !line.starts_with('#')) {
        let Some((rarity, words)) = line.split_once('\t') else { continue };
        let Ok(rarity) = rarity.parse::<f32>() else { continue };
        for word in words.split(' ') {
            frequent.entry(key(word)).or_insert(rarity);
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

    use super::{key, rarity, words};

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
    fn scripts_without_spaces_give_pairs() {
        let text = "人口 grows";
        let found: Vec<&str> = words(text).map(|word| word.span.of(text)).collect();
        assert_eq!(found, ["人口", "grows"]);
        assert_eq!(words("人口増加").count(), 3);
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
