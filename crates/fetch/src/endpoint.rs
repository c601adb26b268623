//! Where an archive is and how it speaks.

use url::Url;

/// An archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Whether its index speaks as that of the Wayback Machine: arrays, Java regular expressions, `original`, `statuscode`. Otherwise as that of
    /// pywb: an object a line, `url`, `status`, operators `=` and `~` in filters.
    pub is_wayback: bool,
    /// Address of its CDX server.
    pub cdx: String,
    /// What stands before timestamp and address of a copy, with a slash at its end.
    pub replay: String,
    /// CDX requests a minute. The Wayback Machine allows 30; 24 are used.
    pub cdx_per_minute: usize,
    /// Replay requests a minute. The Wayback Machine allows 600; 480 are used.
    pub replay_per_minute: usize,
    /// Pause for everybody when it says 429, in seconds. 60.
    pub pause_seconds: u64,
}

impl Endpoint {
    /// The Wayback Machine of the Internet Archive.
    pub fn wayback() -> Self {
        Endpoint {
            is_wayback: true,
            cdx: "https://web.archive.org/cdx/search/cdx".to_owned(),
            replay: "https://web.archive.org/web/".to_owned(),
            cdx_per_minute: 24,
            replay_per_minute: 480,
            pause_seconds: 60,
        }
    }

    /// An archive by its address: that of the Wayback Machine, of another service with the same paths
    /// (`https://host/web/`, or only the host), or of a pywb collection (`https://host/collection/`).
    ///
    /// # Errors
    /// When it is no http(s) address.
    pub fn parse(text: &str) -> Result<Self, String> {
        let Some(url) = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https")) else {
            return Err(format!("`{text}` is not the address of an archive: it must begin with https:// or http://"));
        };
        if matches!(url.host_str(), Some("web.archive.org" | "archive.org" | "www.archive.org" | "wayback.archive.org"))
        {
            return Ok(Self::wayback());
        }
        let origin = url.origin().ascii_serialization();
        let path = url.path().trim_end_matches('/');
        let own = Self::wayback();
        Ok(match path {
            "" | "/web" => {
                Endpoint { cdx: format!("{origin}/cdx/search/cdx"), replay: format!("{origin}/web/"), ..own }
            }
            collection => Endpoint {
                is_wayback: false,
                cdx: format!("{origin}{collection}/cdx"),
                replay: format!("{origin}{collection}/"),
                ..own
            },
        })
    }

    /// Where it is asked to take copies; `None` for an archive that takes none.
    pub fn save(&self) -> Option<Url> {
        let replay = Url::parse(&self.replay).ok()?;
        if self.is_wayback { replay.join("/save").ok() } else { None }
    }

    /// Host of the replay service.
    pub fn host(&self) -> Option<String> {
        Url::parse(&self.replay).ok()?.host_str().map(str::to_owned)
    }
}
