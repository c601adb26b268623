//! Citations by author and year, in the style of APA and Harvard: *(Smith & Doe, 2020; Roe et al., 2021)*, *Smith (2020)*.
//!
//! They mean entries without labels, or those of the research files. An entry with a label is cited by it, and names with years are words
//! there, unless nothing else cites. One that nothing explains stays as it is, is told, and is no part of what its sentence says.

use std::collections::HashMap;

use super::label::Label;
use super::locator::{self, WORDS};
use super::marker::Target;
use super::source_list::{Entry, EntryId, SourceList};
use crate::pattern::{Pattern, any_of};
use cited_text::Span;
use cited_text::quantity::quantities;
use cited_text::script::is_cjk;

/// Bytes that a citation in parentheses may have.
pub(crate) const LONGEST: usize = 240;
/// Bytes of an entry that are read for its authors and year.
const LONGEST_AUTHORS: usize = 400;
/// Places before a year in parentheses where the names of its authors may begin.
const MOST_BEGINNINGS: usize = 16;

/// A year as it is cited, with the letter that tells works of one year apart.
const YEAR: &str = r"(?:(?:1[6-9]|20)[0-9]{2}[a-z]?|n\.d\.)";

static ENTRY_YEAR: Pattern = Pattern::made(|| format!(r"\((?:[^()]{{0,24}}?\b)??({YEAR})[^()]{{0,24}}\)|\b({YEAR})\b"));
/// One citation of a parenthesis: who, unless the text before it says so, one or more years, and what stands behind them.
static ONE: Pattern = Pattern::made(|| {
    format!(
        r"^(?:(?P<who>[\p{{Lu}}\p{{Han}}][^()0-9]{{1,80}}?)(?P<comma>,)?\s+)?(?P<years>{YEAR}(?:,\s*(?:{YEAR}|[a-h]\b))*)(?P<tail>.*)$"
    )
});

/// One citation by author and year as it is written: *see Smith, 2020, p. 4*.
struct Cited<'t> {
    /// What leads to it, with the space behind it.
    lead: &'t str,
    /// The authors; none where the text before it names them.
    who: Option<&'t str>,
    has_comma: bool,
    years: &'t str,
    tail: &'t str,
}

fn read_one(one: &str) -> Option<Cited<'_>> {
    // One word or two before it may lead to it: *see Smith, 2020*.
    let spaces = one.match_indices(' ').map(|(at, _)| at).take(2);
    let leads = spaces.filter(|at| WORDS.has("lead", &one[..*at].to_lowercase())).last();
    let named = leads.map_or(one, |at| one[at..].trim_start());
    let parts = ONE.captures(named)?;
    let part = |name| parts.name(name).map_or("", |part| part.as_str());
    let who = parts.name("who").map(|who| who.as_str());
    let lead = &one[..one.len() - named.len()];
    Some(Cited { lead, who, has_comma: parts.name("comma").is_some(), years: part("years"), tail: part("tail") })
}

/// The citations that semicolons part.
fn read_all(inner: &str) -> Option<Vec<Cited<'_>>> {
    inner.split(';').map(|one| read_one(one.trim())).collect()
}

/// The inside of a parenthesis that is nothing but the years of works, and where to look in them.
fn read_years(inner: &str) -> Option<&str> {
    let read = read_one(inner.trim())?;
    (read.who.is_none() && read.lead.is_empty() && says_where(read.tail)).then_some(read.years)
}

/// A page without a word that says so: *Brown 2019, 33*.
static PAGE: Pattern = Pattern::new(r"^[,:] ?[0-9]{1,4}(?: ?[-–] ?[0-9]{1,4})?$");
/// What stands in parentheses, or in brackets that are no link.
static INSIDE: Pattern = Pattern::new(r"^(?:\(([^()（]*)\)|（([^(（）]*)）|\[([^\[\](（]*)\](?:[^(\[:]|$))");
/// The inside of what `text` opens, with ASCII signs, and where it closes: *(Smith, 2020)*, *（李四，2021）*, *[IEA, 2024]*. A name in
/// brackets may stand in it: *(International Energy Agency \[IEA\], 2024)*.
pub(crate) fn read_inside(text: &str) -> Option<(String, usize)> {
    let found = INSIDE.captures(text)?;
    let place = found.get(1).or(found.get(2)).or(found.get(3))?;
    let (inner, sign) = (place.as_str(), place.start());
    // Names in brackets are words; numbers are citations.
    let names_only = !inner.contains('[') || ABBREVIATED.is_match(inner);
    let ascii = || inner.replace('，', ", ").replace('；', "; ").replace('：', ": ").replace('\u{3000}', " ");
    names_only.then(|| (ascii(), place.end() + sign))
}

/// One short name in brackets: *… \[IEA\], 2024*.
static ABBREVIATED: Pattern = Pattern::new(r"^[^\[\]]*\[(\p{Lu}[\p{L} &.-]{1,11})\][^\[\]]*$");

/// A reference by its beginning: authors, the year in parentheses, a stop, and the title.
static REFERENCE: Pattern = Pattern::made(|| {
    let year = format!(r"{YEAR}(?:, ?\p{{L}}[^()（）]{{0,20}})?");
    format!(
        r"^(?:\p{{Lu}}[^()（）]{{1,200}}[.,] \({year}\)\. ?\p{{L}}|\p{{Han}}[^()（）\s]{{1,60}}[(（]{year}[)）][.。] ?\p{{L}})"
    )
});

/// Whether a line begins as a reference to a work does: *Lee, C., & Park, S. (2019). Naps*, *李四（2021）。太阳*.
pub(crate) fn is_reference(line: &str) -> bool {
    REFERENCE.is_match(&line[..line.floor_char_boundary(LONGEST_AUTHORS)])
}

/// Whether the inside of a parenthesis is a citation by author and year, whatever works there are: *Gray et al., 2021*, *Pew 2024a; Roe, 2023*.
pub(crate) fn is_one(inner: &str) -> bool {
    let is_unmistakable =
        |one: &Cited<'_>| one.has_comma || one.who.is_some_and(|who| who.contains("et al")) || is_lettered(one.years);
    read_all(inner).is_some_and(|all| {
        all.iter().all(|one| one.who.is_some() && says_where(one.tail)) && all.iter().any(is_unmistakable)
    }) && !quantities(inner).iter().any(|quantity| quantity.span.slice(inner).trim() == inner.trim())
}

/// The words before and behind each author and year of a citation: *see* and *, p. 4* of *(see Smith, 2020, p. 4)*.
pub(super) fn words_beside(written: &str) -> Option<Vec<(String, String)>> {
    let (inner, _) = read_inside(written)?;
    Some(read_all(&inner)?.into_iter().map(|one| (one.lead.to_owned(), one.tail.to_owned())).collect())
}

/// Whether a year has the letter that tells works of one year apart: *2024a*.
fn is_lettered(years: &str) -> bool {
    years.split(',').any(|year| year.trim().len() == 5 && year.trim().ends_with(|c: char| c.is_ascii_lowercase()))
}

/// A number between a year and what says that a work is meant: `Pew (2024) [3] found`.
static BETWEEN: Pattern = Pattern::new(r"^(?:\s*\[[^\]]*\](?:\([^)]*\))?)*\s*");

/// Whether the inside of a parenthesis is the year of a work whose author is named before it, whatever works there are: *Lee et al. (2020)*,
/// *Pew (2024a)*, *Pew (2024) found*. A name with a year alone may be anything: *Avatar (2009) earned*.
pub(crate) fn is_year_of_one(before: &str, inner: &str, behind: &str) -> bool {
    let Some(years) = read_years(inner) else { return false };
    let before = before.replace(['*', '_'], "");
    let Some(before) = before.strip_suffix(' ') else { return false };
    let name = before.rsplit(['.', ';', '\n']).next().unwrap_or_default();
    let lower = name.to_lowercase();
    let named = name.split(' ').next_back().is_some_and(|word| word.starts_with(char::is_uppercase));
    let and_others = before.ends_with("et al.") || lower.ends_with("et al");
    let behind = &behind[BETWEEN.find(behind).map_or(0, |found| found.len())..];
    let next = behind.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let says = || WORDS.has("says", next);
    let by = || WORDS.of("said_by").iter().any(|by| lower.trim_start().starts_with(by));
    and_others || named && (is_lettered(years) || says() || by())
}

/// Whether the parentheses of a citation hold the year alone.
pub(super) fn is_a_year(citation: &str) -> bool {
    citation.trim_start_matches(['(', '（']).starts_with(|c: char| c.is_ascii_digit())
}

/// A citation as a reader knows it: with the name before it where its parentheses hold the year alone, *Pew Local (2024)*.
pub(super) fn with_its_name(text: &str, span: Span) -> &str {
    let line = text[..span.start].rsplit('\n').next().filter(|_| is_a_year(span.slice(text))).unwrap_or_default();
    let joins = |word: &str| WORDS.of("joint").iter().any(|joint| joint.split(' ').any(|part| part == word));
    let names = |word: &str| joins(word) || word.starts_with(char::is_uppercase) && !word.ends_with('.');
    let name: usize = line.split_inclusive(' ').rev().take_while(|word| names(word.trim_end())).map(str::len).sum();
    &text[span.start - name..span.end]
}

/// A work of a list or a research file, by the words of its authors.
#[derive(Debug, Clone)]
struct Work {
    target: Target,
    year: String,
    /// The first author: the surname, or all that an organisation is called.
    first: Vec<String>,
    /// The words of all authors.
    all: Vec<String>,
}

impl Work {
    /// That of an entry, by the authors and the year in its words: *Smith, J., & Doe, A. (2020). …*.
    fn read(title: &str, target: Target) -> Option<Self> {
        let title = &title[..title.floor_char_boundary(LONGEST_AUTHORS)];
        let parts = ENTRY_YEAR.captures(title)?;
        let year = parts.get(1).or_else(|| parts.get(2))?.as_str().to_lowercase();
        let authors = title[..parts.get_match().start()].trim();
        // Initials: *J.*, *A.B.*, and *JA* of Vancouver.
        let is_initials = |word: &str| {
            authors.contains(',') && word.len() <= 3 && word.chars().all(|c| c.is_uppercase() || !c.is_alphabetic())
        };
        let is_name = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() > 1 && !is_initials(word);
        let words = |author: &str| author.split_whitespace().filter(is_name).map(folded).collect::<Vec<_>>();
        let mut authors_words = authors_of(authors).map(words);
        let first = authors_words.next().filter(|first| !first.is_empty() && authors.len() < 300)?;
        let all = first.iter().cloned().chain(authors_words.flatten()).filter(|word| !word.is_empty()).collect();
        Some(Work { target, year, first, all })
    }

    /// Whether these authors wrote it: the first of them, and the others among all of its own.
    fn is_by(&self, who: &str) -> bool {
        let mut names = authors_of(who);
        let first: Vec<String> = names.next().unwrap_or_default().split_whitespace().map(folded).collect();
        let others = names.flat_map(str::split_whitespace).map(folded);
        let mut others = others.filter(|word| word.chars().count() > 1 && word != "al");
        let same =
            self.first == first || self.first.last() == first.last() && first.len() <= 2 && self.first.len() == 1;
        same && others.all(|name| self.all.contains(&name))
    }
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

/// Works that are cited by author and year.
#[derive(Debug, Clone, Default)]
pub struct Works(HashMap<String, Vec<Work>>);

impl Works {
    /// The works of the entries, or of those that have no labels: that a list is numbered says nothing where no number cites. Those of other
    /// files are cited so where a list has any, or nothing else cites.
    pub(super) fn read(lists: &[SourceList], others: &Works, labelled: bool) -> Self {
        let mut works = Works::default();
        for (l, list) in lists.iter().enumerate() {
            let is_cited_so = |(_, entry): &(usize, &Entry)| labelled || entry.label.is_none();
            for (e, entry) in list.entries.iter().enumerate().filter(is_cited_so) {
                let target = Target::Entry(EntryId { list: l as u32, entry: e as u32 });
                works.extend(Work::read(&entry.title, target));
            }
        }
        if labelled || !works.is_empty() {
            works.extend(others.0.values().flatten().cloned());
        }
        works
    }

    fn extend(&mut self, works: impl IntoIterator<Item = Work>) {
        works.into_iter().for_each(|work| self.0.entry(work.year.clone()).or_default().push(work));
    }

    /// Adds the works of the entries of another file, which are meant by their address, or by their key in a bibliography. Authors and year
    /// may be all that stands before an address in its `text`: *Roe & Doe 2021, https://…*.
    pub(crate) fn add_of_a_file(&mut self, entries: &[Entry], text: &str) {
        for entry in entries {
            let address = entry.addresses.first().map(|address| Target::Address(address.clone()));
            let key = || entry.label.clone().filter(|label| matches!(label, Label::Name(_))).map(Target::Label);
            let Some(target) = address.or_else(key) else { continue };
            let line = text.get(..entry.span.start).and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
            let line = line.trim_matches(|c: char| !c.is_alphanumeric());
            let before = || Work::read(line, target.clone()).filter(|work| line.to_lowercase().ends_with(&work.year));
            self.extend(Work::read(&entry.title, target.clone()).or_else(before));
        }
    }

    /// The works of a year; *2024a* is the only one of 2024 where nobody tells two apart.
    fn of_year(&self, year: &str) -> &[Work] {
        let exact = self.0.get(year);
        let whole = || self.0.get(year.trim_end_matches(|c: char| c.is_ascii_lowercase()));
        exact.or_else(whole).map_or(&[], Vec::as_slice)
    }

    /// Whether it names no work.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The works that the inside of a parenthesis cites, and those of its citations that no list has. None where it cites nothing.
    pub fn cited(&self, inner: &str) -> Option<Vec<Target>> {
        let inner = inner.replace(['*', '_'], "").replace('\n', " ");
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for read in read_all(&inner)? {
            let who = read.who.filter(|_| says_where(read.tail))?;
            for year in years_of(read.years) {
                let mut works = self.find_works(who, &year);
                if works.is_empty() {
                    // Else the only one by authors whose name begins so: *(Pew, 2024)* for *Pew Research Center (2024)*.
                    let who: Vec<String> = who.split_whitespace().map(folded).collect();
                    works.extend(self.of_year(&year).iter().filter(|work| work.first.starts_with(&who)));
                    works.truncate(usize::from(works.len() == 1));
                }
                match meant(works.into_iter(), 1) {
                    Some(works) => found.extend(works),
                    None => missing.extend(Label::parse(&format!("{who}, {year}")).map(Target::Label)),
                }
            }
        }
        (!found.is_empty()).then(|| [found, missing].concat())
    }

    /// The works of the authors whose names end `before`, by the inside of the parenthesis behind it: *Smith et al. (2020)*.
    pub fn cited_behind(&self, before: &str, inner: &str) -> Option<Vec<Target>> {
        let years: Vec<String> = years_of(read_years(inner)?).collect();
        if years.iter().all(|year| self.of_year(year).is_empty()) {
            return None;
        }
        let before = before.replace(['*', '_'], "").replace('\n', " ");
        let before = before.trim_end();
        // In writing without spaces they may begin with any sign.
        let begins = |(at, sign): &(usize, char)| is_cjk(*sign) || *at == 0 || before[..*at].ends_with(' ');
        let ends: Vec<&str> =
            before.char_indices().rev().filter(begins).take(MOST_BEGINNINGS).map(|(at, _)| &before[at..]).collect();
        let works = years.iter().flat_map(|year| ends.iter().flat_map(move |who| self.find_works(who, year)));
        meant(works, years.len())
    }

    /// The works of a year that `who` wrote, as a citation names them.
    fn find_works(&self, who: &str, year: &str) -> Vec<&Work> {
        // *International Energy Agency [IEA]* has two names; *李明等*, *李明和张三* join theirs without spaces.
        let names = match who.split_once('[').and_then(|(name, rest)| Some((name, rest.split_once(']')?.0))) {
            Some((name, short)) => [name.trim().to_owned(), short.to_owned()],
            None => [
                who.to_owned(),
                WORDS.of("close_joint").iter().fold(who.to_owned(), |who, joint| who.replace(joint, ", ")),
            ],
        };
        let of_year = self.of_year(year);
        let found = names.map(|name| of_year.iter().filter(|work| work.is_by(&name)).collect::<Vec<_>>());
        found.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }
}

/// What a citation of so many works means by the works that fit: those of the document's own list before those of other files. More of
/// other files than are cited mean nothing: which is meant is not to be guessed.
fn meant<'w>(works: impl Iterator<Item = &'w Work>, cited: usize) -> Option<Vec<Target>> {
    let (mut own, mut others): (Vec<Target>, Vec<Target>) = (Vec::new(), Vec::new());
    for work in works {
        let side = if matches!(work.target, Target::Entry(_)) { &mut own } else { &mut others };
        if !side.contains(&work.target) {
            side.push(work.target.clone());
        }
    }
    let found = if own.is_empty() && others.len() <= cited { others } else { own };
    (!found.is_empty()).then_some(found)
}

/// Whether nothing stands behind a year, or what says where in the work to look or what for.
fn says_where(tail: &str) -> bool {
    let tail = tail.trim_end();
    tail.is_empty() || locator::is_tail(tail) || PAGE.is_match(tail)
}

/// The authors that a text joins: *Smith, Doe & Roe*, *Smith and Doe*.
fn authors_of(text: &str) -> impl Iterator<Item = &str> {
    static JOINT: Pattern = Pattern::made(|| format!("[,;&，、；(（]| (?:{})(?: |$)", any_of(WORDS.of("joint"))));
    JOINT.split(text)
}

/// A word in small letters without the signs round it.
fn folded(word: &str) -> String {
    let inner = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '&');
    let inner = inner.strip_suffix("'s").or_else(|| inner.strip_suffix("’s")).unwrap_or(inner);
    inner.trim_end_matches('.').to_lowercase()
}

/// The names that an entry begins with, as it writes them before the year: *Knuth and Plass* of *Knuth and Plass (1981), Breaking*.
pub fn names(title: &str) -> Option<&str> {
    let year = ENTRY_YEAR.find(title).filter(|year| year.as_str().starts_with('('))?;
    Some(title[..year.start()].trim()).filter(|names| !names.is_empty() && names.len() <= LONGEST)
}

#[cfg(test)]
mod tests {
    use super::Work;
    use crate::citation::{self, Entry, KnownLabels, Target};
    use crate::markdown::Document;
    use cited_text::Span;

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
                (marker.span.slice(document.text()), entries.collect())
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
        check("A (World, 2023). The World (2023) says so.", &[("(World, 2023)", &[4])]);
    }

    #[test]
    fn an_entry_without_a_label_is_cited_so_beside_those_that_have_one() {
        let text = "It rose [1]. It fell (Osgood 2026). Coe (2019) knows [1].\n\n**Sources**\n\n[1] Coe, B. (2019) Limpets: https://a.example/1\n\n\
            Osgood, L. (2026) *Lunches*. https://a.example/2\n";
        let document = Document::read(text);
        let citations = citation::read(&document, &KnownLabels::default());
        let found: Vec<&str> = citations.markers.iter().map(|marker| marker.span.slice(text)).collect();
        assert_eq!(found, ["[1]", "(Osgood 2026)", "[1]"]);
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
            "It opened (2020).",
            "A (May 2020).",
            "A (Smith, J.).",
            "Smith was there (2020).",
            "A (Smith, 1920).",
            "A (2020).",
            "A [Smith, 2020](https://other.example/).",
            "A (Smith, 2020, was there, too).",
            "于（2020）。",
        ] {
            check(prose, &[]);
        }
    }

    #[test]
    fn what_nothing_explains_is_told_and_stays() {
        let check = |prose: &str, expected: &[&str]| {
            let document = Document::read(format!("{prose}{LIST}"));
            let citations = citation::read(&document, &KnownLabels::default());
            let found: Vec<&str> = citations.unlisted.iter().map(|span| span.slice(document.text())).collect();
            assert_eq!((found.as_slice(), citations.markers.len()), (expected, 0), "of {prose:?}");
        };
        check("A (Brown, 2018).", &["(Brown, 2018)"]);
        check("A (Brown, 2018, for a review).", &["(Brown, 2018, for a review)"]);
        check("A [Brown, 2018].", &["[Brown, 2018]"]);
        check("A (Brown 2018a; Lee, 2019).", &["(Brown 2018a; Lee, 2019)"]);
        check("是（赵六，2021）。", &["（赵六，2021）"]);
        check("Brown (2018) found that. According to Brown (2019), it is.", &["(2018)", "(2019)"]);
        check("Brown (2018) [4] found that.", &["(2018)"]);
        check("Lee et al. (2017) say so, and so does Brown (2018a).", &["(2017)", "(2018a)"]);
        check("Avatar (2009) earned money. A (May, 2020). The store (2018) said so.", &[]);
    }

    #[test]
    fn research_files_explain_what_no_list_does() {
        let entry = |title: &str, address: &str| {
            let list = Document::read(format!("# Sources\n\n- {title} {address}\n- Other. https://o.example/\n"));
            citation::read(&list, &KnownLabels::default()).lists[0].entries[0].clone()
        };
        let mut known = KnownLabels::default();
        known.add_file(
            &[
                entry("Pew (2024). AI survey", "https://pew.example/"),
                entry("McKinsey, AI, 2023", "https://m.example/"),
            ],
            "",
        );
        known.add_file(
            &[entry("Gallup (2022). A", "https://g.example/a"), entry("Gallup (2022). B", "https://g.example/b")],
            "",
        );
        let check = |prose: &str, expected: &[&str], unlisted: usize| {
            let document = Document::read(prose.to_owned());
            let citations = citation::read(&document, &known);
            let targets = citations.markers.iter().flat_map(|marker| &marker.targets);
            let found: Vec<&str> = targets
                .map(|target| match target {
                    Target::Address(address) => address.as_str(),
                    _ => "?",
                })
                .collect();
            assert_eq!((found.as_slice(), citations.unlisted.len()), (expected, unlisted), "of {prose:?}");
        };
        check("A (Pew, 2024).", &["https://pew.example/"], 0);
        check("Pew (2024) found that.", &["https://pew.example/"], 0);
        check("A (Pew 2024a; McKinsey, 2023).", &["https://pew.example/", "https://m.example/"], 0);
        // Which of two works is meant is not to be guessed.
        check("A (Gallup, 2022).", &[], 1);
    }

    #[test]
    fn names_before_an_address_are_those_of_its_work() {
        let check = |line: &str, is_known: bool| {
            let text = format!("# Log\n\n{line}https://a.example/x — 31% fewer.\n");
            let start = text.find("https").unwrap();
            let span = Span::new(start, start + "https://a.example/x".len());
            let entry = Entry { span, addresses: vec!["https://a.example/x".to_owned()], ..Entry::default() };
            let mut known = KnownLabels::default();
            known.add_file(&[entry], &text);
            let citations = citation::read(&Document::read("A (Roe and Doe 2021)."), &known);
            assert_eq!(!citations.markers.is_empty(), is_known, "{line:?}");
        };
        check("Roe & Doe 2021, ", true);
        check("- Roe & Doe (2021): ", true);
        check("Roe & Doe 2021 counted 31 naps, ", false);
        check("", false);
    }

    #[test]
    fn a_year_in_parentheses_is_told_with_its_name() {
        let check = |prose: &str, expected: &str| {
            let document = Document::read(format!("{prose}{LIST}"));
            let citations = citation::read(&document, &KnownLabels::default());
            let told = citations.findings.iter().map(|finding| finding.message.as_str()).collect::<Vec<_>>();
            assert_eq!(told, [format!("no list and no research file has the work that {expected} cites")]);
        };
        check("Brown (2018) found that.", "Brown (2018)");
        check("It is. According to Pew Local (2018), it is.", "Pew Local (2018)");
        check("Then Lee et al. (2017) say so.", "Then Lee et al. (2017)");
        check("A (Brown, 2018).", "(Brown, 2018)");
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
            let found = Work::read(entry, Target::Address(String::new())).unwrap();
            assert_eq!((found.first.join(" ").as_str(), found.year.as_str()), (first, year), "{entry}");
        }
    }
}
