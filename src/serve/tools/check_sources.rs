//! `check_sources`: whether the sources of a document, or addresses, are there.

use std::collections::BTreeMap;

use futures_util::StreamExt as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call::Call;
use super::context::Context;
use super::failure::Failure;
use super::given::Given;
use super::list::{Listed, Part};
use super::tool::{Annotations, Tool, Typed, given, line, run, schema};
use crate::pipeline::{self, CitedSource};
use cited_core::outcome::{ArchiveCopy, Fetched, Hop, Outcome};
use cited_fetch::{Request, ask_again, in_turns};

pub const TOOL: Tool = Tool {
    name: "check_sources",
    title: "Check sources",
    description: "Asks whether the sources of a Markdown document, or a list of addresses, are there: live, moved, archived, dead, behind a \
                  wall, or not to be asked. Of a document it also tells the lines that stand on each source. `dead` is proven; every other \
                  outcome but live, moved and archived means that nobody could tell.",
    annotations: Annotations { read_only: true, open_world: true },
    input: schema::<Input>,
    output: given::<Output>,
    run: run::<CheckSources>,
};

/// Sources that are asked for at once; how many of one host is the fetcher's to say.
const AT_ONCE: usize = 128;

struct CheckSources;

/// A document or addresses.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The document itself, Markdown. Give one of `text`, `path` and `urls`.
    text: Option<String>,
    /// In place of `text`: its file, inside a folder that the service opened.
    path: Option<String>,
    /// In place of a document: addresses.
    #[serde(default)]
    urls: Vec<String>,
    /// Which part of the list is wanted.
    #[serde(default)]
    part: Part,
}

/// Whether sources are there.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// How many there are of each outcome.
    counts: BTreeMap<Outcome, usize>,
    /// The sources: those that are not simply there first.
    sources: Listed<Asked>,
    /// Why nothing that was asked can be trusted, when that is so: the network is at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
}

/// What asking for one source gave.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Asked {
    /// The address.
    url: String,
    /// What asking gave.
    outcome: Outcome,
    /// Why, in words; empty for a page that is simply there.
    reason: String,
    /// The rule that decided.
    rule: String,
    /// Every request on the way.
    hops: Vec<Hop>,
    /// Where the way ended.
    final_url: Option<String>,
    /// The title of the page, or that which the document gives it.
    title: Option<String>,
    /// The archived copy that stands in.
    archive: Option<ArchiveCopy>,
    /// The lines of the document that stand on it.
    lines: Vec<usize>,
}

impl Typed for CheckSources {
    type Input = Input;
    type Output = Output;

    fn run(context: &Context, input: Input, call: &Call) -> Result<Output, Failure> {
        let sources = sources(context, &input, call)?;
        context.few("sources", sources.len())?;
        call.expect(sources.len());
        let setup = context.asking()?;
        let requests: Vec<Request<'_>> = sources
            .iter()
            .map(|source| Request {
                addresses: source.addresses.clone(),
                accessed: source.accessed,
                titles: source.titles.clone(),
                claims: source
                    .mentions
                    .iter()
                    .filter(|mention| mention.is_claim)
                    .map(|mention| mention.sentence.as_str())
                    .collect(),
                glance: source.titles.is_empty() && source.mentions.is_empty(),
                ..Request::default()
            })
            .collect();
        let mut asked: Vec<Asked> = call.wait(async {
            let asking = futures_util::stream::iter(&requests).map(|request| async {
                let fetched = setup.fetcher().fetch(request).await;
                call.step(format!("{}: {}", fetched.outcome, fetched.address));
                fetched
            });
            let mut fetched: Vec<Fetched> = asking.buffered(AT_ONCE).collect().await;
            ask_again(setup.fetcher(), &requests, &mut fetched, AT_ONCE).await;
            sources.iter().zip(fetched).map(|(source, fetched)| told(source, fetched)).collect()
        })?;
        let mut counts = BTreeMap::new();
        for source in &asked {
            *counts.entry(source.outcome).or_insert(0) += 1;
        }
        asked.sort_by_key(|source| source.outcome == Outcome::Live);
        Ok(Output { counts, sources: input.part.of(asked), fault: setup.fetcher().fault() })
    }

    fn text(output: &Output) -> String {
        let counts: Vec<String> = output.counts.iter().map(|(outcome, count)| format!("{count} {outcome}")).collect();
        let mut text = format!("{} sources: {}\n", output.sources.total, counts.join(", "));
        if let Some(fault) = &output.fault {
            text.push_str(&format!("The network is at fault, so nothing here is proven: {}\n", line(fault)));
        }
        for source in output.sources.entries.iter().filter(|source| source.outcome != Outcome::Live) {
            let copy = source.archive.as_ref().map(|copy| format!("; copy: {}", line(&copy.url))).unwrap_or_default();
            text.push_str(&format!("- {}: {} ({}){copy}\n", line(&source.url), source.outcome, line(&source.reason)));
        }
        text
    }
}

fn sources(context: &Context, input: &Input, call: &Call) -> Result<Vec<CitedSource>, Failure> {
    let given = Given {
        name: "document.md",
        text: input.text.as_deref(),
        path: input.path.as_deref(),
        list: Some(("urls", !input.urls.is_empty())),
    };
    if let Some((document, _)) = given.read(context, call)? {
        return Ok(pipeline::cites(&document));
    }
    // Hosts take turns, so that a slow one holds up nobody.
    let mut seen = std::collections::HashSet::new();
    let addresses = in_turns(&input.urls).into_iter().filter(|address| seen.insert((*address).to_owned()));
    let of = |address: &str| CitedSource {
        key: address.to_owned(),
        addresses: vec![address.to_owned()],
        ..CitedSource::default()
    };
    Ok(addresses.map(of).collect())
}

fn told(source: &CitedSource, fetched: Fetched) -> Asked {
    let title = fetched.page.as_ref().and_then(|page| page.title.clone()).or_else(|| source.titles.first().cloned());
    let mut lines: Vec<usize> = source.mentions.iter().map(|mention| mention.line).collect();
    lines.dedup();
    Asked {
        url: fetched.address,
        outcome: fetched.outcome,
        reason: fetched.reason,
        rule: fetched.rule.as_str().to_owned(),
        hops: fetched.hops,
        final_url: fetched.final_url,
        title,
        archive: fetched.archive,
        lines,
    }
}
