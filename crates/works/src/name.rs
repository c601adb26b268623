//! Whether two names of authors are of one person.

use std::sync::LazyLock;

use super::fold::{is_content, letters, words, written_words};
use cited_core::citation::reference::{Name, is_initials, is_particle, is_person, is_suffix};
use cited_text::lexicon::table;
use cited_text::script::is_latin;

/// What names are made of: short forms, groups of letters that are written in several ways.
const TABLE: &str = include_str!("data/names.tsv");
/// Given names and their short forms.
static SHORT: LazyLock<Vec<Vec<&str>>> =
    LazyLock::new(|| table::rows(TABLE).filter(|row| row.class == "short").map(|row| row.forms().collect()).collect());
/// Groups of letters, each with the others that are written for it.
static GROUPS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let rows = table::rows(TABLE).filter(|row| row.class == "group");
    rows.flat_map(|row| row.forms().next().into_iter().flat_map(move |one| row.forms().map(move |form| (form, one))))
        .collect()
});

/// A shorter family name is not compared by groups of letters.
const LONG: usize = 5;

/// Whether two names are of one author.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameMatch {
    /// They are.
    Same,
    /// The family names agree and the given names do not.
    OtherGiven,
    /// They are not.
    Other,
    /// They are written in different scripts, or a body signs for persons.
    Unknown,
}

/// The words of the family name, folded, without particles and suffixes.
pub(super) fn family_words(name: &Name) -> Vec<String> {
    let all = parts_of(&name.family);
    let kept: Vec<String> = all.iter().filter(|word| !is_particle(word) && !is_suffix(word)).cloned().collect();
    if kept.is_empty() { all } else { kept }
}

/// Whether the family name stands in a text, or one of several.
pub(super) fn stands_in(text: &str, name: &Name) -> bool {
    let family = family_words(name);
    parts_of(text).chunks(1).any(|word| families_agree(word, &family))
}

/// Whether words are names, though in no way that is read: with commas between them, and of words that may stand in names.
pub(super) fn are_names(text: &str) -> bool {
    let is_part = |word: &str| word.chars().count() <= 3 || is_person(word) || word == word.to_uppercase();
    text.trim_end().trim_end_matches(',').contains(',') && text.split([' ', ',', ';', '(', ')']).all(is_part)
}

/// Whether a text has all of these names in their order, and nothing else that may be a name.
pub(super) fn are_all_in(text: &str, names: &[Name]) -> bool {
    let words = parts_of(text);
    let mut rest = words.iter();
    let all = names.iter().flat_map(family_words).all(|word| rest.any(|own| *own == word));
    let known: Vec<String> = names.iter().flat_map(|name| parts_of(&name.shown())).collect();
    let capitals =
        text.split([' ', '-', '\u{a0}']).filter(|word| word.starts_with(char::is_uppercase) && !is_initials(word));
    all && capitals.flat_map(parts_of).all(|word| known.contains(&word) || is_suffix(&word))
}

/// The given names, one for each; initials that stand together are apart.
fn given_words(name: &Name) -> Vec<String> {
    let mut found = Vec::new();
    for word in name.given.split([' ', '.', '-', '\u{2010}', ',']).filter(|word| !word.is_empty()) {
        if is_particle(&word.to_lowercase()) && word.starts_with(char::is_lowercase) || is_suffix(word) {
            continue;
        }
        // *JVdM*: particles have no initial.
        if is_initials(word) {
            found.extend(word.chars().filter(|c| c.is_uppercase()).map(|c| umlauts(&letters(&c.to_string()))));
        } else {
            found.push(umlauts(&letters(word)));
        }
    }
    found.retain(|word| !word.is_empty());
    found
}

/// The words of a name, folded.
fn parts_of(name: &str) -> Vec<String> {
    let spaced = name.replace(['-', '\u{2010}', '\u{2011}'], " ");
    written_words(&spaced).into_iter().map(|word| word.text).collect()
}

/// A folded word without what writers put for the dots of an umlaut: *Mueller* is *Müller*, and *Muller*.
fn umlauts(word: &str) -> String {
    word.replace("ae", "a").replace("oe", "o").replace("ue", "u")
}

/// Whether two names are of one author.
pub(super) fn compare(a: &Name, b: &Name) -> NameMatch {
    let scripts = |name: &Name| is_latin(&format!("{} {}", name.family, name.given));
    if scripts(a) != scripts(b) {
        return NameMatch::Unknown;
    }
    if is_same_body(a, b) || is_exchanged(a, b) {
        return NameMatch::Same;
    }
    if !families_agree(&family_words(a), &family_words(b)) {
        let is_body = |name: &Name| name.given.is_empty() && name.family.contains(' ');
        let is_apart = is_body(a) && !b.given.is_empty() || is_body(b) && !a.given.is_empty();
        return if is_apart { NameMatch::Unknown } else { NameMatch::Other };
    }
    if given_agree(a, b) { NameMatch::Same } else { NameMatch::OtherGiven }
}

fn families_agree(a: &[String], b: &[String]) -> bool {
    if a.is_empty() || b.is_empty() {
        return false;
    }
    let (one, other) = (a.concat(), b.concat());
    let within = |part: &[String], whole: &[String]| {
        part.iter().all(|word| word.len() > 1 && whole.iter().any(|other| umlauts(other) == umlauts(word)))
    };
    umlauts(&one) == umlauts(&other)
        || within(a, b)
        || within(b, a)
        || one.chars().count() >= LONG && other.chars().count() >= LONG && grouped(&one) == grouped(&other)
}

/// A folded name with one group of letters for all that are written for it.
fn grouped(word: &str) -> String {
    let mut out = String::new();
    let mut rest = word;
    while let Some(c) = rest.chars().next() {
        let own = &rest[..c.len_utf8()];
        let group = GROUPS.iter().filter(|(form, _)| rest.starts_with(form)).max_by_key(|(form, _)| form.len());
        let (form, one) = group.copied().unwrap_or((own, own));
        out.push_str(one);
        rest = &rest[form.len()..];
    }
    let mut last = None;
    out.retain(|c| last.replace(c) != Some(c));
    out
}

fn given_agree(a: &Name, b: &Name) -> bool {
    let (one, other) = (given_words(a), given_words(b));
    if one.is_empty() || other.is_empty() || one.concat() == other.concat() {
        return true;
    }
    let agree = |x: &String, y: &String| {
        x.starts_with(y.as_str())
            || y.starts_with(x.as_str())
            || grouped(x) == grouped(y)
            || SHORT.iter().any(|forms| forms.contains(&x.as_str()) && forms.contains(&y.as_str()))
    };
    let (short, long) = if one.len() <= other.len() { (&one, &other) } else { (&other, &one) };
    // Each of the fewer in the order of the more: *C. Lawrence* is *Lawrence*, *J.* is *Jean-Luc*.
    let mut rest = long.iter();
    short.iter().all(|x| rest.any(|y| agree(x, y)))
}

/// Whether family and given names are exchanged, or parted elsewhere, on one side: *Wang Xiaoming*, *Xiaoming Wang*.
fn is_exchanged(a: &Name, b: &Name) -> bool {
    let all = |name: &Name| -> Vec<String> {
        let initials = given_words(name);
        let own = parts_of(&name.family).into_iter().flat_map(|word| {
            // Initials that were taken for a family name.
            let upper =
                name.family.split(' ').any(|part| part.len() <= 3 && is_initials(part) && letters(part) == word);
            if upper { word.chars().map(String::from).collect() } else { vec![umlauts(&word)] }
        });
        own.chain(initials).filter(|word| !is_particle(word) && !is_suffix(word)).collect()
    };
    let (mut one, mut rest) = (all(a), all(b));
    let all_short = [&one, &rest].into_iter().any(|words| words.iter().all(|word| word.chars().count() == 1));
    one.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let mut whole = 0;
    let mut is_in_both = |word: &String| {
        let same = rest.iter().position(|x| x == word).inspect(|_| whole += usize::from(word.len() > 1));
        let initial = |x: &String| {
            (x.len() == 1 || word.len() == 1) && (x.starts_with(word.as_str()) || word.starts_with(x.as_str()))
        };
        same.or_else(|| rest.iter().position(initial)).map(|at| rest.swap_remove(at)).is_some()
    };
    let are_same = one.iter().all(&mut is_in_both) && rest.is_empty() && one.len() >= 2;
    // A name of initials alone has no more to say.
    let is_short = || [&a.family, &b.family].into_iter().any(|family| is_initials(family)) && all_short;
    are_same && (whole > 0 || is_short())
}

/// Whether a body is named by its name, its acronym or an abbreviation.
fn is_same_body(a: &Name, b: &Name) -> bool {
    if !a.given.is_empty() && !b.given.is_empty() {
        return false;
    }
    let whole = |name: &Name| format!("{} {}", name.given, name.family);
    // *김서연* is *김, 서연*.
    let turned = |name: &Name| letters(&format!("{}{}", name.family, name.given));
    let acronym = |name: &Name| -> String {
        let all = words(&whole(name));
        all.iter().filter(|word| is_content(&word.text)).filter_map(|word| word.text.chars().next()).collect()
    };
    let is_acronym = |short: &Name, long: &Name| {
        let letters = letters(&short.family);
        short.given.is_empty()
            && letters.chars().count() >= 2
            && !short.family.contains(' ')
            && letters == acronym(long)
    };
    letters(&whole(a)) == letters(&whole(b)) || turned(a) == turned(b) || is_acronym(a, b) || is_acronym(b, a)
}

#[cfg(test)]
mod tests {
    use super::{Name, NameMatch, compare};

    #[test]
    fn names_in_pairs() {
        let check = |a: &str, b: &str, alike: NameMatch| {
            assert_eq!(compare(&Name::read(a), &Name::read(b)), alike, "{a} / {b}");
            assert_eq!(compare(&Name::read(b), &Name::read(a)), alike, "{b} / {a}");
        };
        for (a, b) in [
            ("Müller, Jürgen", "J. Mueller"),
            ("Muller J", "Jürgen Müller"),
            ("Dostoevskij, F.", "Fyodor Dostoyevsky"),
            ("Chebyshev, P. L.", "Tschebyscheff, P."),
            ("Wang Xiaoming", "Xiaoming Wang"),
            ("Nguyen, V. A.", "Nguyễn, Văn Anh"),
            ("Berg, J. van der", "Jan van der Berg"),
            ("Jan Van Der Berg", "van der Berg, Jan"),
            ("ONeil, S.", "Sean O’Neil"),
            ("Dupont, J. L.", "Jean-Luc Dupont"),
            ("King, R., Jr.", "Robert King Jr."),
            ("Santos, A. S.", "Silva Santos, Ana"),
            ("WHO", "World Health Organization"),
            ("HONG Y L", "Yu-Lun Hong"),
            ("Zitnick, Lawrence", "C. Lawrence Zitnick"),
            ("Bob Smith", "Robert Smith"),
            ("Wei Zhang 0001", "Wei Zhang"),
            ("Cardoso JVdM", "José Vinícius de Miranda Cardoso"),
            ("A., P. L.", "L. A., Prashanth"),
            ("김서연", "김, 서연"),
        ] {
            check(a, b, NameMatch::Same);
        }
        for (a, b) in
            [("Smith, J.", "Smits, J."), ("Wei Li", "Wei Zhang"), ("Lee, Y.", "Li, Y."), ("WHO", "World Bank")]
        {
            check(a, b, NameMatch::Other);
        }
        check("Smith, John", "Smith, Peter", NameMatch::OtherGiven);
        check("Smith, J.", "Smith, P.", NameMatch::OtherGiven);
        check("李晓明", "Xiaoming Li", NameMatch::Unknown);
        let body = |name: &str| Name::new("", name);
        let (group, other) = (body("The Tide Study Group"), body("The Kelp Group"));
        assert_eq!(compare(&group, &Name::read("Doe, Jane")), NameMatch::Unknown);
        assert_eq!(compare(&group, &other), NameMatch::Other);
    }
}
