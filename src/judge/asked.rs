//! What the judge is asked: a claim, and from which probability on it has which standing.

use crate::claim::ClaimKind;
use crate::quantity::Habit;

/// A claim, as it is judged.
#[derive(Debug, Clone, Copy)]
pub struct ClaimText<'a> {
    /// The text as a reader sees it, without markers.
    pub text: &'a str,
    /// What kind of statement it is.
    pub kind: ClaimKind,
    /// How its document writes decimals, where that is known.
    pub habit: Option<Habit>,
}

impl<'a> ClaimText<'a> {
    /// A claim of this text and kind.
    pub fn new(text: &'a str, kind: ClaimKind) -> Self {
        ClaimText { text, kind, habit: None }
    }

    /// The same, as part of a document that writes decimals by this habit.
    #[must_use]
    pub fn written_by(mut self, habit: Habit) -> Self {
        self.habit = Some(habit);
        self
    }
}

/// Where probabilities become standings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// From here on a claim is supported, if a hard check or a passage that says the same agrees.
    pub supported: f64,
    /// From here on a claim is weakly supported; below, it is unverifiable.
    pub weak: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { supported: 0.6, weak: 0.3 }
    }
}
