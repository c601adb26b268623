//! Clauses that carry a citation of their own, so that one of them may go alone: `X rose 5% [1], and Y fell 3% [2].`
//!
//! Only on request: a sentence is the usual unit. A sentence is cut only where every part ends with its own marker and
//! the next part begins with a comma, a semicolon or a conjunction; anything less clear stays whole.

use super::detect::statement;
use super::{Claim, Place};
use crate::citation::{Citations, MarkerId};
use crate::markdown::{Document, Rendered};
use crate::text::Span;

/// Words that join two clauses that can stand alone, by language.
const CONJUNCTIONS: &[&str] = &[
    "and",
    "but",
    "while",
    "whereas",
    "yet",
    "or", // English
    "und",
    "aber",
    "während",
    "sondern",
    "oder", // German
    "et",
    "mais",
    "tandis que",
    "ou", // French
    "y",
    "pero",
    "mientras que",
    "o", // Spanish
    "而",
    "但",
    "并且",
    "同时", // Chinese
];

/// Signs that part two clauses.
const PARTINGS: &[char] = &[',', ';', '，', '；', '、', '–', '—'];

/// `claims` with every sentence cut into its clauses where that is clear.
///
/// ```
/// use cited::{citation::{self, KnownLabels}, claim, markdown::Document};
/// let text = "X rose 5% [1], and Y fell 3% [2].\n\n# Sources\n\n1. https://a.example/\n2. https://b.example/\n";
/// let document = Document::read(text);
/// let citations = citation::read(&document, &KnownLabels::default());
/// let claims = claim::clauses(&document, &citations, claim::split(&document, &citations));
/// let texts: Vec<_> = claims.iter().map(|claim| claim.text.as_str()).collect();
/// assert_eq!(texts, ["X rose 5%", "Y fell 3%."]);
/// ```
pub fn clauses(document: &Document, citations: &Citations, claims: Vec<Claim>) -> Vec<Claim> {
    let mut out = Vec::with_capacity(claims.len());
    for claim in claims {
        match cut(document, citations, &claim) {
            Some(parts) => out.extend(parts),
            None => out.push(claim),
        }
    }
    out
}

/// The markers of each clause of a sentence, where every one ends with markers of its own; nothing where that is not clear.
pub(crate) fn markers_by_clause(document: &Document, citations: &Citations, claim: &Claim) -> Vec<Vec<MarkerId>> {
    let parts = cut(document, citations, claim).unwrap_or_default();
    parts.into_iter().map(|part| part.markers).collect()
}

fn cut(document: &Document, citations: &Citations, claim: &Claim) -> Option<Vec<Claim>> {
    let inside = |id: &&MarkerId| claim.span.contains(citations.marker(**id).span) && citations.marker(**id).standalone;
    let markers: Vec<MarkerId> = claim.markers.iter().filter(inside).copied().collect();
    if markers.len() < 2
        || markers.len() != claim.markers.len()
        || !matches!(claim.place, Place::Sentence | Place::Item)
    {
        return None;
    }
    let mut parts = Vec::with_capacity(markers.len());
    let mut start = claim.span.start;
    for (i, id) in markers.iter().enumerate() {
        let marker = citations.marker(*id).span;
        let last = i + 1 == markers.len();
        let end = if last { claim.span.end } else { marker.end };
        let after = &document.text()[marker.end..claim.span.end];
        if last && after.chars().any(char::is_alphanumeric) {
            return None;
        }
        // A marker is hidden with the space before it.
        let hidden: Vec<Span> = markers
            .iter()
            .map(|id| citations.marker(*id).span)
            .map(|span| Span::new(document.text()[..span.start].trim_end_matches([' ', '\t']).len(), span.end))
            .collect();
        let rendered = Rendered::of(document, claim.block, &hidden);
        let shown = Span::new(rendered.shown(start), rendered.shown(end));
        let text = shown.of(&rendered.text).split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.chars().any(char::is_alphanumeric) {
            return None;
        }
        parts.push(Claim {
            span: Span::new(start, end),
            kind: statement(&text, true).kind,
            text,
            markers: vec![*id],
            dangling: claim.dangling && i == 0,
            introduces: claim.introduces && last,
            continues: i > 0,
            ..claim.clone()
        });
        if !last {
            start = marker.end + connector(after)?;
        }
    }
    Some(parts)
}

/// The length of what joins the next clause at the start of `text`; `None` when nothing does.
fn connector(text: &str) -> Option<usize> {
    let trimmed = text.trim_start();
    let parting = trimmed.strip_prefix(PARTINGS).unwrap_or(trimmed).trim_start();
    let is_end = |rest: &str, word: &str| !word.is_ascii() || rest.starts_with(char::is_whitespace);
    let joined = CONJUNCTIONS
        .iter()
        .filter_map(|word| parting.strip_prefix(word).filter(|rest| is_end(rest, word)))
        .map(str::trim_start)
        .next();
    let rest = joined.unwrap_or(parting);
    (rest.len() < trimmed.len()).then(|| text.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::citation::{self, KnownLabels};

    #[track_caller]
    fn check(sentence: &str, expected: &[&str]) {
        let list = "\n\n# Sources\n\n1. https://a.example/\n2. https://b.example/\n3. https://c.example/\n";
        let document = Document::read(format!("{sentence}{list}"));
        let citations = citation::read(&document, &KnownLabels::default());
        let claims = clauses(&document, &citations, crate::claim::split(&document, &citations));
        let texts: Vec<_> = claims.iter().map(|claim| document.slice(claim.span)).collect();
        assert_eq!(texts, expected, "of {sentence:?}");
    }

    #[test]
    fn cut_only_where_it_is_clear() {
        check("X rose 5% [1], and Y fell 3% [2].", &["X rose 5% [1]", "Y fell 3% [2]."]);
        check("X rose [1]; Y fell [2]; Z stayed [3].", &["X rose [1]", "Y fell [2]", "Z stayed [3]."]);
        check("X 增长 5% [1]，而 Y 下降 3% [2]。", &["X 增长 5% [1]", "Y 下降 3% [2]。"]);
        check("X rose [1] in 2020 [2].", &["X rose [1] in 2020 [2]."]);
        check("X [1], and Y fell, it is said.", &["X [1], and Y fell, it is said."]);
        check("X rose [1][2].", &["X rose [1][2]."]);
    }
}
