//! `check_claim`: one claim by pages or texts.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call::Call;
use super::context::Context;
use super::failure::Failure;
use super::grounding::decisive;
use super::list::Part;
use super::pages::{self, PageRef};
use super::tool::{Annotations, Tool, line, output_schema, schema, typed};
use crate::cli::args::GuardFlags;
use crate::pipeline::{Options, prepare};
use crate::setup::read_page::ReadPage;
use cited_core::outcome::{ArchiveCopy, Outcome};
use cited_core::verdict::{Standing, Verdict};

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

fn run(context: &Context, input: &Input, call: &Call) -> Result<Output, Failure> {
    let claim = input.claim.trim().to_owned();
    if claim.is_empty() {
        return Err(Failure::arguments("`claim` is empty; give one sentence"));
    }
    context.fits("claim", &claim)?;
    let searched = input.pages.is_empty();
    let unfound = |why: Failure| Failure::new(why.kind, format!("`pages` is empty, and {}; give `pages`", why.message));
    let pages = if searched { pages::find(context, &claim, HITS).map_err(unfound)? } else { input.pages.clone() };
    let read = pages::read(context, &pages, &[&claim], call)?;
    let options = context.options_offline();
    call.expect(read.len());
    let mut pages = Vec::with_capacity(read.len());
    for page in read {
        call.alive()?;
        call.step(page.name.clone());
        pages.push(judge(&claim, page, &options, &context.settings.guard, input.part));
    }
    // Of pages that nobody named those that say otherwise prove nothing.
    let counts = |verdict: &&Verdict| !searched || verdict.standing != Standing::Contradicted;
    let verdicts: Vec<&Verdict> = pages.iter().map(|page| &page.verdict).filter(counts).collect();
    let decisive = decisive(&verdicts);
    let none = Verdict { standing: Standing::Unverifiable, ..Verdict::unchecked("no page that was found shows it") };
    let best = decisive.best.map_or(none, |best| verdicts[best].clone());
    let Verdict { standing: verdict, confidence, reason, .. } = best;
    let conflicting = verdict == Standing::Supported && !decisive.contradicting.is_empty();
    Ok(Output { claim, verdict, confidence, reason, searched, conflicting, pages })
}

fn text(output: &Output) -> String {
    let mut text = format!("{} ({:.2}): {}\n", output.verdict.as_str(), output.confidence, line(&output.reason));
    if output.conflicting {
        text.push_str("Another page contradicts it.\n");
    }
    for page in &output.pages {
        // Writing to a String cannot fail.
        let _ = write!(text, "- {}: {}", line(&page.page), page.verdict.standing.as_str());
        match &page.verdict.passage {
            Some(passage) => {
                let _ = writeln!(text, " “{}”", line(&passage.text));
            }
            None => {
                let _ = writeln!(text, " ({})", line(&page.verdict.reason));
            }
        }
    }
    text
}

/// What one page says.
fn judge(claim: &str, read: ReadPage, options: &Options, guard: &GuardFlags, part: Part) -> Judged {
    let mut verdict = guard.judge(claim, &read, &prepare(&read.page), options);
    if let Some(passage) = &mut verdict.passage {
        part.cut(&mut passage.text, Some(&mut passage.offsets));
    }
    let ReadPage { name, fetched, page, .. } = read;
    let moved = fetched.as_ref().and_then(|fetched| fetched.final_url.clone()).filter(|url| *url != name);
    Judged {
        outcome: fetched.as_ref().map(|fetched| fetched.outcome),
        final_url: moved,
        archive: fetched.and_then(|fetched| fetched.archive),
        title: page.title,
        page: name,
        verdict,
    }
}
