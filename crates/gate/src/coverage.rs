//! Whether a ledger speaks for its summary: every statement occurs in it, every quantity and quotation is covered.
//!
//! A quantity is covered by a number claim whose statement holds it and whose value it is; only then does verifying the
//! claim verify what a reader reads. Dates and times say which rows are meant: they have to stand in a statement. A
//! quotation is covered by a citation claim that quotes its words.

use std::cell::OnceCell;
use std::collections::HashSet;

use memchr::memmem;
use serde::{Deserialize, Serialize};

use super::ledger::{Body, Ledger};
use cited_core::pattern::Pattern;
use cited_judge::direction::{self, Direction, Way};
use cited_text::Span;
use cited_text::fold::Folded;
use cited_text::quantity::{Bound, HIDDEN, Measure, Quantity, Unreadable, figures, quantities, says_when};
use cited_text::quotation::{FEWEST_WORDS, Quotation, more_quotations, quotations};
use cited_text::sentence::sentences;

/// Marks of words left out of a statement.
static GAP: Pattern = Pattern::new(r"\[(?:\.\.\.|…)\]|\.\.\.|…");
/// A statement that occurs more often than this is no statement.
const MOST_OCCURRENCES: usize = 256;
/// *About* allows this part of the number.
const ABOUT: f64 = 0.05;

/// What a summary says that has to be covered.
#[derive(Debug)]
pub struct Summary<'a> {
    text: &'a str,
    folded: Folded,
    /// Those that have to be covered, with the figures that are none as documents are read; the two ends of a range are two.
    quantities: Vec<Quantity>,
    unreadable: Vec<Unreadable>,
    /// Those that have to be covered.
    pub quotations: Vec<Quotation>,
    sentences: OnceCell<Vec<Span>>,
}

/// Something that a summary says and no claim speaks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Uncovered {
    /// The words.
    pub text: String,
    /// Its bytes in the summary.
    pub span: Span,
    /// Why it is not covered.
    pub reason: String,
}

/// How the claims of a ledger stand to its summary.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Coverage {
    /// What no claim speaks for.
    pub uncovered: Vec<Uncovered>,
    /// For each claim of the ledger what is wrong with its statement.
    pub faults: Vec<Option<String>>,
    /// Quantities and quotations of the summary that have to be covered.
    pub required: usize,
}

/// Whether a quantity of a summary has to be covered.
fn is_required(quantity: &Quantity) -> bool {
    match quantity.measure {
        Measure::Label | Measure::Ordinal => false,
        Measure::Ratio => true,
        // "One" is mostly a pronoun; "three of four regions" are numbers that can be counted.
        Measure::Count if quantity.spelled => quantity.value.abs() >= 2.0 || quantity.value.fract() != 0.0,
        _ => quantity.is_measured(),
    }
}

impl<'a> Summary<'a> {
    /// Reads a summary.
    pub fn new(text: &'a str) -> Self {
        let mut quotations = quotations(text);
        quotations.extend(more_quotations(text, &quotations));
        quotations.sort_by_key(|quotation| quotation.span);
        quotations.retain(|q| q.is_empty() || q.words >= FEWEST_WORDS);
        let mut quantities = quantities(text);
        let (figures, unreadable) = figures(text, &quantities, is_required);
        // What is a part of a figure is covered with it.
        let mut around = figures.iter().peekable();
        quantities.retain(|quantity| {
            while around.next_if(|figure| figure.span.end <= quantity.span.start).is_some() {}
            let part = around.peek().is_some_and(|figure| figure.span.contains(quantity.span));
            is_required(quantity) && (!part || quantity.is_temporal())
        });
        quantities.extend(figures);
        quantities.sort_by_key(|quantity| quantity.span);
        let quantities = quantities.into_iter().flat_map(ends).collect();
        Summary { text, folded: Folded::new(text), quantities, unreadable, quotations, sentences: OnceCell::new() }
    }

    /// Whether it has a number that is no date, or quotes somebody.
    pub fn states_amounts(&self) -> bool {
        self.amounts().next().is_some() || !self.unreadable.is_empty() || !self.quotations.is_empty()
    }

    /// The quantities that a metric has to give: all but dates, times and numbers of weeks and days.
    pub fn amounts(&self) -> impl Iterator<Item = &Quantity> {
        self.quantities.iter().filter(|quantity| !says_when(self.text, quantity))
    }

    /// Where a statement stands in the summary: its words, folded, with `…` for words left out.
    ///
    /// ```
    /// use cited_gate::coverage::Summary;
    /// let text = "Revenue rose 18%; the report calls it “the best week”.";
    /// let summary = Summary::new(text);
    /// assert_eq!(summary.occurrences("revenue rose 18%").len(), 1);
    /// assert_eq!(summary.occurrences("the report calls it …")[0].end, text.len());
    /// assert!(summary.occurrences("Revenue rose 1").is_empty());
    /// ```
    pub fn occurrences(&self, statement: &str) -> Vec<Span> {
        let parts = GAP.split(statement.trim());
        let mut stretches: Vec<String> = parts.map(|part| Folded::new(part).as_str().trim().to_owned()).collect();
        let [open_start, open_end] =
            [stretches.first(), stretches.last()].map(|part| part.is_some_and(String::is_empty));
        // The stop at the end of a statement may be a comma in the summary.
        if let Some(last) = stretches.last_mut() {
            last.truncate(last.trim_end_matches(['.', ';', ',', ':', '!', '?', '。']).len());
        }
        stretches.retain(|part| !part.is_empty());
        let Some((first, rest)) = stretches.split_first() else { return Vec::new() };
        let haystack = self.folded.as_str();
        let mut found = Vec::new();
        for at in memmem::find_iter(haystack.as_bytes(), first.as_bytes()).take(MOST_OCCURRENCES) {
            let mut end = at + first.len();
            let closes = is_whole(haystack, at, end)
                && rest.iter().all(|part| {
                    let from = end;
                    let places = memmem::find_iter(&haystack.as_bytes()[from..], part.as_bytes());
                    let place = places.map(|at| from + at).find(|at| is_whole(haystack, *at, at + part.len()));
                    end = place.map_or(end, |at| at + part.len());
                    place.is_some()
                });
            if closes {
                found.push(self.folded.original(self.text, Span::new(at, end)));
            }
        }
        if !stretches.iter().any(|stretch| stretch.contains(char::is_alphabetic)) {
            // A number alone says of nothing what it is: it speaks for one place.
            found.truncate(1);
        }
        if open_start || open_end {
            let sentences = self.sentences();
            for span in &mut found {
                if let (true, Some(sentence)) = (open_start, sentences.iter().find(|s| s.has(span.start))) {
                    span.start = sentence.start.min(span.start);
                }
                let last = sentences.iter().find(|s| s.start < span.end && span.end <= s.end);
                if let (true, Some(sentence)) = (open_end, last) {
                    span.end = sentence.end;
                }
            }
        }
        found
    }

    fn sentences(&self) -> &[Span] {
        self.sentences.get_or_init(|| sentences(self.text))
    }

    /// What the sentence that a number stands in says of its way. *Halved* says it itself.
    fn read_direction(&self, quantity: &Quantity) -> Direction {
        let (number, exact) = (quantity.span, quantity.bound == Bound::Exact);
        let sentences = self.sentences();
        let before = &sentences[..sentences.partition_point(|sentence| sentence.start <= number.start)];
        let sentence = before.last().map_or(number, |sentence| sentence.cover(number));
        let told = direction::read(self.text, sentence, number, exact);
        let falls = quantity.measure == Measure::Multiple && quantity.value < 1.0;
        Direction { way: told.way.or(falls.then_some(Way::Down)), ..told }
    }
}

/// Whether a place of the folded summary cuts no word and no number.
fn is_whole(text: &str, start: usize, end: usize) -> bool {
    let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !cited_text::script::is_cjk(c));
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let mut before = text[..start].chars().rev();
    let mut after = text[end..].chars();
    let (first, last) = (text[start..end].chars().next(), text[start..end].chars().next_back());
    let (left, right) = (before.next(), after.next());
    let cuts_left =
        word(left) && word(first) || digit(first) && matches!(left, Some('.' | ',')) && digit(before.next());
    let cuts_right =
        word(right) && word(last) || digit(last) && matches!(right, Some('.' | ',')) && digit(after.next());
    !cuts_left && !cuts_right
}

/// What of a summary the claims of its ledger account for, by place in its lists.
#[derive(Default)]
struct Accounted {
    /// Quantities that are values of claims.
    valued: HashSet<usize>,
    /// Quantities that stand in statements.
    stated: HashSet<usize>,
    /// Quotations that are quoted by claims.
    quoted: HashSet<usize>,
}

impl Accounted {
    /// Lets a claim that quotes `text` speak for the quotations of one of the places where its statement stands.
    fn quote(&mut self, summary: &Summary<'_>, text: &str, occurrences: &[Span]) {
        let folded = Folded::new(text);
        let said = |index: &usize| {
            let quotation = &summary.quotations[*index];
            let is_said = || folded.holds(quotation.inner.slice(summary.text));
            !self.quoted.contains(index) && !quotation.is_empty() && is_said()
        };
        // The first of the places where the statement stands that nobody has spoken for.
        let mut each = occurrences.iter().map(|occurrence| {
            let mut of_it = places(&summary.quotations, |q| q.inner, std::slice::from_ref(occurrence));
            of_it.retain(said);
            of_it
        });
        let of_it = each.find(|of_it| !of_it.is_empty()).unwrap_or_default();
        self.quoted.extend(of_it);
    }

    /// What no claim speaks for.
    fn gaps(&self, summary: &Summary<'_>) -> Vec<Uncovered> {
        // What stands inside somebody's words is theirs.
        let is_quoted = |span: Span| {
            let after = summary.quotations.partition_point(|quotation| quotation.span.start <= span.start);
            let last = after.checked_sub(1).filter(|index| self.quoted.contains(index));
            last.is_some_and(|index| summary.quotations[index].span.contains(span))
        };
        let mut uncovered = Vec::new();
        let mut tell = |span: Span, words: Span, reason: &str| {
            let text = words.slice(summary.text).trim().to_owned();
            uncovered.push(Uncovered { text, span, reason: reason.to_owned() });
        };
        // What stands in brackets among them is not.
        let is_theirs = |span: Span| is_quoted(span) && !summary.text[..span.start].trim_end().ends_with('[');
        for (span, why) in summary.unreadable.iter().filter(|(span, why)| *why == HIDDEN || !is_theirs(*span)) {
            tell(*span, *span, why);
        }
        for (index, quantity) in summary.quantities.iter().enumerate() {
            let valued = self.valued.contains(&index) || is_theirs(quantity.span);
            let beside =
                [index.wrapping_sub(1), index + 1].map(|at| summary.quantities.get(at).map(|other| other.span));
            let reason = match (says_when(summary.text, quantity), self.stated.contains(&index), valued) {
                (_, _, true) | (true, true, _) => continue,
                (_, false, _) => "stands in no statement of a claim",
                _ if beside.contains(&Some(quantity.span)) => {
                    "has two ends, and one of them is the value of no claim that states it"
                }
                _ => "is the value of no claim that states it",
            };
            tell(quantity.span, quantity.span, reason);
        }
        for (_, quotation) in summary.quotations.iter().enumerate().filter(|(index, _)| !self.quoted.contains(index)) {
            let reason = if quotation.is_empty() { "quotes nothing" } else { "is quoted by no claim that states it" };
            tell(quotation.span, quotation.inner, reason);
        }
        uncovered.sort_by_key(|gap| gap.span);
        uncovered
    }
}

/// How the claims of a ledger cover its summary. `is_change` says of a metric whether its sign is that of a change.
pub fn coverage(ledger: &Ledger, summary: &Summary<'_>, is_change: &dyn Fn(&str) -> bool) -> Coverage {
    let mut accounted = Accounted::default();
    let mut faults = Vec::with_capacity(ledger.claims.len());
    // What a sentence says of a number is the same for all claims.
    let told: Vec<OnceCell<Direction>> = vec![OnceCell::new(); summary.quantities.len()];
    // For each number claim the quantities that say its value.
    let mut spoken: Vec<Vec<usize>> = Vec::new();
    for claim in &ledger.claims {
        if claim.statement.trim().is_empty() {
            // Already a fault of how it is written.
            faults.push(None);
            continue;
        }
        let occurrences = summary.occurrences(&claim.statement);
        if occurrences.is_empty() {
            faults.push(Some("its statement is not in the summary".to_owned()));
            continue;
        }
        let inside: Vec<usize> = places(&summary.quantities, |q| q.span, &occurrences);
        accounted.stated.extend(&inside);
        let mut fault = None;
        match &claim.body {
            Some(Body::Number(number)) => {
                let (change, value) = (is_change(&number.metric), number.value());
                let said = |index: &usize| {
                    let quantity = &summary.quantities[*index];
                    let told = || *told[*index].get_or_init(|| summary.read_direction(quantity));
                    (*index, says(summary.text, quantity, value, change, told))
                };
                let answers: Vec<(usize, ValueMatch)> = inside.iter().map(said).collect();
                // What only says when needs nobody to speak for it.
                let is_amount = |index: usize| !says_when(summary.text, &summary.quantities[index]);
                let same = answers.iter().filter(|(index, said)| *said == ValueMatch::Same && is_amount(*index));
                // More choice than there are claims is of no use to any.
                spoken.push(same.map(|(index, _)| *index).take(ledger.claims.len()).collect());
                let words = |index: usize| summary.quantities[index].span.slice(summary.text).trim();
                let opposite = answers.iter().find(|(_, said)| *said == ValueMatch::OtherWay);
                fault = match (opposite, answers.iter().find(|(index, _)| is_amount(*index))) {
                    _ if answers.iter().any(|(_, said)| *said == ValueMatch::Same) => None,
                    (Some((index, _)), _) => Some(format!(
                        "its statement says {} in the other direction than its value {value}",
                        words(*index)
                    )),
                    (None, amount) => {
                        amount.map(|(index, _)| format!("its statement says {}, its value is {value}", words(*index)))
                    }
                };
            }
            Some(Body::Citation(citation)) => accounted.quote(summary, &citation.quote, &occurrences),
            None => {}
        }
        faults.push(fault);
    }
    // Each claim speaks for one of its quantities: the same number in two places is said of two things. Claims whose places end first
    // choose first, and take the first that is free: so none takes a place that another needs.
    spoken.sort_by_key(|places| places.last().copied());
    for places in spoken {
        let free = places.into_iter().find(|index| !accounted.valued.contains(index));
        accounted.valued.extend(free);
    }
    Coverage {
        uncovered: accounted.gaps(summary),
        faults,
        required: summary.quantities.len() + summary.unreadable.len() + summary.quotations.len(),
    }
}

/// The places of things that lie in one of the spans. Both are in order of place or nearly so; there are few spans.
fn places<T>(things: &[T], span: impl Fn(&T) -> Span, within: &[Span]) -> Vec<usize> {
    let mut out = Vec::new();
    for around in within {
        let first = things.partition_point(|thing| span(thing).start < around.start);
        for (index, thing) in things.iter().enumerate().skip(first) {
            if span(thing).start >= around.end {
                break;
            }
            if around.contains(span(thing)) {
                out.push(index);
            }
        }
    }
    // A statement may stand in the summary several times, over itself.
    out.sort_unstable();
    out.dedup();
    out
}

/// The ends of a range, each of which is a number of its own: *5–7*; a quantity that is none as it is.
fn ends(quantity: Quantity) -> Vec<Quantity> {
    let is_one = matches!(quantity.measure, Measure::Ratio) || quantity.is_temporal();
    let Some(upper) = quantity.upper.filter(|_| !is_one) else { return vec![quantity] };
    let scale = if quantity.value == 0.0 { 1.0 } else { quantity.raw / quantity.value };
    let far = Quantity { value: upper, raw: upper * scale, alternative: None, ..quantity.clone() };
    [quantity, far].map(|end| Quantity { upper: None, ..end }).into()
}

/// Whether a quantity as written says a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueMatch {
    /// It does.
    Same,
    /// It says another value.
    Other,
    /// It says that it went the other way.
    OtherWay,
}

/// Whether `quantity`, of which its sentence has `told` the way, says `value`: at its own precision, in its own unit or the base unit of its measure
/// (`1.2 million` says 1.2 and 1200000, `18%` says 18 and 0.18), in its direction.
fn says(text: &str, quantity: &Quantity, value: f64, is_change: bool, told: impl FnOnce() -> Direction) -> ValueMatch {
    let scale = if quantity.value == 0.0 || quantity.raw == 0.0 { 1.0 } else { (quantity.raw / quantity.value).abs() };
    let mut readings = vec![(quantity.value, quantity.tolerance), (quantity.raw, quantity.tolerance * scale)];
    readings.extend(read_number(quantity.span.slice(text)));
    readings.extend(quantity.alternative.map(|other| (other, quantity.tolerance)));
    match (quantity.measure, quantity.upper) {
        (Measure::Percent, _) => readings.push((quantity.value / 100.0, quantity.tolerance / 100.0)),
        (Measure::Ratio, Some(upper)) if upper != 0.0 => readings.push((quantity.value / upper, 0.0)),
        (Measure::Date(date), _) => readings.extend(date.year.map(|year| (f64::from(year), 0.0))),
        _ => {}
    }
    let near = |(said, tolerance): &(f64, f64)| {
        let (size, written) = (value.abs(), said.abs());
        let slack = *tolerance + 1e-9 * written.max(size);
        match quantity.bound {
            Bound::AtLeast => size >= written - slack,
            Bound::AtMost => size <= written + slack,
            Bound::About => (size - written).abs() <= written * ABOUT + slack,
            Bound::Exact => (size - written).abs() <= slack,
        }
    };
    if !readings.iter().any(near) {
        return ValueMatch::Other;
    }
    let told = told();
    let signed = told.minus || quantity.value < 0.0 || quantity.raw < 0.0;
    let way = told.way.or(told.elsewhere.filter(|_| is_change));
    match (value < 0.0, signed, way) {
        (_, _, Some(Way::Denied)) => ValueMatch::OtherWay,
        (true, true, _) | (false, false, None) => ValueMatch::Same,
        (true, false, Some(Way::Down)) => ValueMatch::Same,
        (true, false, _) | (false, true, _) => ValueMatch::OtherWay,
        (false, false, Some(Way::Down)) if is_change && value != 0.0 => ValueMatch::OtherWay,
        (false, false, Some(_)) => ValueMatch::Same,
    }
}

/// The number of a quantity as its digits say it, without magnitude and unit, and half a unit of its last digit.
fn read_number(quantity: &str) -> Option<(f64, f64)> {
    let start = quantity.find(|c: char| c.is_ascii_digit())?;
    let run = &quantity[start..];
    let all = run;
    let run = &run[..run.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ','))).unwrap_or(run.len())];
    if all[run.len()..].contains(|c: char| c.is_ascii_digit()) {
        // A part of *6×10^3* is not what it says.
        return None;
    }
    let run = run.trim_end_matches(['.', ',']);
    let decimals = run.rsplit_once(['.', ',']).map_or(0, |(_, decimals)| decimals.len());
    // Three digits behind a comma are thousands, other than three a fraction.
    let plain = if run.matches(',').count() == 1 && !run.contains('.') && decimals != 3 {
        run.replace(',', ".")
    } else {
        run.replace(',', "")
    };
    let decimals = plain.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    Some((plain.parse().ok()?, 0.5 / 10f64.powf(decimals as f64)))
}
