//! When an author looked at a source: `accessed 12 March 2024` and its kin in other languages.

use std::ops::Range;
use std::sync::LazyLock;

use jiff::civil::Date;

use crate::pattern::{Pattern, any_of};
use cited_text::lexicon::table;
use cited_text::quantity::{Measure, quantities};

const TABLE: &str = include_str!("data/accessed.tsv");

/// What dates are written with, and what is known in its place.
static WRITINGS: LazyLock<Vec<(&'static str, &'static str)>> = LazyLock::new(|| {
    let rows = table::rows(TABLE).filter_map(|row| Some((row.class.strip_prefix("as ")?, row)));
    rows.flat_map(|(known, row)| row.forms().map(move |form| (form, known))).collect()
});

/// How many bytes after the word a date may take.
const LONGEST_DATE: usize = 48;

/// The date of access that `text` names, with the bytes of word and date.
pub(crate) fn find(text: &str) -> Option<(Date, Range<usize>)> {
    static WORD: Pattern = Pattern::made(|| format!("(?i){}", any_of(table::words(TABLE, "before"))));
    WORD.find_iter(text).find_map(|word| {
        let glued = text[..word.start()].ends_with(|c: char| c.is_ascii_alphabetic());
        let rest = &text[word.end()..];
        let (date, length) = leading_date(&rest[..rest.ceil_char_boundary(LONGEST_DATE)])?;
        (!glued).then_some((date, word.start()..word.end() + length))
    })
}

/// The date at the start of `text`, and how many bytes it takes with what stands before it.
pub(crate) fn leading_date(text: &str) -> Option<(Date, usize)> {
    // `le 12 mars`, `: 2024-03-12`: what is longer is a word of something else.
    let leads = |before: &str| {
        let mut words = before.split(|c: char| !c.is_alphabetic());
        words.all(|word| word.chars().count() <= 3) && !before.contains([';', '(', '!', '?', '"'])
    };
    let known = WRITINGS.iter().fold(text.to_owned(), |text, (own, known)| text.replacen(own, known, 1));
    let found = quantities(&known).into_iter().next().filter(|found| leads(&known[..found.span.start]))?;
    let Measure::Date(date) = found.measure else { return None };
    let (month, day) = (i8::try_from(date.month?).ok()?, i8::try_from(date.day?).ok()?);
    let date = Date::new(i16::try_from(date.year?).ok()?, month, day).ok().filter(|_| !date.swappable)?;
    Some((date, text.len().checked_sub(known.len() - found.span.end)?))
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
