//! From an answer's body to what can be read in it: media type, charset, text, and the signs that deciding needs.

use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use url::Url;

use super::fold::count_words;
use super::html::{self, Html};
use super::transport::{Answer, BodyEnd};
use super::{charset, meta, plain, tabular};
use cited_core::markdown::is_markdown;
use cited_core::page::{NAMED, Page, SEPARATED, sha256_hex};

/// Reads the bytes of a page or file; the ending of its name says what they are. `None` when there is no text in them.
pub fn page_of(bytes: impl Into<Bytes>, name: &str) -> Option<Page> {
    let limits = Limits { max_body: 64 << 20, ..Limits::default() };
    let document = of_file(bytes, name, &limits);
    document.unreadable.is_none().then_some(document.page)
}

/// Reads the bytes of a file as the same bytes from the web would be read; its name says what they are.
pub fn of_file(bytes: impl Into<Bytes>, name: &str, limits: &Limits) -> Document {
    let lower = name.to_ascii_lowercase();
    let body: Bytes = bytes.into();
    let media_type = match lower.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html" | "htm" | "xhtml") => HTML,
        Some("pdf") => PDF,
        _ if is_markdown(&lower) && !body.contains(&0) => MARKDOWN,
        _ => "application/octet-stream",
    };
    let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(media_type))]);
    let mut url = LOCAL.clone();
    url.set_path(name);
    read(&Answer { status: 200, headers, body, end: BodyEnd::Complete }, &url, limits)
}

/// Where files are.
static LOCAL: LazyLock<Url> = LazyLock::new(|| Url::parse("file:///").expect("an address"));

/// What an answer holds.
#[derive(Debug, Clone, Default)]
pub struct Document {
    /// The page; `text` is empty when none could be had.
    pub page: Page,
    /// Whether the body was cut short or damaged inside its coding.
    pub torn: bool,
    /// Why there is no text, when there is none.
    pub unreadable: Option<&'static str>,
    /// What was read of its markup; of a text without any, the text alone is its own.
    pub html: Html,
    /// Whether scripts are to make the text.
    pub is_shell: bool,
    /// Whether scripts may have more to show than what was read.
    pub needs_script: bool,
    /// Whether it says to machines that its text is not free (schema.org).
    pub is_not_free: bool,
}

/// A page with fewer words than this and scripts is an empty shell that scripts are to fill.
const SHELL_WORDS: usize = 12;

/// A page with scripts that says no more than this of its own may be loading.
const LOADING_WORDS: usize = 5;

/// Why bytes that are called a text have none.
const NO_TEXT: &str = "bytes that are no text";

/// What pages say that have no text without scripts (create-react-app's and Vue CLI's templates, and variants).
const SHELL_PHRASES: [&str; 4] =
    ["need to enable javascript", "please enable javascript", "javascript is required", "without javascript enabled"];

/// What reads the text of PDF files; `None` for a file that gives none.
pub type ReadPdf = Arc<dyn Fn(&[u8]) -> Option<PdfText> + Send + Sync>;

/// What was read of a PDF file.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PdfText {
    /// Text of each page.
    pub pages: Vec<String>,
    /// Title that the file has.
    pub title: Option<String>,
    /// Author that the file has.
    pub author: Option<String>,
    /// Whether these are all pages.
    pub complete: bool,
}

/// Limits of reading.
#[derive(Clone)]
pub struct Limits {
    /// Bytes of body, counted as received and again as decoded. 10 MiB.
    pub max_body: usize,
    /// Bytes of a title. 4 KiB.
    pub max_title: usize,
    /// How many words of a page's main part are read before the rest is left; `None` reads all.
    pub words: Option<usize>,
    /// What reads PDF: in the program a process of its own. None: PDF is live and unreadable.
    pub pdf: Option<ReadPdf>,
    /// Whether only what a reader of an HTML page sees is read.
    pub seen_only: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { max_body: 10 << 20, max_title: meta::LONGEST_TITLE, words: None, pdf: None, seen_only: false }
    }
}

/// Bytes of a text without markup that are looked at for what it says of itself.
const OWN_REACH: usize = 4096;

impl Document {
    /// Title and heading; empty where it has none.
    pub fn names(&self) -> [&str; 2] {
        [&self.page.title, &self.html.heading].map(|name| name.as_deref().unwrap_or_default())
    }

    /// A page of which only the heading is known.
    pub fn headed(heading: &str) -> Self {
        Document { html: Html { heading: Some(heading.to_owned()), ..Html::default() }, ..Document::default() }
    }
}

/// Reads an answer that came from `url`.
pub fn read(answer: &Answer, url: &Url, limits: &Limits) -> Document {
    let decoded = answer.decoded(limits.max_body);
    let content_type = answer.header("content-type").unwrap_or_default();
    let whole = answer.end == BodyEnd::Complete && !decoded.cut && !decoded.broken && answer.status != 206;
    let label = charset::label_of(&content_type);
    let media_type = media_type_of(&content_type, &decoded.bytes, url);
    if decoded.cut {
        return unreadable(&media_type, "over the size limit");
    }
    let is_readable = matches!(media_type.as_str(), HTML | MARKDOWN | TEXT | SEPARATED | NAMED);
    let mut document = match media_type.as_str() {
        HTML => html_document(&decoded.bytes, label.as_deref(), url, limits),
        PDF => pdf_document(&decoded.bytes, limits),
        _ if !is_readable => unreadable(&media_type, "a type that holds no text we can read"),
        media_type => {
            let text = charset::decode(&decoded.bytes, label.as_deref(), false);
            let Some(complete) = is_sound(&text) else { return unreadable(media_type, NO_TEXT) };
            let own = plain::normalise(&text, false);
            // Of a file whose values a sign parts its tables come first, and what it says itself below them.
            let tables = if media_type == SEPARATED { tabular::laid_out(&text) } else { None };
            let mut page = match tables.map(|tables| plain::normalise(&tables, true)) {
                Some(tables) => {
                    Page { main_end: tables.len(), ..Page::of_text(format!("{tables}\n\n{own}"), media_type) }
                }
                None => Page::of_text(own, media_type),
            };
            page.complete = complete;
            // The title of a text is the first Markdown heading, when it begins with one.
            let head = page.text.lines().take(if media_type == MARKDOWN { 40 } else { 0 });
            let heading = head.into_iter().find_map(|line| line.strip_prefix("# "));
            page.title = heading.and_then(|heading| plain::one_line(heading, limits.max_title));
            Document { page, ..Document::default() }
        }
    };
    if media_type != HTML {
        // A text without markup is all its own.
        let main = document.page.main();
        document.html.main_words = count_words(main);
        document.html.own_words = document.html.main_words;
        document.html.own = main[..main.floor_char_boundary(OWN_REACH)].to_owned();
    }
    document.torn = decoded.torn;
    // By the page's own word, or by the header of that name.
    let by_header = || html::refresh_target(&answer.header("refresh")?);
    document.html.refresh = document.html.refresh.or_else(by_header);
    document.page.complete &= whole;
    if document.page.published.is_none() {
        document.page.published = answer.header("last-modified").and_then(|value| meta::date(&value));
    }
    if document.page.language.is_none() {
        document.page.language = answer.header("content-language").filter(|tag| tag.len() <= 35);
    }
    // What a wrong coding or charset leaves: more than one character in ten is a replacement.
    let looked_at = || document.page.text.chars().take(20_000);
    let is_garbled = || looked_at().filter(|c| *c == char::REPLACEMENT_CHARACTER).count() * 10 > looked_at().count();
    if document.unreadable.is_none() && (decoded.broken && document.page.text.is_empty() || is_garbled()) {
        document.unreadable = Some("a body that cannot be decoded");
    }
    document
}

fn unreadable(media_type: &str, reason: &'static str) -> Document {
    let page = Page { media_type: media_type.to_owned(), text_sha256: sha256_hex(b""), ..Page::default() };
    Document { page, unreadable: Some(reason), ..Document::default() }
}

const HTML: &str = "text/html";
const PDF: &str = "application/pdf";
const MARKDOWN: &str = "text/markdown";
const TEXT: &str = "text/plain";

/// The media type by header, corrected by what the body is: servers label PDFs as HTML and pages as nothing. What is read alike has one name.
fn media_type_of(content_type: &str, body: &[u8], url: &Url) -> String {
    let media_type = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let start: Vec<u8> = body.iter().copied().skip_while(u8::is_ascii_whitespace).take(1024).collect();
    if start.windows(5).any(|window| window == b"%PDF-") && !start.starts_with(b"<") {
        return PDF.to_owned();
    }
    let path = url.path().to_ascii_lowercase();
    let text = match path.rsplit_once('.') {
        _ if is_markdown(&path) => MARKDOWN,
        Some((_, "csv" | "tsv")) => SEPARATED,
        _ => TEXT,
    };
    let known = match media_type.as_str() {
        "text/html" | "application/xhtml+xml" | "application/xml" | "text/xml" => HTML,
        kind if kind.ends_with("+xml") && kind != "image/svg+xml" => HTML,
        "application/pdf" | "application/x-pdf" => PDF,
        "text/markdown" | "text/x-markdown" => MARKDOWN,
        "text/csv" | "application/csv" | "text/tab-separated-values" => SEPARATED,
        "application/json" | "text/json" | "application/x-ndjson" => NAMED,
        kind if kind.ends_with("+json") => NAMED,
        "text/plain" => text,
        "application/x-yaml"
        | "application/yaml"
        | "application/toml"
        | "application/x-tex"
        | "application/javascript" => TEXT,
        kind if kind.starts_with("text/") => TEXT,
        "" | "application/octet-stream" | "binary/octet-stream" => {
            let lower = start.to_ascii_lowercase();
            let tags: [&[u8]; 6] = [b"<!doctype html", b"<html", b"<head", b"<body", b"<title", b"<script"];
            let is_html = tags.iter().any(|tag| memchr::memmem::find(&lower, tag).is_some_and(|at| at < 512));
            let wide = start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff]);
            match lower.first() {
                _ if is_html => HTML,
                _ if !wide && start.iter().any(|&byte| byte < 0x09 || (0x0e..0x1b).contains(&byte)) => {
                    "application/octet-stream"
                }
                Some(b'{' | b'[') => NAMED,
                _ => text,
            }
        }
        other => other,
    };
    known.to_owned()
}

fn html_document(bytes: &[u8], label: Option<&str>, url: &Url, limits: &Limits) -> Document {
    let source = charset::decode(bytes, label, true);
    let Some(complete) = is_sound(&source) else { return unreadable(HTML, NO_TEXT) };
    let mut read = html::read(&source, limits.words, limits.seen_only);
    let found = meta::read(&read, limits.max_title);
    let mut text = std::mem::take(&mut read.main);
    let main_end = text.len();
    if !read.rest.is_empty() {
        text.push_str("\n\n");
        text.push_str(&read.rest);
    }
    read.heading = read.heading.and_then(|heading| plain::one_line(&heading, limits.max_title));
    // A page may name what its relative addresses stand on; an empty one is the page itself.
    let base = read.base.as_deref().and_then(|base| url.join(base).ok());
    if let Some((_, target)) = read.refresh.as_mut().filter(|(_, target)| !target.is_empty())
        && let Some(url) = base.and_then(|base| base.join(target).ok())
    {
        *target = url.into();
    }
    let canonical = read.canonical.as_deref().and_then(|href| url.join(href).ok()).map(String::from);
    // Counting stops mattering where a page is no shell any more.
    let words = if text.len() > SHELL_WORDS * 200 { usize::MAX } else { count_words(&text) };
    let lower = |text: &str| text.chars().take(2000).collect::<String>().to_lowercase();
    let says_script = |text: &str| SHELL_PHRASES.iter().any(|phrase| lower(text).contains(phrase));
    let is_shell = words < SHELL_WORDS && (read.has_script || says_script(&read.noscript));
    let page = Page {
        // Of a text that was left unread on purpose there is nothing to compare.
        text_sha256: if read.cut { String::new() } else { sha256_hex(text.as_bytes()) },
        text,
        main_end,
        complete: complete && !read.cut,
        media_type: HTML.to_owned(),
        canonical,
        ids: std::mem::take(&mut read.ids),
        ..found
    };
    let says_not_free = |ld: &String| {
        let ld = ld.to_ascii_lowercase();
        let mut said = ld.split("isaccessibleforfree\"").skip(1);
        said.any(|after| after.trim_start_matches([' ', ':', '"', '\n', '\t']).starts_with("false"))
    };
    Document {
        page,
        is_shell,
        needs_script: says_script(&read.noscript) || read.has_script && read.own_words <= LOADING_WORDS,
        is_not_free: read.json_ld.iter().any(says_not_free),
        html: read,
        ..Document::default()
    }
}

fn pdf_document(bytes: &[u8], limits: &Limits) -> Document {
    let Some(reader) = &limits.pdf else { return unreadable(PDF, "PDF that was not read") };
    let Some(read) = reader(bytes) else { return unreadable(PDF, "PDF without text that we can read") };
    let (mut text, mut page_starts) = (String::new(), Vec::new());
    for page in &read.pages {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        page_starts.push(text.len());
        text.push_str(page);
    }
    let mut page = Page::of_text(text, PDF);
    page.page_starts = page_starts;
    page.title = read.title.and_then(|title| plain::one_line(&title, limits.max_title));
    page.author = read.author;
    page.complete = read.complete;
    Document { page, ..Document::default() }
}

/// One control in so many bytes, and a text is none. Texts have a stray one; bytes of any value have one in ten.
const CONTROLS_ONE_IN: usize = 200;

/// Bytes at the start that hold no more of them than all: a ZIP may have a long text in it as it is.
const START: usize = 1000;

/// Whether a text is sound by its controls, as it was decoded, so that wide characters are none of these bytes. Escape stays: ISO-2022 and
/// terminals have it. One with a NUL, which no text has, is not: what is not there proves nothing. `None` for what is no text.
fn is_sound(text: &str) -> Option<bool> {
    let is_control = |byte: &u8| *byte != 0x1b && matches!(byte, ..0x09 | 0x0e..0x20);
    let is_text = |bytes: &[u8]| bytes.iter().filter(|byte| is_control(byte)).count() * CONTROLS_ONE_IN <= bytes.len();
    let bytes = text.as_bytes();
    (is_text(bytes) && is_text(&bytes[..bytes.len().min(START)])).then(|| memchr::memchr(0, bytes).is_none())
}

#[cfg(test)]
mod tests {
    use super::{Limits, is_sound, of_file};

    #[track_caller]
    fn check(name: &str, page: &str, expected: &str) {
        let limits = Limits { max_body: 1 << 20, ..Limits::default() };
        assert_eq!(of_file(page.as_bytes().to_vec(), name, &limits).page.text, expected, "{page}");
    }

    #[test]
    fn what_is_laid_out_as_names_and_values_reads_so() {
        for (page, expected) in [
            (
                "<table><tr><th><p>Mill</p></th><th><p>Output</p></th></tr><tr><td><p>Weir<br>mill</p></td><td><div>12</div></td></tr></table>",
                "Mill\tOutput\nWeir mill\t12",
            ),
            ("<table><tr><td></td><td><p>GWh</p></td></tr><tr><td>Dam<td><p>61</table>", "\tGWh\nDam\t61"),
            (
                "<table><tr><td>Size</td><td><p>120 cm</p><p>(47 in)</p></td><td>x</td></tr></table>",
                "Size\t120 cm (47 in)\tx",
            ),
            (
                "<table><tr><th>Dam<th>2022<th>2023<sup>1</sup><tr><td>Weir<td>5<td>6<sup><a href=#n2>2</a></sup></table>",
                "Dam\t2022\t2023¹\nWeir\t5\t6²",
            ),
            ("<p>10<sup>25</sup> in 5 m<sup>2</sup>", "10²⁵ in 5 m²"),
            ("<p>101<sup>b</sup> g, le 3<sup>e</sup> lot", "101 g, le 3e lot"),
            // Rows that lay out a page are left as they are.
            (
                "<table><tr><td><p>Home</p><p>News</p><p>About</p></td><td><p>The town has grown.</p></td></tr></table>",
                "Home\nNews\nAbout\nThe town has grown.",
            ),
            (
                "<dl><dt>Built</dt><dd>1874</dd><dt>Keepers:</dt><dd><p>Moen</p></dd><dd>Lund</dd></dl>",
                "Built: 1874\nKeepers: Moen, Lund",
            ),
            (
                "<dl><dt>Ebb<dd>The water falls back to the sea, which it does twice each day here.</dl><p>More.",
                "Ebb\nThe water falls back to the sea, which it does twice each day here.\nMore.",
            ),
        ] {
            check("page.html", page, expected);
        }
        // A program's own words can be quoted: they stay as they are written.
        let json = r#"{"max_tokens": 4096, "score": 0.4920}"#;
        check("page.json", json, json);
        check("mines.csv", "mine;ore\nKorsa;1,5 t\n", "mine\tore\nKorsa\t1,5 t\n\nmine;ore\nKorsa;1,5 t");
    }

    #[test]
    fn files_of_bytes_are_no_text_whatever_they_are_called() {
        let noise: Vec<u8> = (0..4000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let limits = Limits { max_body: 1 << 20, ..Limits::default() };
        let check = |start: &[u8]| {
            for name in ["page.html", "page.txt", "page.csv", "page.json"] {
                let body = [start, &noise].concat();
                assert!(of_file(body, name, &limits).unreadable.is_some(), "{name}: {start:?}");
                assert!(of_file(start.to_vec(), name, &limits).unreadable.is_some(), "{name}: {start:?}");
            }
        };
        check(b"\x1f\x8b\x08\0");
        check(b"\x89PNG\r\n\x1a\n");
        check(b"PK\x03\x04\x14\0");
        check(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1");
        check(b"\xff\xd8\xff\xe0\0\x10JFIF");
    }

    #[test]
    fn controls_tell_bytes_from_text() {
        let words = "The quick evidence of the year is here. ".repeat(50);
        let check = |text: &str, expected: Option<bool>| assert_eq!(is_sound(text), expected, "{text:?}");
        check("", Some(true));
        check(&words, Some(true));
        check("Tabs\tand\r\nlines\u{c}and \u{1b}[1mbold\u{1b}[0m", Some(true));
        check(&format!("{words}\u{1}{words}"), Some(true));
        check(&format!("{words}\0{words}"), Some(false));
        check("T\0h\0i\0s\0 \0i\0s\0 \0w\0i\0d\0e\0", None);
        check(&"\0".repeat(5000), None);
        check("日本語の文章です。", Some(true));
        // A text that stands in a ZIP as it is.
        check(&format!("PK\u{3}\u{4}\u{14}\0\0\0\0\0{words}{words}"), None);
    }
}
