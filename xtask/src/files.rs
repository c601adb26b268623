//! The files that a program reads.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Result;

/// A text; what is wrong with the file is said with its name.
pub fn text(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// The name without what it ends in.
pub fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The files with such an ending below a folder, in the order of their paths.
pub fn below(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending)) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The reports below a folder: Markdown, but no `README.md`.
pub fn reports(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut reports = below(folder, "md")?;
    reports.retain(|path| path.file_name().is_some_and(|name| name != "README.md"));
    Ok(reports)
}
