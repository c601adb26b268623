//! A brief is withheld where it would lose its list or half of its claims, and nowhere else: worked out from the claims and the
//! lists, not from what the run says of itself.

use cited::citation::{Citations, Target};
use cited::claim::{Claim, ClaimKind};
use cited::decide::Action;
use cited::markdown::Document;
use cited::pipeline::Run;
use cited::render::record::{RunVerdict, Verification};
use cited::source::key_of;

/// Holds what a run says of its brief against what the brief lost.
pub fn hold(run: &Run, claims: &[Claim], before: &Citations, after: &Citations) -> Result<(), String> {
    let says = |claim: &Claim| !matches!(claim.kind, ClaimKind::Heading | ClaimKind::Todo | ClaimKind::Chatter);
    let pairs = claims.iter().zip(&run.record.verifications).filter(|(claim, _)| says(claim));
    let gone = pairs.clone().filter(|(_, verification)| verification.action.removes()).count();
    // A marked claim stays without its citation.
    let uncited = gone + pairs.clone().filter(|(_, verification)| verification.action == Action::Mark).count();
    let total = pairs.count();
    let unconnected = lists_entries(before) && nothing_is_cited(before) && before.markers.is_empty();
    let loses_list = lists_entries(before) && !lists_entries(after) && uncited > 0;
    let needs = |claim: &&Verification| claim.kind.must_have_source() || !claim.sources_reconciled.is_empty();
    let needing: Vec<_> = run.record.verifications.iter().filter(needs).collect();
    let half = needing.iter().filter(|claim| claim.action.removes()).count() * 2 >= needing.len();
    match &run.withheld {
        Some(why) if unconnected || loses_list || half || gone * 2 >= total => {
            if why.is_empty() {
                Err("withheld without a word".to_owned())
            } else {
                Ok(())
            }
        }
        Some(why) => Err(format!("withheld with {gone} of {total} claims gone: {why}")),
        None if run.record.verdict == RunVerdict::Blocked => Ok(()),
        None if loses_list => Err("not withheld, and its list is gone".to_owned()),
        None if half && needing.len() >= 7 => Err(format!("not withheld, and {gone} of {total} claims are gone")),
        None => Ok(()),
    }
}

fn lists_entries(citations: &Citations) -> bool {
    citations.lists.iter().any(|list| !list.entries.is_empty())
}

/// Whether nothing in a text with a list is a citation.
pub fn nothing_is_cited(citations: &Citations) -> bool {
    let listed = |address: &str| {
        let entries = citations.lists.iter().flat_map(|list| &list.entries);
        entries.flat_map(|entry| &entry.addresses).any(|listed| key_of(listed) == key_of(address))
    };
    let links = |target: &Target| matches!(target, Target::Address(address) if !listed(address));
    citations.markers.iter().all(|marker| !marker.standalone && marker.targets.iter().all(links))
}

/// The entries of all lists as they are written.
pub fn entries<'d>(document: &'d Document, citations: &Citations) -> Vec<&'d str> {
    let entries = citations.lists.iter().flat_map(|list| &list.entries);
    entries.map(|entry| entry.span.slice(document.text()).trim_end()).collect()
}
