//! Any bytes are read as a page of any type; its main content is a part of the text, and walls and error pages are told.

#![no_main]

use bytes::Bytes;
use cited::fetch::document::{Limits, read};
use cited::fetch::transport::{Answer, BodyEnd};
use cited::fetch::liveness::{absence, wall};
use http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue};
use libfuzzer_sys::fuzz_target;
use url::Url;

const TYPES: [&str; 8] = [
    "text/html",
    "text/html; charset=utf-16le",
    "application/xhtml+xml; charset=shift_jis",
    "text/plain; charset=gb18030",
    "text/markdown",
    "application/json",
    "application/xml",
    "",
];
const CODINGS: [&str; 4] = ["", "gzip", "br", "deflate"];

fuzz_target!(|input: (u8, &[u8])| {
    let (choice, body) = input;
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(TYPES[usize::from(choice) % TYPES.len()]));
    let coding = CODINGS[usize::from(choice >> 3) % CODINGS.len()];
    if !coding.is_empty() && choice & 0x80 != 0 {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding));
    }
    let answer = Answer { status: 200, headers, body: Bytes::copy_from_slice(body), end: BodyEnd::Complete };
    let Ok(url) = Url::parse("https://s.example/a/page.html") else { unreachable!("the address is fixed") };
    let words = (choice & 0x40 != 0).then_some(50);
    // PDFs are read by a process of their own.
    let document = read(&answer, &url, &Limits { max_body: 1 << 20, words, ..Limits::default() });
    let page = &document.page;
    assert!(page.text.get(..page.main_end).is_some(), "the main content ends at {} of {:?}", page.main_end, page.text);
    assert!(page.title.as_ref().is_none_or(|title| title.len() <= 4096));
    assert!(page.page_starts.iter().all(|start| page.text.is_char_boundary(*start)));
    wall::find(answer.status, &answer.headers, &document, &url, &url);
    absence::find_doubt(&document, &url);
});
