//! What a judge is asked: one page with all claims that cite it, and nothing else.

use serde::Serialize;
use serde_json::{Value, json};

use super::super::page::SourceText;
use crate::evidence::ContextKind;
use crate::evidence::search::terms;
use cited_core::page::sha256_hex;
use cited_text::Span;

/// The name and version of what is asked.
pub const SCHEMA: &str = "cited/judge/2";
/// So many claims are asked about at once.
pub(super) const MOST_CLAIMS: usize = 20;
/// A page is shown whole up to so many characters; of a longer one so much is shown.
const MOST_SHOWN: usize = 12_000;
/// So many passages of a longer page are taken for a claim, as far as they fit.
const PASSAGES: usize = 12;
/// So many sentences on either side go with them; and so many more, where there is room.
const NEIGHBOURS: [usize; 2] = [1, 4];

/// One question.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Question<'a> {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The page's title.
    pub title: Option<&'a str>,
    /// Its address.
    pub address: Option<&'a str>,
    /// When it was published.
    pub date: Option<&'a str>,
    /// Its text: all of it, or the parts that speak to the claims, in their order.
    pub page: String,
    /// The claims, each with its number.
    pub claims: Vec<NumberedClaim<'a>>,
    /// The same in words, for a language model.
    pub prompt: String,
    /// What the answer has to be, as a JSON Schema.
    pub answer_schema: Value,
}

/// A claim that is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct NumberedClaim<'a> {
    /// Its number, from 1 on.
    pub id: usize,
    /// Its text.
    pub text: &'a str,
}

impl<'a> Question<'a> {
    /// The question about some claims and a page.
    pub fn new(claims: &[&'a str], source: &'a SourceText<'_>) -> Self {
        let asked = claims.iter().enumerate().map(|(at, &text)| NumberedClaim { id: at + 1, text });
        let mut question = Question {
            schema: SCHEMA,
            title: source.title.as_deref(),
            address: source.address.as_deref(),
            date: source.date.as_deref(),
            page: select_text(claims, source),
            claims: asked.collect(),
            prompt: String::new(),
            answer_schema: answer_schema(claims.len()),
        };
        question.prompt = question.in_words();
        question
    }

    /// The question in words. The marker is made from the texts, so that none of them can contain it.
    fn in_words(&self) -> String {
        let parts = [self.title, self.address, self.date, Some(self.page.as_str())].into_iter().flatten();
        let marker = &hash_of(parts.chain(self.claims.iter().map(|claim| claim.text)))[..16];
        let mut prompt = include_str!("prompt.md").to_owned();
        for (name, value) in [("title", self.title), ("address", self.address), ("date", self.date)] {
            value
                .into_iter()
                .for_each(|value| prompt.push_str(&format!("<{name} {marker}>{value}</{name} {marker}>\n")));
        }
        prompt.push_str(&format!("<page {marker}>\n{}\n</page {marker}>\n", self.page));
        for claim in &self.claims {
            prompt.push_str(&format!("<claim {} {marker}>{}</claim {} {marker}>\n", claim.id, claim.text, claim.id));
        }
        prompt
    }
}

/// A hash of some texts, of which none can be taken for a part of another.
pub(super) fn hash_of<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let counted = texts.flat_map(|text| [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat());
    sha256_hex(&counted.collect::<Vec<u8>>())
}

/// The JSON Schema of an answer about so many claims: a small model that is held to it would list answers for ever.
fn answer_schema(claims: usize) -> Value {
    let text = json!({"type": "string"});
    let answer = json!({
        "type": "object",
        "properties": {
            "id": {"type": "integer"},
            "quotation": text,
            "missing": text,
            "verdict": {"type": "string", "enum": ["supported", "contradicted", "not_in_source", "partly"]},
            "confidence": {"type": "number"}
        },
        "required": ["id", "quotation", "missing", "verdict", "confidence"],
        "additionalProperties": false
    });
    json!({
        "type": "object",
        "properties": {"answers": {"type": "array", "items": answer, "minItems": claims, "maxItems": claims}},
        "required": ["answers"],
        "additionalProperties": false
    })
}

/// What is shown of a page: all of it, or the sentences that have most of each claim in turn, with their headings, and
/// those around them.
fn select_text(claims: &[&str], source: &SourceText<'_>) -> String {
    let (index, text) = (&source.index, source.index.text());
    if text.chars().take(MOST_SHOWN + 1).count() <= MOST_SHOWN {
        return text.to_owned();
    }
    let ranked = claims.iter().map(|claim| {
        let windows = index.search(&terms(claim), PASSAGES);
        // What stands round them tells when, and whom they are about.
        let around = |reach: usize| {
            let last = index.len() - 1;
            windows.iter().flat_map(move |w| w.first.saturating_sub(reach)..=(w.last + reach).min(last))
        };
        NEIGHBOURS.into_iter().flat_map(around).collect::<Vec<_>>()
    });
    let ranked: Vec<Vec<usize>> = ranked.collect();
    let mut taken: Vec<Span> = Vec::new();
    let mut room = MOST_SHOWN;
    let mut take = |span: Span| {
        let length = span.slice(text).chars().count() + 1;
        if !taken.contains(&span) && length <= room {
            room -= length;
            taken.push(span);
        }
    };
    let most = ranked.iter().map(Vec::len).max().unwrap_or(0);
    for rank in 0..most {
        for sentence in ranked.iter().filter_map(|all| all.get(rank)) {
            let span = index.span_of(*sentence, *sentence);
            let over = source.evidence().unit_at(span.start);
            let hung = [ContextKind::Heading, ContextKind::Caption, ContextKind::ColumnHead, ContextKind::Introduction];
            let hung = over.into_iter().flat_map(|unit| hung.into_iter().flat_map(move |kind| unit.hangs_on(kind)));
            hung.for_each(&mut take);
            take(span);
        }
    }
    // A claim in wholly other words is told by the page's beginning.
    (0..index.len()).map(|at| index.span_of(at, at)).take_while(|span| span.end <= MOST_SHOWN).for_each(&mut take);
    taken.sort_by_key(|span| (span.start, span.end));
    let mut page = String::new();
    let mut end = 0;
    for span in taken {
        if span.start >= end {
            let gap = text[end..span.start].chars().any(char::is_alphanumeric);
            page.push_str(if gap { "\n[…]\n" } else { "\n" });
            page.push_str(span.slice(text));
            end = span.end;
        }
    }
    page
}
