//! What all formats say of an entry, in the same words.

use crate::wording::{counted, day, listed, tally};
use cited_audit::report::{Entry, Remedy, Verdict};
use cited_audit::{AuditReport, News, State};
use cited_core::finding::Severity;
use cited_judge::retracted::Retraction;

/// What became of the source, in one sentence without a full stop that goes on behind its address.
pub(super) fn seen(entry: &Entry) -> String {
    let source = &entry.source;
    let reason = match source.reason() {
        "" => String::new(),
        reason => format!(": {reason}"),
    };
    let told = match (entry.news, source.state) {
        (News::Recovered, _) => return "is back".to_owned(),
        (News::Unreachable, _) => {
            let since = source.streak.since.map(|since| format!(" since {}", day(since))).unwrap_or_default();
            return format!("has not answered{since} ({} checks){reason}", source.streak.failures);
        }
        (News::Corrected, _) => return format!("was corrected: {}", noticed(entry)),
        (_, State::Retracted) => format!("is cited, and was retracted or is in doubt: {}", noticed(entry)),
        (_, State::Rotten) => format!("is gone{reason}{}", checks(entry)),
        (_, State::Drifted) => "is there, but not what is cited from it".to_owned(),
        (_, State::Moved) => {
            format!("has moved for good to {}", source.new_address().unwrap_or("another address"))
        }
        (_, state) => format!("is {state}"),
    };
    told + &acknowledged(entry)
}

/// What indexes say became of the work: `retracted: Retraction, 2024-05-01, https://doi.org/10.5555/n (crossref)`.
fn noticed(entry: &Entry) -> String {
    let of = |notice: &Retraction| format!("{}: {} ({})", notice.fate, notice.words, notice.who());
    entry.source.notices.iter().map(of).collect::<Vec<_>>().join("; ")
}

/// ` (3 checks from 2026-01-01 to 2026-01-08)`, as far as failures are known.
fn checks(entry: &Entry) -> String {
    let streak = &entry.source.streak;
    match (streak.first, streak.last) {
        (Some(first), Some(last)) if streak.gone > 1 => {
            format!(" ({} checks from {} to {})", streak.gone, day(first), day(last))
        }
        _ => String::new(),
    }
}

/// `, acknowledged until 2026-01-08 (reason)`, where an acknowledgement has run out.
fn acknowledged(entry: &Entry) -> String {
    let Some(given) = entry.source.acknowledgement.as_ref().filter(|_| entry.news == News::AcknowledgementExpired)
    else {
        return String::new();
    };
    let who = if given.who.is_empty() { String::new() } else { format!(" by {}", given.who) };
    format!(", acknowledged{who} until {} ({})", given.last_day(), given.reason)
}

/// What can be done about it, in one sentence without a full stop.
pub(super) fn remedy(entry: &Entry) -> Option<String> {
    Some(match &entry.remedy {
        Remedy::NewAddress { address } => format!("it is at {address} now"),
        Remedy::ArchivedCopy { address, taken } => format!("an archive has a copy of {}: {address}", day(*taken)),
        Remedy::SaySo => "cite another source, or say so in the text".to_owned(),
        Remedy::ReadAgain => "read the page again, and write what it says now".to_owned(),
        Remedy::ArchiveUnasked => "no archive could be asked for a copy; a later night will".to_owned(),
        Remedy::Replace => "no archive has a copy: cite another source, or drop what stands on it".to_owned(),
        Remedy::None => return None,
    })
}

/// How grave the state is, whenever it was told: what formats with a memory of their own go by.
pub(super) fn grade(state: State) -> Severity {
    match state {
        State::Rotten | State::Retracted | State::Drifted => Severity::Error,
        State::Moved => Severity::Warning,
        _ => Severity::Note,
    }
}

/// What the night was, in a few words: `2 newly rotten, 1 moved`.
pub(super) fn headline(report: &AuditReport) -> String {
    if report.verdict == Verdict::Blocked {
        return "the audit could not be completed".to_owned();
    }
    let counts = tally(report.entries.iter().map(|entry| entry.news).filter(|news| news.is_new()));
    let told = listed(counts.iter().map(|(news, count)| (*count, format!("{count} {}", news.short_name()))));
    if told.is_empty() { "nothing new".to_owned() } else { told }
}

/// All that was done, and how all sources are, on one line.
pub(super) fn standing(report: &AuditReport) -> String {
    let states = State::ALL.iter().filter_map(|state| Some((state, report.settled.states.get(state)?)));
    let states: Vec<String> = states.map(|(state, count)| format!("{count} {state}")).collect();
    let states = if states.is_empty() { String::new() } else { format!(": {}", states.join(", ")) };
    let carried = match report.settled.carried {
        0 => String::new(),
        count => format!("; {count} due and not reached, they come first the next time"),
    };
    let documents = counted(report.documents, "document");
    format!("{} in {documents}{states}; {} asked{carried}", counted(report.sources(), "source"), report.settled.checked)
}

/// Where a place is: `docs/a.md:3`, without a line where the document has none.
pub(super) fn format_position(place: &cited_audit::CitationPosition) -> String {
    if place.line > 0 { format!("{}:{}", place.document, place.line) } else { place.document.clone() }
}
