//! Whether a night can be believed: where most hosts fail at once, it is our network, not the web.

use std::collections::HashMap;

use super::observation::Seen;
use super::state::State;

/// So few hosts prove nothing about a night: two sites may well be down together.
const FEWEST: usize = 3;

/// Who answered in a night.
#[derive(Debug, Default)]
pub struct Night {
    hosts: HashMap<String, Host>,
}

#[derive(Debug, Default)]
struct Host {
    answered: bool,
    expected: bool,
}

impl Night {
    /// Takes note of a check of a source on `host` that was in `state` before.
    ///
    /// A host is expected to answer unless all that was asked of it failed before. It has answered when anything of it was there, or
    /// behind a wall; of a host that was never asked before, a plain *not found* is an answer too.
    pub fn note(&mut self, host: &str, state: State, seen: Seen) {
        if seen == Seen::Nothing {
            return;
        }
        let known = self.hosts.entry(host.to_owned()).or_default();
        known.expected |= !matches!(state, State::Suspect | State::Rotten);
        known.answered |= match seen {
            Seen::Good | Seen::Moved | Seen::Walled => true,
            Seen::Gone => matches!(state, State::Unknown),
            Seen::GoneForGood | Seen::Failing | Seen::Nothing => false,
        };
    }

    /// How many hosts failed of those that used to answer, on a night on which most of them did.
    pub fn failed_hosts(&self) -> Option<(usize, usize)> {
        let expected = self.hosts.values().filter(|host| host.expected);
        let (hosts, failed) = (expected.clone().count(), expected.filter(|host| !host.answered).count());
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
        check(&[("a", Alive, Seen::Failing), ("b", Alive, Seen::Failing), ("c", Alive, Seen::Gone)], bad(3, 3));
        // One page that is there is an answer of its host.
        check(
            &[
                ("a", Alive, Seen::Failing),
                ("a", Alive, Seen::Good),
                ("b", Alive, Seen::Failing),
                ("c", Alive, Seen::Failing),
            ],
            None,
        );
        // Two sites may be down together.
        check(&[("a", Alive, Seen::Failing), ("b", Alive, Seen::Failing)], None);
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
        check(
            &[("a", Unknown, Seen::GoneForGood), ("b", Unknown, Seen::Failing), ("c", Unknown, Seen::Failing)],
            bad(3, 3),
        );
        check(&[("a", Alive, Seen::Nothing), ("b", Alive, Seen::Nothing), ("c", Alive, Seen::Nothing)], None);
    }
}
