//! Real books, built by mdBook with cited as a preprocessor.

use std::path::Path;

use mdbook_driver::MDBook;

const CLEAN: &str = "# Clean\n\nWater is wet [1]. Rain is, too [2].\n\n## Sources\n\n1. Water — https://water.example/\n2. Rain — https://rain.example/\n";
const OTHER: &str = "# Other\n\nRain is wet [1].\n\n## Sources\n\n1. Rain again — https://www.rain.example\n";
const FAILING: &str =
    "# Failing\n\nWater is wet [1]. Ice is cold [7].\n\n## Sources\n\n1. Water — https://water.example/\n";

/// Builds a book of these chapters; `settings` are lines of `[preprocessor.cited]`.
fn build(settings: &str, chapters: &[(&str, &str)]) -> (tempfile::TempDir, Result<(), String>) {
    build_with("", settings, chapters)
}

/// The same, with a `cited.toml` beside it.
fn build_with(own: &str, settings: &str, chapters: &[(&str, &str)]) -> (tempfile::TempDir, Result<(), String>) {
    let root = tempfile::tempdir().unwrap();
    let source = root.path().join("src");
    let mut summary = "# Summary\n\n".to_owned();
    for (path, text) in chapters {
        let file = source.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
        summary.push_str(&format!("- [{path}]({path})\n"));
    }
    std::fs::write(source.join("SUMMARY.md"), summary).unwrap();
    let command = format!("{:?} mdbook", env!("CARGO_BIN_EXE_cited"));
    let book = format!("[book]\ntitle = \"T\"\n\n[preprocessor.cited]\ncommand = '{command}'\n{settings}\n");
    std::fs::write(root.path().join("book.toml"), book).unwrap();
    std::fs::write(root.path().join("cited.toml"), own).unwrap();
    let built = MDBook::load(root.path()).and_then(|book| book.build()).map_err(|error| format!("{error:#}"));
    (root, built)
}

fn page(root: &Path, name: &str) -> String {
    std::fs::read_to_string(root.join("book").join(name)).unwrap()
}

#[test]
fn a_clean_book_is_built_as_it_is() {
    let (root, built) = build("", &[("clean.md", CLEAN)]);
    built.unwrap();
    let html = page(root.path(), "clean.html");
    assert!(html.contains("Water is wet [1]. Rain is, too [2].") && html.contains("https://rain.example/"), "{html}");
}

#[test]
fn a_failing_chapter_fails_the_build_unless_it_is_told_not_to() {
    let chapters = [("clean.md", CLEAN), ("deep/failing.md", FAILING)];
    let (root, built) = build("", &chapters);
    assert!(built.unwrap_err().contains("cited"));
    assert!(!root.path().join("book/clean.html").exists());
    build_with("fail-on = \"never\"", "", &chapters).1.unwrap();
}

#[test]
fn settings_that_mean_nothing_fail_the_build() {
    assert!(build("fail-on = \"never\"", &[("clean.md", CLEAN)]).1.is_err());
    assert!(build("citations = \"endnotes\"", &[("clean.md", CLEAN)]).1.is_err());
}

#[test]
fn citations_become_footnotes() {
    let (root, built) = build("citations = \"footnotes\"", &[("clean.md", CLEAN)]);
    built.unwrap();
    let html = page(root.path(), "clean.html");
    assert!(html.contains("footnote-reference") && html.contains("footnote-definition"), "{html}");
    assert!(!html.contains("wet [1]") && html.contains("https://rain.example/"), "{html}");
}

#[test]
fn a_book_gets_one_bibliography() {
    let (root, built) = build("citations = \"bibliography\"", &[("clean.md", CLEAN), ("deep/other.md", OTHER)]);
    built.unwrap();
    let deep = page(root.path(), "deep/other.html");
    assert!(deep.contains("<a href=\"../bibliography.html#cited-2\">[2]</a>"), "{deep}");
    let list = page(root.path(), "bibliography.html");
    assert!(
        list.contains("id=\"cited-1\"") && list.contains("id=\"cited-2\"") && !list.contains("id=\"cited-3\""),
        "{list}"
    );
    assert!(list.contains("https://water.example/"), "{list}");
}

#[test]
fn a_chapter_of_many_citations_does_not_break_a_pipe() {
    // More than a pipe holds, in both directions.
    let long = "A sentence that is so [1].\n\n".repeat(20_000);
    let text = format!("{long}## Sources\n\n1. Water — https://water.example/\n");
    build("", &[("long.md", &text)]).1.unwrap();
}
