//! The entries that the blocks of a document are, if they are entries at all.
//!
//! Whether they make a list is decided where lists are found.

use super::author_year;
use super::label::{Label, LabelStyle};
use super::layout;
use super::line_label::{LineLabel, line_label};
use super::piece::Piece;
use super::shown::{FoundAddress, Shown};
use super::source_list::{Entry, ListKind, SourceList};
use super::table;
use crate::address::in_text;
use crate::markdown::{BlockId, BlockKind, Document, InlineKind};
use cited_text::quantity::is_measured;
use cited_text::{Span, sentence};

/// The most words behind the address of a footnote that is a source.
const LONGEST_NOTE_OF_A_FOOTNOTE: usize = 12;

/// `span` without white space around.
pub(super) fn trimmed(document: &Document, span: Span) -> Span {
    without(document, span, &['\u{feff}', ' ', '\t', '\r', '\n'])
}

/// `span` without these signs at its start and white space at its end.
fn without(document: &Document, span: Span, signs: &[char]) -> Span {
    let text = document.slice(span);
    let start = span.start + (text.len() - text.trim_start_matches(signs).len());
    Span::new(start, span.start + text.trim_end().len())
}

pub(super) fn entries_of(document: &Document, piece: &Piece<'_>, headed: bool) -> SourceList {
    let Some((id, block)) = piece.block else {
        // Those with a number for a label.
        let entries = piece.definitions.iter().filter_map(|definition| {
            let label = Label::parse(&definition.label).filter(|label| label.number().is_some())?;
            let span = trimmed(document, definition.span);
            let title = definition.title.clone().unwrap_or_default();
            let address = definition.address.clone();
            let text = if title.is_empty() { address.clone() } else { format!("{title} — {address}") };
            let whole = Span::new(text.len() - address.len(), text.len());
            // What is no address is words, behind which one may stand without a space: *世界银行：https://…*.
            let own = Some(whole).filter(|_| layout::is_of_the_web(&address));
            let found = own.map_or_else(|| in_text::each(&text).collect(), |own| vec![own]).into_iter().map(|at| {
                let address = at.slice(&text).to_owned();
                FoundAddress { at: at.start..at.end, address, titled: false, place: None }
            });
            let entry = layout::entry_of(Shown { found: found.collect(), text: text.clone() }, Some(label), span);
            Some(Entry { is_pure: true, style: LabelStyle::Bracket, ..entry })
        });
        return SourceList { entries: entries.collect(), kind: ListKind::Definitions, ..SourceList::default() };
    };
    let (entries, kind) = match &block.kind {
        BlockKind::Paragraph | BlockKind::Heading(_) => {
            return lines_of(document, id, trimmed(document, block.span), headed);
        }
        BlockKind::List(_) => (item_entries(document, id, headed), ListKind::Lines),
        BlockKind::Table if headed => {
            (table::entries_of(document, id).into_iter().map(|row| row.entry).collect(), ListKind::Table)
        }
        BlockKind::FootnoteDefinition(label) => {
            (footnote_entry(document, id, label, headed).into_iter().collect(), ListKind::Footnotes)
        }
        _ => (Vec::new(), ListKind::Lines),
    };
    SourceList { entries, kind, blocks: vec![id], ..SourceList::default() }
}

/// A footnote whose text is a source.
fn footnote_entry(document: &Document, id: BlockId, label: &str, headed: bool) -> Option<Entry> {
    let leaves: Vec<BlockId> = document.leaves_in(document.block(id).span).collect();
    let (leaf, further) = leaves.split_first()?;
    // Further paragraphs are words on the source; what cites or leads elsewhere is prose.
    let mut notes = Vec::new();
    for id in further {
        let shown = Shown::leaf(document, *id);
        let cites = document.inlines(*id).iter().any(|inline| matches!(inline.kind, InlineKind::FootnoteReference(_)));
        if document.block(*id).kind != BlockKind::Paragraph || !shown.found.is_empty() || cites {
            return None;
        }
        notes.push(shown.line());
    }
    if notes.iter().map(|note| layout::words(note)).sum::<usize>() > layout::LONGEST_NOTE {
        return None;
    }
    let shown = Shown::leaf(document, *leaf);
    // Several sentences before an address are prose that cites it, and would be lost as a title.
    let before = shown.found.first().map_or("", |found| &shown.text[..found.at.start]);
    if before.ends_with('(') && is_measured(before) && sentence::sentences(before).len() > 1 {
        return None;
    }
    let mut parsed = layout::entry_of(shown, Label::parse(label), trimmed(document, document.block(id).span));
    // Behind the address of a source stand few words; behind that of a remark its sentence goes on.
    let goes_on = || layout::words(parsed.note.as_deref().unwrap_or_default()) > LONGEST_NOTE_OF_A_FOOTNOTE;
    let is_listed = || !parsed.addresses.is_empty() || parsed.title.len() > 3;
    let is_source = if headed { is_listed() } else { parsed.is_pure && !goes_on() };
    let notes = parsed.note.take().into_iter().chain(notes).collect::<Vec<_>>().join(". ");
    parsed.note = Some(notes).filter(|notes| !notes.is_empty());
    let words = document.content_span(*leaf).start;
    is_source.then_some(Entry { style: LabelStyle::Footnote, words, ..parsed })
}

/// The entries that the lines of a paragraph are: each labelled line starts one; without labels, each line that is
/// nothing but a source is one.
pub(super) fn lines_of(document: &Document, id: BlockId, content: Span, headed: bool) -> SourceList {
    let text = document.text();
    let (mut lines, mut start) = (Vec::new(), content.start);
    for line in content.slice(text).split('\n') {
        // What stands before the inlines of a line is formatting or the mark of a block around.
        lines.push(without(document, Span::new(start, start + line.len()), &[' ', '\t', '>']));
        start += line.len() + 1;
    }
    lines.retain(|line| !line.is_empty());
    let labels =
        |line: Span| line_label(line.slice(text)).filter(|label| headed || label.style.is_written_in_brackets());
    let mut found = SourceList { blocks: vec![id], ..SourceList::default() };
    if !lines.iter().any(|line| labels(*line).is_some()) {
        let entry = |line| layout::entry_of(Shown::render(document, &[id], line), None, line);
        // One reference to a work, *Lee, C., & Park, S. (2019). Naps. Press.*, wrapped or not, and with an address or without.
        let mut begins = lines.iter().map(|line| author_year::is_reference(line.slice(text)));
        let addresses = lines.iter().filter(|line| address_in(line.slice(text))).count();
        if headed && begins.next() == Some(true) && !begins.any(|begins| begins) && addresses < 2 {
            found.entries.push(Entry { is_pure: true, ..entry(content) });
        } else if headed {
            found.entries.extend(lines.into_iter().map(entry).filter(|entry| entry.is_pure));
        }
        return found;
    }
    let mut labelled: Vec<(LineLabel, Span)> = Vec::new();
    let (mut is_open, mut has_address) = (false, false);
    for line in lines {
        let gives_address = address_in(line.slice(text));
        if let Some(label) = labels(line) {
            labelled.push((label, line));
            (is_open, has_address) = (true, gives_address);
        } else if let Some((_, span)) = labelled.last_mut().filter(|_| is_open && (!has_address || gives_address)) {
            // A wrapped line goes on with the entry until it has its address.
            span.end = line.end;
            has_address |= gives_address;
        } else {
            is_open = false;
        }
    }
    found.entries.extend(labelled.into_iter().flat_map(|(label, span)| {
        entries_on_line(document, &[id], (Some(label.label), label.style), span, span.start + label.end)
    }));
    found
}

/// The entry in `span`, whose words begin at `from`, and those that stand behind it on its line: `1. A. URL 2. B. URL`, `[1] URL<br>[2] URL`.
fn entries_on_line(
    document: &Document,
    leaves: &[BlockId],
    (mut label, style): (Option<Label>, LabelStyle),
    span: Span,
    mut from: usize,
) -> Vec<Entry> {
    let (mut start, end, mut parsed) = (span.start, span.end.max(from), Vec::new());
    loop {
        let next = next_on_line(&document.text()[from..end], label.as_ref(), style);
        let until = next.as_ref().map_or(end, |(at, _)| from + at);
        let shown = Shown::render(document, leaves, Span::new(from, until));
        let whole =
            if next.is_some() { trimmed(document, Span::new(start, until)) } else { Span::new(start, span.end) };
        parsed.push(Entry { style, words: from, ..layout::entry_of(shown, label, whole) });
        let Some((_, found)) = next else { return parsed };
        (start, from, label) = (until, until + found.end, Some(found.label));
    }
}

/// Where the entry with the next number begins in the words of one, behind its address, and its label.
fn next_on_line(words: &str, label: Option<&Label>, style: LabelStyle) -> Option<(usize, LineLabel)> {
    let Some(Label::Number(number)) = label else { return None };
    memchr::memchr2_iter(b' ', b'>', words.as_bytes()).find_map(|at| {
        let is_behind = address_in(words[..at].rsplit(char::is_whitespace).next()?);
        let found = is_behind.then(|| line_label(&words[at + 1..])).flatten()?;
        let is_next = found.end > 0 && found.label == Label::Number(number + 1) && found.style == style;
        (is_next && address_in(&words[at + 1 + found.end..])).then_some((at + 1, found))
    })
}

fn address_in(text: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), b"://").is_some()
}

/// The entries that the items of a list are; under a heading of sources names in brackets label them too: `- [S1] …`.
fn item_entries(document: &Document, list: BlockId, headed: bool) -> Vec<Entry> {
    let (text, mut parsed, mut open) = (document.text(), Vec::new(), vec![list]);
    // Nested lists of sources are read in place of an item that only names their group.
    while let Some(id) = open.pop() {
        let block = document.block(id);
        if block.kind != BlockKind::Item {
            open.extend(block.children.iter().rev());
            continue;
        }
        let span = trimmed(document, block.span);
        let mark = item_mark(span.slice(text));
        let content = Span::new(span.start + mark.1, span.end);
        // A name that is a link, `[ES.48][]: …`, has the address of the entry.
        let named = |label: &LineLabel| {
            let may_label = label.style == LabelStyle::Name || label.style == LabelStyle::Numbered && mark.0.is_none();
            headed && may_label && document.links_in(Span::new(content.start, content.start + label.end)).is_empty()
        };
        let inner =
            line_label(content.slice(text)).filter(|label| label.style.is_written_in_brackets() || named(label));
        let (label, style, from) = match (inner, mark.0) {
            (Some(inner), _) => (Some(inner.label), inner.style, content.start + inner.end),
            (None, Some(label)) => (Some(label), LabelStyle::Dot, content.start),
            (None, None) => (None, LabelStyle::None, content.start),
        };
        let nested: Vec<BlockId> = block
            .children
            .iter()
            .copied()
            .filter(|id| matches!(document.block(*id).kind, BlockKind::List(_)))
            .collect();
        let leaves: Vec<BlockId> = document.leaves_in(block.span).collect();
        let written = |item: &BlockId| document.slice(document.block(*item).span).trim_start();
        // An item below an entry is one too where it has a label in brackets, and an address.
        let is_source = |item: &BlockId| {
            let label = line_label(&written(item)[item_mark(written(item)).1..]);
            label.is_some_and(|label| label.style.is_written_in_brackets()) && address_in(written(item))
        };
        let below = nested.iter().flat_map(|list| &document.block(*list).children).copied();
        let own: Vec<BlockId> = below.filter(is_source).collect();
        // Two items of a list have an address each, and the words above it have none.
        let heads_sources = |list: &BlockId| {
            let list = document.block(*list);
            let addressed = list.children.iter().filter(|item| address_in(written(item)));
            !address_in(document.slice(Span::new(span.start, list.span.start))) && addressed.count() >= 2
        };
        let (span, below) = match (own.first(), nested.first()) {
            (Some(first), _) if label.is_some() => {
                (trimmed(document, Span::new(span.start, document.block(*first).span.start.max(from))), own)
            }
            // It is nothing but the head of a group.
            (_, Some(list)) if label.is_none() && heads_sources(list) => {
                open.extend(nested.into_iter().rev());
                continue;
            }
            _ => (span, Vec::new()),
        };
        parsed.extend(entries_on_line(document, &leaves, (label, style), span, from));
        open.extend(below.into_iter().rev());
    }
    // `1. 1. 1.` is how some write a list whose numbers Markdown counts: they are 1, 2, 3.
    if let Some(from) = parsed.first().and_then(|first: &Entry| first.label.as_ref()?.number())
        && parsed.iter().all(|one| one.style == LabelStyle::Dot && one.label == Some(Label::Number(from)))
    {
        parsed.iter_mut().zip(from..).for_each(|(one, number)| one.label = Some(Label::Number(number)));
    }
    parsed
}

/// The number of an ordered item as written, and the length of the mark, which may be all of it.
pub(super) fn item_mark(item: &str) -> (Option<Label>, usize) {
    let digits = item.bytes().take_while(u8::is_ascii_digit).count();
    let mark = if digits > 0 { digits + 1 } else { usize::from(item.starts_with(['-', '*', '+'])) };
    let rest = item.get(mark..).unwrap_or_default();
    let length = item.len() - rest.trim_start().len();
    (Label::parse(&item[..digits]).filter(|_| digits > 0), length)
}

/// The numbers that entries without labels begin with are their labels when they count up from 1: `1 Title https://…`.
pub(super) fn label_bare_numbers(text: &str, parsed: &mut [Entry]) {
    let bare = |(i, parsed): (usize, &Entry)| {
        let rest = parsed.title.strip_prefix((i + 1).to_string().as_str())?;
        let is_bare = parsed.style == LabelStyle::None && (rest.is_empty() || rest.starts_with(' '));
        is_bare.then(|| rest.trim_start().to_owned())
    };
    let titles: Option<Vec<String>> = parsed.iter().enumerate().map(bare).collect();
    for (number, (parsed, title)) in
        (1..).zip(parsed.iter_mut().zip(titles.filter(|titles| titles.len() > 1).into_iter().flatten()))
    {
        // Where signs stand before the number, it is written as a part of the words: `[1 Title](…)`.
        let behind = text.get(parsed.words..).and_then(|words| words.strip_prefix(&number.to_string()));
        if let Some(behind) = behind {
            parsed.words = text.len() - behind.trim_start().len();
        }
        parsed.title = title;
        parsed.label = Some(Label::Number(number));
        parsed.style = LabelStyle::Dot;
    }
}
