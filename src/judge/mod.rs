//! What a source says about a claim: verdicts with their checks and passages. Pure: text in, verdict out.
//!
//! Hard checks come first and are final: quotations, quantities, the order of a change, polarity. What they leave open
//! is judged by wording, as a calibrated probability that can call a claim weak or unverifiable and never contradicted.

mod absence;
mod agreement;
mod apart;
pub mod artifact;
mod asked;
pub mod binding;
pub mod case;
mod cells;
pub mod certainty;
mod changes;
mod clauses;
mod clock;
pub mod combine;
pub mod conflict;
mod converse;
mod cues;
mod decision;
mod derived;
mod designated;
mod difference;
mod entries;
mod examined;
mod excerpts;
mod exchanged;
pub mod finding;
mod given;
pub mod identity;
mod labels;
mod limited;
pub mod made_up;
mod names;
mod neighbours;
mod once;
pub mod outside;
mod page;
mod parallel;
mod parts;
mod passages;
mod periods;
mod pieces;
pub mod polarity;
mod proof;
pub mod quantities;
pub mod quotations;
mod rates;
mod replaced;
pub mod retracted;
mod roles;
mod scale;
mod scope;
mod segments;
mod setting;
pub mod signs;
mod slips;
mod slots;
mod speaker;
mod spot;
mod subject;
mod swapped;
mod tally;
#[cfg(test)]
mod tests;
mod turned;
mod undone;
mod verbatim;
pub mod verdict;
mod whose;
pub mod wording;
mod worked_out;
mod years;

pub use asked::{ClaimText, Settings};
pub use designated::speaks_for_another;
pub use page::SourceText;
pub use verdict::{Check, CheckKind, CheckResult, Derivation, Standing, Verdict};

use decision::decide;
use examined::examine;

/// A longer text, in bytes, is no sentence: each of its values would be held against all others, here and on the page.
const LONGEST_CLAIM: usize = 4096;

/// Judges a claim by a page.
///
/// ```
/// use cited::claim::ClaimKind;
/// use cited::judge::{ClaimText, Settings, SourceText, Standing, judge};
/// let page = SourceText::new("The model scores 49.2% on MMLU.", "");
/// let claim = ClaimText::new("The model scores 94.2% on MMLU.", ClaimKind::Quantitative);
/// let verdict = judge(&claim, &page, &Settings::default());
/// assert_eq!(verdict.standing, Standing::Contradicted);
/// assert_eq!(verdict.reason, "number not in source: 94.2% (source has 49.2%)");
/// ```
pub fn judge(claim: &ClaimText<'_>, source: &SourceText<'_>, settings: &Settings) -> Verdict {
    if source.index.is_empty() {
        return Verdict::unchecked("no text to judge by");
    }
    if claim.text.len() > LONGEST_CLAIM {
        return Verdict::unchecked("too long to be judged as one statement");
    }
    decide(source, settings, &examine(claim, source, settings.supported))
}
