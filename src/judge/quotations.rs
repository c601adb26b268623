//! Whether a page has the quotations of a claim.

use crate::evidence::search::SourceIndex;
use crate::judge::verdict::CheckResult;
use crate::judge::{polarity, verbatim};
use crate::quotation::{Match, Quotation, QuotedSource};
use crate::text::Span;

/// A missing quotation contradicts even an incomplete page when a passage has this part of its words, in percent: then it
/// is that passage, misquoted.
const MISQUOTED: u8 = 80;

/// What stands beside a quotation that is a whole claim is no longer, in bytes: stops, and the number of an item.
const BESIDE_LAYOUT: usize = 4;

/// What the page has of one quotation of the claim.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The quotation.
    pub quotation: Quotation,
    /// What was found.
    pub result: CheckResult,
    /// Whether the result proves something.
    pub hard: bool,
    /// Where it stands on the page, or the passage nearest to it.
    pub span: Option<Span>,
    /// The word right after it that turns it round, when it stops before one.
    pub cut_before: Option<String>,
    /// Whether the page has it with other small words (articles, auxiliaries): not verbatim, and not something else.
    pub inexact: bool,
}

/// Whether the source has the words of a quotation near a passage with other writings of its numbers: *97.1 percent*, *97.1%*.
fn same_but_for_writing(quotation: &str, page: &str, near: Span) -> bool {
    /// The passage that is nearest may begin and end a little beside the quotation, in bytes.
    const BESIDE: usize = 80;
    let start = page.floor_char_boundary(near.start.saturating_sub(BESIDE));
    let end = page.ceil_char_boundary((near.end + BESIDE).min(page.len()));
    let words = verbatim::words_of(quotation);
    let words = words.trim_matches(|c: char| !c.is_alphanumeric());
    !words.is_empty() && verbatim::words_of(&page[start..end]).contains(words)
}

/// Looks up every quotation that is long enough to be somebody's words, and every empty one.
///
/// `comparable` says that the page was read whole and is in the language of the claim: only then is a quotation that is
/// not there a proof.
pub fn check(claim: &str, quotations: &[Quotation], index: &SourceIndex<'_>, comparable: bool) -> Vec<Finding> {
    let checked = quotations.iter().filter(|q| q.is_empty() || q.words >= crate::quotation::FEWEST_WORDS);
    checked.map(|quotation| find(claim, *quotation, index, comparable)).collect()
}

fn find(claim: &str, quotation: Quotation, index: &SourceIndex<'_>, comparable: bool) -> Finding {
    let words = quotation.inner.of(claim);
    // A claim that stands in quotation marks as a whole quotes nobody: the marks are layout.
    let outside = [quotation.span.before(claim), quotation.span.after(claim)];
    // *It “…”* begins with a word.
    let bare = |part: &&str| part.len() <= BESIDE_LAYOUT && !part.contains(char::is_uppercase);
    let layout = outside.iter().all(bare) && !quotation.is_empty();
    let blank =
        Finding { quotation, result: CheckResult::Unknown, hard: false, span: None, cut_before: None, inexact: false };
    match QuotedSource::new(index.text(), index.folded()).find(words) {
        Match::Found(span) => Finding { result: CheckResult::Agrees, hard: true, span: Some(span), ..blank },
        Match::CutShort(span, word) => {
            Finding { result: CheckResult::Agrees, hard: true, span: Some(span), cut_before: Some(word), ..blank }
        }
        Match::Empty => {
            Finding { result: CheckResult::Absent { claimed: String::new() }, hard: quotation.is_empty(), ..blank }
        }
        // A title in quotation marks is a name, not somebody's words.
        Match::Missing(near) if quotation.title || layout => Finding { span: near.map(|(span, _)| span), ..blank },
        // The source's words with another article or "failed to" for "did not": not verbatim, and not something else.
        Match::Missing(Some((span, _)))
            if polarity::same_but_for_particles(words, index.spoken_at(span))
                || same_but_for_writing(words, index.text(), span) =>
        {
            Finding { span: Some(span), inexact: true, ..blank }
        }
        Match::Missing(near) => {
            let claimed = words.to_owned();
            let misquoted = near.filter(|(_, share)| *share >= MISQUOTED);
            let result = match misquoted {
                Some((span, _)) => CheckResult::Differs { claimed, found: span.of(index.text()).to_owned() },
                None if comparable => CheckResult::Absent { claimed },
                None => return Finding { span: near.map(|(span, _)| span), ..blank },
            };
            Finding { result, hard: comparable || misquoted.is_some(), span: near.map(|(span, _)| span), ..blank }
        }
    }
}
