//! `cited verify --find`: sources for the claims that have none, by the search of the user's.
//!
//! What the search gives is only an address. Its page is asked for as any source is, through the same guard, and it is proposed when
//! it was read and supports the claim. Nothing is written but with `--find=write`, which lets a second run cite it as if research
//! notes had named it.

use std::collections::HashMap;

use crate::pipeline::{self, FOUND, Options, Run};
use crate::setup::Setup;
use crate::setup::lent::Lent;
use cited_core::decide::Action;
use cited_core::error::Result;
use cited_core::finding::{Code, Finding};
use cited_core::input::Input;
use cited_core::outcome::Fetched;
use cited_core::verdict::Standing;
use cited_judge::SourceText;
use cited_report::record::{Proposal, RunVerdict, Verification};
use cited_report::wording::counted;
use cited_text::escape;

/// Addresses of the search that are read for one claim.
const HITS: usize = 5;
/// Claims that are searched for in one run.
const MOST_CLAIMS: usize = 100;
/// The search is given up when it fails so many times in a row.
const MOST_FAILURES: usize = 2;

/// Looks for sources of the claims of a run that stand on none; gives them in the order of the claims, with what is worth telling of the search itself.
///
/// # Errors
/// When the system gives no threads. A search that fails is told among the findings.
pub fn look(search: &Lent, run: &Run, setup: &Setup, options: &Options) -> Result<(Vec<Proposal>, Vec<Finding>)> {
    let told = |message: String| Finding::new(Code::SearchFailed, message);
    if run.record.verdict == RunVerdict::Blocked {
        let message = "no source was looked for: checking could not be completed";
        return Ok((Vec::new(), vec![told(message.to_owned())]));
    }
    let wanted: Vec<&Verification> = run.record.verifications.iter().filter(|claim| needs_source(claim)).collect();
    let (mut proposals, mut pages): (_, HashMap<String, Fetched>) = (Vec::new(), HashMap::new());
    let (mut searched, mut in_a_row, mut failure) = (0, 0, None);
    for claim in wanted.iter().take(MOST_CLAIMS) {
        match search.find(&claim.claim_text, HITS) {
            Ok(hits) => {
                (searched, in_a_row) = (searched + 1, 0);
                for hit in hits {
                    if !pages.contains_key(&hit) {
                        pages.insert(hit.clone(), setup.fetch(&hit, vec![&claim.claim_text])?);
                    }
                    if let Some(proposal) = weigh(claim, hit.clone(), &pages[&hit], options) {
                        proposals.push(proposal);
                        break;
                    }
                }
            }
            Err(why) => (in_a_row, failure) = (in_a_row + 1, Some(format!("the search failed: {why}"))),
        }
        if in_a_row >= MOST_FAILURES {
            break;
        }
    }
    let left = counted(wanted.len() - searched, "claim");
    let limit = || (searched < wanted.len()).then(|| format!("a run searches for {MOST_CLAIMS}"));
    let failed = failure.or_else(limit).map(|why| told(format!("{left} left without a search: {why}")));
    // That pages which could not be looked at say nothing is not known.
    let unknown = pages.iter().filter(|(_, page)| page.outcome.is_unknown());
    let first = unknown.clone().map(|(url, page)| format!("{url} ({}: {})", page.in_words(), page.reason)).min();
    let unread = counted(unknown.count(), "page");
    let unread =
        first.map(|first| told(format!("{unread} that the search gave could not be looked at, such as {first}")));
    Ok((proposals, failed.into_iter().chain(unread).collect()))
}

/// Whether a claim must have a source and stands on none. A cell says nothing without its table, and is not searched for.
fn needs_source(claim: &Verification) -> bool {
    claim.kind.must_have_source() && claim.context.is_none() && claim.sources_reconciled.is_empty()
}

/// Reads a page that the search has found; a proposal when it supports the claim.
fn weigh(claim: &Verification, url: String, fetched: &Fetched, options: &Options) -> Option<Proposal> {
    let page = fetched.page.as_ref().filter(|page| fetched.outcome.is_readable() && !page.text.is_empty())?;
    let verdict = pipeline::judge_prepared(&claim.claim_text, &SourceText::of_page(page), options);
    let passage = verdict.passage.filter(|_| verdict.standing == Standing::Supported)?;
    Some(Proposal {
        claim_id: claim.claim_id.clone(),
        claim_text: claim.claim_text.clone(),
        url,
        title: page.title.clone().unwrap_or_default(),
        outcome: fetched.outcome,
        source_passage: passage.text,
        offsets: passage.offsets,
        text_sha256: page.text_sha256.clone(),
        confidence: verdict.confidence,
        written: false,
    })
}

/// Research notes that name what was found on the web, as those of a researcher would; `None` when there is nothing to cite.
pub fn notes(proposals: &[Proposal]) -> Option<Input> {
    let (mut findings, mut sources) = (String::new(), String::new());
    for (number, proposal) in (1..).zip(proposals) {
        let (claim, title) = (escape::inline(&proposal.claim_text), escape::title(&proposal.title));
        let title = if title.is_empty() { String::new() } else { format!("{title} — ") };
        findings.push_str(&format!("- {claim} [{number}]\n"));
        sources.push_str(&format!("{number}. {title}<{}>\n", proposal.url));
    }
    let text = format!("### Findings\n\n{findings}\n### Sources\n\n{sources}");
    (!proposals.is_empty()).then(|| Input { path: FOUND.to_owned(), text: text.into() })
}

/// Says in the record and the findings of a run what was found.
pub fn tell((mut proposals, findings): (Vec<Proposal>, Vec<Finding>), run: &mut Run) {
    for proposal in &mut proposals {
        let claim = run.record.verifications.iter().find(|claim| claim.claim_id == proposal.claim_id);
        let Some(claim) = claim else { continue };
        let cites = claim.sources_reconciled.iter().any(|source| source.source_url == proposal.url);
        let cited = matches!(claim.action, Action::Cite | Action::Recite);
        proposal.written = cited && claim.verified && cites;
        if proposal.written {
            continue;
        }
        let message =
            format!("“{}” is confirmed by {} (“{}”)", claim.claim_text, proposal.url, proposal.source_passage);
        let finding = Finding::new(Code::SourceFound, message)
            .at(claim.span)
            .remedy("cite it, or let --find=write do so")
            .on_claim(claim.claim_id.clone(), claim.action.word())
            .on_address(proposal.url.clone(), proposal.outcome.as_str(), None);
        run.record.findings.push(finding);
    }
    run.record.findings.extend(findings);
    run.record.proposals = proposals;
}
