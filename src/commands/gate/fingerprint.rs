//! What a log of a run is of: everything that is checked, to the byte.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::corpus::Corpus;
use super::evidence;
use crate::cli::gate_args::Gate;
use crate::commands::input;
use crate::error::{Error, Result};
use crate::fetch::page::sha256_hex;
use crate::gate::criteria::{Check, Criteria};
use crate::gate::manifest::{Claim, Manifest, Place};

/// Makes sure that everything can be looked at once more where a log of the run is kept.
///
/// # Errors
/// When something is on standard input.
pub fn vet(args: &Gate) -> Result<()> {
    if args.criteria.events.is_some() && named(args).any(|path| path == Path::new(input::STANDARD)) {
        return Err(Error::usage("--events needs files: what is on standard input cannot be read again"));
    }
    Ok(())
}

/// The files that are named one by one.
fn named(args: &Gate) -> impl Iterator<Item = &PathBuf> {
    let criteria = &args.criteria;
    let files = args.ledger.iter().chain(&criteria.criteria).chain(&criteria.manifest).chain(&criteria.artifact);
    files.chain(&args.evidence.metrics)
}

/// SHA-256 over everything that is checked: each file that is named or lies in a folder of data or sources, what of the
/// corpus the manifest names, the programs of plugins (`plugin` gives the files of one). None where no log is kept.
pub fn of(
    args: &Gate,
    criteria: &Criteria,
    plugin: impl Fn(&str) -> std::result::Result<[PathBuf; 2], String>,
    named_in: Option<(&Corpus, &Manifest)>,
) -> String {
    let Some(log) = &args.criteria.events else { return String::new() };
    // What the run itself writes may lie in a folder that it reads.
    let own = |path: &PathBuf| std::iter::once(log).chain(&args.report).any(|written| input::same_file(path, written));
    let mut files: Vec<PathBuf> = named(args).cloned().collect();
    files.extend(evidence::files(&args.evidence));
    let mut all = String::new();
    for criterion in &criteria.list {
        let Check::Script(name, _) = &criterion.check else { continue };
        match plugin(name) {
            Ok(own) => files.extend(own),
            Err(why) => all.push_str(&format!("{name} {why}\n")),
        }
    }
    for path in files.iter().filter(|path| !own(path)) {
        // What is no file, such as a pipe, can be read once only.
        let hash = if path.is_file() { evidence::hash(path).ok() } else { None };
        let hash = hash.map_or_else(|| "none".to_owned(), |(hash, _)| hash);
        all.push_str(&format!("{} {hash}\n", path.display()));
    }
    if let Some((corpus, manifest)) = named_in {
        // A commit and an address do not come to mean another text.
        let places: Vec<&Place> = manifest
            .claims
            .iter()
            .flat_map(|claim: &Claim| claim.places.iter().filter_map(|place| place.as_ref().ok()))
            .collect();
        let path = |place: &Place| match place {
            Place::Lines(path, ..) | Place::Heading(path, _) => Some(path.clone()),
            _ => None,
        };
        let paths: BTreeSet<String> = places.iter().filter_map(|place| path(place)).collect();
        all.extend(paths.iter().map(|path| format!("{path} {}\n", corpus.fingerprint(path))));
        // Where a test or what was done for an issue stands is found anew each time.
        for place in places.iter().filter(|place| matches!(place, Place::Test(..) | Place::Issue(_))) {
            let text = corpus.text(place).unwrap_or_else(|why| why);
            all.push_str(&format!("{place:?} {}\n", sha256_hex(text.as_bytes())));
        }
    }
    sha256_hex(all.as_bytes())
}
