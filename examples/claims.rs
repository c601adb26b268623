//! Prints the claims of a Markdown file without looking at its citations: a look at what the splitter does.
//!
//! Usage: `cargo run --example claims -- FILE [KIND]`

use cited::citation::Citations;
use cited::claim;
use cited::markdown::Document;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("usage: claims FILE [KIND]");
        std::process::exit(2);
    };
    let wanted = arguments.next();
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{path}: {error}");
            std::process::exit(2);
        }
    };
    let document = Document::read(text);
    for claim in claim::split(&document, &Citations::default()) {
        let kind = format!("{:?}", claim.kind).to_lowercase();
        if wanted.as_ref().is_none_or(|wanted| *wanted == kind) {
            println!("{kind:13} {:?}{} {}", claim.place, if claim.dangling { " leans" } else { "" }, claim.text);
        }
    }
}
