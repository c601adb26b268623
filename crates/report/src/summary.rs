//! What a run says in a few lines when it is over, and the difference it made.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use owo_colors::{OwoColorize as _, Style};

use super::findings;
use super::record::{Record, RunVerdict, Verification};
use cited_core::decide::Action;
use cited_core::outcome::Outcome;

/// Characters of a claim that are shown before it is cut.
const CLAIM_SHOWN: usize = 100;
/// Lines of unchanged text around a change in a diff, as in `diff -u`.
const DIFF_CONTEXT: usize = 3;

/// What stands in the place of the verdict where the brief was held back.
pub const NOT_WRITTEN: &str = "NOT WRITTEN";

/// Whether what is told happened to a brief that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tense {
    /// It did.
    Did,
    /// Nothing was to be written.
    Would,
    /// The brief was held back.
    HeldBack,
}

impl Tense {
    /// Whether the brief of a record was written.
    pub fn of(record: &Record) -> Tense {
        if record.not_written.is_some() { Tense::HeldBack } else { Tense::Did }
    }
}

/// The verdict, the counts, and every claim that went or was noted.
///
/// With `verbose`, claims that stay with a note are named one by one; otherwise they are counted. Where the brief was held back, that stands in
/// the place of the verdict; where at least half of the claims that needed a source went, that is said first.
pub fn of_run(record: &Record, verbose: bool, tense: Tense) -> String {
    let mut out = String::new();
    let now = |did: &'static str, would: &'static str| if tense == Tense::Did { did } else { would };
    let held_back = tense == Tense::HeldBack || record.not_written.is_some();
    for claim in &record.verifications {
        let (word, style) = match claim.action {
            Action::Drop => (now("removed", "would remove"), Style::new().red()),
            Action::Todo => (now("replaced by a task", "would replace by a task"), Style::new().yellow()),
            Action::Mark => (now("marked", "would mark"), Style::new().yellow()),
            Action::Cite | Action::Recite if verbose => (now("cited", "would cite"), Style::new().green()),
            _ if verbose && !claim.notes.is_empty() => ("noted", Style::new().yellow()),
            _ => continue,
        };
        let _ = writeln!(out, "{}: {}", word.style(style), told(claim));
    }
    let stats = &record.stats;
    let style = match record.verdict {
        RunVerdict::Pass => Style::new().green().bold(),
        RunVerdict::PassWithNotes => Style::new().yellow().bold(),
        RunVerdict::Blocked => Style::new().red().bold(),
    };
    let (verdict, style) = match lost(record) {
        _ if record.verdict == RunVerdict::Blocked => (record.verdict.to_string(), style),
        _ if held_back => (NOT_WRITTEN.to_owned(), Style::new().red().bold()),
        Some((gone, of)) => {
            let went = now("REMOVED", "WOULD REMOVE");
            (format!("{went} {gone} OF {of} CLAIMS, {}", record.verdict), Style::new().red().bold())
        }
        None => (record.verdict.to_string(), style),
    };
    let claims = [
        (stats.verified, "verified"),
        (stats.removed, now("removed", "would be removed")),
        (stats.noted, "noted"),
        (stats.anchored, now("given a source", "would be given a source")),
    ];
    let mut outcomes: BTreeMap<Outcome, usize> = BTreeMap::new();
    for source in record.sources.iter().filter(|source| source.number.is_some()) {
        *outcomes.entry(source.outcome).or_default() += 1;
    }
    let outcomes = outcomes.iter().map(|(outcome, count)| (*count, outcome.as_str()));
    let looks =
        record.sources.iter().filter(|source| source.number.is_some()).filter_map(|source| source.work.as_ref());
    let mut works: BTreeMap<&str, usize> = BTreeMap::new();
    looks.for_each(|look| *works.entry(look.outcome.in_words()).or_default() += 1);
    let works = match works.values().sum() {
        0 => String::new(),
        all => format!(
            "; {} looked up{}",
            counted(all, "work"),
            listed(works.into_iter().map(|(what, count)| (count, what)))
        ),
    };
    let _ = writeln!(
        out,
        "{}: {}{}; {}{}{works}",
        verdict.style(style),
        counted(stats.claims, "claim"),
        listed(claims.into_iter()),
        counted(stats.cited, "source"),
        listed(outcomes),
    );
    out
}

/// How many of how many claims that needed a source went, where it is half of them or more.
fn lost(record: &Record) -> Option<(usize, usize)> {
    let needing = || record.verifications.iter().filter(|claim| claim.kind.must_have_source());
    let gone = needing().filter(|claim| claim.action.removes()).count();
    let of = needing().count();
    (gone > 0 && gone * 2 >= of && of > 1).then_some((gone, of))
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// ` (3 live, 1 dead)`, or nothing when all counts are zero.
fn listed<'a>(counts: impl Iterator<Item = (usize, &'a str)>) -> String {
    let parts: Vec<String> =
        counts.filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}

fn told(claim: &Verification) -> String {
    let mut text: String = claim.claim_text.chars().take(CLAIM_SHOWN).collect();
    if text.len() < claim.claim_text.len() {
        text.push('…');
    }
    let reason = if claim.notes.is_empty() { String::new() } else { format!(" — {}", claim.notes) };
    format!("line {}: “{}”{}", claim.line, shown(&text), shown(&reason))
}

/// `text` as one line that a terminal can be trusted with.
pub fn shown(text: &str) -> String {
    text.chars().map(|c| if c == '\n' { ' ' } else { findings::shown(c) }).collect()
}

/// The difference between a draft and its brief in the unified format. With `color`, as ANSI sequences.
pub fn diff(path: &str, draft: &str, brief: &str, color: bool) -> String {
    unified((path, "the brief"), draft, brief, color)
}

/// The difference between a document and the same one with changes, as `git apply` takes it. With `color`, as ANSI sequences.
pub fn changes(path: &str, before: &str, after: &str, color: bool) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    unified((&format!("a/{path}"), &format!("b/{path}")), before, after, color)
}

fn unified((from, to): (&str, &str), before: &str, after: &str, color: bool) -> String {
    let diff = similar::TextDiff::from_lines(before, after);
    let mut unified = diff.unified_diff();
    let text = unified.context_radius(DIFF_CONTEXT).header(from, to).to_string();
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let style = match line.as_bytes() {
            [b'+', ..] => Style::new().green(),
            [b'-', ..] => Style::new().red(),
            [b'@', ..] => Style::new().cyan(),
            _ => Style::new(),
        };
        let (words, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        let words: String = words.chars().map(|c| if c == '\t' { c } else { findings::shown(c) }).collect();
        let style = if color { style } else { Style::new() };
        let _ = write!(out, "{}{end}", words.style(style));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_is_in_the_unified_format() {
        let text = diff("d.md", "a\nb [2]\nc\n", "a\nb [1]\nc\n", false);
        assert_eq!(text, "--- d.md\n+++ the brief\n@@ -1,3 +1,3 @@\n a\n-b [2]\n+b [1]\n c\n");
        assert_eq!(diff("d.md", "a\n", "a\n", false), "");
    }

    #[test]
    fn counts_that_are_zero_are_not_told() {
        assert_eq!(listed([(0, "dead"), (2, "live")].into_iter()), " (2 live)");
        assert_eq!(listed([(0, "dead")].into_iter()), "");
    }
}
