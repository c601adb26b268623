//! Sentences cut into pieces, for what is told by which words stand in one of them.
//!
//! A piece ends at a mark or before a word that joins; what stands in brackets is a piece of its own, and the rest goes on behind
//! it. A part of a sentence ends at a semicolon or colon.

use crate::evidence::search::MOST_TERMS;
use crate::judge::case::Case;
use crate::judge::cues;
use crate::judge::neighbours::is_content;
use crate::quantity::Quantity;
use crate::text::language;
use crate::text::words::Word;

/// A sentence with so much of the claim's words has nearly all of it.
const NEARLY_ALL: f64 = 0.75;

/// A sentence in pieces.
pub(super) struct Pieces<'i> {
    pub(super) sentence: usize,
    pub(super) text: &'i str,
    pub(super) words: &'i [Word],
    values: &'i [Quantity],
    piece: Vec<u32>,
    part: Vec<u32>,
    /// Whether the claim has each word.
    claimed: Vec<bool>,
    /// Whether nearly all of the claim stands here: only then does the order of the pieces tell anything.
    pub(super) tells_all: bool,
}

impl<'i> Pieces<'i> {
    fn of(text: &'i str, words: &'i [Word], values: &'i [Quantity], sentence: usize) -> Self {
        let (mut piece, mut part) = (Vec::with_capacity(words.len()), Vec::with_capacity(words.len()));
        let (mut here, mut last, mut parts) = (0u32, 0u32, 0u32);
        let mut open: Vec<u32> = Vec::new();
        let mut edge = words.first().map_or(0, |word| word.span.start);
        for word in words {
            let gap = text.get(edge..word.span.start).unwrap_or_default();
            let mut cut = cues::joins(word) || cues::sets_off(word);
            // Not the marks of 06:42 and 1,200.
            let marks = if gap.len() > 1 { gap } else { "" };
            for mark in marks.chars() {
                match mark {
                    '(' | '（' => {
                        open.push(here);
                        last += 1;
                        here = last;
                    }
                    ')' | '）' => here = open.pop().unwrap_or(here),
                    ';' | ':' | '；' | '。' => {
                        (cut, parts) = (true, parts + 1);
                        open.clear();
                    }
                    ',' | '\n' | '|' | '–' | '—' | '，' | '、' => cut = true,
                    _ => {}
                }
            }
            if (cut || matches!(gap, " - " | " -- ")) && !piece.is_empty() {
                last += 1;
                here = last;
            }
            piece.push(here);
            part.push(parts);
            edge = word.span.end;
        }
        Pieces { sentence, text, words, values, piece, part, claimed: Vec::new(), tells_all: false }
    }

    pub(super) fn same_piece(&self, a: usize, b: usize) -> bool {
        self.piece[a] == self.piece[b]
    }

    pub(super) fn same_part(&self, a: usize, b: usize) -> bool {
        self.part[a] == self.part[b]
    }

    /// The words of the piece that one stands in.
    pub(super) fn inside(&self, at: usize) -> impl DoubleEndedIterator<Item = usize> + Clone + '_ {
        (0..self.words.len()).filter(move |i| self.same_piece(*i, at))
    }

    /// Where a word stands.
    pub(super) fn places(&self, key: u64) -> impl DoubleEndedIterator<Item = usize> + Clone + '_ {
        (0..self.words.len()).filter(move |i| self.words[*i].key == key)
    }

    /// Whether a word stands in the piece of another.
    pub(super) fn has_beside(&self, at: usize, key: u64) -> bool {
        self.inside(at).any(|i| self.words[i].key == key)
    }

    /// The next word that says something, in the same piece.
    pub(super) fn behind(&self, at: usize) -> Option<usize> {
        self.inside(at).find(|i| *i > at && says(&self.words[*i]))
    }

    /// The last one before.
    pub(super) fn before(&self, at: usize) -> Option<usize> {
        self.inside(at).rfind(|i| *i < at && says(&self.words[*i]))
    }

    /// The function words between two words, without articles.
    pub(super) fn between(&self, a: usize, b: usize) -> Vec<u64> {
        let words = self.words[a.min(b) + 1..a.max(b)].iter();
        words.filter(|word| word.stop && !cues::is_article(word)).map(|word| word.form).collect()
    }

    /// Whether the claim has a word.
    pub(super) fn is_claimed(&self, at: usize) -> bool {
        self.claimed[at]
    }

    /// Whether a word says something that the claim does not have.
    pub(super) fn adds(&self, at: usize) -> bool {
        is_content(&self.words[at]) && !self.claimed[at]
    }

    /// Whether it is no part of a value besides.
    pub(super) fn is_foreign(&self, at: usize) -> bool {
        self.adds(at) && !self.is_in_a_value(at)
    }

    /// Whether a word is written with a capital and is no part of a value.
    pub(super) fn is_name(&self, at: usize) -> bool {
        let word = &self.words[at];
        word.capital && is_content(word) && !self.is_in_a_value(at)
    }

    pub(super) fn is_in_a_value(&self, at: usize) -> bool {
        self.values.iter().any(|value| !value.is_label() && value.span.contains(self.words[at].span))
    }

    /// The preposition that a word stands behind, with nothing but articles between.
    pub(super) fn preposition_before(&self, at: usize) -> Option<usize> {
        let before = (0..at).rev().take_while(|i| self.same_piece(*i, at));
        let lead = before.into_iter().find(|i| !cues::is_article(&self.words[*i]))?;
        cues::leads_in(&self.words[lead]).then_some(lead)
    }

    /// Whether the piece of a word begins with a preposition.
    pub(super) fn begins_behind_a_preposition(&self, at: usize) -> bool {
        self.head(at).is_some_and(cues::leads_in)
    }

    /// The first word of a piece behind those that join.
    fn head(&self, at: usize) -> Option<&'i Word> {
        self.inside(at).map(|i| &self.words[i]).find(|word| !cues::joins(word) && !cues::sets_off(word))
    }

    /// Whether a piece begins with what may be its own subject.
    pub(super) fn begins_with_a_thing(&self, at: usize) -> bool {
        self.head(at).is_some_and(|word| !word.stop || cues::is_article(word))
    }
}

/// Whether a word is no function word.
fn says(word: &Word) -> bool {
    is_content(word) || word.number
}

/// A claim and the sentences of its passages, in pieces.
pub(super) struct Cut<'c, 'i, 'a> {
    pub(super) case: &'c Case<'c, 'i, 'a>,
    pub(super) claim: Pieces<'c>,
    /// The places of the claim's words that say something.
    pub(super) told: Vec<usize>,
    pub(super) page: Vec<Pieces<'i>>,
    /// Whether a capital says nothing, for nouns have one.
    pub(super) has_capital_nouns: bool,
}

impl<'c, 'i, 'a> Cut<'c, 'i, 'a> {
    pub(super) fn of(case: &'c Case<'c, 'i, 'a>) -> Self {
        let mut sentences: Vec<usize> = case.windows.iter().flat_map(|window| window.first..=window.last).collect();
        sentences.sort_unstable();
        sentences.dedup();
        // No statement is longer; pairs of pairs are looked at.
        let told: Vec<usize> = (0..case.words.len()).filter(|i| says(&case.words[*i])).take(MOST_TERMS).collect();
        let page = sentences.into_iter().map(|at| {
            let words = case.index.words_of(at, at);
            let mut pieces = Pieces::of(case.index.text(), words, case.index.quantities_of(at, at), at);
            pieces.claimed = words.iter().map(|word| case.words.iter().any(|own| own.key == word.key)).collect();
            let there = told.iter().filter(|i| pieces.places(case.words[**i].key).next().is_some()).count();
            pieces.tells_all = there as f64 >= NEARLY_ALL * told.len() as f64;
            pieces
        });
        let page = page.collect();
        let claim = Pieces::of(case.claim, case.words, case.quantities, 0);
        let has_capital_nouns = language::language_of(case.claim, case.words) == Some("de");
        Cut { case, claim, told, page, has_capital_nouns }
    }

    /// The sentences of the best passage.
    pub(super) fn best(&self) -> impl Iterator<Item = &Pieces<'i>> {
        let best = self.case.windows.first().map_or(0..0, |window| window.first..window.last + 1);
        self.page.iter().filter(move |pieces| best.contains(&pieces.sentence))
    }

    /// Whether a sentence is one of these.
    pub(super) fn is_best(&self, sentence: usize) -> bool {
        self.best().any(|pieces| pieces.sentence == sentence)
    }

    /// Neighbours among the claim's words that say something, in one piece.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let pairs = self.told.windows(2).map(|pair| (pair[0], pair[1]));
        pairs.filter(|(a, b)| self.claim.same_piece(*a, *b))
    }

    pub(super) fn word(&self, at: usize) -> &'c Word {
        &self.claim.words[at]
    }

    /// The sentences right beside one of the page.
    pub(super) fn beside(&self, sentence: usize) -> impl Iterator<Item = &'i [Word]> + '_ {
        let last = self.case.index.len().saturating_sub(1);
        let both = sentence.saturating_sub(1)..=(sentence + 1).min(last);
        both.filter(move |at| *at != sentence).map(|at| self.case.index.words_of(at, at))
    }
}
