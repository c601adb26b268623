//! Claims that give different values for the same thing: both stay, and the difference is named.

use std::collections::HashMap;

use crate::text::quantity::{Agreement, Measure, Quantity, compare, quantities};
use crate::text::words::words;

/// Words that say in which sense a quantity is meant, and what kind of difference they make.
const QUALIFIERS: &[(&str, &str)] = &[
    ("daily", "definition"), ("weekly", "definition"), ("monthly", "definition"), ("annually", "definition"),
    ("yearly", "definition"), ("annual", "definition"), ("quarterly", "definition"), ("average", "definition"),
    ("median", "definition"), ("regularly", "definition"), ("occasionally", "definition"), ("ever", "definition"),
    ("gross", "definition"), ("net", "definition"), ("nominal", "definition"), ("real", "definition"),
    ("global", "population"), ("worldwide", "population"), ("domestic", "population"), ("urban", "population"),
    ("rural", "population"), ("now", "time"), ("currently", "time"), ("today", "time"), ("recently", "time"),
];

/// What introduces the words of a source; what stands before it is who says so.
const SAID: &[&str] = &[
    " reports that ", " report that ", " reported that ", " says that ", " said that ", " found that ", " finds that ",
    " estimates that ", " estimated that ", " shows that ", " showed that ", " states that ", " puts ",
];

/// A disagreement of two claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The difference that was found, in words: `45% and 12%; definition: daily`, or `…; unexplained`.
    pub difference: String,
}

/// The pairs of `claims` that say different values of the same thing, by position.
///
/// Two claims speak of the same thing when they use the same words, apart from who says so, from numbers, and from
/// qualifiers such as *daily*. Different dates are different things. Linear in the text.
///
/// ```
/// use cited::judge::conflict::conflicts;
/// let found = conflicts(&["Pew reports that 45% of adults use AI tools.", "12% of adults use AI tools daily."]);
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].2.difference, "45% and 12%; definition: daily");
/// ```
pub fn conflicts(claims: &[&str]) -> Vec<(usize, usize, Conflict)> {
    let mut by_subject: HashMap<Vec<u64>, Vec<(usize, Subject)>> = HashMap::new();
    let mut found = Vec::new();
    for (i, claim) in claims.iter().enumerate() {
        let Some((words, subject)) = subject(claim) else { continue };
        let same = by_subject.entry(words).or_default();
        // The first claim about a thing stands for those that agree with it: no pair is told twice.
        let other = same.iter().find(|(_, other)| !agrees(other, &subject) && other.dates == subject.dates);
        if let Some((first, other)) = other {
            found.push((*first, i, Conflict { difference: difference(other, &subject) }));
        } else if same.iter().all(|(_, other)| !agrees(other, &subject) || other.qualifiers != subject.qualifiers) {
            same.push((i, subject));
        }
    }
    found
}

struct Subject {
    quantity: Quantity,
    written: String,
    dates: Vec<String>,
    qualifiers: Vec<(&'static str, &'static str)>,
}

/// What a claim speaks of: the keys of its words, and its one measured quantity.
fn subject(claim: &str) -> Option<(Vec<u64>, Subject)> {
    let said = SAID.iter().filter_map(|verb| claim.find(verb).map(|at| at + verb.len())).min().unwrap_or(0);
    let text = &claim[said..];
    let all = quantities(text);
    let (dates, measured): (Vec<&Quantity>, Vec<&Quantity>) =
        all.iter().filter(|quantity| quantity.is_measured()).partition(|quantity| quantity.is_temporal());
    let [quantity] = measured.as_slice() else { return None };
    // A version or a label has no other value that would contradict it.
    if matches!(quantity.measure, Measure::Version(..) | Measure::Label) {
        return None;
    }
    let lower = text.to_lowercase();
    let qualifiers: Vec<_> = QUALIFIERS
        .iter()
        .copied()
        .filter(|(word, _)| lower.split(|c: char| !c.is_alphanumeric()).any(|other| other == *word))
        .collect();
    let qualifying: Vec<u64> = qualifiers.iter().flat_map(|(word, _)| words(word).map(|w| w.key)).collect();
    let mut keys: Vec<u64> = words(text)
        .filter(|word| !word.stop && !word.number && !all.iter().any(|quantity| quantity.span.overlaps(word.span)))
        .map(|word| word.key)
        .filter(|key| !qualifying.contains(key))
        .collect();
    keys.sort_unstable();
    keys.dedup();
    // Two words are too few to know what is spoken of.
    if keys.len() < 2 {
        return None;
    }
    let subject = Subject {
        quantity: (*quantity).clone(),
        written: quantity.span.of(text).to_owned(),
        dates: dates.iter().map(|date| date.span.of(text).to_lowercase()).collect(),
        qualifiers,
    };
    Some((keys, subject))
}

fn agrees(a: &Subject, b: &Subject) -> bool {
    !matches!(compare(&a.quantity, &b.quantity), Agreement::Different)
}

fn difference(a: &Subject, b: &Subject) -> String {
    let only_one = |one: &Subject, other: &Subject| {
        one.qualifiers.iter().copied().filter(|q| !other.qualifiers.contains(q)).collect::<Vec<_>>()
    };
    let mut named = only_one(a, b);
    named.extend(only_one(b, a));
    let values = format!("{} and {}", a.written, b.written);
    match named.first() {
        Some((_, kind)) => {
            let words: Vec<&str> = named.iter().map(|(word, _)| *word).collect();
            format!("{values}; {kind}: {}", words.join(", "))
        }
        None => format!("{values}; unexplained"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(a: &str, b: &str, expected: Option<&str>) {
        let found = conflicts(&[a, b]);
        assert_eq!(found.first().map(|(_, _, conflict)| conflict.difference.as_str()), expected, "{a:?} and {b:?}");
    }

    #[test]
    fn same_thing_other_value() {
        check("45% of adults use AI tools.", "12% of adults use AI tools.", Some("45% and 12%; unexplained"));
        check("The market reached $5 billion.", "IDC says that the market reached $6 billion.", Some("$5 billion and $6 billion; unexplained"));
    }

    #[test]
    fn other_thing_or_same_value() {
        check("45% of adults use AI tools.", "12% of teenagers use AI tools.", None);
        check("The market reached $5 billion in 2022.", "The market reached $6 billion in 2023.", None);
        check("The market reached $5 billion.", "The market reached $5.0 billion.", None);
        check("5 kg.", "6 kg.", None);
    }
}
