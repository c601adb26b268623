//! A document as cited sees it: claims, markers, source lists. For people who wonder why something was read the way it was.

use std::fmt::Write as _;

use owo_colors::OwoColorize as _;
use serde::Serialize;

use super::findings::Text;
use super::wording::{cut, word_of};
use cited_core::address::identity::key_of;
use cited_core::citation::{Citations, Label, Placement, Target};
use cited_core::claim::{Claim, ClaimId, ClaimKind};
use cited_text::Span;
use cited_text::lines::Position;

/// The version of the view's shape.
pub const SCHEMA: &str = "cited/view/1";

/// Characters of a claim that are shown in a line of text.
const CLAIM_SHOWN: usize = 72;

/// A document as cited sees it.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct View {
    schema: &'static str,
    document: String,
    placement: &'static str,
    claims: Vec<SeenClaim>,
    markers: Vec<SeenMarker>,
    lists: Vec<SeenList>,
}

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
struct SeenClaim {
    id: String,
    line: usize,
    column: usize,
    span: Span,
    kind: ClaimKind,
    place: &'static str,
    must_have_source: bool,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<String>,
    /// Positions in `markers`.
    markers: Vec<u32>,
    /// Positions in `markers` of those that speak for it from elsewhere.
    inherited: Vec<u32>,
}

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
struct SeenMarker {
    line: usize,
    column: usize,
    span: Span,
    written: String,
    form: &'static str,
    targets: Vec<SeenTarget>,
}

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
enum SeenTarget {
    /// An entry: position of the list, position in it.
    Entry(u32, u32),
    /// A label of no list of this document.
    Label(Label),
    /// An address.
    Address(String),
}

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
struct SeenList {
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    entries: Vec<SeenEntry>,
}

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
struct SeenEntry {
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<Label>,
    title: String,
    addresses: Vec<String>,
    /// What the source is compared by.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accessed: Option<jiff::civil::Date>,
}

/// What was read of `text`.
pub fn view(text: &Text<'_>, citations: &Citations, claims: &[Claim]) -> View {
    let claims = claims.iter().enumerate().map(|(i, claim)| {
        let Position { line, column, .. } = text.position(claim.span.start);
        SeenClaim {
            id: ClaimId(i as u32).to_string(),
            line,
            column,
            span: claim.span,
            kind: claim.kind,
            place: claim.position.into(),
            must_have_source: claim.kind.must_have_source(),
            text: claim.text.clone(),
            context: claim.context.as_ref().map(ToString::to_string),
            markers: claim.markers.iter().map(|marker| marker.0).collect(),
            inherited: claim.inherited.iter().map(|marker| marker.0).collect(),
        }
    });
    let markers = citations.markers.iter().map(|marker| {
        let Position { line, column, .. } = text.position(marker.span.start);
        let targets = marker.targets.iter().map(|target| match target {
            Target::Entry(entry) => SeenTarget::Entry(entry.list, entry.entry),
            Target::Label(label) => SeenTarget::Label(label.clone()),
            Target::Address(address) => SeenTarget::Address(address.clone()),
        });
        SeenMarker {
            line,
            column,
            span: marker.span,
            written: marker.span.slice(text.content).to_owned(),
            form: marker.form.into(),
            targets: targets.collect(),
        }
    });
    let lists = citations.lists.iter().map(|list| {
        let entries = list.entries.iter().map(|entry| SeenEntry {
            line: text.position(entry.span.start).line,
            label: entry.label.clone(),
            title: entry.title.clone(),
            addresses: entry.addresses.clone(),
            key: entry.addresses.first().map(|address| key_of(address).to_string()),
            accessed: entry.accessed,
        });
        let start = list.heading.unwrap_or(list.span).start;
        SeenList { line: text.position(start).line, title: list.title.clone(), entries: entries.collect() }
    });
    View {
        schema: SCHEMA,
        document: text.path.to_owned(),
        placement: if citations.placement == Placement::BeforeStop { "before the stop" } else { "after the stop" },
        claims: claims.collect(),
        markers: markers.collect(),
        lists: lists.collect(),
    }
}

/// The view for people. With ANSI sequences, which whoever prints it strips where they are not wanted.
pub fn text(view: &View) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{}", format!("{} claims", view.claims.len()).bold());
    for claim in &view.claims {
        let kind = word_of(claim.kind);
        let place = format!("{}:{}", claim.line, claim.column);
        let markers = claim.markers.iter().filter_map(|marker| view.markers.get(*marker as usize));
        let cited: Vec<&str> = markers.map(|marker| &*marker.written).collect();
        let cited = if cited.is_empty() { "-".to_owned() } else { cited.join(" ") };
        let context = claim.context.as_ref().map(|context| format!("{context}: ")).unwrap_or_default();
        let words = cut(&format!("{context}{}", claim.text), CLAIM_SHOWN);
        let id = &claim.id;
        let _ = writeln!(out, "  {place:<8} {id:<5} {kind:<13} {:<9} {:<10} {words}", claim.place, cut(&cited, 40));
    }
    let head = format!("{} markers, {}", view.markers.len(), view.placement);
    let _ = writeln!(out, "\n{}", head.bold());
    for marker in &view.markers {
        let place = format!("{}:{}", marker.line, marker.column);
        let targets: Vec<String> = marker.targets.iter().map(|target| target_text(view, target)).collect();
        let _ = writeln!(
            out,
            "  {place:<8} {:<14} {} -> {}",
            marker.form,
            cut(&marker.written, 60),
            cut(&targets.join("; "), 200)
        );
    }
    for list in &view.lists {
        let title = list.title.as_deref().unwrap_or("(no heading)");
        let head = format!("list at line {}: {}, {} entries", list.line, cut(title, 60), list.entries.len());
        let _ = writeln!(out, "\n{}", head.bold());
        for entry in &list.entries {
            let label = entry.label.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string);
            let address = entry.addresses.first().map_or("(no address)", String::as_str);
            let _ = writeln!(out, "  {:<8} [{label}] {} — {}", entry.line, cut(&entry.title, 80), cut(address, 200));
        }
    }
    out
}

fn target_text(view: &View, target: &SeenTarget) -> String {
    match target {
        SeenTarget::Entry(list, entry) => {
            let entry = view.lists.get(*list as usize).and_then(|list| list.entries.get(*entry as usize));
            entry.map_or_else(String::new, |entry| match (entry.title.as_str(), entry.addresses.first()) {
                ("", Some(address)) => address.clone(),
                (title, _) => title.to_owned(),
            })
        }
        SeenTarget::Label(label) => format!("{label} (no entry here)"),
        SeenTarget::Address(address) => address.clone(),
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
        let view = view(Texts::new(&draft, &[]).document(), &citations, &claims);
        let value = serde_json::to_value(&view).unwrap();
        assert_eq!(value["claims"][0]["text"], "Beta runs 640 stations.");
        assert_eq!(value["claims"][0]["markers"], serde_json::json!([0]));
        assert_eq!(value["markers"][0]["written"], "[1]");
        assert_eq!(value["markers"][0]["targets"], serde_json::json!([{"entry": [0, 0]}]));
        assert_eq!(value["lists"][0]["entries"][0]["title"], "Beta study");
        assert!(super::text(&view).contains("[1] -> Beta study"));
    }
}
