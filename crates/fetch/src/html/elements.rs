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

/// Parts of class and id names of a page's furniture.
static FURNITURE: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| table::words(include_str!("data/furniture.tsv"), "").collect());

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

/// Whether a class or id names a page's furniture.
pub fn names_furniture(value: &str) -> bool {
    let mut word = String::new();
    for c in value.chars().take(400).chain(std::iter::once(' ')) {
        let starts_word = c.is_ascii_uppercase() && word.ends_with(|last: char| last.is_ascii_lowercase());
        if c.is_ascii_alphanumeric() && !starts_word {
            word.push(c);
            continue;
        }
        word.make_ascii_lowercase();
        if FURNITURE.contains(word.as_str()) {
            return true;
        }
        word.clear();
        if c.is_ascii_alphanumeric() {
            word.push(c);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::names_furniture;

    #[test]
    fn names_of_furniture() {
        for name in ["nav", "site-nav", "mainNav", "footer_links", "c1 sidebar c2", "cookieConsent"] {
            assert!(names_furniture(name), "{name}");
        }
        for name in ["navy", "content", "canvas", "article-body", "shared-values", "commentary"] {
            assert!(!names_furniture(name), "{name}");
        }
    }
}
