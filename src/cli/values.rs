//! How the words of settings are read, where their type does not say so itself.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use ipnet::IpNet;
use url::Url;

use cited_core::finding::{Code, Severity};
use cited_fetch::Endpoint;
use cited_report::printers::{PRINTERS, Printer, TEXT};

type Read<T> = Result<T, String>;

/// The longest time limit that is not a slip of the hand, in seconds.
pub const LONGEST: f64 = 86_400.0;
/// The shortest time limit, in seconds.
pub const SHORTEST: f64 = 0.001;

/// A number of a range.
pub fn number<T: FromStr + PartialOrd + Display>(text: &str, range: &RangeInclusive<T>) -> Read<T> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("must be a number from {} to {}", range.start(), range.end()))
}

/// A count of at least one.
pub fn count<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Read<T> {
    let count = text.parse().ok().filter(|count| *count >= T::from(1));
    count.ok_or_else(|| "must be a whole number of at least 1".to_owned())
}

/// Seconds of a range.
pub fn seconds(text: &str, range: &RangeInclusive<f64>) -> Read<Duration> {
    number(text, range).map(Duration::from_secs_f64).map_err(|why| format!("{why} seconds"))
}

/// A length of time, as `30m`, `2h` or `7d`.
pub fn age(text: &str) -> Read<Duration> {
    let wrong = || "must be a time such as 30m, 2h or 7d".to_owned();
    let span: jiff::Span = text.parse().map_err(|_| wrong())?;
    let age = span.to_duration(jiff::SpanRelativeTo::days_are_24_hours()).map_err(|_| wrong())?;
    Duration::try_from(age).map_err(|_| wrong())
}

/// A point in time.
pub fn time(text: &str) -> Read<jiff::Timestamp> {
    text.parse().map_err(|_| "must be a time such as 2026-01-31T12:00:00Z".to_owned())
}

/// A day.
pub fn day(text: &str) -> Read<jiff::civil::Date> {
    text.parse().map_err(|_| "must be a day such as 2026-12-31".to_owned())
}

/// A program or a service that the user lends.
pub fn lent(text: &str) -> Read<String> {
    let is_named = !text.trim().is_empty();
    is_named.then(|| text.to_owned()).ok_or_else(|| "must be a command or an address".to_owned())
}

/// An archive; nothing for `none`.
pub fn archive(text: &str) -> Read<Option<Endpoint>> {
    if text == "none" { Ok(None) } else { Endpoint::parse(text).map(Some) }
}

/// A range of addresses, or one address.
pub fn range(text: &str) -> Read<IpNet> {
    let address = || text.parse().map(|address: std::net::IpAddr| IpNet::from(address));
    text.parse().or_else(|_| address()).map_err(|_| "must be a range such as 10.0.0.0/8".to_owned())
}

/// What stands in a header.
pub fn printable(text: &str) -> Read<String> {
    let is_printable = !text.trim().is_empty() && text.chars().all(|c| c == ' ' || c.is_ascii_graphic());
    is_printable.then(|| text.to_owned()).ok_or_else(|| "must be printable ASCII".to_owned())
}

/// An e-mail address or a web address, such as can stand in a header.
pub fn contact(text: &str) -> Read<String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'(' | b')' | b';' | b'<' | b'>'));
    let email = text.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty() && host.contains('.') && !host.starts_with('.') && !host.contains(['@', '/'])
    });
    let is_contact = plain && (email || web_address(text).is_ok());
    is_contact.then(|| text.to_owned()).ok_or_else(|| "must be an e-mail address or an http(s) address".to_owned())
}

/// An address on the web.
pub fn web_address(text: &str) -> Read<Url> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    url.ok_or_else(|| "must be an http or https address".to_owned())
}

/// A check of the judge, by its name.
pub fn check(text: &str) -> Read<&'static str> {
    cited_judge::checks::check(text).map(|check| check.id).ok_or_else(|| "no such check".to_owned())
}

/// The severity that a line of `[severity]` gives to a code.
pub fn severity(text: &str) -> Read<(Code, Severity)> {
    let (code, severity) = text.split_once('=').ok_or("must be a table: code = \"error\", \"warning\" or \"note\"")?;
    let code = Code::parse(code).ok_or("no such code; `cited explain` lists them")?;
    Ok((code, level(severity).ok_or("must be error, warning or note")?))
}

/// A severity by its name.
pub fn level(name: &str) -> Option<Severity> {
    [Severity::Error, Severity::Warning, Severity::Note].into_iter().find(|own| own.as_str() == name)
}

/// The printers that have a name, by it.
pub fn format() -> impl TypedValueParser<Value = &'static Printer> {
    let named = || PRINTERS.iter().filter_map(|printer| Some((printer.name?, printer)));
    let values = named().map(|(name, printer)| PossibleValue::new(name).help(printer.about));
    let find = move |name: String| named().find(|(known, _)| *known == name).map(|(_, printer)| printer);
    PossibleValuesParser::new(values).try_map(move |name| find(name).ok_or("no such format"))
}

/// Whether a format is text for people, the default.
pub fn is_text(format: &Printer) -> bool {
    format.name == TEXT.name
}

/// One word of `--fail-on`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fails {
    /// Nothing that is found.
    Never,
    /// Findings of this severity and of graver ones.
    From(Severity),
    /// Findings of one kind.
    Code(Code),
}

impl Fails {
    /// Reads a word.
    ///
    /// # Errors
    /// When it is neither a severity nor a code; says so.
    pub fn read(text: &str) -> Result<Fails, String> {
        let severity = || level(text).map(Fails::From);
        let read = if text == "never" { Some(Fails::Never) } else { severity() };
        read.or_else(|| Code::parse(text).map(Fails::Code)).ok_or_else(|| {
            "must be error, warning, note, never, or codes of findings; `cited explain` lists them".to_owned()
        })
    }
}
