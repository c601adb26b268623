//! Who did it to whom: *Apple bought Beats* is not *Beats bought Apple*, though the words are the same.
//!
//! Only what can be told without grammar is told: a name, at most a few function words, a word that both texts have (the
//! verb), at most a few function words, another name. Where a passage has both names on the other side of that word, the
//! words of the two agree and say nothing for the claim.

use crate::evidence::search::{SourceIndex, Window};
use crate::judge::cues;
use crate::text::words::{self, Word};

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
    let (acts_claimed, compared) = (acts(claim, claimed), Comparison::of(claim, claimed));
    if acts_claimed.is_empty() && compared.is_none() {
        return None;
    }
    let mut found = None;
    for sentence in windows.iter().flat_map(|window| window.first..=window.last) {
        let page = index.words_of(sentence, sentence);
        let theirs = if acts_claimed.is_empty() { Vec::new() } else { acts(index.text(), page) };
        let pairs = || acts_claimed.iter().flat_map(|act| theirs.iter().map(move |other| (act, other)));
        let comparisons = compared.as_ref().and_then(|mine| Some((mine, Comparison::of(index.text(), page)?)));
        let comparisons = || comparisons.iter();
        if pairs().any(|(act, other)| act.agrees(other)) || comparisons().any(|(mine, other)| mine.agrees(other)) {
            return None;
        }
        let turned =
            pairs().any(|(act, other)| act.reverses(other)) || comparisons().any(|(mine, other)| mine.reverses(other));
        if turned && found.is_none() {
            found = Some(sentence);
        }
    }
    found
}

/// The acts of a sentence, and those that it has without what stands in brackets or between commas behind a name: *Skelby (14.9 million)
/// overtook Dunmere*, *Skelby, with 14.9 million, overtook Dunmere*.
fn acts(text: &str, words: &[Word]) -> Vec<Act> {
    let mut found = acts_in(text, words);
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return found };
    let sentence = text.get(first.span.start..text.len().min(last.span.end + 1)).unwrap_or_default();
    if let Some(bare) = without_asides(sentence) {
        let rest: Vec<Word> = words::words(&bare).collect();
        found.extend(acts_in(&bare, &rest));
    }
    found
}

/// A sentence without what stands in round brackets, and without what a name is told by between two commas; none when nothing goes.
fn without_asides(sentence: &str) -> Option<String> {
    let mut bare = String::with_capacity(sentence.len());
    let mut depth = 0_usize;
    for c in sentence.chars() {
        match c {
            '(' | '（' => {
                if depth == 0 {
                    bare.truncate(bare.trim_end().len());
                }
                depth += 1;
            }
            ')' | '）' => depth = depth.saturating_sub(1),
            _ if depth == 0 => bare.push(c),
            _ => {}
        }
    }
    let mut parts = bare.split(", ").peekable();
    let mut out = parts.next().unwrap_or_default().to_owned();
    let mut gone = bare.len() != sentence.len();
    while let Some(part) = parts.next() {
        let last = out.rsplit(' ').next().unwrap_or_default();
        let name = last.starts_with(char::is_uppercase) && last.ends_with(char::is_alphanumeric);
        // *Apple, the maker of phones, bought …*, not *Apple, Google and Meta bought …*.
        let told = words::words(part).next().is_some_and(|word| word.stop && !word.number && !cues::joins(&word));
        if name && told && parts.peek().is_some() {
            gone = true;
            out.push(' ');
            out.push_str(parts.next().unwrap_or_default());
        } else {
            out.push_str(", ");
            out.push_str(part);
        }
    }
    gone.then_some(out)
}

fn acts_in(text: &str, words: &[Word]) -> Vec<Act> {
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
        // *Anne Keller, has succeeded*: what is said of a name in apposition comes after a comma.
        let aside =
            |i: usize| text.get(words[i].span.end..words[i + 1].span.start).is_some_and(|gap| gap.trim() == ",");
        while first > 0 && (chain(first - 1) || first == low && aside(first - 1)) && is_name(&words[first - 1]) {
            first -= 1;
        }
        let mut last = high;
        while last + 1 < words.len() && chain(last) && is_name(&words[last + 1]) {
            last += 1;
        }
        let between = || words[low..at].iter().chain(&words[at + 1..=high]);
        if first == low || last == high || between().any(cues::is_mutual) {
            continue;
        }
        let keys = |words: &[Word]| words.iter().map(|word| word.key).collect();
        acts.push(Act {
            before: keys(&words[first..low]),
            verb: verb.key,
            after: keys(&words[high + 1..=last]),
            passive: words[at + 1..=high].iter().any(cues::names_agent),
        });
    }
    acts
}

/// What is compared with what: *women favour it more than men*.
#[derive(Debug)]
struct Comparison {
    /// The words before *than* in its clause, function words too: one of them says in which way.
    left: Vec<Word>,
    /// The content words and numbers after it.
    right: Vec<u64>,
}

impl Comparison {
    /// The first comparison of a sentence.
    fn of(text: &str, words: &[Word]) -> Option<Comparison> {
        let at = (1..words.len()).find(|at| cues::compares(&words[*at]))?;
        let same_clause =
            |a: &Word, b: &Word| text.get(a.span.end..b.span.start).is_some_and(|gap| !gap.contains([',', ';', ':']));
        let low = (1..at).rev().find(|i| !same_clause(&words[i - 1], &words[*i])).unwrap_or(0);
        let high = (at + 1..words.len()).find(|i| !same_clause(&words[i - 1], &words[*i])).unwrap_or(words.len());
        let right = words[at + 1..high].iter().filter(|word| !word.stop).map(|word| word.key).collect();
        Some(Comparison { left: words[low..at].to_vec(), right })
    }

    /// Whether a word stands on the left only here and on the right only there, another the other way round, and both
    /// compare in the same way.
    fn reverses(&self, other: &Comparison) -> bool {
        self.alike(other)
            && self.only_left().any(|key| other.only_right(key))
            && self.right.iter().any(|key| self.only_right(*key) && other.only_left().any(|left| left == *key))
    }

    fn agrees(&self, other: &Comparison) -> bool {
        self.only_left().any(|key| other.only_left().any(|left| left == key))
            && self.right.iter().any(|key| self.only_right(*key) && other.only_right(*key))
            && self.alike(other)
            && !self.reverses(other)
    }

    fn only_left(&self) -> impl Iterator<Item = u64> + '_ {
        let left = self.left.iter().filter(|word| !word.stop).map(|word| word.key);
        left.filter(|key| !self.right.contains(key))
    }

    fn only_right(&self, key: u64) -> bool {
        self.right.contains(&key) && self.left.iter().all(|word| word.key != key)
    }

    /// Whether both compare in the same way: by the word before *than*, or by one on the left of both that has an opposite; and the
    /// left of neither has an opposite of the other's.
    fn alike(&self, other: &Comparison) -> bool {
        let has = |form: u64| other.left.iter().any(|word| word.form == form);
        // *Men* and *women* are opposites as well, and what is compared.
        let compared = |word: &Word| other.right.contains(&word.key);
        let opposes = |word: &Word| !compared(word) && cues::opposites_of(word).iter().any(|form| has(*form));
        let last = |words: &[Word]| words.last().filter(|word| !word.number && !word.capital).map(|word| word.form);
        // *Geringer als*: what stands right before it is how both compare, whether a table has its opposite or not.
        let same_way = last(&self.left).is_some_and(|form| last(&other.left) == Some(form))
            || self.left.iter().any(|word| !cues::opposites_of(word).is_empty() && has(word.form));
        same_way && !self.left.iter().any(opposes)
    }
}

#[cfg(test)]
mod tests {
    use crate::judge::tests::check_support;

    #[track_caller]
    fn check(claim: &str, page: &str, supported: bool) {
        check_support(page, claim, supported);
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
    fn a_name_may_be_set_off_and_the_language_another() {
        check(
            "Anne Keller succeeded Paul Weber in 2022.",
            "The head, Anne Keller, succeeded Paul Weber in 2022.",
            true,
        );
        check(
            "Paul Weber succeeded Anne Keller in 2022.",
            "The head, Anne Keller, succeeded Paul Weber in 2022.",
            false,
        );
        check("Paul Weber a succédé à Anne Keller en 2022.", "Anne Keller a succédé à Paul Weber en 2022.", false);
    }

    #[test]
    fn comparisons_of_more_than_a_word_have_an_order_too() {
        let page = "The effect was larger in patients over 65 (11.4 mmHg) than in younger ones (8.3 mmHg).";
        check("The effect was larger in patients over 65 than in younger ones.", page, true);
        check("The effect was larger in younger ones than in patients over 65.", page, false);
    }

    #[test]
    fn what_a_name_is_told_by_parts_it_from_nothing() {
        for page in [
            "Skelby (14.9 million tonnes) overtook Dunmere (14.1 million tonnes) to become number three.",
            "Skelby, with 14.9 million tonnes, overtook Dunmere to become number three.",
            "Skelby, a harbour in the north, overtook Dunmere to become number three.",
        ] {
            check("Skelby overtook Dunmere to become number three.", page, true);
            check("Dunmere overtook Skelby to become number three.", page, false);
        }
        check("Norvik compró Aurelia en mayo.", "Aurelia (Oslo) compró Norvik (Bergen) en mayo.", false);
        check("Aurelia compró Norvik en mayo.", "Aurelia (Oslo) compró Norvik (Bergen) en mayo.", true);
        let page = "Skelby (14,9 Millionen Tonnen) überholte Dunmere (14,1 Millionen Tonnen) im Mai.";
        check("Dunmere überholte Skelby im Mai.", page, false);
        check("Skelby überholte Dunmere im Mai.", page, true);
    }

    #[test]
    fn what_two_do_together_has_no_order() {
        check("Exxon merged with Mobil in 1999.", "Mobil merged with Exxon in 1999.", true);
    }
}
