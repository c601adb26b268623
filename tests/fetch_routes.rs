//! Where connections go: routes in curl's manner, literals, explicit ports, proxies.

#[path = "support/server/mod.rs"]
#[allow(dead_code)]
mod server;

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::time::Duration;

use cited::fetch::{Fetched, Fetcher, Network, Outcome, Request, Settings};
use server::{Options, Server};

fn settings(server: &Server) -> Settings {
    Settings {
        extra_ca_pem: vec![server.ca_pem().as_bytes().to_vec()],
        second_look_after: Duration::from_millis(10),
        backoff: Duration::from_millis(1),
        host_pause: Duration::from_millis(1),
        retries: 0,
        archives: Vec::new(),
        ..Settings::default()
    }
    .with_timeout(Duration::from_secs(3))
}

fn fetch(settings: Settings, url: &str) -> Fetched {
    let network = Network::new(settings).unwrap();
    let request = Request { addresses: vec![url.to_owned()], ..Request::default() };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(network.fetch(&request))
}

const WEB: &str = r#"{
 "https://a.example/": {"title": "A", "text": "Text of a page over TLS."},
 "https://a.example:8443/": {"title": "A", "text": "Text of a page over TLS at another port."},
 "http://a.example:8080/": {"title": "A", "text": "Text of a page at another port."},
 "http://a.example/": {"title": "A", "text": "Text of a page."},
 "http://127.0.0.1/": {"title": "L", "text": "Text of a page by its address, without TLS."},
 "http://[::1]/": {"title": "L", "text": "Text of a page by its long address."}}"#;

/// Asks by a route to the server's port for the scheme; `HTTP` and `HTTPS` stand for the two ports.
#[track_caller]
fn check(route: &str, url: &str, outcome: Outcome, said: &str) {
    for http1_only in [false, true] {
        let server = Server::start_with(WEB, Options { http1_only, ..Options::default() });
        let route = route
            .replace("HTTPS", &server.https().port().to_string())
            .replace("HTTP", &server.http().port().to_string());
        let settings =
            Settings { connect_to: vec![route.parse().unwrap()], allow_ports: vec![8080, 8443], ..settings(&server) };
        let fetched = fetch(settings, url);
        let says = fetched.page.as_ref().map_or(fetched.reason.as_str(), |page| page.main());
        assert_eq!((fetched.outcome, says), (outcome, said), "{url} by {route}: {fetched:?}");
    }
}

#[test]
fn every_way_of_writing_an_address_is_led() {
    use Outcome::{Live, Refused, Unreachable};
    check(":443:127.0.0.1:HTTPS", "https://a.example/", Live, "Text of a page over TLS.");
    check("a.example::127.0.0.1:HTTP", "http://a.example/", Live, "Text of a page.");
    check(":8443:127.0.0.1:HTTPS", "https://a.example:8443/", Live, "Text of a page over TLS at another port.");
    check("a.example:8080:127.0.0.1:HTTP", "http://a.example:8080/", Live, "Text of a page at another port.");
    check("::127.0.0.1:HTTP", "http://127.0.0.1/", Live, "Text of a page by its address, without TLS.");
    check("[::1]:80:127.0.0.1:HTTP", "http://[::1]/", Live, "Text of a page by its long address.");
    // A literal that is led elsewhere has no certificate.
    check("::127.0.0.1:HTTPS", "https://127.0.0.1/", Unreachable, "connection reset");
    // A route for others does not open the way.
    check("b.example::127.0.0.1:HTTP", "http://127.0.0.1/", Refused, "refused: address 127.0.0.1 is not public");
    check("b.example::127.0.0.1:HTTP", "http://localhost/", Refused, "refused: address 127.0.0.1 is not public");
}

/// A proxy for one connection at a time that leads every tunnel to one port, and answers plain requests itself.
fn proxy(to: u16, tunnels: &'static str) -> (u16, std::sync::mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (seen, heads) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                if stream.read(&mut byte).unwrap_or(0) == 0 {
                    break;
                }
                head.push(byte[0]);
            }
            let head = String::from_utf8_lossy(&head).into_owned();
            let tunnel = head.starts_with("CONNECT ");
            let _ = seen.send(head);
            if !tunnel {
                let page = "<title>P</title><p>Text by way of the proxy.</p>";
                let answer = format!(
                    "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{page}",
                    page.len()
                );
                let _ = stream.write_all(answer.as_bytes());
                continue;
            }
            let _ = stream.write_all(tunnels.as_bytes());
            if tunnels.contains(" 200 ") {
                splice(stream, TcpStream::connect(("127.0.0.1", to)).unwrap());
            }
        }
    });
    (port, heads)
}

fn splice(one: TcpStream, other: TcpStream) {
    for (mut from, mut to) in [(one.try_clone().unwrap(), other.try_clone().unwrap()), (other, one)] {
        std::thread::spawn(move || {
            let _ = std::io::copy(&mut from, &mut to);
            let _ = to.shutdown(Shutdown::Write);
        });
    }
}

#[test]
fn a_proxy_passes_on_plain_requests_and_tunnels_the_others() {
    let server = Server::start(WEB);
    let (port, heads) = proxy(server.https().port(), "HTTP/1.1 200 OK\r\n\r\n");
    let proxied =
        Settings { proxy: Some(format!("http://me:secret@127.0.0.1:{port}").parse().unwrap()), ..settings(&server) };
    let plain = fetch(proxied.clone(), "http://a.example/");
    assert_eq!(plain.page.unwrap().main(), "Text by way of the proxy.");
    let head = heads.recv().unwrap().to_ascii_lowercase();
    assert!(head.starts_with("get http://a.example/ http/1.1\r\n"), "{head}");
    assert!(head.contains("proxy-authorization: basic bwu6c2vjcmv0\r\n"), "{head}");
    let tunnelled = fetch(proxied, "https://a.example/");
    assert_eq!(tunnelled.page.unwrap().main(), "Text of a page over TLS.");
    let head = heads.recv().unwrap().to_ascii_lowercase();
    assert!(head.starts_with("connect a.example:443 http/1.1\r\n"), "{head}");
    // What is for the proxy is not for the server.
    assert!(server.log().iter().all(|logged| !logged.headers.contains_key("proxy-authorization")));
}

#[test]
fn a_proxy_that_lets_nobody_through_is_named_in_the_reason() {
    let server = Server::start(WEB);
    let (port, _heads) = proxy(0, "HTTP/1.1 407 No\r\n\r\n");
    let proxied = Settings { proxy: Some(format!("http://127.0.0.1:{port}").parse().unwrap()), ..settings(&server) };
    let fetched = fetch(proxied, "https://a.example/");
    // It says something of the proxy and nothing of the page.
    let expected = (Outcome::Unasked, "proxy: proxy authorization required");
    assert_eq!((fetched.outcome, fetched.reason.as_str()), expected);
}

#[test]
fn a_proxy_that_is_down_is_no_outcome_of_a_page() {
    let server = Server::start(WEB);
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let proxied = Settings { proxy: Some(format!("http://127.0.0.1:{nobody}").parse().unwrap()), ..settings(&server) };
    let reason = "proxy: no connection";
    for url in ["http://a.example/", "https://a.example/"] {
        let network = Network::new(proxied.clone()).unwrap();
        let request = Request { addresses: vec![url.to_owned()], ..Request::default() };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let fetched = runtime.block_on(network.fetch(&request));
        assert_eq!((fetched.outcome, fetched.reason.as_str()), (Outcome::Unasked, reason));
        assert_eq!(network.fault().unwrap(), format!("1 of 1 hosts could not be asked: {reason}"));
    }
}

#[test]
fn a_proxy_that_does_not_answer_is_no_outcome_of_a_page() {
    let server = Server::start(WEB);
    // It takes connections and says nothing.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let proxied = Settings {
        proxy: Some(format!("http://{}", silent.local_addr().unwrap()).parse().unwrap()),
        connect_timeout: Duration::from_millis(200),
        total_timeout: Duration::from_secs(1),
        ..settings(&server)
    };
    let fetched = fetch(proxied, "https://a.example/");
    assert_eq!((fetched.outcome, fetched.reason.as_str()), (Outcome::Unasked, "proxy: timeout"));
}
