//! Words of one kind that all reports write alike.

use std::collections::BTreeMap;
use std::fmt::Display;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// A character as it may be shown on a terminal: controls and what reorders text become a replacement character.
pub fn shown(c: char) -> char {
    match c {
        '\t' => ' ',
        '\n' => '\n',
        _ if cited_text::escape::is_unsafe(c) => '\u{fffd}',
        _ => c,
    }
}

/// `text` as one line that a terminal can be trusted with.
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if c == '\n' { ' ' } else { shown(c) }).collect()
}

/// The same, in at most so many columns of a terminal.
pub fn cut(text: &str, columns: usize) -> String {
    let line = one_line(text);
    if line.width() <= columns {
        return line;
    }
    let shown = fitting(&line, columns.saturating_sub(1), |c| c.width().unwrap_or(0));
    format!("{}…", shown.trim_end())
}

/// The first characters of a text, so many at most.
pub fn head(text: &str, most: usize) -> &str {
    fitting(text, most, |_| 1)
}

/// What fits of a text into so many columns, by the width of each character.
pub(crate) fn fitting(text: &str, columns: usize, width: impl Fn(char) -> usize) -> &str {
    let mut used = 0;
    let mut over = text.char_indices().skip_while(|(_, c)| {
        used += width(*c);
        used <= columns
    });
    over.next().map_or(text, |(end, _)| &text[..end])
}

/// How many there are of each.
pub(crate) fn tally<T: Ord>(all: impl Iterator<Item = T>) -> BTreeMap<T, usize> {
    let mut counts = BTreeMap::new();
    all.for_each(|one| *counts.entry(one).or_default() += 1);
    counts
}

/// What there is any of, in a row: `3 errors, 1 note`.
pub fn listed(counts: impl IntoIterator<Item = (usize, String)>) -> String {
    let there = counts.into_iter().filter(|(count, _)| *count > 0);
    there.map(|(_, words)| words).collect::<Vec<_>>().join(", ")
}

/// A number as people read it: `1,204`.
pub fn grouped(number: impl Display) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group).into_owned());
    groups.collect::<Vec<_>>().join(",")
}

/// `1 claim`, `1,204 claims`, `2 entries`.
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, what: &str) -> String {
    let stem = what.strip_suffix("ry").filter(|_| count != N::from(1));
    let s = if count == N::from(1) { "" } else { "s" };
    let what = stem.map_or_else(|| format!("{what}{s}"), |stem| format!("{stem}ries"));
    format!("{} {what}", grouped(count))
}

/// `line 3`, `lines 3, 4, 9 and 2 more`: so many at most are named.
pub(crate) fn lines_named(lines: &[impl Display], most: usize) -> String {
    let named: Vec<String> = lines.iter().take(most).map(ToString::to_string).collect();
    let more = lines.len() - named.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    match lines.len() {
        0 => String::new(),
        1 => format!("line {}", named.join("")),
        _ => format!("lines {}{more}", named.join(", ")),
    }
}

/// The day of a moment, in UTC.
pub(crate) fn day(moment: jiff::Timestamp) -> jiff::civil::Date {
    moment.to_zoned(jiff::tz::TimeZone::UTC).date()
}

/// How JSON names a value that is a word there.
pub(crate) fn word_of(value: impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).ok();
    value.as_ref().and_then(|value| value.as_str()).unwrap_or_default().to_owned()
}
