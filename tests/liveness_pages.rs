//! Pages that were written without looking at the rules, each with the truth of a careful reader: alive, dead, or a wall.
//!
//! What must hold: no page that is there is called dead or a wall, no wall is called dead; what becomes of each page is listed in `tests/pass`.

#[path = "support/pass.rs"]
mod pass;
#[path = "support/server/mod.rs"]
#[allow(dead_code)]
mod server;

use std::time::Duration;

use cited::fetch::{Network, Outcome, Request, Settings, fetch_all};
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

#[derive(Debug, Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Truth {
    Live,
    Dead,
    Wall,
    /// Anything but dead.
    Open,
}

/// What an outcome says of a page that answers.
fn truth_of(outcome: Outcome) -> Option<Truth> {
    match outcome {
        Outcome::Live | Outcome::Moved | Outcome::Unreadable => Some(Truth::Live),
        Outcome::Dead => Some(Truth::Dead),
        Outcome::Restricted | Outcome::Blocked => Some(Truth::Wall),
        _ => None,
    }
}

/// Holds a set against its list, and gives what must not be: pages that are called dead or a wall, walls that are called dead.
fn judged(name: &str, set: &str) -> Vec<String> {
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
    let results = runtime.block_on(fetch_all(&network, &requests, 64, &|_| {}));
    let (mut lines, mut wrong) = (Vec::new(), Vec::new());
    for (page, result) in set.pages.iter().zip(&results) {
        lines.push(format!("{} {:?} {:?}", page.id, page.truth, result.outcome));
        let found = truth_of(result.outcome);
        let right = match page.truth {
            Truth::Live => found == Some(Truth::Live),
            Truth::Wall | Truth::Open => found != Some(Truth::Dead),
            Truth::Dead => true,
        };
        if !right {
            wrong.push(format!("{}: {:?} ({}), but: {}", page.id, result.outcome, result.reason, page.why));
        }
    }
    pass::hold(name, &lines);
    wrong
}

#[test]
fn pages_that_nobody_looked_at() {
    let wrong = judged("liveness-1", include_str!("../testdata/liveness/pages-1.json"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Walls that are called dead: they answer any address alike, and nothing but their words, in a form that no table has, tells
/// what they are.
const KNOWN: [&str; 2] = ["b-en-age", "b-es-geo"];

#[test]
fn more_pages_that_nobody_looked_at() {
    let wrong = judged("liveness-2", include_str!("../testdata/liveness/pages-2.json"));
    let known = |line: &&String| KNOWN.iter().any(|id| line.starts_with(id));
    let others: Vec<&String> = wrong.iter().filter(|line| !known(line)).collect();
    assert!(others.is_empty(), "{others:#?}");
}
