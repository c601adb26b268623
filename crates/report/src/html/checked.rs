//! The report of a check: what was found in each document, what could not be checked, what a baseline has and is not there any more.

use maud::{Markup, html};

use super::parts::{finding, shown};
use super::{Page, View};
use crate::findings::checked::Verdict;
use crate::findings::json::located;
use crate::findings::{Checked, Stream};
use crate::wording::{counted, tally};
use cited_core::check::State;

/// The report of a check as a page.
pub fn report(stream: &Stream<'_>) -> String {
    let (verdict, tone) = Verdict::from_stream(stream).shown();
    let verdict = &verdict.to_uppercase();
    let title = match stream.documents.as_slice() {
        [one] => one.document.path.clone(),
        several => counted(several.len(), "document"),
    };
    let found = stream.documents.iter().map(|document| document.items.len()).sum();
    let mut views = vec![View { id: "findings", name: "Findings", count: Some(found), content: findings(stream) }];
    if !stream.incomplete.is_empty() {
        let content = html! {
            ul.plain { @for part in &stream.incomplete { li { bdi { (shown(part.file.as_deref().unwrap_or("the run"))) } ": " (shown(&part.reason)) } } }
        };
        views.push(View { id: "unchecked", name: "Not checked", count: Some(stream.incomplete.len()), content });
    }
    let lead = format!("{}.", stream.counts().in_words());
    Page { title: &title, verdict, tone, lead, views, beside: None, review: None }.render()
}

/// Findings document by document, with the filters for them.
pub fn findings(stream: &Stream<'_>) -> Markup {
    let with_some: Vec<&Checked<'_>> = stream.documents.iter().filter(|document| !document.items.is_empty()).collect();
    html! {
        @if with_some.is_empty() { p.empty { "Nothing was found." } } @else { (finding::filtered_by(&tally(stream.items().map(|item| item.finding.code)))) }
        @for document in &with_some {
            @let texts = document.texts();
            section.file {
                @if stream.documents.len() > 1 {
                    h3 dir="auto" { (shown(&document.document.path)) " " span.n { (document.items.len()) } }
                }
                ul.findings {
                    @for item in document.items {
                        @let state = match &item.state {
                            State::New => None,
                            State::Known => Some("in the baseline".to_owned()),
                            State::Suppressed(reason) => Some(format!("suppressed: {reason}")),
                        };
                        @let own = item.finding.file.as_ref().is_none_or(|file| *file == document.document.path);
                        (finding::render_finding(&located(&item.finding, &texts), own.then_some(&*document.document.text), state.as_deref()))
                    }
                }
            }
        }
        p.empty.none { "No finding fits these filters." }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::stream::tests::Sample;

    #[test]
    fn a_page_names_what_was_found_and_holds_no_markup_from_outside() {
        let sample = Sample::new(&[
            ("<b>.md", "x [9] <i>", "[9]", "<img src=x onerror=alert(1)>", State::New),
            ("b.md", "x [9]", "[9]", "m", State::Suppressed("</li><script>".into())),
        ]);
        let html = report(&sample.stream());
        assert!(html.contains("2 files: 1 error, 1 suppressed."), "{html}");
        assert!(html.contains("&lt;img src=x onerror=alert(1)&gt;") && !html.contains("<img"));
        assert!(html.contains("x <mark>[9]</mark> &lt;i&gt;"), "{html}");
        assert_eq!(html.matches("<script>").count(), 1);
        assert!(report(&Stream::default()).contains("Nothing was found."));
    }
}
