//! cited checks that the sources of a document say what it says they say, and repairs its citations.

pub mod address;
pub mod audit;
pub mod check;
pub mod citation;
pub mod claim;
pub mod cli;
pub mod commands;
pub mod decide;
pub mod error;
pub mod evidence;
pub mod fetch;
pub mod finding;
pub mod gate;
mod input;
pub mod judge;
mod leftovers;
pub mod lexicon;
pub mod markdown;
pub mod pipeline;
pub mod quantity;
pub mod quotation;
pub mod render;
#[cfg(feature = "tools")]
pub mod serve;
pub mod setup;
mod shares;
pub mod source;
pub mod store;
pub mod text;

pub use error::{Error, Result};
