//! Which way a sentence says that a number goes: its sign, the words that raise or lower it, and what is denied of it.
//!
//! Whoever states a number chooses how much of a sentence the statement has, so the whole sentence is read. In it a word of
//! direction belongs to the numbers of its own clause: *Revenue fell, and the profit was 20,800* says nothing of the profit.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::cues::{self, Class};
use super::polarity;
use cited_text::Span;
use cited_text::lexicon::table;
use cited_text::words::{Word, last_word, words};

/// Bytes before and behind a number in which a word of direction counts for it.
const NEAR: usize = 400;
/// A word of direction counts for a number this many words before it: *an 18% drop*.
const WORDS_AFTER: usize = 4;
/// So near behind a number it says more than what stands in an earlier clause: *rose in May, 8% lower in June*.
const RIGHT_AFTER: usize = 2;
/// A denial counts for a word of direction this many words behind it: *did not rise*.
const WORDS_DENIED: usize = 3;
/// A clause with no more words before its number, and no verb among them, goes on with what the clause before it says: *fell in
/// all shops, by 8%*.
const WORDS_OF_A_REST: usize = 2;
/// Clauses in which a denial counts that ends its own: *did not, as many feared, fall*.
const CLAUSES_DENIED: usize = 2;
/// Bytes in which a word of denial and what takes it back stand: *not only*.
const PHRASE: usize = 24;

/// The way of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// It went up.
    Up,
    /// It went down.
    Down,
    /// It is denied that it went a way, or that it is this number.
    Denied,
}

/// What a sentence says of the way of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Direction {
    /// Whether a sign before it makes it less than zero.
    pub minus: bool,
    /// The way that the words beside it say.
    pub way: Option<Way>,
    /// The only way that the rest of the sentence says, of whatever it may be.
    pub elsewhere: Option<Way>,
}

/// The forms of a class of the table.
fn forms(class: &'static str) -> impl Iterator<Item = &'static str> {
    table::words(include_str!("data/direction.tsv"), class)
}

/// What the words of the table say of direction and denial.
static WORDS: LazyLock<HashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let mut classes: HashMap<_, Vec<_>> = HashMap::new();
    for row in table::rows(include_str!("data/direction.tsv")) {
        row.forms().for_each(|form| classes.entry(form).or_default().push(row.class));
    }
    classes
});
static NOT_THIS: LazyLock<Vec<&str>> = LazyLock::new(|| forms("notthis").collect());

/// Whether a word in lower case is of a class.
fn is(lower: &str, class: &str) -> bool {
    WORDS.get(lower).is_some_and(|classes| classes.contains(&class))
}

/// A word of direction in its place.
struct Turn {
    index: usize,
    clause: usize,
    way: Way,
}

/// A clause as far as its words matter.
#[derive(Default)]
struct Clause {
    segment: usize,
    /// Whether it only says what is not so: *rose, not fell, 8%*.
    aside: bool,
}

/// A denial that counts for what stands behind it.
#[derive(Clone, Copy)]
struct Denial {
    index: usize,
    /// The last clause in which everything is denied: *it is not true that …*.
    until: Option<usize>,
    /// Whether it can be the number itself that it denies: *was not 20,800*.
    of_number: bool,
}

/// What `sentence` says of the way of `number`; `exact` when the number is no bound, for *not more than 8* denies no 8.
pub fn read(text: &str, sentence: Span, number: Span, exact: bool) -> Direction {
    let around = nearby(text, sentence, number);
    let minus = is_negative(text, number);
    let inner = around.slice(text);
    let number = Span::new(number.start - around.start, number.end - around.start);
    let scan = Scan::read(inner, number, exact);
    let mark = arrow(inner, number);
    Direction {
        minus,
        way: if scan.denied { Some(Way::Denied) } else { mark.or_else(|| scan.way_beside()) },
        elsewhere: scan.way_elsewhere(),
    }
}

/// The words of `around` that are near enough to a number to say something of it.
fn nearby(text: &str, around: Span, number: Span) -> Span {
    let start = text.ceil_char_boundary(around.start.max(number.start.saturating_sub(NEAR)));
    let end = text.floor_char_boundary(around.end.min(number.end + NEAR));
    Span::new(start.min(number.start), end.max(number.end))
}

/// Where one clause ends and the next begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    Not,
    Clause,
    Segment,
}

/// How the text between two words parts them.
fn cut(gap: &str, between_digits: bool) -> Cut {
    if gap.contains([';', '；'])
        || gap.contains("\n\n")
        || gap.contains(['.', '!', '?', '。']) && gap.contains(char::is_whitespace)
    {
        return Cut::Segment;
    }
    let dash =
        |sign: &str| gap.contains(sign) && gap.starts_with(char::is_whitespace) && gap.ends_with(char::is_whitespace);
    let comma = gap.contains([',', '，', '、']) && !(between_digits && gap == ",");
    let parts = gap.contains([':', '：', '—', '(', ')', '（', '）', '[', ']']) && !(between_digits && gap == ":");
    if comma || parts || dash("–") || dash("-") { Cut::Clause } else { Cut::Not }
}

/// The words of direction of a sentence, and where its number stands among them.
struct Scan {
    found: Vec<Turn>,
    clauses: Vec<Clause>,
    /// The place of the number among the words, its clause, and whether that goes on with what the one before says.
    number: (usize, usize, bool),
    /// Whether it is denied that it is this number.
    denied: bool,
}

impl Scan {
    fn read(text: &str, number: Span, exact: bool) -> Scan {
        let all: Vec<Word> =
            words(text).filter(|word| word.span.end <= number.start || word.span.start >= number.end).collect();
        let at_number = all.partition_point(|word| word.span.start < number.start);
        let mut scan =
            Scan { found: Vec::new(), clauses: vec![Clause::default()], number: (0, 0, false), denied: false };
        let (mut clause, mut in_clause, mut end) = (0, 0, 0);
        let mut denial: Option<Denial> = None;
        let (mut untrue, mut flipped, mut has_verb) = (None, None, false);
        for index in 0..=all.len() {
            // The number stands before the word at its place.
            let word = all.get(index);
            for is_number in [true, false] {
                let span = match (is_number, word) {
                    (true, _) if index == at_number => number,
                    (false, Some(word)) => word.span,
                    _ => continue,
                };
                let lower = span.slice(text).to_lowercase();
                let joins = !is_number && (is(&lower, "and") || word.is_some_and(cues::is(Class::SetOff)));
                let digits = text[..end].ends_with(|c: char| c.is_ascii_digit())
                    && text[span.start..].starts_with(|c: char| c.is_ascii_digit());
                // Words of writing without spaces overlap: nothing stands between them.
                let parts = cut(text.get(end..span.start).unwrap_or_default(), digits);
                end = end.max(span.end);
                if parts != Cut::Not || joins {
                    clause += 1;
                    let segment =
                        scan.clauses.last().map_or(0, |clause| clause.segment) + usize::from(parts == Cut::Segment);
                    scan.clauses.push(Clause { segment, aside: false });
                    let ends_clause = |denial: &Denial| denial.index + 1 == index;
                    denial = denial.filter(|_| {
                        parts != Cut::Segment && !word.is_some_and(|word| !is_number && cues::has(word, Class::SetOff))
                    });
                    denial = denial.and_then(|denial| match denial.until {
                        None if ends_clause(&denial) && parts != Cut::Not => {
                            Some(Denial { until: Some(clause + CLAUSES_DENIED - 1), ..denial })
                        }
                        until => until.filter(|last| clause <= *last).map(|_| denial),
                    });
                    (in_clause, untrue, flipped, has_verb) = (0, None, None, false);
                    if joins {
                        continue;
                    }
                }
                if is_number {
                    scan.number = (index, clause, in_clause <= WORDS_OF_A_REST && !has_verb);
                    let right_before = |denial: &Denial| {
                        let between = all.get(denial.index + 1..index).unwrap_or_default();
                        denial.of_number && exact && between.len() < 2 && between.iter().all(|word| word.stop)
                    };
                    scan.denied = denial.is_some_and(|denial| denial.until.is_some() || right_before(&denial))
                        || exact && NOT_THIS.iter().any(|phrase| ends_with_words(&text[..number.start], phrase));
                    continue;
                }
                let Some(word) = word else { continue };
                let next = all.get(index + 1).map(|word| word.span.slice(text).to_lowercase());
                if polarity::denies(text, word)
                    && !takes_back(text, word)
                    && !next.as_deref().is_some_and(|next| is(next, "aside"))
                {
                    let begins = in_clause == 0 && clause > 0;
                    scan.clauses[clause].aside |= begins;
                    let of_number = is(&lower, "denial") || span.len() == 1;
                    denial = Some(Denial { index, until: denial.and_then(|denial| denial.until), of_number });
                }
                in_clause += 1;
                has_verb |= is(&lower, "verb");
                if is(&lower, "untrue") {
                    untrue = Some(index);
                }
                if is(&lower, "that") && (denial.is_some() || untrue == Some(index.wrapping_sub(1))) {
                    denial = Some(Denial { index, until: Some(usize::MAX), of_number: true });
                }
                if is(&lower, "flip") {
                    flipped = Some(index);
                }
                let behind = index >= at_number;
                let Some(way) = way_of(text, word, all.get(index + 1), behind) else { continue };
                // *Lower taxes lifted the profit*: of the taxes, not of the profit.
                let of_next =
                    || all.get(index + 1).is_some_and(|next| !next.stop && !next.number && index + 1 != at_number);
                if !behind && is(&lower, "attribute") && of_next() {
                    continue;
                }
                let denies = |denial: Denial| denial.until.is_some() || index - denial.index <= WORDS_DENIED;
                let flips = flipped.is_some_and(|place| place + 1 == index);
                let way = match way {
                    _ if denial.is_some_and(denies) => Way::Denied,
                    Way::Up if flips => Way::Down,
                    Way::Down if flips => Way::Up,
                    way => way,
                };
                scan.found.push(Turn { index, clause, way });
            }
        }
        scan
    }

    /// The way that words beside the number say: the last one before it in its clause, one right behind it, and where its clause
    /// goes on with another the last one of the clauses before.
    fn way_beside(&self) -> Option<Way> {
        let (number, clause, goes_on) = self.number;
        let own = || self.found.iter().filter(|word| word.clause == clause);
        let before = own().rfind(|word| word.index < number);
        let after = |most: usize| own().find(|word| word.index >= number && word.index - number < most);
        let carried = || {
            let said = |word: &&Turn| word.clause < clause && self.counts(word);
            self.found.iter().rfind(said).filter(|_| goes_on)
        };
        let found = before.or_else(|| after(RIGHT_AFTER)).or_else(carried).or_else(|| after(WORDS_AFTER));
        found.map(|word| word.way)
    }

    /// Whether a word stands in the number's part of the sentence, in a clause that says what is.
    fn counts(&self, word: &Turn) -> bool {
        let clause = &self.clauses[word.clause];
        clause.segment == self.clauses[self.number.1].segment && !clause.aside
    }

    /// The way of all words of direction of the sentence, when it is the same.
    fn way_elsewhere(&self) -> Option<Way> {
        let mut ways = self.found.iter().filter(|word| self.counts(word)).map(|word| word.way);
        let first = ways.next()?;
        ways.all(|way| way == first).then_some(first)
    }
}

/// The way that a word says, where it stands before its number or behind it; `next` is the word after it.
fn way_of(text: &str, word: &Word, next: Option<&Word>, behind: bool) -> Option<Way> {
    let said = word.span.slice(text);
    let (lower, stance) = (said.to_lowercase(), polarity::stance(said));
    let gap = |next: &Word| text.get(word.span.end..next.span.start).unwrap_or_default();
    let is_last = || next.is_none_or(|next| cut(gap(next), false) != Cut::Not);
    match (stance.up, stance.down) {
        (true, false) => Some(Way::Up),
        (false, true) => Some(Way::Down),
        _ if is(&lower, "up") => Some(Way::Up),
        _ if is(&lower, "down") => Some(Way::Down),
        _ if behind && (is(&lower, "behind") || is(&lower, "apart") && is_last()) => Some(Way::Down),
        _ => None,
    }
}

/// Whether a word of denial denies nothing with the words behind it: *not only*.
fn takes_back(text: &str, word: &Word) -> bool {
    let end = text.floor_char_boundary(word.span.end + PHRASE);
    let first = words(&text[word.span.start..end]).take(3).last().map_or(end, |last| word.span.start + last.span.end);
    word.span.len() > 1 && polarity::stance(&text[word.span.start..first]).negators == 0
}

/// Whether a text ends with a phrase in lower case, as whole words, and white space.
fn ends_with_words(text: &str, phrase: &str) -> bool {
    let text = text.trim_end();
    let Some(at) = text.len().checked_sub(phrase.len()).filter(|at| text.is_char_boundary(*at)) else { return false };
    text[at..].eq_ignore_ascii_case(phrase) && !text[..at].ends_with(char::is_alphanumeric)
}

/// Marks of emphasis and code, which stand between a sign and its number and say nothing.
const MARKUP: [char; 4] = ['*', '_', '`', '~'];

/// The way of an arrow beside a number: *↓ 8%*.
fn arrow(text: &str, number: Span) -> Option<Way> {
    let before = text[..number.start].trim_end_matches(|c| c == ' ' || MARKUP.contains(&c));
    let after = text[number.end..].trim_start_matches(|c| c == ' ' || MARKUP.contains(&c));
    let beside = |class| forms(class).any(|form| before.ends_with(form) || after.starts_with(form));
    match (beside("arrowup"), beside("arrowdown")) {
        (true, false) => Some(Way::Up),
        (false, true) => Some(Way::Down),
        _ => None,
    }
}

/// Whether a number is written as one less than zero: *−8*, *negative 8*, and with a word before that leads to a number
/// *was - 8* and *was (8)*. Anywhere else a dash with a space behind it parts, or begins an item, and brackets set aside.
fn is_negative(text: &str, number: Span) -> bool {
    let head = text[..number.start].trim_end_matches(MARKUP);
    let spaced = head.trim_end_matches([' ', '\u{a0}', '\u{202f}']);
    let apart = spaced.len() < head.len();
    let spaced = spaced.trim_end_matches(MARKUP);
    if apart && is(&last_word(spaced).to_lowercase(), "flip") {
        return true;
    }
    let tail = text[number.end..].trim_start_matches(MARKUP);
    if !apart && head.ends_with('(') && tail.starts_with(')') {
        return leads_to_a_number(&head[..head.len() - 1]);
    }
    let sign = |class| forms(class).find_map(|form| spaced.strip_suffix(form));
    if let Some(before) = sign("sign") {
        // In *10−8* it takes away, and *5%–8%* is a range.
        return !before.trim_end_matches(' ').ends_with(|c: char| c.is_ascii_digit() || c == '%');
    }
    let Some(before) = sign("dash") else { return false };
    if apart {
        return leads_to_a_number(before);
    }
    !before.ends_with(|c: char| {
        c.is_alphanumeric() || matches!(c, '%' | '‰' | ')' | ']' | '.' | ',' | '°' | '-' | '\'' | '’' | '”')
    })
}

/// Whether a text ends with a word or mark behind which its number stands: *was*, *of*, *=*, the bar of a cell.
fn leads_to_a_number(text: &str) -> bool {
    let head = text.trim_end_matches(|c| c == ' ' || c == '\u{a0}' || MARKUP.contains(&c));
    if head.ends_with(['=', ':', '|', '\t', '≈', '$', '€', '£']) {
        return true;
    }
    let word = last_word(head).to_lowercase();
    is(&word, "verb") || is(&word, "leading")
}
