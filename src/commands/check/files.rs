//! Which files a check looks at.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use super::excluded::Excluded;
use crate::commands::input::{STANDARD, cannot_read, each_once};
use cited_core::error::{Error, Result};
use cited_core::markdown::{ENDINGS, is_markdown};
use cited_report::findings::Incomplete;

/// The files to check.
#[derive(Debug, Default)]
pub struct Files {
    /// Their paths, in order, each file once.
    pub paths: Vec<PathBuf>,
    /// Folders that could not be looked into.
    pub incomplete: Vec<Incomplete>,
}

impl Files {
    /// Leaves out what the user excludes, but nothing that he names.
    ///
    /// # Errors
    /// When nothing is left: nothing passes unseen.
    pub fn leave_out(&mut self, excluded: &Excluded, named: &[PathBuf]) -> Result<()> {
        let some = !self.paths.is_empty();
        self.paths.retain(|path| named.contains(path) || !excluded.has_file(path));
        if some && self.paths.is_empty() {
            return Err(Error::input("every document is excluded; look at --exclude and `exclude` in cited.toml"));
        }
        Ok(())
    }
}

/// The files that `named` leads to: those named, and of folders the Markdown files and those that `wanted` admits. What `.gitignore` and `.ignore` name
/// and what is hidden is left out of folders, also outside of a repository; links to elsewhere are not followed.
///
/// # Errors
/// When a path does not exist, or there is no file to check at all: nothing passes unseen.
pub fn find(named: &[PathBuf], wanted: fn(&Path) -> bool) -> Result<Files> {
    let mut files = Files::default();
    for path in named {
        let metadata = || std::fs::metadata(path).map_err(|error| cannot_read(path, error));
        if path != Path::new(STANDARD) && metadata()?.is_dir() {
            in_folder(path, wanted, &mut files)?;
        } else {
            files.paths.push(path.clone());
        }
    }
    if named.len() > 1 {
        each_once(&mut files.paths);
    }
    Ok(files)
}

fn in_folder(folder: &Path, wanted: fn(&Path) -> bool, files: &mut Files) -> Result<()> {
    let before = files.paths.len();
    let walk = WalkBuilder::new(folder).require_git(false).sort_by_file_path(Path::cmp).build();
    for entry in walk {
        match entry {
            Ok(entry) => {
                let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                if is_file && (is_markdown(&entry.path().to_string_lossy()) || wanted(entry.path())) {
                    let path = entry.into_path();
                    let short = path.strip_prefix("./").map(Path::to_path_buf);
                    files.paths.push(short.unwrap_or(path));
                }
            }
            Err(error) => files.incomplete.push(Incomplete { file: None, reason: error.to_string() }),
        }
    }
    if files.paths.len() == before && files.incomplete.is_empty() {
        return Err(Error::input(format!(
            "{}: no Markdown file in this folder ({}) that is not ignored; name another path",
            folder.display(),
            ENDINGS.map(|ending| format!(".{ending}")).join(", ")
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_give_their_markdown_in_order_and_without_what_is_ignored() {
        let root = tempfile::tempdir().unwrap();
        for folder in ["b", "a", ".hidden", "ignored"] {
            std::fs::create_dir(root.path().join(folder)).unwrap();
        }
        for name in ["b/x.md", "a/y.MD", "a/z.txt", "b.markdown", ".hidden/h.md", "ignored/i.md", "a/skip.md"] {
            std::fs::write(root.path().join(name), "text").unwrap();
        }
        std::fs::write(root.path().join(".gitignore"), "ignored/\nskip.md\n").unwrap();
        let names = |named: &[PathBuf]| -> Vec<String> {
            let found = find(named, |_| false).unwrap();
            let short = |path: &PathBuf| path.strip_prefix(root.path()).unwrap().display().to_string();
            found.paths.iter().map(short).collect()
        };
        let all = ["a/y.MD", "b/x.md", "b.markdown"];
        let root_path = root.path().to_path_buf();
        assert_eq!(names(std::slice::from_ref(&root_path)), all);
        // What is named is taken, once.
        let named = [root_path.join("ignored/i.md"), root_path.join("a/z.txt"), root_path.clone(), root_path];
        assert_eq!(names(&named), ["ignored/i.md", "a/z.txt", "a/y.MD", "b/x.md", "b.markdown"]);
    }

    #[test]
    fn a_folder_without_markdown_never_passes() {
        let root = tempfile::tempdir().unwrap();
        let error = find(&[root.path().to_path_buf()], |_| false).unwrap_err();
        assert!(error.to_string().contains("no Markdown file"), "{error}");
        assert_eq!(find(&[root.path().join("none")], |_| false).unwrap_err().exit_status(), 2);
    }
}
