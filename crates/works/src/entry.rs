//! An entry of a source list as it is looked up: its words, and what they surely say.

use schemars::JsonSchema;
use serde::Serialize;

use super::fold::unmarked;
use super::kind::Kind;
use super::record::Record;
use super::venue::is_server;
use cited_core::citation::reference::Reference;
use cited_core::source::research::{Field, field, reference_of};
use cited_text::Span;

/// An entry of a source list.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Entry {
    /// The label as written, without brackets.
    pub label: Option<String>,
    /// The key of a bibliography.
    pub key: Option<String>,
    /// The file that it stands in.
    pub file: String,
    /// Its first line, from 1.
    pub line: usize,
    /// Where it stands in the file, in bytes.
    pub span: Span,
    /// What kind of work it names.
    pub kind: Kind,
    /// What it surely says.
    pub read: Reference,
    /// What the page at its address says of itself, where that was read: it is not asked again.
    #[serde(skip)]
    pub page: Option<Record>,
    /// Whether a claim stands on it: then notices about it are asked for, too.
    #[serde(skip)]
    pub of_claim: bool,
}

impl Entry {
    /// Whether an index could have it: a kind that none covers is known by an identifier alone, and never searched for by its title, as
    /// what would be found is another work.
    pub fn is_covered(&self) -> bool {
        let is_kind = !matches!(self.kind, Kind::Uncovered | Kind::Deposit);
        self.kind != Kind::Unlisted && (is_kind || self.read.ids.is_any())
    }

    /// An entry as it is written in Markdown or plain text, without its label.
    pub fn of_words(text: &str) -> Entry {
        let mut read = Reference::parse(text);
        let kind = Kind::of_words(&read);
        // Who publishes a book or a data set is no venue.
        read.container = read.container.filter(|_| !matches!(kind, Kind::Book | Kind::Deposit));
        Entry { kind, read, ..Entry::default() }
    }

    /// An entry with the fields of BibTeX, under whatever names its own format has for them; `plain` gives the words of one as a reader
    /// sees them.
    pub(super) fn of_fields(format: &'static str, kind: &str, fields: &[Field], plain: fn(&str) -> String) -> Entry {
        let mut read = reference_of(fields, plain, unmarked);
        let note = || field(fields, "note").map(|note| unmarked(&plain(note))).filter(|note| is_server(note));
        read.container = read.container.take().or_else(note);
        let names = read.authors.iter().map(|name| name.family.as_str()).take(4);
        let year = read.year.map(|year| year.to_string());
        let parts =
            read.title.as_deref().into_iter().chain(names).chain(read.container.as_deref()).chain(year.as_deref());
        read.words = parts.collect::<Vec<_>>().join(" ");
        let key = field(fields, "key").map(str::to_owned);
        Entry { key, kind: Kind::of_type(format, kind, &read), read, ..Entry::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::Entry;

    #[test]
    fn who_publishes_a_book_or_a_data_set_is_no_venue() {
        for text in [
            "Doe, Jane. *Tides of the far coast*. London: Harrow & Finch, 2019.",
            "DOE Jane, *Tides of the far coast*, 2e éd., Lindos, Harrow, 1966, 2 vol.",
            "DOE, Jane. **Tides of the far coast**. 17. ed. Lindos: Harrow, 1987.",
            "Doe, J. (2019). *Tides of the far coast* (Version V1) [Data set]. Harrow. https://doi.org/10.5555/a",
        ] {
            let read = Entry::of_words(text).read;
            assert_eq!((read.title.as_deref(), read.container), (Some("Tides of the far coast"), None), "{text}");
        }
    }
}
