//! The table of generators: how each is recognised, where its pages and files are, how it names headings and pages.

use super::page::Dialect;
use super::slugs::Rule;
use cited_text::lexicon::table;

/// A row of the table.
#[derive(Debug, Clone, Default)]
pub struct Generator {
    /// Its name.
    pub name: &'static str,
    /// Of several that are recognised the lowest counts.
    pub rank: u8,
    /// Files or folders by which its folder is recognised.
    pub settings: Vec<&'static str>,
    /// Words of which the settings must have one, when there are any.
    pub mark: Vec<&'static str>,
    /// Folders of pages, with the address that they are shown under.
    pub content: Vec<(&'static str, &'static str)>,
    /// Settings that name another folder of pages.
    pub keys: Vec<&'static str>,
    /// Folders whose files are shown as they are.
    pub statics: Vec<&'static str>,
    /// What an address may begin with, and the folder that it stands for.
    pub alias: Vec<(&'static str, &'static str)>,
    /// Whether the page of `a.md` may be shown as `a/`, and whether as `a.html`.
    pub as_folder: bool,
    /// See [`Generator::as_folder`].
    pub as_file: bool,
    /// Keys of front matter that move a page.
    pub front: Vec<&'static str>,
    /// What it makes by itself.
    pub made: Vec<&'static str>,
    slugs: Vec<(&'static str, &'static str)>,
    includes: Vec<&'static str>,
    plugins: Vec<(&'static str, &'static str)>,
    reading: Vec<&'static str>,
}

/// All generators, in order; the last is what shows documents where none is recognised.
pub fn all() -> Vec<Generator> {
    const TABLE: &str = include_str!("data/generators.tsv");
    table::cells(TABLE).skip(1).filter_map(|cells| row(&cells)).collect()
}

fn row(cells: &[&'static str]) -> Option<Generator> {
    let list = |index: usize| -> Vec<&'static str> {
        cells.get(index).into_iter().flat_map(|cell| cell.split('|')).filter(|entry| !entry.is_empty()).collect()
    };
    let pairs = |index: usize| -> Vec<(&'static str, &'static str)> {
        list(index).into_iter().map(|entry| entry.split_once('=').unwrap_or((entry, ""))).collect()
    };
    let address = *cells.get(8)?;
    Some(Generator {
        name: cells.first()?,
        rank: cells.get(1)?.parse().ok()?,
        settings: list(2),
        mark: list(3),
        content: pairs(4),
        keys: list(5),
        statics: list(6),
        alias: pairs(7),
        as_folder: address != "file",
        as_file: address != "folder",
        slugs: list(9).into_iter().map(|entry| entry.rsplit_once('=').unwrap_or(("", entry))).collect(),
        front: list(10),
        includes: list(11),
        made: list(12),
        plugins: list(13).into_iter().filter_map(|entry| entry.split_once('=')).collect(),
        reading: list(14),
    })
}

impl Generator {
    /// Whether settings with this text are its own.
    pub fn is_marked(&self, settings: &str) -> bool {
        self.mark.is_empty() || self.mark.iter().any(|word| settings.contains(word))
    }

    /// How documents are read where the settings have this text.
    pub fn dialect(&self, settings: &str) -> Dialect {
        let rules = self.slugs.iter().filter(|(word, _)| settings.contains(word));
        let rules = rules.filter_map(|(_, name)| Rule::from_name(name)).collect();
        let comments = self.makes(settings).contains(&"<!--");
        let reads = |what: &str| self.reading.contains(&what);
        let (any_case, blocks) = (reads("any-case"), reads("blocks"));
        Dialect { rules, any_case, blocks, includes: self.includes.clone(), comments }
    }

    /// What it and its plugins may make where the settings have this text.
    pub fn makes(&self, settings: &str) -> Vec<&'static str> {
        let plugins = self.plugins.iter().filter(|(word, _)| names(settings, word)).map(|(_, made)| *made);
        self.made.iter().copied().chain(plugins).collect()
    }
}

/// Whether a text has a word that is not part of another.
fn names(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let edges = [text[..at].chars().next_back(), text[at + word.len()..].chars().next()];
        edges.iter().flatten().all(|c| !c.is_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read_whole() {
        let all = all();
        assert_eq!(all.last().map(|row| row.name), Some("GitHub"));
        for row in &all {
            assert!(!row.dialect("").rules.is_empty(), "{}", row.name);
            assert!(row.settings.is_empty() == (row.name == "GitHub"), "{}", row.name);
            assert!(row.slugs.iter().all(|(_, name)| Rule::from_name(name).is_some()), "{}", row.name);
        }
    }

    #[test]
    fn settings_choose_rules_and_plugins() {
        let all = all();
        let row = |name: &str| all.iter().find(|row| row.name == name).unwrap();
        assert_eq!(row("MkDocs").dialect("slugify: pymdownx.slugs.slugify").rules.len(), 2);
        assert!(row("MkDocs").makes("plugins:\n  - blog\n").contains(&"blog/"));
        assert!(!row("MkDocs").makes("nav:\n  - blogs.md\n").contains(&"blog/"));
        assert!(row("Zola").is_marked("base_url = \"/\"") && !row("Zola").is_marked("baseURL = \"/\""));
    }
}
