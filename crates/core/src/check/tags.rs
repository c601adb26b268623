//! The tags of raw HTML in Markdown, with the places of their attributes. Not a parser of HTML: what a browser would mend is
//! read as far as it is written well.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use cited_text::Span;

/// A tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag<'a> {
    /// All its bytes.
    pub span: Span,
    /// Its name, as written; of an end tag with the slash.
    pub name: &'a str,
    /// Its attributes, each with the place of its value.
    pub attributes: Vec<(&'a str, Span)>,
}

impl Tag<'_> {
    /// The level of a heading that it opens (1 to 6), or ends (-1 to -6).
    pub fn heading(&self) -> Option<i8> {
        let (sign, name) = self.name.strip_prefix('/').map_or((1, self.name), |name| (-1, name));
        match name.as_bytes() {
            [b'h' | b'H', level @ b'1'..=b'6'] => Some(sign * (level - b'0').cast_signed()),
            _ => None,
        }
    }
}

pattern!(
    TAG,
    r#"(?s)<!--.*?(?:-->|\z)|<(/?[A-Za-z][^\s/>=]*)((?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"'][^\s>]*)|[^>=])*)>"#
);
pattern!(ATTRIBUTE, r#"([^\s/>="'][^\s/>=]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'][^\s]*))"#);

/// The tags of `html`, in order. Comments are passed over, and one that is not closed ends it.
pub fn tags(html: &str) -> Vec<Tag<'_>> {
    let read = |found: Captures<'_>| {
        let (all, name, rest) = (found.get_match(), found.get(1)?, found.get(2)?);
        let attributes = ATTRIBUTE.captures_iter(&html[rest.range()]).filter_map(|found| {
            let value = found.iter().skip(2).flatten().next()?;
            let own = found.get(1)?.range();
            let value = Span::new(rest.start() + value.start(), rest.start() + value.end());
            Some((&html[rest.start() + own.start..rest.start() + own.end], value))
        });
        let span = Span::new(all.start(), all.end());
        Some(Tag { span, name: &html[name.range()], attributes: attributes.collect() })
    };
    TAG.captures_iter(html).filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_found_with_their_attributes() {
        let check = |html: &str, expected: &[&str]| {
            let told = |tag: &Tag<'_>| {
                let values = tag.attributes.iter().map(|(name, value)| format!(" {name}={}", value.slice(html)));
                format!("{}{}", tag.name, values.collect::<String>())
            };
            assert_eq!(tags(html).iter().map(told).collect::<Vec<_>>(), expected, "{html}");
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
