//! Findings for people: code, place, snippet with a caret, remedy, in the manner of rustc.

use std::fmt::Write as _;

use owo_colors::{OwoColorize as _, Style};
use unicode_width::UnicodeWidthChar as _;

use super::{Text, Texts, shown};
use crate::wording::{fitting, one_line};
use crate::words::Tone;
use cited_core::finding::Finding;
use cited_text::Span;

/// Terminal columns of a snippet; longer lines are cut around the place.
const SNIPPET_COLUMNS: usize = 96;
/// Terminal columns that are kept before the place when a line is cut.
const COLUMNS_BEFORE: usize = 24;

/// `findings` as text with ANSI sequences, each with its place in `texts`.
pub fn render<'f>(findings: impl IntoIterator<Item = &'f Finding>, texts: &Texts<'_>) -> String {
    let mut out = String::new();
    for finding in findings {
        let style = Tone::from(finding.severity).ansi().bold();
        let margins = Style::new().blue().bold();
        let head = format!("{}[{}]", finding.severity, finding.code);
        let message = format!(": {}", one_line(&finding.message));
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{}{}", head.style(style), message.bold());
        let path = one_line(texts.path_of(finding));
        let mut margin = 1;
        if let Some((span, text)) = finding.span.and_then(|span| Some((span, texts.find_text(finding)?))) {
            let at = text.position(span.start);
            margin = at.line.to_string().len();
            let (line, before, width) = line_at(text, span).unwrap_or_default();
            let (bar, carets) = ("|".style(margins), "^".repeat(width.max(1)));
            let _ = writeln!(out, "{:margin$}{} {path}:{}:{}", "", "-->".style(margins), at.line, at.column);
            let _ = writeln!(out, "{:margin$} {bar}", "");
            let _ = writeln!(out, "{} {bar} {}", at.line.style(margins), line.trim_end());
            let _ = writeln!(out, "{:margin$} {bar} {:before$}{}", "", "", carets.style(style));
        } else {
            let _ = writeln!(out, "  {} {path}", "-->".style(margins));
        }
        if let Some(remedy) = &finding.remedy {
            let _ = writeln!(out, "{:margin$} {} help: {}", "", "=".style(margins), one_line(remedy));
        }
        out.push('\n');
    }
    out
}

/// What is shown of the line that a place is in, the columns before the place, and those of it; nothing where the text does not have it.
pub(crate) fn line_at(text: &Text<'_>, span: Span) -> Option<(String, usize, usize)> {
    let line = text.line(text.position(span.start).line)?;
    let marked = Span::new(span.start.clamp(line.start, line.end), span.end.clamp(line.start, line.end));
    let text = text.content;
    let columns = |part: &str| part.chars().map(columns_of).sum::<usize>();
    // Only a bounded part of the line is looked at: it may be megabytes long.
    let head = Span::new(line.start, marked.start).slice(text);
    let width_of_head = head.chars().take(SNIPPET_COLUMNS).map(columns_of).sum::<usize>();
    let mut used = 0;
    let near = head.char_indices().rev().take_while(|(_, c)| {
        used += columns_of(*c);
        used <= COLUMNS_BEFORE
    });
    let near = near.last().map_or(head.len(), |(at, _)| at);
    // What fits on one screen line needs no cutting at its start.
    let start = line.start + if width_of_head < SNIPPET_COLUMNS / 2 { 0 } else { near };
    let kept = fitting(Span::new(start, line.end).slice(text), SNIPPET_COLUMNS, columns_of);
    let end = start + kept.len();
    let width = columns(&text[marked.start..marked.end.min(end).max(marked.start)]);
    let words: String = kept.chars().filter(|c| *c != '\u{feff}').map(shown).collect();
    let [before, after] = [start > line.start, end < line.end].map(|is_cut| if is_cut { "…" } else { "" });
    let columns_before = columns(&text[start..marked.start]) + before.chars().count();
    Some((format!("{before}{words}{after}"), columns_before, width))
}

fn columns_of(c: char) -> usize {
    if c == '\u{feff}' { 0 } else { shown(c).width().unwrap_or(0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cited_core::finding::Code;
    use cited_core::input::Input;

    fn plain(finding: &Finding, document: &Input) -> String {
        anstream::adapter::strip_str(&render([finding], &Texts::new(document, &[]))).to_string()
    }

    #[track_caller]
    fn check(text: &str, marked: &str, expected: &str) {
        let start = text.find(marked).expect("the marked words are in the text");
        let finding = Finding::new(Code::OrphanCitation, "citation [9] has no source entry")
            .at(Span::new(start, start + marked.len()))
            .remedy("add the source");
        let document = Input { path: "draft.md".into(), text: text.into() };
        assert_eq!(plain(&finding, &document), expected);
    }

    #[test]
    fn a_finding_shows_its_place() {
        check(
            "\u{feff}# T\r\n\r\nA claim [9].\r\n",
            "[9]",
            "error[orphan-citation]: citation [9] has no source entry\n --> draft.md:3:9\n  |\n3 | A claim [9].\n  |         ^^^\n  = help: add the source\n\n",
        );
    }

    #[test]
    fn wide_characters_take_two_columns_and_controls_are_shown_as_such() {
        check(
            "据报道\u{1b}[31m[9]。",
            "[9]",
            "error[orphan-citation]: citation [9] has no source entry\n --> draft.md:1:9\n  |\n1 | 据报道\u{fffd}[31m[9]。\n  |            ^^^\n  = help: add the source\n\n",
        );
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let text = format!("{}[9]{}", "word ".repeat(50_000), " word".repeat(50_000));
        let finding = Finding::new(Code::OrphanCitation, "x").at(Span::new(250_000, 250_003));
        let document = Input { path: "draft.md".into(), text: text.into() };
        let shown = plain(&finding, &document);
        assert!(shown.lines().all(|line| line.chars().count() < 110), "{shown}");
        let lines: Vec<&str> = shown.lines().collect();
        let caret = lines[4].chars().position(|c| c == '^').unwrap();
        assert_eq!(lines[3].chars().skip(caret).take(3).collect::<String>(), "[9]");
    }

    #[test]
    fn a_finding_without_a_place_names_its_file() {
        let finding = Finding::new(Code::UnusableEntry, "row without an address").in_file("notes.md");
        let document = Input { path: "draft.md".into(), text: "".into() };
        let shown = plain(&finding, &document);
        assert_eq!(shown, "note[unusable-entry]: row without an address\n  --> notes.md\n\n");
    }

    #[test]
    fn places_beyond_the_text_are_harmless() {
        let finding = Finding::new(Code::UnusableEntry, "x").at(Span::new(90, 99));
        let document = Input { path: "draft.md".into(), text: "é\n".into() };
        assert!(render([&finding], &Texts::new(&document, &[])).contains("draft.md:2:1"));
    }
}
