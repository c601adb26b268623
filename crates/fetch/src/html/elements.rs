//! What HTML's elements and names mean for the text of a page.

use std::collections::HashSet;
use std::sync::LazyLock;

use cited_text::lexicon::table;

/// One element.
#[derive(Debug)]
pub struct Element {
    /// Its name.
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

/// Elements by name: `b` starts and ends a block, `k` is kept, `s` is silent, `f` is furniture (HTML standard, sections 4
/// and 15.3; furniture by the meaning that section 4.3 gives).
const ELEMENTS: [(&str, &str); 48] = [
    ("address", "bk"),
    ("article", "bk"),
    ("aside", "bkf"),
    ("blockquote", "b"),
    ("body", "bk"),
    ("button", "kf"),
    ("caption", "b"),
    ("center", "b"),
    ("dd", "b"),
    ("details", "bk"),
    ("dialog", "bkf"),
    ("div", "bk"),
    ("dl", "bk"),
    ("dt", "b"),
    ("fieldset", "b"),
    ("figcaption", "b"),
    ("figure", "bk"),
    ("footer", "bkf"),
    ("form", "bk"),
    ("h1", "bk"),
    ("h2", "b"),
    ("h3", "b"),
    ("h4", "b"),
    ("h5", "b"),
    ("h6", "b"),
    ("head", "ks"),
    ("header", "bk"),
    ("hr", "b"),
    ("li", "b"),
    ("main", "bk"),
    ("nav", "bkf"),
    ("ol", "bk"),
    ("option", "b"),
    ("p", "b"),
    ("pre", "b"),
    ("section", "bk"),
    ("select", "kf"),
    ("summary", "b"),
    ("svg", "ks"),
    ("table", "bk"),
    ("tbody", "b"),
    ("template", "ks"),
    ("tfoot", "b"),
    ("thead", "b"),
    ("tr", "b"),
    ("ul", "bk"),
    ("video", "b"),
    ("audio", "b"),
];

/// Parts of class and id names of a page's furniture.
static FURNITURE: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| table::words(include_str!("data/furniture.tsv"), "").collect());

/// Roles of a page's furniture (WAI-ARIA landmarks).
pub const FURNITURE_ROLES: [&str; 6] = ["navigation", "contentinfo", "banner", "search", "complementary", "dialog"];

static BY_LETTER: LazyLock<[Vec<Element>; 26]> = LazyLock::new(|| {
    let mut letters: [Vec<Element>; 26] = std::array::from_fn(|_| Vec::new());
    for (name, marks) in ELEMENTS {
        let element = Element {
            name: name.as_bytes(),
            block: marks.contains('b'),
            kept: marks.contains('k'),
            silent: marks.contains('s'),
            furniture: marks.contains('f'),
        };
        if let Some(slot) = slot_of(element.name).and_then(|slot| letters.get_mut(slot)) {
            slot.push(element);
        }
    }
    letters
});

fn slot_of(name: &[u8]) -> Option<usize> {
    name.first().filter(|letter| letter.is_ascii_lowercase()).map(|letter| usize::from(letter - b'a'))
}

/// The element of a lower-case name, if it means anything here.
pub fn element(name: &[u8]) -> Option<&'static Element> {
    BY_LETTER.get(slot_of(name)?)?.iter().find(|element| element.name == name)
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
