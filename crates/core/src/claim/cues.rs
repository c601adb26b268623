//! The cue tables in `data`, read once, and a pass over a sentence that looks where words start for the cues that begin there.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, Match};

use super::joints::WORDS;
use crate::pattern::Pattern;
use cited_text::language::languages_in;
use cited_text::lexicon::Languages;
use cited_text::lexicon::table::{self, Row};
use cited_text::script::is_cjk;

/// What a sentence can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub(super) enum Sign {
    Attribution,
    Comparison,
    Certainty,
    Hedge,
    Opinion,
    /// Sends the reader elsewhere: *See …*
    Pointer,
    Instruction,
    Transition,
    Todo,
    /// A word that a quantity may be written with.
    Number,
    /// Leans on the sentence before.
    Leans,
    /// The agent speaks.
    Agent,
    /// The agent announces what it will do.
    Announce,
    /// What an agent does to find things out.
    Search,
    /// What an agent does with what it found.
    Write,
    /// The agent talks about its own work: no cue by itself.
    #[strum(disabled)]
    Talk,
    /// The document speaks of itself.
    #[strum(serialize = "self")]
    Itself,
}

impl Sign {
    fn bit(self) -> u32 {
        1 << self as u32
    }

    /// Whether it is one of those that a sentence shows, as bits.
    pub fn is_in(self, signs: u32) -> bool {
        signs & self.bit() != 0
    }
}

/// What one cue stands for.
#[derive(Debug, Clone, Copy, Default)]
struct Cue {
    /// The signs, as bits, that it shows anywhere.
    anywhere: u32,
    /// Those that it shows only at the start of the sentence.
    at_start: u32,
    /// Whether the word may go on after it.
    open: bool,
    /// Whether it counts only as written: in capitals, or in small letters but for the start of the sentence.
    case: bool,
    /// Whether it counts only where a clause starts.
    opens: bool,
    /// The languages that it is a cue in.
    languages: Languages,
}

/// Adds the cue that a form of a row writes to a table.
fn insert(table: &mut BTreeMap<Vec<u8>, Cue>, line: &'static str, row: Row) {
    let sign = row.class.parse::<Sign>().map_or(0, Sign::bit);
    let words = line.trim_start_matches(['!', '^', '=', '@', ' ']);
    let is_marked = |mark: char| line[..line.len() - words.len()].contains(mark);
    let form = words.trim_end_matches('*');
    let spaced = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_cjk(c));
    let (begins_a_word, ends_a_word) = (spaced(form.chars().next()), spaced(form.chars().next_back()));
    let mut spellings = vec![form.to_ascii_lowercase()];
    // Text is read in lower case where it is ASCII; other capitals are cues of their own.
    if let Some(first) = form.chars().next().filter(|c| !c.is_ascii() && c.is_lowercase()) {
        spellings.push(first.to_uppercase().chain(form.chars().skip(1)).collect());
    }
    let curled: Vec<String> = spellings.iter().map(|spelling| spelling.replace('\'', "’")).collect();
    for spelling in spellings.into_iter().chain(curled).collect::<BTreeSet<_>>() {
        let cue =
            table.entry(spelling.into_bytes()).or_insert_with(|| Cue { languages: Languages::NONE, ..Cue::default() });
        cue.languages = cue.languages.and(row.languages);
        cue.open |= words.len() > form.len() || !begins_a_word || !ends_a_word;
        cue.case |= is_marked('=');
        cue.opens |= is_marked('@');
        // What leans on the sentence before it does so with its first words.
        let shown = if is_marked('^') || sign == Sign::Leans.bit() { &mut cue.at_start } else { &mut cue.anywhere };
        *shown |= if is_marked('!') { 0 } else { sign };
    }
}

/// The cues of all languages, and where they stand in a text.
pub(super) struct Cues {
    forms: AhoCorasick,
    cues: Vec<Cue>,
}

/// The cues, compiled at the first use.
pub(super) static CUES: LazyLock<Cues> = LazyLock::new(Cues::read);

/// How far behind an opening of the agent its act may stand, in bytes.
const REACH: usize = 90;

impl Cues {
    fn read() -> Cues {
        let mut cue_of: BTreeMap<Vec<u8>, Cue> = BTreeMap::new();
        let tables = [include_str!("data/cues.tsv"), include_str!("data/talk.tsv"), include_str!("data/openers.tsv")];
        for row in tables.into_iter().flat_map(table::rows) {
            row.forms().for_each(|form| insert(&mut cue_of, form, row));
        }
        let (forms, cues): (Vec<_>, Vec<_>) = cue_of.into_iter().unzip();
        let forms = AhoCorasick::builder().ascii_case_insensitive(true).build(forms).expect("the tables are small");
        Cues { forms, cues }
    }

    /// The signs, as bits, that a sentence of a document in these languages shows.
    pub(super) fn find(&self, text: &str, beside: Languages) -> u32 {
        // A label such as `[VERIFIED]` is no word of the sentence.
        static TAGS: Pattern = Pattern::new(r"\[[A-Z _-]{0,22}\]");
        let tags: Vec<_> = TAGS.find_iter(text).map(|tag| tag.range()).collect();
        let is_tagged = |at: usize| tags.iter().any(|tag| tag.contains(&at));
        let first = text.char_indices().find(|(at, c)| c.is_alphanumeric() && !is_tagged(*at)).map(|(at, _)| at);
        let bytes = text.as_bytes();
        let stands = |found: &Match| {
            let (cue, start) = (self.cues[found.pattern().as_usize()], Some(found.start()) == first);
            // `TODO` in capitals; `may` in small letters, for *May* is a month, but for the start of a sentence.
            let word = &bytes[found.range()];
            let as_meant = word == b"may" || start && word == b"May" || word.iter().all(u8::is_ascii_uppercase);
            // A first byte of a letter of Latin, Greek, Cyrillic or Hebrew script; CJK ends a word.
            let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || (0xc3..=0xdf).contains(byte);
            let goes_on = !cue.open && bytes.get(found.end()).is_some_and(is_word);
            !is_tagged(found.start())
                && begins_word(text, found.start())
                && !goes_on
                && (!cue.case || as_meant)
                && (!cue.opens || start || opens_clause(&bytes[..found.start()]))
        };
        // Of those that begin at one place the longest is meant.
        let mut standing: Vec<Match> = self.forms.find_overlapping_iter(text).filter(stands).collect();
        standing.sort_by_key(|found| (found.start(), Reverse(found.end())));
        standing.dedup_by_key(|found| found.start());
        // English cues act in any text: most documents are English, and its cues are hardly words of other languages.
        let (mut found, english) = (0, Languages::of_column("en"));
        // Asked for where a cue of another language than English stands: *laut* is a source in German and a noise in French, *il* a pronoun in
        // French and an article in Italian.
        let mut spoken: Option<Languages> = None;
        // Where the last cue ended, and the last opening of the agent's own talk, with whether it announced itself: an act follows soon.
        let (mut end, mut opening) = (0, None);
        for (cue, range) in standing.iter().map(|found| (self.cues[found.pattern().as_usize()], found.range())) {
            let is_known = cue.languages.contain(english)
                || cue.languages.meet(*spoken.get_or_insert_with(|| languages_in(text, beside)));
            if range.start < end || !is_known {
                continue;
            }
            end = range.end;
            let start = Some(range.start) == first;
            let signs = cue.anywhere | if start { cue.at_start } else { 0 };
            found |= signs;
            let announces = Sign::Announce.is_in(signs);
            if (announces || Sign::Agent.is_in(signs)) && (start || opens_clause(&bytes[..range.start])) {
                opening = Some((end, announces));
            }
            let is_act = |announced: bool| Sign::Search.is_in(signs) || announced && Sign::Write.is_in(signs);
            if opening.is_some_and(|(opened, announced)| end <= opened + REACH && is_act(announced)) {
                found |= Sign::Talk.bit();
            }
        }
        found
    }
}

/// Whether a word begins at a place; an apostrophe is part of its word.
fn begins_word(text: &str, at: usize) -> bool {
    let mut before = text[..at].chars().rev().skip_while(|c| matches!(c, '\'' | '’'));
    text[at..].starts_with(is_cjk) || before.next().is_none_or(|c| !c.is_alphanumeric() || is_cjk(c))
}

/// Whether a clause starts after `before`: at a comma, colon or stop, or a word such as *now*.
fn opens_clause(before: &[u8]) -> bool {
    const SIGNS: &[&str] = &[",", ":", ".", ";", "!", "?", "，", "。", "：", "；", "！", "、"];
    let before = before.trim_ascii_end();
    let last = before.rsplit(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default();
    SIGNS.iter().chain(WORDS.of("unspaced-starts")).any(|end| before.ends_with(end.as_bytes()))
        || WORDS.of("starts").iter().any(|word| last.eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{CUES, Languages, Sign};

    #[track_caller]
    fn check(text: &str, sign: Sign, expected: bool) {
        assert_eq!(sign.is_in(CUES.find(text, Languages::ALL)), expected, "{text:?}");
    }

    #[test]
    fn where_it_stands_and_who_is_meant_tell_a_source_from_a_measure() {
        for (text, expected) in [
            ("According to analysts, it rose", true),
            ("It rose, according to analysts", true),
            ("It rose according to the ministry", true),
            ("It rose according to official figures", true),
            ("Fault is assigned according to demonstrable compliance", false),
            ("Files are sorted according to size", false),
            ("It goes according to plan", false),
        ] {
            check(text, Sign::Attribution, expected);
        }
    }

    #[test]
    fn cues_are_whole_words() {
        check("It may rise", Sign::Hedge, true);
        check("It rose in May", Sign::Hedge, false);
        check("May it rise", Sign::Hedge, true);
        check("Mayors rise", Sign::Hedge, false);
        check("dismay rose", Sign::Hedge, false);
        check("It outperforms all", Sign::Comparison, true);
        check("the mosts", Sign::Comparison, false);
        check("Das könnte sein", Sign::Hedge, true);
        check("Возможно, это так", Sign::Hedge, true);
        check("невозможно", Sign::Hedge, false);
        check("可能增长", Sign::Hedge, true);
        check("不可能增长", Sign::Hedge, false);
        check("Let’s", Sign::Agent, true);
    }

    #[test]
    fn case_and_place_count_where_they_are_meant() {
        check("TODO: this", Sign::Todo, true);
        check("Todo el mundo", Sign::Todo, false);
        check("“However, it fell", Sign::Leans, true);
        check("It fell, however", Sign::Leans, true);
        check("Sales fell, however", Sign::Leans, false);
        check("It was not verified", Sign::Certainty, false);
        check("It was verified [VERIFIED]", Sign::Certainty, true);
        check("It is so [VERIFIED]", Sign::Certainty, false);
    }

    #[test]
    fn any_bytes_are_read() {
        for text in ["", " ", "é", "İstanbul", "𝒳 may", "—", "’", "[", "[AB", "\u{fffd}", "한국어", "𠀀可能"]
        {
            CUES.find(text, Languages::ALL);
        }
        check("𠀀可能", Sign::Hedge, true);
    }
}
