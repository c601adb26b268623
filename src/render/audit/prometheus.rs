//! The report as a text file of metrics, for the textfile collector of a node exporter.
//!
//! The format is Prometheus' text exposition format, version 0.0.4: in the value of a label `\`, `"` and line ends are escaped.

use std::fmt::Write as _;

use crate::audit::report::Verdict;
use crate::audit::{AuditReport, News, State};
use crate::fetch::Outcome;
use crate::text::escape;

/// The metrics, each with all its labels, so that a count that falls to nothing is a 0 and not gone.
pub fn render(report: &AuditReport) -> String {
    let mut out = String::new();
    let states = State::ALL.iter().map(|state| (state.as_str(), report.states.get(state).copied().unwrap_or_default()));
    family(&mut out, "sources", "Sources that documents cite, by state.", "state", states);
    let outcomes = Outcome::ALL
        .iter()
        .map(|outcome| (outcome.as_str(), report.outcomes.get(outcome.as_str()).copied().unwrap_or_default()));
    family(&mut out, "checks", "Sources that were asked in the last audit, by outcome.", "outcome", outcomes);
    let count = |news: News| report.entries.iter().filter(|entry| entry.news == news).count() as u64;
    let news = News::ALL.iter().map(|news| (news.as_str(), count(*news)));
    family(&mut out, "entries", "Entries of the last report, by what there is to tell.", "news", news);
    let hosts = report.worst_hosts.iter().map(|host| (host.host.as_str(), host.rotten.max(0).cast_unsigned()));
    family(&mut out, "worst_host_rotten", "Rotten sources of the hosts that have most.", "host", hosts);
    one(&mut out, "documents", "Documents that the audit knows.", report.documents);
    one(&mut out, "carried_over", "Sources that were due and were not reached.", report.carried_over);
    one(
        &mut out,
        "blocked",
        "Whether the last audit could not be completed.",
        u64::from(report.verdict == Verdict::Blocked),
    );
    one(&mut out, "round", "Number of the last audit.", report.round.max(0).cast_unsigned());
    let at = report.at.as_second().max(0).cast_unsigned();
    one(&mut out, "timestamp_seconds", "When the last audit was, in seconds since 1970.", at);
    out
}

fn head(out: &mut String, name: &str, help: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "# HELP cited_audit_{name} {help}\n# TYPE cited_audit_{name} gauge");
}

fn family<'a>(out: &mut String, name: &str, help: &str, label: &str, values: impl Iterator<Item = (&'a str, u64)>) {
    head(out, name, help);
    for (value, count) in values {
        let _ = writeln!(out, "cited_audit_{name}{{{label}=\"{}\"}} {count}", escaped(value));
    }
}

fn one(out: &mut String, name: &str, help: &str, value: u64) {
    head(out, name, help);
    let _ = writeln!(out, "cited_audit_{name} {value}");
}

fn escaped(value: &str) -> String {
    escape::plain(value).replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::audit::sample;

    #[test]
    fn a_night_as_metrics() {
        let text = render(&sample::report());
        sample::snapshot("prometheus.prom", &text);
        for line in text.lines().filter(|line| !line.starts_with("# ")) {
            let (_, value) = line.rsplit_once(' ').unwrap();
            assert!(value.parse::<u64>().is_ok() && line.starts_with("cited_audit_"), "{line}");
        }
        assert!(render(&sample::blocked()).contains("\ncited_audit_blocked 1\n"));
    }
}
