//! `cited run verifier TEXT`: the main job, asked for in words as agents ask one another.
//!
//! The options of a task are those of inline configuration in pi-subagents (`/run agent[key=value,…] task --fork`), from where research
//! pipelines call a verifier.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use regex::Regex;

use super::{check, input, verify};
use crate::cli::args::{Check, RunAgent, VerifyFlags};
use crate::cli::settings::{Settings, Typed};
use crate::cli::{Exit, say};
use cited_core::error::{Error, Result};
use cited_core::markdown::is_markdown;
use cited_text::lexicon::table;

/// How far before a verb a word takes it back: *do not add*.
const WORDS_DENIED: usize = 2;

const TABLE: &str = include_str!("data/tasks.tsv");

/// A bracket of options: `[output=brief.md,reads=a.md+b.md]`. One with a number is none.
const OPTIONS: &str = r"\[\s*(\w+\s*=[^\]]*)\]";

/// A word of a task, or what stands in quotation marks.
const WORD: &str = r#""[^"]*"|`[^`]*`|'[^']*'|\S+"#;

/// Does the task.
///
/// # Errors
/// When the text is no task for this agent, or the run could not be done.
pub fn run(mut args: RunAgent, typed: &Typed) -> Result<Exit> {
    let mut task = Task::read(&args.text.join(" "), &args.agent)?;
    let typed = task.reads.iter().fold(typed.clone(), |typed, path| typed.with("research", &path.display()));
    if !task.unused.is_empty() && !args.flags.talk.quiet {
        say(format_args!("not used: {}; there is no language model here\n", task.unused.join(", ")));
    }
    // As everywhere, what the flags say is stronger.
    let flags = &mut args.flags;
    flags.output = flags.output.take().or(task.output.take()).filter(|_| !flags.in_place);
    if task.cites {
        return verify::run(&task.draft, &args.flags, &typed);
    }
    look(&task, args.flags, &typed.with("online", &true))
}

/// Verifies the sources and changes nothing. A file that is named for the result takes the report.
fn look(task: &Task, flags: VerifyFlags, typed: &Typed) -> Result<Exit> {
    if flags.find.is_some() || flags.in_place || flags.diff || flags.force {
        return Err(Error::usage(
            "the task asks to verify sources, which changes nothing: --find, --in-place, --diff and --force are for a task that \
             adds citations",
        ));
    }
    let settings = Settings::resolve(typed, Path::new(""))?;
    let named = settings.research.clone();
    let research = if named.is_empty() { input::find_research(&task.draft)? } else { named };
    let mut report = flags.report;
    let target = flags.output.filter(|path| path != Path::new(input::STANDARD));
    report.extend(target.filter(|_| !flags.dry_run));
    let check = Check {
        paths: vec![task.draft.clone()],
        support: settings.work.support,
        works: false,
        write_baseline: false,
        research,
        report,
        talk: flags.talk,
    };
    check::run(check, &settings)
}

/// What a task says.
#[derive(Debug, Default)]
struct Task {
    /// The draft.
    draft: PathBuf,
    /// Whether citations are to be added. Otherwise sources are verified and nothing is changed.
    cites: bool,
    /// Where the result goes; `-` is standard output.
    output: Option<PathBuf>,
    /// The research files.
    reads: Vec<PathBuf>,
    /// Options for agents with a language model, which there is none of here.
    unused: Vec<String>,
}

impl Task {
    /// Reads a task with the options of its agent.
    ///
    /// # Errors
    /// When it asks for nothing that cited does, or does not name exactly one draft.
    fn read(text: &str, options: &str) -> Result<Task> {
        let mut task = Task::default();
        let [brackets, pattern] = [OPTIONS, WORD].map(|pattern| Regex::new(pattern).expect("a fixed pattern"));
        task.take_options(options);
        brackets.captures_iter(text).for_each(|bracket| task.take_options(&bracket[1]));
        let rest = brackets.replace_all(text, " ");
        let words: Vec<&str> = pattern.find_iter(&rest).map(|found| found.as_str()).collect();
        task.find_draft(&words)?;
        let mut checks = false;
        for (i, word) in words.iter().enumerate() {
            let is_denied = || words[i.saturating_sub(WORDS_DENIED)..i].iter().any(|word| is(word, "not"));
            if !is_verb(word) || is_denied() {
                continue;
            }
            // Objects of a verb stand behind it, before the next verb.
            let mut objects = words[i + 1..].iter().take_while(|word| !is_verb(word));
            task.cites |= is(word, "alone") || is(word, "cite") && objects.clone().any(|word| is(word, "citations"));
            checks |= is(word, "check") && objects.any(|word| is(word, "sources") || path_of(word).is_some());
        }
        let asks_nothing =
            "the task asks for nothing that the verifier does; it can add citations, verify sources, or both";
        (task.cites || checks).then_some(task).ok_or_else(|| Error::usage(asks_nothing))
    }

    /// Takes options that are parted by commas.
    fn take_options(&mut self, text: &str) {
        for option in text.split(',').map(str::trim).filter(|option| !option.is_empty()) {
            match option.split_once('=').map(|(key, value)| (key.trim(), value.trim())) {
                Some(("output", "false")) => self.output = Some(input::STANDARD.into()),
                Some(("output", path)) if !path.is_empty() => self.output = Some(path.into()),
                // What is found by the name of the draft is read all the same.
                Some(("reads", "false")) => {}
                Some(("reads", paths)) => {
                    self.reads
                        .extend(paths.split('+').map(str::trim).filter(|path| !path.is_empty()).map(PathBuf::from));
                }
                _ => self.unused.push(option.to_owned()),
            }
        }
    }

    /// Finds the one draft. A path that the task writes to is where the result goes.
    fn find_draft(&mut self, words: &[&str]) -> Result<()> {
        let mut seen = HashSet::new();
        let paths = words.iter().enumerate().filter_map(|(at, word)| Some((at, path_of(word)?)));
        let mut paths: Vec<(usize, &str)> = paths.filter(|(_, path)| seen.insert(*path)).collect();
        if paths.len() > 1 {
            // What is written to: the last verb of its sentence writes, and a word of direction stands right before it.
            let is_target = |(at, _): &&(usize, &str)| {
                let mut clause =
                    words[..*at].iter().rev().take_while(|word| !word.ends_with(['.', ';', '!', '?', ',']));
                clause.clone().next().is_some_and(|word| is(word, "to"))
                    && clause.find(|word| is_verb(word)).is_some_and(|verb| is(verb, "write"))
            };
            let target = paths.iter().find(is_target).map(|(_, path)| path.into());
            self.output = self.output.take().or(target);
            paths.retain(|(_, path)| self.output.as_deref() != Some(Path::new(path)));
        }
        let names: Vec<&str> = paths.iter().map(|(_, path)| *path).collect();
        let [draft] = *names else {
            let named = match names.len() {
                0 => "no Markdown file".to_owned(),
                count => format!("{count} Markdown files, {}", names.join(" and ")),
            };
            let form = "add citations to x-draft.md and verify its sources [reads=a.md+b.md]";
            return Err(Error::usage(format!("the task names {named}; name the one draft, as in: {form}")));
        };
        self.draft = draft.into();
        Ok(())
    }
}

/// The path of a Markdown file that a word is.
fn path_of(word: &str) -> Option<&str> {
    let path = word.trim_matches(|c: char| c.is_whitespace() || "`'\"“”‘’()<>,;:!?".contains(c)).trim_end_matches('.');
    (is_markdown(path) && !path.contains("://")).then_some(path)
}

/// Whether a word is of a class of words; one that names a file is of none.
fn is(word: &str, class: &'static str) -> bool {
    let mut parts = word.split(|c: char| !c.is_alphanumeric());
    path_of(word).is_none()
        && parts.any(|part| table::words(TABLE, class).any(|known| known.eq_ignore_ascii_case(part)))
}

fn is_verb(word: &str) -> bool {
    ["cite", "alone", "check", "write"].iter().any(|class| is(word, class))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CITES: bool = true;
    const CHECKS: bool = false;

    #[track_caller]
    fn check(text: &str, draft: &str, cites: bool, output: Option<&str>, reads: &[&str]) {
        let task = Task::read(text, "").unwrap();
        assert_eq!((task.draft.to_str(), task.cites), (Some(draft), cites), "{text}");
        assert_eq!(task.output, output.map(PathBuf::from), "{text}");
        assert_eq!(task.reads, reads.iter().map(PathBuf::from).collect::<Vec<_>>(), "{text}");
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
            let mut task = Task::default();
            task.take_options(text);
            task
        };
        let options = of(
            "output=cited.md, outputMode=file-only,reads=a.md+b.md,model=anthropic/claude-sonnet-4,skill=web+pdf,progress,output=",
        );
        assert_eq!(options.output, Some("cited.md".into()));
        assert_eq!(options.reads, [PathBuf::from("a.md"), PathBuf::from("b.md")]);
        let unused =
            ["outputMode=file-only", "model=anthropic/claude-sonnet-4", "skill=web+pdf", "progress", "output="];
        assert_eq!(options.unused, unused);
        assert_eq!(of("output=false").output, Some("-".into()));
        assert!(of("reads=false").reads.is_empty());
    }

    #[track_caller]
    fn check_refused(text: &str, expected: &str) {
        let error = Task::read(text, "").unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(error.exit_status(), 2);
    }

    #[test]
    fn what_is_no_task_is_refused() {
        check_refused("add citations to a-draft.md and b-draft.md", "2 Markdown files, a-draft.md and b-draft.md");
        check_refused("add citations", "names no Markdown file");
        check_refused("translate x.md", "it can add citations, verify sources, or both");
        check_refused("do not verify x.md", "it can add citations, verify sources, or both");
        check_refused("verify https://a.example/x.md sources", "names no Markdown file");
    }
}
