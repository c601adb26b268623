//! Edits as a reader sees them: one that writes several lines anew is shown as what becomes of each line, and within a line of each word.
//!
//! The record keeps an edit as it was made: a source list is written whole. Whoever reads the report wants to know which entries are others now.
//! The edits that stand here give the same text, byte for byte.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use similar::{Algorithm, DiffOp, capture_diff_slices_by_key};

use cited_core::decide::{Cause, Edit};
use cited_text::Span;

/// Lines and words are compared up to so many on both sides together: the time may grow with the square. What is larger is shown as it was written.
const MOST: usize = 10_000;

/// A word, or the space between words. Scripts without spaces are compared by character.
static WORD: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[\u{2e80}-\u{10ffff}]|\s+|[^\s\u{2e80}-\u{10ffff}]+").expect("a fixed pattern"));

/// An edit as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change<'a> {
    /// The bytes of the draft that go.
    pub(crate) span: Span,
    /// What comes in their place.
    pub(crate) words: Cow<'a, str>,
    pub(crate) because: Cause,
    /// Whether what comes is lines that nothing of the draft became.
    pub(crate) lines: bool,
}

impl<'a> Change<'a> {
    fn from_edit(edit: &'a Edit) -> Change<'a> {
        let words = Cow::Borrowed(edit.replacement.as_str());
        Change { span: edit.span, words, because: edit.because, lines: false }
    }

    /// Whether citations or an entry get other numbers, or as many citations stand in another layout, and nothing else.
    pub(crate) fn renumbers(&self, draft: &str) -> bool {
        let words = |text: &str| {
            let text = without_targets(text);
            let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            words.map(|word| if word.parse::<u64>().is_ok() { "0" } else { word }.to_owned()).collect::<Vec<_>>()
        };
        self.because == Cause::Renumbered && words(self.span.slice(draft)) == words(&self.words)
    }
}

/// Citations without the addresses that they link to, which the list of sources has.
pub(crate) fn without_targets(text: &str) -> String {
    let mut parts = text.split("](");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + "]" + part.split_once(')').map_or(part, |(_, behind)| behind))
}

/// The edits of a draft, in order of place, as they are shown.
pub(crate) fn refined<'a>(draft: &str, edits: &'a [Edit]) -> Vec<Change<'a>> {
    let mut order: Vec<&Edit> = edits.iter().collect();
    order.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut changes = Vec::with_capacity(order.len());
    let mut rest = order.as_slice();
    while !rest.is_empty() {
        let many = 1 + rest.windows(2).take_while(|pair| is_one(draft, pair[0], pair[1])).count();
        let (group, after) = rest.split_at(many);
        rest = after;
        match by_lines(draft, group) {
            Some(refined) => changes.extend(refined),
            None => changes.extend(group.iter().map(|edit| Change::from_edit(edit))),
        }
    }
    changes
}

/// Whether two edits write one list: the first writes all of it, the others take away what stood there.
fn is_one(draft: &str, first: &Edit, second: &Edit) -> bool {
    first.because == Cause::SourcesWritten
        && second.because == Cause::SourcesWritten
        && draft.get(first.span.end..second.span.start).is_some_and(|between| between.trim().is_empty())
}

/// The edits of a group by line and word; none where there is nothing to tell apart.
fn by_lines<'a>(draft: &str, group: &[&'a Edit]) -> Option<Vec<Change<'a>>> {
    let (first, last) = (group.first()?, group.last()?);
    let whole = Span::new(first.span.start, last.span.end);
    let old = whole.get(draft)?;
    let mut new = String::new();
    let mut at = whole.start;
    for edit in group {
        new.push_str(draft.get(at..edit.span.start)?);
        new.push_str(&edit.replacement);
        at = edit.span.end;
    }
    let several = |text: &str| text.trim_end().contains('\n');
    let listed = first.because == Cause::SourcesWritten;
    if old.trim().is_empty() || new.trim().is_empty() || !(listed || several(old) || several(&new)) {
        return None;
    }
    let (before, after) = (Piece::lines(old), Piece::lines(&new));
    if before.len() + after.len() > MOST {
        return None;
    }
    let mut writer = Writer { start: whole.start, because: first.because, changes: Vec::new() };
    for op in capture_diff_slices_by_key(Algorithm::Myers, &before, &after, |line| title_of(line.text)) {
        let (old, new) = (&before[op.old_range()], &after[op.new_range()]);
        if matches!(op, DiffOp::Equal { .. }) {
            old.iter().zip(new).for_each(|(old, new)| writer.line(*old, *new));
            continue;
        }
        for line in old {
            writer.push(Span::new(line.at, line.end()), "", false, first.because);
        }
        let words: String = new.iter().map(|line| line.text).collect();
        let at = before.get(op.old_range().end).map_or(whole.len(), |line| line.at);
        writer.push(Span::at(at), &words, true, first.because);
    }
    Some(writer.changes)
}

/// What a line is found again by, whatever becomes of its number, its address and the remark behind them: its words before the address. A
/// line that has none is known by the address.
fn title_of(line: &str) -> &str {
    let words = line.trim().trim_start_matches(|c: char| !c.is_alphabetic());
    let ends = ["http", "]("].into_iter().filter_map(|end| words.find(end));
    let title = words[..ends.min().unwrap_or(words.len())].trim_end_matches(|c: char| !c.is_alphanumeric());
    match (title, words) {
        ("", "") => line.trim(),
        ("", address) => address.split(' ').next().unwrap_or(address),
        (title, _) => title,
    }
}

/// A line or word of a text, with where it starts there.
#[derive(Debug, Clone, Copy)]
struct Piece<'t> {
    at: usize,
    text: &'t str,
}

impl<'t> Piece<'t> {
    fn end(self) -> usize {
        self.at + self.text.len()
    }

    /// The lines of a text, each with its end.
    fn lines(text: &'t str) -> Vec<Piece<'t>> {
        let mut at = 0;
        let piece = |text: &'t str| {
            at += text.len();
            Piece { at: at - text.len(), text }
        };
        text.split_inclusive('\n').map(piece).collect()
    }

    /// The words of a line and what stands between them.
    fn words(self) -> Vec<Piece<'t>> {
        let piece = |word: regex::Match<'t>| Piece { at: self.at + word.start(), text: word.as_str() };
        WORD.find_iter(self.text).map(piece).collect()
    }
}

struct Writer<'a> {
    /// Where the text that is compared starts in the draft.
    start: usize,
    because: Cause,
    changes: Vec<Change<'a>>,
}

impl Writer<'_> {
    fn push(&mut self, span: Span, words: &str, lines: bool, because: Cause) {
        if span.is_empty() && words.is_empty() {
            return;
        }
        let span = Span::new(self.start + span.start, self.start + span.end);
        self.changes.push(Change { span, words: Cow::Owned(words.to_owned()), because, lines });
    }

    /// A line that became another: what differs of it.
    fn line(&mut self, old: Piece<'_>, new: Piece<'_>) {
        if old.text == new.text {
            return;
        }
        let because = self.because;
        let (before, after) = (old.words(), new.words());
        if before.len() + after.len() > MOST {
            self.push(Span::new(old.at, old.end()), new.text, false, because);
            return;
        }
        let mut ranges: Vec<(Range<usize>, Range<usize>)> = Vec::new();
        let mut joins = false;
        for op in capture_diff_slices_by_key(Algorithm::Myers, &before, &after, |word| word.text) {
            let (old, new) = (op.old_range(), op.new_range());
            if matches!(op, DiffOp::Equal { .. }) {
                // A space alone parts no words that change.
                joins &= before[old].iter().all(|word| word.text.trim().is_empty());
                continue;
            }
            match ranges.last_mut().filter(|_| joins) {
                Some(last) => (last.0.end, last.1.end) = (old.end, new.end),
                None => ranges.push((old, new)),
            }
            joins = true;
        }
        for (olds, news) in ranges {
            // The number of an entry is shown for itself, whatever becomes of the words behind it.
            let is_first = olds.start == 0 && news.start == 0;
            let place = before.get(olds.start).map_or(old.end(), |word| word.at);
            let (olds, news) = (&before[olds], &after[news]);
            let cut = usize::from(is_first && olds.len() > 1 && news.len() > 1);
            let mut part = |olds: &[Piece<'_>], news: &[Piece<'_>], because| {
                let from = olds.first().map_or(place, |word| word.at);
                let to = olds.last().map_or(from, |word| word.end());
                let words: String = news.iter().map(|word| word.text).collect();
                self.push(Span::new(from, to), &words, false, because);
            };
            if cut > 0 && olds[0].text != news[0].text {
                part(&olds[..cut], &news[..cut], Cause::Renumbered);
                part(&olds[cut..], &news[cut..], because);
            } else {
                part(olds, news, if is_first { Cause::Renumbered } else { because });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cited_core::decide::apply;
    use proptest::prelude::*;

    /// Lines of few different words, so that many are alike.
    fn lists() -> impl Strategy<Value = String> {
        let word = prop::sample::select(vec![
            "Alpha",
            "Beta",
            "study",
            "—",
            "https://a.example",
            "https://b.example",
            "充電",
            "é",
        ]);
        let line = (0..12usize, prop::collection::vec(word, 0..5));
        let end = prop::sample::select(vec!["\n", "\n\n", "\r\n"]);
        (prop::collection::vec(line, 0..8), end).prop_map(|(lines, end)| {
            let line = |(number, words): &(usize, Vec<&str>)| format!("{number}. {}", words.join(" "));
            lines.iter().map(line).collect::<Vec<_>>().join(end)
        })
    }

    proptest! {
        #[test]
        fn what_is_shown_gives_the_same_text(old in lists(), new in lists(), rest in lists()) {
            let draft = format!("Words.\n\n{old}\n\n{rest}\n\nMore.\n");
            let at = "Words.\n\n".len();
            let second = at + old.len() + 2;
            let edits = [
                Edit::new(Span::new(at, at + old.len()), new, Cause::SourcesWritten),
                Edit::new(Span::new(second, second + rest.len()), "", Cause::SourcesWritten),
            ];
            let shown: Vec<Edit> = refined(&draft, &edits)
                .into_iter()
                .map(|change| Edit::new(change.span, change.words, change.because))
                .collect();
            prop_assert_eq!(apply(&draft, &shown).expect("they do not overlap"), apply(&draft, &edits).expect("nor do these"));
        }
    }
}
