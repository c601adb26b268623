//! The cue tables in `data`, read once, and a pass over a sentence that looks where words start for the cues that begin there.

mod cue;

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use self::cue::{Cue, insert};
pub(in crate::claim) use self::cue::{Sign, Signs};
use cited_text::language::languages_in;
use cited_text::lexicon::{Languages, table};
use cited_text::marks::is_mark;
use cited_text::script::is_cjk;

/// The cues of all languages, by their first two bytes; of those that begin alike the longest first.
pub(super) struct Cues(HashMap<[u8; 2], Vec<(Vec<u8>, Cue)>>);

/// English cues act in any text: most documents are English, and its cues are hardly words of other languages.
static ENGLISH: LazyLock<Languages> = LazyLock::new(|| Languages::of_column("en"));

/// The cues, compiled at the first use.
pub(super) static CUES: LazyLock<Cues> = LazyLock::new(Cues::read);

/// How far behind an opening of the agent its act may stand, in bytes.
const REACH: usize = 90;

/// What a pass over a sentence found.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FoundCues {
    pub signs: Signs,
    /// Whether the agent talks about its own work.
    pub talk: bool,
    /// Where its first digit stands, if it has one.
    pub digits: Option<usize>,
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
                let sign = row.class.parse::<Sign>().map_or_else(|_| Signs::default(), Signs::from);
                for form in row.forms() {
                    insert(&mut cue_of, form, (sign, row.languages), all_at_start);
                }
            }
        }
        let mut cues: HashMap<[u8; 2], Vec<(Vec<u8>, Cue)>> = HashMap::new();
        // Behind each other stand forms in order of their bytes: what another one begins with comes before it.
        for (form, cue) in cue_of.into_iter().rev() {
            if let Some(first) = form.first_chunk() {
                cues.entry(*first).or_default().push((form, cue));
            }
        }
        Cues(cues)
    }

    /// The longest cue that stands at `at`, and where it ends.
    fn longest(&self, bytes: &[u8], at: usize, start: bool) -> Option<(Cue, usize)> {
        let text = &bytes[at..];
        let first = text.first_chunk().map(|first: &[u8; 2]| first.map(|byte| byte.to_ascii_lowercase()));
        let stands = |(form, cue): &&(Vec<u8>, Cue)| {
            let Some((word, after)) = text.split_at_checked(form.len()) else { return false };
            let goes_on = cue.word && !cue.open && after.first().is_some_and(|b| is_word(*b));
            let cased = !cue.case || written_as_meant(word, start);
            let opens = || !cue.opens || start || opens_clause(&bytes[..at]);
            word.eq_ignore_ascii_case(form) && !goes_on && cased && opens()
        };
        self.0.get(&first?)?.iter().find(stands).map(|(form, cue)| (*cue, at + form.len()))
    }

    /// Reads a sentence of a document in these languages.
    pub(super) fn find(&self, text: &str, beside: Languages) -> FoundCues {
        let bytes = text.as_bytes();
        let mut found = FoundCues::default();
        let mut talk = Talk::default();
        // Asked for where a cue of another language than English stands: *laut* is a source in German and a noise in French, *il* a pronoun in
        // French and an article in Italian.
        let mut spoken: Option<Languages> = None;
        // The start of the first word, and whether the sign before is part of a word.
        let (mut first, mut in_word) = (None, false);
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            if c == '[' {
                (in_word, at) = (false, at + tag_length(&bytes[at..]));
                continue;
            }
            found.quotes |= is_mark(c);
            if !c.is_alphanumeric() {
                // An apostrophe is part of its word.
                (in_word, at) = (in_word && matches!(c, '\'' | '’'), at + c.len_utf8());
                continue;
            }
            if matches!(c, '0'..='9' | '０'..='９') {
                found.digits.get_or_insert(at);
            }
            let start = *first.get_or_insert(at) == at;
            let spaced = !is_cjk(c);
            let cue = if in_word && spaced { None } else { self.longest(bytes, at, start) };
            let Some((cue, end)) = cue.filter(|(cue, _)| {
                cue.languages.contain(*ENGLISH)
                    || cue.languages.meet(*spoken.get_or_insert_with(|| languages_in(text, beside)))
            }) else {
                (in_word, at) = (spaced, at + c.len_utf8());
                continue;
            };
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
        if (signs.has(Sign::Agent) || signs.has(Sign::Announce)) && (start || opens_clause(&bytes[..at])) {
            self.opening = Some((end, signs.has(Sign::Announce)));
        }
        self.opening.is_some_and(|(opened, announced)| {
            end <= opened + REACH && (signs.has(Sign::Search) || (announced && signs.has(Sign::Write)))
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
    use super::{CUES, Languages, Sign};

    #[track_caller]
    fn check(text: &str, sign: Sign, expected: bool) {
        assert_eq!(CUES.find(text, Languages::ALL).signs.has(sign), expected, "{text:?}");
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
