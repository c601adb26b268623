//! `--format` as typed: a printer by its name.

use std::sync::LazyLock;

use clap::ValueEnum;
use clap::builder::PossibleValue;

use cited_core::error::Result;
use cited_report::printers::{self, Manner, Outcome, Printer};

/// How findings are printed: a printer that has a name.
#[derive(Debug, Clone, Copy)]
pub struct Format(&'static Printer);

impl Format {
    /// Whether it is text for people, the default.
    pub fn is_text(self) -> bool {
        std::ptr::eq(self.0, &raw const printers::text::PRINTER)
    }

    /// What a command found, in this format.
    ///
    /// # Errors
    /// When it cannot be written so: a fault of cited.
    pub fn print(self, outcome: &Outcome<'_>, manner: Manner) -> Result<String> {
        self.0.print(outcome, manner)
    }
}

impl Default for Format {
    fn default() -> Format {
        Format(&printers::text::PRINTER)
    }
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Format] {
        static NAMED: LazyLock<Vec<Format>> = LazyLock::new(|| {
            printers::PRINTERS.iter().filter(|printer| printer.name.is_some()).map(|printer| Format(printer)).collect()
        });
        &NAMED
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name?).help(self.0.about))
    }
}
