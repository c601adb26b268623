//! Evidence bundles: everything that was fetched, in one WARC/1.1 file that can be read back in place of the network.
//!
//! One gzip member per record (readers reject a single stream). A request and a response record for each exchange, a
//! metadata record for each failure; further metadata records carry what a run wants to keep beside them. Header fields
//! that begin with `Cited-` say what an exchange was for; readers of WARC pass over them.

mod record;
mod replay;
mod warc;

pub use record::{Recorder, write_answer};
pub use replay::{Replay, read_answer};

/// Names of our own header fields.
mod field {
    pub const PURPOSE: &str = "Cited-Purpose";
    pub const ORIGIN: &str = "Cited-Origin";
    pub const HOP: &str = "Cited-Hop";
    pub const ATTEMPT: &str = "Cited-Attempt";
    pub const FAILURE: &str = "cited-failure";
    pub const REASON: &str = "cited-reason";
    /// The failure that is of our own side.
    pub const OURS: &str = "our-side";
    pub const SEED: &str = "cited-seed";
}
