//! The unit and the magnitude that stand over the bare figures of a table: *Employed (thousands)*, *Length (km)*, *USD million*, *%*.

use std::sync::LazyLock;

use regex::Regex;

use cited_text::Span;
use cited_text::lexicon;
use cited_text::quantity::{Dimension, Measure, Quantity, is_partitive, is_per, quantities};

/// How a head writes that its figures are so many times greater.
static FACTORS: LazyLock<Vec<(f64, Regex)>> = LazyLock::new(|| {
    let rows = lexicon::rows(include_str!("../data/scales.tsv"));
    let greater = rows.filter_map(|row| Some((row.class.parse().ok().filter(|factor| *factor > 1.0)?, row.written())));
    greater.filter_map(|(factor, written)| Some((factor, Regex::new(&format!("(?i){written}")).ok()?))).collect()
});

/// Longer words for a unit are a sentence, in bytes.
const LONGEST_UNIT: usize = 40;

/// A figure of a cell, read with what stands over it: the nearest first. A figure with a unit of its own stays as it is, and so does a
/// year, a version, a rank.
pub(crate) fn read(text: &str, bare: &Quantity, over: &[Span]) -> Option<Quantity> {
    if bare.measure != Measure::Count || bare.spelled || (bare.value - bare.raw).abs() > f64::EPSILON * bare.raw.abs() {
        return None;
    }
    let figures = figures_of(bare);
    let mut read: Option<(Quantity, bool)> = None;
    let mut factor = 1.0;
    let mut own = 0;
    for (at, head) in over.iter().map(|span| span.slice(text)).enumerate() {
        if read.is_none() {
            own = at;
            read = units(head).find_map(|unit| with_unit(&figures, bare, unit));
        }
        // A unit of measurement takes its magnitude along: beside a column of areas the table counts *in thousands*.
        let measured = matches!(&read, Some((q, _)) if matches!(q.measure, Measure::Physical(_)));
        if factor <= 1.0 && !(measured && at > own) {
            let said = format!("{head}\n");
            factor = FACTORS.iter().find(|(_, written)| written.is_match(&said)).map_or(1.0, |(factor, _)| *factor);
        }
    }
    let (mut value, magnified) = read.unwrap_or_else(|| (bare.clone(), false));
    let share = matches!(value.measure, Measure::Percent | Measure::Points);
    if factor > 1.0 && !magnified && !share {
        value = value.times(factor);
    }
    (value.span, value.bound, value.counted) = (bare.span, bare.bound, None);
    let times = value.value / bare.raw;
    value.alternative = bare.alternative.map(|other| other * times).filter(|other| other.is_finite());
    let same = value.measure == bare.measure && (value.value - bare.value).abs() <= f64::EPSILON * bare.value.abs();
    (!same).then_some(value)
}

/// A figure as it is read wherever it stands: the page says by its other numbers that *2.871* are two thousand.
fn figures_of(bare: &Quantity) -> String {
    let decimals = (-(2.0 * bare.tolerance).log10()).round().clamp(0.0, 9.0) as usize;
    let plain = format!("{:.decimals$}", bare.raw.abs());
    let point = plain.find('.').unwrap_or(plain.len());
    let comma = |at: usize| (0 < at && at < point && (point - at).is_multiple_of(3)).then_some(',');
    let grouped = plain.char_indices().flat_map(|(at, c)| comma(at).into_iter().chain([c]));
    (bare.raw < 0.0).then_some('-').into_iter().chain(grouped).collect()
}

/// Whether a head gives a figure below it a unit or a magnitude.
pub(crate) fn names_a_scale(head: &str) -> bool {
    let text = [head, "\n7"].concat();
    let bare = Span::new(head.len() + 1, text.len());
    let bare = quantities(&text).into_iter().find(|q| q.span == bare);
    bare.is_some_and(|bare| read(&text, &bare, &[Span::new(0, head.len())]).is_some())
}

/// What a head may name as its unit: what stands in its brackets, behind its last comma, after *in*, or all of it when it is short.
fn units(head: &str) -> impl Iterator<Item = &str> {
    let brackets = head.rmatch_indices(['(', '（', '[']).filter_map(|(at, sign)| {
        let rest = &head[at + sign.len()..];
        rest.find([')', '）', ']']).map(|end| &rest[..end])
    });
    let comma = head.rsplit_once([',', '，', '：', ':']).map(|(_, unit)| unit);
    let after_in = head.rsplit_once(" in ").or_else(|| head.rsplit_once(" en ")).map(|(_, unit)| unit);
    // A word over a column is its name, *Year*; a sign is its unit, *%*, *km²*.
    let all = (head.chars().count() <= 3 || is_unit(head)).then_some(head);
    // *length km*, as programs call it; the last word of *price per kg* says of what it is the price.
    let words = head.trim().rsplit_once(' ').filter(|(before, unit)| {
        let behind = before.rsplit(' ').next().unwrap_or_default();
        (2..=LONGEST_SYMBOL).contains(&unit.chars().count()) && !is_per(behind) && is_unit(unit)
    });
    let units = brackets.chain(comma).chain(after_in).chain(all).chain(words.map(|(_, unit)| unit));
    units.map(str::trim).filter(|unit| !unit.is_empty() && unit.len() <= LONGEST_UNIT)
}

/// A longer word behind a name is rather a part of it.
const LONGEST_SYMBOL: usize = 3;

/// Whether a text is wholly a unit: *million litres*, *hectares*, *£000*. *Year* and *Days* over a column are its name.
fn is_unit(written: &str) -> bool {
    let written = written.trim();
    let unit = currency_in_thousands(written).unwrap_or(written);
    let readings = [format!("7 {unit}"), format!("{unit}7")];
    readings.iter().any(|reading| match quantities(reading).as_slice() {
        [found] if found.span.len() == reading.len() => match found.measure {
            Measure::Physical(kind) => kind != Dimension::Duration,
            Measure::Money(_) | Measure::Percent => true,
            Measure::Count => found.value > found.raw.max(7.0),
            _ => false,
        },
        _ => false,
    })
}

/// The currency of *£000*, *€ 000s*, *USD '000*.
fn currency_in_thousands(unit: &str) -> Option<&str> {
    let currency = unit.strip_suffix('s').unwrap_or(unit).strip_suffix("000")?;
    let currency = currency.trim_end_matches([' ', '\'', '’']);
    (!currency.is_empty()).then_some(currency)
}

/// A figure with the unit that a head names, and whether a magnitude was named with it: *million tonnes*.
fn with_unit(figures: &str, bare: &Quantity, unit: &str) -> Option<(Quantity, bool)> {
    let unit = unit.strip_prefix("in ").unwrap_or(unit);
    let unit = currency_in_thousands(unit).unwrap_or(unit);
    // *Thousands of tonnes* are thousand tonnes.
    let joined = unit.split(' ').filter(|word| !is_partitive(word)).collect::<Vec<_>>().join(" ");
    let unit = joined.as_str();
    let first = unit.split([' ', ',', ';', '/']).next().unwrap_or_default();
    let rest = unit.strip_prefix(first).unwrap_or_default().trim_start();
    let (sign, letters) = first.split_at(first.find(char::is_alphabetic).unwrap_or(first.len()));
    // A currency stands before its figure as often as behind it; of *US$ per month* the first word is the unit.
    let writings = [
        format!("{figures} {unit}"),
        format!("{figures}{unit}"),
        format!("{first}{figures} {rest}"),
        format!("{first} {figures} {rest}"),
        format!("{first} {figures}{rest}"),
        // *$m*
        format!("{sign}{figures}{letters}"),
        format!("{figures} {first}"),
        format!("{first}{figures}"),
    ];
    // The number of a quantity is told with its magnitude word, which has to be a power of ten.
    let is_it = |found: &Quantity| {
        let times = (found.raw / bare.raw).log10();
        times > -1e-9 && (times - times.round()).abs() < 1e-9
    };
    let read = writings.iter().filter_map(|writing| quantities(writing).into_iter().next().filter(is_it));
    let told = read.filter(|found| found.has_unit() || found.measure == Measure::Count && found.value > bare.value);
    // The writing in which most of the head is understood: *8.9 $ million* is $8.9 and a word, *$8.9 million* is all of it.
    let found = told.reduce(|best, other| {
        let better = (other.has_unit(), other.value.abs()) > (best.has_unit(), best.value.abs());
        if better { other } else { best }
    })?;
    let magnified = found.raw.abs() > bare.raw.abs() * 2.0;
    Some((found, magnified))
}

#[cfg(test)]
mod tests {
    use super::read;
    use cited_text::Span;
    use cited_text::quantity::{Agreement, compare, quantities};

    #[test]
    fn figures_are_read_with_what_stands_over_them() {
        for (head, figures, expected) in [
            ("Length (km)", "12.5", "12.5 km"),
            ("Revenue (USD million)", "8.9", "$8.9 million"),
            ("Revenue, $ million", "8.9", "$8.9 million"),
            ("Output in thousands of tonnes", "3.5", "3,500 tonnes"),
            ("Revenue, $m", "9.6", "$9.6 million"),
            ("Revenue (£bn)", "1.2", "£1.2 billion"),
            ("Sales (USD m, twelve months)", "31.5", "$31.5 million"),
            ("Price (US$ per month)", "49", "$49"),
            ("Employed (thousands)", "1,410", "1,410,000"),
            ("Weight in kg", "3", "3 kg"),
            ("Share, %", "37.1", "37.1%"),
            ("2023 (million tonnes)", "5.6", "5.6 million tonnes"),
            ("Monthly quota (thousand parcels)", "60", "60,000"),
            ("产量（吨）", "3200", "3200 吨"),
            ("Länge (km)", "7", "7 km"),
            ("Income and spending (£000)", "912", "£912,000"),
            ("£000", "912", "£912,000"),
            ("Sales (USD '000)", "912", "$912,000"),
            ("Hectares", "40", "40 ha"),
            ("million litres", "86", "86 million litres"),
            ("length km", "6.8", "6.8 km"),
        ] {
            let text = format!("{head}\n{figures}");
            let bare = quantities(&text).into_iter().find(|q| q.span.start > head.len()).unwrap();
            let found = read(&text, &bare, &[Span::new(0, head.len())]).unwrap_or_else(|| bare.clone());
            let expected = quantities(expected).remove(0);
            assert_eq!(compare(&expected, &found), Agreement::Same, "{head} {figures}: {found:?}");
        }
        for (head, figures) in [
            ("Passengers", "12"),
            ("Price per kg", "12"),
            ("Years", "12"),
            ("Points", "12"),
            ("2023", "12"),
            ("Length (km)", "12 kg"),
            ("Year (CE)", "12"),
        ] {
            let text = format!("{head}\n{figures}");
            let bare = quantities(&text).into_iter().find(|q| q.span.start > head.len()).unwrap();
            assert_eq!(read(&text, &bare, &[Span::new(0, head.len())]), None, "{head} {figures}");
        }
    }
}
