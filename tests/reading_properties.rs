//! Reading never fails, and what it gives lies where it says: for any text.

use cited::citation::{self, Entry, KnownLabels, Label, Target};
use cited::markdown::Document;
use cited::source::research::read_research;
use cited::source::{Registry, key_of};
use cited::text::Span;
use proptest::prelude::*;

/// Pieces that citations, lists and hostile texts are made of.
const PIECES: &[&str] = &[
    "[1]",
    "[2]",
    "[",
    "]",
    "(",
    ")",
    "[1, 2]",
    "[1-3]",
    "[3-1]",
    "[^1]",
    "[^1]: ",
    "[[1]]",
    "[[1]](https://a.example/)",
    "[1](https://a.example/)",
    "【1】",
    "【1-2，3】",
    "【",
    "［１］",
    "〔",
    "\\[1\\]",
    "\\",
    "<sup>1</sup>",
    "<sup>",
    "^1^",
    "^",
    "[@a]",
    "@a",
    "@{a",
    "@{a}",
    "- [@a]: A. https://a.example/\n",
    "<aside>\n",
    "<p>so [1]</p>\n",
    "[[1]](#r1)",
    "[[1](https://a.example/)]",
    "[citation:1]",
    "cite",
    "turn0search1",
    "citeturn0search1",
    ":contentReference[oaicite:1]{index=1}",
    "https://a.example/x",
    "https://",
    "<https://a.example/x>",
    "doi:10.1000/x",
    "arXiv:2208.05335",
    "[A](https://a.example/x)",
    "![x](y)",
    "\n",
    "\n\n",
    "\r\n",
    "# ",
    "## Sources\n\n",
    "参考文献：\n",
    "Sources:\n",
    "## Removed Unsupported Claims\n\n",
    "1. ",
    "2. ",
    "- ",
    "  - ",
    "[1] ",
    "[1]: ",
    "[2]: https://b.example/ \"T\"\n",
    "| a | b |\n|---|---|\n",
    "|",
    "| # | Source | URL |\n|---|---|---|\n",
    "> ",
    "```\n",
    "    ",
    "---\n",
    "$",
    "$$",
    "`",
    "**",
    "*",
    "_",
    "~~",
    " — ",
    ": ",
    ", ",
    ". ",
    "。",
    "word",
    "字",
    "é",
    "\u{feff}",
    "\u{e200}",
    "\u{e202}",
    "0",
    "99999999999",
    "&amp;",
    "<!-- ",
    " -->",
    "<a href=\"https://a.example/\">",
    "</a>",
    " (archived 2023-01-05; original https://a.example/x)",
    " (not verified: HTTP 403)",
    "accessed 12 March 2024",
];

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![8 => proptest::sample::select(PIECES).prop_map(str::to_owned), 1 => "\\PC{0,6}"];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn on_boundaries(text: &str, span: Span) -> bool {
    span.start <= span.end && text.is_char_boundary(span.start) && text.is_char_boundary(span.end)
}

fn check_reading(text: &str) -> Result<(), TestCaseError> {
    let mut known = KnownLabels::default();
    known.add_file(&[Entry { label: Some(Label::Number(3)), ..Entry::default() }], "");
    known.add_address("https://a.example/x");
    let document = Document::read(text);
    let citations = citation::read(&document, &known);
    let mut end = 0;
    for marker in &citations.markers {
        prop_assert!(on_boundaries(text, marker.span), "{marker:?}");
        prop_assert!(marker.span.start >= end, "{marker:?} begins before {end}");
        prop_assert!(!marker.span.is_empty() && !marker.targets.is_empty(), "{marker:?}");
        end = marker.span.end;
        for target in &marker.targets {
            if let Target::Entry(id) = target {
                prop_assert!(citations.lists[id.list as usize].entries.len() > id.entry as usize);
            }
        }
    }
    let mut end = 0;
    for list in &citations.lists {
        prop_assert!(list.scope.contains(list.span), "{list:?}");
        for entry in &list.entries {
            prop_assert!(on_boundaries(text, entry.span) && list.span.contains(entry.span), "{entry:?} of {list:?}");
            prop_assert!(entry.span.start >= end, "{entry:?} begins before {end}");
            end = entry.span.end;
            prop_assert!(!citations.markers.iter().any(|marker| entry.span.has(marker.span.start)));
        }
    }
    for finding in &citations.findings {
        prop_assert!(finding.span.is_none_or(|span| on_boundaries(text, span)));
    }
    Ok(())
}

#[test]
fn an_address_between_raised_numbers_takes_no_caret_of_theirs() {
    let list = "## Sources\n\n1. A — https://a.example/x\n2. [B](https://b.example/)\n[3] C: https://c.example/\n";
    check_reading(&format!("[[1]](#r1)^1^<https://a.example/x>^1^\n\n{list}")).unwrap();
}

#[test]
fn a_remark_beside_a_picture_below_a_list_is_no_address() {
    let list = "## Sources\n\n1. A — https://a.example/x\n2. [B](https://b.example/)\n[3] C: https://c.example/\n";
    check_reading(&format!("[1]\n\n{list}\n<sup> (not verified: HTTP 403)![x](y)")).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_read_lies_where_it_says(text in text()) {
        check_reading(&text)?;
    }

    #[test]
    fn what_is_read_after_a_list_lies_where_it_says(body in text(), tail in text()) {
        check_reading(&format!("{body}\n\n## Sources\n\n1. A — https://a.example/x\n2. [B](https://b.example/)\n[3] C: https://c.example/\n\n{tail}"))?;
    }

    #[test]
    fn research_files_of_any_content_are_read(text in text(), ending in "(md|json|bib|txt|)") {
        let file = read_research(&format!("r.{ending}"), &text);
        for note in &file.notes {
            prop_assert!(note.entries.iter().all(|at| *at < file.entries.len()));
            prop_assert!(on_boundaries(&text, note.span));
        }
        let mut registry = Registry::default();
        for entry in &file.entries {
            let id = registry.add("r", entry);
            // Its first address is its own; a further one may be another entry's.
            let mut found = entry.addresses.iter().map(|address| registry.by_address(address));
            prop_assert!(found.next().is_none_or(|first| first == Some(registry.resolve(id))));
            prop_assert!(found.all(|further| further.is_some()));
        }
    }

    #[test]
    fn json_of_any_shape_is_read(words in proptest::collection::vec("(url|title|text|citations|cited_text|annotations|claims|statement|sourceId|verifications|id|type|segment|groundingChunks|groundingSupports|start_index)", 0..8), depth in 0usize..4) {
        let mut value = serde_json::json!("https://a.example/");
        for (i, word) in words.iter().enumerate() {
            value = if i % 3 == depth % 3 { serde_json::json!([value, 3, null]) } else { serde_json::json!({ word.as_str(): value, "text": "é", "title": "T" }) };
        }
        read_research("r.json", &value.to_string());
    }

    #[test]
    fn every_address_has_a_key_that_is_its_own(address in "(https?://)?[a-z0-9./?=&%#:_~-]{0,40}") {
        let key = key_of(&address);
        prop_assert_eq!(key_of(&address), key);
    }

    #[test]
    fn entries_as_cited_writes_them_are_read_back(title in "[A-Za-z][A-Za-z0-9 ,:;()-]{0,30}[a-z]", path in "[a-z0-9_()/-]{0,12}[a-z]") {
        let text = format!("A [1].\n\n## Sources\n\n1. {title} — https://a.example/{path}\n");
        let citations = citation::read(&Document::read(text.as_str()), &KnownLabels::default());
        let entry = &citations.lists[0].entries[0];
        let again = format!("A [1].\n\n## Sources\n\n1. {} — {}\n", entry.title, entry.addresses[0]);
        let read_again = citation::read(&Document::read(again.as_str()), &KnownLabels::default());
        prop_assert_eq!(&read_again.lists[0].entries[0].title, &entry.title);
        prop_assert_eq!(&read_again.lists[0].entries[0].addresses, &entry.addresses);
    }
}
