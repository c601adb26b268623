//! How a citation is written: as numbers, or in the form that the draft uses.

use std::collections::BTreeSet;

use super::plan::{Numbering, Plan, Style};
use crate::citation::{Citations, Label, Marker, MarkerForm, Target, author_year, brackets, each_once, pandoc};
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
        use MarkerForm::{AuthorYear, Bracket, Escaped, Footnote, Plain, Product};
        self != CitationForm::Kept || matches!(form, Bracket | Footnote | Plain | Escaped | AuthorYear | Product)
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
        let written = marker.map_or("", |marker| marker.span.slice(plan.document.written()));
        let (targets, resolved) = marker.map_or((&[][..], &[][..]), |marker| {
            let at = plan.citations.markers.partition_point(|other| other.span.start < marker.span.start);
            (&marker.targets, plan.resolved.get(at).map_or(&[], Vec::as_slice))
        });
        let (is_kept, form) = (self == CitationForm::Kept, marker.map(|marker| marker.form));
        let is_called = |source: &SourceId, label: &Label| {
            plan.registry.get(*source).origins.iter().any(|origin| origin.label == label.to_string())
        };
        let source_of = |target: &Target| match target {
            Target::Entry(id) => plan.listed.get(id.list as usize)?.get(id.entry as usize).copied(),
            Target::Label(label) => resolved.iter().copied().find(|source| is_called(source, label)),
            Target::Address(address) => plan.registry.by_address(address),
        };
        let source_of = |target| Some(plan.registry.resolve(source_of(target)?));
        let meant: Vec<Option<SourceId>> = targets.iter().map(source_of).collect();
        // The number in place of each target, none of one that goes or means nothing.
        let number = |source: &Option<SourceId>| numbering.get(source.filter(|source| sources.contains(source))?);
        let numbers: Vec<Option<u32>> = meant.iter().map(number).collect();
        // What is cited beside would have to stand among the words, and an entry of two works is cited for both.
        let is_written = |source: &SourceId| numbers.contains(&numbering.get(*source));
        let are_written = !sources.is_empty() && sources.iter().all(is_written);
        let has_key = |source: &SourceId| plan.key_of(*source).is_some();
        let is_key = form == Some(MarkerForm::Pandoc);
        let is_whole = are_written && numbers.iter().all(Option::is_some) && sources.iter().all(has_key);
        if is_kept && is_key && is_whole {
            return written.to_owned();
        }
        let cited: BTreeSet<(u32, SourceId)> =
            sources.iter().filter_map(|source| Some((numbering.get(*source)?, *source))).collect();
        let each = |write: &dyn Fn(u32, SourceId) -> String, between: &str| {
            cited.iter().map(|(number, source)| write(*number, *source)).collect::<Vec<_>>().join(between)
        };
        let set_in =
            |open: &str, close: &str, between: &str| each(&|number, _| format!("{open}{number}{close}"), between);
        // The pages beside a label, `[2, p. 14]`, are those of the source that the author cited.
        let located = || match form.filter(|_| are_written)? {
            MarkerForm::Pandoc | MarkerForm::AuthorYear | MarkerForm::Bracket => pandoc::numbered(written, &numbers),
            _ => None,
        };
        let in_brackets = || located().unwrap_or_else(|| format!("[{}]", each(&|number, _| number.to_string(), ", ")));
        let holds_all = || {
            let is_cited = |source: &SourceId| cited.iter().any(|(_, held)| held == source);
            resolved.len() == cited.len() && resolved.iter().all(is_cited)
        };
        let says_the_same = || {
            let labels = targets.iter().map(|target| match target {
                Target::Entry(id) => plan.citations.entry(*id)?.label.as_ref()?.number(),
                _ => None,
            });
            labels.eq(resolved.iter().filter_map(|source| numbering.get(*source)).map(Some)) && holds_all()
        };
        let citation = match form {
            _ if cited.is_empty() => String::new(),
            _ if self == CitationForm::Footnotes => set_in("[^", "]", ""),
            None if is_kept && cites_by_keys(plan.citations) => keys(plan, &[], sources, numbering),
            Some(_) if plan.style == Style::InPlace && says_the_same() => written.to_owned(),
            Some(form) if is_kept => match form {
                MarkerForm::Lenticular => match written.chars().find_map(brackets::opened_by) {
                    Some(own) => each(&|number, _| own.wrap_number(number), ""),
                    None => in_brackets(),
                },
                MarkerForm::DoubleBracket => set_in("[[", "]]", ""),
                MarkerForm::Superscript if written.starts_with('^') => set_in("^", "^", " "),
                // A bare number after a number would be an exponent.
                MarkerForm::Superscript if written.contains('[') => set_in("<sup>[", "]</sup>", ""),
                MarkerForm::Superscript => set_in("<sup>", "</sup>", ""),
                MarkerForm::NumberLink => {
                    let open = written.trim_start_matches('(');
                    let (before, behind) = if open.starts_with("[[") { ("[[", "]]") } else { ("[", "]") };
                    let link = |number, source| {
                        let address = plan.registry.get(source).address.as_deref().unwrap_or_default();
                        format!("{before}{number}{behind}({})", crate::citation::written::destination(address))
                    };
                    let links = each(&link, ", ");
                    if open.len() < written.len() { format!("({links})") } else { links }
                }
                // What is written alike stays as it is: `[4][5]`, `[1,4]`, `[2–5]`.
                MarkerForm::Bracket if says_the_same() => written.to_owned(),
                MarkerForm::Bracket if written.contains("][") => set_in("[", "]", ""),
                MarkerForm::Bracket if written.contains("] [") => set_in("[", "]", " "),
                MarkerForm::TitleLink | MarkerForm::Address if holds_all() => written.to_owned(),
                MarkerForm::Pandoc if sources.iter().any(has_key) => {
                    let parts = pandoc::parts(written).into_iter().map(|(_, part)| part);
                    keys(plan, &meant.iter().copied().zip(parts).collect::<Vec<_>>(), sources, numbering)
                }
                _ => in_brackets(),
            },
            _ => in_brackets(),
        };
        // A key that is a part of its sentence stands for the names of the authors, too, as its bibliography has them.
        let first = resolved.first().filter(|_| is_key && written.starts_with('@'));
        let mut titles = first.into_iter().flat_map(|first| &plan.registry.get(*first).titles);
        match titles.find_map(|title| author_year::names(title)) {
            Some(names) => format!("{names} {citation}").trim_end().to_owned(),
            None => citation,
        }
    }
}

/// Whether a draft cites by the keys of a bibliography.
pub fn cites_by_keys(citations: &Citations) -> bool {
    citations.markers.iter().any(|marker| marker.form == MarkerForm::Pandoc)
}

/// The citation of `sources` by keys, each as its author wrote it, where it is one of those `written`; what no bibliography has by its number.
fn keys(
    plan: &Plan<'_>,
    written: &[(Option<SourceId>, String)],
    sources: &[SourceId],
    numbering: &Numbering,
) -> String {
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
