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
mod check;
mod compose;
mod decided;
mod judge;
mod options;
mod read;
mod report;

pub use self::check::{Checked, check};
pub use self::judge::{judge_claim, judge_prepared};
pub use self::options::{FOUND, Options, Progress, ReadArtifact, Scope, Style, Watch, Works};
pub(crate) use self::read::refuse_broken;
pub use self::report::{Run, of_look};
use cited_core::error::Result;
pub use cited_core::input::Input;
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
    watch(Progress::Judging(asked.read.claims.len()));
    let mut judged = judge::judge(asked);
    watch(Progress::Writing);
    let written = compose::compose(&mut judged, watch)?;
    let kept = judged.asked.keep(judged.rewrite.numbering.sources(), fetcher).await;
    watch(Progress::Reporting);
    Ok(report::report(judged, written, &kept))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::pipeline::{Scope, Works};
    use cited_core::decide::{Policy, Treatment};
    use cited_core::outcome::Fetched;
    use cited_fetch::{Fetching, Request};
    use cited_works::{Account, Asking, Index, IndexAnswer, Outcome, Question};

    /// A web of which every page is gone.
    struct Gone;

    impl Fetcher for Gone {
        fn fetch<'a>(&'a self, request: &'a Request<'a>) -> Fetching<'a> {
            let dead = Fetched::dead(&request.addresses[0], "HTTP 404", jiff::Timestamp::UNIX_EPOCH);
            Box::pin(std::future::ready(dead))
        }
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

        fn can(&self, _: &Question) -> bool {
            true
        }

        fn ask<'a>(&'a self, _: &'a Question) -> Asking<'a> {
            let answer = if self.silent { Err("HTTP 503".to_owned()) } else { Ok(Vec::new()) };
            Box::pin(std::future::ready(IndexAnswer { answer, text_sha256: String::new(), at: None }))
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
            let works = Works { scope: Scope::On, indexes: NAMES.iter().map(shelf).collect() };
            let on_not_found = if drops { Treatment::Drop } else { Treatment::Keep };
            let options = Options { works, policy: Policy { on_not_found, ..Policy::default() }, ..Options::default() };
            let draft = Input { path: "d.md".into(), text: text.into() };
            let run = futures_util::FutureExt::now_or_never(verify(&draft, &[], &Gone, &options, &|_| {}));
            let record = run.expect("nothing is waited for").unwrap().record;
            for (n, (entry, covered)) in ENTRIES.iter().enumerate() {
                let heard = covered.iter().all(|either| either.iter().any(|name| !is_silent(name)));
                let source = record.sources.iter().find(|source| entry.starts_with(&source.title[..8])).unwrap();
                let look = source.work.as_ref().unwrap();
                prop_assert_eq!(look.outcome == Outcome::NotFound, heard, "{}: {:?}", entry, look);
                let claim = record.verifications.iter().find(|one| one.claim_text.contains(&format!(" {0}{0} ", n + 1)));
                let dead = entry.contains("https://");
                let alone = NAMES.iter().all(is_silent);
                let goes = if dead { heard || alone } else { heard && drops };
                prop_assert_eq!(claim.unwrap().action.removes(), goes, "{}: {:?}", entry, claim);
            }
        }
    }
}
