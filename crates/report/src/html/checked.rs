//! The report of a check: what was found in each document, what could not be checked, what a baseline has and is not there any more.

use maud::{Markup, html};

use super::parts::{filters, select};
use super::sheet::{Entry, entries};
use super::{Tone, View, page};
use crate::findings::checked::Verdict;
use crate::findings::{Checked, Incomplete, Stream};
use crate::wording::{counted, tally};
use cited_core::check::{Item, State};
use cited_core::finding::Severity;

/// The report of a check as a page.
pub fn report(stream: &Stream) -> String {
    let (verdict, tone) = Verdict::from_stream(stream).shown();
    let title = match stream.documents.as_slice() {
        [one] => one.document.path.clone(),
        several => counted(several.len(), "document"),
    };
    let found = stream.documents.iter().map(|document| document.items.len()).sum();
    let views = [View { id: "findings", name: "Findings", count: Some(found), content: findings(stream) }];
    page(&title, (&verdict.to_uppercase(), tone), &format!("{}.", stream.counts().in_words()), &views, None)
}

/// Findings document by document, with the fields by which a reader picks them, and what could not be checked.
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
        (name, document.items.iter().map(entry).collect::<Vec<_>>())
    };
    let unchecked = |part: &Incomplete| {
        Entry::new((Tone::Doubtful, "not checked"), part.file.as_deref().unwrap_or("the run"), &part.reason)
    };
    let unchecked = (String::new(), stream.incomplete.iter().map(unchecked).collect());
    let groups = stream.documents.iter().map(of).chain([unchecked]);
    let groups: Vec<(String, Vec<Entry>)> = groups.filter(|(_, entries)| !entries.is_empty()).collect();
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
