//! What kind of statement a sentence is, told from its words.
//!
//! Rules, first match wins; where the specification leaves a choice, the reason is given:
//!
//! 1. `chatter`: the agent opens a clause and searches, gathers or announces writing; never with a citation.
//! 2. `todo`, `question` (by its mark).
//! 3. `quotation`.
//! 4. `opinion` that says so (*In our view*): even with a number it is the author's own estimate. `instruction` that
//!    sends the reader elsewhere (*See …*).
//! 5. `quantitative`: a number makes a hedged sentence checkable (*could reach $9 billion by 2030*), so
//!    it must have a source like any other number.
//! 6. `transition`: the document speaks of itself or of what follows.
//! 7. `attribution`; then what ends with a colon and has no citation is a `transition` as well.
//! 8. Other `instruction`, then `hedged`: a hedge outweighs certainty and comparison (*may be faster than*).
//! 9. `certainty`, `comparison`, else `plain`.

use super::cues::{CUES, Found, Signs};
use super::kind::ClaimKind;
use crate::text::quantity::is_measured_from;
use crate::text::quotation::{Quotation, quotations};
use crate::text::script::is_cjk;

/// In scripts without spaces marks of quotation also set off terms: shorter ones than this, in words of two characters,
/// say nothing by themselves.
const SHORTEST_CJK_QUOTATION: usize = 6;

/// What the words of a sentence tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Statement {
    pub kind: ClaimKind,
    /// Whether it starts with a word that leans on the sentence before.
    pub leans: bool,
}

/// What `text` is, shown words without markers. `cited`: whether it has a citation of its own.
pub(super) fn statement(text: &str, cited: bool) -> Statement {
    let found = CUES.find(text);
    Statement { kind: kind(text, cited, found), leans: found.signs.has(Signs::LEANS) }
}

/// What a cell with `text` states: see [`in_cell`]. Spares cells that start with a number the full reading of it.
pub(super) fn statement_in_cell(text: &str, cited: bool) -> ClaimKind {
    let found = CUES.find(text);
    if starts_with_number(text) && !found.signs.has(Signs::TODO) && !asks(unquoted_end(text)) {
        return ClaimKind::Quantitative;
    }
    in_cell(text, kind(text, cited, found))
}

/// `text` without the quotes and brackets that close after its last stop.
fn unquoted_end(text: &str) -> &str {
    text.trim_end_matches(['"', '”', '’', ')', '）', '」', '»'])
}

fn asks(end: &str) -> bool {
    end.ends_with(['?', '？', '؟'])
}

fn kind(text: &str, cited: bool, found: Found) -> ClaimKind {
    let signs = found.signs;
    if found.talk && !cited && !starts_quoted(text) {
        return ClaimKind::Chatter;
    }
    if signs.has(Signs::TODO) {
        return ClaimKind::Todo;
    }
    let end = unquoted_end(text);
    if asks(end) {
        return ClaimKind::Question;
    }
    if found.quotes && quotations(text).iter().any(|quotation| speaks(quotation, text)) {
        return ClaimKind::Quotation;
    }
    if signs.has(Signs::OPINION) {
        return ClaimKind::Opinion;
    }
    if signs.has(Signs::POINTER) && !cited {
        return ClaimKind::Instruction;
    }
    // Where no word counts, what stands before the first digit holds no quantity.
    let from = if signs.has(Signs::NUMBER) { Some(0) } else { found.digits };
    if found.measured || from.is_some_and(|from| is_measured_from(text, from)) {
        return ClaimKind::Quantitative;
    }
    if signs.has(Signs::TRANSITION) && !cited {
        return ClaimKind::Transition;
    }
    if signs.has(Signs::ATTRIBUTION) {
        return ClaimKind::Attribution;
    }
    if end.ends_with([':', '：']) && !cited {
        return ClaimKind::Transition;
    }
    if signs.has(Signs::INSTRUCTION) && !cited {
        return ClaimKind::Instruction;
    }
    if signs.has(Signs::HEDGE) {
        return ClaimKind::Hedged;
    }
    if signs.has(Signs::CERTAINTY) {
        return ClaimKind::Certainty;
    }
    if signs.has(Signs::COMPARISON) {
        return ClaimKind::Comparison;
    }
    ClaimKind::Plain
}

/// What a cell of a table holds that reads like a statement of `kind`. A table is data: any number in it is a measured one.
fn in_cell(text: &str, kind: ClaimKind) -> ClaimKind {
    match kind {
        ClaimKind::Todo | ClaimKind::Question => kind,
        _ if starts_with_number(text) => ClaimKind::Quantitative,
        ClaimKind::Chatter | ClaimKind::Instruction | ClaimKind::Transition => ClaimKind::Plain,
        kind => kind,
    }
}

fn starts_with_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || "+-−~≈<>≤≥$€£¥".contains(c))
        && text.contains(|c: char| c.is_ascii_digit())
}

/// Whether a quotation gives somebody's words, not a term.
fn speaks(quotation: &Quotation, text: &str) -> bool {
    let inner = quotation.inner.of(text);
    // 《…》 sets off titles.
    let title = quotation.span.of(text).starts_with('《');
    let cjk = inner.chars().any(is_cjk);
    quotation.is_verbatim()
        && !title
        && (!cjk || quotation.words >= SHORTEST_CJK_QUOTATION || inner.contains(['，', '。', '！', '？']))
}

fn starts_quoted(text: &str) -> bool {
    text.starts_with(['"', '“', '„', '«', '「', '『', '‘'])
}
