//! Links of a document that lead nowhere: to files that are not there, to anchors that no document has.
//!
//! Only what can be known is told. Addresses of the web are the sources' affair; what begins with a slash, what a template
//! makes and what leaves the tree of the document is nobody's.

use std::borrow::Cow;
use std::sync::Arc;

use super::anchors::Anchors;
use super::tags::tags;
use crate::finding::{Code, Finding};
use crate::lexicon::table;
use crate::markdown::{BlockKind, Document, InlineKind, LinkStyle};
use crate::text::Span;

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Nothing.
    Missing,
    /// Nothing, where this makes pages of the documents: it may be there only then.
    Unmade(Maker),
    /// It cannot be said: it is outside of the tree, or cannot be looked at.
    Unknown,
    /// Something, whose anchors are these when it is a Markdown document.
    There(Option<Arc<Anchors>>),
}

/// What makes pages of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Maker {
    /// A generator of sites.
    Site,
    /// rustdoc, which makes the front page of a crate of a document, and understands the names of items as links.
    Rustdoc,
}

impl Maker {
    /// Whether it may make what a path leads to.
    fn makes(self, path: &str) -> bool {
        let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
        let is_page = PAGES.iter().any(|ending| name.ends_with(ending));
        match self {
            Maker::Site => is_page || !name.contains('.'),
            Maker::Rustdoc => is_page || is_item(path),
        }
    }
}

/// Whether a link is written as the name of an item of Rust: `Option`, `mod@derive`, `vec!`, `main()`.
fn is_item(path: &str) -> bool {
    let name = path.split_once('@').map_or(path, |(_, name)| name);
    let name = name.strip_suffix('!').or_else(|| name.strip_suffix("()")).unwrap_or(name);
    !name.is_empty() && name.chars().all(|c| c == '_' || c.is_alphanumeric())
}

/// Endings of pages that a site is made of.
const PAGES: [&str; 2] = [".html", ".htm"];
/// Endings of documents that pages are made from.
const DOCUMENTS: [&str; 3] = ["md", "markdown", "mdx"];

/// Files that say that pages are made of a folder, and of what kind.
pub fn site_files() -> impl Iterator<Item = (&'static str, Maker)> {
    const TABLE: &str = include_str!("data/site_files.tsv");
    let maker = |program| if program == "rustdoc" { Maker::Rustdoc } else { Maker::Site };
    table::rows(TABLE).flat_map(move |row| row.forms().map(move |file| (file, maker(row.class))))
}

/// The links of `document` that lead nowhere. `look` says what is at a path from the document's folder, percent signs resolved.
pub fn targets(document: &Document, look: &dyn Fn(&str) -> Target) -> Vec<Finding> {
    let mut own = None;
    let mut findings = Vec::new();
    for (span, address, image) in links(document) {
        let Some((path, fragment)) = relative(&address) else { continue };
        let mut tell = |code: Code, message: String, remedy: &'static str| {
            findings.push(Finding::new(code, message).at(span).remedy(remedy));
        };
        let there = if path.is_empty() {
            Some(Arc::clone(own.get_or_insert_with(|| Arc::new(Anchors::of(document.text())))))
        } else {
            match at(&path, look) {
                Target::Missing => {
                    let what = if image { "the image" } else { "the link" };
                    let message = format!("{what} leads to `{path}`, which is not there");
                    tell(Code::MissingTarget, message, "correct the path, or add the file");
                    continue;
                }
                Target::Unmade(_) | Target::Unknown => continue,
                Target::There(anchors) => anchors,
            }
        };
        let Some(anchors) = there.filter(|_| !image) else { continue };
        if let Some(fragment) = fragment.filter(|fragment| !anchors.has(fragment)) {
            let whose = if path.is_empty() { "this document".to_owned() } else { format!("`{path}`") };
            let message = format!("{whose} has no heading and no anchor `#{fragment}`");
            tell(Code::MissingAnchor, message, "correct the link, or give the place that name");
        }
    }
    findings
}

/// What is at a path, or at the document that the page there is made from.
fn at(path: &str, look: &dyn Fn(&str) -> Target) -> Target {
    let found = look(path);
    if !matches!(found, Target::Missing | Target::Unmade(_)) {
        return found;
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    let page = PAGES.iter().find_map(|ending| path.strip_suffix(ending));
    let is_page = page.is_some() || !name.contains('.') || path.ends_with('/');
    let stem = page.unwrap_or(path).trim_end_matches('/');
    if is_page && !stem.is_empty() {
        for ending in DOCUMENTS {
            if let there @ Target::There(_) = look(&format!("{stem}.{ending}")) {
                return there;
            }
        }
        // What a site makes of `README.md` it calls `index.html`.
        let folder = stem.strip_suffix("index").filter(|folder| folder.is_empty() || folder.ends_with('/'));
        if let Some(folder) = folder.filter(|_| page.is_some())
            && let there @ Target::There(_) = look(&format!("{folder}README.md"))
        {
            return there;
        }
    }
    match found {
        // A picture or a document is what pages are made of.
        Target::Unmade(maker) if !maker.makes(path) => Target::Missing,
        other => other,
    }
}

/// Path and fragment of a link that is relative; `None` for every other.
fn relative(address: &str) -> Option<(String, Option<String>)> {
    let address = address.trim();
    let made = address.contains(['{', '<', '$', '\\']) || address.contains("::");
    if address.is_empty() || made || address.starts_with(['/', '@', '~', '^']) {
        return None;
    }
    let (rest, fragment) = match address.split_once('#') {
        Some((rest, fragment)) => (rest, Some(decoded(fragment)?.into_owned())),
        None => (address, None),
    };
    let path = rest.split('?').next().unwrap_or(rest);
    if has_scheme(path) {
        return None;
    }
    if path.is_empty() && rest.starts_with('?') {
        return None;
    }
    Some((decoded(path)?.into_owned(), fragment))
}

/// Whether an address begins with a scheme (RFC 3986, 3.1).
fn has_scheme(address: &str) -> bool {
    address.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    })
}

/// A text with its percent signs resolved; `None` when that gives no text.
fn decoded(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(text.into());
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let hex = text.get(at + 1..at + 3).filter(|_| *byte == b'%');
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(value) => {
                out.push(value);
                at += 3;
            }
            None => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).ok().filter(|text| !text.contains('\0')).map(Cow::from)
}

/// The links and images of a document, in Markdown and in HTML, in order of place: where, where to, whether it is an image.
fn links(document: &Document) -> Vec<(Span, String, bool)> {
    let to_files = document.links().iter().filter(|link| link.style != LinkStyle::Email);
    let written = to_files.map(|link| (link.span, link.address.clone(), link.image));
    let mut all: Vec<(Span, String, bool)> = written.collect();
    let text = document.text();
    let mut of_html = |span: Span| {
        let html = span.of(text);
        for tag in tags(html) {
            let (attribute, image) = match tag.name.to_ascii_lowercase().as_str() {
                "a" => ("href", false),
                "img" => ("src", true),
                _ => continue,
            };
            if let Some(value) = tag.value(attribute) {
                let address = value.of(html).replace("&amp;", "&");
                all.push((Span::new(span.start + value.start, span.start + value.end), address, image));
            }
        }
    };
    for (id, block) in document.blocks() {
        if block.kind == BlockKind::Html {
            of_html(block.span);
        }
        document
            .inlines(id)
            .iter()
            .filter(|inline| inline.kind == InlineKind::Html)
            .for_each(|inline| of_html(inline.span));
    }
    all.sort_unstable();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is told of the links of `text` in a folder that holds `guide.md` (with a heading *Set up*), `logo.png`, `docs/`
    /// (with a `README.md` that has a heading *Use*) and `a b.md`.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        check_in(text, &Target::Missing, expected);
    }

    #[track_caller]
    fn check_in(text: &str, elsewhere: &Target, expected: &[&str]) {
        let there = |text: &str| Target::There(Some(Arc::new(Anchors::of(text))));
        let look = |path: &str| match path.trim_start_matches("./").trim_end_matches('/') {
            "guide.md" => there("# Set up\n"),
            "docs" | "docs/README.md" => there("# Use\n"),
            "a b.md" => there(""),
            "logo.png" => Target::There(None),
            path if path.starts_with("../") => Target::Unknown,
            _ => elsewhere.clone(),
        };
        let document = Document::read(text);
        let findings = targets(&document, &look);
        let told = |finding: &Finding| {
            let span = finding.span.map_or("", |span| document.slice(span));
            format!("{} {span}", finding.code)
        };
        assert_eq!(findings.iter().map(told).collect::<Vec<_>>(), expected, "{findings:#?}");
    }

    #[test]
    fn what_is_there_is_no_finding() {
        check("[a](guide.md) [b](./guide.md#set-up) [c](docs/#use) [d](docs) ![l](logo.png)\n", &[]);
        check("[a](guide) [b](guide.html#set-up) [c](docs/index.html) [d](a%20b.md) [e](<a b.md>)\n", &[]);
        check("[a](guide.md?plain=1#L3) [b][r]\n\n[r]: guide.md \"title\"\n", &[]);
        check("# Own\n\n[a](#own) [b](#) [c](#top)\n", &[]);
        check("<a href=\"guide.md#set-up\">x</a> <img src='logo.png'>\n", &[]);
    }

    #[test]
    fn what_is_not_there_is_told_where_it_stands() {
        check("A [link](gone.md) here.\n", &["missing-target [link](gone.md)"]);
        check("![pic](img/gone.png)\n", &["missing-target ![pic](img/gone.png)"]);
        check("[a](guide.md#setup)\n", &["missing-anchor [a](guide.md#setup)"]);
        check("# Own\n\n[a](#owm)\n", &["missing-anchor [a](#owm)"]);
        check("[a][r]\n\n[r]: gone.md\n", &["missing-target [a][r]"]);
        check("<p align=\"center\">\n<img src=\"gone.png\">\n</p>\n", &["missing-target gone.png"]);
        check("Text <a href=\"gone.md\">x</a>.\n", &["missing-target gone.md"]);
        check("[a](docs/#used)\n", &["missing-anchor [a](docs/#used)"]);
    }

    #[test]
    fn what_cannot_be_known_is_not_told() {
        check("[a](https://a.example/x) [b](mailto:a@b.example) [c](//a.example/x) <x@a.example>\n", &[]);
        check("[a](/docs/gone) [b](@/gone.md) [c]({{ base }}/gone.md) [d](../gone.md) [e](crate::Gone) [f]()\n", &[]);
        check("[a](logo.png#anything) ![i](guide.md#nothing)\n", &[]);
        check("`[a](gone.md)`\n\n```\n[a](gone.md)\n```\n\n<!-- <a href=\"gone.md\"> -->\n", &[]);
    }

    #[test]
    fn rustdoc_knows_items() {
        check_in("[a](Option) [b](struct.Own.html) [c](mod@derive) [d](vec!)\n", &Target::Unmade(Maker::Rustdoc), &[]);
        check_in(
            "[a](gone-folder) [b](a/gone)\n",
            &Target::Unmade(Maker::Rustdoc),
            &["missing-target [a](gone-folder)", "missing-target [b](a/gone)"],
        );
    }

    #[test]
    fn a_site_makes_pages_and_no_files() {
        let made = "[a](api/index.html) [b](reference) [c](reference/)\n";
        check_in(made, &Target::Unmade(Maker::Site), &[]);
        check_in(
            "[a](gone.md) ![b](gone.png)\n",
            &Target::Unmade(Maker::Site),
            &["missing-target [a](gone.md)", "missing-target ![b](gone.png)"],
        );
    }
}
