//! Documents, records and lists of addresses as the audit remembers them: what they cite, and where.

use cited_core::address::is_web;
use std::collections::HashMap;

use crate::pipeline::ask::uncited;
use crate::pipeline::options::Options;
use crate::pipeline::read;
use cited_audit::Pin;
use cited_audit::store::{Cited, CitedAt, Document};
use cited_core::address::identity::{followed_key, key_of};
use cited_core::input::Input;
use cited_core::page::sha256_hex;
use cited_core::source::SourceId;
use cited_core::verdict::Standing;
use cited_report::prose::Mapping;
use cited_text::lines::LineIndex;

/// The hash that a document is known by whose text has the hash `text`: also by that of the record that lends it passages.
pub fn hash_with(text: &str, record: Option<&Document>) -> String {
    let both = |record: &Document| sha256_hex(format!("{text} {}", record.sha256).as_bytes());
    record.map_or_else(|| text.to_owned(), both)
}

/// A Markdown document, with the passages that its record lends it.
pub fn of_markdown(input: &Input, record: Option<&Document>) -> Document {
    let lent = record.iter().flat_map(|record| &record.sources).map(|source| (source.key.as_str(), &source.pins));
    let lent: HashMap<&str, &Vec<Pin>> = lent.collect();
    let pins = |source: &Cited| lent.get(key_of(source.addresses.first()?).0.as_str()).map(|pins| (*pins).clone());
    let with_pins = |source: Cited| Cited { pins: pins(&source).unwrap_or_default(), ..source };
    let sha256 = hash_with(&sha256_hex(input.text.as_bytes()), record);
    Document { path: input.path.clone(), sha256, sources: cites(input).into_iter().map(with_pins).collect() }
}

/// A record by itself, whose text has the hash `sha256`: its claims stand on the sources whose passages it pinned.
pub fn of_record(path: &str, record: &Mapping, sha256: String) -> Document {
    let listed = record.sources.iter().map(|source| Cited {
        addresses: std::iter::once(&source.url).chain(&source.aliases).filter(|url| is_web(url)).cloned().collect(),
        titles: Some(&source.title).filter(|title| !title.is_empty()).into_iter().cloned().collect(),
        ..Cited::default()
    });
    // A mapping of another program may list no sources beside those of its claims.
    let reconciled = record.verifications.iter().flat_map(|claim| {
        claim.sources_reconciled.iter().map(|said| {
            let passage =
                Some(&said.source_passage).filter(|passage| said.verdict == Standing::Supported && !passage.is_empty());
            let pin = |passage: &String| Pin { claim: claim.claim_text.clone(), passage: passage.clone() };
            let pins: Vec<Pin> = passage.map(pin).into_iter().collect();
            let place = |pin: &Pin| CitedAt { line: 0, is_claim: true, sentence: pin.claim.clone() };
            let (addresses, places) = (vec![said.source_url.clone()], pins.iter().map(place).collect());
            Cited { addresses, places, pins, ..Cited::default() }
        })
    });
    let sources = listed.chain(reconciled).filter_map(|source| {
        let key = key_of(source.addresses.first().filter(|address| is_web(address))?).0;
        Some(Cited { key, ..source })
    });
    Document { path: path.to_owned(), sha256, sources: by_key(sources) }
}

/// A list of addresses, one a line; empty lines and those that begin with `#` are passed over. What is no web address is told.
pub fn of_addresses(path: &str, text: &str) -> (Document, Vec<String>) {
    let mut wrong = Vec::new();
    let sources = (1..).zip(text.lines()).filter_map(|(line, address)| {
        let address = address.trim_start_matches('\u{feff}').trim();
        if address.is_empty() || address.starts_with('#') {
            return None;
        }
        if !is_web(address) || url::Url::parse(address).is_err() {
            wrong.push(format!("{path}:{line}: is no http(s) address"));
            return None;
        }
        let places = vec![CitedAt { line, ..CitedAt::default() }];
        Some(Cited { key: followed_key(address).0, addresses: vec![address.to_owned()], places, ..Cited::default() })
    });
    let sources = by_key(sources);
    (Document { path: path.to_owned(), sha256: sha256_hex(text.as_bytes()), sources }, wrong)
}

/// The sources, each once, in the order in which they are named first, with all their places and passages.
fn by_key(sources: impl Iterator<Item = Cited>) -> Vec<Cited> {
    let (mut all, mut known) = (Vec::<Cited>::new(), HashMap::<String, usize>::new());
    for source in sources {
        let at = *known.entry(source.key.clone()).or_insert(all.len());
        match all.get_mut(at) {
            Some(first) => {
                first.places.extend(source.places);
                first.pins.extend(source.pins);
            }
            None => all.push(source),
        }
    }
    for source in &mut all {
        source.places.sort();
        source.places.dedup();
        // What is named in no place is named by the whole.
        source.places.resize(source.places.len().max(1), CitedAt::default());
    }
    all
}

/// A sentence, as far as it stands around the first of these addresses that it shows, else its beginning.
fn excerpt<'a>(sentence: &str, mut addresses: impl Iterator<Item = &'a str>) -> String {
    /// Bytes on either side: people write shorter sentences, and one that thousands of addresses share is not kept whole for each of them.
    const AROUND: usize = 1000;
    let at = addresses.find_map(|address| sentence.find(address)).unwrap_or_default();
    let (start, end) = (at.saturating_sub(AROUND), at.saturating_add(AROUND));
    sentence[sentence.floor_char_boundary(start)..sentence.ceil_char_boundary(end)].to_owned()
}

/// Reads a document for what it stands on. Sources without an address are left out: nothing can be asked of them.
pub(super) fn cites(document: &Input) -> Vec<Cited> {
    let read = read::read(document, &[], &Options::default());
    let lines = LineIndex::new(read.document.text());
    let line = |at: usize| i64::try_from(lines.line(at)).unwrap_or_default();
    // By source, the claims that stand on it and the entries that list it.
    let mut places: HashMap<SourceId, Vec<CitedAt>> = HashMap::new();
    for (claim, sources) in read.claims.iter().zip(&read.sources) {
        for source in sources.all() {
            let sentence = excerpt(&claim.text, read.registry.get(source).addresses());
            let place = CitedAt { line: line(claim.span.start), is_claim: true, sentence };
            places.entry(source).or_default().push(place);
        }
    }
    for (_, entry, source) in read.entries() {
        let place = CitedAt { line: line(entry.span.start), ..CitedAt::default() };
        places.entry(source).or_default().push(place);
    }
    let copies = read.known_copies();
    let wanted = read.wanted().into_keys().filter_map(|id| {
        let source = read.registry.get(id);
        // Where an entry shows a copy in the place of its page, readers are led to the copy.
        let followed = copies.get(&id).map_or_else(|| read.own_addresses(id, None), |copy| vec![&copy.url]);
        let addresses: Vec<String> = followed.into_iter().filter(|address| is_web(address)).cloned().collect();
        let key = followed_key(addresses.first()?).0;
        let (titles, accessed) = (source.titles.clone(), read.accessed(source));
        let places = places.remove(&id).unwrap_or_default();
        Some(Cited { key, addresses, titles, accessed, places, pins: Vec::new() })
    });
    let links = uncited(&read).map(|(span, address)| {
        let claim = read.claims.iter().find(|claim| claim.span.contains(*span));
        let sentence = claim.map(|claim| excerpt(&claim.text, std::iter::once(address.as_str()))).unwrap_or_default();
        let places = vec![CitedAt { line: line(span.start), is_claim: false, sentence }];
        Cited { key: followed_key(address).0, addresses: vec![address.clone()], places, ..Cited::default() }
    });
    by_key(wanted.chain(links))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_line_by_line() {
        let (document, wrong) = of_addresses(
            "-",
            "\u{feff}# mine\nhttps://a.example/\n\nftp://b.example/\nhttps://a.example/#x\r\n https://c.example/ \n",
        );
        let told: Vec<(&str, Vec<i64>)> = document
            .sources
            .iter()
            .map(|cited| (cited.addresses[0].as_str(), cited.places.iter().map(|place| place.line).collect()))
            .collect();
        assert_eq!(told, [("https://a.example/", vec![2, 5]), ("https://c.example/", vec![6])]);
        assert_eq!(wrong, ["-:4: is no http(s) address"]);
    }

    #[test]
    fn a_record_of_another_program_is_told_by_its_sentences() {
        let source =
            r#"{"stat": "38", "source_url": "https://a.example/lund", "source_passage": "38 schools.", "context": ""}"#;
        let claim = r#""claim_id": "c1", "claim_text": "Lund has 38 schools.", "verified": true, "confidence": 0.9, "notes": """#;
        let text = format!(r#"{{"verifications": [{{{claim}, "sources_reconciled": [{source}]}}]}}"#);
        let mapping = cited_report::prose::read(&text).unwrap();
        let document = of_record("m.json", &mapping, "r".into());
        let told: Vec<&str> = document.sources.iter().flat_map(|s| &s.places).map(|p| p.sentence.as_str()).collect();
        assert_eq!(told, ["Lund has 38 schools."]);
    }

    #[test]
    fn a_record_lends_its_passages_to_its_brief() {
        let text = "The share is 49.2% [1].\n\n## Sources\n\n[1] A study. https://a.example/study\n";
        let pin = Pin { claim: "The share is 49.2%.".into(), passage: "A share of 49.2%.".into() };
        let key = key_of("https://a.example/study").0;
        let lent = Document {
            path: "r".into(),
            sha256: "r".into(),
            sources: vec![Cited { key, pins: vec![pin.clone()], ..Cited::default() }],
        };
        let input = Input { path: "a.md".into(), text: text.into() };
        let document = of_markdown(&input, Some(&lent));
        assert_eq!(document.sources[0].pins, [pin]);
        // With another record it is read again.
        assert_ne!(document.sha256, of_markdown(&input, None).sha256);
        assert_eq!(document.sha256, hash_with(&sha256_hex(text.as_bytes()), Some(&lent)));
    }

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
    fn a_sentence_that_many_addresses_share_is_kept_around_each() {
        let check = |between: &str, list: &str| {
            let addresses: Vec<String> = (0..3000).map(|n| format!("https://h{n}.example/page")).collect();
            let text = format!("# T\n\nSee {}.\n{list}", addresses.join(between));
            let found = cites(&Input { path: "a.md".into(), text: text.into() });
            let places: Vec<&CitedAt> = found.iter().flat_map(|source| &source.places).collect();
            assert!(found.len() >= 3000, "{between}{list}");
            assert!(places.iter().all(|place| place.sentence.len() < 3000), "{between}{list}");
            let is_shown = |source: &&Cited| source.places[0].sentence.contains(source.addresses[0].as_str());
            assert!(found.iter().filter(is_shown).count() >= 3000, "{between}{list}");
        };
        check(" and ", "");
        check(" or [another](https://x.example/) or ", "");
        check(" and ", "\n## Sources\n\n1. https://h1.example/page\n2. https://h2.example/page\n");
    }

    #[test]
    fn sources_with_their_sentences_and_lines() {
        let text = "# T\n\nThe share is 49.2% [1]. See [the guide](https://b.example/guide) too.\n\n\
                    It rose again [1].\n\n## Sources\n\n[1] A study. https://a.example/study\n[2] Not cited. https://c.example/\n";
        let found = cites(&Input { path: "a.md".into(), text: text.into() });
        let told: Vec<String> = found
            .iter()
            .flat_map(|source| {
                let of = |place: &CitedAt| {
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
