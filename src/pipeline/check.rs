//! The walk of `cited check`: what the sources of a document show, without writing anything.

use std::sync::Arc;

use super::options::{Options, Watch};
use super::{ask, judge, read};
use cited_core::check::results::Results;
use cited_core::decide::{self, Manner};
use cited_core::input::Input;
use cited_core::outcome::{Fetched, Outcome};
use cited_fetch::Fetcher;

/// What a check of one document gives.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// The findings in order of place, every address that was asked, and the links to the web, counted.
    pub results: Results,
    /// Why checking could not be completed, when it could not.
    pub blocked: Option<String>,
}

/// Asks the sources and links of a document and tells what they show; with [`Options::support`] also what they say of each
/// claim. A document that cites nothing and comes without research files is not held to cite: then only its links are asked.
pub async fn check(
    document: &Input,
    research: &[Input],
    fetcher: &dyn Fetcher,
    options: &Options,
    watch: Watch<'_>,
) -> Checked {
    let read = read::read(document, research, options);
    let cites = read.cites();
    let mut judged = judge::judge(ask::ask(read, fetcher, watch).await);
    // What would be rewritten tells which sources would stay cited.
    judged.rewrite = decide::rewrite(&judged.asked.read.plan(), &mut judged.decisions, &Manner::default());
    let findings = judged.findings(&judged.sources(), options.support && cites);
    let asked = &judged.asked;
    // Without sources there are the links alone.
    let is_unasked = |link: &Arc<Fetched>| link.outcome == Outcome::Unasked;
    let unasked = asked.answers.is_empty() && !asked.links.is_empty() && asked.links.values().all(is_unasked);
    let blocked = asked.blocked.clone().or(unasked.then(|| "no link could be asked".to_owned()));
    Checked { results: asked.results(findings), blocked }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Mutex;

    use proptest::prelude::*;

    use super::*;
    use crate::pipeline::verify;
    use cited_core::finding::{Code, Finding};
    use cited_fetch::{Fetching, Request};

    /// A network of which every address gives one of the outcomes, and that remembers what it was asked.
    struct Web {
        outcomes: Vec<Outcome>,
        asked: Mutex<BTreeSet<String>>,
    }

    impl Fetcher for Web {
        fn fetch<'a>(&'a self, request: &'a Request<'a>) -> Fetching<'a> {
            let mut asked = self.asked.lock().unwrap();
            asked.extend(request.addresses.iter().cloned());
            let address = request.addresses[0].clone();
            let at = address.bytes().map(usize::from).sum::<usize>() % self.outcomes.len();
            let outcome = self.outcomes[at];
            let answer = Fetched { outcome, ..Fetched::unasked(&address, "so it is", jiff::Timestamp::UNIX_EPOCH) };
            Box::pin(std::future::ready(answer))
        }
    }

    /// Parts of documents with an address for `@`.
    const PARTS: [&str; 12] = [
        "See [gone](@).",
        "It is so, says [a study](@), and [another](@) too.",
        "<@>",
        "Bare @ in a line.",
        "![image](@)",
        "<a href=\"@\"><img src=\"@\"></a>",
        "It rose by 3% [1].",
        "It rose by 4% [2][1].",
        "It fell ([source](@)).",
        "A note[^n].\n\n[^n]: A page, @",
        "[text][label]\n\n[label]: @",
        "| a | b |\n|---|---|\n| [x](@) | 3% |",
    ];

    /// The addresses of which the outcome is told: that an entry is not cited says so only of one that is there, or that nobody asked.
    fn addresses_in(findings: &[Finding]) -> BTreeSet<&str> {
        let tells = |finding: &&Finding| {
            let outcome = finding.about.as_deref().and_then(|about| about.outcome.as_deref());
            finding.code != Code::OrphanSource || matches!(outcome, Some("moved" | "unasked"))
        };
        findings.iter().filter(tells).filter_map(|finding| finding.about.as_deref()?.url.as_deref()).collect()
    }

    fn document() -> impl Strategy<Value = String> {
        let parts = proptest::collection::vec((0..PARTS.len(), 0..6_u8, 0..6_u8), 1..6);
        (parts, 0..4_usize).prop_map(|(parts, listed)| {
            let address = |number: u8| format!("https://{}.example/page", char::from(b'a' + number));
            let part = |(part, first, second): (usize, u8, u8)| {
                PARTS[part].replacen('@', &address(first), 1).replace('@', &address(second))
            };
            let text: Vec<String> = parts.into_iter().map(part).collect();
            let entry = |number: usize| format!("{}. A page — {}\n", number + 1, address(number as u8));
            let list: String = (0..listed).map(entry).collect();
            let list = if listed > 0 { format!("\n\n## Sources\n\n{list}") } else { "\n".to_owned() };
            text.join("\n\n") + &list
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn every_address_that_was_asked_has_a_row_and_every_outcome_but_good_a_finding(
            text in document(),
            outcomes in proptest::collection::vec(proptest::sample::select(Outcome::ALL.to_vec()), 1..8),
        ) {
            let web = Web { outcomes, asked: Mutex::default() };
            let input = Input { path: "d.md".into(), text: text.into() };
            let options = Options { every_link: true, support: false, ..Options::default() };
            let checked = futures_util::FutureExt::now_or_never(check(&input, &[], &web, &options, &|_| {}));
            let (findings, asked, _) = checked.expect("nothing is waited for").results.into_parts();
            let rows: BTreeSet<String> = asked.iter().map(|row| row.url.clone()).collect();
            prop_assert_eq!(&rows, &*web.asked.lock().unwrap());
            let told = addresses_in(&findings);
            // Without a list there are no sources but links: what is told of them is told as of links, also where they cite.
            if !input.text.contains("## Sources") && !input.text.contains("[^n]:") {
                let of_links = [Code::DeadLink, Code::UncheckedLink, Code::MovedLink];
                let other = findings.iter().find(|finding| finding.about.is_some() && !of_links.contains(&finding.code));
                prop_assert!(other.is_none(), "{other:?}");
            }
            for row in &asked {
                let good = matches!(row.outcome, Outcome::Live | Outcome::Unreadable);
                prop_assert!(good || told.contains(&*row.url), "{}: {:?}: {findings:#?}", row.url, row.outcome);
            }
        }

        /// A run that writes holds to the same: its rows are the sources and the links of the record.
        #[test]
        fn every_address_that_a_run_asked_is_in_its_record_and_every_outcome_but_good_is_told(
            text in document(),
            outcomes in proptest::collection::vec(proptest::sample::select(Outcome::ALL.to_vec()), 1..8),
            noted in 0..6_u8,
        ) {
            let web = Web { outcomes, asked: Mutex::default() };
            let input = Input { path: "d.md".into(), text: text.into() };
            let notes = format!("## Findings\n\n- It rose by 3%, https://{}.example/page\n", char::from(b'a' + noted));
            let research = [Input { path: "r.md".into(), text: notes.into() }];
            let options = Options { support: false, ..Options::default() };
            let run = futures_util::FutureExt::now_or_never(verify(&input, &research, &web, &options, &|_| {}));
            // A draft that nothing can be written for is refused.
            let Ok(run) = run.expect("nothing is waited for") else { return Ok(()) };
            let record = run.record;
            let told = addresses_in(&record.findings);
            let sources = record.sources.iter().map(|source| {
                (std::iter::once(&source.url).chain(&source.aliases).map(String::as_str).collect(), source.outcome)
            });
            let rows: Vec<(Vec<&str>, Outcome)> =
                sources.chain(record.links.iter().map(|link| (vec![&*link.url], link.outcome))).collect();
            for address in &*web.asked.lock().unwrap() {
                let row = rows.iter().find(|(addresses, _)| addresses.contains(&address.as_str()));
                let Some((addresses, outcome)) = row else {
                    return Err(TestCaseError::fail(format!("{address}: {:?}", record.links)));
                };
                let good = matches!(outcome, Outcome::Live | Outcome::Unreadable);
                let is_told = good || addresses.iter().any(|address| told.contains(address));
                prop_assert!(is_told, "{address}: {outcome:?}: {:#?}", record.findings);
            }
        }
    }
}
