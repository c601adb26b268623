//! What stands beside the pages: robots.txt, Save Page Now, files behind their pages.

#[path = "support/server/mod.rs"]
#[allow(dead_code)]
mod server;

use std::time::Duration;

use cited::fetch::{Bundle, Credentials, Endpoint, Fetched, Fetcher, Kept, Network, Outcome, Request, Save, Settings};
use server::{Options, Server};

fn settings(server: &Server) -> Settings {
    Settings {
        connect_to: server.connect_to().iter().map(|route| route.parse().unwrap()).collect(),
        extra_ca_pem: vec![server.ca_pem().as_bytes().to_vec()],
        second_look_after: Duration::from_millis(10),
        backoff: Duration::from_millis(1),
        host_pause: Duration::from_millis(1),
        archives: vec![Endpoint { pause_seconds: 0, ..Endpoint::wayback() }],
        ..Settings::default()
    }
    .with_timeout(Duration::from_secs(2))
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(work)
}

fn fetch(settings: &Settings, url: &str) -> Fetched {
    let network = Network::new(settings.clone()).unwrap();
    let request = Request { addresses: vec![url.to_owned()], ..Request::default() };
    let fetched = block_on(network.fetch(&request));
    network.finish().unwrap();
    fetched
}

#[test]
fn robots_are_obeyed_when_asked_for() {
    let server = Server::start(
        r#"{"https://a.example/robots.txt": {"body": "User-agent: *\nDisallow: /private", "headers": {"content-type": "text/plain"}},
            "https://a.example/x": {"title": "X", "text": "The text of x."},
            "https://a.example/private/y": {"title": "Y", "text": "The text of y."},
            "https://a.example/to": {"status": 302, "location": "/private/y"},
            "https://down.example/robots.txt": {"status": 503}, "https://down.example/x": {"text": "It is here."},
            "https://none.example/x": {"text": "It is here."}, "https://none.example/gone": {"status": 404}}"#,
    );
    let obeying = Settings { robots: true, retries: 0, ..settings(&server) };
    let check = |settings: &Settings, url: &str, outcome: Outcome, reason: &str| {
        let fetched = fetch(settings, url);
        assert_eq!((fetched.outcome, fetched.reason.as_str()), (outcome, reason), "{url}");
    };
    check(&obeying, "https://a.example/x", Outcome::Live, "");
    check(&obeying, "https://a.example/private/y", Outcome::Refused, "refused: robots.txt forbids it");
    check(&obeying, "https://a.example/to", Outcome::Refused, "refused: robots.txt forbids it");
    assert_eq!(server.hits("https://a.example/private/y"), 0);
    check(&obeying, "https://down.example/x", Outcome::Refused, "refused: robots.txt answers HTTP 503");
    check(&obeying, "https://none.example/x", Outcome::Live, "");
    check(&obeying, "https://none.example/gone", Outcome::Dead, "HTTP 404");
    // Nobody answers there at all: that is what the reader is to hear.
    check(&obeying, "https://unlisted.example/x", Outcome::Unreachable, "connection reset");
    // One question a site and run, and none when nobody wants to know.
    let network = Network::new(obeying).unwrap();
    let before = server.hits("https://a.example/robots.txt");
    let ask = |url: &str| Request { addresses: vec![url.to_owned()], ..Request::default() };
    block_on(async {
        network.fetch(&ask("https://a.example/x")).await;
        network.fetch(&ask("https://a.example/private/y")).await;
    });
    assert_eq!(server.hits("https://a.example/robots.txt"), before + 1);
    check(&settings(&server), "https://a.example/private/y", Outcome::Live, "");
    assert_eq!(server.hits("https://a.example/robots.txt"), before + 1);
}

const PAGES: &str = r#"{
 "https://a.example/new": {"title": "N", "text": "A page that nobody has copied.", "archive": null},
 "https://a.example/old": {"title": "O", "text": "A page with a copy.", "archive": {"timestamp": "20230105000000", "text": "A page."}},
 "https://a.example/gone": {"status": 404, "archive": null},
 "https://a.example/down": {"title": "D", "text": "A page of which nothing is known.", "archive": "down"}}"#;

fn keep(settings: &Settings, url: &str) -> Option<Kept> {
    let network = Network::new(settings.clone()).unwrap();
    let request = Request { addresses: vec![url.to_owned()], ..Request::default() };
    let kept = block_on(async { network.keep(&network.fetch(&request).await).await });
    network.finish().unwrap();
    kept
}

#[test]
fn pages_without_a_copy_are_kept_when_asked_for() {
    let server = Server::start(PAGES);
    let credentials = Some(Credentials::parse("key:secret").unwrap());
    let saving = Settings { save: Some(Save { credentials, interval: Some(Duration::ZERO) }), ..settings(&server) };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.warc.gz");
    let recording = Settings { bundle: Bundle::Record(file.clone()), ..saving.clone() };
    let kept = keep(&recording, "https://a.example/new");
    let Some(Kept::Taken(copy)) = &kept else { panic!("{kept:?}") };
    assert_eq!(copy.url, "https://web.archive.org/web/20260102030405/https://a.example/new");
    let log = server.log();
    let saves: Vec<_> = log.iter().filter(|logged| logged.url.contains("web.archive.org/save")).collect();
    assert_eq!(saves.len(), 3, "one capture, two questions after it");
    assert!(saves.iter().all(|logged| logged.headers["authorization"] == "LOW key:secret"));
    // The account is for the archive and nobody else, and in no bundle.
    assert!(log.iter().filter(|logged| logged.headers.contains_key("authorization")).count() == saves.len());
    let mut bundle = String::new();
    let bytes = std::fs::read(&file).unwrap();
    std::io::Read::read_to_string(&mut flate2::read::MultiGzDecoder::new(&*bytes), &mut bundle).unwrap();
    assert!(!bundle.contains("secret") && bundle.contains("POST /save") && bundle.contains("authorization: redacted"));
    // From the bundle comes the same.
    let replay = Settings { bundle: Bundle::Replay(file), connect_to: Vec::new(), ..saving.clone() };
    assert_eq!(keep(&replay, "https://a.example/new"), kept);

    let before = server.log().len();
    assert!(
        matches!(keep(&saving, "https://a.example/old"), Some(Kept::Had(copy)) if copy.url.contains("/20230105000000/"))
    );
    assert_eq!(keep(&saving, "https://a.example/gone"), None);
    let unknown = keep(&saving, "https://a.example/down");
    assert_eq!(unknown, Some(Kept::Not { reason: "archive: HTTP 503".to_owned() }));
    assert!(server.log()[before..].iter().all(|logged| !logged.url.contains("/save")));
    assert_eq!(keep(&settings(&server), "https://a.example/new"), None);
}

#[test]
fn what_may_pass_is_asked_for_again_and_what_may_not_is_not() {
    for (error, captures) in
        [("error:browsing-timeout", 3), ("error:blocked-url", 1), ("error:too-many-daily-captures", 1)]
    {
        let server = Server::start_with(PAGES, Options { save_fails: Some(error), ..Options::default() });
        let saving =
            Settings { save: Some(Save { credentials: None, interval: Some(Duration::ZERO) }), ..settings(&server) };
        let reason = format!("archive: {}", error.trim_start_matches("error:"));
        assert_eq!(keep(&saving, "https://a.example/new"), Some(Kept::Not { reason }));
        assert_eq!(server.hits("https://web.archive.org/save"), captures, "{error}");
    }
}

#[test]
fn a_page_that_shows_a_file_has_the_text_of_the_file() {
    let server = Server::start(
        r##"{"https://github.com/o/r/blob/main/docs/a.md": {"title": "r/docs/a.md at main", "text": "Sign in. Code. Blame."},
            "https://raw.githubusercontent.com/o/r/main/docs/a.md": {"body": "# Limits\n\nThe limit is 40 requests.", "headers": {"content-type": "text/plain; charset=utf-8"}},
            "https://github.com/old/r/blob/main/a.md": {"status": 301, "location": "https://github.com/new/r/blob/main/a.md"},
            "https://github.com/new/r/blob/main/a.md": {"title": "r/a.md at main", "text": "Sign in. Code."},
            "https://raw.githubusercontent.com/new/r/main/a.md": {"body": "Renamed, with all that it had.", "headers": {"content-type": "text/plain"}},
            "https://github.com/o/r/blob/master/b.md": {"status": 404},
            "https://github.com/o/r/blob/HEAD/b.md": {"title": "r/b.md at HEAD", "text": "Sign in. Code. Blame. The file b is shown here."},
            "https://github.com/o/r/blob/main/c.md": {"title": "c", "text": "A page whose file cannot be had."}}"##,
    );
    let settings = settings(&server);
    let text = |url: &str| {
        let fetched = fetch(&settings, url);
        let page = fetched.page.unwrap();
        (fetched.outcome, page.title.clone().unwrap_or_default(), page.main().to_owned())
    };
    let blob = fetch(&settings, "https://github.com/o/r/blob/main/docs/a.md");
    assert_eq!(blob.final_url.as_deref(), Some("https://github.com/o/r/blob/main/docs/a.md"));
    let page = blob.page.unwrap();
    assert_eq!((page.main(), page.media_type.as_str()), ("# Limits\n\nThe limit is 40 requests.", "text/markdown"));
    assert_eq!(page.title.as_deref(), Some("r/docs/a.md at main"));
    let renamed = text("https://github.com/old/r/blob/main/a.md");
    assert_eq!(renamed, (Outcome::Moved, "r/a.md at main".to_owned(), "Renamed, with all that it had.".to_owned()));
    assert_eq!(text("https://github.com/o/r/blob/master/b.md").0, Outcome::Moved);
    assert_eq!(text("https://github.com/o/r/blob/main/c.md").2, "A page whose file cannot be had.");
}
