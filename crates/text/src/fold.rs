//! Text made comparable, with a way back to the bytes it came from.
//!
//! NFKC (ligatures, full-width forms, superscripts), quotation marks, dashes, spaces, soft hyphens, hyphens at line ends,
//! note marks, square brackets and letter case are folded; quotation marks at the edges of words are left out. Two texts that differ only in these fold to the same string.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::Span;
use crate::lexicon::Classes;
use crate::marks::note_mark;

/// A folded text and where its bytes come from.
#[derive(Debug, Clone, Default)]
pub struct Folded {
    text: String,
    /// For each byte of `text` the offset in the original of the cluster that it comes from.
    starts: Vec<u32>,
    /// Offset of white space that was read and not yet written.
    space: Option<u32>,
}

impl Folded {
    /// Folds `text`. Texts over 4 GiB are cut.
    ///
    /// ```
    /// use cited_text::fold::Folded;
    /// let folded = Folded::new("The “ﬁrst”\u{a0}of re-\nsults");
    /// assert_eq!(folded.as_str(), "the first of results");
    /// ```
    pub fn new(text: &str) -> Self {
        let (room, starts) = (String::with_capacity(text.len()), Vec::with_capacity(text.len()));
        let mut folded = Folded { text: room, starts, space: None };
        folded.read(text, Span::new(0, text.len()));
        folded
    }

    /// The letters and digits of it alone, for texts that differ in marks, dashes, spaces and hyphens only.
    #[must_use]
    pub fn letters(&self) -> Self {
        let mut letters = Folded::default();
        let kept = self.text.char_indices().filter(|(_, c)| c.is_alphanumeric());
        kept.for_each(|(at, c)| letters.write(c, self.starts[at]));
        letters
    }

    /// Adds a part of a text.
    pub(crate) fn read(&mut self, text: &str, part: Span) {
        let mut chars = part.slice(text).char_indices().map(|(at, c)| (part.start + at, c)).peekable();
        let mut cluster = String::new();
        while let Some(&(start, c)) = chars.peek() {
            if u32::try_from(start).is_err() {
                break;
            }
            if c.is_ascii_alphanumeric() {
                // Most of most texts: a run of letters that nothing after it changes.
                let run = plain_run(&text.as_bytes()[start..part.end]);
                if run > 0 {
                    self.write_space();
                    let from = self.text.len();
                    self.text.push_str(&text[start..start + run]);
                    self.text[from..].make_ascii_lowercase();
                    self.starts.extend(start as u32..(start + run) as u32);
                    // Letters of one byte each.
                    chars.nth(run - 1);
                    continue;
                }
            }
            chars.next();
            let next = chars.peek().map(|(_, next)| *next);
            if is_quote(c)
                && !(text[..start].ends_with(char::is_alphanumeric) && next.is_some_and(char::is_alphanumeric))
            {
                // Only an apostrophe inside a word is part of what is said.
                continue;
            }
            if matches!(c, '[' | ']') {
                // "[12]" in the middle of a sentence is a note, "[S]tate" a changed letter: neither is part of the words.
                let note = note_mark(&text[start..]).unwrap_or(0);
                while chars.next_if(|(at, _)| *at < start + note).is_some() {}
                continue;
            }
            if is_dash(c) && joins(text, start, c) {
                while chars.next_if(|(_, next)| next.is_whitespace()).is_some() {}
                continue;
            }
            if c.is_ascii() && next.is_none_or(|next| next.is_ascii() || !is_combining_mark(next)) {
                self.push(c, start);
                continue;
            }
            cluster.clear();
            cluster.push(c);
            while let Some((_, mark)) = chars.next_if(|(_, next)| is_combining_mark(*next)) {
                // More marks than any writing has are passed over, so that a cluster stays small.
                if cluster.len() < 64 {
                    cluster.push(mark);
                }
            }
            for c in cluster.nfkc() {
                self.push(c, start);
            }
        }
    }

    /// The folded text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The bytes of the original that `span` of the folded text comes from. `original` is the text that was folded.
    pub fn original(&self, original: &str, span: Span) -> Span {
        let at = |i: usize| self.starts.get(i).map_or(original.len(), |start| *start as usize);
        if span.is_empty() {
            return Span::at(at(span.start));
        }
        let last = at(span.end - 1);
        let tail = original.get(last..).unwrap_or("");
        let behind = tail.char_indices().skip(1).find(|(_, c)| !is_combining_mark(*c));
        Span::new(at(span.start), last + behind.map_or(tail.len(), |(length, _)| length))
    }

    fn push(&mut self, c: char, at: usize) {
        let start = at as u32;
        if matches!(c, '\u{2014}' | '\u{2015}') {
            // A long dash parts words, whether it has spaces round it or not.
            self.space.get_or_insert(start);
            self.push('-', at);
            self.space = Some(start);
            return;
        }
        let c = match c {
            '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{FE00}'..='\u{FE0F}' => return,
            _ if c.is_whitespace() || c.is_control() => {
                self.space.get_or_insert(start);
                return;
            }
            _ if is_quote(c) => '\'',
            _ if is_dash(c) => '-',
            _ => c,
        };
        self.write_space();
        if c.is_ascii() {
            self.write(c.to_ascii_lowercase(), start);
        } else {
            for lower in c.to_lowercase() {
                self.write(lower, start);
            }
        }
    }

    /// Writes the white space that was read, between what is written.
    fn write_space(&mut self) {
        let space = self.space.take().filter(|_| !self.text.is_empty());
        space.into_iter().for_each(|space| self.write(' ', space));
    }

    fn write(&mut self, c: char, start: u32) {
        self.text.push(c);
        self.starts.resize(self.text.len(), start);
    }
}

/// How many ASCII letters and digits `text` begins with that stand for themselves: a mark may combine with the last one.
fn plain_run(text: &[u8]) -> usize {
    let run = text.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if text.get(run).is_some_and(|next| !next.is_ascii()) { run - 1 } else { run }
}

/// Whether a character is a quotation mark or an apostrophe of any writing.
fn is_quote(c: char) -> bool {
    matches!(
        c,
        '"' | '\'' | '`' | '´' | '\u{2018}'
            ..='\u{201F}' | '«' | '»' | '‹' | '›' | '「' | '」' | '『' | '』' | '′' | '″'
    )
}

/// Whether a character is a hyphen or a dash.
fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' | '\u{FF0D}')
}

/// Words behind a hyphen that leaves a part of a word out.
static JOINING: Classes = Classes::new(include_str!("data/joining.tsv"));

/// Whether the dash at `at` joins two letters, at a line end or not: `re-\nsults` and `re-sults` are one word.
fn joins(text: &str, at: usize, dash: char) -> bool {
    if !text[..at].ends_with(char::is_alphabetic) || matches!(dash, '\u{2014}' | '\u{2015}') {
        return false;
    }
    let rest = &text[at + dash.len_utf8()..];
    let mut chars = rest.chars();
    match chars.next() {
        Some(c) if c.is_alphabetic() => true,
        Some('\n') => chars.find(|c| !matches!(c, ' ' | '\t')).is_some_and(char::is_alphabetic),
        // A page may show the line end as a space: *infra- structure*; but not *pre- and post-war*.
        Some(' ') => {
            let next = chars.as_str();
            let word = &next[..next.find(|c: char| !c.is_alphabetic()).unwrap_or(next.len())];
            word.starts_with(char::is_lowercase) && !JOINING.has("joining", word)
        }
        Some('\r') => chars.next() == Some('\n') && chars.next().is_some_and(char::is_alphabetic),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Folded;
    use crate::Span;

    fn check(text: &str, expected: &str) {
        assert_eq!(Folded::new(text).as_str(), expected, "{text:?}");
    }

    #[test]
    fn what_only_looks_different_folds_alike() {
        check("“Don’t”  «stop»", "don't stop");
        check("ﬁnance\u{ad}ial — 2019–20", "financeial - 2019-20");
        check("well-known, well-\nknown and well\u{2011}known", "wellknown, wellknown and wellknown");
        check("ＡＢＣ　１２３％", "abc 123%");
        check("cafe\u{301} = café", "café = café");
        check("  a\r\n\tb  ", "a b");
        check("5 - 3 - x", "5 - 3 - x");
        check("any [S]tate,[12] or [3, 4] none", "any state, or none");
    }

    #[test]
    fn spans_lead_back_to_the_original() {
        let text = "The “ﬁrst”\u{a0}of re-\nsults e\u{301}t";
        let folded = Folded::new(text);
        let find = |needle: &str| {
            let at = folded.as_str().find(needle).unwrap();
            folded.original(text, Span::new(at, at + needle.len())).slice(text)
        };
        assert_eq!(find("first"), "ﬁrst");
        assert_eq!(find("of results"), "of re-\nsults");
        assert_eq!(find("ét"), "e\u{301}t");
    }

    proptest! {
        #[test]
        fn every_span_of_characters_leads_back(text in "\\PC{0,60}") {
            let folded = Folded::new(&text);
            let ends: Vec<usize> = folded.as_str().char_indices().map(|(i, _)| i).chain([folded.as_str().len()]).collect();
            for pair in ends.windows(2) {
                let span = folded.original(&text, Span::new(pair[0], pair[1]));
                prop_assert!(text.get(span.start..span.end).is_some());
            }
        }

        #[test]
        fn folding_twice_changes_nothing_where_no_mark_stands(text in "[ A-Za-z0-9.,éﬁ０-９Ａ-Ｚ\u{a0}\n]{0,60}") {
            let once = Folded::new(&text);
            let twice = Folded::new(once.as_str());
            prop_assert_eq!(once.as_str(), twice.as_str());
        }
    }
}
