//! How good a thing is: the colours and signs of a report.

use cited_core::finding::Severity;
use owo_colors::Style;

/// How good a thing is, for its colour and its sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tone {
    /// As it should be.
    Good,
    /// Somebody should look.
    Doubtful,
    /// Not as it should be.
    Bad,
    /// Nothing is known, or nothing is asked.
    #[default]
    Neutral,
}

impl Tone {
    /// The class of the style sheet, the sign beside words, and how a terminal shows them.
    fn row(self) -> (&'static str, &'static str, Style) {
        match self {
            Tone::Good => ("good", "✓", Style::new().green()),
            Tone::Doubtful => ("doubt", "≈", Style::new().yellow()),
            Tone::Bad => ("bad", "✗", Style::new().red()),
            Tone::Neutral => ("flat", "–", Style::new()),
        }
    }

    /// The class of the style sheet.
    pub fn class(self) -> &'static str {
        self.row().0
    }
}

impl From<Severity> for Tone {
    fn from(severity: Severity) -> Tone {
        match severity {
            Severity::Error => Tone::Bad,
            Severity::Warning => Tone::Doubtful,
            Severity::Note => Tone::Neutral,
        }
    }
}

/// The sign beside words of this tone: a colour is never all.
pub fn sign(tone: Tone) -> &'static str {
    tone.row().1
}

/// How a terminal shows it.
pub(crate) fn style(tone: Tone) -> Style {
    tone.row().2
}
