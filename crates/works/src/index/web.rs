//! An index of the web: asked through the guard, the turns, the cache and the bundle that every request goes through.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::Either;
use tokio::sync::{OnceCell, watch};
use url::Url;

use super::row::{Ask, ROWS, Row};
use super::value::{Read, read};
use crate::look::{Account, QueryKind};
use crate::question::{Asking, Index, IndexAnswer, Question};
use cited_core::error::{self, Error};
use cited_core::page::sha256_hex;
use cited_fetch::Network;
use cited_fetch::catalogue::{Pace, Query, Reply};
use cited_fetch::transport::{Ask as Request, Purpose};

/// An index is given up after so many requests in a row without an answer.
const FAILURES: u32 = 3;

/// Where an index is asked: another address than its own, or nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexAddress {
    name: &'static str,
    base: Option<Url>,
}

impl IndexAddress {
    /// From `NAME=URL` or `NAME=off`.
    ///
    /// # Errors
    /// When there is no such index, or it is no address.
    pub fn parse(text: &str) -> Result<IndexAddress, String> {
        let (name, place) = text.split_once('=').ok_or("must be NAME=URL or NAME=off")?;
        let names = || ROWS.iter().map(|row| row.name).collect::<Vec<_>>().join(", ");
        let row =
            ROWS.iter().find(|row| row.name == name).ok_or_else(|| format!("`{name}` is no index: {}", names()))?;
        let address = || Url::parse(place).map_err(|_| format!("`{place}` is no address"));
        let base = (place != "off").then(address).transpose()?;
        Ok(IndexAddress { name: row.name, base })
    }
}

/// An index of the web, for one run.
pub struct Web {
    row: &'static Row,
    /// What its turns are by.
    service: &'static str,
    network: Arc<Network>,
    base: Url,
    /// For one record, and for a list.
    paces: [Pace; 2],
    contact: Option<String>,
    key: Option<String>,
    failures: AtomicU32,
    /// Whether it has answered anything.
    heard: AtomicBool,
    /// Why it is not asked any more, once it is not.
    closed: watch::Sender<Option<String>>,
    account: Mutex<Account>,
    /// What it was asked, once for all entries of a look-up: an answer may lead to a question, too.
    memo: Mutex<HashMap<Question, Arc<OnceCell<IndexAnswer>>>>,
}

impl Web {
    /// Every index that is not switched off. `key` gives the value of a variable.
    ///
    /// # Errors
    /// When the address of an index cannot be used.
    pub fn all(
        network: &Arc<Network>,
        places: &[IndexAddress],
        contact: Option<&str>,
        key: impl Fn(&str) -> Option<String>,
    ) -> error::Result<Vec<Web>> {
        let mut found = Vec::new();
        for row in ROWS.iter() {
            let place = places.iter().rev().find(|place| place.name == row.name);
            if place.is_some_and(|place| place.base.is_none()) {
                continue;
            }
            let own = || Url::parse(row.base).map_err(|error| Error::defect(format!("{}: {error}", row.name)));
            let other = place.and_then(|place| place.base.clone());
            // Its pages are at the same host, and come out of the same pace.
            let service = if other.is_some() { row.name } else { row.base.trim_start_matches("https://") };
            let base = other.map_or_else(own, Ok)?;
            let key = row.key.and_then(|(variable, ..)| key(variable)).filter(|key| !key.trim().is_empty());
            let contact = contact.filter(|contact| contact.contains('@')).map(str::to_owned);
            let (at_once, one, list) =
                if contact.is_some() || key.is_some() { row.pace } else { row.without_contact.unwrap_or(row.pace) };
            let with_key = row.key.filter(|_| key.is_some()).map_or(u64::MAX, |(.., gap)| gap);
            let [one, list] = [one, list].map(|gap| Pace { at_once, gap: Duration::from_millis(gap.min(with_key)) });
            network.keep_to(service, one);
            let missing_key = row.key.filter(|_| key.is_none()).map(|(variable, ..)| variable);
            found.push(Web {
                row,
                service,
                network: Arc::clone(network),
                base,
                paces: [one, list],
                contact,
                key,
                failures: AtomicU32::new(0),
                heard: AtomicBool::new(false),
                closed: watch::Sender::default(),
                account: Mutex::new(Account { missing_key, ..Account::default() }),
                memo: Mutex::default(),
            });
        }
        Ok(found)
    }

    /// Its reply; or why it was given up while its turn was waited for.
    async fn reply_unless_closed(&self, query: &Query) -> Result<Reply, String> {
        if let Some(why) = self.network.was_given_up(query) {
            return Err(why);
        }
        let mut closed = self.closed.subscribe();
        let given_up = std::pin::pin!(closed.wait_for(Option::is_some));
        let asked = std::pin::pin!(self.network.consult(query));
        match futures_util::future::select(given_up, asked).await {
            Either::Left((why, _)) => {
                let why = why.ok().and_then(|why| why.clone()).unwrap_or_default();
                self.network.give_up(query, &why);
                Err(why)
            }
            Either::Right((reply, _)) => Ok(reply),
        }
    }

    fn query(&self, question: &Question, ask: &Ask) -> Query {
        let mut headers: Vec<(&'static str, String)> =
            ask.accept.iter().map(|accept| ("accept", (*accept).to_owned())).collect();
        let mut private = self.row.contact.zip(self.contact.clone());
        if let Some(((_, place, _), key)) = self.row.key.zip(self.key.clone()) {
            match place.strip_prefix('=') {
                Some(parameter) => private = Some((parameter, key)),
                None => headers.push((place.trim_start_matches(':'), key)),
            }
        }
        let is_list = !matches!(question, Question::Record(..) | Question::Agency(_));
        let pace = self.paces[usize::from(is_list)];
        let request = Request { headers, private, ..Request::get(ask.url(&self.base, question), Purpose::Index, "") };
        Query { service: self.service, ask: request, elsewhere: ask.accept.is_some(), pace }
    }

    /// Asks it, and again for the records that its answer leads to.
    async fn follow(&self, question: &Question, ask: &Ask) -> IndexAnswer {
        let query = self.query(question, ask);
        let mut is_anew = false;
        loop {
            let reply = match self.reply_unless_closed(&query).await {
                Ok(reply) => reply,
                Err(why) => return IndexAnswer::unasked(why),
            };
            let read = reply.result.as_ref().map_err(Clone::clone).and_then(|(status, text)| {
                read(self.row, ask, question, *status, text).ok_or_else(|| match status {
                    200 => "no answer of this index".to_owned(),
                    _ => format!("HTTP {status}"),
                })
            });
            self.heed(&query, &reply, question.query_kind(), read.as_ref().err());
            let text_sha256 = reply.result.as_ref().map(|(_, text)| sha256_hex(text.as_bytes())).unwrap_or_default();
            let said = |records| IndexAnswer { answer: Ok(records), text_sha256, at: Some(reply.at) };
            match read {
                Ok(Read::Further(next)) => {
                    return match self.ask(&next) {
                        Some(asking) => asking.await,
                        None => said(Vec::new()),
                    };
                }
                Ok(Read::Records(none))
                    if none.is_empty() && !is_anew && reply.requests == 0 && self.network.is_old(reply.at) =>
                {
                    self.network.looker.forget(&query.ask.url);
                    is_anew = true;
                }
                Ok(Read::Records(records)) => return said(records),
                // Which of its questions were asked before it was given up is chance, and nothing of it is told.
                Err(why) => return IndexAnswer::unasked(why),
            }
        }
    }

    /// Notes whether it answered, and gives it up when it does not.
    fn heed(&self, query: &Query, reply: &Reply, how: QueryKind, failed: Option<&String>) {
        let account = &mut *self.account.lock().unwrap_or_else(PoisonError::into_inner);
        account.requests += reply.requests;
        // The least that it said is left, whichever answer came last.
        account.left = account.left.into_iter().chain(reply.left).min();
        let Some(why) = failed else {
            if reply.closed {
                self.close("nothing is left of its budget");
            }
            self.failures.store(0, Ordering::Relaxed);
            // Anything may say that it has no such page.
            self.heard.fetch_or(matches!(reply.result, Ok((200, _))), Ordering::Relaxed);
            return;
        };
        self.network.looker.forget(&query.ask.url);
        let is_heard = self.heard.load(Ordering::Relaxed);
        // Once it has answered anything, an answer in another form says nothing of what it is asked next.
        let is_form = is_heard && matches!(reply.result, Ok((200, _)));
        let failures = if is_form { 0 } else { self.failures.fetch_add(1, Ordering::Relaxed) + 1 };
        // One that nobody can reach, or that is not there, is not tried for every entry.
        let is_elsewhere = how == QueryKind::Search && matches!(reply.result, Ok((401 | 403 | 404, _)));
        let is_away = is_elsewhere || reply.requests >= FAILURES;
        if reply.closed || failures >= FAILURES || is_away && !is_heard {
            self.close(why);
        }
    }

    /// Asks it no more. What a bundle holds was asked, in whatever order it is read now.
    fn close(&self, why: &str) {
        if self.network.looker.is_replay() {
            return;
        }
        self.closed.send_if_modified(|closed| closed.is_none() && closed.replace(why.to_owned()).is_none());
    }
}

impl Index for Web {
    fn name(&self) -> &'static str {
        self.row.name
    }

    fn ask<'a>(&'a self, question: &'a Question) -> Option<Asking<'a>> {
        let ask = self.row.ask(question)?;
        let memo = &mut *self.memo.lock().unwrap_or_else(PoisonError::into_inner);
        let cell = Arc::clone(memo.entry(question.clone()).or_default());
        Some(Box::pin(async move { cell.get_or_init(|| self.follow(question, ask)).await.clone() }))
    }

    fn forget(&self) {
        self.memo.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn account(&self) -> Account {
        self.account.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
