//! A ledger against its data and sources: every claim is looked at, whatever became of the others. Its metric is recomputed by the
//! engine, and the claimed value is compared with the recomputed one.

use std::collections::{BTreeSet, HashMap};

use serde_json::Number;

use super::coverage::{Summary, coverage};
use super::data::Format;
use super::engine::{self, Engine};
use super::ledger::{self, Body, Claim, Ledger, NumberClaim, named};
use super::report::{ClaimReport, LedgerReport, LedgerStats, NumberReport, ReadReport};
use super::sources::{Source, look_up};
use cited_core::error::Error;
use cited_core::finding::{Code, Finding, Severity};
use cited_core::input::Input;
use cited_core::page::sha256_hex;
use cited_core::pattern::Pattern;

/// The value of a metric with the tables and columns that it read.
type Recomputed = (Number, BTreeSet<(String, String)>);

/// A metric with where it was declared.
#[derive(Debug, Clone)]
pub struct Declared {
    /// Its words.
    pub definition: String,
    /// The file that declares it.
    pub origin: String,
}

/// The metrics that count, by name.
pub type Metrics = HashMap<String, Declared>;

/// The metrics that count: those of the caller before those of the ledger at `path`, which count only when they are trusted.
pub fn collect_metrics(ledger: &Ledger, path: &str, callers: Metrics, trusted_only: bool) -> Metrics {
    let own = ledger.metrics.iter().filter(|_| !trusted_only);
    let declared = |(name, definition): (&String, &String)| {
        (name.clone(), Declared { definition: definition.clone(), origin: path.to_owned() })
    };
    // Of one name the last one stays.
    own.map(declared).chain(callers).collect()
}

/// What a ledger is examined with.
pub struct Evidence {
    /// The data.
    pub engine: Engine,
    /// The metrics.
    pub metrics: Metrics,
    /// The sources.
    pub sources: Vec<Source>,
    /// Whether a ledger without claims may pass when its summary has nothing that needs one.
    pub allow_empty: bool,
}

/// A ledger, examined.
#[derive(Debug)]
pub struct Examined {
    /// The report on it.
    pub report: LedgerReport,
    /// What is wrong, with places in the ledger.
    pub findings: Vec<Finding>,
}

impl Examined {
    /// Whether everything was verified.
    pub fn accepted(&self) -> bool {
        let wrong = self.findings.iter().any(|finding| finding.severity == Severity::Error);
        !wrong && self.report.claims.iter().all(|claim| claim.verified) && self.report.uncovered.is_empty()
    }
}

/// Examines every claim of a ledger, and whether they cover its summary.
///
/// # Errors
/// When the engine has no memory left.
pub fn examine(ledger: &Ledger, path: &str, sha256: Option<String>, evidence: Evidence) -> Result<Examined, Error> {
    let Evidence { mut engine, metrics, sources, allow_empty } = evidence;
    engine.close().map_err(|fault| fault.in_file("the engine"))?;
    let summary = Summary::new(&ledger.summary);
    let changes = |name: &str| metrics.get(name).is_some_and(|metric| is_change(&metric.definition));
    let coverage = coverage(ledger, &summary, &changes);
    let mut findings = ledger.faults.clone();
    let mut cache: HashMap<&str, Result<Recomputed, String>> = HashMap::new();
    let mut claims = Vec::new();
    for (claim, fault) in ledger.claims.iter().zip(&coverage.faults) {
        let mut reasons: Vec<Finding> = claim.faults.clone();
        if let Some(fault) = fault {
            let finding = Finding::new(Code::StatementAbsent, fault).at(claim.locate("statement"));
            reasons.push(finding.remedy("the words of a statement must stand in the summary, with the claimed value"));
        }
        let mut report =
            ClaimReport { id: claim.id.clone(), statement: claim.statement.clone(), ..ClaimReport::default() };
        match &claim.body {
            Some(Body::Number(number)) => {
                let mut looked = NumberReport::default();
                reasons
                    .extend(examine_number(claim, number, (&engine, &metrics, ledger), &mut cache, &mut looked).err());
                report.number = Some(looked);
            }
            Some(Body::Citation(citation)) => {
                let mut found = look_up(citation, &sources);
                reasons.extend(found.fault.take().map(|(code, words)| {
                    let field = if code == Code::SourceUnknown { "sourceId" } else { "quote" };
                    Finding::new(code, words).at(claim.locate(field))
                }));
                report.citation = Some(found);
            }
            None => {}
        }
        for finding in &reasons {
            let is_wrong = finding.severity == Severity::Error;
            let told = if is_wrong { &mut report.reasons } else { &mut report.warnings };
            told.push(finding.message.clone());
        }
        report.verified = report.reasons.is_empty() && claim.body.is_some();
        findings.extend(reasons.into_iter().map(|finding| named(&claim.id, finding).on_claim(&claim.id, None)));
        claims.push(report);
    }
    let is_empty = ledger.claims.is_empty() && ledger.faults.is_empty();
    if is_empty && (coverage.required > 0 || !allow_empty) {
        let message = "the ledger has no claim: nothing was claimed, so nothing is verified";
        let remedy = "write claims from the skeleton that `cited gate --init DRAFT` prints; for a summary without numbers and quotations say --allow-empty";
        findings.push(Finding::new(Code::LedgerEmpty, message).remedy(remedy));
    }
    findings.extend(coverage.uncovered.iter().map(|gap| {
        let message = format!("“{}” in the summary {}", gap.text, gap.reason);
        let finding = Finding::new(Code::Uncovered, message).at(ledger.summary_span);
        finding.remedy("add a claim whose statement has these words")
    }));
    let stats = LedgerStats {
        claims: claims.len(),
        verified: claims.iter().filter(|claim| claim.verified).count(),
        required: coverage.required,
        covered: coverage.required - coverage.uncovered.len(),
    };
    let uncovered = coverage.uncovered;
    let data = engine.files().to_vec();
    let report = LedgerReport { path: path.to_owned(), sha256, claims, uncovered, data, stats };
    Ok(Examined { report, findings })
}

/// Fills in what there is to report of a number; the error is what is wrong with it.
fn examine_number<'l>(
    claim: &Claim,
    number: &'l NumberClaim,
    (engine, metrics, ledger): (&Engine, &Metrics, &Ledger),
    cache: &mut HashMap<&'l str, Result<Recomputed, String>>,
    report: &mut NumberReport,
) -> Result<(), Finding> {
    let name = number.metric.as_str();
    (report.claimed, report.tolerance) = (number.value(), number.tolerance());
    name.clone_into(&mut report.metric);
    if name.is_empty() {
        // Missing or left to fill in: a fault of how it is written.
        return Ok(());
    }
    let fault = |code, message: String, field| Finding::new(code, message).at(claim.locate(field));
    let declared = metrics.get(name).ok_or_else(|| {
        let message = if ledger.metrics.contains_key(name) {
            format!("metric `{name}` is declared by the ledger itself, and only the caller's metrics are trusted")
        } else {
            format!("metric `{name}` is not declared")
        };
        let finding = fault(Code::MetricUnknown, message, "metric");
        finding.remedy("declare it in `metrics` or in a file named with --metrics")
    })?;
    report.definition = Some(declared.definition.clone());
    report.declared_in = Some(declared.origin.clone());
    let result = cache.entry(name).or_insert_with(|| recompute(engine, &declared.definition));
    let failed = |why: &mut String| fault(Code::MetricFailed, format!("metric `{name}`: {why}"), "metric");
    let (value, reads) = result.as_mut().map_err(failed)?;
    let found = compare(&number.value, number.tolerance(), value);
    report.recomputed = value.as_f64();
    report.difference = Some(found.difference);
    report.allowed = Some(found.allowed);
    let reads: Vec<&(String, String)> = reads.iter().collect();
    let of_table = |of: &[&(String, String)]| {
        let table = of[0].0.clone();
        let columns = of.iter().map(|(_, column)| column.clone()).filter(|column| !column.is_empty()).collect();
        let loaded = engine.table(&table).map(|(file, table)| (table.rows, file.path.clone()));
        let (rows, file) = loaded.unwrap_or_default();
        ReadReport { table, columns, rows, file }
    };
    report.reads = reads.chunk_by(|one, next| one.0 == next.0).map(of_table).collect();
    if found.fits { Ok(()) } else { Err(fault(Code::ValueMismatch, mismatch(number, value, &found), "value")) }
}

/// How a claimed number differs from what the data gives.
fn mismatch(number: &NumberClaim, value: &Number, found: &Difference) -> String {
    let shown = |number: &Number| match number.as_i64() {
        Some(whole) => whole.to_string(),
        None => shown_number(number.as_f64().unwrap_or(f64::NAN)),
    };
    let exactly = format!("claimed {}, the data gives {}", shown(&number.value), shown(value));
    if found.difference == 0.0 {
        return format!("{exactly}, a real number too large to be compared exactly");
    }
    format!("{exactly} (difference {}, allowed {})", shown_number(found.difference), shown_number(found.allowed))
}

/// A number with at most twelve digits: what arithmetic in binary fractions adds is not shown.
pub fn shown_number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.abs().to_string();
    }
    if value.fract() == 0.0 && value.abs() < 1e15 {
        return format!("{value}");
    }
    let digits = format!("{value:.11e}");
    digits.parse::<f64>().map_or(digits, |rounded| {
        if rounded.abs() >= 1e15 || rounded.abs() < 1e-6 { format!("{rounded:e}") } else { rounded.to_string() }
    })
}

/// Examines a ledger with data and sources that are texts, each called by its path and its stem: the gate for programs.
///
/// # Errors
/// When data is malformed, or its ending is none that is known. A ledger that cannot be read is no error: it is not accepted, and says why.
pub fn examine_texts(ledger: &Input, data: &[Input], sources: &[Input]) -> Result<Examined, Error> {
    let read = ledger::read(&ledger.text);
    let mut engine = Engine::new(engine::TIME)?;
    for Input { path, text } in data {
        let format = Format::of_name(path).filter(|format| *format != Format::Sqlite);
        let Some(format) = format else {
            let known = Format::endings();
            return Err(Error::input(format!("{path}: the ending says what data is; it must be one of {known}")));
        };
        engine.load_records(path, format, text.as_bytes())?;
    }
    let source = |input: &Input| {
        let name = input.path.rsplit(['/', '\\']).next().unwrap_or(&input.path);
        Source::file(name, &input.path, input.text.to_string())
    };
    let sources: Vec<Source> = sources.iter().map(source).collect();
    let sha256 = Some(sha256_hex(ledger.text.as_bytes()));
    let metrics = collect_metrics(&read, &ledger.path, Metrics::new(), false);
    examine(&read, &ledger.path, sha256, Evidence { engine, metrics, sources, allow_empty: false })
}

/// What is smaller is zero, when a value is compared with zero.
const ZERO: f64 = 1e-9;
/// What arithmetic in binary fractions adds, in units of the last place: `0.995` is half a percent below `1`.
const SLACK: f64 = 4.0 * f64::EPSILON;

/// The part of a value that arithmetic in binary fractions adds where most of its digits cancel out, as in a change of a part of
/// a per cent.
const NOISE: f64 = 1e-12;

/// From here on real numbers do not tell a whole number from the next.
pub const EXACT: f64 = 9_007_199_254_740_992.0;

/// Whether the sign of a metric says whether something rose or fell: `pct_change`, and `x / y - 1` as people write it out.
pub fn is_change(metric: &str) -> bool {
    static CHANGE: Pattern = Pattern::new(r"(?is)\bpct_change\b|/.*-\s*1(?:\.0)?(?:[^\w.]|$)");
    CHANGE.is_match(metric)
}

/// Recomputes a metric: its value, and the tables and columns that it read.
///
/// # Errors
/// In words, when it gives no number.
pub fn recompute(engine: &Engine, metric: &str) -> Result<Recomputed, String> {
    let first = metric.trim_start().split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let is_query = ["select", "with"].iter().any(|word| first.eq_ignore_ascii_case(word));
    let advice = if is_query { "" } else { "; a metric is a query, as in `SELECT sum(revenue) FROM sales`" };
    engine.query(metric).map_err(|why| why + advice)
}

/// How far a claimed value is from the recomputed one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// Claimed less recomputed.
    pub difference: f64,
    /// What it may be.
    pub allowed: f64,
    /// Whether it is no more than that.
    pub fits: bool,
}

/// Compares a claimed value with the recomputed one.
///
/// The tolerance is a part of the recomputed value. `0` means equal, whole numbers to the last digit, others as decimals. Where one of
/// the two is zero and the tolerance is not, what is smaller than 1e-9 is zero.
pub fn compare(claimed: &Number, tolerance: f64, recomputed: &Number) -> Difference {
    let [claim, value] = [claimed, recomputed].map(|number| number.as_f64().unwrap_or(f64::NAN));
    let wholes = claimed.as_i64().zip(recomputed.as_i64());
    let difference = wholes.map_or(claim - value, |(claim, value)| (i128::from(claim) - i128::from(value)) as f64);
    if tolerance == 0.0 {
        let fits = match wholes {
            Some((claim, value)) => claim == value,
            // It may have been any of its neighbours before it became a real number.
            None if claimed.as_i64().is_some() && value.abs() >= EXACT => false,
            None => is_same(claim, value),
        };
        return Difference { difference, allowed: 0.0, fits };
    }
    if claim == 0.0 || value == 0.0 {
        return Difference { difference, allowed: ZERO, fits: difference.abs() <= ZERO };
    }
    let allowed = tolerance * value.abs();
    let slack = SLACK * claim.abs().max(value.abs());
    Difference { difference, allowed, fits: difference.abs() <= allowed + slack }
}

/// Whether two real numbers are one, but for what arithmetic in binary fractions adds: `(0.54 / 0.5 - 1) * 100` is 8, and is
/// computed as 8.000000000000007. Of two whole numbers nothing is added: they are one to the last digit or not at all.
fn is_same(claim: f64, value: f64) -> bool {
    let difference = (claim - value).abs();
    if claim.fract() == 0.0 && value.fract() == 0.0 {
        return difference == 0.0;
    }
    let size = claim.abs().max(value.abs());
    difference <= (SLACK * size).max((NOISE * size).min(ZERO))
}
