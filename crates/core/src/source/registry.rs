//! One registry of sources: entries of all files, merged by identity.

use std::collections::HashMap;

use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::address::identity::{self, Key, key_of};
use crate::citation::{Entry, Label};
use crate::input::Input;
use crate::pattern::Pattern;

/// Number of a source in its registry. Stays valid when sources merge: [`Registry::resolve`] follows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub usize);

/// Where a source was listed: a file, as given by the user, and the label it has there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Origin {
    /// The file.
    pub file: String,
    /// The label in that file; empty where the list has none.
    pub label: String,
}

/// One thing in the world that can be cited.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Source {
    /// What it is compared by.
    pub key: Key,
    /// The address to show: the best of those that the authors wrote. `None` for an entry without one.
    pub address: Option<String>,
    /// All other addresses, as written.
    pub aliases: Vec<String>,
    /// The titles that entries give it, the best first.
    pub titles: Vec<String>,
    /// Every place where it was listed.
    pub origins: Vec<Origin>,
    /// When an author looked at it.
    pub accessed: Option<jiff::civil::Date>,
}

impl Source {
    /// The title to show; `None` when no entry has one that says more than the address.
    pub fn title(&self) -> Option<&str> {
        self.titles.first().map(String::as_str)
    }

    /// The title that its entries and its page agree on: the longest that has all words of one of the titles that the page gives the work, where
    /// several are known; else of the first that is no address. Both in their order, with more beside them, such as the author's name: one of
    /// other words may be the title of an address that only ends at the same page.
    pub fn best_title(&self, of_page: &[String]) -> Option<&str> {
        /// Words of a title that is no name of a site or a kind of page.
        const FEWEST: usize = 3;
        let own = || self.titles.iter().map(String::as_str).filter(|title| !is_address_like(title));
        let longest =
            |known: &str| own().filter(|title| says_all(title, known)).max_by_key(|title| title.chars().count());
        let mut told = of_page.iter().filter(|title| self.titles.len() > 1 && words_of(title).len() >= FEWEST);
        told.find_map(|title| longest(title)).or_else(|| longest(own().next()?)).or(own().next())
    }

    /// What names it to a reader: its address, else its first title.
    pub fn named(&self) -> &str {
        self.address.as_ref().or(self.titles.first()).map_or("", String::as_str)
    }

    /// The key that a bibliography among `research` has for it, as it stands there: labels are folded, and to Pandoc capitals matter.
    pub fn key_in<'a>(&self, research: &'a [Input]) -> Option<&'a str> {
        self.origins.iter().filter(|origin| !origin.label.is_empty()).find_map(|origin| {
            let text = &research.iter().find(|file| file.path == origin.file)?.text;
            let key = regex::escape(&origin.label);
            // `@article{KEY,` of BibTeX, `"id": "KEY"` and `id: KEY` of CSL.
            let entry = format!(r#"(?i)(?:@\w+\s*\{{\s*|\bid["']?\s*:\s*["']?)({key})(?:[\s,"']|$)"#);
            Some(Regex::new(&entry).ok()?.captures(text)?.get(1)?.as_str())
        })
    }

    /// All addresses, the one to show first.
    pub fn addresses(&self) -> impl Iterator<Item = &str> {
        self.address.iter().chain(&self.aliases).map(String::as_str)
    }

    /// Takes in an address that is new to it. Only the first one of an entry may be shown.
    fn add_address(&mut self, address: &str, may_show: bool) {
        if self.addresses().any(|known| known == address) {
            return;
        }
        // Only addresses of the same thing compete: a second link of an entry is an alias.
        let is_better = |shown: &String| key_of(shown) == key_of(address) && identity::better_address(address, shown);
        if self.address.as_ref().is_some_and(|shown| !may_show || !is_better(shown)) {
            self.aliases.push(address.to_owned());
        } else if let Some(old) = self.address.replace(address.to_owned()) {
            self.aliases.push(old);
        }
        // Addresses of different versions of an arXiv paper are shown without one.
        let Some(shown) = self.address.as_deref().filter(|_| self.key.0.starts_with("arxiv:")) else { return };
        let version = identity::arxiv_version(shown);
        let differs = |alias: &String| key_of(alias) == self.key && identity::arxiv_version(alias) != version;
        if let Some(plain) = identity::without_arxiv_version(shown).filter(|_| self.aliases.iter().any(differs)) {
            self.aliases.retain(|alias| *alias != plain);
            self.aliases.extend(self.address.replace(plain));
        }
    }

    /// The first title wins, unless it only repeats an address.
    fn add_title(&mut self, title: &str) {
        let title = title.trim();
        if title.is_empty() || self.titles.len() >= MOST_TITLES || self.titles.iter().any(|known| known == title) {
            return;
        }
        let is_better = self.titles.first().is_some_and(|first| is_address_like(first) && !is_address_like(title));
        self.titles.insert(if is_better { 0 } else { self.titles.len() }, title.to_owned());
    }
}

/// Titles of one source that are kept: more are noise.
const MOST_TITLES: usize = 40;

fn words_of(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Whether a title has all words of another in their order, side by side.
fn says_all(title: &str, other: &str) -> bool {
    let said = words_of(other);
    !said.is_empty() && words_of(title).windows(said.len()).any(|run| run == said)
}

/// Whether a title is only an address or a host: `example.org`, `https://…`.
fn is_address_like(title: &str) -> bool {
    static ADDRESS: Pattern = Pattern::new(r"^(?:[!-~]*://)?[!-.0-~]*\.[A-Za-z]{2,}(?:/[!-~]*)?$");
    ADDRESS.is_match(title)
}

/// All sources of a run. Entries whose keys are equal are one source from the start; pages that turn out to be one after
/// the fetch are merged later.
///
/// ```
/// use cited_core::source::Registry;
/// let mut registry = Registry::default();
/// let a = registry.add_address("draft.md", "https://www.example.org/a/", None);
/// let b = registry.add_address("notes.md", "http://example.org/a", Some("A".to_owned()));
/// assert_eq!(registry.resolve(a), registry.resolve(b));
/// assert_eq!(registry.get(a).address.as_deref(), Some("https://www.example.org/a/"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Registry {
    sources: Vec<Source>,
    /// For each source the one that stands for it now.
    standing: Vec<SourceId>,
    /// The source that a key is its own of, else one that has it by a further address of one of its entries.
    keys: HashMap<Key, SourceId>,
    origins: HashMap<(String, String), SourceId>,
}

impl Registry {
    /// Takes in an entry of a list of `file`; merges it with the source that has its first address.
    ///
    /// A further address is an alias of the source while no entry has it for its first one, and makes no two sources one: *code:
    /// https://…* of two papers is of neither. An entry without an address is a source of its own: equal titles never merge.
    pub fn add(&mut self, file: &str, entry: &Entry) -> SourceId {
        let label = entry.label.as_ref().map(ToString::to_string).unwrap_or_default();
        let without = || Key(format!("entry:{file}#{label}#{}", self.sources.len()));
        let first = entry.addresses.first();
        let own = first.map_or_else(without, |address| self.key_for(key_of(address), &entry.title));
        let id = self.source_with(&own);
        self.add_to(id, file, entry)
    }

    /// Notes an entry of `file` as one of a source.
    fn add_to(&mut self, id: SourceId, file: &str, entry: &Entry) -> SourceId {
        let label = entry.label.as_ref().map(ToString::to_string).unwrap_or_default();
        let (first, others) = entry.addresses.split_at(entry.addresses.len().min(1));
        first.iter().for_each(|address| self.sources[id.0].add_address(address, true));
        for address in others {
            let owner = *self.keys.entry(key_of(address)).or_insert(id);
            if self.resolve(owner) == id {
                self.sources[id.0].add_address(address, false);
            }
        }
        let source = &mut self.sources[id.0];
        source.add_title(&entry.title);
        source.accessed = source.accessed.max(entry.accessed);
        let origin = Origin { file: file.to_owned(), label: label.clone() };
        if source.origins.last() != Some(&origin) {
            source.origins.push(origin);
        }
        self.origins.entry((file.to_owned(), label)).or_insert(id);
        id
    }

    /// Takes in an address that is its own identity, such as that of `[3](url)` in a text without a list, with the words
    /// that name it there.
    pub fn add_address(&mut self, file: &str, address: &str, title: Option<String>) -> SourceId {
        let (title, addresses) = (title.unwrap_or_default(), vec![address.to_owned()]);
        let entry = Entry { title, addresses, ..Entry::default() };
        match self.by_address(address) {
            // Whose further address it is: a link to it makes it no source of its own.
            Some(id) => self.add_to(id, file, &entry),
            None => self.add(file, &entry),
        }
    }

    /// The source whose own key this is; a new one where none has it for its own, whatever has it beside.
    fn source_with(&mut self, key: &Key) -> SourceId {
        if let Some(owner) = self.keys.get(key).copied() {
            let id = self.resolve(owner);
            if self.sources[owner.0].key == *key {
                return id;
            }
            self.sources[id.0].aliases.retain(|alias| key_of(alias) != *key);
        }
        let id = SourceId(self.sources.len());
        self.standing.push(id);
        self.keys.insert(key.clone(), id);
        self.sources.push(Source { key: key.clone(), ..Source::default() });
        id
    }

    /// Shows one of the addresses of a source instead of the others: the one that answered, which may be one of them without its tracking.
    pub fn show(&mut self, id: SourceId, address: &str) {
        let source = self.get(id);
        let is_it = |known: &str| known == address || identity::without_tracking(known) == address;
        if source.address.is_some() && source.addresses().any(is_it) {
            self.show_found(id, address);
        }
    }

    /// Shows an address that was found by asking, where those that the authors wrote are gone.
    pub fn show_found(&mut self, id: SourceId, address: &str) {
        let id = self.resolve(id);
        let source = &mut self.sources[id.0];
        source.aliases.retain(|alias| alias != address);
        let gone = source.address.replace(address.to_owned()).filter(|gone| gone != address);
        source.aliases.extend(gone);
        self.keys.entry(key_of(address)).or_insert(id);
    }

    /// The source that `id` is part of now.
    ///
    /// # Panics
    /// When `id` comes from another registry.
    pub fn resolve(&self, id: SourceId) -> SourceId {
        self.standing[id.0]
    }

    /// Makes two sources one: what was known of either is known of the result. The earlier one keeps its key, its
    /// place and its title.
    pub fn merge(&mut self, a: SourceId, b: SourceId) -> SourceId {
        let (a, b) = (self.resolve(a), self.resolve(b));
        if a == b {
            return a;
        }
        let (kept, gone) = if a < b { (a, b) } else { (b, a) };
        self.standing.iter_mut().filter(|standing| **standing == gone).for_each(|standing| *standing = kept);
        let gone = self.sources[gone.0].clone();
        let source = &mut self.sources[kept.0];
        for (i, address) in gone.addresses().enumerate() {
            source.add_address(address, i == 0);
        }
        gone.titles.iter().for_each(|title| source.add_title(title));
        source.origins.extend(gone.origins);
        source.accessed = source.accessed.max(gone.accessed);
        kept
    }

    /// What is known of a source, and of all that were merged with it.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.sources[self.resolve(id).0]
    }

    /// The key of an entry with this title. One identifier that stands behind the titles of two works is wrong behind one of them; which one
    /// is not for us to say, and a citation of the one must not become one of the other: each is a source of its own.
    fn key_for(&self, key: Key, title: &str) -> Key {
        if !key.names_a_work() {
            return key;
        }
        let mut candidates = std::iter::once(key.clone()).chain((2..).map(|number| key.numbered(number)));
        candidates
            .find(|key| self.keys.get(key).is_none_or(|owner| !self.is_of_another_work(*owner, title)))
            .unwrap_or(key)
    }

    fn is_of_another_work(&self, id: SourceId, title: &str) -> bool {
        self.get(id).titles.first().is_some_and(|known| identity::are_of_two_works(known, title))
    }

    /// Whether a page is another work than a source whose identifier stands behind two works, by one of its own titles.
    pub fn is_of_its_twin(&self, id: SourceId, of_page: &[String]) -> bool {
        let twin = self.get(id).key.numbered(2);
        self.keys.contains_key(&twin) && of_page.iter().any(|title| self.is_of_another_work(id, title))
    }

    /// Whether two sources have one identifier and are two works all the same, by what their entries say.
    pub fn are_apart(&self, a: SourceId, b: SourceId) -> bool {
        let (a, b) = (&self.get(a).key, &self.get(b).key);
        a != b && a.unnumbered() == b.unnumbered()
    }

    /// The source here that is what `other`, a source of another registry, is there.
    pub fn counterpart(&self, other: &Source) -> Option<SourceId> {
        let first = other.addresses().find_map(|address| self.by_address(address))?;
        let key = &self.get(first).key;
        let twins = (2..).map_while(|number| self.by_key(&key.numbered(number)));
        let is_it = |id: &SourceId| !other.title().is_some_and(|title| self.is_of_another_work(*id, title));
        Some(std::iter::once(first).chain(twins).find(is_it).unwrap_or(first))
    }

    /// The source with this key.
    pub fn by_key(&self, key: &Key) -> Option<SourceId> {
        self.keys.get(key).map(|owner| self.resolve(*owner))
    }

    /// The source whose own address this is: not a further one of an entry.
    pub fn by_own_address(&self, address: &str) -> Option<SourceId> {
        let key = key_of(address);
        self.keys.get(&key).filter(|owner| self.sources[owner.0].key == key).map(|owner| self.resolve(*owner))
    }

    /// The source that has this address.
    pub fn by_address(&self, address: &str) -> Option<SourceId> {
        self.by_key(&key_of(address))
    }

    /// The source that `file` lists under `label`: the first one when lists of the file restart their numbers.
    pub fn by_label(&self, file: &str, label: &Label) -> Option<SourceId> {
        self.origins.get(&(file.to_owned(), label.to_string())).map(|id| self.resolve(*id))
    }

    /// Every source that stands, in the order in which they came in.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, &Source)> {
        let all = self.sources.iter().enumerate().map(|(i, source)| (SourceId(i), source));
        all.filter(|(id, _)| self.resolve(*id) == *id)
    }
}
