//! The run: the only place that knows the order of the stages.
//!
//! Each stage takes the value of the one before and gives the next:
//!
//! | stage | gives |
//! |---|---|
//! | `read(draft, research)` | `Read`: claims, citations, one registry of sources, what each claim stands on |
//! | `ask(Read, fetcher)` | `Asked`: with what sources and links answered |
//! | `judge(Asked)` | `Judged`: with verdicts, and a decision on each claim |
//! | `compose(Judged)` | `Written`: with the brief and the edits that made it |
//! | `report(Judged, Written)` | record and findings |
//!
//! [`verify()`] walks all of them, [`check()`] the first three.

mod ask;
#[cfg(all(feature = "network", feature = "sqlite"))]
pub mod audit;
mod compose;
mod judge;
mod options;
mod read;
mod report;

pub use self::judge::{judge_claim, judge_prepared};
pub use self::options::{FOUND, Options, Progress, ReadArtifact, Scope, Style, Watch};
pub(crate) use self::read::refuse_broken;
pub use self::report::{Run, of_look};
use cited_core::check::results::Results;
use cited_core::decide::{self, Manner};
use cited_core::error::Result;
pub use cited_core::input::Input;
use cited_core::outcome::Outcome;
use cited_fetch::Fetcher;

/// Runs the whole path on one draft: read, ask, judge, compose, report.
///
/// # Errors
/// When the draft has neither a source list nor research files, or when the result fails its own check.
pub async fn verify(
    draft: &Input,
    research: &[Input],
    fetcher: &dyn Fetcher,
    options: &Options,
    watch: Watch<'_>,
) -> Result<Run> {
    let read = read::read(draft, research, options);
    read.vet()?;
    let asked = judge::connect(ask::ask(read, fetcher, watch).await);
    watch(Progress::Stage("judging the claims"));
    let mut judged = judge::judge(asked, None);
    watch(Progress::Stage("writing"));
    let written = compose::compose(&mut judged)?;
    let kept = judged.asked.keep(judged.rewrite.numbering.sources(), fetcher).await;
    Ok(report::report(&judged, written, &kept))
}

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
    let mut judged = judge::judge(ask::ask(read, fetcher, watch).await, None);
    // What would be rewritten tells which sources would stay cited.
    judged.rewrite = decide::rewrite(&judged.asked.read.plan(), &mut judged.decisions, &Manner::default());
    let findings = judged.findings(options.support && cites);
    let asked = &judged.asked;
    // Without sources there are the links alone.
    let mut links = asked.links.values();
    let unasked = asked.answers.is_empty() && links.len() > 0 && links.all(|link| link.outcome == Outcome::Unasked);
    let blocked = asked.blocked.clone().or(unasked.then(|| "no link could be asked".to_owned()));
    Checked { results: asked.results(findings), blocked }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::{Arc, Mutex};

    use proptest::prelude::*;

    use super::*;
    use crate::pipeline::Scope;
    use cited_core::decide::{Policy, Treatment};
    use cited_core::finding::{Code, Finding};
    use cited_core::outcome::Fetched;
    use cited_fetch::{Fetching, Request};
    use cited_works::{Account, Asking, Index, IndexAnswer, Outcome as Existence, Question};

    /// A web of which every page is gone.
    struct Gone;

    impl Fetcher for Gone {
        fn fetch<'a>(&'a self, request: &'a Request<'a>) -> Fetching<'a> {
            let dead = Fetched::dead(&request.addresses[0], "HTTP 404", jiff::Timestamp::UNIX_EPOCH);
            Box::pin(std::future::ready(dead))
        }
    }

    /// A web of which every page is about something else.
    struct Elsewhere;

    impl Fetcher for Elsewhere {
        fn fetch<'a>(&'a self, request: &'a Request<'a>) -> Fetching<'a> {
            let unasked = Fetched::unasked(&request.addresses[0], "about something else", jiff::Timestamp::UNIX_EPOCH);
            let rule = cited_core::rule::Rule::OffTopic;
            Box::pin(std::future::ready(Fetched { outcome: Outcome::Live, rule, ..unasked }))
        }
    }

    #[test]
    fn a_page_about_something_else_is_told_of_a_link_where_claims_are_held_to_it() {
        let text = "The harbour handled 436 million tonnes in 2023, says [the port](https://a.example/port).\n";
        let check = |support: bool, expected: bool| {
            let options = Options { support, ..Options::default() };
            let document = Input { path: "d.md".into(), text: text.into() };
            let checked = futures_util::FutureExt::now_or_never(check(&document, &[], &Elsewhere, &options, &|_| {}));
            let (findings, ..) = checked.expect("nothing is waited for").results.into_parts();
            assert_eq!(findings.iter().any(|finding| finding.code == Code::OffTopic), expected, "{findings:?}");
        };
        check(true, true);
        check(false, false);
    }

    /// An index that has nothing, or is silent.
    struct Shelf {
        name: &'static str,
        silent: bool,
    }

    impl Index for Shelf {
        fn name(&self) -> &'static str {
            self.name
        }

        fn ask<'a>(&'a self, _: &'a Question) -> Option<Asking<'a>> {
            let answer = if self.silent { Err("HTTP 503".to_owned()) } else { Ok(Vec::new()) };
            Some(Box::pin(std::future::ready(IndexAnswer { answer, text_sha256: String::new(), at: None })))
        }

        fn account(&self) -> Account {
            Account { requests: 1, ..Account::default() }
        }
    }

    const NAMES: [&str; 8] =
        ["crossref", "openalex", "dblp", "semanticscholar", "arxiv", "openlibrary", "datacite", "doi.org"];

    /// An entry, and the indexes that cover it: one of each group must have answered.
    type Covered = (&'static str, &'static [&'static [&'static str]]);

    const ENTRIES: [Covered; 4] = [
        ("Coe, B. (2019). On the patience of limpets. *Coastal Records*, 3(2), 1–9.", &[&["crossref"], &["openalex"]]),
        (
            "Bo Coe. Limpets that wait. In Proceedings of ICML, 2020.",
            &[&["crossref"], &["dblp"], &["openalex"], &["semanticscholar"], &["arxiv"]],
        ),
        ("Coe, Bo. *The Limpet Almanac*. London: Harrow & Finch, 2016.", &[&["openlibrary"], &["crossref"]]),
        (
            "Doe, J. (2018). Shores without limpets. *Coastal Records*, 2(1), 3–9. https://doi.org/10.5555/none",
            // Whose the prefix is, doi.org alone can say.
            &[&["crossref"], &["openalex"], &["doi.org"]],
        ),
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]
        /// Whatever is silent: no work is not found, and no claim goes for it, while an index that covers it may have it.
        #[test]
        fn what_a_silent_index_may_have_is_not_found_by_nobody_and_costs_no_claim(
            silent in proptest::collection::vec(any::<bool>(), NAMES.len()),
            drops in any::<bool>(),
        ) {
            let claims = (1..=ENTRIES.len()).map(|n| format!("The shore has {n}{n} limpets [{n}]."));
            let list = ENTRIES.iter().enumerate().map(|(n, (entry, _))| format!("{}. {entry}\n", n + 1));
            let text = format!("{}\n\n## References\n\n{}", claims.collect::<Vec<_>>().join(" "), list.collect::<String>());
            let is_silent = |name: &&str| NAMES.iter().zip(&silent).any(|(own, silent)| own == name && *silent);
            let shelf = |name: &&'static str| Arc::new(Shelf { name, silent: is_silent(name) }) as Arc<dyn Index>;
            let (works, indexes) = (Scope::On, NAMES.iter().map(shelf).collect());
            let on_not_found = if drops { Treatment::Drop } else { Treatment::Keep };
            let policy = Policy { on_not_found, ..Policy::default() };
            let options = Options { policy, works, indexes, ..Options::default() };
            let draft = Input { path: "d.md".into(), text: text.into() };
            let run = futures_util::FutureExt::now_or_never(verify(&draft, &[], &Gone, &options, &|_| {}));
            let record = run.expect("nothing is waited for").unwrap().record;
            for (n, (entry, covered)) in ENTRIES.iter().enumerate() {
                let heard = covered.iter().all(|either| either.iter().any(|name| !is_silent(name)));
                let source = record.sources.iter().find(|source| entry.starts_with(&source.title[..8])).unwrap();
                let look = source.work.as_ref().unwrap();
                prop_assert_eq!(look.outcome == Existence::NotFound, heard, "{}: {:?}", entry, look);
                let claim = record.verifications.iter().find(|one| one.claim_text.contains(&format!(" {0}{0} ", n + 1)));
                let dead = entry.contains("https://");
                let alone = NAMES.iter().all(is_silent);
                let goes = if dead { heard || alone } else { heard && drops };
                prop_assert_eq!(claim.unwrap().action.removes(), goes, "{}: {:?}", entry, claim);
            }
        }
    }

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
