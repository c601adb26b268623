//! The table of signs. A sign speaks against support by a passage that has the claim's words: it says them of something else,
//! of a plan, of some only. It weakens a verdict and never contradicts a claim.
//!
//! The first that fires, in the order of the table, is the one that a reader is told of.

use super::case::Case;
use super::pieces::Cut;
use super::{clauses, converse, exchanged, limited, roles, scope, speaker, subject, swapped, tally, undone, whose};

/// The name of a sign, as in the record.
pub type SignId = &'static str;

/// A sign.
#[derive(Debug)]
pub struct Sign {
    /// Its name, as in the record.
    pub id: SignId,
    /// What a writer is told.
    pub note: &'static str,
    /// What it looks for, with pages and claims that show it, in Markdown; the claims are its test.
    pub page: &'static str,
    /// The sentence of the page that shows it.
    ask: fn(&Case<'_, '_, '_>) -> Option<usize>,
}

/// A row of the table. Its page is the file of its name in the folder `signs`.
macro_rules! sign {
    ($id:literal, $note:literal, $ask:expr $(,)?) => {
        Sign { id: $id, note: $note, page: include_str!(concat!("signs/", $id, ".md")), ask: $ask }
    };
}

/// The page of [`OTHER_WORD`].
const OTHER_WORD_PAGE: &str = include_str!("signs/other-word.md");

/// Somebody else says it. It holds for words that are quoted, too.
pub const OTHER_SPEAKER: SignId = "said-by-another";

/// The passage has another word in the place of one of the claim's. It has a reason of its own.
pub const OTHER_WORD: SignId = "other-word";

/// Every sign that is asked of a passage, in the order in which they are.
pub static SIGNS: [Sign; 22] = [
    sign!("said-by-another", "the source gives it to somebody else", speaker::said_by_another),
    sign!("less-surely", "the source says it less surely", scope::said_less_surely),
    sign!("denied-otherwise", "the source denies it, or does not where the claim does", scope::said_with_another_sign),
    sign!("goes-the-other-way", "the source says that it went the other way", scope::said_to_go_the_other_way),
    sign!("not-of-all", "the source does not say it of all", scope::not_said_of_all),
    sign!("names-reversed", "the source has the names the other way round", |case| {
        roles::reversed(case.claim, case.words, case.index, case.windows)
    }),
    sign!("of-others", "the source says it of others whom it names", whose::said_of_others),
    sign!("values-exchanged", "the source has the values the other way round", exchanged::said_of_each_other),
    sign!("of-another-in-the-row", "the source says it of another one in the row", whose::said_of_another_in_the_row),
    sign!("of-the-part-before", "the source says it of what it sets this off against", whose::said_in_the_part_before),
    sign!("possible", "the source only calls it possible", limited::said_to_be_possible),
    sign!("denied", "the source denies it", undone::denied_there),
    sign!("still-open", "the source says that it is still open", undone::still_open),
    sign!(
        "not-alone-at-the-top",
        "only one of the two puts it in a later place or among others",
        undone::not_alone_at_the_top,
    ),
    sign!("of-some", "the source says it of some of them only", undone::said_of_some),
    sign!("moves-the-other-way", "the source says that it went the other way", undone::moves_the_other_way),
    sign!("of-fewer-than-half", "the source says it of fewer than half", undone::said_of_fewer_than_half),
    sign!("of-another-name", "the source says it of others whom it names", undone::said_of_another_name),
    sign!("counted-otherwise", "the source has another number of it, or has it for others", tally::counted_otherwise),
    sign!("in-anothers-part", "the source says it of what another part is about", subject::said_in_anothers_part),
    sign!("order-of-roles", "the source has it the other way round", |case| {
        swapped::said_the_other_way_round(&Cut::of(case)).or_else(|| converse::said_from_the_wrong_side(case))
    }),
    sign!("of-something-else", "the source says it of something else", |case| {
        clauses::said_of_something_else(&Cut::of(case))
    }),
];

/// The names of all signs with their pages, in the order in which they are asked.
pub fn pages() -> impl Iterator<Item = (SignId, &'static str)> {
    SIGNS.iter().map(|sign| (sign.id, sign.page)).chain([(OTHER_WORD, OTHER_WORD_PAGE)])
}

/// The first sign that a passage shows, with its sentence.
pub(super) fn shown(case: &Case<'_, '_, '_>) -> Option<(usize, &'static Sign)> {
    SIGNS.iter().find_map(|sign| Some(((sign.ask)(case)?, sign)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::pages;
    use crate::claim::ClaimKind;
    use crate::judge::{ClaimText, Settings, SourceText, Standing, judge};

    #[test]
    fn no_two_signs_have_one_id() {
        let ids: BTreeSet<&str> = pages().map(|(id, _)| id).collect();
        assert_eq!(ids.len(), pages().count());
    }

    /// Blocks of quotation are pages; the items below one are claims on it, each with its verdict. A weak one is so by this sign.
    #[test]
    fn a_sign_does_what_its_page_says() {
        for (id, page) in pages() {
            let (mut source, mut held, mut let_through) = (String::new(), 0, 0);
            for line in page.lines() {
                if let Some(text) = line.strip_prefix("> ") {
                    text.clone_into(&mut source);
                }
                let Some((wanted, claim)) = line.strip_prefix("- ").and_then(|item| item.split_once(": ")) else {
                    continue;
                };
                let claim = ClaimText::new(claim, ClaimKind::Plain);
                let verdict = judge(&claim, &SourceText::new(&source, ""), &Settings::default());
                match wanted {
                    "supported" => {
                        let_through += 1;
                        assert_eq!(verdict.standing, Standing::Supported, "{id}: {line}: {verdict:?}");
                    }
                    "weak" => {
                        held += 1;
                        let found = (verdict.standing, verdict.sign.as_deref());
                        assert_eq!(found, (Standing::Weak, Some(id)), "{id}: {line}: {verdict:?}");
                    }
                    other => panic!("{id}: no such verdict: {other}"),
                }
            }
            assert!(held > 0 && let_through > 0, "{id} has no examples both ways");
        }
    }
}
