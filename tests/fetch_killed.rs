//! A run that is killed at any moment leaves a cache and bundles that the next run can use.

#[path = "support/server/mod.rs"]
#[allow(dead_code)]
mod server;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use cited::fetch::{Bundle, CachePlace, Network, Outcome, Request, Settings, fetch_all};
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
    let results = runtime.block_on(fetch_all(&network, &requests(), 64, &|_| {}));
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

/// The numbers that are left of a seed for each round (`SplitMix64`).
fn moment(seed: u64, round: u64, life: u64) -> Duration {
    let mut moment = seed.wrapping_add((round + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    moment = (moment ^ (moment >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    moment = (moment ^ (moment >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    Duration::from_millis((moment ^ (moment >> 31)) % life)
}

fn web() -> String {
    let mut web = serde_json::Map::new();
    for number in 0..PAGES {
        web.insert(url_of(number), serde_json::json!({"title": "S", "text": text_of(number)}));
    }
    serde_json::Value::Object(web).to_string()
}

fn serve() -> Server {
    Server::start_with(&web(), Options { latency: Duration::from_millis(5), ..Options::default() })
}

#[test]
fn killed_runs_leave_nothing_broken() {
    let server = serve();
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
        std::thread::sleep(moment(seed, round, LIFE));
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
    // Siblings of thin pages are asked in every run: what proves a death is never taken from the cache.
    let pages = || (0..PAGES).map(|number| server.hits(&url_of(number))).sum::<usize>();
    let before = pages();
    assert!(run(settings(folder.path(), &port)).iter().all(|fetched| fetched.outcome == Outcome::Live));
    assert_eq!(pages() - before, PAGES - asked_before, "only what was missing is asked");
    // A recording removes what killed ones left beside it.
    let names = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let parts: Vec<_> = names.filter(|name| name.to_string_lossy().ends_with(".part")).collect();
    assert_eq!(parts, Vec::<std::ffi::OsString>::new());
    let replay = Settings { bundle: Bundle::Replay(bundle), ..Settings::default() };
    assert!(run(replay).iter().all(|fetched| fetched.outcome == Outcome::Live));
}

/// Names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

/// The program itself, ended in every way there is: nothing of it is left but what is whole.
#[cfg(unix)]
#[test]
fn a_real_run_is_ended_fifty_times() {
    use std::io::Write as _;
    use std::os::unix::process::ExitStatusExt as _;
    const ENDED: u64 = 50;
    let server = serve();
    let route = format!(":80:127.0.0.1:{}", server.http().port());
    let folder = tempfile::tempdir().unwrap();
    let (cache, bundle) = (folder.path().join("cache"), folder.path().join("run.warc.gz"));
    let urls: String = (0..PAGES).map(|number| url_of(number) + "\n").collect();
    let seed = seed();
    println!("CITED_TEST_SEED={seed}");
    let start = || {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cited"))
            .args(["show", "-", "--archive", "none", "--progress", "never", "--pause", "0.01", "--connect-to", &route])
            .arg("--cache")
            .arg(&cache)
            .arg("--record")
            .arg(&bundle)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(urls.as_bytes()).unwrap();
        child
    };
    let signals = [signals_of_unix::KILL, signals_of_unix::TERM, signals_of_unix::HUP];
    for round in 0..ENDED {
        let signal = signals[usize::try_from(round).unwrap() % signals.len()];
        let mut child = start();
        std::thread::sleep(moment(seed, round, 400));
        let id = child.id();
        let _ = Command::new("kill").arg(format!("-{signal}")).arg(id.to_string()).stderr(Stdio::null()).status();
        let status = child.wait().unwrap();
        // Ended as it was told to, or by then done.
        let told = [3, 128 + signal].map(Some).contains(&status.code()) || status.signal() == Some(signal);
        assert!(told || status.success(), "{status:?}");
        if signal != signals_of_unix::KILL && status.signal().is_none() {
            let mine = |name: &String| name.contains(&format!(".{id}.")) || name.starts_with(&format!("{id}-"));
            let left: Vec<String> =
                names(folder.path()).into_iter().chain(names(&cache.join("parts"))).filter(mine).collect();
            assert_eq!(left, Vec::<String>::new(), "after signal {signal}");
        }
        if bundle.exists() {
            Network::new(Settings { bundle: Bundle::Replay(bundle.clone()), ..Settings::default() }).unwrap();
        }
    }
    assert!(start().wait().unwrap().success());
    assert_eq!(names(&cache.join("parts")), Vec::<String>::new());
    assert!(
        names(folder.path()).iter().all(|name| std::path::Path::new(name).extension().is_none_or(|end| end != "part"))
    );
    let replay = Settings { bundle: Bundle::Replay(bundle), ..Settings::default() };
    let pages = run(replay);
    for (number, fetched) in pages.into_iter().enumerate() {
        assert_eq!(fetched.page.unwrap().main(), text_of(number));
    }
}

/// Numbers of signals, the same on every Unix.
#[cfg(unix)]
mod signals_of_unix {
    pub const HUP: i32 = 1;
    pub const KILL: i32 = 9;
    pub const TERM: i32 = 15;
}

/// What the process with few descriptors does: a test of its own name only when the other one starts it.
#[test]
#[ignore = "started by `few_descriptors_are_no_outcome_of_a_page`"]
fn the_run_with_few_descriptors() {
    let (Ok(port), Ok(few)) = (std::env::var("CITED_TEST_PORT"), std::env::var("CITED_TEST_FEW")) else { return };
    let few = few.parse().unwrap();
    rlimit::setrlimit(rlimit::Resource::NOFILE, few, few).unwrap();
    let settings = Settings {
        connect_to: vec![format!(":80:127.0.0.1:{port}").parse().unwrap()],
        archives: Vec::new(),
        ..Settings::default()
    };
    let urls = (0..400).map(|number| format!("http://host{number}.example/"));
    let requests: Vec<Request> = urls.map(|url| Request { addresses: vec![url], ..Request::default() }).collect();
    let network = Network::new(settings).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for fetched in runtime.block_on(fetch_all(&network, &requests, 400, &|_| {})) {
        assert_eq!((fetched.outcome, fetched.reason.as_str()), (Outcome::Live, ""), "{}", fetched.address);
    }
}

#[cfg(unix)]
#[test]
fn few_descriptors_are_no_outcome_of_a_page() {
    let mut web = serde_json::Map::new();
    for number in 0..400 {
        let page = serde_json::json!({"title": "S", "text": text_of(number)});
        web.insert(format!("http://host{number}.example/"), page);
    }
    let server = Server::start(&serde_json::Value::Object(web).to_string());
    for few in ["48", "256"] {
        let run = Command::new(std::env::current_exe().unwrap())
            .args(["the_run_with_few_descriptors", "--exact", "--ignored"])
            .env("CITED_TEST_FEW", few)
            .env("CITED_TEST_PORT", server.http().port().to_string())
            .output()
            .unwrap();
        assert!(run.status.success(), "{few}: {}", String::from_utf8_lossy(&run.stdout));
    }
}
