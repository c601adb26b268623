//! What a source says about a claim: verdicts with the check that decided and the passage. Pure: text in, verdict out.
//!
//! A claim is aligned with each part of the page that may speak to it; then the [checks] are asked, in the order of one table. It is
//! confirmed by what can be shown, contradicted by proof, and left open otherwise: a reader of words cannot tell what a paraphrase says.

mod align;
pub mod artifact;
mod case;
pub mod certainty;
pub mod checks;
pub mod conflict;
mod cues;
mod derived;
pub mod direction;
pub mod evidence;
pub mod identity;
pub mod made_up;
mod only;
pub mod outside;
mod page;
mod pair;
pub mod polarity;
mod proof;
pub mod quotations;
pub mod retracted;
mod settings;
mod verbatim;

pub use cited_core::verdict::{Check, CheckKind, CheckResult, Derivation, Standing, Verdict};
pub use page::SourceText;
pub use pair::ClaimText;
pub use settings::{Settings, SkippedChecks};

use std::mem::discriminant;

use align::{Account, Token};
use checks::{Clash, Found, Strength};
use pair::Pair;

use cited_core::claim::labelled;
use cited_core::verdict::Passage;
use cited_text::quantity::{Agreement, Quantity, compare};
use cited_text::words::{RARE, Word, rarity, words};

/// A longer text, in bytes, is no sentence: each of its values would be held against all others, here and on the page.
const LONGEST_CLAIM: usize = 4096;
/// How much words that are accounted for, and no more, say for a claim of which all are: with half of them it is weak at the least, …
const WORDS_ALONE: f64 = 0.6;
/// … and by so much, as it is shown, less than what supports it.
const SHORT_OF_SUPPORT: f64 = 0.01;
/// So many words that are not accounted for are named.
const MOST_NAMED: usize = 4;

/// Judges a claim by a page.
///
/// ```
/// use cited_core::claim::ClaimKind;
/// use cited_judge::{ClaimText, Settings, SourceText, Standing, judge};
/// let page = SourceText::new("The model scores 49.2% on MMLU.", "");
/// let claim = ClaimText::new("The model scores 94.2% on MMLU.", ClaimKind::Quantitative);
/// let verdict = judge(&claim, &page, &Settings::default());
/// assert_eq!(verdict.standing, Standing::Contradicted);
/// assert_eq!(verdict.check.as_deref(), Some("other-number"));
/// assert_eq!(verdict.reason, "number not in source: 94.2% (source has 49.2%)");
/// ```
pub fn judge(claim: &ClaimText<'_>, source: &SourceText<'_>, settings: &Settings) -> Verdict {
    if source.index.is_empty() {
        return Verdict::unchecked("no text to judge by");
    }
    if claim.text.len() > LONGEST_CLAIM {
        return Verdict::unchecked("too long to be judged as one statement");
    }
    let verdict = judge_words(claim, source, settings);
    // *Price: a ticket costs 12 euros*: a label is its writer's, and saves no number that stands behind it. One with a number says when.
    let is_open = matches!(verdict.standing, Standing::Weak | Standing::Unverifiable);
    let says_when = |label: &str| label.contains(|c: char| c.is_ascii_digit());
    let Some((label, text)) = labelled(claim.text).filter(|(label, _)| is_open && !says_when(label)) else {
        return verdict;
    };
    let behind = judge_words(&ClaimText { text, ..*claim }, source, settings);
    // Nor does it take anything from a sentence of the page, unless it may be the name of somebody or something else.
    let is_a_name = |word: Word| word.capital && rarity(word.key) >= RARE && !source.index.has(word.key);
    let is_said = || behind.check.as_deref() == Some("verbatim") && !words(label).any(is_a_name);
    if behind.against.is_some() || is_said() { behind } else { verdict }
}

fn judge_words(claim: &ClaimText<'_>, source: &SourceText<'_>, settings: &Settings) -> Verdict {
    let pair = Pair::new(claim, source, &settings.without);
    match checks::decide(&pair) {
        Some((check, found)) => decide_verdict(&pair, check, found, settings),
        None => undecided(&pair, settings),
    }
}

/// Words of a claim that a page does not have among those around them that it has, and what it has there instead; empty where that is
/// nothing. *Reading is 40% slower* by *Reading is 40% faster*, *is always written* by *is never written*: a reader of words cannot tell
/// that it is another thing, nor that it is the same.
///
/// ```
/// use cited_core::claim::ClaimKind;
/// use cited_judge::{ClaimText, SourceText, replaced};
/// let (claim, page) = (ClaimText::new("Reading is 40% slower.", ClaimKind::Plain), SourceText::new("Reading is 40% faster.", ""));
/// assert_eq!(replaced(&claim, &page), Some(("slower".to_owned(), "faster".to_owned())));
/// ```
pub fn replaced(claim: &ClaimText<'_>, source: &SourceText<'_>) -> Option<(String, String)> {
    let all = SkippedChecks::new();
    let pair = Pair::new(claim, source, &all);
    let unit = pair.units.first()?;
    let has =
        |partners: Option<&[Option<usize>]>| partners.is_some_and(|partners| partners.iter().any(Option::is_some));
    let is_within = |gap: &align::Gap| {
        let ends = gap.claimed.first().zip(gap.claimed.last());
        ends.is_some_and(|(first, last)| has(unit.partners.get(..*first)) && has(unit.partners.get(last + 1..)))
    };
    let gap = unit.gaps().into_iter().find(|gap| !gap.found.is_empty() || is_within(gap))?;
    let words = |text: &str, of: &[align::Token], places: &[usize]| {
        let words: Vec<&str> = places.iter().map(|at| of[*at].span().slice(text)).collect();
        words.join(" ")
    };
    Some((words(claim.text, &pair.claim.tokens, &gap.claimed), words(pair.page(), &unit.tokens, &gap.found)))
}

/// The verdict of a check that found something.
fn decide_verdict(pair: &Pair<'_>, check: &'static checks::Check, found: Found, settings: &Settings) -> Verdict {
    let Found { span, reason, claimed, on_page: told, shown } = found;
    let wrong = check.wrong();
    let weak = (WORDS_ALONE * covered(pair)).min(settings.supported - SHORT_OF_SUPPORT).max(settings.weak);
    let (standing, confidence, hard) = match check.strength {
        // The user asked for more than it gives.
        Strength::Supports if check.right < settings.supported => (Standing::Weak, check.right, false),
        Strength::Supports => {
            (Standing::Supported, check.right, check.kind != CheckKind::Wording || check.id == "verbatim")
        }
        Strength::Contradicts => (Standing::Contradicted, wrong, true),
        Strength::Denies => (Standing::Contradicted, wrong, false),
        // What the page has of the numbers says something, if too little: more than nothing, less than all.
        Strength::Lacks if check.kind == CheckKind::Quantity => {
            let numbers: Vec<&Quantity> = pair.claim.quantities.iter().filter(|q| q.is_measured()).collect();
            let found = numbers.iter().filter(|q| is_on_page(pair, q)).count();
            let part = (1 + found) as f64 / (1 + numbers.len()) as f64;
            (Standing::Unverifiable, (wrong * part * 1000.0).round() / 1000.0, true)
        }
        Strength::Lacks => (Standing::Unverifiable, wrong, true),
        Strength::Weakens => (Standing::Weak, weak, false),
    };
    let result = match check.strength {
        Strength::Supports => CheckResult::Agrees,
        Strength::Lacks => CheckResult::Absent { claimed },
        Strength::Contradicts if told.is_empty() => CheckResult::Absent { claimed },
        _ => CheckResult::Differs { claimed, found: told },
    };
    let against = (standing != Standing::Supported && hard).then_some(check.kind);
    let derivation = shown.map(|shown| Derivation {
        operands: shown.operands.iter().map(|at| pin(pair, *at)).collect(),
        written: shown.written,
    });
    let checks = vec![Check { kind: check.kind, result }];
    let passage = span.filter(|span| !span.is_empty()).map(|span| pin(pair, span));
    let cut_before = pair.quoted.iter().find_map(|quoted| quoted.cut_before.clone());
    let check = Some(check.id.to_owned());
    Verdict { standing, confidence, hard, against, checks, passage, derivation, check, reason, cut_before }
}

fn is_on_page(pair: &Pair<'_>, q: &Quantity) -> bool {
    pair.source.index.agreeing(q).any(|other| compare(q, other) == Agreement::Same)
}

/// The verdict where no check found anything: what of the claim is accounted for, and what is not.
fn undecided(pair: &Pair<'_>, settings: &Settings) -> Verdict {
    let covered = covered(pair);
    let confidence = (WORDS_ALONE * covered).min(settings.supported - SHORT_OF_SUPPORT);
    let numbers = || pair.claim.quantities.iter().filter(|q| q.is_measured());
    let has_numbers = numbers().next().is_some() && numbers().all(|q| is_on_page(pair, q));
    // All of its numbers are something, if nothing else of it is there.
    let confidence = if has_numbers && covered > 0.0 { confidence.max(Settings::default().weak) } else { confidence };
    // What a value that the page lacks may have been worked out from, for a person.
    let lacking = |q: &&Quantity| pair.source.index.agreeing(q).next().is_none();
    let worked_out = || numbers().filter(lacking).find_map(|q| derived::working(&pair.case(), q));
    let (standing, reason) = if has_numbers && pair.is_foreign {
        (Standing::Weak, "the source is in another language; it has the numbers".to_owned())
    } else if let Some(reason) = worked_out().filter(|_| covered > 0.0) {
        (Standing::Weak, reason)
    } else if confidence >= settings.weak && covered > 0.0 {
        (Standing::Weak, lacks_a_value(pair).unwrap_or_else(|| missing(pair)))
    } else {
        (Standing::Unverifiable, lacks_a_value(pair).unwrap_or_else(|| "not found in the source".to_owned()))
    };
    let confidence = if standing == Standing::Weak { confidence.max(settings.weak) } else { confidence };
    let passage = pair.best_span().map(|span| pin(pair, span));
    // What the best part of the page has of each value.
    let accounts = pair.units.first().map_or(&[][..], |unit| &unit.accounts);
    let values = pair.claim.tokens.iter().zip(accounts).filter(|(token, _)| token.is_value());
    let result =
        |account: &Account| if *account == Account::Missing { CheckResult::Unknown } else { CheckResult::Agrees };
    let checks = values.map(|(_, account)| Check { kind: CheckKind::Quantity, result: result(account) }).collect();
    Verdict { standing, confidence, checks, passage, ..Verdict::unchecked(reason) }
}

fn covered(pair: &Pair<'_>) -> f64 {
    // A sum of nothing is less than nothing by its sign.
    pair.units.first().map_or(0.0, |unit| unit.covered.abs())
}

/// The value of a claim that is nowhere on the page, and those of its kind that the sentence nearest to the claim has instead.
fn lacks_a_value(pair: &Pair<'_>) -> Option<String> {
    let unit = pair.units.first()?;
    let (own, q) = unit.missing().find_map(|at| {
        let Token::Value(own, span) = pair.claim.tokens[at] else { return None };
        let (words, q) = (span.slice(pair.claim.text), &pair.claim.quantities[own]);
        let is_there = has_figures(pair, at) || checks::stands_in(pair.page(), words) || is_on_page(pair, q);
        (!is_there).then_some((words, q))
    })?;
    let theirs = unit.other_values().filter(|(_, other)| discriminant(&other.measure) == discriminant(&q.measure));
    let mut theirs: Vec<&str> = theirs.map(|(_, other)| other.span.slice(pair.page())).collect();
    theirs.dedup();
    Some(match theirs.as_slice() {
        [] => format!("“{own}” is not on the page"),
        theirs => {
            format!("“{own}” is not on the page; the sentence nearest to the claim has “{}”", theirs.join("”, “"))
        }
    })
}

/// Whether the page has the figures of a value of the claim, whatever they may be of.
fn has_figures(pair: &Pair<'_>, at: usize) -> bool {
    let Token::Value(_, span) = pair.claim.tokens[at] else { return false };
    let figures = page::numbers_in(span.slice(pair.claim.text));
    let mut figures = figures.split_whitespace().peekable();
    figures.peek().is_some() && figures.all(|own| pair.source.digits().split(' ').any(|number| number == own))
}

/// What of a claim the best part of the page does not say, and the name or value that stands in its place.
fn missing(pair: &Pair<'_>) -> String {
    let Some(unit) = pair.units.first() else { return "not found in the source".to_owned() };
    let told = |text, tokens: &[Token], at: &[usize]| -> Vec<String> {
        let mut names: Vec<_> = at.iter().map(|at| written(text, &tokens[*at]).to_owned()).collect();
        names.dedup();
        names
    };
    let of_claim = |at: &[usize]| -> Vec<String> {
        let at: Vec<usize> = at.iter().copied().filter(|at| !has_figures(pair, *at)).collect();
        let mut told = told(pair.claim.text, &pair.claim.tokens, &at);
        // What the passage has, if of something else, is not missing there.
        told.retain(|own| !checks::stands_in(unit.span.slice(pair.page()), own));
        told
    };
    // A word stands in the place of another between words that both have, and a name in that of a name.
    let is_name = |tokens: &[Token], at: &[usize]| at.iter().all(|at| tokens[*at].is_name());
    let has = |at: Option<usize>| at.and_then(|at| *unit.partners.get(at)?).is_some();
    let in_place = |gap: &align::Gap| {
        let ends = gap.claimed.first().zip(gap.claimed.last());
        ends.is_some_and(|(first, last)| has(first.checked_sub(1)) && has(Some(last + 1)))
            || is_name(&pair.claim.tokens, &gap.claimed) && is_name(&unit.tokens, &gap.found)
    };
    if let [gap] = unit.gaps().as_slice()
        && in_place(gap)
        && let ([own], [other]) = (&*of_claim(&gap.claimed), &*told(pair.page(), &unit.tokens, &gap.found))
    {
        return Clash::new(own, other).reason();
    }
    let missing: Vec<usize> = unit.missing().collect();
    let named: Vec<String> = of_claim(&missing).iter().take(MOST_NAMED).map(|word| format!("“{word}”")).collect();
    match named.as_slice() {
        [] => "the source has these words, but in another order or about something else".to_owned(),
        named => format!("the source says something similar, but without {}", named.join(", ")),
    }
}

/// A word or a bare number with the name that it is a part of: *GPT-3.5*, *Windows 11*, *Llama 3*.
fn written<'t>(text: &'t str, token: &Token) -> &'t str {
    let span = token.span();
    let inside = |c: &char| c.is_alphanumeric() || matches!(c, '-' | '.');
    if !span.slice(text).chars().all(|c| inside(&c)) {
        return span.slice(text);
    }
    let length = |c: char| c.len_utf8();
    let end = span.end + text[span.end..].chars().take_while(inside).map(length).sum::<usize>();
    let mut start = span.start - text[..span.start].chars().rev().take_while(inside).map(length).sum::<usize>();
    if text[start..end].starts_with(|c: char| c.is_ascii_digit()) {
        let head = text[..start].trim_end_matches(' ');
        let name = head.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let is_name = name.contains(char::is_uppercase) && words(name).all(|word| !word.stop);
        start = if is_name { head.len() - name.len() } else { start };
    }
    text[start..end].trim_matches(['-', '.'])
}

fn pin(pair: &Pair<'_>, span: cited_text::Span) -> Passage {
    Passage::pin(pair.page(), &pair.source.text_sha256, span)
}
