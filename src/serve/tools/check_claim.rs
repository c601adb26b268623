//! `check_claim`: one claim by pages or texts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::args::{PageRef, Part, find_pages, read_pages};
use super::context::Context;
use super::grounding::decisive;
use super::tool::{Annotations, Call, Tool, line, output_schema, schema, typed};
use crate::serve::problem::{Problem, Result};
use crate::setup::read_page::ReadPage;
use cited_core::outcome::{ArchiveCopy, Outcome};
use cited_core::page::Page;
use cited_core::verdict::{Standing, Verdict};
use cited_judge::SourceText;

pub const TOOL: Tool = Tool {
    name: "check_claim",
    title: "Check one claim",
    description: "Says whether pages support one claim: supported, weak, unverifiable or contradicted, with the words that it rests on \
                  and where they stand. Give the claim as one sentence and the pages as addresses or texts; without pages, those \
                  that the search of this service finds are read. `unchecked` means that a page could not be read: that is no verdict on the claim.",
    annotations: Annotations { read_only: true, open_world: true },
    input: schema::<Input>,
    output: output_schema::<Output>,
    run: |context, arguments, call| typed((context, arguments, call), run, text),
};

/// Addresses of a search that are read.
const HITS: usize = 5;

/// A claim and the pages to judge it by.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The claim, one sentence.
    claim: String,
    /// The pages to judge it by. Without any, the search of this service is asked.
    #[serde(default)]
    pages: Vec<PageRef>,
    /// How much of passages is wanted.
    #[serde(default)]
    part: Part,
}

/// What pages say about a claim.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// The claim.
    claim: String,
    /// What the page says that decides.
    verdict: Standing,
    /// Calibrated probability that this page supports the claim, 0 to 1.
    confidence: f64,
    /// Why, in words.
    reason: String,
    /// Whether the search of this service was asked. What it found may support a claim and proves nothing against it.
    searched: bool,
    /// Whether one page supports the claim and another contradicts it.
    conflicting: bool,
    /// What each page says, in the order in which they were named.
    pages: Vec<Judged>,
}

/// What one page says.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Judged {
    /// The page as it was named.
    pub page: String,
    /// What asking for it gave, for an address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Where the way ended, when that is another address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub final_url: Option<String>,
    /// The archived copy that was read in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archive: Option<ArchiveCopy>,
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it says, and why.
    #[serde(flatten)]
    pub verdict: Verdict,
}

fn run(context: &Context, input: &Input, call: &Call) -> Result<Output> {
    let claim = input.claim.trim().to_owned();
    if claim.is_empty() {
        return Err(Problem::arguments("`claim` is empty; give one sentence"));
    }
    Context::fits("claim", &claim)?;
    let searched = input.pages.is_empty();
    let unfound =
        |why: Problem| Problem { message: format!("`pages` is empty, and {}; give `pages`", why.message), ..why };
    let pages = if searched { find_pages(context, &claim, HITS).map_err(unfound)? } else { input.pages.clone() };
    let read = read_pages(context, &pages, &[&claim], call)?;
    let (options, guard) = (context.options_offline(), context.settings.guard);
    call.expect(read.len());
    let judge = |read: ReadPage| {
        call.alive()?;
        call.step(read.name.as_str());
        let mut verdict = guard.judge(&claim, &read, &SourceText::of_page(&read.page), &options);
        if let Some(passage) = &mut verdict.passage {
            input.part.cut(&mut passage.text, Some(&mut passage.offsets));
        }
        let ReadPage { name: page, fetched, page: Page { title, .. }, .. } = read;
        let (outcome, final_url, archive) = fetched.map_or((None, None, None), |fetched| {
            (Some(fetched.outcome), fetched.final_url.filter(|url| *url != page), fetched.archive)
        });
        Ok(Judged { page, outcome, final_url, archive, title, verdict })
    };
    let pages = read.into_iter().map(judge).collect::<Result<Vec<_>>>()?;
    // Of pages that nobody named those that say otherwise prove nothing.
    let counts = |verdict: &&Verdict| !searched || verdict.standing != Standing::Contradicted;
    let verdicts: Vec<&Verdict> = pages.iter().map(|page| &page.verdict).filter(counts).collect();
    let (best, contradicting) = decisive(&verdicts);
    let none = Verdict { standing: Standing::Unverifiable, ..Verdict::unchecked("no page that was found shows it") };
    let best = best.map_or(none, |best| verdicts[best].clone());
    let Verdict { standing: verdict, confidence, reason, .. } = best;
    let conflicting = verdict == Standing::Supported && !contradicting.is_empty();
    Ok(Output { claim, verdict, confidence, reason, searched, conflicting, pages })
}

fn text(output: &Output) -> String {
    let mut text = format!("{} ({:.2}): {}\n", output.verdict.as_str(), output.confidence, line(&output.reason));
    if output.conflicting {
        text.push_str("Another page contradicts it.\n");
    }
    for Judged { page, verdict, .. } in &output.pages {
        let passage = verdict.passage.as_ref().map(|passage| format!("“{}”", line(&passage.text)));
        let why = passage.unwrap_or_else(|| format!("({})", line(&verdict.reason)));
        text.push_str(&format!("- {}: {} {why}\n", line(page), verdict.standing.as_str()));
    }
    text
}
