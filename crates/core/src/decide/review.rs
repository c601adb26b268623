//! Decisions of a reviewer: what somebody who looked at the report wants done with a claim, and what each decision is bound to.
//!
//! A decision holds for a claim with these words on this evidence. A claim is found again by its words, wherever it stands now; where its
//! evidence is another one, or the claim is gone, nothing is applied and a finding asks again.

use std::collections::{BTreeMap, HashMap};

use data_encoding::BASE64URL_NOPAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::note::Note;
use super::policy::{Action, Decision};
use super::without_mark;
use crate::finding::Code;
use crate::shape;
use crate::source::SourceId;

/// The version of the file's shape.
pub const SCHEMA: &str = "cited/decisions/1";

/// Bytes of a hash that are kept: enough that no two claims share them, and short enough for a page of thousands.
const KEPT: usize = 12;

/// A file of decisions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Decisions {
    /// `cited/decisions/1`.
    pub schema: String,
    /// The path of the draft that was reviewed.
    #[serde(default)]
    pub draft: String,
    /// The decisions, the last one on each claim.
    pub decisions: Vec<ReviewDecision>,
}

/// What somebody decided on one claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ReviewDecision {
    /// The claim's name in the report that was reviewed. It is not found by this: names change with the draft.
    #[serde(default)]
    pub claim_id: String,
    /// The claim's words, for whoever reads the file.
    #[serde(default)]
    pub claim_text: String,
    /// What it is bound to.
    pub binding: Binding,
    /// What the report said is done with the claim. An *accept* holds for this and for nothing else.
    pub action: Action,
    /// What shall be done, who decided it and why.
    #[serde(flatten)]
    pub reviewed: Reviewed,
}

/// What a reviewer may decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[derive(strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Choice {
    /// What cited does with it is right.
    Accept,
    /// It stays, with the citations that the draft gives it.
    Restore,
    /// It stays, marked as unverified.
    Mark,
    /// It goes.
    Drop,
    /// Nothing changes; something is noted.
    Note,
}

/// What a decision is bound to: the words of a claim, and what its sources were and said.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Binding {
    /// Hash of the claim's words, with row and column for a cell, and of how many claims before it have the same.
    pub claim: String,
    /// Hash of its sources: address, outcome, verdict and pinned passage of each.
    pub evidence: String,
}

/// A decision on a claim, as the record has it when it was applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Reviewed {
    /// What was decided.
    pub decision: Choice,
    /// Who decided.
    #[serde(default)]
    pub who: String,
    /// Why, or what else is to be said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// When.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<jiff::Timestamp>,
}

/// The bindings of a document's claims, one after the other.
#[derive(Debug, Default)]
pub struct Binder {
    seen: HashMap<String, u32>,
}

impl Binder {
    /// The binding of the next claim: its words as the document has them, with its context, and what its sources are and say: of each
    /// the address, the outcome, the verdict on the claim, and the words that this rests on, or else the hash of its whole text.
    pub fn bind<'a>(&mut self, words: &str, witnesses: impl Iterator<Item = [&'a str; 4]>) -> Binding {
        let words = without_mark(words);
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        let times = self.seen.entry(words.clone()).or_default();
        let mut claim = Sha256::new();
        claim.update(words.as_bytes());
        claim.update(times.to_le_bytes());
        *times += 1;
        let mut evidence = Sha256::new();
        for part in witnesses.flatten() {
            evidence.update((part.len() as u64).to_le_bytes());
            evidence.update(part.as_bytes());
        }
        let short = |hash: Sha256| BASE64URL_NOPAD.encode(&hash.finalize()[..KEPT]);
        Binding { claim: short(claim), evidence: short(evidence) }
    }
}

/// Decisions, the last one on each claim, by what binds them to it.
#[derive(Debug, Clone, Default)]
pub struct Review(BTreeMap<String, ReviewDecision>);

impl Review {
    /// Reads a file of decisions.
    ///
    /// # Errors
    /// When it is none, in words.
    pub fn read(text: &str) -> Result<Review, String> {
        let file: Decisions = shape::read_text(text)?;
        if file.schema != SCHEMA {
            return Err(format!("its schema is “{}” and not {SCHEMA}", file.schema));
        }
        Ok(Review::new(file.decisions))
    }

    /// The last decision on each claim counts.
    pub fn new(all: Vec<ReviewDecision>) -> Review {
        Review(all.into_iter().map(|one| (one.binding.claim.clone(), one)).collect())
    }

    /// Only the decisions that were taken on claims with these bindings, each bound to what stands beside it.
    #[must_use]
    pub fn on_these<'a>(&self, claims: impl Iterator<Item = (&'a Binding, Binding)>) -> Review {
        let of = |(of, binding)| Some(ReviewDecision { binding, ..self.on(of, true)?.clone() });
        Review::new(claims.filter_map(of).collect())
    }

    /// The decision on a claim with this binding. `strictly`: also on this evidence.
    pub fn on(&self, binding: &Binding, strictly: bool) -> Option<&ReviewDecision> {
        let decision = self.0.get(&binding.claim);
        decision.filter(|decision| !strictly || decision.binding.evidence == binding.evidence)
    }

    /// The decisions that do not hold for a document with these bindings, of whose claims these actions are taken: each with its claim, where
    /// that is there, and why.
    pub fn stale(&self, bindings: &[Binding], actions: &[Decision]) -> Vec<(&ReviewDecision, Option<usize>, String)> {
        let why = |decision: &ReviewDecision| {
            let mut claims = bindings.iter().zip(actions).enumerate();
            match claims.find(|(_, (binding, _))| binding.claim == decision.binding.claim) {
                None => Some((None, "no claim of the draft has these words any more".to_owned())),
                Some((i, (binding, _))) if *binding != decision.binding => {
                    Some((Some(i), "what its sources are or say has changed since".to_owned()))
                }
                Some((i, (_, done))) => (!decision.allows(done.action)).then(|| {
                    let (then, now) = (decision.action.word(), done.action.word());
                    (Some(i), format!("“{then}” was accepted, and this run says “{now}”"))
                }),
            }
        };
        self.0.values().filter_map(|decision| why(decision).map(|(at, why)| (decision, at, why))).collect()
    }
}

impl ReviewDecision {
    /// Whether it holds for a claim with which this is done in the end: nothing else was accepted.
    pub fn allows(&self, done: Action) -> bool {
        self.reviewed.decision != Choice::Accept || self.action == done
    }

    /// Applies it to the decision on its claim. `cited` are the sources that the draft gives the claim.
    pub fn apply(&self, cited: &[SourceId], to: &mut Decision) {
        let reason = self.reviewed.in_words();
        if matches!(self.reviewed.decision, Choice::Restore | Choice::Mark) {
            to.note_once(Note::Other(reason.clone()));
        }
        match self.reviewed.decision {
            Choice::Accept | Choice::Note => {}
            Choice::Restore => {
                to.held = true;
                if to.action.removes() || matches!(to.action, Action::Mark | Action::Fail) {
                    to.action = Action::Keep;
                    to.sources = cited.to_vec();
                    to.shortfall = None;
                    let why_not = Some(std::mem::take(&mut to.reason)).filter(|why_not| !why_not.is_empty());
                    why_not.into_iter().for_each(|why_not| to.note_once(Note::Other(why_not)));
                }
            }
            Choice::Mark => {
                to.action = Action::Mark;
                to.sources.clear();
                to.shortfall.get_or_insert(Code::Reviewed);
                to.reason = reason;
            }
            Choice::Drop if to.action.removes() => {}
            Choice::Drop => {
                let (notes, remarks) = (std::mem::take(&mut to.notes), std::mem::take(&mut to.remarks));
                *to = Decision { notes, remarks, ..Decision::drop(Code::Reviewed, reason) };
            }
        }
    }
}

impl Reviewed {
    /// The decision in words: *restored by Ada: the archive has it*.
    pub fn in_words(&self) -> String {
        let what = match self.decision {
            Choice::Accept => "accepted",
            Choice::Restore => "restored",
            Choice::Mark => "marked",
            Choice::Drop => "dropped",
            Choice::Note => "noted",
        };
        let who = if self.who.trim().is_empty() { "a reviewer" } else { self.who.trim() };
        let why = self.why.trim();
        if why.is_empty() { format!("{what} by {who}") } else { format!("{what} by {who}: {why}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn witness(words: &str) -> [&str; 4] {
        ["https://a.example/", "live", "supported", words]
    }

    fn decision(binding: Binding, choice: Choice) -> ReviewDecision {
        ReviewDecision {
            claim_id: "c1".into(),
            claim_text: "x".into(),
            binding,
            action: Action::Drop,
            reviewed: Reviewed { decision: choice, who: "Ada".into(), why: "I know".into(), at: None },
        }
    }

    #[test]
    fn a_claim_is_known_by_its_words_and_its_turn() {
        let mut one = Binder::default();
        let (a, b) = (one.bind("x  y", std::iter::empty()), one.bind("x y [unverified]", std::iter::empty()));
        assert_ne!(a.claim, b.claim);
        let mut other = Binder::default();
        other.bind("something before", std::iter::empty());
        assert_eq!(other.bind("x y", std::iter::empty()).claim, a.claim);
    }

    #[test]
    fn what_changed_since_is_not_applied() {
        let bind = |claim: &str, words| Binder::default().bind(claim, std::iter::once(witness(words)));
        let review = Review::new(vec![decision(bind("x", "the page says it"), Choice::Restore)]);
        let same = bind("x", "the page says it");
        assert!(review.on(&same, true).is_some());
        let done = Decision::drop(Code::DeadSource, "dead source: x");
        let why = |bindings: &[Binding]| {
            let stale = review.stale(bindings, std::slice::from_ref(&done));
            stale.into_iter().map(|(.., why)| why).collect::<Vec<_>>()
        };
        assert!(why(&[same]).is_empty());
        let changed = bind("x", "the page says more");
        assert_eq!(review.on(&changed, true), None);
        assert!(review.on(&changed, false).is_some());
        assert_eq!(why(&[changed]), ["what its sources are or say has changed since"]);
        assert_eq!(why(&[bind("y", "the page says it")]), ["no claim of the draft has these words any more"]);
    }

    #[test]
    fn what_was_accepted_holds_for_the_action_that_was_accepted() {
        let actions =
            [Action::Keep, Action::Cite, Action::Recite, Action::Mark, Action::Todo, Action::Drop, Action::Fail];
        let choices = [Choice::Accept, Choice::Restore, Choice::Mark, Choice::Drop, Choice::Note];
        let binding = Binder::default().bind("x", std::iter::once(witness("the page says it")));
        for (accepted, done, choice) in
            actions.iter().flat_map(|a| actions.iter().flat_map(move |d| choices.map(|choice| (*a, *d, choice))))
        {
            let review = Review::new(vec![ReviewDecision { action: accepted, ..decision(binding.clone(), choice) }]);
            let decided = Decision { action: done, ..Decision::drop(Code::DeadSource, "dead source: x") };
            let stale = review.stale(std::slice::from_ref(&binding), std::slice::from_ref(&decided));
            let holds = choice != Choice::Accept || accepted == done;
            let told = format!("“{}” was accepted, and this run says “{}”", accepted.word(), done.word());
            let why: Vec<String> = stale.into_iter().map(|(.., why)| why).collect();
            assert_eq!(why, if holds { vec![] } else { vec![told] }, "{choice:?}");
            // Whatever was accepted, an accept changes nothing.
            let mut after = decided.clone();
            review.on(&binding, true).unwrap().apply(&[SourceId(0)], &mut after);
            assert!(choice != Choice::Accept || after.action == done);
        }
    }

    #[test]
    fn decisions_turn_actions() {
        #[track_caller]
        fn check(choice: Choice, before: &Decision, action: Action, sources: usize) {
            let mut after = before.clone();
            let binding = Binding { claim: "a".into(), evidence: "b".into() };
            decision(binding, choice).apply(&[SourceId(0)], &mut after);
            assert_eq!((after.action, after.sources.len()), (action, sources), "{choice:?}");
            assert_eq!(after.held, choice == Choice::Restore);
        }
        let dropped = Decision::drop(Code::DeadSource, "dead source: x");
        let mut kept = dropped.clone();
        (kept.action, kept.sources) = (Action::Keep, vec![SourceId(0)]);
        check(Choice::Accept, &dropped, Action::Drop, 0);
        check(Choice::Restore, &dropped, Action::Keep, 1);
        check(Choice::Mark, &dropped, Action::Mark, 0);
        check(Choice::Drop, &dropped, Action::Drop, 0);
        check(Choice::Restore, &kept, Action::Keep, 1);
        check(Choice::Mark, &kept, Action::Mark, 0);
        check(Choice::Drop, &kept, Action::Drop, 0);
        check(Choice::Note, &kept, Action::Keep, 1);
    }

    #[test]
    fn a_file_of_another_kind_is_refused() {
        assert!(Review::read("{}").is_err());
        assert!(Review::read(r#"{"schema": "cited/record/1", "decisions": []}"#).is_err());
        assert!(
            Review::read(r#"{"schema": "cited/decisions/1", "decisions": []}"#).is_ok_and(|review| review.0.is_empty())
        );
    }
}
