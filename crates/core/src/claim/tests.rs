//! Claims of small documents.

use super::{Claim, ClaimKind, ClaimPosition, split};
use crate::citation::marker::Target;
use crate::citation::{Citations, EntryId, Marker, MarkerForm, Placement};
use crate::markdown::{Document, InlineKind};
use cited_text::Span;

/// `[1]`, `[1][2]`, `[1, 2]` in text, by the simplest rule: the real reader is not under test here.
pub(super) fn citations(document: &Document, placement: Placement) -> Citations {
    let mut markers: Vec<Marker> = Vec::new();
    for (leaf, _) in document.leaves() {
        for inline in document.inlines(leaf).iter().filter(|inline| inline.kind == InlineKind::Text) {
            let text = document.slice(inline.span);
            let mut at = 0;
            while let Some(open) = text[at..].find('[').map(|i| at + i) {
                let Some(close) = text[open..].find(']').map(|i| open + i + 1) else { break };
                at = close;
                let inside = &text[open + 1..close - 1];
                if inside.is_empty() || !inside.chars().all(|c| c.is_ascii_digit() || c == ',' || c == ' ') {
                    continue;
                }
                let span = Span::new(inline.span.start + open, inline.span.start + close);
                let targets = inside
                    .split(',')
                    .filter_map(|n| n.trim().parse().ok())
                    .map(|entry| Target::Entry(EntryId { list: 0, entry }));
                match markers.last_mut() {
                    Some(last) if last.block == leaf && last.span.end == span.start => {
                        last.span.end = span.end;
                        last.targets.extend(targets);
                    }
                    _ => markers.push(Marker::known(leaf, span, MarkerForm::Bracket, targets.collect())),
                }
            }
        }
    }
    Citations { markers, placement, ..Citations::default() }
}

pub(super) fn claims_of(text: &str, placement: Placement) -> (Document, Citations, Vec<Claim>) {
    let document = Document::read(text);
    let citations = citations(&document, placement);
    let claims = split(&document, &citations);
    (document, citations, claims)
}

/// A line a claim: its bytes, then ` <- ` and its markers, ` ^ ` and what it inherits.
fn outline(text: &str, placement: Placement) -> Vec<String> {
    let (document, citations, claims) = claims_of(text, placement);
    let names = |ids: &[crate::citation::MarkerId]| -> Vec<&str> {
        ids.iter().map(|id| document.slice(citations.marker(*id).span)).collect()
    };
    claims
        .iter()
        .map(|claim| {
            let mut line = document.slice(claim.span).to_owned();
            if !claim.markers.is_empty() {
                line = format!("{line} <- {}", names(&claim.markers).join(" "));
            }
            if !claim.inherited.is_empty() {
                line = format!("{line} ^ {}", names(&claim.inherited).join(" "));
            }
            line
        })
        .collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(outline(text, Placement::BeforeStop), expected, "of {text:?}");
}

#[track_caller]
fn check_after_stop(text: &str, expected: &[&str]) {
    assert_eq!(outline(text, Placement::AfterStop), expected, "of {text:?}");
}

#[test]
fn a_note_in_the_line_goes_with_its_sentence_and_is_none() {
    let text = "Sales rose 5%.^[A [sic], *ten* `]` of them. Not all, says [B](u).] Costs^[Of 2020.] fell.";
    let first = "Sales rose 5%.^[A [sic], *ten* `]` of them. Not all, says [B](u).]";
    check(text, &[first, "Costs^[Of 2020.] fell."]);
    let (_, _, claims) = claims_of(text, Placement::BeforeStop);
    assert_eq!(claims.iter().map(|claim| claim.text.as_str()).collect::<Vec<_>>(), ["Sales rose 5%.", "Costs fell."]);
    check("Tax^[2]^ and rent^[a](u)^ rose.", &["Tax^[2]^ and rent^[a](u)^ rose. <- [2]"]);
}

#[test]
fn sentences_with_markers_before_the_stop() {
    check("One is so [1]. Two is so [2].\n", &["One is so [1]. <- [1]", "Two is so [2]. <- [2]"]);
    check("One is so. Two is so [1]\n", &["One is so. ^ [1]", "Two is so [1] <- [1]"]);
    check("One [1] and two [2, 3] are so.\n", &["One [1] and two [2, 3] are so. <- [1] [2, 3]"]);
    check("It has form B [1]. Sailors took it [2].\n", &["It has form B [1]. <- [1]", "Sailors took it [2]. <- [2]"]);
    check("It took 15 min [1]. Kettles whistle [2].\n", &["It took 15 min [1]. <- [1]", "Kettles whistle [2]. <- [2]"]);
    check("It took 15 min [1]. iOS grew [2].\n", &["It took 15 min [1]. <- [1]", "iOS grew [2]. <- [2]"]);
    check("It grew [unverified]. iOS fell [2].\n", &["It grew [unverified]. ^ [2]", "iOS fell [2]. <- [2]"]);
    check("经济增长[1]。出口增长【x】。\n", &["经济增长[1]。 <- [1]", "出口增长【x】。"]);
}

#[test]
fn a_marker_behind_the_stop_belongs_to_what_it_follows() {
    check_after_stop("Done. [1] Next. [2]\n", &["Done. [1] <- [1]", "Next. [2] <- [2]"]);
    check_after_stop("阶层。 [1][2] 下一句。 [3]\n", &["阶层。 [1][2] <- [1][2]", "下一句。 [3] <- [3]"]);
    // Glued to the stop or at the end of the block it does whatever the habit.
    check("Done.[1] Next one [2].\n", &["Done.[1] <- [1]", "Next one [2]. <- [2]"]);
    check("完成。[1]下一句。\n", &["完成。[1] <- [1]", "下一句。"]);
    check("Next one. [1]\n", &["Next one. [1] <- [1]"]);
    // Between two sentences: to the first, unless that has its own.
    check("Done. [1] Next one.\n", &["Done. [1] <- [1]", "Next one."]);
    check("Done [1]. [2] Next one.\n", &["Done [1]. <- [1]", "[2] Next one. <- [2]"]);
    check("[1] One is so. [2] Two is so.\n", &["[1] One is so. <- [1]", "[2] Two is so. <- [2]"]);
    check("Done [1].[^a] Next.\n\n[^a]: A note.\n", &["Done [1].[^a] <- [1]", "Next.", "A note."]);
}

#[test]
fn a_block_of_markers_belongs_to_the_block_before() {
    check("One is so. Two is so.\n\n[1] [2]\n", &["One is so.", "Two is so. <- [1] [2]"]);
    check("One is so.\n\nSources: [1], [2]\n", &["One is so. <- [1] [2]"]);
    check("# A\n\n[1]\n\nText is so.\n", &["[1] <- [1]", "Text is so."]);
    check("# A\n\n[1]\n\n# B\n\nText.\n", &["[1] <- [1]", "Text."]);
    check("| a | b | c |\n|---|---|---|\n| x | 1 | 2 |\n\n[1]\n", &["1 ^ [1]", "2 <- [1]"]);
    // Under a list it speaks for all items without one, but not for what stands before the list or in another item.
    check(
        "Before.\n\n- one\n- two [2]\n  - three\n- four\n\n[1]\n",
        &["Before.", "one ^ [1]", "two [2] <- [2]", "three ^ [1]", "four <- [1]"],
    );
    check("- one\n- two\n\n  [1]\n", &["one", "two <- [1]"]);
}

#[test]
fn an_introduction_stands_on_what_it_introduces() {
    check(
        "- **Rapid City (338,000 passengers):**\n  - One is so [1].\n  - Two is so [2].\n- Three is so [3].\n",
        &[
            "**Rapid City (338,000 passengers):** ^ [1] [2]",
            "One is so [1]. <- [1]",
            "Two is so [2]. <- [2]",
            "Three is so [3]. <- [3]",
        ],
    );
    check("Sales rose 14%:\n\n| a | b |\n|---|---|\n| c | 1 [1] |\n", &["Sales rose 14%: ^ [1]", "1 [1] <- [1]"]);
    // It needs none, has its own, or introduces nothing.
    check("Two causes recur:\n\n- One [1]\n", &["Two causes recur:", "One [1] <- [1]"]);
    check("Sales rose 14% [2]:\n\n- One [1]\n", &["Sales rose 14% [2]: <- [2]", "One [1] <- [1]"]);
    check("Sales rose 14%.\n\n- One [1]\n", &["Sales rose 14%.", "One [1] <- [1]"]);
}

#[test]
fn a_table_or_picture_stands_on_what_names_it() {
    let table = "| a | b |\n|---|---|\n| x | 1 |\n\n";
    check(&format!("{table}Source: Beta study [1].\n"), &["1 ^ [1]", "Source: Beta study [1]. <- [1]"]);
    check(&format!("{table}Table 1: Delay [1].\n"), &["1 ^ [1]", "Table 1: Delay [1]. <- [1]"]);
    check(&format!("Table 1 shows it [1].\n\n{table}"), &["Table 1 shows it [1]. <- [1]", "1 ^ [1]"]);
    check(&format!("## Delay [1]\n\n{table}"), &["Delay [1] <- [1]", "1 ^ [1]"]);
    check("![d](d.png)\n\nFigure 1: Delay [1].\n", &["![d](d.png) ^ [1]", "Figure 1: Delay [1]. <- [1]"]);
    check(&format!("It is so [1].\n\n{table}"), &["It is so [1]. <- [1]", "1"]);
    check(&format!("{table}Table: Delay [1].\n"), &["1 ^ [1]", "Table: Delay [1]. <- [1]"]);
    let kind = |line: &str| claims_of(&format!("{table}{line}\n"), Placement::BeforeStop).2[1].kind;
    assert_eq!(kind("Source: Beta study 2025 [1]."), ClaimKind::Transition);
    assert_eq!(kind("Source: it found 34 of them [1]."), ClaimKind::Quantitative);
}

#[test]
fn a_label_that_means_nothing_speaks_for_no_other_claim() {
    let document = Document::read("One is so. Two is so [2].\n");
    let mut citations = citations(&document, Placement::BeforeStop);
    citations.markers[0].targets = vec![Target::Label(crate::citation::Label::Number(2))];
    let claims = split(&document, &citations);
    assert!(claims[0].inherited.is_empty() && claims[1].markers.len() == 1);
}

#[test]
fn formatting_goes_with_its_claim() {
    check("**Bold sentence [1].** Plain.\n", &["**Bold sentence [1].** <- [1]", "Plain."]);
    check("*One is so. Two is so.* Three.\n", &["One is so.", "Two is so.", "Three."]);
    check("A *bit. Cut* down. Else.\n", &["A *bit. Cut* down.", "Else."]);
    check("`Code` is so. See [x. Yes](u). Go `a. B` on.\n", &["`Code` is so.", "See [x. Yes](u).", "Go `a. B` on."]);
    check("<b>One.</b> Two is <i>so. And</i> so.\n", &["<b>One.</b>", "Two is <i>so. And</i> so."]);
    check("\\[Note\\] is so. Two **[1]**.\n", &["\\[Note\\] is so. ^ [1]", "Two **[1]**. <- [1]"]);
    check("**Label:** text is so. More [1].\n", &["**Label:** text is so. ^ [1]", "More [1]. <- [1]"]);
    check("***One.*** **Two. *Three.***\n", &["***One.***", "Two.", "*Three.*"]);
}

#[test]
fn items_are_claims_and_their_sentences() {
    let places = |text: &str| claims_of(text, Placement::BeforeStop).2.iter().map(|c| c.position).collect::<Vec<_>>();
    assert_eq!(places("- one thing\n- One is so.\n"), [ClaimPosition::Item, ClaimPosition::Item]);
    assert_eq!(places("- One is so. Two is so.\n"), [ClaimPosition::Sentence, ClaimPosition::Sentence]);
    assert_eq!(places("- One\n\n  two\n"), [ClaimPosition::Sentence, ClaimPosition::Sentence]);
    check(
        "- **Label:** text. More [1].\n- [x] done [2]\n",
        &["**Label:** text. ^ [1]", "More [1]. <- [1]", "done [2] <- [2]"],
    );
    check(
        "Three causes recur [1]:\n\n- one\n- two [2]\n  - three\n- four\n",
        &["Three causes recur [1]: <- [1]", "one ^ [1]", "two [2] <- [2]", "three", "four ^ [1]"],
    );
    check("- [1]\n", &["[1] <- [1]"]);
}

#[test]
fn cells_stand_on_their_row_and_column() {
    let table = "| Name | Users [9] | Cost |  |\n|---|---|---|---|\n| A | 1 | — | [38] |\n| B [2] | 3 | $4 | x |\n| C | 5 [1] | 6 [3] | |\n";
    let expected = [
        "Users [9] <- [9]",
        "1 <- [38]",
        "B [2] <- [2]",
        "3 ^ [2] [9]",
        "$4 ^ [2]",
        "x ^ [2]",
        "5 [1] <- [1]",
        "6 [3] <- [3]",
    ];
    check(table, &expected);
    let (_, _, claims) = claims_of(table, Placement::BeforeStop);
    let contexts: Vec<_> =
        claims.iter().map(|claim| claim.context.as_ref().map_or(String::new(), ToString::to_string)).collect();
    assert_eq!(contexts, ["", "A, Users", "Name", "B, Users", "B, Cost", "B", "C, Users", "C, Cost"]);
    assert_eq!(claims[1].kind, ClaimKind::Quantitative);
    // The head of a column and the label of a row keep their words like a heading; a statement in the first column does not.
    let places: Vec<_> = claims.iter().take(3).map(|claim| claim.position).collect();
    assert_eq!(places, [ClaimPosition::Heading, ClaimPosition::Cell, ClaimPosition::Heading]);
    let (_, _, claims) = claims_of("| Finding | Note |\n|---|---|\n| Sales rose 5% [1] | x |\n", Placement::BeforeStop);
    assert_eq!(claims[0].position, ClaimPosition::Cell);
    // A statement beside nothing but its citation is a claim; a label beside one leads to what stands before.
    let findings = "Text.\n\n| Finding | Source |\n|---|---|\n| Sales rose by 5% in a year. | [1] |\n| Shops sold 12% more on Sundays | [2] |\n";
    check(findings, &["Text.", "Sales rose by 5% in a year. <- [1]", "Shops sold 12% more on Sundays <- [2]"]);
    // Beside a whole sentence a number that counts the row and words that rate it say nothing, and the citation is the sentence's.
    let rated = "| # | Finding | Confidence | Source |\n|---|---|---|---|\n| 1 | The frame went up in 29 weeks. | high | [1] |\n\
        | 2 | It burned within 5 hours. | not since 2019 | [2] |\n";
    let expected =
        ["The frame went up in 29 weeks. <- [1]", "It burned within 5 hours. ^ [2]", "not since 2019 <- [2]"];
    check(rated, &expected);
    let (_, _, claims) = claims_of(rated, Placement::BeforeStop);
    assert!(claims[..2].iter().all(|claim| claim.context.is_none()));
    for label in ["Corner House", "Attention is all you need"] {
        check(&format!("Text.\n\n| Work | Source |\n|---|---|\n| {label} | [1] |\n"), &["Text. <- [1]"]);
    }
}

#[test]
fn a_line_that_names_the_source_of_a_table_speaks_for_its_cells() {
    let table = "| Town | Trams |\n|---|---|\n| Orsa | 22 |\n\nSource of the table: [1]\n\n";
    let cell = |rest: &str| {
        let (_, _, claims) = claims_of(&format!("{table}{rest}"), Placement::BeforeStop);
        claims.iter().find(|claim| claim.text == "22").map(|claim| claim.inherited.len())
    };
    assert_eq!(cell(""), Some(1));
    assert_eq!(cell("- The new trams are 42 metres long [2].\n"), Some(1));
}

#[test]
fn headings_only_with_a_marker_and_pictures_with_their_words() {
    check("# Title\n\n## Notes [2]\n\nText.\n", &["Notes [2] <- [2]", "Text."]);
    let text = "![Adoption *curve*](a.png)\n\nIt ![x](y) is so. ![](fig/z.png) [3]\n\n[![b](c)](d)\n";
    let (document, _, claims) = claims_of(text, Placement::BeforeStop);
    let found: Vec<_> = claims.iter().map(|c| (document.slice(c.span), c.text.as_str(), c.position)).collect();
    assert_eq!(
        found,
        [
            ("![Adoption *curve*](a.png)", "Adoption curve", ClaimPosition::Figure),
            ("It ![x](y) is so.", "It is so.", ClaimPosition::Sentence),
            ("![](fig/z.png) [3]", "z.png", ClaimPosition::Figure),
            ("[![b](c)](d)", "b", ClaimPosition::Figure),
        ]
    );
    assert_eq!(claims[2].markers.len(), 1);
}

#[test]
fn captions_and_introductions() {
    let (_, _, claims) =
        claims_of("Table 1: Sales of it\n\n| a | b |\n|---|---|\n| c | 1 |\n\nTable 2 is so.\n", Placement::BeforeStop);
    let captions: Vec<_> = claims.iter().map(|c| c.captions).collect();
    assert_eq!(captions, [true, false, true]);
    let (_, _, claims) = claims_of("Three causes recur:\n\n- A thing\n\nTwo: a and b.\n", Placement::BeforeStop);
    assert_eq!(claims[0].kind, ClaimKind::Transition);
    assert_eq!(claims.iter().map(|c| c.introduces).collect::<Vec<_>>(), [true, false, false]);
}

#[test]
fn code_front_matter_and_lists_hold_none() {
    check(
        "---\na: b\n---\n\n    code is here.\n\n```\nmore.\n```\n<!-- c. d -->\n\nText is here.\n",
        &["Text is here."],
    );
}

#[test]
fn forced_line_ends_split() {
    check("**A:** one  \n**B:** two [1]<br>three\n", &["**A:** one ^ [1]", "**B:** two [1]<br>three <- [1]"]);
    check("A line,\\\nIt goes on\n", &["A line,\\\nIt goes on"]);
    // A citation before one belongs to its line, though the line has its own.
    check("One [1] **is [1]**  \nTwo [2].\n", &["One [1] **is [1]** <- [1] [1]", "Two [2]. <- [2]"]);
}

#[test]
fn words_are_shown_without_markers() {
    let (_, _, claims) = claims_of("A *b*  [c](u)\n`d` [1] e ([2]) &amp; f [3].\n", Placement::BeforeStop);
    assert_eq!(claims[0].text, "A b c d e & f.");
}

mod kinds {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: ClaimKind) {
        let (_, _, claims) = claims_of(text, Placement::BeforeStop);
        assert_eq!(claims[0].kind, expected, "of {text:?}");
    }

    /// What a writer would object to losing, from reports that were read: the document speaks of itself, terms in quotes,
    /// fragments, introductions, words that only look like those of a report.
    #[test]
    fn what_is_no_claim_about_the_world() {
        use ClaimKind::*;
        check("This report synthesizes recent research (up to August 2025).", Transition);
        check("本报告梳理2025年的主流模型。", Transition);
        check("This report counts 4,500 cases.", Quantitative);
        check("The following table lists 3 options.", Transition);
        check("This report examines whether airports with 500,000 passengers pay.", Transition);
        check("This report examines airports and finds that 45% of them lose money.", Quantitative);
        check("I'll now present a comprehensive analysis of 500,000 passengers.", Chatter);
        check("Our goal is 20% growth by 2027.", Opinion);
        check("It creates strong “vendor lock-in risk”.", Plain);
        check("Neighborhoods become \"cyber food swamps\".", Plain);
        check("形成“结构化、系统化、国际化”的体系。", Plain);
        check("第六章：“谷神不死，是谓玄牝。”", Quotation);
        check("Gross versus net returns", Plain);
        check("It cannot be used for faster-than-light communication.", Plain);
        check("Among the most notable of these are Shor's and Grover's.", Plain);
        check("Gross returns are higher than net returns.", Comparison);
        check("The best approach depends on your workload.", Plain);
        check("According to the research:", Transition);
        check("Two states differ from 2018 on:", Transition);
        check("Rapid City Airport (338,000 enplanements):", Quantitative);
        check("It starts from returns and covariance estimates.", Plain);
        check("Gains are switched according to current conditions.", Plain);
        check("继承《战狼2》的成功模式。", Plain);
        check("《战狼2》的票房为56.94亿元。", Quantitative);
        check("It includes chance constraints and formally verified requirements.", Plain);
    }

    #[test]
    fn a_name_with_a_year_labels_what_stands_below_it() {
        let kind = |text: &str| claims_of(text, Placement::BeforeStop).2[0].kind;
        assert_eq!(kind("- **Sleep (2021)**\n  - It helps.\n"), ClaimKind::Transition);
        assert_eq!(kind("- **Sleep (2021)**\n- It helps.\n"), ClaimKind::Quantitative);
    }

    #[test]
    fn each_kind_in_english() {
        use ClaimKind::*;
        check("Adoption may keep rising.", Hedged);
        check("Analysts may revise these figures.", Hedged);
        check("In our view the trend is healthy.", Opinion);
        check("Pew reports that 45% of adults use AI tools.", Quantitative);
        check("Pew reports that adults use AI tools.", Attribution);
        check("The results were verified by the team.", Certainty);
        check("Churn fell to 3.1% in May.", Quantitative);
        check("It could reach $9 billion by 2030.", Hedged);
        check("It could reach $9 billion by 2030 [1].", Quantitative);
        check("Perhaps a third of the mills, or 40%, will close.", Hedged);
        check("If demand grows by 10%, prices may rise by 3%.", Hedged);
        check("Probablemente subirá un 12%.", Hedged);
        check("价格可能上涨12%。", Hedged);
        check("Rents fell by 12% and may fall further.", Quantitative);
        check("Rents may fall, but they rose by 12% in 2020.", Quantitative);
        check("Rents, which fell by 12% in 2020, may recover.", Quantitative);
        check("Pew reports that use may reach 45%.", Quantitative);
        check("Some analysts argue that use may reach 45%.", Hedged);
        check("It seems that 40% of users leave.", Hedged);
        check("The project began in May 2020.", Quantitative);
        check("Go is faster than Python.", Comparison);
        check("It is the largest bank.", Comparison);
        check("He called it “a day of great sorrow”.", Quotation);
        check("Is it so?", Question);
        check("See the documentation.", Instruction);
        check("Make sure it is on.", Instruction);
        check("Three causes recur:", Transition);
        check("This report compares the most popular tools.", Transition);
        check("TODO: find a source.", Todo);
        check("I'll research the price dynamics of chub mackerel in major markets.", Chatter);
        check("Let me search for more information about prices:", Chatter);
        check("Now, let's search for oceanographic factors:", Chatter);
        check("Based on my research, I'll now provide a comprehensive analysis.", Chatter);
        check("This growth came mostly from video.", Plain);
        check("GNU grep uses a Boyer-Moore variant and skips bytes.", Plain);
        check("The results could not be verified.", Plain);
        check("The call is zero-based [VERIFIED][2].", Plain);
        check("It may be faster than before.", Hedged);
        check("Rather than wait, they left.", Plain);
    }

    #[test]
    fn talk_of_others_is_no_chatter() {
        use ClaimKind::*;
        check("Let us search the cited study [1].", Plain);
        check("“I'll search for a way,” she said.", Quotation);
        check("Users let me search for more information.", Plain);
        check("Researchers search for more information.", Plain);
        check("我国需要进一步研究。", Plain);
        check("企业需要获取更多信息。", Plain);
    }

    #[test]
    fn chinese() {
        use ClaimKind::*;
        check("市场可能继续增长。", Hedged);
        check("我们认为这一趋势良好。", Opinion);
        check("根据国家统计局数据，收入有所增长。", Attribution);
        check("收入增长6.3%。", Quantitative);
        check("该产品优于其他产品。", Comparison);
        check("该结果已证实。", Certainty);
        check("这是真的吗？", Question);
        check("详见附录。", Instruction);
        check("主要原因如下：", Transition);
        check("本报告系统梳理了最大的企业。", Transition);
        check("我需要继续搜索更多关于中国中产阶级规模和特点的具体数据：", Chatter);
        check("让我搜索更具体的中产阶级财务数据：", Chatter);
        check("我将为您撰写一份深度调研报告。", Chatter);
        check("现在让我查询关于高校AI人才培养体系的信息：", Chatter);
        check("根据我收集到的信息，现在我将撰写调查报告。", Chatter);
        check("企业介绍了产品。", Plain);
        check("根据不同应用场景的需求选择技术。", Plain);
    }

    #[test]
    fn other_languages() {
        use ClaimKind::*;
        check("Der Markt könnte wachsen.", Hedged);
        check("Laut der Studie wächst der Markt.", Attribution);
        check("Unserer Meinung nach ist es gut.", Opinion);
        check("Selon l'étude, le marché croît.", Attribution);
        check("Le marché pourrait croître.", Hedged);
        check("Según el informe, el mercado crece.", Attribution);
        check("El mercado podría crecer.", Hedged);
        check("По данным банка, рынок растёт.", Attribution);
        check("Рынок может расти.", Hedged);
        check("調査によると市場は成長している。", Attribution);
        check("市場は成長するかもしれない。", Hedged);
    }

    #[test]
    fn openers_that_lean() {
        let leans = |text: &str| claims_of(&format!("First. {text}"), Placement::BeforeStop).2[1].dangling;
        for text in [
            "This growth came from video.",
            "These rose.",
            "It fell.",
            "However, it fell.",
            "The latter fell.",
            "Such cases grow.",
            "They left.",
            "For example, it fell.",
        ] {
            assert!(leans(text), "{text}");
        }
        for text in [
            "The growth fell.",
            "It is important to act.",
            "This report ends.",
            "Such as these.",
            "Thesis work began.",
            "Moreover, A fell.",
        ] {
            assert!(!leans(text), "{text}");
        }
        let leans = |text: &str| claims_of(&format!("第一。{text}"), Placement::BeforeStop).2[1].dangling;
        assert!(
            leans("这些增长来自视频。") && leans("该公司增长。") && leans("因此增长。") && leans("これは成長した。")
        );
        assert!(!leans("此外，公司增长。") && !leans("其他公司增长。"));
        assert!(!claims_of("This is first.", Placement::BeforeStop).2[0].dangling);
        for (text, leans) in [
            ("La biblioteca ha prestato molti libri nel 2025, ma non più di prima. Il parcheggio ha 22 posti.", false),
            ("La bibliothèque a prêté des livres dans la ville. Il mesure 22 mètres.", true),
            ("La bibliothèque a prêté des livres dans la ville. Ce printemps, 22 élèves sont venus.", false),
            ("La bibliothèque a prêté des livres dans la ville. Ce prêt est gratuit.", true),
            ("The library is open. This spring 22 pupils came.", false),
        ] {
            assert_eq!(claims_of(text, Placement::BeforeStop).2[1].dangling, leans, "{text}");
        }
    }
}
