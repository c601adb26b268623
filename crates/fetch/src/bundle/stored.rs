//! One answer as one WARC record, for the cache: the same writing as in a bundle, secrets left out the same way.

use super::super::transport::{Answer, Ask};
use super::record::{RESPONSE, Values, label, response_block};
use super::replay::answer;
use super::warc::{self, Record};

/// The record of an answer, as a gzip member.
pub fn write(ask: &Ask, given: &Answer, at: jiff::Timestamp) -> std::io::Result<Vec<u8>> {
    let mut record = Record::new("response", "00000000-0000-4000-8000-000000000000", at, RESPONSE);
    label(&mut record, ask);
    record.block = response_block(given, &mut Values::default());
    record.to_member()
}

/// The answer of such a record and when it came; `None` when it is damaged.
pub fn read(bytes: &[u8]) -> Option<(Answer, jiff::Timestamp)> {
    let mut found = None;
    warc::read(bytes, |record| {
        let at = record.get("WARC-Date").and_then(|date| date.parse().ok()).ok_or("no date")?;
        found = Some((answer(&record)?, at));
        Ok(())
    })
    .ok()?;
    found
}
