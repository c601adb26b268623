//! What the views of reports are made of.

pub mod chart;
pub mod checks;
pub mod finding;
pub mod matching;
pub mod source;

use std::borrow::Cow;

use maud::{Markup, html};

use crate::text::escape::is_unsafe;

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
    let of_the_web = ["http://", "https://"].iter().any(|scheme| url.starts_with(scheme));
    html! {
        @if of_the_web {
            a.url href=(url) rel="noreferrer" target="_blank" { (url) }
        } @else if !url.is_empty() {
            bdi.url { (url) }
        }
    }
}

/// A count with its noun.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// A big number with what it counts.
pub fn tile(count: usize, what: &str) -> Markup {
    html! { div.tile { dd { (count) } dt { (what) } } }
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
    fn what_reorders_text_is_taken_out() {
        assert_eq!(shown("a\u{202e}b\u{2066}c\u{7}d\te\nf"), "abcd\te\nf");
        assert!(matches!(shown("plain, 日本語, עברית"), Cow::Borrowed(_)));
    }
}
