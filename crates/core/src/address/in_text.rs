//! Where an address that stands in running text begins and ends.

use crate::pattern::Pattern;
use cited_text::Span;
use cited_text::escape::is_unsafe;

/// What stands in the DOIs of older journals, `004<0957:ADARCC>2.0.CO;2`, from either of the signs that end an address elsewhere
/// (ANSI/NISO Z39.56).
pub const OF_ISSUE: &str = r"(?:<[^\s<>]{0,40})?>[0-9]\.[0-9]\.[A-Za-z]{2};[0-9]";

/// Whether a text begins with a sign that belongs to a DOI.
fn is_of_issue(text: &str) -> bool {
    static BEGINS: Pattern = Pattern::made(|| format!("^{OF_ISSUE}"));
    text.starts_with(['<', '>']) && BEGINS.is_match(text)
}

/// The end of the address that starts at `start` of `text`, not past `limit`: white space, quotes, angle brackets and
/// full-width punctuation end it; balanced parentheses belong to it, punctuation at its end does not.
pub fn end_in(text: &str, start: usize, limit: usize) -> usize {
    /// What stands behind a path and is a citation, `https://a.example/x[1]`; a query may have such a part, and a path that goes on behind it.
    static CITATION: Pattern = Pattern::new(r"^\[[0-9]+(?:,|\](?:[^/=?&]|$))");
    let slice = text.get(start..limit).unwrap_or_default();
    let (mut escaped, mut asks) = (false, false);
    let end = slice.char_indices().find(|(at, c)| {
        if *c == '\\' && !escaped {
            // `\_` in an address is an underscore to Markdown.
            escaped = slice.as_bytes().get(at + 1).is_some_and(|next| b"_~*()&#=.-%+!$".contains(next))
                || is_of_issue(&slice[at + 1..]);
            return !escaped;
        }
        escaped = false;
        asks |= *c == '?';
        ends_address(*c) && !is_of_issue(&slice[*at..]) || *c == '[' && !asks && CITATION.is_match(&slice[*at..])
    });
    start + trim_end(&slice[..end.map_or(slice.len(), |(at, _)| at)]).len()
}

/// The address that Markdown source shows: backslash escapes and entities resolved, angle brackets written as an address has them, without
/// signs that nobody sees.
pub fn unescaped(source: &str) -> String {
    let shown = source.replace(|sign| matches!(sign, '\\' | '\u{ad}') || is_unsafe(sign), "");
    if !shown.contains(['&', '<']) {
        return shown;
    }
    let signs = [("&lt;", "%3C"), ("&gt;", "%3E"), ("<", "%3C"), (">", "%3E"), ("&amp;", "&")];
    signs.iter().fold(shown, |text, (written, sign)| text.replace(written, sign))
}

fn ends_address(c: char) -> bool {
    // White space, signs that no address has; general punctuation (dashes, quotes, ellipsis), CJK punctuation, full-width forms.
    c.is_whitespace()
        || c.is_ascii_control()
        || matches!(c, '<' | '>' | '"' | '`' | '|' | '^' | '{' | '}')
        || matches!(c, '\u{2010}'..='\u{203b}' | '\u{3000}'..='\u{3004}' | '\u{3008}'..='\u{301f}')
        || matches!(c, '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}' | '\u{ff5b}'..='\u{ff65}')
}

/// An address without the punctuation of the sentence around it: stops, quotes, and closing brackets that it does not
/// open itself.
pub fn trim_end(address: &str) -> &str {
    // Behind a bracket that closes before one opens, `a](b`, stands another's.
    let mut open = 0;
    let is_end = |c: char| {
        open += i32::from(c == '[') - i32::from(c == ']');
        open < 0
    };
    let own = address.split(is_end).next().unwrap_or(address);
    let mut open: i64 = own.bytes().map(|byte| i64::from(byte == b'(') - i64::from(byte == b')')).sum();
    own.trim_end_matches(|last| match last {
        ')' if open < 0 => {
            open += 1;
            true
        }
        last => matches!(last, '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '*'),
    })
}

/// Addresses with nothing between them that are looked at: an archived copy holds one, glued ones are a few.
const MOST_GLUED: usize = 5;

/// The places of `http://`, `https://` and `ftp://` in `text`, in order; of those that nothing parts only the first few. What nobody may
/// be asked for is an address all the same.
pub fn starts(text: &str) -> impl Iterator<Item = usize> + '_ {
    let (mut last, mut glued) = (0, 0);
    let all = memchr::memmem::find_iter(text.as_bytes(), b"://").filter_map(|at| start_before(text, at));
    all.filter(move |start| {
        glued = if text[last..*start].contains(ends_address) { 1 } else { glued + 1 };
        last = *start;
        glued <= MOST_GLUED
    })
}

/// Whether `text` begins with an address.
pub fn is_at_start(text: &str) -> bool {
    starts(text).next() == Some(0)
}

/// The addresses of `text`, each where it stands.
pub fn each(text: &str) -> impl Iterator<Item = Span> + '_ {
    starts(text).map(|start| Span::new(start, end_in(text, start, text.len())))
}

/// The places of hosts that stand without a scheme, `www.a.example`, which begin where GitHub Flavored Markdown lets a link begin
/// ("Autolinks (extension)").
pub fn bare_hosts(text: &str) -> impl Iterator<Item = usize> + '_ {
    static HOST: Pattern = Pattern::new(r"(?m)(?:^|[\s*_~(])(www(?:\.[\w-]*[\p{L}\p{N}]){2,})");
    HOST.captures_iter(text).filter_map(|found| Some(found.get(1)?.start()))
}

/// Where the address starts whose `://` is at `at`; `None` when it is not of the web.
pub(crate) fn start_before(text: &str, at: usize) -> Option<usize> {
    let before = &text.as_bytes()[..at];
    let scheme = [b"https".as_slice(), b"http", b"ftp"].into_iter().find(|scheme| {
        before.len() >= scheme.len() && before[before.len() - scheme.len()..].eq_ignore_ascii_case(scheme)
    })?;
    let start = at - scheme.len();
    let host = text.as_bytes().get(at + 3)?;
    let glued = start > 0 && before[start - 1].is_ascii_alphanumeric();
    (!glued && (host.is_ascii_alphanumeric() || *host == b'[' || *host >= 0x80)).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<_> = each(text).map(|at| at.slice(text)).collect();
        assert_eq!(found, expected, "in {text:?}");
    }

    #[test]
    fn addresses_end_where_a_reader_would_end_them() {
        check("see https://a.b/c.", &["https://a.b/c"]);
        check("(https://a.b/Foo_(bar))", &["https://a.b/Foo_(bar)"]);
        check("https://a.b/x-(y)-z  \nnext", &["https://a.b/x-(y)-z"]);
        check("https://doi.org/10.1016/0022(94)90302-6, and", &["https://doi.org/10.1016/0022(94)90302-6"]);
        check("见https://a.b/c。下", &["https://a.b/c"]);
        check("https://zh.wikipedia.org/zh-hans/中產階級 - 中产", &["https://zh.wikipedia.org/zh-hans/中產階級"]);
        check("[https://a.b/c]", &["https://a.b/c"]);
        check("https://a.b/x](y)", &["https://a.b/x"]);
        check("HTTP://A.B and xhttp://no https:// none", &["HTTP://A.B"]);
        check("ftp://a.b/c and sftp://a.b/d", &["ftp://a.b/c"]);
        check(
            "https://web.archive.org/web/2023/https://a.b/",
            &["https://web.archive.org/web/2023/https://a.b/", "https://a.b/"],
        );
        check("https://a.b/x_ and https://a.b/y_.", &["https://a.b/x_", "https://a.b/y_"]);
        check("**https://a.b/x**", &["https://a.b/x"]);
        check("https://a.b/?q=what's&x=[1]", &["https://a.b/?q=what's&x=[1]"]);
        check("https://a.b/x[1]. https://a.b/表[8, 9]", &["https://a.b/x", "https://a.b/表"]);
        check("http://[::1]/x[y]", &["http://[::1]/x[y]"]);
        for doi in ["(91)4<957:AD>2.0.CO;2", "(91)4\\<957:AD\\>2.0.CO;2-#", "(SICI)10(1991)4:8<69::AD-A4>3.0.CO;2-O"] {
            check(&format!("<https://doi.org/10.5555/{doi}>. Next"), &[&format!("https://doi.org/10.5555/{doi}")]);
        }
        check("https://a.b/x<br>2.0 and https://a.b/y\\<z>", &["https://a.b/x", "https://a.b/y"]);
    }
}
