//! What a run says on a terminal when it is over: what happened to the text, sorted by weight, and where to look.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use owo_colors::OwoColorize as _;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::findings::Texts;
use super::record::{ReconciledSource, Record, RunVerdict, SourceRecord, Verification};
use super::tone::{Tone, style};
use super::wording::counted;
pub use super::wording::one_line as shown;
use cited_core::decide::Action;
use cited_core::finding::{Code, Finding, Severity};
use cited_core::verdict::{CheckKind, CheckResult, Standing};

/// Lines that are shown before the rest is counted.
const MOST_LINES: usize = 20;
/// Columns of the label, of one that says what would happen, of the place, and the fewest of a claim's words.
const LABEL: usize = 10;
const LABEL_OF_WOULD: usize = 14;
const PLACE: usize = 10;
const FEWEST: usize = 24;
/// Lines of a document that are named before the rest is counted.
const PLACES_NAMED: usize = 4;

/// What stands in the place of the verdict where the brief was held back.
pub const NOT_WRITTEN: &str = "NOT WRITTEN";

/// Whether what is told happened to a brief that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tense {
    /// It did.
    Did,
    /// Nothing was to be written.
    Would,
    /// The brief was held back.
    HeldBack,
}

impl Tense {
    /// Whether the brief of a record was written.
    pub fn of(record: &Record) -> Tense {
        if record.not_written.is_some() { Tense::HeldBack } else { Tense::Did }
    }
}

/// What became of a claim, the weightiest first: each claim is one of these, so that the counts add up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ClaimOutcome {
    Removed,
    Task,
    Failed,
    Marked,
    NotChecked,
    WithoutSource,
    NotConfirmed,
    Verified,
    /// It needs no source and has none.
    Exempt,
}

impl ClaimOutcome {
    fn of(claim: &Verification) -> ClaimOutcome {
        let sources = &claim.sources_reconciled;
        match claim.action {
            Action::Drop => ClaimOutcome::Removed,
            Action::Todo => ClaimOutcome::Task,
            Action::Fail => ClaimOutcome::Failed,
            Action::Mark => ClaimOutcome::Marked,
            _ if claim.verified => ClaimOutcome::Verified,
            _ if sources.iter().any(|source| source.verdict != Standing::Unchecked) => ClaimOutcome::NotConfirmed,
            _ if !sources.is_empty() => ClaimOutcome::NotChecked,
            _ if claim.kind.must_have_source() => ClaimOutcome::WithoutSource,
            _ => ClaimOutcome::Exempt,
        }
    }

    /// What stands behind a number of them, and the label of one: by what was done, or would be.
    fn words(self, done: bool) -> (&'static str, &'static str) {
        match (self, done) {
            (ClaimOutcome::Removed, true) => ("removed", "removed"),
            (ClaimOutcome::Removed, false) => ("would be removed", "would remove"),
            (ClaimOutcome::Task, true) => ("replaced by a task", "task"),
            (ClaimOutcome::Task, false) => ("would be replaced by a task", "task"),
            (ClaimOutcome::Failed, _) => ("must not stand", "fails"),
            (ClaimOutcome::Marked, true) => ("marked", "marked"),
            (ClaimOutcome::Marked, false) => ("would be marked", "would mark"),
            (ClaimOutcome::NotChecked, _) => ("could not be checked", "unsure"),
            (ClaimOutcome::WithoutSource, _) => ("without a source", "no source"),
            (ClaimOutcome::NotConfirmed, _) => ("not confirmed", "weak"),
            (ClaimOutcome::Verified, _) => ("verified", "noted"),
            (ClaimOutcome::Exempt, _) => ("needs no source", "noted"),
        }
    }
}

/// One line below the first: the lines of the document that it is about, a claim's words where it is about one, and why.
pub(crate) struct Line {
    outcome: ClaimOutcome,
    lines: Vec<usize>,
    pub(crate) claim: Option<String>,
    /// The value in it that the line is about: it is shown however late it comes.
    value: String,
    pub(crate) why: String,
    /// The claims that it is about, by their ids.
    pub(crate) ids: Vec<String>,
}

/// How a run ended, in lines of at most `width` columns: the first counts the claims, the others say what went, what could not be checked, what
/// is weak. At most so many lines are shown; with `verbose`, all of them, and claims that stay with a note.
pub fn of_run(record: &Record, texts: &Texts<'_>, verbose: bool, tense: Tense, width: usize) -> String {
    let tense = if record.not_written.is_some() { Tense::HeldBack } else { tense };
    let mut out = first_line(record, tense);
    let told = told(record, texts, verbose);
    let most = if verbose { told.len() } else { MOST_LINES };
    let done = tense == Tense::Did;
    let labels = if done { LABEL } else { LABEL_OF_WOULD };
    let left = width.saturating_sub(2 + labels);
    let mut before = "";
    for one in told.iter().take(most) {
        let (label, tone) = one.label(tense);
        let shown = if label == before { "" } else { label };
        before = label;
        let _ = writeln!(out, "  {}{}", format!("{shown:<labels$}").style(style(tone)), one.in_columns(left));
    }
    if told.len() > most {
        let _ = writeln!(out, "  {:labels$}and {} more: -v or --report", "", told.len() - most);
    }
    out
}

/// What happened, in one line: a verdict, where it is not said by the counts, and counts that add up to all claims.
pub(crate) struct Headline {
    pub(crate) verdict: &'static str,
    pub(crate) tone: Tone,
    pub(crate) counts: String,
}

pub(crate) fn headline(record: &Record, tense: Tense) -> Headline {
    let mut counts: BTreeMap<ClaimOutcome, usize> = BTreeMap::new();
    for claim in &record.verifications {
        *counts.entry(ClaimOutcome::of(claim)).or_default() += 1;
    }
    let exempt = counts.remove(&ClaimOutcome::Exempt).unwrap_or(0);
    let all: usize = counts.values().sum();
    let count = |outcome| counts.get(&outcome).copied().unwrap_or(0);
    let gone = count(ClaimOutcome::Removed) + count(ClaimOutcome::Task);
    let (verdict, tone) = match record.verdict {
        RunVerdict::Blocked => ("BLOCKED", Tone::Bad),
        _ if tense == Tense::HeldBack => (NOT_WRITTEN, Tone::Bad),
        _ if gone > 0 && gone * 2 >= all && all > 1 && tense == Tense::Would => {
            ("HALF OR MORE OF THE CLAIMS WOULD GO", Tone::Bad)
        }
        _ if gone > 0 && gone * 2 >= all && all > 1 => ("HALF OR MORE OF THE CLAIMS GONE", Tone::Bad),
        _ if gone > 0 => ("", Tone::Bad),
        RunVerdict::Pass => ("PASS", Tone::Good),
        RunVerdict::PassWithNotes => ("passed with notes", Tone::Doubtful),
    };
    // That nothing was confirmed of what was asked is said, too.
    if counts.contains_key(&ClaimOutcome::NotConfirmed) {
        counts.entry(ClaimOutcome::Verified).or_default();
    }
    // First what went, then what is confirmed.
    let mut parts: Vec<(ClaimOutcome, usize)> = counts.into_iter().collect();
    parts.sort_by_key(|(outcome, _)| !matches!(outcome, ClaimOutcome::Removed | ClaimOutcome::Verified));
    let mut words: Vec<String> = Vec::new();
    for (outcome, count) in parts {
        let what = outcome.words(tense == Tense::Did).0;
        words.push(if words.is_empty() {
            format!("{count} of {} {what}", counted(all, "claim"))
        } else {
            format!("{count} {what}")
        });
    }
    if words.is_empty() {
        words.push("no claim that needs a source".to_owned());
    }
    let more = match exempt {
        0 => String::new(),
        _ if all == 0 => format!(" ({} without need of one)", counted(exempt, "claim")),
        1 => " (1 more needs no source)".to_owned(),
        _ => format!(" ({exempt} more need no source)"),
    };
    Headline { verdict, tone, counts: words.join(", ") + &more }
}

/// The headline behind the path of the draft.
fn first_line(record: &Record, tense: Tense) -> String {
    let Headline { verdict, tone, counts } = headline(record, tense);
    let path = record.draft.as_ref().map_or("", |draft| draft.path.as_str());
    let path = if matches!(path, "" | "-") { String::new() } else { format!("{}: ", shown(path)) };
    let verdict = if verdict.is_empty() { String::new() } else { format!("{verdict}: ") };
    format!("{path}{}\n", format!("{verdict}{counts}").style(style(tone).bold()))
}

/// What is told below the first line, the weightiest first. What is known of sources, lists and entries goes before claims that their pages
/// do not confirm: those are often many.
pub(crate) fn told(record: &Record, texts: &Texts<'_>, verbose: bool) -> Vec<Line> {
    let mut told = told_of_claims(record, verbose);
    let weak = told.iter().position(|line| line.outcome >= ClaimOutcome::NotConfirmed).unwrap_or(told.len());
    told.splice(weak..weak, told_of_findings(record, texts));
    told
}

/// What is told of claims, the weightiest first. Claims with one reason are one line: a dead source with all that it took, a source with
/// all that it does not confirm.
fn told_of_claims(record: &Record, verbose: bool) -> Vec<Line> {
    let mut groups: Vec<(ClaimOutcome, String, Vec<&Verification>)> = Vec::new();
    for claim in &record.verifications {
        let outcome = ClaimOutcome::of(claim);
        let noted = verbose && !claim.notes.is_empty();
        if matches!(outcome, ClaimOutcome::Verified | ClaimOutcome::Exempt) && !noted {
            continue;
        }
        let key = match outcome {
            // Of who decided otherwise, and of a page that has another value, each claim is told with its words.
            _ if claim.review.is_some() || other_value(claim).is_some() => String::new(),
            // So is each that goes with others: its words are all that there is to tell.
            _ if claim.hangs.as_ref().is_some_and(|hangs| hangs.fell) => String::new(),
            // What has no address, and pages that were read and not judged, are told apart by what became of them.
            ClaimOutcome::NotChecked | ClaimOutcome::NotConfirmed => {
                let by_context = |source: &&ReconciledSource| {
                    let read = || record.sources.iter().any(|s| s.url == source.source_url && s.outcome.is_readable());
                    source.source_url.is_empty() || outcome == ClaimOutcome::NotChecked && read()
                };
                let best = best(claim);
                let context = best.filter(by_context).map(|source| source.context.clone());
                context.or_else(|| best.map(|source| source.source_url.clone())).unwrap_or_default()
            }
            _ => claim.notes.clone(),
        };
        match groups.iter_mut().find(|(of, known, _)| *of == outcome && *known == key) {
            Some((.., claims)) if !verbose && !key.is_empty() => claims.push(claim),
            _ => groups.push((outcome, key, vec![claim])),
        }
    }
    groups.sort_by_key(|(outcome, ..)| *outcome);
    let told = groups.into_iter().map(|(outcome, key, claims)| {
        let mut lines: Vec<usize> = claims.iter().map(|claim| claim.line).collect();
        lines.dedup();
        let alone = (claims.len() == 1).then(|| claims[0]);
        let why = match alone {
            Some(claim) => why(claim, outcome),
            None => match outcome {
                ClaimOutcome::NotChecked => {
                    let told = |source: &SourceRecord| format!("{key} could not be read: {}", source.reason);
                    record.sources.iter().find(|source| source.url == key).map_or_else(|| key.clone(), told)
                }
                ClaimOutcome::NotConfirmed => format!("{key} does not confirm these {} claims", claims.len()),
                _ => key,
            },
        };
        let ids = claims.iter().map(|claim| claim.claim_id.clone()).collect();
        let value = alone.and_then(other_value).map(|(claimed, _)| claimed.to_owned()).unwrap_or_default();
        Line { outcome, lines, claim: alone.map(named), value, why, ids }
    });
    told.collect()
}

/// Why one claim is told: what its page has in the place of its value, else the words of the page, else the reason of the decision.
fn why(claim: &Verification, outcome: ClaimOutcome) -> String {
    let source = best(claim);
    let passage = source.map_or("", |source| source.source_passage.as_str());
    match (outcome, other_value(claim)) {
        (ClaimOutcome::Removed | ClaimOutcome::Marked | ClaimOutcome::NotConfirmed, Some((_, found)))
            if claim.review.is_none() =>
        {
            format!("the page says {found}: “{passage}”")
        }
        (ClaimOutcome::NotConfirmed, _) if !passage.is_empty() => format!("the page says “{passage}”"),
        (ClaimOutcome::WithoutSource, _) if claim.notes.is_empty() => "nothing is cited for it".to_owned(),
        _ if !claim.notes.is_empty() => claim.notes.clone(),
        _ => source.map_or_else(String::new, |source| format!("{}: {}", source.source_url, source.context)),
    }
}

/// The value of a claim, and what the page that stands nearest to it has in its place.
fn other_value(claim: &Verification) -> Option<(&str, &str)> {
    let source = best(claim).filter(|source| !source.source_passage.is_empty())?;
    // A value that stands in the passage is there, if of something else.
    let lacks = |claimed: &str| !claimed.is_empty() && !source.source_passage.contains(claimed);
    source.results.iter().filter(|check| check.kind == CheckKind::Quantity).find_map(|check| match &check.result {
        CheckResult::Differs { claimed, found } if lacks(claimed) => Some((claimed.as_str(), found.as_str())),
        _ => None,
    })
}

/// The words of a claim, behind what names its cell if it is one.
pub(crate) fn named(claim: &Verification) -> String {
    claim.context.iter().map(|cell| format!("{cell}: ")).chain([claim.claim_text.clone()]).collect()
}

/// What one source says that stands nearest to supporting a claim.
fn best(claim: &Verification) -> Option<&ReconciledSource> {
    claim.sources_reconciled.iter().min_by_key(|source| source.verdict)
}

/// What is told beside the claims that have a line of their own: of sources, lists and entries, of claims that stay, and what was found for one.
fn told_of_findings(record: &Record, texts: &Texts<'_>) -> Vec<Line> {
    let has_line = |id: &str| {
        let claim = record.verifications.iter().find(|claim| claim.claim_id == id);
        claim.is_some_and(|claim| !matches!(ClaimOutcome::of(claim), ClaimOutcome::Verified | ClaimOutcome::Exempt))
    };
    // A source that could not be asked is told of with the claims that wait for it.
    let waiting = record.verifications.iter().filter(|claim| ClaimOutcome::of(claim) == ClaimOutcome::NotChecked);
    let waited_for: HashSet<&str> =
        waiting.flat_map(|claim| &claim.sources_reconciled).map(|source| source.source_url.as_str()).collect();
    let is_told = |finding: &Finding| {
        let url = finding.about.as_ref().and_then(|about| about.url.as_deref());
        if finding.code == Code::UncheckedSource && url.is_some_and(|url| waited_for.contains(url)) {
            return true;
        }
        let id = finding.about.as_ref().and_then(|about| about.claim_id.as_deref());
        !matches!(finding.code, Code::SourceFound | Code::Conflict | Code::StaleDecision) && id.is_some_and(has_line)
    };
    let mut findings: Vec<&Finding> = record.findings.iter().collect();
    findings.retain(|finding| finding.severity > Severity::Note && !is_told(finding));
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let told = findings.into_iter().map(|finding| {
        let at = finding.span.and_then(|span| Some(texts.of(finding)?.position(span.start).line));
        let (outcome, why) = (ClaimOutcome::Exempt, finding.message.clone());
        Line { outcome, lines: at.into_iter().collect(), claim: None, value: String::new(), why, ids: Vec::new() }
    });
    told.collect()
}

impl Line {
    /// What became of its claims, in a word, and how good that is.
    pub(crate) fn label(&self, tense: Tense) -> (&'static str, Tone) {
        let tone = match self.outcome {
            ClaimOutcome::Removed | ClaimOutcome::Failed => Tone::Bad,
            ClaimOutcome::Verified | ClaimOutcome::Exempt => Tone::Neutral,
            _ => Tone::Doubtful,
        };
        (self.outcome.words(tense == Tense::Did).1, tone)
    }

    /// The lines of the document that it is about.
    pub(crate) fn place(&self) -> String {
        match self.lines.as_slice() {
            [] => String::new(),
            [line] => format!("line {line}"),
            lines => {
                let named: Vec<String> = lines.iter().take(PLACES_NAMED).map(ToString::to_string).collect();
                let rest = lines.len().saturating_sub(PLACES_NAMED);
                let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
                format!("lines {}{more}", named.join(", "))
            }
        }
    }

    fn in_columns(&self, width: usize) -> String {
        let place = self.place();
        let place = if place.is_empty() { place } else { format!("{place:<PLACE$}") };
        let place = if place.len() >= PLACE && !place.ends_with(' ') { format!("{place}  ") } else { place };
        let left = width.saturating_sub(place.len()).max(2 * FEWEST);
        let why = shown(&self.why);
        let Some(claim) = &self.claim else { return format!("{place}{}", reason_in(&why, left)) };
        let for_claim = if why.is_empty() { left } else { (left * 3 / 8).max(FEWEST) };
        let claim = cut(&from_value(&shown(claim), &self.value, for_claim), for_claim);
        let gap = for_claim.saturating_sub(claim.width());
        let why = reason_in(&why, left.saturating_sub(for_claim + 2));
        format!("{place}{claim}{:gap$}  {why}", "").trim_end().to_owned()
    }
}

/// A claim from some words before a value on, where the value would not be seen: *… fell by 61% in the first year.*
fn from_value(claim: &str, value: &str, columns: usize) -> String {
    let Some(at) = claim.find(value).filter(|at| !value.is_empty() && claim[..at + value.len()].width() >= columns)
    else {
        return claim.to_owned();
    };
    let from = claim[..at].rmatch_indices(' ').nth(2).map_or(0, |(from, _)| from);
    format!("…{}", &claim[from..])
}

/// A reason in at most so many columns: the address in it gives way first, down to its host, as the end says what became of it.
fn reason_in(why: &str, columns: usize) -> String {
    let address = why.split([' ', ';']).find(|word| word.contains("://")).filter(|_| why.width() > columns);
    let Some((address, (_, bare))) = address.and_then(|address| Some((address, address.split_once("://")?))) else {
        return cut(why, columns);
    };
    let room = (columns + address.width()).saturating_sub(why.width());
    let host = bare.find('/').unwrap_or(bare.len());
    let shown = if room > host { cut(bare, room) } else { bare.to_owned() };
    cut(&why.replacen(address, &shown, 1), columns)
}

/// `text` in at most so many columns.
fn cut(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used > columns {
            break;
        }
        out.push(c);
    }
    format!("{}…", out.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_fits_its_width() {
        let claim = Some("In January, 12% of them switched to another supplier of heat, as a diary has it.".to_owned());
        let why = "https://diary.example/january is gone (404, no copy)".to_owned();
        let told =
            Line { outcome: ClaimOutcome::Removed, lines: vec![4], claim, value: String::new(), why, ids: Vec::new() };
        for width in [80, 100, 120, 200] {
            assert!(told.in_columns(width).width() <= width, "{}", told.in_columns(width));
        }
        let told = Line { lines: vec![1, 2, 3, 4, 5, 6], claim: None, why: "x is gone".to_owned(), ..told };
        assert_eq!(told.in_columns(80), "lines 1, 2, 3, 4 and 2 more  x is gone");
        assert_eq!(cut("据报道去年", 7), "据报道…");
        let why = "dead source: https://docs.aws.example/ec2/userguide/warm-pools.html (HTTP 404, no archive)";
        assert_eq!(reason_in(why, 64), "dead source: docs.aws.example/ec2/usergu… (HTTP 404, no archive)");
        assert_eq!(reason_in(why, 40), "dead source: docs.aws.example/ec2/userg…");
        assert_eq!(reason_in(why, 120), why);
        let claim = "Against oil, running costs fell by 61% in the first year.";
        assert_eq!(from_value(claim, "61%", 28), "… fell by 61% in the first year.");
        assert_eq!(from_value(claim, "61%", 60), claim);
    }
}
