//! Names for findings that stay the same when lines are added above them or a paragraph is wrapped anew.

use std::collections::HashMap;

use crate::finding::Finding;
use crate::page::sha256_hex;
use cited_text::Span;

/// Digits of a hash that are kept: collisions within a file are out of reach.
const HASH_DIGITS: usize = 24;
/// Characters, white space apart, that name a place by themselves; a shorter place is named with what stands around it.
const TELLING: usize = 24;
/// Bytes around a place that are looked at.
const AROUND: usize = 200;
/// Bytes of a place that are looked at: a finding on a whole table need not hash it all.
const LONGEST: usize = 400;

/// Gives the findings of one file their names. Two findings alike in every respect are numbered.
#[derive(Debug, Default)]
pub struct Fingerprints {
    seen: HashMap<String, usize>,
}

impl Fingerprints {
    /// The name of a finding in `text`: of its kind, the words it stands on and, where these are few, the words of the
    /// same paragraph around them. White space and line numbers count for nothing.
    pub fn compute(&mut self, finding: &Finding, text: &str) -> String {
        let words = match finding.span {
            Some(span) if !text.is_empty() => format!("\0{}", words_around(text, span).join("\0")),
            _ => format!("\u{1}{}\0{}", finding.file.as_deref().unwrap_or_default(), finding.message),
        };
        let mut hash = sha256_hex(format!("{}{words}", finding.code).as_bytes());
        hash.truncate(HASH_DIGITS);
        let count = self.seen.entry(hash.clone()).or_default();
        *count += 1;
        format!("{hash}-{count}")
    }
}

/// The words of a place, those before it and those after it.
fn words_around(text: &str, span: Span) -> [String; 3] {
    let start = text.floor_char_boundary(span.start);
    let end = text.floor_char_boundary(span.end.min(start.saturating_add(LONGEST))).max(start);
    let own = folded(&text[start..end]);
    if own.chars().count() >= TELLING {
        return [own, String::new(), String::new()];
    }
    // A paragraph ends at an empty line, whatever ends its lines.
    let before = text[text.floor_char_boundary(start.saturating_sub(AROUND))..start].replace('\r', "");
    let before = folded(before.rsplit("\n\n").next().unwrap_or_default());
    let skip = before.chars().count().saturating_sub(TELLING);
    let after = text[end..text.floor_char_boundary(end.saturating_add(AROUND))].replace('\r', "");
    let after = folded(after.split("\n\n").next().unwrap_or_default());
    [own, before.chars().skip(skip).collect(), after.chars().take(TELLING).collect()]
}

fn folded(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Code;

    fn name(text: &str, at: &str) -> String {
        let start = text.find(at).expect("the place is there");
        let finding = Finding::new(Code::OrphanCitation, "m").at(Span::new(start, start + at.len()));
        Fingerprints::default().compute(&finding, text)
    }

    #[track_caller]
    fn check(one: &str, other: &str, same: bool) {
        assert_eq!(name(one, "[9]") == name(other, "[9]"), same, "{one:?} and {other:?}");
    }

    #[test]
    fn a_name_survives_shifts_and_new_wrapping_and_nothing_else() {
        let text = "# T\n\nOne is so. Two is so [9]. Three is so.\n\nFour.\n";
        check(text, "# T\n\nNew.\n\nOne is so. Two is so [9]. Three is so.\n\nFour.\n", true);
        check(text, "# T\r\n\r\nOne is so. Two\r\nis so [9]. Three is so.\r\n", true);
        check(text, "# Other\n\nOne is so. Two is so [9]. Three is so.\n\nFive.\n", true);
        check(text, "# T\n\nOne is so. Two is not so [9]. Three is so.\n", false);
    }

    proptest::proptest! {
        #[test]
        fn paragraphs_above_and_below_change_no_name(
            above in proptest::collection::vec("[a-z .\\[\\]0-9*é]{1,60}", 0..6),
            below in proptest::collection::vec("[a-z .\\[\\]0-9*é]{1,60}", 0..6),
            crlf in proptest::prelude::any::<bool>(),
        ) {
            let own = "One is so.\nTwo is so [9]. Three is so.";
            let join = |parts: &[String]| parts.iter().map(|part| format!("{part}\n\n")).collect::<Vec<_>>().concat();
            let text = format!("{}{own}\n\n{}", join(&above), join(&below));
            let text = if crlf { text.replace('\n', "\r\n") } else { text };
            let start = text.find("[9]. Three").expect("it is there");
            let finding = Finding::new(Code::OrphanCitation, "m").at(Span::new(start, start + 3));
            proptest::prop_assert_eq!(Fingerprints::default().compute(&finding, &text), name(own, "[9]"));
        }
    }

    #[test]
    fn findings_that_are_alike_are_numbered() {
        let mut names = Fingerprints::default();
        let finding = Finding::new(Code::OrphanCitation, "m");
        let (one, two) = (names.compute(&finding, ""), names.compute(&finding, ""));
        assert!(one.ends_with("-1") && two.ends_with("-2") && one[..24] == two[..24], "{one} {two}");
    }
}
