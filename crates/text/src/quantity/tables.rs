//! The data files of units, months and number words, as maps that are built once.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{Bound, Measure};
use crate::lexicon::table;
use crate::lexicon::{self, Classes, Languages, Meanings};
use crate::script::is_cjk;
use crate::words::{ByForm, form};

/// A physical dimension. Values of one dimension convert into each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
#[allow(missing_docs)]
pub enum Dimension {
    Length,
    Area,
    Volume,
    /// In the data file a `ton`, too, whose kind is not said.
    #[strum(serialize = "mass", serialize = "ton")]
    Mass,
    Duration,
    Temperature,
    /// Degrees of an unnamed kind: of an angle or of a temperature.
    Degrees,
    Speed,
    Frequency,
    Data,
    DataRate,
    Energy,
    Power,
    Pressure,
    Voltage,
    Current,
    Force,
    Decibel,
    #[strum(serialize = "ppm")]
    PartsPerMillion,
}

/// A unit, a magnitude word or a currency.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Unit {
    /// What it makes of the number before it; a magnitude leaves it a count.
    pub measure: Measure,
    pub factor: f64,
    pub offset: f64,
    /// An English magnitude word that means a thousand times more on the long scale.
    pub short_scale: bool,
    /// The language that a magnitude word counts in which is a common word of another one.
    pub language: Option<&'static str>,
}

/// Units by form. Words are in lower case; symbols as they are written.
pub(super) static UNITS: LazyLock<HashMap<String, Unit>> = LazyLock::new(|| {
    let is_symbol = |form: &str| {
        form.chars().count() <= 3 || !form.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '-' | '.'))
    };
    let mut units = HashMap::new();
    for row in table::cells(include_str!("data/units.tsv")) {
        let [kind, factor, offset, forms] = row.as_slice() else { continue };
        let Ok(factor) = factor.parse() else { continue };
        let (short_scale, mut language) = (*kind == "magnitude-short", None);
        let measure = match *kind {
            "magnitude" | "magnitude-short" => Measure::Count,
            "percent" => Measure::Percent,
            "points" => Measure::Points,
            "multiple" => Measure::Multiple,
            other => match (other.split_once(':'), other.parse()) {
                (Some(("magnitude", own)), _) => {
                    language = Some(own);
                    Measure::Count
                }
                (Some((_, code)), _) => Measure::Money(code),
                (None, Ok(dimension)) => Measure::Physical(dimension),
                (None, Err(_)) => continue,
            },
        };
        let unit = Unit { measure, factor, offset: offset.parse().unwrap_or(0.0), short_scale, language };
        for form in forms.split('|') {
            let form = if is_symbol(form) { form.to_owned() } else { form.to_lowercase() };
            units.entry(form).or_insert(unit);
        }
    }
    units
});

/// The currencies that stand before a number, longest first: `US$`, `EUR`, `€`.
pub(super) static CURRENCY_PREFIXES: LazyLock<Vec<(&'static str, &'static str)>> = LazyLock::new(|| {
    let before = |form: &str| {
        form.chars().count() <= 3 && form.chars().all(|c| !is_cjk(c)) && !form.starts_with(char::is_lowercase)
    };
    let code = |(form, unit): (&'static String, &Unit)| match unit {
        Unit { measure: Measure::Money(code), factor: 1.0, .. } if before(form) => Some((form.as_str(), *code)),
        _ => None,
    };
    let mut prefixes: Vec<_> = UNITS.iter().filter_map(code).collect();
    prefixes.sort_by_key(|(form, _)| std::cmp::Reverse(form.len()));
    prefixes
});

/// Months by name in lower case, and whether the name needs a capital.
static MONTHS: LazyLock<HashMap<&'static str, (u8, bool, Languages)>> = LazyLock::new(|| {
    let mut months = HashMap::new();
    for row in lexicon::rows(include_str!("data/months.tsv")) {
        let Ok(month) = row.class.parse() else { continue };
        for name in row.forms() {
            let bare = name.strip_prefix('!');
            let named = months.entry(bare.unwrap_or(name)).or_insert((month, bare.is_some(), Languages::NONE));
            named.2 = named.2.and(row.languages);
        }
    }
    months
});

/// The month that a word names.
pub fn month(word: &str) -> Option<u8> {
    month_in(word, || Languages::ALL)
}

/// The month that a word names in a text in these languages, which are asked for where it names one in some.
pub(super) fn month_in(word: &str, languages: impl Fn() -> Languages) -> Option<u8> {
    let lower = word.to_lowercase();
    let (month, capital, own) = *MONTHS.get(lower.as_str())?;
    let written = !capital || word.chars().next().is_some_and(char::is_uppercase);
    (written && own.meet(languages())).then_some(month)
}

/// What a number word contributes to the number that it is part of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Numeral {
    Unit(f64),
    Ten(f64),
    /// So many times what stands before it: *hundred*, *dozen*.
    Times(f64),
    Scale(f64),
    Share(f64),
    Fraction(f64),
    Multiple(f64),
}

/// Number words by form, as every word of a text is looked up; each with whether it is one only where the language is sure.
pub(super) static NUMERALS: LazyLock<ByForm<Meanings<(Numeral, bool)>>> = LazyLock::new(|| {
    let mut numerals: ByForm<Meanings<(Numeral, bool)>> = ByForm::default();
    for row in table::cells(include_str!("data/numerals.tsv")) {
        let [class, value, languages, words] = row.as_slice() else { continue };
        let Ok(value) = value.parse::<f64>() else { continue };
        let numeral = match *class {
            "unit" => Numeral::Unit(value),
            "ten" => Numeral::Ten(value),
            "hundred" | "dozen" => Numeral::Times(value),
            "scale" => Numeral::Scale(value),
            "share" => Numeral::Share(value),
            "fraction" => Numeral::Fraction(value),
            "multiple" => Numeral::Multiple(value),
            _ => continue,
        };
        for word in words.split('|') {
            let (word, is_common) = word.strip_prefix('?').map_or((word, false), |word| (word, true));
            numerals.entry(form(word)).or_default().add(Languages::of_column(languages), (numeral, is_common));
        }
    }
    numerals
});

/// A phrase, what it makes of the number after it, and its languages.
type Qualifier = (&'static str, Bound, Languages);

/// Phrases that widen or bound the number after them, in lower case, by their ends, longest first.
static QUALIFIERS: LazyLock<ByForm<Vec<Qualifier>>> = LazyLock::new(|| {
    let mut by_end: ByForm<Vec<Qualifier>> = ByForm::default();
    for row in lexicon::rows(include_str!("data/qualifiers.tsv")) {
        let bound = match row.class {
            "least" => Bound::AtLeast,
            "most" => Bound::AtMost,
            _ => Bound::About,
        };
        for form in row.forms() {
            by_end.entry(end_of(form)).or_default().push((form, bound, row.languages));
        }
    }
    by_end.values_mut().for_each(|phrases| phrases.sort_by_key(|(form, ..)| std::cmp::Reverse(form.len())));
    by_end
});

/// The last two bytes of a phrase, or the one that it has.
fn end_of(phrase: &str) -> u64 {
    phrase.bytes().rev().take(2).fold(0, |end, byte| end << 8 | u64::from(byte))
}

/// Parts of a whole in words by their class, each with its value.
static PARTS: LazyLock<HashMap<&'static str, Vec<(&'static str, f64)>>> = LazyLock::new(|| {
    let mut parts: HashMap<_, Vec<_>> = HashMap::new();
    for row in table::cells(include_str!("data/parts.tsv")) {
        let [class, value, forms] = row.as_slice() else { continue };
        let Ok(value) = value.parse::<f64>() else { continue };
        let forms = forms.split('|').filter(|form| !form.is_empty());
        parts.entry(*class).or_default().extend(forms.map(|form| (form, value)));
    }
    parts
});

/// The words of a class of `data/parts.tsv`, which says what each class is, with their values.
pub(super) fn parts(class: &str) -> impl Iterator<Item = (&'static str, f64)> + use<> {
    PARTS.get(class).into_iter().flatten().copied()
}

/// The longest of these phrases that `text` ends with, at the beginning of a word.
pub(super) fn qualifier_at_end(text: &str, languages: impl Fn() -> Languages) -> Option<(&'static str, Bound)> {
    let acts = |own: Languages| own == Languages::ALL || own.meet(languages());
    let at = |end: u64| QUALIFIERS.get(&end)?.iter().find(|(form, _, own)| ends_with_phrase(text, form) && acts(*own));
    let last = u64::from(*text.as_bytes().last()?);
    at(end_of(text)).or_else(|| at(last)).map(|(form, bound, _)| (*form, *bound))
}

/// What stands beside a number and tells what it is.
pub(super) static BESIDE: Classes = Classes::new(include_str!("data/beside.tsv"));

/// Whether a word stands between a number and what it counts a part of: *of*.
pub fn is_partitive(word: &str) -> bool {
    BESIDE.has("partitive", &word.to_lowercase())
}

/// Whether a word stands between an amount and the unit that it is given for: *per*.
pub fn is_per(word: &str) -> bool {
    BESIDE.has("per", &word.to_lowercase())
}

/// Whether `text` ends with `phrase` at the beginning of a word.
pub(super) fn ends_with_phrase(text: &str, phrase: &str) -> bool {
    let Some(head) = text.strip_suffix(phrase) else { return false };
    let letter = phrase.chars().next().is_some_and(char::is_alphabetic) && !phrase.starts_with(is_cjk);
    !letter || !head.ends_with(char::is_alphanumeric)
}
