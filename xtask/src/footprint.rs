//! What a run costs beside bare Markdown parsing, and the memory at its peak.

use std::collections::HashMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use cited::citation::{self, KnownLabels};
use cited::markdown::{Document, parser_options};
use pulldown_cmark::Parser;

use crate::draft::{Draft, draft as draft_of, pages as draft_pages};
use crate::draft_run::{resident, run as whole_run};

/// What a run costs beside bare Markdown parsing of the same bytes in the same process, and the memory at its peak.
///
/// One size a process, for the peak is that of the process. Each round measures all stages in turn; the least and the median
/// of the rounds are printed.
#[derive(clap::Args)]
pub struct Arguments {
    #[arg(default_value_t = 2.0)]
    megabytes: f64,
    #[arg(default_value_t = 7)]
    rounds: usize,
    /// Bytes of the text of each source, by which the claims are judged; without it nothing is judged
    #[arg(long, default_value_t = 0)]
    pages: usize,
}

fn timed<T>(times: &mut Vec<Duration>, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = black_box(work());
    times.push(start.elapsed());
    result
}

pub fn run(&Arguments { megabytes, rounds, pages }: &Arguments) {
    let draft = draft_of((megabytes * 1_000_000.0) as usize);
    let size = draft.text.len();
    println!("{size} bytes, {} markers, {} sources, {rounds} rounds", draft.markers, draft.sources);
    let pages_of = |draft: &Draft| if pages > 0 { draft_pages(draft, pages) } else { HashMap::new() };
    // The tables are read at their first use, by a small run that is not measured.
    let small = draft_of(20_000);
    whole_run(&small.text, &pages_of(&small));
    let texts = pages_of(&draft);
    let before = resident("VmRSS:");

    let names = [
        "bare parse",
        "read",
        "citations",
        "claims",
        "whole: read",
        "decide",
        "write",
        "brief (in to out)",
        "check",
        "report",
    ];
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); names.len()];
    // The run first, so that the peak is that of one run alone.
    let (first, parts) = whole_run(&draft.text, &texts);
    for (peak, what) in [(parts.peak_at_brief, "until the brief is written"), (resident("VmHWM:"), "whole run")] {
        let (Some(peak), Some(before)) = (peak, before) else { continue };
        let used = peak.saturating_sub(before);
        println!(
            "peak memory, {what}: {:.1} MB for the process ({:.1} × the file), {:.1} MB for the run ({:.1} ×)",
            peak as f64 / 1e6,
            peak as f64 / size as f64,
            used as f64 / 1e6,
            used as f64 / size as f64
        );
    }
    println!(
        "{} claims, {} edits, {} findings",
        first.record.verifications.len(),
        first.record.edits.len(),
        first.record.findings.len()
    );
    drop(first);
    for _ in 0..rounds {
        timed(&mut times[0], || Parser::new_ext(&draft.text, parser_options()).into_offset_iter().count());
        let document = timed(&mut times[1], || Document::read(draft.text.as_str()));
        let citations = timed(&mut times[2], || citation::read(&document, &KnownLabels::default()));
        let claims = timed(&mut times[3], || cited::claim::split(&document, &citations));
        drop((document, citations, claims));
        let (_, parts) = whole_run(&draft.text, &texts);
        let of_run = [parts.read, parts.decide, parts.write, parts.brief(), parts.check, parts.report];
        times[4..].iter_mut().zip(of_run).for_each(|(times, part)| times.push(part));
    }
    times.iter_mut().for_each(|times| times.sort_unstable());
    let (least, median) = (|i: usize| times[i][0], |i: usize| times[i][times[i].len() / 2]);
    println!("{:<18} {:>9} {:>7} {:>10} {:>7}", "stage", "least ms", "×", "median ms", "×");
    for (i, name) in names.iter().enumerate() {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        println!(
            "{name:<18} {:>9.2} {:>7.2} {:>10.2} {:>7.2}",
            milliseconds(least(i)),
            least(i).as_secs_f64() / least(0).as_secs_f64(),
            milliseconds(median(i)),
            median(i).as_secs_f64() / median(0).as_secs_f64()
        );
    }
}
