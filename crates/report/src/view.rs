//! A document as cited sees it: claims, markers, source lists. For people who wonder why something was read the way it was.

use serde::Serialize;

use super::findings::Text;
use super::html::Tone;
use super::sheet::{self, Part, Sheet};
use super::wording::word_of;
use cited_core::citation::{Citations, Entry, EntryId, Marker, Placement, SourceList, Target};
use cited_core::claim::{Claim, ClaimId};
use cited_text::Span;
use cited_text::lines::Position;

/// The version of the view's shape.
pub const SCHEMA: &str = "cited/view/2";

/// A document as cited sees it.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct View<'a> {
    schema: &'static str,
    document: &'a str,
    placement: Placement,
    claims: Vec<Placed<'a, Claim>>,
    markers: Vec<Placed<'a, Marker>>,
    lists: Vec<Placed<'a, SourceList>>,
}

/// A thing of a document, and where it begins.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
struct Placed<'a, T> {
    /// Of a claim its name in the record.
    id: Option<String>,
    line: usize,
    column: usize,
    #[serde(flatten)]
    what: &'a T,
}

/// What was read of `text`.
pub fn view<'a>(text: &'a Text<'a>, citations: &'a Citations, claims: &'a [Claim]) -> View<'a> {
    let claims = claims.iter().enumerate();
    let claims = claims.map(|(i, claim)| Placed::new(text, claim.span, Some(ClaimId(i as u32).to_string()), claim));
    let markers = citations.markers.iter().map(|marker| Placed::new(text, marker.span, None, marker));
    let start = |list: &SourceList| list.heading.unwrap_or(list.span);
    let lists = citations.lists.iter().map(|list| Placed::new(text, start(list), None, list));
    View {
        schema: SCHEMA,
        document: text.path,
        placement: citations.placement,
        claims: claims.collect(),
        markers: markers.collect(),
        lists: lists.collect(),
    }
}

impl<'a, T> Placed<'a, T> {
    fn new(text: &Text<'_>, span: Span, id: Option<String>, what: &'a T) -> Self {
        let Position { line, column, .. } = text.position(span.start);
        Placed { id, line, column, what }
    }

    /// It for people: `bracket 3:17: words`.
    fn entry(&self, what: &str, id: &str, text: impl Into<String>) -> sheet::Entry {
        let place = format!("{}:{}", self.line, self.column);
        sheet::Entry::new((Tone::Neutral, what), format!("{place} {id}").trim_end(), text)
    }
}

impl View<'_> {
    /// The view of `text` for people. With ANSI sequences, which whoever prints it strips where they are not wanted.
    pub fn for_people(&self, text: &Text<'_>) -> String {
        let written = |marker: &Placed<'_, Marker>| marker.what.span.slice(text.content);
        let claims = self.claims.iter().map(|claim| {
            let cited = claim.what.markers.iter().filter_map(|id| self.markers.get(id.0 as usize));
            let cited: Vec<&str> = cited.map(written).collect();
            let id = claim.id.as_deref().unwrap_or_default();
            let entry = claim.entry(&word_of(claim.what.kind), id, claim.what.text_in_context());
            sheet::Entry { place: cited.join(" "), ..entry }
        });
        // A title may be longer than what a line shows.
        let address = |entry: &Entry| entry.addresses.first().cloned().unwrap_or_else(|| "(no address)".to_owned());
        let name = |entry: &Entry| format!("{} {}", address(entry), entry.title);
        let name_target = |target: &Target| match target {
            Target::Entry(EntryId { list, entry }) => {
                let list = self.lists.get(*list as usize);
                list.and_then(|list| list.what.entries.get(*entry as usize)).map(name).unwrap_or_default()
            }
            Target::Label(label) => format!("{label} (no entry here)"),
            Target::Address(address) => address.clone(),
        };
        let markers = self.markers.iter().map(|marker| {
            let targets: Vec<String> = marker.what.targets.iter().map(name_target).collect();
            marker.entry(marker.what.form.into(), "", format!("{} -> {}", written(marker), targets.join("; ")))
        });
        let lists = self.lists.iter().map(|list| {
            let title = list.what.title.as_deref().unwrap_or("no heading");
            let entries = list.what.entries.iter().map(|entry| {
                let label = entry.label.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string);
                Placed::new(text, entry.span, None, entry).entry(&format!("[{label}]"), "", name(entry))
            });
            (format!("list at line {}: {title}", list.line), entries.collect())
        });
        let groups = [("claims".to_owned(), claims.collect()), ("markers".to_owned(), markers.collect())];
        let parts = vec![Part::new("document", "Document", groups.into_iter().chain(lists).collect())];
        Sheet { parts, ..Sheet::default() }.text()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::Texts;
    use cited_core::citation::{self, KnownLabels};
    use cited_core::claim;
    use cited_core::input::Input;
    use cited_core::markdown::Document;

    #[test]
    fn a_view_names_claims_markers_and_entries() {
        let text = "Beta runs 640 stations [1].\n\n## Sources\n\n1. Beta study — https://beta.example/study\n";
        let draft = Input { path: "d.md".into(), text: text.into() };
        let document = Document::read(text);
        let citations = citation::read(&document, &KnownLabels::default());
        let claims = claim::split(&document, &citations);
        let texts = Texts::new(&draft, &[]);
        let view = view(texts.document(), &citations, &claims);
        let value = serde_json::to_value(&view).unwrap();
        assert_eq!(value["claims"][0]["text"], "Beta runs 640 stations.");
        assert_eq!(value["claims"][0]["id"], "c1");
        assert_eq!(value["claims"][0]["markers"], serde_json::json!([0]));
        assert_eq!((&value["markers"][0]["line"], &value["markers"][0]["column"]), (&1.into(), &24.into()));
        assert_eq!(value["markers"][0]["targets"], serde_json::json!([{"entry": {"list": 0, "entry": 0}}]));
        assert_eq!(value["lists"][0]["entries"][0]["title"], "Beta study");
        assert!(view.for_people(texts.document()).contains("[1] -> https://beta.example/study Beta study"));
    }
}
