//! What stands round each of several values of a sentence, up to what parts them.

use super::cues;
use crate::quantity::Quantity;
use crate::text::Span;
use crate::text::words::Word;

/// So many words beside a value say what it is of.
const BESIDE: usize = 4;

/// Some values of a sentence, in order, and what stands round each.
pub(super) struct Neighbours<'i> {
    pub(super) values: Vec<&'i Quantity>,
    /// The position of the value that is asked about.
    pub(super) at: usize,
    text: &'i str,
    page: &'i [Word],
    whole: Span,
}

impl<'i> Neighbours<'i> {
    /// Some values of a sentence, in order, the one that is asked about `at` its place among them.
    pub(super) fn among(values: Vec<&'i Quantity>, at: usize, text: &'i str, page: &'i [Word], whole: Span) -> Self {
        Neighbours { values, at, text, page, whole }
    }

    /// Up to the next value, or to what parts it from this one.
    fn end_of(&self, i: usize) -> usize {
        let end = self.values.get(i + 1).map_or(self.whole.end, |next| next.span.start);
        let start = self.values[i].span.end;
        // A bracket right round the value parts it from nothing: *Mexico (16.9%)*.
        let start = if self.text.get(start..end).is_some_and(|rest| rest.starts_with(')')) { start + 1 } else { start };
        self.parted(start, end).map_or(end, |gaps| gaps.start)
    }

    fn start_of(&self, i: usize) -> usize {
        let start = i.checked_sub(1).map_or(self.whole.start, |last| self.values[last].span.end);
        let end = self.values[i].span.start;
        let end = if self.text.get(start..end).is_some_and(|rest| rest.ends_with('(')) { end - 1 } else { end };
        self.parted(start, end).map_or(start, |gaps| gaps.end)
    }

    /// From the first to the last mark or word that parts what stands between two values: *and*, *while*.
    fn parted(&self, start: usize, end: usize) -> Option<Span> {
        let joiners = self.within(start, end).filter(|word| cues::joins(word)).map(|word| word.span);
        joiners.chain(parted(self.text, start, end)).reduce(Span::cover)
    }

    fn within(&self, start: usize, end: usize) -> impl DoubleEndedIterator<Item = &'i Word> {
        self.page.iter().filter(move |word| word.span.start >= start && word.span.end <= end)
    }

    /// The nearest content words behind a value, of its own part of the sentence.
    pub(super) fn after(&self, i: usize) -> Vec<u64> {
        self.within(self.values[i].span.end, self.end_of(i))
            .filter(|word| is_content(word))
            .take(BESIDE)
            .map(|w| w.key)
            .collect()
    }

    /// The nearest content words before a value, of its own part of the sentence.
    pub(super) fn before(&self, i: usize) -> Vec<u64> {
        let words = self.within(self.start_of(i), self.values[i].span.start).rev();
        words.filter(|word| is_content(word)).take(BESIDE).map(|word| word.key).collect()
    }

    /// The nearest content words on both sides.
    pub(super) fn round(&self, i: usize) -> Vec<u64> {
        let mut words = self.before(i);
        words.extend(self.after(i));
        words
    }

    /// The names on both sides.
    pub(super) fn names_round(&self, i: usize) -> Vec<u64> {
        names(self.text, self.within(self.start_of(i), self.end_of(i)).copied())
    }
}

/// The keys of the names among some words of a text; what is joined to a name is part of it: *GPT-3.5*.
pub(super) fn names(text: &str, words: impl Iterator<Item = Word>) -> Vec<u64> {
    let mut found: Vec<u64> = Vec::new();
    let mut name: Option<Span> = None;
    for word in words {
        let joined = name.is_some_and(|last| matches!(text.get(last.end..word.span.start), Some("-" | "." | "–" | "")));
        if let (true, Some(key)) = (joined, found.last_mut()) {
            // Turned first, so that the order of the parts counts: *3.5* is not *5.3*.
            *key = key.rotate_left(7) ^ word.key;
            name = Some(word.span);
        } else if word.capital && !word.stop && !word.number {
            found.push(word.key);
            name = Some(word.span);
        } else {
            name = None;
        }
    }
    found
}

/// Whether some words beside another value are the claim's, rather than those beside its own; words that are beside both
/// tell nothing.
pub(super) fn fit_better(other: &[u64], own: &[u64], mine: &[u64]) -> bool {
    let count = |words: &[u64], not: &[u64]| {
        let telling = words.iter().filter(|word| !not.contains(word));
        let (hits, misses): (Vec<u64>, Vec<u64>) = telling.partition(|word| mine.contains(word));
        (hits.len(), misses.len())
    };
    let ((hits, misses), (own_hits, own_misses)) = (count(other, own), count(own, other));
    hits > 0 && own_misses > 0 && own_hits <= own_misses && hits + own_misses > misses + own_hits
}

/// From the first to the last mark that parts what stands between two values.
pub(super) fn parted(text: &str, start: usize, end: usize) -> Option<Span> {
    let between = text.get(start..end)?;
    let parts = |at: &usize| match between[*at..].chars().next() {
        // Not the comma of 87,000.
        Some(',') => !between[at + 1..].starts_with(|c: char| c.is_ascii_digit()),
        Some(';' | '(' | ')' | '\n' | '，' | '；' | '、' | '（' | '）') => true,
        _ => false,
    };
    let mut marks = between.char_indices().map(|(at, _)| at).filter(parts);
    let first = marks.next()?;
    let last = marks.next_back().unwrap_or(first);
    Some(Span::new(start + first, start + last + between[last..].chars().next().map_or(1, char::len_utf8)))
}

/// Whether a word says what something is about.
pub(super) fn is_content(word: &Word) -> bool {
    !word.stop && !word.number
}

/// The clause round a quantity: up to the next comma, semicolon or end of line, within a bounded distance.
pub(super) fn clause(text: &str, span: Span) -> Span {
    const REACH: usize = 90;
    let ends = |c: char| matches!(c, ',' | ';' | '\n' | '，' | '、' | '。' | '；' | '(' | ')');
    let Span { start: low, end: high } = span.widened(text, REACH);
    let start = text[low..span.start].rfind(ends).map_or(low, |i| low + i);
    let start = text[low..span.start].rfind(". ").map_or(start, |i| start.max(low + i + 1));
    let end = text[span.end..high].find(ends).map_or(high, |i| span.end + i);
    let end = text[span.end..high].find(". ").map_or(end, |i| end.min(span.end + i));
    Span::new(start, end)
}
