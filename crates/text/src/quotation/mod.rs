//! Quotations: words between quotation marks, and whether a source has them.
//!
//! Both sides are [folded](crate::fold). `…` and `[...]` are gaps in order; `[for]` is an editorial insertion that stands
//! for at most three words. The search is linear in the source.

pub mod bare;
mod edges;

use std::collections::{HashMap, VecDeque};
use std::sync::LazyLock;

use memchr::memmem;

use self::edges::{EDGES, closes_at, parts_number, trimmed, turn_at};
use crate::Span;
use crate::fold::Folded;
use crate::lexicon::table;
use crate::marks::{MARKS, note_mark};
use crate::quantity::quantities;
use crate::words::{is_unspaced, words};

/// Fewer words than this are a term, not a quotation.
pub const FEWEST_WORDS: usize = 3;
/// An editorial insertion stands for this many words at most.
const INSERTION_WORDS: usize = 3;
/// A quotation longer than this is compared by its first part, in bytes.
const LONGEST: usize = 16 * 1024;
/// Comparisons at an insertion, per byte of source and quotation: keeps hostile texts linear.
const EFFORT: usize = 64;

/// Words between quotation marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quotation {
    /// From the opening to the closing mark, both included.
    pub span: Span,
    /// The words without the marks.
    pub inner: Span,
    /// How many words there are; two characters of a script without spaces count as one.
    pub words: usize,
    /// Whether it is a title or a name: every longer word begins with a capital, or the words before it say so.
    pub title: bool,
}

impl Quotation {
    /// Whether it is long enough to be somebody's words rather than a term or a title.
    pub fn is_verbatim(&self) -> bool {
        self.words >= FEWEST_WORDS && !self.title
    }

    /// Whether nothing stands between the marks.
    pub fn is_empty(&self) -> bool {
        self.words == 0
    }
}

/// Finds the quotations of `text`, in order. A mark that is never closed in its paragraph opens nothing.
///
/// ```
/// use cited_text::quotation::quotations;
/// let text = "They call it “the best of all worlds”.";
/// let found = quotations(text);
/// assert_eq!(found[0].inner.slice(text), "the best of all worlds");
/// ```
pub fn quotations(text: &str) -> Vec<Quotation> {
    let mut found = Vec::new();
    let mut open: Option<(usize, char, &[char])> = None;
    let mut before = ' ';
    let mut breaks = 0;
    for (at, c) in text.char_indices() {
        // No quotation goes on over a blank line.
        breaks = match c {
            '\n' => breaks + 1,
            _ if c.is_whitespace() => breaks,
            _ => 0,
        };
        if breaks > 1 {
            open = None;
        }
        if c.is_ascii() && c != '"' {
            before = c;
            continue;
        }
        let after = text[at + c.len_utf8()..].chars().next();
        match open {
            Some((start, mark, closing)) if closing.contains(&c) && closes(c, before, after) => {
                let inner = Span::new(start + mark.len_utf8(), at);
                // Book titles stand in their own marks.
                if mark != '《' {
                    found.push(describe(text, Span::new(start, at + c.len_utf8()), inner));
                }
                open = None;
            }
            Some(_) => {}
            None => {
                let mark = MARKS.iter().find(|(mark, _)| *mark == c && opens(c, before, after));
                open = mark.map(|(mark, closing)| (at, *mark, *closing));
            }
        }
        before = c;
    }
    found
}

/// Whether a mark can open: straight and single marks stand before a word, after a space or a bracket.
fn opens(mark: char, before: char, after: Option<char>) -> bool {
    match mark {
        '"' | '‘' => {
            // Behind a word and a space a mark closes: *the singles " See You ", " Leave "*.
            let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | ')' | ']' | '}');
            !before.is_alphanumeric() && after.is_some_and(|c| !ends(c))
        }
        '»' => before.is_whitespace() && after.is_some_and(char::is_alphanumeric),
        _ => true,
    }
}

/// Whether a mark can close: an apostrophe inside a word does not.
fn closes(mark: char, before: char, after: Option<char>) -> bool {
    match mark {
        '’' => after.is_none_or(|c| !c.is_alphanumeric()) && !before.is_whitespace(),
        '"' => after.is_none_or(|c| !c.is_alphanumeric()),
        _ => true,
    }
}

fn describe(text: &str, span: Span, inner: Span) -> Quotation {
    let words = inner.slice(text);
    let mut count = 0;
    let mut dense = 0;
    let mut capitals = true;
    let mut long = 0;
    // What stands between two spaces is one word, whatever signs are in it: *MC_P*_TPA*, *a/b*.
    for token in words.split_whitespace() {
        let mut spaced = 0;
        for word in token.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’'))) {
            let unspaced = word.chars().filter(|c| is_unspaced(*c)).count();
            dense += unspaced;
            if unspaced > 0 {
                capitals = false;
                continue;
            }
            spaced += usize::from(!word.is_empty());
            if word.chars().count() > 3 {
                long += 1;
                capitals &= word.starts_with(|c: char| c.is_uppercase() || c.is_numeric());
            }
        }
        // A dash without spaces parts words: *the end—or not*.
        count += if token.contains(['—', '–', '…']) { spaced } else { spaced.min(1) };
    }
    let title = capitals && long > 0 || follows_naming(text, span.start);
    Quotation { span, inner, words: count + dense / 2, title }
}

/// Whether the words before a mark announce a title or a name.
fn follows_naming(text: &str, mark: usize) -> bool {
    let before = text[..mark].trim_end_matches([' ', ',', ':', '\u{A0}', '(']);
    let low = before.ceil_char_boundary(before.len().saturating_sub(24));
    let tail = before[low..].to_lowercase();
    EDGES.of("naming").iter().any(|word| {
        tail.strip_suffix(word)
            .is_some_and(|head| word.starts_with(is_unspaced) || !head.ends_with(char::is_alphanumeric))
    })
}

/// Marks that documents mostly use otherwise.
static OTHER_MARKS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    table::words(include_str!("data/marks.tsv"), "mark").filter_map(|pair| pair.split_once('/')).collect()
});

/// The quotations between marks that documents mostly use otherwise, apart from those that are `known`.
pub fn more_quotations(text: &str, known: &[Quotation]) -> Vec<Quotation> {
    let mut found: Vec<Quotation> = Vec::new();
    let mut at = 0;
    let mut next_known = known.iter().peekable();
    while let Some(c) = text[at..].chars().next() {
        if let Some(quotation) = next_known.next_if(|quotation| quotation.span.start <= at) {
            at = at.max(quotation.span.end);
            continue;
        }
        let limit = next_known.peek().map_or(text.len(), |quotation| quotation.span.start);
        match opened(text, at, limit) {
            Some(quotation) => {
                at = quotation.span.end;
                found.push(quotation);
            }
            None => at += c.len_utf8(),
        }
    }
    found
}

/// The quotation that opens at `at` and closes before `limit` in its paragraph.
fn opened(text: &str, at: usize, limit: usize) -> Option<Quotation> {
    /// The longest quotation that is looked for, in bytes.
    const LONGEST: usize = 1_000;
    if text[..at].ends_with(char::is_alphanumeric) {
        return None;
    }
    for (open, close) in OTHER_MARKS.iter() {
        let Some(rest) = text[at..limit].strip_prefix(open) else { continue };
        if !rest.starts_with(char::is_alphanumeric) {
            continue;
        }
        let start = at + open.len();
        let closes = |place: &usize| {
            let end = start + place + close.len();
            !text[..start + place].ends_with(char::is_whitespace) && !text[end..].starts_with(char::is_alphanumeric)
        };
        let reach = rest.floor_char_boundary(LONGEST);
        let within = &rest[..reach];
        let within = &within[..within.find("\n\n").unwrap_or(within.len())];
        let place = within.match_indices(close).map(|(place, _)| place).find(closes);
        let Some(place) = place else { continue };
        let inner = Span::new(start, start + place);
        let count = words(inner.slice(text)).count();
        if count >= FEWEST_WORDS {
            let span = Span::new(at, start + place + close.len());
            return Some(Quotation { span, inner, words: count, title: false });
        }
    }
    None
}

/// What a source has of a quotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Match {
    /// It is there, in the source's bytes.
    Found(Span),
    /// It is there and stops right before a word that turns it round.
    CutShort(Span, String),
    /// It is not there; the passage nearest to it, if any is near, and the part of its words that the passage has.
    Missing(Option<(Span, u8)>),
    /// Nothing stands between the marks.
    Empty,
}

/// One stretch of a quotation that has to be in the source as it is.
#[derive(Debug)]
struct Stretch {
    text: String,
    /// Whether it follows the one before within a few words, rather than anywhere after it.
    near: bool,
}

/// Looking quotations up in a folded source.
impl Folded {
    /// Looks a quotation up; `original` is the text that was folded.
    ///
    /// ```
    /// use cited_text::fold::Folded;
    /// use cited_text::quotation::Match;
    /// let text = "It is the best of all possible worlds.";
    /// let folded = Folded::new(text);
    /// assert!(matches!(folded.find(text, "the best … worlds"), Match::Found(_)));
    /// assert!(matches!(folded.find(text, "the worst of all worlds"), Match::Missing(_)));
    /// ```
    pub fn find(&self, original: &str, quotation: &str) -> Match {
        let stretches = stretches(start_of(quotation));
        if stretches.is_empty() {
            return Match::Empty;
        }
        let Some(span) = self.locate(&stretches, quotation) else {
            return Match::Missing(self.closest(original, &stretches));
        };
        let place = self.original(original, span);
        let behind = original.get(place.end..).unwrap_or_default();
        match turn_at(&self.as_str()[span.end..]).filter(|_| !closes_at(behind)) {
            Some(word) => Match::CutShort(place, word.to_owned()),
            None => Match::Found(place),
        }
    }

    /// Whether the source has a quotation: what [`find`](Self::find) tells, without looking for what is near.
    pub fn holds(&self, quotation: &str) -> bool {
        let stretches = stretches(start_of(quotation));
        !stretches.is_empty() && self.locate(&stretches, quotation).is_some()
    }

    /// Where the source has a quotation; with its square brackets, where they are the source's own.
    fn locate(&self, stretches: &[Stretch], quotation: &str) -> Option<Span> {
        self.find_stretches(stretches).or_else(|| self.find_stretches(&[with_brackets(quotation)?]))
    }

    /// The span in the folded source that holds the stretches in order.
    fn find_stretches(&self, stretches: &[Stretch]) -> Option<Span> {
        let haystack = self.as_str();
        let mut effort = EFFORT.saturating_mul(haystack.len() + 1024);
        let mut start = None;
        let mut from = 0;
        for chain in stretches.chunk_by(|_, next| next.near) {
            let span = self.find_chain(chain, from, &mut effort)?;
            start.get_or_insert(span.start);
            from = span.end;
        }
        Some(Span::new(start?, from))
    }

    /// The first place from `from` on where the stretches stand one near the other.
    fn find_chain(&self, chain: &[Stretch], from: usize, effort: &mut usize) -> Option<Span> {
        let haystack = self.as_str();
        let first = chain.first()?;
        let finder = memmem::Finder::new(first.text.as_bytes());
        let mut next = from;
        // Places may overlap: the first *é é* in *né é é* begins inside a word, and reaches into the one that does not.
        'places: while let Some(at) = haystack.get(next..).and_then(|rest| finder.find(rest.as_bytes())) {
            let start = next + at;
            next = start + haystack[start..].chars().next().map_or(1, char::len_utf8);
            *effort = effort.checked_sub(first.text.len())?;
            let mut end = start + first.text.len();
            if !is_whole(haystack, Span::new(start, end)) {
                continue;
            }
            for stretch in &chain[1..] {
                let cost = (INSERTION_WORDS + 1) * (stretch.text.len() + 16);
                *effort = effort.checked_sub(cost)?;
                let Some(behind) = after_words(haystack, end, &stretch.text) else { continue 'places };
                end = behind;
            }
            return Some(Span::new(start, end));
        }
        None
    }

    /// The passage that shares most words with the quotation, if it has half of them, and the share in percent.
    fn closest(&self, original: &str, stretches: &[Stretch]) -> Option<(Span, u8)> {
        let haystack = self.as_str();
        let wanted: Vec<&str> = stretches.iter().flat_map(|stretch| tokens(&stretch.text)).map(|span| span.1).collect();
        if wanted.is_empty() {
            return None;
        }
        // How often each word is still wanted in the window.
        let mut left: HashMap<&str, i32> = HashMap::new();
        wanted.iter().for_each(|word| *left.entry(word).or_default() += 1);
        let width = wanted.len() + wanted.len() / 4 + 1;
        let mut window: VecDeque<(Span, &str)> = VecDeque::with_capacity(width + 1);
        let mut have = 0usize;
        let mut best: Option<(Span, usize)> = None;
        for (span, word) in tokens(haystack) {
            if let Some(count) = left.get_mut(word) {
                *count -= 1;
                have += usize::from(*count >= 0);
            }
            window.push_back((span, word));
            if window.len() > width
                && let Some((_, old)) = window.pop_front()
                && let Some(count) = left.get_mut(old)
            {
                *count += 1;
                have -= usize::from(*count > 0);
            }
            if have * 2 >= wanted.len()
                && best.is_none_or(|(_, most)| have > most)
                && let Some((first, _)) = window.iter().find(|(_, word)| left.contains_key(word))
            {
                best = Some((first.cover(span), have));
            }
        }
        let (span, have) = best?;
        Some((self.original(original, span), u8::try_from(100 * have / wanted.len()).unwrap_or(100)))
    }
}

/// Whether a match begins and ends at the edges of words and of numbers.
fn is_whole(text: &str, span: Span) -> bool {
    let word = |c: char| c.is_alphanumeric() && !is_unspaced(c);
    let inside = |at: usize| text[..at].ends_with(word) && text[at..].starts_with(word) || parts_number(text, at);
    !inside(span.start) && !inside(span.end)
}

/// The end of `needle` when it stands within a few words after `at`.
fn after_words(text: &str, at: usize, needle: &str) -> Option<usize> {
    let mut start = at;
    for _ in 0..=INSERTION_WORDS {
        let rest = &text[start..];
        start += rest.len() - rest.trim_start_matches(|c: char| !c.is_alphanumeric()).len();
        // A sign at the start of the needle was passed over.
        let lead = needle.len() - needle.trim_start_matches(|c: char| !c.is_alphanumeric()).len();
        let begin = start.saturating_sub(lead).max(at);
        if text.is_char_boundary(begin)
            && text[begin..].starts_with(needle)
            && is_whole(text, Span::new(begin, begin + needle.len()))
        {
            return Some(begin + needle.len());
        }
        let rest = &text[start..];
        start += rest.char_indices().take(64).find(|(_, c)| !c.is_alphanumeric()).map(|(i, _)| i)?;
    }
    None
}

/// The words of a folded text; characters of scripts without spaces stand alone.
fn tokens(text: &str) -> impl Iterator<Item = (Span, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(char::is_alphanumeric)?;
        let first = text[start..].chars().next()?;
        let end = if is_unspaced(first) {
            start + first.len_utf8()
        } else {
            let rest = &text[start..];
            rest.find(|c: char| !c.is_alphanumeric() || is_unspaced(c)).map_or(text.len(), |i| start + i)
        };
        at = end;
        Some((Span::new(start, end), &text[start..end]))
    })
}

/// As much of a quotation as is looked up.
fn start_of(quotation: &str) -> &str {
    &quotation[..quotation.floor_char_boundary(LONGEST)]
}

/// Whether an insertion says more than what a reader needs to know: a number, a magnitude, a denial.
fn says_more(inside: &str) -> bool {
    let lower = inside.to_lowercase();
    inside.chars().any(char::is_numeric)
        || quantities(inside).iter().any(|quantity| !quantity.is_label())
        || lower.split(|c: char| !c.is_alphanumeric()).any(|word| EDGES.has("saying", word))
        || EDGES.of("saying").iter().any(|word| word.starts_with(is_unspaced) && lower.contains(word))
}

/// A quotation with its square brackets, where it has any.
fn with_brackets(quotation: &str) -> Option<Stretch> {
    let words = start_of(quotation);
    let folded = words.contains('[').then(|| Folded::new(words))?;
    let text = folded.as_str().trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    (!text.is_empty()).then_some(Stretch { text, near: false })
}

/// Cuts a quotation at its gaps and insertions, and folds the parts.
fn stretches(quotation: &str) -> Vec<Stretch> {
    let mut parts: Vec<Stretch> = Vec::new();
    let mut current = String::new();
    let mut near = false;
    let mut rest = quotation;
    let mut close = |current: &mut String, near: bool| {
        let folded = Folded::new(current);
        let text = trimmed(folded.as_str()).to_owned();
        current.clear();
        if !text.is_empty() {
            parts.push(Stretch { text, near });
        }
    };
    while let Some(c) = rest.chars().next() {
        let gap = ["[...]", "[…]", "[. . .]", "[ ... ]", "(...)", "(…)", "……", "…", "...", ". . ."];
        if let Some(mark) = gap.iter().find(|mark| rest.starts_with(**mark)) {
            close(&mut current, near);
            near = false;
            rest = &rest[mark.len()..];
            continue;
        }
        if c == '['
            && let Some(end) = rest.char_indices().take(80).find(|(_, c)| *c == ']').map(|(i, _)| i)
        {
            let (inside, is_note) = (&rest[1..end], note_mark(rest).is_some());
            rest = &rest[end + 1..];
            if is_note {
                // It stands for no word: what is before it and behind it is one stretch.
                current.push(' ');
            } else if inside.split_whitespace().count() > INSERTION_WORDS || says_more(inside) {
                // So many words are a part of what is said to be said, and so are a number and a denial.
                current.push_str(inside);
            } else if rest.starts_with(char::is_alphabetic)
                && (inside.chars().count() <= 2 || current.ends_with(char::is_alphabetic))
            {
                // "[T]he": only a letter was changed.
                current.push_str(inside);
            } else {
                close(&mut current, near);
                near = true;
            }
            continue;
        }
        current.push(c);
        rest = &rest[c.len_utf8()..];
    }
    close(&mut current, near);
    if let Some(first) = parts.first_mut() {
        first.near = false;
    }
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Match, quotations};
    use crate::fold::Folded;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = quotations(text).iter().map(|q| q.inner.slice(text)).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn marks_of_many_languages_open_and_close() {
        check("He said \"it is what it is\" and left.", &["it is what it is"]);
        check("Er sagte „es ist so“, sie «non»; ‘no way’ isn’t it", &["es ist so", "non", "no way"]);
        check("他说“这是最好的时代”。「本当にそう」", &["这是最好的时代", "本当にそう"]);
        check("a 5\" pipe and a 6\" pipe", &[]);
        check("the singles \" See You \", \" The Meaning \" and \" Leave \".", &[]);
        check("an “open one\n\nand “closed”", &["closed"]);
        check("“”", &[""]);
    }

    #[test]
    fn places_that_overlap_are_all_looked_at() {
        let text = "ano no no no";
        let folded = Folded::new(text);
        assert_eq!(folded.find(text, "no no no"), Match::Found(crate::Span::new(4, 12)));
    }

    proptest! {
        #[test]
        fn any_text_can_be_quoted_from_any_text(quote in "\\PC{0,40}", text in "\\PC{0,80}") {
            let folded = Folded::new(&text);
            match folded.find(&text, &quote) {
                Match::Found(span) | Match::CutShort(span, _) | Match::Missing(Some((span, _))) => {
                    prop_assert!(text.get(span.start..span.end).is_some());
                }
                Match::Missing(None) | Match::Empty => {}
            }
        }

        #[test]
        fn a_slice_at_word_ends_is_found(words in proptest::collection::vec("[a-zé]{1,8}", 4..20), from in 0usize..4) {
            let text = words.join(" ");
            let quote = words[from.min(words.len() - 3)..].join(" ");
            let folded = Folded::new(&text);
            prop_assert!(matches!(folded.find(&text, &quote), Match::Found(_) | Match::CutShort(..)));
        }

        #[test]
        fn quotation_marks_never_overlap(text in "[a-z \"“”„«»‘’「」\n]{0,60}") {
            let mut last = 0;
            for q in quotations(&text) {
                prop_assert!(q.span.start >= last && q.span.contains(q.inner));
                last = q.span.end;
            }
        }
    }
}
