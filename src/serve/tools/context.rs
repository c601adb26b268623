//! What every call of a tool works with, made once from the settings of whoever runs the service.

use std::path::{Component, PathBuf};
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::cli::args::ServiceFlags;
use crate::cli::settings::Settings;
use crate::commands::input::{self, folder, inside};
use crate::pipeline::Options;
use crate::serve::{Problem, Result};
use crate::setup::lent::{self, Lent};
use crate::setup::{SILENT, Setup};
use cited_core::error::{self, Error};
use cited_core::input::Input;

/// Bytes of one text that is given or read.
const LONGEST_TEXT: usize = 8 << 20;
/// Sources, references or addresses in one call.
pub(super) const MOST_SOURCES: usize = 1000;

/// What every call of a tool works with.
pub struct Context {
    /// What counts unless a call says otherwise.
    pub(super) settings: Settings,
    /// Holds the judge, which is made once, and the options of a call that asks nobody.
    pub(super) judging: Setup,
    /// The folders that files may lie in.
    pub(super) roots: Roots,
    /// The search of the service, when it has one.
    pub(super) search: Option<Lent>,
    /// What calls may cost.
    pub(super) flags: ServiceFlags,
    places: Arc<Semaphore>,
    /// For the calls that run and those that may wait.
    seats: Arc<Semaphore>,
}

/// A place among the calls that run at once, and a seat among those that run or wait; dropping it gives both back.
pub type CallPermit = (OwnedSemaphorePermit, OwnedSemaphorePermit);

impl Context {
    /// What calls work with by these settings. Files are read and written inside the roots of `flags` alone.
    ///
    /// # Errors
    /// When a folder, the judge, a certificate or a bundle cannot be used.
    pub fn new(flags: ServiceFlags, settings: Settings) -> error::Result<Context> {
        if !flags.work.research.is_empty() {
            return Err(Error::usage("--research: the clients of a service name research files with each draft"));
        }
        let roots = Roots::open(&flags.root)?;
        let judging = Setup::judging(&settings, &SILENT)?;
        let search = settings.search.as_deref().map(|named| Lent::open(lent::SEARCH, named, &settings)).transpose()?;
        let places = Arc::new(Semaphore::new(flags.at_once));
        let seats = Arc::new(Semaphore::new(flags.at_once + flags.queue));
        Ok(Context { settings, judging, roots, search, flags, places, seats })
    }

    /// The way to the sources for one call: what one call sees of hosts is no other call's business.
    pub(super) fn asking(&self) -> error::Result<Setup> {
        Setup::asking(&self.settings, &SILENT)
    }

    /// The options of a call that asks through `setup`.
    pub(super) fn options(&self, setup: &Setup) -> Options {
        let (now, indexes) = (setup.options.now, setup.options.indexes.clone());
        Options { indexes, now, ..self.judging.options.clone() }
    }

    /// How many calls run now, and how many wait.
    pub fn load(&self) -> (usize, usize) {
        let running = self.flags.at_once - self.places.available_permits();
        let seated = self.flags.at_once + self.flags.queue - self.seats.available_permits();
        (running, seated.saturating_sub(running))
    }

    /// Waits for a place among the calls that run at once; unless it `is_patient` only while few others wait.
    pub(super) async fn acquire_permit(&self, is_patient: bool) -> Result<CallPermit> {
        let seats = Arc::clone(&self.seats);
        let seat = if is_patient { seats.acquire_owned().await.ok() } else { seats.try_acquire_owned().ok() };
        let busy = || Problem::busy(format!("{} calls wait already; try again in a few seconds", self.flags.queue));
        let seat = seat.ok_or_else(busy)?;
        let place = Arc::clone(&self.places).acquire_owned().await;
        place.map(|place| (place, seat)).map_err(|_| Problem::busy("the service is ending"))
    }

    /// The text of a file that a client names, and where that is.
    pub(super) fn read_file(&self, path: &str) -> Result<(Input, PathBuf)> {
        let file = self.roots.file(path)?;
        let text = input::read(&file)?.text;
        Context::fits(path, &text)?;
        Ok((Input { path: path.to_owned(), text }, file))
    }

    /// Refuses a text that is too long.
    pub(super) fn fits(name: &str, text: &str) -> Result<()> {
        Self::limit_length(name, text.len(), LONGEST_TEXT)
    }

    /// Refuses a text of more bytes, or a list of more entries.
    pub(super) fn limit_length(name: &str, length: usize, most: usize) -> Result<()> {
        let too_long = || Problem::arguments(format!("`{name}` has a length of {length}; at most {most} is taken"));
        (length <= most).then_some(()).ok_or_else(too_long)
    }
}

/// Folders that were opened with `--root`; none means that no file is read or written. No `..`, no link and no absolute path leads out of them.
#[derive(Debug, Clone, Default)]
pub struct Roots(Vec<PathBuf>);

impl Roots {
    /// These folders.
    ///
    /// # Errors
    /// When one is not there or is no folder.
    pub fn open(folders: &[PathBuf]) -> error::Result<Roots> {
        folders.iter().map(|path| folder("--root", path)).collect::<error::Result<_>>().map(Roots)
    }

    /// The file that a client may read by this name.
    pub(super) fn file(&self, path: &str) -> Result<PathBuf> {
        // Where it leads is asked, and the answer is what is opened. A path outside is told nothing about, not even whether it is there.
        let real = self.resolve(path, |root| inside(root, path))?;
        if real.is_file() { Ok(real) } else { Err(Problem::arguments(format!("{path}: is no file"))) }
    }

    /// The place that a client may write to by this name: a new file, or one that is there, in a folder that is there.
    pub(super) fn resolve_writable(&self, path: &str) -> Result<PathBuf> {
        // A relative path may be meant from any of the folders; one that is whole stays as it is.
        let place = self.resolve(path, |root| {
            let candidate = root.join(path);
            let Some(Component::Normal(name)) = candidate.components().next_back() else { return None };
            Some(inside(root, candidate.parent()?)?.join(name))
        })?;
        // A link would be written through, wherever it leads.
        match place.symlink_metadata() {
            Ok(metadata) if !metadata.is_file() => {
                Err(Problem::forbidden(format!("{path}: is there and is no plain file; name another place")))
            }
            _ => Ok(place),
        }
    }

    /// What a path is in the first folder that has a place for it.
    fn resolve(&self, path: &str, place: impl Fn(&PathBuf) -> Option<PathBuf>) -> Result<PathBuf> {
        if self.0.is_empty() {
            return Err(Problem::forbidden(format!(
                "{path}: no folder is open to clients here; give the text itself, or start cited with --root DIR"
            )));
        }
        if path.is_empty() || path.contains('\0') {
            return Err(Problem::arguments("a path is empty or holds a zero character"));
        }
        self.0.iter().find_map(place).ok_or_else(|| {
            let open: Vec<String> = self.0.iter().map(|folder| folder.display().to_string()).collect();
            Problem::forbidden(format!(
                "{path}: is not there, or is outside the folders that are open to clients ({})",
                open.join(", ")
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn nothing_leads_out_of_the_roots() {
        let place = tempfile::tempdir().unwrap();
        let base = place.path().canonicalize().unwrap();
        let root = base.join("open");
        std::fs::create_dir_all(root.join("sub")).unwrap();
        std::fs::write(root.join("sub/draft.md"), "text").unwrap();
        std::fs::write(base.join("secret.md"), "secret").unwrap();
        std::os::unix::fs::symlink(base.join("secret.md"), root.join("link.md")).unwrap();
        std::os::unix::fs::symlink(&base, root.join("up")).unwrap();
        std::fs::create_dir(base.join("open-not")).unwrap();
        std::fs::write(base.join("open-not/x.md"), "secret").unwrap();
        let roots = Roots::open(std::slice::from_ref(&root)).unwrap();
        let absolute = |name: &str| base.join(name).display().to_string();
        assert_eq!(roots.file("sub/draft.md").unwrap(), root.join("sub/draft.md"));
        assert_eq!(roots.file(&absolute("open/sub/draft.md")).unwrap(), root.join("sub/draft.md"));
        assert_eq!(roots.file("sub/../sub/draft.md").unwrap(), root.join("sub/draft.md"));
        let escapes =
            ["../secret.md", "link.md", "up/secret.md", "sub/../../secret.md", "nowhere.md", "../open-not/x.md"];
        let outside = [absolute("secret.md"), absolute("open-not/x.md"), "/etc/passwd".to_owned()];
        for path in escapes.into_iter().map(str::to_owned).chain(outside) {
            let failure = roots.file(&path).unwrap_err();
            assert_eq!(failure.status, 403, "{path}");
        }
        for (path, allowed) in [
            ("new.md", true),
            ("sub/new.md", true),
            ("../new.md", false),
            ("link.md", false),
            ("up/new.md", false),
            ("sub", false),
            ("nowhere/new.md", false),
            ("sub/..", false),
        ] {
            assert_eq!(roots.resolve_writable(path).is_ok(), allowed, "{path}");
        }
        assert_eq!(roots.file("sub").unwrap_err().status, 422);
        let none = Roots::default().file("sub/draft.md").unwrap_err();
        assert!(none.message.contains("--root"), "{none:?}");
    }
}
