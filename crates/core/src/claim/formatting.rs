//! Formatting that is left around nothing when claims are cut out.

use crate::markdown::Document;
use cited_text::Span;

/// The runs of emphasis and the links of which `cuts` leave no inside, outermost only, in document order. `cuts` are in
/// order and disjoint.
///
/// A claim that shares its emphasis with others is cut out of it (`**One. Two.**` becomes `**Two.**`). When all of them
/// go, the marks have to go as well, or `****` would be left.
///
/// ```
/// use cited_core::{citation::Citations, claim, markdown::Document};
/// use cited_text::Span;
/// let document = Document::read("**One. Two.** Three.\n");
/// let spans: Vec<Span> = claim::split(&document, &Citations::default()).iter().map(|c| c.span).collect();
/// assert_eq!(claim::emptied(&document, &spans[..2]), [Span::new(0, 13)]);
/// assert_eq!(claim::emptied(&document, &spans[..1]), []);
/// ```
pub fn emptied(document: &Document, cuts: &[Span]) -> Vec<Span> {
    /// Deepest formatting in formatting that is followed from the inside out.
    const DEEPEST: usize = 8;
    if cuts.is_empty() {
        return Vec::new();
    }
    let emphases = document.emphases().iter().map(|emphasis| (emphasis.span, emphasis.inner));
    let links = document.links().iter().filter(|link| !link.image).map(|link| (link.span, link.text));
    let mut units: Vec<(Span, Span)> = emphases.chain(links).collect();
    let mut found: Vec<Span> = Vec::new();
    let mut cuts = cuts.to_vec();
    for _ in 0..DEEPEST {
        let before = units.len();
        let gone = |(outer, inner): &(Span, Span)| is_empty_without(document, *inner, &cuts) && !is_cut(*outer, &cuts);
        let (empty, rest): (Vec<_>, Vec<_>) = units.into_iter().partition(gone);
        units = rest;
        if units.len() == before {
            break;
        }
        found.extend(empty.iter().map(|(outer, _)| *outer));
        cuts.extend(empty.iter().map(|(outer, _)| *outer));
        keep_outermost(&mut cuts);
    }
    keep_outermost(&mut found);
    found
}

/// Sorts `spans` and drops those that lie in others.
fn keep_outermost(spans: &mut Vec<Span>) {
    spans.sort_unstable_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    spans.dedup_by(|later, earlier| earlier.contains(*later));
}

fn is_cut(span: Span, cuts: &[Span]) -> bool {
    let at = cuts.partition_point(|cut| cut.end <= span.start);
    cuts.get(at).is_some_and(|cut| cut.contains(span))
}

/// Whether only white space and formatting marks are left of `inner`.
fn is_empty_without(document: &Document, inner: Span, cuts: &[Span]) -> bool {
    let mut at = inner.start;
    let mut any = false;
    for cut in &cuts[cuts.partition_point(|cut| cut.end <= inner.start)..] {
        if cut.start >= inner.end {
            break;
        }
        any = true;
        if !is_blank(document, at, cut.start) {
            return false;
        }
        at = cut.end;
    }
    any && (at >= inner.end || is_blank(document, at, inner.end))
}

fn is_blank(document: &Document, start: usize, end: usize) -> bool {
    let gap = Span::new(start, end);
    document.slice(gap).chars().all(|c| c.is_whitespace() || matches!(c, '*' | '_' | '~'))
}

#[cfg(test)]
mod tests {
    use super::emptied;
    use crate::markdown::Document;
    use cited_text::Span;

    #[track_caller]
    fn check(text: &str, cuts: &[&str], expected: &[&str]) {
        let document = Document::read(text);
        let find = |part: &&str| {
            let start = text.find(*part).unwrap();
            Span::new(start, start + part.len())
        };
        let cuts: Vec<_> = cuts.iter().map(find).collect();
        let found: Vec<_> = emptied(&document, &cuts).into_iter().map(|span| document.slice(span)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn only_formatting_around_nothing() {
        check("*One. Two.* Three.", &["One.", "Two."], &["*One. Two.*"]);
        check("*One. Two.* Three.", &["One."], &[]);
        check("**One. *Two.*** Three.", &["One.", "*Two.*"], &["**One. *Two.***"]);
        check("**One. *Two. Six.*** Three.", &["Two.", "Six."], &["*Two. Six.*"]);
        check("[One. Two.](u) Three.", &["One.", "Two."], &["[One. Two.](u)"]);
        check("*[One. Two.](u)* Three.", &["One.", "Two."], &["*[One. Two.](u)*"]);
        check("a *b* c.", &["a *b* c."], &[]);
    }
}
