//! What is said in which piece of a sentence: *the R5 returns to its station by itself, the Lite has to be carried back* does not
//! say that the Lite returns.
//!
//! A writer who mixes up two statements takes the subject of the one and what is said of the other. All words are then on the page,
//! in one sentence, and only their pieces tell: each test looks for a word of the claim that has another one in its place beside
//! the rest of the claim, and itself stands elsewhere. All are signs, and prove nothing.

use crate::judge::cues;
use crate::judge::neighbours::is_content;
use crate::judge::pieces::{Cut, Pieces};
use crate::text::words::Word;

/// So many of the claim's first words may be what it is about.
const SUBJECT: usize = 2;

/// The sentence that says it of something else than the claim does.
pub(super) fn said_of_something_else(cut: &Cut<'_, '_, '_>) -> Option<usize> {
    of_another_subject(cut)
        .or_else(|| with_another_object(cut))
        .or_else(|| with_another_verb(cut))
        .or_else(|| with_another_complement(cut))
        .or_else(|| of_another_name(cut))
        .or_else(|| of_another_head(cut))
        .or_else(|| of_a_kind(cut))
        .or_else(|| of_the_name_before(cut))
        .or_else(|| of_a_relative_clauses_name(cut))
        .or_else(|| of_the_opposite(cut))
        .or_else(|| with_an_exception(cut))
}

/// A piece that is about something else says it, and what the claim is about begins a later piece, which says something else:
/// *Anna Keller defended the plan, Jens Maurer called it too dear*.
fn of_another_subject(cut: &Cut<'_, '_, '_>) -> Option<usize> {
    let tells = |page: &&Pieces<'_>| {
        page.tells_all && (0..SUBJECT.min(cut.told.len())).any(|i| begins_a_later_piece(cut, page, i))
    };
    cut.best().find(tells).map(|page| page.sentence)
}

fn begins_a_later_piece(cut: &Cut<'_, '_, '_>, page: &Pieces<'_>, i: usize) -> bool {
    let subject = cut.word(cut.told[i]);
    let own: Vec<usize> = page.places(subject.key).collect();
    let Some(first) = own.first().copied().filter(|_| !subject.number) else { return false };
    for said in cut.told[i + 1..].iter().map(|at| cut.word(*at)) {
        let mut there = page.places(said.key);
        let Some(at) = there.next() else { continue };
        if said.number {
            return false;
        }
        let together = |at: usize| own.iter().any(|own| page.same_piece(*own, at));
        if together(at) || there.clone().any(together) {
            continue;
        }
        // Of another part what goes before is read too: *Holm was tried and acquitted; the merchant, who …, was hanged*.
        let apart = !page.same_part(first, at);
        let near = |i: usize, of: usize| page.same_piece(i, of) || apart && page.same_part(i, of);
        return there.all(|other| page.same_piece(at, other))
            && first > at
            && page.begins_with_a_thing(at)
            && (0..at).any(|i| near(i, at) && page.adds(i))
            && begins_its_piece(page, first)
            && (first + 1..page.words.len()).any(|i| near(i, first) && page.is_foreign(i));
    }
    false
}

/// Whether nothing but articles, a title and other words of the claim stand before a word in its piece.
fn begins_its_piece(page: &Pieces<'_>, at: usize) -> bool {
    let before = || page.inside(at).take_while(|i| *i < at);
    let leads = |word: &Word| cues::joins(word) || cues::sets_off(word) || cues::is_article(word);
    before().all(|i| !page.words[i].stop || leads(&page.words[i]))
        && before().filter(|i| !page.words[*i].stop && !page.is_claimed(*i)).count() <= 1
}

/// The page has something else behind the same words, and what the claim has there in another piece, behind other words: *chaired
/// by Ulla Brandt; the inquiry, led by Henrik Vester*; or, a name, in a sentence beside it.
fn with_another_object(cut: &Cut<'_, '_, '_>) -> Option<usize> {
    cut.pairs().find_map(|(lead, object)| {
        let (lead_word, object_word) = (cut.word(lead), cut.word(object));
        let frame = cut.claim.between(lead, object);
        let framed = cut.claim.words[lead..object].iter().any(cues::leads_in);
        if lead_word.number || object_word.number || !framed {
            return None;
        }
        let mut found: Option<(&Pieces<'_>, usize, usize)> = None;
        for page in &cut.page {
            for at in page.places(lead_word.key) {
                if page.has_beside(at, object_word.key) {
                    return None;
                }
                let other = page.behind(at).filter(|other| {
                    !page.words[*other].number && !page.is_claimed(*other) && page.between(at, *other) == frame
                });
                found = found.or(other.map(|other| (page, at, other)));
            }
        }
        let (page, at, other) = found.filter(|(page, ..)| cut.is_best(page.sentence))?;
        let mut places = page.places(object_word.key).peekable();
        let elsewhere = if places.peek().is_some() {
            places.all(|place| is_led_by_another(page, place, at))
        } else {
            let names = object_word.capital && page.is_name(other);
            names && cut.beside(page.sentence).any(|words| words.iter().any(|word| word.key == object_word.key))
        };
        elsewhere.then_some(page.sentence)
    })
}

/// Whether something that the claim does not have stands before a word, in its piece or, when another part has what is compared,
/// in its part.
fn is_led_by_another(page: &Pieces<'_>, at: usize, other: usize) -> bool {
    let near = |i: usize| if page.same_part(at, other) { page.same_piece(i, at) } else { page.same_part(i, at) };
    (0..at).any(|i| near(i) && page.adds(i))
}

/// Only sentences that name another do what the claim says of a name that a sentence beside them has.
fn of_another_name(cut: &Cut<'_, '_, '_>) -> Option<usize> {
    cut.pairs().find_map(|(subject, verb)| {
        let (subject_word, verb_word) = (cut.word(subject), cut.word(verb));
        if !cut.claim.is_name(subject) || verb_word.capital || verb_word.number {
            return None;
        }
        let frame = cut.claim.between(subject, verb);
        let mut found = None;
        for page in &cut.page {
            let mut verbs = page.places(verb_word.key).peekable();
            if verbs.peek().is_some() && page.places(subject_word.key).next().is_some() {
                return None;
            }
            for at in verbs {
                let other = page.before(at).filter(|other| page.is_name(*other) && !page.is_claimed(*other))?;
                found = found.or((page.between(other, at) == frame).then_some(page.sentence));
            }
        }
        let sentence = found.filter(|sentence| cut.is_best(*sentence))?;
        let mut beside = cut.beside(sentence);
        beside.any(|words| words.iter().any(|word| word.key == subject_word.key)).then_some(sentence)
    })
}

/// The claim's thing of two that are called the same stands in a piece that says something else: *the nursery in the park grows,
/// the nursery Sunshine is closed*.
fn of_another_head(cut: &Cut<'_, '_, '_>) -> Option<usize> {
    let both = cut.pairs().flat_map(|(a, b)| [(a, b, true), (b, a, false)]);
    both.filter(|(head, kind, _)| !cut.word(*head).number && !cut.word(*kind).number).find_map(
        |(head, kind, behind)| {
            let has_another =
                |page: &&Pieces<'_>| is_of_another_head(cut, page, cut.word(head), cut.word(kind), behind);
            cut.best().filter(|page| page.tells_all).find(has_another).map(|page| page.sentence)
        },
    )
}

fn is_of_another_head(cut: &Cut<'_, '_, '_>, page: &Pieces<'_>, head: &Word, kind: &Word, behind: bool) -> bool {
    let next = |at: usize| if behind { page.behind(at) } else { page.before(at) };
    let is_of = |at: &usize, test: &dyn Fn(usize) -> bool| next(*at).is_some_and(test);
    let mine: Vec<usize> = page.places(head.key).filter(|at| is_of(at, &|i| page.words[i].key == kind.key)).collect();
    if mine.is_empty() {
        return false;
    }
    let foreign = |i: usize| !page.words[i].number && !page.is_claimed(i);
    let others = page.places(head.key).filter(|at| is_of(at, &foreign) && !page.has_beside(*at, kind.key));
    let others: Vec<usize> = others.collect();
    let (in_mine, in_others) = (
        |at: usize| mine.iter().any(|own| page.same_piece(*own, at)),
        |at: usize| others.iter().any(|other| page.same_piece(*other, at)),
    );
    let rest = || cut.told.iter().map(|at| cut.word(*at)).filter(|word| word.key != head.key && word.key != kind.key);
    let only_there = |word: &&Word| {
        let mut places = page.places(word.key).peekable();
        places.peek().is_some() && places.all(in_others)
    };
    let there = rest().filter(only_there).count();
    !others.is_empty()
        && !mine.iter().any(|at| in_others(*at))
        && there > rest().filter(|word| page.places(word.key).any(in_mine)).count()
        && (0..page.words.len()).any(|at| in_mine(at) && page.adds(at))
}

/// The page says it of a kind of the claim's thing, which stands in another piece without that word: *dogs are admitted to the
/// foyer; guide dogs may enter all rooms*.
fn of_a_kind(cut: &Cut<'_, '_, '_>) -> Option<usize> {
    let thing = cut.told.iter().map(|at| cut.word(*at)).find(|word| is_content(word))?;
    let nouns = cut.has_capital_nouns;
    let is_of_a_kind = |page: &&Pieces<'_>| {
        let modifier = |at: usize| {
            let before =
                at.checked_sub(1).filter(|before| page.same_piece(*before, at) && is_content(&page.words[*before]))?;
            let gap = page.text.get(page.words[before].span.end..page.words[at].span.start)?;
            matches!(gap, " " | "-").then_some(before)
        };
        let (kinds, bare): (Vec<usize>, Vec<usize>) =
            page.places(thing.key).partition(|at| modifier(*at).is_some_and(|i| !page.is_claimed(i)));
        let bare: Vec<usize> = bare.into_iter().filter(|at| modifier(*at).is_none()).collect();
        let said_in = |places: &[usize]| {
            let has = |word: &&Word| page.places(word.key).any(|at| places.iter().any(|own| page.same_piece(*own, at)));
            let rest = cut.told.iter().map(|at| cut.word(*at));
            rest.filter(|word| word.key != thing.key && is_content(word)).filter(has).count()
        };
        let in_small = |at: &usize| nouns || !page.words[*at].capital;
        kinds.iter().any(in_small)
            && !bare.is_empty()
            && !kinds.iter().any(|kind| bare.iter().any(|at| page.same_piece(*kind, *at)))
            && said_in(&kinds) > said_in(&bare)
    };
    cut.best().find(is_of_a_kind).map(|page| page.sentence)
}

/// What stands between commas right behind a name is said of it, and not of the name that the claim begins with: *Lina Favre beat
/// Marta Roig, the second seed*.
fn of_the_name_before(cut: &Cut<'_, '_, '_>) -> Option<usize> {
    let subject = *cut.told.first().filter(|at| cut.claim.is_name(**at))?;
    let is_aside = |page: &&Pieces<'_>| {
        // The name that an open relative clause is said of: *who retires and becomes*.
        let mut relative = None;
        (1..page.words.len()).filter(|at| !page.same_piece(at - 1, *at)).any(|at| {
            let (before, first) = (&page.words[at - 1], &page.words[at]);
            let comma = page.text.get(before.span.end..first.span.start).is_some_and(|gap| gap.trim() == ",");
            let own = page.has_beside(at - 1, cut.word(subject).key) || !page.begins_behind_a_preposition(at - 1);
            let named = page.is_name(at - 1) && !page.is_claimed(at - 1) && own;
            let goes_on = cues::joins(first) && page.words.get(at + 1).is_some_and(|next| !next.stop);
            let opens = !first.stop || cues::is_relative(first) || cues::is_article(first);
            let name = if comma && named && opens { Some(at - 1) } else { relative.filter(|_| goes_on) };
            relative = name.filter(|_| cues::is_relative(first) || goes_on);
            name.is_some_and(|name| is_said_aside(cut, page, subject, name, at))
        })
    };
    cut.best().find(is_aside).map(|page| page.sentence)
}

/// Whether the piece that begins at a word, said of a name before, has nearly all of what the claim says of its subject, which
/// stands farther before.
fn is_said_aside(cut: &Cut<'_, '_, '_>, page: &Pieces<'_>, subject: usize, name: usize, at: usize) -> bool {
    /// So far from the name the claim's may be part of it.
    const NEAR: usize = 3;
    let said = page.inside(at).find(|i| is_content(&page.words[*i]));
    let is_said = said.is_some_and(|i| {
        let word = &page.words[i];
        page.is_claimed(i) && !word.capital && !word.span.of(page.text).ends_with("ing")
    });
    let before = page.places(cut.word(subject).key);
    let is_other = before.clone().next().is_some()
        && before.clone().all(|i| i < name && !(page.same_piece(i, name) && name - i < NEAR));
    let rest = cut.told.iter().filter(|i| **i > subject + 1 && is_content(cut.word(**i)));
    is_said && is_other && rest.filter(|i| !page.has_beside(at, cut.word(**i).key)).count() <= 1
}

/// A relative clause has its own name right before what the claim says of another one: *the sale, which Vries had pushed through*.
fn of_a_relative_clauses_name(cut: &Cut<'_, '_, '_>) -> Option<usize> {
    let named = cut.pairs().filter(|(subject, verb)| cut.claim.is_name(*subject) && !cut.word(*verb).capital);
    named.into_iter().find_map(|(subject, verb)| {
        let (subject, verb) = (cut.word(subject), cut.word(verb));
        let is_of_another = |page: &&Pieces<'_>| {
            let mut places = page.places(verb.key).peekable();
            places.peek().is_some()
                && page.tells_all
                && places.all(|at| {
                    let own = page.before(at).filter(|own| page.is_name(*own) && !page.is_claimed(*own));
                    let leads_in = |own: usize| page.words[own..at].iter().any(cues::leads_in);
                    page.inside(at).next().is_some_and(|first| cues::is_relative(&page.words[first]))
                        && own.is_some_and(|own| !leads_in(own))
                        && !page.has_beside(at, subject.key)
                })
        };
        cut.best().find(is_of_another).map(|page| page.sentence)
    })
}

/// The page says something else of the claim's object, and what the claim says of it of something else: *it welcomed the appointment
/// and criticised the procedure*.
fn with_another_verb(cut: &Cut<'_, '_, '_>) -> Option<usize> {
    let pairs = cut.pairs().filter(|(verb, object)| object - verb > 1 && !cut.claim.is_in_a_value(*object));
    pairs.into_iter().find_map(|(verb, object)| {
        let (verb_word, object_word) = (cut.word(verb), cut.word(object));
        if verb_word.number || object_word.number {
            return None;
        }
        let frame = cut.claim.between(verb, object);
        let is_of_another = |page: &&Pieces<'_>| {
            let (mut objects, mut verbs) =
                (page.places(object_word.key).peekable(), page.places(verb_word.key).peekable());
            let has_another = |at: usize| {
                page.before(at).is_some_and(|other| {
                    let word = &page.words[other];
                    other + 1 < at && !word.number && !page.is_claimed(other) && page.between(other, at) == frame
                })
            };
            let has_its_own = |at: usize| page.behind(at).is_some_and(|next| page.adds(next));
            objects.peek().is_some()
                && verbs.peek().is_some()
                && page.tells_all
                && objects.all(|at| has_another(at) && !page.has_beside(at, verb_word.key))
                && verbs.all(has_its_own)
        };
        cut.best().find(is_of_another).map(|page| page.sentence)
    })
}

/// The piece that says most of the claim has something else behind a preposition, and what the claim has there stands behind the same
/// one in a later piece, which says something else: *it closes its office in Antwerp and opens one in Rotterdam*.
fn with_another_complement(cut: &Cut<'_, '_, '_>) -> Option<usize> {
    /// So many words at least stand before it in the claim, and in the piece.
    const SAID: usize = 2;
    let complements = cut.told.iter().skip(SAID).copied().filter(|at| !cut.word(*at).number);
    complements.into_iter().find_map(|at| {
        let (word, lead) = (cut.word(at), cut.claim.preposition_before(at)?);
        let form = cut.word(lead).form;
        let behind_it = |page: &Pieces<'_>, i: usize| {
            page.preposition_before(i).is_some_and(|there| page.words[there].form == form)
        };
        let is_elsewhere = |page: &&Pieces<'_>| {
            let mut places = page.places(word.key);
            let (Some(place), None) = (places.next(), places.next()) else { return false };
            if !behind_it(page, place) || !page.tells_all {
                return false;
            }
            let rest = || cut.told.iter().map(|at| cut.word(*at)).filter(|other| other.key != word.key);
            let said = |i: usize| rest().filter(|other| page.has_beside(i, other.key)).count();
            let Some(most) = (0..page.words.len()).rev().max_by_key(|i| said(*i)) else { return false };
            most < place
                && !page.same_piece(most, place)
                && said(most) >= SAID
                && said(most) > said(place)
                && page.inside(most).any(|i| page.is_foreign(i) && behind_it(page, i))
                && page.inside(place).take_while(|i| *i < place).any(|i| page.is_foreign(i))
        };
        cut.best().find(is_elsewhere).map(|page| page.sentence)
    })
}

/// The opposite of a word of the claim stands in the piece that says it, and the word itself in another, which says something else:
/// *they get a new engine, for the old one was destroyed*.
fn of_the_opposite(cut: &Cut<'_, '_, '_>) -> Option<usize> {
    /// So many words that only the opposite's piece has, the last of the claim among them, are what is said of it.
    const SAID: usize = 2;
    let with_opposites = cut.case.words.iter().filter(|word| !cues::opposites_of(word).is_empty());
    let mut turned = with_opposites.filter_map(|own| {
        let is_turned = |page: &&Pieces<'_>| {
            let against = |at: usize| cues::opposites_of(own).contains(&page.words[at].form) && !page.is_claimed(at);
            let mine: Vec<usize> = page.places(own.key).collect();
            let others: Vec<usize> = (0..page.words.len()).filter(|at| against(*at)).collect();
            if mine.is_empty() || others.is_empty() {
                return false;
            }
            let in_any = |places: &[usize], at: usize| places.iter().any(|other| page.same_piece(*other, at));
            let rest = || cut.told.iter().copied().filter(|at| cut.word(*at).key != own.key);
            let only = |at: usize, here: &[usize], there: &[usize]| {
                let key = cut.word(at).key;
                page.places(key).any(|i| in_any(here, i)) && !page.places(key).any(|i| in_any(there, i))
            };
            let (said_there, said_here) = (
                rest().filter(|at| only(*at, &others, &mine)).count(),
                rest().filter(|at| only(*at, &mine, &others)).count(),
            );
            let valued = rest().any(|at| cut.claim.is_in_a_value(at) && only(at, &others, &mine));
            // *Smoking is forbidden in the house and allowed on the terrace*.
            let led = |at: usize| cut.claim.preposition_before(at).is_some() && only(at, &others, &mine);
            let moved = rest().any(led)
                && (0..page.words.len())
                    .any(|at| in_any(&mine, at) && page.is_foreign(at) && page.preposition_before(at).is_some());
            let ends_there = rest().next_back().is_some_and(|at| only(at, &others, &mine));
            !mine.iter().any(|at| in_any(&others, *at))
                && (said_there > said_here || said_there >= SAID && ends_there || moved)
                && (valued || (0..page.words.len()).any(|at| in_any(&mine, at) && page.is_foreign(at)))
        };
        cut.best().filter(|page| page.tells_all).find(is_turned)
    });
    turned.next().map(|page| page.sentence)
}

/// The page makes an exception right behind the claim's words, and the claim makes none: *all models except the Mini*.
fn with_an_exception(cut: &Cut<'_, '_, '_>) -> Option<usize> {
    /// So much of the claim is said in the part with the exception.
    const SAID: f64 = 0.6;
    if cues::exception(cut.case.claim).is_some() {
        return None;
    }
    let excepts = |page: &&Pieces<'_>| {
        let whole = cut.case.index.span_of(page.sentence, page.sentence);
        let Some(at) = cues::exception(whole.of(page.text)).map(|at| whole.start + at) else { return false };
        let at = page.words.partition_point(|word| word.span.start < at);
        let Some(last) = (0..at).rev().find(|i| says_something(page, *i)) else { return false };
        let has = |word: &Word| page.places(word.key).any(|i| page.same_part(i, last));
        let said = cut.told.iter().filter(|i| has(cut.word(**i))).count();
        page.same_part(last, at.min(page.words.len() - 1))
            && page.is_claimed(last)
            && said as f64 >= SAID * cut.told.len() as f64
    };
    cut.best().find(excepts).map(|page| page.sentence)
}

fn says_something(page: &Pieces<'_>, at: usize) -> bool {
    is_content(&page.words[at]) || page.words[at].number
}

#[cfg(test)]
mod tests {
    use crate::judge::tests::check_support as check;

    #[test]
    fn each_piece_is_about_what_it_begins_with() {
        let page = "The R5 robot returns to its station by itself, the Lite robot has to be carried back.";
        check(page, "The R5 robot returns to its station by itself.", true);
        check(page, "The Lite robot returns to its station by itself.", false);
    }

    #[test]
    fn a_part_goes_on_with_its_own_subject() {
        let page =
            "Holm was tried for cowardice and acquitted; the merchant Lund, who had opened the gate, was hanged.";
        check(page, "Holm was acquitted of cowardice.", true);
        check(page, "The merchant Lund was acquitted of cowardice.", false);
    }

    #[test]
    fn what_is_said_of_it_stands_in_the_same_piece() {
        let page = "The commission was chaired by Ulla Brandt; the police inquiry, led by Henrik Vester, was closed.";
        check(page, "The commission was chaired by Ulla Brandt.", true);
        check(page, "The commission was chaired by Henrik Vester.", false);
        let page = "Membership is free for everyone under 18; adults pay 24 euros a year, pensioners 12.";
        check(page, "Membership is free for everyone under 18.", true);
        check(page, "Membership is free for pensioners.", false);
    }

    #[test]
    fn two_things_of_one_name_are_told_apart() {
        let page = "The nursery in the park gets two more groups, the nursery Sunshine will be closed.";
        check(page, "The nursery Sunshine will be closed.", true);
        check(page, "The nursery in the park will be closed.", false);
        let page = "Dogs are admitted only to the foyer; guide dogs may enter all rooms.";
        check(page, "Guide dogs may enter all rooms.", true);
        check(page, "Dogs may enter all rooms.", false);
    }

    #[test]
    fn what_stands_right_behind_a_name_is_said_of_it() {
        let page = "On Sunday Lina Favre beat Marta Roig, the second seed of the tournament, in three sets.";
        check(page, "Marta Roig was the second seed of the tournament.", true);
        check(page, "Lina Favre was the second seed of the tournament.", false);
    }

    #[test]
    fn each_verb_has_its_own_object() {
        let page = "The works council welcomed the appointment of Sayed and criticised that no woman had been considered. Brenton \
             will close its office in Antwerp and open one in Rotterdam.";
        check(page, "The works council welcomed the appointment of Sayed.", true);
        check(page, "The works council criticised the appointment of Sayed.", false);
        check(page, "Brenton will close its office in Antwerp.", true);
        check(page, "Brenton will close its office in Rotterdam.", false);
    }

    #[test]
    fn a_relative_clause_may_name_who_did_it() {
        let page = "Henrik Moe opposed the sale of the paper division in 2023, which Jan Vries had pushed through. The board elected \
             Henrik Moe as its chairman; he replaces Jan Vries, who retires at 71 and becomes honorary chairman.";
        check(page, "Henrik Moe opposed the sale of the paper division in 2023.", true);
        check(page, "Henrik Moe pushed through the sale of the paper division.", false);
        check(page, "Henrik Moe becomes honorary chairman.", false);
    }

    #[test]
    fn an_opposite_is_another_thing() {
        let page = "The fire brigade gets a new engine, after the old one had been destroyed in an accident.";
        check(page, "The fire brigade gets a new engine.", true);
        check(page, "The new engine of the fire brigade had been destroyed in an accident.", false);
        let page = "Smoking is forbidden in the house and allowed on the terrace.";
        check(page, "Smoking is forbidden in the house.", true);
        check(page, "Smoking is forbidden on the terrace.", false);
    }

    #[test]
    fn an_exception_belongs_to_what_it_is_made_from() {
        let page = "All models except the Mini can be controlled by app.";
        check(page, "All models except the Mini can be controlled by app.", true);
        check(page, "All models can be controlled by app.", false);
    }
}
