//! `verify_citations`: every claim of a text by the sources given, in the shape that agents of `AgentOS` know: how a text is cut into claims,
//! what several sources together say of one, and when a text is grounded.

use std::sync::{Arc, LazyLock};

use cited_core::address::is_web;
use cited_core::pattern::Pattern;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::args::{PageRef, find_pages, read_pages};
use super::tool::{Answer, Call, Context, line};
use crate::cli::args::GuardFlags;
use crate::pipeline::{Options, judge_prepared};
use crate::serve::problem::{Problem, Result};
use crate::setup::read_page::ReadPage;
use cited_core::citation::Citations;
use cited_core::claim;
use cited_core::markdown::Document;
use cited_core::verdict::{Check, CheckKind, CheckResult, Standing, Verdict};
use cited_judge::evidence::search::{Term, terms};
use cited_judge::{SourceText, conflict};
use cited_report::wording::head;
use cited_text::lexicon::table;
use cited_text::quantity::quantities;

/// Addresses that are read for a claim that no source shows.
const FALLBACK_PAGES: usize = 3;
/// The part of claims that may be unverifiable before a text is flagged, unless the caller says so.
const MOST_UNVERIFIABLE: f64 = 0.5;
/// Claims in one call.
const MOST_CLAIMS: usize = 5000;
/// Characters of a source's words that are given.
const SNIPPET: usize = 200;

/// What a splitter of another system leaves out.
const SKIPPED: &str = include_str!("data/agentos.tsv");
static SKIPPED_BEGINNINGS: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(SKIPPED, "begins").collect());
/// Words that excerpts leave unsaid.
const UNSAID: &str = include_str!("data/unsaid.tsv");
static ARTICLES: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(UNSAID, "article").collect());
static PEOPLE: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(UNSAID, "people").collect());

/// A fenced block of code.
static CODE: Pattern = Pattern::new("(?s)```.*?```");
/// Where a sentence may end.
static STOP: Pattern = Pattern::new(r"[.!?]\s+");

/// The splitter of `AgentOS` keeps sentences that are longer than this, in UTF-16 units.
const SHORTEST: usize = 15;

/// Holds every claim of a text against the sources given and says of each: supported, weak, unverifiable or contradicted, with the words of
/// the source. Give `text` or a list of `claims`, and `sources` with their `content` (or only a `url`, which is then read). Without sources
/// nothing is grounded. `webFallback` looks up claims that no source shows by the search of this service.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Input {
    /// The text to check. Give this or `claims`.
    text: Option<String>,
    /// Claims to check as they are, one sentence each.
    claims: Option<Vec<String>>,
    /// The sources.
    sources: Vec<PageRef>,
    /// Whether claims that no source shows are searched for.
    web_fallback: bool,
    /// From this probability on a claim is supported. 0.6 unless you or the service say so.
    support_threshold: Option<f64>,
    /// Below this probability a claim is unverifiable. 0.3 unless you or the service say so.
    unverifiable_threshold: Option<f64>,
    /// How the text is cut into claims.
    compat: Splitting,
    /// The part of claims that may be unverifiable before `guard.action` is more than `pass`. 0.5 unless you say so.
    max_unverifiable_ratio: Option<f64>,
    /// What `guard.action` is when a claim is contradicted: `flag` unless you say so.
    contradiction_action: Option<Action>,
    /// What `guard.action` is when too many claims are unverifiable: `flag` unless you say so.
    unverifiable_action: Option<Action>,
}

/// What happens to a text that falls short.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Nothing: it does not fall short.
    Pass,
    /// It is shown with a warning.
    #[default]
    Flag,
    /// It is not shown.
    Block,
}

/// What became of each claim.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The claims, in the order of the text.
    claims: Vec<ClaimVerdict>,
    /// How many there are.
    total_claims: usize,
    /// How many a source supports.
    supported_count: usize,
    /// How many a source half supports.
    weak_count: usize,
    /// How many a source contradicts.
    contradicted_count: usize,
    /// How many no source shows.
    unverifiable_count: usize,
    /// The part of claims that a source supports; 0 when there is no claim.
    supported_ratio: f64,
    /// Whether a source supports a claim, and the guard has no reason to be more than `pass`.
    overall_grounded: bool,
    /// `1/2 claims verified (50%)`.
    summary: String,
    /// What a guard does with the text.
    guard: Guard,
    /// What could not be done, in words.
    notes: Vec<String>,
}

/// What became of one claim.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClaimVerdict {
    /// Its words.
    text: String,
    /// What the sources say.
    verdict: Standing,
    /// Calibrated probability that the source supports it, 0 to 1.
    confidence: f64,
    /// The source that decides; none when there is none that speaks to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Cited>,
    /// Whether a page that was searched for supports it.
    web_verified: bool,
    /// Why, in words.
    reason: String,
    /// Sources that contradict it while another one supports it, by their places.
    contradicted_by: Vec<usize>,
}

/// The source that decides.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cited {
    /// Its words that speak to the claim, verbatim, at most 200 characters.
    snippet: String,
    /// Its place among the sources, from 0; of a page that was searched for, behind all of them.
    index: usize,
    /// Its address.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

/// What a guard does with a text.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Guard {
    /// Pass, flag or block.
    action: Action,
    /// `GROUNDING_CONTRADICTION` or `GROUNDING_UNVERIFIABLE`.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// The part of claims that no source shows; 0 when there is no claim.
    unverifiable_ratio: f64,
}

pub fn run(context: &Context, input: &Input, call: &Call) -> Result<Answer> {
    let parts = [input.support_threshold, input.unverifiable_threshold, input.max_unverifiable_ratio];
    if parts.into_iter().flatten().any(|part| !(0.0..=1.0).contains(&part)) {
        return Err(Problem::arguments("thresholds and `maxUnverifiableRatio` are parts, from 0 to 1"));
    }
    let GuardFlags { support_threshold, unverifiable_threshold } = context.settings.guard;
    let guard = GuardFlags {
        support_threshold: input.support_threshold.unwrap_or(support_threshold),
        unverifiable_threshold: input.unverifiable_threshold.unwrap_or(unverifiable_threshold),
    };
    Context::fits("text", input.text.as_deref().unwrap_or_default())?;
    let stated = |claim: &String| Some(claim.trim().to_owned()).filter(|claim| !claim.is_empty());
    let claims: Vec<String> = match (&input.text, &input.claims) {
        (Some(text), None) => cut_into_claims(text, input.compat),
        (None, Some(claims)) => claims.iter().filter_map(stated).collect(),
        _ => return Err(Problem::arguments("give either `text` or `claims`")),
    };
    let sources = read_pages(context, &input.sources, &[], call)?;
    Context::limit_length("claims", claims.len(), MOST_CLAIMS)?;
    let mut notes: Vec<String> = sources
        .iter()
        .filter(|source| source.page.text.is_empty())
        .map(|source| format!("{}: {}; it speaks neither for nor against a claim", source.name, source.reason))
        .collect();
    let prepared: Vec<SourceText<'_>> = sources.iter().map(|source| SourceText::of_page(&source.page)).collect();
    let (options, none) = (&context.judging.options, Verdict::unchecked("there is no source to hold it against"));
    let mut told = Vec::with_capacity(claims.len());
    for claim in &claims {
        call.alive()?;
        let judged = sources.iter().zip(&prepared).map(|(read, source)| guard.judge(claim, read, source, options));
        let mut verdicts: Vec<Verdict> = judged.collect();
        conflict::hold_against_each_other(claim, &mut verdicts);
        let (best, contradicting) = decisive(&verdicts.iter().collect::<Vec<_>>());
        let (index, verdict) = best.map_or((0, &none), |best| (best, &verdicts[best]));
        let mut one = ClaimVerdict::new(claim, verdict, (index, sources.get(index)));
        if one.verdict == Standing::Supported {
            one.contradicted_by = contradicting;
        }
        if input.web_fallback && one.verdict == Standing::Unverifiable {
            let found = find_pages(context, claim, FALLBACK_PAGES).unwrap_or_else(|why| {
                notes.push(format!("webFallback: {}", why.message));
                Vec::new()
            });
            // What pages say that nobody named goes through the same checks, and may only help a claim: that some page of the web says otherwise
            // proves nothing.
            for (i, page) in read_pages(context, &found, &[claim], call)?.iter().enumerate() {
                let verdict = guard.judge(claim, page, &SourceText::of_page(&page.page), options);
                if verdict.standing == Standing::Supported {
                    let found = ClaimVerdict::new(claim, &verdict, (sources.len() + i, Some(page)));
                    one = ClaimVerdict { web_verified: true, ..found };
                    break;
                }
            }
        }
        call.step(format!("{:?}: {}", one.verdict, head(claim, 80)));
        told.push(one);
    }
    notes.dedup();
    let output = aggregate(told, input, notes);
    let mut text = format!("{}\n", output.summary);
    for claim in output.claims.iter().filter(|claim| claim.verdict != Standing::Supported) {
        text.push_str(&format!("- {:?}: {} ({})\n", claim.verdict, line(&claim.text), line(&claim.reason)));
    }
    if !output.overall_grounded {
        text.push_str("The text as a whole is not grounded.\n");
    }
    for note in &output.notes {
        text.push_str(&format!("Note: {}\n", line(note)));
    }
    Answer::new(&text, &output)
}

impl ClaimVerdict {
    /// What is told of a claim: what could not be looked at shows nothing. The source is the one that decides.
    fn new(text: &str, ruled: &Verdict, (index, read): (usize, Option<&ReadPage>)) -> ClaimVerdict {
        let source = ruled.passage.as_ref().map(|passage| {
            let url = read.map(|read| &read.name).filter(|name| is_web(name)).cloned();
            Cited { snippet: head(&passage.text, SNIPPET).to_owned(), index, url }
        });
        let (text, confidence, reason) = (text.to_owned(), ruled.confidence, ruled.reason.clone());
        let is_unread = ruled.standing == Standing::Unchecked;
        let verdict = if is_unread { Standing::Unverifiable } else { ruled.standing };
        ClaimVerdict { text, verdict, confidence, web_verified: false, reason, contradicted_by: Vec::new(), source }
    }
}

fn aggregate(claims: Vec<ClaimVerdict>, input: &Input, notes: Vec<String>) -> Output {
    let count = |word: Standing| claims.iter().filter(|claim| claim.verdict == word).count();
    let part = |count: usize| if claims.is_empty() { 0.0 } else { count as f64 / claims.len() as f64 };
    let (supported, contradicted) = (count(Standing::Supported), count(Standing::Contradicted));
    let unverifiable_ratio = part(count(Standing::Unverifiable));
    // Without sources nothing is grounded, whatever part of claims may be.
    let most = if input.sources.is_empty() { 0.0 } else { input.max_unverifiable_ratio.unwrap_or(MOST_UNVERIFIABLE) };
    let disputed = contradicted > 0 || claims.iter().any(|claim| !claim.contradicted_by.is_empty());
    let (action, reason) = if disputed {
        (input.contradiction_action.unwrap_or_default(), Some("GROUNDING_CONTRADICTION"))
    } else if unverifiable_ratio > most {
        (input.unverifiable_action.unwrap_or_default(), Some("GROUNDING_UNVERIFIABLE"))
    } else {
        (Action::Pass, None)
    };
    Output {
        total_claims: claims.len(),
        supported_count: supported,
        weak_count: count(Standing::Weak),
        contradicted_count: contradicted,
        unverifiable_count: count(Standing::Unverifiable),
        supported_ratio: part(supported),
        overall_grounded: supported > 0 && reason.is_none(),
        summary: format!("{supported}/{} claims verified ({:.0}%)", claims.len(), part(supported) * 100.0),
        guard: Guard { action, reason, unverifiable_ratio },
        notes,
        claims,
    }
}

impl GuardFlags {
    /// What a page says about a claim, by these thresholds. The judge's own say how sure it is; what it is sure of is then called
    /// what the caller calls it, so that verdict and confidence never disagree.
    pub fn judge(&self, claim: &str, read: &ReadPage, source: &SourceText<'_>, options: &Options) -> Verdict {
        if read.page.text.is_empty() {
            return Verdict::unchecked(read.reason.as_str());
        }
        let mut verdict = judge_prepared(claim, source, options);
        let has_value = |check: &Check| check.kind == CheckKind::Quantity && check.result == CheckResult::Agrees;
        let is_open = verdict.standing == Standing::Weak && verdict.check.is_none() && read.fetched.is_none();
        let passage = verdict.passage.as_ref().filter(|_| is_open && verdict.checks.iter().any(has_value));
        let is_supported = |rest: &str| judge_prepared(rest, source, options).standing == Standing::Supported;
        if let Some(word) = passage.and_then(|passage| only_unsaid(claim, &passage.text, is_supported)) {
            verdict.confidence = cited_judge::Settings::default().supported;
            verdict.reason = format!("the source has the number, of the same thing; it does not say “{word}”");
        }
        if !matches!(verdict.standing, Standing::Contradicted | Standing::Unchecked) {
            verdict.standing = match verdict.confidence {
                sure if sure >= self.support_threshold => Standing::Supported,
                sure if sure >= self.unverifiable_threshold => Standing::Weak,
                _ => Standing::Unverifiable,
            };
        }
        verdict
    }
}

/// The word of a claim that a source leaves unsaid, where the judge finds all else in it: the claim without that word is supported. Texts that
/// a caller gives are excerpts, and say no more than they must. It is what a population is counted in, *14 million people*, or what its
/// article says is known, *the Sun*, where the passage names nothing that the claim does not. *Jupiter*, a name, is never left unsaid.
fn only_unsaid<'c>(claim: &'c str, passage: &str, is_supported: impl Fn(&str) -> bool) -> Option<&'c str> {
    let mine = terms(claim);
    let is_named = |other: &Term| !other.name || mine.iter().any(|own| own.key == other.key);
    let names_no_other = terms(passage).iter().all(is_named);
    let numbers = quantities(claim);
    let without = |term: &Term| {
        let (word, before) = (term.span.slice(claim), term.span.before(claim).trim_end());
        let known = ARTICLES.iter().find_map(|article| before.strip_suffix(article)?.strip_suffix(' '));
        let counts = numbers.iter().any(|number| number.counted == Some(term.span));
        match known.filter(|_| term.name && names_no_other) {
            None if counts && PEOPLE.contains(&word) => Some(before),
            known => known,
        }
    };
    let unsaid = |term: &&Term| {
        without(term).is_some_and(|before| is_supported(&format!("{}{}", before.trim_end(), term.span.after(claim))))
    };
    mine.iter().find(unsaid).map(|term| term.span.slice(claim))
}

/// What sources say, the weightiest last.
const RANKED: [Standing; 5] =
    [Standing::Unchecked, Standing::Unverifiable, Standing::Weak, Standing::Contradicted, Standing::Supported];

/// What the verdicts of several sources on one claim come to: the one that stands for all, which is of those that support the claim the
/// surest, where none does, one that contradicts it, then the one that comes nearest; and those that contradict it.
pub fn decisive(verdicts: &[&Verdict]) -> (Option<usize>, Vec<usize>) {
    let rank = |verdict: &Verdict| RANKED.iter().position(|standing| *standing == verdict.standing);
    let order = |a: &Verdict, b: &Verdict| rank(a).cmp(&rank(b)).then(a.confidence.total_cmp(&b.confidence));
    // Of equals the first: the order in which sources are given is the caller's.
    let best = verdicts.iter().enumerate().rev().max_by(|(_, a), (_, b)| order(a, b));
    let contradicts = |(i, verdict): (usize, &&Verdict)| (verdict.standing == Standing::Contradicted).then_some(i);
    (best.map(|(i, _)| i), verdicts.iter().enumerate().filter_map(contradicts).collect())
}

/// How a text is cut into claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Splitting {
    /// As cited reads a draft: sentences, list items, cells, those that state a fact.
    #[default]
    Cited,
    /// As the citation verifier of `AgentOS` does it: text without code blocks, cut at white space behind `.`, `!` and `?`.
    AgentOs,
}

/// The claims of a text.
fn cut_into_claims(text: &str, splitting: Splitting) -> Vec<String> {
    match splitting {
        Splitting::Cited => {
            let all = claim::split(&Document::read(Arc::from(text)), &Citations::default()).into_iter();
            let factual = all.filter(|claim| claim.kind.is_factual());
            factual.map(|claim| claim.text_in_context().into_owned()).collect()
        }
        Splitting::AgentOs => {
            let text = CODE.replace_all(text, "");
            let mut start = 0;
            let stops = STOP.find_iter(&text).map(|stop| (stop.start() + 1, stop.end()));
            let stops = stops.chain([(text.len(), text.len())]);
            let sentences = stops.map(|(end, next)| text[std::mem::replace(&mut start, next)..end].trim());
            let kept = sentences.filter(|sentence| {
                sentence.encode_utf16().count() > SHORTEST
                    && !sentence.ends_with('?')
                    && !SKIPPED_BEGINNINGS.iter().any(|beginning| sentence.starts_with(beginning))
            });
            kept.map(str::to_owned).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cited_core::page::Page;

    fn check(splitting: Splitting, text: &str, expected: &[&str]) {
        assert_eq!(cut_into_claims(text, splitting), expected, "{text:?}");
    }

    #[test]
    fn texts_are_cut_as_they_are_elsewhere() {
        let agentos = Splitting::AgentOs;
        check(
            agentos,
            "Tokyo has 14 million people. It was founded in 1457.",
            &["Tokyo has 14 million people.", "It was founded in 1457."],
        );
        check(agentos, "Too short. I think it is a fine city. Is this a question? Let me know what you think.", &[]);
        check(
            agentos,
            "A sentence before it. ```\nA sentence in code. Another one there.\n``` And one behind it.",
            &["A sentence before it.", "And one behind it."],
        );
        check(
            agentos,
            "Version 4.5 was out in e.g. March of the year.",
            &["Version 4.5 was out in e.g.", "March of the year."],
        );
        check(agentos, "", &[]);
        check(
            Splitting::Cited,
            "Version 4.5 was out in March 2020. Is it good?",
            &["Version 4.5 was out in March 2020."],
        );
    }

    #[test]
    fn excerpts_leave_a_word_unsaid() {
        let check = |claim: &str, passage: &str, word: Option<&str>| {
            let page = Page::of_text(passage.to_owned(), "text/plain");
            let source = SourceText::of_page(&page);
            let is_supported =
                |rest: &str| judge_prepared(rest, &source, &Options::default()).standing == Standing::Supported;
            assert_eq!(only_unsaid(claim, passage, is_supported), word, "{claim} / {passage}");
        };
        let earth = "Earth's orbital distance averages 149.6 million km.";
        check("The Earth orbits the Sun at ~150 million km.", earth, Some("Sun"));
        check("The Earth orbits Jupiter at ~150 million km.", earth, None);
        check("The Earth orbits the Sun at ~160 million km.", earth, None);
        check("Mars orbits the Sun at ~150 million km.", earth, None);
        check("The Moon orbits the Sun at 5 km.", "Mars orbits at 5 km.", None);
        check("The Earth orbits the Sun at 5 km.", "The Earth orbits Mars at 5 km.", None);
        let tokyo = "Tokyo proper has a population of about 14 million.";
        check("Tokyo has 14 million people.", tokyo, Some("people"));
        check("Tokyo has 14 million cats.", tokyo, None);
        check("Osaka has 14 million people.", tokyo, None);
        check("The harbour handles 900 ships a year.", "The harbour handles 900 ferries a year.", None);
        check("Net revenue of the group rose 18%.", "Net costs of the group rose 18%.", None);
    }

    #[test]
    fn one_source_stands_for_all() {
        let verdict = |standing, confidence| Verdict { standing, confidence, ..Verdict::unchecked("") };
        let check = |all: &[(Standing, f64)], best: Option<usize>, contradicting: &[usize]| {
            let verdicts: Vec<Verdict> =
                all.iter().map(|(standing, confidence)| verdict(*standing, *confidence)).collect();
            let found = decisive(&verdicts.iter().collect::<Vec<_>>());
            assert_eq!(found, (best, contradicting.to_vec()), "{all:?}");
        };
        check(&[], None, &[]);
        check(&[(Standing::Weak, 0.5), (Standing::Supported, 0.6), (Standing::Supported, 0.9)], Some(2), &[]);
        check(&[(Standing::Weak, 0.5), (Standing::Contradicted, 0.1)], Some(1), &[1]);
        check(&[(Standing::Contradicted, 0.1), (Standing::Supported, 0.7)], Some(1), &[0]);
        check(&[(Standing::Unchecked, 0.0), (Standing::Unverifiable, 0.0)], Some(1), &[]);
    }
}
