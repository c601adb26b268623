//! Answers that are copies.

use jiff::Timestamp;

use super::super::transport::Answer;

/// When a memento was taken; `None` for an answer that is none (RFC 7089, section 2.1.1).
pub(super) fn memento(answer: &Answer) -> Option<Timestamp> {
    let time = httpdate::parse_http_date(&answer.header("memento-datetime")?).ok()?;
    Timestamp::try_from(time).ok()
}
