//! reqwest clients: what they may connect to is decided here and nowhere else.
//!
//! reqwest opens the sockets, and this module sees to it that it can open no others than the guard has passed:
//!
//! - A name is resolved once, all its addresses are vetted for the port, and the client that is used connects to exactly these: its resolver
//!   knows no others and is asked nothing. An answer that changes in between (rebinding) gains nothing.
//! - reqwest's resolver is not asked about address literals. Literals are therefore vetted before reqwest sees them.
//! - Redirects are never followed by it, and proxy variables of the environment are not read.
//!
//! A route of the user (`--connect-to`) leads to other addresses and another port. An explicit port in an address would override that port, and
//! a literal would not be looked up at all: such an address is asked for without its port, or by a name that stands for the literal, with the
//! right `Host` and over HTTP/1.1, where `Host` is all that the server is told.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use http::header::HOST;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Client, Method, Proxy, RequestBuilder};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use tokio::time::timeout;
use tower::util::MapRequestLayer;
use url::{Position, Url};

use super::descriptors::shares;
use super::dns::{Resolver, ask_system};
use super::settings::Settings;
use super::transport::Failure;
use cited_core::error::{Error, Result as Done};
use cited_core::rule::Rule;

/// How long an idle connection is kept for the next page of the same host.
const IDLE: Duration = Duration::from_secs(15);

/// Bytes of headers that an HTTP/2 answer may have. For HTTP/1.1 hyper reads at most 408 KiB of head, which reqwest leaves
/// as it is; the same size is named here, for it is part of what a hostile server can cost.
const HEAD_LIMIT: u32 = 408 << 10;

/// What an address literal is called while a route leads it elsewhere. No such name exists (RFC 6761), and no server has a certificate of it:
/// literals are led over HTTP alone.
const STAND_IN: &str = "literal.invalid";

/// The clients of one run.
///
/// reqwest bounds the idle connections of each host and not those of all. When the clients have opened as many as may be
/// kept, others take their place: requests under way keep theirs, and what was idle is closed.
pub struct Clients {
    /// The resolver of this run.
    pub names: Resolver,
    settings: Settings,
    /// Certificates that the user trusts beside those of the system.
    extra: Vec<CertificateDer<'static>>,
    /// Made when it is first needed: the certificates of the system are read then.
    tls: OnceLock<ClientConfig>,
    built: Mutex<HashMap<Way, Client>>,
    /// Connections that they have opened.
    opened: Arc<AtomicUsize>,
}

/// What tells one client from another.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Way {
    /// Where its connections go, whatever name is asked for.
    to: Vec<SocketAddr>,
    /// Whether `Host` differs from what the address says.
    renamed: bool,
    /// Whether every request opens a connection of its own: a second look must not come over the first one's.
    fresh: bool,
}

impl Clients {
    /// Clients by these settings. None is built before it is needed.
    ///
    /// # Errors
    /// When a certificate cannot be read or the proxy is not an HTTP proxy.
    pub fn new(settings: &Settings) -> Done<Self> {
        if let Some(proxy) = &settings.proxy
            && (proxy.scheme() != "http" || proxy.host_str().is_none())
        {
            return Err(Error::usage(format!(
                "{}://… cannot be used as a proxy; give an HTTP proxy such as http://proxy.example:3128",
                proxy.scheme()
            )));
        }
        Ok(Clients {
            names: Resolver::asking(ask_system),
            settings: settings.clone(),
            extra: certificates(&settings.extra_ca_pem)?,
            tls: OnceLock::new(),
            built: Mutex::default(),
            opened: Arc::default(),
        })
    }

    /// A request to an address, as far as the guard lets it. A `fresh` one opens a connection of its own.
    ///
    /// # Errors
    /// When the guard refuses the address, or its name has no address.
    pub async fn request(&self, method: Method, url: &Url, fresh: bool) -> Result<RequestBuilder, Failure> {
        let (to, url, host) = self.lead(url).await?;
        let request = self.client(Way { to, renamed: host.is_some(), fresh }).request(method, url);
        Ok(host.into_iter().fold(request, |request, host| request.header(HOST, host)))
    }

    /// Where a connection for this address goes, the address to hand to reqwest, and what the server is told of the host where that no longer
    /// says it.
    async fn lead(&self, url: &Url) -> Result<(Vec<SocketAddr>, Url, Option<String>), Failure> {
        self.settings.vet_url(url)?;
        let (host, port) = host_and_port(url);
        let is_literal = host.parse::<IpAddr>().is_ok();
        if let Some(proxy) = &self.settings.proxy {
            // A proxy resolves out of our sight. What we can tell is vetted: literals, local names, and the addresses that we would get
            // ourselves, if we get any.
            if !is_literal {
                self.settings.vet_proxied(host)?;
            }
            if let Ok(addresses) = self.resolve(host).await {
                self.settings.vet_all(&addresses, port)?;
            }
            // The user named the proxy, so its address is not vetted.
            let (host, port) = host_and_port(proxy);
            let addresses = self.resolve(host).await;
            let addresses = addresses.map_err(|_| Failure::ours("proxy: no connection"))?;
            return Ok((at(&addresses, port), url.clone(), None));
        }
        let (led_host, led_port, is_named) = self.settings.route(host, port);
        let addresses = self.resolve(led_host).await?;
        if !is_named {
            self.settings.vet_all(&addresses, led_port)?;
        }
        let (mut led, mut told) = (url.clone(), None);
        if (is_named || led_port != port) && (is_literal || url.port().is_some()) {
            told = Some(url[Position::BeforeHost..Position::AfterPort].to_owned());
            if is_literal {
                led.set_host(Some(STAND_IN)).expect("addresses of HTTP take every name");
            }
            led.set_port(None).expect("addresses of HTTP may have a port");
        }
        Ok((at(&addresses, led_port), led, told))
    }

    async fn resolve(&self, host: &str) -> Result<Arc<[IpAddr]>, Failure> {
        if let Ok(address) = host.parse() {
            return Ok(Arc::from([address]));
        }
        let resolved = timeout(self.settings.connect_timeout, self.names.resolve(host)).await;
        resolved.unwrap_or_else(|_| Err(Failure::new(Rule::Timeout, "timeout")))
    }

    fn client(&self, way: Way) -> Client {
        if self.opened.load(Ordering::Relaxed) >= shares().kept {
            self.release();
        }
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        built.entry(way).or_insert_with_key(|way| self.build(way)).clone()
    }

    /// Closes what is idle: somebody here needs the descriptors.
    pub fn release(&self) {
        self.opened.store(0, Ordering::Relaxed);
        self.built.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn build(&self, way: &Way) -> Client {
        let mut tls = self.tls.get_or_init(|| tls(&self.extra)).clone();
        if way.renamed {
            tls.alpn_protocols = vec![b"http/1.1".to_vec()];
        }
        let opened = Arc::clone(&self.opened);
        let mut builder = Client::builder()
            .tls_backend_preconfigured(tls)
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .dns_resolver(Vetted(way.to.clone()))
            .connect_timeout(self.settings.connect_timeout)
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(if way.fresh { 0 } else { usize::MAX })
            .http1_max_headers(self.settings.max_headers)
            .http1_ignore_invalid_headers_in_responses(true)
            .http2_max_header_list_size(HEAD_LIMIT)
            .connector_layer(MapRequestLayer::new(move |opening| {
                opened.fetch_add(1, Ordering::Relaxed);
                opening
            }));
        if let Some(proxy) = &self.settings.proxy {
            builder = builder.proxy(Proxy::all(proxy.as_str()).expect("an address of HTTP"));
        }
        builder.build().expect("TLS is set up, and the rest is numbers")
    }
}

/// The host of an address, without brackets, and its port.
fn host_and_port(url: &Url) -> (&str, u16) {
    (url.host_str().unwrap_or_default().trim_matches(['[', ']']), url.port_or_known_default().unwrap_or_default())
}

fn at(addresses: &[IpAddr], port: u16) -> Vec<SocketAddr> {
    addresses.iter().map(|&address| SocketAddr::new(address, port)).collect()
}

/// All addresses that a client can connect to.
struct Vetted(Vec<SocketAddr>);

impl Resolve for Vetted {
    fn resolve(&self, _: Name) -> Resolving {
        let addresses: Addrs = Box::new(self.0.clone().into_iter());
        Box::pin(std::future::ready(Ok(addresses)))
    }
}

/// The certificates in these files.
///
/// # Errors
/// When one is not PEM, or a file holds no certificate.
pub fn certificates(files: &[Vec<u8>]) -> Done<Vec<CertificateDer<'static>>> {
    let mut all = Vec::new();
    for pem in files {
        let wrong = |error| Error::usage(format!("the extra CA certificate is not PEM: {error:?}"));
        let found: Vec<_> = CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>().map_err(wrong)?;
        if found.is_empty() {
            return Err(Error::usage("the extra CA file holds no certificate; it has to be PEM"));
        }
        all.extend(found);
    }
    Ok(all)
}

/// The certificates of the system and these are trusted, and HTTP/2 is spoken where the server speaks it, else HTTP/1.1. Sessions are resumed
/// among all users of a configuration.
pub fn tls(extra: &[CertificateDer<'static>]) -> ClientConfig {
    // Read once: it takes some milliseconds, and each question to an endpoint has a configuration of its own.
    static SYSTEM: LazyLock<RootCertStore> = LazyLock::new(|| {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        roots
    });
    let mut roots = SYSTEM.clone();
    roots.add_parsable_certificates(extra.iter().cloned());
    let builder = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring has ciphers of every version");
    let mut config = builder.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    config
}

#[cfg(test)]
#[expect(clippy::unnecessary_wraps, reason = "the shape of lookups")]
mod tests {
    use std::net::IpAddr;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::super::dns::{Lookup, Resolver};
    use super::super::settings::Settings;
    use super::super::transport::Failure;
    use super::{Clients, Vetted};
    use reqwest::dns::Resolve as _;
    use url::Url;

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

    /// Clients by these routes, with this name server.
    fn clients(ask: Lookup, routes: &[&str]) -> Clients {
        let connect_to = routes.iter().map(|route| route.parse().unwrap()).collect();
        let settings = Settings { connect_to, allow_ports: vec![8443], ..Settings::default() };
        Clients { names: Resolver::asking(ask), ..Clients::new(&settings).unwrap() }
    }

    /// Where connections for this address go, and how it is asked for: the client's address and `Host`.
    async fn led(clients: &Clients, address: &str) -> Result<(String, String, Option<String>), String> {
        let (to, url, host) = clients.lead(&Url::parse(address).unwrap()).await.map_err(|failure| failure.reason)?;
        Ok((to.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "), url.to_string(), host))
    }

    #[tokio::test]
    async fn an_answer_that_changes_is_never_asked_for_again() {
        let clients = clients(rebinding, &[]);
        for _ in 0..3 {
            assert_eq!(led(&clients, "http://a.example/").await.unwrap().0, "93.184.216.34:80");
        }
        assert_eq!(LOOKUPS.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn a_client_connects_to_the_addresses_that_were_vetted_and_no_others() {
        let to = vec!["93.184.216.34:80".parse().unwrap()];
        for name in ["a.example", "localhost"] {
            let found = Vetted(to.clone()).resolve(name.parse().unwrap()).await.unwrap();
            assert_eq!(found.collect::<Vec<_>>(), to, "{name}");
        }
    }

    #[tokio::test]
    async fn one_bad_address_refuses_the_name() {
        let refused = led(&clients(mixed, &[]), "http://a.example/").await.unwrap_err();
        assert_eq!(refused, "refused: address ::1 is not public");
        let refused = led(&clients(public, &[]), "http://a.example:8080/").await.unwrap_err();
        assert_eq!(refused, "refused: port 8080");
    }

    /// How an address is asked for by these routes.
    async fn check(routes: &[&str], address: &str, expected: Result<(&str, &str, Option<&str>), &str>) {
        let found = led(&clients(public, routes), address).await;
        let expected = expected.map(|(to, url, host)| (to.to_owned(), url.to_owned(), host.map(str::to_owned)));
        assert_eq!(found, expected.map_err(str::to_owned), "{address} by {routes:?}");
    }

    #[tokio::test]
    async fn addresses_are_asked_for_as_they_are_unless_a_route_leads_elsewhere() {
        check(&[], "https://a.example/x", Ok(("93.184.216.34:443", "https://a.example/x", None))).await;
        check(&[], "https://a.example:8443/", Ok(("93.184.216.34:8443", "https://a.example:8443/", None))).await;
        check(&[], "https://93.184.216.34/", Ok(("93.184.216.34:443", "https://93.184.216.34/", None))).await;
        check(&[], "http://127.0.0.1/", Err("refused: address 127.0.0.1 is not public")).await;
        let same = "https://a.example/";
        check(&["::b.example:"], same, Ok(("93.184.216.34:443", same, None))).await;
        let to = ["::127.0.0.1:9"];
        check(&to, same, Ok(("127.0.0.1:9", same, None))).await;
        check(&to, "https://a.example:8443/", Ok(("127.0.0.1:9", same, Some("a.example:8443")))).await;
        let stand_in = "http://literal.invalid/";
        check(&to, "http://[::1]:8443/", Ok(("127.0.0.1:9", stand_in, Some("[::1]:8443")))).await;
        check(&to, "http://127.0.0.1/", Ok(("127.0.0.1:9", stand_in, Some("127.0.0.1")))).await;
        // A route that names no host leads nowhere that the guard has not passed.
        check(&[":::8443"], "http://127.0.0.1/", Err("refused: address 127.0.0.1 is not public")).await;
        check(&[":::9"], "http://93.184.216.34/", Err("refused: port 9")).await;
    }
}
