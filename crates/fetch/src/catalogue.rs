//! Asking a service that has records in a form of its own, at the pace that it wants: an index of works.

use std::time::Duration;

use url::Url;

use super::looker::{Line, rest_of};
use super::network::Network;
use super::settings::Settings;
use super::transport::{Ask, BodyEnd, Exchange, Purpose};

/// Bytes of an answer.
const MOST: usize = 8 << 20;
/// Redirects that are followed where a service answers from elsewhere.
const REDIRECTS: u32 = 4;

/// How a service is asked.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// Requests at once.
    pub at_once: usize,
    /// Time between the starts of this request and the next.
    pub gap: Duration,
}

/// One request to a service.
#[derive(Debug, Clone)]
pub struct Query {
    /// The service: its pace is kept for all requests that name it.
    pub service: &'static str,
    /// What is asked for.
    pub url: Url,
    /// Headers beside those that every request has.
    pub headers: Vec<(&'static str, String)>,
    /// A parameter for the service alone.
    pub private: Option<(&'static str, String)>,
    /// Whether another host may answer in its place.
    pub elsewhere: bool,
    /// How it wants to be asked.
    pub pace: Pace,
}

/// What came of a request.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Status and text; or why there is none.
    pub result: Result<(u16, String), String>,
    /// When it came.
    pub at: jiff::Timestamp,
    /// Requests that were made.
    pub requests: u32,
    /// Whether the service wants to be left alone for longer than is waited for.
    pub closed: bool,
}

impl Network {
    /// Asks a service. What may pass is tried again; whatever it asks for with `Retry-After` is waited for, or it is not asked again.
    pub async fn consult(&self, query: &Query) -> Reply {
        let mut ask = Ask {
            headers: query.headers.clone(),
            private: query.private.clone(),
            ..Ask::get(query.url.clone(), Purpose::Index, "")
        };
        let settings = self.settings();
        // What the user says of hosts counts for these, too; no pause at all takes nothing from what a service asks for.
        let usual = [Duration::ZERO, Settings::default().host_pause];
        let is_set = !settings.adapt && !usual.contains(&settings.host_pause);
        let gap = if is_set { settings.host_pause } else { query.pace.gap };
        let at_once = if settings.adapt { query.pace.at_once } else { settings.per_host.max(query.pace.at_once) };
        let line = Line { name: query.service, pace: Some((at_once, gap)) };
        let mut requests = 0;
        loop {
            let asked = self.looker().ask_in(&line, ask.clone()).await;
            requests += asked.requests;
            let exchange = asked.exchange;
            if let Ok(answer) = &exchange.result
                && (300..400).contains(&answer.status)
                && query.elsewhere
                && ask.hop < REDIRECTS
                && let Some(next) = answer.header("location").and_then(|location| ask.url.join(&location).ok())
            {
                ask = Ask { url: next, hop: ask.hop + 1, private: None, ..ask };
                continue;
            }
            let rest = exchange.result.as_ref().ok().and_then(|answer| rest_of(answer, exchange.at));
            let closed = rest.is_some_and(|rest| rest > settings.retry_after_limit);
            return reply(exchange, requests, closed);
        }
    }

    /// Forgets an answer that turned out to be none.
    pub fn forget(&self, url: &Url) {
        self.transport().forget(url);
    }
}

fn reply(exchange: Exchange, requests: u32, closed: bool) -> Reply {
    let result = match exchange.result {
        Ok(answer) if answer.end != BodyEnd::Complete => Err("body cut short".to_owned()),
        Ok(answer) => Ok((answer.status, answer.text(MOST))),
        Err(failure) => Err(failure.reason),
    };
    Reply { result, at: exchange.at, requests, closed }
}
