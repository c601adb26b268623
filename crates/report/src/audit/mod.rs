//! A night of an audit for people, on a terminal, as a page and as the text of an issue, and as findings at their places for pipelines.
//!
//! Nothing here asks what time it is or who reads: all of it is in the report. What came from outside (addresses, titles, sentences,
//! names of files) goes through the escape of its format.

#[cfg(test)]
#[path = "sample_tests.rs"]
mod sample;

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::findings::{Checked, Incomplete, Stream, Texts};
use crate::html::Tone;
use crate::html::parts;
use crate::html::sheet::{Entry, Line, Part, Sheet};
use crate::wording::{counted, day, lines_named, listed, tally};
use cited_audit::compare::{Compared, PinState};
use cited_audit::report::{Entry as Told, Remedy, Verdict};
use cited_audit::{AuditReport, CitationPosition, News, State};
use cited_core::check::{self, Item};
use cited_core::finding::{Code, Finding, Severity};
use cited_core::input::Input;
use cited_core::page::sha256_hex;
use cited_judge::retracted::Retraction;

/// Places of a source that are shown; more are counted.
const PLACES: usize = 10;

/// The title of the issue: always the same.
const TITLE: &str = "Sources that need attention";

/// What a night has to tell. The first line of its Markdown is a comment by which a pipeline finds its issue again, and that says how the
/// issue is to be: `open` while something is left that documents have to mend, which what is acknowledged is not, `closed` when nothing is,
/// `unknown` when the audit could not be completed: then the issue stays as it is.
pub fn sheet(report: &AuditReport) -> Sheet {
    let news = tally(report.entries.iter().map(|entry| entry.news).filter(|news| news.is_new()));
    let news = listed(news.iter().map(|(news, count)| (*count, format!("{count} {}", news.short_name()))));
    let is_broken = report.settled.states.iter().any(|(state, count)| state.is_broken() && *count > 0);
    let is_open = is_broken || report.entries.iter().any(|entry| entry.news != News::Recovered);
    let state = match report.verdict {
        Verdict::Blocked => "unknown",
        _ if is_open => "open",
        _ => "closed",
    };
    let (verdict, tone, headline) = match report.verdict {
        Verdict::Blocked => ("COULD NOT BE COMPLETED", Tone::Doubtful, "The audit could not be completed"),
        Verdict::News => ("NEWS", Tone::Bad, news.as_str()),
        Verdict::Quiet => ("NOTHING NEW", Tone::Good, "Nothing new"),
    };
    // What could not be done is no detail of a page that may say that nothing is new.
    let undone = report.blocked.iter().chain(&report.unread);
    let undone: Vec<_> = undone.map(|why| Entry::new((Tone::Bad, "not completed"), why, "")).collect();
    let undone = (!undone.is_empty()).then(|| Part {
        aside: true,
        ..Part::new("undone", "Not completed", vec![("What could not be done".to_owned(), undone)])
    });
    let parts = [
        Part::new("new", "New", groups(report, true)),
        Part::new("known", "Told before", groups(report, false)),
        Part { aside: true, ..Part::new("documents", "By document", by_document(report)) },
    ];
    Sheet {
        title: format!("Audit of {}", day(report.at)),
        verdict: (verdict.to_owned(), tone),
        lead: format!("{headline}. {}.", standing(report)),
        parts: undone.into_iter().chain(parts).collect(),
        history: Some(history(report)),
        comment: Some(format!("cited-audit state=\"{state}\" title=\"{TITLE}\"")),
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
        Line::Words(match found.as_ref().filter(|_| *state == PinState::Changed) {
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

/// How all sources are, and how many were so in the rounds before: the same numbers as charts.
fn history(report: &AuditReport) -> Markup {
    let count = |states: &BTreeMap<State, u64>, state: &State| {
        usize::try_from(states.get(state).copied().unwrap_or_default()).unwrap_or(usize::MAX)
    };
    let tone = |state: State| if state == State::Alive { Tone::Good } else { grade(state).into() };
    let met: Vec<&State> = State::ALL.iter().filter(|state| report.settled.states.contains_key(state)).collect();
    let bars = met.iter().map(|state| (state.as_str(), count(&report.settled.states, state), tone(**state)));
    let over_time = |state: &State| -> Vec<(String, usize)> {
        let rounds = report.days.iter();
        rounds.map(|round| (day(round.began).to_string(), count(&round.settled.states, state))).collect()
    };
    html! {
        div.charts {
            (parts::bars("All sources by state", bars))
            @for state in &met { (parts::history(state.as_str(), &over_time(state))) }
        }
    }
}

/// What became of the source, in one sentence without a full stop that goes on behind its address.
fn seen(entry: &Told) -> String {
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
    // ` (reason)`, where an acknowledgement has run out.
    match entry.source.acknowledgement.as_ref().filter(|_| entry.news == News::AcknowledgementExpired) {
        Some(given) => {
            let who = if given.who.is_empty() { String::new() } else { format!(" by {}", given.who) };
            format!("{told}, acknowledged{who} until {} ({})", given.last_day(), given.reason)
        }
        None => told,
    }
}

/// What indexes say became of the work: `retracted: Retraction, 2024-05-01, https://doi.org/10.5555/n (crossref)`.
fn noticed(entry: &Told) -> String {
    let of = |notice: &Retraction| format!("{}: {} ({})", notice.fate, notice.words, notice.who());
    entry.source.notices.iter().map(of).collect::<Vec<_>>().join("; ")
}

/// What can be done about it, in one sentence without a full stop.
fn remedy(entry: &Told) -> Option<String> {
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
fn grade(state: State) -> Severity {
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
    let left =
        if report.left_out > 0 { format!("; {} more in the next report", report.left_out) } else { String::new() };
    let (sources, documents) = (counted(report.sources(), "source"), counted(report.documents, "document"));
    format!("{sources} in {documents}{states}; {} asked{carried}{left}", report.settled.checked)
}

/// What there is to tell, document by document; `text_of` gives the text of one.
pub fn stream(report: &AuditReport, text_of: impl Fn(&str) -> Input) -> Stream {
    let documents = report.by_document().into_iter().map(|(path, places)| {
        let document = text_of(path);
        let texts = Texts::new(&document, &[]);
        let items = places.into_iter().filter_map(|(entry, place)| item(entry, place, &texts)).collect();
        Checked { document, items, ..Checked::default() }
    });
    let undone = report.blocked.iter().chain(&report.unread);
    let incomplete = undone.map(|why| Incomplete { file: None, reason: why.clone() }).collect();
    Stream { documents: documents.collect(), incomplete, with_baseline: true, ..Stream::default() }
}

/// What there is to tell at a place. What was told before is known, so that a pipeline tells it apart from what is new. A source that is back
/// has no finding.
fn item(entry: &Told, place: &CitationPosition, texts: &Texts<'_>) -> Option<Item> {
    let code = match (entry.news, entry.source.state) {
        (News::Recovered, _) => return None,
        (News::Corrected, _) => Code::CorrectedSource,
        (_, State::Rotten) => Code::DeadSource,
        (_, State::Retracted) => Code::RetractedSource,
        (_, State::Drifted) => Code::DriftedSource,
        (_, State::Moved) => Code::MovedSource,
        _ => Code::UncheckedSource,
    };
    let severity = if entry.source.state.is_broken() { grade(entry.source.state) } else { entry.severity };
    let span = usize::try_from(place.line).ok().and_then(|line| texts.document().line(line));
    let remedy = remedy(entry).map(Into::into);
    // An alert stays one alert from night to night, whatever is told of its source.
    let fingerprint = sha256_hex(format!("{}\n{}\n{}", entry.source.key, place.document, place.sentence).as_bytes());
    let finding =
        Finding { severity, span, remedy, ..Finding::new(code, format!("{} {}", entry.source.address(), seen(entry))) };
    let state = if entry.news.is_new() { check::State::New } else { check::State::Known };
    Some(Item { finding, state, fingerprint })
}

#[cfg(test)]
mod tests {
    use pulldown_cmark::{Event, Parser, Tag};
    use quick_junit::Report;

    use super::*;
    use crate::printers::{github, junit, sarif};

    /// What is made of a report whose documents have these texts.
    fn with_stream<T>(report: &AuditReport, of: impl FnOnce(&Stream) -> T) -> T {
        let texts = BTreeMap::from([("README.md", "line\n".repeat(12)), ("docs/b.md", "line\n".repeat(12))]);
        let input = |path: &str| Input { path: path.into(), text: texts.get(path).map_or("", String::as_str).into() };
        let fail_on = Some(cited_core::finding::Severity::Error);
        of(&Stream { fail_on, ..stream(report, input) })
    }

    #[test]
    fn a_night_as_junit() {
        let text = with_stream(&sample::report(), |stream| junit::render(stream).unwrap());
        sample::snapshot("junit.xml", &text);
        assert!(!text.contains(cited_text::escape::is_unsafe), "{text:?}");
        let read = Report::deserialize_from_str(&text).unwrap();
        assert_eq!((read.tests, read.failures, read.errors), (8, 6, 0), "{text}");
        let read = |report| {
            Report::deserialize_from_str(&with_stream(&report, |stream| junit::render(stream).unwrap())).unwrap()
        };
        let quiet = read(sample::quiet());
        assert_eq!((quiet.tests, quiet.failures, quiet.errors), (1, 0, 0));
        let blocked = read(sample::blocked());
        assert_eq!((blocked.tests, blocked.failures, blocked.errors), (1, 0, 1));
    }

    #[test]
    fn a_night_as_sarif_and_for_github() {
        let value = with_stream(&sample::report(), sarif::log);
        sample::snapshot("sarif.json", &crate::printers::pretty(&value).unwrap());
        sarif::tests::valid(&value);
        let lines = with_stream(&sample::report(), github::render);
        assert!(
            lines.starts_with(
                "::error file=README.md,line=12,endLine=12,col=1,endColumn=5,title=dead-source::https://gone.example/"
            ),
            "{lines}"
        );
    }

    fn page(report: &AuditReport) -> String {
        sheet(report).html()
    }

    #[test]
    fn a_night_as_text() {
        let text = anstream::adapter::strip_str(&sheet(&sample::report()).text()).to_string();
        sample::snapshot("text.txt", &text);
        assert!(!text.contains(|c: char| c != '\n' && cited_text::escape::is_unsafe(c)), "{text:?}");
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
        // None is rotten at first, and 4 are in the end.
        assert!(html.contains("aria-label=\"rotten: 2026-01-01: 0, ") && html.contains("2026-01-10: 4\""), "{html}");
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
    }

    #[test]
    fn a_night_as_an_issue() {
        let text = sheet(&sample::report()).markdown();
        sample::snapshot("issue.md", &text);
        // Nothing from outside is markup: what is there is what was meant, and each link leads where it says.
        for event in Parser::new_ext(&text, cited_core::markdown::parser_options()) {
            match event {
                Event::Html(html) => assert!(html.starts_with("<!-- cited-audit state=\"open\""), "{html}"),
                Event::InlineHtml(html) => assert_eq!(&*html, "<!-- -->"),
                Event::Start(Tag::Link { dest_url, .. }) => assert!(dest_url.starts_with("https://"), "{dest_url}"),
                Event::Start(Tag::Image { dest_url, .. }) => panic!("an image: {dest_url}"),
                Event::Code(_) | Event::FootnoteReference(_) | Event::TaskListMarker(_) => panic!("{event:?}"),
                _ => {}
            }
        }
    }

    #[test]
    fn the_first_line_says_how_the_issue_is_to_be() {
        let first = |report: &AuditReport| sheet(report).markdown().lines().next().unwrap_or_default().to_owned();
        let line =
            |state: &str| format!("<!-- cited-audit state=\"{state}\" title=\"Sources that need attention\" -->");
        assert_eq!(first(&sample::report()), line("open"));
        assert_eq!(first(&sample::quiet()), line("closed"));
        assert_eq!(first(&sample::blocked()), line("unknown"));
        // What is broken and not in the report, because there were too many, keeps the issue open.
        let mut quiet = sample::quiet();
        quiet.settled.states.insert(cited_audit::State::Rotten, 1);
        assert_eq!(first(&quiet), line("open"));
    }

    #[test]
    fn a_long_report_fits_into_an_issue() {
        let mut report = sample::report();
        let one = report.entries[0].clone();
        report.entries = vec![one; 2000];
        let text = sheet(&report).markdown();
        assert!(text.len() <= 60_000 && text.contains("\n… and ") && text.contains(" more."), "{}", text.len());
    }
}
