//! Which files a check looks at, and what the user leaves out.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use regex::RegexSet;

use crate::commands::input::{STANDARD, each_once};
use cited_core::error::{Error, Result};
use cited_core::markdown::{ENDINGS, is_markdown};
use cited_report::findings::Incomplete;

/// What the user leaves out: documents by their paths, links by their addresses.
#[derive(Debug, Clone, Default)]
pub struct Excluded {
    files: Option<Gitignore>,
    links: RegexSet,
}

impl Excluded {
    /// `files`: globs of paths as `.gitignore` writes them, from the working folder; `links`: hosts, or addresses in which `*`
    /// stands for anything.
    ///
    /// # Errors
    /// When a pattern of files cannot be read.
    pub fn new(files: &[String], links: &[String]) -> Result<Excluded> {
        let wrong = |error: ignore::Error| Error::usage(error.to_string());
        let mut rules = GitignoreBuilder::new("");
        files.iter().try_for_each(|glob| rules.add_line(None, glob).map(drop)).map_err(wrong)?;
        let files = (!files.is_empty()).then(|| rules.build()).transpose().map_err(wrong)?;
        // A host stands for all of its addresses and those of the hosts below it.
        let expressions = links.iter().map(|pattern| {
            let any = regex::escape(pattern).replace(r"\*", ".*");
            let is_host = !pattern.contains(['/', '*', '#', '?']) && pattern.contains('.');
            if is_host {
                format!(r"(?i)^(?:[a-z]+:)?//(?:[^/]*[.@])?{any}(?:[:/?#]|$)")
            } else {
                format!("(?i)^{any}$")
            }
        });
        Ok(Excluded { files, links: RegexSet::new(expressions).map_err(Error::defect)? })
    }

    /// Whether a document that was found in a folder is left out.
    pub fn has_file(&self, path: &Path) -> bool {
        let path = path.strip_prefix("./").unwrap_or(path);
        let is_out = |rules: &Gitignore| rules.matched_path_or_any_parents(path, false).is_ignore();
        !path.is_absolute() && self.files.as_ref().is_some_and(is_out)
    }

    /// Whether an address is left out.
    pub fn has_link(&self, address: &str) -> bool {
        self.links.is_match(address)
    }
}

/// The files that `named` leads to, in order and each once: those named, and of folders the Markdown files and those that `wanted` admits; with
/// folders that could not be looked into. What `.gitignore` and `.ignore` name and what is hidden is left out of folders, also outside of a
/// repository; links to elsewhere are not followed.
///
/// # Errors
/// When a path does not exist, or there is no file to check at all: nothing passes unseen.
pub fn find(named: &[PathBuf], wanted: fn(&Path) -> bool) -> Result<(Vec<PathBuf>, Vec<Incomplete>)> {
    let (mut paths, mut incomplete) = (Vec::new(), Vec::new());
    for path in named {
        let metadata = || std::fs::metadata(path).map_err(|error| Error::read(path, error));
        if path == Path::new(STANDARD) || !metadata()?.is_dir() {
            paths.push(path.clone());
            continue;
        }
        let before = paths.len();
        for entry in WalkBuilder::new(path).require_git(false).sort_by_file_path(Path::cmp).build() {
            match entry {
                Ok(entry) => {
                    let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                    let path = entry.path().strip_prefix("./").unwrap_or(entry.path());
                    let is_wanted = is_file && (is_markdown(&path.to_string_lossy()) || wanted(path));
                    paths.extend(is_wanted.then(|| path.to_path_buf()));
                }
                Err(error) => incomplete.push(Incomplete { file: None, reason: error.to_string() }),
            }
        }
        if paths.len() == before && incomplete.is_empty() {
            return Err(Error::input(format!(
                "{}: no Markdown file in this folder ({}) that is not ignored; name another path",
                path.display(),
                ENDINGS.map(|ending| format!(".{ending}")).join(", ")
            )));
        }
    }
    if named.len() > 1 {
        each_once(&mut paths);
    }
    Ok((paths, incomplete))
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
            let (found, _) = find(named, |_| false).unwrap();
            let short = |path: &PathBuf| path.strip_prefix(root.path()).unwrap().display().to_string();
            found.iter().map(short).collect()
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

    #[test]
    fn hosts_and_globs_leave_out_addresses() {
        for (pattern, address, expected) in [
            ("linked.example", "https://linked.example/in/anna", true),
            ("linked.example", "https://www.linked.example", true),
            ("linked.example", "https://unlinked.example/", false),
            ("linked.example", "https://a.example/?to=linked.example", false),
            ("https://a.example/*/edit", "https://a.example/x/y/edit", true),
            ("https://a.example/*/edit", "https://a.example/x/y/edit#z", false),
            ("/api/*", "/api/index.html", true),
            ("../generated/*", "../generated/x.md", true),
        ] {
            let excluded = Excluded::new(&[], &[pattern.to_owned()]).unwrap();
            assert_eq!(excluded.has_link(address), expected, "{pattern}: {address}");
        }
    }

    #[test]
    fn globs_leave_out_documents() {
        let excluded = Excluded::new(&["vendor".to_owned(), "*.draft.md".to_owned()], &[]).unwrap();
        for (path, expected) in
            [("vendor/x.md", true), ("./a/vendor/x.md", true), ("a.draft.md", true), ("a.md", false)]
        {
            assert_eq!(excluded.has_file(Path::new(path)), expected, "{path}");
        }
    }
}
