//! How claims find notes that say the same in other words.

use std::collections::HashMap;
use std::path::PathBuf;

use cited::citation::Citations;
use cited::claim::{self, Claim};
use cited::evidence::SourceIndex;
use cited::evidence::search::terms;
use cited::markdown::Document;
use cited::source::{ResearchNote, SourceId};

use crate::Result;
use crate::labelled::{Half, Row, sets};

/// Anchors claims to notes that say the same in other words, among notes of other sources, and counts.
///
/// Of each set the supported claims are put into groups; the passage of each claim's own source that has most of its words becomes
/// a note, and each claim is anchored to the notes of its group as the program would do it. A claim is right when it gets its own
/// source alone, wrong when it gets another one, strayed when it gets one although the notes of its own source are taken away.
#[derive(clap::Args)]
pub struct Arguments {
    /// The sets, as `evaluate` reads them.
    dir: PathBuf,
    /// How many claims a group has.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    group: u32,
    #[arg(long)]
    half: Option<Half>,
    /// Groups of neighbours, which are often of one subject, not of claims from all over the set.
    #[arg(long)]
    near: bool,
}

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

pub fn run(arguments: &Arguments) -> Result {
    let group = arguments.group as usize;
    println!(
        "{:<18} {:>6} | {:>9} {:>9} {:>9} {:>10} {:>9}",
        "set", "claims", "right", "wrong", "none", "precision", "strayed"
    );
    let mut all = Tally::default();
    for (name, mut rows) in sets(&arguments.dir, arguments.half)? {
        rows.retain(Row::is_supported);
        // Neighbouring rows are often of one subject; dealing them out makes groups of different ones.
        let groups = rows.len().div_ceil(group).max(1);
        let mut tally = Tally::default();
        for first in 0..groups {
            let members: Vec<&Row> = if arguments.near {
                rows.iter().skip(first * group).take(group).collect()
            } else {
                rows.iter().skip(first).step_by(groups).collect()
            };
            count(&members, &mut tally);
        }
        if tally.claims > 0 {
            tally.print(&name);
            all.claims += tally.claims;
            all.right += tally.right;
            all.wrong += tally.wrong;
            all.strayed += tally.strayed;
        }
    }
    all.print("all");
    Ok(())
}

fn count(members: &[&Row], tally: &mut Tally) {
    let mut sources: HashMap<&str, usize> = HashMap::new();
    let mut notes = Vec::new();
    for Row { claim, source, .. } in members {
        let next = sources.len();
        let id = *sources.entry(source.as_str()).or_insert(next);
        let index = SourceIndex::new(source);
        let Some(window) = index.search(&terms(claim), 1).first().copied() else { continue };
        let text = index.span_of(window.first, window.last).slice(source).to_owned();
        let file = "research.md".to_owned();
        notes.push(ResearchNote { text, sources: vec![SourceId(id)], file, ..ResearchNote::default() });
    }
    for Row { claim, source, .. } in members {
        let document = Document::read(claim.replace('\n', " ").as_str());
        let claims = claim::split(&document, &Citations::default());
        let wanted: Vec<&Claim> = claims.iter().filter(|claim| claim.kind.is_factual()).collect();
        let own = sources.get(source.as_str()).copied().map(SourceId);
        let others: Vec<ResearchNote> = notes.iter().filter(|note| Some(note.sources[0]) != own).cloned().collect();
        // A note that only may say a claim gives it no source.
        let anchored = |notes: &[ResearchNote]| {
            let found = claim::anchor(&wanted, notes).0.into_iter();
            found.map(|anchor| anchor.filter(|anchor| !anchor.sources.is_empty()))
        };
        tally.strayed += anchored(&others).flatten().count();
        for anchor in anchored(&notes) {
            tally.claims += 1;
            match anchor {
                Some(anchor) if anchor.sources.iter().all(|found| Some(*found) == own) => tally.right += 1,
                Some(_) => tally.wrong += 1,
                None => {}
            }
        }
    }
}
