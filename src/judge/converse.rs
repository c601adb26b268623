//! Two words that tell one thing from its two sides: *A bought it from B* and *B sold it to A*, *A beat B* and *B lost to A*.
//!
//! They are opposites in the table of opposites, and yet a claim with the one and a page with the other may say the same. Who stands before
//! the word and who behind it tells which; where that is not clear, nothing is said.

use std::sync::LazyLock;

use super::case::Case;
use super::neighbours::is_content;
use super::polarity::{Clash, ClashKind};
use crate::lexicon::{self, Meanings};
use crate::text::words::{self, ByForm, Word};

/// How a claim and a sentence with one of two such words each stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// They say the same.
    Same,
    /// One has the two the other way round.
    Turned,
    /// It is not clear who stands where.
    Unclear,
}

/// The words of `data/converse.tsv`.
#[derive(Default)]
struct Table {
    /// The pair and the side of each word, by its form.
    pairs: ByForm<Meanings<(usize, bool)>>,
    passive: ByForm<Meanings<()>>,
    agent: ByForm<Meanings<()>>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table::default();
    for (number, row) in lexicon::rows(include_str!("data/converse.tsv")).enumerate() {
        let mut small = |map: fn(&mut Table) -> &mut ByForm<Meanings<()>>| {
            for word in row.written().split(',') {
                map(&mut table).entry(words::form(word)).or_default().add(row.languages, ());
            }
        };
        match row.class {
            "passive" => small(|table| &mut table.passive),
            "agent" => small(|table| &mut table.agent),
            _ => {
                for (side, forms) in row.written().split('/').enumerate() {
                    for word in forms.split(',') {
                        table.pairs.entry(words::form(word)).or_default().add(row.languages, (number, side == 1));
                    }
                }
            }
        }
    }
    table
});

fn has(map: &ByForm<Meanings<()>>, word: &Word) -> bool {
    map.get(&word.form).is_some_and(|meanings| meanings.in_any(word.spoken).next().is_some())
}

/// The pairs that a word is one of, and on which side.
fn pairs(word: &Word) -> Vec<(usize, bool)> {
    TABLE.pairs.get(&word.form).map(|meanings| meanings.in_any(word.spoken).collect()).unwrap_or_default()
}

/// What stands before a word and behind it, as the active voice has it.
#[derive(Debug)]
struct Sides {
    before: Vec<u64>,
    behind: Vec<u64>,
}

impl Sides {
    /// Those of the word at a place, in the part of its sentence.
    fn of(text: &str, words: &[Word], at: usize) -> Sides {
        /// So many words behind the verb stands who did it.
        const REACH: usize = 6;
        let parted = |a: &Word, b: &Word| {
            text.get(a.span.end..b.span.start).is_some_and(|gap| gap.contains([';', ':', '(', ')', '|', '\n']))
        };
        let low = (1..=at).rev().find(|i| parted(&words[i - 1], &words[*i])).unwrap_or(0);
        let comma = |a: &Word, b: &Word| text.get(a.span.end..b.span.start).is_some_and(|gap| gap.contains(','));
        let ends = |i: &usize| parted(&words[i - 1], &words[*i]) || comma(&words[i - 1], &words[*i]);
        let high = (at + 1..words.len()).find(ends).unwrap_or(words.len());
        let keys =
            |words: &[Word]| words.iter().filter(|word| is_content(word)).map(|word| word.key).collect::<Vec<u64>>();
        let (before, behind) = (keys(&words[low..at]), keys(&words[at + 1..high]));
        let is_passive = words[low..at].iter().any(|word| has(&TABLE.passive, word));
        let agent = (at + 1..high).take(REACH).find(|i| has(&TABLE.agent, &words[*i]));
        match agent.filter(|_| is_passive) {
            Some(agent) => {
                let stop = (agent + 2..high).find(|i| words[*i].stop && !words[*i].capital).unwrap_or(high);
                let does = keys(&words[agent + 1..stop]);
                let done = before.into_iter().chain(behind.into_iter().filter(|key| !does.contains(key))).collect();
                Sides { before: does, behind: done }
            }
            None if is_passive => Sides { before: Vec::new(), behind: Vec::new() },
            None => Sides { before, behind },
        }
    }

    /// How they stand to those of another word; `converse` when that tells the thing from its other side.
    fn relation(&self, other: &Sides, converse: bool) -> Relation {
        let only = |keys: &[u64], not: &[u64], key: u64| keys.contains(&key) && !not.contains(&key);
        let meet = |a: &[u64], not_a: &[u64], b: &[u64], not_b: &[u64]| {
            a.iter().filter(|key| only(a, not_a, **key) && only(b, not_b, **key)).count()
        };
        let (mine, theirs) = (self, other);
        let kept = meet(&mine.before, &mine.behind, &theirs.before, &theirs.behind);
        let out = meet(&mine.before, &mine.behind, &theirs.behind, &theirs.before);
        let into = meet(&mine.behind, &mine.before, &theirs.before, &theirs.behind);
        match (kept, out, into) {
            (1.., 0, 0) if converse => Relation::Turned,
            (1.., 0, 0) => Relation::Same,
            (0, 1.., 1..) if converse => Relation::Same,
            (0, 1.., 1..) => Relation::Turned,
            _ => Relation::Unclear,
        }
    }
}

/// How the claim and a sentence stand to each other by each word of the table that they have, or that they have both sides of.
fn relations(case: &Case<'_, '_, '_>, sentence: usize) -> Vec<(bool, Relation)> {
    let mine: Vec<(usize, Vec<(usize, bool)>)> = case
        .words
        .iter()
        .enumerate()
        .map(|(at, word)| (at, pairs(word)))
        .filter(|(_, pairs)| !pairs.is_empty())
        .collect();
    if mine.is_empty() {
        return Vec::new();
    }
    let (text, page) = (case.index.text(), case.index.words_of(sentence, sentence));
    let mut found = Vec::new();
    for (there, word) in page.iter().enumerate() {
        for (pair, side) in pairs(word) {
            for (at, own) in &mine {
                let Some((_, own)) = own.iter().find(|(own, _)| *own == pair) else { continue };
                let sides = (Sides::of(case.claim, case.words, *at), Sides::of(text, page, there));
                found.push((*own != side, sides.0.relation(&sides.1, *own != side)));
            }
        }
    }
    found
}

/// Whether a clash is between two words that tell one thing from its two sides, and does not prove that the page says the contrary.
pub(super) fn tells_from_the_other_side(case: &Case<'_, '_, '_>, (clash, sentence): &(Clash, usize)) -> bool {
    let converse = |word: &str| pairs_of(word);
    let (mine, theirs) = (converse(&clash.claimed), converse(&clash.found));
    let is_pair = mine.iter().any(|(pair, side)| theirs.contains(&(*pair, !side)));
    clash.kind == ClashKind::Opposite
        && is_pair
        && !relations(case, *sentence).iter().any(|(converse, relation)| *converse && *relation == Relation::Turned)
}

/// The pairs that a word is one of in any language.
fn pairs_of(word: &str) -> Vec<(usize, bool)> {
    let all = lexicon::Languages::ALL;
    TABLE.pairs.get(&words::form(word)).map(|meanings| meanings.in_any(all).collect()).unwrap_or_default()
}

/// The sentence of the best passage that has who and whom the other way round.
pub(super) fn said_from_the_wrong_side(case: &Case<'_, '_, '_>) -> Option<usize> {
    let sentence = case.best_sentence()?;
    let all = relations(case, sentence);
    let turned = all.iter().any(|(_, relation)| *relation == Relation::Turned);
    (turned && !all.iter().any(|(_, relation)| *relation == Relation::Same)).then_some(sentence)
}

#[cfg(test)]
mod tests {
    use crate::claim::ClaimKind;
    use crate::judge::{ClaimText, Settings, SourceText, Standing, judge};

    #[track_caller]
    fn check(page: &str, claim: &str, standing: Standing) {
        let verdict = judge(&ClaimText::new(claim, ClaimKind::Plain), &SourceText::new(page, ""), &Settings::default());
        assert_eq!(verdict.standing, standing, "{claim}: {verdict:?}");
    }

    #[test]
    fn what_is_told_from_the_other_side_is_no_contrary() {
        let sale = "Velmora bought the pump maker Arlsen from Kestra in May 2021.";
        check(sale, "Kestra sold the pump maker Arlsen to Velmora in May 2021.", Standing::Weak);
        check(sale, "Velmora sold the pump maker Arlsen to Kestra in May 2021.", Standing::Contradicted);
        check(sale, "Kestra bought the pump maker Arlsen from Velmora in May 2021.", Standing::Weak);
        check(sale, "The pump maker Arlsen was bought by Velmora in May 2021.", Standing::Supported);
        let gas = "Larkfield imports most of its gas from Brennmark.";
        check(gas, "Larkfield exports most of its gas to Brennmark.", Standing::Contradicted);
        check(gas, "Brennmark imports most of its gas from Larkfield.", Standing::Weak);
        let office = "The minister Rosa Medina preceded Jan Lund in office.";
        check(office, "Jan Lund succeeded the minister Rosa Medina in office.", Standing::Supported);
        check(office, "The minister Rosa Medina succeeded Jan Lund in office.", Standing::Weak);
        let game = "Der FC Sund besiegte den SV Maro am Samstag mit 2:1.";
        check(game, "Der FC Sund verlor am Samstag gegen den SV Maro mit 2:1.", Standing::Weak);
    }
}
