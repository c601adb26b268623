//! Tables of words: one format, one loader, and a column that says in which languages a word means what its table says.
//!
//! A word acts only in text of its language: *sin* denies in Spanish and is a noun in English. What language a text is in is
//! decided by [`crate::language`]; here is only what tables are made of. A table is a file of
//!
//! ```text
//! # What it holds, and what its classes mean.
//! # source: where its words come from
//! class <TAB> lang <TAB> words
//! denies <TAB> en,nl <TAB> words with bars between them
//! ```
//!
//! where languages are tags with commas between them, or `*` for signs and names that are the same everywhere. The header
//! names the columns; those that say something else than these three stand beside `lang`. `#` begins a remark.

mod language;
pub mod table;

pub use language::{Language, Languages};
pub use table::{Classes, Meanings, forms, rows};
