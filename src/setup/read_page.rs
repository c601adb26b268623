//! A page to judge by, from the web, from a file or from a text, whoever asked for it.

use std::path::Path;

use owo_colors::OwoColorize as _;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::settings::MOST_PDF_PAGES;
use cited_core::decide::Policy;
use cited_core::decide::policy::action_of;
use cited_core::error::{Error, Result};
use cited_core::outcome::{Fetched, Hop};
use cited_core::page::Page;
use cited_core::verdict::Verdict;
use cited_fetch::document::{self, Document, Limits};
use cited_fetch::pdf::ourselves;
use cited_report::findings::shown;
use cited_report::judgement::{Judgement, SCHEMA};

/// The largest file that is read as a page, in bytes.
pub const LARGEST: usize = 64 << 20;
/// A page as it was read.
#[derive(Debug)]
pub struct ReadPage {
    /// What the caller knows it by.
    pub name: String,
    /// What asking gave, for an address.
    pub fetched: Option<Fetched>,
    /// Why there is nothing to judge by, when there is nothing.
    pub reason: String,
    /// The page.
    pub page: Page,
}

impl ReadPage {
    /// What asking for an address gave.
    pub fn of_fetched(name: String, mut fetched: Fetched) -> ReadPage {
        let page = fetched.page.take().unwrap_or_default();
        let reason = match fetched.reason.as_str() {
            "" => "the page has no text".to_owned(),
            reason => format!("{}: {reason}", fetched.in_words()),
        };
        ReadPage { name, fetched: Some(fetched), reason, page }
    }

    /// What it says about a claim, and what a policy makes of that.
    pub fn judgement<'a>(&'a self, claim: &'a str, verdict: &'a Verdict, policy: Policy) -> Judgement<'a> {
        let (action, outcome) = (action_of(verdict, policy), self.fetched.as_ref().map(|fetched| fetched.outcome));
        Judgement { schema: SCHEMA, claim, page: &self.name, outcome, action, verdict }
    }

    /// A file, read as the same bytes from the web would be.
    ///
    /// # Errors
    /// When it cannot be read, or is too large.
    pub fn of_file(name: &str) -> Result<ReadPage> {
        let length = Path::new(name).metadata().map_err(|error| Error::read(name, error))?.len();
        if length > LARGEST as u64 {
            return Err(Error::usage(format!("{name}: over {} MiB; name a smaller file", LARGEST >> 20)));
        }
        let bytes = std::fs::read(name).map_err(|error| Error::read(name, error))?;
        let document = of_bytes(bytes.into(), name, false);
        let reason = document.unreadable.unwrap_or("the file has no text").to_owned();
        Ok(ReadPage { name: name.to_owned(), fetched: None, reason, page: document.page })
    }
}

/// What asking an address gave, for programs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ShownPage<'a> {
    /// What asking gave.
    #[serde(flatten)]
    pub fetched: &'a Fetched,
    /// Title of the page.
    pub title: Option<&'a str>,
    /// SHA-256 of the text; none when the text was not read to its end because only the state mattered.
    pub text_sha256: Option<&'a str>,
    /// The page itself, where it is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<&'a Page>,
}

impl<'a> ShownPage<'a> {
    /// With the page itself.
    pub fn new(fetched: &'a Fetched) -> ShownPage<'a> {
        let page = fetched.page.as_ref();
        let text_sha256 = page.map(|page| page.text_sha256.as_str()).filter(|hash| !hash.is_empty());
        ShownPage { fetched, title: page.and_then(|page| page.title.as_deref()), text_sha256, page }
    }
}

/// What asking an address gave, for people: a line for each thing that is known, without the text of the page.
pub fn facts(fetched: &Fetched) -> String {
    let seen = serde_json::json!(ShownPage::new(fetched));
    let own = |name: &'static str| (name, seen[name].as_str().unwrap_or_default().to_owned());
    let of_page = |name: &'static str| (name, seen["page"][name].as_str().unwrap_or_default().to_owned());
    let hop = |hop: &Hop| {
        let answer = hop.status.map(|status| status.to_string()).or_else(|| hop.error.clone());
        let to = hop.location.as_ref().map(|location| format!(" -> {location}")).unwrap_or_default();
        ("hop", format!("{} {}{to}", answer.as_deref().unwrap_or("no answer"), hop.url))
    };
    let archive = fetched.archive.as_ref().map(|copy| format!("{} (taken {})", copy.url, copy.taken));
    let text = fetched.page.as_ref().map(|page| {
        let whole = if page.complete { "whole" } else { "in part" };
        format!("{} bytes of {}, {whole}, sha256 {}", page.text.len(), page.media_type, page.text_sha256)
    });
    let all = [("address", fetched.address.clone())]
        .into_iter()
        .chain(["outcome", "reason", "rule"].map(own))
        .chain([("signs", fetched.signs.join(", "))])
        .chain(fetched.hops.iter().map(hop))
        .chain([("archive", archive.unwrap_or_default())])
        .chain(["title", "author", "published", "doi", "language", "canonical"].map(of_page))
        .chain([("text", text.unwrap_or_default())]);
    let mut out = String::new();
    for (name, value) in all.filter(|(_, value)| !value.is_empty()) {
        let value: String = value.chars().map(|c| if c == '\n' { ' ' } else { shown(c) }).collect();
        out.push_str(&format!("{}{value}\n", format!("{name:<11}").bold()));
    }
    out
}

/// The document that the bytes of a file are; `seen_only` leaves out what no reader sees.
pub fn of_bytes(bytes: bytes::Bytes, name: &str, seen_only: bool) -> Document {
    let pdf = ourselves(MOST_PDF_PAGES);
    let limits = Limits { max_body: LARGEST, pdf, seen_only, ..Limits::default() };
    document::of_file(bytes, name, &limits)
}
