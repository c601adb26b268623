//! What one entry of a source list says, however it is laid out.
//!
//! The layouts of entries, told apart by where the address stands: first (`URL - Title`), last (`Title: URL`,
//! `Title — URL`, `Title. URL`, `Title (URL)`), as the target of the title (`[Title](URL)`), alone, or nowhere.

use super::accessed;
use super::each_once;
use super::label::Label;
use super::reference::dois_in;
use super::remark::Remark;
use super::shown::{FoundAddress, PART, SEPARATORS, Shown};
use super::source_list::Entry;
use super::title::{is_empty_text, tidy_note, tidy_title};
use crate::address::{identity, in_text};
use crate::pattern::Pattern;
use cited_text::Span;

/// Reads the entry that `shown` shows; `span` are all its bytes.
pub(crate) fn entry_of(mut shown: Shown, label: Option<Label>, span: Span) -> Entry {
    let own = own_remark(&mut shown);
    name_addresses(&mut shown);
    let text = shown.text.as_str();
    let found: Vec<&FoundAddress> = shown.found.iter().filter(|f| is_of_the_web(&f.address)).collect();
    let mut entry = parts(text, &found, label.as_ref());
    let (mut title, mut addresses) = (entry.title, each_once(entry.addresses));
    let mut note = entry.note.take().unwrap_or_default();
    // A title that names the address of its own entry says nothing by it.
    let at = addresses.first().and(in_text::each(&title).next());
    if let Some(at) = at.filter(|at| identity::key_of(at.slice(&title)) == identity::key_of(&addresses[0])) {
        title.replace_range(at.start..at.end, "");
    }
    let mut date = None;
    for part in [&mut note, &mut title] {
        if let Some((found, range)) = accessed::find(part) {
            date = date.or(Some(found));
            let at = range.start;
            part.replace_range(range, "");
            // The stop after the date was the date's.
            if part[at..].chars().all(|c| c.is_whitespace() || matches!(c, '.' | ';' | ',' | '。' | '；' | '，')) {
                part.truncate(at);
            }
        }
    }
    // Escaped brackets in the words of an entry are brackets, whatever they hold.
    let plain =
        |words: String| [r"\[", r"\]", r"\(", r"\)"].iter().fold(words, |words, sign| words.replace(sign, &sign[1..]));
    let (title, note) = (plain(tidy_title(&title)), plain(tidy_note(&note)));
    let mut is_pure = !addresses.is_empty() && words(&note) <= LONGEST_NOTE && words(&title) <= LONGEST_TITLE;
    if let Some(own) = own {
        is_pure = true;
        if let Remark::Archived { taken, original } = own {
            // The copy that was taken then is the one to find again, and the archive is asked again for the original.
            date = date.or(taken);
            addresses.retain(|address| *address != original);
            addresses.insert(0, original);
        }
    }
    let note = Some(note).filter(|note| note.contains(char::is_alphanumeric));
    Entry { label, span, words: span.start, title, addresses, accessed: date, note, is_pure, ..entry }
}

/// Words of a note that still is one.
pub(super) const LONGEST_NOTE: usize = 40;
/// Words of a title that still is one.
const LONGEST_TITLE: usize = 60;

pub(super) fn words(text: &str) -> usize {
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
    // What stands behind it keeps its place.
    shown.text.replace_range(at.clone(), &" ".repeat(at.len()));
    shown.found.retain(|found| found.at.end <= at.start || found.at.start >= at.end);
    Some(remark)
}

/// Whether an entry, as it is written, shows an archived copy in the words of an earlier run.
pub fn shows_copy(written: &str) -> bool {
    Remark::read(written.trim_end()).is_some_and(|(remark, _)| remark.original().is_some())
}

/// A name that is no DOI, with the class behind that of a paper, which is no title: *arXiv:2401.01234 [cs.CL]*, *PMID: 31101777*.
static NAME: Pattern = Pattern::made(|| {
    let id = r"((?:[a-z-]+(?:\.[a-z]{2})?/|PMC)?\d[\d.]*(?:v\d+)?\b)";
    let class = r"(?-i: ?\[[a-z]+(?:-[a-z]+)*(?:\.[A-Za-z-]+)?\])?";
    format!(r"(?i)\b(arxiv|pmid|pmcid)[:. ]\s*{id}{class}")
});

/// Gives names (`doi:…`, `arXiv:…`, a bare `www.` host) addresses when there is no other.
fn name_addresses(shown: &mut Shown) {
    if shown.found.iter().any(|found| is_of_the_web(&found.address)) {
        return;
    }
    let text = shown.text.as_str();
    let doi = dois_in(text).find_map(|(at, _)| Some((at.clone(), identity::address_of_name(&text[at])?)));
    let name = || {
        NAME.captures_iter(text).find_map(|found| {
            let address = identity::address_of_name(&format!("{}:{}", &found[1], &found[2]))?;
            Some((found.get(0)?.range(), address))
        })
    };
    let host = || {
        let start = in_text::bare_hosts(text).next()?;
        let end = in_text::end_in(text, start, text.len());
        Some((start..end, format!("https://{}", &text[start..end])))
    };
    let found = doi.or_else(name).or_else(host);
    shown.found.extend(found.map(|(at, address)| FoundAddress { at, address, titled: false, place: None }));
}

/// Whether an address is one that can be asked; a name, a path or a word is none.
pub(super) fn is_of_the_web(address: &str) -> bool {
    in_text::is_at_start(address) || address.starts_with("ftp://") || address.starts_with("//")
}

/// Words that lead to a further address; more of them say something of the work.
const MOST_WORDS: usize = 6;

/// What an entry says beside its label, as far as that is plain from where its addresses stand. Whatever words lead to them, all addresses that stand in it are its own.
fn parts(text: &str, found: &[&FoundAddress], label: Option<&Label>) -> Entry {
    let Some(first) = found.first() else { return Entry { title: text.to_owned(), ..Entry::default() } };
    let number_in = |f: &FoundAddress| Label::parse(text[f.at.clone()].trim_matches(['[', ']']));
    // `URL - Title`, `[1](URL) Title`: the address, then its title. A number in brackets before it is a label that stands there twice.
    let lead = text[..first.at.start].trim_matches(SEPARATORS).trim_end_matches(['(', '<']);
    let is_label = lead.trim_start_matches('[').trim_end_matches(['[', ']']).bytes().all(|byte| byte.is_ascii_digit());
    let is_number = label.is_some() && number_in(first).as_ref() == label;
    let is_first = is_label && (lead.is_empty() || lead.starts_with('[')) && (!first.titled || is_number);
    let main = if is_first { 0 } else { main_address(text, found) };
    let own = found[main];
    let is_titled = !is_first && own.titled && !is_empty_text(&text[own.at.clone()]);
    let mut title = text[..if is_titled { own.at.end } else { own.at.start }].to_owned();
    let mut also = Vec::new();
    // What is said between the addresses behind it and after them, without the few words that lead to each.
    let (mut said, mut done) = (Vec::new(), own.at.end);
    for next in &found[main + 1..] {
        let gap = &text[done..next.at.start];
        let speak = || [gap, &title].iter().all(|words| words.contains(char::is_alphabetic));
        let is_work = gap.trim_start_matches([')', '）', '>', '.', ' ']).starts_with([';', '；'])
            && if next.titled { is_titled } else { speak() };
        also.extend(is_work.then(|| next.address.clone()));
        let leads = leading_words(gap, is_first && said.iter().all(|words: &String| words.trim().is_empty()));
        let is_led_to = words(&gap[leads..]) <= MOST_WORDS;
        said.push(text[done..if is_led_to { done + leads } else { next.at.end }].to_owned());
        done = next.at.end;
    }
    said.push(text[done..].to_owned());
    if is_first {
        // A label may stand there once more: `[[1]](URL)[1] URL - Title`.
        let repeats_label = |words: &str| Label::parse(words.trim_matches([' ', '[', ']'])).as_ref() == label;
        let says = |words: &String| words.contains(char::is_alphanumeric) && !repeats_label(words);
        let at = said.iter().position(says).unwrap_or(0);
        title = said.drain(..=at).next_back().unwrap_or_default();
    }
    let addresses = found[main..].iter().chain(&found[..main]).map(|f| f.address.clone()).collect();
    let note = Some(said.join(" ").trim().to_owned());
    Entry { title, addresses, place: own.place, also, note, ..Entry::default() }
}

/// Where the words begin in what stands before a further address that lead to it: behind the last sign that parts them from others. Of a
/// title they are no more than a part.
fn leading_words(gap: &str, in_title: bool) -> usize {
    let signs: &[char] = if in_title { &['(', '[', '（', '—', '–', '|', '。', '；', ';'] } else { SET_APART };
    let end = gap.trim_end_matches(|c: char| !c.is_alphanumeric()).len();
    let sign = gap[..end].rfind(signs).map(|at| at + gap[at..].chars().next().map_or(0, char::len_utf8));
    let at = sign.max(gap[..end].rfind(". ").map(|at| at + 1)).unwrap_or(0);
    let opens = gap[end..].find(['(', '[', '（']).map_or(gap.len(), |at| end + at);
    if in_title && !gap[..at].contains(char::is_alphanumeric) { opens } else { at }
}

/// Signs behind which words stand by themselves.
const SET_APART: &[char] = &['(', '[', '（', '—', '–', '|', '。', '；', ';', ',', '，', '、', ':', '：', '·'];

/// Which address of an entry is the one to show: the first that is no part of its title.
fn main_address(text: &str, found: &[&FoundAddress]) -> usize {
    let first = found[0];
    let before = text[..first.at.start].trim_end();
    if first.titled {
        // `[PDF](URL) [Title](URL)`: the first link with words of its own, unless words before it are the title: `Title. [Link](URL)`.
        let is_title = |f: &&FoundAddress| f.titled && !is_empty_text(&text[f.at.clone()]);
        return found.iter().position(is_title).filter(|_| !before.contains(char::is_alphabetic)).unwrap_or(0);
    }
    // Behind an address with a title before it, `Title — URL, [slides](URL)`, a link is a further one.
    let last = found.iter().position(|f| f.titled).unwrap_or(found.len()) - 1;
    let gap = text[..found[last].at.start].trim_end();
    // `… — URL` at the end is how a title and its address are written, even of a title that ends with an address; behind `… — URL` it is
    // another address.
    let is_title = text[found[last].at.end..].trim().is_empty()
        && !text[first.at.end..found[last].at.start.max(first.at.end)].contains('(')
        && gap.ends_with('—')
        && !before.ends_with('—');
    if is_title { last } else { 0 }
}
