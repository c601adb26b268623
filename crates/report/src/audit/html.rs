//! The report as a page for people: what is new first, then the same by document, then how it went over time.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::words::{headline, place, remedy, seen, standing};
use crate::html::parts::chart::{self, Bar};
use crate::html::parts::{address, counted, direction, finding, shown, source, tile};
use crate::html::{Page, Tone, View, sign};
use crate::wording::day;
use cited_audit::compare::{Compared, PinState};
use cited_audit::report::{Entry, Remedy, Verdict};
use cited_audit::{AuditReport, News, Place, State};
use cited_core::outcome::Outcome;

/// Places of a source that are shown; more are counted.
const MOST_PLACES: usize = 50;

/// The page.
pub fn render(report: &AuditReport) -> String {
    let (verdict, tone) = match report.verdict {
        Verdict::Quiet => ("NOTHING NEW", Tone::Good),
        Verdict::News => ("NEWS", Tone::Bad),
        Verdict::Blocked => ("COULD NOT BE COMPLETED", Tone::Doubtful),
    };
    let numbered: Vec<(usize, &Entry)> = report.entries.iter().enumerate().collect();
    let (new, old): (Vec<_>, Vec<_>) = numbered.iter().copied().partition(|(_, entry)| entry.news.is_new());
    let documents = report.by_document();
    let blocked = report.verdict == Verdict::Blocked;
    let nothing = if blocked { "It could not be told whether something is new." } else { "Nothing is new." };
    let view = |id, name, count, content| View { id, name, count, content };
    let mut views = vec![view("new", "New", Some(new.len()), groups(&new, nothing))];
    if !old.is_empty() {
        views.push(view("known", "Told before", Some(old.len()), groups(&old, "")));
    }
    views.push(view("documents", "By document", Some(documents.len()), by_document(report, &documents)));
    views.push(view("history", "Over time", None, history(report)));
    if report.blocked.is_some() || !report.unread.is_empty() {
        let content = html! {
            @if let Some(why) = &report.blocked { p.big { (shown(why)) } }
            ul.plain { @for what in &report.unread { li { bdi { (shown(what)) } } } }
        };
        // What could not be done is no detail of a page that may say that nothing is new.
        views.insert(0, view("undone", "Not completed", None, content));
    }
    let title = format!("Audit of {}", day(report.at));
    let lead = format!("{}. {}.", sentence(&headline(report)), standing(report));
    Page { title: &title, verdict, tone, lead, views, beside: None, review: None }.render()
}

/// Words with a capital letter at their beginning.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The name of an entry on the page.
fn anchor(number: usize) -> String {
    format!("s{}", number + 1)
}

/// Entries by what there is to tell of them.
fn groups(entries: &[(usize, &Entry)], nothing: &str) -> Markup {
    html! {
        @if entries.is_empty() { p.empty { (nothing) } }
        @for news in News::ALL {
            @let of: Vec<_> = entries.iter().filter(|(_, entry)| entry.news == news).collect();
            @if !of.is_empty() {
                section.file {
                    h3 { (news.title()) " " span.n { (of.len()) } }
                    ol.sources { @for (number, entry) in of { (one(*number, entry)) } }
                }
            }
        }
    }
}

/// One source: what became of it, what can be done, what stands on it, and how its checks went.
fn one(number: usize, entry: &Entry) -> Markup {
    let title = entry.titles.first().map_or(entry.address.as_str(), String::as_str);
    let words = seen(entry);
    html! {
        li.source #(anchor(number)) {
            span.no { (number + 1) }
            div.what {
                h4 dir=[direction(title)] { (shown(title)) }
                p { (address(&entry.address)) }
                p.state { (badge(entry)) " " (shown(&words)) }
                @for compared in &entry.drift { (drifted(compared)) }
                (to_do(entry))
                @if let Some(known) = &entry.acknowledgement {
                    p { "Acknowledged until " (known.last_day()) @if !known.who.is_empty() { " by " bdi { (shown(&known.who)) } } ": " bdi { (shown(&known.reason)) } }
                }
                ul.plain {
                    @for at in entry.places.iter().take(MOST_PLACES) { (stands(at)) }
                    @let more = entry.places_in_all.saturating_sub(entry.places.len().min(MOST_PLACES) as u64);
                    @if more > 0 { li { "… and " (more) " more" } }
                }
                details { summary { "How its checks went" } (checks(entry)) }
            }
        }
    }
}

fn badge(entry: &Entry) -> Markup {
    let tone = if entry.news == News::Recovered { Tone::Good } else { finding::tone(super::words::grade(entry.state)) };
    html! { b.(tone.class()) { (sign(tone)) " " (entry.state) } }
}

/// A place that stands on a source, with its sentence.
fn stands(at: &Place) -> Markup {
    html! {
        li {
            span.place { bdi { (shown(&place(at))) } }
            @if !at.sentence.is_empty() { " " bdi { (shown(&at.sentence)) } }
        }
    }
}

fn drifted(compared: &Compared) -> Markup {
    html! {
        p.passage dir=[direction(&compared.passage)] { (shown(&compared.passage)) }
        @match (&compared.found, compared.state) {
            (Some(found), PinState::Changed) => { p.remark { "It says this now:" } p.passage dir=[direction(found)] { (shown(found)) } },
            _ => p.remark { "The page no more says it." },
        }
    }
}

fn to_do(entry: &Entry) -> Markup {
    html! {
        @match &entry.remedy {
            Remedy::NewAddress { address: to } => p { "What to do: write the new address: " (address(to)) },
            Remedy::ArchivedCopy { address: copy, taken } => p { "What to do: cite the copy of " (day(*taken)) ": " (address(copy)) },
            _ => { @if let Some(words) = remedy(entry) { p { "What to do: " (words) } } },
        }
    }
}

fn checks(entry: &Entry) -> Markup {
    html! {
        dl.facts {
            dt { "First seen" } dd { (day(entry.first_seen)) }
            @if let Some(at) = entry.last_good { dt { "Last good" } dd { (day(at)) } }
            @if let Some(at) = entry.checked { dt { "Last asked" } dd { (day(at)) } }
            @if let Some(at) = entry.due { dt { "Asked again" } dd { (day(at)) } }
            @if !entry.reason.is_empty() { dt { "Answer" } dd { (shown(&entry.reason)) } }
            @if !entry.aliases.is_empty() { dt { "Also at" } dd { @for alias in &entry.aliases { (address(alias)) br; } } }
        }
        @if !entry.history.is_empty() {
            ol.hops {
                @for stretch in &entry.history {
                    li { (source::badge(stretch.outcome)) " " (day(stretch.first)) @if stretch.checks > 1 { " to " (day(stretch.last)) ", " (stretch.checks) " checks" } }
                }
            }
        }
    }
}

/// An entry in a list, which leads to where it is told.
fn link(number: usize, entry: &Entry) -> Markup {
    html! { (badge(entry)) " " a.url href={ "#" (anchor(number)) } { (shown(&entry.address)) } }
}

fn by_document(report: &AuditReport, documents: &BTreeMap<&str, Vec<(&Entry, Vec<&Place>)>>) -> Markup {
    let number = |entry: &Entry| report.entries.iter().position(|other| std::ptr::eq(other, entry));
    html! {
        @if documents.is_empty() { p.empty { "No document has anything to mend." } }
        @for (document, entries) in documents {
            section.file {
                h3 dir="auto" { (shown(document)) " " span.n { (entries.len()) } }
                ul.plain {
                    @for (entry, places) in entries {
                        li {
                            @if let Some(number) = number(entry) { (link(number, entry)) }
                            @let lines: Vec<String> = places.iter().filter(|at| at.line > 0).map(|at| at.line.to_string()).collect();
                            @if !lines.is_empty() { " " span.place { (if lines.len() == 1 { "line " } else { "lines " }) (lines.join(", ")) } }
                        }
                    }
                }
            }
        }
    }
}

/// How all sources are, and how that was in the rounds before: the same numbers as charts and as a table.
fn history(report: &AuditReport) -> Markup {
    let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let states: Vec<Bar> = State::ALL
        .iter()
        .filter_map(|state| {
            let tone = if *state == State::Alive { Tone::Good } else { finding::tone(super::words::grade(*state)) };
            Some(Bar::new(state.as_str(), count(*report.states.get(state)?), tone))
        })
        .collect();
    let outcomes: Vec<Bar> = Outcome::ALL
        .iter()
        .filter_map(|outcome| {
            let asked = *report.outcomes.get(outcome.as_str())?;
            Some(Bar::new(outcome.as_str(), count(asked), source::tone(*outcome)))
        })
        .collect();
    let over_time = |of: &dyn Fn(&BTreeMap<State, u64>) -> u64| -> Vec<(String, usize)> {
        report.days.iter().map(|round| (day(round.began).to_string(), count(of(&round.settled.states)))).collect()
    };
    let broken = |states: &BTreeMap<State, u64>| {
        [State::Rotten, State::Drifted].iter().filter_map(|state| states.get(state)).sum::<u64>()
    };
    html! {
        dl.tiles {
            (tile(count(report.sources()), "sources")) (tile(count(report.documents), "documents"))
            (tile(count(report.checked), "asked")) (tile(count(report.carried_over), "due and not reached"))
        }
        @if report.left_out > 0 { p.big { (counted(count(report.left_out), "more source comes", "more sources come")) " in the next report." } }
        div.charts {
            (chart::bars("All sources by state", &states))
            (chart::bars("What asking gave in this round", &outcomes))
            (chart::history("Of a hundred sources are alive", &over_time(&alive)))
            (chart::history("Rotten or drifted", &over_time(&broken)))
        }
        @if !report.days.is_empty() {
            div.wide-table tabindex="0" role="group" aria-label="Rounds" {
                table.grid {
                    thead { tr { th scope="col" { "Round of" } th.num scope="col" { "Asked" } th.num scope="col" { "Alive, of a hundred" } th.num scope="col" { "Rotten or drifted" } th scope="col" { "Outcomes" } } }
                    tbody {
                        @for round in report.days.iter().rev() {
                            @let settled = &round.settled;
                            tr {
                                td { (day(round.began)) }
                                td.num { (settled.checked) }
                                td.num { (alive(&settled.states)) }
                                td.num { (broken(&settled.states)) }
                                td {
                                    (settled.outcomes.iter().map(|(outcome, count)| format!("{count} {outcome}")).collect::<Vec<_>>().join(", "))
                                    @if let Some((failed, of)) = settled.failed_hosts { " " b.doubt { (failed) " of " (of) " hosts failed: no state changed" } }
                                }
                            }
                        }
                    }
                }
            }
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

    #[test]
    fn a_night_as_a_page() {
        let report = sample::report();
        let html = render(&report);
        let at = |words: &str| html.find(words).unwrap_or_else(|| panic!("{words} is not in {html}"));
        // News first, then what was told, then documents and time.
        let order = ["id=\"view-new\"", "id=\"view-known\"", "id=\"view-documents\"", "id=\"view-history\""];
        assert!(order.windows(2).all(|two| at(two[0]) < at(two[1])));
        // Each entry is told once, and the list of documents leads to it.
        for number in 0..report.entries.len() {
            assert_eq!(html.matches(&format!("id=\"{}\"", anchor(number))).count(), 1);
            assert!(html.matches(&format!("href=\"#{}\"", anchor(number))).count() >= 1);
        }
        // Nothing from outside is markup, leads elsewhere than it says, or hides words.
        assert!(!html.contains("<img") && html.matches("<script").count() == 1);
        assert!(!html.contains("href=\"javascript") && html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
        assert!(!html.contains('\u{202e}') && !html.contains('\u{1b}'));
        assert!(html.contains("What to do: cite the copy of 2023-01-05"));
        assert!(html.contains("… and 12 more"), "of 14 places two are shown");
        // 28 alive and none rotten at first; 24 alive and 4 rotten in the end.
        assert!(html.contains("aria-label=\"Of a hundred sources are alive: 2026-01-01: 100, "), "{html}");
        assert!(html.contains("2026-01-10: 85\""), "{html}");
    }

    #[test]
    fn a_quiet_night_and_one_that_proves_nothing() {
        let quiet = render(&sample::quiet());
        assert!(quiet.contains("✓ NOTHING NEW") && quiet.contains("Nothing is new.") && !quiet.contains("view-undone"));
        let blocked = render(&sample::blocked());
        assert!(blocked.contains("COULD NOT BE COMPLETED") && !blocked.contains("NOTHING NEW"));
        assert!(!blocked.contains("Nothing is new."));
        assert!(blocked.contains("9 of 10 hosts that used to answer did not"));
        assert_eq!(alive(&BTreeMap::new()), 0);
    }
}
