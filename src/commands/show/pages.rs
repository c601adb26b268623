//! Pages: what asking an address gives, with every hop and reason.

use std::fmt::Write as _;
use std::path::Path;

use owo_colors::OwoColorize as _;
use serde::Serialize;
use tokio::sync::Notify;

use crate::cli::args::ShowFormat;
use crate::cli::progress::of_source;
use crate::commands::input::{self, STANDARD};
use crate::commands::output;
use crate::pipeline::Progress;
use crate::setup::{Setup, block_on};
use cited_core::error::{Error, Result};
use cited_core::outcome::Fetched;
use cited_core::page::Page;
use cited_fetch::show::Shown;
use cited_fetch::{Request, fetch_each, in_turns};
use cited_report::findings::shown;
use cited_report::printers::json::pretty as json;

/// What asking one address gave, with the page itself.
#[derive(Debug, Serialize)]
struct ShownPage<'a> {
    #[serde(flatten)]
    shown: Shown<'a>,
    fetched_at: jiff::Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<&'a Page>,
}

/// Shows one page with its text.
pub fn show_one(address: &str, format: ShowFormat, setup: &Setup) -> Result<()> {
    let fetched = setup.fetch(address, Vec::new())?;
    match format {
        ShowFormat::Json => {
            let page = fetched.page.as_ref();
            output::print(&json(&ShownPage { shown: Shown::new(&fetched), fetched_at: fetched.fetched_at, page })?)
        }
        ShowFormat::Text => output::print(&text(&fetched)),
    }
}

/// The addresses on standard input, one a line.
pub fn on_standard_input() -> Result<Vec<String>> {
    let lines = input::read(Path::new(STANDARD))?.text;
    Ok(lines.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

/// Asks every address and prints one line for each as it is decided: JSON, unless text was asked for. At a `glance` only
/// whether it is alive.
pub fn show_many(addresses: &[String], glance: bool, format: ShowFormat, setup: &Setup) -> Result<()> {
    let (watched, reporter) = (setup.watched(), &setup.reporter);
    reporter.note(Progress::Fetching(addresses.len()));
    let mut printed = Ok(());
    // Who takes no more lines wants nothing more asked.
    let closed = Notify::new();
    let stop = async {
        closed.notified().await;
        "nobody takes the answers"
    };
    let work = async {
        let request = |address: &str| Request { addresses: vec![address.to_owned()], glance, ..Request::default() };
        let requests = in_turns(addresses).into_iter().map(request);
        fetch_each(&watched, requests, setup.options.concurrency, stop, |fetched| {
            if printed.is_ok() {
                reporter.note(Progress::Fetched(&fetched));
                printed = line(&fetched, format).and_then(|line| reporter.pause(|| output::print(&line)));
                if printed.is_err() {
                    closed.notify_one();
                }
            }
        })
        .await;
        Ok(())
    };
    block_on(work)?;
    printed
}

/// What is printed of one of many.
fn line(fetched: &Fetched, format: ShowFormat) -> Result<String> {
    let line = match format {
        ShowFormat::Text => of_source(fetched),
        ShowFormat::Json => {
            serde_json::to_string(&Shown::new(fetched)).map_err(|error| Error::defect(error.to_string()))?
        }
    };
    Ok(line + "\n")
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
    fact("rule", fetched.rule.as_str());
    if !fetched.signs.is_empty() {
        fact("signs", &fetched.signs.join(", "));
    }
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
