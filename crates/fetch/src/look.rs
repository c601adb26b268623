//! What was seen on the way from an address to where it led.

use url::Url;

use super::document::Document;
use super::transport::{Answer, Failure};
use cited_core::outcome::Hop;

/// How a look ended.
#[derive(Debug)]
pub enum End {
    /// At an answer.
    Answer(Box<Landing>),
    /// Without one.
    Failure(Failure),
    /// In redirects that go round, or on and on.
    Lost(&'static str),
}

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
    /// How it ended.
    pub end: End,
    /// When it ended.
    pub at: jiff::Timestamp,
}

impl Look {
    /// Whether any redirect was followed.
    pub fn redirected(&self) -> bool {
        self.hops.len() > 1
    }

    /// Status of the last answer.
    pub fn status(&self) -> Option<u16> {
        match &self.end {
            End::Answer(landing) => Some(landing.answer.status),
            _ => None,
        }
    }
}
