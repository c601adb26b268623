//! A brief of a draft, with a fetcher of one's own: pages that a program has already, such as those of its crawler.
//!
//!     cargo run --example own_fetcher

use std::collections::HashMap;

use cited::{Fetched, Fetcher, Fetching, Input, Options, Request, Run, read_page, verify};

/// Pages by address. What is not among them was never asked for, so nothing is known of it.
struct Crawled(HashMap<&'static str, &'static str>);

impl Fetcher for Crawled {
    fn fetch<'a>(&'a self, request: &'a Request<'a>) -> Fetching<'a> {
        let now = jiff::Timestamp::now();
        let found = request.addresses.iter().find_map(|address| Some((address, *self.0.get(address.as_str())?)));
        let page = found.and_then(|(address, html)| Some((address, read_page(html, "page.html")?)));
        let fetched = match page {
            Some((address, page)) => Fetched::live(address, page, now),
            None => Fetched::unasked(&request.addresses[0], "not crawled", now),
        };
        Box::pin(std::future::ready(fetched))
    }

    fn asks_archives(&self) -> bool {
        false
    }
}

const DRAFT: &str = "\
The line runs 12 electric ferries [1]. It carried 4.1 million passengers in 2024 [1]. A crossing takes 19 minutes [2].

## Sources

[1] Fleet: https://ferries.example/fleet
[2] Timetable: https://ferries.example/timetable
";

fn run() -> cited::Result<Run> {
    let fleet = "<title>Fleet</title><p>We run 12 electric ferries. In 2024 they carried 3.9 million passengers.</p>";
    let pages = Crawled(HashMap::from([("https://ferries.example/fleet", fleet)]));
    let draft = Input { path: "ferries.md".to_owned(), text: DRAFT.into() };
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(verify(&draft, &[], &pages, &Options::default(), &|_| {}))
}

fn main() -> cited::Result<()> {
    let run = run()?;
    println!("{}", run.brief);
    for finding in &run.record.findings {
        println!("{}: {}", finding.code, finding.message);
    }
    Ok(())
}

#[test]
fn what_was_not_asked_stays() {
    let run = run().unwrap();
    assert!(run.brief.starts_with("The line runs 12 electric ferries [1]. A crossing takes 19 minutes [2].\n"));
    assert_eq!(run.record.edits.iter().filter(|edit| edit.claim_id.is_some()).count(), 1);
}
