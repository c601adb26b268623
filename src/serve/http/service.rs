//! What every request works with.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::guard::Guard;
use super::jobs::Jobs;
use super::metrics::Metrics;
use crate::pipeline::audit::Shared as Audit;
use crate::serve::tools::Context;

/// The service as every route has it.
pub type Shared = Arc<Service>;

/// What every request works with.
pub struct Service {
    /// What tools work with.
    pub context: Arc<Context>,
    /// Who may ask.
    pub guard: Guard,
    /// Calls that nobody waits for.
    pub jobs: Arc<Jobs>,
    /// Counts.
    pub metrics: Metrics,
    /// The audit that is shown.
    pub audit: Option<Audit>,
    /// It takes no more.
    pub stopping: CancellationToken,
    /// Ends what waits for clients: event streams, sessions.
    pub ending: CancellationToken,
}
