//! The report of a check: what was found in each document, what could not be checked, what a baseline has and is not there any more.

use maud::{Markup, html};

use super::parts::{filters, select, shown};
use super::sheet::{Entry, entries};
use super::{Page, View};
use crate::findings::checked::Verdict;
use crate::findings::{Checked, Stream};
use crate::wording::{counted, tally};
use cited_core::check::{Item, State};
use cited_core::finding::Severity;

/// The report of a check as a page.
pub fn report(stream: &Stream) -> String {
    let (verdict, tone) = Verdict::from_stream(stream).shown();
    let verdict = &verdict.to_uppercase();
    let title = match stream.documents.as_slice() {
        [one] => one.document.path.clone(),
        several => counted(several.len(), "document"),
    };
    let found = stream.documents.iter().map(|document| document.items.len()).sum();
    let mut views = vec![View { id: "findings", name: "Findings", count: Some(found), content: findings(stream) }];
    if !stream.incomplete.is_empty() {
        let content = html! {
            ul.plain { @for part in &stream.incomplete { li { bdi { (shown(part.file.as_deref().unwrap_or("the run"))) } ": " (shown(&part.reason)) } } }
        };
        views.push(View { id: "unchecked", name: "Not checked", count: Some(stream.incomplete.len()), content });
    }
    let lead = format!("{}.", stream.counts().in_words());
    Page { title: &title, verdict, tone, lead, views, beside: None, review: None }.render()
}

/// Findings document by document, with the fields by which a reader picks them.
pub fn findings(stream: &Stream) -> Markup {
    let several = stream.documents.len() > 1;
    let of = |document: &Checked| {
        let texts = document.texts();
        let entry = |item: &Item| {
            let mut entry = Entry::of_finding(&item.finding, &texts);
            match &item.state {
                State::New => {}
                State::Known => entry.place += " (in the baseline)",
                State::Suppressed(reason) => entry.place += &format!(" (suppressed: {reason})"),
            }
            entry
        };
        let name = if several { document.document.path.clone() } else { String::new() };
        (name, document.items.iter().map(entry).collect())
    };
    let groups: Vec<(String, Vec<Entry>)> =
        stream.documents.iter().filter(|document| !document.items.is_empty()).map(of).collect();
    let severities = [Severity::Error, Severity::Warning, Severity::Note].map(|one| (one.as_str(), one.as_str(), None));
    let codes = tally(stream.items().map(|item| item.finding.code.as_str()));
    let codes = codes.iter().map(|(code, count)| (*code, *code, Some(*count)));
    html! {
        @if !groups.is_empty() {
            (filters("Filter findings", &html! { (select("Severity", "severity", severities)) (select("Kind", "code", codes)) }))
        }
        (entries(&groups))
        p.empty.none { "No finding fits these filters." }
    }
}
