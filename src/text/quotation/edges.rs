//! The edges of a quotation: no number is cut there, and its sign is a part of it.

/// Whether a number goes on over `at` in a folded text: *18|.5*, *18|,500*, *18| 500*, *0.|5*, *-|5*.
pub(super) fn parts_number(text: &str, at: usize) -> bool {
    const INSIDE: [char; 3] = ['.', ',', '\''];
    let digit = |c: char| c.is_ascii_digit();
    let (before, after) = (&text[..at], &text[at..]);
    if before.ends_with(digit) {
        let rest = after.strip_prefix([' ', '.', ',', '\'']).unwrap_or_default();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let first = before.bytes().rev().take_while(u8::is_ascii_digit).count();
        // A space groups digits by three; other than that it parts numbers.
        let grouped = digits == 3 && first <= 3 && !rest[3..].starts_with(char::is_alphanumeric);
        return if after.starts_with(' ') { grouped } else { digits > 0 };
    }
    if !after.starts_with(digit) {
        return false;
    }
    let parted =
        |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '[' | '$' | '€' | '£' | '¥'));
    if let Some(head) = before.strip_suffix(INSIDE) {
        let last = head.chars().next_back();
        return last.is_some_and(|c| c.is_ascii_digit()) || before.ends_with('.') && parted(last);
    }
    if let Some(head) = before.strip_suffix(' ') {
        let first = head.bytes().rev().take_while(u8::is_ascii_digit).count();
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let begins = !head[..head.len() - first].ends_with(char::is_alphanumeric);
        return (1..=3).contains(&first) && digits == 3 && begins;
    }
    before.strip_suffix(['-', '+', '±']).is_some_and(|head| parted(head.chars().next_back()))
}

/// A stretch without what stands around its words; the sign or point that its first number begins with is kept.
pub(super) fn trimmed(folded: &str) -> &str {
    let text = folded.trim_matches(|c: char| !c.is_alphanumeric());
    let whole = folded.trim_end_matches(|c: char| !c.is_alphanumeric());
    let lead = &whole[..whole.len() - text.len()];
    let signed = lead.trim_end_matches(['-', '+', '±', '.']);
    let kept = lead.len() - signed.len();
    let parted = signed.chars().next_back().is_none_or(|c| !c.is_alphanumeric());
    if kept > 0 && kept <= '±'.len_utf8() && parted && text.starts_with(|c: char| c.is_ascii_digit()) {
        return &whole[signed.len()..];
    }
    text
}
