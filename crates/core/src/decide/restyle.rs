//! The citations of a whole document in another form: as footnotes, or as links into one bibliography of many documents.
//!
//! Only brackets whose every member has an entry change. What nothing gives a meaning stays as it is, and so does an entry
//! that nothing cites.

use std::collections::{BTreeSet, HashMap};

use super::cut;
use super::edit::{Cause, Edit, Overlap, apply};
use crate::address::identity::{Key, key_of};
use crate::citation::{Citations, Entry, EntryId, ListKind, Target};
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

/// The document with its numeric citations as footnotes, defined at its end, or as links to `page`, where all `sources` will stand; its own
/// lists go as far as they are cited. `name` is the document's own, unique among those of one bibliography.
///
/// # Errors
/// When two edits want the same bytes: a fault of the reader.
pub fn restyle(
    document: &Document,
    citations: &Citations,
    sources: &mut Bibliography,
    name: &str,
    page: Option<&str>,
) -> Result<String, Overlap> {
    let (mut edits, mut lines, text) = (Vec::new(), Vec::new(), document.text());
    let (mut cited, mut kept) = (BTreeSet::new(), BTreeSet::new());
    for marker in &citations.markers {
        let ids = marker.targets.iter().filter_map(|target| match target {
            Target::Entry(id) => Some(*id),
            _ => None,
        });
        let ids: Vec<EntryId> = ids.collect();
        let kind = |id: &EntryId| citations.lists.get(id.list as usize).map(|list| list.kind);
        let is_listed = |id: &EntryId| kind(id).is_some_and(|kind| kind != ListKind::Footnotes);
        if !marker.standalone || ids.is_empty() || ids.len() < marker.targets.len() || !ids.iter().all(is_listed) {
            kept.extend(ids);
            continue;
        }
        let entries = ids.iter().filter_map(|id| Some((*id, citations.entry(*id)?)));
        let numbers: BTreeSet<usize> = entries.map(|(id, entry)| sources.number(name, id, entry)).collect();
        let written = numbers.iter().map(|number| match page {
            Some(page) => format!("[\\[{number}\\]]({page}#{LABEL}{number})"),
            None => format!("[^{LABEL}{number}]"),
        });
        let between = if page.is_some() { " " } else { "" };
        edits.push(Edit::new(marker.span, written.collect::<Vec<_>>().join(between), Cause::Renumbered));
        cited.extend(ids);
    }
    for (list, l) in citations.lists.iter().zip(0..) {
        let goes = |id: EntryId| cited.contains(&id) && !kept.contains(&id);
        let (gone, stay): (Vec<_>, Vec<_>) =
            list.entries.iter().zip(0..).partition(|(_, e)| goes(EntryId { list: l, entry: *e }));
        let entries = || gone.iter().map(|(entry, _)| entry.span).collect();
        let parts = if stay.is_empty() && !gone.is_empty() { list.parts(document) } else { entries() };
        lines.extend(parts.into_iter().map(|part| cut::of_lines(text, part)));
    }
    edits.extend(cut::settle(document, lines));
    let mut out = apply(document.written(), &edits)?;
    if page.is_none() && !sources.is_empty() {
        let eol = document.line_end();
        out.truncate(out.trim_end().len());
        out += &eol.repeat(2);
        let notes = sources.sources.iter().zip(1..);
        out.extend(notes.map(|((title, address), n)| format!("[^{LABEL}{n}]: {}{eol}", shown(title, address))));
    }
    Ok(out)
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
        let found = restyle(&document, &citations, &mut Bibliography::default(), "", None).unwrap();
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
            restyle(&document, &citations, &mut bibliography, name, Some("../bibliography.md")).unwrap()
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
