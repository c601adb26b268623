//! Finding the source lists of a document, by heading or by shape.
//!
//! A heading alone is never enough, and a shape alone only when its labels stand in brackets or every item is nothing
//! but a source: a bulleted list of links in the prose stays prose.

use std::collections::HashSet;

use regex::Captures;

use super::brackets::{self, BRACKETS, Brackets};
use super::each_once;
use super::entries::{entries_of, item_mark, label_bare_numbers, lines_of, trimmed};
use super::heading;
use super::label::{Label, LabelStyle};
use super::line_label::line_label;
use super::piece::{Piece, pieces_of};
use super::scope::set_scopes;
use super::source_list::{Entry, ListKind, SourceList};
use crate::address::identity::{better_address, key_of};
use crate::markdown::{Block, BlockId, BlockKind, Document, LinkStyle, SEPARATOR};
use crate::pattern::Pattern;
use crate::shares;
use cited_text::Span;

/// The source lists of `document`, in order.
pub fn lists_of(document: &Document) -> Vec<SourceList> {
    let mut lists = lists_in(document, &pieces_of(document, false));
    lists.extend(list_in_open_fence(document));
    // Some set their list off as a quotation. Beside another one, a list in a quotation is quoted.
    if lists.is_empty() {
        lists = lists_in(document, &pieces_of(document, true));
    }
    set_scopes(document, &mut lists);
    lists
}

fn lists_in(document: &Document, pieces: &[Piece<'_>]) -> Vec<SourceList> {
    let mut lists: Vec<SourceList> = Vec::new();
    // The numbers of definitions that something cites by its number: definitions that only words of sentences rest on are no list.
    let is_reference = |style| matches!(style, LinkStyle::Shortcut | LinkStyle::Collapsed | LinkStyle::Reference);
    let cited = document.links().iter().filter(|link| !link.image && is_reference(link.style));
    let cited = cited.filter_map(|link| Label::parse(document.slice(link.text)));
    let cited: HashSet<Label> = cited.filter(|label| label.number().is_some()).collect();
    // Most pieces are neither a heading of sources nor written like them: to see that is most of the work.
    let may_begin = |piece: &Piece<'_>| heading_at(document, piece).is_some() || may_be_source_list(document, piece);
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
    lists
}

/// Whether an earlier run wrote before the piece at `at` that nothing there is a list.
fn follows_separator(document: &Document, pieces: &[Piece<'_>], at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| is_separator(document, &pieces[before]))
}

/// Whether a piece is what an earlier run wrote to keep a heading and what stands below it from being a list.
fn is_separator(document: &Document, piece: &Piece<'_>) -> bool {
    piece
        .block
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
fn heading_level(document: &Document, piece: &Piece<'_>) -> Option<u8> {
    let (id, block) = piece.block?;
    let BlockKind::Heading(level) = block.kind else { return None };
    let text = document.slice(document.content_span(id));
    let is_list_above_rule = text.contains('\n') && text.lines().any(|line| line_label(line).is_some());
    (!is_list_above_rule).then_some(level)
}

/// The list that a piece heads, still without entries, and where they start in the heading's own block: a paragraph whose first line is the
/// heading.
fn heading_at(document: &Document, piece: &Piece<'_>) -> Option<(SourceList, Option<Span>)> {
    let (id, block) = piece.block?;
    let whole = trimmed(document, block.span);
    if let level @ Some(_) = heading_level(document, piece) {
        let title = heading::list_heading(&shown_line(document, id))?;
        return Some((SourceList::headed(whole, level, title), None));
    }
    if !matches!(block.kind, BlockKind::Paragraph | BlockKind::Heading(_)) {
        return None;
    }
    let content = document.content_span(id);
    let end = content.start + document.slice(content).lines().next()?.len();
    let line = trimmed(document, Span::new(content.start, end));
    let title = heading::list_heading(document.slice(line))?;
    let rest = Some(Span::new(end, whole.end.max(end))).filter(|rest| !document.slice(*rest).trim().is_empty());
    Some((SourceList::headed(line, None, title), rest))
}

fn shown_line(document: &Document, id: BlockId) -> String {
    crate::markdown::Rendered::render(document, id, &[]).text
}

/// The list under the heading at `at`, and the piece after it.
fn under_heading(document: &Document, pieces: &[Piece<'_>], at: usize) -> Option<(SourceList, usize)> {
    let (mut found, rest) = heading_at(document, &pieces[at])?;
    let lines_in = |piece: &Piece<'_>, rest: Option<Span>| Some(lines_of(document, piece.block?.0, rest?, true));
    let own = found.level;
    found.extend(lines_in(&pieces[at], rest).filter(|lines| !lines.entries.is_empty()).unwrap_or_default());
    let (mut next, mut after) = (at + 1, at + 1);
    while let Some(piece) = pieces.get(next) {
        let nothing = found.entries.is_empty() && rest.is_none();
        if nothing && is_separator(document, piece) {
            return None;
        }
        if let Some(level) = heading_level(document, piece) {
            let words = piece.block.map(|(id, _)| shown_line(document, id)).unwrap_or_default();
            let is_double = nothing && next == at + 1 && heading::list_heading(&words).is_some();
            if is_double {
                found.heading = found.heading.map(|heading| heading.cover(trimmed(document, piece.span)));
            } else if own.is_none_or(|own| level <= own) || heading::is_own_section(&words) {
                break;
            }
            next += 1;
            continue;
        }
        // Below a plain line the entries follow at once, and a second one starts a list of its own.
        if own.is_none() && nothing && next > at + 1 {
            break;
        }
        let inner = heading_at(document, piece);
        if inner.is_some() && own.is_none() {
            break;
        }
        let rest = inner.as_ref().and_then(|(_, rest)| *rest);
        if rest.is_some() && nothing && next > at + 1 {
            // So it is where a line above the entries, in their own paragraph, names them again below prose.
            return None;
        }
        let entries = match inner {
            Some(_) => lines_in(piece, rest).unwrap_or_default(),
            None => entries_of(document, piece, true),
        };
        // Footnotes below a list, where word processors put them, count for themselves.
        let is_apart = entries.kind == ListKind::Footnotes && found.kind != entries.kind && !found.entries.is_empty();
        // So do lines whose first label is one of those found before.
        let first = entries.entries.iter().find_map(|entry| entry.label.as_ref());
        let repeats = first.is_some() && found.entries.iter().any(|entry| entry.label.as_ref() == first);
        if is_apart || inner.is_some() && repeats {
            break;
        }
        // Ordered items count as labelled, bullets need addresses: most of them.
        let parsed = &entries.entries;
        let (count, pure) = (parsed.len(), parsed.iter().filter(|entry| entry.is_pure).count());
        let all_labelled = parsed.iter().all(|entry| entry.style != LabelStyle::None);
        let most = pure * 2 >= count;
        let is_list = |strict| if strict { pure == count || all_labelled && most } else { all_labelled || most };
        if inner.is_none() && takes_address(&mut found, &entries) {
            after = next + 1;
        } else if count > 0 && is_list(inner.is_none() && !goes_on(&entries, &found)) {
            found.extend(entries);
            after = next + 1;
        }
        next += 1;
    }
    Some((build(document, found)?, after))
}

/// Whether `entries` go on where those found before end: with the next number, or written like them. Items that follow a
/// list and count anew are the document's own.
fn goes_on(entries: &SourceList, found: &SourceList) -> bool {
    let (Some(last), Some(first)) = (found.entries.last(), entries.entries.first()) else { return true };
    let number = |parsed: &Entry| parsed.label.as_ref()?.number();
    let counts_on = number(last).is_some_and(|last| number(first) == Some(last + 1));
    counts_on || (first.style == last.style && first.style.is_written_in_brackets()) || found.kind != entries.kind
}

/// A list that only its shape tells: labels in brackets, or footnotes and definitions that are sources.
fn by_shape(
    document: &Document,
    pieces: &[Piece<'_>],
    at: usize,
    cited: &HashSet<Label>,
) -> Option<(SourceList, usize)> {
    let mut found = SourceList::default();
    let mut next = at;
    while let Some(piece) = pieces.get(next).filter(|piece| may_be_source_list(document, piece)) {
        let is_address = document.slice(piece.span).trim_start().starts_with('<');
        if is_address && takes_address(&mut found, &entries_of(document, piece, true)) {
            next += 1;
            continue;
        }
        let entries = entries_of(document, piece, false);
        let parsed = &entries.entries;
        let good = match entries.kind {
            ListKind::Footnotes => !parsed.is_empty(),
            ListKind::Definitions => {
                parsed.iter().filter_map(|entry| entry.label.as_ref()).any(|label| cited.contains(label))
            }
            ListKind::Lines => {
                let sources = parsed.iter().filter(|entry| entry.is_pure).count();
                sources > 0
                    && parsed.iter().all(|entry| entry.style.is_written_in_brackets())
                    && sources * 2 >= parsed.len()
            }
            ListKind::Table => false,
        };
        if !good || !found.entries.is_empty() && found.kind != entries.kind {
            break;
        }
        found.extend(entries);
        next += 1;
    }
    let may_be_one = matches!(found.kind, ListKind::Footnotes | ListKind::Definitions);
    if found.entries.len() < 2 && !may_be_one && !is_only_entry_cited(document, &found.entries) {
        return None;
    }
    let mut list =
        if may_be_one { None } else { lone_heading(document, pieces, (at, next), &found) }.unwrap_or_default();
    list.extend(found);
    Some((build(document, list)?, next))
}

/// Whether a paragraph is the address of the entry above it, as it stands where an empty line follows each line, or says one of that entry again,
/// as converted documents have it below a linked title: that entry takes it.
fn takes_address(found: &mut SourceList, entries: &SourceList) -> bool {
    let (Some(above), [own]) = (found.entries.last_mut(), entries.entries.as_slice()) else { return false };
    let is_address = own.style == LabelStyle::None && own.is_pure && own.title.is_empty() && !own.addresses.is_empty();
    let lacks_one = above.label.is_some() && above.addresses.is_empty();
    let known = |address: &String| above.addresses.iter().any(|other| key_of(other) == key_of(address));
    if !is_address || !lacks_one && !own.addresses.iter().all(known) {
        return false;
    }
    above.span = above.span.cover(own.span);
    let is_better = above.addresses.first().is_some_and(|shown| better_address(&own.addresses[0], shown));
    let (first, others) = if is_better { (own, &*above) } else { (&*above, own) };
    above.addresses = each_once(first.addresses.iter().chain(&others.addresses).cloned());
    found.blocks.extend(&entries.blocks);
    true
}

/// The heading right above the pieces from `at` to `next`, or the line above their entries, when it heads nothing but them: it is the
/// list's, whatever its words.
fn lone_heading(
    document: &Document,
    pieces: &[Piece<'_>],
    (at, next): (usize, usize),
    found: &SourceList,
) -> Option<SourceList> {
    let entries = found.entries.iter().map(|entry| entry.span).reduce(Span::cover)?;
    let says = |span: Span| document.slice(span).contains(char::is_alphanumeric);
    let within = Span::new(pieces[at].span.start, entries.start);
    let piece = if says(within) { &pieces[at] } else { pieces.get(at.checked_sub(1)?)? };
    let (id, block) = piece.block?;
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
    alone.then(|| SourceList::headed(span, level, title))
}

/// Whether reading the entries of a piece without a heading can be worth it: every list of a document comes by here.
fn may_be_source_list(document: &Document, piece: &Piece<'_>) -> bool {
    let Some((_, block)) = piece.block else { return true };
    match &block.kind {
        BlockKind::List(_) => block.children.first().is_some_and(|item| {
            let text = document.slice(document.block(*item).span);
            let line = text.lines().next().unwrap_or_default();
            line_label(&line[item_mark(line).1..]).is_some_and(|label| label.style.is_written_in_brackets())
        }),
        BlockKind::Paragraph | BlockKind::Heading(_) => document.slice(block.span).split('\n').any(|line| {
            let shown = line.trim_start_matches([' ', '\t', '>', '*', '_', '\u{3000}']);
            shown.starts_with(|c| matches!(c, '\\' | '<') || brackets::opens(c))
        }),
        BlockKind::FootnoteDefinition(_) => true,
        _ => false,
    }
}

/// The last list of the document when it is ordered, or its lines have numbers that are raised or in parentheses,
/// `(1) Title. https://…`, when all of it is nothing but sources, and no list was found.
fn closing_list(document: &Document, pieces: &[Piece<'_>]) -> Option<SourceList> {
    // A rule, or the tag that closes what folds, `</details>`, says nothing of its own at the end of a document.
    let is_tag = |block: &Block| document.slice(block.span).split_whitespace().all(|tag| tag.starts_with("</"));
    let says = |block: &Block| block.kind != BlockKind::Rule && !(block.kind == BlockKind::Html && is_tag(block));
    let at = pieces.iter().rposition(|piece| piece.block.is_none_or(|(_, block)| says(block)))?;
    let (_, block) = pieces[at].block?;
    let wanted = match block.kind {
        BlockKind::List(Some(1)) => &[LabelStyle::Dot][..],
        BlockKind::Paragraph => &[LabelStyle::Paren, LabelStyle::Superscript],
        _ => return None,
    };
    if follows_separator(document, pieces, at) {
        return None;
    }
    let entries = entries_of(document, &pieces[at], block.kind == BlockKind::Paragraph);
    let good = entries.entries.iter().all(|entry| entry.is_pure && wanted.contains(&entry.style));
    if !good || !FIRST.is_match(&document.text()[..block.span.start]) {
        return None;
    }
    let mut list = lone_heading(document, pieces, (at, at + 1), &entries).unwrap_or_default();
    list.extend(entries);
    build(document, list)
}

/// A 1 in brackets, or raised, as it cites the first entry of a list: `[1]`, `[1, 2]`, `[1][2]`, `<sup>1</sup>`, `^1^`, `so.¹`. Nothing is
/// raised to the first power.
static FIRST: Pattern = Pattern::new(
    r#"\[1(?:[,;，；、–\s-][0-9,;，；、–\s-]*)?\]|<sup>\[?1\b|\^1[,^]|[\p{L}.,%)"”。，]¹(?:[^⁰¹²³⁴⁵⁶⁷⁸⁹]|$)"#,
);

/// The heading under which a draft for Pandoc leaves its list to the program: nothing stands below it up to the end, or the division
/// `::: {#refs}`.
fn list_to_come(document: &Document, pieces: &[Piece<'_>]) -> Option<SourceList> {
    let heading = |at: usize| heading_at(document, &pieces[at]).filter(|(list, _)| list.level.is_some());
    let (at, (list, _)) = (0..pieces.len()).rev().find_map(|at| Some((at, heading(at)?)))?;
    let below = pieces[at + 1..].iter().map(|piece| piece.span);
    let division = below.take_while(|span| document.slice(*span).starts_with(":::")).reduce(Span::cover);
    let is_place = division.map_or(at + 1 == pieces.len(), |division| document.slice(division).contains("#refs"));
    let span = division.map_or(Span::at(list.heading?.end), |division| trimmed(document, division));
    is_place.then(|| SourceList { span, scope: Span::new(0, document.text().len()), ..list })
}

/// The list in a code block that is never closed: a fence that an agent forgot swallows the rest of its report.
fn list_in_open_fence(document: &Document) -> Option<SourceList> {
    /// A line that is a fence.
    static FENCE: Pattern = Pattern::new(r"(?m)^[^\S\n]*(?:```|~~~).*$");
    let block = document.block(*document.roots.last()?);
    let text = document.slice(block.span);
    let (fence, last) = (text.trim_start(), text.trim_end().lines().skip(1).last().unwrap_or_default().trim());
    let mark = fence.chars().next()?;
    let length = fence.chars().take_while(|c| *c == mark).count();
    let is_closed = last.chars().count() >= length && last.chars().all(|c| c == mark);
    if block.kind != (BlockKind::Code { fenced: true }) || is_closed {
        return None;
    }
    // Without fences, everything stands at the same bytes in what is read in place of the document.
    let blank = |fence: &Captures<'_>| " ".repeat(fence[0].len());
    let unfenced = Document::read(" ".repeat(block.span.start) + &FENCE.replace_all(text, blank));
    let mut list = lists_in(&unfenced, &pieces_of(&unfenced, false)).pop().filter(SourceList::is_named)?;
    list.blocks.clear();
    let (kind, level) = (ListKind::Lines, None);
    let sources = list.entries.iter().filter(|entry| !entry.addresses.is_empty()).count();
    let is_labelled = list.entries.iter().all(|entry| entry.label.is_some());
    (sources > 1 && is_labelled).then_some(SourceList { kind, level, ..list })
}

fn build(document: &Document, mut found: SourceList) -> Option<SourceList> {
    label_bare_numbers(document.text(), &mut found.entries);
    let entries = &found.entries;
    let has_address = entries.iter().any(|entry| !entry.addresses.is_empty());
    // A label with no words behind it is a citation.
    let speaks = |entry: &&Entry| entry.style != LabelStyle::None && entry.title.contains(char::is_alphanumeric);
    if !has_address && entries.iter().filter(speaks).count() < 2 && !is_only_entry_cited(document, entries) {
        return None;
    }
    // The head of a table is no entry, and part of the list all the same.
    let tables = found.blocks.iter().map(|id| document.block(*id)).filter(|block| block.kind == BlockKind::Table);
    let tables = tables.map(|block| trimmed(document, block.span));
    let span = entries.iter().map(|entry| entry.span).chain(tables).reduce(Span::cover)?;
    Some(SourceList { span, scope: Span::new(0, document.text().len()), cited_above: true, ..found })
}

/// A single entry without an address or a heading is one when something cites its label.
fn is_only_entry_cited(document: &Document, entries: &[Entry]) -> bool {
    let [Entry { label: Some(Label::Number(number)), span, title, addresses, .. }] = entries else { return false };
    if addresses.is_empty() && !title.contains(char::is_alphanumeric) {
        return false;
    }
    let before = &document.text()[..span.start];
    let cites = |brackets: &Brackets| before.contains(&brackets.wrap_number(*number));
    BRACKETS.iter().any(cites) || before.contains(&format!("[^{number}]"))
}
