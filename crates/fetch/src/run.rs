//! All sources of a run, many at once, in the order they were given.

use std::collections::{BTreeSet, HashMap};

use futures_util::StreamExt;
use futures_util::stream;
use url::Url;

use super::liveness::proof::without_echo;
use super::liveness::{Sibling, way};
use super::{Fetcher, Request};
use crate::jitter::mix;
use cited_core::outcome::{Fetched, Outcome};
use cited_core::page::Page;

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
    let each = async |index, fetched: Fetched| {
        progress(&fetched);
        results.push((index, fetched));
    };
    fetch_each(network, requests.iter().cloned(), at_once, || true, |_| {}, each).await;
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, fetched)| fetched).collect()
}

/// Looks at sources as they come, `at_once` of them at a time, and hands each result on as soon as it is decided: nothing
/// more is kept, so that any number of addresses takes the memory of `at_once` pages.
///
/// Only a page that something speaks against, and that its site did not call gone, waits until the others have come: those
/// that ended where many did are asked again. Of one that is only glanced at the text does not wait with it.
///
/// `each` gets the results, and the places of their requests, in the order in which they are decided; `heard` gets each answer as it comes.
/// No request begins any more once `may` says so.
pub async fn fetch_each<'c>(
    network: &dyn Fetcher,
    requests: impl IntoIterator<Item = Request<'c>>,
    at_once: usize,
    may: impl Fn() -> bool,
    heard: impl Fn(&Fetched),
    mut each: impl AsyncFnMut(usize, Fetched),
) {
    let heard = &heard;
    let ask = |(index, request): (usize, Request<'c>)| async move {
        let fetched = network.fetch(&request).await;
        heard(&fetched);
        (index, request, fetched)
    };
    let (mut company, mut waiting) = (Company::default(), Vec::new());
    let requests = requests.into_iter().take_while(|_| may()).enumerate();
    let mut work = stream::iter(requests).map(ask).buffer_unordered(at_once.max(1));
    while let Some((index, request, fetched)) = work.next().await {
        if company.note(index, &fetched) {
            let small = |page: Page| Page { title: page.title, text_sha256: page.text_sha256, ..Page::default() };
            let page = if request.glance { fetched.page.map(small) } else { fetched.page };
            waiting.push((index, request, Fetched { page, ..fetched }));
        } else {
            each(index, fetched).await;
        }
    }
    // They are told of the others that ended where they did.
    let met = company.into_asked_again();
    let again = async |(index, request, fetched)| {
        if met.contains(&index) && may() {
            ask((index, Request { in_company: true, ..request })).await
        } else {
            (index, request, fetched)
        }
    };
    let mut work = stream::iter(waiting).map(again).buffer_unordered(at_once.max(1));
    while let Some((index, _, fetched)) = work.next().await {
        each(index, fetched).await;
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

/// So many addresses with names of their own make a company: two may be two names of one page.
const MANY: usize = 3;

/// Bytes of a main text in which pages are compared.
const COMPARED: usize = 16 << 10;

/// Addresses of one run that ended at one page, or gave one main text, are judged together: a site that sends three articles to one page has
/// none of them, unless that page is about each. These are the answers as they come, by where they met: the names that were asked for, as many as count, and the places of those in
/// doubt. Of each it keeps a few bytes and no page.
#[derive(Debug, Default)]
struct Company(HashMap<u64, (Vec<u64>, Vec<usize>)>);

impl Company {
    /// Takes note of the answer to the request at this place: whether it has to wait for the others, because something spoke
    /// against it and they may say more.
    fn note(&mut self, index: usize, answer: &Fetched) -> bool {
        let Some((meeting, name, led)) = meeting_of(answer) else { return false };
        let (names, doubtful) = self.0.entry(meeting).or_default();
        let name = mix(0, &name, 0);
        if names.len() < MANY && !names.contains(&name) {
            names.push(name);
        }
        // A page that is alive has signs only where a doubt was raised, which its site did not confirm. Of a page that was sent
        // nowhere else a sibling has the word, if it can be asked.
        let is_doubtful = answer.signs.iter().any(|sign| led || *sign == Sibling::Silent.to_string());
        doubtful.extend(is_doubtful.then_some(index));
        is_doubtful
    }

    /// The places of the answers that waited, and that others gave, too.
    fn into_asked_again(self) -> BTreeSet<usize> {
        self.0.into_values().filter(|(names, _)| names.len() >= MANY).flat_map(|(_, doubtful)| doubtful).collect()
    }
}

/// Where an address may meet others, at the end of its redirects or in one main text of its host; the name that it has on its
/// site; and whether it was led there.
fn meeting_of(answer: &Fetched) -> Option<(u64, String, bool)> {
    if !matches!(answer.outcome, Outcome::Live | Outcome::Moved) {
        return None;
    }
    let asked = Url::parse(&answer.address).ok()?;
    let landed = Url::parse(answer.final_url.as_deref()?).ok()?;
    let name = way::slug(&way::segments(&asked));
    if name.is_empty() {
        return None;
    }
    let host = landed.host_str()?.trim_start_matches("www.").to_owned();
    if !way::same_place(&asked, &landed) && !way::same_slug(&asked, &landed) {
        let query = landed.query().unwrap_or_default();
        let place = format!("{host}{}?{query}", landed.path().trim_end_matches('/'));
        return Some((mix(0, &place, 0), name, true));
    }
    let page = answer.page.as_ref()?;
    let own = page.text.get(..page.main_end).filter(|own| !own.is_empty()).unwrap_or(&page.text);
    let own = without_echo(&own[..own.floor_char_boundary(COMPARED)], &asked);
    (!own.trim().is_empty()).then(|| (mix(0, &format!("{host}\n{own}"), 0), name, false))
}

#[cfg(test)]
mod company_tests {
    use super::Company;
    use cited_core::outcome::{Fetched, Outcome};
    use cited_core::page::Page;

    fn answer(line: &str) -> Fetched {
        let mut parts = line.split(' ');
        let (asked, landed) = (parts.next().unwrap(), parts.next().unwrap());
        let text = parts.collect::<Vec<_>>().join(" ");
        Fetched {
            outcome: if text == "WALL" { Outcome::Restricted } else { Outcome::Live },
            final_url: Some(format!("https://{landed}")),
            signs: match text.as_str() {
                "SURE" => Vec::new(),
                "KNOWN" => vec!["sibling:other".to_owned()],
                _ => vec!["sibling:silent".to_owned()],
            },
            page: Some(Page { main_end: text.len(), text, ..Page::default() }),
            ..Fetched::unasked(format!("https://{asked}"), "", jiff::Timestamp::UNIX_EPOCH)
        }
    }

    #[track_caller]
    fn check(lines: &[&str], expected: &[usize]) {
        let mut company = Company::default();
        for (index, line) in lines.iter().enumerate() {
            company.note(index, &answer(line));
        }
        assert_eq!(company.into_asked_again().into_iter().collect::<Vec<_>>(), expected, "{lines:?}");
    }

    #[test]
    fn answers_in_company() {
        // Three articles that end at one list; a fourth goes its own way.
        check(
            &[
                "a.example/x/one a.example/news N",
                "a.example/x/two www.a.example/news/ N",
                "a.example/three a.example/news N",
                "a.example/four a.example/4 F",
            ],
            &[0, 1, 2],
        );
        // Two may be two names of one page, and so may three ways of writing one name.
        check(&["a.example/one a.example/news N", "a.example/two a.example/news N"], &[]);
        check(
            &["a.example/one a.example/n N", "a.example/x/one.html a.example/n N", "a.example/One/ a.example/n N"],
            &[],
        );
        // One text at three addresses, an echo of the address aside.
        check(
            &[
                "a.example/item-1 a.example/item-1 Nothing item-1",
                "a.example/item-2 a.example/item-2 Nothing item-2",
                "a.example/item-3 a.example/item-3 Nothing item-3",
            ],
            &[0, 1, 2],
        );
        // Against one of the three nothing speaks: it is not asked again, and counts for the others.
        check(
            &["a.example/one a.example/n N", "a.example/two a.example/n SURE", "a.example/three a.example/n N"],
            &[0, 2],
        );
        // A sibling got an honest error: that says more than one text, and less than one end of three ways.
        check(
            &["a.example/a1 a.example/a1 KNOWN", "a.example/b1 a.example/b1 KNOWN", "a.example/c1 a.example/c1 KNOWN"],
            &[],
        );
        check(
            &["a.example/a1 a.example/n KNOWN", "a.example/b1 a.example/n KNOWN", "a.example/c1 a.example/n KNOWN"],
            &[0, 1, 2],
        );
        // On three hosts it is no company, and walls and pages without text are none.
        check(&["a.example/a1 a.example/a1 T", "b.example/b1 b.example/b1 T", "c.example/c1 c.example/c1 T"], &[]);
        check(
            &["a.example/a1 a.example/w WALL", "a.example/b1 a.example/w WALL", "a.example/c1 a.example/w WALL"],
            &[],
        );
        check(&["a.example/a1 a.example/a1 ", "a.example/b1 a.example/b1 ", "a.example/c1 a.example/c1 "], &[]);
        // The front page has no name.
        check(&["a.example/ a.example/n N", "a.example/?p=1 a.example/n N", "a.example/one a.example/n N"], &[]);
    }
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
