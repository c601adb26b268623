//! Any text is read, as a draft and as a research file of each kind, and what is found lies where it says.

#![no_main]

use cited::citation::{self, KnownLabels};
use cited::claim;
use cited::markdown::Document;
use cited::source::research::read_research;
use cited::text::Span;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let lies_in = |span: Span| span.start <= span.end && text.get(span.start..span.end).is_some();
    let mut known = KnownLabels::default();
    for name in ["r.md", "r.json", "r.bib"] {
        let file = read_research(name, text);
        assert!(file.notes.iter().flat_map(|note| &note.entries).all(|entry| *entry < file.entries.len()));
        known.add_file(&file.entries, "");
    }
    let document = Document::read(text);
    for known in [KnownLabels::default(), known] {
        let citations = citation::read(&document, &known);
        let mut end = 0;
        for marker in &citations.markers {
            assert!(lies_in(marker.span) && marker.span.start >= end, "{marker:?}");
            end = marker.span.end;
        }
        for entry in citations.lists.iter().flat_map(|list| &list.entries) {
            assert!(lies_in(entry.span), "{entry:?}");
        }
        for claim in claim::split(&document, &citations) {
            assert!(lies_in(claim.span), "{claim:?}");
        }
    }
});
