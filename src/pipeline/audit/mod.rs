//! One night of an audit: what documents stand on is planned, asked, learnt from and told.
//!
//! `documents` reads, [`store::Store`](cited_audit::store::Store) plans and remembers, `asking` asks, [`tell`] makes the report. Each step
//! can be cut short at any moment: the next run goes on with what is stored.

pub mod asking;
pub mod documents;

pub use asking::{Asking, Shared, Tally};
pub use documents::{hash_with, of_addresses, of_markdown, of_record};

use std::collections::HashMap;
use std::future::ready;

use jiff::Timestamp;

use self::documents::cites;
use super::{Options, Run, verify};
use cited_audit::report::{AuditReport, Entry, Remedy, SCHEMA, Settled, Verdict};
use cited_audit::store::{Round, Store};
use cited_audit::{News, State};
use cited_core::address::identity::{Key, key_of};
use cited_core::citation::list;
use cited_core::decide::policy::Treatment;
use cited_core::decide::{Policy, Style};
use cited_core::error::Result;
use cited_core::input::Input;
use cited_core::markdown::Document;
use cited_core::outcome::{Fetched, Outcome};
use cited_core::rule::Rule;
use cited_fetch::{Fetcher, Fetching, Request};

/// Entries of one report; what is more comes in the next one. Keeps a report, and the memory that it takes, readable.
const ENTRIES: usize = 10_000;
/// Places that an entry names.
const PLACES: usize = 100;
/// Rounds that charts are drawn from.
const DAYS: usize = 400;
/// Sources that are read at once.
const PAGE: usize = 500;

/// The report as it stands between two nights: of the last round that was settled, if there is one. Nobody is taken to have read it.
///
/// # Errors
/// When the state cannot be read.
pub fn look(store: &mut Store, now: Timestamp) -> Result<Option<AuditReport>> {
    let Some(last) = store.days(1)?.pop() else { return Ok(None) };
    let round = Round { id: last.round, began: last.began, due: 0, queued: 0 };
    let (report, _) = tell(store, &round, last.settled, now, None, Vec::new())?;
    Ok(Some(AuditReport { at: last.began, ..report }))
}

/// Makes the report of a round that is settled: also gives what it tells, for [`Store::mark_reported`] when it has been written.
///
/// # Errors
/// When the state cannot be read.
pub fn tell(
    store: &mut Store,
    round: &Round,
    settled: Settled,
    now: Timestamp,
    blocked: Option<String>,
    unread: Vec<String>,
) -> Result<(AuditReport, Vec<(i64, News)>)> {
    let blocked = blocked.or_else(|| {
        settled.failed_hosts.map(|(failed, hosts)| {
            format!("{failed} of {hosts} hosts that used to answer did not: no state was changed; check the network")
        })
    });
    let (mut told, mut entries, mut left_out) = (Vec::new(), Vec::new(), 0);
    // What is new comes before what is only told for completeness, however much there is.
    for new in [true, false] {
        let mut after = i64::MIN;
        loop {
            let page = store.page(false, after, PAGE)?;
            let Some(last) = page.last() else { break };
            after = last.id;
            for one in page {
                let Some(news) = News::read(&one.source, now).filter(|news| news.is_new() == new) else { continue };
                if entries.len() >= ENTRIES {
                    left_out += 1;
                    continue;
                }
                let places = store.places(one.id, PLACES)?;
                let in_all = if places.len() < PLACES { places.len() as u64 } else { store.places_in_all(one.id)? };
                entries.push(Entry::new(one.source, news, one.due, places, in_all));
                told.push((one.id, news));
            }
        }
    }
    entries.sort_by(|one, other| (one.news, one.source.address()).cmp(&(other.news, other.source.address())));
    let verdict = match &blocked {
        Some(_) => Verdict::Blocked,
        None if told.iter().any(|(_, news)| news.is_new()) => Verdict::News,
        None => Verdict::Quiet,
    };
    let report = AuditReport {
        schema: SCHEMA.to_owned(),
        at: now,
        round: round.id,
        verdict,
        blocked,
        unread,
        documents: store.documents()?.len() as u64,
        settled,
        entries,
        left_out,
        days: store.days(DAYS)?,
    };
    Ok((report, told))
}

/// Sources that are gone for good: proven, and no archive has a copy.
pub struct GoneForGood {
    reasons: HashMap<Key, String>,
    now: Timestamp,
}

impl GoneForGood {
    /// Those of a report.
    pub fn from_report(report: &AuditReport) -> GoneForGood {
        let replaced = report.entries.iter().filter(|entry| entry.remedy == Remedy::Replace);
        let gone = replaced.map(|entry| &entry.source).filter(|source| source.state == State::Rotten);
        let reasons = gone.map(|source| (key_of(source.address()), source.reason().to_owned())).collect();
        GoneForGood { reasons, now: report.at }
    }

    /// Why the source with these addresses is gone: each of them is.
    fn reason(&self, addresses: &[String]) -> Option<&str> {
        let reasons = addresses.iter().map(|address| self.reasons.get(&key_of(address)));
        reasons.collect::<Option<Vec<_>>>()?.first().map(|reason| reason.as_str())
    }

    /// The document as `verify` writes it when all its other sources are there, and without anything else in it: links stay links, entries
    /// stay as they are, and so does what only lacks a source. What pages say is not judged. `None` when it stands on none of them.
    ///
    /// # Errors
    /// Those of [`verify()`].
    pub async fn drop_from(&self, document: &Input, options: &Options) -> Result<Option<Run>> {
        if !cites(document).iter().any(|source| self.reason(&source.addresses).is_some()) {
            return Ok(None);
        }
        let policy = Policy {
            uncited: Some(Treatment::Keep),
            on_unverifiable: Treatment::Keep,
            strict: false,
            ..options.policy
        };
        let (style, notes, now) = (Style::InPlace, false, self.now);
        let own = Options { policy, style, notes, support: false, judge: None, now, ..options.clone() };
        let mut run = verify(document, &[], self, &own, &|_| {}).await?;
        let lists = |text: &str| list::lists_of(&Document::read(text));
        if let (true, Some(list)) = (lists(&document.text).is_empty(), lists(&run.brief).last()) {
            // A document that cites by links alone gets no list.
            let body = run.brief[..list.heading.unwrap_or(list.span).start].trim_end().len();
            let line_end = run.brief[body..].find('\n').map_or(body, |at| body + at + 1);
            run.brief = run.brief[..line_end].into();
        }
        Ok(Some(run))
    }
}

impl Fetcher for GoneForGood {
    fn fetch<'a>(&'a self, request: &'a Request<'a>) -> Fetching<'a> {
        let first = request.addresses.first().cloned().unwrap_or_default();
        let (outcome, rule, reason) = match self.reason(&request.addresses) {
            Some(reason) => (Outcome::Dead, Rule::HttpGone, reason),
            None => (Outcome::Live, Rule::Live, ""),
        };
        Box::pin(ready(Fetched { outcome, rule, ..Fetched::unasked(first, reason, self.now) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cited_core::decide::apply;

    #[test]
    fn what_stands_on_nothing_but_what_is_gone_goes() {
        let gone = GoneForGood {
            reasons: HashMap::from([(key_of("https://gone.example/"), "HTTP 410".to_owned())]),
            now: Timestamp::UNIX_EPOCH,
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let written = |text: &str| {
            let input = Input { path: "a.md".into(), text: text.into() };
            runtime.block_on(gone.drop_from(&input, &Options::default())).unwrap()
        };
        let check = |text: &str, kept: &[&str], goes: &[&str]| {
            let run = written(text).unwrap();
            let body = run.brief.split("\n## ").next().unwrap_or_default().to_owned();
            kept.iter().for_each(|words| assert!(body.contains(words), "{words}: {}", run.brief));
            goes.iter().for_each(|words| assert!(!body.contains(words), "{words}: {}", run.brief));
        };
        let list = "\n\n## Sources\n\n[1] A page. https://gone.example/\n[2] Another. https://there.example/\n";
        check(
            &format!(
                "# T\n\nAlpha fell to 3 in 2020 [1]. Beta rose to 5 in 2021 [2]. Gamma is 7 in 2022 [1][2].{list}"
            ),
            &["Beta rose to 5", "Gamma is 7"],
            &["Alpha fell"],
        );
        // Living links, instructions and what lacks a source stay.
        let links = "# T\n\nAlpha fell to 3 in 2020 ([page](https://gone.example/)). Beta rose to 5 in 2021 \
            ([other](https://there.example/)). Gamma was 7 in 2022.\n\nSee [the guide](https://there.example/guide). Let me know if you \
            want me to expand this section.\n";
        let expected = links.replace("Alpha fell to 3 in 2020 ([page](https://gone.example/)). ", "");
        let run = written(links).unwrap();
        let removed = "\n## Removed Unsupported Claims\n\n- “Alpha fell to 3 in 2020.” — dead source: https://gone.example/ (HTTP 410, no \
            archive)\n";
        assert_eq!(&*run.brief, expected + removed);
        // Entries keep their words, their marks and their order; what is gone leaves them, and the numbers behind it close up.
        let listed = "# T\n\nBeta rose to 5 in 2021 [3][2].  Alpha fell to 3 in 2020 [1]. Gamma was 7 in 2022 [2].\n\n## Sources\n\n\
            1.  A page — https://gone.example/\n2.  Another — https://there.example/?utm_source=q\n3.  B — https://b.example/\n";
        let run = written(listed).unwrap();
        let removed = "## Removed Unsupported Claims\n\n- “Alpha fell to 3 in 2020.” — dead source: https://gone.example/ (HTTP 410, no \
            archive)\n\n";
        let expected = "# T\n\nBeta rose to 5 in 2021 [1][2]. Gamma was 7 in 2022 [1].\n\nREMOVED## Sources\n\n\
            1.  Another — https://there.example/?utm_source=q\n2.  B — https://b.example/\n";
        assert_eq!(&*run.brief, expected.replace("REMOVED", removed));
        // The record has the edits that were made, and no others.
        assert_eq!(apply(listed, &run.record.edits).unwrap(), *run.brief);
        // So do footnotes.
        let notes = "# T\n\nAlpha fell to 3 in 2020.[^1] Beta rose to 5 in 2021.[^2]\n\n[^1]: A page. https://gone.example/\n\
            [^2]: Another. https://there.example/?utm_source=q\n";
        let run = written(notes).unwrap();
        let expected =
            "# T\n\nBeta rose to 5 in 2021.[^1]\n\nREMOVED[^1]: Another. https://there.example/?utm_source=q\n";
        assert_eq!(&*run.brief, expected.replace("REMOVED", removed));
        let there = "# T\n\nBeta rose to 5 in 2021 [1].\n\n## Sources\n\n[1] Another. https://there.example/\n";
        assert!(written(there).is_none());
    }
}
