//! The words that a claim and a passage have in common, marked in both.

use std::collections::HashSet;

use maud::{Markup, html};

use super::shown;
use cited_text::Span;
use cited_text::words::{Word, words};

/// Keys of words.
pub type Keys = HashSet<u64>;

/// The words of a text that say something.
pub fn keys(text: &str) -> Keys {
    pieces(text).into_iter().filter(|word| !word.stop).map(|word| word.key).collect()
}

/// The words of a text, a number with its dividers as one: of 1.5 and 1.4 the 1 is nothing in common.
fn pieces(text: &str) -> Vec<Word> {
    let is_one = |a: &Word, b: &Word| a.number && b.number && matches!(a.span.until(b.span, text), "." | ",");
    let whole = |parts: &[Word]| Word {
        span: parts[0].span.cover(parts[parts.len() - 1].span),
        key: parts.iter().fold(0, |key: u64, part| key.rotate_left(5) ^ part.key),
        ..parts[0]
    };
    words(text).collect::<Vec<_>>().chunk_by(is_one).map(whole).collect()
}

/// A text with those of its words marked that another has, too: `others`. Those that follow each other are one mark.
pub fn marked(text: &str, others: &Keys) -> Markup {
    let mut runs: Vec<Span> = Vec::new();
    for Word { span, .. } in pieces(text).into_iter().filter(|word| !word.stop && others.contains(&word.key)) {
        // Pairs of characters of scripts without spaces overlap.
        match runs.last_mut().filter(|run| span.start <= run.end || text.get(run.end..span.start) == Some(" ")) {
            Some(run) => run.end = run.end.max(span.end),
            None => runs.push(span),
        }
    }
    let starts = std::iter::once(0).chain(runs.iter().map(|run| run.end));
    let rest = runs.last().map_or(0, |run| run.end);
    html! {
        @for (at, run) in starts.zip(&runs) { (shown(Span::new(at, run.start).slice(text))) mark { (shown(run.slice(text))) } }
        (shown(text.get(rest..).unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, other: &str, expected: &str) {
        assert_eq!(marked(text, &keys(other)).into_string(), expected);
    }

    #[test]
    fn words_of_both_texts_are_marked() {
        check(
            "Beta runs 640 stations.",
            "There are 640 stations of Beta",
            "<mark>Beta</mark> runs <mark>640 stations</mark>.",
        );
        check("the end of the road", "an end to a road", "the <mark>end</mark> of the <mark>road</mark>");
        check(
            "6,965 of 1.5 million in 2013",
            "6,303 of 1.4 million in 2013",
            "6,965 of 1.5 <mark>million</mark> in <mark>2013</mark>",
        );
        check("1.5 million", "1.5 thousand", "<mark>1.5</mark> million");
        check("nothing alike", "some other words", "nothing alike");
        check("<b>640</b>", "640", "&lt;b&gt;<mark>640</mark>&lt;/b&gt;");
        check("東京都の人口", "東京都", "<mark>東京都</mark>の人口");
    }
}
