//! ASCII letters and spaces, eight bytes at a time.
//!
//! The arithmetic is that of Warren, *Hacker's Delight*, section 6-1: a byte is compared in each lane of a word at once,
//! and the answer is its highest bit.

/// The longest word of any table, in bytes.
const LONGEST: usize = 40;

/// Calls `with` on a word in lower case; `None` when it is too long to be in any table.
pub fn lowered<T>(word: &str, with: impl FnOnce(&str) -> T) -> Option<T> {
    if !word.is_ascii() {
        return (word.len() <= LONGEST).then(|| with(&word.to_lowercase()));
    }
    let mut buffer = [0; LONGEST];
    let lower = buffer.get_mut(..word.len())?;
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    std::str::from_utf8(lower).ok().map(with)
}

/// One in each byte.
const ONES: u64 = u64::MAX / 255;

/// The highest bit of each byte.
const HIGH: u64 = 0x80 * ONES;

/// The first eight bytes, the first of them lowest; zeros behind the end.
fn eight(bytes: &[u8]) -> u64 {
    if let Some(eight) = bytes.first_chunk() {
        return u64::from_le_bytes(*eight);
    }
    let mut eight = [0; 8];
    eight[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(eight)
}

/// The highest bit of each byte that is an ASCII letter.
fn letters(eight: u64) -> u64 {
    let small = (eight | (0x20 * ONES)) & !HIGH;
    let from_a = small + (0x80 - u64::from(b'a')) * ONES;
    let beyond_z = small + (0x7f - u64::from(b'z')) * ONES;
    from_a & !beyond_z & !eight & HIGH
}

/// The highest bit of each byte that is a space.
fn spaces(eight: u64) -> u64 {
    let other = eight ^ (u64::from(b' ') * ONES);
    !(((other & !HIGH) + !HIGH) | other) & HIGH
}

/// How many letters stand at `at`.
pub fn letters_at(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    loop {
        let others = letters(eight(&bytes[end.min(bytes.len())..])) ^ HIGH;
        if others != 0 {
            return end + others.trailing_zeros() as usize / 8 - at;
        }
        end += 8;
    }
}

/// How many letters and spaces stand at `at`.
pub fn letters_or_spaces_at(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    loop {
        let eight = eight(&bytes[end.min(bytes.len())..]);
        let others = (letters(eight) | spaces(eight)) ^ HIGH;
        if others != 0 {
            return end + others.trailing_zeros() as usize / 8 - at;
        }
        end += 8;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn as_byte_by_byte(text in "[a-zA-Z @\\[`{é]{0,40}", at in 0..40_usize) {
            let bytes = text.as_bytes();
            let at = at.min(bytes.len());
            let rest = &bytes[at..];
            let letters = rest.iter().take_while(|b| b.is_ascii_alphabetic()).count();
            prop_assert_eq!(letters_at(bytes, at), letters);
            let words = rest.iter().take_while(|b| b.is_ascii_alphabetic() || **b == b' ').count();
            prop_assert_eq!(letters_or_spaces_at(bytes, at), words);
        }
    }

    #[test]
    fn every_byte_is_told() {
        for byte in 0..=255_u8 {
            let text = [b'a', byte, b'z', b'Z', b'A', byte, byte, b'b', b'c', b'-'];
            let expected = if byte.is_ascii_alphabetic() { 9 } else { 1 };
            assert_eq!(letters_at(&text, 0), expected, "{byte}");
            let both = if byte == b' ' { text.len() - 1 } else { expected };
            assert_eq!(letters_or_spaces_at(&text, 0), both, "{byte}");
        }
    }
}
