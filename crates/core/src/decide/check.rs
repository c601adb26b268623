//! The check of the result: the brief is read again before anything is written.
//!
//! Promise 5 (cited = listed = 1..n in order of first appearance), no marker without a source, and the same blocks
//! outside the edits.

use std::collections::{HashMap, HashSet};

use regex::Regex;

use super::edit::{Cause, Edit, Origin, Places};
use super::holes::Holes;
use super::plan::Numbering;
use crate::citation::{Citations, Label, Marker, MarkerForm, Target};
use crate::finding::Code;
use crate::markdown::{Block, BlockId, BlockKind, Document, SEPARATOR};
use crate::pattern::Pattern;
use crate::source::{Key, key_of};
use cited_text::lines::{LineIndex, Position};
use cited_text::{Span, Spans, lines};

/// What is wrong with a brief.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Defect {
    /// In words, with line and column.
    pub message: String,
    /// The byte of the brief, when the defect has one.
    pub at: Option<usize>,
}

impl Defect {
    /// A defect of the brief as a whole.
    pub fn new(message: impl Into<String>) -> Self {
        Defect { message: message.into(), at: None }
    }
}

/// The number of the entry for a key that a bibliography explains, where the text keeps such keys.
pub type KeyNumbers<'a> = &'a dyn Fn(&Label) -> Option<u32>;

/// Compares a brief that was read again with what was meant: the sources that are numbered, and the blocks that stay.
///
/// # Errors
/// Says what is wrong, and where.
pub fn check(
    before: (&Document, &Citations),
    holes: &Holes,
    after: (&Document, &Citations),
    links_count: bool,
    numbering: &Numbering,
    number_of: KeyNumbers<'_>,
) -> Result<(), Defect> {
    numbers(after.0, after.1, links_count, numbering.is_kept, number_of)?;
    let cited = numbering.sources().len();
    let listed: usize = after.1.lists.iter().map(|list| list.entries.len()).sum();
    if listed != cited {
        return Err(Defect::new(format!("{listed} sources are listed where {cited} were meant")));
    }
    structure(before, holes, after)
}

/// Promise 5 on a finished document. `links_count` says that words that link to a source cite it without a number. Of a document whose
/// numbers were `kept` less is asked: each citation has an entry, and each entry a number of its own.
///
/// # Errors
/// Says which citation or entry breaks it.
pub fn numbers(
    document: &Document,
    citations: &Citations,
    links_count: bool,
    kept: bool,
    number_of: KeyNumbers<'_>,
) -> Result<(), Defect> {
    let lines = LineIndex::new(document.text());
    let wrong = |what: &str, span: Span| {
        let Position { line, column, .. } = lines.position(document.text(), span.start);
        Err(Defect { message: format!("{what}, line {line}, column {column} of the brief"), at: Some(span.start) })
    };
    let entries = || citations.lists.iter().flat_map(|list| &list.entries);
    let number_in = |label: &Option<Label>| label.as_ref().and_then(Label::number);
    // Forms whose address is the identity cite the entry with that address.
    let addresses = entries().flat_map(|entry| entry.addresses.iter().map(|address| (key_of(address), &entry.label)));
    let by_key: HashMap<Key, &Option<Label>> = addresses.collect();
    let mut next = 1;
    let mut seen = HashSet::new();
    for marker in citations.markers.iter().filter(|marker| marker.standalone || links_count && !kept) {
        for target in &marker.targets {
            let number = match target {
                Target::Entry(id) => citations.entry(*id).and_then(|entry| number_in(&entry.label)),
                Target::Label(label) => match number_of(label) {
                    None => return wrong(&format!("citation [{label}] has no entry"), marker.span),
                    number => number,
                },
                Target::Address(address) => match by_key.get(&key_of(address)) {
                    Some(label) => number_in(label),
                    // Words that link to a page that is no source here are words.
                    None if !marker.standalone || kept => continue,
                    None => return wrong(&format!("{address} is not listed"), marker.span),
                },
            };
            let Some(number) = number else { return wrong("an entry without a number is cited", marker.span) };
            if seen.insert(number) && !kept {
                if number != next {
                    return wrong(&format!("[{number}] appears where [{next}] should"), marker.span);
                }
                next += 1;
            }
        }
    }
    let mut numbers = HashSet::new();
    for (expected, entry) in (1..).zip(entries()) {
        let fits = |number: u32| if kept { numbers.insert(number) } else { number == expected };
        if !number_in(&entry.label).is_some_and(fits) {
            return Err(Defect::new(format!("entry {expected} of the source list has another number")));
        }
    }
    let listed = entries().count();
    if listed != seen.len() && !kept {
        return Err(Defect::new(format!("{listed} sources are listed and {} are cited", seen.len())));
    }
    Ok(())
}

/// What keeps text that is no citation in the draft from being read as one in the brief, where the numbers have another
/// meaning: `[2]` in a draft that cites by footnotes. What the draft was told of as a citation of a list that is not there goes: with the
/// brief's list it would mean another work. The edits are for the draft.
pub fn escapes(
    (draft, before): (&Document, &Citations),
    edits: &[Edit],
    (document, after): (&Document, &Citations),
) -> Vec<Edit> {
    let (links, draft, mut places, mut found) = (draft.links(), draft.text(), Places::new(edits), Vec::new());
    for Marker { span: marker, form, block, .. } in after.markers.iter().filter(|marker| marker.standalone) {
        // What cited writes of it is meant as it stands.
        let start = match places.origin(marker.start) {
            Origin::Kept(at) => at,
            Origin::Written(edit) => edit.span.end,
        };
        let end = match places.origin(marker.end - 1) {
            Origin::Kept(last) => last + 1,
            Origin::Written(edit) => edit.span.start,
        };
        let span = Span::new(start, end.max(start));
        if before.marker_over(span).is_none() && span.slice(draft).contains(|c: char| c.is_alphanumeric()) {
            // Behind a backslash a bracket among the words of a link would leave its closing one to end the link.
            let link = links[..links.partition_point(|link| link.span.start < span.start)].last();
            let html =
                link.is_some_and(|link| span.end < link.span.end) || document.block(*block).kind == BlockKind::Html;
            found.extend(match orphan(draft, before, span).filter(|_| *form == MarkerForm::Bracket) {
                Some(orphan) => vec![Edit::new(orphan, "", Cause::Renumbered)],
                None => escape(draft, span, (!html).then_some(*form)),
            });
        }
    }
    found
}

/// What goes with a citation of a draft without a list that was told to have no entry: itself and the space before it.
fn orphan(draft: &str, before: &Citations, span: Span) -> Option<Span> {
    if !before.lists.is_empty() {
        return None;
    }
    let mut told = before.findings.iter().filter(|finding| finding.code == Code::OrphanCitation);
    told.any(|finding| finding.span.is_some_and(|told| told.overlaps(span))).then_some(())?;
    let words = draft[..span.start].trim_end_matches([' ', '\t']);
    let starts_line = words.is_empty() || words.ends_with(['\n', '\r', '|', '>']);
    (!starts_line).then(|| Span::new(words.len(), span.end))
}

/// What keeps text that is no source list in the draft from being read as one in the brief, where a citation has another
/// form or a list has gone from between. The edits are for the draft; `home` are the parts of its list that stays.
pub fn unlisted(home: &[Span], edits: &[Edit], after: &Document, citations: &Citations) -> Vec<Edit> {
    let text = after.text();
    let eol = after.line_end();
    let mut places = Places::new(edits);
    let mut found = Vec::new();
    let is_ours = |origin: Origin<'_>| match origin {
        Origin::Kept(at) => home.iter().any(|part| part.has(at)),
        Origin::Written(edit) => matches!(edit.because, Cause::SourcesWritten | Cause::ReportWritten),
    };
    for list in &citations.lists {
        let Some(first) = list.entries.first().map(|entry| entry.span.start) else { continue };
        let heading = list.heading.unwrap_or(Span::at(first));
        let roots = &after.roots;
        let root = roots.partition_point(|id| after.block(*id).span.start <= heading.start).checked_sub(1);
        let block = root.map(|at| after.block(roots[at]).span).filter(|block| block.has(heading.start));
        let top = block.map_or(heading.start, |block| block.start);
        let before = places.in_draft(lines::line_start(text, top));
        let foreign_heading = list.heading.is_some() && !is_ours(places.origin(heading.start));
        // A heading of its own block ends with it; what is read as one heading may be two.
        let end = match block {
            Some(block) if list.level.is_some() => block.start + after.slice(block).trim_end().len(),
            _ => heading.end,
        };
        let behind = places.in_draft(end);
        let ours = list.entries.iter().any(|entry| is_ours(places.origin(entry.span.start)));
        let edit = match (foreign_heading, list.level) {
            (true, Some(_)) => Edit::new(Span::at(behind), format!("{eol}{SEPARATOR}"), Cause::Escaped),
            (true, None) => Edit::new(Span::at(behind), SEPARATOR, Cause::Escaped),
            (false, _) if !ours => Edit::new(Span::at(before), format!("{SEPARATOR}{eol}"), Cause::Escaped),
            _ => continue,
        };
        found.push(edit);
    }
    found
}

/// What keeps words of a paragraph from being read as a list, heading, quote or rule where they open a block or a line now, or as code where
/// they are indented. The edits are for the draft.
pub fn reopened(draft: &Document, edits: &[Edit], after: &Document) -> Vec<Edit> {
    let (text, mut places) = (draft.text(), Places::new(edits));
    let leaves: Vec<Span> = draft.leaves().map(|(leaf, _)| draft.content_span(leaf)).collect();
    let escape = |(_, block): (BlockId, &Block)| {
        let own = after.slice(block.span).trim_start();
        let indent = block.span.len() - own.len();
        let Origin::Kept(at) = places.origin(block.span.start + indent) else { return None };
        let leaf = leaves[..leaves.partition_point(|leaf| leaf.start <= at)].last()?;
        let olds = draft.blocks_from(at.saturating_sub(indent)).take_while(|(_, old)| old.span.start <= at);
        if !leaf.has(at) || olds.map(|(_, old)| old).any(|old| same_kind(&old.kind, &block.kind)) {
            return None;
        }
        let opens = match block.kind {
            // Lines are a heading or table by what stands below them, too.
            BlockKind::Heading(_) => own.starts_with('#'),
            BlockKind::Table => own.starts_with('|'),
            BlockKind::Code { fenced: false } => {
                let indented = text[..at].trim_end_matches([' ', '\t']).len();
                return Some(Edit::new(Span::new(indented, at), "", Cause::Escaped));
            }
            BlockKind::List(_) | BlockKind::Quote | BlockKind::Rule | BlockKind::Code { .. } => true,
            _ => false,
        };
        let digits = own.bytes().take_while(u8::is_ascii_digit).count();
        opens.then(|| Edit::new(Span::at(at + digits), "\\", Cause::Escaped))
    };
    after.blocks().filter_map(escape).collect()
}

/// Breaks the form of a citation without a trace for the reader of the page. Among the words of HTML, where a backslash would be shown, no
/// form is given.
fn escape(draft: &str, marker: Span, form: Option<MarkerForm>) -> Vec<Edit> {
    static LINK: Pattern = Pattern::new(r"\]\([^)]*\)");
    static RAISED: Pattern = Pattern::new("[⁰¹²³⁴-⁹①-⑳]+(?:,[⁰¹²³⁴-⁹①-⑳]+)*");
    static SIGN: Pattern = Pattern::new(r"\\?[\[^]");
    static OPENING: Pattern = Pattern::new(r"<[^/>]*>|[\p{Ps}&&[^\x00-\x7f]]");
    let written = marker.slice(draft);
    let behind = |sign: char| written.match_indices(sign).map(|(at, _)| at + 1).collect::<Vec<_>>();
    let ends = |pattern: &Regex| pattern.find_iter(written).map(|found| found.end()).collect::<Vec<_>>();
    let powers: Vec<usize> = RAISED.find_iter(written).map(|found| found.start()).collect();
    let signs = SIGN.find_iter(written).filter(|found| found.len() == 1);
    let signs: Vec<usize> = signs.map(|sign| sign.start()).collect();
    let (places, sign) = match form {
        None => (behind('['), SEPARATOR),
        // A link stays one: what is written behind it says that it cites nothing.
        Some(MarkerForm::NumberLink) => (ends(&LINK), SEPARATOR),
        Some(MarkerForm::TitleLink | MarkerForm::Address) => (vec![written.len()], SEPARATOR),
        // What is parted from its word, or begins with no name, is neither raised behind a word nor an author with a year.
        Some(MarkerForm::AuthorYear) if written.contains('(') => (behind('('), SEPARATOR),
        Some(MarkerForm::Superscript) if !powers.is_empty() => (powers, SEPARATOR),
        Some(_) if !signs.is_empty() && !written.contains('<') => (signs, "\\"),
        // Several citations side by side are one marker: each of them is parted.
        Some(_) => (ends(&OPENING), SEPARATOR),
    };
    places.into_iter().map(|at| Edit::new(Span::at(marker.start + at), sign, Cause::Escaped)).collect()
}

/// What lists and the sections of a report take of a document.
fn written_by_us(document: &Document, citations: &Citations) -> Spans {
    let parts = citations.lists.iter().flat_map(|list| list.parts(document));
    citations.own_sections.iter().copied().chain(parts).collect()
}

/// Whether a block has a part of these.
fn has_part(document: &Document, block: &Block, parts: &Spans) -> bool {
    let Span { start, .. } = block.span;
    parts.overlap(Span::new(start, start + document.slice(block.span).trim_end().len()))
}

/// The blocks of a document that stand in no list and no report, without those that come and go with their text.
fn own_blocks<'d>(document: &'d Document, listed: &Spans) -> Vec<(BlockId, &'d Block)> {
    let is_own = |(_, block): &(BlockId, &Block)| match block.kind {
        // Paragraphs that the reader makes up for tight items come and go with their text.
        BlockKind::Paragraph => false,
        // What cited puts between blocks that would become one.
        BlockKind::Html if document.slice(block.span).trim() == SEPARATOR => false,
        // A fence with nothing in it: what is left of one that an agent forgot to close, when the list in it goes.
        BlockKind::Code { .. } if !document.slice(block.span).contains(char::is_alphanumeric) => false,
        _ => !has_part(document, block, listed),
    };
    document.blocks().filter(is_own).collect()
}

/// The same blocks in the same order and depth, apart from those that went and those that cited writes.
fn structure(
    (draft, before): (&Document, &Citations),
    holes: &Holes,
    (document, after): (&Document, &Citations),
) -> Result<(), Defect> {
    let listed = written_by_us(draft, before);
    let kept = own_blocks(draft, &listed).into_iter().filter(|(id, _)| !holes.is_gone(*id)).map(|(_, block)| block);
    let mut kept = kept.peekable();
    // What holds a list and more, a fence that is never closed, may stay when the list in it goes.
    let holds = |block: &Block| has_part(draft, block, &listed) && !listed.contain(block.span);
    let mut holders: Vec<&BlockKind> =
        draft.blocks().filter(|(_, block)| holds(block)).map(|(_, block)| &block.kind).collect();
    let leaves = |holder: &BlockKind, left: &BlockKind| {
        // Of a list right above a rule, a heading to Markdown, the rule is left.
        same_kind(holder, left) || (matches!(holder, BlockKind::Heading(_)) && *left == BlockKind::Rule)
    };
    let wrong = |read: Option<&Block>, meant: Option<&Block>| {
        let at = read.map_or(document.text().len(), |block| block.span.start);
        let line = LineIndex::new(document.text()).line(at);
        let [read, meant] =
            [read, meant].map(|block| block.map_or("the end".to_owned(), |block| format!("{:?}", block.kind)));
        Err(Defect { message: format!("line {line} of the brief is {read} where {meant} was meant"), at: Some(at) })
    };
    for (_, read) in own_blocks(document, &written_by_us(document, after)) {
        if kept.next_if(|meant| same_kind(&meant.kind, &read.kind)).is_some() {
            continue;
        }
        let Some(at) = holders.iter().position(|holder| leaves(holder, &read.kind)) else {
            return wrong(Some(read), kept.next());
        };
        holders.swap_remove(at);
    }
    kept.next().map_or(Ok(()), |meant| wrong(None, Some(meant)))
}

fn same_kind(a: &BlockKind, b: &BlockKind) -> bool {
    match (a, b) {
        // A list that lost its first items may start at another number.
        (BlockKind::List(a), BlockKind::List(b)) => a.is_some() == b.is_some(),
        (a, b) => a == b,
    }
}
