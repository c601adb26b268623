//! What one entry of a source list says, however it is laid out.
//!
//! The layouts of `reading.md`, told apart by where the address stands: first (`URL - Title`), last (`Title: URL`,
//! `Title — URL`, `Title. URL`, `Title (URL)`), as the target of the title (`[Title](URL)`), alone, or nowhere.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::brackets;
use super::label::Label;
use super::remark::Remark;
use super::shown::{FoundAddress, PART, SEPARATORS, Shown};
use super::source_list::Entry;
use super::title::{self, is_empty_text, tidy_note, tidy_title};
use super::{accessed, further};
use crate::address::{identity, in_text};
use cited_text::Span;

/// An entry with what decides whether it is one.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub entry: Entry,
    /// Whether title, address and a short note are all that it says: no prose around a link.
    pub(crate) pure: bool,
}

/// Reads the entry that `shown` shows; `span` are all its bytes.
pub(crate) fn entry_of(mut shown: Shown, label: Option<Label>, span: Span) -> Parsed {
    // Links and anchors may hold each other; the outer one counts.
    shown.found.sort_by_key(|found| (found.at.start, std::cmp::Reverse(found.at.end)));
    let mut end = 0;
    shown.found.retain(|found| {
        let apart = found.at.start >= end;
        end = end.max(found.at.end);
        apart
    });
    let own = own_remark(&mut shown);
    name_addresses(&mut shown);
    let fields = title::of_fields(&shown.text).filter(|_| !shown.found.is_empty());
    let beside = further::taken_from(&mut shown);
    let text = shown.text.as_str();
    let found: Vec<&FoundAddress> = shown.found.iter().filter(|f| is_of_the_web(&f.address)).collect();
    let (title, main, note) = parts(text, &found, label.as_ref());
    let mut seen = HashSet::new();
    let every = main.into_iter().chain(beside.copies).chain(beside.works.iter().cloned());
    let mut addresses: Vec<String> = every.filter(|address| seen.insert(address.clone())).collect();
    let is_first = found.first().is_some_and(|first| !first.titled && text[..first.at.start].trim().is_empty());
    let mut title = fields.unwrap_or(title);
    let mut note = note;
    if let Some(shown) = addresses.first() {
        title = without_own_address(title, shown);
    }
    let mut date = None;
    for (part, in_title) in [(&mut note, false), (&mut title, true)] {
        if let Some((found, range)) = accessed::find(part).filter(|found| !in_title || is_set_off(part, &found.1)) {
            date = date.or(Some(found));
            let at = range.start;
            part.replace_range(range, "");
            // The stop after the date was the date's.
            if part[at..].chars().all(|c| c.is_whitespace() || matches!(c, '.' | ';' | ',' | '。' | '；' | '，')) {
                part.truncate(at);
            }
        }
    }
    let mut title = tidy_title(&title);
    if is_first {
        title = title::unquoted(&title).into();
    }
    let note = tidy_note(&note);
    let mut pure = !addresses.is_empty() && words(&note) <= LONGEST_NOTE && words(&title) <= LONGEST_TITLE;
    if let Some(own) = own {
        pure = true;
        if let Remark::Archived { taken, original } = own {
            // The copy that was taken then is the one to find again, and the archive is asked again for the original.
            date = date.or(taken);
            addresses.retain(|address| *address != original);
            addresses.insert(0, original);
        }
    }
    let note = Some(note).filter(|note| note.contains(char::is_alphanumeric));
    Parsed { entry: Entry { label, span, title, addresses, accessed: date, note, also: beside.works }, pure }
}

/// Whether words on when an author looked stand apart from the title that they are in: *Prices as of 1 March 2024* is one.
fn is_set_off(title: &str, words: &Range<usize>) -> bool {
    let before = title[..words.start].trim_end();
    let enclosed = before.ends_with(brackets::opens_aside);
    let opens = enclosed
        || before.is_empty()
        || before.ends_with(['.', ',', ';', ':', '。', '，', '；', '：', '—', '–', '-', '|', '"', '”', ')', ']']);
    let after = title[words.end..].trim_start();
    let closes = !after.starts_with(char::is_alphanumeric) && (enclosed || !after.starts_with([')', '）']));
    opens && closes && (enclosed || !accessed::may_be_a_title(&title[words.clone()]))
}

/// A title that names the address of its own entry says nothing by it.
fn without_own_address(title: String, shown: &str) -> String {
    let Some(start) = in_text::starts(&title).next() else { return title };
    let end = in_text::end_in(&title, start, title.len());
    if identity::key_of(&title[start..end]) == identity::key_of(shown) {
        format!("{}{}", &title[..start], &title[end..])
    } else {
        title
    }
}

/// Words of a note that still is one.
pub(super) const LONGEST_NOTE: usize = 40;
/// Words of a title that still is one.
const LONGEST_TITLE: usize = 60;

fn words(text: &str) -> usize {
    // A Han character counts as half a word.
    text.split_whitespace().count() + text.chars().filter(|c| matches!(c, '\u{3400}'..='\u{9fff}')).count() / 2
}

/// Takes what an earlier run wrote behind an entry out of it; notes may stand below.
fn own_remark(shown: &mut Shown) -> Option<Remark> {
    let whole = shown.text.trim_end();
    let mut from = 0;
    let mut parts = whole.split(PART).map(|part| {
        let begin = from;
        from += part.len() + PART.len();
        Remark::read(part).map(|(remark, at)| (remark, begin + at..begin + part.len()))
    });
    let (remark, at) = parts.find_map(|found| found)?;
    shown.text.replace_range(at.clone(), "");
    shown.found.retain(|found| found.at.end <= at.start || found.at.start >= at.end);
    for found in shown.found.iter_mut().filter(|found| found.at.start >= at.end) {
        found.at = found.at.start - at.len()..found.at.end - at.len();
    }
    Some(remark)
}

/// Whether an entry, as it is written, shows an archived copy in the words of an earlier run.
pub fn shows_copy(written: &str) -> bool {
    Remark::read(written.trim_end()).is_some_and(|(remark, _)| remark.original().is_some())
}

/// The class behind the name of a paper: ` [cs.CL]`, ` [hep-th]`.
static ARXIV_CLASS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^ ?\[[a-z]+(-[a-z]+)*(\.[A-Za-z-]+)?\]").expect("a fixed pattern"));

/// Bytes of a DOI or another name that are looked at.
const LONGEST_NAME: usize = 400;

/// Gives names (`doi:…`, `arXiv:…`, a bare `www.` host) addresses when there is no other.
fn name_addresses(shown: &mut Shown) {
    if shown.found.iter().any(|found| is_of_the_web(&found.address)) {
        return;
    }
    let text = shown.text.as_str();
    let mut found = None;
    let lower = text.to_ascii_lowercase();
    for (at, name) in memchr::memmem::find_iter(lower.as_bytes(), b"10.").map(|at| (at, "doi")).chain(
        ["arxiv:", "arxiv.", "arxiv ", "pmid:", "pmid ", "pmcid:", "www."]
            .iter()
            .filter_map(|name| memchr::memmem::find(lower.as_bytes(), name.as_bytes()).map(|at| (at, *name))),
    ) {
        if text[..at].ends_with(|c: char| c.is_alphanumeric()) && name != "doi" {
            continue;
        }
        let rest = &text[at..];
        let skip = if name == "doi" || name == "www." { 0 } else { name.len() };
        let inner = rest[skip..].trim_start();
        let start = at + rest.len() - inner.len();
        // Names are short; what goes on for longer is looked at no further.
        let limit = text.len().min(start + LONGEST_NAME);
        let limit = (0..=limit).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(start);
        let end = in_text::end_in(text, start, limit);
        if end <= start {
            continue;
        }
        let address = if name == "www." {
            Some(format!("https://{}", &text[start..end])).filter(|address| address.len() > "https://www.a.b".len())
        } else if name == "doi" {
            identity::address_of_name(&text[start..end])
        } else {
            identity::address_of_name(&format!("{}:{}", name.trim_end_matches([':', '.', ' ']), &text[start..end]))
        };
        if let Some(address) = address {
            // The class of a paper is no title: *arXiv:2401.01234 [cs.CL]*.
            let class = ARXIV_CLASS.find(&text[end..]).filter(|_| name.starts_with("arxiv"));
            let end = end + class.map_or(0, |class| class.end());
            found = Some(FoundAddress { at: at..end, address, titled: false });
            break;
        }
    }
    shown.found.extend(found);
}

/// Whether an address is one that can be asked; a name, a path or a word is none.
pub(super) fn is_of_the_web(address: &str) -> bool {
    in_text::starts(address).next() == Some(0) || address.starts_with("ftp://") || address.starts_with("//")
}

/// Title, addresses and note of an entry.
fn parts(text: &str, found: &[&FoundAddress], label: Option<&Label>) -> (String, Vec<String>, String) {
    let number_in = |f: &FoundAddress| Label::parse(text[f.at.clone()].trim_matches(['[', ']']));
    let is_number = |f: &FoundAddress| label.is_some() && number_in(f).as_ref() == label;
    let gap_is_plain = |from: usize, to: usize| {
        from <= to
            && matches!(
                text[from..to].trim_matches(SEPARATORS),
                "" | "and" | "or" | "&" | "和" | "及" | "(" | ")" | "[" | "]" | ") ("
            )
    };
    let Some(first) = found.first() else { return (text.to_owned(), Vec::new(), String::new()) };
    // `URL - Title`, `[1](URL) Title`: the address, then its title. A number in brackets before it is a label that stands there twice.
    let lead = text[..first.at.start].trim_matches(SEPARATORS).trim_end_matches(['(', '<']);
    let is_label = lead.trim_start_matches('[').trim_end_matches(['[', ']']).bytes().all(|byte| byte.is_ascii_digit());
    if is_label && (lead.is_empty() || lead.starts_with('[')) && (!first.titled || is_number(first)) {
        let mut last = 0;
        // An entry may stand under several numbers: `[1](URL) [2](URL) Title`.
        let is_label = |f: &FoundAddress| !f.titled || first.titled && matches!(number_in(f), Some(Label::Number(_)));
        while found.get(last + 1).is_some_and(|next| is_label(next) && gap_is_plain(found[last].at.end, next.at.start))
        {
            last += 1;
        }
        let mut addresses: Vec<String> = found[..=last].iter().map(|f| f.address.clone()).collect();
        let rest = &text[found[last].at.end..];
        return match found.get(last + 1) {
            // `URL - [Title](URL)`, `URL - Title URL`
            Some(next) => {
                let at = found[last].at.end;
                let end = if next.titled { next.at.end } else { next.at.start };
                addresses
                    .extend(found[last + 1..].iter().filter(|f| f.address == next.address).map(|f| f.address.clone()));
                (text[at..end].to_owned(), addresses, text[next.at.end..].to_owned())
            }
            None => (rest.to_owned(), addresses, String::new()),
        };
    }
    // `[Title](URL)`: the first link with words of its own. Behind an address with a title before it, `Title — URL, [slides](URL)`, it is
    // a note.
    let behind = found.iter().position(|f| f.titled).filter(|_| !first.titled);
    let found = &found[..behind.unwrap_or(found.len())];
    if let Some(index) = found.iter().position(|f| f.titled && !is_empty_text(&text[f.at.clone()])) {
        let mut addresses = vec![found[index].address.clone()];
        let mut end = found[index].at.end;
        for next in &found[index + 1..] {
            let plain = gap_is_plain(end, next.at.start);
            if !plain && !is_empty_text(&text[next.at.clone()]) {
                break;
            }
            addresses.push(next.address.clone());
            end = next.at.end;
        }
        return (text[..found[index].at.end].to_owned(), addresses, text[end..].to_owned());
    }
    // `Title: URL`: the last address, with those right before it that only separators part from it. A long dash is the
    // one between title and address, even of a title that ends with an address.
    let mut from = found.len() - 1;
    while from > 0
        && gap_is_plain(found[from - 1].at.end, found[from].at.start)
        && !text[found[from - 1].at.end..found[from].at.start].contains('—')
    {
        from -= 1;
    }
    let addresses = found[from..].iter().map(|f| f.address.clone()).collect();
    let end = found[found.len() - 1].at.end;
    (text[..found[from].at.start].to_owned(), addresses, text[end..].to_owned())
}
