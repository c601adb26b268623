//! Whether a text stands on its sources: how it is cut into claims, what several sources together say of one, and when it is
//! grounded.

use std::sync::{Arc, LazyLock};

use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cli::args::GuardFlags;
use crate::pipeline::{Options, judge_prepared};
use crate::setup::read_page::ReadPage;
use cited_core::citation::Citations;
use cited_core::claim;
use cited_core::markdown::Document;
use cited_core::verdict::{Check, CheckKind, CheckResult, Standing, Verdict};
use cited_judge::SourceText;
use cited_judge::evidence::search::{Term, terms};
use cited_text::lexicon::table;
use cited_text::quantity::quantities;

/// What a splitter of another system leaves out.
const SKIPPED: &str = include_str!("data/agentos.tsv");
static SKIPPED_BEGINNINGS: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(SKIPPED, "begins").collect());
/// Words that excerpts leave unsaid.
const UNSAID: &str = include_str!("data/unsaid.tsv");
static ARTICLES: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(UNSAID, "article").collect());
static PEOPLE: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(UNSAID, "people").collect());

/// A fenced block of code.
static CODE: LazyLock<Regex> = LazyLock::new(|| Regex::new("(?s)```.*?```").expect("a fixed pattern"));
/// Where a sentence may end.
static STOP: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[.!?]\s+").expect("a fixed pattern"));

/// The splitter of `AgentOS` keeps sentences that are longer than this, in UTF-16 units.
const SHORTEST: usize = 15;

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
pub fn claims(text: &str, splitting: Splitting) -> Vec<String> {
    match splitting {
        Splitting::Cited => {
            let all = claim::split(&Document::read(Arc::from(text)), &Citations::default()).into_iter();
            let factual = all.filter(|claim| claim.kind.is_factual());
            factual.map(|claim| claim.text_in_context().into_owned()).collect()
        }
        Splitting::AgentOs => {
            let text = CODE.replace_all(text, "");
            let sentences = sentences_at_stops(&text).into_iter().map(str::trim);
            let kept = sentences.filter(|sentence| {
                sentence.encode_utf16().count() > SHORTEST
                    && !sentence.ends_with('?')
                    && !SKIPPED_BEGINNINGS.iter().any(|beginning| sentence.starts_with(beginning))
            });
            kept.map(str::to_owned).collect()
        }
    }
}

/// The pieces between white space that follows `.`, `!` or `?`.
fn sentences_at_stops(text: &str) -> Vec<&str> {
    let mut start = 0;
    let stops = STOP.find_iter(text).map(|stop| (stop.start() + 1, stop.end())).chain([(text.len(), text.len())]);
    stops.map(|(end, next)| &text[std::mem::replace(&mut start, next)..end]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cited_core::page::Page;

    fn check(splitting: Splitting, text: &str, expected: &[&str]) {
        assert_eq!(claims(text, splitting), expected, "{text:?}");
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
