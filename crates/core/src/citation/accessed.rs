//! When an author looked at a source: `accessed 12 March 2024` and its kin in other languages.

use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, MatchKind};
use jiff::civil::Date;

use cited_text::lexicon::table;

const TABLE: &str = include_str!("data/accessed.tsv");

/// Names of months, cut to what tells them apart, with their numbers.
static MONTHS: LazyLock<Vec<(&'static str, i8)>> = LazyLock::new(|| {
    let numbered = |row: table::Row| Some((row.class.parse().ok()?, row));
    table::rows(TABLE)
        .filter_map(numbered)
        .flat_map(|(number, row)| row.forms().map(move |form| (form, number)))
        .collect()
});

/// Words before the date that titles have, too.
static OF_TITLES: LazyLock<Vec<&'static str>> = LazyLock::new(|| table::words(TABLE, "of-titles").collect());

/// How many bytes after the word a date may take.
const LONGEST_DATE: usize = 48;

/// The date of access that `text` names, with the bytes of word and date.
pub(crate) fn find(text: &str) -> Option<(Date, Range<usize>)> {
    static MATCHER: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    let matcher = MATCHER.get_or_init(|| {
        let words = table::words(TABLE, "before");
        AhoCorasick::builder().ascii_case_insensitive(true).match_kind(MatchKind::LeftmostLongest).build(words).ok()
    });
    matcher.as_ref()?.find_iter(text).find_map(|word| {
        let glued = text[..word.start()].ends_with(|c: char| c.is_ascii_alphabetic());
        let rest = &text[word.end()..];
        let limit = rest.char_indices().map(|(at, _)| at).find(|at| *at >= LONGEST_DATE).unwrap_or(rest.len());
        let (date, length) = leading_date(&rest[..limit])?;
        (!glued).then_some((date, word.start()..word.end() + length))
    })
}

/// Whether words on when an author looked could be words of a title.
pub(crate) fn may_be_a_title(words: &str) -> bool {
    OF_TITLES.iter().any(|own| words.get(..own.len()).is_some_and(|start| start.eq_ignore_ascii_case(own)))
}

/// The date at the start of `text`, and how many bytes it takes with what stands before it.
pub(crate) fn leading_date(text: &str) -> Option<(Date, usize)> {
    let mut numbers: Vec<(i32, usize)> = Vec::new();
    let mut month = None;
    let mut at = 0;
    let mut end = 0;
    while at < text.len() && numbers.len() + usize::from(month.is_some()) < 3 {
        let rest = &text[at..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let letters = rest.find(|c: char| !c.is_alphabetic() || is_date_sign(c)).unwrap_or(rest.len());
        if digits > 0 {
            numbers.push((rest[..digits].parse().ok().filter(|_| digits <= 4)?, digits));
            at += digits;
            end = at;
        } else if letters > 0 {
            let word = rest[..letters].to_lowercase();
            let found = MONTHS.iter().filter(|(name, _)| word.starts_with(*name)).max_by_key(|(name, _)| name.len());
            match found {
                Some((_, number)) if month.is_none() => month = Some(*number),
                // `12th of March`, `12 de marzo de 2024`, `le 12 mars`
                _ if word.chars().count() <= 3 => {}
                _ => break,
            }
            at += letters;
            if month.is_some() {
                end = at;
            }
        } else {
            let c = rest.chars().next()?;
            if matches!(c, ';' | '(' | '!' | '?' | '"') || (!numbers.is_empty() && c == ')') {
                break;
            }
            at += c.len_utf8();
            if is_date_sign(c) {
                end = at;
            }
        }
    }
    let year_of = |number: &(i32, usize)| (number.1 == 4).then_some(number.0);
    let (year, month, day) = match (numbers.as_slice(), month) {
        ([first, second], Some(month)) => match (year_of(first), year_of(second)) {
            (Some(year), None) => (year, i32::from(month), second.0),
            (None, Some(year)) => (year, i32::from(month), first.0),
            _ => return None,
        },
        ([year, month, day], None) if year_of(year).is_some() => (year.0, month.0, day.0),
        ([first, second, year], None) if year_of(year).is_some() => {
            // Dots write the day first everywhere; slashes only say it when one number cannot be a month.
            let dotted = text[..end].contains('.');
            match (first.0, second.0) {
                (month, day) if day > 12 => (year.0, month, day),
                (day, month) if dotted || day > 12 || day == month => (year.0, month, day),
                _ => return None,
            }
        }
        _ => return None,
    };
    let date = Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    Some((date, end))
}

/// The signs for year, month and day of Chinese, Japanese and Korean dates.
fn is_date_sign(c: char) -> bool {
    matches!(c, '年' | '月' | '日' | '년' | '월' | '일')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(find(text).map(|(date, _)| date.to_string()).as_deref(), expected, "of {text:?}");
    }

    #[test]
    fn dates_in_common_writings() {
        for text in [
            "Title, accessed 2024-03-12",
            "(Accessed: 12 March 2024)",
            "accessed March 12, 2024.",
            "Retrieved 12 Mar. 2024, from",
            "Retrieved on March 12th, 2024",
            "访问日期：2024年3月12日",
            "访问于 2024-03-12",
            "abgerufen am 12. März 2024",
            "Zugriff am 12.03.2024",
            "consulté le 12 mars 2024",
            "consultado el 12 de marzo de 2024",
            "acesso em 12 mar. 2024",
            "дата обращения: 12.03.2024",
            "дата обращения: 12 марта 2024",
            "閲覧日 2024年3月12日",
            "접속일 2024년 3월 12일",
            "last accessed 2024/3/12",
            "accessed 3/12/2024 x".replace("3/12", "3/13").replace("13", "12").as_str(),
        ] {
            if text.contains("3/12/2024") {
                check(text, None);
            } else {
                check(text, Some("2024-03-12"));
            }
        }
        check("accessed 3/13/2024", Some("2024-03-13"));
    }

    #[test]
    fn no_dates() {
        for text in [
            "accessed by 12 people",
            "accessed",
            "2024-03-12",
            "accessed 2024",
            "accessed March 2024",
            "accessed 99/99/2024",
        ] {
            check(text, None);
        }
    }
}
