//! The main job on whole reports, held against the promises.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cited::citation::{self, Citations, KnownLabels, Target};
use cited::decide::{Action, check};
use cited::fetch::{Fetcher, Fetching, Outcome, Request};
use cited::markdown::Document;
use cited::pipeline::Run;
use cited::source::key_of;

use crate::labelled::fnv;
use crate::{Result, files, promises};

/// Runs the main job on every report of a folder, without a network, and holds the briefs against the promises.
///
/// Each report is run three times: with every source live, with a third of the hosts dead, and its brief again. A scripted
/// fetcher stands in for the network; support is not judged, so that only reading, deciding and writing are measured.
#[derive(clap::Args)]
pub struct Arguments {
    /// The reports; `README.md` is none.
    folder: PathBuf,
    /// Runs those alone whose name has this.
    only: Option<String>,
    /// Lists what is removed while all sources live, with the kind of each claim, to be read critically.
    #[arg(long)]
    removed: bool,
}

/// Every source answers by a rule on its host.
struct Scripted {
    dead: fn(&str) -> bool,
}

impl Fetcher for Scripted {
    fn fetch<'a>(&'a self, request: &'a Request) -> Fetching<'a> {
        let dead = |address: &str| if (self.dead)(&host(address)) { Outcome::Dead } else { Outcome::Live };
        let fetched = promises::answer(request, dead);
        Box::pin(async move { fetched })
    }
}

fn host(address: &str) -> String {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest).to_lowercase()
}

fn nobody(_: &str) -> bool {
    false
}

/// A third of all hosts.
fn a_third(host: &str) -> bool {
    fnv(host).is_multiple_of(3)
}

#[derive(Default)]
struct Tally {
    claims: usize,
    removed: BTreeMap<String, usize>,
    markers: usize,
    sources: usize,
    faults: Vec<String>,
}

fn verified(text: &str, dead: fn(&str) -> bool) -> cited::Result<Run> {
    promises::run(text, &[], &Scripted { dead }, &promises::options())
}

/// The keys that each marker cites, in document order; markers that cite nothing are left out.
///
/// A number right after words that link to the same source was added by cited; the words are the citation.
fn cited_keys(document: &Document, citations: &Citations, outside: &[cited::text::Span]) -> Vec<(usize, Vec<String>)> {
    let added = |at: usize| {
        let before = document.text()[..citations.markers[at].span.start].trim_end().len();
        document.links().iter().any(|link| link.span.end == before && !link.image)
    };
    citations
        .markers
        .iter()
        .enumerate()
        .filter(|(at, marker)| {
            marker.standalone && !added(*at) && !outside.iter().any(|span| span.overlaps(marker.span))
        })
        .map(|(_, marker)| marker)
        .map(|marker| {
            let mut keys: Vec<String> = marker
                .targets
                .iter()
                .filter_map(|target| match target {
                    Target::Entry(id) => {
                        let entry = &citations.lists[id.list as usize].entries[id.entry as usize];
                        Some(entry.addresses.first().map_or(entry.title.clone(), |address| key_of(address).0))
                    }
                    Target::Address(address) => Some(key_of(address).0),
                    Target::Label(_) => None,
                })
                .collect();
            keys.sort();
            keys.dedup();
            (marker.span.start, keys)
        })
        .filter(|(_, keys)| !keys.is_empty())
        .collect()
}

fn hold(text: &str, run: &Run, dead: fn(&str) -> bool, tally: &mut Tally) {
    let before = Document::read(text);
    let before_citations = citation::read(&before, &KnownLabels::default());
    let after = Document::read(run.brief.clone());
    let after_citations = citation::read(&after, &KnownLabels::default());
    if let Err(fault) = check::numbers(&after, &after_citations, false, false, &|_| None) {
        tally.faults.push(format!("promise 5: {fault}"));
    }
    // Every marker that stays points where it pointed.
    let gone: Vec<_> =
        run.record.edits.iter().filter(|e| e.replacement.is_empty() || e.replacement == "—").map(|e| e.span).collect();
    // Every address that the draft gives a source, in its lists and in its links; one that is live is enough.
    let mut addresses: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for entry in before_citations.lists.iter().flat_map(|list| &list.entries) {
        for address in &entry.addresses {
            addresses.entry(key_of(address).0).or_default().extend(entry.addresses.iter().cloned());
        }
    }
    for target in before_citations.markers.iter().flat_map(|marker| &marker.targets) {
        if let Target::Address(address) = target {
            addresses.entry(key_of(address).0).or_default().push(address.clone());
        }
    }
    let is_dead =
        |key: &String| addresses.get(key).is_some_and(|known| known.iter().all(|address| dead(&host(address))));
    let mut expected = cited_keys(&before, &before_citations, &gone);
    for (_, keys) in &mut expected {
        keys.retain(|key| !is_dead(key));
    }
    expected.retain(|(_, keys)| !keys.is_empty());
    let found = cited_keys(&after, &after_citations, &[]);
    if expected.iter().map(|(_, keys)| keys).ne(found.iter().map(|(_, keys)| keys)) {
        let at = expected.iter().zip(&found).position(|(a, b)| a.1 != b.1).unwrap_or(expected.len().min(found.len()));
        tally.faults.push(format!(
            "markers differ from number {at}: {:?} became {:?}",
            expected.get(at),
            found.get(at)
        ));
    }
    for claim in &run.record.verifications {
        let sources: Vec<bool> = claim.sources_reconciled.iter().map(|s| dead(&host(&s.source_url))).collect();
        let removed = matches!(claim.action, Action::Drop | Action::Todo);
        if removed && sources.iter().any(|dead| !dead) {
            tally.faults.push(format!("lost with a live source: {:?} ({})", claim.claim_text, claim.notes));
        }
        let heading = claim.kind == cited::claim::ClaimKind::Heading;
        if !removed && !heading && !sources.is_empty() && sources.iter().all(|dead| *dead) {
            tally.faults.push(format!("kept with dead sources only: {:?}", claim.claim_text));
        }
        if removed {
            let reason = claim.notes.split(':').next().unwrap_or_default().to_owned();
            *tally.removed.entry(reason).or_default() += 1;
        }
    }
    tally.claims += run.record.stats.claims;
    tally.sources += run.record.stats.cited;
    tally.markers += found.len();
    match verified(&run.brief, dead) {
        Ok(again) if again.record.edits.is_empty() => {}
        Ok(again) => tally.faults.push(format!("a second run edits: {:?}", again.record.edits[0])),
        // A brief of which no source is left has nothing to check.
        Err(_) if run.record.stats.cited == 0 => {}
        Err(error) => tally.faults.push(format!("a second run fails: {error}")),
    }
}

/// Names every claim that a run removed.
fn list_removed(path: &Path, run: &Run) {
    let name = files::stem(path);
    for claim in &run.record.verifications {
        if matches!(claim.action, Action::Drop | Action::Todo) {
            println!("{name}:{} {:?} | {} | {}", claim.line, claim.kind, claim.claim_text, claim.notes);
        }
    }
}

pub fn run(arguments: &Arguments) -> Result {
    let mut paths = files::reports(&arguments.folder)?;
    paths.retain(|path| arguments.only.as_ref().is_none_or(|only| path.to_string_lossy().contains(only)));
    let webs = [
        ("all sources live", nobody as fn(&str) -> bool, arguments.removed),
        ("a third of the hosts dead", a_third, false),
    ];
    for (name, dead, lists_removed) in webs {
        let mut tally = Tally::default();
        let (mut clean, mut no_list) = (0, 0);
        for path in &paths {
            let text = files::text(path)?;
            let faults = tally.faults.len();
            match verified(&text, dead) {
                Ok(run) => {
                    hold(&text, &run, dead, &mut tally);
                    if lists_removed {
                        list_removed(path, &run);
                    }
                }
                Err(error) if error.to_string().contains("no source list") => no_list += 1,
                Err(error) => tally.faults.push(error.to_string()),
            }
            clean += usize::from(tally.faults.len() == faults);
            for fault in &mut tally.faults[faults..] {
                *fault = format!("{}: {fault}", path.file_name().unwrap_or_default().to_string_lossy());
            }
        }
        println!("\n## {name}\n");
        println!(
            "| reports | without a fault | without a source list | claims | removed | markers in the briefs | sources cited |"
        );
        println!("|---|---|---|---|---|---|---|");
        let removed: usize = tally.removed.values().sum();
        println!(
            "| {} | {clean} | {no_list} | {} | {removed} | {} | {} |",
            paths.len(),
            tally.claims,
            tally.markers,
            tally.sources
        );
        println!();
        for (reason, count) in &tally.removed {
            println!("- removed, {reason}: {count}");
        }
        for fault in tally.faults.iter().take(40) {
            println!("- FAULT {}", fault.chars().take(400).collect::<String>());
        }
    }
    Ok(())
}
