//! Cited prose from a record alone: what is verified with its sources, what conflicts with both sides, what is missing as
//! a gap. Nothing is asked and nothing is added: every word is a claim, a passage or a title of the record.
//!
//! The shape of the record is that of structured claim-source mapping: `verifications` with `claim_id`, `claim_text`, `verified`,
//! `confidence`, `sources_reconciled` and `notes`. Whatever else a record of cited holds is used when it is there.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use serde_json::Value;

use super::brief::{Listed, source_lines};
use super::record::{ConflictingClaims, ReconciledSource, SourceRecord, Verification};
use super::wording::head;
use cited_core::address::identity::{Key, key_of};
use cited_core::check::structure::structure;
use cited_core::citation::heading::OwnSection;
use cited_core::citation::{self, KnownLabels};
use cited_core::decide::CitationForm;
use cited_core::finding::Code;
use cited_core::markdown::Document;
use cited_core::outcome::Outcome;
use cited_core::shape;
use cited_core::verdict::Standing;
use cited_text::marks::is_closing_mark;
use cited_text::quantity::{agree, quantities};
use cited_text::{Span, escape, script};

/// The version of the shape.
pub const SCHEMA: &str = "cited/mapping/1";

/// Characters of a passage that are quoted where sources disagree.
const LONGEST_PASSAGE: usize = 300;

/// A verified claim whose confidence is less is told with it.
const SURE: f64 = 0.6;

/// One whose confidence is less than this is told as a gap.
const TOLD: f64 = 0.3;

/// Claims with the words of sources that support them.
#[derive(Debug, Clone, PartialEq, Deserialize, schemars::JsonSchema)]
pub struct Mapping {
    /// `cited/mapping/1`; may be left out. A record of cited says `cited/record/1`.
    #[schemars(extend("enum" = [SCHEMA, super::record::SCHEMA]))]
    pub schema: Option<String>,
    /// One entry a claim, in the order of the text.
    pub verifications: Vec<Verification>,
    /// What is known of the sources beyond their addresses.
    #[serde(default)]
    pub sources: Vec<SourceRecord>,
    /// Claims whose sources do not say the same, in pairs.
    #[serde(default)]
    pub conflicts: Vec<ConflictingClaims>,
}

/// Reads a record.
///
/// # Errors
/// When `text` is no JSON of this shape; says why and where.
pub fn read(text: &str) -> Result<Mapping, String> {
    let mut record: Value = shape::read_text(text)?;
    drop_unread(&mut record);
    // Who gives a source without a verdict gives it as support. In the record of a run that would be a pass without proof.
    let claims = record.get_mut("verifications").and_then(Value::as_array_mut).into_iter().flatten();
    let sources = claims.filter_map(|claim| claim.get_mut("sources_reconciled")?.as_array_mut()).flatten();
    for source in sources.filter_map(Value::as_object_mut) {
        source.entry("verdict").or_insert_with(|| Standing::Supported.as_str().into());
    }
    shape::read_text(&record.to_string())
}

/// Programs write `null` for what they do not know: it is as good as left out. So is what reports tell and prose does not: another
/// program may mean something else by such a name, and a later version has more words.
fn drop_unread(value: &mut Value) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(drop_unread),
        Value::Object(members) => {
            members.retain(|name, member| match name.as_str() {
                "line" | "hangs" | "review" | "checks" | "results" | "derivation" | "check" | "around"
                | "fetched_at" | "rating" | "number" | "key" | "origins" | "retracted" | "work" | "rule"
                | "final_url" | "others" | "hops" | "signs" | "kept" => false,
                _ => !member.is_null(),
            });
            members.values_mut().for_each(drop_unread);
        }
        _ => {}
    }
}

/// Everything that keeps a record from being written as prose: what is missing and what contradicts itself. Empty for a
/// sound record.
pub fn faults(mapping: &Mapping) -> Vec<String> {
    let mut faults = Vec::new();
    if let Some(schema) = mapping.schema.as_deref().filter(|schema| ![SCHEMA, super::record::SCHEMA].contains(schema)) {
        faults.push(format!("its schema is `{schema}`, which is not known here"));
    }
    if mapping.verifications.is_empty() {
        faults.push("it holds no claim".to_owned());
    }
    let listed: HashSet<_> = mapping.sources.iter().flat_map(SourceRecord::addresses).map(|at| key_of(at)).collect();
    let mut ids = HashSet::new();
    for (i, claim) in mapping.verifications.iter().enumerate() {
        let (unnamed, known) = (claim.claim_id.trim().is_empty(), !ids.insert(&claim.claim_id));
        let name = if unnamed { format!("claim {}", i + 1) } else { claim.claim_id.clone() };
        let mut fault = |what: &str| faults.push(format!("{name}: {what}"));
        let (verified, supported) =
            (claim.verified, claim.sources_reconciled.iter().any(|source| source.verdict == Standing::Supported));
        let is_share = |confidence| (0.0..=1.0).contains(&confidence);
        for (is, what) in [
            (unnamed, "it has no claim_id"),
            (known && !unnamed, "another claim has the same claim_id"),
            (claim.claim_text.trim().is_empty(), "it has no claim_text"),
            (!claim.confidence.is_none_or(is_share), "its confidence is not between 0 and 1"),
            (verified && claim.confidence.is_none(), "it is verified, and has no confidence"),
            (verified && claim.action.removes(), "it is verified, and it was removed"),
            (verified && !supported, "it is verified, and no source supports it"),
        ] {
            is.then(|| fault(what));
        }
        for (s, source) in claim.sources_reconciled.iter().enumerate() {
            let needed = source.verdict == Standing::Supported || source.opposes();
            let is_web = url::Url::parse(&source.source_url)
                .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
            let is_listed = || mapping.sources.is_empty() || listed.contains(&key_of(&source.source_url));
            let is_its_passage = |offsets: Span| offsets.len() == source.source_passage.len();
            for (is, what) in [
                (needed && source.source_passage.trim().is_empty(), "it has no source_passage"),
                (needed && !is_web, "it has no source_url, or one that is not of the web"),
                (needed && is_web && !is_listed(), "its source_url is none of the record's sources"),
                (!source.offsets.is_none_or(is_its_passage), "its offsets are not those of its passage"),
            ] {
                is.then(|| fault(&format!("source {}: {what}", s + 1)));
            }
        }
    }
    faults
}

/// Prose with what it leaves out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prose {
    /// The text, Markdown.
    pub text: String,
    /// Claims that are written as facts.
    pub written: usize,
    /// Claims on which sources disagree.
    pub conflicts: usize,
    /// Claims that are said to be unverified.
    pub gaps: usize,
    /// Statements that need no source (headings, questions, opinions) and are not written.
    pub left_out: usize,
}

/// Writes a sound record as prose: see [`faults`].
///
/// # Errors
/// When the result is not what was meant, read again: a fault of ours.
pub fn write(mapping: &Mapping) -> Result<Prose, String> {
    let addresses = mapping.sources.iter().rev().flat_map(|source| source.addresses().map(move |at| (at, source)));
    let known = addresses.map(|(at, source)| (key_of(at), source)).collect();
    let prose = Writer { mapping, known, cited: Vec::new() }.prose();
    let text = &prose.text;
    let citations = citation::read(&Document::read(text.as_str()), &KnownLabels::default());
    let broken = [Code::OrphanCitation, Code::OrphanSource, Code::NumberingGap, Code::NumberingOrder];
    match structure(&citations).into_iter().find(|finding| broken.contains(&finding.code)) {
        Some(finding) => Err(format!("{}: {}", finding.code, finding.message)),
        None => Ok(prose),
    }
}

struct Writer<'a> {
    mapping: &'a Mapping,
    /// The sources of the record by all their addresses.
    known: HashMap<Key, &'a SourceRecord>,
    /// The sources that are cited, in order of first appearance, by the address that each goes by.
    cited: Vec<SourceRecord>,
}

impl<'a> Writer<'a> {
    fn prose(&mut self) -> Prose {
        let mapping = self.mapping;
        let against = against(mapping);
        let mut paragraphs: Vec<String> = Vec::new();
        let mut gaps: Vec<(&str, Vec<String>)> = Vec::new();
        let mut prose = Prose::default();
        let mut last: Option<&Verification> = None;
        for (i, claim) in mapping.verifications.iter().enumerate() {
            let follows = |last: Span, own: Span| (last.end..=last.end + 1).contains(&own.start);
            let is_first = !last.is_some_and(|last| follows(last.span, claim.span));
            let sentence = if let Some((a, _, on)) = against.iter().find(|(_, b, _)| *b == i) {
                prose.conflicts += 1;
                self.differ(&format!(" ({})", inline(on)), &[&mapping.verifications[*a], claim])
            } else if against.iter().any(|(a, _, _)| *a == i) {
                // It is told with the other one.
                continue;
            } else if is_disputed(claim) {
                prose.conflicts += 1;
                self.differ(&format!(" on “{}”", bare(&claim.words())), &[claim])
            } else if claim.verified && claim.confidence.is_none_or(|confidence| confidence >= TOLD) {
                prose.written += 1;
                let citation = self
                    .citation(claim.sources_reconciled.iter().filter(|source| source.verdict == Standing::Supported));
                let told = citation + &low(claim).map_or_else(String::new, |low| format!(" ({low})"));
                cited(&claim.words(), &told, is_first)
            } else if claim.kind.is_factual() {
                prose.gaps += 1;
                let notes = claim.notes.trim();
                match gaps.iter_mut().find(|(reason, _)| *reason == notes) {
                    Some((_, claims)) => claims.push(claim.words()),
                    None => gaps.push((notes, vec![claim.words()])),
                }
                continue;
            } else {
                prose.left_out += 1;
                continue;
            };
            last = Some(claim);
            match paragraphs.last_mut().filter(|_| !is_first) {
                Some(paragraph) => {
                    let glued = paragraph.chars().next_back().is_some_and(script::is_cjk);
                    paragraph.extend([if glued { "" } else { " " }, &sentence]);
                }
                None => paragraphs.push(sentence),
            }
        }
        paragraphs.extend(gaps.iter().map(|(reason, claims)| gap(claims, reason)));
        if !self.cited.is_empty() {
            let listed: Vec<Listed<'_>> = self.cited.iter().map(|source| (source, None)).collect();
            let lines = source_lines(&listed, CitationForm::Numeric, None);
            paragraphs.extend([format!("## {}", OwnSection::Sources.heading("en")), lines]);
        }
        Prose { text: paragraphs.join("\n\n") + "\n", ..prose }
    }

    /// That sources differ: on one claim, each with its own words, or on two, of which each says one.
    fn differ(&mut self, on: &str, claims: &[&'a Verification]) -> String {
        let mut sides = Vec::new();
        for claim in claims {
            let mut is_said = false;
            for source in &claim.sources_reconciled {
                if source.opposes() || claims.len() == 1 && source.verdict == Standing::Supported {
                    sides.push(self.side(source, &source.source_passage));
                } else if source.verdict == Standing::Supported && !std::mem::replace(&mut is_said, true) {
                    sides.push(self.side(source, &claim.words()));
                }
            }
        }
        format!("Sources differ{on}: {}.", sides.join("; "))
    }

    /// What one source says, with its name: `according to Title, “words” [1]`.
    fn side(&mut self, source: &'a ReconciledSource, words: &str) -> String {
        let citation = self.citation(std::iter::once(source));
        let title = escape::plain(&self.source(&source.source_url).title).into_owned();
        // One without a title is called by its host.
        let url = url::Url::parse(&source.source_url).ok();
        let host = url.as_ref().and_then(|url| url.host_str()).unwrap_or(&source.source_url);
        let name = if title.is_empty() { host } else { &title };
        let cut = head(words, LONGEST_PASSAGE);
        let more = if cut.len() < words.len() { " …" } else { "" };
        format!("according to {}, “{}{more}” {citation}", inline(name), bare(cut))
    }

    /// The numbers of `sources`, those that are new counted on.
    fn citation(&mut self, sources: impl Iterator<Item = &'a ReconciledSource>) -> String {
        let mut numbers: Vec<usize> = sources
            .map(|source| {
                let source = self.source(&source.source_url);
                let at = self.cited.iter().position(|known| known.key == source.key);
                let number = at.unwrap_or(self.cited.len()) + 1;
                self.cited.extend(at.is_none().then(|| SourceRecord { number: u32::try_from(number).ok(), ..source }));
                number
            })
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
        format!("[{}]", numbers.join(", "))
    }

    /// What is known of the source at an address, with the address that it goes by.
    fn source(&self, address: &str) -> SourceRecord {
        let known = self.known.get(&key_of(address)).map_or_else(SourceRecord::default, |known| (*known).clone());
        let url = if known.url.is_empty() { address.to_owned() } else { known.url };
        // Of a source without an outcome a reason says something else than why it was not verified.
        let reason = if known.outcome == Outcome::Unasked { String::new() } else { known.reason };
        SourceRecord { key: key_of(&url), url, reason, ..known }
    }
}

/// The confidence of a claim, when it is too low to go without saying, with its notes. It is cut and not rounded: 0.5999 is not 0.6.
fn low(claim: &Verification) -> Option<String> {
    let confidence = claim.confidence.filter(|confidence| *confidence < SURE)?;
    let notes = claim.notes.trim().trim_end_matches('.');
    let notes = if notes.is_empty() { String::new() } else { format!("; {}", inline(notes)) };
    // What is a whole number of thousandths is a little less in binary.
    Some(format!("confidence {}{notes}", (confidence * 1000.0 + 1e-9).floor() / 1000.0))
}

/// Whether the sources of a claim do not say the same: some support it and some oppose it, or they give different values.
fn is_disputed(claim: &Verification) -> bool {
    let supports =
        |source: &&ReconciledSource| source.verdict == Standing::Supported && !source.source_passage.trim().is_empty();
    let supporting = || claim.sources_reconciled.iter().filter(supports);
    let opposed = claim.sources_reconciled.iter().any(ReconciledSource::opposes);
    let values = supporting().map(|source| quantities(&source.stat));
    let values: Vec<_> = values.filter(|held| !held.is_empty()).collect();
    let agrees = |(a, b): (usize, usize)| {
        values[a].iter().any(|one| values[b].iter().any(|other| agree(one, other) || agree(other, one)))
    };
    let differ = (0..values.len()).any(|a| (0..a).any(|b| !agrees((a, b))));
    supporting().next().is_some() && opposed || differ
}

/// The pairs of verified claims that the record says conflict, by position, each with the difference in words.
fn against(mapping: &Mapping) -> Vec<(usize, usize, &str)> {
    let mut pairs: Vec<(usize, usize, &str)> = Vec::new();
    for conflict in &mapping.conflicts {
        let place =
            |id: &String| mapping.verifications.iter().position(|claim| claim.verified && claim.claim_id == *id);
        let [Some(a), Some(b)] = conflict.claims.each_ref().map(place) else { continue };
        let taken = pairs.iter().any(|(c, d, _)| [a, b].iter().any(|i| i == c || i == d));
        if a != b && !taken {
            pairs.push((a.min(b), a.max(b), conflict.difference.as_str()));
        }
    }
    pairs
}

/// `“A” and “B” remain unverified across our sources (reason).`
fn gap(claims: &[String], reason: &str) -> String {
    let quoted: Vec<String> = claims.iter().map(|claim| format!("“{}”", bare(claim))).collect();
    let verb = if quoted.len() == 1 { "remains" } else { "remain" };
    let listed = match quoted.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => quoted.concat(),
    };
    let reason = reason.trim_end_matches('.');
    let reason = if reason.is_empty() { String::new() } else { format!(" ({})", inline(reason)) };
    format!("{listed} {verb} unverified across our sources{reason}.")
}

/// Words within quotation marks: without the stop that would stand before the mark.
fn bare(text: &str) -> String {
    let text = escape::plain(text);
    inline(text.trim().trim_end_matches(['.', '。']))
}

/// A claim with its citation before the stop.
fn cited(claim: &str, citation: &str, is_first: bool) -> String {
    let claim = escape::plain(claim);
    let claim = claim.trim();
    let is_tail = |c: char| is_stop(c) || is_closing_mark(c) || matches!(c, ')' | '）');
    let tail = claim.trim_end_matches(is_tail);
    let stop = claim[tail.len()..].find(is_stop).map_or(claim.len(), |at| tail.len() + at);
    let (words, stop) = claim.split_at(stop);
    let words = words.trim_end();
    let escaped = if is_first { apart(escape::title(words)) } else { inline(words) };
    let gap = if words.chars().next_back().is_some_and(script::is_cjk) { "" } else { " " };
    let stop = if stop.is_empty() { "." } else { stop };
    format!("{escaped}{gap}{citation}{}", inline(stop))
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '。' | '！' | '？' | '…')
}

/// Escaped text within a paragraph.
fn inline(text: &str) -> String {
    apart(escape::inline(text).into_owned())
}

/// Escaped text that neither swallows what is written behind it nor ends what is struck out before it: claims stand side by side here.
fn apart(mut escaped: String) -> String {
    let slashes = escaped.len() - escaped.trim_end_matches('\\').len();
    if slashes % 2 == 1 {
        escaped.push('\\');
    }
    if escaped.starts_with('~') {
        escaped.insert(0, '\\');
    }
    escaped
}
