//! The state of a source: what its checks prove together.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::compare::{Compared, Pin, PinState};
use super::observation::{Observation, Seen};
use cited_core::outcome::Fate;
use cited_core::outcome::{ArchiveCopy, Outcome};
use cited_judge::retracted::Retraction;

/// Dead checks that prove rot …
pub const CHECKS: u32 = 3;
/// … when so much time lies between the first and the last …
pub const PROOF: SignedDuration = SignedDuration::from_hours(7 * 24);
/// … and checks that do when each says that the source is gone for good (410, no such host).
pub const CHECKS_FOR_GOOD: u32 = 2;
/// Checks that confirm a move.
pub const CHECKS_OF_MOVE: u32 = 2;
/// Two checks closer together count as one: asking ten times in an hour proves no more than asking once. A little less than a day,
/// so that a nightly run counts every night.
pub const APART: SignedDuration = SignedDuration::from_hours(20);
/// Checks that a source did not answer, and the time from the first of them, after which that is told.
pub const CHECKS_OF_SILENCE: u32 = 5;
/// See [`CHECKS_OF_SILENCE`].
pub const SILENCE: SignedDuration = SignedDuration::from_hours(14 * 24);
/// Stretches of equal outcomes that are remembered; older ones run together.
const STRETCHES: usize = 48;

/// What the checks of a source prove together, in the order of reports.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[derive(strum::Display, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum State {
    /// Proven gone, over days.
    Rotten,
    /// Retracted, withdrawn or doubted as a work, whatever becomes of its page.
    Retracted,
    /// Alive, and what was cited from it is gone or has another number: reference rot.
    Drifted,
    /// At another address for good, confirmed.
    Moved,
    /// Failing; the proof is not complete.
    Suspect,
    /// Behind a wall in every check since it was last seen.
    Walled,
    /// One of the others, and somebody has said until when that is known. Counted so in reports; what it is underneath goes on.
    Acknowledged,
    /// Nothing is known of it yet.
    #[default]
    Unknown,
    /// The last check was good.
    Alive,
}

impl State {
    /// Every state, in the order of reports.
    pub const ALL: &[State] = <State as strum::VariantArray>::VARIANTS;

    /// Its name, as in reports.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether a document that cites a source in this state has something to mend.
    pub fn is_broken(self) -> bool {
        matches!(self, State::Rotten | State::Retracted | State::Drifted | State::Moved)
    }
}

/// Failures in a row, as far as they count.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Streak {
    /// Failed checks of any kind since the last good one.
    pub failures: u32,
    /// When the first of them was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// Those of them that prove the source gone, each [`APART`] from the one before.
    pub gone: u32,
    /// Those of them that prove it gone for good.
    pub for_good: u32,
    /// When the first of the proofs was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Timestamp>,
    /// When the last was that counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Timestamp>,
    /// Checks since the last good one that met a wall.
    pub walls: u32,
}

/// A move that was seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Moving {
    /// Where to.
    pub to: String,
    /// Checks that say so, each [`APART`] from the one before.
    pub checks: u32,
    /// When the last was that counts.
    pub last: Timestamp,
}

/// What a good check saw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LastGood {
    /// When.
    pub at: Timestamp,
    /// Where the way ended.
    pub final_url: Option<String>,
    /// Title of the page.
    pub title: Option<String>,
    /// SHA-256 of the page's text, in hexadecimal, when it was read.
    pub text_sha256: Option<String>,
}

/// Checks in a row that gave the same outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Stretch {
    /// The outcome.
    pub outcome: Outcome,
    /// The first check.
    pub first: Timestamp,
    /// The last check.
    pub last: Timestamp,
    /// How many.
    pub checks: u32,
}

/// Somebody knows, and says until when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Acknowledgement {
    /// Who.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub who: String,
    /// Why.
    pub reason: String,
    /// The moment from which it counts no more.
    pub until: Timestamp,
}

impl Acknowledgement {
    /// The last day (UTC) on which it counts.
    pub fn last_day(&self) -> jiff::civil::Date {
        (self.until - jiff::SignedDuration::from_secs(1)).to_zoned(jiff::tz::TimeZone::UTC).date()
    }

    /// Whether it still counts.
    pub fn holds(&self, now: Timestamp) -> bool {
        now < self.until
    }
}

/// A source, with all that is remembered of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct Remembered {
    /// What the source is compared by.
    pub key: String,
    /// Its addresses, the one to show first.
    pub addresses: Vec<String>,
    /// Titles that documents give it.
    pub titles: Vec<String>,
    /// When an author looked, if a document says so.
    pub accessed: Option<jiff::civil::Date>,
    /// When the audit met it first.
    pub first_seen: Timestamp,
    /// What its checks prove.
    pub state: State,
    /// Since when.
    pub since: Timestamp,
    /// The last check that said anything.
    pub last: Option<Observation>,
    /// Failures in a row.
    pub streak: Streak,
    /// Since when every check was good.
    pub good_since: Option<Timestamp>,
    /// A move, confirmed or not.
    pub moving: Option<Moving>,
    /// What the last good check saw.
    pub last_good: Option<LastGood>,
    /// Passages that documents stand on.
    pub pins: Vec<Pin>,
    /// Passages that the page has no more, or with another value.
    pub drift: Vec<Compared>,
    /// What indexes say became of it as a work.
    pub notices: Vec<Retraction>,
    /// When they said so last.
    pub looked_up: Option<Timestamp>,
    /// Whether a report has told of its correction.
    pub told_correction: bool,
    /// The archived copy that is known.
    pub snapshot: Option<ArchiveCopy>,
    /// Outcomes over time, equal ones in a row as one.
    pub history: Vec<Stretch>,
    /// What somebody said about it.
    pub acknowledgement: Option<Acknowledgement>,
    /// The state that a report told last, when it was one worth telling.
    pub reported: Option<State>,
    /// The new address that a report told last.
    pub reported_move: Option<String>,
}

impl Remembered {
    /// A source that nobody has asked yet.
    pub fn new(key: impl Into<String>, now: Timestamp) -> Self {
        let key = key.into();
        Remembered { addresses: vec![key.clone()], key, first_seen: now, since: now, ..Remembered::default() }
    }

    /// The address to show.
    pub fn address(&self) -> &str {
        self.addresses.first().map_or(&self.key, String::as_str)
    }

    /// Why its last check gave what it gave, in words.
    pub fn reason(&self) -> &str {
        self.last.as_ref().map_or("", |last| &last.reason)
    }

    /// The new address, for a source that has moved for good.
    pub fn new_address(&self) -> Option<&str> {
        let moving = self.moving.as_ref().filter(|moving| moving.checks >= CHECKS_OF_MOVE);
        moving.map(|moving| moving.to.as_str())
    }

    /// Drops the passages of claims that no document makes any more, and the drift that rests on nothing else.
    pub fn retain_claims(&mut self, is_made: impl Fn(&str) -> bool) {
        self.pins.retain(|pin| is_made(&pin.claim));
        self.drift.retain(|compared| is_made(&compared.claim));
        if self.state == State::Drifted && self.drift.is_empty() {
            self.state = self.proven();
        }
    }

    /// Whether nobody has had an answer from it for so long that this is news: nothing is proven, and nothing is known.
    pub fn is_silent(&self) -> bool {
        let asked = self.streak.failures.saturating_sub(self.streak.gone) >= CHECKS_OF_SILENCE;
        let last = self.last.as_ref().map(|seen| seen.at);
        let since = self.streak.since.zip(last).is_some_and(|(since, last)| last.duration_since(since) >= SILENCE);
        self.state == State::Suspect && asked && since
    }

    /// Whether it was corrected, and nobody was told.
    pub fn has_new_correction(&self) -> bool {
        !self.told_correction && self.notices.iter().any(|notice| notice.fate == Fate::Corrected)
    }

    /// Whether a report has anything to look at here.
    pub fn is_worth_a_look(&self) -> bool {
        let is_told_of = self.state.is_broken() || self.is_silent() || self.has_new_correction();
        is_told_of || self.reported.is_some() || self.acknowledgement.is_some()
    }

    /// Learns from a check. A check that is not newer than the last one says nothing new.
    pub fn take(&mut self, seen: &Observation) {
        if seen.seen == Seen::Nothing || self.last.as_ref().is_some_and(|last| seen.at <= last.at) {
            return;
        }
        self.remember(seen.outcome, seen.at);
        if let Some(notices) = &seen.notices {
            (self.notices, self.looked_up) = (notices.clone(), Some(seen.at));
        }
        if let Some(copy) = seen.archive.as_ref().filter(|_| seen.seen.is_good() || seen.seen.is_gone()) {
            self.snapshot = Some(copy.clone());
        }
        match seen.seen {
            Seen::Good | Seen::Moved => self.take_good(seen),
            Seen::Gone | Seen::GoneForGood | Seen::NoHost => self.take_gone(seen),
            Seen::Walled => {
                self.good_since = None;
                self.streak.walls += 1;
            }
            Seen::Failing | Seen::Silent => self.take_failure(seen.at),
            Seen::Nothing => {}
        }
        self.last = Some(Observation { passages: Vec::new(), notices: None, ..seen.clone() });
        let state = self.proven();
        if state != self.state {
            (self.state, self.since) = (state, seen.at);
        }
    }

    fn take_good(&mut self, seen: &Observation) {
        self.streak = Streak::default();
        self.good_since.get_or_insert(seen.at);
        self.last_good = Some(LastGood {
            at: seen.at,
            final_url: seen.final_url.clone(),
            title: seen.title.clone(),
            text_sha256: seen.text_sha256.clone(),
        });
        let to = seen.final_url.as_ref().filter(|_| seen.seen == Seen::Moved);
        self.moving = to.map(|to| match self.moving.take() {
            Some(known) if known.to == *to && seen.at.duration_since(known.last) < APART => known,
            Some(known) if known.to == *to => Moving { checks: known.checks + 1, last: seen.at, ..known },
            _ => Moving { to: to.clone(), checks: 1, last: seen.at },
        });
        // A passage that holds is pinned; one that is gone or changed stands in the drift until it holds again. What could not be told
        // changes nothing.
        for compared in seen.passages.iter().filter(|compared| compared.state != PinState::Unknown) {
            self.drift.retain(|known| known.claim != compared.claim);
            if compared.state != PinState::Holds {
                self.drift.push(compared.clone());
            } else if let Some(pin) = self.pins.iter_mut().find(|pin| pin.claim == compared.claim) {
                pin.passage.clone_from(&compared.passage);
            } else {
                self.pins.push(Pin { claim: compared.claim.clone(), passage: compared.passage.clone() });
            }
        }
    }

    fn take_failure(&mut self, at: Timestamp) {
        self.good_since = None;
        self.streak.failures += 1;
        self.streak.since.get_or_insert(at);
    }

    fn take_gone(&mut self, seen: &Observation) {
        self.take_failure(seen.at);
        let streak = &mut self.streak;
        if streak.last.is_some_and(|last| seen.at.duration_since(last) < APART) {
            return;
        }
        streak.gone += 1;
        streak.for_good += u32::from(seen.seen != Seen::Gone);
        streak.first.get_or_insert(seen.at);
        streak.last = Some(seen.at);
    }

    /// What the checks prove together.
    fn proven(&self) -> State {
        let streak = &self.streak;
        let is_long = streak.first.zip(streak.last).is_some_and(|(first, last)| last.duration_since(first) >= PROOF);
        if streak.gone >= CHECKS && is_long || streak.for_good >= CHECKS_FOR_GOOD {
            State::Rotten
        } else if streak.failures > 0 {
            // A proof that was complete stays so until something good is seen.
            if self.state == State::Rotten { State::Rotten } else { State::Suspect }
        } else if self.notices.iter().any(|notice| notice.fate != Fate::Corrected) {
            State::Retracted
        } else if streak.walls > 0 {
            State::Walled
        } else if !self.drift.is_empty() {
            State::Drifted
        } else if self.new_address().is_some() {
            State::Moved
        } else {
            State::Alive
        }
    }

    fn remember(&mut self, outcome: Outcome, at: Timestamp) {
        match self.history.last_mut() {
            Some(last) if last.outcome == outcome => (last.last, last.checks) = (at, last.checks + 1),
            _ => self.history.push(Stretch { outcome, first: at, last: at, checks: 1 }),
        }
        // Of the oldest the shorter one gives way to its neighbour.
        if self.history.len() > STRETCHES {
            let second = self.history.remove(1);
            let oldest = &mut self.history[0];
            if second.checks > oldest.checks {
                oldest.outcome = second.outcome;
            }
            (oldest.last, oldest.checks) = (second.last, oldest.checks + second.checks);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hours after the beginning of 2026.
    pub fn at(hours: i64) -> Timestamp {
        Timestamp::from_second(1_767_225_600 + hours * 3600).unwrap()
    }

    fn outcome_of(seen: Seen) -> Outcome {
        match seen {
            Seen::Good => Outcome::Live,
            Seen::Moved => Outcome::Moved,
            Seen::Gone | Seen::GoneForGood | Seen::NoHost => Outcome::Dead,
            Seen::Failing | Seen::Silent => Outcome::Unreachable,
            Seen::Walled => Outcome::Blocked,
            Seen::Nothing => Outcome::Unasked,
        }
    }

    /// A story: `day letter`, the state after it.
    fn check(story: &str, expected: &[State]) {
        let mut source = Remembered::new("https://a.example/", at(0));
        let states: Vec<State> = story
            .split_whitespace()
            .map(|step| {
                let (day, seen) = step.split_at(step.len() - 1);
                let (seen, to) = match seen {
                    "+" => (Seen::Good, None),
                    "m" => (Seen::Moved, Some("https://b.example/")),
                    "n" => (Seen::Moved, Some("https://c.example/")),
                    "x" => (Seen::Gone, None),
                    "X" => (Seen::GoneForGood, None),
                    "o" => (Seen::NoHost, None),
                    "?" => (Seen::Failing, None),
                    "w" => (Seen::Walled, None),
                    "." => (Seen::Nothing, None),
                    other => panic!("{other}"),
                };
                let hours = (day.parse::<f64>().unwrap() * 24.0) as i64;
                let observation = Observation::new(at(hours), seen, outcome_of(seen));
                source.take(&Observation { final_url: to.map(str::to_owned), ..observation });
                source.state
            })
            .collect();
        assert_eq!(states, expected, "{story}");
    }

    #[test]
    fn states_by_their_checks() {
        use State::{Alive, Moved, Rotten, Suspect, Unknown, Walled};
        // Three dead checks over seven days; two close together count once.
        check("0+ 1x 2x 5x 8x", &[Alive, Suspect, Suspect, Suspect, Rotten]);
        check("0x 3.5x 6.9x 7x", &[Suspect, Suspect, Suspect, Suspect]);
        check("0x 3.5x 7x", &[Suspect, Suspect, Rotten]);
        check("0x 7x 7.1x 8x", &[Suspect, Suspect, Suspect, Rotten]);
        // 410 and a host that does not exist: two checks.
        check("0X 0.5X 1X", &[Suspect, Suspect, Rotten]);
        check("0X 1x 2X", &[Suspect, Suspect, Rotten]);
        check("0X 1o", &[Suspect, Rotten]);
        // A good answer resets; what says nothing of being gone neither adds nor resets.
        check("0x 3x 6+ 7x 10x 14x", &[Suspect, Suspect, Alive, Suspect, Suspect, Rotten]);
        check("0x 1? 2? 9? 20?", &[Suspect, Suspect, Suspect, Suspect, Suspect]);
        check("0x 1? 4x 5w 8x", &[Suspect, Suspect, Suspect, Suspect, Rotten]);
        check("0x 3x 7x 8? 9w 10x 11+", &[Suspect, Suspect, Rotten, Rotten, Rotten, Rotten, Alive]);
        // Walls are walls, however many.
        check("0w 10w 20w 30w 40+", &[Walled, Walled, Walled, Walled, Alive]);
        check("0+ 1w 2? 3w 4+", &[Alive, Walled, Suspect, Suspect, Alive]);
        // Moves are confirmed, to the same place.
        check("0m 0.5m 1m", &[Alive, Alive, Moved]);
        check("0m 1n 2n 3+ 4n", &[Alive, Alive, Moved, Alive, Alive]);
        check("0m 1m 2x 9m", &[Alive, Moved, Suspect, Moved]);
        // Nobody asked.
        check("0. 1+ 2.", &[Unknown, Alive, Alive]);
    }

    #[test]
    fn a_check_from_the_past_changes_nothing() {
        let mut source = Remembered::new("k", at(0));
        source.take(&Observation::new(at(48), Seen::Good, Outcome::Live));
        let before = source.clone();
        source.take(&Observation::new(at(24), Seen::Gone, Outcome::Dead));
        assert_eq!(source, before);
    }

    #[test]
    fn the_history_stays_short_and_counts_every_check() {
        let mut source = Remembered::new("k", at(0));
        for day in 0..400 {
            let seen = if day % 2 == 0 { Seen::Good } else { Seen::Failing };
            source.take(&Observation::new(at(day * 24), seen, outcome_of(seen)));
        }
        assert_eq!(source.history.len(), STRETCHES);
        assert_eq!(source.history.iter().map(|stretch| stretch.checks).sum::<u32>(), 400);
        assert!(source.history.windows(2).all(|pair| pair[0].last < pair[1].first));
    }

    #[test]
    fn passages_that_are_gone_make_drift_until_they_are_back() {
        let compared = |state| Compared {
            claim: "It is 49.2%.".into(),
            passage: "The share is 49.2%.".into(),
            state,
            found: None,
        };
        let good =
            |day: i64, passages| Observation { passages, ..Observation::new(at(day * 24), Seen::Good, Outcome::Live) };
        let mut source = Remembered::new("k", at(0));
        let mut states = Vec::new();
        let (holds, unknown) = (PinState::Holds, PinState::Unknown);
        for (day, state) in (0..).zip([holds, unknown, PinState::Changed, unknown, PinState::Gone, holds]) {
            source.take(&good(day, vec![compared(state)]));
            states.push(source.state);
        }
        let (alive, drifted) = (State::Alive, State::Drifted);
        assert_eq!(states, [alive, alive, drifted, drifted, drifted, alive]);
        assert_eq!((source.pins.len(), source.drift.len()), (1, 0));
    }
}
