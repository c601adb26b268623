//! What is told of addresses: of the links of the prose in each of their places, and a row for each that was asked.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::pipeline::ask::{Asked, in_prose, uncited};
use cited_core::address::{Key, key_of};
use cited_core::check::results::{Results, url_of};
use cited_core::finding::{Code, Finding};
use cited_core::outcome::{Fetched, Outcome};

/// What is told of a source by what asking it gave.
const OF_OUTCOMES: [Code; 5] =
    [Code::DeadSource, Code::ArchivedSource, Code::MovedSource, Code::UncheckedSource, Code::RefusedAddress];

impl Asked {
    /// Every address that was asked with its answer, and what is told of each place that links to one. Of the entries of lists
    /// `findings` tell, which are those on sources.
    pub(in crate::pipeline) fn results(&self, mut findings: Vec<Finding>) -> Results {
        let Asked { read, answers, links, .. } = self;
        let wants = &read.options.wants;
        let listed: HashSet<&str> = read.entries().flat_map(|(_, _, id)| read.registry.get(id).addresses()).collect();
        // Links are told of below, in every place and with every outcome, also those that cite.
        let linked: HashSet<Key> = in_prose(read).iter().map(|(_, address)| key_of(address)).collect();
        let is_of_link = |url: &str| linked.contains(&key_of(url)) && !listed.contains(url);
        findings.retain(|finding| {
            let is_told = |url: &str| OF_OUTCOMES.contains(&finding.code) && is_of_link(url);
            url_of(finding).is_none_or(|url| wants(&url) && !is_told(&url))
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
        for (span, address) in in_prose(read).iter().filter(|(_, address)| !listed.contains(address.as_str())) {
            links.get(address).into_iter().for_each(|answer| results.link(*span, address, answer));
        }
        self.add_rows(&mut results, |address| wants(address));
        results
    }

    /// `findings`, which are those on sources, with what is told of each place of the prose that links and does not cite, and a row for each
    /// address that no source has. What is gone is told of in each place, of a source, too: who follows the link does not get it.
    pub(super) fn beside_sources(&self, findings: Vec<Finding>) -> Results {
        let sources: HashSet<&str> = self.read.registry.iter().flat_map(|(_, source)| source.addresses()).collect();
        let mut results = Results::new(findings);
        for (span, address) in uncited(&self.read) {
            let is_told = |outcome| matches!(outcome, Outcome::Dead | Outcome::Archived);
            let answer = self.links.get(address);
            let answer = answer.filter(|link| is_told(link.outcome) || !sources.contains(address.as_str()));
            answer.into_iter().for_each(|answer| results.link(*span, address, answer));
        }
        self.add_rows(&mut results, |address| !sources.contains(address));
        results
    }

    /// Adds a row for each address that is `wanted`; those that were asked as one are told of as one.
    fn add_rows(&self, results: &mut Results, wanted: impl Fn(&str) -> bool) {
        let (mut heads, mut groups) = (HashMap::new(), BTreeMap::<&str, Vec<&str>>::new());
        for (address, answer) in self.links.iter().filter(|(address, _)| wanted(address)) {
            groups.entry(heads.entry(Arc::as_ptr(answer)).or_insert(address)).or_default().push(address);
        }
        groups.iter().for_each(|(head, group)| results.answer(group, &self.links[*head]));
    }
}
