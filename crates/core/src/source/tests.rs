//! What a registry makes of entries, and what research files say.

use super::{Registry, ResearchNote, research};
use crate::citation::{Entry, Label};
use crate::source::research::read_research;

fn entry(label: u32, title: &str, addresses: &[&str]) -> Entry {
    Entry {
        label: Some(Label::Number(label)),
        title: title.into(),
        addresses: addresses.iter().map(|address| (*address).to_owned()).collect(),
        ..Entry::default()
    }
}

#[test]
fn entries_of_one_source_merge_with_all_that_is_known() {
    let mut registry = Registry::default();
    let a = registry.add("web.md", &entry(1, "ripgrep README", &["https://github.com/BurntSushi/ripgrep/"]));
    let b = registry.add("papers.md", &entry(2, "BurntSushi/ripgrep", &["https://github.com/BurntSushi/ripgrep"]));
    let c = registry.add("papers.md", &entry(3, "Other", &["https://other.example/"]));
    assert_eq!(registry.resolve(a), registry.resolve(b));
    assert_eq!(registry.iter().count(), 2);
    let source = registry.get(b);
    assert_eq!(source.title(), Some("ripgrep README"), "the first title wins");
    assert_eq!(source.address.as_deref(), Some("https://github.com/BurntSushi/ripgrep"));
    assert_eq!(source.aliases, ["https://github.com/BurntSushi/ripgrep/"]);
    let origins: Vec<_> = source.origins.iter().map(|origin| (origin.file.as_str(), origin.label.as_str())).collect();
    assert_eq!(origins, [("web.md", "1"), ("papers.md", "2")]);
    assert_eq!(registry.by_label("papers.md", &Label::Number(3)), Some(c));
    assert_eq!(registry.by_label("web.md", &Label::Number(3)), None, "labels live in their file");
    assert_eq!(registry.by_address("https://github.com/burntsushi/ripgrep"), Some(registry.resolve(a)));
}

#[test]
fn a_title_that_says_nothing_gives_way() {
    let mut registry = Registry::default();
    let id = registry.add("a", &entry(1, "a.example", &["https://a.example/x"]));
    registry.add("b", &entry(1, "A title", &["https://a.example/x"]));
    assert_eq!(registry.get(id).titles, ["A title", "a.example"]);
}

#[test]
fn a_further_address_makes_no_two_sources_one() {
    let mut registry = Registry::default();
    let a = registry.add("a", &entry(1, "A", &["https://a.example/", "https://code.example/"]));
    let b = registry.add("a", &entry(2, "B", &["https://b.example/", "https://code.example/", "https://d.example/"]));
    let both = registry.add("a", &entry(3, "C", &["https://b.example/", "https://a.example/"]));
    assert_eq!([registry.resolve(a), registry.resolve(b), registry.resolve(both)], [a, b, b]);
    assert_eq!(registry.get(a).aliases, ["https://code.example/"]);
    assert_eq!(registry.get(b).titles, ["B", "C"]);
    assert_eq!(registry.by_address("https://code.example"), Some(a));
    // A link to a further address means the source that has it, and takes nothing.
    assert_eq!(registry.add_address("a", "https://d.example/", None), b);
    // An entry of its own takes it.
    let d = registry.add("a", &entry(4, "D", &["http://d.example"]));
    assert_ne!(d, b);
    assert_eq!(registry.get(b).aliases, [""; 0]);
    assert_eq!(registry.get(d).address.as_deref(), Some("http://d.example"));
    assert_eq!(registry.by_own_address("https://code.example/"), None);
    assert_eq!(registry.by_own_address("https://d.example/"), Some(d));
}

#[test]
fn merges_after_the_fetch_keep_the_earlier_one() {
    let mut registry = Registry::default();
    let ids: Vec<_> =
        (1..=6).map(|n| registry.add("a", &entry(n, &format!("T{n}"), &[&format!("https://s{n}.example/")]))).collect();
    registry.merge(ids[4], ids[5]);
    registry.merge(ids[3], ids[4]);
    assert_eq!(registry.merge(ids[5], ids[1]), ids[1]);
    assert!([3, 4, 5].iter().all(|i| registry.resolve(ids[*i]) == ids[1]));
    assert_eq!(registry.get(ids[5]).title(), Some("T2"));
    assert_eq!(registry.get(ids[1]).origins.len(), 4);
    let standing: Vec<_> = registry.iter().map(|(id, _)| id).collect();
    assert_eq!(standing, [ids[0], ids[1], ids[2]]);
}

#[test]
fn entries_without_an_address_never_merge() {
    let mut registry = Registry::default();
    let a = registry.add("a", &entry(1, "A book", &[]));
    let b = registry.add("a", &entry(2, "A book", &[]));
    assert_ne!(registry.resolve(a), registry.resolve(b));
    assert_eq!(registry.get(a).address, None);
}

#[test]
fn a_version_is_shown_when_all_agree_on_it() {
    let mut registry = Registry::default();
    let a = registry.add("a", &entry(1, "P", &["https://arxiv.org/abs/2208.05335v2"]));
    assert_eq!(registry.get(a).address.as_deref(), Some("https://arxiv.org/abs/2208.05335v2"));
    registry.add("b", &entry(1, "P", &["https://arxiv.org/abs/2208.05335v3"]));
    assert_eq!(registry.get(a).address.as_deref(), Some("https://arxiv.org/abs/2208.05335"));
}

/// Notes as `text|entries|verbatim|label`.
#[track_caller]
fn check_notes(path: &str, text: &str, expected: &[&str]) {
    let file = research::read_research(path, text);
    let found: Vec<String> = file
        .notes
        .iter()
        .filter(|note| !note.entries.is_empty() || note.label.is_some())
        .map(|note| {
            let titles: Vec<&str> = note.entries.iter().map(|at| file.entries[*at].title.as_str()).collect();
            let kind = if note.verbatim { "verbatim" } else { "said" };
            format!("{}|{}|{kind}|{}", note.text, titles.join("+"), note.label.as_deref().unwrap_or_default())
        })
        .collect();
    assert_eq!(found, expected, "of {text:?}: {:?}", file.entries);
}

#[test]
fn findings_say_in_many_ways_where_they_stand() {
    let u = "https://a.example/";
    for (text, expected) in [
        ("- Water is wet. [A]({u})", "Water is wet.|A|said|"),
        ("- Water is wet. Source: {u}", "Water is wet.||said|"),
        ("- Water is wet (source: [A]({u})).", "Water is wet|A|said|"),
        ("- [A]({u}): Water is wet.", "Water is wet.|A|said|"),
        ("According to [A]({u}), water is wet.", "According to A, water is wet.|A|said|"),
        ("- [1] Water is wet.\n\n## Sources\n\n1. A — {u}", "Water is wet.|A|said|"),
        ("- Water is wet.\n  - Source: {u}", "Water is wet.||said|"),
        ("**Finding:** Water is wet.\n\n**Source:** [A]({u})", "Finding: Water is wet.|A|said|"),
        ("**Finding:** Water is wet.\n**Source:** [A]({u})", "Finding: Water is wet.|A|said|"),
        ("### A\nURL: {u}\n- Water is wet.", "Water is wet.|A|said|"),
        ("### [A]({u})\n\n- Water is wet.", "Water is wet.|A|said|"),
        ("## Sources\n\n1. A {u} - Water is wet.\n2. B — https://b.example/", "Water is wet.|A|said|"),
    ] {
        check_notes("r.md", &format!("{}\n", text.replace("{u}", u)), &[expected]);
    }
    check_notes(
        "r.md",
        "## Sources\n\n1. A — https://a.example/\n   Quote: \"Water is very wet indeed.\"\n2. B — https://b.example/\n",
        &["Water is very wet indeed.|A|verbatim|"],
    );
    // Each finding has its own source; one that has none has not that of another.
    check_notes(
        "r.md",
        "## Findings\n\n**Finding:** Fire is hot.\n\n**Source:** https://a.example/\n\n**Finding:** Water is wet.\n\n**Source:** [B](https://b.example/)\n",
        &["Finding: Fire is hot.|Findings|said|", "Finding: Water is wet.|B|said|"],
    );
    check_notes("r.md", "Fire is hot.\n\nWater is wet. [A](https://a.example/)\n", &["Water is wet.|A|said|"]);
    check_notes(
        "r.md",
        "We asked the source: [A](https://a.example/) is right.\n",
        &["We asked the source: A is right.|A|said|"],
    );
}

#[test]
fn findings_with_markers_in_any_form() {
    let list = "\n\n## Sources\n\n1. A — https://a.example/\n2. B — https://b.example/\n";
    for (finding, expected) in [
        ("- Water is wet [1].", "Water is wet.|A|said|"),
        ("- Water is wet. [1]", "Water is wet.|A|said|"),
        ("- Water is wet[1][2].", "Water is wet.|A+B|said|"),
        ("- 水是湿的【2】。", "水是湿的。|B|said|"),
        ("- Water is wet [^2].", "Water is wet.|B|said|"),
        ("- [VERIFIED] Water is wet [1].", "Water is wet.|A|said|VERIFIED"),
        ("- Water is wet [INFERRED][1].", "Water is wet.|A|said|INFERRED"),
        ("- Water is wet (inferred) [1].", "Water is wet.|A|said|inferred"),
        ("- **Unverified:** Water is wet [1].", "Water is wet.|A|said|Unverified"),
        ("- Water is wet — blocked", "Water is wet||said|blocked"),
        ("- Water is wet. [VERIFIED] [1]", "Water is wet.|A|said|VERIFIED"),
        ("- Water is wet [1] (inferred).", "Water is wet.|A|said|inferred"),
        ("- Water is wet [1] — unverified", "Water is wet|A|said|unverified"),
        ("- Water is wet [1] [UNVERIFIED]", "Water is wet|A|said|UNVERIFIED"),
        ("Water is wet ([A](https://a.example/)).", "Water is wet.|A|said|"),
        ("Fire is hot. Water is wet [1].", "Water is wet.|A|said|"),
        ("> Words of the page [1]", "Words of the page|A|verbatim|"),
    ] {
        check_notes("r.md", &format!("### Findings\n\n{finding}{list}"), &[expected]);
    }
    // Without a list a link is the source of what it stands behind.
    check_notes("r.md", "- Water is wet ([A](https://a.example/)).\n", &["Water is wet.|A|said|"]);
    check_notes("r.md", "- Water is wet (https://a.example/).\n", &["Water is wet.||said|"]);
    // What is cited at the end of an item is cited for all of it; in the middle, for what stands before.
    let item = "- Fire is hot. Water is wet. [A](https://a.example/)\n- Ice is cold ([A](https://a.example/)). Snow is white.\n";
    check_notes("r.md", item, &["Fire is hot.|A|said|", "Water is wet.|A|said|", "Ice is cold.|A|said|"]);
    check_notes("r.md", &format!("A is 3 [1] and B is 4 [2].{list}"), &["A is 3|A|said|", "and B is 4.|B|said|"]);
    check_notes(
        "r.md",
        &format!("- They call it “the best of all worlds” [1].{list}"),
        &["They call it “the best of all worlds”.|A|said|", "the best of all worlds|A|verbatim|"],
    );
}

#[test]
fn evidence_tables() {
    let table = "| # | Source | URL | Key claim | Type | Confidence |\n|---|---|---|---|---|---|\n| 1 | A \\| B | https://a.example/; https://b.example/ | Water is wet | primary | VERIFIED |\n| 2 | No address | - | Fire is hot | | |\n\n- Ice is cold [1].\n";
    check_notes("r.md", table, &["Water is wet|A | B|said|VERIFIED", "Ice is cold.|A | B|said|"]);
    let file = research::read_research("r.md", table);
    assert_eq!(file.entries[0].addresses, ["https://a.example/", "https://b.example/"]);
    assert_eq!(file.findings.len(), 1, "the row without an address is told");
    let wide = "| # | Title | URL | Key claim | Quote | Type | Confidence |\n|---|---|---|---|---|---|---|\n| 1 | A | <https://a.example/> | Water is wet | “It is wet, the water” | web | high |\n";
    check_notes("r.md", wide, &["Water is wet|A|said|", "It is wet, the water|A|verbatim|"]);
    let narrow = "| # | Source | URL | Finding | Confidence |\n|---|---|---|---|---|\n| 1 | [A](https://a.example/) | https://a.example/ | Water is wet | high |\n";
    check_notes("r.md", narrow, &["Water is wet|A|said|"]);
    let valued =
        "| Claim | Value | Source |\n|---|---|---|\n| Coverage in the north | 84% | [A](https://a.example/) |\n";
    check_notes("r.md", valued, &["Coverage in the north: 84%|A|said|"]);
}

#[test]
fn sections_about_one_source_and_excerpts() {
    check_notes(
        "r.md",
        "## [2] The page\n\nURL: https://a.example/\n\n> It says so here.\n\n- Water is wet [2].\n",
        &["It says so here.|The page|verbatim|", "Water is wet.|The page|said|"],
    );
    check_notes(
        "r.md",
        "## Sources\n\n1. A — https://a.example/\n\n   > It says so here.\n\n2. B — https://b.example/\n   - “So it is said in words”\n",
        &["It says so here.|A|verbatim|", "So it is said in words|B|verbatim|"],
    );
    assert_eq!(
        research::read_research("r.md", "---\ndate: 2025-03-01\n---\n").date.map(|date| date.to_string()).as_deref(),
        Some("2025-03-01")
    );
    assert_eq!(
        research::read_research("r.md", "**Date:** March 1, 2025\n").date.map(|date| date.to_string()).as_deref(),
        Some("2025-03-01")
    );
}

/// Checks the one source of a BibTeX file, and where its faults are.
#[track_caller]
fn check_bib(text: &str, source: &str, faults: &[usize]) {
    let file = research::read_research("r.bib", text);
    let sources: Vec<_> =
        file.entries.iter().map(|entry| format!("{} | {}", entry.title, entry.addresses.join(" "))).collect();
    assert_eq!(sources, [source], "{text}");
    let told: Vec<_> = file.findings.iter().filter_map(|finding| finding.span).map(|span| span.start).collect();
    assert_eq!(told, faults, "{text}");
}

#[test]
fn bibliographies() {
    let bib = "@comment{x}\n@article{doe2020,\n  author = {Doe, Jane and M{\\\"u}ller, Kai},\n  title = {{The} \\emph{wet} water \\{0\\} -- a study},\n  doi = \"10.1000/ABC\",\n  urldate = {2024-03-12},\n  abstract = {Water is wet.},\n}\n@misc{x, title = {No } # {address}}\n@online{b, title={B}, url={https://b.example/a\\_b}}\n";
    for path in ["r.bib", "r"] {
        let file = research::read_research(path, bib);
        let found: Vec<_> = file
            .entries
            .iter()
            .map(|entry| {
                (
                    entry.label.as_ref().map(ToString::to_string).unwrap_or_default(),
                    entry.title.as_str(),
                    entry.addresses.join(" "),
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                (
                    "doe2020".to_owned(),
                    "Doe and Müller, The wet water {0} – a study",
                    "https://doi.org/10.1000/abc".to_owned()
                ),
                ("x".to_owned(), "No address", String::new()),
                ("b".to_owned(), "B", "https://b.example/a_b".to_owned()),
            ]
        );
        assert_eq!(file.entries[0].accessed.map(|date| date.to_string()).as_deref(), Some("2024-03-12"));
        assert_eq!((file.notes[0].text.as_str(), file.notes[0].verbatim), ("Water is wet.", true));
    }
    // What real files have: comments in entries, BibLaTeX's names, particles, mathematics, a lone dollar sign.
    check_bib(
        "@misc{a, % of a\n  author = {family=Ackooij, given=Wim, prefix=van and Anna van der Berg},\n  % year\n  title = {Five \\$ and \
         $\\mu$seconds}, url = {https://a.example/}}",
        "van Ackooij and van der Berg, Five $ and $\\mu$seconds | https://a.example/",
        &[],
    );
    check_bib(
        "@misc{a, author = {H\\o{}iland, T. and others}, title = {{Bose}\\textendash{{Einstein}} for $5}, url = {https://a.example/}}",
        "Høiland et al., Bose–Einstein for $5 | https://a.example/",
        &[],
    );
    check_bib(
        "%@misc{b, title = {B}}\n  % @misc{c}\n@misc{a, title = {A}, url = {https://a.example/}}",
        "A | https://a.example/",
        &[],
    );
    // What others refuse is read: a missing comma, parentheses, quotation marks in braces.
    check_bib("@misc{a, title = {A} url = {https://a.example/}}", "A | https://a.example/", &[]);
    check_bib("@misc(a, title = {A}, url = {https://a.example/})", "A | https://a.example/", &[]);
    check_bib(r#"@misc{a, title = "a {"}b{"} c", url = {https://a.example/}}"#, "a \"b\" c | https://a.example/", &[]);
    // A version is another text than the newest; a note may name another work; a name of another kind may be an address.
    let of = |fields: &str| format!("@misc{{a, title = {{A}}, {fields}}}");
    check_bib(&of("eprint = {2101.00001v2}, archiveprefix = {arXiv}"), "A | https://arxiv.org/abs/2101.00001v2", &[]);
    check_bib(&of("url = {https://a.example/}, note = {On doi:10.1000/xyz}"), "A | https://a.example/", &[]);
    check_bib(&of("doi = {https://hdl.handle.net/10125/41734}"), "A | https://hdl.handle.net/10125/41734", &[]);
    // A fault is told where it is, and what stands before it is read.
    check_bib("@misc{a, title = {A}, url = {https://a.example/}, and so on}", "A | https://a.example/", &[50]);
    check_bib("@misc{a, title = {A}, url = {https://a.example/}", "A | https://a.example/", &[48]);
    let csl = r#"[{"id": "doe2020", "type": "article", "title": "Water", "author": [{"family": "Doe", "given": "J"}], "DOI": "10.1000/abc", "accessed": {"date-parts": [[2024, 3, 12]]}}]"#;
    let file = research::read_research("r.json", csl);
    assert_eq!(file.entries[0].title, "Doe, Water");
    assert_eq!(file.entries[0].addresses, ["https://doi.org/10.1000/abc"]);
    assert_eq!(file.entries[0].accessed.map(|date| date.to_string()).as_deref(), Some("2024-03-12"));
    // Names of works in the forms that reference managers export.
    for (field, expected) in [
        (r#""DOI": "https://doi.org/10.1000/abc""#, "https://doi.org/10.1000/abc"),
        (r#""DOI": "http://dx.doi.org/10.1000/abc""#, "https://doi.org/10.1000/abc"),
        (r#""DOI": "doi.org/10.1000/abc""#, "https://doi.org/10.1000/abc"),
        (r#""DOI": "doi:10.1000/abc""#, "https://doi.org/10.1000/abc"),
        (r#""PMID": "https://pubmed.ncbi.nlm.nih.gov/12345678/""#, "https://pubmed.ncbi.nlm.nih.gov/12345678/"),
        (r#""DOI": "none""#, ""),
    ] {
        let csl = format!(r#"[{{"id": "doe2020", "type": "article", "title": "Water", {field}}}]"#);
        let file = research::read_research("r.json", &csl);
        assert_eq!(file.entries[0].addresses.join(" "), expected, "{field}");
    }
}

#[test]
fn citation_objects_of_three_vendors() {
    check_notes(
        "r.json",
        r#"{"content": [{"type": "text", "text": "Water is wet.", "citations": [{"type": "web_search_result_location", "cited_text": "the water is wet", "url": "https://a.example/", "title": "A"}]},
            {"type": "text", "text": "Fire is hot.", "citations": [{"type": "char_location", "cited_text": "fire: hot", "document_index": 0, "document_title": "Notes", "start_char_index": 0, "end_char_index": 9}]}]}"#,
        &[
            "the water is wet|A|verbatim|",
            "Water is wet.|A|said|",
            "fire: hot|Notes|verbatim|",
            "Fire is hot.|Notes|said|",
        ],
    );
    check_notes(
        "r.json",
        r#"{"output": [{"content": [{"type": "output_text", "text": "Wässer is wet. ([a](https://a.example/)) Fire is hot. ([b](u))([c](u))",
            "annotations": [{"type": "url_citation", "start_index": 15, "end_index": 40, "url": "https://a.example/", "title": "A"},
            {"type": "url_citation", "start_index": 54, "end_index": 62, "url": "https://b.example/", "title": "B"},
            {"type": "url_citation", "start_index": 62, "end_index": 70, "url": "https://c.example/", "title": "C"}]}]}]}"#,
        &["Wässer is wet.|A|said|", "Fire is hot.|B+C|said|"],
    );
    // The range of the words that are supported.
    check_notes(
        "r.json",
        r#"{"choices": [{"message": {"role": "assistant", "content": "So it is. The grid carries 14 GW.",
            "annotations": [{"type": "url_citation", "url_citation": {"start_index": 10, "end_index": 33, "url": "https://a.example/", "title": "A"}}]}}]}"#,
        &["The grid carries 14 GW.|A|said|"],
    );
    check_notes(
        "r.json",
        r#"{"candidates": [{"content": {"parts": [{"text": "Wässer is wet. Fire is hot."}]},
            "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://a.example/", "title": "A"}}, {"web": {"uri": "https://b.example/", "title": "B"}}],
            "groundingSupports": [{"segment": {"endIndex": 15, "text": "Wässer is wet."}, "groundingChunkIndices": [0, 1]},
            {"segment": {"startIndex": 16, "endIndex": 28}, "groundingChunkIndices": [1]}]}}]}"#,
        &["Wässer is wet.|A+B|said|", "Fire is hot.|B|said|"],
    );
}

#[test]
fn records_ledgers_and_search_results() {
    check_notes(
        "r.json",
        r#"{"schema": "cited/record/1", "verifications": [{"claim_id": "c1", "claim_text": "Water is wet.", "verified": true, "sources_reconciled": [{"source_url": "https://a.example/", "source_passage": "wet is the water"}]}],
            "sources": [{"number": 1, "title": "A", "url": "https://a.example/", "aliases": ["https://a.example/old"]}]}"#,
        &["wet is the water|A|verbatim|", "Water is wet.|A|said|verified"],
    );
    check_notes(
        "r.json",
        r#"{"summary": "s", "claims": [{"id": "q1", "kind": "citation", "statement": "Water is wet", "quote": "wet water", "sourceId": "report-24"}, {"id": "n1", "kind": "number", "statement": "No source", "value": 18}]}"#,
        &["wet water|report-24|verbatim|", "Water is wet|report-24|said|"],
    );
    check_notes(
        "r.json",
        r#"{"results": [{"url": "https://a.example/", "title": "A", "content": "Water is wet."}]}"#,
        &["Water is wet.|A|verbatim|"],
    );
    check_notes(
        "r.jsonl",
        "{\"url\": \"https://a.example/\", \"title\": \"A\", \"snippet\": \"Wet.\"}\n{\"x\": 1}\n",
        &["Wet.|A|verbatim|"],
    );
    assert_eq!(research::read_research("r.json", "{broken").findings.len(), 1);
}

#[test]
fn the_best_title_says_all_that_the_first_does() {
    let mut registry = Registry::default();
    let mut add = |file: &str, title: &str| registry.add_address(file, "https://a.example/r", Some(title.to_owned()));
    let id = add("draft.md", "a.example");
    add("web.md", "Wells report");
    add("papers.md", "Lee (2024). The wells of the north");
    add("notes.md", "Lee, J. Wells report of the county");
    add("other.md", "A report on wells and their owners in all of the north");
    add("more.md", "What we read in the spring on rivers and all else");
    let source = registry.get(id);
    assert_eq!(source.best_title(&[]), Some("Lee, J. Wells report of the county"));
}

#[test]
fn one_identifier_behind_two_works_makes_no_one_of_them() {
    let mut registry = Registry::default();
    let doi = "https://doi.org/10.5555/abc";
    let mut add = |title: &str| registry.add_address("draft.md", doi, Some(title.to_owned()));
    let graph = add("Person re-identification using graph attention networks");
    assert_eq!(add("Zhang (2021). Person re-identification using graph attention networks"), graph);
    let entry = |title: &str| crate::citation::Entry {
        title: title.to_owned(),
        addresses: vec![doi.to_owned()],
        ..crate::citation::Entry::default()
    };
    let lichens = registry.add("draft.md", &entry("A grand theory of lichens and everything else"));
    assert_ne!(lichens, graph);
    assert_eq!(registry.add("notes.md", &entry("Moriyama. A grand theory of lichens and everything else")), lichens);
    assert!(registry.are_apart(graph, lichens));
    let of_page = ["A grand theory of lichens and everything else".to_owned()];
    assert!(registry.is_of_its_twin(graph, &of_page) && !registry.is_of_its_twin(lichens, &of_page));
    assert_eq!(registry.get(lichens).address.as_deref(), Some(doi));
    assert_eq!(registry.counterpart(registry.get(lichens)), Some(lichens));
    assert_eq!(registry.counterpart(registry.get(graph)), Some(graph));
    let sleep = registry
        .add("draft.md", &entry("Aigner, Holzer. Schlafdauer bei Nachtschichten. Zeitschrift für Arbeitsmedizin"));
    let backs = registry
        .add("draft.md", &entry("Draxler, T. Rückenschmerzen bei Pflegekräften im Wechseldienst. Pflegeforschung"));
    assert_ne!(sleep, backs);
}
/// Where the notes of a file name their source is a habit of whoever wrote them.
#[test]
fn notes_are_read_wherever_their_source_stands() {
    #[track_caller]
    fn check(name: &str, text: &str, expected: &[(&str, &[usize])]) {
        let file = read_research(name, text);
        // What names the source of a list may be a finding, too.
        let is_stated = |note: &&ResearchNote| note.text.ends_with('.') && !note.entries.is_empty();
        let stated = file.notes.iter().filter(is_stated);
        let notes: Vec<(&str, &[usize])> = stated.map(|note| (note.text.as_str(), note.entries.as_slice())).collect();
        assert_eq!(notes, expected, "{text}");
        assert_eq!(file.unread, expected.is_empty(), "{text}");
    }
    let each: [(&str, &[usize]); 3] = [
        ("The ferry carries 64 cars.", &[0]),
        ("The crossing lasts 22 minutes.", &[0]),
        ("Charging takes seven minutes.", &[1]),
    ];
    let list = "\n\n## Sources\n\n1. Yard — https://a.example/\n2. Port — https://b.example/\n";
    let lines = "[1] The ferry carries 64 cars. The crossing lasts 22 minutes.\n[2] Charging takes seven minutes.";
    check("n.md", &format!("{lines}{list}"), &each);
    check("n.md", &format!("{}{list}", lines.replace("[1]", "**[1]**").replace("cars. ", "cars.  \n[1] ")), &each);
    let below = "https://a.example/\n- The ferry carries 64 cars.\n- The crossing lasts 22 minutes.\n\nhttps://b.example/\n- Charging takes seven minutes.\n";
    check("n.md", below, &each);
    let items = "# Notes\n\n- Yard (https://a.example/)\n  - The ferry carries 64 cars.\n  - The crossing lasts 22 minutes.\n- Port (https://b.example/)\n  - Charging takes seven minutes.\n";
    check("n.md", items, &each);
    check(
        "n.md",
        &items.replace("- Yard (", "- url: ").replace("/)\n", "/\n  facts:\n").replace("- Port (", "- url: "),
        &each,
    );
    let parent = "- The mayor resigned after the vote [1]\n  - She had led the town since spring.\n\n## Sources\n\n1. Yard — https://a.example/\n";
    let file = read_research("n.md", parent);
    assert_eq!(file.notes.iter().filter(|note| note.entries == [0]).count(), 2, "{:?}", file.notes);
    let objects = r#"[{"finding": "The ferry carries 64 cars.", "url": "https://a.example/", "author": "Ann Lee of the Yard",
        "query": "how many cars does it carry"}]"#;
    check("n.json", objects, &each[..1]);
    let clipped = "---\ntitle: \"Yard\"\nsource: \"https://a.example/\"\ntags: [clippings]\n---\n# Ferries\n\nThe ferry carries 64 cars. The crossing lasts 22 minutes.\n";
    check("n.md", clipped, &each[..2]);
    check("n.md", &clipped.replace('\n', "\r\n"), &each[..2]);
    let quoted =
        clipped.replace("The ferry carries 64 cars. ", "> The ferry carries 64 cars.\n\n> ").replace("source:", "url:");
    check("n.md", &quoted, &each[..2]);
    let rows = "---\nlink: https://a.example/\n---\n| Ferry | Cars |\n|---|---|\n| Osprey | 64 |\n";
    let note = &read_research("n.md", rows).notes[0];
    assert_eq!((note.text.as_str(), note.entries.as_slice()), ("Ferry: Osprey; Cars: 64", &[0][..]));
    let fields = "sources:\n  - title: Report 2024\n    url: https://a.example/\n    facts:\n      - The ferry carries 64 cars.\n      - The crossing lasts 22 minutes.\n";
    check("n.yaml", fields, &each[..2]);
    let nested = r#"{"summary": "All of it in a few words.", "findings": [
        {"id": 1, "source": {"title": "Yard", "url": "https://a.example/"}, "points": ["The ferry carries 64 cars.", "Good."]},
        {"url": "https://a.example/", "title": "Yard", "facts": [{"text": "The crossing lasts 22 minutes.", "sure": true}]},
        {"statement": "Charging takes seven minutes.", "sources": ["https://b.example/"]}, {"text": "Nobody said so."}]}"#;
    check("n.json", nested, &each);
    let by_id = r#"{"sources": [{"id": "s1", "url": "https://a.example/"}], "claims": [{"text": "The ferry carries 64 cars.", "source": "s1"}]}"#;
    check("n.json", by_id, &each[..1]);
    check("n.json", &by_id.replace("\"s1\"", "1"), &each[..1]);
    check("n.md", "The ferry carries 64 cars [1].\n\n[1] https://a.example/\n", &each[..1]);
    let headed = "## Yard 2021\nhttps://a.example/\n- The ferry carries 64 cars.\n- The crossing lasts 22 minutes.\n\n## Port\nhttps://b.example/\n- Charging takes seven minutes.\n";
    check("n.md", headed, &each);
    assert_eq!(read_research("n.md", headed).entries[0].title, "Yard 2021");
    // What is not read is told.
    check("n.md", "Source: https://a.example/\nFact: The ferry carries 64 cars today.\n", &[]);
    check("n.json", r#"{"gist": "The ferry carries 64 cars today.", "at": "Yard, https://a.example/"}"#, &[]);
}
