//! What holds of the claims of any document.

use proptest::prelude::*;

use super::split;
use super::tests::citations;
use crate::citation::Placement;
use crate::decide::rewrite::emptied;
use crate::markdown::{Document, Rendered};
use cited_text::Span;

/// Paragraphs dense in sentence ends, formatting and citations.
fn paragraphs() -> impl Strategy<Value = String> {
    let atoms = prop::sample::select(vec![
        "word",
        "Two",
        "是",
        "。",
        ". ",
        "? ",
        ".",
        " ",
        " ",
        "*",
        "**",
        "_",
        "~~",
        "`a. B`",
        "[x. Yes](u)",
        "[",
        "](u)",
        "<b>",
        "</b>",
        "\\[",
        "![p](q)",
        "\n",
        "  \n",
        "[1]",
        " [2] ",
        "[3][4]",
        "[^n]",
        "“",
        "”",
        "(",
        ")",
        "&amp;",
        "<br>",
        "However, ",
        ":",
    ]);
    prop::collection::vec(atoms, 1..40).prop_map(|atoms| atoms.concat())
}

/// A paragraph whose formatting is well formed.
fn formatted() -> impl Strategy<Value = String> {
    let plain = prop::sample::select(vec![
        "One is so. ",
        "Two is",
        " ",
        " so. ",
        "三是。",
        "Why? ",
        "`a. B` ",
        " [1]",
        "[2] ",
        ". ",
        "\\# ",
        "&amp; ",
        "\n",
        "![p](q) ",
        "[^n] ",
        "“Yes. No.” ",
        "(So. Yes) ",
    ])
    .prop_map(str::to_owned);
    plain.prop_recursive(3, 24, 6, |inner| {
        let run = prop::collection::vec(inner, 1..6).prop_map(|parts| parts.concat());
        (0..6u8, run).prop_map(|(kind, run)| {
            let inside = run.trim();
            match kind {
                0 => format!("*{inside}* "),
                1 => format!("**{inside}** "),
                2 => format!("~~{inside}~~ "),
                3 => format!("[{inside}](u) "),
                4 => format!("<b>{inside}</b>"),
                _ => run,
            }
        })
    })
}

/// Documents of several blocks around such paragraphs.
fn documents() -> impl Strategy<Value = String> {
    let block = (0..9u8, paragraphs(), paragraphs()).prop_map(|(kind, a, b)| {
        let one_line = |text: &str| text.replace(['\n', '|'], " ");
        match kind {
            0 => format!("# {}\n", one_line(&a)),
            1 => format!("- {}\n- {}\n", one_line(&a), one_line(&b)),
            2 => format!("| a | b [1] | c |\n|---|---|---|\n| {} | {} | [2] |\n", one_line(&a), one_line(&b)),
            3 => format!("> {}\n", one_line(&a)),
            4 => "[1] [2]\n".to_owned(),
            5 => format!("[^n]: {}\n", one_line(&a)),
            6 => "```\ncode [1].\n```\n".to_owned(),
            _ => format!("{a}\n"),
        }
    });
    prop::collection::vec(block, 1..6).prop_map(|blocks| blocks.join("\n"))
}

fn placements() -> impl Strategy<Value = Placement> {
    prop_oneof![Just(Placement::BeforeStop), Just(Placement::AfterStop)]
}

/// What a reader sees, without white space.
fn shown(document: &Document, hidden: &[Span]) -> String {
    let texts = document.leaves().map(|(leaf, _)| Rendered::render(document, leaf, hidden).text);
    texts.collect::<String>().chars().filter(|c| !c.is_whitespace()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::default() })]

    #[test]
    fn claims_are_in_order_disjoint_and_hold_their_markers(text in documents(), placement in placements()) {
        let document = Document::read(text.as_str());
        let citations = citations(&document, placement);
        let claims = split(&document, &citations);
        let mut owners = vec![0; citations.markers.len()];
        for pair in claims.windows(2) {
            prop_assert!(pair[0].block <= pair[1].block, "{:?}", claims);
            prop_assert!(pair[0].span.end <= pair[1].span.start, "{:?}", claims);
        }
        for claim in &claims {
            prop_assert!(text.is_char_boundary(claim.span.start) && text.is_char_boundary(claim.span.end));
            prop_assert!(!claim.span.is_empty());
            let slice = document.slice(claim.span);
            prop_assert_eq!(slice.trim(), slice);
            for marker in &claim.markers {
                owners[marker.0 as usize] += 1;
            }
            prop_assert!(claim.markers.is_empty() || claim.inherited.is_empty());
            prop_assert!(claim.markers.is_sorted());
        }
        prop_assert!(owners.iter().all(|count| *count == 1), "{:?} of {:?} in {:?}", owners, citations.markers, claims);
    }

    #[test]
    fn any_claims_can_be_cut_out(parts in prop::collection::vec(formatted(), 1..5), choices in prop::collection::vec(any::<bool>(), 24)) {
        let text = parts.concat();
        let document = Document::read(text.as_str());
        prop_assume!(document.leaves().count() <= 1);
        // Marks that are text already may pair up when what stands between them goes: that is for the writer's own check.
        prop_assume!(!shown(&document, &[]).contains(['*', '_', '~', '[', ']', '<', '`', '\\']));
        let claims = split(&document, &citations(&document, Placement::BeforeStop));
        let mut cuts: Vec<Span> = Vec::new();
        for (claim, _) in claims.iter().zip(choices).filter(|(_, chosen)| *chosen) {
            cuts.push(claim.span);
        }
        let mut all = cuts.clone();
        all.extend(emptied(&document, &cuts));
        all.sort_unstable();
        all.dedup_by(|later, earlier| earlier.contains(*later) || {
            let overlaps = later.start < earlier.end;
            if overlaps { *earlier = earlier.cover(*later); }
            overlaps
        });
        let expected = shown(&document, &all);
        let mut rest = text.clone();
        for cut in all.iter().rev() {
            // One gap goes with the claim: the one before it, or when there is none, the one after it. A single gap
            // between two scripts stays.
            let before = rest[..cut.start].trim_end().len();
            let after = rest[cut.end..].len() - rest[cut.end..].trim_start().len();
            let glued = after == 0 && rest[cut.end..].starts_with(char::is_alphanumeric);
            let range = match before < cut.start {
                true if glued => cut.start..cut.end,
                true => before..cut.end,
                false => cut.start..cut.end + after,
            };
            // Marks of one kind that come to stand side by side are one run to Markdown; the writer's own check is for that.
            let mark = rest[..range.start].chars().next_back().filter(|c| matches!(c, '*' | '_' | '~' | '`'));
            prop_assume!(mark.is_none_or(|mark| !rest[range.end..].starts_with(mark)));
            // Nor may a mark come to stand behind a sign in place of a space: it would open or close something else.
            let sign = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
            prop_assume!(!(rest[..range.start].ends_with(sign) && rest[range.end..].starts_with(['*', '_', '~'])));
            // … and one before a sign in place of a letter, as in *三是。*so. “Yes.”**.
            prop_assume!(!(rest[..range.start].ends_with(['*', '_', '~']) && rest[range.end..].starts_with(sign)));
            rest.replace_range(range, "");
        }
        prop_assert_eq!(shown(&Document::read(rest.as_str()), &[]), expected, "{:?} became {:?}", text, rest);
    }
}
