//! The links of the prose that are no citations, asked.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::requests::{Answers, Links, fetched};
use crate::pipeline::read::Read;
use cited_core::address::is_web;
use cited_core::check::page::{Dialect, Kind, Page};
use cited_core::citation::bare_address;
use cited_core::outcome::Fetched;
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

/// The links of the prose that are no citations.
pub(in crate::pipeline) fn uncited(read: &Read) -> impl Iterator<Item = &(Span, String)> {
    in_prose(read).iter().filter(|(span, _)| read.citations.marker_over(*span).is_none())
}

/// The links of the prose, citations included, in order of place: of any writing, and bare addresses. Looked for once.
pub(in crate::pipeline) fn in_prose(read: &Read) -> &[(Span, String)] {
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
