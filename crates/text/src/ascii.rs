//! Words in lower case, without a new text where they are ASCII.

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
