//! Who may ask, and how often: the token, the names that this service is called by, origins, a rate for each client.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use data_encoding::BASE64;
use subtle::ConstantTimeEq as _;
use url::Host;

use crate::serve::problem::{Problem, Result};
use cited_core::page::sha256_hex;

/// Clients whose rate is known at once.
const MOST_CLIENTS: usize = 10_000;
/// The time that the rate counts requests in.
const MINUTE: Duration = Duration::from_mins(1);

/// What is behind a path, which decides how its token is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// What everybody may see: whether the service is there.
    Open,
    /// What programs ask for. A browser never sends their token by itself, so no other site can make it do so.
    Programs,
    /// Pages for people, which change nothing: their browser asks them for the token as a password.
    People,
}

/// Who may ask.
pub struct Guard {
    /// Hash of the token, so that neither its length nor its beginning takes time.
    token: Option<String>,
    hosts: Vec<String>,
    rate: u32,
    /// Until when the requests of a client take, one after the other at the rate; it may be a minute ahead. By address, and whether the token
    /// was shown: who guesses at it uses up nothing of who has it behind the same address.
    clients: Mutex<HashMap<(IpAddr, bool), Instant>>,
}

impl Guard {
    /// A guard that wants this token and answers to these names beside the loopback ones; `rate` requests a minute from each client.
    pub fn new(token: Option<&str>, hosts: &[String], rate: u32) -> Guard {
        Guard {
            token: token.map(|token| sha256_hex(token.as_bytes())),
            hosts: hosts.iter().map(|host| host.trim_end_matches('.').to_ascii_lowercase()).collect(),
            rate,
            clients: Mutex::default(),
        }
    }

    /// Whether a request may be looked at.
    ///
    /// # Errors
    /// With the problem that is answered.
    pub fn admit(&self, client: IpAddr, target: &Uri, headers: &HeaderMap, door: Door, now: Instant) -> Result<()> {
        self.vet_host(target, headers)?;
        Self::vet_origin(headers)?;
        let shown = self.vet_token(headers, door);
        self.vet_rate((client, shown.is_ok()), now)?;
        if door == Door::Open { Ok(()) } else { shown }
    }

    /// A page of another site can make a browser ask here by a name that it controls: only known names and plain addresses are
    /// answered.
    fn vet_host(&self, target: &Uri, headers: &HeaderMap) -> Result<()> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().filter(|_| hosts.next().is_none());
        // A target may be a whole address; then it is what counts, and it has to say the same.
        let host =
            host.filter(|host| target.authority().is_none_or(|named| named.as_str().as_bytes() == host.as_bytes()));
        let is_known = host.and_then(|host| host_of(host.to_str().ok()?)).is_some_and(|host| {
            let Host::Domain(name) = host else { return true };
            let name = name.trim_end_matches('.').to_ascii_lowercase();
            name == "localhost" || self.hosts.contains(&name)
        });
        let why = "the request has to name this service, in one Host header; start it with --host NAME for other names";
        if is_known { Ok(()) } else { Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, why)) }
    }

    /// Scripts of other sites are not answered: there is no CORS here.
    fn vet_origin(headers: &HeaderMap) -> Result<()> {
        let own = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let same = |origin: &HeaderValue| {
            let origin = origin.to_str().ok()?;
            let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"))?;
            Some(rest.eq_ignore_ascii_case(own?))
        };
        // A request that names several is from none.
        if headers.get_all(header::ORIGIN).iter().all(|origin| same(origin) == Some(true)) {
            return Ok(());
        }
        Err(Problem::forbidden("scripts of other sites may not ask this service"))
    }

    fn vet_token(&self, headers: &HeaderMap, door: Door) -> Result<()> {
        let Some(token) = &self.token else { return Ok(()) };
        let given = sha256_hex(&given_token(headers, door).unwrap_or_default());
        if bool::from(given.as_bytes().ct_eq(token.as_bytes())) {
            return Ok(());
        }
        let (detail, challenge) = match door {
            Door::People => (
                "give the token of this service as the password, with any name",
                "Basic realm=\"cited\", charset=\"UTF-8\"",
            ),
            _ => ("send the token of this service as `Authorization: Bearer TOKEN`", "Bearer"),
        };
        let advice = Some((header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge)));
        Err(Problem { advice, ..Problem::new(StatusCode::UNAUTHORIZED, detail) })
    }

    fn vet_rate(&self, client: (IpAddr, bool), now: Instant) -> Result<()> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if clients.len() >= MOST_CLIENTS {
            clients.retain(|_, until| *until > now);
        }
        if clients.len() >= MOST_CLIENTS && !client.1 && !clients.contains_key(&client) {
            return Err(Problem::busy("too many clients ask at once"));
        }
        let until = clients.entry(client).or_insert(now);
        let next = now.max(*until) + MINUTE / self.rate;
        let wait = next.duration_since(now).saturating_sub(MINUTE);
        if wait.is_zero() {
            *until = next;
            return Ok(());
        }
        let why = format!("more than {} requests a minute", self.rate);
        Err(Problem::busy(why).later(wait.as_secs_f64().ceil() as u64))
    }
}

/// The token that a request shows. One that shows two shows none.
fn given_token(headers: &HeaderMap, door: Door) -> Option<Vec<u8>> {
    let mut all = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(value), None) = (all.next(), all.next()) else { return None };
    let (scheme, given) = value.to_str().ok()?.split_once(' ')?;
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(given.trim().as_bytes().to_vec());
    }
    if door != Door::People || !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let decoded = BASE64.decode(given.trim().as_bytes()).ok()?;
    let colon = decoded.iter().position(|&byte| byte == b':')?;
    Some(decoded.get(colon + 1..)?.to_vec())
}

/// The host in a `Host` header.
fn host_of(value: &str) -> Option<Host<String>> {
    let authority: Authority = value.parse().ok().filter(|_| !value.contains(['@', '%']))?;
    // Behind the host there is a port, or nothing.
    let port = value.strip_prefix(authority.host())?;
    (port.is_empty() || authority.port_u16().is_some()).then(|| Host::parse(authority.host()).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    /// The status that a request for `/x` gets; 200 when it may be looked at.
    fn request_status(guard: &Guard, door: Door, all: &[(&'static str, &'static str)]) -> u64 {
        let told = guard.admit(HERE, &Uri::from_static("/x"), &headers(all), door, Instant::now());
        told.map_or_else(|problem| problem.value()["status"].as_u64().unwrap(), |()| 200)
    }

    fn headers(all: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in all {
            headers.append(*name, HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn only_known_names_and_own_pages_are_answered() {
        let guard = Guard::new(None, &["cited.example".to_owned()], 1000);
        for (all, status) in [
            (&[("host", "localhost")][..], 200),
            (&[("host", "LOCALHOST:8722")], 200),
            (&[("host", "127.0.0.1:8722")], 200),
            (&[("host", "[::1]:8722")], 200),
            (&[("host", "10.0.0.7")], 200),
            (&[("host", "cited.example")], 200),
            (&[("host", "cited.example.:80")], 200),
            (&[], 421),
            (&[("host", "evil.example")], 421),
            (&[("host", "localhost.evil.example")], 421),
            (&[("host", "evil.example#localhost")], 421),
            (&[("host", "evil.example@localhost")], 421),
            (&[("host", "localhost:port")], 421),
            (&[("host", "localhost"), ("host", "evil.example")], 421),
            (&[("host", "localhost:8722"), ("origin", "http://localhost:8722")], 200),
            (&[("host", "localhost:8722"), ("origin", "http://localhost:9999")], 403),
            (&[("host", "localhost"), ("origin", "https://evil.example")], 403),
            (&[("host", "localhost"), ("origin", "null")], 403),
        ] {
            assert_eq!(request_status(&guard, Door::Programs, all), status, "{all:?}");
        }
        // A target that is a whole address says where it is meant to go.
        for (target, admitted) in [("http://localhost/x", true), ("http://evil.example/x", false)] {
            let told = guard.admit(
                HERE,
                &Uri::from_static(target),
                &headers(&[("host", "localhost")]),
                Door::Open,
                Instant::now(),
            );
            assert_eq!(told.is_ok(), admitted, "{target}");
        }
    }

    #[test]
    fn the_token_is_wanted_whole() {
        /// `name:correct horse battery`.
        const BASIC: &str = "Basic bmFtZTpjb3JyZWN0IGhvcnNlIGJhdHRlcnk=";
        let guard = Guard::new(Some("correct horse battery"), &[], 1000);
        for (value, programs, people) in [
            ("Bearer correct horse battery", 200, 200),
            ("bearer correct horse battery", 200, 200),
            ("Bearer correct horse batter", 401, 401),
            ("Bearer correct horse battery staple", 401, 401),
            ("Bearer Correct horse battery", 401, 401),
            ("Bearer Bearer correct horse battery", 401, 401),
            ("Basic correct horse battery", 401, 401),
            ("Bearer ", 401, 401),
            ("correct horse battery", 401, 401),
            (BASIC, 401, 200),
            ("Basic Y29ycmVjdCBob3JzZSBiYXR0ZXJ5", 401, 401),
            ("Basic !", 401, 401),
        ] {
            let all = [("host", "localhost"), ("authorization", value)];
            assert_eq!(request_status(&guard, Door::Programs, &all), programs, "{value}");
            assert_eq!(request_status(&guard, Door::People, &all), people, "{value}");
        }
        let right = ("authorization", "Bearer correct horse battery");
        for all in [
            &[("host", "localhost")][..],
            &[("host", "localhost"), ("cookie", "token=correct horse battery")],
            &[("host", "localhost"), ("proxy-authorization", right.1)],
            &[("host", "localhost"), right, ("authorization", "Bearer wrong")],
            &[("host", "localhost"), ("authorization", "Bearer wrong"), right],
        ] {
            assert_eq!(request_status(&guard, Door::Programs, all), 401, "{all:?}");
            assert_eq!(request_status(&guard, Door::Open, all), 200, "{all:?}");
        }
    }

    #[test]
    fn a_wrong_token_does_not_lock_the_right_one_out() {
        let guard = Guard::new(Some("correct horse battery"), &[], 2);
        let wrong = [("host", "localhost"), ("authorization", "Bearer wrong")];
        let right = [("host", "localhost"), ("authorization", "Bearer correct horse battery")];
        let statuses =
            [wrong, wrong, wrong, right, right, right].map(|all| request_status(&guard, Door::Programs, &all));
        assert_eq!(statuses, [401, 401, 429, 200, 200, 429]);
    }

    #[test]
    fn each_client_has_a_rate() {
        let guard = Guard::new(None, &[], 2);
        let (all, now) = (headers(&[("host", "localhost")]), Instant::now());
        let other = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1));
        let ask = |client, at| guard.admit(client, &Uri::from_static("/x"), &all, Door::Open, at).is_ok();
        assert!(ask(HERE, now) && ask(HERE, now) && !ask(HERE, now));
        assert!(ask(other, now));
        assert!(ask(HERE, now + Duration::from_secs(31)) && !ask(HERE, now + Duration::from_secs(32)));
    }
}
