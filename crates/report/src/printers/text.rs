//! An outcome as text for people.

use super::{Outcome, Printer};
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
    print: |outcome, notes| Ok(print(outcome, notes)),
};

/// With ANSI sequences, which whoever prints it takes out where they are not wanted.
fn print(outcome: &Outcome<'_>, notes: bool) -> String {
    if let Some(own) = outcome.own {
        return own.sheet().text();
    }
    // What makes the run fall short is shown whatever was asked.
    let least = outcome.stream.fail_on.unwrap_or(Severity::Warning).min(Severity::Warning);
    let held_back = outcome.run.and_then(|run| run.record.not_written.as_ref());
    let mut out = held_back.map(|why| format!("not written: {why}\n")).unwrap_or_default();
    for document in &outcome.stream.documents {
        let new = document.items.iter().filter(|item| item.state == State::New).map(|item| &item.finding);
        let shown: Vec<&Finding> = new.filter(|finding| notes || finding.severity >= least).collect();
        if !shown.is_empty() {
            out.push_str(&findings::text::render(shown, &document.texts()));
        }
    }
    out
}
