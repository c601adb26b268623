//! The citations of a whole document in another form: as footnotes, or as links into one bibliography of many documents.
//!
//! Only brackets whose every member has an entry change. What nothing gives a meaning stays as it is, and so does an entry
//! that nothing cites.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::cut;
use super::edit::{Cause, Edit, Overlap, apply};
use crate::address::identity::{Key, key_of};
use crate::citation::{Citations, Entry, EntryId, ListKind, Marker, Target};
use crate::markdown::Document;
use cited_text::escape;

/// What the labels of our footnotes begin with, so that they meet no others of the document.
const LABEL: &str = "cited-";

/// Sources of many documents with one numbering, in order of first appearance.
#[derive(Debug, Clone, Default)]
pub struct Bibliography {
    numbers: HashMap<Key, usize>,
    /// Title and address of each source.
    sources: Vec<(String, String)>,
}

impl Bibliography {
    /// The number of an entry, which is taken in when it is new.
    fn number(&mut self, document: &str, id: EntryId, entry: &Entry) -> usize {
        let key = match entry.addresses.first() {
            Some(address) => key_of(address),
            // Entries without an address are never one source.
            None => Key(format!("entry:{document}#{}#{}", id.list, id.entry)),
        };
        *self.numbers.entry(key).or_insert_with(|| {
            self.sources.push((entry.title.clone(), entry.addresses.first().cloned().unwrap_or_default()));
            self.sources.len()
        })
    }

    /// Whether nothing was cited.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// The page: a heading and a numbered list, each entry with an anchor `cited-N`.
    pub fn page(&self, heading: &str) -> String {
        let lines = self.sources.iter().enumerate().map(|(i, (title, address))| {
            let number = i + 1;
            format!("{number}. <a id=\"{LABEL}{number}\"></a>{}\n", shown(title, address))
        });
        format!("# {}\n\n{}", escape::inline(heading), lines.collect::<String>())
    }
}

/// `Title — address`, each as far as it is there.
fn shown(title: &str, address: &str) -> String {
    let title = escape::title(title);
    let address: String = escape::plain(address).replace('<', "%3C").replace('>', "%3E").replace(' ', "%20");
    match (title.is_empty(), address.is_empty()) {
        (true, true) => "(no title)".to_owned(),
        (true, false) => format!("<{address}>"),
        (false, true) => title,
        (false, false) => format!("{title} — <{address}>"),
    }
}

/// The document with its numeric citations as footnotes, defined at its end.
///
/// # Errors
/// When two edits want the same bytes: a fault of the reader.
pub fn footnotes(document: &Document, citations: &Citations) -> Result<String, Overlap> {
    let mut own = Bibliography::default();
    let cite = |numbers: &BTreeSet<usize>| {
        let references: Vec<String> = numbers.iter().map(|number| format!("[^{LABEL}{number}]")).collect();
        references.concat()
    };
    let mut text = restyle(document, citations, &mut own, "", &cite)?;
    if !own.is_empty() {
        let eol = document.line_end();
        text.truncate(text.trim_end().len());
        text.push_str(eol);
        text.push_str(eol);
        for (i, (title, address)) in own.sources.iter().enumerate() {
            text.push_str(&format!("[^{LABEL}{}]: {}{eol}", i + 1, shown(title, address)));
        }
    }
    Ok(text)
}

/// The document with its numeric citations as links to `page`, where `bibliography` will stand; its own lists go as far as
/// they are cited. `name` is the document's own, unique among those of one bibliography.
///
/// # Errors
/// When two edits want the same bytes: a fault of the reader.
pub fn into_bibliography(
    document: &Document,
    citations: &Citations,
    bibliography: &mut Bibliography,
    name: &str,
    page: &str,
) -> Result<String, Overlap> {
    let cite = |numbers: &BTreeSet<usize>| {
        let links = numbers.iter().map(|number| format!("[\\[{number}\\]]({page}#{LABEL}{number})"));
        links.collect::<Vec<_>>().join(" ")
    };
    restyle(document, citations, bibliography, name, &cite)
}

fn restyle(
    document: &Document,
    citations: &Citations,
    bibliography: &mut Bibliography,
    name: &str,
    cite: &dyn Fn(&BTreeSet<usize>) -> String,
) -> Result<String, Overlap> {
    let (mut edits, mut lines): (Vec<Edit>, Vec<Edit>) = (Vec::new(), Vec::new());
    let mut cited: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    let mut kept: BTreeSet<EntryId> = BTreeSet::new();
    for marker in &citations.markers {
        match entries(citations, marker) {
            Some(ids) => {
                let mut numbers = BTreeSet::new();
                for id in ids {
                    let entry = &citations.lists[id.list as usize].entries[id.entry as usize];
                    numbers.insert(bibliography.number(name, id, entry));
                    cited.entry(id.list).or_default().insert(id.entry);
                }
                edits.push(Edit::new(marker.span, cite(&numbers), Cause::Renumbered));
            }
            None => kept.extend(marker.targets.iter().filter_map(|target| match target {
                Target::Entry(id) => Some(*id),
                _ => None,
            })),
        }
    }
    for (l, of_list) in cited {
        let list = &citations.lists[l as usize];
        let stays = |e: &u32| !of_list.contains(e) || kept.contains(&EntryId { list: l, entry: *e });
        if (0..list.entries.len() as u32).any(|e| stays(&e)) {
            let gone = (0..list.entries.len() as u32).filter(|e| !stays(e));
            lines.extend(gone.map(|e| cut::of_lines(document.text(), list.entries[e as usize].span)));
        } else {
            lines.extend(list.parts(document).into_iter().map(|part| cut::of_lines(document.text(), part)));
        }
    }
    edits.extend(cut::settle(document, lines));
    apply(document.written(), &edits)
}

/// The entries that a marker cites, when it is nothing but a citation of entries, none of them a footnote.
fn entries(citations: &Citations, marker: &Marker) -> Option<Vec<EntryId>> {
    let entry = |target: &Target| match target {
        Target::Entry(id) => {
            let list = citations.lists.get(id.list as usize)?;
            matches!(list.kind, ListKind::Lines | ListKind::Table | ListKind::Definitions).then_some(*id)
        }
        _ => None,
    };
    let ids: Option<Vec<EntryId>> = marker.targets.iter().map(entry).collect();
    ids.filter(|ids| marker.standalone && !ids.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::structure::structure;
    use crate::citation::{self, KnownLabels};

    const TEXT: &str = "# T\n\nOne [2]. Two [1, 2].\n\n## Sources\n\n1. A *b* — https://a.example/\n2. B — https://b.example/\n\n## Next\n\nEnd.\n";

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let document = Document::read(text);
        let citations = citation::read(&document, &KnownLabels::default());
        let found = footnotes(&document, &citations).unwrap();
        assert_eq!(found, expected);
        let again = citation::read(&Document::read(found.as_str()), &KnownLabels::default());
        let codes: Vec<_> = structure(&again).iter().map(|finding| finding.code.as_str()).collect();
        let before: Vec<_> = structure(&citations).iter().map(|finding| finding.code.as_str()).collect();
        assert!(codes.iter().all(|code| before.contains(code)), "{codes:?} and {before:?}");
    }

    #[test]
    fn citations_become_footnotes() {
        check(
            TEXT,
            "# T\n\nOne [^cited-1]. Two [^cited-1][^cited-2].\n\n## Next\n\nEnd.\n\n[^cited-1]: B — <https://b.example/>\n[^cited-2]: A b — <https://a.example/>\n",
        );
    }

    #[test]
    fn what_has_no_meaning_stays_and_so_does_what_nothing_cites() {
        check(
            "One [2]. Two [9].\n\n## Sources\n\n1. A — https://a.example/\n2. B — https://b.example/\n",
            "One [^cited-1]. Two [9].\n\n## Sources\n\n1. A — https://a.example/\n\n[^cited-1]: B — <https://b.example/>\n",
        );
        check("Text.[^1]\n\n[^1]: A — https://a.example/\n", "Text.[^1]\n\n[^1]: A — https://a.example/\n");
        check("No citations.\r\n", "No citations.\r\n");
    }

    #[test]
    fn many_documents_share_one_bibliography() {
        let mut bibliography = Bibliography::default();
        let mut restyled = |text: &str, name: &str| {
            let document = Document::read(text);
            let citations = citation::read(&document, &KnownLabels::default());
            into_bibliography(&document, &citations, &mut bibliography, name, "../bibliography.md").unwrap()
        };
        let one = restyled(
            "One [1].\n\n## Sources\n\n1. A — https://a.example/\n2. B — https://b.example/\n\nSee [2].\n",
            "a.md",
        );
        assert!(one.starts_with("One [\\[1\\]](../bibliography.md#cited-1).\n"), "{one}");
        let two = restyled(
            "Two [1, 2].\n\n## Sources\n\n1. C — https://c.example/\n2. B again — https://www.b.example\n",
            "b.md",
        );
        assert!(
            two.starts_with("Two [\\[2\\]](../bibliography.md#cited-2) [\\[3\\]](../bibliography.md#cited-3).\n"),
            "{two}"
        );
        assert_eq!(
            bibliography.page("Bibliography"),
            "# Bibliography\n\n1. <a id=\"cited-1\"></a>A — <https://a.example/>\n2. <a id=\"cited-2\"></a>B — <https://b.example/>\n3. <a id=\"cited-3\"></a>C — <https://c.example/>\n"
        );
    }
}
