//! The random-sibling probe: what a site answers for an address that it cannot have (checking.md, deciding, rule 5;
//! Bar-Yossef and others, "Sic transit gloria telae", 2004).

use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::{Mutex, OnceCell};
use url::Url;

use super::look::{End, Look, Looker, mix};
use super::soft404::{bag, likeness};
use super::transport::Purpose;

/// Two pages with at least this share of words in common are one page.
const SAME: f64 = 0.95;

/// Letters of the sibling's name.
const LETTERS: usize = 25;

/// What a directory answers for a page that it does not have.
#[derive(Debug)]
enum Sibling {
    /// An error, as it should.
    Error,
    /// A page.
    Page { address: String, words: Vec<String> },
    /// It could not be asked.
    Unknown,
}

/// Siblings asked for in a run, one a directory.
#[derive(Default)]
pub struct Probes(Mutex<HashMap<String, Arc<OnceCell<Sibling>>>>);

impl Probes {
    /// Whether a page is what its site answers for any address; `None` when that cannot be told.
    pub async fn answers_anything(&self, looker: &Looker<'_>, asked: &Url, look: &Look, seed: u64) -> Option<bool> {
        let sibling = sibling_of(asked, seed)?;
        let End::Answer(landing) = &look.end else { return None };
        let cell = Arc::clone(self.0.lock().await.entry(sibling.to_string()).or_default());
        let known = cell.get_or_init(|| ask(looker, &sibling)).await;
        match known {
            Sibling::Error => Some(false),
            Sibling::Unknown => None,
            Sibling::Page { address, words } => {
                let landed_elsewhere = look.redirected() && *address == look.final_url.as_str();
                Some(landed_elsewhere || likeness(words, &bag(&landing.document.page.text)) >= SAME)
            }
        }
    }
}

async fn ask(looker: &Looker<'_>, sibling: &Url) -> Sibling {
    let look = looker.look(sibling, Purpose::Probe, "").await;
    match &look.end {
        End::Answer(landing) => match landing.answer.status {
            200..=299 => Sibling::Page { address: look.final_url.to_string(), words: bag(&landing.document.page.text) },
            404 | 410 => Sibling::Error,
            _ => Sibling::Unknown,
        },
        _ => Sibling::Unknown,
    }
}

/// The address beside this one that nobody has; none beside a root.
fn sibling_of(url: &Url, seed: u64) -> Option<Url> {
    let path = url.path();
    if path == "/" {
        return None;
    }
    let parent = path.trim_end_matches('/').rsplit_once('/').map_or("", |(parent, _)| parent);
    let mut sibling = url.clone();
    sibling.set_query(None);
    sibling.set_fragment(None);
    sibling.set_path(&format!("{parent}/"));
    let mut number = mix(seed, sibling.as_str(), 0);
    let mut name = String::with_capacity(LETTERS);
    for step in 0..LETTERS {
        name.push(char::from(b'a' + (number % 26) as u8));
        number = mix(number, "", step as u64);
    }
    sibling.set_path(&format!("{parent}/{name}"));
    Some(sibling)
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::sibling_of;

    #[test]
    fn siblings_stand_beside_the_page() {
        let sibling = |text: &str| sibling_of(&Url::parse(text).unwrap(), 7).map(String::from);
        let found = sibling("https://a.example/blog/2019/post?x=1").unwrap();
        let name = found.strip_prefix("https://a.example/blog/2019/").unwrap();
        assert!(name.len() == 25 && name.bytes().all(|b| b.is_ascii_lowercase()), "{name}");
        assert_eq!(sibling("https://a.example/blog/2019/other"), Some(found));
        assert!(sibling("https://a.example/page").unwrap().starts_with("https://a.example/"));
        assert_eq!(sibling("https://a.example/"), None);
    }
}
