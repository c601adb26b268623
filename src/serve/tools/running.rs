//! Runs a call of a tool: a thread, a place among those that run at once, a limit of time.

use std::sync::Arc;

use serde_json::Value;

use super::call::Call;
use super::context::Context;
use super::failure::{Failure, FailureKind};
use super::tool::{Answer, Tool};

/// Runs a tool on a thread of its own and waits for it, within the limits of `context`. A call that is cancelled or takes too
/// long is answered at once; its thread ends when it next looks, and holds its place until then.
pub async fn call(
    context: Arc<Context>,
    tool: &'static Tool,
    arguments: Value,
    call: Call,
) -> std::result::Result<Answer, Failure> {
    let place = context.acquire_permit(&call).await?;
    let limit = context.limits.time;
    // Whoever waits no longer, a client that hung up for one, does not leave the work running.
    let guard = call.cancelled.clone().drop_guard();
    let token = call.cancelled.clone();
    let work = tokio::task::spawn_blocking(move || {
        let _place = place;
        (tool.run)(&context, arguments, &call)
    });
    let done = tokio::select! {
        biased;
        () = token.cancelled() => Err(Failure::cancelled()),
        done = work => done.unwrap_or_else(|cause| {
            let why = if cause.is_panic() { "a panic" } else { "the service is ending" };
            Err(Failure::defect(format!("cited broke off: {why}; this is a fault of cited, please report it with the arguments")))
        }),
        () = tokio::time::sleep(limit) => {
            token.cancel();
            let message = format!("not done after {} s, which is the limit here; ask for less at once", limit.as_secs());
            Err(Failure::new(FailureKind::TimedOut, message))
        }
    };
    drop(guard);
    done
}
