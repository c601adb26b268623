//! How a citation is written: as numbers, or in the form that the draft uses.

use super::plan::{Plan, Style};
use super::renumber::Numbering;
use crate::citation::{
    Citations, Label, Marker, MarkerForm, Target, author_year, brackets, each_once, locator, pandoc,
};
use crate::source::SourceId;

/// How the citations of one brief are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CitationForm {
    /// `[1]`, `[2, 5]`, and an ordered list.
    #[default]
    Numeric,
    /// `[^1][^2]`, and footnote definitions.
    Footnotes,
    /// Each marker in its own form, and an ordered list.
    Kept,
}

impl CitationForm {
    /// The form for a draft with these citations. A draft whose citations are mostly footnotes keeps footnotes for all.
    pub fn choose(citations: &Citations, style: Style) -> Self {
        if style == Style::Numeric {
            return CitationForm::Numeric;
        }
        // Words that link to a source are no form of citation, and stay when the citations around them go.
        let standalone = || citations.markers.iter().filter(|marker| marker.standalone);
        let footnotes = standalone().filter(|marker| marker.form == MarkerForm::Footnote).count();
        if footnotes * 2 > standalone().count() { CitationForm::Footnotes } else { CitationForm::Kept }
    }

    /// Whether a citation of this form in the draft is written as numbers in brackets, which read as one with those
    /// beside them.
    pub(super) fn writes_numbers(self, form: MarkerForm) -> bool {
        let keeps = matches!(
            form,
            MarkerForm::Lenticular
                | MarkerForm::DoubleBracket
                | MarkerForm::Superscript
                | MarkerForm::NumberLink
                | MarkerForm::TitleLink
                | MarkerForm::Address
                | MarkerForm::Pandoc
        );
        self != CitationForm::Kept || !keeps
    }

    /// The citation of `sources` in place of `marker`, or a new one. Empty for no sources.
    ///
    /// Escaped brackets and the forms of products mean nothing without a list of their own, so they become numbers. So do keys, unless
    /// a bibliography explains them.
    pub(super) fn write(
        self,
        plan: &Plan<'_>,
        marker: Option<&Marker>,
        sources: &[SourceId],
        numbering: &Numbering,
    ) -> String {
        let by_keys = |marker: &&Marker| self == CitationForm::Kept && marker.form == MarkerForm::Pandoc;
        if let Some(marker) = marker.filter(by_keys).filter(|marker| is_whole(plan, marker, sources, numbering)) {
            return marker.span.slice(plan.document.written()).to_owned();
        }
        let numbers = self.numbers(plan, marker, sources, numbering);
        // A key that is a part of its sentence stands for the names, too.
        match marker.and_then(|marker| names_of(plan, marker)) {
            Some(names) => format!("{names} {numbers}").trim_end().to_owned(),
            None => numbers,
        }
    }

    fn numbers(self, plan: &Plan<'_>, marker: Option<&Marker>, sources: &[SourceId], numbering: &Numbering) -> String {
        // The pages beside a label, `[2, p. 14]`, are those of the source that the author cited.
        let located = || {
            let (marker, written) = (marker?, marker?.span.slice(plan.document.written()));
            let numbers = numbers_in(plan, marker, sources, numbering)?;
            match marker.form {
                MarkerForm::Pandoc | MarkerForm::AuthorYear => pandoc::numbered(written, &numbers),
                MarkerForm::Bracket => {
                    locator::renumbered(written, &numbers.into_iter().collect::<Option<Vec<u32>>>()?)
                }
                _ => None,
            }
        };
        if self == CitationForm::Numeric {
            return located().unwrap_or_else(|| numbering.citation(sources));
        }
        let mut cited: Vec<(u32, SourceId)> =
            sources.iter().filter_map(|source| Some((numbering.get(*source)?, *source))).collect();
        cited.sort_unstable();
        cited.dedup();
        if cited.is_empty() {
            return String::new();
        }
        let each = |write: &dyn Fn(u32, SourceId) -> String, between: &str| {
            cited.iter().map(|(number, source)| write(*number, *source)).collect::<Vec<_>>().join(between)
        };
        if self == CitationForm::Footnotes {
            return each(&|number, _| format!("[^{number}]"), "");
        }
        let form = marker.filter(|_| self == CitationForm::Kept).map(|marker| (marker.form, marker));
        let Some((form, marker)) = form else {
            let by_keys = self == CitationForm::Kept && cites_by_keys(plan.citations);
            return if by_keys { keys(plan, None, sources, numbering) } else { numbering.citation(sources) };
        };
        let written = marker.span.slice(plan.document.written());
        match form {
            MarkerForm::Lenticular => match written.chars().find_map(brackets::opened_by) {
                Some(own) => each(&|number, _| own.wrap_number(number), ""),
                None => numbering.citation(sources),
            },
            MarkerForm::DoubleBracket => each(&|number, _| format!("[[{number}]]"), ""),
            MarkerForm::Superscript if written.starts_with('^') => each(&|number, _| format!("^{number}^"), " "),
            // A bare number after a number would be an exponent.
            MarkerForm::Superscript if written.contains('[') => each(&|number, _| format!("<sup>[{number}]</sup>"), ""),
            MarkerForm::Superscript => each(&|number, _| format!("<sup>{number}</sup>"), ""),
            MarkerForm::NumberLink => {
                let open = written.trim_start_matches('(');
                let doubled = open.starts_with("[[");
                let link = |number, source| {
                    let address = plan.registry.get(source).address.as_deref().unwrap_or_default();
                    let address = crate::citation::written::destination(address);
                    if doubled { format!("[[{number}]]({address})") } else { format!("[{number}]({address})") }
                };
                let links = each(&link, ", ");
                if open.len() < written.len() { format!("({links})") } else { links }
            }
            // What is written alike stays as it is: `[4][5]`, `[1,4]`, `[2–5]`.
            MarkerForm::Bracket if says(plan, marker, numbering, &cited) => written.to_owned(),
            MarkerForm::Bracket if written.contains("][") => each(&|number, _| format!("[{number}]"), ""),
            MarkerForm::Bracket if written.contains("] [") => each(&|number, _| format!("[{number}]"), " "),
            MarkerForm::TitleLink | MarkerForm::Address if holds_all(plan, marker, &cited) => written.to_owned(),
            MarkerForm::Pandoc if sources.iter().any(|source| plan.key_of(*source).is_some()) => {
                keys(plan, Some(marker), sources, numbering)
            }
            _ => located().unwrap_or_else(|| numbering.citation(sources)),
        }
    }
}

/// The names of the authors whom `@key` names in a sentence, as its bibliography has them.
fn names_of<'a>(plan: &'a Plan<'_>, marker: &Marker) -> Option<&'a str> {
    let is_part = marker.form == MarkerForm::Pandoc && marker.span.slice(plan.document.written()).starts_with('@');
    let first = meant_by(plan, marker).filter(|_| is_part)?.first()?;
    plan.registry.get(*first).titles.iter().find_map(|title| author_year::names(title))
}

/// The number in place of each target of a marker, none of one that goes or means nothing. `None` where not all that are `cited` are among them:
/// what is cited beside would have to stand among the words, and an entry of two works is cited for both.
fn numbers_in(plan: &Plan<'_>, marker: &Marker, cited: &[SourceId], all: &Numbering) -> Option<Vec<Option<u32>>> {
    let number = |target: &Target| {
        let source = source_of(plan, marker, target)?;
        all.get(source).filter(|_| cited.contains(&source))
    };
    let numbers: Vec<Option<u32>> = marker.targets.iter().map(number).collect();
    let is_written = |source: &SourceId| numbers.contains(&all.get(*source));
    (!cited.is_empty() && cited.iter().all(is_written)).then_some(numbers)
}

/// The source that a target of a marker means.
fn source_of(plan: &Plan<'_>, marker: &Marker, target: &Target) -> Option<SourceId> {
    let is_called = |source: &SourceId, label: &Label| {
        plan.registry.get(*source).origins.iter().any(|origin| origin.label == label.to_string())
    };
    let source = match target {
        Target::Entry(id) => plan.listed.get(id.list as usize)?.get(id.entry as usize).copied(),
        Target::Label(label) => meant_by(plan, marker)?.iter().copied().find(|source| is_called(source, label)),
        Target::Address(address) => plan.registry.by_address(address),
    };
    source.map(|source| plan.registry.resolve(source))
}

/// Whether a draft cites by the keys of a bibliography.
pub fn cites_by_keys(citations: &Citations) -> bool {
    citations.markers.iter().any(|marker| marker.form == MarkerForm::Pandoc)
}

/// Whether all that a citation by keys has means what stays cited, and is found in a bibliography.
fn is_whole(plan: &Plan<'_>, marker: &Marker, sources: &[SourceId], numbering: &Numbering) -> bool {
    let numbers = numbers_in(plan, marker, sources, numbering);
    let has_key = |source: &SourceId| plan.key_of(*source).is_some();
    numbers.is_some_and(|numbers| numbers.iter().all(Option::is_some)) && sources.iter().all(has_key)
}

/// The citation of `sources` by keys, each with what its author wrote beside it in `marker`; what no bibliography has by its number.
fn keys(plan: &Plan<'_>, marker: Option<&Marker>, sources: &[SourceId], numbering: &Numbering) -> String {
    let written = |marker: &Marker| {
        let parts = pandoc::parts(marker.span.slice(plan.document.written()));
        let meant = marker.targets.iter().map(|target| source_of(plan, marker, target)).collect::<Vec<_>>();
        meant.into_iter().zip(parts).collect::<Vec<_>>()
    };
    let written = marker.map(written).unwrap_or_default();
    let cite = |source: SourceId| {
        let number = numbering.get(source)?;
        let Some(key) = plan.key_of(source) else { return Some((false, number.to_string())) };
        let own = written.iter().filter(|(meant, _)| *meant == Some(source)).map(|(_, part)| part.as_str());
        let own = own.collect::<Vec<_>>().join("; ");
        Some((true, if own.is_empty() { format!("@{key}") } else { own }))
    };
    let cited: Vec<(bool, String)> = each_once(sources.iter().copied()).into_iter().filter_map(cite).collect();
    let brackets = cited.chunk_by(|a, b| a.0 == b.0).map(|alike| {
        let each: Vec<&str> = alike.iter().map(|(_, citation)| citation.as_str()).collect();
        format!("[{}]", each.join(if alike[0].0 { "; " } else { ", " }))
    });
    brackets.collect::<Vec<_>>().join(" ")
}

/// Whether the numbers that a marker is written with are those that it would be written with.
fn says(plan: &Plan<'_>, marker: &Marker, numbering: &Numbering, cited: &[(u32, SourceId)]) -> bool {
    let number = |target: &Target| match target {
        Target::Entry(id) => plan.citations.entry(*id)?.label.as_ref()?.number(),
        _ => None,
    };
    let meant = meant_by(plan, marker).unwrap_or_default().iter().filter_map(|source| numbering.get(*source));
    marker.targets.iter().map(number).eq(meant.map(Some)) && holds_all(plan, marker, cited)
}

/// Whether everything that a marker cites stays cited there.
fn holds_all(plan: &Plan<'_>, marker: &Marker, cited: &[(u32, SourceId)]) -> bool {
    meant_by(plan, marker).is_some_and(|sources| {
        sources.len() == cited.len() && sources.iter().all(|source| cited.iter().any(|(_, held)| held == source))
    })
}

/// The sources that a marker of the draft means.
fn meant_by<'a>(plan: &'a Plan<'_>, marker: &Marker) -> Option<&'a [SourceId]> {
    let at = plan.citations.markers.partition_point(|other| other.span.start < marker.span.start);
    plan.resolved.get(at).map(Vec::as_slice)
}
