//! Works off what is due: hosts are claimed, a batch of each is asked one source after the other, every result is stored as it comes.
//!
//! Two futures share the work. One asks; the other, the only one that knows the store, claims, stores, keeps leases alive and gives
//! hosts back. While the store works, requests go on.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::StreamExt as _;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::time::Instant;

use crate::pipeline::ask::supports_any;
use crate::pipeline::judge::notices;
use crate::pipeline::options::{Progress, Watch};
use cited_audit::store::{Batch, Done, Lease, Manners, Store, Work};
use cited_audit::{Observation, Remembered, compare};
use cited_core::error::{Error, Result};
use cited_core::outcome::{Fetched, Kept};
use cited_fetch::{Fetcher, Request, fetch_each};
use cited_judge::retracted::{Retraction, speaks_of_it};
use cited_works::{AnswerKind, Entry, Index, look_up};

/// How long a host is lent; a worker that is alive renews it …
pub const LEASE: Duration = Duration::from_mins(2);
/// … this often.
const HEARTBEAT: Duration = Duration::from_secs(30);
/// One that cannot, since the database is out of reach, begins no request so long before others may have the host.
const MARGIN: Duration = Duration::from_secs(30);
/// How often somebody with free hands looks for work that nobody told of.
const LOOK: Duration = Duration::from_secs(1);
/// How long a worker without any work waits for somebody to tell of some.
const IDLE: Duration = Duration::from_secs(5);
/// The status by which a host asks for fewer requests (RFC 6585, 4). 503 may be of one page alone; the fetcher slows down for both.
const TOO_MANY: u16 = 429;
/// How often indexes are asked what became of a work: a little less than a month, so that a source that is asked every four weeks is
/// looked up each time.
const MONTH: SignedDuration = SignedDuration::from_hours(27 * 24);
/// Results that are stored in one transaction.
const AT_ONCE: usize = 256;
/// Copies that an archive is asked to take in one run: it allows three to seven a minute. The rest has its turn another night.
const SAVES: usize = 100;

/// The store, for work that must not hold up requests.
#[derive(Clone)]
pub struct Shared(Arc<Mutex<Store>>);

impl Shared {
    /// Shares a store.
    pub fn new(store: Store) -> Shared {
        Shared(Arc::new(Mutex::new(store)))
    }

    /// Does something with the store here and now.
    pub fn now<T>(&self, work: impl FnOnce(&mut Store) -> Result<T>) -> Result<T> {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Does something with the store on a thread of its own.
    ///
    /// # Errors
    /// Those of the work.
    pub async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Store) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let shared = self.clone();
        let done = tokio::task::spawn_blocking(move || shared.now(work)).await;
        done.map_err(|error| Error::panicked(error.to_string()))?
    }
}

/// How sources are asked.
pub struct Asking<'a> {
    /// What asks.
    pub fetcher: &'a dyn Fetcher,
    /// Who is told.
    pub watch: Watch<'a>,
    /// The time that counts as now, when somebody fixed it.
    pub now: Option<Timestamp>,
    /// Who is asked what became of works.
    pub indexes: &'a [Arc<dyn Index>],
    /// Hosts that are asked at once.
    pub hosts: usize,
    /// Whether hosts are asked from here; otherwise others are waited for.
    pub asks: bool,
    /// How long what is being asked is waited for once the time is over.
    pub grace: Duration,
    /// What was done so far.
    pub tally: Arc<Tally>,
}

/// Sources of a host that are claimed together: on a file nobody waits for the others of it.
const BATCH: usize = 25;

/// What was done so far, for whoever watches.
#[derive(Debug, Default)]
pub struct Tally {
    /// Results that were stored.
    pub stored: AtomicUsize,
    /// Results that came too late: the host had been given to somebody else.
    pub late: AtomicUsize,
    saves: AtomicUsize,
}

/// The hosts that are held: until when each may be asked, as far as it can be known without asking the store; none when that is over.
type Held = RefCell<HashMap<Lease, Option<Instant>>>;

/// What was found of a source of a host, or that a batch of the host is over.
type Event = (Lease, Done);

impl Asking<'_> {
    /// Works until nothing is left that may be asked, or `stop` ends; then what is being asked gets some grace, and is given back.
    ///
    /// # Errors
    /// When the store cannot be used.
    pub async fn work(&self, store: &Shared, stop: impl Future<Output = ()>) -> Result<()> {
        let (give, mut given) = mpsc::unbounded_channel();
        let (tell, told) = mpsc::unbounded_channel();
        let held = Held::default();
        let batches = futures_util::stream::poll_fn(move |context| given.poll_recv(context));
        let asking = async {
            batches.for_each_concurrent(None, |batch| self.batch(batch, &held, tell.clone())).await;
            std::future::pending().await
        };
        // `keep` ends when it has no more use for what asks.
        tokio::select! {
            result = self.keep(store, &held, give, told, stop) => result,
            never = asking => never,
        }
    }

    async fn batch(&self, batch: Batch, held: &Held, tell: UnboundedSender<Event>) {
        let until = || held.borrow().get(&batch.lease).copied().flatten();
        let is_over = || until().is_none_or(|until| Instant::now() >= until);
        let host = batch.work.first().and_then(|work| url::Url::parse(work.source.address()).ok());
        let host = host.as_ref().and_then(url::Url::host_str).unwrap_or_default();
        self.fetcher.mind(host, batch.pause);
        let tired = AtomicBool::new(false);
        let may = || !tired.load(Ordering::Relaxed) && !is_over();
        // A host asks for fewer requests by a status, or by saying for how long it wants to be left alone.
        let heard = |fetched: &Fetched| {
            let is_too_many = fetched.hops.last().and_then(|hop| hop.status) == Some(TOO_MANY);
            tired.fetch_or(is_too_many || !self.fetcher.wish(host).rest.is_zero(), Ordering::Relaxed);
        };
        fetch_each(self.fetcher, batch.work.iter().map(request_of), 1, may, heard, async |index, fetched| {
            let _ = tell.send(self.observe(batch.lease, &batch.work[index], fetched).await);
        })
        .await;
        let manners = Manners { tired: tired.into_inner(), wish: Some(self.fetcher.wish(host)) };
        let _ = tell.send((batch.lease, (Vec::new(), Some(manners))));
    }

    /// Holds the page of a source against the sentences that stand on it.
    async fn observe(&self, lease: Lease, work: &Work, fetched: Fetched) -> Event {
        let (source, claims) = (&work.source, claims_of(work));
        (self.watch)(Progress::Fetched(&fetched));
        let at = self.now.unwrap_or(fetched.fetched_at);
        let wants_copy = source.snapshot.is_none() && self.tally.saves.load(Ordering::Relaxed) < SAVES;
        let kept = if wants_copy { self.fetcher.keep(&fetched).await } else { None };
        if kept.is_some() {
            self.tally.saves.fetch_add(1, Ordering::Relaxed);
        }
        let mut observation = Observation::from_fetched(&fetched, at);
        if let Some(Kept::Had(copy) | Kept::Taken(copy)) = kept {
            observation.archive = Some(copy);
        }
        observation.notices = self.notices(source, &claims, at).await;
        if observation.seen.is_good() && !claims.is_empty() && fetched.page.is_some() {
            let (pins, page) = (source.pins.clone(), fetched.page.unwrap_or_default());
            let claims: Vec<String> = claims.iter().map(|&claim| claim.to_owned()).collect();
            // On a thread of its own: judging takes a while. One that fell over says nothing of any passage.
            let compared = tokio::task::spawn_blocking(move || {
                compare::compare(&pins, &claims.iter().map(String::as_str).collect::<Vec<_>>(), &page)
            });
            observation.passages = compared.await.unwrap_or_default();
        }
        (lease, (vec![(work.id, observation)], None))
    }

    /// What became of the work of a source since it was published, by its identifier alone and once a month; nothing where the documents
    /// say it themselves, or where the index that has its record was silent.
    async fn notices(&self, source: &Remembered, claims: &[&str], at: Timestamp) -> Option<Vec<Retraction>> {
        let entry = Entry { of_claim: true, ..Entry::of_words(&source.addresses.join(" ")) };
        let ids = &entry.read.ids;
        let has_fate = ids.doi.is_some() || ids.pmid.is_some() || ids.pmcid.is_some();
        let is_due = source.looked_up.is_none_or(|last| at.duration_since(last) >= MONTH);
        let is_told = source.titles.iter().any(|title| speaks_of_it(title))
            || !claims.is_empty() && claims.iter().all(|claim| speaks_of_it(claim));
        if !has_fate || !is_due || is_told {
            return None;
        }
        let indexes: Vec<&dyn Index> = self.indexes.iter().map(AsRef::as_ref).collect();
        let year = at.to_zoned(jiff::tz::TimeZone::UTC).year();
        let look = look_up(&[entry], &indexes, year).await.looks.pop()?;
        let found: Vec<Retraction> = notices(&look).collect();
        // The index that was asked first has the record; others add to it.
        let first = look.asked.first().map(|asked| &asked.index);
        let silent = look.asked.iter().any(|asked| Some(&asked.index) == first && asked.answer == AnswerKind::Unasked);
        Some(found).filter(|found| !silent || !found.is_empty())
    }

    /// Keeps the store: claims, stores, renews, gives back.
    async fn keep(
        &self,
        store: &Shared,
        held: &Held,
        give: UnboundedSender<Batch>,
        mut told: UnboundedReceiver<Event>,
        stop: impl Future<Output = ()>,
    ) -> Result<()> {
        let mut stop = std::pin::pin!(stop);
        let mut may_claim = true;
        let mut until: Option<Instant> = None;
        let mut renewed = Instant::now();
        loop {
            let (wanted, sent) = (self.hosts.saturating_sub(held.borrow().len()), Instant::now());
            if until.is_none() && self.asks && may_claim && wanted > 0 {
                let batches = store.with(move |store| store.claim(wanted, BATCH, LEASE)).await?;
                may_claim = batches.len() == wanted;
                for batch in batches {
                    held.borrow_mut().insert(batch.lease, Some(sent + LEASE - MARGIN));
                    let _ = give.send(batch);
                }
            }
            if held.borrow().is_empty() {
                // With nothing in hand it waits for something to do, until there is nothing more.
                let soonest = if until.is_none() { store.with(Store::soonest).await? } else { None };
                let Some(soonest) = soonest else { return Ok(()) };
                // Others have it in hand, or it rests.
                let time = if self.asks { soonest.clamp(Duration::from_millis(5), IDLE) } else { LOOK };
                tokio::select! {
                    biased;
                    () = stop.as_mut() => return Ok(()),
                    () = tokio::time::sleep(time) => may_claim = true,
                }
                continue;
            }
            let mut events = Vec::new();
            let deadline = until.unwrap_or_else(|| Instant::now() + LOOK);
            tokio::select! {
                biased;
                () = stop.as_mut(), if until.is_none() => {
                    until = Some(Instant::now() + self.grace);
                    held.borrow_mut().values_mut().for_each(|hold| *hold = None);
                }
                _ = told.recv_many(&mut events, AT_ONCE) => may_claim |= self.take(store, events, held).await?,
                () = tokio::time::sleep_until(deadline) => {
                    if until.is_some() {
                        // The grace is over: what is not answered by now is left for another time.
                        let left = held.take().into_keys().map(|lease| (lease, (Vec::new(), Some(Manners::default())))).collect();
                        return store.with(move |store| store.take(&left)).await.map(drop);
                    }
                    may_claim = true;
                }
            }
            if renewed.elapsed() >= HEARTBEAT {
                renewed = Instant::now();
                let leases: Vec<Lease> = held.borrow().keys().copied().collect();
                let lost = store.with(move |store| store.renew(&leases, LEASE)).await?;
                for (lease, hold) in held.borrow_mut().iter_mut() {
                    *hold = hold.filter(|_| !lost.contains(lease)).map(|_| renewed + LEASE - MARGIN);
                }
            }
        }
    }

    /// Stores results and gives hosts back: whether hands are free now.
    async fn take(&self, store: &Shared, events: Vec<Event>, held: &Held) -> Result<bool> {
        let mut done: BTreeMap<Lease, Done> = BTreeMap::new();
        for (lease, (results, over)) in events {
            let (all, end) = done.entry(lease).or_default();
            all.extend(results);
            *end = over.or(*end);
        }
        let over = done.iter().filter(|(_, (_, over))| over.is_some());
        let free = over.filter_map(|(lease, _)| held.borrow_mut().remove(lease)).count() > 0;
        let counts: Vec<(Lease, usize)> = done.iter().map(|(lease, (results, _))| (*lease, results.len())).collect();
        let taken = store.with(move |store| store.take(&done)).await?;
        for ((lease, count), taken) in counts.into_iter().zip(taken) {
            let tally = if taken { &self.tally.stored } else { &self.tally.late };
            tally.fetch_add(count, Ordering::Relaxed);
            // What comes late comes when somebody else has the host.
            held.borrow_mut().get_mut(&lease).filter(|_| !taken).into_iter().for_each(|hold| *hold = None);
        }
        Ok(free)
    }
}

/// What is asked for of one source.
fn request_of(work: &Work) -> Request<'_> {
    let (source, claims) = (&work.source, claims_of(work));
    let glance = claims.is_empty();
    Request {
        addresses: source.addresses.clone(),
        accessed: source.accessed,
        titles: source.titles.clone(),
        supports: (!glance).then(|| supports_any(claims.clone())),
        claims,
        glance,
        // What an archive has does not go away: it is not asked every night.
        copy_is_known: source.snapshot.is_some(),
        ..Request::default()
    }
}

/// The sentences that stand on a source, those of its pins included.
fn claims_of(work: &Work) -> Vec<&str> {
    let mut claims: Vec<&str> = work.claims.iter().map(String::as_str).collect();
    let pinned = work.source.pins.iter().map(|pin| pin.claim.as_str());
    claims.extend(pinned.filter(|claim| !work.claims.iter().any(|known| known == claim)));
    claims
}
