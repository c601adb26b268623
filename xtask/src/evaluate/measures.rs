//! The figures of a set of judged claims.

use cited::judge::Standing;

use super::Judged;

/// The cosine from which the rule that judges by similarity calls a claim supported.
const COSINE: f64 = 0.6;
/// Bins of the calibration error.
const BINS: usize = 10;

/// Prints the head of the table of sets.
pub fn head() {
    println!(
        "{:<18} {:>5} | {:>5} {:>5} {:>5} {:>5} | {:>9} {:>9} {:>6} {:>9} {:>6} | {:>5} {:>5} | {:>8}",
        "set",
        "rows",
        "bacc",
        "auc",
        "f1",
        "ece",
        "supported",
        "contrad.",
        "false",
        "absent",
        "caught",
        "cos",
        "auc",
        "claims/s"
    );
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

/// Prints the line of a set, judged at so many claims a second; gives its balanced accuracy at the confidence `decision`,
/// which was chosen on the A halves.
pub fn report(set: &str, judged: &[Judged], rate: f64, decision: f64) -> f64 {
    let positive = |one: &Judged| one.confidence >= decision;
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
    let wrong = judged.iter().filter(|one| !one.supported).count().max(1) as f64;
    let caught = judged.iter().filter(|one| !one.supported && one.caught).count() as f64 / wrong;
    println!(
        "{set:<18} {:>5} | {accuracy:>5.3} {:>5.3} {f1:>5.3} {error:>5.3} | {:>9} {:>9} {:>5.1}% {:>9} {:>5.0}% | {:>5.3} {:>5.3} | {rate:>8.0}",
        judged.len(),
        auc(judged, |one| one.confidence),
        share(&|one| one.standing == Standing::Supported, &|one| one.supported),
        share(&contradicted, &|one| if told { one.label == "contradicted" } else { !one.supported }),
        100.0 * alarms,
        share(&|one| one.absent, &|one| !one.supported),
        100.0 * caught,
        balanced(judged, |one| one.cosine >= COSINE),
        auc(judged, |one| one.cosine),
    );
    accuracy
}

/// Prints what was said and what was so, by tenths of confidence.
pub fn reliability(judged: &[Judged]) {
    println!("{:>9} {:>7} {:>7} {:>9}", "said", "claims", "mean", "supported");
    for bin in 0..BINS {
        let inside: Vec<&Judged> =
            judged.iter().filter(|one| ((one.confidence * BINS as f64) as usize).min(BINS - 1) == bin).collect();
        if inside.is_empty() {
            continue;
        }
        let n = inside.len() as f64;
        let (low, high) = (bin as f64 / BINS as f64, (bin + 1) as f64 / BINS as f64);
        let said = inside.iter().map(|one| one.confidence).sum::<f64>() / n;
        let was = inside.iter().filter(|one| one.supported).count() as f64 / n;
        println!("{low:>4.1}-{high:<4.1} {:>7} {said:>7.2} {was:>9.2}", inside.len());
    }
}
