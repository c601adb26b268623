//! The skeleton of a ledger for a draft: a claim for each quantity and quotation, what proves them left to fill in.

use serde_json::{Value, json};

use super::coverage::Summary;
use crate::citation::{self, KnownLabels};
use crate::claim;
use crate::markdown::Document;
use crate::text::Span;
use crate::text::quantity::{Measure, Quantity};
use crate::text::sentence::sentences;

/// The ledger of a draft. It fails until every `metric` and `sourceId` is filled in.
///
/// The summary is the draft's prose as a reader sees it, without markup and citation marks: that is what claims speak for.
///
/// ```
/// let draft = "Revenue rose **18%** [1].\n\n## Sources\n\n1. https://a.example/\n2. https://b.example/\n";
/// let ledger = cited::gate::skeleton::skeleton(draft);
/// assert_eq!(ledger["summary"], "Revenue rose 18%.");
/// assert_eq!(ledger["claims"][0]["value"], 18);
/// assert_eq!(ledger["claims"][0]["metric"], "");
/// ```
pub fn skeleton(draft: &str) -> Value {
    let document = Document::read(draft);
    let citations = citation::read(&document, &KnownLabels::default());
    let mut text = String::new();
    let mut block = None;
    for claim in claim::split(&document, &citations) {
        if !text.is_empty() {
            text.push_str(if block == Some(claim.block) { " " } else { "\n\n" });
        }
        block = Some(claim.block);
        text.push_str(claim.text.trim());
    }
    let summary = Summary::new(&text);
    let sentences = sentences(&text);
    let sentence = |span: Span| {
        let around = sentences.iter().find(|sentence| sentence.contains(span)).copied().unwrap_or(span);
        around.of(&text).trim().to_owned()
    };
    let mut claims = Vec::new();
    for (index, quantity) in summary.amounts().enumerate() {
        claims.push(json!({
            "id": format!("n{}", index + 1),
            "kind": "number",
            "statement": sentence(quantity.span),
            "metric": "",
            "value": value(quantity),
        }));
    }
    for (index, quotation) in summary.quotations().iter().enumerate() {
        claims.push(json!({
            "id": format!("q{}", index + 1),
            "kind": "citation",
            "statement": sentence(quotation.span),
            "quote": quotation.inner.of(&text),
            "sourceId": "",
        }));
    }
    json!({ "summary": text, "claims": claims, "metrics": {} })
}

/// The number as written; of money, magnitudes and units in the unit that is written.
fn value(quantity: &Quantity) -> Value {
    let value = match (quantity.measure, quantity.upper) {
        (Measure::Ratio, Some(upper)) if upper != 0.0 => quantity.value / upper,
        _ => quantity.raw,
    };
    if value.fract() == 0.0 && value.abs() < 1e15 { json!(value as i64) } else { json!(value) }
}
