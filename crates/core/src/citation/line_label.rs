//! The label at the start of a line of a source list.

use std::sync::LazyLock;

use regex::Regex;

use super::brackets;
use super::label::{Label, raised_digit};
use super::pandoc;
use cited_text::lexicon::table;
use cited_text::quantity::digit;

/// How a label is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LabelStyle {
    /// `[1]`, `［1］`, `[[1]]`
    Bracket,
    /// `【1】`, `〔1〕`
    Lenticular,
    /// `\[1\]`
    Escaped,
    /// `1.`, `1)`, `1、`
    Dot,
    /// `(1)`
    Paren,
    /// `[^1]:`, `[^1]`
    Footnote,
    /// `[1](url)`: the link stays in the entry.
    NumberLink,
    /// `^1^`, `<sup>1</sup>`
    Superscript,
    /// `[S1]`, `[Smith2020]`
    Name,
    /// `来源1：`, `Source 1:`
    Numbered,
    /// `-` or nothing.
    None,
}

impl LabelStyle {
    /// Whether the label stands in brackets, as citations do.
    pub fn is_written_in_brackets(self) -> bool {
        matches!(
            self,
            LabelStyle::Bracket
                | LabelStyle::Lenticular
                | LabelStyle::Escaped
                | LabelStyle::Footnote
                | LabelStyle::NumberLink
        )
    }
}

/// A label at the start of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineLabel {
    /// What it says.
    pub label: Label,
    /// How it is written.
    pub style: LabelStyle,
    /// Where the entry goes on after it.
    pub end: usize,
}

/// Bytes that a name in brackets may have to be a label.
const LONGEST_NAME: usize = 24;

/// The label that `line` starts with.
pub fn line_label(line: &str) -> Option<LineLabel> {
    let (shown, opened) = behind_an_anchor(line);
    let start = line.len() - shown.trim_start_matches([' ', '\t', '*', '_', '\u{3000}']).len();
    let rest = &line[start..];
    let (label, style, length) = opening_label(rest)?;
    let mut end = start + length;
    if opened {
        // `<a id="1">[1]</a> …`
        end = line.len() - line[end..].strip_prefix("</a>")?.len();
    }
    if style != LabelStyle::NumberLink {
        let after = line[end..].trim_start_matches(['*', '_']);
        let after = after.strip_prefix([':', '：', '.']).unwrap_or(after).trim_start_matches(['*', '_']);
        end = line.len() - after.trim_start().len();
    }
    Some(LineLabel { label, style, end })
}

/// `line` behind an anchor that links lead to, `<a id="ref1"></a>1. …`, and whether it is still open there.
fn behind_an_anchor(line: &str) -> (&str, bool) {
    let anchor = line.trim_start().strip_prefix("<a ").and_then(|rest| rest.split_once('>'));
    match anchor {
        Some((names, rest)) if names.starts_with("id=") || names.starts_with("name=") => {
            rest.strip_prefix("</a>").map_or((rest, true), |rest| (rest, false))
        }
        _ => (line, false),
    }
}

/// What stands round a number that is a label, and how it is written so. Brackets in which numbers cite are in their own table.
const ROUND: [(&str, &[&str], LabelStyle); 5] = [
    ("\\[", &["\\]", "]"], LabelStyle::Escaped),
    ("(", &[")", "）"], LabelStyle::Paren),
    ("（", &[")", "）"], LabelStyle::Paren),
    ("^", &["^", ""], LabelStyle::Superscript),
    ("<sup>", &["</sup>"], LabelStyle::Superscript),
];

fn opening_label(rest: &str) -> Option<(Label, LabelStyle, usize)> {
    let first = rest.chars().next()?;
    for (open, closes, style) in ROUND {
        if let Some(inner) = rest.strip_prefix(open) {
            let (label, length) = leading_number(inner)?;
            let close = closes.iter().find(|close| inner[length..].starts_with(**close))?;
            return Some((label, style, open.len() + length + close.len()));
        }
    }
    if first == '[' {
        return bracket_label(rest);
    }
    if let Some(brackets) = brackets::opened_by(first) {
        let open = first.len_utf8();
        let (label, length) = leading_number(&rest[open..])?;
        let close = rest[open + length..].chars().next().filter(|c| brackets.close.contains(c))?;
        let style = if brackets.square { LabelStyle::Bracket } else { LabelStyle::Lenticular };
        return Some((label, style, open + length + close.len_utf8()));
    }
    if raised_digit(first).is_some() {
        let length = rest.find(|c| raised_digit(c).is_none())?;
        let value = rest[..length].chars().take(5).filter_map(raised_digit).fold(0, |value, digit| value * 10 + digit);
        let parted = rest[length..].starts_with([' ', '\t', ':', '.', ')', '[', '\u{a0}']);
        return parted.then_some((Label::Number(value), LabelStyle::Superscript, length));
    }
    let Some((label, length)) = leading_number(rest) else { return numbered_label(rest) };
    let marks = ["\\.", ". ", ".\t", ") ", "）", "、", "．", ".\u{a0}", ".[", ".*", "._"];
    let mark = marks.into_iter().find(|mark| rest[length..].starts_with(mark))?;
    Some((label, LabelStyle::Dot, length + mark.trim_end_matches([' ', '\t', '\u{a0}', '[', '*', '_']).len()))
}

/// The words before the number of an entry; the file says which.
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| {
    let words: Vec<&str> = table::words(include_str!("data/address_words.tsv"), "numbered").collect();
    Regex::new(&format!(r"^(?i:{})[ _#]?(\d{{1,4}}) ?[:：]", words.join("|"))).expect("a fixed pattern")
});

/// `来源1：…`, `Source 1: …`
fn numbered_label(rest: &str) -> Option<(Label, LabelStyle, usize)> {
    const LONGEST: usize = 40;
    let found = NUMBERED.captures(&rest[..rest.floor_char_boundary(LONGEST)])?;
    // What an address is of is no entry: *source 1://*.
    let length = found[0].len();
    (!rest[length..].starts_with("//")).then_some((Label::parse(&found[1])?, LabelStyle::Numbered, length))
}

fn bracket_label(rest: &str) -> Option<(Label, LabelStyle, usize)> {
    if let Some(inner) = rest.strip_prefix("[^") {
        let close = inner.bytes().take(64).position(|b| b == b']')?;
        let label = Label::parse(inner.get(..close)?.trim_end_matches('^'))?;
        return Some((label, LabelStyle::Footnote, 2 + close + 1));
    }
    if let Some(inner) = rest.strip_prefix("[[").or_else(|| rest.strip_prefix("[\\[")) {
        let (label, length) = leading_number(inner)?;
        let after = inner[length..].strip_prefix('\\').unwrap_or(&inner[length..]).strip_prefix("]]")?;
        let whole = rest.len() - after.len();
        return if after.starts_with('(') {
            Some((label, LabelStyle::NumberLink, 0))
        } else {
            Some((label, LabelStyle::Bracket, whole))
        };
    }
    let inner = rest.get(1..)?;
    let close = inner.bytes().take(64).position(|b| b == b']')?;
    let words = inner.get(..close)?;
    let is_link = inner[close + 1..].starts_with('(');
    if let Some(key) = words.strip_prefix('@').filter(|key| !is_link && !key.contains(char::is_whitespace)) {
        return Some((pandoc::key_label(key)?, LabelStyle::Name, close + 2));
    }
    match Label::parse(words)? {
        label @ Label::Number(_) if is_link => Some((label, LabelStyle::NumberLink, 0)),
        label @ Label::Number(_) => Some((label, LabelStyle::Bracket, close + 2)),
        label @ Label::Name(_) => {
            let may_stand = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | ' ' | '+' | '@');
            let has_digit = words.chars().any(|c| c.is_ascii_digit());
            if is_link {
                return None;
            }
            let is_name = has_digit && words.len() <= LONGEST_NAME && words.chars().all(may_stand);
            is_name.then_some((label, LabelStyle::Name, close + 2))
        }
    }
}

/// The number at the start of `text` and its length in bytes.
pub(crate) fn leading_number(text: &str) -> Option<(Label, usize)> {
    let length = text.find(|c| digit(c).is_none()).unwrap_or(text.len());
    Label::parse(&text[..length]).filter(|label| label.number().is_some()).map(|label| (label, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Option<(&str, LabelStyle, &str)>) {
        let found = line_label(line);
        let found = found.as_ref().map(|found| (found.label.to_string(), found.style, &line[found.end..]));
        assert_eq!(found, expected.map(|(label, style, rest)| (label.to_owned(), style, rest)), "of {line:?}");
    }

    #[test]
    fn labels_as_they_are_written() {
        use LabelStyle::{Bracket, Dot, Escaped, Footnote, Lenticular, Name, NumberLink, Numbered, Paren, Superscript};
        check("[1] T: u", Some(("1", Bracket, "T: u")));
        check("[1]: u", Some(("1", Bracket, "u")));
        check("**[12]** T", Some(("12", Bracket, "T")));
        check("［３］ T", Some(("3", Bracket, "T")));
        check("【3】T", Some(("3", Lenticular, "T")));
        check("\\[3\\] T", Some(("3", Escaped, "T")));
        check("3. T", Some(("3", Dot, "T")));
        check("3) T", Some(("3", Dot, "T")));
        check("3、T", Some(("3", Dot, "T")));
        check("3\\. T", Some(("3", Dot, "T")));
        check("**3.** T", Some(("3", Dot, "T")));
        check("(3) T", Some(("3", Paren, "T")));
        check("[^3]: T", Some(("3", Footnote, "T")));
        check("[3](u) T", Some(("3", NumberLink, "[3](u) T")));
        check("[[3]] T", Some(("3", Bracket, "T")));
        check("[\\[3\\]](u) T", Some(("3", NumberLink, "[\\[3\\]](u) T")));
        check("^3^ T", Some(("3", Superscript, "T")));
        check("<a id=\"ref1\"></a>3. T", Some(("3", Dot, "T")));
        check("<a id=\"1\">[1]</a> T", Some(("1", Bracket, "T")));
        check("<a name=\"1\">[1] T</a>", None);
        check("3）T", Some(("3", Dot, "T")));
        check("¹² T", Some(("12", Superscript, "T")));
        check("<sup>3</sup> T", Some(("3", Superscript, "T")));
        check("[doc1] T", Some(("doc1", Name, "T")));
        check("[来源1] T", Some(("来源1", Name, "T")));
        check("来源1：T", Some(("1", Numbered, "T")));
        check("Source 2: T", Some(("2", Numbered, "T")));
    }

    #[test]
    fn other_lines_have_none() {
        for line in [
            "",
            "T",
            "[Title](u)",
            "[VERIFIED] x",
            "[GWEC] T",
            "[x] A",
            "[a word] A",
            "Source: A",
            "Sources 1",
            "3.5 million",
            "2024 was",
            "[1",
            "[^",
            "(see 3)",
            "3 x",
            "[]",
            "1.5x",
            "\\[",
            "\\[2\\[",
        ] {
            check(line, None);
        }
    }
}
