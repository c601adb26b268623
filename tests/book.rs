//! The documentation: its tutorials do what they say, its reference is what the program says of itself, and it is a book.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mdbook_driver::MDBook;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A shell in `folder` that finds the program, whose settings are those of nobody.
fn shell(folder: &Path, script: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_cited"));
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new("sh");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CITED_")) {
        command.env_remove(name);
    }
    let output = command
        .args(["-c", &format!("exec 2>&1\n{script}")])
        .current_dir(folder)
        .env("PATH", path)
        .env("COLUMNS", "100")
        .env("LC_ALL", "C")
        .env("XDG_CACHE_HOME", folder.join(".cache"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The commands of a tutorial, each with what it prints: lines of `console` blocks, `$ ` before a command and `> ` before what
/// goes on with it.
fn commands(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if !inside {
        } else if let Some(command) = line.strip_prefix("$ ") {
            found.push((format!("{command}\n"), String::new()));
        } else if let Some((command, printed)) = found.last_mut() {
            match line.strip_prefix("> ").filter(|_| printed.is_empty()) {
                Some(more) => command.push_str(&format!("{more}\n")),
                None => printed.push_str(&format!("{line}\n")),
            }
        }
    }
    found
}

/// Whether `found` is `expected`, in which a line `...` stands for any lines and `[..]` for anything within one.
fn is_like(expected: &str, found: &str) -> bool {
    let lines = expected.lines().map(|line| match line {
        "..." => "(?:.*\n)*".to_owned(),
        line => format!("{}\n", line.split("[..]").map(regex::escape).collect::<Vec<_>>().join(".*")),
    });
    regex::Regex::new(&format!("^{}$", lines.collect::<String>())).unwrap().is_match(found)
}

fn pages(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(Path::new(ROOT).join(folder)).unwrap();
    let mut pages: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    pages.retain(|page| page.extension().is_some_and(|ending| ending == "md"));
    pages.sort();
    pages
}

#[test]
#[cfg(unix)]
fn tutorials_do_what_they_say() {
    let tutorials = pages("docs/tutorials");
    assert!(tutorials.len() >= 4);
    let mut wrong = String::new();
    for tutorial in tutorials {
        let folder = tempfile::tempdir().unwrap();
        for file in std::fs::read_dir(Path::new(ROOT).join("testdata/example")).unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
        }
        let commands = commands(&std::fs::read_to_string(&tutorial).unwrap());
        assert!(commands.len() >= 3, "{}", tutorial.display());
        for (command, expected) in commands {
            let found = shell(folder.path(), &command);
            if !is_like(&expected, &found) {
                wrong
                    .push_str(&format!("{}: $ {command}--- says\n{expected}--- prints\n{found}\n", tutorial.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// `UPDATE_REFERENCE=1` writes the pages.
#[test]
fn the_reference_is_what_the_program_says() {
    if !cfg!(all(feature = "mcp", feature = "serve")) {
        eprintln!("skipped: the reference is of the whole program; run it with `--features mcp,serve`");
        return;
    }
    let run = |command: &str| shell(Path::new(ROOT), command);
    let fence = |text: &str| format!("```text\n{}\n```\n", text.trim_end());
    let help = run("cited --help");
    let names = help.lines().skip_while(|line| !line.starts_with("Usage:")).take_while(|line| *line != "Options:");
    let names: Vec<&str> = names
        .filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(names.len() >= 10 && names.contains(&"verify"), "{names:?}");
    let mut commands = format!("# Commands\n\nWhat `cited COMMAND --help` prints.\n\n{}", fence(&help));
    for name in names {
        commands.push_str(&format!("\n## cited {name}\n\n{}", fence(&run(&format!("cited {name} --help")))));
    }
    let list = run("cited schema");
    let mut schemas = "# Schemas\n\n`cited schema NAME` prints the JSON Schema of an input or output.\n\n| name | of what |\n|---|---|\n".to_owned();
    for (name, what) in list.lines().filter_map(|line| line.split_once(' ')) {
        schemas.push_str(&format!("| `{name}` | {} |\n", what.trim().replace('|', "\\|")));
    }
    let names = run("cited explain");
    let names = names.lines().filter(|line| line.split_whitespace().nth(1) == Some("check"));
    let mut checks = "# Checks of the judge\n\nThe judge asks these checks in this order, and the first that finds something decides. Each has an example page with claims that it decides, and claims that it does not decide (*not*). \
                      `cited judge` and the record name the check; `cited explain NAME` prints its page; `checks-off` in `cited.toml` turns one off.\n"
        .to_owned();
    for name in names.filter_map(|line| line.split_whitespace().next()) {
        let page = run(&format!("cited explain {name}"));
        checks.push_str(&format!("\n## {name}\n\n{}\n", page.split_once("\n\n").expect("a page").1.trim()));
    }
    assert!(checks.matches("\n## ").count() >= 15, "{checks}");
    for (page, text) in [("commands.md", commands), ("schemas.md", schemas), ("checks.md", checks)] {
        let page = Path::new(ROOT).join("docs/reference").join(page);
        if std::env::var_os("UPDATE_REFERENCE").is_some() {
            std::fs::write(&page, &text).unwrap();
        }
        let there = std::fs::read_to_string(&page).unwrap_or_default();
        assert!(there == text, "{}: write it anew with `UPDATE_REFERENCE=1 cargo test --test book`", page.display());
    }
}

#[test]
fn the_book_builds_and_no_link_leads_nowhere() {
    let output = tempfile::tempdir().unwrap();
    let mut book = MDBook::load(Path::new(ROOT).join("docs")).unwrap();
    book.config.build.build_dir = output.path().to_owned();
    book.build().unwrap();
    for page in ["introduction.html", "tutorials/writer.html", "reference/commands.html"] {
        assert!(output.path().join(page).is_file(), "{page}");
    }
    let summary = std::fs::read_to_string(Path::new(ROOT).join("docs/SUMMARY.md")).unwrap();
    for page in pages("docs").iter().filter_map(|page| page.file_name()?.to_str()) {
        assert!(page == "SUMMARY.md" || summary.contains(&format!("({page})")), "{page} is not in the book");
    }
    let found = shell(
        Path::new(ROOT),
        "cited check docs README.md ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md --format json 2>/dev/null",
    );
    let found: serde_json::Value = serde_json::from_str(&found).expect(&found);
    let lost = found.to_string().matches("\"missing-").count();
    assert!(lost == 0, "{found:#}");
}
