//! Edits as a reader sees them: one that writes several lines anew is shown as what becomes of each line, and within a line of each word.
//!
//! The record keeps an edit as it was made: a source list is written whole. Whoever reads the report wants to know which entries are others now.
//! The edits that stand here give the same text, byte for byte.

use regex::Regex;
use similar::{Algorithm, DiffOp, capture_diff_slices_by_key};

use cited_core::decide::{Cause, Edit};
use cited_core::pattern::Pattern;
use cited_text::Span;

/// Lines are compared up to so many on both sides together: the time may grow with the square. What is larger is shown as it was written.
const MOST: usize = 10_000;

/// Words of a line are compared up to so many; one that has more is shown as written anew.
const MOST_WORDS: usize = 1_000;

/// A line with its end.
static LINE: Pattern = Pattern::new(r"[^\n]*\n|[^\n]+");

/// A word, or the space between words. Scripts without spaces are compared by character.
static WORD: Pattern = Pattern::new(r"[\u{2e80}-\u{10ffff}]|\s+|[^\s\u{2e80}-\u{10ffff}]+");

/// An edit as it is shown.
pub(crate) struct Change {
    pub(crate) edit: Edit,
    /// Whether what comes is lines that nothing of the draft became.
    pub(crate) lines: bool,
}

impl Change {
    /// Whether citations or an entry get other numbers, or as many citations stand in another layout, and nothing else.
    pub(crate) fn renumbers(&self, draft: &str) -> bool {
        let words = |text: &str| {
            let text = without_targets(text);
            let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            words.map(|word| if word.parse::<u64>().is_ok() { "0" } else { word }.to_owned()).collect::<Vec<_>>()
        };
        self.edit.because == Cause::Renumbered && words(self.edit.span.slice(draft)) == words(&self.edit.replacement)
    }
}

/// Citations without the addresses that they link to, which the list of sources has.
pub(crate) fn without_targets(text: &str) -> String {
    let mut parts = text.split("](");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + "]" + part.split_once(')').map_or(part, |(_, behind)| behind))
}

/// The edits of a draft, in order of place, as they are shown.
pub(crate) fn refined(draft: &str, edits: &[Edit]) -> Vec<Change> {
    let mut order: Vec<&Edit> = edits.iter().collect();
    order.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let whole = |edit: &&Edit| Change { edit: (*edit).clone(), lines: false };
    let refine = |group: &[&Edit]| by_lines(draft, group).unwrap_or_else(|| group.iter().map(whole).collect());
    // Of edits that write one list, the first writes all of it, and the others take away what stood there.
    let is_one = |first: &&Edit, second: &&Edit| {
        first.because == Cause::SourcesWritten
            && second.because == Cause::SourcesWritten
            && draft.get(first.span.end..second.span.start).is_some_and(|between| between.trim().is_empty())
    };
    order.chunk_by(is_one).flat_map(refine).collect()
}

/// The edits of a group by line and word; none where there is nothing to tell apart.
fn by_lines(draft: &str, group: &[&Edit]) -> Option<Vec<Change>> {
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
    let (before, after) = (pieces(&LINE, whole.start, old), pieces(&LINE, 0, &new));
    if before.len() + after.len() > MOST {
        return None;
    }
    let mut changes = Vec::new();
    let mut push = |span: Span, words: String, because, lines| {
        if !span.is_empty() || !words.is_empty() {
            changes.push(Change { edit: Edit::new(span, words, because), lines });
        }
    };
    for op in capture_diff_slices_by_key(Algorithm::Myers, &before, &after, |(_, line)| title_of(line)) {
        let (old, new) = (&before[op.old_range()], &after[op.new_range()]);
        if matches!(op, DiffOp::Equal { .. }) {
            let differing = old.iter().zip(new).flat_map(|(old, new)| compare_lines(*old, *new));
            differing.for_each(|(span, words, is_number)| {
                push(span, words, if is_number { Cause::Renumbered } else { first.because }, false);
            });
            continue;
        }
        old.iter().for_each(|(line, _)| push(*line, String::new(), first.because, false));
        let at = before.get(op.old_range().end).map_or(whole.end, |(line, _)| line.start);
        push(Span::at(at), new.iter().map(|(_, line)| *line).collect(), first.because, true);
    }
    Some(changes)
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

/// A line or word of a text, with where it stands.
type Piece<'t> = (Span, &'t str);

/// The pieces of a text that starts at `at`, which leave nothing out.
fn pieces<'t>(pattern: &Regex, at: usize, text: &'t str) -> Vec<Piece<'t>> {
    pattern.find_iter(text).map(|found| (Span::new(at + found.start(), at + found.end()), found.as_str())).collect()
}

/// What differs of a line that became another, by word, and whether that is its number.
fn compare_lines(old: Piece<'_>, new: Piece<'_>) -> Vec<(Span, String, bool)> {
    let (before, after) = (pieces(&WORD, old.0.start, old.1), pieces(&WORD, 0, new.1));
    if before.len() + after.len() > MOST_WORDS {
        return vec![(old.0, new.1.to_owned(), false)];
    }
    let at = |word: usize| before.get(word).map_or(old.0.end, |(word, _)| word.start);
    let ops = capture_diff_slices_by_key(Algorithm::Myers, &before, &after, |(_, word)| *word);
    let differing = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. })).map(|op| {
        let (olds, news) = (op.old_range(), op.new_range());
        let words = after[news.clone()].iter().map(|(_, word)| *word).collect();
        (Span::new(at(olds.start), at(olds.end)), words, (olds, news) == (0..1, 0..1))
    });
    differing.collect()
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
            let shown: Vec<Edit> = refined(&draft, &edits).into_iter().map(|change| change.edit).collect();
            prop_assert_eq!(apply(&draft, &shown).expect("they do not overlap"), apply(&draft, &edits).expect("nor do these"));
        }
    }
}
