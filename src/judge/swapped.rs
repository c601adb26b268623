//! The same words in another order: *it deletes its ledgers but keeps its invoices* is not the contrary.
//!
//! Only an order that turns a statement round is told: two words that have changed places round a verb, two pairs that have changed
//! partners, and from where to where. All are signs, and prove nothing.

use crate::evidence::search::MOST_TERMS;
use crate::judge::cues;
use crate::judge::neighbours::is_content;
use crate::judge::pieces::{Cut, Pieces};
use crate::text::language;
use crate::text::words::Word;

/// So far from a verb are words looked at that may have changed places round it.
const REACH: usize = 3;

/// The sentence that has the claim's words in another order.
pub(super) fn said_the_other_way_round(cut: &Cut<'_, '_, '_>) -> Option<usize> {
    with_partners_changed(cut)
        .or_else(|| from_and_to(cut))
        .or_else(|| round_a_verb(cut))
        .or_else(|| with_a_word_turned(cut))
        .or_else(|| round_a_small_word(cut))
        .or_else(|| in_the_other_voice(cut))
        .or_else(|| at_another_place(cut))
        .or_else(|| below_the_first(cut))
}

/// Two pairs of neighbours of the claim have changed partners on the page, which has the first of each in the claim's order: in the
/// passive they may stand otherwise.
fn with_partners_changed(cut: &Cut<'_, '_, '_>) -> Option<usize> {
    let pairs: Vec<(u64, u64)> = cut.pairs().map(|(a, b)| (cut.word(a).key, cut.word(b).key)).collect();
    let changed = |page: &&Pieces<'_>| {
        let followed =
            |a: u64, b: u64| page.places(a).find(|at| page.behind(*at).is_some_and(|next| page.words[next].key == b));
        pairs.iter().enumerate().any(|(i, (a, b))| {
            pairs[i + 1..].iter().any(|(c, d)| {
                let differ = a != c && a != d && b != c && b != d && a != b && c != d;
                differ
                    && matches!((followed(*a, *d), followed(*c, *b)), (Some(first), Some(second)) if first < second)
                    && followed(*a, *b).is_none()
                    && followed(*c, *d).is_none()
            })
        })
    };
    cut.best().find(changed).map(|page| page.sentence)
}

/// What something goes from on the page it goes to in the claim.
fn from_and_to(cut: &Cut<'_, '_, '_>) -> Option<usize> {
    let (from, to) = ends(cut.case.words);
    if from.is_empty() || to.is_empty() {
        return None;
    }
    let meet = |a: &[u64], b: &[u64]| a.iter().any(|key| b.contains(key));
    let turned = |page: &&Pieces<'_>| {
        let (there_from, there_to) = ends(page.words);
        meet(&from, &there_to) && meet(&to, &there_from) && !meet(&from, &there_from) && !meet(&to, &there_to)
    };
    cut.best().find(turned).map(|page| page.sentence)
}

/// The words behind those that say from where and to where.
fn ends(words: &[Word]) -> (Vec<u64>, Vec<u64>) {
    let behind = |test: fn(&Word) -> bool| -> Vec<u64> {
        let starts = (0..words.len()).filter(|at| test(&words[*at]));
        let next = |at: usize| words[at + 1..].iter().take(REACH).find(|word| is_content(word)).map(|word| word.key);
        starts.filter_map(next).collect()
    };
    (behind(cues::is_source), behind(cues::is_goal))
}

/// Two words have changed places round a verb, neither of them behind a preposition: *the freight train struck the passenger train*.
/// In German an object may come first.
fn round_a_verb(cut: &Cut<'_, '_, '_>) -> Option<usize> {
    let turned_otherwise = cut.case.words.iter().any(cues::names_agent)
        || cut.has_capital_nouns
        || language::language_of(cut.case.claim, cut.case.words) == Some("ru");
    if turned_otherwise {
        return None;
    }
    let content: Vec<usize> = cut.told.iter().copied().filter(|at| is_content(cut.word(*at))).collect();
    cut.best().find(|page| (1..content.len()).any(|at| turns_round(cut, page, &content, at))).map(|page| page.sentence)
}

fn turns_round(cut: &Cut<'_, '_, '_>, page: &Pieces<'_>, content: &[usize], at: usize) -> bool {
    let once = |i: usize| {
        let key = cut.word(i).key;
        let mut places = page.places(key);
        let only = content.iter().filter(|other| cut.word(**other).key == key).count() == 1;
        places.next().filter(|_| only && places.next().is_none())
    };
    let prepared = |words: &[Word], at: usize| words[at.saturating_sub(2)..at].iter().any(cues::leads_in);
    let verb = content[at];
    let Some(pivot) = once(verb).filter(|_| !cut.word(verb).capital) else { return false };
    let side = |range: &[usize]| -> Vec<(usize, usize)> {
        let inside = range.iter().filter(|i| cut.claim.same_piece(**i, verb) && !prepared(cut.claim.words, **i));
        inside.filter_map(|i| Some((*i, once(*i)?))).filter(|(_, place)| !prepared(page.words, *place)).collect()
    };
    let left = side(&content[at.saturating_sub(REACH)..at]);
    let right = side(&content[at + 1..(at + 1 + REACH).min(content.len())]);
    left.iter().any(|(_, x)| {
        right.iter().any(|(_, y)| {
            y < &pivot
                && pivot < *x
                && page.same_piece(*x, pivot)
                && page.same_part(*y, pivot)
                && !page.words[pivot..*x].iter().any(cues::names_agent)
                && !is_parted(page, *y, pivot)
        })
    })
}

/// The page has the contrary of a small word beside the same word, and the claim's nowhere beside it: *off by default*, *voted against
/// the budget*.
fn with_a_word_turned(cut: &Cut<'_, '_, '_>) -> Option<usize> {
    let small = (0..cut.case.words.len().min(MOST_TERMS)).filter(|at| !cues::turns_of(cut.word(*at)).is_empty());
    small.into_iter().find_map(|at| {
        let own = cut.word(at);
        let key = |pieces: &Pieces<'_>, at: Option<usize>| at.map(|at| pieces.words[at].key);
        let (before, behind) = (key(&cut.claim, cut.claim.before(at)), key(&cut.claim, cut.claim.behind(at)));
        let mut found = None;
        for page in &cut.page {
            for (i, word) in page.words.iter().enumerate() {
                let turned = cues::turns_of(own).contains(&word.form);
                if word.form != own.form && !turned {
                    continue;
                }
                let (first, next) = (key(page, page.before(i)), key(page, page.behind(i)));
                let alike = if behind.is_some() {
                    next == behind
                } else {
                    next.is_none() && before.is_some() && first == before
                };
                if !turned && (next == behind || before.is_some() && first == before) {
                    return None;
                }
                found = found.or((turned && alike).then_some(page.sentence));
            }
        }
        found.filter(|sentence| cut.is_best(*sentence))
    })
}

/// What stands before and behind a small word has changed places: *trials before recommendations*.
fn round_a_small_word(cut: &Cut<'_, '_, '_>) -> Option<usize> {
    let small = (0..cut.case.words.len().min(MOST_TERMS)).filter(|at| !cues::turns_of(cut.word(*at)).is_empty());
    small.into_iter().find_map(|at| {
        let key = |pieces: &Pieces<'_>, at: Option<usize>| at.map(|at| pieces.words[at].key);
        let behind = key(&cut.claim, cut.claim.behind(at))?;
        let before: Vec<u64> = cut
            .claim
            .inside(at)
            .take_while(|i| *i < at)
            .map(|i| cut.word(i))
            .filter(|word| !word.stop)
            .map(|word| word.key)
            .collect();
        let mut turned = None;
        for page in &cut.page {
            for i in (0..page.words.len()).filter(|i| page.words[*i].form == cut.word(at).form) {
                let (first, next) = (key(page, page.before(i)), key(page, page.behind(i)));
                if next == Some(behind) {
                    return None;
                }
                let changed = first == Some(behind) && next.is_some_and(|next| before.contains(&next));
                turned = turned.or(changed.then_some(page.sentence));
            }
        }
        turned.filter(|sentence| cut.is_best(*sentence))
    })
}

/// The page has a word as the one who does it and the claim as the one to whom it is done, behind the same verb: *struck by a train*.
fn in_the_other_voice(cut: &Cut<'_, '_, '_>) -> Option<usize> {
    let agent = |words: &[Word]| {
        let led = words.iter().any(|word| cues::leads_in(word) && !cues::names_agent(word));
        (!led).then(|| words.iter().any(cues::names_agent))
    };
    cut.pairs().find_map(|(verb, other)| {
        let (verb_word, other_word) = (cut.word(verb), cut.word(other));
        if verb_word.capital || verb_word.number || other_word.number {
            return None;
        }
        let mine = agent(&cut.claim.words[verb + 1..other])?;
        let mut turned = None;
        for page in &cut.page {
            for at in page.places(verb_word.key) {
                let Some(next) = page.behind(at).filter(|next| page.words[*next].key == other_word.key) else {
                    continue;
                };
                match agent(&page.words[at + 1..next]) {
                    Some(theirs) if theirs != mine => turned = turned.or(Some(page.sentence)),
                    _ => return None,
                }
            }
        }
        turned.filter(|sentence| cut.is_best(*sentence))
    })
}

/// The page has the claim's thing at another place in a row: *his first title*, *the second*.
fn at_another_place(cut: &Cut<'_, '_, '_>) -> Option<usize> {
    cut.case.words.windows(2).filter(|pair| cues::is_ordinal(&pair[0]) && is_content(&pair[1])).find_map(|pair| {
        let mut found = None;
        for page in &cut.page {
            for there in
                page.words.windows(2).filter(|there| there[1].key == pair[1].key && cues::is_ordinal(&there[0]))
            {
                if there[0].key == pair[0].key {
                    return None;
                }
                found = found.or(Some(page.sentence));
            }
        }
        found.filter(|sentence| cut.is_best(*sentence))
    })
}

/// The page gives a superlative only with a place in a row: *the second largest*.
fn below_the_first(cut: &Cut<'_, '_, '_>) -> Option<usize> {
    let words = cut.case.words;
    let alone = |at: &usize| *at == 0 || !cues::is_ordinal(&words[*at - 1]);
    let extremes = (0..words.len()).filter(|at| cues::is_extreme(&words[*at])).filter(alone);
    extremes.into_iter().find_map(|at| {
        let mut found = None;
        for page in &cut.page {
            for i in (0..page.words.len()).filter(|i| page.words[*i].form == words[at].form) {
                i.checked_sub(1).filter(|before| cues::is_ordinal(&page.words[*before]))?;
                found = found.or(Some(page.sentence));
            }
        }
        found.filter(|sentence| cut.is_best(*sentence))
    })
}

/// Whether a mark stands between two words.
fn is_parted(page: &Pieces<'_>, from: usize, to: usize) -> bool {
    let between = page.text.get(page.words[from].span.end..page.words[to].span.start).unwrap_or_default();
    between.contains([',', '"', '“', '”', '«', '»', '(', ')', '–', '—'])
}

#[cfg(test)]
mod tests {
    use crate::judge::tests::check_support as check;

    #[test]
    fn partners_belong_together() {
        let page = "Deleting an account deletes its ledgers but keeps its invoices for ten years.";
        check(page, "Deleting an account deletes its ledgers but keeps its invoices.", true);
        check(page, "Deleting an account deletes its invoices but keeps its ledgers.", false);
    }

    #[test]
    fn from_where_to_where_has_an_order() {
        let page = "At 06:42 a passenger train running from Brandsted to Holm passed a signal at danger.";
        check(page, "A passenger train was running from Brandsted to Holm.", true);
        check(page, "A passenger train was running from Holm to Brandsted.", false);
    }

    #[test]
    fn small_words_turn_what_is_said() {
        let page = "The new scheduler is experimental and off by default. The Greens voted against the budget.";
        check(page, "The new scheduler is off by default.", true);
        check(page, "The new scheduler is on by default.", false);
        check(page, "The Greens voted for the budget.", false);
    }

    #[test]
    fn what_stands_round_a_small_word_has_an_order() {
        let page = "The authors call for trials before recommendations on sleep are changed. Buses run from May until October.";
        check(page, "The authors call for trials before recommendations on sleep are changed.", true);
        check(page, "The authors call for recommendations on sleep to be changed before trials.", false);
        check(page, "Buses run from October until May.", false);
    }

    #[test]
    fn places_in_a_row_are_told_apart() {
        let page = "With this win she takes her first title on clay. Brenn is the second largest city of the country.";
        check(page, "She takes her first title on clay.", true);
        check(page, "She takes her second title on clay.", false);
        check(page, "Brenn is the second largest city of the country.", true);
        check(page, "Brenn is the largest city of the country.", false);
    }

    #[test]
    fn what_stands_before_a_verb_does_it() {
        let page = "A passenger train passed a signal at danger and struck a stationary freight train at 47 km/h.";
        check(page, "A passenger train struck a stationary freight train at 47 km/h.", true);
        check(page, "A freight train struck a stationary passenger train at 47 km/h.", false);
        check(page, "A stationary freight train was struck by a passenger train at 47 km/h.", true);
    }
}
