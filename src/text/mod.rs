//! Text below Markdown: spans, normalisation with a way back, sentences, quantities, quotations, words.
//!
//! Nothing here knows of documents, sources or the network.

pub mod escape;
pub mod lines;
pub mod script;
pub mod span;

pub use span::Span;
