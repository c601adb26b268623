//! How generators name headings: a function of the words of a heading, each by the code of its program.

use std::sync::LazyLock;

use regex::Regex;
use unicode_normalization::UnicodeNormalization as _;

/// What stands for words that are made elsewhere (a mark of a template): letters that every rule keeps.
pub const OPEN: &str = "jx";

/// A rule by which headings are named.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The name of a heading, of its words as they are shown and as they are written.
    name: fn(shown: &str, written: &str) -> String,
    /// What stands between a name and the number of its repetition.
    pub repeated: char,
}

impl Rule {
    /// The rule that the table of generators calls so.
    pub fn from_name(name: &str) -> Option<Rule> {
        let (name, repeated): (fn(&str, &str) -> String, char) = match name {
            "github" => (|shown, _| github(shown), '-'),
            "mdbook" => (|shown, _| mdbook(shown), '-'),
            "python-markdown" => (|shown, _| python_markdown(shown), '_'),
            "pymdownx" => (|shown, _| pymdownx(shown), '_'),
            "vitepress" => (|shown, _| vitepress(shown), '-'),
            "kramdown" => (|shown, _| kramdown(shown), '-'),
            "hugo" => (|_, written| hugo(written), '-'),
            "hugo-ascii" => (|_, written| hugo(&ascii(written)), '-'),
            "hugo-blackfriday" => (|shown, _| hyphened(shown, char::is_alphanumeric), '-'),
            "zola" => (|shown, _| zola(shown), '-'),
            "zola-off" | "zola-safe" => (|shown, _| shown.split_whitespace().collect::<Vec<_>>().join("_"), '-'),
            "myst" => (|shown, _| myst(shown), '-'),
            "docutils" => (|shown, _| docutils(shown), '-'),
            "docsify" => (|shown, _| docsify(shown), '-'),
            _ => return None,
        };
        Some(Rule { name, repeated })
    }

    /// What a heading is called.
    pub fn name(&self, shown: &str, written: &str) -> String {
        (self.name)(shown, written)
    }
}

pattern!(NOT_GITHUB, r"[^\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\- ]");
pattern!(NOT_WORD, r"[^\w\s-]");
pattern!(NOT_NUMBER_OR_WORD, r"[^\w\p{N}\- ]");
pattern!(GAPS, r"[-\s]+");
pattern!(SPECIAL, "[\\s~`!@#$%^&*()\\-_+=\\[\\]{}|\\\\;:\"'“”‘’<>,.?/]+");
pattern!(NOT_DOCSIFY, "[\u{2000}-\u{206F}\u{2E00}-\u{2E7F}\\\\'!\"#$%&()*+,./:;<=>?@\\[\\]^`{|}~]");

/// `TableOfContentsFilter` of GitHub, and `github-slugger`, which Docusaurus and Astro use; `kramdown-parser-gfm` says the same.
fn github(shown: &str) -> String {
    NOT_GITHUB.replace_all(&shown.to_lowercase(), "").replace(' ', "-")
}

/// `mdbook::utils::normalize_id`.
fn mdbook(shown: &str) -> String {
    let kept = shown.trim().chars().filter(|c| c.is_alphanumeric() || c.is_whitespace() || matches!(c, '_' | '-'));
    kept.map(|c| if c.is_whitespace() { '-' } else { c }).flat_map(char::to_lowercase).collect()
}

/// What is left of a text that has no letters but those of ASCII, accents taken off.
fn ascii(text: &str) -> String {
    text.nfkd().filter(char::is_ascii).collect()
}

/// `markdown.extensions.toc.slugify`.
fn python_markdown(shown: &str) -> String {
    let kept = NOT_WORD.replace_all(&ascii(shown), "").trim().to_lowercase();
    GAPS.replace_all(&kept, "-").into_owned()
}

/// `pymdownx.slugs.slugify(case="lower")`.
fn pymdownx(shown: &str) -> String {
    let text: String = shown.nfc().collect();
    NOT_NUMBER_OR_WORD.replace_all(text.trim(), "").to_lowercase().replace(' ', "-")
}

/// `slugify` of `@mdit-vue/shared`.
fn vitepress(shown: &str) -> String {
    let plain: String = shown.nfkd().filter(|c| !matches!(c, '\u{300}'..='\u{36f}' | '\0'..='\u{1f}')).collect();
    let name = SPECIAL.replace_all(&plain, "-");
    not_a_number(&name.trim_matches('-').to_lowercase())
}

/// A name that does not begin with a digit.
fn not_a_number(name: &str) -> String {
    let digit = name.starts_with(|c: char| c.is_ascii_digit());
    format!("{}{name}", if digit { "_" } else { "" })
}

/// `slugify` of docsify 4; version 5 leaves hyphens that follow each other, as GitHub does.
fn docsify(shown: &str) -> String {
    not_a_number(&GAPS.replace_all(&NOT_DOCSIFY.replace_all(&shown.trim().to_ascii_lowercase(), ""), "-"))
}

/// `generate_id` of kramdown's own dialect.
fn kramdown(shown: &str) -> String {
    let text = shown.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    let kept = text.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-'));
    let name: String = kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect();
    if name.is_empty() { "section".to_owned() } else { name }
}

/// `sanitizeAnchorName` of Hugo, which takes the line as it is written.
fn hugo(written: &str) -> String {
    let kept = written.trim().chars().filter_map(|c| match c {
        '-' | ' ' => Some('-'),
        c if c == '_' || c.is_alphanumeric() => Some(c),
        _ => None,
    });
    kept.flat_map(char::to_lowercase).collect()
}

/// Words in lower case with one hyphen for whatever stands between them.
fn hyphened(text: &str, kept: impl Fn(char) -> bool) -> String {
    let lower = text.to_lowercase();
    lower.split(|c| !kept(c)).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

/// The `slug` crate, as far as letters are those of ASCII with accents; how it writes others in Latin letters is open.
fn zola(shown: &str) -> String {
    let mut plain = String::new();
    for c in shown.nfkd().filter(|c| !matches!(c, '\u{300}'..='\u{36f}')) {
        if c.is_ascii() || !c.is_alphabetic() { plain.push(c) } else { plain.push_str(OPEN) }
    }
    hyphened(&plain, |c| c.is_ascii_alphanumeric())
}

/// `myst_parser.mdit_to_docutils.default_slugify`, which means to do as GitHub does.
fn myst(shown: &str) -> String {
    NOT_NUMBER_OR_WORD.replace_all(&shown.to_lowercase().replace(' ', "-"), "").into_owned()
}

/// `docutils.nodes.make_id`.
fn docutils(shown: &str) -> String {
    let name = hyphened(&ascii(shown), |c| c.is_ascii_alphanumeric());
    name.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_names_headings_as_its_program_does() {
        for (rule, shown, expected) in [
            ("github", "Set-up & use", "set-up--use"),
            ("github", "The --in-place flag", "the---in-place-flag"),
            ("github", "安装 指南", "安装-指南"),
            ("mdbook", "What's new in 2.0?", "whats-new-in-20"),
            ("mdbook", "x² and y", "x²-and-y"),
            ("python-markdown", "Caret, Mark & Tilde", "caret-mark-tilde"),
            ("python-markdown", "Über  uns", "uber-uns"),
            ("pymdownx", "Über & uns", "über--uns"),
            ("vitepress", "build.target", "build-target"),
            ("vitepress", "2.0 “Über” uns", "_2-0-uber-uns"),
            ("vitepress", "Dev Containers / VS Code", "dev-containers-vs-code"),
            ("kramdown", "1. Set_up & Use", "setup--use"),
            ("hugo", "The [link](https://a.example) `x`", "the-linkhttpsaexample-x"),
            ("zola", "Über uns, 2.0!", "uber-uns-2-0"),
            ("zola", "安装", "jxjx"),
            ("myst", "What's new?", "whats-new"),
            ("docutils", "2.0: Über uns", "uber-uns"),
            ("docsify", "`redact` (Array | Object):", "redact-array-object"),
            ("docsify", "2. Über-uns – hier", "_2-Über-uns-hier"),
        ] {
            assert_eq!(Rule::from_name(rule).unwrap().name(shown, shown), expected, "{rule}: {shown}");
        }
        assert!(Rule::from_name("none").is_none());
    }
}
