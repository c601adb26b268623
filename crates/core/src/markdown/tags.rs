//! The tags of raw HTML in Markdown, with the places of their attributes. Not a parser of HTML: what a browser would mend is
//! read as far as it is written well.

use regex::Match;

use crate::pattern::Pattern;
use cited_text::Span;

/// A tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag<'a> {
    /// All its bytes.
    pub span: Span,
    /// Its name, as written; of an end tag with the slash.
    pub name: &'a str,
    /// What stands behind its name.
    rest: Span,
}

impl<'a> Tag<'a> {
    /// The attributes of a tag of `html`, each with the place of its value.
    pub fn attributes(&self, html: &'a str) -> impl Iterator<Item = (&'a str, Span)> {
        let start = self.rest.start;
        ATTRIBUTE.captures_iter(self.rest.slice(html)).filter_map(move |found| {
            let value = found.iter().skip(2).flatten().next()?;
            let name = found.get(1)?;
            Some((
                &html[start + name.start()..start + name.end()],
                Span::new(start + value.start(), start + value.end()),
            ))
        })
    }
}

/// A comment, or a tag: its name and what stands behind it.
static TAG: Pattern = Pattern::new(
    r#"(?s)<!--.*?(?:-->|\z)|<(/?[A-Za-z][^\s/>=]*)((?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"'][^\s>]*)|[^>=])*)>"#,
);
static ATTRIBUTE: Pattern = Pattern::new(r#"([^\s/>="'][^\s/>=]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'][^\s]*))"#);

/// The tags of `html`, in order. Comments are passed over, and one that is not closed ends it.
pub fn tags(html: &str) -> impl Iterator<Item = Tag<'_>> {
    TAG.captures_iter(html).filter_map(|found| {
        let (all, name, rest) = (found.get_match(), found.get(1)?, found.get(2)?);
        let span = |range: Match<'_>| Span::new(range.start(), range.end());
        Some(Tag { span: span(all), name: name.as_str(), rest: span(rest) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_found_with_their_attributes() {
        let check = |html: &str, expected: &[&str]| {
            let told = |tag: &Tag<'_>| {
                let values = tag.attributes(html).map(|(name, value)| format!(" {name}={}", value.slice(html)));
                format!("{}{}", tag.name, values.collect::<String>())
            };
            assert_eq!(tags(html).map(|tag| told(&tag)).collect::<Vec<_>>(), expected, "{html}");
        };
        check("<a name=\"x\"></a>", &["a name=x", "/a"]);
        check("<A HREF = 'a b.md' id=c/d data-x><br/>", &["A HREF=a b.md id=c/d", "br"]);
        check("<img\n  src=\"a>b.png\"\n/>", &["img src=a>b.png"]);
        check("1 < 2 <!-- <a id=x> --> <b>", &["b"]);
        check("<a href=\"x", &[]);
        check("<a href=x", &[]);
        check("<a =\"x\" b>", &["a"]);
        check("<!-- <a>", &[]);
        check("", &[]);
    }
}
