//! Reads the pages that claims are judged by: from the web, or from a text that is given.

use futures_util::StreamExt as _;
use schemars::JsonSchema;
use serde::Deserialize;

use super::call::Call;
use super::context::Context;
use super::failure::Failure;
use crate::setup::read_page::ReadPage;
use cited_core::outcome::Fetched;
use cited_core::page::Page;
use cited_fetch::Request;

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

impl PageRef {
    /// The page at an address.
    pub fn from_url(url: String) -> PageRef {
        PageRef { url: Some(url), ..PageRef::default() }
    }
}

/// Reads pages, those of the web many at once, in the order in which they were named.
pub fn read(context: &Context, pages: &[PageRef], claims: &[&str], call: &Call) -> Result<Vec<ReadPage>, Failure> {
    context.limit_length("pages", pages.len())?;
    call.expect(pages.len());
    let mut all: Vec<Option<ReadPage>> = Vec::with_capacity(pages.len());
    let mut asked: Vec<(usize, String)> = Vec::new();
    for (i, page) in pages.iter().enumerate() {
        let given = match (&page.url, &page.text) {
            (url, Some(text)) => {
                context.fits("text", text)?;
                let mut read = Page::of_text(text.as_str(), "text/plain");
                read.title.clone_from(&page.title);
                let name = url.clone().unwrap_or_else(|| format!("text {}", i + 1));
                Some(ReadPage { name, fetched: None, reason: "the text is empty".to_owned(), page: read })
            }
            (Some(url), None) => {
                asked.push((i, url.clone()));
                None
            }
            (None, None) => return Err(Failure::arguments(format!("page {}: give `url` or `text`", i + 1))),
        };
        if let Some(read) = &given {
            call.step(format!("read {}", read.name));
        }
        all.push(given);
    }
    for ((i, url), fetched) in asked.iter().zip(fetch(context, &asked, claims, call)?) {
        if let Some(slot) = all.get_mut(*i) {
            *slot = Some(ReadPage::of_fetched(url.clone(), fetched));
        }
    }
    Ok(all.into_iter().flatten().collect())
}

fn fetch(context: &Context, asked: &[(usize, String)], claims: &[&str], call: &Call) -> Result<Vec<Fetched>, Failure> {
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let setup = context.asking()?;
    let requests: Vec<Request<'_>> = asked
        .iter()
        .map(|(_, url)| Request { addresses: vec![url.clone()], claims: claims.to_vec(), ..Request::default() })
        .collect();
    call.wait(async {
        let asking = futures_util::stream::iter(&requests).map(|request| async {
            let fetched = setup.fetcher().fetch(request).await;
            call.step(format!("{}: {}", fetched.outcome, fetched.address));
            fetched
        });
        asking.buffered(AT_ONCE).collect().await
    })
}
