//! The fetcher that looks at sources: first look, doubt, second look, archive.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::civil::Date;
use url::Url;

use super::archive::save::Saver;
use super::archive::{AT_ONCE, Archive};
use super::bundle::Recorder;
use super::descriptors::shares;
use super::liveness::{self, Landing};
use super::looker::{Looker, Reached};
use super::politeness::asks_for_fewer;
use super::settings::Settings;
use super::sibling::Siblings;
use super::transport::{Purpose, Transport};
use super::wire::Wire;
use super::works;
use super::{Fetcher, Fetching, Keeping, Request, Wish};
use cited_core::address::key_of;
use cited_core::address::stamp::{copy_of, instant};
use cited_core::error::Result;
use cited_core::outcome::{AddressOutcome, Fetched, Kept, Outcome};
use cited_core::page::Page;
use cited_core::rule::Rule;

/// The network, or a bundle in its place.
///
/// One value serves one run: it remembers which hosts answered, which directories were probed, and whose turn it is.
pub struct Network {
    /// Who looks at its addresses.
    pub looker: Looker,
    siblings: Siblings,
    archives: Vec<Archive>,
    saver: Option<Saver>,
}

/// Words of a page's main part that are read when only its state matters: more than any sign of an error page, a wall
/// or a parked domain looks at.
const GLANCE_WORDS: usize = 300;

/// A run is at fault when more than one in so many hosts could not be asked from here.
const MANY: usize = 10;

impl Network {
    /// A network by these settings. Nothing is asked yet; asking needs a tokio runtime with time and I/O enabled.
    ///
    /// # Errors
    /// When a setting cannot be used, or when the bundle to record or to replay cannot be opened.
    pub fn new(settings: Settings) -> Result<Self> {
        let concurrency = settings.concurrency.min(shares().in_flight);
        let settings = Settings { concurrency, ..settings };
        let wire = Arc::new(Wire::new(&settings)?);
        Self::with_transport(settings, wire)
    }

    /// The same decisions over a transport of the caller's own.
    ///
    /// # Errors
    /// When the cache cannot be made, or the bundle to record or to replay cannot be opened.
    pub fn with_transport(settings: Settings, transport: Arc<dyn Transport>) -> Result<Self> {
        let archives: Vec<Archive> = settings.archives.iter().cloned().map(Archive::new).collect();
        let saver = settings.save.clone().map(Saver::new);
        let looker = Looker::new(transport, settings)?;
        for host in archives.iter().filter_map(|archive| archive.endpoint.host()) {
            looker.politeness.allow(&host, AT_ONCE, Duration::ZERO);
        }
        Ok(Network { looker, siblings: Siblings::default(), archives, saver })
    }

    /// What was lacking here, when no host could even be asked.
    pub fn lacks(&self) -> Option<String> {
        let none = self.looker.hosts.count(Reached::Not) > 0 && !self.any_answered();
        none.then(|| self.looker.hosts.lacked.get().cloned().unwrap_or_default())
    }

    /// Whether a single host has answered.
    pub fn any_answered(&self) -> bool {
        self.looker.hosts.count(Reached::Answered) > 0
    }

    /// When the run began that the bundle is of, for a recording or a replay of one: a run from a bundle takes the time
    /// of the run that recorded it, and so gives the same bytes.
    pub fn begun(&self) -> Option<jiff::Timestamp> {
        self.looker.recorder.as_ref().map(|recorder| recorder.begun).or_else(|| self.looker.replay.as_ref()?.begun)
    }

    /// Completes a recording: the bundle is whole and in its place afterwards. Without a recording it does nothing.
    ///
    /// # Errors
    /// When the bundle could not be written.
    pub fn finish(&self) -> Result<()> {
        self.looker.recorder.as_ref().map_or(Ok(()), Recorder::finish)
    }

    /// The addresses at which the source itself may be, each once: fragments are not sent. A copy in an archive that stands beside them is
    /// none: an earlier run listed it because the source was gone, and it is looked for again when the source still is.
    fn living(&self, addresses: &[String]) -> VecDeque<String> {
        let mut seen = HashSet::new();
        let (mut copies, mut living) = (VecDeque::new(), VecDeque::new());
        for address in addresses {
            let mut url = Url::parse(address).ok();
            url.iter_mut().for_each(|url| url.set_fragment(None));
            if seen.insert(url.as_ref().map_or_else(|| address.clone(), Url::to_string)) {
                let host = url.as_ref().and_then(Url::host_str);
                let is_copy =
                    self.archives.iter().any(|archive| host.is_some() && archive.endpoint.host().as_deref() == host);
                if is_copy { &mut copies } else { &mut living }.push_back(address.clone());
            }
        }
        if living.is_empty() { copies } else { living }
    }

    async fn decide(&self, request: &Request<'_>) -> Fetched {
        let mut all: Vec<AddressOutcome> = Vec::new();
        let with_others = |fetched: Fetched, all: Vec<AddressOutcome>| {
            let others: Vec<_> = all.into_iter().filter(|other| other.address != fetched.address).collect();
            let may_say_more = fetched.may_say_more || others.iter().any(|other| other.outcome.is_unknown());
            Fetched { others, may_say_more, ..fetched }
        };
        let (mut gone, mut living) = (Vec::new(), Vec::<Fetched>::new());
        let mut best: Option<Fetched> = None;
        let mut waiting = self.living(&request.addresses);
        // Of the copies that the document cites itself, and that are gone: what they are of, and when they were taken.
        let mut copies: Vec<(String, Option<Date>)> = Vec::new();
        while let Some(address) = waiting.pop_front() {
            let fetched = self.examine(&address, request).await;
            all.push((&fetched).into());
            // A page about something else stands only when no other address has the right one.
            if fetched.outcome.is_readable() && !fetched.is_off_topic() {
                // The same thing is asked for once; each other address of an entry has an outcome of its own.
                waiting.retain(|other| key_of(other) != key_of(&address));
                let of_copy = copies.iter().any(|(original, _)| *original == address);
                living.push(if of_copy {
                    let reason = "the archive has no such copy, the page itself is there".to_owned();
                    Fetched { outcome: Outcome::Moved, reason, rule: Rule::CopyGone, ..fetched }
                } else {
                    fetched
                });
                continue;
            }
            if let (Outcome::Dead, Ok(at)) = (fetched.outcome, Url::parse(&address)) {
                match copy_of(&at) {
                    // An archive that has no such copy says nothing of the page itself.
                    Some((original, stamp)) if !waiting.iter().any(|other| other == original.as_str()) => {
                        waiting.push_back(original.to_string());
                        let date = instant(&stamp).map(|taken| taken.to_zoned(jiff::tz::TimeZone::UTC).date());
                        copies.push((original.into(), date));
                    }
                    _ => {
                        gone.extend(end_that_is_gone(&fetched, &at).filter(|end| !gone.contains(end)));
                        gone.push(at);
                    }
                }
            }
            best = Some(match best {
                Some(best) if best.stands_before(&fetched) => best,
                _ => fetched,
            });
        }
        if !living.is_empty() {
            // Of several pages the first that says what is cited stands.
            let says = |page: &Page| request.supports.as_ref().is_some_and(|supports| supports(&page.text));
            let many = living.len() > 1;
            let mut saying = (0..living.len()).filter(|at| many && living[*at].page.as_ref().is_some_and(says));
            let (at, may_say_more) = (saying.next().unwrap_or(0), saying.next().is_some());
            return with_others(Fetched { may_say_more, ..living.swap_remove(at) }, all);
        }
        let Some(fetched) = best else { return Fetched::unasked("", "no address", (self.looker.settings.clock)()) };
        let fetched = with_others(fetched, all.clone());
        // A source is gone only when all its addresses are.
        if fetched.outcome != Outcome::Dead {
            return fetched;
        }
        if let Some(elsewhere) = self.same_work(&gone, request).await {
            let hops = [fetched.hops, elsewhere.hops].concat();
            return with_others(Fetched { hops, ..elsewhere }, all);
        }
        if request.copy_is_known {
            return fetched;
        }
        let cited_copy = copies.iter().find_map(|(_, date)| *date);
        self.stand_in(fetched, &gone, request.accessed.or(cited_copy), request).await
    }

    /// Looks at one address until it is decided.
    async fn examine(&self, address: &str, request: &Request<'_>) -> Fetched {
        let refused = |why: &str| Fetched {
            outcome: Outcome::Refused,
            rule: Rule::Refused,
            ..Fetched::unasked(address, format!("refused: {why}"), (self.looker.settings.clock)())
        };
        let url = match Url::parse(address) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => url,
            Ok(url) => return refused(&format!("scheme {}", url.scheme())),
            Err(_) => return refused("not an address"),
        };
        let (mut fetched, mut end) = self.see(&url, Purpose::Page, address, request).await;
        if !fetched.outcome.is_readable() {
            self.looker.forget(&end);
        }
        // Status 429 and 503 have been heard already.
        if fetched.outcome == Outcome::Blocked && fetched.status().is_some_and(|status| !asks_for_fewer(status)) {
            self.looker.politeness.walled(end.host_str().unwrap_or_default());
        }
        if fetched.outcome == Outcome::Dead {
            if !self.looker.is_replay() {
                tokio::time::sleep(self.looker.settings.second_look_after).await;
            }
            (fetched, end) = self.see(&url, Purpose::SecondLook, address, request).await;
            if fetched.rule == Rule::NoSuchHost {
                for gone in [&end, &url] {
                    self.looker.hosts.note(gone.host_str().unwrap_or_default(), Reached::Answered);
                }
            }
        }
        if !request.glance {
            self.read_file(&mut fetched).await;
        }
        fetched
    }

    /// What one look at an address says, on behalf of a source, and where it ended.
    async fn see(&self, url: &Url, purpose: Purpose, source: &str, cited: &Request<'_>) -> (Fetched, Url) {
        let enough = cited.glance.then_some(GLANCE_WORDS);
        let look = self.looker.look(url, purpose, source, enough).await;
        let ruling = match liveness::rule(&look, url, cited) {
            Ok(ruling) => ruling,
            Err(doubt) => {
                let sibling = self.siblings.ask(&self.looker, url, &look, enough).await;
                liveness::after_sibling(doubt, sibling, &look, url, cited)
            }
        };
        let mut fetched = Fetched { address: source.to_owned(), hops: look.hops, fetched_at: look.at, ..ruling };
        if let Ok(landing) = look.end {
            let Landing { answer, document } = *landing;
            fetched.final_url = Some(look.final_url.to_string());
            if fetched.outcome.is_readable() {
                // Of a page that was not read whole, what it lacks proves nothing in any case.
                let doubted =
                    document.page.complete && liveness::doubts_itself(&answer, &document, url, &look.final_url);
                fetched.page = Some(Page { doubted, ..document.page });
            }
        }
        (fetched, look.final_url)
    }

    /// Looks for the work at its other addresses, when what is gone stood for one.
    async fn same_work(&self, gone: &[Url], request: &Request<'_>) -> Option<Fetched> {
        let named: Vec<Url> = request.works.iter().filter_map(|address| Url::parse(address).ok()).collect();
        for address in gone {
            let others = works::other_addresses(address).into_iter().chain(named.iter().cloned());
            for other in others.filter(|other| !gone.contains(other)) {
                let (fetched, _) = self.see(&other, Purpose::Page, address.as_str(), request).await;
                if matches!(fetched.outcome, Outcome::Live | Outcome::Moved) && !fetched.is_off_topic() {
                    let reason = "the work is at another address".to_owned();
                    let (address, outcome, rule) = (other.into(), Outcome::Moved, Rule::WorkElsewhere);
                    return Some(Fetched { address, outcome, reason, rule, ..fetched });
                }
            }
        }
        None
    }

    /// Puts the text of the file in place of that of a page that shows it: the page around it is the identity.
    async fn read_file(&self, fetched: &mut Fetched) {
        let shows = matches!(fetched.outcome, Outcome::Live | Outcome::Moved | Outcome::Unreadable);
        let at = fetched.final_url.as_deref().filter(|_| shows).and_then(|url| Url::parse(url).ok());
        let Some(raw) = at.as_ref().and_then(works::raw_of) else { return };
        let Ok(landing) = self.looker.look(&raw, Purpose::File, &fetched.address, None).await.end else { return };
        let Landing { answer, document } = *landing;
        let file = document.page;
        if answer.status != 200 || document.unreadable.is_some() || file.text.trim().is_empty() {
            return;
        }
        if fetched.outcome == Outcome::Unreadable {
            (fetched.outcome, fetched.reason, fetched.rule) = (Outcome::Live, String::new(), Rule::Live);
        }
        let page = fetched.page.take().unwrap_or_default();
        fetched.page = Some(Page {
            title: page.title.or(file.title),
            canonical: page.canonical,
            published: page.published.or(file.published),
            author: page.author.or(file.author),
            doi: page.doi.or(file.doi),
            ..file
        });
    }

    /// Asks the archives for a copy of a source that is gone.
    async fn stand_in(&self, dead: Fetched, gone: &[Url], near: Option<Date>, cited: &Request<'_>) -> Fetched {
        let mut unasked = None;
        for archive in &self.archives {
            for address in gone {
                match archive.find(&self.looker, address, near, cited).await {
                    Ok(Some(found)) => {
                        let (copy, page) = *found;
                        return Fetched {
                            outcome: Outcome::Archived,
                            rule: Rule::Archived,
                            page: Some(page),
                            final_url: Some(copy.url.clone()),
                            archive: Some(copy),
                            ..dead
                        };
                    }
                    Ok(None) => {}
                    Err(failure) => unasked = unasked.or(Some(failure)),
                }
            }
        }
        let Some(failure) = unasked else { return dead };
        let reason = format!("{}, archive: {failure}", dead.reason);
        Fetched { outcome: Outcome::Unasked, reason, rule: Rule::ArchiveUnasked, ..dead }
    }
}

impl Fetcher for Network {
    fn fetch<'a>(&'a self, request: &'a Request<'a>) -> Fetching<'a> {
        Box::pin(async move {
            let start = Instant::now();
            let mut fetched = self.decide(request).await;
            if !self.looker.is_replay() {
                fetched.elapsed_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
            }
            fetched
        })
    }

    fn keep<'a>(&'a self, fetched: &'a Fetched) -> Keeping<'a> {
        Box::pin(async move {
            let saver = self.saver.as_ref()?;
            let address = match fetched.outcome {
                Outcome::Live => fetched.address.as_str(),
                Outcome::Moved => fetched.final_url.as_deref()?,
                _ => return None,
            };
            let mut page = Url::parse(address).ok()?;
            page.set_fragment(None);
            // The first archive that takes copies is asked.
            let Some(archive) = self.archives.iter().find(|archive| archive.endpoint.save().is_some()) else {
                return Some(Kept::Not { reason: "no archive that takes copies".to_owned() });
            };
            let not = |reason| Kept::Not { reason: format!("archive: {reason}") };
            Some(saver.keep(&self.looker, archive, &page).await.unwrap_or_else(not))
        })
    }

    fn asks_archives(&self) -> bool {
        !self.archives.is_empty()
    }

    fn fault(&self) -> Option<String> {
        let [answered, silent, not_reached, distrusted] =
            [Reached::Answered, Reached::Silent, Reached::Not, Reached::Distrusted]
                .map(|far| self.looker.hosts.count(far));
        let all = answered + silent + not_reached + distrusted;
        let why = format!("could not be asked: {}", self.looker.hosts.lacked.get().map_or("", String::as_str));
        // Hosts count, not addresses; one that answered anything, an error included, has answered. Where most are silent the network is at fault
        // and not they; of few certificates that are refused the hosts are to blame, of most of them the trust here.
        let faults = [
            (not_reached, not_reached * MANY > all, &*why),
            (distrusted, distrusted > answered, "have no certificate that is trusted here (--cacert adds to what is)"),
            (silent, silent > answered + distrusted, "did not answer"),
        ];
        let (many, _, why) = faults.into_iter().find(|(_, is_fault, _)| *is_fault)?;
        Some(format!("{many} of {all} hosts {why}"))
    }

    fn wish(&self, host: &str) -> Wish {
        self.looker.politeness.wish(host)
    }

    fn mind(&self, host: &str, pause: Duration) {
        self.looker.politeness.mind(host, pause);
    }
}

/// Where an address led that is gone because there is nothing: archives may have kept that page, and not the way to it. What a site has
/// in place of any page is no such end, and archives know the same place by one name.
fn end_that_is_gone(fetched: &Fetched, at: &Url) -> Option<Url> {
    let end = fetched.hops.last().filter(|_| matches!(fetched.rule, Rule::HttpGone | Rule::NoSuchHost))?;
    let end = Url::parse(&end.url).ok().filter(|end| key_of(end.as_str()) != key_of(at.as_str()))?;
    let is_in_place_of_any = liveness::way::by_redirect(at, &end)
        .is_some_and(|doubt| matches!(doubt.rule, Rule::RedirectToHome | Rule::RedirectToError));
    (!is_in_place_of_any).then_some(end)
}
