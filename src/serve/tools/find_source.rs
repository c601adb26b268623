//! `find_source`: pages that show a claim, among candidates or among what the search of this service finds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call::Call;
use super::check_claim::{self, Judged};
use super::context::Context;
use super::failure::Failure;
use super::grounding::Thresholds;
use super::list::Part;
use super::page::PageRef;
use super::pages;
use super::tool::{Annotations, Tool, Typed, given, line, run, schema};
use cited_core::verdict::Standing;

pub const TOOL: Tool = Tool {
    name: "find_source",
    title: "Find a source",
    description: "Looks for pages that support a claim, among the candidates given or, without candidates, among the addresses that the \
                  search of this service gives. Every page goes through the same checks as a cited source; the best come first, with \
                  the passage that supports the claim.",
    annotations: Annotations { read_only: true, open_world: true },
    input: schema::<Input>,
    output: given::<Output>,
    run: run::<FindSource>,
};

/// Addresses of a search that are read, unless the caller says how many.
pub const HITS: usize = 5;
/// Addresses of a search that are read at most.
pub const MOST_HITS: usize = 20;

struct FindSource;

/// A claim and where to look.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The claim, one sentence.
    claim: String,
    /// Pages that may support it. Without any, the search of this service is asked.
    #[serde(default)]
    candidates: Vec<PageRef>,
    /// How many addresses of the search are read, at most 20. 5 unless you say so.
    #[serde(default)]
    most: Option<usize>,
    /// From which probability on a claim is called supported, and from which weak.
    #[serde(default)]
    thresholds: Thresholds,
    /// Which part of the list is wanted, and how much of passages.
    #[serde(default)]
    part: Part,
}

/// Where a claim is found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// The claim.
    claim: String,
    /// Whether the search of this service was asked.
    searched: bool,
    /// How many pages support it.
    supporting: usize,
    /// How many pages were looked at.
    total: usize,
    /// The pages, the best first.
    pages: Vec<Judged>,
    /// What to give as `part.offset` for the next part; null when this is the last.
    next_offset: Option<usize>,
}

impl Typed for FindSource {
    type Input = Input;
    type Output = Output;

    fn run(context: &Context, input: Input, call: &Call) -> Result<Output, Failure> {
        let Input { claim, mut candidates, most, thresholds, part } = input;
        let claim = claim.trim().to_owned();
        if claim.is_empty() {
            return Err(Failure::arguments("`claim` is empty; give one sentence"));
        }
        context.fits("claim", &claim)?;
        let settings = thresholds.settings(context.guard())?;
        let searched = candidates.is_empty();
        if searched {
            let Some(search) = context.search() else {
                let advice = "this service has no search: give `candidates`, or start cited with --search COMMAND|URL";
                return Err(Failure::arguments(advice));
            };
            let most = most.unwrap_or(HITS).clamp(1, MOST_HITS);
            let hits = search.find(&claim, most).map_err(|why| {
                let message = format!("the search could not be asked: {why}; try again, or give `candidates`");
                Failure::new(super::failure::FailureKind::Blocked, message)
            })?;
            candidates.extend(hits.into_iter().map(PageRef::from));
        }
        let read = pages::read(context, &candidates, &[&claim], call)?;
        let mut pages = check_claim::judge(context, &claim, &read, &settings, part, call)?;
        let supporting = pages.iter().filter(|page| page.verdict.standing == Standing::Supported).count();
        pages.sort_by(|one, other| {
            let (one, other) = (&one.verdict, &other.verdict);
            one.standing.cmp(&other.standing).then(other.confidence.total_cmp(&one.confidence))
        });
        let listed = part.of(pages);
        let (total, pages, next_offset) = (listed.total, listed.entries, listed.next_offset);
        Ok(Output { claim, searched, supporting, total, pages, next_offset })
    }

    fn text(output: &Output) -> String {
        let mut text = format!("{} of {} pages support it.\n", output.supporting, output.total);
        for page in output.pages.iter().filter(|page| page.verdict.standing <= Standing::Weak) {
            let passage = page.verdict.passage.as_ref().map_or("", |passage| &passage.text);
            text.push_str(&format!(
                "- {} ({} {:.2}): “{}”\n",
                line(&page.page),
                page.verdict.standing.as_str(),
                page.verdict.confidence,
                line(passage)
            ));
        }
        text
    }
}
