//! The same promises for both engines.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::*;
use crate::report::{CitationPosition, Settled};
use crate::{Acknowledgement, News, Observation, Seen, State};
use cited_core::outcome::Outcome;
use cited_core::page::sha256_hex;
use cited_fetch::Wish;

const LEASE: Duration = Duration::from_mins(5);

fn at(day: i64) -> Timestamp {
    Timestamp::from_second(1_767_225_600 + day * 86_400).unwrap()
}

fn cited(address: &str, sentence: &str) -> Cited {
    Cited {
        key: cited_core::source::key_of(address).0,
        addresses: vec![address.to_owned()],
        places: vec![CitedAt { line: 3, is_claim: true, sentence: sentence.to_owned() }],
        ..Cited::default()
    }
}

fn document(path: &str, sources: &[&str]) -> Document {
    let sha256 = sha256_hex(sources.join(" ").as_bytes());
    let sources = sources.iter().map(|address| cited(address, &format!("It is said at {address}."))).collect();
    Document { path: path.to_owned(), sha256, sources }
}

/// Takes results of a host: whether they were taken.
fn record(store: &mut Store, lease: Lease, results: &[(i64, Observation)]) -> bool {
    store.take(&BTreeMap::from([(lease, (results.to_vec(), None))])).unwrap() == [true]
}

/// Gives a host back: whether it was still held.
fn release(store: &mut Store, lease: Lease, manners: Manners) -> bool {
    store.take(&BTreeMap::from([(lease, (Vec::new(), Some(manners)))])).unwrap() == [true]
}

/// Works until nothing is left: what was asked, in order.
fn work(store: &mut Store, now: Timestamp, seen: &dyn Fn(&str) -> Seen) -> Vec<String> {
    let mut asked = Vec::new();
    loop {
        let batches = store.claim(4, 3, LEASE).unwrap();
        if batches.is_empty() && !rest(store) {
            return asked;
        }
        for batch in batches {
            for work in &batch.work {
                let seen = seen(work.source.address());
                let outcome = match seen {
                    Seen::Good => Outcome::Live,
                    Seen::Gone => Outcome::Dead,
                    _ => Outcome::Unreachable,
                };
                asked.push(work.source.address().to_owned());
                assert!(record(store, batch.lease, &[(work.id, Observation::new(now, seen, outcome))]));
            }
            assert!(release(store, batch.lease, Manners::default()));
        }
    }
}

/// Between two workers a host rests a moment: waits for that, if there is one.
fn rest(store: &mut Store) -> bool {
    match store.soonest().unwrap() {
        Some(time) if time < Duration::from_secs(1) => {
            std::thread::sleep(time);
            true
        }
        _ => false,
    }
}

fn night(store: &mut Store, day: i64, seen: &dyn Fn(&str) -> Seen) -> (Vec<String>, Settled) {
    let round = store.begin(at(day), None).unwrap();
    let asked = work(store, at(day), seen);
    (asked, store.settle(round.id, at(day), false).unwrap())
}

fn addresses(hosts: usize, each: usize) -> Vec<String> {
    (0..hosts * each).map(|i| format!("https://h{}.example/{i}", i % hosts)).collect()
}

/// Runs a test on an empty state of each engine that can be had here.
fn on_each(test: impl Fn(&mut dyn FnMut() -> Store)) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.db");
    let path = path.to_str().unwrap().to_owned();
    test(&mut || Store::open(&path).unwrap());
    #[cfg(feature = "postgres")]
    if let Some(server) = super::tests::server::Server::start() {
        test(&mut || Store::open(&server.address).unwrap());
    }
}

#[cfg(feature = "postgres")]
#[path = "../../../../tests/support/postgres.rs"]
pub(super) mod server;

#[test]
fn a_password_is_never_shown() {
    let check = |place: &str, expected: &str| assert_eq!(shown(place), expected, "{place}");
    check("postgres://me:secret@db.example:5433/audit?password=x", "postgres://me@db.example:5433/audit");
    check("postgresql://db.example/audit", "postgresql://db.example/audit");
    check("postgres://[:secret", "postgres://…");
    check(".cited/audit.sqlite", ".cited/audit.sqlite");
}

#[test]
fn every_due_source_is_asked_once_and_the_second_run_of_a_night_asks_nobody() {
    on_each(|open| {
        let mut store = open();
        let all = addresses(7, 10);
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        store.document(&document("a.md", &all[..50]), at(0)).unwrap();
        store.document(&document("b.md", &all[40..]), at(0)).unwrap();
        let (mut asked, settled) = night(&mut store, 0, &|_| Seen::Good);
        asked.sort_unstable();
        let mut expected: Vec<String> = all.iter().map(|&address| address.to_owned()).collect();
        expected.sort_unstable();
        assert_eq!(asked, expected);
        assert_eq!((settled.checked, settled.carried, settled.failed_hosts), (70, 0, None));
        assert_eq!(settled.states.get(&State::Alive), Some(&70));
        let (asked, settled) = night(&mut store, 0, &|_| Seen::Good);
        assert_eq!((asked.len(), settled.checked), (0, 0));
        assert_eq!(store.days(10).unwrap().len(), 2);
    });
}

#[test]
fn a_run_that_is_cut_short_goes_on_where_it_was() {
    on_each(|open| {
        let all = addresses(5, 8);
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let mut seen = BTreeSet::new();
        let mut store = open();
        store.document(&document("a.md", &all), at(0)).unwrap();
        let round = store.begin(at(0), None).unwrap();
        assert_eq!((round.due, round.queued), (40, 40));
        // A process works on two hosts, stores some results, and is killed.
        for batch in store.claim(2, 8, Duration::ZERO).unwrap() {
            for work in &batch.work[..5] {
                let good = Observation::new(at(0), Seen::Good, Outcome::Live);
                assert!(record(&mut store, batch.lease, &[(work.id, good)]));
                assert!(seen.insert(work.source.address().to_owned()));
            }
        }
        drop(store);
        let mut store = open();
        let again = store.begin(at(0) + SignedDuration::from_hours(1), None).unwrap();
        assert_eq!((again.id, again.due), (round.id, 30));
        for address in work(&mut store, at(0), &|_| Seen::Good) {
            assert!(seen.insert(address));
        }
        assert_eq!(seen.len(), 40);
        assert_eq!(store.settle(round.id, at(0), false).unwrap().checked, 40);
        // What is left open for a day is closed with what it has, before the next begins.
        store.begin(at(5), None).unwrap();
        let round = store.begin(at(7), None).unwrap();
        assert_eq!(round.id, 3);
    });
}

#[test]
fn a_late_batch_is_not_taken() {
    on_each(|open| {
        let mut store = open();
        store.document(&document("a.md", &["https://a.example/1", "https://a.example/2"]), at(0)).unwrap();
        let round = store.begin(at(0), None).unwrap();
        let stalled = store.claim(1, 10, Duration::ZERO).unwrap().remove(0);
        std::thread::sleep(Duration::from_millis(5));
        let other = store.claim(1, 10, LEASE).unwrap().remove(0);
        assert!(store.claim(1, 10, LEASE).unwrap().is_empty());
        let gone = |id| [(id, Observation::new(at(0), Seen::Gone, Outcome::Dead))];
        let good = |id| [(id, Observation::new(at(0), Seen::Good, Outcome::Live))];
        assert!(!record(&mut store, stalled.lease, &gone(stalled.work[0].id)));
        assert!(!release(&mut store, stalled.lease, Manners::default()));
        assert_eq!(store.renew(&[stalled.lease, other.lease], LEASE).unwrap(), [stalled.lease]);
        // Reported twice it is stored once.
        for _ in 0..2 {
            assert!(record(&mut store, other.lease, &good(other.work[0].id)));
        }
        assert!(release(&mut store, other.lease, Manners::default()));
        assert_eq!(store.run(|engine| engine.number("SELECT count(*) FROM job", ())).unwrap(), 1);
        rest(&mut store);
        let last = store.claim(1, 10, LEASE).unwrap().remove(0);
        assert_eq!(last.work.len(), 1);
        assert_eq!(store.settle(round.id, at(0), false).unwrap().checked, 1);
        // The round is over.
        assert!(!record(&mut store, last.lease, &good(last.work[0].id)));
        assert_eq!(store.counts(at(0)).unwrap().get(&State::Alive), Some(&1));
    });
}

#[test]
fn what_is_queued_while_a_host_is_given_back_is_found() {
    on_each(|open| {
        let mut store = open();
        store.document(&document("a.md", &["https://a.example/1"]), at(0)).unwrap();
        store.begin(at(0), None).unwrap();
        let batch = store.claim(1, 10, LEASE).unwrap().remove(0);
        let good = Observation::new(at(0), Seen::Good, Outcome::Live);
        assert!(record(&mut store, batch.lease, &[(batch.work[0].id, good)]));
        // A document comes in before the host is given back, and its source is queued.
        store.document(&document("b.md", &["https://a.example/2"]), at(0)).unwrap();
        assert_eq!(store.begin(at(0), None).unwrap().queued, 1);
        if store.is_shared() {
            assert!(store.claim(1, 10, LEASE).unwrap().is_empty(), "the host is lent");
        }
        // On a file the second run has taken back what the first, which is no more, had in hand.
        assert_eq!(release(&mut store, batch.lease, Manners::default()), store.is_shared());
        assert_eq!(work(&mut store, at(0), &|_| Seen::Good), ["https://a.example/2"]);
        assert_eq!(store.soonest().unwrap(), None);
    });
}

fn tired(rest: u64, pause: u64) -> Manners {
    Manners { tired: true, wish: Some(Wish { pause: Duration::from_secs(pause), rest: Duration::from_secs(rest) }) }
}

/// As if so many seconds were over.
fn pass(store: &mut Store, seconds: i64) {
    let by = [seconds * 1000];
    store
        .run(|engine| engine.execute("UPDATE host SET next_at = next_at - ?1, rests_until = rests_until - ?1", by))
        .unwrap();
}

#[test]
fn a_host_that_asks_for_fewer_requests_rests_longer_each_time() {
    on_each(|open| {
        let mut store = open();
        let all = addresses(1, 9);
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        store.document(&document("a.md", &all), at(0)).unwrap();
        let round = store.begin(at(0), None).unwrap();
        // A minute when it does not say for how long; what it says when it does; twice the last one at least.
        for (asked, least) in [(0, 60), (0, 120), (5, 240), (400, 480), (0, 0)] {
            let batch = store.claim(1, 1, LEASE).unwrap().remove(0);
            let failing = Observation::new(at(0), Seen::Failing, Outcome::Unreachable);
            let done = (vec![(batch.work[0].id, failing)], Some(tired(asked, 0)));
            store.take(&BTreeMap::from([(batch.lease, done)])).unwrap();
            assert!(store.claim(1, 1, LEASE).unwrap().is_empty());
            let rest = store.soonest().unwrap().unwrap_or_default().as_secs();
            assert!((least - least / 20..=least).contains(&rest), "{asked}: {rest}, not {least}");
            pass(&mut store, 481);
        }
        // After the longest one it is left alone.
        let settled = store.settle(round.id, at(0), false).unwrap();
        assert_eq!((settled.checked, settled.carried), (5, 4));
    });
}

#[test]
fn manners_of_a_host_outlive_workers_and_rounds() {
    on_each(|open| {
        let mut store = open();
        let all = ["https://a.example/1", "https://a.example/2", "https://b.example/3", "https://b.example/4"];
        store.document(&document("a.md", &all), at(0)).unwrap();
        let round = store.begin(at(0), None).unwrap();
        for batch in store.claim(2, 1, LEASE).unwrap() {
            // One wants to be left alone for two minutes, the other for an hour.
            let rest = if batch.host == "a.example" { 120 } else { 3600 };
            assert!(release(&mut store, batch.lease, tired(rest, 4)));
        }
        // The worker is killed, and the audit, too.
        drop(store);
        let mut store = open();
        let soon = |store: &mut Store| store.soonest().unwrap().map(|time| time.as_secs());
        assert_eq!(store.begin(at(0), None).unwrap().queued, 2);
        assert!(store.claim(2, 9, LEASE).unwrap().is_empty());
        assert!(soon(&mut store).is_some_and(|time| (110..=120).contains(&time)), "{:?}", soon(&mut store));
        let settled = store.settle(round.id, at(0), false).unwrap();
        assert_eq!((settled.checked, settled.carried, soon(&mut store)), (0, 4, None));
        // A round that comes too soon keeps to it.
        let round = store.begin(at(1), None).unwrap();
        assert_eq!((round.due, round.queued), (4, 2));
        assert!(soon(&mut store).is_some_and(|time| (110..=120).contains(&time)), "{:?}", soon(&mut store));
        pass(&mut store, 121);
        let batch = store.claim(2, 9, LEASE).unwrap().remove(0);
        assert_eq!((batch.host.as_str(), batch.work.len(), batch.pause.as_secs()), ("a.example", 2, 4));
        // Who cannot tell changes nothing; who finds that it answers well again says so.
        assert!(release(&mut store, batch.lease, Manners::default()));
        pass(&mut store, 5);
        let batch = store.claim(2, 9, LEASE).unwrap().remove(0);
        assert_eq!(batch.pause.as_secs(), 4);
        let rested = Manners { tired: false, wish: Some(Wish::default()) };
        assert!(release(&mut store, batch.lease, rested));
        pass(&mut store, 5);
        assert_eq!(store.claim(2, 9, LEASE).unwrap().remove(0).pause, Duration::ZERO);
        pass(&mut store, 3600);
        store.settle(round.id, at(1), false).unwrap();
        assert_eq!(store.begin(at(2), None).unwrap().queued, 4);
        // The clock of the database is set back by a year: what was written before holds nobody up.
        store.claim(1, 9, LEASE).unwrap();
        pass(&mut store, -365 * 24 * 3600);
        store.begin(at(2), None).unwrap();
        assert_eq!(store.claim(2, 9, LEASE).unwrap().len(), 2);
    });
}

#[test]
fn a_state_of_the_first_version_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.db");
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch(super::schema::FIRST).unwrap();
    let version =
        "CREATE TABLE cited (name TEXT PRIMARY KEY, value TEXT NOT NULL); INSERT INTO cited VALUES ('version', '1');
        INSERT INTO host (id, name) VALUES (1, 'a.example')";
    connection.execute_batch(version).unwrap();
    connection.pragma_update(None, "application_id", super::engine::APPLICATION).unwrap();
    drop(connection);
    for _ in 0..2 {
        let mut store = Store::open(path.to_str().unwrap()).unwrap();
        let rows: Vec<(String, i64, i64)> =
            store.run(|engine| engine.rows("SELECT name, pause, rests_until FROM host", ())).unwrap();
        assert_eq!(rows, [("a.example".to_owned(), 0, 0)]);
    }
}

#[test]
fn bounds_carry_over_and_what_fails_comes_first() {
    on_each(|open| {
        let mut store = open();
        let all = addresses(10, 3);
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        store.document(&document("a.md", &all), at(0)).unwrap();
        night(&mut store, 0, &|address| if address.ends_with("/7") { Seen::Failing } else { Seen::Good });
        let round = store.begin(at(30), Some(4)).unwrap();
        assert_eq!((round.due, round.queued), (30, 4));
        let asked = work(&mut store, at(30), &|_| Seen::Good);
        assert!(asked.contains(&"https://h7.example/7".to_owned()), "{asked:?}");
        // A further run of the same round does not go over the bound.
        assert_eq!(store.begin(at(30), Some(4)).unwrap().queued, 0);
        let settled = store.settle(round.id, at(30), false).unwrap();
        assert_eq!((settled.checked, settled.carried), (4, 26));
    });
}

#[test]
fn a_bad_night_changes_no_state() {
    on_each(|open| {
        let mut store = open();
        let all = addresses(10, 2);
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        store.document(&document("a.md", &all), at(0)).unwrap();
        night(&mut store, 0, &|_| Seen::Good);
        let (asked, settled) = night(&mut store, 4, &|_| Seen::Silent);
        assert_eq!((asked.len(), settled.failed_hosts), (20, Some((10, 10))));
        assert_eq!(store.counts(at(4)).unwrap().get(&State::Alive), Some(&20));
        // It is made up for.
        let (asked, settled) = night(&mut store, 4, &|_| Seen::Good);
        assert_eq!((asked.len(), settled.failed_hosts), (20, None));
    });
}

#[test]
fn a_killed_settling_is_gone_on_with() {
    on_each(|open| {
        let mut store = open();
        let all = addresses(4, 2);
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        store.document(&document("a.md", &all), at(0)).unwrap();
        night(&mut store, 0, &|_| Seen::Good);
        let round = store.begin(at(4), None).unwrap();
        work(&mut store, at(4), &|address| if address.contains("h0") { Seen::Gone } else { Seen::Good });
        // As it is after the first page of sources has learnt.
        store.run(|engine| engine.execute("UPDATE round SET status = 'learning' WHERE id = ?1", [round.id])).unwrap();
        store.run(|engine| learn_some(engine, round.id)).unwrap();
        drop(store);
        let mut store = open();
        let next = store.begin(at(4), None).unwrap();
        assert_ne!(next.id, round.id);
        let days = store.days(1).unwrap();
        assert_eq!((days[0].round, days[0].settled.checked), (round.id, 8));
        assert_eq!(store.counts(at(4)).unwrap().get(&State::Suspect), Some(&2));
        let suspect = store
            .page(true, i64::MIN, 100)
            .unwrap()
            .into_iter()
            .find(|told| told.source.state == State::Suspect)
            .unwrap();
        assert_eq!((suspect.source.streak.gone, suspect.source.history.len()), (1, 2));
    });
}

/// What a source that learns twice from one check would show.
fn learn_some(engine: &mut dyn Engine, round: i64) -> std::result::Result<(), Fault> {
    super::rounds::tests_learn(engine, round)
}

#[test]
fn news_is_told_once_and_acknowledged_until_a_date() {
    on_each(|open| {
        let mut store = open();
        let all = ["https://a.example/1", "https://b.example/2", "https://c.example/3", "https://d.example/4"];
        store.document(&document("a.md", &all), at(0)).unwrap();
        let dies = |address: &str| if address.contains("a.example") { Seen::Gone } else { Seen::Good };
        night(&mut store, 0, &|_| Seen::Good);
        for day in 3..15 {
            night(&mut store, day, &dies);
        }
        let news = |store: &mut Store, day| {
            let page = store.page(false, i64::MIN, 10).unwrap();
            let news: Vec<(i64, News)> =
                page.iter().filter_map(|told| Some((told.id, News::read(&told.source, at(day))?))).collect();
            store.mark_reported(&news).unwrap();
            news.into_iter().map(|(_, news)| news).collect::<Vec<_>>()
        };
        assert_eq!(news(&mut store, 15), [News::NewRot]);
        assert_eq!(news(&mut store, 15), [News::StillRotten]);
        let told = store.page(false, i64::MIN, 10).unwrap().remove(0);
        let places = store.places(told.id, 5).unwrap();
        assert_eq!(
            places,
            [CitationPosition {
                document: "a.md".into(),
                line: 3,
                sentence: "It is said at https://a.example/1.".into(),
                is_claim: true
            }]
        );
        let given = Acknowledgement { who: "me".into(), reason: "known".into(), until: at(20) };
        store.acknowledge("https://a.example/1", &given).unwrap();
        assert_eq!(news(&mut store, 16), []);
        assert_eq!(store.counts(at(16)).unwrap().get(&State::Acknowledged), Some(&1));
        assert_eq!(store.counts(at(20)).unwrap().get(&State::Rotten), Some(&1));
        assert_eq!(news(&mut store, 20), [News::AcknowledgementExpired]);
        assert_eq!(news(&mut store, 21), [News::StillRotten]);
        let error = store.acknowledge("https://z.example/", &given).unwrap_err();
        assert_eq!(error.exit_status(), 2);
        // What nothing cites any more is not asked and not told.
        store.forget("a.md", at(30)).unwrap();
        assert_eq!(store.page(false, i64::MIN, 10).unwrap(), []);
        assert_eq!(store.begin(at(60), None).unwrap().due, 0);
    });
}

#[test]
fn a_clock_before_the_last_round_is_refused() {
    on_each(|open| {
        let mut store = open();
        store.document(&document("a.md", &["https://a.example/1"]), at(0)).unwrap();
        night(&mut store, 9, &|_| Seen::Good);
        let error = store.begin(at(8), None).unwrap_err();
        assert!(error.to_string().contains("set the clock"), "{error}");
        assert_eq!(error.exit_status(), 2);
    });
}

#[test]
fn two_audits_wait_for_each_other() {
    on_each(|open| {
        let (mut first, mut second) = (open(), open());
        first.lock(|| panic!("nobody else is there")).unwrap();
        let waiting = std::thread::spawn(move || {
            let (send, receive) = std::sync::mpsc::channel();
            second.lock(|| send.send(()).unwrap()).unwrap();
            receive.try_recv().is_ok()
        });
        std::thread::sleep(Duration::from_millis(200));
        drop(first);
        assert!(waiting.join().unwrap(), "the second one had to wait");
    });
}

#[test]
fn what_is_no_state_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let refused = |path: &str, expected: &str| {
        let before = std::fs::read(path).unwrap_or_default();
        let error = Store::open(path).err().unwrap_or_else(|| panic!("{path} is taken"));
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(error.exit_status(), 2);
        assert_eq!(std::fs::read(path).unwrap_or_default(), before);
    };
    std::fs::write(path("text"), "a list of links\n").unwrap();
    refused(&path("text"), "cannot be used as a state: file is not a database");
    let other = rusqlite::Connection::open(path("other")).unwrap();
    other.execute_batch("CREATE TABLE moz_places (id INTEGER)").unwrap();
    drop(other);
    refused(&path("other"), "is a database of another program");
    refused(&path("none/audit.db"), "unable to open database file");
    refused(folder.path().to_str().unwrap(), "unable to open database file");
    // Of a newer version, and of none.
    for (statement, expected) in [
        ("UPDATE cited SET value = '99'", "newer cited"),
        ("UPDATE cited SET value = 'x'", "no version that is a number"),
    ] {
        let name = path(&sha256_hex(statement.as_bytes()));
        drop(Store::open(&name).unwrap());
        let connection = rusqlite::Connection::open(&name).unwrap();
        connection.execute_batch(statement).unwrap();
        connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
        drop(connection);
        let error = Store::open(&name).err().unwrap();
        assert!(error.to_string().contains(expected), "{error}");
    }
    #[cfg(not(feature = "postgres"))]
    refused("postgres://db.example/audit", "built without PostgreSQL");
}
