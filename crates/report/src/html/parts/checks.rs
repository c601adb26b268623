//! The checks behind a verdict in words: what each gave, and what each of them asks.

use maud::{Markup, html};

use super::shown;
use crate::html::{Tone, sign, words};
use cited_core::verdict::{Check, CheckKind, CheckResult};

/// What each check gave, those that say something.
pub fn list(checks: &[Check]) -> Markup {
    // Wording says again what number or quotation have said.
    let said_before = |one: &Check| {
        let same = |other: &&Check| other.kind != CheckKind::Wording && other.result == one.result;
        one.kind == CheckKind::Wording
            && (one.result == CheckResult::Unknown || checks.iter().any(|other| same(&other)))
    };
    // Several numbers that agree are told once.
    let mut counted: Vec<(Tone, String, usize)> = Vec::new();
    for (tone, words) in checks.iter().filter(|one| !said_before(one)).map(words::result) {
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
            list(&checks).into_string(),
            "<ul><li class=\"good\">✓ number agrees ×2</li><li class=\"bad\">✗ direction: the claim has 94%, the source 49%</li>\
             <li class=\"flat\">– your judge: could not decide</li></ul>"
        );
        assert!(asked(checks.iter()).into_string().contains("<dt>number</dt><dd>Does each number"));
    }
}
