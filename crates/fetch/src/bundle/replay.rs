//! Answering from a bundle in place of the network.

use std::collections::HashMap;
use std::path::Path;

use bytes::Bytes;
use http::header::{HeaderMap, HeaderName, HeaderValue};

use super::super::transport::{Answer, Ask, BodyEnd, Exchange, Failure, Purpose};
use super::field;
use super::warc::{self, Record};
use cited_core::error::{Error, Result as Done};
use cited_core::rule::Rule;

/// The source on whose behalf something was asked, on which hop, in which attempt, and what came.
type Kept = (String, u32, u32, Exchange);

/// A bundle that answers.
#[derive(Default)]
pub struct Replay {
    /// Exchanges by address and purpose.
    exchanges: HashMap<(String, Purpose), Vec<Kept>>,
    /// The seed that the recording run had.
    pub seed: Option<u64>,
    /// When the run began that the bundle is of; `None` for a bundle that does not say so.
    pub begun: Option<jiff::Timestamp>,
}

impl Replay {
    /// Reads a bundle. WARC files of other makers are read too, where answers are kept as they are: they answer any first request.
    ///
    /// # Errors
    /// When the file cannot be read or is no usable bundle.
    pub fn open(path: &Path) -> Done<Self> {
        let bytes = std::fs::read(path).map_err(|error| Error::read(path, error))?;
        let mut replay = Replay::default();
        if bytes.is_empty() {
            return Err(Error::bundle(path, "it is empty"));
        }
        warc::read(&bytes, |record| replay.take(&record)).map_err(|reason| Error::bundle(path, reason))?;
        Ok(replay)
    }

    fn take(&mut self, record: &Record) -> Result<(), String> {
        let at = taken_at(record)?;
        let said = |name: &str| {
            let mut fields = warc::fields(record.block.split(|byte| *byte == b'\n'));
            let (_, value) = fields.find(|(key, _)| key.eq_ignore_ascii_case(name.as_bytes()))?;
            Some(String::from_utf8_lossy(value).into_owned())
        };
        let is_http = || record.get("Content-Type").is_some_and(|kind| kind.starts_with("application/http"));
        let result = match record.get("WARC-Type").unwrap_or_default() {
            "warcinfo" => {
                self.begun = Some(at);
                self.seed = said(field::SEED).and_then(|seed| seed.parse().ok());
                return Ok(());
            }
            "response" if is_http() => Ok(answer(record)?),
            "metadata" => {
                let rule = said(field::FAILURE).and_then(|name| match name.as_str() {
                    field::OURS => Some(None),
                    name => name.parse::<Rule>().ok().map(Some),
                });
                let Some(rule) = rule else { return Ok(()) };
                Err(Failure { rule, reason: said(field::REASON).unwrap_or_default() })
            }
            _ => return Ok(()),
        };
        let url = record.get("WARC-Target-URI").ok_or("a response has no target")?.trim_matches(['<', '>']).to_owned();
        let number = |name: &str| record.get(name).and_then(|value| value.parse().ok()).unwrap_or(0);
        let purpose = record.get(field::PURPOSE).and_then(|name| name.parse().ok()).unwrap_or(Purpose::Page);
        let origin = record.get(field::ORIGIN).unwrap_or_default().to_owned();
        let exchange = (origin, number(field::HOP), number(field::ATTEMPT), Exchange::new(result, at));
        self.exchanges.entry((url, purpose)).or_default().push(exchange);
        Ok(())
    }

    /// What the bundle has of a request.
    pub fn find(&self, ask: &Ask) -> Exchange {
        let known = |purpose| self.exchanges.get(&(ask.url.to_string(), purpose)).into_iter().flatten();
        let is_it = |(origin, hop, attempt, _): &&(String, u32, u32, Exchange)| {
            *origin == ask.origin && *hop == ask.hop && *attempt == ask.attempt
        };
        // Another source asked for the same address, or another tool wrote the file. A second look that was not
        // recorded sees what the first one saw.
        let purposes: &[Purpose] = match ask.purpose {
            // Each source has its own answer to being saved.
            _ if ask.attempt > 0 || ask.purpose == Purpose::Save => &[],
            Purpose::SecondLook => &[Purpose::SecondLook, Purpose::Page],
            Purpose::Archive => &[Purpose::Archive, Purpose::Page],
            Purpose::Page | Purpose::File => &[Purpose::Page, Purpose::File],
            ref other => std::slice::from_ref(other),
        };
        let first = || purposes.iter().find_map(|purpose| known(*purpose).find(|(.., attempt, _)| *attempt == 0));
        let missing = || Err(Failure::new(Rule::Unasked, "not in the bundle"));
        known(ask.purpose)
            .find(is_it)
            .or_else(first)
            .map_or_else(|| Exchange::new(missing(), self.begun.unwrap_or_default()), |(.., exchange)| exchange.clone())
    }
}

fn taken_at(record: &Record) -> Result<jiff::Timestamp, String> {
    Ok(record.get("WARC-Date").and_then(|date| date.parse().ok()).ok_or("a record has no date")?)
}

/// The answer of a record that stands alone and when it came; `None` when it is damaged.
pub fn read_answer(bytes: &[u8]) -> Option<(Answer, jiff::Timestamp)> {
    let mut found = None;
    let each = |record: Record| {
        found = Some((answer(&record)?, taken_at(&record)?));
        Ok(())
    };
    warc::read(bytes, each).ok()?;
    found
}

fn answer(record: &Record) -> Result<Answer, String> {
    let mut body = record.block.as_slice();
    let lines = warc::head(&mut body)?;
    let first = lines.first().map(|line| String::from_utf8_lossy(line)).filter(|line| line.starts_with("HTTP/"));
    let status = first.and_then(|line| line.split_whitespace().nth(1)?.parse().ok());
    let status = status.ok_or("a response record holds no HTTP answer")?;
    let headers = warc::fields(lines.iter().map(Vec::as_slice))
        .filter_map(|(name, value)| Some((HeaderName::from_bytes(name).ok()?, HeaderValue::from_bytes(value).ok()?)))
        .collect::<HeaderMap>();
    let body = Bytes::copy_from_slice(body);
    let cut = record.get("WARC-Truncated");
    let end = cut.map_or(BodyEnd::Complete, |why| why.parse().unwrap_or(BodyEnd::Broken));
    Ok(Answer { status, headers, body, end })
}
