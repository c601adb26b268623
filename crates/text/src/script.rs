//! Which writing a character belongs to, as far as spacing and word cutting need it.

/// Whether `c` is Chinese, Japanese or Korean writing, its punctuation and full-width forms included: text without
/// spaces between words (Unicode blocks of CJK, kana, full-width forms) or set without a space before brackets.
pub fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{2e80}'..='\u{2fdf}'
        | '\u{3000}'..='\u{30ff}'
        | '\u{3100}'..='\u{312f}'
        | '\u{31a0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff00}'..='\u{ffef}'
        | '\u{20000}'..='\u{3ffff}')
}

/// Whether a text is written in Latin letters, as far as it has any; `None` without letters.
pub fn is_latin(text: &str) -> Option<bool> {
    let mut letters = text.chars().filter(|c| c.is_alphabetic()).peekable();
    letters.peek()?;
    let (mut latin, mut other) = (0, 0);
    for c in letters {
        // Latin letters lie below the Greek ones; extensions of theirs stand apart.
        if (c as u32) < 0x370 || (0x1E00..0x1F00).contains(&(c as u32)) { latin += 1 } else { other += 1 }
    }
    Some(latin >= other)
}

#[cfg(test)]
mod tests {
    use super::is_latin;

    #[test]
    fn letters_that_most_of_a_text_is_written_in() {
        assert_eq!(is_latin("Über"), Some(true));
        assert_eq!(is_latin("地衣 von 2019"), Some(true));
        assert_eq!(is_latin("Лишайники"), Some(false));
        assert_eq!(is_latin("2019"), None);
    }
}
