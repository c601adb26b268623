//! `cited review`: the report of a record in the browser, with decisions that are written as they are made.
//!
//! The page is served on the loopback address of this machine and to whoever has the address with the token, once: see `server`.

mod server;

use std::path::{Path, PathBuf};

use self::server::{Answer, Desk};
use super::{input, output, verify};
use crate::cli::args::{FindFlags, OutputFlags, Review, TalkFlags, Verify};
use crate::cli::exit::Exit;
use crate::cli::say;
use crate::decide::review;
use crate::error::{Error, Result};
use crate::render::html::verified::{Reviewing, report};
use crate::setup::block_on;

/// Serves the report until the reviewer has finished.
///
/// # Errors
/// When the record cannot be read, the decisions cannot be written, or the page cannot be served.
pub fn run(mut args: Review) -> Result<Exit> {
    let decisions = args.work.decisions.clone().unwrap_or_else(|| beside(&args.of));
    output::vet(&[&decisions], std::slice::from_ref(&args.of))?;
    args.work.decisions = Some(decisions.clone());
    let papers = Papers { args, decisions };
    // A record that is none is told before anybody opens a page.
    papers.page()?;
    if let Some(before) = papers.before()? {
        review::Review::read(&before)
            .map_err(|why| Error::input(format!("{}: is no file of decisions: {why}", papers.decisions.display())))?;
    }
    let (port, quiet) = (papers.args.port.unwrap_or(0), papers.args.talk.quiet);
    let name = papers.decisions.display().to_string();
    block_on(server::serve(port, papers, |address| {
        if !quiet {
            say(format_args!("decisions are written to {name}; open the page, and finish there or with Ctrl-C\n"));
        }
        output::print(&format!("{address}\n"))
    }))?;
    Ok(Exit::Done)
}

/// Where decisions go unless the user says so: `x.decisions.json` beside `x.record.json`.
fn beside(record: &Path) -> PathBuf {
    let name = record.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.strip_suffix(".record.json").or_else(|| name.strip_suffix(".json")).unwrap_or(&name);
    record.with_file_name(format!("{stem}.decisions.json"))
}

/// The files of a review.
struct Papers {
    args: Review,
    decisions: PathBuf,
}

impl Papers {
    /// The decisions that were made before.
    fn before(&self) -> Result<Option<String>> {
        if self.decisions.exists() { Ok(Some(input::read(&self.decisions)?.text.to_string())) } else { Ok(None) }
    }

    /// The draft: where the record says, else beside the record.
    fn draft(&self) -> Result<PathBuf> {
        if let Some(draft) = &self.args.draft {
            return Ok(draft.clone());
        }
        let record = input::record(&input::read(&self.args.of)?)?;
        let named = record.draft.map(|draft| PathBuf::from(draft.path)).unwrap_or_default();
        let beside = self.args.of.with_file_name(named.file_name().unwrap_or_default());
        let found = [named.clone(), beside].into_iter().find(|path| path.is_file());
        found.ok_or_else(|| {
            Error::input(format!("{}: the draft of the record is not there; name it with --draft", named.display()))
        })
    }
}

impl Desk for Papers {
    fn page(&self) -> Result<String> {
        let record = input::record(&input::read(&self.args.of)?)?;
        Ok(report(&record, Reviewing { served: true, before: self.before()? }))
    }

    fn decide(&self, file: &str) -> Result<Answer> {
        if let Err(why) = review::Review::read(file) {
            return Ok(Answer::Refused(format!("not a file of decisions: {why}")));
        }
        output::write(&[(&self.decisions, file.as_bytes())])?;
        Ok(Answer::Done(format!("saved to {}", self.decisions.display())))
    }

    fn brief(&self) -> Result<Answer> {
        let talk = TalkFlags { quiet: true, ..TalkFlags::default() };
        let output = OutputFlags { output: self.args.output.clone(), ..OutputFlags::default() };
        let (work, network) = (self.args.work.clone(), self.args.network.clone());
        let exit = {
            let find = FindFlags::default();
            verify::run(Verify { draft: self.draft()?, work, find, output, network, talk })?
        };
        Ok(match exit {
            Exit::Done => Answer::Done("the brief was written; load the page again to see it".to_owned()),
            Exit::Blocked => Answer::Refused("checking could not be completed; nothing was written over".to_owned()),
            Exit::FallsShort => {
                Answer::Refused("the run falls short; `cited verify` with the same flags says why".to_owned())
            }
        })
    }

    fn finish(&self) -> String {
        format!("finished: the decisions are in {}; this page can be closed", self.decisions.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_stand_beside_their_record() {
        let check = |record, expected| assert_eq!(beside(Path::new(record)), Path::new(expected));
        check("a/x.record.json", "a/x.decisions.json");
        check("x.json", "x.decisions.json");
        check("x", "x.decisions.json");
    }
}
