//! How generators name headings: of a table with a row a rule, the steps from the words of a heading to its name.

use std::sync::LazyLock;

use crate::pattern::build;
use cited_text::lexicon::table;
use regex::Regex;
use unicode_normalization::UnicodeNormalization as _;

/// What stands for words that are made elsewhere (a mark of a template): letters that every rule keeps.
pub const OPEN: &str = "jx";

/// A rule by which headings are named.
#[derive(Debug)]
pub struct Rule {
    called: &'static str,
    /// Whether it takes the heading as it is written, and not as it is shown.
    is_of_written: bool,
    /// What stands between a name and the number of its repetition.
    pub repeated: &'static str,
    steps: Vec<Step>,
}

/// A step from the words of a heading to its name.
#[derive(Debug)]
enum Step {
    /// The text in another form, which has a name.
    Form(&'static str),
    /// Something else in the place of what is found.
    Put(Regex, &'static str),
}

static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let step = |cell: &&'static str| match cell.split_once('→') {
        Some((found, by)) => Step::Put(build(found), by),
        None => Step::Form(cell),
    };
    let rule = |cells: Vec<&'static str>| Rule {
        called: cells[0],
        is_of_written: cells[1] == "written",
        repeated: cells[2],
        steps: cells[3..].iter().map(step).collect(),
    };
    table::cells(include_str!("data/slugs.tsv")).map(rule).collect()
});

impl Rule {
    /// The rule that the table of generators calls so.
    pub fn from_name(name: &str) -> Option<&'static Rule> {
        RULES.iter().find(|rule| rule.called == name)
    }

    /// What a heading is called, of its words as they are shown and as they are written.
    pub fn name(&self, shown: &str, written: &str) -> String {
        let text = if self.is_of_written { written } else { shown };
        self.steps.iter().fold(text.to_owned(), |text, step| match step {
            Step::Form("lower") => text.to_lowercase(),
            Step::Form("lower-each") => text.chars().flat_map(char::to_lowercase).collect(),
            Step::Form("lower-ascii") => text.to_ascii_lowercase(),
            Step::Form("ascii") => text.nfkd().filter(char::is_ascii).collect(),
            Step::Form("plain") => text.nfkd().filter(|c| !matches!(c, '\u{300}'..='\u{36f}')).collect(),
            Step::Form("composed") => text.nfc().collect(),
            Step::Form(form) => unreachable!("no form is called {form}"),
            Step::Put(found, by) => found.replace_all(&text, *by).into_owned(),
        })
    }
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
