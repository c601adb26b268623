//! What a document alone shows of its citations: citations without a source, sources without a citation, numbers; and references to footnotes
//! that it does not define, of which Markdown shows the brackets.

use std::collections::HashSet;

use crate::address::identity::{Key, key_of};
use crate::citation::{Citations, Entry, EntryId, Label, ListKind, Target};
use crate::finding::{Code, Finding};
use crate::markdown::{BlockKind, Document, InlineKind};
use crate::pattern::Pattern;
use cited_text::{Span, Spans};

/// Everything about the citations of a document that is worth telling, in order of place.
///
/// ```
/// use cited_core::check::structure::structure;
/// use cited_core::citation::{self, KnownLabels};
/// use cited_core::markdown::Document;
/// let text = "Water is wet [1], and so is rain [3].\n\n## Sources\n\n1. Water — https://water.example/\n2. Ice — https://ice.example/\n";
/// let citations = citation::read(&Document::read(text), &KnownLabels::default());
/// let codes: Vec<_> = structure(&citations).iter().map(|finding| finding.code.as_str()).collect();
/// assert_eq!(codes, ["orphan-citation", "orphan-source"]);
/// ```
pub fn structure(citations: &Citations) -> Vec<Finding> {
    let (mut findings, cites) = (citations.findings.clone(), cites(citations));
    // Of lists and their numbers there is nothing to tell where nothing is cited.
    if cites {
        orphan_sources(citations, &mut findings);
        numbering(citations, &mut findings);
    }
    // A footnote without an address is prose, whatever it stands under.
    let notes = citations.lists.iter().filter(|list| list.kind == ListKind::Footnotes);
    let notes: Vec<_> = notes.flat_map(|list| list.entries.iter().map(|entry| Some(entry.span))).collect();
    findings.retain(|finding| {
        let is_of_list = matches!(finding.code, Code::DuplicateSource | Code::DuplicateLabel | Code::NoAddress);
        let is_prose = finding.code == Code::NoAddress && notes.contains(&finding.span);
        (cites || !is_of_list) && !is_prose
    });
    findings.sort_by_key(|finding| (finding.span, finding.code));
    findings
}

/// The entries of lists that are cited, in order, each with the place of its citation.
fn entries(citations: &Citations) -> impl Iterator<Item = (Span, EntryId)> {
    let entry = |target: &Target| if let Target::Entry(id) = target { Some(*id) } else { None };
    citations.markers.iter().flat_map(move |m| m.targets.iter().filter_map(entry).map(|id| (m.span, id)))
}

/// Whether a document cites: a list of several entries of which one is cited, or a citation that no list has.
fn cites(citations: &Citations) -> bool {
    let has_several = |id: EntryId| citations.lists.get(id.list as usize).is_some_and(|list| list.entries.len() > 1);
    entries(citations).any(|(_, id)| has_several(id))
        || citations.findings.iter().any(|finding| finding.code == Code::OrphanCitation)
}

/// Entries that nothing cites. A list without labels of which nothing is cited is a reading list, not a source list.
fn orphan_sources(citations: &Citations, findings: &mut Vec<Finding>) {
    let cited: HashSet<EntryId> = entries(citations).map(|(_, id)| id).collect();
    // An entry is cited as well when another entry of the same source is, or a link goes to it.
    let linked = citations.markers.iter().flat_map(|marker| &marker.targets).filter_map(Target::address);
    let addresses = cited.iter().filter_map(|id| citations.entry(*id)).flat_map(|entry| &entry.addresses);
    let keys: HashSet<Key> = linked.chain(addresses.map(String::as_str)).map(key_of).collect();
    for (list, l) in citations.lists.iter().zip(0..) {
        let is_cited = |(entry, e): &(&Entry, u32)| {
            cited.contains(&EntryId { list: l, entry: *e })
                || entry.addresses.iter().any(|address| keys.contains(&key_of(address)))
        };
        let (cited_here, open): (Vec<_>, Vec<_>) = list.entries.iter().zip(0..).partition(is_cited);
        if cited_here.is_empty() && list.entries.iter().all(|entry| entry.label.is_none()) {
            continue;
        }
        findings.extend(open.into_iter().map(|(entry, _)| {
            let name =
                entry.label.as_ref().map_or(format!("“{}”", entry.title), |label| format!("source [{label}]"));
            Finding::new(Code::OrphanSource, format!("{name} is listed, and cited nowhere")).at(entry.span)
        }));
    }
}

/// Numbers of a list that jump, and the first citation that comes before one with a smaller number. Footnotes and definitions share their
/// numbers with other things.
fn numbering(citations: &Citations, findings: &mut Vec<Finding>) {
    let number = |entry: &Entry| entry.label.as_ref().and_then(Label::number);
    // A list may go on where the one before it stopped.
    let mut before = 0;
    for (list, l) in citations.lists.iter().zip(0..) {
        let mut numbers: Vec<(u32, Span)> =
            list.entries.iter().filter_map(|entry| Some((number(entry)?, entry.span))).collect();
        let is_own = matches!(list.kind, ListKind::Lines | ListKind::Table);
        if !is_own || numbers.len() < 2 || numbers.len() < list.entries.len() {
            continue;
        }
        numbers.sort_unstable();
        let mut last = if numbers[0].0 == before + 1 { before } else { 0 };
        for (number, span) in numbers {
            if number > last + 1 {
                let message = match last {
                    0 => format!("the numbers of this list begin with {number}"),
                    last => format!("the numbers of this list jump from {last} to {number}"),
                };
                findings.push(Finding::new(Code::NumberingGap, message).at(span));
            }
            last = last.max(number);
        }
        before = last;
        let mut seen = HashSet::new();
        let own = entries(citations).filter(|(_, id)| id.list == l);
        let own = own.filter_map(|(span, id)| Some((span, number(citations.entry(id)?)?)));
        let first: Vec<(Span, u32)> = own.filter(|(_, number)| seen.insert(*number)).collect();
        if let Some([(_, highest), (span, number)]) = first.array_windows().find(|[one, next]| next.1 < one.1) {
            let message = format!("[{number}] is cited for the first time after [{highest}]");
            findings.push(Finding::new(Code::NumberingOrder, message).at(*span));
        }
    }
}

static REFERENCE: Pattern = Pattern::new(r"\[\^[\p{Alphabetic}\p{N}_.:-]+\]");

/// The references of `document` to footnotes that neither it nor a list of its citations defines.
///
/// In a document without a footnote, brackets with `^` may be a pattern (`[^a-z]`): there only what stands right behind a word
/// and is not repeated by a sign of patterns is a reference.
pub fn undefined_footnotes(document: &Document, citations: &Citations) -> Vec<Finding> {
    let text = document.text();
    let has_footnotes = document.blocks().any(|(_, block)| matches!(block.kind, BlockKind::FootnoteDefinition(_)));
    let open = citations.findings.iter().filter(|finding| finding.code == Code::OrphanCitation);
    let open: Spans = open.filter_map(|finding| finding.span).collect();
    let markers = citations.markers.iter().filter(|marker| !marker.targets.is_empty());
    let cited: Spans = markers.map(|marker| marker.span).collect();
    let inlines = document.leaves().flat_map(|(id, _)| document.inlines(id));
    let words = inlines.filter(|inline| inline.kind == InlineKind::Text && inline.link.is_none());
    let words: Spans = words.map(|inline| inline.span).collect();
    let is_reference = |span: &Span| {
        let (before, rest) = (span.before(text), span.after(text));
        let behind_word = before.ends_with(|c: char| c.is_alphanumeric() || ".,;:!?\")”。".contains(c));
        let is_pattern = rest.starts_with(['+', '*', '?', '{', '(', ':']);
        let meant = if has_footnotes { !rest.starts_with(':') } else { behind_word && !is_pattern };
        // A label may be cut into several inlines: where it begins counts.
        let is_text = words.overlap(Span::new(span.start, span.start + 1)) && !before.ends_with('\\');
        meant && is_text && (!cited.overlap(*span) || open.overlap(*span))
    };
    let tell = |span: Span| {
        let message = format!("the footnote {} is not defined", span.slice(text));
        Finding::new(Code::UndefinedFootnote, message).at(span)
    };
    let found = REFERENCE.find_iter(text).map(|found| Span::new(found.start(), found.end()));
    found.filter(is_reference).map(tell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::citation::{self, KnownLabels};

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        let document = Document::read(text);
        let citations = citation::read(&document, &KnownLabels::default());
        let findings = structure(&citations);
        let found: Vec<_> = findings
            .iter()
            .map(|finding| (finding.code.as_str(), finding.span.map_or("", |span| document.slice(span))))
            .collect();
        assert_eq!(found, expected, "{findings:#?}");
    }

    const LIST: &str = "\n\n## Sources\n\n1. A — https://a.example/\n2. B — https://b.example/\n";

    #[test]
    fn a_document_in_order_has_no_findings() {
        check(&format!("One [1]. Two [2]. One again [1].{LIST}"), &[]);
        check("Only prose, with a [link](https://a.example/).\n", &[]);
        check("", &[]);
        check(&format!("One [1, 2].{LIST}"), &[]);
    }

    #[test]
    fn citations_and_sources_are_held_against_each_other() {
        check(
            &format!("One [1]. Two [7].{LIST}"),
            &[("orphan-citation", "[7]"), ("orphan-source", "2. B — https://b.example/")],
        );
        // Also where nothing else of the list is cited.
        check(
            "Sales rose by 5% [9].\n\n## Sources\n\n1. A — https://a.example/\n",
            &[("orphan-citation", "[9]"), ("orphan-source", "1. A — https://a.example/")],
        );
        check("It lies in [0, 5] and at [7] or so.\n\n## Sources\n\n1. A — https://a.example/\n", &[]);
        // A link to the source is a citation of it.
        check(&format!("One [1]. See [B](https://www.b.example).{LIST}"), &[]);
        // The same source under two numbers is a duplicate, not an orphan.
        check(
            "One [1].\n\n## Sources\n\n1. A — https://a.example/\n2. A again — https://a.example/?utm_source=x\n",
            &[("duplicate-source", "2. A again — https://a.example/?utm_source=x")],
        );
    }

    #[test]
    fn a_reading_list_is_no_source_list() {
        check("Text.\n\n## Further reading\n\n- [A](https://a.example/)\n- [B](https://b.example/)\n", &[]);
    }

    #[test]
    fn numbers_run_from_one_in_order_of_appearance() {
        check(
            "One [1]. Two [3].\n\n## Sources\n\n1. A — https://a.example/\n3. B — https://b.example/\n",
            &[("numbering-gap", "3. B — https://b.example/")],
        );
        check(
            "One [2]. Two [3].\n\n## Sources\n\n[2] A — https://a.example/\n\n[3] B — https://b.example/\n",
            &[("numbering-gap", "[2] A — https://a.example/")],
        );
        check(&format!("Two [2]. One [1].{LIST}"), &[("numbering-order", "[1]")]);
    }

    #[track_caller]
    fn check_footnotes(text: &str, expected: &[&str]) {
        let document = Document::read(text);
        let citations = citation::read(&document, &KnownLabels::default());
        let findings = undefined_footnotes(&document, &citations);
        let found: Vec<_> = findings.iter().filter_map(|finding| Some(document.slice(finding.span?))).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn references_without_a_definition_are_told() {
        check_footnotes("A word[^1] and another[^note].\n\n[^1]: A remark.\n", &["[^note]"]);
        check_footnotes("Nothing is defined[^1].\n", &["[^1]"]);
        check_footnotes("After a space [^b].\n\nDefined[^a].\n\n[^a]: Yes.\n", &["[^b]"]);
        check_footnotes("| Cell[^t] |\n|---|\n| x |\n", &["[^t]"]);
    }

    #[test]
    fn what_is_defined_or_no_reference_is_not() {
        check_footnotes("A word[^1].\n\n[^1]: A remark.\n", &[]);
        check_footnotes("The pattern [^a-z] and x[^a-z]+ and `w[^1]` and w\\[^1].\n", &[]);
        check_footnotes("A link w[^1](https://a.example/).\n", &[]);
        check_footnotes("Cited [^1].\n\n## Sources\n\n1. A — https://a.example/\n", &[]);
    }
}
