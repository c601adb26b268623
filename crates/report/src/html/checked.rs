//! The report of a check: what could not be checked, and what was found, the weightiest first.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::Tone;
use super::sheet::{Entry, Line, Part, Sheet};
use crate::Record;
use crate::findings::Stream;
use crate::findings::checked::Verdict;
use crate::record::Verification;
use crate::summary::{headline, is_done};
use crate::wording::counted;
use crate::words::action_words;
use cited_core::check::State;

/// What a check found, or the run of a record.
pub(crate) fn sheet(stream: &Stream, record: Option<&Record>) -> Sheet {
    let verdict = match record.map(|record| headline(record, false)) {
        Some(headline) => (headline.in_words(), headline.tone),
        None => Verdict::from_stream(stream).shown(),
    };
    let title = match stream.documents.as_slice() {
        [one] => one.document.path.clone(),
        several => counted(several.len(), "document"),
    };
    // New findings by their weight, then those that count for nothing.
    let mut groups: BTreeMap<(Reverse<_>, &str), Vec<Entry>> = BTreeMap::new();
    for document in &stream.documents {
        let texts = document.texts();
        for item in &document.items {
            let mut entry = Entry::of_finding(&item.finding, &texts);
            let severity = item.finding.severity;
            let group = match &item.state {
                State::New => (Reverse(Some(severity)), severity.as_str()),
                State::Known => (Reverse(None), "in the baseline"),
                State::Suppressed(reason) => {
                    entry.lines.push(Line::Words(format!("suppressed: {reason}")));
                    (Reverse(None), "suppressed")
                }
            };
            groups.entry(group).or_default().push(entry);
        }
    }
    let groups = groups.into_iter().map(|((_, name), entries)| (name.to_owned(), entries));
    let unchecked = stream.incomplete.iter().map(|part| {
        Entry::new((Tone::Doubtful, "not checked"), part.file.as_deref().unwrap_or("the run"), &part.reason)
    });
    // What nobody looked at goes first: a list may be cut.
    let groups = std::iter::once(("not checked".to_owned(), unchecked.collect())).chain(groups);
    let groups = groups.filter(|(_, entries): &(_, Vec<Entry>)| !entries.is_empty());
    let gone = record.iter().flat_map(|record| &record.verifications).filter(|claim| claim.action.removes());
    let is_done = record.is_none_or(|record| is_done(record, false));
    let became = |claim: &Verification| action_words(claim.action.word(), is_done);
    let of_claim =
        |claim: &Verification| Entry::new((Tone::Bad, &became(claim)), &format!("“{}”", claim.words()), &claim.notes);
    let heading = if is_done { "Removed" } else { "Would be removed" };
    let parts = [
        Part::new("removed", heading, vec![(String::new(), gone.map(of_claim).collect())]),
        Part::new("findings", "Findings", groups.collect()),
    ];
    // Only of the run of a record anything goes.
    let parts = parts.into_iter().skip(usize::from(record.is_none())).collect();
    Sheet { title, verdict, lead: format!("{}.", stream.counts().in_words()), parts, ..Sheet::default() }
}
