//! Whether a night can be believed: where most hosts fail at once, it is our network, not the web.

use std::collections::HashMap;

use super::observation::Seen;
use super::state::State;

/// So few hosts prove nothing about a night: two sites may well be down together.
const FEWEST: usize = 3;

/// Who answered in a night.
#[derive(Debug, Default)]
pub struct Night {
    /// By name: whether it was expected to answer, and whether it did.
    hosts: HashMap<String, (bool, bool)>,
}

impl Night {
    /// Takes note of a check of a source on `host` that was in `state` before.
    ///
    /// A host is expected to answer unless all that was asked of it failed before. An error is an answer too: it comes from the host, and
    /// says that the network is there.
    pub fn note(&mut self, host: &str, state: State, seen: Seen) {
        if seen == Seen::Nothing {
            return;
        }
        let (expected, answered) = self.hosts.entry(host.to_owned()).or_default();
        *expected |= !matches!(state, State::Suspect | State::Rotten);
        *answered |= !matches!(seen, Seen::NoHost | Seen::Silent);
    }

    /// How many hosts failed of those that used to answer, on a night on which most of them did.
    pub fn failed_hosts(&self) -> Option<(usize, usize)> {
        let expected = self.hosts.values().filter(|(expected, _)| *expected);
        let (hosts, failed) = (expected.clone().count(), expected.filter(|(_, answered)| !answered).count());
        (failed >= FEWEST && failed * 2 > hosts).then_some((failed, hosts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(checks: &[(&str, State, Seen)], expected: Option<(usize, usize)>) {
        let mut night = Night::default();
        checks.iter().for_each(|(host, state, seen)| night.note(host, *state, *seen));
        assert_eq!(night.failed_hosts(), expected, "{checks:?}");
    }

    #[test]
    fn a_night_is_bad_when_most_hosts_fail_that_used_to_answer() {
        use State::{Alive, Rotten, Suspect, Unknown};
        let bad = |failed, hosts| Some((failed, hosts));
        check(&[("a", Alive, Seen::Silent), ("b", Alive, Seen::Silent), ("c", Alive, Seen::NoHost)], bad(3, 3));
        // Whoever answers is there, whatever the answer.
        check(&[("a", Alive, Seen::Gone), ("b", Alive, Seen::GoneForGood), ("c", Alive, Seen::Failing)], None);
        // One page that is there is an answer of its host.
        check(
            &[
                ("a", Alive, Seen::Silent),
                ("a", Alive, Seen::Good),
                ("b", Alive, Seen::Silent),
                ("c", Alive, Seen::Silent),
            ],
            None,
        );
        // Two sites may be down together.
        check(&[("a", Alive, Seen::Silent), ("b", Alive, Seen::Silent)], None);
        // What failed before is expected to.
        check(
            &[
                ("a", Suspect, Seen::Gone),
                ("b", Rotten, Seen::Gone),
                ("c", Rotten, Seen::Gone),
                ("d", Alive, Seen::Good),
            ],
            None,
        );
        // The first night of an old site: its dead links are dead.
        check(&[("a", Unknown, Seen::Gone), ("b", Unknown, Seen::Gone), ("c", Unknown, Seen::Gone)], None);
        check(&[("a", Unknown, Seen::NoHost), ("b", Unknown, Seen::Silent), ("c", Unknown, Seen::Silent)], bad(3, 3));
        check(&[("a", Alive, Seen::Nothing), ("b", Alive, Seen::Nothing), ("c", Alive, Seen::Nothing)], None);
    }
}
