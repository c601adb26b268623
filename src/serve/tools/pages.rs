//! Reads the pages that claims are judged by: from the web, from a text that is given, or from a file.

use futures_util::StreamExt as _;

use super::call::Call;
use super::context::Context;
use super::failure::Failure;
use super::page::{PageRef, ReadPage};
use cited_core::outcome::Fetched;
use cited_core::page::Page;
use cited_fetch::Request;
use cited_fetch::document::{self, Limits};
use cited_fetch::pdf::PdfReader;

/// Of a PDF so many pages are read.
const MOST_PAGES: usize = 200;
/// Bytes of a title that are read.
const LONGEST_TITLE: usize = 4096;
/// Pages that are asked for at once.
const AT_ONCE: usize = 16;

/// Reads pages, those of the web many at once, in the order in which they were named.
pub fn read(context: &Context, pages: &[PageRef], claims: &[&str], call: &Call) -> Result<Vec<ReadPage>, Failure> {
    context.few("pages", pages.len())?;
    call.expect(pages.len());
    let mut all: Vec<Option<ReadPage>> = Vec::with_capacity(pages.len());
    let mut asked: Vec<(usize, String)> = Vec::new();
    for (i, page) in pages.iter().enumerate() {
        let given = match (&page.url, &page.text, &page.path) {
            (url, Some(text), None) => {
                context.fits("text", text)?;
                let mut read = Page::of_text(text.as_str(), "text/plain");
                read.title.clone_from(&page.title);
                let name = url.clone().unwrap_or_else(|| format!("text {}", i + 1));
                Some(of_page(name, read, "the text is empty"))
            }
            (None, None, Some(path)) => Some(of_file(context, path, page.title.as_deref(), call)?),
            (Some(url), None, None) => {
                asked.push((i, url.clone()));
                None
            }
            _ => {
                let message = format!("page {}: give one of `url`, `text` and `path`; `url` may name a `text`", i + 1);
                return Err(Failure::arguments(message));
            }
        };
        if let Some(read) = &given {
            call.step(format!("read {}", read.name));
        }
        all.push(given);
    }
    for ((i, url), fetched) in asked.iter().zip(fetch(context, &asked, claims, call)?) {
        if let Some(slot) = all.get_mut(*i) {
            *slot = Some(of_fetched(url.clone(), fetched));
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

fn of_fetched(name: String, mut fetched: Fetched) -> ReadPage {
    let page = fetched.page.take().unwrap_or_default();
    let reason = match fetched.reason.as_str() {
        "" => "the page has no text".to_owned(),
        reason => format!("{}: {reason}", fetched.outcome.as_str()),
    };
    ReadPage { name, fetched: Some(fetched), reason, page }
}

fn of_page(name: String, page: Page, empty: &str) -> ReadPage {
    ReadPage { name, fetched: None, reason: empty.to_owned(), page }
}

/// Reads a file as the same bytes from the web would be read.
pub fn of_file(context: &Context, path: &str, title: Option<&str>, call: &Call) -> Result<ReadPage, Failure> {
    let real = context.roots().file(path, call)?;
    let most = context.limits().text;
    let unreadable = |error| Failure::from(cited_core::error::Error::read(path, error));
    let length = real.metadata().map_err(unreadable)?.len();
    if length > most as u64 {
        return Err(Failure::arguments(format!("{path}: over {} MiB; name a smaller file", most >> 20)));
    }
    let bytes = std::fs::read(&real).map_err(unreadable)?;
    let limits = Limits {
        max_body: most,
        max_title: LONGEST_TITLE,
        words: None,
        pdf: PdfReader::ourselves(MOST_PAGES),
        seen_only: false,
    };
    let mut document = document::of_file(bytes, path, &limits);
    if let Some(title) = title {
        document.page.title = Some(title.to_owned());
    }
    let reason = document.unreadable.unwrap_or("the file has no text").to_owned();
    Ok(ReadPage { name: path.to_owned(), fetched: None, reason, page: document.page })
}
