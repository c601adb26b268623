//! A document as cited sees it: claims, markers, source lists. For people who wonder why something was read the way it was.

use std::fmt::Write as _;

use owo_colors::OwoColorize as _;
use serde::Serialize;

use super::findings::Text;
use super::wording::{cut, word_of};
use cited_core::citation::{Citations, Entry, EntryId, Marker, Placement, SourceList, Target};
use cited_core::claim::{Claim, ClaimId};
use cited_text::Span;
use cited_text::lines::Position;

/// The version of the view's shape.
pub const SCHEMA: &str = "cited/view/2";

/// Characters of a claim that are shown in a line of text.
const CLAIM_SHOWN: usize = 72;

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
    #[serde(skip_serializing_if = "Option::is_none")]
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

    /// `3:17`.
    fn place(&self) -> String {
        format!("{}:{}", self.line, self.column)
    }
}

impl View<'_> {
    /// The view of `text` for people. With ANSI sequences, which whoever prints it strips where they are not wanted.
    pub fn for_people(&self, text: &Text<'_>) -> String {
        let mut out = String::new();
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{}", format!("{} claims", self.claims.len()).bold());
        for claim in &self.claims {
            let Claim { kind, position, markers, .. } = claim.what;
            let (kind, position): (_, &str) = (word_of(kind), (*position).into());
            let written = markers.iter().filter_map(|id| self.markers.get(id.0 as usize));
            let cited: Vec<&str> = written.map(|marker| marker.what.span.slice(text.content)).collect();
            let cited = if cited.is_empty() { "-".to_owned() } else { cut(&cited.join(" "), 40) };
            let (place, id) = (claim.place(), claim.id.as_deref().unwrap_or_default());
            let words = cut(&claim.what.text_in_context(), CLAIM_SHOWN);
            let _ = writeln!(out, "  {place:<8} {id:<5} {kind:<13} {position:<9} {cited:<10} {words}");
        }
        let placement = if self.placement == Placement::BeforeStop { "before the stop" } else { "after the stop" };
        let _ = writeln!(out, "\n{}", format!("{} markers, {placement}", self.markers.len()).bold());
        let address = |entry: &Entry| entry.addresses.first().cloned().unwrap_or_default();
        let name = |entry: &Entry| if entry.title.is_empty() { address(entry) } else { entry.title.clone() };
        let name_target = |target: &Target| match target {
            Target::Entry(EntryId { list, entry }) => {
                let list = self.lists.get(*list as usize);
                list.and_then(|list| list.what.entries.get(*entry as usize)).map(name).unwrap_or_default()
            }
            Target::Label(label) => format!("{label} (no entry here)"),
            Target::Address(address) => address.clone(),
        };
        for marker in &self.markers {
            let form: &str = marker.what.form.into();
            let targets: Vec<String> = marker.what.targets.iter().map(name_target).collect();
            let (written, targets) = (marker.what.span.slice(text.content), targets.join("; "));
            let _ = writeln!(out, "  {:<8} {form:<14} {} -> {}", marker.place(), cut(written, 60), cut(&targets, 200));
        }
        for list in &self.lists {
            let (title, entries) = (list.what.title.as_deref().unwrap_or("(no heading)"), &list.what.entries);
            let head = format!("list at line {}: {}, {} entries", list.line, cut(title, 60), entries.len());
            let _ = writeln!(out, "\n{}", head.bold());
            for Entry { label, span, title, addresses, .. } in entries {
                let line = text.position(span.start).line;
                let label = label.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string);
                let address = addresses.first().map_or("(no address)", String::as_str);
                let _ = writeln!(out, "  {line:<8} [{label}] {} — {}", cut(title, 80), cut(address, 200));
            }
        }
        out
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
        assert!(view.for_people(texts.document()).contains("[1] -> Beta study"));
    }
}
