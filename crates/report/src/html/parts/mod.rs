//! What the views of reports are made of.

pub mod chart;
pub mod matching;
pub mod source;

use std::borrow::Cow;

use maud::{Markup, html};

use crate::wording::grouped;
use cited_core::address::is_web;
use cited_text::escape::is_unsafe;

/// Text from outside without what reorders or hides text. The template escapes the rest.
pub fn shown(text: &str) -> Cow<'_, str> {
    if text.contains(is_unsafe) {
        text.chars().filter(|c| !is_unsafe(*c)).collect::<String>().into()
    } else {
        text.into()
    }
}

/// The direction of words that a page shows: that of their first letter, where it may be another than the page's.
pub fn direction(text: &str) -> Option<&'static str> {
    (!text.is_ascii()).then_some("auto")
}

/// An address as a link that tells its target nothing; as text when it is none of the web.
pub fn address(url: &str) -> Markup {
    let url = shown(url);
    html! {
        @if is_web(&url) {
            a.url href=(url) rel="noreferrer" target="_blank" { (url) }
        } @else if !url.is_empty() {
            bdi.url { (url) }
        }
    }
}

/// What a field offers: a value, its words, and how many there are where they are counted.
pub type Choice<'a> = (&'a str, &'a str, Option<usize>);

/// A field by which a reader picks: its label and name, and what it offers.
pub fn select<'a>(label: &str, name: &str, choices: impl IntoIterator<Item = Choice<'a>>) -> Markup {
    html! {
        label { (label) " " select name=(name) {
            option value="" { "all" }
            @for (value, words, count) in choices {
                option value=(value) { (words) @if let Some(count) = count { " (" (grouped(count)) ")" } }
            }
        } }
    }
}

/// The fields by which a reader picks what a view shows, with one to search in its words. On a phone they are folded away.
pub fn filters(label: &str, fields: &Markup) -> Markup {
    html! {
        details.fold.js open {
            summary { (label) }
            form.filters role="search" aria-label=(label) {
                (fields)
                label { "Search " input type="search" name="q" autocomplete="off"; }
                button type="reset" { "Clear" }
                output {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_are_links() {
        assert!(address("https://a.example/").into_string().starts_with("<a "));
        for text in
            ["javascript:alert(1)", "data:text/html,x", "JaVaScRiPt:x", " https://a", "//a.example", "file:///etc"]
        {
            assert!(address(text).into_string().starts_with("<bdi"), "{text}");
        }
        assert_eq!(address("https://a/\"><script>").into_string().matches('<').count(), 2);
    }

    #[test]
    fn counts_are_told_as_people_read_them() {
        let told: Vec<String> = [0, 7, 999, 1000, 54_321, 1_234_567].into_iter().map(grouped).collect();
        assert_eq!(told, ["0", "7", "999", "1,000", "54,321", "1,234,567"]);
        assert_eq!(crate::wording::counted(5000, "claim"), "5,000 claims");
    }

    #[test]
    fn what_reorders_text_is_taken_out() {
        assert_eq!(shown("a\u{202e}b\u{2066}c\u{7}d\te\nf"), "abcd\te\nf");
        assert!(matches!(shown("plain, 日本語, עברית"), Cow::Borrowed(_)));
    }
}
