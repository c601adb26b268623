//! `cited audit`: what documents stand on, over time. Made for cron: without news it says nothing.

mod acknowledge;
mod read;
mod repair;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use super::output;
use crate::cli::args::{Audit, AuditCommand, AuditFlags, TalkFlags};
use crate::cli::settings::Settings;
use crate::cli::values::is_text;
use crate::cli::{Exit, say};
use crate::pipeline::audit::{Asking, Shared, Tally, tell};
use crate::pipeline::{Options, Progress, Watch, Works};
use crate::setup::{Setup, block_on};
use cited_audit::AuditReport;
use cited_audit::report::Verdict;
use cited_audit::store::Store;
use cited_core::error::{Error, Result};
use cited_report::audit::findings;
use cited_report::findings::Stream;
use cited_report::printers::{Outcome, Printer, TEXT};
use cited_report::wording::one_line;

/// The folder of the usual state, in the folder where the audit is run: the state belongs to the documents beside it.
const FOLDER: &str = ".cited";
/// The usual state.
const FILE: &str = ".cited/audit.sqlite";
/// How long sources that are being asked when the time is over get to answer.
const GRACE: Duration = Duration::from_secs(2);

/// Audits.
///
/// # Errors
/// When it could not run: documents or state cannot be read, settings cannot be used, a report cannot be written.
pub fn run(args: Audit, mut settings: Settings) -> Result<Exit> {
    let Audit { command, paths, format, report, fix, diff, dry_run, talk, .. } = args;
    if let Some(AuditCommand::Ack(given)) = command {
        return acknowledge::run(given, Store::open(&state_location(&settings)?)?, (settings.fetch.clock)());
    }
    always_ask(&mut settings);
    let place = state_location(&settings)?;
    let reports = output::reports(&report, false)?;
    let files = read::find(&paths)?;
    output::vet(reports.iter().map(|(_, path)| path.as_path()), &files.paths)?;

    let mut store = Store::open(&place)?;
    let name = store.name().to_owned();
    store.lock(|| say(format_args!("{name}: another audit is at work; waiting for it\n")))?;
    let setup = Setup::asking(&settings, &talk)?;
    let begun = setup.options.now;
    let documents = files.paths.clone();
    store.vet_clock(begun)?;
    let unread = read::into(&mut store, files, begun)?;
    let round = store.begin(begun, settings.audit.max_checks.map(|most| most as u64))?;
    let store = Shared::new(store);
    if round.queued > 0 {
        let AuditFlags { workers_only, max_time, .. } = settings.audit;
        if workers_only && !store.now(|store| Ok(store.is_shared()))? {
            let advice = "name a database with --state postgres://…";
            return Err(Error::usage(format!("--workers-only: a state in a file has no workers; {advice}")));
        }
        setup.reporter.note(Progress::Fetching(usize::try_from(round.queued).unwrap_or(usize::MAX)));
        let over = async {
            match max_time {
                Some(time) => tokio::time::sleep(time).await,
                None => std::future::pending().await,
            }
        };
        block_on(ask(&settings, &setup, &store, &Arc::default(), (!workers_only, GRACE), over))?;
    }
    setup.finish()?;
    let fixed = settings.network.asking.now.or_else(|| setup.network.is_replay().then_some(begun));
    let now = fixed.unwrap_or_else(|| Timestamp::now().max(begun));
    let lacked = |lacked| format!("nobody could be asked: {lacked}; check the network and run it again");
    let down = setup.network.lacks().map(lacked);
    let (report, told) = store.now(|store| {
        let settled = store.settle(round.id, now, down.is_some())?;
        tell(store, &round, settled, now, down, unread)
    })?;
    let (fail_on, fail_on_codes) = settings.check.fails();
    let stream = Stream { fail_on, fail_on_codes, ..findings::stream(&report, read::text_of) };
    let outcome = Outcome { stream, run: None, own: Some(&report) };
    output::write_reports(&reports, &outcome)?;
    print(&report, format.unwrap_or(&TEXT), &outcome, diff, &talk)?;
    if fix.is_some() || diff || dry_run {
        let options = Options { works: Works::default(), ..settings.options() };
        repair::run(&report, &documents, &options, fix.unwrap_or_default(), (diff, dry_run))?;
    }
    // Only now: what nobody got to read is told again.
    store.now(|store| store.mark_reported(&told))?;
    Ok(exit(&report, &outcome.stream))
}

/// A page that was read an hour ago says nothing of tonight, unless somebody said that it does.
pub fn always_ask(settings: &mut Settings) {
    if settings.is_default("max-age")
        && let Some(cache) = &mut settings.fetch.cache
    {
        cache.max_age = Duration::ZERO;
    }
}

/// Works off what is due until `stop` ends, or waits for those who do: asks from here, and how long what is being asked is waited for then.
pub async fn ask(
    settings: &Settings,
    setup: &Setup,
    store: &Shared,
    tally: &Arc<Tally>,
    (asks, grace): (bool, Duration),
    stop: impl Future<Output = ()>,
) -> Result<()> {
    let (fetcher, watch): (_, Watch<'_>) = (&setup.watched(), &|progress| setup.reporter.note(progress));
    let (now, hosts) = (settings.network.asking.now, settings.fetch.concurrency);
    let (indexes, tally) = (&*setup.options.works.indexes, Arc::clone(tally));
    Asking { fetcher, watch, now, indexes, hosts, asks, grace, tally }.work(store, stop).await
}

/// Where the state is. The folder of the usual one is made, and kept out of version control.
fn state_location(settings: &Settings) -> Result<String> {
    if let Some(state) = &settings.audit.state {
        return Ok(state.to_string_lossy().into_owned());
    }
    let folder = Path::new(FOLDER);
    if !folder.is_dir() {
        let ignore = folder.join(".gitignore");
        let made = std::fs::create_dir(folder).and_then(|()| std::fs::write(&ignore, "*\n"));
        made.map_err(|error| Error::write(folder, error))?;
    }
    Ok(FILE.to_owned())
}

/// Prints what is new, and nothing when nothing is; what could not be done is said in any case.
fn print(report: &AuditReport, format: &Printer, outcome: &Outcome<'_>, diff: bool, talk: &TalkFlags) -> Result<()> {
    // With `--diff`, which is for text alone, standard output is the difference's, for `git apply`.
    if !is_text(format) || !talk.quiet && (diff || talk.verbose || report.has_news()) {
        output::print_beside(&(format.print)(outcome, true)?, diff)?;
    }
    for what in &report.unread {
        say(format_args!("not read: {}\n", one_line(what)));
    }
    if let Some(why) = &report.blocked {
        say(format_args!("BLOCKED: {}\n", one_line(why)));
    }
    Ok(())
}

fn exit(report: &AuditReport, stream: &Stream) -> Exit {
    let falls_short = stream.falls_short() || stream.fail_on.is_some_and(|least| report.fails(least));
    match report.verdict {
        Verdict::Blocked => Exit::Blocked,
        _ if falls_short => Exit::FallsShort,
        _ if !report.unread.is_empty() || report.lacks_an_archive() => Exit::Blocked,
        _ => Exit::Done,
    }
}
