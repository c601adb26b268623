//! An outcome as a page that is looked at in a browser: see [`crate::html`].

use super::{Of, Print, Printer};
use crate::html::{checked, verified};

/// The row of the table.
pub static PRINTER: Printer = Printer {
    name: None,
    endings: &[".html"],
    about: "a page to look at",
    print: Print::Any(|outcome, _| {
        Ok(match outcome.of {
            Of::Run(run) => verified::report(run.record),
            Of::Check { .. } => checked::report(&outcome.stream),
            Of::Own(report) => report.html(&outcome.stream),
        })
    }),
};
