//! Reads the pages that claims are judged by: from the web, or from a text that is given.

use futures_util::StreamExt as _;
use schemars::JsonSchema;
use serde::Deserialize;

use super::call::Call;
use super::context::Context;
use super::failure::{Failure, FailureKind};
use crate::setup::read_page::ReadPage;
use cited_core::page::Page;
use cited_fetch::{Fetcher as _, Request};

/// Pages that are asked for at once.
const AT_ONCE: usize = 16;

/// A page: give `url` or `text`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageRef {
    /// An http or https address, which is asked for. Beside `text` it only names the text.
    pub url: Option<String>,
    /// The text of the page itself.
    pub text: Option<String>,
    /// The title of the page: it says what the page is about.
    pub title: Option<String>,
}

/// The pages that the search of the service finds for a claim.
pub fn find(context: &Context, claim: &str, most: usize) -> Result<Vec<PageRef>, Failure> {
    let none = "this service has no search; start cited with --search COMMAND|URL";
    let search = context.search.as_ref().ok_or_else(|| Failure::arguments(none))?;
    let silent = |why| Failure::new(FailureKind::Blocked, format!("the search could not be asked: {why}"));
    let url = |url| PageRef { url: Some(url), ..PageRef::default() };
    Ok(search.find(claim, most).map_err(silent)?.into_iter().map(url).collect())
}

/// Reads pages, those of the web many at once, in the order in which they were named.
pub fn read(context: &Context, pages: &[PageRef], claims: &[&str], call: &Call) -> Result<Vec<ReadPage>, Failure> {
    Context::limit_length("pages", pages.len(), context.limits.sources)?;
    for (i, page) in pages.iter().enumerate() {
        context.fits("text", page.text.as_deref().unwrap_or_default())?;
        if page.url.is_none() && page.text.is_none() {
            return Err(Failure::arguments(format!("page {}: give `url` or `text`", i + 1)));
        }
    }
    call.expect(pages.len());
    let asked = pages.iter().filter(|page| page.text.is_none()).filter_map(|page| page.url.clone());
    let mut fetched = fetch(context, asked.collect(), claims, call)?.into_iter();
    let read = |(i, page): (usize, &PageRef)| {
        let Some(text) = &page.text else { return fetched.next() };
        let name = page.url.clone().unwrap_or_else(|| format!("text {}", i + 1));
        call.step(format!("read {name}"));
        let page = Page { title: page.title.clone(), ..Page::of_text(text.as_str(), "text/plain") };
        Some(ReadPage { name, fetched: None, reason: "the text is empty".to_owned(), page })
    };
    Ok(pages.iter().enumerate().filter_map(read).collect())
}

fn fetch(context: &Context, urls: Vec<String>, claims: &[&str], call: &Call) -> Result<Vec<ReadPage>, Failure> {
    if urls.is_empty() {
        return Ok(Vec::new());
    }
    let setup = &context.asking()?;
    let asking = urls.into_iter().map(|url| async move {
        let request = Request { addresses: vec![url.clone()], claims: claims.to_vec(), ..Request::default() };
        let fetched = setup.network.fetch(&request).await;
        call.step(format!("{}: {}", fetched.in_words(), fetched.address));
        ReadPage::of_fetched(url, fetched)
    });
    call.wait(futures_util::stream::iter(asking).buffered(AT_ONCE).collect())
}
