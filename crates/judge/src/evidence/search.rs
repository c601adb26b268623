//! Finding the words of a page that speak to a claim, wherever they stand.
//!
//! A page is indexed once: sentences, words, quantities. A claim is looked up by its content words, weighted by rarity;
//! its windows are one to three sentences. The cost of a look-up is that of the claim's words on the page, not of the
//! page.

use std::sync::OnceLock;

use cited_text::Span;
use cited_text::fold::Folded;
use cited_text::language::languages_of;
use cited_text::lexicon::Languages;
use cited_text::quantity::{Agreement, Quantity, compare, quantities};
use cited_text::sentence::{ends_at_dot, notes_length};
use cited_text::words::{self, Word, words};

/// The most content words of a claim that are looked at; a sentence has far fewer.
const MOST_TERMS: usize = 128;
/// The most sentences in one window.
const WIDEST: usize = 3;
/// A sentence longer than this is cut, in bytes, so that a page without full stops has windows too.
const LONGEST_SENTENCE: usize = 800;
/// Each further sentence has to earn this part of the weight of the claim to be worth having in the window.
const SENTENCE_COST: f64 = 0.04;
/// A word that stands in more sentences than this says where nothing is; only its first places are looked at.
const MOST_PLACES: usize = 20_000;

/// Bytes of a usual sentence and word with the space after them: as much room is made at once, for growing copies.
const BYTES_OF_SENTENCE: usize = 100;
const BYTES_OF_WORD: usize = 6;

/// A page prepared for looking up many claims.
#[derive(Debug, Default)]
pub struct SourceIndex<'a> {
    text: &'a str,
    sentences: Vec<Sentence>,
    words: Vec<Word>,
    /// All quantities of the page.
    pub(crate) quantities: Vec<Quantity>,
    /// The key of every content word with the sentence that it stands in, ascending: a page cannot make a sorted list slow
    /// as it could a table of hashes.
    places: Vec<(u64, u32)>,
    /// The languages that it may be in as a whole.
    pub(crate) languages: Languages,
    folded: OnceLock<Folded>,
}

/// A sentence of a page and what stands in it.
#[derive(Debug, Clone, Copy)]
struct Sentence {
    span: Span,
    /// Range of its words.
    words: (u32, u32),
    /// The languages that it may be in.
    languages: Languages,
}

/// A content word of a claim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Term {
    /// Where it stands first in the claim.
    pub span: Span,
    /// Its key.
    pub key: u64,
    /// How much it says about what the claim is about.
    pub weight: f64,
    /// Whether it is part of a name.
    pub name: bool,
}

/// Some neighbouring sentences of a page and which terms of a claim they have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    /// Index of the first sentence.
    pub first: usize,
    /// Index of the last sentence.
    pub last: usize,
    /// The part of the weight of the terms that stands here, 0 to 1.
    pub recall: f64,
}

impl<'a> SourceIndex<'a> {
    /// Indexes the text of a page. Linear in the text.
    pub fn new(text: &'a str) -> Self {
        let quantities = quantities(text);
        let mut index = SourceIndex {
            text,
            sentences: Vec::with_capacity(text.len() / BYTES_OF_SENTENCE),
            words: Vec::with_capacity(text.len() / BYTES_OF_WORD),
            quantities,
            places: Vec::with_capacity(text.len() / BYTES_OF_WORD),
            ..SourceIndex::default()
        };
        for span in sentences(text) {
            let first_word = index.words.len() as u32;
            let number = index.sentences.len() as u32;
            for word in words(span.slice(text)) {
                let span = Span::new(word.span.start + span.start, word.span.end + span.start);
                index.words.push(Word { span, ..word });
                if !word.stop {
                    index.places.push((word.key, number));
                }
            }
            let words = (first_word, index.words.len() as u32);
            index.sentences.push(Sentence { span, words, languages: Languages::ALL });
        }
        index.languages = languages_of(text, &index.words, Languages::ALL);
        for sentence in &mut index.sentences {
            let words = index.words.get_mut(sentence.words.0 as usize..sentence.words.1 as usize).unwrap_or_default();
            sentence.languages = languages_of(sentence.span.get(text).unwrap_or_default(), words, index.languages);
            words.iter_mut().for_each(|word| word.spoken = sentence.languages);
        }
        index.places.sort_unstable();
        index.places.dedup();
        index
    }

    /// The languages that the sentences `first..=last` may be in.
    pub fn languages_of(&self, first: usize, last: usize) -> Languages {
        let sentences = self.sentences.get(first..=last).unwrap_or_default();
        sentences.iter().fold(Languages::NONE, |all, sentence| all.and(sentence.languages))
    }

    /// The sentences that have a word, ascending; only the first [`MOST_PLACES`] of them.
    fn places(&self, key: u64) -> &[(u64, u32)] {
        let from = self.places.partition_point(|(other, _)| *other < key);
        let rest = self.places.get(from..).unwrap_or(&[]);
        let most = &rest[..rest.len().min(MOST_PLACES)];
        &most[..most.partition_point(|(other, _)| *other == key)]
    }

    /// The text that was indexed.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The folded text, made on first use.
    pub fn folded(&self) -> &Folded {
        self.folded.get_or_init(|| Folded::new(self.text))
    }

    /// How many sentences the page has.
    pub fn len(&self) -> usize {
        self.sentences.len()
    }

    /// Whether the page has no sentence.
    pub fn is_empty(&self) -> bool {
        self.sentences.is_empty()
    }

    /// The quantities that agree with a value of a claim, in the order of the page.
    pub fn agreeing<'s>(&'s self, q: &'s Quantity) -> impl Iterator<Item = &'s Quantity> {
        self.quantities.iter().filter(move |other| compare(q, other) >= Agreement::Compatible)
    }

    /// The quantities of the sentences `first..=last`: those that begin behind the one before them, and not behind the last.
    pub fn quantities_of(&self, first: usize, last: usize) -> &[Quantity] {
        let before = first.checked_sub(1).map_or(0, |before| self.span_of(before, before).end);
        let Some(end) = self.sentences.get(last).map(|sentence| sentence.span.end) else { return &[] };
        let place = |at: usize| self.quantities.partition_point(|q| q.span.start < at);
        self.quantities.get(place(before)..place(end)).unwrap_or_default()
    }

    /// The quantities that stand in a part of the page.
    pub fn quantities_in(&self, part: Span) -> &[Quantity] {
        let from = self.quantities.partition_point(|q| q.span.start < part.start);
        let rest = self.quantities.get(from..).unwrap_or_default();
        &rest[..rest.partition_point(|q| q.span.end <= part.end)]
    }

    /// The words of the sentences `first..=last`.
    pub fn words_of(&self, first: usize, last: usize) -> &[Word] {
        let range = self.sentences.get(first).zip(self.sentences.get(last));
        range.and_then(|(a, b)| self.words.get(a.words.0 as usize..b.words.1 as usize)).unwrap_or(&[])
    }

    /// The bytes of the sentences `first..=last`.
    pub fn span_of(&self, first: usize, last: usize) -> Span {
        match (self.sentences.get(first), self.sentences.get(last)) {
            (Some(a), Some(b)) => a.span.cover(b.span),
            _ => Span::at(self.text.len()),
        }
    }

    /// The sentence that holds the byte at `offset`, or the one before it.
    pub fn sentence_at(&self, offset: usize) -> usize {
        self.sentences.partition_point(|sentence| sentence.span.start <= offset).saturating_sub(1)
    }

    /// Whether a word stands anywhere on the page.
    pub fn has(&self, key: u64) -> bool {
        !self.places(key).is_empty()
    }

    /// Looks the terms of a claim up.
    pub fn look_up(&self, terms: Vec<Term>) -> Lookup {
        let places = terms
            .iter()
            .take(MOST_TERMS)
            .enumerate()
            .flat_map(|(bit, term)| self.places(term.key).iter().map(move |(_, place)| (*place, 1 << bit)));
        let mut masks: Vec<(u32, u128)> = places.collect();
        masks.sort_by_key(|(place, _)| *place);
        masks.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 |= if same { next.1 } else { 0 };
            same
        });
        let total = terms.iter().take(MOST_TERMS).map(|term| term.weight).sum();
        Lookup { terms, masks, total }
    }

    /// The windows that have most of the weight of `terms`, best first, at most `most` of them, none inside another.
    pub fn search(&self, terms: &[Term], most: usize) -> Vec<Window> {
        self.look_up(terms.to_vec()).windows(most)
    }
}

/// The terms of one claim on one page.
#[derive(Debug)]
pub struct Lookup {
    /// The terms that were looked up.
    pub(crate) terms: Vec<Term>,
    /// The sentences that have terms, ascending, with the bits of these.
    masks: Vec<(u32, u128)>,
    total: f64,
}

impl Lookup {
    /// The part of the weight of all terms that the terms of `mask` have, 0 to 1.
    pub fn weigh(&self, mask: u128) -> f64 {
        if self.total <= 0.0 {
            return 0.0;
        }
        let mut rest = mask;
        let mut sum = 0.0;
        while rest != 0 {
            sum += self.terms.get(rest.trailing_zeros() as usize).map_or(0.0, |term| term.weight);
            rest &= rest - 1;
        }
        sum / self.total
    }

    /// The bits of the terms in the sentences `first..=last`.
    pub fn mask(&self, first: usize, last: usize) -> u128 {
        self.sentences(first, last).fold(0, |mask, (_, more)| mask | more)
    }

    /// The sentences of `first..=last` that have terms, with the bits of these.
    pub fn sentences(&self, first: usize, last: usize) -> impl Iterator<Item = (usize, u128)> + '_ {
        let from = self.masks.partition_point(|(place, _)| (*place as usize) < first);
        let rest = self.masks.get(from..).unwrap_or_default().iter().map(|(place, mask)| (*place as usize, *mask));
        rest.take_while(move |(place, _)| *place <= last)
    }

    /// The part of the weight of the terms that stands in the sentences `first..=last`.
    pub fn recall(&self, first: usize, last: usize) -> f64 {
        self.weigh(self.mask(first, last))
    }

    /// The windows that have most of the weight of the terms, best first, at most `most` of them, none inside another.
    pub fn windows(&self, most: usize) -> Vec<Window> {
        if self.total <= 0.0 {
            return Vec::new();
        }
        let mut windows: Vec<(f64, Window)> = (0..self.masks.len()).filter_map(|at| self.window_at(at)).collect();
        let order = |a: &(f64, Window), b: &(f64, Window)| b.0.total_cmp(&a.0).then(a.1.first.cmp(&b.1.first));
        if windows.len() > most * 8 {
            windows.select_nth_unstable_by(most * 8, order);
            windows.truncate(most * 8);
        }
        windows.sort_by(order);
        let mut chosen: Vec<Window> = Vec::new();
        for (_, window) in windows {
            let inside = chosen.iter().any(|other| other.first <= window.first && window.last <= other.last);
            if !inside && chosen.len() < most {
                chosen.push(window);
            }
        }
        chosen
    }

    /// The window that is best of those which begin at a sentence that has terms, one of [`Lookup::masks`], with its score.
    fn window_at(&self, at: usize) -> Option<(f64, Window)> {
        let near = self.masks.get(at..)?.iter().take(WIDEST).map(|(place, mask)| (*place as usize, *mask));
        let (first, _) = near.clone().next()?;
        let (mut best, mut terms) = (None, 0);
        for (last, mask) in near.take_while(|(last, _)| *last < first + WIDEST) {
            terms |= mask;
            let recall = self.weigh(terms);
            let score = recall - SENTENCE_COST * (last - first) as f64;
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                best = Some((score, Window { first, last, recall }));
            }
        }
        best
    }
}

/// The content words of a claim with their weights.
pub fn terms(claim: &str) -> Vec<Term> {
    let mut terms: Vec<Term> = Vec::new();
    let mut opening = true;
    for word in words(claim) {
        let before = word.span.before(claim).trim_end();
        opening |= before.ends_with(['.', '!', '?', ':', '"', '“']);
        let name =
            word.capital && (!opening || word.span.len() > 1 && word.span.slice(claim).chars().all(char::is_uppercase));
        opening = false;
        // A letter that stands alone and names nothing is no name: *I*, *Once Upon A Time*.
        let name = name && !(word.stop && word.span.slice(claim).chars().nth(1).is_none());
        if word.stop && !name || word.number {
            continue;
        }
        let rarity = f64::from(words::rarity(word.key));
        let weight = if name { rarity.max(5.0) * NAME_WEIGHT } else { rarity };
        if let Some(term) = terms.iter_mut().find(|term| term.key == word.key) {
            term.name |= name;
        } else if terms.len() < MOST_TERMS {
            terms.push(Term { span: word.span, key: word.key, weight, name });
        }
    }
    terms
}

/// How much more a name says than another word of its rarity.
const NAME_WEIGHT: f64 = 1.1;

/// Cuts a page into sentences: at full stops before a capital, at line ends, after the stops of Chinese and Japanese.
///
/// Pages are not prose alone: a heading, a cell and a list item end where their line ends. A wrong cut costs little
/// here, since windows hold up to three sentences. A quotation of several sentences is cut, too: as one sentence it takes
/// the speaker of its neighbour.
fn sentences(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut soft = 0;
    let mut push = |from: usize, to: usize| {
        let piece = &text[from..to];
        let trimmed = piece.trim();
        if !trimmed.is_empty() {
            let lead = piece.len() - piece.trim_start().len();
            found.push(Span::new(from + lead, from + lead + trimmed.len()));
        }
    };
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        // Most of a page are letters, which end nothing.
        let c = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' if at + 1 - start <= LONGEST_SENTENCE => {
                at += 1;
                continue;
            }
            0..0x80 => char::from(byte),
            _ => text[at..].chars().next().unwrap_or_default(),
        };
        let mut end = at + c.len_utf8();
        if bytes.get(end) == Some(&b'[') && matches!(c, '.' | '!' | '?' | '。' | '！' | '？' | '”' | '"' | ')') {
            end += notes_length(&text[end..]);
        }
        let next = || text[end..].chars().next();
        let cut = match c {
            '。' | '！' | '？' => !matches!(next(), Some('”' | '」' | '』' | '’')),
            '\n' => !continues(text, start, at, next()),
            '.' | '!' | '?' | '”' | '"' | ')' | ']' if next().is_some_and(char::is_whitespace) => {
                let stop = c == '.' || c == '!' || c == '?' || text[..at].ends_with(['.', '!', '?']);
                stop && opens(text, end) && (c != '.' || ends_at_dot(text, start, at, end))
            }
            _ => false,
        };
        if c.is_whitespace() || c == ',' || c == ';' {
            soft = end;
        }
        if cut {
            push(start, end);
            start = end;
        } else if end - start > LONGEST_SENTENCE {
            let at = if soft > start { soft } else { end };
            push(start, at);
            start = at;
        }
        at = end;
    }
    push(start, text.len());
    found
}

/// Whether a line end is only the end of a line inside a sentence: the line before is long and the next goes on in
/// lower case.
fn continues(text: &str, start: usize, at: usize, next: Option<char>) -> bool {
    at - start > 40 && next.is_some_and(char::is_lowercase) && !text[..at].ends_with(['.', '!', '?', ':'])
}

/// Whether a sentence can begin after the space at `at`.
fn opens(text: &str, at: usize) -> bool {
    let next = text[at..].trim_start_matches([' ', '\u{A0}', '"', '“', '(', '[', '\'', '‘']).chars().next();
    next.is_none_or(|c| !c.is_lowercase())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{SourceIndex, sentences, terms};

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = sentences(text).iter().map(|span| span.slice(text)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn pages_are_cut_where_their_sentences_end() {
        check(
            "One is 1.5. Two, by Dr. Orr, is.\nHeading\nThree",
            &["One is 1.5.", "Two, by Dr. Orr, is.", "Heading", "Three"],
        );
        check("Es sind 1,2 Mrd. Euro. Vom 12. März an.", &["Es sind 1,2 Mrd. Euro.", "Vom 12. März an."]);
        check("一是好的。二是坏的。", &["一是好的。", "二是坏的。"]);
        check("He said “stop.” Then he left.", &["He said “stop.”", "Then he left."]);
        check("It sank.[4] They mourned.[a][12] So it was.", &["It sank.[4]", "They mourned.[a][12]", "So it was."]);
        check(
            "It sank.[4] in May, so they say (in 1990).[5] Ok.",
            &["It sank.[4] in May, so they say (in 1990).[5]", "Ok."],
        );
        check("它沉没了。[4]城镇哀悼。", &["它沉没了。[4]", "城镇哀悼。"]);
    }

    #[test]
    fn the_passage_is_found_at_the_end_of_a_long_page() {
        let filler = "The weather was mild and the streets were full of people. ".repeat(2000);
        let text = format!("{filler}Ripgrep searches the kernel tree in 0.06 s. More weather.");
        let index = SourceIndex::new(&text);
        let found = index.search(&terms("Ripgrep searches the Linux kernel tree quickly."), 3);
        assert!(
            index.span_of(found[0].first, found[0].last).slice(&text).starts_with("Ripgrep searches the kernel"),
            "{found:?}"
        );
    }

    proptest! {
        #[test]
        fn any_page_can_be_searched_for_any_claim(page in "\\PC{0,120}", claim in "\\PC{0,60}") {
            let index = SourceIndex::new(&page);
            for window in index.search(&terms(&claim), 5) {
                prop_assert!(index.span_of(window.first, window.last).get(&page).is_some());
                prop_assert!((0.0..=1.0 + 1e-9).contains(&window.recall));
            }
        }

        #[test]
        fn sentences_hold_every_letter_of_the_page(page in "[a-zA-Z0-9 .!?。\n\"”]{0,200}") {
            let kept: usize = sentences(&page).iter().map(|s| s.slice(&page).chars().filter(|c| c.is_alphanumeric()).count()).sum();
            prop_assert_eq!(kept, page.chars().filter(|c| c.is_alphanumeric()).count());
        }
    }
}
