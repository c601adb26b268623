//! The two files that stand beside a brief: its record and its provenance side-car.

use super::json::pretty;
use super::{Outcome, Printer, RunOutcome};
use cited_core::error::{Error, Result};

/// The row of the record.
pub static RECORD: Printer = Printer {
    name: None,
    endings: &[".record.json"],
    about: "the record of the run",
    print: |outcome, _| pretty(run_of(outcome)?.record),
};

/// The row of the side-car.
pub static PROVENANCE: Printer = Printer {
    name: None,
    endings: &[".provenance.md"],
    about: "the provenance of each claim",
    print: |outcome, _| Ok(run_of(outcome)?.provenance.to_owned()),
};

/// The run, which whoever offers these rows has.
fn run_of<'a>(outcome: &Outcome<'a>) -> Result<RunOutcome<'a>> {
    outcome.run.ok_or_else(|| Error::defect("asked of what is no verified draft"))
}
