//! All sources of a run, many at once, in the order they were given.

use std::collections::{BTreeMap, HashMap};
use std::future::Future;

use futures_util::StreamExt;
use futures_util::stream;
use url::Url;

use super::company::Company;
use super::{Fetcher, Request};
use cited_core::outcome::Fetched;

/// Looks at every source, `at_once` of them at a time, and gives the results in the order of the requests. Those in doubt
/// that ended where many of them did are asked again.
///
/// When `stop` ends first, for Ctrl-C or because the time is over, sources that are not decided yet become
/// [unasked](super::Outcome::Unasked) with the reason that it gives: the report stays truthful. Waiting for a host's turn
/// does not hold up others, so `at_once` may be large; what bounds the requests in flight is
/// [`Settings::concurrency`](super::Settings::concurrency).
///
/// `progress` is called as sources are decided, in whatever order they are.
pub async fn fetch_all(
    network: &dyn Fetcher,
    requests: &[Request<'_>],
    at_once: usize,
    stop: impl Future<Output = &'static str>,
    progress: &(dyn Fn(&Fetched) + Sync),
) -> Vec<Fetched> {
    let mut results: Vec<Option<Fetched>> = requests.iter().map(|_| None).collect();
    let each = |index: usize, fetched: Fetched| {
        progress(&fetched);
        if let Some(slot) = results.get_mut(index) {
            *slot = Some(fetched);
        }
    };
    let stopped = fetch_each(network, requests.iter().cloned(), at_once, stop, each).await;
    let now = jiff::Timestamp::now();
    let why = stopped.unwrap_or("interrupted");
    let unasked =
        |request: &Request<'_>| Fetched::unasked(request.addresses.first().cloned().unwrap_or_default(), why, now);
    results.into_iter().zip(requests).map(|(result, request)| result.unwrap_or_else(|| unasked(request))).collect()
}

/// Looks at sources as they come, `at_once` of them at a time, and hands each result on as soon as it is decided: nothing
/// more is kept, so that any number of addresses takes the memory of `at_once` pages.
///
/// Only a page that something speaks against, and that its site did not call gone, waits until the others have come: those
/// that ended where many did are asked again. Of one that is only glanced at the text does not wait with it.
///
/// `each` gets the results, and the places of their requests, in the order in which they are decided. When `stop` ends first, what waits is
/// handed on as it is, the rest is left unasked, and the reason that it gives comes back.
pub async fn fetch_each<'c>(
    network: &dyn Fetcher,
    requests: impl IntoIterator<Item = Request<'c>>,
    at_once: usize,
    stop: impl Future<Output = &'static str>,
    mut each: impl FnMut(usize, Fetched),
) -> Option<&'static str> {
    let mut company = Company::default();
    let mut waiting: BTreeMap<usize, (Request<'c>, Fetched)> = BTreeMap::new();
    let mut stop = std::pin::pin!(stop);
    let all = async {
        let ask = |(index, request): (usize, Request<'c>)| async move {
            let fetched = network.fetch(&request).await;
            (index, request, fetched)
        };
        let mut work = stream::iter(requests.into_iter().enumerate()).map(ask).buffer_unordered(at_once.max(1));
        while let Some((index, request, fetched)) = work.next().await {
            if company.note(index, &fetched) {
                let page = fetched.page.filter(|_| !request.glance);
                waiting.insert(index, (request, Fetched { page, ..fetched }));
            } else {
                each(index, fetched);
            }
        }
        drop(work);
        let met = company.into_asked_again();
        let alone: Vec<usize> = waiting.keys().copied().filter(|index| !met.contains(index)).collect();
        for index in alone {
            if let Some((_, fetched)) = waiting.remove(&index) {
                each(index, fetched);
            }
        }
        // They are told of the others that ended where they did.
        let told = |(index, (request, _)): (&usize, &(Request<'c>, Fetched))| {
            (*index, Request { in_company: true, ..request.clone() })
        };
        let told: Vec<(usize, Request<'c>)> = waiting.iter().map(told).collect();
        let mut again = stream::iter(told).map(ask).buffer_unordered(at_once.max(1));
        while let Some((index, _, fetched)) = again.next().await {
            waiting.remove(&index);
            each(index, fetched);
        }
    };
    let stopped = tokio::select! {
        biased;
        reason = &mut stop => Some(reason),
        () = all => None,
    };
    for (index, (_, fetched)) in waiting {
        each(index, fetched);
    }
    stopped
}

/// Addresses with those of one host apart: the first of each host, then the second of each. Waiting for a busy host then leaves room for
/// the others, however the addresses were sorted.
pub fn in_turns(addresses: &[String]) -> Vec<&str> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let in_turn = |address| {
        let host = Url::parse(address).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
        let count = counts.entry(host).or_default();
        *count += 1;
        (*count, address)
    };
    let mut turns: Vec<(usize, &str)> = addresses.iter().map(String::as_str).map(in_turn).collect();
    turns.sort_by_key(|(turn, _)| *turn);
    turns.into_iter().map(|(_, address)| address).collect()
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
