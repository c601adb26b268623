//! The findings of a run, from everything that was decided; and what is told of addresses: of the links of the prose in each of their places,
//! and a row for each that was asked.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::pipeline::ask::{Asked, in_prose, uncited};
use crate::pipeline::judge::{Judged, is_told};
use cited_core::address::identity::{Key, key_of};
use cited_core::check::results::{Results, url_of};
use cited_core::citation::stray::Stray;
use cited_core::citation::{MarkerForm, pandoc};
use cited_core::claim::{ClaimId, ClaimKind};
use cited_core::decide::form::cites_by_keys;
use cited_core::decide::note::joined;
use cited_core::decide::{Action, CitationForm, Note};
use cited_core::finding::{Code, Finding, Severity};
use cited_core::outcome::{Fate, Fetched, Outcome};
use cited_core::rule::Rule;
use cited_core::source::SourceId;
use cited_core::verdict::{Standing, Verdict};
use cited_fetch::AddressOutcome;
use cited_judge::identity;
use cited_report::wording::counted;
use cited_text::Span;
use cited_text::lines::LineIndex;
use cited_works::{Difference, Entry, Kind, Listed, Look, Note as Remark, NoteKind, Outcome as Existence};

/// What is told of a source by what asking it gave. Of a link alone it is told as of a link; the last two are not, unless claims are held to its page.
const OF_OUTCOMES: [Code; 7] = [
    Code::DeadSource,
    Code::ArchivedSource,
    Code::MovedSource,
    Code::UncheckedSource,
    Code::RefusedAddress,
    Code::OffTopic,
    Code::RedirectsElsewhere,
];

impl Judged {
    /// What the sources and links show by being there or not; with `support` everything worth telling.
    pub(in crate::pipeline) fn findings(&self, support: bool) -> Vec<Finding> {
        let mut findings = Vec::new();
        if support {
            findings.clone_from(&self.asked.read.findings);
            // That an entry has no address is not told where its work was found, or is told not to be.
            let is_looked_up = |finding: &Finding| {
                self.asked.works.all.iter().any(|(_, Listed { entry, look })| {
                    finding.span == Some(entry.span)
                        && finding.file.as_deref().unwrap_or_default() == entry.file
                        && (look.work.is_some() || look.outcome == Existence::NotFound)
                })
            };
            findings.retain(|finding| finding.code != Code::NoAddress || !is_looked_up(finding));
            let orphans = findings.iter().filter(|finding| finding.code == Code::OrphanCitation);
            let mut orphans: Vec<Span> = orphans.filter_map(|finding| finding.span).collect();
            orphans.sort_unstable();
            for i in 0..self.asked.read.claims.len() {
                self.claim_findings(i, &orphans, &mut findings);
            }
            // Of the claims that a source does not confirm the first warns for all of them; the others are notes.
            let mut warned: HashSet<String> = HashSet::new();
            for finding in findings.iter_mut().filter(|finding| finding.severity == Severity::Warning) {
                let is_unsure = matches!(finding.code, Code::WeakSupport | Code::Unverifiable | Code::Unchecked);
                if url_of(finding).is_some_and(|url| is_unsure && !warned.insert(url)) {
                    finding.severity = Severity::Note;
                }
            }
        }
        self.identity_findings(&mut findings);
        self.work_findings(&mut findings);
        self.source_findings(&mut findings);
        if support {
            findings.extend(self.standing_conflicts().map(|(a, b, conflict)| {
                let (claims, differs) = (&self.asked.read.claims, &conflict.difference);
                let message = format!("“{}” and “{}” disagree: {differs}", claims[a].text, claims[b].text);
                self.at_claim(Finding::new(Code::Conflict, message), b)
            }));
            self.document_findings(&mut findings);
        }
        findings
    }

    /// The same finding on a claim, with what was done with it.
    fn at_claim(&self, finding: Finding, i: usize) -> Finding {
        finding.at(self.asked.read.claims[i].span).on_claim(ClaimId(i as u32), self.decisions[i].action.word())
    }

    /// What is told of the draft as a whole.
    fn document_findings(&self, findings: &mut Vec<Finding>) {
        let read = &self.asked.read;
        // The decisions of reviewers that do not hold.
        for (decision, at, why) in read.options.review.stale(&self.bindings, &self.decisions) {
            let message = format!("not {}; {why}: “{}”", decision.reviewed.in_words(), decision.claim_text);
            let finding = Finding::new(Code::StaleDecision, message);
            findings.push(at.map_or(finding.clone(), |i| self.at_claim(finding, i)));
        }
        let written = |span: Span| read.document.slice(span);
        if let Some((place, count)) = read.first_list().filter(|_| read.list_without_citations) {
            let message = format!("listed, and cited nowhere in the text: {}", counted(count, "source"));
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
        // What goes with a citation without an entry, which is told of by itself, needs no second word.
        let first = orphans.partition_point(|span| span.start < claim.span.start);
        let is_orphan = orphans.get(first).is_some_and(|span| claim.span.contains(*span));
        match (decision.shortfall, decision.action) {
            (Some(Code::OrphanCitation), _) if is_orphan => {}
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
            (None, Action::Recite) if !decision.notes.is_empty() => {
                tell(of(Code::Miscited), &joined(&decision.notes));
            }
            // Without any citation, or by a label that meant nothing in its document.
            (None, Action::Recite | Action::Cite) => tell(of(Code::Anchored), "cited from the research files"),
            (None, _) if claim.kind == ClaimKind::Plain && is_bare => {
                tell(of(Code::Uncited), "a statement of fact without a source");
            }
            (None, _) => {}
        }
        // What stands in the reason of a claim that falls short, or was cited anew, is told with it; so is a citation without an entry.
        let with_reason = decision.shortfall.is_some() || decision.action == Action::Recite;
        let is_told = |note: &&Note| matches!(note, Note::Other(_)) && (with_reason || is_orphan);
        for note in decision.notes.iter().filter(|note| !is_told(note)).chain(&decision.remarks) {
            // It warns at most: what stays is not proven wrong.
            let code = match note {
                Note::Told(code, _) => *code,
                Note::Other(_) => (!decision.remarks.contains(note)).then_some(Code::Noted),
            };
            code.into_iter().for_each(|code| tell((code, Severity::Warning), &note.to_string()));
        }
        // A certainty word of a cited claim that stays, which no passage of its sources carries.
        let cited = self.asked.read.sources[i].cited.iter();
        let judged: Vec<&Verdict> = cited.filter_map(|source| self.verdicts.get(&(i, *source))).collect();
        if claim.kind == ClaimKind::Certainty && !decision.action.removes() && !judged.is_empty() {
            let passages = judged.iter().filter_map(|verdict| Some(verdict.passage.as_ref()?.text.as_str()));
            let word = cited_judge::certainty::unproven(&claim.text, &passages.collect::<Vec<_>>());
            if let Some(word) = word {
                tell(of(Code::FakeCertainty), &format!("“{word}”: the passages of its sources record no check"));
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
        let url = decided.and_then(|id| read.registry.get(*id).address.as_deref()).unwrap_or_default();
        on_answer(finding, url, decided.map_or(&Fetched::default(), |id| self.asked.answer(*id)))
    }

    /// Entries whose page calls itself another work, and sources that say of themselves that they were retracted, unless the entry says so, too.
    fn identity_findings(&self, findings: &mut Vec<Finding>) {
        let Asked { read, .. } = &self.asked;
        let own = read.entries().map(|(_, entry, source)| (None, entry, source));
        let listed: HashSet<SourceId> = read.entries().map(|(.., source)| source).collect();
        // An entry of a research file is told of where the draft cites it and has none of its own.
        let files = read.files.iter().zip(&read.noted);
        let noted = files.flat_map(|(file, ids)| file.entries.iter().zip(ids).map(move |one| (&file.path, one)));
        let noted = noted.map(|(file, (entry, id))| (Some(file), entry, *id));
        let noted = noted.filter(|(.., id)| !listed.contains(id) && self.rewrite.numbering.get(*id).is_some());
        for (file, entry, source) in own.chain(noted) {
            let answer = self.asked.answer(source);
            let Some(page) = answer.page.as_ref().filter(|_| answer.outcome.is_readable()) else { continue };
            let address = answer.final_url.as_deref().unwrap_or(&answer.address);
            if let Some(differs) = identity::mismatch(&entry.title, address, page) {
                let message = format!("the entry says {}; the page says {}", differs.entry, differs.page);
                let finding = on_answer(Finding::new(Code::IdentityMismatch, message), &answer.address, answer);
                findings.push(Finding { file: file.cloned(), span: Some(entry.span), ..finding });
            }
        }
        let cited = self.rewrite.numbering.sources().iter();
        for source in cited.filter(|source| !is_told(read, **source)) {
            let Some(found) = self.retracted.get(source) else { continue };
            let own = read.entries().find(|(.., listed)| listed == source);
            let named = read.registry.get(*source).named();
            let message = format!("{named} is {} according to {}: “{}”", found.fate, found.who(), found.words);
            let answer = self.asked.answer(*source);
            let finding = on_answer(Finding::new(Code::RetractedSource, message), &answer.address, answer);
            findings.push(Finding { span: own.map(|(_, entry, _)| entry.span), ..finding });
        }
    }

    fn source_findings(&self, findings: &mut Vec<Finding>) {
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
        let markers = read.citations.markers.iter().zip(&read.resolved);
        let cited: Vec<_> = markers.flat_map(|(by, all)| all.iter().map(move |id| (*id, by))).collect();
        let anchored = read.claims.iter().zip(&read.sources);
        let anchored = anchored.flat_map(|(claim, on)| on.anchored.iter().map(move |id| (*id, claim.span)));
        let rest = cited.iter().map(|(id, marker)| (*id, marker.span)).chain(anchored);
        for (id, span) in rest {
            places.entry(id).or_insert(span);
        }
        let cited: HashSet<SourceId> = cited.into_iter().map(|(id, _)| id).collect();
        for (id, source) in read.registry.iter() {
            let (span, answer, url) = (places.get(&id), self.asked.answer(id), source.address.as_deref().unwrap_or(""));
            let in_text = !listed.contains(&id);
            // What a research file gives and the brief does not have is told of where it was asked.
            if span.is_none() && !answers.contains_key(&id) {
                continue;
            }
            let leaves = !in_text && self.rewrite.numbering.get(id).is_none() && !read.list_without_citations;
            // That it is dead is told once: of the claims that stand on it, else of its entry.
            let tells = |finding: &Finding| finding.code == Code::DeadSource && url_of(finding).as_deref() == Some(url);
            let is_told = answer.outcome.is_proven_dead() && findings.iter().any(tells);
            // What leaves the brief has been asked, too.
            let left = leaves.then(|| {
                let why = if cited.contains(&id) { "no longer cited" } else { "not cited anywhere" };
                Finding::new(Code::OrphanSource, format!("{why}; left out of the brief"))
            });
            let own = of_outcome(url, answer, leaves).into_iter().chain(left).filter(|_| !is_told);
            let own = own.map(|finding| on_answer(finding, url, answer));
            // Each address that was asked has its own outcome, whatever became of the source: what is not told of the source is told of the address.
            let is_covered = |other: &AddressOutcome| {
                answer.rule.is_of_a_work() || other.outcome.is_readable() || key_of(&other.address) == key_of(url)
            };
            let others = answer.others.iter().filter(|other| !is_covered(other)).filter_map(|other| {
                let (address, answer) = (&other.address, answer.at(&other.address)?);
                Some(on_answer(of_outcome(address, &answer, false)?, address, &answer))
            });
            findings.extend(others.chain(own).map(|finding| {
                // What the draft does not cite is no reason to do anything about it.
                let severity = if span.is_some() { finding.severity } else { Severity::Note };
                Finding { span: span.copied(), severity, ..finding }
            }));
        }
    }

    /// What indexes say of the entries, and which of them did not answer.
    fn work_findings(&self, findings: &mut Vec<Finding>) {
        let works = &self.asked.works;
        // A retracted source is told of by itself.
        let all = works.all.iter().flat_map(|(_, looked)| of_look(&looked.entry, &looked.look));
        findings.extend(all.filter(|finding| finding.code != Code::RetractedSource));
        // Where nobody was asked, nothing is told of who did not answer.
        for (name, account) in works.accounts.iter().filter(|(_, account)| account.waiting > 0 && account.requests > 0)
        {
            let why = account.reason.as_deref().map(|why| format!(" ({why})")).unwrap_or_default();
            let key = account.missing_key.map(|key| format!("; a key in {key} lets it be asked more often"));
            let remedy = format!("look them up again later{}", key.unwrap_or_default());
            let message = format!("{name} did not answer{why}; waiting for it: {}", counted(account.waiting, "entry"));
            findings.push(Finding::new(Code::IndexUnasked, message).remedy(remedy));
        }
    }
}

/// A finding with what asking an address gave; where there is none, as it is.
fn on_answer(finding: Finding, url: &str, answer: &Fetched) -> Finding {
    let has_address = !url.is_empty();
    if has_address { finding.on_address(url, answer.outcome.as_str(), answer.status()) } else { finding }
}

/// What is told of a source by what became of asking it; `leaves`: the brief does not have it.
fn of_outcome(url: &str, answer: &Fetched, leaves: bool) -> Option<Finding> {
    let reason = &answer.reason;
    let (code, message) = match answer.outcome {
        Outcome::Dead => (Code::DeadSource, format!("{url} is dead ({reason})")),
        Outcome::Archived => (Code::ArchivedSource, format!("{url} is dead; an archived copy stands in")),
        _ if answer.is_off_topic() => {
            let code = if answer.hops.len() < 2 { Code::OffTopic } else { Code::RedirectsElsewhere };
            (code, format!("{url} is there, and about something else than its entry and what cites it"))
        }
        Outcome::Moved if !leaves && answer.rule.is_of_a_work() => {
            let old = answer.others.first().map_or(url, |other| &other.address);
            (Code::MovedSource, format!("{old} does not lead to its work, which is at {}", answer.address))
        }
        Outcome::Moved if !leaves => {
            let now = answer.final_url.as_deref().unwrap_or("another address");
            (Code::MovedSource, format!("{url} has moved to {now}"))
        }
        Outcome::Refused => (Code::RefusedAddress, format!("{url} was not asked: {reason}")),
        // An entry without an address was told of already.
        outcome if url.is_empty() || leaves && outcome == Outcome::Unasked => return None,
        outcome if outcome.is_unknown() || answer.rule == Rule::WorkAbstract => {
            (Code::UncheckedSource, format!("{url} was not checked: {reason}"))
        }
        _ => return None,
    };
    Some(Finding::new(code, message))
}

impl Asked {
    /// Every address that was asked with its answer, and what is told of each place that links to one. Of the entries of lists
    /// `findings` tell, which are those on sources.
    pub(in crate::pipeline) fn results(&self, mut findings: Vec<Finding>) -> Results {
        let Asked { read, answers, links, .. } = self;
        let wants = &read.options.wants;
        let listed: HashSet<&str> = read.entries().flat_map(|(_, _, id)| read.registry.get(id).addresses()).collect();
        // Links are told of below, in every place and with every outcome, also those that cite.
        let linked: HashSet<Key> = in_prose(read).iter().map(|(_, address)| key_of(address)).collect();
        let is_of_link = |url: &str| linked.contains(&key_of(url)) && !listed.contains(url);
        let of_links = &OF_OUTCOMES[..if read.options.support { 5 } else { 7 }];
        findings.retain(|finding| {
            let is_told = |url: &str| of_links.contains(&finding.code) && is_of_link(url);
            url_of(finding).is_none_or(|url| wants(&url) && !is_told(&url))
        });
        let mut results = Results::new(findings);
        let mut counted: HashSet<*const Fetched> = HashSet::new();
        for (_, entry, id) in read.entries() {
            for address in read.registry.get(id).addresses() {
                let of_source = |link: &Arc<Fetched>| answers.get(&id).is_some_and(|answer| Arc::ptr_eq(answer, link));
                match links.get(address).filter(|link| counted.insert(Arc::as_ptr(link))) {
                    Some(link) if of_source(link) => results.count(link.outcome),
                    Some(link) => results.link(entry.span, address, link),
                    None => {}
                }
            }
        }
        for (span, address) in in_prose(read).iter().filter(|(_, address)| !listed.contains(address.as_str())) {
            links.get(address).into_iter().for_each(|answer| results.link(*span, address, answer));
        }
        self.add_rows(&mut results, |address| wants(address));
        results
    }

    /// `findings`, which are those on sources, with what is told of each place of the prose that links and does not cite, and a row for each
    /// address that no source has. What is gone is told of in each place, of a source, too: who follows the link does not get it.
    pub(super) fn beside_sources(&self, findings: Vec<Finding>) -> Results {
        let sources: HashSet<&str> = self.read.registry.iter().flat_map(|(_, source)| source.addresses()).collect();
        let mut results = Results::new(findings);
        for (span, address) in uncited(&self.read) {
            let is_told = |outcome| matches!(outcome, Outcome::Dead | Outcome::Archived);
            let answer = self.links.get(address);
            let answer = answer.filter(|link| is_told(link.outcome) || !sources.contains(address.as_str()));
            answer.into_iter().for_each(|answer| results.link(*span, address, answer));
        }
        self.add_rows(&mut results, |address| !sources.contains(address));
        results
    }

    /// Adds a row for each address that is `wanted`; those that were asked as one are told of as one.
    fn add_rows(&self, results: &mut Results, wanted: impl Fn(&str) -> bool) {
        let (mut heads, mut groups) = (HashMap::new(), BTreeMap::<&str, Vec<&str>>::new());
        for (address, answer) in self.links.iter().filter(|(address, _)| wanted(address)) {
            groups.entry(heads.entry(Arc::as_ptr(answer)).or_insert(address)).or_default().push(address);
        }
        groups.iter().for_each(|(head, group)| results.answer(group, &self.links[*head]));
    }
}

/// What indexes say of an entry, where it stands.
pub fn of_look(entry: &Entry, look: &Look) -> Vec<Finding> {
    let told = match look.outcome {
        Existence::Differs => {
            let each: Vec<String> = look.differs.iter().map(Difference::to_string).collect();
            let message = format!("the entry differs from its work: {}", each.join("; "));
            let finding = Finding::new(Code::ReferenceDiffers, message);
            let offer = look.offer.as_ref().map(|offer| format!("correct the entry; the work is at {}", offer.url));
            Some(Finding { remedy: offer.map(Into::into).or(finding.remedy.clone()), ..finding })
        }
        Existence::NotFound => {
            let title = entry.read.title.as_deref().unwrap_or(&entry.read.words);
            Some(Finding::new(Code::WorkNotFound, format!("no index that covers it has “{title}”")))
        }
        Existence::Unasked if entry.kind == Kind::Unlisted => {
            let message = "it looks like a reference, and stands in no list: it was not looked up";
            let remedy = "put it under a heading such as “References”";
            Some(Finding::new(Code::UnusableEntry, message).remedy(remedy))
        }
        Existence::Exists | Existence::Unasked => None,
    };
    let severity = if look.is_warning() { Severity::Warning } else { Severity::Note };
    let file = Some(&entry.file).filter(|file| !file.is_empty());
    let all = look.notes.iter().map(of_note).chain(told.map(|finding| Finding { severity, ..finding }));
    all.map(|finding| Finding { file: file.cloned(), ..finding.at(entry.span) }).collect()
}

fn of_note(note: &Remark) -> Finding {
    let said = note.words.as_deref().unwrap_or_default();
    let (code, message) = match note.code {
        NoteKind::Fate(Fate::Corrected) => {
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
        NoteKind::Fate(fate) => {
            let by = note.by.as_deref().unwrap_or_default();
            (Code::RetractedSource, format!("the work is {fate} ({by})"))
        }
    };
    Finding::new(code, message)
}
