//! An index of the web: asked through the guard, the turns, the cache and the bundle that every request goes through.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::Either;
use tokio::sync::{OnceCell, watch};
use url::Url;

use super::all::ROWS;
use super::row::{Key, Row, Way};
use crate::look::{Account, How};
use crate::question::{Answer, Answered, Asking, Index, Question};
use cited_core::error::{self, Error};
use cited_core::page::sha256_hex;
use cited_fetch::Network;
use cited_fetch::catalogue::{Pace, Query, Reply};

/// An index is given up after so many requests in a row without an answer.
const FAILURES: u32 = 3;

/// Where an index is asked: another address than its own, or nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    name: &'static str,
    base: Option<Url>,
}

impl Place {
    /// From `NAME=URL` or `NAME=off`.
    ///
    /// # Errors
    /// When there is no such index, or it is no address.
    pub fn parse(text: &str) -> Result<Place, String> {
        let (name, place) = text.split_once('=').ok_or("must be NAME=URL or NAME=off")?;
        let names = || ROWS.iter().map(|row| row.name).collect::<Vec<_>>().join(", ");
        let row =
            ROWS.iter().find(|row| row.name == name).ok_or_else(|| format!("`{name}` is no index: {}", names()))?;
        let base = if place == "off" {
            None
        } else {
            Some(Url::parse(place).map_err(|_| format!("`{place}` is no address"))?)
        };
        Ok(Place { name: row.name, base })
    }
}

/// An index of the web, for one run.
pub struct Web {
    row: &'static Row,
    network: Arc<Network>,
    base: Url,
    contact: Option<String>,
    key: Option<String>,
    /// Two questions may lead to one address: it is asked once.
    replies: Mutex<HashMap<String, Arc<OnceCell<Reply>>>>,
    failures: AtomicU32,
    /// Whether it has answered anything.
    heard: AtomicBool,
    /// Why it is not asked any more, once it is not.
    closed: watch::Sender<Option<String>>,
    requests: AtomicU32,
}

impl Web {
    /// Every index that is not switched off. `key` gives the value of a variable.
    ///
    /// # Errors
    /// When the address of an index cannot be used.
    pub fn all(
        network: &Arc<Network>,
        places: &[Place],
        contact: Option<&str>,
        key: impl Fn(&str) -> Option<String>,
    ) -> error::Result<Vec<Web>> {
        let mut found = Vec::new();
        for row in ROWS {
            let place = places.iter().rev().find(|place| place.name == row.name);
            if place.is_some_and(|place| place.base.is_none()) {
                continue;
            }
            let own = || Url::parse(row.base).map_err(|error| Error::defect(format!("{}: {error}", row.name)));
            let base = place.and_then(|place| place.base.clone()).map_or_else(own, Ok)?;
            let key = row.key.and_then(|(variable, ..)| key(variable)).filter(|key| !key.trim().is_empty());
            found.push(Web {
                row,
                network: Arc::clone(network),
                base,
                contact: contact.filter(|contact| contact.contains('@')).map(str::to_owned),
                key,
                replies: Mutex::default(),
                failures: AtomicU32::new(0),
                heard: AtomicBool::new(false),
                closed: watch::Sender::default(),
                requests: AtomicU32::new(0),
            });
        }
        Ok(found)
    }

    fn close(&self, why: &str) {
        self.closed.send_if_modified(|closed| closed.is_none() && closed.replace(why.to_owned()).is_none());
    }

    /// Its reply; or why it was given up while its turn was waited for.
    async fn reply_unless_closed(&self, query: &Query) -> Result<Reply, String> {
        let mut closed = self.closed.subscribe();
        let given_up = std::pin::pin!(closed.wait_for(Option::is_some));
        let asked = std::pin::pin!(self.reply(query));
        match futures_util::future::select(given_up, asked).await {
            Either::Left((why, _)) => Err(why.ok().and_then(|why| why.clone()).unwrap_or_default()),
            Either::Right((reply, _)) => Ok(reply),
        }
    }

    fn query(&self, way: &Way, is_list: bool) -> Query {
        let mut url = self.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(&way.path);
        }
        if !way.query.is_empty() {
            url.query_pairs_mut().extend_pairs(way.query.iter().map(|(name, value)| (*name, value.as_str())));
        }
        let mut headers: Vec<(&'static str, String)> =
            way.accept.iter().map(|accept| ("accept", (*accept).to_owned())).collect();
        let mut private = None;
        match (self.row.key, &self.key, self.row.contact, &self.contact) {
            (Some((_, Key::Parameter(name), _)), Some(key), ..) => private = Some((name, key.clone())),
            (key, own, contact, mail) => {
                if let (Some((_, Key::Header(name), _)), Some(key)) = (key, own) {
                    headers.push((name, key.clone()));
                }
                private = contact.zip(mail.clone()).or(private);
            }
        }
        let (at_once, gaps) = match self.row.without_contact {
            Some(slower) if self.contact.is_none() && self.key.is_none() => slower,
            _ => (self.row.at_once, self.row.gaps),
        };
        let gap = match self.row.key {
            Some((.., with_key)) if self.key.is_some() && is_list => with_key,
            _ if is_list => gaps.1,
            _ => gaps.0,
        };
        let pace = Pace { at_once, gap: Duration::from_millis(gap) };
        Query { service: self.row.name, url, headers, private, elsewhere: way.accept.is_some(), pace }
    }

    async fn reply(&self, query: &Query) -> Reply {
        let cell = {
            let mut replies = self.replies.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(replies.entry(query.url.to_string()).or_default())
        };
        let asked = async {
            let reply = self.network.consult(query).await;
            self.requests.fetch_add(reply.requests, Ordering::Relaxed);
            reply
        };
        cell.get_or_init(|| asked).await.clone()
    }

    /// One way, and the one that its answer leads to.
    async fn follow(&self, question: &Question) -> Answered {
        let Some(mut way) = (self.row.way)(question) else { return Answered::unasked("cannot be asked that") };
        loop {
            let is_list = !matches!(question, Question::Doi(_) | Question::Agency(_) | Question::Isbn(_));
            let query = self.query(&way, is_list);
            let reply = match self.reply_unless_closed(&query).await {
                Ok(reply) => reply,
                Err(why) => return Answered::unasked(why),
            };
            let answer = match &reply.result {
                Err(why) => Answer::Unasked(why.clone()),
                Ok((status, text)) if (self.row.says_no)(question, *status, text) => Answer::No,
                Ok((200, text)) => match (self.row.read)(question, text) {
                    Some(records) if records.is_empty() => Answer::No,
                    Some(records) => Answer::Records(records),
                    None => Answer::Unasked("no answer of this index".to_owned()),
                },
                Ok((status, _)) => Answer::Unasked(format!("HTTP {status}")),
            };
            let text_sha256 = reply.result.as_ref().map(|(_, text)| sha256_hex(text.as_bytes())).unwrap_or_default();
            match &answer {
                Answer::Unasked(why) => {
                    self.network.forget(&query.url);
                    let failed = self.failures.fetch_add(1, Ordering::Relaxed) + 1;
                    // One that nobody can reach, or that is not there, is not tried for every entry.
                    let is_elsewhere =
                        question.how() == How::Search && matches!(reply.result, Ok((401 | 403 | 404, _)));
                    let is_away = is_elsewhere || reply.requests >= FAILURES;
                    if reply.closed || failed >= FAILURES || is_away && !self.heard.load(Ordering::Relaxed) {
                        self.close(why);
                    }
                }
                Answer::Records(_) | Answer::No => {
                    self.failures.store(0, Ordering::Relaxed);
                    // Anything may say that it has no such page.
                    self.heard.fetch_or(matches!(reply.result, Ok((200, _))), Ordering::Relaxed);
                }
            }
            let next = way.then.zip(reply.result.as_ref().ok()).and_then(|(then, (_, text))| then(text));
            match next.filter(|_| answer == Answer::No) {
                Some(next) => way = next,
                None => return Answered { answer, text_sha256, at: Some(reply.at) },
            }
        }
    }
}

impl Index for Web {
    fn name(&self) -> &'static str {
        self.row.name
    }

    fn can(&self, question: &Question) -> bool {
        (self.row.way)(question).is_some()
    }

    fn ask<'a>(&'a self, question: &'a Question) -> Asking<'a> {
        Box::pin(self.follow(question))
    }

    fn account(&self) -> Account {
        let missing_key = self.row.key.filter(|_| self.key.is_none()).map(|(variable, ..)| variable);
        let requests = self.requests.load(Ordering::Relaxed);
        Account { requests, closed: self.closed.borrow().clone(), missing_key, ..Account::default() }
    }
}
