//! What the relative links of documents lead to, looked up inside the tree that each document stands in, and nowhere else.
//!
//! The tree is the repository of a document; where there is none, the working folder, or else the folder that was named.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::check::anchors::Anchors;
use crate::check::targets::{Maker, Target, site_files};
use crate::commands::input::STANDARD;
use crate::input::Input;
use crate::markdown::ENDINGS;

/// The largest document whose anchors are read, in bytes.
const LARGEST: u64 = 16 << 20;
/// What a repository has at its root.
const REPOSITORY: &str = ".git";
/// The document that a folder is shown by, the first that is there.
const OF_FOLDERS: [&str; 3] = ["README.md", "index.md", "readme.md"];

/// The trees of the documents of a run.
#[derive(Debug, Default)]
pub struct Tree {
    /// Where the paths of documents start from.
    base: PathBuf,
    /// Where a tree may begin that no repository begins.
    tops: Vec<PathBuf>,
    /// Texts that stand for those of the files, by place.
    texts: HashMap<PathBuf, Arc<str>>,
    folders: Mutex<HashMap<PathBuf, Option<Folder>>>,
    anchors: Mutex<HashMap<PathBuf, Option<Arc<Anchors>>>>,
}

/// A folder with documents.
#[derive(Debug, Clone)]
struct Folder {
    /// Its place, without links.
    place: PathBuf,
    /// The root of its tree.
    root: PathBuf,
    /// What makes pages of its documents; the nearest.
    maker: Option<Maker>,
}

impl Tree {
    /// The trees of documents below the folders `named`, or of those in the working folder.
    pub fn of<'a>(named: impl Iterator<Item = &'a Path>) -> Tree {
        let folders = named.filter(|path| path.is_dir()).map(Path::to_path_buf);
        let tops = folders.chain([PathBuf::from(".")]).filter_map(|path| path.canonicalize().ok());
        Tree { tops: tops.collect(), ..Tree::default() }
    }

    /// The tree of a book that lies in `root`, whose chapters have these texts.
    pub fn of_book(root: &Path, chapters: &[Input]) -> Tree {
        let place = |input: &Input| Some((root.join(&input.path).canonicalize().ok()?, Arc::clone(&input.text)));
        Tree {
            base: root.to_path_buf(),
            tops: root.canonicalize().into_iter().collect(),
            texts: chapters.iter().filter_map(place).collect(),
            ..Tree::default()
        }
    }

    /// What is at `path` from the folder of `document`.
    pub fn look(&self, document: &str, path: &str) -> Target {
        let Some(folder) = self.folder(document) else { return Target::Unknown };
        // `..` leads up from where the document stands, whatever links lie on the way.
        let mut place = folder.place.clone();
        for part in Path::new(path).components() {
            match part {
                Component::Normal(name) => place.push(name),
                Component::CurDir => {}
                Component::ParentDir if place != folder.root => {
                    place.pop();
                }
                _ => return Target::Unknown,
            }
        }
        match inside(&place, &folder.root) {
            Some(real) => Target::There(self.anchors(&real)),
            None if place.ancestors().skip(1).any(|above| leaves(above, &folder.root)) => Target::Unknown,
            None if place.symlink_metadata().is_ok() => Target::Unknown,
            None => folder.maker.map_or(Target::Missing, Target::Unmade),
        }
    }

    /// The folder of a document; `None` where it has none.
    fn folder(&self, document: &str) -> Option<Folder> {
        if document == STANDARD {
            return None;
        }
        let path = self.base.join(document);
        let parent = path.parent().unwrap_or(Path::new("")).to_path_buf();
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        let find = || {
            let place = Path::new(".").join(&parent).canonicalize().ok()?;
            let repository = place.ancestors().find(|folder| folder.join(REPOSITORY).exists());
            let top = || self.tops.iter().filter(|top| place.starts_with(top)).min_by_key(|top| top.as_os_str().len());
            let root = repository.or_else(|| top().map(PathBuf::as_path)).unwrap_or(&place).to_path_buf();
            let above = place.ancestors().take_while(|folder| folder.starts_with(&root));
            let maker =
                |folder: &Path| site_files().find(|(file, _)| folder.join(file).exists()).map(|(_, maker)| maker);
            let maker = above.into_iter().find_map(maker);
            Some(Folder { place, root, maker })
        };
        folders.entry(parent.clone()).or_insert_with(find).clone()
    }

    /// The anchors of what is at a place, when it is a document or a folder that is shown by one.
    fn anchors(&self, place: &Path) -> Option<Arc<Anchors>> {
        if place.is_dir() {
            let shown = OF_FOLDERS.iter().map(|name| place.join(name)).find(|path| path.is_file())?;
            // A link may lead out of the tree.
            return self.anchors(&inside(&shown, place)?);
        }
        let ending = place.extension()?.to_str()?;
        if !ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)) {
            return None;
        }
        if let Some(known) = self.anchors.lock().unwrap_or_else(PoisonError::into_inner).get(place) {
            return known.clone();
        }
        let text = self.texts.get(place).cloned().or_else(|| {
            let small = place.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() <= LARGEST);
            small.then(|| std::fs::read_to_string(place).ok()).flatten().map(Arc::from)
        });
        let anchors = text.map(|text| Arc::new(Anchors::of(&text)));
        self.anchors.lock().unwrap_or_else(PoisonError::into_inner).insert(place.to_path_buf(), anchors.clone());
        anchors
    }
}

/// Where a place really is, when that is inside of a folder.
fn inside(place: &Path, folder: &Path) -> Option<PathBuf> {
    place.canonicalize().ok().filter(|real| real.starts_with(folder))
}

/// Whether a folder is there and lies elsewhere: behind a link.
fn leaves(folder: &Path, root: &Path) -> bool {
    folder.starts_with(root) && folder.canonicalize().is_ok_and(|real| !real.starts_with(root))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there(target: &Target) -> &'static str {
        match target {
            Target::Missing => "missing",
            Target::Unmade(_) => "unmade",
            Target::Unknown => "unknown",
            Target::There(None) => "there",
            Target::There(Some(_)) => "document",
        }
    }

    #[test]
    fn links_are_looked_up_inside_the_tree_only() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("repository");
        std::fs::create_dir_all(root.join("docs/deep")).unwrap();
        std::fs::create_dir(root.join(".git")).unwrap();
        std::fs::write(outer.path().join("secret.md"), "# Secret\n").unwrap();
        for name in ["README.md", "LICENSE", "docs/a.md", "docs/deep/b.md"] {
            std::fs::write(root.join(name), "# Title\n").unwrap();
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../secret.md", root.join("out.md")).unwrap();
            std::os::unix::fs::symlink("..", root.join("up")).unwrap();
            std::os::unix::fs::symlink("nowhere", root.join("dangling")).unwrap();
            std::os::unix::fs::symlink("docs/a.md", root.join("in.md")).unwrap();
        }
        let tree = Tree::of([root.join("docs").as_path()].into_iter());
        let document = root.join("docs/a.md");
        let check = |path: &str, expected: &str| {
            assert_eq!(there(&tree.look(document.to_str().unwrap(), path)), expected, "{path}");
        };
        check("deep/b.md", "document");
        check("./deep/../a.md", "document");
        check("..", "document");
        check("deep", "there");
        check("../LICENSE", "there");
        check("../in.md", "document");
        check("gone.md", "missing");
        check("../gone/x.md", "missing");
        for path in [
            "../../secret.md",
            "../../gone.md",
            "../out.md",
            "../up/secret.md",
            "../up/gone.md",
            "../dangling",
            "/etc/passwd",
        ] {
            check(path, "unknown");
        }
        assert_eq!(there(&tree.look(STANDARD, "docs/a.md")), "unknown");
        std::fs::write(root.join("docs/book.toml"), "").unwrap();
        let tree = Tree::of(std::iter::empty());
        assert_eq!(there(&tree.look(document.to_str().unwrap(), "gone.md")), "unmade");
        assert_eq!(there(&tree.look(root.join("README.md").to_str().unwrap(), "gone.md")), "missing");
    }

    #[test]
    fn chapters_of_a_book_have_the_anchors_that_they_have_now() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("src")).unwrap();
        std::fs::write(root.path().join("src/a.md"), "# Before\n").unwrap();
        let chapter = Input { path: "src/a.md".into(), text: "# After\n".into() };
        let tree = Tree::of_book(root.path(), &[chapter]);
        let Target::There(Some(anchors)) = tree.look("src/a.md", "a.md") else { panic!("it is there") };
        assert!(anchors.has("after") && !anchors.has("before"));
    }
}
