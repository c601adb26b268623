//! One claim by one page, without a document around it: the walk of `cited judge` and of the tools for agents.

use super::options::Options;
use cited_core::claim::kind_of;
use cited_core::page::Page;
use cited_core::verdict::Verdict;
use cited_judge::{ClaimText, SourceText};

/// What a page says about a claim, by the rules, then the judge of `options`.
///
/// ```
/// use cited::{Options, Standing, judge_claim, read_page};
/// let page = read_page("<p>The ferry line runs 12 electric ferries.</p>", "fleet.html").unwrap();
/// let of = |claim| judge_claim(claim, &page, &Options::default());
/// assert_eq!(of("The line runs 12 electric ferries.").standing, Standing::Supported);
/// // A number that the page has otherwise removes a claim; so does no other check that is not exact.
/// let verdict = of("The ferry line runs 21 electric ferries.");
/// assert!(verdict.hard && verdict.standing == Standing::Contradicted);
/// assert_eq!(verdict.passage.unwrap().text, "The ferry line runs 12 electric ferries.");
/// ```
pub fn judge_claim(claim: &str, page: &Page, options: &Options) -> Verdict {
    judge_prepared(claim, &SourceText::of_page(page), options)
}

/// The same with a page that was made ready.
pub fn judge_prepared(claim: &str, source: &SourceText<'_>, options: &Options) -> Verdict {
    let verdict = cited_judge::judge(&ClaimText::new(claim, kind_of(claim)), source, &options.judging());
    options.revise(claim, verdict, source)
}
