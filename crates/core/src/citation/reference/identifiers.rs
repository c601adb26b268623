//! The identifiers of works in a text.

use std::ops::Range;

use regex::Regex;
use schemars::JsonSchema;
use serde::Serialize;

use crate::address::identity::percent_decoded;
use crate::address::in_text;
use crate::pattern::Pattern;

/// Identifiers of a work.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Ids {
    /// DOI, in small letters.
    pub doi: Option<String>,
    /// arXiv, without a version.
    pub arxiv: Option<String>,
    /// `PubMed`.
    pub pmid: Option<String>,
    /// `PubMed` Central, digits alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pmcid: Option<String>,
    /// ISBN, digits alone.
    pub isbn: Option<String>,
    /// The ACL Anthology.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acl: Option<String>,
    /// Whether the ISBN has another check digit than it should.
    #[serde(skip)]
    pub isbn_is_wrong: bool,
}

static DOI: Pattern = Pattern::made(|| format!(r"10\.\d{{4,9}}(?:\.\d+)*/(?:[^\s<>“”]|{})+", in_text::OF_ISSUE));
static ARXIV: Pattern = Pattern::new(
    r"(?i)(?:arxiv\s*[:.]\s*|arxiv\.org/(?:abs|pdf|html)/|10\.48550/arxiv\.)(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})",
);
static PMID: Pattern = Pattern::new(r"(?i)(?:PMID:?\s*|pubmed\.ncbi\.nlm\.nih\.gov/)(\d{1,8})");
static PMCID: Pattern = Pattern::new(r"(?i)\b(?:PMCID:?\s*(?:PMC)?|PMC)(\d{4,9})\b");
static ACL: Pattern = Pattern::new(
    r"(?:(?:aclanthology\.org|aclweb\.org/anthology)/|\bACL(?: Anthology)?:\s*)([A-Z]\d{2}-\d{4,5}|\d{4}\.[a-z0-9_]+-[a-z0-9]+\.\d+)",
);
static ISBN: Pattern = Pattern::new(r"(?i)ISBN(?:-1[03])?:?\s*((?:[\dX][\s-]?){9,12}[\dX])");

impl Ids {
    /// The identifiers in a text.
    pub fn in_text(text: &str) -> Ids {
        let first =
            |pattern: &Regex| pattern.captures(text).and_then(|found| Some(found.get(1)?.as_str().to_lowercase()));
        let isbn = ISBN.captures(text).map(|found| found[1].to_uppercase().replace(|c: char| !c.is_alphanumeric(), ""));
        let mut ids = Ids {
            doi: dois_in(text).next().map(|(_, doi)| doi),
            arxiv: first(&ARXIV),
            pmid: first(&PMID),
            pmcid: first(&PMCID),
            acl: ACL.captures(text).map(|found| found[1].to_owned()),
            isbn_is_wrong: isbn.as_deref().is_some_and(|isbn| !is_isbn(isbn)),
            isbn,
        };
        // The DOI of a preprint at arXiv is its number there: one name is asked for.
        if ids.doi.as_deref().is_some_and(|doi| doi.starts_with("10.48550/arxiv.")) {
            ids.arxiv = None;
        }
        ids
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &String> {
        [&self.doi, &self.arxiv, &self.pmid, &self.pmcid, &self.isbn, &self.acl].into_iter().flatten()
    }

    /// Whether there is any.
    pub fn is_any(&self) -> bool {
        self.all().next().is_some()
    }
}

/// The DOIs in a text as they are compared, each with where it stands.
pub fn dois_in(text: &str) -> impl Iterator<Item = (Range<usize>, String)> + '_ {
    DOI.find_iter(text).map(|found| {
        let written = without_end(found.as_str());
        (found.start()..found.start() + written.len(), clean_doi(written))
    })
}

/// A DOI without what a sentence put behind it.
fn without_end(doi: &str) -> &str {
    in_text::trim_end(doi.trim_end_matches(['.', ',', ';', ':', '*', '"', '\'', '”', '>', '}', '\\']))
}

/// A DOI as it is compared: in small letters, with its signs as such, without what a sentence put behind it, without the version of a preprint
/// at arXiv.
pub fn clean_doi(text: &str) -> String {
    let plain = percent_decoded(&in_text::unescaped(&text[text.find("10.").unwrap_or_default()..]));
    let doi = without_end(plain.trim_end()).to_lowercase();
    match doi.strip_prefix("10.48550/arxiv.").and_then(|id| id.rsplit_once('v')) {
        Some((id, version)) if !version.is_empty() && version.bytes().all(|b| b.is_ascii_digit()) => {
            format!("10.48550/arxiv.{id}")
        }
        _ => doi,
    }
}

/// Whether the check digit is right (ISO 2108).
fn is_isbn(isbn: &str) -> bool {
    let value = |c: char| if c == 'X' { Some(10) } else { c.to_digit(10) };
    let digits: Vec<u32> = isbn.chars().filter_map(value).collect();
    match digits.len() {
        10 => digits.iter().zip((1..=10).rev()).map(|(digit, weight)| digit * weight).sum::<u32>() % 11 == 0,
        13 => digits.iter().zip([1, 3].iter().cycle()).map(|(digit, weight)| digit * weight).sum::<u32>() % 10 == 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::Ids;

    #[test]
    fn identifiers_in_words() {
        let check = |text: &str, doi: Option<&str>, arxiv: Option<&str>, pmid: Option<&str>, isbn: Option<&str>| {
            let ids = Ids::in_text(text);
            let found = [ids.doi.as_deref(), ids.arxiv.as_deref(), ids.pmid.as_deref(), ids.isbn.as_deref()];
            assert_eq!(found, [doi, arxiv, pmid, isbn], "{text}");
        };
        check("doi:10.5555/AB.1.", Some("10.5555/ab.1"), None, None, None);
        check("(https://doi.org/10.1016/S0140(05)1)", Some("10.1016/s0140(05)1"), None, None, None);
        check("arXiv preprint arXiv:2312.01117v2", None, Some("2312.01117"), None, None);
        let of_issue = "10.5555/1520(1991)004<0957:adarcc>2.0.co;2";
        for written in [
            "doi:10.5555/1520(1991)004<0957:ADARCC>2.0.CO;2.",
            "<https://doi.org/10.5555/1520(1991)004%3C0957:ADARCC%3E2.0.CO;2>",
            "https://doi.org/10.5555/1520(1991)004\\<0957:ADARCC\\>2.0.CO;2",
            "(10.5555/1520(1991)004&lt;0957:ADARCC&gt;2.0.CO;2)",
        ] {
            check(written, Some(of_issue), None, None, None);
        }
        check("<b>10.5555/a</b> 2.0", Some("10.5555/a"), None, None, None);
        check("10.48550/arXiv.2602.12204v1", Some("10.48550/arxiv.2602.12204"), None, None, None);
        check("PMID: 31101777. ISBN 978-0-306-40615-7.", None, None, Some("31101777"), Some("9780306406157"));
        let others = Ids::in_text("PMCID: PMC3531190. https://aclanthology.org/2020.acl-main.1/");
        assert_eq!([others.pmcid.as_deref(), others.acl.as_deref()], [Some("3531190"), Some("2020.acl-main.1")]);
        assert_eq!(Ids::in_text("https://www.aclweb.org/anthology/P19-1001").acl.as_deref(), Some("P19-1001"));
        assert!(Ids::in_text("ISBN 978-0-306-40615-8").isbn_is_wrong);
        assert!(!Ids::in_text("ISBN 0-306-40615-2").isbn_is_wrong);
    }
}
