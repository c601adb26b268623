//! The guards: what of a claim, or of the part of the page that has its words, changes whether it is so, how surely, of how many,
//! by whom, and has no counterpart on the other side. One generic question each.

use super::exchanged;
use super::found::{Clash, Found};
use super::limits::Clause;
use crate::align::{self, Account, Aligned, CLAUSE_MARKS, Token};
use crate::case::counted;
use crate::cues::{self, Class};
use crate::evidence::Attribution;
use crate::pair::Pair;
use crate::polarity::{self, Stance};
use crate::quotations::QuotationMatch;
use cited_text::Span;
use cited_text::language::Spoken;
use cited_text::quantity::{Agreement, Bound, Measure, Quantity, Role, compare};
use cited_text::words::{Word, words};

/// Where a sentence has other values of one kind, so much of the claim has to stand there in its order.
const IN_ORDER: f64 = 0.9;
/// So near, in words, stands what takes the place of something.
const SLOT: usize = 3;

/// Asks whether something objects to a part of the page that accounts for the claim.
pub(crate) type Guard = fn(&Pair<'_>, &Aligned<'_>) -> Option<Clash>;

/// The guards with their ids.
const GUARDS: [(&str, Guard); 9] = [
    ("denial", denial),
    ("possibility", possibility),
    ("quantifier", quantifier),
    ("limit", limit),
    ("direction", direction),
    ("comparison", comparison),
    ("speaker", speaker),
    ("roles", roles),
    ("other-value", other_value),
];

/// What the guard of this id objects to the part of the page that accounts for the claim best, where guards object to each that does.
pub(super) fn objects(pair: &Pair<'_>, id: &str) -> Option<Found> {
    if says_it(pair) {
        return None;
    }
    let unit = pair.units.iter().find(|unit| pair.accounts_for(unit))?;
    let (_, look) = GUARDS.iter().find(|(known, _)| *known == id)?;
    let clash = look(pair, unit)?;
    // What stands there is not said to be missing, if it is of something else.
    let (own, other) = (&clash.claimed, &clash.found);
    let reason = match (stands_in(unit.span.slice(pair.page()), own), other.is_empty()) {
        (true, true) => format!("the source has “{own}”, and not as the claim puts it"),
        (true, false) => format!("the source has “{own}” and “{other}”, and not as the claim puts them"),
        _ => clash.reason(),
    };
    Some(Found { span: Some(unit.span), reason, claimed: clash.claimed, on_page: clash.found, shown: None })
}

/// Whether a part of a page has these words, in any case of their letters.
pub(crate) fn stands_in(text: &str, words: &str) -> bool {
    !words.is_empty() && text.to_lowercase().contains(&words.to_lowercase())
}

/// The part of the page that accounts for a claim with quantities, or for every content word, in the same order, of one without, where no guard
/// objects.
pub(super) fn find_support(pair: &Pair<'_>, with_values: bool) -> Option<Found> {
    let mut wrong = pair.quoted.iter().filter(|one| !one.is_layout && !matches!(one.found, QuotationMatch::Found(_)));
    if pair.claim.tokens.iter().any(Token::is_value) != with_values || wrong.next().is_some() {
        return None;
    }
    let unit = pair.units.iter().find(|unit| pair.accounts_for(unit) && !is_objected(pair, unit))?;
    let what = if with_values { "has the numbers for the same thing" } else { "says it in nearly the same words" };
    Some(Found { span: Some(unit.span), reason: format!("the source {what}"), ..Found::default() })
}

/// Whether a part of the page accounts for the claim, and no guard objects.
pub(super) fn says_it(pair: &Pair<'_>) -> bool {
    pair.units.iter().any(|unit| pair.accounts_for(unit) && !is_objected(pair, unit))
}

/// Whether a guard objects to a part of the page that has the claim's words.
pub(super) fn is_objected(pair: &Pair<'_>, unit: &Aligned<'_>) -> bool {
    let mut objections = pair.objections.borrow_mut();
    *objections.entry((unit.first, unit.last)).or_insert_with(|| is_objected_beside(pair, unit, &[]))
}

/// The same, without the guards of these ids.
pub(super) fn is_objected_beside(pair: &Pair<'_>, unit: &Aligned<'_>, beside: &[&str]) -> bool {
    let mut guards = GUARDS.iter().filter(|(id, _)| !beside.contains(id) && !pair.without.contains(*id));
    guards.any(|(_, look)| look(pair, unit).is_some())
}

fn lower(text: &str, word: &Word) -> String {
    word.span.slice(text).to_lowercase()
}

/// The first word of some that has one of the classes.
fn first<'w>(words: &'w [Word], classes: &[Class]) -> Option<&'w Word> {
    words.iter().find(|word| classes.iter().any(|class| cues::has(word, *class)))
}

/// The first word of the claim that counts, of one of these classes, where the page has none of its class and the word itself nowhere.
fn lacking(pair: &Pair<'_>, unit: &Aligned<'_>, classes: &[Class], counts: impl Fn(&Word) -> bool) -> Option<Clash> {
    classes.iter().find_map(|class| {
        let word = pair.claim.words.iter().find(|word| cues::has(word, *class) && counts(word))?;
        let there = first(unit.words, &[*class]).is_some() || unit.words.iter().any(|other| other.form == word.form);
        (!there).then(|| Clash::new(lower(pair.claim.text, word), ""))
    })
}

/// Words of a unit as text with its languages.
pub(super) fn spoken<'p>(pair: &Pair<'p>, unit: &Aligned<'_>, words: &[Word]) -> Spoken<'p> {
    let span = words.first().zip(words.last()).map_or(unit.span, |(a, b)| a.span.cover(b.span));
    Spoken { text: span.slice(pair.page()), languages: unit.languages }
}

/// One of the two denies and the other does not.
pub(super) fn denial(pair: &Pair<'_>, unit: &Aligned<'_>) -> Option<Clash> {
    let mine = polarity::stance_of(pair.spoken(), pair.claim.words.iter().copied());
    // *Auf die Sauna wurde aus Geldmangel verzichtet*: what denies in its own words stands anywhere in the clause.
    let clause = spoken(pair, unit, unit.region_to(unit.words.len()));
    let denying_phrases = polarity::stance_in(clause).denying_phrases;
    let theirs = Stance { denying_phrases, ..polarity::stance_in(spoken(pair, unit, unit.region())) };
    if let Some(doubt) = crate::verbatim::doubt(pair.page(), unit.words) {
        return crate::verbatim::doubt(pair.claim.text, &pair.claim.words).is_none().then(|| Clash::new("", doubt));
    }
    if crate::verbatim::is_doubted(&pair.source.index, unit.first, unit.last) {
        return Some(Clash::new("", "that this is not so"));
    }
    if !mine.clashes(&theirs) {
        let text = pair.page();
        let denied = |span: &Span| {
            polarity::stance_in(Spoken { text: span.slice(text), languages: unit.languages }).denials() > 0
        };
        let apart = if mine.denials() == 0 { unit.before_apart(SLOT).find(denied) } else { None };
        return apart.map(|span| Clash::new("", span.slice(text)));
    }
    let word = |part| polarity::first_denial(part).unwrap_or_default();
    let by_claim = mine.denials() > theirs.denials();
    Some(if by_claim { Clash::new(word(pair.spoken()), "") } else { Clash::new("", word(clause)) })
}

/// The page only plans, expects, allows or asks what the claim says is so.
pub(super) fn possibility(pair: &Pair<'_>, unit: &Aligned<'_>) -> Option<Clash> {
    // What somebody thinks is so if the claim says who does.
    let opinion = if pair.attributions().is_empty() { Class::Opinion } else { Class::Possible };
    let unsure = |word: &Word| {
        !word.capital && [Class::Hedge, Class::Possible, opinion].iter().any(|class| cues::has(word, *class))
    };
    let region = unit.region();
    let end = region.last().map_or(unit.span.end, |word| word.span.end);
    // What stands on a condition is said under it, wherever the condition stands before it.
    let mut before = unit.words.iter().take_while(|word| word.span.start < end);
    let supposed = before.find(|word| cues::has(word, Class::Condition));
    if let Some(word) = supposed.filter(|_| !pair.claim.words.iter().any(cues::is(Class::Condition))) {
        return Some(Clash::new("", lower(pair.page(), word)));
    }
    if pair.claim.words.iter().any(unsure) {
        return None;
    }
    // What will be so is more than what may be.
    let foreseen = pair.claim.words.iter().any(cues::is(Class::Foreseen));
    let open = |word: &&Word| unsure(word) || !foreseen && !word.capital && cues::has(word, Class::Foreseen);
    let theirs = region.iter().find(open).map(|word| lower(pair.page(), word));
    let whole = unit.span.slice(pair.page());
    // *Almost finished*: it counts where the claim has what stands right behind it.
    let reaches = |end: usize| {
        let next = unit.tokens.partition_point(|token| token.span().start < unit.span.start + end);
        let token = unit.tokens.get(next).filter(|token| !token.is_value());
        let near = |token: &Token| whole[end..token.span().start - unit.span.start].split_whitespace().count() < 2;
        token.is_some_and(near) && unit.partners.contains(&Some(next))
    };
    let tells = |(class, _, end): &(&str, &str, usize)| match *class {
        _ if foreseen => false,
        "foreseenphrase" => !cues::says(pair.claim.text, class),
        "unreached" => reaches(*end) && !cues::says(pair.claim.text, class),
        _ => false,
    };
    let phrase = || cues::phrases_in(whole, unit.languages).find(tells).map(|(_, phrase, _)| phrase.trim().to_owned());
    let asks = || (!foreseen && whole.trim_end().ends_with(['?', '？'])).then(|| "?".to_owned());
    theirs.or_else(phrase).or_else(asks).map(|found| Clash::new("", found))
}

/// The claim speaks of all, most or none of them, or of nearly all, and the page does not; or the other way round.
pub(super) fn quantifier(pair: &Pair<'_>, unit: &Aligned<'_>) -> Option<Clash> {
    let (mine, theirs) = (&pair.claim.words, unit.region());
    let of_claim = lacking(pair, unit, &[Class::All, Class::Most, Class::NoneOf], |_| true);
    let whole = unit.span.slice(pair.page());
    let excepts = || cues::excepts(whole).filter(|_| cues::excepts(pair.claim.text).is_none());
    // *One of the largest* need not be the largest.
    let among =
        |words: &[Word]| words.windows(2).any(|two| cues::has(&two[0], Class::OneOf) && cues::has(&two[1], Class::Of));
    let tops = mine.iter().any(|word| cues::is_top(pair.claim.text, word));
    let one_of = || (tops && among(theirs) && !among(mine)).then(|| Clash::new("", "one of"));
    of_claim.or_else(|| excepts().map(|words| Clash::new("", words))).or_else(one_of).or_else(|| {
        // *A few came* says that some did.
        let before = |word: &Word| theirs.iter().rfind(|other| other.span.end <= word.span.start);
        let is_few =
            |word: &Word| cues::has(word, Class::Nearly) && !before(word).is_some_and(cues::is(Class::Article));
        let word = theirs.iter().find(|word| is_few(word) || cues::has(word, Class::Lack))?;
        first(mine, &[Class::Nearly, Class::Lack]).is_none().then(|| Clash::new("", lower(pair.page(), word)))
    })
}

/// The claim speaks of something only, or of what was so before or until then, and the page does not; or the page says it of some alone,
/// *among readers over 60*, and the claim does not.
pub(super) fn limit(pair: &Pair<'_>, unit: &Aligned<'_>) -> Option<Clash> {
    let own = lacking(pair, unit, &[Class::Only, Class::Until, Class::Before], |_| true);
    own.or_else(|| Clause::new(pair, unit).limit().map(|limit| Clash::new("", limit)))
}

/// The one goes up and the other down, or has a word whose opposite stands with the other.
pub(super) fn direction(pair: &Pair<'_>, unit: &Aligned<'_>) -> Option<Clash> {
    let mine = polarity::stance_of(pair.spoken(), pair.claim.words.iter().copied());
    let theirs = polarity::stance_in(spoken(pair, unit, unit.region()));
    let against =
        mine.up && !mine.down && theirs.down && !theirs.up || mine.down && !mine.up && theirs.up && !theirs.down;
    let (own, other) = if mine.up { (Class::Up, Class::Down) } else { (Class::Down, Class::Up) };
    let word = |text: &str, words: &[Word], class| first(words, &[class]).map(|w| lower(text, w)).unwrap_or_default();
    let moves = || Clash::new(word(pair.claim.text, &pair.claim.words, own), word(pair.page(), unit.region(), other));
    against.then(moves).or_else(|| {
        let has = |words: &[Word], form: u64| words.iter().any(|word| word.form == form);
        let left = pair.claim.words.iter().filter(|word| !has(unit.words, word.form));
        left.into_iter().find_map(|word| {
            let opposites = cues::opposites_of(word);
            let turned = |other: &&Word| opposites.contains(&other.form) && !has(&pair.claim.words, other.form);
            let found = unit.region().iter().find(turned)?;
            Some(Clash::new(lower(pair.claim.text, word), lower(pair.page(), found)))
        })
    })
}

/// The claim compares, or says that nothing goes further, and the page does not.
pub(super) fn comparison(pair: &Pair<'_>, unit: &Aligned<'_>) -> Option<Clash> {
    // *Less than 9 months* compares nothing.
    let compares = |word: &Word| !align::bounds(pair.claim.text, &pair.claim.quantities, word);
    lacking(pair, unit, &[Class::Than, Class::Superlative, Class::Together, Class::Mean], compares)
}

/// The claim gives to one speaker what the page gives to another.
pub(super) fn speaker(pair: &Pair<'_>, unit: &Aligned<'_>) -> Option<Clash> {
    let mine = pair.attributions();
    if mine.is_empty() {
        return Clause::new(pair, unit).speech().map(|said| Clash::new("", said));
    }
    let named = mine.iter().find_map(Attribution::name)?.slice(pair.claim.text);
    let theirs: Vec<&str> = pair.speakers_of(unit).iter().map(|name| name.slice(pair.page())).collect();
    let own: Vec<u64> = words(named).filter(|word| !word.stop).map(|word| word.key).collect();
    let is_one = |name: &&str| words(name).any(|word| own.contains(&word.key));
    (!theirs.is_empty() && !theirs.iter().any(is_one)).then(|| Clash::new(named, theirs[0]))
}

/// What the claim has in one place stands in another one on the page, and there something of its kind: *the western wall fell and the
/// eastern gate*. The passive voice exchanges who did it and to whom it was done.
pub(super) fn roles(pair: &Pair<'_>, unit: &Aligned<'_>) -> Option<Clash> {
    if unit.first != unit.last {
        return None;
    }
    let by_somebody = |words: &[Word]| {
        let agents = (0..words.len()).filter(|at| cues::has(&words[*at], Class::Agent));
        agents.into_iter().any(|at| words[at + 1..].iter().take(SLOT).any(|word| word.capital))
    };
    let turned_round = by_somebody(&pair.claim.words) != by_somebody(unit.region());
    let is_moved = |i: &usize| unit.accounts[*i] == Account::Here && unit.partners[*i].is_none();
    let taken: Vec<usize> = unit.partners.iter().flatten().copied().collect();
    let with_rival = |i: usize| {
        let before = unit.partners[..i].iter().rev().flatten().next().copied();
        let behind = unit.partners[i + 1..].iter().flatten().next().copied();
        let slot = before.map_or(0, |at| at + 1)..behind.unwrap_or(unit.tokens.len());
        let near_before = slot.clone().take(SLOT).filter(|_| before.is_some());
        let near_behind = slot.rev().take(SLOT).filter(|_| behind.is_some());
        let next_to = |j: usize| {
            i > 0 && unit.partners[i - 1].is_some_and(|at| at + 1 == j)
                || unit.partners.get(i + 1).is_some_and(|at| *at == Some(j + 1))
        };
        let rival = |j: &usize| !taken.contains(j) && is_of_its_kind(pair, unit, (i, *j), next_to(*j));
        near_before.chain(near_behind).find(rival).map(|j| (i, j))
    };
    let mut moved = (0..unit.accounts.len()).filter(|i| is_moved(i) && !turned_round);
    let found = exchanged::exchanged(pair, unit, turned_round).or_else(|| moved.find_map(with_rival));
    found.map(|(i, j)| {
        Clash::new(pair.claim.tokens[i].span().slice(pair.claim.text), unit.tokens[j].span().slice(pair.page()))
    })
}

/// Whether a token of the page can stand for one of the claim: a value for a value, a name for a name, a word next to the same
/// word for a word, what stands behind a preposition for what does.
fn is_of_its_kind(pair: &Pair<'_>, unit: &Aligned<'_>, (i, j): (usize, usize), next: bool) -> bool {
    let (own, other) = (&pair.claim.tokens[i], &unit.tokens[j]);
    match (own, other) {
        (Token::Value(own, _), Token::Value(other, _)) => {
            let (q, theirs) = (&pair.claim.quantities[*own], &unit.quantities[*other]);
            q.is_temporal() == theirs.is_temporal() && compare(q, theirs) != Agreement::Same
        }
        (Token::Word(a), Token::Word(b)) => {
            let alike = own.is_name() == other.is_name();
            // What tells where or when may stand anywhere.
            let is_lead = |other: &Word| !cues::has(other, Class::Of);
            let is_placed = |words: &[Word], at: Span| exchanged::preposition(words, at).is_some_and(is_lead);
            let placed = is_placed(&pair.claim.words, a.span) == is_placed(unit.words, b.span);
            !unit.used[j] && alike && placed && (next || own.is_name())
        }
        _ => false,
    }
}

/// Whether a value of the page stands right behind a name that the claim has not, in a list of such: *Norway 632, Finland 524*.
pub(super) fn is_of_another(pair: &Pair<'_>, unit: &Aligned<'_>, j: usize) -> bool {
    let page = pair.page();
    let blank = |text: &str| text.chars().all(|c| c.is_whitespace() || c == ':');
    let mut next = unit.tokens[j].span().start;
    let names = unit.tokens[..j].iter().zip(&unit.used).rev().take_while(|(token, used)| {
        let is_one = token.is_name() && !**used && page.get(token.span().end..next).is_some_and(blank);
        next = token.span().start;
        is_one
    });
    let first = names.last().map(|(token, _)| token.span().start);
    first.is_some_and(|start| page[..start].trim_end().ends_with(CLAUSE_MARKS))
}

/// The page has another value of the kind of the claim's beside it, and the claim's words stand with that one; or it has the claim's as
/// something else: as what it rose from, or by how much.
pub(super) fn other_value(pair: &Pair<'_>, unit: &Aligned<'_>) -> Option<Clash> {
    let mine = pair.claim.tokens.iter().enumerate();
    let mine = mine.filter_map(|(i, token)| Some((i, &pair.claim.quantities[token.value()?])));
    let (from, to) = unit.reach()?;
    let used = |j: usize| unit.used.get(j).copied().unwrap_or_default();
    mine.into_iter().find_map(|(i, q)| {
        let partner = unit.partners.get(i).copied().flatten();
        let kin = |j: &usize| {
            let Token::Value(at, _) = unit.tokens[*j] else { return false };
            let other = &unit.quantities[at];
            let counts = (counted(pair.claim.text, q), counted(pair.page(), other));
            let stands_with = || (from..=to).contains(j) && (used(*j + 1) || counts.0 == counts.1);
            let alike =
                q.measure == other.measure && (q.measure != Measure::Count || counts.0 == counts.1 || stands_with());
            // *From 38 to 41*, *2 September 2016*: two values of one thing.
            let of_one = |at: usize| {
                let (a, b) = (unit.tokens[at].span(), unit.tokens[*j].span());
                let between = pair.page().get(a.end.min(b.end)..a.start.max(b.start)).unwrap_or_default();
                other.role == Role::From
                    && matches!(unit.tokens[at], Token::Value(to, _) if unit.quantities[to].role == Role::To)
                    || other.is_temporal() && !between.contains(char::is_alphanumeric)
            };
            !unit.used[*j]
                && !partner.is_some_and(of_one)
                && (alike || q.is_temporal() && other.is_temporal())
                && !is_of_another(pair, unit, *j)
        };
        // A value that stands there is not missing: the other one stands beside it.
        let claimed = if partner.is_none() { q.written(pair.claim.text) } else { "" };
        let told = |found: usize| Clash::new(claimed, unit.tokens[found].span().slice(pair.page()));
        if let Some(found) = partner.filter(|found| is_used_otherwise(pair, unit, q, *found)) {
            return Some(told(found));
        }
        let others: Vec<usize> = (0..unit.tokens.len()).filter(kin).collect();
        let first = *others.first()?;
        let within = others.iter().find(|j| (from..to).contains(j));
        let apart = partner.is_none() || unit.ordered < IN_ORDER;
        within.copied().or(apart.then_some(first)).map(told)
    })
}

/// Whether the page has a value as what something was before, or as a difference, and the claim has it as what it is; or the other way
/// round.
pub(super) fn is_used_otherwise(pair: &Pair<'_>, unit: &Aligned<'_>, q: &Quantity, found: usize) -> bool {
    let Token::Value(at, _) = unit.tokens[found] else { return false };
    let theirs = &unit.quantities[at];
    let differs = |text: &str, words: &[Word], q: &Quantity| {
        let behind = words.iter().filter(|word| word.span.start >= q.span.end).take(SLOT);
        let clause = |word: &&Word| !text[q.span.end..word.span.start].contains(CLAUSE_MARKS);
        behind.take_while(clause).any(cues::is(Class::Differing))
    };
    let (claim, page) = (pair.claim.text, pair.page());
    let before = |words: &[Word], q: &Quantity, class| {
        let last = words.iter().rfind(|word| word.span.end <= q.span.start);
        let rises = |word| matches!(class, Class::Change) && cues::moves(word);
        last.is_some_and(|word| cues::has(word, class) || rises(word))
    };
    let (own, others) = (pair.claim.words.as_slice(), unit.words);
    let by_or_to = |by: (&[Word], &Quantity), to: (&[Word], &Quantity)| {
        before(by.0, by.1, Class::Change) && before(to.0, to.1, Class::Goal) && !before(to.0, to.1, Class::Change)
    };
    let sides = ((own, q), (others, theirs));
    // *Up to 50* is not 50, nor is 50 *more than 50*.
    let bounds = |q: &Quantity, other: &Quantity| match q.bound {
        Bound::AtLeast => other.value <= q.value,
        Bound::AtMost => other.value >= q.value,
        _ => q.upper.is_some(),
    };
    let alone = |q: &Quantity| q.upper.is_none() && q.role == Role::Alone && !q.is_temporal();
    let bare = |q: &Quantity| q.bound == Bound::Exact && alone(q);
    let bounded = bare(theirs) && bounds(q, theirs) || bare(q) && bounds(theirs, q);
    bounded
        || theirs.role == Role::From && q.role != Role::From
        || differs(claim, own, q) != differs(page, others, theirs)
        || by_or_to(sides.0, sides.1)
        || by_or_to(sides.1, sides.0)
}

/// Whether a sentence only says what it says: it asks nothing, supposes nothing, sets nothing off, and reports nothing that is false.
pub(crate) fn is_plain(pair: &Pair<'_>, unit: &Aligned<'_>) -> bool {
    let whole = unit.span.slice(pair.page());
    possibility(pair, unit).is_none()
        && !cues::says(whole, "contrast")
        && !unit.words.iter().any(|word| cues::has(word, Class::Condition))
        && !crate::verbatim::is_doubted(&pair.source.index, unit.first, unit.last)
}
