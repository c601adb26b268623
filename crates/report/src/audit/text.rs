//! For people: what is new, with the places that stand on it and what can be done; then one line of counts.

use std::fmt::Write as _;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use owo_colors::{OwoColorize as _, Style};

use crate::findings::shown;
use cited_audit::compare::{Compared, PinState};
use cited_audit::report::{AuditReport, Entry, Remedy};
use cited_audit::{News, State};
use cited_core::finding::Severity;

/// Places of an entry that are named.
const PLACES: usize = 10;
/// Characters of a sentence or passage that are shown.
const WORDS: usize = 160;

/// The report as text. With `color`, as ANSI sequences.
pub fn render(report: &AuditReport, color: bool) -> String {
    let mut out = String::new();
    let style = |style: Style| if color { style } else { Style::new() };
    for news in News::ALL {
        let entries: Vec<&Entry> = report.entries.iter().filter(|entry| entry.news == news).collect();
        if entries.is_empty() {
            continue;
        }
        let head = match news.severity() {
            Severity::Error => style(Style::new().red().bold()),
            Severity::Warning => style(Style::new().yellow().bold()),
            Severity::Note => style(Style::new().cyan().bold()),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{} ({})\n", news.title().style(head), entries.len());
        entries.into_iter().for_each(|entry| one(&mut out, entry, style(Style::new().bold())));
    }
    if report.left_out > 0 {
        let _ = writeln!(out, "{} more in the next report\n", report.left_out);
    }
    out.push_str(&summary(report));
    out
}

/// All that was done, and how all sources are, in a line or two.
pub fn summary(report: &AuditReport) -> String {
    let states = State::ALL.iter().filter_map(|state| Some((state, report.states.get(state)?)));
    let states: Vec<String> = states.map(|(state, count)| format!("{count} {state}")).collect();
    let states = if states.is_empty() { String::new() } else { format!(": {}", states.join(", ")) };
    let carried = match report.carried_over {
        0 => String::new(),
        count => format!("; {count} due and not reached, they come first the next time"),
    };
    let documents = counted(report.documents, "document");
    format!("{} in {documents}{states}; {} asked{carried}\n", counted(report.sources(), "source"), report.checked)
}

fn counted(count: u64, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

fn one(out: &mut String, entry: &Entry, bold: Style) {
    let title = entry.titles.first().map(|title| format!("  {}", clean(title))).unwrap_or_default();
    let _ = writeln!(out, "  {}{title}", clean(&entry.address).style(bold));
    let _ = writeln!(out, "    {}", clean(&why(entry)));
    for compared in &entry.drift {
        let _ = writeln!(out, "    {}", drifted(compared));
    }
    for place in entry.places.iter().take(PLACES) {
        let line = if place.line > 0 { format!(":{}", place.line) } else { String::new() };
        let sentence = if place.sentence.is_empty() { String::new() } else { format!("  {}", clean(&place.sentence)) };
        let _ = writeln!(out, "    {}{line}{sentence}", clean(&place.document));
    }
    let more = entry.places_in_all.saturating_sub(entry.places.len().min(PLACES) as u64);
    if more > 0 {
        let _ = writeln!(out, "    and {}", counted(more, "more place"));
    }
    if let Some(remedy) = remedy(&entry.remedy) {
        let _ = writeln!(out, "    -> {}", clean(&remedy));
    }
    out.push('\n');
}

/// What was seen, how often and since when.
fn why(entry: &Entry) -> String {
    let reason = if entry.reason.is_empty() {
        entry.outcome.map_or("not asked yet", |outcome| outcome.as_str())
    } else {
        &entry.reason
    };
    let since = entry.streak.since.filter(|_| entry.streak.failures > 0);
    let streak = since.map(|since| {
        format!("; {} in a row since {}", counted(u64::from(entry.streak.failures), "failed check"), day(since))
    });
    let good = entry
        .last_good
        .filter(|_| !matches!(entry.state, State::Alive))
        .map(|good| format!("; last good {}", day(good)));
    let known = entry.acknowledgement.as_ref().map(|given| {
        let who = if given.who.is_empty() { String::new() } else { format!(" by {}", given.who) };
        format!("; acknowledged{who} until {}: {}", given.last_day(), given.reason)
    });
    [Some(reason.to_owned()), streak, good, known].into_iter().flatten().collect()
}

fn drifted(compared: &Compared) -> String {
    let passage = clean(&compared.passage);
    match (&compared.found, compared.state) {
        (Some(found), PinState::Changed) => format!("it said \"{passage}\", and says \"{}\" now", clean(found)),
        _ => format!("it said \"{passage}\", and no more does"),
    }
}

/// What can be done, in words.
pub fn remedy(remedy: &Remedy) -> Option<String> {
    Some(match remedy {
        Remedy::NewAddress { address } => format!("it is at {address} now"),
        Remedy::ArchivedCopy { address, taken } => format!("an archive has a copy of {}: {address}", day(*taken)),
        Remedy::ReadAgain => "read the page again, and write what it says now".to_owned(),
        Remedy::ArchiveUnasked => "no archive could be asked for a copy; a later night will".to_owned(),
        Remedy::Replace => "no archive has a copy: cite another source, or drop what stands on it".to_owned(),
        Remedy::None => return None,
    })
}

/// The day of a moment, in UTC.
pub fn day(moment: Timestamp) -> String {
    moment.to_zoned(TimeZone::UTC).date().to_string()
}

/// Words from outside on one line, not too many, without controls.
pub fn clean(text: &str) -> String {
    let mut all: String = text.chars().take(WORDS).map(|c| if c == '\n' { ' ' } else { shown(c) }).collect();
    if text.chars().nth(WORDS).is_some() {
        all.push('…');
    }
    all
}
