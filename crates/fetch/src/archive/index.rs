//! What captures an archive has: CDX, `TimeGate`.

use jiff::Timestamp;
use serde_json::Value;
use url::Url;

use super::super::looker::Looker;
use super::super::transport::{Failure, FailureKind};
use super::{Archive, CANDIDATES, memento};
use crate::endpoint::Dialect;
use cited_core::address::stamp::{digits, http_noon, instant, is_stamp, noon, stamp_in};

/// Bytes of an answer that are read.
pub(super) const LONGEST: usize = 4 << 20;

/// The status of a revisit in an index: it has none of its own.
const REVISIT: &str = "-";

/// An address as archives know it: they take pages, and a fragment is a place in one.
pub(super) fn asked_for(address: &Url) -> Url {
    let mut address = address.clone();
    address.set_fragment(None);
    address
}

impl Archive {
    /// Asks the index for captures, each in fourteen digits, the best first. Where it has none with a text of their own, revisits are asked for: they say that the
    /// page was as before, and are played as what it was. They are not asked for at first, because an error page that did not change, either,
    /// is listed in the same way.
    pub(super) async fn list(
        &self,
        looker: &Looker,
        address: &Url,
        near: Option<jiff::civil::Date>,
    ) -> Result<Vec<String>, Failure> {
        let stamps = self.list_of(looker, address, near, "200").await?;
        if !stamps.is_empty() {
            return Ok(stamps);
        }
        match self.list_of(looker, address, near, REVISIT).await {
            // A bundle of an earlier version has no such answer.
            Err(failure) if failure.kind == FailureKind::Unasked => Ok(stamps),
            listed => listed,
        }
    }

    async fn list_of(
        &self,
        looker: &Looker,
        address: &Url,
        near: Option<jiff::civil::Date>,
        status: &str,
    ) -> Result<Vec<String>, Failure> {
        let mut url = Url::parse(&self.endpoint.cdx).map_err(|_| no_list("no index"))?;
        {
            let mut query = url.query_pairs_mut();
            query.append_pair("url", asked_for(address).as_str()).append_pair("output", "json");
            match self.endpoint.dialect {
                Dialect::Wayback => query
                    .append_pair("fl", "timestamp,original,mimetype,statuscode,digest,length")
                    .append_pair("filter", &format!("statuscode:{status}")),
                Dialect::Pywb => query.append_pair("filter", &format!("=status:{status}")),
            };
            match (near, self.endpoint.dialect) {
                (Some(date), _) => {
                    query.append_pair("closest", &noon(date)).append_pair("sort", "closest").append_pair("limit", "5");
                }
                (None, Dialect::Wayback) => {
                    query.append_pair("limit", "-5");
                }
                (None, Dialect::Pywb) => {
                    query.append_pair("sort", "reverse").append_pair("limit", "5");
                }
            }
        }
        let answer = self.get(looker, url, address, &self.cdx, Vec::new()).await?;
        let refusal = answer.header("x-archive-wayback-runtime-error").unwrap_or_default();
        if refusal.contains("AdministrativeAccessControl") || refusal.contains("RobotAccessControl") {
            return Err(Failure::new(FailureKind::Refused, "excluded there"));
        }
        if answer.status != 200 {
            return Err(no_list(&format!("HTTP {}", answer.status)));
        }
        let listed = stamps(&answer.text(LONGEST));
        let mut stamps = listed.ok_or_else(|| no_list("its index was not understood"))?;
        order(&mut stamps, near);
        stamps.truncate(CANDIDATES);
        Ok(stamps)
    }

    /// Asks the `TimeGate`, where there is no index.
    pub(super) async fn gate(
        &self,
        looker: &Looker,
        address: &Url,
        near: Option<jiff::civil::Date>,
    ) -> Result<Vec<String>, Failure> {
        let url = format!("{}{}", self.endpoint.replay, asked_for(address));
        let url = Url::parse(&url).map_err(|_| no_list("no index"))?;
        let headers = match near.map(http_noon) {
            Some(date) => vec![("accept-datetime", date)],
            None => Vec::new(),
        };
        let answer = self.get(looker, url, address, &self.replay, headers).await?;
        let target = answer.header("location").or_else(|| answer.header("content-location"));
        let stamp = target.as_deref().and_then(stamp_in).or_else(|| memento(&answer).map(digits));
        match (answer.status, stamp) {
            (200 | 301 | 302 | 303 | 307 | 308, Some(stamp)) => Ok(vec![stamp]),
            (404, _) => Ok(Vec::new()),
            (status, _) => Err(no_list(&format!("HTTP {status}"))),
        }
    }
}

/// That an index did not answer as one.
fn no_list(why: &str) -> Failure {
    Failure::new(FailureKind::Malformed, why)
}

/// Timestamps of a CDX answer: rows of arrays below a header (Wayback), or an object a line (pywb); `None` when it is neither.
pub fn stamps(text: &str) -> Option<Vec<String>> {
    if let Ok(Value::Array(rows)) = serde_json::from_str::<Value>(text) {
        return Some(from_rows(&rows));
    }
    let mut stamps = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let fields: Value = serde_json::from_str(line).ok()?;
        stamps.extend(fields.get("timestamp").and_then(Value::as_str).filter(|s| is_stamp(s)).map(str::to_owned));
    }
    Some(stamps)
}

fn from_rows(rows: &[Value]) -> Vec<String> {
    let cells = |row: &Value, at: usize| row.get(at).and_then(Value::as_str).map(str::to_owned);
    let head = rows.first().and_then(Value::as_array);
    let column = |name: &str| head?.iter().position(|cell| cell == name);
    let (at, status) = (column("timestamp"), column("statuscode"));
    // Filters may be ignored by a server that does not know them; a revisit has `-` for its status.
    let is_wanted = |status: String| matches!(status.as_str(), "200" | "-" | "");
    let wanted = rows.iter().filter(|row| status.and_then(|at| cells(row, at)).is_none_or(is_wanted));
    wanted.filter_map(|row| cells(row, at?).filter(|cell| is_stamp(cell))).collect()
}

/// Nearest first, of two as near the earlier; without a date the latest first.
pub fn order(stamps: &mut Vec<String>, near: Option<jiff::civil::Date>) {
    stamps.sort();
    stamps.dedup();
    match near.and_then(|date| instant(&noon(date))) {
        Some(date) => stamps.sort_by_key(|stamp| {
            let second = instant(stamp).map_or(i64::MAX / 2, Timestamp::as_second);
            ((second - date.as_second()).abs(), second > date.as_second())
        }),
        None => stamps.reverse(),
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::{order, stamps};

    #[test]
    fn every_index_dialect_is_read() {
        let check = |text: &str, expected: Option<&[&str]>| {
            let found = stamps(text);
            assert_eq!(
                found.as_deref().map(|s| s.iter().map(String::as_str).collect::<Vec<_>>()).as_deref(),
                expected,
                "{text}"
            );
        };
        check("", Some(&[]));
        check("[]", Some(&[]));
        check(r#"[["timestamp","original"],["20230105000000","https://a/"]]"#, Some(&["20230105000000"]));
        check(
            r#"[["urlkey","timestamp","original","mimetype","statuscode"],["k","20230105000000","u","text/html","404"],
               ["k","20240105000000","u","warc/revisit","-"],[],["key"]]"#,
            Some(&["20240105000000"]),
        );
        check(r#"[["k","20230105000000","https://a/"]]"#, Some(&[]));
        check(
            "{\"urlkey\":\"k\",\"timestamp\":\"20230105000000\",\"status\":\"200\"}\n{\"timestamp\":\"20240105000000\"}\n",
            Some(&["20230105000000", "20240105000000"]),
        );
        check("com,example)/ 20230105000000 http://example.com/ text/html 200 D 12", None);
        check("<html>Not found</html>", None);
    }

    #[test]
    fn the_nearest_copy_comes_first() {
        let all = ["20200101000000", "20230105000000", "20220105000000", "20240101000000"];
        let check = |near, expected: [&str; 4]| {
            let mut stamps: Vec<String> = all.iter().map(|&s| s.to_owned()).collect();
            order(&mut stamps, near);
            assert_eq!(stamps, expected);
        };
        check(None, ["20240101000000", "20230105000000", "20220105000000", "20200101000000"]);
        check(Some(date(2022, 3, 1)), ["20220105000000", "20230105000000", "20240101000000", "20200101000000"]);
    }
}
