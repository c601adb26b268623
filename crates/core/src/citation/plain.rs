//! Plain numbers behind stops: `… in 2024.1`, `… in 2024. 1`, `share.1 2 3`, as pasting from some products leaves them.
//!
//! A number is no sign by itself. So they are citations all together or not at all: the document cites in no other form, a list
//! in it has all of them as labels, and they come in ascending order of first appearance.

use std::collections::HashSet;

use super::entries::trimmed;
use super::label::Label;
use super::linked::is_below_sources;
use super::marker::{MarkerForm, Target};
use super::nearby::is_stop;
use super::scan::Candidate;
use super::vocabulary::Vocabulary;
use crate::markdown::{Block, BlockId, BlockKind, Document, Inline, InlineKind};
use crate::pattern::Pattern;
use cited_text::Span;
use cited_text::marks::is_closing_mark;
use cited_text::script::is_cjk;
use cited_text::sentence::sentences;

/// Bytes before a stop by which it is told whether a sentence ends there.
const LOOK_BEHIND: usize = 120;
/// Bytes behind the numbers for the same.
const LOOK_AHEAD: usize = 40;

/// The citations of a document that cites by plain numbers and in no other form, but in columns of sources.
pub(super) fn cited(
    document: &Document,
    vocabulary: &Vocabulary<'_>,
    candidates: &[Candidate],
    is_read: impl Fn(BlockId) -> bool,
) -> Option<Vec<Candidate>> {
    let others = || candidates.iter().filter(|c| c.missing.len() < c.targets.len());
    if vocabulary.highest == 0 || others().any(|c| !is_below_sources(document, c.block)) {
        return None;
    }
    let numbers = Numbers { document, highest: vocabulary.highest, behind_stops: true, in_cells: true, unread: false };
    let all = |numbers: Numbers<'_>| numbers.cited(vocabulary, &is_read);
    let mut cited = all(numbers).or_else(|| all(Numbers { in_cells: false, ..numbers }))?;
    cited.extend(others().cloned());
    cited.sort_unstable_by_key(|c| c.span.start);
    Some(cited)
}

/// Where numbers stand that may be meant for citations, and are none: behind the values of cells, alone in the column of sources, and behind
/// stops in a document that cites plainly. Behind a stop in any other document a number begins a sentence.
pub(super) fn unread(document: &Document, highest: u32, cites_plainly: bool) -> impl Iterator<Item = (Span, Vec<u32>)> {
    let numbers = Numbers { document, highest, behind_stops: cites_plainly, in_cells: true, unread: true };
    numbers.all(|_| true).map(|(_, span, numbers)| (span, numbers))
}

/// What numbers of a document are looked for: none above the highest label, and which.
#[derive(Clone, Copy)]
struct Numbers<'d> {
    document: &'d Document,
    highest: u32,
    behind_stops: bool,
    /// Those behind the values of cells and alone in the column of sources.
    in_cells: bool,
    /// Those that are not read, and may be meant.
    unread: bool,
}

impl Numbers<'_> {
    fn has(self, numbers: &[u32]) -> bool {
        numbers.iter().all(|number| (1..=self.highest).contains(number))
    }

    /// All that are written so in the leaves that `is_read` admits, with the leaf that they stand in.
    fn all(self, is_read: impl Fn(BlockId) -> bool) -> impl Iterator<Item = (BlockId, Span, Vec<u32>)> {
        let is_heading = |block: &Block| matches!(block.kind, BlockKind::Heading(_));
        let blocks = self.document.leaves().filter(move |(id, block)| is_read(*id) && !is_heading(block));
        blocks.flat_map(move |(id, block)| {
            let is_text = |inline: &&Inline| inline.kind == InlineKind::Text && inline.link.is_none();
            let texts = self.document.inlines(id).iter().filter(is_text);
            let mut content = trimmed(self.document, self.document.content_span(id));
            // A mark that it ends with is none of its words where numbers may be unread.
            if let Some(mark) = MARK.find(self.document.slice(content)).filter(|_| self.unread) {
                content.end = content.start + mark.start();
            }
            let is_cell = self.in_cells && block.kind == BlockKind::TableCell;
            let below_sources = is_cell.then(|| is_below_sources(self.document, id));
            let found = texts.flat_map(move |inline| self.numbers_in(content, below_sources, inline.span));
            found.map(move |(span, numbers)| (id, span, numbers))
        })
    }

    fn cited(self, vocabulary: &Vocabulary<'_>, is_read: &impl Fn(BlockId) -> bool) -> Option<Vec<Candidate>> {
        let mut found: Vec<Candidate> = Vec::new();
        let mut seen: HashSet<u32> = HashSet::new();
        let mut last = 0;
        for (block, span, numbers) in self.all(is_read) {
            for number in &numbers {
                if seen.insert(*number) {
                    // Somebody who cites a list by place begins with its first entries.
                    if *number < last {
                        return None;
                    }
                    last = *number;
                }
            }
            let target = |number: &u32| vocabulary.target(&Label::Number(*number), span.start);
            let target = |number| target(number).filter(|target| matches!(target, Target::Entry(_)));
            let targets: Vec<Target> = numbers.iter().map(target).collect::<Option<_>>()?;
            found.push(Candidate::known(block, span, MarkerForm::Plain, targets));
        }
        // One number alone may be any.
        let several = seen.len() > 1 || seen.contains(&1) && vocabulary.highest == 1;
        several.then_some(found)
    }

    /// The numbers in an inline of a leaf that may cite; `below_sources` of a cell: whether its column is one of sources.
    fn numbers_in(self, content: Span, below_sources: Option<bool>, inline: Span) -> Vec<(Span, Vec<u32>)> {
        let text = self.document.text();
        let mut found = if self.behind_stops { self.numbers_behind(content, inline) } else { Vec::new() };
        let Some(below_sources) = below_sources else { return found };
        if below_sources {
            // The numbers that are all of the cell.
            let all = numbers(text, content.start, content.end);
            let all = all.filter(|(numbers, end)| *end == content.end && self.has(numbers));
            found.extend(all.map(|(numbers, _)| (content, numbers)));
        } else if found.is_empty() {
            // *Fig. 3* and *model 3* are no values.
            let is_value = |span: Span| {
                let before = Span::new(content.start, span.start).slice(text).trim_end();
                before.ends_with(|c: char| c.is_ascii_digit() || matches!(c, '%' | '‰'))
            };
            let behind = self.behind_value(content, inline);
            found.extend(behind.filter(|(span, _)| !self.unread || is_value(*span)));
        }
        found
    }

    /// The numbers that a cell ends with behind its value: `160–205 7`. What stands before them has a number itself: the 3 of a cell
    /// *Model 3* is a part of a name.
    fn behind_value(self, content: Span, inline: Span) -> Option<(Span, Vec<u32>)> {
        let text = self.document.text();
        let end = content.start + content.slice(text).trim_end().len();
        if inline.end < end {
            return None;
        }
        let cell = text.get(inline.start..end)?;
        let is_one = |word: &&str| {
            let number = word.trim_end_matches([' ', ',']).parse();
            number.is_ok_and(|number| self.has(&[number])) && !word.starts_with(['0', '+'])
        };
        // The first word is the value.
        let (_, behind) = cell.trim_start().split_once(' ')?;
        let length: usize = behind.split_inclusive(' ').rev().take_while(is_one).map(str::len).sum();
        let start = cell.len() - length;
        let (numbers, stop) = numbers(cell, start, cell.len())?;
        (stop == cell.len() && cell[..start].contains(|c: char| c.is_ascii_digit()))
            .then(|| (Span::new(inline.start + start, end), numbers))
    }

    /// The numbers behind the stops of `inline`; of those that are not read, also what may be the decimals of a number: `320,000.2 The next`.
    fn numbers_behind(self, content: Span, inline: Span) -> Vec<(Span, Vec<u32>)> {
        let (text, mut found) = (self.document.text(), Vec::new());
        let mut at = inline.start;
        for (place, _) in inline.slice(text).char_indices().filter(|(_, c)| is_stop(*c)) {
            let stop = inline.start + place;
            if stop < at {
                continue;
            }
            let end_of_stop = stop + text[stop..].chars().next().map_or(0, char::len_utf8);
            let closed =
                text[end_of_stop..inline.end].trim_start_matches(|c| is_closing_mark(c) || matches!(c, ')' | '）'));
            // French sets its marks off: *à la main. »4*.
            let closed = closed.trim_start_matches([' ', '\u{a0}', '\u{202f}']).strip_prefix('»').unwrap_or(closed);
            let end_of_stop = inline.end - closed.len();
            // What is set off and not read is the beginning of a sentence: *It rose. 3 companies left.*
            let start = end_of_stop + usize::from(closed.starts_with(' ') && !self.unread);
            let Some((numbers, end)) = numbers(text, start, inline.end) else { continue };
            // A stop between digits is the point of a number, but for a year, which has no tenths.
            let before = &text[content.start..stop];
            let head = before.trim_end_matches(|c: char| c.is_ascii_digit());
            let digits = &before[head.len()..];
            let is_year =
                digits.len() == 4 && digits.starts_with(['1', '2']) && head.ends_with([' ', '\u{a0}', '(', '–', '-']);
            let is_decimal = start == stop + 1 && !digits.is_empty() && !is_year;
            // What is written so may cite where a sentence begins behind it, and what stands before it is no version.
            let behind = text[end..content.end].strip_prefix(char::is_whitespace).map(str::trim_start);
            let begins = || behind.is_some_and(|behind| behind.starts_with(char::is_uppercase));
            if self.has(&numbers)
                && (!is_decimal || self.unread && !head.ends_with('.') && begins())
                && ends_sentence(text, content, end_of_stop, end)
            {
                found.push((Span::new(start, end), numbers));
                at = end;
            }
        }
        found
    }
}

/// A mark in brackets at the end of a leaf: `160 7 [unverified]`.
static MARK: Pattern = Pattern::new(r"\s*\[\p{Alphabetic}+\]\s*$");

/// Places in a list with a space or comma between them: a dozen at most, of three digits.
static NUMBERS: Pattern = Pattern::made(|| {
    let number = "[1-9１-９][0-9０-９]{0,2}";
    format!("^({number}(?:(?:, ?| ){number}){{0,11}})(?:[^0-9０-９]|$)")
});

/// The numbers from a place on, as far as they may be places in a list, and where they end.
fn numbers(text: &str, from: usize, limit: usize) -> Option<(Vec<u32>, usize)> {
    let run = NUMBERS.captures(&text[from..limit])?.get(1)?;
    let numbers = run.as_str().split([',', ' ']).filter_map(|word| Label::parse(word)?.number());
    Some((numbers.collect(), from + run.end()))
}

/// Whether a sentence ends with the stop that ends at `stop`, with what stands from `behind` on as the next one.
fn ends_sentence(text: &str, content: Span, stop: usize, behind: usize) -> bool {
    let from = text.ceil_char_boundary(stop.saturating_sub(LOOK_BEHIND).max(content.start));
    let rest = text.get(behind..content.end).unwrap_or_default();
    let rest = rest.trim_start_matches(['*', '_']);
    let parted = rest.is_empty() || rest.starts_with(char::is_whitespace) || rest.starts_with(is_cjk);
    let next = if rest.trim().is_empty() { " The" } else { &rest[..rest.floor_char_boundary(LOOK_AHEAD)] };
    let without = [&text[from..stop], next].concat();
    parted && sentences(&without).iter().any(|sentence| without[..sentence.end].trim_end().len() == stop - from)
}

#[cfg(test)]
mod tests {
    use crate::citation::{KnownLabels, MarkerForm, read};
    use crate::markdown::Document;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let list =
            "\n\n## Sources\n\n1. A — https://a.example/\n2. B — https://b.example/\n3. C — https://c.example/\n";
        let document = Document::read(format!("{text}{list}"));
        let citations = read(&document, &KnownLabels::default());
        let plain = citations.markers.iter().filter(|marker| marker.form == MarkerForm::Plain);
        let found: Vec<&str> = plain.map(|marker| document.slice(marker.span)).collect();
        assert_eq!(found, expected, "in {text:?}");
    }

    #[test]
    fn numbers_behind_stops_cite() {
        check("Sales rose in 2024.1 Costs fell by a fifth.2", &["1", "2"]);
        check("Sales rose in 2024. 1 Costs fell by a fifth. 2", &["1", "2"]);
        check("Sales have a large share.1 2 3 Costs fell.", &["1 2 3"]);
        check("Sales have a large share.1,2 Costs fell.3", &["1,2", "3"]);
        check("He calls it “a boom.”1 Costs fell.2 Sales rose again.1", &["1", "2", "1"]);
        check("销量上升。1 成本下降。2", &["1", "2"]);
        check("销量上升。1成本下降。2", &["1", "2"]);
        check("Der Absatz stieg 2024.1 Die Kosten fielen.2", &["1", "2"]);
        check("Продажи выросли.1 Затраты снизились.2", &["1", "2"]);
    }

    #[test]
    fn numbers_behind_the_value_of_a_cell_cite() {
        let table = |cells: &str| format!("\n\n| Cell | Now |\n|---|---|\n{cells}\n");
        check(&format!("It rose.1{}", table("| Energy | 160–205 2 |\n| Cost | 87 1, 3 |")), &["1", "2", "1, 3"]);
        // A value may be a number that the list has, too.
        check(&format!("It rose.1 It fell.2{}", table("| Staff | 3 2 |")), &["1", "2", "2"]);
        // Where one is out of order, or a part of a name, no cell cites.
        check(&format!("It rose.1 It fell.3{}", table("| Energy | 160–205 2 |\n| Cost | 87 1 |")), &["1", "3"]);
        check(&format!("It rose.1 It fell.2{}", table("| Tesla Model 3 | 87 |\n| Year | 2024 |")), &["1", "2"]);
    }

    #[test]
    fn numbers_alone_in_the_column_of_sources_cite() {
        let table =
            |head: &str, cell: &str| format!("It rose.1 It fell.2\n\n| Now | {head} |\n|---|---|\n| 87 | {cell} |\n");
        check(&table("Source", "2, 3"), &["1", "2", "2, 3"]);
        check(&table("Quelle", "3"), &["1", "2", "3"]);
        check(&table("Rank", "3"), &["1", "2"]);
        check(&table("Source", "Model 3"), &["1", "2"]);
        // Raised or in brackets they say nothing of the form that prose cites in.
        check(&table("Source", "<sup>3</sup>"), &["1", "2"]);
        check(&table("Rank", "<sup>3</sup>"), &[]);
    }

    #[test]
    fn other_numbers_do_not() {
        check("It rose to 17.1 Costs fell by 2.3", &[]);
        check("See Fig. 1 and No. 2 of it.", &[]);
        check("It grew. 2 It fell. 1", &[]);
        check("It grew [1]. It is 2 m.3 It fell.2", &[]);
        check("It grew.1 It fell.", &[]);
        check("It began on 3. Mai 2024. Then v2.1 came.", &[]);
        check("It grew. 1 million cars came. 2 of them stayed.", &[]);
    }
}
