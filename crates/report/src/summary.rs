//! What a run says on a terminal when it is over: what happened to the text, sorted by weight, and where to look.

use std::collections::HashSet;
use std::fmt::Write as _;

use owo_colors::OwoColorize as _;
use unicode_width::UnicodeWidthStr as _;

use super::findings::Texts;
use super::record::{ReconciledSource, Record, RunVerdict, SourceRecord, Verification};
use super::tone::{Tone, style};
use super::verdict::{Shown, Verdict, action_words};
pub use super::wording::one_line as shown;
use super::wording::{counted, cut, grouped, lines_named, tally};
use super::words;
use cited_core::decide::Action;
use cited_core::finding::{Code, Finding, Severity};
use cited_core::verdict::{Check, CheckKind, CheckResult, Standing};
use cited_text::marks::is_opening_mark;

/// Lines that are shown before the rest is counted.
const MOST_LINES: usize = 20;
/// Columns of the label at least, of the place, and the fewest of a claim's words or a page's.
const LABEL: usize = 8;
const PLACE: usize = 10;
const FEWEST: usize = 24;
/// Lines of a document that are named before the rest is counted.
const PLACES_NAMED: usize = 4;

/// Whether what is told happened to a brief that is there: something was to be written, and it was not held back.
pub(crate) fn is_done(record: &Record, dry_run: bool) -> bool {
    !dry_run && record.not_written.is_none()
}

/// What became of a claim, the weightiest first: each claim is one of these, so that the counts add up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ClaimOutcome {
    Removed,
    Task,
    Failed,
    Marked,
    Stays(Verdict),
}

impl ClaimOutcome {
    /// Those of the claims of a record.
    fn all_of(record: &Record) -> Vec<ClaimOutcome> {
        let of = |(claim, verdict): (&Verification, Verdict)| match claim.action {
            Action::Drop => ClaimOutcome::Removed,
            Action::Todo => ClaimOutcome::Task,
            Action::Fail => ClaimOutcome::Failed,
            Action::Mark => ClaimOutcome::Marked,
            _ => ClaimOutcome::Stays(verdict),
        };
        record.verifications.iter().zip(Verdict::all_of(record)).map(of).collect()
    }

    /// Whether a line is told of such claims that have no note.
    fn is_told(self) -> bool {
        !matches!(self, ClaimOutcome::Stays(Verdict::Confirmed | Verdict::Exempt))
    }

    /// The label of a line, by what was done, or would be, how good that is, and what stands behind a number of them.
    fn shown(self, is_done: bool) -> (&'static str, Tone, String) {
        let (done, planned, tone, action) = match self {
            ClaimOutcome::Removed => ("removed", "would remove", Tone::Bad, Action::Drop),
            ClaimOutcome::Task => ("task", "task", Tone::Doubtful, Action::Todo),
            ClaimOutcome::Failed => ("failed", "failed", Tone::Bad, Action::Fail),
            ClaimOutcome::Marked => ("marked", "would mark", Tone::Doubtful, Action::Mark),
            ClaimOutcome::Stays(verdict) => {
                let Shown { key, word, tone, .. } = verdict.shown();
                return (word, tone, words::counted("verdict", key).to_owned());
            }
        };
        let label = if is_done { done } else { planned };
        (label, tone, action_words(action.word(), is_done || action == Action::Fail))
    }
}

/// One line below the first: the lines of the document that it is about, a claim's words where it is about one, and why.
#[derive(Default)]
pub(crate) struct Line {
    pub(crate) label: (&'static str, Tone),
    lines: Vec<usize>,
    pub(crate) claim: Option<String>,
    pub(crate) why: String,
    /// Words of a page behind the reason, of which a terminal shows what there is room for.
    pub(crate) passage: String,
    /// The value of the claim that decides: it is shown however late it comes.
    value: String,
    /// The claims that it is about, by their ids.
    pub(crate) ids: Vec<String>,
}

/// How a run ended, in lines of at most `width` columns, or of any length where nobody says how wide a line is: the first counts the claims,
/// the others say what went, what could not be checked, what is not confirmed. At most so many lines are shown; with `verbose`, all of them,
/// and claims that stay with a note.
pub fn of_run(record: &Record, texts: &Texts<'_>, verbose: bool, dry_run: bool, width: Option<usize>) -> String {
    let mut out = first_line(record, dry_run, width);
    let told = list_lines(record, texts, verbose, dry_run);
    let labels = told.iter().map(|one| one.label.0.len()).max().unwrap_or(0).max(LABEL) + 2;
    let left = width.map(|width| width.saturating_sub(2 + labels));
    let mut room = if verbose { usize::MAX } else { MOST_LINES };
    let mut before = "";
    for (i, one) in told.iter().enumerate() {
        let rows = one.rows(left);
        if rows.len() > room {
            let hidden: usize = told[i..].iter().map(|one| one.ids.len().max(one.lines.len()).max(1)).sum();
            let _ = writeln!(out, "  {:labels$}and {hidden} more: -v or --report", "");
            break;
        }
        room -= rows.len();
        let (label, tone) = one.label;
        for (at, row) in rows.into_iter().enumerate() {
            let shown = if label == before || at > 0 { "" } else { label };
            let _ = writeln!(out, "  {}{row}", format!("{shown:<labels$}").style(style(tone)));
        }
        before = label;
    }
    out
}

/// What happened, in one line: a verdict, where it is not said by the counts, and counts that add up to all claims.
pub(crate) struct Headline {
    pub(crate) verdict: &'static str,
    pub(crate) tone: Tone,
    /// What became of how many claims, what went first.
    pub(crate) counts: Vec<String>,
    /// The same as bars of a chart: a name, how many, and how good it is.
    pub(crate) bars: Vec<(&'static str, usize, Tone)>,
}

impl Headline {
    /// The same in words, which every report of a run has.
    pub(crate) fn in_words(&self) -> String {
        let verdict = if self.verdict.is_empty() { String::new() } else { format!("{}: ", self.verdict) };
        verdict + &self.counts.join(", ")
    }
}

pub(crate) fn headline(record: &Record, dry_run: bool) -> Headline {
    let is_done = is_done(record, dry_run);
    let mut counts = tally(ClaimOutcome::all_of(record).into_iter());
    let bar = |(outcome, count): (&ClaimOutcome, &usize)| {
        let (name, tone, _) = outcome.shown(is_done);
        (name, *count, tone)
    };
    let bars = counts.iter().map(bar).collect();
    let confirmed = ClaimOutcome::Stays(Verdict::Confirmed);
    let exempt = counts.remove(&ClaimOutcome::Stays(Verdict::Exempt)).unwrap_or(0);
    let all: usize = counts.values().sum();
    let count = |outcome| counts.get(&outcome).copied().unwrap_or(0);
    let gone = count(ClaimOutcome::Removed) + count(ClaimOutcome::Task);
    let (verdict, tone) = match record.verdict {
        RunVerdict::Blocked => ("BLOCKED", Tone::Bad),
        _ if record.not_written.is_some() => ("NOT WRITTEN", Tone::Bad),
        _ if gone > 0 && (gone * 2 < all || all == 1) => ("", Tone::Bad),
        _ if gone > 0 && dry_run => ("HALF OR MORE OF THE CLAIMS WOULD GO", Tone::Bad),
        _ if gone > 0 => ("HALF OR MORE OF THE CLAIMS GONE", Tone::Bad),
        RunVerdict::Pass => ("PASS", Tone::Good),
        RunVerdict::PassWithNotes => ("passed with notes", Tone::Doubtful),
    };
    // That nothing was confirmed of what was asked is said, too.
    if counts.contains_key(&ClaimOutcome::Stays(Verdict::Unconfirmed)) {
        counts.entry(confirmed).or_default();
    }
    // First what went, then what is confirmed.
    let mut parts: Vec<(ClaimOutcome, usize)> = counts.into_iter().collect();
    parts.sort_by_key(|(outcome, _)| *outcome != ClaimOutcome::Removed && *outcome != confirmed);
    let of_all = format!(" of {}", counted(all, "claim"));
    let in_words = |(i, (outcome, count)): (usize, (ClaimOutcome, usize))| {
        format!("{}{} {}", grouped(count), if i == 0 { &of_all } else { "" }, outcome.shown(is_done).2)
    };
    let mut words: Vec<String> = parts.into_iter().enumerate().map(in_words).collect();
    if words.is_empty() {
        words.push("no claim that needs a source".to_owned());
    }
    let more = match exempt {
        0 => String::new(),
        _ if all == 0 => format!(" ({} without need of one)", counted(exempt, "claim")),
        1 => " (1 more needs no source)".to_owned(),
        _ => format!(" ({} more need no source)", grouped(exempt)),
    };
    words.last_mut().into_iter().for_each(|last| last.push_str(&more));
    Headline { verdict, tone, counts: words, bars }
}

/// The headline behind the path of the draft, in rows that fit.
fn first_line(record: &Record, dry_run: bool, width: Option<usize>) -> String {
    let headline = headline(record, dry_run);
    let path = record.draft.as_ref().map_or("", |draft| draft.path.as_str());
    let path = if matches!(path, "" | "-") { String::new() } else { format!("{}: ", shown(path)) };
    let line = path + &headline.in_words();
    let rows = width.map_or_else(|| line.clone(), |width| wrapped(&line, width.saturating_sub(2)).join("\n  "));
    format!("{}\n", rows.style(style(headline.tone).bold()))
}

/// What is told below the first line, the weightiest first. What is known of decisions, sources, lists and entries goes before claims that
/// nobody could check or confirm, as those are often many; what a reader has nothing to do about comes last.
pub(crate) fn list_lines(record: &Record, texts: &Texts<'_>, verbose: bool, dry_run: bool) -> Vec<Line> {
    let outcomes = ClaimOutcome::all_of(record);
    let groups = groups(record, &outcomes, verbose);
    let doubtful = groups.partition_point(|(outcome, ..)| *outcome < ClaimOutcome::Stays(Verdict::Unchecked));
    let mut told: Vec<Line> = groups.iter().map(|group| told_of_claims(record, group, dry_run)).collect();
    let mut found = told_of_findings(record, &groups, texts, verbose);
    let notes = found.split_off(found.partition_point(|line| line.label.1 != Tone::Neutral));
    told.splice(doubtful..doubtful, found);
    told.extend(notes);
    told
}

/// Claims that are told in one line: what became of them, why, and which they are.
type Group<'r> = (ClaimOutcome, String, Vec<&'r Verification>);

/// The claims that something is told of, the weightiest first. Those with one reason are one line: a dead source with all that it took, a source
/// with all that it does not confirm.
fn groups<'r>(record: &'r Record, outcomes: &[ClaimOutcome], verbose: bool) -> Vec<Group<'r>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let hangs = |claim: &Verification| claim.hangs.as_ref().is_some_and(|hangs| hangs.fell);
    for (claim, &outcome) in record.verifications.iter().zip(outcomes) {
        if !outcome.is_told() && (!verbose || claim.notes.is_empty()) {
            continue;
        }
        let key = match outcome {
            // Of who decided otherwise, and of a number that the page has not, each claim is told with its words.
            // So is each that goes with others: its words are all that there is to tell.
            _ if claim.review.is_some() || lacks_a_number(claim) || hangs(claim) => String::new(),
            // What has no address, and pages that were read and not judged, or not asked for, are told apart by what became of them.
            ClaimOutcome::Stays(Verdict::Unchecked | Verdict::Unconfirmed) => {
                best(claim).map_or_else(String::new, |best| {
                    let source = record.sources.iter().find(|source| source.url == best.source_url);
                    let alike = source.is_some_and(|source| source.outcome.is_readable() || source.is_unasked());
                    let alike = alike && outcome == ClaimOutcome::Stays(Verdict::Unchecked);
                    if best.source_url.is_empty() || alike { best.context.clone() } else { best.source_url.clone() }
                })
            }
            _ => claim.notes.clone(),
        };
        match groups.iter_mut().find(|(of, known, _)| *of == outcome && *known == key) {
            Some((.., claims)) if !verbose && !key.is_empty() => claims.push(claim),
            _ => groups.push((outcome, key, vec![claim])),
        }
    }
    let unconfirmed = ClaimOutcome::Stays(Verdict::Unconfirmed);
    groups.sort_by_key(|(outcome, _, claims)| (*outcome, *outcome == unconfirmed && !lacks_a_number(claims[0])));
    groups
}

fn told_of_claims(record: &Record, (outcome, key, claims): &Group<'_>, dry_run: bool) -> Line {
    let mut lines: Vec<usize> = claims.iter().map(|claim| claim.line).collect();
    lines.dedup();
    let alone = (claims.len() == 1).then(|| claims[0]);
    let (why, passage) = match (alone, outcome) {
        (Some(claim), _) => explain_claim(claim, *outcome),
        (None, ClaimOutcome::Stays(Verdict::Unchecked)) => {
            let told =
                |source: &SourceRecord| format!("{} ({}): {key}", source.outcome.in_words(&source.rule), source.reason);
            let source = record.sources.iter().find(|source| source.url == *key);
            (source.map_or_else(|| key.clone(), told), "")
        }
        (None, ClaimOutcome::Stays(Verdict::Unconfirmed)) => {
            (format!("these {} claims are not confirmed by {key}", claims.len()), "")
        }
        _ => (key.clone(), ""),
    };
    let claim = alone.map(name_claim);
    let passage = passage.replace('\n', " / ").replace('\t', " | ");
    let value = alone.filter(|_| !passage.is_empty()).and_then(other_value).map_or("", |(claimed, _)| claimed);
    let (label, tone, _) = outcome.shown(is_done(record, dry_run));
    Line {
        label: (label, tone),
        lines,
        value: value.to_owned(),
        claim,
        why,
        passage,
        ids: claims.iter().map(|claim| claim.claim_id.clone()).collect(),
    }
}

/// Why one claim is told: what its page has in the place of its value, else the reason of the decision; and the words of the page.
fn explain_claim(claim: &Verification, outcome: ClaimOutcome) -> (String, &str) {
    let source = best(claim);
    let passage = source.map_or("", |source| source.source_passage.as_str());
    let of_page = claim.review.is_none()
        && !passage.is_empty()
        && (claim.sources_reconciled.len() == 1 || !lacks_a_number(claim))
        && matches!(outcome, ClaimOutcome::Removed | ClaimOutcome::Marked | ClaimOutcome::Stays(Verdict::Unconfirmed));
    match (other_value(claim), source) {
        (Some((_, found)), _) if of_page => (format!("the page says {found}:"), passage),
        (None, Some(source)) if of_page && lacks_a_number(claim) => (format!("{}:", source.context), passage),
        _ if of_page && outcome == ClaimOutcome::Stays(Verdict::Unconfirmed) => {
            ("nearest on the page:".to_owned(), passage)
        }
        // Of several sources each has its own part of the reason.
        _ if lacks_a_number(claim) && outcome == ClaimOutcome::Stays(Verdict::Unconfirmed) => {
            let told = |source: &ReconciledSource| join_parts([&source.context, &source.source_url]);
            (claim.sources_reconciled.iter().map(told).collect::<Vec<_>>().join("; "), "")
        }
        _ if !claim.notes.is_empty() => (claim.notes.clone(), ""),
        (_, Some(source)) => (join_parts([&source.source_url, &source.context]), ""),
        (_, None) => ("nothing is cited for it".to_owned(), ""),
    }
}

/// What a source says and where it is, as far as it has an address.
fn join_parts(parts: [&str; 2]) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ")
}

/// The value of a claim, and what the page that stands nearest to it has in its place.
fn other_value(claim: &Verification) -> Option<(&str, &str)> {
    let source = best(claim).filter(|source| !source.source_passage.is_empty())?;
    let passage = source.source_passage.to_lowercase();
    source.results.iter().filter(|check| check.kind == CheckKind::Quantity).find_map(|check| match &check.result {
        // A value that stands in the passage is there, if of something else.
        CheckResult::Differs { claimed, found }
            if !claimed.is_empty() && !passage.contains(&claimed.to_lowercase()) =>
        {
            Some((claimed.as_str(), found.as_str()))
        }
        _ => None,
    })
}

/// Whether a claim has a number that its source does not have of the same thing.
fn lacks_a_number(claim: &Verification) -> bool {
    let lacks = |check: &Check| check.kind == CheckKind::Quantity && check.result != CheckResult::Agrees;
    best(claim).is_some_and(|source| source.results.iter().any(lacks))
}

/// The words of a claim, behind what names its cell if it is one.
pub(crate) fn name_claim(claim: &Verification) -> String {
    claim.context.iter().map(|cell| format!("{cell}: ")).chain([claim.claim_text.clone()]).collect()
}

/// What one source says that stands nearest to supporting a claim.
fn best(claim: &Verification) -> Option<&ReconciledSource> {
    claim.sources_reconciled.iter().min_by_key(|source| source.verdict)
}

/// What is told beside the claims that have a line of their own: of sources, lists and entries, of claims that stay, and what was found for one.
fn told_of_findings(record: &Record, groups: &[Group<'_>], texts: &Texts<'_>, verbose: bool) -> Vec<Line> {
    let has_line: HashSet<&str> = groups.iter().flat_map(|(.., of)| of).map(|claim| claim.claim_id.as_str()).collect();
    // A source that is gone or could not be asked is told of with the claims that have no other.
    let unread = |claim: &&&Verification| best(claim).is_some_and(|source| source.verdict == Standing::Unchecked);
    let waiting = groups.iter().flat_map(|(.., of)| of).filter(unread).flat_map(|claim| &claim.sources_reconciled);
    let waited_for: HashSet<&str> = waiting.map(|source| source.source_url.as_str()).collect();
    let is_told = |finding: &Finding| {
        let url = finding.about.as_ref().and_then(|about| about.url.as_deref());
        let of_source = matches!(finding.code, Code::UncheckedSource | Code::DeadSource);
        let id = finding.about.as_ref().and_then(|about| about.claim_id.as_deref());
        let of_its_own = matches!(finding.code, Code::SourceFound | Code::Conflict | Code::StaleDecision);
        let waits = of_source && url.is_some_and(|url| waited_for.contains(url));
        waits || !of_its_own && id.is_some_and(|id| has_line.contains(id))
    };
    // An entry that leaves the list is told of, though nothing is wrong with it.
    let weighs = |finding: &Finding| finding.severity > Severity::Note || finding.code == Code::OrphanSource;
    let mut findings: Vec<&Finding> = record.findings.iter().collect();
    findings.retain(|finding| weighs(finding) && !is_told(finding));
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let mut told: Vec<(&str, Line)> = Vec::new();
    for finding in findings {
        let at = finding.span.and_then(|span| Some(texts.find_text(finding)?.position(span.start).line));
        let label = (finding.severity.as_str(), finding.severity.into());
        // What is said of several addresses in the same words is one line.
        let about = finding.about.as_ref().filter(|_| at.is_some() && !verbose);
        let of_address = about.and_then(|about| finding.message.strip_prefix(about.url.as_deref()?));
        let said = of_address.unwrap_or(&finding.message);
        match told.iter_mut().find(|(known, line)| line.label == label && *known == said) {
            Some((_, same)) => {
                of_address.into_iter().for_each(|said| same.why = format!("each of these sources{said}"));
                same.lines.extend(at.filter(|at| same.lines.last() != Some(at)));
            }
            None => {
                let (lines, why) = (at.into_iter().collect(), finding.message.clone());
                told.push((said, Line { label, lines, why, ..Line::default() }));
            }
        }
    }
    told.into_iter().map(|(_, line)| line).collect()
}

impl Line {
    /// The lines of the document that it is about.
    pub(crate) fn name_lines(&self) -> String {
        lines_named(&self.lines, PLACES_NAMED)
    }

    /// The reason and the words of the page behind it.
    pub(crate) fn in_words(&self) -> String {
        let passage = self.passage.trim();
        match passage.chars().next() {
            None => self.why.clone(),
            Some(c) if is_opening_mark(c) => format!("{} {passage}", self.why),
            Some(_) => format!("{} “{passage}”", self.why),
        }
    }

    /// It in one row where there is room for the reason beside the claim, else with the reason in rows of its own: of a claim and of a page as
    /// much is shown as there is room for, of the reason all.
    fn rows(&self, width: Option<usize>) -> Vec<String> {
        let place = self.name_lines();
        let place = if place.is_empty() { place } else { format!("{place:<at$}", at = PLACE.max(place.len() + 2)) };
        let claim = self.claim.as_deref().map(shown);
        let told = shown(&self.in_words());
        let Some(width) = width else {
            return vec![format!("{place}{}{told}", claim.map_or_else(String::new, |claim| claim + "  "))];
        };
        // Many lines leave no room beside them, or too little for an address.
        let longest = self.why.split(' ').map(str::width).max().unwrap_or(0);
        let is_above = place.len() > PLACE && width.saturating_sub(place.len()) < longest.max(FEWEST + PLACE);
        let indent = " ".repeat(if is_above { PLACE } else { place.len() });
        let left = width.saturating_sub(indent.len()).max(FEWEST + PLACE);
        let reason = shown(&self.why).width();
        let needed = reason + self.passage.width().min(FEWEST);
        let for_claim = (left * 3 / 8).max(FEWEST);
        let beside = left - for_claim - 2;
        let mut rows = match claim {
            Some(claim) if needed <= beside => {
                let claim = cut(&from_value(&claim, &self.value, for_claim), for_claim);
                let gap = for_claim - claim.width() + 2;
                vec![format!("{claim}{:gap$}{}", "", cut(&told, beside))]
            }
            Some(claim) => vec![cut(&from_value(&claim, &self.value, left), left)],
            None => Vec::new(),
        };
        if rows.is_empty() || needed > beside {
            let room = (reason + self.passage.width().min(2 * FEWEST)).next_multiple_of(left);
            rows.extend(wrapped(&cut(&told, room), left));
        }
        rows.splice(0..0, is_above.then(String::new));
        // A long address begins further to the left.
        let indented = |row: &str| indent[..indent.len().min(width.saturating_sub(row.width()))].to_owned() + row;
        let rows = rows.iter().enumerate();
        rows.map(|(at, row)| if at == 0 { (place.clone() + row).trim_end().to_owned() } else { indented(row) })
            .collect()
    }
}

/// A claim from some words before a value on, where the value would not be seen, and of its beginning what there is room for:
/// *… fell by 61% in the first year.*
fn from_value(claim: &str, value: &str, columns: usize) -> String {
    let Some(at) = claim.find(value).filter(|at| *at > 0 && claim[..at + value.len()].width() >= columns) else {
        return claim.to_owned();
    };
    let words = claim[..at].rmatch_indices(' ').nth(2).map_or(0, |(from, _)| from);
    // In scripts without spaces some characters.
    let near = claim[..at].char_indices().rev().take_while(|(from, _)| claim[*from..at].width() <= columns / 3);
    let near = near.last().map_or(at, |(from, _)| from);
    let from = if words < near { near + claim[near..at].find(' ').unwrap_or(0) } else { words };
    let room = columns.saturating_sub(claim[from..].width() + 2);
    let head = wrapped(&claim[..from], room).into_iter().next().filter(|head| head.width() <= room);
    format!("{}…{}", head.map_or_else(String::new, |head| head + " "), &claim[from..])
}

/// `text` in rows of at most so many columns; a word that is longer, such as an address, stands whole in a row of its own.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match rows.last_mut().filter(|row| row.width() + 1 + word.width() <= columns) {
            Some(row) => row.extend([" ", word]),
            None => rows.push(word.to_owned()),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(claim: Option<&str>, why: &str, passage: &str) -> Line {
        let (claim, why, passage) = (claim.map(str::to_owned), why.to_owned(), passage.to_owned());
        Line { label: ("removed", Tone::Bad), lines: vec![4], claim, why, passage, ..Line::default() }
    }

    const CLAIM: &str = "In January, 12% of them switched to another supplier of heat, as a diary has it.";

    #[test]
    fn a_source_without_an_address_leaves_no_empty_place() {
        assert_eq!(join_parts(["unasked: no address", ""]), "unasked: no address");
        assert_eq!(join_parts(["https://a.example/", "dead: HTTP 404"]), "https://a.example/: dead: HTTP 404");
    }

    #[test]
    fn a_reason_is_never_cut_and_a_row_fits_its_width() {
        let dead = "dead source: https://docs.aws.example/ec2/userguide/warm-pools.html?of=all (HTTP 404, no archive)";
        let stale = "not applied: “drop” by Mia; no claim of the draft has these words any more: “In January, 12% of them switched.”";
        let page = "In January, 21% of them switched to another supplier of heat, and few of those that did came back.";
        for (told, whole) in [
            (line(Some(CLAIM), dead, ""), dead),
            (line(None, stale, ""), stale),
            (line(Some(CLAIM), "the page says 21%:", page), "the page says 21%: “In January"),
        ] {
            for width in [60, 80, 100, 120, 200] {
                let rows = told.rows(Some(width));
                let said = rows.iter().map(|row| row.trim()).collect::<Vec<_>>().join(" ");
                assert!(said.contains(whole), "{width}: {said}");
                assert!(rows.iter().all(|row| row.width() <= width || row.contains("://")), "{width}: {rows:#?}");
            }
            let rows = told.rows(None);
            assert_eq!(rows.len(), 1);
            assert!(rows[0].ends_with(&told.in_words()), "{rows:?}");
        }
        let many = Line { lines: vec![1, 2, 3, 4, 5, 6], ..line(None, "x is gone", "") };
        assert_eq!(many.rows(Some(80)), ["lines 1, 2, 3, 4 and 2 more  x is gone"]);
        assert_eq!(many.rows(Some(62)), ["lines 1, 2, 3, 4 and 2 more", "          x is gone"]);
        let long = "https://a.example/a/page/with/a/long/address/";
        let far = Line { why: format!("gone: {long}"), ..many };
        assert_eq!(far.rows(Some(70)), ["lines 1, 2, 3, 4 and 2 more", &format!("          gone: {long}")]);
        assert_eq!(far.rows(Some(50)), ["lines 1, 2, 3, 4 and 2 more", "          gone:", &format!("     {long}")]);
        assert_eq!(line(Some(CLAIM), "it says", "“Two.”").rows(None), [format!("line 4    {CLAIM}  it says “Two.”")]);
        assert_eq!(
            line(Some(CLAIM), "dead source: https://a.example/2024/ (HTTP 404)", "").rows(Some(80)),
            [
                "line 4    In January, 12% of them switched to another supplier of heat, as a di…",
                "          dead source: https://a.example/2024/ (HTTP 404)"
            ]
        );
        assert_eq!(cut("据报道去年", 7), "据报道…");
        let claim = "Against oil, running costs fell by 61% in the first year.";
        assert_eq!(from_value(claim, "61%", 28), "… fell by 61% in the first year.");
        assert_eq!(from_value(claim, "61%", 60), claim);
        let late = "The plant in Oslo, which is the largest of its kind, opened in March 2025.";
        assert_eq!(from_value(late, "2025", 40), "The plant in Oslo, … in March 2025.");
        let claim = "The average replacement cost $7,950 per line in 2025.";
        assert_eq!(from_value(claim, "$7,950", 33), "… cost $7,950 per line in 2025.");
        assert_eq!(
            from_value("車両は全部で18編成あり、一編成の定員は135人である。", "135", 24),
            "…の定員は135人である。"
        );
    }
}
