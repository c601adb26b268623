//! Claims that are told by the block they stand in: entries of works, and tasks.

use std::sync::LazyLock;

use regex::Regex;

use super::labels::is_named_source;
use super::{Claim, ClaimKind, ClaimPosition};
use crate::markdown::{BlockId, Document, InlineKind};
use cited_text::quantity::{Quantity, quantities};

/// The beginning of an entry of a bibliography in the styles of APA, Vancouver and MLA: *Smith, J. (2020).*, *Smith J, Doe A. … 2020;12(3)*,
/// *Smith, John. “…” …, vol. 12, no. 3*.
static WORK: LazyLock<Regex> = LazyLock::new(|| {
    let name = r"\p{Lu}[\p{L}'’.-]+(?: \p{Lu}[\p{L}'’-]+)?";
    let styles = [
        format!(r"^{name}, (?:\p{{Lu}}\.[ -]?)+.{{0,200}}?\((?:19|20)\d\d[a-z]?(?:, [^)]{{1,20}})?\)"),
        format!(r"^{name} \p{{Lu}}{{1,3}}[,.] .{{0,300}}?\b(?:19|20)\d\d(?: \p{{L}}{{3}})?;\d+"),
        format!(r"^{name}, \p{{Lu}}\p{{L}}+.{{0,300}}?\bvol\. \d+"),
    ];
    Regex::new(&styles.map(|style| format!("(?:{style})")).join("|")).expect("the styles are fixed")
});

/// Settles the kind of claims without a citation that are pieces of an entry of a bibliography, or tasks.
pub(super) fn settle(document: &Document, claims: &mut [Claim]) {
    // The sentences of a paragraph stand behind each other: it is looked at once.
    let mut last: Option<(BlockId, bool)> = None;
    for claim in claims.iter_mut().filter(|claim| claim.kind.is_factual() && !claim.is_figure()) {
        let known = last.filter(|(block, _)| *block == claim.block);
        let mut begins_a_work =
            || known.unwrap_or_else(|| *last.insert((claim.block, begins_as_a_work(document, claim.block)))).1;
        // *Source: World Bank, 2023* states nothing that a page could be asked for.
        let measures_only_time =
            || quantities(&claim.text).iter().filter(|q| q.is_measured()).all(Quantity::is_temporal);
        if is_named_source(&claim.text) && measures_only_time()
            || is_open(claim) && may_be_of_a_work(claim) && begins_a_work()
        {
            claim.kind = ClaimKind::Transition;
        } else if is_open(claim)
            && document.inlines(claim.block).first().is_some_and(|inline| inline.kind == InlineKind::TaskBox)
        {
            // `- [ ] Ship it by 1 May`
            claim.kind = ClaimKind::Instruction;
        }
    }
}

/// Whether a claim states a fact, and cites nothing.
pub(super) fn is_open(claim: &Claim) -> bool {
    claim.kind.is_factual()
        && claim.markers.is_empty()
        && claim.inherited.is_empty()
        && claim.position != ClaimPosition::Figure
}

/// Whether a claim may be a piece of an entry of a bibliography, in a list that has too few addresses to be one of sources.
fn may_be_of_a_work(claim: &Claim) -> bool {
    matches!(claim.position, ClaimPosition::Item | ClaimPosition::Sentence) && claim.kind.must_have_source()
}

/// Whether a leaf begins as such an entry does.
fn begins_as_a_work(document: &Document, block: BlockId) -> bool {
    let block = document.slice(document.content_span(block));
    let start = block.trim_start_matches(['*', '_', ' ']);
    start.starts_with(char::is_uppercase) && WORK.is_match(start.lines().next().unwrap_or(start))
}

#[cfg(test)]
mod tests {
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
