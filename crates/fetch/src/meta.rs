//! What a page says about itself: title, date, author, DOI, from its `<meta>` elements and JSON-LD.

use std::collections::HashMap;
use std::sync::LazyLock;

use jiff::civil::Date;
use serde_json::{Map, Value};

use super::html::Html;
use super::plain::one_line;
use cited_core::citation::reference::dois_in;
use cited_core::page::{Imprint, Page};
use cited_text::lexicon::table;

/// What pages call the fields of their `<meta>` elements, by what they say, best first.
static NAMES: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| table::read(include_str!("data/meta.tsv")));

/// What a page gives as a field, by the names of it, best first.
fn values<'h>(html: &'h Html, field: &str) -> impl Iterator<Item = &'h str> {
    let names = NAMES.get(field).into_iter().flatten();
    let metas = names.flat_map(move |name| html.metas.iter().filter(move |(key, _)| key == name));
    metas.map(|(_, value)| value.as_str())
}

/// Bytes of a title.
pub const LONGEST_TITLE: usize = 4 << 10;

/// Titles and authors of a page that are kept.
const MOST_NAMES: usize = 40;

/// Length of an author's name or list of names, in bytes.
const AUTHOR_LIMIT: usize = 300;

/// How deep a JSON-LD graph is searched.
const LD_DEPTH: usize = 6;

/// Reads what a page says about itself. Titles have at most `max_title` bytes.
pub fn read(html: &Html, max_title: usize) -> Page {
    let ld: Vec<Value> = html.json_ld.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
    let mut works = Vec::new();
    ld.iter().for_each(|value| ld_works(value, 0, &mut works));
    let published = values(html, "work-date")
        .chain(values(html, "date"))
        .find_map(date)
        .or_else(|| works.iter().find_map(|work| date(work.get("datePublished")?.as_str()?)))
        .or_else(|| html.times.iter().find_map(|time| date(time)));
    let found_doi = values(html, "doi").find_map(doi);
    let language = html
        .language
        .clone()
        .or_else(|| values(html, "language").next().map(str::to_owned))
        .map(|tag| tag.split([',', ';']).next().unwrap_or_default().trim().replace('_', "-"))
        .filter(|tag| {
            !tag.is_empty() && tag.len() <= 35 && tag.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        });
    // What the marks of a page say of the work that it is.
    let all = |field| values(html, field).map(str::to_owned);
    let headlines = works.iter().filter_map(|work| work.get("headline")?.as_str().map(str::to_owned));
    let titles = html.title.clone().into_iter().chain(all("title")).chain(html.heading.clone()).chain(headlines);
    let people = works.iter().flat_map(|work| ld_authors(work)).filter_map(|(name, person)| person.then_some(name));
    let names = all("author").chain(people).filter(|name| !name.starts_with("http"));
    let of_works = works.iter().filter_map(|work| year(work.get("datePublished")?.as_str()?));
    let state = works.iter().find_map(|work| work.get("creativeWorkStatus")?.as_str());
    let imprint = Imprint {
        titles: each_once(titles, max_title),
        authors: each_once(names, AUTHOR_LIMIT),
        year: values(html, "work-date").filter_map(year).chain(of_works).next(),
        published_work: all("work").next().is_some(),
        state: state.and_then(|state| one_line(state, AUTHOR_LIMIT)),
    };
    let title = imprint.titles.first().cloned();
    // An organisation is the author where no person is named.
    let any = || works.iter().flat_map(|work| ld_authors(work)).find_map(|(name, _)| one_line(&name, AUTHOR_LIMIT));
    let author = imprint.authors.first().cloned().or_else(any);
    Page { title, language, published, author, doi: found_doi, imprint, ..Page::default() }
}

fn each_once(names: impl Iterator<Item = String>, limit: usize) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for name in names.filter_map(|name| one_line(&name, limit)) {
        if kept.len() < MOST_NAMES && !kept.contains(&name) {
            kept.push(name);
        }
    }
    kept
}

/// The year of a date in any of its writings; a bare year is one, too.
fn year(text: &str) -> Option<i16> {
    let text = text.trim();
    let bare = || text.get(..4)?.parse().ok().filter(|year| text.len() == 4 && (1500..=2200).contains(year));
    date(text).map(Date::year).or_else(bare)
}

/// A date in the forms that pages use: ISO 8601 with or without a time, `2024/03/01`, `20240301`, RFC 9110.
pub fn date(text: &str) -> Option<Date> {
    let text = text.trim();
    if let Ok(time) = httpdate::parse_http_date(text) {
        let stamp = jiff::Timestamp::try_from(time).ok()?;
        return Some(stamp.to_zoned(jiff::tz::TimeZone::UTC).date());
    }
    let parts: Vec<&str> = text.split(|c: char| !c.is_ascii_digit()).collect();
    let date = match parts[..] {
        [day, ..] if day.len() == 8 => day.parse().ok()?,
        [year, month, ref rest @ ..] if year.len() == 4 => {
            let day = rest.first().and_then(|day| day.parse().ok()).unwrap_or(1);
            Date::new(year.parse().ok()?, month.parse().ok()?, day).ok()?
        }
        _ => return None,
    };
    (1500..=2200).contains(&date.year()).then_some(date)
}

/// The DOI in a text, as it is compared.
pub fn doi(text: &str) -> Option<String> {
    dois_in(text).next().map(|(_, doi)| doi)
}

/// The works that JSON-LD is about: what has an author, a headline or a date of publication, at the top or in the graph. What hangs on
/// one of them, such as a comment or a related article, is none.
fn ld_works<'a>(value: &'a Value, depth: usize, found: &mut Vec<&'a Map<String, Value>>) {
    match value {
        Value::Object(map) if depth <= LD_DEPTH => {
            if ["headline", "author", "datePublished", "creativeWorkStatus"].iter().any(|key| map.contains_key(*key)) {
                found.push(map);
            }
            ["@graph", "mainEntity"].iter().filter_map(|key| map.get(*key)).for_each(|value| {
                ld_works(value, depth + 1, found);
            });
        }
        Value::Array(items) if depth <= LD_DEPTH => items.iter().for_each(|item| ld_works(item, depth + 1, found)),
        _ => {}
    }
}

/// The authors of a work by their names, and whether each is a person. An organisation is none.
fn ld_authors(work: &Map<String, Value>) -> Vec<(String, bool)> {
    let authors = match work.get("author") {
        Some(Value::Array(authors)) => authors.as_slice(),
        author => author.map(std::slice::from_ref).unwrap_or_default(),
    };
    let named = authors.iter().filter_map(|author| match author {
        Value::String(name) => Some((name.clone(), true)),
        Value::Object(map) => {
            let name = map.get("name")?.as_str()?.to_owned();
            Some((name, map.get("@type").and_then(Value::as_str) != Some("Organization")))
        }
        _ => None,
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::super::html;
    use super::{LONGEST_TITLE, date, doi, read};

    #[test]
    fn dates_in_many_writings() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(date(text).map(|d| d.to_string()).as_deref(), expected, "{text}");
        };
        check("2024-03-01", Some("2024-03-01"));
        check("2024-03-01T10:00:00+02:00", Some("2024-03-01"));
        check("2024/03/01", Some("2024-03-01"));
        check("20240301", Some("2024-03-01"));
        check("2024/03", Some("2024-03-01"));
        check("Fri, 01 Mar 2024 10:00:00 GMT", Some("2024-03-01"));
        check("March 1", None);
        check("2024-13-01", None);
        check("", None);
    }

    #[test]
    fn dois_in_many_writings() {
        let check = |text: &str, expected: Option<&str>| assert_eq!(doi(text).as_deref(), expected, "{text}");
        check("doi:10.1000/ABC.def", Some("10.1000/abc.def"));
        check("https://doi.org/10.1038/nature12373", Some("10.1038/nature12373"));
        let of_issue = "10.1175/1520-0442(1991)004<0957:adarcc>2.0.co;2";
        check("10.1175/1520-0442(1991)004<0957:ADARCC>2.0.CO;2", Some(of_issue));
        check("10.1/x", None);
        check("Version 10.2", None);
    }

    #[test]
    fn metadata_of_a_page() {
        let page = html::read(
            r#"<html lang="en-GB"><title> A  page | Site</title><meta name="citation_author" content="Doe, J.">
            <meta property="article:published_time" content="2023-05-06T07:08:09Z"><meta name="citation_doi" content="10.1234/X">
            <script type="application/ld+json">{"@graph":[{"datePublished":"2020-01-01"}]}</script><body>x"#,
            None,
            false,
        );
        let meta = read(&page, LONGEST_TITLE);
        assert_eq!(meta.title.as_deref(), Some("A page | Site"));
        assert_eq!(meta.published.map(|d| d.to_string()).as_deref(), Some("2023-05-06"));
        assert_eq!(meta.author.as_deref(), Some("Doe, J."));
        assert_eq!(meta.doi.as_deref(), Some("10.1234/x"));
        assert_eq!(meta.language.as_deref(), Some("en-GB"));
    }

    #[test]
    fn what_a_page_says_of_the_work_that_it_is() {
        let page = html::read(
            r#"<title>A page | Site</title><meta name="citation_title" content="A work"><meta name="citation_author" content="Doe, J.">
            <meta name="citation_author" content="Roe, K."><meta name="citation_publication_date" content="2019">
            <script type="application/ld+json">{"@graph":[{"headline":"A work","creativeWorkStatus":"Retracted",
            "author":[{"@type":"Person","name":"Jo Lee"},{"@type":"Organization","name":"The Post"}],
            "comment":{"author":"A Reader","headline":"Rubbish"}}]}</script><body><h1>A work</h1>x"#,
            None,
            false,
        );
        let imprint = read(&page, LONGEST_TITLE).imprint;
        assert_eq!(imprint.titles, ["A page | Site", "A work"]);
        assert_eq!(imprint.authors, ["Doe, J.", "Roe, K.", "Jo Lee"]);
        assert_eq!((imprint.year, imprint.published_work), (Some(2019), true));
        assert_eq!(imprint.state.as_deref(), Some("Retracted"));
        let plain =
            read(&html::read("<title>x</title><time datetime=\"2011-01-01\">then</time>", None, false), LONGEST_TITLE)
                .imprint;
        assert_eq!((plain.year, plain.published_work), (None, false), "a time on the page is no date of the work");
    }
}
