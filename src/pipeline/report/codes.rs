//! Which kind of finding tells of what was decided on a claim.

use cited_core::decide::Note;
use cited_core::decide::policy::Shortfall;
use cited_core::finding::{Code, Severity};
use cited_core::verdict::{CheckKind, Standing};

/// Kind and remedy of the finding on a claim that falls short.
pub(super) fn of_shortfall(shortfall: Shortfall) -> (Code, Severity, &'static str) {
    const SAY: &str = "cite the source that says it";
    const CORRECT: &str = "correct the claim, or cite the source that says it";
    let (code, remedy) = match shortfall {
        Shortfall::Dead => (Code::DeadSource, "cite a source that is still there"),
        Shortfall::NotFound => {
            (Code::WorkNotFound, "cite a work that can be found, or give the address where it can be read")
        }
        Shortfall::Contradicted(CheckKind::Quotation) => (Code::QuoteMismatch, CORRECT),
        Shortfall::Contradicted(CheckKind::Quantity | CheckKind::Order) => (Code::NumberMismatch, CORRECT),
        Shortfall::Contradicted(_) => (Code::Contradicted, CORRECT),
        Shortfall::Unsupported(CheckKind::Quotation) => (Code::QuoteMismatch, SAY),
        Shortfall::Unsupported(_) => (Code::NumberAbsent, CORRECT),
        // The user asked for more than this: it weighs as what has no support at all.
        Shortfall::Unsure(standing) => {
            return (of_standing(standing).unwrap_or(Code::Unverifiable), Severity::Error, SAY);
        }
        Shortfall::Unresolved => (Code::OrphanCitation, "add the source to the list, or correct the number"),
        Shortfall::Uncited => (Code::Unanchored, "cite a source, or say whose estimate it is"),
        Shortfall::FakeCertainty => (Code::FakeCertainty, "say who checked it, where and when"),
        Shortfall::Depends => (Code::DanglingOpener, "give the sentence a source of its own"),
        Shortfall::Introduces => (Code::Unanchored, "nothing: what it introduced is gone"),
        Shortfall::Reviewed => (Code::Reviewed, "nothing: a reviewer decided so"),
        Shortfall::NoProvenance => (Code::NoProvenance, "name the data that the figure shows"),
    };
    (code, code.severity(), remedy)
}

/// Kind of the finding that a note on a claim that stays is worth. It warns at most: what stays is not proven wrong.
pub(super) fn of_note(note: &Note) -> Option<(Code, Severity)> {
    let code = match note {
        Note::Unsure { standing, .. } => of_standing(*standing)?,
        Note::CutShort { .. } => Code::QuoteCutShort,
        Note::Leans => Code::DanglingOpener,
        Note::Unanchored(_) | Note::Near(_) => Code::Unanchored,
        // The source itself is told of, once.
        Note::Retracted { .. } | Note::OfSource(_) => return None,
        Note::Graded(_) | Note::Other(_) => Code::Noted,
    };
    Some((code, Severity::Warning))
}

fn of_standing(standing: Standing) -> Option<Code> {
    match standing {
        Standing::Supported => None,
        Standing::Weak => Some(Code::WeakSupport),
        Standing::Unverifiable => Some(Code::Unverifiable),
        Standing::Contradicted => Some(Code::Contradicted),
        Standing::Unchecked => Some(Code::Unchecked),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_that_decided_names_the_finding() {
        let check = |shortfall, expected: &str| {
            let (code, severity, _) = of_shortfall(shortfall);
            assert_eq!(format!("{}[{code}]", severity.as_str()), expected, "{shortfall:?}");
        };
        check(Shortfall::Contradicted(CheckKind::Quotation), "error[quote-mismatch]");
        check(Shortfall::Contradicted(CheckKind::Quantity), "error[number-mismatch]");
        check(Shortfall::Contradicted(CheckKind::Order), "error[number-mismatch]");
        check(Shortfall::Contradicted(CheckKind::Polarity), "error[contradicted]");
        check(Shortfall::Unsupported(CheckKind::Quantity), "error[number-absent]");
        check(Shortfall::Unsupported(CheckKind::Quotation), "error[quote-mismatch]");
        check(Shortfall::Unsure(Standing::Weak), "error[weak-support]");
        check(Shortfall::Unsure(Standing::Unverifiable), "error[unverifiable]");
        check(Shortfall::Dead, "error[dead-source]");
        check(Shortfall::FakeCertainty, "warning[fake-certainty]");
    }

    #[test]
    fn what_a_note_is_and_not_how_it_begins_names_the_finding() {
        let check = |note: Note, expected: &str| {
            let found = of_note(&note).map(|(code, severity)| format!("{}[{code}]", severity.as_str()));
            assert_eq!(found.unwrap_or_default(), expected, "{note:?}");
        };
        let unsure = |standing| Note::Unsure { standing, reason: "r".into() };
        check(unsure(Standing::Weak), "warning[weak-support]");
        check(unsure(Standing::Unverifiable), "warning[unverifiable]");
        check(unsure(Standing::Contradicted), "warning[contradicted]");
        check(unsure(Standing::Unchecked), "warning[unchecked]");
        check(unsure(Standing::Supported), "");
        check(Note::Leans, "warning[dangling-opener]");
        check(Note::CutShort { word: "but".into(), address: "u".into() }, "warning[quote-cut-short]");
        check(Note::Other("weak support for the beam".into()), "warning[noted]");
    }
}
