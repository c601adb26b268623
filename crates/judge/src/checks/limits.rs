//! What a sentence of the page is limited to, and the claim is not: for whom, where, when again and again, in whose words. *In Oslo, rents
//! rose*; *it is safe for adults under 40*; *critics said that it failed*.
//!
//! A phrase counts where its clause has nothing else that the claim has not: beside other details it may be one of them.

use crate::align::{Aligned, CLAUSE_MARKS};
use crate::cues::{self, Class};
use crate::evidence::{Attribution, ContextKind, speakers};
use crate::pair::Pair;
use cited_text::quantity::{Measure, Quantity};
use cited_text::words::{Word, words};

/// Who speaks stands in so many content words between *according to* and what they say.
const NAME: usize = 3;

/// A sentence of the page beside a claim.
pub(super) struct Clause<'p, 'u> {
    pair: &'u Pair<'p>,
    unit: &'u Aligned<'p>,
    words: &'p [Word],
    /// For each of its words that has a content whether the claim has it.
    is_met: Vec<Option<bool>>,
}

impl<'p, 'u> Clause<'p, 'u> {
    pub(super) fn new(pair: &'u Pair<'p>, unit: &'u Aligned<'p>) -> Self {
        let at = |word: &Word| unit.tokens.iter().position(|token| token.span().contains(word.span));
        let is_met = unit.words.iter().map(|word| Some(unit.used[at(word)?])).collect();
        Clause { pair, unit, words: unit.words, is_met }
    }

    /// The words that say of whom or what alone it is so.
    pub(super) fn limit(&self) -> Option<&'p str> {
        (0..self.words.len()).find_map(|at| self.limit_from(at)).map(|(from, to)| self.slice(from, to))
    }

    /// The words that give it to somebody.
    pub(super) fn speech(&self) -> Option<&'p str> {
        let (first, last) = self.unit.reach()?;
        let all = self.words.len();
        let place = |at: usize| self.words.partition_point(|word| word.span.start < at);
        let (from, to) = (place(self.unit.tokens[first].span().start), place(self.unit.tokens[last].span().end));
        // *Critics said that …*; *…, the union said*.
        let told = |said: &Attribution| {
            let (at, behind) = (place(said.span.start), place(said.span.end));
            let others = |from: usize, to: usize| (from..to).filter(|at| self.is_met[*at] == Some(false)).count();
            let far = if at == 0 { NAME } else { others(0, at).min(1) };
            let leads = behind <= from && (usize::from(at == 0)..=far).contains(&others(behind, from));
            let ends = at == to || at > to && behind == all && !(to + 1..=at).any(|at| self.begins(at));
            let follows = || (ends && self.begins(to) && !self.is_aside(to, all)).then_some((to, all));
            if leads { Some((0, from)) } else { follows() }
        };
        let said = speakers(self.pair.page(), self.unit.span, self.words);
        let found = said.iter().find_map(told).filter(|(from, to)| !self.is_named(*from, *to));
        found.map(|(from, to)| self.slice(from, to))
    }

    fn slice(&self, from: usize, to: usize) -> &'p str {
        self.words[from].span.cover(self.words[to - 1].span).slice(self.pair.page())
    }

    /// The limit that begins with a word.
    fn limit_from(&self, at: usize) -> Option<(usize, usize)> {
        let has = |at: usize, class| cues::has(&self.words[at], class);
        // *On Mondays*, *le samedi*: one without either is a day of its own.
        let again = |at: usize| has(at, Class::Again) && (self.has_s(at) || at > 0 && has(at - 1, Class::Article));
        let (placed, serves) = (has(at, Class::Limiting), has(at, Class::Serving));
        if self.is_met[at] == Some(true) || !(placed || serves || again(at)) {
            return None;
        }
        let ends = |to: &usize| self.begins(*to) || self.is_met[*to] == Some(true) || has(*to, Class::Joiner);
        let end = (at + 1..self.words.len()).find(ends).unwrap_or(self.words.len());
        if self.is_named(at, end) || self.is_aside(at, end) || has(end - 1, Class::Of) {
            return None;
        }
        // *For adults*, *aux enfants*, *für Lastwagen*.
        let mut of = (at + 1..end).take_while(|to| !has(*to, Class::Preposition) && !self.words[*to].number);
        let bare = at + 1 < end && has(at, Class::Bare) && !has(at + 1, Class::Article);
        let is_group = bare || of.any(|at| self.is_met[at].is_some() && self.has_s(at) && !self.words[at].capital);
        if self.opens(at) {
            // *In the women's race Hanna Berg* goes on with who it was.
            let goes_on = self.is_met[end..].iter().flatten().next() == Some(&true)
                && (self.begins(end) || !self.words[end].capital);
            return ((placed || is_group) && goes_on).then_some((at, end));
        }
        let opening = (0..=at).rfind(|at| self.begins(*at)).unwrap_or_default();
        let before: Vec<bool> = self.is_met[opening..at].iter().flatten().copied().collect();
        // *A man in blue jeans* is told by them, and not limited to them.
        let is_told = before.len() == 1 && !self.words[at - 1].stop;
        let is_share = |q: &Quantity| matches!(q.measure, Measure::Percent | Measure::Points);
        let limits =
            !is_told && (is_group || (at..end).any(again)) || placed && self.pair.claim.quantities.iter().any(is_share);
        (limits && !before.is_empty() && !before.contains(&false) && !has(at - 1, Class::Negator)).then_some((at, end))
    }

    /// Whether a sentence begins with a word.
    fn opens(&self, at: usize) -> bool {
        let sentence = |at: usize| self.pair.source.index.sentence_at(self.words[at].span.start);
        at == 0 || sentence(at - 1) != sentence(at)
    }

    /// Whether a clause begins with a word.
    fn begins(&self, at: usize) -> bool {
        let gap = |at: usize| self.pair.page().get(self.words[at - 1].span.end..self.words[at].span.start);
        self.opens(at) || gap(at).is_some_and(|gap| gap.contains(CLAUSE_MARKS))
    }

    fn has_s(&self, at: usize) -> bool {
        self.words[at].span.slice(self.pair.page()).ends_with(['s', 'x'])
    }

    /// Whether words say when it was, how things go on, or nothing: *in 2019*, *in addition*.
    fn is_aside(&self, from: usize, to: usize) -> bool {
        let value = |word: &Word| self.unit.quantities.iter().find(|q| q.span.contains(word.span));
        let is_one = |word: &Word| value(word).map_or(cues::has(word, Class::Aside), Quantity::is_temporal);
        let tells = |at: usize| self.is_met[at] == Some(false) && value(&self.words[at]).is_none();
        self.words[from..to].iter().any(is_one) || !(from..to).any(tells)
    }

    /// Whether some of the words name what the claim's document, or the whole page, is about.
    fn is_named(&self, from: usize, to: usize) -> bool {
        let page = self.pair.source.evidence().unit_at(self.words[from].span.start);
        let top = page.and_then(|unit| unit.hangs_on(ContextKind::Heading).next());
        let beside = top.map_or("", |span| span.slice(self.pair.page()));
        let mut beside: Vec<u64> = words(beside).chain(words(self.pair.claim.beside)).map(|word| word.key).collect();
        beside.extend(&self.pair.source.context);
        self.words[from..to].iter().any(|word| !word.stop && beside.contains(&word.key))
    }
}
