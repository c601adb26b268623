//! A claim ledger as it is handed in, read strictly: what is not understood to the letter is a fault of its claim.
//!
//! Reading goes on behind a fault, so that every claim is reported, and so that a claim may have several faults.

use std::collections::HashMap;

use super::json::{self, Name, Node, Value};
use cited_core::finding::{Code, Finding};
use cited_text::Span;

/// How far a claimed value may be from the recomputed one when the claim does not say: half a percent of it.
pub const TOLERANCE: f64 = 0.005;

/// The most claims that are read: more is no ledger of one artifact.
const MOST_CLAIMS: usize = 100_000;

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
    pub metrics: Vec<(Written, Written)>,
    /// What is wrong with the ledger as a whole.
    pub faults: Vec<Finding>,
}

/// A text of the ledger and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Written {
    /// The text.
    pub text: String,
    /// Its bytes in the ledger, quotation marks included.
    pub span: Span,
}

/// One claim as handed in.
#[derive(Debug, Clone)]
pub struct Claim {
    /// Its name; `claims[3]` when it has none.
    pub id: String,
    /// Its bytes in the ledger.
    pub span: Span,
    /// The words of the summary that it speaks for; empty when missing.
    pub statement: Written,
    /// What it claims.
    pub body: Body,
    /// What is wrong with how it is written.
    pub faults: Vec<Finding>,
}

/// What a claim claims.
#[derive(Debug, Clone)]
pub enum Body {
    /// That a metric has a value.
    Number(NumberClaim),
    /// That a source has words.
    Citation(CitationClaim),
    /// Nothing that could be understood.
    Broken,
}

/// That a metric has a value.
#[derive(Debug, Clone)]
pub struct NumberClaim {
    /// The name of the metric.
    pub metric: Written,
    /// What the model says that it is.
    pub value: Number,
    /// How far the recomputed value may be from it, as a part of the recomputed value. `None` when the ledger does not say.
    pub tolerance: Option<f64>,
}

impl NumberClaim {
    /// How far the recomputed value may be from the claimed one, as a part of it.
    pub fn tolerance(&self) -> f64 {
        self.tolerance.unwrap_or(TOLERANCE)
    }
}

/// A number as written.
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    /// Its value.
    pub value: f64,
    /// The same, when it is written as a whole number of 64 bits: then nothing is lost in comparing.
    pub whole: Option<i64>,
    /// Its bytes in the ledger.
    pub span: Span,
}

/// That a source has words.
#[derive(Debug, Clone)]
pub struct CitationClaim {
    /// The words.
    pub quote: Written,
    /// The source.
    pub source_id: Written,
}

/// Reads a ledger. Cannot fail: what is wrong is in its faults and those of its claims.
///
/// ```
/// use cited_gate::ledger::read;
/// let ledger = read(r#"{"summary": "Up 8%.", "claims": [{"id": "n", "kind": "nummer"}]}"#);
/// assert_eq!(ledger.claims[0].faults[0].message, "claim `n`: unknown kind `nummer`; it is `number` or `citation`");
/// ```
pub fn read(text: &str) -> Ledger {
    let mut ledger = Ledger::default();
    let (span, members) = match root(text, "ledger") {
        Ok(read) => read,
        Err(fault) => return Ledger { faults: vec![fault], ..ledger },
    };
    let mut summary = false;
    let mut claims = false;
    for (name, node) in members {
        match name.text.as_str() {
            "summary" => {
                summary = true;
                ledger.summary_span = node.span;
                match text_of(&node, "summary", "") {
                    Ok(written) => ledger.summary = written.text,
                    Err(fault) => ledger.faults.push(fault),
                }
            }
            "claims" => {
                claims = true;
                ledger.read_claims(node);
            }
            "metrics" => ledger.read_metrics(node),
            other => ledger.faults.push(unknown_field(other, &name, "", &["summary", "claims", "metrics"])),
        }
    }
    if !summary {
        ledger.faults.push(malformed("the ledger has no `summary`: nothing says what it is a ledger of", span));
    } else if ledger.summary.trim().is_empty() && ledger.faults.is_empty() {
        let message = "the summary is empty: there is nothing to accept";
        ledger.faults.push(Finding::new(Code::LedgerEmpty, message).at(span));
    }
    if !claims {
        ledger.faults.push(malformed("the ledger has no `claims`", span));
    }
    ledger.find_duplicates();
    ledger
}

impl Ledger {
    fn read_claims(&mut self, node: Node) {
        let kind = node.kind();
        let Value::List(nodes) = node.value else {
            self.faults.push(malformed(format!("`claims` is {kind}; it must be a list"), node.span));
            return;
        };
        if nodes.len() > MOST_CLAIMS {
            let message = format!("{} claims; a ledger has {MOST_CLAIMS} at most", nodes.len());
            self.faults.push(malformed(message, node.span));
            return;
        }
        self.claims = nodes.into_iter().enumerate().map(|(index, node)| read_claim(index, node)).collect();
    }

    fn read_metrics(&mut self, node: Node) {
        let kind = node.kind();
        let Value::Object(members) = node.value else {
            let message = format!("`metrics` is {kind}; it must be an object of names and metrics");
            self.faults.push(malformed(message, node.span));
            return;
        };
        for (name, node) in members {
            match text_of(&node, &format!("metrics.{}", name.text), "") {
                Ok(metric) => self.metrics.push((Written { text: name.text, span: name.span }, metric)),
                Err(fault) => self.faults.push(fault),
            }
        }
    }

    fn find_duplicates(&mut self) {
        let mut first: HashMap<String, usize> = HashMap::new();
        for index in 0..self.claims.len() {
            let claim = &self.claims[index];
            let Some(&earlier) = first.get(&claim.id) else {
                first.insert(claim.id.clone(), index);
                continue;
            };
            let message = format!("claim `{}`: this id is taken by another claim", claim.id);
            let fault = |span| Finding::new(Code::DuplicateClaim, message.clone()).at(span);
            let (span, earlier_span) = (claim.span, self.claims[earlier].span);
            self.claims[index].faults.push(fault(span));
            // Neither of the two can be told from the other.
            if !self.claims[earlier].faults.iter().any(|fault| fault.code == Code::DuplicateClaim) {
                self.claims[earlier].faults.push(fault(earlier_span));
            }
        }
    }
}

/// The members of a text that is one object, with its place; `what` it should be is told where it is none.
pub(super) fn root(text: &str, what: &str) -> Result<(Span, Vec<(Name, Node)>), Finding> {
    let node = json::read(text).map_err(|fault| {
        let at = Span::new(fault.at, fault.at + text[fault.at..].chars().next().map_or(0, char::len_utf8));
        malformed(format!("not a {what}, as it is not JSON: {fault}"), at)
    })?;
    match node.value {
        Value::Object(members) => Ok((node.span, members)),
        _ => Err(malformed(format!("not a {what}: {} and no object", node.kind()), node.span)),
    }
}

/// A finding that something is not written as a ledger is.
pub(super) fn malformed(message: impl Into<String>, span: Span) -> Finding {
    Finding::new(Code::LedgerMalformed, message).at(span)
}

pub(super) fn unknown_field(field: &str, name: &Name, of: &str, known: &[&str]) -> Finding {
    let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    malformed(format!("{of}unknown field `{field}`; the fields are {}", known.join(", ")), name.span)
}

fn text_of(node: &Node, field: &str, of: &str) -> Result<Written, Finding> {
    match &node.value {
        Value::Text(text) => Ok(Written { text: text.clone(), span: node.span }),
        _ => Err(malformed(format!("{of}`{field}` is {}; it must be a text", node.kind()), node.span)),
    }
}

/// The members of a claim by name, and what is wrong with them.
pub(super) struct Members {
    left: Vec<(Name, Node)>,
    pub(super) of: String,
    pub(super) span: Span,
    pub(super) faults: Vec<Finding>,
}

impl Members {
    /// Those of the claim at this place of a list.
    pub(super) fn of_claim(index: usize, node: Node) -> Result<Members, Finding> {
        let (place, kind, span) = (format!("`claims[{index}]`"), node.kind(), node.span);
        match node.value {
            Value::Object(left) => Ok(Members { left, of: format!("{place}: "), span, faults: Vec::new() }),
            _ => Err(malformed(format!("{place} is {kind}; a claim is an object"), span)),
        }
    }

    /// Tells the members that are left.
    pub(super) fn refuse_others(&mut self, known: &[&str]) {
        for (name, _) in std::mem::take(&mut self.left) {
            self.faults.push(unknown_field(&name.text, &name, &self.of, known));
        }
    }

    /// A text that says something where it is there.
    pub(super) fn optional(&mut self, field: &str) -> Option<Written> {
        let is_there = self.left.iter().any(|(name, _)| name.text == field);
        if is_there { self.text(field, None) } else { None }
    }

    pub(super) fn take(&mut self, field: &str) -> Option<Node> {
        let at = self.left.iter().position(|(name, _)| name.text == field)?;
        Some(self.left.remove(at).1)
    }

    pub(super) fn missing(&mut self, field: &str) {
        self.faults.push(malformed(format!("{}`{field}` is missing", self.of), self.span));
    }

    /// A text that has to be there and say something.
    pub(super) fn text(&mut self, field: &str, why: Option<(Code, &str)>) -> Option<Written> {
        let Some(node) = self.take(field) else {
            self.missing(field);
            return None;
        };
        match text_of(&node, field, &self.of) {
            Ok(written) if written.text.trim().is_empty() => {
                let (code, why) = why.unwrap_or((Code::LedgerMalformed, "is empty"));
                self.faults.push(Finding::new(code, format!("{}`{field}` {why}", self.of)).at(written.span));
                None
            }
            Ok(written) => Some(written),
            Err(fault) => {
                self.faults.push(fault);
                None
            }
        }
    }

    fn number(&mut self, field: &str) -> Option<Number> {
        let node = self.take(field)?;
        let Value::Number(written) = &node.value else {
            let message = format!("{}`{field}` is {}; it must be a number", self.of, node.kind());
            self.faults.push(malformed(message, node.span));
            return None;
        };
        match written.parse::<f64>() {
            Ok(value) if value.is_finite() => Some(Number { value, whole: written.parse().ok(), span: node.span }),
            _ => {
                let message = format!("{}`{field}` is larger than any number that can be compared", self.of);
                self.faults.push(malformed(message, node.span));
                None
            }
        }
    }
}

fn read_claim(index: usize, node: Node) -> Claim {
    let (place, span) = (format!("claims[{index}]"), node.span);
    let mut members = match Members::of_claim(index, node) {
        Ok(members) => members,
        Err(fault) => {
            return Claim { id: place, span, statement: Written::default(), body: Body::Broken, faults: vec![fault] };
        }
    };
    let id = members.text("id", None).map_or(place, |id| id.text);
    members.of = format!("claim `{id}`: ");
    let kind = members.text("kind", None);
    let broken = kind.as_ref().is_none_or(|kind| !matches!(kind.text.as_str(), "number" | "citation"));
    let statement = if broken {
        members.take("statement").and_then(|node| text_of(&node, "statement", "").ok())
    } else {
        members.text("statement", None)
    };
    let body = match kind.as_ref().map(|kind| kind.text.as_str()) {
        Some("number") => number_claim(&mut members),
        Some("citation") => citation_claim(&mut members),
        Some(other) => {
            let message = format!("{}unknown kind `{other}`; it is `number` or `citation`", members.of);
            members.faults.push(malformed(message, kind.map_or(span, |kind| kind.span)));
            Body::Broken
        }
        None => Body::Broken,
    };
    // What the fields of a claim of no kind are is anybody's guess.
    if !broken {
        let known: &[&str] = match body {
            Body::Citation(_) => &["id", "kind", "statement", "quote", "sourceId"],
            _ => &["id", "kind", "statement", "metric", "value", "tolerance"],
        };
        members.refuse_others(known);
    }
    Claim { id, span, statement: statement.unwrap_or_default(), body, faults: members.faults }
}

fn number_claim(members: &mut Members) -> Body {
    let metric =
        members.text("metric", Some((Code::MetricUnknown, "is left to fill in: name the metric that gives it")));
    let faults = members.faults.len();
    let value = members.number("value");
    if value.is_none() && members.faults.len() == faults {
        members.missing("value");
    }
    let tolerance = members.number("tolerance");
    let fits = |tolerance: &Number| (0.0..1.0).contains(&tolerance.value);
    if let Some(tolerance) = tolerance.as_ref().filter(|tolerance| !fits(tolerance)) {
        let message = format!("{}`tolerance` is a part of the value, from 0 to less than 1", members.of);
        members.faults.push(malformed(message, tolerance.span));
    }
    match (metric, value) {
        (metric, Some(value)) => Body::Number(NumberClaim {
            metric: metric.unwrap_or_default(),
            value,
            tolerance: tolerance.filter(fits).map(|tolerance| tolerance.value),
        }),
        _ => {
            // The kind was understood: its other fields are known, and no further fault.
            members.left.retain(|(name, _)| !matches!(name.text.as_str(), "metric" | "value" | "tolerance"));
            Body::Broken
        }
    }
}

fn citation_claim(members: &mut Members) -> Body {
    let quote = members.text("quote", Some((Code::QuoteMismatch, "is empty: an empty quotation says nothing")));
    let source = members.text("sourceId", Some((Code::SourceUnknown, "is left to fill in: name the source")));
    Body::Citation(CitationClaim { quote: quote.unwrap_or_default(), source_id: source.unwrap_or_default() })
}
