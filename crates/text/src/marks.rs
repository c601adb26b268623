//! The marks of quotations.

/// Pairs of marks, opening and closing. German and Chinese usage share characters with English in other places.
pub(crate) const MARKS: &[(char, &[char])] = &[
    ('“', &['”', '"']),
    ('„', &['“', '”']),
    ('«', &['»']),
    ('»', &['«']),
    ('‹', &['›']),
    ('「', &['」']),
    ('『', &['』']),
    ('《', &['》']),
    ('〝', &['〟']),
    ('‘', &['’']),
    ('"', &['"']),
];

/// Whether a quotation may begin with a character. Titles of works stand in marks of their own.
pub fn is_opening_mark(c: char) -> bool {
    matches!(c, '"' | '“' | '„' | '«' | '‹' | '「' | '『' | '〝' | '‘')
}

/// Whether a character ends a quotation wherever nothing is known of its beginning: marks that begin one in most languages are left out.
pub fn is_closing_mark(c: char) -> bool {
    matches!(c, '"' | '”' | '’' | '»' | '›' | '」' | '』' | '〟')
}

/// Whether a character is a quotation mark and nothing else: no apostrophe.
pub fn is_mark(c: char) -> bool {
    !matches!(c, '‘' | '’') && (is_opening_mark(c) || is_closing_mark(c))
}

/// What stands between the quotation marks that a text begins and ends with.
pub fn unquoted(text: &str) -> Option<&str> {
    let first = text.chars().next().filter(|c| is_opening_mark(*c))?;
    let (_, closing) = MARKS.iter().find(|(mark, _)| *mark == first)?;
    text[first.len_utf8()..].strip_suffix(*closing)
}

/// The length of the mark of a note that a text begins with: `[12]`, `[3, 4]`, `[5–7]`.
pub(crate) fn note_mark(text: &str) -> Option<usize> {
    /// Characters in the longest one.
    const LONGEST: usize = 24;
    let inner = text.strip_prefix('[')?;
    let other = |c: char| !(c.is_ascii_digit() || matches!(c, ',' | ' ' | '-' | '–'));
    let (end, _) = inner.char_indices().take(LONGEST).find(|(_, c)| other(*c))?;
    let is_one = inner[end..].starts_with(']') && inner[..end].contains(|c: char| c.is_ascii_digit());
    is_one.then_some(end + 2)
}
