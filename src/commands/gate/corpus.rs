//! The places of a manifest, read: lines and sections of files of a corpus, commits of its repository.

use std::path::Path;
use std::time::Duration;

use crate::commands::input::{inside, read_bounded};
use cited_core::check::slugs::Rule;
use cited_core::markdown::Document;
use cited_gate::manifest::Locator;
use cited_gate::process::{self, End, Job, Program};

/// The largest file that is looked into, in bytes.
const LARGEST: u64 = 16 << 20;
/// How long git may take for one answer.
const GIT_TIME: Duration = Duration::from_secs(20);
/// Settings that keep git from running anything that a repository asks for, and from asking the network.
const GIT_SETTINGS: &[&str] = &[
    "core.fsmonitor=false",
    "protocol.allow=never",
    "core.hooksPath=/dev/null",
    "safe.bareRepository=explicit",
    "i18n.logOutputEncoding=UTF-8",
];

/// What asks git for the message of a commit and, behind a zero character, for what it changes.
const GIT_DIFF: &[&str] =
    &["diff-tree", "--always", "--root", "-r", "-p", "--format=%B%x00", "--no-ext-diff", "--no-textconv", "--no-color"];

/// The text at a place of a corpus, which is named by its own place; an address is none.
///
/// # Errors
/// In words, when there is none.
pub fn text(corpus: &Path, place: &Locator) -> Result<String, String> {
    match place {
        Locator::Lines(path, first, last) => {
            let text = file(corpus, path)?;
            let lines: Vec<&str> = text.lines().collect();
            if *last > lines.len() {
                let s = if lines.len() == 1 { "" } else { "s" };
                return Err(format!("{path} has {} line{s}", lines.len()));
            }
            Ok(lines[first - 1..*last].join("\n"))
        }
        Locator::Heading(path, heading) => {
            section(&file(corpus, path)?, heading).ok_or_else(|| format!("{path} has no heading `{heading}`"))
        }
        Locator::Commit(name) => commit(corpus, name),
        Locator::Address(_) => Err("an address is no place of the corpus".to_owned()),
    }
}

/// The text of a file; no link leads out.
fn file(corpus: &Path, path: &str) -> Result<String, String> {
    let real = inside(corpus, path).ok_or_else(|| format!("{path} is not in the corpus"))?;
    // What the path itself names was refused when it was read; a link may lead there all the same: *g* that is `.git`.
    let inside = real.strip_prefix(corpus).unwrap_or(&real);
    if inside.components().any(|part| part.as_os_str().eq_ignore_ascii_case(".git")) {
        return Err(format!("{path} leads into .git, which is no file of the corpus"));
    }
    let bytes = read_bounded(&real, LARGEST).map_err(|why| format!("{path} {why}"))?;
    String::from_utf8(bytes).map_err(|_| format!("{path} is not UTF-8"))
}

/// What a commit says and changes, as git tells it: its message, then the lines that it takes and brings.
fn commit(corpus: &Path, name: &str) -> Result<String, String> {
    if !corpus.join(".git").exists() {
        return Err("the corpus is no git repository".to_owned());
    }
    let above = corpus.parent().unwrap_or(corpus).to_string_lossy().into_owned();
    let variables = [
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_ATTR_NOSYSTEM", "1"),
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_NO_LAZY_FETCH", "1"),
        ("GIT_NO_REPLACE_OBJECTS", "1"),
        ("GIT_CEILING_DIRECTORIES", &above),
    ];
    let settings = GIT_SETTINGS.iter().flat_map(|setting| [&"-c", setting]);
    let arguments = [&"--no-pager"].into_iter().chain(settings).chain(GIT_DIFF).chain([&name]);
    let ended = process::run(Job {
        program: Program("git".into(), arguments.map(|text| (*text).to_owned()).collect()),
        folder: corpus,
        allowed: &[],
        variables: variables.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(),
        input: Vec::new(),
        timeout: GIT_TIME,
        output: process::SHOWABLE,
    });
    // Of what is no commit git tells nothing, and of one that it cannot read no more than a part.
    let none = || format!("the repository has no commit {name}");
    match ended.end {
        End::Exit(0) => {}
        End::Exit(_) => return Err(none()),
        _ => return Err(format!("git {}", ended.evidence(GIT_TIME))),
    }
    let told = String::from_utf8_lossy(&ended.stdout);
    let (message, diff) = told.split_once('\0').ok_or_else(none)?;
    let changed = |line: &&str| line.starts_with(['+', '-']) && !line.starts_with("+++ ") && !line.starts_with("--- ");
    let lines: Vec<&str> = diff.lines().filter(changed).map(|line| &line[1..]).collect();
    Ok(format!("{message}\n{}", lines.join("\n")))
}

/// The first section whose heading says these words or has them for its anchor.
fn section(text: &str, heading: &str) -> Option<String> {
    let slug = |words: &str| Some(Rule::from_name("github")?.name(words.trim(), words));
    let document = Document::read(text);
    let wanted = slug(heading);
    let sections = document.sections(|words| slug(words) == wanted);
    sections.first().map(|section| document.slice(*section).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_corpus_is_read() {
        let root = tempfile::tempdir().unwrap();
        let inside = root.path().join("corpus");
        std::fs::create_dir_all(inside.join("src")).unwrap();
        std::fs::write(root.path().join("secret.rs"), "secret 7").unwrap();
        std::fs::write(inside.join("src/a.rs"), "one\ntwo\nthree\n").unwrap();
        std::fs::write(inside.join("r.md"), "# A\n\ntext a\n\n## Sub *one*\n\ntext b\n\n# C\n\ntext c\n").unwrap();
        std::os::unix::fs::symlink(root.path().join("secret.rs"), inside.join("link.rs")).unwrap();
        std::os::unix::fs::symlink(root.path(), inside.join("up")).unwrap();
        std::fs::create_dir_all(inside.join(".git")).unwrap();
        std::fs::write(inside.join(".git/config"), "one").unwrap();
        std::fs::write(inside.join("x.git"), "one").unwrap();
        std::os::unix::fs::symlink(".git", inside.join("g")).unwrap();
        std::os::unix::fs::symlink(".git/config", inside.join("c")).unwrap();
        let corpus = inside.canonicalize().unwrap();
        let text = |evidence: &str| Locator::read(evidence).and_then(|place| super::text(&corpus, &place));
        let check = |evidence: &str, expected: Result<&str, &str>| {
            assert_eq!(text(evidence), expected.map(str::to_owned).map_err(str::to_owned), "{evidence}");
        };
        check("src/a.rs:2-3", Ok("two\nthree"));
        check("src/a.rs:3-4", Err("src/a.rs has 3 lines"));
        check("src/b.rs:1", Err("src/b.rs is not in the corpus"));
        check("src:1", Err("src is no file"));
        check("link.rs:1", Err("link.rs is not in the corpus"));
        check("up/secret.rs:1", Err("up/secret.rs is not in the corpus"));
        check("g/config:1", Err("g/config leads into .git, which is no file of the corpus"));
        check("c:1", Err("c leads into .git, which is no file of the corpus"));
        check("x.git:1", Ok("one"));
        check("r.md#a", Ok("# A\n\ntext a\n\n## Sub *one*\n\ntext b"));
        check("r.md#sub-one", Ok("## Sub *one*\n\ntext b"));
        check("r.md#C", Ok("# C\n\ntext c"));
        check("r.md#d", Err("r.md has no heading `d`"));
        std::fs::remove_dir_all(inside.join(".git")).unwrap();
        check("commit:abcdef1", Err("the corpus is no git repository"));
    }
}
