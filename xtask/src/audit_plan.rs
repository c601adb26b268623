//! How long planning an audit takes.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use cited::audit::{Observation, Remembered, Seen};
use cited::fetch::Outcome;
use cited::store::{Manners, Store};
use jiff::Timestamp;

use crate::Result;
use crate::draft_run::resident;

/// How long planning an audit takes.
///
/// Fills a state with made-up sources that are all known and alive, a hundredth of them due, and measures: opening, planning a
/// round, claiming a page of what is due, counting by state.
#[derive(clap::Args)]
pub struct Arguments {
    #[arg(default_value_t = 100_000)]
    sources: i64,
    /// The state. When it is there, it is measured again.
    #[arg(default_value = "audit-plan.sqlite")]
    file: String,
}

const HOSTS: i64 = 2_000;

pub fn run(Arguments { sources, file }: &Arguments) -> Result {
    let now = Timestamp::from_second(1_767_225_600)?;
    if !Path::new(file).exists() {
        let begun = Instant::now();
        drop(Store::open(file)?);
        fill(file, *sources, now)?;
        println!("filled with {sources} sources in {:.1} s", begun.elapsed().as_secs_f64());
    }
    let size = std::fs::metadata(file)?.len();
    println!("{:.2} GB", size as f64 / 1e9);
    let mut store = timed("open", || Store::open(file))?;
    let round = timed("plan", || store.begin(now, None))?;
    println!("  {} due, {} queued", round.due, round.queued);
    for _ in 0..3 {
        let page =
            timed("a page of what is due (50 hosts, 25 sources each)", || store.claim(50, 25, Duration::from_mins(1)))?;
        println!("  {} sources", page.iter().map(|batch| batch.work.len()).sum::<usize>());
        let begun = Instant::now();
        let mut count = 0;
        for batch in &page {
            let results: Vec<(i64, Observation)> =
                batch.work.iter().map(|work| (work.id, Observation::new(now, Seen::Good, Outcome::Live))).collect();
            count += results.len();
            store.take(&BTreeMap::from([(batch.lease, (results, Some(Manners::default())))]))?;
        }
        println!("  {:.3} ms a result to store", begun.elapsed().as_secs_f64() * 1e3 / count.max(1) as f64);
    }
    timed("count by state", || store.counts(now))?;
    timed("settle", || store.settle(round.id, now, false))?;
    println!("peak memory {} MiB", resident("VmHWM:").unwrap_or(0) >> 20);
    Ok(())
}

fn timed<T, E>(what: &str, work: impl FnOnce() -> std::result::Result<T, E>) -> std::result::Result<T, E> {
    let begun = Instant::now();
    let done = work()?;
    println!("{what}: {:.1} ms", begun.elapsed().as_secs_f64() * 1e3);
    Ok(done)
}

/// Rows as an audit leaves them, written by the engine itself: as many through the API would take hours.
fn fill(file: &str, sources: i64, now: Timestamp) -> Result {
    let mut known = Remembered::new("https://KEY.example/", now);
    known.take(&Observation::new(now - jiff::SignedDuration::from_hours(24 * 10), Seen::Good, Outcome::Live));
    let body = serde_json::to_string(&known)?.replace("https://KEY.example/", "https://h%d.example/page/%d");
    let connection = rusqlite::Connection::open(file)?;
    connection.execute_batch("PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; BEGIN")?;
    connection.execute(
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 - 1)
         INSERT INTO host (id, name) SELECT i, 'h' || i || '.example' FROM n",
        [HOSTS],
    )?;
    connection.execute(
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 - 1)
         INSERT INTO source (id, key, host, state, due, body)
         SELECT i * 922337203, 'h' || (i % ?2) || '.example/page/' || i, i % ?2, 'alive', ?3 + ((i * 7919) % 100) * 86400,
                printf(?4, i % ?2, i, i % ?2, i) FROM n",
        rusqlite::params![sources, HOSTS, now.as_second(), body],
    )?;
    connection.execute_batch("COMMIT")?;
    Ok(())
}
