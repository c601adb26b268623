//! The report as the text of one issue that closes itself.
//!
//! Its first line is a comment by which a pipeline finds its issue again, and that says how the issue is to be:
//! `<!-- cited-audit state="open" title="Sources that need attention" -->`. The state is `open` while something is left to mend, `closed`
//! when nothing is, `unknown` when the audit could not be completed: then the issue stays as it is.

use crate::html::sheet::{Entry as SheetEntry, Line, Sheet, before_address};
use crate::page::Page;
use crate::printers::OwnReport as _;
use crate::wording::cut;
use cited_audit::report::{Entry, Verdict};
use cited_audit::{AuditReport, News, State};

/// The title of the issue: always the same.
pub const TITLE: &str = "Sources that need attention";
/// Bytes of a text that forges take: 65,536 characters, less what a pipeline may put around it.
const LONGEST: usize = 60_000;
/// Entries that are named at first; fewer when their text is too long.
const MOST_ENTRIES: usize = 250;
/// Characters of a line that are shown.
const MOST_WORDS: usize = 200;

/// How the issue is to be: closed when nothing is left that documents have to mend; what is acknowledged is not.
fn state(report: &AuditReport) -> &'static str {
    let is_there = |state: &&State| report.settled.states.get(state).is_some_and(|count| *count > 0);
    let broken = State::ALL.iter().filter(|state| state.is_broken()).any(|state| is_there(&state));
    match report.verdict {
        Verdict::Blocked => "unknown",
        _ if broken || report.entries.iter().any(|entry| entry.news != News::Recovered) => "open",
        _ => "closed",
    }
}

/// The text.
pub fn render(report: &AuditReport) -> String {
    let fewer = std::iter::successors(Some(MOST_ENTRIES), |most| Some(most / 2).filter(|most| *most > 0));
    let mut texts = fewer.map(|most| page(report, most));
    texts.find(|text| text.len() <= LONGEST).unwrap_or_else(|| page(report, 0))
}

/// The text with so many entries at most.
fn page(report: &AuditReport, most: usize) -> String {
    let state = state(report);
    // The most urgent come first.
    let entries: Vec<Entry> = report.entries.iter().take(most).cloned().collect();
    let left = (report.entries.len() - entries.len()) as u64 + report.left_out;
    let Sheet { title, lead, parts, .. } = AuditReport { entries, ..report.clone() }.sheet();
    let mut page = Page::default();
    page.paragraph(&format!("{title}: {lead}"));
    if state == "closed" {
        page.paragraph(
            "Nothing is left to mend: this issue can be closed. The next audit opens it again when something breaks.",
        );
    }
    for part in &parts {
        let groups = part.groups.iter().filter(|(_, entries)| !entries.is_empty());
        page.section(2, part.name, groups, |page, (name, entries)| {
            page.quiet_text(name);
            page.list(entries, source);
        });
    }
    if left > 0 {
        page.paragraph(&format!("… and {left} more sources, which the JSON report names."));
    }
    format!("<!-- cited-audit state=\"{state}\" title=\"{TITLE}\" -->\n\n{}", page.write())
}

/// What became of a source, the places that stand on it, and what can be done.
fn source(page: &mut Page, entry: &SheetEntry) {
    page.address(&entry.name);
    let at = if entry.place.is_empty() { String::new() } else { format!(" ({}) {}", entry.state.1, entry.place) };
    page.quiet_text(format!("{at} {}", entry.text).trim_end());
    page.list(&entry.lines, |page, line| {
        let (Line::Words(words) | Line::Quote(words) | Line::Code(words)) = line;
        let (before, address) = before_address(words);
        page.quiet_text(&cut(before, MOST_WORDS));
        if !address.is_empty() {
            page.quiet_text(":");
            page.quiet_text(" ");
            page.address(address);
        }
    });
}

#[cfg(test)]
mod tests {
    use pulldown_cmark::{Event, Parser, Tag};

    use super::*;
    use crate::audit::sample;

    #[test]
    fn a_night_as_an_issue() {
        let text = render(&sample::report());
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
        let first = |report: &AuditReport| render(report).lines().next().unwrap_or_default().to_owned();
        let line =
            |state: &str| format!("<!-- cited-audit state=\"{state}\" title=\"Sources that need attention\" -->");
        assert_eq!(first(&sample::report()), line("open"));
        assert_eq!(first(&sample::quiet()), line("closed"));
        assert_eq!(first(&sample::blocked()), line("unknown"));
        // What is broken and not in the report, because there were too many, keeps the issue open.
        let mut quiet = sample::quiet();
        quiet.settled.states.insert(cited_audit::State::Rotten, 1);
        assert_eq!(first(&quiet), line("open"));
        assert!(render(&sample::quiet()).contains("Nothing is left to mend"));
    }

    #[test]
    fn a_long_report_fits_into_an_issue() {
        let mut report = sample::report();
        let one = report.entries[0].clone();
        report.entries = vec![one; 2000];
        let text = render(&report);
        assert!(
            text.len() <= LONGEST && text.contains(" more sources, which the JSON report names."),
            "{}",
            text.len()
        );
    }
}
