//! Periods: *from 2013 to 2021* is not *from 2013 to 2017*, though the page may have a 2021 elsewhere.

use super::case::Case;
use super::changes::changes;
use super::finding::Finding;
use super::once::Period;
use super::verdict::CheckResult;
use super::years::year_of;
use crate::quantity::Quantity;

/// A period of the page is that of the claim's thing in a sentence with this part of the claim's words …
const RECALL: f64 = 0.4;
/// … and this part of what the best passage has.
const SHARE: f64 = 0.8;

/// Takes the force away from an end of a period that the page has with the same other end and another year in its place,
/// and never as the claim has it. A sign, and no proof.
pub(super) fn revise(case: &Case<'_, '_, '_>, findings: &mut [Finding]) {
    let claimed = periods(case.quantities);
    if claimed.is_empty() || !case.complete {
        return;
    }
    let all = case.index.quantities();
    let theirs = case.once.periods.get_or_init(|| periods(all));
    for mine in claimed.iter().filter(|mine| theirs.iter().all(|period| period.years != mine.years)) {
        let near = |period: &&Period| {
            let sentence = case.index.sentence_at(all[period.first].span.start);
            case.lookup.recall(sentence, sentence) >= RECALL.max(SHARE * case.best)
        };
        let shares_an_end = |period: &&Period| period.years.0 == mine.years.0 || period.years.1 == mine.years.1;
        let Some(other) = theirs.iter().filter(shares_an_end).find(near) else { continue };
        let (q, found) =
            if other.years.0 == mine.years.0 { (mine.last, other.last) } else { (mine.first, other.first) };
        let (q, found) = (&case.quantities[q], &all[found]);
        let open = |finding: &&mut Finding| {
            finding.quantity.span == q.span
                && finding.working.is_none()
                && matches!(finding.result, CheckResult::Agrees | CheckResult::Unknown)
        };
        if let Some(finding) = findings.iter_mut().find(open) {
            let written = |text: &str, q: &Quantity| q.span.of(text).trim().to_owned();
            let (claimed, found) = (written(case.claim, q), written(case.index.text(), found));
            finding.result = CheckResult::Differs { claimed, found };
            (finding.hard, finding.sentence) = (false, Some(case.index.sentence_at(all[other.first].span.start)));
        }
    }
}

/// The periods among some quantities, in order.
fn periods(all: &[Quantity]) -> Vec<Period> {
    let years = |(first, last): (usize, usize)| Some((year_of(&all[first])?, year_of(&all[last])?));
    let pairs = changes(all).into_iter();
    let paired = pairs.filter_map(|(first, last)| Some(Period { years: years((first, last))?, first, last }));
    let ranges = all.iter().enumerate().filter_map(|(place, q)| {
        let years = (year_of(q)?, q.upper? as i32);
        Some(Period { years, first: place, last: place })
    });
    paired.chain(ranges).collect()
}
