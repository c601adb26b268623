//! Files that claims name as where their value is from: looked up inside the folders of a run, and nowhere else.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::input::{inside, read_bounded, same_file};
use super::output::folder_of;
use crate::pipeline::ReadArtifact;

/// The largest file that is looked into.
const LARGEST: u64 = 8 << 20;

/// Endings of files that hold values and not prose: what a document says about itself is no evidence for it.
const ENDINGS: [&str; 14] =
    ["csv", "dat", "json", "jsonl", "log", "ndjson", "out", "text", "toml", "tsv", "txt", "xml", "yaml", "yml"];

/// A lookup inside the folders of `files`. Paths in `never` are not found: what the run itself reads as research, and what
/// it writes.
pub fn lookup<'a>(files: impl Iterator<Item = &'a Path>, never: Vec<PathBuf>) -> ReadArtifact {
    let mut folders: Vec<PathBuf> = files.filter_map(|file| folder_of(file).canonicalize().ok()).collect();
    folders.dedup();
    Arc::new(move |name| folders.iter().find_map(|folder| find(folder, name, &never)))
}

fn find(folder: &Path, name: &str, never: &[PathBuf]) -> Option<Result<String, String>> {
    let relative = Path::new(name);
    let is_below = relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let ending = relative.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
    let holds_values = ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()));
    // Our own records repeat what documents claim.
    if !is_below || !holds_values || name.ends_with(".record.json") {
        return None;
    }
    let path = inside(folder, relative)?;
    let is_found = path.is_file() && !never.iter().any(|other| same_file(&path, other));
    let text = is_found.then(|| read_bounded(&path, LARGEST))?;
    let text = text.and_then(|text| String::from_utf8(text).map_err(|_| "is not UTF-8".to_owned()));
    Some(text.map_err(|why| format!("it {why}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_inside_the_folders_are_found() {
        let root = tempfile::tempdir().unwrap();
        let inside = root.path().join("work");
        std::fs::create_dir_all(inside.join("results")).unwrap();
        std::fs::write(root.path().join("secret.txt"), "secret").unwrap();
        std::fs::write(inside.join("results/run1.json"), "31.5").unwrap();
        std::fs::write(inside.join("notes.md"), "31.5").unwrap();
        std::fs::write(inside.join("read.txt"), "31.5").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(root.path().join("secret.txt"), inside.join("link.txt")).unwrap();
        let lookup = lookup([inside.join("draft.md").as_path()].into_iter(), vec![inside.join("read.txt")]);
        assert_eq!(lookup("results/run1.json"), Some(Ok("31.5".to_owned())));
        assert_eq!(lookup("./results/run1.json"), Some(Ok("31.5".to_owned())));
        std::fs::write(inside.join("wide.csv"), [0xff, 0xfe, b'3', 0]).unwrap();
        assert_eq!(lookup("wide.csv"), Some(Err("it is not UTF-8".to_owned())));
        std::fs::File::create(inside.join("large.csv")).unwrap().set_len(LARGEST + 1).unwrap();
        assert_eq!(lookup("large.csv"), Some(Err("it is larger than 8 MiB".to_owned())));
        let absolute = root.path().join("secret.txt");
        for name in ["../secret.txt", "link.txt", "notes.md", "read.txt", "results", "", absolute.to_str().unwrap()] {
            assert_eq!(lookup(name), None, "{name}");
        }
    }
}
