//! What a night has to tell as findings at their places, for the printers of pipelines.

use super::human_report::{grade, remedy, seen};
use crate::findings::{Checked, Incomplete, Stream, Texts};
use cited_audit::report::{CitationPosition, Entry};
use cited_audit::{AuditReport, News, State};
use cited_core::check::{Item, State as Told};
use cited_core::finding::{Code, Finding};
use cited_core::input::Input;
use cited_core::page::sha256_hex;

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
fn item(entry: &Entry, place: &CitationPosition, texts: &Texts<'_>) -> Option<Item> {
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
    let state = if entry.news.is_new() { Told::New } else { Told::Known };
    Some(Item { finding, state, fingerprint })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use quick_junit::Report;

    use super::*;
    use crate::audit::sample;
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
        sample::snapshot("sarif.json", &crate::printers::json::pretty(&value).unwrap());
        sarif::tests::valid(&value);
        let lines = with_stream(&sample::report(), github::render);
        assert!(
            lines.starts_with(
                "::error file=README.md,line=12,endLine=12,col=1,endColumn=5,title=dead-source::https://gone.example/"
            ),
            "{lines}"
        );
    }
}
