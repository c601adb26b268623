//! News for an address of the user's: one signed POST, tried again while its server is not ready.
//!
//! The address guard holds as for sources: an address of an intranet needs `--allow-net`. Redirects are not followed. What an address
//! says beside its host may be a secret, so errors name the host alone; the key of the signature is nowhere.

use std::sync::Arc;
use std::time::Duration;

use data_encoding::HEXLOWER;
use http::header::{CONTENT_TYPE, HOST, RETRY_AFTER, USER_AGENT};
use ring::hmac;
use tokio::time::{sleep, timeout};
use url::Url;

use super::clients::Clients;
use super::guard::Guard;
use super::page::sha256_hex;
use super::settings::Settings;
use crate::error::Result;

/// The header that holds `sha256=` and the HMAC-SHA256 (RFC 2104) of the body in hexadecimal, by the key that both sides know.
pub const SIGNATURE: &str = "x-cited-signature-256";
/// The header that names a delivery: the same in every try, so that a receiver takes it once.
pub const DELIVERY: &str = "x-cited-delivery";
/// Tries after the first.
const RETRIES: u32 = 4;
/// The longest pause between two tries.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Sends news.
pub struct Webhook {
    clients: Clients,
    user_agent: String,
    backoff: Duration,
    timeout: Duration,
    offline: bool,
}

/// Why a try failed.
struct Failed {
    why: String,
    /// Whether another try may do better, and what the server asks to wait.
    again: Option<Duration>,
}

impl Webhook {
    /// By the settings that sources are asked by.
    ///
    /// # Errors
    /// When the settings cannot be used: a certificate that is none.
    pub fn new(settings: &Settings) -> Result<Webhook> {
        let guard = Guard::new(settings.allow_net.clone(), settings.allow_ports.clone(), settings.connect_to.clone());
        Ok(Webhook {
            clients: Clients::new(Arc::new(guard), settings)?,
            user_agent: settings.user_agent.clone(),
            backoff: settings.backoff.max(Duration::from_millis(1)),
            timeout: settings.first_byte_timeout,
            offline: settings.offline,
        })
    }

    /// Sends JSON to `address`, signed when there is a `key`.
    ///
    /// # Errors
    /// In words for the user, without the address: it is refused, nobody answers, or the answer is no 2xx.
    pub async fn send(&self, address: &Url, body: &[u8], key: Option<&str>) -> std::result::Result<(), String> {
        if self.offline {
            return Err("nobody is asked with --offline".to_owned());
        }
        let mut pause = self.backoff;
        let mut tries = 0;
        loop {
            let failed = match self.once(address, body, key).await {
                Ok(()) => return Ok(()),
                Err(failed) => failed,
            };
            tries += 1;
            match failed.again.filter(|_| tries <= RETRIES) {
                Some(asked) => sleep(asked.max(pause).min(LONGEST_PAUSE)).await,
                None if tries > 1 => return Err(format!("{}, {tries} times", failed.why)),
                None => return Err(failed.why),
            }
            pause *= 2;
        }
    }

    async fn once(&self, address: &Url, body: &[u8], key: Option<&str>) -> std::result::Result<(), Failed> {
        let lasting = |why: String| Failed { why, again: None };
        let passing = |why: &str, pause| Failed { why: why.to_owned(), again: Some(pause) };
        // What the guard says of an address names no more than scheme, port and host.
        let ready = self.clients.ready(address, false).await.map_err(|failure| lasting(failure.reason))?;
        let mut request = ready
            .client
            .post(ready.url)
            .header(USER_AGENT, &self.user_agent)
            .header(CONTENT_TYPE, "application/json")
            .header(DELIVERY, &sha256_hex(body)[..32])
            .body(body.to_vec());
        if let Some(host) = ready.host {
            request = request.header(HOST, host);
        }
        if let Some(key) = key {
            request = request.header(SIGNATURE, signature(key, body));
        }
        let answer = match timeout(self.timeout, request.send()).await {
            Err(_) => return Err(passing("no answer in time", Duration::ZERO)),
            Ok(Err(error)) if refused(&error) => {
                return Err(lasting("refused: the address is not public; --allow-net opens it".to_owned()));
            }
            Ok(Err(_)) => return Err(passing("no connection", Duration::ZERO)),
            Ok(Ok(answer)) => answer,
        };
        let status = answer.status();
        if status.is_success() {
            return Ok(());
        }
        let why = format!("HTTP {}", status.as_u16());
        if status.is_server_error() || matches!(status.as_u16(), 408 | 425 | 429) {
            let asked = answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
            return Err(passing(&why, asked.map_or(Duration::ZERO, Duration::from_secs)));
        }
        Err(lasting(why))
    }
}

/// The value of [`SIGNATURE`] for a body.
pub fn signature(key: &str, body: &[u8]) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes());
    format!("sha256={}", HEXLOWER.encode(hmac::sign(&key, body).as_ref()))
}

/// Whether the guard refused a name when its addresses were known.
fn refused(error: &reqwest::Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        if let Some(failure) = inner.downcast_ref::<super::transport::Failure>() {
            return failure.kind == super::transport::FailureKind::Refused;
        }
        cause = inner.source();
    }
    false
}

/// An address without what may be a secret: scheme, host and port.
pub fn shown(address: &str) -> String {
    match Url::parse(address) {
        Ok(url) => format!("{}/…", url.origin().ascii_serialization()),
        Err(_) => "(not an address)".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_those_of_rfc_4231() {
        // Test case 2.
        let expected = "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(signature("Jefe", b"what do ya want for nothing?"), expected);
    }

    #[test]
    fn what_may_be_a_secret_is_not_shown() {
        assert_eq!(shown("https://hooks.example:8443/T0/B0/secret?token=x"), "https://hooks.example:8443/…");
        assert_eq!(shown("https://user:password@hooks.example/"), "https://hooks.example/…");
        assert_eq!(shown("not one"), "(not an address)");
    }
}
