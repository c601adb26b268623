//! All sources of a run, many at once, in the order they were given.

use std::collections::{BTreeMap, HashMap};
use std::future::Future;

use futures_util::StreamExt;
use futures_util::stream;
use url::Url;

use super::company::{Company, ask_again, in_company};
use super::{Fetcher, Request};
use cited_core::outcome::Fetched;

/// Something to tell a reader while a run goes on.
#[derive(Debug)]
pub enum Event<'a> {
    /// A source's turn has come.
    Begun {
        /// Place of its request.
        index: usize,
        /// The request.
        request: &'a Request<'a>,
    },
    /// A source is decided.
    Done {
        /// Place of its request.
        index: usize,
        /// What is known of it.
        fetched: &'a Fetched,
    },
}

/// Looks at every source, `at_once` of them at a time, and gives the results in the order of the requests. Those in doubt
/// that ended where many of them did are asked again.
///
/// When `stop` ends first, for Ctrl-C or because the time is over, sources that are not decided yet become
/// [unasked](super::Outcome::Unasked) with the reason that it gives: the report stays truthful. Waiting for a host's turn
/// does not hold up others, so `at_once` may be large; what bounds the requests in flight is
/// [`Settings::concurrency`](super::Settings::concurrency).
///
/// `progress` is called as sources begin and end, in whatever order they do.
pub async fn fetch_all(
    network: &dyn Fetcher,
    requests: &[Request<'_>],
    at_once: usize,
    stop: impl Future<Output = &'static str>,
    progress: &(dyn Fn(Event<'_>) + Sync),
) -> Vec<Fetched> {
    let mut results: Vec<Option<Fetched>> = Vec::new();
    results.resize_with(requests.len(), || None);
    let mut work = stream::iter(requests.iter().enumerate())
        .map(|(index, request)| async move {
            progress(Event::Begun { index, request });
            (index, network.fetch(request).await)
        })
        .buffer_unordered(at_once.max(1));
    let mut stop = std::pin::pin!(stop);
    let mut stopped = None;
    loop {
        tokio::select! {
            biased;
            reason = &mut stop => {
                stopped = Some(reason);
                break;
            }
            done = work.next() => match done {
                Some((index, fetched)) => {
                    progress(Event::Done { index, fetched: &fetched });
                    if let Some(slot) = results.get_mut(index) {
                        *slot = Some(fetched);
                    }
                }
                None => break,
            }
        }
    }
    drop(work);
    let now = jiff::Timestamp::now();
    let why = stopped.unwrap_or("interrupted");
    let mut results: Vec<Fetched> = results
        .into_iter()
        .zip(requests)
        .map(|(result, request)| {
            result.unwrap_or_else(|| Fetched::unasked(request.addresses.first().cloned().unwrap_or_default(), why, now))
        })
        .collect();
    if stopped.is_none() {
        tokio::select! {
            biased;
            _ = &mut stop => {}
            () = ask_again(network, requests, &mut results, at_once) => {}
        }
    }
    results
}

/// Looks at sources as they come, `at_once` of them at a time, and hands each result on as soon as it is decided: nothing
/// more is kept, so that any number of addresses takes the memory of `at_once` pages.
///
/// Only a page that something speaks against, and that its site did not call gone, waits until the others have come: those
/// that ended where many did are asked again. Of one that is only glanced at the text does not wait with it.
///
/// `each` gets the results in the order in which they are decided. When `stop` ends first, what waits is handed on as it
/// is, the rest is left unasked, and the reason that it gives comes back.
pub async fn fetch_each<'c>(
    network: &dyn Fetcher,
    requests: impl IntoIterator<Item = Request<'c>>,
    at_once: usize,
    stop: impl Future<Output = &'static str>,
    mut each: impl FnMut(Request<'c>, Fetched),
) -> Option<&'static str> {
    let mut company = Company::default();
    let mut waiting: BTreeMap<usize, (Request<'c>, Fetched)> = BTreeMap::new();
    let mut stop = std::pin::pin!(stop);
    let all = async {
        let mut work = stream::iter(requests.into_iter().enumerate())
            .map(|(index, request)| async move {
                let fetched = network.fetch(&request).await;
                (index, request, fetched)
            })
            .buffer_unordered(at_once.max(1));
        while let Some((index, request, fetched)) = work.next().await {
            if company.note(index, &fetched) {
                let page = fetched.page.filter(|_| !request.glance);
                waiting.insert(index, (request, Fetched { page, ..fetched }));
            } else {
                each(request, fetched);
            }
        }
        drop(work);
        let met = company.into_asked_again();
        let alone: Vec<usize> = waiting.keys().copied().filter(|index| !met.contains(index)).collect();
        for (request, fetched) in alone.into_iter().filter_map(|index| waiting.remove(&index)) {
            each(request, fetched);
        }
        let told: Vec<(usize, Request<'c>)> =
            waiting.iter().map(|(index, (request, _))| (*index, in_company(request))).collect();
        let mut again = stream::iter(&told)
            .map(|(index, request)| async move { (*index, network.fetch(request).await) })
            .buffer_unordered(at_once.max(1));
        while let Some((index, fetched)) = again.next().await {
            if let Some((request, _)) = waiting.remove(&index) {
                each(request, fetched);
            }
        }
    };
    let stopped = tokio::select! {
        biased;
        reason = &mut stop => Some(reason),
        () = all => None,
    };
    for (request, fetched) in waiting.into_values() {
        each(request, fetched);
    }
    stopped
}

/// Addresses with those of one host apart: hosts of equally many take turns in the order of their first address, and a busy
/// one comes up to so many times as often as it has more. Waiting for a busy host then leaves room for the others, however
/// the addresses were sorted, and what takes longest begins early.
pub fn in_turns(addresses: &[String]) -> Vec<&str> {
    /// The others are done in this share of the turns of the busiest.
    const SPREAD: f64 = 0.25;
    let mut numbers: HashMap<String, usize> = HashMap::new();
    // How many addresses each host has, and for each address its host and its turn there.
    let mut counts: Vec<usize> = Vec::new();
    let mut turns: Vec<(usize, usize, &str)> = Vec::with_capacity(addresses.len());
    for address in addresses {
        let host = Url::parse(address).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
        let number = *numbers.entry(host).or_insert(counts.len());
        if number == counts.len() {
            counts.push(0);
        }
        if let Some(count) = counts.get_mut(number) {
            turns.push((number, *count, address));
            *count += 1;
        }
    }
    let most = counts.iter().copied().max().unwrap_or(1) as f64;
    let when = |&(host, turn, _): &(usize, usize, &str)| {
        let more = most / counts.get(host).copied().unwrap_or(1).max(1) as f64;
        turn as f64 * (1.0 + (more - 1.0) * SPREAD)
    };
    turns.sort_by(|one, other| when(one).total_cmp(&when(other)));
    turns.into_iter().map(|(_, _, address)| address).collect()
}

/// A `stop` for [`fetch_all`] that ends when the budget is used up; without a budget it never does.
pub async fn time_is_over(budget: Option<std::time::Duration>) -> &'static str {
    match budget {
        Some(budget) => tokio::time::sleep(budget).await,
        None => std::future::pending().await,
    }
    "time was over"
}

#[cfg(test)]
mod tests {
    use super::in_turns;

    fn check(addresses: &str, expected: &str) {
        let addresses: Vec<String> = addresses.split(' ').map(str::to_owned).collect();
        assert_eq!(in_turns(&addresses).join(" "), expected);
    }

    #[test]
    fn hosts_take_turns() {
        check(
            "http://a/1 http://a/2 https://a/3 http://b/1 http://b/2",
            "http://a/1 http://b/1 http://a/2 http://b/2 https://a/3",
        );
        check("http://b/1 http://a/1 http://b/2", "http://b/1 http://a/1 http://b/2");
        check("http://a/2 http://a/1 http://a/2", "http://a/2 http://a/1 http://a/2");
        check("no-address http://a/1 neither", "no-address http://a/1 neither");
    }
}
