//! The places of a document that a link may lead to: its headings as GitHub and mdBook name them, ids, footnotes.
//!
//! A name that either of the two gives is taken: a document does not say where it will be shown.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use regex::Regex;

use super::tags::tags;
use crate::markdown;

/// What cannot be part of GitHub's name for a heading: all but letters, marks, decimal digits, connectors, hyphens and spaces
/// (`/[^\p{Word}\- ]/u` of its `TableOfContentsFilter`).
static NOT_IN_A_NAME: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the pattern is part of the program; every test of this file uses it")]
    Regex::new(r"[^\p{L}\p{M}\p{Nd}\p{Pc}\- ]").expect("the pattern of names is well formed")
});

/// Marks of template languages and preprocessors: what stands there is made of another file.
const TEMPLATES: [&str; 3] = ["{{", "{%", "<!--#include"];

/// The places of a document that a link may lead to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Anchors {
    /// Lower case, without signs that only choose how a character looks.
    names: HashSet<String>,
    /// Whether there may be others: parts of the document come from elsewhere.
    open: bool,
}

impl Anchors {
    /// The anchors of a Markdown text.
    pub fn of(text: &str) -> Anchors {
        let mut reader = Reader { open: TEMPLATES.iter().any(|mark| text.contains(mark)), ..Reader::default() };
        let options = markdown::parser_options() | Options::ENABLE_HEADING_ATTRIBUTES;
        for event in Parser::new_ext(text, options) {
            reader.take(event);
        }
        Anchors { names: reader.names, open: reader.open }
    }

    /// Whether a link with this fragment, its percent signs resolved, leads somewhere.
    pub fn has(&self, fragment: &str) -> bool {
        let name = folded(fragment);
        let name = name.strip_prefix("user-content-").unwrap_or(&name);
        self.open || is_everywhere(fragment) || self.names.contains(name)
    }
}

/// Whether a fragment leads somewhere in any document: to its top, to words or lines of it, or to what a script makes of it.
fn is_everywhere(fragment: &str) -> bool {
    let digits = fragment.strip_prefix('L').map(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    fragment.is_empty()
        || fragment.eq_ignore_ascii_case("top")
        || fragment.starts_with([':', '/', '!', '?'])
        || digits == Some(true)
}

/// A name without what makes no difference: case, and signs that only choose how a character looks (variation selectors, the
/// frame of a key).
fn folded(name: &str) -> String {
    let kept = name.chars().filter(|c| !matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{20e3}' | '\u{200d}'));
    kept.flat_map(char::to_lowercase).collect()
}

#[derive(Default)]
struct Reader {
    names: HashSet<String>,
    open: bool,
    /// How often each name was given, by rule.
    given: [HashMap<String, usize>; 2],
    /// The words of the heading that is being read: of Markdown, of HTML.
    heading: Option<String>,
    raw_heading: Option<String>,
    /// A block of HTML that is being read.
    html: Option<String>,
    images: usize,
}

impl Reader {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(Tag::Heading { id, .. }) => {
                self.names.extend(id.map(|id| folded(&id)));
                self.heading = Some(String::new());
            }
            Event::End(TagEnd::Heading(_)) => {
                let heading = self.heading.take();
                heading.into_iter().for_each(|words| self.name(&words));
            }
            Event::Start(Tag::Image { .. }) => self.images += 1,
            Event::End(TagEnd::Image) => self.images = self.images.saturating_sub(1),
            Event::Start(Tag::HtmlBlock) => self.html = Some(String::new()),
            Event::End(TagEnd::HtmlBlock) => {
                let html = self.html.take().unwrap_or_default();
                self.html(&html);
            }
            Event::Start(Tag::FootnoteDefinition(label)) => {
                let label = folded(&label);
                self.names.extend(
                    ["", "fn", "fn-", "fn:", "fnref", "fnref-", "fnref:", "footnote-"]
                        .map(|before| format!("{before}{label}")),
                );
            }
            Event::Html(html) | Event::InlineHtml(html) => match &mut self.html {
                Some(block) => block.push_str(&html),
                None => self.html(&html),
            },
            Event::Text(words) | Event::Code(words) => self.words(&words),
            Event::SoftBreak | Event::HardBreak => self.words(" "),
            _ => {}
        }
    }

    fn words(&mut self, words: &str) {
        // The words of an image are shown only where it is not.
        if self.images == 0 {
            let open = self.heading.as_mut().into_iter().chain(&mut self.raw_heading);
            open.for_each(|heading| heading.push_str(words));
        }
    }

    fn html(&mut self, html: &str) {
        let mut before = 0;
        for tag in tags(html) {
            self.words(&html[before..tag.span.start]);
            before = tag.span.end;
            let names = ["id", "name"].iter().filter_map(|attribute| tag.value(attribute));
            self.names.extend(names.map(|value| folded(value.of(html).trim())));
            match tag.heading() {
                Some(1..) => self.raw_heading = Some(String::new()),
                Some(_) => {
                    let heading = self.raw_heading.take();
                    heading.into_iter().for_each(|words| self.name(words.trim()));
                }
                None => {}
            }
        }
        if !html.starts_with("<!") {
            self.words(&html[before..]);
        }
    }

    /// Names a heading, as each of the two rules does.
    fn name(&mut self, words: &str) {
        for (rule, given) in [github as fn(&str) -> String, mdbook].into_iter().zip(&mut self.given) {
            let name = rule(words);
            let count = given.entry(name.clone()).or_default();
            self.names.insert(folded(&if *count == 0 { name } else { format!("{name}-{count}") }));
            *count += 1;
        }
    }
}

/// GitHub's name for a heading.
fn github(words: &str) -> String {
    NOT_IN_A_NAME.replace_all(&words.to_lowercase(), "").replace(' ', "-")
}

/// mdBook's name for a heading (`mdbook::utils::normalize_id`).
fn mdbook(words: &str) -> String {
    let kept = words.trim().chars().filter(|c| c.is_alphanumeric() || c.is_whitespace() || matches!(c, '_' | '-'));
    kept.map(|c| if c.is_whitespace() { '-' } else { c }).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, fragment: &str, expected: bool) {
        assert_eq!(Anchors::of(text).has(fragment), expected, "#{fragment} of {text:?}");
    }

    #[test]
    fn headings_are_named_as_github_and_mdbook_name_them() {
        for (text, fragment) in [
            ("# Hello, World!\n", "hello-world"),
            ("Set-up & use\n============\n", "set-up--use"),
            ("## The `--in-place` flag\n", "the---in-place-flag"),
            ("## snake_case and CamelCase\n", "snake_case-and-camelcase"),
            ("## What's new in 2.0?\n", "whats-new-in-20"),
            ("## [A link](https://a.example/) in it\n", "a-link-in-it"),
            ("## 安装 指南\n", "安装-指南"),
            ("## Über uns\n", "über-uns"),
            ("## 🚀 Launch\n", "-launch"),
            ("## ⚙️ Settings\n", "️-settings"),
            ("## :rocket: Launch\n", "rocket-launch"),
            ("## **Bold** and *more*\n", "bold-and-more"),
            ("## ![logo](l.png) Name\n", "-name"),
            ("## Title {#own}\n", "own"),
            ("## A &amp; B\n", "a--b"),
            ("> ## In a quote\n\n- ## In a list\n", "in-a-list"),
            ("## x² and y\n", "x-and-y"),
            ("## x² and y\n", "x²-and-y"),
        ] {
            check(text, fragment, true);
        }
        check("# Hello\n", "helo", false);
        check("```\n# Not a heading\n```\n", "not-a-heading", false);
        check("<!-- <a id=\"x\"> -->\n\nText.\n", "x", false);
    }

    #[test]
    fn the_same_words_get_numbers() {
        let text = "# A\n\n# A\n\n# A\n";
        for (fragment, expected) in [("a", true), ("a-1", true), ("a-2", true), ("a-3", false)] {
            check(text, fragment, expected);
        }
    }

    #[test]
    fn ids_names_footnotes_and_headings_of_html_count() {
        for (text, fragment) in [
            ("<a name=\"Old\"></a>\n\nText.\n", "old"),
            ("Text <span id='in-line'>x</span>.\n", "in-line"),
            ("<h1 align=\"center\">The <b>Tool</b></h1>\n", "the-tool"),
            ("<h2>\n\nIn *between*\n\n</h2>\n", "in-between"),
            ("<details>\n<summary>x</summary>\n\n## Inside\n\n</details>\n", "inside"),
            ("Text[^1].\n\n[^1]: Note.\n", "fn1"),
            ("Text[^a].\n\n[^a]: Note.\n", "user-content-fn-a"),
        ] {
            check(text, fragment, true);
        }
    }

    #[test]
    fn some_fragments_lead_somewhere_everywhere() {
        for fragment in ["", "top", ":~:text=word", "L10-L20", "/route"] {
            check("Text.\n", fragment, true);
        }
        check("Text.\n", "Linux", false);
        check("{{#include other.md}}\n", "whatever", true);
    }
}
