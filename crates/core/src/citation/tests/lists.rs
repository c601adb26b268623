//! Source lists: where they are found, and what their entries are read as.

use super::*;

#[test]
fn definitions_are_a_list_and_their_numbers_citations() {
    check_whole("A [2].\n\n[1]: https://a.example/\n[2]: https://b.example/ \"B\"\n", &["[2] = 2"]);
    check_whole("A [1][2].\n\n[1]: https://a.example/\n[2]: https://b.example/\n", &["[1][2] = 1 2"]);
    check_whole("A [1][2][1].\n\n[1]: https://a.example/\n[2]: https://b.example/\n", &["[1][2][1] = 1 2 1"]);
    check_whole(
        "A [the survey][2] and [2].\n\n[1]: https://a.example/\n[2]: https://b.example/\n",
        &["[the survey][2] = https://b.example/ words", "[2] = 2"],
    );
    check_whole(
        "A [VERIFIED][2] and [1].\n\n[1]: https://a.example/\n[2]: https://b.example/\n",
        &["[2] = 2", "[1] = 1"],
    );
    let links = "Only [links][2].\n\n[1]: https://a.example/\n[2]: https://b.example/\n";
    check_whole(links, &["[links][2] = https://b.example/ words"]);
    check_list(
        "A [2].\n\n[1]: https://a.example/\n[2]: https://b.example/ \"B\"\n",
        &["1||https://a.example/", "2|B|https://b.example/"],
    );
}

#[test]
fn layouts_of_entries() {
    let u = "https://a.example/x";
    for (entry, expected) in [
        ("1. Doe, Title — https://a.example/x", "1|Doe, Title|{u}"),
        ("1. [Title](https://a.example/x)", "1|Title|{u}"),
        ("1. Title: https://a.example/x", "1|Title|{u}"),
        ("1. Title. https://a.example/x", "1|Title|{u}"),
        ("1. Doe et al. — https://a.example/x", "1|Doe et al.|{u}"),
        ("1. Title (https://a.example/x)", "1|Title|{u}"),
        ("1. Title <https://a.example/x>", "1|Title|{u}"),
        ("1. Title, available at: https://a.example/x", "1|Title|{u}"),
        ("1. Title. Available at https://a.example/x.", "1|Title|{u}"),
        ("1. Title. [Link](https://a.example/x)", "1|Title|{u}"),
        ("1. **Title** - *Site* - https://a.example/x", "1|Title - Site|{u}"),
        ("1. Doe (2020). [Title](https://a.example/x). Journal 3.", "1|Doe (2020). Title|{u}"),
        ("1. A: B: C: https://a.example/x", "1|A: B: C|{u}"),
        ("1. How ...: https://a.example/x", "1|How ...|{u}"),
        ("1. https://a.example/x", "1||{u}"),
        ("1. <https://a.example/x>", "1||{u}"),
        ("1. [https://a.example/x](https://a.example/x)", "1||{u}"),
        ("1. <a href=\"https://a.example/x\">Title</a>", "1|Title|{u}"),
        ("1. Title <a href=\"https://a.example/x\"><img src=\"x.png\"></a>", "1|Title|{u}"),
        ("1) Title: https://a.example/x", "1|Title|{u}"),
        ("[1] https://a.example/x - Title | Site", "1|Title | Site|{u}"),
        ("[1] https://a.example/x", "1||{u}"),
        ("[1] Title: https://a.example/x", "1|Title|{u}"),
        ("[1] Title. https://a.example/x", "1|Title|{u}"),
        ("[1] [Title](https://a.example/x)", "1|Title|{u}"),
        ("[1] 【2025】标题: https://a.example/x", "1|【2025】标题|{u}"),
        ("[1]: https://a.example/x - Title", "1|Title|{u}"),
        ("[1]: 世界银行，《报告》：https://a.example/x", "1|世界银行，《报告》|{u}"),
        ("[1](https://a.example/x) Title", "1|Title|{u}"),
        ("[[1]](https://a.example/x) Title", "1|Title|{u}"),
        ("**[1]** Title: https://a.example/x", "1|Title|{u}"),
        ("- [1] A - https://a.example/x", "1|A|{u}"),
        ("* [1] [A](https://a.example/x)", "1|A|{u}"),
        ("- [Title](https://a.example/x)", "|Title|{u}"),
        ("- [Title](https://a.example/x) - Official docs", "|Title|{u}"),
        ("- https://a.example/x", "||{u}"),
        ("- Title: https://a.example/x", "|Title|{u}"),
        ("【1】标题：https://a.example/x", "1|标题|{u}"),
        ("［1］标题 https://a.example/x", "1|标题|{u}"),
        ("\\[1\\] Title: https://a.example/x", "1|Title|{u}"),
        ("(1) Title: https://a.example/x", "1|Title|{u}"),
        ("^1^ Title: https://a.example/x", "1|Title|{u}"),
        ("https://a.example/x", "||{u}"),
        ("[^1]: Title. https://a.example/x", "1|Title|{u}"),
        ("| # | Source | URL |\n|---|---|---|\n| 1 | Title | https://a.example/x |", "1|Title|{u}"),
        ("| No. | Title | Link |\n|---|---|---|\n| [1] | A \\| B | [open](https://a.example/x) |", "1|A \\| B|{u}"),
        ("1. Title,\n   wrapped:\n   https://a.example/x", "1|Title, wrapped|{u}"),
        ("1. Title\n   - URL: https://a.example/x\n   - Accessed: 2024-03-12", "1|Title|{u}"),
    ] {
        let expected = expected.replace("{u}", u).replace("\\|", "|");
        check_list(&format!("## Sources\n\n{entry}\n"), &[&expected]);
    }
}

#[test]
fn addresses_of_entries() {
    check_list(
        "A.\n\n[\\[1\\]](https://a.example/#a) [\\[2\\]](https://a.example/#b) T: u\n\n<https://a.example/>\n\n[\\[3\\]](https://b.example/) U\n",
        &["1|T: u|https://a.example/ https://a.example/#a https://a.example/#b", "3|U|https://b.example/"],
    );
    check_list("## Sources\n\n1. A: https://a.example/Foo_(bar)\n", &["1|A|https://a.example/Foo_(bar)"]);
    check_list(
        "## Sources\n\n1. A: https://doi.org/10.1016/0022(94)90302-6.\n",
        &["1|A|https://doi.org/10.1016/0022(94)90302-6"],
    );
    check_list("## Sources\n\n1. A_b_ c: https://a.example/_x_/y\\_z\n", &["1|A_b_ c|https://a.example/_x_/y_z"]);
    check_list("## Sources\n\n1. A: https://a.example/?a=1&amp;b=2\n", &["1|A|https://a.example/?a=1&b=2"]);
    check_list(
        "## Sources\n\n1. A: https://a.example/x; https://b.example/y\n",
        &["1|A|https://a.example/x https://b.example/y"],
    );
    check_list("## Sources\n\n1. [Home: https://a.example](https://a.example/)\n", &["1|Home|https://a.example/"]);
    check_list("## Sources\n\n1. Doe. Title. doi:10.1000/AbC.1\n", &["1|Doe. Title|https://doi.org/10.1000/abc.1"]);
    check_list(
        "## Sources\n\n1. Doe. Title. arXiv:2208.05335v2\n",
        &["1|Doe. Title|https://arxiv.org/abs/2208.05335v2"],
    );
    check_list("## Sources\n\n1. Doe. Title, www.a.example/x\n", &["1|Doe. Title|https://www.a.example/x"]);
    check_list("## Sources\n\n1. A book\n2. Another\n", &["1|A book|", "2|Another|"]);
    // Below an entry there may be others; what has no label of its own is a note.
    check_list(
        "## Sources\n\n- [1] A. https://a.example/\n  - half of it\n  - [2] B. https://b.example/\n- [3] C. https://c.example/\n",
        &["1|A|https://a.example/", "2|B|https://b.example/", "3|C|https://c.example/"],
    );
    let document = Document::read("A [1].\n\n## References\n\n1. A book\n");
    let codes: Vec<Code> = read(&document, &KnownLabels::default()).findings.iter().map(|f| f.code).collect();
    assert_eq!(codes, [Code::NoAddress]);
}

/// Whatever words lead to it, an address that stands in an entry is one of it; the first that is no part of the title is the one to show.
#[test]
fn every_address_of_an_entry_is_its_own() {
    let (u, v) = ("https://a.example/x", "https://b.example/y");
    let copy = "https://web.archive.org/web/20240101000000/https://a.example/x";
    for (entry, title) in [
        ("IEA. Wind. {u} (PDF: {v})", "IEA. Wind"),
        ("Wind — {u} (archived {v})", "Wind"),
        ("Wind. {u}. doi: {v}", "Wind"),
        ("Wind: {u}, {v}", "Wind"),
        ("Wind — {u} — {v}", "Wind"),
        ("Wind, {u} | {v}", "Wind"),
        ("Wind {u} / {v}", "Wind"),
        ("Wind: {u} and, as the office hands it out, {v}", "Wind"),
        ("“Wind.” Available at: {u}. Mirror: {v}", "“Wind.”"),
        ("Kim, {u}, code: {v}", "Kim"),
        ("Kim, {u}. See also {v}", "Kim"),
        ("[Wind]({u}) ([PDF]({v}))", "Wind"),
        ("[PDF]({v}) [Wind]({u})", "PDF Wind"),
        ("[Wind]({u}) {v}", "Wind"),
        ("[Wind]({u}). The slides of the talk are [here]({v}).", "Wind"),
        ("IEA. Wind. [Link]({u}) | [PDF]({v})", "IEA. Wind"),
        ("IEA. Wind. [Link]({u}) | [Spiegelung]({v})", "IEA. Wind"),
        ("{u} - Wind (auch: {v})", "Wind"),
        ("{u} {v} - Wind", "Wind"),
        ("{u} - Wind. {v}", "Wind"),
        ("Schweden fährt nachts, {u} und als PDF unter {v}", "Schweden fährt nachts"),
        ("Preise. Abrufbar unter {u}, Sicherung: {v}", "Preise. Abrufbar unter"),
        ("Gewächshaus — {u} (Kopie unter {v})", "Gewächshaus"),
        ("Serre — {u} (voir aussi {v})", "Serre"),
        ("Serre, {u}, copie déposée ici : {v}", "Serre"),
        ("Invernadero — {u} (también {v})", "Invernadero"),
        ("Invernadero. {u}; respaldo en {v}", "Invernadero"),
        ("Serra — {u} (anche {v})", "Serra"),
        ("Теплица — {u} (копия: {v})", "Теплица"),
        ("温室。{u}（备份：{v}）", "温室"),
        ("温室の大きさ {u} （控え {v}）", "温室の大きさ"),
    ] {
        let fill = |text: &str| text.replace("{u}", u).replace("{v}", v);
        check_list(&fill(&format!("## Sources\n\n1. {entry}\n")), &[&format!("1|{title}|{u} {v}")]);
    }
    for (entry, expected) in [
        ("IEA. {u} (PDF: {v}; archived — {copy})", "IEA|{u} {v} {copy}"),
        // Two works: the second is cited too where it is an entry of its own.
        ("IEA, {u}; GWEC, {v}", "IEA|{u} {v}"),
        ("[IEA]({u}); [GWEC]({v}).", "IEA|{u} {v}"),
        // What stands in the title.
        ("See {v} — {u}", "See {v}|{u} {v}"),
        ("See {v} code — {u}", "See {v} code|{u} {v}"),
    ] {
        let fill = |text: &str| text.replace("{u}", u).replace("{v}", v).replace("{copy}", copy);
        check_list(&fill(&format!("## Sources\n\n1. {entry}\n")), &[&format!("1|{}", fill(expected))]);
    }
    // What is said of the work stays its note, and what leads to an address does not.
    let list = format!("## Sources\n\n1. Wind — {u}: costs fell by 5%, see {v}\n2. Sun — {v}/2 (PDF: {u}/2)\n");
    let lists = read(&Document::read(list), &KnownLabels::default()).lists;
    let notes: Vec<_> = lists[0].entries.iter().map(|entry| entry.note.as_deref()).collect();
    assert_eq!(notes, [Some("costs fell by 5%"), None]);
}

#[test]
fn entries_glued_to_one_line_stay_apart() {
    let (u, v) = ("https://a.example/x", "https://b.example/y");
    let entries = [&*format!("1|A|{u}"), &*format!("2|B|{v}")];
    check_list(&format!("C [1]. D [2].\n\n## Sources\n\n[1] A. {u} [2] B. {v}\n"), &entries);
    check_list(&format!("C [1]. D [2].\n\n## Sources\n\n1. A. {u} 2. B. {v}\n"), &entries);
}

#[test]
fn titles_of_entries() {
    for (entry, expected) in [
        ("Title: a history, https://a.example/x", "Title: a history|https://a.example/x"),
        ("arXiv:2401.01234 [cs.CL]", "|https://arxiv.org/abs/2401.01234"),
        ("Kim. Waves. arXiv:2401.01234v3 [hep-th]", "Kim. Waves|https://arxiv.org/abs/2401.01234v3"),
        ("https://a.example/x \"A\" and \"B\"", "\"A\" and \"B\"|https://a.example/x"),
        ("\"Wind.\" Available at: https://a.example/x", "\"Wind.\"|https://a.example/x"),
        ("Fiche Kerval. https://a.example/x", "Fiche Kerval|https://a.example/x"),
        ("Kim et al. https://a.example/x", "Kim et al.|https://a.example/x"),
        // A label that stands there twice is no title.
        ("[1] https://a.example/x - Wind", "Wind|https://a.example/x"),
        // Signs that nobody sees are in no address; white space is written as browsers send it.
        ("Wind: https://a.example/10\u{feff}44/\u{200b}x\u{ad}y", "Wind|https://a.example/1044/xy"),
        ("[Wind](https://a.example/a\u{a0}b\u{feff}c)", "Wind|https://a.example/a%20bc"),
        ("[Wind](https://a.example/a\\9?b\\9)", "Wind|https://a.example/a/9?b\\9"),
    ] {
        check_list(&format!("## Sources\n\n1. {entry}\n"), &[&format!("1|{expected}")]);
    }
}

#[test]
fn what_a_fence_that_stays_open_holds_is_read_without_its_escapes() {
    // A citation behind its end keeps it open.
    check_list(
        "Rewards are rare [1].\n\n```\nrate(x)\n``` [2]\n\n### Sources\n\n[1] https://a.example/x - A\n[2] https://b.example/x - B\n",
        &["1|A|https://a.example/x", "2|B|https://b.example/x"],
    );
    let list = "Sources\n1. \\[2407.00324\\] Rewards — https://a.example/x\n2. Wind — https://b.example/x\n";
    check_list(
        &format!("Rewards are rare [1, 2].\n\n```\n{list}"),
        &["1|[2407.00324] Rewards|https://a.example/x", "2|Wind|https://b.example/x"],
    );
}

#[test]
fn dates_and_notes_of_entries() {
    let document = Document::read(
        "## Sources\n\n1. T — https://a.example/ (accessed 12 March 2024)\n2. U — https://b.example/ (archived 2023-01-05; original https://c.example/x)\n3. V — https://d.example/ (not verified: HTTP 403)\n",
    );
    let citations = read(&document, &KnownLabels::default());
    let [t, u, v] = citations.lists[0].entries.as_slice() else { panic!("three entries") };
    assert_eq!(t.accessed.map(|date| date.to_string()).as_deref(), Some("2024-03-12"));
    assert_eq!((t.title.as_str(), t.note.as_deref()), ("T", None));
    assert_eq!(u.addresses, ["https://c.example/x", "https://b.example/"], "the original is asked first");
    assert_eq!(u.note.as_deref(), None);
    assert_eq!((v.title.as_str(), v.note.as_deref()), ("V", None));
}

#[test]
fn the_list_that_has_all_that_is_cited_is_meant() {
    let books = "## References\n\n1. Smith, *Solar Book*.\n2. Jones, *Wind Book*.\n\n";
    let sources = "[1] https://a.example/1\n[2] https://b.example/2\n[3] https://c.example/3\n";
    let meant = |text: &str| {
        let document = Document::read(text);
        let citations = read(&document, &KnownLabels::default());
        let is_book = |marker: &crate::citation::Marker| match marker.targets[0] {
            Target::Entry(id) => citations.entry(id).is_some_and(|entry| entry.addresses.is_empty()),
            _ => panic!("{marker:?} means no entry"),
        };
        citations.markers.iter().map(is_book).collect::<Vec<_>>()
    };
    assert_eq!(meant(&format!("A [1]. B [2]. C [3].\n\n{books}So it is.\n\nSources:\n{sources}")), [false; 3]);
    assert_eq!(meant(&format!("A [1]. B [2]. C [3].\n\n{books}## B\n\nWords.\n\n## Sources\n\n{sources}")), [false; 3]);
    // Where both have them, the one that is written as it is cited.
    assert_eq!(meant(&format!("A [1]. B [2].\n\n{books}So it is.\n\nSources:\n{sources}")), [false; 2]);
    // Each section has its own.
    let (a, b) = ("# A\n\nA [1].\n\n", "# B\n\nB [1]. C [3].\n\n");
    assert_eq!(meant(&format!("{a}{books}{b}## Sources\n\n{sources}")), [true, false, false]);
}

#[test]
fn entries_in_other_writings() {
    let entries = &["1|A|https://a.example/x", "2|B|https://b.example/y"];
    for text in [
        "[1] A https://a.example/x<br>[2] B https://b.example/y",
        "[1] A https://a.example/x<br />\n[2] B https://b.example/y",
        "<a id=\"1\">[1]</a> A, https://a.example/x\n\n<a id=\"2\">[2]</a> B, https://b.example/y",
        "1）A https://a.example/x\n2）B https://b.example/y",
        "来源1：A https://a.example/x\n来源2：B https://b.example/y",
        "- Source 1: A https://a.example/x\n- Source 2: B https://b.example/y",
    ] {
        check_list(&format!("C [1]. D [2].\n\n## Sources\n\n{text}\n"), entries);
    }
    // A line break in an entry.
    check_list("## Sources\n\n[1] A<br>B https://a.example/x\n", &["1|A B|https://a.example/x"]);
    check_whole(
        "A [来源1]. B [来源2].\n\n## Sources\n\n来源1：A https://a.example/x\n来源2：B https://b.example/y\n",
        &["[来源1] = 1", "[来源2] = 2"],
    );
}

#[test]
fn references_without_an_address_among_others() {
    let (kim, ono) = ("Kim, A. (2019). Winds. https://a.example/1", "Ono, B. (2020). Suns. https://a.example/3");
    let list = |between: &str| format!("## References\n\n{kim}\n\n{between}\n\n{ono}\n");
    let first = "|Kim, A. (2019). Winds|https://a.example/1";
    let last = "|Ono, B. (2020). Suns|https://a.example/3";
    let lee = "Lee, C., & Park, S. (2019). Naps. Korean Press.";
    check_list(&list(lee), &[first, "|Lee, C., & Park, S. (2019). Naps. Korean Press|", last]);
    check_list(
        &list("Lee, C. (2019). Naps and\nrest. https://a.example/2"),
        &[first, "|Lee, C. (2019). Naps and rest|https://a.example/2", last],
    );
    check_list(&list("李四（2021）。太阳。人民出版社。"), &[first, "|李四（2021）。太阳。人民出版社|", last]);
    // Prose about a work is none.
    for prose in ["Lee (2019) found that naps help.", "We met Lee, who wrote Naps (2019). It helps."] {
        check_list(&list(prose), &[first, last]);
    }
    check_list("## References\n\nWe met Lee, C. (2019). It was fun.\n", &[]);
}

#[test]
fn a_note_between_entries_ends_no_list() {
    let note = "> A statement of the experts, which goes on for some time so that it is longer than any title of a work would be.";
    check_list(
        &format!("A [1]. B [2].\n\n## Sources\n\n1. A https://a.example/x\n\n{note}\n\n2. A book of wind\n"),
        &["1|A|https://a.example/x", "2|A book of wind|"],
    );
}

#[test]
fn a_number_is_the_label_whatever_stands_in_brackets_behind_it() {
    check_list("A [1].\n\n## Sources\n\n1. [PDF] A https://a.example/x\n", &["1|[PDF] A|https://a.example/x"]);
}

#[test]
fn numbers_are_as_written() {
    check_list(
        "## Sources\n\n1. A: https://a.example/\n3. B: https://b.example/\n",
        &["1|A|https://a.example/", "3|B|https://b.example/"],
    );
    check_list(
        "## Sources\n\n1. A: https://a.example/\n1. B: https://b.example/\n",
        &["1|A|https://a.example/", "2|B|https://b.example/"],
    );
    check_list(
        "## Sources\n\n[20] A: https://a.example/  \n[23] B: https://b.example/\n",
        &["20|A|https://a.example/", "23|B|https://b.example/"],
    );
}

#[test]
fn headings_in_every_writing() {
    let entries = "[1] A: https://a.example/\n[2] B: https://b.example/\n";
    for heading in [
        "## Sources\n\n",
        "# References\n\n",
        "###### Works Cited:\n\n",
        "**Sources**\n\n",
        "**Sources:**\n",
        "Sources\n",
        "Sources:\n\n",
        "参考文献：\n",
        "## 7. Sources\n\n",
        "## Sources (numbered, in order)\n\n",
        "## ### 参考文献\n\n",
        "## 九、参考文献\n\n### Sources\n\n",
        "Quellen\n=======\n\n",
        "## Fuentes consultadas\n\n",
        "## Источники\n\n",
        "## 出典\n\n",
        "## 참고문헌\n\n",
    ] {
        let text = format!("Claim [1]. More [2].\n\n{heading}{entries}");
        let document = Document::read(text.as_str());
        let citations = read(&document, &KnownLabels::default());
        assert_eq!(citations.lists.len(), 1, "{text:?}");
        assert_eq!(citations.lists[0].entries.len(), 2, "{text:?}");
        let span = citations.lists[0].heading.expect("a heading");
        assert_eq!(document.slice(span), heading.trim(), "{text:?}");
        assert_eq!(citations.markers.len(), 2, "{text:?}");
    }
}

#[test]
fn a_heading_alone_is_no_list_and_prose_stays_prose() {
    for text in [
        "## Sources\n\nWe interviewed ten people.\n",
        "## Sources\n\n- We interviewed ten people\n- And more\n",
        "## References\n\n1. Gather data\n",
        "## Links\n\n- [A](https://a.example/)\n- [B](https://b.example/)\n",
        "See:\n\n- [A](https://a.example/)\n- [B](https://b.example/)\n",
        "1. [A](https://a.example/)\n2. [B](https://b.example/)\n\nAnd so on.\n",
        "## Sources of error\n\n1. A: https://a.example/\n",
    ] {
        check_list(text, &[]);
    }
}

#[test]
fn a_separator_says_that_nothing_behind_it_is_a_list() {
    let list = "## Sources\n\n1. A — https://a.example/\n2. B — https://b.example/\n";
    let entries = &["1|A|https://a.example/", "2|B|https://b.example/"];
    for text in [
        "## Sources\n<!-- -->\n\n1. [X](https://x.example/)\n2. [Y](https://y.example/)\n\n",
        "Sources:<!-- -->\n[1] X: https://x.example/\n\n",
        "A [1].\n\n<!-- -->\n[1] X: https://x.example/\n[2] Y: https://y.example/\n\n",
        "## Sources\n<!-- -->\n\n",
    ] {
        check_list(&format!("{text}{list}"), entries);
    }
    check_list("A [1].\n\n<!-- -->\n1. [X](https://x.example/)\n2. [Y](https://y.example/)\n", &[]);
}

#[test]
fn an_entry_without_an_address_is_one_when_a_footnote_cites_it() {
    check_list("A [^1].\n\n## Sources\n\n[^1]: A book of heat\n", &["1|A book of heat|"]);
}

#[test]
fn items_that_count_anew_after_a_list_are_no_entries() {
    let list = ["1|A|https://a.example/", "2|B|https://b.example/"];
    let entries = "1. A — https://a.example/\n2. B — https://b.example/";
    check_list(&format!("## Sources\n\n{entries}\n\n7) Costs rose.\n8) Prices fell.\n"), &list);
}

#[test]
fn a_label_that_is_defined_twice_is_an_entry_of_both_lists() {
    check_list(
        "## One\n\nA [1].\n\n### Sources\n\n[1]: https://a.example/ \"A\"\n\n## Two\n\nB [1].\n\n### Sources\n\n[1]: https://b.example/ \"B\"\n",
        &["1|A|https://a.example/", "1|B|https://b.example/"],
    );
}

#[test]
fn lists_by_shape() {
    check_list(
        "A [1].\n\n[1] A: https://a.example/\n[2] B: https://b.example/\n",
        &["1|A|https://a.example/", "2|B|https://b.example/"],
    );
    check_list(
        "A [1].\n\n1. [A](https://a.example/)\n2. [B](https://b.example/)\n",
        &["1|A|https://a.example/", "2|B|https://b.example/"],
    );
    check_list(
        "A [1].\n\n[1] A: https://a.example/\n[2] B: https://b.example/\n---\n",
        &["1|A|https://a.example/", "2|B|https://b.example/"],
    );
    check_list(
        "A [1].\n\n```\ncode [1]\n\n参考文献：\n[1] https://a.example/ - A\n[2] https://b.example/ - B\n",
        &["1|A|https://a.example/", "2|B|https://b.example/"],
    );
}

#[test]
fn the_only_words_of_an_entry_are_its_title() {
    check_list(
        "A [1], b [2].\n\n## Sources\n\n1. https://a.example/ - A\n2. https://b.example/ https://b.example/2 - B\n",
        &["1|A|https://a.example/", "2|B|https://b.example/ https://b.example/2"],
    );
    check_list(
        "A [1], b [2].\n\nSources:\n[[1]](https://a.example/)[1] https://a.example/1 - A\n[2] https://b.example/ - B\n",
        &["1|A|https://a.example/ https://a.example/1", "2|B|https://b.example/"],
    );
}

#[test]
fn an_address_in_a_paragraph_of_its_own_is_that_of_the_entry_above() {
    check_list(
        "A [1].\n\n## Sources\n\n[1] A:\n\nhttps://a.example/\n\n[2] B:\n\nhttps://b.example/\n",
        &["1|A|https://a.example/", "2|B|https://b.example/"],
    );
    check_list("A [1].\n\n[1] https://a.example/\n", &["1||https://a.example/"]);
    check_list("A.\n\n[1] https://a.example/\n", &[]);
    check_list("A【1】。\n\n## 参考文献\n\n1. Rethinking\n", &["1|Rethinking|"]);
}

#[test]
fn lists_with_groups_and_prose() {
    check_list(
        "## Sources\n\n### Primary Sources\n- [A](https://a.example/) - Docs\n\n### Media Coverage\n- [B](https://b.example/)\n\n---\n\nThe end is prose.\n",
        &["|A|https://a.example/", "|B|https://b.example/"],
    );
    check_list(
        "## Sources\n\n- Official:\n  - [A](https://a.example/)\n  - [B](https://b.example/)\n",
        &["|A|https://a.example/", "|B|https://b.example/"],
    );
    check_list(
        "Sources:  \nhttps://a.example/  \nhttps://b.example/\n\n---\n\nMore prose here.\n",
        &["||https://a.example/", "||https://b.example/"],
    );
    check_list(
        "## Sources\n\n1. A: https://a.example/\n\n## Next\n\n1. Not a source https://x.example/\n",
        &["1|A|https://a.example/"],
    );
}

#[test]
fn sections_with_lists_of_their_own() {
    let text = "## One\n\nA [1].\n\n### Sources\n\n1. A: https://a.example/\n\n## Two\n\nB [1]. C [2].\n\n### Sources\n\n1. B: https://b.example/\n2. C: https://c.example/\n";
    let document = Document::read(text);
    let citations = read(&document, &KnownLabels::default());
    let found: Vec<&str> = citations
        .markers
        .iter()
        .flat_map(|marker| &marker.targets)
        .map(|target| match target {
            Target::Entry(id) => citations.lists[id.list as usize].entries[id.entry as usize].title.as_str(),
            _ => "?",
        })
        .collect();
    assert_eq!(found, ["A", "B", "C"]);
    // A number that the list of the section does not have is none of another section's.
    let text = text.replace("A [1].", "A [1]. B [2].").replace("2. C: https://c.example/\n", "").replace(
        "### Sources\n\n1. A: https://a.example/",
        "### Sources\n\n1. A: https://a.example/\n2. D: https://d.example/",
    );
    let document = Document::read(text);
    let citations = read(&document, &KnownLabels::default());
    let targets: Vec<usize> = citations.markers.iter().map(|marker| marker.targets.len()).collect();
    let in_first = citations
        .markers
        .iter()
        .flat_map(|marker| &marker.targets)
        .filter(|target| matches!(target, Target::Entry(id) if id.list == 0));
    assert_eq!((in_first.count(), targets.len()), (2, 4), "{:?}", citations.markers);
    // A list without addresses right before the real one: the one that is written like the citations is meant.
    let text = "# T\n\nA [1].\n\n## 参考资料\n\n1. 《书》\n2. 《文》\n\n参考文献：\n[1] https://a.example/ - A\n[2] https://b.example/ - B\n";
    let document = Document::read(text);
    let citations = read(&document, &KnownLabels::default());
    assert_eq!(citations.lists.len(), 1);
    assert_eq!(citations.markers[0].targets, [Target::Entry(crate::citation::EntryId { list: 0, entry: 0 })]);
}

#[test]
fn a_heading_over_prose_and_entries_is_that_of_the_prose() {
    let entries = "[1] https://a.example/ - A\n[2] https://b.example/ - B\n";
    for (text, expected) in [
        (format!("So it is [1][2].\n\n## Conclusion\n\nAll is said.\n{entries}"), None),
        (format!("So it is [1][2].\n\n## Conclusion\n\n{entries}"), Some("Conclusion")),
    ] {
        let citations = read(&Document::read(text.as_str()), &KnownLabels::default());
        let [list] = citations.lists.as_slice() else { panic!("one list in {text:?}") };
        assert_eq!(list.title.as_deref(), expected, "in {text:?}");
        assert_eq!(list.entries.len(), 2, "in {text:?}");
    }
}
