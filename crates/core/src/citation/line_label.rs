//! The label at the start of a line of a source list.

use std::sync::LazyLock;

use regex::Regex;

use super::brackets::BRACKETS;
use super::label::{Label, LabelStyle, raised_number};
use super::pandoc;
use crate::pattern::{Pattern, any_of, build};
use cited_text::lexicon::table;

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

/// Bytes of the longest label with what stands behind it.
const LONGEST: usize = 80;

/// Bytes that a name in brackets may have to be a label.
const LONGEST_NAME: usize = 24;

/// The label that `line` starts with.
pub fn line_label(line: &str) -> Option<LineLabel> {
    // Behind an anchor that links lead to, `<a id="ref1"></a>1. …`, which may still be open there.
    static ANCHOR: Pattern = Pattern::new(r"^\s*<a (?:id|name)=[^>]*>(</a>)?");
    let anchor = ANCHOR.captures(line);
    let shown = anchor.as_ref().map_or(line, |anchor| &line[anchor[0].len()..]);
    let opened = anchor.is_some_and(|anchor| anchor.get(1).is_none());
    let start = line.len() - shown.trim_start_matches([' ', '\t', '*', '_', '\u{3000}']).len();
    let rest = &line[start..];
    let (styles, pattern) = &*LABELS;
    let found = pattern.captures(&rest[..rest.floor_char_boundary(LONGEST)])?;
    let (at, whole) = (0..styles.len()).find_map(|at| Some((at, found.get(2 * at + 1)?)))?;
    let (style, words) = (styles[at], &found[2 * at + 2]);
    let may_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | ' ' | '+' | '@');
    let label = match style {
        LabelStyle::Superscript => Label::Number(raised_number(words)),
        LabelStyle::Name if let Some(key) = words.strip_prefix('@').filter(|key| !key.contains(' ')) => {
            pandoc::key_label(key)?
        }
        LabelStyle::Name => {
            let has_digit = words.chars().any(|c| c.is_ascii_digit());
            Label::parse(words).filter(|_| has_digit && words.len() <= LONGEST_NAME && words.chars().all(may_name))?
        }
        _ => Label::parse(words)?,
    };
    let mut end = start + whole.len();
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

/// A number that is a label, in the digits of any script that labels are read in.
const NUMBER: &str = r"([0-9\x{660}-\x{669}\x{6F0}-\x{6F9}\x{966}-\x{96F}\x{9E6}-\x{9EF}\x{AE6}-\x{AEF}\x{BE6}-\x{BEF}\x{E50}-\x{E59}\x{FF10}-\x{FF19}]{1,5})";

/// How labels are written, of which the first that fits counts: all that the label takes, and in it what it says; `№` is a number. Brackets in
/// which numbers cite are in their own table, the words before a number in theirs.
const WRITTEN: [(LabelStyle, &str); 15] = [
    (LabelStyle::NumberLink, r"()\[\s*№\s*\]\("),
    (LabelStyle::NumberLink, r"()\[\\?\[№\\?\]\]\("),
    (LabelStyle::Bracket, r"(\[\s*№\s*\])"),
    (LabelStyle::Bracket, r"(\[\\?\[№\\?\]\])"),
    (LabelStyle::Footnote, r"(\[\^([^\]]{1,63}?)\^*\])"),
    (LabelStyle::Name, r"(\[(@[^\s\]]{1,62})\])(?:[^(]|$)"),
    (LabelStyle::Name, r"(\[([^\[\]]{1,24})\])(?:[^(]|$)"),
    (LabelStyle::Escaped, r"(\\\[№\\?\])"),
    (LabelStyle::Paren, "([(（]№[)）])"),
    (LabelStyle::Superscript, r"(\^№\^?)"),
    (LabelStyle::Superscript, "(<sup>№</sup>)"),
    (LabelStyle::Superscript, r"(([¹²³⁰⁴-⁹①-⑳]+))[ \t:.)\[\x{a0}]"),
    (LabelStyle::Dot, r"(№(?:\\\.|[）、．]))"),
    (LabelStyle::Dot, r"(№\.)[ \t\x{a0}\[*_]"),
    (LabelStyle::Dot, r"(№\)) "),
];

/// All of these as one pattern.
static LABELS: LazyLock<(Vec<LabelStyle>, Regex)> = LazyLock::new(|| {
    let words = any_of(table::words(include_str!("data/address_words.tsv"), "numbered"));
    // What an address is of is no entry: *source 1://*.
    let numbered = format!("((?i:{words})[ _#]?№ ?[:：])(?:/?[^/]|/?$)");
    let citing = BRACKETS.iter().filter(|brackets| brackets.open != '[').map(|brackets| {
        let close = regex::escape(&String::from_iter(brackets.close));
        (LabelStyle::Bracket, format!("({}№[{close}])", brackets.open))
    });
    let written = WRITTEN.into_iter().map(|(style, pattern)| (style, pattern.to_owned()));
    let (styles, patterns): (Vec<LabelStyle>, Vec<String>) =
        written.chain(citing).chain([(LabelStyle::Numbered, numbered)]).unzip();
    let pattern = format!("^(?:{})", patterns.join("|")).replace('№', NUMBER);
    (styles, build(&pattern))
});

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
        use LabelStyle::{Bracket, Dot, Escaped, Footnote, Name, NumberLink, Numbered, Paren, Superscript};
        check("[1] T: u", Some(("1", Bracket, "T: u")));
        check("[1]: u", Some(("1", Bracket, "u")));
        check("**[12]** T", Some(("12", Bracket, "T")));
        check("［３］ T", Some(("3", Bracket, "T")));
        check("【3】T", Some(("3", Bracket, "T")));
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
