//! Third stage: what each source says about each claim that stands on it, and what becomes of the claim.

mod assessment;
mod connect;
mod decisions;
mod judging;
mod made_up;
mod quality;
mod review;

use std::collections::HashMap;

pub(super) use self::assessment::Assessment;
pub(super) use self::connect::connect;
use self::decisions::Decider;
use self::judging::Judging;
pub(super) use self::judging::Pairs;
pub(super) use self::quality::{Ratings, is_told, shared_words};
use super::ask::Asked;
use super::read::Lists;
use cited_core::decide::{self, Action, Decision};
use cited_core::shares;
use cited_core::source::SourceId;
use cited_judge::outside::Tally;

/// What was asked, judged.
pub(super) struct Judged {
    pub(super) asked: Asked,
    pub(super) assessment: Assessment,
}

/// Judges every claim by the pages that bear on it and decides what becomes of it.
pub(super) fn judge(mut asked: Asked) -> Judged {
    let assessment = assess(&asked, &Pairs::All);
    // A run in which the judge that was asked for failed too often was not judged.
    let tally = asked.read.options.judge.as_ref().map(|panel| panel.tally()).filter(Tally::is_failed);
    let failed = tally
        .map(|tally| format!("the judge gave no usable answer to {} of {} questions", tally.failures, tally.questions));
    asked.blocked = asked.blocked.or(failed);
    Judged { asked, assessment }
}

/// The same, with the pairs of a claim and a source named that are judged.
pub(super) fn assess(asked: &Asked, pairs: &Pairs<'_>) -> Assessment {
    let read = &asked.read;
    let made_up = made_up::parts(asked);
    let mut judging = Judging::new(asked, pairs, &made_up, &read.options);
    let mut better: HashMap<usize, SourceId> = HashMap::new();
    if read.options.support {
        judging.ask_ahead();
        for (i, (claim, sources)) in read.claims.iter().zip(&read.sources).enumerate() {
            for source in sources.all() {
                judging.judge(i, claim, source);
            }
            judging.share_out(i, claim);
            better.extend(judging.better_source(i, claim, sources).map(|source| (i, source)));
        }
    }
    let conflicts = judging.conflicts();
    let mut decisions = decisions(&Decider { asked, verdicts: &judging.verdicts, better: &better });
    decide::protect(&read.document, &read.claims, &mut decisions);
    if matches!(read.lists, Lists::Unconnected { .. }) {
        let entries = read.citations.lists.iter().flat_map(|list| &list.entries);
        let entries = entries.map(|entry| entry.span).collect();
        decide::protect_entries(&read.document, &read.claims, &entries, &mut decisions);
        // A number would point at nothing: the list stays without any.
        let anchored = decisions.iter_mut().filter(|decision| decision.action == Action::Cite);
        anchored.for_each(Decision::keep_uncited);
    }
    let (bindings, reviewed) = review::apply(asked, &judging.verdicts, matches!(pairs, Pairs::All), &mut decisions);
    let retracted = quality::retracted(asked);
    quality::note(read, &retracted, &mut decisions);
    let around = judging.around();
    Assessment { verdicts: judging.verdicts, decisions, conflicts, retracted, around, bindings, reviewed }
}

/// The decision on each claim by itself.
fn decisions(decider: &Decider<'_>) -> Vec<Decision> {
    let read = &decider.asked.read;
    let threads = shares::threads_for(read.document.text().len());
    let mut runs = shares::each_run(read.claims.len(), threads, |run| {
        // The first run takes in the others.
        let mut decisions = Vec::with_capacity(if run.start == 0 { read.claims.len() } else { run.len() });
        decisions.extend(run.map(|i| decider.decide(i, &read.claims[i], &read.sources[i])));
        decisions
    })
    .into_iter();
    let mut decisions = runs.next().unwrap_or_default();
    runs.for_each(|mut run| decisions.append(&mut run));
    decisions
}
