//! The forms and layouts of the reading rules, a line each.

mod lists;

use super::{Citations, KnownLabels, Label, MarkerForm, Placement, Target, read};
use crate::finding::Code;
use crate::markdown::Document;

/// A list of nine entries, `https://s1.example/` to `https://s9.example/`.
fn list() -> String {
    let entries: Vec<String> = (1..=9).map(|n| format!("{n}. Title {n} — https://s{n}.example/\n")).collect();
    format!("\n\n## Sources\n\n{}", entries.concat())
}

fn spelled(document: &Document, citations: &Citations) -> Vec<String> {
    let spell = |target: &Target| match target {
        Target::Entry(id) => {
            let entry = &citations.lists[id.list as usize].entries[id.entry as usize];
            entry.label.as_ref().map_or_else(|| entry.addresses[0].clone(), ToString::to_string)
        }
        Target::Label(label) => format!("?{label}"),
        Target::Address(address) => address.clone(),
    };
    citations
        .markers
        .iter()
        .map(|marker| {
            let targets: Vec<String> = marker.targets.iter().map(spell).collect();
            let words = if marker.standalone { "" } else { " words" };
            format!("{} = {}{words}", document.slice(marker.span), targets.join(" "))
        })
        .collect()
}

/// Markers of `text` followed by the list of nine: `[1, 4] = 1 4`, `?9` for a label without an entry.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    check_whole(&format!("{text}{}", list()), expected);
}

#[track_caller]
fn check_whole(text: &str, expected: &[&str]) {
    let document = Document::read(text);
    let citations = read(&document, &KnownLabels::default());
    assert_eq!(spelled(&document, &citations), expected, "of {text:?}");
}

#[track_caller]
fn check_codes(text: &str, expected: &[Code]) {
    let document = Document::read(format!("{text}{}", list()));
    let citations = read(&document, &KnownLabels::default());
    let codes: Vec<Code> = citations.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, expected, "of {text:?}: {:?}", citations.findings);
}

/// Entries of a document that is nothing but a list: `label|title|addresses`.
#[track_caller]
fn check_list(text: &str, expected: &[&str]) {
    let document = Document::read(text);
    let citations = read(&document, &KnownLabels::default());
    let found: Vec<String> = citations
        .lists
        .iter()
        .flat_map(|list| &list.entries)
        .map(|entry| {
            let label = entry.label.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("{label}|{}|{}", entry.title, entry.addresses.join(" "))
        })
        .collect();
    assert_eq!(found, expected, "of {text:?}");
}

#[test]
fn a_bibliography_beside_the_list_that_is_cited_is_text() {
    let lists = |works: &str, cited: &str| {
        let sources = "[1] https://a.example/1 - Editions\n[2] https://b.example/2 - A list of books\n";
        let text = format!(
            "Laozi speaks of it {cited}.\n\n## References\n\n{works}\nThe report ends here.\n\nSources:\n{sources}"
        );
        let document = Document::read(text.as_str());
        let citations = read(&document, &KnownLabels::default());
        let found: Vec<&str> = citations.markers.iter().map(|marker| document.slice(marker.span)).collect();
        (citations.lists.len(), found.join(" "))
    };
    let works = "1. Wang, *Laozi, annotated*, Zhonghua.\n2. Gao, *Laozi, translated*, Tsinghua, 1991.\n";
    assert_eq!(lists(works, "[2]"), (1, "[2]".to_owned()));
    // Its entries may cite.
    let citing = works.replace("ua.\n", "ua. [1][2]\n").replace("1991.", "1991. [2]");
    assert_eq!(lists(&citing, "[2]"), (1, "[2] [1][2] [2]".to_owned()));
    // With a number of its own, or with an address, it is a list of sources.
    assert_eq!(lists(&format!("{works}3. Liu, *Laozi*, Shangwu.\n"), "[2]"), (2, "[2]".to_owned()));
    assert_eq!(lists(&works.replace("1991.", "1991. https://c.example/3"), "[2]").0, 2);
}

#[test]
fn a_formula_in_a_title_is_what_is_shown() {
    check_list(
        "## Sources\n\n1. \\[x = 3\\] in $\\alpha$ — https://a.example/\n",
        &["1|[x = 3] in $\\alpha$|https://a.example/"],
    );
}

#[test]
fn single_numbers() {
    check("A claim [3].", &["[3] = 3"]);
    check("A claim. [3]", &["[3] = 3"]);
    check("A claim[3].", &["[3] = 3"]);
    check("主张[3]。", &["[3] = 3"]);
    check("主张。[3]", &["[3] = 3"]);
    check("# Heading [3]", &["[3] = 3"]);
    check("| a | b |\n|---|---|\n| x | [3] |", &["[3] = 3"]);
    check("> Quoted [3].", &["[3] = 3"]);
    // A number that is quoted alone is spoken of.
    check("A key marked \"[1]\" resets it [2].", &["[2] = 2"]);
    check("Die Taste „[1]“ setzt es zurück.", &[]);
    check("- Item [3]\n  - Nested [4]", &["[3] = 3", "[4] = 4"]);
    check("One [1]. Two [2].", &["[1] = 1", "[2] = 2"]);
    check("It is so [VERIFIED][2].", &["[2] = 2"]);
    check("See [the figures][2].", &["[2] = 2"]);
}

#[test]
fn runs_are_one_citation() {
    check("A[1][4][7].", &["[1][4][7] = 1 4 7"]);
    check("A [1] [4].", &["[1] [4] = 1 4"]);
    check("A [1], [4].", &["[1], [4] = 1 4"]);
    check("A [1]\n[4].", &["[1]\n[4] = 1 4"]);
    check("A [1]–[3].", &["[1]–[3] = 1 2 3"]);
    check("A [1] and [4].", &["[1] = 1", "[4] = 4"]);
    check("A [1]. [4]", &["[1] = 1", "[4] = 4"]);
    check("A ([1], [2]).", &["([1], [2]) = 1 2"]);
    check("A ([1]), ([2]).", &["([1]), ([2]) = 1 2"]);
    check("A[[6],[7]].", &["[[6],[7]] = 6 7"]);
    check("A [1]. B[22][23].", &["[1] = 1", "[22][23] = ?22 ?23"]);
    check("A **[1]** b.", &["**[1]** = 1"]);
    check("**A**[1]**b**", &["[1] = 1"]);
}

#[test]
fn groups_and_ranges() {
    check("A [1, 4].", &["[1, 4] = 1 4"]);
    check("A [1,4].", &["[1,4] = 1 4"]);
    check("A [1，4].", &["[1，4] = 1 4"]);
    check("A [1;4].", &["[1;4] = 1 4"]);
    check("A [1、4].", &["[1、4] = 1 4"]);
    check("A [1,\n4].", &["[1,\n4] = 1 4"]);
    check("A [2-5].", &["[2-5] = 2 3 4 5"]);
    check("A [2–5].", &["[2–5] = 2 3 4 5"]);
    check("A [1, 3-5].", &["[1, 3-5] = 1 3 4 5"]);
    check("A [1-3, 5].", &["[1-3, 5] = 1 2 3 5"]);
    check("A [1]–[3].", &["[1]–[3] = 1 2 3"]);
    check("A [1]–\n[3].", &["[1]–\n[3] = 1 2 3"]);
    // A line that begins with a dash is an item, or reads on.
    check("A [1]\n  - [3] b.", &["[1] = 1", "[3] = 3"]);
    check("A [5-2].", &[]);
    check("A [1-9999].", &[]);
    check("A [4-2][3][1].", &["[3][1] = 3 1"]);
    check_codes("A [5-2].", &[Code::BadRange]);
    check_codes("A [1-9999].", &[Code::BadRange]);
    check_codes("In [2019-2021] and [0-9].", &[]);
    // Past the end of the list.
    check("A [8-10].", &["[8-10] = 8 9 ?10"]);
    check_codes("A [8-10].", &[Code::OrphanCitation]);
}

#[test]
fn full_width_and_lenticular() {
    check("主张［３］。", &["［３］ = 3"]);
    check("主张【3】。", &["【3】 = 3"]);
    check("主张【1】【2】。", &["【1】【2】 = 1 2"]);
    check("主张【1-3，5-6】。", &["【1-3，5-6】 = 1 2 3 5 6"]);
    check("主张〔3〕。", &["〔3〕 = 3"]);
    check("【重点】主张【3】。", &["【3】 = 3"]);
}

#[test]
fn footnotes() {
    check_whole("A[^1][^b].\n\n[^1]: T. https://a.example/\n[^b]: [U](https://b.example/)\n", &["[^1][^b] = 1 b"]);
    check("A [^2] b.\n\n[^2]: A remark [3].", &["[3] = 3"]);
    check("A [^2].", &["[^2] = 2"]);
    check("A [^1^].", &["[^1^] = 1"]);
    check("A [^44].", &["[^44] = ?44"]);
    check("A [^note].", &[]);
    check_whole("A[^b] c.[^gone]\n\n[^b]: [U](https://b.example/)\n", &["[^b] = b", "[^gone] = ?gone"]);
    check_whole(
        "A[^1].\n\n[^1]: Costs exclude tax. They were taken in May. The rest is at https://a.example/ and was computed by hand for the years in which no other figures were given.\n",
        &[],
    );
}

/// As a word processor exports them.
#[test]
fn footnotes_below_a_list_count_for_themselves() {
    check_whole(
        "A.[^1] B.[^2] C [1].\n\n# **Works cited**\n\n1. T, [https://a.example/](https://a.example/)  \n2. U, https://b.example/\n\n\
         [^1]:  V, https://c.example/\n\n[^2]:  W, https://d.example/\n",
        &["[^1] = 1", "[^2] = 2", "[1] = 1"],
    );
    let document = Document::read(
        "A.[^1]\n\n# Sources\n\n1. T, https://a.example/\n2. U, https://b.example/\n\n[^1]: V, https://c.example/\n",
    );
    let lists = read(&document, &KnownLabels::default()).lists;
    assert_eq!(lists.iter().map(|list| list.entries.len()).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn double_brackets() {
    check("A [[3]].", &["[[3]] = 3"]);
    check("A [[3]](https://x.example/).", &["[[3]](https://x.example/) = https://x.example/"]);
    // Beside citations in single brackets it is a link of a wiki.
    check("A [1]. B [2]. See [[3]] for it.", &["[1] = 1", "[2] = 2"]);
    check("A [1]. B [2]. See [[3]].", &["[1] = 1", "[2] = 2"]);
    check("A [1]. B [2]. C[[3]]. D[[4]] too.", &["[1] = 1", "[2] = 2", "[[3]] = 3", "[[4]] = 4"]);
    check("The [[48,4,7]] code [5-7].", &["[5-7] = 5 6 7"]);
    check("The [[4,4,7]] code.", &[]);
    check("[See 1–28 in [4][5]]", &["[4][5] = 4 5"]);
}

#[test]
fn number_links() {
    check_whole("A [3](https://x.example/).", &["[3](https://x.example/) = https://x.example/"]);
    check_whole(
        "A ([3](https://x.example/), [4](https://y.example/)).",
        &["([3](https://x.example/), [4](https://y.example/)) = https://x.example/ https://y.example/"],
    );
    check_whole(
        "A [3](https://x.example/), [4](https://y.example/).",
        &["[3](https://x.example/), [4](https://y.example/) = https://x.example/ https://y.example/"],
    );
    check("A [2]. See [2](https://s2.example/) and ![2](https://s2.example/f.png).", &["[2] = 2"]);
    check("A [2]. B ([2](https://s2.example/)).", &["[2] = 2", "([2](https://s2.example/)) = https://s2.example/"]);
    check("A [2]. B grew [2](https://s2.example/).", &["[2] = 2", "[2](https://s2.example/) = https://s2.example/"]);
    check(
        "A [2]. The ferry [2](https://s2.example/) sails.",
        &["[2] = 2", "[2](https://s2.example/) = https://s2.example/"],
    );
    check("A [2]. See [2](https://s2.example/).", &["[2] = 2"]);
    // What an earlier run wrote behind it says that it cites nothing.
    check("A [1][2](https://s2.example/)<!-- --> b.", &["[1] = 1"]);
    check("A [1].\n\n- [ ] [2](https://s2.example/) b.", &["[1] = 1"]);
    check("A [1]. […] [2](https://s2.example/) b.", &["[1] = 1"]);
}

#[test]
fn title_links_and_addresses() {
    check(
        "In [the report](https://s2.example/) it says so.",
        &["[the report](https://s2.example/) = https://s2.example/ words"],
    );
    check("So ([Report](https://s2.example/)).", &["([Report](https://s2.example/)) = https://s2.example/"]);
    check(
        "So ([A](https://s2.example/), [B](https://s3.example)).",
        &["([A](https://s2.example/), [B](https://s3.example)) = https://s2.example/ https://s3.example"],
    );
    check("So ([A](https://other.example/)).", &[]);
    check("So <https://s2.example/> says.", &["<https://s2.example/> = https://s2.example/ words"]);
    check("So https://s2.example says.", &["https://s2.example = https://s2.example words"]);
    check("So (https://www.s2.example/#top).", &["(https://www.s2.example/#top) = https://www.s2.example/#top"]);
    check("So it is. https://s2.example/", &["https://s2.example/ = https://s2.example/"]);
    check("见https://s2.example/的报告。", &["https://s2.example/ = https://s2.example/ words"]);
    check("So https://other.example/ says.", &[]);
    check(
        "So [citation:Report](https://s2.example/).",
        &["[citation:Report](https://s2.example/) = https://s2.example/"],
    );
}

#[test]
fn superscripts() {
    check("A claim<sup>3</sup>.", &["<sup>3</sup> = 3"]);
    check("A claim.<sup>1,3</sup>", &["<sup>1,3</sup> = 1 3"]);
    check("A claim<sup>[3]</sup>.", &["<sup>[3]</sup> = 3"]);
    check("A claim<sup>[3][4]</sup>.", &["<sup>[3][4]</sup> = 3 4"]);
    check("A claim^3^.", &["^3^ = 3"]);
    check("主张<sup>3</sup>。", &["<sup>3</sup> = 3"]);
    for text in [
        "10<sup>6</sup> m",
        "5 m<sup>2</sup>",
        "x<sup>2</sup>",
        "12 km<sup>2</sup>",
        "1<sup>st</sup>",
        "a<sup>44</sup>",
        "m² and 10⁶",
        "x^2^",
        "10^3^",
        "2^3^4",
        "(a+b)<sup>2</sup>",
    ] {
        check(text, &[]);
    }
    check_whole("A claim<sup>3</sup>.", &[]);
}

#[test]
fn escaped_brackets_only_where_the_list_is_numbered_so() {
    check("A \\[2\\].", &[]);
    check_whole(
        "A \\[1\\], \\[2\\].\n\n## Sources\n\n\\[1\\] A: https://a.example/  \n\\[2\\] B: https://b.example/\n",
        &["\\[1\\], \\[2\\] = 1 2"],
    );
    check_whole("A \\[1\\].", &[]);
}

#[test]
fn a_missing_list_is_told() {
    check_whole("Sales rose. [1] Costs fell. [2] So it is. [1]", &["[1] = ?1", "[2] = ?2", "[1] = ?1"]);
    check_whole("Sales rose [1]. Costs fell [2, 3].\n\n## Sources\n", &["[1] = ?1", "[2, 3] = ?2 ?3"]);
    check_whole("销量上升。[1] 成本下降。[2]", &["[1] = ?1", "[2] = ?2"]);
    for text in [
        "Sales rose. [1] Costs fell.",
        "Take a[1]. Then take a[2].",
        "It lies in [1]. Then in [2].",
        "Values [0, 1]. And [1, 2].",
        "Costs fell. [3] Sales rose. [4]",
        "It was so. [1] It will be. [1998]",
    ] {
        check_whole(text, &[]);
    }
}

#[test]
fn groups_without_a_listed_label() {
    check("A [1]. B [12, 18].", &["[1] = 1", "[12, 18] = ?12 ?18"]);
    check("A [1]. The mean was 7 kg [12, 18].", &["[1] = 1"]);
    check("A [1]. It lies in [12, 18].", &["[1] = 1"]);
    check("A [1]. B [12, 18] goes on.", &["[1] = 1"]);
    check("A [1]. B [0, 18].", &["[1] = 1"]);
}

#[test]
fn raised_numbers_cite_a_list_below_a_heading_of_other_words() {
    let list = "\n\n# Notes\n\n1. A — https://a.example/\n2. B — https://b.example/\n";
    check_whole(&format!("It is so<sup>1</sup>. And so^2^.{list}"), &["<sup>1</sup> = 1", "^2^ = 2"]);
    check_whole(&format!("It is so.¹ And so.²{list}"), &["¹ = 1", "² = 2"]);
    let raised = "\n\n¹ A: https://a.example/\n² B: https://b.example/\n";
    check_whole(&format!("It is so¹. And so².{raised}"), &["¹ = 1", "² = 2"]);
    check_whole(&format!("It has 5 m² and 7 m³.{raised}"), &[]);
    check_whole(&format!("It has 5 m² and 7 m³.{list}"), &[]);
    check_whole(&format!("It is 3 kg s⁻¹.{list}"), &[]);
}

#[test]
fn bare_numbers_label_a_list_that_they_count() {
    let list = |entries: &str| format!("## References\n\n{entries}\n");
    let (a, b) = ("https://a.example/", "https://b.example/");
    check_list(&list(&format!("1 First, {a}\n2 Second <{b}>")), &[&format!("1|First|{a}"), &format!("2|Second|{b}")]);
    check_list(&list(&format!("1 First: {a}\n\n2 Second: {b}")), &[&format!("1|First|{a}"), &format!("2|Second|{b}")]);
    check_list(&list(&format!("1 First, {a}\n3 Second, {b}")), &[&format!("|1 First|{a}"), &format!("|3 Second|{b}")]);
    check_list(&list(&format!("1st of all, {a}\n2nd, {b}")), &[&format!("|1st of all|{a}"), &format!("|2nd|{b}")]);
    check_whole(&format!("A [2].\n\n{}", list(&format!("1 First, {a}\n2 Second, {b}"))), &["[2] = 2"]);
}

#[test]
fn product_forms() {
    for text in
        ["[citation:5]", "[cite: 5]", "[doc5]", "[来源5]", "【5†L231-L239】", "【5†source】", "[^5^]", "[web:5]"]
    {
        check(&format!("A {text}."), &[&format!("{text} = 5")]);
    }
    check("A [cite: 1, 6].", &["[cite: 1, 6] = 1 6"]);
    let listed = "\n\n**Sources**\n\n[cite: 1] Rain, https://a.example/r\n[cite: 2] Fire, https://b.example/f\n";
    check_whole(
        &format!("A [cite: 2]. B [cite: 1, 2].{listed}"),
        &["[cite: 2] = cite: 2", "[cite: 1, 2] = cite: 1 cite: 2"],
    );
    check("A. [](https://z.example/p)", &["[](https://z.example/p) = https://z.example/p"]);
    check("A [1]. It is so<sup><a href=\"#ref2\">2</a></sup>.", &["[1] = 1", "<sup><a href=\"#ref2\">2</a></sup> = 2"]);
    check("A [citation:1][citation:2].", &["[citation:1][citation:2] = 1 2"]);
    check_whole(
        "A [doc1].\n\n## Sources\n\n[doc1] A: https://a.example/\n[doc2] B: https://b.example/\n",
        &["[doc1] = doc1"],
    );
    check(
        "A \u{e200}cite\u{e202}turn0search1\u{e202}turn2view0\u{e201}.",
        &["\u{e200}cite\u{e202}turn0search1\u{e202}turn2view0\u{e201} = ?turn0search1 ?turn2view0"],
    );
    check("A citeturn0search1 b.", &["citeturn0search1 = ?turn0search1"]);
    check("A turn0search1turn2view0. B", &["turn0search1turn2view0 = ?turn0search1 ?turn2view0"]);
    check("A return0search1, b https://z.example/turn0search1 and `turn0search1`.", &[]);
    check("A :contentReference[oaicite:5]{index=5}.", &[":contentReference[oaicite:5]{index=5} = ?oaicite:5"]);
    check(
        "A [oai_citation:2‡a.example](https://a.example/).",
        &["[oai_citation:2‡a.example](https://a.example/) = https://a.example/"],
    );
    check_codes("A citeturn0search1 b.", &[Code::UnresolvableMarker]);
    check_codes("A turn0search1.", &[Code::UnresolvableMarker]);
    let rendered = "<grok:render card_id=\"a1\"><argument name=\"citation_id\">1</argument></grok:render>";
    check_codes(&format!("A {rendered} b [1]."), &[Code::UnresolvableMarker]);
    check_codes("A [citation:44].", &[Code::UnresolvableMarker]);
    check_codes("A 【44†L1】.", &[Code::UnresolvableMarker]);
    check("In turn, cite the turn.", &[]);
}

/// Names in brackets label the items of a list, too, one by one and several together.
#[test]
fn names_of_a_list() {
    let cited = |prose: &str, list: &str, expected: &[&str]| {
        check_whole(&format!("{prose}\n\n## Sources\n\n{list}"), expected);
    };
    let list = "- **[S1]** [A](https://a.example/)\n- [S2] B, https://b.example/\n- [S3]: C https://c.example/\n";
    cited("A [S1].", list, &["[S1] = s1"]);
    cited("A [S1, S2]. B [S1][S3]. C [s2; S3].", list, &["[S1, S2] = s1 s2", "[S1][S3] = s1 s3", "[s2; S3] = s2 s3"]);
    // One that is missing in a list of such names is an orphan; a name that is written otherwise is a word.
    cited("A [S9]. B [S2, S8].", list, &["[S9] = ?s9", "[S2, S8] = s2 ?s8"]);
    cited("A [B12]. B [S1, B12]. The [S9] of it.", list, &[]);
    let parts = "- [2a] A, https://a.example/\n- [2b] B, https://b.example/\n- [3] C, https://c.example/\n";
    cited("A [2a]. B [2a, 3].", parts, &["[2a] = 2a", "[2a, 3] = 2a 3"]);
}

#[test]
fn labels_with_a_locator() {
    check("A [2, p. 14]. B [see 1]. C [cf. 2, §3].", &["[2, p. 14] = 2", "[see 1] = 1", "[cf. 2, §3] = 2"]);
    check("A [1: 14–16].", &["[1: 14–16] = 1"]);
    check("A [5 pages]. B [see page 2]. C [page 2].", &[]);
}

#[test]
fn raised_numbers_that_are_no_exponent() {
    check(
        "It shipped in 2023<sup>1,2</sup>. It shipped in 2023<sup>2</sup>.",
        &["<sup>1,2</sup> = 1 2", "<sup>2</sup> = 2"],
    );
    check("It is type 2<sup>1</sup>. It is 5 m<sup>1</sup>.", &["<sup>1</sup> = 1", "<sup>1</sup> = 1"]);
    check("It is 5 m<sup>2</sup>, or 10<sup>2</sup>.", &[]);
    check("E = mc<sup>2</sup> and E=mc^2^, with <sup>2</sup>H and (<sup>3</sup>He).", &[]);
    check("It is 29% in 2024 ¹. It is 7%².", &["¹ = 1", "² = 2"]);
    check("It has stood since 2010². It has 1024³ stones.", &["² = 2"]);
    check("It is of the EU<sup>2</sup>. See the AI^3^.", &["<sup>2</sup> = 2", "^3^ = 3"]);
}

#[test]
fn raised_numbers_at_the_ends_of_cells() {
    let table = |rows: &str| format!("It rose.¹\n\n| Kind | Points | Cost |\n|---|---|---|\n{rows}\n");
    check(&table("| Base | 10³ | $1.2 million² |"), &["¹ = 1", "² = 2"]);
    check(&table("| Powers | 2³ | 8 |"), &["¹ = 1"]);
    check(&table("| Cross | 440 m² | 184 Mio. €² |"), &["¹ = 1", "² = 2"]);
}

#[test]
fn links_that_are_raised() {
    check(
        "So it is.^[\\[1\\]](https://s1.example/)^ So^[2](https://s2.example/)^ ^,^ ^[3](https://s3.example/)^. It is.^\\[[1](https://s1.example/)\\]^",
        &[
            "^[\\[1\\]](https://s1.example/)^ = https://s1.example/",
            "^[2](https://s2.example/)^ ^,^ ^[3](https://s3.example/)^ = https://s2.example/ https://s3.example/",
            "^\\[[1](https://s1.example/)\\]^ = https://s1.example/",
        ],
    );
    check("So it is.^2^ ^,^ ^3^ It is.", &["^2^ ^,^ ^3^ = 2 3"]);
    for text in [
        "<sup><a href=\"https://x.example/\">2</a></sup>",
        "<a href='https://x.example/'><sup>2</sup></a>",
        "[<sup>2</sup>](https://x.example/)",
        "[<sup>[2]</sup>](https://x.example/)",
        "<sup>[2](https://x.example/)</sup>",
    ] {
        check(&format!("It is so.{text} See [1]."), &[&format!("{text} = https://x.example/"), "[1] = 1"]);
    }
    check("A [1]. So<a href=\"#r2\"><sup>2</sup></a>.", &["[1] = 1", "<a href=\"#r2\"><sup>2</sup></a> = 2"]);
    check("A [1]. The <a href=\"https://x.example/\"><sup>high</sup></a> one.", &["[1] = 1"]);
}

#[test]
fn powers_stand_where_no_citation_does() {
    let others = "A.<sup>1</sup> B.<sup>2</sup>";
    let (one, two) = ("<sup>1</sup> = 1", "<sup>2</sup> = 2");
    check(&format!("{others} Area is length<sup>2</sup> for squares."), &[one, two]);
    check(&format!("{others} It is width^2^ × height^2^."), &[one, two]);
    check(&format!("{others} Sie ist Länge<sup>2</sup> mal drei."), &[one, two]);
    check(&format!("{others} 面积为边长<sup>2</sup>的平方。"), &[one, two]);
    check("A [1]. Area is length<sup>2</sup> for squares.", &["[1] = 1"]);
    check(&format!("{others} The length<sup>4</sup> is so."), &[one, two, "<sup>4</sup> = 4"]);
    check(&format!("{others} We know the length.<sup>2</sup> It"), &[one, two, two]);
    check(&format!("{others} The report<sup>2</sup> says so."), &[one, two, two]);
    // Where others stand inside of sentences, this one may, too.
    check("The weight<sup>1</sup> and height<sup>2</sup> of boys differ.", &["<sup>1</sup> = 1", "<sup>2</sup> = 2"]);
    check("The height<sup>2</sup> of boys differs.", &["<sup>2</sup> = 2"]);
}

#[test]
fn indices_are_no_citations() {
    check("A [1]. The entries a[1] and a[2] are both yields [2].", &["[1] = 1", "[2] = 2"]);
    check("A[1]。数组a[1]和a[2]表示产量[2]。", &["[1] = 1", "[2] = 2"]);
    check("A [1]. Take row[1], row[2] and row[3].", &["[1] = 1"]);
    check("It is 5 m[2] high[3].", &["[2] = 2", "[3] = 3"]);
    check("Cars[1] and vans[2] of Plan B[3] sell.", &["[1] = 1", "[2] = 2", "[3] = 3"]);
}

#[test]
fn a_block_quote_has_the_numbers_of_its_source() {
    let quote = "> The coma was larger than the Sun [1] and its period is long [13].";
    check(&format!("A [2].\n\n{quote}\n>\n> — Handbook [2]"), &["[2] = 2", "[2] = 2"]);
    check(&format!("A [2].\n\n{quote}\n> — Handbook [2]"), &["[2] = 2", "[2] = 2"]);
    let quote = "> The coma was larger than the Sun [1]. Its period is long [3].";
    check(&format!("A [2].\n\n{quote}\n>\n> — Handbook [2]"), &["[2] = 2", "[2] = 2"]);
    check(&format!("The handbook [2] says:\n\n{quote}"), &["[2] = 2"]);
    // Two paragraphs, the first of which has the number of the work itself.
    check("> It was large [2].\n>\n> It was long [3].\n>\n> — Handbook [2]", &["[2] = 2"]);
    check("> It was large [2].\n>\n> — Handbook [2]", &["[2] = 2", "[2] = 2"]);
    check("They say [1][3]:\n\n> It was large [1]. It was long [3].", &["[1][3] = 1 3", "[1] = 1", "[3] = 3"]);
    check("Some points:\n\n> It was large [1]. It was long [3].", &["[1] = 1", "[3] = 3"]);
    check("> - It was large [1].\n> - It was long [3].", &["[1] = 1", "[3] = 3"]);
    // Behind the stops of a quote with a citation that closes it they may be the draft's own.
    check("They say [2]:\n\n> It was large. [1] It was long. [3]", &["[2] = 2", "[1] = 1", "[3] = 3"]);
}

#[test]
fn sources_by_their_word() {
    check(
        "A [Source 1]. B [source 2, Source 3]. C [Sources: 1; 2].",
        &["[Source 1] = 1", "[source 2, Source 3] = 2 3", "[Sources: 1; 2] = 1 2"],
    );
    check("A [source: the census of 2020].", &[]);
}

#[test]
fn a_group_with_a_label_too_many() {
    check("So it is [2]. Ducks swim well [1, 14].", &["[2] = 2", "[1, 14] = 1 ?14"]);
    check("So it is [2]. The value lies in [1, 14].", &["[2] = 2"]);
}

#[test]
fn the_words_of_html_cite() {
    check(
        "So it is [1].\n\n<p title=\"[4]\">So is this [2, 3]. <!-- [1] --> <code>b[1]</code></p>\n\n<pre>a[1]</pre>\n",
        &["[1] = 1", "[2, 3] = 2 3"],
    );
    check("<td>See [1](https://x.example/)</td>\n", &[]);
    check_whole(
        "A ([t](https://a.example/)).\n\n<aside>\n<a href=\"https://c.example/\">C</a> was built in 2023. https://b.example/\n</aside>\n",
        &["([t](https://a.example/)) = https://a.example/", "https://b.example/ = https://b.example/"],
    );
}

#[test]
fn raised_digits() {
    check("It is so.¹ And so². And then so,³ too.", &["¹ = 1", "² = 2", "³ = 3"]);
    check("The reports¹,² say so, and others¹² too.", &["¹,² = 1 2", "¹² = 1 2"]);
    check("An area of 5 km² and 10² of m³, with an R² of W³.", &[]);
    check("Power goes with the cube, P = ½ρAv³, and E = mc², A = πr².", &[]);
    check("产量为10.19亿吨①。印度为1.402亿吨②③。", &["① = 1", "②③ = 2 3"]);
    check("A claim.① Three costs: ①wages, ②rent.", &["① = 1"]);
    // Beside citations in brackets they are exponents.
    check("The weight³ is so [2].", &["[2] = 2"]);
}

#[test]
fn a_name_that_is_a_link_is_no_label() {
    let document = Document::read(
        "It is so.\n\n## Further reading\n\n- [ES.48][]: Avoid casts\n- [ES.49][]: Name casts\n\n[ES.48]: https://a.example/48\n[ES.49]: https://a.example/49\n",
    );
    let citations = read(&document, &KnownLabels::default());
    let entries: Vec<_> = citations.lists.iter().flat_map(|list| &list.entries).collect();
    assert!(entries.len() >= 2 && entries.iter().all(|entry| !entry.addresses.is_empty()), "{entries:?}");
}

/// Definitions at the margin below a list with blank lines are no part of it.
#[test]
fn definitions_below_a_list() {
    check_whole(
        "- A [1].\n\n- B [2].\n\n[1]: https://a.example/\n[2]: https://b.example/\n\n# Next\n\n- C [1].\n",
        &["[1] = 1", "[2] = 2", "[1] = 1"],
    );
}

fn messages_of(citations: &Citations) -> Vec<String> {
    citations.findings.iter().map(|finding| finding.message.clone()).collect()
}

#[test]
fn pandoc_keys() {
    let mut known = KnownLabels::default();
    for key in ["doe2020", "roe21"] {
        known.labels.insert(Label::parse(key).unwrap());
    }
    let document = Document::read("A [@doe2020; @roe21, p. 3]. B [@unknown]. C [-@doe2020].");
    let citations = read(&document, &known);
    assert_eq!(
        spelled(&document, &citations),
        ["[@doe2020; @roe21, p. 3] = ?doe2020 ?roe21", "[@unknown] = ?unknown", "[-@doe2020] = ?doe2020"]
    );
    assert_eq!(messages_of(&citations), ["citation [@unknown] has no source entry"]);
    // A key that means nothing is told with all that stands beside it; what is not understood stays as it is.
    let document = Document::read(
        "A [see @Unknown:2, p. 3; @roe21]. B [@doe2020 [bonus], p. 7]. C [@roe21; @x [bonus]]. As @doe2020 [p. 3; also @y, p. 9] says.",
    );
    let citations = read(&document, &known);
    assert_eq!(
        spelled(&document, &citations),
        ["[see @Unknown:2, p. 3; @roe21] = ?unknown:2 ?roe21", "@doe2020 [p. 3; also @y, p. 9] = ?doe2020 ?y"]
    );
    let kept: Vec<&str> = citations.unexplained.iter().map(|span| document.slice(*span)).collect();
    assert_eq!(kept, ["[@doe2020 [bonus], p. 7]", "[@roe21; @x [bonus]]"]);
    let beside = |written: &str| {
        format!("what stands beside the key in {written} would not be read beside a number: it stays as it is")
    };
    assert_eq!(
        messages_of(&citations),
        [
            "citation [see @Unknown:2, p. 3] has no source entry".to_owned(),
            beside("[@doe2020 [bonus], p. 7]"),
            "citation [@x [bonus]] has no source entry".to_owned(),
            beside("[@roe21; @x [bonus]]"),
            "citation [also @y, p. 9] has no source entry".to_owned(),
        ]
    );
    let document = Document::read(
        "So [see @doe2020, p. 5; also -@roe21]. As @roe21 [p. 33] says. Write to a@doe2020 or @you. @{roe21} and @{doe2020",
    );
    let found =
        ["[see @doe2020, p. 5; also -@roe21] = ?doe2020 ?roe21", "@roe21 [p. 33] = ?roe21", "@{roe21} = ?roe21"];
    assert_eq!(spelled(&document, &read(&document, &known)), found);
    check_whole(
        "A [see @a, p. 5]. As @b says, so.\n\n# References\n\n- [@a]: A. https://a.example/\n- [@b]: B. https://b.example/\n",
        &["[see @a, p. 5] = a", "@b = b"],
    );
    assert_eq!(citations.markers[0].form, MarkerForm::Pandoc);
    check("A [@doe2020].", &[]);
}

#[test]
fn research_files_give_labels_a_meaning() {
    let mut known = KnownLabels::default();
    known.labels.insert(Label::Number(2));
    known.add_address("https://a.example/x");
    let document = Document::read("A [2]. B [3]. C [0, 1]. See [it](http://www.a.example/x/).");
    let citations = read(&document, &known);
    assert_eq!(
        spelled(&document, &citations),
        ["[2] = ?2", "[3] = ?3", "[it](http://www.a.example/x/) = http://www.a.example/x/ words"]
    );
    let codes: Vec<_> = citations.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::OrphanCitation], "2 is for the research files to resolve");
}

#[test]
fn orphans_are_told_where_they_are_meant() {
    check("A[6][23].", &["[6][23] = 6 ?23"]);
    check("A [1]. B [23].", &["[1] = 1", "[23] = ?23"]);
    check("A [1]. It fell [0].", &["[1] = 1", "[0] = ?0"]);
    check("A [1]. It fell to x[0].", &["[1] = 1"]);
    check("A [1]. It fell [2, 0].", &["[1] = 1", "[2, 0] = 2 ?0"]);
    check("A [1]. It fell, [2, 0] times. The scores are [0, 2].", &["[1] = 1"]);
    check_codes("A [1]. It fell [2, 0].", &[Code::OrphanCitation]);
    check("A 【23】.", &["【23】 = ?23"]);
    check_codes("A[6][23].", &[Code::OrphanCitation]);
    check_codes("A[1]. 他们采用方法[23]，辅以家长期望[2]。", &[Code::OrphanCitation]);
    check_codes("A [1]. The test is at [50], as `b[7]` is.", &[]);
    check("A [23] b.", &[]);
    let holes = "A [1]. The method [2] was used in w = [1, 2] [3].\n\n## Sources\n\n[1] https://a.example/\n[3] https://c.example/\n";
    let found = read(&Document::read(holes), &KnownLabels::default()).findings;
    assert_eq!(found.iter().map(|finding| finding.code).collect::<Vec<_>>(), [Code::OrphanCitation]);
    check("A [1]. In [2023] b.", &["[1] = 1"]);
    check("A [1]. Done [2023].", &["[1] = 1"]);
    check("A [1]. Scores lie in [0, 1].", &["[1] = 1"]);
    check("A [1]. Scores lie in [0, 99].", &["[1] = 1"]);
    check("A [sic] b [x] c [ ] d.", &[]);
    check("A [1]. The test is at [50] and [55]. See paragraphs [45] to [48].", &["[1] = 1"]);
    check("A [1]. It rains often\n[23].", &["[1] = 1", "[23] = ?23"]);
    check_whole("No list [1]. At all.", &[]);
}

#[test]
fn links_and_numbers_that_stand_by_themselves() {
    let (one, two) = ("[X](https://s1.example/)", "[Y](https://s2.example/)");
    let spell = |link: &str, n: u32, words: &str| format!("{link} = https://s{n}.example/{words}");
    let (words, bare) = (" words", "");
    check(&format!("A. {one} B. {two}"), &[&spell(one, 1, bare), &spell(two, 2, bare)]);
    check(&format!("A. {one} Hall is big. B {two}."), &[&spell(one, 1, words), &spell(two, 2, words)]);
    check("A [[1](https://s1.example/)].", &["[[1](https://s1.example/)] = https://s1.example/"]);
}

#[test]
fn what_is_never_a_citation() {
    for text in [
        "---\nrefs: [1, 2]\n---\n\ntext",
        "```\na [1]\n```",
        "~~~\n[2]: x\n~~~",
        "    b[2]",
        "a `b[2]`",
        "a $v[2]$ b",
        "$$\nw_{[2]} [3]\n$$",
        "a ![x [2]](https://s2.example/f.png)",
        "a ![2](u)",
        "a [link [2] text](https://other.example/)",
        "a [b](https://other.example/?x=[2])",
        "a <!-- [2] --> b",
        "<div title=\"[2]\">\na\n</div>",
        "- [ ] a\n- [x] b",
        "a \\[2\\] b",
        "a \\[2] b",
    ] {
        check(text, &[]);
    }
    check("costs $5 [1] and $6 [2].", &["[1] = 1", "[2] = 2"]);
}

#[test]
fn own_sections_hold_no_citations() {
    check_whole(
        "A [1].\n\n## Removed Unsupported Claims\n\n- “B” — citation [9] has no source entry\n\n## Verification Notes\n\n- C [1].\n\n## Sources\n\n1. A — https://a.example/\n",
        &["[1] = 1"],
    );
    // What stands behind a source list is the document's own.
    check_whole(
        "A [1].\n\n## Removed Unsupported Claims\n\n- “B [2].”\n\n### Sources\n\n1. A — https://a.example/\n\nC [1].\n",
        &["[1] = 1", "[1] = 1"],
    );
}

#[test]
fn placement_is_the_habit_of_most() {
    for (text, expected) in [
        ("A [1]. B [2]. C. [3]", Placement::BeforeStop),
        ("A. [1] B. [2] C [3].", Placement::AfterStop),
        ("主张。[1] 主张。[2]", Placement::AfterStop),
        ("None.", Placement::BeforeStop),
    ] {
        let document = Document::read(format!("{text}{}", list()));
        assert_eq!(read(&document, &KnownLabels::default()).placement, expected, "{text:?}");
    }
}

#[test]
fn duplicates_are_told() {
    let document = Document::read(
        "A [1][2].\n\n## Sources\n\n1. A: https://a.example/\n2. B: http://www.a.example\n2. C: https://c.example/\n",
    );
    let codes: Vec<Code> =
        read(&document, &KnownLabels::default()).findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::DuplicateSource, Code::DuplicateLabel]);
}
