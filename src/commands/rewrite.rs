//! Documents that a command changes where they lie: what would change is shown, or it is written.

use std::path::{Path, PathBuf};

use super::{input, output};
use crate::cli::say;
use cited_core::error::Result;
use cited_core::input::Input;
use cited_report::difference;
use cited_report::summary::shown;

/// A document that is to be changed.
pub struct Rewrite {
    /// Where it lies.
    pub path: PathBuf,
    /// As it was read.
    pub before: Input,
    /// As it is to be.
    pub after: String,
    /// What is changed, in words.
    pub changes: Vec<String>,
}

/// Prints the differences.
///
/// # Errors
/// When standard output takes nothing.
pub fn show(all: &[Rewrite]) -> Result<()> {
    let difference = |one: &Rewrite| difference::changes(&one.before.path, &one.before.text, &one.after);
    all.iter().try_for_each(|one| output::print(&difference(one)))
}

/// Writes the documents, but none that changed since it was read, and tells which; a `dry_run` only tells.
///
/// # Errors
/// When one cannot be written: then none was.
pub fn write(mut all: Vec<Rewrite>, dry_run: bool) -> Result<()> {
    all.retain(|one| {
        let same = dry_run || input::read(&one.path).is_ok_and(|now| now.text == one.before.text);
        if !same {
            say(format_args!("{}: changed while cited was working; it was not written\n", shown(&one.before.path)));
        }
        same
    });
    let files: Vec<(&Path, &[u8])> = all.iter().map(|one| (one.path.as_path(), one.after.as_bytes())).collect();
    if !dry_run {
        output::write(&files)?;
    }
    let verb = if dry_run { "would be repaired" } else { "repaired" };
    for one in &all {
        say(format_args!("{verb}: {} ({})\n", shown(&one.before.path), one.changes.join(", ")));
    }
    Ok(())
}

/// So many addresses, in words.
pub fn addresses(count: usize) -> String {
    if count == 1 { "1 address".to_owned() } else { format!("{count} addresses") }
}
