//! Reads documents, records and lists, and lets the state know what they cite. One that did not change is not read again.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::commands::check::files;
use crate::commands::check::search::map_all;
use crate::commands::input::{self, STANDARD};
use crate::commands::output::hash_of_brief;
use crate::pipeline::audit::{hash_with, of_addresses, of_markdown, of_record};
use cited_audit::store::{Document, Store};
use cited_core::error::{Error, Result};
use cited_core::input::Input;
use cited_core::page::sha256_hex;
use cited_report::findings::Incomplete;
use cited_report::prose;

/// How the names of records end.
const RECORD: &str = ".record.json";
/// How the names of side-cars end.
const SIDE_CAR: &str = ".provenance.md";
/// How the names of lists of addresses end.
const LIST: &str = ".txt";
/// Documents that are read at once.
const PART: usize = 64;

/// The files that the audit reads.
///
/// # Errors
/// When a path does not exist, or there is no file at all.
pub fn find(paths: &[PathBuf]) -> Result<(Vec<PathBuf>, Vec<Incomplete>)> {
    let (mut paths, incomplete) = files::find(paths, is_named_record)?;
    paths.retain(|path| !is_side_car(path));
    Ok((paths, incomplete))
}

/// Whether a file is what cited wrote beside a brief and its record: it stands on nothing of its own.
fn is_side_car(path: &Path) -> bool {
    let name = path.to_string_lossy();
    name.strip_suffix(SIDE_CAR).is_some_and(|stem| Path::new(&format!("{stem}{RECORD}")).is_file())
}

fn is_named_record(path: &Path) -> bool {
    path.to_string_lossy().ends_with(RECORD)
}

/// Whether a file is a record, whatever it is called and whoever wrote it.
fn is_record(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "json")
}

fn is_list(path: &Path) -> bool {
    path == Path::new(STANDARD) || path.to_string_lossy().ends_with(LIST)
}

/// A document that a report names, with its text as far as it can be read: places in it are told by their lines.
pub fn text_of(path: &str) -> Input {
    Input { path: path.to_owned(), text: std::fs::read_to_string(path).unwrap_or_default().into() }
}

/// Whether a file is a document that can be repaired.
pub fn is_markdown(path: &Path) -> bool {
    !is_record(path) && !is_list(path)
}

/// Lets the state know what the files cite; what was not given this time is forgotten. Says what could not be read: of that all that is
/// known stays.
///
/// # Errors
/// When a file that was there is gone, or the state cannot be written.
pub fn into(store: &mut Store, paths: &[PathBuf], incomplete: Vec<Incomplete>, now: Timestamp) -> Result<Vec<String>> {
    let mut unread: Vec<String> = incomplete.into_iter().map(|what| what.reason).collect();
    let folders_whole = unread.is_empty();
    let mut given: HashSet<String> = paths.iter().map(|path| path.display().to_string()).collect();
    let (records, documents): (Vec<&PathBuf>, Vec<&PathBuf>) = paths.iter().partition(|path| is_record(path));
    let (records, faults): (Vec<_>, Vec<_>) = records.iter().map(|path| record(path)).partition(Result::is_ok);
    unread.extend(faults.into_iter().filter_map(Result::err).map(|error| error.to_string()));
    let records: Vec<LendingRecord> = records.into_iter().flatten().collect();
    // A brief that has a record is known by both.
    let briefs = records.iter().filter(|record| !record.brief.is_empty());
    let lent: HashMap<&str, &Document> = briefs.map(|record| (record.brief.as_str(), &record.document)).collect();
    let mut taken: HashSet<&str> = HashSet::new();
    for part in documents.chunks(PART) {
        let mut to_read: Vec<(&Path, Input, Option<&Document>)> = Vec::new();
        for path in part {
            let input = match input::read(path) {
                Ok(input) => input,
                // What a user named and is not there any more ends the run before anything is changed.
                Err(error) => {
                    unread.push(error.to_string());
                    continue;
                }
            };
            let hash = sha256_hex(input.text.as_bytes());
            let record = lent.get(hash.as_str()).copied().filter(|_| !is_list(path));
            taken.extend(record.map(|record| record.path.as_str()));
            if !store.is_known(&input.path, &hash_with(&hash, record))? {
                to_read.push((path, input, record));
            }
        }
        let read = map_all(&to_read, |(path, input, record)| {
            let lists = is_list(path);
            if lists { of_addresses(&input.path, &input.text) } else { (of_markdown(input, *record), Vec::new()) }
        });
        for (document, wrong) in read {
            unread.extend(wrong);
            store.document(&document, now)?;
        }
    }
    for LendingRecord { document, .. } in &records {
        if taken.contains(document.path.as_str()) {
            // Its brief is here: what stands on its sources is told of the brief.
            given.remove(&document.path);
        } else if !store.is_known(&document.path, &document.sha256)? {
            store.document(document, now)?;
        }
    }
    // What a folder has that could not be looked into is not gone.
    if folders_whole {
        for path in store.documents()? {
            if !given.contains(&path) {
                store.forget(&path, now)?;
            }
        }
    }
    Ok(unread)
}

/// A record that was read, which lends its passages to its brief.
struct LendingRecord {
    document: Document,
    /// The hash of the brief that it is of; empty where it does not say which.
    brief: String,
}

fn record(path: &Path) -> Result<LendingRecord> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::read(path, error))?;
    let name = path.display().to_string();
    let record =
        prose::read(&text).map_err(|why| Error::input(format!("{name}: is no record: {why}; write it again")))?;
    let document = of_record(&name, &record, sha256_hex(text.as_bytes()));
    Ok(LendingRecord { document, brief: hash_of_brief(path).unwrap_or_default() })
}
