//! Connections: what they may lead to is decided here and nowhere else.
//!
//! hyper speaks HTTP over the connections that are opened here. A name is resolved once, all its addresses are vetted, and a connection goes
//! to exactly these: nothing resolves the name again, so an answer that changes in between (rebinding) gains nothing. Redirects are never
//! followed, and proxy variables of the environment are not read.
//!
//! A route of the user (`--connect-to`) leads a connection elsewhere; address, `Host` and the name that a certificate has to be of stay what
//! they were.

use std::convert::Infallible;
use std::future::ready;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use data_encoding::BASE64;
use http::header::{HeaderValue, PROXY_AUTHORIZATION};
use http::{Request, Response, Uri};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::dns::Name;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use percent_encoding::percent_decode_str;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tower::util::BoxCloneSyncService;
use tower::{ServiceExt as _, service_fn};
use url::Url;

use super::descriptors::shares;
use super::dns::Resolver;
use super::guard::Guard;
use super::politeness::Manners;
use super::settings::Settings;
use super::transport::{Failure, FailureKind};
use cited_core::error::{Error, Result};

/// How long an idle connection is kept for the next page of the same host.
const IDLE: Duration = Duration::from_secs(15);

/// Bytes of headers that an HTTP/2 answer may have. For HTTP/1.1 hyper reads at most 408 KiB of head; the same size is named here, for it is
/// part of what a hostile server can cost.
const HEAD_LIMIT: u32 = 408 << 10;

type BoxError = Box<dyn std::error::Error + Send + Sync>;
type Asking = Client<BoxCloneSyncService<Uri, Stream, BoxError>, Full<Bytes>>;

/// The clients of one run.
///
/// hyper bounds the idle connections of each host and not those of all. When so many have been opened as may be kept, another client
/// takes the place of the one that has them: requests under way keep theirs, and what was idle is closed.
pub struct Clients {
    door: Arc<Door>,
    kept: Mutex<Asking>,
}

impl Clients {
    /// Clients by these settings.
    ///
    /// # Errors
    /// When a certificate cannot be read or the proxy is not an HTTP proxy.
    pub fn new(settings: &Settings) -> Result<Self> {
        if let Some(proxy) = &settings.proxy
            && (proxy.scheme() != "http" || proxy.host_str().is_none())
        {
            return Err(Error::settings(format!(
                "{}://… cannot be used as a proxy; give an HTTP proxy such as http://proxy.example:3128",
                proxy.scheme()
            )));
        }
        let door = Arc::new(Door::new(settings)?);
        let kept = Mutex::new(client(&door, false));
        Ok(Clients { door, kept })
    }

    /// The resolver of this run.
    pub fn names(&self) -> &Resolver {
        &self.door.names
    }

    /// Makes a request to an address, as far as the guard lets it. A `fresh` one opens a connection of its own: a second look must not come
    /// over the first one's.
    ///
    /// # Errors
    /// When the guard refuses the address, or no answer came.
    pub async fn send(
        &self,
        url: &Url,
        mut request: Request<Full<Bytes>>,
        fresh: bool,
    ) -> std::result::Result<Response<Incoming>, BoxError> {
        self.door.guard.vet_url(url)?;
        *request.uri_mut() = url
            .as_str()
            .parse()
            .map_err(|_| Failure::new(FailureKind::Refused, "refused: not an address that HTTP can ask for"))?;
        if let Some(key) = self.door.proxy_key().filter(|_| url.scheme() == "http") {
            request.headers_mut().insert(PROXY_AUTHORIZATION, key);
        }
        if !fresh && self.door.opened.load(Ordering::Relaxed) >= shares().kept {
            self.release();
        }
        let client = if fresh {
            client(&self.door, true)
        } else {
            self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone()
        };
        Ok(client.request(request).await?)
    }

    /// Closes what is idle: somebody here needs the descriptors.
    pub fn release(&self) {
        self.door.opened.store(0, Ordering::Relaxed);
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = client(&self.door, false);
    }
}

/// A client that keeps connections for further requests, unless it is to be `fresh`.
fn client(door: &Arc<Door>, fresh: bool) -> Asking {
    let door = Arc::clone(door);
    let most_idle = if fresh { 0 } else { Manners::from_settings(&door.settings).most_at_once() };
    let max_headers = door.settings.max_headers;
    let connect = service_fn(move |to: Uri| {
        door.opened.fetch_add(usize::from(!fresh), Ordering::Relaxed);
        Arc::clone(&door).connect(to)
    });
    Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(IDLE)
        .pool_max_idle_per_host(most_idle)
        .http1_max_headers(max_headers)
        .http1_ignore_invalid_headers_in_responses(true)
        .http2_max_header_list_size(HEAD_LIMIT)
        .build(BoxCloneSyncService::new(connect))
}

/// What opens connections.
struct Door {
    guard: Guard,
    names: Resolver,
    /// Certificates that the user trusts beside those of the system.
    extra: Vec<CertificateDer<'static>>,
    /// Made when it is first needed: the certificates of the system are read then.
    tls: OnceLock<Arc<ClientConfig>>,
    settings: Settings,
    /// Connections that the client that keeps them has opened.
    opened: AtomicUsize,
    /// Whether the proxy gave a tunnel: then one that fails is about its other end.
    tunnelled: AtomicBool,
}

impl Door {
    fn new(settings: &Settings) -> Result<Self> {
        let (allow_net, allow_ports) = (settings.allow_net.clone(), settings.allow_ports.clone());
        let mut extra = Vec::new();
        for pem in &settings.extra_ca_pem {
            let before = extra.len();
            for certificate in CertificateDer::pem_slice_iter(pem) {
                let wrong = |error| Error::settings(format!("the extra CA certificate is not PEM: {error:?}"));
                extra.push(certificate.map_err(wrong)?);
            }
            if extra.len() == before {
                return Err(Error::settings("the extra CA file holds no certificate; it has to be PEM"));
            }
        }
        Ok(Door {
            guard: Guard::new(allow_net, allow_ports, settings.connect_to.clone()),
            names: Resolver::default(),
            extra,
            tls: OnceLock::new(),
            settings: settings.clone(),
            opened: AtomicUsize::new(0),
            tunnelled: AtomicBool::new(false),
        })
    }

    async fn connect(self: Arc<Self>, to: Uri) -> std::result::Result<Stream, BoxError> {
        let https = to.scheme_str() == Some("https");
        let host = to.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let port = to.port_u16().unwrap_or(if https { 443 } else { 80 });
        if self.settings.proxy.is_some() {
            self.vet_for_proxy(&host, port).await?;
        }
        let (time, door) = (self.settings.connect_timeout, &self);
        let open = async move {
            let tcp = match (door.settings.proxy.clone(), https) {
                (None, _) => dial(door.vetted(&host, port).await?, time).await?,
                (Some(proxy), false) => Arc::clone(door).dial_proxy(proxy).await?,
                (Some(proxy), true) => {
                    let inner = Arc::clone(door);
                    let dial = service_fn(move |_: Uri| Arc::clone(&inner).dial_proxy(proxy.clone()));
                    let tunnel = Tunnel::new(Uri::from_static("http://proxy.invalid"), dial);
                    let tunnel = match door.proxy_key() {
                        Some(key) => tunnel.with_auth(key),
                        None => tunnel,
                    };
                    let tcp = tunnel.oneshot(to).await.map_err(|error| door.no_tunnel(error))?;
                    door.tunnelled.store(true, Ordering::Relaxed);
                    tcp
                }
            };
            if !https {
                return Ok(Stream {
                    io: TokioIo::new(Box::new(tcp.into_inner())),
                    h2: false,
                    plain: door.settings.proxy.is_some(),
                });
            }
            let tls = TlsConnector::from(door.tls()).connect(ServerName::try_from(host)?, tcp.into_inner());
            let tls = tls.await?;
            let h2 = tls.get_ref().1.alpn_protocol() == Some(b"h2");
            Ok(Stream { io: TokioIo::new(Box::new(tls)), h2, plain: false })
        };
        timeout(time, open).await.unwrap_or_else(|_| {
            let is_of_proxy = self.settings.proxy.is_some() && !self.tunnelled.load(Ordering::Relaxed);
            let kind = if is_of_proxy { FailureKind::OurSide } else { FailureKind::Timeout };
            Err(Failure::new(kind, if is_of_proxy { "proxy: timeout" } else { "timeout" }).into())
        })
    }

    /// HTTP/2 where the server speaks it, else HTTP/1.1. Sessions are resumed among all connections.
    fn tls(&self) -> Arc<ClientConfig> {
        let build = || {
            let mut roots = RootCertStore::empty();
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            roots.add_parsable_certificates(self.extra.iter().cloned());
            let builder = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
                .with_safe_default_protocol_versions()
                .expect("ring has ciphers of every version");
            let mut config = builder.with_root_certificates(roots).with_no_client_auth();
            config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
            Arc::new(config)
        };
        Arc::clone(self.tls.get_or_init(build))
    }

    /// Where a connection for this host and port goes: addresses that may be connected to.
    async fn vetted(&self, host: &str, port: u16) -> std::result::Result<Vec<SocketAddr>, Failure> {
        let (host, port, is_named) = self.guard.route(host, port);
        let addresses = self.resolve(host).await?;
        if !is_named {
            self.guard.vet_all(&addresses, port)?;
        }
        Ok(addresses.iter().map(|&address| SocketAddr::new(address, port)).collect())
    }

    async fn resolve(&self, host: &str) -> std::result::Result<Arc<[IpAddr]>, Failure> {
        match host.parse() {
            Ok(address) => Ok(Arc::from([address])),
            Err(_) => self.names.resolve(host).await,
        }
    }

    /// A proxy resolves out of our sight. What we can tell is vetted: literals, local names, and the addresses that we
    /// would get ourselves, if we get any.
    async fn vet_for_proxy(&self, host: &str, port: u16) -> std::result::Result<(), Failure> {
        if let Ok(address) = host.parse() {
            return self.guard.vet_ip(address, port);
        }
        self.guard.vet_proxied(host)?;
        match timeout(self.settings.connect_timeout, self.names.resolve(host)).await {
            Ok(Ok(addresses)) => self.guard.vet_all(&addresses, port),
            Ok(Err(_)) | Err(_) => Ok(()),
        }
    }

    /// The user named the proxy, so its address is not vetted.
    async fn dial_proxy(self: Arc<Self>, proxy: Url) -> std::result::Result<TokioIo<TcpStream>, BoxError> {
        let dialed = async {
            let addresses = self.resolve(proxy.host_str().unwrap_or_default().trim_matches(['[', ']'])).await?;
            let port = proxy.port_or_known_default().unwrap_or(80);
            let addresses = addresses.iter().map(|&address| SocketAddr::new(address, port)).collect();
            dial(addresses, self.settings.connect_timeout).await
        };
        dialed.await.map_err(|_| Failure::new(FailureKind::OurSide, "proxy: no connection").into())
    }

    /// Why the proxy gave no tunnel. It says something of the page where others got one.
    fn no_tunnel(&self, error: impl std::error::Error + Send + Sync + 'static) -> BoxError {
        let is_ours = !self.tunnelled.load(Ordering::Relaxed);
        if error.source().is_some_and(|cause| cause.is::<Failure>()) {
            return error.into();
        }
        let kind = if is_ours { FailureKind::OurSide } else { FailureKind::Connection };
        // hyper-util keeps the kinds of these to itself.
        Failure::new(kind, format!("proxy: {}", error.to_string().trim_start_matches("tunnel error: "))).into()
    }

    /// What the proxy is told of the user, and nobody else is.
    fn proxy_key(&self) -> Option<HeaderValue> {
        let proxy = self.settings.proxy.as_ref().filter(|proxy| !proxy.username().is_empty())?;
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let pair = format!("{}:{}", decoded(proxy.username()), decoded(proxy.password().unwrap_or_default()));
        let mut key = HeaderValue::try_from(format!("Basic {}", BASE64.encode(pair.as_bytes()))).ok()?;
        key.set_sensitive(true);
        Some(key)
    }
}

/// A connection to the first of these addresses that takes it.
async fn dial(addresses: Vec<SocketAddr>, time: Duration) -> std::result::Result<TokioIo<TcpStream>, BoxError> {
    let only = service_fn(move |_: Name| ready(Ok::<_, Infallible>(addresses.clone().into_iter())));
    let mut dialer = HttpConnector::new_with_resolver(only);
    dialer.set_nodelay(true);
    dialer.set_connect_timeout(Some(time));
    Ok(dialer.oneshot(Uri::from_static("http://vetted.invalid")).await?)
}

trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// An open connection.
pub struct Stream {
    io: TokioIo<Box<dyn Duplex>>,
    h2: bool,
    /// Whether it leads to a proxy that is asked in the open.
    plain: bool,
}

impl Connection for Stream {
    fn connected(&self) -> Connected {
        let connected = Connected::new().proxy(self.plain);
        if self.h2 { connected.negotiated_h2() } else { connected }
    }
}

impl Read for Stream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: ReadBufCursor<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(cx, buf)
    }
}

impl Write for Stream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
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
    use super::Door;

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

    /// What opens connections by these routes, with this name server.
    fn door(ask: Lookup, routes: &[&str]) -> Door {
        let connect_to = routes.iter().map(|route| route.parse().unwrap()).collect();
        let settings = Settings { connect_to, allow_ports: vec![8443], ..Settings::default() };
        Door { names: Resolver::asking(ask), ..Door::new(&settings).unwrap() }
    }

    async fn addresses(door: &Door, host: &str, port: u16) -> Result<Vec<String>, String> {
        let addresses = door.vetted(host, port).await.map_err(|failure| failure.reason)?;
        Ok(addresses.iter().map(ToString::to_string).collect())
    }

    #[tokio::test]
    async fn an_answer_that_changes_is_never_asked_for_again() {
        let door = door(rebinding, &[]);
        for _ in 0..3 {
            assert_eq!(addresses(&door, "a.example", 80).await.unwrap(), ["93.184.216.34:80"]);
        }
        assert_eq!(LOOKUPS.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn one_bad_address_refuses_the_name() {
        let refused = addresses(&door(mixed, &[]), "a.example", 80).await.unwrap_err();
        assert_eq!(refused, "refused: address ::1 is not public");
        let refused = addresses(&door(public, &[]), "a.example", 8080).await.unwrap_err();
        assert_eq!(refused, "refused: port 8080");
    }

    /// Where a connection for this host and port goes by these routes.
    async fn check(routes: &[&str], host: &str, port: u16, expected: Result<&str, &str>) {
        let found = addresses(&door(public, routes), host, port).await.map(|addresses| addresses.join(" "));
        assert_eq!(found.as_deref().map_err(String::as_str), expected, "{host}:{port} by {routes:?}");
    }

    #[tokio::test]
    async fn connections_go_where_they_were_meant_to_unless_a_route_leads_elsewhere() {
        check(&[], "a.example", 8443, Ok("93.184.216.34:8443")).await;
        check(&[], "127.0.0.1", 80, Err("refused: address 127.0.0.1 is not public")).await;
        check(&["::b.example:"], "a.example", 443, Ok("93.184.216.34:443")).await;
        let to = ["::127.0.0.1:9"];
        check(&to, "a.example", 8443, Ok("127.0.0.1:9")).await;
        check(&to, "::1", 8443, Ok("127.0.0.1:9")).await;
        // A route that names no host leads nowhere that the guard has not passed.
        check(&[":::8443"], "127.0.0.1", 80, Err("refused: address 127.0.0.1 is not public")).await;
        check(&[":::9"], "93.184.216.34", 80, Err("refused: port 9")).await;
    }
}
