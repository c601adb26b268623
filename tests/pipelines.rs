//! The files that hand cited to other pipelines: they parse, and every flag in them exists.

use clap::CommandFactory as _;
use serde_json::Value;

use cited::cli::Args;

/// A YAML file of the repository.
fn yaml(name: &str) -> Value {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    serde_yaml_ng::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The long flags in a text: words that begin with `--` and go on with a letter.
fn flags(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| c.is_whitespace() || "()=\"'`".contains(c));
    words.filter_map(|word| word.strip_prefix("--")).filter(|flag| flag.starts_with(char::is_alphabetic)).collect()
}

#[track_caller]
fn check_flags(subcommand: &str, text: &str) {
    let command = Args::command();
    let command = command.find_subcommand(subcommand).unwrap_or_else(|| panic!("{subcommand} is a command"));
    for flag in flags(text) {
        let known = command.get_arguments().any(|argument| argument.get_long() == Some(flag));
        assert!(known, "`cited {subcommand}` has no --{flag}");
    }
}

#[test]
fn the_action_uses_what_exists() {
    let action = yaml("action.yml");
    assert_eq!(action["runs"]["using"], "composite");
    let steps = action["runs"]["steps"].as_array().unwrap();
    let check = steps.iter().find(|step| step["id"] == "check").unwrap();
    let script = check["run"].as_str().unwrap();
    assert!(script.contains("cited check ") && flags(script).len() >= 6, "{script}");
    check_flags("check", script);
    // Text of an input inside a script would be run: inputs come as variables, and every variable is used.
    for step in steps.iter().filter(|step| step["run"].is_string()) {
        let script = step["run"].as_str().unwrap();
        assert!(!script.contains("${{"), "{script}");
        for name in step["env"].as_object().unwrap().keys() {
            assert!(script.contains(&format!("${name}")), "{name} is not used");
        }
    }
    let inputs = action["inputs"].as_object().unwrap();
    let all = serde_json::to_string(&action["runs"]).unwrap();
    for (name, input) in inputs {
        assert!(all.contains(&format!("inputs.{name}")), "the input {name} is not used");
        assert!(input["description"].is_string() && input["default"].is_string(), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn the_script_of_the_action_runs() {
    let action = yaml("action.yml");
    let check = action["runs"]["steps"].as_array().unwrap().iter().find(|step| step["id"] == "check").unwrap().clone();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("a b.md"),
        "Ice is cold [7]. Water [1].\n\n## Sources\n\n1. W — https://w.example/\n",
    )
    .unwrap();
    std::fs::write(folder.path().join("$(touch pwned).md"), "Text.\n").unwrap();
    let run = |fail_on: &str| {
        let bin = std::path::Path::new(env!("CARGO_BIN_EXE_cited")).parent().unwrap();
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
        std::process::Command::new("bash")
            .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", check["run"].as_str().unwrap()])
            .current_dir(folder.path())
            .envs([("PATH", path.as_str()), ("CHECK_PATHS", "a b.md\n$(touch pwned).md\n"), ("CHECK_ONLINE", "false")])
            .envs([
                ("CHECK_SUPPORT", "false"),
                ("CHECK_FAIL_ON", fail_on),
                ("CHECK_BASELINE", ""),
                ("CHECK_SARIF", "out.sarif"),
            ])
            .env("RUNNER_TEMP", folder.path())
            .env("GITHUB_OUTPUT", folder.path().join("output"))
            .env("GITHUB_STEP_SUMMARY", folder.path().join("summary"))
            .output()
            .unwrap()
    };
    let failing = run("error");
    let told = String::from_utf8_lossy(&failing.stdout).into_owned();
    assert_eq!(failing.status.code(), Some(1), "{told}{}", String::from_utf8_lossy(&failing.stderr));
    assert!(told.starts_with("::error file=a b.md,line=1,"), "{told}");
    assert_eq!(run("never").status.code(), Some(0));
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("summary").starts_with("## cited: 2 documents: FAILED"));
    assert_eq!(read("output"), "sarif=out.sarif\nsarif=out.sarif\n");
    assert!(read("out.sarif").contains("\"2.1.0\""));
    assert!(!folder.path().join("pwned").exists());
}

#[test]
fn the_hooks_use_what_exists() {
    let hooks = yaml(".pre-commit-hooks.yaml");
    for hook in hooks.as_array().unwrap() {
        let entry = hook["entry"].as_str().unwrap();
        let rest = entry.strip_prefix("cited check").unwrap_or_else(|| panic!("{entry}"));
        check_flags("check", rest);
        for field in ["id", "name", "description", "language"] {
            assert!(hook[field].is_string(), "{field} of {entry}");
        }
        assert_eq!(hook["language"], "rust");
    }
}
