//! What reviewers decided, bound to claims and their evidence, on top of what the policy says.

use super::assessment::Verdicts;
use crate::pipeline::ask::Asked;
use cited_core::decide::review::{Binder, Binding, Choice, ReviewDecision};
use cited_core::decide::{Decision, UNVERIFIED};
use cited_core::source::SourceId;

/// Applies the decisions of reviewers. Gives what each claim is bound to. `strictly`: only on the evidence that was reviewed; in the reading of
/// a brief, whose citations are others, the words of a claim are enough.
pub(super) fn apply(asked: &Asked, verdicts: &Verdicts, strictly: bool, decisions: &mut [Decision]) -> Vec<Binding> {
    let read = &asked.read;
    let review = &read.options.review;
    if !strictly && review.is_empty() {
        return Vec::new();
    }
    let mut binder = Binder::default();
    let mut bindings = Vec::with_capacity(read.claims.len());
    for (i, ((claim, sources), decision)) in read.claims.iter().zip(&read.sources).zip(decisions).enumerate() {
        let witnesses = sources.all().map(|source| witness(asked, verdicts, (i, source)));
        let binding = binder.bind(&claim.text_in_context(), witnesses);
        // What carries the mark already is marked.
        let is_marked =
            |decided: &ReviewDecision| decided.reviewed.decision == Choice::Mark && claim.text.contains(UNVERIFIED);
        if let Some(decided) = review.on(&binding, strictly)
            && !is_marked(decided)
        {
            let given: Vec<SourceId> = sources.cited.iter().chain(&sources.anchored).copied().collect();
            decided.apply(&given, decision);
        }
        bindings.push(binding);
    }
    bindings
}

/// What a source was and said of a claim: its address, outcome, verdict, and the words or the text that this rests on.
fn witness<'a>(asked: &'a Asked, verdicts: &'a Verdicts, pair: (usize, SourceId)) -> [&'a str; 4] {
    let answer = asked.answer(pair.1);
    let verdict = verdicts.get(&pair);
    let passage = verdict.and_then(|verdict| verdict.passage.as_ref()).map(|passage| passage.text.as_str());
    let whole = || answer.page.as_ref().map(|page| page.text_sha256.as_str());
    let address = asked.read.registry.get(pair.1).address.as_deref().unwrap_or_default();
    let standing = verdict.map_or("", |verdict| verdict.standing.as_str());
    [address, answer.outcome.as_str(), standing, passage.or_else(whole).unwrap_or_default()]
}
