//! The pass over a text that finds quantities.
//!
//! Every byte is looked at a bounded number of times: each word is looked up by its form, and all looking back and ahead from a number is over a bounded window.

// Magnitudes and small whole numbers are compared as they stand in the tables.
#![allow(clippy::float_cmp)]

use std::cell::{Cell, OnceCell};

use super::habit::Habit;
use super::nearby::{SMALL_WORD, before, currency_before, set_phrase, unit_at};
use super::number::{self, Decimals, Number, last_word};
use super::tables::{BESIDE, CURRENCY_PREFIXES, NUMERALS, Numeral, Unit};
use super::{Bound, Date, Measure, Quantity, clock, date};
use crate::Span;
use crate::ascii::lowered;
use crate::language::languages_in;
use crate::lexicon::Languages;
use crate::marks::note_mark;
use crate::script::is_cjk;
use crate::words::form;

/// Bytes on either side of a number that say how its line writes decimals.
const NEAR: usize = 240;

/// Finds the quantities of `text`, in order, without overlap.
///
/// ```
/// use cited_text::quantity::{Measure, quantities};
/// let found = quantities("The corpus has 1.2 million documents.");
/// assert_eq!((found[0].value, found[0].measure), (1_200_000.0, Measure::Count));
/// ```
pub fn quantities(text: &str) -> Vec<Quantity> {
    quantities_in(text, Habit::NONE)
}

/// Finds the quantities of a part of a document that writes decimals by this habit.
pub fn quantities_in(text: &str, habit: Habit) -> Vec<Quantity> {
    let (decimals, languages, parted, found) = Default::default();
    let line = Cell::new((usize::MAX, Decimals::Unknown));
    let line_languages = Cell::new((Span::at(0), Languages::ALL));
    let mut scanner = Scanner { text, habit, decimals, line, line_languages, languages, parted, found };
    scanner.read();
    scanner.pair();
    scanner.enumerate();
    scanner.found.into_iter().map(|found| found.quantity).collect()
}

/// Whether one of the [`quantities`] of `text` [is measured](Quantity::is_measured).
///
/// ```
/// use cited_text::quantity::is_measured;
/// assert!(is_measured("The corpus has 1.2 million documents."));
/// assert!(!is_measured("GPT-4 is the third."));
/// ```
pub fn is_measured(text: &str) -> bool {
    quantities(text).iter().any(Quantity::is_measured)
}

/// A quantity with what only the scan needs to know of it.
#[derive(Clone)]
pub(super) struct FoundQuantity {
    pub quantity: Quantity,
    pub magnitude: f64,
    pub unit: Option<Unit>,
    pub from: bool,
    pub to: bool,
}

/// The state of the pass.
pub(super) struct Scanner<'a> {
    pub text: &'a str,
    habit: Habit,
    decimals: OnceCell<Decimals>,
    /// The start of the line that was asked for last, and how it writes decimals.
    line: Cell<(usize, Decimals)>,
    /// The same for its languages.
    line_languages: Cell<(Span, Languages)>,
    languages: OnceCell<Languages>,
    parted: OnceCell<bool>,
    pub found: Vec<FoundQuantity>,
}

impl Scanner<'_> {
    /// Reads the text.
    fn read(&mut self) {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let next = if byte.is_ascii_digit() {
                self.locant_end(at).unwrap_or_else(|| self.number(at))
            } else if byte.is_ascii_alphabetic() {
                let mut end = at + 1;
                while bytes.get(end).is_some_and(u8::is_ascii_alphabetic) {
                    end += 1;
                }
                if bytes.get(end).is_some_and(|b| *b >= 0x80) {
                    end = self.word_end(end);
                }
                self.word(at, end)
            } else if byte < 0x80 {
                at + 1
            } else {
                self.beyond_ascii(at)
            };
            at = next.max(at + 1);
            while !self.text.is_char_boundary(at) {
                at += 1;
            }
        }
    }

    /// The end of the locants of chemistry at a digit, which count nothing: `[1,1'-Biphenyl]-4-ol`.
    fn locant_end(&self, at: usize) -> Option<usize> {
        /// Characters of the longest locants that are looked for: a longer run of digits and commas is none.
        const LONGEST: usize = 64;
        let rest = &self.text[at..];
        let other = |c: char| !(c.is_ascii_digit() || matches!(c, ',' | '\'' | '′'));
        let (end, _) = rest.char_indices().take(LONGEST).find(|(_, c)| other(*c))?;
        let names = || rest[end..].strip_prefix('-').is_some_and(|after| after.starts_with(char::is_alphabetic));
        let behind_a_bracket = || self.text[..at].strip_suffix('-').is_some_and(|before| before.ends_with([']', ')']));
        let primed = || rest[..end].contains(',') && rest[..end].contains(['\'', '′']);
        (names() && (primed() || behind_a_bracket())).then_some(at + end)
    }

    fn beyond_ascii(&mut self, at: usize) -> usize {
        let Some(c) = self.text[at..].chars().next() else { return at + 1 };
        if number::digit(c).is_some() || number::vulgar_fraction(self.text, at).is_some() {
            self.number(at)
        } else if self.text[at..].starts_with("百分之") {
            self.hundredth(at)
        } else if number::han_value(c).is_some() {
            self.han(at)
        } else if c.is_alphabetic() && !is_cjk(c) {
            let end = self.word_end(at);
            self.word(at, end)
        } else {
            at + c.len_utf8()
        }
    }

    /// The end of the run of letters that goes on at `at`.
    pub(super) fn word_end(&self, at: usize) -> usize {
        let goes_on = |c: &char| c.is_alphabetic() && !is_cjk(*c);
        at + self.text[at..].chars().take_while(goes_on).map(char::len_utf8).sum::<usize>()
    }

    /// Handles the word at `start..end`: a number word, the letters of a name with a number in it, or nothing.
    fn word(&mut self, start: usize, end: usize) -> usize {
        let bytes = self.text.as_bytes();
        let word = &self.text[start..end];
        match bytes.get(end) {
            Some(b':') if matches!(word, "http" | "https" | "ftp") => return self.token_end(end),
            Some(b'.') if word == "www" => return self.token_end(end),
            Some(b) if b.is_ascii_digit() => {
                let lower = word.to_lowercase();
                let money = CURRENCY_PREFIXES.iter().any(|(form, _)| *form == word);
                let known = money || BESIDE.has("version", &lower) || matches!(word, "FY" | "CY");
                return if known { end } else { self.label(start, end) };
            }
            Some(b @ (b'-' | b':' | b'.' | b'_')) if bytes.get(end + 1).is_some_and(u8::is_ascii_digit) => {
                let lower = word.to_lowercase();
                let reference = BESIDE.has("reference", &lower);
                let capital = word.len() <= 3 && word.bytes().all(|b| b.is_ascii_uppercase());
                let is_label = match b {
                    b'-' => {
                        let year = self.text[end + 1..].bytes().take_while(u8::is_ascii_digit).count() == 4;
                        let lowercase = word.starts_with(char::is_lowercase);
                        // *A-769662* is a name, *a-5%* is not.
                        let named = word.len() == 1 && !lowercase;
                        !(BESIDE.has("prefix", &lower) && !named || year && lowercase)
                    }
                    b':' => reference,
                    b'.' => capital && !reference && !BESIDE.has("version", &lower),
                    _ => true,
                };
                return if is_label { self.label(start, end) } else { end };
            }
            _ => {}
        }
        if let Some(after) = self.half_of_a_unit(start, end).or_else(|| self.one_of_so_many(start, end)) {
            return after;
        }
        match self.numeral(Span::new(start, end)) {
            Some(numeral) => self.spelled(start, end, numeral),
            None => end,
        }
    }

    /// The end of the run without white space that `at` is in.
    fn token_end(&self, at: usize) -> usize {
        let stop = |c: char| c.is_whitespace() || is_cjk(c) || matches!(c, '<' | '>' | '"' | ')' | ']');
        self.text[at..].find(stop).map_or(self.text.len(), |length| at + length)
    }

    /// Takes a name with digits in it (`GPT-4`, `H.264`, `run1.json`) as one label.
    pub(super) fn label(&mut self, start: usize, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut end = at;
        while let Some(byte) = bytes.get(end) {
            let inner = matches!(byte, b'-' | b'.' | b'_' | b'/' | b':')
                && bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric);
            if !byte.is_ascii_alphanumeric() && !inner {
                break;
            }
            end += 1;
        }
        if end == start {
            // A digit of another script is a label of one character.
            end += self.text[start..].chars().next().map_or(0, char::len_utf8);
        }
        self.plain(Span::new(start, end), Measure::Label, 0.0, 0.5);
        end
    }

    /// Adds a quantity that needs no unit.
    pub(super) fn plain(&mut self, span: Span, measure: Measure, value: f64, tolerance: f64) {
        self.add(Quantity { tolerance, ..Quantity::exact(span, measure, value) }, 1.0, None);
    }

    /// Adds a quantity of this magnitude and unit, whose bound is that which is told before it where it has none, and gives its end.
    pub(super) fn add(&mut self, mut quantity: Quantity, magnitude: f64, unit: Option<Unit>) -> usize {
        let (told, from, to) = before(self.text, quantity.span.start, || self.languages());
        quantity.bound = if quantity.bound == Bound::Exact { told } else { quantity.bound };
        let end = quantity.span.end;
        self.found.push(FoundQuantity { quantity, magnitude, unit, from, to });
        self.join();
        end
    }

    /// Handles the digits at `at`.
    fn number(&mut self, at: usize) -> usize {
        let text = self.text;
        if let Some((fraction, end)) = number::vulgar_fraction(text, at) {
            return self.finish(&number(at, end, fraction, 0.02));
        }
        let before = text[..at].chars().next_back();
        if let Some(end) = self.part_of_a_name(at, before) {
            return end;
        }
        if let Some((date, end)) = date::numeric(text, at) {
            return self.dated(at, (date, Span::new(at, end)));
        }
        if let Some((value, end)) =
            number::bare_power_of_ten(text, at).filter(|_| !before.is_some_and(char::is_alphanumeric))
        {
            return self.finish(&number(at, end, value, value / 10.0));
        }
        let Some(digits) = self.digits(at) else { return at + 1 };
        let digits = Number { start: at, ..digits };
        // ".5": a decimal without its zero.
        if before == Some('.')
            && digits.plain > 0
            && text[..at - 1].chars().next_back().is_none_or(|c| c.is_whitespace() || c == '(')
        {
            let scale = 10f64.powi(-i32::try_from(digits.plain).unwrap_or(300));
            let floor = self.found.last().map_or(0, |found| found.quantity.span.end);
            return self.finish(&number((at - 1).max(floor), digits.end, digits.value * scale, scale));
        }
        let mut end = digits.end;
        if let Some(after) = self.part_in_han(at, end, digits.value) {
            return after;
        }
        if let Some(time) = clock::read(text, &digits) {
            return self.add(time, 1.0, None);
        }
        if text[end..].starts_with(':')
            && digits.plain > 0
            && let Some(right) = number::digits(text, end + 1, || Decimals::Point)
        {
            let left = Quantity::exact(Span::new(at, right.end), Measure::Ratio, digits.value);
            return self.add(Quantity { tolerance: 0.5, upper: Some(right.value), ..left }, 1.0, None);
        }
        let worded = || date::worded(text, at, &digits, || self.languages());
        if let (None, Some(found)) = (digits.dotted, worded().or_else(|| date::of_era(text, at, &digits))) {
            return self.dated(at, found);
        }
        if let Some(after) = self.version(at, &digits) {
            return after;
        }
        let (mut value, mut ulp) = (digits.value, digits.ulp);
        if let Some((factor, after)) = number::power_of_ten(text, end) {
            (value, ulp, end) = (value * factor, ulp * factor, after);
            self.scale_the_one_before(at, factor);
        } else if let Some((fraction, after)) = number::vulgar_fraction(text, end) {
            (value, end) = (value + fraction, after);
        } else if digits.plain > 0
            && digits.plain <= 2
            && text[end..].starts_with('/')
            && let Some(right) = number::digits(text, end + 1, || Decimals::Point)
            && right.plain > 0
            && right.value > 1.0
            && right.value <= 100.0
            && value < right.value
        {
            return self.finish(&number(at, right.end, value / right.value, 0.02));
        } else if let Some((of, after)) = rating_after(text, end).filter(|(of, _)| ulp < 1.0 && value <= *of) {
            let share = Quantity::exact(Span::new(at, after), Measure::Percent, 100.0 * value / of);
            return self.add(Quantity { raw: value, tolerance: 50.0 * ulp / of, ..share }, 1.0, None);
        }
        self.finish(&Number { end, value, ulp, ..digits })
    }

    /// Digits that are part of a name: of a path, a handle, a citation, a DOI, a set phrase.
    fn part_of_a_name(&mut self, at: usize, before: Option<char>) -> Option<usize> {
        let text = self.text;
        if before.is_some_and(|c| matches!(c, '/' | '\\' | '_' | '@' | '#'))
            && (before == Some('#') || text[..at - 1].ends_with(char::is_alphabetic))
        {
            return Some(self.label(at, at));
        }
        if before == Some('[')
            && let Some(length) = note_mark(&text[at - 1..])
        {
            let end = at + length - 2;
            self.plain(Span::new(at, end), Measure::Label, 0.0, 0.5);
            return Some(end);
        }
        if text[at..].starts_with("10.") {
            let digits = text[at + 3..].bytes().take(9).take_while(u8::is_ascii_digit).count();
            if digits >= 4 && text[at + 3 + digits..].starts_with('/') {
                return Some(self.label(at, self.token_end(at)));
            }
        }
        set_phrase(text, at).map(|end| self.label(at, end))
    }

    /// Adds a date of which the digits at `at` are a part; what another quantity holds is none of it.
    fn dated(&mut self, at: usize, (date, span): (Date, Span)) -> usize {
        let floor = self.found.last().map_or(0, |found| found.quantity.span.end);
        let value = f64::from(date.year.unwrap_or(0));
        self.plain(Span::new(span.start.max(floor).min(at), span.end), Measure::Date(date), value, 0.0);
        span.end
    }

    /// A version: parts between points, or a number behind the name of what has versions. An address of a machine is a name.
    fn version(&mut self, at: usize, digits: &Number) -> Option<usize> {
        let is_named = self.word_before(at).is_some_and(|word| BESIDE.has("version", &word));
        let (parts, count) = match digits.dotted {
            Some((parts, 4)) if !is_named && parts.iter().all(|part| *part <= 255) => {
                return Some(self.label(at, digits.end));
            }
            Some(dotted) => dotted,
            // *To release 30 million barrels* is no release.
            None if is_named && digits.alternative.is_none() && unit_at(self.text, digits.end).is_none() => {
                number::components(&self.text[at..digits.end])
            }
            None => return None,
        };
        self.plain(Span::new(at, digits.end), Measure::Version(parts, count), digits.value, 0.0);
        Some(self.tail_of_name(digits.end))
    }

    /// The digits at `at`, with what only their unit or the rest of the text says of their separators: `9,99 €`, and `1, 056` and
    /// `98. 7 %` in text whose words and signs were parted.
    fn digits(&self, at: usize) -> Option<Number> {
        let text = self.text;
        let digits = number::digits(text, at, || self.decimals(at))?;
        if digits.plain == 0 || digits.plain > 3 {
            return Some(digits);
        }
        let has_unit = |end: usize| {
            let behind = text[end..].strip_prefix([' ', '\u{A0}', '\u{202F}']).unwrap_or(&text[end..]);
            behind.starts_with(['%', '€', '°', '‰']) || currency_before(text, at).is_some()
        };
        if let Some(decimal) = number::with_decimals(text, &digits, ',').filter(|decimal| has_unit(decimal.end)) {
            return Some(decimal);
        }
        let parted = number::parted_thousands(text, at, &digits);
        if let Some((grouped, sure)) = parted {
            if sure || self.parts_signs() {
                return Some(Number { alternative: None, ..grouped });
            }
            // *has 3, 500 homes* may be one number; *May 3, 500 people* and *(3, 500)* are two.
            let led = text[..at].ends_with(' ') && last_word(text[..at].trim_end()).starts_with(char::is_lowercase);
            let counted = self.counted(grouped.end).map_or("", |word| word.slice(text));
            let counts = counted.starts_with(char::is_lowercase) && counted.chars().count() > SMALL_WORD;
            if led && counts && grouped.alternative.is_some() {
                return Some(grouped);
            }
        }
        let is_torn = |decimal: &Number| has_unit(decimal.end) || self.parts_signs();
        number::with_decimals(text, &digits, '.').filter(is_torn).or(Some(digits))
    }

    /// The word in lower case that ends right before `at`, across one space and a point.
    pub(super) fn word_before(&self, at: usize) -> Option<String> {
        let text = &self.text[..at];
        let trimmed = text.trim_end_matches([' ', '\u{A0}']);
        if text.len() - trimmed.len() > 4 {
            return None;
        }
        let trimmed = trimmed.strip_suffix(['.', '-']).unwrap_or(trimmed);
        let start = trimmed.char_indices().rev().take(20).take_while(|(_, c)| c.is_alphabetic()).last()?.0;
        Some(trimmed[start..].to_lowercase())
    }

    /// The word right after `at`: what is counted.
    pub(super) fn counted(&self, at: usize) -> Option<Span> {
        let rest = self.text[at..].strip_prefix([' ', '\u{A0}', '-'])?;
        let start = self.text.len() - rest.len();
        let len = rest.char_indices().take(32).find(|(_, c)| !c.is_alphabetic()).map_or(rest.len().min(32), |(i, _)| i);
        let end = self.text.floor_char_boundary(start + len);
        (end > start).then(|| Span::new(start, end))
    }

    /// Whether the text has its signs parted from its figures, decided once.
    fn parts_signs(&self) -> bool {
        *self.parted.get_or_init(|| number::has_parted_thousands(self.text))
    }

    /// What a word says of a number, in the language of the text. A line may be in another one, as on a page whose frame is English: then
    /// the line shows it.
    pub(super) fn numeral(&self, word: Span) -> Option<Numeral> {
        let meanings = lowered(word.get(self.text)?, |lower| NUMERALS.get(&form(lower))).flatten()?;
        let in_them = |languages: Languages| {
            let mut meanings = meanings.in_any(languages);
            meanings.find(|(_, is_common)| !is_common || languages.only().is_some()).map(|(numeral, _)| numeral)
        };
        in_them(self.languages()).or_else(|| {
            let line = self.line_around(word.start);
            let (known_at, known) = self.line_languages.get();
            let own = if known_at == line { known } else { languages_in(line.get(self.text)?, Languages::ALL) };
            self.line_languages.set((line, own));
            own.only().and_then(|_| in_them(own))
        })
    }

    /// The line that a place is in, as far as it is near.
    fn line_around(&self, at: usize) -> Span {
        let (before, behind) = self.text.split_at(at);
        let before = &before[before.ceil_char_boundary(before.len().saturating_sub(NEAR))..];
        let behind = &behind[..behind.floor_char_boundary(NEAR)];
        let start = at - before.len() + before.rfind('\n').map_or(0, |end| end + 1);
        Span::new(start, at + behind.find('\n').unwrap_or(behind.len()))
    }

    /// The languages that the text may be in, decided once and only when a word beside a number needs it.
    pub(super) fn languages(&self) -> Languages {
        *self.languages.get_or_init(|| languages_in(self.text, self.habit.languages()))
    }

    /// How the text writes decimals at a place, decided only when a number needs it: as all of it does. Among lines in English one may
    /// be in another language, as on a page whose frame is English: it shows that it has commas, or nothing of English and a point.
    pub(super) fn decimals(&self, at: usize) -> Decimals {
        let whole = *self.decimals.get_or_init(|| self.habit.decimals_of(self.text));
        if whole != Decimals::Point {
            return whole;
        }
        let line = self.line_around(at);
        let (known_at, known) = self.line.get();
        let own =
            if known_at == line.start { known } else { Habit::NONE.decimals_of(&self.text[line.start..line.end]) };
        self.line.set((line.start, own));
        let number = self.text[at..].trim_start_matches(|c: char| c.is_ascii_digit());
        let is_other = own == Decimals::Comma || own != Decimals::Point && number.starts_with('.');
        if is_other { own } else { whole }
    }
}

/// The most that can be given, behind a mark with decimals, and where it ends: `4.5/5`, `4,5 / 5`.
fn rating_after(text: &str, at: usize) -> Option<(f64, usize)> {
    /// What marks go up to.
    const MOST: [f64; 5] = [5.0, 6.0, 10.0, 20.0, 100.0];
    let rest = text[at..].strip_prefix(" / ").or_else(|| text[at..].strip_prefix('/'))?;
    let start = text.len() - rest.len();
    let most = number::digits(text, start, || Decimals::Point).filter(|most| most.plain > 0)?;
    let alone = !text[most.end..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '-'));
    (alone && MOST.contains(&most.value)).then_some((most.value, most.end))
}

pub(super) fn number(start: usize, end: usize, value: f64, ulp: f64) -> Number {
    Number { start, end, value, ulp, ..Number::default() }
}
