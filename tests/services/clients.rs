//! The services with clients of others: the official SDKs in Python and TypeScript over both transports, the command line of the MCP
//! Inspector, schemathesis against the `OpenAPI` document, and the agents of the documentation.
//!
//! `.ci/test` installs the SDKs. The other two are heavy; `CITED_NEEDS_CLIENTS=1 bash .ci/test` installs them, too. What is not
//! there is said, and its test is skipped.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

use super::{CITED, Server, Service, TOOLS, WEB, flags};

/// A program or folder that `.ci/test` names, if it does.
fn installed(variable: &str, what: &str) -> Option<PathBuf> {
    let found = std::env::var_os(variable).map(PathBuf::from).filter(|path| path.exists());
    if found.is_none() {
        eprintln!("skipped: {what} is not installed (`bash .ci/test` installs it; {variable} names it)");
    }
    found
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A folder in which node finds the packages of `.ci/test`, with a copy of a script of ours. The folder goes with the value.
fn beside_packages(packages: &Path, script: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let script = here(script);
    let copy = folder.path().join(script.file_name().unwrap());
    std::fs::copy(script, &copy).unwrap();
    std::fs::write(folder.path().join("package.json"), "{\"type\": \"module\"}").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(packages.join("node_modules"), folder.path().join("node_modules")).unwrap();
    (folder, copy)
}

/// A service that clients try out: a page that is there, one that never answers, a folder that is open.
struct Tried {
    web: Server,
    root: tempfile::TempDir,
    _silent: TcpListener,
    flags: Vec<String>,
}

impl Tried {
    fn new() -> Tried {
        let (web, root) = (Server::start(WEB), tempfile::tempdir().unwrap());
        let silent = TcpListener::bind("127.0.0.1:0").unwrap();
        let slow = format!("slow.example:80:127.0.0.1:{}", silent.local_addr().unwrap().port());
        let folder = root.path().display().to_string();
        let mut flags = super::without(&flags(&web), "3");
        // One call at a time: a call that is cancelled and goes on would hold up the next.
        flags
            .extend(["--connect-to", &slow, "--timeout", "60", "--at-once", "1", "--root", &folder].map(str::to_owned));
        std::fs::write(root.path().join("x-draft.md"), DRAFT).unwrap();
        Tried { web, root, _silent: silent, flags }
    }

    fn command(&self) -> Vec<String> {
        [CITED, "mcp"].into_iter().map(str::to_owned).chain(self.flags.iter().cloned()).collect()
    }
}

const DRAFT: &str = "# B\n\nThe bridge opened in 1932 [1]. The bridge opened in 1958 [1].\n\n## Sources\n\n[1] The bridge. http://a.example/bridge\n";

/// A call of every tool, with a value of its result.
fn calls() -> BTreeMap<&'static str, (Value, &'static str, Value)> {
    let bridge = json!({"url": "http://a.example/bridge"});
    let claim = "The bridge opened in 1932.";
    let ledger = json!({"summary": "Sales rose 15% in May.",
        "claims": [{"id": "n1", "kind": "number", "statement": "Sales rose 15% in May", "metric": "rise", "value": 15}],
        "metrics": {"rise": "SELECT pct_change(sum(amount) FILTER (WHERE month = 'may'), sum(amount) FILTER (WHERE month = 'april')) FROM sales"}});
    let sales = json!([{"name": "sales.csv", "content": "month,amount\napril,400\nmay,460\n"}]);
    BTreeMap::from([
        ("verify_draft", (json!({"path": "x-draft.md"}), "/verdict", json!("pass_with_notes"))),
        (
            "verify_citations",
            (json!({"claims": [claim], "sources": [bridge]}), "/summary", json!("1/1 claims verified (100%)")),
        ),
        ("check_claim", (json!({"claim": claim, "pages": [bridge]}), "/verdict", json!("supported"))),
        ("show_source", (bridge.clone(), "/outcome", json!("live"))),
        ("gate", (json!({"ledger": ledger, "data": sales}), "/accepted", json!(true))),
        ("explain", (json!({"code": "dead-source"}), "/explanations/0/name", json!("dead-source"))),
    ])
}

/// What a client tells of its session is what it has to be.
fn check(told: &Value, who: &str) {
    assert_eq!(told["server"], "cited", "{who}");
    assert_eq!(told["tools"], json!(TOOLS), "{who}");
    for (tool, (_, pointer, wanted)) in calls() {
        let answer = &told["answers"][tool];
        assert_eq!(
            (&answer["error"], answer["result"].pointer(pointer)),
            (&json!(false), Some(&wanted)),
            "{who} {tool}: {answer:#}"
        );
        assert!(answer["text"].as_str().is_some_and(|text| text.len() > 5), "{who} {tool}: {answer:#}");
    }
    // What takes steps tells of them, and they only grow. A client may miss the last one, when the answer comes with it.
    for tool in TOOLS {
        let steps: Vec<f64> =
            told["progress"][tool].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{who} {tool}: {steps:?}");
        assert!(tool != "verify_draft" || steps.len() >= 3, "{who} {tool}: {steps:?}");
    }
    assert_eq!(told["cancelled"]["after"], false, "{who}");
    assert!(told["cancelled"]["seconds"].as_f64().unwrap() < 30.0, "{who}: {}", told["cancelled"]);
    for (tool, _, wanted) in wrong() {
        assert_eq!(told["wrong"][tool], wanted, "{who} {tool}");
    }
    assert!(
        told["resources"].as_u64().unwrap() > 30
            && told["read"] == "application/schema+json"
            && told["prompt"] == "user"
    );
}

/// Calls that are wrong: a tool that is not there is an error of the protocol, everything else a result that the model can read.
fn wrong() -> [(&'static str, Value, Value); 5] {
    [
        ("nothing", json!({}), json!(-32602)),
        ("check_claim", json!({"claim": 7}), json!("result")),
        ("verify_draft", json!({"path": "/etc/passwd"}), json!("result")),
        ("explain", json!({"kode": "dead-source"}), json!("result")),
        ("gate", json!({}), json!("result")),
    ]
}

/// Runs a client of an SDK over both transports.
fn sessions(program: &str, script: &Path) {
    let tried = Tried::new();
    let service = Service::start(&tried.flags, None);
    let calls: BTreeMap<&str, Value> = calls().into_iter().map(|(tool, (arguments, ..))| (tool, arguments)).collect();
    let wrong: BTreeMap<&str, Value> = wrong().into_iter().map(|(tool, arguments, _)| (tool, arguments)).collect();
    let slow = json!(["show_source", {"url": "http://slow.example/"}]);
    for (name, way, value) in [
        ("stdio", "command", json!(tried.command())),
        ("http", "url", json!(format!("http://{}/mcp", service.address))),
    ] {
        let plan = tried.root.path().join(format!("{name}.json"));
        std::fs::write(&plan, json!({way: value, "calls": calls, "wrong": wrong, "slow": slow}).to_string()).unwrap();
        let output = Command::new(program).arg(script).arg(&plan).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let told = serde_json::from_str(&said).unwrap_or_else(|_| panic!("{program} {name}: {output:?}"));
        check(&told, &format!("{program} {name}"));
    }
    assert!(tried.web.hits("http://a.example/bridge") > 0);
}

#[test]
fn the_official_sdk_in_python() {
    let Some(python) = installed("CITED_AGENT_PYTHON", "the Python SDK of MCP") else { return };
    sessions(python.to_str().unwrap(), &here("tests/services/client.py"));
}

#[cfg(unix)]
#[test]
fn the_official_sdk_in_typescript() {
    let Some(packages) = installed("CITED_AGENT_NODE", "the TypeScript SDK of MCP") else { return };
    let (_folder, script) = beside_packages(&packages, "tests/services/client.mjs");
    sessions("node", &script);
}

/// What an agent of the documentation says of a draft with one sentence that its source contradicts.
fn check_agent(output: &Output) {
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(said.starts_with("pass_with_notes 1 of 2 claims verified\nremoved: The bridge opened in 1958."), "{said}");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("live: http://a.example/bridge"), "{told}");
}

fn run_agent(program: &mut Command) -> Output {
    let web = Server::start(WEB);
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("x-draft.md"), DRAFT).unwrap();
    program.arg(CITED).arg(place.path()).arg("x-draft.md").args(flags(&web)).output().unwrap()
}

#[test]
fn the_agent_of_the_documentation_in_python() {
    let Some(python) = installed("CITED_AGENT_PYTHON", "the Python SDK of MCP") else { return };
    check_agent(&run_agent(Command::new(python).arg(here("docs/agents/agent.py"))));
}

#[cfg(unix)]
#[test]
fn the_agent_of_the_documentation_in_typescript() {
    let Some(packages) = installed("CITED_AGENT_NODE", "the TypeScript SDK of MCP") else { return };
    let (folder, script) = beside_packages(&packages, "docs/agents/agent.ts");
    // Its types are held against those of the SDK.
    let compiled = Command::new("node")
        .arg(packages.join("node_modules/typescript/bin/tsc"))
        .args([
            "--strict",
            "--module",
            "nodenext",
            "--target",
            "es2022",
            "--skipLibCheck",
            "--typeRoots",
            "node_modules/@types",
            "--types",
            "node",
        ])
        .arg(&script)
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{compiled:?}");
    check_agent(&run_agent(Command::new("node").arg(folder.path().join("agent.js"))));
}

#[test]
fn the_inspector_calls_every_tool() {
    let Some(inspector) = installed("CITED_INSPECTOR", "the MCP Inspector") else { return };
    let tried = Tried::new();
    let service = Service::start(&tried.flags, None);
    let address = format!("http://{}/mcp", service.address);
    for target in [tried.command(), vec![address, "--transport".to_owned(), "http".to_owned()]] {
        let ask = |arguments: &[&str]| {
            // The target first; what is the Inspector's stands behind `--`-less arguments of its own.
            let mut command = Command::new(&inspector);
            command.arg("--cli");
            match target.as_slice() {
                [url, rest @ ..] if url.starts_with("http") => command.arg(url).args(rest).args(arguments),
                all => command.args(arguments).arg("--").args(all),
            };
            let output = command.output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            serde_json::from_str::<Value>(&said).unwrap_or_else(|_| panic!("{arguments:?}: {output:?}"))
        };
        let listed = ask(&["--method", "tools/list"]);
        let names: Vec<&str> =
            listed["tools"].as_array().unwrap().iter().filter_map(|tool| tool["name"].as_str()).collect();
        assert_eq!(names, TOOLS);
        assert!(ask(&["--method", "resources/list"])["resources"].as_array().unwrap().len() > 30);
        assert!(ask(&["--method", "prompts/list"])["prompts"][0]["name"] == "verifier");
        for (tool, (mut arguments, pointer, wanted)) in calls() {
            if tool == "verify_draft" {
                // The Inspector says that it has roots and names none: then it opens no file.
                arguments = json!({"text": DRAFT});
            }
            let pairs: Vec<String> = arguments
                .as_object()
                .unwrap()
                .iter()
                .map(|(name, value)| {
                    format!("{name}={}", value.as_str().map_or_else(|| value.to_string(), str::to_owned))
                })
                .collect();
            let mut all = vec!["--method", "tools/call", "--tool-name", tool];
            pairs.iter().for_each(|pair| all.extend(["--tool-arg", pair]));
            let answer = ask(&all);
            assert_eq!(answer["structuredContent"].pointer(pointer), Some(&wanted), "{tool}: {answer:#}");
        }
    }
}

/// Made-up requests of every kind that the document allows, and of those that it does not.
///
/// Two checks are left out. Which arguments go with which is said in words and not in the schemas, as many agent programs refuse
/// schemas with alternatives: what a schema allows may still be refused. And a job that is deleted is cancelled: it stays to be
/// looked at.
#[test]
fn schemathesis_finds_nothing() {
    let Some(schemathesis) = installed("CITED_SCHEMATHESIS", "schemathesis") else { return };
    let flags = ["--offline", "--cache", "off", "--rate", "10000000", "--queue", "1000"].map(str::to_owned);
    let service = Service::start(&flags, None);
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(schemathesis)
        .args(["run", &format!("http://{}/openapi.json", service.address)])
        .args([
            "--checks",
            "all",
            "--exclude-checks",
            "positive_data_acceptance,use_after_free",
            "--seed",
            "27",
            "--max-examples",
            "50",
            "--continue-on-failure",
            "--no-color",
        ])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
