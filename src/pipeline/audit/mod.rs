//! One night of an audit: what documents stand on is planned, asked, learnt from and told.
//!
//! `documents` reads, [`store::Store`](cited_audit::store::Store) plans and remembers, `asking` asks, [`tell`] makes the report. Each step
//! can be cut short at any moment: the next run goes on with what is stored.

pub mod asking;
pub mod documents;
pub mod dropping;

pub use asking::{Asking, Shared, Tally};
pub use documents::{hash_with, of_addresses, of_markdown, of_record};

use jiff::Timestamp;

use cited_audit::News;
use cited_audit::report::{AuditReport, Entry, SCHEMA, Settled, Verdict};
use cited_audit::store::{Round, Store};
use cited_core::error::Result;

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
    let round = Round { id: last.round, began: last.began, resumed: false, due: 0, queued: 0 };
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
            let page = store.page(after, PAGE)?;
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
        documents: store.count_documents()?,
        settled,
        entries,
        left_out,
        days: store.days(DAYS)?,
    };
    Ok((report, told))
}
