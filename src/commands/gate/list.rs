//! `cited gate --list`: what a gate would check, one line each, with nothing checked.

use std::fmt::Write as _;

use serde::Serialize;

use crate::cli::exit::Exit;
use crate::cli::gate_args::Gate;
use crate::commands::output;
use cited_core::error::{Error, Result};
use cited_gate::criteria::read::Kind;
use cited_gate::criteria::{Assertion, Check, Criterion, OnFail};
use cited_gate::manifest::Manifest;
use cited_report::printers::json::pretty as json;
use cited_report::summary::shown;

/// A criterion as it is listed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed<'l> {
    name: &'l str,
    #[serde(rename = "type")]
    kind: &'static str,
    check: String,
    on_fail: OnFail,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix_role: Option<&'l str>,
    /// Attempts in one round.
    attempts: u32,
    /// In seconds.
    timeout: f64,
}

/// Prints the criteria.
///
/// # Errors
/// When there is no list in the format, or standard output takes nothing.
pub fn print(list: &[Criterion], manifest: Option<&Manifest>, args: &Gate) -> Result<Exit> {
    let listed: Vec<Listed<'_>> = list.iter().map(|criterion| of(criterion, manifest, args)).collect();
    match args.format.unwrap_or_default() {
        format if format.is_json() => output::print(&json(&serde_json::json!({ "criteria": listed }))?)?,
        format if format.is_text() => {
            let mut text = String::new();
            for one in &listed {
                let mut manner = match one.on_fail {
                    OnFail::Fail => String::new(),
                    OnFail::Retry if one.attempts > 1 => format!(", {} attempts", one.attempts),
                    OnFail::Retry => String::new(),
                    OnFail::Fix => format!(", fixed by {}", one.fix_role.unwrap_or_default()),
                };
                let _ = write!(manner, ", {} s", one.timeout);
                let _ = writeln!(text, "{} ({}{manner}): {}", shown(one.name), one.kind, shown(&one.check));
            }
            output::print(&text)?;
        }
        _ => return Err(Error::usage("--list prints text or json")),
    }
    Ok(Exit::Done)
}

fn of<'l>(criterion: &'l Criterion, manifest: Option<&Manifest>, args: &Gate) -> Listed<'l> {
    let (kind, check) = match &criterion.check {
        Check::Ledger => ("ledger", args.ledger.as_ref().map(|path| path.display().to_string()).unwrap_or_default()),
        Check::ManifestClaim(index) => {
            let claim = manifest.and_then(|manifest| manifest.claims.get(*index));
            let what = claim.map(|claim| format!("{} ({})", claim.text, claim.evidence.text));
            ("manifest", what.unwrap_or_else(|| "how it is written".to_owned()))
        }
        Check::Command(line) => (name(Kind::Command), line.clone()),
        Check::Script(plugin, _) => (name(Kind::Script), plugin.clone()),
        Check::Assertion(assertion) => (name(Kind::Assertion), written(assertion)),
        Check::Agent(question) => (name(Kind::Agent), question.clone()),
    };
    Listed {
        name: &criterion.name,
        kind,
        check,
        on_fail: criterion.on_fail,
        fix_role: (criterion.on_fail == OnFail::Fix).then_some(criterion.fix_role.as_str()),
        attempts: criterion.attempts,
        timeout: criterion.timeout.as_secs_f64(),
    }
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Command => "command",
        Kind::Script => "script",
        Kind::Assertion => "assertion",
        Kind::Agent => "agent",
    }
}

/// An assertion as a criteria file has it.
fn written(assertion: &Assertion) -> String {
    match assertion {
        Assertion::FileExists(path) => format!("file_exists:{path}"),
        Assertion::FileNotEmpty(path) => format!("file_not_empty:{path}"),
        Assertion::Regex(pattern, path) => format!("regex:{pattern}:{path}"),
        Assertion::JsonValid(path) => format!("json_valid:{path}"),
        Assertion::ExitZero(line) => format!("exit_zero:{line}"),
        Assertion::NoOrphans(path) => format!("no_orphans:{path}"),
        Assertion::SourcesLive(path) => format!("sources_live:{path}"),
        Assertion::Supported(path) => format!("supported:{path}"),
    }
}
