//! `cited run verifier TEXT`: the main job, asked for in words as agents ask one another.

mod task;

use std::path::Path;

use self::task::Task;
use super::{check, input, verify};
use crate::cli::args::{Check, CheckFlags, RunAgent, VerifyFlags};
use crate::cli::layers::Typed;
use crate::cli::settings::Settings;
use crate::cli::{Exit, say};
use cited_core::error::{Error, Result};

/// Does the task.
///
/// # Errors
/// When the text is no task for this agent, or the run could not be done.
pub fn run(mut args: RunAgent, typed: &Typed) -> Result<Exit> {
    let mut task = Task::read(&args.text.join(" "), &args.agent)?;
    let typed = task.reads.iter().fold(typed.clone(), |typed, path| typed.with("research", &path.display()));
    args.flags.work.research.append(&mut task.reads);
    if !task.unused.is_empty() && !args.flags.talk.quiet {
        say(format_args!("not used: {}; there is no language model here\n", task.unused.join(", ")));
    }
    if let Some(path) = task.output.take() {
        if args.flags.output.output.as_ref().is_some_and(|named| *named != path) || args.flags.output.in_place {
            let path = path.display();
            return Err(Error::usage(format!(
                "the task says output={path}, the flags say something else; leave one of them out"
            )));
        }
        args.flags.output.output = Some(path);
    }
    if task.cites {
        return verify::run(&task.draft, args.flags, &typed);
    }
    look(&task, args.flags, typed)
}

/// Verifies the sources and changes nothing. A file that is named for the result takes the report.
fn look(task: &Task, flags: VerifyFlags, typed: Typed) -> Result<Exit> {
    let VerifyFlags { mut work, find, output, network, talk, .. } = flags;
    if find.is_some() || output.in_place || output.diff || output.force {
        return Err(Error::usage(
            "the task asks to verify sources, which changes nothing: --find, --in-place, --diff and --force are for a task that \
             adds citations",
        ));
    }
    if work.research.is_empty() {
        work.research = input::find_research(&task.draft, &[])?;
    }
    let mut report = output.report;
    let target = output.output.filter(|path| path != Path::new(input::STANDARD));
    report.extend(target.filter(|_| !output.dry_run));
    let check = Check {
        paths: vec![task.draft.clone()],
        check: CheckFlags::default(),
        support: work.support,
        works: false,
        write_baseline: false,
        research: work.research,
        format: output.format,
        report,
        network,
        talk,
    };
    check::run(check, &Settings::resolve(&typed.with("online", &true), Path::new(""))?)
}
