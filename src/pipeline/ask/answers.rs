//! What sources and links answered.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use cited_core::outcome::Fetched;
use cited_core::source::SourceId;

/// What asking gave, by source; sources that nobody had a reason to ask are absent.
pub(in crate::pipeline) type Answers = HashMap<SourceId, Arc<Fetched>>;

/// What the links of the prose answered, by address; the addresses of sources are among them.
pub(in crate::pipeline) type Links = BTreeMap<String, Arc<Fetched>>;
