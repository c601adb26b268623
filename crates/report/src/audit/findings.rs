//! What a night has to tell as findings at their places, for the printers of pipelines.

use super::words::{grade, remedy, seen};
use crate::findings::{Checked, Incomplete, Stream, Texts};
use cited_audit::report::{CitationPosition, Entry};
use cited_audit::{AuditReport, News, State};
use cited_core::check::{Item, State as Told};
use cited_core::finding::{Code, Finding};
use cited_core::input::Input;
use cited_core::page::sha256_hex;

/// What there is to tell, document by document; `text_of` gives the text of one.
pub fn stream(report: &AuditReport, text_of: impl Fn(&str) -> Input) -> Stream {
    let documents = report.by_document().into_iter().map(|(path, entries)| {
        let document = text_of(path);
        Checked { items: items(&entries, &document), document, ..Checked::default() }
    });
    let undone = report.blocked.iter().chain(&report.unread);
    let incomplete = undone.map(|why| Incomplete { file: None, reason: why.clone() }).collect();
    Stream { documents: documents.collect(), incomplete, with_baseline: true, ..Stream::default() }
}

/// The findings of a document, source by source. What was told before is known, so that a pipeline tells it apart from what is new.
fn items(entries: &[(&Entry, Vec<&CitationPosition>)], document: &Input) -> Vec<Item> {
    let texts = Texts::new(document, &[]);
    let of_entry = |(entry, places): &(&Entry, Vec<&CitationPosition>)| {
        let code = code_of(entry);
        let item = |place: &&CitationPosition| code.map(|code| item(entry, place, code, &texts));
        places.iter().filter_map(item).collect::<Vec<_>>()
    };
    entries.iter().flat_map(of_entry).collect()
}

/// What a finding on a source is called; a source that is back has none.
fn code_of(entry: &Entry) -> Option<Code> {
    match (entry.news, entry.source.state) {
        (News::Recovered, _) => None,
        (News::Corrected, _) => Some(Code::CorrectedSource),
        (_, State::Rotten) => Some(Code::DeadSource),
        (_, State::Retracted) => Some(Code::RetractedSource),
        (_, State::Drifted) => Some(Code::DriftedSource),
        (_, State::Moved) => Some(Code::MovedSource),
        _ => Some(Code::UncheckedSource),
    }
}

fn item(entry: &Entry, place: &CitationPosition, code: Code, texts: &Texts<'_>) -> Item {
    let severity = if entry.source.state.is_broken() { grade(entry.source.state) } else { entry.severity };
    let span = usize::try_from(place.line).ok().and_then(|line| texts.document().line(line));
    let remedy = remedy(entry).map(Into::into);
    // An alert stays one alert from night to night, whatever is told of its source.
    let fingerprint = sha256_hex(format!("{}\n{}\n{}", entry.source.key, place.document, place.sentence).as_bytes());
    let finding =
        Finding { severity, span, remedy, ..Finding::new(code, format!("{} {}", entry.source.address(), seen(entry))) };
    let state = if entry.news.is_new() { Told::New } else { Told::Known };
    Item { finding, state, fingerprint }
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
