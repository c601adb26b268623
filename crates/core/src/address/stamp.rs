//! Addresses of archived copies, and the timestamps in them.

use crate::pattern::Pattern;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use url::Url;

/// Whether a text is a timestamp: fourteen digits.
pub fn is_stamp(text: &str) -> bool {
    text.len() == 14 && text.bytes().all(|b| b.is_ascii_digit())
}

/// The time of fourteen digits. Old captures have a month or day of `00`; it counts as the first.
pub fn instant(stamp: &str) -> Option<Timestamp> {
    let part = |from: usize| stamp.get(from..from + 2)?.parse::<i8>().ok();
    let (month, day) = (part(4)?.max(1), part(6)?.max(1));
    let (hour, minute, second) = (part(8)?.min(23), part(10)?.min(59), part(12)?.min(59));
    let time = DateTime::new(stamp.get(..4)?.parse().ok()?, month, day, hour, minute, second, 0);
    Some(time.ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

/// The fourteen digits of a time.
pub fn digits(time: Timestamp) -> String {
    time.strftime("%Y%m%d%H%M%S").to_string()
}

/// Noon of a date, in digits.
pub fn noon(date: jiff::civil::Date) -> String {
    date.strftime("%Y%m%d120000").to_string()
}

/// Fourteen digits between slashes, with or without a flag behind them.
static STAMP: Pattern = Pattern::new("(?:^|/)([0-9]{14})(?:(?:id|mp|if)_)?(?:/|$)");

/// The first fourteen digits between slashes, with or without a flag behind them.
pub fn stamp_in(address: &str) -> Option<String> {
    Some(STAMP.captures(address)?[1].to_owned())
}

/// The page that an address is a copy of, and the fourteen digits of the copy: `https://h/web/20230105000000id_/https://a/`
/// (RFC 7089, appendix A, has these addresses; every archive with the software of the Wayback Machine or pywb uses them).
pub fn copy_of(address: &Url) -> Option<(Url, String)> {
    let found = STAMP.captures(address.as_str())?;
    let original = &address.as_str()[found.get(0)?.end()..];
    // Some write one slash only, and some no scheme.
    let original = match original.split_once(":/") {
        Some((scheme @ ("http" | "https"), rest)) => format!("{scheme}://{}", rest.trim_start_matches('/')),
        _ => format!("https://{original}"),
    };
    let original = Url::parse(&original).ok().filter(|url| url.host_str().is_some_and(|host| host.contains('.')))?;
    Some((original, found[1].to_owned()))
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::{copy_of, instant, stamp_in};

    #[test]
    fn copies_and_what_they_are_of() {
        let check = |address: &str, expected: Option<(&str, &str)>| {
            let found = copy_of(&Url::parse(address).unwrap());
            let found = found.as_ref().map(|(url, stamp)| (url.as_str(), stamp.as_str()));
            assert_eq!(found, expected, "{address}");
        };
        let stamp = "20200101000000";
        check("https://web.archive.org/web/20200101000000/https://a.example/x", Some(("https://a.example/x", stamp)));
        check(
            "https://web.archive.org/web/20200101000000id_/http://a.example/?q=1",
            Some(("http://a.example/?q=1", stamp)),
        );
        check("https://web.archive.org/web/20200101000000/https:/a.example/x", Some(("https://a.example/x", stamp)));
        check("http://arq.example/coll/20200101000000mp_/a.example/x", Some(("https://a.example/x", stamp)));
        check("https://a.example/photos/20200101000000/list", None);
        check("https://a.example/photos/20200101000000", None);
        check("https://web.archive.org/web/2020/https://a.example/x", None);
    }

    #[test]
    fn timestamps_with_zeros_are_read() {
        assert_eq!(instant("19970000000000").unwrap().to_string(), "1997-01-01T00:00:00Z");
        assert!(instant("20231305000000").is_none());
        assert_eq!(stamp_in("https://h/web/20230105000000id_/https://a/").as_deref(), Some("20230105000000"));
        assert_eq!(stamp_in("https://h/web/https://a/"), None);
    }
}
