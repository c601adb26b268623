//! Sources that turn out to be one when they have answered.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use super::answers::Answers;
use crate::pipeline::read::Read;
use cited_core::address::identity::{better_address, is_detour};
use cited_core::outcome::{Fetched, Outcome};
use cited_core::rule::Rule;
use cited_core::source::SourceId;

/// Merges sources that turned out to be one: the same final address, the same canonical link on the same host, the
/// same DOI.
pub(super) fn merge(read: &mut Read, answers: &mut Answers) {
    let mut seen: HashMap<String, SourceId> = HashMap::new();
    let mut ids: Vec<SourceId> = answers.keys().copied().collect();
    ids.sort_unstable();
    for id in ids {
        let answer = &answers[&id];
        let is_there = matches!(answer.outcome, Outcome::Live | Outcome::Moved);
        let names = if is_there { names(answer) } else { Vec::new() };
        // A work keeps its name where its resolver fails.
        for name in doi_name(&answer.address).into_iter().chain(names) {
            let first = *seen.entry(name).or_insert(id);
            if first != id && !read.registry.are_apart(first, id) {
                read.registry.merge(first, id);
            }
        }
    }
    // The best answer of those merged stands for all: one alias that is live is enough.
    let mut merged: Answers = HashMap::with_capacity(answers.len());
    let mut all: Vec<(SourceId, Arc<Fetched>)> = answers.drain().collect();
    all.sort_by_key(|(id, _)| *id);
    for (id, answer) in all {
        let root = read.registry.resolve(id);
        let better = merged.get(&root).is_none_or(|held| match answer.weight().cmp(&held.weight()) {
            Ordering::Equal => better_address(&answer.address, &held.address),
            order => order == Ordering::Less,
        });
        if better {
            merged.insert(root, answer);
        }
    }
    for (id, answer) in &merged {
        // Of several addresses the brief shows the one that the answer is of; of a copy, the one that it is a copy of.
        if let Some(copy) = &answer.archive {
            if !read.registry.show(*id, &copy.original) {
                read.registry.show_found(*id, &copy.original);
            }
        } else if matches!(answer.rule, Rule::WorkElsewhere | Rule::CopyGone) && !answer.outcome.is_proven_dead() {
            read.registry.show_found(*id, &answer.address);
        } else if is_detour(&answer.address)
            && let Some(end) = answer.hops.iter().find(|hop| !is_detour(&hop.url))
        {
            read.registry.show_found(*id, &end.url);
        } else {
            read.registry.show(*id, &answer.address);
        }
    }
    *answers = merged;
    if read.registry.has_merged() {
        read.settle_merges();
    }
}

/// The name of the work that an address stands for by its DOI.
fn doi_name(address: &str) -> Option<String> {
    cited_core::address::identity::key_of(address).0.strip_prefix("doi:").map(|doi| format!("doi {doi}"))
}

/// What the page calls itself.
fn names(answer: &Fetched) -> Vec<String> {
    let mut names = Vec::new();
    // A page that shows something else behind `#/` or `#!` is another one, though the server sends the same.
    let has_route = ["#/", "#!"].iter().any(|route| answer.address.contains(route));
    if has_route {
        return names;
    }
    let final_url = answer.final_url.as_deref();
    names.extend(final_url.map(|url| format!("at {}", cited_core::address::identity::key_of(url))));
    let Some(page) = &answer.page else { return names };
    names.extend(page.doi.as_deref().map(|doi| format!("doi {}", doi.to_lowercase())));
    let host = |url: &str| url::Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned));
    if let (Some(canonical), Some(final_url)) = (page.canonical.as_deref(), final_url) {
        // A site that names its home page as the canonical of every page says nothing about identity.
        let is_root = url::Url::parse(canonical).is_ok_and(|url| url.path() == "/" && url.query().is_none());
        if !is_root && host(canonical).is_some() && host(canonical) == host(final_url) {
            names.push(format!("at {}", cited_core::address::identity::key_of(canonical)));
        }
    }
    names
}
