//! The archive as a real pywb answers it, over a bundle that cited itself has written.
//!
//! Needs pywb's programs: the folder named by `CITED_PYWB`, or the search path (`.ci/test` installs them). Without them it
//! says so and does nothing, unless `CITED_NEEDS_PYWB` is set: then it fails. `.ci/test` sets it where it has them.

#[path = "support/server/mod.rs"]
#[allow(dead_code)]
mod server;

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use cited::fetch::{Bundle, Endpoint, Fetched, Fetcher, Network, Outcome, Request, Settings};
use server::Server;

/// A pywb that ends with the test.
struct Pywb(Child);

impl Drop for Pywb {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn program(name: &str) -> Option<PathBuf> {
    let named = std::env::var_os("CITED_PYWB").map(PathBuf::from);
    let folders = named
        .into_iter()
        .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect::<Vec<_>>());
    folders.map(|folder| folder.join(name)).find(|path| path.is_file())
}

fn settings(server: &Server) -> Settings {
    Settings {
        connect_to: vec![format!("a.example:443:127.0.0.1:{}", server.https().port()).parse().unwrap()],
        extra_ca_pem: vec![server.ca_pem().as_bytes().to_vec()],
        allow_net: vec!["127.0.0.0/8".parse().unwrap()],
        second_look_after: Duration::from_millis(10),
        archives: Vec::new(),
        ..Settings::default()
    }
}

fn fetch(settings: Settings, url: &str) -> Fetched {
    let network = Network::new(settings).unwrap();
    let request = Request { addresses: vec![url.to_owned()], ..Request::default() };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let fetched = runtime.block_on(network.fetch(&request));
    network.finish().unwrap();
    fetched
}

fn start(folder: &Path, manager: &Path, wayback: &Path, bundles: &[PathBuf]) -> (Pywb, u16) {
    let quietly = |command: &mut Command| {
        assert!(command.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success());
    };
    quietly(Command::new(manager).args(["init", "kept"]));
    for bundle in bundles {
        quietly(Command::new(manager).args(["add", "kept"]).arg(bundle));
    }
    std::fs::write(folder.join("config.yaml"), "framed_replay: false\n").unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let child = Command::new(wayback)
        .args(["-b", "127.0.0.1", "-p", &port.to_string()])
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let pywb = Pywb(child);
    let start = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(start.elapsed() < Duration::from_mins(1), "pywb does not start");
        std::thread::sleep(Duration::from_millis(100));
    }
    (pywb, port)
}

#[test]
fn a_real_pywb_serves_what_we_recorded() {
    let (Some(manager), Some(wayback)) = (program("wb-manager"), program("wayback")) else {
        assert!(std::env::var_os("CITED_NEEDS_PYWB").is_none(), "pywb is needed, and is not installed");
        println!("skipped: pywb is not installed; `bash .ci/test` installs it and names its folder in CITED_PYWB");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let before = Server::start(
        r#"{"https://a.example/x": {"title": "X", "text": "The rate was 7 percent."},
            "https://a.example/soft": {"title": "Page not found", "text": "Sorry."}}"#,
    );
    let mut bundles = Vec::new();
    for (number, path) in ["x", "soft"].iter().enumerate() {
        let bundle = folder.path().join(format!("b{number}.warc.gz"));
        let recording = Settings { bundle: Bundle::Record(bundle.clone()), ..settings(&before) };
        fetch(recording, &format!("https://a.example/{path}"));
        bundles.push(bundle);
    }
    drop(before);
    if let Some(warcio) = program("warcio") {
        for bundle in &bundles {
            assert!(Command::new(&warcio).arg("check").arg(bundle).status().unwrap().success());
        }
    }
    let home = tempfile::tempdir().unwrap();
    let (pywb, port) = start(home.path(), &manager, &wayback, &bundles);
    let after = Server::start(
        r#"{"https://a.example/x": {"status": 404}, "https://a.example/soft": {"status": 404}, "https://a.example/never": {"status": 404}}"#,
    );
    let archive = Endpoint::parse(&format!("http://127.0.0.1:{port}/kept/")).unwrap();
    let look = |path: &str| {
        let settings = Settings { archives: vec![archive.clone()], ..settings(&after) };
        fetch(settings, &format!("https://a.example/{path}"))
    };
    let found = look("x");
    assert_eq!(found.outcome, Outcome::Archived, "{found:?}");
    assert_eq!(found.page.unwrap().main(), "The rate was 7 percent.");
    // What it has of the second is an error page, and of the third nothing.
    assert_eq!(look("soft").outcome, Outcome::Dead);
    assert_eq!(look("never").outcome, Outcome::Dead);
    drop(pywb);
    assert_eq!(look("x").outcome, Outcome::Unasked);
}
