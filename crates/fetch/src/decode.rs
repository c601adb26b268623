//! Content codings: gzip, deflate, brotli, zstd, with the limit counted on what comes out.

use std::borrow::Cow;
#[cfg(feature = "network")]
use std::io::Read;

/// The codings that are undone.
const CODINGS: [&str; 5] = ["gzip", "x-gzip", "deflate", "br", "zstd"];

/// A decoded body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The bytes, at most as many as the limit; those of the body where there was nothing to undo.
    pub bytes: Cow<'a, [u8]>,
    /// Whether there was more than the limit.
    pub cut: bool,
    /// Whether the coding was broken, or one that we do not know.
    pub broken: bool,
    /// Whether a coding that we know broke off after some bytes: the body was cut short or damaged on its way.
    pub torn: bool,
}

/// Undoes the codings of a `Content-Encoding` header, last one first (RFC 9110, 8.4).
///
/// A body that is labelled with a coding and does not carry it is taken as it is: servers mislabel, and some clients of
/// theirs have decoded for us already.
pub fn decode<'a>(body: &'a [u8], codings: Option<&str>, limit: usize) -> Decoded<'a> {
    let names: Vec<String> = codings
        .unwrap_or_default()
        .split(',')
        .map(|name| name.trim().to_ascii_lowercase())
        .filter(|name| !name.is_empty() && name != "identity")
        .collect();
    let mut decoded = Decoded { bytes: body.into(), cut: false, broken: false, torn: false };
    // More codings than this nobody uses but to make us work.
    if names.len() > 3 {
        decoded.broken = true;
    } else {
        for name in names.iter().rev() {
            if !looks_like(name, &decoded.bytes) {
                continue;
            }
            let (bytes, cut, broken) = undo(name, &decoded.bytes, limit);
            decoded.cut |= cut;
            decoded.broken |= broken;
            decoded.torn |= broken && !cut && CODINGS.contains(&name.as_str()) && !bytes.is_empty();
            decoded.bytes = bytes.into();
        }
    }
    if decoded.bytes.len() > limit {
        decoded.bytes.to_mut().truncate(limit);
        decoded.cut = true;
    }
    decoded
}

fn looks_like(name: &str, body: &[u8]) -> bool {
    match name {
        "gzip" | "x-gzip" => body.starts_with(&[0x1f, 0x8b]),
        "zstd" => body.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]),
        // Neither deflate nor brotli has a signature; text that begins with a tag is neither.
        _ => !body.starts_with(b"<"),
    }
}

/// What came out of a coding: the bytes, whether there were more than the limit, and whether the coding was broken.
type Decompressed = (Vec<u8>, bool, bool);

/// Undoes the members of a body, one after the other. What follows them and is none is left, as browsers do: some servers pad.
#[cfg(feature = "network")]
fn undo(name: &str, body: &[u8], limit: usize) -> Decompressed {
    let (mut rest, mut bytes) = (body, Vec::new());
    loop {
        let member: Box<dyn Read + '_> = match name {
            "gzip" | "x-gzip" => Box::new(flate2::bufread::GzDecoder::new(&mut rest)),
            // The zlib wrapper, which RFC 9110 asks for, many servers leave out.
            "deflate" => match body {
                [cmf, flg, ..] if cmf & 0x0f == 8 && (u16::from(*cmf) << 8 | u16::from(*flg)) % 31 == 0 => {
                    Box::new(flate2::bufread::ZlibDecoder::new(&mut rest))
                }
                _ => Box::new(flate2::bufread::DeflateDecoder::new(&mut rest)),
            },
            "br" => Box::new(brotli_decompressor::Decompressor::new(&mut rest, 16 << 10)),
            // 8 MiB windows are what RFC 9659 lets a server ask of a client.
            "zstd" => match ruzstd::decoding::StreamingDecoder::new_with_max_window_size(&mut rest, 8 << 20) {
                Ok(frame) => Box::new(frame),
                Err(_) => return (bytes, false, true),
            },
            _ => return (body.to_vec(), false, true),
        };
        let room = u64::try_from(limit - bytes.len()).unwrap_or(u64::MAX).saturating_add(1);
        let broken = member.take(room).read_to_end(&mut bytes).is_err();
        let cut = bytes.len() > limit;
        bytes.truncate(limit);
        if cut || broken || !matches!(name, "gzip" | "x-gzip" | "zstd") || !looks_like(name, rest) {
            return (bytes, cut, broken);
        }
    }
}

/// A network of somebody else hands bodies over as they are to be read.
#[cfg(not(feature = "network"))]
fn undo(_: &str, body: &[u8], _: usize) -> Decompressed {
    (body.to_vec(), false, true)
}

#[cfg(all(test, feature = "network"))]
mod tests {
    use std::io::Write;

    use super::decode;

    /// `the quick evidence ` fifty times, as the program `zstd` and as Node's `zlib` write it.
    const ZSTD: &[u8] = &[
        40, 181, 47, 253, 100, 182, 2, 213, 0, 0, 152, 116, 104, 101, 32, 113, 117, 105, 99, 107, 32, 101, 118, 105,
        100, 101, 110, 99, 101, 32, 1, 0, 65, 91, 53, 195, 235, 232, 133, 225,
    ];
    const BROTLI: &[u8] =
        &[27, 181, 3, 248, 165, 65, 202, 208, 232, 164, 33, 155, 52, 150, 34, 176, 225, 78, 231, 2, 221, 21];

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn check(body: &[u8], coding: &str, expected: &str) {
        let decoded = decode(body, Some(coding), 1 << 20);
        assert_eq!(String::from_utf8_lossy(&decoded.bytes), expected, "{coding}");
        assert!(!decoded.cut && !decoded.broken, "{coding}");
    }

    #[test]
    fn every_coding_is_undone() {
        let text = "the quick evidence ".repeat(50);
        let bytes = text.as_bytes();
        check(&gzip(bytes), "gzip", &text);
        check(&gzip(&gzip(bytes)), "gzip, gzip", &text);
        check(ZSTD, "zstd", &text);
        check(&[ZSTD, ZSTD].concat(), "zstd", &text.repeat(2));
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        zlib.write_all(bytes).unwrap();
        check(&zlib.finish().unwrap(), "deflate", &text);
        let mut raw = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        raw.write_all(bytes).unwrap();
        check(&raw.finish().unwrap(), "deflate", &text);
        check(BROTLI, "br", &text);
        check(bytes, "identity", &text);
        check(b"<p>mislabelled</p>", "gzip", "<p>mislabelled</p>");
    }

    #[test]
    fn a_bomb_stops_at_the_limit() {
        let bomb = gzip(&vec![0; 50 << 20]);
        let decoded = decode(&bomb, Some("gzip"), 1 << 20);
        assert_eq!(decoded.bytes.len(), 1 << 20);
        assert!(decoded.cut);
    }

    #[test]
    fn a_broken_body_keeps_what_came_through() {
        let mut body = gzip("the quick evidence ".repeat(5000).as_bytes());
        let whole = body.clone();
        body.truncate(body.len() / 2);
        let decoded = decode(&body, Some("gzip"), 1 << 20);
        assert!(decoded.broken && decoded.torn);
        // Damaged in the middle, its checksum missing, padded, two members, and what is no coding at all.
        let torn = |body: &[u8], coding: &str| decode(body, Some(coding), 1 << 20).torn;
        let text = (0..40_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect::<Vec<_>>();
        let mut damaged = gzip(&text);
        let middle = damaged.len() / 2;
        damaged[middle] ^= 0xff;
        assert!(torn(&damaged, "gzip"));
        assert!(torn(&whole[..whole.len() - 8], "gzip"));
        assert!(!torn(&[whole.as_slice(), &[0; 100]].concat(), "gzip"));
        assert!(!torn(&[whole.as_slice(), b"<!-- cached -->"].concat(), "x-gzip"));
        let twice = decode(&[whole.as_slice(), &whole].concat(), Some("gzip"), 1 << 20).bytes.len();
        assert_eq!(twice, 2 * 19 * 5000);
        assert!(!torn(b"plain text", "utf-8"));
        assert!(!torn(b"plain text", "gzip"));
    }
}
