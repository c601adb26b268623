//! Findings as a list: severity and code, place, what was found, what to do, the words that it is about.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::{address, direction, select, shown};
use crate::findings::json::Located;
use crate::html::{Tone, sign};
use crate::wording::cut;
use cited_core::finding::{Code, Severity};

/// Characters of text that are shown round the words that a finding is about.
const AROUND: usize = 40;
/// Characters of those words.
const MOST: usize = 240;

/// The fields by which a reader picks findings; `codes` has the kinds that occur, with their numbers.
pub fn filtered_by(codes: &BTreeMap<Code, usize>) -> Markup {
    let severities = [Severity::Error, Severity::Warning, Severity::Note].map(|one| (one.as_str(), one.as_str(), None));
    let codes = codes.iter().map(|(code, count)| (code.as_str(), code.as_str(), Some(*count)));
    let fields = [select("Severity", "severity", severities), select("Kind", "code", codes)];
    super::filters("Filter findings", &html! { @for field in fields { (field) } })
}

/// Findings, one under the other.
pub fn list(found: impl ExactSizeIterator<Item = Markup>) -> Markup {
    html! {
        @if found.len() == 0 { p.empty { "Nothing was found." } }
        ul.findings { @for one in found { (one) } }
    }
}

/// One finding with the text that it is in, where there is one. `state` says what became of it, when it does not count.
pub fn render_finding(finding: &Located, text: Option<&str>, state: Option<&str>) -> Markup {
    let tone = Tone::from(finding.severity);
    html! {
        li.finding {
            p.state {
                b.(tone.class()) { (sign(tone)) " " (finding.severity.as_str()) } " "
                code { (finding.code.as_str()) } " "
                span.place {
                    bdi { (shown(&finding.file)) }
                    @if let (Some(line), Some(column)) = (finding.line, finding.column) { ":" (line) ":" (column) }
                }
                @if let Some(state) = state { " " b.flat { (shown(state)) } }
            }
            p.message dir=[direction(&finding.message)] { (shown(&finding.message)) }
            @if let Some(span) = finding.span.filter(|span| !span.is_empty())
                && let Some(text) = text
                && text.get(span.start..span.end).is_some() {
                @let (before, words, after) = (span.before(text), span.slice(text), span.after(text));
                blockquote.snippet dir=[direction(words)] {
                    // A sentence says by itself where it is; a few words need those round them.
                    @if words.len() > AROUND { (shown(&cut(words, MOST))) } @else {
                        (shown(&tail(before))) mark { (shown(words)) } (shown(&cut(after.split('\n').next().unwrap_or_default(), AROUND)))
                    }
                }
            }
            @if let Some(remedy) = &finding.remedy { p.remedy { "What to do: " (shown(remedy)) } }
            @if let Some(url) = finding.about.url.as_ref().filter(|url| !finding.message.contains(*url)) { p { (address(url)) } }
        }
    }
}

/// The end of the line before a place.
fn tail(before: &str) -> String {
    let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    let start = line.char_indices().rev().nth(AROUND - 1).map_or(0, |(start, _)| start);
    format!("{}{}", if start > 0 { "…" } else { "" }, &line[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_off_is_told_by_dots() {
        let line = "a".repeat(AROUND);
        assert_eq!(tail(&format!("before\n{line}")), line);
        assert_eq!(tail(&format!("b{line}")), format!("…{line}"));
        assert_eq!(cut(&line, AROUND), line);
        assert_eq!(cut(&format!("{line}b"), AROUND), format!("{line}…"));
    }
}
