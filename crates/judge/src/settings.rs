//! How a claim is judged, as the user set it.

/// The names of the checks, in the order in which they are asked.
pub(super) const IDS: [&str; 22] = [
    "verbatim",
    "no-such-quotation",
    "cut-quotation",
    "other-cell",
    "derived",
    "other-number",
    "number-not-found",
    "denied",
    "denial",
    "possibility",
    "quantifier",
    "alternatives",
    "limit",
    "direction",
    "comparison",
    "speaker",
    "roles",
    "another-part",
    "other-value",
    "quotation",
    "value",
    "aligned",
];

/// Which checks are not asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Without(u32);

impl Without {
    /// The check of this id is not asked, either; `None` when there is none of that name.
    #[must_use]
    pub fn and(self, id: &str) -> Option<Self> {
        Some(Without(self.0 | 1 << IDS.iter().position(|known| *known == id)?))
    }

    pub(super) fn has(self, id: &str) -> bool {
        IDS.iter().position(|known| *known == id).is_some_and(|at| self.0 & 1 << at != 0)
    }
}

/// How a claim is judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// From this confidence on a claim is supported, by a check or by the word of an outside judge.
    pub supported: f64,
    /// From here on a claim is weakly supported; below, it is unverifiable.
    pub weak: f64,
    /// Checks that the user turned off.
    pub without: Without,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { supported: 0.6, weak: 0.3, without: Without::default() }
    }
}
