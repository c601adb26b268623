//! `--fix`, `--diff` and `--report` on nights of a loopback web.

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
fn start_world(copy: bool) -> (World, Server) {
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
    let (world, web) = start_world(true);
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
    let (world, web) = start_world(false);
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
    assert!(body.contains("The ministry paid 4,317 grants [2].") && !body.contains("3.1 units"), "{text}");
    assert!(rest.contains("https://grants.example/2019") && !body.contains('\u{fffd}'), "{text}");
    let again = world.audit(&web, 15, &["docs", "--fix", "drop"]);
    assert_eq!((again.status, document(&world)), (0, text), "{}", again.err);
}

#[test]
fn every_format_is_written() {
    let (world, web) = start_world(true);
    let names = ["r.txt", "r.md", "r.sarif", "r.json", "r.xml", "r.html"];
    let flags: Vec<&str> = names.iter().flat_map(|name| ["--report", name]).chain(["docs"]).collect();
    world.audit(&web, 13, &flags).with(0);
    let begins = |name: &str, start: &str| {
        let text = std::fs::read_to_string(world.path(name)).unwrap();
        assert!(text.starts_with(start), "{name}: {text}");
    };
    begins("r.txt", "Still rotten (1)\n");
    begins("r.md", "<!-- cited-audit state=\"open\" title=\"Sources that need attention\" -->\n");
    begins("r.sarif", "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n");
    begins("r.json", "{\n  \"schema\": \"cited/audit/2\",\n");
    begins("r.xml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"cited\" ");
    begins("r.html", "<!DOCTYPE html><html lang=\"en\">");
    let wrong = world.audit(&web, 13, &["docs", "--report", "r.yaml"]);
    assert!(wrong.status == 2 && wrong.err.contains("must be one of .txt, .json, .sarif,"), "{}", wrong.err);
}
