//! The works of sources, looked up in indexes: which entries are, and what follows for their sources.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::requests::{Answers, fetched, request};
use crate::pipeline::options::Scope;
use crate::pipeline::read::{ClaimSources, Read};
use cited_core::address::identity::key_of;
use cited_core::citation::{Label, pandoc};
use cited_core::outcome::{Fetched, Outcome};
use cited_core::page::Page;
use cited_core::rule::Rule;
use cited_core::source::{Registry, SourceId};
use cited_fetch::Fetcher;
use cited_works::{
    Account, Difference, Entry, Ids, Index, Listed, Look, Outcome as Existence, Record, accounts, entries_of, look_up,
    of_listed,
};

/// What became of the works of a run.
#[derive(Debug, Default)]
pub(in crate::pipeline) struct Works {
    /// Every entry that was looked up with its source, those of the draft first; the file of one of the draft is empty.
    pub(in crate::pipeline) all: Vec<(SourceId, Listed)>,
    /// For each source the position of what counts for it.
    chosen: BTreeMap<SourceId, usize>,
    /// What became of each index.
    pub(in crate::pipeline) accounts: BTreeMap<String, Account>,
    /// Why nothing of it can be trusted, when the way to the indexes is at fault.
    pub(in crate::pipeline) at_fault: Option<&'static str>,
}

impl Works {
    /// What became of the work of a source.
    pub(in crate::pipeline) fn find_look(&self, source: SourceId) -> Option<&Look> {
        self.chosen.get(&source).map(|at| &self.all[*at].1.look)
    }

    /// Every source of which the work was looked up.
    pub(in crate::pipeline) fn each(&self) -> impl Iterator<Item = (SourceId, &Look)> {
        self.chosen.iter().map(|(source, at)| (*source, &self.all[*at].1.look))
    }

    /// Counts for each source the first entry that was answered, else the first. To be called anew when sources were merged.
    pub(super) fn choose(&mut self, registry: &Registry) {
        self.chosen.clear();
        for (at, (source, looked)) in self.all.iter().enumerate() {
            let chosen = self.chosen.entry(registry.resolve(*source)).or_insert(at);
            if self.all[*chosen].1.look.outcome == Existence::Unasked && looked.look.outcome != Existence::Unasked {
                *chosen = at;
            }
        }
    }

    /// The same for the entries of a brief, by their words.
    pub(super) fn reuse_looks(&self, brief: &Read) -> Works {
        if self.all.is_empty() {
            return Works::default();
        }
        let known: HashMap<&str, &Look> =
            self.all.iter().map(|(_, one)| (one.entry.read.words.as_str(), &one.look)).collect();
        let again = entries(brief).filter_map(|(source, entry)| {
            let look = (*known.get(entry.read.words.as_str())?).clone();
            Some((source, Listed { entry, look }))
        });
        let mut works = Works { all: again.collect(), ..Works::default() };
        works.choose(&brief.registry);
        works
    }
}

/// The entries of the draft and its research files, as they are looked up, each with its source.
fn entries(read: &Read) -> impl Iterator<Item = (SourceId, Entry)> + '_ {
    let own = read.entries().map(|(_, listed, id)| (id, of_listed(&read.document, listed)));
    let noted = read.research.iter().flat_map(|file| entries_of(&file.path, &file.text)).filter_map(|entry| {
        let key = entry.key.as_deref().and_then(pandoc::key_label);
        let label = key.or_else(|| Some(Label::Name(entry.label.as_deref()?.into())))?;
        Some((read.registry.by_label(&entry.file, &label)?, entry))
    });
    own.chain(noted).map(|(id, entry)| (read.registry.resolve(id), entry))
}

/// Looks the works of the sources up, as far as that was asked for, and asks for those that were found where their own pages are gone.
pub(super) async fn look(read: &mut Read, answers: &mut Answers, fetcher: &dyn Fetcher) -> Works {
    let (scope, indexes) = (read.options.works, Arc::clone(&read.options.indexes));
    if scope == Scope::Off || indexes.is_empty() {
        return Works::default();
    }
    let is_wanted = |id: SourceId, entry: &Entry, answer: &Fetched| {
        let is_there = read.registry.get(id).address.is_some() && !is_gone(answer);
        entry.is_covered() && (scope == Scope::All || entry.read.ids.is_any() || !is_there)
    };
    let claimed: HashSet<SourceId> =
        read.sources.iter().flat_map(ClaimSources::all).map(|id| read.registry.resolve(id)).collect();
    let wanted = entries(read).filter_map(|(id, entry)| {
        let answer = answers.get(&id).filter(|answer| is_wanted(id, &entry, answer))?;
        let page = answer.page.as_ref().filter(|_| answer.outcome.is_readable());
        Some((id, Entry { page: page.and_then(Record::of_page), of_claim: claimed.contains(&id), ..entry }))
    });
    let (sources, entries): (Vec<SourceId>, Vec<Entry>) = wanted.unzip();
    let indexes: Vec<&dyn Index> = indexes.iter().map(AsRef::as_ref).collect();
    let year = read.options.now.to_zoned(jiff::tz::TimeZone::UTC).year();
    let looked = look_up(&entries, &indexes, year).await;
    let accounts = accounts(looked.looks.iter(), &indexes);
    let all = sources.into_iter().zip(entries).zip(looked.looks);
    let all = all.map(|((source, entry), look)| (source, Listed { entry, look })).collect();
    let mut works = Works { all, chosen: BTreeMap::new(), accounts, at_fault: looked.at_fault };
    works.choose(&read.registry);
    // Where nobody could be asked, it is as if nobody was to be.
    if works.accounts.values().all(|account| account.requests == 0 && account.answers == 0) {
        return Works::default();
    }
    let heard = works.accounts.values().any(|account| account.answers > 0);
    let mut found: Vec<(SourceId, String)> = Vec::new();
    for (id, look) in works.each() {
        let (source, answer) = (read.registry.get(id), &answers[&id]);
        // It has an address, its page is there, and is of no other work.
        if source.address.is_some() && !is_gone(answer) && of_another(look, answer).is_none() {
            continue;
        }
        let is_new = |address: &&str| !source.addresses().any(|own| key_of(own) == key_of(address));
        if let Some(address) = look.address().filter(is_new) {
            found.push((id, address.to_owned()));
        } else if let Some(answer) = answer_by(look, answer, source.address.is_none(), heard) {
            answers.insert(id, Arc::new(answer));
        }
    }
    // They are asked for where they were found.
    let claims = read.wanted();
    let requests = found.into_iter().map(|(id, address)| {
        let claims = claims.get(&id).cloned().unwrap_or_default();
        let request = request(read, id, claims, vec![address.clone()]);
        ((id, address), request)
    });
    let asked = fetched(read, requests, fetcher, &|_| {}).await;
    for ((id, address), fetched) in asked {
        let is_shown = scope == Scope::Write || read.registry.get(id).address.is_none();
        let answer = joined(&answers[&id], fetched, read.registry.get(id).address.is_some());
        if is_shown && answer.rule != Rule::WorkUnread {
            read.registry.show_found(id, &address);
        }
        answers.insert(id, Arc::new(answer));
    }
    // Where the page of a source could not be read, the abstract of its work is: an excerpt, of which what it lacks proves nothing.
    for (id, look) in works.each() {
        let answer = &answers[&id];
        let work = look.work.as_ref().filter(|_| answer.outcome.is_unknown());
        let Some((work, summary)) = work.and_then(|work| Some((work, work.summary.clone()?))) else { continue };
        let text = Page::of_text(summary, "text/plain");
        let page = Some(Page { complete: false, title: Some(work.title.clone()), ..text });
        let reason = format!("{}; the abstract that an index has was read", answer.reason);
        let answer =
            Fetched { outcome: Outcome::Live, rule: Rule::WorkAbstract, reason, page, ..answer.as_ref().clone() };
        answers.insert(id, Arc::new(answer));
    }
    works
}

/// Whether the page of a source is not there.
fn is_gone(answer: &Fetched) -> bool {
    answer.outcome.is_proven_dead() || answer.is_off_topic()
}

/// The identifier that leads to another work, when the page of a source was had by it.
fn of_another<'l>(look: &'l Look, answer: &Fetched) -> Option<&'l Difference> {
    let ids = Ids::in_text(&answer.address);
    let by = |differ: &&Difference| ids.all().any(|id| *id == differ.entry);
    look.differs.iter().find(by).filter(|_| answer.outcome.is_readable())
}

/// The answer of a source, as far as a look says more of it than asking did. `heard`: whether any index answered in this run; where none did,
/// it is as one in which none was asked.
fn answer_by(look: &Look, answer: &Fetched, nameless: bool, heard: bool) -> Option<Fetched> {
    if let Some(differ) = of_another(look, answer) {
        let reason = format!("its {} is that of another work: {}", differ.field.name(), differ.index);
        return Some(Fetched::unasked(&answer.address, reason, answer.fetched_at));
    }
    let dead = answer.outcome.is_proven_dead();
    let known = match look.outcome {
        Existence::Exists | Existence::Differs => "an index has the work".to_owned(),
        Existence::NotFound => "no index has the work".to_owned(),
        Existence::Unasked if dead && heard => {
            let silent = look.reason.as_deref().unwrap_or_default();
            format!("whether an index has the work was not answered ({silent})")
        }
        Existence::Unasked => return None,
    };
    let reason = match (dead, look.outcome) {
        (true, Existence::NotFound) => format!("{known}; {}", answer.reason),
        (true, _) => return Some(unread(answer, &known)),
        (false, _) if nameless => format!("the source has no address, and {known}"),
        (false, _) => return None,
    };
    Some(Fetched { reason, ..answer.clone() })
}

/// A page that is gone, of a work that may not be.
fn unread(answer: &Fetched, why: &str) -> Fetched {
    let reason = format!("{}; {why}", answer.reason);
    Fetched { outcome: Outcome::Unasked, reason, rule: Rule::WorkUnread, page: None, ..answer.clone() }
}

/// The answer of a source that was found at another address than its own, if it has one.
fn joined(before: &Fetched, found: Fetched, has_address: bool) -> Fetched {
    if found.outcome.is_proven_dead() {
        let gone = if has_address { before } else { &found };
        return unread(gone, "an index has the work");
    }
    if !has_address {
        return found;
    }
    let reason = &before.reason;
    let others = std::iter::once(before.into()).chain(found.others.iter().cloned()).collect();
    let (outcome, rule, reason) = if found.outcome.is_readable() {
        (Outcome::Moved, Rule::WorkFound, format!("the work is at {}", found.address))
    } else {
        (found.outcome, Rule::WorkUnread, format!("{reason}; the work is at {} ({})", found.address, found.reason))
    };
    Fetched { outcome, reason, rule, others, ..found }
}
