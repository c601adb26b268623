//! `--fix`, `--diff`, `--report` and `--webhook` on nights of a loopback web.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};

use serde_json::{Value, json};

use super::server::Server;
use super::world::{World, page, web};

const DOCUMENT: &str = "# Heat\r\n\r\nA heat pump of 2019 gave 3.1 units of heat [1]. The ministry paid 4,317 grants [2].\r\n\
    See [the guide](https://guide.example/start#first \"Guide\") and <https://study.example/pumps>.\r\n\r\n## Sources\r\n\r\n\
    [1] Field study. https://study.example/pumps\r\n[2] Grants. https://grants.example/2019\r\n";

const COPY: &str = "https://web.archive.org/web/20250301120000/https://study.example/pumps";
const STUDY: &str = "We measured many houses. A heat pump of 2019 gave 3.1 units of heat. The winter was mild.";
const GRANTS: &str = "In that year the ministry paid 4,317 grants. Most went to old houses.";

/// A web where the study is gone, with a copy or without, and the guide has moved.
fn later(copy: bool) -> Server {
    let archive =
        if copy { json!({"timestamp": "20250301120000", "title": "A page", "text": STUDY}) } else { Value::Null };
    web(&[
        (
            "https://study.example/pumps",
            json!({"status": 404, "title": "404 Not Found", "text": "Not found.", "archive": archive}),
        ),
        ("https://grants.example/2019", page(GRANTS)),
        ("https://guide.example/start", json!({"status": 301, "location": "https://guide.example/begin"})),
        ("https://guide.example/begin", page("How to begin with a heat pump, step by step, for owners of houses.")),
        ("https://study.example/", page("Studies")),
        ("https://grants.example/", page("Grants")),
        ("https://guide.example/", page("Guides")),
    ])
}

/// A folder whose study is proven gone and whose guide has moved, on the web that this is on; everything is told.
fn told(copy: bool) -> (World, Server) {
    let world = World::new();
    world.write("docs/heat.md", DOCUMENT);
    let web = later(copy);
    for number in 0..=12 {
        world.audit(&web, number, &["docs", "--fail-on", "never"]).with(0);
    }
    (world, web)
}

fn document(world: &World) -> String {
    std::fs::read_to_string(world.path("docs/heat.md")).unwrap()
}

#[test]
fn addresses_are_written_and_nothing_else() {
    let (world, web) = told(true);
    let shown = world.audit(&web, 13, &["docs", "--diff"]);
    assert_eq!(shown.status, 0, "{}", shown.err);
    assert!(shown.out.starts_with("--- a/docs/heat.md\n+++ b/docs/heat.md\n@@ "), "{}", shown.out);
    let dry = world.audit(&web, 13, &["docs", "--dry-run"]);
    assert!(dry.err.contains("would be repaired: docs/heat.md (3 addresses)\n"), "{}", dry.err);
    assert_eq!(document(&world), DOCUMENT);

    let fixed = world.audit(&web, 14, &["docs", "--fix"]);
    assert_eq!(fixed.status, 0, "{}", fixed.err);
    assert!(fixed.err.contains("repaired: docs/heat.md (3 addresses)\n"), "{}", fixed.err);
    let expected = DOCUMENT
        .replace(
            "https://study.example/pumps\r\n[2]",
            &format!("{COPY} (archived 2025-03-01; original https://study.example/pumps)\r\n[2]"),
        )
        .replace("<https://study.example/pumps>", &format!("<{COPY}>"))
        .replace("https://guide.example/start#first", "https://guide.example/begin#first");
    assert_eq!(document(&world), expected);

    // What was repaired is not broken, and has nothing to repair.
    let after = world.audit(&web, 15, &["docs", "--fix", "links", "--report", "r.json"]);
    assert_eq!((after.status, after.out.as_str(), after.err.as_str()), (0, "", ""));
    let report: Value = serde_json::from_str(&std::fs::read_to_string(world.path("r.json")).unwrap()).unwrap();
    assert_eq!((&report["states"], &report["entries"]), (&json!({"alive": 3}), &json!([])));
    assert_eq!(document(&world), expected);
}

#[test]
fn what_stands_on_nothing_else_is_dropped_when_it_is_asked_for() {
    let (world, web) = told(false);
    let fixed = world.audit(&web, 13, &["docs", "--fix"]);
    assert_eq!(fixed.status, 0, "{}", fixed.err);
    assert_eq!(
        document(&world),
        DOCUMENT.replace("https://guide.example/start#first", "https://guide.example/begin#first")
    );
    let dropped = world.audit(&web, 14, &["docs", "--fix", "drop"]);
    assert!(dropped.err.contains("repaired: docs/heat.md (1 claim dropped)\n"), "{}", dropped.err);
    let text = document(&world);
    let (body, rest) = text.split_once("## Removed").unwrap();
    // A sentence that only points at pages stays, whatever became of them.
    assert!(body.contains("See [the guide](https://guide.example/begin#first \"Guide\")"), "{text}");
    assert!(body.contains("The ministry paid 4,317 grants [1].") && !body.contains("3.1 units"), "{text}");
    assert!(rest.contains("https://grants.example/2019") && !body.contains('\u{fffd}'), "{text}");
    let again = world.audit(&web, 15, &["docs", "--fix", "drop"]);
    assert_eq!((again.status, document(&world)), (0, text), "{}", again.err);
}

#[test]
fn every_format_is_written() {
    let (world, web) = told(true);
    let names = ["r.txt", "r.md", "r.sarif", "r.json", "r.xml", "r.html", "r.prom", "r.atom"];
    let flags: Vec<&str> = names.iter().flat_map(|name| ["--report", name]).chain(["docs"]).collect();
    world.audit(&web, 13, &flags).with(0);
    let begins = |name: &str, start: &str| {
        let text = std::fs::read_to_string(world.path(name)).unwrap();
        assert!(text.starts_with(start), "{name}: {text}");
    };
    begins("r.txt", "Still rotten (1)\n");
    begins("r.md", "<!-- cited-audit state=\"open\" title=\"Sources that need attention\" -->\n");
    begins("r.sarif", "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n");
    begins("r.json", "{\n  \"schema\": \"cited/audit/1\",\n");
    begins("r.xml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"cited audit\" ");
    begins("r.html", "<!DOCTYPE html><html lang=\"en\">");
    begins("r.prom", "# HELP cited_audit_sources ");
    begins("r.atom", "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed ");
    let wrong = world.audit(&web, 13, &["docs", "--report", "r.yaml"]);
    assert!(wrong.status == 2 && wrong.err.contains("must be one of .txt, .md, .sarif,"), "{}", wrong.err);
}

/// Answers each request with the next of `answers`, and tells of the bodies.
fn serve(answers: &'static [&'static str]) -> (String, Receiver<Value>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/hook/SECRET", listener.local_addr().unwrap());
    let (tell, told) = channel();
    std::thread::spawn(move || {
        for answer in answers {
            let (stream, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(stream);
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                reader.read_line(&mut head).unwrap();
            }
            let head = head.to_ascii_lowercase();
            assert!(head.contains("x-cited-signature-256: sha256="), "{head}");
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
            let mut body = vec![0; length.parse().unwrap()];
            reader.read_exact(&mut body).unwrap();
            tell.send(serde_json::from_slice(&body).unwrap()).unwrap();
            write!(reader.get_mut(), "HTTP/1.1 {answer}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
        }
    });
    (address, told)
}

#[test]
fn a_webhook_gets_what_is_new() {
    let world = World::new();
    world.write("docs/heat.md", DOCUMENT);
    let web = later(true);
    let (address, told) = serve(&["403 No", "403 No", "200 OK", "200 OK"]);
    let run = |number: i64, more: &[&str]| {
        let flags = ["docs", "--fail-on", "never", "--allow-net", "127.0.0.0/8", "--webhook", &address];
        let flags: Vec<&str> = flags.iter().chain(more).copied().collect();
        let output = world.audit_command(&web, number, &flags).env("CITED_WEBHOOK_KEY", "a key").output().unwrap();
        super::world::Ended::of(&output)
    };
    let no = "did not take the news: HTTP 403\n";
    // The guide has moved: new on the second night. A webhook that says no changes nothing but what is said …
    let silent = run(0, &[]);
    assert_eq!((silent.status, silent.err.as_str()), (0, ""));
    let (mut number, mut ended) = (0, silent);
    while ended.err.is_empty() {
        number += 1;
        ended = run(number, &["--webhook-required"]);
    }
    // … unless it is required: then the news counts as not told.
    assert!(ended.status == 3 && ended.err.ends_with(no) && !ended.err.contains("SECRET"), "{}", ended.err);
    let again = run(number, &[]);
    assert!(again.status == 0 && again.err.ends_with(no), "{}", again.err);
    for _ in 0..2 {
        let body = told.recv().unwrap();
        assert_eq!(
            (&body["entries"][0]["news"], &body["entries"][0]["address"]),
            (&json!("moved"), &json!("https://guide.example/start#first"))
        );
    }
    let mut last = again;
    while number < 14 {
        number += 1;
        last = run(number, &[]);
        assert_eq!(last.err, "");
    }
    assert_eq!(last.status, 0);
    let body = told.recv().unwrap();
    assert_eq!((&body["entries"][0]["news"], body["entries"].as_array().unwrap().len()), (&json!("new-rot"), 1));
    // What was told before is not sent again.
    assert!(told.try_recv().is_err());
    let settings = world
        .command(&["show", "settings"])
        .env("CITED_WEBHOOK", &address)
        .env("CITED_WEBHOOK_KEY", "a key")
        .output()
        .unwrap();
    let shown = super::world::Ended::of(&settings);
    assert!(shown.status == 0 && !shown.out.contains("SECRET") && !shown.out.contains("a key"), "{}", shown.out);
    assert!(shown.out.contains("http://127.0.0.1"), "{}", shown.out);
}
