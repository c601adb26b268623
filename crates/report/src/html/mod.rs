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

use crate::record::Record;
use crate::wording::grouped;
pub use crate::words::Tone;
use cited_core::page::sha256_hex;
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

/// A page round its views, of which the first is shown first: what it is a report on, the verdict in words and how that is shown, and one
/// sentence under the title. On the page of a run a reader decides, and in the column where a claim will open stands what to look at.
pub(crate) fn page(
    title: &str,
    (verdict, tone): (&str, Tone),
    lead: &str,
    views: &[View],
    run: Option<(&Record, Markup)>,
) -> String {
    let title = shown(title);
    let (record, beside) = run.unzip();
    // Decisions on another brief are not mixed up with those on this one; path and options are for the command that applies them.
    let key = record.map(|record| sha256_hex(format!("{}{}", record.brief_sha256, record.draft.text).as_bytes()));
    let draft = record.map(|record| shown(&record.draft.path));
    let options = record.map(|record| record.draft.options.join("\n"));
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
                title { (title) ": " (verdict) }
                style { (PreEscaped(STYLE)) }
                script { (PreEscaped(SCRIPT)) }
            }
            body data-key=[key] data-draft=[draft] data-options=[options.as_deref().map(shown)] {
                a.skip href="#main" { "Skip to the content" }
                header.top {
                    div.head {
                        p.verdict.(tone.class()) { (tone.sign()) " " (verdict) }
                        h1 dir="auto" { (title) }
                        p.lead { (lead) }
                    }
                    @if views.len() > 1 {
                        nav aria-label="Views" {
                            @for view in views {
                                a href={ "#view-" (view.id) } data-to=(view.id) {
                                    (view.name)
                                    @if let Some(count) = view.count { " " span.n { (grouped(count)) } }
                                }
                            }
                        }
                    }
                }
                // Of use only with the script. It stands in no other part of the page, so that the style sheet can keep it in sight.
                @if record.is_some() {
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
                main #main tabindex="-1" {
                    div.views {
                        @for view in views {
                            section.view #{ "view-" (view.id) } data-view=(view.id) aria-labelledby={ "h-" (view.id) } {
                                h2 #{ "h-" (view.id) } { (view.name) }
                                (view.content)
                            }
                        }
                    }
                    @if let Some(beside) = beside.filter(|beside| !beside.0.is_empty()) {
                        aside #look aria-label="What to look at" { (beside) }
                    }
                    aside #panel aria-label="The claim that is open" tabindex="-1" hidden {}
                }
                footer.foot {
                    p { "Written by cited " (env!("CARGO_PKG_VERSION")) ". This file is complete: it loads nothing from elsewhere." }
                    @if record.is_some() {
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
