//! The signs on both sides of a citation: what ends a claim before it, what would swallow it, what parts it from words.

use cited_text::marks::is_closing_mark;
use cited_text::{Span, lines};

/// Whether a sign ends a sentence.
pub(super) fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '。' | '！' | '？' | '…' | ':' | '：')
}

/// Signs that may stand after the stop and belong to the sentence.
pub(super) fn is_closing(c: char) -> bool {
    c.is_whitespace() || is_closing_mark(c) || matches!(c, '\'' | ')' | '）' | '*' | '_' | '~' | '|')
}

/// A citation in the place of a marker of another form, kept apart from what would take it in: a bare address before it
/// swallows a bracket, a parenthesis behind it makes it a link, a colon a definition.
pub(super) fn separate(text: &str, marker: Span, citation: String, changes: bool) -> String {
    let follows_address = ends_in_address(&text[..marker.start]);
    if citation == marker.slice(text) && !follows_address {
        return citation;
    }
    let opens_line =
        || text[lines::line_start(text, marker.start)..marker.start].trim_matches([' ', '\t', '>']).is_empty();
    let rest = &text[marker.end..];
    let leads_on =
        changes && citation.ends_with(']') && (rest.starts_with('(') || (rest.starts_with(':') && opens_line()));
    let (before, behind) = (if follows_address { " " } else { "" }, if leads_on { "\\" } else { "" });
    format!("{before}{citation}{behind}")
}

/// The line that ends for good inside a run of citations: it parts two claims, and stays.
pub(super) fn hard_break(run: &str) -> &str {
    let Some(at) = run.find(['\n', '\r']) else { return "" };
    let before = &run[..at];
    let next = lines::line_stop(run, at);
    let line = before.trim_end_matches(' ');
    let start = if before.len() >= line.len() + 2 { line.len() } else { line.trim_end_matches('\\').len() };
    let indent = run[next..].len() - run[next..].trim_start_matches([' ', '\t', '>']).len();
    if start < before.len() { &run[start..next + indent] } else { "" }
}

/// Whether the last word of `text` is a bare address.
pub(super) fn ends_in_address(text: &str) -> bool {
    const LONGEST_LOOK: usize = 300;
    let end = &text.as_bytes()[text.len().saturating_sub(LONGEST_LOOK)..];
    let word = end.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    let word = &word[word.iter().position(u8::is_ascii_alphanumeric).unwrap_or(word.len())..];
    (word.starts_with(b"http://") || word.starts_with(b"https://")) && word.is_ascii() && !word.contains(&b'>')
}

/// A citation to insert at `at`: after a space, in running Chinese and Japanese without.
pub(super) fn spaced(text: &str, at: usize, citation: &str) -> String {
    let before = text[..at].chars().next_back();
    let glued = before.is_none_or(|c| c.is_whitespace() || cited_text::script::is_cjk(c) || "([「『（“".contains(c));
    if glued { citation.to_owned() } else { format!(" {citation}") }
}
