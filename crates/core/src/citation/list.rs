//! Finding the source lists of a document, by heading or by shape.
//!
//! A heading alone is never enough, and a shape alone only when its labels stand in brackets or every item is nothing
//! but a source: a bulleted list of links in the prose stays prose.

use std::collections::HashSet;

use super::brackets;
use super::cited::is_cited;
use super::entries::{Entries, entries_of, is_bracket, is_label, item_mark, label_bare_numbers, lines_of, trimmed};
use super::heading;
use super::label::Label;
use super::layout::{self, Parsed};
use super::line_label::{LabelStyle, line_label};
use super::nearby::parts_members;
use super::piece::{Piece, PieceKind, block_of, pieces_of};
use super::scope::set_scopes;
use super::shown::{Shown, without_escapes};
use super::source_list::{Entry, ListKind, SourceList};
use crate::address::identity::key_of;
use crate::markdown::{Block, BlockId, BlockKind, Document, LinkStyle, SEPARATOR};
use crate::shares;
use cited_text::Span;

/// The heading of a list.
struct Heading {
    span: Span,
    level: Option<u8>,
    title: String,
    /// Where the entries start in the heading's own block: a paragraph whose first line is the heading.
    rest: Option<Span>,
}

/// The source lists of `document`, in order.
pub fn lists_of(document: &Document) -> Vec<SourceList> {
    let mut lists = lists_in(document, &pieces_of(document, false));
    // Some set their list off as a quotation. Beside another one, a list in a quotation is quoted.
    if lists.is_empty() {
        lists = lists_in(document, &pieces_of(document, true));
    }
    set_scopes(document, &mut lists);
    lists
}

fn lists_in(document: &Document, pieces: &[Piece]) -> Vec<SourceList> {
    let mut lists: Vec<SourceList> = Vec::new();
    let cited = cited_definitions(document);
    // Most pieces are neither a heading of sources nor written like them: to see that is most of the work.
    let may_begin = |piece: &Piece| heading_at(document, piece).is_some() || may_be_source_list(document, piece);
    let threads = shares::threads_for(document.text().len());
    let beginnings =
        shares::each_run(pieces.len(), threads, |run| pieces[run].iter().map(may_begin).collect::<Vec<_>>()).concat();
    let mut at = 0;
    while at < pieces.len() {
        if !beginnings[at] {
            at += 1;
            continue;
        }
        let taken = under_heading(document, pieces, at).or_else(|| by_shape(document, pieces, at, &cited));
        match taken {
            Some((list, next)) if list.heading.is_none() && follows_separator(document, pieces, at) => at = next,
            Some((list, next)) => {
                lists.push(list);
                at = next.max(at + 1);
            }
            None => at += 1,
        }
    }
    if lists.is_empty()
        && let Some(list) = closing_list(document, pieces).or_else(|| list_to_come(document, pieces))
    {
        lists.push(list);
    }
    if let Some(list) = list_in_open_fence(document) {
        lists.push(list);
    }
    lists
}

/// The lists but those at the places `text`, each with the part of the document that it speaks for.
pub(crate) fn drop_lists(document: &Document, lists: Vec<SourceList>, text: &[usize]) -> Vec<SourceList> {
    let kept = lists.into_iter().enumerate().filter(|(at, _)| !text.contains(at));
    let mut kept: Vec<SourceList> = kept.map(|(_, list)| list).collect();
    set_scopes(document, &mut kept);
    kept
}

/// Whether an earlier run wrote before the piece at `at` that nothing there is a list.
fn follows_separator(document: &Document, pieces: &[Piece], at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| is_separator(document, &pieces[before]))
}

/// Whether a piece is what an earlier run wrote to keep a heading and what stands below it from being a list.
fn is_separator(document: &Document, piece: &Piece) -> bool {
    block_of(document, piece)
        .is_some_and(|(_, block)| block.kind == BlockKind::Html && document.slice(block.span).trim() == SEPARATOR)
}

/// The sections that cited itself has written: from their heading to the next one of the same level, or to a source list.
pub(crate) fn own_sections(document: &Document, lists: &[SourceList]) -> Vec<Span> {
    let mut sections = document.sections(heading::is_own_section);
    // What stands behind a list is the document's own.
    for section in &mut sections {
        let starts = lists.iter().map(|list| list.heading.unwrap_or(list.span).start);
        section.end =
            starts.filter(|start| section.start < *start && *start < section.end).min().unwrap_or(section.end);
    }
    sections
}

/// Whether a heading block is one of a single line; a list right above a rule is a heading to Markdown.
fn heading_level(document: &Document, piece: &Piece) -> Option<u8> {
    let (id, block) = block_of(document, piece)?;
    match block.kind {
        BlockKind::Heading(level) if !is_list_above_rule(document, id) => Some(level),
        _ => None,
    }
}

fn is_list_above_rule(document: &Document, id: BlockId) -> bool {
    let text = document.slice(document.content_span(id));
    text.contains('\n') && text.lines().filter(|line| line_label(line).is_some()).count() >= 1
}

fn heading_at(document: &Document, piece: &Piece) -> Option<Heading> {
    let (id, block) = block_of(document, piece)?;
    let content = document.content_span(id);
    let text = document.slice(content);
    if let Some(level) = heading_level(document, piece) {
        let title = heading::list_heading(&shown_line(document, id))?;
        return Some(Heading { span: trimmed(document, block.span), level: Some(level), title, rest: None });
    }
    if !matches!(block.kind, BlockKind::Paragraph | BlockKind::Heading(_)) {
        return None;
    }
    let line = text.lines().next()?;
    if line.len() > heading::LONGEST_HEADING {
        return None;
    }
    // Emphasis stands outside of the inlines of a leaf: take the whole line.
    let line_span = whole_lines(document, Span::new(content.start, content.start + line.len()));
    let title = heading::list_heading(document.slice(line_span))?;
    let rest = Span::new((content.start + line.len()).min(content.end), trimmed(document, block.span).end);
    let rest = (!document.slice(rest).trim().is_empty()).then_some(rest);
    Some(Heading { span: line_span, level: None, title, rest })
}

fn shown_line(document: &Document, id: BlockId) -> String {
    crate::markdown::Rendered::render(document, id, &[]).text
}

/// `span` with the rest of its first and last line, without white space around and the signs of a quotation before it.
fn whole_lines(document: &Document, span: Span) -> Span {
    let text = document.text();
    let start = memchr::memrchr(b'\n', &text.as_bytes()[..span.start]).map_or(0, |at| at + 1);
    let line = &text[start..span.end];
    let start = start + line.len() - line.trim_start_matches(['>', ' ', '\t']).len();
    let end = memchr::memchr(b'\n', &text.as_bytes()[span.end..]).map_or(text.len(), |at| span.end + at);
    trimmed(document, Span::new(start, end))
}

/// The list under the heading at `at`, and the piece after it.
fn under_heading(document: &Document, pieces: &[Piece], at: usize) -> Option<(SourceList, usize)> {
    let mut heading = heading_at(document, &pieces[at])?;
    let mut found: Vec<(usize, Entries)> = Vec::new();
    if let Some(rest) = heading.rest
        && let Some((id, _)) = block_of(document, &pieces[at])
    {
        found.push((at, lines_of(document, id, rest, true)));
    }
    let mut next = at + 1;
    // Whether what follows stands under a heading of its own or after prose: only what is nothing but sources counts.
    let mut strict = false;
    while let Some(piece) = pieces.get(next) {
        if found.is_empty() && is_separator(document, piece) {
            return None;
        }
        if let Some(level) = heading_level(document, piece) {
            let words = block_of(document, piece).map(|(id, _)| shown_line(document, id)).unwrap_or_default();
            let names_sources = heading::list_heading(&words).is_some();
            if names_sources && found.is_empty() && next > at + 1 {
                // The entries stand under a heading of their own: the one above, `# Footnotes`, heads the document.
                return None;
            }
            if names_sources && found.is_empty() && next == at + 1 && heading.rest.is_none() {
                heading.span = heading.span.cover(trimmed(document, piece.span));
                next += 1;
                continue;
            }
            let deeper = heading.level.is_some_and(|own| level > own);
            if !deeper || heading::is_own_section(&words) {
                break;
            }
            strict |= !names_sources;
            next += 1;
            continue;
        }
        // Below a plain line the entries follow at once, and a second one starts a list of its own.
        if heading.level.is_none() && found.is_empty() && next > at + 1 {
            break;
        }
        if let Some(inner) = heading_at(document, piece) {
            if inner.rest.is_some() && found.is_empty() && next > at + 1 {
                // So it is where a line above the entries, in their own paragraph, names them again below prose.
                return None;
            }
            let own = inner.rest.and_then(|rest| Some(lines_of(document, block_of(document, piece)?.0, rest, true)));
            if heading.level.is_none() || own.as_ref().is_some_and(|own| repeats(own, &found)) {
                break;
            }
            found.extend(own.filter(|own| accepts(own, strict)).map(|own| (next, own)));
            next += 1;
            continue;
        }
        let mut entries = entries_of(document, piece, true);
        // Footnotes below a list, where word processors put them, count for themselves.
        if entries.kind == ListKind::Footnotes && found.last().is_some_and(|(_, list)| list.kind != entries.kind) {
            break;
        }
        if takes_address(&mut found, &mut entries)
            || accepts(&entries, strict && !counts_on(&entries, &found) || !goes_on(&entries, &found))
        {
            found.push((next, entries));
        }
        next += 1;
    }
    let after = found.last().map_or(at, |(place, _)| *place) + 1;
    Some((build(document, pieces, Some(heading), found)?, after))
}

/// Whether the first label of `entries` is one of those found before.
fn repeats(entries: &Entries, found: &[(usize, Entries)]) -> bool {
    let Some(first) = entries.parsed.iter().find_map(|(parsed, _)| parsed.entry.label.clone()) else { return false };
    found.iter().flat_map(|(_, entries)| &entries.parsed).any(|(parsed, _)| parsed.entry.label.as_ref() == Some(&first))
}

/// Whether the first number of `entries` is the one behind the last of those found before.
fn counts_on(entries: &Entries, found: &[(usize, Entries)]) -> bool {
    let number = |entry: Option<&(Parsed, LabelStyle)>| entry?.0.entry.label.as_ref()?.number();
    let last = found.last().and_then(|(_, before)| number(before.parsed.last()));
    last.is_some_and(|last| number(entries.parsed.first()) == Some(last + 1))
}

/// Whether `entries` go on where those found before end: with the next number, or written like them. Items that follow a
/// list and count anew are the document's own.
fn goes_on(entries: &Entries, found: &[(usize, Entries)]) -> bool {
    let Some((_, before)) = found.last() else { return true };
    let (Some((_, last_style)), Some((_, style))) = (before.parsed.last(), entries.parsed.first()) else {
        return true;
    };
    counts_on(entries, found) || (style == last_style && is_bracket(*style)) || before.kind != entries.kind
}

/// Whether the entries of one piece under a heading are entries at all.
fn accepts(entries: &Entries, strict: bool) -> bool {
    let count = entries.parsed.len();
    let pure = entries.parsed.iter().filter(|(parsed, _)| parsed.pure).count();
    let labelled = entries.parsed.iter().filter(|(_, style)| is_label(*style)).count();
    if count == 0 {
        return false;
    }
    if strict {
        return pure == count || (labelled == count && pure * 2 >= count);
    }
    // Ordered items count as labelled, bullets need addresses: most of them.
    labelled == count || pure * 2 >= count
}

/// A list that only its shape tells: labels in brackets, or footnotes and definitions that are sources.
fn by_shape(document: &Document, pieces: &[Piece], at: usize, cited: &HashSet<Label>) -> Option<(SourceList, usize)> {
    let mut found: Vec<(usize, Entries)> = Vec::new();
    let mut next = at;
    let mut kind = None;
    while let Some(piece) = pieces.get(next) {
        if !may_be_source_list(document, piece) {
            break;
        }
        if let Some(entries) = address_again(document, piece, &found) {
            found.push((next, entries));
            next += 1;
            continue;
        }
        let entries = entries_of(document, piece, false);
        let parsed = &entries.parsed;
        let good = match entries.kind {
            ListKind::Footnotes => !parsed.is_empty(),
            ListKind::Definitions => {
                parsed.iter().filter_map(|(parsed, _)| parsed.entry.label.as_ref()).any(|label| cited.contains(label))
            }
            ListKind::Lines => {
                let sources = parsed.iter().filter(|(parsed, style)| parsed.pure && is_bracket(*style)).count();
                sources > 0 && parsed.iter().all(|(_, style)| is_bracket(*style)) && sources * 2 >= parsed.len()
            }
            ListKind::Table => false,
        };
        if !good || kind.is_some_and(|kind| kind != entries.kind) {
            break;
        }
        kind = Some(entries.kind);
        found.push((next, entries));
        next += 1;
    }
    let count: usize = found.iter().map(|(_, entries)| entries.parsed.len()).sum();
    let entries = || found.iter().flat_map(|(_, entries)| &entries.parsed).map(|(parsed, _)| parsed.entry.clone());
    if count < 2
        && !matches!(kind, Some(ListKind::Footnotes | ListKind::Definitions))
        && !is_only_entry_cited(document, &entries().collect::<Vec<_>>())
    {
        return None;
    }
    let heading = if kind == Some(ListKind::Lines) { lone_heading(document, pieces, (at, next), &found) } else { None };
    Some((build(document, pieces, heading, found)?, next))
}

/// Whether a paragraph is the address of the entry above it, as it stands where an empty line follows each line: that entry takes it.
fn takes_address(found: &mut [(usize, Entries)], entries: &mut Entries) -> bool {
    let Some((above, _)) = found.last_mut().and_then(|(_, before)| before.parsed.last_mut()) else { return false };
    let [(own, LabelStyle::None)] = entries.parsed.as_slice() else { return false };
    if !own.pure || !own.entry.title.is_empty() || above.entry.label.is_none() || !above.entry.addresses.is_empty() {
        return false;
    }
    above.entry.span = above.entry.span.cover(own.entry.span);
    above.entry.addresses.clone_from(&own.entry.addresses);
    entries.parsed.clear();
    true
}

/// A paragraph that only says the address of the entry above it again, as converted documents have it below a linked title.
fn address_again(document: &Document, piece: &Piece, found: &[(usize, Entries)]) -> Option<Entries> {
    let (_, block) = block_of(document, piece).filter(|(_, block)| block.kind == BlockKind::Paragraph)?;
    document.slice(block.span).trim_start().starts_with('<').then_some(())?;
    let entries = entries_of(document, piece, true);
    let ([(again, LabelStyle::None)], Some((_, before))) = (entries.parsed.as_slice(), found.last()) else {
        return None;
    };
    let last = &before.parsed.last()?.0.entry.addresses;
    let known = |address: &String| last.iter().any(|other| key_of(other) == key_of(address));
    (again.pure && again.entry.title.is_empty() && again.entry.addresses.iter().all(known)).then_some(entries)
}

/// The heading right above the pieces from `at` to `next`, or the line above their entries, when it heads nothing but them: it is the
/// list's, whatever its words.
fn lone_heading(
    document: &Document,
    pieces: &[Piece],
    (at, next): (usize, usize),
    found: &[(usize, Entries)],
) -> Option<Heading> {
    let entries = found.iter().flat_map(|(_, entries)| &entries.parsed).map(|(parsed, _)| parsed.entry.span);
    let entries = entries.reduce(Span::cover)?;
    let says = |span: Span| document.slice(span).contains(char::is_alphanumeric);
    let within = Span::new(pieces[at].span.start, entries.start);
    let piece = if says(within) { &pieces[at] } else { pieces.get(at.checked_sub(1)?)? };
    let (id, block) = block_of(document, piece)?;
    let span = trimmed(document, if says(within) { within } else { block.span });
    let level = heading_level(document, piece);
    // A paragraph may begin with prose and go on with entries, or the other way round.
    let around = [Span::new(span.end, entries.start), Span::new(entries.end, pieces[next - 1].span.end)];
    if level.is_none() && !heading::heads(document.slice(span)) || around.into_iter().any(says) {
        return None;
    }
    let ends = |below: u8| level.is_none_or(|level| below <= level);
    let alone = pieces.get(next).is_none_or(|piece| heading_level(document, piece).is_some_and(ends));
    let title = if level.is_some() { shown_line(document, id) } else { heading::bare(document.slice(span)).to_owned() };
    alone.then_some(Heading { span, level, title, rest: None })
}

/// Whether reading the entries of a piece without a heading can be worth it: every list of a document comes by here.
fn may_be_source_list(document: &Document, piece: &Piece) -> bool {
    let Some((_, block)) = block_of(document, piece) else { return true };
    match &block.kind {
        BlockKind::List(_) => block.children.first().is_some_and(|item| {
            let text = document.slice(document.block(*item).span);
            let line = text.lines().next().unwrap_or_default();
            line_label(&line[item_mark(line).1.min(line.len())..]).is_some_and(|label| is_bracket(label.style))
        }),
        BlockKind::Paragraph | BlockKind::Heading(_) => document.slice(block.span).split('\n').any(may_be_labelled),
        BlockKind::FootnoteDefinition(_) => true,
        _ => false,
    }
}

/// Whether a line begins as one does whose label stands in brackets.
fn may_be_labelled(line: &str) -> bool {
    let shown = line.trim_start_matches([' ', '\t', '>', '*', '_', '\u{3000}']);
    shown.starts_with(|c| matches!(c, '\\' | '<') || brackets::opens(c))
}

/// The numbers of definitions that something cites, by its number or in brackets of its own, `([Report][2])`: definitions that only words of
/// sentences rest on are no list.
fn cited_definitions(document: &Document) -> HashSet<Label> {
    let is_reference = |style| matches!(style, LinkStyle::Shortcut | LinkStyle::Collapsed | LinkStyle::Reference);
    let cited = document.links().iter().filter(|link| !link.image && is_reference(link.style));
    let text = document.text();
    let enclosed = |span: Span| {
        let (before, after) = (text[..span.start].trim_end(), text[span.end..].trim_start());
        before.ends_with(['(', '（']) && after.starts_with(|c| matches!(c, ')' | '）') || parts_members(c))
            || before.ends_with("),") && after.starts_with(')')
    };
    cited
        .filter_map(|link| {
            let words = document.slice(link.text);
            let label = || text.get(link.text.end + 1..link.span.end)?.strip_prefix('[')?.strip_suffix(']');
            let behind = (link.style == LinkStyle::Reference && enclosed(link.span)).then(label).flatten();
            Label::parse(behind.unwrap_or(words))
        })
        .filter(|label| matches!(label, Label::Number(_)))
        .collect()
}

/// The last list of the document when it is ordered, or its lines have numbers in parentheses, `(1) Title. https://…`, when all of it is
/// nothing but sources, and no list was found.
fn closing_list(document: &Document, pieces: &[Piece]) -> Option<SourceList> {
    let at = pieces
        .iter()
        .rposition(|piece| !block_of(document, piece).is_some_and(|(_, block)| ends_nothing(document, block)))?;
    let (_, block) = block_of(document, &pieces[at])?;
    let wanted = match block.kind {
        BlockKind::List(Some(1)) => LabelStyle::Dot,
        BlockKind::Paragraph => LabelStyle::Paren,
        _ => return None,
    };
    if follows_separator(document, pieces, at) {
        return None;
    }
    let entries = entries_of(document, &pieces[at], wanted == LabelStyle::Paren);
    let good =
        !entries.parsed.is_empty() && entries.parsed.iter().all(|(parsed, style)| parsed.pure && *style == wanted);
    if !good || !is_cited(&document.text()[..block.span.start], entries.parsed.len()) {
        return None;
    }
    let found = vec![(at, entries)];
    let heading = lone_heading(document, pieces, (at, at + 1), &found);
    build(document, pieces, heading, found)
}

/// The heading under which a draft for Pandoc leaves its list to the program: nothing stands below it up to the end, or the division
/// `::: {#refs}`.
fn list_to_come(document: &Document, pieces: &[Piece]) -> Option<SourceList> {
    let heading = |at: usize| heading_at(document, &pieces[at]).filter(|heading| heading.level.is_some());
    let (at, heading) = (0..pieces.len()).rev().find_map(|at| Some((at, heading(at)?)))?;
    let below = pieces[at + 1..].iter().map(|piece| piece.span);
    let division = below.take_while(|span| document.slice(*span).starts_with(":::")).reduce(Span::cover);
    let is_place = division.map_or(at + 1 == pieces.len(), |division| document.slice(division).contains("#refs"));
    let (level, title) = (heading.level, Some(heading.title));
    let span = division.map_or(Span::at(heading.span.end), |division| trimmed(document, division));
    let (scope, heading) = (Span::new(0, document.text().len()), Some(heading.span));
    is_place.then(|| SourceList { heading, level, title, span, scope, ..SourceList::default() })
}

/// Whether a block says nothing of its own at the end of a document: a rule, or the tag that closes what folds, `</details>`.
fn ends_nothing(document: &Document, block: &Block) -> bool {
    block.kind == BlockKind::Rule
        || block.kind == BlockKind::Html
            && document.slice(block.span).split_whitespace().all(|tag| tag.starts_with("</"))
}

/// The list in a code block that is never closed: a fence that an agent forgot swallows the rest of its report.
fn list_in_open_fence(document: &Document) -> Option<SourceList> {
    let id = *document.roots().last()?;
    let block = document.block(id);
    let text = document.slice(block.span);
    if block.kind != (BlockKind::Code { fenced: true }) || is_closed_fence(text) {
        return None;
    }
    let mut heading: Option<(Span, String)> = None;
    let mut parsed: Vec<(Parsed, LabelStyle)> = Vec::new();
    let mut start = block.span.start;
    for line in text.split_inclusive('\n') {
        let span = trimmed(document, Span::new(start, start + line.len()));
        start += line.len();
        if span.is_empty() {
            continue;
        }
        let line = document.slice(span);
        if let Some(title) = heading::list_heading(line) {
            heading = Some((span, title));
            parsed.clear();
        } else if heading.is_some()
            && let Some(label) =
                line_label(line).filter(|label| is_bracket(label.style) || label.style == LabelStyle::Dot)
        {
            let shown = Shown::plain(&without_escapes(&line[label.end..]));
            parsed.push((layout::entry_of(shown, Some(label.label), span), label.style));
        } else if parsed.is_empty() {
            heading = None;
        }
    }
    let (span, title) = heading?;
    let sources = parsed.iter().filter(|(parsed, _)| !parsed.entry.addresses.is_empty()).count();
    if sources < 2 {
        return None;
    }
    let heading = Heading { span, level: None, title, rest: None };
    let mut list = build(document, &[], Some(heading), vec![(usize::MAX, Entries { parsed, kind: ListKind::Lines })])?;
    list.blocks.clear();
    Some(list)
}

/// Whether a fenced code block has the line that ends it.
pub fn is_closed_fence(code: &str) -> bool {
    let fence = code.trim_start();
    let Some(mark) = fence.chars().next() else { return true };
    let length = fence.chars().take_while(|c| *c == mark).count();
    let last = code.trim_end().lines().next_back().unwrap_or_default().trim();
    code.trim_end().lines().count() > 1 && last.chars().all(|c| c == mark) && last.chars().count() >= length
}

fn build(
    document: &Document,
    pieces: &[Piece],
    heading: Option<Heading>,
    found: Vec<(usize, Entries)>,
) -> Option<SourceList> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut blocks = Vec::new();
    let mut styles = Vec::new();
    let mut kind = None;
    for (at, part) in found {
        if part.parsed.is_empty() && kind.is_none() {
            continue;
        }
        if let Some(PieceKind::Block(id)) = pieces.get(at).map(|piece| piece.kind) {
            blocks.push(id);
        }
        kind = kind.or(Some(part.kind));
        for (parsed, style) in part.parsed {
            styles.push(style);
            entries.push(parsed.entry);
        }
    }
    label_bare_numbers(&mut entries, &mut styles);
    let with_address = entries.iter().filter(|entry| !entry.addresses.is_empty()).count();
    // A label with no words behind it is a citation.
    let speaks = |entry: &Entry| entry.title.contains(char::is_alphanumeric);
    let labelled = styles.iter().zip(&entries).filter(|(style, entry)| is_label(**style) && speaks(entry)).count();
    if with_address == 0 && labelled < 2 && !is_only_entry_cited(document, &entries) {
        return None;
    }
    // The head of a table is no entry, and part of the list all the same.
    let tables = blocks.iter().map(|id| document.block(*id)).filter(|block| block.kind == BlockKind::Table);
    let tables = tables.map(|block| trimmed(document, block.span));
    let span = entries.iter().map(|entry| entry.span).chain(tables).reduce(Span::cover)?;
    Some(SourceList {
        kind: kind.unwrap_or_default(),
        heading: heading.as_ref().map(|heading| heading.span),
        level: heading.as_ref().and_then(|heading| heading.level),
        title: heading.map(|heading| heading.title),
        span,
        scope: Span::new(0, document.text().len()),
        cited_above: true,
        has_all_cited: true,
        blocks,
        entries,
        escaped: styles.contains(&LabelStyle::Escaped),
        bracketed: styles.first().is_some_and(|style| is_bracket(*style)),
    })
}

/// A single entry without an address or a heading is one when something cites its label.
fn is_only_entry_cited(document: &Document, entries: &[Entry]) -> bool {
    let [Entry { label: Some(Label::Number(number)), span, title, addresses, .. }] = entries else { return false };
    if addresses.is_empty() && !title.contains(char::is_alphanumeric) {
        return false;
    }
    let before = &document.text().as_bytes()[..span.start];
    let cites = |(open, close): &(&str, &str)| {
        memchr::memmem::find(before, format!("{open}{number}{close}").as_bytes()).is_some()
    };
    [("[", "]"), ("[^", "]"), ("【", "】"), ("［", "］"), ("〔", "〕")].iter().any(cites)
}
