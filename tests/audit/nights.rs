//! Many nights over sources with fates, on the loopback web: each night has a web of its own, and a clock.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use cited::audit::{News, State, due};
use cited::fetch::{ConnectTo, Endpoint, Network, Settings};
use cited::pipeline::Input;
use cited::pipeline::audit::{Asking, Shared, Tally, of_addresses, of_markdown, tell};
use cited::store::Store;
use jiff::Timestamp;
use serde_json::json;

use super::server::Server;
use super::world::page;

/// Our own network is down.
const OUTAGE: std::ops::Range<i64> = 60..67;
/// The archive answers nothing.
const ARCHIVE_DOWN: std::ops::Range<i64> = 20..40;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Stays,
    /// 404 from a night on.
    Dies,
    /// 410 from a night on.
    DiesForGood,
    /// 404 for five nights of seventeen.
    Flaps,
    /// 503 for a month.
    Fails,
    /// Redirects for good from a night on.
    Moves,
    /// Says another number from a night on.
    Drifts,
    /// Behind a login from a night on.
    Walled,
    /// 404 for sixty nights.
    ComesBack,
}

struct Source {
    fate: Fate,
    on: i64,
    host: String,
    number: usize,
}

impl Source {
    fn numbered(number: usize, nights: i64) -> Source {
        use Fate::*;
        let fates = [Dies, DiesForGood, Flaps, Fails, Moves, Drifts, Walled, ComesBack];
        let fate = fates.get(number % 20).copied().unwrap_or(Stays);
        // Spread over the nights, far enough from their end that all of it can be told.
        let on = 3 + (i64::try_from(number).unwrap() * 37) % (nights - 90).max(1);
        Source { fate, on, host: format!("h{}.example", number / 20 % 97), number }
    }

    fn address(&self) -> String {
        format!("http://{}/{}", self.host, self.number)
    }

    fn sentence(&self, value: usize) -> String {
        format!("Plant {} made {value} tonnes of steel in 2019.", self.number)
    }

    fn answer(&self, night: i64) -> serde_json::Value {
        use Fate::*;
        let since = night - self.on;
        let there = |value| page(&format!("From the report of the plant. {} It is by a river.", self.sentence(value)));
        let gone = |status| {
            let archive = if ARCHIVE_DOWN.contains(&night) { json!("down") } else { json!(null) };
            json!({"status": status, "title": "Not found", "text": "This page is not here.", "archive": archive})
        };
        let value = 1_000 + self.number * 7;
        match self.fate {
            _ if OUTAGE.contains(&night) => json!({"error": "reset"}),
            Dies if since >= 0 => gone(404),
            DiesForGood if since >= 0 => gone(410),
            Flaps if since >= 0 && since % 17 < 5 => gone(404),
            Fails if (0..30).contains(&since) => json!({"status": 503, "text": "Service unavailable"}),
            Moves if since >= 0 => {
                json!({"status": 301, "location": format!("http://{}/new/{}", self.host, self.number)})
            }
            Drifts if since >= 0 => there(value + 3),
            Walled if since >= 0 => {
                json!({"status": 401, "text": "Log in", "headers": {"www-authenticate": "Basic realm=\"x\""}})
            }
            ComesBack if (0..60).contains(&since) => gone(404),
            _ => there(value),
        }
    }
}

fn at(night: i64) -> Timestamp {
    Timestamp::from_second(1_767_225_600 + night * 86_400 + 3 * 3600).unwrap()
}

fn web(sources: &[Source], night: i64) -> Server {
    let mut site: BTreeMap<String, serde_json::Value> =
        sources.iter().map(|source| (source.address(), source.answer(night))).collect();
    for source in sources {
        if source.fate == Fate::Moves && !OUTAGE.contains(&night) {
            let text = format!("From the report of the plant. {}", source.sentence(1_000 + source.number * 7));
            site.insert(format!("http://{}/new/{}", source.host, source.number), page(&text));
        }
        // What tells a site that lost a page from one that has none.
        if !OUTAGE.contains(&night) {
            site.entry(format!("http://{}/", source.host)).or_insert_with(|| page("Reports of plants"));
        }
    }
    Server::start(&serde_json::to_string(&site).unwrap())
}

fn network(web: &Server, night: i64) -> Network {
    let now = at(night);
    Network::new(Settings {
        connect_to: web.connect_to().iter().map(|text| text.parse::<ConnectTo>().unwrap()).collect(),
        archives: vec![Endpoint {
            cdx: "http://web.archive.org/cdx/search/cdx".into(),
            replay: "http://web.archive.org/web/".into(),
            cdx_per_minute: 100_000,
            replay_per_minute: 100_000,
            ..Endpoint::wayback()
        }],
        second_look_after: Duration::ZERO,
        host_pause: Duration::ZERO,
        backoff: Duration::from_millis(1),
        retries: 0,
        per_host: 4,
        total_timeout: Duration::from_secs(20),
        clock: Arc::new(move || now),
        ..Settings::default()
    })
    .unwrap()
}

/// One run: what was told, the states, how many were asked.
fn run(shared: &Shared, web: &Server, night: i64) -> (Vec<(String, News)>, BTreeMap<State, u64>, u64) {
    let network = network(web, night);
    let round = shared.now(|store| store.begin(at(night), None)).unwrap();
    let asking = Asking {
        indexes: &[],
        fetcher: &network,
        watch: &|_| {},
        now: Some(at(night)),
        hosts: 32,
        asks: true,
        grace: Duration::ZERO,
        tally: Arc::new(Tally::default()),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(asking.work(shared, std::future::pending())).unwrap();
    let (report, told) = shared
        .now(|store| {
            let settled = store.settle(round.id, at(night), false)?;
            let told = tell(store, &round, settled, at(night), None, Vec::new())?;
            store.mark_reported(&told.1)?;
            Ok(told)
        })
        .unwrap();
    assert!(report.blocked.is_none() || OUTAGE.contains(&night), "night {night}: {:?}", report.blocked);
    let news = report
        .entries
        .iter()
        .filter(|entry| entry.news.is_new())
        .map(|entry| (entry.source.address().to_owned(), entry.news));
    assert_eq!(told.len(), report.entries.len());
    (news.collect(), report.settled.states, report.settled.checked)
}

fn nights(store: Store, sources: usize, nights: i64) {
    let sources: Vec<Source> = (0..sources).map(|number| Source::numbered(number, nights)).collect();
    let shared = Shared::new(store);
    // What drifts is cited by sentences of a document, the rest stands in a list: both ways are walked.
    let (mut text, mut entries, mut list) =
        (String::from("# Plants\n\n"), String::from("\n## Sources\n\n"), String::new());
    for (label, source) in
        sources.iter().filter(|source| source.fate == Fate::Drifts || source.number % 10 == 9).enumerate()
    {
        let label = label + 1;
        let sentence = source.sentence(1_000 + source.number * 7);
        text.push_str(&format!("{}\n\n", sentence.replace("2019.", &format!("2019 [{label}]."))));
        entries.push_str(&format!("[{label}] A report. {}\n", source.address()));
    }
    sources.iter().for_each(|source| list.push_str(&format!("{}\n", source.address())));
    shared
        .now(|store| {
            let input = Input { path: "plants.md".into(), text: (text + &entries).into() };
            store.document(&of_markdown(&input, None), at(0))?;
            store.document(&of_addresses("list.txt", &list).0, at(0))
        })
        .unwrap();
    let mut told: BTreeMap<String, Vec<(i64, News)>> = BTreeMap::new();
    let mut last = BTreeMap::new();
    for night in 0..nights {
        let web = web(&sources, night);
        let (news, states, _) = run(&shared, &web, night);
        for (address, news) in news {
            told.entry(address).or_default().push((night, news));
        }
        last = states;
        // A second run of a night asks nobody, unless the first proved nothing.
        if !OUTAGE.contains(&night) && night % 10 == 0 {
            let before = web.log().len();
            let (_, _, checked) = run(&shared, &web, night);
            assert_eq!((checked, web.log().len()), (0, before), "night {night}");
        }
    }
    let longest = due::ALIVE_MOST;
    let mut expected: BTreeMap<State, u64> = BTreeMap::new();
    let mut flapping = 0;
    for source in &sources {
        let told = told.remove(&source.address()).unwrap_or_default();
        let names: Vec<News> = told.iter().map(|(_, news)| *news).collect();
        // One that fails for so long is told once, and again when it is back.
        let failed = source.fate == Fate::Fails && names == [News::Unreachable, News::Recovered];
        let names: Vec<News> = if failed { Vec::new() } else { names };
        let (news, state): (&[News], State) = match source.fate {
            Fate::Stays | Fate::Fails => (&[], State::Alive),
            Fate::Flaps => (&[], State::Unknown),
            Fate::Walled => (&[], State::Walled),
            Fate::Dies | Fate::DiesForGood => (&[News::NewRot], State::Rotten),
            Fate::Moves => (&[News::Moved], State::Moved),
            Fate::Drifts => (&[News::Drifted], State::Drifted),
            Fate::ComesBack => (&[News::NewRot, News::Recovered], State::Alive),
        };
        assert_eq!(names, news, "{} {:?} on {}: {told:?}", source.number, source.fate, source.on);
        if state == State::Unknown {
            flapping += 1;
        } else {
            *expected.entry(state).or_default() += 1;
        }
        let proof = if matches!(source.fate, Fate::Dies | Fate::ComesBack) { 9 } else { 2 };
        if let Some((night, _)) = told.first() {
            let late = night - source.on;
            let outage = if source.on < OUTAGE.end && *night >= OUTAGE.start { 7 } else { 0 };
            assert!(
                (0..=longest + proof + outage).contains(&late),
                "{} {:?}: after {late} nights",
                source.number,
                source.fate
            );
            assert!(
                late >= 7 || !matches!(source.fate, Fate::Dies | Fate::ComesBack),
                "{}: after {late} nights",
                source.number
            );
        }
    }
    assert!(told.is_empty(), "{told:?}");
    // What flaps is alive or suspect, as the last night had it.
    let free = last.remove(&State::Suspect).unwrap_or(0);
    *last.entry(State::Alive).or_default() += free;
    *expected.entry(State::Alive).or_default() += flapping;
    assert_eq!(last, expected);
}

#[test]
fn nights_on_a_file() {
    let folder = tempfile::tempdir().unwrap();
    nights(Store::open(folder.path().join("audit.sqlite").to_str().unwrap()).unwrap(), 100, 130);
}

#[cfg(feature = "postgres")]
#[test]
fn nights_on_a_server() {
    if let Some(server) = super::postgres::Server::start() {
        nights(Store::open(&server.address).unwrap(), 60, 100);
    }
}

#[test]
#[ignore = "a year over two thousand sources takes minutes"]
fn a_year_over_two_thousand_sources() {
    let folder = tempfile::tempdir().unwrap();
    nights(Store::open(folder.path().join("audit.sqlite").to_str().unwrap()).unwrap(), 2_000, 365);
}
