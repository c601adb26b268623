//! The links of the prose that are no citations: asked, told of when they are dead or could not be asked, and kept.

use cited_core::address::{Key, is_web, key_of};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use super::answers::{Answers, Links};
use super::requests;
use crate::pipeline::read::Read;
use cited_core::check::page::{Dialect, Kind, Page};
use cited_core::check::results::{Results, url_of};
use cited_core::citation::bare_address;
use cited_core::finding::{Code, Finding};
use cited_core::outcome::{Fetched, Outcome};
use cited_fetch::{Fetcher, Request, in_turns};
use cited_text::{Span, Spans};

/// Asks for the links of the prose that are no citations, each address once. By address, the sources asked before included.
pub(super) async fn ask(read: &Read, answers: &Answers, fetcher: &dyn Fetcher) -> Links {
    let mut found = Links::new();
    let mut asked: HashSet<&str> = HashSet::new();
    for (id, answer) in answers {
        let source = read.registry.get(*id);
        for address in source.addresses() {
            found.insert(address.to_owned(), Arc::clone(answer));
            asked.insert(address);
        }
    }
    let wanted = |address: &String| !asked.contains(address.as_str()) && (read.options.wants)(address);
    let addresses: BTreeSet<String> =
        in_prose(read).iter().map(|(_, address)| address).filter(|address| wanted(address)).cloned().collect();
    let addresses: Vec<String> = addresses.into_iter().collect();
    // What a linked page says is asked by nobody: it is alive or not.
    let requests: Vec<Request> = in_turns(&addresses)
        .into_iter()
        .map(|address| Request { addresses: vec![address.to_owned()], glance: true, ..Request::default() })
        .collect();
    let fetched = requests::fetched(read, &requests, fetcher, &|_| {}).await;
    let by_address = requests.into_iter().zip(fetched).filter_map(|(request, fetched)| {
        Some((request.addresses.into_iter().next()?, Arc::new(Fetched { page: None, ..fetched })))
    });
    found.extend(by_address);
    found
}

/// Every address that was asked with its answer, and what is told of each place that links to one. Of the entries of lists
/// `findings` tell, which are those on sources.
pub(super) fn results(read: &Read, answers: &Answers, links: &Links, mut findings: Vec<Finding>) -> Results {
    let wants = &read.options.wants;
    let mut listed: HashSet<&str> = HashSet::new();
    let mut outcomes: Vec<Outcome> = Vec::new();
    for id in read.listed.iter().flatten().map(|id| read.registry.resolve(*id)) {
        let source = read.registry.get(id);
        let fresh = source.addresses().filter(|address| listed.insert(address)).count() > 0;
        let answer = answers.get(&id).filter(|answer| fresh && !answer.address.is_empty());
        outcomes.extend(answer.map(|answer| answer.outcome));
    }
    // Links are told of below, in every place and with every outcome, also those that cite.
    let linked: HashSet<Key> = in_prose(read).iter().map(|(_, address)| key_of(address)).collect();
    let of_links =
        [Code::DeadSource, Code::ArchivedSource, Code::MovedSource, Code::UncheckedSource, Code::RefusedAddress];
    let is_of_link = |url: &str| linked.contains(&key_of(url)) && !listed.contains(url);
    findings.retain(|finding| match url_of(finding) {
        Some(url) if of_links.contains(&finding.code) && is_of_link(&url) => false,
        url => url.is_none_or(|url| wants(&url)),
    });
    let mut results = Results::new(findings);
    outcomes.into_iter().for_each(|outcome| results.count(outcome));
    for (span, address) in in_prose(read) {
        if let Some(answer) = links.get(address).filter(|_| !listed.contains(address.as_str())) {
            results.link(*span, address, answer);
        }
    }
    add_rows(links, &mut results, |address| wants(address));
    results
}

/// `findings`, which are those on sources, with what is told of each place of the prose that links and does not cite, and a row for each
/// address that no source has. What is gone is told of in each place, of a source, too: who follows the link does not get it.
pub(super) fn beside_sources(read: &Read, links: &Links, findings: Vec<Finding>) -> Results {
    let sources: HashSet<&str> = read.registry.iter().flat_map(|(_, source)| source.addresses()).collect();
    let mut results = Results::new(findings);
    for (span, address) in uncited(read) {
        let told = |answer: &&Arc<Fetched>| {
            matches!(answer.outcome, Outcome::Dead | Outcome::Archived) || !sources.contains(address.as_str())
        };
        if let Some(answer) = links.get(address).filter(told) {
            results.link(*span, address, answer);
        }
    }
    add_rows(links, &mut results, |address| !sources.contains(address));
    results
}

/// Adds a row for each address that is `wanted`; those that were asked as one are told of as one.
fn add_rows(links: &Links, results: &mut Results, wanted: impl Fn(&str) -> bool) {
    let mut groups: BTreeMap<*const Fetched, Vec<&str>> = BTreeMap::new();
    for (address, answer) in links.iter().filter(|(address, _)| wanted(address)) {
        groups.entry(Arc::as_ptr(answer)).or_default().push(address);
    }
    let mut groups: Vec<Vec<&str>> = groups.into_values().collect();
    groups.sort();
    for group in groups {
        if let Some(answer) = group.first().and_then(|address| links.get(*address)) {
            results.answer(&group, answer);
        }
    }
}

/// Why the links were not checked, when there are no sources and no link could be asked.
pub(super) fn blocked(answers: &Answers, links: &Links) -> Option<String> {
    let none = answers.is_empty() && !links.is_empty() && links.values().all(|link| link.outcome == Outcome::Unasked);
    none.then(|| "no link could be asked".to_owned())
}

/// The links of the prose that are no citations.
pub(in crate::pipeline) fn uncited(read: &Read) -> impl Iterator<Item = &(Span, String)> {
    in_prose(read).iter().filter(|(span, _)| read.citations.marker_over(*span).is_none())
}

/// The links of the prose, citations included, in order of place: of any writing, and bare addresses. Looked for once.
fn in_prose(read: &Read) -> &[(Span, String)] {
    read.prose.get_or_init(|| {
        let document = &read.document;
        let lists = read.citations.lists.iter().map(|list| list.span);
        let not_prose: Spans = lists.chain(read.citations.own_sections.iter().copied()).collect();
        let written = document.links().iter().filter(|link| !link.image).map(|link| (link.span, link.address.clone()));
        let bare = document.leaves().flat_map(|(id, _)| bare_address::bare_in(document, id));
        // What a page shows is no citation: it is asked for where every link is.
        let page =
            if read.options.every_link { Page::read(document.text(), &Dialect::default()) } else { Page::default() };
        let others = page.links.into_iter().filter(|link| !matches!(link.kind, Kind::Link | Kind::Undefined));
        let others = others.map(|link| (link.span, link.address));
        let mut links: Vec<(Span, String)> = written
            .chain(bare)
            .chain(others)
            .filter(|(span, address)| is_web(address) && !not_prose.overlap(*span))
            .collect();
        links.sort_unstable();
        links
    })
}
