//! WARC/1.1 records, written and read (ISO 28500:2017).
//!
//! The crate `warc` writes one gzip stream for a whole file, which warcio and pywb refuse: they want a member for each record.

use std::io::{self, BufRead, Read, Write};

use data_encoding::BASE32;
use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

/// Bytes of one head: of an answer the client reads 408 KiB at most.
const HEAD_LIMIT: u64 = 512 << 10;

/// Bytes of one record's block. More than any body limit that makes sense.
const BLOCK_LIMIT: u64 = 256 << 20;

/// One record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    /// Header fields in order.
    pub fields: Vec<(String, String)>,
    /// The block.
    pub block: Vec<u8>,
}

impl Record {
    /// A record with its mandatory fields.
    pub fn new(kind: &str, id: &str, date: jiff::Timestamp, media_type: &str) -> Self {
        let mut record = Record::default();
        record.set("WARC-Type", kind);
        record.set("WARC-Record-ID", format!("<urn:uuid:{id}>"));
        record.set("WARC-Date", date.to_string());
        record.set("Content-Type", media_type);
        record
    }

    /// Adds a field. Line ends in a value would forge fields, so they become spaces.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        let value: String = value.into().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.fields.push((name.to_owned(), value));
    }

    /// A field.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The record as one gzip member.
    pub fn to_member(&self) -> io::Result<Vec<u8>> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(b"WARC/1.1\r\n")?;
        for (name, value) in &self.fields {
            write!(encoder, "{name}: {value}\r\n")?;
        }
        write!(encoder, "WARC-Block-Digest: {}\r\n", digest(&self.block))?;
        write!(encoder, "Content-Length: {}\r\n\r\n", self.block.len())?;
        encoder.write_all(&self.block)?;
        encoder.write_all(b"\r\n\r\n")?;
        encoder.finish()
    }
}

/// A digest in the writing of WARC.
pub fn digest(bytes: &[u8]) -> String {
    format!("sha256:{}", BASE32.encode(&Sha256::digest(bytes)))
}

/// Whether a digest in our writing is not that of `bytes`. Other digests say nothing to us.
pub fn contradicts(told: &str, bytes: &[u8]) -> bool {
    let own = digest(bytes);
    told.trim().len() == own.len() && !told.trim().eq_ignore_ascii_case(&own)
}

/// The lines of a head, of a record or of what is in one, up to the empty line that ends it; none where there is nothing more.
///
/// # Errors
/// When it cannot be read, or has no end.
pub fn head(reader: &mut impl BufRead) -> Result<Vec<Vec<u8>>, String> {
    let mut lines = Vec::new();
    for line in reader.take(HEAD_LIMIT).split(b'\n') {
        let line = line.map_err(|error| broken(&error))?.trim_ascii_end().to_vec();
        match (line.is_empty(), lines.is_empty()) {
            // Records are divided by two empty lines; files are found that have more.
            (true, true) => {}
            (true, false) => return Ok(lines),
            (false, _) => lines.push(line),
        }
    }
    if lines.is_empty() { Ok(lines) } else { Err("a head has no end".to_owned()) }
}

/// The fields that some lines are: names and values.
pub fn fields<'l>(lines: impl Iterator<Item = &'l [u8]>) -> impl Iterator<Item = (&'l [u8], &'l [u8])> {
    lines.filter_map(|line| {
        let (name, value) = line.split_at(memchr::memchr(b':', line)?);
        Some((name.trim_ascii(), value[1..].trim_ascii()))
    })
}

fn broken(error: &io::Error) -> String {
    format!("it breaks off or is damaged: {error}")
}

/// Reads all records of a file, compressed by record, as a whole, or not at all.
///
/// # Errors
/// Says what is wrong, in words for a message.
pub fn read(bytes: &[u8], mut each: impl FnMut(Record) -> Result<(), String>) -> Result<(), String> {
    let mut reader: Box<dyn BufRead> = if bytes.starts_with(&[0x1f, 0x8b]) {
        Box::new(io::BufReader::new(MultiGzDecoder::new(bytes)))
    } else if bytes.starts_with(b"WARC/") {
        Box::new(bytes)
    } else {
        return Err("it does not begin as a WARC file".to_owned());
    };
    while let Some(record) = record(&mut reader)? {
        each(record)?;
    }
    Ok(())
}

fn record(reader: &mut impl BufRead) -> Result<Option<Record>, String> {
    let lines = head(reader)?;
    let Some(version) = lines.first() else { return Ok(None) };
    if !version.starts_with(b"WARC/1.") {
        return Err("a record does not begin with WARC/1".to_owned());
    }
    let mut record = Record::default();
    for (name, value) in fields(lines.iter().map(Vec::as_slice)) {
        let [name, value] = [name, value].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        record.fields.push((name, value));
    }
    let length = record.get("Content-Length").ok_or("a record has no Content-Length")?;
    let length = length.parse::<u64>().map_err(|_| "a Content-Length is no number")?;
    if length > BLOCK_LIMIT {
        return Err(format!("a record of {length} bytes is too large"));
    }
    reader.take(length).read_to_end(&mut record.block).map_err(|error| broken(&error))?;
    if record.block.len() as u64 != length {
        return Err("a record breaks off".to_owned());
    }
    let told = record.get("WARC-Block-Digest");
    if told.is_some_and(|told| contradicts(told, &record.block)) {
        return Err("a record is not what its WARC-Block-Digest says".to_owned());
    }
    Ok(Some(record))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(text: &str) -> Record {
        let (id, date) = ("00000000-0000-4000-8000-000000000000", jiff::Timestamp::UNIX_EPOCH);
        let mut record = Record::new("metadata", id, date, "text/plain");
        record.block = text.as_bytes().to_vec();
        record
    }

    fn blocks(bytes: &[u8]) -> Result<Vec<String>, String> {
        let mut blocks = Vec::new();
        read(bytes, |record| {
            blocks.push(String::from_utf8_lossy(&record.block).into_owned());
            Ok(())
        })?;
        Ok(blocks)
    }

    #[test]
    fn members_are_read_back() {
        let mut file = sample("one").to_member().unwrap();
        file.extend(sample("two\r\n\r\nWARC/1.1\r\n").to_member().unwrap());
        assert_eq!(blocks(&file).unwrap(), ["one", "two\r\n\r\nWARC/1.1\r\n"]);
    }

    #[test]
    fn damage_is_told() {
        let good = sample("one").to_member().unwrap();
        let check = |bytes: &[u8], words: &str| {
            let reason = blocks(bytes).unwrap_err();
            assert!(reason.contains(words), "{reason}");
        };
        check(b"hello", "does not begin");
        check(&good[..good.len() / 2], "breaks off");
        check(b"WARC/1.1\r\nWARC-Type: x\r\n", "no end");
        check(b"WARC/1.1\r\nWARC-Type: x\r\n\r\n", "Content-Length");
        check(b"WARC/1.1\r\nContent-Length: 99\r\n\r\nshort", "breaks off");
        check(b"WARC/1.1\r\nContent-Length: 99999999999999\r\n\r\nshort", "too large");
        let changed = |from: &str, to: &str| {
            let mut text = String::new();
            io::Read::read_to_string(&mut MultiGzDecoder::new(good.as_slice()), &mut text).unwrap();
            assert!(text.contains(from));
            text.replace(from, to).into_bytes()
        };
        check(&changed("\r\n\r\none", "\r\n\r\ntwo"), "is not what its WARC-Block-Digest says");
        let other = digest(b"two");
        check(&changed(&digest(b"one"), &other), "is not what its WARC-Block-Digest says");
        let mut damaged = good.clone();
        damaged.extend(b"garbage");
        check(&damaged, "damaged");
    }

    #[test]
    fn only_digests_that_we_know_are_compared() {
        let check = |told: &str, expected: bool| assert_eq!(contradicts(told, b"one"), expected, "{told}");
        let own = digest(b"one");
        check(&own, false);
        check(&own.to_lowercase(), false);
        check(own.trim_end_matches('='), false);
        check("sha256:7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed", false);
        check(&digest(b"two"), true);
        check("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", false);
        check("sha256:short", false);
        check("nothing", false);
    }

    #[test]
    fn a_value_cannot_forge_a_field() {
        let mut record = sample("x");
        record.set("Cited-Origin", "a\r\nWARC-Type: response");
        assert_eq!(record.get("Cited-Origin"), Some("a  WARC-Type: response"));
    }
}
