//! Judges labelled claims by their sources and says how often the judgement is right.
//!
//! ```text
//! cargo run --release --example evaluate -- DIR [--predictions FILE] [--features FILE] [--half a|b] [--model none]
//! ```
//!
//! DIR holds JSON Lines, one file a set: `{"id", "claim", "source_text", "label", "meta"}` with the label `supported`,
//! `partial`, `unsupported` or `contradicted` (or `{"premise", "hypothesis", "label"}`). Predictions are JSON Lines
//! `{"id", "set", "verdict", "confidence"}`. Half `a` are the claims whose id has an even FNV-1a hash; thresholds and
//! weights are chosen on it, figures are reported on `b`.

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use cited::claim::ClaimKind;
use cited::judge::{ClaimText, Settings, SourceText, Standing, features, judge};
use cited::text::words::words;
use serde_json::{Value, json};

/// A claim counts as supported for balanced accuracy and F1 from this confidence on; chosen on the A halves.
const DECISION: f64 = cited::judge::EVEN_ODDS;
/// The cosine from which the rule that judges by similarity calls a claim supported.
const COSINE: f64 = 0.6;
/// Sets whose sources are a few sentences of a page: what is not there proves nothing.
const EXCERPTS: [&str; 8] =
    ["citint", "climatefever", "conjnli", "covidfact", "expertqa", "feversym", "healthver", "scifact"];
/// Bins of the calibration error.
const BINS: usize = 10;

struct Options {
    dir: PathBuf,
    predictions: Option<PathBuf>,
    features: Option<PathBuf>,
    half: Option<u64>,
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
    cosine: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let mut predictions = options.predictions.map(fs::File::create).transpose()?;
    let mut dump = options.features.map(fs::File::create).transpose()?;
    println!(
        "{:<18} {:>5} | {:>5} {:>5} {:>5} {:>5} | {:>9} {:>9} {:>6} {:>9} | {:>5} {:>5} | {:>8}",
        "set", "rows", "bacc", "auc", "f1", "ece", "supported", "contrad.", "false", "absent", "cos", "auc", "claims/s"
    );
    let mut files: Vec<PathBuf> = fs::read_dir(&options.dir)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    let mut accuracies = Vec::new();
    for path in files {
        let set = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let set = set.trim_end_matches(".jsonl").trim_end_matches(".dev").to_owned();
        let rows: Vec<Row> =
            read(&path)?.into_iter().filter(|row| options.half.is_none_or(|half| fnv(&row.id) % 2 == half)).collect();
        let mut judged = Vec::new();
        let start = Instant::now();
        let mut spent = start.elapsed();
        for row in &rows {
            let begun = Instant::now();
            let source = SourceText::new(&row.source, "").complete(!EXCERPTS.iter().any(|name| set.starts_with(name)));
            let claim = ClaimText::new(&row.claim, ClaimKind::Plain);
            let verdict = judge(&claim, &source, &Settings::default());
            spent += begun.elapsed();
            if let Some(file) = &mut dump {
                let values: Vec<String> = features(&claim, &source).iter().map(|value| format!("{value:.5}")).collect();
                writeln!(
                    file,
                    "{set}\t{}\t{}\t{}\t{}",
                    row.id.replace('\t', " "),
                    fnv(&row.id) % 2,
                    row.label,
                    values.join("\t")
                )?;
            }
            if let Some(file) = &mut predictions {
                let line =
                    json!({"id": row.id, "set": set, "verdict": verdict.standing, "confidence": verdict.confidence});
                let line = if std::env::var_os("EVALUATE_REASONS").is_some() {
                    json!({"id": row.id, "set": set, "label": row.label, "verdict": verdict.standing, "confidence": verdict.confidence,
                        "reason": verdict.reason, "claim": row.claim, "passage": verdict.passage.map(|p| p.text)})
                } else {
                    line
                };
                writeln!(file, "{line}")?;
            }
            judged.push(Judged {
                supported: row.label == "supported",
                label: row.label.clone(),
                standing: verdict.standing,
                confidence: verdict.confidence,
                absent: verdict.standing == Standing::Unverifiable && verdict.hard,
                cosine: cosine(&row.claim, &row.source),
            });
        }
        if judged.is_empty() {
            continue;
        }
        let rate = judged.len() as f64 / spent.as_secs_f64().max(1e-9);
        let accuracy = report(&set, &judged, rate);
        accuracies.push((set, accuracy));
    }
    let named = ["wice", "attrbench", "factcheckgpt", "faithbench_sent", "summedits", "fm2", "feversym"];
    let mean: Vec<f64> = accuracies.iter().filter(|(set, _)| named.contains(&set.as_str())).map(|(_, a)| *a).collect();
    if !mean.is_empty() {
        println!(
            "mean balanced accuracy of {} named sets: {:.3}",
            mean.len(),
            mean.iter().sum::<f64>() / mean.len() as f64
        );
    }
    Ok(())
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options { dir: PathBuf::new(), predictions: None, features: None, half: None };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--predictions" => options.predictions = Some(value()?.into()),
            "--features" => options.features = Some(value()?.into()),
            "--half" => options.half = Some(u64::from(value()? != "a")),
            "--model" => {
                let model = value()?;
                if model != "none" {
                    return Err(
                        format!("no model {model}: this build judges by words and hard checks (--model none)").into()
                    );
                }
            }
            _ => options.dir = argument.into(),
        }
    }
    if options.dir.as_os_str().is_empty() {
        return Err("usage: evaluate DIR [--predictions FILE] [--features FILE] [--half a|b] [--model none]".into());
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

fn balanced(judged: &[Judged], positive: impl Fn(&Judged) -> bool) -> f64 {
    let rate = |supported: bool| {
        let all: Vec<&Judged> = judged.iter().filter(|one| one.supported == supported).collect();
        all.iter().filter(|one| positive(one) == supported).count() as f64 / all.len().max(1) as f64
    };
    f64::midpoint(rate(true), rate(false))
}

/// Area under the ROC curve: how often a supported claim scores above one that is not.
fn auc(judged: &[Judged], score: impl Fn(&Judged) -> f64) -> f64 {
    let mut scored: Vec<(f64, bool)> = judged.iter().map(|one| (score(one), one.supported)).collect();
    scored.sort_by(|a, b| a.0.total_cmp(&b.0));
    let positives = scored.iter().filter(|(_, supported)| *supported).count() as f64;
    let negatives = scored.len() as f64 - positives;
    let mut ranks = 0.0;
    let mut at = 0;
    while at < scored.len() {
        let end = scored[at..].iter().take_while(|(score, _)| score.total_cmp(&scored[at].0).is_eq()).count() + at;
        let rank = (at + end + 1) as f64 / 2.0;
        ranks += rank * scored[at..end].iter().filter(|(_, supported)| *supported).count() as f64;
        at = end;
    }
    if positives == 0.0 || negatives == 0.0 {
        f64::NAN
    } else {
        (ranks - positives * (positives + 1.0) / 2.0) / (positives * negatives)
    }
}

fn report(set: &str, judged: &[Judged], rate: f64) -> f64 {
    let positive = |one: &Judged| one.confidence >= DECISION;
    let accuracy = balanced(judged, positive);
    let hits = judged.iter().filter(|one| positive(one) && one.supported).count() as f64;
    let called = judged.iter().filter(|one| positive(one)).count() as f64;
    let actual = judged.iter().filter(|one| one.supported).count() as f64;
    let f1 = 2.0 * hits / (called + actual).max(1.0);
    let mut error = 0.0;
    for bin in 0..BINS {
        let inside: Vec<&Judged> =
            judged.iter().filter(|one| ((one.confidence * BINS as f64) as usize).min(BINS - 1) == bin).collect();
        if !inside.is_empty() {
            let n = inside.len() as f64;
            let said = inside.iter().map(|one| one.confidence).sum::<f64>() / n;
            let was = inside.iter().filter(|one| one.supported).count() as f64 / n;
            error += (said - was).abs() * n / judged.len() as f64;
        }
    }
    let share = |test: &dyn Fn(&Judged) -> bool, right: &dyn Fn(&Judged) -> bool| {
        let all: Vec<&Judged> = judged.iter().filter(|one| test(one)).collect();
        let right = all.iter().filter(|one| right(one)).count();
        if all.is_empty() { "-".to_owned() } else { format!("{:.2}/{}", right as f64 / all.len() as f64, all.len()) }
    };
    let contradicted = |one: &Judged| one.standing == Standing::Contradicted;
    // Sets without the label "contradicted" do not tell it from unsupported.
    let told = judged.iter().any(|one| one.label == "contradicted");
    let alarms = judged.iter().filter(|one| one.supported && contradicted(one)).count() as f64 / actual.max(1.0);
    println!(
        "{set:<18} {:>5} | {accuracy:>5.3} {:>5.3} {f1:>5.3} {error:>5.3} | {:>9} {:>9} {:>5.1}% {:>9} | {:>5.3} {:>5.3} | {rate:>8.0}",
        judged.len(),
        auc(judged, |one| one.confidence),
        share(&|one| one.standing == Standing::Supported, &|one| one.supported),
        share(&contradicted, &|one| if told { one.label == "contradicted" } else { !one.supported }),
        100.0 * alarms,
        share(&|one| one.absent, &|one| !one.supported),
        balanced(judged, |one| one.cosine >= COSINE),
        auc(judged, |one| one.cosine),
    );
    accuracy
}
