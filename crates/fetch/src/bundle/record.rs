//! Writing a bundle while the network is asked.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use data_encoding::HEXLOWER;
use http::StatusCode;
use http::header::HeaderValue;
use sha2::{Digest, Sha256};
use url::Position;

use super::super::settings::Clock;
use super::super::transport::{Answer, Ask, BodyEnd, Exchange, cookie_of, form_body};
use super::field;
use super::warc::{Record, digest};
use crate::leftovers::{self, Leftover, Noted, remove_left_over};
use cited_core::error::{Error, Result};
use cited_core::rule::Rule;

/// Headers whose values never reach a bundle.
const SECRET: [&str; 6] =
    ["authorization", "cookie", "set-cookie", "proxy-authorization", "x-api-key", "crossref-plus-api-token"];

/// What records hold.
const RESPONSE: &str = "application/http; msgtype=response";
const FIELDS: &str = "application/warc-fields";

/// What stands in their place.
const REDACTED: &str = "redacted";

/// Keeps what comes in a bundle.
pub struct Recorder {
    user_agent: String,
    /// When the run began.
    pub begun: jiff::Timestamp,
    writer: Mutex<Writer>,
}

struct Writer {
    path: PathBuf,
    /// Where it stands until it is whole; `None` for a device or pipe, which is written into as it is.
    part: Option<(PathBuf, Noted)>,
    /// `None` when it is finished.
    file: Option<std::io::Result<BufWriter<File>>>,
    count: u64,
    seed: u64,
    clock: Clock,
    cookies: Values,
}

/// Values of cookies as a bundle tells them apart: by the order in which they came, from 1.
type Values = HashMap<String, usize>;

impl Recorder {
    /// Records to `path`. Until [`finish`](Recorder::finish) the file stands beside it, with `.part` added: what was there
    /// before stays until the new one is whole. What a recording that was killed left beside it is removed. A device or pipe
    /// is written into and never replaced.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn new(path: &Path, user_agent: &str, seed: u64, clock: &Clock) -> Result<Self> {
        // A link stays a link: what it leads to is written.
        let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let special = place.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
        let made = if special {
            File::options().write(true).open(&place).map(|file| (None, file))
        } else {
            let mut name = place.file_name().unwrap_or_default().to_owned();
            if let (Some(name), Some(folder)) = (name.to_str(), place.parent()) {
                remove_left_over(folder, |part| {
                    part.strip_prefix(name)?.strip_prefix('.')?.strip_suffix(".part")?.parse().ok()
                });
            }
            name.push(format!(".{}.part", std::process::id()));
            let part = place.with_file_name(name);
            let made = leftovers::noted(|| Ok((File::create(&part)?, Leftover::File(part.clone()))));
            made.map(|(file, noted)| (Some((part, noted)), file))
        };
        let (part, file) = made.map_err(|error| Error::write(path, error))?;
        let mut writer = Writer {
            path: place,
            part,
            file: Some(Ok(BufWriter::new(file))),
            count: 0,
            seed,
            clock: clock.clone(),
            cookies: Values::default(),
        };
        let begun = clock();
        let mut info = writer.record("warcinfo", begun, FIELDS);
        info.block = format!(
            "software: cited/{}\r\nformat: WARC File Format 1.1\r\nconformsTo: \
             https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n{}: {seed}\r\n",
            env!("CARGO_PKG_VERSION"),
            field::SEED,
        )
        .into_bytes();
        writer.write(&info);
        Ok(Recorder { user_agent: user_agent.to_owned(), begun, writer: Mutex::new(writer) })
    }

    /// Keeps an exchange.
    pub fn keep(&self, ask: &Ask, exchange: &Exchange) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        match &exchange.result {
            Ok(answer) => {
                let mut response = labelled(writer.record("response", exchange.at, RESPONSE), ask);
                response.set("WARC-Payload-Digest", digest(&answer.body));
                if answer.end != BodyEnd::Complete {
                    response.set("WARC-Truncated", <&str>::from(answer.end));
                }
                response.block = response_block(answer, &mut writer.cookies);
                let request = writer.record("request", exchange.at, "application/http; msgtype=request");
                let mut request = labelled(request, ask);
                request.set("WARC-Concurrent-To", response.get("WARC-Record-ID").unwrap_or_default());
                let path = &ask.url[Position::BeforePath..Position::AfterQuery];
                let host = &ask.url[Position::BeforeHost..Position::AfterPort];
                let method = if ask.form.is_empty() { "GET" } else { "POST" };
                let agent = &self.user_agent;
                let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: {agent}\r\n");
                for (name, value) in &ask.headers {
                    let value = if SECRET.contains(name) { REDACTED } else { value };
                    let _ = write!(head, "{name}: {value}\r\n");
                }
                request.block = (head + "\r\n" + &form_body(&ask.form)).into_bytes();
                writer.write(&response);
                writer.write(&request);
            }
            Err(failure) => {
                let mut record = labelled(writer.record("metadata", exchange.at, FIELDS), ask);
                let reason: String = failure.reason.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
                let rule = failure.rule.map_or(field::OURS, Rule::as_str);
                record.block = format!("{}: {rule}\r\n{}: {reason}\r\n", field::FAILURE, field::REASON).into_bytes();
                writer.write(&record);
            }
        }
    }

    /// Keeps something beside the pages: passages, decisions.
    pub fn note(&self, target: &str, media_type: &str, text: &str) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let at = (writer.clock)();
        let mut record = writer.record("metadata", at, media_type);
        record.set("WARC-Target-URI", target);
        record.block = text.as_bytes().to_vec();
        writer.write(&record);
    }

    /// Completes the recording.
    ///
    /// # Errors
    /// When anything could not be written; what stood at the path before is still there then.
    pub fn finish(&self) -> Result<()> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = writer.file.take() else { return Ok(()) };
        let part = writer.part.take();
        let file = file.and_then(|file| file.into_inner().map_err(std::io::IntoInnerError::into_error));
        // A device or pipe has everything already.
        let place = |file: File| match &part {
            Some((part, _)) => {
                file.sync_all().and_then(|()| leftovers::place_files(|| std::fs::rename(part, &writer.path)))
            }
            None => Ok(()),
        };
        file.and_then(place).map_err(|error| Error::write(&writer.path, error))
    }
}

impl Writer {
    fn record(&mut self, kind: &str, at: jiff::Timestamp, media_type: &str) -> Record {
        self.count += 1;
        let hash = Sha256::digest(format!("{} {} {kind} {at}", self.seed, self.count).as_bytes());
        let hex = HEXLOWER.encode(hash.get(..16).unwrap_or_default());
        let part = |from: usize, to: usize| hex.get(from..to).unwrap_or("0000");
        let id = format!("{}-{}-4{}-8{}-{}", part(0, 8), part(8, 12), part(13, 16), part(17, 20), part(20, 32));
        Record::new(kind, &id, at, media_type)
    }

    fn write(&mut self, record: &Record) {
        if let Some(Ok(file)) = &mut self.file
            && let Err(error) = record.to_member().and_then(|member| file.write_all(&member))
        {
            self.file = Some(Err(error));
        }
    }
}

fn labelled(mut record: Record, ask: &Ask) -> Record {
    record.set("WARC-Target-URI", ask.url.as_str());
    record.set(field::PURPOSE, <&str>::from(ask.purpose));
    if !ask.origin.is_empty() {
        record.set(field::ORIGIN, ask.origin.as_str());
    }
    record.set(field::HOP, ask.hop.to_string());
    record.set(field::ATTEMPT, ask.attempt.to_string());
    record
}

/// One answer as a record, for the cache: the same writing as in a bundle, secrets left out the same way.
pub fn write_answer(ask: &Ask, answer: &Answer, at: jiff::Timestamp) -> std::io::Result<Vec<u8>> {
    let mut record = labelled(Record::new("response", "00000000-0000-4000-8000-000000000000", at, RESPONSE), ask);
    record.block = response_block(answer, &mut Values::default());
    record.to_member()
}

fn response_block(answer: &Answer, cookies: &mut Values) -> Vec<u8> {
    let words = StatusCode::from_u16(answer.status).ok().and_then(|status| status.canonical_reason());
    let mut block = format!("HTTP/1.1 {} {}\r\n", answer.status, words.unwrap_or("Unknown")).into_bytes();
    for (name, value) in &answer.headers {
        // The body stands here without transfer coding, so its length is another.
        if matches!(name.as_str(), "transfer-encoding" | "content-length" | "connection" | "trailer") {
            continue;
        }
        block.extend_from_slice(name.as_str().as_bytes());
        block.extend_from_slice(b": ");
        if SECRET.contains(&name.as_str()) {
            block.extend_from_slice(redacted(value, cookies).as_bytes());
        } else {
            block.extend_from_slice(value.as_bytes());
        }
        block.extend_from_slice(b"\r\n");
    }
    block.extend_from_slice(format!("content-length: {}\r\n\r\n", answer.body.len()).as_bytes());
    block.extend_from_slice(&answer.body);
    block
}

/// A cookie keeps its name, and whether its value is the one it had before, so that a replay goes the same way: a site that
/// gives another cookie with each redirect to itself sends nobody round in a circle. The value goes.
fn redacted(value: &HeaderValue, cookies: &mut Values) -> String {
    let Some((name, value)) = cookie_of(value) else { return REDACTED.to_owned() };
    let next = cookies.len() + 1;
    format!("{name}={REDACTED}-{}", cookies.entry(format!("{name}={value}")).or_insert(next))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_link_stays_a_link_and_a_pipe_is_written_into() {
        let root = tempfile::tempdir().unwrap();
        let (real, link, pipe) = (root.path().join("real.gz"), root.path().join("link.gz"), root.path().join("pipe"));
        std::fs::write(&real, "").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let clock: Clock = std::sync::Arc::new(|| jiff::Timestamp::UNIX_EPOCH);
        let record = |path: &Path| Recorder::new(path, "test", 1, &clock).unwrap().finish().unwrap();
        record(&link);
        assert!(link.is_symlink());
        let written = std::fs::read(&real).unwrap();
        assert!(written.starts_with(&[0x1f, 0x8b]));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read(pipe).unwrap()
        });
        record(&pipe);
        assert_eq!(reader.join().unwrap(), written);
        assert!(!pipe.metadata().unwrap().is_file());
        assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 3);
    }
}
