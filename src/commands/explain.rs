//! `cited explain`: more about a kind of finding, a check of the judge, or any other word that a report has.

use super::output;
use crate::cli::args::Explain;
use crate::cli::exit::Exit;
use crate::cli::layers::advice;
use cited_core::error::{Error, Result};
use cited_report::explain::{Explanation, checks, codes, explain};

/// Prints the section of a code, the page of a check, or the names of all of them.
///
/// # Errors
/// When there is no such code and no such check.
pub fn run(args: &Explain) -> Result<Exit> {
    output::print(&if args.code.is_empty() { list() } else { explain_name(&args.code.join(" "))? })?;
    Ok(Exit::Done)
}

/// What is told of a name.
fn explain_name(asked: &str) -> Result<String> {
    let spaced = || explain(&asked.replace('-', " "));
    explain(asked).or_else(spaced).map(|one| one.text()).ok_or_else(|| {
        let names: Vec<String> = codes().chain(checks()).map(|one| one.name).collect();
        let advice = advice(asked, names.iter().map(String::as_str), "explain");
        Error::usage(format!("no finding, check or word of a report is called `{asked}`; {advice}"))
    })
}

/// All codes and all checks, each with the first sentence about it.
fn list() -> String {
    let width = codes().chain(checks()).map(|one| one.name.len()).max().unwrap_or(0);
    let line = |one: Explanation| format!("{:width$}  {}\n", one.name, one.meaning);
    let (codes, checks): (String, String) = (codes().map(line).collect(), checks().map(line).collect());
    format!("{codes}\nChecks of the judge:\n\n{checks}")
}
