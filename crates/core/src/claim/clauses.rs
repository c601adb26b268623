//! Clauses that carry a citation of their own, so that one of them may go alone: `X rose 5% [1], and Y fell 3% [2].`
//!
//! Only on request: a sentence is the usual unit. A sentence is cut only where every part ends with its own marker and
//! the next part begins with a comma, a semicolon or a conjunction; anything less clear stays whole.

use super::detect::statement;
use super::joints::{CONJUNCTIONS, PARTINGS, cuts, has_finite_verb, is_finite_in, is_subordinate};
use super::{Claim, ClaimPosition};
use crate::citation::{Citations, Marker, MarkerId};
use crate::markdown::{Document, Rendered};
use cited_text::Span;
use cited_text::language::languages_in;
use cited_text::lexicon::Languages;
use cited_text::script::is_cjk;

/// `claims` with every sentence cut into its clauses where that is clear.
///
/// ```
/// use cited_core::{citation::{self, KnownLabels}, claim, markdown::Document};
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
        let languages = languages_in(&claim.text, Languages::ALL);
        // *The tram, which cost 31 million `[1]`, runs every 9 minutes `[2]`*: a part has another in it.
        let says_between = |part: &Claim| cuts(&part.text).into_iter().any(|at| is_subordinate(&part.text[at..]));
        match cut(document, citations, &claim, languages) {
            // What begins a sentence and leans on the rest of it cannot be told from it; behind what is said in between, it goes on.
            Some(mut parts) if !is_subordinate(&claim.text) && !parts.iter().rev().skip(1).any(says_between) => {
                parts.iter_mut().skip(1).for_each(|part| part.dangling = leans(part, languages));
                out.extend(parts);
            }
            _ => out.push(claim),
        }
    }
    out
}

/// Words that a part with a verb of its own has.
const FEWEST_WORDS: usize = 3;

/// Whether something is missing from a part of a sentence when the part before it goes: *barley 20%* has the verb of that, *which is more*
/// is about it, and *in the old town it is 30* has no beginning of its own.
fn leans(part: &Claim, languages: Languages) -> bool {
    let lower = part.text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| word.contains(char::is_alphabetic));
    let is_short = words.clone().count() < FEWEST_WORDS && !part.text.contains(is_cjk);
    let begins = !part.text.starts_with(char::is_lowercase);
    !begins || is_subordinate(&part.text) || is_short && !words.any(|word| is_finite_in(word, languages))
}

/// The markers of each clause of a sentence that states something of its own, where every part ends with markers of its own. The first part
/// is a clause only beside a second: `Japan (FRA) [1], Korea (NIFS) [2] and Peru [3]` are none, nor are works that are named one after another.
pub fn markers_by_clause(document: &Document, citations: &Citations, claim: &Claim) -> Vec<Vec<MarkerId>> {
    let languages = languages_in(&claim.text, Languages::ALL);
    let parts = cut(document, citations, claim, languages).unwrap_or_default();
    let states = |i: usize| parts.get(i).is_some_and(|part| is_statement(part, languages));
    let clauses = (0..parts.len()).filter(|i| states(*i) && (*i > 0 || states(1)));
    clauses.map(|i| parts[i].markers.clone()).collect()
}

/// Whether a part of a sentence states something of its own: it has a number, a quotation or a finite verb, is no name in brackets, and does
/// not lean on what stands before it by a participle (*…, forming bonds*).
fn is_statement(part: &Claim, languages: Languages) -> bool {
    let text = part.text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '。'));
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let in_brackets = text.starts_with('[') && text.ends_with(']');
    let is_verb = |word: &str| is_finite_in(word, languages);
    // *cycling rose* has a subject of this form.
    let is_subject = words.clone().nth(1).is_some_and(is_verb);
    let is_participle =
        part.continues && !is_subject && words.clone().next().is_some_and(|first| first.ends_with("ing"));
    !in_brackets && !is_participle && (part.kind.must_have_source() || words.any(is_verb))
}

fn cut(document: &Document, citations: &Citations, claim: &Claim, languages: Languages) -> Option<Vec<Claim>> {
    let markers: Vec<&Marker> = claim.markers.iter().map(|id| citations.marker(*id)).collect();
    if markers.len() < 2
        || !markers.iter().all(|marker| marker.standalone && claim.span.contains(marker.span))
        || !matches!(claim.position, ClaimPosition::Sentence | ClaimPosition::Item)
    {
        return None;
    }
    let source = document.text();
    // A marker is hidden with the space before it.
    let hidden =
        |marker: &&Marker| Span::new(marker.span.before(source).trim_end_matches([' ', '\t']).len(), marker.span.end);
    let rendered = Rendered::render(document, claim.block, &markers.iter().map(hidden).collect::<Vec<_>>());
    let mut parts = Vec::with_capacity(markers.len());
    let mut start = claim.span.start;
    for (i, (id, marker)) in claim.markers.iter().zip(&markers).enumerate() {
        let (marker, last) = (marker.span, i + 1 == markers.len());
        let end = if last { claim.span.end } else { marker.end };
        let after = &source[marker.end..claim.span.end];
        let shown = Span::new(rendered.shown(start), rendered.shown(end));
        let text = shown.slice(&rendered.text).split_whitespace().collect::<Vec<_>>().join(" ");
        if last && after.contains(char::is_alphanumeric) || !text.contains(char::is_alphanumeric) {
            return None;
        }
        parts.push(Claim {
            span: Span::new(start, end),
            kind: statement(&text, true, Languages::ALL).0,
            text,
            markers: vec![*id],
            dangling: claim.dangling && i == 0,
            introduces: claim.introduces && last,
            continues: i > 0,
            ..claim.clone()
        });
        if !last {
            start = marker.end + connector(after, languages)?;
        }
    }
    Some(parts)
}

/// The length of what joins the next clause at the start of `text`, a text in one of `languages`; `None` when nothing does.
fn connector(text: &str, languages: Languages) -> Option<usize> {
    let trimmed = text.trim_start();
    let parting = trimmed.strip_prefix(PARTINGS).unwrap_or(trimmed).trim_start();
    let is_end = |rest: &str, word: &str| !word.is_ascii() || rest.starts_with(char::is_whitespace);
    let mut joins = CONJUNCTIONS.iter().filter(|(_, own)| own.meet(languages));
    let joined = joins.find_map(|(word, _)| parting.strip_prefix(word).filter(|rest| is_end(rest, word)));
    let rest = joined.map_or(parting, str::trim_start);
    // What leans on the clause before it keeps the word that says so: *the depot closed [1] because 14 drivers had left [2]*.
    let leans = || is_subordinate(rest) && has_finite_verb(rest);
    (rest.len() < trimmed.len() || leans()).then(|| text.len() - rest.len())
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
        check("X rose [1]; Y fell [2]; Z grew [3].", &["X rose [1]", "Y fell [2]", "Z grew [3]."]);
        let whole = "Although X rose by 5% [1], Y fell [2].";
        check(whole, &[whole]);
        check("X 增长 5% [1]，而 Y 下降 3% [2]。", &["X 增长 5% [1]", "Y 下降 3% [2]。"]);
        check("X rose [1] in 2020 [2].", &["X rose [1] in 2020 [2]."]);
        check("X [1], and Y fell, it is said.", &["X [1], and Y fell, it is said."]);
        check("X rose [1][2].", &["X rose [1][2]."]);
        check(
            "The depot closed [1] because 14 drivers had left [2].",
            &["The depot closed [1]", "because 14 drivers had left [2]."],
        );
        let whole = "The tram, which cost 31 million [2], runs every 9 minutes [1].";
        check(whole, &[whole]);
    }

    #[test]
    fn a_part_may_lean_on_another() {
        let check = |sentence: &str, leans: [bool; 2]| {
            let document =
                Document::read(format!("{sentence}\n\n# Sources\n\n1. https://a.example/\n2. https://b.example/\n"));
            let citations = citation::read(&document, &KnownLabels::default());
            let claims = clauses(&document, &citations, crate::claim::split(&document, &citations));
            assert_eq!(claims.iter().map(|claim| claim.dangling).collect::<Vec<_>>(), leans, "of {sentence:?}");
        };
        check("X rose by 5% [1], and Y fell by 3% [2].", [false, false]);
        check("X rose by 5% [1], Y by 3% [2].", [false, true]);
        check("X rose by 5% [1], which is more than Y rose [2].", [false, true]);
        check("X rose by 5% [1], but because Y fell, Z grew [2].", [false, true]);
        check("X rose by 5% [1], and in the north it fell by 3% [2].", [false, true]);
    }

    #[track_caller]
    fn check_stated(sentence: &str, clauses: usize) {
        let list = "\n\n# Sources\n\n1. https://a.example/\n2. https://b.example/\n3. https://c.example/\n";
        let document = Document::read(format!("{sentence}{list}"));
        let citations = citation::read(&document, &KnownLabels::default());
        let claims = crate::claim::split(&document, &citations);
        assert_eq!(markers_by_clause(&document, &citations, &claims[0]).len(), clauses, "of {sentence:?}");
    }

    #[test]
    fn a_clause_states_something() {
        check_stated("The tower was built in 1871 [1], and the keeper lost his post [2].", 2);
        check_stated("X fell by 3% [1]; Y by 5% [2].", 2);
        check_stated("Ferry traffic fell by 12% [1], and cycling rose by 30% [2].", 2);
        check_stated("Die Miete stieg [1], und die Löhne sind gesunken [2].", 2);
        check_stated("Hemp grows 4 m in a year [1], needs no pesticide [2], and was banned until 1996 [3].", 1);
        check_stated("Landings are known for Japan (FRA) [1], Korea (NIFS) [2], and Peru [3].", 0);
        check_stated("More on this: [The Guide][1], [The Manual][2], [The Book][3].", 0);
        check_stated("People are fond of machines [1], forming bonds that are shaped by habit [2].", 0);
        check_stated("Updates have to be logged per [Rule 156][1] and [Standard T][2].", 0);
    }
}
