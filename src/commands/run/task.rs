//! What a task says, as callers of agents write it: the words, the options in brackets, the flags behind them.
//!
//! The options are those of inline configuration in pi-subagents (`/run agent[key=value,…] task --fork`), from where research
//! pipelines call a verifier.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use cited_core::error::{Error, Result};
use cited_core::input::STANDARD;
use cited_core::markdown::is_markdown;
use cited_text::lexicon::table;

/// How far before a verb a word takes it back: *do not add*.
const WORDS_DENIED: usize = 2;

const TABLE: &str = include_str!("../data/tasks.tsv");

/// A bracket that holds options: `[output=brief.md,reads=a.md+b.md]`.
static OPTIONS: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the pattern is part of the program; every test of a task reads it")]
    Regex::new(r"\[\s*((?:(?:output|outputMode|reads|model|skills?|as|label|phase)=|progress\b)[^\]]*)\]")
        .expect("the pattern of options is well formed")
});

/// What a task says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Task {
    /// The draft.
    pub draft: PathBuf,
    /// Whether citations are to be added. Otherwise sources are verified and nothing is changed.
    pub cites: bool,
    /// Its options.
    pub options: Options,
}

/// The options of a task.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    /// Where the result goes; `-` is standard output.
    pub output: Option<PathBuf>,
    /// The research files.
    pub reads: Vec<PathBuf>,
    /// Options for agents with a language model, which there is none of here.
    pub unused: Vec<String>,
}

/// Reads a task with the options of its agent.
///
/// # Errors
/// When it asks for nothing that cited does, does not name exactly one draft, or has an option that means nothing.
pub fn read(text: &str, mut options: Options) -> Result<Task> {
    let mut tail = text;
    let mut rest = String::new();
    // Options stand in brackets: [output=…,reads=a+b].
    while let Some((before, inside, after)) = options_in(tail) {
        rest.push_str(before);
        rest.push(' ');
        options.read(inside)?;
        tail = after;
    }
    rest.push_str(tail);
    let words = words(&rest);
    let draft = draft(&words, &mut options)?;
    let (cites, checks) = asks(&words);
    if !cites && !checks {
        return Err(Error::usage(
            "the task asks for nothing that the verifier does; it can add citations, verify sources, or both",
        ));
    }
    Ok(Task { draft, cites, options })
}

impl Options {
    /// Takes options as they stand in a bracket, `output=brief.md,reads=a.md+b.md`, to those that there are.
    ///
    /// # Errors
    /// When one means nothing, or says something else than before.
    pub fn read(&mut self, text: &str) -> Result<()> {
        for option in text.split(',').map(str::trim).filter(|option| !option.is_empty()) {
            let (key, value) = option.split_once('=').map_or((option, None), |(key, value)| (key, Some(value.trim())));
            match (key.trim(), value) {
                ("output", Some("false")) => self.direct(STANDARD.into())?,
                ("output", Some(path)) if !path.is_empty() => self.direct(path.into())?,
                ("output", _) => return Err(Error::usage(format!("[{text}]: `{option}` names no file"))),
                // What is found by the name of the draft is read all the same.
                ("reads", Some("false")) => {}
                ("reads", Some(paths)) => {
                    let paths = paths.split('+').map(str::trim).filter(|path| !path.is_empty());
                    self.reads.extend(paths.map(PathBuf::from));
                }
                _ => self.unused.push(option.to_owned()),
            }
        }
        Ok(())
    }

    fn direct(&mut self, target: PathBuf) -> Result<()> {
        match &self.output {
            Some(other) if *other != target => {
                Err(Error::usage("the task says twice where the result goes, and not the same; leave one of them out"))
            }
            _ => {
                self.output = Some(target);
                Ok(())
            }
        }
    }
}

/// The first bracket with options in `text`: what is before, inside and after it.
fn options_in(text: &str) -> Option<(&str, &str, &str)> {
    let found = OPTIONS.captures(text)?;
    let (whole, inside) = (found.get(0)?, found.get(1)?);
    Some((&text[..whole.start()], inside.as_str(), &text[whole.end()..]))
}

/// A word of a task.
#[derive(Debug, Clone, Copy)]
struct Word<'t> {
    /// As written, quotation marks and stops included.
    text: &'t str,
    /// Without them, when it is a Markdown path.
    path: Option<&'t str>,
}

impl Word<'_> {
    /// Whether a sentence or clause ends with it.
    fn ends(self) -> bool {
        self.text.ends_with(['.', ';', '!', '?', ','])
    }

    /// Whether it is of a class of words.
    fn is(self, class: &'static str) -> bool {
        let mut parts = self.text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
        self.path.is_none() && parts.any(|part| table::words(TABLE, class).any(|word| word.eq_ignore_ascii_case(part)))
    }

    fn is_verb(self) -> bool {
        ["cite", "alone", "check", "write"].iter().any(|class| self.is(class))
    }
}

/// The words of a task; what stands between quotation marks is one.
fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let quoted = match first {
            '"' | '`' | '\'' => rest[1..].find(first).map(|end| (&rest[1..=end], &rest[end + 2..])),
            _ => None,
        };
        let (text, after) = quoted.unwrap_or_else(|| match rest.find(char::is_whitespace) {
            Some(end) => rest.split_at(end),
            None => (rest, ""),
        });
        words.push(Word { text, path: markdown_path(text) });
        rest = after.trim_start();
    }
    words
}

fn markdown_path(word: &str) -> Option<&str> {
    let path = word.trim_matches(|c: char| c.is_whitespace() || "`'\"“”‘’()<>,;:!?".contains(c)).trim_end_matches('.');
    (is_markdown(path) && !path.contains("://")).then_some(path)
}

/// The one draft of a task. Of two paths one may say where the result goes, as an option does or in words: *write the brief to
/// x.md*.
fn draft(words: &[Word<'_>], options: &mut Options) -> Result<PathBuf> {
    let mut paths: Vec<(usize, &str)> = Vec::new();
    for (i, word) in words.iter().enumerate() {
        if let Some(path) = word.path
            && !paths.iter().any(|(_, known)| *known == path)
        {
            paths.push((i, path));
        }
    }
    if paths.len() > 1 {
        let named = |path: &str| options.output.as_deref() == Some(Path::new(path));
        if paths.iter().any(|(_, path)| named(path)) {
            paths.retain(|(_, path)| !named(path));
        } else if options.output.is_none()
            && let Some(at) = paths.iter().position(|(i, _)| is_target(words, *i))
        {
            let (_, path) = paths.remove(at);
            options.output = Some(path.into());
        }
    }
    match paths.as_slice() {
        [(_, path)] => Ok(PathBuf::from(path)),
        [] => Err(Error::usage(
            "the task names no Markdown file; name the draft, as in: add citations to x-draft.md and verify its sources",
        )),
        several => {
            let names: Vec<&str> = several.iter().map(|(_, path)| *path).collect();
            Err(Error::usage(format!(
                "the task names {} Markdown files, {}; name the one draft, and research files as [reads=a.md+b.md]",
                several.len(),
                names.join(" and ")
            )))
        }
    }
}

/// Whether the path at `at` is where something is written to: the last verb of its sentence writes, and a word of direction stands
/// right before it.
fn is_target(words: &[Word<'_>], at: usize) -> bool {
    let Some(before) = words.get(..at) else { return false };
    let verb = before.iter().rev().take_while(|word| !word.ends()).find(|word| word.is_verb());
    verb.is_some_and(|verb| verb.is("write")) && before.last().is_some_and(|word| word.is("to"))
}

/// Whether a task asks to add citations, and whether it asks to verify sources.
fn asks(words: &[Word<'_>]) -> (bool, bool) {
    let (mut cites, mut checks) = (false, false);
    for (i, word) in words.iter().enumerate() {
        if !word.is_verb() || words[i.saturating_sub(WORDS_DENIED)..i].iter().any(|word| word.is("not")) {
            continue;
        }
        // Objects of a verb stand behind it, before the next verb.
        let objects = || words[i + 1..].iter().take_while(|word| !word.is_verb());
        cites |= word.is("alone") || word.is("cite") && objects().any(|word| word.is("citations"));
        checks |= word.is("check") && objects().any(|word| word.is("sources") || word.path.is_some());
    }
    (cites, checks)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CITES: bool = true;
    const CHECKS: bool = false;

    #[track_caller]
    fn check(text: &str, draft: &str, cites: bool, output: Option<&str>, reads: &[&str]) {
        let task = read(text, Options::default()).unwrap();
        assert_eq!((task.draft.to_str(), task.cites), (Some(draft), cites), "{text}");
        assert_eq!(task.options.output, output.map(PathBuf::from), "{text}");
        assert_eq!(task.options.reads, reads.iter().map(PathBuf::from).collect::<Vec<_>>(), "{text}");
    }

    #[test]
    fn tasks_are_understood() {
        check("add citations to x-draft.md", "x-draft.md", CITES, None, &[]);
        check("Verify sources in outputs/x-draft.md.", "outputs/x-draft.md", CHECKS, None, &[]);
        check(
            "Add citations to `out/x-draft.md`, then verify every URL [output=out/x.md,reads=a-research.md+b.md]",
            "out/x-draft.md",
            CITES,
            Some("out/x.md"),
            &["a-research.md", "b.md"],
        );
        check("verify the sources of \"my notes/x draft.md\" (x draft)", "my notes/x draft.md", CHECKS, None, &[]);
        check("check links of x.md, add citations to x.md [1]", "x.md", CITES, None, &[]);
        check("cite x-draft.md", "x-draft.md", CITES, None, &[]);
        check("Verify x-draft.md", "x-draft.md", CHECKS, None, &[]);
        check("Verify the sources of x.md and add nothing", "x.md", CHECKS, None, &[]);
        check("Verify the links in x.md; do not add citations.", "x.md", CHECKS, None, &[]);
    }

    /// The task of the deep research prompt of Feynman, word for word.
    #[test]
    fn the_path_that_a_task_writes_to_is_no_draft() {
        let task = "Add inline citations to outputs/.drafts/seas-draft.md using the research files as source material. \
                    Verify every URL. Write the complete cited brief to outputs/.drafts/seas-cited.md.";
        check(task, "outputs/.drafts/seas-draft.md", CITES, Some("outputs/.drafts/seas-cited.md"), &[]);
        let named = format!("{task} [output=outputs/.drafts/seas-cited.md]");
        check(&named, "outputs/.drafts/seas-draft.md", CITES, Some("outputs/.drafts/seas-cited.md"), &[]);
        check("write citations into x.md and add citations", "x.md", CITES, None, &[]);
    }

    #[test]
    fn options_are_those_of_callers() {
        let of = |text: &str| {
            let mut options = Options::default();
            options.read(text).map(|()| options)
        };
        let options = of(
            "output=cited.md, outputMode=file-only,reads=a.md+b.md,model=anthropic/claude-sonnet-4,skill=web+pdf,progress",
        );
        let options = options.unwrap();
        assert_eq!(options.output, Some("cited.md".into()));
        assert_eq!(options.reads, [PathBuf::from("a.md"), PathBuf::from("b.md")]);
        let unused = ["outputMode=file-only", "model=anthropic/claude-sonnet-4", "skill=web+pdf", "progress"];
        assert_eq!(options.unused, unused);
        assert_eq!(of("output=false").unwrap().output, Some("-".into()));
        assert!(of("reads=false").unwrap().reads.is_empty());
        for (wrong, expected) in
            [("output=", "`output=` names no file"), ("output=a.md,output=b.md", "says twice where the result goes")]
        {
            let error = of(wrong).unwrap_err();
            assert!(error.to_string().contains(expected), "{wrong}: {error}");
        }
    }

    #[track_caller]
    fn check_refused(text: &str, expected: &str) {
        let error = read(text, Options::default()).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(error.exit_status(), 2);
    }

    #[test]
    fn what_is_no_task_is_refused() {
        check_refused("add citations to a-draft.md and b-draft.md", "2 Markdown files, a-draft.md and b-draft.md");
        check_refused("add citations", "names no Markdown file");
        check_refused("translate x.md", "it can add citations, verify sources, or both");
        check_refused("do not verify x.md", "it can add citations, verify sources, or both");
        check_refused("verify sources of x.md [output=]", "`output=` names no file");
        check_refused("verify https://a.example/x.md sources", "names no Markdown file");
    }
}
