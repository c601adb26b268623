//! Everything that is found about a claim on a page, by every check in its order.

use std::cell::OnceCell;

use super::asked::ClaimText;
use super::case::Case;
use super::finding::Finding;
use super::page::SourceText;
use super::passages::read_passages;
use super::polarity::{self, Clash};
use super::quantities::Order;
use super::replaced::{self, Replaced};
use super::signs::{self, SignId};
use super::verdict::CheckResult;
use super::{
    absence, binding, combine, converse, periods, proof, quantities, quotations, speaker, tally, turned, verbatim,
    wording,
};
use crate::evidence::search::{self, Lookup, Window};
use crate::lexicon::Languages;
use crate::quantity::{Habit, Quantity, quantities as find_quantities, quantities_in};
use crate::quotation::{Quotation, quotations as find_quotations};
use crate::text::Span;
use crate::text::language::{self, Spoken};
use crate::text::words::{Word, words};

/// How many windows of a page are looked at for a claim.
const WINDOWS: usize = 5;

/// How much of a page is looked at for its script, in characters.
const SCRIPT_SAMPLE: usize = 20_000;

/// Everything that was found about a claim on a page.
pub(super) struct Examined {
    pub(super) quantities: Vec<Finding>,
    pub(super) quotations: Vec<quotations::Finding>,
    pub(super) order: Order,
    pub(super) clash: Option<(Clash, usize)>,
    /// The best passage.
    pub(super) window: Option<Window>,
    /// Whether the best passage says the same thing in the same words.
    pub(super) says: bool,
    /// The sentence that says it of others than the claim does, and how; asked only where the words may be enough.
    pub(super) misplaced: Option<(usize, SignId, &'static str)>,
    /// The sentence that has another word in the claim's place, and which.
    pub(super) replaced: Option<Replaced>,
    pub(super) features: [f32; wording::FEATURES],
    /// How probable the words make it.
    pub(super) probability: f64,
    /// What the page proves of its values.
    pub(super) proof: proof::Proof,
    /// Whether it says that it gives a sum or a mean.
    pub(super) of_many: bool,
    /// Whether the page is in another language than the claim, as far as can be told.
    pub(super) foreign: bool,
    /// Whether the claim is a quotation and who says it, and the page has both.
    pub(super) said_so: bool,
    /// The part of the claim that is a quotation.
    pub(super) quoted_part: f64,
    /// Where the whole claim stands word for word.
    pub(super) verbatim: Option<Span>,
}

/// Finds everything; from the probability `enough` on, it is also asked what only speaks against support.
pub(super) fn examine(claim: &ClaimText<'_>, source: &SourceText<'_>, enough: f64) -> Examined {
    let text = claim.text;
    let index = &source.index;
    let (mine, languages) = words_of_claim(claim, source);
    let spoken = Spoken { text, languages };
    let quantities: Vec<Quantity> =
        claim.habit.map_or_else(|| find_quantities(text), |habit| quantities_in(text, habit));
    let quotations: Vec<Quotation> = find_quotations(text);
    let mut terms = search::terms(text);
    // Units and magnitudes are compared as quantities; "million" is no word to look for.
    // A unit that is given for another one is written in many ways, *403 kg/ha*, *400 kg per hectare*: its words tell where the page writes
    // it so.
    let told = |q: &Quantity, term: &search::Term| {
        let Some(per) = q.per else { return !q.span.contains(term.span) };
        let (with_it, sign) = (Span::new(q.span.start, per.end), q.span.after(text));
        let is_figure = term.span.of(text).starts_with(|c: char| c.is_numeric());
        !with_it.contains(term.span)
            || !is_figure && index.has(term.key) && (sign.starts_with('/') || !q.span.contains(term.span))
    };
    terms.retain(|term| quantities.iter().all(|q| q.is_label() || told(q, term)));
    let quoted_part = quoted_part(&terms, &quotations);
    let lookup = index.look_up(terms);
    let windows = lookup.windows(WINDOWS);
    let context = context_mask(&lookup, &source.context);
    let best = windows.first().map_or(0.0, |window| window.recall);
    let foreign = !same_language(text, &mine, source);
    let comparable = source.complete && !foreign;
    let quoted = quotations::check(text, &quotations, index, comparable);
    let case = Case {
        claim: text,
        words: &mine,
        languages,
        quantities: &quantities,
        index,
        evidence: source.evidence(),
        once: &source.once,
        lookup: &lookup,
        windows: &windows,
        complete: comparable && !source.data,
        best,
        quoted: quoted.iter().find(|found| found.result == CheckResult::Agrees).and_then(|found| found.span),
        agreeing: vec![OnceCell::new(); quantities.len()],
    };
    let mut found = quantities::check(&case);
    binding::revise(&case, &mut found);
    periods::revise(&case, &mut found);
    let order = quantities::order(&case);
    let stance = polarity::stance_of(spoken, mine.iter().copied());
    let reading = read_passages(spoken, &mine, &stance, index, &lookup, &windows, context);
    let seen = wording::Seen {
        claim: text,
        words: &mine,
        stance: &stance,
        index,
        lookup: &lookup,
        windows: &windows,
        context,
        alignment: &reading.alignment,
        quantities: &found,
        quotations: &quoted,
        order: &order,
        clash: reading.any_clash.as_ref().map(|clash| clash.kind),
    };
    let features = wording::features(&seen);
    let probability = combine::probability(&features);
    let of_many = absence::is_of_many(&case);
    let proof = if foreign { proof::Proof::default() } else { proof::prove(&case, source.evidence(), &found, context) };
    let window = reading.window.or(windows.first().copied());
    let said_so = speaker::said_by_the_same(&case);
    let misplaced = || signs::shown(&case).map(|(sentence, sign)| (sentence, sign.id, sign.note));
    let replaced = replaced::said_with_another_prefix(&case).or_else(|| replaced::said_with_another_word(&case));
    Examined {
        quantities: found,
        quotations: quoted,
        order,
        clash: reading
            .clash
            .filter(|clash| !(tally::counts_others(&case, clash) || converse::tells_from_the_other_side(&case, clash)))
            .or_else(|| turned::turned(&case)),
        window,
        says: reading.says,
        misplaced: (probability >= enough || proof.whole().is_some() || case.quoted.is_some())
            .then(misplaced)
            .flatten(),
        replaced,
        verbatim: verbatim::said(text, &quantities, source, &lookup, &windows),
        features,
        probability,
        proof,
        of_many,
        foreign,
        said_so,
        quoted_part,
    }
}

/// The part of the weight of a claim's words that stands between quotation marks.
fn quoted_part(terms: &[search::Term], quotations: &[Quotation]) -> f64 {
    let weight = |terms: &mut dyn Iterator<Item = &search::Term>| terms.map(|term| term.weight).sum::<f64>();
    let verbatim = |term: &&search::Term| quotations.iter().any(|q| q.is_verbatim() && q.inner.contains(term.span));
    weight(&mut terms.iter().filter(verbatim)) / weight(&mut terms.iter()).max(1e-9)
}

/// The words of a claim, and the languages that it may be in: by its own words, by its document, by the page, and by both together.
fn words_of_claim(claim: &ClaimText<'_>, source: &SourceText<'_>) -> (Vec<Word>, Languages) {
    let beside = claim.habit.map_or(Languages::ALL, Habit::languages);
    let mut mine: Vec<Word> = words(claim.text).collect();
    let mut languages = language::languages_of(claim.text, &mine, beside);
    if languages.only().is_none() {
        let page = source.index.words_of(0, source.index.len().saturating_sub(1));
        let page = source.index.languages().only().map_or_else(
            || language::languages_of_both((claim.text, &mine), (source.index.text(), page)),
            Languages::from,
        );
        languages = languages.narrowed(page);
    }
    mine.iter_mut().for_each(|word| word.spoken = languages);
    (mine, languages)
}

/// The terms of the claim that the page's title or address has.
fn context_mask(lookup: &Lookup<'_, '_>, context: &[u64]) -> u128 {
    let terms = lookup.terms().iter().take(search::MOST_TERMS).enumerate();
    terms.filter(|(_, term)| context.contains(&term.key)).fold(0, |mask, (bit, _)| mask | 1 << bit)
}

/// Whether a claim and a page are written in one language, as far as can be told.
fn same_language(claim: &str, claimed: &[Word], source: &SourceText<'_>) -> bool {
    let unspaced = |c: char| matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}');
    let mut head = source.index.text().chars().take(SCRIPT_SAMPLE);
    if claim.contains(unspaced) && !head.any(unspaced) {
        return false;
    }
    match (language::language_of(claim, claimed), source.language.as_deref()) {
        // Short Japanese without kana looks like Chinese.
        (Some("zh"), Some(theirs)) if theirs.starts_with("ja") => true,
        (Some(mine), Some(theirs)) => theirs.to_lowercase().starts_with(mine),
        _ => true,
    }
}
