//! The brackets in which numbers are citations: one table, by which they are found, read and written back. A row is all that another kind of
//! bracket needs.

/// Brackets of one kind.
pub(crate) struct Brackets {
    pub(crate) open: char,
    /// What closes them. The first is written.
    pub(crate) close: &'static [char],
    /// Whether they are square ones, which are written as `[3]`; the others are written as they were.
    pub(crate) square: bool,
}

pub(crate) const BRACKETS: [Brackets; 4] = [
    Brackets { open: '[', close: &[']', '］'], square: true },
    Brackets { open: '［', close: &['］', ']'], square: true },
    Brackets { open: '【', close: &['】'], square: false },
    Brackets { open: '〔', close: &['〕'], square: false },
];

impl Brackets {
    /// A citation of `number`.
    pub(crate) fn wrap_number(&self, number: u32) -> String {
        format!("{}{number}{}", self.open, self.close[0])
    }
}

/// The brackets that a character opens.
pub(crate) fn opened_by(c: char) -> Option<&'static Brackets> {
    BRACKETS.iter().find(|brackets| brackets.open == c)
}

/// Whether a character opens a citation.
pub(crate) fn opens(c: char) -> bool {
    opened_by(c).is_some()
}

/// Whether a character closes a citation.
pub(crate) fn closes(c: char) -> bool {
    BRACKETS.iter().any(|brackets| brackets.close[0] == c)
}

/// Whether a character opens a citation or what is said beside it.
pub(crate) fn opens_aside(c: char) -> bool {
    matches!(c, '(' | '（') || opens(c)
}

/// Whether a character closes a citation or what is said beside it.
pub(crate) fn closes_aside(c: char) -> bool {
    matches!(c, ')' | '）') || closes(c)
}
