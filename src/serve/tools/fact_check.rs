//! `fact_check`: one statement by pages that a search finds, in the shape that agents of `AgentOS` know.
//!
//! The shape is that of its extension for web search: the arguments `statement`, `checkSources`, `confidence` and `multiSearch`, verdicts
//! `TRUE`, `FALSE`, `PARTIALLY TRUE` and `UNVERIFIED`, a confidence in percent with its level. What is behind them is ours: pages are read
//! and judged, where that tool counts words such as *true* and *myth* in the excerpts of a search engine.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use url::Url;

use super::call::Call;
use super::check_claim::{self, Judged};
use super::context::Context;
use super::failure::Failure;
use super::find_source::{HITS, MOST_HITS};
use super::grounding::Thresholds;
use super::list::{Part, head};
use super::page::PageRef;
use super::pages;
use super::tool::{Annotations, Tool, Typed, given, line, run, schema};
use super::verify_citations::{Source, refs};
use crate::judge::Standing;

pub const TOOL: Tool = Tool {
    name: "fact_check",
    title: "Check a fact",
    description: "Says whether a statement holds: TRUE, FALSE, PARTIALLY TRUE (pages disagree) or UNVERIFIED, with a confidence in percent. The \
                  search of this service finds pages, or you name `sources`; each is read and judged, and what it says is quoted. \
                  UNVERIFIED is no verdict on the statement: no page that could be read shows it or shows otherwise.",
    annotations: Annotations { read_only: true, open_world: true },
    input: schema::<Input>,
    output: given::<Output>,
    run: run::<FactCheck>,
};

/// Characters of a source's words that are given, unless the caller says how many.
const SNIPPET: usize = 300;
/// So many hosts have to contradict a statement, of pages that nobody named, unless the caller says otherwise.
const CONTRADICTING: usize = 2;
/// Percent above which a confidence is high, and above which it is medium, as `AgentOS` has them.
const HIGH: f64 = 80.0;
const MEDIUM: f64 = 50.0;

struct FactCheck;

/// A statement, and what it is checked by.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Input {
    /// The statement, one sentence.
    statement: String,
    /// What to check it by. Without any, the search of this service is asked.
    #[serde(default)]
    sources: Vec<Source>,
    /// Whether the answer has the sources. True unless you say so.
    #[serde(default)]
    check_sources: Option<bool>,
    /// How sure a verdict has to be for `meetsRequiredConfidence`: `medium` unless you say so.
    #[serde(default)]
    confidence: Option<Level>,
    /// Whether several searches are asked. A service has one: it is asked either way.
    #[serde(default)]
    multi_search: bool,
    /// How many addresses of the search are read, at most 20. 5 unless you say so.
    #[serde(default)]
    max_sources: Option<usize>,
    /// Of so many hosts have pages to contradict the statement that the search found, for it to be FALSE. 2 unless you say so; of
    /// `sources` that you name, one is enough.
    #[serde(default)]
    min_contradicting: Option<usize>,
    /// From this probability on a page supports the statement. 0.6 unless you or the service say so.
    #[serde(default)]
    support_threshold: Option<f64>,
    /// Below this probability a page does not speak to the statement. 0.3 unless you or the service say so.
    #[serde(default)]
    unverifiable_threshold: Option<f64>,
    /// How many characters of the words of a source to give. 300 unless you say so.
    #[serde(default)]
    snippet_chars: Option<usize>,
}

/// How sure a verdict is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// At most 50 percent.
    Low,
    /// More than 50 percent.
    #[default]
    Medium,
    /// More than 80 percent.
    High,
}

/// Whether a statement holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum Ruling {
    /// A page supports it, and none contradicts it.
    #[serde(rename = "TRUE")]
    True,
    /// Pages contradict it, and none supports it.
    #[serde(rename = "FALSE")]
    False,
    /// A page supports it and another contradicts it.
    #[serde(rename = "PARTIALLY TRUE")]
    Disputed,
    /// Neither is shown.
    #[serde(rename = "UNVERIFIED")]
    Unverified,
}

/// What was found out.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The statement.
    statement: String,
    /// Whether it holds.
    verdict: Ruling,
    /// How sure that is, 0 to 100. Of UNVERIFIED: how near the nearest page came to supporting it.
    confidence: u8,
    /// The same as a word.
    confidence_level: Level,
    /// Why, in words.
    explanation: String,
    /// The pages, in the order in which they were named or found.
    sources: Vec<Shown>,
    /// The pages that contradict it, by their addresses.
    contradicting_sources: Vec<String>,
    /// The pages that support it, by their addresses.
    supporting_sources: Vec<String>,
    /// Whether there is a verdict, and it is as sure as was asked for.
    meets_required_confidence: bool,
    /// When it was checked.
    timestamp: jiff::Timestamp,
    /// What could not be done, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// A page, and what it says of the statement.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    /// Its title; empty when it has none.
    title: String,
    /// Its address, or what the caller or the index knows it by.
    url: String,
    /// Its words that speak to the statement, verbatim; empty when there are none.
    snippet: String,
    /// Who named it.
    provider: Provider,
    /// What the search was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<String>,
    /// What it says: supported, weak, unverifiable, contradicted, or unchecked when it could not be read.
    standing: Standing,
    /// Calibrated probability that it supports the statement, 0 to 1.
    probability: f64,
    /// Why, in words.
    reason: String,
    /// Where the snippet stands in its text, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    offsets: Option<crate::text::Span>,
}

/// Who named a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// The caller.
    Given,
    /// The search of the service.
    Search,
}

impl Typed for FactCheck {
    type Input = Input;
    type Output = Output;

    fn run(context: &Context, input: Input, call: &Call) -> Result<Output, Failure> {
        let statement = input.statement.trim().to_owned();
        if statement.is_empty() {
            return Err(Failure::arguments("`statement` is empty; give one sentence"));
        }
        context.fits("statement", &statement)?;
        let thresholds = Thresholds { supported: input.support_threshold, weak: input.unverifiable_threshold };
        let settings = thresholds.settings(context.guard())?;
        let mut notes = Vec::new();
        let (provider, pages) = if input.sources.is_empty() {
            let most = input.max_sources.unwrap_or(HITS).clamp(1, MOST_HITS);
            (Provider::Search, found(context, &statement, most, &mut notes))
        } else {
            (Provider::Given, refs(&input.sources)?)
        };
        if input.multi_search {
            notes.push("multiSearch: this service has one search, which is asked either way".to_owned());
        }
        let read = pages::read(context, &pages, &[&statement], call)?;
        let part = Part { passage_chars: Some(input.snippet_chars.unwrap_or(SNIPPET)), ..Part::default() };
        let judged = check_claim::judge(context, &statement, &read, &settings, part, call)?;
        let hosts =
            if provider == Provider::Given { 1 } else { input.min_contradicting.unwrap_or(CONTRADICTING).max(1) };
        let ruled = Ruled::of(&judged, hosts);
        let level = ruled.level();
        let named = |standing| -> Vec<String> {
            judged.iter().filter(|page| page.verdict.standing == standing).map(|page| page.page.clone()).collect()
        };
        Ok(Output {
            verdict: ruled.ruling,
            confidence: ruled.percent.round() as u8,
            confidence_level: level,
            explanation: ruled.explanation(&judged, hosts),
            supporting_sources: named(Standing::Supported),
            contradicting_sources: named(Standing::Contradicted),
            meets_required_confidence: ruled.ruling != Ruling::Unverified
                && level >= input.confidence.unwrap_or_default(),
            timestamp: context.options_offline().now,
            notes,
            sources: if input.check_sources.unwrap_or(true) {
                judged.into_iter().map(|page| shown(page, provider, &statement)).collect()
            } else {
                Vec::new()
            },
            statement,
        })
    }

    fn text(output: &Output) -> String {
        let verdict = serde_json::to_value(output.verdict).unwrap_or_default();
        let verdict = verdict.as_str().unwrap_or_default();
        let mut text = format!("{verdict} ({}%): {}\n", output.confidence, line(&output.explanation));
        let speaks = |standing| matches!(standing, Standing::Supported | Standing::Weak | Standing::Contradicted);
        for source in output.sources.iter().filter(|source| speaks(source.standing)) {
            let standing = source.standing.as_str();
            text.push_str(&format!("- {standing}: {} “{}”\n", line(&source.url), line(&source.snippet)));
        }
        for note in &output.notes {
            text.push_str(&format!("Note: {}\n", line(note)));
        }
        text
    }
}

/// The pages that the search of the service finds. Why it finds none is told, and no verdict on the statement.
fn found(context: &Context, statement: &str, most: usize, notes: &mut Vec<String>) -> Vec<PageRef> {
    let Some(search) = context.search() else {
        notes.push("this service has no search: name `sources`, or start cited with --search COMMAND|URL".to_owned());
        return Vec::new();
    };
    match search.find(statement, most) {
        Ok(hits) => hits.into_iter().map(PageRef::from).collect(),
        Err(why) => {
            notes.push(format!("the search could not be asked: {why}; try again, or name `sources`"));
            Vec::new()
        }
    }
}

fn shown(page: Judged, provider: Provider, statement: &str) -> Shown {
    let Judged { page: url, title, verdict, .. } = page;
    let (snippet, offsets) = verdict.passage.map_or_else(Default::default, |found| (found.text, Some(found.offsets)));
    Shown {
        title: title.map(|title| head(&title, SNIPPET).to_owned()).unwrap_or_default(),
        url,
        snippet,
        provider,
        query: (provider == Provider::Search).then(|| statement.to_owned()),
        standing: verdict.standing,
        probability: verdict.confidence,
        reason: verdict.reason,
        offsets,
    }
}

/// Whether a statement holds, and how sure that is in percent.
#[derive(Debug, PartialEq)]
struct Ruled {
    ruling: Ruling,
    percent: f64,
}

impl Ruled {
    /// What pages come to. Of pages that nobody named, one that says otherwise proves nothing: those of `hosts` hosts have to.
    fn of(pages: &[Judged], hosts: usize) -> Ruled {
        let surest = |wanted: &dyn Fn(Standing) -> bool| {
            let all = pages.iter().map(|page| &page.verdict).filter(|verdict| wanted(verdict.standing));
            all.map(|verdict| verdict.confidence).fold(0.0, f64::max) * 100.0
        };
        let supports = |standing| standing == Standing::Supported;
        let speaks = |standing| standing != Standing::Unchecked;
        let any = |standing| pages.iter().any(|page| page.verdict.standing == standing);
        let against = contradicting_hosts(pages);
        let (ruling, percent) = match (any(Standing::Supported), against > 0) {
            (true, false) => (Ruling::True, surest(&supports)),
            // That pages disagree is as sure as the less sure of the two.
            (true, true) => (
                Ruling::Disputed,
                surest(&supports).min(100.0 - surest(&|standing| standing == Standing::Contradicted)),
            ),
            // What comes near to supporting it makes the opposite less sure.
            (false, true) if against >= hosts => (Ruling::False, 100.0 - surest(&speaks)),
            _ => (Ruling::Unverified, surest(&speaks)),
        };
        Ruled { ruling, percent }
    }

    fn level(&self) -> Level {
        match self.percent {
            percent if percent > HIGH => Level::High,
            percent if percent > MEDIUM => Level::Medium,
            _ => Level::Low,
        }
    }

    /// Why, in words.
    fn explanation(&self, pages: &[Judged], hosts: usize) -> String {
        let count = |standing| pages.iter().filter(|page| page.verdict.standing == standing).count();
        let reason = |standing| {
            let of = pages.iter().map(|page| &page.verdict).find(|verdict| verdict.standing == standing);
            of.map(|verdict| verdict.reason.as_str()).unwrap_or_default()
        };
        let (read, all) = (pages.len() - count(Standing::Unchecked), pages.len());
        let (support, contradict) = (count(Standing::Supported), count(Standing::Contradicted));
        match self.ruling {
            Ruling::True => format!("{support} of {all} pages support it, and none contradicts it"),
            Ruling::False => format!(
                "{contradict} of {all} pages contradict it, and none supports it: {}",
                reason(Standing::Contradicted)
            ),
            Ruling::Disputed => format!(
                "{support} of {all} pages support it, {contradict} contradict it: {}",
                reason(Standing::Contradicted)
            ),
            Ruling::Unverified if all == 0 => "no page was found or named to check it by".to_owned(),
            Ruling::Unverified if read == 0 => {
                format!("none of {all} pages could be read: {}", reason(Standing::Unchecked))
            }
            Ruling::Unverified if contradict > 0 => format!(
                "a page that was found says otherwise ({}); pages of {hosts} hosts have to, for that to prove anything",
                reason(Standing::Contradicted)
            ),
            Ruling::Unverified => format!("none of {read} pages that were read shows it"),
        }
    }
}

/// Of how many hosts there are pages that contradict the statement: what one host says on many pages it says once.
fn contradicting_hosts(pages: &[Judged]) -> usize {
    let against = pages.iter().filter(|page| page.verdict.standing == Standing::Contradicted);
    let host = |page: &Judged| {
        let address = page.final_url.as_ref().unwrap_or(&page.page);
        let url = Url::parse(address).ok();
        url.and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_else(|| address.clone())
    };
    against.map(host).collect::<BTreeSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Verdict;

    #[test]
    fn pages_come_to_a_ruling() {
        use Ruling::{Disputed, False, True, Unverified};
        use Standing::{Contradicted, Supported, Unchecked, Unverifiable, Weak};
        let page = |(url, standing, confidence): &(&str, Standing, f64)| Judged {
            page: (*url).to_owned(),
            outcome: None,
            final_url: None,
            archive: None,
            title: None,
            verdict: Verdict { standing: *standing, confidence: *confidence, ..Verdict::unchecked("") },
        };
        let (a, a2, b) = ("https://a.example/", "https://a.example/2", "https://b.example/");
        let check = |pages: &[(&str, Standing, f64)], hosts: usize, ruling: Ruling, percent: f64| {
            let pages: Vec<Judged> = pages.iter().map(page).collect();
            let found = Ruled::of(&pages, hosts);
            assert_eq!((found.ruling, found.percent.round()), (ruling, percent), "{pages:?}");
            assert!(!found.explanation(&pages, hosts).is_empty());
        };
        check(&[], 2, Unverified, 0.0);
        check(&[(a, Unchecked, 0.0), (b, Unchecked, 0.0)], 2, Unverified, 0.0);
        check(&[(a, Unverifiable, 0.1), (b, Weak, 0.5)], 2, Unverified, 50.0);
        check(&[(a, Weak, 0.5), (b, Supported, 0.9)], 2, True, 90.0);
        // One host that nobody named proves nothing against a statement, however many pages it has.
        check(&[(a, Contradicted, 0.1)], 2, Unverified, 10.0);
        check(&[(a, Contradicted, 0.1), (a2, Contradicted, 0.1)], 2, Unverified, 10.0);
        check(&[(a, Contradicted, 0.1), (b, Contradicted, 0.2)], 2, False, 80.0);
        check(&[(a, Contradicted, 0.1)], 1, False, 90.0);
        check(&[(a, Contradicted, 0.1), (b, Weak, 0.4)], 1, False, 60.0);
        check(&[(a, Contradicted, 0.3), (b, Supported, 0.9)], 2, Disputed, 70.0);
        check(&[(a, Contradicted, 0.1), (b, Supported, 0.65)], 1, Disputed, 65.0);
    }

    #[test]
    fn levels_are_those_of_agentos() {
        let level = |percent| Ruled { ruling: Ruling::True, percent }.level();
        assert_eq!([0.0, 50.0, 50.1, 80.0, 80.1, 100.0].map(level), {
            use Level::{High, Low, Medium};
            [Low, Low, Medium, Medium, High, High]
        });
    }
}
