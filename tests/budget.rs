//! The budget: lines of code by crate, without blanks, comments and tests. The number of each stands in `[package.metadata.budget]` of its
//! `Cargo.toml`; it may only fall, or rise by what another crate gives away in the same change.

use std::path::Path;

/// A crate may have so many lines fewer than its budget before the budget has to follow.
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

/// The lines of all files of code below a folder.
fn count(folder: &Path) -> usize {
    let mut lines = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            lines += count(&path);
        } else if path.extension().is_some_and(|ending| ending == "rs")
            && name != "tests.rs"
            && !name.ends_with("_tests.rs")
        {
            lines += code_lines(&std::fs::read_to_string(&path).unwrap());
        }
    }
    lines
}

#[test]
fn lines_are_counted() {
    let text = "//! A file.\n\nuse std::fmt;\n#[cfg(test)]\nuse x;\n/// Doc.\nfn f() {\n    // Why.\n    g();\n}\n\
        #[cfg(test)]\n#[path = \"x.rs\"]\nmod x;\n#[cfg(all(test, unix))]\nmod tests {\n    fn t() {\n    }\n}\nfn g() {}\n";
    assert_eq!(code_lines(text), 5);
}

#[test]
fn no_crate_has_more_lines_than_its_budget() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.to_path_buf()];
    folders.extend(std::fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path()));
    let mut wrong: Vec<String> = Vec::new();
    let mut all = 0;
    for folder in folders {
        let manifest: toml::Table = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap().parse().unwrap();
        let package = &manifest["package"];
        let budget = package["metadata"]["budget"]["lines"].as_integer().unwrap();
        let budget = usize::try_from(budget).unwrap();
        let lines = count(&folder.join("src"));
        all += lines;
        let name = package["name"].as_str().unwrap();
        if lines > budget {
            wrong.push(format!("{name} has {lines} lines of {budget}: take {} away", lines - budget));
        } else if lines + SLACK < budget {
            wrong.push(format!("{name} has {lines} lines of {budget}: lower its budget to {lines}"));
        }
    }
    println!("all: {all}");
    assert!(wrong.is_empty(), "{}\nall: {all}", wrong.join("\n"));
}
