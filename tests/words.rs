//! Words of languages stand in tables (`data/*.tsv`), each with its language and source: no list of them stands in the code.
//!
//! What is looked for is a list of texts of which several are written with letters beyond ASCII: nobody writes a list of words of a
//! dozen languages without any.

use std::path::{Path, PathBuf};

/// Texts with such letters that make a list of words.
const SEVERAL: usize = 3;

fn is_of_tests(path: &Path) -> bool {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    name == "tests" || name.ends_with("_tests") || path.iter().any(|part| part == "tests")
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") && !is_of_tests(&path) {
            found.push(path);
        }
    }
}

/// The code of a file without remarks and modules of tests: a module ends where a brace stands as far to the right as its attribute.
fn code_of(text: &str) -> String {
    let mut code = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let written = line.trim_start();
        if written.starts_with("#[cfg(test)]") || written.starts_with("#[cfg(all(test") {
            let end = format!("{}}}", &line[..line.len() - written.len()]);
            let item = lines.by_ref().find(|line| !line.trim_start().starts_with("#["));
            if item.is_some_and(|item| item.ends_with('{')) {
                lines.by_ref().find(|line| *line == end);
            }
        } else if !written.starts_with("//") {
            code.push_str(line);
            code.push('\n');
        }
    }
    code
}

/// The lists of texts in the code: what stands before each, and its texts. A list is texts with commas or bars between them, or in pairs.
fn lists(code: &str) -> Vec<(String, Vec<String>)> {
    let list = regex::Regex::new(r#"(?:[\[(|,&\s]*"(?:[^"\\\n]|\\.)*"(?:,\s*[\w.]+\s*\))?[\])]*\s*[,|]?){2,}"#)
        .expect("a pattern");
    let text = regex::Regex::new(r#""((?:[^"\\]|\\.)*)""#).expect("a pattern");
    let name = regex::Regex::new(r"(?:const|static|let|fn)\s+(?:mut\s+)?(\w+)").expect("a pattern");
    let found = list.find_iter(code).map(|found| {
        let before = name.captures_iter(&code[..found.start()]).last();
        let texts = text.captures_iter(found.as_str()).map(|text| text[1].to_owned()).collect();
        (before.map(|name| name[1].to_owned()).unwrap_or_default(), texts)
    });
    found.collect()
}

fn is_word_of_a_language(text: &str) -> bool {
    text.chars().any(|c| c.is_alphabetic() && !c.is_ascii())
}

#[test]
fn no_list_of_words_stands_in_the_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    files(&root.join("src"), &mut sources);
    files(&root.join("crates"), &mut sources);
    assert!(sources.len() > 100, "the code is read");
    let mut found = Vec::new();
    for path in sources {
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        for (list, texts) in lists(&code_of(&std::fs::read_to_string(&path).expect("a file of the code"))) {
            if texts.iter().filter(|text| is_word_of_a_language(text)).count() < SEVERAL {
                continue;
            }
            found.push(format!("{name}: {list}: move its words to a table"));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn such_lists_are_found() {
    let code =
        "const OF: [&str; 3] = [\"года\", \"лет\", \"год\"];\nstatic N: &[(&str, u8)] = &[(\"mär\", 3), (\"fév\", 2)];";
    let found = lists(code);
    assert_eq!(found.len(), 2);
    assert!(found[0].1.iter().all(|text| is_word_of_a_language(text)));
}
