//! A gate's report for people: every claim with what was found, then the verdict. One layout for terminal and page.

use super::criteria::{CriteriaReport, Status};
use super::examine::shown_number;
use super::manifest::{self, ManifestClaim, ManifestReport, Standing};
use super::report::{ClaimReport, LedgerReport, LedgerStats, NumberReport, Report, Verdict};
use cited_core::finding::Code;
use cited_report::findings::Located;
use cited_report::html::Tone;
use cited_report::sheet::{Entry, Line, Part, Sheet};

/// What a gate found, claim by claim.
pub fn sheet(report: &Report) -> Sheet {
    let ledger = report.ledger.as_ref().map(of_ledger);
    let manifest = report.manifest.as_ref().map(of_manifest);
    let told = [ledger, manifest, report.criteria.as_ref().map(of_criteria)];
    let (mut parts, lead): (Vec<Part>, Vec<String>) = told.into_iter().flatten().unzip();
    let lead: Vec<String> = lead.into_iter().filter(|told| !told.is_empty()).collect();
    let lead = if lead.is_empty() { "There was nothing to check.".to_owned() } else { format!("{}.", lead.join("; ")) };
    let (verdict, tone) = match report.verdict {
        Verdict::Accepted => ("ACCEPTED", Tone::Good),
        Verdict::Rejected => ("REJECTED", Tone::Bad),
        Verdict::Disputed => ("DISPUTED", Tone::Bad),
    };
    // What a claim lacks stands at the claim; here stands what is wrong with a file as a whole.
    let of_all = |finding: &&Located| {
        let code = finding.finding.code;
        matches!(code, Code::LedgerMalformed | Code::LedgerEmpty | Code::DuplicateClaim)
            && finding.about.claim_id.is_none()
    };
    let files = [report.ledger.as_ref().map(|l| &l.path), report.manifest.as_ref().map(|m| &m.path)];
    let wrong = |Located { finding, .. }: &Located| {
        let file = finding.file.as_deref().unwrap_or_default();
        Entry::new((Tone::Bad, finding.severity.as_str()), file, &finding.message)
    };
    let wrong: Vec<Entry> = report.findings.iter().filter(of_all).map(wrong).collect();
    if let Some(first) = parts.first_mut().filter(|_| !wrong.is_empty()) {
        first.groups.insert(0, (String::new(), wrong));
    }
    let title = files.into_iter().flatten().next().map_or("Acceptance criteria", String::as_str).to_owned();
    Sheet { title, verdict: (verdict.to_owned(), tone), lead, parts, ..Sheet::default() }
}

fn good(is_good: bool) -> Tone {
    if is_good { Tone::Good } else { Tone::Bad }
}

/// A part of the report, and what sums it up.
type Told = (Part, String);

fn of_ledger(ledger: &LedgerReport) -> Told {
    let uncovered = ledger.uncovered.iter().map(|gap| {
        Entry::new((Tone::Bad, "uncovered"), &format!("“{}”", gap.text), format!("in the summary, {}", gap.reason))
    });
    let data = ledger.data.iter().map(|file| {
        let tables = file.tables.iter().map(|table| format!("{} ({} rows)", table.name, table.rows));
        let text = tables.collect::<Vec<_>>().join(", ");
        let lines = file.left.iter().map(|left| Line::Words(format!("not loaded: {left}"))).collect();
        Entry {
            place: format!("sha256 {}", file.sha256),
            lines,
            ..Entry::new((Tone::Neutral, "data"), &file.path, text)
        }
    });
    let claims = ledger.claims.iter().map(of_claim);
    let LedgerStats { claims: all, verified, required, covered } = ledger.stats;
    let told = format!("{verified} of {all} claims verified");
    let told = format!("{told}; {covered} of {required} quantities and quotations of the summary covered");
    let entries = claims.chain(uncovered).chain(data).collect();
    (Part::new("ledger", "Ledger", vec![(String::new(), entries)]), told)
}

fn of_claim(claim: &ClaimReport) -> Entry {
    let mut lines: Vec<Line> = claim.reasons.iter().cloned().map(Line::Words).collect();
    lines.extend(claim.number.iter().flat_map(|number| of_number(number, claim.verified)));
    let details = if claim.verified { lines.drain(1.min(lines.len())..).collect() } else { Vec::new() };
    if let Some((source, passage)) =
        claim.citation.as_ref().and_then(|said| said.source.as_ref().zip(said.passage.as_ref()))
    {
        let (start, end) = (passage.offsets.start, passage.offsets.end);
        lines.push(Line::Words(format!("“{}” in {source} at {start}–{end}", passage.text)));
    }
    lines.extend(claim.warnings.iter().map(|why| Line::Words(format!("warning: {why}"))));
    let state = if claim.verified { "verified" } else { "rejected" };
    Entry { lines, details, ..Entry::new((good(claim.verified), state), &claim.id, &claim.statement) }
}

fn of_number(number: &NumberReport, verified: bool) -> Vec<Line> {
    let mut lines = Vec::new();
    if let (Some(recomputed), true) = (number.recomputed, verified) {
        let [claimed, found] = [number.claimed, recomputed].map(shown_number);
        // What arithmetic in binary fractions adds is nobody's business.
        let difference = shown_number(number.difference.unwrap_or(0.0));
        let difference = if claimed == found { String::new() } else { format!(", difference {difference}") };
        lines.push(Line::Words(format!("claimed {claimed}, recomputed {found}{difference}")));
    }
    if let (Some(definition), Some(origin)) = (&number.definition, &number.declared_in) {
        lines.push(Line::Code(format!("{} = {definition} ({origin})", number.metric)));
    }
    lines.extend(number.reads.iter().map(|read| {
        let columns = if read.columns.is_empty() { "rows".to_owned() } else { read.columns.join(", ") };
        Line::Words(format!("read {columns} of {} ({} rows of {})", read.table, read.rows, read.file))
    }));
    lines
}

fn of_manifest(manifest: &ManifestReport) -> Told {
    let told = |claim: &ManifestClaim| Entry {
        place: claim.evidence.clone(),
        lines: claim.reasons.iter().cloned().map(Line::Words).collect(),
        details: claim.text_sha256.iter().map(|hash| Line::Words(format!("sha256 {hash}"))).collect(),
        ..Entry::new((good(claim.verdict == Standing::Verified), claim.verdict.into()), &claim.id, &claim.text)
    };
    let verified = manifest.claims.iter().filter(|claim| claim.verdict == Standing::Verified).count();
    let verified = format!("{verified} of {} claims verified", manifest.claims.len());
    let entries = manifest.claims.iter().map(told).collect();
    (Part::new("manifest", "Manifest", vec![(String::new(), entries)]), verified)
}

fn of_criteria(report: &CriteriaReport) -> Told {
    let own =
        report.results.iter().filter(|result| result.name != "ledger" && !result.name.starts_with(manifest::CRITERION));
    let entries = own.clone().map(|result| {
        let passed = result.status == Status::Passed;
        let attempt = if result.attempt > 1 { format!(", attempt {}", result.attempt) } else { String::new() };
        // A judge's question is worth a look even when the criterion passed.
        let evidence = Some(Line::Code(result.evidence.clone())).filter(|_| !result.evidence.trim().is_empty());
        let (details, lines) = evidence.into_iter().partition(|_| passed && result.questions.is_empty());
        let tone = if result.status == Status::Skipped { Tone::Neutral } else { good(passed) };
        Entry {
            place: format!("{:.1} s{attempt}", result.duration_ms as f64 / 1000.0),
            lines,
            details,
            ..Entry::new((tone, result.status.as_str()), &result.name, "")
        }
    });
    let entries: Vec<Entry> = entries.collect();
    let passed = own.filter(|result| result.status == Status::Passed).count();
    let passed = format!("{passed} of {} criteria passed", entries.len());
    let rounds = format!("{} of rework", cited_report::wording::counted(report.rework_rounds, "round"));
    // The ledger and a manifest are summed up by themselves.
    let told = [(!entries.is_empty()).then_some(passed), (report.rework_rounds > 0).then_some(rounds)];
    let told: Vec<String> = told.into_iter().flatten().collect();
    (Part::new("criteria", "Criteria", vec![(String::new(), entries)]), told.join("; "))
}
