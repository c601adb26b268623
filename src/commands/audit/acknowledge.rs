//! `cited audit ack`: somebody knows, and says why and until when.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::cli::args::Acknowledge;
use crate::cli::{Exit, say};
use crate::commands::output;
use cited_audit::Acknowledgement;
use cited_audit::store::Store;
use cited_core::error::{Error, Result};
use cited_report::wording::one_line;

/// Sources that are read at once.
const PAGE: usize = 500;

/// Notes that a source is known, takes it back, or lists what is noted.
///
/// # Errors
/// When nothing cites the address, the date has passed, or the state cannot be written.
pub fn run(given: Acknowledge, mut store: Store, now: Timestamp) -> Result<Exit> {
    let Acknowledge { address, reason, until, who, withdraw, .. } = given;
    let Some(address) = address else { return list(&mut store, now) };
    if withdraw {
        store.acknowledge(&address, None)?;
        return Ok(Exit::Done);
    }
    let (Some(reason), Some(until)) = (reason, until) else {
        return Err(Error::usage("ack needs --reason and --until; or --withdraw"));
    };
    if reason.trim().is_empty() {
        return Err(Error::usage("--reason: must say why the source stays as it is"));
    }
    // The day counts to its end.
    let end = until.tomorrow().and_then(|next| next.to_zoned(TimeZone::UTC)).map(|next| next.timestamp());
    let Some(end) = end.ok().filter(|end| *end > now) else {
        return Err(Error::usage(format!("--until {until}: has passed; name a day that is to come")));
    };
    let who = who.or_else(user).unwrap_or_default();
    store.acknowledge(&address, Some(&Acknowledgement { who, reason, until: end }))?;
    say(format_args!("{} is not reported until the end of {until}\n", one_line(&address)));
    Ok(Exit::Done)
}

/// The name that the system knows the user by.
fn user() -> Option<String> {
    ["USER", "LOGNAME", "USERNAME"].iter().find_map(|name| std::env::var(name).ok()).filter(|name| !name.is_empty())
}

fn list(store: &mut Store, now: Timestamp) -> Result<Exit> {
    let mut after = i64::MIN;
    loop {
        let page = store.page(after, PAGE)?;
        let Some(last) = page.last() else { return Ok(Exit::Done) };
        after = last.id;
        for told in &page {
            let Some(given) = &told.source.acknowledgement else { continue };
            let who = if given.who.is_empty() { String::new() } else { format!(" by {}", given.who) };
            let over = if given.holds(now) { "until" } else { "ran out" };
            let line = format!(
                "{}  {}  {over} {}{who}: {}\n",
                one_line(told.source.address()),
                told.source.state,
                given.last_day(),
                one_line(&given.reason)
            );
            output::print(&line)?;
        }
    }
}
