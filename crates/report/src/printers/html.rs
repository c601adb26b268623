//! An outcome as a page that is looked at in a browser: see [`crate::html`].

use super::{Print, Printer, WalkReport};
use crate::html::{checked, verified};

/// The row of the table.
pub static PRINTER: Printer = Printer {
    name: None,
    endings: &[".html"],
    about: "a page to look at",
    print: Print::Any(|outcome, _| {
        Ok(match &outcome.of {
            WalkReport::Run(run) => verified::report(run.record),
            WalkReport::Check { .. } => checked::report(&outcome.stream),
            WalkReport::Own(report) => report.sheet().html(report.view(&outcome.stream)),
        })
    }),
};
