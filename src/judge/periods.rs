//! Periods: *from 2013 to 2021* is not *from 2013 to 2017*, though the page may have a 2021 elsewhere.

use super::case::Case;
use super::changes::changes;
use super::finding::Finding;
use super::verdict::CheckResult;
use super::years::year_of;
use crate::quantity::Quantity;

/// A period of the page is that of the claim's thing in a sentence with this part of the claim's words …
const RECALL: f64 = 0.4;
/// … and this part of what the best passage has.
const SHARE: f64 = 0.8;

/// Two years between which something was so, and where they stand.
struct Period<'q> {
    years: (i32, i32),
    first: &'q Quantity,
    last: &'q Quantity,
}

/// Takes the force away from an end of a period that the page has with the same other end and another year in its place,
/// and never as the claim has it. A sign, and no proof.
pub(super) fn revise(case: &Case<'_, '_, '_>, findings: &mut [Finding]) {
    let claimed = periods(case.quantities);
    if claimed.is_empty() || !case.complete {
        return;
    }
    let theirs = periods(case.index.quantities());
    for mine in claimed.iter().filter(|mine| theirs.iter().all(|period| period.years != mine.years)) {
        let near = |period: &&Period<'_>| {
            let sentence = case.index.sentence_at(period.first.span.start);
            case.lookup.recall(sentence, sentence) >= RECALL.max(SHARE * case.best)
        };
        let shares_an_end = |period: &&Period<'_>| period.years.0 == mine.years.0 || period.years.1 == mine.years.1;
        let Some(other) = theirs.iter().filter(near).find(shares_an_end) else { continue };
        let (q, found) =
            if other.years.0 == mine.years.0 { (mine.last, other.last) } else { (mine.first, other.first) };
        let open = |finding: &&mut Finding| {
            finding.quantity.span == q.span
                && finding.working.is_none()
                && matches!(finding.result, CheckResult::Agrees | CheckResult::Unknown)
        };
        if let Some(finding) = findings.iter_mut().find(open) {
            let written = |text: &str, q: &Quantity| q.span.of(text).trim().to_owned();
            let (claimed, found) = (written(case.claim, q), written(case.index.text(), found));
            finding.result = CheckResult::Differs { claimed, found };
            (finding.hard, finding.sentence) = (false, Some(case.index.sentence_at(other.first.span.start)));
        }
    }
}

/// The periods among some quantities, in order.
fn periods(all: &[Quantity]) -> Vec<Period<'_>> {
    let pairs = changes(all).into_iter().map(|(from, to)| (&all[from], &all[to]));
    let paired =
        pairs.filter_map(|(first, last)| Some(Period { years: (year_of(first)?, year_of(last)?), first, last }));
    let ranges = all.iter().filter_map(|q| {
        let years = (year_of(q)?, q.upper? as i32);
        Some(Period { years, first: q, last: q })
    });
    paired.chain(ranges).collect()
}
