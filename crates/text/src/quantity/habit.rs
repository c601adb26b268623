//! How a text writes decimals: told by the frequent words of its language.

use std::sync::LazyLock;

use super::number::Decimals;
use crate::ascii::lowered;
use crate::language::languages_in;
use crate::lexicon::{Languages, table};
use crate::script::is_cjk;
use crate::words::{ByForm, form};

/// How much of a text is read to learn how it writes decimals, in bytes.
const DECIMALS_SAMPLE: usize = 32 * 1024;

/// How a document writes decimals, and in which language it is. A sentence of it that does not show it by itself writes them so:
/// *Der Fluss ist 1.200 km lang*.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Habit(Decimals, Languages);

impl Habit {
    /// Of a text that is read alone.
    pub const NONE: Habit = Habit(Decimals::Unknown, Languages::ALL);

    /// The habit of a text.
    ///
    /// ```
    /// use cited_text::quantity::{Habit, quantities_in};
    /// let draft = "Der Fluss ist 1.200 km lang. Die Stadt hat nach der Zählung von 2022 rund 12.500 Einwohner.";
    /// let found = quantities_in("Der Fluss ist 1.200 km lang.", Habit::detect_in(draft));
    /// assert_eq!((found[0].value, found[0].alternative), (1_200_000.0, None));
    /// ```
    pub fn detect_in(text: &str) -> Self {
        Habit(decide_decimals(text), languages_in(text, Languages::ALL))
    }

    /// The languages that the document may be in: one when it is sure.
    pub fn languages(self) -> Languages {
        self.1
    }

    /// How a text of a document with this habit writes decimals: as it shows itself, else as the document does. A document of two
    /// languages may have a sentence with commas: *35,5 °C*.
    pub(super) fn decimals_of(self, text: &str) -> Decimals {
        let own = decide_decimals(text);
        match (own, self.0) {
            (Decimals::Unknown | Decimals::PerhapsComma, Decimals::Comma) | (Decimals::Unknown, Decimals::Point) => {
                self.0
            }
            _ => own,
        }
    }
}

/// Function words by the decimals of the languages that have them.
static DECIMAL_WORDS: LazyLock<ByForm<Decimals>> = LazyLock::new(|| {
    let mut words = ByForm::default();
    for row in table::rows(include_str!("data/decimals.tsv")) {
        let decimals = if row.class == "point" { Decimals::Point } else { Decimals::Comma };
        words.extend(row.forms().map(|word| (form(word), decimals)));
    }
    words
});

/// So many frequent words more of one kind settle it.
const CLEAR_LEAD: u32 = 32;

/// Learns from frequent words, from the script and from clear numbers how a text writes decimals.
fn decide_decimals(text: &str) -> Decimals {
    let end = text.floor_char_boundary(DECIMALS_SAMPLE);
    let sample = &text[..end];
    let (mut point, mut comma) = (0u32, 0u32);
    for word in sample.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty() && word.len() <= 24) {
        // Names have words of other languages: *LA Times*, *Los Angeles*; none begins with *Of* or *Which*.
        let said = lowered(word, |lower| DECIMAL_WORDS.get(&form(lower))).flatten();
        let said = said.filter(|said| **said == Decimals::Point || !word.starts_with(char::is_uppercase));
        let word = if word.starts_with(char::is_uppercase) { "" } else { word };
        match said {
            Some(Decimals::Point) => point += 1,
            Some(_) => comma += 1,
            None if word.starts_with(is_cjk) => point += 1,
            // English has no *ä* and no *ж*.
            None if !word.is_ascii() => comma += 1,
            None => {}
        }
        if point.abs_diff(comma) >= CLEAR_LEAD {
            break;
        }
    }
    match (point, comma) {
        _ if point > comma => Decimals::Point,
        _ if comma >= point + 2 => Decimals::Comma,
        _ if comma > point => Decimals::PerhapsComma,
        _ => Decimals::Unknown,
    }
}
