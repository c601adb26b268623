//! The guards: what of a claim, or of the part of the page that has its words, changes whether it is so, how surely, of how many,
//! by whom, and has no counterpart on the other side. One generic question each.

use super::{CHECKS, Clash, Found, Question};
use crate::evidence::{Speaker, speakers};
use crate::judge::align::{Account, Aligned, Token};
use crate::judge::asked::Asked;
use crate::judge::case::counted;
use crate::judge::cues::{self, Class};
use crate::judge::polarity;
use crate::quantity::Measure;
use crate::text::Span;
use crate::text::language::Spoken;
use crate::text::words::Word;

/// A sentence that has so little beside the claim's words, for each of them, is the claim's in another order.
const MOST_ADDED: f64 = 0.34;
/// Where a sentence has other values of one kind, so much of the claim has to stand there in its order.
const IN_ORDER: f64 = 0.9;

/// The first guard that objects to every part of the page that accounts for the claim, at the best of them.
pub(super) fn objects(asked: &Asked<'_>, look: fn(&Asked<'_>, &Aligned<'_>) -> Option<Clash>) -> Option<Found> {
    if asked.units.iter().any(|unit| asked.accounts_for(unit) && !asked.is_objected(unit)) {
        return None;
    }
    let unit = asked.units.iter().find(|unit| asked.accounts_for(unit))?;
    let clash = look(asked, unit)?;
    let reason = clash.reason();
    Some(Found { span: Some(unit.span), reason, claimed: clash.claimed, found: clash.found, shown: None })
}

/// The id of the first guard but those of `beside` that objects to a part of the page.
pub(in crate::judge) fn objection(asked: &Asked<'_>, unit: &Aligned<'_>, beside: &[&str]) -> Option<&'static str> {
    let guards = CHECKS.iter().filter(|check| !beside.contains(&check.id) && asked.asks(check.id));
    let objects = |check: &&super::Check| match check.question {
        Question::Guard(look) => look(asked, unit).is_some(),
        Question::Page(_) => false,
    };
    guards.into_iter().find(objects).map(|check| check.id)
}

fn lower(text: &str, word: &Word) -> String {
    word.span.of(text).to_lowercase()
}

/// The first word of some that has one of the classes.
fn first<'w>(words: &'w [Word], classes: &[Class]) -> Option<&'w Word> {
    words.iter().find(|word| classes.iter().any(|class| cues::has(word, *class)))
}

/// The region of a unit as text with its languages.
fn region<'p>(asked: &Asked<'p>, unit: &Aligned<'_>) -> Spoken<'p> {
    let words = unit.region();
    let span = words.first().zip(words.last()).map_or(unit.span, |(a, b)| a.span.cover(b.span));
    Spoken { text: span.of(asked.page()), languages: unit.languages }
}

/// One of the two denies and the other does not.
pub(super) fn denial(asked: &Asked<'_>, unit: &Aligned<'_>) -> Option<Clash> {
    let mine = polarity::stance_of(asked.spoken(), asked.claim.words.iter().copied());
    let theirs = polarity::stance_in(region(asked, unit));
    if let Some(doubt) = crate::judge::verbatim::doubt(asked.page(), unit.words) {
        return crate::judge::verbatim::doubt(asked.claim.text, &asked.claim.words)
            .is_none()
            .then(|| Clash::new("", doubt));
    }
    if crate::judge::verbatim::is_doubted(&asked.source.index, unit.first, unit.last) {
        return Some(Clash::new("", "that this is not so"));
    }
    let odd = |stance: &polarity::Stance| (stance.negators + usize::from(stance.denying_phrase)) % 2 == 1;
    if odd(&mine) == odd(&theirs) {
        return None;
    }
    let word = |text: &str, words: &[Word]| {
        words.iter().find(|word| polarity::denies(text, word)).map(|word| lower(text, word)).unwrap_or_default()
    };
    let (claimed, found) = (word(asked.claim.text, &asked.claim.words), word(asked.page(), unit.region()));
    Some(if odd(&mine) { Clash::new(claimed, "") } else { Clash::new("", found) })
}

/// The page only plans, expects, allows or asks what the claim says is so.
pub(super) fn possibility(asked: &Asked<'_>, unit: &Aligned<'_>) -> Option<Clash> {
    const OPEN: [Class; 3] = [Class::Hedge, Class::Foreseen, Class::Possible];
    let open = |word: &&Word| !word.capital && OPEN.iter().any(|class| cues::has(word, *class));
    let region = unit.region();
    let end = region.last().map_or(unit.span.end, |word| word.span.end);
    // What stands on a condition is said under it, wherever the condition stands before it.
    let supposed =
        unit.words.iter().take_while(|word| word.span.start < end).find(|word| cues::has(word, Class::Condition));
    if let Some(word) = supposed.filter(|_| !asked.claim.words.iter().any(|word| cues::has(word, Class::Condition))) {
        return Some(Clash::new("", lower(asked.page(), word)));
    }
    if asked.claim.words.iter().any(|word| open(&word)) {
        return None;
    }
    let theirs = region.iter().find(open).map(|word| lower(asked.page(), word));
    let whole = unit.span.of(asked.page());
    let foresees = |text| cues::foresees_in_a_phrase(text);
    let phrase = || (foresees(whole) && !foresees(asked.claim.text)).then(|| "is to".to_owned());
    let asks = || whole.trim_end().ends_with(['?', '？']).then(|| "?".to_owned());
    theirs.or_else(phrase).or_else(asks).map(|found| Clash::new("", found))
}

/// The claim speaks of all, most or none of them, or of nearly all, and the page does not; or the other way round.
pub(super) fn quantifier(asked: &Asked<'_>, unit: &Aligned<'_>) -> Option<Clash> {
    let (mine, theirs) = (&asked.claim.words, unit.region());
    let of_claim = [Class::All, Class::Most, Class::NoneOf].iter().find_map(|class| {
        let word = first(mine, &[*class])?;
        (first(unit.words, &[*class]).is_none() && !unit.words.iter().any(|other| other.form == word.form))
            .then(|| Clash::new(lower(asked.claim.text, word), ""))
    });
    of_claim.or_else(|| {
        let word = first(theirs, &[Class::Nearly, Class::Lack])?;
        first(mine, &[Class::Nearly, Class::Lack]).is_none().then(|| Clash::new("", lower(asked.page(), word)))
    })
}

/// The page leaves open which of several it is: *five or more*, *either born there or of that descent*.
pub(super) fn alternatives(asked: &Asked<'_>, unit: &Aligned<'_>) -> Option<Clash> {
    let count = |words: &[Word]| words.iter().filter(|word| cues::has(word, Class::Or)).count();
    let theirs = unit.region();
    if count(theirs) <= count(&asked.claim.words) {
        return None;
    }
    let parts = |word: &&Word| {
        let behind = unit.tokens.partition_point(|token| token.span().start < word.span.start);
        let has = |at: usize| unit.used.get(at).copied();
        cues::has(word, Class::Or) && behind > 0 && has(behind - 1) != has(behind)
    };
    let word = theirs.iter().find(parts)?;
    Some(Clash::new("", lower(asked.page(), word)))
}

/// The claim speaks of something only, or of what was so before or until then, and the page does not.
pub(super) fn limit(asked: &Asked<'_>, unit: &Aligned<'_>) -> Option<Clash> {
    [Class::Only, Class::Until, Class::Before].iter().find_map(|class| {
        let word = first(&asked.claim.words, &[*class])?;
        let there = first(unit.words, &[*class]).is_some() || unit.words.iter().any(|other| other.form == word.form);
        (!there).then(|| Clash::new(lower(asked.claim.text, word), ""))
    })
}

/// The one goes up and the other down.
pub(super) fn direction(asked: &Asked<'_>, unit: &Aligned<'_>) -> Option<Clash> {
    let mine = polarity::stance_of(asked.spoken(), asked.claim.words.iter().copied());
    let theirs = polarity::stance_in(region(asked, unit));
    let against =
        mine.up && !mine.down && theirs.down && !theirs.up || mine.down && !mine.up && theirs.up && !theirs.down;
    let (own, other) = if mine.up { (Class::Up, Class::Down) } else { (Class::Down, Class::Up) };
    let word = |text: &str, words: &[Word], class| first(words, &[class]).map(|w| lower(text, w)).unwrap_or_default();
    against
        .then(|| Clash::new(word(asked.claim.text, &asked.claim.words, own), word(asked.page(), unit.region(), other)))
}

/// The claim compares, or says that nothing goes further, and the page does not.
pub(super) fn comparison(asked: &Asked<'_>, unit: &Aligned<'_>) -> Option<Clash> {
    let mine = &asked.claim.words;
    let own = [Class::Than, Class::Superlative, Class::Together, Class::Mean].iter().find_map(|class| {
        let word = first(mine, &[*class])?;
        first(unit.words, &[*class]).is_none().then(|| Clash::new(lower(asked.claim.text, word), ""))
    });
    // What one thing is beside another, the other is not beside the one.
    own.or_else(|| {
        let behind = |text: &str, words: &[Word]| {
            let at = words.iter().position(cues::compares)?;
            let next = words[at + 1..].iter().find(|word| !word.stop)?;
            Some((next.key, lower(text, next)))
        };
        let (mine, theirs) = (behind(asked.claim.text, mine)?, behind(asked.page(), unit.words)?);
        (mine.0 != theirs.0).then(|| Clash::new(mine.1, theirs.1))
    })
}

/// The claim gives to one speaker what the page gives to another; or says flatly what the page only has somebody claim.
pub(super) fn speaker(asked: &Asked<'_>, unit: &Aligned<'_>) -> Option<Clash> {
    let text = asked.claim.text;
    let whole = Span::new(0, text.len());
    let mine = speakers(text, whole, &asked.claim.words);
    let page = asked.page();
    let theirs: Vec<Span> = asked.speakers_of(unit);
    let named = mine.iter().find_map(|said| match said.by {
        Speaker::Named(name) => Some(name),
        _ => None,
    })?;
    let keys = |text: &str| crate::text::words::words(text).filter(|w| !w.stop).map(|w| w.key).collect::<Vec<_>>();
    let own = keys(named.of(text));
    let by_another =
        !theirs.is_empty() && theirs.iter().all(|name| !keys(name.of(page)).iter().any(|key| own.contains(key)));
    by_another.then(|| Clash::new(named.of(text), theirs[0].of(page)))
}

/// The shared words stand in another order: who did it to whom.
pub(super) fn roles(asked: &Asked<'_>, unit: &Aligned<'_>) -> Option<Clash> {
    // Names, of which two have to have changed places.
    let placed = |i: usize| {
        let Token::Word(own) = asked.claim.tokens[i] else { return None };
        let named = own.capital && unit.accounts[i] == Account::Here;
        let mut at = unit.words.iter().filter(|word| word.key == own.key);
        let one = at.next().filter(|_| named)?;
        at.next().is_none().then_some((own, one.span.start))
    };
    let found: Vec<(Word, usize)> = (0..unit.accounts.len()).filter_map(placed).collect();
    let agent = |words: &[Word]| crate::judge::align::any(words, Class::Agent);
    // The passive voice exchanges them, too.
    let turned_round = agent(&asked.claim.words) != agent(unit.region());
    if unit.first != unit.last || unit.added() >= MOST_ADDED {
        return None;
    }
    let swapped = found.windows(2).find(|pair| pair[0].1 > pair[1].1);
    let (a, b) = swapped.map(|pair| (pair[0].0, pair[1].0)).filter(|_| !turned_round)?;
    let joined = asked.claim.words.iter().any(|word| {
        word.span.start >= a.span.end
            && word.span.end <= b.span.start
            && (cues::joins(word) || cues::has(word, Class::Mutual))
    });
    (!joined && !is_one_name(asked.claim.text, a.span, b.span)).then(|| {
        Clash::new(format!("{} … {}", a.span.of(asked.claim.text), b.span.of(asked.claim.text)), "another order")
    })
}

/// Whether two words stand side by side, as parts of one name do.
fn is_one_name(text: &str, a: Span, b: Span) -> bool {
    text.get(a.end..b.start).is_some_and(|gap| gap.chars().all(|c| !c.is_alphanumeric()))
}

/// The page has another value of the kind of the claim's beside it, and the claim's words stand with that one.
pub(super) fn other_value(asked: &Asked<'_>, unit: &Aligned<'_>) -> Option<Clash> {
    let mine = asked.claim.tokens.iter().enumerate().filter_map(|(i, token)| match token {
        Token::Value(at, _) => Some((i, &asked.claim.quantities[*at])),
        Token::Word(_) => None,
    });
    let (from, to) = unit.reach()?;
    mine.into_iter().find_map(|(i, q)| {
        let kin = |j: &usize| {
            let Token::Value(at, _) = unit.tokens[*j] else { return false };
            let other = &unit.quantities[at];
            let counts = (counted(asked.claim.text, q), counted(asked.page(), other));
            !unit.used[*j] && other.measure == q.measure && (q.measure != Measure::Count || counts.0 == counts.1)
                || !unit.used[*j] && q.is_temporal() && other.is_temporal()
        };
        let others: Vec<usize> = (0..unit.tokens.len()).filter(kin).collect();
        let first = *others.first()?;
        let within = others.iter().find(|j| (from..to).contains(j));
        let apart = unit.partners.get(i).copied().flatten().is_none() || unit.ordered < IN_ORDER;
        let other = within.copied().or(apart.then_some(first))?;
        Some(Clash::new(q.written(asked.claim.text), unit.tokens[other].span().of(asked.page())))
    })
}

/// Whether a sentence only says what it says: it asks nothing, supposes nothing, sets nothing off, and reports nothing that is false.
pub(in crate::judge) fn is_plain(asked: &Asked<'_>, unit: &Aligned<'_>) -> bool {
    let whole = unit.span.of(asked.page());
    possibility(asked, unit).is_none()
        && !cues::contrasts(whole)
        && !unit.words.iter().any(|word| cues::has(word, Class::Condition))
        && !super::super::verbatim::is_doubted(&asked.source.index, unit.first, unit.last)
}

/// Whether the sentence denies, or only supposes, what stands before a quotation in it, and the claim does not.
pub(in crate::judge) fn is_denied_before(asked: &Asked<'_>, quoted: Span) -> bool {
    let index = &asked.source.index;
    let sentence = index.sentence_at(quoted.start);
    let before = Span::new(index.span_of(sentence, sentence).start.min(quoted.start), quoted.start);
    let words: Vec<Word> =
        index.words_of(sentence, sentence).iter().filter(|w| before.contains(w.span)).copied().collect();
    let denies = |text: &str, words: &[Word]| words.iter().filter(|word| polarity::denies(text, word)).count() % 2 == 1;
    let own: Vec<Word> = asked
        .claim
        .words
        .iter()
        .filter(|w| !asked.claim.quotations.iter().any(|q| q.inner.contains(w.span)))
        .copied()
        .collect();
    denies(asked.page(), &words) && !denies(asked.claim.text, &own)
}
