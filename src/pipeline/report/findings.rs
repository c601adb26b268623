//! The findings of a run, from everything that was decided.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::codes;
use crate::pipeline::decided::Decided;
use crate::pipeline::judge::is_told;
use cited_core::address::identity::{Key, key_of};
use cited_core::citation::{Marker, MarkerForm, pandoc};
use cited_core::claim::{ClaimId, ClaimKind};
use cited_core::decide::form::cites_by_keys;
use cited_core::decide::note::joined;
use cited_core::decide::policy::Shortfall;
use cited_core::decide::review::Stale;
use cited_core::decide::{Action, CitationForm, Note};
use cited_core::finding::{Code, Finding, Severity};
use cited_core::outcome::{Outcome, status};
use cited_core::rule::Rule;
use cited_core::source::SourceId;
use cited_core::verdict::{Standing, Verdict};
use cited_fetch::AddressOutcome;
use cited_judge::identity;
use cited_report::record::SourceRecord;
use cited_report::wording::counted;
use cited_text::Span;
use cited_text::lines::LineIndex;

/// What to do about a citation that the run has put there.
const CHECK: &str = "check the new citation";

/// Of the claims that a source does not confirm the first warns for all of them; the others are notes.
fn warn_once_a_source(findings: &mut [Finding]) {
    let mut by_source: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, finding) in findings.iter().enumerate() {
        let unsure = matches!(finding.code, Code::WeakSupport | Code::Unverifiable | Code::Unchecked);
        let url = finding.about.as_ref().and_then(|about| about.url.clone());
        if let Some(url) = url.filter(|_| unsure && finding.severity == Severity::Warning) {
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

impl Decided<'_> {
    /// Everything worth telling, in order of place.
    pub(in crate::pipeline) fn findings(&self, sources: &[SourceRecord]) -> Vec<Finding> {
        let mut findings = self.read.findings.clone();
        findings.retain(|finding| finding.code != Code::NoAddress || !self.is_looked_up(finding));
        let orphans = findings.iter().filter(|finding| finding.code == Code::OrphanCitation);
        let mut orphans: Vec<Span> = orphans.filter_map(|finding| finding.span).collect();
        orphans.sort_unstable();
        for i in 0..self.read.claims.len() {
            self.claim_findings(i, &orphans, &mut findings);
            self.certainty_finding(i, &mut findings);
        }
        warn_once_a_source(&mut findings);
        self.add_findings_on_sources(sources, &mut findings);
        for (a, b, conflict) in self.assessment.standing_conflicts() {
            let claims = &self.read.claims;
            let message = format!("“{}” and “{}” disagree: {}", claims[a].text, claims[b].text, conflict.difference);
            findings.push(
                Finding::new(Code::Conflict, message)
                    .at(claims[b].span)
                    .on_claim(ClaimId(b as u32), self.decision(b).action.word())
                    .remedy("say in the text why the sources differ; cited keeps both"),
            );
        }
        self.stale_decisions(&mut findings);
        findings.extend(self.finding_on_the_list());
        findings.extend(self.finding_on_kept_numbers());
        findings.extend(self.findings_on_keys());
        findings.extend(self.findings_on_lost_words());
        findings.sort_by(|a, b| (&a.file, a.span, a.code).cmp(&(&b.file, b.span, b.code)));
        findings
    }

    /// The decisions of reviewers that do not hold.
    fn stale_decisions(&self, findings: &mut Vec<Finding>) {
        let bindings = &self.assessment.bindings;
        for (decision, at, why) in self.read.options.review.stale(bindings, &self.assessment.decisions) {
            let why = match why {
                Stale::Claim => "no claim of the draft has these words any more".to_owned(),
                Stale::Evidence => "what its sources are or say has changed since".to_owned(),
                Stale::Action => {
                    let now = at.map_or("", |i| self.decision(i).action.word());
                    format!("“{}” was accepted, and this run says “{now}”", decision.action.word())
                }
            };
            let words = decision.reviewed.in_words();
            let message = format!("not {words}; {why}: “{}”", decision.claim_text);
            let finding = Finding::new(Code::StaleDecision, message)
                .remedy("look at the claim again, decide, and export the decisions anew");
            findings.push(match at {
                Some(i) => {
                    finding.at(self.read.claims[i].span).on_claim(ClaimId(i as u32), self.decision(i).action.word())
                }
                None => finding,
            });
        }
    }

    /// The citations by author and year of which the brief has the number alone: what stood beside would not be read there.
    fn findings_on_lost_words(&self) -> impl Iterator<Item = Finding> + '_ {
        let named = |marker: &&Marker| marker.form == MarkerForm::AuthorYear;
        self.read.citations.markers.iter().filter(named).filter_map(|marker| {
            let written = self.read.document.slice(marker.span);
            let message = || format!("what stands beside the work in {written} is not in the brief");
            let remedy = "write it into the sentence";
            pandoc::loses_words(written)
                .then(|| Finding::new(Code::UnresolvableMarker, message()).at(marker.span).remedy(remedy))
        })
    }

    /// What is told of a draft whose numbers were kept.
    fn finding_on_kept_numbers(&self) -> Option<Finding> {
        let stray = self.read.strays.first().filter(|_| self.rewrite.numbering.is_kept())?;
        let written = self.read.document.slice(stray.span);
        let message = format!(
            "{written} is no citation that cited writes, and would point at another work: the list keeps its numbers"
        );
        Some(Finding::new(Code::NumbersKept, message).at(stray.span).remedy("write it in another way, or take it out"))
    }

    /// The sources that a text cites by number beside its keys.
    fn findings_on_keys(&self) -> impl Iterator<Item = Finding> + '_ {
        let by_keys = self.rewrite.form == CitationForm::Kept && cites_by_keys(&self.read.citations);
        let cited = self.rewrite.numbering.sources().iter().filter(move |_| by_keys);
        let cited = cited.map(|id| self.read.registry.get(*id));
        cited.filter(|source| source.key_in(&self.read.research).is_none()).map(|source| {
            let name = source.title().or(source.address.as_deref()).unwrap_or("a source");
            Finding::new(Code::NoKey, format!("no bibliography has a key for {name}: to Pandoc its citation is text"))
                .remedy("add its entry to the bibliography, and cite it by its key")
        })
    }

    /// That nothing in the text cites what the draft lists.
    fn finding_on_the_list(&self) -> Option<Finding> {
        if !self.read.list_without_citations {
            return None;
        }
        let list = self.read.citations.lists.iter().find(|list| !list.entries.is_empty())?;
        let count: usize = self.read.citations.lists.iter().map(|list| list.entries.len()).sum();
        let sources = if count == 1 { "1 source is listed" } else { &format!("{count} sources are listed") };
        let finding =
            Finding::new(Code::ListWithoutCitations, format!("{sources}, and nothing in the text cites any of them"));
        Some(
            finding
                .at(list.heading.unwrap_or(list.span))
                .remedy("put the numbers of the entries behind the sentences that stand on them"),
        )
    }

    /// What the sources and links show by being there or not, in order of place.
    pub(in crate::pipeline) fn findings_on_sources(&self, sources: &[SourceRecord]) -> Vec<Finding> {
        let mut findings = Vec::new();
        self.add_findings_on_sources(sources, &mut findings);
        findings.sort_by(|a, b| (&a.file, a.span, a.code).cmp(&(&b.file, b.span, b.code)));
        findings
    }

    fn add_findings_on_sources(&self, sources: &[SourceRecord], findings: &mut Vec<Finding>) {
        self.identity_findings(findings);
        self.retraction_findings(findings);
        self.work_findings(findings);
        self.source_findings(sources, findings);
    }

    /// `orphans`: the citations without an entry that are told of already, in order.
    fn claim_findings(&self, i: usize, orphans: &[Span], findings: &mut Vec<Finding>) {
        let (claim, decision) = (&self.read.claims[i], self.decision(i));
        let mut tell = |(code, severity): (Code, Severity), message: &str, remedy: &'static str| {
            let finding = Finding::new(code, message).at(claim.span).remedy(remedy);
            let finding = self.on_claim(finding, i);
            findings.push(Finding { severity, ..finding });
        };
        let of = |code: Code| (code, code.severity());
        let is_bare = decision.sources.is_empty() && self.read.sources[i].inherited.is_empty();
        match (decision.shortfall, decision.action) {
            (Some(Shortfall::Unresolved), _) if has_finding(orphans, claim.span) => {}
            (Some(shortfall), action) => {
                let (code, severity, remedy) = codes::of_shortfall(shortfall);
                // What stays for want of anything to hold it against is not proven wrong.
                let lacks_only = shortfall == Shortfall::Uncited && action == Action::Keep;
                let severity = if lacks_only { severity.min(Severity::Warning) } else { severity };
                tell((code, severity), &decision.reason, remedy);
            }
            // A label that meant nothing in its document, and that the notes give a meaning.
            (None, Action::Recite) if decision.notes.is_empty() => {
                tell(of(Code::Anchored), "cited from the research files, by what it says", CHECK);
            }
            (None, Action::Recite) => tell(of(Code::Miscited), &joined(&decision.notes), CHECK),
            (None, Action::Cite) => tell(of(Code::Anchored), "cited from the research files", CHECK),
            (None, _) if claim.kind == ClaimKind::Plain && is_bare => {
                let remedy = "cite a source, or use --strict to drop such claims";
                tell(of(Code::Uncited), "a statement of fact without a source", remedy);
            }
            (None, _) => {}
        }
        // What stands in the reason of a claim that falls short, or was cited anew, is told with it; so is a citation without an entry.
        let with_reason = decision.shortfall.is_some() || decision.action == Action::Recite;
        let is_told =
            |note: &&Note| matches!(note, Note::Other(_)) && (with_reason || has_finding(orphans, claim.span));
        for note in decision.notes.iter().filter(|note| !is_told(note)).chain(&decision.remarks) {
            let is_remark = matches!(note, Note::Other(_)) && decision.remarks.contains(note);
            if let Some(kind) = codes::of_note(note).filter(|_| !is_remark) {
                let remedy = match note {
                    Note::CutShort { .. } => "read on in the source, and quote what it means",
                    Note::Near(_) => "cite the source of that note, if it is the one",
                    Note::Graded(_) | Note::Other(_) => "read the sentence again",
                    _ => "read the source and the claim side by side",
                };
                tell(kind, &note.to_string(), remedy);
            }
        }
    }

    /// A finding on a claim, with what was done with it and the source that decided: of those cited the first that speaks
    /// against the claim, else the first that is gone, else the first.
    fn on_claim(&self, finding: Finding, i: usize) -> Finding {
        let finding = finding.on_claim(ClaimId(i as u32), self.decision(i).action.word());
        let stands_on = &self.read.sources[i];
        let sources: Vec<SourceId> = stands_on.cited.iter().chain(&stands_on.anchored).copied().collect();
        let against = |id: &&SourceId| {
            self.assessment.verdicts.get(&(i, **id)).is_some_and(|verdict| verdict.standing == Standing::Contradicted)
        };
        let dead = |id: &&SourceId| self.asked.is_gone(**id);
        let decided = sources.iter().find(against).or_else(|| sources.iter().find(dead)).or(sources.first());
        let answer =
            decided.and_then(|id| Some((self.read.registry.get(*id).address.clone()?, self.asked.answer(*id))));
        match answer {
            Some((url, answer)) => finding.on_address(url, answer.outcome.as_str(), answer.status()),
            None => finding,
        }
    }

    /// A certainty word of a cited claim that no passage of its sources carries.
    fn certainty_finding(&self, i: usize, findings: &mut Vec<Finding>) {
        let (claim, stands_on) = (&self.read.claims[i], &self.read.sources[i]);
        let judged: Vec<&Verdict> =
            stands_on.cited.iter().filter_map(|source| self.assessment.verdicts.get(&(i, *source))).collect();
        let kept = !self.decision(i).action.removes();
        if claim.kind != ClaimKind::Certainty || judged.is_empty() || !kept {
            return;
        }
        let passages: Vec<&str> =
            judged.iter().filter_map(|verdict| Some(verdict.passage.as_ref()?.text.as_str())).collect();
        if let Some(word) = cited_judge::certainty::unproven(&claim.text, &passages) {
            findings.push(
                self.on_claim(
                    Finding::new(Code::FakeCertainty, format!("“{word}”: the passages of its sources record no check"))
                        .at(claim.span)
                        .remedy("say who checked it, where and when, or leave the word out"),
                    i,
                ),
            );
        }
    }

    /// Entries whose page calls itself another work.
    fn identity_findings(&self, findings: &mut Vec<Finding>) {
        let registry = &self.read.registry;
        let own = self.read.entries().map(|(_, entry, source)| (None, entry, source));
        let listed: HashSet<SourceId> = self.read.entries().map(|(.., source)| source).collect();
        // An entry of a research file is told of where the draft cites it and has none of its own.
        let noted = self.read.noted.iter().map(|(file, entry, source)| (Some(file), entry, registry.resolve(*source)));
        let noted = noted.filter(|(.., id)| !listed.contains(id) && self.rewrite.numbering.get(*id).is_some());
        for (file, entry, source) in own.chain(noted) {
            let answer = self.asked.answer(source);
            let Some(page) = answer.page.as_ref().filter(|_| answer.outcome.is_readable()) else { continue };
            let address = answer.final_url.as_deref().unwrap_or(&answer.address);
            if let Some(differs) = identity::mismatch(&entry.title, address, page) {
                let message = format!("the entry says {}; the page says {}", differs.entry, differs.page);
                let finding = Finding::new(Code::IdentityMismatch, message)
                    .at(entry.span)
                    .on_address(&answer.address, answer.outcome.as_str(), answer.status())
                    .remedy("check that the address is the one of the work that is cited");
                findings.push(Finding { file: file.cloned(), ..finding });
            }
        }
    }

    /// Sources that say of themselves that they were retracted, unless the entry says so, too.
    fn retraction_findings(&self, findings: &mut Vec<Finding>) {
        let cited = self.rewrite.numbering.sources().iter();
        for source in cited.filter(|source| !is_told(self.read, **source)) {
            let Some(found) = self.assessment.retracted.get(source) else { continue };
            let own = self.read.entries().find(|(.., listed)| listed == source);
            let named = self.read.registry.get(*source).named();
            let message = format!("{named} is {} according to {}: “{}”", found.fate, found.who(), found.words);
            let answer = self.asked.answer(*source);
            let finding = Finding::new(Code::RetractedSource, message)
                .remedy("cite another source, or say so in the text")
                .on_address(&answer.address, answer.outcome.as_str(), answer.status());
            findings.push(Finding { span: own.map(|(_, entry, _)| entry.span), ..finding });
        }
    }

    /// Where each source is listed first; of one that is listed again a finding tells.
    fn places_of_entries(&self, findings: &mut Vec<Finding>) -> HashMap<SourceId, Span> {
        let lines = LineIndex::new(self.read.document.text());
        let mut places: HashMap<SourceId, Span> = HashMap::new();
        for (_, entry, source) in self.read.entries() {
            if let Some(first) = places.get(&source) {
                let line = lines.line(first.start);
                findings.push(
                    Finding::new(Code::DuplicateSource, format!("the same source as the entry in line {line}"))
                        .at(entry.span)
                        .remedy("nothing: the brief lists it once"),
                );
            } else {
                places.insert(source, entry.span);
            }
        }
        places
    }

    fn source_findings(&self, sources: &[SourceRecord], findings: &mut Vec<Finding>) {
        let mut places = self.places_of_entries(findings);
        // A source that no list has is told of where it is cited first; a claim tells that its source is dead.
        let listed: HashSet<SourceId> = places.keys().copied().collect();
        let mut cited: HashSet<SourceId> = HashSet::new();
        let mut linked: HashSet<SourceId> = HashSet::new();
        for (marker, sources) in self.read.citations.markers.iter().zip(&self.read.resolved) {
            for source in sources.iter().map(|source| self.read.registry.resolve(*source)) {
                cited.insert(source);
                places.entry(source).or_insert(marker.span);
                linked.extend(marker.link.is_some().then_some(source));
            }
        }
        for (claim, sources) in self.read.claims.iter().zip(&self.read.sources) {
            for source in &sources.anchored {
                places.entry(self.read.registry.resolve(*source)).or_insert(claim.span);
            }
        }
        let mut records: HashMap<&Key, &SourceRecord> = HashMap::with_capacity(sources.len());
        for source in sources {
            records.entry(&source.key).or_insert(source);
        }
        for (id, known) in self.read.registry.iter() {
            let span = places.get(&id);
            // What a research file gives and the brief does not have is told of where it was asked.
            let is_asked = span.is_some() || self.asked.answers.contains_key(&id);
            let Some(record) = records.get(&known.key).filter(|_| is_asked) else { continue };
            let in_text = !listed.contains(&id);
            let leaves = !in_text && record.number.is_none() && !self.read.list_without_citations;
            // That it is dead is told once: of the claims that stand on it, else of its entry.
            let is_told = record.outcome.is_proven_dead()
                && findings
                    .iter()
                    .filter(|finding| finding.code == Code::DeadSource)
                    .any(|finding| finding.about.as_ref().is_some_and(|about| about.url.as_ref() == Some(&record.url)));
            // A link without an entry has no words that its page could be held to, but those of the claims.
            let only_linked = in_text && linked.contains(&id) && !self.read.options.support;
            if record.rule == Rule::OffTopic.as_str() && only_linked {
                continue;
            }
            let told = of_outcome(record, leaves).filter(|_| !is_told);
            // What leaves the brief has been asked, too.
            let left = (leaves && !is_told).then(|| {
                let why = if cited.contains(&id) { "no longer cited" } else { "not cited anywhere" };
                let message = format!("{why}; left out of the brief");
                (Code::OrphanSource, message, "nothing, unless a claim should cite it")
            });
            let first = findings.len();
            other_findings(record, findings);
            for (code, message, remedy) in told.into_iter().chain(left) {
                let finding = Finding::new(code, message).remedy(remedy);
                let (outcome, status) = (record.outcome.as_str(), status(record.outcome, &record.hops));
                findings.push(if record.url.is_empty() {
                    finding
                } else {
                    finding.on_address(&record.url, outcome, status)
                });
            }
            for finding in &mut findings[first..] {
                finding.span = span.copied();
                // What the draft does not cite is no reason to do anything about it.
                finding.severity = if span.is_some() { finding.severity } else { Severity::Note };
            }
        }
    }
}

/// What is told of a source by what became of asking it; `leaves`: the brief does not have it.
fn of_outcome(record: &SourceRecord, leaves: bool) -> Option<(Code, String, &'static str)> {
    let SourceRecord { url, reason, .. } = record;
    let is_ruled = |rule: Rule| record.rule == rule.as_str();
    Some(match record.outcome {
        Outcome::Dead => (Code::DeadSource, format!("{url} is dead ({reason}, no archive)"), "cite another source"),
        Outcome::Archived => {
            let message = format!("{url} is dead; an archived copy stands in");
            (Code::ArchivedSource, message, "nothing: the brief links to the copy")
        }
        _ if is_ruled(Rule::OffTopic) => {
            let message = format!("{url} is there, and about something else than its entry and what cites it");
            let code = if record.hops.len() < 2 { Code::OffTopic } else { Code::RedirectsElsewhere };
            (code, message, "check the address; the page may have been replaced")
        }
        Outcome::Moved if !leaves => moved(record),
        Outcome::Refused => {
            let allow = "allow it with --allow-net, or cite another source";
            let remedy = if is_ruled(Rule::Robots) { "open it yourself, or run without --robots" } else { allow };
            (Code::RefusedAddress, format!("{url} was not asked: {reason}"), remedy)
        }
        // An entry without an address was told of already.
        outcome if url.is_empty() || leaves && outcome == Outcome::Unasked => return None,
        outcome if outcome.is_unknown() || is_ruled(Rule::WorkAbstract) => {
            (Code::UncheckedSource, format!("{url} was not checked: {reason}"), "open it yourself, or try again later")
        }
        _ => return None,
    })
}

/// What is told of a source that is at another address.
fn moved(record: &SourceRecord) -> (Code, String, &'static str) {
    let (message, remedy) = if record.rule == Rule::WorkElsewhere.as_str() {
        let gone = record.others.first().map_or(record.url.as_str(), |other| &other.address);
        let remedy = "nothing: the brief shows the address that is there";
        (format!("{gone} is dead; the work is at {}", record.url), remedy)
    } else if record.rule == Rule::WorkFound.as_str() {
        let gone = record.others.first();
        let state =
            if gone.is_some_and(|gone| gone.outcome.is_readable()) { "is another page" } else { "is not there" };
        let gone = gone.map_or(record.url.as_str(), |gone| &gone.address);
        (format!("{gone} {state}; {}", record.reason), "use that address; --works write puts it into the entry")
    } else {
        let there = record.final_url.as_deref().unwrap_or("another address");
        (format!("{} has moved to {there}", record.url), "use the new address")
    };
    (Code::MovedSource, message, remedy)
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
        let finding = Finding::new(code, message).remedy("take it out, or open it yourself");
        findings.push(finding.on_address(&other.address, other.outcome.as_str(), other.status));
    }
}

/// Whether a citation without an entry is told of in `claim`: the claim that goes with it needs no second word.
fn has_finding(orphans: &[Span], claim: Span) -> bool {
    let first = orphans.partition_point(|span| span.start < claim.start);
    orphans.get(first).is_some_and(|span| claim.contains(*span))
}
