//! The links of the prose that are no citations: asked, told of when they are dead or could not be asked, and kept.

use cited_core::address::{Key, is_web, key_of};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::requests::{Answers, Links, fetched};
use crate::pipeline::read::Read;
use cited_core::check::page::{Dialect, Kind, Page};
use cited_core::check::results::{Results, url_of};
use cited_core::citation::bare_address;
use cited_core::finding::{Code, Finding};
use cited_core::outcome::{Fetched, Outcome};
use cited_fetch::{Fetcher, Request, in_turns};
use cited_text::Span;

/// Asks for the links of the prose that are no citations, each address once. By address, the sources asked before included.
pub(super) async fn ask(read: &Read, answers: &Answers, fetcher: &dyn Fetcher) -> Links {
    let mut found = Links::new();
    for (id, answer) in answers {
        for address in read.registry.get(*id).addresses().filter(|_| !answer.address.is_empty()) {
            let own = match answer.at(address) {
                Some(Cow::Owned(other)) => Arc::new(other),
                None if read.options.every_link => continue,
                Some(Cow::Borrowed(_)) | None => Arc::clone(answer),
            };
            found.insert(address.to_owned(), own);
        }
    }
    let wanted = |address: &String| !found.contains_key(address) && (read.options.wants)(address);
    let linked = in_prose(read).iter().map(|(_, address)| address.as_str());
    // What stands beside the address of a source and was not asked with it, such as a copy in an archive, is a link as well.
    let listed = read.registry.iter().flat_map(|(_, source)| source.addresses()).filter(|_| read.options.every_link);
    let addresses: BTreeSet<String> =
        linked.chain(listed.filter(|address| is_web(address))).map(str::to_owned).filter(wanted).collect();
    let addresses: Vec<String> = addresses.into_iter().collect();
    // What a linked page says is asked by nobody: it is alive or not.
    let requests: Vec<Request> = in_turns(&addresses)
        .into_iter()
        .map(|address| Request { addresses: vec![address.to_owned()], glance: true, ..Request::default() })
        .collect();
    let fetched = fetched(read, &requests, fetcher, &|_| {}).await;
    found.extend(requests.into_iter().zip(fetched).filter_map(|(request, fetched)| {
        Some((request.addresses.into_iter().next()?, Arc::new(Fetched { page: None, ..fetched })))
    }));
    found
}

/// Every address that was asked with its answer, and what is told of each place that links to one. Of the entries of lists
/// `findings` tell, which are those on sources.
pub(in crate::pipeline) fn results(
    read: &Read,
    answers: &Answers,
    links: &Links,
    mut findings: Vec<Finding>,
) -> Results {
    let wants = &read.options.wants;
    let listed: HashSet<&str> = read.entries().flat_map(|(_, _, id)| read.registry.get(id).addresses()).collect();
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
    let mut counted: HashSet<*const Fetched> = HashSet::new();
    for (_, entry, id) in read.entries() {
        for address in read.registry.get(id).addresses() {
            let of_source = |link: &Arc<Fetched>| answers.get(&id).is_some_and(|answer| Arc::ptr_eq(answer, link));
            match links.get(address).filter(|link| counted.insert(Arc::as_ptr(link))) {
                Some(link) if of_source(link) => results.count(link.outcome),
                Some(link) => results.link(entry.span, address, link),
                None => {}
            }
        }
    }
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
pub(in crate::pipeline) fn beside_sources(read: &Read, links: &Links, findings: Vec<Finding>) -> Results {
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
    let (mut heads, mut groups) = (HashMap::new(), BTreeMap::<&str, Vec<&str>>::new());
    for (address, answer) in links.iter().filter(|(address, _)| wanted(address)) {
        groups.entry(heads.entry(Arc::as_ptr(answer)).or_insert(address)).or_default().push(address);
    }
    groups.iter().for_each(|(head, group)| results.answer(group, &links[*head]));
}

/// Why the links were not checked, when there are no sources and no link could be asked.
pub(in crate::pipeline) fn blocked(answers: &Answers, links: &Links) -> Option<String> {
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
        let not_prose = read.citations.held();
        let written = document.links().iter().filter(|link| !link.image).map(|link| (link.span, link.address.clone()));
        let bare = document.leaves().flat_map(|(id, _)| bare_address::bare_in(document, id));
        // What a page shows is no citation: it is asked for where every link is.
        let page =
            if read.options.every_link { Page::read(document.text(), &Dialect::default()) } else { Page::default() };
        let others = page.links.into_iter().filter(|link| !matches!(link.kind, Kind::Link | Kind::Undefined));
        let others = others.map(|link| (link.span, link.address));
        let all = written.chain(bare).chain(others);
        let is_asked = |(span, address): &(Span, String)| is_web(address) && !not_prose.overlap(*span);
        let mut links: Vec<(Span, String)> = all.filter(is_asked).collect();
        links.sort_unstable();
        links
    })
}
