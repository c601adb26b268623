//! What an operator sees: nights one after the other, runs that are killed, two at once, bounds, acknowledgements.

use serde_json::json;

use super::server::{Options, Server};
use super::world::{Ended, World, checked_once, manners, night, page, sources, wait_for, web, web_with};

const DOCUMENT: &str = "# Heat\n\nA heat pump of 2019 gave 3.1 units of heat [1]. The ministry paid 4,317 grants [2].\n\
    See [the guide](https://guide.example/start).\n\n## Sources\n\n[1] Field study. https://study.example/pumps\n\
    [2] Grants. https://grants.example/2019\n";

const STUDY: &str = "We measured many houses. A heat pump of 2019 gave 3.1 units of heat. The winter was mild.";
const GRANTS: &str = "In that year the ministry paid 4,317 grants. Most went to old houses.";

/// The web of [`DOCUMENT`], with one answer in place of another.
fn web_of(changed: &[(&str, serde_json::Value)]) -> Server {
    let mut answers = vec![
        ("https://study.example/pumps", page(STUDY)),
        ("https://grants.example/2019", page(GRANTS)),
        ("https://guide.example/start", page("How to begin with a heat pump, step by step, for owners of houses.")),
        // Others that stand and show that the network is there.
        ("https://study.example/", page("Studies")),
        ("https://grants.example/", page("Grants")),
        ("https://guide.example/", page("Guides")),
    ];
    for (address, answer) in changed {
        answers.retain(|(known, _)| known != address);
        answers.push((address, answer.clone()));
    }
    web(&answers)
}

fn gone() -> serde_json::Value {
    json!({"status": 404, "title": "404 Not Found", "text": "The page was not found.",
        "archive": {"timestamp": "20250301120000", "title": "A page", "text": STUDY}})
}

#[test]
fn what_became_of_works_is_asked_once_a_month_and_told() {
    let world = World::new();
    world.write("gulls.md", "# Gulls\n\nGulls of the far islands lay 3 eggs [1].\n\n## Sources\n\n[1] Gulls. https://doi.org/10.5555/gulls\n");
    let record = |more: &str| {
        let body = format!(r#"{{"message": {{"DOI": "10.5555/gulls", "title": ["Gulls"]{more}}}}}"#);
        json!({"status": 200, "headers": {"content-type": "application/json"}, "body": body})
    };
    let web_with = |more: &str| {
        web(&[
            ("https://doi.org/10.5555/gulls", page("Gulls of the far islands lay 3 eggs.")),
            ("https://api.crossref.org/works/10.5555/gulls", record(more)),
            ("https://api.crossref.org/works?filter=updates:10.5555/gulls&rows=5&select=DOI,update-to", none()),
            ("https://api.crossref.org/works?filter=updates%3A10.5555%2Fgulls&rows=5&select=DOI%2Cupdate-to", none()),
        ])
    };
    let asked = |web: &Server| web.log().iter().filter(|logged| logged.url.contains("api.crossref.org")).count();
    let night = |web: &Server, number: i64| {
        world.audit(web, number, &["gulls.md", "--format", "json", "--fail-on", "never"]).report(0)
    };

    let well = web_with("");
    assert_eq!(night(&well, 0)["verdict"], "quiet");
    let first = asked(&well);
    assert!(first > 0);
    // Within the month nobody is asked anew.
    assert_eq!((night(&well, 5)["checked"].clone(), asked(&well)), (json!(1), first));
    let retracted = web_with(
        r#", "updated-by": [{"type": "retraction", "label": "Retraction", "DOI": "10.5555/n", "updated": {"date-parts": [[2026, 2, 1]]}}]"#,
    );
    assert_eq!(night(&retracted, 15)["verdict"], "quiet");
    let report = night(&retracted, 40);
    let entry = &report["entries"][0];
    assert_eq!(
        (&entry["news"], &entry["state"], &entry["remedy"]["kind"]),
        (&json!("retracted"), &json!("retracted"), &json!("say-so"))
    );
    assert_eq!(entry["notices"][0]["words"], "Retraction, 2026-02-01, https://doi.org/10.5555/n");
    assert_eq!(night(&retracted, 60)["entries"][0]["news"], "still-retracted");
}

/// A list of an index without anything in it.
fn none() -> serde_json::Value {
    json!({"status": 200, "headers": {"content-type": "application/json"}, "body": r#"{"message": {"items": []}}"#})
}

#[test]
fn nights_that_bring_rot_drift_and_recovery() {
    let world = World::new();
    world.write("docs/heat.md", DOCUMENT);
    let alive = web_of(&[]);
    let first = world.audit(&alive, 0, &["docs"]);
    assert_eq!((first.status, first.out.as_str(), first.err.as_str()), (0, "", ""));
    assert!(world.path(".cited/.gitignore").exists());
    // A second run of the night asks nobody, and says as little.
    let asked = alive.log().len();
    let again = world.audit(&alive, 0, &["docs", "--format", "json"]).report(0);
    assert_eq!((alive.log().len(), &again["checked"], &again["verdict"]), (asked, &json!(0), &json!("quiet")));
    assert_eq!(again["states"], json!({"alive": 3}));

    // The study is gone: at least three checks over at least seven days prove it, and not before.
    let dead = web_of(&[("https://study.example/pumps", gone())]);
    let mut told = Vec::new();
    for number in 4..=20 {
        let report = world.audit(&dead, number, &["docs", "--format", "json", "--fail-on", "never"]).report(0);
        for entry in report["entries"].as_array().unwrap() {
            told.push((number, entry["news"].as_str().unwrap().to_owned(), entry.clone()));
        }
    }
    let (number, news, entry) = told.first().unwrap();
    assert_eq!((*number, news.as_str()), (12, "new-rot"), "{told:?}");
    assert!(told[1..].iter().all(|(_, news, _)| news == "still-rotten"), "{told:?}");
    assert_eq!(entry["remedy"]["kind"], "archived-copy");
    assert_eq!(entry["remedy"]["taken"], "2025-03-01T12:00:00Z");
    // Checks on nights 4, 5, 8 and 12: the third is only four days after the first.
    assert_eq!(entry["streak"]["gone"], 4);
    let places: Vec<_> = entry["places"]
        .as_array()
        .unwrap()
        .iter()
        .map(|place| (place["line"].as_i64(), place["is_claim"].as_bool()))
        .collect();
    assert_eq!(places, [(Some(3), Some(true)), (Some(8), Some(false))]);

    // It comes back with another number in the sentence that the document stands on.
    let changed = web_of(&[("https://study.example/pumps", page(&STUDY.replace("3.1", "2.4")))]);
    let mut news = Vec::new();
    for number in 21..=28 {
        let ended = world.audit(&changed, number, &["docs"]);
        if !ended.out.is_empty() {
            news.push((ended.status, ended.out));
        }
    }
    assert_eq!(news.len(), 1, "{news:?}");
    assert_eq!(news[0].0, 1);
    for words in [
        "Drifted",
        "3.1 units of heat",
        "and says",
        "2.4 units of heat",
        "docs/heat.md:3: “A heat pump of 2019",
        "2025-03-01",
    ] {
        assert!(news[0].1.contains(words), "{words}: {}", news[0].1);
    }
    // And is as it was.
    let mut news = Vec::new();
    for number in 29..=40 {
        let ended = world.audit(&alive, number, &["docs"]);
        assert_eq!(ended.status, 0);
        news.extend((!ended.out.is_empty()).then_some(ended.out));
    }
    assert_eq!(news.len(), 1, "{news:?}");
    assert!(news[0].starts_with("Back (1)\n  alive https://study.example/pumps"), "{}", news[0]);
}

#[test]
fn the_report_has_its_schema() {
    let world = World::new();
    world.write("a.md", DOCUMENT);
    let web = web_of(&[("https://guide.example/start", json!({"status": 410, "text": "Gone"}))]);
    world.audit(&web, 0, &["a.md"]).with(0);
    world.audit(&web, 1, &["a.md", "--report", "night.json", "--report", "night.txt"]).with(1);
    let report: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(world.path("night.json")).unwrap()).unwrap();
    assert_eq!(report["entries"][0]["news"], "new-rot");
    assert_eq!(report["entries"][0]["remedy"]["kind"], "replace");
    let schema: serde_json::Value = serde_json::from_str(&world.run(&["schema", "audit"]).with(0)).unwrap();
    let errors: Vec<String> =
        jsonschema::validator_for(&schema).unwrap().iter_errors(&report).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let text = std::fs::read_to_string(world.path("night.txt")).unwrap();
    assert!(
        text.starts_with("Newly rotten (1)\n  rotten https://guide.example/start\n    is gone: HTTP 410"),
        "{text}"
    );
}

#[test]
fn what_is_acknowledged_is_not_told_until_its_date() {
    let world = World::new();
    world.write("a.md", DOCUMENT);
    let web = web_of(&[("https://guide.example/start", json!({"status": 410, "text": "Gone"}))]);
    world.audit(&web, 0, &["a.md"]).with(0);
    let ack = |until: &str, more: &[&str]| {
        let now = night(0);
        let known = [
            "audit",
            "ack",
            "https://guide.example/start",
            "--reason",
            "we know",
            "--who",
            "Ann",
            "--until",
            until,
            "--now",
            &now,
        ];
        world.run(&[&known, more].concat())
    };
    assert!(ack("2025-12-31", &[]).err.contains("has passed"));
    ack("2026-01-10", &[]).with(0);
    for number in 1..10 {
        let report = world.audit(&web, number, &["a.md", "--format", "json"]).report(0);
        assert_eq!(report["entries"], json!([]));
        if number > 2 {
            assert_eq!(report["states"], json!({"acknowledged": 1, "alive": 2}), "night {number}");
        }
    }
    let told = world.audit(&web, 11, &["a.md"]).with(1);
    assert!(told.contains("Acknowledged until a date that has passed (1)") && told.contains("by Ann"), "{told}");
    // One that nothing cites cannot be.
    let wrong = world.run(&["audit", "ack", "https://other.example/", "--reason", "x", "--until", "2099-01-01"]);
    assert!(wrong.status == 2 && wrong.err.contains("no document cites https://other.example/"), "{}", wrong.err);
}

#[test]
fn bounds_carry_over_and_lists_are_read() {
    let world = World::new();
    let answers: Vec<(String, serde_json::Value)> =
        (0..12).map(|number| (format!("https://h{number}.example/a"), page("A text"))).collect();
    let answers: Vec<(&str, serde_json::Value)> =
        answers.iter().map(|(address, page)| (address.as_str(), page.clone())).collect();
    let web = web(&answers);
    let list: String = answers.iter().flat_map(|(address, _)| [*address, "\n"]).collect();
    world.write("list.txt", &format!("# all\n{list}mailto:a@example.org\n"));
    let arguments = ["list.txt", "--max-checks", "5", "--format", "json"];
    for (checked, carried) in [(5, 7), (5, 2), (2, 0), (0, 0)] {
        // What is no address is said each time that the list is read.
        let ended = world.audit(&web, 0, &arguments);
        let status = if carried == 7 { 3 } else { 0 };
        let report = ended.report(status);
        assert_eq!((&report["checked"], &report["carried"]), (&json!(checked), &json!(carried)));
    }
    assert_eq!(answers.iter().filter(|(address, _)| web.hits(address) != 1).count(), 0);
    // Time is over before anybody has answered: all is carried over.
    let other = World::new();
    other.write("list.txt", &list);
    let slow = web_with(&answers, Options { latency: std::time::Duration::from_secs(20), ..Options::default() });
    let report = other.audit(&slow, 0, &["list.txt", "--max-time", "200ms", "--format", "json"]).report(0);
    assert_eq!((&report["checked"], &report["carried"]), (&json!(0), &json!(12)));
}

#[test]
fn a_bad_night_is_no_alarm_of_rot() {
    let world = World::new();
    let addresses: Vec<String> = (0..6).map(|number| format!("https://h{number}.example/a")).collect();
    world.write("list.txt", &addresses.join("\n"));
    let answers: Vec<(&str, serde_json::Value)> =
        addresses.iter().map(|address| (address.as_str(), page("A text"))).collect();
    let alive = web(&answers);
    world.audit(&alive, 0, &["list.txt"]).with(0);
    let failing: Vec<(&str, serde_json::Value)> =
        addresses.iter().map(|address| (address.as_str(), json!({"error": "reset"}))).collect();
    let down = web(&failing);
    for number in 5..8 {
        let ended = world.audit(&down, number, &["list.txt"]);
        assert_eq!((ended.status, ended.out.as_str()), (3, ""), "{}", ended.err);
        assert!(ended.err.starts_with("BLOCKED: 6 of 6 hosts that used to answer did not"), "{}", ended.err);
    }
    let report = world.audit(&alive, 8, &["list.txt", "--format", "json"]).report(0);
    assert_eq!((&report["states"], &report["checked"]), (&json!({"alive": 6}), &json!(6)));
}

#[test]
fn a_host_that_says_no_has_answered_and_one_that_never_does_is_told_once() {
    let world = World::new();
    let addresses = ["a", "b", "c", "there", "silent"].map(|host| format!("https://{host}.example/a"));
    world.write("list.txt", &addresses.join("\n"));
    let gone = json!({"status": 410, "title": "Gone", "text": "Gone.", "archive": null});
    let answers = [gone.clone(), gone.clone(), gone, page("A text"), json!({"error": "reset"})];
    let answers: Vec<_> = addresses.iter().map(String::as_str).zip(answers).collect();
    let web = web(&answers);
    let mut told = Vec::new();
    for number in [0, 2, 6, 10, 14, 18] {
        let arguments = ["list.txt", "--format", "json", "--fail-on", "never"];
        let report = world.audit(&web, number, &arguments).report(0);
        let news = report["entries"].as_array().unwrap().iter().map(|entry| entry["news"].as_str().unwrap().to_owned());
        told.push((number, news.filter(|news| !news.starts_with("still")).collect::<Vec<_>>()));
    }
    told.retain(|(_, news)| !news.is_empty());
    let rot = vec!["new-rot".to_owned(); 3];
    assert_eq!(told, [(2, rot), (14, vec!["unreachable".to_owned()])]);
}

#[test]
fn a_record_lends_its_passages_to_its_brief() {
    let world = World::new();
    world.write("heat-draft.md", DOCUMENT);
    let alive = web_of(&[]);
    let manners = manners(&alive);
    let mut verify = world.command(&["verify", "heat-draft.md", "-o", "heat.md", "-q", "--now", &night(0)]);
    assert!(verify.args(&manners).status().unwrap().success());
    std::fs::remove_file(world.path("heat-draft.md")).unwrap();
    // The page has lost its sentence before the audit saw it for the first time: only the record knows what it said.
    let changed = web_of(&[(
        "https://grants.example/2019",
        page("We sell garden furniture and lamps. Come and see them in our shop."),
    )]);
    let told = world.audit(&changed, 1, &["."]).with(1);
    assert!(
        told.contains("the ministry paid 4,317 grants")
            && told.contains("heat.md:3: “The ministry paid 4,317 grants.”"),
        "{told}"
    );
    assert!(!told.contains(".record.json"), "{told}");
    assert!(told.ends_with("1 document: 1 drifted, 2 alive; 3 asked.\nNEWS\n"), "{told}");
    // A record is one by what is in it, whatever it is called.
    let other = World::new();
    other.write("kept.json", &std::fs::read_to_string(world.path("heat.record.json")).unwrap());
    let told = other.audit(&changed, 1, &["kept.json"]).with(1);
    assert!(told.contains("kept.json: “The ministry paid 4,317 grants.”") && !told.contains("\"schema\""), "{told}");
}

#[test]
fn a_copy_is_taken_on_first_sight() {
    let world = World::new();
    world.write("list.txt", "https://study.example/pumps\n");
    let web = web_of(&[("https://study.example/pumps", json!({"title": "A page", "text": STUDY, "archive": null}))]);
    world.audit(&web, 0, &["list.txt", "--save"]).with(0);
    let source = world.sources(".cited/audit.sqlite").pop().unwrap();
    assert!(source.snapshot.as_ref().unwrap().url.contains("/web/"), "{source:?}");
    let asked = web.log().iter().filter(|logged| logged.method == "POST").count();
    assert_eq!(asked, 1);
    // What is known is not asked for again.
    world.audit(&web, 9, &["list.txt", "--save"]).with(0);
    assert_eq!(web.log().iter().filter(|logged| logged.method == "POST").count(), 1);
}

/// Kills runs of one night until one of them is left alone: nothing is lost, nothing is stored twice. `after` is done after each.
pub fn killed(world: &World, state: &[&str], moments: u32, after: impl Fn()) {
    const SOURCES: usize = 120;
    let addresses: Vec<String> =
        (0..SOURCES).map(|number| format!("http://h{}.example/{number}", number % 40)).collect();
    world.write("list.txt", &addresses.join("\n"));
    let answers: Vec<(&str, serde_json::Value)> =
        addresses.iter().map(|address| (address.as_str(), page("A text of some words"))).collect();
    let latency = std::time::Duration::from_millis(20);
    let web = web_with(&answers, Options { latency, ..Options::default() });
    let arguments = [&["list.txt", "--concurrency", "4", "--format", "json"], state].concat();
    for moment in 0..moments {
        let mut child = world.start(&web, 0, &arguments);
        // From before the state is there to the middle of the work.
        std::thread::sleep(std::time::Duration::from_millis(u64::from(moment * 53 % 400)));
        child.kill().unwrap();
        child.wait().unwrap();
        after();
    }
    let report = world.audit(&web, 0, &arguments).report(0);
    let done = world.audit(&web, 0, &arguments).report(0);
    assert_eq!(done["checked"], 0);
    assert_eq!(report["states"], json!({"alive": SOURCES}), "{report}");
    let hits: Vec<usize> = addresses.iter().map(|address| web.hits(address)).collect();
    assert!(hits.iter().all(|hits| *hits >= 1));
    // What was on its way when a run was killed is asked again; no more than that.
    let bound = SOURCES + 4 * moments as usize;
    assert!(hits.iter().sum::<usize>() <= bound, "{} requests, {bound} at most", hits.iter().sum::<usize>());
    let stored = report["days"].as_array().unwrap().iter().map(|day| day["outcomes"]["live"].as_u64().unwrap_or(0));
    assert_eq!(stored.sum::<u64>(), SOURCES as u64);
    let held = state.last().map_or_else(|| world.sources(".cited/audit.sqlite"), |address| sources(address));
    checked_once(&held, SOURCES);
}

#[test]
fn runs_that_are_killed_lose_nothing() {
    killed(&World::new(), &[], 10, || {});
}

#[test]
#[ignore = "fifty moments take a minute"]
fn runs_that_are_killed_at_fifty_moments_lose_nothing() {
    killed(&World::new(), &[], 50, || {});
}

/// A run that gets no room for its state says so, and the next one with room goes on with what is there. In `script` `"$0" "$@"` is the run.
#[cfg(unix)]
fn full_disk(script: &str, expected: &str) {
    const SOURCES: usize = 1500;
    let world = World::new();
    std::fs::create_dir(world.path("disk")).unwrap();
    let addresses: Vec<String> =
        (0..SOURCES).map(|number| format!("http://h{}.example/{number}", number % 60)).collect();
    world.write("list.txt", &addresses.join("\n"));
    let answers: Vec<(&str, serde_json::Value)> =
        addresses.iter().map(|address| (address.as_str(), page("A text of some words"))).collect();
    let web = web(&answers);
    let run = world.audit_command(&web, 0, &["list.txt", "--state", "disk/audit.sqlite"]);
    let mut shell = std::process::Command::new("sh");
    shell.args(["-ec", script]).arg(run.get_program()).args(run.get_args()).current_dir(world.path("."));
    let ended = Ended::read(&shell.output().unwrap());
    assert_eq!((ended.status, ended.err.lines().count()), (0, 1), "{}", ended.err);
    assert!(ended.err.contains("disk/audit.sqlite: ") && ended.err.contains(expected), "{}", ended.err);
    let hits = web.log().len();
    assert!((SOURCES..SOURCES + 256).contains(&hits), "{hits} requests");
    checked_once(&world.sources("state.sqlite"), SOURCES);
}

/// The last lines of a script for [`full_disk`]: with room, and then what the state holds.
#[cfg(unix)]
const ROOM: &str = r#"[ $ended = 2 ]; "$0" "$@"; cp disk/audit.sqlite state.sqlite"#;

#[cfg(unix)]
#[test]
fn a_full_disk_is_said_and_the_next_run_goes_on() {
    let space = "unshare --map-root-user --mount";
    let probe = format!("{space} mount -t tmpfs none /mnt");
    if !std::process::Command::new("sh").args(["-c", &probe]).output().is_ok_and(|out| out.status.success()) {
        eprintln!("skipped: no file system of its own can be mounted here");
        return;
    }
    let inner = format!(
        r#"mount -t tmpfs -o size=2500k none disk; ended=0; "$0" "$@" || ended=$?; mount -o remount,size=99m disk; {ROOM}"#
    );
    full_disk(&format!(r#"{space} sh -ec '{inner}' "$0" "$@""#), "disk is full; what was stored before is kept");
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_grow_is_said_and_the_next_run_goes_on() {
    let script = format!(r#"ended=0; (trap "" XFSZ; ulimit -f 2500; exec "$0" "$@") || ended=$?; {ROOM}"#);
    full_disk(&script, "cannot be used as a state: disk I/O error");
}

#[test]
fn two_audits_at_once_ask_once() {
    let world = World::new();
    let addresses: Vec<String> = (0..30).map(|number| format!("http://h{number}.example/a")).collect();
    world.write("list.txt", &addresses.join("\n"));
    let answers: Vec<(&str, serde_json::Value)> =
        addresses.iter().map(|address| (address.as_str(), page("A text"))).collect();
    let web = web_with(&answers, Options { latency: std::time::Duration::from_millis(100), ..Options::default() });
    let mut first = world.start(&web, 0, &["list.txt"]);
    wait_for("the state", || world.path(".cited/audit.sqlite.lock").exists());
    let second = world.audit(&web, 0, &["list.txt", "--format", "json"]);
    assert!(first.wait().unwrap().success());
    let checked = second.report(0)["checked"].clone();
    assert!(checked == 0 || checked == 30, "{checked}");
    assert!(addresses.iter().all(|address| web.hits(address) == 1));
}

/// A site that sends three articles to one list has none of them, though it answers 404 for an address that nobody has; two
/// alone may be two names of one page.
#[test]
fn articles_that_end_at_one_list() {
    const LIST: &str = "The archive of the Gazette is kept by the county. Readers can visit the reading room on Tuesdays and \
        Thursdays, from nine until four, when they bring a card of the county's. Volumes before 1950 are on film. Copies cost \
        twenty cents a page. Ask the staff at the desk for help with the film readers.";
    let articles = ["early-potatoes", "harbour-bridge", "school-canteens"]
        .map(|name| format!("https://gazette.example/news/2019/{name}"));
    let sent = json!({"status": 301, "location": "/archive/", "archive": null});
    let mut answers: Vec<(&str, serde_json::Value)> =
        articles.iter().map(|address| (address.as_str(), sent.clone())).collect();
    answers.push(("https://gazette.example/archive/", json!({"title": "The Gazette: our archive", "text": LIST})));
    answers.push(("https://figures.example/", page("The town has 41,200 inhabitants.")));
    let web = web(&answers);
    let manners = manners(&web);
    for (articles, outcome, state) in [(&articles[..2], "moved", "alive"), (&articles[..], "dead", "suspect")] {
        let world = World::new();
        let shown = || {
            let mut arguments = vec!["show", "--liveness", "--format", "json", "https://figures.example/"];
            arguments.extend(articles.iter().map(String::as_str));
            arguments.extend(manners.iter().map(String::as_str));
            let out = world.run(&arguments).with(0);
            let lines = out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
            let mut shown: Vec<(String, String)> = lines
                .map(|line| ["url", "outcome"].map(|name| line[name].as_str().unwrap().to_owned()).into())
                .collect();
            shown.sort();
            shown
        };
        let mut expected: Vec<(String, String)> =
            articles.iter().map(|address| (address.clone(), outcome.to_owned())).collect();
        expected.insert(0, ("https://figures.example/".to_owned(), "live".to_owned()));
        assert_eq!(shown(), expected);

        let links: Vec<String> = articles.iter().map(|address| format!("See <{address}>.\n")).collect();
        world.write("a.md", &links.join("\n"));
        let report = world.audit(&web, 0, &["a.md", "--format", "json"]).report(0);
        assert_eq!(report["states"], json!({state: articles.len()}), "{report}");
    }
}
