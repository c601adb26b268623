//! What the best passages of a page say, read beside the claim: the same in the same words, or the contrary.

use super::polarity::{self, Alignment, Clash, ClashKind};
use super::years;
use crate::evidence::SourceIndex;
use crate::evidence::search::{self, Lookup, Window};
use crate::quotation::{Match, QuotedSource};
use crate::text::Span;
use crate::text::language::Spoken;
use crate::text::script::is_cjk;
use crate::text::words::Word;

/// A polarity clash decides only in a passage with this part of the claim's words …
const CLASH_RECALL: f64 = 0.8;
/// … of which this part stands in the same order.
const CLASH_ORDERED: f64 = 0.7;
/// A passage with this part of the claim's words, in the same order and without a clash, says the same thing.
const SAYS_RECALL: f64 = 0.75;
/// See [`SAYS_RECALL`].
const SAYS_ORDERED: f64 = 0.5;

/// What the best passages say, read beside the claim.
pub(super) struct Reading {
    pub(super) window: Option<Window>,
    pub(super) alignment: Alignment,
    /// A clash that decides, and the sentence that it is in.
    pub(super) clash: Option<(Clash, usize)>,
    /// A clash that may only be a sign.
    pub(super) any_clash: Option<Clash>,
    pub(super) says: bool,
}

pub(super) fn read_passages(
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
                let several = years::has_several_years(index.quantities_of(window.first, window.last));
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
