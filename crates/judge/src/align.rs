//! A claim held against a part of a page: which of its words and values are accounted for there, in which order, and what has no counterpart
//! on either side. Everything that the checks ask is asked of this.

use super::cues::{self, Class};
use super::page::SourceText;
use crate::evidence::{ContextKind, SourceIndex, search};
use cited_text::Span;
use cited_text::lexicon::Languages;
use cited_text::quantity::{Agreement, Bound, Quantity, compare};
use cited_text::quotation::Quotation;
use cited_text::words::{self, Word};

/// More words than this of a claim, and twice as many of a page, are not aligned: no sentence has them.
const MOST_TOKENS: usize = 160;
/// Words of one stem share so many letters …
const STEM: usize = 4;
/// … and of a claim and its sentence this part of the longer of them.
const STEM_PART: f64 = 0.6;
/// What a value weighs beside words, which weigh what their rarity says.
const VALUE: f64 = 5.0;
/// So many words behind the aligned ones are read with them, within their clause: *fell* at their end, …
const BEHIND: usize = 3;
/// … and so many before them: *there is no evidence that*.
const BEFORE: usize = 8;
/// What a word, and what a name or a value weighs where the longest row of pairs is looked for: names and values are what changes places.
const IN_ROW: [u16; 2] = [3, 2];

/// What parts the clauses of a sentence.
pub(super) const CLAUSE_MARKS: [char; 8] = [',', ';', ':', '，', '；', '：', '(', ')'];

/// A claim, read once.
#[derive(Debug)]
pub(super) struct Claim<'c> {
    pub(super) text: &'c str,
    pub(super) words: Vec<Word>,
    pub(super) languages: Languages,
    pub(super) quantities: Vec<Quantity>,
    pub(super) quotations: Vec<Quotation>,
    pub(super) tokens: Vec<Token>,
    /// What stands round it in its document.
    pub(super) beside: &'c str,
}

/// A content word, or a value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Token {
    Word(Word),
    /// The place of a quantity among those that were read with it.
    Value(usize, Span),
}

impl Token {
    pub(super) fn span(&self) -> Span {
        match self {
            Token::Word(word) => word.span,
            Token::Value(_, span) => *span,
        }
    }

    pub(super) fn is_value(&self) -> bool {
        matches!(self, Token::Value(..))
    }

    /// The key of its word.
    pub(super) fn key(&self) -> Option<u64> {
        if let Token::Word(word) = self { Some(word.key) } else { None }
    }

    /// The place of its value.
    pub(super) fn value(&self) -> Option<usize> {
        if let Token::Value(at, _) = self { Some(*at) } else { None }
    }

    /// Whether it is a word that names something.
    pub(super) fn is_name(&self) -> bool {
        matches!(self, Token::Word(word) if word.capital || word.number)
    }

    pub(super) fn weight(&self) -> f64 {
        match self {
            Token::Word(word) if word.number => VALUE,
            Token::Word(word) => f64::from(words::rarity(word.key)),
            Token::Value(..) => VALUE,
        }
    }
}

/// The content words and values of a text, in order. A number that names something, as in *iOS 17*, is a word.
pub(super) fn tokens(words: &[Word], quantities: &[Quantity]) -> Vec<Token> {
    let values = || quantities.iter().enumerate().filter(|(_, q)| !q.is_label());
    let mut tokens: Vec<Token> = values().map(|(at, q)| Token::Value(at, q.span)).collect();
    // *An* is a year in French.
    let tells = |word: &Word| cues::has(word, Class::Telling) && word.spoken.only().is_some();
    let telling =
        |word: &&Word| (!word.stop || word.number || tells(word)) && !values().any(|(_, q)| q.span.contains(word.span));
    tokens.extend(words.iter().filter(telling).map(|word| Token::Word(*word)));
    tokens.sort_by_key(|token| token.span().start);
    tokens
}

/// Whether a word stands right before a value and bounds it, with the word between them or none: *more than*, *up to*, *at least*.
pub(super) fn bounds(text: &str, quantities: &[Quantity], word: &Word) -> bool {
    quantities.iter().filter(|q| q.bound != Bound::Exact && !q.is_label()).any(|q| {
        let from_word = text.get(word.span.start..q.span.start);
        from_word.is_some_and(|words| (1..=2).contains(&words.split_whitespace().count()))
    })
}

/// How a token of the claim is accounted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Account {
    /// Nowhere.
    Missing,
    /// By the same word in another form, or the same value, in the part of the page.
    Here,
    /// In what the part hangs on: a heading, the name that *it* stands for, the title.
    Over,
}

/// A claim beside a part of the page.
#[derive(Debug)]
pub(super) struct Aligned<'p> {
    /// The sentences of the page.
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) span: Span,
    /// The page.
    pub(super) text: &'p str,
    pub(super) words: &'p [Word],
    pub(super) quantities: &'p [Quantity],
    pub(super) languages: Languages,
    pub(super) tokens: Vec<Token>,
    /// For each token of the claim how it is accounted for, …
    pub(super) accounts: Vec<Account>,
    /// … and the token of the page that it meets where both go on in the same order.
    pub(super) partners: Vec<Option<usize>>,
    /// The tokens of the page that those of the claim without a partner meet.
    out_of_order: Vec<usize>,
    /// For each token of the page whether the claim has it.
    pub(super) used: Vec<bool>,
    /// The part of the claim by weight that is accounted for, …
    pub(super) covered: f64,
    /// … and that is so in the same order.
    pub(super) ordered: f64,
    /// The same, whatever the places of times.
    pub(super) in_place: f64,
}

/// Tokens of a claim in a row that are not accounted for, and those of the page between the same neighbours that the claim has not.
#[derive(Debug)]
pub(super) struct Gap {
    pub(super) claimed: Vec<usize>,
    pub(super) found: Vec<usize>,
}

impl<'p> Aligned<'p> {
    /// Aligns a claim with the sentences `first..=last`; `over` is what they hang on.
    pub(super) fn new(
        claim: &Claim<'_>,
        index: &'p SourceIndex<'_>,
        (first, last): (usize, usize),
        over: &SentenceContext,
    ) -> Self {
        let (words, quantities) = (index.words_of(first, last), index.quantities_of(first, last));
        let mut theirs = tokens(words, quantities);
        theirs.truncate(2 * MOST_TOKENS);
        let mine = &claim.tokens[..claim.tokens.len().min(MOST_TOKENS)];
        let (n, m) = (mine.len(), theirs.len());
        let are_met = |own: &Token, other: &Token| match (own, other) {
            (Token::Word(a), Token::Word(b)) => {
                let alike = || is_of_one_stem(a.span.slice(claim.text), b.span.slice(index.text()), STEM_PART);
                a.key == b.key || !a.number && !b.number && alike()
            }
            (Token::Value(a, _), Token::Value(b, _)) => {
                compare(&claim.quantities[*a], &quantities[*b]) == Agreement::Same
            }
            _ => false,
        };
        let meets: Vec<bool> = (0..n * m).map(|at| are_met(&mine[at / m], &theirs[at % m])).collect();
        // The first word of a sentence is written like a name.
        let changes = |(i, token): (usize, &Token)| token.is_value() || i > 0 && token.is_name();
        let weights: Vec<u16> = mine.iter().enumerate().map(|one| IN_ROW[usize::from(changes(one))]).collect();
        let partners = in_order(&meets, &weights, m);
        let account = |i: usize| {
            if meets[i * m..(i + 1) * m].contains(&true) {
                return Account::Here;
            }
            let is_over = match mine[i] {
                Token::Word(word) => over.keys.contains(&word.key),
                Token::Value(at, _) => {
                    over.dates.iter().any(|date| compare(&claim.quantities[at], date) == Agreement::Same)
                }
            };
            if is_over { Account::Over } else { Account::Missing }
        };
        let accounts: Vec<Account> = (0..n).map(account).collect();
        let used = (0..m).map(|j| (0..n).any(|i| meets[i * m + j])).collect();
        let apart = (0..n).filter(|i| partners[*i].is_none());
        let out_of_order = apart.filter_map(|i| (0..m).find(|j| meets[i * m + j])).collect();
        let total: f64 = mine.iter().map(Token::weight).sum::<f64>().max(f64::EPSILON);
        let weigh = |counts: &dyn Fn(usize) -> bool| {
            mine.iter().enumerate().filter(|(i, _)| counts(*i)).map(|(_, token)| token.weight()).sum::<f64>() / total
        };
        let covered = weigh(&|i| accounts[i] != Account::Missing);
        // What stands over the sentence has no place in its order, …
        let has_place = |i: usize| partners[i].is_some() || accounts[i] == Account::Over;
        let ordered = weigh(&has_place);
        // … and a time may stand at either end of it.
        let is_time = |i: usize| matches!(mine[i], Token::Value(at, _) if claim.quantities[at].is_temporal());
        let in_place = weigh(&|i| has_place(i) || accounts[i] != Account::Missing && is_time(i));
        let (span, languages) = (index.span_of(first, last), index.languages_of(first, last));
        Aligned {
            first,
            last,
            span,
            text: index.text(),
            words,
            quantities,
            languages,
            tokens: theirs,
            accounts,
            partners,
            out_of_order,
            used,
            covered,
            ordered,
            in_place,
        }
    }

    /// Which of the claim's tokens are not accounted for.
    pub(super) fn missing(&self) -> impl Iterator<Item = usize> + '_ {
        self.accounts.iter().enumerate().filter(|(_, account)| **account == Account::Missing).map(|(i, _)| i)
    }

    /// The values of the page that the claim has not, with their places among its tokens.
    pub(super) fn other_values(&self) -> impl Iterator<Item = (usize, &'p Quantity)> {
        let free = self.tokens.iter().zip(&self.used).enumerate().filter(|(_, (_, used))| !**used);
        free.filter_map(move |(j, (token, _))| Some((j, &self.quantities[token.value()?])))
    }

    /// The places of the first and the last token of the page that the claim meets in order.
    pub(super) fn reach(&self) -> Option<(usize, usize)> {
        let mut met = self.partners.iter().flatten();
        let first = *met.next()?;
        Some((first, met.next_back().copied().unwrap_or(first)))
    }

    /// For each word of the claim that the page has in another order alone, what stands right before it there: *reads files but does not
    /// write them*.
    pub(super) fn before_apart(&self, most: usize) -> impl Iterator<Item = Span> {
        self.out_of_order.iter().filter_map(move |j| {
            let span = self.tokens[*j].span();
            let at = self.words.partition_point(|word| word.span.start < span.start);
            Some(self.words.get(at.saturating_sub(most))?.span.cover(span))
        })
    }

    /// How much the page has between the claim's words that the claim has not, for each of its own.
    pub(super) fn added(&self) -> f64 {
        let added = self.reach().map_or(0, |(from, to)| (from..to).filter(|j| !self.used[*j]).count());
        added as f64 / self.accounts.len().max(1) as f64
    }

    /// The words of the page from the first that the claim meets to the last, with those of their clause beside them.
    pub(super) fn region(&self) -> &'p [Word] {
        self.region_to(BEHIND)
    }

    /// The same with so many words of their clause behind them.
    pub(super) fn region_to(&self, most_behind: usize) -> &'p [Word] {
        let Some((first, last)) = self.reach() else { return &[] };
        let span = self.tokens[first].span().cover(self.tokens[last].span());
        let mut from = self.words.partition_point(|word| word.span.end <= span.start);
        let mut to = self.words.partition_point(|word| word.span.start < span.end);
        let parts = |at: usize| {
            let (before, behind) = (&self.words[at - 1], &self.words[at]);
            // Words of writing without spaces overlap.
            let between = self.text.get(before.span.end..behind.span.start).unwrap_or_default();
            between.contains(CLAUSE_MARKS) || cues::has(before, Class::Joiner) || cues::has(behind, Class::Joiner)
        };
        let (low, high) = (from.saturating_sub(BEFORE), (to + most_behind).min(self.words.len()));
        while from > low && !parts(from) {
            from -= 1;
        }
        while to > 0 && to < high && !parts(to) {
            to += 1;
        }
        &self.words[from..to]
    }

    /// The gaps of the claim, with what the page has in their places.
    pub(super) fn gaps(&self) -> Vec<Gap> {
        let mut gaps: Vec<Gap> = Vec::new();
        for i in self.missing() {
            match gaps.last_mut() {
                Some(gap) if gap.claimed.last() == Some(&(i - 1)) => gap.claimed.push(i),
                _ => gaps.push(Gap { claimed: vec![i], found: Vec::new() }),
            }
        }
        for gap in &mut gaps {
            let (begin, end) = (gap.claimed[0], gap.claimed[gap.claimed.len() - 1]);
            let before = self.partners[..begin].iter().rev().flatten().next().copied();
            let behind = self.partners[end + 1..].iter().flatten().next().copied();
            let from = before.map_or(behind.map_or(0, |at| at.saturating_sub(2)), |at| at + 1);
            let to = behind.unwrap_or((from + 2).min(self.tokens.len()));
            gap.found = (from..to.max(from)).filter(|j| !self.used[*j]).collect();
        }
        gaps
    }
}

/// Whether two words begin alike for this part of the longer of them: *appointed*, *appointment*.
pub(super) fn is_of_one_stem(a: &str, b: &str, part: f64) -> bool {
    fn lower(text: &str) -> impl Iterator<Item = char> {
        text.chars().flat_map(char::to_lowercase)
    }
    let shared = lower(a).zip(lower(b)).take_while(|(x, y)| x == y).count();
    shared >= STEM && shared as f64 >= part * lower(a).count().max(lower(b).count()) as f64
}

/// The longest row of pairs that meet, in the order of both sides: for each token of the one the token of the other.
fn in_order(meets: &[bool], weights: &[u16], m: usize) -> Vec<Option<usize>> {
    let n = weights.len();
    let mut table = vec![0_u16; (n + 1) * (m + 1)];
    let at = |i: usize, j: usize| i * (m + 1) + j;
    for i in (0..n).rev() {
        for j in (0..m).rev() {
            let taken = if meets[i * m + j] { table[at(i + 1, j + 1)] + weights[i] } else { 0 };
            table[at(i, j)] = taken.max(table[at(i + 1, j)]).max(table[at(i, j + 1)]);
        }
    }
    let (mut i, mut j, mut partners) = (0, 0, vec![None; n]);
    while i < n && j < m {
        if meets[i * m + j] && table[at(i, j)] == table[at(i + 1, j + 1)] + weights[i] {
            partners[i] = Some(j);
            (i, j) = (i + 1, j + 1);
        } else if table[at(i + 1, j)] >= table[at(i, j + 1)] {
            i += 1;
        } else {
            j += 1;
        }
    }
    partners
}

/// What a sentence hangs on: headings, what introduces its list, whom its pronouns stand for, who speaks.
#[derive(Debug)]
pub(super) struct SentenceContext {
    /// The keys of its words.
    keys: Vec<u64>,
    /// Its dates.
    dates: Vec<Quantity>,
}

/// What a sentence hangs on, with what the title of its page says.
pub(super) fn words_over(source: &SourceText<'_>, sentence: usize) -> SentenceContext {
    let (index, mut over) = (&source.index, SentenceContext { keys: source.context.clone(), dates: Vec::new() });
    let unit = source.evidence().unit_at(index.span_of(sentence, sentence).start);
    let all = unit.into_iter().flat_map(|unit| &unit.context);
    for context in all.filter(|context| context.kind != ContextKind::ColumnHead) {
        let words = words::words(context.span.slice(index.text()));
        over.keys.extend(words.filter(|word| !word.stop).map(|word| word.key));
        over.dates.extend(index.quantities_in(context.span).iter().filter(|q| q.is_temporal()).cloned());
    }
    over
}

/// The terms of a claim that are looked up to find the parts of a page that may speak to it.
pub(super) fn terms(claim: &Claim<'_>) -> Vec<search::Term> {
    let mut terms = search::terms(claim.text);
    terms.retain(|term| !claim.quantities.iter().any(|q| !q.is_label() && q.span.contains(term.span)));
    terms
}
