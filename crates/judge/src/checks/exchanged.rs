//! Whether a claim says of one thing what its page says of another, and of that one what the page says of the first.

use crate::align::{Aligned, CLAUSE_MARKS, Token};
use crate::cues::{self, Class};
use crate::pair::Pair;
use cited_text::Span;
use cited_text::quantity::{Agreement, compare};
use cited_text::words::Word;

/// A token of the claim, and the one of the page that is the same word.
type TokenPair = (usize, usize);

/// One side of an alignment.
struct Side<'s> {
    text: &'s str,
    words: &'s [Word],
    tokens: &'s [Token],
}

impl Side<'_> {
    fn span_between(&self, from: usize, to: usize) -> Span {
        let end = self.tokens[from].span().end;
        Span::new(end, self.tokens[to].span().start.max(end))
    }

    /// For each token the place of its clause, or of the value that counts it.
    fn parts(&self) -> Vec<usize> {
        let begins = |at: usize| at > 0 && (self.tokens[at].is_value() || self.voice(at - 1, at).is_none());
        let begun: Vec<bool> = (0..self.tokens.len()).map(begins).collect();
        (0..begun.len()).map(|at| begun[..=at].iter().filter(|begins| **begins).count()).collect()
    }

    fn has(&self, span: Span, is_one: impl Fn(&Word) -> bool) -> bool {
        self.words.iter().any(|word| span.contains(word.span) && is_one(word))
    }

    /// The function words right before a token, the nearest first.
    fn words_before(&self, at: usize) -> impl Iterator<Item = &Word> {
        let back = self.words.iter().rev().skip_while(move |word| word.span.start >= self.tokens[at].span().start);
        back.take_while(|word| word.stop)
    }

    /// The preposition among them.
    fn lead(&self, at: usize) -> Option<u64> {
        let mut back = self.words_before(at).filter(|word| !cues::has(word, Class::Article));
        back.find(|word| cues::has(word, Class::Preposition)).map(|word| word.key)
    }

    /// Whether somebody does it behind *by* between two tokens of one clause, where their order tells something.
    fn voice(&self, from: usize, to: usize) -> Option<bool> {
        let between = self.span_between(from, to);
        let parts = |word: &Word| joins(word) || cues::has(word, Class::Loose);
        let is_one = !between.slice(self.text).contains(CLAUSE_MARKS) && !self.has(between, parts);
        is_one.then(|| self.has(between, is_agent))
    }
}

fn joins(word: &Word) -> bool {
    cues::has(word, Class::Joiner) || cues::has(word, Class::Mutual)
}

/// Whether somebody does it behind this word.
fn is_agent(word: &Word) -> bool {
    cues::has(word, Class::Agent) && !cues::has(word, Class::Of)
}

/// The preposition before a place, with an article between them or none.
pub(super) fn preposition(words: &[Word], at: Span) -> Option<&Word> {
    let before = words.iter().rev().skip_while(|other| other.span.start >= at.start);
    let mut before = before.skip_while(|other| cues::has(other, Class::Article) || cues::has(other, Class::Particle));
    before.next().filter(|other| cues::has(other, Class::Preposition))
}

/// Two pairs each, the second of which stands behind the first in the claim and before it on the page.
fn turned_pairs(placed: &[TokenPair]) -> impl Iterator<Item = (TokenPair, TokenPair)> {
    let pairs = placed.iter().flat_map(move |one| placed.iter().map(move |other| (*one, *other)));
    pairs.filter(|(one, other)| one.0 < other.0 && one.1 > other.1)
}

/// A name of the claim whose next one stands before it on the page, and where; or two things each of which stands on the page where the
/// other stands here.
pub(super) fn exchanged(pair: &Pair<'_>, unit: &Aligned<'_>, turned_round: bool) -> Option<TokenPair> {
    let mine = Side { text: pair.claim.text, words: &pair.claim.words, tokens: &pair.claim.tokens };
    let theirs = Side { text: pair.page(), words: unit.words, tokens: &unit.tokens };
    // Where on the page it stands, where it stands there once.
    let place = |i: usize| {
        let is_it = |j: &usize| match (mine.tokens[i], theirs.tokens[*j]) {
            (Token::Value(own, _), Token::Value(other, _)) => {
                compare(&pair.claim.quantities[own], &unit.quantities[other]) == Agreement::Same
            }
            (own, other) => own.key().is_some() && own.key() == other.key(),
        };
        crate::only::only((0..theirs.tokens.len()).filter(is_it))
    };
    let placed: Vec<TokenPair> = (0..unit.accounts.len()).filter_map(|i| Some((i, place(i)?))).collect();
    // *The fund paid the roof, the parish pays the light*, *38 clubs with 4,260 plots*: each of two parts has something of each of two on
    // the page. What only stands on both sides of *and* may change places.
    let (own, its) = (&mine.parts(), &theirs.parts());
    let by_part = turned_pairs(&placed).find(|((i, y), (j, x))| {
        let keep = |p: usize, q: usize| placed.iter().filter(move |(k, l)| own[*k] == own[p] && its[*l] == its[q]);
        let mut kept = [keep(*i, *x), keep(*j, *y)];
        let apart = || mine.span_between(*i, *j).slice(mine.text).contains([';', '；']);
        own[*i] < own[*j]
            && its[*x] < its[*y]
            && kept.iter().all(|kept| kept.clone().next().is_some())
            && (apart() || kept.iter_mut().flatten().any(|(k, _)| (*i..*j).contains(k)))
    });
    let (values, placed): (Vec<TokenPair>, Vec<TokenPair>) =
        placed.into_iter().partition(|(i, _)| mine.tokens[*i].is_value());
    // *In Lanzarote opened the first plant of Spain*: a name behind its own preposition means the same wherever it stands.
    let is_free = |(i, j): &TokenPair| {
        let key = |side: &Side<'_>, at: usize| Some(preposition(side.words, side.tokens[at].span())?.key);
        mine.tokens[*i].is_name() && key(&mine, *i).is_none_or(|own| key(&theirs, *j) != Some(own))
    };
    let apart = |a: usize, b: usize| {
        let between = mine.span_between(a, b);
        between.slice(mine.text).contains(char::is_alphanumeric) && !mine.has(between, joins)
    };
    let by_names = || {
        let names: Vec<TokenPair> = placed.iter().filter(|pair| is_free(pair) && !turned_round).copied().collect();
        let mut pairs = names.windows(2).filter(|pair| pair[0].1 > pair[1].1);
        pairs.find(|pair| apart(pair[0].0, pair[1].0)).map(|pair| (pair[0].0, pair[1].1))
    };
    // What stands before the first of some words stands before all of them: *in early spring*.
    let leads = |(i, j): TokenPair| {
        let key = |side: &Side<'_>, at: usize| side.tokens[at].key();
        let goes_on = |n: &usize| key(&mine, i - n).is_some_and(|own| key(&theirs, j - n) == Some(own));
        let run = (1..=i.min(j)).take_while(goes_on).count();
        ((0..=run).find_map(|n| mine.lead(i - n)), (0..=run).find_map(|n| theirs.lead(j - n)))
    };
    // *Cats are afraid of dogs*, *larger among cats than among dogs*: each stands where the other does, round a word between them or behind a
    // preposition of its own.
    let crosses = |(a, x): TokenPair, (b, y): TokenPair| {
        let ((one, its), (other, of_other)) = (leads((a, x)), leads((b, y)));
        let is_pivot = |(i, j): &TokenPair| a < *i && *i < b && y < *j && *j < x && mine.lead(*i) == theirs.lead(*j);
        let differ = one != other && one.is_some() && other.is_some();
        let compares =
            |side: &Side<'_>, from, to| side.has(side.span_between(from, to), |word| cues::has(word, Class::Than));
        let is_voiced = || mine.voice(a, b).is_some_and(|voice| theirs.voice(y, x) == Some(voice));
        // *Tarn has 57 mills and Brenn 32*: the value between two names is that of the other one.
        let is_named = || mine.tokens[a].is_name() && mine.tokens[b].is_name();
        let is_valued = || values.iter().any(|(i, j)| a < *i && *i < b && y < *j && *j < x);
        (one, other) == (of_other, its)
            && (compares(&mine, a, b) && compares(&theirs, y, x)
                || (differ || placed.iter().any(is_pivot)) && is_voiced()
                || is_named() && is_valued())
    };
    let in_turn = || turned_pairs(&placed).find(|(one, other)| crosses(*one, *other));
    // *Cats fear dogs*, *cats are feared by dogs*.
    let by_voice = || {
        let tells = |word: &&Word| !cues::has(word, Class::Article) && !cues::has(word, Class::Pronoun);
        let agent = |side: &Side<'_>, at| side.words_before(at).find(tells).map(is_agent);
        let mut next = placed.windows(2).filter(|pair| pair[0].0 + 1 == pair[1].0 && pair[0].1 + 1 == pair[1].1);
        let sides = |pair: &[TokenPair]| (agent(&mine, pair[1].0), agent(&theirs, pair[1].1));
        next.find(|pair| matches!(sides(pair), (Some(true), None) | (None, Some(true)))).map(|pair| pair[1])
    };
    let by_two = || in_turn().or(by_part).map(|(one, other)| (one.0, other.1));
    by_names().or_else(by_two).or_else(by_voice)
}
