//! `--fix`, `--diff`: what a report says can be mended is written into the documents, or shown.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use super::read;
use crate::cli::args::Fix;
use crate::cli::say;
use crate::commands::{input, output};
use crate::pipeline::Options;
use crate::pipeline::audit::dropping::GoneForGood;
use crate::setup::block_on;
use cited_audit::AuditReport;
use cited_audit::repair::Repairs;
use cited_audit::report::Verdict;
use cited_core::error::Result;
use cited_core::input::Input;
use cited_report::audit::clean;
use cited_report::difference;
use cited_report::wording::counted;

/// What was asked for.
#[derive(Debug, Clone, Copy)]
pub struct RepairFlags {
    /// What is written.
    pub fix: Fix,
    /// Whether the difference is shown, and no document written.
    pub diff: bool,
    /// Whether no document is written.
    pub dry_run: bool,
}

impl RepairFlags {
    /// By the flags; `None` when nothing is to be repaired.
    pub fn from_flags(fix: Option<Fix>, diff: bool, dry_run: bool) -> Option<RepairFlags> {
        (fix.is_some() || diff || dry_run).then(|| RepairFlags { fix: fix.unwrap_or_default(), diff, dry_run })
    }
}

/// A document that is to be written.
struct RepairedFile {
    path: PathBuf,
    before: Input,
    after: String,
    told: Vec<String>,
}

/// Repairs the Markdown documents among `paths`, or shows how. What changed since it was read is not written over.
///
/// # Errors
/// When a document cannot be read or written: then none was written.
pub fn run(report: &AuditReport, paths: &[PathBuf], options: &Options, wanted: RepairFlags) -> Result<()> {
    if report.verdict == Verdict::Blocked {
        say(format_args!("no document was repaired: the audit could not be completed\n"));
        return Ok(());
    }
    let repairs = Repairs::from_report(report);
    let gone = GoneForGood::from_report(report);
    let mut all: Vec<RepairedFile> = Vec::new();
    for path in paths.iter().filter(|path| read::is_markdown(path)) {
        // What cannot be read was told of when the audit read it.
        let Ok(before) = input::read(path) else { continue };
        let repaired = repairs.repair(&before.text);
        let mut told = Vec::new();
        let count = repaired.edits.iter().filter(|edit| edit.replacement.starts_with("http")).count();
        if count > 0 {
            told.push(format!("{count} {}", if count == 1 { "address" } else { "addresses" }));
        }
        for address in &repaired.left {
            let (path, address) = (clean(&before.path), clean(address));
            say(format_args!("{path}: {address} was left as it is: the document would be read otherwise\n"));
        }
        let mut after = repaired.text;
        if wanted.fix == Fix::Drop {
            let mended = Input { path: before.path.clone(), text: after.as_str().into() };
            if gone.concerns(&mended) {
                let run = block_on(gone.drop_from(&mended, options))?;
                match run.withheld.or_else(|| run.failures.first().cloned()) {
                    Some(why) => {
                        say(format_args!("{}: nothing was dropped: {}\n", clean(&before.path), clean(&why)));
                    }
                    None if *run.brief != *after => {
                        let claims = run.record.stats.removed;
                        told.push(format!("{} dropped", counted(claims, "claim")));
                        after = run.brief.to_string();
                    }
                    None => {}
                }
            }
        }
        if after != *before.text {
            all.push(RepairedFile { path: path.clone(), before, after, told });
        }
    }
    if wanted.diff {
        let color = std::io::stdout().is_terminal();
        for one in &all {
            output::print(&difference::changes(&one.before.path, &one.before.text, &one.after, color))?;
        }
        return Ok(());
    }
    if !wanted.dry_run {
        all.retain(|one| {
            let same = input::read(&one.path).is_ok_and(|now| now.text == one.before.text);
            if !same {
                say(format_args!("{}: changed while cited was working; it was not written\n", clean(&one.before.path)));
            }
            same
        });
        let files: Vec<(&Path, &[u8])> = all.iter().map(|one| (one.path.as_path(), one.after.as_bytes())).collect();
        output::write(&files)?;
    }
    let verb = if wanted.dry_run { "would be repaired" } else { "repaired" };
    for one in &all {
        say(format_args!("{verb}: {} ({})\n", clean(&one.before.path), one.told.join(", ")));
    }
    Ok(())
}
