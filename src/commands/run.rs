//! `cited run verifier TEXT`: the main job, asked for in words as agents ask one another.

use std::path::PathBuf;
use std::sync::LazyLock;

use regex::Regex;

use super::verify;
use crate::cli::args::{Agent, RunAgent, Verify};
use crate::cli::exit::Exit;
use crate::error::{Error, Result};

/// Endings of the paths that a task is about.
const MARKDOWN_ENDINGS: [&str; 2] = [".md", ".markdown"];

/// Words that ask for what cited does; each row is one thing, any of its words next to any of the objects asks for it.
const ASKS: [(&[&str], &[&str]); 2] = [
    (&["add", "insert", "anchor", "cite", "fill"], &["citation", "citations", "cite", "sources", "references"]),
    (
        &["verify", "check", "validate", "confirm", "test"],
        &[
            "source",
            "sources",
            "url",
            "urls",
            "citation",
            "citations",
            "link",
            "links",
            "reference",
            "references",
            "claims",
            "facts",
        ],
    ),
];

/// A bracket that holds options: `[output=brief.md,reads=a.md+b.md]`.
static OPTIONS: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the pattern is part of the program; every test of a task reads it")]
    Regex::new(r"\[\s*((?:output|reads)=[^\]]*)\]").expect("the pattern of options is well formed")
});

/// What a task says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Task {
    /// The draft.
    pub draft: PathBuf,
    /// Where the brief goes.
    pub output: Option<PathBuf>,
    /// The research files.
    pub reads: Vec<PathBuf>,
}

/// Does the task.
///
/// # Errors
/// When the text is no task for this agent, or the run could not be done.
pub fn run(args: RunAgent) -> Result<Exit> {
    let Agent::Verifier = args.agent;
    let task = read(&args.text.join(" "))?;
    let mut work = args.work;
    let mut output = args.output;
    work.research.extend(task.reads);
    if let Some(path) = task.output {
        if output.output.as_ref().is_some_and(|named| *named != path) || output.in_place {
            return Err(Error::usage(format!(
                "the task says output={}, the flags say something else; leave one of them out",
                path.display()
            )));
        }
        output.output = Some(path);
    }
    verify::run(Verify { draft: task.draft, work, output, network: args.network, talk: args.talk })
}

/// Reads a task.
///
/// # Errors
/// When it asks for nothing that cited does, or does not name exactly one Markdown path.
pub fn read(text: &str) -> Result<Task> {
    let mut task = Task::default();
    let mut rest = String::new();
    let mut tail = text;
    // Options stand in brackets: [output=…,reads=a+b].
    while let Some((before, inside, after)) = options_in(tail) {
        rest.push_str(before);
        rest.push(' ');
        read_options(inside, &mut task)?;
        tail = after;
    }
    rest.push_str(tail);
    let mut paths: Vec<String> = Vec::new();
    for word in words(&rest) {
        let path = word.trim_matches(|c: char| c.is_whitespace() || "`'\"“”‘’()<>,;:!?".contains(c));
        let path = path.trim_end_matches('.');
        let lower = path.to_ascii_lowercase();
        let markdown = MARKDOWN_ENDINGS.iter().any(|ending| lower.ends_with(ending)) && !path.contains("://");
        if markdown && !paths.iter().any(|known| known == path) {
            paths.push(path.to_owned());
        }
    }
    match paths.as_slice() {
        [path] => task.draft = PathBuf::from(path),
        [] => {
            return Err(Error::usage(
                "the task names no Markdown file; name the draft, as in: add citations to x-draft.md and verify its sources",
            ));
        }
        several => {
            return Err(Error::usage(format!(
                "the task names {} Markdown files, {}; name the one draft, and research files as [reads=a.md+b.md]",
                several.len(),
                several.join(" and ")
            )));
        }
    }
    if asks(&rest) {
        Ok(task)
    } else {
        Err(Error::usage(
            "the task asks for nothing that the verifier does; it can add citations, verify sources, or both",
        ))
    }
}

/// The first bracket with options in `text`: what is before, inside and after it.
fn options_in(text: &str) -> Option<(&str, &str, &str)> {
    let found = OPTIONS.captures(text)?;
    let (whole, inside) = (found.get(0)?, found.get(1)?);
    Some((&text[..whole.start()], inside.as_str(), &text[whole.end()..]))
}

fn read_options(text: &str, task: &mut Task) -> Result<()> {
    for option in text.split(',').map(str::trim).filter(|option| !option.is_empty()) {
        match option.split_once('=') {
            Some(("output", path)) if !path.trim().is_empty() => task.output = Some(PathBuf::from(path.trim())),
            Some(("reads", paths)) => {
                let paths = paths.split('+').map(str::trim).filter(|path| !path.is_empty());
                task.reads.extend(paths.map(PathBuf::from));
            }
            _ => {
                return Err(Error::usage(format!(
                    "[{text}]: `{option}` means nothing here; known are output=FILE and reads=FILE+FILE"
                )));
            }
        }
    }
    Ok(())
}

/// The words of a task; what stands between quotation marks is one.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let quoted = match first {
            '"' | '`' | '\'' => rest[1..].find(first).map(|end| (&rest[1..=end], &rest[end + 2..])),
            _ => None,
        };
        let (word, after) = quoted.unwrap_or_else(|| match rest.find(char::is_whitespace) {
            Some(end) => rest.split_at(end),
            None => (rest, ""),
        });
        words.push(word);
        rest = after.trim_start();
    }
    words
}

fn asks(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    ASKS.iter().any(|(verbs, objects)| {
        words.iter().any(|word| verbs.contains(word)) && words.iter().any(|word| objects.contains(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, draft: &str, output: Option<&str>, reads: &[&str]) {
        let expected = Task {
            draft: draft.into(),
            output: output.map(PathBuf::from),
            reads: reads.iter().map(PathBuf::from).collect(),
        };
        assert_eq!(read(text).unwrap(), expected, "{text}");
    }

    #[test]
    fn tasks_are_understood() {
        check("add citations to x-draft.md", "x-draft.md", None, &[]);
        check("Verify sources in outputs/x-draft.md.", "outputs/x-draft.md", None, &[]);
        check(
            "Add citations to `out/x-draft.md`, then verify every URL [output=out/x.md,reads=a-research.md+b.md]",
            "out/x-draft.md",
            Some("out/x.md"),
            &["a-research.md", "b.md"],
        );
        check("verify the sources of \"my notes/x draft.md\" (x draft)", "my notes/x draft.md", None, &[]);
        check("check links of x.md, add citations to x.md [1]", "x.md", None, &[]);
    }

    #[track_caller]
    fn check_refused(text: &str, expected: &str) {
        let error = read(text).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(error.exit_status(), 2);
    }

    #[test]
    fn what_is_no_task_is_refused() {
        check_refused("add citations to a-draft.md and b-draft.md", "2 Markdown files, a-draft.md and b-draft.md");
        check_refused("add citations", "names no Markdown file");
        check_refused("translate x.md", "it can add citations, verify sources, or both");
        check_refused("verify sources of x.md [output=]", "`output=` means nothing here");
        check_refused("verify https://a.example/x.md sources", "names no Markdown file");
    }
}
