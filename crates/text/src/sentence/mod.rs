//! Where sentences end, by rule, in text as shown to a reader and in any language.
//!
//! One pass finds the stops, quotes and brackets; a second decides for each stop by the word before and the character
//! after it. No sentence ends inside a quotation or bracket (unless it is very long), so that none is ever cut in two.
//! The tables of all languages are used together; the language is asked for only where a common word could be an abbreviation.

mod brackets;
#[cfg(test)]
mod tests;
mod words;

use brackets::{Scan, StopKind, stop_kind};
use words::{Abbreviation, WORDS, abbreviation, has_lowered};

use super::Span;
use super::language::language;
use super::marks;
use super::script::is_cjk;
use super::words::last_word;

/// The sentences of `text`, in order, without white space around them; together they hold every letter and digit.
///
/// A stop that no sentence ends with: abbreviations, initials, decimals, versions, addresses, ellipses before a small
/// letter, ordinals (`3. Mai`), enumerators at the start (`1. First`), and whatever stands in quotes or brackets.
///
/// ```
/// use cited_text::sentence::sentences;
/// let text = "Smith et al. measured 4.5 s. It is fast.";
/// let found: Vec<_> = sentences(text).into_iter().map(|span| span.slice(text)).collect();
/// assert_eq!(found, ["Smith et al. measured 4.5 s.", "It is fast."]);
/// ```
pub fn sentences(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let scan = Scan::read(text);
    let mut start = 0;
    let mut events = scan.stops.iter();
    while let Some(at) = events.next() {
        let stop = Stop::at(text, *at, &scan);
        // The rest of a run of stops is part of this one.
        while events.as_slice().first().is_some_and(|next| *next < stop.end) {
            events.next();
        }
        if !scan.is_inside(stop.end) && stop.ends_sentence(text, start) {
            push(text, start, stop.end, &mut found);
            start = stop.end;
        }
    }
    push(text, start, text.len(), &mut found);
    found
}

/// Whether what follows a full stop that is nothing else begins a sentence, in small letters or not.
pub fn may_follow_a_stop(after: &str) -> bool {
    after.starts_with(char::is_whitespace) && !matches!(Next::read(after), Next::Nothing | Next::Continues)
}

/// Those of some places in a text that stand in no quotation or bracket.
pub fn outside_brackets(text: &str, places: Vec<usize>) -> impl Iterator<Item = usize> {
    let scan = if places.is_empty() { None } else { Some(Scan::read(text)) };
    places.into_iter().filter(move |at| scan.as_ref().is_some_and(|scan| !scan.is_inside(*at)))
}

/// Adds the text between two ends as a sentence; signs without a letter or digit go with the sentence before.
fn push(text: &str, start: usize, end: usize, found: &mut Vec<Span>) {
    let piece = &text[start..end];
    let trimmed = piece.trim();
    if trimmed.is_empty() {
        return;
    }
    let start = start + (piece.len() - piece.trim_start().len());
    let span = Span::new(start, start + trimmed.len());
    let has_words = trimmed.bytes().any(|b| b.is_ascii_alphanumeric()) || trimmed.chars().any(char::is_alphanumeric);
    match found.last_mut() {
        Some(last) if !has_words => last.end = span.end,
        Some(last) if !last.slice(text).contains(char::is_alphanumeric) => last.end = span.end,
        _ => found.push(span),
    }
}

/// A run of stops with the closing quotes and brackets after it.
struct Stop {
    /// Where the first stop stands.
    start: usize,
    /// Just past the last stop.
    run_end: usize,
    /// Just past the closing signs.
    end: usize,
    kind: StopKind,
}

impl Stop {
    fn at(text: &str, start: usize, scan: &Scan) -> Stop {
        let (mut kind, mut run_end) = (StopKind::Dot, start);
        for (c, next) in text[start..].chars().map_while(|c| Some((c, stop_kind(c)?))) {
            // Of several signs in a row none is a single full stop.
            kind = if run_end == start { next } else { kind.max(next).max(StopKind::Ellipsis) };
            run_end += c.len_utf8();
        }
        let mut end = run_end;
        for c in text[run_end..].chars() {
            let opens = match c {
                // After `。` these open the next sentence unless they are known to close: only Latin text has a space.
                '"' if kind == StopKind::Full => !scan.is_inside(end),
                '“' => kind == StopKind::Full,
                _ => false,
            };
            if opens || !is_closing(c) {
                break;
            }
            end += c.len_utf8();
        }
        if end == run_end
            && matches!(text[end..].strip_prefix([' ', '\u{a0}', '\u{202f}']), Some(rest) if rest.starts_with('»'))
        {
            // French sets a space before the closing guillemet.
            end = text[end..].find('»').map_or(end, |at| end + at + '»'.len_utf8());
        }
        end += notes_length(&text[end..]);
        Stop { start, run_end, end, kind }
    }

    fn ends_sentence(&self, text: &str, sentence: usize) -> bool {
        let after = &text[self.end..];
        if after.is_empty() {
            return true;
        }
        let closed = self.end > self.run_end;
        let spaced = after.starts_with(char::is_whitespace);
        if self.kind == StopKind::Full {
            // These end a sentence wherever they stand, but for a quotation that the sentence goes on after.
            let last = text[..self.run_end].chars().next_back();
            let in_digits = text[..self.start].ends_with(char::is_numeric) && after.starts_with(char::is_numeric);
            let rest = after.trim_start();
            let goes_on = rest.starts_with(['、', '，', ',', '；', '：', ';', ':']);
            let quotative = WORDS.of("quotative").iter().any(|word| rest.starts_with(word));
            return !(last == Some('．') && in_digits || goes_on || quotative && (closed || last != Some('。')));
        }
        if !spaced {
            // Only scripts without spaces set the next sentence right behind the stop.
            let before = text[..self.start].chars().next_back();
            return self.kind != StopKind::Ellipsis
                && before.is_some_and(|c| is_cjk(c) || (closed && !c.is_ascii_digit()))
                && after.starts_with(|c| is_cjk(c) && (c.is_alphanumeric() || is_opening(c)));
        }
        let next = Next::read(after);
        match next {
            Next::Nothing => return true,
            // A citation or a mark is no abbreviation: *cats [1]. dogs bark*.
            Next::Small if self.kind == StopKind::Dot && text[..self.start].ends_with(']') => return true,
            Next::Small | Next::Continues => return false,
            _ => {}
        }
        match self.kind {
            StopKind::Exclamation => {
                !has_lowered("exclaimed", token_before(text, sentence, self.start)) || next.starts_sentence(1)
            }
            StopKind::Ellipsis => matches!(next, Next::Capital(_) | Next::Caseless | Next::Sign),
            // Of an abbreviation: *(Apple Inc.) Then*.
            StopKind::Dot if closed => {
                let quoted = text[self.run_end..self.end].contains(['"', '”', '“', '»', '’']);
                quoted || abbreviation(token_before(text, sentence, self.start)).is_none() || next.starts_sentence(1)
            }
            _ => self.dot_ends(text, sentence, next),
        }
    }

    /// Whether what could be an abbreviation is a common word at the end of its sentence: *[0, 1] is a set. Wolves eat deer*.
    /// In German a noun may follow the abbreviation: *die max. Höhe*.
    fn ends_with_a_word(&self, text: &str, sentence: usize, token: &str, kind: Abbreviation, next: Next<'_>) -> bool {
        /// So much of the text shows its language, in bytes to each side.
        const AROUND: usize = 200;
        let common = kind == Abbreviation::Maybe && matches!(next, Next::Capital(_)) && WORDS.has("common", token);
        let around = Span::at(self.start).widened(text, AROUND);
        common && language(&text[around.start.max(sentence)..around.end]) != Some("de")
    }

    fn dot_ends(&self, text: &str, sentence: usize, next: Next<'_>) -> bool {
        let token = token_before(text, sentence, self.start);
        let chunk = text[sentence..self.start].rsplit(char::is_whitespace).next().unwrap_or_default();
        if token.is_empty() || chunk.contains("://") {
            return true;
        }
        let token_start = self.start - token.len();
        let before = &text[sentence..token_start];
        let opens = before.trim().is_empty();
        if token.bytes().all(|b| b.is_ascii_digit()) {
            let enumerator = opens && token.len() <= 3;
            return !enumerator && !is_ordinal(text, sentence, token_start, token, next);
        }
        if token.len() > words::LONGEST {
            return true;
        }
        let letters = token.chars().count();
        if opens && (letters == 1 || is_roman(token)) {
            // `a. First`, `IV. Results`: an enumerator; `A. Smith` an initial.
            return false;
        }
        if letters <= 3
            && let Some(kind) = spaced_abbreviation(text, sentence, token_start, self.start)
        {
            return ends_after(kind, next, 1);
        }
        let single = if letters == 1 { token.chars().next().filter(|c| c.is_alphabetic()) } else { None };
        if single.is_some_and(char::is_uppercase) {
            return before.ends_with('°')
                || has_lowered("lettered", last_word(before.trim_end()))
                || next.starts_sentence(3);
        }
        // *406 ms. Next*, *15 min. Kettles*, *30 mL/min. Then*, `17 h.`: behind a number or another unit it is a unit.
        let counted = before.trim_end().ends_with(|c: char| c.is_ascii_digit() || c == '/');
        if let Some(kind) = abbreviation(token) {
            let small = token.bytes().all(|byte| byte.is_ascii_lowercase()) && token.len() <= LONGEST_UNIT;
            let unit = counted && small && kind == Abbreviation::Maybe && matches!(next, Next::Capital(_));
            return unit || ends_after(kind, next, 1) || self.ends_with_a_word(text, sentence, token, kind, next);
        }
        if single.is_some() {
            // Any other single letter is an initial.
            return counted || next.starts_sentence(3);
        }
        !is_acronym(token) || next.starts_sentence(1)
    }
}

/// Whether the full stop at `dot`, with what closes behind it up to `end`, ends the sentence that begins at `sentence`.
pub fn ends_at_dot(text: &str, sentence: usize, dot: usize, end: usize) -> bool {
    let stop = Stop { start: dot, run_end: dot + 1, end, kind: StopKind::Dot };
    stop.dot_ends(text, sentence, Next::read(&text[end..]))
}

/// Units that are also abbreviations have so many letters at most: *ms*, *min*.
const LONGEST_UNIT: usize = 3;

/// The length of the marks of notes right behind a stop, which belong to the sentence before: `[4]`, `[a][12]`, `[citation needed]`.
pub fn notes_length(text: &str) -> usize {
    const LONGEST: usize = 32;
    let mut length = 0;
    while let Some(inner) = text[length..].strip_prefix('[') {
        let end = inner.bytes().take(LONGEST).position(|byte| matches!(byte, b'[' | b']' | b'\n'));
        match end {
            Some(end) if end > 0 && inner.as_bytes()[end] == b']' => length += end + 2,
            _ => break,
        }
    }
    length
}

fn is_closing(c: char) -> bool {
    let others = ")]}'“«）】》〉］*_";
    marks::is_closing_mark(c) || others.contains(c)
}

/// The letters, digits, dots, hyphens and apostrophes right before `stop`, as far as a table could hold them.
fn token_before(text: &str, sentence: usize, stop: usize) -> &str {
    let mut start = stop;
    for (i, c) in text[sentence..stop].char_indices().rev() {
        let part = c.is_alphanumeric() || matches!(c, '.' | '-' | '\'' | '’' | '№' | 'º');
        if !part || is_cjk(c) || stop - start > words::LONGEST {
            break;
        }
        start = sentence + i;
    }
    text[start..stop].trim_start_matches(['.', '-', '\'', '’'])
}

/// The abbreviation of two words that ends at `stop`: `z. B`, `et al`, `т. е`.
fn spaced_abbreviation(text: &str, sentence: usize, token: usize, stop: usize) -> Option<Abbreviation> {
    let head = text[sentence..token].trim_end_matches([' ', '\u{a0}', '\u{202f}']);
    let gap = token - sentence - head.len();
    if gap == 0 || gap > 3 {
        return None;
    }
    let dotted = head.ends_with('.');
    let first = token_before(text, sentence, sentence + head.len() - usize::from(dotted));
    if first.is_empty() || first.len() > 8 {
        return None;
    }
    let key = format!("{first}{}_{}", if dotted { "." } else { "" }, &text[token..stop]);
    abbreviation(&key)
}

fn ends_after(kind: Abbreviation, next: Next<'_>, shortest: usize) -> bool {
    match kind {
        Abbreviation::Never => false,
        Abbreviation::BeforeNumber => match next {
            Next::Digit => false,
            Next::Capital(word) => {
                !(is_roman(word)
                    || word.bytes().any(|b| b.is_ascii_digit())
                    || word.len() == 1 && word != "I" && word != "A")
            }
            _ => true,
        },
        Abbreviation::Maybe => next.starts_sentence(shortest),
    }
}

/// `U.S`, `Ph.D`, `p.m`: letters with dots between.
fn is_acronym(token: &str) -> bool {
    token.contains('.')
        && token.split('.').all(|part| (1..=2).contains(&part.chars().count()) && part.chars().all(char::is_alphabetic))
}

fn is_roman(token: &str) -> bool {
    !token.is_empty() && token.len() <= 5 && token.bytes().all(|b| matches!(b, b'I' | b'V' | b'X' | b'L'))
}

/// Whether the number at `token` counts what follows: `am 3. Mai`, `im 19. Jahrhundert`.
fn is_ordinal(text: &str, sentence: usize, token_start: usize, token: &str, next: Next<'_>) -> bool {
    if token.len() > 2 {
        return false;
    }
    let Next::Capital(word) = next else { return false };
    if WORDS.has("after-ordinal", word) {
        return true;
    }
    let before = text[sentence..token_start].trim_end();
    has_lowered("before-ordinal", token_before(text, sentence, sentence + before.len()))
}

/// What comes after a stop and the white space behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next<'a> {
    /// The end of the text.
    Nothing,
    /// A word with a small letter first.
    Small,
    /// A sign that no sentence starts with: a comma, a colon.
    Continues,
    /// A word with a capital first.
    Capital(&'a str),
    /// A word of a script without capitals.
    Caseless,
    /// A digit.
    Digit,
    /// Anything else: a currency sign, an emoji.
    Sign,
}

impl<'a> Next<'a> {
    fn read(after: &'a str) -> Next<'a> {
        let mut rest = after.trim_start();
        if rest.is_empty() {
            return Next::Nothing;
        }
        // Opening quotes and brackets, Spanish marks, a dash before a speech.
        for _ in 0..4 {
            rest = rest.strip_prefix(is_opening).map_or(rest, |bare| bare.trim_start_matches([' ', '\u{a0}']));
        }
        let Some(first) = rest.chars().next() else { return Next::Sign };
        if first.is_numeric() {
            return Next::Digit;
        }
        if first.is_alphabetic() {
            let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
            let (word, tail) = rest.split_at(end);
            return if first.is_uppercase() {
                // `B.` after `A.`: an initial starts no sentence.
                Next::Capital(if tail.starts_with('.') && word.chars().nth(1).is_none() { "" } else { word })
            } else if first.is_lowercase() {
                // iPhone, macOS, v2
                let named = |c: char| c.is_uppercase() || c.is_ascii_digit();
                let brand = first.is_ascii() && word.chars().skip(1).take(6).any(named);
                if brand { Next::Capital(word) } else { Next::Small }
            } else {
                Next::Caseless
            };
        }
        let number = || rest[first.len_utf8()..].trim_start_matches([' ', '\u{a0}', '=']).starts_with(char::is_numeric);
        match first {
            // *> 400 people came*: a sign of comparison belongs to its number.
            '<' | '>' | '+' if number() => Next::Digit,
            ',' | ';' | ':' | '/' | '%' | '&' | '=' | '<' | '>' | '+' | ')' | ']' | '，' | '；' | '：' | '、' => {
                Next::Continues
            }
            _ => Next::Sign,
        }
    }

    /// Whether it is a word of the table of sentence starters with at least `shortest` letters.
    fn starts_sentence(self, shortest: usize) -> bool {
        match self {
            Next::Nothing => true,
            Next::Capital(word) => {
                (word.chars().nth(shortest - 1).is_some() || matches!(word, "It" | "In")) && WORDS.has("starts", word)
            }
            _ => false,
        }
    }
}

fn is_opening(c: char) -> bool {
    let others = "([{'‚»（【《¿¡*_-–—•";
    marks::is_opening_mark(c) || others.contains(c)
}
