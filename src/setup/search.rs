//! The search of `--search`: a command or an address of the user's that gives addresses for a claim. What it gives is no
//! evidence; it goes through the same checks as any source.
//!
//! A command reads `{"claim": …, "most": …}` on its standard input. An address with `{claim}` in it is asked with GET, the
//! claim in its place; any other gets the same JSON with POST. The answer is JSON, or an address a line. Of JSON every `url`,
//! `link` or `href` counts, in order, wherever it stands: `SearXNG`, Brave and most other engines answer so.

use std::time::Duration;

use serde_json::{Value, json};
use url::Url;

use super::lent_command::Lent;
use crate::cli::settings::Settings;
use cited_core::address::is_web;
use cited_core::error::Result;

/// The variable that holds the key of an address; it is sent as `Authorization: Bearer` and `X-Subscription-Token`.
pub const KEY_VARIABLE: &str = "CITED_SEARCH_KEY";
/// What stands in an address for the claim.
const PLACE: &str = "{claim}";
/// The longest answer that is read, in bytes.
const LONGEST_ANSWER: usize = 4 << 20;
/// How long a search may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// The longest claim that is searched for, in bytes: engines cut or refuse longer ones.
const LONGEST_CLAIM: usize = 1000;
/// Names under which engines give addresses.
const ADDRESS_KEYS: [&str; 3] = ["url", "link", "href"];

/// A search of the user's.
#[derive(Debug)]
pub struct Search(Lent);

impl Search {
    /// The search that a setting names: an address when it begins like one, else a command.
    ///
    /// # Errors
    /// When it is empty or an address that cannot be used.
    pub fn open(named: &str, settings: &Settings) -> Result<Search> {
        let mut lent = Lent::open("search", &named.replace(PLACE, "claim"), KEY_VARIABLE, settings)?;
        named.trim().clone_into(&mut lent.named);
        Ok(Search(lent))
    }

    /// At most `most` addresses for a claim, best first. Blocks its thread.
    ///
    /// # Errors
    /// In words: the search could not be asked, or its answer cannot be read.
    pub fn find(&self, claim: &str, most: usize) -> std::result::Result<Vec<String>, String> {
        let (Search(lent), claim) = (self, &claim[..claim.floor_char_boundary(LONGEST_CLAIM)]);
        let question = json!({"claim": claim, "most": most}).to_string().into_bytes();
        let command = || format!("the command `{}`", lent.named);
        let name = lent.address.as_ref().map_or_else(command, |url| url.origin().ascii_serialization());
        let answer = if lent.address.is_some() && lent.named.contains(PLACE) {
            let encoded: String = url::form_urlencoded::byte_serialize(claim.as_bytes()).collect();
            let url = Url::parse(&lent.named.replace(PLACE, &encoded)).map_err(|error| error.to_string())?;
            lent.send(&url, None, PATIENCE, LONGEST_ANSWER)
        } else {
            lent.ask(question, PATIENCE, LONGEST_ANSWER)
        };
        let answer = answer.map_err(|why| why.to_string());
        let mut hits =
            answer.and_then(|answer| read(&answer)).map_err(|why| format!("{name}: {why}; try it by hand"))?;
        hits.truncate(most);
        Ok(hits)
    }
}

/// The addresses of an answer, each once.
///
/// # Errors
/// When it is neither JSON nor has a line with an address: a page for people, or a message. No answer at all is nothing found.
fn read(answer: &str) -> std::result::Result<Vec<String>, String> {
    let mut hits = Vec::new();
    match serde_json::from_str(answer) {
        Ok(value) => collect(&value, &mut hits),
        Err(_) => {
            let lines = answer.lines().map(str::trim).filter(|line| is_web(line));
            hits.extend(lines.map(str::to_owned));
            if hits.is_empty() && !answer.trim().is_empty() {
                return Err("its answer is no JSON and has no line with an address".to_owned());
            }
        }
    }
    let mut seen = std::collections::HashSet::new();
    hits.retain(|hit| is_web(hit) && seen.insert(hit.clone()));
    Ok(hits)
}

/// The addresses in a value; the reader of JSON keeps its depth within bounds.
fn collect(value: &Value, hits: &mut Vec<String>) {
    match value {
        Value::String(text) if is_web(text) => hits.push(text.to_owned()),
        Value::Array(all) => all.iter().for_each(|one| collect(one, hits)),
        Value::Object(fields) => {
            let url = ADDRESS_KEYS.iter().find_map(|key| fields.get(*key)?.as_str()).filter(|url| is_web(url));
            match url {
                Some(url) => hits.push(url.to_owned()),
                // Pictures and profiles beside a hit are no hits.
                None => {
                    let nested = fields.values().filter(|value| value.is_array() || value.is_object());
                    nested.for_each(|value| collect(value, hits));
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::{Search, read};
    use crate::cli::layers::Typed;
    use crate::cli::settings::Settings;

    fn check(answer: &str, expected: &str) {
        let hits = read(answer).unwrap();
        assert_eq!(hits.join(" "), expected, "{answer}");
    }

    #[test]
    fn addresses_are_found_in_the_answers_of_engines() {
        check("https://a.example/\n\nhttps://b.example/\n", "https://a.example/ https://b.example/");
        check(r#"["https://a.example/", "no address", "https://a.example/"]"#, "https://a.example/");
        check(
            r#"{"query": "q", "results": [{"url": "https://a.example/", "title": "A", "engines": ["x"]}]}"#,
            "https://a.example/",
        );
        check(
            r#"{"web": {"results": [{"title": "A", "url": "https://a.example/", "profile": {"img": "https://i.example/"}}]}}"#,
            "https://a.example/",
        );
        check(r#"{"organic": [{"link": "https://a.example/"}], "knowledgeGraph": {}}"#, "https://a.example/");
        check(r#"{"results": [{"url": "file:///etc/passwd"}, {"url": "javascript:alert(1)"}]}"#, "");
        check("", "");
        check(r#"{"results": []}"#, "");
        for answer in ["nothing", "<!doctype html><a href=\"https://a.example/\">A</a>"] {
            assert!(read(answer).unwrap_err().contains("no JSON"), "{answer}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_command_gets_the_claim_as_json() {
        let settings = Settings::resolve(&Typed::default(), std::path::Path::new("/nonexistent")).unwrap();
        let search = Search::open("grep -q '\"claim\":\"Mars\"' && echo https://m.example/", &settings).unwrap();
        assert_eq!(search.find("Mars", 3).unwrap(), ["https://m.example/"]);
        let why = search.find("Venus", 3).unwrap_err();
        assert!(
            why.contains("the command `grep") && why.contains("exit status") && why.contains("try it by hand"),
            "{why}"
        );
        let missing = Search::open("no-such-program-of-cited", &settings).unwrap().find("Mars", 3).unwrap_err();
        assert!(missing.contains("no-such-program-of-cited"), "{missing}");
        let nobody =
            Search::open("http://127.0.0.1:1/?q={claim}&key=secret", &settings).unwrap().find("Mars", 3).unwrap_err();
        assert!(nobody.starts_with("http://127.0.0.1:1: no connection; try it by hand"), "{nobody}");
        assert!(!nobody.contains("secret"));
        assert!(Search::open("https://user:secret@s.example/", &settings).is_err());
        assert!(Search::open("  ", &settings).is_err());
    }
}
