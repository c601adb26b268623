//! Whether a page proves the values of a claim: each stands in a unit that is about the claim's thing, or follows from such by a step that
//! is written down, and the rest of the claim is accounted for by the same units.

mod account;
mod condition;
mod counted;
mod grid;
mod rank;
mod shown;
mod steps;
mod table;
#[cfg(test)]
mod tests;
mod top;

use super::case::Case;
use cited_text::Span;
use cited_text::quantity::{Agreement, Measure, Quantity, Role, compare};
use cited_text::words::{Word, words};

use account::{Account, MOST_MISSING, TABLED, stands_over};
use counted::Outcome;
use grid::Grid;
pub(super) use shown::Shown;

/// What a table has otherwise than a claim.
#[derive(Debug, Clone)]
pub(super) struct Refuted {
    /// The claim's words.
    pub(super) claimed: String,
    /// What a writer is told.
    pub(super) reason: String,
    pub(super) shown: Shown,
}

/// What a page proves of a claim.
#[derive(Debug, Default)]
pub(super) struct Proof {
    /// How the claim is proved, when it is: by the first value that follows from others, else by the first that stands in a table. What stands
    /// in running text is for the words to prove.
    pub(super) whole: Option<Shown>,
    /// What a table has otherwise than the claim.
    pub(super) refuted: Option<Refuted>,
}

/// Proves what can be proved.
pub(super) fn prove(case: &Case<'_>) -> Proof {
    let findings: Vec<&Quantity> = case.claim.quantities.iter().filter(|q| q.is_measured()).collect();
    let findings = findings.as_slice();
    let tops = top::tops(case);
    let counts = tops.is_empty() && !counted::readings(case).is_empty();
    if findings.is_empty() && tops.is_empty() && !counts {
        return Proof::default();
    }
    let grids = grid::grids(case);
    let counted = || grids.iter().find_map(|grid| counted::show(grid));
    if let Some(Outcome { shown: told, claimed, as_claimed, surely }) = counts.then(counted).flatten() {
        if as_claimed {
            return Proof { whole: Some(told), refuted: None };
        }
        if surely {
            let reason = format!("not {claimed} in the table of the source: {}", told.written);
            return Proof { whole: None, refuted: Some(Refuted { claimed, reason, shown: told }) };
        }
    }
    let in_a_table = |q: &Quantity| grids.iter().find_map(|grid| table::show(grid, q));
    let mut shown: Vec<Option<Shown>> = findings.iter().map(|q| in_a_table(q)).collect();
    let year = |role: Role| {
        let mut all = findings.iter().zip(&shown).filter(|(finding, _)| finding.role == role);
        all.find_map(|(_, one)| one.as_ref()?.year)
    };
    // From the value of a later year to that of an earlier one.
    if year(Role::From).zip(year(Role::To)).is_some_and(|(from, to)| from > to) {
        return Proof::default();
    }
    let top = crate::only::only(tops.iter());
    let ranked = top.and_then(|top| grids.iter().find_map(|grid| rank::show(grid, top, &shown)));
    // *Eight customers*: counts in words of so few that their absence would prove nothing, where the claim gives no other value.
    let is_other = |q: &Quantity| !q.is_temporal() && !q.is_label() && !grids.iter().any(|grid| grid.is_named_by(q));
    let no_other = ranked.is_none() && !findings.iter().any(|finding| is_other(finding));
    let is_small = |q: &&Quantity| q.measure == Measure::Count && q.spelled && !q.is_measured() && q.upper.is_none();
    let small = case.claim.quantities.iter().filter(|q| no_other && is_small(q));
    // Much gives a three by a step.
    let small: Vec<Option<Shown>> = small.map(|q| in_a_table(q).filter(|one| !one.derived)).collect();
    let told = ranked.iter().map(|(told, _)| told).chain(small.iter().flatten());
    let over: Vec<Span> = shown.iter().flatten().chain(told).flat_map(|one| one.over.iter().copied()).collect();
    let in_heads: Vec<Option<Shown>> = findings.iter().map(|finding| in_a_head(case, &over, finding)).collect();
    for (one, head) in shown.iter_mut().zip(&in_heads).filter(|(one, _)| one.is_none()) {
        one.clone_from(head);
    }
    let moved = grids.iter().find_map(|grid| table::moves(grid));
    if let Some((told, as_claimed)) = moved
        && findings.iter().all(|finding| finding.is_temporal())
        && is_accounted(case, &[&told], &[])
    {
        if as_claimed {
            return Proof { whole: Some(told).filter(|_| !findings.is_empty()), refuted: None };
        }
        let reason = format!("the table of the source says that it went the other way: {}", told.written);
        let refuted = Some(Refuted { claimed: "the other way".to_owned(), reason, shown: told });
        return Proof { whole: None, refuted };
    }
    if let (Some(top), Some((told, false))) = (top, &ranked)
        && findings.iter().all(|finding| finding.is_temporal())
        && is_nothing_missing(case, told, top.span)
    {
        let claimed = top.span.slice(case.claim.text).to_owned();
        let reason = format!("not the {claimed} in the table of the source: {}", told.written);
        return Proof { whole: None, refuted: Some(Refuted { claimed, reason, shown: told.clone() }) };
    }
    let ranked = ranked.filter(|(_, as_claimed)| *as_claimed).map(|(told, _)| told);
    // *The 3 largest*.
    if let (Some(top), Some(told)) = (top, &ranked) {
        for (one, _) in shown.iter_mut().zip(findings).filter(|(_, found)| found.span.overlaps(top.span)) {
            *one = Some(told.clone());
        }
    }
    let all: Vec<&Shown> = ranked.iter().chain(shown.iter().chain(&small).flatten()).collect();
    // That it has a value does not say that no other has more: what shows it, or stands over it, has to have the word.
    let has = |word: &Word| {
        let mut spans = all.iter().flat_map(|one| one.parts.iter().chain(&one.over));
        spans.any(|span| account::words_in(case, *span).any(|other| other.key == word.key))
    };
    let is_top = ranked.is_some() || tops.iter().all(|top| has(top.word));
    let granted: Vec<Span> = top.filter(|_| ranked.is_some()).map(|top| top.span).into_iter().collect();
    let is_whole = is_top && shown.iter().chain(&small).all(Option::is_some) && is_accounted(case, &all, &granted);
    let told = all.iter().find(|one| one.derived).or_else(|| all.iter().find(|one| one.in_a_table));
    let whole = told.filter(|_| is_whole).copied().cloned();
    Proof { whole, refuted: refuted(case, &grids, findings, &shown) }
}

/// That a time, or a number of a name, stands in a head over what has the other values of a claim: *line 7*, *version 3.2*.
fn in_a_head(case: &Case<'_>, over: &[Span], q: &Quantity) -> Option<Shown> {
    let of_a_table = |head: Span| case.source.evidence().tables.iter().any(|table| table.span.contains(head));
    // *Model 7*.
    let before = || {
        case.claim.text[..q.span.start].strip_suffix(' ').and_then(|before| words(before.rsplit(' ').next()?).last())
    };
    let names = || q.measure == Measure::Count && before().is_some_and(|word| word.capital && !word.stop);
    let placed = q.is_temporal() || q.measure == Measure::Ordinal || names();
    let head = over.iter().find(|head| (placed || of_a_table(**head)) && stands_over(case, q, **head))?;
    let written = head.slice(case.source.index.text()).trim().to_owned();
    Some(Shown { written, operands: vec![*head], ..Shown::default() })
}

/// The value of the claim, the only one, that the cell which it names wholly has otherwise.
fn refuted(case: &Case<'_>, grids: &[Grid<'_>], findings: &[&Quantity], shown: &[Option<Shown>]) -> Option<Refuted> {
    let amount = |(finding, _): &(&&Quantity, _)| !finding.is_temporal() && !finding.is_label();
    let (finding, None) = crate::only::only(findings.iter().zip(shown).filter(amount))? else { return None };
    // What the running text has may be said of something that no table has.
    let q = finding;
    let in_a_table =
        |other: &Quantity| case.source.evidence().tables.iter().any(|table| table.span.contains(other.span));
    if case.source.index.agreeing(q).any(|other| compare(q, other) == Agreement::Same && !in_a_table(other)) {
        return None;
    }
    let told = grids.iter().find_map(|grid| table::differs(grid, q))?;
    // A year that does not stand over the cell is the year of another table.
    let heads = || told.over.iter().chain(&told.parts);
    let placed = |other: &Quantity| heads().any(|head| stands_over(case, other, *head));
    let others = findings.iter().filter(|q| q.span != finding.span);
    let meant = others.into_iter().all(|q| placed(q)) && is_accounted(case, &[&told], &[]);
    let claimed = finding.span.slice(case.claim.text).trim().to_owned();
    let reason = format!("number not in source: {claimed} (the table of the source has {})", told.written);
    meant.then_some(Refuted { claimed, reason, shown: told })
}

/// Whether heads, titles and the label of the row account for all that a claim says but its superlative: then it compares all rows, and not
/// those of a group.
fn is_nothing_missing(case: &Case<'_>, told: &Shown, top: Span) -> bool {
    let account = Account::new(case, &told.over, &told.over, true, &[]);
    let own = case.lookup.terms.iter().filter(|term| term.span.overlaps(top)).count() as u32;
    is_accounted(case, &[told], &[]) && account.missing(case) <= own
}

/// Whether what shows the values accounts for the rest of the claim, and for no less and no more than it says.
fn is_accounted(case: &Case<'_>, shown: &[&Shown], granted: &[Span]) -> bool {
    let parts: Vec<Span> = shown.iter().flat_map(|one| one.parts.iter().copied()).collect();
    let over: Vec<Span> = shown.iter().flat_map(|one| one.over.iter().copied()).collect();
    let worked_out = shown.iter().any(|one| one.derived);
    let account = || Account::new(case, &parts, &over, worked_out, granted);
    !parts.is_empty() && account().is_of_the_whole(case, TABLED, MOST_MISSING)
}
