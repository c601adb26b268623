//! Addresses: where one stands in text, and when two of them mean one source.
//!
//! Nothing here knows of documents, or asks the network.

pub mod identity;
pub mod in_text;
pub mod stamp;
#[cfg(test)]
mod tests;

pub use identity::{Key, better_address, key_of};

/// Whether this is an address of the web.
pub fn is_web(address: &str) -> bool {
    address.starts_with("http://") || address.starts_with("https://")
}
