//! A claim ledger as it is handed in, read strictly: what is not understood to the letter is a fault of its claim.
//!
//! Each claim is read by itself, so that every claim is reported, whatever is wrong with another.

use std::collections::BTreeMap;
use std::fmt::Display;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Number, Value};

use super::json::Node;
use cited_core::finding::{Code, Finding};
use cited_core::shape;
use cited_text::Span;

/// How far a claimed value may be from the recomputed one when the claim does not say: half a percent of it.
pub const TOLERANCE: f64 = 0.005;

/// A ledger as handed in.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// The artifact under test: the text whose numbers and quotations are claimed.
    pub summary: String,
    /// Where the summary stands in the ledger.
    pub summary_span: Span,
    /// The claims, in the order of the ledger.
    pub claims: Vec<Claim>,
    /// The metrics that the ledger declares, by name.
    pub metrics: BTreeMap<String, String>,
    /// What is wrong with the ledger as a whole.
    pub faults: Vec<Finding>,
}

/// One claim as handed in.
#[derive(Debug, Clone)]
pub struct Claim {
    /// Its name; `claims[3]` when it has none.
    pub id: String,
    /// The words of the summary that it speaks for; empty when missing.
    pub statement: String,
    /// What it claims, if that could be understood.
    pub body: Option<Body>,
    /// What is wrong with how it is written.
    pub faults: Vec<Finding>,
    /// Its bytes in the ledger.
    pub span: Span,
    /// Those of its fields.
    pub fields: BTreeMap<String, Span>,
}

impl Claim {
    /// Where a field stands; where the claim does when it has none of that name.
    pub fn locate(&self, field: &str) -> Span {
        self.fields.get(field).copied().unwrap_or(self.span)
    }
}

// `C` is the shape of its claims and `M` that of its metrics: each is read by itself.
/// A claim ledger.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Ledger")]
pub struct Shape<C, M> {
    /// The artifact under test.
    pub summary: String,
    /// What it claims.
    pub claims: Vec<C>,
    /// Metrics by name.
    #[serde(default)]
    pub metrics: BTreeMap<String, M>,
}

/// A claim of a ledger.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Claim")]
pub enum Body {
    /// That a metric has a value.
    Number(NumberClaim),
    /// That a source has words.
    Citation(CitationClaim),
}

/// That a metric has a value.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NumberClaim {
    /// What kind of claim it is.
    #[schemars(extend("const" = "number"))]
    pub kind: String,
    /// Its name.
    #[schemars(length(min = 1))]
    pub id: String,
    /// The words of the summary that it speaks for.
    #[schemars(length(min = 1))]
    pub statement: String,
    /// The name of the metric.
    #[schemars(length(min = 1))]
    pub metric: String,
    /// What it is claimed to be.
    pub value: Number,
    /// How far the recomputed value may be from it, as a part of that; 0.005 when left out.
    pub tolerance: Option<f64>,
}

impl NumberClaim {
    /// The claimed value.
    pub fn value(&self) -> f64 {
        self.value.as_f64().unwrap_or(f64::NAN)
    }

    /// How far the recomputed value may be from the claimed one, as a part of it.
    pub fn tolerance(&self) -> f64 {
        self.tolerance.unwrap_or(TOLERANCE)
    }
}

/// That a source has words.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CitationClaim {
    /// What kind of claim it is.
    #[schemars(extend("const" = "citation"))]
    pub kind: String,
    /// Its name.
    #[schemars(length(min = 1))]
    pub id: String,
    /// The words of the summary that it speaks for.
    #[schemars(length(min = 1))]
    pub statement: String,
    /// The words of the source.
    #[schemars(length(min = 1))]
    pub quote: String,
    /// The name of the source.
    #[schemars(length(min = 1))]
    pub source_id: String,
}

/// Reads a ledger. Cannot fail: what is wrong is in its faults and those of its claims.
///
/// ```
/// use cited_gate::ledger::read;
/// let ledger = read(r#"{"summary": "Up 8%.", "claims": [{"id": "n", "kind": "nummer"}]}"#);
/// assert_eq!(ledger.claims[0].faults[0].message, "its `kind` must be `number` or `citation`");
/// ```
pub fn read(text: &str) -> Ledger {
    let mut ledger = Ledger::default();
    for (name, node) in root::<Shape<Value, Value>>(text, "ledger", &mut ledger.faults) {
        match name.as_str() {
            "summary" => {
                ledger.summary_span = node.span();
                ledger.summary = node.value().unwrap_or_default();
            }
            "claims" => {
                ledger.claims = node.items().unwrap_or_default().into_iter().enumerate().map(read_claim).collect();
            }
            "metrics" => {
                let faults = &mut ledger.faults;
                let mut wrong = |message: String, node: Node<'_>| faults.push(malformed(message, node.span()));
                let members = node.members().map_err(|fault| wrong(format!("`metrics`: {fault}"), node));
                for (name, node) in members.unwrap_or_default() {
                    match node.value() {
                        Ok(metric) => drop(ledger.metrics.insert(name, metric)),
                        Err(_) => wrong(format!("`metrics.{name}` is {}; it must be a text", node.kind()), node),
                    }
                }
            }
            _ => {}
        }
    }
    if ledger.summary.trim().is_empty() && ledger.faults.is_empty() {
        let message = "the summary is empty: there is nothing to accept";
        ledger.faults.push(Finding::new(Code::LedgerEmpty, message).at(ledger.summary_span));
    }
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    ledger.claims.iter().for_each(|claim| *times.entry(claim.id.clone()).or_default() += 1);
    // None of them can be told from the others.
    for claim in ledger.claims.iter_mut().filter(|claim| times[&claim.id] > 1) {
        claim.faults.push(duplicate(claim.span));
    }
    ledger
}

/// The members of a text that is one object of the shape `T`. What is wrong with it goes to `faults`.
pub(super) fn root<'a, T: DeserializeOwned + JsonSchema>(
    text: &'a str,
    what: &str,
    faults: &mut Vec<Finding>,
) -> Vec<(String, Node<'a>)> {
    let read = Node::read(text);
    let what = if read.is_ok() { format!("not a {what}") } else { format!("not a {what}, as it is not JSON") };
    let members = read.and_then(|node| {
        let members = node.members()?;
        let wrong = shape::read_text::<T>(node.written).err();
        faults.extend(wrong.map(|wrong| malformed(format!("{what}: {wrong}"), node.span())));
        Ok(members)
    });
    members.unwrap_or_else(|fault| {
        let at = Span::new(fault.at, fault.at + text[fault.at..].chars().next().map_or(0, char::len_utf8));
        faults.push(malformed(format!("{what}: {fault}"), at));
        Vec::new()
    })
}

/// A finding that something is not written as a ledger is.
fn malformed(message: impl Into<String>, span: Span) -> Finding {
    Finding::new(Code::LedgerMalformed, message).at(span)
}

/// A finding that two claims have one name.
pub(super) fn duplicate(span: Span) -> Finding {
    Finding::new(Code::DuplicateClaim, "this id is taken by another claim").at(span)
}

/// A finding with the claim that it is about named in its message.
pub(super) fn named(id: &str, finding: Finding) -> Finding {
    Finding { message: format!("claim `{id}`: {}", finding.message), ..finding }
}

/// A claim of a list while it is read.
pub(super) struct Entry<'a> {
    pub(super) id: String,
    pub(super) node: Node<'a>,
    pub(super) members: BTreeMap<String, Node<'a>>,
    pub(super) faults: Vec<Finding>,
}

impl<'a> Entry<'a> {
    /// The claim at this place of a list. A field that is there and says nothing is a fault of it.
    pub(super) fn new((index, node): (usize, Node<'a>)) -> Self {
        let mut entry = Entry { id: format!("claims[{index}]"), node, members: BTreeMap::new(), faults: Vec::new() };
        match node.members() {
            Ok(members) => entry.members.extend(members),
            Err(fault) => entry.fault(fault),
        }
        entry.id = entry.text("id").filter(|id| !id.trim().is_empty()).unwrap_or(entry.id);
        let is_blank = |node: &Node<'_>| node.value::<String>().is_ok_and(|text| text.trim().is_empty());
        let blank = entry.members.iter().filter(|(_, node)| is_blank(node));
        entry.faults.extend(blank.map(|(name, node)| malformed(format!("`{name}` is empty: fill it in"), node.span())));
        entry
    }

    /// A field that is a text.
    pub(super) fn text(&self, field: &str) -> Option<String> {
        self.members.get(field)?.value().ok()
    }

    /// Adds to what is wrong with it.
    pub(super) fn fault(&mut self, why: impl Display) {
        self.faults.push(malformed(why.to_string(), self.node.span()));
    }

    /// Reads it as a claim of this shape.
    pub(super) fn read<T: DeserializeOwned + JsonSchema>(&mut self) -> Option<T> {
        shape::read_text(self.node.written).map_err(|why| self.fault(why)).ok()
    }
}

fn read_claim(place: (usize, Node<'_>)) -> Claim {
    let mut entry = Entry::new(place);
    let body = match entry.text("kind").as_deref() {
        Some("number") => entry.read::<NumberClaim>().map(Body::Number),
        Some("citation") => entry.read().map(Body::Citation),
        _ if !entry.faults.is_empty() => None,
        _ => {
            entry.fault("its `kind` must be `number` or `citation`");
            None
        }
    };
    if let Some(Body::Number(number)) = &body
        && number.tolerance.is_some_and(|tolerance| !(0.0..1.0).contains(&tolerance))
    {
        entry.fault("`tolerance` is a part of the value, from 0 to less than 1");
    }
    Claim {
        statement: entry.text("statement").unwrap_or_default(),
        body,
        span: entry.node.span(),
        fields: entry.members.into_iter().map(|(name, node)| (name, node.span())).collect(),
        id: entry.id,
        faults: entry.faults,
    }
}
