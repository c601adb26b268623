//! What a document alone shows of its citations: citations without a source, sources without a citation, numbers.

use std::collections::HashSet;

use crate::address::identity::{Key, key_of};
use crate::citation::{Citations, EntryId, Label, ListKind, SourceList, Target};
use crate::finding::{Code, Finding};

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
    let mut findings = citations.findings.clone();
    if !citations.lists.is_empty() {
        orphan_sources(citations, &mut findings);
        numbering(citations, &mut findings);
    }
    // Of lists and their numbers there is nothing to tell where nothing is cited.
    let of_lists = [
        Code::OrphanSource,
        Code::DuplicateSource,
        Code::DuplicateLabel,
        Code::NumberingGap,
        Code::NumberingOrder,
        Code::NoAddress,
    ];
    let cites = cites(citations);
    findings.retain(|finding| cites || !of_lists.contains(&finding.code));
    // A footnote without an address is prose, whatever it stands under.
    let notes = citations.lists.iter().filter(|list| list.kind == ListKind::Footnotes);
    let notes: Vec<_> = notes.flat_map(|list| list.entries.iter().map(|entry| entry.span)).collect();
    findings
        .retain(|finding| finding.code != Code::NoAddress || !finding.span.is_some_and(|span| notes.contains(&span)));
    findings.sort_by_key(|finding| (finding.span, finding.code));
    findings
}

/// Whether a document cites: a list of several entries of which one is cited, or a citation that no list has.
fn cites(citations: &Citations) -> bool {
    let cited = |l: usize| {
        let mut targets = citations.markers.iter().flat_map(|marker| &marker.targets);
        targets.any(|target| matches!(target, Target::Entry(id) if id.list as usize == l))
    };
    let is_list = |(l, list): (usize, &SourceList)| list.entries.len() > 1 && cited(l);
    citations.lists.iter().enumerate().any(is_list)
        || citations.findings.iter().any(|finding| finding.code == Code::OrphanCitation)
}

/// Entries that nothing cites. A list without labels of which nothing is cited is a reading list, not a source list.
fn orphan_sources(citations: &Citations, findings: &mut Vec<Finding>) {
    let mut cited: HashSet<EntryId> = HashSet::new();
    let mut addresses: HashSet<&str> = HashSet::new();
    for target in citations.markers.iter().flat_map(|marker| &marker.targets) {
        match target {
            Target::Entry(id) => {
                cited.insert(*id);
            }
            Target::Address(address) => {
                addresses.insert(address);
            }
            Target::Label(_) => {}
        }
    }
    let ids =
        |l: usize, list: &SourceList| (0..list.entries.len()).map(move |e| EntryId { list: l as u32, entry: e as u32 });
    let open = citations.lists.iter().enumerate().any(|(l, list)| ids(l, list).any(|id| !cited.contains(&id)));
    if !open {
        return;
    }
    // An entry is cited as well when another entry of the same source is, or a link goes to it.
    let mut keys: HashSet<Key> = addresses.iter().map(|address| key_of(address)).collect();
    for (l, list) in citations.lists.iter().enumerate() {
        for (_, entry) in ids(l, list).zip(&list.entries).filter(|(id, _)| cited.contains(id)) {
            keys.extend(entry.addresses.iter().map(|address| key_of(address)));
        }
    }
    for (l, list) in citations.lists.iter().enumerate() {
        let is_cited: Vec<bool> = ids(l, list)
            .zip(&list.entries)
            .map(|(id, entry)| {
                cited.contains(&id) || entry.addresses.iter().any(|address| keys.contains(&key_of(address)))
            })
            .collect();
        let labelled = list.entries.iter().any(|entry| entry.label.is_some());
        if !labelled && !is_cited.contains(&true) {
            continue;
        }
        for (entry, _) in list.entries.iter().zip(is_cited).filter(|(_, is_cited)| !is_cited) {
            let name = match &entry.label {
                Some(label) => format!("source [{label}]"),
                None => format!("“{}”", entry.title),
            };
            findings.push(
                Finding::new(Code::OrphanSource, format!("{name} is listed, and cited nowhere"))
                    .at(entry.span)
                    .remedy("cite it where it is used, or take it off the list"),
            );
        }
    }
}

/// Whether the numbers of a list are its own to count: footnotes and definitions share theirs with other things.
fn is_numbered(list: &SourceList) -> bool {
    matches!(list.kind, ListKind::Lines | ListKind::Table)
        && list.entries.len() > 1
        && list.entries.iter().all(|entry| entry.label.as_ref().and_then(Label::number).is_some())
}

fn numbering(citations: &Citations, findings: &mut Vec<Finding>) {
    // A list may go on where the one before it stopped.
    let mut before = 0;
    for (l, list) in citations.lists.iter().enumerate() {
        if !is_numbered(list) {
            continue;
        }
        let mut numbers: Vec<(u32, usize)> = list
            .entries
            .iter()
            .enumerate()
            .filter_map(|(e, entry)| Some((entry.label.as_ref()?.number()?, e)))
            .collect();
        numbers.sort_unstable();
        let first = numbers.first().map_or(1, |(first, _)| *first);
        let mut last = if first == before + 1 { before } else { 0 };
        for (number, e) in &numbers {
            if *number > last + 1 {
                let message = match last {
                    0 => format!("the numbers of this list begin with {number}"),
                    last => format!("the numbers of this list jump from {last} to {number}"),
                };
                findings.push(
                    Finding::new(Code::NumberingGap, message)
                        .at(list.entries[*e].span)
                        .remedy("number the list anew, with its citations; `cited verify` does it"),
                );
            }
            last = (*number).max(last);
        }
        before = last;
        order(citations, l, list, findings);
    }
}

/// The first citation that comes before one with a smaller number.
fn order(citations: &Citations, l: usize, list: &SourceList, findings: &mut Vec<Finding>) {
    let mut highest: Option<u32> = None;
    let mut seen: HashSet<u32> = HashSet::new();
    for marker in &citations.markers {
        for target in &marker.targets {
            let Target::Entry(id) = target else { continue };
            if id.list as usize != l {
                continue;
            }
            let Some(own) = list.entries.get(id.entry as usize).and_then(|entry| entry.label.as_ref()?.number()) else {
                continue;
            };
            if !seen.insert(own) {
                continue;
            }
            match highest {
                Some(highest) if own < highest => {
                    findings.push(
                        Finding::new(
                            Code::NumberingOrder,
                            format!("[{own}] is cited for the first time after [{highest}]"),
                        )
                        .at(marker.span)
                        .remedy("number the list in order of first appearance; `cited verify` does it"),
                    );
                    return;
                }
                _ => highest = Some(own),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::citation::{self, KnownLabels};
    use crate::markdown::Document;

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
}
