//! What kind of statement a sentence is, told from its words.
//!
//! Rules, first match wins; where the specification leaves a choice, the reason is given:
//!
//! 1. `chatter`: the agent opens a clause and searches, gathers or announces writing; never with a citation.
//! 2. `todo`, `question` (by its mark).
//! 3. `quotation`.
//! 4. `opinion` that says so (*In our view*): even with a number it is the author's own estimate. `instruction` that
//!    sends the reader elsewhere (*See …*); with a citation and a number it is `quantitative`.
//! 5. What introduces a list and gives no number but a date or how many follow is a `transition`, whoever it names.
//!    `quantitative`; but `hedged` when nobody is cited or named and every number is (*could reach $9 billion by 2030*): of what may be,
//!    no page can be asked whether it is.
//! 6. `transition`: the document speaks of itself or of what follows.
//! 7. `attribution`; then what ends with a colon and has no citation is a `transition` as well.
//! 8. Other `instruction`, then `hedged`: a hedge outweighs certainty and comparison (*may be faster than*).
//! 9. `certainty`, `comparison`, else `plain`.
//!
//! Last, what 5, 7 and 9 found without a citation is an `instruction` when the sentence asks for something to be done. What says
//! that somebody should do something is one too; with a number it is `plain`, for it may be a law.

use std::borrow::Cow;
use std::cell::LazyCell;

use super::ClaimKind;
use super::cues::{CUES, Sign};
use super::imperative::{is_imperative, is_norm};
use super::imprint::tells_the_scope;
use super::joints::{begins_with, between, cuts, has_finite_verb};
use super::labels::is_caption;
use super::names::has_only_names;
use crate::pattern::Pattern;
use cited_text::lexicon::Languages;
use cited_text::marks::{is_closing_mark, is_mark, is_opening_mark};
use cited_text::quantity::{Dimension, Measure, Quantity, is_measured, quantities};
use cited_text::quotation::{Quotation, quotations};
use cited_text::script::is_cjk;
use cited_text::words::words;

/// In scripts without spaces marks of quotation also set off terms: shorter ones than this, in words of two characters,
/// say nothing by themselves.
const SHORTEST_CJK_QUOTATION: usize = 6;

/// A quotation of fewer words says something only where somebody is named who said it: “plug and play” is a term.
const SHORTEST_QUOTATION: usize = 5;

/// What `text` is, shown words without markers, of a document in these languages, and whether it starts with a word that leans on the
/// sentence before. `cited`: whether it has a citation of its own.
pub(super) fn statement(text: &str, cited: bool, beside: Languages) -> (ClaimKind, bool) {
    let signs = CUES.find(text, beside);
    let kind = match kind_by_signs(text, cited, signs) {
        // What is asked for is neither true nor false, whatever numbers and comparisons it is asked with.
        ClaimKind::Quantitative | ClaimKind::Comparison | ClaimKind::Certainty if !cited && is_imperative(text) => {
            ClaimKind::Instruction
        }
        // A fragment may only look like a verb and its object: *Cost structure*.
        ClaimKind::Plain | ClaimKind::Comparison
            if !cited && unquoted_end(text).ends_with(STOPS) && (is_imperative(text) || is_norm(text)) =>
        {
            ClaimKind::Instruction
        }
        // *Owners must vaccinate 80% of kittens* may be the writer's wish or the law: it stays, and is told to have no source.
        ClaimKind::Quantitative if !cited && is_norm(text) => ClaimKind::Plain,
        kind => kind,
    };
    (kind, Sign::Leans.is_in(signs))
}

/// Whether a text starts with a word that leans on the sentence before: *This*, *It*, *However*.
pub fn leans(text: &str) -> bool {
    Sign::Leans.is_in(CUES.find(text, Languages::ALL))
}

/// What a cell with `text` states. A table is data: any number in it is a measured one.
pub(super) fn statement_in_cell(text: &str, cited: bool) -> ClaimKind {
    match statement(text, cited, Languages::ALL).0 {
        kind @ (ClaimKind::Todo | ClaimKind::Question) => kind,
        _ if starts_with_value(text) => ClaimKind::Quantitative,
        ClaimKind::Chatter | ClaimKind::Instruction | ClaimKind::Transition => ClaimKind::Plain,
        kind => kind,
    }
}

/// `text` without the quotes and brackets that close after its last stop.
fn unquoted_end(text: &str) -> &str {
    text.trim_end_matches(|c| is_closing_mark(c) || matches!(c, ')' | '）'))
}

/// The first kind that a sentence shows.
fn kind_by_signs(text: &str, cited: bool, signs: u32) -> ClaimKind {
    let has = |sign: Sign| sign.is_in(signs);
    let end = unquoted_end(text);
    let attributed = cited || has(Sign::Attribution);
    let introduces = end.ends_with([':', '：']);
    // *Figure 3 shows the years from 2010 to 2024* speaks of the document as well.
    let of_document = || has(Sign::Itself) || has(Sign::Transition) || is_caption(text);
    // Where no word counts and no digit stands there is no quantity.
    let counts = has(Sign::Number) || text.contains(|c: char| matches!(c, '0'..='9' | '０'..='９'));
    let has_quantity = LazyCell::new(|| counts && is_measured(text));
    let measures = LazyCell::new(|| {
        *has_quantity && !has_only_names(text) && (!text.contains('《') || is_measured(&without_titles(text)))
    });
    // *Some analysts argue* names nobody who says it.
    let is_said_by_somebody = || {
        let mut words = words(text);
        let first_is_small = words.next().is_some_and(|first| first.stop);
        has(Sign::Attribution) && !(first_is_small && words.all(|word| word.stop || !word.capital))
    };
    let rows: [(&dyn Fn() -> bool, ClaimKind); 18] = [
        (&|| has(Sign::Talk) && !cited && !text.starts_with(is_opening_mark), ClaimKind::Chatter),
        (&|| has(Sign::Todo), ClaimKind::Todo),
        (&|| end.ends_with(['?', '？', '؟']), ClaimKind::Question),
        (
            &|| text.contains(is_mark) && quotations(text).iter().any(|one| speaks(one, text, attributed)),
            ClaimKind::Quotation,
        ),
        (&|| has(Sign::Opinion), ClaimKind::Opinion),
        (&|| has(Sign::Pointer) && !cited, ClaimKind::Instruction),
        (&|| cited && *has_quantity, ClaimKind::Quantitative),
        (
            &|| has(Sign::Hedge) && *has_quantity && !is_said_by_somebody() && hedges_its_numbers(text),
            ClaimKind::Hedged,
        ),
        (&|| has(Sign::Itself) && !attributed && *measures && tells_the_scope(text), ClaimKind::Transition),
        (&|| (introduces || of_document()) && *measures && only_leads(text, of_document()), ClaimKind::Transition),
        (&|| *measures, ClaimKind::Quantitative),
        // What only sends the reader to a page says nothing that the page could support.
        (&|| has(Sign::Pointer), ClaimKind::Instruction),
        // What introduces a list says what follows, whoever it names: `According to the survey:`.
        (&|| (introduces || has(Sign::Transition)) && !cited, ClaimKind::Transition),
        (&|| has(Sign::Attribution), ClaimKind::Attribution),
        (&|| has(Sign::Instruction) && !cited, ClaimKind::Instruction),
        (&|| has(Sign::Hedge), ClaimKind::Hedged),
        (&|| has(Sign::Certainty), ClaimKind::Certainty),
        // A fragment names what it compares and states nothing: `Gross vs. net returns`.
        (&|| has(Sign::Comparison) && (cited || end.ends_with(STOPS)), ClaimKind::Comparison),
    ];
    rows.into_iter().find(|(shows, _)| shows()).map_or(ClaimKind::Plain, |(_, kind)| kind)
}

/// What ends a sentence.
const STOPS: [char; 6] = ['.', '!', '…', '。', '！', '．'];

/// A text without the titles in it, whose numbers measure nothing (《战狼2》).
fn without_titles(text: &str) -> Cow<'_, str> {
    static TITLES: Pattern = Pattern::new("《[^》]*》");
    TITLES.replace_all(text, "《》")
}

/// Whether all that a sentence measures only leads to what follows it, or says what the document covers: *This report looks at the next 5 to
/// 10 years*, *The following table lists 3 options*.
fn only_leads(text: &str, of_document: bool) -> bool {
    /// The highest count that an introduction may give of what it introduces: *Three causes recur:*
    const LARGEST_LIST: f64 = 12.0;
    let words = without_titles(text);
    quantities(&words).iter().filter(|quantity| quantity.is_measured()).all(|quantity| match quantity.measure {
        Measure::Date(_) => true,
        Measure::Count => quantity.value <= LARGEST_LIST,
        // *Short-term (1–3 years):* names a span of time, and says nothing of what lasts so long.
        Measure::Physical(Dimension::Duration) => {
            let is_outside = |c: char| !c.is_alphanumeric() && c != '(' && c != '（';
            of_document || quantity.span.before(&words).trim_end_matches(is_outside).ends_with(['(', '（'])
        }
        _ => false,
    })
}

/// Whether each clause with a number is hedged: *sales fell by 12% and may fall further* says what was. A part without a verb goes with the
/// one before (*may rise by 12%, or by 14%*), and a condition says nothing.
fn hedges_its_numbers(text: &str) -> bool {
    let mut hedged = false;
    between(text, &cuts(text)).map(|part| part.slice(text)).all(|part| {
        let goes_with_the_last = hedged && !part.contains(is_cjk) && !has_finite_verb(part);
        hedged = goes_with_the_last || Sign::Hedge.is_in(CUES.find(part, Languages::ALL));
        let measures = || {
            let found = quantities(part);
            found.iter().any(|quantity| quantity.is_measured() && !matches!(quantity.measure, Measure::Date(_)))
        };
        hedged || begins_with(part, "condition") || !measures()
    })
}

/// Whether a sentence of nothing but a name, and in brackets what it is dated by, labels what stands below it: *Sleep (2021)*, *Findings
/// (since 2020)*.
pub(super) fn is_dated_label(text: &str) -> bool {
    let inner = text.strip_suffix([')', '）']).and_then(|inner| inner.rsplit_once(['(', '（']));
    let is_date = |quantity: &Quantity| quantity.is_temporal() || quantity.is_label();
    inner.is_some_and(|(name, dated)| {
        !name.contains(|c: char| c.is_ascii_digit()) && quantities(dated).iter().all(is_date)
    })
}

/// Whether a cell starts with a number that is no part of a name: *5%* and *12M*, and not *3D printing*, *5G* and *24/7*.
fn starts_with_value(text: &str) -> bool {
    let glued = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_glued =
        glued.len() < text.len() && glued.starts_with(|c: char| c.is_ascii_uppercase() || matches!(c, '/' | '-' | '('));
    let are_names = |found: &[Quantity]| !found.is_empty() && found.iter().all(Quantity::is_label);
    text.starts_with(|c: char| c.is_ascii_digit() || "+-−~≈<>≤≥$€£¥".contains(c))
        && text.contains(|c: char| c.is_ascii_digit())
        && !(is_glued && are_names(&quantities(text)))
}

/// Whether a quotation gives somebody's words, not a term: it is long, whole, or somebody is said to have said it.
fn speaks(quotation: &Quotation, text: &str, attributed: bool) -> bool {
    let inner = quotation.inner.slice(text);
    // 《…》 sets off titles.
    if !quotation.is_verbatim() || quotation.span.slice(text).starts_with('《') {
        return false;
    }
    if inner.chars().any(is_cjk) {
        // Terms, and lists of them, are set off like quotations: “死刑减少、死缓替代”, “试点—推广—立法”.
        let is_term = inner.contains(['、', '—', '+', '/', '-', '→']) || quotation.words < SHORTEST_CJK_QUOTATION;
        return inner.contains(['，', '。', '！', '？', '；']) || attributed && !is_term;
    }
    let whole = inner.ends_with(['.', '!', ',']) && inner.starts_with(char::is_uppercase);
    attributed || whole || quotation.words >= SHORTEST_QUOTATION
}
