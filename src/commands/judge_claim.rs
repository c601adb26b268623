//! `cited judge`: what pages or files say about one claim.

use cited_core::address::is_web;
use std::io::{self, BufRead as _};

use serde::Deserialize;

use super::input::STANDARD;
use super::output;
use crate::cli::args::ShowFormat;
use crate::cli::settings::Settings;
use crate::pipeline::judge_prepared;
use crate::setup::read_page::ReadPage;
use crate::setup::{SILENT, Setup};
use cited_core::error::{Error, Result};
use cited_core::shape;
use cited_core::verdict::Verdict;
use cited_judge::SourceText;

/// One question on standard input.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Question {
    claim: String,
    page: String,
}

/// Judges one claim by each of several pages, or what standard input asks.
///
/// # Errors
/// When a page cannot be read, or the settings cannot be used.
pub fn run(what: &[String], format: Option<ShowFormat>, settings: &Settings) -> Result<()> {
    let (questions, usual): (Box<dyn Iterator<Item = Result<Question>>>, _) = match what {
        [one] if one == STANDARD => {
            let lines = io::stdin().lock().lines().zip(1..);
            let lines = lines.filter(|(line, _)| !line.as_ref().is_ok_and(|line| line.trim().is_empty()));
            let read = lines.map(|(line, number)| {
                let line = line.map_err(|error| Error::read("standard input", error))?;
                shape::read_text(&line).map_err(|why| {
                    Error::usage(format!("standard input:{number}: not a line {{\"claim\": …, \"page\": …}}: {why}"))
                })
            });
            (Box::new(read), ShowFormat::Json)
        }
        [claim, pages @ ..] if !pages.is_empty() => {
            let question = |page: &String| Ok(Question { claim: claim.clone(), page: page.clone() });
            (Box::new(pages.iter().map(question)), ShowFormat::Text)
        }
        _ => return Err(Error::usage("judge takes a claim and at least one page: an address or a file; or `-`")),
    };
    let setup = Setup::judging(settings, &SILENT)?;
    let judged = judge_each(questions, &setup, format.unwrap_or(usual));
    setup.finish().and(judged)
}

/// Answers each question before the next but one is read. A page is prepared once for the questions in a row that name it.
fn judge_each(questions: impl Iterator<Item = Result<Question>>, setup: &Setup, format: ShowFormat) -> Result<()> {
    let mut questions = questions.peekable();
    while let Some(question) = questions.next() {
        let Question { mut claim, page } = question?;
        let read = if is_web(&page) {
            ReadPage::of_fetched(page.clone(), setup.fetch(&page, Vec::new())?)
        } else {
            ReadPage::of_file(&page)?
        };
        let source = SourceText::of_page(&read.page);
        loop {
            let verdict = if read.page.text.is_empty() {
                Verdict::unchecked(read.reason.as_str())
            } else {
                judge_prepared(&claim, &source, &setup.options)
            };
            let judgement = read.judgement(&claim, &verdict, setup.options.policy);
            output::print(&match format {
                ShowFormat::Text => judgement.text(),
                ShowFormat::Json => serde_json::to_string(&judgement).map_err(Error::defect)? + "\n",
            })?;
            match questions.next_if(|next| next.as_ref().is_ok_and(|next| next.page == page)) {
                Some(next) => claim = next?.claim,
                None => break,
            }
        }
    }
    Ok(())
}
