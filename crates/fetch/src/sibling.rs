//! Question 4: what does a sibling say? The same path with its last segment replaced by random letters, asked once a directory
//! and host (Bar-Yossef and others, "Sic transit gloria telae", 2004).

use std::iter::successors;

use url::Url;

use super::asked_once::{AskedOnce, cell_of};
use super::document::Document;
use super::fold::fold;
use super::html::Html;
use super::liveness::{Look, Sibling, absence, proof, wall, way};
use super::looker::Looker;
use super::transport::Purpose;
use crate::jitter::mix;

/// Characters of two pages that are compared.
const COMPARED: usize = 200_000;

/// Letters of the sibling's name.
const LETTERS: usize = 25;

/// What a directory answers for a page that it does not have: a page, with its address, what it says and what it says of an absence; or
/// what any address beside it then is.
type DirectoryAnswer = Result<(Url, String, Option<String>), Sibling>;

/// Siblings asked for in a run.
#[derive(Default)]
pub struct Siblings(AskedOnce<DirectoryAnswer>);

impl Siblings {
    /// What a sibling of an address says about where a look at it ended, which read so many words of the page.
    pub async fn ask(&self, looker: &Looker, asked: &Url, look: &Look, enough: Option<usize>) -> Sibling {
        let sibling = sibling_of(asked, looker.settings.seed);
        let Ok(landing) = &look.end else { return Sibling::Silent };
        let cell = cell_of(&self.0, sibling.as_str()).await;
        let answered = async || -> DirectoryAnswer {
            let look = looker.look(&sibling, Purpose::Probe, "", enough).await;
            let landing = look.end.map_err(|_| Sibling::Silent)?;
            let (answer, document) = (&landing.answer, &landing.document);
            if wall::find(answer.status, &answer.headers, document, &sibling, &look.final_url).is_some() {
                return Err(Sibling::Silent);
            }
            match answer.status {
                200..=299 => Ok((look.final_url, own_text(document, &sibling), absence::saying(document))),
                400 | 404 | 410 => Err(Sibling::Other),
                _ => Err(Sibling::Silent),
            }
        };
        let (address, own, saying) = match cell.get_or_init(answered).await {
            Ok(page) => page,
            Err(known) => return *known,
        };
        let one_place = look.redirected() && *address != sibling && way::same_place(&look.final_url, address);
        // What holds no text is like nothing.
        let alike = landing.document.unreadable.is_none()
            && (*own == own_text(&landing.document, asked)
                || saying.is_some() && *saying == absence::saying(&landing.document));
        if one_place || alike { Sibling::Same } else { Sibling::Other }
    }
}

/// What a page says of itself, folded, without an echo of its address; where it says nothing, all of its text.
fn own_text(document: &Document, asked: &Url) -> String {
    let [title, heading] = document.names();
    let Html { own, .. } = &document.html;
    let own = if own.trim().is_empty() { &document.page.text } else { own };
    fold(&proof::without_echo(&format!("{title}\n{heading}\n{own}"), asked), COMPARED)
}

/// The address beside this one that nobody has. Beside a root there is one where a query names the page.
fn sibling_of(url: &Url, seed: u64) -> Url {
    let mut sibling = url.clone();
    sibling.set_fragment(None);
    sibling.set_query(None);
    let path = url.path();
    let letters = |at: &str| -> String {
        let next = |&(step, number): &(u64, u64)| Some((step + 1, mix(number, "", step)));
        let numbers = successors(Some((0, mix(seed, at, 0))), next).take(LETTERS);
        numbers.map(|(_, number)| char::from(b'a' + (number % 26) as u8)).collect()
    };
    if path == "/" {
        let name = letters(sibling.as_str());
        match url.query_pairs().last() {
            Some((key, value)) if !value.is_empty() => {
                sibling.query_pairs_mut().append_pair(&key, &name);
            }
            _ => sibling.set_path(&name),
        }
        return sibling;
    }
    let parent = path.trim_end_matches('/').rsplit_once('/').map_or("", |(parent, _)| parent);
    sibling.set_path(&format!("{parent}/"));
    let name = letters(sibling.as_str());
    sibling.set_path(&format!("{parent}/{name}"));
    sibling
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::sibling_of;

    #[test]
    fn siblings_stand_beside_the_page() {
        let sibling = |text: &str| String::from(sibling_of(&Url::parse(text).unwrap(), 7));
        let found = sibling("https://a.example/blog/2019/post?x=1");
        let name = found.strip_prefix("https://a.example/blog/2019/").unwrap();
        assert!(name.len() == 25 && name.bytes().all(|b| b.is_ascii_lowercase()), "{name}");
        assert_eq!(sibling("https://a.example/blog/2019/other"), found);
        assert!(sibling("https://a.example/page").starts_with("https://a.example/"));
        assert!(sibling("https://a.example/").len() == "https://a.example/".len() + 25);
        assert!(sibling("https://a.example/?p=12").starts_with("https://a.example/?p="));
    }
}
