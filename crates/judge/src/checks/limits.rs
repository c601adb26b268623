//! What a sentence of the page is limited to, and the claim is not: for whom, where, when again and again, in whose words. *In Oslo, rents
//! rose*; *it is safe for adults under 40*; *critics said that it failed*.
//!
//! A phrase counts where its clause has nothing else that the claim has not: beside other details it may be one of them.

use crate::align::{Aligned, CLAUSE_MARKS, Token};
use crate::cues::{self, Class};
use crate::evidence::{ContextKind, speakers};
use crate::pair::Pair;
use cited_text::Span;
use cited_text::quantity::{Measure, Quantity};
use cited_text::words::{Word, words};

/// So many words of a limit are told.
const MOST_TOLD: usize = 10;
/// Who speaks stands in so many content words between *according to* and what they say.
const NAME: usize = 3;

/// A sentence of the page beside a claim.
pub(super) struct Clause<'p, 'u> {
    pair: &'u Pair<'p>,
    unit: &'u Aligned<'p>,
    /// For each of its words that has a content whether the claim has it.
    is_met: Vec<Option<bool>>,
}

impl<'p, 'u> Clause<'p, 'u> {
    pub(super) fn new(pair: &'u Pair<'p>, unit: &'u Aligned<'p>) -> Self {
        // With its neighbours a sentence says no more than alone.
        let alone = |one: &&Aligned<'_>| one.first == one.last && unit.first <= one.first && one.last <= unit.last;
        let unit = pair.units.iter().filter(alone).find(|one| pair.accounts_for(one)).unwrap_or(unit);
        let met = |word: &Word| {
            let at = unit.tokens.iter().position(|token| token.span().contains(word.span))?;
            Some(unit.used[at])
        };
        Clause { pair, unit, is_met: unit.words.iter().map(met).collect() }
    }

    /// The words that say of whom or what alone it is so.
    pub(super) fn limit(&self) -> Option<Span> {
        (0..self.unit.words.len()).find_map(|at| self.limit_from(at))
    }

    /// The words that give it to somebody, where the claim gives it to nobody. What the page says of itself, *I think*, is not meant.
    pub(super) fn speech(&self) -> Option<Span> {
        let (first, last) = self.unit.reach()?;
        let place = |at: usize| self.unit.words.partition_point(|word| word.span.start < at);
        let (from, to) = (place(self.unit.tokens[first].span().start), place(self.unit.tokens[last].span().end));
        let all = self.unit.words;
        let opening = (0..=from).rfind(|at| self.opens(*at)).unwrap_or_default();
        let ending = (to..all.len()).find(|at| self.opens(*at)).unwrap_or(all.len());
        let others = |from: usize, to: usize| (from..to).filter(|at| self.is_met[*at] == Some(false)).count();
        let told = |said: Span| {
            let (at, behind) = (place(said.start), place(said.end));
            // *Critics said that …*; *according to the union, …*
            let leads = (opening..from).contains(&at)
                && behind <= from
                && match others(opening, at) {
                    0 => at == opening && (1..=NAME).contains(&others(behind, from)),
                    _ => others(behind, from) <= 1,
                };
            // *…, the union said*; *…, said the union*.
            let follows = to < ending
                && self.begins(to)
                && at >= to
                && (at == to || behind == ending)
                && !(to + 1..=at).any(|at| self.begins(at))
                && !cues::has(&all[to], Class::Joiner)
                && !self.is_time(to, ending);
            match (leads, follows) {
                (true, _) => Some((opening, from)),
                (_, true) => Some((to, ending)),
                _ => None,
            }
        };
        let said = speakers(self.pair.page(), self.unit.span, all);
        let (from, to) =
            said.into_iter().find_map(|said| told(said.span)).filter(|_| self.pair.attributions().is_empty())?;
        (!self.is_named(from, to)).then(|| self.told(from, to))
    }

    /// The first words of some, up to the last that has a content.
    fn told(&self, from: usize, to: usize) -> Span {
        let to = (from + 1..=to).rfind(|to| self.is_met[to - 1].is_some()).unwrap_or(to);
        self.unit.words[from].span.cover(self.unit.words[to.min(from + MOST_TOLD) - 1].span)
    }

    /// The limit that begins with a word.
    fn limit_from(&self, at: usize) -> Option<Span> {
        let all = self.unit.words;
        let has = |at: usize, class| cues::has(&all[at], class);
        let is_again = |at: usize| {
            let is_each =
                || self.written(at).ends_with('s') || (at.saturating_sub(2)..at).any(|at| has(at, Class::Article));
            has(at, Class::Again) && is_each()
        };
        let (alone, again) = (has(at, Class::Only), is_again(at));
        if self.is_met[at] == Some(true) || !(alone || again || has(at, Class::Limiting) || has(at, Class::Serving)) {
            return None;
        }
        let ends = |to: usize| self.begins(to) || self.is_met[to] == Some(true) || has(to, Class::Joiner);
        let end = (at + 1..all.len()).find(|to| ends(*to)).unwrap_or(all.len());
        // *In both singles and doubles*, *in the night of 3 March*: what goes on with words of the claim is no limit of its own.
        let is_met = |at: usize| self.is_met.get(at) == Some(&Some(true));
        let goes_on =
            end < all.len() && (has(end, Class::Joiner) && is_met(end + 1) || has(end - 1, Class::Of) && is_met(end));
        if goes_on || self.is_named(at, end) || self.is_time(at, end) || !again && self.is_aside(at + 1, end) {
            return None;
        }
        let is_group = self.is_group(at, end);
        if self.opens(at) || at > 0 && self.opens(at - 1) && has(at - 1, Class::Only) {
            let is_placed = has(at, Class::Limiting) || is_group;
            let goes_on = end < all.len() && (self.begins(end) || !all[end].capital) && !has(end, Class::Joiner);
            let goes_on = goes_on && self.is_met[end..].iter().flatten().next() == Some(&true);
            return (is_placed && goes_on).then(|| self.told(at, end));
        }
        // *Le premier dimanche du mois.*
        let from = if again {
            (0..at).rfind(|at| self.is_met[*at] == Some(true) || self.begins(*at)).map_or(at, |at| at + 1)
        } else {
            at
        };
        let (first, _) = self.unit.reach()?;
        let opening = (0..=at).rfind(|at| self.begins(*at)).unwrap_or_default();
        let start = self.unit.tokens[first].span().start;
        let mut before = (opening..from).filter(|at| all[*at].span.start >= start).filter_map(|at| self.is_met[at]);
        let is_next = !self.begins(from)
            && [Class::Joiner, Class::Negator].iter().all(|class| !has(from, *class) && !has(from - 1, *class))
            && before.next() == Some(true)
            && before.all(|is_met| is_met);
        let is_share = |q: &Quantity| matches!(q.measure, Measure::Percent | Measure::Points);
        let in_place = has(at, Class::Limiting) && self.pair.claim.quantities.iter().any(is_share);
        let limits = alone && !has(at - 1, Class::Article) || again || (at..end).any(is_again) || is_group || in_place;
        (is_next && limits).then(|| self.told(from, end))
    }

    /// Whether a sentence begins with a word.
    fn opens(&self, at: usize) -> bool {
        let sentence = |at: usize| self.pair.source.index.sentence_at(self.unit.words[at].span.start);
        at == 0 || sentence(at - 1) != sentence(at)
    }

    /// Whether a clause begins with a word.
    fn begins(&self, at: usize) -> bool {
        let gap = |at: usize| self.pair.page().get(self.unit.words[at - 1].span.end..self.unit.words[at].span.start);
        self.opens(at) || gap(at).is_some_and(|gap| gap.contains(CLAUSE_MARKS))
    }

    /// Whether words say how things go on, or point at what was named before: *in addition*, *in their view*.
    fn is_aside(&self, from: usize, to: usize) -> bool {
        let all = self.unit.words;
        let is_measured = |word: &Word| self.unit.quantities.iter().any(|q| q.span.contains(word.span));
        all[from..to].iter().any(|word| cues::has(word, Class::Aside) && !is_measured(word))
            || all[from..to].iter().take(2).any(cues::is(Class::Pronoun))
            || (from..to).filter(|at| self.is_met[*at].is_some()).all(|at| cues::has(&all[at], Class::Here))
    }

    fn written(&self, at: usize) -> &'p str {
        self.unit.words[at].span.slice(self.pair.page())
    }

    /// Whether what stands behind a word is of a number of people or things: *for adults*, *aux enfants*, *für Lastwagen*.
    fn is_group(&self, at: usize, end: usize) -> bool {
        let all = self.unit.words;
        let ends = |to: usize| {
            let is_article = || cues::has(&all[to], Class::Article) && to > at + 1;
            cues::has(&all[to], Class::Preposition) || cues::has(&all[to], Class::Limiting) || is_article()
        };
        let mut noun = (at + 1..end).take_while(|to| !ends(*to)).filter(|at| self.is_met[*at].is_some());
        let plural = |at: usize| {
            let word = self.written(at);
            word.ends_with(['s', 'x']) && !word.ends_with("ss") && !all[at].capital
                || cues::has(&all[at], Class::People)
        };
        let served = cues::has(&all[at], Class::Serving);
        cues::has(&all[at], Class::Limiting) && noun.any(plural)
            || served && noun.next().is_some_and(plural)
            || served && cues::has(&all[at], Class::Bare) && at + 1 < end && !cues::has(&all[at + 1], Class::Article)
    }

    /// The tokens of some words.
    fn tokens(&self, from: usize, to: usize) -> impl Iterator<Item = &Token> {
        let span = self.unit.words[from].span.cover(self.unit.words[to - 1].span);
        self.unit.tokens.iter().filter(move |token| span.contains(token.span()))
    }

    /// Whether words say nothing but a time or a value.
    fn is_time(&self, from: usize, to: usize) -> bool {
        let is_time = |token: &Token| matches!(token, Token::Value(at, _) if self.unit.quantities[*at].is_temporal());
        self.tokens(from, to).any(is_time) || self.tokens(from, to).all(Token::is_value)
    }

    /// Whether some of the words name what the claim's document, or the whole page, is about.
    fn is_named(&self, from: usize, to: usize) -> bool {
        let page = self.pair.source.evidence().unit_at(self.unit.words[from].span.start);
        let top = page.and_then(|unit| unit.hangs_on(ContextKind::Heading).next());
        let heads = |key: u64| top.is_some_and(|span| words(span.slice(self.pair.page())).any(|word| word.key == key));
        let beside = |key: u64| self.pair.source.context.contains(&key) || self.pair.claim.beside.contains(&key);
        self.tokens(from, to).filter_map(Token::key).any(|key| beside(key) || heads(key))
    }
}
