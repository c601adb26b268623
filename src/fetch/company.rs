//! Addresses of one run that ended at one page, or gave one main text: judged together (checking.md, "Alive, gone, or behind a
//! wall"). A site that sends three articles to one page has none of them, unless that page is about each.

use std::collections::{BTreeSet, HashMap};

use futures_util::StreamExt;
use futures_util::stream;
use sha2::{Digest, Sha256};
use url::Url;

use super::liveness::proof::without_echo;
use super::liveness::way;
use super::outcome::{Fetched, Outcome};
use super::{Fetcher, Request};

/// So many addresses with names of their own make a company: two may be two names of one page.
const MANY: usize = 3;

/// Where addresses meet.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Meeting {
    /// At the end of their redirects.
    Page(String),
    /// In one main text, on one host.
    Text(String, [u8; 32]),
}

/// Asks those again whose answer others gave, too, this time told of it. `requests` and `answers` go in pairs.
pub async fn ask_again(fetcher: &dyn Fetcher, requests: &[Request<'_>], answers: &mut [Fetched], at_once: usize) {
    let told: Vec<(usize, Request<'_>)> = in_company(answers)
        .into_iter()
        .filter_map(|index| Some((index, Request { in_company: true, ..requests.get(index)?.clone() })))
        .collect();
    let again: Vec<(usize, Fetched)> = stream::iter(&told)
        .map(|(index, request)| async move { (*index, fetcher.fetch(request).await) })
        .buffer_unordered(at_once.max(1))
        .collect()
        .await;
    for (index, fetched) in again {
        if let Some(answer) = answers.get_mut(index) {
            *answer = fetched;
        }
    }
}

/// The places of the answers that are in company.
fn in_company(answers: &[Fetched]) -> BTreeSet<usize> {
    let mut meetings: HashMap<Meeting, Vec<(usize, String)>> = HashMap::new();
    for (index, answer) in answers.iter().enumerate() {
        if let Some((meeting, name)) = meeting_of(answer) {
            meetings.entry(meeting).or_default().push((index, name));
        }
    }
    let many = |met: &&Vec<(usize, String)>| met.iter().map(|(_, name)| name).collect::<BTreeSet<_>>().len() >= MANY;
    meetings.values().filter(many).flatten().map(|(index, _)| *index).collect()
}

/// Where an address may meet others, and the name that it has on its site.
fn meeting_of(answer: &Fetched) -> Option<(Meeting, String)> {
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
        return Some((Meeting::Page(format!("{host}{}?{query}", landed.path().trim_end_matches('/'))), name));
    }
    let page = answer.page.as_ref()?;
    let own = page.text.get(..page.main_end).filter(|own| !own.is_empty()).unwrap_or(&page.text);
    let own = without_echo(own, &asked);
    (!own.trim().is_empty()).then(|| (Meeting::Text(host, Sha256::digest(own).into()), name))
}

#[cfg(test)]
mod tests {
    use super::super::outcome::{Fetched, Outcome};
    use super::super::page::Page;
    use super::in_company;

    fn answer(line: &str) -> Fetched {
        let mut parts = line.split(' ');
        let (asked, landed) = (parts.next().unwrap(), parts.next().unwrap());
        let text = parts.collect::<Vec<_>>().join(" ");
        Fetched {
            outcome: if text == "WALL" { Outcome::Restricted } else { Outcome::Live },
            final_url: Some(format!("https://{landed}")),
            page: Some(Page { main_end: text.len(), text, ..Page::default() }),
            ..Fetched::unasked(format!("https://{asked}"), "", jiff::Timestamp::UNIX_EPOCH)
        }
    }

    #[track_caller]
    fn check(lines: &[&str], expected: &[usize]) {
        let answers: Vec<Fetched> = lines.iter().map(|line| answer(line)).collect();
        assert_eq!(in_company(&answers).into_iter().collect::<Vec<_>>(), expected, "{lines:?}");
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
