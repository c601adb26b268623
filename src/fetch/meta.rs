//! What a page says about itself: title, date, author, DOI, from its `<meta>` elements and JSON-LD.

use jiff::civil::Date;
use serde_json::Value;

use super::html::Html;
use super::plain::one_line;

/// Titles, best first: Highwire, Dublin Core, Open Graph, Twitter.
const TITLES: [&str; 5] = ["citation_title", "dc.title", "og:title", "twitter:title", "title"];

/// Publication dates, best first: Highwire (Google Scholar's inclusion guidelines), Dublin Core, Open Graph, schema.org.
const DATES: [&str; 16] = [
    "citation_publication_date",
    "citation_date",
    "citation_online_date",
    "article:published_time",
    "og:article:published_time",
    "datepublished",
    "dc.date.issued",
    "dcterms.issued",
    "dc.date",
    "dcterms.date",
    "dcterms.created",
    "prism.publicationdate",
    "parsely-pub-date",
    "sailthru.date",
    "pubdate",
    "date",
];

/// Authors, best first.
const AUTHORS: [&str; 7] = [
    "citation_author",
    "dc.creator",
    "dcterms.creator",
    "author",
    "article:author",
    "parsely-author",
    "sailthru.author",
];

/// DOIs.
const DOIS: [&str; 6] =
    ["citation_doi", "dc.identifier", "dc.identifier.doi", "prism.doi", "bepress_citation_doi", "doi"];

/// Names of the site that a page is of.
const SITES: [&str; 2] = ["og:site_name", "application-name"];

/// Languages.
const LANGUAGES: [&str; 4] = ["content-language", "dc.language", "citation_language", "og:locale"];

/// Length of an author's name or list of names, in bytes.
const AUTHOR_LIMIT: usize = 300;

/// How deep a JSON-LD graph is searched.
const LD_DEPTH: usize = 6;

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Meta {
    /// Title.
    pub title: Option<String>,
    /// Language tag.
    pub language: Option<String>,
    /// Publication date.
    pub published: Option<Date>,
    /// Author.
    pub author: Option<String>,
    /// DOI.
    pub doi: Option<String>,
    /// Name of the site.
    pub site: Option<String>,
}

/// Reads what a page says about itself. Titles have at most `max_title` bytes.
pub fn of(html: &Html, max_title: usize) -> Meta {
    let ld: Vec<Value> = html.json_ld.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
    let first = |names: &[&str]| names.iter().find_map(|name| html.metas.iter().find(|(key, _)| key == name));
    let value = |names: &[&str]| first(names).map(|(_, value)| value.clone());
    let title = html
        .title
        .as_deref()
        .and_then(|title| one_line(title, max_title))
        .or_else(|| value(&TITLES).and_then(|title| one_line(&title, max_title)))
        .or_else(|| html.heading.as_deref().and_then(|heading| one_line(heading, max_title)));
    let published = DATES
        .iter()
        .filter_map(|name| html.metas.iter().find(|(key, _)| key == name))
        .find_map(|(_, value)| date(value))
        .or_else(|| ld.iter().find_map(|value| ld_text(value, "datePublished", 0)).and_then(|text| date(&text)))
        .or_else(|| html.times.iter().find_map(|time| date(time)));
    let author = value(&AUTHORS)
        .filter(|author| !author.starts_with("http"))
        .or_else(|| ld.iter().find_map(ld_author))
        .and_then(|author| one_line(&author, AUTHOR_LIMIT));
    let found_doi = DOIS
        .iter()
        .flat_map(|name| html.metas.iter().filter(move |(key, _)| key == name))
        .find_map(|(_, value)| doi(value));
    let language = html
        .language
        .clone()
        .or_else(|| value(&LANGUAGES))
        .map(|tag| tag.split([',', ';']).next().unwrap_or_default().trim().replace('_', "-"))
        .filter(|tag| {
            !tag.is_empty() && tag.len() <= 35 && tag.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        });
    let site = value(&SITES).and_then(|site| one_line(&site, max_title));
    Meta { title, language, published, author, doi: found_doi, site }
}

/// A date in the forms that pages use: ISO 8601 with or without a time, `2024/03/01`, `20240301`, RFC 9110.
pub fn date(text: &str) -> Option<Date> {
    let text = text.trim();
    if let Ok(time) = httpdate::parse_http_date(text) {
        let stamp = jiff::Timestamp::try_from(time).ok()?;
        return Some(stamp.to_zoned(jiff::tz::TimeZone::UTC).date());
    }
    let digits: Vec<&str> = text.split(|c: char| !c.is_ascii_digit()).collect();
    let number = |at: usize| digits.get(at).and_then(|part| part.parse::<i16>().ok());
    let (year, month, day) = match digits.first()?.len() {
        4 => (number(0)?, number(1)?, number(2).unwrap_or(1)),
        8 => {
            let all = digits.first()?;
            (all.get(..4)?.parse().ok()?, all.get(4..6)?.parse().ok()?, all.get(6..)?.parse().ok()?)
        }
        _ => return None,
    };
    if !(1500..=2200).contains(&year) {
        return None;
    }
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

/// A DOI in lower case, from any of its writings.
pub fn doi(text: &str) -> Option<String> {
    let at = text.find("10.")?;
    let candidate: String =
        text.get(at..)?.chars().take_while(|c| !c.is_whitespace() && !"\"<>".contains(*c)).collect();
    let (prefix, suffix) = candidate.split_once('/')?;
    let registrant = prefix.strip_prefix("10.")?;
    let valid = registrant.len() >= 4 && registrant.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    (valid && !suffix.is_empty()).then(|| candidate.trim_end_matches(['.', ',', ';', ')']).to_lowercase())
}

fn ld_text(value: &Value, key: &str, depth: usize) -> Option<String> {
    if depth > LD_DEPTH {
        return None;
    }
    match value {
        Value::Object(map) => map
            .get(key)
            .and_then(|found| found.as_str().map(str::to_owned))
            .or_else(|| map.get("@graph").and_then(|graph| ld_text(graph, key, depth + 1)))
            .or_else(|| map.get("mainEntity").and_then(|entity| ld_text(entity, key, depth + 1))),
        Value::Array(items) => items.iter().find_map(|item| ld_text(item, key, depth + 1)),
        _ => None,
    }
}

fn ld_author(value: &Value) -> Option<String> {
    match value {
        Value::Object(map) => match map.get("author") {
            Some(Value::String(name)) => Some(name.clone()),
            Some(author) => ld_text(author, "name", 0),
            None => map.get("@graph").and_then(ld_author),
        },
        Value::Array(items) => items.iter().find_map(ld_author),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::html;
    use super::{date, doi, of};

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
        );
        let meta = of(&page, 4096);
        assert_eq!(meta.title.as_deref(), Some("A page | Site"));
        assert_eq!(meta.published.map(|d| d.to_string()).as_deref(), Some("2023-05-06"));
        assert_eq!(meta.author.as_deref(), Some("Doe, J."));
        assert_eq!(meta.doi.as_deref(), Some("10.1234/x"));
        assert_eq!(meta.language.as_deref(), Some("en-GB"));
    }
}
