//! What a marker points at, in the numbering of its own list.

use serde::{Deserialize, Serialize};

use crate::pattern::Pattern;
use cited_text::quantity::digit;

/// A label as written, folded so that equal labels are equal values.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(untagged)]
#[derive(strum::Display)]
pub enum Label {
    /// `[3]`, `【３】`, `[^3]` of a numeric list.
    #[strum(to_string = "{0}")]
    Number(u32),
    /// A footnote name, a Pandoc key, a product's own reference such as `turn0search1`.
    #[strum(to_string = "{0}")]
    Name(Box<str>),
}

/// How a label is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LabelStyle {
    /// `[1]`, `［1］`, `[[1]]`, `【1】`, `〔1〕`
    Bracket,
    /// `\[1\]`
    Escaped,
    /// `1.`, `1)`, `1、`
    Dot,
    /// `(1)`
    Paren,
    /// `[^1]:`, `[^1]`
    Footnote,
    /// `[1](url)`: the link stays in the entry.
    NumberLink,
    /// `^1^`, `<sup>1</sup>`
    Superscript,
    /// `[S1]`, `[Smith2020]`
    Name,
    /// `来源1：`, `Source 1:`
    Numbered,
    /// `-` or nothing.
    #[default]
    None,
}

impl LabelStyle {
    /// Whether the label stands in brackets, as citations do.
    pub fn is_written_in_brackets(self) -> bool {
        [Self::Bracket, Self::Escaped, Self::Footnote, Self::NumberLink].contains(&self)
    }
}

/// Numbers above this are years, amounts or identifiers, never places in a list.
const HIGHEST_NUMBER: u32 = 99_999;

impl Label {
    /// The label that `text` writes: a number in ASCII or full-width digits, else a name with case and white space
    /// folded as `CommonMark` folds them. `None` when nothing is written.
    ///
    /// ```
    /// use cited_core::citation::Label;
    /// assert_eq!(Label::parse(" ３ "), Some(Label::Number(3)));
    /// assert_eq!(Label::parse("Smith  2020"), Label::parse("smith 2020"));
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some(number) = number(text) {
            return Some(Label::Number(number));
        }
        let name = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        (!name.is_empty()).then(|| Label::Name(name.into()))
    }

    /// The number that it is, when it is one.
    pub(crate) fn number(&self) -> Option<u32> {
        if let Label::Number(number) = self { Some(*number) } else { None }
    }

    /// Whether it is a number with a letter behind it: `1a`.
    pub(crate) fn is_number_with_letter(&self) -> bool {
        static LETTERED: Pattern = Pattern::new("^[0-9]{1,3}[a-z]$");
        matches!(self, Label::Name(name) if LETTERED.is_match(name))
    }
}

/// The value of a digit that is raised, `²`, or of a number in a circle, `②`, which Chinese and Japanese texts cite by.
pub(crate) fn raised_digit(c: char) -> Option<u32> {
    match c {
        '¹' => Some(1),
        '²' => Some(2),
        '³' => Some(3),
        '⁰' | '⁴'..='⁹' => Some(c as u32 - 0x2070),
        '①'..='⑳' => Some(c as u32 - '①' as u32 + 1),
        _ => None,
    }
}

/// The number of digits that are raised, by signs of their own or by what stands round them.
pub(crate) fn raised_number(digits: &str) -> u32 {
    let digits = digits.chars().take(5).filter_map(|c| raised_digit(c).or(digit(c)));
    digits.fold(0, |value, digit| value * 10 + digit)
}

/// The number that `text` writes with nothing else.
fn number(text: &str) -> Option<u32> {
    let value = text.chars().try_fold(0u32, |value, c| value.checked_mul(10)?.checked_add(digit(c)?))?;
    (!text.is_empty() && value <= HIGHEST_NUMBER).then_some(value)
}
