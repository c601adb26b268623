//! The checks behind a verdict in words: what each gave, which of them decided, and what each of them asks.

use maud::{Markup, html};

use super::shown;
use crate::html::{Tone, sign, words};
use cited_core::verdict::{Check, CheckKind, CheckResult, Standing};

/// What each check gave, those that say something and do not merely agree with what `decided`.
pub fn list(checks: &[Check], decided: &[CheckKind]) -> Markup {
    // Wording says again what number or quotation have said.
    let said_before = |one: &Check| {
        let same = |other: &&Check| other.kind != CheckKind::Wording && other.result == one.result;
        one.kind == CheckKind::Wording
            && (one.result == CheckResult::Unknown || checks.iter().any(|other| same(&other)))
    };
    // Several numbers that agree are told once.
    let mut counted: Vec<(Tone, String, usize)> = Vec::new();
    let agreed = |one: &Check| one.result == CheckResult::Agrees && decided.contains(&one.kind);
    for (tone, words) in checks.iter().filter(|one| !said_before(one) && !agreed(one)).map(words::result) {
        match counted.iter_mut().find(|(_, other, _)| *other == words) {
            Some((_, _, times)) => *times += 1,
            None => counted.push((tone, words, 1)),
        }
    }
    html! {
        @if !counted.is_empty() {
            ul { @for (tone, words, times) in counted { li.(tone.class()) { (sign(tone)) " " (shown(&words)) @if times > 1 { " ×" (times) } } } }
        }
    }
}

/// What checks are called.
pub fn names(kinds: &[CheckKind]) -> String {
    kinds.iter().map(|kind| words::check(*kind).0).collect::<Vec<_>>().join(" and ")
}

/// The checks that decided, by the order in which a judge goes through them: what speaks against a claim first, then what proves it, then words.
pub fn deciding(standing: Standing, checks: &[Check]) -> Vec<CheckKind> {
    let first = |fits: &dyn Fn(&Check) -> bool| checks.iter().find(|one| fits(one)).map(|one| one.kind);
    let agrees = |kind| first(&|one| one.kind == kind && one.result == CheckResult::Agrees);
    let differs = first(&|one| matches!(one.result, CheckResult::Differs { .. }));
    let absent = first(&|one| matches!(one.result, CheckResult::Absent { .. }));
    // A judge of the reader's is asked last, and what it says counts beside the checks.
    let opinion = first(&|one| {
        one.kind == CheckKind::Outside && (standing == Standing::Supported) == (one.result == CheckResult::Agrees)
    });
    let wording = first(&|one| one.kind == CheckKind::Wording);
    let hard = match standing {
        Standing::Unchecked => return Vec::new(),
        Standing::Contradicted => differs.or(absent),
        Standing::Unverifiable => absent.or(differs),
        Standing::Weak => differs,
        Standing::Supported => {
            let proofs = [
                CheckKind::Derived,
                CheckKind::Quotation,
                CheckKind::Quantity,
                CheckKind::Certainty,
                CheckKind::Artifact,
            ];
            proofs.into_iter().find_map(agrees)
        }
    };
    let decided: Vec<CheckKind> = hard.into_iter().chain(opinion).collect();
    if decided.is_empty() { wording.into_iter().collect() } else { decided }
}

/// What the checks ask that were made, each once.
pub fn asked<'c>(checks: impl Iterator<Item = &'c Check>) -> Markup {
    let made: std::collections::BTreeSet<CheckKind> = checks.map(|check| check.kind).collect();
    html! {
        @if !made.is_empty() {
            details.asks {
                summary { "What the checks ask" }
                dl.facts { @for (name, question) in made.into_iter().map(words::check) { dt { (name) } dd { (question) } } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: CheckKind, result: CheckResult) -> Check {
        Check { kind, result }
    }

    fn differs() -> CheckResult {
        CheckResult::Differs { claimed: "94%".into(), found: "49%".into() }
    }

    fn absent() -> CheckResult {
        CheckResult::Absent { claimed: "94%".into() }
    }

    #[test]
    fn the_check_that_decided_is_named() {
        #[track_caller]
        fn check(standing: Standing, checks: &[Check], expected: &str) {
            assert_eq!(names(&deciding(standing, checks)), expected);
        }
        use CheckKind::{Derived, Outside, Polarity, Quantity, Wording};
        use CheckResult::{Agrees, Unknown};
        let wording = of(Wording, Unknown);
        check(Standing::Contradicted, &[of(Quantity, Agrees), of(Quantity, differs()), wording.clone()], "number");
        check(Standing::Contradicted, &[of(Quantity, Agrees), of(Polarity, differs())], "direction");
        check(Standing::Unverifiable, &[of(Quantity, differs()), of(Quantity, absent())], "number");
        check(Standing::Unverifiable, &[of(Quantity, Agrees), wording.clone()], "wording");
        check(Standing::Supported, &[of(Quantity, Agrees), of(Derived, Agrees)], "derivation");
        check(
            Standing::Supported,
            &[of(Quantity, Agrees), wording.clone(), of(Outside, Agrees)],
            "number and your judge",
        );
        check(Standing::Supported, &[of(Wording, Agrees)], "wording");
        check(Standing::Weak, &[wording, of(Outside, Unknown)], "your judge");
        check(Standing::Unchecked, &[], "");
    }

    #[test]
    fn checks_are_told_once_with_their_count() {
        let checks = [
            of(CheckKind::Quantity, CheckResult::Agrees),
            of(CheckKind::Quantity, CheckResult::Agrees),
            of(CheckKind::Polarity, differs()),
            of(CheckKind::Wording, differs()),
            of(CheckKind::Outside, CheckResult::Unknown),
        ];
        assert_eq!(
            list(&checks, &[]).into_string(),
            "<ul><li class=\"good\">✓ number agrees ×2</li><li class=\"bad\">✗ direction: the claim has 94%, the source 49%</li>\
             <li class=\"flat\">– your judge: could not decide</li></ul>"
        );
        assert!(!list(&checks, &[CheckKind::Quantity]).into_string().contains("number"));
        assert!(asked(checks.iter()).into_string().contains("<dt>number</dt><dd>Does each number"));
    }
}
