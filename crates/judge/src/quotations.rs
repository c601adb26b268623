//! What a page has of the quotations of a claim. They are compared by their letters and digits alone.

use super::align::Claim;
use super::cues::{self, Class};
use super::page::SourceText;
use super::polarity;
use cited_text::Span;
use cited_text::fold::Folded;
use cited_text::quotation::bare;
use cited_text::quotation::{FEWEST_WORDS, Match, Quotation};
use cited_text::words::{Word, words_in};

/// This part of the words of a quotation, in percent, makes a passage the one that is quoted.
const QUOTED: u8 = 90;
/// What stands beside a quotation that is a whole claim is no longer, in bytes: stops, and the number of an item.
const BESIDE_LAYOUT: usize = 4;
/// So many words at the ends of what a gap leaves out turn round what is left.
const EDGE: usize = 2;
/// Fewer letters and digits may stand anywhere.
const FEWEST_LETTERS: usize = 10;

/// What a page has of a quotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum QuotationMatch {
    /// All of it.
    Found(Span),
    /// All of it, with a gap that leaves out this word, which turns it round; none where the gap joins two paragraphs.
    Cut(Span, String),
    /// All of it, but that one of the two has a denial among its words.
    Denied(Span),
    /// Nothing but the passage that is nearest, with the part of its words that is there.
    Nowhere(Option<(Span, u8)>),
    /// Nothing stands between the marks.
    Empty,
}

/// A quotation of the claim and what the page has of it.
#[derive(Debug, Clone)]
pub(super) struct Quoted {
    pub(super) quotation: Quotation,
    /// Whether its marks are layout: a claim that stands in them as a whole quotes nobody.
    pub(super) is_layout: bool,
    pub(super) found: QuotationMatch,
    /// The word right behind it that turns it round.
    pub(super) cut_before: Option<String>,
}

/// Looks up every quotation that is long enough to be somebody's words, and every empty one. A title is a name, and nobody's words.
pub(super) fn look_up(claim: &Claim<'_>, source: &SourceText<'_>) -> Vec<Quoted> {
    let all = claim.quotations.iter();
    let asked = all.filter(|quotation| quotation.is_empty() || quotation.words >= FEWEST_WORDS && !quotation.title);
    asked.map(|quotation| look_for(claim.text, *quotation, source)).collect()
}

fn look_for(claim: &str, quotation: Quotation, source: &SourceText<'_>) -> Quoted {
    let words = quotation.inner.slice(claim);
    let outside = [quotation.span.before(claim), quotation.span.after(claim)];
    // *It “…”* begins with a word.
    let bare = |part: &&str| part.len() <= BESIDE_LAYOUT && !part.contains(char::is_uppercase);
    let is_layout = outside.iter().all(bare) && !quotation.is_empty();
    let text = source.index.text();
    let (place, cut_before) = match source.index.folded().find(text, words) {
        Match::Empty => (QuotationMatch::Empty, None),
        Match::Found(span) | Match::CutShort(span, _) if is_replaced(source, words, span) => {
            (QuotationMatch::Nowhere(Some((span, QUOTED))), None)
        }
        Match::Found(span) => (within_a_paragraph(source, words, span), None),
        Match::CutShort(span, word) => (within_a_paragraph(source, words, span), Some(word)),
        Match::Missing(near) => match by_letters(source, words) {
            Some(span) => (QuotationMatch::Found(span), None),
            None => {
                (near.and_then(|near| denied(source, words, near.0)).unwrap_or(QuotationMatch::Nowhere(near)), None)
            }
        },
    };
    Quoted { quotation, is_layout, found: place, cut_before }
}

/// Where a quotation stands by its letters and digits alone.
pub(super) fn by_letters(source: &SourceText<'_>, words: &str) -> Option<Span> {
    let text = source.index.text();
    let readings = [Folded::new(words).letters(), bare::unmarked(words)];
    readings
        .iter()
        .filter(|wanted| wanted.as_str().len() >= FEWEST_LETTERS)
        .find_map(|wanted| source.letters().iter().find_map(|page| bare::find(text, page, wanted)))
}

/// The word that a quotation leaves out of a text and that turns it round; empty where it joins what stands apart.
pub fn cut(text: &str, quotation: &str) -> Option<String> {
    if !has_a_gap(quotation) {
        return None;
    }
    let source = SourceText::new(text, "");
    let (Match::Found(span) | Match::CutShort(span, _)) = source.index.folded().find(text, quotation) else {
        return None;
    };
    match within_a_paragraph(&source, quotation, span) {
        QuotationMatch::Cut(_, word) => Some(word),
        _ => None,
    }
}

/// A quotation with gaps has to stand in one paragraph, and its gaps leave nothing out that turns it round.
fn within_a_paragraph(source: &SourceText<'_>, words: &str, span: Span) -> QuotationMatch {
    let text = source.index.text();
    if !has_a_gap(words) {
        return QuotationMatch::Found(span);
    }
    let mut start = 0;
    let (mut cut, mut joined) = (None, true);
    for paragraph in text.split("\n\n") {
        let whole = Span::new(start, start + paragraph.len());
        start = whole.end + 2;
        if !whole.overlaps(span) && whole.start > span.end {
            break;
        }
        let (Match::Found(at) | Match::CutShort(at, _)) = Folded::new(paragraph).find(paragraph, words) else {
            continue;
        };
        let at = Span::new(at.start + whole.start, at.end + whole.start);
        joined = false;
        match left_out(source, words, at) {
            None => return QuotationMatch::Found(at),
            Some(word) => cut = cut.or(Some(QuotationMatch::Cut(at, word))),
        }
    }
    if joined { QuotationMatch::Cut(span, String::new()) } else { cut.unwrap_or(QuotationMatch::Found(span)) }
}

fn has_a_gap(words: &str) -> bool {
    words.contains('…') || words.contains("...") || words.contains(". . .")
}

/// The words of a quotation, and those of a passage.
fn words_of_both<'s>(source: &'s SourceText<'_>, quotation: &str, span: Span) -> (Vec<Word>, &'s [Word]) {
    let index = &source.index;
    let (first, last) = (index.sentence_at(span.start), index.sentence_at(span.end.saturating_sub(1)));
    let all = index.words_of(first, last);
    let from = all.partition_point(|word| word.span.start < span.start);
    let to = all.partition_point(|word| word.span.end <= span.end);
    (words_in(quotation, index.languages_of(first, last)).collect(), all.get(from..to).unwrap_or_default())
}

/// The word of a passage that turns it round and that a quotation of it leaves out.
fn left_out(source: &SourceText<'_>, quotation: &str, span: Span) -> Option<String> {
    let text = source.index.text();
    let (mut own, there) = words_of_both(source, quotation, span);
    let turns = |word: &Word| -> bool {
        polarity::denies(text, word)
            || [Class::Nearly, Class::Condition, Class::Until].iter().any(|class| cues::has(word, *class))
    };
    // The words that are left out, in runs: what a run denies in its middle is left out with it.
    let mut runs: Vec<Vec<&Word>> = vec![Vec::new()];
    for word in there {
        match own.iter().position(|own| own.form == word.form) {
            Some(at) => {
                own.swap_remove(at);
                runs.push(Vec::new());
            }
            None => runs.last_mut().into_iter().for_each(|run| run.push(word)),
        }
    }
    let edge = |run: &Vec<&'_ Word>| {
        let ends = run.iter().take(EDGE).chain(run.iter().rev().take(EDGE));
        ends.copied().find(|word| turns(word)).map(|word| word.span.slice(text).to_owned())
    };
    runs.iter().find_map(edge)
}

/// Whether a passage has a word of its own in the place of an insertion: `[bad]` for *good*. One that stands for *it* explains it.
fn is_replaced(source: &SourceText<'_>, quotation: &str, span: Span) -> bool {
    let (own, there) = words_of_both(source, quotation, span);
    let is_new = |word: &Word| !word.stop && !own.iter().any(|own| own.key == word.key);
    quotation.contains('[') && !has_a_gap(quotation) && there.iter().any(is_new)
}

/// That a passage has the words of a quotation in their order, and one of the two a denial among them.
fn denied(source: &SourceText<'_>, words: &str, span: Span) -> Option<QuotationMatch> {
    let text = source.index.text();
    if has_a_gap(words) {
        return None;
    }
    let (own, all) = words_of_both(source, words, span);
    // What the one side has beside the words of the other, in order; none where it lacks one of them.
    let added = |words: &[Word], others: &[Word]| {
        let mut rest = others.iter().peekable();
        let added: Vec<Word> =
            words.iter().filter(|word| rest.next_if(|next| next.form == word.form).is_none()).copied().collect();
        rest.peek().is_none().then_some(added)
    };
    let denies = |text: &str, words: &[Word], others: &[Word]| {
        added(words, others).is_some_and(|added| added.iter().any(|word| polarity::denies(text, word)))
    };
    // *No one believes* begins as *Nobody believes* does.
    let first = source.index.sentence_at(span.start);
    let sentence = source.index.words_of(first, first);
    let start = sentence.partition_point(|word| word.span.start < span.start);
    let before = &sentence[start.saturating_sub(EDGE)..start];
    let own_denies = || denies(words, &own, all) && !before.iter().any(|word| polarity::denies(text, word));
    let denies = denies(text, all, &own) || own_denies();
    denies.then_some(QuotationMatch::Denied(span))
}
