//! What a source says about a claim: verdicts with their checks and passages. Pure: text in, verdict out.
//!
//! Hard checks come first and are final: quotations, quantities, the order of a change, polarity. What they leave open
//! is judged by wording, as a calibrated probability that can call a claim weak or unverifiable and never contradicted.

mod absence;
mod agreement;
mod apart;
pub mod artifact;
pub mod binding;
pub mod case;
mod cells;
pub mod certainty;
mod changes;
mod clauses;
mod clock;
pub mod combine;
pub mod conflict;
mod cues;
mod derived;
mod designated;
mod difference;
mod entries;
mod excerpts;
mod exchanged;
pub mod finding;
pub mod identity;
mod labels;
mod limited;
pub mod made_up;
pub mod meaning;
#[cfg(feature = "model")]
pub mod model;
mod neighbours;
mod once;
pub mod outside;
mod parallel;
mod periods;
mod pieces;
pub mod polarity;
mod proof;
pub mod quantities;
pub mod quotations;
mod rates;
pub mod reference;
mod replaced;
pub mod retracted;
mod roles;
mod scale;
mod scope;
mod segments;
mod setting;
pub mod signs;
mod slips;
mod slots;
pub mod softened;
mod spot;
mod subject;
mod swapped;
mod tally;
#[cfg(test)]
mod tests;
pub mod training;
mod undone;
mod verbatim;
pub mod verdict;
mod whose;
pub mod wording;
mod worked_out;
mod years;

pub use designated::speaks_for_another;
pub use verdict::{Check, CheckKind, CheckResult, Derivation, Standing, Verdict};

use std::sync::OnceLock;

use crate::claim::ClaimKind;
use crate::evidence::search::{self, Lookup, Window};
use crate::evidence::{Evidence, Passage, SourceIndex};
use crate::lexicon::Languages;
use crate::quantity::{Habit, Quantity, quantities as find_quantities, quantities_in};
use crate::quotation::{Match, Quotation, QuotedSource, quotations as find_quotations};
use crate::text::Span;
use crate::text::language::{self, Spoken};
use crate::text::layout::Layout;
use crate::text::script::is_cjk;
use crate::text::words::{Word, words};

use case::Case;
use finding::Finding;
use meaning::EntailmentModel;
use once::Once;
use polarity::{Alignment, Clash, ClashKind};
use quantities::Order;
use replaced::Replaced;
use signs::SignId;

/// How many windows of a page are looked at for a claim.
const WINDOWS: usize = 5;
/// A polarity clash decides only in a passage with this part of the claim's words …
const CLASH_RECALL: f64 = 0.8;
/// … of which this part stands in the same order.
const CLASH_ORDERED: f64 = 0.7;
/// A claim is mostly a quotation when this part of its words stands between quotation marks …
const MOSTLY_QUOTED: f64 = 0.6;
/// … and then the source supports it with this probability at least, once the words were found. Set by hand: the labelled
/// sets have too few quotations to measure it.
const VERBATIM: f64 = 0.85;
/// A claim that is a whole sentence of the source is supported with this probability.
const WORD_FOR_WORD: f64 = 0.95;
/// A claim that no passage covers needs so much more probability to be called supported.
const SURER: f64 = 0.15;
/// A passage with this part of the claim's words, in the same order and without a clash, says the same thing.
const SAYS_RECALL: f64 = 0.75;
/// See [`SAYS_RECALL`].
const SAYS_ORDERED: f64 = 0.5;

/// A longer text, in bytes, is no sentence: each of its values would be held against all others, here and on the page.
const LONGEST_CLAIM: usize = 4096;

/// How much of a page is looked at for its script, in characters.
const SCRIPT_SAMPLE: usize = 20_000;

/// A claim, as it is judged.
#[derive(Debug, Clone, Copy)]
pub struct ClaimText<'a> {
    /// The text as a reader sees it, without markers.
    pub text: &'a str,
    /// What kind of statement it is.
    pub kind: ClaimKind,
    /// How its document writes decimals, where that is known.
    pub habit: Option<Habit>,
}

impl<'a> ClaimText<'a> {
    /// A claim of this text and kind.
    pub fn new(text: &'a str, kind: ClaimKind) -> Self {
        ClaimText { text, kind, habit: None }
    }

    /// The same, as part of a document that writes decimals by this habit.
    #[must_use]
    pub fn written_by(mut self, habit: Habit) -> Self {
        self.habit = Some(habit);
        self
    }
}

/// A page, prepared for judging many claims by it.
#[derive(Debug)]
pub struct SourceText<'a> {
    /// The page's text and where its words are.
    pub index: SourceIndex<'a>,
    /// SHA-256 of the text, in hexadecimal.
    pub text_sha256: String,
    /// Whether the text is all there was. Only then does absence prove anything.
    pub complete: bool,
    /// Language tag of the page, when it gives one; else it is guessed.
    pub language: Option<String>,
    /// Keys of the words of the page's title and address.
    context: Vec<u64>,
    /// How the page is laid out, where its markup says so.
    layout: Option<Layout>,
    /// Its units of evidence, read on first use.
    evidence: OnceLock<Evidence>,
    /// What does not depend on the claim.
    once: Once,
}

impl<'a> SourceText<'a> {
    /// Prepares a page that was read whole. Linear in the text.
    pub fn new(text: &'a str, text_sha256: impl Into<String>) -> Self {
        let index = SourceIndex::new(text);
        let language = index.languages().only().map(|language| language.tag().to_owned());
        SourceText {
            index,
            text_sha256: text_sha256.into(),
            complete: true,
            language,
            context: Vec::new(),
            layout: None,
            evidence: OnceLock::new(),
            once: Once::default(),
        }
    }

    /// The same page, with what was cut off or left out kept in mind.
    #[must_use]
    pub fn complete(mut self, complete: bool) -> Self {
        self.complete = complete;
        self
    }

    /// The same page, laid out as its markup says.
    #[must_use]
    pub fn laid_out(mut self, layout: Layout) -> Self {
        self.layout = Some(layout);
        self
    }

    /// The page as a reader sees it, read on first use.
    pub fn evidence(&self) -> &Evidence {
        self.evidence.get_or_init(|| {
            let told = || Layout::of_text(self.index.text());
            self.layout
                .as_ref()
                .map_or_else(|| Evidence::new(&self.index, &told()), |own| Evidence::new(&self.index, own))
        })
    }

    /// Adds what the page's title or address says of its subject: a page about ripgrep need not repeat the name.
    #[must_use]
    pub fn about(mut self, title_or_address: &str) -> Self {
        self.context.extend(words(title_or_address).filter(|word| !word.stop).map(|word| word.key));
        self
    }
}

/// Where probabilities become standings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// From here on a claim is supported, if a hard check or a passage that says the same agrees.
    pub supported: f64,
    /// From here on a claim is weakly supported; below, it is unverifiable.
    pub weak: f64,
    /// A [sign](signs) that is not asked: for measuring what it is worth.
    pub without: Option<SignId>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { supported: 0.6, weak: 0.3, without: None }
    }
}

/// Everything that was found about a claim on a page.
struct Examined {
    quantities: Vec<Finding>,
    quotations: Vec<quotations::Finding>,
    order: Order,
    clash: Option<(Clash, usize)>,
    /// The best passage.
    window: Option<Window>,
    /// The passages that have most of the claim's words, best first.
    windows: Vec<Window>,
    /// Whether the best passage says the same thing in the same words.
    says: bool,
    /// The sentence that says it of others than the claim does, and how; asked only where the words may be enough.
    misplaced: Option<(usize, SignId, &'static str)>,
    /// The sentence that has another word in the claim's place, and which.
    replaced: Option<Replaced>,
    features: [f32; wording::FEATURES],
    /// How probable the words make it.
    probability: f64,
    /// What the page proves of its values.
    proof: proof::Proof,
    /// Whether it says that it gives a sum or a mean.
    of_many: bool,
    /// Whether the page is in another language than the claim, as far as can be told.
    foreign: bool,
    /// The part of the claim that is a quotation.
    quoted_part: f64,
    /// Where the whole claim stands word for word.
    verbatim: Option<Span>,
}

/// Judges a claim by a page.
///
/// ```
/// use cited::claim::ClaimKind;
/// use cited::judge::{ClaimText, Settings, SourceText, Standing, judge};
/// let page = SourceText::new("The model scores 49.2% on MMLU.", "");
/// let claim = ClaimText::new("The model scores 94.2% on MMLU.", ClaimKind::Quantitative);
/// let verdict = judge(&claim, &page, &Settings::default());
/// assert_eq!(verdict.standing, Standing::Contradicted);
/// assert_eq!(verdict.reason, "number not in source: 94.2% (source has 49.2%)");
/// ```
pub fn judge(claim: &ClaimText<'_>, source: &SourceText<'_>, settings: &Settings) -> Verdict {
    judge_with(claim, source, settings, None)
}

/// The same with an entailment model, which is asked about what no hard check decides.
pub fn judge_with(
    claim: &ClaimText<'_>,
    source: &SourceText<'_>,
    settings: &Settings,
    model: Option<&dyn EntailmentModel>,
) -> Verdict {
    if source.index.is_empty() {
        return Verdict::unchecked("no text to judge by");
    }
    if claim.text.len() > LONGEST_CLAIM {
        return Verdict::unchecked("too long to be judged as one statement");
    }
    // A model may carry to support what the words alone do not.
    let enough = if model.is_some() { 0.0 } else { settings.supported };
    let examined = examine(claim, source, enough, settings.without);
    let verdict = decide(source, settings, &examined);
    match model {
        Some(model) if !examined.foreign => {
            meaning::revise(verdict, &examined.question(claim), source, model, settings)
        }
        _ => verdict,
    }
}

impl Examined {
    /// What a model is asked about it.
    fn question<'q>(&'q self, claim: &ClaimText<'q>) -> meaning::Question<'q> {
        let held = self.misplaced.is_some() || self.replaced.is_some();
        meaning::Question { claim: claim.text, windows: &self.windows, held }
    }
}

/// Finds everything; from the probability `enough` on, it is also asked what only speaks against support.
fn examine(claim: &ClaimText<'_>, source: &SourceText<'_>, enough: f64, without: Option<SignId>) -> Examined {
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
        once: &source.once,
        lookup: &lookup,
        windows: &windows,
        complete: comparable,
        best,
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
    let misplaced = || signs::shown(&case, without).map(|(sentence, sign)| (sentence, sign.id, sign.note));
    let replaced = (without != Some(signs::OTHER_WORD))
        .then(|| replaced::said_with_another_prefix(&case).or_else(|| replaced::said_with_another_word(&case)));
    Examined {
        quantities: found,
        quotations: quoted,
        order,
        clash: reading.clash.filter(|clash| !tally::counts_others(&case, clash)).or_else(|| setting::turned(&case)),
        window,
        says: reading.says,
        misplaced: (probability >= enough || proof.whole().is_some()).then(misplaced).flatten(),
        replaced: replaced.flatten(),
        verbatim: verbatim::said(text, source, &lookup, &windows),
        windows,
        features,
        probability,
        proof,
        of_many,
        foreign,
        quoted_part,
    }
}

/// The part of the weight of a claim's words that stands between quotation marks.
fn quoted_part(terms: &[search::Term], quotations: &[Quotation]) -> f64 {
    let weight = |terms: &mut dyn Iterator<Item = &search::Term>| terms.map(|term| term.weight).sum::<f64>();
    let verbatim = |term: &&search::Term| quotations.iter().any(|q| q.is_verbatim() && q.inner.contains(term.span));
    weight(&mut terms.iter().filter(verbatim)) / weight(&mut terms.iter()).max(1e-9)
}

/// What the best passages say, read beside the claim.
struct Reading {
    window: Option<Window>,
    alignment: Alignment,
    /// A clash that decides, and the sentence that it is in.
    clash: Option<(Clash, usize)>,
    /// A clash that may only be a sign.
    any_clash: Option<Clash>,
    says: bool,
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

fn read_passages(
    spoken: Spoken<'_>,
    claimed: &[Word],
    stance: &polarity::Stance,
    index: &SourceIndex<'_>,
    lookup: &Lookup<'_, '_>,
    windows: &[Window],
    context: u128,
) -> Reading {
    let claim = spoken.text;
    let mut reading =
        Reading { window: None, alignment: Alignment::default(), clash: None, any_clash: None, says: false };
    let mut most = -1.0;
    let mut strongest: Option<(Clash, usize)> = None;
    for window in windows.iter().take(3) {
        let alignment = polarity::align(claimed, index, window.first, window.last);
        let recall = lookup.weigh(window.terms | context);
        let languages = index.languages_of(window.first, window.last).narrowed(spoken.languages);
        let page = Spoken { text: index.text(), languages };
        let clash = polarity::opposites(spoken, page, &alignment)
            .or_else(|| polarity::directions(spoken, stance, page, &alignment))
            .or_else(|| polarity::negation(spoken, stance, page, window.span, &alignment));
        // The words that clash are no part of what the two are about.
        let about = clash.as_ref().map_or(0, |clash| clashing_terms(claim, lookup, clash));
        let shared = lookup.weigh((window.terms | context) & !about) / lookup.weigh(!about).max(1e-9);
        let ordered = alignment.ordered_without(about.count_ones() as usize);
        let near = shared >= CLASH_RECALL && ordered >= CLASH_ORDERED && window.first == window.last;
        let denied = polarity::denied_before(stance, page, index.span_of(window.first, window.first), &alignment);
        match &clash {
            Some(clash) if near && strongest.is_none() => {
                let several = setting::has_several_years(index.quantities_of(window.first, window.last));
                let proves = polarity::proves(clash, spoken, stance, page.part(window.span), several);
                strongest = proves.then(|| (clash.clone(), window.first));
            }
            None if recall >= SAYS_RECALL && alignment.ordered >= SAYS_ORDERED && !denied => reading.says = true,
            _ => {}
        }
        if recall + alignment.ordered > most {
            most = recall + alignment.ordered;
            (reading.window, reading.alignment, reading.any_clash) = (Some(*window), alignment, clash);
        }
    }
    // A passage that says the claim as it is outweighs one that seems to deny it.
    if !reading.says && strongest.is_some() {
        let verbatim = claim.trim_end_matches(|c: char| !c.is_alphanumeric());
        let there = QuotedSource::new(index.text(), index.folded()).find(verbatim);
        reading.says = matches!(there, Match::Found(_) | Match::CutShort(..));
        reading.clash = strongest.filter(|_| !reading.says);
    }
    reading
}

/// The terms of the claim that say the contrary of the passage.
fn clashing_terms(claim: &str, lookup: &Lookup<'_, '_>, clash: &Clash) -> u128 {
    let terms = lookup.terms().iter().take(search::MOST_TERMS).enumerate();
    let clashes = |form: &str| match clash.kind {
        ClashKind::Direction => polarity::is_direction(form),
        _ => form == clash.claimed,
    };
    // In writing without spaces a word reaches into the pairs of characters round it.
    let unspaced: Vec<Span> = if clash.claimed.contains(is_cjk) {
        claim.match_indices(clash.claimed.as_str()).map(|(at, word)| Span::new(at, at + word.len())).collect()
    } else {
        Vec::new()
    };
    let reached = |span: Span| unspaced.iter().any(|word| word.overlaps(span));
    let clashes = |span: Span| reached(span) || clashes(&span.of(claim).to_lowercase());
    terms.filter(|(_, term)| clashes(term.span)).fold(0, |mask, (bit, _)| mask | 1 << bit)
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

fn decide(source: &SourceText<'_>, settings: &Settings, examined: &Examined) -> Verdict {
    let (checks, probability) = (checks(examined), examined.probability);
    let index = &source.index;
    let whole = |sentence: usize| index.span_of(sentence, sentence);
    let best = examined.window.map(|window| window.span);
    let cut_before = examined.quotations.iter().find_map(|found| found.cut_before.clone());
    let verdict = |standing, confidence: f64, hard, span: Option<Span>, reason: String| Verdict {
        standing,
        confidence,
        hard,
        against: None,
        checks: checks.clone(),
        passage: span
            .or(best)
            .filter(|span| !span.is_empty())
            .map(|span| Passage::pin(index.text(), &source.text_sha256, span)),
        derivation: None,
        sign: None,
        reason,
        by_words: false,
        cut_before: cut_before.clone(),
    };
    // What is found word for word is said, whatever its parts look like.
    if examined.verbatim.is_some() {
        let reason = "the source says it word for word".to_owned();
        return verdict(Standing::Supported, probability.max(WORD_FOR_WORD), true, examined.verbatim, reason);
    }
    let low = probability.min(settings.weak * 0.5);
    let against = |check, span, reason| Verdict {
        against: Some(check),
        ..verdict(Standing::Contradicted, low, true, span, reason)
    };
    for found in &examined.quotations {
        if found.hard && found.result != CheckResult::Agrees {
            let reason = if found.quotation.is_empty() { "empty quotation" } else { "quote not in source" };
            return against(CheckKind::Quotation, found.span, reason.to_owned());
        }
    }
    let proved = examined.proof.whole().is_some();
    for found in examined.quantities.iter().filter(|_| !proved) {
        // A sum is another value than what it is the sum of.
        let hard = found.hard && !examined.of_many;
        if let (CheckResult::Differs { claimed, found: theirs }, true) = (&found.result, hard) {
            let reason = format!("number not in source: {claimed} (source has {theirs})");
            return against(CheckKind::Quantity, found.sentence.map(whole), reason);
        }
    }
    if let Order::Reversed(sentence, _) = examined.order {
        let reason = "numbers in a different order in source".to_owned();
        return against(CheckKind::Order, Some(whole(sentence)), reason);
    }
    if let Some((clash, sentence)) = &examined.clash {
        // Words that are said to be the source's own are looked for as they are.
        let misquoted = examined.quoted_part >= MOSTLY_QUOTED
            && examined.quotations.iter().any(|found| found.result != CheckResult::Agrees);
        let (check, reason) = if misquoted {
            (CheckKind::Quotation, "quote not in source".to_owned())
        } else {
            (CheckKind::Polarity, clash.reason())
        };
        return against(check, Some(whole(*sentence)), reason);
    }
    if let Some(refuted) = &examined.proof.refuted {
        let at = refuted.place().map(|at| whole(index.sentence_at(at.start)));
        return against(refuted.check().kind, at, refuted.reason());
    }
    let said_otherwise = || {
        let misplaced = examined.misplaced.map(|(sentence, sign, note)| (sentence, sign, note.to_owned()));
        misplaced.or_else(|| replaced(examined))
    };
    let quotations = examined.quotations.iter().all(|found| found.result == CheckResult::Agrees);
    // What else the running text says is no reason to doubt a table.
    let doubted = |shown: &proof::Shown| !shown.is_of_a_table() && said_otherwise().is_some();
    if let Some(shown) = examined.proof.whole().filter(|shown| quotations && !doubted(shown)) {
        let at = shown.place().map(|at| whole(index.sentence_at(at.start)));
        let confidence = probability.max(settings.supported);
        let pin = |span: &Span| Passage::pin(index.text(), &source.text_sha256, *span);
        let operands = shown.operands.iter().map(pin).collect();
        let derivation = Some(Derivation { written: shown.written.clone(), operands });
        return Verdict { derivation, ..verdict(Standing::Supported, confidence, true, at, shown.reason()) };
    }
    // What follows from values of the page, of whatever they are, is not proven absent.
    let proven = |(value, found): &(usize, &Finding)| found.hard && !examined.proof.shows(*value);
    let mut absent: Vec<_> = examined.quantities.iter().enumerate().filter(|_| !proved).collect();
    absent.sort_by_key(|found| !proven(found));
    for (value, found) in absent {
        match &found.result {
            CheckResult::Absent { claimed } => {
                let reason = format!("number not in source: {claimed}");
                let hard = proven(&(value, found));
                let absent = hard.then_some(CheckKind::Quantity);
                return Verdict { against: absent, ..verdict(Standing::Unverifiable, low, hard, None, reason) };
            }
            CheckResult::Differs { claimed, found: theirs } => {
                let reason = format!("number not found for the same thing: {claimed} (the passage has {theirs})");
                return verdict(Standing::Unverifiable, low, false, found.sentence.map(whole), reason);
            }
            _ => {}
        }
    }
    if let Some(working) = examined.quantities.iter().find_map(|found| found.working.as_ref()) {
        let reason = format!("the source has numbers that give {}: {}", working.value, working.from.join(", "));
        let confidence = probability.clamp(settings.weak, settings.supported - f64::EPSILON);
        return verdict(Standing::Weak, confidence, false, Some(whole(working.sentence)), reason);
    }
    if let Some(found) = examined.quotations.iter().find(|found| found.inexact) {
        let reason = "the source has the quotation in slightly other words";
        let confidence = probability.clamp(settings.weak, settings.supported - f64::EPSILON);
        return verdict(Standing::Weak, confidence, false, found.span, reason.to_owned());
    }
    let agreed = examined.quantities.iter().find(|found| found.result == CheckResult::Agrees);
    let quoted = examined.quotations.iter().find(|found| found.result == CheckResult::Agrees);
    let open = examined.quantities.iter().any(|found| found.result != CheckResult::Agrees && !found.quantity.spelled);
    let anchored = !open && (agreed.is_some() || quoted.is_some() || examined.says);
    let span = quoted.and_then(|found| found.span).or(best);
    let translated = examined.foreign
        && !examined.quantities.is_empty()
        && examined.quantities.iter().all(|found| found.on_page && !found.quantity.spelled);
    if translated && probability < settings.supported {
        // Words of two languages cannot be compared here; that every number is there is a sign and no proof.
        let reason = "the source is in another language; it has the numbers";
        return verdict(Standing::Weak, probability.max(settings.weak), false, span, reason.to_owned());
    }
    // A claim that is mostly somebody's words stands when those words are there.
    let verbatim = quoted.is_some() && examined.quoted_part >= MOSTLY_QUOTED;
    let probability = if verbatim && !open { probability.max(VERBATIM) } else { probability };
    let sure = verbatim
        || wording::covers(&examined.features)
        || probability >= settings.supported + SURER && wording::touches_every_clause(&examined.features);
    if probability >= settings.supported && anchored && sure {
        // What is found word for word is said, whatever stands round it.
        if let Some((sentence, sign, reason)) = said_otherwise().filter(|_| !verbatim).or_else(|| replaced(examined)) {
            let confidence = probability.min(settings.supported - f64::EPSILON);
            let weak = verdict(Standing::Weak, confidence, false, Some(whole(sentence)), reason);
            return Verdict { sign: Some(sign.to_owned()), ..weak };
        }
        let reason = if quoted.is_some() {
            "the source has the quotation"
        } else if agreed.is_some() {
            "the source has the numbers for the same thing"
        } else {
            "the source says it in nearly the same words"
        };
        let hard = quoted.is_some() || agreed.is_some();
        verdict(Standing::Supported, probability, hard, span, reason.to_owned())
    } else if probability >= settings.weak && examined.window.is_some() {
        let like = || "the source says something like it, not clearly the same".to_owned();
        match replaced(examined) {
            Some((sentence, sign, reason)) => {
                let weak = verdict(Standing::Weak, probability, false, Some(whole(sentence)), reason);
                Verdict { sign: Some(sign.to_owned()), ..weak }
            }
            None => Verdict { by_words: true, ..verdict(Standing::Weak, probability, false, span, like()) },
        }
    } else {
        // Where nothing of the claim stands there is nothing to be unsure about, whatever the page is like.
        let probability = probability.min(settings.weak - f64::EPSILON);
        verdict(Standing::Unverifiable, probability, false, span, "not found in the source".to_owned())
    }
}

/// That the passage has another word in the place of one of the claim's.
fn replaced(examined: &Examined) -> Option<(usize, SignId, String)> {
    examined.replaced.as_ref().map(|found| (found.sentence, signs::OTHER_WORD, found.reason()))
}

/// Every check that was made, in the order in which they decide.
fn checks(examined: &Examined) -> Vec<Check> {
    let mut checks: Vec<Check> = Vec::new();
    if examined.verbatim.is_some() {
        return vec![Check { kind: CheckKind::Wording, result: CheckResult::Agrees }];
    }
    checks.extend(
        examined.quotations.iter().map(|found| Check { kind: CheckKind::Quotation, result: found.result.clone() }),
    );
    let proved = examined.proof.whole().is_some();
    checks.extend(examined.quantities.iter().map(|found| {
        let result = if proved { CheckResult::Agrees } else { found.result.clone() };
        Check { kind: CheckKind::Quantity, result }
    }));
    if let Some(refuted) = &examined.proof.refuted {
        checks.push(refuted.check());
    } else if examined.proof.whole().is_some() {
        checks.push(Check { kind: CheckKind::Derived, result: CheckResult::Agrees });
    }
    match &examined.order {
        Order::Silent => {}
        Order::Same(_) => checks.push(Check { kind: CheckKind::Order, result: CheckResult::Agrees }),
        Order::Reversed(..) => checks.push(Check {
            kind: CheckKind::Order,
            result: CheckResult::Differs { claimed: "from–to".to_owned(), found: "to–from".to_owned() },
        }),
    }
    if let Some((clash, _)) = &examined.clash {
        let result = CheckResult::Differs { claimed: clash.claimed.clone(), found: clash.found.clone() };
        checks.push(Check { kind: CheckKind::Polarity, result });
    } else if examined.says {
        checks.push(Check { kind: CheckKind::Polarity, result: CheckResult::Agrees });
    }
    let wording = examined.replaced.as_ref().map_or(CheckResult::Unknown, |other| CheckResult::Differs {
        claimed: other.claimed.clone(),
        found: other.found.clone(),
    });
    checks.push(Check { kind: CheckKind::Wording, result: wording });
    checks
}
