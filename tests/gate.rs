//! The gate as a program: what it writes against the published schemas.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// A criterion that passes, one that a fixer mends, so that there are two rounds, and one that fails.
const CRITERIA: &str = r#"{"criteria": [
    {"name": "first", "type": "command", "check": "true"},
    {"name": "mended", "type": "command", "check": "test -e mended", "onFail": "fix"},
    {"name": "never", "type": "command", "check": "exit 4", "onFail": "retry", "maxRetries": 1}],
    "fixers": {"debugger": "touch mended"}}"#;

fn cited(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cited"));
    command.args(arguments).current_dir(folder).env("XDG_CACHE_HOME", folder.join(".cache"));
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    cited(folder, arguments).output().unwrap()
}

/// The schema that `cited schema NAME` prints.
fn schema(folder: &Path, name: &str) -> jsonschema::Validator {
    let output = run(folder, &["schema", name]);
    let schema: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

#[track_caller]
fn check_valid(validator: &jsonschema::Validator, text: &str) {
    let value: serde_json::Value = serde_json::from_str(text).unwrap();
    let wrong: Vec<String> =
        validator.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert_eq!(wrong, [""; 0], "{text}");
}

#[test]
fn what_a_gate_reads_and_writes_is_in_its_schemas() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd");
    let classic = scenes.join("gate-classic/in");
    let manifest = scenes.join("gate-manifest/in");
    let at = |folder: &Path, name: &str| folder.join(name).to_str().unwrap().to_owned();
    std::fs::write(path.join("c.json"), CRITERIA).unwrap();
    let ledger = at(&classic, "ledger.json");
    let output = run(
        path,
        &[
            "gate",
            &ledger,
            "--data",
            &at(&classic, "sales.csv"),
            "--sources",
            &at(&classic, "notes"),
            "--manifest",
            &at(&manifest, "claims.json"),
            "--corpus",
            &at(&manifest, "corpus"),
            "--offline",
            "--criteria",
            "c.json",
            "--events",
            "run.jsonl",
            "--format",
            "json",
        ],
    );
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    check_valid(&schema(path, "gate"), &String::from_utf8(output.stdout).unwrap());
    let events = schema(path, "gate-event");
    for log in ["run.jsonl", "fixed.jsonl"] {
        run(path, &["gate", "--criteria", "c.json", "--events", "fixed.jsonl", "-q"]);
        std::fs::read_to_string(path.join(log)).unwrap().lines().for_each(|line| check_valid(&events, line));
    }
    check_valid(&schema(path, "ledger"), &std::fs::read_to_string(&ledger).unwrap());
    check_valid(&schema(path, "manifest"), &std::fs::read_to_string(manifest.join("claims.json")).unwrap());
    check_valid(&schema(path, "criteria"), CRITERIA);
    let judge = scenes.join("gate-judge/in/answer.json");
    check_valid(&schema(path, "criterion-answer"), &std::fs::read_to_string(judge).unwrap());
    check_valid(
        &schema(path, "plugin"),
        &std::fs::read_to_string(scenes.join("gate-criteria/in/criteria/lines/plugin.json")).unwrap(),
    );
}

#[test]
fn what_is_checked_or_was_written_by_a_gate_is_no_source() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::create_dir(path.join("notes")).unwrap();
    let summary = "They call it “the worst week yet”.";
    let ledger = |source: &str| {
        let claim = serde_json::json!({"id": "q", "kind": "citation", "statement": summary,
            "quote": "the worst week yet", "sourceId": source});
        std::fs::write(
            path.join("ledger.json"),
            serde_json::json!({"summary": summary, "claims": [claim]}).to_string(),
        )
        .unwrap();
    };
    let check = |source: &str, sources: &str, expected: &str| {
        ledger(source);
        let output = run(path, &["gate", "ledger.json", "--sources", sources]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(i32::from(expected != "ACCEPTED")), "{source}: {text}");
        assert!(text.contains(expected), "{source}: {text}");
    };
    std::fs::write(path.join("notes/real.md"), "It was the worst week yet.\n").unwrap();
    check("ledger", ".", "is what is checked, and no evidence for itself");
    check("ledger", "ledger.json", "is what is checked, and no evidence for itself");
    check("real", "notes", "ACCEPTED");
    ledger("none");
    for report in ["text.txt", "sarif.sarif", "junit.xml", "md.md", "json.json"] {
        run(path, &["gate", "ledger.json", "--report", &format!("notes/{report}"), "-q"]);
        assert!(path.join("notes").join(report).exists(), "{report}");
    }
    for report in ["text", "sarif", "junit", "md", "json"] {
        check(report, "notes", "is what a gate has written, and no evidence");
    }
    // Who only speaks of a verdict is quoted.
    std::fs::write(path.join("notes/of.md"), "It was the worst week yet.\nREJECTED\n").unwrap();
    check("of", "notes", "ACCEPTED");
}

#[test]
fn what_ends_a_gate_ends_its_programs() {
    // What was ignored when this test began is ignored by the gate, too: Ctrl-C, in the background of a shell.
    let mask = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = mask.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0").trim().to_owned();
    let ignored = u64::from_str_radix(&mask, 16).unwrap_or(0);
    let heard = [("HUP", 1), ("INT", 2), ("TERM", 15)];
    for (signal, _) in heard.into_iter().filter(|(_, number)| ignored & (1 << (number - 1)) == 0) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let check = "(sleep 2; touch late) & touch begun; sleep 60";
        let criteria = serde_json::json!({"criteria": [{"name": "slow", "type": "command", "check": check}]});
        std::fs::write(path.join("c.json"), criteria.to_string()).unwrap();
        let mut child = cited(path, &["gate", "--criteria", "c.json", "-q"]).spawn().unwrap();
        let began = Instant::now();
        while !path.join("begun").exists() && began.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let kill = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        assert_eq!(child.wait().unwrap().code(), Some(3), "{signal}");
        assert!(began.elapsed() < Duration::from_secs(30), "{signal}");
        std::thread::sleep(Duration::from_millis(2500));
        assert!(!path.join("late").exists(), "{signal}: what it had started went on");
    }
}

#[test]
fn a_message_that_cannot_be_written_ends_nothing() {
    let Ok(full) = std::fs::File::options().write(true).open("/dev/full") else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("d.md"), "Fine.\n").unwrap();
    for (arguments, status) in [(&["check", "d.md"][..], 0), (&["check", "none.md"], 2), (&["gate", "none.json"], 1)] {
        let mut command = cited(path, arguments);
        let ended = command.stderr(full.try_clone().unwrap()).stdout(std::process::Stdio::null()).status().unwrap();
        assert_eq!(ended.code(), Some(status), "{arguments:?}");
    }
}

#[test]
fn numbers_without_end_take_time_in_proportion() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let ledger = serde_json::json!({"summary": "5 ".repeat(40_000), "claims": []});
    std::fs::write(path.join("l.json"), ledger.to_string()).unwrap();
    let began = Instant::now();
    assert_eq!(run(path, &["gate", "l.json", "-q"]).status.code(), Some(1));
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
}

#[test]
fn a_source_says_what_its_readers_see() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let check = |name: &str, source: &str, quote: &str, accepted: bool| {
        std::fs::write(path.join(name), source).unwrap();
        let summary = "They called it a good week.";
        let claim =
            serde_json::json!({"id": "q", "kind": "citation", "statement": summary, "quote": quote, "sourceId": name});
        let ledger = serde_json::json!({"summary": summary, "claims": [claim]}).to_string();
        std::fs::write(path.join("ledger.json"), ledger).unwrap();
        let output = run(path, &["gate", "ledger.json", "--sources", name]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(i32::from(!accepted)), "{source}: {quote}: {text}");
    };
    let marked =
        "It was the **best** [week](https://a.example/) yet.\n\n| North | 1,200 |\n|---|---|\n| South | 900 |\n";
    check("a.md", marked, "the best week yet", true);
    check("a.md", marked, "the **best** [week](https://a.example/) yet", true);
    check("a.md", marked, "| South | 900 |", true);
    check("a.md", marked, "the **best** [week](https://b.example/) yet", false);
    check("a.md", marked, "the *best* week so far", false);
    let code = "Run `a*b*c` first:\n\n    let best = week * yet * 2;\n\n```html\n<b>best</b> week\n```\n";
    check("b.md", code, "Run `a*b*c` first", true);
    check("b.md", code, "let best = week * yet * 2;", true);
    check("b.md", code, "<b>best</b> week", true);
    for hidden in [
        "A week. <!-- the best week yet -->\n",
        "---\ntitle: the best week yet\n---\n\nA week.\n",
        "A week. ~~the best week yet~~\n",
        "A week. <span hidden>the best week yet</span>\n",
        "A week.\n\n<div hidden>\n\nthe best week yet\n\n</div>\n",
    ] {
        check("c.md", hidden, "the best week yet", false);
    }
    check("c.md", "A week. <!-- the best week yet -->\n", "<!-- the best week yet -->", false);
    for hidden in [
        "<p hidden>the best week yet</p>",
        "<div style='display: none'><p>the best week yet</p></div>",
        "<p aria-hidden='true'>the best week yet</p>",
        "<textarea>the best week yet</textarea>",
        "<p><del>the best week yet</del></p>",
    ] {
        check("d.html", &format!("<html><body><p>A week.</p>{hidden}</body></html>"), "the best week yet", false);
    }
    check(
        "d.html",
        "<html><body><p hidden>A week.</p><p>the best week yet</p></body></html>",
        "the best week yet",
        true,
    );
}

#[test]
fn what_a_draft_says_in_headings_and_code_is_not_lost_on_the_way_to_the_gate() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for said in ["# It rose 18%", "<p>It rose 18%.</p>", "```\nrise: 18%\n```", "---\nrise: 18%\n---"] {
        std::fs::write(path.join("draft.md"), format!("{said}\n\nAll went well.\n")).unwrap();
        let skeleton = run(path, &["gate", "--init", "draft.md"]);
        assert!(skeleton.status.success());
        std::fs::write(path.join("ledger.json"), skeleton.stdout).unwrap();
        let output = run(path, &["gate", "ledger.json"]);
        assert_eq!(output.status.code(), Some(1), "{said}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn what_a_file_of_json_says_is_quoted_as_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::create_dir(path.join("notes")).unwrap();
    std::fs::write(path.join("notes/run.json"), r#"{"model": "velda", "exact_match": 0.4920}"#).unwrap();
    let claim = serde_json::json!({"id": "q", "kind": "citation", "statement": "It reached “exact_match”.",
        "quote": "\"exact_match\": 0.4920", "sourceId": "run"});
    let ledger = serde_json::json!({"summary": "It reached “exact_match”.", "claims": [claim]});
    std::fs::write(path.join("ledger.json"), ledger.to_string()).unwrap();
    let output = run(path, &["gate", "ledger.json", "--sources", "notes"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("verified q"), "{text}");
}
