//! Not one connection reaches a forbidden address: a canary counts.

#[path = "support/server/mod.rs"]
#[allow(dead_code)]
mod server;

use std::fmt::Write as _;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cited::fetch::{ConnectTo, Fetched, Fetcher, Network, Outcome, Request, Settings};
use server::Server;

/// Listens on loopback and counts who comes.
struct Canary {
    port: u16,
    count: Arc<AtomicUsize>,
}

impl Canary {
    fn new() -> Canary {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let count = Arc::new(AtomicUsize::new(0));
        let seen = Arc::clone(&count);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                seen.fetch_add(1, Ordering::SeqCst);
                drop(stream);
            }
        });
        Canary { port, count }
    }
}

fn fetch(settings: Settings, url: &str) -> Fetched {
    let network = Network::new(settings).unwrap();
    let request = Request { addresses: vec![url.to_owned()], ..Request::default() };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(network.fetch(&request))
}

fn settings(canary: &Canary) -> Settings {
    Settings {
        // The port is open, so that only the address can be what stops it.
        allow_ports: vec![canary.port],
        second_look_after: Duration::from_millis(10),
        backoff: Duration::from_millis(1),
        host_pause: Duration::from_millis(1),
        archives: Vec::new(),
        ..Settings::default()
    }
    .with_timeout(Duration::from_secs(2))
}

/// Spellings of this machine, with `PORT` for the canary's port.
const SPELLINGS: [&str; 16] = [
    "http://127.0.0.1:PORT/",
    "http://127.1:PORT/",
    "http://2130706433:PORT/",
    "http://0x7f000001:PORT/",
    "http://0x7f.1:PORT/",
    "http://0177.0.0.1:PORT/",
    "http://①②⑦.0.0.1:PORT/",
    "http://0.0.0.0:PORT/",
    "http://0:PORT/",
    "http://[::1]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://[::ffff:7f00:1]:PORT/",
    "http://[64:ff9b::7f00:1]:PORT/",
    "http://localhost:PORT/",
    "http://LOCALHOST.:PORT/",
    "http://127.0.0.1.:PORT/",
];

#[test]
fn no_spelling_reaches_this_machine() {
    let canary = Canary::new();
    for spelling in SPELLINGS {
        let url = spelling.replace("PORT", &canary.port.to_string());
        let fetched = fetch(settings(&canary), &url);
        // A resolver need not know every spelling of `localhost`; then there was nobody to connect to.
        let stopped = fetched.outcome == Outcome::Refused || spelling.contains("LOCALHOST");
        assert!(stopped, "{url}: {fetched:?}");
    }
    assert_eq!(canary.count.load(Ordering::SeqCst), 0);
}

#[test]
fn no_redirect_reaches_this_machine() {
    let canary = Canary::new();
    let mut web = String::from("{");
    let mut urls = Vec::new();
    for (number, spelling) in SPELLINGS.iter().enumerate() {
        let target = spelling.replace("PORT", &canary.port.to_string());
        let status = [301, 302, 303, 307, 308][number % 5];
        let _ = write!(web, r#""https://a.example/{number}": {{"status": {status}, "location": "{target}"}},"#);
        let _ = write!(
            web,
            r#""https://a.example/m{number}": {{"body": "<meta http-equiv=refresh content='0;url={target}'>"}},"#
        );
        urls.push(format!("https://a.example/{number}"));
        urls.push(format!("https://a.example/m{number}"));
    }
    web.push_str(r#""https://a.example/": {}}"#);
    let server = Server::start(&web);
    // Only the one host is led to the server: what it redirects to is not.
    let route: ConnectTo = format!("a.example:443:127.0.0.1:{}", server.https().port()).parse().unwrap();
    for url in urls {
        let settings = Settings {
            connect_to: vec![route.clone()],
            extra_ca_pem: vec![server.ca_pem().as_bytes().to_vec()],
            ..settings(&canary)
        };
        let fetched = fetch(settings, &url);
        assert_eq!(fetched.hops.len(), 2, "{url}: {fetched:?}");
        // A name that this machine does not know may be one that it cannot look up.
        let stopped = matches!(fetched.outcome, Outcome::Refused | Outcome::Unreachable | Outcome::Unasked);
        assert!(stopped, "{url}: {fetched:?}");
    }
    assert_eq!(canary.count.load(Ordering::SeqCst), 0);
}

#[test]
fn what_is_opened_is_reached() {
    let canary = Canary::new();
    let settings = Settings { allow_net: vec!["127.0.0.0/8".parse().unwrap()], ..settings(&canary) };
    let fetched = fetch(settings, &format!("http://127.0.0.1:{}/", canary.port));
    assert_ne!(fetched.outcome, Outcome::Refused);
    assert!(canary.count.load(Ordering::SeqCst) > 0);
}

#[test]
fn a_proxy_is_used_only_when_named_and_gets_no_local_name() {
    let proxy = Canary::new();
    let named = Settings {
        proxy: Some(format!("http://127.0.0.1:{}", proxy.port).parse().unwrap()),
        retries: 0,
        ..settings(&proxy)
    };
    for url in ["http://localhost/", "http://127.1/", "http://printer.local/", "http://[::1]/", "https://10.0.0.1/"] {
        assert_eq!(fetch(named.clone(), url).outcome, Outcome::Refused, "{url}");
    }
    assert_eq!(proxy.count.load(Ordering::SeqCst), 0);
    fetch(named, "http://93.184.216.34/");
    assert!(proxy.count.load(Ordering::SeqCst) > 0);
}
