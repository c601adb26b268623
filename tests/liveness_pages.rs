//! Pages that were written without looking at the rules, each with the truth of a careful reader: alive, dead, or a wall.
//!
//! What must hold: no page that is there is called dead or a wall, no wall is called dead, and of what is gone and of the walls
//! no fewer are found than before.

#[path = "support/server/mod.rs"]
#[allow(dead_code)]
mod server;

use std::time::Duration;

use cited::fetch::{Network, Outcome, Request, Settings, fetch_all, time_is_over};
use serde::Deserialize;
use server::Server;

#[derive(Deserialize)]
struct Set {
    pages: Vec<Page>,
    web: serde_json::Value,
}

#[derive(Deserialize)]
struct Page {
    id: String,
    truth: Truth,
    why: String,
    url: String,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Truth {
    Live,
    Dead,
    Wall,
    /// Anything but dead.
    Open,
}

/// What an outcome says of a page that answers.
fn said(outcome: Outcome) -> Option<Truth> {
    match outcome {
        Outcome::Live | Outcome::Moved | Outcome::Unreadable => Some(Truth::Live),
        Outcome::Dead => Some(Truth::Dead),
        Outcome::Restricted | Outcome::Blocked => Some(Truth::Wall),
        _ => None,
    }
}

/// What is judged of a set: how many that are gone and how many walls are found, what must not be, and what is missed.
#[derive(Default)]
struct Judged {
    dead: usize,
    walls: usize,
    wrong: Vec<String>,
    missed: Vec<String>,
}

fn judged(set: &str) -> Judged {
    let set: Set = serde_json::from_str(set).unwrap();
    let server = Server::start(&set.web.to_string());
    let settings = Settings {
        connect_to: server.connect_to().iter().map(|route| route.parse().unwrap()).collect(),
        extra_ca_pem: vec![server.ca_pem().as_bytes().to_vec()],
        second_look_after: Duration::from_millis(20),
        backoff: Duration::from_millis(5),
        host_pause: Duration::ZERO,
        archives: Vec::new(),
        ..Settings::default()
    }
    .with_timeout(Duration::from_secs(10));
    let requests: Vec<Request> =
        set.pages.iter().map(|page| Request { addresses: vec![page.url.clone()], ..Request::default() }).collect();
    let network = Network::new(settings).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let results = runtime.block_on(fetch_all(&network, &requests, 64, time_is_over(None), &|_| {}));
    let mut judged = Judged::default();
    for (page, result) in set.pages.iter().zip(&results) {
        let found = said(result.outcome);
        let line = || format!("{}: {:?} ({}), but: {}", page.id, result.outcome, result.reason, page.why);
        match (page.truth, found) {
            (truth, Some(found)) if truth == found => {
                judged.dead += usize::from(truth == Truth::Dead);
                judged.walls += usize::from(truth == Truth::Wall);
            }
            (Truth::Live, _) | (Truth::Wall | Truth::Open, Some(Truth::Dead)) => judged.wrong.push(line()),
            (Truth::Open, _) => {}
            _ => judged.missed.push(line()),
        }
    }
    judged
}

#[test]
fn pages_that_nobody_looked_at() {
    let Judged { dead, walls, wrong, missed } = judged(include_str!("../testdata/liveness/pages-1.json"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(dead >= 54 && walls >= 35, "of 57 and 35: {dead} dead, {walls} walls\n{}", missed.join("\n"));
}

/// Walls that are called dead: they answer any address alike, and nothing but their words, in a form that no table has, tells
/// what they are.
const KNOWN: [&str; 2] = ["b-en-age", "b-es-geo"];

#[test]
fn more_pages_that_nobody_looked_at() {
    let Judged { dead, walls, wrong, missed } = judged(include_str!("../testdata/liveness/pages-2.json"));
    let known = |line: &&String| KNOWN.iter().any(|id| line.starts_with(id));
    let others: Vec<&String> = wrong.iter().filter(|line| !known(line)).collect();
    assert!(others.is_empty(), "{others:#?}");
    assert!(dead >= 44 && walls >= 26, "of 61 and 31: {dead} dead, {walls} walls\n{}", missed.join("\n"));
}
