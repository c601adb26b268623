//! Reports as pages that people read: one file each, without a request to anywhere.
//!
//! A page is views in a frame. What the views are made of, sources, charts, findings, stands in [`parts`]; each kind of report puts its own
//! views together. Everything that comes from outside goes through the template, which escapes it, and through [`parts::shown`], which takes
//! out what reorders or hides text. Style sheet and script are the two files beside this one; the page lets nothing else run or load.

pub mod checked;
mod document;
pub mod parts;
pub mod sheet;
pub mod verified;

use std::sync::LazyLock;

use data_encoding::BASE64;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

pub use crate::tone::{Tone, sign};
use crate::wording::grouped;
use parts::shown;

/// The style sheet of every page.
pub(crate) const STYLE: &str = include_str!("report.css");
/// The script of every page.
pub(crate) const SCRIPT: &str = include_str!("report.js");

/// What a page may do: its own style sheet and its own script, told by their hashes, and nothing else.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = |text: &str| BASE64.encode(&Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
});

/// One view of a page.
pub struct View {
    /// How its address names it.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How many things it shows, where that says something.
    pub count: Option<usize>,
    /// What it shows.
    pub content: Markup,
}

/// A page round its views.
pub struct Page<'a> {
    /// What it is a report on: usually a path.
    pub title: &'a str,
    /// The verdict in words.
    pub verdict: &'a str,
    /// How the verdict is shown.
    pub tone: Tone,
    /// One sentence under the title.
    pub lead: String,
    /// The views, in order. The first is shown first.
    pub views: Vec<View>,
    /// What to look at, in the column where a claim will open.
    pub beside: Option<Markup>,
    /// What a reader can decide on the page.
    pub review: Option<Review>,
}

/// What a review of the page is on.
pub struct Review {
    /// What names the record, so that decisions on another one are not mixed up with it.
    pub key: String,
    /// The path of the draft, for the file of decisions.
    pub draft: String,
    /// The options of the run, for the command that applies them.
    pub options: Vec<String>,
}

impl Page<'_> {
    /// The page as HTML.
    pub fn render(&self) -> String {
        let title = shown(self.title);
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(*POLICY);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="referrer" content="no-referrer";
                    meta name="color-scheme" content="light dark";
                    meta name="generator" content={ "cited " (env!("CARGO_PKG_VERSION")) };
                    title { (title) ": " (self.verdict) }
                    style { (PreEscaped(STYLE)) }
                    script { (PreEscaped(SCRIPT)) }
                }
                body data-key=[self.review.as_ref().map(|review| &review.key)]
                    data-draft=[self.review.as_ref().map(|review| shown(&review.draft))]
                    data-options=[self.review.as_ref().map(|review| shown(&review.options.join("\n")).into_owned())] {
                    a.skip href="#main" { "Skip to the content" }
                    header.top {
                        div.head {
                            p.verdict.(self.tone.class()) { (sign(self.tone)) " " (self.verdict) }
                            h1 dir="auto" { (title) }
                            p.lead { (self.lead) }
                        }
                        @if self.views.len() > 1 {
                            nav aria-label="Views" {
                                @for view in &self.views {
                                    a href={ "#view-" (view.id) } data-to=(view.id) {
                                        (view.name)
                                        @if let Some(count) = view.count { " " span.n { (grouped(count)) } }
                                    }
                                }
                            }
                        }
                    }
                    @if self.review.is_some() { (review_bar()) }
                    main #main tabindex="-1" {
                        div.views {
                            @for view in &self.views {
                                section.view #{ "view-" (view.id) } data-view=(view.id) aria-labelledby={ "h-" (view.id) } {
                                    h2 #{ "h-" (view.id) } { (view.name) }
                                    (view.content)
                                }
                            }
                        }
                        @if let Some(beside) = &self.beside {
                            aside #look aria-label="What to look at" { (beside) }
                        }
                        aside #panel aria-label="The claim that is open" tabindex="-1" hidden {}
                    }
                    footer.foot {
                        p { "Written by cited " (env!("CARGO_PKG_VERSION")) ". This file is complete: it loads nothing from elsewhere." }
                        @if self.review.is_some() {
                            p.js { kbd { "j" } " " kbd { "k" } " next and previous claim, " kbd { "t" } " the next to decide, " kbd { "Enter" } " open, " kbd { "Esc" } " close, " kbd { "/" } " search, "
                                kbd { "a" } " accept, " kbd { "r" } " restore, " kbd { "m" } " mark, " kbd { "d" } " drop, " kbd { "n" } " note, " kbd { "u" } " undo"
                            }
                        }
                    }
                    div #say.vh role="status" aria-live="polite" {}
                }
            }
        };
        page.into_string()
    }
}

/// Where a reader sees how far the review is, and takes the decisions away. Of use only with the script. It stands in no other part of the
/// page, so that the style sheet can keep it in sight.
fn review_bar() -> Markup {
    html! {
        section.review.js aria-label="Review" {
            div {
                p.progress { progress #bar max="1" value="0" aria-label="Decided" {} " " span #done { "0 decided" } }
                button #next type="button" aria-keyshortcuts="t" { "Next " span.long { "to decide " } kbd aria-hidden="true" { "t" } }
                label { "Reviewer " input #who type="text" autocomplete="name" maxlength="80" placeholder="your name"; }
                button #undo type="button" aria-keyshortcuts="u" { "Undo " kbd aria-hidden="true" { "u" } }
                button #finish type="button" { "Finish" }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn style_and_script_cannot_end_their_own_elements() {
        for (text, end) in [(STYLE, "</style"), (SCRIPT, "</script")] {
            assert!(!text.to_ascii_lowercase().contains(end), "{end}");
            assert!(!text.contains("<!--"));
        }
        // The hash is of the very text between the tags.
        assert!(!STYLE.contains('\r') && !SCRIPT.contains('\r'));
    }

    #[test]
    fn nothing_in_style_or_script_leads_outside() {
        for text in [STYLE, SCRIPT] {
            for word in
                ["http://", "https://", "@import", "url(", "innerHTML", "outerHTML", "insertAdjacentHTML", "eval("]
            {
                assert!(!text.contains(word), "{word}");
            }
        }
    }
}
