//! `check_claim`: one claim by pages or texts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::args::{PageRef, find_pages, read_pages};
use super::tool::{Answer, Call, Context, line};
use super::verify_citations::decisive;
use crate::serve::problem::{Problem, Result};
use crate::setup::read_page::ReadPage;
use cited_core::verdict::{Standing, Verdict};
use cited_judge::SourceText;
use cited_report::judgement::Judgement;

/// Addresses of a search that are read.
const HITS: usize = 5;

/// Says whether pages support one claim: supported, weak, unverifiable or contradicted, with the words that it rests on and where they
/// stand. Give the claim as one sentence and the pages as addresses or texts; without pages, those that the search of this service finds
/// are read. `unchecked` means that a page could not be read: that is no verdict on the claim.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The claim, one sentence.
    claim: String,
    /// The pages to judge it by. Without any, the search of this service is asked.
    #[serde(default)]
    pages: Vec<PageRef>,
}

/// What pages say about a claim.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output<'a> {
    /// What the page says that decides.
    verdict: Standing,
    /// Calibrated probability that this page supports the claim, 0 to 1.
    confidence: f64,
    /// Why, in words.
    reason: &'a str,
    /// Whether the search of this service was asked. What it found may support a claim and proves nothing against it.
    searched: bool,
    /// Whether one page supports the claim and another contradicts it.
    conflicting: bool,
    /// What each page says, in the order in which they were named; `cited schema judgement` has its shape.
    #[schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>")]
    pages: Vec<Judgement<'a>>,
}

pub fn run(context: &Context, input: &Input, call: &Call) -> Result<Answer> {
    let claim = input.claim.trim();
    if claim.is_empty() {
        return Err(Problem::arguments("`claim` is empty; give one sentence"));
    }
    Context::fits("claim", claim)?;
    let searched = input.pages.is_empty();
    let unfound =
        |why: Problem| Problem { message: format!("`pages` is empty, and {}; give `pages`", why.message), ..why };
    let pages = if searched { find_pages(context, claim, HITS).map_err(unfound)? } else { input.pages.clone() };
    let read = read_pages(context, &pages, &[claim], call)?;
    let (options, guard) = (&context.judging.options, context.settings.guard);
    let judge = |read: &ReadPage| {
        call.alive()?;
        call.step(read.name.as_str());
        Ok(guard.judge(claim, read, &SourceText::of_page(&read.page), options))
    };
    let verdicts = read.iter().map(judge).collect::<Result<Vec<Verdict>>>()?;
    // Of pages that nobody named those that say otherwise prove nothing.
    let counts = |verdict: &&Verdict| !searched || verdict.standing != Standing::Contradicted;
    let counted: Vec<&Verdict> = verdicts.iter().filter(counts).collect();
    let (best, contradicting) = decisive(&counted);
    let none = Verdict { standing: Standing::Unverifiable, ..Verdict::unchecked("no page that was found shows it") };
    let Verdict { standing: verdict, confidence, reason, .. } = best.map_or(&none, |best| counted[best]);
    let (verdict, confidence) = (*verdict, *confidence);
    let conflicting = verdict == Standing::Supported && !contradicting.is_empty();
    let pages = read.iter().zip(&verdicts).map(|(read, verdict)| read.judgement(claim, verdict, options.policy));
    let pages: Vec<Judgement<'_>> = pages.collect();
    let conflict = if conflicting { "Another page contradicts it.\n" } else { "" };
    let all = pages.iter().map(Judgement::text).collect::<Vec<_>>().join("\n");
    let text = format!("{} ({confidence:.2}): {}\n{conflict}\n{all}", verdict.as_str(), line(reason));
    Answer::new(&text, &Output { verdict, confidence, reason, searched, conflicting, pages })
}
