//! Connections: the only place that opens a socket, and only to addresses that the guard has passed.
//!
//! A name is resolved once, all its addresses are vetted, and the connection goes to one of exactly these: nothing
//! resolves the name again, so an answer that changes in between (rebinding) gains nothing.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;

use data_encoding::BASE64;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use hyper::Uri;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::TokioIo;
use rustls::CertificateError as C;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use url::Url;

use super::dns::Resolver;
use super::guard::Guard;
use super::transport::{Failure, FailureKind};
use crate::error::{Error, Result};

/// How long one address has before the next of the same name is tried beside it (RFC 8305 recommends 250 ms).
const STAGGER: Duration = Duration::from_millis(250);

/// Longest answer of a proxy to CONNECT.
const PROXY_ANSWER_LIMIT: usize = 8 << 10;

/// Opens connections. Cheap to clone.
#[derive(Clone)]
pub struct Connector {
    shared: Arc<Shared>,
}

struct Shared {
    guard: Guard,
    resolver: Resolver,
    timeout: Duration,
    proxy: Option<Url>,
    extra_ca: Vec<CertificateDer<'static>>,
    tls: OnceLock<std::result::Result<TlsConnector, String>>,
}

impl Connector {
    /// A connector by these rules.
    ///
    /// # Errors
    /// When a certificate cannot be read or the proxy is not an HTTP proxy.
    pub fn new(guard: Guard, timeout: Duration, proxy: Option<Url>, extra_ca_pem: &[Vec<u8>]) -> Result<Self> {
        let mut extra_ca = Vec::new();
        for pem in extra_ca_pem {
            let before = extra_ca.len();
            for certificate in CertificateDer::pem_slice_iter(pem) {
                let certificate = certificate
                    .map_err(|error| Error::settings(format!("the extra CA certificate is not PEM: {error:?}")))?;
                extra_ca.push(certificate);
            }
            if extra_ca.len() == before {
                return Err(Error::settings("the extra CA file holds no certificate; it has to be PEM"));
            }
        }
        if let Some(proxy) = &proxy
            && (proxy.scheme() != "http" || proxy.host_str().is_none())
        {
            return Err(Error::settings(format!(
                "{}://… cannot be used as a proxy; give an HTTP proxy such as http://proxy.example:3128",
                proxy.scheme()
            )));
        }
        let shared = Shared { guard, resolver: Resolver::default(), timeout, proxy, extra_ca, tls: OnceLock::new() };
        Ok(Connector { shared: Arc::new(shared) })
    }

    /// The resolver of this run.
    pub fn resolver(&self) -> &Resolver {
        &self.shared.resolver
    }

    /// What a plain request through the proxy must carry to be let through.
    pub fn proxy_authorization(&self) -> Option<String> {
        self.shared.proxy.as_ref().and_then(credentials)
    }

    async fn connect(self, uri: Uri) -> std::result::Result<Line, Failure> {
        let https = uri.scheme_str() == Some("https");
        let host = uri.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']').to_owned();
        let port = uri.port_u16().unwrap_or(if https { 443 } else { 80 });
        let shared = &self.shared;
        let work = async {
            let stream = match &shared.proxy {
                Some(proxy) => shared.through_proxy(proxy, &host, port, https).await?,
                None => shared.direct(&host, port).await?,
            };
            let _ = stream.set_nodelay(true);
            if !https {
                return Ok(Line { io: TokioIo::new(Box::new(stream)), h2: false, proxied: shared.proxy.is_some() });
            }
            let name = ServerName::try_from(host.trim_end_matches('.').to_owned())
                .map_err(|_| Failure::new(FailureKind::Tls, "TLS: host name cannot have a certificate"))?;
            let connector = shared.tls()?;
            let stream = connector.connect(name, stream).await.map_err(|error| tls_failure(&error))?;
            let h2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
            Ok(Line { io: TokioIo::new(Box::new(stream)), h2, proxied: false })
        };
        match tokio::time::timeout(shared.timeout, work).await {
            Ok(result) => result,
            Err(_) => Err(Failure::of(FailureKind::ConnectTimeout)),
        }
    }
}

impl Shared {
    async fn direct(&self, host: &str, port: u16) -> std::result::Result<TcpStream, Failure> {
        let route = self.guard.route(host, port);
        let addresses: Arc<[IpAddr]> = match route.host.parse::<IpAddr>() {
            Ok(address) => Arc::from([address]),
            Err(_) => self.resolver.resolve(&route.host).await?,
        };
        if !route.explicit {
            self.guard
                .vet_all(&addresses, route.port)
                .map_err(|refusal| Failure::new(FailureKind::Refused, refusal.to_string()))?;
        }
        first_to_answer(&addresses, route.port).await
    }

    async fn through_proxy(
        &self,
        proxy: &Url,
        host: &str,
        port: u16,
        https: bool,
    ) -> std::result::Result<TcpStream, Failure> {
        self.vet_for_proxy(host, port).await?;
        let proxy_host = proxy.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
        let proxy_port = proxy.port_or_known_default().unwrap_or(80);
        let addresses: Arc<[IpAddr]> = match proxy_host.parse::<IpAddr>() {
            Ok(address) => Arc::from([address]),
            Err(_) => self.resolver.resolve(proxy_host).await?,
        };
        // The user named the proxy, so its address is not vetted.
        let mut stream = first_to_answer(&addresses, proxy_port).await?;
        if https {
            let target = if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") };
            let authorization =
                credentials(proxy).map(|value| format!("Proxy-Authorization: {value}\r\n")).unwrap_or_default();
            let request = format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n{authorization}\r\n");
            stream.write_all(request.as_bytes()).await.map_err(|error| io_failure(&error))?;
            expect_tunnel(&mut stream).await?;
        }
        Ok(stream)
    }

    /// A proxy resolves out of our sight. What we can tell is vetted: literals, local names, and the addresses that we
    /// would get ourselves, if we get any.
    async fn vet_for_proxy(&self, host: &str, port: u16) -> std::result::Result<(), Failure> {
        let refused = |refusal: super::guard::Refusal| Failure::new(FailureKind::Refused, refusal.to_string());
        if let Ok(address) = host.parse::<IpAddr>() {
            return self.guard.vet_ip(address, port).map_err(refused);
        }
        self.guard.vet_proxied(host).map_err(refused)?;
        match self.resolver.resolve(host).await {
            Ok(addresses) => self.guard.vet_all(&addresses, port).map_err(refused),
            Err(_) => Ok(()),
        }
    }

    fn tls(&self) -> std::result::Result<TlsConnector, Failure> {
        let built = self.tls.get_or_init(|| self.build_tls());
        built.clone().map_err(|reason| Failure::new(FailureKind::Tls, reason))
    }

    fn build_tls(&self) -> std::result::Result<TlsConnector, String> {
        let mut roots = rustls::RootCertStore::empty();
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        roots.add_parsable_certificates(self.extra_ca.iter().cloned());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| format!("TLS: {error}"))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(TlsConnector::from(Arc::new(config)))
    }
}

async fn first_to_answer(addresses: &[IpAddr], port: u16) -> std::result::Result<TcpStream, Failure> {
    let mut waiting = addresses.iter().map(|&address| SocketAddr::new(address, port));
    let mut trying = FuturesUnordered::new();
    let mut last = Failure::of(FailureKind::Unreachable);
    if let Some(address) = waiting.next() {
        trying.push(TcpStream::connect(address));
    }
    loop {
        let more = waiting.len() > 0;
        tokio::select! {
            done = trying.next() => match done {
                Some(Ok(stream)) => return Ok(stream),
                Some(Err(error)) => {
                    last = io_failure(&error);
                    if let Some(address) = waiting.next() {
                        trying.push(TcpStream::connect(address));
                    }
                }
                None => return Err(last),
            },
            () = tokio::time::sleep(STAGGER), if more => {
                if let Some(address) = waiting.next() {
                    trying.push(TcpStream::connect(address));
                }
            }
        }
    }
}

async fn expect_tunnel(stream: &mut TcpStream) -> std::result::Result<(), Failure> {
    let mut answer = Vec::new();
    // Byte by byte, so that nothing of what follows the answer is swallowed.
    while !answer.ends_with(b"\r\n\r\n") {
        if answer.len() > PROXY_ANSWER_LIMIT {
            return Err(Failure::new(FailureKind::Unreachable, "proxy: answer too long"));
        }
        let byte = stream.read_u8().await.map_err(|error| io_failure(&error))?;
        answer.push(byte);
    }
    let line = String::from_utf8_lossy(&answer);
    match line.split_whitespace().nth(1) {
        Some(status) if status.starts_with('2') => Ok(()),
        Some(status) => Err(Failure::new(FailureKind::Unreachable, format!("proxy: HTTP {status}"))),
        None => Err(Failure::new(FailureKind::Unreachable, "proxy: no answer")),
    }
}

fn credentials(proxy: &Url) -> Option<String> {
    if proxy.username().is_empty() {
        return None;
    }
    let pair = format!("{}:{}", proxy.username(), proxy.password().unwrap_or_default());
    Some(format!("Basic {}", BASE64.encode(pair.as_bytes())))
}

/// What an I/O error means for a source.
pub fn io_failure(error: &io::Error) -> Failure {
    use io::ErrorKind as K;
    Failure::of(match error.kind() {
        K::ConnectionRefused => FailureKind::ConnectionRefused,
        K::ConnectionReset | K::ConnectionAborted | K::BrokenPipe => FailureKind::Reset,
        K::TimedOut => FailureKind::ConnectTimeout,
        K::UnexpectedEof => FailureKind::Closed,
        _ => FailureKind::Unreachable,
    })
}

fn tls_failure(error: &io::Error) -> Failure {
    let Some(inner) = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) else {
        return io_failure(error);
    };
    let reason = match inner {
        rustls::Error::InvalidCertificate(certificate) => match certificate {
            C::Expired | C::ExpiredContext { .. } => "TLS: certificate expired",
            C::NotValidYet | C::NotValidYetContext { .. } => "TLS: certificate not valid yet",
            C::NotValidForName | C::NotValidForNameContext { .. } => "TLS: certificate of another host",
            C::UnknownIssuer => "TLS: certificate of an unknown issuer",
            C::Revoked => "TLS: certificate revoked",
            _ => "TLS: certificate not valid",
        },
        rustls::Error::InvalidMessage(_) => "TLS: the server does not speak it",
        _ => "TLS failure",
    };
    Failure::new(FailureKind::Tls, reason)
}

impl tower_service::Service<Uri> for Connector {
    type Response = Line;
    type Error = Failure;
    type Future = Pin<Box<dyn Future<Output = std::result::Result<Line, Failure>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<std::result::Result<(), Failure>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        Box::pin(self.clone().connect(uri))
    }
}

trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Stream for T {}

/// An open connection.
pub struct Line {
    io: TokioIo<Box<dyn Stream>>,
    h2: bool,
    proxied: bool,
}

impl Connection for Line {
    fn connected(&self) -> Connected {
        let connected = Connected::new().proxy(self.proxied);
        if self.h2 { connected.negotiated_h2() } else { connected }
    }
}

impl Read for Line {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: ReadBufCursor<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(cx, buf)
    }
}

impl Write for Line {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write_vectored(cx, bufs)
    }
}
