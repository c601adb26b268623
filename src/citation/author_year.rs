//! Citations by author and year, in the style of APA and Harvard: *(Smith & Doe, 2020; Roe et al., 2021)*, *Smith (2020)*.
//!
//! They mean entries of a list without labels. A list with labels is cited by these, and names with years are words there, unless
//! nothing else cites it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::label::Label;
use super::locator;
use super::source_list::{EntryId, SourceList};
use crate::lexicon::table;

/// Bytes that a citation in parentheses may have.
pub(crate) const LONGEST: usize = 240;
/// Bytes of an entry that are read for its authors and year.
const LONGEST_AUTHORS: usize = 400;
/// Words before a year in parentheses that may name its authors.
const MOST_WORDS: usize = 8;

/// A year as it is cited, with the letter that tells works of one year apart.
const YEAR: &str = r"(?:(?:1[6-9]|20)\d\d[a-z]?|n\.d\.)";

static ENTRY_YEAR: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"\((?:[^()]{{0,24}}?\b)??({YEAR})[^()]{{0,24}}\)|\b({YEAR})\b")).expect("a fixed pattern")
});
/// One citation of a parenthesis: who, one or more years, and what stands behind them.
static ONE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(
        r"^(?P<who>[\p{{Lu}}\p{{Han}}][^()\d]{{1,80}}?),?\s+(?P<years>{YEAR}(?:,\s*(?:{YEAR}|[a-h]\b))*)(?P<tail>.*)$"
    ))
    .expect("a fixed pattern")
});
static ONLY_YEARS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"^(?P<years>{YEAR}(?:,\s*(?:{YEAR}|[a-h]\b))*)(?P<tail>.*)$")).expect("a fixed pattern")
});
/// A page without a word that says so: *Brown 2019, 33*.
static PAGE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[,:] ?\d{1,4}(?: ?[-–] ?\d{1,4})?$").expect("a fixed pattern"));
/// Words that say what a work is cited for: *see Brown, 2019, for a review*.
static REMARK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^, \p{Ll}+(?: \p{Ll}[\p{Ll}-]*){0,5}$").expect("a fixed pattern"));
/// What joins or follows names that are written without spaces.
static CLOSE_JOINTS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| table::words(include_str!("data/locators.tsv"), "close_joint").collect());
/// What joins the names of authors.
static JOINTS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| table::words(include_str!("data/locators.tsv"), "joint").collect());

/// The inside of what `text` opens, with ASCII signs, and where it closes: *(Smith, 2020)*, *（李四，2021）*, *[IEA, 2024]*. A name in
/// brackets may stand in it: *(International Energy Agency \[IEA\], 2024)*.
pub(crate) fn inside(text: &str) -> Option<(Cow<'_, str>, usize)> {
    let open = text.chars().next()?;
    let (close, others): (char, &[char]) = match open {
        '(' => (')', &['(', '（']),
        '（' => ('）', &['(', '（']),
        '[' => (']', &['[', '(', '（']),
        _ => return None,
    };
    let start = open.len_utf8();
    let end = start + text[start..].find(close)?;
    let inner = &text[start..end];
    let after = end + close.len_utf8();
    let is_link = open == '[' && text[after..].starts_with(['(', '[', ':']);
    // Names in brackets are words; numbers are citations.
    let names_only = !inner.contains('[') || ABBREVIATED.is_match(inner);
    if is_link || inner.contains(others) || !names_only {
        return None;
    }
    let inner = if inner.contains(['，', '；', '：', '\u{3000}']) {
        Cow::Owned(inner.replace('，', ", ").replace('；', "; ").replace('：', ": ").replace('\u{3000}', " "))
    } else {
        Cow::Borrowed(inner)
    };
    Some((inner, after))
}

/// One short name in brackets: *… \[IEA\], 2024*.
static ABBREVIATED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[^\[\]]*\[(\p{Lu}[\p{L} &.-]{1,11})\][^\[\]]*$").expect("a fixed pattern"));

/// A reference by its beginning: authors, the year in parentheses, a stop, and the title.
static REFERENCE: LazyLock<Regex> = LazyLock::new(|| {
    let year = format!(r"{YEAR}(?:, ?\p{{L}}[^()（）]{{0,20}})?");
    Regex::new(&format!(
        r"^(?:\p{{Lu}}[^()（）]{{1,200}}[.,] \({year}\)\. ?\p{{L}}|\p{{Han}}[^()（）\s]{{1,60}}[(（]{year}[)）][.。] ?\p{{L}})"
    ))
    .expect("a fixed pattern")
});

/// Whether a line begins as a reference to a work does: *Lee, C., & Park, S. (2019). Naps*, *李四（2021）。太阳*.
pub(crate) fn is_reference(line: &str) -> bool {
    REFERENCE.is_match(&line[..line.floor_char_boundary(LONGEST_AUTHORS)])
}

/// Whether the inside of a parenthesis is a citation by author and year, whatever works there are: *Gray et al., 2021*.
pub(crate) fn is_one(inner: &str) -> bool {
    inner.split(';').all(|one| {
        let one = locator::behind_a_lead(one.trim());
        ONE.captures(one).is_some_and(|parts| {
            let parted = one[parts["who"].len()..].starts_with(',') || parts["who"].contains("et al");
            parted && says_where(&parts["tail"])
        })
    })
}

/// A work of a list, by the words of its authors.
struct Work {
    entry: EntryId,
    /// The first author: the surname, or all that an organisation is called.
    first: Vec<String>,
    /// The words of all authors.
    all: Vec<String>,
}

impl Work {
    /// Whether `before`, written without spaces, ends with the names of its authors: *学者王伟*, *李明等人*, *李明和张三*.
    fn ends(&self, before: &str) -> bool {
        let [first] = self.first.as_slice() else { return false };
        let joint = |text: &'_ str| CLOSE_JOINTS.iter().find_map(|joint| Some(text.strip_suffix(joint)?.len()));
        let is_first = |text: &str| first.chars().count() > 1 && text.ends_with(first.as_str());
        let behind = joint(before).is_some_and(|end| is_first(&before[..end]));
        let with = |other: &String| {
            let end = before.strip_suffix(other.as_str()).and_then(joint);
            end.is_some_and(|end| is_first(&before[..end]))
        };
        is_first(before) || behind || self.all.iter().any(with)
    }
}

/// Whether a sign is of a writing without spaces between words.
fn is_close(sign: char) -> bool {
    matches!(sign, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// The years of a citation: *2020a, b* are two works of one year.
fn years_of(years: &str) -> impl Iterator<Item = String> + '_ {
    let mut last = String::new();
    years.split(',').map(str::trim).map(move |year| {
        last = match (year.len(), last.get(..4)) {
            (1, Some(stem)) => format!("{stem}{year}"),
            _ => year.to_lowercase(),
        };
        last.clone()
    })
}

/// The works of a document's lists that are cited by author and year.
#[derive(Default)]
pub(crate) struct Works(HashMap<String, Vec<Work>>);

impl Works {
    /// The works of the lists that have no labels.
    pub(crate) fn of(lists: &[SourceList]) -> Self {
        Self::read(lists, |list| list.entries.iter().all(|entry| entry.label.is_none()))
    }

    /// The works of all lists: that one is numbered says nothing where no number cites.
    pub(crate) fn of_all(lists: &[SourceList]) -> Self {
        Self::read(lists, |_| true)
    }

    fn read(lists: &[SourceList], is_cited_so: impl Fn(&SourceList) -> bool) -> Self {
        let mut works: HashMap<String, Vec<Work>> = HashMap::new();
        for (l, list) in lists.iter().enumerate().filter(|(_, list)| is_cited_so(list)) {
            for (e, entry) in list.entries.iter().enumerate() {
                let Some((first, all, year)) = authors_and_year(&entry.title) else { continue };
                let entry = EntryId { list: l as u32, entry: e as u32 };
                works.entry(year).or_default().push(Work { entry, first, all });
            }
        }
        Works(works)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The works that the inside of a parenthesis cites, and those of its citations that no list has. None where it cites nothing.
    pub(crate) fn cited(&self, inner: &str) -> Option<(Vec<EntryId>, Vec<Label>)> {
        let inner = inner.replace(['*', '_'], "").replace('\n', " ");
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for one in inner.split(';').map(str::trim) {
            let parts = ONE.captures(locator::behind_a_lead(one)).filter(|parts| says_where(&parts["tail"]))?;
            let (who, years) = (&parts["who"], &parts["years"]);
            for year in years_of(years) {
                let works = self.by(who, &year);
                if works.is_empty() {
                    missing.extend(Label::of(&format!("{who}, {year}")));
                }
                found.extend(works);
            }
        }
        (!found.is_empty()).then_some((found, missing))
    }

    /// The works of the author whose name ends `before`, by the inside of the parenthesis behind it: *Smith et al. (2020)*.
    pub(crate) fn cited_behind(&self, before: &str, inner: &str) -> Option<Vec<EntryId>> {
        let parts = ONLY_YEARS.captures(inner.trim()).filter(|parts| says_where(&parts["tail"]))?;
        let years = years_of(&parts["years"]);
        let candidates: Vec<&Work> = years.filter_map(|year| self.0.get(&year)).flatten().collect();
        if candidates.is_empty() {
            return None;
        }
        let before = before.replace(['*', '_'], "");
        if before.trim_end().ends_with(is_close) {
            let named = candidates.into_iter().filter(|work| work.ends(before.trim_end()));
            let found: Vec<EntryId> = named.map(|work| work.entry).collect();
            return (!found.is_empty()).then_some(found);
        }
        let mut words: Vec<String> = before.split_whitespace().rev().take(MOST_WORDS).map(folded).collect();
        words.reverse();
        let tail = words.join(" ");
        let named = |work: &&&Work| {
            let first = work.first.join(" ");
            let alone = tail == first || tail.ends_with(&format!(" {first}"));
            let with = |joint: &str| {
                tail.rfind(&format!("{first} {joint}")).is_some_and(|at| {
                    (at == 0 || tail[..at].ends_with(' '))
                        && tail[at + first.len() + 1 + joint.len()..]
                            .split(' ')
                            .all(|word| word.is_empty() || work.all.iter().any(|name| name == word))
                })
            };
            alone || JOINTS.iter().any(|joint| with(joint))
        };
        let found: Vec<EntryId> = candidates.iter().filter(named).map(|work| work.entry).collect();
        (!found.is_empty()).then_some(found)
    }

    /// The works of a year that `who` wrote, as a citation names them.
    fn by(&self, who: &str, year: &str) -> Vec<EntryId> {
        // *International Energy Agency [IEA]* has two names.
        if let Some((name, short)) = who.split_once('[').and_then(|(name, rest)| Some((name, rest.split_once(']')?.0)))
        {
            let found = self.by(name.trim(), year);
            return if found.is_empty() { self.by(short, year) } else { found };
        }
        let Some(works) = self.0.get(year) else { return Vec::new() };
        let found = Self::among(works, who);
        if found.is_empty() && who.contains(is_close) {
            // *李明等*, *李明和张三*
            return Self::among(
                works,
                &CLOSE_JOINTS.iter().fold(who.to_owned(), |who, joint| who.replace(joint, ", ")),
            );
        }
        found
    }

    fn among(works: &[Work], who: &str) -> Vec<EntryId> {
        let mut names = authors_of(who);
        let first: Vec<String> = names.next().unwrap_or_default().split_whitespace().map(folded).collect();
        let others: Vec<String> = names
            .flat_map(str::split_whitespace)
            .map(folded)
            .filter(|word| word.chars().count() > 1 && word != "al")
            .collect();
        let is = |work: &&Work| {
            let same =
                work.first == first || work.first.last() == first.last() && first.len() <= 2 && work.first.len() == 1;
            same && others.iter().all(|name| work.all.contains(name))
        };
        works.iter().filter(is).map(|work| work.entry).collect()
    }
}

/// Whether nothing stands behind a year, or what says where in the work to look or what for.
fn says_where(tail: &str) -> bool {
    let tail = tail.trim_end();
    tail.is_empty() || locator::is_tail(tail) || PAGE.is_match(tail) || REMARK.is_match(tail)
}

/// The authors that a text joins: *Smith, Doe & Roe*, *Smith and Doe*.
fn authors_of(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let signs = text.find([',', ';']).map(|at| (at, at + 1));
        let joints = JOINTS.iter().filter_map(|joint| {
            let at = text.find(&format!(" {joint} "))?;
            Some((at, at + joint.len() + 2))
        });
        let Some((end, next)) = joints.chain(signs).min() else {
            rest = None;
            return Some(text);
        };
        rest = Some(&text[next..]);
        Some(&text[..end])
    })
}

/// A word in small letters without the signs round it.
fn folded(word: &str) -> String {
    let inner = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '&');
    let inner = inner.strip_suffix("'s").or_else(|| inner.strip_suffix("’s")).unwrap_or(inner);
    inner.to_lowercase()
}

/// The first author, the words of all, and the year of an entry: *Smith, J., & Doe, A. (2020). …*.
fn authors_and_year(title: &str) -> Option<(Vec<String>, Vec<String>, String)> {
    let title = &title[..title.floor_char_boundary(LONGEST_AUTHORS)];
    let parts = ENTRY_YEAR.captures(title)?;
    let year = parts.get(1).or_else(|| parts.get(2))?;
    let authors = title[..parts.get(0)?.start()].trim();
    let name = |word: &&str| {
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        // Initials: *J.*, *A.B.*, and *JA* of Vancouver.
        letters > 1
            && !(word.len() <= 3
                && word.chars().all(|c| c.is_uppercase() || !c.is_alphabetic())
                && authors.contains(','))
    };
    let segment = authors
        .split([',', '&', ';', '(', '，', '、', '；', '（'])
        .next()?
        .split(" and ")
        .next()?
        .trim_end_matches('.');
    let mut first: Vec<String> = segment.split_whitespace().filter(name).map(folded).collect();
    let is_person = authors[segment.len()..].trim_start_matches('.').trim_start().starts_with([',', '&']);
    if !is_person && first.len() == 2 && !authors.contains(". ") && authors.split_whitespace().count() == 2 {
        // *John Smith (2020)*: a name in its natural order, unless it is an organisation of two words, which is found whole.
        first = segment.split_whitespace().map(folded).collect();
    }
    let all: Vec<String> = authors
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | '，' | '、' | '；'))
        .filter(name)
        .map(folded)
        .filter(|word| !word.is_empty())
        .collect();
    (!first.is_empty() && authors.len() < 300).then(|| (first, all, year.as_str().to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::authors_and_year;
    use crate::citation::{self, KnownLabels, Target};
    use crate::markdown::Document;

    const LIST: &str = "\n\n## References\n\nSmith, J. (2020). Alpha. https://a.example/1\n\nDoe, A., & Roe, B. (2021a). Beta. https://a.example/2\n\n\
        Doe, A. (2021b). Gamma. https://a.example/3\n\nWorld Bank. (2023). Delta. https://a.example/4\n\nÖzil M, Ray T. Epsilon. J Widgets. 2019;12:1. https://a.example/5\n\n\
        王伟. (2020). 风. https://a.example/6\n\n李四（2021）。太阳。https://a.example/7\n\n李明、张三. 2022. 月亮. https://a.example/8\n";

    #[track_caller]
    fn check(prose: &str, expected: &[(&str, &[u32])]) {
        let document = Document::read(format!("{prose}{LIST}"));
        let citations = citation::read(&document, &KnownLabels::default());
        let found: Vec<(&str, Vec<u32>)> = citations
            .markers
            .iter()
            .map(|marker| {
                let entries = marker.targets.iter().filter_map(|target| match target {
                    Target::Entry(id) => Some(id.entry + 1),
                    _ => None,
                });
                (marker.span.of(document.text()), entries.collect())
            })
            .collect();
        let found: Vec<(&str, &[u32])> = found.iter().map(|(text, ids)| (*text, ids.as_slice())).collect();
        assert_eq!(found, expected, "of {prose:?}");
    }

    #[test]
    fn authors_and_years_cite_a_list_without_labels() {
        check("A (Smith, 2020).", &[("(Smith, 2020)", &[1])]);
        check("A (Smith 2020, p. 4).", &[("(Smith 2020, p. 4)", &[1])]);
        check("A (Doe & Roe, 2021a; Smith, 2020).", &[("(Doe & Roe, 2021a; Smith, 2020)", &[2, 1])]);
        check("A (see Doe et al., 2021a).", &[("(see Doe et al., 2021a)", &[2])]);
        check("A (Doe, 2021b).", &[("(Doe, 2021b)", &[3])]);
        check("A (World Bank, 2023).", &[("(World Bank, 2023)", &[4])]);
        check("A (Özil *et al.*, 2019).", &[("(Özil *et al.*, 2019)", &[5])]);
        check("Smith (2020) says so.", &[("(2020)", &[1])]);
        check("As Doe and Roe (2021a) say.", &[("(2021a)", &[2])]);
        check("Doe et al. (2021a) say so.", &[("(2021a)", &[2])]);
        check("The World Bank (2023) says so.", &[("(2023)", &[4])]);
    }

    #[test]
    fn pages_remarks_brackets_and_several_years() {
        check("A (Smith 2020, 33).", &[("(Smith 2020, 33)", &[1])]);
        check("A (see Smith, 2020, for a review).", &[("(see Smith, 2020, for a review)", &[1])]);
        check("A [World Bank, 2023].", &[("[World Bank, 2023]", &[4])]);
        check("A (The Bank of the World [World Bank], 2023).", &[("(The Bank of the World [World Bank], 2023)", &[4])]);
        check("Doe and Roe (2021a, 2021b) say so.", &[("(2021a, 2021b)", &[2])]);
        check("Doe (2021a, b) says so.", &[("(2021a, b)", &[2, 3])]);
        check("王伟（2020）指出。", &[("（2020）", &[6])]);
        check("是（李四，2021）。", &[("（李四，2021）", &[7])]);
        check("是（李明等，2022；Smith, 2020）。", &[("（李明等，2022；Smith, 2020）", &[8, 1])]);
        check("李明和张三（2022）与李明等人（2022）指出。", &[("（2022）", &[8]), ("（2022）", &[8])]);
    }

    #[test]
    fn other_parentheses_are_words() {
        for prose in [
            "A (in 2020).",
            "A (Brown, 2018).",
            "It opened (2020).",
            "A (May 2020).",
            "A (Smith, J.).",
            "Smith was there (2020).",
            "A (Smith, 1920).",
            "A (2020).",
            "A (Brown, 2018, for a review).",
            "A [Brown, 2018].",
            "A [Smith, 2020](https://other.example/).",
            "A (Smith, 2020, was there, too).",
            "于（2020）。",
            "是（赵六，2021）。",
        ] {
            check(prose, &[]);
        }
    }

    #[test]
    fn who_wrote_an_entry_and_when() {
        for (entry, first, year) in [
            ("Smith, J. (2020). Alpha", "smith", "2020"),
            ("Smith, J., & Doe, A. (2020, May 3). Alpha", "smith", "2020"),
            ("World Health Organization. (2023). Delta", "world health organization", "2023"),
            ("van Dyke, A. B. (n.d.). Alpha", "van dyke", "n.d."),
            ("OpenAI (2024). GPT", "openai", "2024"),
        ] {
            let (found, _, when) = authors_and_year(entry).unwrap();
            assert_eq!((found.join(" ").as_str(), when.as_str()), (first, year), "{entry}");
        }
    }
}
