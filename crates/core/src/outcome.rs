//! What a fetch of a source gave.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::address::identity::followed_key;
use super::page::Page;
use super::rule::Rule;

/// The state of a source in this run. "Could not ask" and "asked, and the answer was no" are different values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[derive(Default, strum::Display, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Outcome {
    /// The page is there.
    Live,
    /// It moved for good, with its content; the new address is offered.
    Moved,
    /// Proven dead, and an accepted archive copy stands in for it.
    Archived,
    /// Proven gone, and no archive has an accepted copy.
    Dead,
    /// Behind a login, a paywall, a consent wall or a legal block.
    Restricted,
    /// A bot wall stood before it.
    Blocked,
    /// It did not answer in a way that says anything: timeout, reset, 5xx, TLS or DNS failure.
    Unreachable,
    /// It is there, and its text cannot be had.
    Unreadable,
    /// We will not ask: the scheme, address or port is forbidden.
    Refused,
    /// Nobody asked: offline, and neither cache nor bundle has it.
    #[default]
    Unasked,
}

impl Outcome {
    /// Every outcome.
    pub const ALL: &[Outcome] = <Outcome as strum::VariantArray>::VARIANTS;

    /// How much the outcome says for a source that has several: of two, the lesser weight stands. What was read comes
    /// first, what is proven gone last: a claim is removed only when nothing else is known of its source.
    pub fn weight(self) -> u8 {
        use Outcome::{Archived, Blocked, Dead, Live, Moved, Refused, Restricted, Unasked, Unreachable, Unreadable};
        let order = [Live, Moved, Archived, Unreadable, Restricted, Blocked, Unreachable, Unasked, Refused, Dead];
        (0..).step_by(2).zip(order).find(|(_, outcome)| *outcome == self).map_or(u8::MAX, |(weight, _)| weight)
    }

    /// Whether the source is proven gone for good. Nothing else may cost a claim its place.
    pub fn is_proven_dead(self) -> bool {
        self == Outcome::Dead
    }

    /// Whether a text of the source was read, so that claims can be judged by it.
    pub fn is_readable(self) -> bool {
        matches!(self, Outcome::Live | Outcome::Moved | Outcome::Archived)
    }

    /// Whether nothing can be said about the source in this run.
    pub fn is_unknown(self) -> bool {
        !self.is_readable() && !self.is_proven_dead()
    }

    /// The outcome as records and JSON name it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The outcome as a reader sees it, with the name of the rule that decided: a page that answered 404 was asked, whatever its archive did.
    pub fn in_words(self, rule: &str) -> &'static str {
        match self {
            Outcome::Unasked if rule == Rule::ArchiveUnasked.as_str() => "not proven dead",
            Outcome::Unasked => "not asked",
            _ => self.as_str(),
        }
    }
}

/// What became of a published work; as text in words for readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema, strum::Display)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "lowercase")]
pub enum Fate {
    /// It was retracted.
    Retracted,
    /// It was withdrawn.
    Withdrawn,
    /// Its publisher says that there is doubt about it.
    #[strum(to_string = "under an expression of concern")]
    Doubted,
    /// A correction of it was published.
    Corrected,
}

/// One request and its answer on the way to a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Hop {
    /// The address asked.
    pub url: String,
    /// HTTP status; `None` when no answer came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Where a redirect led.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// What went wrong, when no answer came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A memento (RFC 7089) that stands in for a dead source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ArchiveCopy {
    /// Address of the copy for people.
    pub url: String,
    /// When the archive took it.
    pub taken: jiff::Timestamp,
    /// The address that the archive took.
    pub original: String,
}

/// What became of asking an archive to keep a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kept {
    /// It had a copy already.
    Had(ArchiveCopy),
    /// It took one now.
    Taken(ArchiveCopy),
    /// It has none.
    Not {
        /// Why, in words.
        reason: String,
    },
}

/// What asking one of the addresses of a source gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AddressOutcome {
    /// The address.
    pub address: String,
    /// Its state.
    pub outcome: Outcome,
    /// Why, in a few words for a reader.
    pub reason: String,
    /// The HTTP status of the last answer; `None` when none came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
}

/// What is known of one source after asking.
#[derive(Debug, Clone, Default, Serialize, schemars::JsonSchema)]
pub struct Fetched {
    /// The address that was asked and that decided the outcome.
    #[serde(rename = "url")]
    pub address: String,
    /// The state of the source.
    pub outcome: Outcome,
    /// Why, in a few words for a reader: `HTTP 404`, `redirects to the home page`, `timeout`.
    pub reason: String,
    /// The rule that decided.
    #[schemars(with = "String")]
    pub rule: Rule,
    /// The signs that the rule rests on, by their names; empty where it needs none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub signs: Vec<String>,
    /// What became of the other addresses of the source that were asked, in order.
    #[serde(skip)]
    pub others: Vec<AddressOutcome>,
    /// Whether one of them may say what is not read here: it could not be looked at, or its page says some of what is cited, too.
    #[serde(skip)]
    pub may_say_more: bool,
    /// Every request on the way, in order.
    pub hops: Vec<Hop>,
    /// Where the way ended, when it ended at a page.
    pub final_url: Option<String>,
    /// What was read there, or in the archive copy.
    #[serde(skip)]
    pub page: Option<Page>,
    /// The copy that stands in, for [`Outcome::Archived`].
    pub archive: Option<ArchiveCopy>,
    /// When the answer came.
    pub fetched_at: jiff::Timestamp,
    /// How long it took, in milliseconds, waiting for a turn included.
    pub elapsed_ms: u64,
}

/// The HTTP status of the last answer; of what an archive stands in for, that of the page itself.
pub fn status(outcome: Outcome, hops: &[Hop]) -> Option<u16> {
    let mut statuses = hops.iter().rev().filter_map(|hop| hop.status);
    if outcome == Outcome::Archived { statuses.find(|status| *status >= 400) } else { statuses.next() }
}

impl From<&Fetched> for AddressOutcome {
    fn from(fetched: &Fetched) -> Self {
        let Fetched { address, outcome, reason, .. } = fetched;
        AddressOutcome { address: address.clone(), outcome: *outcome, reason: reason.clone(), status: fetched.status() }
    }
}

impl Fetched {
    /// The HTTP status of the last answer; of what an archive stands in for, that of the page itself.
    pub fn status(&self) -> Option<u16> {
        status(self.outcome, &self.hops)
    }

    /// A source that nobody asked.
    pub fn unasked(address: impl Into<String>, reason: impl Into<String>, now: jiff::Timestamp) -> Self {
        let (address, reason) = (address.into(), reason.into());
        Fetched { address, reason, fetched_at: now, ..Fetched::default() }
    }

    /// A source that is there, with what was read at its address.
    pub fn live(address: impl Into<String>, page: Page, now: jiff::Timestamp) -> Self {
        let address = address.into();
        Fetched {
            outcome: Outcome::Live,
            rule: Rule::Live,
            final_url: Some(address.clone()),
            page: Some(page),
            ..Fetched::unasked(address, "is there", now)
        }
    }

    /// A source that is gone for sure, and why. What may only be hidden is [unasked](Fetched::unasked).
    pub fn dead(address: impl Into<String>, reason: impl Into<String>, now: jiff::Timestamp) -> Self {
        Fetched { outcome: Outcome::Dead, rule: Rule::HttpGone, ..Fetched::unasked(address, reason, now) }
    }

    /// What asking one of the addresses of the source gave; `None` where it was not asked.
    pub fn at(&self, address: &str) -> Option<Cow<'_, Fetched>> {
        // A copy in an archive has an outcome of its own, unless it stands in.
        let key = followed_key(address);
        let is_own =
            followed_key(&self.address) == key || self.archive.as_ref().is_some_and(|copy| copy.url == address);
        let with = |is_it: &dyn Fn(&str) -> bool| self.others.iter().find(|other| is_it(&other.address));
        let other = with(&|other| other == address).or_else(|| with(&|other| !is_own && followed_key(other) == key));
        let Some(other) = other.filter(|_| !self.rule.is_of_a_work()) else {
            return (is_own || self.rule.is_of_a_work()).then_some(Cow::Borrowed(self));
        };
        let AddressOutcome { address, outcome, reason, status } = other.clone();
        let hops = vec![Hop { url: address.clone(), status, location: None, error: None }];
        Some(Cow::Owned(Fetched { outcome, hops, ..Fetched::unasked(address, reason, self.fetched_at) }))
    }

    /// [`Outcome::weight`], with a page about something else behind those that are the right one: it may be another
    /// address of the source that has what was cited.
    pub fn weight(&self) -> u8 {
        if self.is_off_topic() { Outcome::Archived.weight() + 1 } else { self.outcome.weight() }
    }

    /// Whether it stands before another answer for the same source. Of two that say nothing of the source the first stays: what became of
    /// another address is no reason beside it.
    pub fn stands_before(&self, other: &Fetched) -> bool {
        self.weight() <= other.weight() || self.outcome.is_unknown() && other.outcome.is_unknown()
    }

    /// The outcome as a reader sees it.
    pub fn in_words(&self) -> &'static str {
        self.outcome.in_words(self.rule.as_str())
    }

    /// Whether the page is there and about something else than what is said with it.
    pub fn is_off_topic(&self) -> bool {
        self.rule == Rule::OffTopic
    }
}

#[cfg(test)]
mod tests {
    use super::{Fetched, Outcome, Rule};

    #[test]
    fn each_address_has_what_asking_it_gave() {
        let now = jiff::Timestamp::UNIX_EPOCH;
        let gone = Fetched::dead("https://a.example/x.pdf", "HTTP 404", now);
        let copy = "https://web.archive.org/web/20240101000000/https://a.example/x";
        let live = Fetched { outcome: Outcome::Live, ..Fetched::unasked("https://a.example/x", "", now) };
        let mut source = Fetched { others: vec![(&gone).into()], ..live };
        let outcome = |source: &Fetched, address| source.at(address).map(|answer| answer.outcome);
        assert_eq!(outcome(&source, "https://www.a.example/x?utm_source=b"), Some(Outcome::Live));
        assert_eq!(outcome(&source, "http://a.example/x.pdf"), Some(Outcome::Dead));
        // What was not asked has none: no copy in an archive is there because its page is.
        assert_eq!([outcome(&source, copy), outcome(&source, "https://b.example/")], [None, None]);
        source.rule = Rule::WorkElsewhere;
        assert_eq!(outcome(&source, "https://a.example/x.pdf"), Some(Outcome::Live), "the work is there");
    }

    /// Outcomes from the one that stands for all to the one that stands for none other.
    #[test]
    fn what_is_proven_gone_stands_for_nothing_else() {
        let fetched =
            |outcome, rule| Fetched { outcome, rule, ..Fetched::unasked("", "", jiff::Timestamp::UNIX_EPOCH) };
        let mut all: Vec<Fetched> = Outcome::ALL.iter().map(|outcome| fetched(*outcome, Rule::Live)).collect();
        all.push(fetched(Outcome::Live, Rule::OffTopic));
        all.sort_by_key(Fetched::weight);
        let shown = |fetched: &Fetched| if fetched.is_off_topic() { "off-topic" } else { fetched.outcome.as_str() };
        let order: Vec<&str> = all.iter().map(shown).collect();
        assert_eq!(
            order.join(", "),
            "live, moved, archived, off-topic, unreadable, restricted, blocked, unreachable, unasked, refused, dead"
        );
        for readable in [false, true] {
            let weights = Outcome::ALL.iter().filter(|outcome| outcome.is_readable() == readable);
            assert!(weights.into_iter().all(|outcome| (outcome.weight() < 5) == readable));
        }
    }
}
