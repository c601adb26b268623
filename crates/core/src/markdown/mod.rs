//! Markdown as spans: blocks and inlines of a draft with their places in the bytes. Never writes Markdown.

pub mod document;
mod pandoc;
pub mod parts;
pub mod rendered;
pub mod tags;

pub use document::Document;
pub use parts::{
    Block, BlockId, BlockKind, Definition, Emphasis, Inline, InlineKind, Link, LinkId, LinkStyle, parser_options,
};
pub use rendered::Rendered;

/// Endings of Markdown files.
pub const ENDINGS: [&str; 5] = ["md", "markdown", "mdown", "mkd", "mdx"];

/// Whether a path, or that of an address, is of Markdown by its ending.
pub fn is_markdown(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// A comment that shows nothing, written where two blocks would be read as one, or a heading and what stands below it as
/// a source list.
pub(crate) const SEPARATOR: &str = "<!-- -->";
