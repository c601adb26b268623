//! An outcome as text for people.

use super::{Outcome, Print, Printer, WalkReport};
use crate::findings;
use cited_core::check::State;
use cited_core::finding::{Finding, Severity};

/// Its name.
pub const NAME: &str = "text";

/// The row of the table.
pub static PRINTER: Printer = Printer {
    name: Some(NAME),
    endings: &[".txt"],
    about: "text for people",
    print: Print::Any(|outcome, notes| Ok(print(outcome, notes))),
};

/// With ANSI sequences, which whoever prints it takes out where they are not wanted.
fn print(outcome: &Outcome<'_>, notes: bool) -> String {
    if let WalkReport::Own(report) = &outcome.of {
        return report.sheet().text();
    }
    // What makes the run fall short is shown whatever was asked.
    let least = outcome.stream.fail_on.unwrap_or(Severity::Warning).min(Severity::Warning);
    let mut out = String::new();
    if let WalkReport::Run(run) = &outcome.of
        && let Some(why) = &run.record.not_written
    {
        out = format!("not written: {why}\n");
    }
    for document in &outcome.stream.documents {
        let new = document.items.iter().filter(|item| item.state == State::New).map(|item| &item.finding);
        let shown: Vec<&Finding> = new.filter(|finding| notes || finding.severity >= least).collect();
        if !shown.is_empty() {
            out.push_str(&findings::text::render(shown, &document.texts()));
        }
    }
    out
}
