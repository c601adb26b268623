//! The checks behind a verdict in words: what each gave.

use maud::{Markup, html};

use super::shown;
use crate::html::{Tone, sign};
use crate::wording::stands_in;
use crate::words;
use cited_core::verdict::{Check, CheckKind, CheckResult};

/// What each check gave, those that say something. `passage` are the words of the page that they were made on, beside those of the `claim`.
pub fn list(checks: &[Check], passage: &str, claim: &str) -> Markup {
    // Wording says again what number or quotation have said.
    let said_before = |one: &Check| {
        let same = |other: &&Check| other.kind != CheckKind::Wording && other.result == one.result;
        one.kind == CheckKind::Wording
            && (one.result == CheckResult::Unknown || checks.iter().any(|other| same(&other)))
    };
    // What both have is there, if of something else: the reason says so.
    let is_there = |one: &Check| match &one.result {
        CheckResult::Differs { claimed, found } if claimed.is_empty() => stands_in(claim, found),
        CheckResult::Differs { claimed, .. } => stands_in(passage, claimed),
        _ => false,
    };
    // How many numbers agree is told once; the reason names one that does not.
    let is_counted = |one: &&Check| {
        one.kind == CheckKind::Quantity && matches!(one.result, CheckResult::Agrees | CheckResult::Unknown)
    };
    let numbers: Vec<&Check> = checks.iter().filter(is_counted).collect();
    let agree = numbers.iter().filter(|one| one.result == CheckResult::Agrees).count();
    let tone = if agree == numbers.len() { Tone::Good } else { Tone::Doubtful };
    let told = (!numbers.is_empty()).then(|| (tone, format!("numbers that agree: {agree} of {}", numbers.len())));
    let others = checks.iter().filter(|one| !is_counted(one) && !said_before(one) && !is_there(one));
    let told: Vec<(Tone, String)> = told.into_iter().chain(others.map(words::result)).collect();
    html! {
        @if !told.is_empty() {
            ul { @for (tone, words) in told { li.(tone.class()) { (sign(tone)) " " (shown(&words)) } } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: CheckKind, result: CheckResult) -> Check {
        Check { kind, result }
    }

    fn differs() -> CheckResult {
        CheckResult::Differs { claimed: "94%".into(), found: "49%".into() }
    }

    #[test]
    fn checks_are_told_once_with_their_count() {
        let differs = check(CheckKind::Polarity, differs());
        let checks = [
            check(CheckKind::Quantity, CheckResult::Agrees),
            check(CheckKind::Quantity, CheckResult::Agrees),
            differs.clone(),
            check(CheckKind::Wording, differs.result.clone()),
            check(CheckKind::Outside, CheckResult::Unknown),
        ];
        assert_eq!(
            list(&checks, "It was 49%.", "It was 94%.").into_string(),
            "<ul><li class=\"good\">✓ numbers that agree: 2 of 2</li><li class=\"bad\">✗ direction: the claim has 94%, the source 49%</li>\
             <li class=\"flat\">– your judge: could not decide</li></ul>"
        );
        let unknown = check(CheckKind::Quantity, CheckResult::Unknown);
        let claim = "It was 94% here, and 50% there.";
        let told = list(&[checks[0].clone(), unknown, differs], "It was 94%, and 49% before.", claim).into_string();
        assert_eq!(told, "<ul><li class=\"doubt\">≈ numbers that agree: 1 of 2</li></ul>");
        let only_theirs =
            check(CheckKind::Quantity, CheckResult::Differs { claimed: String::new(), found: "50%".into() });
        assert_eq!(list(std::slice::from_ref(&only_theirs), "It was 50%.", claim).into_string(), "");
        assert!(list(&[only_theirs], "It was 50%.", "It was so.").into_string().contains("the source has 50%"));
    }
}
