//! The two files that stand beside a brief: its record and its provenance side-car.

use super::json::pretty;
use super::{Print, Printer};

/// The row of the record.
pub static RECORD: Printer = Printer {
    name: None,
    endings: &[".record.json"],
    about: "the record of the run",
    print: Print::Run(|run| pretty(run.record)),
};

/// The row of the side-car.
pub static PROVENANCE: Printer = Printer {
    name: None,
    endings: &[".provenance.md"],
    about: "the provenance of each claim",
    print: Print::Run(|run| Ok(run.provenance.to_owned())),
};
