//! An outcome as a page that is looked at in a browser: see [`crate::html`].

use super::Printer;
use crate::html::{checked, verified};

/// The row of the table.
pub static PRINTER: Printer = Printer {
    name: None,
    endings: &[".html"],
    about: "a page to look at",
    print: |outcome, _| {
        Ok(match (&outcome.run, outcome.own) {
            (Some(run), _) => verified::report(run.record),
            (_, Some(own)) => own.sheet().html(own.view(&outcome.stream)),
            (None, None) => checked::report(&outcome.stream),
        })
    },
};
