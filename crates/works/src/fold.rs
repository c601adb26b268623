//! Words as they are compared: without case, marks, markup and the ways in which one word is written.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use cited_text::lexicon::table;

/// Letters, signs and endings that are written in several ways.
const TABLE: &str = include_str!("data/spelling.tsv");
static SIGNS: LazyLock<HashMap<char, &str>> =
    LazyLock::new(|| pairs("sign").into_iter().filter_map(|(sign, name)| Some((sign.chars().next()?, name))).collect());
static ENDINGS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| pairs("ending"));
static WORDS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| pairs("word").into_iter().collect());
/// Words that carry no meaning of their own in a title.
static FUNCTION: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(TABLE, "function").collect());

/// The second and third cells of the rows of a class.
fn pairs(class: &str) -> Vec<(&'static str, &'static str)> {
    let rows = table::cells(TABLE).filter(|cells| cells.first() == Some(&class));
    rows.filter_map(|cells| Some((*cells.get(1)?, *cells.get(2)?))).collect()
}

/// Bytes of a text that are looked at: what is longer is no reference.
pub(super) const LONGEST: usize = 20_000;

/// A word of a text, folded, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub text: String,
    pub start: usize,
    pub end: usize,
}

/// Whether a character joins the parts of one word when it stands between letters.
fn joins(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\'' | '’' | 'ʼ' | '`')
}

/// One character as letters and digits; nothing for what is neither.
fn fold_char(c: char, out: &mut String) {
    if let Some(name) = SIGNS.get(&c) {
        out.push_str(name);
        return;
    }
    for c in std::iter::once(c).nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase) {
        match SIGNS.get(&c) {
            Some(name) => out.push_str(name),
            None if c.is_alphanumeric() => out.push(c),
            None => {}
        }
    }
}

/// The words of a text in the spelling that they have: names have one.
pub(super) fn written_words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut open = false;
    let mut joined = false;
    for (at, c) in text.char_indices().take_while(|(at, _)| *at < LONGEST) {
        let mut folded = String::new();
        if !joins(c) {
            fold_char(c, &mut folded);
        }
        if folded.is_empty() {
            joined = open && joins(c);
            open = open && (joined || is_combining_mark(c));
            continue;
        }
        let apart = matches!(c, '&' | '+');
        match words.last_mut() {
            Some(word) if (open || joined) && !apart => {
                word.text.push_str(&folded);
                word.end = at + c.len_utf8();
            }
            _ => words.push(Word { text: folded, start: at, end: at + c.len_utf8() }),
        }
        (open, joined) = (!apart, false);
    }
    words
}

/// The words of a text. Parts that a hyphen or an apostrophe joins are one word; British and American spellings are one.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut words = written_words(text);
    for Word { text, .. } in &mut words {
        let ending = ENDINGS.iter().find(|(ending, _)| text.len() > ending.len() && text.ends_with(ending));
        if let Some(other) = WORDS.get(text.as_str()) {
            (*other).clone_into(text);
        } else if let Some((ending, other)) = ending {
            text.replace_range(text.len() - ending.len().., other);
        }
    }
    words
}

/// The words of a text, folded.
pub(super) fn texts(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| word.text).collect()
}

/// All letters and digits of a text, folded, without what stands between.
pub(super) fn letters(text: &str) -> String {
    texts(text).concat()
}

/// Whether a folded word has a meaning of its own.
pub(super) fn is_content(word: &str) -> bool {
    !FUNCTION.contains(&word)
}

/// Where `wanted`, folded, begins and ends in `text` at ends of words, the first time.
pub(super) fn find(text: &str, wanted: &str) -> Option<(usize, usize)> {
    let wanted = letters(wanted);
    let words = words(text);
    (!wanted.is_empty()).then_some(())?;
    (0..words.len()).find_map(|first| {
        let mut rest = wanted.as_str();
        for word in &words[first..] {
            rest = rest.strip_prefix(word.text.as_str())?;
            if rest.is_empty() {
                return Some((words[first].start, word.end));
            }
        }
        None
    })
}

/// A text of an index without tags and entities of HTML.
pub(super) fn unmarked(text: &str) -> String {
    let read = text.contains(['<', '&']).then(|| cited_fetch::html::read(text, None, false).main);
    read.as_deref().unwrap_or(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{find, letters, unmarked};

    #[test]
    fn one_word_is_written_in_many_ways() {
        let same = |a: &str, b: &str| assert_eq!(letters(a), letters(b), "{a} / {b}");
        same("Pre-training colour models", "Pretraining color models");
        same("α-Diversity & ℓ₁-regularised", "Alpha-diversity and l1-regularized");
        same("Behaviour of modelled fibres", "behavior of modeled fibers");
        same("Łódź, Ærø, straße", "Lodz, Aero, strasse");
        same("“Smart” Quotes — dashes", "\"smart\" quotes - dashes");
        same("O’Neil’s", "O'Neil's");
        assert_ne!(letters("Hours of four"), letters("Hors of for"));
    }

    #[test]
    fn a_title_is_found_at_ends_of_words() {
        let check = |text: &str, wanted: &str, found: Option<&str>| {
            assert_eq!(find(text, wanted).map(|(start, end)| &text[start..end]), found);
        };
        check("Doe. The Pre-Training of cats. Cats, 2019", "pretraining of Cats", Some("Pre-Training of cats"));
        check("Doe. Scats. Cats, 2019", "cats", Some("Cats"));
        check("Doe. Scats.", "cats", None);
        check("Doe.", "", None);
    }

    #[test]
    fn markup_of_indexes_goes() {
        assert_eq!(unmarked("A <i>b</i> &amp; c&#233; 3 < 4 &x"), "A b & cé 3 < 4 &x");
    }
}
