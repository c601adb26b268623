//! Formatting that is left around nothing when claims are cut out.

use crate::markdown::Document;
use cited_text::{Span, Spans};

/// The links, then the runs of emphasis, of which `cuts` leave no inside.
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
    let emphases = document.emphases().iter().map(|emphasis| (emphasis.span, emphasis.inner)).collect();
    let links = document.links().iter().filter(|link| !link.image).map(|link| (link.span, link.text)).collect();
    let mut found = Vec::new();
    // A link may be all that is left of what is emphasised.
    for units in [links, emphases] {
        let units: Vec<(Span, Span)> = units;
        let gone: Spans = cuts.iter().chain(&found).copied().collect();
        let is_empty = |(outer, inner): &(Span, Span)| {
            let is_kept = |(at, c): (usize, char)| {
                let is_mark = c.is_whitespace() || matches!(c, '*' | '_' | '~');
                !is_mark && !gone.overlap(Span::new(inner.start + at, inner.start + at + c.len_utf8()))
            };
            gone.overlap(*inner) && !gone.contain(*outer) && !document.slice(*inner).char_indices().any(is_kept)
        };
        found.extend(units.into_iter().filter(is_empty).map(|(outer, _)| outer));
    }
    found
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
        check("*[One. Two.](u)* Three.", &["One.", "Two."], &["[One. Two.](u)", "*[One. Two.](u)*"]);
        check("a *b* c.", &["a *b* c."], &[]);
    }
}
