//! Findings as a page of Markdown, for the summary of a pipeline's job.

use crate::Record;
use crate::findings::Stream;
use crate::findings::checked::Verdict;
use crate::page::Page;
use crate::provenance::removed;
use crate::summary::headline;
use cited_core::check::State;

/// Findings that are named; GitHub takes a summary of one mebibyte at most, and nobody reads more.
const MOST_NAMED: usize = 250;

/// The page: the verdict, the counts, the new findings with those that fail the run first.
pub fn render(stream: &Stream, record: Option<&Record>) -> String {
    let mut page = Page::default();
    let verdict = Verdict::from_stream(stream).shown().0;
    let verdict = record.map_or_else(|| verdict.to_owned(), |record| headline(record, false).in_words());
    page.heading(2, &format!("cited: {verdict}"));
    page.paragraph(&stream.counts().in_words());
    record.into_iter().for_each(|record| removed(&mut page, 3, record));
    let new = stream.located().filter(|(item, _)| item.state == State::New).map(|(item, place)| {
        let at = place.format_position();
        let remedy = place.remedy.map(|remedy| format!(" ({remedy})")).unwrap_or_default();
        let name = format!("{} {}", place.severity, place.code);
        (stream.fails(item), name, format!("{at} — {}{remedy}", place.message))
    });
    let mut told: Vec<_> = new.collect();
    told.sort_by_key(|(fails, _, _)| !fails);
    page.section(3, "Findings", told.iter().take(MOST_NAMED), |page, (_, name, words)| {
        page.fact(name, words);
    });
    if told.len() > MOST_NAMED {
        page.paragraph(&format!("… and {} more.", told.len() - MOST_NAMED));
    }
    page.section(3, "Not checked", &stream.incomplete, |page, incomplete| {
        let file = incomplete.file.as_deref().unwrap_or("the run");
        page.text(&format!("{file}: {}", incomplete.reason));
    });
    page.write()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::stream::tests::Sample;

    #[test]
    fn a_page_names_what_is_new_and_holds_no_markup_from_outside() {
        let sample = Sample::new(&[
            ("[x](https://evil.example).md", "x [9]", "[9]", "<img src=x> **b** `c`\n# H\n| a |", State::New),
            ("b.md", "x [9]", "[9]", "m", State::Known),
        ]);
        let text = render(&sample.stream(), None);
        let events: Vec<_> = pulldown_cmark::Parser::new_ext(&text, cited_core::markdown::parser_options()).collect();
        let markup = events.iter().filter(|event| {
            use pulldown_cmark::{Event, Tag};
            matches!(
                event,
                Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::Emphasis | Tag::Table(_) | Tag::HtmlBlock)
                    | Event::Html(_)
                    | Event::InlineHtml(_)
                    | Event::Code(_)
            )
        });
        assert_eq!(markup.count(), 0, "{text}");
        let headings = events
            .iter()
            .filter(|event| matches!(event, pulldown_cmark::Event::Start(pulldown_cmark::Tag::Heading { .. })));
        assert_eq!(headings.count(), 2, "{text}");
        assert!(text.starts_with("## cited: failed\n\n2 files: 1 error, 1 in the baseline\n\n### Findings\n\n- **error orphan-citation:**"), "{text}");
    }
}
