//! Timestamps of captures.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::super::transport::Answer;

/// Whether a text is a timestamp: fourteen digits.
pub fn is_stamp(text: &str) -> bool {
    text.len() == 14 && text.bytes().all(|b| b.is_ascii_digit())
}

/// The time of fourteen digits. Old captures have a month or day of `00`; it counts as the first.
pub fn instant(stamp: &str) -> Option<Timestamp> {
    let number = |from: usize, to: usize| stamp.get(from..to)?.parse::<i16>().ok();
    let small = |from: usize, to: usize| number(from, to).and_then(|n| i8::try_from(n).ok());
    let time = DateTime::new(
        number(0, 4)?,
        small(4, 6)?.max(1),
        small(6, 8)?.max(1),
        small(8, 10)?.min(23),
        small(10, 12)?.min(59),
        small(12, 14)?.min(59),
        0,
    );
    time.ok()?.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
}

/// The fourteen digits of a time.
pub fn digits(time: Timestamp) -> String {
    time.strftime("%Y%m%d%H%M%S").to_string()
}

/// Noon of a date, in digits.
pub fn noon(date: jiff::civil::Date) -> String {
    format!("{:04}{:02}{:02}120000", date.year(), date.month(), date.day())
}

/// Noon of a date as HTTP writes it.
pub fn http_noon(date: jiff::civil::Date) -> Option<String> {
    let time = instant(&noon(date))?;
    Some(time.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string())
}

/// The first fourteen digits between slashes, with or without a flag behind them.
pub fn stamp_in(address: &str) -> Option<String> {
    address.split('/').find_map(|part| {
        let digits = part.trim_end_matches("id_").trim_end_matches("mp_").trim_end_matches("if_");
        is_stamp(digits).then(|| digits.to_owned())
    })
}

/// When a memento was taken; `None` for an answer that is none (RFC 7089, section 2.1.1).
pub fn memento(answer: &Answer) -> Option<Timestamp> {
    let time = httpdate::parse_http_date(&answer.header("memento-datetime")?).ok()?;
    Timestamp::try_from(time).ok()
}

#[cfg(test)]
mod tests {
    use super::{instant, stamp_in};

    #[test]
    fn timestamps_with_zeros_are_read() {
        assert_eq!(instant("19970000000000").unwrap().to_string(), "1997-01-01T00:00:00Z");
        assert!(instant("20231305000000").is_none());
        assert_eq!(stamp_in("https://h/web/20230105000000id_/https://a/").as_deref(), Some("20230105000000"));
        assert_eq!(stamp_in("https://h/web/https://a/"), None);
    }
}
