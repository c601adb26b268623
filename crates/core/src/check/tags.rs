//! The tags of raw HTML in Markdown, with the places of their attributes. Not a parser of HTML: what a browser would mend is
//! read as far as it is written well.

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

/// The tags of `html`, in order. Comments are passed over; one that is not closed ends it, as does a tag that is not.
pub fn tags(html: &str) -> Vec<Tag<'_>> {
    let bytes = html.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = memchr::memchr(b'<', &bytes[at..]).map(|open| at + open) {
        if html[open..].starts_with("<!--") {
            let Some(close) = memchr::memmem::find(&bytes[open..], b"-->") else { break };
            at = open + close + 3;
            continue;
        }
        let named = open + 1 + usize::from(bytes.get(open + 1) == Some(&b'/'));
        if !bytes.get(named).is_some_and(u8::is_ascii_alphabetic) {
            at = open + 1;
            continue;
        }
        let Some(tag) = tag(html, open, named) else { break };
        at = tag.span.end;
        found.push(tag);
    }
    found
}

/// The tag that begins at `open` and has its name at `named`; `None` when it does not end.
fn tag(html: &str, open: usize, named: usize) -> Option<Tag<'_>> {
    let bytes = html.as_bytes();
    let until = |from: usize, stops: fn(u8) -> bool| {
        bytes[from..].iter().position(|byte| stops(*byte)).map_or(bytes.len(), |length| from + length)
    };
    let ends_name = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'=');
    let is_gap = |byte: u8| byte.is_ascii_whitespace() || byte == b'/';
    let mut at = until(named, ends_name);
    let name = &html[open + 1..at];
    let mut attributes = Vec::new();
    loop {
        at = until(at, |byte| !(byte.is_ascii_whitespace() || byte == b'/'));
        match bytes.get(at)? {
            b'>' => return Some(Tag { span: Span::new(open, at + 1), name, attributes }),
            b'=' => at += 1,
            _ => {
                let end = until(at, ends_name);
                let own = &html[at..end];
                at = end;
                let after = until(at, |byte| !byte.is_ascii_whitespace());
                if bytes.get(after) != Some(&b'=') {
                    continue;
                }
                at = until(after + 1, |byte| !byte.is_ascii_whitespace());
                let value = match bytes.get(at)? {
                    quote @ (b'"' | b'\'') => {
                        let close = at + 1 + memchr::memchr(*quote, &bytes[at + 1..])?;
                        Span::new(at + 1, close)
                    }
                    _ => Span::new(at, until(at, |byte| byte.is_ascii_whitespace() || byte == b'>')),
                };
                at = value.end + usize::from(bytes.get(value.end).is_some_and(|byte| !is_gap(*byte) && *byte != b'>'));
                attributes.push((own, value));
            }
        }
    }
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
