//! What was judged is proven: held against the pages that the fetcher gave, not against what the run says of itself.

use cited::claim::{Claim, ClaimId};
use cited::decide::Action;
use cited::judge::{CheckKind, Standing};
use cited::page::sha256_hex;
use cited::pipeline::Run;
use cited::render::record::{ReconciledSource, SourceRecord, Verification};

use super::scripted::Facts;
use super::{Cited, Web};

/// Every passage that the record pins stands in its page where the record says, and `verified` means that one does which
/// has the claim's value; a claim with sources of its own goes only when each of them is dead or was read and is against it, unless it is not
/// `whole` but of several clauses.
pub fn hold(
    run: &Run,
    web: &impl Web,
    claims: &[Claim],
    whole: &[bool],
    cited: impl Fn(&Claim) -> Vec<Cited>,
) -> Result<(), String> {
    let sources = &run.record.sources;
    for (i, (claim, verification)) in claims.iter().zip(&run.record.verifications).enumerate() {
        let fault = |what: &str| Err(format!("{what}: {} {:?}", ClaimId(i as u32), claim.text));
        if let Some(said) = verification.sources_reconciled.iter().find(|said| !is_pinned(said, sources, web)) {
            return fault(&format!("the passage is not in the page that was read ({})", said.source_url));
        }
        let supports =
            |said: &&ReconciledSource| said.verdict == Standing::Supported && !said.source_passage.is_empty();
        let carriers: Vec<_> = verification.sources_reconciled.iter().filter(supports).collect();
        if verification.verified && carriers.is_empty() {
            return fault("verified without a passage");
        }
        let values = Facts::values_in(&claim.text);
        let has_it = |value: &&str| carriers.iter().any(|said| Facts::has(&text_of(said, sources, web), value));
        if verification.verified && !values.iter().all(has_it) {
            return fault("verified, and no page has its value");
        }
        if verification.action == Action::Recite && carriers.is_empty() && Facts::is_one(&claim.text) {
            return fault("re-cited without a passage");
        }
        if !verification.action.removes() || !whole[i] {
            continue;
        }
        for cited in cited(claim) {
            let source = match cited {
                Cited::Source(at) => &sources[at],
                Cited::Entry => return fault("lost with a source that nobody could ask"),
                Cited::Nothing => continue,
            };
            if !is_against(claim, verification, source, web) {
                return fault(&format!("lost, and {} is no proof against it", source.url));
            }
        }
    }
    Ok(())
}

/// The text of the page that a source says something with; empty when none was read.
fn text_of(said: &ReconciledSource, sources: &[SourceRecord], web: &impl Web) -> String {
    let source = sources.iter().find(|source| source.url == said.source_url);
    source.and_then(|source| page_of(source, web)).map_or_else(String::new, |(text, _)| text)
}

/// The page of a source: that of the first of its addresses that can be read.
fn page_of(source: &SourceRecord, web: &impl Web) -> Option<(String, bool)> {
    let addresses = std::iter::once(&source.url).chain(&source.aliases).filter(|address| !address.is_empty());
    let mut readable = addresses.filter(|address| web.outcome_of(address).is_readable());
    readable.next().and_then(|address| web.page_of(address))
}

fn is_pinned(said: &ReconciledSource, sources: &[SourceRecord], web: &impl Web) -> bool {
    if said.source_passage.is_empty() {
        return said.verdict != Standing::Supported;
    }
    let text = text_of(said, sources, web);
    let there = said.offsets.and_then(|offsets| text.get(offsets.start..offsets.end)) == Some(&said.source_passage);
    there && said.text_sha256.as_deref() == Some(&sha256_hex(text.as_bytes()))
}

/// Whether a source speaks against a claim, or is gone: only then it may be lost.
fn is_against(claim: &Claim, verification: &Verification, source: &SourceRecord, web: &impl Web) -> bool {
    if source.outcome.is_proven_dead() {
        return true;
    }
    if !source.outcome.is_readable() {
        return false;
    }
    let Some((text, whole)) = page_of(source, web) else { return false };
    // A page that has the very sentence is for it.
    if Facts::is_one(&claim.text) && text.contains(&claim.text) {
        return false;
    }
    let said = verification.sources_reconciled.iter().find(|said| said.source_url == source.url);
    let is_hard = |kind: &CheckKind| !matches!(kind, CheckKind::Wording | CheckKind::Outside);
    said.is_some_and(|said| match said.verdict {
        Standing::Contradicted => said.checks.iter().any(is_hard),
        // What is absent is proven so only by the whole of a page.
        Standing::Unverifiable => {
            whole && said.checks.iter().any(|kind| matches!(kind, CheckKind::Quantity | CheckKind::Quotation))
        }
        _ => false,
    })
}
