//! Looking at sources over real sockets: any host over HTTP and TLS on loopback, an archive beside them.

#[path = "support/server/mod.rs"]
#[allow(dead_code)]
mod server;

use std::sync::Arc;
use std::time::Duration;

use cited::fetch::{
    Bundle, CachePlace, Endpoint, Fetched, Fetcher, Network, Outcome, Request, Rule, Settings, Supports, fetch_all,
};
use server::Server;

/// Settings that lead everything to the server, with short times.
fn settings(server: &Server) -> Settings {
    Settings {
        connect_to: server.connect_to().iter().map(|route| route.parse().unwrap()).collect(),
        extra_ca_pem: vec![server.ca_pem().as_bytes().to_vec()],
        second_look_after: Duration::from_millis(30),
        backoff: Duration::from_millis(10),
        host_pause: Duration::from_millis(1),
        archives: vec![Endpoint { pause_seconds: 0, ..Endpoint::wayback() }],
        ..Settings::default()
    }
    .with_timeout(Duration::from_millis(700))
}

fn request(url: &str) -> Request<'static> {
    Request { addresses: vec![url.to_owned()], ..Request::default() }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

fn fetch(network: &Network, request: &Request) -> Fetched {
    runtime().block_on(network.fetch(request))
}

/// Fetches one address of a web and compares outcome and reason.
#[track_caller]
fn check(web: &str, url: &str, outcome: Outcome, reason: &str) -> Fetched {
    let server = Server::start(web);
    let network = Network::new(settings(&server)).unwrap();
    let fetched = fetch(&network, &request(url));
    assert_eq!((fetched.outcome, fetched.reason.as_str()), (outcome, reason), "{url}: {fetched:#?}");
    fetched
}

const ACME: &str = r#"{
 "https://acme.example/blog/v1": {"status": 301, "location": "https://acme.example/", "archive": null},
 "https://acme.example/": {"title": "Acme", "text": "Acme. Tools for teams."},
 "https://acme.example/v2": {"title": "Page not found | Acme", "text": "Sorry, we can't find that page.",
   "archive": {"timestamp": "20230105000000", "text": "Acme v2 added batch calls."}},
 "https://acme.example/pricing": {"status": 403, "title": "Just a moment...", "text": "Checking your browser", "archive": null},
 "http://acme.example/about": {"status": 301, "location": "https://acme.example/about/"},
 "https://acme.example/about/": {"title": "About", "text": "Acme was founded in 2010."},
 "https://acme.example/gone": {"status": 404, "archive": null},
 "https://acme.example/gone-too": {"status": 410, "archive": "down"},
 "https://acme.example/hidden": {"status": 404, "archive": "excluded"},
 "https://acme.example/old": {"status": 301, "location": "/new/place"},
 "https://acme.example/new/place": {"title": "Place", "text": "The content of the old page is here."},
 "https://team.acme.example/": {"error": "timeout"},
 "https://reset.acme.example/": {"error": "reset"},
 "https://five.acme.example/": {"status": 503},
 "https://flaky.acme.example/": {"status": 503, "then": [{"title": "Up", "text": "Up again."}]}
}"#;

#[test]
fn a_page_that_is_there_is_live() {
    let fetched = check(ACME, "http://acme.example/about", Outcome::Live, "");
    assert_eq!(fetched.hops.len(), 2);
    let page = fetched.page.unwrap();
    assert_eq!(page.main(), "Acme was founded in 2010.");
    assert!(page.text.contains("Privacy") && page.complete);
    assert_eq!(page.title.as_deref(), Some("About"));
}

#[test]
fn a_glance_says_the_same_and_leaves_the_text_unread() {
    let long = "The station reported seven percent again. ".repeat(500);
    let web = serde_json::json!({
        "https://a.example/long": {"title": "Long", "text": long},
        "https://a.example/soft": {"title": "Page not found", "text": "Sorry.", "archive": null},
    });
    let server = Server::start(&web.to_string());
    let network = Network::new(settings(&server)).unwrap();
    for (path, outcome) in [("long", Outcome::Live), ("soft", Outcome::Dead)] {
        let whole = request(&format!("https://a.example/{path}"));
        let glance = Request { glance: true, ..whole.clone() };
        let (whole, glance) = (fetch(&network, &whole), fetch(&network, &glance));
        assert_eq!((whole.outcome, glance.outcome), (outcome, outcome), "{path}");
        let has_hash = |fetched: &Fetched| fetched.page.as_ref().is_some_and(|page| !page.text_sha256.is_empty());
        assert_eq!(has_hash(&whole), outcome == Outcome::Live, "{path}");
        assert!(!has_hash(&glance), "what was left unread has no hash: {path}");
    }
}

#[test]
fn gone_without_a_copy_is_dead() {
    check(ACME, "https://acme.example/gone", Outcome::Dead, "HTTP 404");
    check(ACME, "https://acme.example/not-listed", Outcome::Dead, "HTTP 404");
    // The site says honestly of other addresses that they are not there: it knows this one.
    check(ACME, "https://acme.example/blog/v1", Outcome::Moved, "moved permanently");
}

#[test]
fn a_copy_stands_in() {
    let fetched = check(ACME, "https://acme.example/v2", Outcome::Archived, "soft 404: page says “Page not found”");
    let copy = fetched.archive.unwrap();
    assert_eq!(copy.url, "https://web.archive.org/web/20230105000000/https://acme.example/v2");
    assert_eq!(copy.taken.to_string(), "2023-01-05T00:00:00Z");
    assert_eq!(copy.original, "https://acme.example/v2");
    assert!(fetched.page.unwrap().text.contains("Acme v2 added batch calls."));
}

#[test]
fn an_archive_that_cannot_be_asked_leaves_the_source_undecided() {
    check(ACME, "https://acme.example/gone-too", Outcome::Unasked, "HTTP 410, archive: HTTP 503");
    check(ACME, "https://acme.example/hidden", Outcome::Unasked, "HTTP 404, archive: excluded there");
}

#[test]
fn what_says_nothing_is_not_dead() {
    check(ACME, "https://acme.example/pricing", Outcome::Blocked, "HTTP 403");
    check(ACME, "https://team.acme.example/", Outcome::Unreachable, "timeout");
    check(ACME, "https://reset.acme.example/", Outcome::Unreachable, "connection reset");
    check(ACME, "https://unlisted.example/", Outcome::Unreachable, "connection reset");
    check(ACME, "http://unlisted.example/", Outcome::Unreachable, "connection reset");
    check(ACME, "https://five.acme.example/", Outcome::Unreachable, "HTTP 503");
    check(ACME, "https://flaky.acme.example/", Outcome::Live, "");
}

#[test]
fn a_move_offers_the_new_address() {
    let fetched = check(ACME, "https://acme.example/old", Outcome::Moved, "moved permanently");
    assert_eq!(fetched.final_url.as_deref(), Some("https://acme.example/new/place"));
}

#[test]
fn death_is_proven_by_a_second_look_over_a_new_connection() {
    let server =
        Server::start(r#"{"https://a.example/x": {"status": 404, "then": [{"title": "X", "text": "It is here."}]}}"#);
    let network = Network::new(settings(&server)).unwrap();
    let fetched = fetch(&network, &request("https://a.example/x"));
    assert_eq!(fetched.outcome, Outcome::Live);
    let log = server.log();
    assert_eq!(log.len(), 2);
    assert_ne!(log[0].connection, log[1].connection);
}

#[test]
fn one_living_address_is_enough() {
    let server = Server::start(ACME);
    let network = Network::new(settings(&server)).unwrap();
    let both = Request {
        addresses: vec!["https://acme.example/gone".to_owned(), "https://acme.example/about/".to_owned()],
        ..Request::default()
    };
    assert_eq!(fetch(&network, &both).outcome, Outcome::Live);
    let unsure = Request {
        addresses: vec!["https://acme.example/gone".to_owned(), "https://acme.example/pricing".to_owned()],
        ..Request::default()
    };
    assert_eq!(fetch(&network, &unsure).outcome, Outcome::Blocked);
}

#[test]
fn without_archives_gone_is_dead_at_once() {
    let server = Server::start(ACME);
    let network = Network::new(Settings { archives: Vec::new(), ..settings(&server) }).unwrap();
    assert_eq!(fetch(&network, &request("https://acme.example/v2")).outcome, Outcome::Dead);
}

#[test]
fn the_network_is_at_fault_when_most_hosts_are_silent() {
    let server = Server::start(ACME);
    let run = |urls: &[&str]| {
        let network = Network::new(settings(&server)).unwrap();
        let requests: Vec<Request> = urls.iter().map(|url| request(url)).collect();
        runtime().block_on(fetch_all(&network, &requests, 64, &|_| {}));
        network.fault().is_some()
    };
    assert!(!run(&["https://acme.example/about/", "https://team.acme.example/"]));
    assert!(run(&["https://acme.example/about/", "https://n1.example/", "https://n2.example/"]));
    // One silent host with many pages is one host.
    let one = ["https://n1.example/1", "https://n1.example/2", "https://n1.example/3", "https://acme.example/about/"];
    assert!(!run(&one));
    // Errors are answers.
    assert!(!run(&["https://five.acme.example/", "https://acme.example/gone"]));
}

#[test]
fn results_keep_their_order() {
    let server = Server::start(ACME);
    let network = Network::new(settings(&server)).unwrap();
    let urls = ["https://team.acme.example/", "https://acme.example/about/", "https://acme.example/pricing"];
    let requests: Vec<Request> = urls.iter().map(|url| request(url)).collect();
    let results = runtime().block_on(fetch_all(&network, &requests, 64, &|_| {}));
    let found: Vec<_> = results.iter().map(|fetched| fetched.address.as_str()).collect();
    assert_eq!(found, urls);
    assert_eq!([results[1].outcome, results[2].outcome], [Outcome::Live, Outcome::Blocked]);
}

#[test]
fn a_copy_that_supports_a_claim_is_preferred() {
    let web = r#"{"https://a.example/x": {"status": 404, "archive": [
        {"timestamp": "20200101000000", "text": "The price is 5 dollars."},
        {"timestamp": "20210101000000", "title": "Page not found", "text": "Sorry."},
        {"timestamp": "20220101000000", "text": "The price is 7 dollars."}]}}"#;
    let server = Server::start(web);
    let find = |accessed: Option<jiff::civil::Date>, wanted: Option<&'static str>| {
        let network = Network::new(settings(&server)).unwrap();
        let request = Request {
            accessed,
            supports: wanted.map(|wanted| -> Supports<'static> { Arc::new(move |text: &str| text.contains(wanted)) }),
            ..request("https://a.example/x")
        };
        fetch(&network, &request).archive.unwrap().taken.to_zoned(jiff::tz::TimeZone::UTC).year()
    };
    assert_eq!(find(None, None), 2022);
    assert_eq!(find(None, Some("5 dollars")), 2020);
    assert_eq!(find(None, Some("9 dollars")), 2022);
    assert_eq!(find(Some(jiff::civil::date(2020, 3, 1)), None), 2020);
    // The nearest is an error page, so the next nearest stands in.
    assert_eq!(find(Some(jiff::civil::date(2021, 1, 1)), None), 2022);
}

#[test]
fn a_bundle_gives_the_same_results_without_a_network() {
    let server = Server::start(ACME);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.warc.gz");
    let urls = [
        "http://acme.example/about",
        "https://acme.example/gone",
        "https://acme.example/v2",
        "https://acme.example/pricing",
        "https://team.acme.example/",
        "https://acme.example/old",
        "https://acme.example/gone-too",
        "https://flaky.acme.example/",
        "https://acme.example/blog/v1",
        "https://unlisted.example/",
    ];
    let requests: Vec<Request> = urls.iter().map(|url| request(url)).collect();
    let run = |settings: Settings| {
        let network = Network::new(settings).unwrap();
        let results = runtime().block_on(fetch_all(&network, &requests, 64, &|_| {}));
        network.finish().unwrap();
        results.into_iter().map(|fetched| format!("{:#?}", Fetched { elapsed_ms: 0, ..fetched })).collect::<Vec<_>>()
    };
    let live = run(Settings { bundle: Bundle::Record(file.clone()), ..settings(&server) });
    drop(server);
    let replay = Settings { bundle: Bundle::Replay(file.clone()), ..Settings::default() };
    let first = run(replay.clone());
    assert_eq!(first, run(replay.clone()));
    assert_eq!(live, first);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let network = Network::new(replay).unwrap();
    let other = fetch(&network, &request("https://other.example/"));
    assert_eq!((other.outcome, other.reason.as_str()), (Outcome::Unasked, "not in the bundle"));
}

#[test]
fn a_replay_goes_round_as_often_as_the_recording_did() {
    let to_itself =
        |cookie: &str| serde_json::json!({"status": 302, "location": "/", "headers": {"set-cookie": cookie}});
    let page = serde_json::json!({"title": "Gate", "text": "The gate opens at nine."});
    let check = |host: &str, first: serde_json::Value, then: Vec<serde_json::Value>, expected: (Outcome, &str)| {
        let url = format!("https://{host}.example/");
        let mut answers = first;
        answers["then"] = then.into();
        let server = Server::start(&serde_json::json!({&url: answers}).to_string());
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("run.warc.gz");
        let look = |settings: Settings| {
            let network = Network::new(settings).unwrap();
            let found = fetch(&network, &request(&url));
            network.finish().unwrap();
            (found.outcome, found.reason)
        };
        let live = look(Settings { bundle: Bundle::Record(file.clone()), ..settings(&server) });
        assert_eq!((live.0, live.1.as_str()), expected, "{host}");
        drop(server);
        assert_eq!(look(Settings { bundle: Bundle::Replay(file), ..Settings::default() }), live, "{host}");
    };
    let long = format!("sid={}", "1".repeat(5000));
    let circle = (Outcome::Unreachable, "redirects in a circle");
    check("changing", to_itself("sid=1"), vec![to_itself("sid=2"), page.clone()], (Outcome::Live, ""));
    check("same", to_itself("sid=1"), vec![to_itself("sid=1"), page.clone()], circle);
    check("back", to_itself("sid=1"), vec![to_itself("sid=2"), to_itself("sid=1"), page.clone()], circle);
    check("too-long", to_itself(&long), vec![page.clone()], circle);
}

#[test]
fn a_bundle_that_is_none_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let check = |name: &str, bytes: &[u8]| {
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).unwrap();
        let error = Network::new(Settings { bundle: Bundle::Replay(file), ..Settings::default() }).err().unwrap();
        assert_eq!(error.exit_status(), 2);
        assert!(error.to_string().contains("not a usable evidence bundle"), "{error}");
    };
    check("empty", b"");
    check("text", b"hello");
    check("cut", &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1]);
    let missing = Settings { bundle: Bundle::Replay(folder.path().join("none")), ..Settings::default() };
    assert_eq!(Network::new(missing).err().unwrap().exit_status(), 2);
}

#[test]
fn a_cache_asks_with_conditions_and_keeps_no_errors() {
    let server = Server::start(
        r#"{"https://a.example/x": {"title": "X", "text": "The text of x.", "headers": {"etag": "\"1\""}},
            "https://a.example/gone": {"status": 404},
            "https://a.example/soft": {"title": "Page not found", "text": "Sorry."}}"#,
    );
    let folder = tempfile::tempdir().unwrap();
    let place = |max_age| Some(CachePlace { folder: folder.path().to_owned(), max_age: Duration::from_secs(max_age) });
    let run = |settings: Settings, url: &str| fetch(&Network::new(settings).unwrap(), &request(url));
    let fresh = Settings { cache: place(3600), ..settings(&server) };
    let url = "https://a.example/x";
    assert_eq!(run(fresh.clone(), url).outcome, Outcome::Live);
    assert_eq!(run(fresh.clone(), url).outcome, Outcome::Live);
    assert_eq!(server.hits(url), 1);
    // Too old: asked again, with a condition, and answered with 304.
    let old = Settings {
        cache: place(0),
        clock: Arc::new(|| jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1)),
        ..settings(&server)
    };
    let again = run(old, url);
    assert_eq!((again.outcome, again.page.unwrap().main()), (Outcome::Live, "The text of x."));
    assert_eq!(server.log().last().unwrap().headers["if-none-match"], "\"1\"");
    // Without a network the cache is all there is.
    let offline = Settings { offline: true, ..fresh.clone() };
    assert_eq!(run(offline.clone(), url).outcome, Outcome::Live);
    assert_eq!(run(offline.clone(), "https://a.example/gone").outcome, Outcome::Unasked);
    // Neither errors nor pages that turned out to be none are kept.
    for url in ["https://a.example/gone", "https://a.example/soft"] {
        assert_eq!(run(fresh.clone(), url).outcome, Outcome::Dead);
        let asked = server.hits(url);
        assert_eq!(run(offline.clone(), url).outcome, Outcome::Unasked);
        assert_eq!(run(fresh.clone(), url).outcome, Outcome::Dead);
        assert_eq!(server.hits(url), asked * 2);
    }
}

#[test]
fn a_damaged_cache_file_counts_as_not_there() {
    let server = Server::start(r#"{"https://a.example/x": {"title": "X", "text": "The text of x."}}"#);
    let folder = tempfile::tempdir().unwrap();
    let cache = CachePlace { folder: folder.path().to_owned(), max_age: Duration::from_hours(1) };
    let settings = Settings { cache: Some(cache), ..settings(&server) };
    let run = || fetch(&Network::new(settings.clone()).unwrap(), &request("https://a.example/x"));
    assert_eq!(run().outcome, Outcome::Live);
    let mut files = Vec::new();
    for inner in std::fs::read_dir(folder.path()).unwrap().flatten().filter(|entry| entry.path().is_dir()) {
        files.extend(std::fs::read_dir(inner.path()).unwrap().flatten().map(|entry| entry.path()));
    }
    assert_eq!(files.len(), 1);
    let bytes = std::fs::read(&files[0]).unwrap();
    for damaged in [&bytes[..bytes.len() / 2], b"", b"rubbish", &[&bytes[..bytes.len() - 9], b"123456789"].concat()] {
        std::fs::write(&files[0], damaged).unwrap();
        assert_eq!(run().page.unwrap().main(), "The text of x.");
    }
    assert_eq!(server.hits("https://a.example/x"), 5);
}

#[test]
fn a_work_is_found_at_its_other_address() {
    let server = Server::start(
        r#"{"https://arxiv.org/pdf/2401.01234v1": {"status": 404},
            "https://export.arxiv.org/abs/2401.01234": {"title": "A paper", "text": "The abstract of the paper."},
            "https://pub.example/doi/10.1145/99.1": {"status": 404}, "https://doi.org/10.1145/99.1": {"status": 404}}"#,
    );
    let network = Network::new(settings(&server)).unwrap();
    let found = fetch(&network, &request("https://arxiv.org/pdf/2401.01234v1"));
    assert_eq!((found.outcome, found.rule), (Outcome::Moved, Rule::WorkElsewhere));
    assert_eq!(found.final_url.as_deref(), Some("https://export.arxiv.org/abs/2401.01234"));
    assert_eq!(found.address, "https://export.arxiv.org/abs/2401.01234");
    let hops: Vec<_> = found.hops.iter().map(|hop| (hop.url.as_str(), hop.status)).collect();
    let (cited, other) = ("https://arxiv.org/pdf/2401.01234v1", "https://export.arxiv.org/abs/2401.01234");
    assert_eq!(hops, [(cited, Some(404)), (other, Some(200))]);
    assert_eq!(fetch(&network, &request("https://pub.example/doi/10.1145/99.1")).outcome, Outcome::Dead);
}

#[test]
fn a_copy_that_is_gone_leaves_the_page_and_its_other_copies() {
    let server = Server::start(
        r#"{"https://a.example/there": {"title": "There", "text": "The page itself is still there."},
            "https://a.example/gone": {"status": 404, "archive": [
                {"timestamp": "20150101000000", "text": "The oldest copy of the page."},
                {"timestamp": "20210101000000", "text": "A later copy of the page."},
                {"timestamp": "20240101000000", "text": "The newest copy of the page."}]},
            "https://web.archive.org/web/20200101000000/https://a.example/gone": {"status": 404},
            "https://a.example/lost": {"status": 404, "archive": null},
            "https://a.example/shut": {"status": 403, "archive": null}}"#,
    );
    let look = |page: &str| {
        let copy = format!("https://web.archive.org/web/20200101000000/https://a.example/{page}");
        fetch(&Network::new(settings(&server)).unwrap(), &request(&copy))
    };
    let there = look("there");
    assert_eq!((there.outcome, there.rule), (Outcome::Moved, Rule::CopyGone));
    assert_eq!(there.final_url.as_deref(), Some("https://a.example/there"));
    // The copy nearest to the one that was cited.
    let gone = look("gone");
    let copy = gone.archive.clone().unwrap_or_else(|| panic!("{gone:#?}"));
    assert_eq!(copy.url, "https://web.archive.org/web/20210101000000/https://a.example/gone");
    assert_eq!(look("lost").outcome, Outcome::Dead);
    assert_eq!(look("shut").outcome, Outcome::Blocked);
}
