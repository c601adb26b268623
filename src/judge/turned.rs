//! A value that the page has going the other way than the claim: *rose by 5%*, *fell by 5%*.

use super::apart;
use super::case::{Case, may_agree};
use super::polarity::{Clash, ClashKind};
use super::setting::opposite_words;
use super::spot::Spot;
use crate::quantity::{Agreement, Quantity, compare};

/// A value that goes the other way contradicts in a sentence with this part of the claim's words.
const TURNED_RECALL: f64 = 0.6;

/// A value of the claim that the page has in one sentence only, which is about the same thing and has it go the other way.
pub(super) fn turned(case: &Case<'_, '_, '_>) -> Option<(Clash, usize)> {
    case.quantities.iter().filter(|q| q.is_measured() && !q.is_temporal() && !q.spelled).find_map(|q| {
        let agrees = |other: &&Quantity| may_agree(q, other) && compare(q, other) >= Agreement::Compatible;
        let mut places = case.agreeing(q).filter(agrees);
        let (Some(place), None) = (places.next(), places.next()) else { return None };
        let sentence = case.index.sentence_at(place.span.start);
        let spot = Spot::new(case, q, place, sentence);
        // A value below zero says by its sign which way it goes; and words of an unsure language say nothing for sure.
        let sure = case.languages.are_sure()
            && case.index.languages_of(sentence, sentence).narrowed(case.languages).are_sure();
        if !sure || q.value * place.value < 0.0 {
            return None;
        }
        if case.lookup.recall(sentence, sentence) < TURNED_RECALL || apart::is_said_of_something_else(&spot) {
            return None;
        }
        let (mine, theirs) = opposite_words(&spot)?;
        let (claimed, found) = (mine.of(case.claim).to_lowercase(), theirs.of(case.index.text()).to_lowercase());
        Some((Clash { claimed, found, kind: ClashKind::Direction }, sentence))
    })
}
