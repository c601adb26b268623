//! `cited worker`: works off what an audit on PostgreSQL has queued, until it is told to stop.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;

use super::audit::always_ask;
use crate::cli::args::TalkFlags;
use crate::cli::exit::Exit;
use crate::cli::say;
use crate::cli::settings::Settings;
use crate::pipeline::audit::{Asking, Shared, Tally};
use crate::pipeline::{Progress, Watch};
use crate::setup::interrupt::told_to_end;
use crate::setup::{Setup, block_on};
use cited_audit::store::{self, Store};
use cited_core::error::{Error, Result};

/// How long a worker without any work waits for somebody to tell of some, before it looks by itself.
const IDLE: Duration = Duration::from_secs(15);
/// How long sources that are being asked when the worker is told to stop get to answer; a container is killed after ten seconds.
const GRACE: Duration = Duration::from_secs(8);

/// Works until SIGTERM or SIGINT comes: then what is being asked is answered, stored and given back.
///
/// # Errors
/// When the state is no database, or it cannot be reached any more.
pub fn run(talk: &TalkFlags, mut settings: Settings) -> Result<Exit> {
    always_ask(&mut settings);
    let named = settings.audit.state.as_ref().map(|state| state.to_string_lossy().into_owned());
    let place = named.filter(|place| store::is_server(place)).ok_or_else(|| {
        Error::usage("worker: needs a database that several machines share; name it with --state postgres://…")
    })?;
    let store = Store::open(&place)?;
    let name = store.name().to_owned();
    let store = Shared::new(store);
    let tally = Arc::new(Tally::default());
    block_on(async {
        if !talk.quiet {
            say(format_args!("working for {name}\n"));
        }
        rounds(&settings, talk, &store, &tally, told_to_end()?.shared()).await?;
        if !talk.quiet {
            let count = |number: &std::sync::atomic::AtomicUsize| number.load(std::sync::atomic::Ordering::Relaxed);
            say(format_args!("stopped after {} checks, {} too late\n", count(&tally.stored), count(&tally.late)));
        }
        Ok(Exit::Done)
    })
}

/// Works off one round after the other. Each has a network of its own: which hosts answered yesterday is nothing to go by today.
async fn rounds(
    settings: &Settings,
    talk: &TalkFlags,
    store: &Shared,
    tally: &Arc<Tally>,
    stop: impl Future<Output = ()> + Clone,
) -> Result<()> {
    loop {
        let has_work = store.with(Store::soonest).await?.is_some();
        if stop.clone().now_or_never().is_some() {
            return Ok(());
        }
        if !has_work {
            tokio::select! {
                () = stop.clone() => return Ok(()),
                woken = store.with(|store| store.wait(IDLE)) => { woken?; }
            }
            continue;
        }
        let setup = Setup::asking(settings, talk)?;
        let watched = setup.watched();
        let watch: Watch<'_> = &|progress: Progress<'_>| setup.reporter.note(progress);
        let asking = Asking {
            fetcher: &watched,
            watch,
            now: settings.network.asking.now,
            indexes: &setup.options().works.indexes,
            hosts: settings.fetch.concurrency,
            asks: true,
            grace: GRACE,
            tally: Arc::clone(tally),
        };
        asking.work(store, stop.clone()).await?;
        setup.reporter.end();
        setup.web.network.finish()?;
    }
}
