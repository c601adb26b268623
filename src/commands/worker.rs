//! `cited worker`: works off what an audit on PostgreSQL has queued, until it is told to stop.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::FutureExt as _;

use super::audit::{always_ask, ask};
use crate::cli::args::TalkFlags;
use crate::cli::settings::Settings;
use crate::cli::{Exit, say};
use crate::pipeline::audit::{Shared, Tally};
use crate::setup::interrupt::told_to_end;
use crate::setup::{Setup, block_on};
use cited_audit::store::{self, Store};
use cited_core::error::{Error, Result};

/// How long a worker without any work waits before it looks for some.
const IDLE: Duration = Duration::from_secs(2);
/// How long sources that are being asked when the worker is told to stop get to answer; a container is killed after ten seconds.
const GRACE: Duration = Duration::from_secs(8);

/// Works until SIGTERM or SIGINT comes: then what is being asked is answered, stored and given back.
///
/// # Errors
/// When the state is no database, or it cannot be reached any more.
pub fn run(talk: &TalkFlags, mut settings: Settings) -> Result<Exit> {
    let stop = told_to_end()?.shared();
    always_ask(&mut settings);
    let named = settings.audit.state.as_ref().map(|state| state.to_string_lossy().into_owned());
    let place = named.filter(|place| store::is_server(place)).ok_or_else(|| {
        Error::usage("worker: needs a database that several machines share; name it with --state postgres://…")
    })?;
    let store = Store::open(&place)?;
    let name = store.name().to_owned();
    let (store, tally) = (Shared::new(store), Arc::new(Tally::default()));
    if !talk.quiet {
        say(format_args!("working for {name}\n"));
    }
    block_on(async {
        while stop.clone().now_or_never().is_none() {
            if store.with(Store::soonest).await?.is_some() {
                // Each round has a network of its own: which hosts answered yesterday is nothing to go by today.
                let setup = Setup::asking(&settings, talk)?;
                ask(&settings, &setup, &store, &tally, (true, GRACE), stop.clone()).await?;
                setup.finish()?;
            } else {
                let _ = tokio::time::timeout(IDLE, stop.clone()).await;
            }
        }
        let [stored, late] = [&tally.stored, &tally.late].map(|number| number.load(Ordering::Relaxed));
        if !talk.quiet {
            say(format_args!("stopped after {stored} checks, {late} too late\n"));
        }
        Ok(Exit::Done)
    })
}
