//! Fetch: every source once, and what the pages themselves say about being the same source.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use futures_util::StreamExt;

use super::gather::Gathered;
use super::{Options, Progress};
use crate::address::identity::{better_address, is_archived, without_tracking};
use crate::fetch::{ArchiveCopy, Fetched, Fetcher, Kept, Outcome, Request, Rule};
use crate::source::SourceId;

/// What asking gave, by source; sources that nobody had a reason to ask are absent.
pub(super) type Answers = HashMap<SourceId, Arc<Fetched>>;

/// Asks for every source in `wanted`, many at once. The result does not depend on the order of the answers.
pub(super) async fn ask(
    gathered: &Gathered,
    wanted: &[(SourceId, Vec<&str>)],
    fetcher: &dyn Fetcher,
    options: &Options,
    progress: &(dyn Fn(Progress<'_>) + Sync),
) -> Answers {
    progress(Progress::Fetching(wanted.len()));
    let mut copies = gathered.known_copies();
    let requests: Vec<(SourceId, Request<'_>)> = wanted
        .iter()
        .map(|(id, claims)| {
            let source = gathered.registry.get(*id);
            let known = || source.address.iter().chain(&source.aliases);
            // A copy in an archive says nothing of the page itself, unless the author cited only the copy.
            let held = copies.get(id).map(|copy| copy.url.as_str());
            let is_copy = |address: &String| is_archived(address) || held == Some(address.as_str());
            let originals = known().filter(|address| !is_copy(address)).count();
            let mut addresses: Vec<String> =
                known().filter(|address| originals == 0 || !is_copy(address)).cloned().collect();
            // The address that is shown is asked, too, where the one that was written is gone.
            for shown in addresses.clone().iter().map(|address| without_tracking(address)) {
                if !addresses.iter().any(|address| *address == shown) {
                    addresses.push(shown.into_owned());
                }
            }
            let request = Request {
                glance: false,
                addresses,
                accessed: source.accessed.or(gathered.researched),
                titles: source.titles.clone(),
                claims: claims.clone(),
                supports: options.support.then(|| super::weigh::supports_any(claims)),
            };
            (*id, request)
        })
        .collect();
    let asking = futures_util::stream::iter(&requests).map(|(id, request)| async move {
        let fetched = if request.addresses.is_empty() { nothing_to_ask(options) } else { fetcher.fetch(request).await };
        (*id, fetched)
    });
    let mut answered = asking.buffer_unordered(options.concurrency.max(1));
    let mut answers = Answers::new();
    while let Some((id, fetched)) = answered.next().await {
        progress(Progress::Fetched(&fetched));
        let copy = copies.remove(&id);
        answers.insert(id, Arc::new(with_known_copy(fetched, copy, fetcher.asks_archives())));
    }
    answers
}

/// Keeps the copy that an entry of an earlier run shows while no archive can be asked for it: only an archive's *no* takes
/// it away.
fn with_known_copy(fetched: Fetched, copy: Option<ArchiveCopy>, archives_asked: bool) -> Fetched {
    let Some(copy) = copy.filter(|_| fetched.archive.is_none()) else { return fetched };
    if fetched.outcome.is_unknown() {
        return Fetched { archive: Some(copy), ..fetched };
    }
    if fetched.outcome.is_proven_dead() && !archives_asked {
        let reason = format!("{}, no archive asked", fetched.reason);
        let (outcome, rule) = (Outcome::Unasked, Rule::ArchiveUnasked);
        return Fetched { outcome, reason, rule, archive: Some(copy), ..fetched };
    }
    fetched
}

/// What is known of a source without an address.
pub(super) fn nothing_to_ask(options: &Options) -> Fetched {
    Fetched::unasked("", "no address", options.now)
}

/// Captures that are waited for at once; how many may be asked for is the archive's to say.
const KEPT_AT_ONCE: usize = 8;

/// Has an archive keep the pages that the brief cites, when that was asked for.
pub(super) async fn keep(answers: &Answers, cited: &[SourceId], fetcher: &dyn Fetcher) -> HashMap<SourceId, Kept> {
    let living = cited.iter().filter_map(|id| Some((*id, Arc::clone(answers.get(id)?))));
    let asking = futures_util::stream::iter(living)
        .map(|(id, answer)| async move { fetcher.keep(&answer).await.map(|kept| (id, kept)) });
    asking.buffer_unordered(KEPT_AT_ONCE).filter_map(std::future::ready).collect().await
}

/// Merges sources that turned out to be one: the same final address, the same canonical link on the same host, the
/// same DOI. Says whether a number of a source
/// now stands for another.
pub(super) fn merge(gathered: &mut Gathered, answers: &mut Answers) -> bool {
    let mut seen: HashMap<String, SourceId> = HashMap::new();
    let mut ids: Vec<SourceId> = answers.keys().copied().collect();
    ids.sort_unstable();
    for id in ids {
        let answer = &answers[&id];
        let is_there = matches!(answer.outcome, Outcome::Live | Outcome::Moved);
        let names = if is_there { names(answer) } else { Vec::new() };
        // A work keeps its name where its resolver fails.
        for name in doi_name(&answer.address).into_iter().chain(names) {
            match seen.get(&name) {
                Some(first) => {
                    gathered.registry.merge(*first, id);
                }
                None => {
                    seen.insert(name, id);
                }
            }
        }
    }
    // The best answer of those merged stands for all: one alias that is live is enough.
    let mut merged: Answers = HashMap::with_capacity(answers.len());
    let mut all: Vec<(SourceId, Arc<Fetched>)> = answers.drain().collect();
    all.sort_by_key(|(id, _)| *id);
    for (id, answer) in all {
        let root = gathered.registry.resolve(id);
        let better = merged.get(&root).is_none_or(|held| match answer.weight().cmp(&held.weight()) {
            Ordering::Equal => better_address(&answer.address, &held.address),
            order => order == Ordering::Less,
        });
        if better {
            merged.insert(root, answer);
        }
    }
    for (id, answer) in &merged {
        // Of several addresses the one is shown that is not gone: the brief shows no other.
        if !answer.outcome.is_proven_dead() && !matches!(answer.outcome, Outcome::Archived | Outcome::Unasked) {
            gathered.registry.show(*id, &answer.address);
        }
    }
    *answers = merged;
    let any = gathered.registry.has_merged();
    if any {
        gathered.settle_merges();
    }
    any
}

/// The name of the work that an address stands for by its DOI.
fn doi_name(address: &str) -> Option<String> {
    crate::address::identity::key_of(address).0.strip_prefix("doi:").map(|doi| format!("doi {doi}"))
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
    names.extend(final_url.map(|url| format!("at {}", crate::address::identity::key_of(url))));
    let Some(page) = &answer.page else { return names };
    names.extend(page.doi.as_deref().map(|doi| format!("doi {}", doi.to_lowercase())));
    let host = |url: &str| url::Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned));
    if let (Some(canonical), Some(final_url)) = (page.canonical.as_deref(), final_url) {
        // A site that names its home page as the canonical of every page says nothing about identity.
        let is_root = url::Url::parse(canonical).is_ok_and(|url| url.path() == "/" && url.query().is_none());
        if !is_root && host(canonical).is_some() && host(canonical) == host(final_url) {
            names.push(format!("at {}", crate::address::identity::key_of(canonical)));
        }
    }
    names
}
