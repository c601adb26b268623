//! For people, on a terminal and as a page: what is new with the places that stand on it and what can be done, then what was told before; the
//! page has the same by document, and how it went over time.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::words::{format_position, grade, headline, remedy, seen, standing};
use crate::html::Tone;
use crate::html::parts::chart;
use crate::html::parts::source;
use crate::html::sheet::{Entry as SheetEntry, Line, Part, Shape, Sheet};
use crate::wording::{counted, day, lines_named};
use cited_audit::compare::{Compared, PinState};
use cited_audit::report::{Entry, Verdict};
use cited_audit::{AuditReport, CitationPosition, News, State};
use cited_core::outcome::Outcome;

/// Places of a source that a terminal and a page show; more are counted.
const PLACES: usize = 10;
const PLACES_ON_A_PAGE: usize = 50;

/// The report for a terminal, and as a page in front of [`history`].
pub(super) fn sheet(report: &AuditReport) -> Sheet {
    let verdict = match report.verdict {
        Verdict::Quiet => ("NOTHING NEW", Tone::Good),
        Verdict::News => ("NEWS", Tone::Bad),
        Verdict::Blocked => ("COULD NOT BE COMPLETED", Tone::Doubtful),
    };
    let undone = report.blocked.iter().chain(&report.unread).map(|why| SheetEntry {
        state: (Tone::Bad, "not completed".to_owned()),
        name: why.clone(),
        aside: true,
        ..SheetEntry::default()
    });
    let part = |id, name, groups, aside, told| Part { id, name, groups, aside, told };
    // What could not be done is no detail of a page that may say that nothing is new.
    let mut new = groups(report, News::is_new);
    new.insert(0, (String::new(), undone.collect()));
    let left = (report.left_out > 0).then(|| format!("{} more in the next report", report.left_out));
    let told = left.into_iter().chain([standing(report)]).collect();
    let parts = vec![
        part("new", "New", new, false, Vec::new()),
        part("known", "Told before", groups(report, |news| !news.is_new()), false, told),
        part("documents", "By document", by_document(report), true, Vec::new()),
    ];
    let headline = headline(report);
    let (first, rest) = headline.split_at(headline.chars().next().map_or(0, char::len_utf8));
    let lead = format!("{}{rest}. {}.", first.to_uppercase(), standing(report));
    Sheet { title: format!("Audit of {}", day(report.at)), verdict, lead, parts, closes: false }
}

/// The entries by what there is to tell of them, those that are wanted.
fn groups(report: &AuditReport, wanted: impl Fn(News) -> bool) -> Vec<(String, Vec<SheetEntry>)> {
    let of = |news: News| {
        let entries = report.entries.iter().filter(move |entry| entry.news == news);
        (news.title().to_owned(), entries.map(describe_source).collect::<Vec<_>>())
    };
    News::ALL.iter().copied().filter(|news| wanted(*news)).map(of).filter(|(_, of)| !of.is_empty()).collect()
}

fn tone(entry: &Entry) -> Tone {
    if entry.news == News::Recovered { Tone::Good } else { grade(entry.source.state).into() }
}

/// One source: what became of it, what stands on it, and what can be done.
fn describe_source(entry: &Entry) -> SheetEntry {
    let mut lines = vec![Line::new(seen(entry))];
    lines.extend(entry.source.drift.iter().map(|compared| Line::with_shape(Shape::Quote, drifted(compared))));
    for (i, at) in entry.places.iter().take(PLACES_ON_A_PAGE).enumerate() {
        let sentence = if at.sentence.is_empty() { String::new() } else { format!(": “{}”", at.sentence) };
        let line = Line::new(format_position(at) + &sentence);
        lines.push(if i < PLACES { line } else { line.aside() });
    }
    let more = entry.places_in_all.saturating_sub(entry.places.len().min(PLACES) as u64);
    lines.extend((more > 0).then(|| Line::new(format!("and {}", counted(more, "more place")))));
    lines.extend(remedy(entry).map(|remedy| Line::new(format!("-> {remedy}"))));
    SheetEntry {
        state: (tone(entry), entry.source.state.to_string()),
        name: entry.source.address().to_owned(),
        text: entry.source.titles.first().cloned().unwrap_or_default(),
        lines,
        ..SheetEntry::default()
    }
}

fn drifted(compared: &Compared) -> String {
    let passage = &compared.passage;
    match (&compared.found, compared.state) {
        (Some(found), PinState::Changed) => format!("it said “{passage}”, and says “{found}” now"),
        _ => format!("it said “{passage}”, and no more does"),
    }
}

/// The entries by document, each with its lines there.
fn by_document(report: &AuditReport) -> Vec<(String, Vec<SheetEntry>)> {
    let one = |entry: &Entry, places: &[&CitationPosition]| {
        let lines: Vec<i64> = places.iter().map(|at| at.line).filter(|line| *line > 0).collect();
        SheetEntry {
            state: (tone(entry), entry.source.state.to_string()),
            name: entry.source.address().to_owned(),
            place: lines_named(&lines, usize::MAX),
            ..SheetEntry::default()
        }
    };
    let of = |(document, entries): (&str, Vec<(&Entry, Vec<&CitationPosition>)>)| {
        (document.to_owned(), entries.iter().map(|(entry, places)| one(entry, places)).collect::<Vec<_>>())
    };
    report.by_document().into_iter().map(of).collect()
}

/// How all sources are, and how that was in the rounds before: the same numbers as charts and as a table.
pub(super) fn history(report: &AuditReport) -> Markup {
    let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let states = State::ALL.iter().filter_map(|state| {
        let tone = if *state == State::Alive { Tone::Good } else { grade(*state).into() };
        Some((state.as_str(), count(*report.settled.states.get(state)?), tone))
    });
    let outcomes = Outcome::ALL.iter().filter_map(|outcome| {
        let asked = *report.settled.outcomes.get(outcome.as_str())?;
        Some((outcome.as_str(), count(asked), source::tone(*outcome)))
    });
    let over_time = |of: &dyn Fn(&BTreeMap<State, u64>) -> u64| -> Vec<(String, usize)> {
        report.days.iter().map(|round| (day(round.began).to_string(), count(of(&round.settled.states)))).collect()
    };
    let broken = |states: &BTreeMap<State, u64>| {
        [State::Rotten, State::Drifted].iter().filter_map(|state| states.get(state)).sum::<u64>()
    };
    html! {
        div.charts {
            (chart::bars("All sources by state", states))
            (chart::bars("What asking gave in this round", outcomes))
            (chart::history("Of a hundred sources are alive", &over_time(&alive)))
            (chart::history("Rotten or drifted", &over_time(&broken)))
        }
    }
}

/// How many of a hundred sources are alive, of those of which something is known.
fn alive(states: &BTreeMap<State, u64>) -> u64 {
    let of = |state| states.get(&state).copied().unwrap_or_default();
    let known = states.values().sum::<u64>() - of(State::Unknown);
    (100 * of(State::Alive)).checked_div(known).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::sample;
    use crate::findings::Stream;
    use crate::printers::OwnReport as _;

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
