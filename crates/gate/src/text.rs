//! A gate's report for people: every claim with what was found, then the verdict.

use std::fmt::Write as _;

use owo_colors::{OwoColorize as _, Style};

use super::criteria::{CriteriaReport, Status};
use super::examine::shown_number;
use super::manifest::Standing;
use super::report::{ClaimReport, LedgerReport, NumberReport, Report, Verdict};
use cited_core::error::Result;
use cited_core::finding::Code;
use cited_report::findings::Stream;
use cited_report::findings::json::Located;
use cited_report::printers::OwnReport;
use cited_report::printers::json::pretty;
use cited_text::escape::plain;

/// Characters of a statement or quotation that are shown.
const SHOWN: usize = 100;
/// Lines of evidence that are shown of a criterion.
const SHOWN_LINES: usize = 20;

/// The styles of a report; none without colours.
struct Styles {
    good: Style,
    bad: Style,
}

impl Styles {
    fn new(color: bool) -> Self {
        let style = |style: Style| if color { style } else { Style::new() };
        Styles { good: style(Style::new().green()), bad: style(Style::new().red().bold()) }
    }
}

impl OwnReport for Report {
    fn json(&self) -> Result<String> {
        pretty(self)
    }

    fn text(&self, color: bool) -> String {
        render(self, color)
    }

    fn html(&self, stream: &Stream<'_>) -> String {
        super::html::report(self, stream)
    }
}

/// `report` as text. With `color`, as ANSI sequences.
pub fn render(report: &Report, color: bool) -> String {
    let styles = Styles::new(color);
    let mut out = String::new();
    if let Some(ledger) = &report.ledger {
        of_ledger(&mut out, ledger, &report.findings, &styles);
    }
    if let Some(manifest) = &report.manifest {
        for claim in &manifest.claims {
            let state = match claim.verdict {
                Standing::Verified => "verified".style(styles.good),
                Standing::Rework => "rework".style(styles.bad),
                Standing::Disputed => "disputed".style(styles.bad),
            };
            let _ = writeln!(out, "{state} {}: {} ({})", plain(&claim.id), cut(&claim.text), plain(&claim.evidence));
            for reason in &claim.reasons {
                let _ = writeln!(out, "  {}", plain(reason));
            }
        }
    }
    if let Some(report) = &report.criteria {
        of_criteria(&mut out, report, &styles);
    }
    // What each claim lacks stands at the claim.
    let is_of_all = |finding: &&Located| {
        let code = matches!(finding.code, Code::LedgerMalformed | Code::LedgerEmpty | Code::DuplicateClaim);
        code && finding.about.claim_id.is_none()
    };
    let ledger = report.ledger.as_ref().map(|ledger| ("ledger", &ledger.path));
    let manifest = report.manifest.as_ref().map(|manifest| ("manifest", &manifest.path));
    for (name, path) in ledger.into_iter().chain(manifest) {
        for finding in report.findings.iter().filter(is_of_all).filter(|finding| finding.file == *path) {
            let _ = writeln!(out, "{}: {}", name.style(styles.bad), plain(&finding.message));
        }
    }
    let verdict = match report.verdict {
        Verdict::Accepted => "ACCEPTED".style(styles.good),
        Verdict::Rejected => "REJECTED".style(styles.bad),
        Verdict::Disputed => "DISPUTED".style(styles.bad),
    };
    let _ = writeln!(out, "{verdict}");
    out
}

fn of_criteria(out: &mut String, report: &CriteriaReport, styles: &Styles) {
    for result in &report.results {
        if result.name == "ledger" || result.name.starts_with("manifest:") {
            continue;
        }
        let style = if result.status == Status::Passed { styles.good } else { styles.bad };
        let attempt = if result.attempt > 1 { format!(", attempt {}", result.attempt) } else { String::new() };
        let seconds = result.duration_ms as f64 / 1000.0;
        let _ =
            writeln!(out, "{} {} ({seconds:.1} s{attempt})", result.status.as_str().style(style), plain(&result.name));
        // A judge's question is worth a look even when the criterion passed.
        if result.status != Status::Passed || !result.questions.is_empty() {
            for line in result.evidence.lines().take(SHOWN_LINES) {
                let _ = writeln!(out, "  {}", plain(line));
            }
        }
    }
    if report.results.is_empty() {
        let _ = writeln!(out, "nothing to check");
    }
    if report.rework_rounds > 0 {
        let s = if report.rework_rounds == 1 { "" } else { "s" };
        let _ = writeln!(out, "{} round{s} of rework", report.rework_rounds);
    }
}

fn of_ledger(out: &mut String, ledger: &LedgerReport, findings: &[Located], styles: &Styles) {
    let warnings = || findings.iter().filter(|finding| finding.code == Code::QuoteCutShort);
    for claim in &ledger.claims {
        of_claim(out, claim, styles);
        let of = format!("claim `{}`: ", claim.id);
        for warning in warnings().filter(|finding| finding.about.claim_id.as_ref() == Some(&claim.id)) {
            let warning = warning.message.strip_prefix(&of).unwrap_or(&warning.message);
            let _ = writeln!(out, "  warning: {}", plain(warning));
        }
    }
    for gap in &ledger.uncovered {
        let _ = writeln!(out, "{} “{}” in the summary {}", "uncovered".style(styles.bad), cut(&gap.text), gap.reason);
    }
    for file in &ledger.data {
        let tables: Vec<String> =
            file.tables.iter().map(|table| format!("{} ({} rows)", plain(&table.name), table.rows)).collect();
        let _ = writeln!(out, "data {}: {}, sha256 {}", plain(&file.path), tables.join(", "), file.sha256);
        for left in &file.left {
            let _ = writeln!(out, "  not loaded: {}", plain(left));
        }
    }
    let stats = &ledger.stats;
    let _ = writeln!(
        out,
        "{} of {} claims verified; {} of {} quantities and quotations of the summary covered",
        stats.verified, stats.claims, stats.covered, stats.required
    );
}

fn of_claim(out: &mut String, claim: &ClaimReport, styles: &Styles) {
    let state = if claim.verified { "verified".style(styles.good) } else { "rejected".style(styles.bad) };
    let _ = writeln!(out, "{state} {}: {}", plain(&claim.id), cut(&claim.statement));
    for reason in &claim.reasons {
        let _ = writeln!(out, "  {}", plain(reason));
    }
    if let Some(number) = &claim.number {
        of_number(out, number, claim.verified);
    }
    if let Some(citation) = &claim.citation
        && let (Some(source), Some(passage)) = (&citation.source, &citation.passage)
    {
        let (start, end) = (passage.offsets.start, passage.offsets.end);
        let _ = writeln!(out, "  “{}” in {} at {start}–{end}", cut(&passage.text), plain(source));
    }
}

fn of_number(out: &mut String, number: &NumberReport, verified: bool) {
    if let (Some(recomputed), true) = (number.recomputed, verified) {
        let difference = number.difference.unwrap_or(0.0);
        // What arithmetic in binary fractions adds is nobody's business.
        let close = if shown_number(number.claimed) == shown_number(recomputed) {
            String::new()
        } else {
            format!(", difference {}", shown_number(difference))
        };
        let _ =
            writeln!(out, "  claimed {}, recomputed {}{close}", shown_number(number.claimed), shown_number(recomputed));
    }
    if verified {
        return;
    }
    if let (Some(definition), Some(origin)) = (&number.definition, &number.declared_in) {
        let _ = writeln!(out, "  {} = {} ({})", plain(&number.metric), cut(definition), plain(origin));
    }
    for read in &number.reads {
        let columns = if read.columns.is_empty() { "rows".to_owned() } else { read.columns.join(", ") };
        let _ = writeln!(
            out,
            "  read {} of {} ({} rows of {})",
            plain(&columns),
            plain(&read.table),
            read.rows,
            plain(&read.file)
        );
    }
}

fn cut(text: &str) -> String {
    let text = plain(text);
    if text.chars().count() <= SHOWN {
        return text.into_owned();
    }
    text.chars().take(SHOWN).chain(['…']).collect()
}
