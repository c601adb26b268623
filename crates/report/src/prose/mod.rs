//! Cited prose from a record alone: what is verified with its sources, what conflicts with both sides, what is missing as
//! a gap. Nothing is asked and nothing is added: every word is a claim, a passage or a title of the record.

mod mapping;
#[cfg(test)]
mod tests;

pub use mapping::{MappedClaim, MappedReconciled, MappedSource, Mapping, SCHEMA, faults, read};

use std::borrow::Cow;
use std::collections::HashMap;

use super::brief::address;
use super::wording::{day, head};
use cited_core::address::identity::{Key, key_of};
use cited_core::check::structure::structure;
use cited_core::citation::heading::OwnSection;
use cited_core::citation::remark::Remark;
use cited_core::citation::{self, KnownLabels};
use cited_core::claim::ClaimKind;
use cited_core::finding::Code;
use cited_core::markdown::Document;
use cited_core::outcome::ArchiveCopy;
use cited_text::marks::is_closing_mark;
use cited_text::quantity::{agree, quantities};
use cited_text::{Span, escape, script};

/// Characters of a passage that are quoted where sources disagree.
const LONGEST_PASSAGE: usize = 300;

/// A verified claim whose confidence is less is told with it.
pub const SURE: f64 = 0.6;

/// One whose confidence is less than this is told as a gap.
const TOLD: f64 = 0.3;

/// Prose with what it leaves out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prose {
    /// The text, Markdown.
    pub text: String,
    /// Claims that are written as facts.
    pub written: usize,
    /// Of those, claims that are told with a confidence under [`SURE`].
    pub unsure: usize,
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
    known: HashMap<Key, &'a MappedSource>,
    /// The sources that are cited, in order of first appearance, each with the address that was cited.
    cited: Vec<(Key, &'a str)>,
}

impl<'a> Writer<'a> {
    fn prose(&mut self) -> Prose {
        let mapping = self.mapping;
        let against = against(mapping);
        let mut paragraphs: Vec<String> = Vec::new();
        let mut gaps: Vec<(&str, Vec<Cow<'_, str>>)> = Vec::new();
        let mut prose = Prose::default();
        let mut last: Option<&MappedClaim> = None;
        for (i, claim) in mapping.verifications.iter().enumerate() {
            let follows = |last: Span, own: Span| (last.end..=last.end + 1).contains(&own.start);
            let goes_on =
                |last: &MappedClaim| claim.span.is_none_or(|own| last.span.is_some_and(|last| follows(last, own)));
            let is_first = !last.is_some_and(goes_on);
            let sentence = if let Some((a, _, on)) = against.iter().find(|(_, b, _)| *b == i) {
                prose.conflicts += 1;
                self.differ(&format!(" ({})", inline(on)), &[&mapping.verifications[*a], claim])
            } else if against.iter().any(|(a, _, _)| *a == i) {
                // It is told with the other one.
                continue;
            } else if is_disputed(claim) {
                prose.conflicts += 1;
                self.differ(&format!(" on “{}”", bare(&claim.whole())), &[claim])
            } else if claim.verified && claim.confidence.is_none_or(|confidence| confidence >= TOLD) {
                prose.written += 1;
                let low = low(claim);
                prose.unsure += usize::from(low.is_some());
                let citation = self.citation(claim.sources_reconciled.iter().filter(|source| source.supports()));
                let told = citation + &low.map_or_else(String::new, |low| format!(" ({low})"));
                cited(&claim.whole(), &told, is_first)
            } else if claim.kind.is_none_or(ClaimKind::is_factual) {
                prose.gaps += 1;
                let notes = claim.notes.as_deref().unwrap_or_default().trim();
                match gaps.iter_mut().find(|(reason, _)| *reason == notes) {
                    Some((_, claims)) => claims.push(claim.whole()),
                    None => gaps.push((notes, vec![claim.whole()])),
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
            let lines = self.cited.iter().enumerate().map(|(i, (_, address))| self.source_line(i + 1, address));
            let lines = lines.collect::<Vec<_>>().join("\n");
            paragraphs.extend([format!("## {}", OwnSection::Sources.heading("en")), lines]);
        }
        Prose { text: paragraphs.join("\n\n") + "\n", ..prose }
    }

    /// That sources differ: on one claim, each with its own words, or on two, of which each says one.
    fn differ(&mut self, on: &str, claims: &[&'a MappedClaim]) -> String {
        let mut sides = Vec::new();
        for claim in claims {
            let mut is_said = false;
            for source in &claim.sources_reconciled {
                if source.opposes() || claims.len() == 1 && source.supports() {
                    sides.push(self.side(source, &source.source_passage));
                } else if source.supports() && !std::mem::replace(&mut is_said, true) {
                    sides.push(self.side(source, &claim.whole()));
                }
            }
        }
        format!("Sources differ{on}: {}.", sides.join("; "))
    }

    /// What one source says, with its name: `according to Title, “words” [1]`.
    fn side(&mut self, source: &'a MappedReconciled, words: &str) -> String {
        let citation = self.citation(std::iter::once(source));
        let (_, title, _) = self.source(&source.source_url);
        // One without a title is called by its host.
        let url = url::Url::parse(&source.source_url).ok();
        let host = url.as_ref().and_then(|url| url.host_str()).unwrap_or(&source.source_url);
        let name = if title.is_empty() { host } else { &title };
        let cut = head(words, LONGEST_PASSAGE);
        let more = if cut.len() < words.len() { " …" } else { "" };
        format!("according to {}, “{}{more}” {citation}", inline(name), bare(cut))
    }

    /// The numbers of `sources`, those that are new counted on.
    fn citation(&mut self, sources: impl Iterator<Item = &'a MappedReconciled>) -> String {
        let mut numbers: Vec<usize> = sources
            .map(|source| {
                let key = key_of(self.source(&source.source_url).0);
                let known = self.cited.iter().position(|(known, _)| *known == key);
                known.map_or_else(|| self.cited.push((key, &source.source_url)), drop);
                known.map_or(self.cited.len(), |at| at + 1)
            })
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
        format!("[{}]", numbers.join(", "))
    }

    /// What is known of the source at an address: the address that it goes by, its title, and the copy that stands in for it.
    fn source(&self, address: &'a str) -> (&'a str, String, Option<&'a ArchiveCopy>) {
        let known = self.known.get(&key_of(address));
        let own = known.map(|source| source.url.as_str()).filter(|url| !url.is_empty());
        let title = known.map(|source| escape::plain(&source.title).into_owned());
        (own.unwrap_or(address), title.unwrap_or_default(), known.and_then(|source| source.archive.as_ref()))
    }

    fn source_line(&self, number: usize, cited: &'a str) -> String {
        let (own, title, copy) = self.source(cited);
        let title = start_of_block(&title);
        let remark = copy.map(|copy| Remark::Archived { taken: Some(day(copy.taken)), original: address(own) });
        let shown = address(copy.map_or(own, |copy| &copy.url)) + &remark.map_or_else(String::new, |it| it.written());
        if title.is_empty() { format!("{number}. {shown}") } else { format!("{number}. {title} — {shown}") }
    }
}

/// The confidence of a claim, when it is too low to go without saying, with its notes. It is cut and not rounded: 0.5999 is not 0.6.
fn low(claim: &MappedClaim) -> Option<String> {
    let confidence = claim.confidence.filter(|confidence| *confidence < SURE)?;
    let notes = claim.notes.as_deref().unwrap_or_default().trim().trim_end_matches('.');
    let notes = if notes.is_empty() { String::new() } else { format!("; {}", inline(notes)) };
    // What is a whole number of thousandths is a little less in binary.
    Some(format!("confidence {}{notes}", (confidence * 1000.0 + 1e-9).floor() / 1000.0))
}

/// Whether the sources of a claim do not say the same: some support it and some oppose it, or they give different values.
fn is_disputed(claim: &MappedClaim) -> bool {
    let supports = |source: &&MappedReconciled| source.supports() && !source.source_passage.trim().is_empty();
    let supporting = || claim.sources_reconciled.iter().filter(supports);
    let opposed = claim.sources_reconciled.iter().any(MappedReconciled::opposes);
    let values = supporting().map(|source| quantities(source.stat.as_deref().unwrap_or_default()));
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
fn gap(claims: &[Cow<'_, str>], reason: &str) -> String {
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
    let escaped = if is_first { start_of_block(words) } else { inline(words) };
    let gap = if words.chars().next_back().is_some_and(script::is_cjk) { "" } else { " " };
    let stop = if stop.is_empty() { "." } else { stop };
    format!("{escaped}{gap}{citation}{}", inline(stop))
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '。' | '！' | '？' | '…')
}

/// Escaped text that begins a paragraph and nothing else. It is cut where a title is, and so is no claim of people.
fn start_of_block(text: &str) -> String {
    apart(escape::title(text))
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
