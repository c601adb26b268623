//! The report as an Atom feed (RFC 4287): an entry for each source that there is something to tell of.
//!
//! An entry keeps its id as long as its source stays in the state that it is in, so a reader shows it once. Dates are those of the
//! report.

use std::fmt::Write as _;

use super::words::{headline, place, remedy, short, standing, told};
use crate::audit::AuditReport;
use crate::audit::report::Entry;
use crate::fetch::page::sha256_hex;
use crate::text::escape;

/// Entries of a feed: the newest.
const MOST_ENTRIES: usize = 200;
/// Places of a source that an entry names.
const MOST_PLACES: usize = 10;
/// What the id of the feed is made of.
const FEED: &str = "cited/audit/feed/1";

/// The feed.
pub fn render(report: &AuditReport) -> String {
    let mut entries: Vec<&Entry> = report.entries.iter().collect();
    entries.sort_by(|one, other| (other.since, &one.address).cmp(&(one.since, &other.address)));
    let mut out =
        String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n");
    // Writing to a string cannot fail.
    let _ = writeln!(out, "  <id>{}</id>", urn(FEED));
    let _ = writeln!(out, "  <title>Sources that documents cite: {}</title>", xml(&headline(report)));
    let _ = writeln!(out, "  <subtitle>{}</subtitle>", xml(&standing(report)));
    let _ = writeln!(out, "  <updated>{}</updated>", date(report.at));
    let _ = writeln!(out, "  <author><name>cited</name></author>");
    let _ = writeln!(out, "  <generator version=\"{}\">cited</generator>", env!("CARGO_PKG_VERSION"));
    entries.iter().take(MOST_ENTRIES).for_each(|entry| one(&mut out, entry));
    out.push_str("</feed>\n");
    out
}

fn one(out: &mut String, entry: &Entry) {
    let named = entry.titles.first().unwrap_or(&entry.address);
    let id = urn(&format!("{}\n{}\n{}", entry.key, entry.state, entry.since));
    let _ = writeln!(out, "  <entry>\n    <id>{id}</id>");
    let _ = writeln!(out, "    <title>{}: {}</title>", xml(sentence_case(short(entry.news)).as_str()), xml(named));
    let _ = writeln!(out, "    <updated>{}</updated>", date(entry.since));
    let _ = writeln!(out, "    <category term=\"{}\"/>", entry.state);
    if let Ok(address) = url::Url::parse(&entry.address) {
        let _ = writeln!(out, "    <link href=\"{}\"/>", xml(address.as_str()));
    }
    let mut words = format!("{}.", told(entry));
    if let Some(remedy) = remedy(entry) {
        let _ = write!(words, " What to do: {remedy}.");
    }
    let places: Vec<String> = entry.places.iter().take(MOST_PLACES).map(place).collect();
    if !places.is_empty() {
        let _ = write!(words, " Cited in {}.", places.join(", "));
    }
    let _ = writeln!(out, "    <content type=\"text\">{}</content>\n  </entry>", xml(&words));
}

fn date(at: jiff::Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn sentence_case(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map(|first| first.to_uppercase().to_string() + chars.as_str()).unwrap_or_default()
}

/// A name for good from what names the thing: a UUID (RFC 9562, version 8) of the first bytes of its SHA-256.
fn urn(name: &str) -> String {
    let hash = sha256_hex(name.as_bytes());
    format!("urn:uuid:{}-{}-8{}-8{}-{}", &hash[..8], &hash[8..12], &hash[13..16], &hash[17..20], &hash[20..32])
}

/// Text in an element or attribute. What XML 1.0 has no place for is taken out.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in escape::plain(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::audit::sample;

    #[test]
    fn a_night_as_a_feed() {
        let text = render(&sample::report());
        sample::snapshot("atom.xml", &text);
        assert!(!text.contains(|c: char| c != '\n' && escape::is_unsafe(c)));
        let tags = text.matches("<entry>").count();
        assert_eq!(tags, sample::report().entries.len());
    }

    #[test]
    fn an_entry_keeps_its_id_from_night_to_night() {
        let ids = |report: &AuditReport| -> Vec<String> {
            let text = render(report);
            text.lines().filter(|line| line.contains("<id>")).map(str::to_owned).collect()
        };
        let first = sample::report();
        let mut next = sample::report();
        next.at += jiff::SignedDuration::from_hours(24);
        next.round += 1;
        next.entries.iter_mut().for_each(|entry| entry.streak.failures += 1);
        assert_eq!(ids(&first), ids(&next));
        let unique: std::collections::HashSet<String> = ids(&first).into_iter().collect();
        assert_eq!(unique.len(), ids(&first).len());
    }
}
