//! Finding the source lists of a document, by heading or by shape.
//!
//! A heading alone is never enough, and a shape alone only when its labels stand in brackets or every item is nothing
//! but a source: a bulleted list of links in the prose stays prose.

use super::heading;
use super::label::Label;
use super::layout::{self, Parsed, Shown};
use super::line_label::{LabelStyle, line_label};
use super::source_list::{Entry, ListKind, SourceList};
use super::table;
use crate::markdown::{Block, BlockId, BlockKind, Document, LinkStyle};
use crate::source::identity::key_of;
use crate::text::Span;

/// A root block or a run of link reference definitions, in document order.
#[derive(Debug, Clone, Copy)]
struct Piece {
    span: Span,
    kind: PieceKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PieceKind {
    Block(BlockId),
    /// Positions in [`Document::definitions`].
    Definitions(usize, usize),
}

/// Entries read from one piece.
struct Entries {
    parsed: Vec<(Parsed, LabelStyle)>,
    kind: ListKind,
}

/// The heading of a list.
struct Heading {
    span: Span,
    level: Option<u8>,
    title: String,
    /// Where the entries start in the heading's own block: a paragraph whose first line is the heading.
    rest: Option<Span>,
}

/// The source lists of `document`, in order.
pub(crate) fn lists_of(document: &Document) -> Vec<SourceList> {
    let pieces = pieces_of(document);
    let mut lists: Vec<SourceList> = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        let taken = under_heading(document, &pieces, at).or_else(|| by_shape(document, &pieces, at));
        match taken {
            Some((list, next)) => {
                lists.push(list);
                at = next.max(at + 1);
            }
            None => at += 1,
        }
    }
    if lists.is_empty()
        && let Some(list) = closing_list(document, &pieces)
    {
        lists.push(list);
    }
    if let Some(list) = list_in_open_fence(document) {
        lists.push(list);
    }
    set_scopes(document, &mut lists);
    lists
}

/// The sections that cited itself has written: from their heading to the next one of the same level.
pub(crate) fn own_sections(document: &Document) -> Vec<Span> {
    let mut sections = Vec::new();
    let mut open: Option<(usize, u8)> = None;
    for id in document.roots() {
        let block = document.block(*id);
        let BlockKind::Heading(level) = block.kind else { continue };
        if let Some((start, open_level)) = open
            && level <= open_level
        {
            sections.push(Span::new(start, block.span.start));
            open = None;
        }
        if open.is_none() && heading::is_own_section(document.slice(document.content_span(*id))) {
            open = Some((block.span.start, level));
        }
    }
    if let Some((start, _)) = open {
        sections.push(Span::new(start, document.text().len()));
    }
    sections
}

fn pieces_of(document: &Document) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = document
        .roots()
        .iter()
        .map(|id| Piece { span: document.block(*id).span, kind: PieceKind::Block(*id) })
        .collect();
    // Definitions inside another block are read with that block.
    let holder = |at: usize| {
        let after = document.roots().partition_point(|id| document.block(*id).span.start <= at);
        let block = document.block(*document.roots().get(after.checked_sub(1)?)?);
        let holds = matches!(block.kind, BlockKind::List(_) | BlockKind::Quote | BlockKind::FootnoteDefinition(_));
        (holds && block.span.has(at)).then_some(())
    };
    let definitions = document.definitions();
    let mut first = 0;
    for i in 1..=definitions.len() {
        let apart = definitions.get(i).is_none_or(|next| {
            let gap = Span::new(definitions[i - 1].span.end, next.span.start);
            !document.slice(gap).trim().is_empty() || holder(next.span.start).is_some()
        });
        if apart {
            if holder(definitions[first].span.start).is_none() {
                let span = definitions[first].span.cover(definitions[i - 1].span);
                pieces.push(Piece { span, kind: PieceKind::Definitions(first, i) });
            }
            first = i;
        }
    }
    pieces.sort_by_key(|piece| (piece.span.start, piece.span.end));
    pieces
}

fn block_of<'a>(document: &'a Document, piece: &Piece) -> Option<(BlockId, &'a Block)> {
    match piece.kind {
        PieceKind::Block(id) => Some((id, document.block(id))),
        PieceKind::Definitions(..) => None,
    }
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
    // Emphasis stands outside of the inlines of a leaf: take the whole line.
    let line_span = whole_lines(document, Span::new(content.start, content.start + line.len()));
    let title = heading::list_heading(document.slice(line_span))?;
    let rest = Span::new((content.start + line.len()).min(content.end), trimmed(document, block.span).end);
    let rest = (!document.slice(rest).trim().is_empty()).then_some(rest);
    Some(Heading { span: line_span, level: None, title, rest })
}

fn shown_line(document: &Document, id: BlockId) -> String {
    crate::markdown::Rendered::of(document, id, &[]).text
}

/// `span` with the rest of its first and last line, without white space around.
fn whole_lines(document: &Document, span: Span) -> Span {
    let text = document.text();
    let start = memchr::memrchr(b'\n', &text.as_bytes()[..span.start]).map_or(0, |at| at + 1);
    let end = memchr::memchr(b'\n', &text.as_bytes()[span.end..]).map_or(text.len(), |at| span.end + at);
    trimmed(document, Span::new(start, end))
}

fn trimmed(document: &Document, span: Span) -> Span {
    let text = document.slice(span);
    let start = span.start + (text.len() - text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).len());
    Span::new(start, span.start + text.trim_end().len())
}

/// The list under the heading at `at`, and the piece after it.
fn under_heading(document: &Document, pieces: &[Piece], at: usize) -> Option<(SourceList, usize)> {
    let heading = heading_at(document, &pieces[at])?;
    let mut span = heading.span;
    let mut found: Vec<(usize, Entries)> = Vec::new();
    if let Some(rest) = heading.rest
        && let Some((id, _)) = block_of(document, &pieces[at])
    {
        found.push((at, lines_of(document, id, rest, true)));
    }
    let mut next = at + 1;
    let mut after = at + 1;
    // Whether what follows stands under a heading of its own or after prose: only what is nothing but sources counts.
    let mut strict = false;
    while let Some(piece) = pieces.get(next) {
        let is_own = |text: &str| heading::is_own_section(text);
        if let Some(level) = heading_level(document, piece) {
            let words = block_of(document, piece).map(|(id, _)| shown_line(document, id)).unwrap_or_default();
            let names_sources = heading::list_heading(&words).is_some();
            if names_sources && found.is_empty() && next == at + 1 && heading.rest.is_none() {
                span = span.cover(trimmed(document, piece.span));
                next += 1;
                continue;
            }
            let deeper = heading.level.is_some_and(|own| level > own);
            if !deeper || is_own(&words) || (names_sources && restarts(document, pieces, next, &found)) {
                break;
            }
            strict |= !names_sources;
            next += 1;
            continue;
        }
        // Below a plain line the entries follow at once, and a second one starts a list of its own, as does one under
        // which the numbers start again.
        if heading.level.is_none() && found.is_empty() && next > at + 1 {
            break;
        }
        if let Some(inner) = heading_at(document, piece) {
            let again = inner.rest.is_some_and(|rest| {
                block_of(document, piece).is_some_and(|(id, _)| repeats(&lines_of(document, id, rest, true), &found))
            });
            if heading.level.is_none() || again || (inner.rest.is_none() && restarts(document, pieces, next, &found)) {
                break;
            }
            if let (Some(rest), Some((id, _))) = (inner.rest, block_of(document, piece)) {
                let entries = lines_of(document, id, rest, true);
                if accepts(&entries, strict) {
                    found.push((next, entries));
                    after = next + 1;
                }
            }
            next += 1;
            continue;
        }
        let entries = entries_of(document, piece, true);
        if accepts(&entries, strict) {
            found.push((next, entries));
            after = next + 1;
        } else if !found.is_empty() && is_prose(document, piece) {
            strict = true;
        }
        next += 1;
    }
    let list = build(document, pieces, Some(heading), span, found)?;
    Some((list, after.max(at + 1)))
}

/// Whether the labels below the heading at `at` start again: then it heads a list of its own.
fn restarts(document: &Document, pieces: &[Piece], at: usize, found: &[(usize, Entries)]) -> bool {
    pieces.get(at + 1).is_some_and(|piece| repeats(&entries_of(document, piece, true), found))
}

/// Whether the first label of `entries` is one of those found before.
fn repeats(entries: &Entries, found: &[(usize, Entries)]) -> bool {
    let Some(first) = entries.parsed.iter().find_map(|(parsed, _)| parsed.entry.label.clone()) else { return false };
    found.iter().flat_map(|(_, entries)| &entries.parsed).any(|(parsed, _)| parsed.entry.label.as_ref() == Some(&first))
}

fn is_prose(document: &Document, piece: &Piece) -> bool {
    block_of(document, piece).is_some_and(|(id, block)| {
        matches!(block.kind, BlockKind::Paragraph | BlockKind::Quote)
            && document.slice(document.content_span(id)).len() > 80
    })
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

fn is_label(style: LabelStyle) -> bool {
    style != LabelStyle::None
}

fn is_bracket(style: LabelStyle) -> bool {
    matches!(
        style,
        LabelStyle::Bracket
            | LabelStyle::Lenticular
            | LabelStyle::Escaped
            | LabelStyle::Footnote
            | LabelStyle::NumberLink
    )
}

/// A list that only its shape tells: labels in brackets, or footnotes and definitions that are sources.
fn by_shape(document: &Document, pieces: &[Piece], at: usize) -> Option<(SourceList, usize)> {
    let mut found: Vec<(usize, Entries)> = Vec::new();
    let mut next = at;
    let mut kind = None;
    while let Some(piece) = pieces.get(next) {
        if !may_be_source_list(document, piece) {
            break;
        }
        let entries = entries_of(document, piece, false);
        let is_source = |(parsed, style): &(Parsed, LabelStyle)| is_bracket(*style) && parsed.pure;
        let good = match entries.kind {
            ListKind::Footnotes => !entries.parsed.is_empty(),
            ListKind::Definitions => !entries.parsed.is_empty() && definitions_are_cited(document, piece),
            ListKind::Lines => {
                let sources = entries.parsed.iter().filter(|entry| is_source(entry)).count();
                sources > 0
                    && entries.parsed.iter().all(|(_, style)| is_bracket(*style))
                    && sources * 2 >= entries.parsed.len()
            }
            ListKind::Table | ListKind::Metadata => false,
        };
        if !good || kind.is_some_and(|kind| kind != entries.kind) {
            break;
        }
        kind = Some(entries.kind);
        found.push((next, entries));
        next += 1;
    }
    let count: usize = found.iter().map(|(_, entries)| entries.parsed.len()).sum();
    if count < 2 && !matches!(kind, Some(ListKind::Footnotes | ListKind::Definitions)) {
        return None;
    }
    // A heading that heads nothing but the list is the list's, whatever its words.
    let before = at.checked_sub(1).and_then(|at| pieces.get(at));
    let heading = before.filter(|_| kind == Some(ListKind::Lines)).and_then(|piece| {
        let level = heading_level(document, piece)?;
        let alone =
            pieces.get(next).is_none_or(|piece| heading_level(document, piece).is_some_and(|below| below <= level));
        let (id, block) = block_of(document, piece)?;
        alone.then(|| Heading {
            span: trimmed(document, block.span),
            level: Some(level),
            title: shown_line(document, id),
            rest: None,
        })
    });
    let span = heading.as_ref().map_or(Span::at(0), |heading| heading.span);
    let list = build(document, pieces, heading, span, found)?;
    Some((list, next))
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
        BlockKind::Paragraph | BlockKind::Heading(_) | BlockKind::FootnoteDefinition(_) => true,
        _ => false,
    }
}

/// Whether something cites the numbers of a run of definitions: definitions that only links rest on are no list.
fn definitions_are_cited(document: &Document, piece: &Piece) -> bool {
    let PieceKind::Definitions(first, end) = piece.kind else { return false };
    let labels: std::collections::HashSet<Label> =
        document.definitions()[first..end].iter().filter_map(|definition| Label::of(&definition.label)).collect();
    document.links().iter().any(|link| {
        !link.image
            && matches!(link.style, LinkStyle::Shortcut | LinkStyle::Collapsed | LinkStyle::Reference)
            && Label::of(document.slice(link.text)).is_some_and(|label| labels.contains(&label))
    })
}

/// The last list of the document when it is ordered, all of its items are nothing but sources, and no list was found.
fn closing_list(document: &Document, pieces: &[Piece]) -> Option<SourceList> {
    let at = pieces
        .iter()
        .rposition(|piece| !block_of(document, piece).is_some_and(|(_, block)| block.kind == BlockKind::Rule))?;
    let (_, block) = block_of(document, &pieces[at])?;
    let BlockKind::List(Some(1)) = block.kind else { return None };
    let entries = entries_of(document, &pieces[at], false);
    let good = entries.parsed.len() >= 2
        && entries.parsed.iter().all(|(parsed, style)| parsed.pure && *style == LabelStyle::Dot);
    let is_cited = memchr::memmem::find(&document.text().as_bytes()[..block.span.start], b"[1]").is_some();
    if !good || !is_cited {
        return None;
    }
    build(document, pieces, None, Span::at(0), vec![(at, entries)])
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
            let shown = Shown::plain(&line[label.end..]);
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
    let mut list =
        build(document, &[], Some(heading), span, vec![(usize::MAX, Entries { parsed, kind: ListKind::Lines })])?;
    list.blocks.clear();
    Some(list)
}

fn is_closed_fence(code: &str) -> bool {
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
    heading_span: Span,
    found: Vec<(usize, Entries)>,
) -> Option<SourceList> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut blocks = Vec::new();
    let mut styles = Vec::new();
    let mut kind = None;
    for (at, part) in found {
        if part.parsed.is_empty() {
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
    let with_address = entries.iter().filter(|entry| !entry.addresses.is_empty()).count();
    let labelled = styles.iter().filter(|style| is_label(**style)).count();
    if with_address == 0 && labelled < 2 && !is_only_entry_cited(document, &entries) {
        return None;
    }
    // The head of a table is no entry, and part of the list all the same.
    let tables = blocks.iter().map(|id| document.block(*id)).filter(|block| block.kind == BlockKind::Table);
    let tables = tables.map(|block| trimmed(document, block.span));
    let span = entries.iter().map(|entry| entry.span).chain(tables).reduce(Span::cover)?;
    Some(SourceList {
        kind: kind.unwrap_or_default(),
        heading: heading.is_some().then_some(heading_span),
        level: heading.as_ref().and_then(|heading| heading.level),
        title: heading.map(|heading| heading.title),
        span,
        scope: Span::new(0, document.text().len()),
        blocks,
        entries,
        escaped: styles.contains(&LabelStyle::Escaped),
        bracketed: styles.first().is_some_and(|style| is_bracket(*style)),
    })
}

/// A single entry without an address is one when something cites its label.
fn is_only_entry_cited(document: &Document, entries: &[Entry]) -> bool {
    let [Entry { label: Some(Label::Number(number)), span, .. }] = entries else { return false };
    let before = &document.text().as_bytes()[..span.start];
    memchr::memmem::find(before, format!("[{number}]").as_bytes()).is_some()
}

fn entries_of(document: &Document, piece: &Piece, headed: bool) -> Entries {
    match piece.kind {
        PieceKind::Definitions(first, end) => definition_entries(document, first, end),
        PieceKind::Block(id) => {
            let block = document.block(id);
            match &block.kind {
                BlockKind::Paragraph | BlockKind::Heading(_) => {
                    lines_of(document, id, trimmed(document, block.span), headed)
                }
                BlockKind::List(_) => Entries { parsed: item_entries(document, id), kind: ListKind::Lines },
                BlockKind::Table if headed => Entries {
                    parsed: table::entries_of(document, id)
                        .into_iter()
                        .map(|row| {
                            let style = if row.entry.label.is_some() { LabelStyle::Dot } else { LabelStyle::None };
                            let pure = !row.entry.addresses.is_empty();
                            (Parsed { entry: row.entry, pure }, style)
                        })
                        .collect(),
                    kind: ListKind::Table,
                },
                BlockKind::FootnoteDefinition(label) => Entries {
                    parsed: footnote_entry(document, id, label, headed).into_iter().collect(),
                    kind: ListKind::Footnotes,
                },
                _ => Entries { parsed: Vec::new(), kind: ListKind::Lines },
            }
        }
    }
}

/// Definitions with a number for a label.
fn definition_entries(document: &Document, first: usize, end: usize) -> Entries {
    let parsed = document.definitions()[first..end]
        .iter()
        .filter_map(|definition| {
            let label = Label::of(&definition.label).filter(|label| matches!(label, Label::Number(_)))?;
            let entry = Entry {
                label: Some(label),
                span: trimmed(document, definition.span),
                title: definition.title.clone().unwrap_or_default(),
                addresses: vec![definition.address.clone()],
                accessed: None,
                note: None,
            };
            Some((Parsed { entry, pure: true }, LabelStyle::Bracket))
        })
        .collect();
    Entries { parsed, kind: ListKind::Definitions }
}

/// A footnote whose text is a source.
fn footnote_entry(document: &Document, id: BlockId, label: &str, headed: bool) -> Option<(Parsed, LabelStyle)> {
    let leaves = leaves_of(document, id);
    let [leaf] = leaves.as_slice() else { return None };
    let block = document.block(id);
    let span = trimmed(document, block.span);
    let parsed = layout::entry_of(Shown::of(document, &[*leaf], document.content_span(*leaf)), Label::of(label), span);
    let is_source = if headed {
        !parsed.entry.addresses.is_empty() || parsed.entry.title.len() > 3
    } else {
        parsed.pure && !is_remark(&parsed.entry)
    };
    is_source.then_some((parsed, LabelStyle::Footnote))
}

/// Whether a footnote with an address says something of its own: several sentences, or `…; see https://…`.
fn is_remark(entry: &Entry) -> bool {
    let title = entry.title.as_str();
    let sentences = title.matches(". ").count() + title.matches("。").count();
    let leads_in =
        [" see", " cf", "; see also", " at", " from", " on", "参见", "详见"].iter().any(|end| title.ends_with(end));
    sentences > 4 || (leads_in && title.contains(' ')) || entry.note.as_deref().is_some_and(|note| words(note) > 12)
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// Every leaf below `id`, in order.
fn leaves_of(document: &Document, id: BlockId) -> Vec<BlockId> {
    let mut leaves = Vec::new();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        let block = document.block(id);
        if block.is_leaf() {
            leaves.push(id);
        }
        open.extend(block.children.iter().rev());
    }
    leaves
}

/// The entries that the lines of a paragraph are: each labelled line starts one; without labels, each line that is
/// nothing but a source is one.
fn lines_of(document: &Document, id: BlockId, content: Span, headed: bool) -> Entries {
    let text = document.text();
    let mut lines: Vec<Span> = Vec::new();
    let mut start = content.start;
    for end in
        memchr::memchr_iter(b'\n', document.slice(content).as_bytes()).map(|at| content.start + at).chain([content.end])
    {
        // What stands before the inlines of a line is formatting or the mark of a block around.
        let line = Span::new(start, end.max(start));
        let line = Span::new(
            line.start + (line.of(text).len() - line.of(text).trim_start_matches([' ', '\t', '>']).len()),
            line.start + line.of(text).trim_end().len(),
        );
        if !line.is_empty() {
            lines.push(line);
        }
        start = end + 1;
    }
    let is_marked =
        lines.iter().any(|line| line_label(line.of(text)).is_some_and(|label| headed || is_bracket(label.style)));
    let mut parsed: Vec<(Parsed, LabelStyle)> = Vec::new();
    if !is_marked {
        if headed {
            for line in lines {
                let entry = layout::entry_of(Shown::of(document, &[id], line), None, line);
                if entry.pure {
                    parsed.push((entry, LabelStyle::None));
                }
            }
        }
        return Entries { parsed, kind: ListKind::Lines };
    }
    let mut open: Option<(Span, Label, LabelStyle, usize)> = None;
    let mut has_address = false;
    let close = |open: &mut Option<(Span, Label, LabelStyle, usize)>, parsed: &mut Vec<(Parsed, LabelStyle)>| {
        let Some((span, label, style, from)) = open.take() else { return };
        let shown = Shown::of(document, &[id], Span::new(from, span.end));
        parsed.push((layout::entry_of(shown, Some(label), span), style));
    };
    for line in lines {
        if let Some(found) = line_label(line.of(text)).filter(|label| headed || is_bracket(label.style)) {
            close(&mut open, &mut parsed);
            open = Some((line, found.label, found.style, line.start + found.end));
            has_address = address_in(line.of(text));
            continue;
        }
        let Some((span, ..)) = &mut open else { continue };
        // A wrapped line goes on with the entry until it has its address.
        let gives_address = address_in(line.of(text));
        if !has_address || gives_address {
            span.end = line.end;
            has_address |= gives_address;
        } else {
            close(&mut open, &mut parsed);
        }
    }
    close(&mut open, &mut parsed);
    Entries { parsed, kind: ListKind::Lines }
}

fn address_in(text: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), b"://").is_some()
}

/// The entries that the items of a list are.
fn item_entries(document: &Document, list: BlockId) -> Vec<(Parsed, LabelStyle)> {
    let mut parsed = Vec::new();
    let mut open = vec![list];
    // Nested lists of sources are read in place of an item that only names their group.
    while let Some(id) = open.pop() {
        let block = document.block(id);
        match block.kind {
            BlockKind::List(_) => open.extend(block.children.iter().rev()),
            BlockKind::Item => match item_entry(document, id) {
                Ok(entry) => parsed.push(entry),
                Err(nested) => open.extend(nested.into_iter().rev()),
            },
            _ => {}
        }
    }
    number_equal_labels(&mut parsed);
    parsed
}

/// The entry that an item is; the lists in it when it is only the head of a group.
fn item_entry(document: &Document, item: BlockId) -> Result<(Parsed, LabelStyle), Vec<BlockId>> {
    let block = document.block(item);
    let text = document.text();
    let span = trimmed(document, block.span);
    let mark = item_mark(span.of(text));
    let content_start = span.start + mark.1;
    let content = Span::new(content_start.min(span.end), span.end);
    let inner = line_label(content.of(text)).filter(|label| is_bracket(label.style));
    let (label, style, from) = match (inner, mark.0) {
        (Some(inner), _) => (Some(inner.label), inner.style, content.start + inner.end),
        (None, Some(label)) => (Some(label), LabelStyle::Dot, content.start),
        (None, None) => (None, LabelStyle::None, content.start),
    };
    let nested: Vec<BlockId> =
        block.children.iter().copied().filter(|id| matches!(document.block(*id).kind, BlockKind::List(_))).collect();
    let leaves = leaves_of(document, item);
    let first = match nested.first() {
        Some(list) if label.is_none() => {
            let start = document.block(*list).span.start;
            let own: Vec<BlockId> =
                leaves.iter().copied().filter(|leaf| document.block(*leaf).span.start < start).collect();
            let parsed = layout::entry_of(Shown::of(document, &own, Span::new(from, start.max(from))), None, span);
            if parsed.entry.addresses.is_empty() && group_has_sources(document, *list) {
                return Err(nested);
            }
            Some(parsed).filter(|parsed| !parsed.entry.addresses.is_empty())
        }
        _ => None,
    };
    let parsed = first.unwrap_or_else(|| {
        layout::entry_of(Shown::of(document, &leaves, Span::new(from, span.end.max(from))), label, span)
    });
    Ok((parsed, style))
}

/// Whether two items of a nested list have an address each.
fn group_has_sources(document: &Document, list: BlockId) -> bool {
    let items = &document.block(list).children;
    items.len() >= 2 && items.iter().filter(|item| address_in(document.slice(document.block(**item).span))).count() >= 2
}

/// The number of an ordered item as written, and the length of the mark.
fn item_mark(item: &str) -> (Option<Label>, usize) {
    let digits = item.bytes().take_while(u8::is_ascii_digit).count();
    let mark = if digits > 0 { digits + 1 } else { usize::from(item.starts_with(['-', '*', '+'])) };
    let rest = item.get(mark..).unwrap_or_default();
    let length = item.len() - rest.trim_start().len();
    (Label::of(&item[..digits]).filter(|_| digits > 0), length)
}

/// `1. 1. 1.` is how some write a list whose numbers Markdown counts: they are 1, 2, 3.
fn number_equal_labels(parsed: &mut [(Parsed, LabelStyle)]) {
    let [(first, LabelStyle::Dot), rest @ ..] = &*parsed else { return };
    let label = first.entry.label.clone();
    let Some(Label::Number(from)) = label else { return };
    if rest.is_empty() || rest.iter().any(|(parsed, style)| *style != LabelStyle::Dot || parsed.entry.label != label) {
        return;
    }
    for (i, (parsed, _)) in parsed.iter_mut().enumerate() {
        parsed.entry.label = Some(Label::Number(from.saturating_add(i as u32)));
    }
}

/// One list explains the whole document; lists whose labels mean different things explain their sections.
fn set_scopes(document: &Document, lists: &mut [SourceList]) {
    if lists.len() < 2 || !labels_collide(lists) {
        return;
    }
    let end = document.text().len();
    let headings: Vec<(usize, u8)> = document
        .roots()
        .iter()
        .filter_map(|id| match document.block(*id).kind {
            BlockKind::Heading(level) => Some((document.block(*id).span.start, level)),
            _ => None,
        })
        .collect();
    let mut before = 0;
    let mut shared = Vec::new();
    let last = lists.len() - 1;
    for (i, list) in lists.iter_mut().enumerate() {
        let start = list.heading.map_or(list.span.start, |heading| heading.start);
        // A list right below another one explains what that one does; which is meant, the writing of its labels says.
        let follows = i > 0 && is_bare(document.slice(Span::new(before.min(start), start)));
        if follows {
            shared.push(i);
            before = list.span.end;
            continue;
        }
        // The section that holds the list begins at the heading above it of a lower level.
        let section = headings
            .iter()
            .rev()
            .find(|(at, level)| *at < start && list.level.is_none_or(|own| *level < own))
            .filter(|(at, _)| *at >= before);
        let from = section.map_or(before, |(at, _)| *at);
        let until = match section {
            Some((_, level)) => {
                headings.iter().find(|(at, l)| *at > list.span.end && l <= level).map_or(end, |(at, _)| *at)
            }
            None if i == last => end,
            None => list.span.end,
        };
        // Nothing between two lists is left without one.
        list.scope = Span::new(if i == 0 { from } else { from.min(start) }, until.max(list.span.end));
        before = list.span.end;
    }
    for i in shared {
        let end = lists[i].span.end.max(lists[i - 1].scope.end);
        let scope = Span::new(lists[i - 1].scope.start, end);
        lists[i - 1].scope = scope;
        lists[i].scope = scope;
    }
}

/// Whether nothing but white space and rules stands in `text`.
fn is_bare(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || matches!(c, '-' | '*' | '_'))
}

fn labels_collide(lists: &[SourceList]) -> bool {
    let mut seen: std::collections::HashMap<&Label, (usize, &Entry)> = std::collections::HashMap::new();
    for (i, list) in lists.iter().enumerate().filter(|(_, list)| list.kind != ListKind::Footnotes) {
        for entry in &list.entries {
            let Some(label) = &entry.label else { continue };
            match seen.get(label) {
                Some((other, first)) if *other != i => {
                    let same = first.addresses.iter().any(|a| entry.addresses.iter().any(|b| key_of(a) == key_of(b)));
                    if !same {
                        return true;
                    }
                }
                Some(_) => {}
                None => {
                    seen.insert(label, (i, entry));
                }
            }
        }
    }
    false
}
