//! A value of a claim beside a place of the page that may have it: what every test of such a place asks for.

use std::cell::OnceCell;

use super::case::{Case, same_kind};
use super::neighbours::Neighbours;
use crate::quantity::Quantity;
use crate::text::Span;
use crate::text::words::Word;

/// One of the claim's values and one of the page's.
pub(super) struct Spot<'s, 'i> {
    /// The claim on the page.
    pub(super) case: &'s Case<'s, 'i, 'i>,
    /// The claim's value.
    pub(super) q: &'s Quantity,
    /// The page's value.
    pub(super) place: &'s Quantity,
    /// The sentence that the page's value stands in.
    pub(super) sentence: usize,
    /// The other values of the sentence: several tests ask for them.
    neighbours: OnceCell<Option<Neighbours<'i>>>,
}

impl<'s, 'i> Spot<'s, 'i> {
    pub(super) fn new(case: &'s Case<'s, 'i, 'i>, q: &'s Quantity, place: &'s Quantity, sentence: usize) -> Self {
        Spot { case, q, place, sentence, neighbours: OnceCell::new() }
    }

    /// The page's text.
    pub(super) fn text(&self) -> &'i str {
        self.case.index.text()
    }

    /// Where the sentence stands.
    pub(super) fn whole(&self) -> Span {
        self.case.index.span_of(self.sentence, self.sentence)
    }

    /// The words of the sentence.
    pub(super) fn words(&self) -> &'i [Word] {
        self.case.index.words_of(self.sentence, self.sentence)
    }

    /// The values of the sentence.
    pub(super) fn values(&self) -> &'i [Quantity] {
        self.case.index.quantities_of(self.sentence, self.sentence)
    }

    /// The values of the sentence that are of the kind of the claim's, the page's among them; none when it is alone.
    pub(super) fn neighbours(&self) -> Option<&Neighbours<'i>> {
        let read = || {
            let own = self.place.span;
            let kin = |value: &&Quantity| value.span == own || same_kind(self.case, self.q, value);
            let values: Vec<&Quantity> = self.values().iter().filter(kin).collect();
            let at = values.iter().position(|value| value.span == own).filter(|_| values.len() > 1)?;
            Some(Neighbours::among(values, at, self.text(), self.words(), self.whole()))
        };
        self.neighbours.get_or_init(read).as_ref()
    }
}
