//! arXiv: <https://info.arxiv.org/help/api/user-manual.html>.

use crate::fold::unmarked;
use crate::record::Record;
use cited_core::citation::reference::{Ids, Name, clean_doi, year_in};
use cited_core::pattern::Pattern;

/// The feeds of the service are of one simple form, which two patterns read.
pub(super) fn read(body: &str) -> Option<Vec<Record>> {
    static ENTRY: Pattern = Pattern::new(r"(?s)<entry>(.*?)</entry>");
    let whole = body.contains("<feed") && body.trim_end().ends_with("</feed>");
    whole.then(|| ENTRY.captures_iter(body).filter_map(|entry| record(&entry[1])).collect())
}

fn record(entry: &str) -> Option<Record> {
    static PART: Pattern = Pattern::new(
        r"(?s)<(?:arxiv:)?(id|title|name|summary|published|updated|comment|doi|journal_ref)\b[^>]*>(.*?)</",
    );
    let parts: Vec<(String, String)> =
        PART.captures_iter(entry).map(|part| (part[1].to_owned(), unmarked(&part[2]))).collect();
    let all = |name: &'static str| parts.iter().filter(move |(own, _)| own == name).map(|(_, value)| value.clone());
    let arxiv = Ids::in_text(&all("id").next()?).arxiv?;
    Some(Record {
        by: "arxiv",
        titles: all("title").collect(),
        authors: all("name").map(|name| Name::read(&name)).collect(),
        years: all("published").chain(all("updated")).filter_map(|date| year_in(&date)).collect(),
        venues: vec!["arXiv".to_owned()],
        kind: "preprint".to_owned(),
        is_preprint: true,
        others: all("doi").map(|doi| clean_doi(&doi)).collect(),
        comment: all("comment").chain(all("journal_ref")).collect::<Vec<_>>().join("; "),
        summary: all("summary").next(),
        ids: Ids { arxiv: Some(arxiv), ..Ids::default() },
        ..Record::default()
    })
}
