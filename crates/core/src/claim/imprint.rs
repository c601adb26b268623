//! What a document says of itself: its day, its version, who made it, what it is about; and its entries of works and its tasks. No page
//! could be asked for it.
//!
//! *Date: March 2025* at the head of a report is its own date; in a list of what is known of an earthquake it is a fact. So most
//! labels count only at the head: before the second heading, before any sentence, and where no value stands that a document
//! does not have (*Magnitude: 9.0*).

use super::labels::{is_named_source, label_of};
use super::{Claim, ClaimKind, ClaimPosition, sections_headed};
use crate::markdown::{BlockKind, Document, InlineKind};
use crate::pattern::Pattern;
use cited_text::lexicon::Classes;
use cited_text::quantity::{Measure, Quantity, is_measured, quantities};
use cited_text::words::words;

static FORMS: Classes = Classes::new(include_str!("data/imprint.tsv"));

/// The beginning of an entry of a bibliography in the styles of APA, Vancouver and MLA: *Smith, J. (2020).*, *Smith J, Doe A. … 2020;12(3)*,
/// *Smith, John. “…” …, vol. 12, no. 3*.
static WORK: Pattern = Pattern::made(|| {
    let name = r"\p{Lu}[\p{L}'’.-]+(?: \p{Lu}[\p{L}'’-]+)?";
    let styles = [
        format!(r"^{name}, (?:\p{{Lu}}\.[ -]?)+.{{0,200}}?\((?:19|20)\d\d[a-z]?(?:, [^)]{{1,20}})?\)"),
        format!(r"^{name} \p{{Lu}}{{1,3}}[,.] .{{0,300}}?\b(?:19|20)\d\d(?: \p{{L}}{{3}})?;\d+"),
        format!(r"^{name}, \p{{Lu}}\p{{L}}+.{{0,300}}?\bvol\. \d+"),
    ];
    styles.map(|style| format!("(?:{style})")).join("|")
});

/// The classes of labels that count anywhere, at the head of a document, and at the head of one that the run wrote.
const ANYWHERE: &[&str] = &["own"];
const AT_HEAD: &[&str] = &["own", "head"];
const AT_HEAD_OF_RUN: &[&str] = &["own", "head", "run"];

/// So many claims the head of a document may have.
const MOST_AT_HEAD: usize = 16;
/// The longest label, in bytes, and the most words behind it.
const LONGEST_LABEL: usize = 48;
const MOST_WORDS: usize = 12;
/// The most words of what stands beside a date.
const MOST_WORDS_BESIDE_A_DATE: usize = 5;
/// The longest value of a label, in characters, and the longest line that is read as a date.
const LONGEST_VALUE: usize = 120;
const LONGEST_DATE: usize = 80;
/// The longest paragraph of lines of one value each, in bytes.
const LONGEST: usize = 600;
/// What stands between the parts of a line: *Jane Doe | March 2025 | v1.2*.
const SEPARATORS: [char; 5] = ['|', '·', '•', '｜', '/'];

/// Makes transitions of the claims that only say something of the document itself or name a work, and instructions of its tasks.
pub(super) fn settle(document: &Document, claims: &mut [Claim]) {
    let headings = document.blocks().filter(|(_, block)| matches!(block.kind, BlockKind::Heading(_)));
    let mut starts = headings.map(|(_, block)| block.span.start);
    let (title, body) = (starts.next().unwrap_or(0), starts.next().unwrap_or(usize::MAX));
    // Without a heading nothing tells where the head ends but the first sentence.
    let first = claims.iter().take_while(|claim| claim.span.start < body && claim.markers.is_empty()).enumerate();
    let has_label = |claim: &Claim| lines_of(document, claim).all(|line| labelled(&line).is_some());
    let is_own = |at: usize| !claims[at].kind.is_factual() || is_imprint(document, claims, at, AT_HEAD_OF_RUN);
    let first = first.map(|(at, claim)| (claim, is_own(at)));
    let head: Vec<_> =
        first.take_while(|(claim, own)| *own || claim.position == ClaimPosition::Cell || has_label(claim)).collect();
    // No head has a value that no document has of itself.
    let is_of_the_world = head.iter().any(|(claim, own)| !own && is_measured(&claim.text));
    let head = if is_of_the_world { 0 } else { head.len() };
    // *Cost: $0.21* is of the document where another line beside it is: *Date: 3 March 2025*.
    let mut beside = claims.iter().take(MOST_AT_HEAD).take_while(|claim| claim.span.start < body).enumerate();
    let is_told = beside.any(|(at, claim)| claim.markers.is_empty() && is_imprint(document, claims, at, AT_HEAD));
    // The sections that say how the document itself changed.
    let histories = sections_headed(document, |words| is_form(words, &["history"]));
    for at in 0..claims.len() {
        let claim = &claims[at];
        if !claim.kind.is_factual() || claim.is_figure() {
            continue;
        }
        let place = match at < head {
            true if is_told || claim.span.start < title => AT_HEAD_OF_RUN,
            true => AT_HEAD,
            false => ANYWHERE,
        };
        let is_open = claim.markers.is_empty() && claim.inherited.is_empty();
        let measures = |what: fn(&Quantity) -> bool| quantities(&claim.text).iter().any(what);
        // *v2: 30% faster* says more than that the document changed.
        let changed = || histories.contain(claim.span) && !measures(Quantity::has_unit);
        // *Source: World Bank, 2023* states nothing that a page could be asked for.
        let only_names_sources = || is_named_source(&claim.text) && !measures(|q| q.is_measured() && !q.is_temporal());
        let may_be_of_a_work =
            claim.kind.must_have_source() && matches!(claim.position, ClaimPosition::Item | ClaimPosition::Sentence);
        let start = document.slice(document.content_span(claim.block)).trim_start_matches(['*', '_', ' ']);
        let is_of_a_work = || may_be_of_a_work && start.starts_with(char::is_uppercase) && WORK.is_match(start);
        let first = document.inlines(claim.block).first();
        claims[at].kind = if is_open && (is_imprint(document, claims, at, place) || changed() || is_of_a_work())
            || only_names_sources()
        {
            ClaimKind::Transition
        } else if is_open && first.is_some_and(|inline| inline.kind == InlineKind::TaskBox) {
            // `- [ ] Ship it by 1 May`
            ClaimKind::Instruction
        } else {
            continue;
        };
    }
}

/// The lines of a claim as they are written, without the marks of formatting.
fn lines_of<'d>(document: &'d Document, claim: &Claim) -> impl Iterator<Item = String> + use<'d> {
    let lines = document.slice(claim.span).lines();
    lines.map(|line| line.replace(['*', '_', '`', '~', '>'], "").trim().to_owned()).filter(|line| !line.is_empty())
}

/// Whether all that a claim says is of the document, by the classes of forms that count where it stands.
fn is_imprint(document: &Document, claims: &[Claim], at: usize, place: &[&str]) -> bool {
    let claim = &claims[at];
    if let (ClaimPosition::Cell, Some(cell)) = (claim.position, &claim.context) {
        return is_form(&cell.row, place) && is_short(&claim.text);
    }
    if claim.text.len() > LONGEST {
        return false;
    }
    // Whether it is no sentence of a paragraph.
    let beside = claims[at.saturating_sub(1)..].iter().take(if at > 0 { 3 } else { 2 });
    let alone = beside.filter(|other| other.block == claim.block).count() == 1;
    let says =
        |part: &str| is_date(part) || labelled(part).is_some_and(|(label, _)| is_form(label, place)) && is_short(part);
    let silent = |part: &str| part.split_whitespace().count() <= MOST_WORDS_BESIDE_A_DATE && !is_measured(part);
    let is_of_it = |line: String| {
        let named = labelled(&line).is_some_and(|(label, value)| is_form(label, place) && is_short(value));
        let copyright = line.trim_start_matches("Copyright ").starts_with('©') && is_short(&line);
        let parts = || line.split(SEPARATORS).map(str::trim).filter(|part| !part.is_empty());
        let dated = || parts().any(says) && parts().all(|part| says(part) || parts().count() > 1 && silent(part));
        named || copyright || alone && place != ANYWHERE && dated()
    };
    let mut lines = lines_of(document, claim).peekable();
    lines.peek().is_some() && lines.all(is_of_it)
}

/// `Label: value` as its two sides.
fn labelled(line: &str) -> Option<(&str, &str)> {
    let sides = label_of(line.trim_start_matches(['-', '+', '•', ' ']));
    sides.filter(|(label, value)| label.len() <= LONGEST_LABEL && !value.is_empty())
}

fn is_short(value: &str) -> bool {
    value.split_whitespace().count() <= MOST_WORDS && value.chars().count() <= LONGEST_VALUE
}

fn is_form(label: &str, place: &[&str]) -> bool {
    FORMS.are(place, &label.trim().to_lowercase())
}

/// Whether a sentence of the document about itself says what it looks at, and nothing that it found: *This report examines whether …*.
pub(super) fn tells_the_scope(text: &str) -> bool {
    /// So many words may stand before the verb.
    const MOST_BEFORE: usize = 6;
    words(text).take(MOST_BEFORE).any(|word| is_form(word.span.slice(text), &["scope"]))
}

/// Whether a line is nothing but a date or a version: *March 2025*, *London, 12 March 2025*, *v1.2*.
fn is_date(line: &str) -> bool {
    let found = quantities(line);
    let (Some(first), Some(last)) = (found.first(), found.last()) else { return false };
    if !found.iter().all(|quantity| quantity.is_temporal() || matches!(quantity.measure, Measure::Version(..)))
        || line.len() > LONGEST_DATE
    {
        return false;
    }
    let (before, after) = (first.span.before(line).trim(), last.span.after(line).trim_matches(['.', ')', ' ']));
    let place = before.strip_suffix(',').or_else(|| before.strip_suffix('—')).or_else(|| before.strip_suffix('–'));
    let named = |words: &str| {
        words.split_whitespace().count() <= MOST_WORDS_BESIDE_A_DATE && words.starts_with(char::is_uppercase)
    };
    let bare = !before.contains(char::is_alphabetic) || before.eq_ignore_ascii_case("v") || place.is_some_and(named);
    bare && !after.contains(char::is_alphanumeric) && !line.ends_with('.')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::citation::{self, KnownLabels};
    use crate::claim::{ClaimKind, split};
    use crate::markdown::Document;

    /// Whether each claim of a text that holds a number is one of an imprint.
    #[track_caller]
    fn check(text: &str, expected: bool) {
        let document = Document::read(text);
        let citations = citation::read(&document, &KnownLabels::default());
        let claims = split(&document, &citations);
        let numbered = claims.iter().filter(|claim| claim.text.contains(|c: char| c.is_ascii_digit()));
        let found: Vec<_> = numbered.map(|claim| (claim.text.as_str(), claim.kind == ClaimKind::Transition)).collect();
        assert!(!found.is_empty() && found.iter().all(|(_, own)| *own == expected), "of {text:?}: {found:?}");
    }

    proptest! {
        #[test]
        fn any_lines_are_read(lines in prop::collection::vec("(# |\\*\\*|- |)(Date|Stand|日期|Version|Published|©|Smith, J\\.|İ)?(:|：| |)[A-Za-z0-9 .,:|/()；。年月日\u{3000}-]{0,30}", 0..6)) {
            let document = Document::read(lines.join("\n\n"));
            let citations = citation::read(&document, &KnownLabels::default());
            split(&document, &citations);
        }
    }

    #[test]
    fn what_a_document_says_of_itself_is_no_claim() {
        for text in [
            "# T\n\n**Date:** March 2025\n\nIt is so.\n",
            "# T\n\n**Author:** Jane Doe  \n**Date:** March 2025  \n**Version:** 1.4\n\n## A\n\nIt is so.\n",
            "Date: 2024-01-03\nVersion: 2.1\nReading time: 5 minutes\n\n# T\n\nIt is so.\n",
            "# T\n\n- **Date**: 3 March 2025\n- **Word count**: 3,200 words\n- **Topic**: widgets\n",
            "# T\n\nJane Doe | March 2025 | v1.2\n\nIt is so.\n",
            "# T\n\n12 March 2025\n\nIt is so.\n",
            "# T\n\nLondon, 12 March 2025\n\nIt is so.\n",
            "# T\n\n| Field | Value |\n|---|---|\n| Date | 12 March 2025 |\n| Author | Jane |\n",
            "* Mode: Deep\n* Max Iterations: 3\n\nCost: $0.21\n\n---\n\n# T\n\nIt is so.\n",
            "# T\n\n**Date:** 3 March 2025\n\n**Cost:** $0.21\n\n## A\n\nIt is so.\n",
            "# T\n\nIt is so.\n\n*Last updated: 3 March 2025*\n",
            "# T\n\nIt is so.\n\n© 2025 Widget Institute. All rights reserved.\n",
            "# T\n\nIt is so.\n\n## Changelog\n\n- 2025-03-01: first version\n- v1.1 (2025-04-01): fixed 3 typos\n",
            "# 报告\n\n**日期：** 2025年3月12日\n\n这是报告。\n",
            "# Bericht\n\nStand: 12. März 2025\n\nEs ist so.\n",
            "# Rapport\n\n**Date de publication :** 12 mars 2025\n\nC'est ainsi.\n",
            "So ist es.\n\nStand der Daten: Ende 2023\n",
        ] {
            check(text, true);
        }
    }

    #[test]
    fn what_is_said_of_the_world_stays_a_claim() {
        for text in [
            "# The earthquake\n\n- **Date:** 11 March 2011\n- **Magnitude:** 9.0\n",
            "# T\n\nIt is so.\n\n- **Date:** 11 March 2011\n",
            "# T\n\n## A\n\n**Date:** 11 March 2011\n",
            "# T\n\n**Price:** $299\n",
            "# T\n\n## A\n\nBudget: $200 million\nBox office: $300 million\n",
            "# T\n\n## A\n\nBudget: $200 million\n",
            "# T\n\n**Cost:** $299\n",
            "It is so.\n\nData centres opened in 2023.\n",
            "It is so.\n\nAll figures rose in 2023.\n",
            "It is so.\n\nPrices as of May 2023: 5 euros.\n",
            "It is so.\n\nData as of 2023 show 40% of them.\n",
            "It is so. Data as of 2023 are lost.\n",
            "如此。\n\n2023年数据泄露。\n",
            "# T\n\nPublished in 2019, the study found that 40% of them left.\n",
            "# T\n\nIt was founded in March 2025.\n",
            "# T\n\nIt is so.\n\nPublished 12 March 2025\n",
            "# T\n\nPrepared in 2019, the plan covers 2020.\n",
            "# T\n\nVersion 3 is the last.\n",
            "# T\n\nAs of 2025, widgets are used.\n",
            "# T\n\nIt is so.\n\n## Changelog\n\n- v2: 30% faster\n",
            "# T\n\nRevenue: $5 billion\n",
            "# T\n\nUpdated figures for 2024 show 5 million users.\n",
            "# T\n\n**Date:** The first of them struck on 11 March 2011 and killed so many that the port was closed for years.\n",
        ] {
            check(text, false);
        }
    }
}

#[cfg(test)]
mod block_tests {
    use crate::citation::Citations;
    use crate::claim::{ClaimKind, split};
    use crate::markdown::Document;

    #[track_caller]
    fn check(text: &str, expected: &[ClaimKind]) {
        let document = Document::read(text);
        let claims = split(&document, &Citations::default());
        let numbered = claims.iter().filter(|claim| claim.text.contains(|c: char| c.is_ascii_digit()));
        assert_eq!(numbered.map(|claim| claim.kind).collect::<Vec<_>>(), expected, "of {text:?}");
    }

    #[test]
    fn a_task_is_asked_for() {
        use ClaimKind::{Instruction, Quantitative};
        let tasks = "- [ ] Ship v2 by 1 May 2026\n- [x] Hired 3 people\n- Sold 5 units\n";
        check(tasks, &[Instruction, Instruction, Quantitative]);
    }

    #[test]
    fn a_label_heads_what_follows() {
        use ClaimKind::{Quantitative, Transition};
        check("- Findings of note (since 2020)\n  - Solar grew.\n", &[Transition]);
        check("- 代表性成果与论文（2020年以来）\n  - 增长了。\n", &[Transition]);
        check("- Findings of 30 teams (since 2020)\n  - Solar grew.\n", &[Quantitative]);
        check("- Founded in 1998\n  - Solar grew.\n", &[Quantitative]);
        check("Medium term (2025–2028)\n\nSolar grew.\n", &[Quantitative]);
        check("**Solar grew by 45%**\n\nSo it was.\n", &[Quantitative]);
        check("Table 1. Costs rose by 5%.\n", &[Quantitative]);
    }

    #[test]
    fn a_line_of_sources_is_no_claim() {
        use ClaimKind::{Quantitative, Transition};
        check("*Source: World Bank, 2023*\n", &[Transition]);
        check("*Source: 45% of banks*\n", &[Quantitative]);
    }

    #[test]
    fn a_work_without_an_address_is_no_claim() {
        use ClaimKind::{Quantitative, Transition};
        check("- Smith, J. (2020). Widgets today. Journal of Widgets, 12(3), 45–67.\n", &[Transition; 2]);
        check("- Van Dyke, A. B., & Roe, C. (2019, May). *A book.* Press.\n", &[Transition]);
        check("Smith J, Doe A. Widgets today. J Widgets. 2020;12(3):45-67.\n", &[Transition]);
        check("- Smith, John. “Widgets.” Journal of Widgets, vol. 12, no. 3, 2020, pp. 45–67.\n", &[Transition]);
        check("Smith, J. Edgar of the bureau, hired 300 men in 1924.\n", &[Quantitative]);
    }
}
