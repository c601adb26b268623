//! A web on loopback: any host over HTTP and TLS, with an archive beside it, latency and faults.
//!
//! A site is described in JSON, one object from address to [`site::Answer`]. Every host that the description names
//! answers; an address that it does not list is a 404 on a listed host and a connection reset on any other. The same
//! two ports also answer as the archive (`web.archive.org`).
//!
//! Clients reach it by sending all connections to its ports, as `--connect-to` does, and trust [`Server::ca_pem`].

pub mod archive;
pub mod line;
pub mod respond;
pub mod site;
pub mod tls;

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};

use line::Line;
use site::Site;
use tls::Authority;

/// How the server behaves as a whole.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Time before every answer.
    pub latency: Duration,
    /// Speak HTTP/1.1 only.
    pub http1_only: bool,
    /// What asking the archive to take a copy ends in; a capture when nothing is said.
    pub save_fails: Option<&'static str>,
}

/// One request as the server saw it.
#[derive(Debug, Clone)]
pub struct Logged {
    /// Method.
    pub method: String,
    /// The whole address, as the client meant it.
    pub url: String,
    /// Request headers, names in lower case.
    pub headers: BTreeMap<String, String>,
    /// Number of the connection it came over.
    pub connection: usize,
}

/// State shared by all connections.
pub struct Shared {
    pub(crate) site: Site,
    pub(crate) options: Options,
    pub(crate) log: Mutex<Vec<Logged>>,
    pub(crate) served: Mutex<BTreeMap<String, usize>>,
    /// Captures that were asked for, each with the number of questions after it.
    pub(crate) jobs: Mutex<Vec<u32>>,
    connections: std::sync::atomic::AtomicUsize,
}

/// A running server; it stops when dropped.
pub struct Server {
    http: SocketAddr,
    https: SocketAddr,
    ca_pem: String,
    folder: tempfile::TempDir,
    shared: Arc<Shared>,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Server {
    /// Starts a server for a site description in JSON.
    pub fn start(json: &str) -> Server {
        Server::start_with(json, Options::default())
    }

    /// Starts a server with options.
    pub fn start_with(json: &str, options: Options) -> Server {
        let site = Site::read(json).expect("a site description");
        let shared = Arc::new(Shared {
            site,
            options,
            log: Mutex::default(),
            served: Mutex::default(),
            jobs: Mutex::default(),
            connections: std::sync::atomic::AtomicUsize::new(0),
        });
        let authority = Authority::new();
        let ca_pem = authority.ca_pem().to_owned();
        let folder = tempfile::tempdir().expect("a scratch folder");
        std::fs::write(folder.path().join("ca.pem"), &ca_pem).expect("the CA file");
        let (ready, started) = std::sync::mpsc::channel();
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let state = Arc::clone(&shared);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async move {
                let http = listen().await;
                let https = listen().await;
                let places = (http.local_addr().expect("address"), https.local_addr().expect("address"));
                ready.send(places).expect("the starter waits");
                tokio::select! {
                    () = accept_plain(http, Arc::clone(&state)) => {}
                    () = accept_tls(https, state, Arc::new(authority)) => {}
                    _ = stopped => {}
                }
            });
            runtime.shutdown_background();
        });
        let (http, https) = started.recv().expect("the server starts");
        Server { http, https, ca_pem, folder, shared, stop: Some(stop), thread: Some(thread) }
    }

    /// Where plain HTTP is served.
    pub fn http(&self) -> SocketAddr {
        self.http
    }

    /// Where TLS is served.
    pub fn https(&self) -> SocketAddr {
        self.https
    }

    /// The test authority's certificate.
    pub fn ca_pem(&self) -> &str {
        &self.ca_pem
    }

    /// The test authority's certificate as a file, there as long as the server.
    pub fn ca_file(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// A folder of the server's own, removed with it.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The two `--connect-to` values that lead every host here.
    pub fn connect_to(&self) -> [String; 2] {
        [format!(":80:127.0.0.1:{}", self.http.port()), format!(":443:127.0.0.1:{}", self.https.port())]
    }

    /// Every request so far.
    pub fn log(&self) -> Vec<Logged> {
        self.shared.log.lock().expect("the log").clone()
    }

    /// How often an address was asked for.
    pub fn hits(&self, url: &str) -> usize {
        self.log().iter().filter(|logged| logged.url == url).count()
    }

    /// How often each address was asked for that the site describes.
    pub fn served(&self) -> BTreeMap<String, usize> {
        self.shared.served.lock().expect("counters").clone()
    }

    /// How many connections were opened.
    pub fn connections(&self) -> usize {
        self.shared.connections.load(std::sync::atomic::Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

async fn listen() -> TcpListener {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port")
}

async fn accept_plain(listener: TcpListener, shared: Arc<Shared>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            let (line, cord) = Line::new(stream);
            serve(line, cord, "http", None, shared).await;
        });
    }
}

async fn accept_tls(listener: TcpListener, shared: Arc<Shared>, authority: Arc<Authority>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        let shared = Arc::clone(&shared);
        let authority = Arc::clone(&authority);
        tokio::spawn(async move { handshake(stream, shared, authority).await });
    }
}

async fn handshake(stream: TcpStream, shared: Arc<Shared>, authority: Arc<Authority>) {
    let (line, cord) = Line::new(stream);
    let acceptor = tokio_rustls::LazyConfigAcceptor::new(rustls::server::Acceptor::default(), line);
    let Ok(start) = acceptor.await else { return };
    let name = start.client_hello().server_name().unwrap_or("127.0.0.1").to_ascii_lowercase();
    if !shared.site.knows_host(&name) && !archive::is_archive(&name) {
        cord.cut();
        return;
    }
    let config = authority.config(&name, shared.site.tls_fault(&name), shared.options.http1_only);
    let Ok(stream) = start.into_stream(config).await else { return };
    serve(stream, cord, "https", Some(name), shared).await;
}

async fn serve<S>(stream: S, cord: line::Cord, scheme: &'static str, name: Option<String>, shared: Arc<Shared>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let connection = shared.connections.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
    let service = service_fn(move |request| {
        let (shared, cord, name) = (Arc::clone(&shared), cord.clone(), name.clone());
        async move { respond::respond(request, scheme, name.as_deref(), connection, &shared, &cord).await }
    });
    let mut builder = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
    builder.http1().max_buf_size(2 << 20);
    let _ = builder.serve_connection(TokioIo::new(stream), service).await;
}
