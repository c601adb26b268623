//! Prints what the reader sees in Markdown files: a line a file, or everything of one file with `-v`.
//!
//! `cargo run --example read_citations -- [-v] FILE...`

use cited::citation::{self, KnownLabels, Target};
use cited::finding::Code;
use cited::markdown::Document;

fn main() -> std::io::Result<()> {
    let mut verbose = false;
    println!("lists entries no-addr markers targets orphan bad-range placement file");
    for argument in std::env::args().skip(1) {
        if argument == "-v" {
            verbose = true;
            continue;
        }
        let document = Document::read(std::fs::read_to_string(&argument)?);
        let citations = citation::read(&document, &KnownLabels::default());
        let count = |code: Code| citations.findings.iter().filter(|finding| finding.code == code).count();
        let entries: usize = citations.lists.iter().map(|list| list.entries.len()).sum();
        let targets: usize = citations.markers.iter().map(|marker| marker.targets.len()).sum();
        println!(
            "{:5} {entries:7} {:7} {:7} {targets:7} {:6} {:9} {:9} {argument}",
            citations.lists.len(),
            count(Code::NoAddress),
            citations.markers.len(),
            count(Code::OrphanCitation),
            count(Code::BadRange),
            format!("{:?}", citations.placement),
        );
        if !verbose {
            continue;
        }
        for list in &citations.lists {
            println!(
                "list {:?} level {:?} {:?} scope {:?} {:?}",
                list.title, list.level, list.kind, list.scope, list.span
            );
            for entry in &list.entries {
                let label = entry.label.as_ref().map(ToString::to_string).unwrap_or_default();
                println!("  [{label}] {:?} {:?} {:?} {:?}", entry.title, entry.addresses, entry.note, entry.accessed);
            }
        }
        for marker in &citations.markers {
            let labels: Vec<_> = marker
                .targets
                .iter()
                .map(|target| match target {
                    Target::Entry(id) => format!("{}/{}", id.list, id.entry),
                    Target::Label(label) => format!("?{label}"),
                    Target::Address(address) => address.clone(),
                })
                .collect();
            println!("marker {:?} {:?} {} {labels:?}", document.slice(marker.span), marker.form, marker.standalone);
        }
        for finding in &citations.findings {
            println!("{} {}", finding.code, finding.message);
        }
    }
    Ok(())
}
