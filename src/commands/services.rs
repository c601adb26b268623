//! `cited mcp` and `cited serve`: the tools for an agent program, on standard input and output, and as an HTTP API.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Builder;

use super::{artifact, gate, input, output};
use crate::cli::args::ServiceFlags;
use crate::cli::settings::Settings;
use crate::serve::tools::context::Limits;
use crate::serve::tools::{Context, Roots, Services};
use crate::setup::run_on;
use cited_core::error::{Error, Result};

/// Stack of a thread that runs a tool: as much as a main thread has.
const STACK: usize = 8 << 20;
/// Threads that wait for signals, sockets and timers; tools have threads of their own.
const THREADS: usize = 2;

/// Serves an agent program until standard input ends.
///
/// # Errors
/// When a flag cannot be used, or the first message is no greeting of the protocol.
#[cfg(feature = "mcp")]
pub fn mcp(flags: &ServiceFlags, settings: Settings) -> Result<()> {
    let context = context(flags, settings)?;
    work(crate::serve::mcp::serve_stdio(context))
}

/// Serves clients over HTTP until it is told to end.
///
/// # Errors
/// When a flag cannot be used, or nobody can be listened to.
#[cfg(feature = "serve")]
pub fn serve(args: &crate::cli::args::Serve, settings: Settings) -> Result<()> {
    let stop = crate::setup::interrupt::told_to_end()?;
    let audit = settings.audit.state.as_ref().map(|state| audit(&state.to_string_lossy())).transpose()?;
    let context = context(&args.service, settings)?;
    work(crate::serve::http::serve(context, args, audit, stop))
}

/// The audit that is shown. A file that is not there would be made, and shown empty.
#[cfg(feature = "serve")]
fn audit(state: &str) -> Result<crate::pipeline::audit::Shared> {
    if !state.contains("://") && !Path::new(state).is_file() {
        return Err(Error::usage(format!("--state {state}: is not there; run `cited audit --state {state}` first")));
    }
    cited_audit::store::Store::open(state).map(crate::pipeline::audit::Shared::new)
}

/// What every call works with.
fn context(flags: &ServiceFlags, settings: Settings) -> Result<Arc<Context>> {
    if !flags.work.research.is_empty() {
        return Err(Error::usage("--research: the clients of a service name research files with each draft"));
    }
    let (time, at_once, waiting) = (Duration::from_secs(flags.call_timeout), flags.at_once, flags.queue);
    let roots = Roots::open(&flags.root)?;
    let services = Services {
        read: input::read,
        write: output::write,
        artifacts: |draft: &Path| artifact::lookup([draft].into_iter(), vec![draft.to_path_buf()]),
        gate: gate::report,
    };
    Context::new(settings, roots, Limits { time, at_once, waiting }, services).map(Arc::new)
}

/// Runs a service, with room for a tool on each thread that blocks.
fn work(service: impl Future<Output = Result<()>>) -> Result<()> {
    run_on(Builder::new_multi_thread().worker_threads(THREADS).thread_stack_size(STACK), service)
}
