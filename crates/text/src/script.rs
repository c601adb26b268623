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
