//! Headings of source lists, and of the sections that an earlier run has written.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::brackets;
use super::nearby::is_stop;
use crate::pattern::Pattern;
use cited_text::lexicon::table;

/// The words by language; the file says where they come from.
const TABLE: &str = include_str!("data/headings.tsv");

/// The headings that cited itself writes, by language.
const OWN: &str = include_str!("data/own_headings.tsv");

/// A section that cited itself writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum OwnSection {
    /// What was removed: no claims and no citations.
    Removed,
    /// What was noted: no claims and no citations.
    Notes,
    /// The source list of a draft that has none.
    Sources,
}

/// Section, language and words of each heading that cited writes.
fn own_headings() -> impl Iterator<Item = (OwnSection, &'static str, &'static str)> {
    table::rows(OWN).filter_map(|row| Some((row.class.parse().ok()?, row.lang, row.written())))
}

impl OwnSection {
    /// Its heading in a language, by the tag of ISO 639-1; in English where there is no other.
    ///
    /// ```
    /// use cited_core::citation::heading::OwnSection;
    /// assert_eq!(OwnSection::Sources.heading("de"), "Quellen");
    /// assert_eq!(OwnSection::Notes.heading("xx"), "Verification Notes");
    /// ```
    pub fn heading(self, language: &str) -> &'static str {
        let of = |wanted: &str| own_headings().find(|(section, tag, _)| *section == self && *tag == wanted);
        of(language).or_else(|| of("en")).map_or("", |(_, _, words)| words)
    }

    /// The section of removed claims or of notes that `line` heads, in whatever language.
    pub fn from_heading(line: &str) -> Option<Self> {
        static READ: LazyLock<HashMap<String, OwnSection>> =
            LazyLock::new(|| own_headings().map(|(section, _, words)| (words.to_lowercase(), section)).collect());
        READ.get(&bare(line).to_lowercase()).copied().filter(|section| *section != OwnSection::Sources)
    }
}

/// The language of a heading of sources, where only one has its words.
pub fn language_of(title: &str) -> Option<&'static str> {
    let title = title.to_lowercase();
    let terms = table::rows(TABLE).filter(|row| row.class == "term");
    let mut of = terms.filter(|row| row.forms().any(|words| words.to_lowercase() == title)).map(|row| row.lang);
    let first = of.next()?;
    of.all(|other| other == first).then_some(first)
}

/// A heading longer than this heads something else.
pub(super) const LONGEST_HEADING: usize = 120;

/// The words that headings of lists are made of, the longest first, and whether each is a term.
static WORDS: LazyLock<Vec<(String, bool)>> = LazyLock::new(|| {
    let rows = table::rows(TABLE);
    let mut words: Vec<(String, bool)> =
        rows.flat_map(|row| row.forms().map(move |words| (words.to_lowercase(), row.class == "term"))).collect();
    words.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
    words
});

/// Characters of what a source is called in front of it.
const LONGEST_LABEL: usize = 24;

/// Whether a character belongs to a script that is written without spaces between words, or joins such words.
fn has_no_spaces(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{e00}'..='\u{e7f}')
}

/// The heading's own words when `line` heads a list of sources: without `#` marks, numbering, emphasis, colon.
///
/// ```
/// use cited_core::citation::heading::list_heading;
/// assert_eq!(list_heading("**7. Sources:**"), Some("Sources".to_owned()));
/// assert_eq!(list_heading("### 九、参考文献"), Some("参考文献".to_owned()));
/// assert_eq!(list_heading("Sources of error"), None);
/// ```
pub fn list_heading(line: &str) -> Option<String> {
    if line.len() > LONGEST_HEADING {
        return None;
    }
    let words = PARTS.captures(bare(line))?.get(1)?.as_str();
    // `Appendix: Sources`
    let last = words.rsplit([':', '：']).next().unwrap_or_default().trim();
    [words, last].into_iter().find(|words| names_sources(words)).map(str::to_owned)
}

/// Whether a line heads what stands below it whatever its words are: all of it is bold, or it ends with a colon.
pub(super) fn heads(line: &str) -> bool {
    let is_bold = ["**", "__"].iter().any(|mark| line.starts_with(mark) && line.ends_with(mark));
    let words = line.trim_end_matches(['*', '_']);
    let ends = words.ends_with([':', '：']) || is_bold && !words.ends_with(is_stop);
    ends && line.len() <= LONGEST_HEADING && !line.contains(['\n', '['])
}

/// Where the bracket opens that says of what follows that it is the source: `[Source: `, `（来源：`.
pub(super) fn source_label(before: &str) -> Option<usize> {
    let words = before.trim_end().strip_suffix([':', '：'])?;
    let (open, bracket) = words.char_indices().rev().take(LONGEST_LABEL).find(|(_, c)| brackets::opens_aside(*c))?;
    let is_escaped = words[..open].ends_with('\\');
    (!is_escaped && names_sources(words[open + bracket.len_utf8()..].trim())).then_some(open)
}

/// Whether `line` is the heading of a section that cited wrote.
pub fn is_own_section(line: &str) -> bool {
    line.len() <= LONGEST_HEADING && OwnSection::from_heading(line).is_some()
}

/// Without hash marks, emphasis, colon, pictures and attributes (`{#sources}`) around.
pub(super) fn bare(line: &str) -> &str {
    let line = line.trim_end();
    let attributes = line.strip_suffix('}').and_then(|head| head.rfind('{')).filter(|at| line[*at..].starts_with("{#"));
    line[..attributes.unwrap_or(line.len())].trim_matches(|c: char| {
        let picture =
            c >= '\u{2190}' && !c.is_alphanumeric() && !has_no_spaces(c) && !('\u{ff00}'..'\u{fff0}').contains(&c);
        let joined = matches!(c, '\u{200d}' | '\u{fe0f}');
        c.is_whitespace()
            || picture
            || joined
            || matches!(c, '#' | '*' | '_' | ':' | '：' | '`' | '【' | '】' | '=' | '-' | '—')
    })
}

/// The words of a heading behind its number, `7.`, `7)`, `3.2`, `IV.`, `A.`, `九、`, `（九）`, `第九章`, without a remark in parentheses and a
/// colon at the end.
static PARTS: Pattern = Pattern::made(|| {
    let marks = r"[.)）、\]:：章节部分．\\]";
    let number = format!(r"(?:[0-9.]+{marks}*|(?:[零〇一二三四五六七八九十百]+|[IVX]+|[A-Z]){marks}+)");
    format!(r"(?s)^(?:第?[(（\[§]?{number}\s*[-–—|*_#]*\s*)?(.+?)[:：*_ ]*(?:\(.*\)|（.*）)?[:：*_ ]*$")
});

/// Whether terms, and words that may stand around them, are all that a line says.
fn names_sources(line: &str) -> bool {
    let lower = line.to_lowercase();
    let (mut rest, mut terms) = (lower.as_str(), 0);
    loop {
        rest = rest.trim_start_matches([' ', ',', '、', '/', '|', '&', '·', '(', ')', '-']);
        if rest.is_empty() {
            return terms > 0;
        }
        let begins = |(words, _): &&(String, bool)| {
            // In writing without spaces another word may follow at once.
            let goes_on = |c: char| c.is_alphanumeric() && !has_no_spaces(c) && !words.ends_with(has_no_spaces);
            rest.strip_prefix(words.as_str()).is_some_and(|behind| !behind.starts_with(goes_on))
        };
        let Some((words, is_term)) = WORDS.iter().find(begins) else { return false };
        terms += usize::from(*is_term);
        rest = &rest[words.len()..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Option<&str>) {
        assert_eq!(list_heading(line).as_deref(), expected, "of {line:?}");
    }

    #[test]
    fn pictures_attributes_and_what_leads_to_it() {
        check("## Sources 📚", Some("Sources"));
        check("## 🔗 References", Some("References"));
        check("## References {#sources}", Some("References"));
        check("## Appendix: Sources", Some("Sources"));
        check("## Sources and methodology", Some("Sources and methodology"));
        check("## 参考サイト", Some("参考サイト"));
        check("## A note: what the sources say", None);
    }

    #[test]
    fn every_term_heads_a_list_alone_numbered_and_bold() {
        for line in TABLE.lines().filter(|line| !line.starts_with('#')).skip(1) {
            let fields: Vec<_> = line.split('\t').collect();
            let [class, _, words] = fields[..] else { panic!("{line:?} has not three fields") };
            assert!(matches!(class, "term" | "modifier" | "link"), "{line:?}");
            for word in words.split('|').filter(|_| class == "term") {
                for heading in [word.to_owned(), word.to_uppercase(), format!("## 7. {word}:"), format!("**{word}**")] {
                    assert!(list_heading(&heading).is_some(), "{heading:?} of {line:?}");
                }
            }
        }
    }

    #[test]
    fn headings_as_they_are_written() {
        check("## ### 参考文献", Some("参考文献"));
        check("## 九、参考文献与数据源", Some("参考文献与数据源"));
        check("（九）参考来源：", Some("参考来源"));
        check("十一、参考来源", Some("参考来源"));
        check("第五章 参考文献", Some("参考文献"));
        check("### Sources (numbered, in order of appearance)", Some("Sources"));
        check("VII. References & Further Reading", Some("References & Further Reading"));
        check("参考文献 (References)", Some("参考文献"));
        check("参考文献 References", Some("参考文献 References"));
        check("3.2 Key sources", Some("Key sources"));
        check("List of References", Some("List of References"));
        check("A. Sources", Some("A. Sources").map(|_| "Sources"));
    }

    #[test]
    fn other_headings_are_not() {
        for line in [
            "Sources of error",
            "Source Credibility and Stereotyping",
            "来源分析",
            "Open source",
            "Links",
            "",
            "7.",
            "The",
            "Reference Default Ranges",
            "3.5. Source/Drain & Contact Materials",
            "Notes",
        ] {
            check(line, None);
        }
    }

    #[test]
    fn a_line_in_bold_or_with_a_colon_heads_what_stands_below_it() {
        let lines =
            ["**Learn more:**", "__Weblinks__", "Gelesen habe ich:", "It rose.", "**It rose.**", "**A** b", "A [1]:"];
        assert_eq!(lines.map(heads), [true, true, true, false, false, false, false]);
    }

    #[test]
    fn own_sections() {
        assert!(is_own_section("## Removed Unsupported Claims"));
        assert!(is_own_section("## 核实说明"));
        for (section, tag, words) in own_headings() {
            if section == OwnSection::Sources {
                assert!(list_heading(words).is_some(), "{tag}: {words}");
            } else {
                assert_eq!(OwnSection::from_heading(&format!("## {words}")), Some(section));
                assert_eq!(list_heading(words), None, "{tag}: {words}");
            }
        }
        assert!(is_own_section("### Verification notes"));
        assert!(!is_own_section("Verification"));
    }
}
