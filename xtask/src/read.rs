//! What is read of a file, to look at.

use std::path::{Path, PathBuf};

use cited::citation::{self, Citations, KnownLabels, Target};
use cited::claim;
use cited::finding::Code;
use cited::markdown::Document;
use cited::source::research::read_research;

use crate::{Result, files};

/// Prints what is read of files, to look at: their citations, a line a file, their claims, or their notes.
#[derive(clap::Args)]
pub struct Arguments {
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// All of the citations.
    #[arg(short, long)]
    verbose: bool,
    /// The claims, without a look at the citations.
    #[arg(long, conflicts_with = "verbose")]
    claims: bool,
    /// The claims of one kind alone.
    #[arg(long, requires = "claims")]
    kind: Option<String>,
    /// Entries and notes, as research files have them.
    #[arg(long, conflicts_with_all = ["verbose", "claims"])]
    research: bool,
}

pub fn run(arguments: &Arguments) -> Result {
    if !arguments.research && !arguments.claims {
        println!("lists entries no-addr markers targets orphan bad-range placement file");
    }
    for path in &arguments.files {
        let text = files::text(path)?;
        if arguments.research {
            research(path, &text);
        } else if arguments.claims {
            claims(text, arguments.kind.as_deref());
        } else {
            citations(path, text, arguments.verbose);
        }
    }
    Ok(())
}

fn claims(text: String, wanted: Option<&str>) {
    let document = Document::read(text);
    for claim in claim::split(&document, &Citations::default()) {
        let kind = format!("{:?}", claim.kind).to_lowercase();
        if wanted.is_none_or(|wanted| wanted == kind) {
            println!("{kind:13} {:?}{} {}", claim.position, if claim.dangling { " leans" } else { "" }, claim.text);
        }
    }
}

fn research(path: &Path, text: &str) {
    let path = path.display().to_string();
    let file = read_research(&path, text);
    println!("{path}: {} entries, {} notes, date {:?}", file.entries.len(), file.notes.len(), file.date);
    for (i, entry) in file.entries.iter().enumerate() {
        let label = entry.label.as_ref().map(ToString::to_string).unwrap_or_default();
        println!("  {i} [{label}] {:?} {:?}", entry.title, entry.addresses);
    }
    for note in &file.notes {
        println!("  note {:?} {:?} verbatim {} label {:?}", note.text, note.entries, note.verbatim, note.label);
    }
    for finding in &file.findings {
        println!("  {} {}", finding.code, finding.message);
    }
}

fn citations(path: &Path, text: String, verbose: bool) {
    let document = Document::read(text);
    let citations = citation::read(&document, &KnownLabels::default());
    let count = |code: Code| citations.findings.iter().filter(|finding| finding.code == code).count();
    let entries: usize = citations.lists.iter().map(|list| list.entries.len()).sum();
    let targets: usize = citations.markers.iter().map(|marker| marker.targets.len()).sum();
    println!(
        "{:5} {entries:7} {:7} {:7} {targets:7} {:6} {:9} {:9} {}",
        citations.lists.len(),
        count(Code::NoAddress),
        citations.markers.len(),
        count(Code::OrphanCitation),
        count(Code::BadRange),
        format!("{:?}", citations.placement),
        path.display(),
    );
    if !verbose {
        return;
    }
    for list in &citations.lists {
        println!("list {:?} level {:?} {:?} scope {:?} {:?}", list.title, list.level, list.kind, list.scope, list.span);
        for entry in &list.entries {
            let label = entry.label.as_ref().map(ToString::to_string).unwrap_or_default();
            println!("  [{label}] {:?} {:?} {:?} {:?}", entry.title, entry.addresses, entry.note, entry.accessed);
        }
    }
    for marker in &citations.markers {
        let target = |target: &Target| match target {
            Target::Entry(id) => format!("{}/{}", id.list, id.entry),
            Target::Label(label) => format!("?{label}"),
            Target::Address(address) => address.clone(),
        };
        let labels: Vec<String> = marker.targets.iter().map(target).collect();
        println!("marker {:?} {:?} {} {labels:?}", document.slice(marker.span), marker.form, marker.standalone);
    }
    for finding in &citations.findings {
        println!("{} {}", finding.code, finding.message);
    }
}
