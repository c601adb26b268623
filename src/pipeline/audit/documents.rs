//! Documents, records and lists of addresses as the audit remembers them: what they cite, and where.

use cited_core::address::is_web;
use std::collections::HashMap;

use super::cites::cites;
use cited_audit::Pin;
use cited_audit::store::{Cited, CitedAt, Document};
use cited_core::address::identity::{followed_key, key_of};
use cited_core::input::Input;
use cited_core::page::sha256_hex;
use cited_report::prose::{MappedSource, Mapping};

/// The passages that a record lends to the brief that it is of.
#[derive(Debug, Clone, Default)]
pub struct LentPassages {
    /// SHA-256 of the record.
    pub sha256: String,
    /// Passages by the keys of their sources.
    pub pins: HashMap<String, Vec<Pin>>,
}

impl LentPassages {
    /// What a record has pinned.
    pub fn from_record(record: &Mapping, sha256: String) -> LentPassages {
        let mut pins: HashMap<String, Vec<Pin>> = HashMap::new();
        for claim in &record.verifications {
            for source in &claim.sources_reconciled {
                if !source.supports() || source.source_passage.is_empty() {
                    continue;
                }
                let pin = Pin { claim: claim.claim_text.clone(), passage: source.source_passage.clone() };
                pins.entry(key_of(&source.source_url).0).or_default().push(pin);
            }
        }
        LentPassages { sha256, pins }
    }

    /// What a document is known by whose text has the hash `text` and that a record lends its passages to.
    pub fn hash(&self, text: &str) -> String {
        sha256_hex(format!("{text} {}", self.sha256).as_bytes())
    }
}

/// A Markdown document, with the passages that its record lends it.
pub fn of_markdown(input: &Input, lent: Option<&LentPassages>) -> Document {
    let sha256 = sha256_hex(input.text.as_bytes());
    let pins = |source: &Cited| lent?.pins.get(&key_of(source.addresses.first()?).0).cloned();
    let with_pins = |source: Cited| Cited { pins: pins(&source).unwrap_or_default(), ..source };
    let sources = cites(input).into_iter().map(with_pins).collect();
    Document { path: input.path.clone(), sha256: lent.map_or(sha256.clone(), |lent| lent.hash(&sha256)), sources }
}

/// A record by itself: its claims stand on the sources whose passages it pinned.
pub fn of_record(path: &str, record: &Mapping, lent: &LentPassages) -> Document {
    let mut sources: Vec<Cited> = Vec::new();
    // A mapping of another program may list no sources beside those of its claims.
    let reconciled = record.verifications.iter().flat_map(|claim| &claim.sources_reconciled);
    let of_claims = reconciled.map(|said| MappedSource { url: said.source_url.clone(), ..MappedSource::default() });
    let of_claims: Vec<MappedSource> = of_claims.collect();
    for source in record.sources.iter().chain(&of_claims).filter(|source| is_web(&source.url)) {
        let key = key_of(&source.url).0;
        if sources.iter().any(|known| known.key == key) {
            continue;
        }
        let aliases = source.aliases.iter().filter(|alias| is_web(alias));
        let pins = lent.pins.get(&key).cloned().unwrap_or_default();
        let places = pins.iter().map(|pin| CitedAt { line: 0, is_claim: true, sentence: pin.claim.clone() });
        let listed = CitedAt::default();
        sources.push(Cited {
            addresses: std::iter::once(&source.url).chain(aliases).cloned().collect(),
            titles: Some(source.title.clone()).filter(|title| !title.is_empty()).into_iter().collect(),
            accessed: None,
            places: if pins.is_empty() { vec![listed] } else { places.collect() },
            pins,
            key,
        });
    }
    Document { path: path.to_owned(), sha256: lent.sha256.clone(), sources }
}

/// A list of addresses, one a line; empty lines and those that begin with `#` are passed over. What is no web address is told.
pub fn of_addresses(path: &str, text: &str) -> (Document, Vec<String>) {
    let (mut sources, mut wrong): (Vec<Cited>, _) = (Vec::new(), Vec::new());
    let mut known: HashMap<String, usize> = HashMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let address = line.trim_start_matches('\u{feff}').trim();
        if address.is_empty() || address.starts_with('#') {
            continue;
        }
        if !is_web(address) || url::Url::parse(address).is_err() {
            wrong.push(format!("{path}:{number}: is no http(s) address"));
            continue;
        }
        let key = followed_key(address).0;
        let at = *known.entry(key.clone()).or_insert(sources.len());
        let place = CitedAt { line: number, is_claim: false, sentence: String::new() };
        match sources.get_mut(at) {
            Some(cited) => cited.places.push(place),
            None => sources.push(Cited {
                key,
                addresses: vec![address.to_owned()],
                places: vec![place],
                ..Cited::default()
            }),
        }
    }
    (Document { path: path.to_owned(), sha256: sha256_hex(text.as_bytes()), sources }, wrong)
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
        let document = of_record("m.json", &mapping, &LentPassages::from_record(&mapping, "r".into()));
        let told: Vec<&str> = document.sources.iter().flat_map(|s| &s.places).map(|p| p.sentence.as_str()).collect();
        assert_eq!(told, ["Lund has 38 schools."]);
    }

    #[test]
    fn a_record_lends_its_passages_to_its_brief() {
        let text = "The share is 49.2% [1].\n\n## Sources\n\n[1] A study. https://a.example/study\n";
        let pin = Pin { claim: "The share is 49.2%.".into(), passage: "A share of 49.2%.".into() };
        let lent = LentPassages {
            sha256: "r".into(),
            pins: HashMap::from([(key_of("https://a.example/study").0, vec![pin.clone()])]),
        };
        let input = Input { path: "a.md".into(), text: text.into() };
        let document = of_markdown(&input, Some(&lent));
        assert_eq!(document.sources[0].pins, [pin]);
        // With another record it is read again.
        assert_ne!(document.sha256, of_markdown(&input, None).sha256);
        assert_eq!(document.sha256, lent.hash(&sha256_hex(text.as_bytes())));
    }
}
