//! When a source is asked again: by its age and its risk.
//!
//! What is due is due from the beginning of its day (UTC): whichever minute of the night its turn came the last time, the next
//! night's run finds it, and a second run of the same night finds nothing.

use jiff::{SignedDuration, Timestamp};

use super::state::{APART, CHECKS, PROOF, Remembered, State};
use cited_fetch::jitter::mix;

/// Days until the second check of something that began to fail, and of a move that is to be confirmed.
const SOON: i64 = 1;
/// Days between further checks of a suspect: with the first and the second one it takes four to prove rot.
const SUSPECT: i64 = 3;
/// Days between looks whether something rotten came back, or drift was mended.
const BROKEN: i64 = 7;
/// Days between checks behind walls, of what has moved, and of what nobody could ask.
const SELDOM: i64 = 14;
/// Days between checks of what is alive: a quarter of the time that it has been so, and not less …
const ALIVE_LEAST: i64 = 3;
/// … nor more than this: the longest time from one check to the next of a source that is asked every night it is due.
pub const ALIVE_MOST: i64 = 28;
/// The part of an interval that jitter takes off, so that what was first seen together is not asked together for ever.
const JITTER: f64 = 0.25;

/// When a source is due after what is known of it, `last` being when it was asked last.
pub fn due(source: &Remembered, last: Option<Timestamp>) -> Timestamp {
    let Some(last) = last else { return source.first_seen };
    let (days, jitter) = match source.state {
        State::Unknown | State::Acknowledged => (SOON, 0.0),
        State::Suspect if source.streak.failures <= 1 => (SOON, 0.0),
        State::Suspect => (SUSPECT, 0.0),
        State::Rotten | State::Drifted | State::Retracted => (BROKEN, JITTER),
        State::Alive if source.moving.is_some() => (SOON, 0.0),
        State::Moved | State::Walled => (SELDOM, JITTER),
        State::Alive => {
            let age = source.good_since.map_or(SignedDuration::ZERO, |since| last.duration_since(since));
            ((age.as_hours() / 24 / 4).clamp(ALIVE_LEAST, ALIVE_MOST), JITTER)
        }
    };
    let noise = mix(0, &source.key, last.as_second().cast_unsigned()) % 1000;
    let hours = (days * 24) as f64 * (1.0 - jitter * noise as f64 / 1000.0);
    let regular = day_of(last + SignedDuration::from_secs((hours * 3600.0) as i64));
    // The check that completes a proof comes when there is enough time between it and the first.
    let complete = source.streak.first.filter(|_| source.state == State::Suspect && source.streak.gone >= CHECKS);
    let wanted = complete.map_or(regular, |first| day_of(first + PROOF + DAY));
    wanted.max(last + APART)
}

const DAY: SignedDuration = SignedDuration::from_hours(24);

/// The beginning of the day that a moment is in.
fn day_of(moment: Timestamp) -> Timestamp {
    moment - SignedDuration::from_secs(moment.as_second().rem_euclid(DAY.as_secs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Observation, Seen};
    use cited_core::outcome::Outcome;

    fn at(hours: i64) -> Timestamp {
        Timestamp::from_second(1_767_225_600 + hours * 3600).unwrap()
    }

    /// The days from the last of some checks to the next one, by a run each night at the same hour.
    fn next_night(checks: &[(i64, Seen, Outcome)]) -> i64 {
        let mut source = Remembered::new("https://a.example/", at(0));
        for (day, seen, outcome) in checks {
            source.take(&Observation::new(at(day * 24), *seen, *outcome));
        }
        let last = checks.last().unwrap().0;
        let due = due(&source, Some(at(last * 24)));
        (1..60).find(|days| at((last + days) * 24) >= due).unwrap()
    }

    #[test]
    fn what_fails_is_asked_sooner_and_what_is_long_alive_later() {
        use Outcome::{Dead, Live, Unreachable};
        assert_eq!(next_night(&[(0, Seen::Failing, Unreachable)]), 1);
        assert_eq!(next_night(&[(0, Seen::Gone, Dead), (1, Seen::Gone, Dead)]), 3);
        // The check that completes the proof: not before seven days are over, and then.
        assert_eq!(next_night(&[(0, Seen::Gone, Dead), (1, Seen::Gone, Dead), (4, Seen::Gone, Dead)]), 4);
        assert_eq!(next_night(&[(0, Seen::Gone, Dead), (3, Seen::Gone, Dead), (6, Seen::Gone, Dead)]), 2);
        assert!((2..=3).contains(&next_night(&[(0, Seen::Good, Live)])));
        assert!((8..=10).contains(&next_night(&[(0, Seen::Good, Live), (40, Seen::Good, Live)])));
        assert!((21..=28).contains(&next_night(&[(0, Seen::Good, Live), (400, Seen::Good, Live)])));
    }

    #[test]
    fn jitter_spreads_and_stays_the_same() {
        let due_of = |key: &str| {
            let mut source = Remembered::new(key, at(0));
            source.take(&Observation::new(at(0), Seen::Good, Outcome::Live));
            source.take(&Observation::new(at(400 * 24), Seen::Good, Outcome::Live));
            due(&source, Some(at(400 * 24)))
        };
        let days: std::collections::BTreeSet<i64> =
            (0..200).map(|i| due_of(&format!("https://a.example/{i}")).as_second() / 86_400).collect();
        assert!(days.len() >= 7, "{days:?}");
        assert_eq!(due_of("k"), due_of("k"));
    }
}
