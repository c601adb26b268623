//! Numbers of a text that a reader takes for citations of its list, and that are none which cited reads and writes.

use super::brackets;
use super::collection;
use super::form;
use super::label::{Label, raised_number};
use super::marker::{Citations, MarkerForm, Placement};
use super::members;
use super::plain;
use super::scan::superscripts::may_be_meant;
use crate::markdown::{Document, Inline, InlineKind, Link, LinkStyle};
use crate::pattern::Pattern;
use cited_text::Span;

/// Such a number, or several in one pair of brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stray {
    /// Where it stands.
    pub span: Span,
    /// What it says.
    pub numbers: Vec<u32>,
    /// Where the words lead, when they are a link's: it says which work is meant, whatever the number.
    pub address: Option<String>,
}

/// The stray numbers of a document, in order.
pub fn strays(document: &Document, citations: &Citations) -> Vec<Stray> {
    let text = document.text();
    let held = citations.held();
    let is_free = |span: Span| !held.overlap(span) && citations.marker_over(span).is_none();
    let mut found: Vec<Stray> = Vec::new();
    let mut keep = |span: Span, numbers: Vec<u32>| {
        if is_free(span) {
            found.push(Stray { span, numbers, address: None });
        }
    };
    for (block, _) in document.leaves() {
        let (inlines, content) = (document.inlines(block), document.content_span(block));
        let is_text = |inline: &&Inline| inline.kind == InlineKind::Text && inline.link.is_none();
        for found in RAISED.find_iter(content.slice(text)) {
            let span = Span::new(content.start + found.start(), content.start + found.end());
            let digits = found.as_str().trim_start_matches(|c: char| !c.is_numeric());
            let (at, number) = (span.start + found.len() - digits.len(), raised_number(digits));
            if document.inline_at(at).as_ref().is_some_and(is_text) && may_be_meant(&text[..span.start], number) {
                keep(span, vec![number]);
            }
        }
        for inline in inlines.iter().filter(is_text) {
            // Escaped brackets are text by their author's own sign.
            for (at, _) in inline.span.slice(text).match_indices(brackets::opens) {
                let token = form::token_at(text, inline.span.start + at, inline.span.end);
                let token = token.filter(|token| !collection::is_plainly_a_value(text, token.span));
                let numbers = token.and_then(|token| Some((token.span, members::values(token.members)?)));
                numbers.into_iter().for_each(|(span, numbers)| keep(span, numbers));
            }
            form::sources_in_words(text, inline.span).for_each(|(span, numbers)| keep(span, numbers));
        }
    }
    let entries = citations.lists.iter().flat_map(|list| &list.entries);
    let highest = entries.filter_map(|entry| entry.label.as_ref()?.number()).max();
    // Behind stops plain numbers stand, and what a brief has in their place.
    let cites_plainly = citations.placement == Placement::AfterStop
        || citations.markers.iter().any(|marker| marker.form == MarkerForm::Plain);
    let plain = plain::unread(document, highest.unwrap_or_default(), cites_plainly);
    plain.for_each(|(span, numbers)| keep(span, numbers));
    let is_inline = |link: &&Link| link.style == LinkStyle::Inline && !link.image;
    for link in document.links().iter().filter(is_inline).filter(|link| is_free(link.span)) {
        if let Some(Label::Number(number)) = Label::parse(document.slice(link.text)) {
            found.push(Stray { span: link.span, numbers: vec![number], address: Some(link.address.clone()) });
        }
    }
    found.sort_by_key(|stray| stray.span.start);
    found
}

/// Numbers that tags and signs raise: *1.21<sup>2</sup>*, *$20^4^*, *440 m⁷*.
static RAISED: Pattern = Pattern::new(r"(?i)<sup>[0-9]{1,5}</sup>|\^[0-9]{1,5}\^|[¹²³⁰⁴-⁹①-⑳]{1,4}");

#[cfg(test)]
mod tests {
    use super::strays;
    use crate::citation::{KnownLabels, read};
    use crate::markdown::Document;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &[u32])]) {
        let list = (1..=9).map(|n| format!("[{n}] T{n} https://s{n}.example/")).collect::<Vec<_>>().join("\n");
        let document = Document::read(format!("It is so [1].\n\n{text}\n\n## Sources\n\n{list}"));
        let found = strays(&document, &read(&document, &KnownLabels::default()));
        let found: Vec<(&str, &[u32])> = found.iter().map(|s| (document.slice(s.span), &*s.numbers)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn sources_that_prose_names_by_their_number_are_meant() {
        check("Source 3 is the only one.", &[("Source 3", &[3])]);
        check(
            "So sources 3, 4 and 6 say; see reference 5.",
            &[("sources 3, 4 and 6", &[3, 4, 6]), ("reference 5", &[5])],
        );
        check("See ref. 3, and refs. 4-6.", &[("ref. 3", &[3]), ("refs. 4-6", &[4, 6])]);
        check(
            "Nur Quelle 3 nennt ihn. Voir la source 4. La fuente 5 dice.",
            &[("Quelle 3", &[3]), ("source 4", &[4]), ("fuente 5", &[5])],
        );
        check("如文献3所述，参考文献4和5也指出。", &[("文献3", &[3]), ("参考文献4和5", &[4, 5])]);
        for text in [
            "Source 3D data.",
            "Source: 3 towns.",
            "The resource 3 is.",
            "Of all sources 3% fell.",
            "It has 3 sources.",
            "Version source 3.5 of it.",
        ] {
            check(text, &[]);
        }
    }

    #[test]
    fn numbers_raised_on_values_are_meant() {
        check("It cost $20^4^ for 1.21<sup>2</sup>.", &[("^4^", &[4]), ("<sup>2</sup>", &[2])]);
        check("It is 440 m⁷ long, 115 km⁴ and 12³ wide.", &[("⁷", &[7]), ("⁴", &[4]), ("³", &[3])]);
        check("It has 5 km², 10⁶ of m^3^, x⁴ and 10<sup>4</sup>.", &[]);
    }

    #[test]
    fn members_of_a_variable_are_not_meant() {
        check("The entries a[1] and a[2] are so.", &[]);
        check("It starts at w = [1, 2].", &[]);
        // One alone may be.
        check("The entry a[3] is so. Take {[1], [2]}.", &[("[3]", &[3]), ("[1]", &[1]), ("[2]", &[2])]);
    }
}
