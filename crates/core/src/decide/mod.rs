//! From verdicts to edits: the policy, what goes with a claim that goes, numbers, and the spans that change.
//!
//! Only [`policy`] turns verdicts into actions. Everything here is pure.

use std::borrow::Cow;

pub mod check;
mod cite;
mod cut;
pub mod edit;
pub mod form;
pub mod hanging;
pub mod holes;
pub mod note;
pub mod plan;
pub mod policy;
mod protect;
pub mod restyle;
pub mod review;
pub mod rewrite;
mod signs;

pub use edit::{Cause, Edit, apply};
pub use form::CitationForm;
pub use note::Note;
pub use plan::{Care, Manner, Plan, Style};
pub use policy::{Action, Decision, Policy, Treatment};
pub use protect::{protect, protect_entries};
pub use rewrite::{Rewrite, rewrite};

/// What a marked claim carries in place of a citation.
pub const UNVERIFIED: &str = "[unverified]";

/// The words of a claim without the mark of an earlier run.
pub fn without_mark(text: &str) -> Cow<'_, str> {
    if !text.contains(UNVERIFIED) {
        return text.into();
    }
    text.replace(&[" ", UNVERIFIED].concat(), "").into()
}
