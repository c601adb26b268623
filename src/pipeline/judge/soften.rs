//! What a judge proposes for claims that say more than their sources: when it is offered, and that a second run would
//! leave it alone.

use super::decisions::standpoint;
use super::judging::Judging;
use crate::claim::{Claim, ClaimKind};
use crate::decide::policy::{Action, Case, Standpoint, decide};
use crate::decide::soften::{Softening, Softenings, Words};
use crate::decide::{Decision, Note};
use crate::judge::softened::kind_of;
use crate::judge::{self, CheckResult, Standing, Verdict};
use crate::pipeline::read::ClaimSources;
use crate::source::SourceId;

/// A proposal as it came: what the judge says in place of the claim, or why that is no use.
type Proposed = Result<String, &'static str>;

impl Judging<'_> {
    /// What the judge proposes for each claim; with `--soften` it turns the decision on a claim that gets other words.
    pub(super) fn softenings(&mut self, decisions: &mut [Decision]) -> Softenings {
        let mut softenings = Softenings::new();
        if self.options.judge.is_none() {
            return softenings;
        }
        let read = &self.asked.read;
        for (i, (claim, decision)) in read.claims.iter().zip(decisions).enumerate() {
            if let Some(mut softening) = self.softening(i, claim, &read.sources[i], decision) {
                if self.options.soften && softening.words.is_some() {
                    softening.turn(decision);
                }
                softenings.insert(i, softening);
            }
        }
        softenings
    }

    /// What the judge proposes for claim `i`, when it makes sense: it stays in the brief, and every source that it stands
    /// on there was read, and neither supports it nor is against it. Citations that go are no reason against it: a second
    /// run does not see them.
    fn softening(
        &mut self,
        i: usize,
        claim: &Claim,
        stands_on: &ClaimSources,
        decision: &Decision,
    ) -> Option<Softening> {
        self.options.judge.as_ref()?;
        if !matches!(decision.action, Action::Keep | Action::Cite | Action::Recite) || decision.shortfall.is_some() {
            return None;
        }
        let sources = if decision.sources.is_empty() { stands_on.inherited.to_vec() } else { decision.sources.clone() };
        let (source, proposed) = self.proposed(i, claim, &sources)?;
        let refused = |why_not| Softening {
            source,
            sentence: None,
            standing: Standing::Unchecked,
            words: None,
            why_not: Some(why_not),
            written: false,
            other: decision.clone(),
        };
        let sentence = match proposed {
            Ok(sentence) => sentence,
            Err(why) => return Some(refused(why)),
        };
        let (words, why_not) =
            match Words::find(&self.asked.read.document, &self.asked.read.citations, &self.asked.read.claims, i) {
                Ok(words) => (Some(words), None),
                Err(why) => (None, Some(why)),
            };
        let sentence = words.as_ref().map_or(sentence.clone(), |words| words.closed(&claim.text, &sentence));
        // A list item without a stop may be no sentence by itself.
        let kind = kind_of(&sentence).unwrap_or(claim.kind);
        let softer = Claim { text: sentence.clone(), kind, ..claim.clone() };
        match self.second_run(i, &softer, &sources, decision) {
            Ok((standing, other)) => {
                Some(Softening { source, sentence: Some(sentence), standing, words, why_not, written: false, other })
            }
            Err(why) => Some(refused(why)),
        }
    }

    /// The first usable proposal that came with a verdict on the claim, surest source first; else the first of all.
    fn proposed(&self, i: usize, claim: &Claim, sources: &[SourceId]) -> Option<(SourceId, Proposed)> {
        let panel = self.options.judge.as_ref()?;
        let mut verdicts: Vec<(SourceId, &Verdict)> = Vec::new();
        for source in sources {
            let readable = self.asked.answer(*source).is_some_and(|answer| answer.outcome.is_readable());
            let verdict = self.verdicts.get(&(i, *source)).filter(|_| readable)?;
            if !matches!(verdict.standing, Standing::Weak | Standing::Unverifiable) {
                return None;
            }
            verdicts.push((*source, verdict));
        }
        verdicts.sort_by(|(_, a), (_, b)| a.standing.cmp(&b.standing).then(b.confidence.total_cmp(&a.confidence)));
        let text = claim.text_in_context();
        let mut proposals = verdicts.into_iter().filter_map(|(source, verdict)| {
            let passage = verdict.passage.as_ref()?;
            Some((source, panel.proposed(&text, &passage.text)?))
        });
        let first = proposals.next()?;
        if first.1.is_ok() {
            return Some(first);
        }
        Some(proposals.find(|(_, proposed)| proposed.is_ok()).unwrap_or(first))
    }

    /// What a run would decide on the softer sentence with the same citations, and what the best of its sources says.
    ///
    /// # Errors
    /// When it would fare worse than the claim does, or be softened once more: a second run has to leave the brief alone.
    fn second_run(
        &mut self,
        i: usize,
        softer: &Claim,
        sources: &[SourceId],
        decision: &Decision,
    ) -> Result<(Standing, Decision), &'static str> {
        let mut verdicts: Vec<Verdict> = Vec::new();
        for source in sources {
            let verdict = self.asked(softer, *source).ok_or("could not be judged")?;
            let again = self.options.judge.as_ref().zip(verdict.passage.as_ref());
            let again = again.and_then(|(panel, passage)| panel.proposed(&softer.text_in_context(), &passage.text));
            if again.is_some_and(|again| again.is_ok()) {
                return Err("would be softened once more by the same judge");
            }
            if verdict.standing == Standing::Contradicted {
                return Err("is contradicted by the source");
            }
            if verdict.checks.iter().any(|check| matches!(check.result, CheckResult::Absent { .. })) {
                return Err("has a number or a quotation that is not in the source");
            }
            verdicts.push(verdict);
        }
        let best = verdicts.iter().map(|verdict| verdict.standing).min().unwrap_or(Standing::Unchecked);
        if !matches!(best, Standing::Supported | Standing::Weak) {
            return Err("is not in the source either");
        }
        let standpoints: Vec<Standpoint<'_>> = sources
            .iter()
            .zip(&verdicts)
            .map(|(source, verdict)| standpoint(self.asked, *source, Some(verdict)))
            .collect();
        let case = match decision.sources.as_slice() {
            [] => Case { inherited: standpoints, ..Case::default() },
            _ => Case { cited: standpoints, ..Case::default() },
        };
        let mut second = decide(softer, case, self.options.policy);
        if second.action != Action::Keep || second.sources != decision.sources || second.shortfall.is_some() {
            return Err("would not stay in a second run");
        }
        second.action = decision.action;
        second.notes.extend(decision.notes.iter().filter(|note| !is_verdict(note)).cloned());
        second.notes.push(Note::Softened(self.asked.read.claims[i].text.clone()));
        Ok((best, second))
    }

    /// What a source says about a sentence that is not in the draft.
    fn asked(&mut self, softer: &Claim, source: SourceId) -> Option<Verdict> {
        if !softer.kind.is_factual() && softer.kind != ClaimKind::Hedged {
            return Some(Verdict::unchecked("states no fact"));
        }
        let page = self.page(source)?;
        Some(self.verdict(&softer.text_in_context(), softer.kind, &page, &judge::Settings::default()))
    }
}

/// Whether a note tells what the sources say of the claim's own words.
fn is_verdict(note: &Note) -> bool {
    matches!(note, Note::Unsure { .. })
}
