//! Runs every folder of `tests/cases` as a black box: the real binary over real sockets against a loopback web.
//!
//! `tests/README.md` tells what a folder holds. Cases that come with a specification beside the repository
//! (`CITED_SHARED`, else `../shared`) are run too when they are there.

#[path = "support/server/mod.rs"]
#[allow(dead_code)]
mod server;

#[path = "support/schemas.rs"]
#[allow(dead_code)]
mod schemas;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;
use serde_json::Value;

use server::Server;

/// `expect.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expectation {
    /// Further arguments of the run.
    #[serde(default)]
    args: Vec<String>,
    /// The trap in words.
    #[allow(dead_code)]
    note: String,
    /// `PASS`, `PASS WITH NOTES`, `BLOCKED`.
    verdict: String,
    /// How many claims went.
    removed: Option<usize>,
    /// How many sources are cited afterwards.
    sources: Option<usize>,
    /// Outcomes by number.
    #[serde(default)]
    source_states: BTreeMap<String, String>,
    /// How many pairs of sources disagree.
    conflicts: Option<usize>,
    /// Exit status; 0 when there is none.
    #[serde(default)]
    exit: i32,
    /// Codes of findings that must be there.
    #[serde(default)]
    findings: Vec<String>,
    /// Parts of notes that must be there, by claim (`c2`).
    #[serde(default)]
    notes: BTreeMap<String, String>,
    /// What each source says of the quantity of a claim, by claim.
    #[serde(default)]
    stats: BTreeMap<String, Vec<String>>,
}

/// There are at least so many cases: a run that finds fewer looked in the wrong place.
const FEWEST: usize = 60;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // Runs wait more than they work: a death is proven by a second look, seconds after the first.
    arguments.test_threads.get_or_insert(16);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut trials = trials("own", &root.join("tests/cases"));
    assert!(trials.len() >= FEWEST, "only {} cases were found", trials.len());
    let shared = std::env::var_os("CITED_SHARED").map_or_else(|| root.join("../shared"), PathBuf::from);
    if shared.join("cases").is_dir() {
        trials.extend(self::trials("shared", &shared.join("cases")));
    } else {
        eprintln!("no cases in {}: only the project's own are run", shared.display());
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trials(prefix: &str, folder: &Path) -> Vec<Trial> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut cases: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder that can be read").path())
        .filter(|path| path.join("expect.json").is_file())
        .collect();
    cases.sort();
    let trial = |path: PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Trial::test(format!("{prefix}::{name}"), move || run(&path))
    };
    cases.into_iter().map(trial).collect()
}

fn run(case: &Path) -> Result<(), Failed> {
    let expectation: Expectation = serde_json::from_str(&read(&case.join("expect.json"))?)?;
    let server = Server::start(&read(&case.join("web.json"))?);
    let folder = tempfile::tempdir()?;
    copy(case, folder.path())?;
    let first = cited(&server, folder.path(), "draft.md", "out.md", &expectation.args)?;
    let told = String::from_utf8_lossy(&first.stderr).into_owned() + &String::from_utf8_lossy(&first.stdout);
    equal("exit status", &first.status.code(), &Some(expectation.exit), &told)?;
    if expectation.exit == 1 && !folder.path().join("out.md").exists() {
        return Ok(());
    }
    let brief = read(&folder.path().join("out.md"))?;
    let expected = read(&case.join("expected.md"))?;
    if brief != expected {
        let diff = similar::TextDiff::from_lines(&expected, &brief);
        let diff = diff.unified_diff().context_radius(1).header("expected.md", "out.md").to_string();
        return Err(format!("the brief differs:\n{diff}\n{told}").into());
    }
    let record: Value = serde_json::from_str(&read(&folder.path().join("out.record.json"))?)?;
    check_record(&record, &expectation, &told)?;
    if expectation.args.iter().any(|argument| argument == "--record") {
        holds_passages(&folder.path().join("run.warc.gz"), &record)?;
    }
    schemas::validate_folder(folder.path())?;

    // Promise 1: a second run over the output edits nothing.
    cited(&server, folder.path(), "out.md", "again.md", &expectation.args)?;
    let again = read(&folder.path().join("again.md"))?;
    if again != brief {
        let diff = similar::TextDiff::from_lines(&brief, &again);
        let diff = diff.unified_diff().context_radius(1).header("out.md", "again.md").to_string();
        return Err(format!("a second run over the output changes it:\n{diff}").into());
    }
    Ok(())
}

fn check_record(record: &Value, expectation: &Expectation, told: &str) -> Result<(), Failed> {
    let verdict = expectation.verdict.to_lowercase().replace(' ', "_");
    equal("verdict", &record["verdict"].as_str(), &Some(verdict.as_str()), told)?;
    if let Some(removed) = expectation.removed {
        equal("claims removed", &record["stats"]["removed"].as_u64(), &Some(removed as u64), told)?;
    }
    let numbered: BTreeMap<String, &Value> = record["sources"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|source| !source["number"].is_null())
        .map(|source| (source["number"].to_string(), source))
        .collect();
    if let Some(sources) = expectation.sources {
        equal("sources cited", &numbered.len(), &sources, told)?;
    }
    for (number, state) in &expectation.source_states {
        let found = numbered.get(number).and_then(|source| source["outcome"].as_str());
        equal(&format!("outcome of source {number}"), &found, &Some(state.as_str()), told)?;
    }
    if let Some(conflicts) = expectation.conflicts {
        equal("conflicts", &record["stats"]["conflicts"].as_u64(), &Some(conflicts as u64), told)?;
    }
    for code in &expectation.findings {
        let found = record["findings"].as_array().is_some_and(|all| all.iter().any(|one| one["code"] == code.as_str()));
        equal(&format!("finding {code}"), &found, &true, told)?;
    }
    for (claim, part) in &expectation.notes {
        let claims = record["verifications"].as_array().into_iter().flatten();
        let notes = claims.filter(|one| one["claim_id"] == claim.as_str()).find_map(|one| one["notes"].as_str());
        if !notes.is_some_and(|notes| notes.contains(part.as_str())) {
            return Err(format!("notes of {claim} are {notes:?}, without {part:?}").into());
        }
    }
    for (claim, stats) in &expectation.stats {
        let claims = record["verifications"].as_array().into_iter().flatten();
        let sources = claims
            .filter(|one| one["claim_id"] == claim.as_str())
            .filter_map(|one| one["sources_reconciled"].as_array());
        let found: Vec<&str> = sources.flatten().filter_map(|source| source["stat"].as_str()).collect();
        equal(&format!("stats of {claim}"), &found, &stats.iter().map(String::as_str).collect(), told)?;
    }
    Ok(())
}

/// A bundle that a run recorded holds the passages that its record pins.
fn holds_passages(bundle: &Path, record: &Value) -> Result<(), Failed> {
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(std::fs::File::open(bundle)?).read_to_string(&mut text)?;
    let kept: Vec<Value> = text.lines().filter(|line| line.starts_with('{')).flat_map(serde_json::from_str).collect();
    let pinned: Vec<Value> = record["verifications"]
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(|claim| {
            claim["sources_reconciled"].as_array().into_iter().flatten().map(move |source| (claim, source))
        })
        .filter(|(_, source)| source["source_passage"] != "")
        .map(|(claim, source)| {
            serde_json::json!({
                "claim": claim["claim_id"], "passage": source["source_passage"],
                "offsets": source["offsets"], "text_sha256": source["text_sha256"],
            })
        })
        .collect();
    equal("whether any passage is pinned", &pinned.is_empty(), &false, "")?;
    equal("passages in the bundle", &kept, &pinned, "")
}

fn equal<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T, told: &str) -> Result<(), Failed> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found:?}, expected {expected:?}\n{told}").into()) }
}

fn cited(server: &Server, folder: &Path, draft: &str, output: &str, args: &[String]) -> std::io::Result<Output> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cited"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CITED_")) {
        command.env_remove(name);
    }
    command.current_dir(folder).args(["verify", draft, "-o", output]).args(args);
    for (port, to) in [(80, server.http()), (443, server.https())] {
        command.args(["--connect-to", &format!(":{port}:{}:{}", to.ip(), to.port())]);
    }
    command.arg("--cacert").arg(server.ca_file());
    command.args(["--cache", "off", "--timeout", "3", "--progress", "never"]).output()
}

fn read(path: &Path) -> Result<String, Failed> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// Copies what a run may read, so that it cannot write into the case.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let place = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            std::fs::create_dir(&place)?;
            copy(&entry.path(), &place)?;
        } else if !["expected.md", "expect.json", "web.json"].iter().any(|name| entry.file_name() == *name) {
            std::fs::copy(entry.path(), place)?;
        }
    }
    Ok(())
}
