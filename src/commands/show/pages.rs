//! Pages: what asking an address gives, with every hop and reason.

use std::fmt::Write as _;
use std::io::BufRead as _;

use futures_util::StreamExt as _;
use futures_util::stream;
use owo_colors::OwoColorize as _;
use serde::Serialize;

use crate::cli::args::Format;
use crate::cli::progress::{Reporter, Watched, of_source};
use crate::commands::network::{AT_ONCE, Web};
use crate::commands::{block_on, output};
use crate::error::{Error, Result};
use crate::fetch::{ArchiveCopy, Fetched, Fetcher as _, Hop, Outcome, Page, Request};
use crate::pipeline::Progress;
use crate::render::findings::shown;

/// What asking one address gave, as JSON.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    address: &'a str,
    outcome: Outcome,
    reason: &'a str,
    rule: &'a str,
    hops: &'a [Hop],
    #[serde(skip_serializing_if = "Option::is_none")]
    final_url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    archive: Option<&'a ArchiveCopy>,
    fetched_at: jiff::Timestamp,
    elapsed_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text_sha256: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<&'a Page>,
}

impl<'a> Answer<'a> {
    fn new(asked: &'a str, fetched: &'a Fetched, whole: bool) -> Self {
        let page = fetched.page.as_ref();
        Answer {
            address: asked,
            outcome: fetched.outcome,
            reason: &fetched.reason,
            rule: fetched.rule,
            hops: &fetched.hops,
            final_url: fetched.final_url.as_deref(),
            archive: fetched.archive.as_ref(),
            fetched_at: fetched.fetched_at,
            elapsed_ms: fetched.elapsed_ms,
            title: page.and_then(|page| page.title.as_deref()).filter(|_| !whole),
            text_sha256: page.map(|page| page.text_sha256.as_str()).filter(|_| !whole),
            page: page.filter(|_| whole),
        }
    }
}

fn request(address: &str) -> Request {
    Request { addresses: vec![address.to_owned()], ..Request::default() }
}

/// Shows one page with its text.
pub fn one(address: &str, format: Format, web: &Web) -> Result<()> {
    let fetched = block_on(async { Ok(web.fetcher().fetch(&request(address)).await) })?;
    match format {
        Format::Json => output::print(&crate::commands::json(&Answer::new(address, &fetched, true))?),
        Format::Text => output::print(&text(&fetched)),
    }
}

/// Asks every address of standard input and prints one line for each as its answer comes: JSON, unless text was asked for.
pub fn many(format: Option<Format>, web: &Web, reporter: &Reporter) -> Result<()> {
    let lines: std::io::Result<Vec<String>> = std::io::stdin().lock().lines().collect();
    let lines = lines.map_err(|error| Error::read("standard input", error))?;
    let addresses: Vec<&str> = lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    let watched = Watched::new(web.fetcher(), reporter);
    reporter.note(Progress::Fetching(addresses.len()));
    block_on(async {
        let mut answers = stream::iter(addresses.iter().copied())
            .map(|address| {
                let watched = &watched;
                async move { (address, watched.fetch(&request(address)).await) }
            })
            .buffer_unordered(AT_ONCE);
        while let Some((address, fetched)) = answers.next().await {
            reporter.note(Progress::Fetched(&fetched));
            let line = match format {
                Some(Format::Text) => of_source(&fetched),
                _ => serde_json::to_string(&Answer::new(address, &fetched, false))
                    .map_err(|error| Error::defect(error.to_string()))?,
            };
            reporter.pause(|| output::print(&(line + "\n")))?;
        }
        Ok(())
    })
}

fn text(fetched: &Fetched) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let mut fact = |name: &str, value: &str| {
        let value: String = value.chars().map(|c| if c == '\n' { ' ' } else { shown(c) }).collect();
        let _ = writeln!(out, "{}{value}", format!("{name:<11}").bold());
    };
    fact("address", &fetched.address);
    fact("outcome", fetched.outcome.as_str());
    if !fetched.reason.is_empty() {
        fact("reason", &fetched.reason);
    }
    fact("rule", fetched.rule);
    for hop in &fetched.hops {
        let answer = match (hop.status, &hop.error) {
            (Some(status), _) => status.to_string(),
            (None, Some(error)) => error.clone(),
            (None, None) => "no answer".to_owned(),
        };
        let to = hop.location.as_ref().map(|location| format!(" -> {location}")).unwrap_or_default();
        fact("hop", &format!("{answer} {}{to}", hop.url));
    }
    if let Some(address) = fetched.final_url.as_ref().filter(|address| **address != fetched.address) {
        fact("ended at", address);
    }
    if let Some(copy) = &fetched.archive {
        fact("archive", &format!("{} (taken {})", copy.url, copy.taken));
    }
    if let Some(page) = &fetched.page {
        let optional = [
            ("title", page.title.clone()),
            ("author", page.author.clone()),
            ("published", page.published.map(|date| date.to_string())),
            ("doi", page.doi.clone()),
            ("language", page.language.clone()),
            ("canonical", page.canonical.clone()),
        ];
        for (name, value) in optional {
            if let Some(value) = value {
                fact(name, &value);
            }
        }
        let whole = if page.complete { "whole" } else { "in part" };
        fact(
            "text",
            &format!("{} bytes of {}, {whole}, sha256 {}", page.text.len(), page.media_type, page.text_sha256),
        );
        out.push('\n');
        out.extend(page.text.chars().map(shown));
        out.push('\n');
    }
    out
}
