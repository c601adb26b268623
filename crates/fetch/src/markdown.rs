//! Markdown to text as a reader sees it: by way of the HTML that it stands for, so that one room knows what is shown.

use pulldown_cmark::{Event, Parser, Tag, TagEnd, html as writer};

use super::html;
use cited_core::markdown::parser_options;

/// The words that a reader of a Markdown text sees: no marks of formatting, addresses, comments, front matter or struck text.
///
/// ```
/// let shown = cited_fetch::markdown::shown("It was the **best** [week](https://a.example/) ~~ever~~ yet<!-- no -->.");
/// assert_eq!(shown, "It was the best week yet.");
/// ```
pub fn shown(markdown: &str) -> String {
    let markdown = markdown.strip_prefix('\u{feff}').unwrap_or(markdown);
    // Marks of footnotes are no words: *the best week[^1] yet*.
    let mark = |event: &Event<'_>| {
        matches!(
            event,
            Event::FootnoteReference(_)
                | Event::Start(Tag::FootnoteDefinition(_))
                | Event::End(TagEnd::FootnoteDefinition)
        )
    };
    let mut page = String::with_capacity(markdown.len() * 3 / 2);
    writer::push_html(&mut page, Parser::new_ext(markdown, parser_options()).filter(|event| !mark(event)));
    let html::Html { main, rest, .. } = html::read(&page, None, true);
    if rest.is_empty() { main } else { format!("{main}\n\n{rest}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(markdown: &str, expected: &str) {
        assert_eq!(shown(markdown).split_whitespace().collect::<Vec<_>>().join(" "), expected, "{markdown}");
    }

    #[test]
    fn a_reader_sees_words_and_no_markup() {
        check("It was the **best** week yet.", "It was the best week yet.");
        check(
            "It was the [best _week_](https://a.example/) yet[^1].\n\n[^1]: So they say.\n",
            "It was the best week yet. So they say.",
        );
        check("# Head\n\n- one\n- two `a*b`\n\n> said\n", "Head one two a*b said");
        check("| Shop | Sales |\n|---|---|\n| North | 1,200 |\n", "Shop Sales North 1,200");
        check("    let a = 5;\n\n```rust\nlet b = a * 2 * 3;\n```\n", "let a = 5; let b = a * 2 * 3;");
        check("Costs &amp; *sales* \\* of \\$5", "Costs & sales * of $5");
    }

    #[test]
    fn what_no_reader_sees_is_left_out() {
        check("---\ntitle: The best week\n---\n\nIt was a week.\n", "It was a week.");
        check("+++\ntitle = 'The best week'\n+++\n\nIt was a week.\n", "It was a week.");
        check("It was <!-- the best --> a week.\n\n<!-- the best\n\nweek -->\n", "It was a week.");
        check("It was ~~the best~~ a week. <del>The best.</del>", "It was a week.");
        check("<div hidden>\n\nThe **best** week.\n\n</div>\n\nA week.", "A week.");
        check("![the best week](a.png) It was a week.", "It was a week.");
        check("[a]: https://a.example/ 'The best week'\n\nIt was [a] week.", "It was a week.");
    }
}
