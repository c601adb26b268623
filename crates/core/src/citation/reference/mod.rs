//! What an entry of a source list says of its work: authors, title, container, year, identifiers; by the layouts of APA, IEEE, ACM, Chicago, MLA,
//! Vancouver, GB/T 7714 and *Authors. Title. Venue, year*.
//!
//! A part that no layout surely gives is unknown: what is compared with it is then looked for in the words.

use schemars::JsonSchema;
use serde::Serialize;

mod identifiers;
mod name;
#[cfg(test)]
mod tests;

use crate::address::in_text::OF_ISSUE;
use crate::pattern::{Pattern, any_of};
pub use identifiers::{Ids, clean_doi, dois_in};
pub use name::{
    Name, folded, is_initials, is_others, is_particle, is_person, is_same_name, is_suffix, name_words, pattern,
};
use name::{WORDS, is_collective, is_unspaced};

/// What an entry surely says of its work. What is not read is unknown, and never differs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Reference {
    /// The title.
    pub title: Option<String>,
    /// The authors, in order, as `Family, PageValue`; editors where there are none.
    pub authors: Vec<Name>,
    /// Whether it says that there are more (`et al.`).
    pub others: bool,
    /// The journal, the proceedings, the book that holds it.
    pub container: Option<String>,
    /// The year.
    pub year: Option<i16>,
    /// The volume.
    pub volume: Option<String>,
    /// The issue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
    /// The pages, or the number of an article.
    pub pages: Option<String>,
    /// The names by which indexes know it.
    #[serde(flatten)]
    pub ids: Ids,
    /// What stands behind the authors, and behind the title: a title or container that is cut in the wrong place still stands there.
    #[serde(skip)]
    pub body: String,
    /// What stands behind the title.
    #[serde(skip)]
    pub rest: String,
    /// Whether the fields are those of a bibliography and not read from words.
    #[serde(skip)]
    pub given: bool,
    /// All of its words, without address, identifiers and label.
    #[serde(skip)]
    pub words: String,
    /// The words that are no title, as far as that is known.
    #[serde(skip)]
    pub outside: String,
    /// Whether the title is emphasised.
    #[serde(skip)]
    pub is_marked: bool,
}

/// Addresses and identifiers, with what introduces them.
static CUT: Pattern = Pattern::made(|| {
    let address = format!(r"(?:[^\s<>]|{OF_ISSUE})+");
    format!(
        r"(?i)(?:\bdoi\s*:?\s*)?(?:<?https?://{address}>?|\b10\.\d{{4,9}}/{address})|\bPMC?ID:?\s*(?:PMC)?\d+|\bISBN(?:-1[03])?:?\s*[\dXx][\dXx\s-]{{8,16}}|\barXiv\s*:\s*[\w.-]+(?:/\d+)?(?:\s*\[[\w.-]+\])?",
    )
});
static LINK: Pattern = Pattern::new(r"\[([^\]]*)\]\(<?((?:\([^()\s]*\)|[^()\s])*)[^)]*\)");
static DATED: Pattern = Pattern::new(r"[(（]((?:1[5-9]|20)\d\d)[a-z]?(?:[,/] ?[^()]{0,24})?[)）]");
static YEAR_BETWEEN: Pattern = Pattern::new(r"[.,] ((?:1[5-9]|20)\d\d)[a-z]?\. ");
static MARK: Pattern = Pattern::new(r"\s?\[[A-Z]{1,2}(?:/[A-Z]{1,3})?\](?:\s?//)?");
/// Where the name of a venue ends.
static END: Pattern = Pattern::new(
    r"(?i),?\s*\(?\b(?:1[5-9]|20)\d\d\b|[,.;]?\s+(?:vol\b|volume\b|v\.|pp?\.|no?\.|pages?\b|article\b|№)|[,.]?\s+[A-Z]?\d+\s*(?:[(,:;–-]|$)|,?\s*edited by\b|,?\s*\(?eds?\.|;",
);
/// The number of an issue behind what names it: it is no volume.
static ISSUE: Pattern = Pattern::made(|| format!(r"(?i)[,;]?\s*\(?\b(?:{})[.\s]*\d+\)?", any_of(WORDS.of("issue"))));
/// A volume and the first page behind it, a year between them or not.
static VOLUME: Pattern = Pattern::new(
    r"(?:^|[\s,;-])(\d{1,4})(?:\s?\((?<issue>\d{1,4}(?:[–-]\d+)?)\)|, (?<second>\d{1,3}) \([^)]*\d{4}\))?[,:]\s?(?:(?:1[5-9]|20)\d\d[,:;]\s?)?(?:(?:pp?|S)\. ?)?(?<first>[A-Za-z]?\d+)(?:\s?[–-]\s?(?<last>[A-Za-z]?\d+))?",
);
/// A year behind names, before a title in quotation marks.
static DATED_BEFORE: Pattern = Pattern::new(r"[.,] ((?:1[5-9]|20)\d\d)[a-z]?[.,:]?$");
/// What stands in brackets behind a title: an edition, the kind of text.
static BRACKETS: Pattern = Pattern::new(r"^(?:\s*(?:\([^)]*\)|\[[^\]]*\]))+");

/// A title has a word of so many letters, at least.
const WORD: usize = 4;

/// What stands before the name of a book or of proceedings.
const IN: [&str; 4] = ["In:", "in:", "In ", "in "];
const QUOTES: [(char, char); 8] =
    [('“', '”'), ('"', '"'), ('„', '“'), ('„', '”'), ('«', '»'), ('《', '》'), ('「', '」'), ('‘', '’')];
/// What may stand behind a quotation mark that is no apostrophe.
static CLOSED: Pattern = Pattern::new(r"^(?:[,.;:)]|\s*\(|\s*$)");
impl Reference {
    /// Reads an entry as it is written in Markdown or plain text, without its label.
    ///
    /// ```
    /// use cited_core::citation::reference::Reference;
    /// let read = Reference::parse("Doe, J., & Roe, K. (2019). Sleep and memory. Journal of Sleep, 3(2), 1–9.");
    /// assert_eq!(read.title.as_deref(), Some("Sleep and memory"));
    /// assert_eq!(read.authors[1].family, "Roe");
    /// assert_eq!((read.year, read.pages.as_deref()), (Some(2019), Some("1–9")));
    /// ```
    pub fn parse(text: &str) -> Reference {
        let linked = LINK.replace_all(text, "$1 $2");
        let ids = Ids::in_text(&linked);
        let cut = CUT.replace_all(&linked, " ");
        let (plain, mut marked) = without_emphasis(&cut);
        let plain = plain.as_str();
        // *Doe et al.*, with what says that there are more in other letters.
        marked.retain(|(from, to)| !is_others(&plain[*from..*to]));
        let mut layout = Layout::detect(plain, &marked);
        // What begins with an initial is cut within the names, and so is what has no word: nothing of it was read.
        let begins =
            |title: &str| title.split(' ').next().is_some_and(|word| word.ends_with(".:") || word.ends_with(".,"));
        let is_word = |word: &str| word.chars().count() >= WORD || is_unspaced(word);
        let is_cut = |title: &str| begins(title) || !title.split(|c: char| !c.is_alphabetic()).any(is_word);
        if layout.title.is_some_and(|(from, to)| is_cut(&plain[from..to])) {
            layout = Layout::default();
        }
        let (authors, others) = layout.names;
        let mut read = Reference { ids, authors, others, year: layout.year, ..Reference::default() };
        read.outside = match layout.title {
            Some((from, to)) => format!("{} {}", &plain[..from], &plain[to..]),
            None => plain.to_owned(),
        };
        plain[layout.body..].trim().clone_into(&mut read.body);
        let rest = layout.title.map_or(layout.body, |(_, to)| to);
        plain[rest..].clone_into(&mut read.rest);
        read.title = layout
            .title
            .map(|(from, to)| plain[from..to].trim().to_owned())
            .filter(|title| title.contains(char::is_alphanumeric));
        let rest = &read.rest[BRACKETS.find(&read.rest).map_or(0, |brackets| brackets.end())..];
        let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '(');
        // Where no title is read, nothing is surely behind it.
        let behind = layout.title.and_then(|_| container_of(rest));
        read.container = layout.container.or(behind).filter(|name| name.contains(char::is_alphabetic));
        read.year = read.year.or_else(|| year_behind(&read.rest, plain, layout.body));
        let year = read.year.map(|year| year.to_string()).unwrap_or_default();
        if let Some(found) = VOLUME.captures_iter(&ISSUE.replace_all(&read.rest, "")).find(|found| found[1] != year) {
            read.volume = Some(found[1].to_owned());
            let issue = found.name("issue").or_else(|| found.name("second"));
            read.issue = issue.map(|issue| issue.as_str().to_owned()).filter(|issue| year_in(issue).is_none());
            let to = found.name("last").map(|last| format!("–{}", last.as_str())).unwrap_or_default();
            read.pages = Some(format!("{}{to}", &found["first"])).filter(|pages| *pages != year);
        }
        plain.trim().clone_into(&mut read.words);
        read.is_marked = layout.title.is_some_and(|title| marked.contains(&title));
        read
    }
}

/// The first four digits in a row that may be a year.
pub fn year_in(text: &str) -> Option<i16> {
    static YEAR: Pattern = Pattern::new(r"(?:^|\D)((?:1[5-9]|20)\d\d)(?:\D|$)");
    YEAR.captures(text)?.get(1)?.as_str().parse().ok()
}

/// The year that stands behind the title; else behind the names. What looks like a year and is a page is none: *1995–2004*, *395(10240):1820*.
fn year_behind(rest: &str, whole: &str, body: usize) -> Option<i16> {
    static PAGES: Pattern =
        Pattern::made(|| format!(r"([\d)]):\s?\d+(?:[–-]\d+)?|\d+[–-]\d+|\b(?:{})\.?\s?\d+", any_of(WORDS.of("page"))));
    static YEAR: Pattern = Pattern::new(r"\b((?:1[5-9]|20)\d\d)\b");
    let last = |text: &str| {
        let text = PAGES.replace_all(text, "$1 ");
        YEAR.captures_iter(&text).last().and_then(|found| found[1].parse().ok())
    };
    last(rest).or_else(|| last(&whole[body..]))
}

/// Words without the signs of emphasis, and where the parts stand that they mark.
fn without_emphasis(text: &str) -> (String, Vec<(usize, usize)>) {
    static SIGNS: Pattern = Pattern::new(r"\\([[:punct:]])|(\*+|_+)|\s+");
    let (text, mut at) = (text.trim(), 0);
    let (mut plain, mut marked, mut open) = (String::with_capacity(text.len()), Vec::new(), None);
    for found in SIGNS.captures_iter(text) {
        let sign = found.get_match();
        plain.push_str(&text[at..sign.start()]);
        at = sign.end();
        let within = || plain.ends_with(char::is_alphanumeric) && text[at..].starts_with(char::is_alphanumeric);
        match (found.get(1), found.get(2)) {
            (Some(escaped), _) => plain.push_str(escaped.as_str()),
            (_, Some(mark)) if mark.as_str().starts_with('_') && within() => plain.push('_'),
            (_, Some(_)) => match open.take() {
                Some(from) => marked.push((from, plain.len())),
                None => open = Some(plain.len()),
            },
            _ if plain.is_empty() || plain.ends_with(' ') => {}
            _ => plain.push(' '),
        }
    }
    plain.push_str(&text[at..]);
    (plain, marked)
}

/// Names, and whether a list of them says that there are more.
type Names = (Vec<Name>, bool);

/// The parts of an entry, and where they stand.
#[derive(Default)]
struct Layout {
    /// The names, and whether there are more.
    names: Names,
    year: Option<i16>,
    /// Where the names end.
    body: usize,
    title: Option<(usize, usize)>,
    container: Option<String>,
}

impl Layout {
    fn detect(text: &str, marked: &[(usize, usize)]) -> Layout {
        if let Some(layout) = Layout::quoted(text, marked).or_else(|| Layout::dated(text, marked)) {
            return layout;
        }
        // *Names, Title, Place* with the title emphasised.
        let emphasised = marked.iter().find(|(from, to)| to > from && !is_number(&text[*from..*to]));
        let emphasised = emphasised.and_then(|(at, _)| {
            let names = if *at == 0 { Some(Names::default()) } else { read_names(text[..*at].trim_end()) };
            Some((names?, None, *at))
        });
        let dated = || {
            let found = YEAR_BETWEEN.captures(text)?;
            let all = found.get(0)?;
            Some((read_names(&text[..=all.start()])?, found[1].parse().ok(), all.end()))
        };
        let stopped = || {
            let at = split_at_colon(text).or_else(|| split_names(text)).or_else(|| split_body(text))?;
            Some((read_names(&text[..at]).unwrap_or_else(|| (vec![Name::new("", &text[..at])], false)), None, at))
        };
        match emphasised.or_else(dated).or_else(stopped) {
            Some((names, year, at)) => Layout { names, year, ..Layout::behind(text, at, marked) },
            None => Layout::default(),
        }
    }

    /// *Names, “Title,” Venue*
    fn quoted(text: &str, marked: &[(usize, usize)]) -> Option<Layout> {
        let (from, inner) = QUOTES
            .iter()
            .filter_map(|(open, close)| {
                let at = text.find(*open)?;
                let from = at + open.len_utf8();
                let to = text[from..].match_indices(*close).map(|(to, _)| from + to).find(|to| {
                    let behind = &text[to + close.len_utf8()..];
                    !behind.starts_with(char::is_alphanumeric) && (*close != '’' || CLOSED.is_match(behind))
                })?;
                Some((at, from..to))
            })
            .min_by_key(|(at, _)| *at)?;
        let before = text[..from].trim_end();
        if !before.is_empty() && !before.ends_with([',', '.', ')', ':', '，', '：', '】']) {
            return None;
        }
        let dated = DATED.captures(before).or_else(|| DATED_BEFORE.captures(before));
        let year = dated.as_ref().and_then(|found| found.get(0));
        // The stop of an initial belongs to the name.
        let names = year.map_or(before, |year| &before[..year.start() + usize::from(year.as_str().starts_with('.'))]);
        let names = read_names(names);
        // What is emphasised before it is the title, and this the venue.
        if names.is_none() && marked.iter().any(|(at, to)| at < to && *to <= from) {
            return None;
        }
        let year = dated.and_then(|found| found[1].parse().ok());
        let end = inner.start + text[inner.clone()].trim_end_matches([',', '.', ' ']).len();
        let mut marks = marked.iter().filter(|(at, _)| *at >= inner.end).map(|(at, to)| &text[*at..*to]);
        let container = marks.find(|name| !is_number(name)).map(str::to_owned);
        let names = names.unwrap_or_default();
        Some(Layout { names, year, body: inner.start, title: Some((inner.start, end)), container })
    }

    /// *Names (2019). Title. Venue*
    fn dated(text: &str, marked: &[(usize, usize)]) -> Option<Layout> {
        let found = DATED.captures(text)?;
        let all = found.get(0)?;
        let names = text[..all.start()].trim_end_matches([' ', ',']);
        let body = all.end() + text[all.end()..].len()
            - text[all.end()..].trim_start_matches([' ', '.', ',', ':', '．', '。', '：']).len();
        let read = read_names(names);
        if names.is_empty() || body >= text.len() || read.is_none() && names.split_whitespace().count() > 6 {
            return None;
        }
        // A body; what may be a list of names that cannot be read is nobody's name.
        let body_name = || Name::new("", names.trim_end_matches('.'));
        let is_body = !names.contains([',', ';', '&', '–', '、', '·', '・']);
        let names = read.unwrap_or_else(|| (is_body.then(body_name).into_iter().collect(), false));
        Some(Layout { names, year: found[1].parse().ok(), ..Layout::behind(text, body, marked) })
    }

    /// What follows names: the title until a stop, a mark or the emphasised name of a venue.
    fn behind(text: &str, from: usize, marked: &[(usize, usize)]) -> Layout {
        let body = from + text[from..].len() - text[from..].trim_start_matches([' ', '.', ',', ':', '．', '。']).len();
        // *Names, Title, Journal **12***: the number of a volume is no name.
        let marks = marked.iter().filter(|(start, to)| *start >= body && to > start).copied();
        let (numbers, names): (Vec<_>, Vec<_>) = marks.partition(|(at, to)| is_number(&text[*at..*to]));
        let mut marks = names.into_iter().peekable();
        if let Some((start, to)) = marks.next_if(|(start, _)| *start <= body + 1) {
            // *Names, Journal, 2019, **12***
            let is_journal = numbers.first().is_some_and(|(at, _)| *at > to && is_number(&text[to..*at]));
            let container = marks.next().map(|(at, end)| text[at..end].to_owned());
            return Layout { body, title: Some((start, to)).filter(|_| !is_journal), container, ..Layout::default() };
        }
        if let Some(mark) = MARK.find(&text[body..]) {
            return Layout { body, title: Some((body, body + mark.start())), ..Layout::default() };
        }
        let before = |at: usize| {
            let before = text[body..at].trim_end();
            before.strip_suffix("In").or_else(|| before.strip_suffix("in")).map_or(before, str::trim_end)
        };
        let mark = marks.find(|(at, _)| before(*at).ends_with(['.', '?', '!', ',', ']', '–']));
        let marked = mark.map(|(at, _)| before(at).trim_end_matches(['.', ',', '–', ' ']).len());
        let ends = WORDS.of("ends").iter().filter_map(|sign| text[body..].find(sign)).min();
        let stopped = ends.or_else(|| {
            let end = stop(&text[body..])?;
            // *Title, Earth Syst. Sci. Data, 12*: the stop is that of an abbreviation.
            let (title, short) = text[body..body + end].rsplit_once(", ")?;
            let is_short =
                text[..from].ends_with([':', ',']) && short.split(' ').all(|word| word.starts_with(char::is_uppercase));
            is_short.then_some(title.len())
        });
        let end = stopped.or_else(|| stop(&text[body..])).into_iter().chain(marked).min();
        let mut end = end.map_or(text.len(), |end| body + end);
        if ends.is_none() {
            end = with_subtitles(text, end, mark.map(|(at, _)| at));
        }
        let container = mark.map(|(at, to)| text[at..to].to_owned());
        Layout { body, title: Some((body, end)), container, ..Layout::default() }
    }
}

/// Where the title ends that a text begins with: at a stop that ends no abbreviation.
fn stop(text: &str) -> Option<usize> {
    text.match_indices(['.', '?', '!', '。', '．']).find_map(|(at, sign)| {
        let rest = &text[at + sign.len()..];
        let word = text[..at].rsplit(' ').next().unwrap_or_default();
        let is_short = sign == "." && (is_initials(word) && word.chars().count() == 1 || WORDS.has("shortened", word));
        let ends = rest.is_empty()
            || rest.starts_with(' ') && !rest.trim_start().starts_with(char::is_lowercase)
            || !sign.is_ascii()
            || WORDS.of("small").iter().any(|name| rest.trim_start().starts_with(name));
        (ends && !is_short).then_some(at + if matches!(sign, "." | "。" | "．") { 0 } else { sign.len() })
    })
}

/// Where a title ends that has stops in it: *Title. A tale of the coast. Coast Rec. 2012;3:1–9*. Before the venue, which is emphasised or stands before a
/// year and its volume, a sentence is of the title, and so is what stands behind an ordinal.
fn with_subtitles(text: &str, end: usize, mark: Option<usize>) -> usize {
    static ISSUED: Pattern = Pattern::new(r"[., ]+(?:1[5-9]|20)\d\d(?: \p{L}+\.?(?: \d{1,2})?)?;\s?\S");
    let Some(to) = mark.or_else(|| Some(end + ISSUED.find(&text[end..])?.start())) else { return end };
    let (mut at, mut title) = (end, end);
    while let Some(part) = text.get(at..to).map(|rest| rest.trim_start_matches([' ', '.', '．', '。'])) {
        let Some(many) = stop(part) else { break };
        let (part, rest) = part.split_at(many);
        at = to - rest.len();
        let is_sentence = part.split(' ').skip(1).any(|word| word.starts_with(char::is_lowercase));
        let is_of_venue = part.contains('.') || IN.iter().any(|word| part.starts_with(word));
        if is_sentence && !is_of_venue || part.ends_with(['?', '!']) {
            title = at;
        }
    }
    title
}

/// Where the name of a body ends that a text begins with: at a stop, with a title and a venue behind it.
fn split_body(text: &str) -> Option<usize> {
    let at = stop(text)?;
    let is_named = text[..at].split([' ', '’']).any(|word| WORDS.has("collective", word)) && !text[..at].contains(':');
    let behind = text[at..].trim_start_matches([' ', '.', '．', '。']);
    (is_named && behind[stop(behind)?..].contains(char::is_alphabetic)).then_some(at)
}

/// Where the names end that a text begins with, by the stop behind them: the first after which no further name stands.
fn split_names(text: &str) -> Option<usize> {
    let mut last = None;
    for (at, _) in text.match_indices(['.', '．', '。']).take(80) {
        let behind = &text[at..];
        let after = behind.chars().next().map_or(at, |c| at + c.len_utf8());
        if !(text[after..].starts_with(' ') || !behind.is_ascii() && behind.starts_with(['．', '。'])) {
            continue;
        }
        // *M. d. F. Doe*: no title begins with a small letter, and no name ends with one.
        let last_word = text[..at].rsplit(' ').next().unwrap_or_default();
        let is_small = last_word.chars().count() == 1 && last_word.starts_with(char::is_lowercase);
        if is_small || text[after..].trim_start().starts_with(char::is_lowercase) {
            continue;
        }
        if names_of(&text[..at]).is_none() {
            if last.is_some() {
                break;
            }
            continue;
        }
        let more = &text[after..];
        let part = stop(more).map_or(more, |end| &more[..end]);
        let end = more.find(". ").map_or(part, |end| &more[..end]);
        last = Some(after);
        // *Doe J, Roe K*: where all end with initials, the last does too, and what follows is the title.
        let mut parts = text[..at].split(',').map(str::trim);
        let is_sure = parts.clone().count() > 1 || last_word.chars().count() > 1;
        if is_sure && parts.all(|part| part.rsplit_once(' ').is_some_and(|(_, last)| is_initials(last))) {
            break;
        }
        if names_of(part).is_none() && names_of(end).is_none() || ends_names(&text[..at], part) {
            break;
        }
    }
    // *R. Sethi and A.*: where a family name has an initial, it ends within a name.
    let is_initial = |word: &str| word.ends_with('.') && word.chars().count() == 2;
    let is_cut = |name: &Name| name.family.contains(' ') && name.family.split(' ').any(is_initial);
    last.filter(|at| !names_of(&text[..*at]).is_some_and(|(names, _)| names.iter().any(is_cut)))
}

/// Where the names end before a colon: *Doe, Jane: Title*, *Doe, J. K., and Roe, A.: Title*.
fn split_at_colon(text: &str) -> Option<usize> {
    let at = text.find(": ")?;
    let names = &text[..at];
    let last = names.rsplit([',', ';', '&']).next().unwrap_or_default().trim();
    // *Doe, J. Tides: a survey*: there the title has begun.
    let is_name = !last.contains('.') || is_all_initials(last) || is_others(last);
    (last.len() < names.trim().len() && is_name && names_of(names).is_some()).then_some(at + 1)
}

/// Whether a list of names ends before a stop, though what follows might be a name by its letters: *Jane Doe and Ann Roe. Subspace Differential Privacy*.
fn ends_names(names: &str, next: &str) -> bool {
    let mut words = names.rsplit([' ', '\u{a0}']);
    let last = words.next().unwrap_or_default();
    let is_whole = !is_initials(last) && !is_suffix(last) && !WORDS.has("shortened", last);
    let many = next.split_whitespace().count();
    let is_title = next.split_whitespace().all(|word| !is_initials(word) && !word.ends_with(',')) && many > 1;
    // Behind *and* stands the last of them.
    let closed = WORDS.of("and").iter().any(|form| words.clone().take(3).skip(1).any(|word| word == *form))
        || names.contains(" & ");
    is_whole && is_title && (closed || many > 2 && last.chars().count() > 3)
}

/// The names of a text that is a list of them, or the name of a body.
fn read_names(text: &str) -> Option<Names> {
    let bare = text.trim_end_matches(['.', ' ', ',']);
    names_of(text).or_else(|| is_collective(bare).then(|| (vec![Name::new("", bare)], false)))
}

/// The names of a list, and whether it says that there are more; `None` when anything else is in it.
fn names_of(text: &str) -> Option<Names> {
    let mut text = text.trim().trim_end_matches([',', ':', '，', '：', ' ', '.', '．', '(', '（']).to_owned();
    let mut others = false;
    for form in WORDS.of("others") {
        let bare = text.trim_end_matches(['.', ' ']);
        let Some(before) = bare.strip_suffix(form.trim_end_matches('.')) else { continue };
        if before.ends_with([' ', ',', '，']) || !form.is_ascii() {
            text = before.trim_end_matches([' ', ',', '，', '、']).to_owned();
            others = true;
        }
    }
    for form in WORDS.of("editors") {
        if let Some(before) = text.strip_suffix(form) {
            text = before.trim_end_matches([' ', ',']).to_owned();
        }
    }
    for form in WORDS.of("and") {
        text = text.replace(&format!(" {form} "), " & ");
    }
    if text.is_empty() || text.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if text.contains([';', '；']) {
        let parts: Vec<&str> = text.split([';', '；']).map(str::trim).filter(|part| !part.is_empty()).collect();
        // *DOE, J.*: what stands before initials is a name, in whatever letters.
        let is_turned =
            |part: &str| part.split_once(',').is_some_and(|(family, given)| is_turned(family.trim(), given.trim()));
        let is_one = |part: &&str| is_turned(part) || part.split(',').all(|part| is_name(part.trim()));
        return parts.iter().all(is_one).then(|| (parts.iter().map(|part| Name::read(part)).collect(), others));
    }
    let parts: Vec<&str> =
        text.split([',', '&', '，', '、', '\u{ff0c}']).map(str::trim).filter(|part| !part.is_empty()).collect();
    // *A., P. L., Doe, J.*: where every second part is initials, the parts are pairs, whatever stands for a family name.
    if parts.len().is_multiple_of(2)
        && parts.chunks(2).all(|pair| is_turned(pair[0], pair[1]))
        && !is_all_initials(&parts.concat())
    {
        return Some((parts.chunks(2).map(|pair| Name::new(pair[1], pair[0])).collect(), others));
    }
    // *Das A, Roe KL*: so are a word and initials, whatever the word may be elsewhere.
    let is_short = |part: &str| part.rsplit_once(' ').is_some_and(|(_, last)| is_initials(last) && !last.contains('.'));
    let is_many = parts.len() > 1;
    // *Doe, J., Roe, K., and the Tide Mapping Initiative*, *Tide Study Group, Doe J, Roe K*
    let is_body = |part: &str| is_many && is_collective(part);
    let all_short = is_many && parts.iter().all(|part| is_short(part) || is_body(part));
    let is_one = |part: &&str| all_short && !part.contains('.') || is_body(part) || is_name(part);
    if parts.is_empty() || !parts.iter().all(is_one) {
        return None;
    }
    let mut names: Vec<Name> = Vec::new();
    let mut rest = parts.iter().enumerate().peekable();
    while let Some((at, part)) = rest.next() {
        if is_suffix(part) && at > 0 {
            continue;
        }
        // *Doe, J.*; and the first of *Doe, Jane, Richard Roe, and Ann Poe*.
        let turned = |next: &&(usize, &&str)| {
            is_all_initials(next.1) && !is_all_initials(part)
                || at == 0
                    && !text.split_once(*part).is_some_and(|(_, rest)| rest.trim_start().starts_with('&'))
                    && !is_unspaced(part)
                    && (capitals(part) <= 2 && !part.split(' ').any(is_initials)
                        || is_initials(part) && !is_all_initials(next.1))
                    && next.1.split(' ').count() <= 3
                    && (next.1.split(' ').count() == 1 || capitals(part) == 1)
                    && parts[2..].iter().all(|other| other.contains([' ', '\u{a0}']) || is_suffix(other))
        };
        match rest.peek().filter(turned) {
            Some((_, given)) => {
                names.push(Name::new(given, part));
                rest.next();
            }
            None => names.push(Name::read(part)),
        }
    }
    Some((names, others))
}

fn is_number(text: &str) -> bool {
    !text.contains(char::is_alphabetic)
}

/// Whether the first of two parts is a family name, and the second its given names: *Doe, J.*, *DOE, Jane*.
fn is_turned(family: &str, given: &str) -> bool {
    let is_shouted =
        |part: &str| part.chars().filter(|c| c.is_uppercase()).count() > 1 && !part.contains(char::is_lowercase);
    is_all_initials(given) || is_shouted(family) && !is_shouted(given) && is_name(given)
}

fn is_all_initials(part: &str) -> bool {
    let words: Vec<&str> = part.split([' ', '\u{a0}']).filter(|word| !word.is_empty()).collect();
    // *LI X* is a name in capitals, and *JK* are initials.
    let is_initial =
        |word: &str| is_initials(word) && (words.len() == 1 || word.contains('.') || word.chars().count() == 1);
    let is_short =
        |word: &str| word.len() == 2 && word.ends_with('.') || word.starts_with(char::is_lowercase) && is_name(word);
    words.iter().any(|word| is_initial(word)) && words.iter().all(|word| is_initial(word) || is_short(word))
}

/// The words of a name but its particles.
fn capitals(part: &str) -> usize {
    part.split(' ').filter(|word| !word.starts_with(char::is_lowercase)).count()
}

/// Whether a part of a list may be a name.
fn is_name(part: &str) -> bool {
    let is_short = |word: &&str| word.len() == 2 && word.ends_with('.');
    let plain: Vec<String> = part.split(' ').filter(|word| !is_short(word)).map(|word| word.replace('-', "")).collect();
    let is_given = part.split(' ').all(|word| is_initials(word) || is_short(&word));
    is_suffix(part) || is_given || is_person(&plain.join(" "))
}

/// The venue that a text behind a title begins with.
fn container_of(rest: &str) -> Option<String> {
    let text = IN.iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest).trim_start();
    let quoted = QUOTES.iter().find_map(|(open, close)| text.strip_prefix(*open)?.split_once(*close));
    if let Some((name, _)) = quoted {
        return Some(name.to_owned());
    }
    // *Doe, J. (eds.) Coasts 2011*
    let edited = WORDS
        .of("editors")
        .iter()
        .find_map(|form| text.split_once(form))
        .filter(|(names, _)| names_of(names).is_some());
    let text = edited.map_or(text, |(_, name)| name.trim_start());
    let end = END.find(text).map_or(text.len(), |end| end.start());
    let name = text[..end].trim_matches([' ', ',', '.', ';', '(', ':', '”', '"', '–']);
    (name.chars().any(char::is_alphabetic) && name.split_whitespace().count() <= 24 && year_in(name).is_none())
        .then(|| name.to_owned())
}
