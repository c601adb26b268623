//! Record and findings of a run, from everything that was decided.

use std::collections::HashMap;

use super::ask::Answers;
use super::codes;
use super::gather::Gathered;
use super::links::DeadLink;
use super::quality::{self, Ratings};
use super::weigh::{Bearing, Weighed};
use crate::address::identity::{Key, key_of, without_tracking};
use crate::citation::written::{ListLayout, Written};
use crate::citation::{Entry, EntryId, SourceList};
use crate::claim::{Claim, ClaimId, ClaimKind, Place};
use crate::decide::note::joined;
use crate::decide::policy::Shortfall;
use crate::decide::{Action, Decision, Edit, Note, Rewrite};
use crate::fetch::page::sha256_hex;
use crate::fetch::{Fetched, Hop, Kept, Outcome, Rule, robots};
use crate::finding::{self, Code, Finding, Severity, Suggestion};
use crate::judge::identity;
use crate::judge::{Standing, Verdict};
use crate::render::brief::{self, Sections};
use crate::render::record::{
    ReconciledSource, Record, RunVerdict, SCHEMA, SoftenedClaim, SourceRecord, Stats, Verification,
};
use crate::source::SourceId;
use crate::source::research::{Quality, Rating};
use crate::text::lines::LineIndex;
use crate::text::{Span, escape};

/// For each source the positions of the notes that stand on it and have a label, in order.
type NotesBySource = HashMap<SourceId, Vec<usize>>;

/// What a run decided, as one value to report from.
pub(super) struct Outcomes<'a> {
    pub(super) gathered: &'a Gathered,
    pub(super) bearings: &'a [Bearing],
    pub(super) answers: &'a Answers,
    pub(super) weighed: &'a Weighed,
    pub(super) rewrite: &'a Rewrite,
    pub(super) dead_links: &'a [DeadLink],
    /// Why checking could not be completed, when it could not.
    pub(super) blocked: Option<&'a str>,
    pub(super) judged: bool,
    /// The quality that sources have to reach.
    pub(super) min_quality: Quality,
}

/// The lines of the brief on claims that went or were noted.
#[derive(Default)]
pub(super) struct ClaimLines {
    removed: Vec<String>,
    notes: Vec<String>,
}

/// What the brief says of each claim beside the document.
pub(super) fn claim_lines(claims: &[Claim], weighed: &Weighed, with_notes: bool) -> ClaimLines {
    let mut lines = ClaimLines::default();
    let mut disagreements = weighed.disagreements(claims);
    for (i, (claim, decision)) in claims.iter().zip(&weighed.decisions).enumerate() {
        if decision.action.removes() {
            lines.removed.push(if claim.place == Place::Figure {
                brief::removed_figure_line(&claim.text, &decision.reason)
            } else {
                brief::removed_line(&claim.text_in_context(), &decision.reason)
            });
        } else if with_notes {
            let mut notes: Vec<String> = decision.told().map(Note::to_string).collect();
            notes.extend(disagreements.remove(&i).unwrap_or_default());
            if !notes.is_empty() {
                lines.notes.push(brief::note_line(weighed.words(i, claim), &notes.join("; ")));
            }
        }
    }
    lines
}

impl Outcomes<'_> {
    fn decision(&self, i: usize) -> &Decision {
        &self.weighed.decisions[i]
    }

    /// The sources as the record and the list show them: cited ones by number, then the others.
    pub(super) fn sources(&self) -> Vec<SourceRecord> {
        let numbering = &self.rewrite.numbering;
        let mut ids: Vec<SourceId> = numbering.sources().to_vec();
        ids.extend(self.gathered.registry.iter().map(|(id, _)| id).filter(|id| numbering.get(*id).is_none()));
        let mut notes = self.gathered.entry_notes();
        let ratings = Ratings::of(self.gathered);
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
    fn address_of(&self, id: SourceId) -> String {
        without_tracking(self.gathered.registry.get(id).address.as_deref().unwrap_or_default()).into_owned()
    }

    fn source(&self, id: SourceId, entry_notes: Vec<String>, ratings: &Ratings<'_>) -> SourceRecord {
        let source = self.gathered.registry.get(id);
        let answer = self.answers.get(&id).map(AsRef::as_ref);
        let page_title = answer.and_then(|answer: &Fetched| answer.page.as_ref()).and_then(|page| page.title.clone());
        let own_title = source.titles.iter().find(|title| !is_only_address(title)).cloned();
        SourceRecord {
            number: self.rewrite.numbering.get(id),
            title: escape::plain(&own_title.or(page_title).unwrap_or_default()).into_owned(),
            url: self.address_of(id),
            key: source.key.clone(),
            aliases: source.aliases.clone(),
            origins: source.origins.iter().map(|origin| (origin.file.clone(), origin.label.clone())).collect(),
            entry_notes: entry_notes.into_iter().map(|note| escape::plain(&note).into_owned()).collect(),
            ratings: ratings.all(id),
            retracted: self.weighed.retracted.get(&id).cloned(),
            outcome: answer.map_or(Outcome::Unasked, |answer| answer.outcome),
            reason: answer.map_or_else(|| "not asked: nothing cites it".to_owned(), |answer| answer.reason.clone()),
            rule: answer.map_or(Rule::Unasked, |answer| answer.rule).to_string(),
            signs: answer.map(|answer| answer.signs.clone()).unwrap_or_default(),
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
            Written::of(&self.gathered.document, list, entry)
        };
        let cited = sources.iter().filter(|source| source.number.is_some()).zip(self.rewrite.numbering.sources());
        let cited: Vec<_> = cited.map(|(source, id)| (source, written(id, source))).collect();
        let layout = ListLayout::of(&self.gathered.document, &self.gathered.citations.lists);
        let (sources, loose) = brief::source_lines(&cited, self.rewrite.form, layout);
        Sections { removed: lines.removed, notes: lines.notes, sources, loose }
    }

    /// The entries of the draft, by source.
    fn entries(&self) -> HashMap<SourceId, Vec<(&SourceList, &Entry)>> {
        let mut entries: HashMap<SourceId, Vec<(&SourceList, &Entry)>> = HashMap::new();
        for (list, ids) in self.gathered.citations.lists.iter().zip(&self.gathered.listed) {
            for (entry, id) in list.entries.iter().zip(ids) {
                entries.entry(self.gathered.registry.resolve(*id)).or_default().push((list, entry));
            }
        }
        entries
    }

    /// The record. `claims` are those of the draft, taken out of what was gathered: their words go on into the record.
    pub(super) fn record(
        &self,
        claims: Vec<Claim>,
        sources: Vec<SourceRecord>,
        edits: Vec<Edit>,
        findings: Vec<Finding>,
        brief: &str,
    ) -> Record {
        let lines = LineIndex::new(self.gathered.document.text());
        let notes = self.notes_by_source();
        let ratings = Ratings::of(self.gathered);
        let mut disagreements = self.weighed.disagreements(&claims);
        let mut verified = |i: usize, claim: Claim| {
            let disagreements = disagreements.remove(&i).unwrap_or_default();
            self.verification(i, claim, &lines, (&notes, &ratings), &disagreements)
        };
        let verifications: Vec<Verification> =
            claims.into_iter().enumerate().map(|(i, claim)| verified(i, claim)).collect();
        let stats = self.stats(&verifications, &sources);
        // What the notes of research say, and whose number or quotation its page has, is no open question.
        let held = |(claim, decision): (&Verification, &Decision)| {
            claim.verified || matches!(claim.action, Action::Cite | Action::Recite) && decision.notes.is_empty()
        };
        let open = |(claim, decision): (&Verification, &Decision)| {
            claim.kind.must_have_source() && !claim.action.removes() && !held((claim, decision))
        };
        let factual = |claim: &Verification| claim.kind.is_factual();
        // What nobody read, or nobody confirmed, is no pass.
        let unproven = self.judged
            && (verifications.iter().zip(&self.weighed.decisions).any(open)
                || stats.verified == 0 && verifications.iter().any(factual));
        // A brief that lost all its sources to an earlier run.
        let emptied = sources.is_empty() && !self.gathered.citations.own_sections.is_empty();
        let noted = unproven
            || emptied
            || stats.removed > 0
            || stats.noted > 0
            || stats.conflicts > 0
            || findings.iter().any(|finding| {
                matches!(finding.code, Code::UnresolvableMarker | Code::ListWithoutCitations | Code::LowQuality)
            })
            || sources.iter().any(|source| {
                source.number.is_some() && (source.outcome.is_unknown() || source.rule == Rule::OffTopic.as_str())
            });
        let verdict = match (self.blocked, noted) {
            (Some(_), _) => RunVerdict::Blocked,
            (None, true) => RunVerdict::PassWithNotes,
            (None, false) => RunVerdict::Pass,
        };
        let brief_sha256 = sha256_hex(brief.as_bytes());
        Record { schema: SCHEMA.to_owned(), verdict, brief_sha256, verifications, sources, edits, findings, stats }
    }

    fn verification(
        &self,
        i: usize,
        claim: Claim,
        lines: &LineIndex,
        (labelled, ratings): (&NotesBySource, &Ratings<'_>),
        disagreements: &[String],
    ) -> Verification {
        let (bearing, decision) = (&self.bearings[i], self.decision(i));
        let mut standing_on: Vec<SourceId> = bearing.cited.to_vec();
        // A citation in another place speaks only for what must have a source.
        let inherited = bearing.inherited.iter().filter(|_| claim.kind.must_have_source());
        for source in bearing.anchored.iter().chain(inherited).chain(&decision.sources) {
            if !standing_on.contains(source) {
                standing_on.push(*source);
            }
        }
        let stat = if standing_on.is_empty() { String::new() } else { stat(&claim.text) };
        let reconciled: Vec<ReconciledSource> = standing_on
            .iter()
            .map(|source| self.reconciled(i, &stat, *source, ratings.for_claim(*source, &claim.text)))
            .collect();
        let best = reconciled
            .iter()
            .filter(|source| source.verdict == Standing::Supported && !source.source_passage.is_empty())
            .max_by(|a, b| a.confidence.unwrap_or_default().total_cmp(&b.confidence.unwrap_or_default()));
        let verified = best.is_some() && !decision.action.removes();
        // The record has the words of the draft beside the note; what a reader misses there are those of the brief.
        let softened = self.softened(i, &claim.text);
        let now = softened.as_ref().filter(|softened| softened.applied);
        let now = now.map(|softened| format!("softened by the judge; now: “{}”", softened.after));
        let mut notes: Vec<String> = if decision.action.removes() { vec![decision.reason.clone()] } else { Vec::new() };
        notes.extend(decision.told().map(|note| match (note, &now) {
            (Note::Softened(_), Some(now)) => now.clone(),
            _ => note.to_string(),
        }));
        notes.extend_from_slice(disagreements);
        if notes.is_empty() && !verified && claim.kind.must_have_source() {
            let why = if self.judged { "no passage was found that supports it" } else { "support was not judged" };
            notes.push(why.to_owned());
        }
        let highest = reconciled.iter().filter_map(|source| source.confidence).reduce(f64::max);
        Verification {
            claim_id: ClaimId(i as u32).to_string(),
            research_labels: self.research_labels(i, &claim.text, labelled),
            softened,
            claim_text: claim.text,
            context: claim.context.map(|cell| cell.to_string()),
            verified,
            confidence: best.map_or(highest, |source| source.confidence),
            notes: notes.join("; "),
            kind: claim.kind,
            action: decision.action,
            span: claim.span,
            line: lines.line(claim.span.start),
            sources_reconciled: reconciled,
        }
    }

    /// The softer sentence that is proposed for a claim, when there is a usable one.
    fn softened(&self, i: usize, before: &str) -> Option<SoftenedClaim> {
        let softening = self.weighed.softenings.get(&i)?;
        Some(SoftenedClaim {
            before: before.to_owned(),
            after: softening.sentence.clone()?,
            applied: softening.written && !self.decision(i).action.removes(),
            why_not: softening.why_not.map(str::to_owned),
            source_url: self.address_of(softening.source),
            verdict: softening.standing,
        })
    }

    fn notes_by_source(&self) -> NotesBySource {
        let mut by_source = NotesBySource::new();
        for (at, note) in self.gathered.notes.iter().enumerate().filter(|(_, note)| note.label.is_some()) {
            for source in &note.sources {
                by_source.entry(*source).or_default().push(at);
            }
        }
        by_source
    }

    fn research_labels(&self, i: usize, text: &str, notes: &NotesBySource) -> Vec<String> {
        let anchored = self.bearings[i].anchored.iter();
        let mut of_claim: Vec<usize> = anchored.filter_map(|source| notes.get(source)).flatten().copied().collect();
        of_claim.sort_unstable();
        of_claim.dedup();
        let mut labels: Vec<String> = of_claim
            .into_iter()
            .map(|at| &self.gathered.notes[at])
            .filter(|note| same_words(&note.text, text))
            .filter_map(|note| note.label.clone())
            .collect();
        labels.dedup();
        labels
    }

    fn reconciled(&self, i: usize, stat: &str, source: SourceId, rating: Option<&Rating>) -> ReconciledSource {
        let answer = self.answers.get(&source).map(AsRef::as_ref);
        let verdict: Option<&Verdict> = self.weighed.verdicts.get(&(i, source));
        let page = answer.and_then(|answer: &Fetched| answer.page.as_ref());
        let passage = verdict.and_then(|verdict| verdict.passage.as_ref());
        let why = |answer: &Fetched| match answer.outcome {
            Outcome::Live | Outcome::Moved | Outcome::Archived => "not judged".to_owned(),
            other => format!("{other}: {}", answer.reason),
        };
        ReconciledSource {
            stat: stat.to_owned(),
            source_url: self.address_of(source),
            source_passage: passage.map(|passage| passage.text.clone()).unwrap_or_default(),
            publication_date: page.and_then(|page| page.published),
            context: match (verdict, answer) {
                (Some(verdict), _) => verdict.reason.clone(),
                (None, Some(answer)) => why(answer),
                (None, None) => "not asked".to_owned(),
            },
            verdict: verdict.map_or(Standing::Unchecked, |verdict| verdict.standing),
            confidence: verdict
                .filter(|verdict| verdict.standing != Standing::Unchecked)
                .map(|verdict| verdict.confidence),
            checks: verdict.map(|v| v.checks.iter().map(|check| check.kind).collect()).unwrap_or_default(),
            text_sha256: page.map(|page| page.text_sha256.clone()),
            offsets: passage.map(|passage| passage.offsets),
            fetched_at: answer.map(|answer| answer.fetched_at),
            rating: rating.cloned(),
        }
    }

    fn stats(&self, verifications: &[Verification], sources: &[SourceRecord]) -> Stats {
        let decisions = &self.weighed.decisions;
        Stats {
            claims: verifications.len(),
            verified: verifications.iter().filter(|v| v.verified).count(),
            removed: decisions.iter().filter(|d| d.action.removes()).count(),
            noted: decisions.iter().filter(|d| !d.action.removes() && !d.notes.is_empty()).count(),
            anchored: decisions.iter().filter(|d| d.action == Action::Cite).count(),
            sources: sources.len(),
            cited: sources.iter().filter(|source| source.number.is_some()).count(),
            dead: sources.iter().filter(|source| source.outcome.is_proven_dead()).count(),
            unknown: sources.iter().filter(|s| s.outcome.is_unknown() && s.rule != Rule::Unasked.as_str()).count(),
            single_source: decisions
                .iter()
                .zip(verifications)
                .filter(|(decision, verification)| {
                    decision.sources.len() == 1 && verification.kind.must_have_source() && !decision.action.removes()
                })
                .count(),
            conflicts: self.weighed.standing_conflicts().count(),
        }
    }

    /// Everything worth telling, in order of place.
    pub(super) fn findings(&self, sources: &[SourceRecord]) -> Vec<Finding> {
        let mut findings = self.gathered.findings.clone();
        let orphans = findings.iter().filter(|finding| finding.code == Code::OrphanCitation);
        let mut orphans: Vec<Span> = orphans.filter_map(|finding| finding.span).collect();
        orphans.sort_unstable();
        for i in 0..self.gathered.claims.len() {
            self.claim_findings(i, &orphans, &mut findings);
            self.certainty_finding(i, &mut findings);
            self.softening_finding(i, &mut findings);
        }
        self.add_findings_on_sources(sources, &mut findings);
        if self.min_quality > Quality::Any && Ratings::of(self.gathered).are_none() {
            let message = format!("quality {} was asked for, and no research notes rate a source", self.min_quality);
            findings.push(
                Finding::new(Code::LowQuality, message)
                    .remedy("add a column Type or Confidence to the notes, or leave --min-quality out"),
            );
        }
        for (a, b, conflict) in self.weighed.standing_conflicts() {
            let claims = &self.gathered.claims;
            let message = format!("“{}” and “{}” disagree: {}", claims[a].text, claims[b].text, conflict.difference);
            findings.push(
                Finding::new(Code::Conflict, message)
                    .at(claims[b].span)
                    .on_claim(ClaimId(b as u32), word(self.decision(b).action))
                    .remedy("say in the text why the sources differ; cited keeps both"),
            );
        }
        findings.extend(self.finding_on_the_list());
        findings.sort_by(|a, b| (&a.file, a.span, a.code).cmp(&(&b.file, b.span, b.code)));
        findings
    }

    /// That nothing in the text cites what the draft lists.
    fn finding_on_the_list(&self) -> Option<Finding> {
        if !self.gathered.list_without_citations {
            return None;
        }
        let list = self.gathered.citations.lists.iter().find(|list| !list.entries.is_empty())?;
        let count: usize = self.gathered.citations.lists.iter().map(|list| list.entries.len()).sum();
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
    pub(super) fn findings_on_sources(&self, sources: &[SourceRecord]) -> Vec<Finding> {
        let mut findings = Vec::new();
        self.add_findings_on_sources(sources, &mut findings);
        findings.sort_by(|a, b| (&a.file, a.span, a.code).cmp(&(&b.file, b.span, b.code)));
        findings
    }

    fn add_findings_on_sources(&self, sources: &[SourceRecord], findings: &mut Vec<Finding>) {
        self.identity_findings(findings);
        self.retraction_findings(findings);
        self.source_findings(sources, findings);
        for DeadLink { span, address, reason, status } in self.dead_links {
            findings.push(
                Finding::new(Code::DeadLink, format!("the link to {address} is dead ({reason})"))
                    .at(*span)
                    .on_address(address, Outcome::Dead.as_str(), *status)
                    .remedy("link to another page, or to an archived copy"),
            );
        }
    }

    /// `orphans`: the citations without an entry that are told of already, in order.
    fn claim_findings(&self, i: usize, orphans: &[Span], findings: &mut Vec<Finding>) {
        let (claim, decision) = (&self.gathered.claims[i], self.decision(i));
        let mut tell = |(code, severity): (Code, Severity), message: String, remedy: &'static str| {
            let finding = Finding::new(code, message).at(claim.span).remedy(remedy);
            let finding = self.on_claim(finding, i);
            findings.push(Finding { severity, ..finding });
        };
        let of = |code: Code| (code, code.severity());
        if let Some(shortfall) = decision.shortfall {
            if shortfall != Shortfall::Unresolved || !is_told(orphans, claim.span) {
                let (code, severity, remedy) = codes::of_shortfall(shortfall);
                // What stays for want of anything to hold it against is not proven wrong.
                let lacks_only = shortfall == Shortfall::Uncited && decision.action == Action::Keep;
                let severity = if lacks_only { severity.min(Severity::Warning) } else { severity };
                tell((code, severity), decision.reason.clone(), remedy);
            }
        } else if decision.action == Action::Recite {
            if decision.notes.is_empty() {
                // A label that meant nothing in its document, and that the notes give a meaning.
                tell(
                    of(Code::Anchored),
                    "cited from the research files, by what it says".to_owned(),
                    "check the new citation",
                );
            } else {
                tell(of(Code::Miscited), joined(&decision.notes), "check the new citation");
            }
        } else if decision.action == Action::Cite {
            tell(of(Code::Anchored), "cited from the research files".to_owned(), "check the new citation");
        } else if claim.kind == ClaimKind::Plain && decision.sources.is_empty() && self.bearings[i].inherited.is_empty()
        {
            tell(
                of(Code::Uncited),
                "a statement of fact without a source".to_owned(),
                "cite a source, or use --strict to drop such claims",
            );
        }
        for note in decision.told() {
            if let Some(kind) = codes::of_note(note) {
                let remedy = match note {
                    Note::CutShort { .. } => "read on in the source, and quote what it means",
                    Note::LowQuality(_) => "cite a better source beside it",
                    Note::SingleSource { .. } => "look for a second source that says it",
                    _ => "read the source and the claim side by side",
                };
                tell(kind, note.to_string(), remedy);
            }
        }
    }

    /// A finding on a claim, with what was done with it and the source that decided: of those cited the first that speaks
    /// against the claim, else the first that is gone, else the first.
    fn on_claim(&self, finding: Finding, i: usize) -> Finding {
        let finding = finding.on_claim(ClaimId(i as u32), word(self.decision(i).action));
        let bearing = &self.bearings[i];
        let sources: Vec<SourceId> = bearing.cited.iter().chain(&bearing.anchored).copied().collect();
        let against = |id: &&SourceId| {
            self.weighed.verdicts.get(&(i, **id)).is_some_and(|verdict| verdict.standing == Standing::Contradicted)
        };
        let dead = |id: &&SourceId| self.answers.get(id).is_some_and(|answer| answer.outcome.is_proven_dead());
        let decided = sources.iter().find(against).or_else(|| sources.iter().find(dead)).or(sources.first());
        let answer =
            decided.and_then(|id| Some((self.gathered.registry.get(*id).address.clone()?, self.answers.get(id)?)));
        match answer {
            Some((url, answer)) => {
                finding.on_address(url, answer.outcome.as_str(), status(answer.outcome, &answer.hops))
            }
            None => finding,
        }
    }

    /// A certainty word of a cited claim that no passage of its sources carries.
    fn certainty_finding(&self, i: usize, findings: &mut Vec<Finding>) {
        let (claim, bearing) = (&self.gathered.claims[i], &self.bearings[i]);
        let judged: Vec<&Verdict> =
            bearing.cited.iter().filter_map(|source| self.weighed.verdicts.get(&(i, *source))).collect();
        let kept = !self.decision(i).action.removes();
        if claim.kind != ClaimKind::Certainty || judged.is_empty() || !kept {
            return;
        }
        let passages: Vec<&str> =
            judged.iter().filter_map(|verdict| Some(verdict.passage.as_ref()?.text.as_str())).collect();
        if let Some(word) = crate::judge::certainty::unproven(&claim.text, &passages) {
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

    /// A softer sentence that a judge proposes, as a change that can be made, was made or cannot be made.
    fn softening_finding(&self, i: usize, findings: &mut Vec<Finding>) {
        let Some(softening) = self.weighed.softenings.get(&i).filter(|_| !self.decision(i).action.removes()) else {
            return;
        };
        let because = softening.why_not.unwrap_or_default();
        let (severity, message, remedy) = match (&softening.sentence, softening.written) {
            (None, _) => (
                Severity::Note,
                format!("the judge's softer sentence was not used: it {because}"),
                "read the source and the claim side by side",
            ),
            (Some(_), true) => {
                (Severity::Note, "it said more than its source, and was softened".to_owned(), "read it once more")
            }
            (Some(_), false) if softening.why_not.is_none() => (
                Severity::Warning,
                "it says more than its source; the judge proposes a softer sentence".to_owned(),
                "use --soften to put it in the place of the claim",
            ),
            (Some(sentence), false) => (
                Severity::Warning,
                format!("it says more than its source; not written, {because}: the judge proposes “{sentence}”"),
                "rewrite the claim by hand",
            ),
        };
        let finding = Finding::new(Code::Overstated, message).at(self.gathered.claims[i].span).remedy(remedy);
        let mut finding = self.on_claim(finding, i);
        finding.severity = severity;
        let edit = softening.edit(i).filter(|_| softening.why_not.is_none());
        finding.suggestion = edit.map(|edit| Box::new(Suggestion { span: edit.span, replacement: edit.replacement }));
        findings.push(finding);
    }

    /// Entries whose page calls itself another work.
    fn identity_findings(&self, findings: &mut Vec<Finding>) {
        for (list, sources) in self.gathered.citations.lists.iter().zip(&self.gathered.listed) {
            for (entry, source) in list.entries.iter().zip(sources) {
                let source = self.gathered.registry.resolve(*source);
                let answer = self.answers.get(&source).filter(|answer| answer.outcome.is_readable());
                let Some((answer, page)) = answer.and_then(|answer| Some((answer, answer.page.as_ref()?))) else {
                    continue;
                };
                let address = answer.final_url.as_deref().unwrap_or(&answer.address);
                if let Some(differs) = identity::mismatch(&entry.title, address, page) {
                    let message = format!("the entry says {}; the page says {}", differs.entry, differs.page);
                    findings.push(
                        Finding::new(Code::IdentityMismatch, message)
                            .at(entry.span)
                            .on_address(&answer.address, answer.outcome.as_str(), status(answer.outcome, &answer.hops))
                            .remedy("check that the address is the one of the work that is cited"),
                    );
                }
            }
        }
    }

    /// Sources that say of themselves that they were retracted, unless the entry says so, too.
    fn retraction_findings(&self, findings: &mut Vec<Finding>) {
        let cited = self.rewrite.numbering.sources().iter();
        for source in cited.filter(|source| !quality::is_told(self.gathered, **source)) {
            let Some(found) = self.weighed.retracted.get(source) else { continue };
            let lists = self.gathered.citations.lists.iter().zip(&self.gathered.listed);
            let entries = lists.flat_map(|(list, sources)| list.entries.iter().zip(sources));
            let mut own = entries.filter(|(_, listed)| self.gathered.registry.resolve(**listed) == *source);
            let address = self.gathered.registry.get(*source).address.clone().unwrap_or_default();
            let message = format!("{address} is {} by its own word: “{}”", found.fate, found.words);
            let mut finding =
                Finding::new(Code::RetractedSource, message).remedy("cite another source, or say so in the text");
            if let Some(answer) = self.answers.get(source) {
                finding =
                    finding.on_address(&answer.address, answer.outcome.as_str(), status(answer.outcome, &answer.hops));
            }
            findings.push(match own.next() {
                Some((entry, _)) => finding.at(entry.span),
                None => finding,
            });
        }
    }

    fn source_findings(&self, sources: &[SourceRecord], findings: &mut Vec<Finding>) {
        let lines = LineIndex::new(self.gathered.document.text());
        let mut places: HashMap<SourceId, crate::text::Span> = HashMap::new();
        for (l, list) in self.gathered.listed.iter().enumerate() {
            for (e, source) in list.iter().enumerate() {
                let id = EntryId { list: l as u32, entry: e as u32 };
                let span = self.gathered.citations.lists[id.list as usize].entries[id.entry as usize].span;
                if let Some(first) = places.get(source) {
                    let line = lines.line(first.start);
                    findings.push(
                        Finding::new(Code::DuplicateSource, format!("the same source as the entry in line {line}"))
                            .at(span)
                            .remedy("nothing to do: the brief lists it once"),
                    );
                } else {
                    places.insert(*source, span);
                }
            }
        }
        let mut records: HashMap<&Key, &SourceRecord> = HashMap::with_capacity(sources.len());
        for source in sources {
            records.entry(&source.key).or_insert(source);
        }
        for (id, known) in self.gathered.registry.iter() {
            let Some(span) = places.get(&id) else { continue };
            let Some(record) = records.get(&known.key) else { continue };
            let (code, message, remedy) = match record.outcome {
                Outcome::Dead => (
                    Code::DeadSource,
                    format!("{} is dead ({}, no archive)", record.url, record.reason),
                    "cite another source",
                ),
                Outcome::Archived => (
                    Code::ArchivedSource,
                    format!("{} is dead; an archived copy stands in", record.url),
                    "nothing to do",
                ),
                _ if record.rule == Rule::OffTopic.as_str() => (
                    if record.hops.len() < 2 { Code::OffTopic } else { Code::RedirectsElsewhere },
                    format!("{} is there, and about something else than its entry and what cites it", record.url),
                    "check the address; the page may have been replaced",
                ),
                Outcome::Moved => (
                    Code::MovedSource,
                    format!("{} has moved to {}", record.url, record.final_url.as_deref().unwrap_or("another address")),
                    "use the new address",
                ),
                Outcome::Refused => (
                    Code::RefusedAddress,
                    format!("{} was not asked: {}", record.url, record.reason),
                    if record.reason.starts_with(robots::REFUSAL) {
                        "open it yourself, or run without --robots"
                    } else {
                        "allow it with --allow-net, or cite another source"
                    },
                ),
                // An entry without an address was told of already.
                outcome if outcome.is_unknown() && record.number.is_some() && !record.url.is_empty() => (
                    Code::UncheckedSource,
                    format!("{} could not be checked: {}", record.url, record.reason),
                    "open it yourself, or try again later",
                ),
                _ => (
                    Code::OrphanSource,
                    "listed, and cited nowhere".to_owned(),
                    "nothing to do: the brief leaves it out",
                ),
            };
            let stays = code == Code::OrphanSource && (record.number.is_some() || self.gathered.list_without_citations);
            if !stays {
                let finding = Finding::new(code, message).at(*span).remedy(remedy);
                let (outcome, status) = (record.outcome.as_str(), status(record.outcome, &record.hops));
                findings.push(if record.url.is_empty() {
                    finding
                } else {
                    finding.on_address(&record.url, outcome, status)
                });
            }
        }
    }
}

/// The HTTP status of the last answer; of what an archive stands in for, that of the page itself.
pub(super) fn status(outcome: Outcome, hops: &[Hop]) -> Option<u16> {
    let mut statuses = hops.iter().rev().filter_map(|hop| hop.status);
    if outcome == Outcome::Archived { statuses.find(|status| *status >= 400) } else { statuses.next() }
}

/// What was done with a claim, as the record says it.
fn word(action: Action) -> &'static str {
    match action {
        Action::Keep => "keep",
        Action::Cite => "cite",
        Action::Recite => "recite",
        Action::Mark => "mark",
        Action::Todo => "todo",
        Action::Drop => "drop",
        Action::Fail => finding::FAIL,
    }
}

/// Whether a citation without an entry is told of in `claim`: the claim that goes with it needs no second word.
fn is_told(orphans: &[Span], claim: Span) -> bool {
    let first = orphans.partition_point(|span| span.start < claim.start);
    orphans.get(first).is_some_and(|span| claim.contains(*span))
}

/// What of a claim can be held against a source word by word: its first quotation, else its first measured number.
fn stat(claim: &str) -> String {
    let quotation = crate::text::quotation::quotations(claim).into_iter().find(|quotation| !quotation.is_empty());
    let span = quotation.map(|quotation| quotation.span).or_else(|| {
        crate::quantity::quantities(claim)
            .into_iter()
            .find(crate::quantity::Quantity::is_measured)
            .map(|quantity| quantity.span)
    });
    span.map(|span| span.of(claim).to_owned()).unwrap_or_default()
}

/// Whether a title is only the address again.
fn is_only_address(title: &str) -> bool {
    let title = title.trim();
    title.is_empty() || title.starts_with("http://") || title.starts_with("https://")
}

fn same_words(a: &str, b: &str) -> bool {
    shared_words(a, b) >= 0.5
}

/// The part of the words of the shorter text that the other one has.
pub(super) fn shared_words(a: &str, b: &str) -> f64 {
    let words = |text: &str| {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect::<Vec<_>>()
    };
    let (a, b) = (words(a), words(b));
    let shared = a.iter().filter(|word| b.contains(word)).count();
    shared as f64 / a.len().min(b.len()).max(1) as f64
}
