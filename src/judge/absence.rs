//! Values that are not on a page, or only where it speaks of something else.
//!
//! What is nowhere proves something only on a page that was read whole, and only where the value could not be worked out
//! or written in another way.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::judge::case::{Case, counted, same_kind};
use crate::judge::once::Keyed;
use crate::judge::{cues, derived, labels, names, years};
use crate::lexicon::table;
use crate::quantity::{Agreement, Bound, Date, Measure, Quantity, compare, quantities};
use crate::text::Span;
use crate::text::words::{Word, key};

/// The claim's own value counts as displaced when its surroundings have at most this part of what the best passage has …
const DISPLACED_NEAR: f64 = 0.7;
/// … and the best passage has this part of the claim's words.
const DISPLACED_RECALL: f64 = 0.35;
/// A sentence with this part of the claim's words speaks of the claim's thing.
const OVERSHADOWING: f64 = 0.6;

/// Whether a page has nothing of a value: neither it (`unplaced`: no place of it was found) nor its figures, or not one of
/// the parts of a date.
pub(super) fn is_nowhere(case: &Case<'_, '_, '_>, q: &Quantity, unplaced: bool) -> bool {
    // The hour of a time stands in many places.
    let written = || q.measure != Measure::Time && written_somewhere(case, q);
    let missing = unplaced && !derived::is_time_between(case, q) && !written()
        || part_of_date_is_nowhere(case, q)
        || end_of_range_is_nowhere(case, q);
    missing
        && !stands_in_another_unit(case, q)
        && !ends_a_span_of_years(case, q)
        && !is_decade(case.claim, q)
        && !is_open(case, q)
        && !is_of_a_name(case, q)
        && !spelled_out(case, q)
        && !is_one(q)
        && !is_told_from_the_day(case, q)
        && !labels::is_in_an_abbreviation(case, q)
}

/// Whether the figures of a measure stand on the page with another unit of its kind, or with one that is not read there: *0.41 m*, of *41 × 27 cm*.
fn stands_in_another_unit(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    let (text, all) = (case.index.text(), case.index.quantities());
    let figures = |written: &str| -> String {
        let digits: String = written.chars().filter(char::is_ascii_digit).collect();
        digits.trim_matches('0').to_owned()
    };
    let own = figures(q.span.of(case.claim));
    if !matches!(q.measure, Measure::Physical(_)) || own.len() < 2 {
        return false;
    }
    let amount = |other: &Quantity| matches!(other.measure, Measure::Physical(_) | Measure::Count);
    let keyed = |other: &Quantity| amount(other).then(|| key(&figures(other.span.of(text))));
    let mut alike = case.once.figures.get_or_init(|| Keyed::new(all.iter().map(keyed))).of(key(&own), all);
    alike.any(|other| figures(other.span.of(text)) == own)
}

/// Whether a number is the end of a span of years: *2021/22*.
fn ends_a_span_of_years(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    let before = q.span.before(case.claim);
    let year = before.strip_suffix(['/', '-', '–']).unwrap_or_default();
    let figures = year.chars().rev().take_while(char::is_ascii_digit).count();
    q.span.of(case.claim).trim().len() == 2 && figures == 4
}

/// Whether a number only says *one*: it is in every text, in words or by itself.
fn is_one(q: &Quantity) -> bool {
    q.measure == Measure::Count && q.upper.is_none() && (q.raw - 1.0).abs() < f64::EPSILON
}

/// Whether a year may be told from the day on which the page was written: *last year*, of a page of 2018.
fn is_told_from_the_day(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    let Measure::Date(Date { year: Some(year), month: None, .. }) = q.measure else { return false };
    let near = |date: &Date| date.year.is_some_and(|theirs| year.abs_diff(theirs) == 1);
    let dated = |span: Span| span.start < DATELINE || span.end + DATELINE > case.index.text().len();
    let windows = || case.windows.iter().take(BEST);
    let all = case.index.quantities().iter();
    let ends = all.clone().take_while(|other| dated(other.span)).chain(all.rev().take_while(|other| dated(other.span)));
    ends.into_iter().any(|other| matches!(&other.measure, Measure::Date(date) if near(date) && date.month.is_some()))
        && windows().any(|window| cues::tells_from_the_day(window.span.of(case.index.text())))
}

/// A page says so near its beginning or end, in bytes, on which day it was written.
const DATELINE: usize = 400;

/// Whether a place of the page that agrees with a value in some way has anything of it. A bound or a wide range has nearly
/// every value in it: only one that is near, and counts the same thing, does.
pub(super) fn has_of_it(case: &Case<'_, '_, '_>, q: &Quantity, other: &Quantity) -> bool {
    if q.is_temporal() {
        return true;
    }
    let alike = q.measure != Measure::Count || counted(case.claim, q) == case.counted(other);
    let (low, high) = (other.value.abs(), other.upper.unwrap_or(other.value).abs());
    let value = q.value.abs();
    // *More than 100,000 copies* follows from 757,000.
    let follows = q.bound == Bound::AtLeast && value <= low.min(high);
    alike && follows || alike && low.min(high) <= value * REACH && value <= low.max(high) * REACH
}

/// Whether one of two values that agree in some way is said to be about the other: *about 48,000 people* may be 48,200 visitors. It is
/// near whatever it counts and wherever it stands, unlike a bound.
pub(super) fn is_rounded(q: &Quantity, other: &Quantity) -> bool {
    let (mine, theirs) = (q.bound, other.bound);
    let near = |bound| matches!(bound, Bound::Exact | Bound::About);
    let hedged = near(mine) && near(theirs) && (mine == Bound::About || theirs == Bound::About);
    hedged && q.measure == other.measure && q.upper.is_none() && other.upper.is_none()
}

/// Whether a passage has both years of a claim's period, each by itself.
pub(super) fn has_both_years(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    let (Some(first), Some(last)) = (years::year_of(q), q.upper) else { return false };
    case.windows.iter().take(BEST).any(|window| {
        let values = case.index.quantities_of(window.first, window.last);
        let has = |year: i32| values.iter().any(|value| years::year_of(value) == Some(year));
        has(first) && has(last as i32)
    })
}

/// So many passages, the best ones, are read for values that the claim's may have been computed from.
const BEST: usize = 3;

/// A bound says something of a value that differs by this factor at most.
const REACH: f64 = 1.5;

/// The words before a date that leave it open.
static OPEN: LazyLock<HashMap<&'static str, Vec<&'static str>>> =
    LazyLock::new(|| table::read(include_str!("data/open_dates.tsv")));

/// Whether a date only bounds when something was: *by 2009* is true of what happened in 2006.
fn is_open(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    ["before", "after"].iter().any(|side| stands_behind(case, q, side))
}

/// Whether a date of the claim only bounds when something was, and another date lies on that side of it.
pub(super) fn follows_from(case: &Case<'_, '_, '_>, q: &Quantity, other: &Quantity) -> bool {
    let (Some(mine), Some(theirs)) = (years::year_of(q), years::year_of(other)) else { return false };
    theirs <= mine && stands_behind(case, q, "before") || theirs >= mine && stands_behind(case, q, "after")
}

/// Whether a date stands right behind a word of this class.
fn stands_behind(case: &Case<'_, '_, '_>, q: &Quantity, side: &str) -> bool {
    if !q.is_temporal() {
        return false;
    }
    let before = q.span.before(case.claim).to_lowercase();
    let ends_with = |text: &str, class: &str| {
        let forms = OPEN.get(class).map_or(&[][..], Vec::as_slice);
        let mut heads = forms.iter().filter_map(|form| text.strip_suffix(form)).map(str::len);
        heads.find(|head| !text[..*head].ends_with(char::is_alphanumeric))
    };
    let before = before.trim_end();
    let bare = ends_with(before, "between").map_or(before, |head| before[..head].trim_end());
    ends_with(before, side).is_some() || ends_with(bare, side).is_some()
}

/// Whether a number is part of a name (*Despicable Me 2*), or tells which of a name is meant (*Australia (2008 film)*), and
/// the page does not write the name with another number.
fn is_of_a_name(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    let name = |text: &str, q: &Quantity| {
        let bracketed = || {
            let before = q.span.before(text).trim_end().strip_suffix('(')?.trim_end();
            names::name_at_end(before).filter(|_| q.is_temporal())
        };
        names::name_before(text, q.span).or_else(bracketed).or_else(|| names::name_after(text, q.span))
    };
    let Some(own) = name(case.claim, q) else { return false };
    let (text, all) = (case.index.text(), case.index.quantities());
    let bare = matches!(q.measure, Measure::Count) || matches!(q.measure, Measure::Date(date) if date.month.is_none());
    let named = || Keyed::new(all.iter().map(|other| name(text, other).map(|name| name.key)));
    bare && q.upper.is_none() && case.once.named.get_or_init(named).of(own.key, all).next().is_none()
}

/// Whether a number stands right behind a name that the page has with no number: *Blade Runner 2049*, *the Baja 1000*. It is
/// rather part of it than a year or a count.
pub(super) fn ends_a_name(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    let Some(own) = names::name_before(case.claim, q.span) else { return false };
    let whole = own.span.len() > 2 && !q.span.of(case.claim).contains(' ');
    whole && names::behind_a_name(case, own.key).next().is_none()
}

/// Whether the page has a value in words, or as a place in a row, whatever it counts: *3 kids* and *three children*, *10 years* and
/// *a decade*, *9 wins* and *the ninth win*.
fn spelled_out(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    let mut all = case.agreeing(q);
    q.upper.is_none()
        && (all.any(|other| other.spelled && compare(q, other) == Agreement::Same || is_place_of(q, other))
            || has_its_word(case, q)
            || is_one_of_so_many(case, q))
}

/// One of so many of a thing: *one job in eight*, *one household out of every five*, *eine von acht Stellen*.
static ONE_OF: LazyLock<Regex> = LazyLock::new(|| {
    let words = |class| table::words(include_str!("data/one_of.tsv"), class).collect::<Vec<_>>().join("|");
    let (one, of) = (words("one"), words("of"));
    Regex::new(&format!(r"(?i)\b(?:{one})(?: [\p{{L}}-]+){{0,2}} (?:{of}) ([\p{{L}}\d]+)")).expect("a fixed pattern")
});

/// The numbers of which a page says *one of so many*.
fn ones_of(page: &str) -> Vec<f64> {
    let numbers = ONE_OF.captures_iter(page).filter_map(|found| quantities(&found[1]).first().map(|many| many.value));
    numbers.filter(|many| *many > 1.0).collect()
}

/// Whether a page tells a percentage as one of so many: 12.5% as *one job in eight*.
fn is_one_of_so_many(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    let ones = || case.once.ones.get_or_init(|| ones_of(case.index.text())).iter();
    q.measure == Measure::Percent && ones().any(|many| (100.0 / many - q.value.abs()).abs() <= q.tolerance + 0.5)
}

/// Whether a place in a row is that of the last of so many things.
fn is_place_of(q: &Quantity, place: &Quantity) -> bool {
    q.measure == Measure::Count && place.measure == Measure::Ordinal && (q.raw - place.raw).abs() < f64::EPSILON
}

/// Values that have a word of their own, and what pages write for them.
static OWN_WORDS: LazyLock<Vec<(Quantity, Vec<&'static str>)>> = LazyLock::new(|| {
    let table = table::read(include_str!("data/own_words.tsv"));
    table.into_iter().filter_map(|(value, words)| Some((quantities(value).into_iter().next()?, words))).collect()
});

fn has_its_word(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    let mut own = OWN_WORDS.iter().filter(|(value, _)| compare(q, value) == Agreement::Same).peekable();
    if own.peek().is_none() {
        return false;
    }
    let page = case.once.lower.get_or_init(|| case.index.text().to_lowercase());
    // *Halb*, and not *deshalb*.
    let begins = |at: usize| !page[..at].ends_with(char::is_alphanumeric);
    own.any(|(_, words)| words.iter().any(|word| page.match_indices(word).any(|(at, _)| begins(at))))
}

/// Whether the page has nothing of one end of a range: *2 to 9 months* where it only has *3 months*.
fn end_of_range_is_nowhere(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    let Some(upper) = q.upper else { return false };
    let written = q.span.of(case.claim);
    let figures: Vec<&str> = written
        .split(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')
        .map(|figures| figures.trim_matches(['.', ',']))
        .filter(|figures| !figures.is_empty())
        .collect();
    let [low, high] = figures.as_slice() else { return false };
    let year = matches!(q.measure, Measure::Date(_));
    [(q.value, *low), (upper, *high)].into_iter().any(|(value, figures)| {
        let end = Quantity { value, raw: figures.replace(',', "").parse().unwrap_or(value), upper: None, ..q.clone() };
        let same = |other: &Quantity| match (other.measure, year) {
            (Measure::Date(date), true) => date.year == Some(value as i32) || other.upper == Some(value),
            _ => {
                let agreement = compare(&end, other);
                agreement == Agreement::Same || agreement == Agreement::Compatible && other.upper.is_none()
            }
        };
        let mut like = case.index.agreeing(&end).into_iter().chain(case.index.between(value.abs(), value.abs()));
        !like.any(same) && !figures_stand(case, q, figures)
    })
}

/// Whether the page has no date with the claim's year, or none with its month and day: *November 2, 2005* where the page
/// has *November 2* and no 2005.
fn part_of_date_is_nowhere(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    let Measure::Date(mine) = q.measure else { return false };
    if mine.swappable || mine.month.is_none() || q.upper.is_some() {
        return false;
    }
    let year = mine.year.is_some_and(|year| {
        let written = memchr::memmem::find(case.index.text().as_bytes(), year.to_string().as_bytes()).is_some();
        let of_it = |other: &Quantity| matches!(other.measure, Measure::Date(date) if date.year == Some(year));
        let size = f64::from(year).abs();
        !written && !case.index.between(size, size).into_iter().any(of_it)
    });
    let all = case.index.quantities();
    let days = case.once.days.get_or_init(|| Keyed::new(all.iter().map(day_of)));
    let has = |day: u64| days.of(day, all).next().is_some();
    let day = mine.day.is_some() && day_of(q).is_some_and(|day| !has(day) && !has(SWAPPABLE));
    year || day
}

/// The key of a date whose day and month may stand in either order.
const SWAPPABLE: u64 = 0;

/// A key of the day and month of a date.
fn day_of(q: &Quantity) -> Option<u64> {
    let Measure::Date(date) = q.measure else { return None };
    let part = |part: Option<u8>| part.map_or(0, |part| 1 + u64::from(part));
    Some(if date.swappable { SWAPPABLE } else { 1 + (part(date.month) << 16 | part(date.day)) })
}

/// Another value of the same kind in the passage that has most of the claim, while the claim's own stands only where the
/// page speaks of something else. A sign, and no proof.
pub(super) fn displaced<'i>(case: &Case<'_, 'i, '_>, q: &Quantity, near: f64) -> Option<(usize, &'i Quantity)> {
    // A claim of several sentences has its words in several passages; a number in quotation marks is part of a name.
    let several = case.claim.match_indices(". ").any(|(at, _)| case.claim[at + 2..].starts_with(char::is_uppercase));
    let quoted = q.span.after(case.claim).starts_with(['"', '”', '’']);
    if several || quoted || is_decade(case.claim, q) || has_both_years(case, q) || ends_a_name(case, q) {
        return None;
    }
    if !case.complete || q.spelled || near > DISPLACED_NEAR * case.best || case.best < DISPLACED_RECALL {
        return None;
    }
    let window = case.windows.first()?;
    let free = |other: &&&Quantity| {
        compare(q, other) == Agreement::Different
            && same_kind(case, q, other)
            && !case.quantities.iter().any(|mine| compare(mine, other) >= Agreement::Compatible)
    };
    let others = case.index.quantities_of(window.first, window.last).iter();
    let other = others.collect::<Vec<_>>().iter().find(free).copied().filter(|other| !follows_from(case, q, other))?;
    Some((case.index.sentence_at(other.span.start), other))
}

/// Whether a sentence that has most of the claim gives one other value of the same kind where the claim has its own: a
/// value in the sentence beside it then belongs to something else.
pub(super) fn overshadowed(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    let Some(window) = case.windows.first() else { return false };
    let fullest = (window.first..=window.last)
        .map(|sentence| (case.lookup.recall(sentence, sentence), sentence))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let Some((_, sentence)) = fullest.filter(|(recall, _)| *recall >= OVERSHADOWING) else { return false };
    let others: Vec<&Quantity> =
        case.index.quantities_of(sentence, sentence).iter().filter(|other| same_kind(case, q, other)).collect();
    let taken = |other: &Quantity| case.quantities.iter().any(|mine| compare(mine, other) >= Agreement::Compatible);
    matches!(others.as_slice(), [one] if !taken(one))
}

/// Whether a number names a decade (`the 1990's`, `the 50s`), which is seldom written twice in the same way.
pub(super) fn is_decade(claim: &str, q: &Quantity) -> bool {
    let written = q.span.of(claim);
    if q.span.after(claim).starts_with("年代") {
        return true;
    }
    let rest = q.span.after(claim).trim_start_matches(['\'', '’']);
    let plural = rest.strip_prefix('s').is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    q.measure != Measure::Percent && (plural || written.ends_with("0s"))
}

/// Whether the figures of a quantity stand on the page in some form that was not read as a quantity.
fn written_somewhere(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    let written = q.span.of(case.claim);
    let figures: String = written
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
        .collect();
    let figures = figures.trim_end_matches(['.', ',']);
    !figures.is_empty() && figures_stand(case, q, figures)
}

/// Whether some figures stand on the page as a number of their own; those of a date or a reference are no amount.
fn figures_stand(case: &Case<'_, '_, '_>, q: &Quantity, figures: &str) -> bool {
    let index = case.index;
    let otherwise = |at: usize| {
        let page = index.quantities();
        let found = page.get(page.partition_point(|other| other.span.end <= at)).filter(|other| other.span.has(at));
        !q.is_temporal()
            && found.is_some_and(|other| {
                matches!(other.measure, Measure::Date(date) if date.month.is_some() || other.upper.is_some())
                    || other.is_label() && other.span.len() > figures.len()
                    || other.has_unit() && compare(q, other) == Agreement::Unrelated
            })
    };
    let text = case.index.text().as_bytes();
    case.figures(figures).into_iter().any(|at| {
        let digit = |i: Option<&u8>| i.is_some_and(u8::is_ascii_digit);
        let before = at.checked_sub(1).and_then(|i| text.get(i));
        let point = |sign: Option<&u8>, beyond: Option<&u8>| matches!(sign, Some(b'.' | b',')) && digit(beyond);
        let end = at + figures.len();
        // Those of an address are none: *?page=1*.
        let joined = |sign: Option<&u8>| matches!(sign, Some(b'=' | b'&' | b'_' | b'#'));
        !digit(before)
            && !joined(before)
            && !joined(text.get(end))
            && !otherwise(at)
            && !digit(text.get(end))
            && !point(before, at.checked_sub(2).and_then(|i| text.get(i)))
            && !point(text.get(end), text.get(end + 1))
    })
}

/// Counts up to here are told in many ways, and can be counted out.
const SMALL_COUNT: f64 = 12.0;

/// Whether the absence of a value from the whole page proves that the page does not support it. Years and small round
/// counts can be worked out from other words.
pub(super) fn proves(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    !is_of_many(case) && !is_a_threshold(case, q) && proves_by_itself(q)
}

/// Whether a value only parts others: *longer than 250 m*, *no park had 100,000 visitors*. A page that has those others need not say it.
fn is_a_threshold(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    let before = || case.words.iter().rev().find(|word| word.span.end <= q.span.start);
    let opening = || case.words.iter().find(|word| !word.stop || cues::has(word, cues::Class::NoneOf));
    before().is_some_and(cues::compares) || opening().is_some_and(|word| cues::has(word, cues::Class::NoneOf))
}

/// Whether a claim says that it gives a sum or a mean: that may come from values of any places, and of any number of them.
pub(super) fn is_of_many(case: &Case<'_, '_, '_>) -> bool {
    let of_many = |word: &Word| cues::has(word, cues::Class::Together) || cues::has(word, cues::Class::Mean);
    case.words.iter().any(of_many) || cues::adds_up_in_a_phrase(case.claim) || cues::means_in_a_phrase(case.claim)
}

/// Whether a value is told in one way only, and cannot be counted out.
pub(super) fn proves_by_itself(q: &Quantity) -> bool {
    if q.spelled || q.bound != Bound::Exact && q.bound != Bound::About {
        return false;
    }
    match q.measure {
        Measure::Percent | Measure::Points | Measure::Money(_) | Measure::Version(..) => true,
        Measure::Physical(_) => q.raw.fract() != 0.0 || q.raw.abs() >= 10.0,
        Measure::Count => q.raw.fract() != 0.0 || q.raw.abs() > SMALL_COUNT,
        Measure::Multiple => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::claim::ClaimKind;
    use crate::judge::{ClaimText, Settings, SourceText, Standing, judge};

    /// Pages, and claims whose number is not missing there, though it is not written.
    const TOLD_OTHERWISE: [(&str, &str); 17] = [
        ("Tourism accounts for one job in eight.", "Tourism accounts for 12.5% of all jobs."),
        ("It cut the supply by about a quarter.", "It cut the supply by around 25%."),
        ("By December 1.16 million people held the pass.", "In December 1.16 million people held the pass."),
        ("The city has half a million people.", "The city has 500,000 people."),
        ("The bridge stood for a decade, then fell.", "The bridge stood for 10 years."),
        ("The strike lasted a fortnight.", "The strike lasted 14 days."),
        ("Sales doubled within a year.", "Sales grew by 100%."),
        ("The film runs an hour and a half.", "The film runs 90 minutes."),
        ("The rate rose by half a percentage point.", "The rate rose by 0.5 percentage points."),
        (
            "Replenishment of FGF21 protects mice against atherosclerosis, and lowers adiponectin.",
            "Fibroblast growth factor 21 protects against atherosclerosis.",
        ),
        ("In this trial IL-36 was blocked, and the rash went away.", "Blocking interleukin 36 made the rash go away."),
        ("The king reigned from 1816 to 1828 and was killed by his brothers.", "The king reigned for 12 years."),
        ("The album was released in September 2001 by Epic Records.", "The album was released before 2005."),
        (
            "The album sold 757,000 copies in its first year.",
            "The album sold more than 100,000 copies in its first year.",
        ),
        (
            "Published on 12 March 2018. The pay gap of the two actors came to light last year, when the film was shot again.",
            "The pay gap of the two actors came to light in 2017.",
        ),
        (
            "The song was produced by Sonny Digital and features Kanye West.",
            "The 2 Chainz song was produced by Sonny Digital.",
        ),
        ("The book is part of the series by Lewis.", "The book is 1 part of the series by Lewis."),
    ];

    /// Pages, and claims whose number comes from theirs: that it is nowhere proves nothing.
    const WORKED_OUT: [(&str, &str); 26] = [
        (
            "Une campagne a coûté 8,6 millions d'euros, financés pour moitié par l'État.",
            "L'État a financé la moitié des 8,6 millions d'euros de la campagne, soit 4,3 millions.",
        ),
        (
            "Im Jahr 2023 wurden 142 600 Tonnen geerntet. Das waren 11,3 % weniger als im Vorjahr (160 800 Tonnen).",
            "Im Jahr 2023 wurden rund 142.600 Tonnen geerntet, gut 18.000 Tonnen weniger als 2022.",
        ),
        (
            "Table 1. Labour market status, thousands\n| Status | 2022 | 2023 | 2024 |\n| Employed | 2,809 | 2,822 | 2,840 |",
            "Employment reached 2.84 million, an increase of 31,000 over the year.",
        ),
        (
            "Ana Diallo scored 31 points as the Falcons beat the Meteors.\n| Team | Q1 | Q2 | Q3 |\n| Meteors | 22 | 19 | 15 |",
            "The Meteors scored 41 points in the first half.",
        ),
        (
            "Le coût s'élève à 19,7 millions d'euros. Le département en a payé 55 %, la région 25 % et l'État le reste.",
            "L'État a financé 20 % du coût.",
        ),
        ("Ninety-four enrolled, and eighty-seven completed it.", "87 of the 94 (93%) completed it."),
        (
            "| Parser | Seconds |\n| AVX2 | 2.9 |\n| scalar | 7.8 |",
            "The AVX2 parser is 2.7 times as fast as the scalar one.",
        ),
        (
            "Passengers rose to 31.4 million. The capital handled 71% of them.",
            "The capital handled 22 million passengers.",
        ),
        ("The scheme costs £3.7m. The fund pays £2.6m; the council pays the rest.", "The council pays £1.1m."),
        ("Share of tippers | 2019 | 2023\nTaxi | 59 | 47", "The share of taxi tippers fell by 12 points."),
        ("Jobs, thousands\nManufacturing | 141.2 | 137.5", "Manufacturing had 3,700 fewer jobs."),
        ("Jobs, thousands\nHealth | 92.6 | 97.4", "Health had 97,400 jobs."),
        ("A ticket on the ferry costs 5 euros.", "Two tickets on the ferry cost 10 euros."),
        ("One way on bus 170 costs 94 lor.", "A return trip on bus 170 costs 188 lor."),
        ("The camp has 20 tents with 26 beds each.", "The camp has 520 beds in its tents."),
        ("The river rose by 2.7 metres in 9 hours.", "On average the river rose by 30 centimetres an hour."),
        ("Nutrition for one portion: 298 kcal, 8 g protein.", "Six portions have about 1,800 kcal in total."),
        (
            "About 2,350 machines stand in Lor, one for every 1,900 inhabitants.",
            "Lor has roughly 4.5 million inhabitants.",
        ),
        (
            "The association puts the need at 6 billion. The programme has 2.4 billion.",
            "The need is 3.6 billion higher than the programme.",
        ),
        ("Of the water 40% comes from wells, the rest from the lake.", "Of the water 60% comes from the lake."),
        ("The Ravens lost, though Copperfield had 58% of possession.", "The Ravens had 42% of possession."),
        (
            "Le port a traité 12,6 millions de tonnes en 2018, soit 0,7 million de plus qu'en 2017.",
            "Le port avait traité 11,9 millions de tonnes en 2017.",
        ),
        (
            "In the test eight units ran; one pump of a unit failed.",
            "One of the eight units in the test, or 12.5%, failed.",
        ),
        ("Tolls were charged from 1961, and abolished in 1984.", "Tolls were charged for about 23 years."),
        (
            "Cargo, million tonnes\n| Port | 2022 | 2023 |\n| Averill | 5.9 | 5.6 |\n| Tarn | 4.3 | 3.9 |\n\nAverill and Tarn together handled 9.5 million tonnes.",
            "In 2022 Averill and Tarn together handled 10.2 million tonnes.",
        ),
        (
            "Ремонт обошёлся в 63 миллиона рублей. Две трети суммы дала область.",
            "Область дала 42 млн рублей на ремонт.",
        ),
    ];

    #[test]
    fn the_absence_of_what_may_be_worked_out_proves_nothing() {
        let judged = |page, claim| {
            judge(&ClaimText::new(claim, ClaimKind::Quantitative), &SourceText::new(page, ""), &Settings::default())
        };
        for (page, claim) in WORKED_OUT {
            let verdict = judged(page, claim);
            assert!(!verdict.hard || verdict.standing == Standing::Supported, "{claim}: {verdict:?}");
        }
        let page = "The scheme costs £3.7m. The fund pays £2.6m; the council pays the rest.";
        assert!(judged(page, "The council pays £1.9m.").hard);
        for (page, claim) in [
            ("A ticket on the ferry costs 5 euros.", "Two tickets on the ferry cost 12 euros."),
            ("The camp has 20 tents with 26 beds each.", "The camp has 480 beds in its tents."),
            ("Of the water 40% comes from wells, the rest from the lake.", "Of the water 70% comes from the lake."),
            (
                "The model scores 49.2% on the test of 2,000 questions.",
                "The model scores 94.2% on the test of 2,000 questions.",
            ),
        ] {
            assert!(judged(page, claim).hard, "{claim}");
        }
    }

    #[test]
    fn a_number_that_follows_or_names_is_not_missing() {
        for (page, claim) in TOLD_OTHERWISE {
            let verdict =
                judge(&ClaimText::new(claim, ClaimKind::Plain), &SourceText::new(page, ""), &Settings::default());
            assert!(!verdict.reason.starts_with("number not"), "{claim}: {verdict:?}");
        }
    }

    #[test]
    fn a_number_in_the_name_of_something_else_is_missing() {
        for (page, claim) in [
            ("Replenishment of FGF21 protects mice.", "Tumour necrosis factor 21 protects mice."),
            ("Replenishment of FGF21 protects mice.", "Fibroblast growth factor 23 protects mice."),
            ("The route A36 was closed.", "An accident closed it for 36 days."),
            ("Deshalb wuchs der Umsatz innerhalb der Firma.", "Der Umsatz wuchs um 50%."),
        ] {
            let verdict =
                judge(&ClaimText::new(claim, ClaimKind::Plain), &SourceText::new(page, ""), &Settings::default());
            assert!(verdict.reason.starts_with("number not"), "{claim}: {verdict:?}");
        }
    }

    #[test]
    fn figures_of_an_address_are_no_amount() {
        let page = "The number is less than 20% of the species. See https://db.example/Article?pub=12&page=1 for more.";
        let claim = ClaimText::new("The number is 1% of the species.", ClaimKind::Plain);
        let verdict = judge(&claim, &SourceText::new(page, ""), &Settings::default());
        assert!(verdict.reason.starts_with("number not"), "{verdict:?}");
    }

    #[test]
    fn what_is_said_to_be_about_a_value_is_no_other_one() {
        for (page, claim, against) in [
            // The page says about, and the claim says exactly, or the other way round.
            (
                "Quelque 48 000 personnes ont franchi les portes du musée.",
                "Le musée a accueilli 48 200 visiteurs.",
                false,
            ),
            ("About 48,000 people came through its doors.", "The museum had 48,200 visitors.", false),
            ("About 48,000 people came through its doors.", "Le musée a accueilli 48\u{a0}200 visiteurs.", false),
            ("Exactly 48,213 people came through its doors.", "The museum had about 48,000 visitors.", false),
            (
                "48\u{202f}213 personnes ont franchi ses portes.",
                "Le musée a accueilli environ 48 000 visiteurs.",
                false,
            ),
            ("About 48,000 people came through its doors.", "The museum had 61,300 visitors.", true),
            ("48,213 people came through its doors.", "The museum had about 61,000 visitors.", true),
        ] {
            let page = format!("The museum stands on the quay. {page} It is closed on Mondays.");
            let claim = ClaimText::new(claim, ClaimKind::Plain);
            let verdict = judge(&claim, &SourceText::new(&page, ""), &Settings::default());
            let found =
                verdict.reason.starts_with("number not in source") || verdict.standing == Standing::Contradicted;
            assert_eq!(found, against, "{claim:?} by {page}: {verdict:?}");
        }
    }
}
