//! Answering from a bundle in place of the network.

use std::collections::HashMap;
use std::path::Path;

use bytes::Bytes;
use http::header::HeaderMap;
use http::header::{HeaderName, HeaderValue};

use super::super::transport::{Answer, Ask, BodyEnd, Exchange, Failure, FailureKind, Purpose};
use super::field;
use super::warc::{self, Record};
use cited_core::error::{Error, Result as Done};

/// What tells exchanges apart: the same address is asked for several purposes, for several sources, on several ways, and repeatedly.
type Key = (String, Purpose, String, u32, u32);

/// A bundle that answers.
#[derive(Default)]
pub struct Replay {
    exact: HashMap<Key, Exchange>,
    by_address: HashMap<(String, Purpose), Key>,
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
        let at: jiff::Timestamp =
            record.get("WARC-Date").and_then(|date| date.parse().ok()).ok_or("a record has no date")?;
        let kind = record.get("WARC-Type").unwrap_or_default().to_owned();
        if kind == "warcinfo" {
            self.begun = Some(at);
            self.seed = value_in(&record.block, field::SEED).and_then(|seed| seed.parse().ok());
            return Ok(());
        }
        let is_http = || record.get("Content-Type").is_some_and(|kind| kind.starts_with("application/http"));
        let result = match kind.as_str() {
            "response" if is_http() => Ok(answer(record)?),
            "metadata" => {
                let Some(name) = value_in(&record.block, field::FAILURE) else { return Ok(()) };
                let Ok(kind) = name.parse::<FailureKind>() else { return Ok(()) };
                let reason = value_in(&record.block, field::REASON);
                Err(reason.map_or_else(|| Failure::from_kind(kind), |reason| Failure::new(kind, reason)))
            }
            _ => return Ok(()),
        };
        let url = record.get("WARC-Target-URI").ok_or("a response has no target")?.trim_matches(['<', '>']).to_owned();
        let number = |name: &str| record.get(name).and_then(|value| value.parse().ok()).unwrap_or(0);
        let purpose = record.get(field::PURPOSE).and_then(|name| name.parse().ok()).unwrap_or(Purpose::Page);
        let (origin, attempt) = (record.get(field::ORIGIN).unwrap_or_default(), number(field::ATTEMPT));
        let key = (url.clone(), purpose, origin.to_owned(), number(field::HOP), attempt);
        if attempt == 0 {
            self.by_address.entry((url, purpose)).or_insert_with(|| key.clone());
        }
        self.exact.entry(key).or_insert(Exchange::new(result, at));
        Ok(())
    }

    /// What the bundle has of a request.
    pub fn find(&self, ask: &Ask) -> Exchange {
        let key = (ask.url.to_string(), ask.purpose, ask.origin.clone(), ask.hop, ask.attempt);
        if let Some(exchange) = self.exact.get(&key) {
            return exchange.clone();
        }
        let missing =
            Exchange::new(Err(Failure::new(FailureKind::Unasked, "not in the bundle")), self.begun.unwrap_or_default());
        if ask.attempt > 0 {
            return missing;
        }
        // Another source asked for the same address, or another tool wrote the file. A second look that was not
        // recorded sees what the first one saw.
        let purposes: &[Purpose] = match ask.purpose {
            Purpose::SecondLook => &[Purpose::SecondLook, Purpose::Page],
            Purpose::Archive => &[Purpose::Archive, Purpose::Page],
            Purpose::Page | Purpose::File => &[Purpose::Page, Purpose::File],
            // Each source has its own answer to being saved.
            Purpose::Save => &[],
            ref other => std::slice::from_ref(other),
        };
        purposes
            .iter()
            .find_map(|purpose| self.by_address.get(&(key.0.clone(), *purpose)))
            .and_then(|key| self.exact.get(key))
            .cloned()
            .unwrap_or(missing)
    }
}

/// A field of a block of `application/warc-fields`.
fn value_in(block: &[u8], name: &str) -> Option<String> {
    let text = String::from_utf8_lossy(block);
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
    })
}

/// The answer of a record that stands alone and when it came; `None` when it is damaged.
pub fn read_answer(bytes: &[u8]) -> Option<(Answer, jiff::Timestamp)> {
    let mut found = None;
    let each = |record: Record| {
        let at = record.get("WARC-Date").and_then(|date| date.parse().ok()).ok_or("no date")?;
        found = Some((answer(&record)?, at));
        Ok(())
    };
    warc::read(bytes, each).ok()?;
    found
}

fn answer(record: &Record) -> Result<Answer, String> {
    let wrong = || "a response record holds no HTTP answer".to_owned();
    let (head, skip) = match memchr::memmem::find(&record.block, b"\r\n\r\n") {
        Some(at) => (record.block.get(..at).unwrap_or_default(), at + 4),
        None => return Err(wrong()),
    };
    let mut lines = head.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let first = String::from_utf8_lossy(lines.next().unwrap_or_default()).into_owned();
    let mut words = first.split_whitespace();
    let http = words.next().is_some_and(|word| word.starts_with("HTTP/"));
    let status = words.next().and_then(|word| word.parse::<u16>().ok()).filter(|_| http).ok_or_else(wrong)?;
    let mut headers = HeaderMap::new();
    for line in lines {
        let Some(colon) = memchr::memchr(b':', line) else { continue };
        let name = HeaderName::from_bytes(line.get(..colon).unwrap_or_default().trim_ascii());
        let value = HeaderValue::from_bytes(line.get(colon + 1..).unwrap_or_default().trim_ascii());
        if let (Ok(name), Ok(value)) = (name, value) {
            headers.append(name, value);
        }
    }
    let body = Bytes::copy_from_slice(record.block.get(skip..).unwrap_or_default());
    let cut = record.get("WARC-Truncated");
    let end = cut.map_or(BodyEnd::Complete, |why| why.parse().unwrap_or(BodyEnd::Broken));
    Ok(Answer { status, headers, body, end })
}
