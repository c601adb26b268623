//! What no argument of no tool leads to: addresses inside the network, files outside the folders that were opened.

use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::{Client, Server, Service, flags};

/// Listens where nobody may come, and counts who comes.
struct Canary {
    port: u16,
    heard: Arc<AtomicUsize>,
}

impl Canary {
    fn start() -> Canary {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let heard = Arc::new(AtomicUsize::new(0));
        // The same port of the other family, where there is one.
        for listener in std::iter::once(listener).chain(TcpListener::bind(("::1", port)).ok()) {
            let count = Arc::clone(&heard);
            std::thread::spawn(move || {
                listener.incoming().for_each(|_| {
                    count.fetch_add(1, Ordering::SeqCst);
                });
            });
        }
        Canary { port, heard }
    }

    fn heard(&self) -> usize {
        self.heard.load(Ordering::SeqCst)
    }

    /// Addresses that lead to it, or would where they are read carelessly.
    fn addresses(&self) -> Vec<String> {
        let port = self.port;
        let hosts = [
            "127.0.0.1",
            "127.1",
            "2130706433",
            "0x7f.1",
            "0177.0.0.1",
            "①②⑦.0.0.1",
            "127.0.0.1.",
            "[::1]",
            "[::]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[64:ff9b::7f00:1]",
            "[2002:7f00:1::]",
            "0.0.0.0",
            "169.254.169.254",
            "localhost",
            "LOCALHOST.",
            "x.localhost",
            "user:password@127.0.0.1",
            "a.example@127.0.0.1",
        ];
        let mut all: Vec<String> = hosts.iter().map(|host| format!("http://{host}:{port}/secret")).collect();
        all.extend([
            format!("https://127.0.0.1:{port}/secret"),
            format!("HTTP:\\\\127.0.0.1:{port}\\secret"),
            format!("http:127.0.0.1:{port}/secret"),
            format!("http://a.example#@127.0.0.1:{port}/secret"),
            format!("http://127.0.0.1:{port}\t/secret"),
            format!("ftp://127.0.0.1:{port}/"),
            format!("gopher://127.0.0.1:{port}/x"),
            "file:///etc/passwd".to_owned(),
            "javascript:alert(1)".to_owned(),
            format!("//127.0.0.1:{port}/"),
            // A page that may be asked leads there: by redirects, by its own words, by what it says of robots.
            "http://a.example/out".to_owned(),
            "http://a.example/hops".to_owned(),
            "http://a.example/refresh".to_owned(),
            "http://robots.example/page".to_owned(),
        ]);
        all
    }

    /// The web that leads to it.
    fn web(&self) -> String {
        let inner = format!("http://127.0.0.1:{}/secret", self.port);
        let page = format!(
            "<html><head><meta http-equiv=refresh content='0; url={inner}'><link rel=canonical href='{inner}'>\
             <link rel=amphtml href='{inner}'><base href='{inner}'></head><body><iframe src='{inner}'></iframe></body></html>"
        );
        json!({
            "http://a.example/out": {"status": 302, "location": inner},
            "http://a.example/hops": {"status": 301, "location": "http://a.example/out"},
            "http://a.example/refresh": {"body": page},
            "http://robots.example/page": {"title": "A page", "text": "Nothing of interest stands here."},
            "http://robots.example/robots.txt": {"status": 302, "location": inner},
        })
        .to_string()
    }
}

/// Every argument that an address may stand in, with this address in it.
fn calls(address: &str) -> Vec<(&'static str, Value)> {
    let claim = "The secret is 42.";
    let page = json!({"url": address});
    let draft = format!(
        "# T\n\nThe secret is 42 [1]. It is [kept here]({address}), and {address} says so.\n\n![x]({address})\n\n## Sources\n\n[1] A page. {address}\n"
    );
    let note = format!("---\nsource: {address}\n---\n\n- The secret is 42. <{address}>\n\n[1]: {address}\n");
    let ledger = json!({"summary": claim, "claims": [{"id": "q1", "kind": "quote", "statement": claim, "quote": "The secret is 42.",
        "sourceId": address, "source": address, "url": address}]});
    vec![
        ("check_claim", json!({"claim": format!("{claim} {address}"), "pages": [page]})),
        (
            "check_claim",
            json!({"claim": claim, "pages": [{"url": address, "text": "The secret is 41.", "title": address}]}),
        ),
        ("check_references", json!({"text": draft})),
        ("show_source", json!({"url": address})),
        ("verify_citations", json!({"claims": [claim, address], "sources": [page]})),
        ("verify_citations", json!({"text": draft, "sources": [{"url": address, "content": draft, "title": address}]})),
        ("verify_draft", json!({"text": draft})),
        (
            "verify_draft",
            json!({"text": format!("# T\n\n{claim}\n"), "research": [{"name": "x-research.md", "content": note},
            {"name": "x.bib", "content": format!("@misc{{a, title={{T}}, url={{{address}}}}}")},
            {"name": "x.json", "content": json!([{"claim": claim, "url": address}]).to_string()}]}),
        ),
        (
            "gate",
            json!({"ledger": ledger, "sources": [{"name": "s.md", "content": draft}], "data": [{"name": "d.csv", "content": format!("a\n{address}\n")}]}),
        ),
        ("explain", json!({"code": address})),
    ]
}

/// No address of a client's leads inside: the canary hears nothing, and nothing inside is said to be there.
#[test]
fn no_argument_leads_to_an_inner_address() {
    let canary = Canary::start();
    let web = Server::start(&canary.web());
    let mut flags = flags(&web);
    let to = format!("robots.example:80:{}:{}", web.http().ip(), web.http().port());
    flags.extend(["--connect-to".to_owned(), to, "--pause".to_owned(), "0".to_owned()]);
    flags.extend(["--rate", "100000", "--timeout", "2"].map(str::to_owned));
    let service = Service::start(&super::without(&flags, "3"), None);
    let addresses = canary.addresses();
    std::thread::scope(|scope| {
        for part in addresses.chunks(addresses.len().div_ceil(6)) {
            let (service, canary) = (&service, &canary);
            scope.spawn(move || {
                for address in part {
                    for (tool, arguments) in calls(address) {
                        let (status, body) = service.tool(tool, &arguments);
                        assert!([200, 422].contains(&status), "{tool} {arguments}: {body:#}");
                        assert_eq!(canary.heard(), 0, "{tool} {arguments}");
                        // A page of the web may be there; what is inside is not.
                        if !address.contains("example/") {
                            let told = body["result"].to_string();
                            assert!(
                                !told.contains("\"live\"") && !told.contains("\"moved\""),
                                "{tool} {address}: {body:#}"
                            );
                        }
                    }
                }
            });
        }
    });
    // Nor does an argument open what is closed.
    let inner = format!("http://127.0.0.1:{}/secret", canary.port);
    for opening in ["connect_to", "connect-to", "allow_net", "proxy", "cacert", "search", "cache", "bundle"] {
        for (tool, mut arguments) in calls(&inner) {
            arguments[opening] = json!(["127.0.0.0/8"]);
            assert_eq!(service.tool(tool, &arguments).0, 422, "{tool} {opening}");
        }
    }
    // Nor does another face: jobs, and the Model Context Protocol.
    for (tool, arguments) in calls(&inner) {
        let begin = json!({"tool": tool, "arguments": arguments});
        let (status, _, job) = service.ask("POST", "/v1/jobs", &[], Some(&begin));
        assert_eq!(status, 202, "{job}");
        let events = format!("/v1/jobs/{}/events", job["id"].as_str().unwrap());
        assert!(service.ask("GET", &events, &[], None).2.to_string().contains("event: over"));
    }
    let mut client = Client::start(&super::flags(&web));
    for (tool, arguments) in calls(&inner) {
        client.call(tool, arguments);
    }
    client.end();
    assert_eq!(canary.heard(), 0);
}

/// An address that the search of the service gives is as little trusted as one of a client's.
#[cfg(unix)]
#[test]
fn no_search_leads_to_an_inner_address() {
    let canary = Canary::start();
    let web = Server::start(&canary.web());
    let found = ["127.0.0.1", "[::1]", "localhost"].map(|host| format!("echo http://{host}:{}/secret", canary.port));
    let search = format!("{}; echo http://a.example/out", found.join("; "));
    let flags = flags(&web).into_iter().chain(["--search".to_owned(), search]).collect::<Vec<_>>();
    let service = Service::start(&flags, None);
    let (status, body) = service.tool("check_claim", &json!({"claim": "The secret is 42."}));
    assert_eq!((status, &body["result"]["searched"]), (200, &json!(true)), "{body:#}");
    let fallback =
        json!({"claims": ["The secret is 42."], "sources": [{"content": "Venus is hot."}], "webFallback": true});
    let (status, body) = service.tool("verify_citations", &fallback);
    assert_eq!((status, &body["result"]["supportedCount"]), (200, &json!(0)), "{body:#}");
    assert_eq!(canary.heard(), 0);
}

/// Every argument that a path may stand in.
fn paths(path: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("verify_draft", json!({"path": path})),
        ("verify_draft", json!({"text": "# T\n\nThe secret is 42.\n", "research_paths": [path]})),
        ("check_references", json!({"path": path})),
        ("gate", json!({"ledger_path": path})),
        ("gate", json!({"ledger": {"summary": "", "claims": []}, "data_paths": [path]})),
        ("gate", json!({"ledger": {"summary": "", "claims": []}, "source_paths": [path]})),
    ]
}

/// No path leads out of `--root`, to read or to write.
#[cfg(unix)]
#[test]
fn no_path_leads_out_of_the_roots() {
    let place = tempfile::tempdir().unwrap();
    let base = place.path().canonicalize().unwrap();
    let root = base.join("open");
    let write = |path: &Path, text: &str| {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    // As a Markdown file, as data, as a ledger: it would be read by any tool.
    for secret in ["secret.md", "secret.csv", "secret.json", "open-not/secret.md"] {
        write(&base.join(secret), "{\"summary\": \"MAGENTA\", \"claims\": [], \"x\": \"The secret is 42. MAGENTA\"}");
    }
    write(
        &root.join("sub/draft.md"),
        "# T\n\nThe rate is 42 (`../../secret.json`) [1]. The secret is 42, see `../secret.csv` [1].\n\n## Sources\n\n[1] A page. https://a.example/\n",
    );
    for (target, link) in
        [("secret.md", "link.md"), ("secret.json", "link.json"), ("secret.csv", "data/link.csv"), ("", "up")]
    {
        std::fs::create_dir_all(root.join(link).parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(base.join(target), root.join(link)).unwrap();
    }
    let flags = ["--root", &root.display().to_string(), "--offline", "--rate", "100000"].map(str::to_owned);
    let service = Service::start(&flags, None);
    let absolute = base.display().to_string();
    let mut escapes: Vec<String> = ["md", "csv", "json"].iter().map(|ending| format!("../secret.{ending}")).collect();
    escapes.extend([
        format!("{absolute}/secret.md"),
        format!("{absolute}/open/../secret.json"),
        format!("{absolute}/open-not/secret.md"),
        format!("file://{absolute}/secret.md"),
        "../open-not/secret.md".to_owned(),
        "sub/../../secret.json".to_owned(),
        "link.md".to_owned(),
        "link.json".to_owned(),
        "data/link.csv".to_owned(),
        "up/secret.json".to_owned(),
        "up".to_owned(),
        "..".to_owned(),
        "/".to_owned(),
        "//etc/passwd".to_owned(),
        "/etc/passwd".to_owned(),
        "/proc/self/environ".to_owned(),
        "/proc/self/cwd/secret.md".to_owned(),
        "/dev/stdin".to_owned(),
        "~/.bashrc".to_owned(),
        "..\\secret.md".to_owned(),
        "%2e%2e/secret.md".to_owned(),
        "..%2fsecret.md".to_owned(),
        "sub/draft.md\0/../../../secret.md".to_owned(),
        "-".to_owned(),
        String::new(),
    ]);
    for path in &escapes {
        for (tool, arguments) in paths(path) {
            let (status, body) = service.tool(tool, &arguments);
            assert!([403, 422].contains(&status), "{tool} {arguments}: {status} {body:#}");
            assert!(!body.to_string().contains("MAGENTA"), "{tool} {arguments}: {body:#}");
        }
        // Nor is anything written there.
        let before = everything(&base);
        let (status, body) = service.tool("verify_draft", &json!({"path": "sub/draft.md", "output": path}));
        let inside = path.starts_with(['%', '-', '~']) || path.contains(['\\', '%']);
        assert!([403, 422].contains(&status) || inside, "output {path}: {status} {body:#}");
        if !inside {
            assert_eq!(everything(&base), before, "output {path}");
        }
    }
    // A folder is no file, so that no link in it is followed.
    let ledger = json!({"summary": "", "claims": []});
    for arguments in [
        json!({"ledger": ledger, "data_paths": ["data"]}),
        json!({"ledger": ledger, "source_paths": ["data"]}),
        json!({"ledger": ledger, "source_paths": ["."]}),
    ] {
        let (status, body) = service.tool("gate", &arguments);
        assert!(status == 422 && !body.to_string().contains("MAGENTA"), "{arguments}: {status} {body:#}");
    }
    // What a draft names is looked up beside it and no further.
    let (status, body) = service.tool("verify_draft", &json!({"path": "sub/draft.md", "record": true}));
    assert!(status == 200 && !body.to_string().contains("MAGENTA"), "{status} {body:#}");
    assert_eq!(std::fs::read_to_string(base.join("secret.md")).unwrap().matches("MAGENTA").count(), 2);
}

/// All files below a folder, with their lengths.
fn everything(folder: &Path) -> Vec<(String, u64)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let metadata = path.symlink_metadata().unwrap();
        all.push((path.display().to_string(), metadata.len()));
        if metadata.is_dir() {
            all.extend(everything(&path));
        }
    }
    all.sort();
    all
}
