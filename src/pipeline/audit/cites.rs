//! What a document stands on, and where: its sources and links with the sentences that cite them. Nothing is asked.

use cited_core::address::is_web;
use std::collections::HashMap;

use crate::pipeline::ask::uncited;
use crate::pipeline::options::Options;
use crate::pipeline::read::{self, Read};
use cited_audit::store::{Cited, CitedAt};
use cited_core::address::identity::followed_key;
use cited_core::input::Input;
use cited_core::source::SourceId;
use cited_text::lines::LineIndex;

/// Reads a document for what it stands on. Sources without an address are left out: nothing can be asked of them.
pub(super) fn cites(document: &Input) -> Vec<Cited> {
    let read = read::read(document, &[], &Options::default());
    let lines = LineIndex::new(read.document.text());
    let line = |at: usize| i64::try_from(lines.line(at)).unwrap_or_default();
    let mut places = places(&read, &line);
    let mut all: Vec<Cited> = Vec::new();
    let copies = read.known_copies();
    for (id, _) in read.wanted() {
        let source = read.registry.get(id);
        // Where an entry shows a copy in the place of its page, readers are led to the copy.
        let followed = copies.get(&id).map_or_else(|| read.own_addresses(id, None), |copy| vec![&copy.url]);
        let addresses: Vec<String> = followed.into_iter().filter(|address| is_web(address)).cloned().collect();
        let Some(first) = addresses.first() else { continue };
        let (titles, accessed) = (source.titles.clone(), read.accessed(source));
        let (places, pins) = (places.remove(&id).unwrap_or_default(), Vec::new());
        add(&mut all, Cited { key: followed_key(first).0, addresses, titles, accessed, places, pins });
    }
    for (span, address) in uncited(&read) {
        let claim = read.claims.iter().find(|claim| claim.span.contains(*span));
        let sentence = claim.map(|claim| claim.text.clone()).unwrap_or_default();
        let places = vec![CitedAt { line: line(span.start), is_claim: false, sentence }];
        let key = followed_key(address).0;
        add(&mut all, Cited { key, addresses: vec![address.clone()], places, ..Cited::default() });
    }
    for source in &mut all {
        source.places.sort();
        source.places.dedup();
    }
    all
}

/// Adds a source, or its places to the one that is known by the same key.
fn add(all: &mut Vec<Cited>, source: Cited) {
    match all.iter_mut().find(|known| known.key == source.key) {
        Some(known) => known.places.extend(source.places),
        None => all.push(source),
    }
}

/// By source, the claims that stand on it and the entries that list it.
fn places(read: &Read, line: &dyn Fn(usize) -> i64) -> HashMap<SourceId, Vec<CitedAt>> {
    let mut all: HashMap<SourceId, Vec<CitedAt>> = HashMap::new();
    for (claim, sources) in read.claims.iter().zip(&read.sources) {
        for source in sources.all() {
            let place = CitedAt { line: line(claim.span.start), is_claim: true, sentence: claim.text.clone() };
            all.entry(read.registry.resolve(source)).or_default().push(place);
        }
    }
    for (_, entry, source) in read.entries() {
        let place = CitedAt { line: line(entry.span.start), ..CitedAt::default() };
        all.entry(source).or_default().push(place);
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
                let of = |place: &super::CitedAt| {
                    let sign = if place.is_claim { "!" } else { "" };
                    format!("{} {}{sign} {}", source.addresses[0], place.line, place.sentence)
                };
                source.places.iter().map(of).collect::<Vec<_>>()
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
