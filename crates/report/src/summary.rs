//! What a run says on a terminal when it is over: what happened to the text, sorted by weight, and where to look.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use owo_colors::OwoColorize as _;
use unicode_width::UnicodeWidthStr as _;

use super::findings::Texts;
use super::record::{ReconciledSource, Record, RunVerdict, Verification};
pub use super::wording::one_line as shown;
use super::wording::{counted, cut, grouped, lines_named, tally};
use super::words::{Tone, Verdict};
use cited_core::finding::{Code, Finding, Severity};
use cited_core::verdict::{Check, CheckKind, CheckResult, Standing};
use cited_text::marks::is_opening_mark;

/// Lines that are shown before the rest is counted.
const MOST_LINES: usize = 20;
/// Columns of the label at least, of the place, and the fewest of a claim's words or a page's.
const LABEL: usize = 8;
const PLACE: usize = 10;
const FEWEST: usize = 24;
/// Columns where nobody says how many there are.
const ENDLESS: usize = usize::MAX / 8;
/// Lines of a document, and claims, that are named before the rest is counted.
const PLACES_NAMED: usize = 4;

/// Whether what is told happened to a brief that is there: something was to be written, and it was not held back.
pub(crate) fn is_done(record: &Record, dry_run: bool) -> bool {
    !dry_run && record.not_written.is_none()
}

/// The label of a line on claims that this became of, or would.
fn label(outcome: Verdict, is_done: bool) -> &'static str {
    match outcome {
        Verdict::Removed if !is_done => "would remove",
        Verdict::Marked if !is_done => "would mark",
        _ => outcome.shown().word,
    }
}

/// One line below the first: what it is about, and why.
#[derive(Default)]
pub(crate) struct Line<'r> {
    pub(crate) label: (&'static str, Tone),
    /// The lines of the document that it is about.
    lines: Vec<usize>,
    /// The claims that it is about.
    pub(crate) claims: Vec<&'r Verification>,
    pub(crate) why: String,
    /// Words of a page behind the reason, of which a terminal shows what there is room for.
    pub(crate) passage: String,
    /// What is said instead of the reason where the line is about several things; those of which the same is said are one line.
    together: String,
    /// What a reader should look at first is less.
    rank: (u8, Option<Verdict>, bool),
}

/// How a run ended, in lines of at most `width` columns, or of any length where nobody says how wide a line is: the first counts the claims,
/// the others say what went, what could not be checked, what is not confirmed. At most so many lines are shown; with `verbose`, all of them,
/// and claims that stay with a note.
pub fn of_run(record: &Record, texts: &Texts<'_>, verbose: bool, dry_run: bool, width: Option<usize>) -> String {
    let headline = headline(record, dry_run);
    let path = &record.draft.path;
    let path = if path == "-" { String::new() } else { format!("{}: ", shown(path)) };
    let first = path + &headline.in_words();
    let first = wrapped(&first, width.unwrap_or(ENDLESS).saturating_sub(2)).join("\n  ");
    let mut out = format!("{}\n", first.style(headline.tone.ansi().bold()));
    let told = list_lines(record, texts, verbose, dry_run);
    let labels = told.iter().map(|one| one.label.0.len()).max().unwrap_or(0).max(LABEL) + 2;
    let mut room = if verbose { usize::MAX } else { MOST_LINES };
    let mut before = "";
    for (i, one) in told.iter().enumerate() {
        let rows = one.rows(width.map(|width| width.saturating_sub(2 + labels)));
        if rows.len() > room {
            let hidden: usize = told[i..].iter().map(|one| one.claims.len().max(one.lines.len()).max(1)).sum();
            let _ = writeln!(out, "  {:labels$}and {hidden} more: -v or --report", "");
            break;
        }
        room -= rows.len();
        let (label, tone) = one.label;
        for row in rows {
            let shown = if label == std::mem::replace(&mut before, label) { "" } else { label };
            let _ = writeln!(out, "  {}{row}", format!("{shown:<labels$}").style(tone.ansi()));
        }
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
    let mut counts = tally(Verdict::outcomes(record).into_iter());
    let bar = |(one, count): (&Verdict, &usize)| (label(*one, is_done), *count, one.shown().tone);
    let bars = counts.iter().map(bar).collect();
    let exempt = counts.remove(&Verdict::Exempt).unwrap_or(0);
    let all: usize = counts.values().sum();
    let count = |outcome| counts.get(&outcome).copied().unwrap_or(0);
    let gone = count(Verdict::Removed) + count(Verdict::Task);
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
    if counts.contains_key(&Verdict::Unconfirmed) {
        counts.entry(Verdict::Confirmed).or_default();
    }
    // First what went, then what is confirmed.
    let mut parts: Vec<(Verdict, usize)> = counts.into_iter().collect();
    parts.sort_by_key(|(outcome, _)| *outcome != Verdict::Removed && *outcome != Verdict::Confirmed);
    let of_all = format!(" of {}", counted(all, "claim"));
    let in_words = |(i, (outcome, count)): (usize, (Verdict, usize))| {
        let is_planned = !is_done && matches!(outcome, Verdict::Removed | Verdict::Task | Verdict::Marked);
        let would = if is_planned { "would be " } else { "" };
        format!("{}{} {would}{}", grouped(count), if i == 0 { &of_all } else { "" }, outcome.shown().counted)
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

/// What is told below the first line, the weightiest first. What is known of decisions, sources, lists and entries goes before claims that
/// nobody could check or confirm, as those are often many; what a reader has nothing to do about comes last.
pub(crate) fn list_lines<'r>(record: &'r Record, texts: &Texts<'_>, verbose: bool, dry_run: bool) -> Vec<Line<'r>> {
    let is_done = is_done(record, dry_run);
    let mut told = Vec::new();
    for (claim, outcome) in record.verifications.iter().zip(Verdict::outcomes(record)) {
        let is_fine = matches!(outcome, Verdict::Confirmed | Verdict::Exempt);
        if is_fine && (!verbose || claim.notes.is_empty()) {
            continue;
        }
        let (why, passage) = explain_claim(claim, outcome);
        let stage = if outcome < Verdict::Unchecked { 0 } else { 2 };
        let is_vague = outcome == Verdict::Unconfirmed && !lacks_a_number(claim);
        let line = Line {
            label: (label(outcome, is_done), outcome.shown().tone),
            lines: vec![claim.line],
            claims: vec![claim],
            why,
            passage: passage.replace('\n', " / ").replace('\t', " | "),
            together: if verbose { String::new() } else { shared_reason(record, claim, outcome) },
            rank: (stage, Some(outcome), is_vague),
        };
        line.tell(&mut told);
    }
    tell_of_findings(record, texts, verbose, &mut told);
    told.sort_by_key(|line| line.rank);
    told
}

/// What a claim is told by with others, if it is: the reason of the decision, or the source that does not confirm it.
fn shared_reason(record: &Record, claim: &Verification, outcome: Verdict) -> String {
    let hangs = claim.hangs.as_ref().is_some_and(|hangs| hangs.fell);
    match (outcome, best(claim)) {
        // Of who decided otherwise, and of a number that the page has not, each claim is told for itself.
        // So is each that goes with others: its words are all that there is to tell.
        _ if claim.review.is_some() || lacks_a_number(claim) || hangs => String::new(),
        // What has no address, and pages that were read and not judged, or not asked for, are told apart by what became of them.
        (Verdict::Unchecked | Verdict::Unconfirmed, Some(best)) if best.source_url.is_empty() => best.context.clone(),
        (Verdict::Unchecked, Some(best)) => match record.sources.iter().find(|source| source.url == best.source_url) {
            Some(source) if source.outcome.is_readable() || source.is_unasked() => best.context.clone(),
            Some(source) => format!("{} ({}): {}", source.outcome.in_words(&source.rule), source.reason, source.url),
            None => format!("their source is {}", best.source_url),
        },
        (Verdict::Unconfirmed, Some(best)) => format!("their source is {}", best.source_url),
        _ => claim.notes.clone(),
    }
}

/// Why one claim is told: what its page has in the place of its value, else the reason of the decision; and the words of the page.
fn explain_claim(claim: &Verification, outcome: Verdict) -> (String, &str) {
    let Some(source) = best(claim) else {
        let nothing = "nothing is cited for it";
        return (if claim.notes.is_empty() { nothing.to_owned() } else { claim.notes.clone() }, "");
    };
    let (lacks, is_unconfirmed) = (lacks_a_number(claim), outcome == Verdict::Unconfirmed);
    let of_page = claim.review.is_none()
        && !source.source_passage.is_empty()
        && (claim.sources_reconciled.len() == 1 || !lacks)
        && (is_unconfirmed || matches!(outcome, Verdict::Removed | Verdict::Marked));
    let why = match other_value(claim) {
        Some((_, found)) if of_page => format!("the page says {found}:"),
        None if of_page && lacks => format!("{}:", source.context),
        _ if of_page && is_unconfirmed => "nearest on the page:".to_owned(),
        _ if !claim.notes.is_empty() => return (claim.notes.clone(), ""),
        _ if source.source_url.is_empty() => return (source.context.clone(), ""),
        _ => return (format!("{}: {}", source.source_url, source.context), ""),
    };
    (why, &source.source_passage)
}

/// The value of a claim, and what the page that stands nearest to it has in its place.
fn other_value(claim: &Verification) -> Option<(&str, &str)> {
    let source = best(claim).filter(|source| !source.source_passage.is_empty())?;
    let passage = source.source_passage.to_lowercase();
    // A value that stands in the passage is there, if of something else.
    let is_other = |claimed: &str| !claimed.is_empty() && !passage.contains(&claimed.to_lowercase());
    source.results.iter().filter(|check| check.kind == CheckKind::Quantity).find_map(|check| match &check.result {
        CheckResult::Differs { claimed, found } if is_other(claimed) => Some((claimed.as_str(), found.as_str())),
        _ => None,
    })
}

/// Whether a claim has a number that its source does not have of the same thing.
fn lacks_a_number(claim: &Verification) -> bool {
    let lacks = |check: &Check| check.kind == CheckKind::Quantity && check.result != CheckResult::Agrees;
    best(claim).is_some_and(|source| source.results.iter().any(lacks))
}

/// What one source says that stands nearest to supporting a claim.
fn best(claim: &Verification) -> Option<&ReconciledSource> {
    claim.sources_reconciled.iter().min_by_key(|source| source.verdict)
}

/// What is told beside the claims that have a line of their own: of sources, lists and entries, of claims that stay, and what was found for one.
fn tell_of_findings<'r>(record: &'r Record, texts: &Texts<'_>, verbose: bool, told: &mut Vec<Line<'r>>) {
    let with_line = || told.iter().flat_map(|line| &line.claims);
    let has_line: HashSet<&str> = with_line().map(|claim| claim.claim_id.as_str()).collect();
    // A source that is gone or could not be asked is told of with the claims that have no other.
    let unread = |claim: &&&Verification| best(claim).is_some_and(|source| source.verdict == Standing::Unchecked);
    let waiting = with_line().filter(unread).flat_map(|claim| &claim.sources_reconciled);
    let waited_for: HashSet<&str> = waiting.map(|source| source.source_url.as_str()).collect();
    let claims = record.verifications.iter().map(|claim| (claim.claim_id.as_str(), claim));
    let claims: HashMap<&str, &Verification> = claims.collect();
    let mut findings: Vec<&Finding> = record.findings.iter().collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    for finding in findings {
        let Finding { code, severity, message, .. } = finding;
        let about = finding.about.as_deref();
        let url = about.and_then(|about| about.url.as_deref());
        let id = about.and_then(|about| about.claim_id.as_deref());
        let is_of_source = matches!(code, Code::UncheckedSource | Code::DeadSource);
        let is_of_its_own = matches!(code, Code::SourceFound | Code::Conflict | Code::StaleDecision);
        let is_told = is_of_source && url.is_some_and(|url| waited_for.contains(url))
            || !is_of_its_own && id.is_some_and(|id| has_line.contains(id));
        // An entry that leaves the list is told of, though nothing is wrong with it.
        if is_told || *severity == Severity::Note && *code != Code::OrphanSource {
            continue;
        }
        let at = finding.span.and_then(|span| Some(texts.find_text(finding)?.position(span.start).line));
        let claim = id.and_then(|id| claims.get(id).copied());
        let said = url.filter(|_| at.is_some() && !verbose).and_then(|url| message.strip_prefix(url));
        let line = Line {
            label: (severity.as_str(), (*severity).into()),
            lines: at.into_iter().collect(),
            claims: claim.into_iter().filter(|claim| !message.contains(&claim.claim_text)).collect(),
            why: message.clone(),
            together: said.map_or_else(|| message.clone(), |said| format!("each of these sources{said}")),
            rank: (if *severity == Severity::Note { 3 } else { 1 }, None, false),
            ..Line::default()
        };
        line.tell(told);
    }
}

impl<'r> Line<'r> {
    /// Adds it to what is told, or to the line there that says the same.
    fn tell(self, told: &mut Vec<Line<'r>>) {
        let is_same = |known: &&mut Line<'_>| known.label == self.label && known.together == self.together;
        match told.iter_mut().find(is_same).filter(|known| !known.together.is_empty()) {
            Some(known) => {
                if known.why != self.why || !self.passage.is_empty() {
                    (known.why, known.passage) = (self.together, String::new());
                }
                known.lines.extend(self.lines);
                known.lines.dedup();
                known.claims.extend(self.claims);
            }
            None => told.push(self),
        }
    }

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
    /// much is shown as there is room for, of the reason all. Of several claims each of the first has a row below the reason.
    fn rows(&self, width: Option<usize>) -> Vec<String> {
        let place = self.name_lines();
        let place = if place.is_empty() { place } else { format!("{place:<at$}", at = PLACE.max(place.len() + 2)) };
        let told = shown(&self.in_words());
        let columns = width.unwrap_or(ENDLESS);
        // Many lines leave no room beside them, or too little for an address.
        let longest = self.why.split(' ').map(str::width).max().unwrap_or(0);
        let is_above = place.len() > PLACE && columns.saturating_sub(place.len()) < longest.max(FEWEST + PLACE);
        let indent = " ".repeat(if is_above { PLACE } else { place.len() });
        let left = columns.saturating_sub(indent.len()).max(FEWEST + PLACE);
        let reason = shown(&self.why).width();
        let for_claim = (left * 3 / 8).max(FEWEST);
        let is_beside = reason + self.passage.width().min(FEWEST) <= left - for_claim - 2;
        let mut rows: Vec<String> = is_above.then(String::new).into_iter().collect();
        let alone = if let [claim] = self.claims[..] { Some(claim) } else { None };
        if let Some(claim) = alone {
            let value = other_value(claim).filter(|_| !self.passage.is_empty()).map_or("", |(claimed, _)| claimed);
            let room = if is_beside { for_claim } else { left };
            let words = cut(&from_value(&shown(&claim.words()), value, room), room);
            let gap = 2 + width.map_or(0, |_| room - words.width());
            let beside = if is_beside { cut(&told, left - for_claim - 2) } else { String::new() };
            rows.push(format!("{words}{:gap$}{beside}", "").trim_end().to_owned());
        }
        if alone.is_none() || !is_beside {
            let room = (reason + self.passage.width().min(2 * FEWEST)).next_multiple_of(left);
            rows.extend(wrapped(&cut(&told, room), left));
        }
        // A long address begins further to the left.
        let indented = |row: &str| indent[..indent.len().min(columns.saturating_sub(row.width()))].to_owned() + row;
        let rows = rows.iter().enumerate();
        let rows =
            rows.map(|(at, row)| if at == 0 { (place.clone() + row).trim_end().to_owned() } else { indented(row) });
        let named = self.claims.iter().filter(|_| alone.is_none()).take(PLACES_NAMED);
        let named = named.map(|claim| cut(&format!("  line {:<4} {}", claim.line, claim.words()), columns));
        // Claims of the same few lines are counted where no line stands for them.
        let more = self.claims.len().saturating_sub(PLACES_NAMED);
        let more = (more > 0 && self.lines.len() <= PLACES_NAMED).then(|| format!("  and {more} more"));
        rows.chain(named).chain(more).collect()
    }
}

/// A claim from some words before a value on, where the value would not be seen: *… fell by 61% in the first year.*
fn from_value(claim: &str, value: &str, columns: usize) -> String {
    let Some(at) = claim.find(value).filter(|at| *at > 0 && claim[..at + value.len()].width() >= columns) else {
        return claim.to_owned();
    };
    // In scripts without spaces from some characters on.
    let near = claim[..at].char_indices().rev().take_while(|(from, _)| claim[*from..at].width() <= columns / 3);
    let near = near.last().map_or(at, |(from, _)| from);
    format!("…{}", &claim[near + claim[near..at].find(' ').unwrap_or(0)..])
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

    /// A claim in line 4 that was held against one source, where that is not empty.
    fn claim(words: &str, source_url: &str) -> Verification {
        let source = serde_json::json!({"stat": "", "source_url": source_url, "source_passage": "", "publication_date": null,
            "context": "unasked", "verdict": "unchecked", "confidence": null, "checks": [], "text_sha256": null,
            "offsets": null, "fetched_at": null});
        let claim = serde_json::json!({"claim_id": "c1", "claim_text": words, "verified": false, "confidence": null,
            "sources_reconciled": [source], "notes": "", "kind": "plain", "action": "keep", "span": [0, 9], "line": 4});
        serde_json::from_value(claim).expect("a claim")
    }

    fn line<'r>(claim: Option<&'r Verification>, why: &str, passage: &str) -> Line<'r> {
        let (claims, why, passage) = (claim.into_iter().collect(), why.to_owned(), passage.to_owned());
        Line { label: ("removed", Tone::Bad), lines: vec![4], claims, why, passage, ..Line::default() }
    }

    const CLAIM: &str = "In January, 12% of them switched to another supplier of heat, as a diary has it.";

    #[test]
    fn a_source_without_an_address_leaves_no_empty_place() {
        let told = |url: &str| explain_claim(&claim(CLAIM, url), Verdict::Unchecked).0;
        assert_eq!(told(""), "unasked");
        assert_eq!(told("https://a.example/"), "https://a.example/: unasked");
    }

    #[test]
    fn claims_that_are_told_together_are_named() {
        let claims = [claim(CLAIM, ""), claim("Few of them came back.", "")];
        let both = Line { lines: vec![4, 9], claims: claims.iter().collect(), ..line(None, "x is gone", "") };
        let named = |words: &str| {
            vec!["lines 4, 9  x is gone".to_owned(), words.to_owned(), "  line 4    Few of them came back.".to_owned()]
        };
        assert_eq!(both.rows(Some(60)), named("  line 4    In January, 12% of them switched to another sup…"));
        assert_eq!(both.rows(None), named(&format!("  line 4    {CLAIM}")));
        let six = Line { claims: vec![&claims[0]; 6], ..line(None, "x is gone", "") };
        assert_eq!(six.rows(None).last().map(String::as_str), Some("  and 2 more"));
    }

    #[test]
    fn a_reason_is_never_cut_and_a_row_fits_its_width() {
        let dead = "dead source: https://docs.aws.example/ec2/userguide/warm-pools.html?of=all (HTTP 404, no archive)";
        let stale = "not applied: “drop” by Mia; no claim of the draft has these words any more: “In January, 12% of them switched.”";
        let switched = claim(CLAIM, "");
        let page = "In January, 21% of them switched to another supplier of heat, and few of those that did came back.";
        for (told, whole) in [
            (line(Some(&switched), dead, ""), dead),
            (line(None, stale, ""), stale),
            (line(Some(&switched), "the page says 21%:", page), "the page says 21%: “In January"),
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
        assert_eq!(
            line(Some(&switched), "it says", "“Two.”").rows(None),
            [format!("line 4    {CLAIM}  it says “Two.”")]
        );
        assert_eq!(
            line(Some(&switched), "dead source: https://a.example/2024/ (HTTP 404)", "").rows(Some(80)),
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
        assert_eq!(from_value(late, "2025", 40), "… in March 2025.");
        let claim = "The average replacement cost $7,950 per line in 2025.";
        assert_eq!(from_value(claim, "$7,950", 33), "… cost $7,950 per line in 2025.");
        assert_eq!(
            from_value("車両は全部で18編成あり、一編成の定員は135人である。", "135", 24),
            "…の定員は135人である。"
        );
    }
}
