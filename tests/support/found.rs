//! Drafts that broke a promise once.

use cited::decide::policy::Treatment;
use cited::fetch::Outcome;

use crate::promises::{Script, hold, options};
use crate::{Case, Settings};

/// Drafts that broke a promise once, named for the fault, with the sources that were dead.
#[test]
#[allow(clippy::too_many_lines, reason = "a table")]
fn what_was_found_stays_repaired() {
    use Outcome::{Dead, Live};
    let list = "\n\n## Sources\n\n1. Title 1 — https://s1.example/1\n2. Title 2 — https://s2.example/2\n3. Title 3 — https://s3.example/3\n";
    let definitions =
        "\n\n## Sources\n\n[1]: https://s1.example/1 \"Title 1\"\n[2]: https://s2.example/2 \"Title 2\"\n";
    let cases: &[(&str, &str, &str, [Outcome; 3])] = &[
        ("an empty quote before the list", "> ", list, [Dead, Dead, Dead]),
        ("a link in a formula", "- Heat $x_{[1]}$.", definitions, [Dead, Dead, Dead]),
        ("neighbours of two forms", "- Heat heat [1]; <sup>1</sup> Heat heat.", list, [Live, Dead, Dead]),
        (
            "a doubled bracket around a defined label",
            "- Heat heat. [[1]](https://s1.example/1)",
            definitions,
            [Live, Dead, Dead],
        ),
        (
            "a row whose label has a source",
            "| H0 | H1 |\n| --- | --- |\n| Heat 42% [1] | Heat heat. [3] |\n| a | b |",
            list,
            [Live, Dead, Dead],
        ),
        ("a heading of nothing but markers", "Heat heat [2].\n\n# [1] A", list, [Dead, Live, Dead]),
        (
            "an item that opens with a marker and a number",
            "> 7. Heat heat. [1]\n> 8. [3] 1. most.",
            list,
            [Dead, Dead, Dead],
        ),
    ];
    let found_later: &[(&str, &str, &str, [Outcome; 3])] = &[
        ("a doubled bracket with a number right behind it", "][[2][3]][3]S3]3][2][3]S^", list, [Dead, Dead, Live]),
        ("a list in a fence that is never closed", "```", list, [Live, Live, Dead]),
        (
            "a fence that the list would be swallowed by",
            "Heat heat [1].\n\n",
            "## Sources\n\n1. T — https://s1.example/1\n2. U — https://s2.example/2\n\n```\ncode\n",
            [Live, Dead, Dead],
        ),
        (
            "a citation between two sentences in a document that changes its habit",
            "- [1] Heat rose. Heat most costs rose. [1] [2] Heat fell.",
            list,
            [Live, Live, Dead],
        ),
        (
            "a row without edges whose label loses its citation",
            "> H0 | H1\n> --- | ---\n> label | [2]\n> [1] | Heat rose 5%.",
            list,
            [Live, Live, Dead],
        ),
        ("a caret behind a caret", "- Heat heat. ^1^^2^ Heat heat.", list, [Live, Dead, Dead]),
        (
            "a row label that states something",
            "H0 | H1\n--- | ---\nMarket soft et al. [9] | [1] Heat heat",
            list,
            [Dead, Live, Live],
        ),
        (
            "a line of a list in a paragraph",
            "Heat heat [1].\n\n",
            "## Sources\n\n1. T — https://s1.example/1\n2. U — https://s2.example/2\n\n[3](https://s3.example/3) These costs rose:\nThese costs heat US$7bn:\n",
            [Live, Live, Live],
        ),
        (
            "sections with definitions of their own",
            "## One\n\nHeat [1].\n\n### Sources\n\n[1]: https://s1.example/1 \"A\"\n[2]: https://s2.example/2 \"B\"\n\n## Two\n\nMore [2].",
            definitions,
            [Live, Live, Live],
        ),
        (
            "a title that looks like a label",
            "Heat heat [1].\n\n",
            "## Sources\n\n1. T — https://s1.example/1\n2. [4] Et al. — https://s2.example/2\n\nMore [2].\n",
            [Live, Live, Live],
        ),
        (
            "an escape at the start of a leaf",
            "* \\[2\\] Heat fell 1. et al. according to.** Heat in Europe 5%\n",
            list,
            [Live, Live, Dead],
        ),
    ];
    let entries = "## Sources\n\n1. T — https://s1.example/1\n2. U — https://s2.example/2\n";
    let behind = |text: &str| format!("{entries}{text}");
    let behind = [
        behind("\n## Sources\n"),
        behind("\n[1] https://s1.example/1\n1. \n"),
        behind("\n[1, 2]\n[A](https://s1.example/1)\n"),
        behind("\nHeat 42%: **Heat line  \nbreak.** [[1]](https://s1.example/1)\n"),
        behind("> Heat.\n"),
        "[1] T: https://s1.example/1\n[2] U: https://s2.example/2\n---\n".to_owned(),
    ];
    let found_last: &[(&str, &str, &str, [Outcome; 3])] = &[
        (
            "lines that only a changed citation makes a list",
            "Sources:\n[1, 2]Title — https://s1.example/1\n【1】[1]",
            list,
            [Live, Dead, Dead],
        ),
        (
            "an empty heading of sources behind the list",
            "[[1]](https://s1.example/1)\n\n",
            &behind[0],
            [Live, Dead, Dead],
        ),
        ("words that begin a block once the entry before them goes", "", &behind[1], [Dead, Dead, Dead]),
        ("a claim of which half is an entry", "", &behind[2], [Dead, Live, Dead]),
        ("a line of prose that has an address", "- Heat [1].\n\n", &behind[3], [Live, Dead, Dead]),
        (
            "an escape between two amounts of money",
            "- Heat $5. ([Title 1](https://s1.example/1))([Title 4](https://s4.example/4))Heat $$y$$.",
            list,
            [Live, Dead, Dead],
        ),
        (
            "the first line of a task goes",
            "- [ ] Heat heat. [3]\n      Heat heat.\n      - Heat heat. [1]",
            list,
            [Live, Live, Dead],
        ),
        (
            "a citation before a line that ends for good",
            "- Heat heat [1].**Heat heat [1]**  \n  V1.2.3 heat [9].\n  1) Heat heat.",
            list,
            [Live, Live, Live],
        ),
        (
            "a citation that opens emphasis",
            "- [ ] - Heat heat.**[1] Heat heat.\n        - Heat heat. [3]\n      - Heat 42%.** [2]\n        - Heat heat.",
            list,
            [Dead, Dead, Live],
        ),
        (
            "a line that a quote takes in",
            "> Better heat 42%…[4]\n<sup>[1]</sup> ~150 U.S..\n> Pumps ~~gone~~.\n\n- [ ] Heat. [[1]](https://s1.example/1)",
            list,
            [Live, Dead, Dead],
        ),
        (
            "a number that is a link, behind a task box",
            "Heat.【1】\n\n- [ ] 10⁶ “quote”.”** [1](https://s1.example/1) Heat.",
            list,
            [Live, Dead, Dead],
        ),
        (
            "numbers that are links side by side",
            "[1] Don’t [2](https://s2.example/2)[2](https://s2.example/2) ［1］:",
            list,
            [Dead, Live, Dead],
        ),
        (
            "a number that is a link, before a citation that goes",
            "[[1]](https://s1.example/1) | [1](https://s1.example/1) <sup>[2]</sup>.** Heat",
            list,
            [Live, Dead, Dead],
        ),
        (
            "a number that is a link, behind a title that is cited",
            "10⁶?([Title 2](https://s2.example/2)) [3](https://s3.example/3) 1–3 [3].**",
            list,
            [Dead, Live, Live],
        ),
        (
            "citations of one claim on two lines",
            "al.;<sup>[1]</sup><sup>[1]</sup>\n <sup>[3]</sup><sup>[1]</sup> #1!",
            list,
            [Live, Live, Live],
        ),
        (
            "a citation that comes to stand before a parenthesis",
            "[the survey](https://s1.example/1)(heat) Fig. Don’t [1].Rose reports?",
            list,
            [Live, Live, Live],
        ),
        ("a quote on either side of a list that goes", "> pumps\n\n", &behind[4], [Dead, Dead, Dead]),
        ("a list right above a rule", "Heat [1].\n\n", &behind[5], [Dead, Dead, Dead]),
    ];
    for (name, text, list, outcomes) in cases.iter().chain(found_later).chain(found_last) {
        let held = hold(&format!("{text}{list}"), &[], &Script(outcomes.to_vec()), &options());
        assert_eq!(held, Ok(()), "{name}");
    }
}

/// The same for drafts that only some settings broke, with the list of three sources below them.
#[test]
#[allow(clippy::too_many_lines, reason = "a table")]
fn what_was_found_in_settings_stays_repaired() {
    use Outcome::{Blocked, Dead, Live};
    use Treatment::{Drop, Keep, Mark, Todo};
    let plain = |treatment| Settings { treatment, keep: false, notes: false };
    let noted = |treatment| Settings { treatment, keep: false, notes: true };
    let kept = |treatment| Settings { treatment, keep: true, notes: false };
    let cases: &[(&str, &str, [Outcome; 3], Settings)] = &[
        (
            "a citation without an entry goes, and one that stays is read as another's",
            "- Heat heat [4]. [1] Heat 42%.",
            [Live, Dead, Dead],
            plain(Drop),
        ),
        ("a line under a citation that makes a heading", "> [3] 1. heat.\n> ===", [Dead, Dead, Dead], plain(Drop)),
        ("a bullet behind a citation in a heading", "- [1] - dash - heat.\n  ---", [Dead, Dead, Dead], plain(Drop)),
        (
            "a citation that opens an item in an item",
            "- 1. [1] - heat.\n     - Heat heat.",
            [Dead, Dead, Dead],
            plain(Mark),
        ),
        ("nothing but a stop in an item of items", "- 1. 1. 【5】.", [Dead, Dead, Dead], plain(Drop)),
        (
            "a citation behind a bare address",
            "- Heat heat. Heat https://elsewhere.example/b.[[1]](https://s1.example/1) Heat heat.",
            [Live, Dead, Dead],
            plain(Drop),
        ),
        ("a parenthesis behind a citation", "- Heat heat. 【1】(aside) heat.", [Live, Dead, Dead], plain(Mark)),
        (
            "a table at the end of a quote before another quote",
            "> Heat heat.\n>\n> | H0 |\n> | --- |\n> | Heat heat. [1] |\n\n> Heat heat.",
            [Dead, Dead, Dead],
            plain(Drop),
        ),
        (
            "an address that is cited by its number too",
            "- Heat heat. ([2](https://s2.example/2))\n- Heat https://s2.example/2.([1](https://s1.example/1))",
            [Live, Live, Dead],
            plain(Drop),
        ),
        (
            "words that link, and two citations at the start of their sentence",
            "- Most heat [6]. [1][1] Heat [the survey](https://s1.example/1).",
            [Live, Dead, Dead],
            plain(Drop),
        ),
        ("a mark behind a Chinese stop", "- 売上は３倍になった。\n- Heat heat. [1]", [Live, Dead, Dead], plain(Mark)),
        (
            "a task before a sentence without a space",
            "> 热泵销量上升[3]。热泵销量上升[1]。",
            [Blocked, Dead, Dead],
            noted(Todo),
        ),
        (
            "a quotation mark in a task",
            "- Heat heat. [3]\n\n- Heat a*b.” [1] Heat 42% a*b.",
            [Dead, Dead, Live],
            plain(Todo),
        ),
        (
            "full-width brackets side by side",
            "- Heat [1]. Heat heat. ［7］［7］\n  - Heat heat.",
            [Live, Dead, Dead],
            plain(Mark),
        ),
        (
            "a marked claim whose citation has no entry",
            "- Heat 42%.[2]Heat et al. [1] This heat.",
            [Live, Dead, Dead],
            plain(Mark),
        ),
        (
            "citations beside each other that keep their form",
            "> | H0 |\n> | --- |\n> | Heat heat <sup>[1]</sup><sup>[1]</sup>. |",
            [Dead, Dead, Dead],
            kept(Keep),
        ),
        (
            "a number before a citation that keeps its form",
            "- Heat 2024 <sup>[1]</sup><sup>[2]</sup>.",
            [Dead, Live, Dead],
            kept(Mark),
        ),
        (
            "an address before the source it names is cited",
            "- Heat https://s2.example/2 [[1]](https://s1.example/1).\n- Heat heat. [[2]](https://s2.example/2) Heat heat.",
            [Live, Dead, Dead],
            kept(Keep),
        ),
        (
            "citations on both sides of a line that ends for good",
            "- Heat Fig. 3 [[2]](https://s2.example/2)  \n  [[1]](https://s1.example/1) Heat heat.\n  - Heat heat.",
            [Dead, Blocked, Dead],
            noted(Mark),
        ),
        (
            "a note that a second run adds to",
            "- According to heat… [4] Heat heat [2].",
            [Dead, Dead, Dead],
            noted(Keep),
        ),
        (
            "a citation between formatting and a word",
            "*soft* [2](https://s2.example/2)Model ~150.[1](https://s1.example/1)It",
            [Blocked, Dead, Dead],
            noted(Keep),
        ),
        (
            "a line that ends for good before a sentence that goes",
            "#1  \n3.5 [[1]](https://s1.example/1)?\n3 [[3]](https://s3.example/3).",
            [Dead, Dead, Blocked],
            noted(Drop),
        ),
        ("bars behind the stop of an item", "- C_i.”** [1]\n   1. according to. | ", [Live, Dead, Dead], kept(Mark)),
        ("a task behind a single letter", "- a\\*b. ^1^\n  However according to!", [Blocked, Dead, Dead], noted(Todo)),
        (
            "a task before a word in small letters",
            "> Heat 42% [2].\n> than [[1]](https://s1.example/1)…",
            [Blocked, Dead, Dead],
            noted(Todo),
        ),
        (
            "two sentences that a citation behind their emphasis kept together",
            "- **Model 1. R&D.”** [9]In [1].",
            [Dead, Dead, Dead],
            noted(Keep),
        ),
        (
            "an amount of money before a formula in a task",
            "- US$7bn [1].** $$y$$ v1.2.3:",
            [Live, Dead, Dead],
            noted(Todo),
        ),
        (
            "citations right behind each other before a word",
            "- Heat heat <sup>[1]</sup><sup>[2]</sup>Heat heat.",
            [Dead, Blocked, Dead],
            noted(Mark),
        ),
        (
            "a dash that begins the line between two citations",
            "- Heat [1]\n      - [2] heat.",
            [Live, Live, Dead],
            plain(Mark),
        ),
        (
            "nothing but signs behind the last stop",
            "- - [ ] | H0 |\n        | --- |\n        | Heat heat. [1] |\n        | Heat 42%… |\n        | — |",
            [Live, Dead, Dead],
            plain(Mark),
        ),
        (
            "a row of nothing but a citation below one that loses its own",
            "- - | H0 |\n    | --- |\n    | Heat 42%: [2] |\n    | Heat heat. [2] |\n    | [1] |",
            [Live, Dead, Dead],
            noted(Keep),
        ),
        (
            "the same below the label of a row",
            "> - | H0 |\n>   | --- |\n>   | 3.5 [1] |\n>   | [3] |\n>   | Heat heat. [1] |",
            [Dead, Dead, Blocked],
            noted(Mark),
        ),
        (
            "bars around a citation that are no table",
            "- - [ ] | H0 |\n        | --- |\n        | [1] |\n        | [3] |",
            [Blocked, Dead, Dead],
            noted(Mark),
        ),
        (
            "a citation goes into its claim, and others stand behind that",
            "- Heat heat.\n  [1][1] Heat according to. Heat heat. [1]",
            [Blocked, Dead, Dead],
            noted(Mark),
        ),
    ];
    let list = "\n\n## Sources\n\n1. Title 1 — https://s1.example/1\n2. Title 2 — https://s2.example/2\n3. Title 3 — https://s3.example/3\n";
    for (name, text, outcomes, settings) in cases {
        let case = Case { settings: *settings, ..Case::new(format!("{text}{list}"), Script(outcomes.to_vec())) };
        assert_eq!(case.hold(), Ok(()), "{name}");
    }
    let own = format!("[1][2]: https://s2.example/2 \"T\"\n[^1]: This rose 5%. [1] # [^1]1. {list}");
    assert_eq!(Case::new(own, Script(vec![Live, Dead, Dead])).hold(), Ok(()), "a note that refers to itself");
    let mixed = format!("1\r! 8{list}");
    let case = Case::new(mixed, Script(vec![Dead, Live, Blocked]));
    assert_eq!(case.hold(), Ok(()), "a carriage return in a document of newlines");
    let picture = "[1] A/B;\n42% ![picture [1]](pic.png) US$7bn\n\n[1]: https://s1.example/1 \"Title 1\"";
    let case = Case::new(picture.to_owned(), Script(vec![Live]));
    assert_eq!(case.hold(), Ok(()), "a link in the words of a picture");
    for end in ["\u{c}", "\u{a0}", "\u{3000}"] {
        let case = Case::new(format!("Heat 42%.\n\n-{end}{list}"), Script(vec![Live, Dead, Dead]));
        assert_eq!(case.hold(), Ok(()), "a text that ends with white space that is none to Markdown: {end:?}");
    }
    for text in ["Heat\\*\\_[2]_[2]", "\u{b}\\*\u{b}\\_[2]_[2]", "Heat \\*[2]*[1]"] {
        let case = Case::new(format!("{text}{list}"), Script(vec![Live, Live, Live]));
        assert_eq!(case.hold(), Ok(()), "a citation between signs of which the first is escaped: {text}");
    }
    for (name, title) in [
        ("what introduces addresses", "Annual report: Online"),
        ("signs and a mark", "\u{feff}| a |"),
        ("no address", "Heat rose"),
    ] {
        let titled = format!("Heat heat [1].\n\n## Sources\n\n[1]: https://s1.example/1 \"{title}\"\n");
        let case = Case::new(titled, Script(vec![Blocked]));
        assert_eq!(case.hold(), Ok(()), "a title of {name}");
        let titled = format!("Heat heat [1] [2].\n\n## Sources\n\n[1]: https://s1.example/1\n[2]: <{title}>\n");
        let case = Case::new(titled, Script(vec![Dead]));
        assert_eq!(case.hold(), Ok(()), "a definition of {name}");
    }
    let fence = format!("`\r```\r\r``\u{4}`\u{feff}2\0\n-z{list}");
    let case = Case::new(fence, Script(vec![Dead, Blocked, Dead]));
    assert_eq!(case.hold(), Ok(()), "a fence that is never closed behind a carriage return");
    let prose_behind = "Heat heat [1]. Heat 42% [2].\n\n## Removed Unsupported Claims\n\n- “Old.” — dead source: https://s9.example/9 (HTTP 404, no archive)\n\n## Sources\n\n1. Title 1 — https://s1.example/1\n2. Title 2 — https://s2.example/2\n\nMore heat [1].\n";
    let case = Case::new(prose_behind.to_owned(), Script(vec![Live, Dead, Dead]));
    assert_eq!(case.hold(), Ok(()), "prose behind the list of an earlier run");
    let fenced = "Heat [4] [3] 2024. 3.5 |\n\n~~~150 heat~~\n\n# Bibliography\n\n3. Title 3 — https://s3.example/3\n4. Title 4 — https://s4.example/4\n";
    let case = Case::new(fenced.to_owned(), Script(vec![Dead, Dead, Live, Live]));
    assert_eq!(case.hold(), Ok(()), "claims that go above a list in a fence");
    let under_own = "Heat [1].\n\n## Removed Unsupported Claims\n\n### Sources\n\n1. Title 1 — https://s1.example/1\n2. Title 2 — https://s2.example/2\n\n- Heat.\n";
    let case = Case::new(under_own.to_owned(), Script(vec![Dead, Dead, Dead]));
    assert_eq!(case.hold(), Ok(()), "prose behind a list inside the section of an earlier run");
    let definitions = "- Heat ![picture [1]](pic.png) [1]\n\n## Sources\n\n[1]: https://s1.example/1 \"Title 1\"\n[2]: https://s2.example/2 \"Title 2\"\n";
    let case = Case { settings: noted(Mark), ..Case::new(definitions.to_owned(), Script(vec![Blocked, Dead, Dead])) };
    assert_eq!(case.hold(), Ok(()), "a number in the words of a picture");
    let html = "## Part 0\n\n- - <div>\n    html [1]\n    </div>\n\n## Sources\n\n- [@k1] [Title 1](https://s1.example/1)\n- [@k2] [Title 2](https://s2.example/2)\n\n## Part 1\n\nHeat heat. [^1]\n\n## Sources\n\n[^1]: Title 1. https://s1.example/1\n[^2]: Title 2. https://s2.example/2\n";
    let case = Case { settings: kept(Keep), ..Case::new(html.to_owned(), Script(vec![Dead; 6])) };
    assert_eq!(case.hold(), Ok(()), "a number in HTML that is no citation of its section");
    let escaped = "- Heat \\[1\\]; [1] Heat heat.\n\n## Sources\n\n\\[1\\] Title 1. <https://s1.example/1>\n\\[2\\] Title 2. <https://s2.example/2>\n";
    let case = Case { settings: kept(Mark), ..Case::new(escaped.to_owned(), Script(vec![Live, Dead, Dead])) };
    assert_eq!(case.hold(), Ok(()), "two forms side by side that both become numbers");
    let below_row = "| A | B |\n|---|---|\nHeat heat.\n### Sources\n- Title 1: https://s1.example/1\n## Part 1\nHeat heat [2].\n[1] Title 1: https://s1.example/1\n[2] Title 2: https://s2.example/2\n";
    let case = Case::new(below_row.to_owned(), Script(vec![Live, Live, Live]));
    assert_eq!(case.hold(), Ok(()), "a list right below a row that lacks cells");
}
