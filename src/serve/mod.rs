//! Services: one set of tools, and two faces of it, the Model Context Protocol and HTTP.

#[cfg(feature = "serve")]
pub mod http;
#[cfg(feature = "mcp")]
pub mod mcp;
mod problem;
pub mod tools;

use tokio::runtime::Builder;

use crate::setup::run_on;
use cited_core::error::Result;

/// Stack of a thread that runs a tool: as much as a main thread has.
const STACK: usize = 8 << 20;
/// Threads that wait for signals, sockets and timers; tools have threads of their own.
const THREADS: usize = 2;

/// Runs a service, with room for a tool on each thread that blocks.
fn work(service: impl Future<Output = Result<()>>) -> Result<()> {
    run_on(Builder::new_multi_thread().worker_threads(THREADS).thread_stack_size(STACK), service)
}
