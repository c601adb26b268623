//! Asking the sources of many documents, each address that several of them link to once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::StreamExt as _;
use tokio::sync::OnceCell;

use super::examine::Search;
use crate::pipeline::{self, Options, Progress, Scope, Style, Works};
use crate::setup::{Setup, block_on};
use cited_core::check::results::Results;
use cited_core::error::Result;
use cited_core::finding::{Code, Depth};
use cited_core::input::Input;
use cited_core::outcome::Fetched;
use cited_fetch::{Fetcher, Fetching, Request};
use cited_report::findings::Incomplete;

/// Documents that are worked on at once: their pages are held in memory, whole where claims are judged by them …
const JUDGED_AT_ONCE: usize = 8;
/// … and else their beginnings.
const ASKED_AT_ONCE: usize = 64;

/// For each of `inputs` what its sources and links show; and what could not be checked.
pub fn ask(
    inputs: &[Input],
    search: &Search<'_>,
    works: bool,
    setup: &Setup,
) -> Result<(Vec<Results>, Vec<Incomplete>)> {
    let reporter = &setup.reporter;
    let excluded = search.tree.excluded.clone();
    let options = Options {
        style: Style::Keep,
        works: Works { scope: if works { Scope::On } else { Scope::Off }, ..setup.options.works.clone() },
        support: search.depth == Depth::Support,
        every_link: true,
        wants: Arc::new(move |address| !excluded.has_link(address)),
        ..setup.options.clone()
    };
    let progress = |step: Progress<'_>| match step {
        Progress::Fetching(_) | Progress::Fetched(_) => reporter.note(step),
        // One document may be judged while others still wait for their sources.
        _ => {}
    };
    let watched = setup.watched();
    let once = Once { fetcher: &watched, links: Mutex::default() };
    let (once, options, progress) = (&once, &options, &progress);
    let checked = block_on(async {
        let each = futures_util::stream::iter(inputs.iter().enumerate());
        let each = each.map(|(i, input)| async move {
            (i, pipeline::check(input, search.research, once, options, progress).await)
        });
        let at_once = if options.support { JUDGED_AT_ONCE } else { ASKED_AT_ONCE };
        Ok(each.buffer_unordered(at_once).collect::<Vec<_>>().await)
    });
    setup.finish()?;
    let mut checked = checked?;
    checked.sort_by_key(|(i, _)| *i);
    // A fault of the network is everybody's and said once.
    let down = setup.down();
    let fault = down.clone().or_else(|| setup.network.fault());
    let mut incomplete: Vec<Incomplete> =
        fault.iter().map(|reason| Incomplete { file: None, reason: reason.clone() }).collect();
    let mut told = Vec::with_capacity(checked.len());
    for ((_, mut one), input) in checked.into_iter().zip(inputs) {
        // Without a network there is one thing to tell, and not one a source.
        one.results.keep(|code| {
            let unchecked = [Code::UncheckedSource, Code::UncheckedLink].contains(&code);
            code.depth() > Depth::Structure && !(down.is_some() && unchecked)
        });
        let own = one.blocked.filter(|_| fault.is_none());
        incomplete.extend(own.map(|reason| Incomplete { file: Some(input.path.clone()), reason }));
        told.push(one.results);
    }
    Ok((told, incomplete))
}

/// A fetcher that asks an address for which nothing is claimed only once: the links of many documents are alike.
struct Once<'a> {
    fetcher: &'a dyn Fetcher,
    links: Mutex<HashMap<Vec<String>, Arc<OnceCell<Fetched>>>>,
}

impl Fetcher for Once<'_> {
    fn fetch<'a>(&'a self, request: &'a Request<'a>) -> Fetching<'a> {
        let is_link =
            request.claims.is_empty() && request.titles.is_empty() && request.accessed.is_none() && !request.in_company;
        if !is_link {
            return self.fetcher.fetch(request);
        }
        Box::pin(async move {
            let cell = {
                let mut links = self.links.lock().unwrap_or_else(PoisonError::into_inner);
                Arc::clone(links.entry(request.addresses.clone()).or_default())
            };
            let ask = || async {
                let fetched = self.fetcher.fetch(request).await;
                // What a link leads to is of interest, not what stands there, unless it leads to a place there.
                let has_place = request.addresses.iter().any(|address| address.contains('#'));
                Fetched { page: fetched.page.filter(|_| has_place), ..fetched }
            };
            cell.get_or_init(ask).await.clone()
        })
    }

    fn inner(&self) -> Option<&dyn Fetcher> {
        Some(self.fetcher)
    }
}
