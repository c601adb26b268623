//! Words that say that something was checked: *verified*, *confirmed*, *reproduced*, *proves*.
//!
//! Such a word is a claim of its own. Without a record of the check, in the evidence, nothing carries it.

use super::polarity::denies;
use cited_text::language::languages_in;
use cited_text::lexicon::{Classes, Languages, table};
use cited_text::words::words;

const WORDS: &str = include_str!("data/certainty.tsv");

pub(super) static CLASSES: Classes = Classes::new(WORDS);

/// Signs behind which what was denied before is no longer.
const BREAKS: [char; 9] = [',', ';', ':', '.', '—', '，', '；', '。', '、'];

/// The first word of a text that says that a check was made, as it is written.
///
/// *Not verified*, *to be confirmed* and *unproven* say that none was.
///
/// ```
/// use cited_judge::certainty::certainty_word;
/// assert_eq!(certainty_word("The results were verified by the team."), Some("verified".to_owned()));
/// assert_eq!(certainty_word("The results were not verified."), None);
/// assert_eq!(certainty_word("The results have not been independently verified."), None);
/// assert_eq!(certainty_word("The results are not new, and were verified."), Some("verified".to_owned()));
/// ```
pub fn certainty_word(text: &str) -> Option<String> {
    let mut before = String::new();
    let (mut denied, mut end) = (false, 0);
    for word in words(text) {
        let form = word.span.slice(text);
        let lower = form.to_lowercase();
        // What is denied is denied to the end of its clause: *has not been independently verified*.
        denied = (denied && !text[end..word.span.start].contains(BREAKS)) || denies(text, &word);
        end = word.span.end;
        let undone = denied || CLASSES.has("undone", &before) && before != "if";
        if CLASSES.has("check", &lower) && !undone {
            return Some(form.to_owned());
        }
        before = lower;
    }
    CLASSES.of("cjkcheck").iter().find(|form| text.contains(**form)).map(|form| (*form).to_owned())
}

/// The word of a text that says of its subject that it was checked: *is confirmed*. Who *confirmed* something may only have said it.
///
/// ```
/// use cited_judge::certainty::checked_word;
/// assert_eq!(checked_word("The speed-up is confirmed on ARM."), Some("confirmed".to_owned()));
/// assert_eq!(checked_word("The minister confirmed the plan."), None);
/// assert_eq!(checked_word("Makers are liable while their system is confirmed to be in control."), None);
/// ```
pub fn checked_word(text: &str) -> Option<String> {
    let word = certainty_word(text)?;
    let at = text.find(word.as_str())?;
    let is = |before: &str| CLASSES.has("be", &before.to_lowercase());
    // A condition, *while it is confirmed to …*, says of nothing that it was checked.
    let clause = text[..at].rsplit([',', ';', ':', '.', '，', '；']).next().unwrap_or_default();
    let languages = languages_in(text, Languages::ALL);
    let conditions = || table::forms(WORDS, "condition", languages);
    let conditional = clause.split_whitespace().any(|word| conditions().any(|form| form == word.to_lowercase()));
    (!conditional && text[..at].split_whitespace().rev().take(2).any(is)).then_some(word)
}

/// The certainty word of a claim whose evidence has none: nothing that was read records a check.
///
/// ```
/// use cited_judge::certainty::unproven;
/// let claim = "The speed-up was confirmed on two machines.";
/// assert_eq!(unproven(claim, &["We saw a speed-up on two machines."]), Some("confirmed".to_owned()));
/// assert_eq!(unproven(claim, &["An audit confirmed the speed-up."]), None);
/// ```
pub fn unproven(claim: &str, passages: &[&str]) -> Option<String> {
    let word = certainty_word(claim)?;
    passages.iter().all(|passage| certainty_word(passage).is_none()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::certainty_word;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(certainty_word(text).as_deref(), expected, "{text}");
    }

    #[test]
    fn words_of_certainty_are_found_in_many_languages() {
        check("We confirmed it twice.", Some("confirmed"));
        check("This remains to be verified.", None);
        check("Das wurde bestätigt.", Some("bestätigt"));
        check("结果已验证。", Some("已验证"));
        check("Unverified reports", None);
        check("The bug was not reproduced.", None);
    }
}
