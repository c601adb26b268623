//! What a document stands on, and where: its sources and links with the sentences that cite them. Nothing is asked.

use std::collections::HashMap;

use super::ask::uncited;
use super::options::Options;
use super::read::{self, Read};
use cited_core::address::identity::{followed_key, is_archived};
use cited_core::input::Input;
use cited_core::source::SourceId;
use cited_text::lines::LineIndex;

/// A source of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CitedSource {
    /// What it is compared by.
    pub key: String,
    /// Its addresses, the one to show first.
    pub addresses: Vec<String>,
    /// Titles that the document gives it.
    pub titles: Vec<String>,
    /// When the author looked.
    pub accessed: Option<jiff::civil::Date>,
    /// Where the document stands on it, in order.
    pub mentions: Vec<Mention>,
}

/// A place that stands on a source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mention {
    /// The line, from 1.
    pub line: usize,
    /// Whether the sentence is a claim that cites the source; otherwise it lists or links it.
    pub is_claim: bool,
    /// The sentence, without markers; empty in a list.
    pub sentence: String,
}

/// Reads a document for what it stands on. Sources without an address are left out: nothing can be asked of them.
pub fn cites(document: &Input) -> Vec<CitedSource> {
    let read = read::read(document, &[], &Options::default());
    let lines = LineIndex::new(read.document.text());
    let mut mentions = mentions(&read, &lines);
    let mut all: Vec<CitedSource> = Vec::new();
    let copies = read.known_copies();
    for (id, _) in read.wanted() {
        let source = read.registry.get(id);
        // Where an entry shows a copy in the place of its page, readers are led to the copy.
        let copy = copies.get(&id).map(|copy| &copy.url);
        let own = source.address.iter().chain(&source.aliases);
        let known: Vec<&String> = if copy.is_some() { copy.into_iter().collect() } else { own.collect() };
        // A copy in an archive says nothing of the page itself, unless the author cited only the copy.
        let originals = known.iter().filter(|address| !is_archived(address)).count();
        let addresses = known.into_iter().filter(|address| originals == 0 || !is_archived(address)).cloned();
        let addresses: Vec<String> = addresses.filter(|address| is_web(address)).collect();
        let Some(first) = addresses.first() else { continue };
        let mentions = mentions.remove(&id).unwrap_or_default();
        let (titles, accessed) = (source.titles.clone(), read.accessed(source));
        add(&mut all, CitedSource { key: followed_key(first).0, addresses, titles, accessed, mentions });
    }
    for (span, address) in uncited(&read) {
        let claim = read.claims.iter().find(|claim| claim.span.contains(span));
        let sentence = claim.map(|claim| claim.text.clone()).unwrap_or_default();
        let mention = Mention { line: lines.line(span.start), is_claim: false, sentence };
        let key = followed_key(&address).0;
        let (titles, accessed, mentions) = (Vec::new(), None, vec![mention]);
        add(&mut all, CitedSource { key, addresses: vec![address], titles, accessed, mentions });
    }
    for source in &mut all {
        source.mentions.sort();
        source.mentions.dedup();
    }
    all
}

fn is_web(address: &str) -> bool {
    address.starts_with("http://") || address.starts_with("https://")
}

/// Adds a source, or its mentions to the one that is known by the same key.
fn add(all: &mut Vec<CitedSource>, source: CitedSource) {
    match all.iter_mut().find(|known| known.key == source.key) {
        Some(known) => known.mentions.extend(source.mentions),
        None => all.push(source),
    }
}

/// By source, the claims that stand on it and the entries that list it.
fn mentions(read: &Read, lines: &LineIndex) -> HashMap<SourceId, Vec<Mention>> {
    let mut all: HashMap<SourceId, Vec<Mention>> = HashMap::new();
    for (claim, sources) in read.claims.iter().zip(&read.sources) {
        for source in sources.all() {
            let mention = Mention { line: lines.line(claim.span.start), is_claim: true, sentence: claim.text.clone() };
            all.entry(read.registry.resolve(source)).or_default().push(mention);
        }
    }
    let entries = read.citations.lists.iter().zip(&read.listed).flat_map(|(list, ids)| list.entries.iter().zip(ids));
    for (entry, source) in entries {
        let mention = Mention { line: lines.line(entry.span.start), is_claim: false, sentence: String::new() };
        all.entry(read.registry.resolve(*source)).or_default().push(mention);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::cites;
    use cited_core::input::Input;

    #[test]
    fn a_copy_that_stands_in_is_followed_in_the_place_of_its_page() {
        let check = |text: &str, expected: &[(&str, &str)]| {
            let found = cites(&Input { path: "a.md".into(), text: text.into() });
            let found: Vec<(&str, &str)> =
                found.iter().map(|source| (source.key.as_str(), source.addresses[0].as_str())).collect();
            assert_eq!(found, expected, "{text}");
        };
        let copy = "https://web.archive.org/web/20230105000000/https://a.example/study";
        let key = format!("copy:{copy}");
        check(
            &format!(
                "It is so [1].\n\n## Sources\n\n1. A study — {copy} (archived 2023-01-05; original https://a.example/study)\n"
            ),
            &[(&key, copy)],
        );
        check(&format!("It is so, says [a study]({copy}).\n"), &[(&key, copy)]);
    }

    #[test]
    fn sources_with_their_sentences_and_lines() {
        let text = "# T\n\nThe share is 49.2% [1]. See [the guide](https://b.example/guide) too.\n\n\
                    It rose again [1].\n\n## Sources\n\n[1] A study. https://a.example/study\n[2] Not cited. https://c.example/\n";
        let found = cites(&Input { path: "a.md".into(), text: text.into() });
        let told: Vec<String> = found
            .iter()
            .flat_map(|source| {
                let of = |mention: &super::Mention| {
                    format!(
                        "{} {}{} {}",
                        source.addresses[0],
                        mention.line,
                        if mention.is_claim { "!" } else { "" },
                        mention.sentence
                    )
                };
                source.mentions.iter().map(of).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(
            told,
            [
                "https://a.example/study 3! The share is 49.2%.",
                "https://a.example/study 5! It rose again.",
                "https://a.example/study 9 ",
                "https://c.example/ 10 ",
                "https://b.example/guide 3 See the guide too.",
            ]
        );
    }
}
