//! What is known of how good the sources of a claim are: retracted by their own word, unread by the word of the research notes. It is noted
//! and removes nothing.

use std::collections::{HashMap, HashSet};

use crate::pipeline::ask::Asked;
use crate::pipeline::read::Read;
use cited_core::decide::{Decision, Note};
use cited_core::fate::Fate;
use cited_core::finding::Code;
use cited_core::source::SourceId;
use cited_core::source::research::Rating;
use cited_judge::retracted::{Retraction, retraction, speaks_of_it};
use cited_works::{Look, NoteKind};

/// The part of the shorter one's words that a claim and a finding of the notes share when they say the same.
const SAME: f64 = 0.5;

/// The sources that were retracted or withdrawn, by their own word or that of an index of works.
pub(super) fn retracted(asked: &Asked) -> HashMap<SourceId, Retraction> {
    let readable = asked.answers.iter().filter(|(_, answer)| answer.outcome.is_readable() && !answer.is_off_topic());
    let pages = readable.filter_map(|(id, answer)| Some((*id, answer.page.as_ref()?)));
    let own = pages.filter_map(|(id, page)| Some((id, retraction(page, &asked.read.registry.get(id).titles)?)));
    // What the page says itself counts first.
    let of_index = |look| notices(look).find(|notice| notice.fate != Fate::Corrected);
    asked.works.each().filter_map(|(id, look)| Some((id, of_index(look)?))).chain(own).collect()
}

/// What indexes say became of a work.
pub(in crate::pipeline) fn notices(look: &Look) -> impl Iterator<Item = Retraction> {
    look.notes.iter().filter_map(|note| {
        let fate = match note.code {
            NoteKind::Retracted => Fate::Retracted,
            NoteKind::Withdrawn => Fate::Withdrawn,
            NoteKind::Doubted => Fate::Doubted,
            NoteKind::Corrected => Fate::Corrected,
            _ => return None,
        };
        let notice = note.notice.as_ref().map(|doi| format!("https://doi.org/{doi}"));
        let words = [note.words.clone(), note.date.clone(), notice].into_iter().flatten().collect::<Vec<_>>();
        Some(Retraction { fate, words: words.join(", "), by: note.by.clone() })
    })
}

/// Whether the author says so already, in the entry.
pub(in crate::pipeline) fn is_told(read: &Read, source: SourceId) -> bool {
    read.registry.get(source).titles.iter().any(|title| speaks_of_it(title))
}

impl Read {
    /// What the research notes say of a source for a claim: of the finding of it that is most like the claim, else of the source.
    pub(in crate::pipeline) fn rating_for(&self, source: SourceId, claim: &str) -> Option<&Rating> {
        let said = || self.ratings.iter().filter(|(id, ..)| self.registry.resolve(*id) == source);
        let alike = said().filter(|(_, finding, _)| !finding.is_empty());
        let alike = alike.map(|(_, finding, rating)| (shared_words(finding, claim), rating));
        let best = alike.filter(|(share, _)| *share >= SAME).max_by(|a, b| a.0.total_cmp(&b.0));
        let whole = || said().find(|(_, finding, _)| finding.is_empty()).map(|(.., rating)| rating);
        best.map(|(_, rating)| rating).or_else(whole)
    }
}

/// Notes what is known of the sources of the claims that stay.
pub(super) fn note(read: &Read, retracted: &HashMap<SourceId, Retraction>, decisions: &mut [Decision]) {
    let untold: HashSet<SourceId> = retracted.keys().copied().filter(|source| !is_told(read, *source)).collect();
    if untold.is_empty() && read.ratings.is_empty() {
        return;
    }
    let staying = read.claims.iter().zip(&read.sources).zip(decisions);
    for ((claim, stands_on), decision) in staying.filter(|(_, decision)| !decision.action.removes()) {
        let own = &decision.sources;
        let sources: Vec<SourceId> = if own.is_empty() { stands_on.inherited.to_vec() } else { own.clone() };
        for source in sources.iter().filter(|source| untold.contains(source) && !speaks_of_it(&claim.text)) {
            let address = read.registry.get(*source).named().to_owned();
            let fate = retracted[source].fate;
            decision.note_once(Note::Told(None, format!("the source is {fate}: {address}")));
        }
        // A finding that nobody read is no worse for what was found on its page; but who reads the brief has to know.
        let doubts = sources.iter().filter_map(|source| read.rating_for(*source, &claim.text)?.doubt());
        if let Some(doubt) = doubts.min().filter(|_| claim.kind.is_factual()) {
            let told = format!("the research files call it {}", doubt.trim_matches(['[', ']']));
            decision.note_once(Note::Told(Some(Code::Noted), told));
        }
    }
}

/// The part of the words of the shorter text that the other one has.
fn shared_words(a: &str, b: &str) -> f64 {
    let words = |text: &str| {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect::<Vec<_>>()
    };
    let (a, b) = (words(a), words(b));
    let shared = a.iter().filter(|word| b.contains(word)).count();
    shared as f64 / a.len().min(b.len()).max(1) as f64
}
