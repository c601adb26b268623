//! How a sentence says what it says: as a fact, a possibility, a duty, a plan; of all or some; as a cause. The classes of `data/assertions.tsv`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::lexicon::{self, Languages};
use crate::text::script::is_cjk;

/// A way of saying.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Manner {
    Possible,
    Obliged,
    Future,
    Cause,
    Link,
    All,
    Most,
    Some,
    Only,
    Greatest,
    Least,
    /// The label of a row that sums up the others.
    Total,
}

const NAMES: [(&str, Manner); 12] = [
    ("possible", Manner::Possible),
    ("obliged", Manner::Obliged),
    ("future", Manner::Future),
    ("cause", Manner::Cause),
    ("link", Manner::Link),
    ("all", Manner::All),
    ("most", Manner::Most),
    ("some", Manner::Some),
    ("only", Manner::Only),
    ("greatest", Manner::Greatest),
    ("least", Manner::Least),
    ("total", Manner::Total),
];

type Forms = Vec<(Languages, &'static str)>;

static TABLE: LazyLock<BTreeMap<Manner, Forms>> = LazyLock::new(|| {
    let mut table: BTreeMap<Manner, Forms> = BTreeMap::new();
    for row in lexicon::rows(include_str!("data/assertions.tsv")) {
        let Some((_, manner)) = NAMES.iter().find(|(name, _)| *name == row.class) else { continue };
        table.entry(*manner).or_default().extend(row.forms().map(|form| (row.languages, form)));
    }
    table
});

impl Manner {
    /// Whether a text in lower case, in one of these languages, says something in this manner.
    pub(super) fn is_in(self, lower: &str, languages: Languages) -> bool {
        self.place_in(lower, languages).is_some()
    }

    /// Where.
    pub(super) fn place_in(self, lower: &str, languages: Languages) -> Option<usize> {
        let forms = TABLE.get(&self).map_or(&[][..], Vec::as_slice);
        let spoken = forms.iter().filter(|(own, _)| own.meet(languages));
        spoken.filter_map(|(_, form)| find(lower, form)).min()
    }
}

/// Where a phrase stands as words of its own.
fn find(lower: &str, form: &str) -> Option<usize> {
    let unspaced = form.chars().any(is_cjk);
    lower.match_indices(form).map(|(at, _)| at).find(|at| {
        let (before, after) = (&lower[..*at], &lower[at + form.len()..]);
        unspaced || !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
    })
}
