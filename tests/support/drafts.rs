//! Generated drafts: documents of every form, single blocks, and texts made of pieces of markup.

use cited::fetch::Outcome;
use cited::pipeline::Input;
use proptest::prelude::*;
use proptest::sample::select;

use crate::promises::Script;

const WORDS: &[&str] = &[
    "heat",
    "pumps",
    "rose",
    "sharply",
    "market",
    "model",
    "reports",
    "costs",
    "in Europe",
    "the survey",
    "according to",
    "fell",
    "better than",
    "most",
    "however",
    "however,",
    "it",
    "e.g.",
    "et al.",
    "U.S.",
    "Fig. 3",
    "No. 5",
    "v1.2.3",
    "don’t",
    "“a quote”",
    "(aside)",
    "42%",
    "3.5 million",
    "$5",
    "US$7bn",
    "2024",
    "10⁶",
    "1–3",
    "~150",
    "A/B",
    "- dash -",
    "a*b",
    "C_i",
    "x < y",
    "R&D",
    "[sic]",
    "#1",
    "1.",
    "2)",
];

const SPANS: &[&str] = &[
    "**strong words**",
    "*soft*",
    "_soft_",
    "`code [1]`",
    "[a link](https://elsewhere.example/a)",
    "![picture [1]](pic.png)",
    "$x_{[1]}$",
    "$$y$$",
    "\\(x^2\\)",
    "\\[ \\alpha_1 = b[1] \\]",
    "\\[y = 3",
    "$94.2\\%$",
    "\\[1\\]",
    "<b>html</b>",
    "<!-- [1] -->",
    "~~gone~~",
    "https://elsewhere.example/b",
    "<https://elsewhere.example/c>",
    "[0, 1]",
    "**Bold. Over**",
    "中文字",
    "&amp;",
    "a\\*b",
    "[ref][note]",
    "[the survey](https://s1.example/1)",
    "https://s2.example/2",
    "line  \nbreak",
];

const OPENERS: &[&str] = &[
    "This",
    "These costs",
    "However,",
    "It",
    "The market",
    "Adoption",
    "**Bold.** Then",
    "*All",
    "1990",
    "“Quoted",
    "（",
    "-",
    "+1",
    "#",
    ">",
    "| x",
    "TODO",
    "We may",
    "I'll research",
];

const STOPS: &[&str] = &[".", ".", ".", "!", "?", ":", "", "…", ".”", ".**", ";"];

/// A citation of one source or two, its form still open: `⟦1⟧`, `⟦1 2⟧`.
fn marker() -> impl Strategy<Value = String> {
    prop_oneof![4 => (1..7u8).prop_map(|n| format!("⟦{n}⟧")), 1 => (1..7u8, 1..7u8).prop_map(|(a, b)| format!("⟦{a} {b}⟧"))]
}

/// How a document cites. Most documents have one way.
const FORMS: &[&str] = &[
    "[N]",
    "[N]",
    "[N]",
    "[N, M]",
    "[N][M]",
    "[N-M]",
    "[N], [M]",
    "【N】",
    "［N］",
    "[^N]",
    "[[N]](https://sN.example/N)",
    "[N](https://sN.example/N)",
    "([N](https://sN.example/N))",
    "([Title N](https://sN.example/N))",
    "<sup>N</sup>",
    "<sup>[N]</sup>",
    "^N^",
    "\\[N\\]",
    "[citation:N]",
    "[[N]]",
    "[@kN]",
    "[SN]",
    "[SN, SM]",
    "[N, p. 4]",
    "[see N]",
    "(@, 200N)",
    "@ (200N)",
    "^",
];

/// The authors of sources that are cited by author and year, and raised digits.
const AUTHORS: [&str; 8] = ["Zane", "Ames", "Bell", "Cole", "Dunn", "Eyre", "Ford", "Gray"];
const RAISED: [&str; 8] = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷"];

/// A citation of the source of this number, in a form that takes one.
fn cited(template: &str, number: &str) -> String {
    let place = number.parse::<usize>().unwrap_or_default() % AUTHORS.len();
    if template == "^" {
        return RAISED[place].to_owned();
    }
    template.replace('N', number).replace('@', if template.contains("200") { AUTHORS[place] } else { "@" })
}

/// `text` with its citations in `form`; without one, each in another form.
pub fn written(text: &str, form: Option<usize>) -> String {
    let mut out = String::new();
    let mut rest = text;
    let mut count = text.len();
    while let Some((before, after)) = rest.split_once('⟦') {
        let Some((labels, after)) = after.split_once('⟧') else { break };
        count = count.wrapping_mul(31).wrapping_add(7);
        let template = FORMS[form.unwrap_or(count) % FORMS.len()];
        let (first, second) = labels.split_once(' ').unwrap_or((labels, ""));
        out += before;
        if template.contains('M') {
            let single = if template.starts_with("[S") { "[SN]" } else { "[N]" };
            let template = if second.is_empty() { single } else { template };
            out += &cited(template, first).replace('M', second);
        } else {
            out += &cited(template, first);
            if !second.is_empty() {
                out += &cited(template, second);
            }
        }
        rest = after;
    }
    out + rest
}

pub fn form() -> impl Strategy<Value = Option<usize>> {
    (0..FORMS.len()).prop_map(Some)
}

fn sentence() -> impl Strategy<Value = String> {
    let middle = prop_oneof![9 => select(WORDS), 1 => select(SPANS)];
    let opener = prop_oneof![6 => select(WORDS).prop_map(capital), 1 => select(OPENERS).prop_map(str::to_owned)];
    let markers = prop_oneof![3 => Just(None), 5 => marker().prop_map(Some)];
    let wrap = prop_oneof![12 => Just(""), 1 => Just("**"), 1 => Just("*"), 1 => Just("~~")];
    (opener, proptest::collection::vec(middle, 1..6), markers, select(STOPS), 0..6u8, wrap).prop_map(
        |(opener, words, marker, stop, place, wrap)| {
            let words = format!("{opener} {}", words.join(" "));
            match (marker, place) {
                (None, _) => format!("{wrap}{words}{stop}{wrap}"),
                (Some(marker), 0) => format!("{wrap}{words}{stop}{wrap} {marker}"),
                (Some(marker), 1) => format!("{wrap}{words}{stop}{wrap}{marker}"),
                (Some(marker), 2) => format!("{marker} {wrap}{words}{wrap}{stop}"),
                (Some(marker), 3) => format!("{wrap}{words} {marker}{stop}{wrap}"),
                (Some(marker), _) => format!("{wrap}{words}{wrap} {marker}{stop}"),
            }
        },
    )
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn cjk() -> impl Strategy<Value = String> {
    let one = (
        select(&["热泵销量上升", "因此市场扩大", "这表明成本下降", "これは増加した", "売上は３倍になった"][..]),
        proptest::option::of(1..6u8),
        select(&["。", "！", ""][..]),
    );
    let written = one.prop_map(|(words, marker, stop)| match marker {
        Some(n) if n % 2 == 0 => format!("{words}{stop}[{n}]"),
        Some(n) => format!("{words}[{n}]{stop}"),
        None => format!("{words}{stop}"),
    });
    proptest::collection::vec(written, 1..4).prop_map(|sentences| sentences.concat())
}

/// Some sentences, on one line or wrapped.
fn prose() -> impl Strategy<Value = String> {
    let glue = prop_oneof![6 => Just(" "), 3 => Just("\n"), 1 => Just("  \n"), 1 => Just("")];
    let spaced = proptest::collection::vec((sentence(), glue), 1..5).prop_map(|parts| {
        let text: String = parts.into_iter().flat_map(|(sentence, glue)| [sentence, glue.to_owned()]).collect();
        text.trim_end().to_owned()
    });
    prop_oneof![9 => spaced, 1 => cjk()]
}

fn indented(text: &str, by: &str) -> String {
    text.lines()
        .map(|line| if line.is_empty() { line.to_owned() } else { format!("{by}{line}") })
        .collect::<Vec<_>>()
        .join("\n")
}

fn item(bullet: &str, text: &str) -> String {
    let by = " ".repeat(bullet.len());
    format!("{bullet}{}", indented(text, &by).trim_start())
}

fn list(content: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let bullets = select(&["- ", "* ", "1. ", "1) ", "- [ ] ", "- [x] ", "-   ", "7. "][..]);
    (bullets, proptest::collection::vec(content, 1..4), any::<bool>()).prop_map(|(bullet, items, loose)| {
        let items: Vec<String> = items
            .iter()
            .enumerate()
            .map(|(i, text)| {
                let own = match bullet.find(|c: char| !c.is_ascii_digit()) {
                    Some(digits) if digits > 0 => {
                        format!("{}{}", bullet[..digits].parse().unwrap_or(0) + i, &bullet[digits..])
                    }
                    _ => bullet.to_owned(),
                };
                item(&own, text)
            })
            .collect();
        items.join(if loose { "\n\n" } else { "\n" })
    })
}

fn cell() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => sentence().prop_map(|sentence| sentence.replace('|', "\\|").replace('\n', " ")),
        2 => marker(),
        2 => select(&["", "—", "42%", "x", "label", "3.5 [1]"][..]).prop_map(str::to_owned),
    ]
}

fn table() -> impl Strategy<Value = String> {
    (
        1..4usize,
        proptest::collection::vec(cell(), 1..12),
        any::<bool>(),
        select(&["", "Table 1: costs [1].\n\n", "The costs were:\n\n"][..]),
    )
        .prop_map(|(columns, cells, edges, before)| {
            let (open, close) = if edges || columns == 1 { ("| ", " |") } else { ("", "") };
            let row = |cells: &[String]| {
                let mut cells = cells.to_vec();
                cells.resize(columns, String::new());
                format!("{open}{}{close}", cells.join(" | "))
            };
            let heads: Vec<String> = (0..columns).map(|i| format!("H{i}")).collect();
            let rule: Vec<String> = (0..columns).map(|_| "---".to_owned()).collect();
            let rows: Vec<String> =
                [row(&heads), row(&rule)].into_iter().chain(cells.chunks(columns).map(row)).collect();
            format!("{before}{}", rows.join("\n"))
        })
}

pub fn block() -> impl Strategy<Value = String> {
    let plain = prop_oneof![
        10 => prose(),
        2 => (1..4usize, sentence()).prop_map(|(level, text)| format!("{} {}", "#".repeat(level), text.replace('\n', " "))),
        1 => sentence().prop_map(|text| format!("{text}\n===")),
        1 => sentence().prop_map(|text| format!("{text}\n---")),
        3 => table(),
        1 => Just("```\ncode [1]\n```".to_owned()),
        1 => Just("    indented [2]".to_owned()),
        1 => Just("<div>\nhtml [1]\n</div>".to_owned()),
        1 => select(&["---", "***"][..]).prop_map(str::to_owned),
        1 => Just("![Figure 1: growth](fig.png)".to_owned()),
        1 => Just("Three causes recur:".to_owned()),
        1 => sentence().prop_map(|text| format!("Prose[^p] stays.\n\n[^p]: {}", text.replace('\n', " "))),
        1 => Just("[note]: https://elsewhere.example/note".to_owned()),
    ];
    plain.prop_recursive(3, 12, 3, |inner| {
        let few = proptest::collection::vec(inner, 1..3).prop_map(|blocks| blocks.join("\n\n"));
        let tight = (prose(), list(sentence())).prop_map(|(text, list)| format!("{text}\n{list}"));
        let quote = |text: String, lazy: bool| {
            let quoted = text.lines().enumerate().map(|(i, line)| {
                if lazy && i % 2 == 1 && !line.is_empty() {
                    line.to_owned()
                } else {
                    format!("> {line}").trim_end().to_owned()
                }
            });
            quoted.collect::<Vec<_>>().join("\n")
        };
        prop_oneof![
            3 => list(sentence()),
            2 => list(prose()),
            2 => list(tight),
            2 => list(few.clone()),
            2 => few.prop_map(move |text| quote(text, false)),
            1 => prose().prop_map(move |text| quote(text, true)),
        ]
    })
}

/// A source list of `count` entries in one layout, with its heading.
fn sources(count: usize, layout: u8, heading: u8) -> String {
    let heading = [
        "## Sources",
        "### References",
        "**Sources**",
        "Sources:",
        "参考文献",
        "# 7. Bibliography",
        "Sources\n-------",
    ][usize::from(heading) % 7];
    let entry = |n: usize| {
        let url = format!("https://s{n}.example/{n}");
        match layout % 15 {
            0 => format!("{n}. Title {n} — {url}"),
            1 => format!("[{n}] {url} - Title {n}"),
            2 => format!("[{n}] Title {n}: {url}"),
            3 => format!("[{n}] [Title {n}]({url})"),
            4 => format!("{n}. [Title {n}]({url})"),
            5 => format!("- [{n}] Title {n} - {url}"),
            6 => format!("[{n}]: {url} \"Title {n}\""),
            7 => format!("[^{n}]: Title {n}. {url}"),
            8 => format!("| {n} | Title {n} | {url} |"),
            9 => format!("{n}. Title {n},\n   wrapped — {url}"),
            10 => format!("\\[{n}\\] Title {n}. <{url}>"),
            11 => format!("- [S{n}] Title {n} — {url}"),
            12 => format!("{}, A. (200{n}). Title {n}. {url}", AUTHORS[n % AUTHORS.len()]),
            13 => format!("{} Title {n} {url}", RAISED[n % RAISED.len()]),
            _ => format!("- [@k{n}] [Title {n}]({url})"),
        }
    };
    let between = if matches!(layout % 15, 1 | 2 | 10 | 12) { "\n\n" } else { "\n" };
    let entries: Vec<String> = (1..=count).map(entry).collect();
    let head = if layout % 15 == 8 { "| # | Source | URL |\n|---|---|---|\n" } else { "" };
    format!("{heading}\n\n{head}{}", entries.join(between))
}

pub fn source_list() -> impl Strategy<Value = String> {
    (2..6usize, any::<u8>(), any::<u8>()).prop_map(|(count, layout, heading)| sources(count, layout, heading))
}

pub fn outcomes() -> impl Strategy<Value = Script> {
    let outcome = prop_oneof![3 => Just(Outcome::Dead), 3 => Just(Outcome::Live), 1 => Just(Outcome::Blocked)];
    proptest::collection::vec(outcome, 6).prop_map(Script)
}

/// A document: blocks, one source list or several, now and then something after it.
pub fn document(form: impl Strategy<Value = Option<usize>>) -> impl Strategy<Value = String> {
    let section = (proptest::collection::vec(block(), 1..6), source_list()).boxed();
    let sections = prop_oneof![6 => proptest::collection::vec(section.clone(), 1..2), 1 => proptest::collection::vec(section, 2..3)];
    let tail = prop_oneof![6 => Just(None), 1 => block().prop_map(Some)];
    let front = prop_oneof![8 => Just(""), 1 => Just("---\ntitle: A [1]\n---\n\n"), 1 => Just("# Title\n\n"), 1 => Just("\n\n")];
    let end = select(&["\n", "", "\n\n", "  \n"][..]);
    (front, sections, tail, end, 0..10u8, form).prop_map(|(front, sections, tail, end, bytes, form)| {
        let many = sections.len() > 1;
        let mut text = front.to_owned();
        for (i, (blocks, list)) in sections.into_iter().enumerate() {
            if many {
                text += &format!("## Part {i}\n\n");
            }
            text += &blocks.join("\n\n");
            text += "\n\n";
            text += &list;
            text += "\n\n";
        }
        text += &tail.unwrap_or_default();
        text = written(text.trim_end(), form) + end;
        match bytes {
            0 => text.replace('\n', "\r\n"),
            1 => format!("\u{feff}{text}"),
            _ => text,
        }
    })
}

/// A research file with findings, on the same sources under other numbers.
pub fn research() -> impl Strategy<Value = Vec<Input>> {
    let file = proptest::collection::vec((sentence(), 1..6usize), 1..4).prop_map(|findings| {
        let lines: Vec<String> =
            findings.iter().map(|(text, n)| format!("- {} [{n}]", text.replace('\n', " "))).collect();
        let text = format!("# Findings\n\n{}\n\n{}\n", lines.join("\n"), sources(5, 0, 0));
        vec![Input { path: "draft-research.md".into(), text: text.into() }]
    });
    prop_oneof![3 => Just(Vec::new()), 1 => file]
}

/// Pieces that hostile texts are made of.
const PIECES: &[&str] = &[
    "[1]",
    "[2]",
    "[",
    "]",
    "(",
    ")",
    "[1, 2]",
    "[^1]",
    "[^1]: ",
    "[[1]](https://s1.example/1)",
    "【1】",
    "［１］",
    "\\[1\\]",
    "\\",
    "<sup>1</sup>",
    "^1^",
    "[@k1]",
    "@k1",
    "@{k1",
    "- [@k1]: Title. https://s1.example/1\n",
    "<aside>\n",
    "<p>It rose 7% [1].</p>\n",
    "[[1]](#r1)",
    "It fell 3%. [A](https://s1.example/1) ",
    "[S1]",
    "[S1, S2]",
    "- [S1] Title — https://s1.example/1\n",
    "(Ames, 2001)",
    "Ames (2001)",
    "¹",
    "²,³",
    "[see 1]",
    "[2, p. 4]",
    "Date: 12 March 2025\n",
    "Set it to 5.",
    "[citation:1]",
    "https://s1.example/1",
    "<https://s2.example/2>",
    "[A](https://s1.example/1)",
    "![x](y)",
    "\n",
    "\n\n",
    "\r\n",
    "# ",
    "## Sources\n\n",
    "Sources:\n",
    "## Removed Unsupported Claims\n\n",
    "1. ",
    "2. ",
    "- ",
    "  - ",
    "[1] ",
    "[1]: ",
    "[2]: https://s2.example/2 \"T\"\n",
    "| a | b |\n|---|---|\n",
    "|",
    "> ",
    "```\n",
    "    ",
    "---\n",
    "$",
    "`",
    "**",
    "*",
    "_",
    "~~",
    " — ",
    ": ",
    ". ",
    "。",
    "word",
    "Word",
    " ",
    "字",
    "é",
    "\u{feff}",
    "0",
    "&amp;",
    "<!-- ",
    " -->",
    "<a href=\"https://s1.example/1\">",
    "</a>",
    "Title — https://s1.example/1\n",
    "\t",
    "This rose 5%. ",
];

pub fn garbage() -> impl Strategy<Value = String> {
    let piece = prop_oneof![12 => select(PIECES).prop_map(str::to_owned), 1 => "\\PC{0,6}"];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}
