//! The policy: what is done with each claim, given what its sources are and say. The only place that turns verdicts into
//! actions.
//!
//! A claim is dropped only when all that it stands on is proven dead or proven to say something else, or when it must
//! have a source and nothing gives it one. A source that could not be asked is never a reason to drop.

use serde::{Deserialize, Serialize};

use super::note::{Note, joined};
use crate::claim::{Claim, ClaimKind, ClaimPosition, is_imperative};
use crate::finding::Code;
use crate::outcome::Outcome;
use crate::source::SourceId;
use crate::verdict::{Check, CheckKind, CheckResult, Standing, Verdict};

/// What to do with a claim that falls short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Treatment {
    /// Remove it.
    Drop,
    /// Keep it and add ` [unverified]`.
    Mark,
    /// Put `TODO: source for “…”.` in its place.
    Todo,
    /// Keep it as it is and note it.
    #[cfg_attr(feature = "cli", value(alias = "note"))]
    #[serde(alias = "note")]
    Keep,
    /// Write nothing and exit 1.
    Fail,
}

impl Treatment {
    fn action(self) -> Action {
        match self {
            Treatment::Drop => Action::Drop,
            Treatment::Mark => Action::Mark,
            Treatment::Todo => Action::Todo,
            Treatment::Keep => Action::Keep,
            Treatment::Fail => Action::Fail,
        }
    }
}

/// The settings of the policy; see the table in `docs/policies.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args), command(next_help_heading = "Checking"))]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// Claims whose sources are all dead: drop, mark, todo, keep, fail
    #[cfg_attr(feature = "cli", arg(long, value_name = "WHAT", value_enum, default_value_t = Policy::default().on_dead, hide_possible_values = true))]
    pub on_dead: Treatment,
    /// What to do with a claim when its sources are proved to say something else
    #[cfg_attr(feature = "cli", arg(long, value_name = "WHAT", value_enum, default_value_t = Policy::default().on_contradicted, hide_possible_values = true, hide_short_help = true))]
    pub on_contradicted: Treatment,
    /// What to do with a claim that a source denies without proving it false
    #[cfg_attr(feature = "cli", arg(long, value_name = "WHAT", value_enum, default_value_t = Policy::default().on_denied, hide_possible_values = true, hide_short_help = true))]
    pub on_denied: Treatment,
    /// What to do with a claim whose number is in none of its sources, or whose quotation leaves out a word that reverses its meaning
    #[cfg_attr(feature = "cli", arg(long, value_name = "WHAT", value_enum, default_value_t = Policy::default().on_unsupported, hide_possible_values = true, hide_short_help = true))]
    pub on_unsupported: Treatment,
    /// What to do with a claim that its sources do not clearly show
    #[cfg_attr(feature = "cli", arg(long, value_name = "WHAT", value_enum, default_value_t = Policy::default().on_unverifiable, hide_possible_values = true, hide_short_help = true))]
    pub on_unverifiable: Treatment,
    /// What to do with a claim when no index has the works that it cites
    #[cfg_attr(feature = "cli", arg(long, value_name = "WHAT", value_enum, default_value_t = Policy::default().on_not_found, hide_possible_values = true, hide_short_help = true))]
    pub on_not_found: Treatment,
    /// Claims that must have a source and have none: drop, mark, todo, keep, fail
    ///
    /// The default is drop where research files were given. Otherwise such claims are kept and noted.
    #[cfg_attr(feature = "cli", arg(long, value_name = "WHAT", value_enum, hide_possible_values = true))]
    pub uncited: Option<Treatment>,
    /// Every statement of fact must have a source; notes give exit 1
    ///
    /// Treats every statement of fact as one that must have a source, and exits 1 on PASS WITH NOTES.
    #[cfg_attr(feature = "cli", arg(long, action = clap::ArgAction::Set, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value = "false", hide_default_value = true, hide_possible_values = true, value_parser = clap::builder::BoolishValueParser::new()))]
    pub strict: bool,
    /// Let passages that call their data simulated, illustrative or hypothetical support claims
    #[cfg_attr(feature = "cli", arg(long, action = clap::ArgAction::Set, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value = "false", hide_default_value = true, hide_possible_values = true, value_parser = clap::builder::BoolishValueParser::new(), hide_short_help = true))]
    pub allow_synthetic: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            on_dead: Treatment::Drop,
            on_contradicted: Treatment::Drop,
            on_denied: Treatment::Mark,
            on_unsupported: Treatment::Mark,
            on_unverifiable: Treatment::Keep,
            on_not_found: Treatment::Keep,
            uncited: None,
            strict: false,
            allow_synthetic: false,
        }
    }
}

/// What one cited source is and says, as the policy needs it.
#[derive(Debug, Clone, Default)]
pub struct Standpoint<'a> {
    /// The source.
    pub source: SourceId,
    /// The address that a reader would open.
    pub address: &'a str,
    /// Its state in this run.
    pub outcome: Outcome,
    /// What a reader calls that state.
    pub word: &'a str,
    /// Why it is in that state, for a reader.
    pub why: &'a str,
    /// Whether every index that covers it answered, and none has the work.
    pub unfound: bool,
    /// Whether all of its text was read: nothing was cut off, and no table was a picture.
    pub whole: bool,
    /// Whether another address of it may say what is not read here: then nothing that its page lacks or denies is proof.
    pub may_say_more: bool,
    /// What it says about the claim; `None` when it was not judged.
    pub verdict: Option<&'a Verdict>,
}

/// Everything that bears on one claim.
#[derive(Debug, Clone, Default)]
pub struct Case<'a> {
    /// The sources that its markers cite, each once, in order.
    pub cited: Vec<Standpoint<'a>>,
    /// Labels of its markers that mean nothing, as written.
    pub unresolved: Vec<String>,
    /// The sources that research notes give it.
    pub anchored: Vec<Standpoint<'a>>,
    /// The parts of it that no research note has, in words, where notes have others.
    pub unanchored: Vec<String>,
    /// Sources that are cited for it in another place: at the end of its row, over its list. They keep it from being
    /// uncited, and it goes only when all of them are dead.
    pub inherited: Vec<Standpoint<'a>>,
    /// A listed source that it does not cite and that a hard check says supports it.
    pub miscited: Option<Standpoint<'a>>,
    /// Of the clauses that end with citations of their own, the sources of the first one that only dead sources back.
    pub dead_clause: Vec<Standpoint<'a>>,
    /// Whether the run has notes of research that a claim could be anchored to.
    pub has_notes: bool,
    /// Why no research note was taken for its source, though some may be.
    pub unchosen: Option<Note>,
    /// That a file which it names holds its value, or could not be read, in words. What a file says that nobody could read is unknown: no proof
    /// against the claim.
    pub artifact: Option<String>,
    /// That something names a source of it that it was not held against, in words.
    pub not_held: Option<&'static str>,
    /// Whether an earlier run marked it as unverified.
    pub marked: bool,
    /// A certainty word that no recorded check carries.
    pub fake_certainty: Option<String>,
    /// Whether it is a figure that nothing says the data of.
    pub no_provenance: bool,
}

/// What is done with a claim.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[derive(strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Action {
    /// It stays with the citations that hold.
    #[default]
    Keep,
    /// It had no citation and gets one.
    Cite,
    /// Its citation is replaced by the right one.
    Recite,
    /// It stays, marked as unverified, without the citations that do not hold.
    Mark,
    /// A task takes its place.
    Todo,
    /// It goes.
    Drop,
    /// The run fails.
    Fail,
}

impl Action {
    /// Whether the claim's words leave the document.
    pub fn removes(self) -> bool {
        matches!(self, Action::Drop | Action::Todo)
    }

    /// What was done, as the record says it.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// The decision on one claim.
#[derive(Debug, Clone, Default)]
pub struct Decision {
    /// What is done.
    pub action: Action,
    /// The citations it has afterwards, each once, in order. Empty when it goes.
    pub sources: Vec<SourceId>,
    /// Why it falls short, when it does: the finding that tells of it.
    pub shortfall: Option<Code>,
    /// The same in words, as the brief says it: `dead source: URL (HTTP 404, no archive)`.
    pub reason: String,
    /// What is worth noting about a claim that stays.
    pub notes: Vec<Note>,
    /// What is worth recording, and no note by itself: wording that alone could not confirm a plain statement, or a claim
    /// whose number or quotation was found. Wording never confirms alone, so hardly a document could pass otherwise.
    pub remarks: Vec<Note>,
    /// Whether a reviewer wants it to stay: it then goes with no other.
    pub held: bool,
    /// Whether a source of it carries it.
    pub carried: bool,
}

impl Decision {
    /// The claim goes for `shortfall`.
    pub fn drop(shortfall: Code, reason: impl Into<String>) -> Self {
        Decision { action: Action::Drop, shortfall: Some(shortfall), reason: reason.into(), ..Decision::default() }
    }

    /// Adds a note that is not there yet: a brief may be written several times.
    pub fn note_once(&mut self, note: Note) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// All that the brief and the record say of it.
    pub fn all_notes(&self) -> impl Iterator<Item = &Note> {
        self.notes.iter().chain(&self.remarks)
    }
}

/// What a cited source does for its claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Weight {
    /// It was read and says it.
    Carries,
    /// It was read, and nothing decided against it.
    Unsure,
    /// It could not be asked or read.
    Unknown,
    /// It is proved to say something else.
    Against,
    /// It denies it, as far as can be told.
    Denies,
    /// It was read whole and the number or quotation is not there.
    Lacks,
    /// It is gone.
    Dead,
}

fn weigh(standpoint: &Standpoint<'_>) -> Weight {
    if standpoint.outcome.is_proven_dead() {
        return Weight::Dead;
    }
    if !standpoint.outcome.is_readable() {
        return Weight::Unknown;
    }
    let is_absent = |check: &Check| {
        matches!(check.result, CheckResult::Absent { .. })
            && matches!(check.kind, CheckKind::Quantity | CheckKind::Quotation)
    };
    match standpoint.verdict {
        Some(verdict) if verdict.standing == Standing::Supported => Weight::Carries,
        _ if standpoint.may_say_more => Weight::Unsure,
        Some(verdict) if verdict.hard && verdict.standing == Standing::Contradicted => Weight::Against,
        Some(verdict) if verdict.standing == Standing::Contradicted => Weight::Denies,
        Some(verdict) if verdict.hard && verdict.checks.iter().any(is_absent) => Weight::Lacks,
        _ => Weight::Unsure,
    }
}

fn is_found(check: &Check) -> bool {
    check.result == CheckResult::Agrees && matches!(check.kind, CheckKind::Quantity | CheckKind::Quotation)
}

/// What is done by default with a claim that only this verdict speaks of: the field `action` of `cited judge`.
pub fn action_of(verdict: &Verdict, policy: Policy) -> Action {
    let cited = Standpoint { outcome: Outcome::Live, whole: true, verdict: Some(verdict), ..Standpoint::default() };
    decide(&Claim::default(), Case { cited: vec![cited], ..Case::default() }, policy).action
}

/// Decides one claim.
pub fn decide(claim: &Claim, case: Case<'_>, policy: Policy) -> Decision {
    let mut of_case = case.cited.iter().chain(&case.anchored).chain(&case.inherited).chain(&case.miscited);
    let carried = of_case.any(|source| weigh(source) == Weight::Carries);
    Decision { carried, ..decide_claim(claim, case, policy) }
}

fn decide_claim(claim: &Claim, case: Case<'_>, policy: Policy) -> Decision {
    if claim.position == ClaimPosition::Heading {
        // A heading keeps its text whatever happens to its citations; where all of them are gone, they stay as those of claims do.
        let mut sources = holding(&case.cited);
        if sources.is_empty() && policy.on_dead == Treatment::Keep {
            sources = case.cited.iter().map(|standpoint| standpoint.source).collect();
        }
        let gone = case.cited.iter().filter(|standpoint| !sources.contains(&standpoint.source));
        let notes = gone.map(|gone| Note::Other(format!("source no longer cited: {}", gone.address))).collect();
        return Decision { sources, notes, ..Decision::default() };
    }
    if !case.cited.is_empty() {
        return decide_cited(claim, &case, policy);
    }
    let kept = |notes: Vec<Note>| Decision { notes, ..Decision::default() };
    if claim.position == ClaimPosition::Figure {
        let task = || Decision { action: Action::Todo, ..Decision::drop(Code::NoProvenance, "no data source") };
        return if case.no_provenance { task() } else { kept(Vec::new()) };
    }
    if !case.anchored.is_empty() {
        // What an earlier run marked stays so until a source carries it.
        let stays_marked = case.marked && !case.anchored.iter().any(|source| weigh(source) == Weight::Carries);
        return if stays_marked { kept(Vec::new()) } else { decide_anchored(claim, case, policy) };
    }
    if !case.inherited.is_empty() && case.unresolved.is_empty() && !case.marked {
        return decide_inherited(claim, case, policy);
    }
    if let Some(told) = case.artifact {
        return kept(vec![Note::Other(told)]);
    }
    let must = claim.kind.must_have_source() || policy.strict && claim.kind.is_factual();
    if !case.unresolved.is_empty() {
        let reason = lacks_entry(&case.unresolved);
        if must && case.unchosen.is_none() {
            return treat(policy.uncited.unwrap_or(Treatment::Drop), Code::OrphanCitation, reason, &case);
        }
        // That nothing could be chosen is no proof that nothing says it.
        return kept(std::iter::once(Note::Other(reason)).chain(case.unchosen).collect());
    }
    if !claim.kind.is_factual() || case.marked {
        return kept(Vec::new());
    }
    // Where there are no notes of research that a claim could be anchored to, the lack of an anchor proves nothing.
    let uncited = policy.uncited.unwrap_or(if case.has_notes { Treatment::Drop } else { Treatment::Keep });
    if let Some(word) = &case.fake_certainty {
        return treat(uncited, Code::FakeCertainty, unrecorded(word), &case);
    }
    if let Some(not_held) = case.not_held {
        let note = Note::unsure(Standing::Unchecked, not_held);
        return kept(claim.kind.must_have_source().then_some(note).into_iter().collect());
    }
    match case.unchosen {
        _ if !must => kept(Vec::new()),
        Some(unchosen) => kept(vec![unchosen]),
        None => {
            let reason = if case.has_notes { "no source in the research files" } else { "no source is cited" };
            treat(uncited, Code::Unanchored, reason.to_owned(), &case)
        }
    }
}

fn unrecorded(word: &str) -> String {
    format!("“{word}” without a recorded check")
}

/// The sources that may stay cited: everything that is not gone and not against the claim.
pub fn holding(cited: &[Standpoint<'_>]) -> Vec<SourceId> {
    let held = cited.iter().filter(|s| !matches!(weigh(s), Weight::Dead | Weight::Against));
    held.map(|standpoint| standpoint.source).collect()
}

/// A citation in another place speaks for the claim. Its number is written there, not here; a plain statement needs none.
///
/// The citation of a row, column or table is that of its cells. One at the end of a paragraph, or over a list, is only taken to speak for
/// what stands before or below it: what its source lacks may be from elsewhere.
fn decide_inherited(claim: &Claim, case: Case<'_>, policy: Policy) -> Decision {
    if !claim.kind.must_have_source() {
        return Decision::default();
    }
    if let Some(right) = case.miscited.as_ref().filter(|_| case.inherited.iter().all(|s| weigh(s) == Weight::Dead)) {
        let cited = recite(right, "the sources cited nearby are dead");
        return Decision { action: Action::Cite, ..cited };
    }
    let case = Case { cited: case.inherited, ..Case::default() };
    let decision = Decision { sources: Vec::new(), ..decide_cited(claim, &case, policy) };
    match decision.shortfall {
        Some(Code::NumberAbsent | Code::QuoteMismatch) if claim.position != ClaimPosition::Cell => {
            // The brief no longer cites the ones that are gone.
            let reason = format!("cited near it, and not there: {}", faults(&case).join("; "));
            Decision { notes: vec![Note::Other(reason)], ..Decision::default() }
        }
        _ => decision,
    }
}

fn decide_anchored(claim: &Claim, case: Case<'_>, policy: Policy) -> Decision {
    // A marker that meant nothing is resolved by the evidence: nothing is left to note about it.
    let unanchored = case.unanchored;
    let resolved = Case { cited: case.anchored, ..Case::default() };
    let mut decision = decide_cited(claim, &resolved, policy);
    if decision.action == Action::Keep {
        decision.action = if case.unresolved.is_empty() { Action::Cite } else { Action::Recite };
        decision.notes.extend((!unanchored.is_empty()).then(|| {
            let told = format!("no source in the research files for “{}”", unanchored.join("” and “"));
            Note::Told(Some(Code::Unanchored), told)
        }));
    }
    decision
}

fn decide_cited(claim: &Claim, case: &Case<'_>, policy: Policy) -> Decision {
    let cited = &case.cited;
    let weights: Vec<Weight> = cited.iter().map(weigh).collect();
    let any = |wanted: Weight| weights.contains(&wanted);
    if weights.iter().all(|weight| *weight == Weight::Dead) {
        if let Some(right) = &case.miscited {
            return recite(right, "the sources cited are dead");
        }
        // *See the guide and this page*, *Water them for 3 years* state nothing: that a page is gone makes them no less true.
        let asks = claim.kind == ClaimKind::Instruction || is_imperative(&claim.text);
        let on_dead = if asks && policy.on_dead.action().removes() { Treatment::Keep } else { policy.on_dead };
        return treat(on_dead, Code::DeadSource, dead_reason(cited), case);
    }
    if policy.on_not_found != Treatment::Keep && cited.iter().all(|s| s.unfound || weigh(s) == Weight::Dead) {
        let reasons: Vec<String> = cited.iter().map(|s| format!("{}: {}", s.address, s.why)).collect();
        return treat(policy.on_not_found, Code::WorkNotFound, reasons.join("; "), case);
    }
    if !case.dead_clause.is_empty() {
        // Without its citation the clause would stand there as if the living sources said it.
        return treat(policy.on_dead, Code::DeadSource, dead_reason(&case.dead_clause), case);
    }
    let found = cited.iter().filter_map(|s| s.verdict).any(|verdict| verdict.checks.iter().any(is_found));
    if let Some(word) = &case.fake_certainty
        && !(any(Weight::Carries) || any(Weight::Unknown) || found)
    {
        return treat(policy.on_unsupported, Code::FakeCertainty, unrecorded(word), case);
    }
    if any(Weight::Carries) || any(Weight::Unsure) || any(Weight::Unknown) {
        return decide_kept(claim, case, &weights, false, policy);
    }
    // Nothing carries it, nothing is unknown: every source is dead, against it, or lacks what it says.
    if let Some(right) = &case.miscited {
        return recite(right, "the source cited does not say it");
    }
    // Of *Alpha employs 4,300 people, and Beta runs 640 stations* the first source has the one, the second the other: though none has all,
    // nothing is absent from every source.
    let in_all = |mut missing: Vec<_>, theirs: Vec<_>| {
        missing.retain(|one| theirs.contains(one));
        missing
    };
    let read = cited.iter().filter(|standpoint| weigh(standpoint) != Weight::Dead).filter_map(|s| s.verdict);
    let have_it_together = read.filter_map(missing_in).reduce(in_all).is_some_and(|missing| missing.is_empty());
    // Of several sources one that was read in part may say it where nobody looked.
    let in_part = |standpoint: &Standpoint<'_>| weigh(standpoint) == Weight::Against && !standpoint.whole;
    if have_it_together || cited.len() > 1 && cited.iter().any(in_part) {
        return decide_kept(claim, case, &weights, true, policy);
    }
    // What one of them only denies or lacks is not proved by all.
    let blamed = [Weight::Denies, Weight::Lacks].into_iter().find(|weight| any(*weight)).unwrap_or(Weight::Against);
    let blamed_sources = cited.iter().zip(&weights).filter(|(_, weight)| **weight == blamed).map(|(s, _)| s);
    let check = blamed_sources.clone().find_map(|s| s.verdict?.against).unwrap_or(CheckKind::Quantity);
    let (treatment, shortfall) = match (blamed, check) {
        (Weight::Denies, _) => (policy.on_denied, Code::Contradicted),
        (Weight::Against, CheckKind::Quotation) => (policy.on_contradicted, Code::QuoteMismatch),
        (Weight::Against, CheckKind::Quantity | CheckKind::Order) => (policy.on_contradicted, Code::NumberMismatch),
        (Weight::Against, _) => (policy.on_contradicted, Code::Contradicted),
        (_, CheckKind::Quotation) => (policy.on_unsupported, Code::QuoteMismatch),
        _ => (policy.on_unsupported, Code::NumberAbsent),
    };
    let reasons: Vec<String> = cited.iter().map(fault).collect();
    treat(treatment, shortfall, reasons.join("; "), case)
}

/// What is wrong with a source that does not carry its claim, with its address.
fn fault(standpoint: &Standpoint<'_>) -> String {
    match weigh(standpoint) {
        Weight::Dead => dead_reason(std::slice::from_ref(standpoint)),
        _ => format!("{}: {}", standpoint.verdict.map_or("", |verdict| &verdict.reason), standpoint.address),
    }
}

/// What is wrong with each of the living sources of a claim.
fn faults(case: &Case<'_>) -> Vec<String> {
    let living = case.cited.iter().filter(|standpoint| weigh(standpoint) != Weight::Dead);
    let part = |standpoint: &Standpoint<'_>| if standpoint.whole { "" } else { " (not read whole)" };
    living.map(|standpoint| format!("{}{}", fault(standpoint), part(standpoint))).collect()
}

/// The numbers and quotations of a claim that its source lacks or has otherwise; none where it is against all of it.
fn missing_in(verdict: &Verdict) -> Option<Vec<&str>> {
    let mut missing = Vec::new();
    for check in &verdict.checks {
        match (check.kind, &check.result) {
            (
                CheckKind::Quantity | CheckKind::Quotation,
                CheckResult::Absent { claimed } | CheckResult::Differs { claimed, .. },
            ) => missing.push(claimed.as_str()),
            (CheckKind::Polarity | CheckKind::Order, CheckResult::Differs { .. }) => return None,
            _ => {}
        }
    }
    (!missing.is_empty()).then_some(missing)
}

/// The note of a citation that goes because its source is gone.
fn no_longer_cited(standpoint: &Standpoint<'_>) -> Note {
    Note::Told(None, format!("dead source no longer cited: {} ({})", standpoint.address, standpoint.why))
}

/// That labels mean nothing, in words: `citation [9] has no source entry`. What is more than a label is named as it is written.
fn lacks_entry(labels: &[String]) -> String {
    let (whole, labels): (Vec<&String>, Vec<&String>) = labels.iter().partition(|label| label.contains('['));
    let joined = labels.iter().map(|label| label.as_str()).collect::<Vec<_>>().join(", ");
    let bracket = (!joined.is_empty()).then(|| format!("[{joined}]"));
    let named: Vec<&str> = bracket.as_deref().into_iter().chain(whole.into_iter().map(String::as_str)).collect();
    format!("citation {} has no source entry", named.join(", "))
}

/// At least one source carries the claim, or may; or none has all of it, and they do `together`.
fn decide_kept(claim: &Claim, case: &Case<'_>, weights: &[Weight], together: bool, policy: Policy) -> Decision {
    let carried = weights.contains(&Weight::Carries);
    let mut decision = Decision::default();
    let mut unsure = Vec::new();
    let (mut found, mut differs, mut best) = (false, false, Standing::Unchecked);
    for (standpoint, weight) in case.cited.iter().zip(weights) {
        let (address, verdict) = (standpoint.address, standpoint.verdict);
        let reason = verdict.map_or("", |verdict| &verdict.reason);
        // Sources that disagree about a quantity both stay: neither is picked.
        let disagrees = carried && verdict.is_some_and(|verdict| verdict.against == Some(CheckKind::Quantity));
        match weight {
            Weight::Dead => decision.notes.push(no_longer_cited(standpoint)),
            Weight::Against if !together => {
                let what = if disagrees { "its sources disagree" } else { "source no longer cited" };
                decision.notes.push(Note::Other(format!("{what}, {reason}: {address}")));
                decision.sources.extend(disagrees.then_some(standpoint.source));
            }
            _ => {
                decision.notes.extend(cut_short(standpoint));
                decision.sources.push(standpoint.source);
            }
        }
        match (weight, verdict) {
            (Weight::Unknown, _) if !carried => {
                let note = format!("{} ({}): {address}", standpoint.word, standpoint.why);
                decision.notes.push(Note::Told(None, note));
            }
            (Weight::Lacks | Weight::Denies | Weight::Unsure, Some(verdict)) if !carried => {
                let standing = verdict.standing;
                // Without a judgement there is nothing to tell, unless a judge was asked and gave none.
                let asked = || verdict.checks.iter().any(|check| check.kind == CheckKind::Outside);
                if standing != Standing::Unchecked || asked() {
                    best = best.min(standing);
                    unsure.push(Note::unsure(standing, &format!("{reason}: {address}")));
                    found |= standing == Standing::Weak && verdict.checks.iter().any(is_found);
                    // The source has the claim's sentence with another name, number or opposite in it.
                    let is_other = |check: &Check| {
                        check.kind == CheckKind::Wording && matches!(check.result, CheckResult::Differs { .. })
                    };
                    differs |= verdict.checks.iter().any(is_other);
                }
            }
            // Beside one that carries the claim, a source that was read whole and has nothing of it is told.
            (Weight::Lacks | Weight::Unsure, Some(verdict))
                if carried && standpoint.whole && verdict.standing == Standing::Unverifiable =>
            {
                decision.remarks.push(Note::Other(format!("another source says it; {reason}: {address}")));
            }
            _ => {}
        }
    }
    if together {
        let reason = format!("no source has all of it: {}", faults(case).join("; "));
        (found, differs, best) = (false, false, Standing::Weak);
        unsure = vec![Note::unsure(best, &reason)];
    }
    let cut = case.cited.iter().any(|standpoint| weigh(standpoint) == Weight::Against && !standpoint.whole);
    let all_read = !weights.contains(&Weight::Unknown) && !cut;
    if !carried && all_read && !unsure.is_empty() && policy.on_unverifiable != Treatment::Keep {
        return treat(policy.on_unverifiable, best.code().unwrap_or(Code::Unverifiable), joined(&unsure), case);
    }
    if claim.kind.must_have_source() && !found || differs || together {
        decision.notes.extend(unsure);
    } else {
        decision.remarks.extend(unsure);
    }
    let unresolved = case.unresolved.iter().map(|label| Note::Other(lacks_entry(std::slice::from_ref(label))));
    decision.notes.extend(unresolved);
    decision
}

/// The note of a quotation that stops right before a word that turns it round.
fn cut_short(standpoint: &Standpoint<'_>) -> Option<Note> {
    let (word, address) = (standpoint.verdict?.cut_before.as_ref()?, standpoint.address);
    let told = format!("quotation cut short, the source goes on with “{word}”: {address}");
    Some(Note::Told(Some(Code::QuoteCutShort), told))
}

fn recite(right: &Standpoint<'_>, why: &str) -> Decision {
    let told = Note::Other(format!("{why}; another source says it and is cited instead: {}", right.address));
    let notes = std::iter::once(told).chain(cut_short(right)).collect();
    Decision { action: Action::Recite, sources: vec![right.source], notes, ..Decision::default() }
}

fn dead_reason(cited: &[Standpoint<'_>]) -> String {
    let each: Vec<String> = cited.iter().map(|s| format!("{} ({}, no archive)", s.address, s.why)).collect();
    format!("dead source: {}", each.join("; "))
}

/// A claim that falls short, treated as the user asked.
fn treat(treatment: Treatment, shortfall: Code, reason: String, case: &Case<'_>) -> Decision {
    let action = treatment.action();
    // Kept on request, a claim keeps its citations: the list says what is wrong with them.
    let sources = match action {
        Action::Keep => case.cited.iter().map(|standpoint| standpoint.source).collect(),
        _ => Vec::new(),
    };
    let notes = if action.removes() { Vec::new() } else { vec![Note::Other(reason.clone())] };
    Decision { action, sources, shortfall: Some(shortfall), reason, notes, ..Decision::default() }
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
