//! Names that stand where another text has another name: *Meta owns 14 cables* beside *Google owns 14 cables*.

use cited_text::words::{RARE, Word, rarity, words};

/// A name of a text, and what stands beside it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Name {
    /// Keys of its words.
    words: Vec<u64>,
    /// Its words in small letters.
    spelled: Vec<String>,
    /// Keys of the words right before and behind it in its sentence, function words passed over.
    before: Option<u64>,
    behind: Option<u64>,
}

/// From this part of its words on, capitals say nothing: titles, and languages that write all nouns so.
const MOST_CAPITALS: f64 = 0.5;

/// How rare a word is at least that may be a name where every word has a capital: names of firms are as frequent as words.
const NAMES: f32 = 6.75;

/// The names of a text: words with capitals that stand together. At the start of a sentence a word that is frequent in lower case is none.
pub(super) fn names_of(text: &str) -> Vec<Name> {
    let all: Vec<Word> = words(text).filter(|word| !word.stop || is_short_name(*word, text)).collect();
    let content = all.iter().filter(|word| !word.number).count();
    let is_capital = |word: &Word| word.span.slice(text).starts_with(char::is_uppercase) && !word.number;
    let begins = |i: usize| {
        let from = i.checked_sub(1).map_or(0, |before| all[before].span.end);
        let first = i == 0 || ends_sentence(text, from, all[i].span.start);
        // Behind a function word, *The Danube*, a capital is the word's own.
        first
            && !text[from..all[i].span.start]
                .rsplit(is_stop)
                .next()
                .is_some_and(|gap| gap.contains(char::is_alphanumeric))
    };
    let is_name = |i: usize| {
        let word = &all[i];
        let inside = word.span.slice(text).chars().skip(1).any(char::is_uppercase);
        let shown = word.span.slice(text);
        // *Researchers* are many; a name stands alone, right before what is said of it.
        let rare = rarity(word.key) >= RARE
            || rarity(word.key) >= NAMES && !shown.ends_with('s') && word.span.after(text).starts_with(' ');
        is_capital(word) && (inside || !begins(i) || rare)
    };
    let capitals = all.iter().filter(|word| is_capital(word)).count();
    if capitals as f64 > MOST_CAPITALS * content as f64 {
        return Vec::new();
    }
    let mut names: Vec<Name> = Vec::new();
    let mut i = 0;
    while i < all.len() {
        let mut end = i + 1;
        while end < all.len() && is_capital(&all[end]) && is_joined(text, all[end - 1].span.end, all[end].span.start) {
            end += 1;
        }
        // *Global Wind* at the start of a sentence is a name whatever its first word is.
        let is = is_name(i) || end > i + 1 && is_capital(&all[i]);
        if !is {
            i += 1;
            continue;
        }
        let beside = |at: Option<usize>, from: usize, to: usize| {
            let word = all.get(at?)?;
            (!ends_sentence(text, from.min(to), to.max(from))).then_some(word.key)
        };
        let previous = i.checked_sub(1);
        let before = beside(previous, previous.map_or(0, |at| all[at].span.end), all[i].span.start);
        let behind = beside(Some(end), all[end - 1].span.end, all.get(end).map_or(text.len(), |word| word.span.start));
        names.push(Name {
            words: all[i..end].iter().map(|word| word.key).collect(),
            spelled: all[i..end].iter().map(|word| word.span.slice(text).to_lowercase()).collect(),
            before,
            behind,
        });
        i = end;
    }
    names
}

/// Whether a text has a name where the other one has another: of neither the other text has a word, and beside both stands the
/// same. `known` and `said` tell whether a word is one of the other text, and of this one.
pub(super) fn stands_for_another(
    own: &[Name],
    others: &[Name],
    known: impl Fn(u64) -> bool,
    said: impl Fn(u64) -> bool,
) -> bool {
    let strange = own.iter().filter(|name| !name.words.iter().any(|word| known(*word)));
    let strangers: Vec<&Name> = others.iter().filter(|name| !name.words.iter().any(|word| said(*word))).collect();
    strange.into_iter().any(|name| strangers.iter().any(|other| name.stands_for(other)))
}

impl Name {
    /// Keys of its words.
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    fn stands_for(&self, other: &Name) -> bool {
        let behind = self.behind.is_some() && self.behind == other.behind;
        let before = self.before.is_some() && self.before == other.before;
        (behind || before) && !self.is_akin(other)
    }

    /// Whether two names may be of the same: an abbreviation and what it stands for, *Portugal* and *Portuguese*.
    fn is_akin(&self, other: &Name) -> bool {
        const COMMON: usize = 4;
        let short = |one: &Name, long: &Name| {
            let letters: String = one.spelled.concat();
            let initials: String = long.spelled.iter().filter_map(|word| word.chars().next()).collect();
            one.spelled.len() == 1
                && long.spelled.len() > 1
                && (letters.starts_with(&initials) || initials.starts_with(&letters))
        };
        let alike =
            |one: &str, two: &str| one.chars().zip(two.chars()).take(COMMON).filter(|(a, b)| a == b).count() == COMMON;
        short(self, other)
            || short(other, self)
            || self.spelled.iter().any(|one| other.spelled.iter().any(|two| alike(one, two)))
    }
}

/// *US* and *IT* are names where they are written so, and words else.
fn is_short_name(word: Word, text: &str) -> bool {
    word.span.len() > 1 && word.span.slice(text).chars().all(char::is_uppercase) && text.contains(char::is_lowercase)
}

/// Whether a sentence ends between two words.
fn ends_sentence(text: &str, from: usize, to: usize) -> bool {
    let between = text.get(from..to).unwrap_or_default();
    between.contains(['!', '?', ';', '\n', '。']) || between.contains(". ") || between.contains(": ")
}

fn is_stop(sign: char) -> bool {
    matches!(sign, '.' | '!' | '?' | ';' | ':' | '\n' | '。')
}

/// Whether two words with capitals are one name: *United States*, *Coca-Cola*.
fn is_joined(text: &str, from: usize, to: usize) -> bool {
    matches!(text.get(from..to), Some(" " | "-" | " & " | "&" | ". "))
}

#[cfg(test)]
mod tests {
    use super::{names_of, stands_for_another};
    use cited_text::words::words;

    #[track_caller]
    fn check(claim: &str, note: &str, expected: bool) {
        let keys = |text: &str| words(text).map(|word| word.key).collect::<Vec<_>>();
        let (own, others) = (keys(claim), keys(note));
        let found = stands_for_another(
            &names_of(claim),
            &names_of(note),
            |word| others.contains(&word),
            |word| own.contains(&word),
        );
        assert_eq!(found, expected, "{claim} / {note}");
    }

    #[test]
    fn another_name_in_the_same_place() {
        check("Meta owns 14 cables.", "Google owns 14 cables.", true);
        check("Lisbon opened 9 museums in 2019.", "Porto opened 9 museums in 2019.", true);
        check("The Danube carries 40 barges a day.", "The Rhine carries 40 barges a day.", true);
        check("It opened 9 museums in Lisbon in 2019.", "It opened 9 museums in Porto in 2019.", true);
        check("The World Bank lent $4 billion.", "The Monetary Fund lent $4 billion.", true);
    }

    #[test]
    fn the_same_name_or_none() {
        for (claim, note) in [
            ("Meta owns 14 cables.", "Google owns 12 cables, Meta owns 14 cables."),
            ("Meta owns 14 cables.", "The company owns 14 cables."),
            ("GWEC counts 14 farms.", "The Global Wind Energy Council counts 14 farms."),
            ("The United States counts 14 farms.", "The US counts 14 farms."),
            ("President Biden signed 14 acts.", "Joe Biden signed 14 acts."),
            ("Portuguese towns opened 9 museums.", "Portugal towns opened 9 museums."),
            ("Researchers found 9 museums.", "Scientists found 9 museums."),
            ("In Porto, 9 museums opened.", "Lisbon has 7 theatres."),
            ("Die Brücke hat 14 Bögen.", "Das Viadukt hat 14 Bögen."),
        ] {
            check(claim, note, false);
        }
    }
}
