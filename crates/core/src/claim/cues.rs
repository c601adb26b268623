//! The cue tables in `data`, compiled once into one trie that reads a sentence in one pass, without copying it.
//!
//! Cues start where words start, so most words fail within two steps; that is cheaper here than an automaton that looks
//! at every byte.

mod cue;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

pub(in crate::claim) use self::cue::Signs;
use self::cue::{Cue, insert};
use cited_text::ascii;
use cited_text::language::languages_in;
use cited_text::lexicon::{Languages, table};
use cited_text::marks::is_mark;
use cited_text::script::is_cjk;

/// The cues of all languages.
pub(super) struct Cues {
    table: Vec<Cue>,
    nodes: Vec<Node>,
    /// The bytes of edges, and the nodes they lead to. Those of a node are few, and lie side by side.
    labels: Vec<u8>,
    targets: Vec<u32>,
    /// The nodes behind the first two letters of cues, by [`pair`].
    pairs: Box<[u32; 1024]>,
    /// The nodes behind the first byte of a cue.
    roots: [u32; 256],
    /// How words begin that may be the beginning of a cue, a bit each, by [`beginning`]: most words begin otherwise.
    beginnings: Box<[u64; 1024]>,
    /// Which characters cues of scripts without spaces start with, a bit each.
    first: Vec<u64>,
}

/// A node of the trie; its edges are sorted by their byte.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// The cue that ends here, [`NONE`] for none.
    cue: u32,
    edges: u32,
    edge_count: u32,
}

const NONE: u32 = u32::MAX;

/// In place of the node behind two letters: the first one may be a cue by itself.
const LOOK_FROM_ROOT: u32 = u32::MAX - 1;

/// English cues act in any text: most documents are English, and its cues are hardly words of other languages.
static ENGLISH: LazyLock<Languages> = LazyLock::new(|| Languages::of_column("en"));

/// The cues, compiled at the first use.
pub(super) static CUES: LazyLock<Cues> = LazyLock::new(Cues::read);

/// Bytes from the start of a word by which it is told that no cue begins there. Most cues that begin with a frequent word
/// have more than one: *in contrast*.
const LOOKED_AT: usize = 5;

/// The bits of so many bytes.
const LOOKED_AT_BITS: u64 = (1 << (8 * LOOKED_AT)) - 1;

/// How far behind an opening of the agent its act may stand, in bytes.
const REACH: usize = 90;

/// What a pass over a sentence found.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Found {
    pub signs: Signs,
    /// Whether the agent talks about its own work.
    pub talk: bool,
    /// Where its first digit stands, if it has one.
    pub digits: Option<usize>,
    /// Whether it has a quantity that is one beyond doubt: a percentage, a sum of money, a year.
    pub measured: bool,
    /// Whether it has a quotation mark.
    pub quotes: bool,
}

impl Cues {
    fn read() -> Cues {
        let mut cue_of: BTreeMap<Vec<u8>, Cue> = BTreeMap::new();
        let tables = [
            (include_str!("data/cues.tsv"), false),
            (include_str!("data/talk.tsv"), false),
            (include_str!("data/openers.tsv"), true),
        ];
        for (text, all_at_start) in tables {
            for row in table::rows(text) {
                let sign = Signs::named(row.class).unwrap_or_default();
                for form in row.forms() {
                    insert(&mut cue_of, form, (sign, row.languages), all_at_start);
                }
            }
        }
        let mut cues = Cues {
            table: Vec::with_capacity(cue_of.len()),
            nodes: Vec::new(),
            labels: Vec::new(),
            targets: Vec::new(),
            pairs: Box::new([NONE; 1024]),
            roots: [NONE; 256],
            beginnings: Box::new([0; 1024]),
            first: vec![0; 1024],
        };
        let words: Vec<(Vec<u8>, Cue)> = cue_of.into_iter().collect();
        for (word, cue) in &words {
            let first = std::str::from_utf8(word).ok().and_then(|word| word.chars().next());
            if let (false, Some(c)) = (cue.word, first.filter(|c| (*c as usize) < 0x10000)) {
                cues.first[c as usize / 64] |= 1 << (c as usize % 64);
            }
            cues.note_beginning(word, *cue);
        }
        for group in words.chunk_by(|a, b| a.0[0] == b.0[0]) {
            let first = group[0].0[0];
            let node = cues.grow(group, 1);
            cues.roots[usize::from(first)] = node;
            let Node { cue, edges, edge_count } = cues.nodes[node as usize];
            // Of a word of two letters and more, a cue of one letter is no part, but for one after which words go on.
            let alone = cue == NONE || {
                let cue = cues.table[cue as usize];
                cue.word && !cue.open
            };
            for edge in edges as usize..(edges + edge_count) as usize {
                let second = cues.labels[edge];
                if alone && first.is_ascii_lowercase() && second.is_ascii_lowercase() {
                    cues.pairs[pair(first, second)] = cues.targets[edge];
                }
            }
            if !alone && first.is_ascii_lowercase() {
                (b'a'..=b'z').for_each(|second| cues.pairs[pair(first, second)] = LOOK_FROM_ROOT);
            }
        }
        cues
    }

    /// Notes how a word and what follows it must begin to be `cue`.
    fn note_beginning(&mut self, word: &[u8], cue: Cue) {
        let looked_at = word.iter().take_while(|byte| byte.is_ascii_alphabetic() || **byte == b' ').count();
        let prefix = word.get(..looked_at.min(LOOKED_AT)).unwrap_or(word);
        if looked_at < word.len() {
            self.note(beginning(prefix));
        } else {
            // Where a cue is shorter than what is looked at, letters may follow only if its word may go on.
            self.note_continued(&mut prefix.to_vec(), cue.open || !cue.word);
        }
    }

    fn note_continued(&mut self, prefix: &mut Vec<u8>, letters_may_follow: bool) {
        self.note(beginning(prefix));
        if prefix.len() >= LOOKED_AT {
            return;
        }
        let letters = if letters_may_follow { b'a'..=b'z' } else { RangeInclusive::new(1, 0) };
        for next in letters.chain([b' ']) {
            prefix.push(next);
            self.note_continued(prefix, true);
            prefix.pop();
        }
    }

    fn note(&mut self, bit: usize) {
        self.beginnings[bit / 64] |= 1 << (bit % 64);
    }

    /// Whether a cue may begin at the letter at `at`, the first of a word.
    fn may_begin(&self, bytes: &[u8], at: usize) -> bool {
        let bit = beginning(&bytes[at..]);
        self.beginnings[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// The node for `words`, which are sorted and share their first `depth` bytes.
    fn grow(&mut self, mut words: &[(Vec<u8>, Cue)], depth: usize) -> u32 {
        let mut cue = NONE;
        if let Some(((word, ends), rest)) = words.split_first()
            && word.len() == depth
        {
            cue = self.table.len() as u32;
            self.table.push(*ends);
            words = rest;
        }
        let children: Vec<(u8, u32)> = words
            .chunk_by(|a, b| a.0[depth] == b.0[depth])
            .map(|group| (group[0].0[depth], self.grow(group, depth + 1)))
            .collect();
        let node = Node { cue, edges: self.labels.len() as u32, edge_count: children.len() as u32 };
        for (label, target) in children {
            self.labels.push(label);
            self.targets.push(target);
        }
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// Reads a sentence.
    pub(super) fn find(&self, text: &str) -> Found {
        let bytes = text.as_bytes();
        let mut found = Found::default();
        let mut talk = Talk::default();
        // Asked for where a cue of another language than English stands: *laut* is a source in German and a noise in French.
        let mut spoken: Option<Languages> = None;
        // The start of the first word, and whether the byte before is part of a word.
        let mut first = None;
        let mut in_word = false;
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let length = match byte {
                b'a'..=b'z' | b'A'..=b'Z' if in_word || !self.may_begin(bytes, at) => {
                    // No cue starts inside a word.
                    first.get_or_insert(at);
                    at += ascii::letters_at(bytes, at);
                    in_word = true;
                    if bytes.get(at) == Some(&b' ') {
                        (in_word, at) = (false, at + 1);
                    }
                    continue;
                }
                b'a'..=b'z' | b'A'..=b'Z' => 1,
                b'0'..=b'9' => {
                    found.digits.get_or_insert(at);
                    first.get_or_insert(at);
                    let end = at + bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
                    found.measured |= is_plainly_measured(bytes, at, end);
                    (in_word, at) = (true, end);
                    continue;
                }
                b'[' => {
                    (in_word, at) = (false, at + tag_length(&bytes[at..]));
                    continue;
                }
                0x00..0x80 => {
                    found.quotes |= byte == b'"';
                    // An apostrophe is part of its word.
                    (in_word, at) = (in_word && byte == b'\'', at + 1);
                    continue;
                }
                _ => {
                    let Some(c) = text[at..].chars().next() else { break };
                    found.quotes |= is_mark(c);
                    if matches!(c, '０'..='９') {
                        found.digits.get_or_insert(at);
                    }
                    let unspaced = is_cjk(c);
                    let known = c as usize >= 0x10000 || self.first[c as usize / 64] >> (c as usize % 64) & 1 == 1;
                    // Han characters are letters, dashes and stops are none: most of a text needs no look at the tables
                    // of Unicode.
                    let sign = matches!(c, '\u{2010}'..='\u{2027}' | '\u{3000}'..='\u{3004}' | '\u{3008}'..='\u{3020}' | '\u{ff00}'..='\u{ff0f}');
                    let letter = !sign && (matches!(c, '\u{4e00}'..='\u{9fff}') || c.is_alphanumeric());
                    if unspaced && !known || !letter {
                        if letter {
                            first.get_or_insert(at);
                        }
                        (in_word, at) = (in_word && c == '’', at + c.len_utf8());
                        continue;
                    }
                    in_word &= !unspaced;
                    c.len_utf8()
                }
            };
            let start = *first.get_or_insert(at) == at;
            if in_word {
                at += length;
                continue;
            }
            let Some((cue, end)) = self.longest(bytes, at, start) else {
                in_word = length < 3 || byte >= 0xea;
                at += length;
                continue;
            };
            let everywhere = cue.languages.contain(*ENGLISH);
            if !everywhere && !cue.languages.meet(*spoken.get_or_insert_with(|| languages_in(text, Languages::ALL))) {
                in_word = cue.word;
                at += length;
                continue;
            }
            let mut signs = cue.anywhere;
            if start {
                signs.add(cue.at_start);
            }
            found.signs.add(signs);
            found.talk |= talk.hear(signs, bytes, at, end, start);
            in_word = cue.word && bytes[end - 1].is_ascii_alphanumeric() && bytes.get(end).is_some_and(|b| is_word(*b));
            at = end;
        }
        found
    }

    /// The longest cue at `at`, with its end.
    fn longest(&self, bytes: &[u8], at: usize, start: bool) -> Option<(Cue, usize)> {
        let (mut node, mut end) = self.first_nodes(bytes, at);
        let mut longest = None;
        while node != NONE {
            let Node { cue, edges, edge_count } = self.nodes[node as usize];
            if cue != NONE {
                let cue = self.table[cue as usize];
                let goes_on = cue.word && !cue.open && bytes.get(end).is_some_and(|b| is_word(*b));
                let cased = !cue.case || written_as_meant(&bytes[at..end], start);
                let named = !cue.named || start || opens_clause(&bytes[..at]) || begins_a_name(&bytes[end..]);
                if !goes_on && cased && named {
                    longest = Some((cue, end));
                }
            }
            let Some(mut next) = bytes.get(end).map(u8::to_ascii_lowercase) else { break };
            let mut length = 1;
            if next == 0xe2 && bytes[end..].starts_with("’".as_bytes()) {
                (next, length) = (b'\'', 3);
            }
            let labels = &self.labels[edges as usize..(edges + edge_count) as usize];
            let Some(edge) = labels.iter().position(|label| *label == next) else { break };
            node = self.targets[edges as usize + edge];
            end += length;
        }
        longest
    }

    /// The node from which a cue at `at` is looked for, and where what leads to it ends.
    fn first_nodes(&self, bytes: &[u8], at: usize) -> (u32, usize) {
        if let [first, second, ..] = bytes[at..]
            && first.is_ascii_alphabetic()
            && second.is_ascii_alphabetic()
        {
            let node = self.pairs[pair(first, second)];
            if node != LOOK_FROM_ROOT {
                return (node, at + 2);
            }
        }
        (self.roots[usize::from(bytes[at].to_ascii_lowercase())], at + 1)
    }
}

/// The number of two letters, in either case.
fn pair(first: u8, second: u8) -> usize {
    usize::from(first & 31) << 5 | usize::from(second & 31)
}

/// The place among 65,536 of the first bytes of a word and what follows it, as far as they are letters and spaces. Other
/// beginnings may share it.
fn beginning(bytes: &[u8]) -> usize {
    let eight = ascii::eight(bytes);
    // Small letters; a space stays a space.
    let seen = (eight | 0x2020_2020_2020_2020) & ascii::leading_letters_or_spaces(eight) & LOOKED_AT_BITS;
    (seen.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize
}

/// Whether the digits at `at..end` measure something beyond doubt, by the signs beside them: spares most sentences the
/// full reading of their quantities.
fn is_plainly_measured(bytes: &[u8], at: usize, end: usize) -> bool {
    const AFTER: &[&str] = &["%", "％", "年", "亿", "万", "元", "倍", "億", "円"];
    const BEFORE: &[&str] = &["$", "€", "£", "¥"];
    let (before, digits, after) = (&bytes[..at], &bytes[at..end], &bytes[end..]);
    let first = |byte: Option<&u8>, ascii: u8| byte.is_some_and(|byte| *byte == ascii || *byte >= 0x80);
    let year = digits.len() == 4
        && (digits.starts_with(b"19") || digits.starts_with(b"20"))
        && [&b" in "[..], b" since ", b"In ", b"Since "].iter().any(|word| before.ends_with(word))
        && after.first().is_none_or(|b| matches!(b, b' ' | b',' | b'.' | b')'))
        && !after.get(1).is_some_and(u8::is_ascii_digit);
    // Most numbers stand between spaces: the signs are looked through only where one can stand.
    year || (first(after.first(), b'%') && AFTER.iter().any(|sign| after.starts_with(sign.as_bytes())))
        || (first(before.last(), b'$') && BEFORE.iter().any(|sign| before.ends_with(sign.as_bytes())))
}

/// Listens for the agent's own talk: an opening at the start of a clause, and an act soon after it.
#[derive(Debug, Default)]
struct Talk {
    /// Where the last opening ended, and whether the agent announced itself.
    opening: Option<(usize, bool)>,
}

impl Talk {
    /// Whether the agent talks with the cue at `at..end`.
    fn hear(&mut self, signs: Signs, bytes: &[u8], at: usize, end: usize, start: bool) -> bool {
        if signs.has(Signs::AGENT | Signs::ANNOUNCE) && (start || opens_clause(&bytes[..at])) {
            self.opening = Some((end, signs.has(Signs::ANNOUNCE)));
        }
        self.opening.is_some_and(|(opened, announced)| {
            end <= opened + REACH && (signs.has(Signs::SEARCH) || (announced && signs.has(Signs::WRITE)))
        })
    }
}

/// Whether a cue whose case matters stands as it is meant: `TODO` in capitals; `may` in small letters, for *May* is a
/// month, but for the start of a sentence.
fn written_as_meant(word: &[u8], start: bool) -> bool {
    if word == b"may" || (start && word == b"May") {
        return true;
    }
    word.iter().all(u8::is_ascii_uppercase)
}

/// Whether a name, a number or a quotation begins behind a cue: with a capital, a sign of quotation, or no ASCII letter.
fn begins_a_name(after: &[u8]) -> bool {
    let after = after.trim_ascii_start();
    after.first().is_some_and(|byte| {
        byte.is_ascii_uppercase()
            || byte.is_ascii_digit()
            || !byte.is_ascii()
            || matches!(byte, b'"' | b'\'' | b'[' | b'*')
    })
}

/// The length of a label such as `[VERIFIED]` or `[INFERRED]`, which is no word of the sentence; 1 for any other bracket.
fn tag_length(source: &[u8]) -> usize {
    const LONGEST: usize = 24;
    let end = source.iter().take(LONGEST).position(|b| *b == b']');
    match end {
        Some(end) if source[1..end].iter().all(|b| b.is_ascii_uppercase() || matches!(b, b' ' | b'-' | b'_')) => {
            end + 1
        }
        _ => 1,
    }
}

/// Words behind which a clause starts, with the space before them.
static STARTS: LazyLock<Vec<&'static str>> = LazyLock::new(|| table::words(CLAUSES, "starts").collect());
/// The same in scripts without spaces.
static UNSPACED_STARTS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| table::words(CLAUSES, "unspaced-starts").collect());
const CLAUSES: &str = include_str!("data/clauses.tsv");

/// Whether a clause starts after `before`: at a comma, colon or stop, or a word such as *now*.
fn opens_clause(before: &[u8]) -> bool {
    const SIGNS: &[&str] = &[",", ":", ".", ";", "!", "?", "，", "。", "：", "；", "！", "、"];
    let before = before.trim_ascii_end();
    let word = |word: &&str| {
        // The first word of the sentence has no space before it.
        let tail = &before[before.len().saturating_sub(word.len())..];
        tail.eq_ignore_ascii_case(word.as_bytes()) || tail.eq_ignore_ascii_case(word.trim_start().as_bytes())
    };
    SIGNS.iter().chain(UNSPACED_STARTS.iter()).any(|end| before.ends_with(end.as_bytes())) || STARTS.iter().any(word)
}

fn is_word(byte: u8) -> bool {
    // A first byte of a letter of Latin, Greek, Cyrillic or Hebrew script; CJK ends a word.
    byte.is_ascii_alphanumeric() || (0xc3..=0xdf).contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::{CUES, Signs};

    #[track_caller]
    fn check(text: &str, sign: Signs, expected: bool) {
        assert_eq!(CUES.find(text).signs.has(sign), expected, "{text:?}");
    }

    #[test]
    fn who_is_meant_tells_a_source_from_a_measure() {
        for (text, expected) in [
            ("According to analysts, it rose", true),
            ("It rose, according to analysts", true),
            ("It rose according to Pew", true),
            ("It rose according to the ministry", true),
            ("It rose according to official figures", true),
            ("Fault is assigned according to demonstrable compliance", false),
            ("Files are sorted according to size", false),
            ("It goes according to plan", false),
        ] {
            check(text, Signs::ATTRIBUTION, expected);
        }
    }

    #[test]
    fn cues_are_whole_words() {
        check("It may rise", Signs::HEDGE, true);
        check("It rose in May", Signs::HEDGE, false);
        check("May it rise", Signs::HEDGE, true);
        check("Mayors rise", Signs::HEDGE, false);
        check("dismay rose", Signs::HEDGE, false);
        check("It outperforms all", Signs::COMPARISON, true);
        check("the mosts", Signs::COMPARISON, false);
        check("Das könnte sein", Signs::HEDGE, true);
        check("Возможно, это так", Signs::HEDGE, true);
        check("невозможно", Signs::HEDGE, false);
        check("可能增长", Signs::HEDGE, true);
        check("不可能增长", Signs::HEDGE, false);
        check("Let’s", Signs::AGENT, true);
    }

    #[test]
    fn case_and_place_count_where_they_are_meant() {
        check("TODO: this", Signs::TODO, true);
        check("Todo el mundo", Signs::TODO, false);
        check("“However, it fell", Signs::LEANS, true);
        check("It fell, however", Signs::LEANS, true);
        check("Sales fell, however", Signs::LEANS, false);
        check("It was not verified", Signs::CERTAINTY, false);
        check("It was verified [VERIFIED]", Signs::CERTAINTY, true);
        check("It is so [VERIFIED]", Signs::CERTAINTY, false);
    }

    #[test]
    fn any_bytes_are_read() {
        for text in ["", " ", "é", "İstanbul", "𝒳 may", "—", "’", "[", "[AB", "\u{fffd}", "한국어", "𠀀可能"]
        {
            CUES.find(text);
        }
        check("𠀀可能", Signs::HEDGE, true);
    }
}
