//! The site description: which address answers what.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use url::Url;

/// What one address answers.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Status; 200 when there is none.
    pub status: Option<u16>,
    /// `Location` of a redirect.
    pub location: Option<String>,
    /// Title of the page.
    pub title: Option<String>,
    /// Text of the page, paragraphs divided by an empty line. It stands between a navigation and a footer.
    pub text: Option<String>,
    /// The body as it is, in place of title and text.
    pub body: Option<String>,
    /// The body in base64, in place of title and text.
    pub base64: Option<String>,
    /// Further headers, or others: they replace those that the server would send.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// `timeout` (never answers), `reset`, `close`, or a kind of [`super::respond`].
    pub error: Option<String>,
    /// Milliseconds before the answer.
    pub delay_ms: Option<u64>,
    /// `self-signed`, `expired`, `wrong-host`: counts for the whole host.
    pub tls: Option<String>,
    /// What the archive has of it.
    #[serde(default, deserialize_with = "some")]
    pub archive: Option<Archived>,
    /// What later requests get, in order; the last one stays.
    #[serde(default)]
    pub then: Vec<Answer>,
}

/// What the archive says of an address.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Archived {
    /// One copy.
    One(Copy),
    /// Several copies.
    Many(Vec<Copy>),
    /// `down`, `excluded`, `throttled`.
    Fault(String),
    /// No copy.
    None(()),
}

/// One archive copy.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Copy {
    /// Fourteen digits.
    pub timestamp: String,
    /// Title of the copy.
    pub title: Option<String>,
    /// Text of the copy.
    #[serde(default)]
    pub text: String,
    /// Body as it is, in place of title and text.
    pub body: Option<String>,
    /// Status that the archive recorded; 200 when there is none.
    pub status: Option<u16>,
    /// Whether the index lists it as a revisit, without a status.
    #[serde(default)]
    pub revisit: bool,
    /// Where a recorded redirect leads, as an address of the original.
    pub location: Option<String>,
}

fn some<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Archived>, D::Error> {
    Archived::deserialize(deserializer).map(Some)
}

/// The whole description.
#[derive(Debug, Clone, Default)]
pub struct Site {
    answers: BTreeMap<String, Answer>,
    hosts: BTreeSet<String>,
    tls: BTreeMap<String, String>,
}

impl Site {
    /// Reads a description.
    pub fn read(json: &str) -> Result<Site, String> {
        let raw: BTreeMap<String, Answer> = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let mut site = Site::default();
        for (address, answer) in raw {
            let url = Url::parse(&address).map_err(|error| format!("{address}: {error}"))?;
            let host = url.host_str().ok_or_else(|| format!("{address}: no host"))?.to_owned();
            if let Some(fault) = &answer.tls {
                site.tls.insert(host.clone(), fault.clone());
            }
            site.hosts.insert(host);
            site.answers.insert(key(&url), answer);
        }
        Ok(site)
    }

    /// Whether any address of the host is listed.
    pub fn knows_host(&self, host: &str) -> bool {
        self.hosts.contains(host)
    }

    /// The TLS fault of a host.
    pub fn tls_fault(&self, host: &str) -> Option<&str> {
        self.tls.get(host).map(String::as_str)
    }

    /// The answer for an address, if it is listed, or else that for any address of its host (`https://host/*`).
    pub fn answer(&self, url: &Url) -> Option<&Answer> {
        let any = || self.answers.get(&format!("{}://{}/*", url.scheme(), url.host_str().unwrap_or_default()));
        self.answers.get(&key(url)).or_else(any)
    }

    /// What the archive has of an address: the copies, or a fault.
    pub fn copies(&self, address: &str) -> Result<Vec<Copy>, String> {
        let Ok(url) = Url::parse(address) else { return Ok(Vec::new()) };
        let mut other = url.clone();
        let _ = other.set_scheme(if url.scheme() == "http" { "https" } else { "http" });
        let answer = self.answer(&url).or_else(|| self.answer(&other));
        match answer.and_then(|answer| answer.archive.clone()) {
            Some(Archived::One(copy)) => Ok(vec![copy]),
            Some(Archived::Many(copies)) => Ok(copies),
            Some(Archived::Fault(fault)) => Err(fault),
            Some(Archived::None(())) | None => Ok(Vec::new()),
        }
    }
}

fn key(url: &Url) -> String {
    let mut url = url.clone();
    url.set_fragment(None);
    url.to_string()
}
