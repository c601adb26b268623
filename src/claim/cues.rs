//! The cue tables in `data`, compiled once into one automaton that reads a sentence in one pass.

use std::collections::HashMap;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, Input, MatchKind};

use crate::text::script::is_cjk;

/// Signs that a sentence can show, as bits of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Signs(u16);

impl Signs {
    pub const ATTRIBUTION: Signs = Signs(1);
    pub const COMPARISON: Signs = Signs(1 << 1);
    pub const CERTAINTY: Signs = Signs(1 << 2);
    pub const HEDGE: Signs = Signs(1 << 3);
    pub const OPINION: Signs = Signs(1 << 4);
    /// Sends the reader elsewhere: *See …*
    pub const POINTER: Signs = Signs(1 << 5);
    pub const INSTRUCTION: Signs = Signs(1 << 6);
    pub const TRANSITION: Signs = Signs(1 << 7);
    pub const TODO: Signs = Signs(1 << 8);
    /// A word that a quantity may be written with.
    pub const NUMBER: Signs = Signs(1 << 9);
    /// Leans on the sentence before.
    pub const LEANS: Signs = Signs(1 << 10);
    /// The agent speaks.
    pub const AGENT: Signs = Signs(1 << 11);
    /// The agent announces what it will do.
    pub const ANNOUNCE: Signs = Signs(1 << 12);
    /// What an agent does to find things out.
    pub const SEARCH: Signs = Signs(1 << 13);
    /// What an agent does with what it found.
    pub const WRITE: Signs = Signs(1 << 14);

    fn named(name: &str) -> Option<Signs> {
        Some(match name {
            "attribution" => Signs::ATTRIBUTION,
            "comparison" => Signs::COMPARISON,
            "certainty" => Signs::CERTAINTY,
            "hedge" => Signs::HEDGE,
            "opinion" => Signs::OPINION,
            "pointer" => Signs::POINTER,
            "instruction" => Signs::INSTRUCTION,
            "transition" => Signs::TRANSITION,
            "todo" => Signs::TODO,
            "number" => Signs::NUMBER,
            "leans" => Signs::LEANS,
            "agent" => Signs::AGENT,
            "announce" => Signs::ANNOUNCE,
            "search" => Signs::SEARCH,
            "write" => Signs::WRITE,
            _ => return None,
        })
    }

    /// Whether any of `other` is in it.
    pub fn has(self, other: Signs) -> bool {
        self.0 & other.0 != 0
    }

    fn add(&mut self, other: Signs) {
        self.0 |= other.0;
    }
}

impl std::ops::BitOr for Signs {
    type Output = Signs;

    fn bitor(self, other: Signs) -> Signs {
        Signs(self.0 | other.0)
    }
}

/// What one pattern stands for.
#[derive(Debug, Clone, Copy, Default)]
struct Cue {
    /// Shown anywhere.
    anywhere: Signs,
    /// Shown only at the start of the sentence.
    at_start: Signs,
    /// Whether the word may go on after it.
    open: bool,
    /// Whether it stands alone as a word: of a script with spaces.
    word: bool,
}

/// The cues of all languages.
pub(super) struct Cues {
    automaton: AhoCorasick,
    cues: Vec<Cue>,
}

/// The cues, compiled at the first use.
pub(super) static CUES: LazyLock<Cues> = LazyLock::new(Cues::read);

/// How far behind an opening of the agent its act may stand, in bytes.
const REACH: usize = 90;

/// What a pass over a sentence found.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Found {
    pub signs: Signs,
    /// Whether the agent talks about its own work.
    pub talk: bool,
}

/// Words that mean something else in capitals: kept as written, so that they match only cues that are written so. The
/// first one is a verb at the start of a sentence.
const CAPITALS: &[&str] = &["May", "TODO", "TBD", "FIXME"];

/// A sentence prepared for the automaton: lower case, a space before it, signs as spaces. Used again and again.
#[derive(Debug, Default)]
pub(super) struct Prepared {
    bytes: Vec<u8>,
    /// Whether it has a digit, or a numeral of a script that has its own.
    pub digits: bool,
    /// Whether it has a quotation mark.
    pub quotes: bool,
}

impl Prepared {
    pub(super) fn read(&mut self, text: &str) {
        let source = text.as_bytes();
        self.bytes.clear();
        self.bytes.push(b' ');
        (self.digits, self.quotes) = (false, false);
        let mut at = 0;
        while let Some(&byte) = source.get(at) {
            let mut length = 1;
            match byte {
                b'A'..=b'Z' => match CAPITALS.iter().find(|word| source[at..].starts_with(word.as_bytes())) {
                    Some(word) if at > 0 || *word != CAPITALS[0] => {
                        length = word.len();
                        self.bytes.extend_from_slice(word.as_bytes());
                    }
                    _ => self.bytes.push(byte | 0x20),
                },
                b'0'..=b'9' => {
                    self.digits = true;
                    self.bytes.push(byte);
                }
                b'a'..=b'z' | b' ' | b'\'' | b',' | b'.' | b':' | b';' | b'!' | b'?' | b'%' | b'-' => {
                    self.bytes.push(byte)
                }
                b'"' => {
                    self.quotes = true;
                    self.bytes.push(b' ');
                }
                b'[' => {
                    length = tag_length(&source[at..]);
                    self.bytes.push(b' ');
                }
                0x00..0x80 => self.bytes.push(b' '),
                // “ ” „ ‘ ’ and their kin.
                0xe2 if source.get(at + 1) == Some(&0x80) => {
                    length = 3;
                    match source.get(at + 2) {
                        Some(0x99) => self.bytes.push(b'\''),
                        Some(0x9c..=0x9e) => {
                            self.quotes = true;
                            self.bytes.push(b' ');
                        }
                        _ => self.bytes.push(b' '),
                    };
                }
                _ => {
                    self.quotes |= byte == 0xc2 && matches!(source.get(at + 1), Some(0xab | 0xbb));
                    // 「 」 『 』; full-width digits.
                    self.quotes |= byte == 0xe3
                        && source.get(at + 1) == Some(&0x80)
                        && matches!(source.get(at + 2), Some(0x8c..=0x8f));
                    self.digits |= byte == 0xef
                        && source.get(at + 1) == Some(&0xbc)
                        && matches!(source.get(at + 2), Some(0x90..=0x99));
                    self.bytes.push(byte);
                }
            }
            at += length;
        }
    }
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

impl Cues {
    fn read() -> Cues {
        let mut table: HashMap<String, Cue> = HashMap::new();
        let tables = [
            (include_str!("data/cues.txt"), false),
            (include_str!("data/talk.txt"), false),
            (include_str!("data/openers.txt"), true),
        ];
        for (text, all_at_start) in tables {
            let mut sign = Signs::default();
            for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
                if let Some(head) = line.strip_prefix('[') {
                    sign = head.split(' ').next().and_then(Signs::named).unwrap_or_default();
                    continue;
                }
                insert(&mut table, line, sign, all_at_start);
            }
        }
        let (patterns, cues): (Vec<String>, Vec<Cue>) = table.into_iter().unzip();
        #[expect(clippy::expect_used, reason = "the tables are part of the program; a test reads them")]
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(patterns)
            .expect("the tables are far below the automaton's limits");
        Cues { automaton, cues }
    }

    /// Reads a sentence.
    pub(super) fn find(&self, prepared: &Prepared) -> Found {
        let bytes = prepared.bytes.as_slice();
        let first = bytes.iter().position(|b| *b != b' ').unwrap_or(bytes.len());
        let mut found = Found::default();
        // Where the last opening of the agent ended, and whether it announced itself.
        let mut agent: Option<(usize, bool)> = None;
        let mut at = 0;
        while let Some(hit) = self.automaton.find(Input::new(bytes).range(at..)) {
            let cue = self.cues[hit.pattern().as_usize()];
            if cue.word && !cue.open && bytes.get(hit.end()).is_some_and(|b| is_word(*b)) {
                // A longer word than the cue: what starts inside it is still looked for.
                at = hit.start() + 1;
                continue;
            }
            at = hit.end();
            let start = hit.start() + usize::from(cue.word);
            let mut signs = cue.anywhere;
            if start <= first {
                signs.add(cue.at_start);
            }
            found.signs.add(signs);
            if signs.has(Signs::AGENT | Signs::ANNOUNCE) && (start <= first || opens_clause(&bytes[..hit.start()])) {
                agent = Some((hit.end(), signs.has(Signs::ANNOUNCE)));
            }
            if let Some((end, announced)) = agent
                && hit.end() <= end + REACH
                && (signs.has(Signs::SEARCH) || (announced && signs.has(Signs::WRITE)))
            {
                found.talk = true;
            }
        }
        found
    }
}

fn insert(table: &mut HashMap<String, Cue>, line: &str, sign: Signs, all_at_start: bool) {
    let (line, exception) = match line.strip_prefix('!') {
        Some(rest) => (rest.trim_start(), true),
        None => (line, false),
    };
    let (line, at_start) = match line.strip_prefix('^') {
        Some(rest) => (rest, true),
        None => (line, all_at_start),
    };
    let (line, open) = match line.strip_suffix('*') {
        Some(rest) => (rest, true),
        None => (line, false),
    };
    let spaced = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_cjk(c));
    let word = spaced(line.chars().next());
    let ends_in_word = spaced(line.chars().next_back());
    let mut spellings = vec![line.to_owned()];
    // The automaton reads ASCII in lower case; other capitals are patterns of their own.
    if let Some(first) = line.chars().next().filter(|c| !c.is_ascii() && c.is_lowercase()) {
        spellings.push(first.to_uppercase().chain(line.chars().skip(1)).collect());
    }
    for spelling in spellings {
        let key = if word { format!(" {spelling}") } else { spelling };
        let cue = table.entry(key).or_default();
        cue.word = word;
        cue.open |= open || !ends_in_word;
        if exception {
            continue;
        }
        if at_start {
            cue.at_start.add(sign);
        } else {
            cue.anywhere.add(sign);
        }
    }
}

/// Whether a clause starts after `before`: at a comma, colon or stop, or a word such as *now*.
fn opens_clause(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    [&b","[..], b":", b".", b";", b"!", b"?", b" now", b" then", b" so", b" and", b" next", b" first", b" finally"]
        .iter()
        .any(|end| before.ends_with(end))
        || ["，", "。", "：", "；", "！", "、", "现在", "最后", "首先", "接下来", "因此", "但", "然后"]
            .iter()
            .any(|end| before.ends_with(end.as_bytes()))
}

fn is_word(byte: u8) -> bool {
    // A byte of a multi-byte character: a letter of the same word in scripts with spaces, or CJK, which ends a word.
    byte.is_ascii_alphanumeric() || (0xc3..=0xdf).contains(&byte)
}
