//! What was found out about claims and decided on them.

use std::collections::{BTreeMap, HashMap};

use cited_core::claim::Claim;
use cited_core::decide::Decision;
use cited_core::decide::review::Binding;
use cited_core::source::SourceId;
use cited_core::verdict::Verdict;
use cited_judge::conflict::Conflict;
use cited_judge::retracted::Retraction;
use cited_report::record::Around;

/// The verdicts of a run, by claim and source.
pub(in crate::pipeline) type Verdicts = BTreeMap<(usize, SourceId), Verdict>;

/// What the pages say of the claims, and what becomes of each.
pub(in crate::pipeline) struct Assessment {
    pub(in crate::pipeline) verdicts: Verdicts,
    pub(in crate::pipeline) decisions: Vec<Decision>,
    pub(in crate::pipeline) conflicts: Vec<(usize, usize, Conflict)>,
    /// The sources that say of themselves that they were retracted or withdrawn.
    pub(in crate::pipeline) retracted: HashMap<SourceId, Retraction>,
    /// What passages hang on, on their pages, by claim and source.
    pub(in crate::pipeline) around: HashMap<(usize, SourceId), Vec<Around>>,
    /// What decisions of reviewers on each claim are bound to.
    pub(in crate::pipeline) bindings: Vec<Binding>,
}

impl Assessment {
    /// The conflicts between claims that both stay.
    pub(in crate::pipeline) fn standing_conflicts(&self) -> impl Iterator<Item = (usize, usize, &Conflict)> {
        let stands = |i: &usize| !self.decisions[*i].action.removes();
        self.conflicts.iter().filter(move |(a, b, _)| stands(a) && stands(b)).map(|(a, b, conflict)| (*a, *b, conflict))
    }

    /// For each claim that stays, with which others that stay it disagrees, and what may explain it.
    pub(in crate::pipeline) fn disagreements(&self, claims: &[Claim]) -> HashMap<usize, Vec<String>> {
        let mut of_claim: HashMap<usize, Vec<String>> = HashMap::new();
        for (a, b, conflict) in self.standing_conflicts() {
            for (one, other) in [(a, b), (b, a)] {
                let note = format!("disagrees with “{}”: {}", claims[other].text, conflict.difference);
                of_claim.entry(one).or_default().push(note);
            }
        }
        of_claim
    }
}
