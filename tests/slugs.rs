//! How headings are named, compared with the functions of the generators themselves. `.ci/test` installs these (npm, `PyPI`) and
//! names their folder in `CITED_SLUGS`; without it the test says so and is skipped.

use std::path::Path;
use std::process::Command;

use cited::check::slugs::Rule;

/// Headings that the rules name in different ways.
const HEADINGS: &[&str] = &[
    "Hello, World!",
    "Set-up & use",
    "The --in-place flag",
    "What's new in 2.0?",
    "... or even me",
    "a_b c",
    "1. First: step",
    "Foo (bar) [baz]",
    "C++ / C#",
    "A -- B",
    "a  b",
    "build.target",
    "x² and ½",
    "Über uns",
    "naïve café",
    "“quoted” words",
    "Don’t",
    "e.g. this…",
    "emoji 🚀 launch",
    "安装 指南",
    "日本語の見出し",
    "Привет, мир",
    "100%",
];

fn names(program: &mut Command) -> serde_json::Map<String, serde_json::Value> {
    let output = program.output().expect("it is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("names by rule")
}

#[test]
fn headings_are_named_as_the_generators_name_them() {
    let Some(tools) = std::env::var_os("CITED_SLUGS") else {
        eprintln!(
            "skipped: CITED_SLUGS names no folder with the functions of the generators (`bash .ci/test` installs them)"
        );
        return;
    };
    let (tools, here) = (Path::new(&tools), Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slugs"));
    let headings = serde_json::to_string(HEADINGS).expect("texts");
    let mut all = names(Command::new(tools.join("python/bin/python")).arg(here.join("ask.py")).arg(&headings));
    // Modules are looked for where the script lies.
    let script = tools.join("ask.mjs");
    std::fs::copy(here.join("ask.mjs"), &script).expect("the folder of the tools can be written");
    all.extend(names(Command::new("node").arg(script).arg(&headings)));
    assert_eq!(all.len(), 6);
    let mut differ = Vec::new();
    for (rule, names) in &all {
        let own = Rule::from_name(rule).expect("a rule of the table");
        for (words, theirs) in HEADINGS.iter().zip(names.as_array().expect("a list")) {
            let ours = own.name(words, words);
            if Some(ours.as_str()) != theirs.as_str() {
                differ.push(format!("{rule}: {words}: {theirs}, not {ours}"));
            }
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}
