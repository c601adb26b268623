//! What was seen on the way from an address to where it led.

use url::Url;

use super::document::Document;
use super::transport::{Answer, Failure};
use cited_core::outcome::Hop;

/// Where the way ended.
#[derive(Debug)]
pub struct Landing {
    /// The answer without its body, which is read.
    pub answer: Answer,
    /// What was read in it.
    pub document: Document,
}

/// A way from an address to where it led.
#[derive(Debug)]
pub struct Look {
    /// Every request, in order.
    pub hops: Vec<Hop>,
    /// The last address asked.
    pub final_url: Url,
    /// Whether there was a redirect and all were permanent.
    pub permanent: bool,
    /// The answer where it ended, or why there is none.
    pub end: Result<Box<Landing>, Failure>,
    /// When it ended.
    pub at: jiff::Timestamp,
}

impl Look {
    /// Whether any redirect was followed.
    pub fn redirected(&self) -> bool {
        self.hops.len() > 1
    }
}
