//! What this process may have open at once, shared out among those who open something.
//!
//! A connection, a lookup and a file of the cache each take a descriptor, and a system gives a process few of them: 256 or
//! 1,024 by default. Who runs out is told the same as who is turned down, so nobody may run out.

use std::sync::LazyLock;

/// More than this nobody here has a use for, and some programs that we may start close all that they could have open.
const MOST: u64 = 1 << 16;

/// What is taken for granted where the limit cannot be asked for: the default of most systems.
const USUAL: u64 = 1024;

/// Connections that are kept open for the next page of their host; each holds some buffers.
const MOST_KEPT: u64 = 1024;

/// Shares of a limit. Together with the few that are open in any case they stay under it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shares {
    /// Requests in flight, each with a connection.
    pub in_flight: usize,
    /// Connections that wait for another request.
    pub kept: usize,
    /// Lookups of names, which take up to two.
    pub lookups: usize,
    /// Files of the cache, which take up to two.
    pub files: usize,
}

/// The shares of this process. Its soft limit is raised to the hard one first.
pub fn shares() -> Shares {
    static SHARES: LazyLock<Shares> =
        LazyLock::new(|| Shares::divide(rlimit::increase_nofile_limit(MOST).unwrap_or(USUAL)));
    *SHARES
}

impl Shares {
    fn divide(limit: u64) -> Self {
        let share = |part: u64, least: u64, most: u64| usize::try_from(part.clamp(least, most)).unwrap_or(usize::MAX);
        Shares {
            in_flight: share(limit * 3 / 8, 4, MOST),
            kept: share(limit / 4, 2, MOST_KEPT),
            lookups: share(limit / 20, 1, 32),
            files: share(limit / 20, 1, 64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Shares;

    #[test]
    fn all_shares_together_stay_under_the_limit() {
        for limit in [64, 128, 256, 1024, 4096, 65_536, 1 << 40] {
            let shares = Shares::divide(limit);
            let open = shares.in_flight + shares.kept + 2 * (shares.lookups + shares.files);
            assert!((open as u64) < limit - limit / 10, "{limit}: {shares:?}");
        }
        assert_eq!(Shares::divide(256), Shares { in_flight: 96, kept: 64, lookups: 12, files: 12 });
    }
}
