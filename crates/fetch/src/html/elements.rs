//! What HTML's elements and names mean for the text of a page.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use cited_text::lexicon::table;

/// One element.
#[derive(Debug)]
pub struct Element {
    pub name: &'static [u8],
    /// Whether it starts and ends a block of text.
    pub block: bool,
    /// Whether what is inside depends on it, so that it is kept on the stack.
    pub kept: bool,
    /// Whether its text is never shown.
    pub silent: bool,
    /// Whether it stands around the content.
    pub furniture: bool,
}

/// Roles of a page's furniture (WAI-ARIA landmarks).
pub const FURNITURE_ROLES: [&str; 6] = ["navigation", "contentinfo", "banner", "search", "complementary", "dialog"];

/// Elements by name; what has none means nothing here.
static ELEMENTS: LazyLock<HashMap<&[u8], Element>> = LazyLock::new(|| {
    let rows = table::rows(include_str!("data/elements.tsv"));
    let meaning = |name: &'static str, marks: &str| {
        let is = |mark: &str| marks.split(' ').any(|own| own == mark);
        let name = name.as_bytes();
        Element { name, block: is("block"), kept: is("kept"), silent: is("silent"), furniture: is("furniture") }
    };
    let elements = rows.flat_map(|row| row.forms().map(move |name| meaning(name, row.class)));
    elements.map(|element| (element.name, element)).collect()
});

/// The element of a lower-case name, if it means anything here.
pub fn element(name: &[u8]) -> Option<&'static Element> {
    ELEMENTS.get(name)
}

/// Attributes that anything here looks at.
static ATTRIBUTES: LazyLock<HashSet<&'static [u8]>> =
    LazyLock::new(|| table::words(include_str!("data/attributes.tsv"), "").map(str::as_bytes).collect());

/// The attribute of a lower-case name, if anything here looks at it.
pub fn attribute(name: &[u8]) -> Option<&'static [u8]> {
    ATTRIBUTES.get(name).copied()
}
