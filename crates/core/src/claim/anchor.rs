//! Claims without a citation of their own matched to what the research files say.
//!
//! `Lexical` proposes notes and scores them; this module decides. The rules that no score can overrule:
//!
//! - A note that lacks a quantity of the claim does not carry it, however alike the words.
//! - A note without a source carries nothing.
//! - A claim of a kind that needs no source gets one only from a note that says just what it says.
//! - Two notes with different sources that fit equally well by their words leave the claim without an anchor, with a finding: which file
//!   came first is no evidence. Unless both say what the claim says, its quantities or just its words: then two sources agree, and
//!   both are cited.
//! - A claim that no note carries may be made of several findings: each of its parts is matched for itself, alone or with the
//!   part before it, and all sources are cited. A part that no note carries is named.
//! - A claim whose quantities notes have, and that no note carries, may be one of them in other words: that note is named, and its
//!   source is not cited.
//! - A paraphrase shares few words with its note. A note that scores less carries a claim all the same when no note of
//!   another source comes near it. For a plain statement, which would stay without a source, it has to score more and be
//!   further ahead: a source that is only about its subject would be a wrong one.

use super::joints::{between, cuts, has_finite_verb, subject};
use super::lexical::{Candidate, Lexical, THRESHOLD_WITH_QUANTITY, order};
use super::{Claim, ClaimPosition};
use crate::citation::each_once;
use crate::finding::{Code, Finding};
use crate::source::{ResearchNote, SourceId};
use cited_text::Span;
use cited_text::quantity::quantities;
use cited_text::words::words;

/// The score from which a note carries a claim by its words alone.
pub const THRESHOLD: f64 = 0.6;

/// Scores this near are equal.
const EQUAL: f64 = 0.02;

/// A note that does not say just what the claim says carries it only when it is this far ahead of those of other sources
/// that could.
const CLEAR: f64 = 0.1;

/// What a note needs to carry a claim by being ahead of the notes of all other sources: the least score, so much more than that of the next
/// note with another source, whatever that one lacks, and the least that the shared words weigh. Chosen on the A halves of the labelled sets,
/// among notes of other subjects and of the same one, for a precision of .98 in both: see `docs/accuracy.md`.
type Lead = (f64, f64, f64);

/// By words alone.
const LEAD: Lead = (0.4, 0.3, 2.5);
/// With all of several names of the claim.
const LEAD_WITH_NAMES: Lead = (0.3, 0.25, 2.0);
/// With its quantities.
const LEAD_WITH_QUANTITY: Lead = (0.3, 0.25, 1.5);
/// What a plain statement wants more of both.
const MORE_FOR_PLAIN: f64 = 0.08;
/// Fewer words and quantities in common may be chance.
const FEWEST_TO_LEAD: usize = 4;

/// What a claim is anchored to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Anchoring {
    /// The sources, each once, in the order of their notes. None where no note carries the claim, and the one of `note` may.
    pub sources: Vec<SourceId>,
    /// Position of the note that fits best.
    pub note: usize,
    /// How well it fits, 0 to 1.
    pub score: f64,
    /// The parts of the claim that no note carries, in words, when notes carry only others.
    pub lacking: Vec<String>,
}

/// Anchors each of `claims` to the notes that carry it, by words.
///
/// The findings name the claims that fit several notes with different sources equally well.
///
/// ```
/// use cited_core::claim::{self, split};
/// use cited_core::source::{ResearchNote, SourceId};
/// let document = cited_core::markdown::Document::read("Pew reports that 45% of adults use AI tools.\n");
/// let claims = split(&document, &cited_core::citation::Citations::default());
/// let note = ResearchNote {
///     text: "Pew: 45% of adults use AI tools.".into(),
///     sources: vec![SourceId(0)],
///     ..ResearchNote::default()
/// };
/// let (anchors, _) = claim::anchor(&[&claims[0]], &[note]);
/// assert_eq!(anchors[0].as_ref().map(|anchor| anchor.sources.as_slice()), Some(&[SourceId(0)][..]));
/// ```
pub fn anchor(claims: &[&Claim], notes: &[ResearchNote]) -> (Vec<Option<Anchoring>>, Vec<Finding>) {
    let matcher = &Lexical::new(claims, notes);
    let mut findings = Vec::new();
    let anchor = |claim: &&Claim| {
        let whole = decide(claim, matcher, notes);
        let decided = if let Ok(None) = whole { by_parts(claim, matcher, notes) } else { whole };
        let nearest = || Some(Anchoring { note: matcher.nearest(claim)?, ..Anchoring::default() });
        let tell = |(first, second): (usize, usize)| {
            let (file, second) = (&notes[first].file, &notes[second].file);
            let other = if file == second { "another".to_owned() } else { format!("one of {second}") };
            let message = format!("a note of {file} and {other} with different sources fit this claim equally well");
            findings.push(Finding::new(Code::AmbiguousCitation, message).at(claim.span));
        };
        decided.map(|found| found.or_else(nearest)).map_err(tell).unwrap_or_default()
    };
    (claims.iter().map(anchor).collect(), findings)
}

/// What a claim is anchored to, if anything; two notes of different sources between which nothing decides.
type Decided = Result<Option<Anchoring>, (usize, usize)>;

/// Anchors a claim by its parts.
fn by_parts(claim: &Claim, matcher: &Lexical, notes: &[ResearchNote]) -> Decided {
    let matched_as = |text: String| decide(&Claim { text, ..claim.clone() }, matcher, notes);
    let parts = parts(claim);
    // What is said of the first part's subject goes on without it: *a page costs 3 cents and takes 4 seconds*.
    let subject =
        parts.first().and_then(|first| subject(first.slice(&claim.text))).filter(|subject| !subject.is_empty());
    let matched = |span: Span| {
        let part = span.slice(&claim.text).trim();
        match (matched_as(part.to_owned()), subject) {
            (Ok(None), Some(subject)) if span.start > 0 => matched_as(format!("{subject} {part}")),
            (decided, _) => decided,
        }
    };
    let mut found: Vec<(Span, Option<Anchoring>)> = Vec::new();
    for part in parts {
        // *of which 13 billion are active* goes with what stands before it, where one note has both.
        if let Some((last, Some(_))) = found.last()
            && let covered = last.cover(part)
            && let Ok(Some(both)) = matched(covered)
        {
            found.pop();
            found.push((covered, Some(both)));
            continue;
        }
        found.push((part, matched(part)?));
    }
    let carried = found.iter().filter_map(|(_, anchoring)| anchoring.as_ref());
    let Some(best) = carried.max_by(|a, b| a.score.total_cmp(&b.score)) else { return Ok(None) };
    let mut all = Anchoring { sources: Vec::new(), lacking: Vec::new(), ..best.clone() };
    for (part, anchoring) in &found {
        match anchoring {
            Some(anchoring) => all.sources.extend(&anchoring.sources),
            None => all.lacking.push(part.slice(&claim.text).trim_matches(|c: char| !c.is_alphanumeric()).to_owned()),
        }
    }
    all.sources = each_once(all.sources);
    Ok(Some(all))
}

fn decide(claim: &Claim, matcher: &Lexical, notes: &[ResearchNote]) -> Decided {
    let mut all = matcher.candidates(claim);
    all.retain(|candidate| !notes[candidate.note].sources.is_empty());
    let mut candidates: Vec<Candidate> = all.iter().copied().filter(|candidate| fits(claim, candidate)).collect();
    candidates.sort_by_key(|candidate| candidate.note);
    let Some(best) = candidates.iter().copied().max_by(order) else { return Ok(ahead(claim, &all, notes)) };
    let sources = |candidate: &Candidate| notes[candidate.note].sources.as_slice();
    // What says the claim is no rival of what says it, too: it has a number for each of the claim's, or just its words.
    let says = |candidate: &Candidate| candidate.same || candidate.carried > 0 && candidate.paired >= candidate.carried;
    let agreeing = candidates.iter().copied().filter(|c| says(c) && c.score > best.score - CLEAR);
    let agreeing: Vec<Candidate> = agreeing.collect();
    if says(&best) && agreeing.iter().any(|candidate| !equal_sets(sources(candidate), sources(&best))) {
        candidates = agreeing;
    } else {
        candidates.retain(|candidate| candidate.score >= best.score - EQUAL);
        if let Some(other) = candidates.iter().find(|candidate| !equal_sets(sources(candidate), sources(&best))) {
            return Err((best.note, other.note));
        }
        if !best.same
            && let Some(rival) = rival(&all, &best, notes, 0)
            && rival.score > best.score - CLEAR
        {
            return Err((best.note, rival.note));
        }
    }
    let sources = each_once(candidates.iter().flat_map(sources).copied());
    Ok(Some(Anchoring { sources, note: best.note, score: best.score, lacking: Vec::new() }))
}

/// Whether a note carries a claim by itself, whatever other notes say.
fn fits(claim: &Claim, candidate: &Candidate) -> bool {
    let threshold = if candidate.carried > 0 { THRESHOLD_WITH_QUANTITY } else { THRESHOLD };
    candidate.lacking == 0
        && candidate.score >= threshold
        // What needs no source gets one only from a note that says just that.
        && (claim.kind.is_factual() || candidate.same)
}

/// The note that carries a claim because none of another source comes near it.
fn ahead(claim: &Claim, all: &[Candidate], notes: &[ResearchNote]) -> Option<Anchoring> {
    let may = all.iter().filter(|candidate| candidate.lacking == 0 && claim.kind.is_factual());
    let best = may.max_by(|a, b| order(a, b))?;
    let next = rival(all, best, notes, usize::MAX).map_or(0.0, |other| other.score);
    let more = if claim.kind.must_have_source() { 0.0 } else { MORE_FOR_PLAIN };
    let leads = |(score, ahead, weight): Lead| {
        best.score >= score + more && best.weight >= weight && best.score - next >= ahead + more
    };
    let enough = leads(LEAD) || best.named && leads(LEAD_WITH_NAMES) || best.carried > 0 && leads(LEAD_WITH_QUANTITY);
    let sources = notes[best.note].sources.clone();
    let found = Anchoring { sources, note: best.note, score: best.score, lacking: Vec::new() };
    (enough && best.shared >= FEWEST_TO_LEAD).then_some(found)
}

/// The best note with other sources than `best` has, and that lacks no more quantities.
fn rival<'a>(all: &'a [Candidate], best: &Candidate, notes: &[ResearchNote], lacks: usize) -> Option<&'a Candidate> {
    let differs = |other: &&Candidate| !equal_sets(&notes[other.note].sources, &notes[best.note].sources);
    all.iter().filter(differs).filter(|other| other.lacking <= lacks).max_by(|a, b| order(a, b))
}

fn equal_sets(a: &[SourceId], b: &[SourceId]) -> bool {
    a.iter().all(|source| b.contains(source)) && b.iter().all(|source| a.contains(source))
}

/// A sentence of more parts is a list of numbers, and is matched whole.
const MOST: usize = 8;

/// The parts of a claim, in order; none for one that has a single part. Each ends before the words that lead to the next number; where
/// fewer than two things are measured, each is a clause with a verb or a number.
fn parts(claim: &Claim) -> Vec<Span> {
    if !matches!(claim.position, ClaimPosition::Sentence | ClaimPosition::Item) {
        return Vec::new();
    }
    let text = claim.text.as_str();
    let found = quantities(text).into_iter().filter(|quantity| quantity.is_measured() && !quantity.is_temporal());
    let mut measured: Vec<Span> = found.map(|quantity| quantity.span).collect();
    measured.sort_unstable();
    let cuts = cuts(text);
    let mut ends = Vec::new();
    if measured.len() < 2 {
        let mut start = 0;
        for behind in between(text, &cuts).skip(1) {
            if states(&text[start..behind.start]) && states(behind.slice(text)) {
                ends.push(behind.start);
                start = behind.start;
            }
        }
    }
    // What belongs to one number ends, and what leads to the next begins, at the last cut that has a word of its own behind it, else at the
    // first, else before the last word when that is a small one (*from 5 in A to 7 in B*).
    ends.extend(measured.windows(2).filter_map(|pair| {
        let (from, to) = (pair[0].end, pair[1].start);
        let mut inside = cuts.iter().copied().filter(|cut| (from..=to).contains(cut));
        let first = inside.clone().next();
        let last = inside.rfind(|cut| words(&text[*cut..to]).any(|word| !word.stop));
        last.or(first).or_else(|| {
            let word = words(text.get(from..to)?).last().filter(|word| word.stop);
            word.map(|word| from + word.span.start)
        })
    }));
    if ends.is_empty() || ends.len() >= MOST { Vec::new() } else { between(text, &ends).collect() }
}

/// Whether a part of a sentence may be one that a note has: it has a verb or a number, if only a year.
fn states(part: &str) -> bool {
    has_finite_verb(part) || !quantities(part).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::citation::Citations;
    use crate::markdown::Document;

    #[track_caller]
    fn check(sentence: &str, expected: &[&str]) {
        let document = Document::read(format!("{sentence}\n"));
        let claims = crate::claim::split(&document, &Citations::default());
        let found: Vec<&str> = parts(&claims[0]).iter().map(|span| span.slice(&claims[0].text).trim()).collect();
        assert_eq!(found, expected, "of {sentence:?}");
    }

    #[test]
    fn what_leads_to_a_number_goes_with_it() {
        check("Oslo has 42% and Bergen has 58%.", &["Oslo has 42%", "and Bergen has 58%."]);
        check(
            "The first mill opened in 2016, and in 2023 the council paid 18,000 pounds.",
            &["The first mill opened in 2016,", "and in 2023 the council paid 18,000 pounds."],
        );
        check("Counts grew from 600 in Oslo to 900 in Bergen.", &["Counts grew from 600 in Oslo", "to 900 in Bergen."]);
        check(
            "Oslo has 12 mills, of which 5 work, while Bergen has 7.",
            &["Oslo has 12 mills,", "of which 5 work,", "while Bergen has 7."],
        );
        check("The mill has closed, and the bakery has moved.", &["The mill has closed,", "and the bakery has moved."]);
        check("Oslo has 12 mills and ships.", &[]);
    }
}
