//! What an amount is given for: *403 kg/ha*, *400 kg per hectare*, *0.35 €/kWh*.
//!
//! Spans of time are left to the judge, who reads them wherever they stand in a clause: *23,000 a day*.

use super::Measure;
use super::nearby::{unit_at, word_behind};
use super::tables::{BESIDE, Dimension, Unit};
use crate::words::form;

/// What an amount is given for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Per {
    /// The unit.
    pub unit: PerUnit,
    /// Where it ends in the text: it stands right behind the amount, and is no part of its span.
    pub end: usize,
}

/// The unit that an amount is given for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PerUnit {
    /// So many times the base unit of a dimension.
    Unit(Dimension, f64),
    /// A unit that no table has, by its form: *12 mg/dL*.
    Other(u64),
}

/// Spans of time from here on are the judge's, where words give them.
const HOUR: f64 = 3600.0;
/// The longest word between an amount and the unit that it is given for: *pour*.
const LONGEST_LINK: usize = 12;

/// What an amount is of is named in so many words at most …
const MOST_WORDS: usize = 2;
/// … each no longer than this, in bytes.
const LONGEST_WORD: usize = 24;

/// What an amount, of money or of a `physical` unit, that ends at `at` is given for. `Err` is something glued to it that is no
/// such unit: then it is no amount of its own unit either.
pub(super) fn per_at(text: &str, at: usize, physical: bool) -> Result<Option<Per>, ()> {
    let rest = &text[at..];
    let slash = rest.strip_prefix('/').filter(|rest| rest.starts_with(char::is_alphabetic));
    let from = match slash {
        Some(_) => at + 1,
        None => match link(rest).or_else(|| physical.then(|| link_behind_what(rest)).flatten()) {
            Some(len) => at + len,
            None => return Ok(None),
        },
    };
    let unit = unit_at(text, from).filter(|(_, end)| !text[*end..].starts_with(char::is_alphanumeric));
    match unit {
        // *12 €/h*, *a dose of 30 mg a day*: the judge asks for what span of time a value is given.
        Some((Unit { measure: Measure::Physical(Dimension::Duration), factor, .. }, _))
            if !physical || slash.is_none() && factor >= HOUR =>
        {
            Ok(None)
        }
        Some((Unit { measure: Measure::Physical(dimension), factor, .. }, end)) => {
            Ok(Some(Per { unit: PerUnit::Unit(dimension, factor), end }))
        }
        _ if !physical || slash.is_none() => Ok(None),
        _ => {
            let len = text[from..].find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len() - from);
            let known = len > 0 && len <= LONGEST_LINK;
            let unit = || PerUnit::Other(form(&text[from..from + len].to_lowercase()));
            known.then(|| Some(Per { unit: unit(), end: from + len })).ok_or(())
        }
    }
}

/// The same across what it is an amount of, in a word or two: *12 litres of water a second*, *3 t of winter wheat per hectare*.
fn link_behind_what(rest: &str) -> Option<usize> {
    let mut at = word_at(rest).filter(|(_, word)| BESIDE.has("partitive", word))?.0;
    for _ in 0..MOST_WORDS {
        at += word_at(&rest[at..])?.0;
        if let Some(len) = link(&rest[at..]) {
            return Some(at + len);
        }
    }
    None
}

/// The word behind one space, and where it ends.
fn word_at(rest: &str) -> Option<(usize, &str)> {
    let word = word_behind(rest);
    let space = rest.chars().next()?.len_utf8();
    (1..=LONGEST_WORD).contains(&word.len()).then_some((space + word.len(), word))
}

/// The length of the word that says what an amount is given for, with the spaces round it: *per*, *je*, *a*.
fn link(rest: &str) -> Option<usize> {
    let (end, word) = word_at(rest)?;
    let space = rest[end..].chars().next().filter(|c| matches!(c, ' ' | '\u{A0}'))?;
    BESIDE.has("per", word).then_some(end + space.len_utf8())
}
