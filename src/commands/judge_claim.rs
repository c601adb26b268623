//! `cited judge`: what pages or files say about one claim.

use cited_core::address::is_web;
use std::io::{self, BufRead as _};
use std::path::Path;

use serde::Deserialize;

use super::input::STANDARD;
use super::output;
use crate::cli::args::{JudgeClaim, ShowFormat};
use crate::cli::settings::Settings;
use crate::pipeline::{Options, judge_prepared, prepare};
use crate::setup::read_page::{LARGEST, ReadPage};
use crate::setup::{SILENT, Setup};
use cited_core::decide;
use cited_core::error::{Error, Result};
use cited_core::shape;
use cited_core::verdict::Verdict;
use cited_judge::SourceText;
use cited_report::judgement::{Judgement, SCHEMA};

/// One question on standard input.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Question {
    claim: String,
    page: String,
}

/// Judges.
///
/// # Errors
/// When a page cannot be read, or the settings cannot be used.
pub fn run(args: JudgeClaim, settings: &Settings) -> Result<()> {
    let JudgeClaim { what, format, .. } = args;
    let setup = Setup::judging(settings, &SILENT)?;
    let bench = Bench { options: setup.options.clone(), setup: &setup };
    let result = match what.as_slice() {
        [one] if one == STANDARD => bench.stream(format.unwrap_or(ShowFormat::Json)),
        [claim, pages @ ..] if !pages.is_empty() => bench.judge_pages(claim, pages, format.unwrap_or_default()),
        _ => Err(Error::usage("judge takes a claim and at least one page: an address or a file; or `-`")),
    };
    setup.finish()?;
    result
}

/// What pages are read and judged with.
struct Bench<'a> {
    setup: &'a Setup,
    options: Options,
}

impl Bench<'_> {
    /// One claim by each of several pages.
    fn judge_pages(&self, claim: &str, pages: &[String], format: ShowFormat) -> Result<()> {
        for page in pages {
            let read = read_page(self.setup, page)?;
            self.answer(claim, &read, &prepare(&read.page), format)?;
        }
        Ok(())
    }

    /// Questions from standard input, each answered before the next is read. A page is prepared once for the questions in a row that name it.
    fn stream(&self, format: ShowFormat) -> Result<()> {
        let mut questions = io::stdin().lock().lines().enumerate().filter_map(read_question).peekable();
        while let Some(question) = questions.next() {
            let Question { claim, page } = question?;
            let read = read_page(self.setup, &page)?;
            let source = prepare(&read.page);
            self.answer(&claim, &read, &source, format)?;
            let is_on_it = |next: &Result<Question>| next.as_ref().is_ok_and(|next| next.page == page);
            while let Some(question) = questions.next_if(is_on_it) {
                self.answer(&question?.claim, &read, &source, format)?;
            }
        }
        Ok(())
    }

    fn answer(&self, claim: &str, read: &ReadPage, source: &SourceText<'_>, format: ShowFormat) -> Result<()> {
        let verdict = if read.page.text.is_empty() {
            Verdict::unchecked(read.reason.as_str())
        } else {
            judge_prepared(claim, source, &self.options)
        };
        let action = decide::policy::action_of(&verdict, self.options.policy);
        let (page, outcome) = (read.name.as_str(), read.fetched.as_ref().map(|fetched| fetched.outcome));
        let judgement = Judgement { schema: SCHEMA, claim, page, outcome, action, verdict: &verdict };
        match format {
            ShowFormat::Text => output::print(&judgement.text()),
            ShowFormat::Json => {
                let line = serde_json::to_string(&judgement).map_err(|error| Error::defect(error.to_string()))?;
                output::print(&(line + "\n"))
            }
        }
    }
}

/// The question in a line of standard input; none in an empty one.
fn read_question((number, line): (usize, io::Result<String>)) -> Option<Result<Question>> {
    let read = |line: String| {
        shape::read_text(&line).map_err(|why| {
            let number = number + 1;
            Error::usage(format!("standard input:{number}: not a line {{\"claim\": …, \"page\": …}}: {why}"))
        })
    };
    let line = line.map_err(|error| Error::read("standard input", error));
    let is_empty = line.as_ref().is_ok_and(|line| line.trim().is_empty());
    (!is_empty).then(|| line.and_then(read))
}

/// Reads a page: an address is asked, anything else is a file.
///
/// # Errors
/// When it is a file that cannot be read.
fn read_page(setup: &Setup, page: &str) -> Result<ReadPage> {
    if !is_web(page) {
        return ReadPage::of_file(Path::new(page), page, LARGEST);
    }
    Ok(ReadPage::of_fetched(page.to_owned(), setup.fetch(page, Vec::new())?))
}
