//! Whether the page gives what a claim gives to somebody to somebody else: *Anselm Drury pointed out that rain washed trails away*, where
//! Pieter Vandeloo did.

use super::case::Case;
use super::neighbours::is_content;
use crate::evidence::{ContextKind, Said, Speaker, names, speakers};
use crate::quotation::quotations;
use crate::text::Span;
use crate::text::script::is_cjk;
use crate::text::words::{Word, words};

/// To whom a claim and the page give what the claim says.
struct Given {
    /// The names in the claim.
    mine: Vec<Span>,
    /// The names on the page; none where it is not clear who speaks.
    theirs: Vec<Span>,
    /// The only name beside the quotation, where no word says that its bearer speaks.
    alone: Option<Span>,
    /// The sentence of the page, and where it stands, with those that its quotation goes on in.
    sentence: usize,
    span: Span,
    /// Whether the page has the claim's quotation right beside who speaks.
    beside: bool,
}

impl Given {
    fn of(case: &Case<'_, '_, '_>) -> Option<Given> {
        let whole = Span::new(0, case.claim.len());
        // Whoever is named beside a quotation speaks, whatever the verb.
        let any =
            || Some(names(case.claim, whole, case.words)).filter(|names| case.quoted.is_some() && !names.is_empty());
        let mine = named(&speakers(case.claim, whole, case.words)).or_else(any)?;
        let (sentence, last) = match case.quoted {
            // A quotation may be of several sentences.
            Some(quoted) => {
                (case.index.sentence_at(quoted.start), case.index.sentence_at(quoted.end.saturating_sub(1)))
            }
            None => said_in(case, &mine).map(|sentence| (sentence, sentence))?,
        };
        let (text, span) = (case.index.text(), case.index.span_of(sentence, last));
        let told = speakers(text, span, case.index.words_of(sentence, last));
        let beside =
            case.quoted.and_then(|quoted| told.iter().find(|said| is_beside(text, said.span, quoted)).copied());
        let told = beside.map_or(told, |beside| vec![beside]);
        let from = || case.evidence.unit_at(span.start)?.hangs_on(ContextKind::Speaker).last();
        let theirs = named(&told).or_else(|| from().map(|name| vec![name])).unwrap_or_default();
        // Whoever alone is named beside a quotation may be who speaks.
        let alone = match names(text, span, case.index.words_of(sentence, last)).as_slice() {
            [name] if case.quoted.is_some() && told.is_empty() => Some(*name),
            _ => None,
        };
        Some(Given { mine, theirs, alone, sentence, span, beside: beside.is_some() })
    }

    /// Whether one of the claim's names is one of the page's.
    fn is_same(&self, case: &Case<'_, '_, '_>) -> bool {
        let other = |name: &Span| name.of(case.index.text());
        self.theirs
            .iter()
            .chain(&self.alone)
            .map(other)
            .any(|other| self.mine.iter().any(|own| is_same(own.of(case.claim), other)))
    }
}

/// The sentence of the page that has it, when others than the claim names are said to say it.
pub(super) fn said_by_another(case: &Case<'_, '_, '_>) -> Option<usize> {
    let given = Given::of(case).filter(|given| !given.theirs.is_empty())?;
    let text = case.index.text();
    let here = given.span.of(text);
    let is_another = !given.is_same(case) && given.theirs.iter().all(|name| !stands_in(name.of(text), case.claim));
    // A name that the page does not have may be another one for whoever it names.
    let known = given.mine.iter().all(|own| {
        let own = own.of(case.claim);
        stands_in(own, text) && (given.beside || !stands_in(own, here))
    });
    (is_another && known).then_some(given.sentence)
}

/// Whether the page gives the claim's quotation to whom the claim gives it, and the claim says no more than that.
pub(super) fn said_by_the_same(case: &Case<'_, '_, '_>) -> bool {
    /// The verb, in words of the claim's own.
    const OWN_WORDS: usize = 1;
    if case.quoted.is_none() || case.claim.contains(is_cjk) {
        return false;
    }
    let quoted = quotations(case.claim);
    let said = speakers(case.claim, Span::new(0, case.claim.len()), case.words);
    let outside = |word: &&Word| {
        is_content(word)
            && !quoted.iter().any(|quote| quote.span.contains(word.span))
            && !said.iter().any(|said| said.span.contains(word.span))
    };
    let unknown = case.words.iter().filter(outside).filter(|word| !case.index.has(word.key));
    let (mut own, mut named) = (0, 0);
    unknown.for_each(|word| if word.capital || word.number { named += 1 } else { own += 1 });
    named == 0 && own <= OWN_WORDS && Given::of(case).is_some_and(|given| given.is_same(case))
}

/// The sentence of the best passage that has most of what is said, whoever says it.
fn said_in(case: &Case<'_, '_, '_>, speakers: &[Span]) -> Option<usize> {
    let window = case.windows.first()?;
    let said =
        case.words.iter().filter(|word| is_content(word) && !speakers.iter().any(|name| name.contains(word.span)));
    let said: Vec<u64> = said.map(|word| word.key).collect();
    let has = |sentence: &usize| {
        let page = case.index.words_of(*sentence, *sentence);
        said.iter().filter(|key| page.iter().any(|word| word.key == **key)).count()
    };
    // Of several the first.
    (window.first..=window.last).rev().max_by_key(has)
}

/// Whether nothing but marks stands between some words and a quotation.
fn is_beside(text: &str, words: Span, quoted: Span) -> bool {
    let (first, last) = if words.start < quoted.start { (words, quoted) } else { (quoted, words) };
    text.get(first.end..last.start).is_some_and(|between| !between.contains(char::is_alphanumeric))
}

/// The names of who speaks; `None` when it is nobody, or not clear who.
fn named(told: &[Said]) -> Option<Vec<Span>> {
    let name = |said: &Said| match said.by {
        Speaker::Named(name) => Some(name),
        Speaker::Pronoun | Speaker::Unclear => None,
    };
    told.iter().map(name).collect::<Option<Vec<Span>>>().filter(|names| !names.is_empty())
}

/// Whether two names may be of one person or body: they share a word, one has the first letters of the other, or, where words are not
/// spaced, they end alike.
fn is_same(one: &str, other: &str) -> bool {
    /// Characters of a name without what its bearer is, at least.
    const SHORTEST: usize = 2;
    /// So many letters that are alike make two words one name, with so many that are not behind them.
    const STEM: usize = 4;
    const ENDING: usize = 2;
    if one.contains(is_cjk) {
        let end = |name: &str| name.chars().rev().take(SHORTEST).collect::<Vec<_>>();
        return one.contains(other) || other.contains(one) || end(one) == end(other);
    }
    let alike = |a: &str, b: &str| {
        let (a, b) = (a.to_lowercase(), b.to_lowercase());
        let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
        let shorter = a.chars().count().min(b.chars().count());
        // Names have endings in many languages.
        shared == shorter || shared >= STEM && shared + ENDING >= shorter
    };
    let parts = |name| words(name).filter(is_content).map(|word| word.span.of(name)).collect::<Vec<&str>>();
    let theirs = parts(other);
    let initials = |name: &str| name.split([' ', '-']).filter_map(|word| word.chars().next()).collect::<String>();
    parts(one).iter().any(|a| theirs.iter().any(|b| alike(a, b))) || initials(one) == other || initials(other) == one
}

/// Whether a text has the last part of a name.
fn stands_in(name: &str, text: &str) -> bool {
    let last = if name.contains(is_cjk) {
        name.char_indices().rev().nth(1).map_or(name, |(at, _)| &name[at..])
    } else {
        name.rsplit([' ', '-']).next().unwrap_or(name)
    };
    text.contains(last)
}

#[cfg(test)]
mod tests {
    /// A page, a claim that it supports, and one that gives it to somebody else.
    const TABLE: [(&str, &str, &str); 5] = [
        (
            "Dr. Lena Hoff, who led the trial, called the result a surprise. Her colleague Paul Winter added that the effect lasted for a year.",
            "Paul Winter said that the effect lasted for a year.",
            "Lena Hoff said that the effect lasted for a year.",
        ),
        (
            "“A garden has a smell,” says Rhona Halloran. Her co-author Pieter Vandeloo is more careful. He points out that rain washed away many scent trails in July. Anselm Drury took no part.",
            "Vandeloo pointed out that rain washed away many scent trails in July.",
            "Anselm Drury pointed out that rain washed away many scent trails in July.",
        ),
        (
            "„Wir haben weniger Räder verkauft“, sagte Katrin Mehldorn. Finanzvorstand Jens Ostrowitz erklärte, die Preise seien gesunken. „Das Schlimmste liegt hinter uns“, sagte er.",
            "Jens Ostrowitz sagte: „Das Schlimmste liegt hinter uns.“",
            "Katrin Mehldorn sagte: „Das Schlimmste liegt hinter uns.“",
        ),
        (
            "“It smells just the same,” said Hettie Quarmby. “Only the changing rooms are warmer now.” Her grandson Toby Quarles swam, too.",
            "Hettie Quarmby said: “Only the changing rooms are warmer now.”",
            "Toby Quarles said: “Only the changing rooms are warmer now.”",
        ),
        (
            "负责修缮的总工程师何叙文说：“我们换掉的每一块石头都编了号，保存在博物馆里。”白鹭村村长田桂芳则表示，修缮以后游客太多。",
            "何叙文说：“我们换掉的每一块石头都编了号，保存在博物馆里。”",
            "田桂芳说：“我们换掉的每一块石头都编了号，保存在博物馆里。”",
        ),
    ];

    #[test]
    fn what_others_say_is_no_support() {
        crate::judge::tests::check_table(&TABLE);
    }
}
