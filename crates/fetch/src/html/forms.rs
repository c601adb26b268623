//! What the forms of a page are for, as far as a wall has to be told from a page with a form.

use super::parts::Tag;

/// Attributes that say what a part of a form is.
const NAMES: [&str; 4] = ["action", "id", "class", "name"];

/// Bytes of names that are kept, of a form and of a page.
const LIMIT: usize = 4096;

/// Kinds of fields into which something is written or given that is for the site: who fills them in has read the page.
const WRITTEN: [&str; 5] = ["email", "password", "tel", "file", "search"];

/// The forms of a page.
#[derive(Default)]
pub(super) struct Forms {
    all: String,
    /// The names in the form that is open.
    open: Option<String>,
    /// Whether something is written into it: a comment, a login, a subscription.
    written: bool,
}

impl Forms {
    /// A start tag.
    pub(super) fn open(&mut self, tag: &Tag) {
        let name = tag.name.as_slice();
        if name == b"form" {
            self.close();
            self.open = Some(String::new());
        }
        let Some(names) = &mut self.open else { return };
        let kind = tag.text("type");
        self.written |= name == b"textarea"
            || name == b"input" && kind.is_some_and(|kind| WRITTEN.contains(&kind.to_ascii_lowercase().as_str()));
        for value in NAMES.iter().filter_map(|name| tag.text(name)) {
            if names.len() + value.len() < LIMIT {
                names.push_str(&value);
                names.push('\n');
            }
        }
    }

    /// The end of a form.
    pub(super) fn close(&mut self) {
        let written = std::mem::take(&mut self.written);
        if let Some(names) = self.open.take()
            && !written
            && self.all.len() + names.len() < LIMIT
        {
            self.all.push_str(&names);
        }
    }

    /// The end of the page.
    pub(super) fn finish(&mut self) -> String {
        self.close();
        std::mem::take(&mut self.all)
    }
}
