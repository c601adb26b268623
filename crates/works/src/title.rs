//! Whether two titles are one.

use strsim::{generic_damerau_levenshtein, normalized_damerau_levenshtein, osa_distance};

use super::fold::{is_content, letters, texts, words};
use cited_text::lexicon::Classes;

/// What stands in a title and is no part of it, and titles of what is said about works.
static WORDS: Classes = Classes::new(include_str!("data/titles.tsv"));

/// How two titles stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    /// They are of two works.
    Other,
    /// They may be of one work, with a slip.
    Near,
    /// One is the other without its subtitle, and so short that it names a work as a common title does: *Imagined Communities*.
    Main,
    /// They are one.
    Equal,
}

/// Share of the letters that near titles have in common, at least (Damerau and Levenshtein).
const NEAR: f64 = 0.9;
/// Words that near titles may differ in, of at least so many.
const WORDS_APART: (usize, usize) = (2, 6);
/// Words that are left when a subtitle goes, at least.
const MAIN: usize = 4;
/// A title with fewer words of meaning is given to many works.
const COMMON: usize = 3;

/// A title without what is no part of it: a translation in brackets, what kind of text it is, that it was retracted, its edition.
pub(super) fn bare(title: &str) -> &str {
    let mut title = title.trim();
    loop {
        let before = title;
        title = title.trim_end_matches(['.', ',', ' ', '*']).trim_start();
        for form in WORDS.of("before") {
            let head = title.get(..form.len()).filter(|head| head.eq_ignore_ascii_case(form));
            let rest = head.map(|_| &title[form.len()..]).filter(|rest| rest.starts_with([':', '.', ']', ' ']));
            title = rest.map_or(title, |rest| rest.trim_start_matches([':', '.', ']', ' ']));
        }
        for (open, close) in [('[', ']'), ('(', ')')] {
            let Some(inner) = title.strip_suffix(close) else { continue };
            let Some(at) = inner.rfind(open).filter(|at| *at > 0) else { continue };
            let kind = letters(&inner[at..]);
            if open == '[' || WORDS.of("behind").iter().any(|form| kind.contains(&letters(form))) {
                title = inner[..at].trim_end();
            }
        }
        if title == before {
            return title;
        }
    }
}

/// The words of a title as searches take them: without signs that mean something to an index.
pub(super) fn terms(title: &str) -> String {
    let is_sign = |c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’');
    title.split(is_sign).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Whether a title is that of a text about a work: a notice, a correction, a review.
pub(super) fn is_about(title: &str) -> bool {
    let folded = texts(title);
    WORDS.of("about").iter().any(|form| folded.starts_with(&texts(form)))
}

/// Whether the words of an entry say themselves that the work was retracted, withdrawn or doubted.
pub(super) fn says_fate(words: &str) -> bool {
    let brackets = words.split(['[', '(']).skip(1).filter_map(|rest| rest.split([']', ')', ':']).next());
    let heads = words.split(". ").filter_map(|part| part.split_once(':')).map(|(head, _)| head);
    brackets
        .chain(heads)
        .any(|part| WORDS.of("before").iter().any(|form| form.len() > 8 && letters(part).starts_with(&letters(form))))
}

/// Whether a title is given to so many works that it names none.
pub(super) fn is_common(title: &str) -> bool {
    let title = bare(title);
    let content = words(title).iter().filter(|word| is_content(&word.text)).count();
    let unspaced = title.chars().filter(|c| cited_text::script::is_cjk(*c)).count();
    content < COMMON && unspaced < 2 * COMMON
}

/// The title in front of each of its subtitles.
fn heads(title: &str) -> impl Iterator<Item = &str> {
    let ends = title.match_indices([':', '?', '–', '—', '.', '：', '？']).map(|(at, _)| at).chain(title.find(" - "));
    ends.map(|at| &title[..at])
}

/// The first of them that leaves enough of it.
pub(super) fn main_title(title: &str) -> Option<&str> {
    heads(title).find(|main| words(main).len() >= MAIN)
}

/// How two titles stand to each other.
pub(super) fn compare(one: &str, other: &str) -> Likeness {
    let (one, other) = (bare(one), bare(other));
    let (a, b) = (letters(one), letters(other));
    if a.is_empty() || b.is_empty() {
        return Likeness::Other;
    }
    // Formulas are lost in many records.
    let plain = [one, other].map(|title| title.split('$').step_by(2).collect::<String>());
    let is_plain = letters(&plain[0]) == letters(&plain[1]) && words(&plain[0]).len() >= MAIN;
    let main = heads(one).filter(|head| letters(head) == b).chain(heads(other).filter(|head| letters(head) == a));
    let main = main.map(|head| words(head).len()).max();
    let is_begun = |title: &str, of: &str| {
        let begun = title.trim_end().strip_suffix('…').or_else(|| title.trim_end().strip_suffix("..."));
        begun.is_some_and(|begun| words(begun).len() >= MAIN && of.starts_with(&letters(begun)))
    };
    let few_words_apart = || {
        let [a, b] = [one, other].map(|title| texts(&title.replace(['-', '\u{2010}', '\u{2011}'], " ")));
        a.len().max(b.len()) >= WORDS_APART.1 && generic_damerau_levenshtein(&a, &b) <= WORDS_APART.0
    };
    if a == b || is_plain || main >= Some(MAIN) || is_begun(one, &b) || is_begun(other, &a) {
        Likeness::Equal
    } else if main.is_some() {
        Likeness::Main
    } else if normalized_damerau_levenshtein(&a, &b) >= NEAR || few_words_apart() {
        Likeness::Near
    } else {
        Likeness::Other
    }
}

/// Whether titles differ in one letter of one word only, or in two letters exchanged.
pub(super) fn is_slip(one: &str, other: &str) -> bool {
    osa_distance(&letters(bare(one)), &letters(bare(other))) <= 1
}

#[cfg(test)]
mod tests {
    use super::{Likeness, compare, is_about, is_common, is_slip};

    #[test]
    fn titles_in_pairs() {
        let check = |a: &str, b: &str, like: Likeness| {
            assert_eq!(compare(a, b), like, "{a} / {b}");
            assert_eq!(compare(b, a), like, "{b} / {a}");
        };
        check("Attention Is All You Need", "Attention is all you need.", Likeness::Equal);
        check("The tides of Lindos Bay: a survey of ten years", "The tides of Lindos Bay", Likeness::Equal);
        check("Tides: a survey of ten years", "Tides", Likeness::Main);
        check(
            "Coasts 2021: The Basis of Tides. Report of a Group",
            "Coasts 2021 – The Basis of Tides",
            Likeness::Equal,
        );
        check("Tides and memory of the coast…", "Tides and memory of the coast of Lindos", Likeness::Equal);
        check("Über die Gezeiten [On the tides]", "Über die Gezeiten", Likeness::Equal);
        check("RETRACTED: On the tides of Lindos", "On the tides of Lindos", Likeness::Equal);
        check(
            "Tides with $\\varepsilon$-near shores and gulls",
            "Tides with $$-near shores and gulls",
            Likeness::Equal,
        );
        check("On the tides (Extended Abstract)", "On the tides", Likeness::Equal);
        check("On the tides (of Lindos)", "On the tides", Likeness::Other);
        check(
            "A short survey of winter tides around Lindos",
            "A short survey of summer tides around Lindos",
            Likeness::Near,
        );
        check("End-to-end arguments in network design", "End-to-end arguments in system design", Likeness::Near);
        check("Measuring the tides of Lindso", "Measuring the tides of Lindos", Likeness::Near);
        check("Measuring herring by moonlight", "Counting lichen by starlight", Likeness::Other);
        check("", "", Likeness::Other);
    }

    #[test]
    fn titles_that_name_no_work_and_titles_about_works() {
        assert!(is_common("Introduction") && is_common("Deep learning") && !is_common("Attention is all you need"));
        assert!(!is_common("海岸地衣的季节变化研究"));
        assert!(is_about("Retraction notice to “Tides”") && is_about("Erratum: Tides") && !is_about("Tides of review"));
        assert!(is_slip("Measuring tides", "Measurign tides") && !is_slip("Measuring tides", "Measured tides"));
    }
}
