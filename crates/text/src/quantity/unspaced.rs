//! What stands round a number in writing without spaces: *1天半*, *每秒1.5米*.

use super::Dimension;
use super::tables::{Unit, UnitKind, parts};
use crate::script::is_cjk;

/// The half behind a unit that begins at `at`, and where it ends: *1天半*, *2時間半*; not *10年半导体*, where it begins a word.
pub(super) fn half_at(text: &str, at: usize) -> Option<(f64, usize)> {
    let rest = text.get(at..)?.strip_prefix('半')?;
    let behind_a_unit = text[..at].ends_with(is_cjk);
    let begins_a_word = parts("nohalf").any(|(next, _)| rest.starts_with(next));
    (behind_a_unit && !begins_a_word).then_some((0.5, at + '半'.len_utf8()))
}

/// The unit of a length that something goes in each second or hour, where that is told before it: *每秒1.5米*, *時速90キロ*.
pub(super) fn as_speed(text: &str, start: usize, unit: Unit) -> Unit {
    if unit.kind != UnitKind::Physical(Dimension::Length)
        || text.as_bytes().get(start.wrapping_sub(1)).is_none_or(u8::is_ascii)
    {
        return unit;
    }
    // *每秒2至50米*
    let before = text[..start].trim_end_matches(['至', '到', '~', '～', '-', '–']);
    let before =
        if before.len() < start { before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') } else { before };
    let span = parts("speed").find(|(word, _)| before.ends_with(word));
    span.map_or(unit, |(_, seconds)| Unit {
        kind: UnitKind::Physical(Dimension::Speed),
        factor: unit.factor / seconds,
        ..unit
    })
}
