//! Judges labelled claims by their sources and says how often the judgement is right.
//!
//! ```text
//! cargo run --release --example evaluate -- DIR [--predictions FILE] [--features FILE] [--passages FILE] [--bindings FILE]
//!     [--readings FILE] [--half a|b] [--model none|embedded|CARD] [--embeddings FOLDER] [--reliability]
//! ```
//!
//! DIR holds JSON Lines, one file a set: `{"id", "claim", "source_text", "label", "meta"}` with the label `supported`,
//! `partial`, `unsupported` or `contradicted` (or `{"premise", "hypothesis", "label"}`). Predictions are JSON Lines
//! `{"id", "set", "verdict", "confidence"}`. Half `a` are the claims whose id has an even FNV-1a hash; thresholds and
//! weights are chosen on it, figures are reported on `b`.
//!
//! `--readings` writes what the model says of each claim's passage. With a model every set is judged without and with it.
//! FOLDER holds `model.onnx` and `tokenizer.json` of a sentence encoder: the rule that judges by similarity alone (cosine of the claim and the nearest passage, 0.6 and more is support)
//! is computed beside ours. Without one the cosine of word counts stands in its place, and a line says so.

#[path = "evaluate/measures.rs"]
mod measures;
#[path = "evaluate/models.rs"]
mod models;

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use cited::claim::ClaimKind;
use cited::judge::combine::even_odds;
use cited::judge::meaning::{EntailmentModel, is_settled};
use cited::judge::training::{bindings, features, read_with, reading};
use cited::judge::{ClaimText, Settings, SourceText, Standing, Verdict, judge_with};
use cited::text::words::words;
use serde_json::{Value, json};

/// Sets whose sources are a few sentences of a page: what is not there proves nothing.
const EXCERPTS: [&str; 8] =
    ["citint", "climatefever", "conjnli", "covidfact", "expertqa", "feversym", "healthver", "scifact"];
struct Options {
    dir: PathBuf,
    predictions: Option<PathBuf>,
    features: Option<PathBuf>,
    passages: Option<PathBuf>,
    bindings: Option<PathBuf>,
    readings: Option<PathBuf>,
    half: Option<u64>,
    model: Option<PathBuf>,
    embeddings: Option<PathBuf>,
    reliability: bool,
}

struct Row {
    id: String,
    claim: String,
    source: String,
    label: String,
}

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

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let mut predictions = options.predictions.as_ref().map(fs::File::create).transpose()?;
    let mut dump = options.features.as_ref().map(fs::File::create).transpose()?;
    let mut places = options.bindings.as_ref().map(fs::File::create).transpose()?;
    let mut pairs = options.passages.as_ref().map(fs::File::create).transpose()?;
    let model = options.model.as_deref().map(models::encoder).transpose()?;
    let embedder = options.embeddings.as_deref().map(models::embedder).transpose()?;
    if embedder.is_none() {
        println!("no sentence encoder was given (--embeddings FOLDER): the cosine is that of word counts");
    }
    let mut sets = Vec::new();
    for path in files(&options.dir)? {
        let set = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let set = set.trim_end_matches(".jsonl").trim_end_matches(".dev").to_owned();
        let mut rows = read(&path)?;
        rows.retain(|row| options.half.is_none_or(|half| fnv(&row.id) % 2 == half));
        if rows.is_empty() {
            continue;
        }
        if let Some(file) = &mut dump {
            dump_features(file, &set, &rows)?;
        }
        if let Some(file) = &mut places {
            write_bindings(file, &set, &rows)?;
        }
        if let Some(file) = &mut pairs {
            write_passages(file, &set, &rows)?;
        }
        let mut cosines = Vec::with_capacity(rows.len());
        for row in &rows {
            cosines.push(match &embedder {
                Some(embedder) => embedder.nearest(&row.claim, &row.source)?,
                None => cosine(&row.claim, &row.source),
            });
        }
        sets.push((set, rows, cosines));
    }
    let none: Option<&dyn EntailmentModel> = None;
    let lent = model.as_ref().map(|model| model as &dyn EntailmentModel);
    if let (Some(file), Some(model)) = (&options.readings, lent) {
        let mut file = fs::File::create(file)?;
        for (set, rows, _) in &sets {
            write_readings(&mut file, set, rows, model)?;
        }
    }
    for (name, model) in [("without a model", none), ("with the model", lent)] {
        if name != "without a model" && model.is_none() {
            continue;
        }
        println!("\n{name}");
        measures::head();
        let last = model.is_some() == lent.is_some();
        let even = model.map_or_else(even_odds, |model| model.manner().even);
        let mut accuracies = Vec::new();
        let mut all = Vec::new();
        for (set, rows, cosines) in &sets {
            let begun = Instant::now();
            let verdicts: Vec<Verdict> = rows.iter().map(|row| verdict(set, row, model)).collect();
            let rate = rows.len() as f64 / begun.elapsed().as_secs_f64().max(1e-9);
            if let (Some(file), true) = (&mut predictions, last) {
                for (row, verdict) in rows.iter().zip(&verdicts) {
                    writeln!(file, "{}", prediction(set, row, verdict))?;
                }
            }
            let judged: Vec<Judged> = rows
                .iter()
                .zip(verdicts)
                .zip(cosines)
                .map(|((row, verdict), cosine)| Judged {
                    supported: row.label == "supported",
                    label: row.label.clone(),
                    standing: verdict.standing,
                    confidence: verdict.confidence,
                    absent: verdict.standing == Standing::Unverifiable && verdict.hard,
                    caught: is_caught(&verdict),
                    cosine: *cosine,
                })
                .collect();
            accuracies.push((set.as_str(), measures::report(set, &judged, rate, even)));
            if NAMED.contains(&set.as_str()) {
                all.extend(judged);
            }
        }
        let mean: Vec<f64> =
            accuracies.iter().filter(|(set, _)| NAMED.contains(set)).map(|(_, accuracy)| *accuracy).collect();
        if !mean.is_empty() {
            let average = mean.iter().sum::<f64>() / mean.len() as f64;
            println!("mean balanced accuracy of {} named sets: {average:.3}", mean.len());
        }
        if options.reliability {
            measures::reliability(&all);
        }
    }
    Ok(())
}

/// The sets whose mean is the figure to beat.
const NAMED: [&str; 7] = ["wice", "attrbench", "factcheckgpt", "faithbench_sent", "summedits", "fm2", "feversym"];

fn source_of<'a>(set: &str, row: &'a Row) -> SourceText<'a> {
    SourceText::new(&row.source, "").complete(!EXCERPTS.iter().any(|name| set.starts_with(name)))
}

fn verdict(set: &str, row: &Row, model: Option<&dyn EntailmentModel>) -> Verdict {
    let claim = ClaimText::new(&row.claim, ClaimKind::Plain);
    judge_with(&claim, &source_of(set, row), &Settings::default(), model)
}

fn is_caught(verdict: &Verdict) -> bool {
    verdict.standing == Standing::Contradicted || verdict.reason.starts_with("number not")
}

fn prediction(set: &str, row: &Row, verdict: &Verdict) -> Value {
    let mut line = json!({"id": row.id, "set": set, "verdict": verdict.standing, "confidence": verdict.confidence});
    if std::env::var_os("EVALUATE_REASONS").is_some() {
        line["label"] = json!(row.label);
        line["reason"] = json!(verdict.reason);
        line["hard"] = json!(verdict.hard);
        line["claim"] = json!(row.claim);
        line["passage"] = json!(verdict.passage.as_ref().map(|passage| &passage.text));
    }
    line
}

fn dump_features(file: &mut fs::File, set: &str, rows: &[Row]) -> Result<(), Box<dyn Error>> {
    for row in rows {
        let claim = ClaimText::new(&row.claim, ClaimKind::Plain);
        let values = features(&claim, &source_of(set, row)).map(|value| format!("{value:.5}")).join("\t");
        let id = row.id.replace('\t', " ");
        writeln!(file, "{set}\t{id}\t{}\t{}\t{values}", fnv(&row.id) % 2, row.label)?;
    }
    Ok(())
}

/// What the place of each number of a claim is described by, as `training/binding.py` wants it.
fn write_bindings(file: &mut fs::File, set: &str, rows: &[Row]) -> Result<(), Box<dyn Error>> {
    for row in rows {
        let claim = ClaimText::new(&row.claim, ClaimKind::Plain);
        for (span, values) in bindings(&claim, &source_of(set, row)) {
            let values = values.map(|value| format!("{value:.4}")).join("\t");
            let id = row.id.replace('\t', " ");
            writeln!(file, "{set}\t{id}\t{}\t{}\t{}\t{}\t{values}", fnv(&row.id) % 2, row.label, span.start, span.end)?;
        }
    }
    Ok(())
}

/// What a model would read for each claim, as `training/cross_encoder.py` wants it.
fn write_passages(file: &mut fs::File, set: &str, rows: &[Row]) -> Result<(), Box<dyn Error>> {
    for row in rows {
        let claim = ClaimText::new(&row.claim, ClaimKind::Plain);
        let passage = reading(&claim, &source_of(set, row));
        // The hash of the source tells which rows share one.
        let line = json!({"set": set, "id": row.id, "half": fnv(&row.id) % 2, "label": row.label, "claim": row.claim,
            "passage": passage, "source": fnv(&row.source)});
        writeln!(file, "{line}")?;
    }
    Ok(())
}

/// What a model reads in the passage of each claim, and what is known without it, as `training/stack.py` wants it.
fn write_readings(
    file: &mut fs::File,
    set: &str,
    rows: &[Row],
    model: &dyn EntailmentModel,
) -> Result<(), Box<dyn Error>> {
    for row in rows {
        let claim = ClaimText::new(&row.claim, ClaimKind::Plain);
        let read = read_with(&claim, &source_of(set, row), model)?;
        let words = verdict(set, row, None);
        let one = read.together;
        let line = json!({"set": set, "id": row.id, "half": fnv(&row.id) % 2, "label": row.label, "source": fnv(&row.source),
            "entails": one.entails, "contradicts": one.contradicts, "each": read.each,
            "fixed": is_settled(&words), "confidence": words.confidence});
        writeln!(file, "{line}")?;
    }
    Ok(())
}

fn files(dir: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files: Vec<PathBuf> = fs::read_dir(dir)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    Ok(files)
}

const USAGE: &str = "usage: evaluate DIR [--predictions FILE] [--features FILE] [--passages FILE] [--bindings FILE] \
    [--readings FILE] [--half a|b] [--model none|embedded|CARD] [--embeddings FOLDER] [--reliability]";

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        dir: PathBuf::new(),
        predictions: None,
        features: None,
        passages: None,
        bindings: None,
        readings: None,
        half: None,
        model: None,
        embeddings: None,
        reliability: false,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--predictions" => options.predictions = Some(value()?.into()),
            "--features" => options.features = Some(value()?.into()),
            "--bindings" => options.bindings = Some(value()?.into()),
            "--readings" => options.readings = Some(value()?.into()),
            "--passages" => options.passages = Some(value()?.into()),
            "--half" => options.half = Some(u64::from(value()? != "a")),
            "--model" => options.model = Some(value()?).filter(|model| model != "none").map(PathBuf::from),
            "--embeddings" => options.embeddings = Some(value()?.into()),
            "--reliability" => options.reliability = true,
            _ if argument.starts_with("--") => return Err(USAGE.into()),
            _ => options.dir = argument.into(),
        }
    }
    if options.dir.as_os_str().is_empty() {
        return Err(USAGE.into());
    }
    Ok(options)
}

fn read(path: &Path) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut rows = Vec::new();
    for (number, line) in fs::read_to_string(path)?.lines().enumerate() {
        let value: Value = serde_json::from_str(line)?;
        let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let (Some(claim), Some(source), Some(label)) = (
            text("claim").or_else(|| text("hypothesis")),
            text("source_text").or_else(|| text("premise")),
            text("label"),
        ) else {
            continue;
        };
        rows.push(Row { id: text("id").unwrap_or_else(|| number.to_string()), claim, source, label });
    }
    Ok(rows)
}

fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
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
