//! `cited audit`: what documents stand on, over time. Made for cron: without news it says nothing. `cited worker` works off what an audit on
//! PostgreSQL has queued, until it is told to stop.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::check::{files, map_all};
use super::input::{self, STANDARD};
use super::output::{self, Rewrite};
use crate::cli::args::{Acknowledge, Audit, AuditCommand, AuditFlags, Fix, TalkFlags, is_text};
use crate::cli::settings::{DEFAULT, Settings};
use crate::cli::{Exit, say};
use crate::pipeline::audit::{
    Asking, GoneForGood, Shared, Tally, hash_with, of_addresses, of_markdown, of_record, tell,
};
use crate::pipeline::{Options, Progress, Scope, Watch};
use crate::setup::{Setup, block_on};
use cited_audit::repair::Repairs;
use cited_audit::report::{Entry, Remedy, Verdict};
use cited_audit::store::{Document, Store};
use cited_audit::{Acknowledgement, AuditReport, News};
use cited_core::error::{Error, Result};
use cited_core::input::Input;
use cited_core::page::sha256_hex;
use cited_report::audit::{sheet, stream};
use cited_report::findings::{Incomplete, Stream};
use cited_report::printers::{Outcome, pretty};
use cited_report::prose;
use cited_report::wording::{counted, one_line};

/// The folder of the usual state, in the folder where the audit is run: the state belongs to the documents beside it.
const FOLDER: &str = ".cited";
/// The usual state.
const FILE: &str = ".cited/audit.sqlite";
/// How the names of records end.
const RECORD: &str = ".record.json";
/// How the names of side-cars end.
const SIDE_CAR: &str = ".provenance.md";
/// How the names of lists of addresses end.
const LIST: &str = ".txt";
/// Documents that are read at once.
const PART: usize = 64;
/// How long sources that are being asked when the time is over get to answer.
const GRACE: Duration = Duration::from_secs(2);

/// Audits.
///
/// # Errors
/// When it could not run: documents or state cannot be read, settings cannot be used, a report cannot be written.
pub fn run(args: Audit, mut settings: Settings) -> Result<Exit> {
    let Audit { command, paths, report, fix, diff, dry_run, talk, .. } = args;
    if let Some(AuditCommand::Ack(given)) = command {
        return acknowledge(given, Store::open(&state_location(&settings)?)?, (settings.fetch.clock)());
    }
    always_ask(&mut settings);
    let place = state_location(&settings)?;
    let reports = output::reports(&report)?;
    let (mut documents, incomplete) = files::find(&paths, |path| path.to_string_lossy().ends_with(RECORD))?;
    // What cited wrote beside a brief and its record stands on nothing of its own.
    documents.retain(|path| {
        let name = path.to_string_lossy();
        !name.strip_suffix(SIDE_CAR).is_some_and(|stem| Path::new(&format!("{stem}{RECORD}")).is_file())
    });
    output::vet(reports.iter().map(|(_, path)| path.as_path()), &documents)?;

    let mut store = Store::open(&place)?;
    let name = store.name.clone();
    store.lock(|| say(format_args!("{name}: another audit is at work; waiting for it\n")))?;
    let setup = Setup::asking(&settings, &talk)?;
    let begun = setup.options.now;
    store.vet_clock(begun)?;
    let unread = read_into(&mut store, &documents, incomplete, begun)?;
    let round = store.begin(begun, settings.audit.max_checks.map(|most| most as u64))?;
    let store = Shared::new(store);
    if round.queued > 0 {
        let AuditFlags { workers_only, max_time, .. } = settings.audit;
        if workers_only && !store.now(|store| Ok(store.is_shared()))? {
            let advice = "name a database with --state postgres://…";
            return Err(Error::usage(format!("--workers-only: a state in a file has no workers; {advice}")));
        }
        setup.reporter.note(Progress::Fetching(usize::try_from(round.queued).unwrap_or(usize::MAX)));
        let over = async { tokio::time::sleep(max_time.unwrap_or(Duration::MAX)).await };
        block_on(ask(&settings, &setup, &store, &Arc::default(), (!workers_only, GRACE), over))?;
    }
    setup.finish()?;
    let fixed = settings.network.now.or_else(|| setup.network.looker.is_replay().then_some(begun));
    let now = fixed.unwrap_or_else(|| Timestamp::now().max(begun));
    let lacked = |lacked| format!("nobody could be asked: {lacked}; check the network and run it again");
    let down = setup.network.lacks().map(lacked);
    let (report, told) = store.now(|store| {
        let settled = store.settle(round.id, now, down.is_some())?;
        tell(store, &round, settled, now, down, unread)
    })?;
    let (fail_on, fail_on_codes) = settings.check.fails();
    // Places in a document are told by their lines, as far as it can be read.
    let text_of = |path: &str| {
        let text = std::fs::read_to_string(path).unwrap_or_default().into();
        Input { path: path.to_owned(), text }
    };
    let stream = Stream { fail_on, fail_on_codes, ..stream(&report, text_of) };
    let outcome = Outcome { stream, own: Some((pretty(&report)?, sheet(&report))), ..Outcome::default() };
    output::write_reports(&reports, &outcome)?;
    // With `--diff`, which is for text alone, standard output is the difference's, for `git apply`. Without news nothing is printed; what
    // could not be done is said in any case.
    if !is_text(settings.format) || !talk.quiet && (diff || talk.verbose || report.has_news()) {
        output::print_beside(&(settings.format.print)(&outcome, true)?, diff)?;
    }
    for what in &report.unread {
        say(format_args!("not read: {}\n", one_line(what)));
    }
    if let Some(why) = &report.blocked {
        say(format_args!("BLOCKED: {}\n", one_line(why)));
    }
    if fix.is_some() || diff || dry_run {
        let options = Options { works: Scope::Off, ..settings.options() };
        repair(&report, &documents, &options, fix.unwrap_or_default(), (diff, dry_run))?;
    }
    // Only now: what nobody got to read is told again.
    store.now(|store| store.mark_reported(&told))?;
    let may_be_archived = |entry: &Entry| entry.news == News::NewRot && entry.remedy == Remedy::ArchiveUnasked;
    Ok(match report.verdict {
        Verdict::Blocked => Exit::Blocked,
        _ if outcome.stream.falls_short() => Exit::FallsShort,
        _ if !report.unread.is_empty() || report.entries.iter().any(may_be_archived) => Exit::Blocked,
        _ => Exit::Done,
    })
}

/// Works until SIGTERM or SIGINT comes: then what is being asked is answered, stored and given back.
///
/// # Errors
/// When the state is no database, or it cannot be reached any more.
#[cfg(feature = "postgres")]
pub fn work(talk: &TalkFlags, mut settings: Settings) -> Result<Exit> {
    use std::sync::atomic::Ordering::Relaxed;

    use futures_util::FutureExt as _;

    /// How long a worker without any work waits before it looks for some.
    const IDLE: Duration = Duration::from_secs(2);
    /// How long sources that are being asked when the worker is told to stop get to answer; a container is killed after ten seconds.
    const GRACE: Duration = Duration::from_secs(8);

    let stop = crate::setup::interrupt::told_to_end()?.shared();
    always_ask(&mut settings);
    let named = settings.audit.state.as_ref().map(|state| state.to_string_lossy().into_owned());
    let place = named.filter(|place| cited_audit::store::is_server(place)).ok_or_else(|| {
        Error::usage("worker: needs a database that several machines share; name it with --state postgres://…")
    })?;
    let store = Store::open(&place)?;
    let name = store.name.clone();
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
        let [stored, late] = [&tally.stored, &tally.late].map(|number| number.load(Relaxed));
        if !talk.quiet {
            say(format_args!("stopped after {stored} checks, {late} too late\n"));
        }
        Ok(Exit::Done)
    })
}

/// A page that was read an hour ago says nothing of tonight, unless somebody said that it does.
fn always_ask(settings: &mut Settings) {
    let is_default = settings.in_force.iter().any(|one| one.name == "max-age" && one.origin == DEFAULT);
    if let Some(cache) = settings.fetch.cache.as_mut().filter(|_| is_default) {
        cache.max_age = Duration::ZERO;
    }
}

/// Works off what is due until `stop` ends, or waits for those who do: asks from here, and how long what is being asked is waited for then.
async fn ask(
    settings: &Settings,
    setup: &Setup,
    store: &Shared,
    tally: &Arc<Tally>,
    (asks, grace): (bool, Duration),
    stop: impl Future<Output = ()>,
) -> Result<()> {
    let (fetcher, watch): (_, Watch<'_>) = (setup, &|progress| setup.reporter.note(progress));
    let (now, hosts) = (settings.network.now, settings.fetch.concurrency);
    let (indexes, tally) = (&*setup.options.indexes, Arc::clone(tally));
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

/// Notes that a source is known.
///
/// # Errors
/// When nothing cites the address, the date has passed, or the state cannot be written.
fn acknowledge(given: Acknowledge, mut store: Store, now: Timestamp) -> Result<Exit> {
    let Acknowledge { address, reason, until, who } = given;
    // The day counts to its end.
    let end = until.tomorrow().and_then(|next| next.to_zoned(TimeZone::UTC)).map(|next| next.timestamp());
    let Some(end) = end.ok().filter(|end| *end > now) else {
        return Err(Error::usage(format!("--until {until}: has passed; name a day that is to come")));
    };
    // Without a name it is the one that the system knows the user by.
    let user = || ["USER", "LOGNAME", "USERNAME"].iter().find_map(|name| std::env::var(name).ok());
    let who = who.or_else(user).unwrap_or_default();
    store.acknowledge(&address, &Acknowledgement { who, reason, until: end })?;
    say(format_args!("{} is not reported until the end of {until}\n", one_line(&address)));
    Ok(Exit::Done)
}

/// Repairs the Markdown documents among `paths`; shows the difference in place of that, or only tells. What changed since it was read is not written over.
///
/// # Errors
/// When a document cannot be read or written: then none was written.
fn repair(
    report: &AuditReport,
    paths: &[PathBuf],
    options: &Options,
    fix: Fix,
    (diff, dry_run): (bool, bool),
) -> Result<()> {
    if report.verdict == Verdict::Blocked {
        say(format_args!("no document was repaired: the audit could not be completed\n"));
        return Ok(());
    }
    let repairs = Repairs::from_report(report);
    let gone = GoneForGood::from_report(report);
    let mut all: Vec<Rewrite> = Vec::new();
    for path in paths.iter().filter(|path| !is_record(path) && !is_list(path)) {
        // What cannot be read was told of when the audit read it.
        let Ok(before) = input::read(path) else { continue };
        let repaired = repairs.repair(&before.text);
        let mut changes = Vec::new();
        let count = repaired.edits.iter().filter(|edit| edit.replacement.starts_with("http")).count();
        if count > 0 {
            changes.push(output::addresses(count));
        }
        for address in &repaired.left {
            let (path, address) = (one_line(&before.path), one_line(address));
            say(format_args!("{path}: {address} was left as it is: the document would be read otherwise\n"));
        }
        let mut after = repaired.text;
        if fix == Fix::Drop {
            let mended = Input { path: before.path.clone(), text: after.as_str().into() };
            if let Some(run) = block_on(gone.drop_from(&mended, options))? {
                match run.withheld.or(run.record.not_written) {
                    Some(why) => {
                        say(format_args!("{}: nothing was dropped: {}\n", one_line(&before.path), one_line(&why)));
                    }
                    None if *run.brief != *after => {
                        let claims = run.record.stats.removed;
                        changes.push(format!("{} dropped", counted(claims, "claim")));
                        after = run.brief.to_string();
                    }
                    None => {}
                }
            }
        }
        if after != *before.text {
            all.push(Rewrite { path: path.clone(), before, after, changes });
        }
    }
    if diff {
        return output::show_changes(&all);
    }
    output::write_changes(all, dry_run)
}

/// Whether a file is a record, whatever it is called and whoever wrote it.
fn is_record(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "json")
}

fn is_list(path: &Path) -> bool {
    path == Path::new(STANDARD) || path.to_string_lossy().ends_with(LIST)
}

/// Lets the state know what the files cite; what was not given this time is forgotten. Says what could not be read: of that all that is
/// known stays.
///
/// # Errors
/// When a file that was there is gone, or the state cannot be written.
fn read_into(store: &mut Store, paths: &[PathBuf], incomplete: Vec<Incomplete>, now: Timestamp) -> Result<Vec<String>> {
    let mut unread: Vec<String> = incomplete.into_iter().map(|what| what.reason).collect();
    let folders_whole = unread.is_empty();
    let mut given: HashSet<String> = paths.iter().map(|path| path.display().to_string()).collect();
    let (records, documents): (Vec<&PathBuf>, Vec<&PathBuf>) = paths.iter().partition(|path| is_record(path));
    let (records, faults): (Vec<_>, Vec<_>) = records.iter().map(|path| record(path)).partition(Result::is_ok);
    unread.extend(faults.into_iter().filter_map(Result::err).map(|error| error.to_string()));
    let records: Vec<(Document, String)> = records.into_iter().flatten().collect();
    // A brief that has a record is known by both.
    let briefs = records.iter().filter(|(_, brief)| !brief.is_empty());
    let lent: HashMap<&str, &Document> = briefs.map(|(document, brief)| (brief.as_str(), document)).collect();
    let mut taken: HashSet<&str> = HashSet::new();
    for part in documents.chunks(PART) {
        let mut to_read: Vec<(&Path, Input, Option<&Document>)> = Vec::new();
        for path in part {
            let input = match input::read(path) {
                Ok(input) => input,
                // What a user named and is not there any more ends the run before anything is changed.
                Err(error) => {
                    unread.push(error.to_string());
                    continue;
                }
            };
            let hash = sha256_hex(input.text.as_bytes());
            let record = lent.get(hash.as_str()).copied().filter(|_| !is_list(path));
            taken.extend(record.map(|record| record.path.as_str()));
            if !store.is_known(&input.path, &hash_with(&hash, record))? {
                to_read.push((path, input, record));
            }
        }
        let read = map_all(&to_read, |(path, input, record)| {
            let lists = is_list(path);
            if lists { of_addresses(&input.path, &input.text) } else { (of_markdown(input, *record), Vec::new()) }
        });
        for (document, wrong) in read {
            unread.extend(wrong);
            store.document(&document, now)?;
        }
    }
    for (document, _) in &records {
        if taken.contains(document.path.as_str()) {
            // Its brief is here: what stands on its sources is told of the brief.
            given.remove(&document.path);
        } else if !store.is_known(&document.path, &document.sha256)? {
            store.document(document, now)?;
        }
    }
    // What a folder has that could not be looked into is not gone.
    if folders_whole {
        for path in store.documents()? {
            if !given.contains(&path) {
                store.forget(&path, now)?;
            }
        }
    }
    Ok(unread)
}

/// A record that is read, which lends its passages to its brief, with the hash of that; empty where it does not say which.
fn record(path: &Path) -> Result<(Document, String)> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::read(path, error))?;
    let name = path.display().to_string();
    let record =
        prose::read(&text).map_err(|why| Error::input(format!("{name}: is no record: {why}; write it again")))?;
    let document = of_record(&name, &record, sha256_hex(text.as_bytes()));
    Ok((document, output::hash_of_brief(path).unwrap_or_default()))
}
