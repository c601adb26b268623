//! The budget: lines of code by room, without blanks, comments and tests. The numbers stand in `[package.metadata.budget]` of Cargo.toml; they may
//! only fall, or rise by what another room gives away in the same change.

use std::collections::BTreeMap;
use std::path::Path;

/// A room may have so many lines fewer than its budget before the budget has to follow.
const SLACK: usize = 50;

/// How many lines of a file are code. A module of tests ends where a brace stands as far to the right as its attribute.
fn code_lines(text: &str) -> usize {
    let mut count = 0;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let code = line.trim_start();
        if code.starts_with("#[cfg(test)]") || code.starts_with("#[cfg(all(test") {
            let end = format!("{}}}", &line[..line.len() - code.len()]);
            let item = lines.by_ref().find(|line| !line.trim_start().starts_with("#["));
            if item.is_some_and(|item| item.ends_with('{')) {
                lines.by_ref().find(|line| *line == end);
            }
        } else if !code.is_empty() && !code.starts_with("//") {
            count += 1;
        }
    }
    count
}

/// Adds the lines of all files of code below a folder to their rooms; files beside the rooms are the room `files`.
fn count(folder: &Path, room: Option<&str>, counts: &mut BTreeMap<String, usize>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            count(&path, room.or(Some(&name)), counts);
        } else if path.extension().is_some_and(|ending| ending == "rs")
            && name != "tests.rs"
            && !name.ends_with("_tests.rs")
        {
            let text = std::fs::read_to_string(&path).unwrap();
            *counts.entry(room.unwrap_or("files").to_owned()).or_default() += code_lines(&text);
        }
    }
}

#[test]
fn lines_are_counted() {
    let text = "//! A file.\n\nuse std::fmt;\n#[cfg(test)]\nuse x;\n/// Doc.\nfn f() {\n    // Why.\n    g();\n}\n\
        #[cfg(test)]\n#[path = \"x.rs\"]\nmod x;\n#[cfg(all(test, unix))]\nmod tests {\n    fn t() {\n    }\n}\nfn g() {}\n";
    assert_eq!(code_lines(text), 5);
}

#[test]
fn no_room_has_more_lines_than_its_budget() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest: toml::Table = std::fs::read_to_string(root.join("Cargo.toml")).unwrap().parse().unwrap();
    let budget = manifest["package"]["metadata"]["budget"].as_table().unwrap();
    let mut counts = BTreeMap::new();
    count(&root.join("src"), None, &mut counts);
    let mut wrong: Vec<String> = Vec::new();
    for (room, lines) in &counts {
        let budget = budget.get(room).and_then(toml::Value::as_integer).unwrap_or(0);
        let budget = usize::try_from(budget).unwrap();
        if *lines > budget {
            wrong.push(format!("{room} has {lines} lines of {budget}: take {} away", lines - budget));
        } else if lines + SLACK < budget {
            wrong.push(format!("{room} has {lines} lines of {budget}: lower its budget to {lines}"));
        }
    }
    wrong.extend(budget.keys().filter(|room| !counts.contains_key(*room)).map(|room| format!("{room} is no room")));
    assert!(wrong.is_empty(), "{}\nall: {}", wrong.join("\n"), counts.values().sum::<usize>());
}
