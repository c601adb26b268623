//! What sources and links answered.

use std::collections::HashMap;
use std::sync::Arc;

use crate::fetch::{Fetched, Hop, Outcome};
use crate::source::SourceId;

/// What asking gave, by source; sources that nobody had a reason to ask are absent.
pub(in crate::pipeline) type Answers = HashMap<SourceId, Arc<Fetched>>;

/// What the links of the prose answered, by address; the addresses of sources are among them.
pub(in crate::pipeline) type Links = HashMap<String, Arc<Fetched>>;

/// The HTTP status of the last answer; of what an archive stands in for, that of the page itself.
pub(in crate::pipeline) fn status(outcome: Outcome, hops: &[Hop]) -> Option<u16> {
    let mut statuses = hops.iter().rev().filter_map(|hop| hop.status);
    if outcome == Outcome::Archived { statuses.find(|status| *status >= 400) } else { statuses.next() }
}
