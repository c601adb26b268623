//! Reports: what they are made of, decisions that are replayed, and all of it in a real Chromium.
//!
//! The part in the browser needs node, Chromium and the two packages of `tests/report/package.json` (`.ci/test` installs them into
//! `.tools/browser`). Without them it says so and does nothing, unless `CITED_NEEDS_BROWSER` is set: then it fails.

#[path = "support/server/mod.rs"]
#[allow(dead_code)]
mod server;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use cited::fetch::pdf;
use serde_json::{Value, json};
use server::Server;

/// The draft of the reviews. Its claims, in order: said; another number; said; on a source that is gone; said; …
const DRAFT: &str = "\
# Charging in the north

Beta runs 640 stations in eleven countries [1]. Beta was founded in 2011 by Maria Lindqvist [1]. Transport used 17.9 TWh of electricity in 2023 [3]. According to Delta, 71% of drivers prefer Beta [2]. Revenue of Beta rose to 180 million euros in 2023 [1].

- Gamma runs 212 stations [3]
- Epsilon runs 98 stations [4]

| Sector | 2022 | 2023 |
|---|---|---|
| Transport [3] | 14.2 | 17.9 |
| Industry [3] | 210.4 | 201.3 |

> Transport is the fastest growing sector of electricity use [3].

## Sources

1. Beta network study — https://beta.example/study
2. Delta survey — https://delta.example/survey
3. Grid report — https://grid.example/report
4. Epsilon — https://epsilon.example/
";

fn web(beta: &str) -> String {
    json!({
        "https://beta.example/study": {"status": 200, "title": "Beta network study", "text": beta},
        "https://delta.example/survey": {"status": 404},
        "https://delta.example/": {"status": 200, "title": "Delta", "text": "Delta asks drivers what they like."},
        "https://grid.example/report": {"status": 200, "title": "Grid report", "text": "Transport used 17.9 TWh of electricity in 2023, after 14.2 TWh in 2022. Industry used 201.3 TWh of electricity in 2023, after 210.4 TWh in 2022. Gamma runs 212 stations. Transport is the fastest growing sector of electricity use, the operator writes."},
        "https://epsilon.example/": {"status": 503}
    })
    .to_string()
}

const BETA: &str = "Beta runs 640 stations in eleven countries. Beta was founded in 2009 by the engineer Maria Lindqvist. Revenue of Beta rose to 180 million euros in 2023.";

fn arguments(server: &Server) -> Vec<String> {
    let [http, https] = server.connect_to();
    let ca = server.ca_file().display().to_string();
    let given = ["--connect-to", &http, "--connect-to", &https, "--cacert", &ca, "--archive", "none", "--cache", "off"];
    let further = ["--timeout", "3", "--progress", "never", "--pause", "0", "--now", "2024-04-01T00:00:00Z"];
    given.iter().chain(&further).map(ToString::to_string).collect()
}

fn cited(folder: &Path, arguments: &[&str], more: &[String]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cited"))
        .args(arguments)
        .args(more)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", folder.join(".cache"))
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
}

#[track_caller]
fn done(output: &Output) {
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}{}", String::from_utf8_lossy(&output.stdout));
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn record(path: &Path) -> Value {
    serde_json::from_str(&read(path)).expect("a record")
}

/// A run on the draft, with its report.
fn run(folder: &Path, server: &Server) -> Value {
    std::fs::write(folder.join("draft.md"), DRAFT).unwrap();
    let report = ["verify", "draft.md", "-o", "report.md", "--report", "report.html", "--force"];
    done(&cited(folder, &report, &arguments(server)));
    record(&folder.join("report.record.json"))
}

fn claim<'r>(record: &'r Value, id: &str) -> &'r Value {
    let claims = record["verifications"].as_array().expect("claims");
    claims.iter().find(|claim| claim["claim_id"] == id).unwrap_or_else(|| panic!("{id} is in {record}"))
}

/// A file of decisions on claims of a record.
fn decisions(record: &Value, decided: &[(&str, &str, &str)]) -> Value {
    let one = |(id, decision, why): &(&str, &str, &str)| {
        let claim = claim(record, id);
        json!({"claim_id": id, "claim_text": claim["claim_text"], "binding": claim["binding"], "action": claim["action"], "decision": decision, "who": "Ada", "why": why})
    };
    json!({"schema": "cited/decisions/1", "draft": "draft.md", "decisions": decided.iter().map(one).collect::<Vec<_>>()})
}

fn replay(folder: &Path, server: &Server, file: &str, brief: &str) -> Value {
    let replayed = ["verify", "draft.md", "-o", brief, "--decisions", file, "--force", "--report", "second.html"];
    done(&cited(folder, &replayed, &arguments(server)));
    record(&folder.join(Path::new(brief).with_extension("record.json")))
}

/// The claims of the draft with what every decision of the tests does to them.
#[track_caller]
fn is_reviewed(brief: &str) {
    let start = "Beta runs 640 stations in eleven countries [1]. Beta was founded in 2011 by Maria Lindqvist [1]. Transport used 17.9 TWh of electricity in 2023 [unverified].\n";
    assert!(brief.contains(start), "{brief}");
    assert!(
        brief.contains(
            "- “According to Delta, 71% of drivers prefer Beta.” — dead source: https://delta.example/survey"
        ),
        "{brief}"
    );
    assert!(brief.contains("- “Revenue of Beta rose to 180 million euros in 2023.” — dropped by Ada"), "{brief}");
}

#[test]
fn decisions_are_replayed_and_recorded() {
    let server = Server::start(&web(BETA));
    let folder = tempfile::tempdir().unwrap();
    let first = run(folder.path(), &server);
    // All that a run with decisions needs again to see the same pages.
    let network: Vec<String> = arguments(&server).into_iter().take_while(|given| given != "--timeout").collect();
    let own = ["-o", "report.md", "--report", "report.html", "--force"].map(str::to_owned);
    let now = ["--now", "2024-04-01T00:00:00Z"].map(str::to_owned);
    let options: Vec<String> = own.into_iter().chain(network).chain(now).collect();
    assert_eq!(first["draft"], json!({"path": "draft.md", "options": options, "text": DRAFT}));
    let before = ["c1", "c2", "c3", "c4", "c5"].map(|id| claim(&first, id)["action"].as_str().unwrap().to_owned());
    assert_eq!(before, ["keep", "drop", "keep", "drop", "keep"]);
    let file = decisions(
        &first,
        &[("c2", "restore", "I asked them"), ("c3", "mark", ""), ("c4", "accept", ""), ("c5", "drop", "")],
    );
    std::fs::write(folder.path().join("d.json"), file.to_string()).unwrap();
    let second = replay(folder.path(), &server, "d.json", "out.md");
    is_reviewed(&read(&folder.path().join("out.md")));
    assert_eq!(claim(&second, "c2")["review"], json!({"decision": "restore", "who": "Ada", "why": "I asked them"}));
    let notes = claim(&second, "c2")["notes"].as_str().unwrap();
    assert!(notes.contains("2009") && notes.starts_with("restored by Ada: I asked them; "), "{notes}");
    assert_eq!(second["verdict"], "pass_with_notes");
    // Again, on what the first replay has recorded: the bindings are of what was found, not of what was decided.
    let bindings = |record: &Value| ["c1", "c2", "c3", "c4", "c5"].map(|id| claim(record, id)["binding"].clone());
    assert_eq!(bindings(&first), bindings(&second));
}

#[test]
fn a_decision_on_other_evidence_is_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&web(BETA));
    let first = run(folder.path(), &server);
    let file = decisions(&first, &[("c2", "restore", ""), ("c3", "mark", ""), ("c5", "drop", "")]);
    std::fs::write(folder.path().join("d.json"), file.to_string()).unwrap();
    let changed = BETA.replace("2009", "2010").replace("euros in 2023", "euros in 2023, as the firm says");
    let changed = Server::start(&web(&changed));
    let second = replay(folder.path(), &changed, "d.json", "out.md");
    let brief = read(&folder.path().join("out.md"));
    assert!(
        brief.contains("eleven countries [1]. Transport used 17.9 TWh of electricity in 2023 [unverified]."),
        "{brief}"
    );
    let stale: Vec<&Value> =
        second["findings"].as_array().unwrap().iter().filter(|finding| finding["code"] == "stale-decision").collect();
    // What is not dropped in the brief is not dropped when the brief is read again either.
    assert!(brief.contains("Revenue of Beta rose to 180 million euros in 2023 ["), "{brief}");
    assert_eq!(stale.len(), 2, "{stale:?}");
    assert_eq!(
        stale[0]["message"],
        "not restored by Ada; what its sources are or say has changed since: “Beta was founded in 2011 by Maria Lindqvist.”"
    );
}

/// The messages of a record on decisions that do not hold, by claim.
fn stale(record: &Value) -> Vec<(&str, &str)> {
    let findings = record["findings"].as_array().expect("findings").iter();
    let stale = findings.filter(|finding| finding["code"] == "stale-decision");
    stale.map(|one| (one["about"]["claim_id"].as_str().unwrap(), one["message"].as_str().unwrap())).collect()
}

#[test]
fn what_was_accepted_holds_for_no_other_action() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&web(BETA));
    std::fs::write(folder.path().join("draft.md"), DRAFT).unwrap();
    done(&cited(folder.path(), &["verify", "draft.md", "--record", "web.warc.gz"], &arguments(&server)));
    let verify = |policy: &str, more: &[&str]| {
        let given = ["verify", "draft.md", "-o", "out.md", "--force", "--on-dead", policy, "--on-contradicted", policy];
        let replayed = ["--replay", "web.warc.gz", "--archive", "none", "--progress", "never"];
        done(&cited(folder.path(), &[&given, more, &replayed].concat(), &[]));
        record(&folder.path().join("out.record.json"))
    };
    let policies = ["drop", "mark", "todo", "keep"];
    let runs = policies.map(|policy| verify(policy, &[]));
    let ids: Vec<String> = runs[0]["verifications"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["claim_id"].as_str().unwrap().to_owned())
        .collect();
    let mut outrun = 0;
    for accepted in &runs {
        let all: Vec<(&str, &str, &str)> = ids.iter().map(|id| (id.as_str(), "accept", "")).collect();
        std::fs::write(folder.path().join("d.json"), decisions(accepted, &all).to_string()).unwrap();
        for (policy, before) in policies.iter().zip(&runs) {
            let after = verify(policy, &["--decisions", "d.json"]);
            let told = stale(&after);
            for id in &ids {
                let [then, now, done] = [accepted, before, &after].map(|record| &claim(record, id)["action"]);
                assert_eq!(now, done, "{policy} {id}: an accept changes nothing");
                let message = told.iter().find(|(of, _)| of == id).map(|(_, message)| *message);
                assert_eq!(claim(&after, id)["review"].is_null(), then != now, "{policy} {id}");
                assert_eq!(message.is_some(), then != now, "{policy} {id}: {told:?}");
                if let Some(message) = message {
                    outrun += 1;
                    let why = format!(
                        "“{}” was accepted, and this run says “{}”",
                        then.as_str().unwrap(),
                        now.as_str().unwrap()
                    );
                    assert!(message.contains(&why), "{message}");
                }
            }
        }
    }
    assert_eq!(outrun, 2 * 12, "two claims, each pair of unlike policies");
}

#[test]
fn what_was_accepted_does_not_hold_where_the_claim_came_back_with_another() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&web(BETA));
    std::fs::write(folder.path().join("draft.md"), HANGING).unwrap();
    done(&cited(folder.path(), &["verify", "draft.md", "-o", "out.md", "--force"], &arguments(&server)));
    let first = record(&folder.path().join("out.record.json"));
    let claims = first["verifications"].as_array().unwrap();
    let fell = claims.iter().find(|claim| claim["claim_text"] == "This surprised nobody.").expect("it leans");
    assert_eq!((&fell["action"], &fell["hangs"]["fell"]), (&json!("drop"), &json!(true)));
    let (id, on) = (fell["claim_id"].as_str().unwrap(), fell["hangs"]["on"][0].as_str().unwrap());
    let file = decisions(&first, &[(on, "restore", ""), (id, "accept", "")]);
    std::fs::write(folder.path().join("d.json"), file.to_string()).unwrap();
    let second = replay(folder.path(), &server, "d.json", "out.md");
    assert_eq!(claim(&second, id)["action"], "keep");
    assert_eq!(
        stale(&second),
        [(id, "not accepted by Ada; “drop” was accepted, and this run says “keep”: “This surprised nobody.”")]
    );
}

#[test]
fn of_a_sentence_that_stands_twice_one_can_be_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&web(BETA));
    let said = "Beta runs 640 stations in eleven countries [1].";
    let draft = format!(
        "# Charging\n\n{said}\n\nIt is early. {said}\n\n## Sources\n\n1. Beta network study — https://beta.example/study\n"
    );
    std::fs::write(folder.path().join("draft.md"), draft).unwrap();
    done(&cited(folder.path(), &["verify", "draft.md", "-o", "out.md"], &arguments(&server)));
    let first = record(&folder.path().join("out.record.json"));
    std::fs::write(folder.path().join("d.json"), decisions(&first, &[("c1", "drop", "")]).to_string()).unwrap();
    replay(folder.path(), &server, "d.json", "out.md");
    let brief = read(&folder.path().join("out.md"));
    assert!(brief.starts_with(&format!("# Charging\n\nIt is early. {said}\n\n## Removed")), "{brief}");
}

#[test]
fn decisions_outlive_a_new_draft() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&web(BETA));
    let first = run(folder.path(), &server);
    let file = decisions(&first, &[("c2", "restore", ""), ("c3", "mark", ""), ("c5", "drop", "")]);
    std::fs::write(folder.path().join("d.json"), file.to_string()).unwrap();
    let draft = DRAFT
        .replace(
            "# Charging in the north\n",
            "# Charging in the north\n\nA word before: Gamma runs 212 stations [3].\n",
        )
        .replace("Revenue of Beta rose", "Revenue rose");
    std::fs::write(folder.path().join("draft.md"), draft).unwrap();
    let report = ["verify", "draft.md", "-o", "out.md", "--decisions", "d.json", "--force"];
    done(&cited(folder.path(), &report, &arguments(&server)));
    let brief = read(&folder.path().join("out.md"));
    assert!(
        brief.contains(
            "founded in 2011 by Maria Lindqvist [2]. Transport used 17.9 TWh of electricity in 2023 [unverified]."
        ),
        "{brief}"
    );
    assert!(brief.contains("Revenue rose to 180 million"), "{brief}");
    let second = record(&folder.path().join("out.record.json"));
    let stale = second["findings"].as_array().unwrap().iter().filter(|finding| finding["code"] == "stale-decision");
    let told: Vec<&str> = stale.map(|finding| finding["message"].as_str().unwrap()).collect();
    assert_eq!(
        told,
        [
            "not dropped by Ada; no claim of the draft has these words any more: “Revenue of Beta rose to 180 million euros in 2023.”"
        ]
    );
}

#[test]
fn a_report_can_be_made_of_the_record_alone() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&web(BETA));
    run(folder.path(), &server);
    done(&cited(folder.path(), &["render", "report.record.json", "-o", "again.html"], &[]));
    assert_eq!(read(&folder.path().join("again.html")), read(&folder.path().join("report.html")));
    std::fs::write(folder.path().join("none.json"), "{}").unwrap();
    let refused = cited(folder.path(), &["render", "none.json", "-o", "none.html"], &[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("none.json: is not a record of a run"));
}

/// Node, Chromium and the folder of packages, when they are all there.
fn browser() -> Option<(PathBuf, PathBuf, PathBuf)> {
    let program = |names: &[&str]| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
        names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|path| path.is_file())
    };
    let chromium =
        std::env::var_os("CITED_CHROMIUM").map(PathBuf::from).or_else(|| program(&["chromium", "chromium-browser"]));
    let own = || Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools/browser");
    let tools = std::env::var_os("CITED_BROWSER_TOOLS").map_or_else(own, PathBuf::from);
    Some((program(&["node"])?, chromium?, tools))
        .filter(|(_, _, tools)| tools.join("node_modules/playwright-core").is_dir())
}

/// Runs the script in the browser over what stands in `folder`.
#[track_caller]
fn browse((node, chromium, tools): &(PathBuf, PathBuf, PathBuf), folder: &Path, more: &[&str]) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/report/browse.cjs");
    let output = Command::new(node)
        .arg(script)
        .arg(folder)
        .args(more)
        .env("CITED_CHROMIUM", chromium)
        .env("CITED_BROWSER_TOOLS", tools)
        .output()
        .expect("node starts");
    let told = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.contains("ok "), "{told}");
}

#[test]
fn a_report_is_read_and_reviewed_in_a_browser() {
    let Some(browser) = browser() else {
        assert!(
            std::env::var_os("CITED_NEEDS_BROWSER").is_none(),
            "node, chromium and playwright-core are needed, and are not installed"
        );
        println!("skipped: node, chromium or playwright-core is not installed; `bash .ci/test` installs them");
        return;
    };
    let server = Server::start(&web(BETA));
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    let first = run(folder, &server);
    others(folder, &server);
    hostile(folder, &first);
    std::fs::write(folder.join("preview.md"), HANGING).unwrap();
    let report = ["verify", "preview.md", "-o", "previewed.md", "--report", "preview.html", "--force"];
    done(&cited(folder, &report, &arguments(&server)));
    browse(&browser, folder, &[]);
    is_printed(&std::fs::read(folder.join("print.pdf")).unwrap(), &first, &["sources"]);
    is_printed(&std::fs::read(folder.join("print-claims.pdf")).unwrap(), &first, &["verifications", "sources"]);
    // What was exported, by mouse and by keyboard, is replayed.
    for file in ["mouse.json", "keys.json"] {
        let exported = read(&folder.join(file)).replace("\"who\": \"\"", "\"who\": \"Ada\"");
        std::fs::write(folder.join(file), exported).unwrap();
        replay(folder, &server, file, "out.md");
        is_reviewed(&read(&folder.join("out.md")));
    }
    browse(&browser, folder, &["secondRound"]);
    let wrong: Vec<String> = (0..8).filter_map(|turn| previewed_otherwise(folder, &server, turn)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A draft in which much hangs on other things: sentences that lean, labels, introductions, captions, who is quoted, sections.
const HANGING: &str = "\
# Charging in the north

## Networks

Beta runs 640 stations in eleven countries [1]. This is more than others have. It grew fast. Beta was founded in 2011 by Maria Lindqvist [1]. However, she left.

Three networks stand out:

- **Gamma.** Gamma runs 212 stations [3]. These are small.
- Epsilon runs 98 stations [4]
- Beta runs 640 stations [1]
- **Size:** Beta runs 640 stations in eleven countries [1]. Epsilon runs 98 stations [4].
- **Age**: Beta was founded in 2011 by Maria Lindqvist [1]. Gamma runs 212 stations [3].

## Use

According to Delta, 71% of drivers prefer Beta [2]. This surprised nobody.

### Sectors

Table 1: Electricity by sector.

| Sector | 2022 | 2023 |
|---|---|---|
| Transport [3] | 14.2 | 17.9 |
| Industry [3] | 210.4 | 201.3 |

### Growth

The operator puts it so:

> Transport is the fastest growing sector of electricity use [3].
>
> — the operator

## Plans

Delta wants 71% of drivers [2]. Transport used 17.9 TWh of electricity in 2023 [3].

## Sources

1. Beta network study — https://beta.example/study
2. Delta survey — https://delta.example/survey
3. Grid report — https://grid.example/report
4. Epsilon — https://epsilon.example/
";

/// Whether the page showed something else than a run makes of the decisions that were taken on it: both, then.
fn previewed_otherwise(folder: &Path, server: &Server, turn: usize) -> Option<String> {
    let file = format!("preview-{turn}.json");
    let replayed = ["verify", "preview.md", "-o", "out.md", "--decisions", &file, "--force"];
    let output = cited(folder, &replayed, &arguments(server));
    done(&output);
    let brief = read(&folder.join("out.md"));
    let shown: Value = serde_json::from_str(&read(&folder.join(format!("preview-{turn}.shown.json")))).unwrap();
    let until = |text: &str, heading: &str| text.split(heading).next().unwrap_or_default().to_owned();
    let numbers = regex::Regex::new(r"\[[0-9, ]+\]|(?m)^[|: -]+$").unwrap();
    let words = |text: &str| {
        let text = numbers.replace_all(text, "").into_owned();
        let apart = |c: char| !c.is_alphanumeric() && c != '—';
        text.split(apart).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    };
    let counted = regex::Regex::new(r"of [0-9]+ claims?").unwrap();
    let of_all = |text: &str| counted.find_iter(text).last().map(|found| found.as_str().to_owned());
    let told = String::from_utf8_lossy(&output.stderr);
    let first_line = told.lines().next().unwrap_or_default();
    assert_eq!(of_all(first_line), of_all(shown["lead"].as_str().unwrap()), "{first_line}: {}", shown["lead"]);
    let body = until(&until(&brief, "\n## Removed Unsupported Claims"), "\n## Sources");
    let seen = until(shown["text"].as_str().unwrap(), "\nSources");
    let record = record(&folder.join("out.record.json"));
    let claims = record["verifications"].as_array().unwrap().iter();
    let gone: Vec<&Value> = claims.filter(|claim| claim["action"] == "drop").map(|claim| &claim["claim_id"]).collect();
    let same = words(&body) == words(&seen) && json!(gone) == shown["removed"] && stale(&record).is_empty();
    (!same).then(|| {
        format!(
            "{}\n--- a run gives {gone:?}\n{}\n--- the page shows {}\n{}",
            read(&folder.join(&file)),
            words(&body),
            shown["removed"],
            words(&seen)
        )
    })
}

/// Every claim, every source and the reason of every removal stand in what was printed.
#[track_caller]
fn is_printed(pdf: &[u8], record: &Value, lists: &[&str]) {
    let text = pdf::reader(env!("CARGO_BIN_EXE_cited").into(), 100)(pdf).expect("a PDF that can be read");
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").replace('ﬁ', "fi");
    let printed = plain(&text.pages.join(" "));
    let fields = [("verifications", ["claim_text", "notes"]), ("sources", ["url", "title"])];
    for (list, fields) in fields.into_iter().filter(|(list, _)| lists.contains(list)) {
        for one in record[list].as_array().expect(list) {
            for field in fields {
                let wanted = one[field].as_str().unwrap_or_default();
                assert!(printed.contains(&plain(wanted)), "{field} {wanted:?} in {}", text.pages.join("\n"));
            }
        }
    }
}

/// Reports of other documents and of other commands.
fn others(folder: &Path, server: &Server) {
    let arabic = "# شحن السيارات\n\nتدير شبكة بيتا 640 محطة في أحد عشر بلدا [1].\n\n- بيتا: 640 محطة [1]\n- دلتا: 980 محطة [2]\n\n| القطاع | 2022 |\n|---|---|\n| النقل [1] | 14.2 |\n\n## المصادر\n\n1. بيتا — https://beta.example/study\n2. دلتا — https://delta.example/survey\n";
    let cjk = "# 充電設備\n\n日本には2023年に公共の充電器が30,320基ある[1]。急速充電器は12,000基である[1]。\n\n| 種類 | 基数 |\n|---|---|\n| 公共 [1] | 30,320 |\n\n## 参考文献\n\n1. 充電器 — https://beta.example/study\n";
    for (name, text) in [("arabic", arabic), ("cjk", cjk)] {
        std::fs::write(folder.join(format!("{name}.md")), text).unwrap();
        let (brief, report) = (format!("{name}-brief.md"), format!("{name}.html"));
        let verified = ["verify", &format!("{name}.md"), "-o", &brief, "--report", &report, "--force"];
        let output = cited(folder, &verified, &arguments(server));
        assert!(folder.join(&report).is_file(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    std::fs::write(
        folder.join("checked.md"),
        "A claim [9]. Another [x](none.md).\n\n## Sources\n\n1. Never cited — https://a.example/\n",
    )
    .unwrap();
    cited(folder, &["check", "checked.md", "draft.md", "--report", "check.html", "-q"], &[]);
    audited(folder, server);
    extremes(folder, server);
    let ledger = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd/gate-report/in");
    let of = |name: &str| ledger.join(name).display().to_string();
    std::fs::write(folder.join("criteria.toml"), "[[criteria]]\nname = \"there\"\ntype = \"command\"\ncheck = \"true\"\n\n[[criteria]]\nname = \"long\"\ntype = \"command\"\ncheck = \"echo too short; false\"\n").unwrap();
    let gate = [
        "gate",
        &of("l.ledger"),
        "--data",
        &of("sales.csv"),
        "--sources",
        &of("notes"),
        "--criteria",
        "criteria.toml",
        "--report",
        "gate.html",
        "-q",
    ];
    let output = cited(folder, &gate, &[]);
    assert!(folder.join("gate.html").is_file(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Drafts at the ends of what there can be: no claim at all, and nothing that stays.
fn extremes(folder: &Path, server: &Server) {
    let gone: Vec<String> = (1..5).map(|i| format!("Product {i} has {i},{i}00 users in 2023 [{i}].\n")).collect();
    let listed: Vec<String> = (1..5).map(|i| format!("{i}. Product {i} — https://delta.example/{i}\n")).collect();
    let gone = format!("# Everything goes\n\n{}\n## Sources\n\n{}", gone.concat(), listed.concat());
    for (name, text) in [("empty", "# Notes\n\n## Sources\n\n1. Beta — https://beta.example/study\n"), ("gone", &gone)]
    {
        std::fs::write(folder.join(format!("{name}.md")), text).unwrap();
        let (brief, report) = (format!("{name}-brief.md"), format!("{name}.html"));
        let verified = ["verify", &format!("{name}.md"), "-o", &brief, "--report", &report, "--force"];
        let output = cited(folder, &verified, &arguments(server));
        assert!(folder.join(&report).is_file(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let kept = record(&folder.join("gone.record.json"));
    assert_eq!((&kept["stats"]["claims"], &kept["stats"]["removed"]), (&json!(4), &json!(4)));
}

/// Three nights of an audit, after which a page is proven gone.
fn audited(folder: &Path, server: &Server) {
    let network: Vec<String> =
        arguments(server).into_iter().filter(|one| !one.starts_with("2024-") && one != "--now").collect();
    for night in [1, 5, 9] {
        let now = format!("2024-04-0{night}T03:00:00Z");
        let audit = ["audit", "draft.md", "--state", "audit.sqlite", "--report", "audit.html", "--now", &now];
        let output = cited(folder, &audit, &network);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(i32::from(night == 9)), "{told}");
    }
    let page = read(&folder.join("audit.html"));
    assert!(page.contains("✗ NEWS") && page.contains("https://delta.example/survey"), "{page}");
}

/// What drafts, titles, pages and notes may say to get out of their place.
const HOSTILE: &[&str] = &[
    "<script>window.pwned=1</script>",
    "</script><script>window.pwned=2</script>",
    "</style><script>window.pwned=3</script>",
    "</title><script>window.pwned=4</script>",
    "--><script>window.pwned=5</script>",
    "]]><script>window.pwned=6</script>",
    "\"><script>window.pwned=7</script>",
    "'><script>window.pwned=8</script>",
    "<img src=x onerror=window.pwned=9>",
    "<svg onload=window.pwned=10>",
    "<svg><script>window.pwned=11</script></svg>",
    "<svg><animate onbegin=window.pwned=12 attributeName=x dur=1s>",
    "<svg><a xlink:href=\"javascript:window.pwned=13\"><text>x</text></a></svg>",
    "<svg><use href=\"data:image/svg+xml,<svg onload=window.pwned=14>\"></svg>",
    "<svg><foreignObject><iframe srcdoc=\"<script>parent.pwned=15</script>\"></iframe></foreignObject></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=window.pwned=16>",
    "<iframe src=\"javascript:parent.pwned=17\"></iframe>",
    "<iframe srcdoc=\"<script>parent.pwned=18</script>\"></iframe>",
    "<object data=\"javascript:window.pwned=19\"></object>",
    "<embed src=\"javascript:window.pwned=20\">",
    "<link rel=stylesheet href=https://evil.example/x.css>",
    "<link rel=import href=https://evil.example/>",
    "<meta http-equiv=refresh content=\"0;url=https://evil.example/\">",
    "<base href=https://evil.example/>",
    "<body onload=window.pwned=21>",
    "<input autofocus onfocus=window.pwned=22>",
    "<select autofocus onfocus=window.pwned=23>",
    "<textarea autofocus onfocus=window.pwned=24>",
    "<details open ontoggle=window.pwned=25>",
    "<video><source onerror=window.pwned=26></video>",
    "<audio src=https://evil.example/a onerror=window.pwned=27>",
    "<marquee onstart=window.pwned=28>",
    "<form action=https://evil.example/><button>go</button></form>",
    "<button formaction=\"javascript:window.pwned=29\">x</button>",
    "<template><script>window.pwned=30</script></template>",
    "<noscript><p title=\"</noscript><img src=x onerror=window.pwned=31>\">",
    "<style>*{background:url(https://evil.example/)}</style>",
    "<style>@import 'https://evil.example/x.css';</style>",
    "<p style=\"background:url(https://evil.example/)\">",
    "<div style=\"position:fixed;inset:0\">cover</div>",
    "\" onmouseover=\"window.pwned=32",
    "' onmouseover='window.pwned=33",
    "\" style=\"position:fixed\" x=\"",
    "` onclick=`window.pwned=34",
    "javascript:window.pwned=35",
    "JaVaScRiPt:window.pwned=36",
    "java\tscript:window.pwned=37",
    "data:text/html,<script>window.pwned=38</script>",
    "vbscript:msgbox(1)",
    "file:///etc/passwd",
    "//evil.example/x",
    "https://evil.example/\"onclick=\"window.pwned=39",
    "https://user:secret@evil.example/",
    "https://evil.example/?q=<script>window.pwned=40</script>",
    "${window.pwned=41} {{window.pwned=42}} <%= window.pwned=43 %> #{window.pwned=44}",
    "&lt;script&gt;window.pwned=45&lt;/script&gt; &#60;b&#62;",
    "\u{202e}gnp.exe\u{202c} turned round",
    "\u{2066}isolated\u{2069} \u{200f}mark\u{200e}",
    "bell\u{7} escape \u{1b}[31mred",
    "__proto__ constructor toString",
    "{\"__proto__\": {\"pwned\": 46}}",
    "<!-- a comment --!><img src=x onerror=window.pwned=47>",
];

/// A record in which every text from outside is one of those, as a report.
fn hostile(folder: &Path, first: &Value) {
    let mut record = first.clone();
    let (claim, source) = (first["verifications"][0].clone(), first["sources"][0].clone());
    let (mut claims, mut sources) = (Vec::new(), Vec::new());
    let mut draft = String::new();
    for (i, text) in HOSTILE.iter().enumerate() {
        let start = draft.len();
        let _ = writeln!(draft, "{text}\n");
        let mut claim = claim.clone();
        for field in ["claim_text", "notes", "context"] {
            claim[field] = json!(text);
        }
        claim["claim_id"] = json!(format!("c{}", i + 1));
        claim["span"] = json!([start, start + text.len()]);
        claim["review"] = json!({"decision": "note", "who": text, "why": text});
        claim["binding"] = json!({"claim": text, "evidence": text});
        let reconciled = &mut claim["sources_reconciled"][0];
        for field in ["stat", "source_url", "source_passage", "context", "text_sha256"] {
            reconciled[field] = json!(text);
        }
        reconciled["verdict"] = json!("contradicted");
        reconciled["results"] = json!([{"kind": "quantity", "result": "differs", "claimed": text, "found": text}]);
        reconciled["around"] = json!([{"kind": "heading", "text": text}]);
        claims.push(claim);
        let mut source = source.clone();
        for field in ["title", "url", "reason", "rule", "final_url"] {
            source[field] = json!(text);
        }
        for field in ["aliases", "entry_notes", "signs"] {
            source[field] = json!([text]);
        }
        source["number"] = json!(i + 1);
        source["origins"] = json!([[text, text]]);
        source["hops"] = json!([{"url": text, "location": text, "error": text}]);
        source["archive"] = json!({"url": text, "taken": "2024-01-01T00:00:00Z", "original": text});
        sources.push(source);
    }
    record["edits"] = json!([{"span": [draft.len(), draft.len()], "replacement": format!("\n{}", HOSTILE.join("\n\n")), "because": "report-written"}]);
    record["findings"] = HOSTILE
        .iter()
        .map(|text| {
            json!({"code": "conflict", "severity": "warning", "file": text, "span": [0, 9], "message": text, "remedy": text,
                "about": {"claim_id": text, "url": text}})
        })
        .collect();
    record["draft"] = json!({"path": HOSTILE[0], "text": draft});
    record["verifications"] = json!(claims);
    record["sources"] = json!(sources);
    std::fs::write(folder.join("hostile.record.json"), record.to_string()).unwrap();
    std::fs::write(folder.join("hostile.json"), json!(HOSTILE).to_string()).unwrap();
    done(&cited(folder, &["render", "hostile.record.json", "-o", "hostile.html"], &[]));
    // The same as a document that is checked, and as what a gate is handed.
    let checked: Vec<String> = HOSTILE.iter().map(|text| format!("{text} is a claim [99].\n")).collect();
    std::fs::write(folder.join("hostile.md"), checked.join("\n")).unwrap();
    cited(folder, &["check", "hostile.md", "--report", "hostile-check.html", "-q"], &[]);
    let claims: Vec<Value> = HOSTILE
        .iter()
        .enumerate()
        .map(|(i, text)| {
            json!({"id": format!("h{i}"), "kind": "citation", "statement": text, "quote": text, "sourceId": text})
        })
        .collect();
    let ledger = json!({"summary": "Nothing is said.", "claims": claims});
    std::fs::write(folder.join("hostile.ledger"), format!("{ledger:#}")).unwrap();
    let output =
        cited(folder, &["gate", "hostile.ledger", "--sources", ".", "--report", "hostile-gate.html", "-q"], &[]);
    assert!(folder.join("hostile-gate.html").is_file(), "{}", String::from_utf8_lossy(&output.stderr));
}
