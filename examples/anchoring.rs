//! Anchors claims to notes that say the same in other words, among notes of other sources, and counts.
//!
//! ```text
//! cargo run --release --example anchoring -- DIR [--group 10] [--half a|b] [--near]
//! ```
//!
//! DIR holds the labelled sets of `evaluate`. Of each set the supported claims are put into groups; the passage of each
//! claim's own source that has most of its words becomes a note, and each claim is anchored to the notes of its group as
//! the program would do it. A claim is right when it gets its own source alone, wrong when it gets another one, strayed
//! when it gets one although the notes of its own source are taken away. Groups are of claims from all over the set, which
//! are of different subjects; with `--near`, of neighbours, which are often of one.

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

use cited::citation::Citations;
use cited::claim::{self, Claim};
use cited::evidence::SourceIndex;
use cited::evidence::search::terms;
use cited::markdown::Document;
use cited::source::{AnchorNote, SourceId};
use serde_json::Value;

#[derive(Default)]
struct Tally {
    claims: usize,
    right: usize,
    wrong: usize,
    strayed: usize,
}

impl Tally {
    fn print(&self, name: &str) {
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        println!(
            "{name:<18} {:>6} | {:>9.3} {:>9.3} {:>9.3} {:>10.3} {:>9.3}",
            self.claims,
            share(self.right, self.claims),
            share(self.wrong, self.claims),
            share(self.claims - self.right - self.wrong, self.claims),
            share(self.right, self.right + self.wrong),
            share(self.strayed, self.claims),
        );
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut dir, mut group, mut half, mut near) = (None, 10usize, None, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--group" => group = arguments.next().ok_or("--group needs a number")?.parse()?,
            "--half" => half = arguments.next().map(|half| u64::from(half != "a")),
            "--near" => near = true,
            _ => dir = Some(PathBuf::from(argument)),
        }
    }
    let dir = dir.ok_or("usage: anchoring DIR [--group N] [--half a|b] [--near]")?;
    println!(
        "{:<18} {:>6} | {:>9} {:>9} {:>9} {:>10} {:>9}",
        "set", "claims", "right", "wrong", "none", "precision", "strayed"
    );
    let mut files: Vec<PathBuf> = fs::read_dir(dir)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    let mut all = Tally::default();
    for path in files {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let mut rows: Vec<(String, String)> = Vec::new();
        for line in fs::read_to_string(&path)?.lines() {
            let row: Value = serde_json::from_str(line)?;
            let text = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            let mine = half.is_none_or(|half| fnv(&text("id")) % 2 == half);
            if mine && text("label") == "supported" {
                rows.push((text("claim"), text("source_text")));
            }
        }
        // Neighbouring rows are often of one subject; dealing them out makes groups of different ones.
        let groups = rows.len().div_ceil(group.max(1)).max(1);
        let mut tally = Tally::default();
        for first in 0..groups {
            let members: Vec<&(String, String)> = if near {
                rows.iter().skip(first * group).take(group).collect()
            } else {
                rows.iter().skip(first).step_by(groups).collect()
            };
            count(&members, &mut tally);
        }
        if tally.claims > 0 {
            tally.print(name.trim_end_matches(".jsonl").trim_end_matches(".dev"));
            all.claims += tally.claims;
            all.right += tally.right;
            all.wrong += tally.wrong;
            all.strayed += tally.strayed;
        }
    }
    all.print("all");
    Ok(())
}

fn count(members: &[&(String, String)], tally: &mut Tally) {
    let mut sources: HashMap<&str, u32> = HashMap::new();
    let mut notes = Vec::new();
    for (claim, source) in members {
        let next = sources.len() as u32;
        let id = *sources.entry(source.as_str()).or_insert(next);
        let index = SourceIndex::new(source);
        let Some(window) = index.search(&terms(claim), 1).first().copied() else { continue };
        let text = window.span.of(source).to_owned();
        let file = "research.md".to_owned();
        notes.push(AnchorNote {
            text,
            sources: vec![SourceId(id)],
            verbatim: false,
            label: None,
            about: String::new(),
            file,
        });
    }
    for (claim, source) in members {
        let document = Document::read(claim.replace('\n', " ").as_str());
        let claims = claim::split(&document, &Citations::default());
        let wanted: Vec<&Claim> = claims.iter().filter(|claim| claim.kind.is_factual()).collect();
        let own = sources.get(source.as_str()).copied().map(SourceId);
        let others: Vec<AnchorNote> = notes.iter().filter(|note| Some(note.sources[0]) != own).cloned().collect();
        tally.strayed += claim::anchor(&wanted, &others).0.iter().flatten().count();
        let (anchors, _) = claim::anchor(&wanted, &notes);
        for anchor in anchors {
            tally.claims += 1;
            match anchor {
                Some(anchor) if anchor.sources.iter().all(|found| Some(*found) == own) => tally.right += 1,
                Some(_) => tally.wrong += 1,
                None => {}
            }
        }
    }
}

fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
