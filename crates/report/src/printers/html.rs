//! An outcome as a page that is looked at in a browser: see [`crate::html`].

use super::{Manner, Of, Outcome, Print, Printer};
use crate::html::{checked, verified};
use cited_core::error::Result;

/// The row of the table.
pub static PRINTER: Printer =
    Printer { name: None, endings: &[".html"], about: "a page to look at", print: Print::Any(print) };

#[expect(clippy::unnecessary_wraps, reason = "the shape of all printers")]
fn print(outcome: &Outcome<'_>, _: Manner) -> Result<String> {
    Ok(match outcome.of {
        Of::Run(run) => verified::report(run.record),
        Of::Check { .. } => checked::report(&outcome.stream),
        Of::Own(report) => report.html(&outcome.stream),
    })
}
