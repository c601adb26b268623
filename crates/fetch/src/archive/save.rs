//! Asking the Wayback Machine to take a copy: Save Page Now 2 (the Internet Archive's "SPN2 Public API Page Docs").

use std::time::Duration;

use serde_json::Value;
use url::Url;

use super::super::looker::Looker;
use super::super::settings::Save;
use super::super::transport::{Ask, Purpose};
use super::{Archive, LONGEST, Rate};
use cited_core::address::stamp::{instant, is_stamp};
use cited_core::outcome::Kept;

/// Captures that may be asked for in a minute with an account, and without one (archives.md).
const A_MINUTE: (usize, usize) = (7, 3);

/// How often a capture is asked for again when what went wrong may pass.
const TRIES: u32 = 3;

/// Questions after the state of a capture before it is given up: five minutes at the usual interval.
const MOST_QUESTIONS: u32 = 60;

/// Errors that may pass (`status_ext`, without `error:`). All others stay as they are: `blocked-url`, `not-found`,
/// `no-access`, ….
const PASSING: &str =
    "user-session-limit celery proxy-error browsing-timeout cannot-fetch too-many-requests service-unavailable";

/// Asks one archive to keep pages.
pub struct Saver {
    save: Save,
    rate: Rate,
}

impl Saver {
    /// A saver with the manners that the service asks for.
    pub fn new(save: Save) -> Self {
        let (with_account, without) = A_MINUTE;
        let rate = Rate::new(if save.credentials.is_some() { with_account } else { without });
        Saver { save, rate }
    }

    /// Sees to it that the archive has a copy of a page: one that is there is enough. Why it has none is told in words.
    pub async fn keep(&self, looker: &Looker, archive: &Archive, page: &Url) -> Result<Kept, String> {
        let copy = |stamp: &str| instant(stamp).map(|taken| archive.copy(stamp, taken, page));
        let stamps = archive.list(looker, page, None).await.map_err(|failure| failure.to_string())?;
        if let Some(newest) = stamps.first() {
            return copy(newest).map(Kept::Had).ok_or_else(|| "its index was not understood".to_owned());
        }
        let mut attempt = 0;
        loop {
            match self.capture(looker, archive, page, attempt).await {
                Ok(stamp) => return copy(&stamp).map(Kept::Taken).ok_or_else(|| "no time of capture".to_owned()),
                Err(failed) if attempt + 1 == TRIES || !PASSING.split(' ').any(|word| failed.contains(word)) => {
                    return Err(failed);
                }
                Err(_) => attempt += 1,
            }
        }
    }

    /// One capture: its time, or why there is none.
    async fn capture(&self, looker: &Looker, archive: &Archive, page: &Url, attempt: u32) -> Result<String, String> {
        let place = archive.endpoint.save().ok_or("it takes no copies")?;
        let form = vec![
            ("url", page.to_string()),
            ("skip_first_archive", "1".to_owned()),
            ("js_behavior_timeout", "0".to_owned()),
        ];
        let ask = Ask { form, ..self.ask(place.clone(), page, attempt * (MOST_QUESTIONS + 1)) };
        self.rate.wait(looker).await;
        let begun = self.answer(looker, ask).await?;
        let job = begun.get("job_id").and_then(Value::as_str).ok_or_else(|| error_of(&begun))?;
        let word = job.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let state = Url::parse(&format!("{place}/status/{job}")).ok().filter(|_| word).ok_or("not understood")?;
        for question in 1..=MOST_QUESTIONS {
            if !looker.is_replay() {
                tokio::time::sleep(self.save.interval.unwrap_or(Duration::from_secs(5))).await;
            }
            let ask = self.ask(state.clone(), page, attempt * (MOST_QUESTIONS + 1) + question);
            let said = self.answer(looker, ask).await?;
            match said.get("status").and_then(Value::as_str) {
                Some("pending") => {}
                Some("success") => {
                    let stamp = said.get("timestamp").and_then(Value::as_str).filter(|stamp| is_stamp(stamp));
                    return stamp.map(str::to_owned).ok_or_else(|| "not understood".to_owned());
                }
                _ => return Err(error_of(&said)),
            }
        }
        Err("took too long".to_owned())
    }

    /// A request with what the service wants to know of us. The number keeps the answers apart in a bundle.
    fn ask(&self, url: Url, page: &Url, number: u32) -> Ask {
        let mut headers = vec![("accept", "application/json".to_owned())];
        if let Some(credentials) = &self.save.credentials {
            headers.push(("authorization", format!("LOW {}", credentials.0)));
        }
        Ask { headers, hop: number, ..Ask::get(url, Purpose::Save, page.as_str()) }
    }

    async fn answer(&self, looker: &Looker, ask: Ask) -> Result<Value, String> {
        let host = ask.url.host_str().unwrap_or_default().to_owned();
        let answer = looker.ask_in(&host, ask).await.result.map_err(|failure| failure.to_string())?;
        if answer.status == 429 {
            let pause = Duration::from_mins(1);
            looker.politeness.rest(&host, pause, pause);
            return Err("too-many-requests".to_owned());
        }
        if answer.status != 200 {
            return Err(format!("HTTP {}", answer.status));
        }
        serde_json::from_str(&answer.text(LONGEST)).map_err(|_| "not understood".to_owned())
    }
}

/// The service's own name for what went wrong.
fn error_of(said: &Value) -> String {
    let text = |name: &str| said.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let name = text("status_ext").or_else(|| text("message")).unwrap_or("not understood");
    let name = name.trim_start_matches("error:");
    name.chars().filter(|c| !c.is_control()).take(120).collect()
}

#[cfg(test)]
mod tests {
    use crate::Credentials;

    #[test]
    fn credentials_are_a_key_and_a_secret() {
        assert!(Credentials::parse("key:secret").is_ok());
        for wrong in ["", "key", ":secret", "key:", "key:se cret", "key:se\ncret"] {
            assert!(Credentials::parse(wrong).is_err(), "{wrong}");
        }
    }
}
