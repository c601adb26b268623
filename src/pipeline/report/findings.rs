//! The findings of a run, from everything that was decided.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::pipeline::ask::Asked;
use crate::pipeline::judge::{Judged, is_told};
use cited_core::address::identity::{Key, key_of};
use cited_core::check::results::url_of;
use cited_core::citation::stray::Stray;
use cited_core::citation::{MarkerForm, pandoc};
use cited_core::claim::{ClaimId, ClaimKind};
use cited_core::decide::form::cites_by_keys;
use cited_core::decide::note::joined;
use cited_core::decide::{Action, CitationForm, Note};
use cited_core::finding::{Code, Finding, Severity};
use cited_core::outcome::{Fetched, Outcome, status};
use cited_core::rule::Rule;
use cited_core::source::SourceId;
use cited_core::verdict::Standing;
use cited_fetch::AddressOutcome;
use cited_judge::identity;
use cited_report::record::SourceRecord;
use cited_report::wording::counted;
use cited_text::Span;
use cited_text::lines::LineIndex;

/// Of the claims that a source does not confirm the first warns for all of them; the others are notes.
fn warn_once_a_source(findings: &mut [Finding]) {
    let mut by_source: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, finding) in findings.iter().enumerate() {
        let unsure = matches!(finding.code, Code::WeakSupport | Code::Unverifiable | Code::Unchecked);
        if let Some(url) = url_of(finding).filter(|_| unsure && finding.severity == Severity::Warning) {
            by_source.entry(url).or_default().push(at);
        }
    }
    for (url, all) in by_source {
        all.iter().skip(1).for_each(|at| findings[*at].severity = Severity::Note);
        // One claim may have several findings.
        let more = all.windows(2).filter(|pair| findings[pair[0]].span != findings[pair[1]].span).count();
        if more > 0 {
            let more = counted(more, "more claim");
            findings[all[0]].message.push_str(&format!("; notes tell of {more} with the source {url}"));
        }
    }
}

impl Judged {
    /// What the sources and links show by being there or not, in order of place; with `support` everything worth telling.
    pub(in crate::pipeline) fn findings(&self, sources: &[SourceRecord], support: bool) -> Vec<Finding> {
        let mut findings = Vec::new();
        if support {
            findings.clone_from(&self.asked.read.findings);
            findings.retain(|finding| finding.code != Code::NoAddress || !self.is_looked_up(finding));
            let orphans = findings.iter().filter(|finding| finding.code == Code::OrphanCitation);
            let mut orphans: Vec<Span> = orphans.filter_map(|finding| finding.span).collect();
            orphans.sort_unstable();
            for i in 0..self.asked.read.claims.len() {
                self.claim_findings(i, &orphans, &mut findings);
                findings.extend(self.certainty_finding(i));
            }
            warn_once_a_source(&mut findings);
        }
        self.identity_findings(&mut findings);
        self.retraction_findings(&mut findings);
        self.work_findings(&mut findings);
        self.source_findings(sources, &mut findings);
        if support {
            findings.extend(self.standing_conflicts().map(|(a, b, conflict)| {
                let (claims, differs) = (&self.asked.read.claims, &conflict.difference);
                let message = format!("“{}” and “{}” disagree: {differs}", claims[a].text, claims[b].text);
                self.at_claim(Finding::new(Code::Conflict, message), b)
            }));
            self.stale_decisions(&mut findings);
            self.document_findings(&mut findings);
        }
        findings.sort_by(|a, b| (&a.file, a.span, a.code).cmp(&(&b.file, b.span, b.code)));
        findings
    }

    /// The same finding on a claim, with what was done with it.
    fn at_claim(&self, finding: Finding, i: usize) -> Finding {
        finding.at(self.asked.read.claims[i].span).on_claim(ClaimId(i as u32), self.decisions[i].action.word())
    }

    /// The decisions of reviewers that do not hold.
    fn stale_decisions(&self, findings: &mut Vec<Finding>) {
        let bindings = &self.bindings;
        for (decision, at, why) in self.asked.read.options.review.stale(bindings, &self.decisions) {
            let message = format!("not {}; {why}: “{}”", decision.reviewed.in_words(), decision.claim_text);
            let finding = Finding::new(Code::StaleDecision, message);
            findings.push(match at {
                Some(i) => self.at_claim(finding, i),
                None => finding,
            });
        }
    }

    /// What is told of the draft as a whole.
    fn document_findings(&self, findings: &mut Vec<Finding>) {
        let read = &self.asked.read;
        let written = |span: Span| read.document.slice(span);
        if let Some((place, count)) = read.first_list().filter(|_| read.list_without_citations) {
            let sources = if count == 1 { "1 source is listed" } else { &format!("{count} sources are listed") };
            let message = format!("{sources}, and nothing in the text cites any of them");
            findings.push(Finding::new(Code::ListWithoutCitations, message).at(place));
        }
        if let Some(Stray { span, .. }) = read.strays.first().filter(|_| self.rewrite.numbering.is_kept) {
            let message = format!(
                "{} is no citation that cited writes, and would point at another work: the list keeps its numbers",
                written(*span)
            );
            findings.push(Finding::new(Code::NumbersKept, message).at(*span));
        }
        // The sources that a text cites by number beside its keys.
        let by_keys = self.rewrite.form == CitationForm::Kept && cites_by_keys(&read.citations);
        let cited = self.rewrite.numbering.sources().iter().filter(|_| by_keys).map(|id| read.registry.get(*id));
        findings.extend(cited.filter(|source| source.key_in(&read.research).is_none()).map(|source| {
            let name = source.title().or(source.address.as_deref()).unwrap_or("a source");
            Finding::new(Code::NoKey, format!("no bibliography has a key for {name}: to Pandoc its citation is text"))
        }));
        // The citations by author and year of which the brief has the number alone: what stood beside would not be read there.
        let named = read.citations.markers.iter().filter(|marker| marker.form == MarkerForm::AuthorYear);
        findings.extend(named.map(|marker| marker.span).filter(|span| pandoc::loses_words(written(*span))).map(
            |span| {
                let message = format!("what stands beside the work in {} is not in the brief", written(span));
                Finding::new(Code::UnresolvableMarker, message).at(span)
            },
        ));
    }

    /// `orphans`: the citations without an entry that are told of already, in order.
    fn claim_findings(&self, i: usize, orphans: &[Span], findings: &mut Vec<Finding>) {
        let (claim, decision) = (&self.asked.read.claims[i], &self.decisions[i]);
        let mut tell = |(code, severity): (Code, Severity), message: &str| {
            findings.push(Finding { severity, ..self.on_claim(Finding::new(code, message), i) });
        };
        let of = |code: Code| (code, code.severity());
        let is_bare = decision.sources.is_empty() && self.asked.read.sources[i].inherited.is_empty();
        match (decision.shortfall, decision.action) {
            (Some(Code::OrphanCitation), _) if has_finding(orphans, claim.span) => {}
            (Some(code), action) => {
                let severity = match code {
                    // The user asked for more than this: it weighs as what has no support at all.
                    Code::WeakSupport | Code::Unverifiable | Code::Unchecked => Severity::Error,
                    // What stays for want of anything to hold it against is not proven wrong.
                    Code::Unanchored if action == Action::Keep => code.severity().min(Severity::Warning),
                    _ => code.severity(),
                };
                tell((code, severity), &decision.reason);
            }
            // A label that meant nothing in its document, and that the notes give a meaning.
            (None, Action::Recite) if decision.notes.is_empty() => {
                tell(of(Code::Anchored), "cited from the research files, by what it says");
            }
            (None, Action::Recite) => tell(of(Code::Miscited), &joined(&decision.notes)),
            (None, Action::Cite) => tell(of(Code::Anchored), "cited from the research files"),
            (None, _) if claim.kind == ClaimKind::Plain && is_bare => {
                tell(of(Code::Uncited), "a statement of fact without a source");
            }
            (None, _) => {}
        }
        // What stands in the reason of a claim that falls short, or was cited anew, is told with it; so is a citation without an entry.
        let with_reason = decision.shortfall.is_some() || decision.action == Action::Recite;
        let is_told =
            |note: &&Note| matches!(note, Note::Other(_)) && (with_reason || has_finding(orphans, claim.span));
        for note in decision.notes.iter().filter(|note| !is_told(note)).chain(&decision.remarks) {
            let is_remark = matches!(note, Note::Other(_)) && decision.remarks.contains(note);
            if let Some(kind) = of_note(note).filter(|_| !is_remark) {
                tell(kind, &note.to_string());
            }
        }
    }

    /// The same with the source that decided: of those cited the first that speaks against the claim, else the first that is gone, else the
    /// first.
    fn on_claim(&self, finding: Finding, i: usize) -> Finding {
        let finding = self.at_claim(finding, i);
        let Asked { read, .. } = &self.asked;
        let sources: Vec<SourceId> = read.sources[i].cited.iter().chain(&read.sources[i].anchored).copied().collect();
        let verdict = |id: SourceId| self.verdicts.get(&(i, id)).map(|verdict| verdict.standing);
        let weight = |id: &&SourceId| (verdict(**id) != Some(Standing::Contradicted), !self.asked.is_gone(**id));
        let decided = sources.iter().min_by_key(weight);
        match decided.and_then(|id| Some((read.registry.get(*id).address.clone()?, self.asked.answer(*id)))) {
            Some((url, answer)) => finding.on_address(url, answer.outcome.as_str(), answer.status()),
            None => finding,
        }
    }

    /// A certainty word of a cited claim that stays, which no passage of its sources carries.
    fn certainty_finding(&self, i: usize) -> Option<Finding> {
        let (claim, cited) = (&self.asked.read.claims[i], &self.asked.read.sources[i].cited);
        let judged = cited.iter().filter_map(|source| self.verdicts.get(&(i, *source)));
        let is_asked = claim.kind == ClaimKind::Certainty && !self.decisions[i].action.removes();
        judged.clone().next().filter(|_| is_asked)?;
        let passages: Vec<&str> = judged.filter_map(|verdict| Some(verdict.passage.as_ref()?.text.as_str())).collect();
        let word = cited_judge::certainty::unproven(&claim.text, &passages)?;
        let message = format!("“{word}”: the passages of its sources record no check");
        Some(self.on_claim(Finding::new(Code::FakeCertainty, message), i))
    }

    /// Entries whose page calls itself another work.
    fn identity_findings(&self, findings: &mut Vec<Finding>) {
        let Asked { read, .. } = &self.asked;
        let own = read.entries().map(|(_, entry, source)| (None, entry, source));
        let listed: HashSet<SourceId> = read.entries().map(|(.., source)| source).collect();
        // An entry of a research file is told of where the draft cites it and has none of its own.
        let noted = read.noted.iter().map(|(file, entry, id)| (Some(file), entry, read.registry.resolve(*id)));
        let noted = noted.filter(|(.., id)| !listed.contains(id) && self.rewrite.numbering.get(*id).is_some());
        for (file, entry, source) in own.chain(noted) {
            let answer = self.asked.answer(source);
            let Some(page) = answer.page.as_ref().filter(|_| answer.outcome.is_readable()) else { continue };
            let address = answer.final_url.as_deref().unwrap_or(&answer.address);
            if let Some(differs) = identity::mismatch(&entry.title, address, page) {
                let message = format!("the entry says {}; the page says {}", differs.entry, differs.page);
                let finding = on_answer(Code::IdentityMismatch, message, answer);
                findings.push(Finding { file: file.cloned(), span: Some(entry.span), ..finding });
            }
        }
    }

    /// Sources that say of themselves that they were retracted, unless the entry says so, too.
    fn retraction_findings(&self, findings: &mut Vec<Finding>) {
        let cited = self.rewrite.numbering.sources().iter();
        for source in cited.filter(|source| !is_told(&self.asked.read, **source)) {
            let Some(found) = self.retracted.get(source) else { continue };
            let own = self.asked.read.entries().find(|(.., listed)| listed == source);
            let named = self.asked.read.registry.get(*source).named();
            let message = format!("{named} is {} according to {}: “{}”", found.fate, found.who(), found.words);
            let finding = on_answer(Code::RetractedSource, message, self.asked.answer(*source));
            findings.push(Finding { span: own.map(|(_, entry, _)| entry.span), ..finding });
        }
    }

    fn source_findings(&self, sources: &[SourceRecord], findings: &mut Vec<Finding>) {
        let Asked { read, answers, .. } = &self.asked;
        // Where each source is listed first; of one that is listed again a finding tells.
        let lines = LineIndex::new(read.document.text());
        let mut places: HashMap<SourceId, Span> = HashMap::new();
        for (_, entry, source) in read.entries() {
            let first = *places.entry(source).or_insert(entry.span);
            if first != entry.span {
                let message = format!("the same source as the entry in line {}", lines.line(first.start));
                findings.push(Finding::new(Code::DuplicateSource, message).at(entry.span));
            }
        }
        // A source that no list has is told of where it is cited first; a claim tells that its source is dead.
        let listed: HashSet<SourceId> = places.keys().copied().collect();
        let resolve = |source: &SourceId| read.registry.resolve(*source);
        let markers = read.citations.markers.iter().zip(&read.resolved);
        let cited: Vec<_> = markers.flat_map(|(by, all)| all.iter().map(move |id| (resolve(id), by))).collect();
        let anchored = read.claims.iter().zip(&read.sources);
        let anchored = anchored.flat_map(|(claim, on)| on.anchored.iter().map(move |id| (resolve(id), claim.span)));
        let rest = cited.iter().map(|(id, marker)| (*id, marker.span)).chain(anchored);
        for (id, span) in rest {
            places.entry(id).or_insert(span);
        }
        let linked = cited.iter().filter(|(_, marker)| marker.link.is_some()).map(|(id, _)| *id);
        let linked: HashSet<SourceId> = linked.collect();
        let cited: HashSet<SourceId> = cited.into_iter().map(|(id, _)| id).collect();
        let mut records: HashMap<&Key, &SourceRecord> = HashMap::with_capacity(sources.len());
        for source in sources {
            records.entry(&source.key).or_insert(source);
        }
        for (id, known) in read.registry.iter() {
            let span = places.get(&id);
            // What a research file gives and the brief does not have is told of where it was asked.
            let is_asked = span.is_some() || answers.contains_key(&id);
            let Some(record) = records.get(&known.key).filter(|_| is_asked) else { continue };
            let in_text = !listed.contains(&id);
            let leaves = !in_text && record.number.is_none() && !read.list_without_citations;
            // That it is dead is told once: of the claims that stand on it, else of its entry.
            let tells =
                |finding: &Finding| finding.code == Code::DeadSource && url_of(finding).as_ref() == Some(&record.url);
            let is_told = record.outcome.is_proven_dead() && findings.iter().any(tells);
            // A link without an entry has no words that its page could be held to, but those of the claims.
            let only_linked = in_text && linked.contains(&id) && !read.options.support;
            if record.rule == Rule::OffTopic.as_str() && only_linked {
                continue;
            }
            let told = of_outcome(record, leaves).filter(|_| !is_told);
            // What leaves the brief has been asked, too.
            let left = (leaves && !is_told).then(|| {
                let why = if cited.contains(&id) { "no longer cited" } else { "not cited anywhere" };
                let message = format!("{why}; left out of the brief");
                Finding::new(Code::OrphanSource, message).remedy("nothing, unless a claim should cite it")
            });
            let first = findings.len();
            other_findings(record, findings);
            findings.extend(told.into_iter().chain(left).map(|finding| match record.url.as_str() {
                "" => finding,
                url => finding.on_address(url, record.outcome.as_str(), status(record.outcome, &record.hops)),
            }));
            for finding in &mut findings[first..] {
                finding.span = span.copied();
                // What the draft does not cite is no reason to do anything about it.
                finding.severity = if span.is_some() { finding.severity } else { Severity::Note };
            }
        }
    }
}

/// A finding on what asking a source gave.
fn on_answer(code: Code, message: String, answer: &Fetched) -> Finding {
    Finding::new(code, message).on_address(&answer.address, answer.outcome.as_str(), answer.status())
}

/// What is told of a source by what became of asking it; `leaves`: the brief does not have it.
fn of_outcome(record: &SourceRecord, leaves: bool) -> Option<Finding> {
    let SourceRecord { url, reason, .. } = record;
    let is_ruled = |rule: Rule| record.rule == rule.as_str();
    Some(match record.outcome {
        Outcome::Dead => Finding::new(Code::DeadSource, format!("{url} is dead ({reason}, no archive)")),
        Outcome::Archived => Finding::new(Code::ArchivedSource, format!("{url} is dead; an archived copy stands in")),
        _ if is_ruled(Rule::OffTopic) => {
            let message = format!("{url} is there, and about something else than its entry and what cites it");
            Finding::new(if record.hops.len() < 2 { Code::OffTopic } else { Code::RedirectsElsewhere }, message)
        }
        Outcome::Moved if !leaves => {
            let before = record.others.first();
            let old = before.map_or(url, |other| &other.address);
            let finding = |message| Finding::new(Code::MovedSource, message);
            if is_ruled(Rule::WorkElsewhere) {
                let remedy = "nothing: the brief shows the address that is there";
                finding(format!("{old} is dead; the work is at {url}")).remedy(remedy)
            } else if is_ruled(Rule::WorkFound) {
                let is_page = before.is_some_and(|other| other.outcome.is_readable());
                let state = if is_page { "is another page" } else { "is not there" };
                finding(format!("{old} {state}; {reason}"))
                    .remedy("use that address; --works write puts it into the entry")
            } else {
                finding(format!("{url} has moved to {}", record.final_url.as_deref().unwrap_or("another address")))
            }
        }
        Outcome::Refused => {
            let finding = Finding::new(Code::RefusedAddress, format!("{url} was not asked: {reason}"));
            if is_ruled(Rule::Robots) { finding.remedy("open it yourself, or run without --robots") } else { finding }
        }
        // An entry without an address was told of already.
        outcome if url.is_empty() || leaves && outcome == Outcome::Unasked => return None,
        outcome if outcome.is_unknown() || is_ruled(Rule::WorkAbstract) => {
            Finding::new(Code::UncheckedSource, format!("{url} was not checked: {reason}"))
        }
        _ => return None,
    })
}

/// Each address that was asked has its own outcome, whatever became of the source: what is not told of the source is told of the address.
fn other_findings(record: &SourceRecord, findings: &mut Vec<Finding>) {
    let is_covered = |other: &AddressOutcome| {
        other.outcome.is_readable()
            || key_of(&other.address) == key_of(&record.url)
            || [Rule::WorkElsewhere, Rule::WorkFound, Rule::WorkUnread].iter().any(|rule| record.rule == rule.as_str())
    };
    for other in record.others.iter().filter(|other| !is_covered(other)) {
        let (code, what) = match other.outcome {
            Outcome::Dead => (Code::DeadSource, "is dead"),
            Outcome::Refused => (Code::RefusedAddress, "was not asked"),
            _ => (Code::UncheckedSource, "was not checked"),
        };
        let message = format!("{} {what} ({}); the entry has {}, too", other.address, other.reason, record.url);
        findings.push(Finding::new(code, message).on_address(&other.address, other.outcome.as_str(), other.status));
    }
}

/// Whether a citation without an entry is told of in `claim`: the claim that goes with it needs no second word.
fn has_finding(orphans: &[Span], claim: Span) -> bool {
    let first = orphans.partition_point(|span| span.start < claim.start);
    orphans.get(first).is_some_and(|span| claim.contains(*span))
}

/// The finding that a note on a claim that stays is worth. It warns at most: what stays is not proven wrong.
fn of_note(note: &Note) -> Option<(Code, Severity)> {
    let code = if let Note::Told(code, _) = note { (*code)? } else { Code::Noted };
    Some((code, Severity::Warning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_note_is_and_not_how_it_begins_names_the_finding() {
        let check = |note: Note, expected: &str| {
            let found = of_note(&note).map(|(code, severity)| format!("{}[{code}]", severity.as_str()));
            assert_eq!(found.unwrap_or_default(), expected, "{note:?}");
        };
        let unsure = |standing| Note::unsure(standing, "r");
        check(unsure(Standing::Weak), "warning[weak-support]");
        check(unsure(Standing::Unverifiable), "warning[unverifiable]");
        check(unsure(Standing::Contradicted), "warning[contradicted]");
        check(unsure(Standing::Unchecked), "warning[unchecked]");
        check(unsure(Standing::Supported), "");
        check(Note::leans(), "warning[dangling-opener]");
        check(Note::Told(Some(Code::QuoteCutShort), "cut".into()), "warning[quote-cut-short]");
        check(Note::Other("weak support for the beam".into()), "warning[noted]");
    }
}
