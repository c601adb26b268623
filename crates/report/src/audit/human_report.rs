//! For people, on a terminal and as a page: what is new with the places that stand on it and what can be done, then what was told before; the
//! page has the same by document, and how it went over time.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::markdown;
use crate::findings::Stream;
use crate::html::parts;
use crate::html::sheet::{Entry, Line, Part, Sheet};
use crate::html::{Tone, View};
use crate::printers::OwnReport;
use crate::printers::json::pretty;
use crate::wording::{counted, day, lines_named, listed, tally};
use cited_audit::compare::{Compared, PinState};
use cited_audit::report::{Entry as Told, Remedy, Verdict};
use cited_audit::{AuditReport, CitationPosition, News, State};
use cited_core::error::Result;
use cited_core::finding::Severity;
use cited_judge::retracted::Retraction;

/// Places of a source that are shown; more are counted.
const PLACES: usize = 10;

impl OwnReport for AuditReport {
    fn json(&self) -> Result<String> {
        pretty(self)
    }

    fn sheet(&self) -> Sheet {
        let verdict = match self.verdict {
            Verdict::Quiet => ("NOTHING NEW", Tone::Good),
            Verdict::News => ("NEWS", Tone::Bad),
            Verdict::Blocked => ("COULD NOT BE COMPLETED", Tone::Doubtful),
        };
        // What could not be done is no detail of a page that may say that nothing is new.
        let undone = self.blocked.iter().chain(&self.unread);
        let undone: Vec<_> = undone.map(|why| Entry::new((Tone::Bad, "not completed"), why, "")).collect();
        let undone = (!undone.is_empty()).then(|| Part {
            aside: true,
            ..Part::new("undone", "Not completed", vec![("What could not be done".to_owned(), undone)])
        });
        let left = (self.left_out > 0).then(|| format!("{} more in the next report", self.left_out));
        let told = left.into_iter().chain([standing(self)]).collect();
        let news = tally(self.entries.iter().map(|entry| entry.news).filter(|news| news.is_new()));
        let news = listed(news.iter().map(|(news, count)| (*count, format!("{count} {}", news.short_name()))));
        let headline = match self.verdict {
            Verdict::Blocked => "The audit could not be completed",
            _ if news.is_empty() => "Nothing new",
            _ => &news,
        };
        let lead = format!("{headline}. {}.", standing(self));
        let parts = [
            Part::new("new", "New", groups(self, true)),
            Part { told, ..Part::new("known", "Told before", groups(self, false)) },
            Part { aside: true, ..Part::new("documents", "By document", by_document(self)) },
        ];
        let parts = undone.into_iter().chain(parts).collect();
        Sheet { title: format!("Audit of {}", day(self.at)), verdict, lead, parts }
    }

    fn view(&self, _: &Stream) -> View {
        View { id: "history", name: "Over time", count: None, content: history(self) }
    }

    fn markdown(&self) -> Option<String> {
        Some(markdown::render(self))
    }
}

/// The entries by what there is to tell of them: those with news, or those that were told before.
fn groups(report: &AuditReport, new: bool) -> Vec<(String, Vec<Entry>)> {
    let of = |news: News| {
        let entries = report.entries.iter().filter(|entry| entry.news == news);
        (news.title().to_owned(), entries.map(describe_source).collect::<Vec<_>>())
    };
    News::ALL.iter().copied().filter(|news| news.is_new() == new).map(of).filter(|(_, of)| !of.is_empty()).collect()
}

/// A source by its address, with its state.
fn entry(told: &Told, words: &str) -> Entry {
    let state = told.source.state;
    let tone = if told.news == News::Recovered { Tone::Good } else { grade(state).into() };
    Entry::new((tone, state.as_str()), told.source.address(), words)
}

/// One source: what became of it, what stands on it, and what can be done.
fn describe_source(told: &Told) -> Entry {
    let mut lines = vec![Line::Words(seen(told))];
    lines.extend(told.source.drift.iter().map(|Compared { passage, found, state, .. }| {
        Line::Quote(match found.as_ref().filter(|_| *state == PinState::Changed) {
            Some(found) => format!("it said “{passage}”, and says “{found}” now"),
            None => format!("it said “{passage}”, and no more does"),
        })
    }));
    lines.extend(told.places.iter().take(PLACES).map(|at| {
        let sentence = if at.sentence.is_empty() { String::new() } else { format!(": “{}”", at.sentence) };
        // A document may have no line of it.
        let line = if at.line > 0 { format!(":{}", at.line) } else { String::new() };
        Line::Words(format!("{}{line}{sentence}", at.document))
    }));
    let more = told.places_in_all.saturating_sub(told.places.len().min(PLACES) as u64);
    lines.extend((more > 0).then(|| Line::Words(format!("and {}", counted(more, "more place")))));
    lines.extend(remedy(told).map(|remedy| Line::Words(format!("-> {remedy}"))));
    Entry { lines, ..entry(told, told.source.titles.first().map_or("", String::as_str)) }
}

/// The entries by document, each with its lines there.
fn by_document(report: &AuditReport) -> Vec<(String, Vec<Entry>)> {
    let one = |places: &[(&Told, &CitationPosition)]| {
        let lines: Vec<i64> = places.iter().map(|(_, at)| at.line).filter(|line| *line > 0).collect();
        Entry { place: lines_named(&lines, usize::MAX), ..entry(places[0].0, "") }
    };
    let of = |(document, places): (&str, Vec<(&Told, &CitationPosition)>)| {
        (document.to_owned(), places.chunk_by(|a, b| std::ptr::eq(a.0, b.0)).map(one).collect())
    };
    report.by_document().into_iter().map(of).collect()
}

/// How all sources are, and how that was in the rounds before: the same numbers as charts and as a table.
fn history(report: &AuditReport) -> Markup {
    let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let states = State::ALL.iter().filter_map(|state| {
        let tone = if *state == State::Alive { Tone::Good } else { grade(*state).into() };
        Some((state.as_str(), count(*report.settled.states.get(state)?), tone))
    });
    let over_time = |of: &dyn Fn(&BTreeMap<State, u64>) -> u64| -> Vec<(String, usize)> {
        report.days.iter().map(|round| (day(round.began).to_string(), count(of(&round.settled.states)))).collect()
    };
    let broken = |states: &BTreeMap<State, u64>| {
        [State::Rotten, State::Drifted].iter().filter_map(|state| states.get(state)).sum::<u64>()
    };
    html! {
        div.charts {
            (parts::bars("All sources by state", states))
            (parts::history("Of a hundred sources are alive", &over_time(&alive)))
            (parts::history("Rotten or drifted", &over_time(&broken)))
        }
    }
}

/// How many of a hundred sources are alive, of those of which something is known.
fn alive(states: &BTreeMap<State, u64>) -> u64 {
    let of = |state| states.get(&state).copied().unwrap_or_default();
    let known = states.values().sum::<u64>() - of(State::Unknown);
    (100 * of(State::Alive)).checked_div(known).unwrap_or_default()
}

/// What became of the source, in one sentence without a full stop that goes on behind its address.
pub(super) fn seen(entry: &Told) -> String {
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
        // ` (3 checks from 2026-01-01 to 2026-01-08)`, as far as failures are known.
        (_, State::Rotten) => match (source.streak.first, source.streak.last) {
            (Some(first), Some(last)) if source.streak.gone > 1 => {
                format!("is gone{reason} ({} checks from {} to {})", source.streak.gone, day(first), day(last))
            }
            _ => format!("is gone{reason}"),
        },
        (_, State::Drifted) => "is there, but not what is cited from it".to_owned(),
        (_, State::Moved) => {
            format!("has moved for good to {}", source.new_address().unwrap_or("another address"))
        }
        (_, state) => format!("is {state}"),
    };
    told + &acknowledged(entry)
}

/// What indexes say became of the work: `retracted: Retraction, 2024-05-01, https://doi.org/10.5555/n (crossref)`.
fn noticed(entry: &Told) -> String {
    let of = |notice: &Retraction| format!("{}: {} ({})", notice.fate, notice.words, notice.who());
    entry.source.notices.iter().map(of).collect::<Vec<_>>().join("; ")
}

/// `, acknowledged until 2026-01-08 (reason)`, where an acknowledgement has run out.
fn acknowledged(entry: &Told) -> String {
    let Some(given) = entry.source.acknowledgement.as_ref().filter(|_| entry.news == News::AcknowledgementExpired)
    else {
        return String::new();
    };
    let who = if given.who.is_empty() { String::new() } else { format!(" by {}", given.who) };
    format!(", acknowledged{who} until {} ({})", given.last_day(), given.reason)
}

/// What can be done about it, in one sentence without a full stop.
pub(super) fn remedy(entry: &Told) -> Option<String> {
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

/// All that was done, and how all sources are, on one line.
fn standing(report: &AuditReport) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::sample;
    use crate::findings::Stream;

    fn page(report: &AuditReport) -> String {
        report.sheet().html(report.view(&Stream::default()))
    }

    #[test]
    fn a_night_as_a_page() {
        let report = sample::report();
        let html = page(&report);
        let at = |words: &str| html.find(words).unwrap_or_else(|| panic!("{words} is not in {html}"));
        // News first, then what was told, then documents and time.
        let order = ["id=\"view-new\"", "id=\"view-known\"", "id=\"view-documents\"", "id=\"view-history\""];
        assert!(order.windows(2).all(|two| at(two[0]) < at(two[1])));
        // Each entry is told by source and by document.
        let (sources, documents) = html.split_at(at(order[2]));
        let addresses = report.entries.iter().map(|entry| entry.source.address());
        for address in addresses.filter(|address| address.starts_with("https://") && !address.contains(['&', '"'])) {
            let link = format!("href=\"{address}\"");
            assert!(sources.contains(&link) && documents.contains(&link), "{link}");
        }
        // Nothing from outside is markup, leads elsewhere than it says, or hides words.
        assert!(!html.contains("<img") && html.matches("<script").count() == 1);
        assert!(!html.contains("href=\"javascript") && html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
        assert!(!html.contains('\u{202e}') && !html.contains('\u{1b}'));
        assert!(html.contains("an archive has a copy of 2023-01-05"));
        assert!(html.contains("and 12 more places"), "of 14 places two are shown");
        // 28 alive and none rotten at first; 24 alive and 4 rotten in the end.
        assert!(html.contains("aria-label=\"Of a hundred sources are alive: 2026-01-01: 100, "), "{html}");
        assert!(html.contains("2026-01-10: 85\""), "{html}");
    }

    #[test]
    fn a_quiet_night_and_one_that_proves_nothing() {
        let quiet = page(&sample::quiet());
        assert!(
            quiet.contains("✓ NOTHING NEW") && quiet.contains("There is nothing.") && !quiet.contains("not completed")
        );
        let blocked = page(&sample::blocked());
        assert!(blocked.contains("COULD NOT BE COMPLETED") && !blocked.contains("NOTHING NEW"));
        assert!(blocked.contains("9 of 10 hosts that used to answer did not"));
        assert_eq!(alive(&BTreeMap::new()), 0);
    }
}
