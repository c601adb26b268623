//! How good a thing is: the colours and signs of a report.

/// How good a thing is, for its colour and its sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// As it should be.
    Good,
    /// Somebody should look.
    Doubtful,
    /// Not as it should be.
    Bad,
    /// Nothing is known, or nothing is asked.
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

/// The sign beside words of this tone: a colour is never all.
pub fn sign(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "✓",
        Tone::Doubtful => "≈",
        Tone::Bad => "✗",
        Tone::Neutral => "–",
    }
}
