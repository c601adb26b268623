//! Words in lower case, without a new text where they are ASCII, and the keys that they are looked up by.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

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

/// A word longer than this is cut for its key, in bytes: no language has it, hostile text does.
pub(crate) const LONGEST_WORD: usize = 64;

/// The hash of no bytes: FNV-1a is used throughout, which goes byte by byte and so gives the hash of each beginning too.
pub(crate) const EMPTY_HASH: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash of some bytes and one more.
#[inline]
pub(crate) fn hash_on(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

/// The hash of some bytes.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(EMPTY_HASH, |hash, byte| hash_on(hash, *byte))
}

/// The key of a word that is in lower case, as it is: to look it up in a table by its hash.
pub fn form(lower: &str) -> u64 {
    let cut = lower.as_bytes();
    hash(if lower.is_ascii() { &cut[..cut.len().min(LONGEST_WORD)] } else { cut })
}

/// A map by keys of words that we wrote: their hashes are used as they are.
pub type ByForm<T> = HashMap<u64, T, BuildHasherDefault<Ready>>;

/// A set of such keys.
pub type Forms = HashSet<u64, BuildHasherDefault<Ready>>;

/// A hasher for numbers that are hashes already.
#[derive(Debug, Default)]
pub struct Ready(u64);

impl Hasher for Ready {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash(bytes);
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}
