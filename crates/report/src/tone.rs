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
    /// The class of the style sheet.
    pub fn class(self) -> &'static str {
        match self {
            Tone::Good => "good",
            Tone::Doubtful => "doubt",
            Tone::Bad => "bad",
            Tone::Neutral => "flat",
        }
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
    match tone {
        Tone::Good => "✓",
        Tone::Doubtful => "≈",
        Tone::Bad => "✗",
        Tone::Neutral => "–",
    }
}

/// How a terminal shows it.
pub(crate) fn style(tone: Tone) -> Style {
    match tone {
        Tone::Bad => Style::new().red(),
        Tone::Good => Style::new().green(),
        Tone::Doubtful => Style::new().yellow(),
        Tone::Neutral => Style::new(),
    }
}
