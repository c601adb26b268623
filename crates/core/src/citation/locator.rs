//! What stands beside a label in the brackets of a citation: `[see 2]`, `[2, p. 14]`, `[3: 14–16]`.

use super::members::{Member, all_numbers, numbers};
use crate::pattern::{Pattern, any_of};
use cited_text::lexicon::Classes;

/// Bytes of a citation with words that say where to look.
pub(crate) const LONGEST: usize = 240;

/// The longest tail, in bytes: what goes on for longer is a remark.
const LONGEST_TAIL: usize = 160;

const TABLE: &str = include_str!("data/locators.tsv");

/// The words of the table, by what they say beside a label.
pub(super) static WORDS: Classes = Classes::new(TABLE);

/// The name of a part with its number, or pages without a word; `[1:50 000]` and `[1:50000]` are scales.
static WHERE: Pattern = Pattern::made(|| {
    format!(
        r"(?i)^[\s,;:，：]+(?:{})[.\s]*(?:[0-9]|[ivxl()]+(?:[ ,–-]|$)|[^s]$)|^\s*:[\s,;:，：]*[0-9]{{1,4}}(?:\s*[-–,]\s*[0-9]{{1,4}})*\s*$",
        any_of(WORDS.of("part"))
    )
});

/// The inside of the brackets of a citation with a locator.
#[derive(Debug, PartialEq)]
pub(crate) struct Located<'a> {
    /// All of it.
    pub written: &'a str,
    /// What stands before the labels, with the space behind it.
    pub lead: &'a str,
    /// The labels.
    pub members: Vec<Member>,
    /// What stands behind them.
    pub tail: &'a str,
}

/// Words without the signs of emphasis: they mean the same in it.
fn plain(words: &str) -> String {
    words.replace(['*', '_'], "")
}

/// Numbers with words beside them that say where to look; none for numbers alone, and for other words.
fn located(inner: &str) -> Option<Located<'_>> {
    let at = inner.find(|c: char| c.is_ascii_digit())?;
    let lead = &inner[..at];
    let words = plain(lead);
    let leads = WORDS.has("lead", &words.trim().to_lowercase()) && words.ends_with([' ', '\u{a0}', ',']);
    if !(leads || lead.trim().is_empty()) {
        return None;
    }
    // A colon or a page may stand right behind a number, so the numbers are read up to what begins the tail.
    let mut limit = inner[at..].find([':', ';']).map_or(inner.len(), |colon| at + colon);
    loop {
        let (members, end) = numbers(inner, at, limit)?;
        let end = inner[..end].trim_end().len();
        let tail = &inner[end..];
        if tail.trim().is_empty() {
            return leads.then_some(Located { written: inner, lead, members, tail });
        }
        if is_tail(tail) {
            return Some(Located { written: inner, lead, members, tail });
        }
        // *2, 99 years later*: the last of the numbers belongs to the words.
        limit = at + inner[at..end].rfind([',', '，', '、'])?;
    }
}

/// What parts the words behind a label from it.
const PARTING: [char; 5] = [',', ';', ':', '，', '：'];

/// Whether a text may stand behind a label: it says which part of the source is meant, or what its author adds.
pub(crate) fn is_tail(tail: &str) -> bool {
    let plain = plain(tail);
    let tail = plain.trim_start();
    let words = tail.trim_start_matches(PARTING).trim_start();
    tail.len() <= LONGEST_TAIL
        && (WHERE.is_match(&plain)
            || tail.starts_with(PARTING) && is_remark(words)
            || tail.starts_with([',', '，']) && OF_A_WORK.is_match(words))
}

/// What words about a work have: a word that is cut short (*2nd ed.*), a sign of parts, a quotation, an address, or the name of a part with
/// its number (*Satz 4*).
static OF_A_WORK: Pattern = Pattern::new(r#"^passim$|[§¶"“„«]|://|\b\p{Lu}\p{L}+ [0-9]|\b\p{L}{1,6}\.(?:[ ,)]|$)"#);

/// Whether words behind the label of a citation are what its author adds: *99 years later*, *emphasis mine*. Each of them has letters or
/// digits, and two are longer: *and so on* goes on with a list of values.
fn is_remark(words: &str) -> bool {
    let has_letters = |word: &str| word.chars().filter(|c| c.is_alphabetic()).count() > 2;
    words.split(' ').all(|word| word.contains(char::is_alphanumeric))
        && words.split(' ').filter(|word| has_letters(word)).count() > 1
        && !words.contains(['=', '|', '<', '>', '(', '/', ','])
}

/// The citations of a bracket that parts them by semicolons, each with its words: `[2, p. 9; 3, p. 31]`; one where nothing parts it.
pub(crate) fn each_located(inner: &str) -> Option<Vec<Located<'_>>> {
    let alone = |part| Some(Located { written: part, lead: "", members: all_numbers(part)?, tail: "" });
    let part = |part| located(part).or_else(|| alone(part));
    let parts: Option<Vec<Located<'_>>> = inner.split([';', '；']).map(|one| part(one.trim())).collect();
    let parts = parts.filter(|parts| parts.iter().any(|part| !(part.lead.is_empty() && part.tail.is_empty())));
    parts.or_else(|| Some(vec![located(inner)?]))
}

#[cfg(test)]
mod tests {
    use super::each_located;
    use crate::citation::Label;
    use crate::citation::pandoc::{labels_in, loses_words, numbered};

    fn renumbered(written: &str, new: &[u32]) -> Option<String> {
        numbered(written, &new.iter().copied().map(Some).collect::<Vec<_>>())
    }

    #[test]
    fn each_of_several_keeps_its_words() {
        assert_eq!(renumbered("[2, p. 9; 3, p. 31]", &[1, 4]).as_deref(), Some("[1, p. 9; 4, p. 31]"));
        assert_eq!(renumbered("[2; see 3, §4]", &[1, 4]).as_deref(), Some("[1; see 4, §4]"));
        assert_eq!(renumbered("[2, p. 9; 3, p. 31]", &[1]), None);
        assert_eq!(renumbered("[2, p. 9; p. 31]", &[1]).as_deref(), Some("[1, p. 9; p. 31]"));
    }

    #[test]
    fn what_stands_beside_a_key_stays_beside_its_number() {
        let check = |written: &str, numbers: &[u32], expected: &str| {
            let numbers: Vec<Option<u32>> = numbers.iter().map(|number| Some(*number)).collect();
            assert_eq!(numbered(written, &numbers).as_deref(), Some(expected), "{written}");
            // A second run reads back what was written, and writes it again.
            let numbers: Vec<u32> = numbers.into_iter().flatten().collect();
            assert_eq!(renumbered(expected, &numbers).as_deref(), Some(expected));
        };
        for (words, kept) in [
            ("@lee, § 4", "2, § 4"),
            ("@lee, ¶¶ 12–14", "2, ¶¶ 12–14"),
            ("@lee, *passim*", "2, *passim*"),
            ("@lee, **Fig. 3**", "2, **Fig. 3**"),
            ("*see also* @lee, **Fig. 3**", "*see also* 2, **Fig. 3**"),
            ("@lee, *op. cit.*, p. 5", "2, *op. cit.*, p. 5"),
            ("@lee, \"the long night\", p. 7", "2, \"the long night\", p. 7"),
            ("@lee, “Introduction”", "2, “Introduction”"),
            ("@lee, 2nd ed.", "2, 2nd ed."),
            ("@lee, suppl. fig. S2 (top)", "2, suppl. fig. S2 (top)"),
            ("@lee, Satz 4", "2, Satz 4"),
            ("@lee, https://a.example/p#s3", "2, https://a.example/p#s3"),
            ("quoted in @lee, p. 7", "quoted in 2, p. 7"),
            ("zit. nach @lee, S. 7", "zit. nach 2, S. 7"),
            ("for a review, see @lee, ch. 3", "for a review, see 2, ch. 3"),
            ("so schon @lee, Rz. 14", "so schon 2, Rz. 14"),
            ("see @lee,\np. 7", "see 2, p. 7"),
        ] {
            check(&format!("[{words}]"), &[2], &format!("[{kept}]"));
        }
        check("[@lee, p. 5; contra: @roe, p. 9]", &[2, 3], "[2, p. 5; contra: 3, p. 9]");
        check("[e.g., @lee, vol. 2, p. 101n; *contra* @roe]", &[2, 3], "[e.g., 2, vol. 2, p. 101n; *contra* 3]");
        for written in ["[@lee [bonus], p. 7]", "[in 2 cases @lee, p. 7]", "[see @lee and @roe, p. 7]", "[Fig. @lee]"] {
            assert!(loses_words(written), "{written}");
        }
        check("[@lee, p. 10]", &[2], "[2, p. 10]");
        check("[-@lee:2020, pp. 3-5, 38-39 and *passim*]", &[2], "[2, pp. 3-5, 38-39 and *passim*]");
        check("[@lee{ii, A, D-Z}]", &[2], "[2, pp. ii, A, D-Z]");
        check(
            "[@lee, {pp. iv, vi-xi, (xv)-(xvii)} with a remark]",
            &[2],
            "[2, pp. iv, vi-xi, (xv)-(xvii) with a remark]",
        );
        check("[@lee{}, 99 years later]", &[2], "[2, 99 years later]");
        check("[@lee, 33]", &[2], "[2, p. 33]");
        check(
            "[see @lee, pp. 33 and *passim*; but compare @roe]",
            &[3, 1],
            "[see 3, pp. 33 and *passim*; but compare 1]",
        );
        check("[@{a key}, chap. 3]", &[2], "[2, chap. 3]");
        check("@lee [p. 33]", &[2], "[2, p. 33]");
        check("[@lee, p. 12; @]", &[2], "[2, p. 12]");
        check("[@lee, p. 12; p. 31]", &[2], "[2, p. 12; p. 31]");
        for (ghost, kept) in [
            ("@ghost, p. 3", "see also 1, p. 9"),
            ("@ghost", "siehe auch 1, S. 9 f."),
            ("-@ghost{ii, A}", "voir 1, chap. 9"),
            ("cf. @ghost", "véase 1, págs. 9-11"),
            ("@ghost, *passim*", "cfr. 1, cap. 9"),
            ("e.g. @ghost, 33", "zie ook 1, blz. 9"),
            ("@ghost, n. 3", "veja 1, n. 9"),
        ] {
            let key = kept.replace('1', "@lee").replacen("9-@lee@lee", "9-11", 1);
            let one = [&key, "; ", ghost].concat();
            let (before, behind) = (format!("[{ghost}; {key}]"), format!("[{one}]"));
            let expected = format!("[{kept}]");
            assert_eq!(numbered(&before, &[None, Some(1)]).as_ref(), Some(&expected), "{before}");
            assert_eq!(numbered(&behind, &[Some(1), None]).as_ref(), Some(&expected), "{behind}");
            assert!(!loses_words(&before) && !loses_words(&behind), "{before}");
            assert_eq!(labels_in(&before, &[Label::parse("ghost").unwrap()]), [ghost], "{before}");
            assert_eq!(labels_in(&behind, &[Label::parse("ghost").unwrap()]), [ghost], "{behind}");
        }
        assert_eq!(numbered("[@lee, p. 3; @roe, p. 9]", &[None, Some(1)]).as_deref(), Some("[1, p. 9]"));
        check("[e.g. @lee{, p. 9}]", &[2], "[e.g. 2, p. 9]");
    }

    #[test]
    fn words_beside_a_label_say_where_to_look() {
        for (inner, expected) in [
            ("2, p. 14", "[7, p. 14]"),
            ("2, pp. 14–16", "[7, pp. 14–16]"),
            ("2 p. 14", "[7 p. 14]"),
            ("see 2", "[see 7]"),
            ("cf. 2", "[cf. 7]"),
            ("see also 2, §3", "[see also 7, §3]"),
            ("2, Section 3.1", "[7, Section 3.1]"),
            ("2: 14–16", "[7: 14–16]"),
            ("2, Fig. 3a", "[7, Fig. 3a]"),
            ("2, Kap. 4", "[7, Kap. 4]"),
        ] {
            assert_eq!(renumbered(&format!("[{inner}]"), &[7]).as_deref(), Some(expected));
        }
        for inner in [
            "2",
            "2, 3",
            "5 pages",
            "1:50 000",
            "1:50000",
            "2, x",
            "page 2",
            "2, and so on",
            "2, 14 and 15",
            "0, 1)",
            "2024, p",
            "3:1 ratio",
            "TODO 2",
            "2, 14",
            "up to 5",
            "rose to 5, he said",
            "fell to 3, down from 5",
            "Phase 2, p. 7",
            "page 2, line 3",
            "",
        ] {
            assert_eq!(each_located(inner), None, "{inner}");
        }
    }
}
