//! Third stage: what each source says about each claim that stands on it, and what becomes of the claim.

mod assessment;
mod connect;
mod decisions;
mod judging;
mod others;
mod quality;
mod review;

use std::collections::HashMap;

pub(super) use self::assessment::Assessment;
pub(super) use self::connect::connect;
use self::decisions::Decider;
pub(super) use self::judging::IsNew;
use self::judging::Judging;
pub(super) use self::quality::{Ratings, is_told, notices, shared_words};
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
    let assessment = assess(&asked, None);
    // A run in which the judge that was asked for failed too often was not judged.
    let tally = asked.read.options.judge.as_ref().map(|panel| panel.tally()).filter(Tally::is_failed);
    let failed = tally
        .map(|tally| format!("the judge gave no usable answer to {} of {} questions", tally.failures, tally.questions));
    asked.blocked = asked.blocked.or(failed);
    Judged { asked, assessment }
}

/// The same, of what is new where that is told.
pub(super) fn assess(asked: &Asked, is_new: Option<&IsNew<'_>>) -> Assessment {
    let read = &asked.read;
    let mut judging = Judging::new(asked, is_new, &read.options);
    let mut better: HashMap<usize, SourceId> = HashMap::new();
    if read.options.support {
        let mut others = judging.collect_others();
        let own = read.sources.iter().enumerate().flat_map(|(i, sources)| sources.all().map(move |source| (i, source)));
        judging.judge(own, &mut others);
        judging.hold_against_each_other();
        better = judging.better(others);
    }
    let conflicts = judging.conflicts();
    let decider = Decider { asked, verdicts: &judging.verdicts, better: &better };
    let decide = |i: usize| decider.decide(i, &read.claims[i], &read.sources[i]);
    let threads = shares::threads_for(read.document.text().len());
    let runs = shares::each_run(read.claims.len(), threads, |run| run.map(decide).collect::<Vec<_>>());
    let mut decisions: Vec<Decision> = runs.into_iter().flatten().collect();
    decide::protect(&read.document, &read.claims, &mut decisions);
    decider.hand_on(&mut decisions);
    if matches!(read.lists, Lists::Unconnected { .. }) {
        let entries = read.citations.lists.iter().flat_map(|list| &list.entries);
        let entries = entries.map(|entry| entry.span).collect();
        decide::protect_entries(&read.document, &read.claims, &entries, &mut decisions);
        // A number would point at nothing: the list stays without any.
        let anchored = decisions.iter_mut().filter(|decision| decision.action == Action::Cite);
        anchored.for_each(Decision::keep_uncited);
    }
    let bindings = review::apply(asked, &judging.verdicts, is_new.is_none(), &mut decisions);
    let retracted = quality::retracted(asked);
    quality::note(read, &retracted, &mut decisions);
    let Judging { verdicts, around, .. } = judging;
    Assessment { verdicts, decisions, conflicts, retracted, around, bindings }
}
