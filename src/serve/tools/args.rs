//! What several tools take: documents and pages, from a text, a file or the web. Which arguments go together is said in words: many agent programs refuse schemas with alternatives.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;

use super::tool::{Call, Context, MOST_SOURCES};
use crate::pipeline::Progress;
use crate::serve::problem::{Problem, Result};
use crate::setup::read_page::ReadPage;
use cited_core::error::Error;
use cited_core::input::Input;
use cited_core::outcome::Fetched;
use cited_core::page::Page;
use cited_fetch::{Request, fetch_all};

/// A file that is given as its text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InlineFile {
    /// Its name, such as `runs.csv` or `x-research-web.md`: its ending says what it is.
    pub name: String,
    /// What is in it.
    pub content: String,
}

/// The document that a call gives as its text or as its file, with that file; `name` is what it is called where it has none. `instead` names
/// what may stand in its place.
///
/// # Errors
/// Unless exactly one is given, the file is inside a folder that the service opened, and the document is not too long.
pub fn read_document(
    context: &Context,
    name: &str,
    (text, path): (Option<&str>, Option<&str>),
    instead: &str,
) -> Result<(Input, Option<PathBuf>)> {
    // Many models fill in every argument: an empty text beside a path is none.
    let text = text.filter(|text| path.is_none() || !text.trim().is_empty());
    match (text, path) {
        (Some(text), None) => {
            Context::fits(name, text)?;
            Ok((Input { path: name.to_owned(), text: text.into() }, None))
        }
        (None, Some(path)) => context.read_file(path).map(|(document, file)| (document, Some(file))),
        _ => Err(Problem::arguments(format!("give one of `text`, `path`{instead}, and nothing beside it"))),
    }
}

/// Pages that are asked for at once.
const AT_ONCE: usize = 16;

/// A page: give `url`, or `text` (or `content`, which is the same).
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageRef {
    /// An http or https address, which is asked for. Beside `text` it only names the text.
    pub url: Option<String>,
    /// The text of the page itself.
    pub text: Option<String>,
    /// The same, as agents of `AgentOS` call it.
    pub content: Option<String>,
    /// The title of the page: it says what the page is about.
    pub title: Option<String>,
}

impl PageRef {
    fn words(&self) -> Option<&String> {
        self.text.as_ref().or(self.content.as_ref())
    }
}

/// The pages that the search of the service finds for a claim.
pub fn find_pages(context: &Context, claim: &str, most: usize) -> Result<Vec<PageRef>> {
    let none = "this service has no search; start cited with --search COMMAND|URL";
    let search = context.search.as_ref().ok_or_else(|| Problem::arguments(none))?;
    let silent = |why| Error::blocked(format!("the search could not be asked: {why}"));
    let url = |url| PageRef { url: Some(url), ..PageRef::default() };
    Ok(search.find(claim, most).map_err(silent)?.into_iter().map(url).collect())
}

/// Reads pages, those of the web many at once, in the order in which they were named.
pub fn read_pages(context: &Context, pages: &[PageRef], claims: &[&str], call: &Call) -> Result<Vec<ReadPage>> {
    Context::limit_length("pages", pages.len(), MOST_SOURCES)?;
    for (i, page) in pages.iter().enumerate() {
        Context::fits("text", page.words().map_or("", String::as_str))?;
        if page.url.is_none() && page.words().is_none() {
            return Err(Problem::arguments(format!("page {}: give `url` or `text`, or give `content`", i + 1)));
        }
    }
    let asked = pages.iter().filter(|page| page.words().is_none()).filter_map(|page| page.url.clone());
    let mut fetched = fetch(context, asked.collect(), claims, call)?.into_iter();
    let read = |(i, page): (usize, &PageRef)| {
        let Some(text) = page.words() else {
            return page.url.clone().zip(fetched.next()).map(|(url, fetched)| ReadPage::of_fetched(url, fetched));
        };
        let name = page.url.clone().unwrap_or_else(|| format!("text {}", i + 1));
        let page = Page { title: page.title.clone(), ..Page::of_text(text.as_str(), "text/plain") };
        Some(ReadPage { name, fetched: None, reason: "the text is empty".to_owned(), page })
    };
    Ok(pages.iter().enumerate().filter_map(read).collect())
}

/// What asking for addresses gives, many at once, in their order.
pub fn fetch(context: &Context, urls: Vec<String>, claims: &[&str], call: &Call) -> Result<Vec<Fetched>> {
    if urls.is_empty() {
        return Ok(Vec::new());
    }
    let setup = &context.asking()?;
    let request = |url| Request { addresses: vec![url], claims: claims.to_vec(), ..Request::default() };
    let requests: Vec<Request<'_>> = urls.into_iter().map(request).collect();
    let tell = |fetched: &Fetched| call.note(Progress::Fetched(fetched));
    call.wait(fetch_all(&*setup.network, &requests, AT_ONCE, &tell))
}
