//! Whether a claim stands on the page word for word, as a sentence of its own.
//!
//! Such a claim needs no weighing of words: the check is exact, as that of a quotation is. Only whole sentences count: *neither the
//! first nor the second compiler is required* has the words of *the second compiler is required*.

use std::sync::LazyLock;

use super::pair::Pair;
use crate::evidence::SourceIndex;
use cited_text::Span;
use cited_text::fold::Folded;
use cited_text::lexicon::Classes;
use cited_text::words::{Word, words};

/// A sentence with fewer terms and numbers may be said of many things: *Sales rose.*
const FEWEST_TERMS: usize = 4;
/// A sentence that is the claim has this part of its words by weight: a connective may be missing.
const NEARLY_ALL: f64 = 0.75;
/// By so many bytes the one of the two may be longer than the other: a connective, marks, notes.
const MOST_ADDED: usize = 80;
/// A line of so many bytes that ends in no stop may go on in the next one: *it is not true that* and a line end.
const WRAPPED: usize = 30;
/// A line that doubts the one beside it is short: *Verdict: mostly false*.
const MOST_WORDS_OF_A_DOUBT: usize = 8;

static CLASSES: Classes = Classes::new(include_str!("data/verbatim.tsv"));
/// Writings of the same word: what is written, and how it is compared.
static WRITINGS: LazyLock<Vec<(&'static str, &'static str)>> =
    LazyLock::new(|| CLASSES.of("writing").iter().filter_map(|pair| pair.split_once('=')).collect());

/// The sentences of the page that are the claim, but for case, marks, notes and a connective at the start.
pub(super) fn find_sentence(pair: &Pair<'_>) -> Option<Span> {
    let (claim, quantities, source) = (pair.claim.text, &pair.claim.quantities, pair.source);
    let (lookup, windows, index) = (&pair.lookup, &pair.windows, &source.index);
    let near = || windows.iter().filter(|window| window.recall >= NEARLY_ALL);
    // The words of a value, *twelve months*, are no terms.
    let measured = |word: &Word| quantities.iter().any(|q| !q.is_label() && q.span.contains(word.span));
    let numbers = || words(claim).filter(|word| word.number || measured(word)).count();
    if near().next().is_none() || lookup.terms.len() + numbers() < FEWEST_TERMS {
        return None;
    }
    let folded = words_of(claim);
    let claimed = bare(&folded);
    let mut ranges = near().flat_map(|window| {
        let last = window.last;
        (window.first..=last).flat_map(move |from| (from..=last).map(move |to| (from, to)))
    });
    let (from, to) = ranges.find(|(from, to)| {
        let span = index.span_of(*from, *to);
        span.len().abs_diff(claim.len()) <= MOST_ADDED
            && bare(&words_of(span.slice(index.text()))) == claimed
            && stands_alone_on_the_page(index.text(), span)
            && !is_doubted(index, *from, *to)
    })?;
    Some(index.span_of(from, to))
}

/// Whether a sentence is whole: in pages with wrapped lines one may only be cut at a line end, before a name.
fn stands_alone_on_the_page(text: &str, span: Span) -> bool {
    let before = text[..span.start].trim_end_matches([' ', '\t', '•', '·', '-', '*', '>', '\u{a0}']);
    let line_before = before.strip_suffix('\n').filter(|before| !before.ends_with('\n'));
    let ends = |line: &str| {
        line.trim_end().ends_with(['.', '!', '?', ':', ';', '…', '。', '！', '？', '”', '"', ')', ']', '|'])
    };
    let begins = line_before.is_none_or(|before| {
        let last = before.rsplit('\n').next().unwrap_or_default();
        last.len() < WRAPPED || ends(last)
    });
    let after = text[span.end..].trim_start_matches([' ', '\t', '\u{a0}']);
    let line_after = after.strip_prefix('\n').filter(|after| !after.starts_with('\n'));
    begins
        && (ends(span.slice(text))
            || line_after.is_none_or(|after| !after.trim_start().starts_with(char::is_alphabetic)))
}

/// A text folded, each word and number in one writing: *12 percent*, *12%*; *1,000*, *1000*.
pub(super) fn words_of(text: &str) -> String {
    let mut folded = Folded::new(text).as_str().to_owned();
    for (written, compared) in WRITINGS.iter() {
        if folded.contains(written) {
            folded = folded.replace(written, compared);
        }
    }
    let bytes = folded.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let groups = |at: usize| at > 0 && bytes[at] == b',' && bytes[at - 1].is_ascii_digit() && digits(at + 1) == 3;
    if (0..bytes.len()).any(groups) {
        return folded.char_indices().filter(|(at, _)| !groups(*at)).map(|(_, c)| c).collect();
    }
    folded
}

/// A folded sentence without what stands round its words: marks of lists, a connective, the stop.
fn bare(folded: &str) -> &str {
    const MARKS: &[char] = &['•', '·', '▪', '◦', '●', '*', '>', '|', '#', ' '];
    const STOPS: &[char] = &['.', '!', ';', ':', ',', '…', '。', ' '];
    let text = folded.trim_start_matches(MARKS).trim_end_matches(STOPS);
    let text = text.strip_prefix("- ").map_or(text, |rest| rest.trim_start_matches(MARKS));
    let rests = CLASSES.of("connective").iter().filter_map(|connective| {
        let rest = text.strip_prefix(connective)?;
        let ends = rest.starts_with([',', ' ']) || !connective.is_ascii() && !rest.starts_with(char::is_alphabetic);
        ends.then(|| rest.trim_start_matches([',', '、', ' ']))
    });
    rests.min_by_key(|rest| rest.len()).unwrap_or(text)
}

/// The word of a sentence that calls what it says false.
pub(super) fn doubt(text: &str, words: &[Word]) -> Option<String> {
    let lower = |word: &Word| word.span.slice(text).to_lowercase();
    words.iter().map(lower).find(|word| CLASSES.has("doubt", word))
}

/// Whether the line before or behind some sentences says that they are not so.
pub(super) fn is_doubted(index: &SourceIndex<'_>, from: usize, to: usize) -> bool {
    let doubts = |sentence: usize| {
        let text = index.span_of(sentence, sentence).slice(index.text());
        let unspaced = |doubt: &&&str| doubt.starts_with(cited_text::script::is_cjk);
        let words = index.words_of(sentence, sentence);
        words.len() <= MOST_WORDS_OF_A_DOUBT
            && (doubt(index.text(), words).is_some()
                || CLASSES.of("doubt").iter().filter(unspaced).any(|doubt| text.contains(doubt)))
    };
    from.checked_sub(1).is_some_and(doubts) || to + 1 < index.len() && doubts(to + 1)
}

#[cfg(test)]
mod tests {
    use crate::{ClaimText, Settings, SourceText, judge};
    use cited_core::claim::ClaimKind;

    #[track_caller]
    fn check(claim: &str, page: &str, expected: bool) {
        let verdict = judge(&ClaimText::new(claim, ClaimKind::Plain), &SourceText::new(page, ""), &Settings::default());
        assert_eq!(
            verdict.reason == "the source says it word for word",
            expected,
            "{claim:?} by {page:?}: {verdict:?}"
        );
    }

    #[test]
    fn a_sentence_of_the_page_is_said_by_it() {
        let page = "Ferries are old. The harbour of Vlissing lost its last ferry to a storm.[4] The town mourned.";
        for claim in [
            "The harbour of Vlissing lost its last ferry to a storm.",
            "The harbour of Vlissing lost its last ferry to a storm",
            "Moreover, the harbour of Vlissing lost its last ferry to a storm.",
            "“The harbour of Vlissing lost its last ferry to a storm.”",
        ] {
            check(claim, page, true);
        }
        for claim in [
            "The harbour of Vlissing lost its first ferry to a storm.",
            "The harbour of Vlissing lost its last ferry.",
            "Ferries are old.",
        ] {
            check(claim, page, false);
        }
    }

    #[test]
    fn marks_and_connectives_of_the_page_are_no_words() {
        let claim = "The second compiler is required to read the source in full.";
        check(claim, "• The second compiler is required to read the source in full\n• Others are not", true);
        check(claim, "However, the second compiler is required to read the source in full. Fine.", true);
        check("第二艘渡轮在风暴中沉没于港口。", "天气很坏。因此，第二艘渡轮在风暴中沉没于港口。众人哀悼。", true);
    }

    #[test]
    fn words_and_numbers_have_one_writing() {
        check(
            "The fleet of Vlissing lost 1200 boats to storms.",
            "The fleet of Vlissing lost 1,200 boats to storms.",
            true,
        );
        check("The fleet lost 12% of its boats to storms.", "The fleet lost 12 percent of its boats to storms.", true);
        check("The fleet of Vlissing does not sail north.", "The fleet of Vlissing doesn’t sail north.", true);
    }

    #[test]
    fn a_part_of_a_sentence_is_none() {
        let claim = "The second compiler is required to read the source in full.";
        for page in [
            "Neither the first nor the second compiler is required to read the source in full.",
            "It is not true that the second compiler is required to read the source in full.",
            "The second compiler is required to read the source in full, unless the first has done so.",
            "The second compiler is required to read the source in full?",
            "Myth: The second compiler is required to read the source in full.",
            "It was never shown in any of the reports that\nThe second compiler is required to read the source in full.",
            "The second compiler is required to read the source in full\nUnder no circumstances that we know of.",
            "The second compiler is required to read the source (which is not so) in full.",
        ] {
            check(claim, page, false);
        }
    }

    #[test]
    fn what_the_page_calls_false_is_not_said() {
        let claim = "The second compiler is required to read the source in full.";
        check(claim, "Claim\nThe second compiler is required to read the source in full.\nRating: False\nNo.", false);
        check(claim, "Myth 3\nThe second compiler is required to read the source in full.\nIt is not.", false);
        check(claim, "The second compiler is required to read the source in full. It is wrong.", false);
        check(claim, "The second compiler is required to read the source in full. Few know it.", true);
    }

    #[test]
    fn what_stands_there_is_not_contradicted() {
        for text in [
            "Emissions need “an area the size of Texas [8% of the area of Brazil] every 30 years” of new forest.",
            "The line DE 0,500,-30,300 sets the initial values of the model.",
            "Another scholar holds that \"there is reason for not dismissing [the idea that it was his name] as an invention\" at all.",
        ] {
            check(text, &format!("Nothing else is known. {text} Nothing else is known."), true);
        }
    }
}
