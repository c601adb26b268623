//! A run that is killed at any moment leaves a cache and bundles that the next run can use.

#[path = "support/server/mod.rs"]
#[allow(dead_code)]
mod server;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use cited::fetch::{Bundle, CachePlace, Network, Outcome, Request, Settings, fetch_all, time_is_over};
use server::{Options, Server};

const PAGES: usize = 60;
const KILLS: u64 = 20;

/// A run is over within this many milliseconds where nothing else is to be done.
const LIFE: u64 = 150;

/// A seed of this moment, or the one that is named: a finding can be repeated as far as moments can.
fn seed() -> u64 {
    let named = std::env::var("CITED_TEST_SEED").ok().and_then(|seed| seed.parse().ok());
    named.unwrap_or_else(|| std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), KILLS))
}

fn text_of(number: usize) -> String {
    format!("Station {number} reported {number}.5 percent.")
}

fn url_of(number: usize) -> String {
    // A few hosts, as a draft has.
    format!("http://h{}.example/p{number}", number % 7)
}

fn settings(folder: &Path, port: &str) -> Settings {
    Settings {
        connect_to: vec![format!(":80:127.0.0.1:{port}").parse().unwrap()],
        cache: Some(CachePlace { folder: folder.join("cache"), max_age: Duration::from_hours(1) }),
        bundle: Bundle::Record(folder.join("run.warc.gz")),
        host_pause: Duration::from_millis(1),
        archives: Vec::new(),
        ..Settings::default()
    }
}

fn requests() -> Vec<Request<'static>> {
    (0..PAGES).map(|number| Request { addresses: vec![url_of(number)], ..Request::default() }).collect()
}

fn run(settings: Settings) -> Vec<cited::fetch::Fetched> {
    let network = Network::new(settings).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let results = runtime.block_on(fetch_all(&network, &requests(), 64, time_is_over(None), &|_| {}));
    network.finish().unwrap();
    results
}

/// What the killed process does: a test of its own name only when the other one starts it.
#[test]
#[ignore = "started and killed by `killed_runs_leave_nothing_broken`"]
fn the_run_that_is_killed() {
    if let (Ok(folder), Ok(port)) = (std::env::var("CITED_TEST_FOLDER"), std::env::var("CITED_TEST_PORT")) {
        run(settings(Path::new(&folder), &port));
    }
}

#[test]
fn killed_runs_leave_nothing_broken() {
    let mut web = serde_json::Map::new();
    for number in 0..PAGES {
        web.insert(url_of(number), serde_json::json!({"title": "S", "text": text_of(number)}));
    }
    let options = Options { latency: Duration::from_millis(5), ..Options::default() };
    let server = Server::start_with(&serde_json::Value::Object(web).to_string(), options);
    let port = server.http().port().to_string();
    let folder = tempfile::tempdir().unwrap();
    let bundle = folder.path().join("run.warc.gz");
    let mut asked_before = 0;
    let seed = seed();
    println!("CITED_TEST_SEED={seed}");
    for round in 0..KILLS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["the_run_that_is_killed", "--exact", "--ignored"])
            .env("CITED_TEST_FOLDER", folder.path())
            .env("CITED_TEST_PORT", &port)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // A random moment (SplitMix64).
        let mut moment = seed.wrapping_add((round + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        moment = (moment ^ (moment >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        moment = (moment ^ (moment >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        std::thread::sleep(Duration::from_millis((moment ^ (moment >> 31)) % LIFE));
        let _ = child.kill();
        child.wait().unwrap();
        // A bundle in its place is a whole one.
        if bundle.exists() {
            Network::new(Settings { bundle: Bundle::Replay(bundle.clone()), ..Settings::default() }).unwrap();
        }
        // What the cache has is right, and everything else is unasked.
        let offline = Settings { offline: true, bundle: Bundle::None, ..settings(folder.path(), &port) };
        let mut kept = 0;
        for (number, fetched) in run(offline).into_iter().enumerate() {
            match fetched.outcome {
                Outcome::Live => {
                    assert_eq!(fetched.page.unwrap().main(), text_of(number));
                    kept += 1;
                }
                outcome => assert_eq!(outcome, Outcome::Unasked),
            }
        }
        assert!(kept >= asked_before, "finished work was lost");
        asked_before = kept;
    }
    let before = server.log().len();
    assert!(run(settings(folder.path(), &port)).iter().all(|fetched| fetched.outcome == Outcome::Live));
    assert_eq!(server.log().len() - before, PAGES - asked_before, "only what was missing is asked");
    // A recording removes what killed ones left beside it.
    let names = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let parts: Vec<_> = names.filter(|name| name.to_string_lossy().ends_with(".part")).collect();
    assert_eq!(parts, Vec::<std::ffi::OsString>::new());
    let replay = Settings { bundle: Bundle::Replay(bundle), ..Settings::default() };
    assert!(run(replay).iter().all(|fetched| fetched.outcome == Outcome::Live));
}
