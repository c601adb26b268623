//! Files that are not whole yet, and what is left of them when a process ends before they are.
//!
//! Such a file has the number of its process in its name. A process that is told to end removes its own; one that is killed
//! cannot, and the next run that writes to the same place removes them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

static PARTS: LazyLock<Mutex<HashSet<PathBuf>>> = LazyLock::new(Mutex::default);

fn parts() -> MutexGuard<'static, HashSet<PathBuf>> {
    PARTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that is not whole yet: gone when this process is told to end.
#[derive(Debug)]
pub struct Part(PathBuf);

impl Part {
    /// Of a file that is about to be made.
    pub fn of(path: &Path) -> Self {
        parts().insert(path.to_owned());
        Part(path.to_owned())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        parts().remove(&self.0);
    }
}

/// Removes every file of this process that is not whole. To be called when it ends before its time.
pub fn remove_all() {
    for part in parts().iter() {
        let _ = std::fs::remove_file(part);
    }
}

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
    use super::{Part, parts, remove_left_over};

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
        let path = folder.path().join("notes");
        let part = Part::of(&path);
        assert!(parts().contains(&path));
        drop(part);
        assert!(!parts().contains(&path));
    }
}
