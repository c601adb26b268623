//! Who did it to whom: *Apple bought Beats* is not *Beats bought Apple*, though the words are the same.
//!
//! Only what can be told without grammar is told: a name, at most a few function words, a word that both texts have (the
//! verb), at most a few function words, another name. Where a passage has both names on the other side of that word, the
//! words of the two agree and say nothing for the claim.

use crate::evidence::search::{SourceIndex, Window};
use crate::judge::polarity;
use crate::text::words::Word;

/// The most function words between a name and the verb.
const BETWEEN: usize = 3;

/// Two names on both sides of a verb.
#[derive(Debug, PartialEq)]
struct Act {
    before: Vec<u64>,
    verb: u64,
    after: Vec<u64>,
    /// Whether the name after is who does it: *was bought by Apple*.
    passive: bool,
}

impl Act {
    /// Whether both say who did it, and say the contrary.
    fn reverses(&self, other: &Act) -> bool {
        let (does, done) = other.sides(self.passive);
        self.verb == other.verb
            && meet(&self.before, done)
            && meet(&self.after, does)
            && !meet(&self.before, does)
            && !meet(&self.after, done)
    }

    fn agrees(&self, other: &Act) -> bool {
        let (does, done) = other.sides(self.passive);
        self.verb == other.verb && meet(&self.before, does) && meet(&self.after, done)
    }

    /// The names before and after the verb, as a text would have them that is in the passive when `passive`.
    fn sides(&self, passive: bool) -> (&[u64], &[u64]) {
        if self.passive == passive { (&self.before, &self.after) } else { (&self.after, &self.before) }
    }
}

fn meet(a: &[u64], b: &[u64]) -> bool {
    a.iter().any(|key| b.contains(key))
}

/// The sentence of the passages that has the names of the claim in each other's place, when no passage has them in theirs.
pub(super) fn reversed(claim: &str, claimed: &[Word], index: &SourceIndex<'_>, windows: &[Window]) -> Option<usize> {
    let mine = acts(claim, claimed);
    if mine.is_empty() {
        return None;
    }
    let mut found = None;
    for sentence in windows.iter().flat_map(|window| window.first..=window.last) {
        let theirs = acts(index.text(), index.words_of(sentence, sentence));
        if mine.iter().any(|act| theirs.iter().any(|other| act.agrees(other))) {
            return None;
        }
        if found.is_none() && mine.iter().any(|act| theirs.iter().any(|other| act.reverses(other))) {
            found = Some(sentence);
        }
    }
    found
}

fn acts(text: &str, words: &[Word]) -> Vec<Act> {
    let is_name = |word: &Word| word.capital && !word.stop && !word.number;
    let joined = |a: &Word, b: &Word| text.get(a.span.end..b.span.start).is_some_and(|gap| gap.trim().is_empty());
    let mut acts = Vec::new();
    for (at, verb) in words.iter().enumerate() {
        if verb.capital || verb.stop || verb.number {
            continue;
        }
        let chain = |i: usize| joined(&words[i], &words[i + 1]);
        // Backwards over function words to a name, and forwards.
        let mut low = at;
        while low > 0 && chain(low - 1) && words[low - 1].stop && at - low < BETWEEN {
            low -= 1;
        }
        let mut high = at;
        while high + 1 < words.len() && chain(high) && words[high + 1].stop && high - at < BETWEEN {
            high += 1;
        }
        let mut first = low;
        while first > 0 && chain(first - 1) && is_name(&words[first - 1]) {
            first -= 1;
        }
        let mut last = high;
        while last + 1 < words.len() && chain(last) && is_name(&words[last + 1]) {
            last += 1;
        }
        let between = || words[low..at].iter().chain(&words[at + 1..=high]);
        if first == low || last == high || between().any(polarity::is_mutual) {
            continue;
        }
        let keys = |words: &[Word]| words.iter().map(|word| word.key).collect();
        acts.push(Act {
            before: keys(&words[first..low]),
            verb: verb.key,
            after: keys(&words[high + 1..=last]),
            passive: words[at + 1..=high].iter().any(polarity::names_agent),
        });
    }
    acts.extend(comparisons(words));
    acts
}

/// *Women favour it more than men*: what is compared, with what, the word before *than* for a verb.
fn comparisons(words: &[Word]) -> impl Iterator<Item = Act> + '_ {
    let content = |word: &&Word| !word.stop && !word.number;
    (1..words.len()).filter(|at| polarity::compares(&words[*at])).filter_map(move |at| {
        let first = words[..at].iter().find(content)?;
        let last = words[at + 1..].iter().take(BETWEEN).find(content)?;
        let verb = words[at - 1].key;
        Some(Act { before: vec![first.key], verb, after: vec![last.key], passive: false })
    })
}

#[cfg(test)]
mod tests {
    use crate::claim::ClaimKind;
    use crate::judge::{ClaimText, Settings, SourceText, Standing, judge};

    fn check(claim: &str, page: &str, supported: bool) {
        let (claim, page) = (ClaimText::new(claim, ClaimKind::Plain), SourceText::new(page, ""));
        let verdict = judge(&claim, &page, &Settings::default());
        assert_eq!(verdict.standing == Standing::Supported, supported, "{}: {verdict:?}", claim.text);
        assert_ne!(verdict.standing, Standing::Contradicted, "{}: {verdict:?}", claim.text);
    }

    #[test]
    fn names_in_each_others_place_are_no_support() {
        check("Apple acquired Beats in 2014.", "Apple acquired Beats in 2014.", true);
        check("Apple acquired Beats in 2014.", "Beats acquired Apple in 2014.", false);
        check("Apple acquired Beats in 2014.", "Beats was acquired by Apple in 2014.", true);
        check("Apple acquired Beats in 2014.", "Apple was acquired by Beats in 2014.", false);
        check("Beats was acquired by Apple in 2014.", "Apple acquired Beats in 2014.", true);
        check("Beats was acquired by Apple in 2014.", "Beats acquired Apple in 2014.", false);
    }

    #[test]
    fn what_is_compared_with_what_has_an_order() {
        check("Women favour hybrid work more than men.", "Women favour hybrid work more than men.", true);
        check("Men favour hybrid work more than women.", "Women favour hybrid work more than men.", false);
    }

    #[test]
    fn what_two_do_together_has_no_order() {
        check("Exxon merged with Mobil in 1999.", "Mobil merged with Exxon in 1999.", true);
    }
}
