//! `--fix`, `--diff`: what a report says can be mended is written into the documents, or shown.

use std::path::PathBuf;

use super::read;
use crate::cli::args::Fix;
use crate::cli::say;
use crate::commands::input;
use crate::commands::rewrite::{self, Rewrite};
use crate::pipeline::Options;
use crate::pipeline::audit::dropping::GoneForGood;
use crate::setup::block_on;
use cited_audit::AuditReport;
use cited_audit::repair::Repairs;
use cited_audit::report::Verdict;
use cited_core::error::Result;
use cited_core::input::Input;
use cited_report::wording::{counted, one_line};

/// Repairs the Markdown documents among `paths`; shows the difference in place of that, or only tells. What changed since it was read is not written over.
///
/// # Errors
/// When a document cannot be read or written: then none was written.
pub fn run(
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
    for path in paths.iter().filter(|path| read::is_markdown(path)) {
        // What cannot be read was told of when the audit read it.
        let Ok(before) = input::read(path) else { continue };
        let repaired = repairs.repair(&before.text);
        let mut changes = Vec::new();
        let count = repaired.edits.iter().filter(|edit| edit.replacement.starts_with("http")).count();
        if count > 0 {
            changes.push(rewrite::addresses(count));
        }
        for address in &repaired.left {
            let (path, address) = (one_line(&before.path), one_line(address));
            say(format_args!("{path}: {address} was left as it is: the document would be read otherwise\n"));
        }
        let mut after = repaired.text;
        if fix == Fix::Drop {
            let mended = Input { path: before.path.clone(), text: after.as_str().into() };
            if gone.concerns(&mended) {
                let run = block_on(gone.drop_from(&mended, options))?;
                match run.withheld.or_else(|| run.failures.first().cloned()) {
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
        return rewrite::show(&all);
    }
    rewrite::write(all, dry_run)
}
