//! Second stage: every source and every link is asked once, works are looked up in indexes, and sources that turn out to be one when they have
//! answered are merged.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use futures_util::StreamExt;

use super::options::{Progress, Scope, Watch};
use super::read::{ClaimSources, Read};
use cited_core::address::identity::{better_address, end_of_detour, is_detour, key_of, without_tracking};
use cited_core::address::is_web;
use cited_core::check::page::{self, Dialect, Kind};
use cited_core::citation::{Label, bare_address, pandoc};
use cited_core::claim::ClaimKind;
use cited_core::outcome::{Fetched, Kept, Outcome};
use cited_core::page::Page;
use cited_core::rule::Rule;
use cited_core::source::SourceId;
use cited_fetch::{Fetcher, Request, Supports, fetch_all, in_turns};
use cited_judge::{ClaimText, Settings, SourceText, Standing, judge};
use cited_text::Span;
use cited_works::{
    Account, Difference, Entry, Ids, Index, Listed, Look, Outcome as Existence, Record, accounts, entries_of, look_up,
    of_listed,
};

/// Why a source without an address is not asked.
const NO_ADDRESS: &str = "no address";

/// Captures that are waited for at once; how many may be asked for is the archive's to say.
const KEPT_AT_ONCE: usize = 8;

/// What asking gave, by source; sources that nobody had a reason to ask are absent.
pub(super) type Answers = BTreeMap<SourceId, Arc<Fetched>>;

/// What the links of the prose answered, by address; the addresses of sources are among them.
pub(super) type Links = BTreeMap<String, Arc<Fetched>>;

/// What was read, with what its sources and links answered.
#[derive(Default)]
pub(super) struct Asked {
    pub(super) read: Read,
    pub(super) answers: Answers,
    /// What stands for the answer of a source that nobody had a reason to ask.
    unasked: Fetched,
    /// The links of the prose, sources included, by address.
    pub(super) links: Arc<Links>,
    /// What became of the works of the sources in indexes.
    pub(super) works: Works,
    /// Why checking could not be completed, when it could not.
    pub(super) blocked: Option<String>,
}

/// Asks for all sources and links of what was read. The result does not depend on the order of the answers.
pub(super) async fn ask(mut read: Read, fetcher: &dyn Fetcher, watch: Watch<'_>) -> Asked {
    let mut answers = sources(&read, fetcher, watch).await;
    // An index that is down keeps nobody from the web. Beside works without an address, which indexes are asked for, an address that is
    // refused is a finding of its own.
    let (named, nameless): (Vec<_>, Vec<_>) = answers.values().partition(|answer| !answer.address.is_empty());
    let is_left = |answer: &&Arc<Fetched>| {
        answer.outcome == Outcome::Unasked || answer.outcome == Outcome::Refused && nameless.is_empty()
    };
    let blocked = if answers.is_empty() && read.has_unread_notes() {
        Some("no finding of the research files could be read, and no source was asked".to_owned())
    } else {
        (!named.is_empty() && named.iter().all(is_left)).then(|| "no source could be asked".to_owned())
    };
    let mut works = look(&mut read, &mut answers, fetcher).await;
    let links = ask_links(&read, &answers, fetcher).await;
    merge(&mut read, &mut answers);
    // Claims that cite nothing of their own stand on what notes give, where all that is cited for them elsewhere is gone.
    let is_gone = |source: &SourceId| answers.get(source).is_some_and(|answer| answer.outcome.is_proven_dead());
    for sources in &mut read.sources {
        if sources.cited.is_empty() && !sources.noted.is_empty() && sources.inherited.iter().all(is_gone) {
            sources.anchored = std::mem::take(&mut sources.noted);
            sources.inherited.clear();
        }
    }
    works.chosen = choose(works.all.iter().map(|(source, one)| (read.registry.resolve(*source), &one.look)));
    let blocked = fetcher.fault().or(blocked).or(works.at_fault.map(str::to_owned));
    let unasked = Fetched::unasked("", "not asked: nothing cites it", read.options.now);
    Asked { read, answers, unasked, links: Arc::new(links), works, blocked }
}

impl Asked {
    /// What the sources of a brief are known to answer, without asking anybody: they were asked when its draft was checked.
    pub(super) fn reuse_answers(&self, brief: Read) -> Asked {
        let nothing = Arc::new(Fetched::unasked("", NO_ADDRESS, brief.options.now));
        let known = brief.registry.iter().filter_map(|(id, source)| {
            let before = self.read.registry.counterpart(source);
            let own = || self.answers.get(&before?).cloned();
            let answer = if source.address.is_some() { own() } else { Some(Arc::clone(&nothing)) };
            Some((id, answer?))
        });
        let answers = known.collect();
        // The works of its entries are known by their words.
        let looks: HashMap<&str, &Look> =
            self.works.all.iter().map(|(_, one)| (one.entry.read.words.as_str(), &one.look)).collect();
        let again = (!looks.is_empty()).then(|| entries(&brief)).into_iter().flatten();
        let again = again.filter_map(|(id, entry)| Some((id, *looks.get(entry.read.words.as_str())?)));
        let works = Works { chosen: choose(again), ..Works::default() };
        let (unasked, links) = (self.unasked.clone(), Arc::clone(&self.links));
        Asked { answers, unasked, links, works, blocked: None, read: brief }
    }

    /// What a source answered; of one that nobody asked, that it was not asked.
    pub(super) fn answer(&self, source: SourceId) -> &Fetched {
        self.answers.get(&source).map_or(&self.unasked, Arc::as_ref)
    }

    /// Whether a source is proven gone.
    pub(super) fn is_gone(&self, source: SourceId) -> bool {
        self.answer(source).outcome.is_proven_dead()
    }

    /// Has an archive keep the pages that a brief cites, when that was asked for.
    pub(super) async fn keep(&self, cited: &[SourceId], fetcher: &dyn Fetcher) -> HashMap<SourceId, Kept> {
        let living = cited.iter().filter_map(|id| Some((*id, Arc::clone(self.answers.get(id)?))));
        let asking = futures_util::stream::iter(living)
            .map(|(id, answer)| async move { fetcher.keep(&answer).await.map(|kept| (id, kept)) });
        asking.buffer_unordered(KEPT_AT_ONCE).filter_map(std::future::ready).collect().await
    }
}

/// Asks for every source, many at once.
async fn sources(read: &Read, fetcher: &dyn Fetcher, watch: Watch<'_>) -> Answers {
    let (wanted, options) = (read.wanted(), &read.options);
    let mut copies = read.known_copies();
    let notes = read.entry_notes();
    let requests = wanted.iter().map(|(id, claims)| {
        let own = read.own_addresses(*id, copies.get(id)).into_iter().filter(|address| (options.wants)(address));
        // Each as a brief shows it, and as it is written where that differs. What only says where a reader came from is shown when nothing
        // else answers: a brief shows no address that was not asked. Nor is a page asked that only sends on to an address that its own carries.
        let own = own.flat_map(|address| [without_tracking(address).into_owned(), address.clone()]);
        let mut seen = HashSet::new();
        let own = own.filter(|asked| end_of_detour(asked).is_none() && seen.insert(asked.clone())).collect();
        let works = notes.get(id).into_iter().flatten().filter_map(|note| cited_fetch::meta::doi(note));
        let works = works.map(|doi| format!("https://doi.org/{doi}")).collect();
        (*id, Request { works, ..request(read, *id, claims.clone(), own) })
    });
    let (asked, unasked): (Vec<_>, Vec<_>) = requests.partition(|(_, request)| !request.addresses.is_empty());
    let nothing = unasked.into_iter().map(|(id, _)| (id, Fetched::unasked("", NO_ADDRESS, options.now)));
    watch(Progress::Fetching(asked.len()));
    let answered = fetched(read, asked.into_iter(), fetcher, watch).await;
    let kept = answered.into_iter().chain(nothing).map(|(id, mut fetched)| {
        // The copy that an entry of an earlier run shows is kept while no archive can be asked for it: only an archive's *no* takes it away.
        if let Some(copy) = copies.remove(&id).filter(|_| fetched.archive.is_none()) {
            if fetched.outcome.is_proven_dead() && !fetcher.asks_archives() {
                (fetched.outcome, fetched.rule) = (Outcome::Unasked, Rule::ArchiveUnasked);
                fetched.reason.push_str(", no archive asked");
            }
            fetched.archive = fetched.outcome.is_unknown().then_some(copy);
        }
        (id, Arc::new(fetched))
    });
    kept.collect()
}

/// Merges sources that turned out to be one: the same final address, the same canonical link on the same host, the
/// same DOI.
fn merge(read: &mut Read, answers: &mut Answers) {
    let mut seen: HashMap<String, SourceId> = HashMap::new();
    for (&id, answer) in &*answers {
        let is_there = matches!(answer.outcome, Outcome::Live | Outcome::Moved);
        let names = if is_there { names(answer) } else { Vec::new() };
        // A work keeps its name where its resolver fails.
        let work = key_of(&answer.address).0.strip_prefix("doi:").map(|doi| format!("doi {doi}"));
        for name in work.into_iter().chain(names) {
            let first = *seen.entry(name).or_insert(id);
            if first != id && !read.registry.are_apart(first, id) {
                read.registry.merge(first, id);
            }
        }
    }
    // The best answer of those merged stands for all: one alias that is live is enough.
    let mut merged = Answers::new();
    for (id, answer) in std::mem::take(answers) {
        let held = merged.entry(read.registry.resolve(id)).or_insert_with(|| Arc::clone(&answer));
        let order = answer.weight().cmp(&held.weight());
        if order.is_lt() || order.is_eq() && better_address(&answer.address, &held.address) {
            *held = answer;
        }
    }
    for (id, answer) in &merged {
        // Of several addresses the brief shows the one that the answer is of; of a copy, the one that it is a copy of.
        if let Some(copy) = &answer.archive {
            read.registry.show_found(*id, &copy.original);
        } else if matches!(answer.rule, Rule::WorkElsewhere | Rule::CopyGone) && !answer.outcome.is_proven_dead() {
            read.registry.show_found(*id, &answer.address);
        } else if is_detour(&answer.address)
            && let Some(end) = answer.hops.iter().find(|hop| !is_detour(&hop.url))
        {
            read.registry.show_found(*id, &end.url);
        } else {
            read.registry.show(*id, &answer.address);
        }
    }
    *answers = merged;
    read.settle_merges();
}

/// What the page calls itself.
fn names(answer: &Fetched) -> Vec<String> {
    // A page that shows something else behind `#/` or `#!` is another one, though the server sends the same.
    if ["#/", "#!"].iter().any(|route| answer.address.contains(route)) {
        return Vec::new();
    }
    let final_url = answer.final_url.as_deref();
    let mut names: Vec<String> = final_url.into_iter().map(|url| format!("at {}", key_of(url).0)).collect();
    let Some(page) = &answer.page else { return names };
    names.extend(page.doi.as_deref().map(|doi| format!("doi {}", doi.to_lowercase())));
    let parsed = |url: &str| url::Url::parse(url).ok();
    if let Some((canonical, own)) = page.canonical.as_deref().and_then(parsed).zip(final_url.and_then(parsed))
        // A site that names its home page as the canonical of every page says nothing about identity.
        && (canonical.path() != "/" || canonical.query().is_some())
        && canonical.host() == own.host()
    {
        names.push(format!("at {}", key_of(canonical.as_str()).0));
    }
    names
}

/// Asks for the links of the prose that are no citations, each address once. By address, the sources asked before included.
async fn ask_links(read: &Read, answers: &Answers, fetcher: &dyn Fetcher) -> Links {
    let mut found = Links::new();
    for (id, answer) in answers {
        for address in read.registry.get(*id).addresses().filter(|_| !answer.address.is_empty()) {
            let own = match answer.at(address) {
                Some(Cow::Owned(other)) => Arc::new(other),
                None if read.options.every_link => continue,
                Some(Cow::Borrowed(_)) | None => Arc::clone(answer),
            };
            found.insert(address.to_owned(), own);
        }
    }
    let wanted = |address: &String| !found.contains_key(address) && (read.options.wants)(address);
    let linked = in_prose(read).iter().map(|(_, address)| address.as_str());
    // What stands beside the address of a source and was not asked with it, such as a copy in an archive, is a link as well.
    let listed = read.registry.iter().flat_map(|(_, source)| source.addresses()).filter(|_| read.options.every_link);
    let addresses = linked.chain(listed.filter(|address| is_web(address))).map(str::to_owned).filter(wanted);
    let addresses: Vec<String> = addresses.collect::<BTreeSet<_>>().into_iter().collect();
    let turns = in_turns(&addresses);
    // What a linked page says is asked by nobody: it is alive or not.
    let request = |address: &str| Request { addresses: vec![address.to_owned()], glance: true, ..Request::default() };
    let requests = turns.into_iter().map(|address| (address.to_owned(), request(address)));
    let answers = fetched(read, requests, fetcher, &|_| {}).await.into_iter();
    found.extend(answers.map(|(address, fetched)| (address, Arc::new(Fetched { page: None, ..fetched }))));
    found
}

/// The links of the prose that are no citations.
pub(super) fn uncited(read: &Read) -> impl Iterator<Item = &(Span, String)> {
    in_prose(read).iter().filter(|(span, _)| read.citations.marker_over(*span).is_none())
}

/// The links of the prose, citations included, in order of place: of any writing, and bare addresses. Looked for once.
pub(super) fn in_prose(read: &Read) -> &[(Span, String)] {
    read.prose.get_or_init(|| {
        let document = &read.document;
        let not_prose = read.citations.held();
        let written = document.links().iter().filter(|link| !link.image).map(|link| (link.span, link.address.clone()));
        let bare = document.leaves().flat_map(|(id, _)| bare_address::bare_in(document, document.content_span(id)));
        // What a page shows is no citation: it is asked for where every link is.
        let page = if read.options.every_link {
            page::Page::read(document.text(), &Dialect::default())
        } else {
            page::Page::default()
        };
        let others = page.links.into_iter().filter(|link| !matches!(link.kind, Kind::Link | Kind::Undefined));
        let others = others.map(|link| (link.span, link.address));
        let all = written.chain(bare).chain(others);
        let is_asked = |(span, address): &(Span, String)| is_web(address) && !not_prose.overlap(*span);
        let mut links: Vec<(Span, String)> = all.filter(is_asked).collect();
        links.sort_unstable();
        links
    })
}

/// What is asked for one source at these addresses.
fn request<'r>(read: &'r Read, id: SourceId, claims: Vec<&'r str>, addresses: Vec<String>) -> Request<'r> {
    let source = read.registry.get(id);
    Request {
        addresses,
        accessed: read.accessed(source),
        titles: source.titles.clone(),
        supports: read.options.support.then(|| supports_any(claims.clone())),
        claims,
        ..Request::default()
    }
}

/// What was asked for with the answers, in their order, many asked at once.
async fn fetched<K>(
    read: &Read,
    asked: impl Iterator<Item = (K, Request<'_>)>,
    fetcher: &dyn Fetcher,
    watch: Watch<'_>,
) -> Vec<(K, Fetched)> {
    let (asked, requests): (Vec<K>, Vec<Request<'_>>) = asked.unzip();
    let tell = |fetched: &Fetched| watch(Progress::Fetched(fetched));
    asked.into_iter().zip(fetch_all(fetcher, &requests, read.options.concurrency, &tell).await).collect()
}

/// Whether a text supports one of `claims`: chooses among the copies of an archive.
pub(super) fn supports_any(claims: Vec<&str>) -> Supports<'_> {
    Arc::new(move |text| {
        let source = SourceText::new(text, "");
        claims.iter().any(|claim| {
            let claim = ClaimText::new(claim, ClaimKind::Plain);
            judge(&claim, &source, &Settings::default()).standing == Standing::Supported
        })
    })
}

/// What became of the works of a run.
#[derive(Debug, Default)]
pub(super) struct Works {
    /// Every entry that was looked up with its source, those of the draft first; the file of one of the draft is empty.
    pub(super) all: Vec<(SourceId, Listed)>,
    /// For each source what became of its work.
    pub(super) chosen: BTreeMap<SourceId, Look>,
    /// What became of each index.
    pub(super) accounts: BTreeMap<String, Account>,
    /// Why nothing of it can be trusted, when the way to the indexes is at fault.
    pub(super) at_fault: Option<&'static str>,
}

/// For each source what counts for it: the first entry that was answered, else the first. To be asked anew when sources were merged.
fn choose<'l>(looks: impl Iterator<Item = (SourceId, &'l Look)>) -> BTreeMap<SourceId, Look> {
    let mut chosen: BTreeMap<SourceId, &Look> = BTreeMap::new();
    for (source, look) in looks {
        let held = chosen.entry(source).or_insert(look);
        if held.outcome == Existence::Unasked && look.outcome != Existence::Unasked {
            *held = look;
        }
    }
    chosen.into_iter().map(|(source, look)| (source, look.clone())).collect()
}

/// The entries of the draft and its research files, as they are looked up, each with its source.
fn entries(read: &Read) -> impl Iterator<Item = (SourceId, Entry)> + '_ {
    let own = read.entries().map(|(_, listed, id)| (id, of_listed(&read.document, listed)));
    let noted = read.research.iter().flat_map(|file| entries_of(&file.path, &file.text)).filter_map(|entry| {
        let key = entry.key.as_deref().and_then(pandoc::key_label);
        let label = key.or_else(|| Some(Label::Name(entry.label.as_deref()?.into())))?;
        Some((read.registry.by_label(&entry.file, &label)?, entry))
    });
    own.chain(noted)
}

/// Looks the works of the sources up, as far as that was asked for, and asks for those that were found where their own pages are gone.
async fn look(read: &mut Read, answers: &mut Answers, fetcher: &dyn Fetcher) -> Works {
    let (scope, indexes) = (read.options.works, Arc::clone(&read.options.indexes));
    if scope == Scope::Off || indexes.is_empty() {
        return Works::default();
    }
    let is_wanted = |id: SourceId, entry: &Entry, answer: &Fetched| {
        let is_there = read.registry.get(id).address.is_some() && !is_gone(answer);
        entry.is_covered() && (scope == Scope::All || entry.read.ids.is_any() || !is_there)
    };
    let claimed: HashSet<SourceId> = read.sources.iter().flat_map(ClaimSources::all).collect();
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
    let all: Vec<_> = all.map(|((source, entry), look)| (source, Listed { entry, look })).collect();
    let chosen = choose(all.iter().map(|(source, one)| (*source, &one.look)));
    let works = Works { all, chosen, accounts, at_fault: looked.at_fault };
    // Where nobody could be asked, it is as if nobody was to be.
    if works.accounts.values().all(|account| account.requests == 0 && account.answers == 0) {
        return Works::default();
    }
    let heard = works.accounts.values().any(|account| account.answers > 0);
    // The address of a work is asked for where its source has none, or its page is not there or is of another work.
    let claims = read.wanted();
    let requests = works.chosen.iter().filter_map(|(&id, look)| {
        let (source, answer) = (read.registry.get(id), &answers[&id]);
        let lacks_page = source.address.is_none() || is_gone(answer) || of_another(look, answer).is_some();
        let is_new = |address: &&str| !source.addresses().any(|own| key_of(own) == key_of(address));
        let address = look.address().filter(|_| lacks_page).filter(is_new)?;
        let claims = claims.get(&id).cloned().unwrap_or_default();
        Some((id, request(read, id, claims, vec![address.to_owned()])))
    });
    let mut asked: HashMap<_, _> = fetched(read, requests, fetcher, &|_| {}).await.into_iter().collect();
    for (&id, look) in &works.chosen {
        let (before, has_address) = (&answers[&id], read.registry.get(id).address.is_some());
        let found = asked.remove(&id).map(|found| joined(before, found, has_address));
        if let Some(found) = found.as_ref().filter(|found| found.rule != Rule::WorkUnread)
            && (scope == Scope::Write || !has_address)
        {
            read.registry.show_found(id, &found.address);
        }
        let known = found.or_else(|| answer_by(look, before, heard));
        let mut answer = known.map_or_else(|| Arc::clone(before), Arc::new);
        // Where the page of a source could not be read, the abstract of its work is: an excerpt, of which what it lacks proves nothing.
        let work = look.work.as_ref().filter(|_| answer.outcome.is_unknown());
        if let Some((work, summary)) = work.and_then(|work| Some((work, work.summary.clone()?))) {
            let text = Page::of_text(summary, "text/plain");
            let page = Some(Page { complete: false, title: Some(work.title.clone()), ..text });
            let reason = format!("{}; the abstract that an index has was read", answer.reason);
            let (outcome, rule) = (Outcome::Live, Rule::WorkAbstract);
            answer = Arc::new(Fetched { outcome, rule, reason, page, ..answer.as_ref().clone() });
        }
        answers.insert(id, answer);
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
fn answer_by(look: &Look, answer: &Fetched, heard: bool) -> Option<Fetched> {
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
    if dead && look.outcome != Existence::NotFound {
        return Some(unread(answer, &known));
    }
    let reason = format!("{}; {known}", answer.reason);
    (dead || answer.address.is_empty()).then(|| Fetched { reason, ..answer.clone() })
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
