//! Which way a sentence says that a number goes: its sign, the words that raise or lower it, and what is denied of it.
//!
//! Whoever states a number chooses how much of a sentence the statement has, so the whole sentence is read. In it a word of
//! direction belongs to the numbers of its own clause: *Revenue fell, and the profit was 20,800* says nothing of the profit.

use super::cues::{self, Class};
use super::polarity;
use cited_text::Span;
use cited_text::lexicon::Classes;
use cited_text::words::{Word, last_word, words};

/// Bytes before and behind a number in which a word of direction counts for it.
const NEAR: usize = 400;
/// A word of direction counts for a number this many words before it: *an 18% drop*.
const WORDS_AFTER: usize = 4;
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

impl Way {
    /// The way of *negative growth*.
    fn turned(self) -> Way {
        match self {
            Way::Up => Way::Down,
            Way::Down => Way::Up,
            Way::Denied => Way::Denied,
        }
    }
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

/// What words say of direction and denial.
static CLASSES: Classes = Classes::new(include_str!("data/direction.tsv"));

/// What `sentence` says of the way of `number`; `exact` when the number is no bound, for *not more than 8* denies no 8.
pub fn read(text: &str, sentence: Span, number: Span, exact: bool) -> Direction {
    // The words that are near enough to it to say something of it.
    let near = number.widened(text, NEAR);
    let start = sentence.start.max(near.start).min(number.start);
    let around = Span::new(start, sentence.end.min(near.end).max(number.end));
    let minus = is_negative(text, number);
    let inner = around.slice(text);
    let number = Span::new(number.start - around.start, number.end - around.start);
    let clauses = read_clauses(inner, number);
    let own = clauses.iter().position(|clause| clause.number.is_some()).unwrap_or_default();
    let in_sentence: Vec<&Clause> = clauses.iter().filter(|clause| clause.segment == clauses[own].segment).collect();
    let before = || clauses[..own].iter().rev().filter(|clause| clause.segment == clauses[own].segment);
    let untrue = before().chain([&clauses[own]]).any(|clause| clause.untrue);
    // Where its clause says nothing else, it goes on with what those before it say.
    let head = inner[..number.start].trim_end().to_lowercase();
    let is_other = exact && CLASSES.of("notthis").iter().any(|phrase| head.ends_with(phrase));
    let denied =
        clauses[own].denied || clauses[own].is_rest && before().take(CLAUSES_DENIED).any(|clause| clause.denied);
    let carried = || before().find_map(|clause| clause.way).filter(|_| clauses[own].is_rest);
    let way = arrow(inner, number).or_else(|| clauses[own].way).or_else(carried);
    let mut ways = in_sentence.iter().filter_map(|clause| clause.way);
    let first = ways.next();
    Direction {
        minus,
        way: if untrue || is_other || denied && (exact || way.is_some()) { Some(Way::Denied) } else { way },
        elsewhere: first.filter(|first| ways.all(|way| way == *first)),
    }
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

/// A clause, as far as it says which way a number went.
#[derive(Default)]
struct Clause<'t> {
    segment: usize,
    words: Vec<(Word, &'t str)>,
    /// How many of its words stand before the number, where that stands in it.
    number: Option<usize>,
    way: Option<Way>,
    /// Whether it denies what it says.
    denied: bool,
    /// Whether it says that what follows is not so: *it is not true that*.
    untrue: bool,
    /// Whether it has the number and little else.
    is_rest: bool,
}

/// The clauses of a text with what each says; one of them has the number.
fn read_clauses(text: &str, number: Span) -> Vec<Clause<'_>> {
    let outside = |word: &Word| word.span.end <= number.start || word.span.start >= number.end;
    let mut clauses = vec![Clause::default()];
    let mut end = 0;
    let mut add = |word: Option<Word>, span: Span| {
        let said = span.slice(text);
        let digits =
            text[..end].ends_with(|c: char| c.is_ascii_digit()) && said.starts_with(|c: char| c.is_ascii_digit());
        // Words of writing without spaces overlap: nothing stands between them.
        let parts = cut(text.get(end..span.start).unwrap_or_default(), digits);
        end = end.max(span.end);
        let joins = word
            .as_ref()
            .is_some_and(|word| CLASSES.has("and", &said.to_lowercase()) || cues::has(word, Class::SetOff));
        if parts != Cut::Not || joins {
            let segment = clauses.last().map_or(0, |last| last.segment) + usize::from(parts == Cut::Segment);
            clauses.push(Clause { segment, ..Clause::default() });
        }
        let Some(clause) = clauses.last_mut() else { return };
        match word {
            Some(word) if !joins => clause.words.push((word, said)),
            None => clause.number = Some(clause.words.len()),
            _ => {}
        }
    };
    let (before, behind): (Vec<Word>, Vec<Word>) =
        words(text).filter(outside).partition(|word| word.span.start < number.start);
    before.into_iter().for_each(|word| add(Some(word), word.span));
    add(None, number);
    behind.into_iter().for_each(|word| add(Some(word), word.span));
    clauses.iter_mut().for_each(|clause| clause.read(text));
    clauses
}

impl Clause<'_> {
    fn read(&mut self, text: &str) {
        let said = |at: usize, class: &str| {
            self.words.get(at).is_some_and(|(_, said)| CLASSES.has(class, &said.to_lowercase()))
        };
        let denies = |at: &usize| {
            polarity::denies(text, &self.words[*at].0)
                && !takes_back(text, &self.words[*at].0)
                && !said(at + 1, "aside")
        };
        let all = 0..self.words.len();
        let denial = all.clone().find(denies);
        let that = all.clone().find(|at| said(*at, "that"));
        let untrue = |at: usize| denial.is_some_and(|denial| denial < at) || at > 0 && said(at - 1, "untrue");
        self.untrue = that.is_some_and(untrue);
        let place = self.number.unwrap_or(self.words.len());
        let way = |at: usize| {
            let way = way_of(text, &self.words[at].0, self.words.get(at + 1).map(|(word, _)| word), at >= place)?;
            Some(if at > 0 && said(at - 1, "flip") { way.turned() } else { way })
        };
        self.way = (0..place).rev().find_map(way).or_else(|| (place..self.words.len()).take(WORDS_AFTER).find_map(way));
        // *Rose, not fell, 8%* only says what is not so.
        let aside = self.number.is_none() && denial == Some(0);
        let is_right_before = |at: usize| at < place && place - at <= 2 && said(at, "denial");
        self.denied = denial.is_some_and(|at| self.way.is_some() || is_right_before(at)) && !aside;
        self.way = self.way.filter(|_| !aside);
        self.is_rest =
            self.number.is_some_and(|before| before <= WORDS_OF_A_REST) && !(0..place).any(|at| said(at, "verb"));
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
        _ if CLASSES.has("up", &lower) => Some(Way::Up),
        _ if CLASSES.has("down", &lower) => Some(Way::Down),
        _ if behind && (CLASSES.has("behind", &lower) || CLASSES.has("apart", &lower) && is_last()) => Some(Way::Down),
        _ => None,
    }
}

/// Whether a word of denial denies nothing with the words behind it: *not only*.
fn takes_back(text: &str, word: &Word) -> bool {
    let end = text.floor_char_boundary(word.span.end + PHRASE);
    let first = words(&text[word.span.start..end]).take(3).last().map_or(end, |last| word.span.start + last.span.end);
    word.span.len() > 1 && polarity::stance(&text[word.span.start..first]).negators == 0
}

/// Marks of emphasis and code, which stand between a sign and its number and say nothing.
const MARKUP: [char; 4] = ['*', '_', '`', '~'];

/// The way of an arrow beside a number: *↓ 8%*.
fn arrow(text: &str, number: Span) -> Option<Way> {
    let before = text[..number.start].trim_end_matches(|c| c == ' ' || MARKUP.contains(&c));
    let after = text[number.end..].trim_start_matches(|c| c == ' ' || MARKUP.contains(&c));
    let beside = |class| CLASSES.of(class).iter().any(|form| before.ends_with(form) || after.starts_with(form));
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
    if apart && CLASSES.has("flip", &last_word(spaced).to_lowercase()) {
        return true;
    }
    let tail = text[number.end..].trim_start_matches(MARKUP);
    if !apart && head.ends_with('(') && tail.starts_with(')') {
        return leads_to_a_number(&head[..head.len() - 1]);
    }
    let sign = |class| CLASSES.of(class).iter().find_map(|form| spaced.strip_suffix(form));
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
    CLASSES.has("verb", &word) || CLASSES.has("leading", &word)
}
