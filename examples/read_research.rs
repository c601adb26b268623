//! Prints what the reader sees in research files.
//!
//! `cargo run --example read_research -- FILE...`

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let file = cited::source::research::read_research(&path, &std::fs::read_to_string(&path)?);
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
    Ok(())
}
