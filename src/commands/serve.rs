//! `cited serve`: the tools as an HTTP API.

use std::path::Path;

use super::services;
use crate::cli::args::Serve;
use crate::cli::exit::Exit;
use crate::cli::settings::Settings;
use crate::pipeline::audit::Shared;
use crate::serve::http::{self, Reach, TOKEN_VARIABLE};
use crate::setup::interrupt::told_to_end;
use cited_audit::store::Store;
use cited_core::error::{Error, Result};

/// Serves until it is told to end.
///
/// # Errors
/// When a flag cannot be used, or nobody can be listened to.
pub fn run(args: Serve, settings: Settings) -> Result<Exit> {
    let Serve { listen, host, rate, service, work, .. } = args;
    let state = settings.audit.state.as_ref().map(|state| state.to_string_lossy());
    let audit = state.as_deref().map(audit).transpose()?;
    let reach = Reach {
        listen,
        hosts: host,
        token: std::env::var(TOKEN_VARIABLE).ok().filter(|token| !token.is_empty()),
        rate,
        audit,
    };
    let context = services::context(&service, &work, settings)?;
    let runtime = services::runtime()?;
    let served = runtime.block_on(async {
        let stop = told_to_end()?;
        http::serve(context, reach, stop).await
    });
    // A tool that is still at it is left behind.
    runtime.shutdown_background();
    served.map(|()| Exit::Done)
}

/// The audit that is shown. A file that is not there would be made, and shown empty.
fn audit(state: &str) -> Result<Shared> {
    if !state.contains("://") && !Path::new(state).is_file() {
        return Err(Error::usage(format!("--state {state}: is not there; run `cited audit --state {state}` first")));
    }
    Store::open(state).map(Shared::new)
}
