//! Bytes to text: byte order mark, header, `<meta>`, then detection.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// How far into a document a `<meta>` may stand. The HTML standard says 1,024 bytes; pages are found that need more.
const META_REACH: usize = 4096;

/// Bytes given to the detector.
const DETECT_REACH: usize = 64 << 10;

/// Decodes a body. `label` is the charset of the `Content-Type` header; `html` says whether a `<meta>` may count.
///
/// A body that claims UTF-8 and mostly is not is decoded by what it looks like: servers send a default charset with
/// pages that were written in another.
pub fn decode<'a>(bytes: &'a [u8], label: Option<&str>, html: bool) -> Cow<'a, str> {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(bytes.get(length..).unwrap_or_default()).0;
    }
    let declared = label
        .and_then(|label| Encoding::for_label(label.trim().as_bytes()))
        .or_else(|| if html { from_meta(bytes) } else { None });
    match declared {
        Some(encoding) if encoding != UTF_8 => encoding.decode_without_bom_handling(bytes).0,
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) if mostly_utf8(bytes) => String::from_utf8_lossy(bytes),
            Err(_) => {
                let iso = if html { Iso2022JpDetection::Deny } else { Iso2022JpDetection::Allow };
                let mut detector = EncodingDetector::new(iso);
                let sample = bytes.get(..DETECT_REACH).unwrap_or(bytes);
                detector.feed(sample, sample.len() == bytes.len());
                detector.guess(None, Utf8Detection::Deny).decode_without_bom_handling(bytes).0
            }
        },
    }
}

/// Whether there are real multi-byte sequences and they are at least as many as the broken ones, or the breakage is so
/// rare among ASCII that it tells nothing.
fn mostly_utf8(bytes: &[u8]) -> bool {
    let (mut good, mut bad) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    good > 0 && good >= bad
}

fn from_meta(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..META_REACH).unwrap_or(bytes).to_ascii_lowercase();
    String::from_utf8_lossy(&head).split("charset").skip(1).find_map(|rest| {
        let value = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || matches!(c, '=' | '"' | '\''));
        let value = value.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | ':' | '.')).next()?;
        let encoding = Encoding::for_label(value.as_bytes())?;
        // A page that could be read as ASCII up to here is not UTF-16 (HTML standard).
        let wide = encoding == UTF_16LE || encoding == UTF_16BE;
        Some(if wide { UTF_8 } else { encoding })
    })
}

/// The charset of a `Content-Type` header.
pub fn label_of(content_type: &str) -> Option<String> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches(['"', '\'']).to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::decode;

    fn check(bytes: &[u8], label: Option<&str>, expected: &str) {
        let text = decode(bytes, label, true);
        assert!(text.contains(expected), "{label:?}: {text}");
    }

    #[test]
    fn the_charset_is_found() {
        check("déjà".as_bytes(), Some("utf-8"), "déjà");
        check(b"d\xe9j\xe0", Some("iso-8859-1"), "déjà");
        check(b"<meta charset=shift_jis><p>\x93\xfa\x96{\x8c\xea", None, "日本語");
        check(b"<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>\xcf\xf0", None, "Пр");
        check(b"\xff\xfeL\0e\0s\0 \0\xe9\0", None, "Les é");
        check(b"\xef\xbb\xbfna\xc3\xafve", Some("iso-8859-1"), "naïve");
        check(
            b"<p>Les \xe9l\xe8ves fran\xe7ais ont \xe9t\xe9 tr\xe8s \xe9tonn\xe9s.</p>",
            Some("utf-8"),
            "Les élèves français ont été très étonnés.",
        );
        check("Café au lait, naïve, \u{fffd}".as_bytes(), Some("klingon"), "Café");
        check(b"plain \xff text with caf\xc3\xa9 and \xc3\xa9", Some("utf-8"), "café");
    }
}
