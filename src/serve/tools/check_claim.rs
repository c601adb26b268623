//! `check_claim`: one claim by pages, texts or files.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call::Call;
use super::context::Context;
use super::failure::Failure;
use super::grounding::{Thresholds, decisive};
use super::list::Part;
use super::page::{PageRef, ReadPage};
use super::pages;
use super::tool::{Annotations, Tool, Typed, given, line, run, schema};
use crate::pipeline::{judge_prepared, prepare};
use cited_core::outcome::{ArchiveCopy, Outcome};
use cited_core::verdict::{Standing, Verdict};

pub const TOOL: Tool = Tool {
    name: "check_claim",
    title: "Check one claim",
    description: "Says whether pages support one claim: supported, weak, unverifiable or contradicted, with the words that it rests on \
                  and where they stand. Give the claim as one sentence and the pages as addresses, texts or files. \
                  `unchecked` means that a page could not be read: that is no verdict on the claim.",
    annotations: Annotations { read_only: true, open_world: true },
    input: schema::<Input>,
    output: given::<Output>,
    run: run::<CheckClaim>,
};

struct CheckClaim;

/// A claim and the pages to judge it by.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The claim, one sentence.
    claim: String,
    /// The pages to judge it by.
    pages: Vec<PageRef>,
    /// From which probability on a claim is called supported, and from which weak.
    #[serde(default)]
    thresholds: Thresholds,
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

/// What pages say about a claim, in their order.
pub fn judge(
    context: &Context,
    claim: &str,
    pages: &[ReadPage],
    settings: &cited_judge::Settings,
    part: Part,
    call: &Call,
) -> Result<Vec<Judged>, Failure> {
    let options = context.options_offline();
    call.expect(pages.len());
    let mut all = Vec::with_capacity(pages.len());
    for read in pages {
        call.alive()?;
        let mut verdict = if read.page.text.is_empty() {
            Verdict::unchecked(read.reason.as_str())
        } else {
            judge_prepared(claim, &prepare(&read.page), &options, settings)
        };
        if let Some(passage) = &mut verdict.passage {
            part.cut(passage);
        }
        call.step(format!("{}: {}", verdict.standing.as_str(), read.name));
        let fetched = read.fetched.as_ref();
        let moved = fetched.and_then(|fetched| fetched.final_url.clone()).filter(|url| *url != read.name);
        all.push(Judged {
            page: read.name.clone(),
            outcome: fetched.map(|fetched| fetched.outcome),
            final_url: moved,
            archive: fetched.and_then(|fetched| fetched.archive.clone()),
            title: read.page.title.clone(),
            verdict,
        });
    }
    Ok(all)
}

impl Typed for CheckClaim {
    type Input = Input;
    type Output = Output;

    fn run(context: &Context, input: Input, call: &Call) -> Result<Output, Failure> {
        let Input { claim, pages, thresholds, part } = input;
        let claim = claim.trim().to_owned();
        if claim.is_empty() {
            return Err(Failure::arguments("`claim` is empty; give one sentence"));
        }
        context.fits("claim", &claim)?;
        if pages.is_empty() {
            let advice =
                "`pages` is empty, so there is nothing to judge by; give addresses or texts, or call find_source";
            return Err(Failure::arguments(advice));
        }
        let settings = thresholds.settings(context.guard())?;
        let read = pages::read(context, &pages, &[&claim], call)?;
        let pages = judge(context, &claim, &read, &settings, part, call)?;
        let verdicts: Vec<&Verdict> = pages.iter().map(|page| &page.verdict).collect();
        let found = decisive(&verdicts);
        let first = found.best.and_then(|best| verdicts.get(best));
        let (verdict, confidence, reason) = first.map_or((Standing::Unchecked, 0.0, String::new()), |best| {
            (best.standing, best.confidence, best.reason.clone())
        });
        let conflicting = verdict == Standing::Supported && !found.contradicting.is_empty();
        Ok(Output { claim, verdict, confidence, reason, conflicting, pages })
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
}
