//! What `cited mcp` and `cited serve` make of their flags: the context that the tools work in.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::{artifact, gate, input, output};
use crate::cli::args::{ServiceFlags, WorkFlags};
use crate::cli::settings::Settings;
use crate::serve::tools::context::Limits;
use crate::serve::tools::{Context, Roots, Services};
use cited_core::error::{Error, Result};

/// Stack of a thread that runs a tool: as much as a main thread has.
const STACK: usize = 8 << 20;
/// Threads that wait for signals, sockets and timers; tools have threads of their own.
const THREADS: usize = 2;

/// What every call works with.
///
/// # Errors
/// When a flag or a setting cannot be used.
pub fn context(service: &ServiceFlags, work: &WorkFlags, settings: Settings) -> Result<Arc<Context>> {
    if !work.research.is_empty() {
        return Err(Error::usage("--research: the clients of a service name research files with each draft"));
    }
    let limits = Limits {
        time: Duration::from_secs(service.call_timeout),
        at_once: service.at_once,
        waiting: service.queue,
        ..Limits::default()
    };
    let roots = Roots::open(&service.root)?;
    let services = Services {
        read: input::read,
        write: output::write,
        artifacts: |draft: &Path| artifact::lookup([draft].into_iter(), vec![draft.to_path_buf()]),
        gate: gate::report,
    };
    Context::new(settings, roots, limits, services).map(Arc::new)
}

/// A runtime for a service, with room for a tool on each thread that blocks.
///
/// # Errors
/// When the system gives no threads.
pub fn runtime() -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(THREADS)
        .thread_stack_size(STACK)
        .enable_all()
        .build()
        .map_err(|error| Error::blocked(format!("the system gives no threads: {error}")))
}
