//! Every figure of a text: those, too, that the reading of quantities leaves out because they mostly are names, dates or marks of notes:
//! *\[18\]%*, *6 of 2024 shops*, *halved*, *④②*, *6×10^3*. A document is better read with too few; who has to account for all of them asks
//! here: what has digits and is not evidently a label, a date or part of a name.

use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

use super::tables::BESIDE;
use super::{Measure, Quantity};
use crate::Span;
use crate::lexicon::{Classes, table};
use crate::words::last_word;

const TABLE: &str = include_str!("data/figures.tsv");
/// Why a figure cannot be covered that a page shows otherwise than it is written.
pub const HIDDEN: &str = "is not written as it is read; write the character itself";
/// Bytes around a figure that are looked at.
const AROUND: usize = 48;

/// A number that cannot be read: where it stands, and why no claim can cover it.
pub type Unreadable = (Span, &'static str);

static FACTORS: LazyLock<Vec<(&str, Vec<f64>)>> = LazyLock::new(|| with_numbers("factor"));
static MAGNITUDES: LazyLock<Vec<(&str, Vec<f64>)>> = LazyLock::new(|| with_numbers("magnitude"));
static NUMBERS: LazyLock<Vec<(&str, Vec<f64>)>> = LazyLock::new(|| with_numbers("number"));
static HAN: LazyLock<Vec<(&str, Vec<f64>)>> = LazyLock::new(|| with_numbers("han"));
static CLASSES: Classes = Classes::new(TABLE);

/// Whether a word says what is counted.
fn is_counted(word: &str) -> bool {
    CLASSES.has("counted", word) || BESIDE.has("counted", word)
}

/// The forms of a class with the numbers behind their slash.
fn with_numbers(class: &'static str) -> Vec<(&'static str, Vec<f64>)> {
    let of = |form: &'static str| {
        let (word, numbers) = form.split_once('/')?;
        Some((word, numbers.split(',').filter_map(|number| number.parse().ok()).collect()))
    };
    table::words(TABLE, class).filter_map(of).collect()
}

/// Whether a quantity says when, and so which of several things is meant, rather than how much: *in May 2024*, *week 24*.
pub fn says_when(text: &str, quantity: &Quantity) -> bool {
    let before = quantity.span.before(text).trim_end_matches([' ', '\u{a0}', '-']);
    let counts = matches!(quantity.measure, Measure::Count) && !quantity.spelled;
    quantity.is_temporal() || counts && CLASSES.has("period", &last_word(before).to_lowercase())
}

/// The figures of `text` that are not among `read`, the quantities of it, in order; and those that cannot be read. `required` says which of
/// `read` have to be covered anyway.
pub fn figures(
    text: &str,
    read: &[Quantity],
    required: impl Fn(&Quantity) -> bool,
) -> (Vec<Quantity>, Vec<Unreadable>) {
    let mut found = Vec::new();
    let mut unreadable = hidden(text);
    for (index, quantity) in read.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|index| read.get(index));
        match quantity.measure {
            Measure::Label | Measure::Ordinal => found.extend(amount(text, quantity)),
            Measure::Date(_) => found.extend(amount_for_date(text, quantity, before)),
            _ if required(quantity) => unreadable.extend(expression(text, quantity)),
            _ => {}
        }
    }
    let others = other_digits(text, read).into_iter();
    let others = others.map(|span| (Measure::Count, span, value_of(span.slice(text)).into_iter().collect()));
    for (measure, span, readings) in others.chain(spelled(text, read, required)) {
        match *readings {
            [value, ref more @ ..] => found.push(Quantity { measure, ..figure(span, value, more.first().copied()) }),
            [] => unreadable.push((span, "is no number that can be compared; write it in digits")),
        }
    }
    found.sort_by_key(|figure| figure.span);
    (found, unreadable)
}

/// A number that is read in one way, or in two.
fn figure(span: Span, value: f64, alternative: Option<f64>) -> Quantity {
    Quantity { alternative, ..Quantity::exact(span, Measure::Count, value) }
}

/// The text behind `at`, as far as it is looked at.
fn behind(text: &str, at: usize) -> &str {
    let end = text.floor_char_boundary(at + AROUND);
    &text[at..end.max(at)]
}

/// The first word of a text.
fn first_word(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len())]
}

/// What a run of digits says, in whatever digits it is written.
fn value_of(digits: &str) -> Option<f64> {
    let plain: String = digits.nfkc().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    plain.parse().ok()
}

/// A number that was read as a label or a place in a row, and counts something: *\[18\]%*, *#5 million*, *Article 5 people*.
fn amount(text: &str, quantity: &Quantity) -> Option<Quantity> {
    let words = quantity.span.slice(text);
    let ordinal = quantity.measure == Measure::Ordinal;
    let named = words.contains(char::is_alphabetic)
        || text[..quantity.span.start].ends_with(|c: char| c.is_alphanumeric() || c == '-');
    // *GPT-4 users*, *24/7*
    if named && !ordinal || words.contains('/') {
        return None;
    }
    let value = value_of(words)?;
    let rest = behind(text, quantity.span.end);
    let closed = rest.trim_start_matches([']', ')']);
    let spaced = closed.trim_start_matches([' ', '\u{a0}']);
    let stopped = closed.trim_start_matches('.').trim_start_matches([' ', '\u{a0}']);
    if spaced.starts_with(['%', '‰', '％']) {
        return Some(figure(quantity.span, value, Some(value / 100.0)));
    }
    let lower = first_word(stopped).to_lowercase();
    if let Some((_, scales)) = MAGNITUDES.iter().find(|(word, _)| *word == lower) {
        return Some(figure(quantity.span, value, scales.first().map(|scale| value * scale)));
    }
    let counts = !ordinal && closed.len() != spaced.len() && is_counted(first_word(spaced));
    counts.then(|| figure(quantity.span, value, None))
}

/// A number that was read as a year or a day and may be an amount: *6 of 2024 shops*, *sold 1987 with*, *In March 18 shops*.
fn amount_for_date(text: &str, quantity: &Quantity, before: Option<&Quantity>) -> Option<Quantity> {
    let Measure::Date(date) = quantity.measure else { return None };
    let words = quantity.span.slice(text);
    let next = first_word(behind(text, quantity.span.end).strip_prefix(' ').unwrap_or_default());
    let counts = is_counted(next);
    if let (None, Some(_), Some(day)) = (date.year, date.month, date.day) {
        let digits = if words.ends_with(|c: char| c.is_ascii_digit()) { last_word(words) } else { "" };
        let start = quantity.span.end - digits.len();
        return (counts && !digits.is_empty())
            .then(|| figure(Span::new(start, quantity.span.end), f64::from(day), None));
    }
    let year = date.year.filter(|_| date.month.is_none() && words.bytes().all(|byte| byte.is_ascii_digit()))?;
    let near = text.ceil_char_boundary(quantity.span.start.saturating_sub(AROUND));
    let head = text[near..quantity.span.start].trim_end_matches([' ', '\u{a0}', '(', '[', '*', '“', '"', '\'']);
    let word = last_word(head);
    let lower = word.to_lowercase();
    let begins = word.is_empty();
    let known = CLASSES.has("when", &lower) || lower.chars().all(|c| c.is_ascii_digit());
    // *Six of 2024*: what the six are of is counted too.
    let share = before.is_some_and(|before| {
        let between = text.get(before.span.end..quantity.span.start).unwrap_or_default().trim();
        counts && !between.is_empty() && between == lower && !matches!(before.measure, Measure::Date(_))
    });
    let named = word.starts_with(char::is_uppercase) && !counts;
    let evident = !share && (begins && !counts || known && !(counts && lower != "the" && lower != "in") || named);
    (!evident).then(|| figure(quantity.span, f64::from(year), None))
}

/// A number that is a part of an expression, whose value is another: *6×10^3*, *6/10*.
fn expression(text: &str, quantity: &Quantity) -> Option<Unreadable> {
    const OPERATORS: [char; 7] = ['×', '*', '·', '^', '/', '÷', '+'];
    let whole = behind(text, quantity.span.end);
    let rest = whole.trim_start_matches(' ').strip_prefix(OPERATORS)?;
    let operand = rest.strip_prefix(' ').unwrap_or(rest);
    let digits = operand.find(|c: char| !c.is_ascii_digit()).unwrap_or(operand.len());
    let end = quantity.span.end + whole.len() - operand.len() + digits;
    let span = Span::new(quantity.span.start, end);
    (digits > 0).then_some((span, "is an expression; write the value that it has"))
}

/// Digits that no quantity holds: those of other writings, and what is left of ours.
fn other_digits(text: &str, read: &[Quantity]) -> Vec<Span> {
    let raised = |c: char| matches!(c, '²' | '³' | '¹' | '\u{2070}'..='\u{209F}');
    let counts = |c: char| c.is_ascii_digit() || !c.is_ascii() && c.is_numeric() && !raised(c);
    let mut found = Vec::new();
    let mut chars = text.char_indices().peekable();
    let mut reads = read.iter().peekable();
    let mut held = 0;
    while let Some((start, c)) = chars.next() {
        if !counts(c) {
            continue;
        }
        let mut end = start + c.len_utf8();
        while let Some((at, c)) = chars.next_if(|(_, c)| counts(*c)) {
            end = at + c.len_utf8();
        }
        while let Some(quantity) = reads.next_if(|quantity| quantity.span.start <= start) {
            held = held.max(quantity.span.end);
        }
        let span = Span::new(start, end);
        let within = start < held || reads.peek().is_some_and(|quantity| quantity.span.start < end);
        let of_a_name = |c: Option<char>| {
            c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '#' | '&'))
        };
        let (before, after) = (text[..start].chars().next_back(), text[end..].chars().next());
        let ours = span.slice(text).is_ascii();
        let listed = before.is_none_or(|c| c == '\n') && text[end..].trim_start().starts_with(char::is_uppercase);
        if within || ours && (of_a_name(before) || of_a_name(after)) || !ours && listed {
            continue;
        }
        found.push(span);
    }
    found
}

/// Numbers in words that no quantity holds, as they are read: *halved*.
fn spelled(text: &str, read: &[Quantity], required: impl Fn(&Quantity) -> bool) -> Vec<(Measure, Span, Vec<f64>)> {
    let lower = text.to_ascii_lowercase();
    let whole = |at: usize, end: usize| {
        !text[..at].ends_with(char::is_alphanumeric) && !text[end..].starts_with(char::is_alphanumeric)
    };
    let last_before = |at: usize| {
        let index = read.partition_point(|quantity| quantity.span.start < at);
        index.checked_sub(1).and_then(|index| read.get(index))
    };
    let mut found = Vec::new();
    let known = |at: usize, end: usize| last_before(end).is_some_and(|q| q.span.end > at && required(q));
    for (words, measure) in [(&FACTORS, Measure::Multiple), (&NUMBERS, Measure::Count), (&HAN, Measure::Count)] {
        for (word, readings) in words.iter() {
            let is_han = HAN.iter().any(|(numeral, _)| numeral == word);
            for (at, _) in lower.match_indices(word) {
                let end = at + word.len();
                // One of several numerals is a part of a number: *二十三家*.
                let part = text[..at].ends_with(number_in_han) || text[end..].starts_with(number_in_han);
                let counts = || CLASSES.of("counter").iter().any(|counter| text[end..].starts_with(counter));
                let stands = if is_han { !part && counts() } else { whole(at, end) };
                if stands && !known(at, end) {
                    found.push((measure, Span::new(at, end), readings.clone()));
                }
            }
        }
    }
    found
}

/// Whether a character is part of a number in Chinese or Japanese, or makes it the place in a row: *第三*.
fn number_in_han(c: char) -> bool {
    c.is_ascii_digit() || "一二三四五六七八九十百千万萬亿億兆〇零第几幾数數".contains(c)
}

/// What a page shows otherwise than it is written: *&#52;&#50;*, *&ldquo;*.
fn hidden(text: &str) -> Vec<Unreadable> {
    let lower = text.to_ascii_lowercase();
    let mut found = Vec::new();
    for form in CLASSES.of("hidden") {
        found.extend(lower.match_indices(form).map(|(at, form)| (Span::new(at, at + form.len()), HIDDEN)));
    }
    for (at, _) in text.match_indices("&#") {
        let number = behind(text, at + 2);
        let length = number.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(number.len());
        if length > 0 {
            found.push((Span::new(at, at + 2 + length), HIDDEN));
        }
    }
    found
}
