//! Bytes that are no text, whatever the header says: packed, pictures, office files. What is read out of them proves nothing.

use std::sync::LazyLock;

use cited_text::lexicon::table;

/// One control in so many bytes, and a text is none. Texts have a stray one; bytes of any value have one in ten.
const CONTROLS_ONE_IN: usize = 200;

/// Whether a body begins as a kind of file that holds no text of its own: *1f 8b* of gzip under `text/html`.
pub(super) fn has_signature(body: &[u8]) -> bool {
    static SIGNATURES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
        let written = table::rows(include_str!("data/signatures.tsv")).flat_map(table::Row::forms);
        written.filter_map(|bytes| data_encoding::HEXLOWER.decode(bytes.as_bytes()).ok()).collect()
    });
    SIGNATURES.iter().any(|signature| body.starts_with(signature))
}

/// What the controls in a text say of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Controls {
    /// It is a text.
    Few,
    /// It has a NUL, which no text has, and is else one: something is wrong with it, and what is not there proves nothing.
    Stray,
    /// It is none.
    Many,
}

/// Looks at a text as it was decoded, so that wide characters are none of these bytes. Escape stays: ISO-2022 and terminals have it.
pub(super) fn controls(text: &str) -> Controls {
    let is_control = |byte: &u8| *byte != 0x1b && matches!(byte, ..0x09 | 0x0e..0x20);
    let count = text.as_bytes().iter().filter(|byte| is_control(byte)).count();
    if count * CONTROLS_ONE_IN > text.len() {
        Controls::Many
    } else if count > 0 && memchr::memchr(0, text.as_bytes()).is_some() {
        Controls::Stray
    } else {
        Controls::Few
    }
}

#[cfg(test)]
mod tests {
    use super::{Controls, controls, has_signature, table};

    #[test]
    fn signatures_are_of_no_text() {
        let check = |body: &[u8], expected: bool| assert_eq!(has_signature(body), expected, "{body:?}");
        check(b"\x1f\x8b\x08\0", true);
        check(b"\x89PNG\r\n\x1a\n", true);
        check(b"PK\x03\x04\x14\0", true);
        check(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", true);
        check(b"PK is a short form", false);
        check(b"<p>text", false);
        check("\u{feff}text".as_bytes(), false);
        check(b"\xff\xfet\0", false);
        check(b"", false);
    }

    #[test]
    fn every_signature_is_read() {
        for row in table::rows(include_str!("data/signatures.tsv")) {
            let bytes = data_encoding::HEXLOWER.decode(row.written().as_bytes()).unwrap();
            let is_text = std::str::from_utf8(&bytes).is_ok_and(|text| !text.contains(char::is_control));
            assert!(has_signature(&bytes) && !is_text, "{row:?}");
        }
    }

    #[test]
    fn controls_tell_bytes_from_text() {
        let words = "The quick evidence of the year is here. ".repeat(50);
        let check = |text: &str, expected: Controls| assert_eq!(controls(text), expected, "{text:?}");
        check("", Controls::Few);
        check(&words, Controls::Few);
        check("Tabs\tand\r\nlines\u{c}and \u{1b}[1mbold\u{1b}[0m", Controls::Few);
        check(&format!("{words}\u{1}{words}"), Controls::Few);
        check(&format!("{words}\0{words}"), Controls::Stray);
        check("T\0h\0i\0s\0 \0i\0s\0 \0w\0i\0d\0e\0", Controls::Many);
        check(&"\0".repeat(5000), Controls::Many);
        check("日本語の文章です。", Controls::Few);
    }
}
