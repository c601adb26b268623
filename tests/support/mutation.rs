//! Drafts that people and agents wrote, damaged at random: parts go, come twice, change places, are cut off or set into each other,
//! and marks of Markdown are strewn in. The same seed makes the same draft.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use cited::citation::{self, KnownLabels};
use cited::claim;
use cited::decide::policy::Treatment;
use cited::fetch::{Fetcher, Fetching, Outcome, Page, Request};
use cited::markdown::Document;
use cited::pipeline::{Options, Style};
use cited::source::key_of;

use crate::promises::{REFUSED, Web, answer, hold, options};

/// What is strewn in.
const MARKS: &[&str] = &[
    "*",
    "**",
    "_",
    "`",
    "```\n",
    "~~~\n",
    "[",
    "]",
    "(",
    ")",
    "![",
    "](",
    "[1]",
    "[2, 3]",
    "[^1]",
    "[^1]: ",
    "> ",
    "- ",
    "1. ",
    "\n",
    "\n\n",
    "    ",
    "\t",
    "#",
    "## ",
    "---\n",
    "===\n",
    "| ",
    "|---|---|\n",
    "<b>",
    "<!--",
    "-->",
    "<div>\n",
    "</div>",
    "<sup>",
    "</sup>",
    "\\",
    "&amp;",
    "$",
    "$$\n",
    "“",
    "”",
    "\"",
    "https://s1.example/a",
    "<https://s2.example/b>",
    "www.",
    "://",
    "¹",
    "²³",
    "【1†source】",
    "(Smith, 2020)",
    "[@smith2020]",
    "\n## Sources\n\n",
    "\n## References\n",
    "\n**Sources:** ",
    "\nSource: ",
    "\n- [ ] ",
    ": ",
    ". ",
    "e\u{301}",
    "\u{feff}",
    "\u{200d}",
    "\u{a0}",
    "。",
    "、",
    "2020",
    "4.5%",
    "<br>",
    "  \n",
    "\r",
    "\r\n",
    "\u{2028}",
    "~~",
    "==",
    "{#a}",
    "+++\n",
    "[a]: b\n",
    "[[1]](https://s3.example/c)",
    "(Source: A)",
    "not ",
    ";",
    "—",
];

/// What lines are set into.
const NESTS: &[&str] = &["> ", "- ", "1. ", "    ", "  ", "> > ", "# ", "| ", "[^9]: ", "* * "];

/// A source of numbers: `SplitMix64` (Steele, Lea and Flood 2014).
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Chance(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 when there is none.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % (end.max(1) as u64)) as usize
    }

    fn one_of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }

    /// A place between two characters of `text`.
    fn pick_offset(&mut self, text: &str) -> usize {
        let at = self.below(text.len() + 1);
        (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
    }

    /// Some lines of a text of so many: from, to.
    fn lines(&mut self, count: usize) -> (usize, usize) {
        let from = self.below(count);
        let most = [1, 1, 2, 4, 12, 40][self.below(6)];
        (from, (from + 1 + self.below(most)).min(count))
    }
}

/// `text`, damaged in one to four ways. `other` is what it may be joined with.
pub fn mutated(text: &str, other: &str, chance: &mut Chance) -> String {
    let mut text = text.to_owned();
    for _ in 0..=chance.below(4) {
        text = damaged(&text, other, chance);
    }
    text
}

fn damaged(text: &str, other: &str, chance: &mut Chance) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.is_empty() {
        return other.to_owned();
    }
    let (from, to) = chance.lines(lines.len());
    let part = lines[from..to].concat();
    let (before, after) = (lines[..from].concat(), lines[to..].concat());
    match chance.below(16) {
        // Lines go, come twice, here or elsewhere, or change places.
        0 => before + &after,
        1 => before + &part + &part + &after,
        2 => {
            let at = chance.below(lines.len());
            lines[..at].concat() + &part + &lines[at..].concat()
        }
        3 => {
            let other = chance.below(lines.len());
            let mut lines = lines;
            lines.swap(from, other);
            lines.concat()
        }
        // The end or the start is missing.
        4 => text[..chance.pick_offset(text)].to_owned(),
        5 => text[chance.pick_offset(text)..].to_owned(),
        // Marks, one or many.
        6 | 7 => strewn(text, 1, chance),
        8 => strewn(text, 12, chance),
        // Some characters go, or change places with others.
        9 => {
            let (a, b) = (chance.pick_offset(text), chance.pick_offset(text));
            let most = a + 1 + chance.below(60);
            let b = (a..=b.min(most).min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(a).max(a);
            [&text[..a], &text[b..]].concat()
        }
        10 => {
            let mut at = [chance.pick_offset(text), chance.pick_offset(text), chance.pick_offset(text)];
            at.sort_unstable();
            [&text[..at[0]], &text[at[1]..at[2]], &text[at[0]..at[1]], &text[at[2]..]].concat()
        }
        // Two reports in one.
        11 => text[..chance.pick_offset(text)].to_owned() + &other[chance.pick_offset(other)..],
        12 => text.to_owned() + "\n\n" + other,
        // Other line ends.
        13 => match chance.below(3) {
            0 => text.replace('\n', "\r\n"),
            1 => text.replace('\n', "\r"),
            _ => lines.iter().enumerate().fold(String::new(), |text, (i, line)| match i % 3 {
                0 => text + &line.replace('\n', "\r\n"),
                _ => text + line,
            }),
        },
        // Set into a quote, a list, code.
        14 => {
            let nest = chance.one_of(NESTS);
            let nested = lines[from..to].iter().fold(String::new(), |nested, line| nested + nest + line);
            before + &nested + &after
        }
        // An empty line less, or everywhere one more.
        _ => match chance.below(3) {
            0 => text.replace("\n\n", "\n"),
            1 => text.replace('\n', "\n\n"),
            _ => before + part.trim_end() + &after,
        },
    }
}

fn strewn(text: &str, count: usize, chance: &mut Chance) -> String {
    let mut text = text.to_owned();
    for _ in 0..count {
        let mark = chance.one_of(MARKS);
        let mut at = chance.pick_offset(&text);
        if chance.below(2) == 0 {
            at = text[..at].rfind('\n').map_or(0, |at| at + 1);
        }
        text.insert_str(at, mark);
    }
    text
}

/// Sources by the hash of their address: some dead, some out of reach, most with a page that says most of the draft's sentences.
#[derive(Debug)]
pub struct DraftWeb {
    claims: Vec<String>,
}

impl DraftWeb {
    pub fn read(text: &str) -> Self {
        let document = Document::read(text);
        let citations = citation::read(&document, &KnownLabels::default());
        DraftWeb { claims: claim::split(&document, &citations).into_iter().map(|claim| claim.text).collect() }
    }
}

/// FNV-1a of what an address names, however it is spelled.
fn hash(address: &str) -> u64 {
    key_of(address)
        .0
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

impl Web for DraftWeb {
    fn outcome_of(&self, address: &str) -> Outcome {
        match hash(address) % 12 {
            0..=2 => Outcome::Dead,
            3 => Outcome::Blocked,
            4 => Outcome::Unreachable,
            5 => Outcome::Archived,
            6 => Outcome::Moved,
            _ => Outcome::Live,
        }
    }

    fn page_of(&self, address: &str) -> Option<(String, bool)> {
        let own = hash(address) >> 8;
        let says = |i: usize| !(own ^ (i as u64).wrapping_mul(0x9e37_79b9)).is_multiple_of(5);
        let said = self.claims.iter().enumerate().filter(|(i, _)| says(*i)).map(|(_, claim)| claim.as_str());
        Some((said.collect::<Vec<_>>().join("\n\n"), !own.is_multiple_of(7)))
    }
}

impl Fetcher for DraftWeb {
    fn fetch<'a>(&'a self, request: &'a Request<'a>) -> Fetching<'a> {
        let mut fetched = answer(request, |address| self.outcome_of(address));
        if fetched.outcome.is_readable() {
            let page = |(text, complete)| Page { complete, ..Page::of_text(text, "text/plain") };
            fetched.page = self.page_of(&fetched.address).map(page);
        }
        Box::pin(async move { fetched })
    }
}

/// What a user may ask for, by chance.
pub fn asked_for(chance: &mut Chance) -> Options {
    let mut options = options();
    options.support = chance.below(2) == 0;
    options.notes = chance.below(2) == 0;
    options.clauses = chance.below(4) == 0;
    options.style = if chance.below(3) == 0 { Style::Keep } else { Style::Numeric };
    if chance.below(4) == 0 {
        options.policy.on_dead = [Treatment::Mark, Treatment::Todo, Treatment::Keep][chance.below(3)];
        options.policy.uncited = Some(options.policy.on_dead);
    }
    options
}

/// What was wrong with a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The program stopped.
    Panic,
    /// No brief was given: none passed its check.
    Refused,
    /// A brief was given, and a promise is broken.
    Broken,
}

/// Runs a draft, and says what was wrong, in words.
pub fn run(text: &str, options: &Options) -> Result<(), (Fault, String)> {
    match catch_unwind(AssertUnwindSafe(|| hold(text, &[], &DraftWeb::read(text), options))) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(message)) if message.starts_with(REFUSED) => Err((Fault::Refused, message)),
        Ok(Err(message)) => Err((Fault::Broken, message)),
        Err(panic) => {
            let words = panic.downcast_ref::<String>().cloned();
            let words = words.or_else(|| panic.downcast_ref::<&str>().map(|words| (*words).to_owned()));
            Err((Fault::Panic, words.unwrap_or_default()))
        }
    }
}

/// A complaint without what differs from draft to draft.
#[allow(dead_code, reason = "`cargo xtask mutate` counts")]
pub fn class(message: &str) -> String {
    let first = message.split("\n--- draft").next().unwrap_or_default();
    let first = first.split(": “").next().unwrap_or_default();
    let mut class = String::new();
    let mut quoted = false;
    for c in first.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                class.push('"');
            }
            _ if quoted => {}
            '0'..='9' if class.ends_with('N') => {}
            '0'..='9' => class.push('N'),
            c => class.push(c),
        }
    }
    class.chars().take(110).collect()
}

/// How often each complaint was heard, with the seeds of the first.
#[allow(dead_code, reason = "`cargo xtask mutate` counts")]
pub type Classes = BTreeMap<(Fault, String), Vec<u64>>;
