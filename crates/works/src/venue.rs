//! Whether two names are of one venue: a journal, a conference, the book that holds a chapter.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::fold::{find, is_content, letters, words};
use cited_core::pattern::Pattern;
use cited_text::lexicon::table;

/// Venues with the names that are not abbreviations of each other, and what stands round the name of a venue.
const TABLE: &str = include_str!("data/venues.tsv");
static ALIASES: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let rows = table::rows(TABLE).filter(|row| row.class == "same");
    rows.map(|row| row.forms().map(letters).collect()).collect()
});
/// The folded names of each class.
static NAMES: LazyLock<HashMap<&str, Vec<String>>> = LazyLock::new(|| {
    let folded = |(class, names): (_, Vec<&str>)| (class, names.into_iter().map(letters).collect());
    table::read(TABLE).into_iter().map(folded).collect()
});

/// Letters that a name must have to be found within another.
const LONG: usize = 20;
/// Words that stand alone in front of a colon, at least.
const MAIN: usize = 3;

/// Whether a venue is a server of preprints or a shelf, of which works say nothing about where they were published.
pub(super) fn is_server(venue: &str) -> bool {
    begins(&letters(venue), "server")
}

fn begins(folded: &str, class: &str) -> bool {
    NAMES[class].iter().any(|name| folded.starts_with(name.as_str()))
}

/// Whether words are of a field that the table knows words of: `medicine` (and biology), `computing`.
pub(super) fn is_of(field: &str, text: &str) -> bool {
    words(text).iter().any(|word| begins(&word.text, field))
}

/// The row of the table that a venue stands in: by one of its names alone, or with a longer one within.
pub(super) fn alias_of(venue: &str) -> Option<usize> {
    let (kept, all) = (keep_words(venue), letters(venue));
    let whole: String = kept.iter().map(|(folded, _)| folded.as_str()).collect();
    let exact = ALIASES.iter().position(|names| names.contains(&whole) || names.contains(&all));
    // *2021 IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)*
    let by_acronym = || {
        let mut shouted = kept.iter().filter(|(_, written)| is_shouted(written)).map(|(folded, _)| folded);
        shouted.find_map(|word| ALIASES.iter().position(|names| names.iter().any(|name| name == word)))
    };
    let within = || {
        let found = ALIASES.iter().enumerate().filter_map(|(row, names)| {
            let longest =
                names.iter().filter(|name| name.len() >= LONG && all.contains(name.as_str())).map(String::len).max()?;
            Some((longest, row))
        });
        found.max().map(|(_, row)| row)
    };
    exact.or_else(within).or_else(by_acronym)
}

/// Whether two venues are one; `None` when that cannot be told, because one is a server or a series.
pub(super) fn agree(one: &str, other: &str) -> Option<bool> {
    let is_silent = |folded: String| folded.is_empty() || begins(&folded, "server") || begins(&folded, "series");
    if [one, other].map(letters).into_iter().any(is_silent) {
        return None;
    }
    if parted(one) != parted(other) {
        return Some(false);
    }
    if let (Some(a), Some(b)) = (alias_of(one), alias_of(other)) {
        return Some(a == b);
    }
    let whole = |words: &Kept| words.iter().map(|(folded, _)| folded.as_str()).collect::<String>();
    let same = |a: &Kept, b: &Kept| whole(a) == whole(b) || abbreviates(a, b) || abbreviates(b, a);
    let (one, other) = (forms(one), forms(other));
    Some(one.iter().any(|a| other.iter().any(|b| same(a, b))))
}

/// The words of a venue, folded and as written.
type Kept = Vec<(String, String)>;

/// A venue as it may be named: whole, without what stands in brackets or behind a colon, by an acronym in brackets or one of several with strokes
/// between; and with the parts of a long word as one, which *Z. Gesch.wiss.* shortens.
fn forms(venue: &str) -> Vec<Kept> {
    static PARTED: Pattern = Pattern::new(r"\.(\p{Ll})");
    let mut found = vec![keep_words(venue), keep_words(&PARTED.replace_all(venue, "$1"))];
    if let Some((before, inner)) = venue.split_once('(') {
        let (before, inner) = (keep_words(before), keep_words(inner));
        let is_acronym = (0..before.len().max(2) - 1).any(|from| abbreviates(&inner, &before[from..]));
        found.extend(is_acronym.then_some(inner));
        found.push(before);
    }
    found.extend(venue.split('/').filter(|_| venue.split('/').all(is_shouted)).map(keep_words));
    let head = [":", "–", "—", " - "].iter().filter_map(|sign| venue.find(sign)).min().map(|at| &venue[..at]);
    // What is long enough is the beginning of no other name.
    let is_own = |words: &Kept| words.len() >= MAIN || words.iter().any(|(word, _)| word.len() >= LONG);
    found.extend(head.map(keep_words).filter(is_own));
    found
}

/// Words that make another venue of one: *workshop*, *companion*, *findings*.
fn parted(venue: &str) -> Vec<&'static str> {
    let all = letters(venue);
    NAMES["apart"].iter().filter(|word| all.contains(word.as_str())).map(String::as_str).collect()
}

/// The words of a venue, folded and as written, without those that stand round a name: *Proceedings of the*, *37th*, years, articles.
fn keep_words(venue: &str) -> Kept {
    let all = words(venue).into_iter().map(|word| {
        let written = &venue[word.start..word.end];
        let bare = written.split_once(['\'', '’']).filter(|(head, _)| NAMES["elided"].contains(&letters(head)));
        bare.map_or_else(|| (word.text, written.to_owned()), |(_, bare)| (letters(bare), bare.to_owned()))
    });
    let all: Kept = all.collect();
    let plain = |(text, _): &&(String, String)| {
        is_content(text)
            && !NAMES["around"].contains(text)
            && !(text.starts_with(|c: char| c.is_ascii_digit()) && (text.len() <= 4 || text.ends_with("th")))
    };
    let kept: Kept = all.iter().filter(plain).cloned().collect();
    if kept.is_empty() { all } else { kept }
}

/// Whether `short` abbreviates `long`, word by word (ISO 4): by the beginnings of words, by contractions, by their initials.
fn abbreviates(short: &[(String, String)], long: &[(String, String)]) -> bool {
    let Some(((folded, written), rest)) = short.split_first() else {
        return long.is_empty();
    };
    let Some((word, _)) = long.first() else {
        // A place behind the name: *Fish. Bull. U.S.*
        return short.len() <= 3 && short.iter().all(|(folded, _)| folded.chars().count() == 1);
    };
    // *Natl* of *national*: the first letter and others in their order.
    let mut letters_left = word.chars();
    let is_contraction = folded.chars().count() >= 3
        && folded.len() < word.len()
        && folded.chars().next() == word.chars().next()
        && folded.chars().all(|c| letters_left.any(|other| other == c));
    if (word.starts_with(folded.as_str()) || is_contraction) && abbreviates(rest, &long[1..]) {
        return true;
    }
    let is_initials = |acronym: &str| {
        let many = acronym.chars().count();
        let initials = long.iter().take(many).filter_map(|(word, _)| word.chars().next());
        many >= 2 && initials.eq(acronym.chars()) && abbreviates(rest, &long[many..])
    };
    // *KZfSS*: a small letter may be that of a word without a meaning of its own.
    let capitals = letters(&written.replace(char::is_lowercase, ""));
    capitals.len() >= 2 && (is_initials(folded) || capitals.len() + 1 == folded.len() && is_initials(&capitals))
}

/// Whether a name is an acronym: one word with three capitals.
fn is_shouted(name: &str) -> bool {
    !name.trim().contains(' ') && name.chars().filter(|c| c.is_uppercase()).count() >= 3
}

/// The name of a venue as its table writes it, whose words stand in `text` although no layout says that they are one.
pub(super) fn stands_in(text: &str, venue: &str) -> bool {
    let (all, long) = (words(text), letters(text));
    let has = |name: &String| {
        if name.len() >= LONG { long.contains(name.as_str()) } else { all.iter().any(|word| word.text == *name) }
    };
    find(text, venue).is_some() || alias_of(venue).is_some_and(|row| ALIASES[row].iter().any(has))
}

#[cfg(test)]
mod tests {
    use super::{agree, stands_in};

    #[test]
    fn venues_in_pairs() {
        let check = |a: &str, b: &str, same: Option<bool>| {
            assert_eq!((agree(a, b), agree(b, a)), (same, same), "{a} / {b}");
        };
        check("The Lancet", "Lancet", Some(true));
        check("Proc. Natl. Acad. Sci. U.S.A.", "Proceedings of the National Academy of Sciences", Some(true));
        check("Fish. Bull. U.S.", "Fishery Bulletin", Some(true));
        check("Nat. Commun.", "Nature Communications", Some(true));
        check("PRL", "Physical Review Letters", Some(true));
        check("IEEE TPAMI", "IEEE Transactions on Pattern Analysis and Machine Intelligence", Some(true));
        check("NIPS", "Advances in Neural Information Processing Systems 34", Some(true));
        check("CVPR", "2021 IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)", Some(true));
        check("ICML", "International Conference on Machine Learning", Some(true));
        check("Mach. Learn.", "International Conference on Machine Learning", Some(false));
        check("Mach. Learn.", "Machine Learning", Some(true));
        check("ICML", "Workshop on Small Machines at ICML", Some(false));
        check("CHI Extended Abstracts", "CHI", Some(false));
        check("ICLR", "ICML", Some(false));
        check("Computer Aided Verification (CAV 2011)", "CAV", Some(true));
        check("Computer Aided Verification (CAV'11)", "Computer Aided Verification", Some(true));
        check("Bundesgesundheitsblatt", "Bundesgesundheitsblatt - Gesundheitsforschung", Some(true));
        check("Coast", "Coast - Annals of Quiet Fields", Some(false));
        check("AcP", "Archiv für die civilistische Praxis", Some(true));
        // Articles before an apostrophe, parts of a long word, small letters of an acronym, small words of other languages.
        check("Rev. Epid. Sante Publique", "Revue d’Épidémie et de Santé Publique", Some(true));
        check("Encephale", "L'Encéphale", Some(true));
        check("Rev. Lindos", "Revue d'Harrow", Some(false));
        check("Köln. Z. Küst.wiss.", "Kölner Zeitschrift für Küstenwissenschaft", Some(true));
        check("KZfKG", "Kölner Zeitschrift für Küste und Gezeiten", Some(true));
        check("KZfK", "Kölner Zeitschrift für Gezeiten", Some(false));
        check("Tijdschr. Kust.", "Tijdschrift voor Kustgeschiedenis", Some(true));
        // One of several names with strokes between, and an acronym of the end of a name.
        check("Actes de la 15e conférence sur les Marées Anciennes du Nord (MAN 2008)", "JEP/MAN/RECITAL", Some(true));
        check("Tides A/B", "B", Some(false));
        // A series of working papers says nothing of where a work was published.
        check("Coastal Records", "NBER Working Paper Series", None);
        check("Coastal Records", "Social Science Research Network", None);
        check("Coastal Records (ACM)", "Annals of Fields (ACM)", Some(false));
        check("Journal of Coastal Records", "Annals of Quiet Fields", Some(false));
        check("Nature Communications", "Nature", Some(false));
        check("ICLR", "arXiv (Cornell University)", None);
        check("ECCV", "Lecture Notes in Computer Science", None);
        assert!(stands_in("Doe. Cats. In NeurIPS, 2019", "Advances in Neural Information Processing Systems"));
        assert!(!stands_in("Doe. Cats. In ICLR, 2019", "Advances in Neural Information Processing Systems"));
    }
}
