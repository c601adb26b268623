//! The table of generators: how each is recognised, where its pages and files are, how it names headings and pages.

use std::collections::HashMap;

use super::page::Dialect;
use super::slugs::Rule;
use cited_text::lexicon::table;

/// A row of the table: the entries of its cells, by the names of their columns.
#[derive(Debug, Clone, Default)]
pub struct Generator(HashMap<&'static str, &'static str>);

/// All generators, in order; the last is what shows documents where none is recognised.
pub fn all() -> Vec<Generator> {
    let mut rows = table::cells(include_str!("data/generators.tsv"));
    let heads = rows.next().unwrap_or_default();
    rows.map(|cells| Generator(heads.iter().copied().zip(cells).collect())).collect()
}

impl Generator {
    /// The entries of a cell.
    pub fn list(&self, column: &str) -> impl Iterator<Item = &'static str> + use<> {
        self.0.get(column).copied().unwrap_or_default().split('|').filter(|entry| !entry.is_empty())
    }

    /// The entries of a cell with what they stand for, which comes behind the last sign of equality.
    pub fn pairs(&self, column: &str) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        self.list(column).map(|entry| entry.rsplit_once('=').unwrap_or((entry, "")))
    }

    /// Whether a cell has an entry.
    pub fn has(&self, column: &str, entry: &str) -> bool {
        self.list(column).any(|own| own == entry)
    }

    /// Whether settings with this text are its own.
    pub fn is_marked(&self, settings: &str) -> bool {
        self.list("mark").next().is_none() || self.list("mark").any(|word| settings.contains(word))
    }

    /// How documents are read where the settings have this text.
    pub fn dialect(&self, settings: &str) -> Dialect {
        let rules = self.pairs("slug").filter(|(word, _)| settings.contains(word));
        let rules = rules.filter_map(|(_, name)| Rule::from_name(name)).collect();
        let comments = self.makes(settings).contains(&"<!--");
        let [any_case, blocks] = ["any-case", "blocks"].map(|what| self.has("reading", what));
        Dialect { rules, any_case, blocks, includes: self.list("include").collect(), comments }
    }

    /// What it and its plugins may make where the settings have this text.
    pub fn makes(&self, settings: &str) -> Vec<&'static str> {
        // As a word that is not part of another.
        let has = |word: &str| {
            settings.match_indices(word).any(|(at, _)| {
                let edges = [settings[..at].chars().next_back(), settings[at + word.len()..].chars().next()];
                edges.iter().flatten().all(|c| !c.is_alphanumeric())
            })
        };
        let plugins = self.pairs("plugins").filter(|(word, _)| has(word)).map(|(_, made)| made);
        self.list("made").chain(plugins).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read_whole() {
        let all = all();
        assert_eq!(all.last().and_then(|row| row.list("name").next()), Some("GitHub"));
        for row in &all {
            let name = row.list("name").next().unwrap();
            assert!(!row.dialect("").rules.is_empty(), "{name}");
            assert!(row.list("settings").next().is_none() == (name == "GitHub"), "{name}");
            assert!(row.list("rank").all(|rank| rank.parse::<u8>().is_ok()), "{name}");
            assert!(row.pairs("slug").all(|(_, rule)| Rule::from_name(rule).is_some()), "{name}");
        }
    }

    #[test]
    fn settings_choose_rules_and_plugins() {
        let all = all();
        let row = |name: &str| all.iter().find(|row| row.has("name", name)).unwrap();
        assert_eq!(row("MkDocs").dialect("slugify: pymdownx.slugs.slugify").rules.len(), 2);
        assert!(row("MkDocs").makes("plugins:\n  - blog\n").contains(&"blog/"));
        assert!(!row("MkDocs").makes("nav:\n  - blogs.md\n").contains(&"blog/"));
        assert!(row("Zola").is_marked("base_url = \"/\"") && !row("Zola").is_marked("baseURL = \"/\""));
    }
}
