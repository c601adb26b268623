//! What the user leaves out: documents by their paths, links by their addresses.

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use regex::Regex;
use std::path::Path;

/// Patterns of what is left out.
#[derive(Debug, Clone, Default)]
pub struct Excluded {
    files: Option<Gitignore>,
    links: Vec<Regex>,
}

impl Excluded {
    /// `files`: globs of paths as `.gitignore` writes them, from the working folder; `links`: hosts, or addresses in which `*`
    /// stands for anything.
    ///
    /// # Errors
    /// When a pattern of files cannot be read.
    pub fn new(files: &[String], links: &[String]) -> Result<Excluded, String> {
        let mut rules = GitignoreBuilder::new("");
        for glob in files {
            rules.add_line(None, glob).map_err(|error| error.to_string())?;
        }
        let rules = rules.build().map_err(|error| error.to_string())?;
        let links = links.iter().filter_map(|pattern| Regex::new(&expression(pattern)).ok());
        Ok(Excluded { files: (!files.is_empty()).then_some(rules), links: links.collect() })
    }

    /// Whether a document that was found in a folder is left out.
    pub fn has_file(&self, path: &Path) -> bool {
        let path = path.strip_prefix("./").unwrap_or(path);
        self.files
            .as_ref()
            .is_some_and(|rules| !path.is_absolute() && rules.matched_path_or_any_parents(path, false).is_ignore())
    }

    /// Whether an address is left out.
    pub fn has_link(&self, address: &str) -> bool {
        self.links.iter().any(|pattern| pattern.is_match(address))
    }
}

/// A pattern of addresses as an expression: a host stands for all of its addresses and those of the hosts below it.
fn expression(pattern: &str) -> String {
    let any = |text: &str| regex::escape(text).replace(r"\*", ".*");
    let is_host = !pattern.contains(['/', '*', '#', '?']) && pattern.contains('.');
    if is_host {
        format!(r"(?i)^(?:[a-z]+:)?//(?:[^/]*[.@])?{}(?:[:/?#]|$)", any(pattern))
    } else {
        format!("(?i)^{}$", any(pattern))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
