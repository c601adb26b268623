//! Names of authors as they are written, and the words of the layouts of entries.

use schemars::JsonSchema;
use serde::Serialize;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use cited_text::lexicon::Classes;
use cited_text::script::{is_cjk, is_latin};

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

pub use crate::pattern::build as pattern;

/// A name has at most so many words.
const LONGEST_NAME: usize = 4;

/// The name of an author. Without given names it may be that of a body.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(into = "String")]
#[schemars(with = "String")]
pub struct Name {
    /// Family name with its particles, or the name of a body.
    pub family: String,
    /// Given names or initials; empty when there are none.
    pub given: String,
}

impl From<Name> for String {
    fn from(name: Name) -> String {
        name.shown()
    }
}

impl Name {
    /// A name with its parts.
    pub fn new(given: &str, family: &str) -> Name {
        Name { family: family.trim().to_owned(), given: given.trim().to_owned() }
    }

    /// A name as it is written: `Berg, Anna van der`, `Anna van der Berg`, `Berg A`, with or without the number of a namesake.
    pub fn read(text: &str) -> Name {
        let text = text.trim().trim_end_matches(|c: char| c.is_ascii_digit()).trim();
        if let Some((family, given)) = text.split_once([',', '，']) {
            let given = given.trim();
            // *King, Jr., Robert*, *King, Robert, Jr.*
            let parts: Vec<&str> = given.split(',').map(str::trim).filter(|part| !is_suffix(part)).collect();
            return Name::new(&parts.join(" "), family);
        }
        if is_collective(text) {
            return Name::new("", text);
        }
        let parts: Vec<&str> = text.split_whitespace().filter(|word| !is_suffix(word)).collect();
        let [before @ .., last] = parts.as_slice() else { return Name::default() };
        if before.is_empty() || is_latin(text) == Some(false) && !text.contains('.') && !is_initials(last) {
            return Name::new("", text);
        }
        // *Berg A*, *LI X*: what is longer than an initial is the family name, in capitals or not.
        let is_long = |word: &&str| word.chars().count() > 1 && !word.contains('.');
        if is_initials(last) && before.iter().any(is_long) {
            let end = before.iter().rposition(is_long).map_or(0, |at| at + 1);
            return Name::new(&parts[end..].join(" "), &parts[..end].join(" "));
        }
        // *M. d. F. Roe*: what stands before initials is one of the given names; and *D. D. Roe* has no *d'*.
        let is_first = |word: &str| is_particle(word) && !(is_initials(word) && word.ends_with('.'));
        let begins = |at: &usize| is_first(parts[*at]) && !parts[at + 1..].iter().any(|word| is_initials(word));
        let from = (1..before.len()).find(begins).unwrap_or(before.len());
        Name::new(&parts[..from].join(" "), &parts[from..].join(" "))
    }

    /// As lists write it: `Berg, Anna`.
    pub fn shown(&self) -> String {
        if self.given.is_empty() { self.family.clone() } else { format!("{}, {}", self.family, self.given) }
    }
}

/// `J.`, `J`, `JK`, `J.K.`, `J.-L.`, `Дж.`
pub fn is_initials(word: &str) -> bool {
    let word = word.trim_end_matches(',');
    let count = word.chars().filter(|c| c.is_alphabetic()).count();
    let short = word.split(['.', '-']).all(|part| part.chars().count() <= 2 || part.chars().all(char::is_uppercase));
    (1..=4).contains(&count)
        && word.starts_with(char::is_uppercase)
        && word.chars().all(|c| c.is_alphabetic() || matches!(c, '.' | '-'))
        && (count == 1
            // *JVdM*.
            || count == 4
                && word.ends_with(char::is_uppercase)
                && word.chars().filter(|c| c.is_uppercase()).count() == 3
            || word.contains('.') && short
            || count <= 3 && word.chars().all(|c| c.is_uppercase() || matches!(c, '.' | '-')))
}

/// Whether a name is written without a space between its parts: in Chinese, Japanese or Korean signs.
pub(super) fn is_unspaced(part: &str) -> bool {
    part.contains(is_east_asian)
}

fn is_east_asian(c: char) -> bool {
    is_cjk(c) || ('\u{ac00}'..='\u{d7a3}').contains(&c)
}

/// Whether a part of a list may be the name of a person, or of a part of one.
pub fn is_person(part: &str) -> bool {
    if is_unspaced(part) {
        let signs = part.chars().filter(|c| !c.is_whitespace()).count();
        return (2..=4).contains(&signs)
            && part.chars().all(|c| is_east_asian(c) || c.is_whitespace())
            && !is_body(part);
    }
    let words: Vec<&str> = part.split([' ', '-']).filter(|word| !word.is_empty()).collect();
    let is_particle = |word: &str| WORDS.has("particle", word);
    let named = |word: &&str| {
        let letters = |word: &str| {
            word.chars().all(|c| c.is_alphabetic() || matches!(c, '.' | '\'' | '’') || is_combining_mark(c))
        };
        letters(word) && (word.starts_with(char::is_uppercase) || is_particle(word))
    };
    // *WHO*, *IEA*: initials have no more than three letters, and a surname stands before them.
    let shouted = matches!(words[..], [word] if word.chars().count() > 1 && word.chars().all(char::is_uppercase));
    !words.is_empty()
        && words.len() <= LONGEST_NAME + 1
        && words.iter().all(named)
        && !shouted
        && (words.len() == 1 || !WORDS.has("opens", &words[0].to_lowercase()))
        && !words.iter().any(|word| !is_particle(word) && is_body(word.to_lowercase().trim_end_matches('.')))
}

/// Whether a text is the name of a body by its last word, with or without an article: *the Tide Mapping Initiative*.
pub(super) fn is_collective(text: &str) -> bool {
    let is_part = |word: &str| word.chars().count() <= 3 || word.starts_with(char::is_uppercase);
    let mut words = text.trim().split(' ');
    let last = words.next_back().unwrap_or_default();
    WORDS.are(&["collective", "closing"], last) && words.clone().count() > 0 && words.all(is_part)
}

/// Whether a word says that a body is named and no person.
fn is_body(word: &str) -> bool {
    WORDS.of("body").iter().any(|form| if form.chars().all(is_cjk) { word.contains(form) } else { *form == word })
}

/// The words of names as they are compared: without initials, marks, and the ways in which letters are written out.
pub fn name_words(name: &str) -> impl Iterator<Item = String> + '_ {
    name.split(|c: char| !c.is_alphabetic() && !is_combining_mark(c) && !matches!(c, '\'' | '’'))
        .filter(|word| word.chars().any(is_cjk) || !is_initials(word))
        .map(folded)
        .filter(|word| word.chars().count() >= 2)
        .filter(|word| !WORDS.has("particle", word))
}

/// Letters in lower case without their marks, in one of the ways in which they are written out.
pub fn folded(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    for c in word.nfd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase) {
        match c {
            'ß' => plain.push_str("ss"),
            'ø' | 'œ' => plain.push('o'),
            'æ' => plain.push('a'),
            'ł' => plain.push('l'),
            'đ' | 'ð' => plain.push('d'),
            'ı' => plain.push('i'),
            '\'' | '’' => {}
            c => plain.push(c),
        }
    }
    // *Müller* is written *Mueller* where there is no *ü*.
    for (pair, one) in [("ae", "a"), ("oe", "o"), ("ue", "u")] {
        plain = plain.replace(pair, one);
    }
    plain
}

/// Whether two folded words are one name, perhaps written over from another script in two ways: with one letter put in, left out or changed.
pub fn is_same_name(a: &str, b: &str) -> bool {
    a == b || a.chars().count() >= 5 && b.chars().count() >= 5 && strsim::levenshtein(a, b) == 1
}
