//! The words that a claim and a passage have in common, marked in both.

use std::collections::HashSet;

use maud::{Markup, html};

use super::shown;
use crate::text::Span;
use crate::text::words::words;

/// Keys of words.
pub type Keys = HashSet<u64>;

/// The words of a text that say something.
pub fn keys(text: &str) -> Keys {
    words(text).filter(|word| !word.stop).map(|word| word.key).collect()
}

/// A text with those of its words marked that are in `common`. Words of grammar between two marked ones are marked with them.
pub fn marked(text: &str, common: &Keys) -> Markup {
    let mut at = 0;
    let mut pieces: Vec<(bool, &str)> = Vec::new();
    for run in runs(text, common) {
        pieces.push((false, Span::new(at, run.start).of(text)));
        pieces.push((true, run.of(text)));
        at = run.end;
    }
    pieces.push((false, text.get(at..).unwrap_or_default()));
    html! {
        @for (is_common, words) in pieces {
            @if is_common { mark { (shown(words)) } } @else { (shown(words)) }
        }
    }
}

fn runs(text: &str, common: &Keys) -> Vec<Span> {
    let mut runs: Vec<Span> = Vec::new();
    // Whether only words of grammar stand between the last run and here.
    let mut goes_on = false;
    for word in words(text) {
        if common.contains(&word.key) && !word.stop {
            // Pairs of characters of scripts without spaces overlap.
            match runs.last_mut().filter(|run| goes_on || word.span.start < run.end) {
                Some(run) => run.end = run.end.max(word.span.end),
                None => runs.push(word.span),
            }
            goes_on = true;
        } else if !word.stop {
            goes_on = false;
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, other: &str, expected: &str) {
        let common: Keys = keys(text).intersection(&keys(other)).copied().collect();
        assert_eq!(marked(text, &common).into_string(), expected);
    }

    #[test]
    fn words_of_both_texts_are_marked_with_the_grammar_between_them() {
        check(
            "Beta runs 640 stations.",
            "There are 640 stations of Beta",
            "<mark>Beta</mark> runs <mark>640 stations</mark>.",
        );
        check("the end of the road", "an end to a road", "the <mark>end of the road</mark>");
        check("nothing alike", "some other words", "nothing alike");
        check("<b>640</b>", "640", "&lt;b&gt;<mark>640</mark>&lt;/b&gt;");
        check("東京都の人口", "東京都", "<mark>東京都</mark>の人口");
    }
}
