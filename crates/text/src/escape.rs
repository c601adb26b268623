//! Text from elsewhere made safe for where it goes: titles, claims and passages in Markdown and on terminals.
//!
//! Nothing that a page or draft says may become a link, an image, HTML, a table, a definition or a list here.

use std::borrow::Cow;

/// The longest title that is shown, in bytes.
const LONGEST_TITLE: usize = 4096;

/// `text` as one line without controls: C0 and C1, ANSI escapes, bidi overrides and isolates, line ends.
pub fn plain(text: &str) -> Cow<'_, str> {
    // Most text is ASCII words with single spaces between.
    let bytes = text.as_bytes();
    let plain_word = |byte: &u8| (b'!'..=b'~').contains(byte);
    // Without an early end or a branch, so that many bytes are looked at in one step.
    let pairs = bytes.iter().zip(bytes.get(1..).unwrap_or_default());
    let odd = pairs.fold(0, |odd, (&byte, &next)| {
        odd | u8::from(!(b' '..=b'~').contains(&byte)) | u8::from(byte == b' ') & u8::from(next == b' ')
    });
    if odd == 0 && bytes.first().is_none_or(plain_word) && bytes.last().is_none_or(plain_word) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_whitespace() {
            if !out.ends_with(' ') {
                out.push(' ');
            }
        } else if !is_unsafe(c) {
            out.push(c);
        }
    }
    Cow::Owned(out.trim().to_owned())
}

/// Whether `c` is a control or one of the characters that reorder or hide text (Unicode Technical Report 36).
pub fn is_unsafe(c: char) -> bool {
    (c.is_control() && !c.is_whitespace())
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
        || ('\u{e0000}'..='\u{e007f}').contains(&c)
}

/// `text` as words of a Markdown line: nothing in it is read as markup. Only what could be is escaped, so that ordinary
/// prose stays as it is.
pub fn inline(text: &str) -> Cow<'_, str> {
    let text = plain(text);
    if !needs_escape(&text) {
        return text;
    }
    let chars: Vec<char> = text.chars().collect();
    // A tilde strikes words out only if one after it can close the pair: `~150` alone is harmless.
    let struck = chars.windows(2).any(|pair| pair[1] == '~' && !pair[0].is_whitespace());
    // Where a formula could end, by Pandoc's rule: `$5` opens one only if there is such a place after it.
    let closes = |i: usize| {
        chars[i] == '$' && !chars[i - 1].is_whitespace() && !chars.get(i + 1).is_some_and(char::is_ascii_digit)
    };
    let last_close = (1..chars.len()).rev().find(|i| closes(*i)).unwrap_or(0);
    let mut out = String::with_capacity(text.len() + 8);
    for (i, &c) in chars.iter().enumerate() {
        let before = i.checked_sub(1).map(|i| chars[i]);
        let after = chars.get(i + 1).copied();
        let escape = match c {
            // Before a letter it would begin a command of TeX, should these words come between two brackets.
            '\\' => after.is_some_and(|next| next.is_ascii_punctuation() || next.is_ascii_alphabetic()),
            '`' | '[' | ']' => true,
            '*' => !(before.is_none_or(char::is_whitespace) && after.is_none_or(char::is_whitespace)),
            '_' => {
                let inside = before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric);
                let alone = before.is_none_or(char::is_whitespace) && after.is_none_or(char::is_whitespace);
                !inside && !alone
            }
            '~' => struck,
            '<' => after.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')),
            '&' => is_entity(&chars[i + 1..]),
            // One that ends a formula may end one that begins before these words.
            '$' => {
                let opens =
                    after.is_some_and(|next| !next.is_whitespace() && (!next.is_ascii_digit() || i < last_close));
                opens || (i > 0 && closes(i))
            }
            _ => false,
        };
        if escape {
            out.push('\\');
        }
        out.push(c);
    }
    Cow::Owned(out)
}

/// Whether a line has a sign that may be markup at all.
pub fn needs_escape(text: &str) -> bool {
    let is_sign = |b: u8| matches!(b, b'\\' | b'`' | b'[' | b']' | b'*' | b'_' | b'~' | b'<' | b'&' | b'$');
    // Without an early end: most lines have none.
    text.bytes().fold(false, |any, b| any | is_sign(b))
}

/// `text` as the title of a list entry: [`inline`], cut to 4 KiB, and no list, heading or quote at its start.
pub fn title(text: &str) -> String {
    let mut escaped = inline(&text[..text.floor_char_boundary(LONGEST_TITLE)]).into_owned();
    let digits = escaped.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &escaped[digits..];
    let numbered = (1..=9).contains(&digits)
        && rest.starts_with(['.', ')'])
        && rest[1..].chars().next().is_none_or(char::is_whitespace);
    let bulleted =
        escaped.strip_prefix(['-', '+', '*']).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '-']));
    let heading =
        escaped.starts_with('#') && escaped.trim_start_matches('#').chars().next().is_none_or(char::is_whitespace);
    if numbered || bulleted || heading || escaped.starts_with(['>', '|']) {
        escaped.insert(if numbered { digits } else { 0 }, '\\');
    }
    escaped
}

fn is_entity(after: &[char]) -> bool {
    let name = after.iter().take_while(|c| c.is_ascii_alphanumeric() || **c == '#').take(33).count();
    name > 0 && after.get(name) == Some(&';')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(inline(text), expected);
    }

    #[test]
    fn ordinary_prose_stays_as_it_is() {
        check("R&D rose 5% (a_b, 2 * 3) — “quoted”, a < b, $5.", "R&D rose 5% (a_b, 2 * 3) — “quoted”, a < b, $5.");
        check("tail\\", "tail\\");
    }

    #[test]
    fn markup_is_escaped() {
        check("[x](y) <b> *a* `c` &amp; ~~d~~", "\\[x\\](y) \\<b> \\*a\\* \\`c\\` \\&amp; \\~\\~d\\~\\~");
        check("a\n- b\u{1b}[31m\u{202e}", "a - b\\[31m");
        check("a\u{61c}b\u{200e}\u{200f}\u{2066}c", "abc");
        assert_eq!(title("1. x"), "1\\. x");
        assert_eq!(title("- x"), "\\- x");
        assert_eq!(title("# x"), "\\# x");
    }

    proptest! {
        #[test]
        fn a_title_is_only_text_in_a_list(text in "[ -~\\n\u{2014}é]{0,60}") {
            let line = format!("1. {} — end\n", title(&text));
            let events: Vec<_> = Parser::new_ext(&line, Options::all() - Options::ENABLE_SMART_PUNCTUATION - Options::ENABLE_MATH
                - Options::ENABLE_SUBSCRIPT - Options::ENABLE_SUPERSCRIPT - Options::ENABLE_HEADING_ATTRIBUTES - Options::ENABLE_DEFINITION_LIST).collect();
            let mut shown = String::new();
            for event in events {
                match event {
                    Event::Text(text) => shown.push_str(&text),
                    Event::Start(Tag::List(_) | Tag::Item) | Event::End(TagEnd::List(_) | TagEnd::Item) => {}
                    other => prop_assert!(false, "{:?} of {:?}", other, line),
                }
            }
            prop_assert_eq!(shown.split_whitespace().collect::<Vec<_>>().join(" "), format!("{} — end", plain(&text)).trim().to_owned());
        }
    }
}
