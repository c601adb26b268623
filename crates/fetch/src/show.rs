//! What is known of one address as one line of data: `cited show URL... --format json`.

use serde::Serialize;

use cited_core::outcome::{ArchiveCopy, Fetched, Hop, Outcome};

/// One address as seen in this run. Serialises to the object that `cited show` prints, one a line.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Shown<'a> {
    /// The address as asked for.
    pub url: &'a str,
    /// The state of the source.
    pub outcome: Outcome,
    /// Why, in words; empty for a page that is simply there.
    pub reason: &'a str,
    /// The rule that decided.
    pub rule: &'a str,
    /// The signs that the rule rests on.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub signs: &'a [String],
    /// Every request on the way.
    pub hops: &'a [Hop],
    /// Where the way ended.
    pub final_url: Option<&'a str>,
    /// Title of the page.
    pub title: Option<&'a str>,
    /// The copy that stands in.
    pub archive: Option<&'a ArchiveCopy>,
    /// SHA-256 of the text; none when the text was not read to its end because only the state mattered.
    pub text_sha256: Option<&'a str>,
    /// Milliseconds, waiting for a turn included.
    pub elapsed_ms: u64,
}

impl<'a> Shown<'a> {
    /// The line for a fetched source.
    pub fn new(fetched: &'a Fetched) -> Self {
        Shown {
            url: &fetched.address,
            outcome: fetched.outcome,
            reason: &fetched.reason,
            rule: fetched.rule.as_str(),
            signs: &fetched.signs,
            hops: &fetched.hops,
            final_url: fetched.final_url.as_deref(),
            title: fetched.page.as_ref().and_then(|page| page.title.as_deref()),
            archive: fetched.archive.as_ref(),
            text_sha256: fetched.page.as_ref().map(|page| page.text_sha256.as_str()).filter(|hash| !hash.is_empty()),
            elapsed_ms: fetched.elapsed_ms,
        }
    }
}
