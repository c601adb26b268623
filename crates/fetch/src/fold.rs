//! Folding for phrase tables: lower case, straight apostrophes, words divided by single spaces, nothing else.

/// Folds at most `limit` characters of a text.
pub fn fold(text: &str, limit: usize) -> String {
    let mut out = String::with_capacity(text.len().min(limit.saturating_mul(2)));
    for c in text.chars().take(limit) {
        match c {
            c if c.is_ascii_alphanumeric() => out.push(c.to_ascii_lowercase()),
            '\u{2019}' | '\u{2018}' | '\u{2bc}' | '\u{b4}' | '`' | '\'' => out.push('\''),
            // What `to_lowercase` makes of a Turkish İ beside its i.
            '\u{307}' => {}
            c if c.is_alphanumeric() => out.extend(c.to_lowercase().filter(|&c| c != '\u{307}')),
            _ if !out.ends_with(' ') && !out.is_empty() => out.push(' '),
            _ => {}
        }
    }
    if out.ends_with(' ') {
        out.pop();
    }
    out
}

/// Whether a folded text holds a folded phrase, on word bounds where the script has them.
pub fn holds(text: &str, phrase: &str) -> bool {
    find_phrase(text, phrase, false).is_some()
}

/// Where a folded text holds a folded phrase; after an `open` one any ending may follow.
pub fn find_phrase(text: &str, phrase: &str, open: bool) -> Option<usize> {
    if phrase.is_empty() {
        return None;
    }
    let bounded = |at: usize| {
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        let after = text.get(at + phrase.len()..).and_then(|tail| tail.chars().next());
        let edge = |c: Option<char>| c.is_none_or(|c| c == ' ' || is_unspaced(c));
        phrase.chars().any(is_unspaced) || edge(before) && (open || edge(after))
    };
    memchr::memmem::find_iter(text.as_bytes(), phrase.as_bytes()).find(|&at| bounded(at))
}

/// Words of a text: runs without white space; in scripts without spaces two characters count as one.
pub fn count_words(text: &str) -> usize {
    if text.is_ascii() {
        return text.split_ascii_whitespace().count();
    }
    text.split_whitespace().map(|word| word.chars().filter(|&c| is_unspaced(c)).count().div_ceil(2).max(1)).sum()
}

/// Whether a character belongs to a script that is written without spaces.
pub fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{0e00}'..='\u{0e7f}' | '\u{ac00}'..='\u{d7af}' | '\u{20000}'..='\u{2ffff}')
}

#[cfg(test)]
mod tests {
    use super::{count_words, fold, holds};

    #[test]
    fn folding_and_finding() {
        assert_eq!(fold("Sorry — we can’t find THAT page!", 100), "sorry we can't find that page");
        assert!(holds("sorry we can't find that page", "can't find that page"));
        assert!(!holds("homepage not foundry", "page not found"));
        assert!(holds(&fold("申し訳ありません。お探しのページは見つかりません", 100), "お探しのページ"));
        assert_eq!(count_words("page not found"), 3);
        assert_eq!(count_words("页面不存在"), 3);
    }
}
