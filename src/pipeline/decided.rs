//! What was decided, as brief and record show it: sources with their numbers, and what is said beside the document.

use std::collections::HashMap;

use super::ask::Asked;
use super::judge::{Assessment, Ratings};
use super::read::Read;
use cited_core::address::identity::key_of;
use cited_core::citation::written::{ListLayout, Written};
use cited_core::citation::{Entry, SourceList};
use cited_core::claim::Place;
use cited_core::decide::{Decision, Note, Rewrite};
use cited_core::outcome::{Fetched, Kept, Outcome};
use cited_core::rule::Rule;
use cited_core::source::SourceId;
use cited_report::brief::{self, Sections};
use cited_report::record::SourceRecord;
use cited_text::escape;

/// The stages so far, with a rewriting of the draft.
pub(super) struct Decided<'a> {
    pub(super) read: &'a Read,
    pub(super) asked: &'a Asked,
    pub(super) assessment: &'a Assessment,
    pub(super) rewrite: &'a Rewrite,
}

/// The lines of the brief on claims that went or were noted.
#[derive(Default)]
pub(super) struct ClaimLines {
    removed: Vec<String>,
    notes: Vec<String>,
}

/// What the brief says of each claim beside the document.
pub(super) fn claim_lines(read: &Read, assessment: &Assessment) -> ClaimLines {
    let mut lines = ClaimLines::default();
    let mut disagreements = assessment.disagreements(&read.claims);
    for (i, (claim, decision)) in read.claims.iter().zip(&assessment.decisions).enumerate() {
        if decision.action.removes() {
            lines.removed.push(if claim.place == Place::Figure {
                brief::removed_figure_line(&claim.text, &decision.reason)
            } else {
                brief::removed_line(&claim.text_in_context(), &decision.reason)
            });
        } else if read.options.notes {
            let mut notes: Vec<String> = decision.told().map(Note::to_string).collect();
            notes.extend(disagreements.remove(&i).unwrap_or_default());
            if !notes.is_empty() {
                lines.notes.push(brief::note_line(&claim.text_in_context(), &notes.join("; ")));
            }
        }
    }
    lines
}

impl Decided<'_> {
    pub(super) fn decision(&self, i: usize) -> &Decision {
        &self.assessment.decisions[i]
    }

    /// The sources as the record and the list show them: cited ones by number, then the others.
    pub(super) fn sources(&self) -> Vec<SourceRecord> {
        let numbering = &self.rewrite.numbering;
        let mut ids: Vec<SourceId> = numbering.sources().to_vec();
        ids.extend(self.read.registry.iter().map(|(id, _)| id).filter(|id| numbering.get(*id).is_none()));
        let mut notes = self.read.entry_notes();
        let ratings = Ratings::of(self.read);
        ids.into_iter().map(|id| self.source(id, notes.remove(&id).unwrap_or_default(), &ratings)).collect()
    }

    /// The same, with what became of having them kept by an archive.
    pub(super) fn sources_kept(&self, kept: &HashMap<SourceId, Kept>) -> Vec<SourceRecord> {
        let mut sources = self.sources();
        for (source, id) in sources.iter_mut().zip(self.rewrite.numbering.sources()) {
            source.kept = kept.get(id).cloned();
        }
        sources
    }

    /// The address of a source, the same wherever the record has it.
    pub(super) fn address_of(&self, id: SourceId) -> String {
        self.read.registry.get(id).address.clone().unwrap_or_default()
    }

    fn source(&self, id: SourceId, entry_notes: Vec<String>, ratings: &Ratings<'_>) -> SourceRecord {
        let source = self.read.registry.get(id);
        let answer = self.asked.answer(id);
        let page_title = answer.and_then(|answer: &Fetched| answer.page.as_ref()).and_then(|page| page.title.clone());
        let host = || source.titles.iter().find(|title| !is_only_address(title));
        let title = source.best_title().or(page_title.as_deref()).or(host().map(String::as_str));
        SourceRecord {
            number: self.rewrite.numbering.get(id),
            title: escape::plain(title.unwrap_or_default()).into_owned(),
            url: self.address_of(id),
            key: source.key.clone(),
            aliases: source.aliases.clone(),
            origins: source.origins.iter().map(|origin| (origin.file.clone(), origin.label.clone())).collect(),
            entry_notes: entry_notes.into_iter().map(|note| escape::plain(&note).into_owned()).collect(),
            ratings: ratings.all(id),
            work: self.asked.works.of(id).cloned().map(Box::new),
            retracted: self.assessment.retracted.get(&id).cloned(),
            outcome: answer.map_or(Outcome::Unasked, |answer| answer.outcome),
            reason: answer.map_or_else(|| "not asked: nothing cites it".to_owned(), |answer| answer.reason.clone()),
            rule: answer.map_or(Rule::Unasked, |answer| answer.rule).to_string(),
            signs: answer.map(|answer| answer.signs.clone()).unwrap_or_default(),
            others: answer.map(|answer| answer.others.clone()).unwrap_or_default(),
            hops: answer.map(|answer| answer.hops.clone()).unwrap_or_default(),
            final_url: answer.filter(|a| a.outcome == Outcome::Moved).and_then(|answer| answer.final_url.clone()),
            archive: answer.and_then(|answer| answer.archive.clone()),
            kept: None,
        }
    }

    /// What the brief says beside the document: `lines` are those on claims.
    pub(super) fn sections(&self, sources: &[SourceRecord], lines: ClaimLines) -> Sections {
        let mut entries = self.entries();
        let mut written = |id: &SourceId, record: &SourceRecord| {
            let fit = |entry: &Entry| {
                let shown = entry.addresses.first().is_some_and(|address| key_of(address) == key_of(&record.url));
                (entry.title == record.title, shown)
            };
            // The first of those that fit best.
            let own = entries.remove(id)?.into_iter();
            let (list, entry) = own.reduce(|best, next| if fit(next.1) > fit(best.1) { next } else { best })?;
            Written::of(&self.read.document, list, entry)
        };
        let cited = sources.iter().filter(|source| source.number.is_some()).zip(self.rewrite.numbering.sources());
        let cited: Vec<_> = cited.map(|(source, id)| (source, written(id, source))).collect();
        let layout = ListLayout::of(&self.read.document, &self.read.citations.lists);
        let (sources, loose) = brief::source_lines(&cited, self.rewrite.form, layout);
        Sections { removed: lines.removed, notes: lines.notes, sources, loose }
    }

    /// The entries of the draft, by source.
    fn entries(&self) -> HashMap<SourceId, Vec<(&SourceList, &Entry)>> {
        let mut entries: HashMap<SourceId, Vec<(&SourceList, &Entry)>> = HashMap::new();
        for (list, entry, id) in self.read.entries() {
            entries.entry(id).or_default().push((list, entry));
        }
        entries
    }
}

/// Whether a title is only the address again.
fn is_only_address(title: &str) -> bool {
    let title = title.trim();
    title.is_empty() || title.starts_with("http://") || title.starts_with("https://")
}
