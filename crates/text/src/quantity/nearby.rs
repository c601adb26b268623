//! What stands right before and right after a number: currency, magnitude, unit, bound, and how a text writes decimals.

use std::sync::LazyLock;

use crate::Span;
use crate::ascii::lowered;
use crate::language;
use crate::lexicon::Languages;

use super::number::{han_value, last_word};
use super::tables::{BESIDE, CURRENCY_PREFIXES, UNITS, Unit, ends_with_phrase, parts, qualifier_at_end};
use super::{Bound, Date, Measure, date};
use crate::script::is_cjk;

/// The longest unit phrase, in bytes.
pub(super) const LONGEST_UNIT: usize = 40;
/// Words up to this length, in characters, are not what a number counts: *from 12 in May to 30 ms*.
pub(super) const SMALL_WORD: usize = 3;
/// How far before a number words that bear on it are looked for, in bytes.
const LOOK_BACK: usize = 48;

/// The place value of the last non-zero digit, at most a thousandth of the value: how exactly 一百二十万 is meant.
pub fn trailing_unit(value: f64) -> f64 {
    let mut unit = 1.0;
    while unit * 10.0 <= value && value % (unit * 10.0) == 0.0 {
        unit *= 10.0;
    }
    unit
}

/// *10+*, *10 or more*, *10 以上*: a bound that stands after the number.
pub(super) fn bound_after(text: &str, at: usize) -> Option<Bound> {
    let stands = |class| BESIDE.of(class).iter().any(|form| text[at..].starts_with(form));
    let is = |(class, _): &(_, _)| stands(*class);
    [("at-least", Bound::AtLeast), ("at-most", Bound::AtMost)].into_iter().find(is).map(|(_, bound)| bound)
}

/// What stands before a number: what bounds it, and whether it is the value before a change, or behind it.
pub(super) fn before(text: &str, start: usize, languages: impl Fn() -> Languages + Copy) -> (Bound, bool, bool) {
    let low = text.ceil_char_boundary(start.saturating_sub(LOOK_BACK));
    let window = text[low..start].to_lowercase();
    let mut rest = window.trim_end_matches('(');
    let mut bound = Bound::Exact;
    let mut goes_to = false;
    for _ in 0..2 {
        // *Más de un 40 %*, *über die 40*.
        let behind_an_article = || {
            let written = rest.strip_suffix(' ')?;
            let head = &rest[..=written.rfind(' ')?];
            let head = Some(head).filter(|head| BESIDE.has("article", &written[head.len()..]))?;
            Some((head, qualifier_at_end(head, languages)?))
        };
        let direct = qualifier_at_end(rest, languages).map(|found| (rest, found));
        let Some((head, (form, found))) = direct.or_else(behind_an_article) else { break };
        rest = head;
        bound = if bound == Bound::Exact { found } else { bound };
        goes_to |= BESIDE.has("to", form.trim());
        rest = rest[..rest.len() - form.len()].trim_end_matches('(');
        if !rest.is_empty() && !rest.ends_with(' ') && !form.starts_with(|c: char| !c.is_ascii_alphabetic()) {
            break;
        }
    }
    let rest = rest.trim_end_matches([' ', '\u{A0}']);
    let word_start = rest.char_indices().rev().take(16).take_while(|(_, c)| c.is_alphabetic()).last().map(|(i, _)| i);
    let word = word_start.map_or("", |i| &rest[i..]);
    let cjk = |class: &str| {
        let mut tails = word.char_indices().rev().take(3).map(|(i, _)| &word[i..]);
        word.ends_with(is_cjk) && tails.any(|tail| BESIDE.has(class, tail))
    };
    let from = BESIDE.has("from", word) || cjk("from");
    let to = BESIDE.has("to", word) || cjk("to") || goes_to || rest.ends_with(['→', '⟶']);
    (bound, from, to)
}

/// Where degrees end that words beside them say are below zero: *20 degrees below zero*, *moins 20 degrés*, 零下20度.
pub(super) fn below_zero(text: &str, degrees: Span) -> Option<usize> {
    let rest = degrees.after(text).trim_start_matches([' ', '\u{A0}']);
    let behind = |form: &&&str| {
        let (own, tail) = rest.split_at_checked(form.len()).unwrap_or_default();
        own.to_lowercase() == ***form && !tail.starts_with(|c: char| c.is_alphanumeric() && !is_cjk(c))
    };
    let before = || {
        let low = text.ceil_char_boundary(degrees.start.saturating_sub(LOOK_BACK));
        let window = text[low..degrees.start].trim_end_matches([' ', '\u{A0}']).to_lowercase();
        let stands = |form: &&str| ends_with_phrase(&window, form);
        BESIDE.of("below-zero-before").iter().any(stands).then_some(degrees.end)
    };
    BESIDE.of("below-zero").iter().find(behind).map(|form| text.len() - rest.len() + form.len()).or_else(before)
}

/// The word right behind one space; empty where none stands there.
pub(super) fn word_behind(rest: &str) -> &str {
    let rest = rest.strip_prefix([' ', '\u{A0}']).unwrap_or_default();
    &rest[..rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())]
}

/// Whether a number that looks like a year counts what stands behind it: *about 1500 people*, *2000 participants took part*; not *in
/// 2000 people voted*, *the 2019 students*.
pub(super) fn counts_people_or_things(before: &str, behind: &str) -> bool {
    let word = word_behind(behind);
    if !BESIDE.are(&["counted", "counted-behind-years"], word) {
        return false;
    }
    let before = before.trim_end();
    let last = last_word(before).to_lowercase();
    !before.is_empty() && !BESIDE.has("moment", &last) && !BESIDE.has("dating", &last)
}

/// The currency that ends right before `at`, and where it starts.
pub(super) fn currency_before(text: &str, at: usize) -> Option<(&'static str, usize)> {
    let before = &text[..at];
    let trimmed = before.strip_suffix([' ', '\u{A0}', '\u{202F}']).unwrap_or(before);
    let last = trimmed.chars().next_back()?;
    if last.is_ascii_lowercase() && last != 's' || last.is_ascii_digit() || last.is_ascii_punctuation() && last != '$' {
        return None;
    }
    let (form, code) = CURRENCY_PREFIXES.iter().find(|(form, _)| {
        trimmed.strip_suffix(form).is_some_and(|head| {
            let word = form.starts_with(|c: char| c.is_ascii_alphabetic());
            !word || !head.ends_with(|c: char| c.is_ascii_alphanumeric())
        })
    })?;
    Some((code, trimmed.len() - form.len()))
}

/// `30M`, `7B`, `$5m`: a magnitude in one letter.
pub(super) fn glued_magnitude(text: &str, at: usize, money: bool) -> Option<(f64, usize)> {
    let rest = &text[at..];
    let first = rest.chars().next()?;
    if rest[first.len_utf8()..].starts_with(|c: char| c.is_alphanumeric() || c == '/') {
        return None;
    }
    // *3m+*, *12m people*: no unit.
    let counts_millions = || {
        let rest = &rest[1..];
        rest.strip_prefix('+').is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
            || BESIDE.has("counted", word_behind(rest))
    };
    let factor = match first {
        'k' | 'K' => 1e3,
        'M' => 1e6,
        'B' => 1e9,
        'm' if money || counts_millions() => 1e6,
        'b' if money => 1e9,
        'T' | 't' if money => 1e12,
        _ => return None,
    };
    Some((factor, at + 1))
}

/// Ordinals and decades: `3rd`, `1990s`.
pub(super) fn glued_suffix(text: &str, at: usize, value: f64, digits: usize) -> Option<(Measure, usize)> {
    const ORDINALS: [&str; 7] = ["st", "nd", "rd", "th", "er", "ème", "e"];
    let rest = &text[at..];
    let whole = |len: usize| !rest[len..].starts_with(|c: char| c.is_alphanumeric());
    if digits == 4 && date::is_year(value) && value % 10.0 == 0.0 && rest.starts_with('s') && whole(1) {
        return Some((Measure::Date(Date { year: Some(value as i32), ..Date::default() }), at + 1));
    }
    let suffix = ORDINALS.iter().find(|suffix| rest.starts_with(**suffix) && whole(suffix.len()))?;
    Some((Measure::Ordinal, at + suffix.len()))
}

/// Whether what stands behind a number makes it an ordinal: `19. Jahrhundert`, `19世纪`.
pub(super) fn is_ordinal_before(rest: &str) -> bool {
    BESIDE.of("ordinal").iter().any(|form| rest.starts_with(form))
}

/// Whether a number before 年 says how long, and names no year: *随访3年后*, *10年来*; *23年5月* and *令和3年* are dates.
pub(super) fn is_span_of_years(before: &str, rest: &str, value: f64) -> bool {
    /// A smaller number is no year of this century in short.
    const SHORT_YEAR: f64 = 16.0;
    let Some(behind) = rest.strip_prefix('年') else { return false };
    let era = BESIDE.of("era").iter().any(|era| before.ends_with(era));
    let lasts = behind.starts_with(['后', '後', '内', '间', '間', '前', '来', '來', '以', '多', '余']);
    let month = behind.starts_with(|c: char| c.is_numeric() || han_value(c).is_some());
    !era && !month && value >= 1.0 && (value < SHORT_YEAR || value < 100.0 && lasts)
}

/// The unit at `at` or after one space or hyphen: the longest form that the table has.
pub(super) fn unit_at(text: &str, at: usize) -> Option<(Unit, usize)> {
    let rest = &text[at..];
    let gap = rest.chars().next().filter(|c| matches!(c, ' ' | '\u{A0}' | '\u{202F}' | '\u{2009}' | '-' | '\u{2011}'));
    let from = at + gap.map_or(0, char::len_utf8);
    let first = text[from..].chars().next()?;
    if matches!(gap, Some('-' | '\u{2011}')) && !first.is_alphabetic()
        || first.is_ascii_digit()
        || first.is_whitespace()
    {
        return None;
    }
    // Forms end after each character of a script without spaces, else at the ends of words.
    let letter = |c: char| {
        // *Wh¹* has the mark of a note; *m²* and *s³* are units.
        let note = matches!(c, '¹' | '⁴'..='⁹');
        c.is_alphanumeric() && !note || matches!(c, '²' | '³' | '·' | '⋅')
    };
    let is_end = |end: &usize| {
        let (Some(last), next) = (text[..*end].chars().next_back(), text[*end..].chars().next()) else { return false };
        // *961 billion美元*
        next.is_none_or(|next| is_cjk(first) || is_cjk(next) != is_cjk(last) || !(letter(next) && letter(last)))
    };
    let window = &text[from..text.floor_char_boundary(from + LONGEST_UNIT)];
    let ends_it =
        |c: char| matches!(c, '\n' | '\t' | '(' | ')' | '[' | ']' | ',' | ';' | ':' | '"' | '。' | '、' | '，');
    let stop = window.find(ends_it).unwrap_or(window.len());
    let limit = window[..stop].match_indices(' ').nth(2).map_or(stop, |(third, _)| third);
    let ends = (from + 1..=from + limit).rev().filter(|end| text.is_char_boundary(*end)).filter(is_end);
    ends.map(|end| text[from..end].trim_end()).find_map(|form| {
        // Symbols as they are written, words in any case.
        let word = || lowered(form, |lower| UNITS.get(lower)).flatten();
        let unit = *UNITS.get(form).or_else(|| if form.chars().nth(3).is_some() { word() } else { None })?;
        let counts = unit.language.is_none_or(|own| is_written_in(text, from, own));
        counts.then_some((unit, from + form.len()))
    })
}

/// Whether the text around a place may be in a language: *40 bin* is 40,000 in Turkish, and *mit 40 bin ich* is not.
fn is_written_in(text: &str, at: usize, own: &str) -> bool {
    /// So much of the text around shows its language, in bytes to each side.
    const AROUND: usize = 200;
    language::language(Span::at(at).widened(text, AROUND).slice(text)).is_none_or(|language| language == own)
}

/// A unit that follows its number across a small word: *5 milliards d'euros*, *5 millones de dólares*, *5 тыс. рублей*.
pub(super) fn linked_unit(text: &str, at: usize, magnitude: f64) -> Option<(Unit, usize)> {
    const LINKS: [&str; 5] = [" de", " d'", " d’", " of", "."];
    if magnitude <= 1.0 {
        return None;
    }
    let link = LINKS.iter().find(|link| text[at..].starts_with(**link))?;
    unit_at(text, at + link.len())
}

/// Whether *a in b* is a share: *one in five*, *4 out of 10*.
pub(super) fn is_share(between: &str, a: f64, b: f64) -> bool {
    BESIDE.has("share", between)
        && a >= 1.0
        && a < b
        && (b <= 10.0 || matches!(b as u64, 20 | 25 | 50 | 100 | 1000 | 10_000 | 100_000))
}

/// The last place of a number that is told in halves, so that 2.5 is *two and a half* and 2.6 is not.
pub(super) const PARTS_ULP: f64 = 0.1;
/// Numbers from here on are not told with a half or a quarter: years.
const MOST_WITH_PART: f64 = 1000.0;

/// The part that begins at `at`, and where it ends: *two and a half years*, *deux ans et demi*, *an hour and three quarters*.
pub(super) fn part_after(text: &str, at: usize) -> Option<(f64, usize)> {
    // Every number is asked, and hardly one has a part behind it.
    let begins = text.as_bytes().get(at).zip(text.as_bytes().get(at + 1));
    if matches!(begins, Some((0xE5, 0x8D))) {
        // The half behind a unit: *1天半*, *2時間半*; not *10年半导体*, where it begins a word.
        let rest = text.get(at..)?.strip_prefix('半')?;
        let begins_a_word = parts("nohalf").any(|(next, _)| rest.starts_with(next));
        return (text[..at].ends_with(is_cjk) && !begins_a_word).then_some((0.5, at + '半'.len_utf8()));
    }
    if !matches!(begins, Some((b' ', b'a' | b'e' | b'y' | 0xD1) | (b'-', b'a'))) {
        return None;
    }
    let rest = text.get(at..)?;
    let ends = |(part, _): &(&str, f64)| {
        rest.strip_prefix(*part).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
    };
    parts("behind").find(ends).map(|(part, value)| (value, at + part.len()))
}

/// A whole number with the part of one that begins at `at`, and where that ends.
pub(super) fn with_part(text: &str, at: usize, value: f64) -> Option<(f64, usize)> {
    let whole = value.fract() == 0.0 && value.abs() < MOST_WITH_PART;
    let (part, after) = part_after(text, at).filter(|_| whole)?;
    Some((value + part.copysign(value), after))
}

/// The end of a set phrase of numbers that measures nothing: *24/7*, *9/11*, *401(k)*, 百度.
pub(super) fn set_phrase(text: &str, at: usize) -> Option<usize> {
    let phrase = SET_PHRASES.iter().find(|phrase| text[at..].starts_with(**phrase))?;
    let (before, behind) = (&text[..at], &text[at + phrase.len()..]);
    let is_apart = if phrase.starts_with(is_cjk) {
        // 一百度 are degrees: words are written without a space, and only a number goes on before one.
        !before.ends_with(|c: char| c.is_ascii_digit() || han_value(c).is_some())
    } else {
        !behind.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '/')
            && !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | ',' | '-'))
    };
    is_apart.then_some(at + phrase.len())
}

/// The phrases of `data/set_phrases.txt`.
static SET_PHRASES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    include_str!("data/set_phrases.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
});
