//! A softer sentence that a judge of the user's proposes for a claim: what counts as one.
//!
//! It is text from outside that may come to stand in the document, so it is held to be one plain sentence, hardly longer
//! than the claim, and to bring no number, name, quotation, citation or address that neither claim nor passage has. What
//! the sources say of it is asked elsewhere, as of any claim.

use std::collections::HashSet;

use crate::citation::Citations;
use crate::claim::{self, ClaimKind, Place};
use crate::markdown::{BlockKind, Document, InlineKind};
use crate::quantity::{Quantity, agree, quantities};
use crate::quotation::{QuotedSource, quotations};
use crate::text::fold::Folded;
use crate::text::{escape, language, words};

/// The longest sentence that is taken, in characters.
const LONGEST: usize = 600;
/// A hedge makes a sentence longer: it may have this part more than the claim …
const LONGER_PART: f64 = 0.5;
/// … and so many characters besides, for short claims.
const LONGER: usize = 40;
/// So much of its content words the claim or the passage has: a hedge is new, a subject is not.
const SHARED: f64 = 0.4;
/// Signs that make a citation, a table or a tag, in one of the forms that cited reads.
const MARKUP: &[char] = &['[', ']', '【', '】', '［', '］', '〔', '〕', '|', '<', '>', '^', '`'];

/// The sentence that `proposal` is, when it may take the place of `claim`, which `passage` is about.
///
/// # Errors
/// Why it may not, in words that go on from *it*.
pub fn vet(proposal: &str, claim: &str, passage: &str) -> Result<String, &'static str> {
    let text = proposal.trim_matches([' ', '\t', '\r', '\n']);
    let length = text.chars().count();
    if escape::plain(text) != text {
        return Err("is not one line of plain text");
    }
    if !text.contains(char::is_alphanumeric) {
        return Err("has no words");
    }
    if length > LONGEST || length as f64 > claim.chars().count() as f64 * (1.0 + LONGER_PART) + LONGER as f64 {
        return Err("is longer than a softened claim should be");
    }
    if same_words(text, claim) {
        return Err("says the same as the claim");
    }
    if text.contains("://") || text.to_ascii_lowercase().contains("www.") {
        return Err("holds an address");
    }
    if text.contains(MARKUP) || !is_plain(text) {
        return Err("holds markup");
    }
    let kind = kind_of(text).ok_or("is not one sentence")?;
    if !kind.is_factual() && !matches!(kind, ClaimKind::Hedged | ClaimKind::Opinion) {
        return Err("states nothing");
    }
    if has_new_number(text, claim, passage) {
        return Err("has a number that neither claim nor passage has");
    }
    if has_new_quotation(text, claim, passage) {
        return Err("quotes words that neither claim nor passage has");
    }
    if has_new_name(text, claim, passage) {
        return Err("has a name that neither claim nor passage has");
    }
    if !shares_words(text, claim, passage) {
        return Err("speaks of something else");
    }
    Ok(text.to_owned())
}

/// What kind of statement a plain sentence is; `None` when it is not exactly one.
pub fn kind_of(sentence: &str) -> Option<ClaimKind> {
    let document = Document::read(sentence);
    match claim::split(&document, &Citations::default()).as_slice() {
        [only] if only.place == Place::Sentence && only.text == sentence => Some(only.kind),
        _ => None,
    }
}

/// Whether a line is a paragraph of text and nothing else to a reader of Markdown.
fn is_plain(text: &str) -> bool {
    let document = Document::read(text);
    let [root] = document.roots() else { return false };
    document.block(*root).kind == BlockKind::Paragraph
        && document.links().is_empty()
        && document.emphases().is_empty()
        && document.inlines(*root).iter().all(|inline| inline.kind == InlineKind::Text)
        && document.inlines(*root).iter().map(|inline| inline.span.len()).sum::<usize>() == text.len()
}

fn forms(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    parts.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

fn same_words(a: &str, b: &str) -> bool {
    forms(a).eq(forms(b))
}

fn shares_words(text: &str, claim: &str, passage: &str) -> bool {
    let keys = |text| words::words(text).filter(|word| !word.stop).map(|word| word.key);
    let known: HashSet<u64> = [claim, passage].into_iter().flat_map(keys).collect();
    let own: Vec<u64> = keys(text).collect();
    let shared = own.iter().filter(|key| known.contains(key)).count();
    shared as f64 >= own.len() as f64 * SHARED
}

/// Whether a number stands in `text` that neither of the others has, at the precision of `text`.
fn has_new_number(text: &str, claim: &str, passage: &str) -> bool {
    let known: Vec<Quantity> = [claim, passage].into_iter().flat_map(quantities).collect();
    let written: HashSet<String> = [claim, passage].into_iter().flat_map(forms).collect();
    let own = quantities(text);
    let as_written = |words: &str| forms(words).all(|word| written.contains(&word));
    let new_quantity = own
        .iter()
        .filter(|quantity| !quantity.is_label())
        .any(|quantity| !known.iter().any(|known| agree(quantity, known)) && !as_written(quantity.span.of(text)));
    // Names with numbers and raised numbers are no quantities, and may be citations.
    let measured = |at: usize| own.iter().any(|quantity| !quantity.is_label() && quantity.span.has(at));
    let mut numbered = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.contains(char::is_numeric));
    let at = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    new_quantity || numbered.any(|word| !measured(at(word)) && !written.contains(&word.to_lowercase()))
}

fn has_new_quotation(text: &str, claim: &str, passage: &str) -> bool {
    let folded = [claim, passage].map(|known| (known, Folded::new(known)));
    let held = |words: &str| folded.iter().any(|(known, folded)| QuotedSource::new(known, folded).holds(words));
    quotations(text).iter().any(|quotation| !held(quotation.inner.of(text)))
}

/// Whether a word with a capital stands inside of `text` that neither of the others has. Not asked in German, where all
/// nouns have one.
fn has_new_name(text: &str, claim: &str, passage: &str) -> bool {
    if language::language(passage) == Some("de") || language::language(claim) == Some("de") {
        return false;
    }
    let known: HashSet<String> = [claim, passage].into_iter().flat_map(forms).collect();
    let inside = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).skip(1);
    inside
        .filter(|word| word.starts_with(char::is_uppercase) && word.chars().nth(1).is_some())
        .any(|word| !known.contains(&word.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::vet;

    const CLAIM: &str = "The drug cures all 312 patients of “chronic tiredness” in Norway.";
    const PASSAGE: &str = "Of 312 patients in Bergen, 149.6 on average said that they felt better in 2023.";

    #[track_caller]
    fn check(proposal: &str, expected: Result<&str, &str>) {
        assert_eq!(vet(proposal, CLAIM, PASSAGE).as_deref().map_err(|why| *why), expected, "{proposal:?}");
    }

    #[test]
    fn one_plain_sentence_that_says_less_is_taken() {
        for sentence in [
            "The drug may help some of the 312 patients.",
            "In Bergen about 150 of the patients said that they felt better.",
            "The drug may help against “chronic tiredness” in Norway",
            "Possibly patients felt better (2023 * average & so_on).",
        ] {
            check(sentence, Ok(sentence));
        }
        assert!(vet("该药可能治愈患者。", "该药治愈所有患者。", "一些患者感觉好一些。").is_ok());
        assert!(vet("Lék některým pacientům pomáhá.", "Lék všem pacientům pomáhá.", "Lék pomáhá.").is_ok());
        check("  The drug may help.\n", Ok("The drug may help."));
    }

    #[test]
    fn markup_citations_and_addresses_are_not() {
        for (proposal, why) in [
            ("The drug *may* help.", "holds markup"),
            ("The drug may help [1].", "holds markup"),
            ("The drug may help [^1].", "holds markup"),
            ("The drug may help 【1】.", "holds markup"),
            ("The drug `may` help.", "holds markup"),
            ("The drug <b>may</b> help.", "holds markup"),
            ("- The drug may help.", "holds markup"),
            ("# The drug may help.", "holds markup"),
            ("1. The drug may help.", "holds markup"),
            ("The drug &amp; rest may help.", "holds markup"),
            ("The drug \\may\\* help.", "holds markup"),
            ("The drug may help¹.", "has a number that neither claim nor passage has"),
            ("The drug may help, see https://drug.example.", "holds an address"),
            ("The drug may help, see www.drug.example.", "holds an address"),
            ("The drug\nmay help.", "is not one line of plain text"),
            ("The drug may\u{202e} help.", "is not one line of plain text"),
            ("The drug may\u{1b}[31m help.", "is not one line of plain text"),
        ] {
            check(proposal, Err(why));
        }
    }

    #[test]
    fn nothing_new_comes_in() {
        let number = "has a number that neither claim nor passage has";
        for (proposal, why) in [
            ("", "has no words"),
            ("…", "has no words"),
            ("The drug may help. It may not.", "is not one sentence"),
            ("Does the drug help?", "states nothing"),
            ("TODO: source for the drug.", "states nothing"),
            (CLAIM, "says the same as the claim"),
            ("The drug cures all 312 patients of chronic tiredness in NORWAY", "says the same as the claim"),
            ("The drug may help 313 patients.", number),
            ("The drug may help 12% of them.", number),
            ("The drug may help since 2024.", number),
            ("The drug may help, as GPT-4 says.", number),
            ("Ships left Norway.", "speaks of something else"),
            ("The drug may help in Sweden.", "has a name that neither claim nor passage has"),
            ("The drug may help against “great tiredness” too.", "quotes words that neither claim nor passage has"),
        ] {
            check(proposal, Err(why));
        }
        let long = format!("The drug may {}help.", "really ".repeat(20));
        check(&long, Err("is longer than a softened claim should be"));
    }
}
