//! The skeleton of a ledger for a draft: a claim for each quantity and quotation, what proves them left to fill in.
//!
//! It speaks for more than the claims that a verifier judges: a reader takes a number of a heading, of HTML, code and front matter for
//! what the draft says, too.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::coverage::Summary;
use cited_core::citation::{self, Citations, KnownLabels};
use cited_core::claim::{self, Claim};
use cited_core::markdown::{BlockId, BlockKind, Document, Rendered};
use cited_fetch::html;
use cited_text::Span;
use cited_text::quantity::{Measure, Quantity};
use cited_text::sentence::sentences;

/// The longest statement, in bytes: a list of numbers without a stop would be repeated for each of them.
const LONGEST_STATEMENT: usize = 1_000;

/// The ledger of a draft. It fails until every `metric` and `sourceId` is filled in.
///
/// The summary is the draft's prose as a reader sees it, without markup and citation marks: that is what claims speak for.
/// A cell of a table is told with the heads of its row and column. Headings, HTML, code and front matter are there with
/// what says numbers or quotes.
///
/// ```
/// let draft = "Revenue rose **18%** [1].\n\n## Sources\n\n1. https://a.example/\n2. https://b.example/\n";
/// let ledger = cited_gate::skeleton::skeleton(draft);
/// assert_eq!(ledger["summary"], "Revenue rose 18%.");
/// assert_eq!(ledger["claims"][0]["value"], 18);
/// assert_eq!(ledger["claims"][0]["metric"], "");
/// ```
pub fn skeleton(draft: &str) -> Value {
    let document = Document::read(draft);
    let citations = citation::read(&document, &KnownLabels::default());
    let mut text = String::new();
    let mut block = None;
    let mut claimed = Vec::new();
    let claims = claim::split(&document, &citations);
    let mut beside = collect_unclaimed(&document, &citations, &claims).into_iter().peekable();
    for claim in claims {
        while let Some((_, told)) = beside.next_if(|(start, _)| *start < claim.span.start) {
            push(&mut text, "\n\n", &told, &mut claimed);
            block = None;
        }
        let heads = claim.context.as_deref().map_or(["", ""], |cell| [cell.row.trim(), cell.column.trim()]);
        let heads: String = heads.iter().filter(|head| !head.is_empty()).flat_map(|head| [head, ": "]).collect();
        let told = heads + claim.text.trim();
        push(&mut text, if block == Some(claim.block) { " " } else { "\n\n" }, &told, &mut claimed);
        block = Some(claim.block);
    }
    beside.for_each(|(_, told)| push(&mut text, "\n\n", &told, &mut claimed));
    let summary = Summary::new(&text);
    let sentences = sentences(&text);
    let sentence = |span: Span| {
        let around = |spans: &[Span]| {
            let after = spans.partition_point(|around| around.start <= span.start);
            spans[..after].last().filter(|around| around.contains(span)).copied()
        };
        // A cell or item without a full stop runs on into the next for whoever sees the text only.
        let around = around(&sentences).into_iter().chain(around(&claimed)).min_by_key(|span| span.len());
        nearby(&text, around.unwrap_or(span), span).slice(&text).trim().to_owned()
    };
    let numbers = (1..).zip(summary.amounts()).map(|(index, quantity)| {
        let (id, statement) = (format!("n{index}"), sentence(quantity.span));
        json!({"id": id, "kind": "number", "statement": statement, "metric": "", "value": value(quantity)})
    });
    let quotations = (1..).zip(&summary.quotations).map(|(index, quotation)| {
        let (id, statement, quote) = (format!("q{index}"), sentence(quotation.span), quotation.inner.slice(&text));
        json!({"id": id, "kind": "citation", "statement": statement, "quote": quote, "sourceId": ""})
    });
    let claims: Vec<Value> = numbers.chain(quotations).collect();
    json!({ "summary": text, "claims": claims, "metrics": {} })
}

/// Adds words to a summary, and where they stand to those that are claimed.
fn push(text: &mut String, parted: &str, words: &str, claimed: &mut Vec<Span>) {
    if !text.is_empty() {
        text.push_str(parted);
    }
    let start = text.len();
    text.push_str(words);
    claimed.push(Span::new(start, text.len()));
}

/// The words of a sentence that say a number: all of it, unless it is longer than any sentence that is read.
fn nearby(text: &str, sentence: Span, number: Span) -> Span {
    if sentence.len() <= LONGEST_STATEMENT {
        return sentence;
    }
    // No word is cut.
    let from = text.floor_char_boundary(number.start.saturating_sub(LONGEST_STATEMENT / 2)).max(sentence.start);
    let to = text.ceil_char_boundary((number.end + LONGEST_STATEMENT / 2).min(text.len())).min(sentence.end);
    let before = text[from..number.start].find(' ').map_or(number.start, |at| from + at + 1);
    let behind = text[number.end..to].rfind(' ').map_or(number.end, |at| number.end + at);
    Span::new(if from > sentence.start { before } else { from }, if to < sentence.end { behind } else { to })
}

/// The number as written; of money, magnitudes and units in the unit that is written.
fn value(quantity: &Quantity) -> Value {
    let value = match (quantity.measure, quantity.upper) {
        (Measure::Ratio, Some(upper)) if upper != 0.0 => quantity.value / upper,
        _ => quantity.raw,
    };
    if value.fract() == 0.0 && value.abs() < 1e15 { json!(value as i64) } else { json!(value) }
}

/// The headings and the lines of HTML, code and front matter that say numbers or quote. What holds a claim has been said,
/// and lists of sources and the sections of an earlier run say nothing of their own. Each with the place of its block in the draft.
fn collect_unclaimed(document: &Document, citations: &Citations, claims: &[Claim]) -> Vec<(usize, String)> {
    let held = citations.held();
    let claimed: HashSet<BlockId> = claims.iter().map(|claim| claim.block).collect();
    let mut told = Vec::new();
    for (id, block) in document.blocks() {
        let start = block.span.start;
        if held.overlap(Span::new(start, start + 1)) || claimed.contains(&id) {
            continue;
        }
        let says = |line: &&str| Summary::new(line).states_amounts();
        let source = document.slice(block.span);
        // What a reader sees of it.
        let shown = match block.kind {
            BlockKind::Heading(_) => Rendered::render(document, id, &[]).text,
            BlockKind::Html => {
                let html::Html { main, rest, .. } = html::read(source, None, true);
                format!("{main}\n{rest}")
            }
            // The words behind an opening fence name a language.
            BlockKind::Code { fenced: true } => source.split_once('\n').map_or("", |(_, inner)| inner).to_owned(),
            BlockKind::Code { fenced: false } | BlockKind::Metadata => source.to_owned(),
            _ => continue,
        };
        let lines = shown.lines().map(str::trim).filter(says);
        told.extend(lines.map(|line| (start, line.to_owned())));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(draft: &str, statements: &[&str]) {
        let ledger = skeleton(draft);
        let claims = ledger["claims"].as_array().unwrap();
        let found: Vec<&str> = claims.iter().map(|claim| claim["statement"].as_str().unwrap()).collect();
        assert_eq!(found, statements, "{draft}");
        let summary = ledger["summary"].as_str().unwrap();
        assert!(found.iter().all(|statement| summary.contains(statement)), "{summary}");
    }

    #[test]
    fn every_number_has_a_statement_of_its_own_place() {
        check("It has 12 units. It had 9.", &["It has 12 units.", "It had 9."]);
        check(
            "| Shop | Sales | Staff |\n|---|---|---|\n| North | 1,200 | 14 |\n",
            &["North: Sales: 1,200", "North: Staff: 14"],
        );
        let long = skeleton(&"5 ".repeat(2_000));
        assert!(long.to_string().len() < 4_000_000);
        // A number alone says of nothing what it is, and speaks for one place only.
        let long = skeleton(&"12 apples, ".repeat(200));
        assert!(long["claims"][100]["statement"].as_str().unwrap().contains("12 apples, 12 apples"));
        check("- Foo: 12 units\n- Bar: 14 units\n", &["Foo: 12 units", "Bar: 14 units"]);
    }

    #[test]
    fn what_is_no_prose_is_spoken_for_too() {
        check(
            "# Revenue rose **18%** in 2024\n\nAll went well.\n\n## Costs fell by 40%\n",
            &["Revenue rose 18% in 2024", "Costs fell by 40%"],
        );
        check("All went well.\n\n<p>We have <b>31</b> shops.</p>\n", &["We have 31 shops."]);
        check("All went well.\n\n```yaml\nshop: north\nmargin: 66%\n```\n", &["margin: 66%"]);
        check("All went well.\n\n    margin: 66%\n", &["margin: 66%"]);
        check("---\ntitle: Revenue rose 18%\n---\n\nAll went well.\n", &["title: Revenue rose 18%"]);
        check("> # Revenue rose 18%\n\n- ## Costs fell by 40%\n", &["Revenue rose 18%", "Costs fell by 40%"]);
        check("# They call it “the best week yet”\n", &["They call it “the best week yet”"]);
        let ledger = skeleton("# It rose 18%\n\nSo it did. And well.\n\n```\na: 66%\n```\n\nIndeed.\n");
        assert_eq!(ledger["summary"], "It rose 18%\n\nSo it did. And well.\n\na: 66%\n\nIndeed.");
    }

    #[test]
    fn what_states_no_number_of_its_own_is_left_out() {
        check("# Week 24 of 2024\n\nIt has 12 units.\n", &["It has 12 units."]);
        check("<!-- It has 14 units. -->\n\n<p hidden>It has 14.</p>\n\nIt has 12 units.\n", &["It has 12 units."]);
        check("```rust\nlet all = well;\n```\n\nIt has 12 units.\n", &["It has 12 units."]);
        check("## It rose 18% [1]\n\n## 2 Sources\n\n1. https://a.example/\n2. https://b.example/\n", &["It rose 18%"]);
    }
}
