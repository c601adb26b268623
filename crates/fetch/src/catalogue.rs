//! Asking a service that has records in a form of its own, at the pace that it wants: an index of works.

use std::time::Duration;

use url::Url;

use super::decode;
use super::looker::retry_after;
use super::network::Network;
use super::politeness::asks_for_fewer;
use super::settings::Settings;
use super::transport::{Ask, BodyEnd, Exchange, Failure, FailureKind, Purpose};

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
        let mut requests = 0;
        let mut kept: Option<Exchange> = None;
        loop {
            let turn = if self.is_replay() {
                None
            } else {
                Some(self.politeness().turn_at(query.service, at_once, gap).await)
            };
            let exchange = self.transport().exchange(&ask).await;
            if let Some(turn) = turn {
                drop(turn.ended(&exchange));
            }
            requests += u32::from(
                exchange.asked && !matches!(&exchange.result, Err(failure) if failure.kind == FailureKind::Unasked),
            );
            if let (Err(Failure { kind: FailureKind::Unasked, .. }), Some(kept)) = (&exchange.result, kept.take()) {
                return reply(kept, requests, false);
            }
            if let Ok(answer) = &exchange.result
                && (300..400).contains(&answer.status)
                && query.elsewhere
                && ask.hop < REDIRECTS
                && let Some(next) = answer.header("location").and_then(|location| ask.url.join(&location).ok())
            {
                ask = Ask { url: next, hop: ask.hop + 1, attempt: 0, private: None, ..ask };
                continue;
            }
            let rest = match &exchange.result {
                Ok(answer) if asks_for_fewer(answer.status) => {
                    answer.header("retry-after").and_then(|value| retry_after(&value, exchange.at))
                }
                _ => None,
            };
            if let Some(rest) = rest {
                self.politeness().wants_rest(query.service, rest);
                if rest > settings.retry_after_limit {
                    return reply(exchange, requests, true);
                }
                self.politeness().hold(query.service, rest);
            }
            let passes = match &exchange.result {
                Ok(answer) => answer.status >= 500 || answer.status == 429 || answer.end != BodyEnd::Complete,
                Err(failure) => failure.kind.may_pass(),
            };
            if !passes || ask.attempt >= settings.retries {
                return reply(exchange, requests, false);
            }
            if !self.is_replay() {
                tokio::time::sleep(
                    settings.backoff.saturating_mul(1 << ask.attempt.min(6)).max(rest.unwrap_or_default()),
                )
                .await;
            }
            ask.attempt += 1;
            kept = Some(exchange);
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
        Ok(answer) => {
            let body = decode::decode(&answer.body, answer.header("content-encoding").as_deref(), MOST);
            Ok((answer.status, String::from_utf8_lossy(&body.bytes).into_owned()))
        }
        Err(failure) => Err(failure.reason),
    };
    Reply { result, at: exchange.at, requests, closed }
}
