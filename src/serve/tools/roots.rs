//! The folders that files of a call may lie in. No `..`, no link and no absolute path leads out of them.

use std::path::{Component, PathBuf};

use crate::commands::input::{folder, inside};
use crate::serve::problem::{Problem, Result};
use cited_core::error;

/// Folders that were opened with `--root`; none means that no file is read or written.
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
        self.vet(path)?;
        // Where it leads is asked, and the answer is what is opened. A path outside is told nothing about, not even whether it is there.
        let real = self.0.iter().find_map(|root| inside(root, path)).ok_or_else(|| self.refuse_path(path))?;
        if real.is_file() { Ok(real) } else { Err(Problem::arguments(format!("{path}: is no file"))) }
    }

    /// The place that a client may write to by this name: a new file, or one that is there, in a folder that is there.
    pub(super) fn resolve_writable(&self, path: &str) -> Result<PathBuf> {
        self.vet(path)?;
        // A relative path may be meant from any of the folders; one that is whole stays as it is.
        let place = |root: &PathBuf| {
            let candidate = root.join(path);
            let Some(Component::Normal(name)) = candidate.components().next_back() else { return None };
            Some(inside(root, candidate.parent()?)?.join(name))
        };
        let place = self.0.iter().find_map(place).ok_or_else(|| self.refuse_path(path))?;
        // A link would be written through, wherever it leads.
        match place.symlink_metadata() {
            Ok(metadata) if !metadata.is_file() => {
                Err(Problem::forbidden(format!("{path}: is there and is no plain file; name another place")))
            }
            _ => Ok(place),
        }
    }

    fn vet(&self, path: &str) -> Result<()> {
        if self.0.is_empty() {
            return Err(Problem::forbidden(format!(
                "{path}: no folder is open to clients here; give the text itself, or start cited with --root DIR"
            )));
        }
        if path.is_empty() || path.contains('\0') {
            return Err(Problem::arguments("a path is empty or holds a zero character"));
        }
        Ok(())
    }

    fn refuse_path(&self, path: &str) -> Problem {
        let open: Vec<String> = self.0.iter().map(|folder| folder.display().to_string()).collect();
        Problem::forbidden(format!(
            "{path}: is not there, or is outside the folders that are open to clients ({})",
            open.join(", ")
        ))
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
