//! Models of a user's: added, listed, calibrated, and what they may do before and after.
#![cfg(feature = "model")]

use std::fmt::Write as _;
use std::path::Path;

use assert_cmd::Command;

#[allow(dead_code, reason = "other tests make other models")]
#[path = "../src/judge/model/tiny.rs"]
mod tiny;

use tiny::{Tiny, Words};

/// A user's machine: a configuration folder, and a folder to work in.
struct Machine(tempfile::TempDir);

impl Machine {
    fn new() -> Machine {
        Machine(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).unwrap();
    }

    /// Runs cited; its exit status, and what it says on both outputs.
    fn run(&self, args: &[&str]) -> (i32, String) {
        let mut command = Command::cargo_bin("cited").unwrap();
        command.current_dir(self.path()).env("XDG_CONFIG_HOME", self.path().join("config")).args(args);
        // Nothing is asked of any network.
        command.env("CITED_PROXY", "http://127.0.0.1:1").env("CITED_CACHE", "off");
        let output = command.output().unwrap();
        let told = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        (output.status.code().unwrap(), told)
    }

    fn check(&self, args: &[&str], status: i32, parts: &[&str]) -> String {
        let (found, told) = self.run(args);
        assert_eq!(found, status, "{args:?}: {told}");
        for part in parts {
            assert!(told.contains(part), "{args:?}: {told}\nwithout {part:?}");
        }
        told
    }

    /// The verdict about a claim on a page.
    fn verdict(&self, page: &str, model: &str) -> (String, f64) {
        let args = ["judge", "The council closed the road.", page, "--format", "json", "--model", model];
        let told = self.check(&args, 0, &[]);
        let verdict: serde_json::Value = serde_json::from_str(&told).unwrap();
        (verdict["standing"].as_str().unwrap().to_owned(), verdict["confidence"].as_f64().unwrap())
    }

    /// Pages that say yes and no, and claims that stand and fall with that; `turned` of a hundred the other way round.
    fn claims(&self, count: usize, turned: usize) {
        let mut lines = String::new();
        for i in 0..count {
            let (says, holds) = if i % 2 == 0 { ("yes", "supported") } else { ("no", "contradicted") };
            let label = if i * 37 % 100 < turned { "unverifiable" } else { holds };
            let page = format!("page-{i}.txt");
            self.write(&page, &format!("Minutes of a meeting. Of the road the council said {says}. It rained.\n"));
            let claim = "The council closed the road.";
            writeln!(lines, "{}", serde_json::json!({"claim": claim, "page": page, "label": label})).unwrap();
        }
        self.write("claims.jsonl", &lines);
    }
}

const YES: &str = "Minutes of a meeting. Of the road the council said yes, yes. It rained.\n";
const NO: &str = "Minutes of a meeting. Of the road the council said no. It rained.\n";

#[test]
fn a_model_raises_nothing_until_it_was_calibrated() {
    let machine = Machine::new();
    machine.write("yes.txt", YES);
    machine.write("no.txt", NO);
    let model = machine.path().join("NLI tiny");
    Tiny { words: Words::Unigram, external: Some("model.onnx_data"), sides: true, ..Tiny::new() }
        .write(&model, "onnx/model.onnx");
    let added = [
        "added nli-tiny",
        "onnx/model.onnx",
        "Unigram",
        "entailment, neutral, contradiction",
        "64 tokens",
        "not calibrated",
    ];
    machine.check(&["model", "list"], 0, &["no model was added"]);
    machine.check(&["model", "add", "NLI tiny"], 0, &added);
    machine.check(&["model", "list"], 0, &["nli-tiny: ", "NLI tiny", "not calibrated"]);
    let (without, words) = machine.verdict("yes.txt", "none");
    assert_ne!(without, "supported");
    for name in ["nli-tiny", "NLI tiny", "NLI tiny/onnx/model.onnx"] {
        let (standing, confidence) = machine.verdict("yes.txt", name);
        assert_eq!((standing.as_str(), confidence <= words), (without.as_str(), true), "{name}");
    }
    // It may lower.
    let (_, lowered) = machine.verdict("no.txt", "nli-tiny");
    assert!(lowered < words, "{lowered} {words}");

    machine.claims(40, 0);
    machine.check(&["model", "calibrate", "nli-tiny", "claims.jsonl"], 2, &["too few claims", "nothing was kept"]);
    machine.claims(160, 4);
    let told =
        ["80 to fit, 80 to measure", "words alone", "both, calibrated", "nli-tiny: calibrated: raises a claim from"];
    machine.check(&["model", "calibrate", "nli-tiny", "claims.jsonl"], 0, &told);
    machine.check(&["model", "list"], 0, &["raises a claim from"]);
    for name in ["nli-tiny", "NLI tiny"] {
        assert_eq!(machine.verdict("yes.txt", name).0, "supported", "{name}");
        assert_ne!(machine.verdict("no.txt", name).0, "supported", "{name}");
    }
    // Adding the same again keeps what was found; other files are another model.
    machine.check(&["model", "add", "NLI tiny"], 0, &["calibrated: raises a claim from"]);
    let config = std::fs::read_to_string(model.join("config.json")).unwrap();
    std::fs::write(model.join("config.json"), config.replace("\"entailment\"", "\"ENTAILMENT\"")).unwrap();
    let args = ["judge", "The council closed the road.", "yes.txt", "--model", "nli-tiny"];
    machine.check(&args, 2, &["not those that `nli-tiny` was calibrated with", "cited model add"]);
    machine.check(&["model", "add", "NLI tiny"], 0, &["not calibrated"]);
    assert_eq!(machine.verdict("yes.txt", "nli-tiny").0, without);
}

#[test]
fn a_folder_is_added_when_it_is_calibrated_and_a_useless_model_is_not_trusted() {
    let machine = Machine::new();
    machine.write("yes.txt", YES);
    Tiny::new().write(&machine.path().join("plain"), "model.onnx");
    machine.claims(160, 100);
    machine.check(&["model", "calibrate", "plain", "claims.jsonl"], 2, &["too few"]);
    machine.check(&["model", "list"], 0, &["no model was added"]);
    machine.claims(200, 50);
    machine.check(
        &["model", "calibrate", "./plain", "claims.jsonl"],
        0,
        &["plain: calibrated: raises no claim to supported"],
    );
    assert_ne!(machine.verdict("yes.txt", "plain").0, "supported");
}

#[test]
fn what_cannot_be_added_is_said_in_words() {
    let machine = Machine::new();
    Tiny::new().write(&machine.path().join("first"), "model.onnx");
    Tiny { words: Words::Bpe, ..Tiny::new() }.write(&machine.path().join("second"), "model.onnx");
    machine.check(&["model", "add", "nowhere"], 2, &["nowhere: cannot be read"]);
    machine.check(&["model", "add", "first", "--name", "../up"], 2, &["give it a name with --name"]);
    machine.check(&["model", "add", "first", "--name", "mine"], 0, &["added mine"]);
    machine.check(&["model", "add", "second", "--name", "mine"], 2, &["is the name of", "another with --name"]);
    machine.check(&["judge", "It is so.", "claims.jsonl", "--model", "other"], 2, &["cited model list"]);
    machine.write("claims.jsonl", "{\"claim\": \"It is so.\", \"page\": \"claims.jsonl\", \"label\": \"perhaps\"}\n");
    machine.check(&["model", "calibrate", "mine", "claims.jsonl"], 2, &["claims.jsonl:1: perhaps is no label"]);
    machine.write("claims.jsonl", "{\"claim\": \"It is so.\"}\n");
    machine.check(&["model", "calibrate", "mine", "claims.jsonl"], 2, &["claims.jsonl:1: not a line"]);
    // A model that cannot be run gives no verdict, and no answer without it is printed.
    machine.write("yes.txt", YES);
    machine.write("first/tokenizer.json", "{");
    let told = machine.check(
        &["judge", "The council closed the road.", "yes.txt", "--model", "mine"],
        2,
        &["tokenizer cannot be read"],
    );
    assert!(!told.contains("verdict"), "{told}");
    // A model whose outputs nobody can name.
    let nameless = machine.path().join("nameless");
    Tiny { labels: &["LABEL_0", "LABEL_1", "LABEL_2"], ..Tiny::new() }.write(&nameless, "model.onnx");
    machine.check(&["model", "add", "nameless"], 2, &["LABEL_0", "say what each output means"]);
    // One that tells no sentence from another.
    Tiny::new().write(&machine.path().join("deaf"), "model.onnx");
    machine.check(&["model", "add", "deaf"], 0, &["doubt"]);
}
