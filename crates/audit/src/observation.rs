//! What one check of a source gave, as far as the audit remembers it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::compare::Compared;
use cited_core::outcome::{ArchiveCopy, Fetched, Outcome};
use cited_core::rule::Rule;
use cited_judge::retracted::Retraction;

/// What a check says of a source's state. An outcome says what one run saw; this says what it proves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[derive(strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Seen {
    /// It is there.
    Good,
    /// It is there, at another address for good.
    Moved,
    /// It is proven gone in this run.
    Gone,
    /// It is proven gone by the status that sites use for what does not come back, 410.
    GoneForGood,
    /// Its host does not exist.
    NoHost,
    /// Its host answered, and the answer says nothing.
    Failing,
    /// Its host did not answer.
    Silent,
    /// A login, a paywall or a bot wall stood before it.
    Walled,
    /// Nobody asked, or would: nothing was learnt.
    #[default]
    Nothing,
}

impl Seen {
    /// What an outcome of a fetch says.
    pub fn from_fetched(fetched: &Fetched) -> Seen {
        match fetched.outcome {
            Outcome::Live | Outcome::Unreadable => Seen::Good,
            Outcome::Moved => Seen::Moved,
            Outcome::Dead | Outcome::Archived => gone(fetched),
            // The page was proven gone; only the archive could not be asked.
            Outcome::Unasked if fetched.rule == Rule::ArchiveUnasked => gone(fetched),
            Outcome::Restricted | Outcome::Blocked => Seen::Walled,
            Outcome::Unreachable if status(fetched).is_none() => Seen::Silent,
            Outcome::Unreachable => Seen::Failing,
            Outcome::Refused | Outcome::Unasked => Seen::Nothing,
        }
    }

    /// Whether it is proof of being gone.
    pub fn is_gone(self) -> bool {
        matches!(self, Seen::Gone | Seen::GoneForGood | Seen::NoHost)
    }

    /// Whether the source is there.
    pub fn is_good(self) -> bool {
        matches!(self, Seen::Good | Seen::Moved)
    }
}

/// 410 is the status for what is gone for good (RFC 9110, 15.5.11). A source is gone without an answer only when its host does not exist.
fn gone(fetched: &Fetched) -> Seen {
    match status(fetched) {
        Some(410) => Seen::GoneForGood,
        None if !fetched.hops.is_empty() => Seen::NoHost,
        _ => Seen::Gone,
    }
}

/// The status of the last answer; none where the last to be asked did not answer.
fn status(fetched: &Fetched) -> Option<u16> {
    fetched.hops.last().and_then(|hop| hop.status)
}

/// One check.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Observation {
    /// When the answer came.
    pub at: Timestamp,
    /// What it says.
    pub seen: Seen,
    /// The outcome of the fetch.
    pub outcome: Outcome,
    /// The rule that decided.
    #[serde(default)]
    pub rule: String,
    /// Why, in words.
    #[serde(default)]
    pub reason: String,
    /// HTTP status of the last answer.
    pub status: Option<u16>,
    /// Where the way ended.
    pub final_url: Option<String>,
    /// Title of the page.
    pub title: Option<String>,
    /// SHA-256 of the page's text, in hexadecimal, when it was read.
    pub text_sha256: Option<String>,
    /// A copy in an archive: one that stands in for the source, or one that was taken of it.
    pub archive: Option<ArchiveCopy>,
    /// What indexes say became of the work, where they were asked and answered.
    pub notices: Option<Vec<Retraction>>,
    /// What became of the pinned passages, and which were pinned now.
    #[serde(default)]
    pub passages: Vec<Compared>,
}

impl Observation {
    /// A check that says only this.
    pub fn new(at: Timestamp, seen: Seen, outcome: Outcome) -> Self {
        Observation { at, seen, outcome, ..Observation::default() }
    }

    /// What a fetch gave, at the time `at`.
    pub fn from_fetched(fetched: &Fetched, at: Timestamp) -> Self {
        let page = fetched.page.as_ref().filter(|_| fetched.outcome != Outcome::Archived);
        Observation {
            rule: fetched.rule.as_str().to_owned(),
            reason: fetched.reason.clone(),
            status: status(fetched),
            final_url: fetched.final_url.clone().filter(|_| Seen::from_fetched(fetched).is_good()),
            title: page.and_then(|page| page.title.clone()),
            text_sha256: page.map(|page| page.text_sha256.clone()).filter(|hash| !hash.is_empty()),
            archive: fetched.archive.clone(),
            ..Observation::new(at, Seen::from_fetched(fetched), fetched.outcome)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cited_core::outcome::Hop;

    #[test]
    fn what_a_fetch_proves() {
        let hop = |status| Hop { url: String::new(), status, location: None, error: None };
        let fetched = |outcome, rule, status| Fetched {
            outcome,
            rule,
            hops: vec![hop(status)],
            ..Fetched::unasked("https://a.example/", "", Timestamp::UNIX_EPOCH)
        };
        for (outcome, rule, status, expected) in [
            (Outcome::Live, Rule::Live, Some(200), Seen::Good),
            (Outcome::Unreadable, Rule::NoText, Some(200), Seen::Good),
            (Outcome::Moved, Rule::Moved, Some(200), Seen::Moved),
            (Outcome::Dead, Rule::HttpGone, Some(404), Seen::Gone),
            (Outcome::Dead, Rule::HttpGone, Some(410), Seen::GoneForGood),
            (Outcome::Dead, Rule::NoSuchHost, None, Seen::NoHost),
            (Outcome::Dead, Rule::Soft404, Some(200), Seen::Gone),
            (Outcome::Archived, Rule::Archived, Some(410), Seen::GoneForGood),
            (Outcome::Archived, Rule::Archived, Some(404), Seen::Gone),
            (Outcome::Unasked, Rule::ArchiveUnasked, Some(404), Seen::Gone),
            (Outcome::Unasked, Rule::Unasked, None, Seen::Nothing),
            (Outcome::Refused, Rule::Refused, None, Seen::Nothing),
            (Outcome::Blocked, Rule::BotWall, Some(403), Seen::Walled),
            (Outcome::Restricted, Rule::LoginWall, Some(200), Seen::Walled),
            (Outcome::Unreachable, Rule::Timeout, None, Seen::Silent),
            (Outcome::Unreachable, Rule::HttpOther, Some(503), Seen::Failing),
        ] {
            assert_eq!(Seen::from_fetched(&fetched(outcome, rule, status)), expected, "{outcome} {rule:?} {status:?}");
        }
    }
}
