//! reqwest clients by the way their connections go: what they may connect to is decided here and nowhere else.
//!
//! reqwest opens the sockets, and this module sees to it that it can open no others than the guard has passed:
//!
//! - A name is resolved once, in [`Leading`], all its addresses are vetted, and reqwest connects to exactly these. Nothing
//!   resolves the name again, so an answer that changes in between (rebinding) gains nothing.
//! - reqwest's resolver is not asked about address literals and is not told the port. Literals are therefore vetted before
//!   reqwest sees them, and there is a client for each set of ports that is vetted alike.
//! - Redirects are never followed by it, and proxy variables of the environment are not read.
//!
//! A route of the user (`--connect-to`) has a client of its own whose resolver leads every name to the route's target. An
//! explicit port in an address would override the target's, and a literal would not be looked up at all: such an address
//! is asked for without its port, or by a name that stands for the literal, with the right `Host` and over HTTP/1.1, where
//! `Host` is all that the server is told.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Client, Proxy};
use tower::util::MapRequestLayer;
use url::{Host, Url};

use super::descriptors::shares;
use super::dns::Resolver;
use super::guard::{Guard, bare, no_host};
use super::politeness::Manners;
use super::settings::Settings;
use super::transport::{Failure, FailureKind};
use super::trust::Trust;
use cited_core::error::{Error, Result};

/// How long an idle connection is kept for the next page of the same host.
const IDLE: Duration = Duration::from_secs(15);

/// Bytes of headers that an HTTP/2 answer may have. For HTTP/1.1 hyper reads at most 408 KiB of head, which reqwest leaves
/// as it is; the same size is named here, for it is part of what a hostile server can cost.
const HEAD_LIMIT: u32 = 408 << 10;

/// Clients that are kept. Ranges opened by the user may have any number of ports, and each needs a client.
const MOST_CLIENTS: usize = 32;

/// The port that stands for all ports that are open to everybody: they are vetted alike.
const OPEN_PORT: u16 = 80;

/// What an address literal is called while a route leads it elsewhere. No such name exists (RFC 6761), and no server has a certificate of it:
/// literals are led over HTTP alone.
const STAND_IN: &str = "literal.invalid";

/// Connections that a generation of clients has opened.
type Opened = Arc<AtomicUsize>;

/// The clients of one run, in generations.
///
/// reqwest bounds the idle connections of each host and not those of all. When the clients have opened as many as may be
/// kept, others take their place: requests under way keep theirs, and what was idle is closed.
pub struct Clients {
    guard: Arc<Guard>,
    names: Arc<Resolver>,
    settings: Settings,
    trust: Trust,
    built: Mutex<Generation>,
}

#[derive(Default)]
struct Generation {
    clients: HashMap<ClientKey, Client>,
    opened: Opened,
}

/// A request as it is to be made.
pub struct Ready {
    /// What makes it.
    pub client: Client,
    /// The address to hand to the client.
    pub url: Url,
    /// What the server is told of the host, where the address no longer says it.
    pub host: Option<String>,
}

/// What tells one client from another.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct ClientKey {
    /// Whether TLS is needed: trusted certificates are only loaded then.
    https: bool,
    /// Whether every request opens a connection of its own.
    fresh: bool,
    lead: Lead,
}

/// Where the connections of a client go.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Lead {
    /// To the host that was asked for, its addresses vetted for this port.
    Asked(u16),
    /// By a route.
    Route {
        /// To this host in place of the one that was asked for.
        host: Option<String>,
        /// To this port.
        port: u16,
        /// Whether the user named the host, so that it needs no vetting.
        explicit: bool,
        /// Whether `Host` differs from what the address says.
        renamed: bool,
    },
    /// To the proxy.
    Proxy,
}

impl Clients {
    /// Clients by these settings. None is built before it is needed.
    ///
    /// # Errors
    /// When a certificate cannot be read or the proxy is not an HTTP proxy.
    pub fn new(guard: Arc<Guard>, settings: &Settings) -> Result<Self> {
        if let Some(proxy) = &settings.proxy
            && (proxy.scheme() != "http" || proxy.host_str().is_none())
        {
            return Err(Error::settings(format!(
                "{}://… cannot be used as a proxy; give an HTTP proxy such as http://proxy.example:3128",
                proxy.scheme()
            )));
        }
        Ok(Clients {
            guard,
            names: Arc::default(),
            settings: settings.clone(),
            trust: Trust::new(&settings.extra_ca_pem)?,
            built: Mutex::default(),
        })
    }

    /// The resolver of this run.
    pub fn names(&self) -> &Resolver {
        &self.names
    }

    /// The client for an address, and how to ask it. A `fresh` one opens a connection for every request.
    ///
    /// # Errors
    /// When the guard refuses the address.
    pub async fn ready(&self, url: &Url, fresh: bool) -> std::result::Result<Ready, Failure> {
        self.guard.vet_url(url)?;
        let mut url = url.clone();
        url.set_fragment(None);
        let https = url.scheme() == "https";
        let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else {
            return Err(no_host());
        };
        let literal = match host {
            Host::Ipv4(address) => Some(IpAddr::V4(address)),
            Host::Ipv6(address) => Some(IpAddr::V6(address)),
            Host::Domain(_) => None,
        };
        let name = bare(&host);
        if self.settings.proxy.is_some() {
            self.vet_for_proxy(&name, literal, port).await?;
            let client = self.client(ClientKey { https, fresh, lead: Lead::Proxy })?;
            return Ok(Ready { client, url, host: None });
        }
        let route = self.guard.route(&name, port);
        if !route.explicit && route.port == port {
            let vetted_for = if self.guard.port_is_open(port) { OPEN_PORT } else { port };
            let client = self.client(ClientKey { https, fresh, lead: Lead::Asked(vetted_for) })?;
            return Ok(Ready { client, url, host: None });
        }
        if let (Some(address), false) = (literal, route.explicit) {
            self.guard.vet_ip(address, route.port)?;
        }
        let renamed = literal.is_some() || url.port().is_some();
        let mut told = None;
        if renamed {
            told = Some(url[url::Position::BeforeHost..url::Position::AfterPort].to_owned());
            let stand_in = if literal.is_some() { url.set_host(Some(STAND_IN)).is_ok() } else { true };
            if !stand_in || url.set_port(None).is_err() {
                return Err(no_host());
            }
        }
        let host = (route.explicit || literal.is_some()).then_some(route.host);
        let lead = Lead::Route { host, port: route.port, explicit: route.explicit, renamed };
        Ok(Ready { client: self.client(ClientKey { https, fresh, lead })?, url, host: told })
    }

    /// A proxy resolves out of our sight. What we can tell is vetted: literals, local names, and the addresses that we
    /// would get ourselves, if we get any.
    async fn vet_for_proxy(&self, host: &str, literal: Option<IpAddr>, port: u16) -> std::result::Result<(), Failure> {
        if let Some(address) = literal {
            return self.guard.vet_ip(address, port);
        }
        self.guard.vet_proxied(host)?;
        match tokio::time::timeout(self.settings.connect_timeout, self.names.resolve(host)).await {
            Ok(Ok(addresses)) => self.guard.vet_all(&addresses, port),
            Ok(Err(_)) | Err(_) => Ok(()),
        }
    }

    fn client(&self, way: ClientKey) -> std::result::Result<Client, Failure> {
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        if built.clients.len() >= MOST_CLIENTS || built.opened.load(Ordering::Relaxed) >= shares().kept {
            *built = Generation::default();
        }
        if let Some(client) = built.clients.get(&way) {
            return Ok(client.clone());
        }
        let client = self.build(&way, &built.opened)?;
        built.clients.insert(way, client.clone());
        Ok(client)
    }

    /// Closes what is idle: somebody here needs the descriptors.
    pub fn release(&self) {
        *self.built.lock().unwrap_or_else(PoisonError::into_inner) = Generation::default();
    }

    fn build(&self, way: &ClientKey, opened: &Opened) -> std::result::Result<Client, Failure> {
        let failed = |reason: String| Failure::new(FailureKind::Tls, reason);
        let tls = match &way.lead {
            _ if !way.https => Trust::nothing(),
            Lead::Route { renamed: true, .. } => self.trust.http1(),
            _ => self.trust.usual(),
        };
        let leading = Leading {
            guard: Arc::clone(&self.guard),
            names: Arc::clone(&self.names),
            lead: way.lead.clone(),
            proxy: self.settings.proxy.as_ref().and_then(|proxy| proxy.host().map(|host| bare(&host))),
        };
        let mut builder = Client::builder()
            .tls_backend_preconfigured(tls.map_err(failed)?)
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .dns_resolver(leading)
            .connect_timeout(self.settings.connect_timeout)
            .pool_idle_timeout(IDLE)
            // Without a pool every request opens its own connection: a second look must not come over the first one's.
            .pool_max_idle_per_host(if way.fresh { 0 } else { Manners::from_settings(&self.settings).most_at_once() })
            .http1_max_headers(self.settings.max_headers)
            .http1_ignore_invalid_headers_in_responses(true)
            .http2_max_header_list_size(HEAD_LIMIT);
        if !way.fresh {
            let opened = Arc::clone(opened);
            builder = builder.connector_layer(MapRequestLayer::new(move |opening| {
                opened.fetch_add(1, Ordering::Relaxed);
                opening
            }));
        }
        if let (Lead::Proxy, Some(proxy)) = (&way.lead, &self.settings.proxy) {
            let proxy = Proxy::all(proxy.as_str()).map_err(|error| failed(format!("proxy: {error}")))?;
            builder = builder.proxy(proxy);
        }
        builder.build().map_err(|error| failed(format!("TLS: {error}")))
    }
}

/// Tells reqwest where the connections of one client go.
struct Leading {
    guard: Arc<Guard>,
    names: Arc<Resolver>,
    lead: Lead,
    proxy: Option<String>,
}

impl Resolve for Leading {
    fn resolve(&self, name: Name) -> Resolving {
        let (guard, names) = (Arc::clone(&self.guard), Arc::clone(&self.names));
        let asked = || name.as_str().to_owned();
        // Port 0 is the port that was asked for.
        let (host, port, vetted_for) = match &self.lead {
            Lead::Asked(port) => (asked(), 0, Some(*port)),
            Lead::Route { host, port, explicit, .. } => {
                (host.clone().unwrap_or_else(asked), *port, (!explicit).then_some(*port))
            }
            // The user named the proxy, so its address is not vetted; no other host is ever looked up here.
            Lead::Proxy => (self.proxy.clone().unwrap_or_default(), 0, None),
        };
        Box::pin(async move {
            let addresses: Arc<[IpAddr]> = match host.parse::<IpAddr>() {
                Ok(address) => Arc::from([address]),
                Err(_) => names.resolve(&host).await?,
            };
            if let Some(vetted_for) = vetted_for {
                guard.vet_all(&addresses, vetted_for)?;
            }
            let addresses: Vec<SocketAddr> = addresses.iter().map(|&address| SocketAddr::new(address, port)).collect();
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
#[expect(clippy::unnecessary_wraps, reason = "the shape of lookups")]
mod tests {
    use std::net::IpAddr;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use reqwest::dns::Resolve;
    use url::Url;

    use super::super::dns::{Lookup, Resolver};
    use super::super::guard::Guard;
    use super::super::settings::Settings;
    use super::super::transport::Failure;
    use super::{Clients, Lead, Leading};

    static LOOKUPS: AtomicUsize = AtomicUsize::new(0);

    /// A name server that gives a public address first and this machine's ever after.
    fn rebinding(_: &str) -> Result<Arc<[IpAddr]>, Failure> {
        let first = LOOKUPS.fetch_add(1, Ordering::SeqCst) == 0;
        Ok(Arc::from([if first { "93.184.216.34" } else { "127.0.0.1" }.parse().unwrap()]))
    }

    /// A name with a good address and a bad one.
    fn mixed(_: &str) -> Result<Arc<[IpAddr]>, Failure> {
        Ok(Arc::from(["93.184.216.34", "::1"].map(|address| address.parse().unwrap())))
    }

    fn public(_: &str) -> Result<Arc<[IpAddr]>, Failure> {
        Ok(Arc::from(["93.184.216.34".parse().unwrap()]))
    }

    fn leading(ask: Lookup, lead: Lead) -> Leading {
        let guard = Arc::default();
        Leading { guard, names: Arc::new(Resolver::asking(ask)), lead, proxy: None }
    }

    async fn addresses(leading: &Leading) -> Result<Vec<String>, String> {
        match leading.resolve("a.example".parse().unwrap()).await {
            Ok(addresses) => Ok(addresses.map(|address| address.to_string()).collect()),
            Err(error) => Err(error.to_string()),
        }
    }

    #[tokio::test]
    async fn an_answer_that_changes_is_never_asked_for_again() {
        let leading = leading(rebinding, Lead::Asked(80));
        for _ in 0..3 {
            assert_eq!(addresses(&leading).await.unwrap(), ["93.184.216.34:0"]);
        }
        assert_eq!(LOOKUPS.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn one_bad_address_refuses_the_name() {
        let refused = addresses(&leading(mixed, Lead::Asked(80))).await.unwrap_err();
        assert_eq!(refused, "refused: address ::1 is not public");
        let refused = addresses(&leading(public, Lead::Asked(8080))).await.unwrap_err();
        assert_eq!(refused, "refused: port 8080");
    }

    /// How an address is asked for by these routes: client's address and `Host`.
    async fn check(routes: &[&str], address: &str, expected: Result<(&str, Option<&str>), &str>) {
        let parsed = routes.iter().map(|route| route.parse().unwrap()).collect();
        let guard = Arc::new(Guard::new(Vec::new(), vec![8443], parsed));
        let clients = Clients::new(guard, &Settings::default()).unwrap();
        let ready = clients.ready(&Url::parse(address).unwrap(), false).await;
        let found = ready.map(|ready| (ready.url.to_string(), ready.host)).map_err(|failure| failure.reason);
        let expected = expected.map(|(url, host)| (url.to_owned(), host.map(str::to_owned))).map_err(str::to_owned);
        assert_eq!(found, expected, "{address} by {routes:?}");
    }

    #[tokio::test]
    async fn addresses_are_asked_for_as_they_are_unless_a_route_leads_elsewhere() {
        check(&[], "https://a.example/x#y", Ok(("https://a.example/x", None))).await;
        check(&[], "https://a.example:8443/", Ok(("https://a.example:8443/", None))).await;
        check(&[], "https://93.184.216.34/", Ok(("https://93.184.216.34/", None))).await;
        check(&["::b.example:"], "https://a.example/", Ok(("https://a.example/", None))).await;
        let to = ["::127.0.0.1:9"];
        check(&to, "https://a.example:8443/", Ok(("https://a.example/", Some("a.example:8443")))).await;
        check(&to, "https://[::1]:8443/", Ok(("https://literal.invalid/", Some("[::1]:8443")))).await;
        check(&to, "http://127.0.0.1/", Ok(("http://literal.invalid/", Some("127.0.0.1")))).await;
        // A route that names no host leads nowhere that the guard has not passed.
        check(&[":::8443"], "http://127.0.0.1/", Err("refused: address 127.0.0.1 is not public")).await;
        check(&[":::9"], "http://93.184.216.34/", Err("refused: port 9")).await;
    }
}
