//! All sources of a run, many at once, in the order they were given.

use std::collections::HashMap;

use futures_util::StreamExt;
use futures_util::stream;
use url::Url;

use super::company::Company;
use super::{Fetcher, Request};
use cited_core::outcome::Fetched;

/// Looks at every source, `at_once` of them at a time, and gives the results in the order of the requests. Those in doubt
/// that ended where many of them did are asked again.
///
/// Waiting for a host's turn does not hold up others, so `at_once` may be large; what bounds the requests in flight is
/// [`Settings::concurrency`](super::Settings::concurrency). `progress` is called as sources are decided, in whatever order they are.
pub async fn fetch_all(
    network: &dyn Fetcher,
    requests: &[Request<'_>],
    at_once: usize,
    progress: &(dyn Fn(&Fetched) + Sync),
) -> Vec<Fetched> {
    let mut results: Vec<(usize, Fetched)> = Vec::with_capacity(requests.len());
    let each = |index: usize, fetched: Fetched| {
        progress(&fetched);
        results.push((index, fetched));
    };
    fetch_each(network, requests.iter().cloned(), at_once, each).await;
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, fetched)| fetched).collect()
}

/// Looks at sources as they come, `at_once` of them at a time, and hands each result on as soon as it is decided: nothing
/// more is kept, so that any number of addresses takes the memory of `at_once` pages.
///
/// Only a page that something speaks against, and that its site did not call gone, waits until the others have come: those
/// that ended where many did are asked again. Of one that is only glanced at the text does not wait with it.
///
/// `each` gets the results, and the places of their requests, in the order in which they are decided.
pub async fn fetch_each<'c>(
    network: &dyn Fetcher,
    requests: impl IntoIterator<Item = Request<'c>>,
    at_once: usize,
    mut each: impl FnMut(usize, Fetched),
) {
    let ask = |(index, request): (usize, Request<'c>)| async move {
        let fetched = network.fetch(&request).await;
        (index, request, fetched)
    };
    let mut company = Company::default();
    let mut waiting: Vec<(usize, Request<'c>, Fetched)> = Vec::new();
    let mut work = stream::iter(requests.into_iter().enumerate()).map(ask).buffer_unordered(at_once.max(1));
    while let Some((index, request, fetched)) = work.next().await {
        if company.note(index, &fetched) {
            let page = fetched.page.filter(|_| !request.glance);
            waiting.push((index, request, Fetched { page, ..fetched }));
        } else {
            each(index, fetched);
        }
    }
    let met = company.into_asked_again();
    let (many, alone): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|(index, ..)| met.contains(index));
    alone.into_iter().for_each(|(index, _, fetched)| each(index, fetched));
    // They are told of the others that ended where they did.
    let told = many.into_iter().map(|(index, request, _)| (index, Request { in_company: true, ..request }));
    let mut again = stream::iter(told).map(ask).buffer_unordered(at_once.max(1));
    while let Some((index, _, fetched)) = again.next().await {
        each(index, fetched);
    }
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
