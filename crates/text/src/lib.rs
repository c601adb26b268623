//! Text below Markdown: spans, normalisation with a way back, sentences, words.
//!
//! Nothing here knows of documents, sources or the network.

pub mod ascii;
pub mod escape;
pub mod fold;
pub mod language;
pub mod layout;
pub mod lexicon;
pub mod lines;
pub mod marks;
pub mod quantity;
pub mod quotation;
pub mod script;
pub mod sentence;
pub mod span;
pub mod words;

pub use span::{Span, Spans};
