//! The report of a gate as a page: the ledger with its claims and what they were recomputed from, the manifest, the criteria.

use maud::{Markup, html};

use super::criteria::{CriteriaReport, Status};
use super::examine::shown_number;
use super::manifest::{ManifestReport, Standing};
use super::report::{ClaimReport, LedgerReport, NumberReport, Report, Verdict};
use cited_report::findings::{Checked, Stream};
use cited_report::html::parts::chart::{self, Bar};
use cited_report::html::parts::{counted, finding, shown, tile};
use cited_report::html::{Page, Tone, View, sign};

/// The report as a page. `stream` has the texts that its findings point into.
pub fn report(report: &Report, stream: &Stream<'_>) -> String {
    let (verdict, tone) = match report.verdict {
        Verdict::Accepted => ("ACCEPTED", Tone::Good),
        Verdict::Rejected => ("REJECTED", Tone::Bad),
        Verdict::Disputed => ("DISPUTED", Tone::Bad),
    };
    let view = |id, name, count, content| View { id, name, count, content };
    let ledger = report.ledger.as_ref().map(|ledger| {
        let (stats, count) = (&ledger.stats, ledger.claims.len());
        let told = format!("{} of {} of the ledger verified", stats.verified, counted(stats.claims, "claim", "claims"));
        (ledger.path.as_str(), told, view("ledger", "Ledger", Some(count), of_ledger(ledger)))
    });
    let manifest = report.manifest.as_ref().map(|manifest| {
        let verified = manifest.claims.iter().filter(|claim| claim.verdict == Standing::Verified).count();
        let count = manifest.claims.len();
        let told = format!("{verified} of {} of the manifest verified", counted(count, "claim", "claims"));
        (manifest.path.as_str(), told, view("manifest", "Manifest", Some(count), of_manifest(manifest)))
    });
    let criteria = report.criteria.as_ref().map(|criteria| {
        let passed = criteria.results.iter().filter(|result| result.status == Status::Passed).count();
        let count = criteria.results.len();
        let told = format!("{passed} of {} passed", counted(count, "criterion", "criteria"));
        ("Acceptance criteria", told, view("criteria", "Criteria", Some(count), of_criteria(criteria)))
    });
    let (mut title, mut told, mut views) = (None, Vec::new(), Vec::new());
    for (name, words, view) in [ledger, manifest, criteria].into_iter().flatten() {
        title = title.or(Some(name));
        told.push(words);
        views.push(view);
    }
    let title = title.unwrap_or("Acceptance criteria");
    views.push(view("findings", "Findings", Some(report.findings.len()), findings(report, stream)));
    views.push(view("summary", "Summary", None, summary(report)));
    let lead = if told.is_empty() { "There was nothing to check.".to_owned() } else { format!("{}.", told.join("; ")) };
    Page { title, verdict, tone, lead, views, beside: None, review: None }.render()
}

fn badge(tone: Tone, words: &str) -> Markup {
    html! { b.(tone.class()) { (sign(tone)) " " (words) } }
}

fn good(is_good: bool) -> Tone {
    if is_good { Tone::Good } else { Tone::Bad }
}

fn of_ledger(ledger: &LedgerReport) -> Markup {
    html! {
        @if ledger.claims.is_empty() { p.empty { "The ledger has no claims." } }
        @for claim in &ledger.claims { (of_claim(claim)) }
        @if !ledger.uncovered.is_empty() {
            h3 { "What no claim speaks for" }
            ul.plain { @for gap in &ledger.uncovered { li { q dir="auto" { (shown(&gap.text)) } " " (shown(&gap.reason)) } } }
        }
        @if !ledger.data.is_empty() {
            h3 { "Data" }
            ul.plain { @for file in &ledger.data { li {
                bdi { (shown(&file.path)) } ": "
                @for (i, table) in file.tables.iter().enumerate() { @if i > 0 { ", " } bdi { (shown(&table.name)) } " (" (counted(table.rows as usize, "row", "rows")) ")" }
                @for left in &file.left { ", not loaded: " (shown(left)) }
                br; span.hash { (file.sha256) }
            } } }
        }
        @if !ledger.sources.is_empty() {
            h3 { "Sources" }
            ul.plain { @for source in &ledger.sources { li { code { (shown(&source.id)) } " " bdi { (shown(&source.place)) } @if let Some(hash) = &source.text_sha256 { br; span.hash { (hash) } } } } }
        }
    }
}

fn of_claim(claim: &ClaimReport) -> Markup {
    let words = if claim.verified { "verified" } else { "rejected" };
    html! {
        article {
            p.state { span.no { (shown(&claim.id)) } " " (badge(good(claim.verified), words)) }
            p.text dir="auto" { (shown(&claim.statement)) }
            @for reason in &claim.reasons { p.why dir="auto" { (shown(reason)) } }
            @if let Some(number) = &claim.number { (of_number(number)) }
            @if let Some(citation) = &claim.citation {
                div.says {
                    p.state { span.src { code { (shown(&citation.source_id)) } @if let Some(source) = &citation.source { " " bdi { (shown(source)) } } } }
                    @match (&citation.passage, &citation.nearest) {
                        (Some(passage), _) => {
                            p.passage dir="auto" { (shown(&passage.text)) }
                            p.place { "bytes " (passage.offsets.start) " to " (passage.offsets.end) }
                        }
                        (None, nearest) => {
                            p.why { "The claim quotes " q dir="auto" { (shown(&citation.quote)) } }
                            @if let Some(nearest) = nearest { p.why { "Most like it: " q dir="auto" { (shown(nearest)) } } }
                        }
                    }
                }
            }
        }
    }
}

fn of_number(number: &NumberReport) -> Markup {
    let value = |value: Option<f64>| value.map_or_else(|| "none".to_owned(), shown_number);
    html! {
        div.says {
            div.wide-table tabindex="0" role="group" aria-label="Value" {
                table.grid {
                    thead { tr { th scope="col" { "Metric" } th.num scope="col" { "claimed" } th.num scope="col" { "recomputed" } th.num scope="col" { "difference" } th.num scope="col" { "allowed" } } }
                    tbody { tr {
                        td { code { (shown(&number.metric)) } }
                        td.num { (shown_number(number.claimed)) } td.num { (value(number.recomputed)) } td.num { (value(number.difference)) } td.num { (value(number.allowed)) }
                    } }
                }
            }
            @if let Some(definition) = &number.definition { pre.evidence tabindex="0" { (shown(definition)) } }
            @for read in &number.reads { p.place { "reads " bdi { (shown(&read.table)) } " (" @for (i, column) in read.columns.iter().enumerate() { @if i > 0 { ", " } (shown(column)) } "), " (counted(read.rows as usize, "row", "rows")) " of " bdi { (shown(&read.file)) } } }
        }
    }
}

fn of_manifest(manifest: &ManifestReport) -> Markup {
    html! {
        p.lead { "Evidence is looked up in " bdi { (shown(&manifest.corpus)) } "." }
        @for claim in &manifest.claims {
            @let words = match claim.verdict { Standing::Verified => "verified", Standing::Rework => "rework", Standing::Disputed => "disputed" };
            article {
                p.state { span.no { (shown(&claim.id)) } " " (badge(good(claim.verdict == Standing::Verified), words)) " " span.place { (shown(&claim.evidence)) } }
                p.text dir="auto" { (shown(&claim.text)) }
                @for reason in &claim.reasons { p.why dir="auto" { (shown(reason)) } }
                @if let Some(hash) = &claim.text_sha256 { p.place { span.hash { (hash) } } }
            }
        }
    }
}

fn tone_of(status: Status) -> Tone {
    match status {
        Status::Passed => Tone::Good,
        Status::Failed | Status::Error => Tone::Bad,
        Status::Skipped => Tone::Neutral,
    }
}

fn of_criteria(report: &CriteriaReport) -> Markup {
    html! {
        @if report.results.is_empty() { p.empty { "There were no criteria." } }
        @for result in &report.results {
            article {
                p.state {
                    span.no { (shown(&result.name)) } " " (badge(tone_of(result.status), result.status.as_str()))
                    " " span.place { (format!("{:.1} s", result.duration_ms as f64 / 1000.0)) @if result.attempt > 1 { ", attempt " (result.attempt) } @if let Some(code) = result.exit_code { ", exit status " (code) } }
                }
                @if !result.evidence.trim().is_empty() { pre.evidence tabindex="0" { (shown(&result.evidence)) } }
                @for remark in result.findings.iter().chain(&result.questions) { p.why dir="auto" { (shown(&remark.message)) " (" (remark.confidence) "%)" } }
            }
        }
        @if report.rework_rounds > 0 { p.place { (counted(report.rework_rounds as usize, "round of rework", "rounds of rework")) } }
    }
}

fn findings(report: &Report, stream: &Stream<'_>) -> Markup {
    let texts: Vec<_> = stream.documents.iter().map(Checked::texts).collect();
    let text_of = |path: &str| texts.iter().find_map(|texts| texts.text_of(path));
    html! {
        @if report.findings.is_empty() {
            p.empty { "Nothing was wrong." }
        } @else {
            ul.findings { @for found in &report.findings { (finding::one(found, text_of(&found.file), None, None)) } }
        }
    }
}

fn summary(report: &Report) -> Markup {
    let statuses = |wanted: Status| {
        let results = report.criteria.iter().flat_map(|criteria| &criteria.results);
        results.filter(|result| result.status == wanted).count()
    };
    let all = [Status::Passed, Status::Failed, Status::Error, Status::Skipped];
    let bars: Vec<Bar> =
        all.into_iter().map(|status| Bar::new(status.as_str(), statuses(status), tone_of(status))).collect();
    html! {
        @if let Some(ledger) = &report.ledger {
            dl.tiles {
                (tile(ledger.stats.claims, "claims in the ledger")) (tile(ledger.stats.verified, "verified"))
                (tile(ledger.stats.required, "values that need one")) (tile(ledger.stats.covered, "covered"))
            }
        }
        div.charts {
            @if let Some(ledger) = &report.ledger {
                (chart::bars("Claims of the ledger", &[
                    Bar::new("verified", ledger.stats.verified, Tone::Good),
                    Bar::new("rejected", ledger.stats.claims.saturating_sub(ledger.stats.verified), Tone::Bad),
                ]))
            }
            @if report.criteria.is_some() { (chart::bars("Criteria", &bars)) }
        }
    }
}
