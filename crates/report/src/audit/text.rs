//! For people: what is new, with the places that stand on it and what can be done; then one line of counts.

use std::fmt::Write as _;

use owo_colors::{OwoColorize as _, Style};

use super::words::{clean, remedy, seen, standing};
use crate::wording::{counted, style_of, tinted};
use cited_audit::News;
use cited_audit::compare::{Compared, PinState};
use cited_audit::report::{AuditReport, Entry};

/// Places of an entry that are named.
const PLACES: usize = 10;

/// The report as text. With `color`, as ANSI sequences.
pub fn render(report: &AuditReport, color: bool) -> String {
    let mut out = String::new();
    for news in News::ALL {
        let entries: Vec<&Entry> = report.entries.iter().filter(|entry| entry.news == news).collect();
        if entries.is_empty() {
            continue;
        }
        let head = tinted(style_of(news.severity()), color);
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{} ({})\n", news.title().style(head), entries.len());
        entries.into_iter().for_each(|entry| one(&mut out, entry, tinted(Style::new().bold(), color)));
    }
    if report.left_out > 0 {
        let _ = writeln!(out, "{} more in the next report\n", report.left_out);
    }
    let _ = writeln!(out, "{}", standing(report));
    out
}

fn one(out: &mut String, entry: &Entry, bold: Style) {
    let title = entry.titles.first().map(|title| format!("  {}", clean(title))).unwrap_or_default();
    let _ = writeln!(out, "  {}{title}", clean(&entry.address).style(bold));
    let _ = writeln!(out, "    {}", clean(&seen(entry)));
    for compared in &entry.drift {
        let _ = writeln!(out, "    {}", drifted(compared));
    }
    for place in entry.places.iter().take(PLACES) {
        let line = if place.line > 0 { format!(":{}", place.line) } else { String::new() };
        let sentence = if place.sentence.is_empty() { String::new() } else { format!("  {}", clean(&place.sentence)) };
        let _ = writeln!(out, "    {}{line}{sentence}", clean(&place.document));
    }
    let more = entry.places_in_all.saturating_sub(entry.places.len().min(PLACES) as u64);
    if more > 0 {
        let _ = writeln!(out, "    and {}", counted(more, "more place"));
    }
    if let Some(remedy) = remedy(entry) {
        let _ = writeln!(out, "    -> {}", clean(&remedy));
    }
    out.push('\n');
}

fn drifted(compared: &Compared) -> String {
    let passage = clean(&compared.passage);
    match (&compared.found, compared.state) {
        (Some(found), PinState::Changed) => format!("it said \"{passage}\", and says \"{}\" now", clean(found)),
        _ => format!("it said \"{passage}\", and no more does"),
    }
}
