//! A gate's report for people: every claim with what was found, then the verdict. One layout for terminal and page.

use super::criteria::{CriteriaReport, Status};
use super::examine::shown_number;
use super::manifest::{self, ManifestClaim, ManifestReport, Standing};
use super::report::{ClaimReport, LedgerReport, LedgerStats, NumberReport, Report, Verdict};
use cited_core::error::Result;
use cited_core::finding::Code;
use cited_report::findings::{Located, Stream};
use cited_report::html::{Tone, View, checked};
use cited_report::printers::OwnReport;
use cited_report::printers::json::pretty;
use cited_report::sheet::{Entry, Line, Part, Sheet};

impl OwnReport for Report {
    fn json(&self) -> Result<String> {
        pretty(self)
    }

    fn sheet(&self) -> Sheet {
        let ledger = self.ledger.as_ref().map(of_ledger);
        let manifest = self.manifest.as_ref().map(of_manifest);
        let parts = [ledger, manifest, self.criteria.as_ref().map(of_criteria)];
        let mut parts: Vec<Part> = parts.into_iter().flatten().collect();
        let verdict = match self.verdict {
            Verdict::Accepted => ("ACCEPTED", Tone::Good),
            Verdict::Rejected => ("REJECTED", Tone::Bad),
            Verdict::Disputed => ("DISPUTED", Tone::Bad),
        };
        let lead: Vec<&str> = parts.iter().flat_map(|part| part.told.iter().map(String::as_str)).collect();
        let lead =
            if lead.is_empty() { "There was nothing to check.".to_owned() } else { format!("{}.", lead.join("; ")) };
        // What a claim lacks stands at the claim; here stands what is wrong with a file as a whole.
        let of_all = |finding: &&Located| {
            let code = matches!(finding.code, Code::LedgerMalformed | Code::LedgerEmpty | Code::DuplicateClaim);
            code && finding.about.claim_id.is_none()
        };
        let files = [self.ledger.as_ref().map(|l| &l.path), self.manifest.as_ref().map(|m| &m.path)];
        let wrong =
            |finding: &Located| Entry::new((Tone::Bad, finding.severity.as_str()), &finding.file, &finding.message);
        let wrong: Vec<Entry> = self.findings.iter().filter(of_all).map(wrong).collect();
        if let Some(first) = parts.first_mut().filter(|_| !wrong.is_empty()) {
            first.groups.insert(0, (String::new(), wrong));
        }
        let title = files.into_iter().flatten().next().map_or("Acceptance criteria", String::as_str).to_owned();
        Sheet { title, verdict, lead, parts }
    }

    fn view(&self, stream: &Stream) -> View {
        let (count, content) = (Some(self.findings.len()), checked::findings(stream));
        View { id: "findings", name: "Findings", count, content }
    }
}

fn good(is_good: bool) -> Tone {
    if is_good { Tone::Good } else { Tone::Bad }
}

fn part(id: &'static str, name: &'static str, entries: Vec<Entry>, told: Vec<String>) -> Part {
    Part { told, ..Part::new(id, name, vec![(String::new(), entries)]) }
}

fn of_ledger(ledger: &LedgerReport) -> Part {
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
    part("ledger", "Ledger", claims.chain(uncovered).chain(data).collect(), vec![told])
}

fn of_claim(claim: &ClaimReport) -> Entry {
    let mut lines: Vec<Line> = claim.reasons.iter().cloned().map(Line::Words).collect();
    lines.extend(claim.number.iter().flat_map(|number| of_number(number, claim.verified)));
    let details = if claim.verified { lines.drain(1.min(lines.len())..).collect() } else { Vec::new() };
    if let Some((source, passage)) =
        claim.citation.as_ref().and_then(|said| said.source.as_ref().zip(said.passage.as_ref()))
    {
        let (start, end) = (passage.offsets.start, passage.offsets.end);
        lines.push(Line::Quote(format!("“{}” in {source} at {start}–{end}", passage.text)));
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

fn of_manifest(manifest: &ManifestReport) -> Part {
    let told = |claim: &ManifestClaim| Entry {
        place: claim.evidence.clone(),
        lines: claim.reasons.iter().cloned().map(Line::Words).collect(),
        details: claim.text_sha256.iter().map(|hash| Line::Words(format!("sha256 {hash}"))).collect(),
        ..Entry::new((good(claim.verdict == Standing::Verified), claim.verdict.into()), &claim.id, &claim.text)
    };
    let verified = manifest.claims.iter().filter(|claim| claim.verdict == Standing::Verified).count();
    let verified = format!("{verified} of {} claims verified", manifest.claims.len());
    part("manifest", "Manifest", manifest.claims.iter().map(told).collect(), vec![verified])
}

fn of_criteria(report: &CriteriaReport) -> Part {
    let own =
        report.results.iter().filter(|result| result.name != "ledger" && !result.name.starts_with(manifest::CRITERION));
    let entries = own.map(|result| {
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
    let nothing = report.results.is_empty().then(|| "nothing to check".to_owned());
    let rounds = report.rework_rounds as usize;
    let rounds = (rounds > 0).then(|| format!("{} of rework", cited_report::wording::counted(rounds, "round")));
    part("criteria", "Criteria", entries.collect(), nothing.into_iter().chain(rounds).collect())
}
