//! The findings on works that were looked up.

use crate::pipeline::judge::Judged;
use cited_core::finding::{Code, Finding, Severity};
use cited_works::{Difference, Entry, Kind, Look, Note, NoteKind, Outcome};

impl Judged {
    /// What indexes say of the entries, and which of them did not answer.
    pub(super) fn work_findings(&self, findings: &mut Vec<Finding>) {
        let works = &self.asked.works;
        // A retracted source is told of by itself.
        let all = works.all.iter().flat_map(|(_, looked)| of_look(&looked.entry, &looked.look));
        findings.extend(all.filter(|finding| finding.code != Code::RetractedSource));
        // Where nobody was asked, nothing is told of who did not answer.
        for (name, account) in works.accounts.iter().filter(|(_, account)| account.waiting > 0 && account.requests > 0)
        {
            let why = account.reason.as_deref().map(|why| format!(" ({why})")).unwrap_or_default();
            let waiting =
                if account.waiting == 1 { "1 entry waits" } else { &format!("{} entries wait", account.waiting) };
            let key = account.missing_key.map(|key| format!("; a key in {key} lets it be asked more often"));
            let remedy = format!("look them up again later{}", key.unwrap_or_default());
            let message = format!("{name} did not answer{why}: {waiting} for it");
            findings.push(Finding::new(Code::IndexUnasked, message).remedy(remedy));
        }
    }
}

/// What indexes say of an entry, where it stands.
pub fn of_look(entry: &Entry, look: &Look) -> Vec<Finding> {
    let told = match look.outcome {
        Outcome::Differs => {
            let each: Vec<String> = look.differs.iter().map(Difference::to_string).collect();
            let is_loud = look.differs.iter().any(|differ| differ.severity == Severity::Warning);
            let message = format!("the entry differs from its work: {}", each.join("; "));
            let finding = Finding::new(Code::ReferenceDiffers, message);
            let offer = look.offer.as_ref().map(|offer| format!("correct the entry; the work is at {}", offer.url));
            Some((is_loud, Finding { remedy: offer.map(Into::into).or(finding.remedy.clone()), ..finding }))
        }
        Outcome::NotFound => {
            let title = entry.read.title.as_deref().unwrap_or(&entry.read.words);
            let message = format!("no index that covers it has “{title}”");
            Some((look.is_warning(), Finding::new(Code::WorkNotFound, message)))
        }
        Outcome::Unasked if entry.kind == Kind::Unlisted => {
            let message = "it looks like a reference, and stands in no list: it was not looked up";
            let remedy = "put it under a heading such as “References”";
            Some((false, Finding::new(Code::UnusableEntry, message).remedy(remedy)))
        }
        Outcome::Exists | Outcome::Unasked => None,
    };
    let of_severity =
        |(is_loud, finding)| Finding { severity: if is_loud { Severity::Warning } else { Severity::Note }, ..finding };
    let file = Some(&entry.file).filter(|file| !file.is_empty());
    let all = look.notes.iter().map(of_note).chain(told.map(of_severity));
    all.map(|finding| Finding { file: file.cloned(), ..finding.at(entry.span) }).collect()
}

fn of_note(note: &Note) -> Finding {
    let said = note.words.as_deref().unwrap_or_default();
    let (code, message) = match note.code {
        NoteKind::Corrected => {
            let notice = note.notice.as_ref().map(|doi| format!(", https://doi.org/{doi}")).unwrap_or_default();
            (Code::CorrectedSource, format!("the work was corrected: “{said}”{notice}"))
        }
        NoteKind::PublishedElsewhere => {
            (Code::PublishedElsewhere, format!("cited as a preprint, and published since: {said}"))
        }
        NoteKind::VenueUnconfirmed => {
            (Code::VenueUnconfirmed, format!("no record of the work says that it is in {said}"))
        }
        NoteKind::DetailDiffers => (Code::DetailDiffers, format!("the record says otherwise: {said}")),
        NoteKind::IsbnCheckDigit => (Code::DetailDiffers, format!("the check digit of ISBN {said} is wrong")),
        NoteKind::Retracted | NoteKind::Withdrawn | NoteKind::Doubted => {
            let by = note.by.as_deref().unwrap_or_default();
            (Code::RetractedSource, format!("the work is {} ({by})", note.code))
        }
    };
    Finding::new(code, message)
}
