//! How often the judgement is right.

mod measures;

use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use cited::claim::ClaimKind;
use cited::judge::{CheckKind, ClaimText, Settings, SourceText, Standing, Verdict, judge};
use cited::text::words::words;
use serde_json::{Value, json};

use crate::Result;
use crate::labelled::{Half, Row, sets};

/// Judges labelled claims by their sources and says how often the judgement is right.
#[derive(clap::Args)]
pub struct Arguments {
    /// JSON Lines, one file a set: `{"id", "claim", "source_text", "label", "meta"}` with the label `supported`, `partial`,
    /// `unsupported` or `contradicted` (or `{"premise", "hypothesis", "label"}`).
    dir: PathBuf,
    /// Thresholds and weights are chosen on `a`, the claims whose id has an even FNV-1a hash; figures are reported on `b`.
    #[arg(long)]
    half: Option<Half>,
    /// Writes `{"id", "set", "verdict", "confidence"}`, a JSON object a line.
    #[arg(long)]
    predictions: Option<PathBuf>,
    /// Predictions with labels, reasons and passages.
    #[arg(long, requires = "predictions")]
    reasons: bool,
    /// Prints what was said and what was so, by tenths of confidence.
    #[arg(long)]
    reliability: bool,
}

/// Sets whose sources are a few sentences of a page: what is not there proves nothing.
const EXCERPTS: [&str; 8] =
    ["citint", "climatefever", "conjnli", "covidfact", "expertqa", "feversym", "healthver", "scifact"];

struct Judged {
    supported: bool,
    label: String,
    standing: Standing,
    confidence: f64,
    absent: bool,
    /// Contradicted, or a number that was not found: what catches a swapped number.
    caught: bool,
    cosine: f64,
}

/// A set with the cosine of each claim.
type Set = (String, Vec<Row>, Vec<f64>);

pub fn run(arguments: &Arguments) -> Result {
    let mut measured = Vec::new();
    for (set, rows) in sets(&arguments.dir, arguments.half)? {
        let cosines = rows.iter().map(|row| cosine(&row.claim, &row.source)).collect();
        measured.push((set, rows, cosines));
    }
    let predictions = arguments.predictions.as_ref().map(File::create).transpose()?;
    judge_all(arguments, &measured, predictions.as_ref())
}

/// Judges all sets and prints their table.
fn judge_all(arguments: &Arguments, sets: &[Set], mut predictions: Option<&File>) -> Result {
    measures::head();
    let (mut accuracies, mut all) = (Vec::new(), Vec::new());
    for (set, rows, cosines) in sets {
        let begun = Instant::now();
        let verdicts: Vec<Verdict> = rows.iter().map(|row| verdict(set, row)).collect();
        let rate = rows.len() as f64 / begun.elapsed().as_secs_f64().max(1e-9);
        if let Some(file) = &mut predictions {
            for (row, verdict) in rows.iter().zip(&verdicts) {
                writeln!(file, "{}", prediction(set, row, verdict, arguments.reasons))?;
            }
        }
        let judged: Vec<Judged> = rows
            .iter()
            .zip(verdicts)
            .zip(cosines)
            .map(|((row, verdict), cosine)| Judged {
                supported: row.is_supported(),
                label: row.label.clone(),
                standing: verdict.standing,
                confidence: verdict.confidence,
                absent: verdict.standing == Standing::Unverifiable && verdict.hard,
                caught: is_caught(&verdict),
                cosine: *cosine,
            })
            .collect();
        let accuracy = measures::report(set, &judged, rate, 0.5);
        if NAMED.contains(&set.as_str()) {
            accuracies.push(accuracy);
            all.extend(judged);
        }
    }
    if !accuracies.is_empty() {
        let average = accuracies.iter().sum::<f64>() / accuracies.len() as f64;
        println!("mean balanced accuracy of {} named sets: {average:.3}", accuracies.len());
    }
    if arguments.reliability {
        measures::reliability(&all);
    }
    Ok(())
}

/// The sets whose mean is the figure to beat.
const NAMED: [&str; 7] = ["wice", "attrbench", "factcheckgpt", "faithbench_sent", "summedits", "fm2", "feversym"];

fn source_of<'a>(set: &str, row: &'a Row) -> SourceText<'a> {
    let mut source = SourceText::new(&row.source, "");
    source.complete = !EXCERPTS.iter().any(|name| set.starts_with(name));
    source
}

fn verdict(set: &str, row: &Row) -> Verdict {
    judge(&ClaimText::new(&row.claim, ClaimKind::Plain), &source_of(set, row), &Settings::default())
}

fn is_caught(verdict: &Verdict) -> bool {
    verdict.standing == Standing::Contradicted || verdict.against == Some(CheckKind::Quantity)
}

fn prediction(set: &str, row: &Row, verdict: &Verdict, reasons: bool) -> Value {
    let mut line = json!({"id": row.id, "set": set, "verdict": verdict.standing, "confidence": verdict.confidence});
    if reasons {
        line["label"] = json!(row.label);
        line["reason"] = json!(verdict.reason);
        line["hard"] = json!(verdict.hard);
        line["claim"] = json!(row.claim);
        line["passage"] = json!(verdict.passage.as_ref().map(|passage| &passage.text));
    }
    line
}

/// Cosine of word counts: the rule that judges by similarity alone.
fn cosine(claim: &str, source: &str) -> f64 {
    let count = |text: &str| {
        let mut counts: HashMap<u64, f64> = HashMap::new();
        for word in words(text).filter(|word| !word.stop) {
            *counts.entry(word.key).or_default() += 1.0;
        }
        counts
    };
    let (a, b) = (count(claim), count(source));
    let dot: f64 = a.iter().map(|(key, n)| n * b.get(key).unwrap_or(&0.0)).sum();
    let length = |counts: &HashMap<u64, f64>| counts.values().map(|n| n * n).sum::<f64>().sqrt();
    dot / (length(&a) * length(&b)).max(1e-9)
}
