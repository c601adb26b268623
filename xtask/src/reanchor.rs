//! Citations taken out of reports and found again.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use cited::citation::{self, Citations, EntryId, KnownLabels, Target};
use cited::claim::{self, Claim, ClaimPosition};
use cited::markdown::Document;
use cited::source::research::read_research;
use cited::source::{Registry, ResearchNote, SourceId};
use cited::text::{Span, escape};

use crate::{Result, files};

/// Strip and re-anchor: takes the citations out of reports, gives them back as research notes, and counts what returns.
///
/// Each report's cited claims are written into three research files, each with a numbering of its own; markers and source
/// lists are taken out of the report; its claims are anchored to the files. Nothing is fetched.
#[derive(clap::Args)]
pub struct Arguments {
    /// The reports; `README.md` is none.
    folder: PathBuf,
    /// Names each claim whose sources do not return.
    #[arg(short, long)]
    verbose: bool,
}

/// How many research files a report's notes are dealt out to.
const FILES: usize = 3;

#[derive(Debug, Default)]
struct Tally {
    /// Claims with sources of their own in the report.
    cited: usize,
    /// Those that the stripped report has no claim for.
    lost: usize,
    exact: usize,
    /// Some of their sources, no other.
    partly: usize,
    /// No source.
    none: usize,
    /// A source that they do not have.
    wrong: usize,
    /// Claims that had no source and got one.
    gained: usize,
    /// Claims that had none.
    uncited: usize,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.cited += other.cited;
        self.lost += other.lost;
        self.exact += other.exact;
        self.partly += other.partly;
        self.none += other.none;
        self.wrong += other.wrong;
        self.gained += other.gained;
        self.uncited += other.uncited;
    }

    fn line(&self, name: &str) {
        let share = |n: usize| 100.0 * n as f64 / self.cited.max(1) as f64;
        println!(
            "{:6} {:5} {:7.2}% {:6.2}% {:6.2}% {:6.2}% {:7} of {:6}  {name}",
            self.cited,
            self.lost,
            share(self.exact),
            share(self.partly),
            share(self.none),
            share(self.wrong),
            self.gained,
            self.uncited,
        );
    }
}

pub fn run(arguments: &Arguments) -> Result {
    let verbose = arguments.verbose;
    println!(" cited  lost    exact  partly    none   wrong  gained of uncited");
    let mut total = Tally::default();
    for path in files::reports(&arguments.folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let tally = measure(&files::text(&path)?, verbose);
        if verbose || tally.exact < tally.cited {
            tally.line(&name);
        }
        total.add(&tally);
    }
    total.line("all");
    Ok(())
}

/// What a report has: its claims, and the keys of the sources that each cites itself.
struct Report {
    document: Document,
    citations: Citations,
    claims: Vec<Claim>,
    registry: Registry,
    sources: Vec<Vec<SourceId>>,
}

fn read(text: &str) -> Report {
    let document = Document::read(text);
    let citations = citation::read(&document, &KnownLabels::default());
    let claims = claim::split(&document, &citations);
    let mut registry = Registry::default();
    let listed: HashMap<EntryId, SourceId> = citations
        .lists
        .iter()
        .enumerate()
        .flat_map(|(list, l)| l.entries.iter().enumerate().map(move |(entry, e)| (list, entry, e)))
        .map(|(list, entry, e)| (EntryId { list: list as u32, entry: entry as u32 }, registry.add("draft", e)))
        .collect();
    let sources = claims
        .iter()
        .map(|claim| {
            let mut sources: Vec<SourceId> = Vec::new();
            for marker in &claim.markers {
                for target in &citations.marker(*marker).targets {
                    if let Target::Entry(id) = target
                        && let Some(source) = listed.get(id)
                        && registry.get(*source).address.is_some()
                        && !sources.contains(source)
                    {
                        sources.push(*source);
                    }
                }
            }
            sources
        })
        .collect();
    Report { document, citations, claims, registry, sources }
}

/// The report without its markers and lists.
fn strip(report: &Report) -> String {
    let Report { document, citations, .. } = report;
    let mut cuts: Vec<(Span, String)> = Vec::new();
    for list in &citations.lists {
        cuts.extend(list.parts(document).into_iter().map(|part| (part, String::new())));
    }
    for marker in &citations.markers {
        let text = document.text();
        let mut span = marker.span;
        let words = match marker.link {
            Some(link) if !marker.standalone => document.slice(document.link(link).text).to_owned(),
            _ => String::new(),
        };
        if words.is_empty() && !text[span.end..].starts_with(char::is_alphanumeric) {
            span.start = text[..span.start].trim_end_matches(' ').len();
        }
        cuts.push((span, words));
    }
    cuts.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
    let mut stripped = String::new();
    let mut from = 0;
    for (span, words) in cuts {
        if span.start >= from {
            stripped.push_str(&document.text()[from..span.start]);
            stripped.push_str(&words);
        }
        from = from.max(span.end);
    }
    stripped.push_str(&document.text()[from..]);
    stripped
}

/// The cited claims as research files; each numbers its sources from its own end of the registry.
fn research(report: &Report) -> Vec<String> {
    let mut files: Vec<(Vec<SourceId>, String)> = vec![(Vec::new(), String::from("### Findings\n\n")); FILES];
    let cited = report.claims.iter().zip(&report.sources).filter(|(claim, sources)| is_measured(claim, sources));
    for (i, (claim, sources)) in cited.enumerate() {
        let (numbers, notes) = &mut files[i % FILES];
        let labels: Vec<String> = sources
            .iter()
            .map(|source| {
                let at = numbers.iter().position(|known| known == source).unwrap_or_else(|| {
                    numbers.push(*source);
                    numbers.len() - 1
                });
                // Numbers that collide between the files and mean something else in each.
                format!("[{}]", at + 1)
            })
            .collect();
        notes.extend(["- ", &escape::inline(&named(claim)), " ", &labels.concat(), "\n"]);
    }
    files
        .into_iter()
        .map(|(numbers, notes)| {
            let mut file = format!("{notes}\n### Sources\n\n");
            for (i, source) in numbers.iter().enumerate() {
                let source = report.registry.get(*source);
                let title = escape::inline(source.title().unwrap_or("Untitled"));
                let address = source.address.as_deref().unwrap_or_default();
                file.extend([&(i + 1).to_string(), ". ", &title, " — ", address, "\n"]);
            }
            file
        })
        .collect()
}

/// The claim's words with what names its cell.
fn named(claim: &Claim) -> String {
    match (&claim.context, claim.position) {
        (Some(context), ClaimPosition::Cell) => format!("{context}: {}", claim.text),
        _ => claim.text.clone(),
    }
}

fn is_measured(claim: &Claim, sources: &[SourceId]) -> bool {
    !sources.is_empty() && claim.text.contains(char::is_alphabetic)
}

fn measure(text: &str, verbose: bool) -> Tally {
    let report = read(text);
    let files = research(&report);
    let mut registry = Registry::default();
    let mut notes = Vec::new();
    let mut known = KnownLabels::default();
    for (i, text) in files.iter().enumerate() {
        let path = format!("research-{i}.md");
        let file = read_research(&path, text);
        known.add_file(&file.entries, "");
        let ids: Vec<SourceId> = file.entries.iter().map(|entry| registry.add(&path, entry)).collect();
        notes.extend(file.notes.into_iter().map(|note| ResearchNote {
            sources: note.entries.iter().map(|entry| ids[*entry]).collect(),
            file: path.clone(),
            ..note
        }));
    }
    let stripped = Document::read(strip(&report));
    let citations = citation::read(&stripped, &KnownLabels::default());
    let claims = claim::split(&stripped, &citations);
    let all: Vec<&Claim> = claims.iter().collect();
    // A note that only may say a claim gives it no source.
    let anchors =
        claim::anchor(&all, &notes).0.into_iter().map(|anchor| anchor.filter(|anchor| !anchor.sources.is_empty()));
    let anchors: Vec<_> = anchors.collect();

    let mut by_words: HashMap<String, Vec<usize>> = HashMap::new();
    for (i, claim) in claims.iter().enumerate().rev() {
        by_words.entry(named(claim)).or_default().push(i);
    }
    let mut tally = Tally::default();
    let mut seen = BTreeSet::new();
    for (claim, sources) in report.claims.iter().zip(&report.sources) {
        let here = by_words.get_mut(&named(claim)).and_then(Vec::pop);
        seen.extend(here);
        if !is_measured(claim, sources) {
            if let Some(i) = here
                && sources.is_empty()
            {
                tally.uncited += 1;
                tally.gained += usize::from(anchors[i].is_some());
                if verbose && let Some(anchor) = &anchors[i] {
                    println!(
                        "  gained {:.2} {:?} {}\n         {}",
                        anchor.score, claim.kind, claim.text, notes[anchor.note].text
                    );
                }
            }
            continue;
        }
        tally.cited += 1;
        if verbose {
            println!("kind {:?}", claim.kind);
        }
        let Some(i) = here else {
            tally.lost += 1;
            if verbose {
                println!("  lost {}", claim.text);
            }
            continue;
        };
        let wanted: BTreeSet<&str> = sources.iter().map(|source| report.registry.get(*source).key.0.as_str()).collect();
        let found: BTreeSet<&str> = anchors[i]
            .iter()
            .flat_map(|anchor| &anchor.sources)
            .map(|source| registry.get(*source).key.0.as_str())
            .collect();
        let what = if found == wanted {
            tally.exact += 1;
            continue;
        } else if found.is_empty() {
            tally.none += 1;
            "none"
        } else if found.is_subset(&wanted) {
            tally.partly += 1;
            "partly"
        } else {
            tally.wrong += 1;
            "wrong"
        };
        if verbose {
            println!(
                "  {what} {:?} {:?} {}\n    wanted {wanted:?}\n    found  {found:?}",
                claim.position, claim.kind, claim.text
            );
            if let Some(anchor) = &anchors[i] {
                println!("    note   {}", notes[anchor.note].text);
            }
        }
    }
    tally
}
