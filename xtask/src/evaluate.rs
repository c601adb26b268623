//! How often the judgement is right.

mod measures;
mod models;

use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use cited::claim::ClaimKind;
use cited::judge::combine::even_odds;
use cited::judge::meaning::{EntailmentModel, is_settled};
use cited::judge::training::{bindings, features, read_with, reading};
use cited::judge::{CheckKind, ClaimText, Settings, SourceText, Standing, Verdict, judge_with};
use cited::text::words::words;
use serde_json::{Value, json};

use crate::Result;
use crate::labelled::{Half, Row, fnv, sets};

/// Judges labelled claims by their sources and says how often the judgement is right.
///
/// With a model every set is judged without and with it.
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
    /// Writes what each claim and its source are judged by.
    #[arg(long)]
    features: Option<PathBuf>,
    /// Writes what a model would read for each claim.
    #[arg(long)]
    passages: Option<PathBuf>,
    /// Writes what the place of each number of a claim is described by.
    #[arg(long)]
    bindings: Option<PathBuf>,
    /// Writes what the model says of each claim's passage.
    #[arg(long, requires = "model")]
    readings: Option<PathBuf>,
    /// `none`, `embedded` or the card of a model.
    #[arg(long)]
    model: Option<PathBuf>,
    /// A folder with `model.onnx` and `tokenizer.json` of a sentence encoder: the rule that judges by similarity alone (cosine of
    /// the claim and the nearest passage, 0.6 and more is support) is computed beside ours. Without one the cosine of word counts
    /// stands in its place.
    #[arg(long)]
    embeddings: Option<PathBuf>,
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
    let model = arguments.model.as_deref().filter(|model| model.as_os_str() != "none");
    let model = model.map(models::encoder).transpose()?;
    let embedder = arguments.embeddings.as_deref().map(models::embedder).transpose()?;
    if embedder.is_none() {
        println!("no sentence encoder was given (--embeddings FOLDER): the cosine is that of word counts");
    }
    let mut measured = Vec::new();
    for (set, rows) in sets(&arguments.dir, arguments.half)? {
        let cosine = |row: &Row| match &embedder {
            Some(embedder) => embedder.nearest(&row.claim, &row.source),
            None => Ok(cosine(&row.claim, &row.source)),
        };
        let cosines = rows.iter().map(cosine).collect::<Result<Vec<f64>>>()?;
        measured.push((set, rows, cosines));
    }
    write_each(arguments.features.as_deref(), &measured, write_features)?;
    write_each(arguments.bindings.as_deref(), &measured, write_bindings)?;
    write_each(arguments.passages.as_deref(), &measured, write_passages)?;
    let lent = model.as_ref().map(|model| model as &dyn EntailmentModel);
    if let Some(model) = lent {
        let write = |file: &mut File, set: &str, row: &Row| write_reading(file, set, row, model);
        write_each(arguments.readings.as_deref(), &measured, write)?;
    }
    let predictions = arguments.predictions.as_ref().map(File::create).transpose()?;
    println!("\nwithout a model");
    judge_all(arguments, &measured, None, predictions.as_ref().filter(|_| lent.is_none()))?;
    if lent.is_some() {
        println!("\nwith the model");
        judge_all(arguments, &measured, lent, predictions.as_ref())?;
    }
    Ok(())
}

/// Writes what a training program wants of each claim, if it was asked for.
fn write_each(path: Option<&Path>, sets: &[Set], mut write: impl FnMut(&mut File, &str, &Row) -> Result) -> Result {
    let Some(path) = path else { return Ok(()) };
    let mut file = File::create(path)?;
    for (set, rows, _) in sets {
        rows.iter().try_for_each(|row| write(&mut file, set, row))?;
    }
    Ok(())
}

/// Judges all sets and prints their table.
fn judge_all(
    arguments: &Arguments,
    sets: &[Set],
    model: Option<&dyn EntailmentModel>,
    mut predictions: Option<&File>,
) -> Result {
    measures::head();
    let even = model.map_or_else(even_odds, |model| model.manner().even);
    let (mut accuracies, mut all) = (Vec::new(), Vec::new());
    for (set, rows, cosines) in sets {
        let begun = Instant::now();
        let verdicts: Vec<Verdict> = rows.iter().map(|row| verdict(set, row, model)).collect();
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
        let accuracy = measures::report(set, &judged, rate, even);
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
    SourceText::new(&row.source, "").complete(!EXCERPTS.iter().any(|name| set.starts_with(name)))
}

fn claim(row: &Row) -> ClaimText<'_> {
    ClaimText::new(&row.claim, ClaimKind::Plain)
}

fn verdict(set: &str, row: &Row, model: Option<&dyn EntailmentModel>) -> Verdict {
    judge_with(&claim(row), &source_of(set, row), &Settings::default(), model)
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

/// What a claim and its source are judged by, as `training/combine.py` wants it.
fn write_features(file: &mut File, set: &str, row: &Row) -> Result {
    let values = features(&claim(row), &source_of(set, row)).map(|value| format!("{value:.5}")).join("\t");
    let id = row.id.replace('\t', " ");
    Ok(writeln!(file, "{set}\t{id}\t{}\t{}\t{values}", row.half() as u8, row.label)?)
}

/// What the place of each number of a claim is described by, as `training/binding.py` wants it.
fn write_bindings(file: &mut File, set: &str, row: &Row) -> Result {
    let (id, half) = (row.id.replace('\t', " "), row.half() as u8);
    for (span, values) in bindings(&claim(row), &source_of(set, row)) {
        let values = values.map(|value| format!("{value:.4}")).join("\t");
        writeln!(file, "{set}\t{id}\t{half}\t{}\t{}\t{}\t{values}", row.label, span.start, span.end)?;
    }
    Ok(())
}

/// What a model would read for a claim, as `training/cross_encoder.py` wants it.
fn write_passages(file: &mut File, set: &str, row: &Row) -> Result {
    let passage = reading(&claim(row), &source_of(set, row));
    // The hash of the source tells which rows share one.
    let line = json!({"set": set, "id": row.id, "half": row.half() as u8, "label": row.label, "claim": row.claim,
        "passage": passage, "source": fnv(&row.source)});
    Ok(writeln!(file, "{line}")?)
}

/// What a model reads in the passage of a claim, and what is known without it, as `training/stack.py` wants it.
fn write_reading(file: &mut File, set: &str, row: &Row, model: &dyn EntailmentModel) -> Result {
    let read = read_with(&claim(row), &source_of(set, row), model)?;
    let words = verdict(set, row, None);
    let one = read.together;
    let line = json!({"set": set, "id": row.id, "half": row.half() as u8, "label": row.label, "source": fnv(&row.source),
        "entails": one.entails, "contradicts": one.contradicts, "each": read.each,
        "fixed": is_settled(&words), "confidence": words.confidence});
    Ok(writeln!(file, "{line}")?)
}

/// Cosine of word counts: the rule that judges by similarity alone, without a model.
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
