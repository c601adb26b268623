//! What a run that is ended from outside must not leave behind: files that are not whole yet, and programs that it started.
//!
//! Each is taken note of from before it is there until it is no more. [`clear`] takes all of them away and lets nothing begin
//! any more; whoever tries waits for the end of the process. Nobody else reads or writes these notes. A run that is killed cannot
//! take its files away: the next one that writes to the same place does, by the number of the process in their names.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Something that must not be left behind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leftover {
    /// A file, by its path.
    File(PathBuf),
    /// A process, by its number.
    Process(u32),
}

/// What there is now; `None` once the process is ending.
static ALL: Mutex<Option<BTreeSet<Leftover>>> = Mutex::new(Some(BTreeSet::new()));

/// Held while files take their places.
static PLACING: Mutex<()> = Mutex::new(());

/// Whether files took their places.
static PLACED: AtomicBool = AtomicBool::new(false);

/// A note of something; dropping it ends the note. A file that is still where it was made goes with it.
#[derive(Debug)]
pub struct Noted(Leftover);

impl Drop for Noted {
    fn drop(&mut self) {
        if let Leftover::File(path) = &self.0 {
            let _ = std::fs::remove_file(path);
        }
        if let Some(all) = lock().as_mut() {
            all.remove(&self.0);
        }
    }
}

fn lock() -> MutexGuard<'static, Option<BTreeSet<Leftover>>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes something that must not be left behind, of which note is taken; the end of the process does not come in between.
pub fn noted<T>(make: impl FnOnce() -> io::Result<(T, Leftover)>) -> io::Result<(T, Noted)> {
    loop {
        if let Some(all) = lock().as_mut() {
            let (made, leftover) = make()?;
            all.insert(leftover.clone());
            return Ok((made, Noted(leftover)));
        }
        std::thread::park();
    }
}

/// Puts files in their places, all or none of them as far as an end from outside is concerned: that waits, so nothing here may
/// take long.
pub fn place_files<T>(act: impl FnOnce() -> T) -> T {
    let _placing = PLACING.lock().unwrap_or_else(PoisonError::into_inner);
    PLACED.store(true, Ordering::Relaxed);
    act()
}

/// Takes everything away; from now on nothing begins. Says whether files had taken their places before.
pub fn clear() -> bool {
    std::mem::forget(PLACING.lock().unwrap_or_else(PoisonError::into_inner));
    for leftover in lock().take().unwrap_or_default() {
        match leftover {
            Leftover::File(path) => {
                let _ = std::fs::remove_file(path);
            }
            Leftover::Process(number) => kill(number),
        }
    }
    PLACED.load(Ordering::Relaxed)
}

/// What has ended already cannot be ended, which is as good.
#[cfg(unix)]
fn kill(number: u32) {
    use nix::sys::signal::{Signal, kill};
    let Ok(number) = i32::try_from(number) else { return };
    let _ = kill(nix::unistd::Pid::from_raw(number), Signal::SIGKILL);
}

#[cfg(not(unix))]
fn kill(_: u32) {}

/// Removes the files in a folder whose names hold the number of a process that is gone. A failure changes nothing.
pub fn remove_left_over(folder: &Path, process_of: impl Fn(&str) -> Option<i32>) {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_str().and_then(&process_of).is_some_and(is_gone) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Whether no process has this number any more.
#[cfg(unix)]
fn is_gone(process: i32) -> bool {
    use nix::errno::Errno;
    use nix::sys::signal::kill;
    process > 0 && kill(nix::unistd::Pid::from_raw(process), None) == Err(Errno::ESRCH)
}

/// Where it cannot be asked, a part is left alone.
#[cfg(not(unix))]
fn is_gone(_: i32) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::remove_left_over;

    #[test]
    fn parts_of_processes_that_are_gone_go() {
        let folder = tempfile::tempdir().unwrap();
        let own = std::process::id();
        for name in [format!("{own}-1.part"), "999999999-1.part".to_owned(), "notes".to_owned()] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        remove_left_over(folder.path(), |name| name.strip_suffix(".part")?.split_once('-')?.0.parse().ok());
        let mut left: Vec<_> =
            std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [format!("{own}-1.part").as_str(), "notes"]);
    }
}
